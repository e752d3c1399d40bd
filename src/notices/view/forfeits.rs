//! Forfeits, withdrawals, adjudication and time complaints as letters speak of them: what each means for the reader, and
//! by when he may say something (Rules 4, 7, 10 and 11).

use super::{
    super::Desk,
    Event, event, member,
    result::{GameView, OutcomeView, game_view, outcome_view},
    section::{SectionView, section_by_code},
    words,
};
use crate::domain::{
    acts::Overstep,
    ids::{EntryId, GameId, ItemId, Seat, TournamentId},
    notice::{Forfeited, Recipient, Reproach},
    points::{Score, Side},
    section::Section,
    tournament::Tournament,
};
use chrono::{Days, NaiveDate};
use serde::Serialize;
use std::collections::BTreeSet;

/// `forfeit`.
#[derive(Debug, Serialize)]
pub struct Forfeits {
    /// The games.
    pub games: Vec<Line>,
    /// The section, where all are of one; null otherwise.
    pub section: Option<SectionView>,
    /// The tournament of the first.
    pub event: Event,
    /// Why, where the reason is the same for all; empty otherwise.
    pub reason: String,
    /// How many of them the reader has won.
    pub won: usize,
    /// How many of them he has lost, double forfeits among them.
    pub lost: usize,
    /// How many of them both have lost.
    pub both: usize,
    /// Whether a pin may be won there (Rule 4).
    pub pin: bool,
    /// Whether there is prize money (Rule 5).
    pub prizes: bool,
    /// Forfeits to so many opponents in a section put the other games there in question (Rule 11).
    pub opponents: u8,
    /// To how many opponents in that section the reader has lost by forfeit; 0 where the games are of several.
    pub forfeited_to: usize,
    /// How many of the reader's games in that section still run.
    pub running: usize,
}

/// A game that ended by forfeit.
#[derive(Debug, Serialize)]
pub struct Line {
    /// The game.
    pub game: GameView,
    /// Its outcome.
    pub outcome: OutcomeView,
    /// What it is for the reader: `won`, `lost`, `both`.
    pub effect: &'static str,
    /// Why.
    pub reason: String,
}

/// `withdrawal-confirmed`.
#[derive(Debug, Serialize)]
pub struct Withdrawn {
    /// The entries.
    pub entries: Vec<Left>,
    /// The tournament of the first.
    pub event: Event,
    /// The games that were lost by it.
    pub games: Vec<Line>,
    /// Whether one of the entries had no section yet.
    pub unplayed: bool,
    /// How many games of these entries were finished before and stand.
    pub standing: usize,
}

/// A withdrawn entry.
#[derive(Debug, Serialize)]
pub struct Left {
    /// Its id.
    pub id: String,
    /// The tournament's name.
    pub event: String,
    /// The section where it sat last; null where it sat nowhere.
    pub section: Option<String>,
}

/// `adjudication-request`.
#[derive(Debug, Serialize)]
pub struct Adjudication {
    /// The game.
    pub game: GameView,
    /// The docket item.
    pub item: String,
    /// The reader's color: `White` or `Black`; empty where he does not play.
    pub side: &'static str,
    /// The opponent's name.
    pub opponent: String,
    /// Whether the opponent has died.
    pub bereft: bool,
    /// The last move in the books; null where no move came through us.
    pub last: Option<String>,
    /// The day until which he may answer.
    pub until: String,
}

/// `complaint-premature`.
#[derive(Debug, Serialize)]
pub struct Premature {
    /// The game.
    pub game: GameView,
    /// The opponent's name.
    pub opponent: String,
    /// The first day on which a complaint is admissible.
    pub until: String,
    /// Whether the move must be repeated before.
    pub repeat_first: bool,
    /// Days after which an unanswered move is repeated, by the rules of the day.
    pub repeat_after_days: u16,
    /// Days after the first sending from which a complaint is heard.
    pub complaint_from_day: u16,
}

/// `time-complaint-received`.
#[derive(Debug, Serialize)]
pub struct Complained {
    /// The game.
    pub game: GameView,
    /// The docket item.
    pub item: String,
    /// Whether the reader is who complains.
    pub own: bool,
    /// The other player's name.
    pub opponent: String,
    /// The last move in the books; null where no move came through us.
    pub last: Option<String>,
    /// The day until which he may answer.
    pub until: String,
}

/// `time-warning`.
#[derive(Debug, Serialize)]
pub struct Warned {
    /// The game.
    pub game: GameView,
    /// Whether the reader is who is warned.
    pub own: bool,
    /// The name of who is warned.
    pub player: String,
    /// Whether he overstepped his time; else he sent a move that could not be played.
    pub overstep: bool,
    /// Days charged beside those he used.
    pub penalty_days: u16,
    /// Why.
    pub reason: String,
}

/// Returns the view of `forfeit`.
pub fn forfeits(games: &[Forfeited], to: &Recipient, desk: &Desk<'_>) -> Forfeits {
    let lines: Vec<Line> = games.iter().map(|lost| line(lost, to, desk)).collect();
    let count = |effect: &str| lines.iter().filter(|line| line.effect == effect).count();
    let first = games.first().map(|lost| &lost.game);
    let one = first.filter(|f| games.iter().all(|lost| lost.game.section == f.section));
    let tournament = first.and_then(|game| tournament_of(game, desk));
    let own = one.and_then(|game| {
        let section = desk.state.sections.get(&game.section)?;
        Some((section, super::section::own_seat(section, member(to)?, desk)?))
    });
    let same = lines.first().filter(|f| lines.iter().all(|line| line.reason == f.reason));
    Forfeits {
        section: one.map(|game| section_by_code(&game.section, desk)),
        event: event_of(first, desk),
        reason: same.map_or_else(String::new, |line| line.reason.clone()),
        won: count("won"),
        both: count("both"),
        lost: count("lost") + count("both"),
        pin: tournament.is_some_and(|t| t.awards.pin),
        prizes: tournament.is_some_and(|t| !t.prizes.places.is_empty()),
        opponents: tournament.map_or(0, |t| t.forfeits.opponents),
        forfeited_to: own.map_or(0, |(section, seat)| forfeited_to(section, seat)),
        running: own.map_or(0, |(section, seat)| {
            section.games_of(seat).filter(|game| game.settled().is_none()).count()
        }),
        games: lines,
    }
}

/// Returns to how many opponents of a section somebody has lost by forfeit (Rule 11).
fn forfeited_to(section: &Section, own: Seat) -> usize {
    let lost = section.games_of(own).filter_map(|game| {
        let side = game.side(own)?;
        game.outcome().filter(|o| o.forfeited_by(side)).map(|_| game.seat(side.other()))
    });
    lost.collect::<BTreeSet<_>>().len()
}

fn line(lost: &Forfeited, to: &Recipient, desk: &Desk<'_>) -> Line {
    let game = game_view(&lost.game, desk);
    let side = member(to).and_then(|m| desk.state.side_of(&lost.game, m));
    let effect = match (lost.outcome.result, side) {
        (Score::BothLose, _) => "both",
        (_, Some(side)) if lost.outcome.forfeited_by(side) => "lost",
        _ => "won",
    };
    let reason = words::clean(&lost.reason);
    Line {
        outcome: outcome_view(lost.outcome, &game),
        game,
        effect,
        reason: reason.trim_end_matches('.').to_owned(),
    }
}

/// Returns the view of `withdrawal-confirmed`.
pub fn withdrawn(
    entries: &[EntryId],
    games: &[Forfeited],
    to: &Recipient,
    desk: &Desk<'_>,
) -> Withdrawn {
    let found: Vec<_> = entries.iter().filter_map(|id| desk.state.entries.get(id)).collect();
    let left = found.iter().map(|entry| Left {
        id: entry.id.0.clone(),
        event: event(&entry.tournament, desk).name,
        section: entry.sections.last().map(|code| code.0.clone()),
    });
    let finished = found.iter().map(|entry| {
        let section = entry.sections.last().and_then(|code| desk.state.sections.get(code));
        let seat = section.and_then(|s| Some((s, s.seat_of(&entry.id)?)));
        seat.map_or(0, |(s, seat)| s.games_of(seat).filter(|g| g.settled().is_some()).count())
    });
    let none = TournamentId(String::new());
    Withdrawn {
        entries: left.collect(),
        event: event(found.first().map_or(&none, |entry| &entry.tournament), desk),
        unplayed: found.iter().any(|entry| entry.sections.is_empty()),
        standing: finished.sum::<usize>().saturating_sub(games.len()),
        games: games.iter().map(|lost| line(lost, to, desk)).collect(),
    }
}

/// Returns the view of `adjudication-request`.
pub fn adjudication(id: &GameId, item: ItemId, to: &Recipient, desk: &Desk<'_>) -> Adjudication {
    let game = game_view(id, desk);
    let side = member(to).and_then(|m| desk.state.side_of(id, m));
    let other = side.and_then(|side| desk.state.member_of(id, side.other()));
    Adjudication {
        item: item.to_string(),
        side: match side {
            Some(Side::White) => "White",
            Some(Side::Black) => "Black",
            None => "",
        },
        opponent: opponent(&game, side),
        bereft: other.is_some_and(|member| desk.state.died.contains_key(member)),
        last: last_move(id, desk),
        until: answer_by(id, desk),
        game,
    }
}

/// Returns the view of `complaint-premature`.
pub fn premature(
    id: &GameId,
    until: NaiveDate,
    repeat_first: bool,
    to: &Recipient,
    desk: &Desk<'_>,
) -> Premature {
    let game = game_view(id, desk);
    let side = member(to).and_then(|m| desk.state.side_of(id, m));
    // The day that is named may have another rule set than today.
    let terms = tournament_of(id, desk).and_then(|tournament| tournament.clock_on(until));
    Premature {
        opponent: opponent(&game, side),
        game,
        until: words::date(until),
        repeat_first,
        repeat_after_days: terms.map_or(0, |terms| terms.repeat_after_days),
        complaint_from_day: terms.map_or(0, |terms| terms.complaint_from_day),
    }
}

/// Returns the view of `time-complaint-received`.
pub fn complained(
    id: &GameId,
    by: Side,
    item: ItemId,
    to: &Recipient,
    desk: &Desk<'_>,
) -> Complained {
    let game = game_view(id, desk);
    let side = member(to).and_then(|m| desk.state.side_of(id, m));
    Complained {
        item: item.to_string(),
        own: side == Some(by),
        opponent: opponent(&game, side),
        last: last_move(id, desk),
        until: answer_by(id, desk),
        game,
    }
}

/// Returns the view of `time-warning`.
pub fn warned(warned: &Overstep, reproach: Reproach, to: &Recipient, desk: &Desk<'_>) -> Warned {
    let game = game_view(&warned.game, desk);
    let side = member(to).and_then(|m| desk.state.side_of(&warned.game, m));
    Warned {
        own: side == Some(warned.side),
        player: opponent(&game, Some(warned.side.other())),
        game,
        overstep: reproach == Reproach::Overstep,
        penalty_days: warned.penalty_days,
        reason: words::clean(&warned.reason).trim_end_matches('.').to_owned(),
    }
}

/// Returns the name of who plays against a side.
fn opponent(game: &GameView, side: Option<Side>) -> String {
    match side {
        Some(Side::White) => game.black.clone(),
        Some(Side::Black) => game.white.clone(),
        None => String::new(),
    }
}

fn last_move(id: &GameId, desk: &Desk<'_>) -> Option<String> {
    let (_, game) = desk.state.game(id)?;
    Some(game.record.last()?.clone()).filter(|last| !last.is_empty())
}

/// Returns the day until which a player may answer what is asked about a game (Rules 7 and 10).
pub(super) fn answer_by(id: &GameId, desk: &Desk<'_>) -> String {
    let days = tournament_of(id, desk).map_or(0, |t| t.results.answer_days);
    let until = desk.house.day(desk.now).checked_add_days(Days::new(u64::from(days)));
    until.map_or_else(String::new, words::date)
}

fn tournament_of<'a>(id: &GameId, desk: &Desk<'a>) -> Option<&'a Tournament> {
    super::section::tournament(desk.state.sections.get(&id.section)?, desk)
}

fn event_of(id: Option<&GameId>, desk: &Desk<'_>) -> Event {
    let section = id.and_then(|id| desk.state.sections.get(&id.section));
    let none = TournamentId(String::new());
    event(section.map_or(&none, |section| &section.tournament), desk)
}
