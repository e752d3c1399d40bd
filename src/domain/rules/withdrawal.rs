//! Rule 10: withdrawal and death. Finished games stand; what runs is lost by withdrawal, or adjudicated after a death.
//! What is reported keeps running its objection.

use super::{awards, closing, forfeits};
use crate::domain::{
    decide::Decision,
    docket::Item,
    event::Event,
    ids::{EntryId, MemberId, SectionCode, TournamentId},
    intent::{Intent, Scope},
    points::How,
    section::{Entry, EntryState, GameState, Section},
    state::State,
};
use std::collections::BTreeSet;

/// From what a player withdraws: the section where it is from one, the tournament where it is from one.
pub type Within<'a> = (Scope, Option<&'a SectionCode>, Option<&'a TournamentId>);

/// Says why a player cannot withdraw from this.
///
/// # Errors
/// The sentence for the director.
pub fn check(state: &State, member: &MemberId, within: Within<'_>) -> Result<(), String> {
    if let (Scope::Section, Some(code), _) = within
        && !state.seats_of(member).any(|(section, _)| &section.code == code)
    {
        let sits: Vec<&str> =
            state.seats_of(member).map(|(section, _)| section.code.0.as_str()).collect();
        let sits = if sits.is_empty() { "no section".to_owned() } else { sits.join(", ") };
        return Err(format!("member {member} does not sit in {code}, but in {sits}"));
    }
    let plays = state.seats_of(member).any(|(section, seat)| {
        is_within(section, within) && !forfeits::running(section, seat, How::Withdrawal).is_empty()
    });
    if plays || leaving(state, member, within).next().is_some() {
        return Ok(());
    }
    let from = match within {
        (Scope::Section, Some(code), _) => code.0.as_str(),
        (_, _, Some(event)) => event.0.as_str(),
        _ => "any tournament",
    };
    Err(format!("member {member} has no running game and no waiting entry in {from}"))
}

/// Withdraws a player from a section, from a tournament, or from all (Rule 10).
pub(in crate::domain) fn withdraw(
    decision: &mut Decision<'_>,
    member: &MemberId,
    within: Within<'_>,
    reason: &str,
) {
    let state = decision.state;
    for entry in leaving(state, member, within) {
        decision.push(Event::EntryWithdrawn { entry: entry.id.clone() });
    }
    let seats: Vec<_> = state.seats_of(member).filter(|(s, _)| is_within(s, within)).collect();
    for (section, seat) in seats {
        let lost = forfeits::running(section, seat, How::Withdrawal);
        forfeits::lose(decision, section, &lost, reason);
    }
}

fn is_within(section: &Section, (scope, code, event): Within<'_>) -> bool {
    match scope {
        Scope::Section => code == Some(&section.code),
        Scope::Event => event.is_none_or(|event| event == &section.tournament),
        Scope::All => true,
    }
}

/// Returns the entries that end with it: those that play there or wait. One that plays on in a later section stays.
fn leaving<'a>(
    state: &'a State,
    member: &MemberId,
    (scope, code, event): Within<'a>,
) -> impl Iterator<Item = &'a Entry> {
    let ids = state.entries_of.get(member).into_iter().flatten();
    let entries = ids.filter_map(|id| state.entries.get(id));
    entries.filter(move |entry| match scope {
        Scope::Section => code.is_some() && entry.sections.last() == code && plays(entry.state),
        Scope::Event => event.is_none_or(|event| event == &entry.tournament) && lives(entry.state),
        Scope::All => lives(entry.state),
    })
}

const fn plays(state: EntryState) -> bool {
    matches!(state, EntryState::Assigned | EntryState::Advanced)
}

const fn lives(state: EntryState) -> bool {
    plays(state) || waits(state)
}

const fn waits(state: EntryState) -> bool {
    matches!(
        state,
        EntryState::Received
            | EntryState::Docket
            | EntryState::AwaitingPayment
            | EntryState::Waiting
            | EntryState::Advanced
    )
}

/// Returns what a player's wish to withdraw may be carried out as: `withdraw` where it is clear from what, else the
/// sections or tournaments that it may mean.
pub(super) fn ways(
    state: &State,
    member: &MemberId,
    scope: Scope,
    section: Option<&SectionCode>,
) -> Vec<String> {
    let meant: Vec<String> = match (scope, section) {
        (Scope::Section, Some(code)) => vec![code.0.clone()],
        (Scope::Section, None) => {
            let runs = state.seats_of(member).filter(|(section, seat)| {
                !forfeits::running(section, *seat, How::Withdrawal).is_empty()
            });
            runs.map(|(section, _)| section.code.0.clone()).collect()
        }
        (Scope::Event, _) => {
            let lives = leaving(state, member, (Scope::All, None, None));
            let events: BTreeSet<&TournamentId> = lives.map(|entry| &entry.tournament).collect();
            events.into_iter().map(|event| event.0.clone()).collect()
        }
        (Scope::All, _) => vec![String::new()],
    };
    if meant.len() > 1 { meant } else { meant.iter().map(|_| "withdraw".to_owned()).collect() }
}

/// Carries out a player's wish to withdraw as the director chose (Rule 10).
pub(super) fn settle(
    decision: &mut Decision<'_>,
    item: &Item,
    member: &MemberId,
    choice: &str,
    reason: &str,
) {
    let state = decision.state;
    let Some(Intent::Withdraw { scope, .. }) = item.asked.as_deref() else { return };
    let named = (SectionCode::from(choice), TournamentId::from(choice));
    let (code, event) = match (scope, choice) {
        (_, "answered" | "dismiss") => return,
        (Scope::Section, "withdraw") => {
            let meant = ways_meant(state, member, item);
            (meant, None)
        }
        (Scope::Section, _) => (Some(named.0), None),
        (Scope::Event, "withdraw") | (Scope::All, _) => (None, None),
        (Scope::Event, _) => (None, Some(named.1)),
    };
    withdraw(decision, member, (*scope, code.as_ref(), event.as_ref()), reason);
}

/// Returns the section that is meant: the one that was named, or the only one in which the player's games run.
fn ways_meant(state: &State, member: &MemberId, item: &Item) -> Option<SectionCode> {
    item.about.section.clone().or_else(|| {
        let mut runs = state.seats_of(member).filter(|(section, seat)| {
            !forfeits::running(section, *seat, How::Withdrawal).is_empty()
        });
        runs.next().map(|(section, _)| section.code.clone())
    })
}

/// Notes a player's death: his games are put before the director, none is a forfeit, and entries of his that wait are
/// withdrawn. His seats stay (Rule 10).
pub(in crate::domain) fn note_death(decision: &mut Decision<'_>, member: &MemberId) {
    let (state, on) = (decision.state, decision.now.today);
    if state.died.contains_key(member) {
        return;
    }
    decision.push(Event::PlayerDied { member: member.clone(), on });
    for entry in leaving(state, member, (Scope::All, None, None)).filter(|e| waits(e.state)) {
        decision.push(Event::EntryWithdrawn { entry: entry.id.clone() });
    }
    for (section, seat) in state.seats_of(member) {
        for game in section.games_of(seat).filter(|game| game.state == GameState::Running) {
            closing::ask_after_death(decision, section, game, member);
        }
    }
}

/// Rule 3 sends nobody on who is withdrawn in the same decision, or whose player has died; and who is withdrawn is not
/// said to be out or finished. What there is for an entry that does not reach the next round it has all the same when
/// its section is played (Rule 4).
pub(in crate::domain) fn keep_out(decision: &mut Decision<'_>) {
    let state = decision.state;
    let gone = |event: &Event| match event {
        Event::EntryWithdrawn { entry } => Some(entry.clone()),
        _ => None,
    };
    let withdrawn: BTreeSet<EntryId> = decision.events().iter().filter_map(gone).collect();
    if withdrawn.is_empty() && state.died.is_empty() {
        return;
    }
    let has_died =
        |id: &EntryId| state.entries.get(id).is_some_and(|e| state.died.contains_key(&e.member));
    let instead = |event: Event| match event {
        Event::EntryAdvanced { entry, .. }
        | Event::EntryEliminated { entry, .. }
        | Event::EntryFinished { entry }
            if withdrawn.contains(&entry) =>
        {
            None
        }
        Event::EntryAdvanced { entry, .. } if has_died(&entry) => {
            Some(Event::EntryWithdrawn { entry })
        }
        other => Some(other),
    };
    decision.amend(|events| events.into_iter().filter_map(instead).collect());
    for entry in &withdrawn {
        console(decision, entry);
    }
}

/// The section of an entry that leaves is played, perhaps by its very leaving: it has what the others have who are out.
fn console(decision: &mut Decision<'_>, id: &EntryId) {
    let state = decision.state;
    let entry = state.entries.get(id).filter(|e| e.state == EntryState::Assigned);
    let Some(code) = entry.and_then(|e| e.sections.last()) else { return };
    let given = |e: &Event| matches!(e, Event::AwardGiven(given) if &given.entry == id);
    let after = forfeits::after(decision, code).filter(Section::is_settled);
    let Some(after) = after.filter(|_| !decision.events().iter().any(given)) else { return };
    if let Some(tournament) = decision.rules.tournaments.get(&after.tournament) {
        awards::for_eliminated(decision, tournament, id, after.round, Some(code));
    }
}
