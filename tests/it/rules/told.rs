//! Who is told what. A letter too few is a player who waits in vain; a letter to the wrong person is a leak.

use super::*;
use NoticeName as N;
use knightmail::domain::{
    command::{AdoptedSection, HeldMail},
    event::{Grounds, Topic, Trouble},
    notice::{Effect, Facts},
};

pub(super) fn lines(told: &[(String, NoticeName)]) -> Vec<(&str, NoticeName)> {
    told.iter().map(|(who, what)| (who.as_str(), *what)).collect()
}

#[test]
fn rule_9_one_mail_with_three_entries_has_one_receipt() {
    for (postmark, name) in [
        ("2019-02-01", N::EntryReceived),
        ("2019-10-01", N::EntryReceived),
        ("2020-01-01", N::EntryCarriedForward),
    ] {
        let mut world = World::with_players(1);
        let events = world.enter(EntryForm { count: 3, ..form(1, postmark) });
        assert_eq!(lines(&world.told(&events)), [("player 1", name)], "{postmark}");
    }
}

#[test]
fn rule_1_a_refused_entry_is_told_its_reason() {
    let mut world = World::with_players(1);
    let abroad = Player { country: Some("DE".to_owned()), ..player(1, None) };
    world.act(&Command::ListPlayers(vec![abroad]));
    let events = world.enter(form(1, "2019-02-01"));
    assert_eq!(lines(&world.told(&events)), [("player 1", N::EntryRefused)]);
}

#[test]
fn rule_8_a_strangers_entry_is_answered_to_the_stranger_alone() {
    for number in [1, 77] {
        let mut world = World::with_players(1);
        let events =
            world.enter(EntryForm { from: Some(stranger()), ..form(number, "2019-02-01") });
        let told = world.told(&events);
        assert_eq!(lines(&told), [("somebody@example.net", N::EntryReceived)], "{number}");
        let item = world.item().item;
        let events = world.rule(item, "refuse");
        assert_eq!(lines(&world.told(&events)), [("somebody@example.net", N::EntryRefused)]);
    }
}

#[test]
fn rule_2_everybody_in_a_section_gets_the_sheet() {
    let mut world = World::with_players(7);
    for n in 1..=7 {
        world.enter(EntryForm { paid: true, ..form(n, "2019-02-01") });
    }
    let events = world.tick(Job::Assignments, "2019-03-04");
    let told = world.told(&events);
    let names: Vec<String> = (1..=7).map(|n| format!("player {n}")).collect();
    let expected: Vec<_> = names.iter().map(|name| (name.as_str(), N::Assignment)).collect();
    assert_eq!(lines(&told), expected);
}

#[test]
fn rule_10_reports_are_told_to_both_sides() {
    let id = game(1, 2);
    let mut world = World::with_section();
    let events = world.report(1, &id, played(Score::WhiteWins));
    let expected = [("player 1", N::ResultReceipt), ("player 2", N::ResultReported)];
    assert_eq!(lines(&world.told(&events)), expected);

    let mut agreed = world.clone();
    let events = agreed.report(2, &id, played(Score::WhiteWins));
    assert_eq!(lines(&agreed.told(&events)), [("player 2", N::ResultReceipt)]);

    let events = world.report(2, &id, played(Score::Draw));
    let both = [("player 1", N::ResultDisputed), ("player 2", N::ResultDisputed)];
    assert_eq!(lines(&world.told(&events)), both);

    let item = world.item().item;
    let events = world.rule(item, "1/2-1/2");
    assert_eq!(lines(&world.told(&events)), [("player 1", N::Ruling), ("player 2", N::Ruling)]);

    let events = world.report(1, &id, played(Score::WhiteWins));
    assert_eq!(lines(&world.told(&events)), [("player 1", N::ResultReceipt)]);
    let item = world.item().item;
    let events = world.rule(item, "keep");
    let both = [("player 1", N::Ruling), ("player 2", N::Ruling)];
    assert_eq!(lines(&world.told(&events)), both, "who contested hears what came of it");
}

#[test]
fn rule_10_a_resignation_is_told_to_the_winner_as_standing() {
    let mut world = World::with_section();
    let resigned = Outcome { result: Score::BlackWins, how: How::Resignation };
    let events = world.report(1, &game(1, 2), resigned);
    let notices = tell::notices(&world.state, &events);
    assert!(
        matches!(&notices[0].facts, Facts::ResultReceipt { lines } if lines[0].effect == Effect::Stands)
    );
    assert!(matches!(
        &notices[1].facts,
        Facts::ResultReported { stands: Some(Grounds::OwnInterest), .. }
    ));
    assert_eq!(notices.len(), 2);
}

#[test]
fn rule_10_two_results_in_one_mail_have_one_receipt() {
    let mut world = World::with_section();
    let mut events = world.report(1, &game(1, 2), played(Score::WhiteWins));
    events.extend(world.report(1, &game(1, 4), played(Score::Draw)));
    events.extend(world.report(1, &game(9, 8), played(Score::Draw)));
    let told = world.told(&events);
    let expected = [
        ("player 1", N::ResultReceipt),
        ("player 2", N::ResultReported),
        ("player 4", N::ResultReported),
    ];
    assert_eq!(lines(&told), expected);
}

#[test]
fn rule_10_a_changed_word_in_a_dispute_is_told_to_both() {
    let id = game(1, 2);
    let mut world = World::with_section();
    world.report(1, &id, played(Score::WhiteWins));
    world.report(2, &id, played(Score::BothLose));
    let events = world.report(1, &id, played(Score::Draw));
    let both = [("player 1", N::ResultDisputed), ("player 2", N::ResultDisputed)];
    assert_eq!(lines(&world.told(&events)), both);
    let item = world.item();
    assert!(item.evidence.iter().any(|line| line.contains("1/2-1/2")), "the director reads it too");
}

#[test]
fn rule_3_a_complete_section_is_told_to_all_and_advancing_to_who_advances() {
    let mut world = World::with_section();
    let all: Vec<GameId> =
        world.section().games.iter().map(|g| world.section().game_id(g)).collect();
    let mut counts = std::collections::BTreeMap::new();
    for id in all {
        let win = if id.white < id.black { Score::WhiteWins } else { Score::BlackWins };
        let events = world.settle(&id, win);
        for (who, what) in world.told(&events) {
            *counts.entry((what, who)).or_insert(0) += 1;
        }
    }
    for n in 1..=7 {
        assert_eq!(counts.get(&(N::SectionComplete, format!("player {n}"))), Some(&1));
        let advances = counts.get(&(N::Advancement, format!("player {n}"))).copied();
        assert_eq!(advances, (n <= 2).then_some(1), "player {n}");
    }
}

#[test]
fn rule_8_reminders_go_to_who_owes() {
    let mut world = World::with_players(2);
    world.enter(EntryForm { count: 2, ..form(1, "2019-03-01") });
    let events = world.tick(Job::Reminders, "2019-03-15");
    assert_eq!(lines(&world.told(&events)), [("player 1", N::PaymentReminder)]);
}

#[test]
fn nobody_is_told_of_what_was_adopted() {
    let mut world = World::with_players(7);
    let seats = (1..=7).map(|n| (None, member(n))).collect();
    let (section, event, start) = ("19N05".into(), "GK2019".into(), day("2019-01-20"));
    let adopted = AdoptedSection { section, event, round: 0, start, seats };
    let events = world.act(&Command::AdoptSection(adopted));
    assert!(world.told(&events).is_empty(), "{events:?}");
    assert_eq!(world.state.sections.len(), 1);
    assert_eq!(world.states(&member(4)), [EntryState::Assigned]);
    let id = GameId { section: "19N05".into(), ..game(1, 2) };
    let (outcome, on) = (played(Score::WhiteWins), day("2019-02-11"));
    let events = world.act(&Command::AdoptResult { game: id, outcome, on });
    assert!(world.told(&events).is_empty(), "{events:?}");
}

#[test]
fn one_mail_has_one_answer_whatever_it_asks_beside() {
    let mut world = World::with_section();
    let ask = |topic| Command::Ask { from: from(1), topic, section: None };
    let mut events = world.report(1, &game(1, 2), played(Score::WhiteWins));
    events.extend(world.act(&ask(Topic::Games)));
    let told = world.told(&events);
    assert_eq!(told.iter().filter(|(who, _)| who == "player 1").count(), 1, "{told:?}");
    let mut events = world.act(&ask(Topic::Help));
    events.extend(world.act(&ask(Topic::Deadlines)));
    let notices = tell::notices(&world.state, &events);
    assert!(matches!(
        &notices[..],
        [Notice { facts: Facts::Help { topic: Topic::Deadlines, .. }, .. }]
    ));
}

#[test]
fn who_may_not_be_answered_is_not() {
    let mut world = World::with_players(1);
    for (answer, expected) in [(true, 1), (false, 0)] {
        let (from, mail, docket) = (stranger(), "sha256:00".to_owned(), true);
        let why = Trouble::NothingFound;
        let held =
            HeldMail { from, why, read: Vec::new(), words: Vec::new(), mail, answer, docket };
        let events = world.act(&Command::Hold(held));
        assert_eq!(world.told(&events).len(), expected);
    }
}

#[test]
fn an_order_of_the_director_without_a_sender_tells_nobody() {
    let mut world = World::with_players(1);
    let events = world.enter(EntryForm { from: None, event: None, ..form(1, "2019-02-01") });
    assert!(world.told(&events).is_empty(), "there is nobody to tell: {events:?}");
}

#[test]
fn rule_7_the_summary_goes_to_the_director() {
    let mut world = World::with_players(1);
    let events = world.tick(Job::Summary, "2019-03-04");
    assert_eq!(lines(&world.told(&events)), [("director", N::DirectorSummary)]);
}
