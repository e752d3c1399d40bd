//! Postal addresses: the lines or words behind what announces one. A street, a number and a town are all that can be
//! told; the director reads it before he writes it down.

use super::{Said, phrases::Sentence};
use crate::mail::lexicon::{self, Key, Tags};

/// Lines of an address, at most.
const LINES: usize = 6;
/// Its length, at most, in characters.
const LENGTH: usize = 200;

/// Returns the postal address that follows a sentence which announces it, in one line.
pub(super) fn address(sentence: &Sentence, said: &Said<'_>) -> Option<String> {
    let tag = sentence.tags.each(Key::NewAddress).max_by_key(|tag| tag.at.end)?;
    let phrase = sentence.plain.get(tag.at.clone())?;
    let mut lines = said.text.lines();
    let first = lines.find(|line| lexicon::plain(line).contains(phrase))?;
    let behind = behind(first, phrase);
    let more = lines.map(str::trim).skip_while(|line| behind.is_empty() && line.is_empty());
    let more = more.take_while(|line| !line.is_empty() && !closes(line));
    let parts = std::iter::once(behind).chain(more).filter(|part| !part.is_empty()).take(LINES);
    let parts: Vec<&str> = parts.map(|p| p.trim_end_matches([',', ';'])).collect();
    let address = parts.join(", ");
    let address = address.trim_end_matches('.').trim();
    is_address(address).then(|| address.to_owned())
}

/// Returns what of a line belongs to the address: behind a colon, or behind `is`.
fn behind<'a>(line: &'a str, phrase: &str) -> &'a str {
    if let Some((_, rest)) = line.rsplit_once(": ").or_else(|| line.rsplit_once(':')) {
        return rest.trim();
    }
    let words = [" is now ", " is ", " lautet ", " ist ", " est ", " es ", " è ", " é ", " är "];
    let at = lexicon::plain(line).find(phrase).unwrap_or(0);
    let rest = line.get(at..).unwrap_or_default();
    words.iter().find_map(|word| rest.split_once(word)).map_or("", |(_, rest)| rest.trim())
}

fn closes(line: &str) -> bool {
    let plain = lexicon::plain(line);
    let plain = plain.trim_end_matches([',', '.', '!', ' ']);
    Tags::around(plain).each(Key::Closing).any(|t| t.at.start == 0 && plain.len() < 40)
}

/// Tells whether words look like an address: some words, one of them long, and a number; nobody's sentence.
fn is_address(text: &str) -> bool {
    let words: Vec<&str> = text.split([' ', ',']).filter(|w| !w.is_empty()).collect();
    let long = |w: &&&str| w.chars().filter(|c| c.is_alphabetic()).count() >= 4;
    (10..=LENGTH).contains(&text.len())
        && words.len() >= 3
        && text.contains(|c: char| c.is_ascii_digit())
        && words.iter().filter(long).any(|w| w.starts_with(char::is_uppercase))
        && !text.contains(['?', '!', '@'])
}
