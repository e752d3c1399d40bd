//! Chess: positions, moves and games by the laws of chess, and how people write them. It knows no championship: what a
//! move means for a game between two entries, who may make it and when, is the domain's.
//!
//! The legal moves come from the crate `cozy-chess`, which is named in this folder alone.

mod end;
mod moves;
pub mod notation;
pub mod pgn;
mod position;
mod record;
mod san;

pub use moves::Move;
pub use position::{End, Position};
pub use record::Record;

use serde::{Deserialize, Serialize};

/// One of the two sides of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The side that moves first.
    White,
    /// The other.
    Black,
}

impl Side {
    /// Returns the opponent's side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}
