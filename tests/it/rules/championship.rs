//! Rules 2 to 4: whole championships, played by seeded results to the finish and checked by brute force. The checker
//! knows the rules alone: it looks at the sections and results in the journal, and says who should have advanced.

use super::*;
use knightmail::domain::{event::Advance, honours::Award};
use std::collections::{BTreeMap, BTreeSet};

/// Players with one entry or several, some unrated, some kept apart, all paid in time.
fn entered(dice: &mut Dice, entries: usize) -> World {
    let mut world = World::new("2019-03-01");
    let (mut count, mut n) = (0, 0);
    while count < entries {
        n += 1;
        let rating = u16::try_from(1000 + 50 * dice.below(25)).expect("a rating");
        world.act(&Command::ListPlayers(vec![player(n, (!dice.once_in(5)).then_some(rating))]));
        let more = if dice.once_in(4) { 1 + dice.below(3) } else { 1 };
        let more = u8::try_from(more.min(entries - count)).expect("few");
        world.enter(EntryForm { paid: true, count: more, ..form(n, "2019-02-01") });
        count += usize::from(more);
        if n > 1 && dice.once_in(12) {
            let other = u16::try_from(dice.below(usize::from(n - 1))).expect("few") + 1;
            world.act(&Command::KeepApart { one: member(n), other: member(other), lifted: false });
        }
    }
    world
}

/// Lets some of the running games end, by a report of both or by a ruling.
fn play_on(world: &mut World, dice: &mut Dice) {
    let running: Vec<GameId> = {
        let sections = world.state.sections.values().filter(|s| !s.complete);
        let games = sections.flat_map(|s| s.games.iter().map(move |g| (s, g)));
        games.filter(|(_, g)| g.settled().is_none()).map(|(s, g)| s.game_id(g)).collect()
    };
    for id in running {
        let result = match dice.below(20) {
            0..=8 => Score::WhiteWins,
            9..=14 => Score::BlackWins,
            15..=18 => Score::Draw,
            _ => Score::BothLose,
        };
        if result == Score::BothLose {
            let outcome = Outcome { result, how: How::DoubleForfeit };
            let reason = "both silent".to_owned();
            world.act(&Command::FixResult { game: id, outcome, reason });
        } else {
            world.settle(&id, result);
        }
    }
}

/// The director takes what is recommended, or anything.
fn direct(world: &mut World, dice: &mut Dice) {
    let open: Vec<Item> = world.state.open_docket().cloned().collect();
    for item in open {
        let choice = match &item.recommended {
            Some(choice) if !dice.once_in(4) => choice.clone(),
            _ => dice.pick(&item.choices).clone(),
        };
        let choice = if choice == "by-hand" { "carry-forward".to_owned() } else { choice };
        world.rule(item.item, &choice);
    }
}

/// What the journal says of a section.
#[derive(Default)]
struct Table {
    round: usize,
    seats: Vec<EntryId>,
    halves: BTreeMap<EntryId, u16>,
    games: usize,
    decided: usize,
}

fn tables(world: &World) -> BTreeMap<SectionCode, Table> {
    let mut tables: BTreeMap<SectionCode, Table> = BTreeMap::new();
    for event in &world.log {
        match event {
            Event::SectionFormed { section, round, seats, games, .. } => {
                let seats: Vec<EntryId> = seats.iter().map(|s| s.entry.clone()).collect();
                let halves = seats.iter().map(|id| (id.clone(), 0)).collect();
                let table = Table { round: *round, seats, halves, games: games.len(), decided: 0 };
                tables.insert(section.clone(), table);
            }
            Event::ResultConfirmed { game, outcome, .. }
            | Event::ResultRuled { game, outcome, .. } => {
                let table = tables.get_mut(&game.section).expect("it was formed");
                let (white, black) = match outcome.result {
                    Score::WhiteWins => (2, 0),
                    Score::BlackWins => (0, 2),
                    Score::Draw => (1, 1),
                    Score::BothLose => (0, 0),
                };
                for (seat, halves) in [(game.white, white), (game.black, black)] {
                    let entry = &table.seats[usize::from(seat.0) - 1];
                    *table.halves.get_mut(entry).expect("it sits") += halves;
                }
                table.decided += 1;
            }
            _ => {}
        }
    }
    tables
}

/// Who must have advanced from a section by points: those with 4 1/2, or where there are none those with 4.
fn by_points(table: &Table) -> BTreeSet<EntryId> {
    let with = |wanted: &dyn Fn(u16) -> bool| -> BTreeSet<EntryId> {
        table.halves.iter().filter(|(_, h)| wanted(**h)).map(|(id, _)| id.clone()).collect()
    };
    let enough = with(&|halves| halves >= 9);
    if enough.is_empty() { with(&|halves| halves == 8) } else { enough }
}

fn check(world: &World, seed: u64) {
    let tables = tables(world);
    let mut sent: BTreeMap<&SectionCode, BTreeMap<EntryId, Advance>> = BTreeMap::new();
    for event in &world.log {
        if let Event::EntryAdvanced { entry, section, why, points } = event {
            let section = section.as_ref().expect("nothing is carried over here");
            let has = tables[section].halves[entry];
            let certain = *why == Advance::Points && (9..=has).contains(&points.halves);
            assert!(certain || points.halves == has, "seed {seed}: {entry} has {has}");
            let twice = sent.entry(section).or_default().insert(entry.clone(), *why);
            assert_eq!(twice, None, "seed {seed}: {entry} advances once from {section}");
        }
    }
    for (code, table) in &tables {
        assert_eq!(table.decided, table.games, "seed {seed}: {code} is played to the end");
        let sent = sent.get(code).cloned().unwrap_or_default();
        let by = |why: &[Advance]| -> BTreeSet<EntryId> {
            sent.iter().filter(|(_, w)| why.contains(w)).map(|(id, _)| id.clone()).collect()
        };
        if table.round == 2 {
            assert!(sent.is_empty(), "seed {seed}: nobody advances from the last round");
            continue;
        }
        let expected = by_points(table);
        assert_eq!(by(&[Advance::Points, Advance::NextBest]), expected, "seed {seed}: {code}");
        assert!(by(&[Advance::Fill]).iter().all(|id| table.halves[id] == 8), "seed {seed}: {code}");
        let ruled = by(&[Advance::Ruling]);
        assert!(ruled.is_empty() || expected.is_empty() && ruled.len() == 1, "seed {seed}: {code}");
    }
    check_ends(world, &tables, seed);
    check_order(world, &tables, seed);
    check_fills(world, seed);
}

/// Every entry has come to its end, and has what is given for it.
fn check_ends(world: &World, tables: &BTreeMap<SectionCode, Table>, seed: u64) {
    for entry in world.state.entries.values() {
        let rounds: Vec<usize> = entry.sections.iter().map(|code| tables[code].round).collect();
        assert!(rounds.iter().copied().eq(0..rounds.len()), "seed {seed}: {} {rounds:?}", entry.id);
        let certificate = Award::GiftCertificate {
            amount: "7.00".parse().expect("an amount"),
            currency: "USD".to_owned(),
        };
        let expected: &[Award] = match (entry.state, rounds.len()) {
            (EntryState::Eliminated, 1) => &[certificate],
            (EntryState::Eliminated, 2) => &[Award::FramingCertificate],
            // Alone in its round, it had nobody to play.
            (EntryState::CarriedForward, 0) | (EntryState::Finished, 1 | 2) => &[],
            (EntryState::Finished, 3) if forfeited(world, entry) => &[],
            (EntryState::Finished, 3) => &[Award::Pin],
            (state, count) => panic!("seed {seed}: {} is {state:?} after {count} rounds", entry.id),
        };
        // Who has the title is Rule 5, and tested there.
        let mut given = entry.awards.clone();
        given.retain(|award| !matches!(award, Award::Title(_)));
        assert_eq!(given, expected, "seed {seed}: {}", entry.id);
    }
}

fn forfeited(world: &World, entry: &Entry) -> bool {
    entry.sections.iter().any(|code| {
        let section = &world.state.sections[code];
        let seat = section.seat_of(&entry.id).expect("it sits");
        section
            .games_of(seat)
            .any(|g| g.outcome().is_some_and(|outcome| outcome.how == How::DoubleForfeit))
    })
}

/// Nobody with 4 is out, and nobody with 4 fills up, before all sections of the round were decided.
fn check_order(world: &World, tables: &BTreeMap<SectionCode, Table>, seed: u64) {
    let mut open: BTreeMap<usize, usize> = BTreeMap::new();
    for event in &world.log {
        match event {
            Event::SectionFormed { section, .. } => {
                *open.entry(tables[section].round).or_default() += 1;
            }
            Event::SectionCompleted { section } => {
                *open.entry(tables[section].round).or_default() -= 1;
            }
            Event::EntryEliminated { entry, section: Some(section), points }
                if points.halves == 8 =>
            {
                assert_eq!(
                    open[&tables[section].round], 0,
                    "seed {seed}: {entry} is out too early"
                );
            }
            Event::EntryAdvanced { entry, section: Some(section), why: Advance::Fill, .. } => {
                assert_eq!(open[&tables[section].round], 0, "seed {seed}: {entry} fills too early");
            }
            _ => {}
        }
    }
}

/// Of those on 4 nobody with a lower rating fills up before one who could sit in his place.
fn check_fills(world: &World, seed: u64) {
    let mut replayed = State::default();
    let mut filled: Vec<EntryId> = Vec::new();
    for event in &world.log {
        match event {
            Event::EntryAdvanced { entry, why: Advance::Fill, .. } => filled.push(entry.clone()),
            Event::SectionFormed { seats, round, .. } if !filled.is_empty() => {
                let sits: Vec<&EntryId> = seats.iter().map(|s| &s.entry).collect();
                check_filled(&replayed, &filled, &sits, round - 1, seed);
                filled.clear();
            }
            _ => {}
        }
        if filled.is_empty() {
            apply(&mut replayed, event);
        }
    }
}

fn check_filled(state: &State, filled: &[EntryId], sits: &[&EntryId], round: usize, seed: u64) {
    let rating = |id: &EntryId| state.players[&state.entries[id].member].rating;
    let last = filled.iter().map(rating).min().expect("somebody filled up");
    let apart = |a: &EntryId, b: &EntryId| {
        let (a, b) = (&state.entries[a].member, &state.entries[b].member);
        a == b || state.are_apart(a, b)
    };
    for entry in state.entries.values().filter(|e| e.state == EntryState::Assigned) {
        let section = &state.sections[entry.sections.last().expect("it sits")];
        let row = knightmail::domain::crosstable::crosstable(section);
        let has = row.iter().find(|r| r.entry == entry.id).map_or(0, |r| r.settled.halves);
        let candidate = section.round == round && has == 8 && !sits.contains(&&entry.id);
        let hindered = sits.iter().any(|s| apart(s, &entry.id) && rating(s) >= rating(&entry.id))
            || sits.iter().any(|s| apart(s, &entry.id) && !filled.contains(s));
        assert!(
            !candidate || hindered || rating(&entry.id) <= last,
            "seed {seed}: {} was skipped",
            entry.id
        );
        assert!(!candidate || hindered || sits.len() == 7, "seed {seed}: {} has a seat", entry.id);
    }
}

#[test]
fn rule_3_whole_championships_advance_as_brute_force_says_and_come_to_an_end() {
    for seed in 0..24 {
        let mut dice = Dice(seed);
        let entries = *dice.pick(&[14, 21, 50]);
        let mut world = entered(&mut dice, entries);
        let mut on = day("2019-12-02");
        for _ in 0..80 {
            world.tick(Job::Assignments, &on.to_string());
            play_on(&mut world, &mut dice);
            world.tick(Job::Reminders, &on.to_string());
            direct(&mut world, &mut dice);
            on = later(on, 7);
            let ends = |e: &Entry| {
                let state = e.state;
                state != EntryState::Waiting
                    && state != EntryState::Assigned
                    && state != EntryState::Advanced
            };
            if on > day("2020-01-20") && world.state.entries.values().all(ends) {
                break;
            }
        }
        check(&world, seed);
        let mut replayed = State::default();
        world.log.iter().for_each(|event| apply(&mut replayed, event));
        assert_eq!(replayed, world.state, "seed {seed}: a replay gives the same books");
    }
}
