//! The words before, between and behind the moves of a sentence, and what they say of the move beside them: that it is the
//! sender's own, denied, put off, under a condition. What that makes of the move, `tokens.rs` decides.

use super::{Said, phrases::plain};
use crate::mail::lexicon::{Key, Tags};
use std::ops::Range;

/// The text between two moves.
pub(super) struct Gap {
    /// As it stands.
    pub(super) text: String,
    /// In plain spelling.
    pub(super) plain: String,
    /// Its phrases.
    pub(super) tags: Tags,
    /// Where its last clause begins.
    pub(super) clause: usize,
}

impl Gap {
    pub(super) fn of(text: &str) -> Self {
        // The plain text is trimmed; a blank keeps `if` and the move apart.
        let plain = plain(text);
        let tail = plain.trim_end_matches([':', '-', ' ', '"', '*', '=', '>', '\'']);
        let clause = tail.rfind([',', ';', '(', ')', '!', '?', ':']).map_or(0, |at| at + 1);
        let clause =
            if tail.ends_with([',', ';', '(', '!', '?', ')']) { tail.len() } else { clause };
        Self { text: text.to_owned(), tags: Tags::of(&plain), clause, plain }
    }

    /// Tells whether a phrase stands in the last clause.
    pub(super) fn says(&self, key: Key) -> bool {
        self.tags.all(key).any(|range| range.start >= self.clause)
    }

    /// Tells whether a phrase of the last clause stands right before the move, with no more than a few words between.
    pub(super) fn leads(&self, key: Key, words: usize) -> bool {
        self.tags.all(key).any(|range| {
            let rest = &self.plain[range.end..];
            let words = if key == Key::MoveMine && range.len() <= 4 { 0 } else { words };
            range.start >= self.clause && letters_in(rest) <= words
        })
    }

    /// Tells whether its words deny what follows; before a colon only where they stand next to it.
    pub(super) fn denies(&self) -> bool {
        let words = if self.ends_in_colon() { 1 } else { usize::MAX };
        self.leads(Key::MoveDenied, words)
    }

    pub(super) fn ends_in_colon(&self) -> bool {
        self.plain.trim_end_matches(['*', ' ', '"']).ends_with(':')
    }

    /// Tells whether a phrase stands right behind the move.
    pub(super) fn opens(&self, key: Key, words: usize) -> bool {
        self.tags.all(key).any(|range| {
            let before = &self.plain[..range.start];
            letters_in(before) <= words && !before.contains(['.', ';', '!'])
        })
    }

    /// Tells whether a condition without a move stands behind: `only if you confirm`.
    pub(super) fn hangs(&self, last: bool) -> bool {
        let open = self.tags.all(Key::ConditionIf).last().map(|range| range.end);
        let long = open.is_some_and(|end| letters_in(&self.plain[end..]) > super::tokens::NEAR + 1);
        let linked = self.opens(Key::DrawLinked, 0);
        (linked || last && long && self.opens(Key::ConditionIf, 0))
            && !self.tags.has(Key::ConditionPolite)
    }

    /// Tells whether words right behind deny the move or put it off: `15.Bg5 tomorrow`.
    pub(super) fn puts_off(&self) -> bool {
        self.tags.all(Key::MoveDenied).any(|range| range.start == 0)
    }

    /// Tells whether it ends in a colon and says what the move is for: `Game with Reuben Kesler:`, `but I play on:`.
    pub(super) fn is_label(&self, said: &Said<'_>) -> bool {
        let colon = self.ends_in_colon();
        let named = || super::blocks::names(&super::game::Clues::of(&self.text, said), said);
        colon && !self.tags.has(Key::MoveTold) && (letters_in(&self.plain) > 3 || named())
    }

    /// Returns the text up to the first sign that ends a clause.
    pub(super) fn first_clause(&self) -> &str {
        let end =
            self.plain.find([',', ';', '.', '!', '?', '(', ')', ':']).unwrap_or(self.plain.len());
        self.plain.get(..end).unwrap_or_default()
    }

    /// Tells whether what follows a move goes on from it: with a sign, with `and`, in a script of its own.
    pub(super) fn goes_on(&self) -> bool {
        let first = self.plain.chars().find(|c| !c.is_whitespace());
        let sign =
            first.is_none_or(|c| !c.is_alphanumeric() || ('\u{2e80}'..='\u{ffdc}').contains(&c));
        sign || self.opens(Key::MoveGoesOn, 0)
            || self.opens(Key::ConditionIf, 0)
            || self.opens(Key::DrawOffer, 0)
            || self.opens(Key::DrawSign, 0)
    }

    /// Returns where the last phrase of a meaning begins that has the move in its reach.
    pub(super) fn last(&self, key: Key, words: usize) -> Option<usize> {
        let tags = self.tags.all(key).filter(|r| letters_in(&self.plain[r.end..]) <= words);
        tags.map(|range| range.start).last()
    }
}

/// Counts the words of a text.
pub(super) fn letters_in(text: &str) -> usize {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '\''))
        .count()
}

/// Tells whether a bracket is open before a move.
pub(super) fn is_bracketed(text: &str, span: &Range<usize>) -> bool {
    let before = text.get(..span.start).unwrap_or_default();
    before.matches('(').count() > before.matches(')').count()
}
