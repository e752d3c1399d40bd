//! Lines about times: dates of receipt and of sending, days used (`recd 3/4, sent 3/6, used 2/11`). They are known so that
//! they are taken for nothing else: no move, no score, no date of something else.

use super::phrases::Sentence;
use crate::mail::lexicon::Key;
use regex::Regex;
use std::sync::LazyLock;

/// A date without its year, or days of so many.
static FIGURES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b\d{1,2}[/.]\s?\d{1,2}\b|\b\d{1,3} (?:days?|tage?n?|jours?|d[ií]as?|giorni|dagar?|dager|dni|dní|nap|päivää|дн\p{L}+)\b|\b\d{1,2} \p{L}{3,9}\b|\b\p{L}{3,9} \d{1,2}\b")
        .expect("a valid pattern")
});

/// Tells whether a sentence is about times and nothing else, or mostly.
pub(super) fn is_clock(sentence: &Sentence) -> bool {
    let words = sentence.tags.all(Key::Clock).count();
    words >= 2 && FIGURES.is_match(&sentence.plain)
        || words == 1 && sentence.plain.len() <= 40 && FIGURES.is_match(&sentence.plain)
}
