//! Rule 2: forming sections. Who is seated is first come, first served by postmark; where several sections form on
//! one day, those who are seated are dealt over them by rating, so that each has strong and weak. Two entries of one
//! person never sit in one section. That a person's further entries wait because his first one sits already is not
//! passing over: he is served in his turn.

use super::{colors, entry, tables};
use crate::domain::{
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind},
    event::Event,
    ids::{EntryId, MemberId, SectionCode},
    section::{Entry, Seated},
    tournament::{Round, Tournament},
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// Entries that will sit together.
type Table<'a> = Vec<&'a Entry>;

/// Forms as many sections of the first round as the waiting entries fill (Rule 2).
pub(in crate::domain) fn form_sections(decision: &mut Decision<'_>, tournament: &Tournament) {
    if decision.now.today < tournament.entry.pairings_from {
        return;
    }
    let (Some(round), state) = (tournament.rounds.first(), decision.state) else { return };
    let waiting = state.waiting(&tournament.id);
    let size = usize::from(round.size);
    let seated = choose(&waiting, size);
    let tables = deal(decision, tournament, &seated, seated.len() / size);
    let mut number = last_number(decision, tournament, round);
    for table in &tables {
        number += 1;
        seat(decision, tournament, round, number, table);
    }
    let left = waiting.iter().filter(|e| !seated.iter().any(|s| s.id == e.id)).copied();
    note_short(decision, tournament, &left.collect::<Table<'_>>());
}

/// Returns who is seated: as many full sections as can be, each person with one entry a section at most.
fn choose<'a>(waiting: &[&'a Entry], size: usize) -> Table<'a> {
    for sections in (1..=waiting.len() / size).rev() {
        let mut of_person: BTreeMap<&MemberId, usize> = BTreeMap::new();
        let fits = |entry: &&'a Entry| {
            let held = of_person.entry(&entry.member).or_default();
            *held += 1;
            *held <= sections
        };
        let seated: Table<'a> =
            waiting.iter().copied().filter(fits).take(sections * size).collect();
        if seated.len() == sections * size {
            return seated;
        }
    }
    Vec::new()
}

/// Deals the seated over the sections: by falling rating, one a section in each turn, the turns going to and fro.
fn deal<'a>(
    decision: &Decision<'_>,
    tournament: &Tournament,
    seated: &[&'a Entry],
    sections: usize,
) -> Vec<Table<'a>> {
    let strength = |e: &Entry| rating(decision, e).filter(|_| tournament.assignment.deal_by_rating);
    // Whoever has many entries is dealt first, or the last sections would have no room for them all; and a person's
    // entries follow each other, so that each takes one of the emptiest sections and all fill alike.
    let mut of_person: BTreeMap<&MemberId, (usize, usize)> = BTreeMap::new();
    for (place, entry) in seated.iter().enumerate() {
        of_person.entry(&entry.member).or_insert((0, place)).0 += 1;
    }
    let mut order = seated.to_vec();
    order.sort_by_key(|e| {
        let (held, first) = of_person[&e.member];
        (Reverse(held), Reverse(strength(e)), first)
    });
    let met = (decision.state, &tournament.id);
    let met = Some(met).filter(|_| tournament.assignment.avoid_repeated_pairings);
    tables::deal(&order, sections, met, |e| strength(e).unwrap_or(0))
}

fn rating(decision: &Decision<'_>, entry: &Entry) -> Option<u16> {
    decision.state.players.get(&entry.member).and_then(|p| p.rating)
}

fn last_number(decision: &Decision<'_>, tournament: &Tournament, round: &Round) -> u32 {
    let sections = decision.state.sections_in(&tournament.id, 0);
    let numbers = sections.filter_map(|s| s.code.0.strip_prefix(&round.code)?.parse().ok());
    numbers.max().unwrap_or(0)
}

/// Seats a section by falling rating, unrated last, the earlier entry first among equals, and gives the colours.
fn seat(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    round: &Round,
    number: u32,
    table: &Table<'_>,
) {
    let mut order = table.clone();
    order.sort_by_key(|e| (Reverse(rating(decision, e)), e.postmark, e.arrived, e.id.clone()));
    let seats: Vec<Seated> =
        order.iter().map(|e| Seated { entry: e.id.clone(), rating: rating(decision, e) }).collect();
    let size = u8::try_from(seats.len()).expect("a section has at most thirty seats");
    decision.push(Event::SectionFormed {
        section: SectionCode(format!("{}{number:02}", round.code)),
        event: tournament.id.clone(),
        round: 0,
        start: decision.now.today,
        seats,
        games: colors::games(size, round.games_per_pair),
        adopted: false,
    });
}

/// Fewer than a section's worth left when entries are closed: never a silent wait, but a docket item (Rule 2).
fn note_short(decision: &mut Decision<'_>, tournament: &Tournament, left: &[&Entry]) {
    let closed = decision.now.today > tournament.closes();
    let left_ids: Vec<EntryId> = left.iter().map(|e| e.id.clone()).collect();
    let asks = |item: &Item| item.kind == ItemKind::SectionShort && item.entries == left_ids;
    let asked = decision.state.docket.values().any(|(item, _)| asks(item));
    if !closed || left.is_empty() || asked {
        return;
    }
    let persons: BTreeSet<&MemberId> = left.iter().map(|e| &e.member).collect();
    let line =
        |e: &&Entry| format!("{} of {} ({}), postmark {}.", e.id, e.name, e.member, e.postmark);
    let lean = if persons.len() > 4 { "play-short" } else { "carry-forward" };
    let offered: &[&str] = if persons.len() > 1 {
        &["play-short", "carry-forward", "by-hand"]
    } else {
        &["carry-forward", "by-hand"]
    };
    let matter = Matter {
        rule: 2,
        about: About { event: Some(tournament.id.clone()), ..About::default() },
        choices: choices(offered),
        recommended: Some(lean.to_owned()),
        evidence: left.iter().map(line).collect(),
        entries: left_ids,
        asked: None,
    };
    decision.open(ItemKind::SectionShort, matter);
}

/// Does what the director chose for the entries that are left over (Rule 2).
pub(super) fn settle_short(decision: &mut Decision<'_>, item: &Item, choice: &str) {
    let state = decision.state;
    let tournament = item.about.event.as_ref().and_then(|id| decision.rules.tournaments.get(id));
    let Some(tournament) = tournament else { return };
    let named = |e: &&Entry| item.entries.contains(&e.id);
    let left: Table<'_> = state.waiting(&tournament.id).into_iter().filter(named).collect();
    let mut persons = BTreeSet::new();
    let (first, further): (Table<'_>, Table<'_>) =
        left.into_iter().partition(|e| persons.insert(&e.member));
    let ids = |table: &Table<'_>| table.iter().map(|e| e.id.clone()).collect::<Vec<EntryId>>();
    match (choice, tournament.rounds.first()) {
        ("play-short", Some(round)) if first.len() > 1 => {
            let number = last_number(decision, tournament, round) + 1;
            seat(decision, tournament, round, number, &first);
            entry::carry_forward(decision, tournament, &ids(&further));
        }
        ("carry-forward", _) => {
            entry::carry_forward(decision, tournament, &ids(&first));
            entry::carry_forward(decision, tournament, &ids(&further));
        }
        _ => {}
    }
}
