//! Who wrote to us and what about, as events and commands tell it: the words for the sender of a mail, for what a
//! question is about, and for why a mail could not be acted on.

use super::ids::MemberId;
use serde::{Deserialize, Serialize};

/// Somebody who wrote to us or is written to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Correspondent {
    /// The player, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<MemberId>,
    /// The address; for a player the books have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The name as the mail gave it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topic {
    /// How this works.
    Help,
    /// Whether a section is formed, how it stands.
    Section,
    /// The player's own games.
    Games,
    /// The player's entries and fees.
    Entries,
    /// Deadlines and fees.
    Deadlines,
    /// The rules.
    Rules,
    /// How a whole tournament stands.
    Standings,
}

impl Topic {
    /// Returns what is asked about, in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Help => "how this works",
            Self::Section => "a section",
            Self::Games => "the sender's games",
            Self::Entries => "entries",
            Self::Deadlines => "deadlines and fees",
            Self::Rules => "the rules",
            Self::Standings => "the standings",
        }
    }
}

/// Why a mail could not be acted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trouble {
    /// Nothing in it was meant for us, or it was said in words we do not read.
    NothingFound,
    /// It is about games or entries of a player, and the address is not his.
    SenderUnknown,
    /// More than one game fits.
    GameUnclear,
    /// It asks for something that this tournament's program does not do; the director reads it.
    ForDirector,
    /// It is larger than we take.
    TooLarge,
    /// It is empty.
    Empty,
    /// Its sender or its text could not be recovered in full.
    Damaged,
    /// Its sender has had as many answers today as one address gets. In older journals only: such a mail is held back
    /// now (`flood.rs`).
    TooMany,
    /// Reading it stopped the program.
    Parked,
}
