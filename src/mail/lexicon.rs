//! The lexicon: words and phrases of the players' languages, as data. Each language is a file in `words/`; what a
//! phrase means is the key under which it stands there, the same in every language. All phrases of all languages are
//! looked for in one pass over a text. What a phrase is worth in its sentence, the readers judge.

mod keys;

use aho_corasick::{AhoCorasick, MatchKind};
use keys::Pass;
pub(super) use keys::{Key, Word};
use serde::Deserialize;
use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
    sync::LazyLock,
};

/// The files, by the code of the language (ISO 639-1).
const FILES: &[(&str, &str)] = &[
    ("en", include_str!("../../words/en.toml")),
    ("cs", include_str!("../../words/cs.toml")),
    ("da", include_str!("../../words/da.toml")),
    ("de", include_str!("../../words/de.toml")),
    ("es", include_str!("../../words/es.toml")),
    ("fi", include_str!("../../words/fi.toml")),
    ("fr", include_str!("../../words/fr.toml")),
    ("hr", include_str!("../../words/hr.toml")),
    ("hu", include_str!("../../words/hu.toml")),
    ("it", include_str!("../../words/it.toml")),
    ("ja", include_str!("../../words/ja.toml")),
    ("nl", include_str!("../../words/nl.toml")),
    ("no", include_str!("../../words/no.toml")),
    ("pl", include_str!("../../words/pl.toml")),
    ("pt", include_str!("../../words/pt.toml")),
    ("ro", include_str!("../../words/ro.toml")),
    ("ru", include_str!("../../words/ru.toml")),
    ("sv", include_str!("../../words/sv.toml")),
    ("uk", include_str!("../../words/uk.toml")),
    ("zh", include_str!("../../words/zh.toml")),
];

/// A language as its file has it: tables of lists of phrases.
#[derive(Deserialize)]
struct Language {
    /// Its name in English.
    #[expect(dead_code, reason = "for those who read the file")]
    language: String,
    #[serde(flatten)]
    tables: BTreeMap<String, BTreeMap<String, List>>,
}

/// Phrases of one meaning, or lists of words with the same number.
#[derive(Deserialize)]
#[serde(untagged)]
enum List {
    Phrases(Vec<String>),
    Numbered(Vec<Vec<String>>),
}

/// All phrases, ready to be looked for.
struct Lexicon {
    first: Patterns,
    second: Patterns,
    /// The phrases of each key as they stand in the files, with their languages.
    lists: BTreeMap<Key, Vec<(&'static str, String)>>,
    /// The words that are looked up, with their numbers.
    words: HashMap<String, Vec<(Word, u8)>>,
}

/// Phrases that are looked for in one pass.
struct Patterns {
    automaton: AhoCorasick,
    /// What each pattern of the automaton means, and its language.
    keys: Vec<(Key, &'static str)>,
}

impl Patterns {
    fn of(pass: Pass, lists: &BTreeMap<Key, Vec<(&'static str, String)>>) -> Self {
        let sought = lists.iter().filter(|(key, _)| key.pass() == pass);
        let patterns = sought.flat_map(|(key, l)| l.iter().map(move |(c, p)| ((*key, *c), p)));
        let (keys, patterns): (Vec<_>, Vec<&String>) = patterns.unzip();
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(patterns)
            .expect("phrases make an automaton");
        Self { automaton, keys }
    }
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::load);

impl Lexicon {
    fn load() -> Self {
        let mut lists: BTreeMap<Key, Vec<(&'static str, String)>> = BTreeMap::new();
        let mut words: HashMap<String, Vec<(Word, u8)>> = HashMap::new();
        for (code, file) in FILES {
            let language: Language = toml::from_str(file)
                .unwrap_or_else(|why| panic!("words/{code}.toml is part of the program: {why}"));
            let tables = language.tables.into_iter();
            let all = tables.flat_map(|(table, lists)| {
                lists.into_iter().map(move |(name, list)| (format!("{table}.{name}"), list))
            });
            for (name, list) in all {
                match (key(&name), word(&name), list) {
                    (Some(key), _, List::Phrases(phrases)) => {
                        let phrases = phrases.iter().map(|p| (*code, plain(p)));
                        lists.entry(key).or_default().extend(phrases);
                    }
                    (_, Some(word), List::Phrases(phrases)) => {
                        for phrase in phrases {
                            words.entry(plain(&phrase)).or_default().push((word, 1));
                        }
                    }
                    (_, Some(word), List::Numbered(numbered)) => {
                        let each = (1..).zip(numbered);
                        for (n, phrase) in
                            each.flat_map(|(n, list)| list.into_iter().map(move |p| (n, p)))
                        {
                            words.entry(plain(&phrase)).or_default().push((word, n));
                        }
                    }
                    _ => panic!("words/{code}.toml: no such key {name}"),
                }
            }
        }
        let (first, second) =
            (Patterns::of(Pass::First, &lists), Patterns::of(Pass::Second, &lists));
        Self { first, second, lists, words }
    }
}

/// Returns the number of a word that is looked up, in any language: 6 for `june` and for `juin`; none where it is no
/// word of that kind.
pub(super) fn number(kind: Word, plain: &str) -> Option<u8> {
    let meanings = LEXICON.words.get(plain)?;
    meanings.iter().rfind(|(word, _)| *word == kind).map(|(_, n)| *n)
}

fn word(text: &str) -> Option<Word> {
    Word::ALL.iter().find(|(_, name)| *name == text).map(|(word, _)| *word)
}

fn key(text: &str) -> Option<Key> {
    Key::ALL.iter().find(|(_, name)| *name == text).map(|(key, _)| *key)
}

/// A phrase in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    /// Where it stands in the plain text.
    pub(super) at: Range<usize>,
    /// What it means.
    pub(super) key: Key,
    /// The language in whose file it stands.
    pub(super) code: &'static str,
}

/// The phrases that a text holds, in the order in which they begin; of two that begin together the longer one first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tags(Vec<Tag>);

impl Tags {
    /// Finds the phrases that stand by themselves in plain text.
    pub(super) fn of(plain: &str) -> Self {
        Self::found(plain, &LEXICON.first)
    }

    /// Finds the phrases that tell what a sentence is about, and what keeps it from being a statement: worth looking
    /// for only where it says something.
    pub(super) fn around(plain: &str) -> Self {
        Self::found(plain, &LEXICON.second)
    }

    fn found(plain: &str, patterns: &Patterns) -> Self {
        let found = patterns.automaton.find_overlapping_iter(plain);
        let alone = found.filter(|m| is_alone(plain, &m.range()));
        let mut tags: Vec<_> = alone
            .map(|m| {
                let (key, code) = patterns.keys[m.pattern().as_usize()];
                Tag { at: m.range(), key, code }
            })
            .collect();
        tags.sort_by_key(|tag| (tag.at.start, std::cmp::Reverse(tag.at.end), tag.key));
        Self(tags)
    }

    /// Tells whether a phrase of this meaning is there.
    pub(super) fn has(&self, key: Key) -> bool {
        self.each(key).next().is_some()
    }

    /// Tells whether a phrase of this meaning is there in this language.
    pub(super) fn has_in(&self, key: Key, code: &str) -> bool {
        self.each(key).any(|tag| tag.code == code)
    }

    /// Returns where the first phrase of this meaning stands.
    pub(super) fn first(&self, key: Key) -> Option<Range<usize>> {
        self.all(key).next()
    }

    /// Returns where all phrases of this meaning stand.
    pub(super) fn all(&self, key: Key) -> impl Iterator<Item = Range<usize>> {
        self.each(key).map(|tag| tag.at.clone())
    }

    /// Returns where all phrases stand.
    pub(super) fn places(&self) -> impl Iterator<Item = Range<usize>> {
        self.0.iter().map(|tag| tag.at.clone())
    }

    /// Returns all phrases of this meaning.
    pub(super) fn each(&self, key: Key) -> impl Iterator<Item = &Tag> {
        self.0.iter().filter(move |tag| tag.key == key)
    }
}

/// Returns the phrases of a meaning with the codes of their languages.
pub(super) fn list(key: Key) -> impl Iterator<Item = (&'static str, &'static str)> {
    LEXICON.lists.get(&key).into_iter().flatten().map(|(code, phrase)| (*code, phrase.as_str()))
}

/// Tells whether no letter or digit touches a phrase. Scripts without blanks between words touch always.
fn is_alone(plain: &str, range: &Range<usize>) -> bool {
    let inside = &plain[range.clone()];
    let apart = |outer: Option<char>, inner: Option<char>| match (outer, inner) {
        (Some(outer), Some(inner)) => {
            !is_letter(outer) || !is_letter(inner) || is_unspaced(outer) || is_unspaced(inner)
        }
        _ => true,
    };
    apart(plain[..range.start].chars().next_back(), inside.chars().next())
        && apart(plain[range.end..].chars().next(), inside.chars().next_back())
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '\''
}

/// Tells whether a letter is of a script that puts no blanks between words.
const fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9d}')
}

/// Returns text in one plain spelling: lower case, one kind of dash, blank, apostrophe and quotation mark.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' => out.push('-'),
            '½' => out.push_str("1/2"),
            '\u{2018}' | '\u{2019}' | '\u{b4}' | '`' => out.push('\''),
            '\u{201c}' | '\u{201d}' | '„' => out.push('"'),
            '∶' | '：' => out.push(':'),
            '？' => out.push('?'),
            c if c.is_whitespace() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c => out.extend(c.to_lowercase()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_can_be_read_and_every_phrase_is_found_in_itself() {
        for (key, name) in Key::ALL {
            for (code, phrase) in list(*key) {
                let found = match key.pass() {
                    Pass::First => Tags::of(phrase).has(*key),
                    Pass::Second => Tags::around(phrase).has(*key),
                    Pass::Never => true,
                };
                assert!(found, "{code} {name}: {phrase}");
            }
        }
    }

    #[test]
    fn a_phrase_stands_by_itself() {
        assert!(Tags::of(&plain("Well, I resign.")).has(Key::Resign));
        assert!(!Tags::of(&plain("I resigned to losing a pawn")).has(Key::Resign));
        assert_eq!(Tags::of("well, i resign").first(Key::Resign), Some(6..14));
    }
}
