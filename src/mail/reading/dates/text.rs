//! A text in words, numbers and signs, and the words of which days are made.

use super::Calendar;
use crate::mail::lexicon::{self, Word};
use std::ops::Range;

/// Words that are looked at as one phrase: `from the end of`.
const PHRASE: usize = 4;
/// The tokens of a text that are looked at; no sentence has as many.
const TOKENS: usize = 400;

/// A text, taken apart.
pub(super) struct Text<'a> {
    plain: &'a str,
    /// Its words, numbers and signs.
    pub(super) tokens: Vec<Token>,
    /// How its days are meant.
    pub(super) calendar: Calendar,
}

impl<'a> Text<'a> {
    /// Takes plain text apart.
    pub(super) fn of(plain: &'a str, calendar: Calendar) -> Self {
        Self { plain, tokens: tokens(plain), calendar }
    }

    /// Returns what a token is.
    pub(super) fn kind(&self, i: usize) -> Option<Kind> {
        self.tokens.get(i).map(|t| t.kind)
    }

    /// Returns where a token begins.
    pub(super) fn start(&self, i: usize) -> usize {
        self.tokens.get(i).map_or(self.plain.len(), |t| t.at.start)
    }

    /// Tells whether a token is a sign.
    pub(super) fn is_sign(&self, i: usize, sign: char) -> bool {
        self.kind(i) == Some(Kind::Sign(sign))
    }

    /// Tells whether no blank stands before a token.
    pub(super) fn touches(&self, i: usize) -> bool {
        let before = i.checked_sub(1).and_then(|i| self.tokens.get(i));
        before.is_some_and(|before| before.at.end == self.start(i))
    }

    /// Returns the number of a word or phrase that stands at a token, and the token behind it; the longest counts.
    pub(super) fn word(&self, kind: Word, i: usize) -> Option<(u8, usize)> {
        if matches!(self.kind(i)?, Kind::Number { .. } | Kind::Other) {
            return None;
        }
        (i..i + PHRASE).rev().find_map(|last| {
            let end = self.tokens.get(last)?.at.end;
            let number = lexicon::number(kind, self.plain.get(self.start(i)..end)?)?;
            Some((number, last + 1))
        })
    }

    /// Skips words of a kind.
    pub(super) fn behind(&self, kind: Word, mut i: usize) -> usize {
        while let Some((_, next)) = self.word(kind, i) {
            i = next;
        }
        i
    }
}

/// A word, a number or a sign.
pub(super) struct Token {
    /// Where it stands.
    pub(super) at: Range<usize>,
    /// What it is.
    pub(super) kind: Kind,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A number of one, two or four digits.
    Number {
        /// What it says.
        value: u32,
        /// How many digits it has.
        digits: usize,
    },
    /// `1st`, `1er`.
    Ordinal(u32),
    /// Letters.
    Word,
    /// Anything else but a blank.
    Sign(char),
    /// What is no part of a day: a section code, a move.
    Other,
}

fn tokens(plain: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = plain.char_indices().peekable();
    while let Some((start, c)) = rest.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut end = start + c.len_utf8();
        if c.is_alphanumeric() {
            while let Some((at, c)) = rest.peek().copied().filter(|(_, c)| is_inside(*c)) {
                end = at + c.len_utf8();
                rest.next();
                if c == '\'' {
                    break; // `d'août`
                }
            }
        }
        let kind = if c.is_alphanumeric() { kind(&plain[start..end]) } else { Kind::Sign(c) };
        tokens.push(Token { at: start..end, kind });
        if tokens.len() == TOKENS {
            break;
        }
    }
    tokens
}

fn is_inside(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\'' | 'º' | 'ª' | '°')
}

fn kind(word: &str) -> Kind {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = word.split_at(digits);
    let value = number.parse().unwrap_or(0);
    let ordinals = ["st", "nd", "rd", "th", "er", "ère", "e", "º", "ª", "°", "o", "a", "ro", "го"];
    match (digits, rest) {
        (0, _) if word.chars().any(|c| c.is_ascii_digit()) => Kind::Other,
        (0, _) => Kind::Word,
        (1 | 2 | 4, "") => Kind::Number { value, digits },
        (1 | 2, rest) if ordinals.contains(&rest) => Kind::Ordinal(value),
        _ => Kind::Other,
    }
}
