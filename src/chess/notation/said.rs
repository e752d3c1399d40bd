//! What a token says of a move before any position is asked: the output of the grammars, the input of the matching.

use cozy_chess::{File, Piece, Rank, Square};

/// A move as it was said.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Said {
    /// Castling; no wing if none was named.
    Castling(Option<Wing>),
    /// A move by squares.
    Plain(Plain),
    /// A move in English descriptive notation, or a capture told by its pieces alone.
    Descriptive(Descriptive),
}

/// A side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wing {
    /// The side of the h-file.
    King,
    /// The side of the a-file.
    Queen,
}

/// The man that moves, or that a pawn becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Man {
    /// None is named: two squares tell enough.
    Any,
    /// A pawn, by the form alone.
    Pawn,
    /// A figurine or a word.
    Piece(Piece),
    /// A letter, to be read by language.
    Letter(Letter),
}

/// The letter of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letter {
    /// As the table of languages has it.
    pub(super) text: &'static str,
    /// Whether it was written small.
    pub(super) small: bool,
}

/// What is said of a square: all, a part, nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: Option<File>,
    pub(super) rank: Option<Rank>,
}

impl Place {
    pub(super) fn square(square: Square) -> Self {
        Self { file: Some(square.file()), rank: Some(square.rank()) }
    }

    pub(super) fn fits(self, square: Square) -> bool {
        self.file.is_none_or(|file| file == square.file())
            && self.rank.is_none_or(|rank| rank == square.rank())
    }

    /// Returns the square, if all of it is said.
    pub(super) fn whole(self) -> Option<Square> {
        Some(Square::new(self.file?, self.rank?))
    }
}

/// A move by squares.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plain {
    pub(super) man: Man,
    pub(super) from: Place,
    pub(super) to: Place,
    /// Whether a capture was said.
    pub(super) takes: bool,
    /// What is taken, if that was said.
    pub(super) taken: Option<Piece>,
    pub(super) promotion: Option<Man>,
    /// Whether taking in passing was said.
    pub(super) passing: bool,
    /// Whether the squares are in capitals, so that capitals tell nothing.
    pub(super) capitals: bool,
}

impl Plain {
    pub(super) fn new(man: Man, from: Place, to: Place) -> Self {
        Self {
            man,
            from,
            to,
            takes: false,
            taken: None,
            promotion: None,
            passing: false,
            capitals: false,
        }
    }
}

/// A move in descriptive notation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Descriptive {
    pub(super) mover: Named,
    pub(super) goal: Goal,
    pub(super) promotion: Option<Piece>,
    pub(super) passing: bool,
    /// Whether a check was said: descriptive notation tells moves apart by it.
    pub(super) check: bool,
}

/// A piece by its name: `N`, `QN`, `N(B3)`, `KBP`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    pub(super) piece: Piece,
    /// Whose side it belongs to.
    pub(super) wing: Option<Wing>,
    /// Of a pawn: the piece on whose file it stands.
    pub(super) file_of: Option<Piece>,
    /// Where it stands.
    pub(super) at: Option<Spot>,
}

/// A square by the piece whose file it is on, from the side of the mover: `B3`, `KB3`, or a rank alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) wing: Option<Wing>,
    pub(super) file_of: Option<Piece>,
    pub(super) rank: Rank,
}

/// Where a move in descriptive notation goes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Goal {
    /// To a square.
    To(Spot),
    /// To where a piece of the opponent stands.
    Takes(Named),
}
