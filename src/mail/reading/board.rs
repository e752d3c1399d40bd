//! A game as a reading of moves needs it: the positions before each of its moves, the sender's side and language, and what
//! a token is there. What the tokens of a text come to, `played.rs` tells.

use super::tokens::Token;
use crate::{
    chess::{
        Move, Position, Record,
        notation::{self, Language, Unread},
    },
    domain::points::Side,
};

/// A game as a reading of moves needs it.
pub(super) struct Board<'a> {
    /// Its moves.
    pub(super) record: &'a Record,
    /// The sender's side; none where the sender does not play in it.
    pub(super) me: Option<Side>,
    /// Whether it is over.
    pub(super) over: bool,
    /// The sender's language, where the books have it.
    language: Option<Language>,
    /// Languages that the words of the mail show.
    shown: &'a [Language],
    /// The positions before each move of the books and after the last.
    positions: Vec<Position>,
}

impl<'a> Board<'a> {
    /// Sets up a game.
    pub(super) fn new(
        record: &'a Record,
        me: Option<Side>,
        over: bool,
        language: Option<Language>,
        shown: &'a [Language],
    ) -> Self {
        let mut position = record.start();
        let mut positions = Vec::with_capacity(record.len() + 1);
        for it in record.moves() {
            positions.push(position.clone());
            position.play(*it);
        }
        positions.push(position);
        Self { record, me, over, language, shown, positions }
    }

    /// Returns how many moves the books have.
    pub(super) fn len(&self) -> usize {
        self.record.len()
    }

    pub(super) fn to_move(&self) -> Side {
        self.record.next_side()
    }

    /// Tells whether the sender is to move. Of a stranger nobody knows; the move is read for whoever is.
    pub(super) fn mine_to_move(&self) -> bool {
        self.me.is_none_or(|me| me == self.to_move())
    }

    /// Returns the sender's language.
    pub(super) const fn language(&self) -> Option<Language> {
        self.language
    }

    /// Tells whether a token repeats one of the last moves of the books, by its number or without one.
    pub(super) fn is_known(&self, token: &Token) -> bool {
        let len = self.len();
        match (token.number, token.side) {
            (Some(number), Some(side)) => {
                let ply = Self::ply(number, side);
                ply < len && self.is_book(ply, token)
            }
            _ => (len.saturating_sub(2)..len).any(|ply| self.is_book(ply, token)),
        }
    }

    /// Returns the position before a move of the game.
    pub(super) fn before(&self, ply: usize) -> Option<&Position> {
        self.positions.get(ply)
    }

    /// Reads a token where it is to be played.
    pub(super) fn read(&self, position: &Position, token: &Token) -> Result<Move, Unread> {
        let read = notation::read(position, &token.text, self.language);
        match (&read, &token.from) {
            (Err(Unread::Ambiguous(moves)), Some(from)) => {
                let mut told = moves.iter().filter(|it| it.uci().starts_with(from.as_str()));
                match (told.next(), told.next()) {
                    (Some(only), None) => Ok(*only),
                    _ => read,
                }
            }
            _ => read,
        }
    }

    /// Reads a token that is no legal move in the player's language and in English with the letters of the languages
    /// that the mail is written in: `Ng5` is a bishop's move of a Romanian.
    pub(super) fn foreign(&self, position: &Position, token: &Token) -> Option<(Move, Language)> {
        let read = |l: &Language| Some((notation::read(position, &token.text, Some(*l)).ok()?, *l));
        let mut found: Vec<(Move, Language)> = self.shown.iter().filter_map(read).collect();
        found.dedup_by_key(|(it, _)| *it);
        match found[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Reads a move once more with the letters of the one language that the mail is written in, where English words are
    /// not: `Pc3` is a pawn's move in English, and a knight's in Dutch, which writes no letter for a pawn.
    pub(super) fn in_its_language(
        &self,
        position: &Position,
        token: &Token,
        read: Move,
    ) -> (Move, Option<String>) {
        if self.language.is_some() || self.shown.contains(&Language::ENGLISH) {
            return (read, None);
        }
        match self.foreign(position, token) {
            Some((it, _)) if it != read && token.text.starts_with('P') => (it, None),
            Some((it, language)) if it != read => {
                let doubt =
                    format!("with the letters of `{}` it is {}", language.code(), position.san(it));
                (read, Some(doubt))
            }
            _ => (read, None),
        }
    }

    /// Tells whether a token is the move that the books have at a place.
    pub(super) fn is_book(&self, ply: usize, token: &Token) -> bool {
        let (Some(position), Some(it)) = (self.before(ply), self.record.moves().get(ply)) else {
            return false;
        };
        match self.read(position, token) {
            Ok(read) => read == *it,
            // What somebody repeats may be short of a letter: the books know which it was.
            Err(Unread::Ambiguous(moves)) => moves.contains(it),
            Err(_) => false,
        }
    }

    /// Returns the place of a move in the game by its number and side.
    pub(super) fn ply(number: u16, side: Side) -> usize {
        (usize::from(number.max(1)) - 1) * 2 + usize::from(side == Side::Black)
    }

    /// Returns a place in the game in words: `15...`.
    pub(super) fn place(ply: usize) -> String {
        format!("{}{}", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "..." })
    }

    /// Returns the position on the board in words: `after 14...Nf6`.
    pub(super) fn standing(&self) -> String {
        self.record.last().map_or_else(|| "at the start".to_owned(), |last| format!("after {last}"))
    }
}

/// Returns why a token is no move of a position, in words.
pub(super) fn words(why: &Unread, position: &Position) -> String {
    match why {
        Unread::Illegal(why) => why.clone(),
        Unread::Ambiguous(moves) => {
            let moves: Vec<String> = moves.iter().map(|it| position.san(*it)).collect();
            format!("it may be {}", moves.join(" or "))
        }
        Unread::NotAMove => "it is no move in a notation that is known here".to_owned(),
    }
}
