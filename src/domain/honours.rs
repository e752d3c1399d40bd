//! What is won beside points: awards, credit, prizes (Rules 4 and 5). Who wins what is `rules/awards.rs` and
//! `rules/prizes.rs`.

use super::ids::{EntryId, MemberId, SectionCode, TournamentId};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// What is given to an entry's player (Rules 4 and 5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Award {
    /// Credit for entry fees: the entry did not leave the first round.
    GiftCertificate {
        /// Its worth.
        amount: Decimal,
        /// The currency (ISO 4217).
        currency: String,
    },
    /// A certificate suitable for framing: the entry did not leave the round that the tournament's file names.
    FramingCertificate,
    /// The pin: the entry completed all rounds without a forfeit loss.
    Pin,
    /// The title, with its words.
    Title(String),
}

impl Award {
    /// Returns the word for it.
    pub const fn text(&self) -> &'static str {
        match self {
            Self::GiftCertificate { .. } => "gift-certificate",
            Self::FramingCertificate => "framing-certificate",
            Self::Pin => "pin",
            Self::Title(_) => "title",
        }
    }
}

/// An award, given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AwardGiven {
    /// The entry.
    pub entry: EntryId,
    /// What is given.
    pub award: Award,
    /// The section it is given for; none where a score was carried over, and for the title.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub section: Option<SectionCode>,
    /// The day.
    pub on: NaiveDate,
}

/// Credit that was used (Rule 4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditUsed {
    /// Whose.
    pub member: MemberId,
    /// For which entry's fee.
    pub entry: EntryId,
    /// How much.
    pub amount: Decimal,
    /// The currency (ISO 4217).
    pub currency: String,
    /// The day.
    pub on: NaiveDate,
}

/// The prizes of a tournament, or of a section where each section has its own (Rule 5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrizeList {
    /// The tournament.
    pub event: TournamentId,
    /// The section, where prizes go by section points.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub section: Option<SectionCode>,
    /// How many entries were placed in a section of the first round.
    pub entries_assigned: u32,
    /// All prizes together, scaled, in whole cents.
    pub fund: Decimal,
    /// Who has won, the first place first.
    pub places: Vec<Prize>,
    /// What the fund has left: cents of ties, prizes without an entry that has a right to them.
    pub undistributed: Decimal,
    /// The day.
    pub on: NaiveDate,
}

/// A prize (Rules 5 and 6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prize {
    /// The place among those who have a right to prizes; equal entries share the better one.
    pub place: usize,
    /// Who has it.
    pub entry: EntryId,
    /// How much, in whole cents.
    pub amount: Decimal,
    /// With whom the place is shared.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tied_with: Vec<EntryId>,
}
