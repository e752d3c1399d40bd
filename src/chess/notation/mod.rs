//! How people write moves. Two halves: [`written::scan`] finds what looks like a move in a line of a mail, and [`read`]
//! tells which legal move of a position a token is. Neither guesses: what could be two moves is [`Unread::Ambiguous`],
//! and what no legal move fits is refused with the reason.
//!
//! Both use one grammar, so that whatever the scanner finds the reader can take apart:
//!
//! | file | forms |
//! |---|---|
//! | `grammar` | `Bg5`, `Ng1-f3`, `exd5`, `ed`, `e2e4`, `5254`, `O-O`, `b8=Q`, `♘f3`, `Sf3` |
//! | `descriptive` | `B-KN5`, `PxP`, `N(B3)-Q4`, `P-K8=Q` |
//! | `words` | `pawn takes d5`, `Springer nach f3`, `castles short`, `b8 promotes to a queen` |
//!
//! A token is parsed into a `said::Said`, which knows no position; `matching` finds the legal moves that fit it, and
//! `why` says in words what is wrong when none does. The letters of the languages are a table in `languages`.

mod descriptive;
mod glyphs;
mod grammar;
mod languages;
mod marks;
mod matching;
mod said;
mod why;
mod words;
pub mod written;

pub use languages::Language;

use super::{Move, Position};

/// Why a token was not read as a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It is a move, but none that is legal. The text says why to the player: part of an English sentence without its
    /// first capital and its full stop, such as `the way from a1 to a5 is blocked`.
    Illegal(String),
    /// It fits several legal moves, or one of which it is not sure that the sender means it.
    Ambiguous(Vec<Move>),
    /// It is no move in any notation.
    NotAMove,
}

/// Reads a move as a player wrote it. Numbers before it and signs behind it do no harm and are not checked here: the
/// scanner tells them. The piece letters are those of the player's registered language, then English; letters that are
/// neither may be of any language, if that makes one legal move.
///
/// # Errors
/// See [`Unread`].
pub fn read(position: &Position, token: &str, language: Option<Language>) -> Result<Move, Unread> {
    let said = written::whole(token).ok_or(Unread::NotAMove)?;
    matching::find(position, &said, language)
}
