//! The agenda: what it foretells is what the days really bring, and asking changes nothing.

use crate::world::{Mail, World, entry_mail, id, result_mail};
use serde_json::Value;
use std::fs;

/// What a day brings, as words that can be compared.
fn foretold(line: &Value) -> String {
    let text = |key: &str| line[key].as_str().unwrap_or("-").to_owned();
    let about = match line["what"].as_str() {
        Some("letter") => format!("{} to {}", text("notice"), text("to")),
        Some("item") => text("kind"),
        Some("result") => format!("{} {}", text("game"), text("result")),
        Some("section") => text("section"),
        other => panic!("{other:?} in {line}"),
    };
    format!("{} {} {about}", text("on"), text("what"))
}

/// A home with a section, a result that the opponent may object to, a fee that is missing, a membership that ends, and
/// seven more who wait for a section.
fn busy() -> World {
    let world = World::with_section();
    world.receive(&result_mail("ann", "19N01 1-2", "1-0"));
    world.pass();
    let more = ["hugo", "ida", "jack", "kim", "lena", "mark", "nora"];
    let rows: Vec<String> = more
        .iter()
        .enumerate()
        .map(|(n, name)| {
            format!("2000000{n},{name},{name}@example.org,US,IL,1500,2019-01-01,2025-01-01")
        })
        .collect();
    world.roster(&rows).code(0);
    let rows: Vec<String> = (0..7).map(|n| format!("GK2019,2000000{n},2019-01-08,yes")).collect();
    world.import("entries", "event,member_id,postmark,paid", &rows).code(0);
    world.receive(&entry_mail("ben"));
    world.pass();
    let edith =
        format!("{},Edith Frey,edith@example.org,US,IL,1800,2019-01-01,2019-02-10", id("edith"));
    world.roster(&[edith]).code(0);
    world
}

#[test]
fn what_the_agenda_foretells_is_what_the_days_bring() {
    let world = busy();
    let before = fs::read(world.path("store/journal/2019-01.jsonl")).unwrap();
    let agenda: Vec<String> = world
        .run(&["agenda", "--days", "30", "--json"])
        .code(0)
        .lines()
        .iter()
        .map(foretold)
        .collect();
    assert_eq!(
        fs::read(world.path("store/journal/2019-01.jsonl")).unwrap(),
        before,
        "nothing is written"
    );
    for word in [
        "payment-reminder",
        "membership-reminder",
        "director-summary",
        "assignment",
        "19N02",
        "19N01 1-2",
    ] {
        assert!(agenda.iter().any(|line| line.contains(word)), "{word}: {agenda:#?}");
    }
    let letters = world.run(&["letters", "--json"]).code(0).lines().len();
    let items = world.run(&["docket", "--json"]).code(0).lines().len();
    // By 09:01 every job of a day has had its turn.
    for days in 0..=30 {
        let day = chrono::NaiveDate::from_ymd_opt(2019, 1, 7).unwrap() + chrono::Days::new(days);
        let at = format!("{day}T09:01:00-06:00");
        if chrono::DateTime::parse_from_rfc3339(&at).unwrap() > world.now() {
            world.at(&at);
            world.pass();
        }
    }
    let mut brought = Vec::new();
    for letter in world.run(&["letters", "--json"]).code(0).lines().into_iter().skip(letters) {
        let on = &letter["queued"].as_str().unwrap()[..10];
        let (notice, to) =
            (letter["notice"].as_str().unwrap(), letter["to"].as_str().unwrap_or("-"));
        brought.push(format!("{on} letter {notice} to {to}"));
    }
    for item in world.run(&["docket", "--json"]).code(0).lines().into_iter().skip(items) {
        let (on, kind) = (&item["since"].as_str().unwrap()[..10], item["kind"].as_str().unwrap());
        brought.push(format!("{on} item {kind}"));
    }
    let only = |what: &str| -> Vec<String> {
        let mut lines: Vec<String> = agenda.iter().filter(|l| l.contains(what)).cloned().collect();
        lines.sort();
        lines
    };
    let mut told = [only(" letter "), only(" item ")].concat();
    told.sort();
    brought.sort();
    assert_eq!(told, brought);
    let game = world.run(&["show", "game", "19N01", "1-2", "--json"]).code(0).object();
    assert_eq!(game["state"], "confirmed");
    assert_eq!(only(" result ").len(), 1);
    let section = world.run(&["crosstable", "19N02", "--json"]).code(0).object();
    assert_eq!(section["seats"].as_array().unwrap().len(), 7);
    assert_eq!(only(" section ").len(), 1);
}

#[test]
fn the_agenda_fits_a_terminal_and_says_what_waits() {
    let world = busy();
    let text = world.run(&["agenda"]).code(0).text();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("Monday, 14 January 2019"), "{text}");
    let empty = World::new().run(&["agenda", "--days", "1"]).code(0).text();
    assert!(empty.contains("If nothing arrives") || empty.contains("director-summary"), "{empty}");
    World::new().run(&["agenda", "--days", "0"]).code(2);
}

#[test]
fn a_games_ledger_is_shown() {
    let world = World::with_section();
    let text = world.run(&["show", "game", "19N01", "1-2"]).code(0).text();
    assert!(text.contains("no move of this game has come through us"), "{text}");
    let facts = world.run(&["show", "game", "19N01", "1-2", "--json"]).code(0).object();
    assert_eq!(facts["ledger"], serde_json::json!([]));
    world.at("2019-01-10T09:30:00-06:00");
    world.receive(&Mail::of("ann").subject("19N01 1-2").text("1.e4"));
    world.pass();
    world.at("2019-01-14T09:30:00-06:00");
    let facts = world.run(&["show", "game", "19N01", "1-2", "--json"]).code(0).object();
    let rows = facts["ledger"].as_array().unwrap();
    let [white, black] = &rows[..] else { panic!("{rows:?}") };
    for (row, side, days, answered) in
        [(white, "white", 3, "2019-01-10".into()), (black, "black", 4, Value::Null)]
    {
        assert_eq!(
            (&row["side"], &row["days"], &row["left"]),
            (&side.into(), &days.into(), &(30 - days).into())
        );
        assert_eq!(row["answered"], answered);
    }
    assert_eq!(facts["zones"]["white"], "America/Chicago");
    let text = world.run(&["show", "game", "19N01", "1-2"]).code(0).text();
    let row = "  1.    2019-01-07  2019-01-10  2019-01-10  2019-01-10     3     3   27       10";
    assert!(text.contains(row), "{text}");
    assert!(
        text.lines().skip_while(|l| !l.starts_with("time")).take(4).all(|l| l.len() <= 80),
        "{text}"
    );
}
