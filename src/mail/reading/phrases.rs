//! Sentences: the sender's text in pieces that mean something, in one plain spelling, with what keeps a piece from
//! being a statement: a question, a condition, a wish, a denial.

pub(super) use super::spelling::{distance, folded};
pub(super) use crate::mail::lexicon::plain;
use crate::{
    chess::notation::written,
    mail::lexicon::{Key, Tags},
};
use regex::Regex;
use std::sync::LazyLock;

/// Words that make a sentence hang on something, in lower case.
static CONDITIONS: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "if",
        "should",
        "would",
        "could",
        "might",
        "unless",
        "when",
        "whether",
        "i may",
        "you may",
        "he may",
        "may be",
        "may well",
        "perhaps",
        "maybe",
        "probably",
        "surely",
        "soon",
        "almost",
        "nearly",
        "hope",
        "hoping",
        "expect",
        "expecting",
        "think",
        "thought",
        "guess",
        "suppose",
        "assume",
        "want",
        "wish",
        "will",
        "shall",
        "going",
        "considering",
        "consider",
        "about to",
        "ready to",
        "unlikely",
        "wondering",
        "rather than",
        "instead of",
        "i'll",
        "you'll",
        "he'll",
        "she'll",
        "i'd",
        "until",
        "once",
        "blitz",
        "wrote",
        "writes",
        "said",
        "says",
        "last year",
        "years ago",
        "last time",
        "another event",
        "otb",
        "over the board",
        "friendly",
        "wenn",
        "falls",
        "würde",
        "sollte",
        "vielleicht",
        "peut-être",
        "quizás",
        "forse",
        "если",
        "offer",
        "offers",
        "offered",
        "propose",
        "proposed",
        "proposal",
        "claim",
        "claims",
        "suggest",
        "tempted",
        "inclined",
        "afraid",
        "position is",
        "looks like",
        "looks lost",
        "dead lost",
        "dead drawn",
    ])
});
/// Words that deny, in lower case.
static DENIALS: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "not",
        "never",
        "no",
        "cannot",
        "nobody",
        "neither",
        "nor",
        "without",
        "nicht",
        "kein",
        "nie",
        "wrong",
        "mistake",
        "incorrect",
        "correction",
    ])
});

/// What is said of a sentence that denies something.
pub(super) const DENIED: &str = "it denies something";

/// A piece of text that may say something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sentence {
    /// As it was written.
    pub(super) text: String,
    /// In lower case, with one spelling for dashes, halves, blanks and quotation marks.
    pub(super) plain: String,
    /// Whether it asks.
    pub(super) question: bool,
    /// The phrases of the lexicon that it holds, in places of the plain text.
    pub(super) tags: Tags,
}

impl Sentence {
    /// Makes a sentence of a piece of text.
    pub(super) fn of(text: &str) -> Self {
        let plain = plain(text);
        Self {
            text: text.trim().to_owned(),
            // `Qa7!?` and `Bg5??` are no questions.
            question: plain.trim_end().ends_with('?')
                && !["!?", "??"]
                    .iter()
                    .any(|mark| plain.trim_end().ends_with(mark) && praised(&plain)),
            tags: Tags::of(&plain),
            plain,
        }
    }

    /// Tells whether something keeps it from being a statement, and what.
    pub(super) fn held_back(&self) -> Option<&'static str> {
        if self.question {
            return Some("it is a question");
        }
        if CONDITIONS.are_in(&self.plain) {
            return Some("it hangs on a condition or is a wish");
        }
        let plain = self.plain.replace("no. ", "number ");
        (DENIALS.are_in(&plain) || plain.contains("n't")).then_some(DENIED)
    }

    /// Returns name and value of a line such as `Section: 19N04`, the name in lower case.
    pub(super) fn field(&self) -> Option<(&str, &str)> {
        let (name, value) = self.plain.split_once(':')?;
        let name = name.trim().trim_start_matches(['-', '*', ' ']);
        let fits = (2..=24).contains(&name.len())
            && name.chars().all(|c| c.is_alphabetic() || " #./-'".contains(c));
        fits.then_some((name, value.trim()))
    }
}

/// Tells whether the signs at the end of a text praise the move before them.
fn praised(plain: &str) -> bool {
    let last = plain.trim_end().trim_end_matches(['!', '?']).rsplit(' ').next().unwrap_or_default();
    last.ends_with(|c: char| ('1'..='8').contains(&c) || "+#o0".contains(c))
}

/// Words and phrases that are looked for together.
#[derive(Debug)]
pub(super) struct Words(Regex);

impl Words {
    /// Takes words and phrases in plain text.
    pub(super) fn new(list: &[&str]) -> Self {
        let escaped: Vec<String> = list.iter().map(|word| regex::escape(word)).collect();
        let pattern = format!(r"(?:^|[^\w'])({})(?:$|[^\w'])", escaped.join("|"));
        Self(Regex::new(&pattern).expect("a list of words is a valid pattern"))
    }

    /// Tells whether one of them stands in plain text by itself.
    pub(super) fn are_in(&self, plain: &str) -> bool {
        self.0.is_match(plain)
    }

    /// Returns the first of them that stands in plain text by itself.
    pub(super) fn found<'t>(&self, plain: &'t str) -> Option<&'t str> {
        // Most sentences hold none, and to tell that is quicker than to tell which.
        let found = self.are_in(plain).then(|| self.0.captures(plain)).flatten();
        found.and_then(|c| c.get(1)).map(|m| m.as_str())
    }
}

/// Tells whether a word or phrase stands in plain text by itself.
pub(super) fn has(plain: &str, word: &str) -> bool {
    let mut from = 0;
    while let Some(at) = plain[from..].find(word).map(|n| n + from) {
        let end = at + word.len();
        let before =
            plain[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '\'');
        let after = plain[end..].chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '\'');
        if before && after {
            return true;
        }
        from = end;
    }
    false
}

static TAG: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"^\s*\[[A-Za-z_]+\s+".*"\].{0,60}$"#).expect("a valid pattern"));

/// The longest sentence that is read for meaning.
pub(super) const SENTENCE_BYTES: usize = 4000;

/// Splits a text into sentences, and tells whether a game record is pasted into it; that is left out.
pub(super) fn sentences(text: &str) -> (Vec<Sentence>, bool) {
    let mut pieces: Vec<String> = Vec::new();
    let mut record = Record::None;
    let mut pasted = false;
    let mut broken = true;
    for line in text.lines() {
        record = record.after(line);
        pasted |= record != Record::None;
        let line = line.trim().trim_start_matches(['>', '*', '\u{2022}']).trim();
        // A bar quotes, unless it draws a table.
        let line = if line.starts_with('|') && !line[1..].contains('|') { "" } else { line };
        if record != Record::None || line.is_empty() {
            broken = true;
            continue;
        }
        match pieces.last_mut().filter(|last| !broken && goes_on(last, line)) {
            Some(last) => {
                last.push(' ');
                last.push_str(line);
            }
            None => pieces.push(line.to_owned()),
        }
        broken = false;
    }
    (pieces.iter().flat_map(|piece| split(piece)).map(|s| Sentence::of(&s)).collect(), pasted)
}

/// Where in a pasted game record a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Record {
    None,
    Tags,
    Between,
    Moves,
}

impl Record {
    fn after(self, line: &str) -> Self {
        let blank = line.trim().is_empty();
        if line.trim_start().starts_with('[') && TAG.is_match(line) {
            return Self::Tags;
        }
        match (self, blank) {
            (Self::None, _) | (Self::Moves, true) => Self::None,
            (Self::Tags | Self::Between, true) => Self::Between,
            (Self::Tags | Self::Between | Self::Moves, false) => Self::Moves,
        }
    }
}

/// Tells whether a line goes on with the sentence of the line before it. A line that hangs on a condition goes on in
/// any case: half of it must not stand as a statement.
fn goes_on(last: &str, line: &str) -> bool {
    let tail = last.trim_end();
    if tail.len() > SENTENCE_BYTES {
        return true; // too long to be read whatever it goes on with
    }
    // `15.` alone waits for its move.
    let number = tail.trim_end_matches(['.', '\u{2026}']);
    if number.len() < tail.len()
        && (1..=3).contains(&number.len())
        && number.bytes().all(|b| b.is_ascii_digit())
    {
        return true;
    }
    if tail.ends_with(['.', '!', '?', ':', ';']) {
        return false;
    }
    // A move alone on its line goes on with nothing, and nothing goes on with it.
    if (is_move(tail) || is_move(line)) && !hangs(tail) {
        return false;
    }
    // `recd 3/4, sent 3/6` is a line of its own under whatever stands above it.
    let begins = |s: &Sentence| s.tags.first(Key::Clock).is_some_and(|range| range.start == 0);
    let small = line.starts_with(|c: char| c.is_lowercase())
        && Some(Sentence::of(line)).is_some_and(|s| s.field().is_none() && !begins(&s));
    let length = tail.rsplit('\n').next().map_or(0, str::len);
    small || tail.ends_with([',', '-', '(']) || length >= 60 || hangs(tail)
}

/// Tells whether a line is a move and nothing else.
fn is_move(line: &str) -> bool {
    const LONG: usize = 24;
    if line.len() > LONG {
        return false;
    }
    let found = written::scan(line);
    let mut at = 0;
    let mut beside = String::new();
    for written in &found {
        beside.push_str(line.get(at..written.span.start).unwrap_or_default());
        at = written.span.end;
    }
    beside.push_str(line.get(at..).unwrap_or_default());
    !found.is_empty() && !beside.contains(char::is_alphanumeric)
}

fn hangs(text: &str) -> bool {
    static HANGING: LazyLock<Words> = LazyLock::new(|| {
        Words::new(&["if", "when", "unless", "in case", "should", "wenn", "falls", "si"])
    });
    HANGING.are_in(&plain(text))
}

/// Splits behind the signs that end a sentence. The dot of a move number ends none, so that a move and the condition
/// before it stay together.
fn split(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let ends = matches!(c, '.' | '!' | '?' | ';')
            && characters.peek().is_none_or(|(_, n)| n.is_whitespace());
        let praised = matches!(c, '!' | '?') && praises(&text[start..at], &text[at + 1..]);
        let counted = c == '.' && is_number(&text[start..at]);
        if ends && !praised && (!counted || is_counted(&text[start..at], &text[at + 1..])) {
            pieces.push(text[start..=at].to_owned());
            start = at + 1;
        }
    }
    pieces.push(text[start..].to_owned());
    pieces.retain(|p| !p.trim().is_empty());
    pieces
}

/// Tells whether a sign belongs to the move before it and the sentence goes on: `15.Bg5?? would lose`, `15.Bg5! Nxd5`.
fn praises(before: &str, after: &str) -> bool {
    let last = before.trim_end_matches(['!', '?']).rsplit([' ', '.']).next().unwrap_or_default();
    let is_move = last.ends_with(|c: char| ('1'..='8').contains(&c) || "+#".contains(c))
        && last.chars().any(char::is_alphabetic);
    let next = after.trim_start();
    let word = next.split_whitespace().next().unwrap_or_default();
    let goes_on = next.starts_with(char::is_lowercase)
        || word.chars().any(|c| c.is_ascii_digit()) && word.chars().any(char::is_alphabetic);
    is_move && goes_on
}

/// Words that are shortened with a dot.
const SHORTENED: &[&str] = &[
    "mr", "mrs", "ms", "dr", "dra", "vs", "no", "nr", "st", "jr", "sr", "sra", "hr", "fr", "mme",
    "sig", "prof", "col", "lt", "tel", "e.g", "i.e", "z.b", "p.ej",
];

/// Tells whether a text ends in a bare number or a shortened word, whose dot ends no sentence.
fn is_number(text: &str) -> bool {
    let last = text.rsplit([' ', '\t', '(']).next().unwrap_or_default();
    // `Kessler-W. Brandt`: the initial behind a hyphen.
    let initial = last.rsplit(['-', '\u{2013}']).next().unwrap_or_default();
    let number = !last.is_empty() && last.chars().all(|c| c.is_ascii_digit() || c == '.');
    let scores = ["1-0", "0-1", "1\u{2013}0", "0\u{2013}1", "1/2", "0-0"];
    if scores.iter().any(|score| text.trim_end_matches('.').ends_with(score)) {
        return false;
    }
    number
        || SHORTENED.contains(&last.to_lowercase().as_str())
        || last.chars().count() == 1
        || initial.chars().count() == 1 && initial.starts_with(char::is_alphabetic)
        || has_initial(last)
}

/// Tells whether a word ends in the first letter of a name behind another name: `Kessler-W`.
fn has_initial(word: &str) -> bool {
    let parts = word.rsplit_once(['-', '\u{2013}']);
    parts.is_some_and(|(name, initial)| {
        initial.chars().count() == 1
            && initial.starts_with(char::is_uppercase)
            && name.chars().count() > 2
            && name.chars().all(char::is_alphabetic)
    })
}

/// Tells whether a number ends a sentence after all: `I resign at move 8. The rest is easy.`
fn is_counted(before: &str, after: &str) -> bool {
    const COUNTED: &[&str] =
        &["move", "moves", "board", "seat", "game", "section", "player", "june", "may", "july"];
    let mut words = before.split_whitespace().rev();
    let number = words.next().is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    let counted = words.next().is_some_and(|w| COUNTED.contains(&w.to_lowercase().as_str()));
    let next = after.split_whitespace().next().unwrap_or_default();
    let word = next.trim_end_matches([',', '.', '!', ':']);
    let new = word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic);
    number && counted && new && !word.to_lowercase().starts_with("castle")
}

/// Returns the beginning of a sentence, as reasons quote it.
pub(super) fn short(text: &str) -> String {
    let mut words: String = text.chars().take(80).collect();
    if words.len() < text.len() {
        words.push('…');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_keep_their_conditions() {
        for (text, count) in [
            ("I won. Thanks.", 2),
            ("I resign at move 8. The pawn queens.", 2),
            ("my move 8. Nf3", 1),
            ("he claims 1-0. That is false", 2),
            ("nach dem 23. Zug", 1),
            ("If you find 12. Rxh7 I resign.", 1),
            ("If you find Rxh7\nI resign", 1),
            ("if you find the rook sacrifice I\nresign", 1),
            ("Result: 1-0\nSection: 19N04", 2),
            ("19N01: Moss 0, Kasper 1\n19N02: Hale 1, Ortiz 0", 2),
        ] {
            assert_eq!(sentences(text).0.len(), count, "{text}");
        }
    }

    #[test]
    fn a_pasted_record_is_left_out() {
        let (said, pasted) =
            sentences("I won.\n[Event \"x\"]\n[Result \"0-1\"]\n\n1. e4 e5\n2. Nf3 0-1\n\nThanks");
        assert!(pasted);
        assert_eq!(said.iter().map(|s| s.text.as_str()).collect::<Vec<_>>(), ["I won.", "Thanks"]);
    }
}
