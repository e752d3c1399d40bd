//! From a notice to a letter: the facts of `domain/notice.rs` become a view, the view becomes words by a template,
//! the words become a complete RFC 5322 message. Pure: the same notice and books give the same bytes.
//! Sending is `transport/`, keeping is `store/`.

pub mod layout;
pub mod letter;
pub mod pages;
pub mod ranking;
pub mod render;
pub mod sample;
pub mod table;
pub mod view;

use crate::{
    domain::{
        docket::About,
        ids::{LetterId, MemberId},
        notice::NoticeName,
        state::State,
        tournament::Rules,
    },
    house::House,
};
use chrono::{DateTime, Utc};
use serde::Serialize;

/// The mail that a letter answers, for its thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// The Message-ID of the mail.
    pub in_reply_to: Option<String>,
    /// What the mail itself referred to, oldest first.
    pub references: Vec<String>,
    /// The subject of the mail.
    pub subject: String,
}

/// A letter, written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Its number.
    pub letter: LetterId,
    /// Which notice it brings.
    pub notice: NoticeName,
    /// The address it goes to; none: it goes on paper.
    pub to: Option<String>,
    /// The player it goes to.
    pub player: Option<MemberId>,
    /// What it is about.
    pub about: About,
    /// Its subject.
    pub subject: String,
    /// Its Message-ID, without angle brackets.
    pub message_id: String,
    /// The whole message. Where there is no address its text part is the sheet as it is printed.
    pub bytes: Vec<u8>,
}

/// What writing a letter may look at.
pub struct Desk<'a> {
    /// Who we are.
    pub house: &'a House,
    /// The tournaments.
    pub rules: &'a Rules,
    /// The books after what the letter tells.
    pub state: &'a State,
    /// The present; the letter is dated by it.
    pub now: DateTime<Utc>,
    /// The words.
    pub templates: &'a render::Templates,
    /// How the letters stand, for the director's summary; none where nobody counted.
    pub counts: Option<OutboxCounts>,
}

/// How the letters stand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OutboxCounts {
    /// Sent since the last summary.
    pub sent: usize,
    /// Waiting to be sent, or to be tried again.
    pub waiting: usize,
    /// Not delivered.
    pub failed: usize,
    /// Put into the print folder since the last summary.
    pub printed: usize,
    /// Which ones these are, for the post.
    #[serde(skip)]
    pub on_paper: Vec<Printed>,
}

/// A letter that lies in the print folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The letter.
    pub letter: LetterId,
    /// Which notice it brings.
    pub notice: NoticeName,
    /// The player it goes to.
    pub player: Option<MemberId>,
}
