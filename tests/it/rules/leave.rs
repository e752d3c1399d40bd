//! Rule 10: leave within the yearly allowance is granted at once, beyond it the director decides.

use super::*;
use knightmail::domain::{acts::Leave, rules::leave};

impl World {
    fn ask_leave(&mut self, from: &str, to: &str) -> Vec<Event> {
        let day = |text: &str| Some(text).filter(|t| !t.is_empty()).map(super::day);
        self.ask_director(1, Intent::Leave { from: day(from), to: day(to) })
    }
}

fn granted(events: &[Event]) -> Option<&Leave> {
    events.iter().find_map(|event| match event {
        Event::LeaveGranted(leave) => Some(leave),
        _ => None,
    })
}

/// Leave that there is, first and last day asked for, whether it is granted, what is recommended.
type Case = (
    &'static [(&'static str, &'static str)],
    &'static str,
    &'static str,
    bool,
    Option<&'static str>,
);

#[test]
fn rule_10_leave_within_the_allowance_is_granted_at_once() {
    // Leave that there is already; what is asked for on 1 March 2019; whether it is granted, and what is recommended.
    let cases: [Case; 16] = [
        (&[], "2019-06-01", "2019-06-14", true, None),
        (&[], "2019-06-01", "2019-06-30", true, None),
        (&[], "2019-06-01", "2019-07-01", false, Some("grant")),
        (&[], "2019-06-01", "2019-07-07", false, Some("grant")),
        (&[], "2019-06-01", "2019-07-08", false, None),
        (&[], "2019-06-01", "2019-06-01", true, None),
        (&[], "2019-03-04", "2019-03-10", true, None),
        (&[], "2019-02-22", "2019-03-10", true, None),
        (&[], "2019-02-21", "2019-03-10", false, None),
        (&[], "2019-06-14", "2019-06-01", false, Some("answered")),
        (&[("2019-04-01", "2019-04-20")], "2019-06-01", "2019-06-10", true, None),
        (&[("2019-04-01", "2019-04-20")], "2019-06-01", "2019-06-11", false, Some("grant")),
        // Days that two leaves share count once.
        (&[("2019-06-01", "2019-06-20")], "2019-06-11", "2019-06-30", true, None),
        (
            &[("2019-06-01", "2019-06-20"), ("2019-06-10", "2019-06-25")],
            "2019-07-01",
            "2019-07-05",
            true,
            None,
        ),
        // Each year has its own: 20 days of December, 30 of January.
        (&[], "2019-12-12", "2020-01-30", true, None),
        (&[("2018-12-01", "2018-12-30")], "2019-06-01", "2019-06-30", true, None),
    ];
    for (before, from, to, at_once, lean) in cases {
        let mut world = World::with_section();
        for (from, to) in before {
            world.grant(1, from, to);
        }
        world.today = day("2019-03-01");
        let events = world.ask_leave(from, to);
        let case = format!("{before:?} {from} {to}: {events:?}");
        assert_eq!(granted(&events).is_some_and(|leave| leave.allowed), at_once, "{case}");
        assert_eq!(world.state.open_items.is_empty(), at_once, "{case}");
        if !at_once {
            assert_eq!(world.item().recommended.as_deref(), lean, "{case}");
        }
    }
}

#[test]
fn rule_10_leave_beyond_the_allowance_is_the_directors() {
    let mut world = World::with_section();
    world.grant(1, "2019-04-01", "2019-04-12");
    world.ask_leave("2019-06-01", "2019-06-25");
    let item = world.item();
    assert_eq!((item.kind, item.rule), (ItemKind::LeaveAsked, 10));
    assert_eq!(item.choices, ["grant", "refuse"]);
    let evidence = item.evidence.join("\n");
    let words = "2019: 12 of 30 days used, 18 left; with this leave it is 37, 7 days over it";
    assert!(evidence.contains(words), "{evidence}");
    let mut refused = world.clone();
    assert_eq!(granted(&refused.rule(item.item, "refuse")), None);
    let events = world.rule(item.item, "grant");
    let leave = granted(&events).expect("it is granted");
    assert_eq!((leave.from, leave.to), (day("2019-06-01"), day("2019-06-25")));
    assert!(!leave.allowed && leave.reason == "seen the papers");
    assert_eq!(leave::used(&world.state, &member(1), 2019), 37);
}

#[test]
fn rule_10_leave_needs_both_days_and_somebody_who_plays() {
    for (from, to) in
        [("", "2019-06-14"), ("2019-06-01", ""), ("", ""), ("2019-01-01", "2199-01-01")]
    {
        let mut world = World::with_section();
        world.ask_leave(from, to);
        assert_eq!(world.item().choices, ["answered", "dismiss"], "{from} {to}");
    }
    let mut world = World::with_players(2);
    world.ask_leave("2019-06-01", "2019-06-14");
    assert_eq!(world.item().choices, ["grant", "refuse"], "he plays nowhere");
}

#[test]
fn rule_10_the_directors_leave_is_a_span_of_somebody_known() {
    let mut world = World::with_section();
    for (who, from, to, right) in [
        (1, "2019-06-01", "2019-06-01", true),
        (1, "2019-06-02", "2019-06-01", false),
        (77, "2019-06-01", "2019-06-02", false),
        (1, "2019-06-01", "2039-06-02", false),
    ] {
        let days = (day(from), day(to));
        assert_eq!(leave::check(&world.state, &member(who), days).is_ok(), right, "{who} {from}");
        assert_eq!(granted(&world.grant(who, from, to)).is_some(), right, "{who} {from}");
    }
}

#[test]
fn rule_10_a_move_during_leave_is_played_and_ends_nothing() {
    let (mut world, id) = (World::starting("2020-06-01"), game(1, 2));
    world.grant(1, "2020-06-02", "2020-06-20");
    world.move_on(&id, "2020-06-05");
    assert_eq!(world.state.leaves[&member(1)].len(), 1);
    world.move_on(&id, "2020-06-06");
    world.move_on(&id, "2020-06-22");
    let tournament = &world.rules.tournaments[&"GK2019".into()];
    let rules = knightmail::domain::rules::reflection::ledger;
    let ledger = rules(tournament, &world.state, &id, &[], day("2020-06-22"));
    assert_eq!(ledger.of(Side::White).map(|row| row.days).collect::<Vec<_>>(), [0, 2]);
}
