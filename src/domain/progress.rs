//! How far an entry has come: what it scored in each round, and which round is next. A round counts by the section the
//! entry sits in, or by a score that was carried over from other books.

use super::{
    crosstable,
    points::Points,
    section::{Entry, Section},
    state::State,
};

/// What an entry scored in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score<'a> {
    /// The section; none where the score was carried over.
    pub section: Option<&'a Section>,
    /// Points of all games that have an outcome, reported ones included.
    pub points: Points,
    /// Points of the games whose outcome stands.
    pub settled: Points,
    /// How many games were lost by forfeit (Rule 10).
    pub forfeit_losses: usize,
    /// Whether the round is over for the entry.
    pub complete: bool,
}

/// Returns what an entry scored in a round, counted from 0; none where it did not reach it.
pub fn score<'a>(state: &'a State, entry: &Entry, round: usize) -> Option<Score<'a>> {
    let mut sections = entry.sections.iter().rev().filter_map(|code| state.sections.get(code));
    if let Some(section) = sections.find(|s| s.round == round)
        && let Some(seat) = section.seat_of(&entry.id)
    {
        let row = crosstable::row(section, seat, entry.id.clone());
        return Some(Score {
            section: Some(section),
            points: row.points,
            settled: row.settled,
            forfeit_losses: row.forfeit_losses,
            complete: section.is_settled(),
        });
    }
    let carried = entry.carried.iter().find(|carried| carried.round == round)?;
    Some(Score {
        section: None,
        points: carried.points,
        settled: carried.points,
        forfeit_losses: usize::from(carried.forfeit_losses),
        complete: true,
    })
}

/// Returns how many rounds an entry has begun: the index of the next one.
pub fn reached(state: &State, entry: &Entry) -> usize {
    let sections = entry.sections.iter().filter_map(|code| state.sections.get(code));
    let begun = sections.map(|s| s.round + 1).chain(entry.carried.iter().map(|c| c.round + 1));
    begun.max().unwrap_or(0)
}

/// Tells whether an entry sits in a section of a round, or has begun a later one: its score there changes nothing of
/// where it stands.
pub fn is_past(state: &State, entry: &Entry, round: usize) -> bool {
    let mut sections = entry.sections.iter().filter_map(|code| state.sections.get(code));
    reached(state, entry) > round + 1 || sections.any(|section| section.round == round)
}
