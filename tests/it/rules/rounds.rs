//! Rules 3 and 4: who advances, who is out, and what a later ruling changes. Sections are played through the players'
//! reports.

use super::*;
use knightmail::domain::{
    event::Advance,
    honours::Award,
    intent::{Intent, Scope},
    points::Points,
    rules::advancement::check_take,
};

/// Plays all games of a section by a function of the seats; both players report each.
pub(super) fn play(
    world: &mut World,
    section: &str,
    result: impl Fn(u8, u8) -> Score,
) -> Vec<Event> {
    let games: Vec<GameId> = {
        let section = &world.state.sections[&SectionCode::from(section)];
        section.games.iter().map(|game| section.game_id(game)).collect()
    };
    games.iter().flat_map(|id| world.settle(id, result(id.white.0, id.black.0))).collect()
}

/// The lower seat wins: 6, 5, 4, 3, 2, 1, 0.
pub(super) const fn stronger(white: u8, black: u8) -> Score {
    if white < black { Score::WhiteWins } else { Score::BlackWins }
}

pub(super) fn points(text: &str) -> Points {
    text.parse().expect("points")
}

/// Who advances, with what and why.
pub(super) fn advanced(events: &[Event]) -> Vec<(String, String, Advance)> {
    let found = events.iter().filter_map(|event| match event {
        Event::EntryAdvanced { entry, points, why, .. } => {
            Some((entry.to_string(), points.to_string(), *why))
        }
        _ => None,
    });
    found.collect()
}

/// Who is out, with what.
pub(super) fn out(events: &[Event]) -> Vec<(String, String)> {
    let found = events.iter().filter_map(|event| match event {
        Event::EntryEliminated { entry, points, .. } => {
            Some((entry.to_string(), points.to_string()))
        }
        _ => None,
    });
    found.collect()
}

/// Who is given an award, in words.
pub(super) fn awards(events: &[Event]) -> Vec<(String, String)> {
    let found = events.iter().filter_map(|event| match event {
        Event::AwardGiven(given) => {
            let award = match &given.award {
                Award::GiftCertificate { amount, currency } => format!("{amount} {currency}"),
                Award::FramingCertificate => "frame".to_owned(),
                Award::Pin => "pin".to_owned(),
                Award::Title(title) => title.clone(),
            };
            Some((given.entry.to_string(), award))
        }
        _ => None,
    });
    found.collect()
}

pub(super) fn state(world: &World, number: u16) -> EntryState {
    entry(world, &format!("GK2019-{number:03}")).state
}

fn fix(world: &mut World, id: GameId, result: Score) -> Vec<Event> {
    let reason = "the moves were found".to_owned();
    world.act(&Command::FixResult { game: id, outcome: played(result), reason })
}

fn take(world: &mut World, id: &str) -> Vec<Event> {
    world.act(&Command::TakeEntry { entry: id.into(), reason: "a real case".to_owned() })
}

#[test]
fn rule_3_who_has_less_than_four_is_out_when_the_section_is_complete() {
    use EntryState::{Advanced, Assigned, Eliminated};
    let mut world = World::with_section();
    let events = play(&mut world, "19N01", stronger);
    let who = advanced(&events);
    assert_eq!(who.len(), 2, "6 and 5 advance: {who:?}");
    let scores: Vec<String> = out(&events).into_iter().map(|(_, points)| points).collect();
    assert_eq!(scores, ["3", "2", "1", "0"]);
    let states: Vec<EntryState> = (1..=7).map(|n| state(&world, n)).collect();
    let all = [Advanced, Advanced, Assigned, Eliminated, Eliminated, Eliminated, Eliminated];
    assert_eq!(states, all, "who has 4 waits");
}

#[test]
fn rule_3_nobody_is_out_before_the_section_is_complete() {
    let mut world = World::with_section();
    let games: Vec<GameId> =
        world.section().games.iter().map(|g| world.section().game_id(g)).collect();
    for id in &games[1..] {
        let events = world.settle(id, stronger(id.white.0, id.black.0));
        assert!(out(&events).is_empty(), "the section still runs");
    }
    assert_eq!(out(&world.settle(&games[0], Score::WhiteWins)).len(), 4);
}

#[test]
fn rule_4_a_loser_of_the_first_round_has_a_gift_certificate_in_the_same_decision() {
    let mut world = World::with_section();
    let events = play(&mut world, "19N01", stronger);
    let given = awards(&events);
    let losers: Vec<String> = out(&events).into_iter().map(|(entry, _)| entry).collect();
    assert_eq!(given.iter().map(|(entry, _)| entry.clone()).collect::<Vec<_>>(), losers);
    assert!(given.iter().all(|(_, award)| award == "7.00 USD"));
    assert_eq!(world.state.credit_of(&member(7), "USD").to_string(), "7.00");
    assert_eq!(world.state.credit_of(&member(3), "USD").to_string(), "0", "4 waits for its letter");
}

#[test]
fn rule_3_nobody_is_out_while_the_director_has_not_said_who_advances() {
    for (choice, losers) in [("nobody", 7), ("GK2019-003", 6)] {
        let mut world = World::with_section();
        let events = play(&mut world, "19N01", |_, _| Score::Draw);
        assert!(out(&events).is_empty() && awards(&events).is_empty());
        let item = world.item();
        assert_eq!(
            (item.kind, item.recommended),
            (ItemKind::NobodyAdvances, None),
            "all are equal"
        );
        let events = world.rule(item.item, choice);
        assert_eq!(out(&events).len(), losers, "{choice}");
        assert_eq!(awards(&events).len(), losers, "{choice}");
        assert_eq!(advanced(&events).len(), 7 - losers, "{choice}");
    }
}

/// The cyclic table: each beats the next three, so that all have 3; with one win more in place of a loss the first
/// has 3 1/2 or, in the other direction, less.
fn circle(white: u8, black: u8) -> Score {
    if (7 + black - white) % 7 <= 3 { Score::WhiteWins } else { Score::BlackWins }
}

#[test]
fn rule_3_the_best_is_recommended_only_where_he_is_alone() {
    let mut world = World::with_section();
    // Seat 1 draws once where he lost: 3 1/2, and nobody else has as much.
    let lost = |w: u8, b: u8| w.min(b) == 1 && w.max(b) == 5;
    play(&mut world, "19N01", |w, b| if lost(w, b) { Score::Draw } else { circle(w, b) });
    let item = world.item();
    assert_eq!(item.kind, ItemKind::NobodyAdvances);
    assert_eq!(item.recommended.as_deref(), Some("GK2019-001"));
    assert_eq!(item.choices[0], "GK2019-001", "best first: {:?}", item.choices);
    assert_eq!(item.choices[7], "nobody");
    assert_eq!(item.evidence[1], "GK2019-001 scored 3.5.");
}

#[test]
fn rule_3_a_later_result_settles_the_question_who_advances_from_a_section() {
    let mut world = World::with_section();
    play(&mut world, "19N01", circle);
    let item = world.item();
    // Seat 1 turns out to have won two games that he had lost: 5.
    fix(&mut world, game(5, 1), Score::BlackWins);
    assert_eq!(world.open_kinds(), [], "with 4 he is the next best");
    assert_eq!(state(&world, 1), EntryState::Advanced);
    assert_eq!(
        world.state.docket[&item.item].1.as_ref().expect("it is closed").choice,
        "GK2019-001"
    );
    assert!((2..=7).all(|n| state(&world, n) == EntryState::Eliminated));
    let events = fix(&mut world, game(1, 6), Score::WhiteWins);
    assert!(advanced(&events).is_empty(), "an entry advances once");
}

#[test]
fn rule_3_who_reaches_the_points_by_a_later_ruling_advances_though_he_was_out() {
    let mut world = World::with_section();
    play(&mut world, "19N01", stronger);
    assert_eq!(state(&world, 4), EntryState::Eliminated);
    // Seat 4 had 3; he is given two of the games he lost.
    let events = fix(&mut world, game(1, 4), Score::BlackWins);
    assert!(advanced(&events).is_empty() && out(&events).is_empty());
    assert_eq!(state(&world, 4), EntryState::Assigned, "on 4 he waits like seat 3");
    let events = fix(&mut world, game(4, 2), Score::WhiteWins);
    assert_eq!(advanced(&events), [("GK2019-004".to_owned(), "5".to_owned(), Advance::Points)]);
    assert_eq!(awards(&world.log).iter().filter(|(e, _)| e == "GK2019-004").count(), 1);
}

#[test]
fn rule_3_who_falls_below_by_a_later_ruling_stays_and_the_director_is_told() {
    let mut world = World::with_section();
    play(&mut world, "19N01", stronger);
    // Seat 2 had 5; he loses one to seat 7: 4, while seat 1 has 6.
    let events = fix(&mut world, game(2, 7), Score::BlackWins);
    assert!(out(&events).is_empty());
    assert_eq!(state(&world, 2), EntryState::Advanced);
    let item = world.item();
    assert_eq!((item.kind, item.rule), (ItemKind::AdvancementInDoubt, 3));
    assert_eq!(
        (item.choices, item.recommended),
        (vec!["keep".to_owned(), "take-back".to_owned()], None)
    );
    let mut kept = world.clone();
    kept.rule(item.item, "keep");
    assert_eq!(state(&kept, 2), EntryState::Advanced);
    // With 4 he waits for the question who fills the next round; with less he is out.
    let mut waits = world.clone();
    waits.rule(item.item, "take-back");
    assert_eq!(state(&waits, 2), EntryState::Assigned);
    fix(&mut world, game(6, 2), Score::WhiteWins);
    assert_eq!(world.open_kinds(), [ItemKind::AdvancementInDoubt], "he is asked once");
    let events = world.rule(item.item, "take-back");
    assert_eq!(out(&events), [("GK2019-002".to_owned(), "3".to_owned())]);
}

#[test]
fn rule_3_a_doubt_that_a_later_result_resolves_is_closed() {
    let mut world = World::with_section();
    play(&mut world, "19N01", stronger);
    fix(&mut world, game(2, 7), Score::BlackWins);
    assert_eq!(world.open_kinds(), [ItemKind::AdvancementInDoubt]);
    fix(&mut world, game(2, 7), Score::WhiteWins);
    assert_eq!(world.open_kinds(), []);
    assert_eq!(advanced(&world.log).len(), 2, "nobody is sent on twice");
}

#[test]
fn rule_3_a_director_may_take_anybody_whose_section_is_complete() {
    let mut world = World::with_section();
    let id = |n: u16| EntryId(format!("GK2019-{n:03}"));
    let check = |world: &World, n: u16| check_take(&world.rules, &world.state, &id(n));
    assert!(check(&world, 1).unwrap_err().contains("not complete"));
    assert!(take(&mut world, "GK2019-001").is_empty());
    play(&mut world, "19N01", stronger);
    assert!(check(&world, 1).unwrap_err().contains("already"));
    assert!(check(&world, 99).unwrap_err().contains("no entry"));
    assert!(check(&world, 6).is_ok());
    for (n, has) in [(6, "1"), (3, "4")] {
        let events = take(&mut world, &id(n).0);
        assert_eq!(advanced(&events), [(id(n).0, has.to_owned(), Advance::Ruling)]);
        assert_eq!(state(&world, n), EntryState::Advanced);
    }
    assert!(take(&mut world, "GK2019-006").is_empty(), "once");
    assert_eq!(world.state.waiting(&"GK2019".into(), 1).len(), 4);
}

#[test]
fn rule_4_who_withdrew_has_his_gift_certificate_once_when_the_section_is_complete() {
    let mut world = World::with_section();
    let leaves = Intent::Withdraw { scope: Scope::Section, section: Some("19N01".into()) };
    world.ask_director(7, leaves);
    let item = world.item().item;
    world.rule(item, "withdraw");
    assert_eq!(state(&world, 7), EntryState::Withdrawn);
    assert!(awards(&world.log).is_empty());
    let running: Vec<GameId> = {
        let section = world.section();
        let games = section.games.iter().filter(|g| g.settled().is_none());
        games.map(|g| section.game_id(g)).collect()
    };
    for id in running {
        world.settle(&id, stronger(id.white.0, id.black.0));
    }
    assert_eq!(state(&world, 7), EntryState::Withdrawn);
    let his = |world: &World| awards(&world.log).iter().filter(|(e, _)| e == "GK2019-007").count();
    assert_eq!(his(&world), 1);
    assert!(out(&world.log).iter().all(|(entry, _)| entry != "GK2019-007"));
    fix(&mut world, game(1, 2), Score::Draw);
    assert_eq!(his(&world), 1, "Rule 4: one per entry");
}

#[test]
fn rule_4_whose_seat_was_taken_over_has_his_gift_certificate_too() {
    let mut world = World::with_section();
    world.enter(EntryForm { paid: true, ..form(8, "2019-02-20") });
    let reason = "moved house".to_owned();
    let (section, entry) = ("19N01".into(), "GK2019-008".into());
    world.act(&Command::Substitute { section, seat: Seat(7), entry, reason });
    play(&mut world, "19N01", stronger);
    for n in [7, 8] {
        let id = format!("GK2019-{n:03}");
        assert_eq!(awards(&world.log).iter().filter(|(e, _)| e == &id).count(), 1, "{id}");
    }
}

#[test]
fn rule_2_one_round_alone_is_finished_when_its_section_is_complete() {
    let mut world = World::new("2019-03-01");
    let tournament = world.rules.tournaments.get_mut(&"GK2019".into()).expect("it is shipped");
    tournament.rounds.truncate(1);
    tournament.rounds[0].advance = None;
    tournament.rounds[0].otherwise = None;
    tournament.rounds[0].fill = None;
    tournament.awards.pin = false;
    for n in 1..=7 {
        world.act(&Command::ListPlayers(vec![player(n, Some(2400 - n))]));
        world.enter(EntryForm { paid: true, ..form(n, "2019-02-01") });
    }
    world.tick(Job::Assignments, "2019-03-04");
    let events = play(&mut world, "19N01", stronger);
    assert!(advanced(&events).is_empty() && out(&events).is_empty() && awards(&events).is_empty());
    assert!((1..=7).all(|n| state(&world, n) == EntryState::Finished));
    world.tick(Job::Assignments, "2020-01-06");
    assert_eq!(world.open_kinds(), []);
}

#[test]
fn rule_4_who_withdraws_last_of_all_stays_withdrawn_and_has_his_gift_certificate() {
    let mut world = World::with_section();
    let games: Vec<GameId> =
        world.section().games.iter().map(|g| world.section().game_id(g)).collect();
    let last = |id: &&GameId| id.white.0 + id.black.0 == 12;
    for id in games.iter().filter(|id| !last(id)) {
        world.settle(id, stronger(id.white.0, id.black.0));
    }
    let leaves = Intent::Withdraw { scope: Scope::Section, section: Some("19N01".into()) };
    world.ask_director(7, leaves);
    let item = world.item().item;
    let events = world.rule(item, "withdraw");
    assert_eq!(state(&world, 7), EntryState::Withdrawn, "{events:?}");
    assert!(out(&events).iter().all(|(entry, _)| entry != "GK2019-007"));
    assert_eq!(awards(&events).iter().filter(|(entry, _)| entry == "GK2019-007").count(), 1);
}
