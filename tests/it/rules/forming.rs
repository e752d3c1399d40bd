//! Rule 2: players who asked not to meet, and nobody passed over twice. What is expected is found by trying every way,
//! without a look at how the program does it.

use super::*;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// The seats of a section in the exhaustive trials.
const SIZE: usize = 3;

/// Those who wait, as the rule serves them: persons by number, and which of them must not meet.
struct Waiting {
    entries: Vec<EntryId>,
    persons: Vec<MemberId>,
    apart: BTreeSet<(MemberId, MemberId)>,
}

impl Waiting {
    fn of(world: &World, passed: &BTreeSet<EntryId>) -> Self {
        let mut all: Vec<&Entry> =
            world.state.entries.values().filter(|e| e.state == EntryState::Waiting).collect();
        all.sort_by_key(|e| (Reverse(passed.contains(&e.id)), e.postmark, e.arrived, &e.id));
        Self {
            entries: all.iter().map(|e| e.id.clone()).collect(),
            persons: all.iter().map(|e| e.member.clone()).collect(),
            apart: world.state.apart.clone(),
        }
    }

    fn may_meet(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.persons[one], &self.persons[other]);
        let pair = |a: &MemberId, b: &MemberId| self.apart.contains(&(a.clone(), b.clone()));
        one != other && !pair(one, other) && !pair(other, one)
    }

    /// The most sections that all who must sit can sit in, by trying every way; none where they cannot.
    fn most(&self, must: &BTreeSet<usize>) -> Option<usize> {
        self.most_of(&(0..self.entries.len()).collect::<Vec<_>>(), must)
    }

    fn most_of(&self, free: &[usize], must: &BTreeSet<usize>) -> Option<usize> {
        let Some((first, rest)) = free.split_first() else { return Some(0) };
        let without = || self.most_of(rest, must);
        let mut best = if must.contains(first) { None } else { without() };
        for (n, second) in rest.iter().enumerate().filter(|(_, s)| self.may_meet(*first, **s)) {
            for third in &rest[n + 1..] {
                if !self.may_meet(*first, *third) || !self.may_meet(*second, *third) {
                    continue;
                }
                let left: Vec<usize> =
                    rest.iter().filter(|e| *e != second && *e != third).copied().collect();
                best = best.max(self.most_of(&left, must).map(|sections| sections + 1));
            }
        }
        best
    }

    /// Who is seated: nobody who was passed over is left if he can sit at all; then as many sections as can be; then
    /// each in turn who can sit beside those before him.
    fn seated(&self, passed: &BTreeSet<EntryId>) -> (usize, BTreeSet<EntryId>) {
        let mut must = BTreeSet::new();
        for place in (0..self.entries.len()).filter(|p| passed.contains(&self.entries[*p])) {
            must.insert(place);
            if self.most(&must).unwrap_or(0) == 0 {
                must.remove(&place);
            }
        }
        let sections = self.most(&must).expect("they can sit");
        for place in 0..self.entries.len() {
            let is_new = must.len() < sections * SIZE && must.insert(place);
            if is_new && self.most(&must) != Some(sections) {
                must.remove(&place);
            }
        }
        (sections, must.into_iter().map(|place| self.entries[place].clone()).collect())
    }
}

fn small_world() -> World {
    let mut world = World::new("2019-03-01");
    let tournament = world.rules.tournaments.get_mut(&"GK2019".into()).expect("it is shipped");
    tournament.rounds[0].size = u8::try_from(SIZE).expect("few");
    world
}

fn list(world: &mut World, dice: &mut Dice, persons: u16) {
    for n in 1..=persons {
        let rating = *dice.pick(&[None, Some(1200), Some(1500), Some(1500), Some(2100)]);
        world.act(&Command::ListPlayers(vec![player(n, rating)]));
    }
}

fn keep_apart(world: &mut World, one: u16, other: u16) {
    world.act(&Command::KeepApart { one: member(one), other: member(other), lifted: false });
}

fn any_number(dice: &mut Dice, persons: u16) -> u16 {
    u16::try_from(dice.below(persons.into())).expect("few") + 1
}

/// The sections of these events, each with its entries in order of the seats.
fn formed(events: &[Event]) -> Vec<Vec<EntryId>> {
    let sections = events.iter().filter_map(|event| match event {
        Event::SectionFormed { seats, .. } => Some(seats.iter().map(|s| s.entry.clone()).collect()),
        _ => None,
    });
    sections.collect()
}

fn passed(events: &[Event]) -> Vec<EntryId> {
    let passed = events.iter().filter_map(|event| match event {
        Event::EntryPassedOver { entry } => Some(entry.clone()),
        _ => None,
    });
    passed.collect()
}

fn check_sections(world: &World, sections: &[Vec<EntryId>], size: usize, seed: u64) {
    for section in sections {
        assert_eq!(section.len(), size, "seed {seed}");
        let came = |id: &EntryId| {
            let entry = &world.state.entries[id];
            let rating = world.state.players[&entry.member].rating;
            (Reverse(rating), entry.postmark, entry.arrived)
        };
        assert!(
            section.is_sorted_by_key(came),
            "seed {seed}: seats by falling rating: {section:?}"
        );
        for (n, one) in section.iter().enumerate() {
            for other in &section[n + 1..] {
                let (a, b) = (&world.state.entries[one].member, &world.state.entries[other].member);
                assert!(a != b && !world.state.are_apart(a, b), "seed {seed}: {one} and {other}");
            }
        }
    }
}

#[test]
fn rule_2_in_turn_and_never_fewer_sections_than_can_be_found_by_trying_everything() {
    for seed in 0..120 {
        let mut dice = Dice(seed);
        let mut world = small_world();
        let persons = 4 + u16::try_from(dice.below(5)).expect("few");
        list(&mut world, &mut dice, persons);
        for _ in 0..dice.below(7) {
            let (one, other) = (any_number(&mut dice, persons), any_number(&mut dice, persons));
            if one != other {
                keep_apart(&mut world, one, other);
            }
        }
        let mut flagged: BTreeSet<EntryId> = BTreeSet::new();
        for week in 0..5 {
            let on = later(day("2019-03-04"), 7 * week);
            let waits = world.states_of_all(EntryState::Waiting);
            for _ in 0..(9_usize.saturating_sub(waits)).min(2 + dice.below(5)) {
                let postmark = on - Days::new(u64::try_from(dice.below(5)).expect("days"));
                let n = any_number(&mut dice, persons);
                world.enter(EntryForm { paid: true, postmark, ..form(n, "2019-02-01") });
            }
            let (sections, seated) = Waiting::of(&world, &flagged).seated(&flagged);
            let events = world.tick(Job::Assignments, &on.to_string());
            let found = formed(&events);
            assert_eq!(found.len(), sections, "seed {seed}, week {week}");
            let sits: BTreeSet<EntryId> = found.iter().flatten().cloned().collect();
            assert_eq!(sits, seated, "seed {seed}, week {week}: first come, first served");
            check_sections(&world, &found, SIZE, seed);
            flagged.retain(|id| !sits.contains(id));
            for id in passed(&events) {
                assert!(flagged.insert(id.clone()), "seed {seed}: {id} is passed over twice");
            }
            assert!(world.state.entries.values().all(|e| e.passed_over == flagged.contains(&e.id)));
        }
    }
}

impl World {
    fn states_of_all(&self, state: EntryState) -> usize {
        self.state.entries.values().filter(|e| e.state == state).count()
    }
}

#[test]
fn rule_2_large_pools_with_many_opt_outs_are_seated_too() {
    for seed in 0..8 {
        let mut dice = Dice(seed);
        let mut world = World::new("2019-03-01");
        let persons = 20 + u16::try_from(dice.below(60)).expect("few");
        list(&mut world, &mut dice, persons);
        for _ in 0..dice.below(60) {
            let (one, other) = (any_number(&mut dice, persons), any_number(&mut dice, persons));
            if one != other {
                keep_apart(&mut world, one, other);
            }
        }
        for n in 1..=persons {
            let count = u8::try_from(1 + dice.below(3)).expect("few");
            world.enter(EntryForm { paid: true, count, ..form(n, "2019-02-01") });
        }
        for on in ["2019-03-04", "2019-03-11"] {
            let events = world.tick(Job::Assignments, on);
            check_sections(&world, &formed(&events), 7, seed);
        }
        let mut left: BTreeMap<&MemberId, usize> = BTreeMap::new();
        for entry in world.state.entries.values().filter(|e| e.state == EntryState::Waiting) {
            *left.entry(&entry.member).or_default() += 1;
        }
        let people: Vec<&MemberId> = left.keys().copied().collect();
        let apart = people.iter().any(|a| people.iter().any(|b| world.state.are_apart(a, b)));
        assert!(people.len() < 7 || apart, "seed {seed}: {} could sit", people.len());
    }
}

/// Seven entries, players 1 to 7 in order of arrival, and one more who comes last.
fn eight(world: &mut World) {
    for n in 1..=8 {
        world.act(&Command::ListPlayers(vec![player(n, Some(2000 - n))]));
        world.enter(EntryForm { paid: true, ..form(n, &format!("2019-02-{n:02}")) });
    }
}

#[test]
fn rule_2_who_asked_not_to_meet_does_not_and_who_was_passed_over_comes_first() {
    let mut world = World::new("2019-03-01");
    eight(&mut world);
    keep_apart(&mut world, 3, 1);
    let events = world.tick(Job::Assignments, "2019-03-04");
    let sits = formed(&events).concat();
    assert_eq!(sits.len(), 7);
    assert!(!sits.contains(&"GK2019-003".into()), "player 1 came before him");
    assert_eq!(passed(&events), [EntryId::from("GK2019-003")]);
    // Six come before him by postmark, and one after: he is served first all the same.
    for n in 9..=15 {
        world.act(&Command::ListPlayers(vec![player(n, Some(2000 - n))]));
        world.enter(EntryForm { paid: true, ..form(n, "2019-02-01") });
    }
    keep_apart(&mut world, 3, 9);
    let events = world.tick(Job::Assignments, "2019-03-11");
    let sits = formed(&events).concat();
    assert!(sits.contains(&"GK2019-003".into()));
    assert_eq!(passed(&events), [EntryId::from("GK2019-009")], "player 9 is passed over for him");
    assert!(!entry(&world, "GK2019-003").passed_over, "he has had his turn");
}

#[test]
fn rule_2_an_opt_out_that_is_lifted_keeps_nobody_apart() {
    let mut world = World::new("2019-03-01");
    eight(&mut world);
    keep_apart(&mut world, 1, 3);
    world.act(&Command::KeepApart { one: member(3), other: member(1), lifted: true });
    let events = world.tick(Job::Assignments, "2019-03-04");
    assert!(!formed(&events).concat().contains(&"GK2019-008".into()), "first come, first served");
    assert!(passed(&events).is_empty());
}

#[test]
fn rule_2_a_persons_further_entries_wait_without_being_passed_over() {
    let mut world = World::new("2019-03-01");
    for n in 1..=7 {
        world.act(&Command::ListPlayers(vec![player(n, Some(2000 - n))]));
        let count = if n == 1 { 2 } else { 1 };
        world.enter(EntryForm { paid: true, count, ..form(n, &format!("2019-02-{n:02}")) });
    }
    let events = world.tick(Job::Assignments, "2019-03-04");
    assert_eq!(formed(&events).len(), 1);
    assert!(passed(&events).is_empty());
}

#[test]
fn rule_2_opt_outs_hold_in_later_rounds_too() {
    let mut world = World::new("2019-03-01");
    for n in 1..=35 {
        world.act(&Command::ListPlayers(vec![player(n, Some(2400 - n))]));
        world.enter(EntryForm { paid: true, ..form(n, "2019-02-01") });
    }
    world.tick(Job::Assignments, "2019-03-04");
    for n in 1..=5 {
        rounds::play(&mut world, &format!("19N{n:02}"), rounds::stronger);
    }
    let waiting: Vec<MemberId> =
        world.state.waiting(&"GK2019".into(), 1).iter().map(|e| e.member.clone()).collect();
    assert_eq!(waiting.len(), 10);
    keep_apart(&mut world, number(&waiting[0]), number(&waiting[1]));
    let events = world.tick(Job::Assignments, "2019-03-11");
    let found = formed(&events);
    assert_eq!(found.len(), 1);
    check_sections(&world, &found, 7, 0);
    assert!(matches!(&events[0], Event::SectionFormed { section, round: 1, .. }
        if section == &SectionCode::from("19Ns01")));
    assert_eq!(passed(&events), [world.state.entries_of[&waiting[1]][0].clone()]);
}
