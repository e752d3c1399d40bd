//! Rules 2, 7 and 10: games that are to be adjudicated. A section has a closing date; what still runs then is put before
//! the director, who decides it or gives it more time, and both players are asked what they claim. The games of a player
//! who has died are put before him at once.

use super::{forfeits, rulings};
use crate::domain::{
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind},
    event::Event,
    ids::{GameId, MemberId},
    points::{How, Outcome, Score, Side},
    section::{Game, GameState, Section},
    state::State,
    tournament::Tournament,
};
use chrono::{Days, Months, NaiveDate};

/// Returns the closing date of a section: what still runs then is adjudicated (Rules 2 and 7).
pub fn date(tournament: &Tournament, section: &Section) -> Option<NaiveDate> {
    let round = tournament.rounds.get(section.round)?;
    section.start.checked_add_months(Months::new(round.months.into()))
}

/// Puts before the director every game that still runs on its section's closing date, once, and again when the time that
/// he gave it has passed (Rule 7).
pub(in crate::domain) fn close(decision: &mut Decision<'_>, tournament: &Tournament) {
    let state = decision.state;
    let sections = state.sections.values();
    for section in sections.filter(|s| s.tournament == tournament.id && !s.complete) {
        let Some(closes) = date(tournament, section).filter(|day| *day <= decision.now.today)
        else {
            continue;
        };
        for game in section.games.iter().filter(|game| game.state == GameState::Running) {
            if is_due(decision, tournament, game) {
                ask(decision, section, game, closes);
            }
        }
    }
}

fn is_due(decision: &Decision<'_>, tournament: &Tournament, game: &Game) -> bool {
    let asked = game.asked.and_then(|item| decision.state.docket.get(&item));
    let Some((_, ruling)) = asked else { return true };
    let more = Days::new(tournament.results.extension_days.into());
    ruling.as_ref().is_some_and(|ruling| {
        ruling.choice != "extend" || ruling.at.date_naive() + more <= decision.now.today
    })
}

fn ask(decision: &mut Decision<'_>, section: &Section, game: &Game, closes: NaiveDate) {
    let id = section.game_id(game);
    let mut evidence = vec![format!("{} closed on {closes} and {id} still runs.", section.code)];
    if game.asked.is_some() {
        evidence.push("It had been given more time, which has passed.".to_owned());
    }
    evidence.extend(known(decision.state, section, game));
    let matter = Matter {
        rule: 7,
        about: about(section, &id, None),
        choices: choices(&["1-0", "0-1", "1/2-1/2", "0-0", "extend"]),
        evidence,
        ..Matter::default()
    };
    let item = decision.open(ItemKind::Adjudication, matter);
    decision.push(Event::AdjudicationAsked { game: id, item });
}

/// Puts a game of a player who has died before the director; it is no forfeit (Rule 10). Where he has the game already
/// the same item tells of the death.
pub(super) fn ask_after_death(
    decision: &mut Decision<'_>,
    section: &Section,
    game: &Game,
    dead: &MemberId,
) {
    let state = decision.state;
    let id = section.game_id(game);
    let player = state.players.get(dead);
    let name = player.map_or_else(|| format!("Member {dead}"), |p| p.name.clone());
    let mut evidence = vec![format!("{name} has died; {id} still ran.")];
    let offered = choices(&["1-0", "0-1", "1/2-1/2"]);
    let about = about(section, &id, Some(dead));
    let mut open = state.open_of_kind(ItemKind::Adjudication);
    if let Some(item) = open.find(|item| item.about.game.as_ref() == Some(&id)) {
        evidence.extend(item.evidence.iter().cloned());
        let amended = Item { rule: 10, about, choices: offered, evidence, ..item.clone() };
        return decision.push(Event::ItemOpened(amended));
    }
    evidence.extend(known(state, section, game));
    let matter = Matter { rule: 10, about, choices: offered, evidence, ..Matter::default() };
    let item = decision.open(ItemKind::Adjudication, matter);
    decision.push(Event::AdjudicationAsked { game: id, item });
}

fn about(section: &Section, game: &GameId, player: Option<&MemberId>) -> About {
    About {
        event: Some(section.tournament.clone()),
        section: Some(section.code.clone()),
        game: Some(game.clone()),
        player: player.cloned(),
        ..About::default()
    }
}

/// Returns what the books know of a game: who plays, the moves, and who was heard last.
fn known(state: &State, section: &Section, game: &Game) -> Vec<String> {
    let name = |side| {
        let player = state.player_at(section, game.seat(side));
        player.map_or_else(|| format!("seat {}", game.seat(side)), |p| p.name.clone())
    };
    let mut lines = vec![format!("White: {}; Black: {}.", name(Side::White), name(Side::Black))];
    lines.push(match game.record.last().zip(game.moved) {
        None => "No move of it has come through us, and nobody has reported a result.".to_owned(),
        Some((last, on)) => {
            let to_move = game.record.next_side();
            format!(
                "The last move is {last} of {on}: {} was heard last, {} is to move.",
                name(to_move.other()),
                name(to_move)
            )
        }
    });
    for side in [Side::White, Side::Black] {
        let warned = state.oversteps.get(&(section.game_id(game), side)).map_or(0, Vec::len);
        if warned > 0 {
            lines.push(format!("{} was warned for the time {warned} times.", name(side)));
        }
    }
    if let Some(side) = game.offer {
        lines.push(format!("A draw offered by {} stands.", name(side)));
    }
    lines
}

/// Does what the director chose for a game (Rule 7). More time needs nothing: it is asked again when that has passed.
pub(super) fn settle(decision: &mut Decision<'_>, item: &Item, choice: &str, reason: &str) {
    let (Some(game), Ok(result)) = (&item.about.game, choice.parse::<Score>()) else { return };
    rulings::fix_result(decision, game, adjudicated(decision.state, game, result), reason);
}

/// Returns how an adjudicated game came to its score: both lost by forfeit, or the director decided, perhaps after a
/// death (Rule 10).
pub fn adjudicated(state: &State, game: &GameId, result: Score) -> Outcome {
    let has_died = |side| state.member_of(game, side).is_some_and(|m| state.died.contains_key(m));
    if result == Score::BothLose {
        forfeits::outcome(None, How::DoubleForfeit)
    } else if has_died(Side::White) || has_died(Side::Black) {
        Outcome { result, how: How::Death }
    } else {
        Outcome { result, how: How::Adjudication }
    }
}
