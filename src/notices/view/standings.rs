//! How a tournament stands: the tables of the sections in which the reader plays, and counts of all others. A stranger
//! sees counts alone.

use super::{
    super::{
        Desk,
        table::{self, Ratings},
    },
    section::{indent, section_view},
    words,
};
use crate::domain::{ids::MemberId, section::Section};
use serde::Serialize;

/// A section in which the reader plays.
#[derive(Debug, Serialize)]
pub struct Table {
    /// Its code.
    pub code: String,
    /// The tournament's name.
    pub event: String,
    /// The round's name.
    pub round: String,
    /// Whether all its games are decided.
    pub complete: bool,
    /// How many of its games are.
    pub decided: usize,
    /// How many games it has.
    pub games: usize,
    /// Its table, as lines of text.
    pub table: String,
}

/// A tournament in numbers.
#[derive(Debug, Serialize)]
pub struct Counts {
    /// Its name.
    pub name: String,
    /// How many sections were formed.
    pub sections: usize,
    /// How many of them are complete.
    pub complete: usize,
    /// How many games are decided.
    pub decided: usize,
    /// How many games there are.
    pub games: usize,
}

/// Returns the tables of the sections in which a player sits, the newest first.
pub fn tables(reader: &MemberId, desk: &Desk<'_>) -> Vec<Table> {
    let seats = desk.state.seats_of(reader);
    let mut sections: Vec<&Section> = seats.map(|(section, _)| section).collect();
    sections.sort_by_key(|s| (std::cmp::Reverse(s.start), &s.code));
    sections.dedup_by_key(|s| &s.code);
    let table = |section: &&Section| {
        let view = section_view(section, desk);
        Table {
            code: view.code,
            event: view.event.name,
            round: view.round,
            complete: section.is_settled(),
            decided: decided(section),
            games: section.games.len(),
            table: indent(&table::results(desk.state, section, Ratings::Shown)),
        }
    };
    sections.iter().take(crate::limits::SUMMARY_LINES / 10).map(table).collect()
}

/// Returns the tournaments that have sections, in numbers.
pub fn counts(desk: &Desk<'_>) -> Vec<Counts> {
    let counts = desk.rules.tournaments.values().map(|tournament| {
        let sections = desk.state.sections.values().filter(|s| s.tournament == tournament.id);
        let mut counts = Counts {
            name: words::clean(&tournament.name),
            sections: 0,
            complete: 0,
            decided: 0,
            games: 0,
        };
        for section in sections {
            counts.sections += 1;
            counts.complete += usize::from(section.is_settled());
            counts.decided += decided(section);
            counts.games += section.games.len();
        }
        counts
    });
    counts.filter(|counts| counts.sections > 0).collect()
}

fn decided(section: &Section) -> usize {
    section.games.iter().filter(|game| game.settled().is_some()).count()
}
