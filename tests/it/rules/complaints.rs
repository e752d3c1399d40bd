//! Rule 10: time complaints are checked before anybody is written to. The day of the complaint chooses the rule set.

use super::{reflection::named, *};
use knightmail::domain::{acts::Complaint, notice::NoticeName as N};

impl World {
    /// Player 1 complains on a day that player 2 is late in the game 1-2.
    pub(super) fn complain(
        &mut self,
        on: &str,
        sent: Option<&str>,
        repeated: Option<&str>,
    ) -> Vec<Event> {
        self.today = day(on);
        let (sent, repeated) = (sent.map(day), repeated.map(day));
        let mut events = self.act(&Command::ReadMail { from: from(1), aside: Vec::new() });
        let intent = Intent::TimeComplaint { game: named(&game(1, 2)), sent, repeated };
        events.extend(self.ask_director(1, intent));
        events
    }
}

fn checked(events: &[Event]) -> Option<&Complaint> {
    events.iter().find_map(|event| match event {
        Event::ComplaintChecked(complaint) => Some(complaint),
        _ => None,
    })
}

#[test]
fn rule_10_a_complaint_is_admissible_from_its_day_on_and_only_after_a_repeat() {
    // Complaint, sent, repeated; then the first admissible day (none: it is admissible) and whether a repeat is needed.
    let cases = [
        // The real case, under both rule sets: sent 24 November, complaint 5 December, no repeat.
        ("2019-12-05", "2019-11-24", None, Some("2019-12-14"), true),
        ("2021-12-05", "2021-11-24", None, Some("2021-12-22"), true),
        ("2019-12-13", "2019-11-24", Some("2019-12-05"), Some("2019-12-14"), false),
        ("2019-12-14", "2019-11-24", Some("2019-12-05"), None, false),
        ("2019-12-14", "2019-11-24", None, Some("2019-12-14"), true),
        ("2020-01-05", "2019-11-24", None, Some("2020-01-05"), true),
        ("2021-12-21", "2021-11-24", Some("2021-12-08"), Some("2021-12-22"), false),
        ("2021-12-22", "2021-11-24", Some("2021-12-08"), None, false),
        // Admissible on 30 September, not made, judged by the newer rules on 1 October.
        ("2021-09-30", "2021-09-10", Some("2021-09-20"), None, false),
        ("2021-10-01", "2021-09-10", Some("2021-09-20"), Some("2021-10-08"), false),
        ("2021-10-08", "2021-09-10", Some("2021-09-20"), None, false),
        // The day named is judged by the rules that will hold on it.
        ("2021-09-25", "2021-09-15", Some("2021-09-25"), Some("2021-10-13"), false),
        ("2021-09-25", "2021-09-10", Some("2021-09-22"), Some("2021-09-30"), false),
        // By way of 29 February 2020.
        ("2020-03-01", "2020-02-15", Some("2020-02-26"), Some("2020-03-06"), false),
        ("2020-03-06", "2020-02-15", Some("2020-02-26"), None, false),
        // A repeat before the first sending or in the future is none.
        ("2020-03-06", "2020-02-15", Some("2020-02-14"), Some("2020-03-06"), true),
        ("2020-03-06", "2020-02-15", Some("2020-03-07"), Some("2020-03-06"), true),
    ];
    for (on, sent, repeated, first, repeat_first) in cases {
        let mut world = World::with_section();
        let events = world.complain(on, Some(sent), repeated);
        let found = checked(&events).expect("it was checked");
        let case = format!("{on} {sent} {repeated:?}: {found:?}");
        assert_eq!(found.premature_until, first.map(day), "{case}");
        assert_eq!(found.repeat_first, repeat_first, "{case}");
        assert_eq!(found.sent, Some(day(sent)), "{case}");
        let kinds: &[ItemKind] = if first.is_none() { &[ItemKind::TimeComplaint] } else { &[] };
        assert_eq!(world.open_kinds(), kinds, "{case}");
        assert_eq!(found.item, first.is_none().then(|| world.item().item), "{case}");
    }
}

#[test]
fn rule_10_a_premature_complaint_is_answered_and_nobody_else_is_written_to() {
    let mut world = World::with_section();
    let events = world.complain("2019-12-05", Some("2019-11-24"), None);
    let told = world.told(&events);
    assert_eq!(told, [("player 1".to_owned(), N::ComplaintPremature)]);
    assert!(
        !events.iter().any(|e| matches!(e, Event::PetitionReceived { .. } | Event::ItemOpened(_)))
    );
}

#[test]
fn rule_10_the_books_say_when_a_move_was_sent_and_repeated_where_the_complaint_does_not() {
    let (mut world, id) = (World::starting("2020-06-01"), game(1, 2));
    world.move_on(&id, "2020-06-01");
    let events = world.complain("2020-06-21", None, None);
    let found = checked(&events).unwrap();
    let until = (found.premature_until, found.repeat_first, found.sent);
    assert_eq!(until, (Some(day("2020-06-21")), true, Some(day("2020-06-01"))));
    world.repeat_on(&id, "2020-06-22");
    let events = world.complain("2020-06-22", None, None);
    assert!(checked(&events).unwrap().item.is_some(), "{events:?}");
    let evidence = world.item().evidence.join("\n");
    for words in [
        "the rule set that began on 2019-01-01: admissible from day 20",
        "repeated on 2020-06-22",
        "sent on 2020-06-01 by the books: 21 days ago",
        "Move 1: received 2020-06-01, not answered: 21 days so far",
        "21 of 30 up to move 10, 9 left",
    ] {
        assert!(evidence.contains(words), "`{words}` is not in:\n{evidence}");
    }
    assert_eq!(world.item().choices, ["forfeit", "warn", "dismiss"]);
    assert!(evidence.contains("By the books the time is not overstepped"), "{evidence}");
}

#[test]
fn rule_10_days_on_which_the_opponents_clock_stood_do_not_count() {
    for (from, to, first) in [
        ("2019-12-01", "2019-12-05", "2019-12-19"),
        ("2019-12-14", "2019-12-14", "2019-12-15"),
        ("2019-12-15", "2019-12-20", "2019-12-14"),
        ("2019-11-20", "2019-11-25", "2019-12-15"),
    ] {
        let mut world = World::with_section();
        world.grant(2, from, to);
        let events = world.complain("2019-12-06", Some("2019-11-24"), Some("2019-12-05"));
        assert_eq!(checked(&events).unwrap().premature_until, Some(day(first)), "{from} {to}");
    }
    let mut world = World::with_section();
    world.grant(1, "2019-12-01", "2019-12-05");
    let events = world.complain("2019-12-14", Some("2019-11-24"), Some("2019-12-05"));
    assert!(checked(&events).unwrap().item.is_some(), "his own leave stops nobody else's clock");
}

#[test]
fn rule_10_what_cannot_be_checked_is_before_the_director_with_what_is_missing() {
    let mut world = World::with_section();
    let events = world.complain("2019-12-14", None, Some("2019-12-05"));
    assert_eq!(checked(&events), None);
    let evidence = world.item().evidence.join("\n");
    assert!(evidence.contains("It cannot be checked"), "{evidence}");
    // Nobody complains of a game that is over, or of somebody else's.
    let mut world = World::with_section();
    world.settle(&game(1, 2), Score::Draw);
    let events = world.complain("2019-12-14", Some("2019-11-24"), Some("2019-12-05"));
    assert_eq!(checked(&events), None);
    assert_eq!(world.item().choices, ["forfeit", "warn", "dismiss"]);
    let mut world = World::with_section();
    let intent = Intent::TimeComplaint { game: named(&game(1, 2)), sent: None, repeated: None };
    world.ask_director(3, intent);
    assert_eq!(world.item().choices, ["answered", "dismiss"], "it is no game of his");
}

#[test]
fn rule_10_one_item_stands_for_a_game_and_both_are_told_once() {
    let mut world = World::with_section();
    let first = world.complain("2019-12-14", Some("2019-11-24"), Some("2019-12-05"));
    assert!(checked(&first).is_some());
    let again = world.complain("2019-12-20", Some("2019-11-25"), Some("2019-12-05"));
    assert_eq!(checked(&again), None, "{again:?}");
    assert_eq!(world.open_kinds(), [ItemKind::TimeComplaint]);
    let item = world.item();
    assert!(item.evidence.iter().any(|line| line.contains("2019-11-25")), "{:?}", item.evidence);
    let events = world.rule(item.item, "forfeit");
    let lost = Outcome { result: Score::WhiteWins, how: How::TimeForfeit };
    assert!(
        events.iter().any(|e| matches!(e, Event::ResultRuled { outcome, .. } if *outcome == lost))
    );
}

#[test]
fn rule_10_where_the_time_is_overstepped_the_rules_lean_to_a_warning_and_then_to_a_forfeit() {
    for (warned, lean) in [(0, "warn"), (1, "forfeit")] {
        let (mut world, id) = (World::starting("2020-06-01"), game(1, 2));
        world.move_on(&id, "2020-06-01");
        world.repeat_on(&id, "2020-06-15");
        for _ in 0..warned {
            world.state.oversteps.entry((id.clone(), Side::Black)).or_default().push(5);
        }
        world.complain("2020-07-02", None, None);
        let item = world.item();
        assert_eq!(item.recommended.as_deref(), Some(lean), "{:?}", item.evidence);
    }
}
