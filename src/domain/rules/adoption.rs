//! Taking over what was begun without this program: sections that run, results that are in. What a director once
//! did is taken as he did it; the rules are not asked again, only the books must not be contradicted.

use super::{awards, colors, reports};
use crate::domain::{
    acts::Carried,
    command::AdoptedSection,
    decide::Decision,
    event::{Advance, Event, Grounds},
    ids::{EntryId, GameId, MemberId, TournamentId},
    points::Outcome,
    progress,
    section::{Entry, EntryState, Game, GameState, Seated, Section},
    state::State,
    tournament::Tournament,
};
use chrono::NaiveDate;

/// Takes over a running section. One that the books have already is left as it is.
pub(in crate::domain) fn adopt_section(decision: &mut Decision<'_>, adopted: &AdoptedSection) {
    let rules = decision.rules;
    let Some(tournament) = rules.tournaments.get(&adopted.event) else { return };
    if decision.state.sections.contains_key(&adopted.section) {
        return;
    }
    let given = adopted.seats.iter().filter_map(|(entry, _)| entry.as_ref()?.number());
    let last = decision.state.last_entry.get(&adopted.event).copied();
    // A number that is made takes none that the list brings.
    let mut running = given.chain(last).max().unwrap_or(0);
    let mut seats: Vec<Seated> = Vec::new();
    for (entry, member) in &adopted.seats {
        let earlier = earlier_entry(decision, adopted, member);
        let earlier = earlier.filter(|id| seats.iter().all(|seated| &seated.entry != id));
        let entry = entry.clone().or(earlier);
        let entry = entry.unwrap_or_else(|| {
            running += 1;
            EntryId(format!("{}-{running:03}", adopted.event))
        });
        if !decision.state.entries.contains_key(&entry) {
            enter_adopted(decision, tournament, adopted, &entry, member);
        }
        let rating = decision.state.players.get(member).and_then(|p| p.rating);
        seats.push(Seated { entry, rating });
    }
    let size = u8::try_from(seats.len()).unwrap_or(u8::MAX);
    let per_pair = tournament.rounds.get(adopted.round).map_or(1, |r| r.games_per_pair);
    decision.push(Event::SectionFormed {
        section: adopted.section.clone(),
        event: adopted.event.clone(),
        round: adopted.round,
        start: adopted.start,
        seats,
        games: colors::games(size, per_pair),
        adopted: true,
    });
}

/// Returns the member's entry that comes from the round before or waits for this one, where there is just one.
fn earlier_entry(
    decision: &Decision<'_>,
    adopted: &AdoptedSection,
    member: &MemberId,
) -> Option<EntryId> {
    let free = candidates(decision.state, &adopted.event, adopted.round, member);
    match free[..] {
        [only] => Some(only.id.clone()),
        _ => None,
    }
}

/// Returns the entries of a member that may be meant where a section of a round names the member alone: those that have
/// come so far; where some of them are out and others not, the others.
pub fn candidates<'a>(
    state: &'a State,
    event: &'a TournamentId,
    round: usize,
    member: &MemberId,
) -> Vec<&'a Entry> {
    let here = |e: &&Entry| {
        !matches!(e.state, EntryState::Refused | EntryState::CarriedForward)
            && progress::reached(state, e) == round
    };
    let mut free: Vec<&Entry> = state.entries_in(event, member).filter(here).collect();
    let is_out = |e: &&Entry| {
        matches!(e.state, EntryState::Eliminated | EntryState::Withdrawn | EntryState::Finished)
    };
    if !free.iter().all(is_out) {
        free.retain(|entry| !is_out(entry));
    }
    free
}

fn enter_adopted(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    adopted: &AdoptedSection,
    entry: &EntryId,
    member: &MemberId,
) {
    let held = decision.state.entries_in(&tournament.id, member).count();
    let name = decision.state.players.get(member).map(|p| p.name.clone()).unwrap_or_default();
    decision.push(Event::EntryReceived {
        entry: entry.clone(),
        event: tournament.id.clone(),
        member: member.clone(),
        name,
        number: u8::try_from(held + 1).unwrap_or(u8::MAX),
        postmark: adopted.start,
        arrived: decision.now.at,
        from: None,
    });
}

/// Takes over what an entry scored in a round whose crosstable is lost. The round is complete for it then, and what
/// follows is what would have followed from a section (Rules 3 and 4), unless it sits in a later round already.
pub(in crate::domain) fn carry_score(decision: &mut Decision<'_>, carried: &Carried) {
    let (rules, state) = (decision.rules, decision.state);
    let Some(entry) = state.entries.get(&carried.entry) else { return };
    let Some(tournament) = rules.tournaments.get(&entry.tournament) else { return };
    if entry.carried.contains(carried) {
        return;
    }
    decision.push(Event::ScoreCarried(carried.clone()));
    let is_last = carried.round + 1 >= tournament.rounds.len();
    match entry.state {
        EntryState::Withdrawn => {}
        EntryState::Finished => pin(decision, tournament, carried),
        _ if progress::is_past(state, entry, carried.round) => {}
        _ if is_last => {
            decision.push(Event::EntryFinished { entry: carried.entry.clone() });
            pin(decision, tournament, carried);
        }
        _ => go_on(decision, tournament, carried),
    }
}

/// Rule 4: all rounds, also those that were carried over, and no forfeit loss in any.
fn pin(decision: &mut Decision<'_>, tournament: &Tournament, carried: &Carried) {
    if carried.forfeit_losses == 0 {
        awards::for_completed(decision, tournament, &carried.entry, Some(carried.round), None);
    }
}

/// Rule 3: who has the points advances; who may fill up waits; the others are out.
fn go_on(decision: &mut Decision<'_>, tournament: &Tournament, carried: &Carried) {
    let Some(round) = tournament.rounds.get(carried.round) else { return };
    let (entry, points) = (carried.entry.clone(), carried.points);
    if round.advance.is_some_and(|enough| points >= enough) {
        let (section, why) = (None, Advance::Points);
        decision.push(Event::EntryAdvanced { entry, section, points, why });
    } else if round.fill != Some(points) {
        decision.push(Event::EntryEliminated { entry, section: None, points });
        awards::for_eliminated(decision, tournament, &carried.entry, carried.round, None);
    }
}

/// Takes over a result. It stands as the director had it.
pub(in crate::domain) fn adopt_result(
    decision: &mut Decision<'_>,
    game: &GameId,
    outcome: Outcome,
    on: NaiveDate,
) {
    let state = decision.state;
    if let Some((section, known)) = state.game(game) {
        if known.settled() != Some(outcome) {
            let outcomes = vec![(game.clone(), outcome)];
            reports::confirm_all(decision, section, outcomes, Grounds::Adopted, on);
        }
        return;
    }
    // What a director once paired stands as he paired it, whatever the table says.
    let Some((section, _)) = reversible(state, game) else { return };
    let mut played = section.clone();
    if let Some(known) = played.game_mut(game.black, game.white) {
        (known.white, known.black) = (game.white, game.black);
    }
    decision.push(Event::ColorsAdopted { game: game.clone() });
    let outcomes = vec![(game.clone(), outcome)];
    reports::confirm_all(decision, &played, outcomes, Grounds::Adopted, on);
}

/// Returns the game of these two seats with the colours reversed, where it belongs to a section that was begun without
/// this program and nothing has been said of it yet.
pub fn reversible<'a>(state: &'a State, game: &GameId) -> Option<(&'a Section, &'a Game)> {
    let reversed = GameId { section: game.section.clone(), white: game.black, black: game.white };
    let (section, known) = state.game(&reversed)?;
    (section.adopted && known.state == GameState::Running).then_some((section, known))
}
