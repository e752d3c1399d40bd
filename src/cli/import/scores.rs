//! Scores of rounds whose crosstables are lost: what an entry scored there stands in for the section.

use super::rows::{Row, Sheet, Trouble};
use crate::{
    cli::home::Home,
    domain::{
        acts::Carried,
        command::Command,
        ids::EntryId,
        points::Points,
        progress,
        section::Entry,
        state::State,
        tournament::{Round, Tournament},
    },
};
use std::collections::BTreeMap;

pub(super) fn scores(
    sheet: &Sheet,
    state: &State,
    home: &Home,
    trouble: &mut Trouble,
) -> Vec<Command> {
    let mut told: BTreeMap<(usize, EntryId), (u64, Carried)> = BTreeMap::new();
    let mut carried = Vec::new();
    for row in &sheet.rows {
        let Some(score) = score(sheet, row, state, home, trouble) else { continue };
        let line = row.line();
        let key = (score.round, score.entry.clone());
        match told.get(&key) {
            Some((line, before)) if before != &score => {
                let why = format!("line {line} has another score of {} in this round", score.entry);
                sheet.blame(trouble, row, "points", &why);
            }
            Some(_) => {}
            None => {
                told.insert(key, (line, score.clone()));
                carried.push(score);
            }
        }
    }
    // The earlier rounds first, whatever the order of the file: each leads to the next.
    carried.sort_by_key(|score| score.round);
    carried.into_iter().map(Command::CarryScore).collect()
}

fn score(
    sheet: &Sheet,
    row: &Row,
    state: &State,
    home: &Home,
    trouble: &mut Trouble,
) -> Option<Carried> {
    let entry = known_entry(sheet, row, state, trouble);
    let tournament = entry.and_then(|e| home.config.rules.tournaments.get(&e.tournament));
    let round = tournament.and_then(|tournament| round(sheet, row, tournament, trouble));
    let points: Option<Points> = sheet.need(trouble, row, "points", "points such as 4 or 4.5");
    let losses = sheet.may(trouble, row, "forfeit_losses", "a number of games, or empty");
    let (entry, (number, round), points) = (entry?, round?, points?);
    let score = Carried {
        entry: entry.id.clone(),
        round: number,
        points,
        forfeit_losses: losses.unwrap_or(0),
    };
    check(sheet, row, round, &score, trouble);
    compare(sheet, row, state, entry, &score, trouble);
    Some(score)
}

/// Returns the entry of a row; one that the books do not have is blamed.
fn known_entry<'a>(
    sheet: &Sheet,
    row: &Row,
    state: &'a State,
    trouble: &mut Trouble,
) -> Option<&'a Entry> {
    let id: String = sheet.need(trouble, row, "entry", "an entry such as GK2019-031")?;
    let entry = state.entries.get(&EntryId(id.clone()));
    if entry.is_none() {
        let why = format!("the books do not have entry {id}; import the entries first");
        sheet.blame(trouble, row, "entry", &why);
    }
    entry
}

/// Returns the round of a row, which stands there by its name or its number.
fn round<'a>(
    sheet: &Sheet,
    row: &Row,
    tournament: &'a Tournament,
    trouble: &mut Trouble,
) -> Option<(usize, &'a Round)> {
    let rounds = || tournament.rounds.iter().enumerate();
    let names: Vec<&str> = rounds().map(|(_, round)| round.name.as_str()).collect();
    let right = format!("a round: {}, or its number", names.join(", "));
    let text: String = sheet.need(trouble, row, "round", &right)?;
    let number = text.parse().ok();
    let found =
        rounds().find(|(n, round)| round.name.eq_ignore_ascii_case(&text) || number == Some(n + 1));
    if found.is_none() {
        sheet.blame(trouble, row, "round", &format!("`{text}`; it must be {right}"));
    }
    found
}

/// Nobody scores more than he has games, and what was lost by forfeit was not won.
fn check(sheet: &Sheet, row: &Row, round: &Round, score: &Carried, trouble: &mut Trouble) {
    let games = u16::from(round.size.saturating_sub(1)) * u16::from(round.games_per_pair);
    let losses = u16::from(score.forfeit_losses);
    if score.points.halves > games * 2 {
        let why = format!("{} points of {games} games cannot be", score.points);
        sheet.blame(trouble, row, "points", &why);
    } else if losses > games || score.points.halves > (games - losses) * 2 {
        let why = format!("{losses} games lost by forfeit leave no {} points", score.points);
        sheet.blame(trouble, row, "forfeit_losses", &why);
    }
}

/// The same score again changes nothing; another one, or a section of that round, contradicts it.
fn compare(
    sheet: &Sheet,
    row: &Row,
    state: &State,
    entry: &Entry,
    score: &Carried,
    trouble: &mut Trouble,
) {
    let Some(known) = progress::score(state, entry, score.round) else { return };
    let losses = usize::from(score.forfeit_losses);
    if let Some(section) = known.section {
        let why = format!("{} sits in {} in this round; its games count", entry.id, section.code);
        sheet.blame(trouble, row, "entry", &why);
    } else if known.points != score.points {
        let why = format!("the books have {} points in this round", known.points);
        sheet.blame(trouble, row, "points", &why);
    } else if known.forfeit_losses != losses {
        let why = format!("the books have {} games lost by forfeit", known.forfeit_losses);
        sheet.blame(trouble, row, "forfeit_losses", &why);
    }
}
