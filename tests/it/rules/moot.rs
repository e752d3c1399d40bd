//! Rule 7: what waits for the director closes by itself when its matter is settled by another way, and only then.

use super::*;
use knightmail::domain::{
    intent::{self, DrawGround, Intent, Scope},
    refusal::Refusal,
};

/// Makes sure that an item is closed without the director, and says why.
#[track_caller]
fn closed(world: &World, item: &Item) {
    let (_, ruling) = &world.state.docket[&item.item];
    let ruling = ruling.as_ref().unwrap_or_else(|| panic!("{:?} still waits", item.kind));
    assert_eq!((ruling.choice.as_str(), ruling.by.as_str()), ("moot", "the books"), "{ruling:?}");
    assert!(!ruling.reason.is_empty());
}

fn fix(world: &mut World, game: GameId) {
    let outcome = Outcome { result: Score::Draw, how: How::Adjudication };
    world.act(&Command::FixResult { game, outcome, reason: "seen".to_owned() });
}

#[test]
fn rule_7_a_question_about_a_game_ends_with_a_result_that_stands() {
    let meant = || intent::Game { section: "19N01".into(), white: Seat(1), black: Seat(2) };
    let (sent, repeated) = (Some(day("2019-03-05")), Some(day("2019-03-20")));
    for intent in [
        Intent::TimeComplaint { game: meant(), sent, repeated },
        Intent::DrawClaim { game: meant(), ground: DrawGround::FiftyMoves },
    ] {
        let mut world = World::with_section();
        world.today = day("2019-04-15");
        world.ask_director(1, intent);
        let item = world.item();
        fix(&mut world, game(3, 4));
        assert_eq!(world.item(), item, "another game settles nothing");
        world.report(1, &game(1, 2), played(Score::WhiteWins));
        assert_eq!(world.item(), item, "nor does one word alone");
        world.report(2, &game(1, 2), played(Score::WhiteWins));
        closed(&world, &item);
        assert!(world.open_kinds().is_empty());
    }
}

#[test]
fn rule_7_an_objection_to_a_result_waits_though_the_result_stands() {
    let mut world = World::with_section();
    let meant = intent::Game { section: "19N01".into(), white: Seat(1), black: Seat(2) };
    let about = "That is not so.".to_owned();
    world.ask_director(2, Intent::Objection { game: Some(meant), about });
    fix(&mut world, game(1, 2));
    assert_eq!(world.open_kinds(), [ItemKind::Objection]);
}

#[test]
fn rule_7_a_question_about_entries_ends_when_none_of_them_is_left() {
    let mut world = World::with_players(2);
    world.act(&Command::ListPlayers(vec![Player { country: None, ..player(1, None) }]));
    world.enter(EntryForm { count: 2, ..form(1, "2019-02-01") });
    world.enter(EntryForm { from: Some(stranger()), ..form(2, "2019-02-01") });
    let items: Vec<Item> = world.state.open_docket().cloned().collect();
    assert_eq!(items.len(), 2);
    let (scope, reason) = (Scope::All, "he writes so".to_owned());
    let (section, event) = (None, None);
    world.act(&Command::Withdraw { member: member(1), scope, section, event, reason });
    closed(&world, &items[0]);
    assert_eq!(world.item(), items[1], "that of another waits");
    world.rule(items[1].item, "refuse");
    let refusal = entry(&world, "GK2019-003").refusal.clone();
    assert!(matches!(refusal, Some(Refusal::ByRuling { .. })));
}

#[test]
fn rule_7_what_two_records_had_before_the_director_is_the_one_persons() {
    let mut world = World::with_section();
    world.ask_director(8, Intent::Conduct { game: None, about: "He is rude.".to_owned() });
    world.act(&Command::Merge { from: member(8), into: member(1) });
    assert_eq!(world.item().about.player, Some(member(1)));
}
