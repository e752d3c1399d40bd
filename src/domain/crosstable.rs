//! The crosstable of a section: points, ranks and forfeit losses, worked out from the games (Rules 2, 3 and 6).

use super::{
    ids::{EntryId, Seat},
    points::Points,
    section::{Game, Section},
};

/// One line of a crosstable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The seat.
    pub seat: Seat,
    /// Who sits there.
    pub entry: EntryId,
    /// Points of all games that have an outcome, reported ones included.
    pub points: Points,
    /// Points of the games whose outcome stands; advancing goes by these (Rule 3).
    pub settled: Points,
    /// The place in the section; equal points share the better one.
    pub rank: usize,
    /// How many games were lost by forfeit (Rule 10).
    pub forfeit_losses: usize,
}

/// Returns a section's rows, seat by seat.
pub fn crosstable(section: &Section) -> Vec<Row> {
    let mut rows: Vec<Row> = section
        .each_seat()
        .map(|(seat, seated)| row(section, seat, seated.entry.clone()))
        .collect();
    let points: Vec<Points> = rows.iter().map(|row| row.points).collect();
    for row in &mut rows {
        row.rank = 1 + points.iter().filter(|p| **p > row.points).count();
    }
    rows
}

/// Returns the row of one seat; its rank is left open.
pub(super) fn row(section: &Section, seat: Seat, entry: EntryId) -> Row {
    let halves = |game: &Game, settled: bool| {
        let outcome = if settled { game.settled() } else { game.outcome() };
        let side = game.side(seat);
        outcome.zip(side).map_or(0, |(outcome, side)| outcome.result.points(side).halves)
    };
    let forfeited = |game: &&Game| {
        let outcome = game.outcome().zip(game.side(seat));
        outcome.is_some_and(|(outcome, side)| outcome.forfeited_by(side))
    };
    Row {
        seat,
        entry,
        points: Points::from_halves(section.games_of(seat).map(|g| halves(g, false)).sum()),
        settled: Points::from_halves(section.games_of(seat).map(|g| halves(g, true)).sum()),
        rank: 0,
        forfeit_losses: section.games_of(seat).filter(forfeited).count(),
    }
}
