//! What a mail was understood to say: the result of a reading, as `read --json` prints it and the journal keeps it.

use crate::domain::{
    event::Trouble,
    ids::{LetterId, MemberId},
    intent::{Doubt, Intent},
};
use chrono::NaiveDate;
use serde::Serialize;

/// A mail, understood.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Understanding {
    /// What kind of mail it is.
    pub class: Class,
    /// Who wrote it.
    pub sender: Sender,
    /// How sure the reading is of the intents.
    pub confidence: Confidence,
    /// What is asked for or said.
    pub intents: Vec<Intent>,
    /// What the sender newly wrote.
    pub text: String,
    /// What was not read for meaning, and why.
    pub set_aside: Vec<String>,
    /// How the reading came to this, a sentence each.
    pub reasons: Vec<String>,
    /// Why it cannot be acted on, where it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<Trouble>,
    /// The one question that settles what is in doubt, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt: Option<Doubt>,
    /// Headers that the books keep.
    #[serde(skip)]
    pub headers: Headers,
}

/// A reading as the journal keeps it: all but the text, which the archive has.
#[derive(Debug, Serialize)]
pub struct Kept<'a> {
    class: Class,
    sender: &'a Sender,
    confidence: Confidence,
    intents: &'a [Intent],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    set_aside: &'a [String],
    reasons: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<Trouble>,
}

impl Understanding {
    /// Returns what of the reading the journal keeps.
    pub fn kept(&self) -> Kept<'_> {
        Kept {
            class: self.class,
            sender: &self.sender,
            confidence: self.confidence,
            intents: &self.intents,
            set_aside: &self.set_aside,
            reasons: &self.reasons,
            trouble: self.trouble,
        }
    }
}

/// Headers that the books keep, cleaned of line breaks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    /// The Message-ID it claims, without angle brackets; none where it is missing or empty.
    pub message_id: Option<String>,
    /// In-Reply-To and References, the nearest first.
    pub references: Vec<String>,
    /// The subject.
    pub subject: String,
    /// The content id: the same letter by another route has the same. None where there is no text and no subject.
    pub content_id: Option<String>,
    /// The day that counts as its postmark (Rule 9).
    pub postmark: Option<NaiveDate>,
    /// Why the postmark is not the sender's own date, where it is not.
    pub postmark_doubt: Option<String>,
    /// Whether it answers another mail, by the mails it refers to or by its subject.
    pub replies: bool,
    /// The letter of ours that it answers, where its token or our Message-ID verified.
    pub answers: Option<LetterId>,
}

/// What kind of mail it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Somebody wrote it.
    Person,
    /// A mail system reports that something did not arrive, or not yet.
    Bounce,
    /// A machine answers (RFC 3834).
    AutoReply,
    /// It came through a list or in bulk.
    List,
    /// It is our own.
    Own,
    /// It cannot be read: no sender, two senders, or too large.
    #[default]
    Unreadable,
}

/// Who wrote a mail, and how we know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sender {
    /// The address.
    pub address: Option<String>,
    /// The name.
    pub name: String,
    /// The player; none where the address is unknown, or where several share it and nothing tells which.
    pub player: Option<MemberId>,
    /// How far the sender is known.
    pub assurance: Assurance,
    /// Whether the address is none of the player's: a token alone speaks for him, and our letter may have been passed
    /// on.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub elsewhere: bool,
}

/// How far a sender is known, the surest last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assurance {
    /// Not at all.
    #[default]
    Unknown,
    /// The address is known, and anybody can write an address.
    Address,
    /// The address is known and our own mail server vouches for its domain.
    Dkim,
    /// It answers a letter that only this player got.
    Token,
}

/// How sure a reading is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// A person must look.
    #[default]
    Unsure,
    /// It is asked about before anything is done.
    Probable,
    /// It is acted on.
    Certain,
}
