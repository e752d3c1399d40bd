//! The crosstable as text, for letters and for the terminal. Pure: seats, names and cells come from the books, the
//! counting is `domain/crosstable.rs` (Rules 2, 3 and 6).

use crate::domain::{
    crosstable::{Row, crosstable},
    ids::Seat,
    points::{Outcome, Points, Score, Side},
    section::{Game, GameState, Section},
    state::State,
};
use std::fmt::Write as _;

/// The widest table, in characters. A letter indents it by two.
pub const WIDTH: usize = 74;
/// The narrowest that a name is cut to, however many columns there are.
const NAME_MIN: usize = 10;
/// The widest that a name is let be.
const NAME_MAX: usize = 28;

/// Whether ratings may be seen: only those who sit in a section have a right to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ratings {
    /// They are printed.
    Shown,
    /// They are left out.
    Hidden,
}

/// Returns a section's crosstable: seats, names, ratings, a cell for each opponent, points and place; below it what
/// its marks mean, where there are any. Lines end in `\n` and are at most [`WIDTH`] wide.
pub fn results(state: &State, section: &Section, ratings: Ratings) -> String {
    let rows = crosstable(section);
    let cell = |row: Seat, column: Seat| {
        section.games_between(row, column).map(|game| result_cell(game, row)).collect()
    };
    let mut out = grid(state, section, ratings, Some(&rows), &cell);
    out.push_str(&legend(section));
    out
}

/// Returns a section's crosstable under a line that says which section it is and how it stands, for the director.
pub fn sheet(state: &State, section: &Section) -> String {
    let stands = if section.complete { "complete" } else { "running" };
    let Section { code, start, tournament, .. } = section;
    let table = results(state, section, Ratings::Shown);
    format!("{tournament}  {code}  start {start}  {stands}\n\n{table}")
}

/// Returns the crosstable of a section whose games begin: who has White (`w`) and who Black (`b`) against whom, seen
/// from the line's player (Rule 2).
pub fn colours(state: &State, section: &Section) -> String {
    let colour = |game: &Game, seat: Seat| match game.side(seat) {
        Some(Side::White) => 'w',
        Some(Side::Black) => 'b',
        None => ' ',
    };
    let cell = |row: Seat, column: Seat| {
        section.games_between(row, column).map(|game| colour(game, row)).collect()
    };
    grid(state, section, Ratings::Shown, None, &cell)
}

/// Returns a name cut to a width, with `…` where something is missing.
pub fn cut(name: &str, width: usize) -> String {
    if name.chars().count() <= width {
        return name.to_owned();
    }
    let kept: String = name.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Returns points as players write them: `4½`, `½`, `0`.
pub fn points(points: Points) -> String {
    match (points.halves / 2, points.halves % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// Returns the name that tables print for a seat: the roster's, else the entry's, else the member's number.
pub fn seat_name(state: &State, section: &Section, seat: Seat) -> String {
    let entry = section.seated(seat).and_then(|s| state.entries.get(&s.entry));
    let listed = state.player_at(section, seat).map(|p| p.name.as_str());
    let names = [listed, entry.map(|e| e.name.as_str()), entry.map(|e| e.member.0.as_str())];
    let name = names.into_iter().flatten().find(|name| !name.trim().is_empty());
    super::view::words::clean(name.unwrap_or("vacant"))
}

fn grid(
    state: &State,
    section: &Section,
    ratings: Ratings,
    rows: Option<&[Row]>,
    cell: &dyn Fn(Seat, Seat) -> String,
) -> String {
    let seats: Vec<Seat> = section.each_seat().map(|(seat, _)| seat).collect();
    let names: Vec<_> = seats.iter().map(|seat| seat_name(state, section, *seat)).collect();
    let square = |row: Seat, column: Seat| {
        if row == column { "x".to_owned() } else { cell(row, column) }
    };
    let cells: Vec<Vec<String>> = seats
        .iter()
        .map(|row| seats.iter().map(|column| square(*row, *column)).collect())
        .collect();
    let ratings = |text: &str| match ratings {
        Ratings::Shown => format!("{text:>6}"),
        Ratings::Hidden => String::new(),
    };
    let end = |points: &str, place: &str| match rows {
        Some(_) => format!("  {points:>6}{place:>7}"),
        None => String::new(),
    };
    let marks = cells.iter().flatten().map(|text| text.chars().count()).max().unwrap_or(1);
    let column = columns(seats.len(), marks);
    let fixed = 4 + ratings("").len() + column.width * seats.len() + end("", "").len();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let room = WIDTH.saturating_sub(fixed).clamp(NAME_MIN, NAME_MAX);
    let name_width = longest.clamp(6, room);

    let heads = seats.iter().map(|seat| column.text(&seat.to_string())).collect::<String>();
    let mut out = format!("    {:name_width$}{}{heads}", "Player", ratings("Rating"));
    end_line(&end("Points", "Place"), &mut out);
    for ((seat, seated), (name, texts)) in section.each_seat().zip(names.iter().zip(&cells)) {
        let rated = seated.rating.map_or_else(|| "unr.".to_owned(), |r| r.to_string());
        let texts = texts.iter().map(|text| column.text(text)).collect::<String>();
        let row = rows.and_then(|rows| rows.iter().find(|row| row.seat == seat));
        let end = row.map(|row| end(&points(row.points), &row.rank.to_string()));
        let name = cut(name, name_width);
        let _ = write!(out, "{seat:>2}  {name:name_width$}{}{texts}", ratings(&rated));
        end_line(&end.unwrap_or_default(), &mut out);
    }
    out
}

/// The columns of the opponents: so wide that all marks have room, one below the other.
struct Columns {
    gap: usize,
    width: usize,
}

fn columns(seats: usize, marks: usize) -> Columns {
    let digits = if seats > 9 { 2 } else { 1 };
    let gap = if seats > 9 { 1 } else { 2 };
    Columns { gap, width: gap + marks.max(digits) }
}

impl Columns {
    fn text(&self, text: &str) -> String {
        format!("{:gap$}{text:<1$}", "", self.width - self.gap, gap = self.gap)
    }
}

fn end_line(end: &str, out: &mut String) {
    out.push_str(end);
    out.truncate(out.trim_end().len());
    out.push('\n');
}

fn result_cell(game: &Game, seat: Seat) -> String {
    let Some(side) = game.side(seat) else { return String::new() };
    match &game.state {
        GameState::Running => ".".to_owned(),
        GameState::Disputed(_) => "?".to_owned(),
        GameState::Reported(report) => format!("{}*", mark(report.outcome, side)),
        GameState::Confirmed(outcome) | GameState::Ruled(outcome) => {
            mark(*outcome, side).to_string()
        }
    }
}

/// Returns the usual mark of a result: `+` and `-` where it came by forfeit (Rule 10).
fn mark(outcome: Outcome, side: Side) -> char {
    let halves = outcome.result.points(side).halves;
    match (outcome.how.is_forfeit(), halves) {
        (true, 2) => '+',
        (true, 0) => '-',
        (_, 2) => '1',
        (_, 1) => '½',
        (..) => '0',
    }
}

fn legend(section: &Section) -> String {
    let any = |wanted: fn(&Game) -> bool| section.games.iter().any(wanted);
    let forfeit = any(|g| g.outcome().is_some_and(|o| o.how.is_forfeit()));
    let both = any(|g| g.outcome().is_some_and(|o| o.result == Score::BothLose));
    let marks = [
        (forfeit, "+ and -  won and lost by forfeit"),
        (both, "- on both sides  a double forfeit"),
        (any(|g| matches!(g.state, GameState::Reported(_))), "*  reported by one player only"),
        (any(|g| matches!(g.state, GameState::Disputed(_))), "?  the reports differ"),
        (any(|g| matches!(g.state, GameState::Running)), ".  still being played"),
    ];
    let lines = marks.iter().filter(|(there, _)| *there);
    let mut out = String::new();
    for (n, (_, line)) in lines.enumerate() {
        let _ = writeln!(out, "{}    {line}", if n == 0 { "\n" } else { "" });
    }
    out
}
