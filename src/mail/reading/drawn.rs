//! English words of a draw with others between them, which no list of phrases can hold: `your generous proposal is accepted`,
//! `I hereby offer Ms. Thorne a draw`, `yes to Silas's draw`, `I would like to play a little longer`. Whether they are a
//! statement, `draws.rs` decides.

use super::phrases::Sentence;
use crate::mail::lexicon::{Key, Tags};
use regex::Regex;
use std::{ops::Range, sync::LazyLock};

/// What is offered, accepted or refused.
const THING: &str = r"(?:draw|remis|tablas|offer|proposal|suggestion of peace|peace offer)\b";
/// A word between others.
const WORD: &str = r"(?:[\w.'-]+,? )";

static PATTERNS: LazyLock<Vec<(Key, Regex)>> = LazyLock::new(|| {
    let me = r"\b(?:i|we|i'd|i'll|i'm|i am|hereby|herewith|gladly|and|but|to)\b,? ";
    let patterns = [
        (
            Key::DrawOffer,
            format!(r"{me}{WORD}{{0,3}}(?:offer|propose|suggest) {WORD}{{0,4}}(?:draw|remis)\b"),
        ),
        (Key::DrawAccept, format!(r"{me}{WORD}{{0,3}}(?:accept|agree to) {WORD}{{0,5}}{THING}")),
        (
            Key::DrawAccept,
            format!(r"{me}{WORD}{{0,2}}take (?:the|your|his|her|this|that) {WORD}{{0,2}}{THING}"),
        ),
        (Key::DrawAccept, format!(r"^(?:yes|ok|okay|agreed) to {WORD}{{0,3}}{THING}")),
        (
            Key::DrawAccept,
            format!(
                r"\b(?:your|the|his|her) {WORD}{{0,3}}{THING} {WORD}{{0,9}}i {WORD}{{0,2}}accept\b"
            ),
        ),
        (
            Key::DrawAccept,
            format!(
                r"\b(?:your|the|his|her) {WORD}{{0,3}}{THING} {WORD}{{0,4}}(?:is|hereby) {WORD}{{0,2}}accepted\b"
            ),
        ),
        (
            Key::DrawDecline,
            format!(
                r"\b(?:not|don't|cannot|can't|won't|shan't) {WORD}{{0,3}}(?:accept|take|agree to) {WORD}{{0,5}}{THING}"
            ),
        ),
        (
            Key::DrawDecline,
            format!(r"{me}{WORD}{{0,3}}(?:decline|refuse|reject|turn down) {WORD}{{0,5}}{THING}"),
        ),
        (Key::DrawDecline, format!(r"^no,?(?: thanks?,?(?: you)?,?)?,? to {WORD}{{0,3}}{THING}")),
        (
            Key::DrawDecline,
            format!(
                r"\b(?:your|the|his|her) {WORD}{{0,3}}{THING} {WORD}{{0,9}}(?:i {WORD}{{0,2}}(?:decline|refuse)|is {WORD}{{0,2}}(?:declined|refused))\b"
            ),
        ),
        (Key::DrawDecline, format!(r"\bi accept {WORD}{{1,9}}but not (?:the|a|your) draw\b")),
        (
            Key::DrawDecline,
            format!(
                r"\b(?:i|we|i'd|i'll|let's|let us|let me) {WORD}{{0,4}}(?:(?:play|fight|carry|go|battle|struggle|soldier) (?:on|it out|longer|a (?:little|bit|few|while))|(?:continue|keep) (?:on|playing|fighting|the (?:game|fight)))\b"
            ),
        ),
    ];
    let made = patterns.into_iter();
    made.map(|(key, p)| (key, Regex::new(&p).expect("a valid pattern"))).collect()
});

/// Finds such words in plain text. What asks another to accept (`please accept my offer`) is none.
pub(super) fn words(plain: &str) -> Vec<(Key, Range<usize>)> {
    // Most sentences speak of nothing of the kind, and to tell that is quick.
    const STEMS: [&str; 8] =
        ["draw", "remis", "offer", "propos", "play", "fight", "continue", "go on"];
    if !STEMS.iter().any(|stem| plain.contains(stem)) {
        return Vec::new();
    }
    let found = PATTERNS.iter().filter_map(|(key, pattern)| {
        let found = pattern.find(plain)?;
        (!is_other(*key, found.as_str(), &plain[..found.start()])).then(|| (*key, found.range()))
    });
    found.collect()
}

/// Tells whether what was found is a request, a thought, an answer to an offer, or past.
fn is_other(key: Key, words: &str, before: &str) -> bool {
    let has = |list: &[&str]| list.iter().any(|word| super::phrases::has(words, word));
    match key {
        Key::DrawOffer => has(&[
            "your", "the", "his", "her", "an", "accept", "not", "no", "never", "if", "he", "she",
        ]),
        Key::DrawAccept => {
            let words = words.replace("would like", "like");
            has(&["my", "you to", "he", "she"])
                || Tags::of(&words).has(Key::DrawThought)
                || has(&["will maybe", "perhaps", "would consider"])
        }
        _ => ["did ", "didn't ", "had "].iter().any(|word| before.ends_with(word)),
    }
}

/// Tells whether a text speaks of a draw at all, so that playing on refuses one.
pub(super) fn is_matter(plain: &str) -> bool {
    const WORDS: [&str; 7] = ["draw", "remis", "offer", "propos", "asking", "tablas", "tempting"];
    // `withdraw` is none of them.
    let begins = |word: &str| plain.starts_with(word) || plain.contains(&format!(" {word}"));
    WORDS.iter().any(|word| begins(word))
}

/// Tells whether little stands beside the words of a draw: moves, names, thanks.
pub(super) fn stands_alone(sentence: &Sentence) -> bool {
    let phrases: Vec<Range<usize>> = sentence.tags.all(Key::DrawSign).collect();
    let mut rest = String::new();
    let mut at = 0;
    for range in &phrases {
        rest.push_str(sentence.plain.get(at..range.start).unwrap_or_default());
        at = at.max(range.end);
    }
    rest.push_str(sentence.plain.get(at..).unwrap_or_default());
    let asks = Tags::of(&rest).has(Key::DrawAsking);
    let words = rest.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let words = words.filter(|w| w.chars().count() > 2 && !w.bytes().any(|b| b.is_ascii_digit()));
    !asks && words.count() <= 5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_do_not_hide_a_draw() {
        for (text, key) in [
            ("your generous proposal is accepted with thanks", Some(Key::DrawAccept)),
            ("yes to silas's draw, and tell him so", Some(Key::DrawAccept)),
            (
                "your offer of the draw from the move 10.qa6 i accept with pleasure",
                Some(Key::DrawAccept),
            ),
            ("i hereby offer ms. thorne a draw", Some(Key::DrawOffer)),
            ("i would like to play a little longer", Some(Key::DrawDecline)),
            ("no thank you to the draw, silas", Some(Key::DrawDecline)),
            ("please accept my draw offer", None),
            ("i ask you to accept my offer", None),
            ("he offered a draw", None),
        ] {
            assert_eq!(words(text).first().map(|(key, _)| *key), key, "{text}");
        }
    }
}
