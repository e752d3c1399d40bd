//! Rule 3: filling the last section of a round. Three sections of seven in which the lower seat wins leave six who
//! advance and three on 4 for one free seat.

use super::{
    rounds::{advanced, awards, out, play, state, stronger},
    *,
};
use knightmail::domain::{acts::Carried, command::AdoptedSection, event::Advance};

const CLOSED: &str = "2020-01-06";

/// Books with so many players, one paid entry each, dealt over sections; player n has entry n.
fn seated(count: u16) -> World {
    let mut world = World::new("2019-03-01");
    for n in 1..=count {
        world.act(&Command::ListPlayers(vec![player(n, Some(2400 - 10 * n))]));
        world.enter(EntryForm { paid: true, ..form(n, "2019-02-01") });
    }
    world.tick(Job::Assignments, "2019-03-04");
    assert_eq!(world.state.sections.len(), usize::from(count / 7));
    world
}

/// The same with all sections played, the lower seat winning.
fn played_out(count: u16) -> World {
    let mut world = seated(count);
    for n in 1..=count / 7 {
        play(&mut world, &format!("19N{n:02}"), stronger);
    }
    world
}

/// The numbers of those who wait on 4, in the order of the sections.
fn on_four(world: &World) -> Vec<u16> {
    let seats = world.state.sections.values().filter(|s| s.round == 0).map(|s| &s.seats[2].entry);
    seats.map(|id| number(&world.state.entries[id].member)).collect()
}

fn rate(world: &mut World, n: u16, rating: Option<u16>) {
    let rating_date = Some(day("2021-05-01"));
    world.act(&Command::ListPlayers(vec![Player { rating_date, ..player(n, rating) }]));
}

fn id(n: u16) -> String {
    format!("GK2019-{n:03}")
}

fn semifinal(world: &World) -> Vec<String> {
    let section = &world.state.sections[&SectionCode::from("19Ns01")];
    assert_eq!(section.round, 1);
    section.seats.iter().map(|s| s.entry.to_string()).collect()
}

#[test]
fn rule_3_the_question_waits_until_every_section_of_the_round_is_decided() {
    let mut world = seated(21);
    play(&mut world, "19N01", stronger);
    play(&mut world, "19N02", stronger);
    let games: Vec<GameId> = {
        let section = &world.state.sections[&SectionCode::from("19N03")];
        section.games.iter().map(|g| section.game_id(g)).collect()
    };
    for id in &games[1..] {
        world.settle(id, stronger(id.white.0, id.black.0));
    }
    world.tick(Job::Assignments, CLOSED);
    assert_eq!(world.open_kinds(), [], "a game still runs");
    world.settle(&games[0], Score::WhiteWins);
    world.tick(Job::Assignments, "2020-01-13");
    assert_eq!(world.open_kinds(), [ItemKind::FillIn]);
}

#[test]
fn rule_3_the_question_waits_until_entries_are_closed_and_nobody_waits_for_a_section() {
    let mut world = played_out(21);
    world.tick(Job::Assignments, "2019-12-30");
    assert_eq!(world.open_kinds(), [], "more sections may form");
    world.act(&Command::ListPlayers(vec![player(50, None)]));
    world.enter(EntryForm { paid: true, ..form(50, "2019-12-31") });
    world.tick(Job::Assignments, CLOSED);
    assert_eq!(world.open_kinds(), [ItemKind::SectionShort], "one is left over");
    let item = world.item().item;
    world.rule(item, "carry-forward");
    world.tick(Job::Assignments, "2020-01-13");
    assert_eq!(world.open_kinds(), [ItemKind::FillIn]);
}

#[test]
fn rule_3_the_question_waits_where_nobody_advanced_and_the_director_has_not_ruled() {
    let mut world = seated(21);
    play(&mut world, "19N01", stronger);
    play(&mut world, "19N02", stronger);
    play(&mut world, "19N03", |_, _| Score::Draw);
    world.tick(Job::Assignments, CLOSED);
    let item = world.item();
    assert_eq!(item.kind, ItemKind::NobodyAdvances);
    world.rule(item.item, "nobody");
    world.tick(Job::Assignments, "2020-01-13");
    assert_eq!(world.item().kind, ItemKind::FillIn);
}

#[test]
fn rule_3_the_proposal_lists_the_candidates_with_ratings_and_their_dates() {
    let mut world = played_out(21);
    let four = on_four(&world);
    for (n, rating) in four.iter().zip([Some(1500), Some(1900), None]) {
        rate(&mut world, *n, rating);
    }
    world.tick(Job::Assignments, CLOSED);
    let item = world.item();
    assert_eq!((item.rule, item.about.round), (3, Some(0)));
    assert_eq!(item.choices, ["fill", "play-short"]);
    assert_eq!(item.recommended.as_deref(), Some("fill"));
    let line = |n: u16| {
        let lines: Vec<&String> = item.evidence.iter().filter(|l| l.starts_with(&id(n))).collect();
        assert_eq!(lines.len(), 1, "{:?}", item.evidence);
        lines[0].clone()
    };
    assert!(
        line(four[1]).contains("4 points in 19N02, rating 1900 of 2021-05-01; it would fill up")
    );
    assert!(line(four[0]).ends_with("rating 1500 of 2021-05-01."));
    assert!(line(four[2]).ends_with("unrated."));
    assert!(
        item.evidence[0].starts_with("The last section of the semifinal round has seats for 7; 6")
    );
    let place = |n: u16| item.evidence.iter().position(|l| l.starts_with(&id(n)));
    assert!(place(four[1]) < place(four[0]) && place(four[0]) < place(four[2]), "unrated last");
    assert_eq!(item.entries.len(), 7);
    world.tick(Job::Assignments, "2020-01-13");
    assert_eq!(world.item(), item, "the same is not asked twice");
}

#[test]
fn rule_3_the_highest_rating_at_that_time_fills_up_and_the_others_are_out() {
    let mut world = played_out(21);
    let four = on_four(&world);
    for (n, rating) in four.iter().zip([1500, 1900, 1700]) {
        rate(&mut world, *n, Some(rating));
    }
    world.tick(Job::Assignments, CLOSED);
    assert!(four.iter().all(|n| state(&world, *n) == EntryState::Assigned), "their letters wait");
    let item = world.item().item;
    let events = world.rule(item, "fill");
    assert_eq!(advanced(&events), [(id(four[1]), "4".to_owned(), Advance::Fill)]);
    let mut losers: Vec<String> = out(&events).into_iter().map(|(entry, _)| entry).collect();
    losers.sort();
    let mut expected = vec![id(four[0]), id(four[2])];
    expected.sort();
    assert_eq!(losers, expected);
    assert_eq!(awards(&events).len(), 2, "Rule 4: with their gift certificates");
    let seats = semifinal(&world);
    assert_eq!(seats.len(), 7);
    assert!(seats.contains(&id(four[1])));
    assert_eq!(world.state.sections[&SectionCode::from("19Ns01")].start, day(CLOSED));
    world.tick(Job::Assignments, "2020-01-13");
    assert_eq!(world.open_kinds(), []);
}

#[test]
fn rule_3_a_tie_in_rating_at_the_cut_is_left_to_the_director() {
    let mut world = played_out(21);
    let four = on_four(&world);
    for (n, rating) in four.iter().zip([1900, 1500, 1900]) {
        rate(&mut world, *n, Some(rating));
    }
    world.tick(Job::Assignments, CLOSED);
    let item = world.item();
    let mut choices = vec![id(four[0]), id(four[2])];
    choices.sort();
    let mut offered = item.choices[..2].to_vec();
    offered.sort();
    assert_eq!(offered, choices);
    assert_eq!(
        (&item.choices[2..], item.recommended.as_deref()),
        (&["play-short".to_owned()][..], None)
    );
    assert_eq!(item.evidence.iter().filter(|l| l.contains("tied")).count(), 2);
    world.rule(item.item, &id(four[2]));
    assert!(semifinal(&world).contains(&id(four[2])));
    assert_eq!(state(&world, four[0]), EntryState::Eliminated);
}

#[test]
fn rule_3_equals_who_all_have_room_are_no_tie_and_tied_ways_are_offered_together() {
    // Five sections: ten advance, seven of them sit at once; three wait, and five on 4 are there for four seats.
    let mut world = played_out(35);
    let four = on_four(&world);
    for n in &four {
        rate(&mut world, *n, None);
    }
    world.tick(Job::Assignments, CLOSED);
    assert_eq!(semifinal(&world).len(), 7);
    let item = world.item();
    assert_eq!(item.choices.len(), 6, "four of five unrated, or short: {:?}", item.choices);
    assert_eq!(item.choices[0].matches('+').count(), 3);
    rate(&mut world, four[0], Some(1000));
    rate(&mut world, four[1], Some(1000));
    world.tick(Job::Assignments, "2020-01-13");
    let item = world.item();
    assert_eq!(item.choices.len(), 4, "two of three unrated: {:?}", item.choices);
    let first = item.choices[0].clone();
    let events = world.rule(item.item, &first);
    let mut taken: Vec<String> = advanced(&events).into_iter().map(|(entry, ..)| entry).collect();
    taken.retain(|entry| entry != &id(four[0]) && entry != &id(four[1]));
    taken.sort();
    let mut chosen: Vec<&str> = first.split('+').collect();
    chosen.sort_unstable();
    assert_eq!(taken, chosen);
    assert_eq!(world.state.sections[&SectionCode::from("19Ns02")].seats.len(), 7);
}

#[test]
fn rule_3_too_many_tied_ways_are_left_to_taking_them_one_by_one() {
    // Seven sections: fourteen advance and fill two semifinals but for one of them, who plays on in the next.
    let mut world = played_out(49);
    let four = on_four(&world);
    for n in &four {
        rate(&mut world, *n, None);
    }
    let waits: Vec<EntryId> =
        world.state.waiting(&"GK2019".into(), 1).iter().map(|e| e.id.clone()).collect();
    assert_eq!(waits.len(), 14);
    let leaves = entry(&world, &waits[0].0).member.clone();
    let other = entry(&world, &waits[1].0).member.clone();
    world.act(&Command::KeepApart { one: leaves.clone(), other: other.clone(), lifted: false });
    let third = entry(&world, &waits[2].0).member.clone();
    world.act(&Command::KeepApart { one: leaves, other: third.clone(), lifted: false });
    world.act(&Command::KeepApart { one: other, other: third, lifted: false });
    world.tick(Job::Assignments, CLOSED);
    // Three who must not meet do not fit into two sections, so one full section forms and six or seven wait.
    let item = world.item();
    assert_eq!(item.kind, ItemKind::FillIn);
    assert!(item.evidence.iter().any(|l| l.contains("wait who cannot sit with them")), "{item:?}");
}

#[test]
fn rule_3_unrated_candidates_come_last() {
    let mut world = played_out(21);
    let four = on_four(&world);
    for (n, rating) in four.iter().zip([None, None, Some(800)]) {
        rate(&mut world, *n, rating);
    }
    world.tick(Job::Assignments, CLOSED);
    let item = world.item().item;
    assert_eq!(advanced(&world.rule(item, "fill"))[0].0, id(four[2]));
}

#[test]
fn rule_3_a_candidate_whose_person_sits_there_already_is_shown_and_skipped() {
    // Player 1 has a second entry, which comes to play in another section.
    let mut world = World::new("2019-03-01");
    for n in 1..=20 {
        world.act(&Command::ListPlayers(vec![player(n, Some(2400 - 10 * n))]));
        let count = if n == 1 { 2 } else { 1 };
        world.enter(EntryForm { paid: true, count, ..form(n, "2019-02-01") });
    }
    world.tick(Job::Assignments, "2019-03-04");
    let of_one: Vec<(SectionCode, Seat)> =
        world.state.seats_of(&member(1)).map(|(s, seat)| (s.code.clone(), seat)).collect();
    assert_eq!(of_one.len(), 2);
    assert!(of_one.iter().all(|(_, seat)| *seat == Seat(1)), "he is the strongest");
    for n in 1..=3 {
        let code = format!("19N{n:02}");
        // In the second of his sections he has 4, and seats 2 and 3 have 6 and 5.
        let turned =
            |seat: u8| if code == of_one[1].0.0 && seat <= 3 { seat % 3 + 1 } else { seat };
        let turned = |w: u8, b: u8| stronger(turned(turned(w)), turned(turned(b)));
        play(&mut world, &code, turned);
    }
    world.tick(Job::Assignments, CLOSED);
    let item = world.item();
    let line: Vec<&String> =
        item.evidence.iter().filter(|l| l.contains("sits there already")).collect();
    assert_eq!(line.len(), 1, "{:?}", item.evidence);
    let waits = |id: &&EntryId| world.state.entries[*id].state == EntryState::Assigned;
    let second = world.state.entries_of[&member(1)].iter().find(waits);
    let second = second.expect("one of his waits on 4").clone();
    assert!(line[0].starts_with(&second.0));
    world.rule(item.item, "fill");
    assert!(!semifinal(&world).contains(&second.0));
    assert_eq!(world.state.entries[&second].state, EntryState::Eliminated);
}

#[test]
fn rule_2_a_candidate_who_is_kept_apart_from_one_of_them_is_skipped() {
    let mut world = played_out(21);
    let four = on_four(&world);
    for (n, rating) in four.iter().zip([1500, 1900, 1700]) {
        rate(&mut world, *n, Some(rating));
    }
    let sits = world.state.waiting(&"GK2019".into(), 1)[0].member.clone();
    world.act(&Command::KeepApart { one: member(four[1]), other: sits, lifted: false });
    world.tick(Job::Assignments, CLOSED);
    let item = world.item();
    assert!(item.evidence.iter().any(|l| l.starts_with(&id(four[1])) && l.contains("not to meet")));
    assert_eq!(advanced(&world.rule(item.item, "fill"))[0].0, id(four[2]));
}

#[test]
fn rule_3_the_director_may_let_the_section_play_short() {
    let mut world = played_out(21);
    world.tick(Job::Assignments, CLOSED);
    let item = world.item().item;
    let events = world.rule(item, "play-short");
    assert!(advanced(&events).is_empty());
    assert_eq!(out(&events).len(), 3);
    assert_eq!(semifinal(&world).len(), 6);
}

#[test]
fn rule_3_all_who_can_fill_up_are_taken_though_the_section_stays_short() {
    let mut world = played_out(14);
    world.tick(Job::Assignments, CLOSED);
    let item = world.item();
    assert_eq!(item.recommended.as_deref(), Some("fill"));
    world.rule(item.item, "fill");
    assert_eq!(semifinal(&world).len(), 6, "four and the two on 4");
    assert_eq!(world.state.sections[&SectionCode::from("19Ns01")].games.len(), 15);
}

#[test]
fn rule_3_one_alone_without_candidates_has_nobody_to_play() {
    let mut world = seated(7);
    let best = |w: u8, b: u8| if w.min(b) == 1 { stronger(w, b) } else { Score::Draw };
    play(&mut world, "19N01", best);
    world.tick(Job::Assignments, CLOSED);
    let item = world.item();
    assert_eq!((item.choices, item.recommended.as_deref()), (vec!["end".to_owned()], Some("end")));
    world.rule(item.item, "end");
    assert_eq!(state(&world, 1), EntryState::Finished);
    world.tick(Job::Assignments, "2020-01-13");
    assert_eq!(world.open_kinds(), []);
}

#[test]
fn rule_3_where_something_has_changed_nothing_is_done_and_the_director_is_asked_anew() {
    let mut world = played_out(21);
    let four = on_four(&world);
    for (n, rating) in four.iter().zip([1500, 1900, 1700]) {
        rate(&mut world, *n, Some(rating));
    }
    world.tick(Job::Assignments, CLOSED);
    let item = world.item().item;
    rate(&mut world, four[0], Some(2000));
    let events = world.rule(item, "fill");
    assert!(advanced(&events).is_empty() && out(&events).is_empty());
    let again = world.item();
    assert!(again.item != item && again.evidence[0].starts_with("Something has changed"));
    assert_eq!(advanced(&world.rule(again.item, "fill"))[0].0, id(four[0]));
}

#[test]
fn rule_3_the_open_question_follows_what_changes() {
    let mut world = played_out(21);
    world.tick(Job::Assignments, CLOSED);
    let item = world.item();
    let four = on_four(&world);
    rate(&mut world, four[0], Some(1111));
    world.tick(Job::Assignments, "2020-01-13");
    let amended = world.item();
    assert_eq!((amended.item, amended.since), (item.item, item.since));
    assert!(amended.evidence.iter().any(|l| l.contains("rating 1111")));
    // The director takes somebody who has 3: seven wait, sit, and the question is settled for all others.
    let third = world.state.sections[&SectionCode::from("19N02")].seats[3].entry.clone();
    world.act(&Command::TakeEntry { entry: third.clone(), reason: "so be it".to_owned() });
    world.tick(Job::Assignments, "2020-01-20");
    assert!(semifinal(&world).contains(&third.0));
    assert_eq!(world.open_kinds(), []);
    assert!(four.iter().all(|n| state(&world, *n) == EntryState::Eliminated));
}

#[test]
fn rule_3_where_nobody_is_left_waiting_there_is_no_question_and_four_is_out() {
    let mut world = seated(21);
    play(&mut world, "19N01", stronger);
    play(&mut world, "19N02", stronger);
    let three = |w: u8, b: u8| if w <= 3 && b <= 3 { Score::Draw } else { stronger(w, b) };
    play(&mut world, "19N03", three);
    assert_eq!(advanced(&world.log).len(), 7);
    world.tick(Job::Assignments, "2019-03-11");
    assert_eq!(semifinal(&world).len(), 7, "a full section does not wait for the others");
    let four: Vec<u16> = on_four(&world)[..2].to_vec();
    assert!(
        four.iter().all(|n| state(&world, *n) == EntryState::Assigned),
        "entries are open still"
    );
    let events = world.tick(Job::Assignments, CLOSED);
    assert_eq!(world.open_kinds(), []);
    assert_eq!(out(&events).len(), 2);
    assert_eq!(awards(&events).len(), 2);
}

#[test]
fn rule_3_who_cannot_sit_with_the_others_is_asked_about_afterwards() {
    // Two players hold the first and the second seat of each of three sections.
    let mut world = World::new("2019-03-01");
    for n in 1..=17 {
        world.act(&Command::ListPlayers(vec![player(n, Some(2400 - 10 * n))]));
        let count = if n <= 2 { 3 } else { 1 };
        world.enter(EntryForm { paid: true, count, ..form(n, "2019-02-01") });
    }
    world.tick(Job::Assignments, "2019-03-04");
    for n in 1..=3 {
        play(&mut world, &format!("19N{n:02}"), stronger);
    }
    let mut on = day(CLOSED);
    for section in ["19Ns01", "19Ns02", "19Ns03"] {
        world.tick(Job::Assignments, &on.to_string());
        let item = world.item();
        assert_eq!(item.kind, ItemKind::FillIn);
        let more = item.evidence.iter().any(|l| l.contains("afterwards"));
        assert_eq!(more, section != "19Ns03", "{section}");
        world.rule(item.item, "play-short");
        assert_eq!(world.state.sections[&SectionCode::from(section)].seats.len(), 2, "{section}");
        let four = on_four(&world);
        let waits = four.iter().all(|n| world.states(&member(*n)).contains(&EntryState::Assigned));
        assert_eq!(waits, more, "{section}: the question is open as long as somebody waits");
        on = later(on, 7);
    }
}

#[test]
fn rule_3_carried_scores_count_as_complete_rounds() {
    let mut world = World::new("2020-03-01");
    let mut events = Vec::new();
    for (n, has) in [(1, "6"), (2, "5"), (3, "4"), (4, "3.5")] {
        world.act(&Command::ListPlayers(vec![player(n, Some(2400 - 10 * n))]));
        world.enter(EntryForm { paid: true, ..form(n, "2019-02-01") });
        let (entry, round, points) = (EntryId(id(n)), 0, rounds::points(has));
        let carried = Carried { entry, round, points, forfeit_losses: 0 };
        events.extend(world.act(&Command::CarryScore(carried)));
    }
    let sent: Vec<String> = advanced(&events).into_iter().map(|(entry, ..)| entry).collect();
    assert_eq!(sent, [id(1), id(2)]);
    assert_eq!(out(&events), [(id(4), "3.5".to_owned())]);
    world.tick(Job::Assignments, "2020-03-09");
    let item = world.item();
    assert_eq!((item.kind, item.recommended.as_deref()), (ItemKind::FillIn, Some("fill")));
    let events = world.rule(item.item, "fill");
    assert_eq!(advanced(&events), [(id(3), "4".to_owned(), Advance::Fill)]);
    assert!(out(&events).is_empty());
    assert_eq!(semifinal(&world), [id(1), id(2), id(3)]);
}

#[test]
fn rule_3_an_adopted_event_whose_next_round_exists_gets_no_proposal() {
    let mut world = World::new("2021-03-01");
    let players = (1..=7).map(|n| player(n, Some(2400 - 10 * n))).collect();
    world.act(&Command::ListPlayers(players));
    let adopt = |section: &str, round: usize, numbers: &[u16]| {
        let seats = numbers.iter().map(|n| (Some(EntryId(id(*n))), member(*n))).collect();
        let (section, event, start) = (section.into(), "GK2019".into(), day("2019-05-01"));
        Command::AdoptSection(AdoptedSection { section, event, round, start, seats })
    };
    world.act(&adopt("19N01", 0, &[1, 2, 3, 4, 5, 6, 7]));
    world.act(&adopt("19Ns01", 1, &[1, 2, 4]));
    let games: Vec<GameId> =
        world.section().games.iter().map(|g| world.section().game_id(g)).collect();
    for id in games {
        let outcome = played(stronger(id.white.0, id.black.0));
        world.act(&Command::AdoptResult { game: id, outcome, on: day("2020-10-01") });
    }
    assert_eq!(world.open_kinds(), []);
    assert!(advanced(&world.log).is_empty(), "they sit there already");
    assert_eq!(state(&world, 4), EntryState::Assigned, "a 3 plays on where the director put it");
    let events = world.tick(Job::Assignments, "2021-03-01");
    assert_eq!(world.open_kinds(), []);
    assert_eq!(out(&events), [(id(3), "4".to_owned())]);
}

#[test]
fn rule_10_a_candidate_who_has_died_does_not_fill_up() {
    let mut world = played_out(21);
    let four = on_four(&world);
    for (n, rating) in four.iter().zip([1500, 1900, 1700]) {
        rate(&mut world, *n, Some(rating));
    }
    world.act(&Command::NoteDeath { member: member(four[1]) });
    world.tick(Job::Assignments, CLOSED);
    let item = world.state.open_of_kind(ItemKind::FillIn).next().expect("it is asked").item;
    assert_eq!(advanced(&world.rule(item, "fill"))[0].0, id(four[2]));
    assert_eq!(state(&world, four[1]), EntryState::Eliminated);
}
