//! `standings --against`: a list that was printed, checked by what standings can be, and against the books where they
//! have the tournament (Rule 6). What is wrong goes to standard output, a line each.

use super::known_event;
use crate::{
    cli::{
        Done, Failure, Global,
        home::Home,
        import::rows::{Row, Sheet, Trouble},
    },
    config::tournament,
    domain::{
        rules::{
            decoding::Cell,
            scoring::{self, Standing},
            soundness::{self, Printed},
        },
        state::State,
        tournament::Tournament,
    },
};
use rust_decimal::Decimal;
use serde_json::json;
use std::{fs, path::Path};

pub(super) fn check(global: &Global, event: &str, list: &Path) -> Done {
    let sheet = Sheet::read(list).map_err(Failure::Person)?;
    let found = match alone(event)? {
        Some(tournament) => soundness::of_list(&tournament, &printed(&sheet, &tournament)?),
        None => by_books(global, event, &sheet)?,
    };
    for sentence in &found {
        if global.json {
            println!("{}", json!({ "wrong": sentence }));
        } else {
            println!("{sentence}");
        }
    }
    if found.is_empty() {
        eprintln!("Nothing is wrong with the {} rows.", sheet.rows.len());
        return Ok(());
    }
    Err(Failure::Person(String::new()))
}

/// Reads a tournament that is named by its file; a home is not asked for then.
fn alone(event: &str) -> Result<Option<Tournament>, Failure> {
    let path = Path::new(event);
    if path.extension().is_none_or(|extension| extension != "toml") {
        return Ok(None);
    }
    let text = fs::read_to_string(path).map_err(|e| Failure::Usage(format!("{event}: {e}")))?;
    Ok(Some(tournament::read(event, &text)?))
}

fn by_books(global: &Global, event: &str, sheet: &Sheet) -> Result<Vec<String>, Failure> {
    let home = Home::open(global)?;
    let tournament = known_event(&home, event)?;
    let rows = printed(sheet, tournament)?;
    let state = home.books()?.state;
    let standings = scoring::standings(tournament, &state, home.day());
    let mut found = soundness::of_list(tournament, &rows);
    if !standings.is_empty() {
        let names = |line: &Standing| names(&state, line);
        found.extend(soundness::differences(tournament, &rows, &standings, names));
    }
    Ok(found)
}

/// Returns by which words a list may name an entry: its id, its player's number or name.
fn names(state: &State, line: &Standing) -> Vec<String> {
    let listed = state.players.get(&line.member).map(|player| player.name.clone());
    listed.into_iter().chain([line.member.0.clone(), line.entry.0.clone()]).collect()
}

/// Reads the rows of a list; a bad one is named.
fn printed(sheet: &Sheet, tournament: &Tournament) -> Result<Vec<Printed>, Failure> {
    let mut trouble = Trouble::default();
    let columns: Vec<Option<&str>> =
        tournament.rounds.iter().map(|round| sheet.column_for(&round.name)).collect();
    let mut rows = Vec::new();
    for (n, row) in sheet.rows.iter().enumerate() {
        let total = "a total such as 36.10";
        let weighted: Option<Decimal> = sheet.need(&mut trouble, row, "weighted", total);
        let who = ["entry", "player"].map(|column| sheet.text(row, column));
        let who = who.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        let cells = columns.iter().map(|column| cell(sheet, row, *column, &mut trouble)).collect();
        if let Some(weighted) = weighted {
            rows.push(Printed { row: n + 1, who: who.to_owned(), weighted, cells });
        }
    }
    if trouble.sentences.is_empty() {
        return Ok(rows);
    }
    Err(Failure::Person(trouble.sentences.join("\n")))
}

/// Reads the points of a round: empty where it was not reached, `?` where nobody can read them.
fn cell(sheet: &Sheet, row: &Row, column: Option<&str>, trouble: &mut Trouble) -> Cell {
    let Some(column) = column else { return Cell::Unknown };
    match sheet.text(row, column) {
        "" | "-" => Cell::NotReached,
        "?" => Cell::Unknown,
        _ => sheet
            .need(trouble, row, column, "points such as 4 or 4.5, or `?`")
            .map_or(Cell::Unknown, Cell::Known),
    }
}
