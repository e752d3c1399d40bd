//! Forgiving spelling: the words of a line as they are written in a mail become the words of the command line, which clap
//! reads. Fillers go, a day or a name finds its place, a score and how a game ended are read in other spellings. Whoever
//! writes options as at the command line is left alone.

use crate::domain::{
    ids::SectionCode,
    points::{How, Score},
};
use chrono::NaiveDate;

/// What a first word stands for: the command line's word, and others that people write.
const VERBS: &[(&str, &[&str])] = &[
    ("result", &["results"]),
    ("forfeit", &["forfeits"]),
    ("adjudicate", &["adjudicated", "adjudge"]),
    ("withdraw", &["withdrawal", "withdrawn"]),
    ("died", &["death", "deceased"]),
    ("leave", &[]),
    ("substitute", &["sub"]),
    ("take", &["advance"]),
    ("entry", &["enter"]),
    ("payment", &["pay", "paid"]),
    ("entries-assigned", &[]),
    ("address", &[]),
    ("renew", &["renewed"]),
    ("apart", &[]),
    ("merge", &[]),
    ("undo", &[]),
    ("resend", &[]),
];
/// Words that say nothing where a number, a code or a day is expected.
const FILLERS: &[&str] = &[
    "member",
    "section",
    "game",
    "seat",
    "with",
    "by",
    "for",
    "into",
    "to",
    "until",
    "till",
    "through",
    "from",
    "-",
    "–",
    "item",
    "transaction",
    "letter",
    "of",
    "on",
    "in",
    "and",
    "number",
    "no",
    "nr",
    "#",
    "the",
    "postmark",
    "received",
    "vs",
    "against",
];

/// Returns the command line's word for a first word.
pub(super) fn verb(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let known = VERBS.iter().find(|(verb, also)| *verb == word || also.contains(&word.as_str()));
    known.map(|(verb, _)| *verb)
}

/// Returns the words of an order as clap reads them. `reason` is what stood behind a colon.
pub(super) fn order(verb: &str, words: &[String], reason: Option<&str>) -> Vec<String> {
    let mut said = vec![verb.to_owned()];
    if words.iter().any(|word| word.starts_with("--")) {
        said.extend(words.iter().cloned());
        said.extend(reason.map(|reason| format!("--reason={reason}")));
        return said;
    }
    let plain = |word: &&String| !FILLERS.contains(&word.to_lowercase().as_str());
    let words: Vec<&str> = words.iter().filter(plain).map(String::as_str).collect();
    said.extend(match verb {
        "result" => result(&words),
        "forfeit" => forfeit(&words),
        "adjudicate" => scored(&words),
        "withdraw" => withdraw(&words),
        "entry" => entry(&words),
        "payment" => payment(&words, reason),
        "address" => address(&words, reason),
        "apart" => apart(&words),
        "leave" => words.iter().flat_map(|word| word.split("..")).map(str::to_owned).collect(),
        _ => words.iter().map(|word| id(word)).collect(),
    });
    let takes_reason = !matches!(
        verb,
        "payment" | "address" | "apart" | "entry" | "died" | "renew" | "merge" | "resend"
    );
    said.extend(reason.filter(|_| takes_reason).map(|reason| format!("--reason={reason}")));
    if verb == "undo" && reason.is_none() {
        said.push("--reason=by the director's word".to_owned());
    }
    said
}

/// Returns an id in capitals, as the books have it: `gk2019-031`. A section is found in any spelling.
fn id(word: &str) -> String {
    let is_id = word.contains(|c: char| c.is_ascii_digit())
        && word.starts_with(|c: char| c.is_ascii_alphabetic())
        && !word.contains('@');
    if is_id { word.to_uppercase() } else { word.to_owned() }
}

/// Returns two seats with a hyphen between them: `3v1`, `3–1`, `3:1`.
fn seats(word: &str) -> String {
    word.replace(['–', '—', ':', 'v', 'x', '/'], "-")
}

/// Returns a score as the books spell it, where the word is one.
pub(super) fn score(word: &str) -> Option<&'static str> {
    let plain = word.to_lowercase().replace([':', '–', '—'], "-").replace('½', "1/2");
    let plain = match plain.as_str() {
        "draw" | "drawn" | "=" | "1/2" | "0.5-0.5" | ".5-.5" | "remis" => "1/2-1/2",
        other => other,
    };
    plain.parse().ok().map(Score::text)
}

/// Section, seats and score, with what follows.
fn scored(words: &[&str]) -> Vec<String> {
    let mut said: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    if let Some(game) = said.get_mut(1) {
        *game = seats(game);
    }
    if let Some(result) = said.get_mut(2) {
        *result = score(result).map_or_else(|| result.clone(), str::to_owned);
    }
    said
}

fn result(words: &[&str]) -> Vec<String> {
    let mut said = scored(&words[..words.len().min(3)]);
    if let Some(how) = words.get(3..).filter(|how| !how.is_empty()) {
        let joined = how.join("-").to_lowercase();
        said.push(way(&joined).map_or(joined, |how| how.text().to_owned()));
    }
    said
}

/// Returns how a game ended, in the words that people have for it.
fn way(word: &str) -> Option<How> {
    const WAYS: &[(&str, How)] = &[
        ("adjud", How::Adjudication),
        ("resign", How::Resignation),
        ("gave-up", How::Resignation),
        ("stalemate", How::Stalemate),
        ("mate", How::Mate),
        ("agree", How::Agreement),
        ("repet", How::Repetition),
        ("fifty", How::FiftyMoves),
        ("50", How::FiftyMoves),
        ("material", How::Material),
        ("time", How::TimeForfeit),
        ("silen", How::SilenceForfeit),
        ("withdr", How::Withdrawal),
        ("admin", How::Administrative),
        ("double", How::DoubleForfeit),
        ("death", How::Death),
        ("died", How::Death),
        ("played", How::Played),
    ];
    let exact = word.parse().ok();
    exact.or_else(|| WAYS.iter().find(|(part, _)| word.contains(part)).map(|(_, how)| *how))
}

/// Section and seats, who loses and why. A score says who loses as well.
fn forfeit(words: &[&str]) -> Vec<String> {
    let mut said = scored(&words[..words.len().min(2)]);
    for word in words.iter().skip(2) {
        let word = word.to_lowercase();
        let loser = match (word.as_str(), score(&word)) {
            ("white" | "black" | "both", _) => Some(word.as_str()),
            (_, Some("1-0")) => Some("black"),
            (_, Some("0-1")) => Some("white"),
            (_, Some("0-0")) | ("double", _) => Some("both"),
            _ => None,
        };
        let how = match way(&word) {
            Some(How::TimeForfeit) => Some("time"),
            Some(How::SilenceForfeit) => Some("silence"),
            Some(How::Withdrawal) => Some("withdrawal"),
            Some(How::Administrative) => Some("administrative"),
            _ => None,
        };
        match (loser, how) {
            (Some(loser), _) => said.push(format!("--loser={loser}")),
            (None, Some(how)) => said.push(format!("--how={how}")),
            (None, None) if matches!(word.as_str(), "loses" | "lost" | "forfeit" | "forfeits") => {}
            (None, None) => said.push(word),
        }
    }
    said
}

fn withdraw(words: &[&str]) -> Vec<String> {
    let place = |word: &&str| match SectionCode::read(word) {
        Some(_) => format!("--section={word}"),
        None => format!("--event={}", id(word)),
    };
    let all = |word: &&&str| matches!(word.to_lowercase().as_str(), "all" | "everything");
    let member = words.iter().take(1).map(|&word| word.to_owned());
    member.chain(words.iter().skip(1).filter(|w| !all(w)).map(place)).collect()
}

fn day(word: &str) -> Option<NaiveDate> {
    word.parse().ok()
}

/// Tournament and member, in either order; a day is the postmark, a small number how many entries.
fn entry(words: &[&str]) -> Vec<String> {
    let mut said = event_first(words);
    for word in words.iter().skip(2) {
        let plain = word.to_lowercase();
        match plain.as_str() {
            "paid" => said.push("--paid".to_owned()),
            "entry" | "entries" => {}
            _ if day(&plain).is_some() => said.push(format!("--postmark={plain}")),
            _ => said.push(format!("--count={plain}")),
        }
    }
    said
}

/// Tournament, member and amount; a day is when it came, all else the bank's word for it.
fn payment(words: &[&str], reason: Option<&str>) -> Vec<String> {
    let mut said = event_first(words);
    let mut reference: Vec<&str> = Vec::new();
    for word in words.iter().skip(2) {
        let currency = word.len() == 3 && word.bytes().all(|b| b.is_ascii_uppercase());
        if said.len() == 2 {
            said.push(word.trim_start_matches('$').to_owned());
        } else if day(word).is_some() {
            said.push(format!("--received={word}"));
        } else if currency {
            said.push(format!("--currency={word}"));
        } else if !matches!(word.to_lowercase().as_str(), "ref" | "reference") {
            reference.push(word);
        }
    }
    reference.extend(reason);
    if !reference.is_empty() {
        said.push(format!("--reference={}", reference.join(" ")));
    }
    said
}

fn event_first(words: &[&str]) -> Vec<String> {
    let mut said: Vec<String> = words.iter().take(2).map(|word| id(word)).collect();
    let is_number = |word: &String| word.bytes().all(|b| b.is_ascii_digit());
    if let [one, other] = &said[..]
        && is_number(one)
        && !is_number(other)
    {
        said.reverse();
    }
    said
}

/// Member and address; of two the first one goes. Behind a colon stands a postal address.
fn address(words: &[&str], postal: Option<&str>) -> Vec<String> {
    let bare = |word: &&str| word.trim_matches(['<', '>', '"']).to_owned();
    let mut said: Vec<String> = words.iter().take(1).map(bare).collect();
    let rest: Vec<String> = words.iter().skip(1).filter(|w| w.contains('@')).map(bare).collect();
    match &rest[..] {
        [old, new] => said.extend([new.clone(), format!("--old={old}")]),
        _ => said.extend(rest),
    }
    said.extend(postal.map(|postal| format!("--postal={postal}")));
    said
}

fn apart(words: &[&str]) -> Vec<String> {
    let lifts = |word: &&str| matches!(word.to_lowercase().as_str(), "lift" | "lifted" | "again");
    let lifted = words.iter().any(lifts);
    let members = words.iter().filter(|word| !lifts(word)).map(|&word| word.to_owned());
    members.chain(lifted.then(|| "--lift".to_owned())).collect()
}
