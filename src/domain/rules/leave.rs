//! Rule 10: leave. It stops a player's clocks in all his games from its first day to its last, both included, and is
//! announced to the opponents. Within the yearly allowance it is granted at once; beyond it the director decides. All
//! leave of a year counts towards the allowance, whoever granted it, and a day that two leaves share counts once.
//!
//! Whoever moves during his leave ends nothing by it: the move is played, costs him no day, and the clocks go on
//! standing until the last day.

use super::{guards, petitions};
use crate::domain::{
    acts::Leave,
    command::Petition,
    decide::{Decision, choices},
    docket::{Item, ItemKind},
    event::Event,
    ids::{ItemId, MemberId},
    intent::Intent,
    section::EntryState,
    state::State,
    tournament::Rules,
};
use chrono::{Datelike, Days, NaiveDate};
use std::collections::{BTreeMap, BTreeSet};

/// How many days in the past a leave may begin that nobody decides about.
const PAST_DAYS: u64 = 7;
/// How many days beyond the allowance of a year the director is still advised to grant.
const SLIGHTLY: u32 = 7;
/// The longest leave that is counted day by day; a longer one was mistyped.
const LONGEST_DAYS: i64 = 3 * 366;

/// What a leave would make of the allowance in a year.
struct Year {
    number: i32,
    /// Days of leave so far.
    used: u32,
    /// Days with the new leave.
    after: u32,
}

/// Says why leave cannot be granted: nobody of that number, or days that are no span.
///
/// # Errors
/// The sentence for the director.
pub fn check(
    state: &State,
    member: &MemberId,
    (from, to): (NaiveDate, NaiveDate),
) -> Result<(), String> {
    if !state.players.contains_key(member) {
        return Err(format!("the roster does not have member {member}"));
    }
    if to < from {
        return Err(format!("the last day of leave, {to}, is before the first, {from}"));
    }
    if (to - from).num_days() > LONGEST_DAYS {
        return Err(format!("from {from} to {to} is more than three years"));
    }
    Ok(())
}

/// Grants a player leave by the director's word, from the first day to the last, both included (Rule 10). What
/// [`check`] refuses changes nothing.
pub(in crate::domain) fn grant(
    decision: &mut Decision<'_>,
    member: &MemberId,
    days: (NaiveDate, NaiveDate),
    reason: &str,
) {
    if check(decision.state, member, days).is_ok() {
        push(decision, member, days, None, reason);
    }
}

fn push(
    decision: &mut Decision<'_>,
    member: &MemberId,
    (from, to): (NaiveDate, NaiveDate),
    allowance: Option<u16>,
    reason: &str,
) {
    let (member, reason) = (member.clone(), reason.to_owned());
    let allowed = allowance.is_some();
    decision.push(Event::LeaveGranted(Leave { member, from, to, allowed, reason }));
}

/// Takes a player's wish for leave (Rule 10).
pub(super) fn receive(decision: &mut Decision<'_>, petition: &Petition) {
    let Some(wish) = Wish::of(decision, petition, decision.now.today) else {
        petitions::file(decision, petition, petitions::Findings::default());
        return;
    };
    if !wish.goes_by_itself() {
        petitions::file(decision, petition, wish.findings());
        return;
    }
    push(decision, wish.member, wish.days, wish.allowance, "");
    let state = decision.state;
    let same = |item: &&Item| {
        item.about.player.as_ref() == Some(wish.member)
            && item.asked.as_deref() == Some(&petition.intent)
    };
    // He asked before, in a mail that nothing proved.
    let earlier: Vec<ItemId> =
        state.open_of_kind(ItemKind::LeaveAsked).filter(same).map(|item| item.item).collect();
    for item in earlier {
        decision.close(item, "grant", "within the allowance, and asked for again by the player");
        guards::drop_about(decision, item);
    }
}

/// Returns what the director is shown of a wish whose author is not proved.
pub(super) fn findings(decision: &Decision<'_>, petition: &Petition) -> petitions::Findings {
    let wish = Wish::of(decision, petition, decision.now.today);
    wish.map(|wish| wish.findings()).unwrap_or_default()
}

/// The player has confirmed that he asked for the leave of an item on a day: within the allowance it is granted now.
pub(super) fn confirm(decision: &mut Decision<'_>, item: &Item, on: NaiveDate) {
    let (Some(member), Some(intent)) = (&item.about.player, item.asked.as_deref()) else { return };
    let wish = days(intent).map(|days| Wish::on(decision, member, days, on));
    if let Some(wish) = wish.filter(Wish::goes_by_itself) {
        push(decision, member, wish.days, wish.allowance, "");
        decision.close(item.item, "grant", "within the allowance, and confirmed by the player");
    }
}

/// Leave that is asked for, with what the books say of it.
struct Wish<'a> {
    member: &'a MemberId,
    days: (NaiveDate, NaiveDate),
    allowance: Option<u16>,
    years: Vec<Year>,
    past: bool,
}

impl<'a> Wish<'a> {
    /// Returns the wish of a mail; none where it names no days that can be granted, or where nobody known asks.
    fn of(decision: &Decision<'_>, petition: &'a Petition, on: NaiveDate) -> Option<Self> {
        let (days, member) = days(&petition.intent).zip(petition.from.player.as_ref())?;
        check(decision.state, member, days).ok()?;
        Some(Self::on(decision, member, days, on))
    }

    fn on(
        decision: &Decision<'_>,
        member: &'a MemberId,
        days: (NaiveDate, NaiveDate),
        on: NaiveDate,
    ) -> Self {
        Self {
            member,
            days,
            allowance: allowance(decision.rules, decision.state, member),
            years: years(decision.state, member, days),
            past: days.0 + Days::new(PAST_DAYS) < on,
        }
    }

    /// Returns by how many days a year would be over the allowance; none where the player plays nowhere.
    fn over(&self) -> Option<u32> {
        let allowed = self.allowance?;
        self.years.iter().map(|year| year.over(allowed)).max()
    }

    /// Within the allowance nobody need decide.
    fn goes_by_itself(&self) -> bool {
        self.over() == Some(0) && !self.past
    }

    fn findings(&self) -> petitions::Findings {
        let lean = self.over().is_some_and(|over| over <= SLIGHTLY) && !self.past;
        petitions::Findings {
            evidence: evidence(&self.years, self.allowance, self.past),
            choices: Some(choices(&["grant", "refuse"])),
            recommended: lean.then(|| "grant".to_owned()),
            unproved: false,
        }
    }
}

/// Does what the director chose about leave that was asked for.
pub(super) fn settle(decision: &mut Decision<'_>, item: &Item, choice: &str, reason: &str) {
    let days = item.asked.as_deref().and_then(days);
    if let (Some(days), Some(member), "grant") = (days, &item.about.player, choice) {
        grant(decision, member, days, reason);
    }
}

const fn days(intent: &Intent) -> Option<(NaiveDate, NaiveDate)> {
    match intent {
        Intent::Leave { from: Some(from), to: Some(to) } => Some((*from, *to)),
        _ => None,
    }
}

impl Year {
    /// Returns by how many days a year would be over the allowance.
    fn over(&self, allowed: u16) -> u32 {
        self.after.saturating_sub(u32::from(allowed))
    }
}

/// Returns the days of leave that a player has in a calendar year, each counted once (Rule 10).
pub fn used(state: &State, member: &MemberId, year: i32) -> u32 {
    let held = state.leaves.get(member).into_iter().flatten();
    let days: BTreeSet<NaiveDate> = held.flat_map(|leave| each(leave.from, leave.to)).collect();
    count(&days, year)
}

fn count(days: &BTreeSet<NaiveDate>, year: i32) -> u32 {
    u32::try_from(days.iter().filter(|day| day.year() == year).count()).unwrap_or(u32::MAX)
}

fn each(from: NaiveDate, to: NaiveDate) -> impl Iterator<Item = NaiveDate> {
    from.iter_days().take_while(move |day| *day <= to)
}

fn years(state: &State, member: &MemberId, (from, to): (NaiveDate, NaiveDate)) -> Vec<Year> {
    let held = state.leaves.get(member).into_iter().flatten();
    let held = held.flat_map(|leave| each(leave.from, leave.to));
    let days: BTreeSet<NaiveDate> = held.chain(each(from, to)).collect();
    let year =
        |year| Year { number: year, used: used(state, member, year), after: count(&days, year) };
    (from.year()..=to.year()).map(year).collect()
}

/// Returns the days a year that a player may have without the director: the fewest of the tournaments he plays in; none
/// where he plays nowhere, so that there is nothing to stand still.
fn allowance(rules: &Rules, state: &State, member: &MemberId) -> Option<u16> {
    let entries = state.entries_of.get(member).into_iter().flatten();
    let entries = entries.filter_map(|id| state.entries.get(id));
    let plays = entries.filter(|e| {
        matches!(e.state, EntryState::Waiting | EntryState::Assigned | EntryState::Advanced)
    });
    let mut days: BTreeMap<_, u16> = BTreeMap::new();
    for entry in plays {
        if let Some(tournament) = rules.tournaments.get(&entry.tournament) {
            days.insert(&entry.tournament, tournament.leave.days_a_year);
        }
    }
    days.into_values().min()
}

fn evidence(years: &[Year], allowance: Option<u16>, past: bool) -> Vec<String> {
    let Some(allowed) = allowance else {
        return vec!["The player has no entry that plays or waits.".to_owned()];
    };
    let line = |year: &Year| {
        let Year { number, used, after } = year;
        let left = u32::from(allowed).saturating_sub(*used);
        let over = match year.over(allowed) {
            0 => "within the allowance".to_owned(),
            days => format!("{days} days over it"),
        };
        format!(
            "{number}: {used} of {allowed} days used, {left} left; with this leave it is {after}, \
             {over} (Rule 10)."
        )
    };
    let begun = past.then(|| "It would have begun more than a week ago.".to_owned());
    years.iter().map(line).chain(begun).collect()
}
