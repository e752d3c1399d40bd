//! Rule 6: standings that cannot be right are found, in lists that were printed and in the books.

use super::{
    scoring::{OVER, Scored, carried, golden_knights},
    *,
};
use knightmail::domain::{
    acts::Carried,
    honours::PrizeList,
    points::Points,
    rules::{
        decoding::{Cell, Passage, readings},
        soundness::{self, Printed},
    },
};
use rust_decimal::Decimal;

/// A line of a list: total, then the rounds as far as they are told: `24.20 ? ? 2`.
fn list(lines: &[&str]) -> Vec<Printed> {
    let line = |(n, text): (usize, &&str)| {
        let mut words = text.split_whitespace();
        let weighted = words.next().expect("a total").parse().expect("a total");
        let cells = words.map(|word| match word {
            "?" => Cell::Unknown,
            "-" => Cell::NotReached,
            points => Cell::Known(points.parse().expect("points")),
        });
        Printed { row: n + 1, who: format!("P{}", n + 1), weighted, cells: cells.collect() }
    };
    lines.iter().enumerate().map(line).collect()
}

#[test]
fn rule_6_a_total_of_one_who_had_four_twice_has_one_reading() {
    let world = World::new("2019-03-01");
    let tournament = golden_knights(&world);
    let mut seen = std::collections::BTreeMap::new();
    for (a, b, c) in
        (8..=12).flat_map(|a| (8..=12).flat_map(move |b| (0..=12).map(move |c| (a, b, c))))
    {
        let total = Decimal::from(a * 10 + b * 22 + c * 45) / Decimal::from(20);
        assert!(seen.insert(total, (a, b, c)).is_none(), "{total} has one reading");
        let points = [a, b, c].map(|halves: u16| Some(Points::from_halves(halves)));
        let known = [Cell::Unknown; 3];
        let read = readings(tournament, total, &known, Passage::ByRule);
        let finals: Vec<_> = read.into_iter().filter(|points| points[2].is_some()).collect();
        assert_eq!(finals, [points.to_vec()], "{total}");
    }
    let ends =
        [seen.first_key_value(), seen.last_key_value()].map(|end| end.map(|(total, _)| *total));
    assert_eq!(ends, [Some(Decimal::new(1280, 2)), Some(Decimal::new(4620, 2))]);
}

#[test]
fn rule_6_printed_lists_that_cannot_be_are_found() {
    let world = World::new("2019-03-01");
    for (lines, found) in [
        (vec!["39.45 6 6 4.5", "39.00 5.5 5 5"], vec![]),
        (vec!["39.45", "24.50"], vec![]),
        // With 3 1/2 in the semifinal, below what the others can have.
        (vec!["12.20"], vec![]),
        (vec!["24.20 ? ? 2"], vec!["24.20 cannot be", "= 24.50"]),
        (vec!["24.20"], vec!["24.20 cannot be"]),
        (vec!["46.30"], vec!["46.30 cannot be"]),
        (
            vec!["36.00 6 5.5 4"],
            vec!["36.00 is printed, but 6 x 1.0 + 5.5 x 2.2 + 4 x 4.5 = 36.10"],
        ),
        (vec!["35.80", "36.75"], vec!["row 2 (P2): 36.75 stands below the 35.80 of row 1 (P1)"]),
        (
            vec!["46.20 6 6 6"; 7],
            vec!["the final scores of 7 entries add up to 42; full sections have 21"],
        ),
    ] {
        let told = soundness::of_list(golden_knights(&world), &list(&lines)).join("\n");
        assert_eq!(told.is_empty(), found.is_empty(), "{lines:?}: {told}");
        for words in found {
            assert!(told.contains(words), "{lines:?}: {told}");
        }
    }
}

#[test]
fn rule_6_the_sum_of_the_finals_tells_a_score_that_nobody_can_read() {
    let world = World::new("2019-03-01");
    // Six finals add up to 19, so the last one is 2; with that 24.20 cannot be.
    let lines = [
        "46.20 6 6 6",
        "41.70 6 6 5",
        "37.20 6 6 4",
        "28.20 6 6 2",
        "23.70 6 6 1",
        "23.70 6 6 1",
        "20.00 ? ? ?",
    ];
    let mut sound = lines;
    sound[6] = "28.20 ? ? ?";
    let told = |lines: &[&str]| soundness::of_list(golden_knights(&world), &list(lines));
    assert!(told(&lines).iter().any(|line| line.contains("20.00 cannot be")), "{:?}", told(&lines));
    assert!(!told(&sound).iter().any(|line| line.contains("cannot be")), "{:?}", told(&sound));
}

fn awarded(events: &[Event]) -> Option<&PrizeList> {
    events.iter().find_map(|event| match event {
        Event::PrizesAwarded(list) => Some(list),
        _ => None,
    })
}

/// Seven finalists of whom the last has so many half points in the final.
fn finalists(last: (u16, u8)) -> Vec<Scored> {
    let finals = [(11, 0), (9, 0), (7, 0), (6, 0), (5, 0), (4, 0), last];
    let entry = |(n, last)| Scored { member: n, rounds: vec![(10, 0), (10, 0), last] };
    (1..).zip(finals).map(entry).collect()
}

#[test]
fn rule_6_nothing_is_announced_by_standings_that_cannot_be_right() {
    let mut world = carried(&finalists((1, 0)));
    assert!(awarded(&world.tick(Job::Reminders, OVER)).is_none(), "21.5 of 21 points are too many");
    let item = world.item();
    assert_eq!((item.kind, item.rule), (ItemKind::StandingsUnsound, 6));
    assert_eq!(item.choices, ["announce", "hold"]);
    assert!(
        item.evidence[0].contains("add up to 21.5; full sections have 21"),
        "{:?}",
        item.evidence
    );
    world.tick(Job::Reminders, "2026-01-06");
    assert_eq!(world.open_kinds().len(), 1, "it is asked once");
    world.rule(item.item, "hold");
    world.tick(Job::Reminders, "2026-01-07");
    assert!(world.open_kinds().is_empty(), "and not again for the same");
    let mut held = world.clone();
    let score = Command::CarryScore(Carried {
        entry: "GK2019-007".into(),
        round: 2,
        points: Points::default(),
        forfeit_losses: 0,
    });
    held.act(&score);
    assert!(awarded(&held.tick(Job::Reminders, "2026-01-08")).is_some(), "put right, announced");
    let mut all_the_same = carried(&finalists((1, 0)));
    all_the_same.tick(Job::Reminders, OVER);
    let item = all_the_same.item();
    assert!(awarded(&all_the_same.rule(item.item, "announce")).is_some());
}

#[test]
fn rule_10_a_double_forfeit_takes_a_point_out_of_the_sum() {
    for (last, short, sound) in
        [((0, 0), 0, true), ((0, 1), 2, true), ((0, 0), 2, false), ((0, 0), 1, false)]
    {
        let mut entries = finalists(last);
        entries[5].rounds[2] = (4 - short, last.1);
        let mut world = carried(&entries);
        let events = world.tick(Job::Reminders, OVER);
        assert_eq!(awarded(&events).is_some(), sound, "{last:?} {short}");
    }
}
