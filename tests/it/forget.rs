//! `forget`: nothing of the address and the words is left in what is ours, the results stand, the journal verifies, a
//! crash at any point and a full disk lose nothing.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::{
    disk::run_in,
    running::{start, stop, wait_until_up},
    world::{Mail, Ran, World, address, files, id, result_mail},
};
use serde_json::Value;
use std::{fs, path::Path, thread::sleep, time::Duration};

const REASON: [&str; 2] = ["--reason", "his letter of 3 May"];

/// A section in which Ben has played, written about himself, and withdrawn; nothing waits.
fn section_without_ben() -> World {
    let world = World::with_section();
    world.receive(&result_mail("ann", "1-2", "1-0"));
    world.receive(&result_mail("ben", "1-2", "1-0"));
    world.receive(
        &Mail::of("ben")
            .subject("my new telephone")
            .text("My secret hobby is gardening with Zeno.\n"),
    );
    world.receive(
        &Mail::of("clara")
            .subject("a question")
            .text("Does Ben <BEN@example.org> play on? When does the next round begin?\n"),
    );
    world.pass();
    world.run(&["direct", "withdraw", &id("ben"), REASON[0], REASON[1]]).code(0);
    world.at("2019-01-07T12:30:00-06:00");
    world.pass();
    world
}

fn journal(world: &World) -> Vec<Value> {
    let text = String::from_utf8(world.journal()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn forget(world: &World, more: &[&str]) -> Ran {
    let member = id("ben");
    world.run(&[&["forget", member.as_str(), REASON[0], REASON[1]], more].concat())
}

/// The files below a folder in which a word stands, whatever its case.
fn with_word(folder: &Path, word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for file in files(folder) {
        if file.is_dir() {
            found.extend(with_word(&file, word));
        } else if String::from_utf8_lossy(&fs::read(&file).unwrap()).to_lowercase().contains(word) {
            found.push(file.display().to_string());
        }
    }
    found
}

#[track_caller]
fn is_forgotten(world: &World) {
    for word in [address("ben").as_str(), "gardening", "telephone"] {
        assert_eq!(with_word(&world.home(), word), Vec::<String>::new(), "{word}");
    }
    world.run(&["check"]).code(0);
    world.audit();
}

#[test]
fn his_addresses_and_words_are_gone_and_his_results_stand() {
    let world = section_without_ben();
    let table = world.object(&["crosstable", "19N01"]);
    let before = journal(&world);
    assert!(!with_word(&world.home(), &address("ben")).is_empty());

    forget(&world, &[]).code(1).says("nothing was changed");
    assert_eq!(journal(&world), before);
    forget(&world, &["--yes"]).code(0).says("Not within reach");
    is_forgotten(&world);
    assert_eq!(world.object(&["crosstable", "19N01"]), table, "results and names stand");
    let after = journal(&world);
    assert_eq!(after.len(), before.len() + 1);
    for (old, new) in before.iter().zip(&after) {
        assert_eq!((&old["seq"], &old["at"]), (&new["seq"], &new["at"]));
    }
    let readings = |lines: &[Value]| {
        lines.iter().filter(|l| l["cause"]["mail"]["reading"].is_object()).count()
    };
    assert!(readings(&after) > 0 && readings(&after) < readings(&before), "others' readings stay");
    let forgotten = &after.last().unwrap()["events"][0]["player-forgotten"];
    assert_eq!(forgotten["was"], before.last().unwrap()["sum"], "the old head is named");
    assert_eq!(forgotten["reason"], REASON[1]);
    let player = world.object(&["show", "player", &id("ben")]);
    assert_eq!(player["name"], "Ben Brook");
    assert!(player["emails"].as_array().is_none_or(Vec::is_empty), "{player}");

    // Life goes on: a pass, views, a mail from his old address is a stranger's.
    let letter = format!("L{}", forgotten["letters"][0]);
    world.run(&["resend", &letter]).code(1).says("was erased on 2019-01-07");
    world.receive(&result_mail("ann", "1-3", "1-0"));
    world.pass();
    is_forgotten(&world);
    assert!(world.path("views/sections/19N01.txt").is_file());
}

#[test]
fn with_name_the_roster_has_his_number_only() {
    let world = section_without_ben();
    forget(&world, &["--name", "--yes"]).code(0);
    is_forgotten(&world);
    let name = format!("Member {}", id("ben"));
    assert_eq!(world.object(&["show", "player", &id("ben")])["name"], name);
    assert_eq!(with_word(&world.path("store/journal"), "ben brook"), Vec::<String>::new());
}

#[test]
fn who_plays_or_is_owed_a_letter_or_is_unknown_is_not_forgotten() {
    let world = World::with_section();
    forget(&world, &["--yes"]).code(1).says("still plays").says("direct withdraw");
    world.run(&["direct", "withdraw", &id("ben"), REASON[0], REASON[1]]).code(0);
    forget(&world, &["--yes"]).code(1).says("waits until").says("run --once");
    world.at("2019-01-07T12:30:00-06:00");
    world.pass();
    world.receive(&Mail::of("ben").subject("wait").text("One more thing.\n"));
    forget(&world, &["--yes"]).code(1).says("waits to be read");
    world.pass();
    world.run(&["forget", "99999999", "--reason", "x"]).code(1).says("no member 99999999");
    let daemon = start(world.command(&["run"]));
    wait_until_up(&world, &daemon);
    forget(&world, &["--yes"]).code(1).says("another daemon");
    stop(daemon);
    forget(&world, &["--yes"]).code(0);
    is_forgotten(&world);
}

#[test]
fn the_roster_does_not_bring_a_forgotten_address_back() {
    let world = section_without_ben();
    let hint = format!("he wrote from {}", address("ben").to_uppercase());
    world
        .run(&["forget", &id("ben"), "--reason", &hint, "--yes"])
        .code(1)
        .says("--reason tells an address");
    forget(&world, &["--yes"]).code(0);
    let row =
        format!("{},Ben Brook,{},US,IL,1700,2019-02-01,2023-12-31", id("ben"), address("ben"));
    let other = "33333331,Bea Brook,bea@example.org,US,IL,1500,2018-12-01,2022-12-31".to_owned();
    world.roster(&[row, other]).code(0).says("was forgotten on 2019-01-07");
    assert_eq!(with_word(&world.home(), &address("ben")), Vec::<String>::new());
    let player = world.object(&["show", "player", &id("ben")]);
    assert_eq!(player["rating"], 1700, "the rest of the row is taken");
    assert_eq!(world.object(&["show", "player", "33333331"])["emails"][0], "bea@example.org");
    world.audit();
}

#[test]
fn an_address_that_another_player_has_too_stays() {
    let world = World::with_seven();
    let row = format!("33333331,Bea Brook,{},US,IL,1500,2018-12-01,2022-12-31", address("ben"));
    world.roster(&[row]).code(0);
    forget(&world, &["--yes"]).code(0).says("others have it too");
    let player = world.object(&["show", "player", "33333331"]);
    assert_eq!(player["emails"][0], address("ben"));
    world.audit();
}

#[test]
fn a_full_disk_changes_nothing() {
    let world = section_without_ben();
    let (before, mails) = (world.journal(), files(&world.path("mail/in/cur")));
    let member = id("ben");
    let command = ["forget", &member, REASON[0], REASON[1], "--yes"];
    run_in(&world, 4, &command).code(1).says("remedy").says("store/rewriting");
    assert_eq!(world.journal(), before);
    assert_eq!(files(&world.path("mail/in/cur")), mails);
    world.audit();
    forget(&world, &["--yes"]).code(0);
    is_forgotten(&world);
}

#[test]
fn killed_at_any_moment_it_is_done_wholly_or_not_at_all() {
    let world = section_without_ben();
    let member = id("ben");
    let command = ["forget", &member, REASON[0], REASON[1], "--yes"];
    for milliseconds in (0..).map(|n| 60 * n) {
        let mut child = start(world.command(&command));
        sleep(Duration::from_millis(milliseconds));
        let _ = child.kill();
        let done = child.wait().unwrap().success();
        // Whoever writes next finishes what was begun.
        world.pass();
        world.audit();
        let last = journal(&world);
        if done || last.iter().any(|line| line["events"][0]["player-forgotten"].is_object()) {
            break;
        }
        assert!(!with_word(&world.path("store/journal"), &address("ben")).is_empty());
    }
    is_forgotten(&world);
}
