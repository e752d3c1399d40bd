//! Moves and draws as letters speak of them: what was played, the board from the reader's side, the score so far, whose
//! turn it is (Rule 10). Replies that somebody sent beforehand are in no letter before they are played.

use super::{super::Desk, member, result, words};
use crate::{
    chess::{Position, Record},
    domain::{
        ids::GameId,
        intent::{Fault, MoveFault},
        notice::{Played, Recipient},
        points::Side,
        section::{Game, GameState},
    },
};
use result::{GameView, OutcomeView};
use serde::Serialize;
use std::fmt::Write as _;

/// The widest line of a score, in characters.
const SCORE_WIDTH: usize = 68;

/// How a game stands on the board, for one of its players.
#[derive(Debug, Serialize)]
pub struct Standing {
    /// The game.
    pub game: GameView,
    /// The reader's colour: `White`.
    pub colour: &'static str,
    /// The opponent's name as it is spoken.
    pub opponent: String,
    /// The board from the reader's side, as lines of text.
    pub board: String,
    /// The moves so far, as lines of text; empty where none is known.
    pub score: String,
    /// The last move with its number: `14...Nf6`; null where none is known.
    pub last: Option<String>,
    /// Whether it is the reader's turn in a game that runs.
    pub your_move: bool,
    /// The number of the next move with its dots: `15.`, `15...`.
    pub next: String,
    /// Whether an offer of a draw by the opponent stands.
    pub offered: bool,
    /// How the game ended; null where it runs.
    pub over: Option<OutcomeView>,
}

/// `move`.
#[derive(Debug, Serialize)]
pub struct Moved {
    /// How the game stands.
    #[serde(flatten)]
    pub standing: Standing,
    /// The moves that were played, the first one first.
    pub moves: Vec<MoveLine>,
    /// The last move of the opponent, for the subject.
    pub news: String,
    /// Whether the opponent declined the reader's offer of a draw.
    pub declined: bool,
    /// Whether replies that the reader had sent beforehand were not met.
    pub dropped: bool,
}

/// One move.
#[derive(Debug, Serialize)]
pub struct MoveLine {
    /// With its number: `15.Bg5`.
    pub text: String,
    /// Whether it is the reader's own.
    pub own: bool,
    /// Whether it was sent beforehand, for a condition that is now met.
    pub beforehand: bool,
    /// Whether a draw is offered with it.
    pub offer: bool,
}

/// `move-rejected`.
#[derive(Debug, Serialize)]
pub struct Rejected {
    /// How the game stands.
    #[serde(flatten)]
    pub standing: Standing,
    /// What the mail says: `15.Bg5`.
    pub said: String,
    /// What is wrong with it: `illegal`, `ambiguous`, `not-your-move`, `wrong-number`, `unreadable`, `game-over`.
    pub fault: &'static str,
    /// The same in words, a clause.
    pub why: String,
    /// Moves that may be meant.
    pub candidates: Vec<String>,
}

/// `draw-offer` and `draw-declined`.
#[derive(Debug, Serialize)]
pub struct Draw {
    /// How the game stands.
    #[serde(flatten)]
    pub standing: Standing,
}

/// Returns the view of `move`. `told`: whether the reader's offer was declined, and whether his promises were not met.
pub fn moved(
    id: &GameId,
    moves: &[Played],
    told: (bool, bool),
    to: &Recipient,
    desk: &Desk<'_>,
) -> Moved {
    let side = side(id, to, desk);
    let line = |played: &Played| MoveLine {
        text: dotted(played.number, played.side, &played.san),
        own: played.side == side,
        beforehand: played.beforehand,
        offer: played.offer && played.side != side,
    };
    let moves: Vec<MoveLine> = moves.iter().map(line).collect();
    let news = moves.iter().rev().find(|line| !line.own).map(|line| line.text.clone());
    Moved {
        standing: standing(id, to, desk),
        news: news.unwrap_or_default(),
        moves,
        declined: told.0,
        dropped: told.1,
    }
}

/// Returns the view of `move-rejected`.
pub fn rejected(
    id: &GameId,
    said: &str,
    fault: &MoveFault,
    to: &Recipient,
    desk: &Desk<'_>,
) -> Rejected {
    Rejected {
        standing: standing(id, to, desk),
        said: words::clean(said),
        fault: match fault.fault {
            Fault::Illegal => "illegal",
            Fault::Ambiguous => "ambiguous",
            Fault::NotYourMove => "not-your-move",
            Fault::WrongNumber => "wrong-number",
            Fault::Unreadable => "unreadable",
            Fault::GameOver => "game-over",
        },
        why: words::clean(fault.why.trim_end_matches('.')),
        candidates: fault.candidates.iter().map(|text| words::clean(text)).collect(),
    }
}

/// Returns the view of `draw-offer` and `draw-declined`.
pub fn draw(id: &GameId, to: &Recipient, desk: &Desk<'_>) -> Draw {
    Draw { standing: standing(id, to, desk) }
}

/// Returns a move with its number: `15.Bg5`, `15...h6`.
pub fn dotted(number: u16, side: Side, san: &str) -> String {
    format!("{}{san}", place(number, side))
}

fn place(number: u16, side: Side) -> String {
    format!("{number}{}", if side == Side::White { "." } else { "..." })
}

/// Returns the reader's side; White for somebody who does not play in the game.
fn side(id: &GameId, to: &Recipient, desk: &Desk<'_>) -> Side {
    member(to).and_then(|m| desk.state.side_of(id, m)).unwrap_or(Side::White)
}

fn standing(id: &GameId, to: &Recipient, desk: &Desk<'_>) -> Standing {
    let side = side(id, to, desk);
    let game = result::game_view(id, desk);
    let found = desk.state.game(id).map(|(_, game)| game);
    let start = Record::new();
    let record = found.map_or(&start, |game| &game.record);
    let runs = found.is_some_and(|game| game.state == GameState::Running);
    let outcome = found.and_then(Game::outcome);
    Standing {
        colour: match side {
            Side::White => "White",
            Side::Black => "Black",
        },
        opponent: match side {
            Side::White => game.black.clone(),
            Side::Black => game.white.clone(),
        },
        board: board(record.position(), side),
        score: score(record),
        last: record.last(),
        your_move: runs && record.next_side() == side,
        next: place(record.next_number(), record.next_side()),
        offered: found.is_some_and(|game| game.offer == Some(side.other())),
        over: outcome.map(|outcome| result::outcome_view(outcome, &game)),
        game,
    }
}

/// Returns the board as lines that stand as they are.
pub fn board(position: &Position, from: Side) -> String {
    let lines = position.diagram(from);
    lines.lines().flat_map(|line| ["    ", line, "\n"]).collect()
}

/// Returns a score as lines that stand as they are; no line ends between a number and its move.
pub fn score(record: &Record) -> String {
    let (mut out, mut line) = (String::new(), String::new());
    let sans = record.sans();
    for (place, san) in sans.iter().enumerate() {
        let word = match place % 2 {
            0 => format!("{}.{san}", place / 2 + 1),
            _ => san.clone(),
        };
        if line.len() + 1 + word.len() > SCORE_WIDTH {
            let _ = writeln!(out, "  {line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    if !line.is_empty() {
        let _ = writeln!(out, "  {line}");
    }
    out
}
