//! Rules 2 and 7: the closing date of a section, and the games that still run then.

use super::*;
use knightmail::domain::rules::closing;

/// A section that started on 4 March 2019 and closes 30 months later; all its games but one are finished.
fn nearly() -> (World, GameId) {
    let mut world = World::with_section();
    let games: Vec<GameId> =
        world.section().games.iter().map(|g| world.section().game_id(g)).collect();
    for id in games.iter().filter(|id| **id != game(1, 2)) {
        world.settle(id, Score::Draw);
    }
    (world, game(1, 2))
}

#[test]
fn rule_2_a_section_closes_thirty_months_after_its_start() {
    let world = World::with_section();
    let tournament = &world.rules.tournaments[&"GK2019".into()];
    assert_eq!(closing::date(tournament, world.section()), Some(day("2021-09-04")));
}

#[test]
fn rule_7_what_runs_on_the_closing_date_is_put_before_the_director_once() {
    let (mut world, game) = nearly();
    world.tick(Job::Reminders, "2021-09-03");
    assert!(world.open_kinds().is_empty(), "the day before it is quiet");
    let events = world.tick(Job::Reminders, "2021-09-04");
    let item = world.item();
    assert_eq!((item.kind, item.rule), (ItemKind::Adjudication, 7));
    assert_eq!(item.choices, ["1-0", "0-1", "1/2-1/2", "0-0", "extend"]);
    assert_eq!(item.recommended, None, "the rules do not lean");
    assert_eq!(item.about.game.as_ref(), Some(&game));
    assert!(item.evidence.iter().any(|line| line.contains("Player 1")), "{:?}", item.evidence);
    let asked = Event::AdjudicationAsked { game, item: item.item };
    assert!(events.contains(&asked), "both players are asked what they claim");
    for later in ["2021-09-05", "2022-03-01"] {
        let events = world.tick(Job::Reminders, later);
        assert!(!events.iter().any(|e| matches!(e, Event::AdjudicationAsked { .. })));
    }
    assert_eq!(world.open_kinds().len(), 1);
}

#[test]
fn rule_7_an_adjudication_says_how() {
    for (choice, how) in [
        ("1-0", How::Adjudication),
        ("0-1", How::Adjudication),
        ("1/2-1/2", How::Adjudication),
        ("0-0", How::DoubleForfeit),
    ] {
        let (mut world, game) = nearly();
        world.tick(Job::Reminders, "2021-09-04");
        let events = world.rule(world.item().item, choice);
        let outcome = world.game(&game).settled().expect("it is decided");
        assert_eq!((outcome.result.text(), outcome.how), (choice, how));
        assert!(events.iter().any(|e| matches!(e, Event::SectionCompleted { .. })));
    }
}

#[test]
fn rule_7_more_time_is_given_and_then_it_is_asked_again() {
    let (mut world, game) = nearly();
    world.tick(Job::Reminders, "2021-09-04");
    for round in [day("2021-09-10"), day("2021-12-01")] {
        world.today = round;
        let item = world.item().item;
        assert_eq!(world.rule(item, "extend").len(), 1, "it needs nothing but the ruling");
        let last = later(round, 59).to_string();
        world.tick(Job::Reminders, &last);
        assert!(world.state.open_of_kind(ItemKind::Adjudication).next().is_none());
        world.tick(Job::Reminders, &later(round, 60).to_string());
        let again = world.item();
        assert!(again.evidence.iter().any(|line| line.contains("more time")));
        assert_ne!(again.item, item);
    }
    assert_eq!(world.game(&game).outcome(), None);
}

#[test]
fn rule_7_an_adjudication_that_the_players_settle_themselves_waits_no_more() {
    let (mut world, game) = nearly();
    world.tick(Job::Reminders, "2021-09-04");
    let item = world.item().item;
    world.report(1, &game, played(Score::WhiteWins));
    assert_eq!(world.open_kinds(), [ItemKind::Adjudication], "one word alone settles nothing");
    world.report(2, &game, played(Score::WhiteWins));
    assert!(!world.open_kinds().contains(&ItemKind::Adjudication));
    let (_, ruling) = &world.state.docket[&item];
    let ruling = ruling.as_ref().expect("it is closed");
    assert_eq!(ruling.choice, "moot");
    assert!(ruling.reason.contains("19N01 1-2"), "{}", ruling.reason);
}

#[test]
fn rule_7_what_is_reported_or_disputed_is_not_asked_at_the_closing_date() {
    for disputed in [false, true] {
        let (mut world, game) = nearly();
        world.today = day("2021-09-03");
        world.report(1, &game, played(Score::WhiteWins));
        if disputed {
            world.report(2, &game, played(Score::Draw));
        }
        world.tick(Job::Reminders, "2021-09-04");
        assert!(world.state.open_of_kind(ItemKind::Adjudication).next().is_none());
    }
}

#[test]
fn rule_10_a_death_after_the_closing_date_changes_the_same_item() {
    let (mut world, game) = nearly();
    world.tick(Job::Reminders, "2021-09-04");
    let item = world.item().item;
    world.act(&Command::NoteDeath { member: member(2) });
    let amended = world.item();
    assert_eq!((amended.item, amended.rule), (item, 10));
    assert_eq!(amended.choices, ["1-0", "0-1", "1/2-1/2"]);
    world.rule(item, "1-0");
    let outcome = Outcome { result: Score::WhiteWins, how: How::Death };
    assert_eq!(world.game(&game).settled(), Some(outcome));
}
