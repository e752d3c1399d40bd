//! Rule 6: weighted points, exact, and the standings by them. Used for prizes only, never for advancing. Where each
//! section has its own prizes the standings are those of the sections. Who wins what is `prizes.rs`.

use super::ending;
use crate::domain::{
    ids::{EntryId, MemberId, SectionCode},
    points::Points,
    progress,
    section::{Entry, EntryState},
    state::State,
    tournament::{PrizeOrder, Tournament},
};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use std::fmt::Write as _;

/// A line of the standings: one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The place; entries with the same total share it.
    pub place: usize,
    /// The entry.
    pub entry: EntryId,
    /// Whose it is.
    pub member: MemberId,
    /// The section within which the place counts, where each section has its own prizes.
    pub section: Option<SectionCode>,
    /// The points of each round; none for those that were not reached.
    pub points: Vec<Option<Points>>,
    /// The weighted total (Rule 6).
    pub weighted: Decimal,
    /// How many games of all rounds were lost by forfeit (Rule 10).
    pub forfeit_losses: usize,
    /// Whether the entry has a right to prize money, or may still get it (Rule 4).
    pub prize_eligible: bool,
    /// Where the entry stands.
    pub state: EntryState,
}

/// Returns the weighted total of the points of each round: a win counts the round's weight, a draw half of it (Rule 6).
pub fn weighted(tournament: &Tournament, points: &[Option<Points>]) -> Decimal {
    let rounds = tournament.rounds.iter().zip(points);
    // The halves of all rounds are added before they are halved, so that nothing is ever rounded.
    let halves = rounds.map(|(round, points)| {
        round.weight * Decimal::from(points.map_or(0, |points| points.halves))
    });
    halves.sum::<Decimal>() / Decimal::TWO
}

/// Returns how a total comes about: `6 x 1.0 + 5.5 x 2.2 + 4 x 4.5 = 36.10` (Rule 6).
pub fn worked(tournament: &Tournament, points: &[Option<Points>]) -> String {
    let mut sum = String::new();
    for (round, points) in tournament.rounds.iter().zip(points) {
        let Some(points) = points else { continue };
        let plus = if sum.is_empty() { "" } else { " + " };
        let _ = write!(sum, "{plus}{points} x {}", round.weight);
    }
    let total = two_places(weighted(tournament, points));
    if sum.is_empty() { total } else { format!("{sum} = {total}") }
}

/// Returns an amount or a total with two places, or more where it has more.
pub fn two_places(amount: Decimal) -> String {
    let mut amount = amount.normalize();
    if amount.scale() < 2 {
        amount.rescale(2);
    }
    amount.to_string()
}

/// Returns how many entries were assigned (Rule 5): those that were placed in a section of the first round, a substitute
/// and whom he replaced both; or what the director says where those sections are lost.
pub fn assigned(tournament: &Tournament, state: &State) -> u32 {
    if let Some(fixed) = state.assigned.get(&tournament.id) {
        return *fixed;
    }
    let placed = |entry: &&Entry| {
        let mut sections = entry.sections.iter().filter_map(|code| state.sections.get(code));
        sections.any(|section| section.round == 0) || entry.carried.iter().any(|c| c.round == 0)
    };
    let entries = state.entries.values().filter(|entry| entry.tournament == tournament.id);
    u32::try_from(entries.filter(placed).count()).unwrap_or(u32::MAX)
}

/// Returns the standings of a tournament: every entry that was ever assigned, by weighted points over all rounds, or
/// section by section where each has its own prizes (Rule 6).
pub fn standings(tournament: &Tournament, state: &State, today: NaiveDate) -> Vec<Standing> {
    let over = ending::is_over(tournament, state, today);
    let entries = state.entries.values().filter(|entry| entry.tournament == tournament.id);
    let begun = entries.filter(|entry| !entry.sections.is_empty() || !entry.carried.is_empty());
    let mut rows: Vec<Standing> =
        begun.map(|entry| standing(tournament, state, entry, over)).collect();
    rows.sort_by(|a, b| {
        let sections = a.section.cmp(&b.section);
        sections.then(b.weighted.cmp(&a.weighted)).then_with(|| a.entry.cmp(&b.entry))
    });
    place(&mut rows);
    rows
}

fn standing(tournament: &Tournament, state: &State, entry: &Entry, over: bool) -> Standing {
    let rounds = 0..tournament.rounds.len();
    let scores: Vec<_> = rounds.map(|round| progress::score(state, entry, round)).collect();
    let points: Vec<_> = scores.iter().map(|score| score.as_ref().map(|s| s.points)).collect();
    let forfeit_losses = scores.iter().flatten().map(|score| score.forfeit_losses).sum();
    let section = match tournament.prizes.by {
        PrizeOrder::WeightedPoints => None,
        PrizeOrder::SectionPoints => entry.sections.last().cloned(),
    };
    let listed = section.as_ref().and_then(|code| state.sections.get(code));
    let over = over || listed.is_some_and(|section| ending::section_is_over(state, section));
    let completed = scores.iter().all(|score| score.as_ref().is_some_and(|s| s.complete));
    Standing {
        place: 0,
        entry: entry.id.clone(),
        member: entry.member.clone(),
        section,
        weighted: weighted(tournament, &points),
        points,
        forfeit_losses,
        prize_eligible: forfeit_losses == 0 && may_win(entry.state, completed, over),
        state: entry.state,
    }
}

/// Rule 4: only an entry that completed all rounds can win prize money. As long as the tournament runs, those that may
/// still complete them have the right.
const fn may_win(state: EntryState, completed: bool, over: bool) -> bool {
    match state {
        EntryState::Refused
        | EntryState::Eliminated
        | EntryState::Withdrawn
        | EntryState::CarriedForward => false,
        EntryState::Finished => completed,
        EntryState::Received
        | EntryState::Docket
        | EntryState::AwaitingPayment
        | EntryState::Waiting
        | EntryState::Assigned
        | EntryState::Advanced => completed || !over,
    }
}

/// Gives places to rows in order: equal totals share the better one (3, 3, 5).
fn place(rows: &mut [Standing]) {
    for rows in rows.chunk_by_mut(|a, b| a.section == b.section) {
        let mut before = None;
        for (n, row) in rows.iter_mut().enumerate() {
            row.place = match before {
                Some((place, total)) if total == row.weighted => place,
                _ => n + 1,
            };
            before = Some((row.place, row.weighted));
        }
    }
}
