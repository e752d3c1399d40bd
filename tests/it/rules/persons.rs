//! Rules 2 and 10: substitutes, two records of one person, players kept apart.

use super::*;
use knightmail::domain::{
    command::AdoptedSection,
    intent::Intent,
    rules::persons::{check_apart, check_merge, check_substitute},
};

/// Player 8's entry waits for a section, and players 1 to 7 play.
fn with_waiting() -> (World, EntryId) {
    let mut world = World::with_section();
    world.enter(EntryForm { paid: true, ..form(8, "2019-03-04") });
    let id = world.state.entries_of[&member(8)][0].clone();
    (world, id)
}

fn substitute(world: &mut World, seat: u8, entry: &EntryId) -> Vec<Event> {
    world.act(&Command::Substitute {
        section: "19N01".into(),
        seat: Seat(seat),
        entry: entry.clone(),
        reason: "he left".to_owned(),
    })
}

#[test]
fn rule_10_a_substitute_takes_the_seat_with_what_is_finished() {
    let (mut world, id) = with_waiting();
    world.settle(&game(1, 2), Score::WhiteWins);
    world.report(3, &game(3, 1), played(Score::Draw));
    substitute(&mut world, 1, &id);
    assert_eq!(world.state.member_at(world.section(), Seat(1)), Some(&member(8)));
    assert_eq!(world.game_state(&game(1, 2)), "confirmed", "finished games stand with the seat");
    assert_eq!(world.game_state(&game(3, 1)), "reported");
    assert_eq!(world.game_state(&game(1, 4)), "running", "running ones go on");
    assert_eq!(entry(&world, "GK2019-001").state, EntryState::Withdrawn);
    assert_eq!(entry(&world, &id.0).state, EntryState::Assigned);
    assert_eq!(entry(&world, "GK2019-001").sections, ["19N01".into()], "both count as assigned");
    assert_eq!(entry(&world, &id.0).sections, ["19N01".into()]);
    assert_eq!(entry(&world, "GK2019-001").awards.len(), 1, "the one who left has his certificate");
    let seated = world.section().seated(Seat(1)).expect("somebody sits there");
    assert_eq!(seated.rating, Some(1600), "the rating of who comes");
    world.report(8, &game(1, 4), played(Score::BlackWins));
    assert_eq!(world.game_state(&game(1, 4)), "confirmed", "he speaks for the seat now");
}

#[test]
fn rule_10_who_cannot_take_a_seat_is_refused_with_a_sentence() {
    let (mut world, id) = with_waiting();
    world.enter(form(9, "2019-03-04"));
    let unpaid = world.state.entries_of[&member(9)][0].clone();
    world.enter(EntryForm { paid: true, ..form(2, "2019-03-04") });
    let twice = world.state.entries_of[&member(2)][1].clone();
    let pair = Command::KeepApart { one: member(8), other: member(3), lifted: false };
    let (sits, none): (EntryId, EntryId) = ("GK2019-002".into(), "GK2019-999".into());
    for (code, seat, entry, words) in [
        ("19N09", 1, &id, "no section 19N09"),
        ("19N01", 0, &id, "seats 1 to 7"),
        ("19N01", 8, &id, "seats 1 to 7"),
        ("19N01", 1, &none, "no entry GK2019-999"),
        ("19N01", 1, &unpaid, "awaiting-payment"),
        ("19N01", 1, &sits, "assigned"),
        ("19N01", 1, &twice, "sits at seat 2"),
    ] {
        let why = check_substitute(&world.state, &code.into(), Seat(seat), entry);
        let why = why.expect_err(words);
        assert!(why.contains(words), "{why}");
        if code == "19N01" {
            assert!(substitute(&mut world, seat, entry).is_empty(), "{words}");
        }
    }
    assert_eq!(check_substitute(&world.state, &"19N01".into(), Seat(1), &id), Ok(()));
    world.act(&pair);
    let why = check_substitute(&world.state, &"19N01".into(), Seat(1), &id);
    assert!(why.expect_err("they asked not to meet").contains("kept apart"));
    assert_eq!(check_substitute(&world.state, &"19N01".into(), Seat(3), &id), Ok(()));
}

#[test]
fn rule_10_no_seat_of_a_complete_section_and_none_of_one_who_has_gone_on() {
    let (mut world, id) = with_waiting();
    let games: Vec<GameId> =
        world.section().games.iter().map(|g| world.section().game_id(g)).collect();
    for id in &games {
        let win = if id.white < id.black { Score::WhiteWins } else { Score::BlackWins };
        if !(id.white == Seat(6) && id.black == Seat(7)) {
            world.settle(id, win);
        }
    }
    let why = check_substitute(&world.state, &"19N01".into(), Seat(1), &id);
    assert!(why.expect_err("seat 1 has gone on").contains("advanced"));
    world.settle(&game(6, 7), Score::WhiteWins);
    let why = check_substitute(&world.state, &"19N01".into(), Seat(7), &id);
    assert!(why.expect_err("all is played").contains("finished"));
}

#[test]
fn rule_10_a_substitute_settles_what_waited_about_the_one_who_left() {
    let (mut world, id) = with_waiting();
    for (game, result) in [(game(1, 2), Score::BlackWins), (game(3, 1), Score::WhiteWins)] {
        let outcome = Outcome { result, how: How::SilenceForfeit };
        world.act(&Command::FixResult { game, outcome, reason: "silent".to_owned() });
    }
    assert_eq!(world.open_kinds(), [ItemKind::ForfeitsSpread]);
    let mut other = world.clone();
    substitute(&mut world, 1, &id);
    assert!(world.open_kinds().is_empty());
    other.act(&Command::NoteDeath { member: member(1) });
    assert_eq!(other.open_kinds(), [ItemKind::Adjudication; 4], "death is no forfeit");
    substitute(&mut other, 1, &id);
    assert!(other.open_kinds().is_empty(), "his games go on");
}

#[test]
fn rule_2_two_records_become_one_with_everything() {
    let mut world = World::with_section();
    world.enter(EntryForm { paid: true, ..form(8, "2019-03-04") });
    world.act(&payment(8, "7.00", "2019-03-04", "too much"));
    world.act(&Command::KeepApart { one: member(8), other: member(9), lifted: false });
    world.act(&Command::Merge { from: member(8), into: member(1) });
    assert!(!world.state.players.contains_key(&member(8)));
    assert_eq!(world.states(&member(1)), [EntryState::Assigned, EntryState::Waiting]);
    let emails = &world.state.players[&member(1)].emails;
    assert_eq!(emails, &[address(1), address(8)]);
    assert!(world.state.players_at(&address(8)).eq([&member(1)]));
    assert!(world.state.are_apart(&member(1), &member(9)));
    let account = &world.state.accounts[&("GK2019".into(), member(1))];
    assert_eq!(account.balance().to_string(), "7.00");
}

#[test]
fn rule_2_records_that_cannot_be_one_person_are_refused() {
    let mut world = World::with_section();
    for (from, into, words) in [
        (1, 77, "roster does not have"),
        (77, 1, "roster does not have"),
        (1, 1, "named twice"),
        (1, 2, "both sit in 19N01"),
    ] {
        let why = check_merge(&world.state, &member(from), &member(into)).expect_err(words);
        assert!(why.contains(words), "{why}");
        assert!(world.act(&Command::Merge { from: member(from), into: member(into) }).is_empty());
    }
    assert_eq!(check_merge(&world.state, &member(8), &member(2)), Ok(()));
}

#[test]
fn rule_2_players_are_kept_apart_in_both_directions_and_may_meet_again() {
    let mut world = World::with_players(3);
    let pair = |one, other, lifted| {
        let (one, other) = (member(one), member(other));
        Command::KeepApart { one, other, lifted }
    };
    assert_eq!(world.act(&pair(2, 1, false)).len(), 1);
    assert!(world.state.are_apart(&member(1), &member(2)));
    assert!(world.state.are_apart(&member(2), &member(1)));
    let state = world.state.clone();
    for (one, other, lifted, words) in [
        (1, 2, false, "kept apart already"),
        (1, 3, true, "not kept apart"),
        (1, 1, false, "named twice"),
        (1, 77, false, "roster does not have"),
    ] {
        let why = check_apart(&state, &member(one), &member(other), lifted).expect_err(words);
        assert!(why.contains(words), "{why}");
        assert!(world.act(&pair(one, other, lifted)).is_empty());
    }
    assert_eq!(world.act(&pair(1, 2, true)).len(), 1);
    assert!(!world.state.are_apart(&member(1), &member(2)));
}

fn wish(words: &str) -> Intent {
    Intent::Entry {
        event: Some("GK2019".into()),
        count: 1,
        member_id: Some(member(1)),
        name: "Player 1".to_owned(),
        paid: false,
        postmark: day("2019-03-01"),
        wishes: vec![words.to_owned()],
    }
}

#[test]
fn rule_2_a_wish_that_names_one_player_can_be_granted() {
    let named = |number, name: &str| Player { name: name.to_owned(), ..player(number, None) };
    for (words, other) in [
        ("Please not with Ida Quist.", Some(2)),
        ("not with ida quist again", Some(2)),
        ("not with 10000003", Some(3)),
        ("I would not like to meet Quist", Some(2)),
        ("not with Mr. Brandt, he is my brother", None),
        ("not with Jon Brandt, he is my brother", Some(3)),
        ("neither Ida Quist nor Jon Brandt", None),
        ("not with Ida Quistgaard", None),
        ("I am Player 1 and like strong opponents", None),
    ] {
        let mut world = World::with_players(1);
        let roster = [named(2, "Ida Quist"), named(3, "Jon Brandt"), named(4, "Eva Brandt")];
        world.act(&Command::ListPlayers(roster.to_vec()));
        world.ask_director(1, wish(words));
        let item = world.item();
        assert_eq!(item.choices[0] == "keep-apart", other.is_some(), "{words}: {item:?}");
        if let Some(other) = other {
            assert_eq!(item.recommended.as_deref(), Some("keep-apart"));
            world.rule(item.item, "keep-apart");
            assert!(world.state.are_apart(&member(1), &member(other)), "{words}");
        }
    }
}

#[test]
fn rule_2_a_seat_in_a_later_round_is_taken_by_a_new_entry_too() {
    let (mut world, id) = with_waiting();
    let seats = [1, 2, 3].map(|n| (None, member(n))).to_vec();
    let (section, event, start) = ("19Ns01".into(), "GK2019".into(), day("2019-03-01"));
    let adopted = AdoptedSection { section, event, round: 1, start, seats };
    world.act(&Command::AdoptSection(adopted));
    let section = SectionCode::from("19Ns01");
    assert_eq!(check_substitute(&world.state, &section, Seat(2), &id), Ok(()));
}
