//! Rule 3: who advances, who is out, and when a section is complete. It looks at a section as it will be after the
//! outcomes that are being decided, and at every outcome anew: a result that is ruled later may send somebody on who
//! was out, and one who has been sent on is taken back by nobody but the director. Who waits on exactly the points
//! with which a round may be filled is decided in `filling.rs`.

use super::{awards, filling};
use crate::domain::{
    crosstable::{Row, crosstable},
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind},
    event::{Advance, Event},
    ids::{EntryId, SectionCode},
    points::Points,
    progress,
    section::{Entry, EntryState, Section},
    state::State,
    tournament::{Round, Rules, Tournament},
};

/// Decides what follows for a section from outcomes that have just come to stand (Rule 3).
pub(super) fn follow(decision: &mut Decision<'_>, after: &Section) {
    let rules = decision.rules;
    let Some(tournament) = rules.tournaments.get(&after.tournament) else { return };
    if after.is_settled() && !after.complete {
        decision.push(Event::SectionCompleted { section: after.code.clone() });
    }
    let Some(round) = tournament.rounds.get(after.round) else { return };
    if after.round + 1 < tournament.rounds.len() {
        advance(decision, tournament, round, after);
    } else if after.is_settled() {
        finish(decision, tournament, after);
    }
}

fn advance(decision: &mut Decision<'_>, tournament: &Tournament, round: &Round, after: &Section) {
    let state = decision.state;
    let now = qualified(round, after);
    // Announced as soon as it is certain, even if games still run in the section.
    for (row, why) in &now {
        send(decision, after, row, *why);
    }
    let before = state.sections.get(&after.code).map(|s| qualified(round, s)).unwrap_or_default();
    doubt(decision, tournament, after, &before, &now);
    if !after.is_settled() {
        return;
    }
    let open = nobody_item(state, &after.code).map(|item| item.item);
    match (now.first(), open) {
        (None, Some(_)) => return,
        (Some((row, _)), Some(item)) => {
            decision.close(item, &row.entry.0, "a later result has decided it");
        }
        (None, None) if put_nobody(decision, tournament, round, after) => return,
        _ => {}
    }
    let sent: Vec<&EntryId> = now.iter().map(|(row, _)| &row.entry).collect();
    eliminate(decision, tournament, after, &sent);
}

/// Returns who of a section has what leads on: whoever reached the points for it or, where nobody did and all is
/// played, those with the next best (Rule 3).
fn qualified(round: &Round, section: &Section) -> Vec<(Row, Advance)> {
    let Some(enough) = round.advance else { return Vec::new() };
    let rows = crosstable(section);
    if section.is_settled() && rows.iter().all(|row| row.settled < enough) {
        let next = rows.into_iter().filter(|row| Some(row.settled) == round.otherwise);
        return next.map(|row| (row, Advance::NextBest)).collect();
    }
    let reached = rows.into_iter().filter(|row| row.settled >= enough);
    reached.map(|row| (row, Advance::Points)).collect()
}

/// Returns where an entry stands: one that is withdrawn in this very decision does not play any more (Rule 10).
fn stands(decision: &Decision<'_>, entry: &Entry) -> EntryState {
    let leaves =
        |event: &Event| matches!(event, Event::EntryWithdrawn { entry: e } if e == &entry.id);
    if decision.events().iter().any(leaves) { EntryState::Withdrawn } else { entry.state }
}

/// Tells whether this round is the last one that an entry has begun.
fn is_here(state: &State, entry: &Entry, round: usize) -> bool {
    progress::reached(state, entry) == round + 1
}

/// Sends on one of a section who still plays or waits there, or was out; nobody is sent twice.
fn send(decision: &mut Decision<'_>, section: &Section, row: &Row, why: Advance) {
    let state = decision.state;
    let may_go = |entry: &Entry| {
        matches!(stands(decision, entry), EntryState::Assigned | EntryState::Eliminated)
            && is_here(state, entry, section.round)
    };
    if state.entries.get(&row.entry).is_some_and(may_go) {
        decision.push(Event::EntryAdvanced {
            entry: row.entry.clone(),
            section: Some(section.code.clone()),
            points: row.settled,
            why,
        });
        awards::take_back(decision, &row.entry);
    }
}

/// Decides for all of a complete section but those who go on: out, or waiting for the question who fills the next
/// round (Rules 3 and 4).
fn eliminate(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    section: &Section,
    sent: &[&EntryId],
) {
    let state = decision.state;
    let fill = tournament.rounds.get(section.round).and_then(|round| round.fill);
    for row in crosstable(section).iter().filter(|row| !sent.contains(&&row.entry)) {
        let Some(entry) = state.entries.get(&row.entry) else { continue };
        let waits = Some(row.settled) == fill;
        match stands(decision, entry) {
            _ if !is_here(state, entry, section.round) => {}
            EntryState::Assigned if !waits => out(decision, tournament, section, row),
            EntryState::Eliminated if waits => wait_again(decision, tournament, section, row),
            _ => {}
        }
    }
    leave(decision, tournament, section);
}

fn out(decision: &mut Decision<'_>, tournament: &Tournament, section: &Section, row: &Row) {
    decision.push(Event::EntryEliminated {
        entry: row.entry.clone(),
        section: Some(section.code.clone()),
        points: row.settled,
    });
    awards::for_eliminated(decision, tournament, &row.entry, section.round, Some(&section.code));
}

/// A later ruling gives an entry that was out the points to fill up with: it waits like the others who have them, as
/// long as the question is open.
fn wait_again(decision: &mut Decision<'_>, tournament: &Tournament, section: &Section, row: &Row) {
    let before = decision.state.sections.get(&section.code);
    let had = before.and_then(|s| crosstable(s).into_iter().find(|r| r.entry == row.entry));
    let round = section.round;
    if had.is_some_and(|had| had.settled != row.settled)
        && !filling::is_settled(decision.state, tournament, round, decision.now.today)
    {
        decision.push(Event::EntryTakenBack(row.entry.clone()));
    }
}

/// What a complete section's losers have, those who left it before its end have too (Rule 4).
fn leave(decision: &mut Decision<'_>, tournament: &Tournament, section: &Section) {
    let state = decision.state;
    let sat = state.entries.values().filter(|e| e.sections.last() == Some(&section.code));
    let left = sat.filter(|e| stands(decision, e) == EntryState::Withdrawn);
    for entry in left.collect::<Vec<_>>() {
        awards::for_eliminated(decision, tournament, &entry.id, section.round, Some(&section.code));
    }
}

/// The last round is played: everybody who sat it out has finished.
fn finish(decision: &mut Decision<'_>, tournament: &Tournament, after: &Section) {
    let state = decision.state;
    for (_, seated) in after.each_seat() {
        let entry = state.entries.get(&seated.entry);
        let plays = |e: &Entry| {
            stands(decision, e) == EntryState::Assigned && is_here(state, e, after.round)
        };
        if entry.is_some_and(plays) {
            decision.push(Event::EntryFinished { entry: seated.entry.clone() });
            awards::for_finished(decision, tournament, &seated.entry, after);
        }
    }
}

fn nobody_item<'a>(state: &'a State, section: &SectionCode) -> Option<&'a Item> {
    let mut open = state.open_of_kind(ItemKind::NobodyAdvances);
    open.find(|item| item.about.section.as_ref() == Some(section))
}

/// Nobody has the points, nor the next best: the director may take somebody (Rule 3). He is asked once, and not where
/// somebody has gone on already or nobody is left who could.
fn put_nobody(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    round: &Round,
    section: &Section,
) -> bool {
    let state = decision.state;
    let asks = |item: &Item| {
        item.kind == ItemKind::NobodyAdvances && item.about.section.as_ref() == Some(&section.code)
    };
    let asked = state.docket.values().any(|(item, _)| asks(item));
    let entry = |row: &Row| state.entries.get(&row.entry);
    let went_on = |row: &Row| {
        entry(row)
            .is_some_and(|e| e.state == EntryState::Advanced || !is_here(state, e, section.round))
    };
    let mut best = crosstable(section);
    if asked || best.iter().any(went_on) {
        return false;
    }
    let plays = |e: &Entry| {
        stands(decision, e) == EntryState::Assigned && !state.died.contains_key(&e.member)
    };
    best.retain(|row| entry(row).is_some_and(plays));
    best.sort_by(|a, b| b.settled.cmp(&a.settled).then(a.seat.cmp(&b.seat)));
    if best.is_empty() {
        return false;
    }
    let needed = round.otherwise.or(round.advance).unwrap_or_default();
    let alone = best.get(1).is_none_or(|second| second.settled < best[0].settled);
    let entries = best.iter().map(|row| row.entry.to_string());
    let matter = Matter {
        rule: 3,
        about: about_section(tournament, section),
        choices: entries.chain(["nobody".to_owned()]).collect(),
        recommended: alone.then(|| best[0].entry.to_string()),
        evidence: std::iter::once(format!("Nobody in {} has {needed} points.", section.code))
            .chain(best.iter().map(|row| format!("{} scored {}.", row.entry, row.settled)))
            .collect(),
        ..Matter::default()
    };
    decision.open(ItemKind::NobodyAdvances, matter);
    true
}

fn about_section(tournament: &Tournament, section: &Section) -> About {
    About {
        event: Some(tournament.id.clone()),
        section: Some(section.code.clone()),
        ..About::default()
    }
}

/// Does what the director chose for a section from which nobody advances; the others are out then (Rule 3).
pub(super) fn settle_nobody(decision: &mut Decision<'_>, item: &Item, choice: &str) {
    let state = decision.state;
    let section = item.about.section.as_ref().and_then(|code| state.sections.get(code));
    let Some(section) = section else { return };
    let Some(tournament) = decision.rules.tournaments.get(&section.tournament) else { return };
    let rows = crosstable(section);
    let taken = rows.iter().find(|row| row.entry.0 == choice);
    if let Some(row) = taken {
        send(decision, section, row, Advance::Ruling);
    }
    let sent: Vec<&EntryId> = taken.iter().map(|row| &row.entry).collect();
    eliminate(decision, tournament, section, &sent);
}

/// An entry has been sent on, and a later outcome leaves it without what it was sent on for: it stays where it is, and
/// the director is told (Rules 3 and 7).
fn doubt(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    after: &Section,
    before: &[(Row, Advance)],
    now: &[(Row, Advance)],
) {
    let state = decision.state;
    let has_it = |entry: &EntryId| now.iter().any(|(row, _)| &row.entry == entry);
    let open = |entry: &EntryId| {
        let mut open = state.open_of_kind(ItemKind::AdvancementInDoubt);
        open.find(|i| {
            i.about.entry.as_ref() == Some(entry) && i.about.section.as_ref() == Some(&after.code)
        })
    };
    for (row, _) in now {
        if let Some(item) = open(&row.entry) {
            decision.close(item.item, "keep", "a later result has decided it");
        }
    }
    for (row, _) in before.iter().filter(|(row, _)| !has_it(&row.entry)) {
        let Some(entry) = state.entries.get(&row.entry) else { continue };
        let sits = !is_here(state, entry, after.round);
        if open(&row.entry).is_none() && (sits || entry.state == EntryState::Advanced) {
            put_doubt(decision, tournament, after, entry, row.settled);
        }
    }
}

fn put_doubt(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    after: &Section,
    entry: &Entry,
    had: Points,
) {
    let id = &entry.id;
    let sits = !is_here(decision.state, entry, after.round);
    let has = crosstable(after).into_iter().find(|row| &row.entry == id);
    let has = has.map(|row| row.settled).unwrap_or_default();
    let stands = if sits { "plays in the next round" } else { "waits for the next round" };
    let offered: &[&str] = if sits { &["keep"] } else { &["keep", "take-back"] };
    let matter = Matter {
        rule: 3,
        about: About { entry: Some(id.clone()), ..about_section(tournament, after) },
        choices: choices(offered),
        recommended: sits.then(|| "keep".to_owned()),
        evidence: vec![
            format!("{id} advanced from {} with {had} points and {stands}.", after.code),
            format!("By a later ruling it has {has} there, and others may have more."),
        ],
        ..Matter::default()
    };
    decision.open(ItemKind::AdvancementInDoubt, matter);
}

/// Takes back an advancement that a later ruling called in question, or lets it be (Rules 3 and 7). Who sits in the
/// next round by now stays there.
pub(super) fn settle_doubt(decision: &mut Decision<'_>, item: &Item, choice: &str) {
    let state = decision.state;
    let section = item.about.section.as_ref().and_then(|code| state.sections.get(code));
    let entry = item.about.entry.as_ref().and_then(|id| state.entries.get(id));
    let (Some(section), Some(entry), "take-back") = (section, entry, choice) else { return };
    let Some(tournament) = decision.rules.tournaments.get(&section.tournament) else { return };
    if entry.state != EntryState::Advanced || !is_here(state, entry, section.round) {
        return;
    }
    decision.push(Event::EntryTakenBack(entry.id.clone()));
    let row = crosstable(section).into_iter().find(|row| row.entry == entry.id);
    let fill = tournament.rounds.get(section.round).and_then(|round| round.fill);
    let settled = filling::is_settled(state, tournament, section.round, decision.now.today);
    if let Some(row) = row.filter(|_| section.complete)
        && (Some(row.settled) != fill || settled)
    {
        out(decision, tournament, section, &row);
    }
}

/// Says why an entry cannot be sent on by the director's word (Rules 3 and 7).
///
/// # Errors
/// The sentence for the director.
pub fn check_take(rules: &Rules, state: &State, entry: &EntryId) -> Result<(), String> {
    let held = state.entries.get(entry).ok_or_else(|| format!("there is no entry {entry}"))?;
    let reached = progress::reached(state, held);
    let rounds = rules.tournaments.get(&held.tournament).map_or(0, |t| t.rounds.len());
    let score = reached.checked_sub(1).and_then(|round| progress::score(state, held, round));
    match held.state {
        _ if state.died.contains_key(&held.member) => {
            Err(format!("the player of {entry} has died"))
        }
        _ if reached >= rounds => Err(format!("there is no round after the one {entry} played")),
        EntryState::Advanced => Err(format!("{entry} has advanced already")),
        EntryState::Assigned | EntryState::Eliminated | EntryState::Finished => match score {
            Some(score) if score.complete => Ok(()),
            Some(_) => Err(format!("the section of {entry} is not complete")),
            None => Err(format!("{entry} has played nowhere")),
        },
        other => Err(format!("{entry} is {}", other.text())),
    }
}

/// Sends an entry on by the director's word, whatever it scored (Rules 3 and 7). What [`check_take`] refuses changes
/// nothing.
pub(in crate::domain) fn take(decision: &mut Decision<'_>, entry: &EntryId) {
    let state = decision.state;
    if check_take(decision.rules, state, entry).is_err() {
        return;
    }
    let Some(held) = state.entries.get(entry) else { return };
    let last = progress::reached(state, held).checked_sub(1);
    let Some(score) = last.and_then(|round| progress::score(state, held, round)) else { return };
    decision.push(Event::EntryAdvanced {
        entry: entry.clone(),
        section: score.section.map(|s| s.code.clone()),
        points: score.settled,
        why: Advance::Ruling,
    });
    awards::take_back(decision, entry);
}
