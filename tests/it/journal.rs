//! Compatibility: `tests/data/journal-1` is the journal of a season as an early version of this program wrote it. It
//! replays for ever and always leads to the same books: neither the files nor `books.txt` beside them are written anew.

use knightmail::{
    domain::{apply::apply, crosstable::crosstable, state::State},
    store::{journal::Journal, transaction::Transaction},
};
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/journal-1")
}

fn transactions() -> Vec<Transaction> {
    let mut all = Vec::new();
    let read = Journal::new(folder()).catch_up(&mut |transaction| all.push(transaction.clone()));
    read.expect("every line of the old journal verifies and is understood");
    all
}

/// The books in few words: what of them a player or the director would see.
fn books(state: &State) -> String {
    let mut text = String::new();
    for player in state.players.values() {
        let rating = player.rating.map_or("unrated".to_owned(), |r| r.to_string());
        line(&mut text, &format!("player {} {}, {rating}", player.member, player.name));
    }
    for entry in state.entries.values() {
        let (id, who, number, paid) = (&entry.id, &entry.member, entry.number, entry.paid);
        let (postmark, now) = (entry.postmark, entry.state.text());
        line(
            &mut text,
            &format!("entry {id} of {who}, number {number}, {postmark}: {now}, paid {paid}"),
        );
    }
    for ((event, who), account) in &state.accounts {
        line(&mut text, &format!("account {who} in {event}: {} left", account.balance()));
    }
    for section in state.sections.values() {
        let (code, start, complete) = (&section.code, section.start, section.complete);
        line(&mut text, &format!("section {code}, start {start}, complete {complete}"));
        for row in crosstable(section) {
            let (seat, entry, points, rank) = (row.seat, row.entry, row.points, row.rank);
            line(&mut text, &format!("  {seat} {entry} {points} points, place {rank}"));
        }
        for game in &section.games {
            let (white, black, state) = (game.white, game.black, game.state.text());
            let outcome = game.outcome().map(|o| format!(" {} {}", o.result, o.how));
            let outcome = outcome.unwrap_or_default();
            line(&mut text, &format!("  {white}-{black}{outcome}, {state}"));
        }
    }
    for (item, ruling) in state.docket.values() {
        let ruling = ruling.as_ref().map_or("open", |r| &r.choice);
        line(&mut text, &format!("item {} {}: {ruling}", item.item, item.kind.text()));
    }
    for (job, on) in &state.slots {
        line(&mut text, &format!("slot {job:?} {on}"));
    }
    text
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string takes it");
}

#[test]
fn an_old_journal_replays_for_ever() {
    let mut state = State::default();
    let transactions = transactions();
    for transaction in &transactions {
        transaction.events.iter().for_each(|event| apply(&mut state, event));
    }
    assert!(transactions.len() > 100, "the journal is found");
    let file = folder().join("books.txt");
    let now = books(&state);
    let then =
        fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}\n{now}", file.display()));
    let differs = now.lines().zip(then.lines()).find(|(now, then)| now != then);
    assert!(now == then, "{}: the old journal leads to other books: {differs:?}", file.display());
}

#[test]
fn the_journal_has_every_kind_of_cause_and_most_kinds_of_events() {
    let kinds = |pick: fn(&Transaction) -> Vec<serde_json::Value>| {
        let mut kinds: Vec<String> = Vec::new();
        for value in transactions().iter().flat_map(pick) {
            let kind = match &value {
                serde_json::Value::String(word) => word.clone(),
                other => {
                    other.as_object().and_then(|o| o.keys().next()).cloned().unwrap_or_default()
                }
            };
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    };
    let causes = kinds(|t| vec![serde_json::to_value(&t.cause).expect("JSON")]);
    let events =
        kinds(|t| t.events.iter().map(|e| serde_json::to_value(e).expect("JSON")).collect());
    assert!(causes.len() >= 5, "{causes:?}");
    assert!(events.len() >= 20, "{events:?}");
}
