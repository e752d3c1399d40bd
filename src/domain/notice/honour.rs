//! What an entry has won, or that it goes no further, as letters tell it (Rules 3, 4 and 5).

use super::NoticeName;
use crate::domain::{
    event::Advance,
    ids::{EntryId, SectionCode, TournamentId},
    points::Points,
};
use rust_decimal::Decimal;

/// What came of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Honour {
    /// It goes on though its points did not lead there: it fills a section, or the director took it (Rules 3 and 7).
    FilledIn {
        /// The entry.
        entry: EntryId,
        /// From which section; none where its score was carried over.
        section: Option<SectionCode>,
        /// With how many points.
        points: Points,
        /// Why.
        why: Advance,
    },
    /// It does not reach the next round (Rules 3 and 4).
    NotAdvancing {
        /// The entry.
        entry: EntryId,
        /// Where it played last; none where its score was carried over.
        section: Option<SectionCode>,
        /// Its points there.
        points: Points,
    },
    /// Credit for entry fees (Rule 4).
    GiftCertificate {
        /// The entry; the certificate has its number.
        entry: EntryId,
        /// Where it played; none where its score was carried over.
        section: Option<SectionCode>,
        /// Its worth.
        amount: Decimal,
        /// The currency (ISO 4217).
        currency: String,
    },
    /// A certificate suitable for framing (Rule 4).
    FramingCertificate {
        /// The entry.
        entry: EntryId,
        /// Where it played; none where its score was carried over.
        section: Option<SectionCode>,
        /// Its points there.
        points: Points,
    },
    /// The pin (Rule 4).
    Pin {
        /// The entry.
        entry: EntryId,
    },
    /// A prize (Rules 5 and 6); the books have the list of which it is one.
    Prize {
        /// The tournament.
        event: TournamentId,
        /// The section, where each has its own prizes.
        section: Option<SectionCode>,
        /// The entry.
        entry: EntryId,
    },
    /// The title (Rule 5).
    Champion {
        /// The entry.
        entry: EntryId,
        /// The title's words.
        title: String,
    },
}

impl Honour {
    /// Returns the name of the letter that tells this.
    pub const fn name(&self) -> NoticeName {
        match self {
            Self::FilledIn { .. } => NoticeName::FilledIn,
            Self::NotAdvancing { .. } => NoticeName::NotAdvancing,
            Self::GiftCertificate { .. } => NoticeName::GiftCertificate,
            Self::FramingCertificate { .. } => NoticeName::FramingCertificate,
            Self::Pin { .. } => NoticeName::Pin,
            Self::Prize { .. } => NoticeName::Prize,
            Self::Champion { .. } => NoticeName::Champion,
        }
    }
}
