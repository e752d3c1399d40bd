//! Rule 1: whoever still plays is reminded before his membership ends, told on its last day, and asked about.

use super::*;
use knightmail::domain::acts::Reminded;

impl World {
    fn expires(&mut self, who: u16, on: &str) -> Vec<Event> {
        let listed = Player { expires: Some(day(on)), ..player(who, Some(2000)) };
        self.act(&Command::ListPlayers(vec![listed]))
    }

    fn reminded_on(&mut self, on: &str) -> Vec<(u16, u16)> {
        let events = self.tick(Job::Reminders, on);
        let reminded = events.iter().filter_map(|event| match event {
            Event::MembershipReminded(Reminded { member, days, .. }) => {
                Some((number(member), *days))
            }
            _ => None,
        });
        reminded.collect()
    }
}

#[test]
fn rule_1_a_membership_that_ends_is_reminded_of_60_30_and_7_days_before_and_on_the_day() {
    let mut world = World::with_section();
    world.expires(1, "2020-03-15");
    // By way of 29 February 2020.
    let mut told = Vec::new();
    for on in day("2019-12-01").iter_days().take_while(|on| *on <= day("2020-04-30")) {
        let today = world.reminded_on(&on.to_string());
        told.extend(today.into_iter().map(|(who, days)| (on.to_string(), who, days)));
    }
    let told: Vec<(&str, u16, u16)> =
        told.iter().map(|(on, who, n)| (on.as_str(), *who, *n)).collect();
    let right =
        [("2020-01-15", 1, 60), ("2020-02-14", 1, 30), ("2020-03-08", 1, 7), ("2020-03-15", 1, 0)];
    assert_eq!(told, right);
    let item = world.item();
    assert_eq!((item.kind, item.rule), (ItemKind::MembershipLapse, 1));
    assert_eq!(
        (item.choices.join(" "), item.recommended.as_deref()),
        ("noted withdraw".to_owned(), Some("noted"))
    );
    assert!(
        item.evidence.iter().any(|line| line.contains("6 games without an outcome")),
        "{item:?}"
    );
    let games = world.section().games.iter();
    assert!(games.map(Game::outcome).all(|outcome| outcome.is_none()), "nothing is forfeited");
}

#[test]
fn rule_1_days_that_were_missed_are_made_up_for_by_one_reminder() {
    // The days of the ticks, and how many days were left in the reminder of each.
    let cases: [&[(&str, Option<u16>)]; 5] = [
        &[("2020-01-20", Some(55)), ("2020-01-21", None), ("2020-02-14", Some(30))],
        &[
            ("2020-02-20", Some(24)),
            ("2020-02-21", None),
            ("2020-03-08", Some(7)),
            ("2020-03-09", None),
        ],
        &[
            ("2020-03-12", Some(3)),
            ("2020-03-13", None),
            ("2020-03-15", Some(0)),
            ("2020-03-16", None),
        ],
        &[("2020-03-20", Some(0)), ("2020-03-21", None)],
        &[("2020-01-14", None), ("2020-03-15", Some(0))],
    ];
    for ticks in cases {
        let mut world = World::with_section();
        world.expires(1, "2020-03-15");
        for (on, days) in ticks {
            let wanted: Vec<(u16, u16)> = days.map(|days| (1, days)).into_iter().collect();
            assert_eq!(world.reminded_on(on), wanted, "{ticks:?} {on}");
        }
    }
}

#[test]
fn rule_1_only_who_still_plays_is_reminded() {
    let mut world = World::with_section();
    world.enter(EntryForm { paid: true, ..form(8, "2019-03-04") });
    world.enter(form(9, "2019-03-04"));
    for n in 1..=9 {
        world.expires(n, "2020-03-15");
    }
    let all: Vec<(u16, u16)> = [1, 2, 3, 4, 5, 6, 7, 8].map(|n| (n, 60)).to_vec();
    assert_eq!(world.clone().reminded_on("2020-01-15"), all, "8 waits, 9 has not paid");
    let games: Vec<GameId> =
        world.section().games.iter().map(|g| world.section().game_id(g)).collect();
    for id in games.iter().filter(|id| id.white == Seat(1) || id.black == Seat(1)) {
        world.settle(id, Score::Draw);
    }
    assert_eq!(world.clone().reminded_on("2020-01-15"), all[1..], "1 has played his games");
    world.act(&Command::NoteDeath { member: member(2) });
    let told = world.reminded_on("2020-01-15");
    assert!(told.iter().all(|(who, _)| *who != 2), "{told:?}");
}

#[test]
fn rule_1_what_was_entered_after_the_membership_had_ended_was_asked_about_then() {
    let mut world = World::with_players(1);
    world.expires(1, "2019-01-31");
    world.enter(EntryForm { paid: true, ..form(1, "2019-02-15") });
    let item = world.item();
    assert_eq!(item.kind, ItemKind::MembershipLapsed);
    world.rule(item.item, "accept");
    assert_eq!(world.reminded_on("2019-03-02"), []);
    assert!(world.open_kinds().is_empty());
}

#[test]
fn rule_1_a_renewal_closes_what_waits_and_starts_anew() {
    let ended = || {
        let mut world = World::with_section();
        world.expires(1, "2020-03-15");
        assert_eq!(world.reminded_on("2020-03-15"), [(1, 0)]);
        assert_eq!(world.open_kinds(), [ItemKind::MembershipLapse]);
        world
    };
    // By the roster.
    let mut world = ended();
    world.expires(1, "2021-03-15");
    assert!(world.open_kinds().is_empty());
    let ruling = world.state.docket.values().next_back().unwrap().1.clone().unwrap();
    assert_eq!((ruling.choice.as_str(), ruling.by.as_str()), ("moot", "the books"));
    assert_eq!(world.reminded_on("2020-03-16"), []);
    assert_eq!(world.reminded_on("2021-01-14"), [(1, 60)]);
    // By a ruling on the player's news.
    let mut world = ended();
    world.ask_director(1, Intent::Membership { expires: Some(day("2021-03-15")) });
    let news = world.state.open_docket().find(|i| i.kind == ItemKind::MembershipNews).unwrap().item;
    world.rule(news, "renewed");
    assert!(world.open_kinds().is_empty());
    // What is no renewal closes nothing.
    let mut world = ended();
    world.act(&Command::ListPlayers(vec![Player {
        expires: Some(day("2020-03-15")),
        ..player(1, None)
    }]));
    world.today = day("2020-05-01");
    world.expires(1, "2020-04-15");
    assert_eq!(world.open_kinds(), [ItemKind::MembershipLapse]);
    let item = world.item().item;
    world.rule(item, "noted");
    assert!(world.open_kinds().is_empty());
}
