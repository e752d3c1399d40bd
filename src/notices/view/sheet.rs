//! How far a tournament has come, for the director's sheet: rounds, sections that close soon, who waits for a section to
//! be filled up, prizes that were announced, who is on leave (Rules 2, 3, 5 and 10).

use super::{
    super::{Desk, table},
    member_name,
    section::{closing, round},
    words,
};
use crate::domain::{
    acts::Leave,
    honours::PrizeList,
    ids::EntryId,
    progress,
    section::{Entry, EntryState, Section},
    tournament::Tournament,
};
use chrono::{Days, NaiveDate};
use rust_decimal::Decimal;
use serde::Serialize;

/// How many days ahead the sheet looks.
const AHEAD: u64 = 30;

/// A round.
#[derive(Debug, Serialize)]
pub struct RoundLine {
    /// Its name.
    pub name: String,
    /// How many of its sections are complete.
    pub complete: usize,
    /// How many of them run.
    pub running: usize,
    /// How many games of those that run are decided.
    pub decided: usize,
    /// How many games those have.
    pub games: usize,
    /// How many entries wait for a section of it.
    pub waiting: usize,
}

/// A section that closes soon, or should have closed (Rule 2).
#[derive(Debug, Serialize)]
pub struct Closing {
    /// Its code.
    pub code: String,
    /// The closing date.
    pub closes: String,
    /// Whether it has passed.
    pub overdue: bool,
    /// How many games still run.
    pub running: usize,
}

/// An entry that waits for a section to be filled up (Rule 3).
#[derive(Debug, Serialize)]
pub struct Candidate {
    /// The entry.
    pub entry: String,
    /// The player's name.
    pub player: String,
    /// Its points.
    pub points: String,
    /// Where it scored them; null where the score was carried over.
    pub section: Option<String>,
}

/// Prizes that were announced (Rule 5).
#[derive(Debug, Serialize)]
pub struct Announced {
    /// The section, where each has its own.
    pub section: Option<String>,
    /// The day.
    pub on: String,
    /// How many entries were assigned.
    pub assigned: u32,
    /// All prizes together.
    pub fund: String,
    /// Who has won what, a line each.
    pub places: Vec<String>,
    /// What is left of the fund; null where nothing is.
    pub undistributed: Option<String>,
}

/// Somebody on leave (Rule 10).
#[derive(Debug, Serialize)]
pub struct LeaveLine {
    /// Who.
    pub player: String,
    /// The first day.
    pub from: String,
    /// The last day.
    pub to: String,
}

/// Returns the rounds that were reached.
pub fn rounds(tournament: &Tournament, desk: &Desk<'_>) -> Vec<RoundLine> {
    let line = |(n, round): (usize, &crate::domain::tournament::Round)| {
        let sections = desk.state.sections_in(&tournament.id, n);
        let (complete, running): (Vec<_>, Vec<_>) = sections.partition(|s| s.is_settled());
        let decided = |s: &&Section| s.games.iter().filter(|g| g.settled().is_some()).count();
        RoundLine {
            name: words::clean(&round.name),
            complete: complete.len(),
            decided: running.iter().map(decided).sum(),
            games: running.iter().map(|s| s.games.len()).sum(),
            running: running.len(),
            waiting: desk.state.waiting(&tournament.id, n).len(),
        }
    };
    let lines = tournament.rounds.iter().enumerate().map(line);
    lines.filter(|line| line.complete + line.running + line.waiting > 0).collect()
}

/// Returns the running sections whose closing date is near or past, that one first which closes first (Rule 2).
pub fn closings(sections: &[&Section], on: NaiveDate, desk: &Desk<'_>) -> Vec<Closing> {
    let until = on.checked_add_days(Days::new(AHEAD)).unwrap_or(on);
    let soon = sections.iter().filter_map(|section| {
        let closes = closing(section.start, round(section, desk)?)?;
        (closes <= until).then_some((closes, section))
    });
    let mut soon: Vec<_> = soon.collect();
    soon.sort_by_key(|(closes, section)| (*closes, &section.code));
    let line = |(closes, section): (NaiveDate, &&Section)| Closing {
        code: section.code.0.clone(),
        closes: words::date(closes),
        overdue: closes < on,
        running: section.games.iter().filter(|g| g.settled().is_none()).count(),
    };
    soon.into_iter().map(line).collect()
}

/// Returns the entries that are not out before it is settled who fills up the next round's last section (Rule 3).
pub fn candidates(tournament: &Tournament, entries: &[&Entry], desk: &Desk<'_>) -> Vec<Candidate> {
    let waiting = entries.iter().filter(|entry| entry.state == EntryState::Assigned);
    let line = |entry: &&Entry| {
        let last = progress::reached(desk.state, entry).checked_sub(1)?;
        let score = progress::score(desk.state, entry, last).filter(|score| score.complete)?;
        let round = tournament.rounds.get(last)?;
        (round.fill == Some(score.points)).then(|| Candidate {
            entry: entry.id.0.clone(),
            player: words::spoken(&member_name(desk.state, &entry.member)),
            points: table::points(score.points),
            section: score.section.map(|section| section.code.0.clone()),
        })
    };
    waiting.filter_map(line).collect()
}

/// Returns the prizes that were announced on the day of the last summary or later.
pub fn announced(
    tournament: &Tournament,
    since: Option<NaiveDate>,
    desk: &Desk<'_>,
) -> Vec<Announced> {
    let lists = desk.state.prizes.values().filter(|list| list.event == tournament.id);
    let new = lists.filter(|list| since.is_none_or(|since| list.on >= since));
    new.map(|list| prizes(tournament, list, desk)).collect()
}

fn prizes(tournament: &Tournament, list: &PrizeList, desk: &Desk<'_>) -> Announced {
    let money = |amount: Decimal| words::amount(amount, &tournament.entry.currency);
    let name = |id: &EntryId| {
        let entry = desk.state.entries.get(id);
        entry.map_or_else(String::new, |e| words::spoken(&member_name(desk.state, &e.member)))
    };
    let places = list.places.iter().filter(|prize| !prize.amount.is_zero()).map(|prize| {
        let (place, amount) = (prize.place, money(prize.amount));
        format!("{place:>2}  {amount:>9}  {} ({})", name(&prize.entry), prize.entry)
    });
    Announced {
        section: list.section.as_ref().map(|code| code.0.clone()),
        on: words::date(list.on),
        assigned: list.entries_assigned,
        fund: money(list.fund),
        places: places.collect(),
        undistributed: Some(money(list.undistributed)).filter(|_| !list.undistributed.is_zero()),
    }
}

/// Returns who is on leave, or will be before long (Rule 10).
pub fn on_leave(on: NaiveDate, desk: &Desk<'_>) -> Vec<LeaveLine> {
    let until = on.checked_add_days(Days::new(AHEAD)).unwrap_or(on);
    let all = desk.state.leaves.values().flatten();
    let mut near: Vec<&Leave> = all.filter(|l| l.to >= on && l.from <= until).collect();
    near.sort_by_key(|leave| (leave.from, leave.to, &leave.member));
    let line = |leave: &Leave| LeaveLine {
        player: words::spoken(&member_name(desk.state, &leave.member)),
        from: words::date(leave.from),
        to: words::date(leave.to),
    };
    near.into_iter().map(line).collect()
}
