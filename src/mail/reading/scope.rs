//! From what somebody withdraws: what stands behind the words that say so. English has it at once behind them, past
//! `from`, articles and years; other languages somewhere in the rest of the sentence.

use super::{Said, entry, game::Clues, stated::Words};
use crate::{
    domain::{
        ids::{MemberId, SectionCode, TournamentId},
        tournament::Tournament,
    },
    mail::lexicon::{Key, Tags},
};

/// What is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// Sections by their codes.
    Sections(Vec<SectionCode>),
    /// A section without its code.
    Section,
    /// A tournament; null where it is not named but meant.
    Event(Option<TournamentId>),
    /// All that is played here.
    All,
    /// The sender's entry.
    Entry,
    /// Nothing at all.
    Nothing,
    /// Something that is no play here: a complaint, a knight, another year's tournament.
    Other,
}

/// Words behind which it says what is *not* withdrawn from, with a blank before them.
const EXCEPTIONS: [&str; 13] = [
    " but ",
    " except ",
    " not ",
    " aber ",
    " nicht ",
    " sauf ",
    " mais ",
    " pero ",
    " excepto ",
    " tranne ",
    " maar ",
    " niet ",
    " mas ",
];

/// Returns what is named behind words that withdraw.
pub(super) fn named(words: &Words<'_>, said: &Said<'_>) -> Named {
    let behind = words.behind();
    let end = EXCEPTIONS.iter().filter_map(|e| behind.find(e)).min().unwrap_or(behind.len());
    let rest = &behind[..end];
    if !words.is_english() {
        return somewhere(words, rest, said);
    }
    let named = at_once(rest, said);
    if named == Named::Nothing { after_a_reason(rest, said) } else { named }
}

/// Reads what stands behind a reason or a date: `I withdraw, with effect from today, from all my sections`.
fn after_a_reason(rest: &str, said: &Said<'_>) -> Named {
    let other = ["complaint", "offer", "claim", "protest", "objection", "entry"];
    if other.iter().any(|word| rest.contains(word)) {
        return Named::Nothing;
    }
    let froms = rest.match_indices(" from ").take(4);
    let mut named = froms.map(|(n, _)| at_once(rest.get(n..).unwrap_or_default(), said));
    let counts = |named: &Named| matches!(named, Named::Sections(_) | Named::All | Named::Event(_));
    named.find(counts).unwrap_or(Named::Nothing)
}

/// Reads what stands at once behind English words.
fn at_once(rest: &str, said: &Said<'_>) -> Named {
    let around = Tags::around(rest);
    let start = rest.len() - rest.trim_start().len();
    if rest.trim().is_empty()
        || rest.trim_start().starts_with([',', '.', ';', '!', ':', '-', '(', '?'])
    {
        return Named::Nothing;
    }
    let codes = codes(rest, said);
    let tags = |key: Key, at: usize| around.each(key).find(|t| t.at.start == at).map(|t| t.at.end);
    let mut at = start;
    loop {
        let here = rest.get(at..).unwrap_or_default();
        let word = here.split([' ', ',', '.', ';']).next().unwrap_or_default();
        if tags(Key::AllEvents, at).is_some() {
            return all(rest, codes, said);
        }
        if !codes.is_empty() && word.starts_with(|c: char| c.is_ascii_digit()) && word.len() > 4 {
            return Named::Sections(codes);
        }
        if let Some(event) = tournament(here, said) {
            return of_sections(codes, event_of(rest, Some(event), said));
        }
        if tags(Key::SectionWord, at).is_some() {
            return of_sections(codes, Named::Section);
        }
        if tags(Key::EventWord, at).is_some() {
            return of_sections(codes, event_of(rest, None, said));
        }
        if tags(Key::EntryWord, at).is_some() {
            return Named::Entry;
        }
        let year = word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
        let filler = tags(Key::ScopeFiller, at).filter(|end| *end == at + word.len());
        match filler {
            _ if word.is_empty() => return Named::Other,
            None if at == start && tags(Key::WithdrawalReason, at).is_some() => {
                return Named::Nothing;
            }
            None if !year => return Named::Other,
            _ => at += word.len(),
        }
        let gap = rest.get(at..).unwrap_or_default();
        at += gap.len() - gap.trim_start().len();
    }
}

/// Reads what stands anywhere in the rest of the sentence, or in the phrase itself: `abandono el torneo`.
fn somewhere(words: &Words<'_>, rest: &str, said: &Said<'_>) -> Named {
    let from = words.at.start;
    let end = words.at.end + rest.len();
    let has = |key: Key| words.around.each(key).any(|t| t.at.start >= from && t.at.end <= end);
    let verbs = words.around.each(Key::Completes);
    // `Ich trete aus … zurück` is said in two parts; `meinen Rücktritt aus` in one.
    let noun = words.text().starts_with("meine");
    let german = words.is_of("de") && !noun;
    if german && !verbs.into_iter().any(|t| t.at.start >= from) {
        return Named::Other;
    }
    let codes = codes(rest, said);
    if has(Key::AllEvents) {
        return all(rest, codes, said);
    }
    if let Some(event) = tournament_in(rest, said) {
        return of_sections(codes, event_of(rest, Some(event), said));
    }
    if has(Key::EventWord) {
        return of_sections(codes, event_of(rest, None, said));
    }
    if has(Key::SectionWord) || !codes.is_empty() {
        return of_sections(codes, Named::Section);
    }
    let rest = rest.trim();
    let bare =
        rest.is_empty() || rest.starts_with([',', '.', ';', '!']) || german && !rest.contains(' ');
    if bare { Named::Nothing } else { Named::Other }
}

fn of_sections(codes: Vec<SectionCode>, otherwise: Named) -> Named {
    if codes.is_empty() { otherwise } else { Named::Sections(codes) }
}

/// `all my games in 19N04` is a section, `all my games in the Golden Knights` a tournament.
fn all(rest: &str, codes: Vec<SectionCode>, said: &Said<'_>) -> Named {
    let named = tournament_in(rest, said);
    let otherwise = named.map_or(Named::All, |event| event_of(rest, Some(event), said));
    of_sections(codes, otherwise)
}

/// A year beside a tournament must be its own.
fn event_of(rest: &str, event: Option<TournamentId>, said: &Said<'_>) -> Named {
    let years = rest.split(|c: char| !c.is_alphanumeric());
    let mut years =
        years.filter(|w| w.len() == 4 && w.starts_with("20") && w.parse::<u16>().is_ok());
    let fits = |year: &str| {
        let mut tournaments = said.desk.rules.tournaments.values();
        tournaments.any(|t| {
            event.as_ref().is_none_or(|id| *id == t.id)
                && (t.name.contains(year) || t.id.0.contains(year))
        })
    };
    if years.all(fits) { Named::Event(event) } else { Named::Other }
}

fn codes(rest: &str, said: &Said<'_>) -> Vec<SectionCode> {
    Clues::of(rest, said).sections
}

/// Returns the tournament whose name a text begins with.
fn tournament(here: &str, said: &Said<'_>) -> Option<TournamentId> {
    by_name(said, |name| {
        here.strip_prefix(name).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

fn tournament_in(rest: &str, said: &Said<'_>) -> Option<TournamentId> {
    by_name(said, |name| super::phrases::has(rest, name))
}

fn by_name(said: &Said<'_>, fits: impl Fn(&str) -> bool) -> Option<TournamentId> {
    let mut tournaments = said.desk.rules.tournaments.values();
    let fitting = |t: &&Tournament| entry::names(t).iter().any(|name| fits(name));
    tournaments.find(fitting).map(|t| t.id.clone())
}

/// Tells whether a player has entries in the tournament that is named, or in one alone where none is.
pub(super) fn plays_in(named: &Named, player: &MemberId, said: &Said<'_>) -> bool {
    let state = said.desk.state;
    let ids = state.entries_of.get(player).into_iter().flatten();
    let mut events: Vec<&TournamentId> =
        ids.filter_map(|id| Some(&state.entries.get(id)?.tournament)).collect();
    events.dedup();
    match named {
        Named::Event(Some(event)) => events.contains(&event),
        _ => events.len() == 1,
    }
}

/// Returns which of several players is meant: the only one who sits in the sections that are named.
pub(super) fn player<'a>(named: &Named, said: &'a Said<'_>) -> Option<&'a MemberId> {
    let Named::Sections(codes) = named else { return None };
    let sits = |player: &&MemberId| {
        codes.iter().all(|code| said.desk.state.seats_of(player).any(|(s, _)| s.code == *code))
    };
    let mut fitting = said.players.iter().filter(sits);
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first)
}

/// Returns the one section that the mail, its subject or the letter that it answers speaks of.
pub(super) fn spoken_of(said: &Said<'_>) -> Option<SectionCode> {
    let about = said.about.and_then(|a| a.game.as_ref().map(|g| &g.section).or(a.section.as_ref()));
    let mut codes = Clues::of(&format!("{}\n{}", said.subject, said.text), said).sections;
    codes.extend(about.cloned());
    codes.dedup();
    match &codes[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}
