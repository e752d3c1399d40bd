//! The signs and words behind a move: check, mate, praise and blame, and the equals sign that offers a draw. None of
//! them decides what the move is.

use super::glyphs::Cursor;

/// What stood behind a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    /// A check or mate was said.
    pub(super) check: bool,
    /// The sign that offers a draw.
    pub(super) offers_draw: bool,
}

/// Words for check and mate, each a whole word, the longer of two that begin alike first.
const WORDS: [&str; 34] = [
    "discovered check",
    "disc. ch.",
    "disc ch",
    "disc.ch",
    "double check",
    "dis. ch.",
    "dis ch",
    "disch",
    "dis.ch",
    "dbl. ch.",
    "dbl ch",
    "dblch",
    "dbl.ch",
    "checkmate",
    "check",
    "chk",
    "ch",
    "mate",
    "matt",
    "mat",
    "matto",
    "schachmatt",
    "schach",
    "scacco",
    "échec",
    "echec",
    "jaque",
    "xeque",
    "schaak",
    "skak",
    "sjakk",
    "schack",
    "šach",
    "шах",
];

/// Steps over everything behind a move that belongs to it.
pub(super) fn eat(cursor: &mut Cursor<'_>) -> Marks {
    let mut marks = Marks::default();
    loop {
        if cursor.eat(&['+', '#', '†', '‡', '＋']) {
            marks.check = true;
        } else if cursor.eat(&['!', '?', '‼', '⁇', '⁈', '⁉', '±', '∓', '⩲', '⩱']) || novelty(cursor)
        {
            // Praise and blame say nothing of the move.
        } else if word(cursor) {
            marks.check = true;
        } else if draw_sign(cursor) {
            marks.offers_draw = true;
        } else {
            return marks;
        }
    }
}

/// A word for check, glued to the move or behind a blank or a comma.
fn word(cursor: &mut Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    ahead.eat(&[',']);
    ahead.blanks(2);
    let bracket = ahead.eat(&['(']);
    if !ahead.peek(0).is_some_and(char::is_alphabetic) {
        return false;
    }
    let ends = |there: &Cursor<'_>| !there.peek(0).is_some_and(char::is_alphanumeric);
    let found = WORDS.iter().find_map(|word| {
        let mut there = ahead;
        (there.eat_text(word) && ends(&there)).then_some(there)
    });
    let Some(mut found) = found else { return false };
    if bracket && !found.eat(&[')']) {
        return false;
    }
    // The dot of `ch.` is its own, unless it ends the sentence: then it does no harm either.
    *cursor = found;
    true
}

/// `N`, a new move in the words of the theorists.
fn novelty(cursor: &mut Cursor<'_>) -> bool {
    let alone = !cursor.peek(1).is_some_and(|next| next.is_alphanumeric() || next == '-');
    alone && cursor.eat(&['N'])
}

/// `=`, `(=)`. Together with a plus it judges the position, and offers nothing.
fn draw_sign(cursor: &mut Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    let before = ahead.before(0);
    let blank = ahead.blanks(1) > 0;
    let bracket = ahead.eat(&['(']);
    let sign = ahead.eat(&['=']);
    let closed = !bracket || ahead.eat(&[')']);
    let judged = ahead.peek(0).is_some_and(|next| matches!(next, '+' | '=' | '∞'))
        || (!blank && !bracket && before.is_some_and(|sign| matches!(sign, '+' | '-')));
    let mut beyond = ahead;
    let parted = beyond.blanks(1) > 0;
    let next = beyond.peek(0);
    // `Nf3 = better` is prose.
    let prose = next.is_some_and(char::is_alphanumeric) && (!parted || (blank && !bracket));
    if !sign || !closed || judged || prose {
        return false;
    }
    *cursor = ahead;
    true
}

#[cfg(test)]
mod tests {
    use super::{super::glyphs::Glyphs, *};

    fn marks(text: &str) -> (Marks, usize) {
        let glyphs = Glyphs::of(text);
        let mut cursor = glyphs.start();
        (eat(&mut cursor), cursor.at)
    }

    #[test]
    fn a_check_may_be_a_sign_or_a_word() {
        for text in
            ["+", "++", "#", "ch", " ch", "ch.", ", check", " dbl ch", " mate", "+!?", "‡", "(ch)"]
        {
            assert!(marks(text).0.check, "{text}");
        }
        for text in ["!", "?", "!?", " checked", " chess", "N", ""] {
            assert!(!marks(text).0.check, "{text}");
        }
    }

    #[test]
    fn an_equals_sign_offers_a_draw_unless_it_judges() {
        for text in ["=", " =", "(=)", " (=)", "+ =", "!=", " = "] {
            assert!(marks(text).0.offers_draw, "{text}");
        }
        for text in ["+=", "=+", " = better", "=0.00", "", "(", "(="] {
            assert!(!marks(text).0.offers_draw, "{text}");
        }
    }
}
