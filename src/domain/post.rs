//! The post: letters that did not arrive, where they went instead, and addresses that failed (Rule 10). What follows from
//! a report is decided in `rules/undelivered.rs`; the letters themselves are the office's.

use super::{
    ids::{GameId, LetterId, MemberId, SectionCode},
    notice::NoticeName,
};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What befell a letter on its way, or an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PostEvent {
    /// A mail system refused a letter, sent it back, or has it still.
    Undelivered(Undelivered),
    /// A letter goes another way.
    Redirected(Redirected),
    /// A letter that had not arrived has gone another way.
    Delivered(Delivered),
    /// Letters do not reach a player at an address; none goes there before it is good again.
    AddressFailed(AddressNews),
    /// An address that had failed is good again.
    AddressGood(AddressNews),
}

impl PostEvent {
    /// Returns the letter it is about; none where it is about an address.
    pub const fn letter(&self) -> Option<LetterId> {
        match self {
            Self::Undelivered(it) => Some(it.letter),
            Self::Redirected(it) => Some(it.letter),
            Self::Delivered(it) => Some(it.letter),
            Self::AddressFailed(_) | Self::AddressGood(_) => None,
        }
    }
}

/// How a letter did not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failing {
    /// The mail system still tries.
    Delayed,
    /// It was known already, or the letter has gone elsewhere since.
    Known,
    /// The mail system has given up over a trouble that passes, such as a full mailbox: it is sent there again.
    Passing,
    /// This letter is not coming, though the address may be good: it was too long on the way, or too large.
    Letter,
    /// Nobody is reached at the address.
    Address,
}

impl Failing {
    /// Tells whether the letter has to go another way.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Letter | Self::Address)
    }
}

/// What a mail system said of a letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undelivered {
    /// The letter.
    pub letter: LetterId,
    /// How.
    pub how: Failing,
    /// Whose letter it is; none: the director's, or a stranger's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<MemberId>,
    /// The address that it had gone to; none: it was on paper already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Whom the mail system names, where that is another address: the mail was passed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub named: Option<String>,
    /// The status code (RFC 3463): `5.1.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// What was said, on one line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub said: String,
    /// The mail that said it; none: it was refused at delivery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mail: Option<String>,
    /// The day.
    pub on: NaiveDate,
    /// The clock that the letter would have started; none: it starts none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Starts>,
}

/// A clock that a letter starts (Rule 10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Starts {
    /// The section.
    pub section: SectionCode,
    /// The game; none: all games of the player in the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameId>,
    /// The day on which the letter was written: that of the move it brings.
    pub from: NaiveDate,
}

/// A letter goes another way: the same bytes to another address, or on paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redirected {
    /// The letter.
    pub letter: LetterId,
    /// The address; none: on paper.
    pub to: Option<String>,
}

/// A letter that had not arrived has gone another way, and the clock it starts runs (Rule 10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivered {
    /// The letter.
    pub letter: LetterId,
    /// The day on which it counts as received; with a letter on paper the way of the post is among the days before.
    pub on: NaiveDate,
}

/// News of an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressNews {
    /// Whose it is; none: the director's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<MemberId>,
    /// The address.
    pub address: String,
    /// The day.
    pub on: NaiveDate,
}

/// What the books know of the post.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Post {
    /// Addresses that failed (lower case), by whose they are, none being the director; with the day.
    pub failed: BTreeMap<Failed, NaiveDate>,
    /// Letters that did not arrive.
    pub lost: BTreeMap<LetterId, Lost>,
}

/// Whose address failed (none: the director's), and which, in lower case.
pub type Failed = (Option<MemberId>, String);

/// A letter that did not arrive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Lost {
    /// Whose it is; none: the director's, or a stranger's.
    pub member: Option<MemberId>,
    /// Where it goes now; none: on paper.
    pub to: Option<String>,
    /// The addresses that it went to in vain, in lower case.
    pub tried: Vec<String>,
    /// Whom reports named beside them, in lower case.
    pub named: Vec<String>,
    /// The clock that it would have started.
    pub clock: Option<Starts>,
    /// The day on which it was first known.
    pub since: NaiveDate,
    /// It is to be sent again after this day; none: it is not.
    pub again: Option<NaiveDate>,
    /// The day on which the clock runs again; none: it stands.
    pub until: Option<NaiveDate>,
}

impl Post {
    /// Tells whether no letter goes to an address. `member` none: the director's.
    pub fn has_failed(&self, member: Option<&MemberId>, address: &str) -> bool {
        !self.failed.is_empty()
            && self.failed.contains_key(&(member.cloned(), address.trim().to_lowercase()))
    }
}

/// Tells whether a clock begins to run, or runs on, by a letter (Rule 10): one that brings a move or an assignment, or
/// says that a move was not taken.
pub const fn starts_clock(notice: NoticeName) -> bool {
    matches!(
        notice,
        NoticeName::Assignment | NoticeName::Move | NoticeName::MoveRejected | NoticeName::Question
    )
}
