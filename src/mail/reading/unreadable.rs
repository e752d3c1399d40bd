//! What stands where a move should and is none: `15.Bg9`, `my move is Xf3`. It is told to the sender, never skipped.

use super::{
    phrases::Sentence,
    tokens::{Token, Whose},
};
use crate::{chess::notation::written, domain::points::Side, mail::lexicon::Key};
use regex::Regex;
use std::sync::LazyLock;

/// A number with its dots and a word that has the letters of a move.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[\s(,;:])(\d{1,3})\s?(\.{1,4}|\u{2026})\s?([\p{L}♔-♟][\p{L}\d=+#:×x-]{1,7})(?:$|[\s.,;!?)])")
        .expect("a valid pattern")
});
/// A word that has the look of a move: letters and a digit.
static WORD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[\p{L}][\p{L}x:-]{0,4}\d[+#!?]{0,2}$").expect("a valid pattern")
});

/// Finds what should be a move in a sentence that has none.
pub(super) fn of(sentence: &Sentence, place: usize) -> Option<Token> {
    if sentence.tags.has(Key::ConditionIf) || sentence.tags.has(Key::MoveMused) {
        return None;
    }
    if let Some(found) = NUMBERED.captures(&sentence.text) {
        let word = found.get(3)?;
        let mixed = word.as_str().bytes().any(|b| b.is_ascii_digit());
        let piece = word.as_str().chars().count() <= 4
            && word.as_str().starts_with(|c| "KQRBN".contains(c))
            && word.as_str().chars().skip(1).all(|c| "abcdefghx=+#-".contains(c));
        if (mixed || piece) && written::scan(word.as_str()).is_empty() {
            let side = if found[2].len() == 1 { Side::White } else { Side::Black };
            return Some(token(sentence, place, word.range(), found[1].parse().ok(), Some(side)));
        }
    }
    let behind = sentence.tags.all(Key::MoveMine).filter(|r| r.len() > 6).map(|r| r.end).max()?;
    let rest = sentence.plain.get(behind..)?;
    let lead = rest.len() - rest.trim_start_matches([' ', ':']).len();
    let word = rest[lead..].split([' ', ',']).next()?.trim_end_matches(['.', '!', '?']);
    // Places in plain text are those of the text where nothing was respelt.
    let at = behind + lead;
    let range = at..at + word.len();
    let same = sentence.text.get(range.clone()).is_some_and(|text| text.to_lowercase() == word);
    (same && WORD.is_match(word) && written::scan(word).is_empty())
        .then(|| token(sentence, place, range, None, None))
}

fn token(
    sentence: &Sentence,
    place: usize,
    span: std::ops::Range<usize>,
    number: Option<u16>,
    side: Option<Side>,
) -> Token {
    Token {
        text: sentence.text.get(span.clone()).unwrap_or_default().to_owned(),
        number,
        side,
        offers_draw: false,
        weak: false,
        whose: Whose::Open,
        stands: true,
        firm: true,
        alone: true,
        mused: None,
        condition: None,
        corrects: false,
        revoked: false,
        follows: false,
        sentence: place,
        span,
        unreadable: true,
        from: None,
        halves: None,
    }
}
