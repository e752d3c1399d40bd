//! Standings and prizes as text, for letters and for the terminal (Rules 5 and 6). Pure: who has which place is
//! `domain/rules/scoring.rs`, who has which prize `domain/rules/prizes.rs`.

use super::{
    table::{WIDTH, cut, points},
    view::words::{amount, clean},
};
use crate::domain::{
    ids::{EntryId, MemberId},
    rules::{
        prizes::Outlook,
        scoring::{Standing, two_places, worked},
    },
    state::State,
    tournament::Tournament,
};
use std::fmt::Write as _;

/// The narrowest that a name is cut to.
const NAME_MIN: usize = 10;
/// The widest that a name is let be.
const NAME_MAX: usize = 28;
/// The widest head of a round's column.
const ROUND_MAX: usize = 7;

/// Whether each total is followed by how it comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sums {
    /// `6 x 1.0 + 5.5 x 2.2 + 4 x 4.5 = 36.10` stands below each line.
    Worked,
    /// The totals alone.
    Plain,
}

/// Returns standings as a table: places, names, points of each round, totals, and a mark where there is no right to
/// prize money (Rules 4 and 6). Lines end in `\n` and are at most [`WIDTH`] wide.
pub fn standings(state: &State, tournament: &Tournament, rows: &[Standing], sums: Sums) -> String {
    let names: Vec<String> = rows.iter().map(|row| name(state, &row.entry, &row.member)).collect();
    let heads: Vec<String> = tournament.rounds.iter().map(|round| head(&round.name)).collect();
    let ids = widest(rows.iter().map(|row| row.entry.0.as_str())).max("Entry".len());
    let rounds: usize = heads.iter().map(|head| head.chars().count() + 2).sum();
    let room = WIDTH.saturating_sub("Place".len() + ids + rounds + "Weighted".len() + 8);
    let width = widest(names.iter().map(String::as_str)).clamp(6, room.clamp(NAME_MIN, NAME_MAX));
    let mut out = String::new();
    let columns = heads.join("  ");
    let _ = writeln!(out, "Place  {:width$}  {:ids$}  {columns}  Weighted", "Player", "Entry");
    let mut before = None;
    for (row, name) in rows.iter().zip(&names) {
        if row.section.is_some() && before != Some(&row.section) {
            let _ = writeln!(out, "\n{}", row.section.as_ref().map_or("", |code| &code.0));
        }
        before = Some(&row.section);
        let cells = row.points.iter().zip(&heads).map(|(scored, head)| {
            let scored = scored.map_or_else(|| "-".to_owned(), points);
            format!("  {scored:>0$}", head.chars().count())
        });
        let (cells, mark) = (cells.collect::<String>(), if row.prize_eligible { "" } else { " *" });
        let (place, name, id) = (row.place, cut(name, width), &row.entry.0);
        let total = two_places(row.weighted);
        let _ = writeln!(out, "{place:>5}  {name:width$}  {id:ids$}{cells}  {total:>8}{mark}");
        if sums == Sums::Worked {
            let _ = writeln!(out, "       {}", worked(tournament, &row.points));
        }
    }
    if rows.iter().any(|row| !row.prize_eligible) {
        out.push_str("\n    *  no prize money: a game lost by forfeit, or not all rounds played\n");
    }
    out
}

/// Returns the prizes of a tournament, or of a section that has its own, as a table with the fund above and what is
/// left of it below (Rules 5 and 6).
pub fn prizes(state: &State, tournament: &Tournament, outlook: &Outlook) -> String {
    let list = &outlook.list;
    let money = |sum| amount(sum, &tournament.entry.currency);
    let of = list.section.as_ref().map(|code| format!("{code}: ")).unwrap_or_default();
    let stands = if outlook.is_final { "final" } else { "as things stand" };
    let (assigned, fund) = (list.entries_assigned, money(list.fund));
    let mut out = format!("{of}{stands}, {assigned} entries assigned, {fund} in all\n\n");
    let names: Vec<String> = list.places.iter().map(|prize| holder(state, &prize.entry)).collect();
    let ids = widest(list.places.iter().map(|prize| prize.entry.0.as_str())).max("Entry".len());
    let width = widest(names.iter().map(String::as_str)).clamp(6, NAME_MAX);
    let _ = writeln!(out, "Place  {:width$}  {:ids$}  {:>10}", "Player", "Entry", "Prize");
    for (prize, name) in list.places.iter().zip(&names) {
        let shared = if prize.tied_with.is_empty() { "" } else { "  shared" };
        let (place, name, id) = (prize.place, cut(name, width), &prize.entry.0);
        let won = money(prize.amount);
        let _ = writeln!(out, "{place:>5}  {name:width$}  {id:ids$}  {won:>10}{shared}");
    }
    if !list.undistributed.is_zero() {
        let _ = writeln!(out, "\nNot distributed: {}", money(list.undistributed));
    }
    out
}

/// Returns the name that is printed for an entry: the roster's, else the entry's, else the member's number.
fn name(state: &State, entry: &EntryId, member: &MemberId) -> String {
    let listed = state.players.get(member).map(|player| player.name.as_str());
    let given = state.entries.get(entry).map(|entry| entry.name.as_str());
    let name = [listed, given].into_iter().flatten().find(|name| !name.trim().is_empty());
    clean(name.unwrap_or(&member.0))
}

fn holder(state: &State, entry: &EntryId) -> String {
    let member = state.entries.get(entry).map(|known| &known.member);
    member.map_or_else(String::new, |member| name(state, entry, member))
}

/// Returns a round's name as the head of a narrow column: `prelim.`, `semif.`, `final`. A word is not cut behind a vowel.
fn head(name: &str) -> String {
    let name = clean(name);
    if name.chars().count() <= ROUND_MAX {
        return format!("{name:>4}");
    }
    let short: String = name.chars().take(ROUND_MAX - 1).collect();
    format!("{:>ROUND_MAX$}", format!("{}.", short.trim_end_matches(['a', 'e', 'i', 'o', 'u'])))
}

fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}
