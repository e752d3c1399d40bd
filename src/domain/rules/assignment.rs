//! Rule 2: forming sections, in every round. Who is seated is first come, first served by postmark; where several
//! sections form on one day, those who are seated are dealt over them by rating, so that each has strong and weak. That
//! a person's further entries wait because his first one sits already is not passing over: he is served in his turn.
//! Who waits when no full section can form any more is `leftover.rs` in the first round and `filling.rs` in the others.

use super::{choosing::Pool, colors, invitation, leftover, tables};
use crate::domain::{
    decide::Decision,
    event::Event,
    ids::{EntryId, MemberId, SectionCode},
    readings::SeatedFirst,
    section::{Entry, Seated},
    state::State,
    tournament::Tournament,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// Forms as many full sections of each round as those who wait for it fill, and answers who sits in one now (Rule 2).
pub(in crate::domain) fn form_sections(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
) -> BTreeSet<EntryId> {
    let mut seated = BTreeSet::new();
    if decision.now.today < tournament.entry.pairings_from {
        return seated;
    }
    let invites = tournament.readings.seated_first == SeatedFirst::HighestRating;
    for round in usize::from(invites)..tournament.rounds.len() {
        form_round(decision, tournament, round, &mut seated);
    }
    if invites {
        invitation::invite(decision, tournament);
        return seated;
    }
    let mut left = decision.state.waiting(&tournament.id, 0);
    left.retain(|entry| !seated.contains(&entry.id));
    leftover::note(decision, tournament, &left);
    seated
}

fn form_round(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    round: usize,
    seated: &mut BTreeSet<EntryId>,
) {
    let state = decision.state;
    let waiting = state.waiting(&tournament.id, round);
    let size = tournament.rounds.get(round).map_or(0, |r| usize::from(r.size));
    let mut number = last_number(decision, tournament, round);
    let mut passed: Vec<&Entry> = Vec::new();
    for class in classes(tournament, round) {
        let takes = |e: &Entry| class.is_none_or(|c| tournament.classes[c].takes(rating(state, e)));
        let free = waiting.iter().filter(|e| !seated.contains(&e.id) && takes(e));
        let free: Vec<&Entry> = free.copied().collect();
        let pool = Pool::new(&free, state);
        let (chosen, places) = pool.choose(size, usize::MAX);
        let places = places.iter().map(|table| table.iter().map(|p| free[*p]).collect()).collect();
        for table in deal(decision, tournament, round, &chosen, places) {
            number += 1;
            seat(decision, tournament, round, number, &table);
        }
        seated.extend(chosen.iter().map(|e| e.id.clone()));
        passed.extend(passed_over(&free, &chosen, size));
    }
    for entry in passed.iter().filter(|e| !e.passed_over && !seated.contains(&e.id)) {
        decision.push(Event::EntryPassedOver { entry: entry.id.clone() });
    }
}

/// Returns the classes in which sections of a round form, in the order of the file; one for all where there are none,
/// and in later rounds, which are open to whoever has reached them.
fn classes(tournament: &Tournament, round: usize) -> Vec<Option<usize>> {
    match tournament.classes.len() {
        0 => vec![None],
        _ if round > 0 => vec![None],
        count => (0..count).map(Some).collect(),
    }
}

/// Returns who was left though a later one was seated, and not because his own earlier entries have all the sections
/// that he can sit in (Rule 2).
fn passed_over<'a>(order: &[&'a Entry], chosen: &[&'a Entry], size: usize) -> Vec<&'a Entry> {
    let sits = |entry: &Entry| chosen.iter().any(|c| c.id == entry.id);
    let Some(last) = order.iter().rposition(|entry| sits(entry)) else { return Vec::new() };
    let sections = chosen.len() / size.max(1);
    let left = order[..last].iter().enumerate().filter(|(_, entry)| !sits(entry));
    let served = |place: usize, entry: &Entry| {
        let earlier = order[..place].iter().filter(|e| e.member == entry.member && sits(e));
        earlier.count() >= sections
    };
    left.filter(|(place, entry)| !served(*place, entry)).map(|(_, entry)| *entry).collect()
}

/// Deals the seated over the sections: by falling rating, one a section in each turn, the turns going to and fro.
pub(super) fn deal<'a>(
    decision: &Decision<'_>,
    tournament: &Tournament,
    round: usize,
    chosen: &[&'a Entry],
    seated: Vec<Vec<&'a Entry>>,
) -> Vec<Vec<&'a Entry>> {
    let state = decision.state;
    let strength = |e: &Entry| rating(state, e).filter(|_| tournament.assignment.deal_by_rating);
    // Whoever has many entries is dealt first, or the last sections would have no room for them all; and a person's
    // entries follow each other, so that each takes one of the emptiest sections and all fill alike.
    let mut of_person: BTreeMap<&MemberId, (usize, usize)> = BTreeMap::new();
    for (place, entry) in chosen.iter().enumerate() {
        of_person.entry(&entry.member).or_insert((0, place)).0 += 1;
    }
    let mut order = chosen.to_vec();
    order.sort_by_key(|e| {
        let (held, first) = of_person[&e.member];
        (Reverse(held), Reverse(strength(e)), first)
    });
    let strengths = order.iter().map(|e| strength(e).unwrap_or(0)).collect();
    let avoid = tournament.assignment.avoid_repeated_pairings;
    let met = avoid.then_some((&tournament.id, round));
    tables::deal(&tables::Deal { order: &order, strengths, seated, state, met })
}

/// Returns an entry's present rating.
pub(super) fn rating(state: &State, entry: &Entry) -> Option<u16> {
    state.players.get(&entry.member).and_then(|p| p.rating)
}

/// Returns the last running number among the sections of a round.
pub(super) fn last_number(decision: &Decision<'_>, tournament: &Tournament, round: usize) -> u32 {
    let Some(code) = tournament.rounds.get(round).map(|r| &r.code) else { return 0 };
    let sections = decision.state.sections_in(&tournament.id, round);
    let numbers = sections.filter_map(|s| s.code.0.strip_prefix(code)?.parse().ok());
    numbers.max().unwrap_or(0)
}

/// Seats a section by falling rating, unrated last, the earlier entry first among equals, and gives the colours.
pub(super) fn seat(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    round: usize,
    number: u32,
    table: &[&Entry],
) {
    let Some(terms) = tournament.rounds.get(round) else { return };
    let state = decision.state;
    let mut order = table.to_vec();
    order.sort_by_key(|e| (Reverse(rating(state, e)), e.postmark, e.arrived, e.id.clone()));
    let seats: Vec<Seated> =
        order.iter().map(|e| Seated { entry: e.id.clone(), rating: rating(state, e) }).collect();
    let size = u8::try_from(seats.len()).expect("a section has at most thirty seats");
    decision.push(Event::SectionFormed {
        section: SectionCode(format!("{}{number:02}", terms.code)),
        event: tournament.id.clone(),
        round,
        start: decision.now.today,
        seats,
        games: colors::games(size, terms.games_per_pair),
        adopted: false,
    });
}
