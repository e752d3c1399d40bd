//! Entries into a tournament (Rule 8).
//!
//! Grammar: a form with lines (`Name:`, `US Chess ID:`, `Entries: 2`, `Fee:`), or a sentence that asks for it (`please
//! enter me in the 2019 Golden Knights, 3 entries, ID 12345678, check enclosed 75.00`), in the text or in the sender's
//! own subject. A question whether one may enter is no entry.

use super::{
    Found, Said,
    phrases::{Words, has, plain},
};
use crate::{
    domain::{
        event::Trouble,
        ids::{MemberId, TournamentId},
        tournament::Tournament,
    },
    mail::understanding::{Confidence, Intent},
};
use regex::Regex;
use std::sync::LazyLock;

/// The most entries that one mail can mean; more is a slip.
const COUNT: u8 = 20;
/// Phrases that ask for an entry, in lower case.
static PHRASES: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "enter me",
        "sign me up",
        "register me",
        "i enter",
        "i want to enter",
        "i would like to enter",
        "i'd like to enter",
        "i wish to enter",
        "i am entering",
        "i'm entering",
        "enter my",
        "count me in",
        "please enter",
        "put me down",
        "i would like to play in",
        "i'd like to play in",
        "i want to play in",
        "i would like to register",
        "i'd like to register",
        "i want to register",
        "my entry for",
        "my entry to",
        "my entry into",
        "entry into the",
        "here is my entry",
        "here are my entries",
        "ich melde mich an",
        "bitte melden sie mich",
        "je m'inscris",
        "me inscribo",
    ])
});
/// Words that undo or change an entry that was made.
const UNDOING: [&str; 9] =
    ["cancel", "withdraw", "remove", "delete", "refund", "change", "correct", "reduce", "increase"];
/// Words for numbers, from one on.
const NUMBERS: [&str; 10] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

static MEMBER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|[^\w.@+-])(\d{8})(?:$|[^\w@])").expect("a valid pattern"));
static COUNTED: LazyLock<Regex> = LazyLock::new(|| {
    let number = format!(r"(\d{{1,3}}|an?|another|{})", NUMBERS.join("|"));
    let things = r"entry|entries|sections|times|startpl[aä]tze?|startplatz|anmeldung(?:en)?|places|inscriptions?|inscripci[oó]n(?:es)?|iscrizion[ei]";
    Regex::new(&format!(r"\b{number} (?:more |new |paid )?(?:{things})\b|\bentries ?(?:x|:|=|-) ?(\d{{1,3}})\b|\benter me {number} times\b|\b(twice)\b"))
        .expect("a valid pattern")
});
/// A small number by itself: no year, no amount, no date, no member's number.
static LONE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[ (])([2-9]|10)(?:[ ),;!]|[.](?: |$)|$)").expect("a valid pattern")
});
/// Words that liken this entry to another year's and say nothing against it.
static AS_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:same )?(?:as|like) (?:in |i did )?last year\b").expect("a valid pattern")
});
static YEAR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(20\d\d)\b").expect("a valid pattern"));
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i:enter me|register me|sign me up),? \(?\s*([\p{Lu}][\p{L}'.-]*(?: [\p{L}'.-]+){1,3})\s*[,;(]").expect("a valid pattern")
});

/// Reads an entry.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let Some(why) = asked(said, found) else { return };
    let all = format!("{}\n{}", said.subject, said.text);
    let members = members(said);
    if members.len() > 1 {
        let reason = "Several member ids are named; one entry form a mail can be read.".to_owned();
        return found.trouble(Trouble::ForDirector, reason);
    }
    let (event, event_reason) = event(said, &all);
    let Some(count) = count(said, &all) else {
        let reason = "How many entries are meant cannot be told.".to_owned();
        return found.trouble(Trouble::ForDirector, reason);
    };
    let known = match said.players {
        [one] => Some(one.clone()),
        _ => None,
    };
    let entry = Intent::Entry {
        event,
        count,
        member_id: members.into_iter().next().or(known),
        name: name(said),
        paid: paid(said),
        postmark: said.postmark,
    };
    let entries = if count == 1 { "one entry".to_owned() } else { format!("{count} entries") };
    found.add(entry, Confidence::Certain, format!("{why}: {entries}. {event_reason}"));
}

/// Tells what asks for an entry.
fn asked(said: &Said<'_>, found: &mut Found) -> Option<String> {
    for sentence in &said.sentences {
        let plain = sentence.plain.as_str();
        let Some(phrase) = PHRASES.found(plain).or_else(|| wish(plain)) else { continue };
        if UNDOING.iter().any(|word| has(plain, word)) {
            let quoted = super::phrases::short(&sentence.text);
            let reason = format!("`{quoted}` would change an entry, which the director does.");
            found.trouble(Trouble::ForDirector, reason);
            return None;
        }
        // `I would like to enter` is how one asks politely; only a question, a denial or an `if` is not asking.
        let asks = !sentence.question
            || sentence.plain.starts_with("please")
            || sentence.plain.contains("could you");
        let held = ["if", "unless", "not", "don't", "cannot", "last year", "already"];
        let unlike = AS_BEFORE.replace_all(&sentence.plain, "");
        if asks && !held.iter().any(|word| has(&unlike, word)) {
            return Some(format!("`{phrase}` asks for an entry"));
        }
        let quoted = super::phrases::short(&sentence.text);
        found.reasons.push(format!(
            "`{quoted}` asks for no entry: it is a question, a condition or a denial."
        ));
    }
    form(said)
}

/// Finds a wish for so many entries: `I'd like another two entries`.
fn wish(plain: &str) -> Option<&str> {
    let wished = ["please", "like", "want", "add"].iter().any(|word| has(plain, word));
    let counted = if wished { COUNTED.find(plain) } else { None };
    counted.map(|m| m.as_str()).filter(|m| m.contains("entr"))
}

/// Finds a form: lines for the count or the id, and another of its lines or a subject that speaks of an entry.
fn form(said: &Said<'_>) -> Option<String> {
    let lines: Vec<&str> =
        said.sentences.iter().filter_map(|s| s.field().map(|(name, _)| name)).collect();
    let is = |names: &[&str]| lines.iter().any(|line| names.contains(line));
    let count = is(&["entries", "number of entries", "entry", "sections"]);
    let member = is(&[
        "us chess id",
        "uscf id",
        "member id",
        "id",
        "member",
        "membership",
        "us chess",
        "uscf",
        "us chess member id",
    ]);
    let fee = is(&["fee", "entry fee", "payment", "enclosed", "fees"]);
    let event = is(&["event", "tournament"]);
    let subject = plain(said.subject);
    let spoken = said.own_subject
        && ["entry", "entries", "entering", "registration"].iter().any(|w| has(&subject, w));
    let parts = [count, member, fee, event, spoken, is(&["name", "player"])];
    let enough = parts.iter().filter(|p| **p).count() >= 2
        && (count || (member && (fee || event || spoken)));
    let results = lines.iter().any(|line| line.contains("result"));
    (enough && !results).then(|| "The mail is an entry form".to_owned())
}

/// Returns the member ids, those that a word names as such if there are any.
fn members(said: &Said<'_>) -> Vec<MemberId> {
    let mut all: Vec<(MemberId, bool)> = Vec::new();
    for sentence in &said.sentences {
        let labelled = ["id", "member", "uscf", "us chess"].iter().any(|w| has(&sentence.plain, w));
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

/// Returns how many entries; none where the number makes no sense.
fn count(said: &Said<'_>, all: &str) -> Option<u8> {
    let field = said.sentences.iter().find_map(|s| {
        let (_, value) = s.field().filter(|(n, _)| {
            matches!(*n, "entries" | "number of entries" | "entry" | "sections")
        })?;
        value.split([' ', ',', '(', '.']).next().map(str::to_owned).filter(|v| number(v).is_some())
    });
    let text = plain(all);
    let counted = || {
        let found = COUNTED.captures(&text)?;
        (1..=4).find_map(|n| found.get(n)).map(|m| m.as_str().to_owned())
    };
    match field.or_else(counted) {
        Some(word) => number(&word).filter(|n| (1..=COUNT).contains(n)),
        // A number of something that is not known here may well be the number of entries.
        None => said
            .sentences
            .iter()
            .filter(|s| PHRASES.found(&s.plain).is_some())
            .all(|s| !LONE.is_match(&s.plain))
            .then_some(1),
    }
}

fn number(word: &str) -> Option<u8> {
    match word {
        "a" | "an" | "another" => Some(1),
        "twice" => Some(2),
        _ => {
            let spelled =
                NUMBERS.iter().position(|n| *n == word).and_then(|n| u8::try_from(n + 1).ok());
            spelled.or_else(|| {
                word.chars().all(|c| c.is_ascii_digit()).then(|| word.parse().unwrap_or(u8::MAX))
            })
        }
    }
}

/// Returns the tournament that is named, and how that was told. A year beside the name must be the tournament's.
fn event(said: &Said<'_>, all: &str) -> (Option<TournamentId>, String) {
    let lines: Vec<String> = all.lines().map(plain).collect();
    let mut fitting: Vec<&Tournament> = Vec::new();
    let mut named = false;
    for tournament in said.desk.rules.tournaments.values() {
        let own = names(tournament);
        let naming: Vec<&String> = lines.iter().filter(|l| own.iter().any(|n| has(l, n))).collect();
        named |= !naming.is_empty();
        if has(&naming_text(&naming), &tournament.id.0.to_lowercase()) {
            return (Some(tournament.id.clone()), format!("It names {}.", tournament.name));
        }
        let years: Vec<&str> =
            naming.iter().flat_map(|l| YEAR.find_iter(l)).map(|m| m.as_str()).collect();
        let fits = |year: &&str| tournament.name.contains(*year) || tournament.id.0.contains(*year);
        if !naming.is_empty() && (years.is_empty() || years.iter().any(fits)) {
            fitting.push(tournament);
        }
    }
    match fitting[..] {
        [only] => (Some(only.id.clone()), format!("It names {}.", only.name)),
        [] if named => (None, "The tournament it names is not one of this year's here.".to_owned()),
        [] => (None, "It names no tournament that is held here.".to_owned()),
        _ => (None, format!("{} tournaments here have the name it gives.", fitting.len())),
    }
}

fn naming_text(lines: &[&String]) -> String {
    lines.iter().map(|l| l.as_str()).collect::<Vec<_>>().join("\n")
}

fn names(tournament: &Tournament) -> Vec<String> {
    let mut names: Vec<String> = tournament.aliases.clone();
    names.push(plain(&tournament.name));
    names.push(tournament.id.0.to_lowercase());
    names
}

/// Returns the name that the entry gives: on its line, in its sentence, or the sender's.
fn name(said: &Said<'_>) -> String {
    let line = said.sentences.iter().find_map(|s| {
        s.field().filter(|(n, _)| matches!(*n, "name" | "full name" | "player" | "your name"))?;
        s.text.split_once(':').map(|(_, value)| value.trim().to_owned())
    });
    let sentence = || NAMED.captures(said.text).map(|found| found[1].trim().to_owned());
    let last = || {
        said.text
            .lines()
            .map(str::trim)
            .rfind(|l| !l.is_empty())
            .filter(|l| is_name(l))
            .map(str::to_owned)
    };
    let written = line.filter(|n| !n.is_empty()).or_else(sentence);
    let given = || Some(said.name.to_owned()).filter(|n| !n.is_empty() && !n.contains('@'));
    written.or_else(last).or_else(given).unwrap_or_default()
}

/// Tells whether a line looks like a person's name.
fn is_name(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let capital = |w: &&str| {
        w.starts_with(char::is_uppercase)
            && w.chars().all(|c| c.is_alphabetic() || ".'-’".contains(c))
    };
    (2..=4).contains(&words.len()) && words.iter().all(capital)
}

/// Tells whether the mail speaks of the fee as paid or enclosed. Whether it is in the director's hands he knows.
fn paid(said: &Said<'_>) -> bool {
    const WORDS: &[&str] = &[
        "check enclosed",
        "enclosed",
        "paid",
        "by check",
        "check for",
        "payment sent",
        "money order",
        "in the mail",
        "paypal",
        "by card",
        "via zelle",
    ];
    let speaks =
        said.sentences.iter().filter(|s| !s.question && WORDS.iter().any(|w| has(&s.plain, w)));
    let denies = ["not", "will", "later", "unpaid", "how do i", "shall", "haven't"];
    speaks.into_iter().any(|s| !denies.iter().any(|w| has(&s.plain, w)))
}
