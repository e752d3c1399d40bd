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
    progress,
    section::{EntryState, Section},
    tournament::{PrizeOrder, Round, Tournament},
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
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says one thing about the reader or the round"
)]
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
    /// Whether the reader's entry is withdrawn.
    pub withdrawn: bool,
    /// Whether the prizes go by the points of the section (Rule 5).
    pub by_section: bool,
    /// Whether there is prize money.
    pub prizes: bool,
}

/// `advancement`.
#[derive(Debug, Serialize)]
pub struct Advancement {
    /// The entry.
    pub entry: String,
    /// The tournament.
    pub event: Event,
    /// The section it advances from; null where its score was carried over from other books.
    pub section: Option<SectionView>,
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
    let points = row.map(|row| row.points);
    let reached = |points: Points| {
        let advance = round.and_then(|r| r.advance)?;
        // Where nobody has so many points, those with exactly the next best go on.
        let nobody = rows.iter().all(|row| row.points < advance);
        Some(if nobody {
            round.and_then(|r| r.otherwise) == Some(points)
        } else {
            points >= advance
        })
    };
    let any = rows.iter().any(|row| reached(row.points) == Some(true));
    let is_last = round.is_none_or(|r| r.advance.is_none());
    let withdrawn = section.zip(own).is_some_and(|(s, seat)| has_withdrawn(s, seat, desk));
    let advances = !withdrawn && points.and_then(reached) == Some(true);
    Complete {
        section: section_by_code(code, desk),
        table: section
            .map_or_else(String::new, |s| indent(&table::results(desk.state, s, Ratings::Shown))),
        points: row.map(|row| table::points(row.points)),
        place: row.map(|row| row.rank.to_string()),
        advance: round.and_then(|r| r.advance).map(table::points),
        otherwise: round.and_then(|r| r.otherwise).map(table::points),
        next_round: section.and_then(|s| next_round(s, desk)).map(|r| words::clean(&r.name)),
        advances,
        undecided: !is_last && !any,
        may_be_filled: !withdrawn
            && !advances
            && points.is_some()
            && round.and_then(|r| r.fill) == points,
        withdrawn,
        by_section: section
            .and_then(|s| tournament(s, desk))
            .is_some_and(|t| t.prizes.by == PrizeOrder::SectionPoints),
        prizes: section
            .and_then(|s| tournament(s, desk))
            .is_some_and(|t| !t.prizes.places.is_empty()),
    }
}

fn has_withdrawn(section: &Section, seat: Seat, desk: &Desk<'_>) -> bool {
    let entry = section.seated(seat).and_then(|seated| desk.state.entries.get(&seated.entry));
    entry.is_some_and(|entry| entry.state == EntryState::Withdrawn)
}

/// Returns the view of `advancement`.
pub fn advancement(
    entry: &EntryId,
    code: Option<&SectionCode>,
    points: Points,
    desk: &Desk<'_>,
) -> Advancement {
    let section = code.and_then(|code| desk.state.sections.get(code));
    let (here, next) = rounds_of(entry, section, desk);
    let advance = here.and_then(|r| r.advance);
    Advancement {
        entry: entry.0.clone(),
        event: event_of(entry, desk),
        section: code.map(|code| section_by_code(code, desk)),
        points: table::points(points),
        advance: advance.map(table::points),
        by_next_best: advance.is_some_and(|needed| points < needed),
        next_round: next.map_or_else(|| "next round".to_owned(), |r| words::clean(&r.name)),
        weight: next.map(|r| r.weight.normalize().to_string()),
        still_running: section.is_some_and(|s| !s.is_settled()),
    }
}

/// Returns the round that an entry goes on from and the one it comes to.
pub(super) fn rounds_of<'a>(
    entry: &EntryId,
    section: Option<&Section>,
    desk: &Desk<'a>,
) -> (Option<&'a Round>, Option<&'a Round>) {
    let entry = desk.state.entries.get(entry);
    let last = entry.and_then(|e| progress::reached(desk.state, e).checked_sub(1));
    let Some(last) = section.map(|s| s.round).or(last) else { return (None, None) };
    let rounds = entry.and_then(|e| desk.rules.tournaments.get(&e.tournament)).map(|t| &t.rounds);
    let round = |n: usize| rounds.and_then(|rounds| rounds.get(n));
    (round(last), round(last + 1))
}

/// Returns the tournament of an entry.
pub(super) fn event_of(entry: &EntryId, desk: &Desk<'_>) -> Event {
    let none = TournamentId(String::new());
    let entry = desk.state.entries.get(entry);
    event(entry.map_or(&none, |entry| &entry.tournament), desk)
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
