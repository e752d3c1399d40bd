//! Changes of address, by email or post.
//!
//! Grammar: the sender says that he has a new address (`my new email address is`, `New address from July 1:` over several
//! lines, `meine neue Adresse lautet`) or which to use (`please use … from now on`), and writes it. An address that he
//! merely writes from is not enough; nor is one in a signature, the opponent's, ours, or one that holds for a time. The
//! old one is the one that the words call so.

use super::{
    Found, Said,
    dates::{Calendar, Toward, When},
    people,
    phrases::{Sentence, short},
    postal,
    stated::{Hold, Words, is_joke},
};
use crate::{
    domain::{event::Trouble, intent::Intent},
    mail::{
        lexicon::{Key, Tags},
        understanding::Confidence,
    },
};
use chrono::NaiveDate;
use regex::Regex;
use std::{ops::Range, sync::LazyLock};

static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[A-Za-z0-9][A-Za-z0-9.!#$%&'*+/=_-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
        .expect("a valid pattern")
});

/// `I'm at odell@example.com now`: where one is reached from now on.
static AT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:i'm|i am|im|my mail is|my e-?mail is)(?: now)?(?: at)? \S+@\S+ now\b|\b(?:i'm|i am|im|my mail is|my e-?mail is) now(?: at)? \S+@")
        .expect("a valid pattern")
});

/// Reads a change of address.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let spoken = said.sentences.iter().enumerate().filter(|(_, s)| announces(s));
    let taken_back = said.taken_back();
    for (n, sentence) in spoken.take(super::CLOSELY) {
        if n < taken_back {
            let quoted = short(&sentence.text);
            found.aside(format!("`{quoted}` is taken back further down."));
            continue;
        }
        // `New address` as the subject only announces what the text says better.
        let subject = n == 0 && said.own_subject && !sentence.text.contains('@');
        if subject && said.sentences.iter().skip(1).any(announces) {
            continue;
        }
        let around = Tags::around(&sentence.plain);
        let quoted = short(&sentence.text);
        let Some(hold) = held(sentence, &around, said) else {
            let closed = said.sentences.iter().take(n).skip(1).any(is_closing);
            return take(n, &around, closed, &quoted, said, found);
        };
        found.aside(format!("`{quoted}` is not taken as a change of address: {hold}."));
    }
}

/// Tells whether a sentence speaks of a new address.
fn announces(sentence: &Sentence) -> bool {
    let this =
        || ["to this address", "use this address"].iter().any(|w| sentence.plain.contains(w));
    let used = sentence.tags.has(Key::UseAddress) && (sentence.text.contains('@') || this());
    let at = sentence.text.contains('@') && AT.is_match(&sentence.plain);
    used || at || sentence.tags.has(Key::NewAddress)
}

/// Tells why the words are no change of the sender's address.
fn held(sentence: &Sentence, around: &Tags, said: &Said<'_>) -> Option<&'static str> {
    let tags = sentence.tags.each(Key::NewAddress).chain(sentence.tags.each(Key::UseAddress));
    let hold = tags.into_iter().find_map(|tag| {
        let words = Words::tagged(sentence, tag, around);
        // `please` makes no third person of the director's reader.
        let another = words.of_another() && !is_own(words.text()) || is_of_another(&words);
        let asked = around.has(Key::Please) && words.text().starts_with("change ");
        let ignored: &[Hold] =
            if asked { &[Hold::Elsewhere, Hold::Question] } else { &[Hold::Elsewhere] };
        let hold = words.held_but(ignored).map(Hold::why);
        hold.or_else(|| another.then_some("it is somebody else's"))
    });
    let hold = hold.or_else(|| is_joke(said).then_some(Hold::Joke.why()));
    hold.or_else(|| names_another(sentence, said).then_some("it is somebody else's"))
}

/// Tells whether words say whose the address is: `my new address`.
fn is_own(words: &str) -> bool {
    const OWN: [&str; 10] =
        ["my", "mein", "meine", "ma", "mon", "mi", "mio", "mijn", "minha", "min"];
    words.split(' ').any(|word| OWN.contains(&word))
}

/// Tells whether a sentence names somebody who plays with the sender.
fn names_another(sentence: &Sentence, said: &Said<'_>) -> bool {
    people::names_another(&Sentence::of(&EMAIL.replace_all(&sentence.text, " ")), said)
}

/// `its new address`, `the new address of the shop`: whose it is stands before or behind the words.
fn is_of_another(words: &Words<'_>) -> bool {
    const HAS: [&str; 6] = ["had a", "has a", "hat eine", "a une", "tiene una", "heeft een"];
    let before = words.before().trim_end().rsplit(' ').next().unwrap_or_default();
    // `I had a new address once`, `the club has a new address`.
    if HAS.iter().any(|has| words.before().trim_end().ends_with(has)) {
        return true;
    }
    let others = [
        "its", "our", "his", "her", "their", "your", "whose", "ihre", "seine", "sa", "son", "su",
        "suo", "sua", "zijn", "haar",
    ];
    let article = matches!(before, "the" | "a" | "die" | "la" | "de" | "o" | "il");
    let of = [" of ", " von ", " de ", " di ", " van "];
    others.contains(&before)
        || before.ends_with("'s")
        || article && of.iter().any(|of| words.behind().starts_with(of))
}

/// What the mail says of addresses.
#[derive(Default)]
struct Change {
    old: Option<String>,
    new: Vec<String>,
}

fn take(n: usize, around: &Tags, closed: bool, quoted: &str, said: &Said<'_>, found: &mut Found) {
    let Some(sentence) = said.sentences.get(n) else { return };
    if said.players.is_empty() {
        let reason =
            format!("`{quoted}` speaks of a new address; the sender is not known by his own.");
        found.trouble(Trouble::SenderUnknown, reason);
    }
    if said.players.len() > 1 {
        let reason =
            format!("`{quoted}`: whose address it is of those who use this one, it does not say.");
        return found.trouble(Trouble::ForDirector, reason);
    }
    let mut change = Change::default();
    // The old address may stand in the sentence before: `my old address … will stop; please use …`.
    for (at, sentence) in said.sentences.iter().enumerate().skip(n.saturating_sub(1)).take(5) {
        let around = if at == n { around } else { &Tags::around(&sentence.plain) };
        let near = at == n || at > n && change.new.is_empty() && at <= n + 2;
        change.add(sentence, around, near, said);
    }
    change.part(said);
    let calendar = Calendar::of(said, Toward::Ahead);
    let times: Vec<When> = calendar.spans(&sentence.plain).into_iter().map(|s| s.when).collect();
    // `Además les comunico mi nueva dirección` begins with `besides`.
    let limited = around.each(Key::LimitedUse).any(|tag| tag.at.start > 0);
    if limited || times.iter().any(|when| matches!(when, When::Between(..) | When::Until(_))) {
        let reason = format!(
            "`{quoted}` gives an address for a time, or beside another, which the director keeps."
        );
        return found.trouble(Trouble::ForDirector, reason);
    }
    let day = times.first().and_then(|when| when.first()).or_else(|| valid_from(n, calendar, said));
    let from = day.filter(|day| *day > said.postmark);
    let new = match &change.new[..] {
        [] => postal::address(sentence, said),
        [one] => Some(one.clone()),
        _ => None,
    };
    let Some(new) = new else {
        let intent = Intent::AddressChange { old: change.old, new: None, from };
        found.add(intent, Confidence::Unsure, format!("`{quoted}` speaks of a new address."));
        let reason = "Which address is the new one cannot be told.".to_owned();
        return found.trouble(Trouble::ForDirector, reason);
    };
    decide(change.old, &new, from, closed, quoted, said, found);
}

/// Returns the day of a line below: `Valid from: 1 July`.
fn valid_from(n: usize, calendar: Calendar, said: &Said<'_>) -> Option<NaiveDate> {
    const FROM: [&str; 9] =
        ["valid", "effective", "from", "as of", "as from", "starting", "gültig", "ab ", "à partir"];
    let below = said.sentences.iter().skip(n + 1).take(2);
    let mut below = below.filter(|s| FROM.iter().any(|from| s.plain.starts_with(from)));
    below.find_map(|s| calendar.spans(&s.plain).first().and_then(|span| span.when.first()))
}

impl Change {
    /// Takes the addresses of a sentence: those that its words call old, and the others.
    fn add(&mut self, sentence: &Sentence, around: &Tags, near: bool, said: &Said<'_>) {
        let places: Vec<Range<usize>> =
            EMAIL.find_iter(&sentence.plain).map(|m| m.range()).collect();
        for (k, at) in places.iter().enumerate() {
            let before = k.checked_sub(1).and_then(|k| places.get(k)).map_or(0, |p| p.end);
            let until = places.get(k + 1).map_or(sentence.plain.len(), |next| next.start);
            let email = sentence
                .plain
                .get(at.clone())
                .unwrap_or_default()
                .trim_end_matches(['.', '-'])
                .to_owned();
            if said.desk.house.is_ours(&email) {
                continue;
            }
            // `My old provider has closed, please write to …` calls what closed old, and not what comes.
            let comes = |from: usize| {
                let mut uses = sentence.tags.each(Key::UseAddress);
                uses.any(|t| from <= t.at.start && t.at.end <= at.start)
            };
            let called = |r: Range<usize>| {
                around
                    .each(Key::OldAddress)
                    .any(|t| r.start <= t.at.start && t.at.end <= r.end && !comes(t.at.end))
            };
            let old = called(before..at.start)
                || places.len() == 1
                    && called(at.end..until)
                    && !is_of_the_old(sentence, at.end..until);
            if old {
                self.old.get_or_insert(email);
            } else if near && !self.new.contains(&email) {
                self.new.push(email);
            }
        }
    }
}

impl Change {
    /// Of two addresses, `from theo@… to keating@…`, the one that the books have is the old one.
    fn part(&mut self, said: &Said<'_>) {
        let known = |email: &String| {
            said.desk.state.players_at(email).any(|player| said.players.contains(player))
        };
        if self.new.len() < 2 {
            return;
        }
        if let Some(at) = self.new.iter().position(known) {
            let old = self.new.remove(at);
            self.old.get_or_insert(old);
        }
    }
}

/// Tells whether the words behind an address speak of another, old one: `…, the old one closes`.
fn is_of_the_old(sentence: &Sentence, behind: Range<usize>) -> bool {
    const OLD: &[&str] = &[
        "old",
        "previous",
        "former",
        "alte",
        "bisherige",
        "ancienne",
        "anterior",
        "antigu",
        "vecchi",
        "precedente",
        "oude",
        "vorige",
        "antigo",
        "gaml",
        "stary",
        "stará",
        "starý",
        "старый",
        "прежний",
    ];
    let behind = sentence.plain.get(behind).unwrap_or_default();
    OLD.iter().any(|old| behind.contains(old))
}

fn decide(
    old: Option<String>,
    new: &str,
    from: Option<NaiveDate>,
    closed: bool,
    quoted: &str,
    said: &Said<'_>,
    found: &mut Found,
) {
    let state = said.desk.state;
    let known = state.players_at(new).any(|p| said.players.contains(p));
    if known && old.is_none() {
        return found.aside(format!("`{quoted}` gives an address that is known already."));
    }
    let anothers = state.players_at(new).any(|p| !said.players.contains(p));
    let strange =
        old.as_ref().is_some_and(|old| !state.players_at(old).any(|p| said.players.contains(p)));
    let reason = format!("`{quoted}` gives {new} as the new address.");
    let intent = Intent::AddressChange { old, new: Some(new.to_owned()), from };
    if anothers || strange {
        found.add(intent, Confidence::Unsure, reason);
        let reason = "The books have another player under one of the addresses, or nobody under the old one.";
        return found.trouble(Trouble::ForDirector, reason.to_owned());
    }
    if closed {
        let asks = format!("Is {new} your new address?");
        return found.ask(intent, asks, format!("my new address is {new}"), reason);
    }
    found.add(intent, Confidence::Certain, reason);
}

/// Tells whether a sentence closes the mail: what stands below may be a signature.
fn is_closing(sentence: &Sentence) -> bool {
    let plain = sentence.plain.trim_end_matches([',', '.', '!', ' ']);
    plain.len() < 40 && Tags::around(plain).each(Key::Closing).any(|t| t.at == (0..plain.len()))
}
