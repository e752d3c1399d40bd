//! Rules 2 and 8: what other events have in their files: classes by rating, an invitation, double rounds; and what
//! becomes of entries that are left over or unpaid when entries are closed.

use super::*;
use knightmail::domain::{
    acts::Refund,
    readings::SeatedFirst,
    refusal::Refusal,
    tournament::{Class, Tournament},
};

/// Books of the shipped event with other terms: one round, and what the test makes of it.
fn other(terms: impl FnOnce(&mut Tournament)) -> World {
    let mut world = World::new("2019-03-01");
    let tournament = world.rules.tournaments.get_mut(&"GK2019".into()).expect("it is shipped");
    tournament.rounds.truncate(1);
    let round = &mut tournament.rounds[0];
    (round.advance, round.otherwise, round.fill) = (None, None, None);
    terms(tournament);
    world
}

fn come(world: &mut World, n: u16, rating: Option<u16>, postmark: &str) -> Vec<Event> {
    world.act(&Command::ListPlayers(vec![player(n, rating)]));
    world.enter(EntryForm { paid: true, ..form(n, postmark) })
}

/// The members of each section of these events, by number.
fn formed(world: &World, events: &[Event]) -> Vec<Vec<u16>> {
    let who = |id: &EntryId| number(&world.state.entries[id].member);
    let sections = events.iter().filter_map(|event| match event {
        Event::SectionFormed { seats, .. } => Some(seats.iter().map(|s| who(&s.entry)).collect()),
        _ => None,
    });
    sections.collect()
}

fn state(world: &World, n: u16) -> EntryState {
    world.states(&member(n))[0]
}

fn class(name: &str, min_rating: Option<u16>, max_rating: Option<u16>, unrated: bool) -> Class {
    Class { name: name.to_owned(), min_rating, max_rating, unrated }
}

fn quads(classes: Vec<Class>) -> World {
    other(|tournament| {
        tournament.rounds[0].size = 4;
        tournament.rounds[0].games_per_pair = 2;
        tournament.classes = classes;
    })
}

fn two_classes() -> World {
    quads(vec![
        class("Expert", Some(1900), Some(2400), false),
        class("Club", None, Some(2000), true),
    ])
}

#[test]
fn rule_2_sections_form_within_a_class_and_who_fits_two_plays_in_either() {
    let mut world = two_classes();
    // 1 to 3 are of the first class, 4 and 5 of both, 6 to 8 of the second; 8 is unrated.
    let ratings = [2300, 2200, 2100, 1950, 1990, 1500, 1400];
    for (n, rating) in (1..).zip(ratings) {
        come(&mut world, n, Some(rating), &format!("2019-02-{n:02}"));
    }
    come(&mut world, 8, None, "2019-02-08");
    let events = world.tick(Job::Assignments, "2019-03-04");
    assert_eq!(formed(&world, &events), [vec![1, 2, 3, 4], vec![5, 6, 7, 8]]);
    let games = |code: &str| world.state.sections[&SectionCode::from(code)].games.len();
    assert_eq!((games("19N01"), games("19N02")), (12, 12), "two games a pair");
}

#[test]
fn rule_2_a_rating_that_fits_no_class_is_refused_politely() {
    let mut world = two_classes();
    let events = come(&mut world, 1, Some(2500), "2019-02-01");
    let refused = |event: &Event| {
        matches!(event, Event::EntryRefused { refusal, .. }
            if *refusal == Refusal::RatingOutside { rating: Some(2500) } && refusal.rule() == 2)
    };
    assert!(events.iter().any(refused), "{events:?}");
    assert_eq!(world.told(&events), [("player 1".to_owned(), NoticeName::EntryRefused)]);
    let mut world = quads(vec![class("Rated", None, None, false)]);
    come(&mut world, 1, None, "2019-02-01");
    assert_eq!(state(&world, 1), EntryState::Refused);
}

#[test]
fn rule_2_those_left_over_are_put_to_the_director_class_by_class() {
    let mut world = two_classes();
    for (n, rating) in [(1, 2300), (2, 2200), (3, 2100), (4, 1500), (5, 1400)] {
        come(&mut world, n, Some(rating), "2019-02-01");
    }
    // One more, whose rating has risen beyond every class since.
    come(&mut world, 6, Some(2350), "2019-02-01");
    world.act(&Command::ListPlayers(vec![player(6, Some(2450))]));
    world.tick(Job::Assignments, "2020-01-06");
    let items: Vec<Item> = world.state.open_docket().cloned().collect();
    let sizes: Vec<usize> = items.iter().map(|i| i.entries.len()).collect();
    assert_eq!(sizes, [1, 3, 2]);
    assert_eq!(items[0].choices, ["carry-forward", "by-hand"]);
    assert_eq!(items[1].recommended.as_deref(), Some("play-short"), "three of four");
    assert_eq!(items[1].evidence[0], "Class Expert.");
    assert_eq!(items[2].recommended.as_deref(), Some("carry-forward"));
    let events = world.rule(items[1].item, "play-short");
    assert_eq!(formed(&world, &events), [vec![1, 2, 3]]);
}

#[test]
fn rule_2_left_over_by_an_opt_out_is_covered_by_every_choice() {
    let start = || {
        let mut world = World::new("2019-03-01");
        for n in 1..=7 {
            come(&mut world, n, Some(2000 - n), &format!("2019-02-{n:02}"));
        }
        world.act(&Command::KeepApart { one: member(1), other: member(7), lifted: false });
        world.tick(Job::Assignments, "2020-01-06");
        world
    };
    let mut world = start();
    let item = world.item();
    assert_eq!((item.kind, item.entries.len()), (ItemKind::SectionShort, 7));
    assert!(item.evidence[6].ends_with("it cannot sit with the others."), "{:?}", item.evidence);
    let events = world.rule(item.item, "play-short");
    assert_eq!(formed(&world, &events), [vec![1, 2, 3, 4, 5, 6]]);
    assert_eq!(state(&world, 7), EntryState::CarriedForward);
    let mut world = start();
    let item = world.item().item;
    world.rule(item, "carry-forward");
    assert!((1..=7).all(|n| state(&world, n) == EntryState::CarriedForward));
}

#[test]
fn rule_2_by_hand_is_asked_again_after_a_while_and_closed_when_nobody_waits() {
    let mut world = World::new("2019-03-01");
    for n in 1..=3 {
        come(&mut world, n, Some(2000 - n), "2019-02-01");
    }
    world.tick(Job::Assignments, "2020-01-06");
    let item = world.item().item;
    world.rule(item, "by-hand");
    assert!((1..=3).all(|n| state(&world, n) == EntryState::Waiting));
    world.tick(Job::Assignments, "2020-01-27");
    assert_eq!(world.open_kinds(), []);
    world.tick(Job::Assignments, "2020-02-10");
    let again = world.item();
    assert!(again.item != item && again.entries.len() == 3);
    // Four more whom the director lets in late: a full section forms, and the question is closed.
    for n in 4..=7 {
        come(&mut world, n, Some(2000 - n), "2019-03-01");
    }
    let events = world.tick(Job::Assignments, "2020-02-17");
    assert_eq!(formed(&world, &events).len(), 1);
    assert_eq!(world.open_kinds(), []);
}

#[test]
fn rule_2_those_left_over_are_asked_about_in_one_item_though_their_number_changes() {
    let mut world = World::new("2019-03-01");
    for n in 1..=3 {
        come(&mut world, n, Some(2000 - n), "2019-02-01");
    }
    world.tick(Job::Assignments, "2020-01-06");
    let item = world.item().item;
    come(&mut world, 4, Some(1500), "2019-03-01");
    world.tick(Job::Assignments, "2020-01-13");
    let amended = world.item();
    assert_eq!((amended.item, amended.entries.len()), (item, 4));
}

fn absolute(sections: u8) -> World {
    other(|tournament| {
        tournament.rounds[0].size = 5;
        tournament.readings.seated_first = SeatedFirst::HighestRating;
        tournament.assignment.sections = sections;
    })
}

#[test]
fn rule_2_an_invitation_seats_the_highest_rated_when_entries_are_closed() {
    let mut world = absolute(1);
    for (n, rating) in
        (1..).zip([Some(2000), Some(2100), None, Some(2300), Some(2400), Some(2200), Some(1900)])
    {
        come(&mut world, n, rating, "2019-02-01");
    }
    assert!(formed(&world, &world.clone().tick(Job::Assignments, "2019-12-31")).is_empty());
    let events = world.tick(Job::Assignments, "2020-01-01");
    assert_eq!(formed(&world, &events), [vec![5, 4, 6, 2, 1]]);
    for n in [3, 7] {
        assert_eq!(state(&world, n), EntryState::Refused);
        let refused = entry(&world, &format!("GK2019-{n:03}"));
        assert_eq!(refused.refusal, Some(Refusal::NotInvited { seats: 5 }));
        let account = &world.state.accounts[&("GK2019".into(), member(n))];
        assert_eq!(account.balance().to_string(), "0.00", "his money goes back");
    }
    let refunds = events.iter().filter(
        |e| matches!(e, Event::PaymentRefunded(Refund { amount, .. }) if amount.to_string() == "25.00"),
    );
    assert_eq!(refunds.count(), 2);
    assert_eq!(world.open_kinds(), []);
    world.tick(Job::Assignments, "2020-01-06");
    assert_eq!(world.state.sections.len(), 1);
}

#[test]
fn rule_2_an_invitation_may_have_several_sections_dealt_by_rating() {
    let mut world = absolute(2);
    for n in 1..=12 {
        come(&mut world, n, Some(2400 - n), "2019-02-01");
    }
    let events = world.tick(Job::Assignments, "2020-01-06");
    let sections = formed(&world, &events);
    assert_eq!(sections, [vec![1, 4, 5, 8, 9], vec![2, 3, 6, 7, 10]]);
    assert_eq!((state(&world, 11), state(&world, 12)), (EntryState::Refused, EntryState::Refused));
}

#[test]
fn rule_2_a_tie_at_the_cut_of_an_invitation_is_the_directors() {
    let mut world = absolute(1);
    for (n, rating) in (1..).zip([2400, 2300, 2200, 2100, 2000, 2000, 2000, 1900]) {
        come(&mut world, n, Some(rating), "2019-02-01");
    }
    let events = world.tick(Job::Assignments, "2020-01-06");
    assert!(formed(&world, &events).is_empty());
    let item = world.item();
    assert_eq!((item.kind, item.rule), (ItemKind::InvitationTied, 2));
    assert_eq!(item.choices, ["GK2019-005", "GK2019-006", "GK2019-007"]);
    assert_eq!(item.recommended, None);
    world.tick(Job::Assignments, "2020-01-13");
    assert_eq!(world.item(), item, "he is asked once");
    let events = world.rule(item.item, "GK2019-006");
    assert_eq!(formed(&world, &events), [vec![1, 2, 3, 4, 6]]);
    for n in [5, 7, 8] {
        assert_eq!(state(&world, n), EntryState::Refused);
    }
}

#[test]
fn rule_2_more_ties_than_can_be_offered_go_to_the_earliest_if_the_director_says_so() {
    let mut world = absolute(1);
    for n in 1..=9 {
        come(&mut world, n, None, &format!("2019-02-{:02}", 20 - n));
    }
    world.tick(Job::Assignments, "2020-01-06");
    let item = world.item();
    assert_eq!(item.choices, ["earliest"]);
    let events = world.rule(item.item, "earliest");
    assert_eq!(formed(&world, &events), [vec![9, 8, 7, 6, 5]]);
}

#[test]
fn rule_2_too_few_bids_for_a_section_are_put_to_the_director() {
    let mut world = absolute(1);
    for n in 1..=4 {
        come(&mut world, n, Some(2000), "2019-02-01");
    }
    world.tick(Job::Assignments, "2020-01-06");
    assert_eq!(world.item().kind, ItemKind::SectionShort);
}

#[test]
fn rule_2_nobody_is_invited_while_it_is_open_whether_an_entry_is_good() {
    let mut world = absolute(1);
    for n in 1..=6 {
        come(&mut world, n, Some(2000 + n), "2019-02-01");
    }
    world.act(&Command::ListPlayers(vec![player(7, Some(2500))]));
    world.enter(form(7, "2019-12-30"));
    let events = world.tick(Job::Assignments, "2020-01-06");
    assert!(formed(&world, &events).is_empty(), "his fee may come yet");
    world.act(&payment(7, "25.00", "2020-01-07", "check"));
    let events = world.tick(Job::Assignments, "2020-01-13");
    assert_eq!(formed(&world, &events), [vec![7, 6, 5, 4, 3]]);
}

/// Books after the close, with two unpaid entries of player 1 and one of player 2, who entered late.
fn unpaid() -> World {
    let mut world = World::with_players(3);
    world.enter(EntryForm { count: 2, ..form(1, "2019-03-01") });
    world.enter(form(2, "2019-12-20"));
    world
}

#[test]
fn rule_8_a_fee_that_never_came_is_put_to_the_director_after_the_last_reminder() {
    let mut world = unpaid();
    world.tick(Job::Reminders, "2019-12-31");
    assert_eq!(world.open_kinds(), [], "entries are open still");
    world.tick(Job::Reminders, "2020-01-01");
    let item = world.item();
    assert_eq!((item.kind, item.rule), (ItemKind::FeeMissing, 8));
    assert_eq!(item.about.player, Some(member(1)));
    assert_eq!(item.entries.len(), 2);
    assert_eq!(item.choices, ["refuse", "wait", "carry-forward"]);
    world.tick(Job::Reminders, "2020-01-19");
    assert_eq!(world.open_kinds().len(), 1, "the last reminder of player 2 has its day");
    world.tick(Job::Reminders, "2020-01-20");
    assert_eq!(world.open_kinds(), [ItemKind::FeeMissing, ItemKind::FeeMissing]);
}

#[test]
fn rule_8_what_the_director_may_do_about_a_missing_fee() {
    for (choice, expected) in [
        ("refuse", EntryState::Refused),
        ("carry-forward", EntryState::CarriedForward),
        ("wait", EntryState::AwaitingPayment),
    ] {
        let mut world = unpaid();
        world.tick(Job::Reminders, "2020-01-01");
        let item = world.item().item;
        world.rule(item, choice);
        assert_eq!(world.states(&member(1)), [expected, expected], "{choice}");
        world.tick(Job::Reminders, "2020-01-10");
        assert_eq!(world.open_kinds(), [], "{choice}");
        world.tick(Job::Reminders, "2020-02-01");
        let his = |item: &&Item| item.about.player == Some(member(1));
        let again = world.state.open_docket().filter(his).count();
        assert_eq!(again, usize::from(choice == "wait"), "{choice}: he is asked again");
    }
}

#[test]
fn rule_8_a_missing_fee_that_comes_closes_its_question() {
    let mut world = unpaid();
    world.tick(Job::Reminders, "2020-01-01");
    let item = world.item().item;
    world.act(&payment(1, "25.00", "2020-01-02", "check"));
    world.tick(Job::Reminders, "2020-01-02");
    assert_eq!((world.item().item, world.item().entries.len()), (item, 1), "one is paid");
    world.act(&payment(1, "25.00", "2020-01-03", "check"));
    world.tick(Job::Reminders, "2020-01-03");
    assert_eq!(world.open_kinds(), []);
}

/// The shipped event's text with other words in it.
fn read_with(changes: &[(&str, &str)]) -> Result<Tournament, Vec<String>> {
    let mut text = shipped::TOURNAMENT.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    let read = tournament::read("event.toml", &text);
    read.map_err(|errors| errors.iter().map(|e| format!("{}: {}", e.key, e.what)).collect())
}

#[test]
fn rule_2_classes_and_invitations_stand_in_the_event_file() {
    let classes = "[[class]]\nname = \"Expert\"\nmin_rating = 2000\nmax_rating = 2199\n\
                   [[class]]\nname = \"Club\"\nmax_rating = 2050\nunrated = true\n\n\
                   [[round]]\nname = \"preliminary\"";
    let first = "[[round]]\nname = \"preliminary\"";
    let read = read_with(&[(first, classes)]).expect("it is right");
    let of = |rating| read.class_of(rating);
    assert_eq!(
        (of(Some(2199)), of(Some(2020)), of(Some(800)), of(None)),
        (Some(0), Some(0), Some(1), Some(1))
    );
    assert_eq!(
        (of(Some(2200)), read.assignment.sections, read.entry.ask_again_days),
        (None, 1, 30)
    );
    let invites = ("\"earliest-postmark\"", "\"highest-rating\"");
    let read = read_with(&[invites, ("sections = 1", "sections = 2")]).expect("it is right");
    assert_eq!(
        (read.readings.seated_first, read.assignment.sections),
        (SeatedFirst::HighestRating, 2)
    );
    let mistakes =
        |changes: &[(&str, &str)]| read_with(changes).expect_err("it is wrong").join("; ");
    assert!(mistakes(&[(first, classes), invites]).contains("an invitation has no classes"));
    let turned = classes.replace("min_rating = 2000", "min_rating = 2300");
    assert!(
        mistakes(&[(first, &turned)]).contains("class[1].min_rating: no rating is of this class")
    );
    let twice = classes.replace("Club", "Expert");
    assert!(mistakes(&[(first, &twice)]).contains("class[2].name"));
    assert!(mistakes(&[("ask_again_days = 30", "ask_again_days = 0")]).contains("ask_again_days"));
}
