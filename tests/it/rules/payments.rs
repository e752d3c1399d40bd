//! Rule 8: the fee. Money comes apart from the mail and covers a player's entries in their order.

use super::*;
use knightmail::domain::state::Account;
use rust_decimal::Decimal;

fn paid(world: &World, number: u16) -> Vec<bool> {
    world.state.entries_in(&"GK2019".into(), &member(number)).map(|e| e.paid).collect()
}

fn balance(world: &World, number: u16) -> Decimal {
    let account = world.state.accounts.get(&("GK2019".into(), member(number)));
    account.map(Account::balance).unwrap_or_default()
}

fn amount(text: &str) -> Decimal {
    text.parse().expect("an amount")
}

#[test]
fn rule_8_money_covers_entries_in_their_order_and_the_rest_is_kept() {
    for (money, covered, left) in [
        ("24.99", [false, false, false], "24.99"),
        ("25.00", [true, false, false], "0.00"),
        ("60.00", [true, true, false], "10.00"),
        ("75.00", [true, true, true], "0.00"),
        ("100.00", [true, true, true], "25.00"),
    ] {
        let mut world = World::with_players(1);
        world.enter(EntryForm { count: 3, ..form(1, "2019-02-01") });
        world.act(&payment(1, money, "2019-02-10", "check 17"));
        assert_eq!(paid(&world, 1), covered, "{money}");
        assert_eq!(balance(&world, 1), amount(left), "{money}");
        assert!(world.open_kinds().is_empty(), "{money}");
    }
}

#[test]
fn rule_8_parts_of_a_fee_add_up() {
    let mut world = World::with_players(1);
    world.enter(form(1, "2019-02-01"));
    world.act(&payment(1, "10.00", "2019-02-10", "check 1"));
    assert_eq!(paid(&world, 1), [false]);
    world.act(&payment(1, "15.00", "2019-02-12", "check 2"));
    assert_eq!(paid(&world, 1), [true]);
    assert_eq!(world.states(&member(1)), [EntryState::Waiting]);
}

#[test]
fn rule_8_the_same_payment_twice_is_booked_once() {
    let mut world = World::with_players(1);
    world.enter(EntryForm { count: 2, ..form(1, "2019-02-01") });
    world.act(&payment(1, "25.00", "2019-02-10", "shop 900"));
    assert!(world.act(&payment(1, "25.00", "2019-02-10", "shop 900")).is_empty());
    assert_eq!(paid(&world, 1), [true, false]);
    world.act(&payment(1, "25.00", "2019-02-10", "shop 901"));
    assert_eq!(paid(&world, 1), [true, true]);
}

#[test]
fn rule_8_money_before_the_entry_is_asked_about_and_waits_for_it() {
    let mut world = World::with_players(1);
    world.act(&payment(1, "25.00", "2019-01-10", "check 3"));
    let item = world.item();
    assert_eq!((item.kind, item.rule), (ItemKind::PaymentUnclear, 8));
    world.enter(form(1, "2019-02-01"));
    assert_eq!(world.states(&member(1)), [EntryState::Waiting]);
}

#[test]
fn rule_8_money_that_goes_back_covers_nothing() {
    let mut world = World::with_players(1);
    world.act(&payment(1, "25.00", "2019-01-10", "check 3"));
    let item = world.item().item;
    world.rule(item, "refund");
    assert_eq!(balance(&world, 1), amount("0.00"));
    assert_eq!(world.entry(form(1, "2019-02-01")), [EntryState::AwaitingPayment]);
}

#[test]
fn rule_8_money_for_an_unknown_tournament_is_asked_about() {
    let mut world = World::with_players(1);
    let Command::RecordPayment(money) = payment(1, "25.00", "2019-01-10", "check 3") else {
        unreachable!("it is a payment")
    };
    let money = knightmail::domain::command::Payment { event: "GK1999".into(), ..money };
    world.act(&Command::RecordPayment(money));
    assert_eq!(world.open_kinds(), [ItemKind::PaymentUnclear]);
}

#[test]
fn rule_8_a_fee_that_came_with_a_held_entry_is_not_forgotten() {
    let mut world = World::new("2019-03-01");
    world.act(&Command::ListPlayers(vec![Player { country: None, ..player(1, None) }]));
    world.enter(EntryForm { paid: true, from: None, ..form(1, "2019-02-01") });
    let item = world.item().item;
    world.rule(item, "accept");
    assert_eq!(world.states(&member(1)), [EntryState::Waiting]);
    assert_eq!(balance(&world, 1), amount("0.00"));
}

#[test]
fn rule_8_the_fee_of_a_late_entry_goes_back_or_covers_it() {
    for (choice, left, state) in [
        ("accept", "0.00", EntryState::Waiting),
        ("refund", "0.00", EntryState::Refused),
        ("carry-forward", "25.00", EntryState::CarriedForward),
    ] {
        let mut world = World::with_players(1);
        world.enter(EntryForm { paid: true, count: 2, from: None, ..form(1, "2019-10-05") });
        assert_eq!(world.states(&member(1)), [EntryState::Waiting, EntryState::Docket]);
        let item = world.item().item;
        world.rule(item, choice);
        assert_eq!(world.states(&member(1)), [EntryState::Waiting, state], "{choice}");
        assert_eq!(balance(&world, 1), amount(left), "{choice}");
    }
}

#[test]
fn rule_8_a_missing_fee_is_asked_for_on_its_days_and_once_a_day() {
    let mut world = World::with_players(2);
    world.enter(EntryForm { count: 2, ..form(1, "2019-03-01") });
    world.enter(EntryForm { paid: true, ..form(2, "2019-03-01") });
    let mut reminded = Vec::new();
    for passed in 1..60 {
        let on = later(day("2019-03-01"), passed);
        for _ in 0..2 {
            let events = world.tick(Job::Reminders, &on.to_string());
            for event in events {
                if let Event::PaymentReminded { member: who, entries, .. } = event {
                    assert_eq!((who, entries.len()), (member(1), 2), "one letter for both");
                    reminded.push(passed);
                }
            }
        }
    }
    assert_eq!(reminded, [14, 30]);
}

#[test]
fn rule_8_one_reminder_makes_up_for_those_that_a_pause_left_out() {
    let mut world = World::with_players(1);
    world.enter(form(1, "2019-03-01"));
    let mut count = 0;
    for on in ["2019-04-20", "2019-04-21", "2019-04-22"] {
        let events = world.tick(Job::Reminders, on);
        count += events.iter().filter(|e| matches!(e, Event::PaymentReminded { .. })).count();
    }
    assert_eq!(count, 1);
}
