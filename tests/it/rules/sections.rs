//! Rule 2: forming sections. The checker here was written from the rule alone and shares nothing with the code: it
//! looks at who waited and who was seated, and says what is wrong.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// A section as the event says it.
#[derive(Clone, Debug)]
struct Formed {
    entries: Vec<EntryId>,
    games: BTreeSet<(u8, u8)>,
    start: NaiveDate,
}

fn formed(events: &[Event]) -> Vec<Formed> {
    let sections = events.iter().filter_map(|event| match event {
        Event::SectionFormed { seats, games, start, .. } => Some(Formed {
            entries: seats.iter().map(|s| s.entry.clone()).collect(),
            games: games.iter().map(|(white, black)| (white.0, black.0)).collect(),
            start: *start,
        }),
        _ => None,
    });
    sections.collect()
}

/// The Berger table as the handbook tells it: for an even number n the first round pairs 1 with n, 2 with n - 1 and so
/// on; each next round adds n / 2 to every number but the last, counted round; the last one has White in every second
/// round. An odd size is the next even one without its last seat.
fn berger(size: u8) -> BTreeSet<(u8, u8)> {
    let n = size + size % 2;
    let mut games = BTreeSet::new();
    for round in 0..n - 1 {
        let turned = |seat: u8| {
            let steps = u16::from(seat - 1) + u16::from(round) * u16::from(n / 2);
            u8::try_from(steps % u16::from(n - 1)).expect("it is below n") + 1
        };
        let first = turned(1);
        games.insert(if round % 2 == 0 { (first, n) } else { (n, first) });
        for seat in 2..=n / 2 {
            games.insert((turned(seat), turned(n + 1 - seat)));
        }
    }
    games.retain(|(white, black)| *white <= size && *black <= size);
    games
}

#[test]
fn rule_2_the_checkers_own_table_is_the_printed_one() {
    let whites = |seat: u8| -> Vec<u8> {
        berger(7).iter().filter(|game| game.0 == seat).map(|game| game.1).collect()
    };
    let printed: [&[u8]; 7] =
        [&[2, 4, 6], &[3, 5, 7], &[1, 4, 6], &[2, 5, 7], &[1, 3, 6], &[2, 4, 7], &[1, 3, 5]];
    for (seat, blacks) in (1..).zip(printed) {
        assert_eq!(whites(seat), blacks, "seat {seat}");
    }
}

/// Says what is wrong with the sections that were formed of those who waited, the first come first.
fn faults(world: &World, waiting: &[EntryId], sections: &[Formed]) -> Vec<String> {
    let mut faults = Vec::new();
    let person = |id: &EntryId| &world.state.entries[id].member;
    let rating = |id: &EntryId| world.state.players[person(id)].rating.map_or(-1, i32::from);
    let seated: Vec<&EntryId> = sections.iter().flat_map(|s| &s.entries).collect();
    for id in &seated {
        if seated.iter().filter(|other| other == &id).count() > 1 || !waiting.contains(id) {
            faults.push(format!("{id} sits twice or did not wait"));
        }
    }
    for section in sections {
        if section.entries.len() != 7 {
            faults.push(format!("a section of {}", section.entries.len()));
        }
        let persons: BTreeSet<_> = section.entries.iter().map(person).collect();
        if persons.len() != section.entries.len() {
            faults.push(format!("one person twice: {:?}", section.entries));
        }
        for pair in section.entries.windows(2) {
            let came = |id: &EntryId| {
                let entry = &world.state.entries[id];
                (-rating(id), entry.postmark, entry.arrived)
            };
            if came(&pair[0]) > came(&pair[1]) {
                faults.push(format!("{} sits before {}", pair[0], pair[1]));
            }
        }
        if section.games != berger(7) {
            faults.push("colours are not the table's".to_owned());
        }
    }
    // As many sections as can be: a person fills one seat in each at most.
    let mut of_person: BTreeMap<&MemberId, usize> = BTreeMap::new();
    for id in waiting {
        *of_person.entry(person(id)).or_default() += 1;
    }
    let fills = |k: usize| of_person.values().map(|held| held.min(&k)).sum::<usize>() >= 7 * k;
    let most = (0..=waiting.len() / 7).filter(|k| fills(*k)).max().unwrap_or(0);
    if sections.len() != most {
        faults.push(format!("{} sections where {most} can be", sections.len()));
    }
    // Who was left although a later one was seated has all his person's seats of the day taken by earlier entries.
    let last = waiting.iter().rposition(|id| seated.contains(&id));
    for (place, id) in waiting.iter().enumerate() {
        let earlier = waiting[..place].iter().filter(|e| person(e) == person(id));
        let taken = earlier.filter(|e| seated.contains(e)).count();
        if !seated.contains(&id) && last.is_some_and(|l| place < l) && taken < sections.len() {
            faults.push(format!("{id} was passed over"));
        }
    }
    faults
}

fn waiting(world: &World) -> Vec<EntryId> {
    let mut ids: Vec<&Entry> =
        world.state.entries.values().filter(|e| e.state == EntryState::Waiting).collect();
    ids.sort_by_key(|e| (e.postmark, e.arrived));
    ids.iter().map(|e| e.id.clone()).collect()
}

/// Random players with up to ten paid entries each, all postmarked in the first half of the year.
fn enter_random(world: &mut World, dice: &mut Dice, persons: u16, most: usize) {
    let ratings = [None, Some(1200), Some(1500), Some(1500), Some(1800), Some(2100), Some(2400)];
    let first = u16::try_from(world.state.players.len()).expect("few players") + 1;
    for n in first..first + persons {
        let rating = *dice.pick(&ratings);
        world.act(&Command::ListPlayers(vec![player(n, rating)]));
        for _ in 0..=dice.below(most) {
            let passed = u64::try_from(dice.below(50)).expect("a day");
            let seconds = i64::try_from(dice.below(80_000)).expect("seconds");
            let postmark = later(day("2019-01-02"), passed);
            let arrived = noon(postmark) + chrono::Duration::seconds(seconds);
            world.enter(EntryForm { paid: true, arrived, postmark, ..form(n, "2019-01-02") });
        }
    }
}

#[test]
fn rule_2_random_waiting_lists_are_served_in_turn() {
    for seed in 0..40 {
        let mut dice = Dice(seed);
        let mut world = World::new("2019-03-01");
        for on in ["2019-03-04", "2019-03-11", "2019-03-18"] {
            let persons = u16::try_from(dice.below(40)).expect("few");
            let most = *dice.pick(&[1, 1, 2, 3, 10]);
            enter_random(&mut world, &mut dice, persons, most);
            let before = waiting(&world);
            let sections = formed(&world.tick(Job::Assignments, on));
            let faults = faults(&world, &before, &sections);
            assert!(faults.is_empty(), "seed {seed}, {on}: {faults:#?}");
            assert!(sections.iter().all(|s| s.start == day(on)), "seed {seed}: all start at once");
            assert!(world.open_kinds().is_empty(), "entries are open: nobody is left over");
        }
    }
}

#[test]
fn rule_2_the_seated_are_dealt_so_that_each_section_has_strong_and_weak() {
    for seed in 0..50 {
        let mut dice = Dice(seed);
        let mut world = World::new("2019-03-01");
        let sections = 2 + dice.below(5);
        for n in 1..=u16::try_from(7 * sections + 3).expect("few") {
            let rating = u16::try_from(1000 + dice.below(1400)).expect("a rating");
            world.act(&Command::ListPlayers(vec![player(n, Some(rating))]));
            world.enter(EntryForm { paid: true, ..form(n, "2019-02-01") });
        }
        let formed = formed(&world.tick(Job::Assignments, "2019-03-04"));
        assert_eq!(formed.len(), sections);
        let rating = |id: &EntryId| world.state.players[&world.state.entries[id].member].rating;
        let mut all: Vec<_> = formed.iter().flat_map(|s| &s.entries).map(rating).collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        // Of each band of as many players as there are sections, every section has one.
        for section in &formed {
            for (band, id) in all.chunks(sections).zip(&section.entries) {
                let fits = rating(id) <= band[0] && rating(id) >= band[sections - 1];
                assert!(fits, "seed {seed}: {:?} is not of the band {band:?}", rating(id));
            }
        }
    }
}

#[test]
fn rule_2_unrated_players_sit_last_and_among_equals_the_earlier_entry_first() {
    let mut world = World::new("2019-03-01");
    let ratings = [None, Some(1500), Some(1900), None, Some(1500), Some(1500), Some(2000)];
    for (n, rating) in (1..).zip(ratings) {
        world.act(&Command::ListPlayers(vec![player(n, rating)]));
    }
    for (n, postmark) in [
        (1, "2019-01-20"),
        (2, "2019-01-09"),
        (3, "2019-01-30"),
        (4, "2019-01-03"),
        (5, "2019-01-05"),
        (6, "2019-01-07"),
        (7, "2019-01-31"),
    ] {
        world.enter(EntryForm { paid: true, ..form(n, postmark) });
    }
    world.tick(Job::Assignments, "2019-03-04");
    let seats: Vec<u16> = world
        .section()
        .each_seat()
        .map(|(_, seated)| number(&world.state.entries[&seated.entry].member))
        .collect();
    assert_eq!(seats, [7, 3, 5, 6, 2, 4, 1]);
    assert_eq!(world.section().code, SectionCode::from("19N01"));
}

#[test]
fn rule_2_pairs_who_meet_elsewhere_are_kept_apart_where_that_is_possible() {
    for seed in 0..100 {
        let mut dice = Dice(seed);
        let mut world = World::with_section();
        // Two or three of the section's players come again, with enough others for as many sections.
        let again = 2 + dice.below(2);
        let others = u16::try_from(7 * again - again).expect("few");
        let mut numbers: Vec<u16> = (8..8 + others).collect();
        for n in &numbers {
            let rating = u16::try_from(1000 + dice.below(1400)).expect("a rating");
            world.act(&Command::ListPlayers(vec![player(*n, Some(rating))]));
        }
        let mut known: Vec<u16> = (1..=7).collect();
        for _ in 0..again {
            numbers.push(known.swap_remove(dice.below(known.len())));
        }
        for n in numbers {
            world.enter(EntryForm { paid: true, ..form(n, "2019-03-05") });
        }
        let formed = formed(&world.tick(Job::Assignments, "2019-03-11"));
        assert_eq!(formed.len(), again);
        for section in formed {
            let persons = section.entries.iter().map(|id| number(&world.state.entries[id].member));
            let known = persons.filter(|n| *n <= 7).count();
            assert_eq!(known, 1, "seed {seed}: each section has one of them");
        }
    }
}

#[test]
fn rule_9_no_section_is_formed_before_the_second_of_january() {
    let mut world = World::with_players(7);
    for n in 1..=7 {
        world.enter(EntryForm { paid: true, ..form(n, "2019-01-01") });
    }
    assert!(formed(&world.tick(Job::Assignments, "2019-01-01")).is_empty());
    assert_eq!(formed(&world.tick(Job::Assignments, "2019-01-02")).len(), 1);
}

#[test]
fn rule_2_unpaid_and_held_entries_are_not_seated() {
    let mut world = World::with_players(7);
    for n in 1..=6 {
        world.enter(EntryForm { paid: true, ..form(n, "2019-02-01") });
    }
    world.enter(form(7, "2019-02-01"));
    assert!(formed(&world.tick(Job::Assignments, "2019-03-04")).is_empty());
    world.act(&payment(7, "25.00", "2019-03-05", "check"));
    assert_eq!(formed(&world.tick(Job::Assignments, "2019-03-11")).len(), 1);
}

/// Books after the closing day with these players' entries left over.
fn left_over(numbers: &[u16]) -> World {
    let mut world = World::with_players(9);
    for n in numbers {
        world.enter(EntryForm { paid: true, ..form(*n, "2019-02-01") });
    }
    assert!(world.tick(Job::Assignments, "2019-12-30").len() <= 1, "entries are open still");
    world.tick(Job::Assignments, "2020-01-06");
    world
}

#[test]
fn rule_2_those_left_over_at_the_end_are_put_to_the_director_once() {
    let mut world = left_over(&[1, 2, 3, 4, 5, 6]);
    let item = world.item();
    assert_eq!((item.kind, item.rule), (ItemKind::SectionShort, 2));
    assert_eq!(item.choices, ["play-short", "carry-forward", "by-hand"]);
    assert_eq!(item.entries.len(), 6);
    world.tick(Job::Assignments, "2020-01-13");
    world.item();
}

#[test]
fn rule_2_a_short_section_plays_the_table_of_its_size() {
    for size in 2..=6u8 {
        let numbers: Vec<u16> = (1..=size.into()).collect();
        let mut world = left_over(&numbers);
        let item = world.item().item;
        let formed = formed(&world.rule(item, "play-short"));
        assert_eq!(formed.len(), 1);
        assert_eq!(formed[0].entries.len(), usize::from(size));
        assert_eq!(formed[0].games, berger(size), "size {size}");
        world.tick(Job::Assignments, "2020-01-13");
        assert!(world.open_kinds().is_empty());
    }
}

#[test]
fn rule_2_what_cannot_play_short_is_not_offered_to() {
    // Two entries of one person have nobody to play.
    let world = left_over(&[1, 1]);
    assert_eq!(world.item().choices, ["carry-forward", "by-hand"]);
}

#[test]
fn rule_2_a_person_with_two_entries_left_plays_one_and_carries_the_other() {
    let mut world = left_over(&[1, 1, 2, 3, 4]);
    let item = world.item().item;
    let formed = formed(&world.rule(item, "play-short"));
    assert_eq!(formed[0].entries.len(), 4);
    assert_eq!(world.states(&member(1)), [EntryState::Assigned, EntryState::CarriedForward]);
}

#[test]
fn rule_2_those_left_over_may_all_play_next_year() {
    let mut world = left_over(&[1, 2, 2]);
    let item = world.item().item;
    world.rule(item, "carry-forward");
    assert!(world.state.entries.values().all(|e| e.state == EntryState::CarriedForward));
}
