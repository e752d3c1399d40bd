//! Rules 10 and 11: forfeits, how they spread, and oversteps of the time.

use super::*;
use knightmail::domain::{
    command::AdoptedSection,
    crosstable::crosstable,
    intent::{self, Intent},
    rules::forfeits,
};

const HOWS: [How; 4] =
    [How::TimeForfeit, How::SilenceForfeit, How::Withdrawal, How::Administrative];

fn lose(world: &mut World, id: &GameId, loser: Option<Side>, how: How) -> Vec<Event> {
    let (game, outcome) = (id.clone(), forfeits::outcome(loser, how));
    world.act(&Command::FixResult { game, outcome, reason: "no answer".to_owned() })
}

/// A section of another round or number in which players 1 to 7 sit.
fn adopt(world: &mut World, code: &str, round: usize) {
    let seats = (1..=7).map(|n| (None, member(n))).collect();
    let (section, event, start) = (code.into(), "GK2019".into(), day("2019-03-01"));
    let adopted = AdoptedSection { section, event, round, start, seats };
    world.act(&Command::AdoptSection(adopted));
}

#[test]
fn rule_10_a_score_fits_how_it_came_about() {
    let decisive = [Score::WhiteWins, Score::BlackWins];
    for (hows, fit) in [
        (&[How::DoubleForfeit][..], &[Score::BothLose][..]),
        (&[How::Agreement, How::Stalemate, How::Repetition, How::Material], &[Score::Draw]),
        (&[How::Mate, How::Resignation], &decisive),
        (&HOWS, &[decisive[0], decisive[1], Score::BothLose]),
        (&[How::Adjudication, How::Played, How::Death], &[decisive[0], decisive[1], Score::Draw]),
    ] {
        for how in hows {
            for result in [Score::WhiteWins, Score::BlackWins, Score::Draw, Score::BothLose] {
                let checked = forfeits::check(Outcome { result, how: *how });
                assert_eq!(checked.is_ok(), fit.contains(&result), "{result} by {how}");
                if let Err(sentence) = checked {
                    assert!(sentence.contains(fit[0].text()), "it says what would be right");
                }
            }
        }
    }
}

#[test]
fn rule_10_a_forfeited_opponents_win_is_a_full_point_and_both_silent_is_none() {
    for how in HOWS {
        for (loser, points) in [(Some(Side::White), ["0", "1"]), (None, ["0", "0"])] {
            let mut world = World::with_section();
            lose(&mut world, &game(1, 2), loser, how);
            let rows = crosstable(world.section());
            assert_eq!(rows[0].points.to_string(), points[0]);
            assert_eq!(rows[1].points.to_string(), points[1]);
            assert_eq!(rows[0].forfeit_losses, 1, "{how}");
            assert_eq!(rows[1].forfeit_losses, usize::from(loser.is_none()));
        }
    }
}

#[test]
fn rule_11_forfeits_to_two_opponents_put_the_other_games_before_the_director_once() {
    for how in HOWS {
        let mut world = World::with_section();
        lose(&mut world, &game(1, 2), Some(Side::White), how);
        assert!(world.open_kinds().is_empty(), "one is not enough");
        lose(&mut world, &game(3, 1), Some(Side::Black), how);
        let item = world.item();
        assert_eq!((item.kind, item.rule), (ItemKind::ForfeitsSpread, 11));
        assert_eq!(item.choices, ["forfeit", "warn", "dismiss"]);
        assert_eq!(item.recommended.as_deref(), Some("forfeit"));
        assert_eq!(item.about.player, Some(member(1)));
        let lost = item.evidence.iter().filter(|line| line.contains("is lost to")).count();
        let runs = item.evidence.iter().filter(|line| line.ends_with("runs.")).count();
        assert_eq!((lost, runs), (2, 4), "{:?}", item.evidence);
        world.rule(item.item, "dismiss");
        lose(&mut world, &game(1, 4), Some(Side::White), how);
        assert!(world.open_kinds().is_empty(), "it is asked once for an entry and a section");
    }
}

#[test]
fn rule_11_the_ruling_loses_the_games_that_run_there_and_nothing_else() {
    for (choice, lost) in [("forfeit", 4), ("warn", 0), ("dismiss", 0)] {
        let mut world = World::with_section();
        adopt(&mut world, "19N02", 0);
        lose(&mut world, &game(1, 2), Some(Side::White), How::SilenceForfeit);
        lose(&mut world, &game(3, 1), Some(Side::Black), How::SilenceForfeit);
        let item = world.item();
        let beside = |line: &String| line.contains("6 games") && line.contains("19N02");
        assert!(item.evidence.iter().any(beside), "{:?}", item.evidence);
        let events = world.rule(item.item, choice);
        let ruled: Vec<&Event> =
            events.iter().filter(|e| matches!(e, Event::ResultRuled { .. })).collect();
        assert_eq!(ruled.len(), lost);
        for event in ruled {
            let Event::ResultRuled { game, outcome, .. } = event else { continue };
            assert_eq!(game.section, "19N01".into());
            assert_eq!(outcome.how, How::Administrative);
        }
        assert!(world.open_kinds().is_empty(), "{:?}", world.open_kinds());
    }
}

#[test]
fn rule_11_every_way_of_forfeiting_counts_and_nothing_else_does() {
    let silent = Outcome { result: Score::BlackWins, how: How::SilenceForfeit };
    let black = Outcome { result: Score::WhiteWins, how: How::TimeForfeit };
    // The loser reports it himself, so that it stands.
    let mut world = World::with_section();
    world.report(1, &game(1, 2), silent);
    world.report(1, &game(3, 1), black);
    assert_eq!(world.open_kinds(), [ItemKind::ForfeitsSpread]);
    // Reported and not yet standing is none.
    let mut world = World::with_section();
    world.report(2, &game(1, 2), silent);
    world.report(3, &game(3, 1), black);
    assert!(world.open_kinds().is_empty());
    // Both lose by a double forfeit.
    let mut world = World::with_section();
    lose(&mut world, &game(1, 2), None, How::SilenceForfeit);
    lose(&mut world, &game(3, 1), None, How::SilenceForfeit);
    assert_eq!(world.item().about.player, Some(member(1)));
    // Adjudication and death are none.
    for how in [How::Adjudication, How::Death, How::Resignation] {
        let mut world = World::with_section();
        lose(&mut world, &game(1, 2), Some(Side::White), how);
        lose(&mut world, &game(3, 1), Some(Side::Black), how);
        assert!(world.open_kinds().is_empty(), "{how}");
    }
    // One in each of two sections are not two in one.
    let mut world = World::with_section();
    adopt(&mut world, "19N02", 0);
    lose(&mut world, &game(1, 2), Some(Side::White), How::TimeForfeit);
    let other = GameId { section: "19N02".into(), ..game(1, 2) };
    lose(&mut world, &other, Some(Side::White), How::TimeForfeit);
    assert!(world.open_kinds().is_empty());
}

#[test]
fn rule_11_results_that_were_taken_over_are_looked_at_when_all_are_in() {
    let mut world = World::with_players(7);
    adopt(&mut world, "19N01", 0);
    let take = |world: &mut World, white, black, result| {
        let outcome = Outcome { result, how: How::SilenceForfeit };
        let (game, on) = (game(white, black), day("2019-03-01"));
        world.act(&Command::AdoptResult { game, outcome, on })
    };
    take(&mut world, 1, 2, Score::BlackWins);
    take(&mut world, 3, 1, Score::WhiteWins);
    assert!(world.open_kinds().is_empty());
    world.act(&Command::Review);
    assert_eq!(world.item().about.player, Some(member(1)));
    assert!(world.act(&Command::Review).is_empty(), "again nothing");
    // Where the rest of his games is in as well, there is nothing to ask.
    for (white, black) in [(1, 4), (5, 1), (1, 6), (7, 1)] {
        let result = if white == 1 { Score::BlackWins } else { Score::WhiteWins };
        take(&mut world, white, black, result);
    }
    assert!(world.open_kinds().is_empty(), "it is closed: no game of his runs");
    assert!(world.act(&Command::Review).is_empty());
}

fn complain(world: &mut World, section: &str) -> Item {
    let game = intent::Game { section: section.into(), white: Seat(1), black: Seat(2) };
    world.today = day("2019-04-15");
    let (sent, repeated) = (Some(day("2019-03-05")), Some(day("2019-03-20")));
    world.ask_director(1, Intent::TimeComplaint { game, sent, repeated });
    world.item()
}

#[test]
fn rule_10_the_first_overstep_is_warned_and_the_second_loses() {
    let mut world = World::with_section();
    let item = complain(&mut world, "19N01");
    assert_eq!(item.choices, ["forfeit", "warn", "dismiss"]);
    assert_eq!(item.recommended.as_deref(), Some("warn"));
    let events = world.rule(item.item, "warn");
    let days = events.iter().find_map(|event| match event {
        Event::OverstepWarned(warned) => Some((warned.side, warned.penalty_days)),
        _ => None,
    });
    assert_eq!(days, Some((Side::Black, 5)), "the days of the tournament's file are charged");
    let item = complain(&mut world, "19N01");
    assert_eq!(item.recommended.as_deref(), Some("forfeit"));
    world.rule(item.item, "forfeit");
    let lost = Outcome { result: Score::WhiteWins, how: How::TimeForfeit };
    assert_eq!(world.game(&game(1, 2)).settled(), Some(lost));
}

#[test]
fn rule_10_in_finals_the_first_overstep_loses() {
    let mut world = World::with_section();
    for (code, round, lean) in [("19Ns01", 1, "warn"), ("19Nf01", 2, "forfeit")] {
        adopt(&mut world, code, round);
        let item = complain(&mut world, code);
        assert_eq!(item.recommended.as_deref(), Some(lean), "{code}");
        world.rule(item.item, "dismiss");
    }
}
