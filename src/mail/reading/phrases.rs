//! Sentences: the sender's text in pieces that mean something, in one plain spelling, with what keeps a piece from
//! being a statement: a question, a condition, a wish, a denial.

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
}

impl Sentence {
    /// Makes a sentence of a piece of text.
    pub(super) fn of(text: &str) -> Self {
        let plain = plain(text);
        Self { text: text.trim().to_owned(), question: plain.trim_end().ends_with('?'), plain }
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

/// Returns text in one plain spelling.
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

static TAG: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"^\s*\[[A-Za-z_]+\s+".*"\]\s*$"#).expect("a valid pattern"));

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
    if tail.ends_with(['.', '!', '?', ':', ';']) {
        return false;
    }
    let small =
        line.starts_with(|c: char| c.is_lowercase()) && Sentence::of(line).field().is_none();
    let length = tail.rsplit('\n').next().map_or(0, str::len);
    small || tail.ends_with([',', '-', '(']) || length >= 60 || hangs(tail)
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
        if ends && !(c == '.' && is_number(&text[start..at])) {
            pieces.push(text[start..=at].to_owned());
            start = at + 1;
        }
    }
    pieces.push(text[start..].to_owned());
    pieces.retain(|p| !p.trim().is_empty());
    pieces
}

/// Tells whether a text ends in a bare number or a shortened word, whose dot ends no sentence.
fn is_number(text: &str) -> bool {
    let last = text.rsplit([' ', '\t', '(']).next().unwrap_or_default();
    let number = !last.is_empty() && last.chars().all(|c| c.is_ascii_digit() || c == '.');
    number
        || matches!(last.to_lowercase().as_str(), "mr" | "mrs" | "dr" | "vs" | "no" | "st" | "jr")
        || last.chars().count() == 1
}

/// Returns a name in small plain letters without accents, apostrophes and hyphens, as names are compared.
pub(super) fn folded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars().flat_map(char::to_lowercase) {
        match c {
            'à'..='å' | 'ā' | 'ă' | 'ą' => out.push('a'),
            'ç' | 'ć' | 'č' => out.push('c'),
            'ď' | 'đ' | 'ð' => out.push('d'),
            'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => out.push('e'),
            'ğ' => out.push('g'),
            'ì'..='ï' | 'ī' | 'į' | 'ı' => out.push('i'),
            'ł' | 'ľ' => out.push('l'),
            'ñ' | 'ń' | 'ň' => out.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => out.push('o'),
            'ř' => out.push('r'),
            'ś' | 'š' | 'ş' | 'ș' => out.push('s'),
            'ť' | 'ţ' | 'ț' => out.push('t'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' => out.push('u'),
            'ý' | 'ÿ' => out.push('y'),
            'ź' | 'ž' | 'ż' => out.push('z'),
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'þ' => out.push_str("th"),
            c if c.is_alphanumeric() => out.push(c),
            _ => {}
        }
    }
    out
}

/// Returns how many letters differ, up to three: beyond that names are different names.
pub(super) fn distance(one: &str, other: &str) -> usize {
    const FAR: usize = 3;
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) >= FAR || one.len() > 40 {
        return FAR;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    let mut above: Vec<usize> = Vec::new();
    for (i, a) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let swapped = i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b;
            let mut cost = (row[j] + usize::from(a != b)).min(row[j + 1] + 1).min(next[j] + 1);
            if swapped {
                cost = cost.min(above[j - 1] + 1);
            }
            next.push(cost);
        }
        above = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(FAR).min(FAR)
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

    #[test]
    fn names_are_compared_by_their_letters() {
        assert_eq!(folded("O'Dell-Müller"), "odellmuller");
        for (one, other, far) in [
            ("ortiz", "ortis", 1),
            ("hale", "heal", 2),
            ("hale", "ortiz", 3),
            ("keating", "kaeting", 1),
        ] {
            assert_eq!(distance(one, other), far, "{one} {other}");
        }
    }
}
