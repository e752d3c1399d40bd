//! Whether what sounds like a statement of the sender's is one: no question, no condition, no maybe, no denial, nobody
//! else's words, not long ago, not elsewhere, no joke. The words for that are data (`[holds]` in `words/`), and only
//! those of the language count in which the statement is made: `se` is `if` in Italian and nothing in Spanish.

use super::phrases::Sentence;
use crate::mail::lexicon::{Key, Tag, Tags};
use std::ops::Range;

/// The matters in whose phrases a `not` or an `if` may stand.
const MATTERS: [Key; 10] = [
    Key::Silence,
    Key::Unheard,
    Key::Overstepped,
    Key::Complaint,
    Key::Claim,
    Key::AskLeave,
    Key::Away,
    Key::LeaveDone,
    Key::Renewed,
    Key::Died,
];

/// What keeps words from being a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// They stand in quotation marks.
    Quoted,
    /// They are asked.
    Question,
    /// They are a joke.
    Joke,
    /// Somebody else said so.
    Told,
    /// They speak of what is not played here.
    Elsewhere,
    /// They speak of long ago.
    Past,
    /// They hang on a condition.
    Condition,
    /// They say what may be.
    Doubtful,
    /// They are denied.
    Denial,
    /// They are taken back behind them.
    Retracted,
}

impl Hold {
    /// Returns why the words are none, to follow `is not taken as one:`.
    pub(super) const fn why(self) -> &'static str {
        match self {
            Self::Quoted => "it stands in quotation marks",
            Self::Question => "it is a question",
            Self::Joke => "it is meant as a joke",
            Self::Told => "it is what somebody else said",
            Self::Elsewhere => "it speaks of what is not played here",
            Self::Past => "it speaks of the past",
            Self::Condition => "it hangs on a condition",
            Self::Doubtful => "it says what may be",
            Self::Denial => "it is denied",
            Self::Retracted => "it is taken back",
        }
    }
}

/// Words in a sentence, with what stands around them.
pub(super) struct Words<'a> {
    /// The sentence.
    pub(super) sentence: &'a Sentence,
    /// Where they stand in its plain text.
    pub(super) at: Range<usize>,
    /// The languages that have them.
    codes: Vec<&'static str>,
    /// What else the sentence holds.
    pub(super) around: &'a Tags,
}

impl<'a> Words<'a> {
    /// Takes a phrase of the lexicon.
    pub(super) fn tagged(sentence: &'a Sentence, tag: &Tag, around: &'a Tags) -> Self {
        let same = sentence.tags.each(tag.key).filter(|t| t.at == tag.at);
        Self { sentence, at: tag.at.clone(), codes: same.map(|t| t.code).collect(), around }
    }

    /// Takes words of a language that a pattern found.
    pub(super) fn of(
        sentence: &'a Sentence,
        at: Range<usize>,
        code: &'static str,
        around: &'a Tags,
    ) -> Self {
        Self { sentence, at, codes: vec![code], around }
    }

    /// Takes English words that a pattern found.
    pub(super) fn english(sentence: &'a Sentence, at: Range<usize>, around: &'a Tags) -> Self {
        Self::of(sentence, at, "en", around)
    }

    /// Takes words of a language that a pattern found.
    pub(super) fn in_language(
        sentence: &'a Sentence,
        at: Range<usize>,
        around: &'a Tags,
        code: &'static str,
    ) -> Self {
        Self { sentence, at, codes: vec![code], around }
    }

    /// Returns the words.
    pub(super) fn text(&self) -> &'a str {
        self.sentence.plain.get(self.at.clone()).unwrap_or_default()
    }

    /// Returns what stands before them in the sentence.
    pub(super) fn before(&self) -> &'a str {
        self.sentence.plain.get(..self.at.start).unwrap_or_default()
    }

    /// Returns what stands behind them in the sentence.
    pub(super) fn behind(&self) -> &'a str {
        self.sentence.plain.get(self.at.end..).unwrap_or_default()
    }

    /// Tells whether they are English and nothing else.
    pub(super) fn is_english(&self) -> bool {
        self.codes == ["en"]
    }

    /// Tells whether they are of a language.
    pub(super) fn is_of(&self, code: &str) -> bool {
        self.codes.contains(&code)
    }

    /// Returns the part of the sentence between the signs and the joining words around them.
    pub(super) fn clause(&self) -> Range<usize> {
        let joins = JOINS.iter().filter(|(code, _)| self.codes.contains(code));
        let breaks: Vec<&str> =
            joins.flat_map(|(_, words)| words.iter()).chain(BREAKS).copied().collect();
        let (before, behind) = (self.before(), self.behind());
        let start = breaks.iter().filter_map(|b| before.rfind(b).map(|n| n + b.len())).max();
        let end = breaks.iter().filter_map(|b| behind.find(b)).min();
        let whole = self.sentence.plain.len();
        // `and must drop out` begins a clause itself.
        let joined = ["and ", "und "].iter().any(|and| self.text().starts_with(and));
        let start = if joined { Some(self.at.start) } else { start };
        start.unwrap_or(0)..end.map_or(whole, |n| self.at.end + n)
    }

    /// Returns what keeps them from being a statement of the sender's.
    pub(super) fn held(&self) -> Option<Hold> {
        self.held_but(&[])
    }

    /// Returns the same, where some of it does not matter.
    pub(super) fn held_but(&self, ignored: &[Hold]) -> Option<Hold> {
        let sentence = self.sentence;
        let quoted = self.before().matches('"').count() % 2 == 1;
        let holds = [
            (Hold::Quoted, quoted),
            (Hold::Question, sentence.question),
            (Hold::Joke, self.says(Key::Joke, |_| true)),
            (Hold::Told, self.says(Key::Told, |_| true)),
            (Hold::Elsewhere, self.says(Key::Elsewhere, |_| true)),
            (Hold::Past, self.says(Key::Past, |_| true)),
            (Hold::Condition, self.says(Key::Condition, |at| !is_polite(&sentence.plain, at))),
            (Hold::Doubtful, self.says(Key::Doubtful, |at| !is_wish(&sentence.plain, at))),
            (Hold::Denial, self.is_denied()),
            (Hold::Retracted, self.is_retracted()),
        ];
        holds.into_iter().find(|(hold, holds)| *holds && !ignored.contains(hold)).map(|(h, _)| h)
    }

    /// Tells whether the sentence has a phrase of the same language that stands in no other phrase.
    fn says(&self, key: Key, counts: impl Fn(&Range<usize>) -> bool) -> bool {
        let mut tags = self.around.each(key).filter(|tag| self.codes.contains(&tag.code));
        tags.any(|tag| self.is_apart(&tag.at) && counts(&tag.at))
    }

    /// Tells whether a place is outside these words and the phrases of all such matters: the `not` of `has not answered`
    /// denies no complaint.
    fn is_apart(&self, at: &Range<usize>) -> bool {
        let inside = |outer: &Range<usize>| outer.start <= at.start && at.end <= outer.end;
        let mut matters = MATTERS.iter().flat_map(|key| self.sentence.tags.all(*key));
        !inside(&self.at) && !matters.any(|outer| inside(&outer))
    }

    /// Tells whether the sentence goes on and takes them back: `I withdraw, no, forget that`.
    fn is_retracted(&self) -> bool {
        self.sentence.tags.each(Key::Retracts).any(|tag| tag.at.start >= self.at.end)
    }

    /// English denies before the words; other languages also behind them.
    fn is_denied(&self) -> bool {
        let mut clause = self.clause();
        if self.is_english() {
            clause.end = self.at.start;
        }
        let plain = &self.sentence.plain;
        let number = |at: &Range<usize>| {
            let rest = plain.get(at.end..).unwrap_or_default();
            rest.strip_prefix('.').is_some_and(|r| r.trim_start().starts_with(char::is_numeric))
        };
        let within = |at: &Range<usize>| clause.start <= at.start && at.end <= clause.end;
        self.says(Key::Denial, |at| within(at) && !number(at))
            || plain
                .match_indices("n't")
                .any(|(n, _)| within(&(n..n + 3)) && self.is_apart(&(n..n + 3)))
    }

    /// Tells whether somebody else is spoken of before the words and the sender is not.
    pub(super) fn of_another(&self) -> bool {
        let mut others = self.around.each(Key::Third).filter(|t| self.codes.contains(&t.code));
        let another = others.any(|t| t.at.end <= self.at.start);
        another && !is_first_person(self.before())
    }
}

/// Tells whether a mail takes back as a joke what it says somewhere else: `April fool!`.
pub(super) fn is_joke(said: &super::Said<'_>) -> bool {
    said.whole().has(Key::Joke)
}

/// Tells whether a text says `I`.
pub(super) fn is_first_person(plain: &str) -> bool {
    plain.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| {
        matches!(
            word,
            "i" | "i'm" | "i'll" | "i'd" | "i've" | "ich" | "je" | "yo" | "io" | "ik" | "eu"
        )
    })
}

/// Signs that end a clause.
const BREAKS: &[&str] = &[", ", "; ", ": ", " - ", " ("];
/// Words that end a clause, by language.
const JOINS: &[(&str, &[&str])] = &[
    ("en", &[" but ", " and ", " so ", " because ", " since "]),
    ("de", &[" aber ", " und ", " weil ", " denn "]),
    ("fr", &[" mais ", " et ", " car "]),
    ("es", &[" pero ", " y ", " porque "]),
    ("it", &[" ma ", " e ", " perché "]),
    ("nl", &[" maar ", " en ", " want "]),
    ("pt", &[" mas ", " e ", " porque "]),
    ("sv", &[" och ", " men "]),
    ("da", &[" og ", " men "]),
    ("no", &[" og ", " men "]),
];

/// Tells whether a condition is mere politeness: `if possible`, `if I may`.
fn is_polite(plain: &str, at: &Range<usize>) -> bool {
    const POLITE: &[&str] = &[
        "possible",
        "i may",
        "you please",
        "you don't mind",
        "you do not mind",
        "that is ok",
        "that's ok",
        "that is all right",
        "permitted",
        "allowed",
        "möglich",
        "nötig",
        "es recht ist",
        "es posible",
        "possibile",
        "mogelijk",
        "possível",
        "möjligt",
        "muligt",
        "mulig",
        "vous voulez",
        "cela est possible",
        "c'est possible",
        "to możliwe",
        "možno",
        "возможно",
    ];
    let rest = plain.get(at.end..).unwrap_or_default().trim_start();
    POLITE.iter().any(|words| rest.starts_with(words))
}

/// Tells whether a maybe is a wish: `I would like to`.
fn is_wish(plain: &str, at: &Range<usize>) -> bool {
    let mut rest = plain.get(at.end..).unwrap_or_default().trim_start();
    for beside in ["also ", "now ", "very much ", "kindly ", "therefore ", "just ", "really "] {
        rest = rest.strip_prefix(beside).unwrap_or(rest);
    }
    rest.starts_with("like") || rest.starts_with("appreciate") || rest.starts_with("be grateful")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what holds back the first withdrawal or complaint of a sentence.
    fn hold(text: &str) -> Option<Hold> {
        let sentence = Sentence::of(text);
        let around = Tags::around(&sentence.plain);
        let keys = [Key::Withdraw, Key::Complaint, Key::Silence, Key::AskLeave];
        let tag = keys.iter().find_map(|key| sentence.tags.each(*key).next());
        Words::tagged(&sentence, tag.expect("a phrase"), &around).held()
    }

    #[test]
    fn a_plain_statement_is_not_held_back() {
        for text in [
            "Ich trete von der Sektion 19N04 zurück.",
            "Vance has not answered since 12 May, and I make a time complaint.",
            "Time complaint, move no. 7 not answered.",
            "I ask for leave, if possible, from June 1 to June 14.",
            "Me retiro de la sección 19N04.",
            "Je me retire du tournoi, s'il vous plaît.",
        ] {
            assert_eq!(hold(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_statement_is_held_back() {
        for (text, why) in [
            ("Can I file a complaint?", Hold::Question),
            ("If he stays silent I file a complaint.", Hold::Condition),
            ("I do not file a complaint.", Hold::Denial),
            ("I don't want to make a complaint.", Hold::Denial),
            ("Perhaps I file a complaint.", Hold::Doubtful),
            ("He wrote: I make a complaint.", Hold::Told),
            ("\"I make a time complaint\" is what one writes.", Hold::Quoted),
            ("Last year I had to make a complaint.", Hold::Past),
            ("In my club I make a complaint.", Hold::Elsewhere),
            ("I make a complaint, just kidding.", Hold::Joke),
            ("Wenn es so weitergeht, ziehe ich mich aus dem Turnier zurück.", Hold::Condition),
            ("Ich trete von der Sektion 19N04 nicht zurück.", Hold::Denial),
            ("Si no mejoro me retiro de la sección.", Hold::Condition),
        ] {
            assert_eq!(hold(text), Some(why), "{text}");
        }
    }
}
