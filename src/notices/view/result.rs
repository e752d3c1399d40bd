//! Results as letters speak of them: what was entered, what the other one said, what the director decided
//! (Rules 7 and 10).

use super::{
    super::Desk,
    Event, event,
    section::{SectionView, seat_name, section_by_code},
    words,
};
use crate::domain::{
    event::Grounds,
    ids::{GameId, Seat, TournamentId},
    notice::{Effect, ReceiptLine, Recipient},
    points::{Outcome, Side},
    section::Report,
};
use chrono::Days;
use serde::Serialize;

/// A game.
#[derive(Clone, Debug, Serialize)]
pub struct GameView {
    /// Its id: `19N04 1-3`, White's seat first.
    pub id: String,
    /// Its section.
    pub section: SectionView,
    /// White's name as it is spoken.
    pub white: String,
    /// White's seat.
    pub white_seat: String,
    /// Black's name as it is spoken.
    pub black: String,
    /// Black's seat.
    pub black_seat: String,
}

/// A result with its words.
#[derive(Clone, Debug, Serialize)]
pub struct OutcomeView {
    /// The score, White's first: `1-0`.
    pub result: &'static str,
    /// How it came about: `resignation`.
    pub how: &'static str,
    /// Both as a clause: `Ann Adams won against Bruno Birch by resignation`.
    pub words: String,
    /// Whether it is a forfeit.
    pub forfeit: bool,
}

/// A report.
#[derive(Clone, Debug, Serialize)]
pub struct ReportView {
    /// Who reported.
    pub by: String,
    /// What was said.
    pub outcome: OutcomeView,
    /// The day of the report.
    pub on: String,
}

/// `result-receipt`.
#[derive(Debug, Serialize)]
pub struct Receipt {
    /// A line for each game.
    pub lines: Vec<Line>,
    /// Whether any of them was entered and the opponent may object.
    pub entered: bool,
    /// Whether any of them goes to the director.
    pub disputed: bool,
    /// Whether any of them was not taken.
    pub refused: bool,
    /// The section, where all lines speak of one; null otherwise.
    pub section: Option<String>,
}

/// One game of a receipt.
#[derive(Debug, Serialize)]
pub struct Line {
    /// What the sender called the game, or its id.
    pub game: String,
    /// What was said of it; null where nothing is to be shown.
    pub outcome: Option<OutcomeView>,
    /// What became of it: `entered`, `stands`, `known`, `disputed`, `contested`, `refused`.
    pub effect: &'static str,
    /// Why it was refused, a clause; null where it was not.
    pub why: Option<String>,
    /// The last day on which the opponent may object; null where he need not.
    pub until: Option<String>,
}

/// `result-reported`.
#[derive(Debug, Serialize)]
pub struct Reported {
    /// The game.
    pub game: GameView,
    /// The report.
    pub report: ReportView,
    /// Whether it stands already.
    pub stands: bool,
    /// Why, where it does: `own-interest`, `agreed`, `claimed`; empty where the reader may object.
    pub grounds: &'static str,
    /// The last day on which the reader may object.
    pub until: String,
}

/// `result-disputed`.
#[derive(Debug, Serialize)]
pub struct Disputed {
    /// The game.
    pub game: GameView,
    /// The earlier report.
    pub first: ReportView,
    /// The later one.
    pub second: ReportView,
}

/// `ruling`.
#[derive(Debug, Serialize)]
pub struct Ruled {
    /// The game.
    pub game: GameView,
    /// The outcome.
    pub outcome: OutcomeView,
    /// Why.
    pub reason: String,
}

/// Returns the view of `result-receipt`.
pub fn receipt(lines: &[ReceiptLine], to: &Recipient, desk: &Desk<'_>) -> Receipt {
    let lines: Vec<_> = lines.iter().map(|line| receipt_line(line, to, desk)).collect();
    let any = |wanted: &[&str]| lines.iter().any(|line| wanted.contains(&line.effect));
    let mut codes = lines.iter().map(|line| line.game.split(' ').next().unwrap_or_default());
    let first = codes.next().filter(|code| codes.all(|other| other == *code));
    let known = |code: &&str| desk.state.sections.contains_key(&(*code).into());
    Receipt {
        entered: any(&["entered"]),
        disputed: any(&["disputed", "contested"]),
        refused: any(&["refused"]),
        section: first.filter(known).map(str::to_owned),
        lines,
    }
}

/// Returns the view of `result-reported`.
pub fn reported(
    id: &GameId,
    report: &Report,
    stands: Option<Grounds>,
    desk: &Desk<'_>,
) -> Reported {
    let game = game_view(id, desk);
    let grounds = match stands {
        Some(Grounds::Agreed) => "agreed",
        Some(Grounds::Claimed) => "claimed",
        Some(_) => "own-interest",
        None => "",
    };
    let report_view = report_view(report, &game);
    Reported {
        until: until(id, report, desk),
        game,
        report: report_view,
        stands: stands.is_some(),
        grounds,
    }
}

/// Returns the view of `result-disputed`.
pub fn disputed(id: &GameId, first: &Report, second: &Report, desk: &Desk<'_>) -> Disputed {
    let game = game_view(id, desk);
    Disputed { first: report_view(first, &game), second: report_view(second, &game), game }
}

/// Returns the view of `ruling`.
pub fn ruled(id: &GameId, outcome: Outcome, reason: &str, desk: &Desk<'_>) -> Ruled {
    let game = game_view(id, desk);
    let reason = words::clean(reason);
    Ruled {
        outcome: outcome_view(outcome, &game),
        reason: reason.trim_end_matches('.').to_owned(),
        game,
    }
}

/// Returns a game as letters speak of it.
pub fn game_view(id: &GameId, desk: &Desk<'_>) -> GameView {
    let section = desk.state.sections.get(&id.section);
    let name = |seat: Seat| section.map_or_else(String::new, |s| seat_name(s, seat, desk));
    GameView {
        id: id.to_string(),
        section: section_by_code(&id.section, desk),
        white: name(id.white),
        white_seat: id.white.to_string(),
        black: name(id.black),
        black_seat: id.black.to_string(),
    }
}

/// Returns a result with its words.
pub fn outcome_view(outcome: Outcome, game: &GameView) -> OutcomeView {
    OutcomeView {
        result: outcome.result.text(),
        how: outcome.how.words(),
        words: words::outcome(outcome, &game.white, &game.black),
        forfeit: outcome.how.is_forfeit(),
    }
}

/// Returns the game that a text names as its id; none where it is not in the books.
pub fn game_named(text: &str, desk: &Desk<'_>) -> Option<GameId> {
    let (code, seats) = text.trim().rsplit_once(' ')?;
    let (white, black) = seats.split_once('-')?;
    let id = GameId {
        section: code.into(),
        white: Seat(white.parse().ok()?),
        black: Seat(black.parse().ok()?),
    };
    desk.state.game(&id).is_some().then_some(id)
}

/// Returns the tournament of a game.
pub fn event_of(id: &GameId, desk: &Desk<'_>) -> Event {
    let section = desk.state.sections.get(&id.section);
    let none = TournamentId(String::new());
    event(section.map_or(&none, |s| &s.tournament), desk)
}

fn report_view(report: &Report, game: &GameView) -> ReportView {
    ReportView {
        by: match report.by {
            Side::White => game.white.clone(),
            Side::Black => game.black.clone(),
        },
        outcome: outcome_view(report.outcome, game),
        on: words::date(report.on),
    }
}

/// Returns one line of a receipt. Names are shown only to one who plays in the game.
pub(super) fn receipt_line(line: &ReceiptLine, to: &Recipient, desk: &Desk<'_>) -> Line {
    let id = game_named(&line.game, desk);
    let own = |id: &GameId| match to {
        Recipient::Player(member) => desk.state.side_of(id, member).is_some(),
        Recipient::Stranger(_) => false,
        Recipient::Director => true,
    };
    let shown = id.as_ref().filter(|id| own(id)).zip(line.report.as_ref());
    let (effect, why) = match &line.effect {
        Effect::Entered => ("entered", None),
        Effect::Stands => ("stands", None),
        Effect::Known => ("known", None),
        Effect::Disputed => ("disputed", None),
        Effect::Contested => ("contested", None),
        Effect::Refused(refusal) => ("refused", Some(words::refusal(refusal, super::known(to)))),
    };
    Line {
        game: words::clean(&line.game),
        outcome: shown.map(|(id, report)| outcome_view(report.outcome, &game_view(id, desk))),
        until: shown.filter(|_| effect == "entered").map(|(id, report)| until(id, report, desk)),
        effect,
        why,
    }
}

/// Returns the last day on which the opponent may object (Rule 10).
fn until(id: &GameId, report: &Report, desk: &Desk<'_>) -> String {
    let days = Days::new(u64::from(event_of(id, desk).objection_days));
    report.on.checked_add_days(days).map_or_else(String::new, words::date)
}
