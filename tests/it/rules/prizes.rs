//! Rules 5 and 6: the prizes, shared and scaled to the cent, announced once they are final.

use super::{
    scoring::{OVER, Scored, carried, field, golden_knights, scored, twentieths},
    *,
};
use knightmail::domain::{
    acts::{Assigned, Carried},
    honours::{Award, PrizeList},
    points::Points,
    rules::prizes::{self, Outlook},
};
use rust_decimal::Decimal;

fn outlook(world: &World) -> Outlook {
    let mut all = prizes::outlooks(golden_knights(world), &world.state, world.today);
    assert_eq!(all.len(), 1, "one list for the tournament");
    all.remove(0)
}

fn fix_assigned(world: &mut World, number: u32) {
    let (event, reason) = ("GK2019".into(), "the preliminaries are lost".to_owned());
    world.act(&Command::FixAssigned(Assigned { event, number, reason }));
}

fn money(text: &str) -> Decimal {
    text.parse().expect("an amount")
}

/// Place and amount of each prize, by entry number.
fn won(list: &PrizeList) -> Vec<(u32, usize, String)> {
    let prize = |prize: &knightmail::domain::honours::Prize| {
        (prize.entry.number().unwrap_or(0), prize.place, prize.amount.to_string())
    };
    list.places.iter().map(prize).collect()
}

fn announced(events: &[Event]) -> Option<&PrizeList> {
    events.iter().find_map(|event| match event {
        Event::PrizesAwarded(list) => Some(list),
        _ => None,
    })
}

/// Twelve entries that finished, each with half a point less in the final than the one before.
fn twelve() -> Vec<Scored> {
    (1..=12).map(|n| Scored { member: n, rounds: vec![(12, 0), (12, 0), (13 - n, 0)] }).collect()
}

#[test]
fn rule_5_the_fund_is_in_proportion_to_the_entries_assigned() {
    for (assigned, fund, first) in [
        (200, "2300.00", ["800.00", "500.00", "300.00", "100.00"]),
        (121, "1391.50", ["484.00", "302.50", "181.50", "60.50"]),
        (400, "4600.00", ["1600.00", "1000.00", "600.00", "200.00"]),
        (1, "11.50", ["4.00", "2.50", "1.50", "0.50"]),
    ] {
        let mut world = carried(&twelve());
        fix_assigned(&mut world, assigned);
        let outlook = outlook(&world);
        assert!(outlook.is_final);
        assert_eq!(outlook.list.entries_assigned, assigned);
        assert_eq!(outlook.list.fund.to_string(), fund);
        assert_eq!(outlook.list.undistributed, Decimal::ZERO);
        let amounts: Vec<String> =
            outlook.list.places.iter().map(|prize| prize.amount.to_string()).collect();
        assert_eq!(amounts.len(), 10);
        assert_eq!(amounts[..4], first);
        assert!(amounts[3..].iter().all(|amount| amount == first[3]), "{amounts:?}");
    }
}

#[test]
fn rule_5_entries_assigned_are_counted_where_nobody_fixed_them() {
    let world = carried(&twelve());
    assert_eq!(outlook(&world).list.entries_assigned, 12);
    let mut world = World::with_section();
    world.enter(EntryForm { paid: true, ..form(8, "2019-02-01") });
    assert_eq!(outlook(&world).list.entries_assigned, 7, "one that waits is not assigned");
}

#[test]
fn rule_6_the_tied_share_what_their_places_have() {
    // 2005: places 3 and 4 share 300 and 100.
    let entries = ["6 6 5.5", "5.5 6 5.5", "6 5.5 4.5", "6 5.5 4.5", "5.5 5 4.5"];
    let entries: Vec<Scored> = (1..).zip(entries).map(|(n, text)| scored(n, text)).collect();
    let mut world = carried(&entries);
    fix_assigned(&mut world, 200);
    let list = outlook(&world).list;
    let third = || "200.00".to_owned();
    let wanted = [(3, 3, third()), (4, 3, third()), (5, 5, "100.00".to_owned())];
    assert_eq!(won(&list)[2..], wanted);
    assert_eq!(list.places[2].tied_with, [EntryId::from("GK2019-004")]);
    assert_eq!(list.undistributed, money("500.00"), "places 6 to 10 have nobody");
}

#[test]
fn rule_6_a_tie_across_the_last_prize_shares_it_and_the_cents_left_over_are_told() {
    let mut entries = twelve();
    for entry in &mut entries[8..] {
        entry.rounds[2].0 = 4;
    }
    let mut world = carried(&entries);
    fix_assigned(&mut world, 199);
    let list = outlook(&world).list;
    // Places 9 and 10 have 99.50 each; four share 199.00 of them.
    assert_eq!(won(&list)[8..].iter().map(|p| p.2.as_str()).collect::<Vec<_>>(), ["49.75"; 4]);
    assert!(list.places[8..].iter().all(|prize| prize.place == 9 && prize.tied_with.len() == 3));
    assert_eq!(list.undistributed, Decimal::ZERO);
    // Three share 300 + 100 + 100 of 1 entry: 2.50 are 0.83 each, and a cent is left.
    let mut entries = twelve();
    for entry in &mut entries[2..5] {
        entry.rounds[2].0 = 9;
    }
    let mut world = carried(&entries);
    fix_assigned(&mut world, 1);
    let list = outlook(&world).list;
    assert_eq!(won(&list)[2..5].iter().map(|p| p.2.as_str()).collect::<Vec<_>>(), ["0.83"; 3]);
    assert_eq!(list.undistributed, money("0.01"));
}

#[test]
fn rule_5_an_entry_without_a_right_is_passed_over_and_the_next_one_moves_up() {
    let mut entries = twelve();
    entries[1].rounds[0] = (10, 1);
    let world = carried(&entries);
    let list = outlook(&world).list;
    let won = won(&list);
    assert_eq!(
        won.iter().map(|(entry, ..)| *entry).collect::<Vec<_>>(),
        [1, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    );
    assert_eq!((won[1].1, won[1].2.as_str()), (2, "30.00"), "12 of 200 entries pay 500 x 12 / 200");
}

#[test]
fn rule_5_prizes_and_title_are_announced_once_when_all_is_over() {
    let mut world = carried(&twelve());
    let events = world.tick(Job::Reminders, OVER);
    let list = announced(&events).expect("the prizes are announced");
    assert_eq!((list.places.len(), list.on), (10, day(OVER)));
    let title = Award::Title("2019 Golden Knights Champion, with a plaque".to_owned());
    assert!(entry(&world, "GK2019-001").awards.contains(&title));
    assert!(world.open_kinds().is_empty());
    let again = world.tick(Job::Reminders, "2026-01-06");
    assert!(announced(&again).is_none(), "once: {again:?}");
    assert!(outlook(&world).is_final);
}

#[test]
fn rule_5_nothing_is_final_while_anything_can_change_it() {
    // Entries are not closed.
    let mut world = carried(&twelve());
    world.today = day("2019-12-31");
    assert!(!outlook(&world).is_final);
    // An entry waits.
    let mut world = carried(&twelve());
    world.enter(EntryForm { paid: true, ..form(5, "2019-03-01") });
    world.today = day(OVER);
    assert!(!outlook(&world).is_final);
    assert!(announced(&world.tick(Job::Reminders, OVER)).is_none());
    // One with 4 points waits for the question who fills up.
    let mut entries = twelve();
    entries.push(scored(13, "6 4"));
    assert!(!outlook(&carried(&entries)).is_final);
    // A section runs.
    let mut world = World::with_section();
    world.today = day(OVER);
    assert!(!outlook(&world).is_final);
}

#[test]
fn rule_5_a_docket_item_about_the_event_keeps_prizes_open() {
    let mut world = carried(&twelve());
    world.act(&payment(14, "10.00", OVER, "a stranger's check"));
    let item = world.item();
    assert_eq!(item.about.event, Some("GK2019".into()));
    assert!(!outlook(&world).is_final, "an item about the event is open");
    world.rule(item.item, "keep");
    assert!(outlook(&world).is_final);
}

#[test]
fn rule_5_a_title_that_has_no_plain_winner_is_the_directors() {
    let mut first_without_right = twelve();
    first_without_right[0].rounds = vec![(10, 1), (12, 0), (12, 0)];
    first_without_right[1].rounds = vec![(12, 0), (12, 0), (9, 0)];
    let mut two = twelve();
    two[1].rounds[2].0 = 12;
    for (entries, choices, recommended) in [
        (first_without_right, vec!["GK2019-003", "nobody"], Some("GK2019-003")),
        (two, vec!["GK2019-001", "GK2019-002", "nobody"], None),
    ] {
        let mut world = carried(&entries);
        let events = world.tick(Job::Reminders, OVER);
        assert!(announced(&events).is_none(), "nothing is announced before he has decided");
        assert!(!outlook(&world).is_final);
        let item = world.item();
        assert_eq!((item.kind, item.rule), (ItemKind::TitleOpen, 5));
        assert_eq!(item.choices, choices);
        assert_eq!(item.recommended.as_deref(), recommended);
        world.tick(Job::Reminders, "2026-01-06");
        assert_eq!(world.open_kinds(), [ItemKind::TitleOpen], "it is asked once");
        assert!(announced(&world.rule(item.item, choices[0])).is_some());
        assert!(outlook(&world).is_final);
        let has = |award: &Award| matches!(award, Award::Title(_));
        assert!(entry(&world, choices[0]).awards.iter().any(has));
        assert!(world.open_kinds().is_empty());
    }
}

#[test]
fn rule_5_prizes_that_differ_afterwards_are_the_directors() {
    let mut world = carried(&twelve());
    world.tick(Job::Reminders, OVER);
    let change = |halves| {
        let (entry, points) = ("GK2019-010".into(), Points::from_halves(halves));
        Command::CarryScore(Carried { entry, round: 2, points, forfeit_losses: 0 })
    };
    world.act(&change(1));
    world.tick(Job::Reminders, "2026-01-06");
    let item = world.item();
    assert_eq!((item.kind, item.rule), (ItemKind::PrizesDiffer, 5));
    assert_eq!(item.choices, ["reissue", "keep"]);
    assert!(item.evidence.iter().any(|line| line.contains("GK2019-011")), "{:?}", item.evidence);
    world.tick(Job::Reminders, "2026-01-07");
    assert_eq!(world.open_kinds().len(), 1, "it is asked once");
    world.rule(item.item, "keep");
    world.tick(Job::Reminders, "2026-01-08");
    assert!(world.open_kinds().is_empty(), "and not again for the same");
    world.act(&change(0));
    world.act(&Command::CarryScore(Carried {
        entry: "GK2019-009".into(),
        round: 2,
        points: Points::from_halves(0),
        forfeit_losses: 0,
    }));
    world.tick(Job::Reminders, "2026-01-09");
    let item = world.item();
    let events = world.rule(item.item, "reissue");
    let list = announced(&events).expect("announced anew").clone();
    assert_eq!(won(&list)[8..].iter().map(|w| w.0).collect::<Vec<_>>(), [11, 12]);
    world.tick(Job::Reminders, "2026-01-10");
    assert!(world.open_kinds().is_empty());
    let titles = entry(&world, "GK2019-001").awards.iter();
    assert_eq!(titles.filter(|award| matches!(award, Award::Title(_))).count(), 1);
}

/// The prizes in cents, counted apart from the program: entry number, place, amount.
fn by_hand(entries: &[Scored], assigned: u64) -> Vec<(u32, usize, u64)> {
    let places: [u64; 10] = [800, 500, 300, 100, 100, 100, 100, 100, 100, 100];
    let entitled = |entry: &Scored| {
        entry.rounds.len() == 3 && entry.rounds.iter().all(|(_, forfeits)| *forfeits == 0)
    };
    let mut all = Vec::new();
    for (number, entry) in (1..).zip(entries).filter(|(_, entry)| entitled(entry)) {
        let others = || entries.iter().filter(|other| entitled(other)).map(twentieths);
        let better = others().filter(|total| *total > twentieths(entry)).count();
        let tied = others().filter(|total| *total == twentieths(entry)).count();
        if better >= 10 {
            continue;
        }
        let mut dollars = 0;
        for place in better..better + tied {
            dollars += places.get(place).copied().unwrap_or(0);
        }
        all.push((number, better + 1, dollars * 100 * assigned / (200 * tied as u64)));
    }
    all.sort_by_key(|(number, place, _)| (*place, *number));
    all
}

#[test]
fn rule_5_prizes_of_random_fields_are_those_of_a_count_by_hand() {
    for seed in 100..180 {
        let mut dice = Dice(seed);
        let entries = field(&mut dice);
        let mut world = carried(&entries);
        let mut assigned = entries.len() as u64;
        if dice.once_in(2) {
            assigned = 1 + dice.below(600) as u64;
            fix_assigned(&mut world, u32::try_from(assigned).expect("a small number"));
        }
        let mut events = world.tick(Job::Reminders, OVER);
        let unsound = world.state.open_of_kind(ItemKind::StandingsUnsound).next().map(|i| i.item);
        if let Some(item) = unsound {
            events = world.rule(item, "announce");
        }
        // Who has the title is the director's where its winner is not plain; the money waits for that.
        let title = world.state.open_of_kind(ItemKind::TitleOpen).next().map(|i| i.item);
        if let Some(item) = title {
            events = world.rule(item, "nobody");
        }
        let list = announced(&events).unwrap_or_else(|| panic!("seed {seed}: {events:?}"));
        let cents = |amount: Decimal| {
            u64::try_from((amount * Decimal::ONE_HUNDRED).normalize()).expect("whole cents")
        };
        let got: Vec<(u32, usize, u64)> = list
            .places
            .iter()
            .map(|p| (p.entry.number().expect("a number"), p.place, cents(p.amount)))
            .collect();
        assert_eq!(got, by_hand(&entries, assigned), "seed {seed}");
        let paid: u64 = got.iter().map(|(.., amount)| amount).sum();
        assert_eq!(cents(list.fund), 230_000 * assigned / 200, "seed {seed}");
        assert_eq!(cents(list.undistributed), cents(list.fund) - paid, "seed {seed}");
    }
}
