//! Imports, seen from outside: the same file again changes nothing, a bad row is named, what contradicts the books is
//! refused, and nobody is written to about the past.

use crate::world::{SEVEN, World, id, player};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[test]
fn the_same_file_again_changes_nothing_and_writes_nothing() {
    let world = World::new();
    let roster = SEVEN.map(player);
    world.roster(&roster).code(0);
    let entries: Vec<String> =
        SEVEN.iter().map(|name| format!("GK2019,{},2019-01-02,yes", id(name))).collect();
    world.import("entries", "event,member_id,postmark,paid", &entries).code(0);
    let payment = [format!("GK2019,{},25.00,2019-01-03,check 7", id("ann"))];
    world.import("payments", "event,member_id,amount,received,reference", &payment).code(0);
    let rating = [format!("{},2011,2019-01-01", id("ann")), format!("{},,2019-01-01", id("gina"))];
    world.import("ratings", "member_id,rating,rating_date", &rating).code(0);
    let seats: Vec<String> = (1..=7)
        .zip(SEVEN)
        .map(|(seat, name)| format!("19N07,preliminary,{seat},{},2018-11-01", id(name)))
        .collect();
    world.import("sections", "section,round,seat,member_id,start", &seats).code(0);
    let results = [
        "19N07,1,2,1-0,mate,2019-01-01".to_owned(),
        "19n7,1,4,1/2-1/2,agreement,2019-01-01".to_owned(),
    ];
    world.import("results", "section,white_seat,black_seat,result,how,date", &results).code(0);
    assert_eq!(world.object(&["crosstable", "19N07"])["games"][0]["how"], "mate");
    assert!(world.json(&["letters"]).is_empty(), "nobody is written to about the past");

    let journal = world.journal();
    // The rating of the roster is older than that of the ratings' file, so the roster is not given again here.
    world.import("entries", "event,member_id,postmark,paid", &entries).code(0);
    world.import("payments", "event,member_id,amount,received,reference", &payment).code(0);
    world.import("ratings", "member_id,rating,rating_date", &rating).code(0);
    world.import("sections", "section,round,seat,member_id,start", &seats).code(0);
    world.import("results", "section,white_seat,black_seat,result,how,date", &results).code(0);
    assert_eq!(world.journal(), journal, "the books are the same, byte for byte");
    let player = world.object(&["show", "player", &id("ann")]);
    assert_eq!((&player["rating"], &player["balance"]), (&json!(2011), &json!("25.00")));
    assert_eq!(world.object(&["show", "player", &id("gina")])["rating"], Value::Null);
    world.audit();
}

#[test]
fn a_roster_again_changes_nothing() {
    let world = World::with_seven();
    let journal = world.journal();
    world.roster(&SEVEN.map(player)).code(0);
    assert_eq!(world.journal(), journal);
}

#[test]
fn a_bad_row_is_named_and_nothing_of_the_file_is_taken() {
    let world = World::with_seven();
    let ann = id("ann");
    let journal = world.journal();
    let roster = "member_id,name,email,country,state,rating,rating_date,expires";
    let cases: &[(&str, &str, &str, &str)] = &[
        ("roster", roster, "33333331,Max Roth,max@example.org,US,,18OO,,2020-01-01", "rating"),
        ("roster", roster, "33333331,Max Roth,max@example.org,US,,1800,,2020-13-01", "expires"),
        ("roster", roster, "33333331,,max@example.org,US,,1800,,2020-01-01", "name"),
        ("roster", roster, ",Max Roth,max@example.org,US,,1800,,2020-01-01", "member_id"),
        ("roster", roster, "33333331,Max Roth,max example.org,US,,1800,,2020-01-01", "email"),
        ("roster", roster, "33333330,Max Roth,max@example.org,US,,1800,,2020-01-01", "member_id"),
        ("entries", "event,member_id,postmark,paid", "GK1066,{ann},2019-01-02,yes", "event"),
        ("entries", "event,member_id,postmark,paid", "GK2019,99999999,2019-01-02,yes", "member_id"),
        ("entries", "event,member_id,postmark,paid", "GK2019,{ann},02.01.2019,yes", "postmark"),
        ("entries", "event,member_id,postmark,paid", "GK2019,{ann},2019-01-02,perhaps", "paid"),
        (
            "payments",
            "event,member_id,amount,received,reference",
            "GK2019,{ann},much,2019-01-02,x",
            "amount",
        ),
        (
            "payments",
            "event,member_id,amount,received,reference",
            "GK2019,{ann},-5,2019-01-02,x",
            "amount",
        ),
        (
            "payments",
            "event,member_id,amount,received,reference",
            "GK2019,{ann},25.00,,x",
            "received",
        ),
        ("ratings", "member_id,rating,rating_date", "{ann},high,2019-01-01", "rating"),
        ("ratings", "member_id,rating,rating_date", "99999999,1800,2019-01-01", "member_id"),
        ("sections", "section,round,seat,member_id,start", "zzz,1,1,{ann},2019-01-01", "section"),
        ("sections", "section,round,seat,member_id,start", "19N01,9,1,{ann},2019-01-01", "round"),
        ("sections", "section,round,seat,member_id,start", "19N01,1,one,{ann},2019-01-01", "seat"),
        (
            "results",
            "section,white_seat,black_seat,result,how,date",
            "19N55,1,2,1-0,mate,2019-01-01",
            "section",
        ),
        (
            "results",
            "section,white_seat,black_seat,result,how,date",
            "19N01,1,2,2-0,mate,2019-01-01",
            "result",
        ),
        (
            "results",
            "section,white_seat,black_seat,result,how,date",
            "19N01,1,2,1-0,magic,2019-01-01",
            "how",
        ),
        (
            "payments",
            "event,member_id,amount,received,reference",
            "GK2019,{ann},25.00,2019-01-03,check 17, bank",
            "column 6",
        ),
    ];
    for (kind, header, row, column) in cases {
        let good = "33333330,Good Row,good@example.org,US,IL,1800,2019-01-01,2020-01-01";
        let rows = match *kind {
            "roster" => vec![good.to_owned(), (*row).to_owned()],
            _ => vec![row.replace("{ann}", &ann)],
        };
        let line = rows.len() + 1;
        let ran = world.import(kind, header, &rows).code(1);
        let place = format!("{kind}.csv:{line}: ");
        assert!(ran.err.contains(&place), "{row}: `{place}` is not in {}", ran.err);
        let named = ran.err.lines().any(|l| l.contains(&format!("{place}{column}: ")));
        assert!(named, "{row}: {}", ran.err);
        assert_eq!(world.journal(), journal, "{row}: nothing of the file is taken");
    }
}

/// A score that cannot come about in that manner is a slip of the pen (Rule 10); so is a seat that nobody has.
#[test]
fn a_result_that_cannot_be_is_refused() {
    let world = World::with_section();
    let cases = [
        ("1,2,1/2-1/2,mate", "how: 1/2-1/2 does not come about by checkmate"),
        ("1,2,1-0,double-forfeit", "how: 1-0 does not come about by double forfeit"),
        ("1,2,0-0,agreement", "how: 0-0 does not come about by agreement"),
        ("1,2,1/2-1/2,time-forfeit", "how: "),
        ("1,2,1-0,stalemate", "how: "),
        ("1,8,1-0,mate", "black_seat: there is no seat 8 in 19N01"),
        ("9,2,1-0,mate", "white_seat: there is no seat 9 in 19N01"),
        ("3,3,1-0,mate", "black_seat: nobody plays himself"),
    ];
    for (row, says) in cases {
        let header = "section,white_seat,black_seat,result,how,date";
        let rows = [format!("19N01,{row},2019-05-01")];
        world.import("results", header, &rows).code(1).says(&format!("results.csv:2: {says}"));
    }
    let both = ["19N01,1,2,0-0,silence-forfeit,2019-05-01".to_owned()];
    world.import("results", "section,white_seat,black_seat,result,how,date", &both).code(0);
}

#[test]
fn a_file_without_a_column_or_with_a_strange_one_is_refused() {
    let world = World::with_seven();
    let journal = world.journal();
    let rows = [format!("GK2019,{},2019-01-02,yes", id("ann"))];
    world.import("entries", "event,member_id,postmrak,paid", &rows).code(1).says("entries.csv:");
    world.run(&["import", "roster", "/nonexistent.csv"]).code(1).says("/nonexistent.csv");
    world.run(&["import", "recipes", "x.csv"]).code(2);
    assert_eq!(world.journal(), journal);
}

#[test]
fn a_contradiction_to_the_books_is_refused_and_direct_overrules() {
    let world = World::with_section();
    let header = "section,white_seat,black_seat,result,how,date";
    world.import("results", header, &["19N01,1,2,1-0,mate,2019-02-01".to_owned()]).code(0);
    let journal = world.journal();
    let other =
        ["19N01,2,3,1-0,mate,2019-02-01".to_owned(), "19N01,1,2,0-1,mate,2019-02-01".to_owned()];
    world.import("results", header, &other).code(1).says("results.csv:3: result: ");
    let seats = [
        format!("19N01,1,1,{},2019-01-07", id("ben")),
        format!("19N01,1,2,{},2019-01-07", id("ann")),
    ];
    let sections = "section,round,seat,member_id,start";
    world.import("sections", sections, &seats).code(1).says("sections.csv:2: ");
    let entry = [format!("GK2019,{},2019-02-01,yes,GK2019-001", id("ben"))];
    world
        .import("entries", "event,member_id,postmark,paid,entry", &entry)
        .code(1)
        .says("GK2019-001");
    assert_eq!(world.journal(), journal);
    let order =
        ["direct", "result", "19N01", "1-2", "0-1", "adjudication", "--reason", "the score sheet"];
    world.run(&order).code(0);
    assert_eq!(world.game(1, 2)["result"], "0-1");
    world.audit();
}

const SECTIONS: &str = "section,round,seat,member_id,entry,start";
const RESULTS: &str = "section,white_seat,black_seat,result,how,date";

/// Rows of a section that runs already, with the seven of the roster.
fn adopted(code: &str, entries: [&str; 7]) -> Vec<String> {
    let row = |(n, (name, entry)): (usize, (&str, &str))| {
        format!("{code},preliminary,{},{},{entry},2018-11-01", n + 1, id(name))
    };
    SEVEN.into_iter().zip(entries).enumerate().map(row).collect()
}

#[test]
fn an_adopted_section_keeps_the_ids_and_colours_it_had() {
    let world = World::with_seven();
    let entries = ["", "GK2019-001", "", "GK2019-031", "old-7", "", ""];
    world.import("sections", SECTIONS, &adopted("19N07", entries)).code(0);
    let table = world.object(&["crosstable", "19N07"]);
    let kept: Vec<_> =
        table["seats"].as_array().unwrap().iter().map(|s| s["entry"].as_str().unwrap()).collect();
    assert_eq!((kept[1], kept[3]), ("GK2019-001", "GK2019-031"), "kept as given");
    assert_eq!(kept.iter().collect::<BTreeSet<_>>().len(), 7, "every id is of its own: {kept:?}");
    assert!(kept.iter().all(|id| id.starts_with("GK2019-")), "made in our shape: {kept:?}");
    assert_eq!(world.object(&["show", "entry", "GK2019-031"])["player"], id("david"));

    // The table gives seat 1 White against seat 2; the director's list has it the other way round, and holds.
    let rows = ["19N07,2,1,1-0,mate,2019-01-02".to_owned()];
    world.import("results", RESULTS, &rows).code(0).says("warning");
    let game = world.object(&["show", "game", "19N07", "2-1"]);
    assert_eq!(
        (&game["result"], &game["how"], &game["state"]),
        (&json!("1-0"), &json!("mate"), &json!("confirmed"))
    );
    let table = world.object(&["crosstable", "19N07"]);
    assert_eq!(
        (table["games"].as_array().unwrap().len(), &table["seats"][1]["points"]),
        (21, &json!("1"))
    );
    let journal = world.journal();
    world.import("results", RESULTS, &rows).code(0);
    assert_eq!(world.journal(), journal);
    world.run(&["show", "game", "19N07", "1-2"]).code(1);
    world.audit();
}

#[test]
fn an_adopted_section_that_contradicts_the_books_is_refused() {
    let world = World::with_section();
    let journal = world.journal();
    // GK2019-001 is Ann's and sits in 19N01.
    let strange = ["", "GK2019-001", "", "", "", "", ""];
    world
        .import("sections", SECTIONS, &adopted("19N07", strange))
        .code(1)
        .says("sections.csv:3: entry: ");
    let twice = ["GK2019-001", "", "", "", "", "", ""];
    world
        .import("sections", SECTIONS, &adopted("19N07", twice))
        .code(1)
        .says("sections.csv:2: entry: ");
    // Colours of a section that we formed are no matter of opinion.
    world.import("results", RESULTS, &["19N01,2,1,1-0,mate,2019-02-01".to_owned()]).code(1);
    let against_itself =
        ["19N01,1,2,1-0,mate,2019-02-01".to_owned(), "19N01,1,2,0-1,mate,2019-02-01".to_owned()];
    world.import("results", RESULTS, &against_itself).code(1).says("results.csv:3: result: line 2");
    assert_eq!(world.journal(), journal);
}

#[test]
fn an_older_rating_takes_nothing_back() {
    let world = World::with_seven();
    let rating = |value, date: &str| [format!("{},{value},{date}", id("ann"))];
    world.import("ratings", "member_id,rating,rating_date", &rating("2100", "2019-01-01")).code(0);
    let journal = world.journal();
    world.import("ratings", "member_id,rating,rating_date", &rating("1900", "2018-06-01")).code(0);
    world.roster(&SEVEN.map(player)).code(0);
    assert_eq!(world.journal(), journal, "the roster's rating is of December 2018");
    assert_eq!(world.object(&["show", "player", &id("ann")])["rating"], 2100);
}

#[test]
fn an_import_announces_only_when_it_is_told_to() {
    let world = World::with_seven();
    let rows = [format!("GK2019,{},2019-01-02,no", id("ann"))];
    let file = world.csv("entries", "event,member_id,postmark,paid", &rows);
    world.run(&["import", "entries", file.to_str().unwrap(), "--announce"]).code(0);
    world.pass();
    assert_eq!(world.notices_to("ann@example.org"), ["entry-received"]);
}
