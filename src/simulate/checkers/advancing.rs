//! Rule 3, by brute force from the results: who has the points goes on, who has the next best goes on where nobody has
//! them, a section is filled with those who scored so much and the best of them first, and everybody else is out once
//! that is settled, and not before.

use super::{Case, Found, Ledger, ledger::SectionLine};
use crate::{
    domain::{
        docket::ItemKind,
        event::{Advance, Event},
        ids::{EntryId, SectionCode},
        tournament::Round,
    },
    store::transaction::{Cause, Transaction},
};
use chrono::NaiveDate;
use std::collections::BTreeMap;

/// Half points that a round asks for.
struct Asked {
    enough: u16,
    otherwise: Option<u16>,
    fill: Option<u16>,
}

fn asked(case: &Case, round: usize) -> Option<Asked> {
    case.tournament.rounds.get(round + 1)?;
    let Round { advance, otherwise, fill, .. } = case.tournament.rounds.get(round)?;
    Some(Asked {
        enough: advance.as_ref()?.halves,
        otherwise: otherwise.map(|points| points.halves),
        fill: fill.map(|points| points.halves),
    })
}

pub(super) fn check(case: &Case, whole: &Ledger<'_>, found: &mut Found) {
    let mut ledger = Ledger::default();
    for transaction in &case.transactions {
        let day = case.day(transaction);
        for event in &transaction.events {
            ledger.follow(day, event);
        }
        for event in &transaction.events {
            match event {
                Event::EntryAdvanced { entry, section: Some(section), why, .. } => {
                    check_advance(case, &ledger, transaction, (entry, section, *why), found);
                }
                Event::EntryEliminated { entry, section: Some(section), .. } => {
                    check_elimination(case, &ledger, day, entry, section, found);
                }
                Event::SectionCompleted { section } => {
                    check_complete(case, &ledger, transaction, section, found);
                }
                _ => {}
            }
        }
    }
    if case.whole {
        check_end(case, whole, found);
    }
}

fn halves(line: &SectionLine<'_>) -> BTreeMap<EntryId, u16> {
    line.each().map(|(seat, entry)| (entry.clone(), line.score(seat).0)).collect()
}

fn check_advance(
    case: &Case,
    ledger: &Ledger<'_>,
    transaction: &Transaction,
    (entry, section, why): (&EntryId, &SectionCode, Advance),
    found: &mut Found,
) {
    let day = case.day(transaction);
    let Some(line) = ledger.sections.get(section) else {
        return found.wrong(day, format!("{entry} advances from {section}, which does not exist"));
    };
    let Some(asked) = asked(case, line.round) else {
        return found.wrong(
            day,
            format!("{entry} advances from {section}, behind which there is no round"),
        );
    };
    let scores = halves(line);
    let own = scores.get(entry).copied();
    let right = match why {
        Advance::Points => own.is_some_and(|own| own >= asked.enough),
        Advance::NextBest => {
            line.is_settled()
                && own == asked.otherwise
                && scores.values().all(|score| *score < asked.enough)
        }
        Advance::Fill => own == asked.fill && is_ruled(transaction),
        Advance::Ruling => is_ruled(transaction),
    };
    if !right {
        let own = own.unwrap_or(0);
        found.wrong(
            day,
            format!("{entry} advances from {section} by {why:?} with {own} half points"),
        );
    }
}

fn is_ruled(transaction: &Transaction) -> bool {
    matches!(transaction.cause, Cause::Director { .. })
}

/// With 4 points nobody is out while he may still be needed to fill a section of the next round.
fn check_elimination(
    case: &Case,
    ledger: &Ledger<'_>,
    day: NaiveDate,
    entry: &EntryId,
    section: &SectionCode,
    found: &mut Found,
) {
    let Some(line) = ledger.sections.get(section) else { return };
    let Some(asked) = asked(case, line.round) else {
        return found.wrong(day, format!("{entry} is out after the last round, {section}"));
    };
    let own = halves(line).get(entry).copied().unwrap_or(0);
    if own >= asked.enough {
        found.wrong(
            day,
            format!("{entry} is out of {section} with {own} half points, which are enough"),
        );
    }
    if !line.is_settled() {
        found.wrong(day, format!("{entry} is out of {section} while games run there"));
    }
    let runs = |(_, other): &(_, &SectionLine<'_>)| other.round == line.round && !other.complete;
    if Some(own) == asked.fill
        && let Some((running, _)) = ledger.sections.iter().find(runs)
    {
        found.wrong(day, format!("{entry} is out with {own} half points while {running} runs"));
    }
}

/// When a section is complete, those who go on by its table alone go on at once.
fn check_complete(
    case: &Case,
    ledger: &Ledger<'_>,
    transaction: &Transaction,
    section: &SectionCode,
    found: &mut Found,
) {
    let Some(line) = ledger.sections.get(section) else { return };
    let (Some(asked), day) = (asked(case, line.round), case.day(transaction)) else { return };
    let scores = halves(line);
    let best = scores.values().copied().max().unwrap_or(0);
    let enough = if best >= asked.enough { Some(asked.enough) } else { asked.otherwise };
    let mut nobody = true;
    for (entry, score) in &scores {
        let goes_on = enough.is_some_and(|enough| *score >= enough);
        nobody &= !goes_on;
        let Some(told) = ledger.entries.get(entry) else { continue };
        let left = told.withdrawn || told.substituted || ledger.died.contains(told.member);
        if goes_on && told.advanced <= line.round && !left {
            found.wrong(
                day,
                format!("{entry} has {score} half points in {section} and does not advance"),
            );
        }
    }
    let is_asked = |event: &Event| {
        matches!(event, Event::ItemOpened(item) if item.kind == ItemKind::NobodyAdvances
            && item.about.section.as_ref() == Some(section))
    };
    if nobody && !transaction.events.iter().any(is_asked) {
        found.wrong(day, format!("nobody goes on from {section} and the director is not asked"));
    }
}

/// In the end everybody who sat has come to an end, once.
fn check_end(case: &Case, ledger: &Ledger<'_>, found: &mut Found) {
    for (entry, line) in &ledger.entries {
        let Some(round) = line.seats.keys().copied().max() else { continue };
        let last = round + 1 == case.tournament.rounds.len();
        let ends = [line.eliminated, line.finished, line.withdrawn];
        let ended = ends.iter().filter(|end| **end).count();
        if ended == 0 && !line.substituted {
            found.wrong(
                case.last_day,
                format!("{entry} sat in round {} and has come to no end", round + 1),
            );
        }
        if line.eliminated && line.finished {
            found.wrong(case.last_day, format!("{entry} is out and has finished"));
        }
        if line.finished && !last && line.advanced <= round {
            found.wrong(case.last_day, format!("{entry} has finished before the last round"));
        }
    }
}
