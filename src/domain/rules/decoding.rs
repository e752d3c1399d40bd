//! Rule 6: from a weighted total back to the points of the rounds. With four points or more in the rounds before the last
//! one a total of the Golden Knights has just one reading, which is why lists that were printed can be checked.

use super::scoring;
use crate::domain::{
    points::Points,
    tournament::{Round, Tournament},
};
use rust_decimal::Decimal;

/// What is known of the points of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing: perhaps the round was not reached either.
    Unknown,
    /// The round was not reached.
    NotReached,
    /// These points.
    Known(Points),
}

/// With how many points an entry may have gone on to the next round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// With as many as advance, or may fill up (Rule 3).
    ByRule,
    /// With any: the director may take anybody.
    ByAnybody,
}

/// The points of each round; none for rounds that were not reached.
pub type Reading = Vec<Option<Points>>;

/// Returns all points of the rounds that give a total, as far as they fit to what is known of them (Rule 6).
pub fn readings(
    tournament: &Tournament,
    total: Decimal,
    cells: &[Cell],
    passage: Passage,
) -> Vec<Reading> {
    let mut found = Vec::new();
    let mut search = Search { tournament, total, cells, passage, found: &mut found };
    search.go_on(&mut Vec::new());
    found
}

/// Returns the fewest points with which an entry goes on from a round by rule (Rule 3).
pub fn least(round: &Round) -> Points {
    [round.advance, round.otherwise, round.fill].into_iter().flatten().min().unwrap_or_default()
}

/// Returns the most points of a round: all games won.
pub fn most(round: &Round) -> Points {
    let games = u16::from(round.size.saturating_sub(1)) * u16::from(round.games_per_pair);
    Points::from_halves(games * 2)
}

struct Search<'a> {
    tournament: &'a Tournament,
    total: Decimal,
    cells: &'a [Cell],
    passage: Passage,
    found: &'a mut Vec<Reading>,
}

impl Search<'_> {
    fn go_on(&mut self, points: &mut Reading) {
        let rounds = &self.tournament.rounds;
        let sum = scoring::weighted(self.tournament, points);
        if sum > self.total {
            return;
        }
        let rest = points.len()..rounds.len();
        let may_end = rest.clone().all(|n| !matches!(self.cell(n), Cell::Known(_)));
        if sum == self.total && may_end && !points.is_empty() {
            let missing = rest.map(|_| None);
            self.found.push(points.iter().copied().chain(missing).collect());
        }
        let Some(round) = rounds.get(points.len()) else { return };
        if !self.may_pass(points) {
            return;
        }
        let (low, high) = match self.cell(points.len()) {
            Cell::NotReached => return,
            Cell::Known(known) => (known.halves, known.halves),
            Cell::Unknown => (0, most(round).halves),
        };
        for halves in low..=high {
            points.push(Some(Points::from_halves(halves)));
            self.go_on(points);
            points.pop();
        }
    }

    fn cell(&self, round: usize) -> Cell {
        self.cells.get(round).copied().unwrap_or(Cell::Unknown)
    }

    /// Tells whether an entry may have gone on with what it scored last. What is known to have been so may.
    fn may_pass(&self, points: &[Option<Points>]) -> bool {
        let Some(last) = points.len().checked_sub(1) else { return true };
        let known = matches!(self.cell(last), Cell::Known(_));
        let enough = points[last] >= Some(least(&self.tournament.rounds[last]));
        self.passage == Passage::ByAnybody || known || enough
    }
}
