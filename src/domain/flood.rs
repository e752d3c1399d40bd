//! Floods: more mail than is answered in a day, as events and the docket tell it. How much that is, is data; who has
//! sent how much is counted in `office/tally.rs`, and what is decided about it is `rules/floods.rs`.

use super::{event::Correspondent, ids::ItemId};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// Which cap on the answers of a day a mail is beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cap {
    /// Of one address.
    Address,
    /// Of the addresses of one domain.
    Domain,
    /// Of all who are known.
    Total,
    /// Of those of one domain whom nobody knows.
    StrangersOfDomain,
    /// Of all whom nobody knows.
    Strangers,
    /// Of mails that say the same.
    Alike,
}

impl Cap {
    /// Returns what has happened, as a sentence for the director.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Address => "An address has had as many answers in a day as one address gets.",
            Self::Domain => {
                "The addresses of a domain have had as many answers in a day as one domain gets."
            }
            Self::Total => "There were as many answers in a day as are given in all.",
            Self::StrangersOfDomain => {
                "Unknown addresses of a domain have had as many answers in a day as they get."
            }
            Self::Strangers => {
                "Unknown addresses have had as many answers in a day as they get in all."
            }
            Self::Alike => {
                "The same text came again and again in a day; a program may be writing it."
            }
        }
    }
}

/// A flood that a docket item stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flood {
    /// The cap that its mails are beyond.
    pub cap: Cap,
    /// How many mails it is so far.
    #[serde(default)]
    pub mails: u64,
}

/// A mail that is kept and not answered, since it is beyond a cap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldBack {
    /// The cap.
    pub cap: Cap,
    /// The docket item that stands for it.
    pub item: ItemId,
    /// The day, where the director is told at once: once a day for each cap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alert: Option<NaiveDate>,
}

/// A mail that is beyond a cap, before anything is decided about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// The cap.
    pub cap: Cap,
    /// Who wrote it.
    pub from: Correspondent,
    /// Its digest.
    pub mail: String,
}
