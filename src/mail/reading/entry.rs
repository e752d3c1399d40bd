//! Entries into a tournament (Rule 8).
//!
//! Grammar: a form with lines (`Name:`, `US Chess ID:`, `Entries: 2`, `Fee:`), or a sentence that asks for it (`please
//! enter me in the 2019 Golden Knights, 3 entries, ID 12345678, check enclosed 75.00`), in the text or in the sender's
//! own subject. One mail may enter several people (`applicant.rs`). Wishes beside it are kept in the sender's words.
//!
//! A question whether one may enter is no entry, nor is what enters something else: a result, an endgame.

use super::{
    Found, Said,
    applicant::{self, Applicant, COUNT_LINES, FEE_LINES, MEMBER_LINES, applicants, has_id},
    enters::{self, Afterwards, Request, counts},
    known::Known,
    phrases::{Sentence, Words, has, plain, short},
};
use crate::{
    domain::{
        event::Trouble,
        ids::TournamentId,
        intent::{Choice, Intent},
        tournament::Tournament,
    },
    mail::{lexicon::Key, understanding::Confidence},
};
use regex::Regex;
use std::{cell::OnceCell, sync::LazyLock};

/// Words that undo or change an entry that was made.
static UNDOING: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "cancel",
        "withdraw",
        "remove",
        "delete",
        "refund",
        "change",
        "correct",
        "reduce",
        "increase",
        "transfer",
        "undo",
        "take back",
        "move my entry",
        "swap",
        "instead of",
        "rather than",
        "fewer",
        "one less",
        "entry less",
        "entries less",
        "by mistake",
        "drop",
        "stornieren",
        "abmelden",
        "annuler",
        "cancelar",
        "annullare",
        "annuleren",
    ])
});
static YEAR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(20\d\d)\b").expect("a valid pattern"));

/// Reads entries.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    match labelled(said).or_else(|| parted(said)) {
        Some(sentences) => read_from(
            &Said {
                sentences,
                known: Known::default(),
                records: Vec::new(),
                whole: OnceCell::new(),
                ..*said
            },
            found,
        ),
        None => read_from(said, found),
    }
}

/// Parts sentences behind the dot of a member id: for the others the dot of a number ends none.
fn parted(said: &Said<'_>) -> Option<Vec<Sentence>> {
    static BEHIND: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\d{8}[.] ").expect("a valid pattern"));
    let parts = |s: &Sentence| match BEHIND.find(&s.text) {
        Some(dot) => {
            let (before, behind) = s.text.split_at(dot.end());
            vec![Sentence::of(before), Sentence::of(behind)]
        }
        None => vec![s.clone()],
    };
    let any = said.sentences.iter().any(|s| BEHIND.is_match(&s.text));
    any.then(|| said.sentences.iter().flat_map(parts).collect())
}

/// Puts a colon behind the labels of a form that has none, as a table in HTML leaves it: `Member ID 12345678`.
fn labelled(said: &Said<'_>) -> Option<Vec<Sentence>> {
    let label = |s: &Sentence| {
        let lists = [COUNT_LINES, MEMBER_LINES, FEE_LINES, &["event", "tournament", "name"]];
        let all = lists.into_iter().flatten().filter(|l| {
            s.plain.strip_prefix(**l).is_some_and(|rest| rest.starts_with(' '))
                && s.plain.len() < 60
        });
        all.max_by_key(|l| l.len()).filter(|_| s.plain.len() == s.text.len())
    };
    let labels = said.sentences.iter().filter(|s| label(s).is_some()).count();
    let colon = |s: &Sentence| match label(s).and_then(|l| s.text.split_at_checked(l.len())) {
        Some((name, value)) => Sentence::of(&format!("{name}:{value}")),
        None => s.clone(),
    };
    (labels > 2).then(|| said.sentences.iter().map(colon).collect())
}

fn read_from(said: &Said<'_>, found: &mut Found) {
    if enters::is_advertised(said) {
        return found
            .reasons
            .push("It advertises something, and the sender is not known.".to_owned());
    }
    let Some((why, mut sure)) = asked(said, found) else { return };
    if enters::has_slipped(said) {
        let reason = format!("{why}, and an entry has gone wrong before.");
        return found.trouble(Trouble::ForDirector, reason);
    }
    let all = format!("{}\n{}", said.subject, said.text);
    let (event, event_reason) = event(said, &all);
    if event.is_none() && said.players.is_empty() && !applicant::has_member(said) {
        return found.reasons.push(format!("{why}, but names neither a tournament nor a member."));
    }
    let mut applicants = match applicants(said) {
        Ok(applicants) => applicants,
        Err(why) => return found.trouble(Trouble::ForDirector, why),
    };
    let as_last_year = applicants.iter().any(|a| a.count.is_none())
        && said.sentences.iter().any(|s| s.plain.contains("same as last year"));
    // Whoever wants the same as last year means a number that is not known here.
    let elsewhere = event.is_none() && !is_named(said, &all) && enters::names_something(said);
    if as_last_year || elsewhere || enters::is_doubtful(said) {
        sure = Confidence::Probable;
    }
    match (enters::afterwards(said), &mut applicants[..]) {
        (Afterwards::Stands, _) => {}
        (Afterwards::Counts(n), [one]) => {
            one.count = Some(n);
            sure = Confidence::Probable;
        }
        (Afterwards::Counts(_), _) => sure = Confidence::Probable,
        (Afterwards::TakenBack, _) => {
            let reason = format!("{why}, and something in the mail is taken back.");
            return found.trouble(Trouble::ForDirector, reason);
        }
    }
    let reason = (why.as_str(), event_reason.as_str());
    add(said, found, &applicants, event.as_ref(), sure, reason);
}

/// Adds the entry of each.
fn add(
    said: &Said<'_>,
    found: &mut Found,
    applicants: &[Applicant],
    event: Option<&TournamentId>,
    sure: Confidence,
    (why, event_reason): (&str, &str),
) {
    let (paid, wishes) = (paid(said), wishes(said));
    let mut all = Vec::new();
    for Applicant { name, member_id, count } in applicants.iter().cloned() {
        let nobody = member_id.is_none() && said.players.is_empty();
        let count = count.unwrap_or(1);
        let entries = if count == 1 { "one entry".to_owned() } else { format!("{count} entries") };
        let reason = format!("{why}: {entries} for {name}. {event_reason}");
        let (event, postmark, wishes) = (event.cloned(), said.postmark, wishes.clone());
        let entry = Intent::Entry { event, count, member_id, name, paid, postmark, wishes };
        found.add(entry.clone(), sure, reason);
        all.push((entry, entries));
        if nobody {
            let reason = "The entry gives no member id, and the sender is not known.".to_owned();
            found.trouble(Trouble::SenderUnknown, reason);
        }
    }
    if sure < Confidence::Certain {
        let says: Vec<String> = all.iter().map(|(_, entries)| entries.clone()).collect();
        let says = says.join(", ");
        let intents = all.into_iter().map(|(entry, _)| entry).collect();
        found.doubt(format!("Do you ask for {says}?"), vec![Choice { says, intents }]);
    }
}

/// Tells what asks for an entry, and whether it can mean nothing else.
fn asked(said: &Said<'_>, found: &mut Found) -> Option<(String, Confidence)> {
    let mut asked: Option<(String, Confidence)> = None;
    for sentence in &said.sentences {
        let Some(Request { words, plain }) = enters::request(sentence, said) else { continue };
        let quoted = short(&sentence.text);
        if UNDOING.are_in(&sentence.plain) {
            let reason = format!("`{quoted}` would change an entry, which the director does.");
            found.trouble(Trouble::ForDirector, reason);
            return None;
        }
        if enters::is_meant(sentence, said) {
            let sure = if plain { Confidence::Certain } else { Confidence::Probable };
            let known = asked.take().filter(|(_, known)| *known >= sure);
            asked = known.or_else(|| Some((format!("`{words}` asks for an entry"), sure)));
        } else {
            if asked.is_some() && enters::denies(sentence) {
                let reason = format!("`{quoted}` takes back the entry that the mail asked for.");
                found.trouble(Trouble::ForDirector, reason);
                return None;
            }
            found.reasons.push(format!(
                "`{quoted}` asks for no entry: it is a question, a condition, a denial, or about something else."
            ));
        }
    }
    asked.or_else(|| form(said).map(|why| (why, Confidence::Certain)))
}

/// Finds a form: lines for the count or the id, and another of its lines or a subject that speaks of an entry; or a list
/// of members below the name of a tournament.
fn form(said: &Said<'_>) -> Option<String> {
    let lines: Vec<&str> =
        said.sentences.iter().filter_map(|s| s.field().map(|(name, _)| name)).collect();
    let is = |names: &[&str]| lines.iter().any(|line| names.contains(line));
    let count = is(COUNT_LINES);
    let member = is(MEMBER_LINES);
    let fee = is(FEE_LINES);
    let event = is(&["event", "tournament"]);
    let subject = plain(said.subject);
    let words = ["entry", "entries", "entering", "registration", "anmeldung", "inscription"];
    let spoken = said.own_subject && words.iter().any(|w| has(&subject, w));
    let parts = [count, member, fee, event, spoken, is(&["name", "player"])];
    let enough = parts.iter().filter(|p| **p).count() >= 2
        && (count || (member && (fee || event || spoken)));
    let results = lines.iter().any(|line| line.contains("result"));
    let refused = |s: &Sentence| enters::refuses(s) || UNDOING.are_in(&s.plain);
    let listed = || {
        let told = ["is", "are", "was", "were", "has", "have", "my"];
        let counted = |s: &Sentence| counts(s) && !told.iter().any(|word| has(&s.plain, word));
        let members =
            said.sentences.iter().any(|s| has_id(&s.text)) && said.sentences.iter().any(counted);
        let named = said.desk.rules.tournaments.values().flat_map(names);
        let here = || {
            let all = plain(&format!("{}\n{}", said.subject, said.text));
            named.into_iter().any(|name| has(&all, &name))
        };
        let fits = members && here() && !results && !said.sentences.iter().any(refused);
        fits.then(|| "It lists members and entries".to_owned())
    };
    (enough && !results).then(|| "The mail is an entry form".to_owned()).or_else(listed)
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
        if naming.iter().any(|line| has(line, &tournament.id.0.to_lowercase())) {
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

/// Tells whether a tournament of ours is named, be it of another year.
fn is_named(said: &Said<'_>, all: &str) -> bool {
    let all = plain(all);
    said.desk.rules.tournaments.values().flat_map(names).any(|name| has(&all, &name))
}

/// Returns what a tournament is called, in plain text.
pub(super) fn names(tournament: &Tournament) -> Vec<String> {
    let mut names: Vec<String> = tournament.aliases.clone();
    names.push(plain(&tournament.name));
    names.push(tournament.id.0.to_lowercase());
    names
}

/// Tells whether the mail speaks of the fee as paid or enclosed. Whether it is in the director's hands he knows.
fn paid(said: &Said<'_>) -> bool {
    let speaks = |s: &&Sentence| !s.question && s.tags.has(Key::Paid);
    said.sentences.iter().filter(speaks).any(|s| {
        let denied = s.field().is_some_and(|(_, value)| value.starts_with("no"));
        !denied && !s.tags.has(Key::Unpaid) && !has(&s.plain, "not")
    })
}

/// Returns what else is asked for, in its own words: whom not to meet, say (Rule 2).
fn wishes(said: &Said<'_>) -> Vec<String> {
    let wished = said.sentences.iter().filter(|s| s.tags.has(Key::Wish) && !s.question);
    let words = wished.filter_map(|s| {
        let at = s.tags.first(Key::Wish)?.start;
        // The dot behind a number ends no sentence for the others, but it ends one before a wish.
        let start = s.plain.get(..at)?.rfind(". ").map_or(0, |dot| dot + 2);
        let please = s.plain.get(start..)?.starts_with("please ");
        let start = start + if please { "please ".len() } else { 0 };
        let words = s.text.get(start..).filter(|_| s.text.len() == s.plain.len());
        Some(words.unwrap_or(&s.text).trim_end_matches(['.', '!']).to_owned())
    });
    words.collect()
}
