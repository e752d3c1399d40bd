//! Who is to be entered, and how often: the members that a mail names with their names and counts. One person: by the
//! lines of a form, beside the member id, below the text, or the sender. Several: each beside an id of his own.

use super::{
    Said,
    phrases::{Sentence, plain},
};
use crate::{
    domain::ids::MemberId,
    mail::lexicon::{self, Key, Word},
};
use regex::Regex;
use std::sync::LazyLock;

/// The most entries that one mail can mean for one person; more is a slip.
const COUNT: u8 = 20;
/// The most people that one mail enters.
const PEOPLE: usize = 20;
/// How the line of a form is called that counts entries.
pub(super) const COUNT_LINES: &[&str] =
    &["entries", "number of entries", "entry", "sections", "no. of entries", "how many"];
/// How the lines of a form are called that speak of money.
pub(super) const FEE_LINES: &[&str] =
    &["fee", "entry fee", "payment", "enclosed", "fees", "paid", "amount"];
/// How the line of a form is called that gives the member id.
pub(super) const MEMBER_LINES: &[&str] = &[
    "us chess id",
    "uscf id",
    "member id",
    "id",
    "member",
    "membership",
    "us chess",
    "uscf",
    "us chess member id",
    "id no.",
    "member no.",
    "id number",
    "member number",
    "membership id",
    "uscf number",
];

static MEMBER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|[^\w.@+-])(\d{8})(?:$|[^\w@])").expect("a valid pattern"));
/// A small number by itself: no year, no amount, no date, no member's number.
static LONE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[ (])([2-9]|10)(?:[ ),;!]|[.](?: |$)|$)").expect("a valid pattern")
});
static TIMES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(\d{1,2}) ?x\b|\bx ?(\d{1,2})\b|\b(twice)\b|\ball (ten)\b|\b(couple|pair) of\b|\b(\w+) times\b|\bentries ?(?:x|:|=|-) ?(\d{1,3})\b|\bnumber of entr(?:y|ies) (?:is |are |will be )?(\w+)\b")
        .expect("a valid pattern")
});
/// A name: two to four words that begin with a capital, perhaps an initial or a small word between them.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\p{Lu}[\p{L}'’-]*\.?(?: (?:de|van|von|der|den|da|di|del|la|le|ten|ter|zu|y|\p{Lu}\.?|\p{Lu}[\p{L}'’-]*\.?)){0,3} \p{Lu}[\p{L}'’-]+(?: (?:Jr|Sr|II|III)\.?)?")
        .expect("a valid pattern")
});

/// Somebody who is to be entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Applicant {
    /// The name it gives; empty where it gives none.
    pub(super) name: String,
    /// The member id.
    pub(super) member_id: Option<MemberId>,
    /// How many entries; none where the mail does not say.
    pub(super) count: Option<u8>,
}

/// Returns who is to be entered, or why that cannot be told.
pub(super) fn applicants(said: &Said<'_>) -> Result<Vec<Applicant>, String> {
    let members = members(said);
    if members.len() > 1 {
        return several(said, &members);
    }
    let known = match said.players {
        [one] => Some(one.clone()),
        _ => None,
    };
    let count = count(said)?;
    let name = name(said, members.first());
    Ok(vec![Applicant { name, member_id: members.into_iter().next().or(known), count }])
}

/// Reads several people, each beside his id.
fn several(said: &Said<'_>, members: &[MemberId]) -> Result<Vec<Applicant>, String> {
    let vague = || "Several member ids are named, and not each with a name.".to_owned();
    if members.len() > PEOPLE {
        return Err(format!("More than {PEOPLE} people are entered at once."));
    }
    let each = said.sentences.iter().find(|s| s.plain.contains("each")).and_then(count_in);
    let mut all = Vec::new();
    for member in members {
        let line = said.text.lines().chain([said.subject]).find(|line| line.contains(&member.0));
        let line = line.ok_or_else(vague)?;
        let at = line.find(&member.0).unwrap_or_default();
        // From behind the id before it to the next one.
        let others: Vec<usize> = members.iter().filter_map(|m| line.find(&m.0)).collect();
        let from = others.iter().filter(|n| **n < at).max().map_or(0, |n| n + 8);
        let to = others.iter().filter(|n| **n > at).min().map_or(line.len(), |n| *n);
        let before = line.get(from..at).unwrap_or_default();
        let behind = line.get(at + member.0.len()..to).unwrap_or_default();
        let own = ["enter me", "me (", "myself"].iter().any(|me| plain(before).contains(me));
        let name = last_name(before).or_else(|| own.then(|| said.name.to_owned()));
        let relative =
            ["wife", "husband", "son", "daughter", "brother", "sister", "father", "friend"];
        let family = relative.iter().any(|word| plain(before).contains(word)).then(String::new);
        let name = name.or_else(|| first_name(behind)).or(family).ok_or_else(vague)?;
        let here = if others.len() > 1 { behind } else { line };
        let count = count_in(&Sentence::of(here)).or(each);
        all.push(Applicant { name, member_id: Some(member.clone()), count });
    }
    Ok(all)
}

/// Tells whether the mail names a member by his id.
pub(super) fn has_member(said: &Said<'_>) -> bool {
    said.sentences.iter().any(|s| has_id(&s.text))
}

/// Tells whether a text holds a member id.
pub(super) fn has_id(text: &str) -> bool {
    MEMBER.is_match(text)
}

/// Returns the member ids, those that a word names as such if there are any.
fn members(said: &Said<'_>) -> Vec<MemberId> {
    let mut all: Vec<(MemberId, bool)> = Vec::new();
    for sentence in &said.sentences {
        let words = ["id", "member", "uscf", "us chess"];
        let labelled = words.iter().any(|w| super::phrases::has(&sentence.plain, w));
        for found in MEMBER.captures_iter(&sentence.text) {
            let id = MemberId(found[1].to_owned());
            if !all.iter().any(|(known, _)| *known == id) {
                all.push((id, labelled));
            }
        }
    }
    let any_labelled = all.iter().any(|(_, labelled)| *labelled);
    all.into_iter().filter(|(_, labelled)| *labelled || !any_labelled).map(|(id, _)| id).collect()
}

/// Returns how many entries are asked for; none where the mail does not say.
fn count(said: &Said<'_>) -> Result<Option<u8>, String> {
    let vague = || "How many entries are meant cannot be told.".to_owned();
    let field = said.sentences.iter().find_map(|s| {
        let (_, value) = s.field().filter(|(name, _)| COUNT_LINES.contains(name))?;
        value.split([' ', ',', '(', '.']).next().and_then(number)
    });
    let told = || {
        let asking = said.sentences.iter().filter(|s| !s.question);
        asking
            .filter(|s| !s.field().is_some_and(|(name, _)| FEE_LINES.contains(&name)))
            .find_map(count_in)
    };
    if let Some(n) = field.or_else(told) {
        return (1..=COUNT).contains(&n).then_some(Some(n)).ok_or_else(vague);
    }
    // A number of something that is not known here may well be the number of entries.
    let asking = |s: &&Sentence| s.tags.has(Key::Enter);
    let lone = said.sentences.iter().filter(asking).any(|s| LONE.is_match(&s.plain));
    if lone { Err(vague()) } else { Ok(None) }
}

/// Returns how many entries a sentence counts: `three entries`, `2 x`, `one more entry`.
pub(super) fn count_in(sentence: &Sentence) -> Option<u8> {
    let things = sentence.tags.all(Key::EntryThing);
    let counted = things.filter_map(|at| {
        let before = sentence.plain.get(..at.start)?.trim_end();
        let mut words = before.rsplit([' ', '(', '-']).take(3);
        let last = words.next()?.trim_end_matches(')');
        let between =
            ["more", "new", "paid", "additional", "further", "extra", "weitere", "autres"];
        number(last).or_else(|| words.next().filter(|_| between.contains(&last)).and_then(number))
    });
    counted.into_iter().next().or_else(|| {
        let found = TIMES.captures(&sentence.plain)?;
        (1..=8).find_map(|n| found.get(n)).and_then(|m| number(m.as_str()))
    })
}

/// Returns the number that a word says.
pub(super) fn number(word: &str) -> Option<u8> {
    match word {
        "a" | "an" | "another" | "single" => Some(1),
        "twice" | "couple" | "pair" => Some(2),
        digits if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
            Some(digits.parse().unwrap_or(u8::MAX)).filter(|_| digits.len() < 4)
        }
        word => lexicon::number(Word::Number, word),
    }
}

/// Returns the name that the entry gives: on its line, beside the id, in its sentence, at the end, or the sender's.
fn name(said: &Said<'_>, member: Option<&MemberId>) -> String {
    let line = said.sentences.iter().find_map(|s| {
        let names = ["name", "full name", "player", "your name", "nombre", "nom", "nome", "naam"];
        s.field().filter(|(name, _)| names.contains(name))?;
        s.text.split_once(':').map(|(_, value)| value.trim().to_owned())
    });
    let beside = || {
        let member = member?;
        let sentence = said.sentences.iter().find(|s| s.text.contains(&member.0))?;
        let (before, behind) = sentence.text.split_once(&member.0)?;
        near_name(before).or_else(|| first_name(behind))
    };
    let last = || {
        let mut lines = said.text.lines().map(str::trim).filter(|l| !l.is_empty());
        lines.next_back().filter(|l| is_name(l)).map(str::to_owned)
    };
    let closing = || {
        said.sentences.last().and_then(|s| {
            first_name(&format!(" {}", s.text)).filter(|n| n.len() + 1 >= s.text.len())
        })
    };
    let given = || Some(said.name.to_owned()).filter(|n| !n.is_empty() && !n.contains('@'));
    let written = line.filter(|n| !n.is_empty()).or_else(beside);
    written.or_else(last).or_else(closing).or_else(given).unwrap_or_default()
}

/// Returns the name that stands right before a member id, with at most a word for the id between them.
fn near_name(before: &str) -> Option<String> {
    // `Per Lindqvist from Duluth MN, ID …`
    let before = before
        .rsplit_once(" from ")
        .filter(|(name, _)| last_name(name).is_some())
        .map_or(before, |(name, _)| name);
    let name = last_name(before)?;
    let at = before.rfind(&name)?;
    let between = plain(before.get(at + name.len()..)?);
    let labels = [
        "id",
        "member",
        "number",
        "no",
        "uscf",
        "us",
        "chess",
        "is",
        "membership",
        "nr",
        "nummer",
        "#",
    ];
    let words = between.split(|c: char| !c.is_alphanumeric() && c != '#');
    words.filter(|w| !w.is_empty()).all(|word| labels.contains(&word)).then_some(name)
}

/// Returns the last name in a text.
fn last_name(text: &str) -> Option<String> {
    NAME.find_iter(text)
        .map(|m| m.as_str())
        .filter(|name| is_persons(name))
        .last()
        .map(str::to_owned)
}

/// Returns the name at the beginning of a text, behind signs.
fn first_name(text: &str) -> Option<String> {
    let found = NAME.find(text).filter(|m| {
        text.get(..m.start()).is_some_and(|before| !before.contains(char::is_alphanumeric))
    })?;
    Some(found.as_str().trim_end_matches('.').to_owned()).filter(|name| is_persons(name))
}

/// Tells whether words with capitals are rather a person's than a tournament's.
fn is_persons(name: &str) -> bool {
    let words = [
        "golden",
        "knights",
        "please",
        "championship",
        "us",
        "uscf",
        "id",
        "member",
        "entries",
        "entry",
        "event",
        "dear",
        "hello",
        "thanks",
        "regards",
        "squires",
        "palciauskas",
        "chess",
        "hi",
        "sincerely",
    ];
    let name = plain(name);
    !name.split(' ').any(|word| words.contains(&word.trim_end_matches('.')))
}

/// Tells whether a line looks like a person's name.
fn is_name(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let capital = |w: &&str| {
        w.starts_with(char::is_uppercase)
            && w.chars().all(|c| c.is_alphabetic() || ".'-’".contains(c))
    };
    (2..=4).contains(&words.len()) && words.iter().all(capital) && is_persons(line)
}
