//! Rule 3: the last section of a round. When every section of the round before is decided and no full section can
//! form any more, those who wait are too few: the director is asked whether the section is filled with entries that
//! scored just less, the highest rating of that day first, or plays short. Until that is settled nobody who has those
//! points is out. Full sections are `assignment.rs`; which fillings there are is `candidates.rs`.

use super::{
    assignment, awards,
    candidates::{self, Proposal},
};
use crate::domain::{
    decide::{Decision, Matter},
    docket::{About, Item, ItemKind},
    event::{Advance, Event},
    ids::{EntryId, TournamentId},
    progress,
    section::{Entry, EntryState},
    state::State,
    tournament::Tournament,
};
use chrono::NaiveDate;
use std::collections::BTreeSet;

/// The most ways to fill a section that are offered as choices; beyond that the director takes entries one by one.
const WAYS: usize = 12;

/// Looks at each round of a tournament after the full sections of the day were formed. `seated` are those who sit in
/// one of them now.
pub(in crate::domain) fn look(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    seated: &BTreeSet<EntryId>,
) {
    let state = decision.state;
    for round in 0..tournament.rounds.len().saturating_sub(1) {
        if is_over(state, tournament, round, decision.now.today) {
            ask(decision, tournament, round, seated);
        }
    }
}

/// Tells whether every section of a round is decided and none can still form in it (Rule 3).
pub fn is_over(state: &State, tournament: &Tournament, round: usize, today: NaiveDate) -> bool {
    let event = &tournament.id;
    if !state.sections_in(event, round).all(|section| section.complete) {
        return false;
    }
    let closed = match round.checked_sub(1) {
        None => today > tournament.closes() && !state.entries.values().any(|e| may_sit(e, event)),
        Some(before) => is_settled(state, tournament, before, today),
    };
    let open_here = |item: &Item| {
        let section = item.about.section.as_ref().and_then(|code| state.sections.get(code));
        section.is_some_and(|s| &s.tournament == event && s.round == round)
    };
    closed && !state.open_of_kind(ItemKind::NobodyAdvances).any(open_here)
}

/// Tells whether nobody waits any more for the round after this one, neither with the points for it nor for the
/// question who fills it (Rule 3).
pub fn is_settled(state: &State, tournament: &Tournament, round: usize, today: NaiveDate) -> bool {
    is_over(state, tournament, round, today)
        && item(state, &tournament.id, round).is_none()
        && state.waiting(&tournament.id, round + 1).is_empty()
        && stopped(state, &tournament.id, round, &[EntryState::Assigned]).next().is_none()
}

fn may_sit(entry: &Entry, event: &TournamentId) -> bool {
    matches!(
        entry.state,
        EntryState::Received
            | EntryState::Docket
            | EntryState::AwaitingPayment
            | EntryState::Waiting
    ) && &entry.tournament == event
}

/// Returns the entries in one of some states that have come as far as a round and no further.
fn stopped<'a>(
    state: &'a State,
    event: &'a TournamentId,
    round: usize,
    states: &'static [EntryState],
) -> impl Iterator<Item = &'a Entry> {
    let here = state.entries.values().filter(move |e| states.contains(&e.state));
    let here = here.filter(move |e| &e.tournament == event);
    here.filter(move |e| progress::reached(state, e) == round + 1)
}

fn item<'a>(state: &'a State, event: &TournamentId, round: usize) -> Option<&'a Item> {
    let mut open = state.open_of_kind(ItemKind::FillIn);
    open.find(|i| i.about.event.as_ref() == Some(event) && i.about.round == Some(round))
}

/// Puts the question of a round to the director, puts it anew where something has changed, or settles it where nobody
/// waits for it.
fn ask(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    round: usize,
    seated: &BTreeSet<EntryId>,
) {
    let state = decision.state;
    let open = item(state, &tournament.id, round);
    let mut waiting = state.waiting(&tournament.id, round + 1);
    waiting.retain(|entry| !seated.contains(&entry.id));
    if waiting.is_empty() {
        if let Some(open) = open {
            decision.close(open.item, "settled", "nobody waits for the next round any more");
        }
        return settle_rest(decision, tournament, round, &[]);
    }
    let proposal = candidates::propose(state, tournament, round, &waiting, WAYS);
    let matter = matter(tournament, round, &proposal);
    decision.put(open, ItemKind::FillIn, matter);
}

fn matter(tournament: &Tournament, round: usize, proposal: &Proposal<'_>) -> Matter {
    let (choices, recommended) = offered(proposal);
    Matter {
        rule: 3,
        about: About { event: Some(tournament.id.clone()), round: Some(round), ..About::default() },
        choices,
        recommended,
        evidence: proposal.evidence.clone(),
        entries: proposal.sit.iter().chain(&proposal.certain()).map(|e| e.id.clone()).collect(),
        ..Matter::default()
    }
}

/// Returns what the director may choose, and what the rules lean to: filling up where there is one way to do it; where
/// nobody can fill up, what is left.
fn offered(proposal: &Proposal<'_>) -> (Vec<String>, Option<String>) {
    let short = if proposal.sit.len() > 1 { "play-short" } else { "end" };
    let mut choices: Vec<String> =
        proposal.labelled().into_iter().map(|(label, _)| label).collect();
    let recommended = match (&choices[..], proposal.is_tied()) {
        ([], false) => Some(short.to_owned()),
        ([fill], false) => Some(fill.clone()),
        _ => None,
    };
    if proposal.sit.len() > 1 || choices.is_empty() {
        choices.push(short.to_owned());
    }
    (choices, recommended)
}

/// Does what the director chose: the section forms at once, and the question is settled for all others. Where
/// something has changed since he was asked he is asked again.
pub(super) fn settle(decision: &mut Decision<'_>, item: &Item, choice: &str) {
    let state = decision.state;
    let tournament = item.about.event.as_ref().and_then(|id| decision.rules.tournaments.get(id));
    let (Some(tournament), Some(round)) = (tournament, item.about.round) else { return };
    let waiting = state.waiting(&tournament.id, round + 1);
    let proposal = candidates::propose(state, tournament, round, &waiting, WAYS);
    let mut present = matter(tournament, round, &proposal);
    if present.entries != item.entries || present.choices != item.choices {
        if !waiting.is_empty() {
            let changed = "Something has changed since this was asked; nothing was done.";
            present.evidence.insert(0, changed.to_owned());
            decision.open(ItemKind::FillIn, present);
        }
        return;
    }
    let labelled = proposal.labelled();
    let filled = labelled.into_iter().find(|(label, _)| label == choice).map(|(_, way)| way);
    let filled = filled.unwrap_or_default();
    if choice == "end" {
        for entry in &waiting {
            decision.push(Event::EntryFinished { entry: entry.id.clone() });
        }
        return settle_rest(decision, tournament, round, &[]);
    }
    form(decision, tournament, round, &proposal, &filled);
}

fn form(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    round: usize,
    proposal: &Proposal<'_>,
    filled: &[&Entry],
) {
    for entry in filled {
        let Some(score) = progress::score(decision.state, entry, round) else { continue };
        decision.push(Event::EntryAdvanced {
            entry: entry.id.clone(),
            section: score.section.map(|s| s.code.clone()),
            points: score.settled,
            why: Advance::Fill,
        });
    }
    let table: Vec<&Entry> = proposal.sit.iter().chain(filled).copied().collect();
    let number = assignment::last_number(decision, tournament, round + 1) + 1;
    assignment::seat(decision, tournament, round + 1, number, &table);
    // Who could not sit with the others waits on, and so does the question for him.
    if proposal.left == 0 {
        settle_rest(decision, tournament, round, filled);
    }
}

/// The question of a round is settled: all who wait in it are out, and those who left before have what a loser has
/// (Rules 3 and 4).
fn settle_rest(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    round: usize,
    filled: &[&Entry],
) {
    let state = decision.state;
    let states = &[EntryState::Assigned, EntryState::Withdrawn];
    for entry in stopped(state, &tournament.id, round, states) {
        if filled.iter().any(|f| f.id == entry.id) {
            continue;
        }
        let score = progress::score(state, entry, round);
        let section = score.as_ref().and_then(|s| s.section).map(|s| &s.code);
        let section = section.or_else(|| entry.sections.last());
        if entry.state == EntryState::Assigned {
            let Some(score) = score.filter(|s| s.complete) else { continue };
            decision.push(Event::EntryEliminated {
                entry: entry.id.clone(),
                section: score.section.map(|s| s.code.clone()),
                points: score.settled,
            });
        }
        awards::for_eliminated(decision, tournament, &entry.id, round, section);
    }
}
