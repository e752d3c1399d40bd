//! Sections as letters speak of them: the final table, who goes on (Rules 2 and 3).

use super::{
    super::{
        Desk,
        table::{self, Ratings},
    },
    Event, event, words,
};
use crate::domain::{
    crosstable::crosstable,
    ids::{EntryId, MemberId, Seat, SectionCode, TournamentId},
    points::Points,
    section::Section,
    tournament::{Round, Tournament},
};
use chrono::{Months, NaiveDate};
use serde::Serialize;

/// A section.
#[derive(Clone, Debug, Serialize)]
pub struct SectionView {
    /// Its code.
    pub code: String,
    /// The round's name: `preliminary`.
    pub round: String,
    /// The tournament.
    pub event: Event,
    /// The day all games start.
    pub start: String,
    /// The day by which all games are to be finished (Rule 2); empty where the rules have no such round.
    pub closes: String,
    /// How many sit in it.
    pub size: usize,
}

/// `section-complete`.
#[derive(Debug, Serialize)]
pub struct Complete {
    /// The section.
    pub section: SectionView,
    /// The final table, as lines of text.
    pub table: String,
    /// The reader's points; null where he does not sit here.
    pub points: Option<String>,
    /// The reader's place.
    pub place: Option<String>,
    /// Points that lead to the next round; null in the last one (Rule 3).
    pub advance: Option<String>,
    /// Points that do where nobody reached those; null where that is not provided.
    pub otherwise: Option<String>,
    /// The next round's name; null in the last one.
    pub next_round: Option<String>,
    /// Whether the reader has the points that lead to the next round.
    pub advances: bool,
    /// Whether nobody has points that lead there, so that the director decides (Rule 3).
    pub undecided: bool,
    /// Whether the reader has the points with which the last section may be filled (Rule 3).
    pub may_be_filled: bool,
}

/// `advancement`.
#[derive(Debug, Serialize)]
pub struct Advancement {
    /// The entry.
    pub entry: String,
    /// The section it advances from.
    pub section: SectionView,
    /// Its points there.
    pub points: String,
    /// The points the rule asks for.
    pub advance: Option<String>,
    /// Whether it advances with fewer, because nobody reached them (Rule 3).
    pub by_next_best: bool,
    /// The next round's name.
    pub next_round: String,
    /// What a win counts there towards the prizes (Rule 6).
    pub weight: Option<String>,
    /// Whether games are still running in the section.
    pub still_running: bool,
}

/// Returns a section as letters speak of it.
pub fn section_view(section: &Section, desk: &Desk<'_>) -> SectionView {
    let round = round(section, desk);
    let closes = round.and_then(|r| closing(section.start, r));
    SectionView {
        code: section.code.0.clone(),
        round: round.map_or_else(String::new, |r| words::clean(&r.name)),
        event: event(&section.tournament, desk),
        start: words::date(section.start),
        closes: closes.map_or_else(String::new, words::date),
        size: section.seats.len(),
    }
}

/// Returns the view of a section that may not be in the books, with its code alone then.
pub fn section_by_code(code: &SectionCode, desk: &Desk<'_>) -> SectionView {
    match desk.state.sections.get(code) {
        Some(section) => section_view(section, desk),
        None => SectionView {
            code: code.0.clone(),
            round: String::new(),
            event: event(&TournamentId(String::new()), desk),
            start: String::new(),
            closes: String::new(),
            size: 0,
        },
    }
}

/// Returns the view of `section-complete`.
pub fn complete(code: &SectionCode, member: Option<&MemberId>, desk: &Desk<'_>) -> Complete {
    let section = desk.state.sections.get(code);
    let round = section.and_then(|s| round(s, desk));
    let rows = section.map(crosstable).unwrap_or_default();
    let own = section.zip(member).and_then(|(s, m)| own_seat(s, m, desk));
    let row = rows.iter().find(|row| Some(row.seat) == own);
    let best = rows.iter().map(|row| row.points).max().unwrap_or_default();
    let needed = round.and_then(|r| match r.advance {
        Some(advance) if best >= advance => Some(advance),
        Some(_) => r.otherwise,
        None => None,
    });
    let has = |points: Option<Points>| row.zip(points).is_some_and(|(r, p)| r.points >= p);
    Complete {
        section: section_by_code(code, desk),
        table: section
            .map_or_else(String::new, |s| indent(&table::results(desk.state, s, Ratings::Shown))),
        points: row.map(|row| table::points(row.points)),
        place: row.map(|row| row.rank.to_string()),
        advance: round.and_then(|r| r.advance).map(table::points),
        otherwise: round.and_then(|r| r.otherwise).map(table::points),
        next_round: section.and_then(|s| next_round(s, desk)).map(|r| words::clean(&r.name)),
        advances: has(needed),
        undecided: needed.is_some_and(|points| best < points),
        may_be_filled: !has(needed) && has(round.and_then(|r| r.fill)),
    }
}

/// Returns the view of `advancement`.
pub fn advancement(
    entry: &EntryId,
    code: &SectionCode,
    points: Points,
    desk: &Desk<'_>,
) -> Advancement {
    let section = desk.state.sections.get(code);
    let next = section.and_then(|s| next_round(s, desk));
    let advance = section.and_then(|s| round(s, desk)).and_then(|r| r.advance);
    Advancement {
        entry: entry.0.clone(),
        section: section_by_code(code, desk),
        points: table::points(points),
        advance: advance.map(table::points),
        by_next_best: advance.is_some_and(|needed| points < needed),
        next_round: next.map_or_else(|| "next round".to_owned(), |r| words::clean(&r.name)),
        weight: next.map(|r| r.weight.normalize().to_string()),
        still_running: section.is_some_and(|s| !s.is_settled()),
    }
}

/// Returns a table's lines behind two blanks, so that they stand as they are in a letter.
pub fn indent(table: &str) -> String {
    let mut out = String::with_capacity(table.len() + 32);
    for line in table.lines() {
        out.push_str("  ");
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Returns the seat of a member in a section.
pub fn own_seat(section: &Section, member: &MemberId, desk: &Desk<'_>) -> Option<Seat> {
    let seats = section.each_seat().map(|(seat, _)| seat);
    seats.into_iter().find(|seat| desk.state.member_at(section, *seat) == Some(member))
}

/// Returns the spoken name at a seat.
pub fn seat_name(section: &Section, seat: Seat, desk: &Desk<'_>) -> String {
    words::spoken(&table::seat_name(desk.state, section, seat))
}

pub(super) fn tournament<'a>(section: &Section, desk: &Desk<'a>) -> Option<&'a Tournament> {
    desk.rules.tournaments.get(&section.tournament)
}

pub(super) fn round<'a>(section: &Section, desk: &Desk<'a>) -> Option<&'a Round> {
    tournament(section, desk)?.rounds.get(section.round)
}

pub(super) fn next_round<'a>(section: &Section, desk: &Desk<'a>) -> Option<&'a Round> {
    tournament(section, desk)?.rounds.get(section.round + 1)
}

pub(super) fn closing(start: NaiveDate, round: &Round) -> Option<NaiveDate> {
    start.checked_add_months(Months::new(u32::from(round.months)))
}
