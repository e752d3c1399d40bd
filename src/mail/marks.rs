//! Phrases that mark a line or a subject for what it is: the beginning of a quotation, a footer, an automatic answer.
//! They are phrases of the lexicon that mean nothing in the middle of a sentence, so lines are compared with them from
//! their beginning. A star in a phrase stands for anything; a phrase that begins with one is found anywhere.

use super::lexicon::{self, Key};
use aho_corasick::AhoCorasick;

/// The longest beginning of a line that is compared with phrases, in characters.
const BEGINNING: usize = 120;

/// The phrases of some meanings, to compare lines with.
#[derive(Debug)]
pub(super) struct Marks {
    /// Whole phrases, sorted.
    phrases: Vec<&'static str>,
    /// The phrases that a line may begin with, by their first two characters.
    begin: Vec<([char; 2], Pattern)>,
    /// The phrases that may stand anywhere, where there are any.
    anywhere: Option<AhoCorasick>,
    /// Whether all of those have letters that plain ASCII has not.
    foreign: bool,
}

/// The pieces of a phrase between its stars.
#[derive(Debug)]
struct Pattern {
    first: &'static str,
    rest: Vec<&'static str>,
}

impl Marks {
    /// Collects the phrases of some meanings in all languages.
    pub(super) fn of(keys: &[Key]) -> Self {
        let mut phrases: Vec<_> =
            keys.iter().flat_map(|key| lexicon::list(*key)).map(|(_, phrase)| phrase).collect();
        phrases.sort_unstable();
        phrases.dedup();
        let (mut begin, mut anywhere) = (Vec::new(), Vec::new());
        for phrase in &phrases {
            let mut pieces = phrase.split('*').map(str::trim);
            let first = pieces.next().unwrap_or_default();
            let pattern = Pattern { first, rest: pieces.collect() };
            match start_of(first) {
                Some(start) => begin.push((start, pattern)),
                None => anywhere.extend(pattern.rest.first().copied()),
            }
        }
        begin.sort_by_key(|(start, _)| *start);
        let foreign = anywhere.iter().all(|phrase| !phrase.is_ascii());
        let anywhere = (!anywhere.is_empty())
            .then(|| AhoCorasick::new(&anywhere).expect("phrases make an automaton"));
        Self { phrases, begin, anywhere, foreign }
    }

    /// Tells whether some words are one of the phrases, in any case.
    pub(super) fn is(&self, words: &str) -> bool {
        let known = start_of(words.trim_start()).is_some_and(|s| !self.starting(s).is_empty());
        known && self.phrases.binary_search(&lexicon::plain(words).as_str()).is_ok()
    }

    /// Tells whether a line begins with one of the phrases, in any case.
    pub(super) fn begins(&self, line: &str) -> bool {
        self.beginning(line).is_some()
    }

    /// Tells whether a line begins with one of the phrases as whole words.
    pub(super) fn begins_word(&self, line: &str) -> bool {
        let Some(plain) = self.candidate(line) else { return false };
        self.fitting(&plain).any(|p| {
            let after = plain[p.first.len()..].chars().next();
            after.is_none_or(|c| !c.is_alphanumeric() || !p.first.ends_with(|l: char| l.is_ascii()))
        })
    }

    /// Returns the plain beginning of a line, where it begins with one of the phrases.
    pub(super) fn beginning(&self, line: &str) -> Option<String> {
        let plain = self.candidate(line)?;
        let found = self.fitting(&plain).next().is_some()
            || self.anywhere.as_ref().is_some_and(|anywhere| anywhere.is_match(plain.as_str()));
        found.then_some(plain)
    }

    /// Tells whether one of the phrases stands anywhere in plain text.
    pub(super) fn within(&self, plain: &str) -> bool {
        self.phrases.iter().any(|phrase| plain.contains(phrase))
    }

    /// Returns the plain beginning of a line unless its first characters already rule every phrase out.
    fn candidate(&self, line: &str) -> Option<String> {
        let line = line.trim_start();
        let start = start_of(line)?;
        let anywhere = self.anywhere.is_some() && !(self.foreign && line.is_ascii());
        let may = anywhere || !self.starting(start).is_empty();
        may.then(|| {
            let end = line.char_indices().nth(BEGINNING).map_or(line.len(), |(at, _)| at);
            lexicon::plain(&line[..end])
        })
    }

    fn starting(&self, start: [char; 2]) -> &[([char; 2], Pattern)] {
        let from = self.begin.partition_point(|(s, _)| *s < start);
        let to = self.begin.partition_point(|(s, _)| *s <= start);
        &self.begin[from..to]
    }

    fn fitting<'a>(&'a self, plain: &'a str) -> impl Iterator<Item = &'a Pattern> {
        let starting = start_of(plain).map(|start| self.starting(start)).unwrap_or_default();
        starting
            .iter()
            .map(|(_, pattern)| pattern)
            .filter(|p| plain.strip_prefix(p.first).is_some_and(|rest| in_order(&p.rest, rest)))
    }
}

/// Returns the first two characters in lower case, a blank for the second of a single one.
fn start_of(text: &str) -> Option<[char; 2]> {
    let lower = |c: char| {
        if c.is_ascii() { c.to_ascii_lowercase() } else { c.to_lowercase().next().unwrap_or(c) }
    };
    let mut chars = text.chars().map(lower);
    let first = chars.next()?;
    Some([first, chars.next().filter(|c| !c.is_whitespace()).unwrap_or(' ')])
}

/// Tells whether pieces stand in a text one after the other.
fn in_order(pieces: &[&str], mut text: &str) -> bool {
    pieces.iter().all(|piece| match text.find(piece) {
        Some(at) => {
            text = &text[at + piece.len()..];
            true
        }
        None => false,
    })
}

/// Phrases that are looked for anywhere in a text as it stands, all in one pass.
#[derive(Debug)]
pub(super) struct Finder {
    automaton: AhoCorasick,
    /// What each pattern means, and its phrase.
    phrases: Vec<(Key, &'static str)>,
}

impl Finder {
    /// Collects the phrases of some meanings in all languages.
    pub(super) fn of(keys: &[Key]) -> Self {
        let phrases =
            keys.iter().flat_map(|key| lexicon::list(*key).map(move |(_, phrase)| (*key, phrase)));
        let (spelt, phrases): (Vec<String>, Vec<_>) = phrases
            .flat_map(|found| spellings(found.1).into_iter().map(move |spelt| (spelt, found)))
            .unzip();
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(spelt)
            .expect("phrases make an automaton");
        Self { automaton, phrases }
    }

    /// Returns the different phrases in a text, at most some.
    pub(super) fn found(&self, text: &str, at_most: usize) -> Vec<(Key, &'static str)> {
        let mut found = Vec::new();
        for hit in self.automaton.find_iter(text) {
            let phrase = self.phrases[hit.pattern().as_usize()];
            if !found.contains(&phrase) {
                found.push(phrase);
            }
            if found.len() >= at_most {
                break;
            }
        }
        found
    }
}

/// Returns how a phrase is met in a text: with a capital that the automaton does not know, with a typesetter's
/// apostrophe.
fn spellings(phrase: &str) -> Vec<String> {
    let mut all = vec![phrase.to_owned()];
    let mut letters = phrase.chars();
    if let Some(first) = letters.next().filter(|c| !c.is_ascii() && c.is_lowercase()) {
        all.push(first.to_uppercase().chain(letters).collect());
    }
    let curly: Vec<String> =
        all.iter().filter(|s| s.contains('\'')).map(|s| s.replace('\'', "\u{2019}")).collect();
    all.extend(curly);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_compared_from_their_beginning() {
        let marks = Marks::of(&[Key::SentFrom]);
        assert!(marks.begins("  Sent from my iPhone") && marks.begins("Von meinem iPad gesendet"));
        assert!(marks.begins("ENVOYÉ DE mon iPhone") && marks.begins("发自我的 iPhone"));
        assert!(
            !marks.begins("It was sent from home") && !marks.begins("Von meinem Gegner kam nichts")
        );
        let begins = Marks::of(&[Key::AttributionBegins]);
        assert!(begins.begins_word("On Monday") && !begins.begins_word("Only Monday"));
        let headers = Marks::of(&[Key::HeaderFrom]);
        assert!(headers.is("VON") && !headers.is("Vonn"));
        assert!(Marks::of(&[Key::AutomaticSubject]).begins("AW: Automatische Antwort: x"));
    }

    #[test]
    fn phrases_are_found_anywhere() {
        let finder = Finder::of(&[Key::AutomaticBody]);
        assert_eq!(
            finder.found("Hello. This is an automatic reply.", 2),
            [(Key::AutomaticBody, "this is an automatic reply")]
        );
        assert!(finder.found("I won.", 2).is_empty());
    }
}
