//! Rule 4: gift certificate, certificate for framing, pin; and what the credit of a gift certificate pays.

use super::{
    scoring::{Scored, carried, golden_knights, scored},
    *,
};
use knightmail::domain::{acts::Carried, honours::Award, rules::payment, state::Account};
use rust_decimal::Decimal;

fn money(text: &str) -> Decimal {
    text.parse().expect("an amount")
}

fn gift() -> Award {
    Award::GiftCertificate { amount: money("7.00"), currency: "USD".to_owned() }
}

fn credit(world: &World, number: u16) -> Decimal {
    world.state.credit_of(&member(number), "USD")
}

fn balance(world: &World, number: u16) -> Decimal {
    let account = world.state.accounts.get(&("GK2019".into(), member(number)));
    account.map(Account::balance).unwrap_or_default()
}

#[test]
fn rule_4_awards_go_by_how_far_an_entry_came() {
    let forfeited = |round: usize| {
        let mut rounds = vec![(10, 0), (10, 0), (4, 0)];
        rounds[round].1 = 1;
        Scored { member: 1, rounds }
    };
    for (entry, awards) in [
        (scored(1, "3.5"), vec![gift()]),
        (scored(1, "0"), vec![gift()]),
        (scored(1, "4"), vec![]),
        (scored(1, "4.5"), vec![]),
        (scored(1, "4.5 3.5"), vec![Award::FramingCertificate]),
        (scored(1, "4.5 4"), vec![]),
        (scored(1, "4.5 4.5 0"), vec![Award::Pin]),
        (scored(1, "4.5 4 0.5"), vec![Award::Pin]),
        (forfeited(0), vec![]),
        (forfeited(1), vec![]),
        (forfeited(2), vec![]),
        // Taken by the director with less than four: what it was given it keeps.
        (scored(1, "3.5 5 1"), vec![gift(), Award::Pin]),
    ] {
        let world = carried(std::slice::from_ref(&entry));
        assert_eq!(super::entry(&world, "GK2019-001").awards, awards, "{entry:?}");
    }
}

#[test]
fn rule_4_one_gift_certificate_for_each_entry() {
    let world = carried(&[scored(1, "3"), scored(1, "2.5"), scored(2, "1"), scored(1, "5")]);
    assert_eq!((credit(&world, 1), credit(&world, 2)), (money("14.00"), money("7.00")));
    let mut world = world;
    let again = Command::CarryScore(Carried {
        entry: "GK2019-001".into(),
        round: 0,
        points: "2".parse().expect("points"),
        forfeit_losses: 0,
    });
    world.act(&again);
    assert_eq!(credit(&world, 1), money("14.00"), "not a second one for the same entry");
}

#[test]
fn rule_4_scores_that_come_after_a_section_bring_the_pin() {
    let mut world = carried(&[scored(1, "4.5")]);
    let score = |round, points: &str| {
        Command::CarryScore(Carried {
            entry: "GK2019-001".into(),
            round,
            points: points.parse().expect("points"),
            forfeit_losses: 0,
        })
    };
    world.act(&score(2, "5"));
    assert_eq!(entry(&world, "GK2019-001").state, EntryState::Finished);
    assert!(entry(&world, "GK2019-001").awards.is_empty(), "the semifinal is not known");
    world.act(&score(1, "5"));
    assert_eq!(entry(&world, "GK2019-001").state, EntryState::Finished);
    assert_eq!(entry(&world, "GK2019-001").awards, [Award::Pin]);
}

#[test]
fn rule_4_a_section_that_is_played_gives_the_same_awards() {
    let mut world = World::with_section();
    let games: Vec<GameId> = {
        let section = world.section();
        section.games.iter().map(|game| section.game_id(game)).collect()
    };
    for id in games {
        // The better seat wins.
        let result = if id.white < id.black { Score::WhiteWins } else { Score::BlackWins };
        world.settle(&id, result);
    }
    for (id, state, awards) in [
        ("GK2019-001", EntryState::Advanced, vec![]),
        ("GK2019-002", EntryState::Advanced, vec![]),
        ("GK2019-003", EntryState::Assigned, vec![]),
        ("GK2019-004", EntryState::Eliminated, vec![gift()]),
        ("GK2019-007", EntryState::Eliminated, vec![gift()]),
    ] {
        assert_eq!((entry(&world, id).state, &entry(&world, id).awards), (state, &awards), "{id}");
    }
}

/// Books in which player 1 has so many gift certificates.
fn with_certificates(count: usize) -> World {
    carried(&vec![scored(1, "3"); count])
}

fn enter_again(world: &mut World) -> EntryId {
    world.today = day("2019-03-01");
    let before: Vec<EntryId> = world.state.entries.keys().cloned().collect();
    world.enter(form(1, "2019-03-01"));
    let mut new = world.state.entries.keys().filter(|id| !before.contains(id)).cloned();
    new.next().expect("an entry came in")
}

#[test]
fn rule_4_credit_pays_what_money_leaves_open() {
    for (certificates, paid_before, paid_now, credit_left, money_left) in [
        (4, "0", true, "3.00", "0.00"),
        (3, "0", false, "21.00", "0.00"),
        (3, "4.00", true, "0.00", "0.00"),
        (2, "20.00", true, "9.00", "0.00"),
        (1, "18.00", true, "0.00", "0.00"),
        (1, "17.99", false, "7.00", "17.99"),
        (1, "30.00", true, "7.00", "5.00"),
    ] {
        let mut world = with_certificates(certificates);
        if paid_before != "0" {
            world.act(&payment(1, paid_before, "2019-02-10", "check 1"));
        }
        let id = enter_again(&mut world);
        let what = format!("{certificates} certificates and {paid_before}");
        assert_eq!(world.state.entries[&id].paid, paid_now, "{what}");
        assert_eq!(credit(&world, 1), money(credit_left), "{what}");
        assert_eq!(balance(&world, 1), money(money_left), "{what}");
    }
}

#[test]
fn rule_4_a_part_that_credit_can_pay_is_not_asked_for() {
    let mut world = with_certificates(1);
    let id = enter_again(&mut world);
    let due = |world: &World| {
        payment::due(&world.state, golden_knights(world), &world.state.entries[&id])
    };
    assert_eq!(due(&world), money("18.00"));
    let second = enter_again(&mut world);
    let entry = &world.state.entries[&second];
    assert_eq!(payment::due(&world.state, golden_knights(&world), entry), money("25.00"), "once");
    world.act(&payment(1, "18.00", "2019-03-10", "check 2"));
    assert!(world.state.entries[&id].paid);
    assert_eq!((credit(&world, 1), balance(&world, 1)), (Decimal::ZERO, Decimal::ZERO));
}

#[test]
fn rule_4_credit_that_comes_later_pays_for_an_entry_that_waits() {
    let mut world = with_certificates(3);
    let id = enter_again(&mut world);
    assert!(!world.state.entries[&id].paid, "21.00 are not enough");
    world.enter(EntryForm { id: Some("GK2019-050".into()), paid: true, ..form(1, "2019-03-02") });
    world.act(&Command::CarryScore(Carried {
        entry: "GK2019-050".into(),
        round: 0,
        points: "1".parse().expect("points"),
        forfeit_losses: 0,
    }));
    assert_eq!(credit(&world, 1), money("28.00"));
    world.tick(Job::Assignments, "2019-03-05");
    assert!(world.state.entries[&id].paid);
    assert_eq!(credit(&world, 1), money("3.00"));
}

#[test]
fn rule_4_what_credit_paid_comes_back_as_credit() {
    let mut world = with_certificates(1);
    world.act(&payment(1, "18.00", "2019-02-10", "check 1"));
    let id = enter_again(&mut world);
    assert!(world.state.entries[&id].paid);
    assert_eq!(world.state.entries[&id].paid_with_credit(), money("7.00"));
    let refusal = knightmail::domain::refusal::Refusal::ByRuling { reason: "asked".to_owned() };
    apply(&mut world.state, &Event::EntryRefused { entry: id.clone(), refusal });
    assert_eq!((credit(&world, 1), balance(&world, 1)), (money("7.00"), money("18.00")));
    assert_eq!(world.state.entries[&id].paid_with_credit(), Decimal::ZERO);
}
