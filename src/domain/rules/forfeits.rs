//! Rules 10 and 11: forfeits. A game is forfeited on time, by silence, by withdrawal or for another reason, each time by
//! the director's word; the opponent's win is a full point, and where both fell silent both lose. Forfeits to several
//! opponents in a section bring the player's other games there before the director, and so does overstepping the time.

use super::{advancement, reports};
use crate::domain::{
    acts::Overstep,
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind},
    event::Event,
    ids::{EntryId, GameId, Seat, SectionCode},
    points::{How, Outcome, Score, Side},
    section::{Game, GameState, Section},
    state::State,
};
use std::collections::{BTreeMap, BTreeSet};

/// Returns what a forfeit comes to: the win of the other side, or nothing for both (Rule 10).
pub const fn outcome(loser: Option<Side>, how: How) -> Outcome {
    match loser {
        Some(loser) => Outcome { result: Score::win(loser.other()), how },
        None => Outcome { result: Score::BothLose, how: How::DoubleForfeit },
    }
}

/// Says why a score cannot have come about in this way (Rule 10).
///
/// # Errors
/// The sentence for the director, with what would be right.
pub fn check(outcome: Outcome) -> Result<(), String> {
    let Outcome { result, how } = outcome;
    if outcome.is_possible() {
        return Ok(());
    }
    let all = [Score::WhiteWins, Score::BlackWins, Score::Draw, Score::BothLose];
    let fits = |result: &&Score| Outcome { result: **result, how }.is_possible();
    let right: Vec<&str> = all.iter().filter(fits).map(|score| score.text()).collect();
    let both = if result == Score::BothLose { "; both lose by `double-forfeit`" } else { "" };
    Err(format!("a game that ends by {how} ends {}, not {result}{both}", right.join(" or ")))
}

/// Loses games by the director's word, all at once, and decides what follows for the section (Rule 10).
pub(super) fn lose(
    decision: &mut Decision<'_>,
    section: &Section,
    lost: &[(GameId, Outcome)],
    reason: &str,
) {
    let mut after = section.clone();
    for (game, outcome) in lost {
        reports::settle(&mut after, game, *outcome);
        decision.push(Event::ResultRuled {
            game: game.clone(),
            outcome: *outcome,
            on: decision.now.today,
            reason: reason.to_owned(),
        });
    }
    if !lost.is_empty() {
        advancement::follow(decision, &after);
    }
}

/// Returns the running games of a seat as lost in this way.
pub(super) fn running(section: &Section, seat: Seat, how: How) -> Vec<(GameId, Outcome)> {
    let runs = section.games_of(seat).filter(|game| game.state == GameState::Running);
    runs.map(|game| (section.game_id(game), outcome(game.side(seat), how))).collect()
}

/// Looks whether the forfeits that are being decided spread (Rule 11).
pub(in crate::domain) fn spread(decision: &mut Decision<'_>) {
    let mut lost: BTreeMap<SectionCode, BTreeSet<Seat>> = BTreeMap::new();
    for (game, outcome) in decision.events().iter().filter_map(settled) {
        for side in [Side::White, Side::Black].into_iter().filter(|s| outcome.forfeited_by(*s)) {
            let seat = if side == Side::White { game.white } else { game.black };
            lost.entry(game.section.clone()).or_default().insert(seat);
        }
    }
    for (code, seats) in lost {
        let Some(after) = after(decision, &code) else { continue };
        for seat in seats {
            put_spread(decision, &after, seat);
        }
    }
}

/// Looks over all sections that run, after results were taken over (Rule 11).
pub(in crate::domain) fn review(decision: &mut Decision<'_>) {
    let state = decision.state;
    for section in state.sections.values().filter(|s| !s.complete) {
        for (seat, _) in section.each_seat() {
            put_spread(decision, section, seat);
        }
    }
}

/// Returns the outcome that an event makes stand.
fn settled(event: &Event) -> Option<(&GameId, Outcome)> {
    match event {
        Event::ResultConfirmed { game, outcome, .. } | Event::ResultRuled { game, outcome, .. } => {
            Some((game, *outcome))
        }
        _ => None,
    }
}

/// Returns a section as it is after what has been decided so far.
pub(super) fn after(decision: &Decision<'_>, code: &SectionCode) -> Option<Section> {
    let mut after = decision.state.sections.get(code)?.clone();
    for (game, outcome) in decision.events().iter().filter_map(settled) {
        if &game.section == code {
            reports::settle(&mut after, game, outcome);
        }
    }
    Some(after)
}

/// Puts a player's other games of a section before the director, once for an entry and a section.
fn put_spread(decision: &mut Decision<'_>, section: &Section, seat: Seat) {
    let rules = decision.rules;
    let Some(tournament) = rules.tournaments.get(&section.tournament) else { return };
    let lost: Vec<&Game> = section.games_of(seat).filter(|game| is_forfeit(game, seat)).collect();
    let opponents: BTreeSet<Seat> = lost.iter().map(|game| opponent(game, seat)).collect();
    let runs = running(section, seat, How::Administrative);
    if opponents.len() < usize::from(tournament.forfeits.opponents) || runs.is_empty() {
        return;
    }
    let Some(entry) = section.seated(seat).map(|seated| &seated.entry) else { return };
    if was_put(decision.state, section, entry) {
        return;
    }
    let player = decision.state.member_at(section, seat).cloned();
    let matter = Matter {
        rule: 11,
        about: About {
            event: Some(section.tournament.clone()),
            entry: Some(entry.clone()),
            player,
            section: Some(section.code.clone()),
            ..About::default()
        },
        choices: choices(&["forfeit", "warn", "dismiss"]),
        recommended: Some("forfeit".to_owned()),
        evidence: evidence(decision.state, section, seat, &lost),
        ..Matter::default()
    };
    decision.open(ItemKind::ForfeitsSpread, matter);
}

fn is_forfeit(game: &Game, seat: Seat) -> bool {
    game.settled().zip(game.side(seat)).is_some_and(|(outcome, side)| outcome.forfeited_by(side))
}

fn opponent(game: &Game, seat: Seat) -> Seat {
    if game.white == seat { game.black } else { game.white }
}

fn was_put(state: &State, section: &Section, entry: &EntryId) -> bool {
    let same = |item: &Item| {
        item.kind == ItemKind::ForfeitsSpread
            && item.about.section.as_ref() == Some(&section.code)
            && item.about.entry.as_ref() == Some(entry)
    };
    state.docket.values().any(|(item, _)| same(item))
}

/// Returns the forfeits, the games that run in this section, and the player's other sections beside it.
fn evidence(state: &State, section: &Section, seat: Seat, lost: &[&Game]) -> Vec<String> {
    let member = state.member_at(section, seat);
    let player = member.and_then(|member| state.players.get(member));
    let who =
        player.map_or_else(|| format!("Seat {seat}"), |p| format!("{} ({})", p.name, p.member));
    let mut lines = vec![format!("{who} sits at seat {seat} of {}.", section.code)];
    lines.extend(lost.iter().filter_map(|game| {
        let (outcome, id) = (game.settled()?, section.game_id(game));
        Some(format!(
            "{id} is lost to {}: {}.",
            name(state, section, game, seat),
            outcome.how.words()
        ))
    }));
    let runs = section.games_of(seat).filter(|game| game.state == GameState::Running);
    lines.extend(runs.map(|game| {
        format!("{} against {} runs.", section.game_id(game), name(state, section, game, seat))
    }));
    for (other, seat) in member.into_iter().flat_map(|member| state.seats_of(member)) {
        let games = running(other, seat, How::Administrative).len();
        if other.code != section.code && games > 0 {
            lines
                .push(format!("Beside it {games} games of the same player run in {}.", other.code));
        }
    }
    lines
}

fn name(state: &State, section: &Section, game: &Game, seat: Seat) -> String {
    let opponent = opponent(game, seat);
    let player = state.player_at(section, opponent);
    player.map_or_else(|| format!("seat {opponent}"), |p| p.name.clone())
}

/// Does what the director chose for a player whose forfeits spread (Rule 11).
pub(super) fn settle_spread(decision: &mut Decision<'_>, item: &Item, choice: &str, reason: &str) {
    let state = decision.state;
    let About { section: Some(code), entry: Some(entry), .. } = &item.about else { return };
    let Some(section) = state.sections.get(code) else { return };
    if let (Some(seat), "forfeit") = (section.seat_of(entry), choice) {
        lose(decision, section, &running(section, seat, How::Administrative), reason);
    }
}

/// Returns what the rules lean to when a side oversteps the time once more: a warning, or the loss of the game (Rule 10).
pub(super) fn lean(decision: &Decision<'_>, game: &GameId, side: Side) -> &'static str {
    let state = decision.state;
    let section = state.sections.get(&game.section);
    let Some((section, tournament)) =
        section.and_then(|s| Some((s, decision.rules.tournaments.get(&s.tournament)?)))
    else {
        return "warn";
    };
    let last = tournament.rounds.len() > 1 && section.round + 1 == tournament.rounds.len();
    let terms = &tournament.forfeits;
    let enough = if last { terms.oversteps_in_final } else { terms.oversteps };
    let warned = state.oversteps.get(&(game.clone(), side)).map_or(0, Vec::len);
    if warned + 1 >= usize::from(enough) { "forfeit" } else { "warn" }
}

/// Warns a side for overstepping the time, and charges the days that the tournament's file names (Rule 10).
pub(super) fn warn(decision: &mut Decision<'_>, game: &GameId, side: Side, reason: &str) {
    let section = decision.state.sections.get(&game.section);
    let tournament = section.and_then(|s| decision.rules.tournaments.get(&s.tournament));
    let Some(tournament) = tournament else { return };
    decision.push(Event::OverstepWarned(Overstep {
        game: game.clone(),
        side,
        penalty_days: tournament.forfeits.overstep_penalty_days,
        reason: reason.to_owned(),
        on: decision.now.today,
    }));
}
