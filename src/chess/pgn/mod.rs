//! Games as text (PGN): read as they come from the field, written in strict export format.
//!
//! Reading is forgiving about everything around the moves and about nothing in them: the first token that cannot be
//! read stops it, and is named. What a record means for a game of ours, and whether to believe it, is not decided here.
//!
//! | file | what it is |
//! |---|---|
//! | `read` | where in a text records begin, and in which language they are |
//! | `tags` | the lines `[White "Hale"]`, with notes beside them, unescaped quotes and strange dates |
//! | `moves` | the moves of one record; where they end |
//! | `tokens` | comments, variations, numbers, results and words of a text of moves |
//! | `words` | what is glued to a word |
//! | `remarks` | what comments say of offers, agreements and resignations |
//! | `write` | the strict export format |

mod moves;
mod read;
mod remarks;
mod score;
mod tags;
mod tokens;
mod words;
mod write;

pub use read::{read, read_in, rest};
pub use score::Score;
pub use write::write;

use super::{Move, Record, Side};
use chrono::NaiveDate;
use std::ops::Range;

/// The record of one game, as it stands in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pgn {
    /// Names and values of the tags, in order.
    pub tags: Vec<(String, String)>,
    /// The moves that could be read, and the position they lead to.
    pub record: Record,
    /// The result at the end of the moves; none where that is `*` or missing.
    pub result: Option<Score>,
    /// The result that the tag gives; none where that is `*`, missing or no result. The two may differ.
    pub tag_result: Option<Score>,
    /// Where the reading stopped before the end of the moves, if it did. Nothing behind it was read.
    pub unread: Option<Stop>,
    /// What people wrote between the moves, each with the count of moves before it. Clock times are left out.
    pub comments: Vec<(usize, String)>,
    /// Whether a `=` stands behind the last move, the sign of an offer.
    pub draw_sign: bool,
    /// The bytes of the text that the record takes up. Behind a token that could not be read it goes on to the end of
    /// the moves.
    pub span: Range<usize>,
}

/// Where the reading of a record stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// How many moves were read before it.
    pub ply: usize,
    /// What stands there.
    pub token: String,
    /// Why it could not be read: part of an English sentence, without its first capital and its full stop.
    pub why: String,
}

/// How a record goes with the moves that are in the books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Continuation {
    /// It has all moves of the books and these behind them.
    New(Vec<Move>),
    /// It has the moves of the books.
    Same,
    /// It has the first moves of the books and lacks the last ones.
    Behind,
    /// It has another move than the books.
    Differs {
        /// How many moves are the same before it.
        ply: usize,
    },
}

impl Pgn {
    /// Makes the record of a game, to be written.
    pub fn of(tags: Vec<(String, String)>, record: Record, result: Option<Score>) -> Self {
        Self { tags, record, result, tag_result: result, ..Self::default() }
    }

    /// Returns the moves that could be read.
    pub fn moves(&self) -> &[Move] {
        self.record.moves()
    }

    /// Returns the moves that could be read, in standard notation.
    pub fn sans(&self) -> Vec<String> {
        self.record.sans()
    }

    /// Returns the value of a tag; none where it is missing, empty or unknown (`?`).
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found
            .map(|(_, value)| value.trim())
            .filter(|value| !value.trim_matches(['?', '-']).is_empty())
    }

    /// Returns the name of the player of a side, without the year of birth that some servers add.
    pub fn player(&self, side: Side) -> Option<&str> {
        let name = match side {
            Side::White => self.tag("White"),
            Side::Black => self.tag("Black"),
        };
        name.map(|name| name.split("(*").next().unwrap_or(name).trim())
    }

    /// Returns the name of the player of White.
    pub fn white(&self) -> Option<&str> {
        self.player(Side::White)
    }

    /// Returns the name of the player of Black.
    pub fn black(&self) -> Option<&str> {
        self.player(Side::Black)
    }

    /// Returns the day on which the game began. Where day and month could be either, the month is the first of them.
    pub fn date(&self) -> Option<NaiveDate> {
        tags::date(self.tag("Date")?)
    }

    /// Tells whether a draw is offered with the last move.
    pub fn offers_draw(&self) -> bool {
        self.draw_sign || self.last_comments().any(remarks::offers)
    }

    /// Returns the side that a comment behind the last move says to have resigned, where the result does not say
    /// otherwise.
    pub fn resigned(&self) -> Option<Side> {
        let side = self.last_comments().find_map(remarks::resigns)?;
        let score = self.result.or(self.tag_result);
        score.is_none_or(|score| score == Score::win(side.other())).then_some(side)
    }

    /// Tells whether a comment behind the last move says that a draw was agreed, and no result says otherwise.
    pub fn agreed(&self) -> bool {
        let score = self.result.or(self.tag_result);
        score.is_none_or(|score| score == Score::Draw) && self.last_comments().any(remarks::agrees)
    }

    /// Tells whether the tag and the end of the moves both give a result, and not the same one.
    pub fn results_differ(&self) -> bool {
        self.result.zip(self.tag_result).is_some_and(|(end, tag)| end != tag)
    }

    /// Tells how the moves that were read go with those of the books.
    pub fn continues(&self, books: &Record) -> Continuation {
        let (ours, theirs) = (books.moves(), self.moves());
        if books.start() != self.record.start() {
            return Continuation::Differs { ply: 0 };
        }
        let same = ours.iter().zip(theirs).take_while(|(ours, theirs)| ours == theirs).count();
        match (same == ours.len(), same == theirs.len()) {
            (true, true) => Continuation::Same,
            (true, false) => Continuation::New(theirs.iter().skip(same).copied().collect()),
            (false, true) => Continuation::Behind,
            (false, false) => Continuation::Differs { ply: same },
        }
    }

    fn last_comments(&self) -> impl Iterator<Item = &str> {
        let last = self.record.len();
        let at_end = self.comments.iter().filter(move |(ply, _)| *ply == last);
        at_end.map(|(_, text)| text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Pgn {
        let mut all = read(text);
        assert_eq!(all.len(), 1, "{text}: {all:?}");
        all.remove(0)
    }

    #[test]
    fn a_record_is_held_against_the_books() {
        let books = one("1. e4 e5 2. Nf3 Nc6 *").record;
        let said = |text: &str| one(text).continues(&books);
        assert_eq!(said("1. e4 e5 2. Nf3 Nc6"), Continuation::Same);
        assert_eq!(said("1. e4 e5 2. Nf3"), Continuation::Behind);
        assert_eq!(said("1. e4 e5 2. Bc4 Nc6"), Continuation::Differs { ply: 2 });
        let new = Continuation::New(vec!["f1b5".parse().expect("a move")]);
        assert_eq!(said("1. e4 e5 2. Nf3 Nc6 3. Bb5"), new);
        let elsewhere = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *";
        assert_eq!(said(elsewhere), Continuation::Differs { ply: 0 });
    }

    #[test]
    fn comments_behind_the_last_move_say_how_it_stands() {
        let said =
            |end: &str| one(&format!("[Event \"x\"]\n\n1. e4 {{we draw}} e5 2. Nf3 {end}\n"));
        assert!(said("{White offers a draw} *").offers_draw());
        assert!(one("[Event \"x\"]\n\n1. e4 e5 2. Nf3= *").offers_draw());
        assert!(!one("[Event \"x\"]\n\n1. e4= e5 2. Nf3 *").offers_draw());
        assert!(said("= *").offers_draw() && said("(=)").offers_draw());
        assert!(!said("{I considered a draw} *").offers_draw());
        assert!(!one("1. e4 e5 2. Nf3 {White offers a draw} Nc6 *").offers_draw());
        assert_eq!(said("{Black resigns} 1-0").resigned(), Some(Side::Black));
        assert_eq!(said("1-0 {Black resigns}").resigned(), Some(Side::Black));
        assert_eq!(said("{White resigns} 1-0").resigned(), None);
        assert_eq!(said("{if Rxh7, Black resigns} *").resigned(), None);
        assert!(said("{Draw agreed} 1/2-1/2").agreed());
        assert!(!said("{Draw agreed} 1-0").agreed());
    }

    #[test]
    fn names_and_dates_come_out_of_the_tags() {
        let said =
            one("[White \"Hale, Tom (*1960)\"]\n[Black \"?\"]\n[Date \"10.15.2016\"]\n\n*\n");
        assert_eq!((said.white(), said.black()), (Some("Hale, Tom"), None));
        assert_eq!(said.date(), NaiveDate::from_ymd_opt(2016, 10, 15));
    }
}
