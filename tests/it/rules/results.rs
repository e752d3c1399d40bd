//! Rules 3 and 10: what players say of their games, when it stands, when a section is complete, and who advances.

use super::*;
use knightmail::domain::{
    event::{Advance, Grounds},
    points::Points,
    refusal::Refusal,
};

const RESULTS: [Score; 4] = [Score::WhiteWins, Score::BlackWins, Score::Draw, Score::BothLose];

/// A game as it may stand, in the words of the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    Running,
    Reported(Side, Score),
    Disputed { white: Score, black: Score },
    Settled(Score),
}

/// The result that loses for a side and wins for the other: against the reporter's own interest.
fn concedes(by: Side, result: Score) -> bool {
    matches!((by, result), (Side::White, Score::BlackWins) | (Side::Black, Score::WhiteWins))
}

/// What Rule 10 makes of a player's word: how the game stands after it, and whether the director gets a new item.
fn by_the_rule(stand: Stand, by: Side, result: Score) -> (Stand, bool) {
    let alone = || {
        if concedes(by, result) { Stand::Settled(result) } else { Stand::Reported(by, result) }
    };
    match stand {
        Stand::Running => (alone(), false),
        Stand::Reported(first, said) if first == by && said == result => (stand, false),
        // A player corrects himself while nobody has answered him.
        Stand::Reported(first, _) if first == by => (alone(), false),
        Stand::Reported(_, said) if said == result => (Stand::Settled(result), false),
        Stand::Reported(_, said) => match by {
            Side::White => (Stand::Disputed { white: result, black: said }, true),
            Side::Black => (Stand::Disputed { white: said, black: result }, true),
        },
        Stand::Disputed { white, black } => {
            let (white, black) = if by == Side::White { (result, black) } else { (white, result) };
            let agreed = white == black;
            (if agreed { Stand::Settled(result) } else { Stand::Disputed { white, black } }, false)
        }
        Stand::Settled(said) if said == result => (stand, false),
        Stand::Settled(_) => (stand, true),
    }
}

fn stand(world: &World, id: &GameId) -> Stand {
    use knightmail::domain::section::GameState;
    match &world.game(id).state {
        GameState::Running => Stand::Running,
        GameState::Reported(report) => Stand::Reported(report.by, report.outcome.result),
        GameState::Disputed(reports) => {
            let (first, second) = (&reports.0, &reports.1);
            assert_ne!(first.by, second.by, "a dispute has two sides");
            let (white, black) =
                if first.by == Side::White { (first, second) } else { (second, first) };
            Stand::Disputed { white: white.outcome.result, black: black.outcome.result }
        }
        GameState::Confirmed(outcome) | GameState::Ruled(outcome) => Stand::Settled(outcome.result),
    }
}

/// Every way in which a game between players 1 (White) and 2 can stand, with the books that have it so.
fn all_stands() -> Vec<(Stand, World)> {
    let id = game(1, 2);
    let start = World::with_section();
    let mut seen: Vec<(Stand, World)> = vec![(Stand::Running, start)];
    let mut next = 0;
    while let Some((_, world)) = seen.get(next).cloned() {
        next += 1;
        for (by, result) in (1..=2).flat_map(|by| RESULTS.map(|result| (by, result))) {
            let mut after = world.clone();
            after.report(by, &id, played(result));
            let stand = stand(&after, &id);
            if !seen.iter().any(|(known, _)| *known == stand) {
                seen.push((stand, after));
            }
        }
        if let Some(item) = world.state.open_docket().next().map(|i| i.item) {
            let mut after = world.clone();
            after.rule(item, "0-0");
            let stand = stand(&after, &id);
            if !seen.iter().any(|(known, _)| *known == stand) {
                seen.push((stand, after));
            }
        }
    }
    seen
}

#[test]
fn rule_10_every_word_of_a_player_in_every_stand_of_a_game() {
    let id = game(1, 2);
    let stands = all_stands();
    assert_eq!(stands.len(), 1 + 6 + 12 + 4, "running, reported, disputed, settled");
    for (before, world) in stands {
        for (by, side) in [(1, Side::White), (2, Side::Black)] {
            for result in RESULTS {
                let mut world = world.clone();
                let items = world.state.docket.len();
                let events = world.report(by, &id, played(result));
                let (after, asked) = by_the_rule(before, side, result);
                let words = format!("{before:?}, then {side:?} says {result}: {events:?}");
                assert_eq!(stand(&world, &id), after, "{words}");
                assert_eq!(world.state.docket.len() > items, asked, "{words}");
                let disputes =
                    world.open_kinds().iter().filter(|k| **k == ItemKind::ResultDisputed).count();
                let disputed = matches!(after, Stand::Disputed { .. });
                assert_eq!(disputes, usize::from(disputed), "{words}");
            }
        }
    }
}

#[test]
fn rule_10_who_does_not_play_the_game_changes_nothing() {
    let id = game(1, 2);
    for (before, world) in all_stands() {
        for who in [from(3), from(9), stranger()] {
            let mut world = world.clone();
            let (game, outcome) = (id.clone(), played(Score::WhiteWins));
            let claim = ResultClaim { from: who, game, outcome, mail: None };
            let events = world.act(&Command::ReportResult(claim));
            let refused =
                matches!(&events[..], [Event::ResultRefused { refusal: Refusal::NotYourGame, .. }]);
            assert!(refused, "{events:?}");
            assert_eq!(stand(&world, &id), before);
        }
    }
}

#[test]
fn rule_10_a_game_that_is_not_in_the_table_is_refused() {
    let mut world = World::with_section();
    for id in [game(2, 1), game(1, 8), GameId { section: "19N99".into(), ..game(1, 2) }] {
        let events = world.report(1, &id, played(Score::Draw));
        assert!(
            matches!(&events[..], [Event::ResultRefused { refusal: Refusal::GameUnknown, .. }]),
            "{events:?}"
        );
    }
}

#[test]
fn rule_10_the_opponent_may_object_for_fourteen_days() {
    let id = game(1, 2);
    for (passed, state) in [(1, "reported"), (14, "reported"), (15, "confirmed"), (40, "confirmed")]
    {
        let mut world = World::with_section();
        world.report(1, &id, played(Score::WhiteWins));
        let on = later(world.today, passed);
        let events = world.tick(Job::Reminders, &on.to_string());
        assert_eq!(world.game_state(&id), state, "day {passed}");
        let no_objection = events
            .iter()
            .any(|e| matches!(e, Event::ResultConfirmed { grounds: Grounds::NoObjection, .. }));
        assert_eq!(no_objection, state == "confirmed");
    }
}

#[test]
fn rule_10_an_objection_on_the_last_day_counts() {
    let id = game(1, 2);
    let mut world = World::with_section();
    world.report(1, &id, played(Score::WhiteWins));
    world.today = later(world.today, 14);
    world.report(2, &id, played(Score::Draw));
    let on = later(world.today, 1).to_string();
    world.tick(Job::Reminders, &on);
    assert_eq!(world.game_state(&id), "disputed");
    assert_eq!(world.item().choices, ["1-0", "0-1", "1/2-1/2", "0-0"]);
}

#[test]
fn rule_10_nobody_is_held_silent_whose_mail_waits_for_the_director() {
    use knightmail::domain::{command::HeldMail, event::Trouble};
    let id = game(1, 2);
    for (writer, state) in [(2, "reported"), (1, "confirmed"), (3, "confirmed")] {
        let mut world = World::with_section();
        world.report(1, &id, played(Score::WhiteWins));
        let (from, why, mail) = (from(writer), Trouble::NothingFound, "sha256:00".to_owned());
        let (read, words, answer, docket) = (Vec::new(), Vec::new(), true, true);
        world.act(&Command::Hold(HeldMail { from, why, read, words, mail, answer, docket }));
        let on = later(world.today, 15).to_string();
        world.tick(Job::Reminders, &on);
        assert_eq!(world.game_state(&id), state, "mail of player {writer}");
        let item = world.item().item;
        world.rule(item, "answered");
        let on = later(world.today, 1).to_string();
        world.tick(Job::Reminders, &on);
        assert_eq!(world.game_state(&id), "confirmed");
    }
}

#[test]
fn rule_10_a_correction_gives_the_opponent_the_full_time_again() {
    let id = game(1, 2);
    let mut world = World::with_section();
    world.report(1, &id, played(Score::WhiteWins));
    world.today = later(world.today, 10);
    world.report(1, &id, played(Score::Draw));
    for (passed, state) in [(5, "reported"), (14, "reported"), (15, "confirmed")] {
        let on = later(day("2019-03-14"), passed);
        world.tick(Job::Reminders, &on.to_string());
        assert_eq!(world.game_state(&id), state, "day {passed} after the correction");
    }
}

#[test]
fn rule_10_how_a_game_ended_is_kept_from_whoever_says_it() {
    let resigned = Outcome { result: Score::WhiteWins, how: How::Resignation };
    for (first, second) in
        [(resigned, played(Score::WhiteWins)), (played(Score::WhiteWins), resigned)]
    {
        let mut world = World::with_section();
        world.report(1, &game(1, 2), first);
        world.report(2, &game(1, 2), second);
        assert_eq!(world.game(&game(1, 2)).settled(), Some(resigned));
    }
}

#[test]
fn rule_10_who_contests_again_and_again_makes_one_item() {
    let mut world = World::with_section();
    world.settle(&game(1, 2), Score::Draw);
    for result in [Score::WhiteWins, Score::WhiteWins, Score::BothLose] {
        world.report(1, &game(1, 2), played(result));
        assert_eq!(
            world.game_state(&game(1, 2)),
            "confirmed",
            "it stands until the director rules"
        );
    }
    let item = world.item();
    assert_eq!(item.kind, ItemKind::ResultContested);
    assert!(item.evidence.iter().any(|line| line.contains("0-0")), "all that was said: {item:?}");
}

/// Plays the section's games: seat by seat the points that are wanted from the games against later seats.
fn play_all(world: &mut World, result: impl Fn(u8, u8) -> Score) -> Vec<Event> {
    let ids: Vec<GameId> =
        world.section().games.iter().map(|g| world.section().game_id(g)).collect();
    let mut events = Vec::new();
    for id in ids {
        events.extend(world.settle(&id, result(id.white.0, id.black.0)));
    }
    events
}

/// The lower seat wins, unless both are among the first ones: those draw with each other.
fn first_draw(first: u8) -> impl Fn(u8, u8) -> Score {
    move |white, black| match (white, black) {
        (w, b) if w <= first && b <= first => Score::Draw,
        (w, b) if w < b => Score::WhiteWins,
        _ => Score::BlackWins,
    }
}

fn advanced(events: &[Event]) -> Vec<(String, Points, Advance)> {
    let found = events.iter().filter_map(|event| match event {
        Event::EntryAdvanced { entry, points, why, .. } => Some((entry.to_string(), *points, *why)),
        _ => None,
    });
    found.collect()
}

fn points(text: &str) -> Points {
    text.parse().expect("points")
}

#[test]
fn rule_3_enough_points_advance_as_soon_as_they_are_certain_and_once() {
    let mut world = World::with_section();
    let mut seen = Vec::new();
    for (n, id) in [game(1, 2), game(3, 1), game(1, 4), game(5, 1), game(1, 6)].iter().enumerate() {
        let win = if id.white == Seat(1) { Score::WhiteWins } else { Score::BlackWins };
        let events = world.settle(id, win);
        seen.extend(advanced(&events));
        assert_eq!(seen.len(), usize::from(n >= 4), "after {} wins", n + 1);
    }
    assert_eq!(seen, [("GK2019-001".to_owned(), points("5"), Advance::Points)]);
    let events = world.settle(&game(7, 1), Score::BlackWins);
    assert!(advanced(&events).is_empty(), "once only");
}

#[test]
fn rule_3_a_report_that_may_still_be_contradicted_advances_nobody() {
    let mut world = World::with_section();
    for (id, win) in [
        (game(1, 2), Score::WhiteWins),
        (game(3, 1), Score::BlackWins),
        (game(1, 4), Score::WhiteWins),
        (game(5, 1), Score::BlackWins),
        (game(1, 6), Score::WhiteWins),
    ] {
        let events = world.report(1, &id, played(win));
        assert!(advanced(&events).is_empty());
    }
    let on = later(world.today, 15).to_string();
    let events = world.tick(Job::Reminders, &on);
    assert_eq!(advanced(&events).len(), 1, "once, although five games come to stand in one day");
}

#[test]
fn rule_3_where_nobody_has_enough_four_points_advance() {
    // Four share the lead with 4.5 of 6: each draws three and wins three.
    let mut world = World::with_section();
    let events = play_all(&mut world, first_draw(4));
    assert_eq!(advanced(&events).len(), 4);
    // Five share it with 4: each draws four and wins two.
    let mut world = World::with_section();
    let events = play_all(&mut world, first_draw(5));
    let lines = advanced(&events);
    assert_eq!(lines.len(), 5);
    assert!(lines.iter().all(|(_, p, why)| *p == points("4") && *why == Advance::NextBest));
    let complete = events.iter().filter(|e| matches!(e, Event::SectionCompleted { .. })).count();
    assert_eq!(complete, 1);
}

#[test]
fn rule_3_four_points_do_not_advance_beside_somebody_with_more() {
    let mut world = World::with_section();
    let scores = |white: u8, black: u8| match (white, black) {
        (w, b) if w < b => Score::WhiteWins,
        _ => Score::BlackWins,
    };
    // 6, 5, 4, 3, 2, 1, 0.
    let lines = advanced(&play_all(&mut world, scores));
    let who: Vec<&str> = lines.iter().map(|(entry, ..)| entry.as_str()).collect();
    assert_eq!(who, ["GK2019-001", "GK2019-002"]);
}

#[test]
fn rule_3_nobody_is_put_to_the_director_who_may_take_anybody() {
    for (choice, expected) in [("nobody", None), ("GK2019-003", Some("GK2019-003"))] {
        let mut world = World::with_section();
        let events = play_all(&mut world, |_, _| Score::Draw);
        assert!(advanced(&events).is_empty());
        let item = world.item();
        assert_eq!((item.kind, item.rule), (ItemKind::NobodyAdvances, 3));
        assert_eq!(item.choices.len(), 8, "the seven and nobody");
        let lines = advanced(&world.rule(item.item, choice));
        assert_eq!(lines.first().map(|l| l.0.as_str()), expected);
        assert!(lines.iter().all(|l| l.2 == Advance::Ruling && l.1 == points("3")));
    }
}

#[test]
fn rule_3_nobody_is_said_of_each_section_by_itself() {
    let mut world = World::with_section();
    for n in 11..=17 {
        world.act(&Command::ListPlayers(vec![player(n, Some(2500 - 10 * n))]));
        world.enter(EntryForm { paid: true, ..form(n, "2019-03-05") });
    }
    world.tick(Job::Assignments, "2019-03-11");
    play_all(&mut world, first_draw(1));
    let ids: Vec<GameId> =
        world.section().games.iter().map(|g| world.section().game_id(g)).collect();
    let mut lines = Vec::new();
    for id in ids {
        let result = first_draw(5)(id.white.0, id.black.0);
        let id = GameId { section: "19N02".into(), ..id };
        lines.extend(advanced(&world.settle(&id, result)));
    }
    assert_eq!(lines.len(), 5, "with 4 each, though 19N01 had a 6");
}

#[test]
fn rule_6_forfeit_wins_are_full_points_and_a_double_forfeit_is_none() {
    use knightmail::domain::crosstable::crosstable;
    let mut world = World::with_section();
    for (id, result, how) in [
        (game(1, 2), Score::WhiteWins, How::SilenceForfeit),
        (game(3, 1), Score::BothLose, How::DoubleForfeit),
        (game(2, 3), Score::Draw, How::Agreement),
        (game(4, 2), Score::WhiteWins, How::Death),
    ] {
        let (outcome, reason) = (Outcome { result, how }, "silence since May".to_owned());
        world.act(&Command::FixResult { game: id, outcome, reason });
    }
    let rows = crosstable(world.section());
    let line = |n: usize| (rows[n].points.to_string(), rows[n].forfeit_losses);
    assert_eq!(line(0), ("1".to_owned(), 1));
    assert_eq!(line(1), ("0.5".to_owned(), 1), "a game decided after a death is no forfeit");
    assert_eq!(line(2), ("0.5".to_owned(), 1));
    assert_eq!(line(3), ("1".to_owned(), 0));
    assert_eq!(rows.iter().map(|r| r.rank).collect::<Vec<_>>(), [1, 3, 3, 1, 5, 5, 5]);
}
