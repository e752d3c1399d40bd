//! Rule 3: who advances, and when a section is complete. It looks at a section as it will be after the outcomes
//! that are being decided.

use crate::domain::{
    crosstable::{Row, crosstable},
    decide::{Decision, Matter},
    docket::{About, ItemKind},
    event::{Advance, Event},
    section::{EntryState, Section},
    tournament::{Round, Tournament},
};

/// Decides what follows for a section from outcomes that have just come to stand (Rule 3).
pub(super) fn follow(decision: &mut Decision<'_>, after: &Section) {
    let rules = decision.rules;
    let Some(tournament) = rules.tournaments.get(&after.tournament) else { return };
    let complete = after.is_settled() && !after.complete;
    if complete {
        decision.push(Event::SectionCompleted { section: after.code.clone() });
    }
    let Some(round) = tournament.rounds.get(after.round) else { return };
    if tournament.rounds.get(after.round + 1).is_none() {
        return;
    }
    advance(decision, tournament, round, after, complete);
}

fn advance(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    round: &Round,
    after: &Section,
    complete: bool,
) {
    let rows = crosstable(after);
    let Some(enough) = round.advance else { return };
    let reached: Vec<&Row> = rows.iter().filter(|row| row.settled >= enough).collect();
    // Announced as soon as it is certain, even if games still run in the section.
    send(decision, after, &reached, Advance::Points);
    if !complete || !reached.is_empty() {
        return;
    }
    let next: Vec<&Row> = rows.iter().filter(|row| Some(row.settled) == round.otherwise).collect();
    send(decision, after, &next, Advance::NextBest);
    if next.is_empty() {
        put_nobody(decision, tournament, round, after, &rows);
    }
}

/// Sends on those of a section who still play there; nobody is sent twice.
pub(super) fn send(decision: &mut Decision<'_>, section: &Section, rows: &[&Row], why: Advance) {
    for row in rows {
        let entry = decision.state.entries.get(&row.entry);
        if entry.is_some_and(|e| e.state == EntryState::Assigned) {
            decision.push(Event::EntryAdvanced {
                entry: row.entry.clone(),
                section: section.code.clone(),
                points: row.settled,
                why,
            });
        }
    }
}

fn put_nobody(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    round: &Round,
    section: &Section,
    rows: &[Row],
) {
    let mut best: Vec<&Row> = rows.iter().collect();
    best.sort_by(|a, b| b.settled.cmp(&a.settled).then(a.seat.cmp(&b.seat)));
    let entries = best.iter().map(|row| row.entry.to_string());
    let needed = round.otherwise.or(round.advance).unwrap_or_default();
    let matter = Matter {
        rule: 3,
        about: About {
            event: Some(tournament.id.clone()),
            section: Some(section.code.clone()),
            ..About::default()
        },
        choices: entries.chain(["nobody".to_owned()]).collect(),
        evidence: std::iter::once(format!("Nobody in {} has {needed} points.", section.code))
            .chain(best.iter().map(|row| format!("{} scored {}.", row.entry, row.settled)))
            .collect(),
        ..Matter::default()
    };
    decision.open(ItemKind::NobodyAdvances, matter);
}
