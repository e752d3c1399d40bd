//! Rules 1, 8 and 9: who may enter, how many entries, by when, and from which address.

use super::*;
use knightmail::domain::refusal::Refusal;

/// The table of the 2019 event: a person's k-th entry and its last postmark day.
const DEADLINES: [(u8, &str); 10] = [
    (1, "2019-12-31"),
    (2, "2019-09-30"),
    (3, "2019-08-31"),
    (4, "2019-08-31"),
    (5, "2019-07-31"),
    (6, "2019-07-31"),
    (7, "2019-07-31"),
    (8, "2019-06-30"),
    (9, "2019-06-30"),
    (10, "2019-06-30"),
];

fn several(number: u16, count: u8, postmark: &str) -> EntryForm {
    EntryForm { count, ..form(number, postmark) }
}

#[test]
fn rule_1_residence_decides_before_anything_else() {
    for (country, state, expected, kinds) in [
        (Some("US"), Some("IL"), EntryState::AwaitingPayment, vec![]),
        (Some("CA"), None, EntryState::AwaitingPayment, vec![]),
        (Some("GL"), None, EntryState::AwaitingPayment, vec![]),
        (Some("US"), Some("HI"), EntryState::AwaitingPayment, vec![]),
        (Some("DE"), Some("AE"), EntryState::AwaitingPayment, vec![]),
        (Some("US"), Some("AS"), EntryState::Refused, vec![]),
        (Some("GU"), None, EntryState::Refused, vec![]),
        (Some("DE"), None, EntryState::Refused, vec![]),
        (None, None, EntryState::Docket, vec![ItemKind::ResidenceUnknown]),
        (Some("XQ"), None, EntryState::Docket, vec![ItemKind::ResidenceUnknown]),
        (Some("UK"), None, EntryState::Docket, vec![ItemKind::ResidenceUnknown]),
        (Some("Atlantis"), None, EntryState::Docket, vec![ItemKind::ResidenceUnknown]),
    ] {
        let mut world = World::new("2019-03-01");
        let (c, s) = (country.map(str::to_owned), state.map(str::to_owned));
        let who = Player { country: c, state: s, ..player(1, None) };
        world.act(&Command::ListPlayers(vec![who]));
        assert_eq!(world.entry(form(1, "2019-03-01")), [expected], "{country:?} {state:?}");
        assert_eq!(world.open_kinds(), kinds, "{country:?} {state:?}");
    }
}

#[test]
fn rule_1_the_last_day_of_a_membership_is_a_day_of_it() {
    for (expires, expected) in
        [("2019-03-01", EntryState::AwaitingPayment), ("2019-02-28", EntryState::Docket)]
    {
        let mut world = World::new("2019-03-01");
        let who = Player { expires: Some(day(expires)), ..player(1, None) };
        world.act(&Command::ListPlayers(vec![who]));
        assert_eq!(world.entry(form(1, "2019-03-01")), [expected], "{expires}");
    }
}

#[test]
fn rule_9_each_number_has_its_deadline_to_the_day() {
    for (number, by) in DEADLINES {
        for (late_by, expected) in [(0, EntryState::AwaitingPayment), (1, EntryState::Docket)] {
            let mut world = World::with_players(1);
            let postmark = later(day(by), late_by);
            if postmark > day("2019-12-31") {
                continue;
            }
            if number > 1 {
                world.enter(several(1, number - 1, "2019-01-01"));
            }
            let last = EntryForm { postmark, ..form(1, by) };
            let states = world.entry(last);
            assert_eq!(states.last(), Some(&expected), "entry {number}, postmark {postmark}");
        }
    }
}

#[test]
fn rule_9_one_mail_with_ten_entries_is_cut_where_its_postmark_says() {
    for (postmark, in_time) in [
        ("2019-06-30", 10),
        ("2019-07-01", 7),
        ("2019-07-31", 7),
        ("2019-08-01", 4),
        ("2019-08-31", 4),
        ("2019-09-01", 2),
        ("2019-09-30", 2),
        ("2019-10-01", 1),
        ("2019-12-31", 1),
    ] {
        let mut world = World::with_players(1);
        let states = world.entry(several(1, 10, postmark));
        let good = states.iter().filter(|s| **s == EntryState::AwaitingPayment).count();
        let held = states.iter().filter(|s| **s == EntryState::Docket).count();
        assert_eq!((good, held), (in_time, 10 - in_time), "{postmark}");
        if in_time < 10 {
            let item = world.item();
            assert_eq!((item.kind, item.rule), (ItemKind::EntryLate, 9));
            assert_eq!(item.choices, ["accept", "carry-forward", "refund"]);
            assert_eq!(item.entries.len(), 10 - in_time, "{postmark}");
        }
    }
}

#[test]
fn rule_9_entries_count_by_postmark_and_then_by_arrival() {
    let mut world = World::with_players(1);
    world.enter(several(1, 2, "2019-07-20"));
    // It was posted before those two and only now arrived: it is the first, and in time.
    let events =
        world.enter(EntryForm { arrived: noon(day("2019-07-29")), ..form(1, "2019-07-02") });
    let number = |events: &[Event]| match &events[0] {
        Event::EntryReceived { number, .. } => *number,
        other => panic!("{other:?}"),
    };
    assert_eq!(number(&events), 1);
    // The same postmark as the two, and later here: it is the fourth.
    assert_eq!(number(&world.enter(form(1, "2019-07-20"))), 4);
    assert!(world.open_kinds().is_empty());
}

#[test]
fn rule_9_an_earlier_postmark_that_arrives_later_makes_the_others_later_ones() {
    for (paid, choice, expected) in [
        (true, "accept", EntryState::Waiting),
        (false, "accept", EntryState::AwaitingPayment),
        (true, "refund", EntryState::Refused),
        (true, "carry-forward", EntryState::CarriedForward),
    ] {
        let mut world = World::with_players(1);
        world.enter(EntryForm { paid, ..form(1, "2019-10-05") });
        // On paper, posted in September: it is the first, and the one of October is a second one and late.
        let paper =
            EntryForm { from: None, arrived: noon(day("2019-10-08")), ..form(1, "2019-09-20") };
        let events = world.enter(paper);
        let states = [EntryState::Docket, EntryState::AwaitingPayment];
        assert_eq!(world.states(&member(1)), states, "{events:?}");
        assert_eq!(entry(&world, "GK2019-001").number, 2);
        assert_eq!(entry(&world, "GK2019-002").number, 1);
        assert_eq!(world.told(&events), [("player 1".to_owned(), NoticeName::EntryReceived)]);
        let item = world.item();
        assert_eq!(item.kind, ItemKind::EntryLate);
        let events = world.rule(item.item, choice);
        assert_eq!(entry(&world, "GK2019-001").state, expected, "{choice}: {events:?}");
        let back = events.iter().any(|e| matches!(e, Event::PaymentRefunded(_)));
        assert_eq!(back, choice == "refund");
        let account = world.state.accounts.get(&("GK2019".into(), member(1)));
        assert!(account.is_none_or(|a| a.balance().is_zero()), "{choice}: {account:?}");
    }
}

#[test]
fn rule_9_who_plays_already_plays_on_whatever_arrives_later() {
    let mut world = World::with_section();
    world.today = day("2019-03-05");
    world.enter(EntryForm { from: None, ..form(1, "2019-01-15") });
    assert_eq!(world.states(&member(1)), [EntryState::Assigned, EntryState::AwaitingPayment]);
    assert!(world.open_kinds().is_empty());
}

#[test]
fn rule_9_a_strangers_mail_moves_no_number() {
    let mut world = World::with_players(1);
    world.enter(form(1, "2019-10-05"));
    world.enter(EntryForm { from: Some(stranger()), ..form(1, "2019-09-20") });
    assert_eq!(world.states(&member(1)), [EntryState::AwaitingPayment, EntryState::Docket]);
    assert_eq!(entry(&world, "GK2019-001").number, 1);
}

#[test]
fn rule_9_after_the_last_day_entries_are_carried_forward() {
    let mut world = World::with_players(1);
    world.today = day("2020-01-02");
    assert_eq!(world.entry(several(1, 2, "2020-01-01")), [EntryState::CarriedForward; 2]);
    assert!(world.open_kinds().is_empty(), "it is the rule and no question");
}

#[test]
fn rule_9_a_full_ten_of_this_year_are_not_counted_against_next_year() {
    let mut world = World::with_players(1);
    world.enter(several(1, 10, "2019-02-01"));
    world.today = day("2020-01-02");
    let states = world.entry(several(1, 10, "2020-01-01"));
    assert_eq!(states[10..], [EntryState::CarriedForward; 10]);
    let events = world.enter(form(1, "2020-01-01"));
    let refused = matches!(
        &events[..],
        [Event::EntryDeclined { refusal: Refusal::TooManyEntries { allowed: 10 }, .. }]
    );
    assert!(refused, "next year has ten as well: {events:?}");
}

#[test]
fn rule_9_entries_before_the_first_day_are_refused() {
    let mut world = World::with_players(1);
    let events = world.enter(form(1, "2018-12-31"));
    let opens = day("2019-01-01");
    assert!(
        matches!(&events[1], Event::EntryRefused { refusal: Refusal::NotOpen { opens: o }, .. } if *o == opens)
    );
    assert_eq!(world.entry(form(1, "2019-01-01"))[1], EntryState::AwaitingPayment);
    assert_eq!(world.state.entries.values().last().map(|e| e.number), Some(1));
}

#[test]
fn rule_8_an_eleventh_entry_is_refused_and_the_ten_stand() {
    let mut world = World::with_players(1);
    let events = world.enter(several(1, 12, "2019-02-01"));
    let accepted = events.iter().filter(|e| matches!(e, Event::EntryAccepted { .. })).count();
    let declined = events.iter().filter(|e| {
        matches!(e, Event::EntryDeclined { refusal: Refusal::TooManyEntries { allowed: 10 }, .. })
    });
    assert_eq!((accepted, declined.count()), (10, 1));
    assert_eq!(world.entry(form(1, "2019-02-02")).len(), 10);
}

#[test]
fn rule_8_a_refused_entry_leaves_its_place_to_another() {
    let mut world = World::with_players(1);
    world.enter(several(1, 10, "2018-12-31"));
    assert_eq!(world.entry(form(1, "2019-01-05")).last(), Some(&EntryState::AwaitingPayment));
}

#[test]
fn rule_9_a_doubtful_postmark_is_taken_and_the_docket_is_told() {
    let mut world = World::with_players(1);
    let doubt = Some("Its date says 2019-02-01, it arrived on 2019-02-20.".to_owned());
    let form = EntryForm { postmark_doubt: doubt, ..form(1, "2019-02-20") };
    assert_eq!(world.entry(form), [EntryState::AwaitingPayment]);
    let item = world.item();
    assert_eq!((item.kind, item.rule), (ItemKind::PostmarkDoubtful, 9));
    world.rule(item.item, "noted");
    assert_eq!(world.states(&member(1)), [EntryState::AwaitingPayment]);
}

#[test]
fn rule_8_a_strangers_address_never_acts_for_a_known_player() {
    for postmark in ["2019-02-01", "2019-10-01", "2020-01-01"] {
        for writer in [stranger(), from(2)] {
            let mut world = World::with_players(2);
            let form = EntryForm { from: Some(writer.clone()), ..several(1, 3, postmark) };
            assert_eq!(world.entry(form), [EntryState::Docket; 3], "{writer:?} {postmark}");
            for item in world.state.open_docket() {
                assert!(
                    item.evidence.iter().any(|line| line.contains("is not known as")),
                    "{item:?}"
                );
            }
        }
    }
}

#[test]
fn rule_8_entries_that_a_stranger_sent_take_no_place_from_the_player() {
    let mut world = World::with_players(1);
    world.enter(EntryForm { from: Some(stranger()), ..several(1, 10, "2019-02-01") });
    let states = world.entry(several(1, 2, "2019-09-20"));
    assert_eq!(states[10..], [EntryState::AwaitingPayment; 2], "numbers 1 and 2, in time");
}

#[test]
fn rule_1_somebody_unknown_waits_and_becomes_a_player_when_accepted() {
    let mut world = World::new("2019-03-01");
    let form = EntryForm { from: Some(stranger()), ..form(5, "2019-03-01") };
    assert_eq!(world.entry(form), [EntryState::Docket]);
    let item = world.item();
    assert_eq!((item.kind, item.rule), (ItemKind::MemberUnknown, 1));
    world.rule(item.item, "accept");
    assert_eq!(world.states(&member(5)), [EntryState::AwaitingPayment]);
    let who = &world.state.players[&member(5)];
    assert_eq!(who.emails, ["somebody@example.net"]);
    assert_eq!(who.name, "Player 5", "the name that the entry gave");
}

#[test]
fn rule_8_a_form_without_member_or_tournament_is_declined() {
    let mut world = World::with_players(1);
    for (form, expected) in [
        (EntryForm { member: None, ..form(1, "2019-02-01") }, Refusal::MemberIdMissing),
        (EntryForm { event: None, ..form(1, "2019-02-01") }, Refusal::TournamentUnknown),
        (
            EntryForm { event: Some("GK1999".into()), ..form(1, "2019-02-01") },
            Refusal::TournamentUnknown,
        ),
    ] {
        let events = world.enter(form);
        assert!(
            matches!(&events[..], [Event::EntryDeclined { refusal, .. }] if *refusal == expected),
            "{events:?}"
        );
    }
    assert!(world.state.entries.is_empty());
}
