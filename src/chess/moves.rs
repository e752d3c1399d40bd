//! A move by its squares: two bytes, printed and kept as UCI writes it. It knows no position: whether it is legal, and
//! which piece it moves, a [`super::Position`] tells.

use cozy_chess::{File, Piece, Rank, Square};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A move: where from, where to, and what a pawn becomes. Castling is the king's move of two squares, `e1g1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// What a pawn may become, at the number that stands for it in the lowest three bits of a move.
const PROMOTIONS: [Option<Piece>; 5] =
    [None, Some(Piece::Knight), Some(Piece::Bishop), Some(Piece::Rook), Some(Piece::Queen)];

impl Move {
    /// Makes a move of two squares. A promotion to a king or a pawn is none.
    pub(super) fn new(from: Square, to: Square, promotion: Option<Piece>) -> Self {
        let promotion = PROMOTIONS.iter().position(|known| *known == promotion).unwrap_or(0);
        Self((from as u16) << 9 | (to as u16) << 3 | u16::try_from(promotion).unwrap_or(0))
    }

    /// Returns the square it starts from.
    pub(super) fn from(self) -> Square {
        Square::index(usize::from(self.0 >> 9) & 63)
    }

    /// Returns the square it goes to.
    pub(super) fn to(self) -> Square {
        Square::index(usize::from(self.0 >> 3) & 63)
    }

    /// Returns what a pawn becomes.
    pub(super) fn promotion(self) -> Option<Piece> {
        PROMOTIONS.get(usize::from(self.0 & 7)).copied().flatten()
    }

    /// Returns the move as UCI writes it: `c1g5`, `e7e8q`, castling as `e1g1`.
    pub fn uci(self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let promotion = self.promotion().map(char::from);
        let promotion = promotion.map(String::from).unwrap_or_default();
        f.pad(&format!("{}{}{promotion}", self.from(), self.to()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse(text).ok_or_else(|| format!("`{text}` is not a move such as e2e4 or e7e8q"))
    }
}

fn parse(text: &str) -> Option<Move> {
    let mut chars = text.chars();
    let from = square(chars.next()?, chars.next()?)?;
    let to = square(chars.next()?, chars.next()?)?;
    let promotion = match chars.next() {
        None => None,
        Some(letter) => Some(Piece::try_from(letter).ok()?),
    };
    let fits = PROMOTIONS.contains(&promotion) && chars.next().is_none() && from != to;
    fits.then(|| Move::new(from, to, promotion))
}

fn square(file: char, rank: char) -> Option<Square> {
    Some(Square::new(File::try_from(file).ok()?, Rank::try_from(rank).ok()?))
}

impl Serialize for Move {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_kept_as_uci_writes_it() {
        assert_eq!(size_of::<Move>(), 2);
        for text in ["c1g5", "e7e8q", "a2a1n", "e1g1", "h8a1"] {
            let it: Move = text.parse().expect(text);
            assert_eq!(it.uci(), text);
            assert_eq!(serde_json::to_string(&it).expect("json"), format!("\"{text}\""));
        }
        for text in ["", "e2", "e2e9", "e2e4x", "e7e8k", "e7e8p", "e2e2", "e2e4qq", "é2e4"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
