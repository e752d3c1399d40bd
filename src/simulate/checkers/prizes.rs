//! Rules 5 and 6: the prizes, to the cent. Totals, order, ties, what is scaled and what is left over are worked out here
//! from the games and compared with what was announced.

use super::{Case, Found, Ledger, awards::forfeits};
use crate::{
    domain::{
        event::Event,
        honours::PrizeList,
        ids::{EntryId, SectionCode},
        tournament::PrizeOrder,
    },
    store::transaction::Cause,
};
use chrono::NaiveDate;
use rust_decimal::{Decimal, prelude::ToPrimitive as _};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(case: &Case, whole: &Ledger<'_>, found: &mut Found) {
    let mut ledger = Ledger::default();
    let mut announced: BTreeSet<Option<&SectionCode>> = BTreeSet::new();
    for transaction in &case.transactions {
        let day = case.day(transaction);
        for event in &transaction.events {
            ledger.follow(day, event);
            let Event::PrizesAwarded(list) = event else { continue };
            let again = !announced.insert(list.section.as_ref());
            // The director may announce them anew after a late ruling.
            if again && !matches!(transaction.cause, Cause::Director { .. }) {
                found.wrong(day, "the prizes are announced a second time");
            }
            check_list(case, &ledger, list, day, found);
        }
    }
    if !case.whole {
        return;
    }
    let owed: BTreeSet<Option<&SectionCode>> = match case.tournament.prizes.by {
        PrizeOrder::WeightedPoints if whole.sections.is_empty() => BTreeSet::new(),
        PrizeOrder::WeightedPoints => BTreeSet::from([None]),
        PrizeOrder::SectionPoints => whole.sections.keys().map(|code| Some(*code)).collect(),
    };
    if announced != owed {
        found.wrong(
            case.last_day,
            format!("{} lists of prizes are owed, {} announced", owed.len(), announced.len()),
        );
    }
}

fn check_list(
    case: &Case,
    ledger: &Ledger<'_>,
    list: &PrizeList,
    day: NaiveDate,
    found: &mut Found,
) {
    let inside = |section: &SectionCode| list.section.as_ref().is_none_or(|only| only == section);
    let running = ledger.sections.iter().find(|(code, line)| inside(code) && !line.complete);
    if let Some((code, _)) = running {
        found.wrong(day, format!("prizes are announced while {code} runs"));
    }
    let assigned = ledger.entries.values().filter(|e| e.seats.contains_key(&0)).count();
    if list.section.is_none() && list.entries_assigned as usize != assigned {
        found.wrong(
            day,
            format!("{} entries are said to be assigned, {assigned} are", list.entries_assigned),
        );
    }
    let due = shares(case, &totals(case, ledger, list.section.as_ref()), assigned);
    let told: BTreeMap<&EntryId, i128> =
        list.places.iter().map(|p| (&p.entry, cents(p.amount))).filter(|(_, c)| *c > 0).collect();
    for entry in due.keys().chain(told.keys()).collect::<BTreeSet<_>>() {
        let (due, told) =
            (due.get(*entry).copied().unwrap_or(0), told.get(*entry).copied().unwrap_or(0));
        if due != told {
            found.wrong(
                day,
                format!("{entry} is due {due} cents of prize money and is given {told}"),
            );
        }
    }
    let sum: Decimal = list.places.iter().map(|p| p.amount).sum();
    if sum + list.undistributed != list.fund {
        found.wrong(
            day,
            format!(
                "prizes of {sum} and {} left over are not the fund, {}",
                list.undistributed, list.fund
            ),
        );
    }
}

/// Returns the weighted totals of those who have a right to a prize, the best first.
fn totals<'a>(
    case: &Case,
    ledger: &Ledger<'a>,
    only: Option<&SectionCode>,
) -> Vec<(Decimal, &'a EntryId)> {
    let rounds = &case.tournament.rounds;
    let mut totals = Vec::new();
    for (entry, line) in &ledger.entries {
        let seats: Vec<_> =
            line.seats.iter().filter(|(_, code)| only.is_none_or(|o| o == **code)).collect();
        let complete = if only.is_some() { !seats.is_empty() } else { seats.len() == rounds.len() };
        let lost = forfeits(ledger, entry, seats.iter().map(|(_, code)| **code));
        if !complete || line.withdrawn || lost > 0 {
            continue;
        }
        let mut total = Decimal::ZERO;
        for (round, code) in seats {
            let halves = ledger.score(code, entry).map_or(0, |(halves, _)| halves);
            let weight = if only.is_some() { Decimal::ONE } else { rounds[*round].weight };
            total += Decimal::from(halves) * weight / Decimal::TWO;
        }
        totals.push((total, *entry));
    }
    totals.sort_by_key(|(total, _)| std::cmp::Reverse(*total));
    totals
}

/// Shares the places' prizes: equals share what their places are worth together, in whole cents, rounded down.
fn shares<'a>(
    case: &Case,
    totals: &[(Decimal, &'a EntryId)],
    assigned: usize,
) -> BTreeMap<&'a EntryId, i128> {
    let prizes = &case.tournament.prizes;
    let (times, over) = match prizes.scaled_to_entries {
        Some(entries) => (assigned as i128, i128::from(entries)),
        None => (1, 1),
    };
    let mut shares = BTreeMap::new();
    for (place, (total, _)) in totals.iter().enumerate() {
        let equals: Vec<_> = totals.iter().filter(|(other, _)| other == total).collect();
        if place > 0 && totals[place - 1].0 == *total {
            continue;
        }
        let worth =
            prizes.places.iter().skip(place).take(equals.len()).map(|p| cents(*p)).sum::<i128>()
                * times;
        let share = worth / (over * equals.len() as i128);
        if share > 0 {
            shares.extend(equals.into_iter().map(|(_, entry)| (*entry, share)));
        }
    }
    shares
}

fn cents(amount: Decimal) -> i128 {
    (amount * Decimal::ONE_HUNDRED).to_i128().unwrap_or(i128::MIN)
}
