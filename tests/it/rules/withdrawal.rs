//! Rule 10: withdrawal and death.

use super::*;
use knightmail::domain::{
    command::AdoptedSection,
    ids::{MemberId, TournamentId},
    intent::{Intent, Scope},
    rules::withdrawal,
};

fn withdraw(
    world: &mut World,
    scope: Scope,
    section: Option<&str>,
    event: Option<&str>,
) -> Vec<Event> {
    world.act(&Command::Withdraw {
        member: member(1),
        scope,
        section: section.map(SectionCode::from),
        event: event.map(TournamentId::from),
        reason: "he moves away".to_owned(),
    })
}

/// Player 1 plays in two sections and has a further entry that waits.
fn busy() -> World {
    let mut world = World::with_section();
    let seats = [1, 8, 9].map(|n| (None, member(n))).to_vec();
    let (section, event, start) = ("19N02".into(), "GK2019".into(), day("2019-03-01"));
    let adopted = AdoptedSection { section, event, round: 0, start, seats };
    world.act(&Command::AdoptSection(adopted));
    world.enter(EntryForm { paid: true, ..form(1, "2019-03-01") });
    world
}

fn lost(events: &[Event]) -> usize {
    let by_withdrawal = |e: &&Event| matches!(e, Event::ResultRuled { outcome, .. } if outcome.how == How::Withdrawal);
    events.iter().filter(by_withdrawal).count()
}

#[test]
fn rule_10_a_withdrawal_loses_what_runs_in_its_scope_and_what_waits() {
    use EntryState::{Assigned, Waiting, Withdrawn};
    for (scope, section, event, games, states) in [
        (Scope::Section, Some("19N01"), None, 6, [Withdrawn, Assigned, Waiting]),
        (Scope::Section, Some("19N02"), None, 2, [Assigned, Withdrawn, Waiting]),
        (Scope::Event, None, Some("GK2019"), 8, [Withdrawn; 3]),
        (Scope::All, None, None, 8, [Withdrawn; 3]),
    ] {
        let mut world = busy();
        let events = withdraw(&mut world, scope, section, event);
        assert_eq!(lost(&events), games, "{scope:?} {section:?}");
        assert_eq!(world.states(&member(1)), states, "{scope:?} {section:?}");
        let reason = |e: &Event| match e {
            Event::ResultRuled { reason, .. } => reason == "he moves away",
            _ => true,
        };
        assert!(events.iter().all(reason), "the opponents read why");
        assert!(world.open_kinds().is_empty(), "no game of his is left that could be put");
    }
}

#[test]
fn rule_10_what_is_finished_stands_and_what_is_reported_keeps_its_objection() {
    let mut world = World::with_section();
    world.settle(&game(1, 2), Score::WhiteWins);
    world.report(3, &game(3, 1), played(Score::WhiteWins));
    world.report(1, &game(1, 4), played(Score::WhiteWins));
    world.report(4, &game(1, 4), played(Score::Draw));
    let events = withdraw(&mut world, Scope::All, None, None);
    assert_eq!(lost(&events), 3, "{events:?}");
    assert_eq!(world.game_state(&game(1, 2)), "confirmed");
    assert_eq!(world.game_state(&game(3, 1)), "reported");
    assert_eq!(world.game_state(&game(1, 4)), "disputed");
}

#[test]
fn rule_10_who_withdraws_does_not_go_on_though_he_has_the_points() {
    let mut world = World::with_section();
    for (white, black) in [(1, 2), (1, 4), (1, 6)] {
        world.settle(&game(white, black), Score::WhiteWins);
    }
    world.settle(&game(3, 1), Score::BlackWins);
    let mut last = world.clone();
    // One draw more and he is through; he leaves in the same hour.
    world.settle(&game(5, 1), Score::Draw);
    assert_eq!(entry(&world, "GK2019-001").state, EntryState::Advanced);
    withdraw(&mut world, Scope::All, None, None);
    assert_eq!(entry(&world, "GK2019-001").state, EntryState::Withdrawn);
    let events = withdraw(&mut last, Scope::Section, Some("19N01"), None);
    assert!(!events.iter().any(|e| matches!(e, Event::EntryAdvanced { entry, .. }
        if entry == &EntryId::from("GK2019-001"))));
    assert_eq!(entry(&last, "GK2019-001").state, EntryState::Withdrawn);
}

#[test]
fn rule_10_an_entry_that_plays_on_in_a_later_section_stays() {
    let mut world = World::with_section();
    let seats = vec![(Some("GK2019-001".into()), member(1)), (None, member(8)), (None, member(9))];
    let (section, event, start) = ("19Ns01".into(), "GK2019".into(), day("2019-03-01"));
    let adopted = AdoptedSection { section, event, round: 1, start, seats };
    world.act(&Command::AdoptSection(adopted));
    assert_eq!(lost(&withdraw(&mut world, Scope::Section, Some("19N01"), None)), 6);
    assert_eq!(entry(&world, "GK2019-001").state, EntryState::Assigned);
}

#[test]
fn rule_10_an_impossible_withdrawal_is_refused_with_a_sentence() {
    let world = busy();
    let check = |number, within| withdrawal::check(&world.state, &member(number), within);
    let other = SectionCode::from("19N02");
    let event = TournamentId::from("GK2019");
    assert_eq!(check(1, (Scope::All, None, None)), Ok(()));
    assert_eq!(check(1, (Scope::Section, Some(&other), None)), Ok(()));
    let why = check(2, (Scope::Section, Some(&other), None)).expect_err("he sits elsewhere");
    assert!(why.contains("19N01"), "{why}");
    let nobody = MemberId::from("20000000");
    let why = withdrawal::check(&world.state, &nobody, (Scope::Event, None, Some(&event)));
    assert!(why.expect_err("he has nothing").contains("no running game"));
}

#[test]
fn rule_10_where_it_is_not_clear_what_is_left_the_director_says_it() {
    let mut world = busy();
    world.ask_director(1, Intent::Withdraw { scope: Scope::Section, section: None });
    let item = world.item();
    assert_eq!(item.choices, ["19N01", "19N02", "answered", "dismiss"]);
    assert_eq!(item.recommended, None);
    assert_eq!(lost(&world.rule(item.item, "19N02")), 2);

    let mut world = World::with_section();
    world.ask_director(1, Intent::Withdraw { scope: Scope::Section, section: None });
    let item = world.item();
    assert_eq!(item.choices, ["withdraw", "answered", "dismiss"], "he plays in one alone");
    assert_eq!(item.recommended.as_deref(), Some("withdraw"));
    assert_eq!(lost(&world.rule(item.item, "withdraw")), 6);
    world.ask_director(1, Intent::Withdraw { scope: Scope::Section, section: None });
    assert_eq!(world.item().choices, ["answered", "dismiss"], "nothing is left");
}

#[test]
fn rule_10_a_death_is_no_forfeit_and_the_director_decides_the_games() {
    let mut world = busy();
    world.settle(&game(1, 2), Score::WhiteWins);
    let events = world.act(&Command::NoteDeath { member: member(1) });
    let opened = events.iter().filter(|e| matches!(e, Event::ItemOpened(_))).count();
    assert_eq!(opened, 7, "five games in 19N01 and two in 19N02");
    assert_eq!(lost(&events), 0);
    assert_eq!(
        world.states(&member(1)),
        [EntryState::Assigned, EntryState::Assigned, EntryState::Withdrawn],
        "his seats stay, what waits is withdrawn"
    );
    let items: Vec<Item> = world.state.open_docket().cloned().collect();
    for (item, choice) in items.iter().zip(["1-0", "0-1", "1/2-1/2", "1-0", "0-1"]) {
        assert_eq!((item.kind, item.rule), (ItemKind::Adjudication, 10));
        assert_eq!(item.choices, ["1-0", "0-1", "1/2-1/2"], "nobody loses by silence");
        world.rule(item.item, choice);
        let game = item.about.game.as_ref().expect("it is about a game");
        let outcome = world.game(game).settled().expect("it is decided");
        assert_eq!((outcome.result.text(), outcome.how), (choice, How::Death));
    }
    assert_eq!(world.open_kinds().len(), 2);
    assert!(world.act(&Command::NoteDeath { member: member(1) }).is_empty(), "once is enough");
}

#[test]
fn rule_10_a_death_settles_what_the_player_had_asked() {
    let mut world = World::with_section();
    world.ask_director(1, Intent::Leave { from: None, to: None });
    world.ask_director(1, Intent::Withdraw { scope: Scope::All, section: None });
    let about = "Player 1 has died.".to_owned();
    world.ask_director(2, Intent::Death { player: Some(member(1)), about });
    let item = world.state.open_of_kind(ItemKind::Death).next().expect("it waits").clone();
    assert_eq!(item.recommended.as_deref(), Some("died"));
    world.rule(item.item, "died");
    assert!(world.open_kinds().iter().all(|kind| *kind == ItemKind::Adjudication));
    assert!(world.state.died.contains_key(&member(1)));
}

#[test]
fn rule_10_an_entry_of_one_who_has_died_does_not_go_on() {
    let mut world = World::with_section();
    for (white, black) in [(1, 2), (1, 4), (1, 6)] {
        world.settle(&game(white, black), Score::WhiteWins);
    }
    world.settle(&game(3, 1), Score::BlackWins);
    world.act(&Command::NoteDeath { member: member(1) });
    let items: Vec<Item> = world.state.open_docket().cloned().collect();
    for item in items {
        world.rule(item.item, "1/2-1/2");
    }
    assert_eq!(entry(&world, "GK2019-001").state, EntryState::Withdrawn);
}

#[test]
fn rule_4_who_withdraws_from_the_first_round_has_the_gift_certificate_once() {
    let awards = |world: &World| entry(world, "GK2019-001").awards.len();
    // The section goes on without him.
    let mut world = World::with_section();
    withdraw(&mut world, Scope::All, None, None);
    assert_eq!(awards(&world), 0, "it is his when the section is played");
    let games: Vec<GameId> =
        world.section().games.iter().map(|g| world.section().game_id(g)).collect();
    let rest = |id: &&GameId| id.white != Seat(1) && id.black != Seat(1);
    for id in games.iter().filter(rest) {
        let win = if id.white < id.black { Score::WhiteWins } else { Score::BlackWins };
        world.settle(id, win);
    }
    assert_eq!(awards(&world), 1);
    // His leaving ends it, whatever he scored.
    for (result, points) in [(Score::WhiteWins, "3"), (Score::Draw, "1.5")] {
        let mut world = World::with_section();
        games.iter().filter(rest).for_each(|id| drop(world.settle(id, Score::Draw)));
        for n in [2, 4, 6] {
            world.settle(&game(1, n), result);
        }
        let events = withdraw(&mut world, Scope::All, None, None);
        assert!(events.iter().any(|e| matches!(e, Event::SectionCompleted { .. })));
        assert_eq!(entry(&world, "GK2019-001").state, EntryState::Withdrawn);
        let row = &knightmail::domain::crosstable::crosstable(world.section())[0];
        assert_eq!((row.points.to_string().as_str(), awards(&world)), (points, 1));
    }
}
