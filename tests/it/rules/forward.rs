//! Rule 9: an entry that was carried forward plays in next year's tournament at no extra cost, once that is here.

use super::*;
use knightmail::domain::ids::TournamentId;
use rust_decimal::Decimal;

impl World {
    /// Books of this year and of the next, whose fee is another.
    fn with_next_year(fee: &str) -> Self {
        let mut world = Self::with_players(12);
        let this = "GK2019".into();
        let mut next = world.rules.tournaments[&this].clone();
        next.id = "GK2020".into();
        next.entry.fee = fee.parse().unwrap();
        next.entry.opens = day("2020-01-01");
        next.entry.pairings_from = day("2020-01-02");
        for deadline in &mut next.entry.deadlines {
            deadline.by = later(deadline.by, 366);
        }
        for (round, code) in next.rounds.iter_mut().zip(["20N", "20Ns", "20Nf"]) {
            code.clone_into(&mut round.code);
        }
        world.rules.tournaments.insert(next.id.clone(), next);
        let this = world.rules.tournaments.get_mut(&this).unwrap();
        this.entry.carry_forward_to = Some("GK2020".into());
        world.today = day("2020-01-03");
        world
    }

    fn pay(&mut self, event: &str, who: u16, amount: &str) -> Vec<Event> {
        self.act(&Command::RecordPayment(Payment {
            event: event.into(),
            member: member(who),
            amount: amount.parse().unwrap(),
            received: self.today,
            reference: format!("{event} {amount} {}", self.today),
        }))
    }

    /// What came in and went out for a tournament, what its entries used of it, and what is left.
    fn account(&self, event: &str, who: u16) -> Money {
        let account =
            self.state.accounts.get(&(event.into(), member(who))).cloned().unwrap_or_default();
        let paid: Decimal = account.payments.iter().map(|(amount, ..)| *amount).sum();
        (paid.to_string(), account.used.to_string(), account.balance().to_string())
    }
}

/// What came in and went out, what of it is used, and what is left.
type Money = (String, String, String);

fn money(paid: &str, used: &str, left: &str) -> Money {
    let exact = |text: &str| text.parse::<Decimal>().unwrap().to_string();
    (exact(paid), exact(used), exact(left))
}

fn same(found: &Money, right: &Money) -> bool {
    let value = |text: &String| text.parse::<Decimal>().unwrap();
    [(&found.0, &right.0), (&found.1, &right.1), (&found.2, &right.2)]
        .iter()
        .all(|(a, b)| value(a) == value(b))
}

#[test]
fn rule_9_a_paid_entry_is_brought_forward_at_no_extra_cost() {
    for fee in ["25.00", "30.00"] {
        let mut world = World::with_next_year(fee);
        world.enter(EntryForm { paid: true, ..form(1, "2020-01-03") });
        assert_eq!(world.states(&member(1)), [EntryState::CarriedForward]);
        let events = world.tick(Job::Reminders, "2020-01-04");
        let here = entry(&world, "GK2020-001");
        assert_eq!(
            (here.state, here.number, here.paid),
            (EntryState::Waiting, 1, true),
            "{events:?}"
        );
        assert_eq!((here.postmark, here.arrived), (day("2020-01-03"), noon(day("2020-01-03"))));
        assert_eq!(entry(&world, "GK2019-001").brought_forward, Some("GK2020-001".into()));
        assert!(
            same(&world.account("GK2019", 1), &money("0", "0", "0")),
            "{:?}",
            world.account("GK2019", 1)
        );
        assert!(
            same(&world.account("GK2020", 1), &money("25", "25", "0")),
            "{:?}",
            world.account("GK2020", 1)
        );
        let again = world.tick(Job::Reminders, "2020-01-05");
        assert!(matches!(again[..], [Event::SlotPassed { .. }]), "once: {again:?}");
    }
}

#[test]
fn rule_9_a_lower_fee_leaves_what_is_over_to_the_player() {
    let mut world = World::with_next_year("20.00");
    world.enter(EntryForm { paid: true, count: 2, ..form(1, "2020-01-03") });
    world.tick(Job::Reminders, "2020-01-04");
    let (this, next) = (world.account("GK2019", 1), world.account("GK2020", 1));
    assert!(same(&this, &money("10", "0", "10")), "{this:?}");
    assert!(same(&next, &money("40", "40", "0")), "{next:?}");
}

#[test]
fn rule_9_an_unpaid_one_owes_the_fee_it_would_have_owed() {
    let mut world = World::with_next_year("30.00");
    world.enter(form(1, "2020-01-03"));
    world.pay("GK2019", 1, "10.00");
    world.tick(Job::Reminders, "2020-01-04");
    let here = entry(&world, "GK2020-001");
    assert_eq!(
        (here.state, here.owes),
        (EntryState::AwaitingPayment, Some("25.00".parse().unwrap()))
    );
    assert!(
        same(&world.account("GK2020", 1), &money("10", "0", "10")),
        "what was there goes with it"
    );
    // The rest comes for this year or for the last.
    for event in ["GK2020", "GK2019"] {
        let mut world = world.clone();
        world.pay(event, 1, "15.00");
        world.tick(Job::Reminders, "2020-01-05");
        assert_eq!(entry(&world, "GK2020-001").state, EntryState::Waiting, "{event}");
        assert!(same(&world.account("GK2019", 1), &money("0", "0", "0")));
        assert!(same(&world.account("GK2020", 1), &money("25", "25", "0")));
    }
}

#[test]
fn rule_9_one_that_was_carried_from_a_short_section_is_brought_forward_with_its_fee() {
    let mut world = World::with_next_year("30.00");
    world.today = day("2019-12-20");
    for n in 1..=7 {
        world.enter(EntryForm { paid: true, ..form(n, "2019-12-20") });
    }
    world.enter(EntryForm { paid: true, ..form(8, "2019-12-21") });
    world.tick(Job::Assignments, "2020-01-06");
    let item = world.item();
    assert_eq!(item.kind, ItemKind::SectionShort);
    world.rule(item.item, "carry-forward");
    world.tick(Job::Reminders, "2020-01-07");
    assert_eq!(entry(&world, "GK2020-001").state, EntryState::Waiting);
    assert!(same(&world.account("GK2019", 8), &money("0", "0", "0")));
    assert!(same(&world.account("GK2020", 8), &money("25", "25", "0")));
}

#[test]
fn rule_9_entries_are_counted_with_those_of_next_year() {
    let mut world = World::with_next_year("25.00");
    let next: TournamentId = "GK2020".into();
    world.today = day("2020-02-01");
    world.enter(EntryForm { event: Some(next.clone()), paid: true, ..form(1, "2020-02-01") });
    world.enter(EntryForm { paid: true, ..form(1, "2020-01-20") });
    world.enter(EntryForm { paid: true, count: 2, ..form(1, "2020-02-01") });
    let numbers = |world: &World| -> Vec<(String, u8)> {
        let who = member(1);
        let held = world.state.entries_in(&next, &who);
        held.map(|e| (e.id.to_string(), e.number)).collect()
    };
    world.tick(Job::Reminders, "2020-02-02");
    let right = [("GK2020-001", 2), ("GK2020-002", 1), ("GK2020-003", 3), ("GK2020-004", 4)];
    assert_eq!(numbers(&world), right.map(|(id, n)| (id.to_owned(), n)));
    // With what is there already, the eleventh is refused.
    world.enter(EntryForm { count: 6, paid: true, ..form(1, "2020-02-03") });
    let events = world.enter(form(1, "2020-02-03"));
    assert!(matches!(events[..], [Event::EntryDeclined { .. }]), "{events:?}");
    world.tick(Job::Reminders, "2020-02-04");
    assert_eq!(numbers(&world).len(), 10);
}

#[test]
fn rule_9_nobody_of_them_is_paired_before_2_january() {
    let mut world = World::with_next_year("25.00");
    world.today = day("2020-01-01");
    for n in 1..=7 {
        world.enter(EntryForm { paid: true, ..form(n, "2020-01-01") });
    }
    world.tick(Job::Reminders, "2020-01-01");
    assert_eq!(world.state.waiting(&"GK2020".into(), 0).len(), 7);
    world.tick(Job::Assignments, "2020-01-01");
    assert!(world.state.sections.is_empty());
    world.tick(Job::Assignments, "2020-01-02");
    assert!(world.state.sections.contains_key(&SectionCode::from("20N01")));
}

#[test]
fn rule_9_nothing_is_brought_forward_where_next_years_file_is_not_here() {
    let mut world = World::with_players(2);
    world.today = day("2020-01-03");
    world.enter(EntryForm { paid: true, ..form(1, "2020-01-03") });
    let events = world.tick(Job::Reminders, "2020-01-04");
    assert!(matches!(events[..], [Event::SlotPassed { .. }]), "{events:?}");
    assert_eq!(world.states(&member(1)), [EntryState::CarriedForward]);
}

#[test]
fn rule_1_money_in_another_currency_is_asked_about_and_never_converted() {
    let mut world = World::with_players(2);
    world.enter(form(1, "2019-03-01"));
    let Command::RecordPayment(paid) = payment(1, "25.00", "2019-03-02", "wire") else {
        unreachable!()
    };
    world.act(&Command::RecordPaymentIn(paid.clone(), "eur".to_owned()));
    let item = world.item();
    assert_eq!((item.kind, item.rule), (ItemKind::PaymentUnclear, 1));
    assert!(
        item.evidence[0].contains("25.00 EUR came on 2019-03-02 (wire)"),
        "{:?}",
        item.evidence
    );
    assert!(world.state.accounts.is_empty(), "nothing is booked");
    assert!(
        world.act(&Command::RecordPaymentIn(paid.clone(), "EUR".to_owned())).is_empty(),
        "once"
    );
    world.act(&Command::RecordPaymentIn(paid, "usd".to_owned()));
    assert_eq!(entry(&world, "GK2019-001").state, EntryState::Waiting);
    for choice in item.choices {
        let before = world.clone().state.accounts;
        let mut world = world.clone();
        world.rule(item.item, &choice);
        assert_eq!(world.state.accounts, before, "{choice}");
    }
}
