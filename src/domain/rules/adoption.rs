//! Taking over what was begun without this program: sections that run, results that are in. What a director once
//! did is taken as he did it; the rules are not asked again, only the books must not be contradicted.

use super::{colors, reports};
use crate::domain::{
    command::AdoptedSection,
    decide::Decision,
    event::{Event, Grounds},
    ids::{EntryId, GameId, MemberId},
    points::Outcome,
    section::{EntryState, Game, GameState, Seated, Section},
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
    let free = decision
        .state
        .entries_in(&adopted.event, member)
        .filter(|e| e.sections.len() == adopted.round)
        .filter(|e| !matches!(e.state, EntryState::Refused | EntryState::CarriedForward));
    let ids: Vec<&EntryId> = free.map(|e| &e.id).collect();
    match ids[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
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
