//! Rule 6: weighted points and the standings by them.

use super::*;
use knightmail::domain::{
    acts::Carried,
    points::Points,
    rules::scoring::{self, Standing},
    tournament::Tournament,
};
use std::cmp::Reverse;

/// What an entry scored: half points of each round it reached, and how many games it forfeited in each.
#[derive(Clone, Debug)]
pub(super) struct Scored {
    pub(super) member: u16,
    pub(super) rounds: Vec<(u16, u8)>,
}

/// The day on which everything is over.
pub(super) const OVER: &str = "2026-01-05";

/// An entry without a forfeit: `6 5.5 4`.
pub(super) fn scored(member: u16, points: &str) -> Scored {
    let halves = |text: &str| text.parse::<Points>().expect("points").halves;
    Scored { member, rounds: points.split_whitespace().map(|text| (halves(text), 0)).collect() }
}

/// Books in which every round of these entries was carried over from other books; GK2019-001 is the first.
pub(super) fn carried(entries: &[Scored]) -> World {
    let most = entries.iter().map(|entry| entry.member).max().unwrap_or(1);
    let mut world = World::with_players(most);
    let id = |n: usize| EntryId(format!("GK2019-{:03}", n + 1));
    for (n, entry) in entries.iter().enumerate() {
        let id = Some(id(n));
        world.enter(EntryForm { paid: true, id, ..form(entry.member, "2019-02-01") });
    }
    world.today = day("2025-01-05");
    for round in 0..3 {
        for (n, entry) in entries.iter().enumerate() {
            let Some((halves, forfeit_losses)) = entry.rounds.get(round).copied() else { continue };
            let points = Points::from_halves(halves);
            world.act(&Command::CarryScore(Carried {
                entry: id(n),
                round,
                points,
                forfeit_losses,
            }));
        }
    }
    world.today = day(OVER);
    world
}

pub(super) fn golden_knights(world: &World) -> &Tournament {
    &world.rules.tournaments[&"GK2019".into()]
}

fn standings(world: &World) -> Vec<Standing> {
    scoring::standings(golden_knights(world), &world.state, world.today)
}

fn points(text: &str) -> Vec<Option<Points>> {
    let cell = |text: &str| (text != "-").then(|| text.parse().expect("points"));
    text.split_whitespace().map(cell).collect()
}

#[test]
fn rule_6_a_total_is_exact_and_its_sum_is_shown() {
    let world = World::new("2019-03-01");
    for (scored, total, sum) in [
        ("6 5.5 4", "36.10", "6 x 1.0 + 5.5 x 2.2 + 4 x 4.5 = 36.10"),
        ("6 6 6", "46.20", "6 x 1.0 + 6 x 2.2 + 6 x 4.5 = 46.20"),
        ("4.5 3.5 -", "12.20", "4.5 x 1.0 + 3.5 x 2.2 = 12.20"),
        ("0.5 - -", "0.50", "0.5 x 1.0 = 0.50"),
        ("- - -", "0.00", "0.00"),
        ("4 4 0.5", "15.05", "4 x 1.0 + 4 x 2.2 + 0.5 x 4.5 = 15.05"),
    ] {
        let points = points(scored);
        let tournament = golden_knights(&world);
        assert_eq!(scoring::two_places(scoring::weighted(tournament, &points)), total, "{scored}");
        assert_eq!(scoring::worked(tournament, &points), sum, "{scored}");
    }
}

#[test]
fn rule_6_equal_totals_share_the_better_place() {
    let entries = ["6 6 6", "6 5.5 4.5", "6 5 4.5", "6 5.5 4.5", "5 4.5 4"];
    let entries: Vec<Scored> = (1..).zip(entries).map(|(n, text)| scored(n, text)).collect();
    let rows = standings(&carried(&entries));
    let got: Vec<(usize, &str)> =
        rows.iter().map(|row| (row.place, row.entry.0.as_str())).collect();
    let wanted = [
        (1, "GK2019-001"),
        (2, "GK2019-002"),
        (2, "GK2019-004"),
        (4, "GK2019-003"),
        (5, "GK2019-005"),
    ];
    assert_eq!(got, wanted);
}

#[test]
fn rule_6_every_assigned_entry_stands_with_what_it_scored_so_far() {
    let mut world = World::with_section();
    world.report(1, &game(1, 2), played(Score::WhiteWins));
    world.settle(&game(2, 3), Score::Draw);
    let rows = standings(&world);
    assert_eq!(rows.len(), 7, "nobody is missing: {rows:?}");
    let row = |id: &str| rows.iter().find(|row| row.entry.0 == id).expect("it stands");
    assert_eq!(row("GK2019-001").points, points("1 - -"), "a report counts in tables");
    assert_eq!(row("GK2019-002").points, points("0.5 - -"));
    assert_eq!(row("GK2019-004").points, points("0 - -"));
    assert_eq!((row("GK2019-001").place, row("GK2019-002").place), (1, 2));
    assert_eq!((row("GK2019-003").place, row("GK2019-004").place), (2, 4));
    assert!(rows.iter().all(|row| row.prize_eligible), "everybody may still complete the rounds");
}

#[test]
fn rule_4_a_forfeit_loss_or_an_early_end_takes_the_right_to_prize_money() {
    let mut world = World::with_section();
    let outcome = Outcome { result: Score::WhiteWins, how: How::TimeForfeit };
    let reason = "silent for long".to_owned();
    world.act(&Command::FixResult { game: game(1, 2), outcome, reason });
    let right = |world: &World| -> Vec<bool> {
        let mut rows = standings(world);
        rows.sort_by(|a, b| a.entry.cmp(&b.entry));
        rows.iter().map(|row| row.prize_eligible).collect()
    };
    assert_eq!(right(&world), [true, false, true, true, true, true, true]);
    let adjudicated = Outcome { result: Score::WhiteWins, how: How::Death };
    let reason = "a better position".to_owned();
    world.act(&Command::FixResult { game: game(3, 4), outcome: adjudicated, reason });
    assert_eq!(right(&world), [true, false, true, true, true, true, true], "a death is no forfeit");
    let out = carried(&[scored(1, "6 3.5"), scored(2, "3"), scored(3, "6 6 6")]);
    assert_eq!(right(&out), [false, false, true]);
}

/// A made-up field: several entries a person, forfeits, some who went on by the director's word.
pub(super) fn field(dice: &mut Dice) -> Vec<Scored> {
    let count = 1 + dice.below(36);
    let entry = |dice: &mut Dice| {
        let mut rounds: Vec<(u16, u8)> = Vec::new();
        for _ in 0..3 {
            let halves = u16::try_from(dice.below(13)).expect("a small number");
            let lost = (12 - halves) / 2;
            let forfeits = if dice.once_in(6) { lost.min(1) } else { 0 };
            rounds.push((halves, u8::try_from(forfeits).expect("a small number")));
            // Whoever has just four was taken, for he would wait for a question otherwise.
            if halves < 8 && !dice.once_in(8) {
                break;
            }
        }
        let member = 1 + u16::try_from(dice.below(20)).expect("a small number");
        Scored { member, rounds }
    };
    let mut entries: Vec<Scored> = Vec::new();
    while entries.len() < count {
        // Twins make ties.
        let twin = entries.len() > 2 && dice.once_in(4);
        let mut next = entry(dice);
        if twin {
            next.rounds.clone_from(&dice.pick(&entries).rounds);
        }
        if entries.iter().filter(|known| known.member == next.member).count() < 10 {
            entries.push(next);
        }
    }
    entries
}

/// A total in twentieths of a point, counted apart from the program: 10, 22 and 45 twentieths a half point.
pub(super) fn twentieths(entry: &Scored) -> u32 {
    entry.rounds.iter().zip([10, 22, 45]).map(|((halves, _), each)| u32::from(*halves) * each).sum()
}

#[test]
fn rule_6_standings_of_random_fields_are_those_of_a_count_by_hand() {
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let entries = field(&mut dice);
        let rows = standings(&carried(&entries));
        assert_eq!(rows.len(), entries.len(), "seed {seed}");
        let mut totals: Vec<u32> = entries.iter().map(twentieths).collect();
        totals.sort_by_key(|total| Reverse(*total));
        for (row, total) in rows.iter().zip(&totals) {
            let number = row.entry.number().expect("a number") as usize;
            let entry = &entries[number - 1];
            assert_eq!(twentieths(entry), *total, "seed {seed}: the order of {rows:?}");
            let better = totals.iter().filter(|other| *other > total).count();
            assert_eq!(row.place, better + 1, "seed {seed}");
            let exact = rust_decimal::Decimal::from(*total) / rust_decimal::Decimal::from(20);
            assert_eq!(row.weighted, exact, "seed {seed}");
            let forfeits: u8 = entry.rounds.iter().map(|(_, forfeits)| forfeits).sum();
            assert_eq!(row.forfeit_losses, usize::from(forfeits), "seed {seed}");
            let right = forfeits == 0 && entry.rounds.len() == 3;
            assert_eq!(row.prize_eligible, right, "seed {seed}: {entry:?}");
        }
    }
}
