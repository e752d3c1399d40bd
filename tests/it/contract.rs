//! The contract, command by command: shapes of JSON and exit codes, seen from outside through the real binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::world::{Mail, SEVEN, World, address, bare, entry_mail, files, id, result_mail};
use serde_json::{Value, json};
use std::{collections::BTreeSet, fs};

/// Makes sure that an object has these keys; more may be added.
#[track_caller]
fn has_keys(object: &Value, keys: &[&str]) {
    let map = object.as_object().expect("an object");
    let missing: Vec<_> = keys.iter().filter(|key| !map.contains_key(**key)).collect();
    assert!(missing.is_empty(), "{missing:?} are missing in {object}");
}

// --- init, check, use ------------------------------------------------------------------------------------------------

#[test]
fn init_makes_a_home_that_runs_and_checks_at_once() {
    let world = World::new();
    for file in ["knightmail.toml", "events/golden-knights-2019.toml", "templates", "store"] {
        assert!(world.path(file).exists(), "{file}");
    }
    for folder in ["new", "cur", "tmp"] {
        assert!(world.path("mail/in").join(folder).is_dir());
        assert!(world.path("mail/out").join(folder).is_dir());
    }
    world.run(&["check"]).code(0);
    world.pass();
    world.audit();
}

#[test]
fn init_takes_the_id_or_the_stem_of_an_event_and_refuses_a_second_time() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["GK2019", "golden-knights-2019"] {
        let home = folder.path().join(name).display().to_string();
        bare(&["init", &home, "--event", name], b"").code(0);
        let config = fs::read(folder.path().join(name).join("knightmail.toml")).unwrap();
        bare(&["init", &home], b"").code(1).says("a home already");
        assert_eq!(fs::read(folder.path().join(name).join("knightmail.toml")).unwrap(), config);
    }
    let home = folder.path().join("none").display().to_string();
    bare(&["init", &home, "--event", "GK1066"], b"").code(2).says("golden-knights-2019");
    assert!(!folder.path().join("none").exists());
}

#[test]
fn wrong_use_and_wrong_configuration_are_code_2_and_point_at_it() {
    let world = World::new();
    bare(&["no-such-command"], b"").code(2);
    bare(&["docket"], b"").code(2).says("--home");
    world.run(&["show", "entry"]).code(2);
    world.run(&["--now", "yesterday", "docket"]).code(2);
    let config = world.path("knightmail.toml");
    let text = fs::read_to_string(&config).unwrap();
    crate::world::write(&config, text.replace("poll_seconds", "pole_seconds").as_bytes());
    for command in [&["check"][..], &["run", "--once"], &["docket"]] {
        world.run(command).code(2).says("knightmail.toml:").says("pole_seconds");
    }
}

#[test]
fn a_home_that_is_not_there_is_wrong_use() {
    bare(&["--home", "/nonexistent/home", "docket"], b"").code(2).says("knightmail.toml");
}

// --- read ------------------------------------------------------------------------------------------------------------

#[test]
fn read_takes_a_file_a_maildir_an_mbox_and_standard_input() {
    let world = World::with_seven();
    let mail = entry_mail("ann").bytes(world.now(), 1);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.eml");
    crate::world::write(&file, &mail);
    let mbox = folder.path().join("some.mbox");
    let one = [b"From ann@example.org Wed Jan  2 09:00:00 2019\n", &mail[..], b"\n\n"].concat();
    crate::world::write(&mbox, &[&one[..], &one[..]].concat());
    world.receive(&entry_mail("ben"));
    world.receive(&entry_mail("clara"));
    let before = world.journal();

    let read = world.object(&["read", file.to_str().unwrap()]);
    let keys = ["file", "digest", "class", "sender", "confidence", "intents", "text", "set_aside"];
    has_keys(&read, &keys);
    has_keys(&read, &["reasons"]);
    has_keys(&read["sender"], &["address", "name", "player", "assurance"]);
    assert_eq!(read["file"], file.to_str().unwrap());
    assert!(read["digest"].as_str().unwrap().starts_with("sha256:"));
    assert_eq!((&read["class"], &read["confidence"]), (&json!("person"), &json!("certain")));
    assert_eq!(read["sender"]["player"], id("ann"));
    assert_eq!(read["sender"]["assurance"], "address");
    let intent = &read["intents"][0];
    has_keys(intent, &["event", "count", "member_id", "name", "paid", "postmark"]);
    assert_eq!(intent["kind"], "entry");
    assert_eq!((&intent["event"], &intent["count"]), (&json!("GK2019"), &json!(1)));

    assert_eq!(world.json(&["read", mbox.to_str().unwrap()]).len(), 2);
    let maildir = world.path("mail/in");
    assert_eq!(world.json(&["read", maildir.to_str().unwrap()]).len(), 2);
    let piped = crate::world::finish(world.command(&["read", "-", "--json"]), &mail).code(0);
    assert_eq!(piped.object()["digest"], read["digest"]);
    assert_eq!(world.journal(), before, "reading changes nothing");
    assert_eq!(files(&maildir.join("new")).len(), 2, "and files nothing away");
}

#[test]
fn read_adds_several_mails_up_for_people() {
    let folder = tempfile::tempdir().unwrap();
    let mbox = folder.path().join("mails.mbox");
    let one = "From a@example.org Mon Jun  3 10:00:00 2019\nFrom: a@example.org\nSubject: x\n\n";
    let box_of = [one, "Please enter me in the 2019 Golden Knights.\n\n", one, "Buy pills.\n"];
    crate::world::write(&mbox, box_of.concat().as_bytes());
    let name = mbox.to_str().unwrap();
    let text = bare(&["read", name], b"").code(0).text();
    for line in ["2 mails: 2 person", "entry", "nothing to act on", "because"] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let summary = bare(&["read", "--summary", name], b"").code(0).text();
    assert!(summary.starts_with("2 mails") && !summary.contains("because"), "{summary}");
    assert!(!text.contains('\x1b'), "no colours outside a terminal");
    bare(&["read", "--summary", "--json", name], b"").code(2);
}

#[test]
fn read_works_without_a_home_and_names_a_file_that_is_not_there() {
    let world = World::new();
    let mail = entry_mail("ann").bytes(world.now(), 1);
    let read = bare(&["read", "-", "--json"], &mail).code(0).object();
    assert_eq!(
        (&read["class"], &read["sender"]["assurance"]),
        (&json!("person"), &json!("unknown"))
    );
    assert_eq!(read["sender"]["player"], Value::Null);
    let ran = bare(&["read", "/nonexistent/x.eml"], b"").says("/nonexistent/x.eml");
    assert!(matches!(ran.code, 1 | 2));
}

#[test]
fn read_says_what_a_result_is_about() {
    let world = World::with_section();
    let mail = result_mail("ann", "1-2", "1-0").bytes(world.now(), 1);
    let piped = crate::world::finish(world.command(&["read", "-", "--json"]), &mail).code(0);
    let intent = &piped.object()["intents"][0];
    for (key, value) in [
        ("kind", json!("result")),
        ("section", json!("19N01")),
        ("white", json!(1)),
        ("black", json!(2)),
        ("result", json!("1-0")),
    ] {
        assert_eq!(intent[key], value, "{intent}");
    }
    has_keys(intent, &["how"]);
}

// --- the whole preliminary section -----------------------------------------------------------------------------------

#[test]
fn seven_entries_by_mail_become_a_section() {
    let world = World::with_seven();
    for name in SEVEN {
        world.receive(&entry_mail(name));
    }
    world.pass();
    let entry = world.object(&["show", "entry", "GK2019-001"]);
    has_keys(&entry, &["state", "player", "event", "postmark", "sections", "history"]);
    assert_eq!(entry["state"], "awaiting-payment");
    assert_eq!(entry["player"], id("ann"));
    assert_eq!(world.notices_to("ann@example.org"), ["entry-received"]);

    // Rule 8: nobody sits before the fee is there.
    world.at("2019-01-07T09:30:00-06:00");
    world.pass();
    world.run(&["crosstable", "19N01"]).code(1).says("19N01");
    let rows = SEVEN.map(|name| format!("GK2019,{},25.00,2019-01-08,check {name}", id(name)));
    world.import("payments", "event,member_id,amount,received,reference", &rows).code(0);
    assert_eq!(world.object(&["show", "entry", "GK2019-001"])["state"], "waiting");

    // Rule 2: the weekly job forms the section; seats run by falling rating.
    world.at("2019-01-14T09:30:00-06:00");
    world.pass();
    let table = world.object(&["crosstable", "19N01"]);
    has_keys(&table, &["section", "event", "round", "state", "seats", "games"]);
    assert_eq!((&table["round"], &table["state"]), (&json!("preliminary"), &json!("running")));
    let seats = table["seats"].as_array().unwrap();
    assert_eq!(seats.len(), 7);
    for (seat, name) in seats.iter().zip(SEVEN) {
        let keys = ["seat", "entry", "name", "rating", "points", "rank", "forfeit_losses"];
        has_keys(seat, &keys);
        assert_eq!(seat["player"], id(name));
        assert_eq!((&seat["points"], &seat["rank"]), (&json!("0"), &json!(1)));
    }
    let games = table["games"].as_array().unwrap();
    assert_eq!(games.len(), 21);
    let of_1: BTreeSet<u64> =
        games.iter().filter(|g| g["white"] == 1).map(|g| g["black"].as_u64().unwrap()).collect();
    assert_eq!(of_1, BTreeSet::from([2, 4, 6]), "Rule 2: the colours of seat 1");
    for game in games {
        has_keys(game, &["white", "black", "result", "how", "reported", "state"]);
        assert_eq!((&game["result"], &game["state"]), (&Value::Null, &json!("running")));
    }
    for name in SEVEN {
        assert_eq!(world.notices_to(&address(name)).last().unwrap(), "assignment");
    }
    assert_eq!(world.object(&["show", "entry", "GK2019-001"])["state"], "assigned");
    // Any spelling of the code will do.
    assert_eq!(world.object(&["crosstable", "19n1"])["section"], "19N01");
    world.audit();
}

#[test]
fn rule_10_both_reports_confirm_and_a_contradiction_waits_for_the_director() {
    let world = World::with_section();
    world.receive(&result_mail("ann", "1-2", "1-0"));
    world.pass();
    assert_eq!(world.game(1, 2)["state"], "reported");
    assert_eq!(world.game(1, 2)["result"], "1-0");
    assert_eq!(world.notices_to("ben@example.org").last().unwrap(), "result-reported");
    assert_eq!(world.notices_to("ann@example.org").last().unwrap(), "result-receipt");
    world.receive(&result_mail("ben", "1-2", "1-0"));
    world.pass();
    assert_eq!(world.game(1, 2)["state"], "confirmed");

    // Against one's own interest it stands at once.
    world.receive(&result_mail("clara", "2-3", "1-0"));
    world.pass();
    assert_eq!(world.game(2, 3)["state"], "confirmed");

    // A contradiction: neither stands, and the director has both mails.
    world.receive(&result_mail("ann", "1-4", "1-0"));
    world.receive(&result_mail("david", "1-4", "0-1"));
    world.pass();
    assert_eq!(
        (&world.game(1, 4)["state"], &world.game(1, 4)["result"]),
        (&json!("disputed"), &Value::Null)
    );
    let docket = world.json(&["docket"]);
    let item = &docket[0];
    has_keys(
        item,
        &["item", "kind", "rule", "about", "since", "choices", "recommended", "evidence"],
    );
    assert_eq!((&item["kind"], &item["rule"]), (&json!("result-disputed"), &json!(10)));
    assert_eq!(item["about"]["section"], "19N01");
    assert_eq!((&item["about"]["white"], &item["about"]["black"]), (&json!(1), &json!(4)));
    assert_eq!(item["evidence"].as_array().unwrap().len(), 2);
    for name in ["ann", "david"] {
        assert!(world.notices_to(&address(name)).contains(&"result-disputed".to_owned()), "{name}");
    }

    // Rule 7: what is no choice is refused; what is one settles it, once.
    let item = item["item"].as_str().unwrap();
    world.run(&["rule", item, "burn-it"]).code(1).says("1-0");
    world.run(&["rule", "D99", "1-0"]).code(1).says("D99");
    world.run(&["rule", item, "1/2-1/2", "--reason", "both sent the draw offer"]).code(0);
    world.run(&["rule", item, "1-0"]).code(1).says("decided");
    let ruled = world.game(1, 4);
    assert_eq!((&ruled["state"], &ruled["result"]), (&json!("ruled"), &json!("1/2-1/2")));
    assert!(world.docket().is_empty());
    world.pass();
    for name in ["ann", "david"] {
        assert_eq!(world.notices_to(&address(name)).last().unwrap(), "ruling", "{name}");
    }
    let why = world.object(&["why", "19N01", "1-4"]);
    let chain = why["chain"].as_array().unwrap();
    assert_eq!(chain.len(), 3, "two mails and a ruling: {why}");
    assert!(chain[0]["mail"].is_string() && chain[0]["reading"]["intents"].is_array());
    assert!(why.to_string().contains("both sent the draw offer"));
    has_keys(&world.object(&["why", item]), &["about", "chain"]);
    world.audit();
}

#[test]
fn rule_10_a_single_report_stands_after_two_weeks() {
    let world = World::with_section();
    world.receive(&result_mail("ann", "1-2", "1-0"));
    world.pass();
    world.at("2019-01-21T12:00:00-06:00");
    world.pass();
    assert_eq!(world.game(1, 2)["state"], "reported");
    world.at("2019-01-23T12:00:00-06:00");
    world.pass();
    assert_eq!(world.game(1, 2)["state"], "confirmed");
    world.audit();
}

/// Enters every result of 19N01 by the director's list; `score` answers for White's seat and Black's.
fn play_all(world: &World, score: impl Fn(u8, u8) -> &'static str) {
    let table = world.object(&["crosstable", "19N01"]);
    let mut rows = Vec::new();
    for game in table["games"].as_array().unwrap() {
        let seat = |side: &str| u8::try_from(game[side].as_u64().unwrap()).unwrap();
        let (white, black) = (seat("white"), seat("black"));
        let result = score(white, black);
        rows.push(format!("19N01,{white},{black},{result},played,2019-03-01"));
    }
    world.import("results", "section,white_seat,black_seat,result,how,date", &rows).code(0);
}

fn states(world: &World) -> Vec<String> {
    let state = |n| world.object(&["show", "entry", &format!("GK2019-00{n}")])["state"].clone();
    (1..=7).map(|n| state(n).as_str().unwrap().to_owned()).collect()
}

/// The lower seat wins.
fn stronger(white: u8, black: u8) -> &'static str {
    if white < black { "1-0" } else { "0-1" }
}

#[test]
fn rule_3_four_and_a_half_points_advance() {
    let world = World::with_section();
    play_all(&world, stronger);
    let table = world.object(&["crosstable", "19N01"]);
    assert_eq!(table["state"], "complete");
    let points: Vec<_> =
        table["seats"].as_array().unwrap().iter().map(|s| s["points"].clone()).collect();
    assert_eq!(points, ["6", "5", "4", "3", "2", "1", "0"]);
    // 6 and 5 have the points; a 4 is not out before the round is over; fewer are.
    let states = states(&world);
    assert_eq!(&states[..2], ["advanced", "advanced"]);
    assert_eq!(states[2], "assigned");
    assert!(states[3..].iter().all(|s| s == "eliminated"), "{states:?}");
    assert!(world.docket().is_empty());
    world.audit();
}

#[test]
fn rule_3_four_points_advance_where_nobody_has_more() {
    let world = World::with_section();
    // Seats 1 and 2 win four and lose two each: nobody reaches 4½.
    let score = |white: u8, black: u8| match (white.min(black), white.max(black)) {
        (1 | 2, 7) | (1, 6) | (2, 5) => {
            if white > black {
                "1-0"
            } else {
                "0-1"
            }
        }
        (1, 2) => "1/2-1/2",
        (1 | 2, _) => stronger(white, black),
        _ => "1/2-1/2",
    };
    play_all(&world, score);
    let table = world.object(&["crosstable", "19N01"]);
    let points: Vec<_> =
        table["seats"].as_array().unwrap().iter().map(|s| s["points"].as_str().unwrap()).collect();
    let best = points.iter().filter(|p| **p == "4").count();
    assert!(best > 0 && !points.iter().any(|p| ["4.5", "5", "5.5", "6"].contains(p)), "{points:?}");
    let advanced = states(&world).iter().filter(|s| *s == "advanced").count();
    assert_eq!(advanced, best);
    world.audit();
}

#[test]
fn rule_3_nobody_with_four_points_is_a_question_to_the_director() {
    let world = World::with_section();
    play_all(&world, |_, _| "1/2-1/2");
    assert_eq!(world.docket(), ["nobody-advances"]);
    let item = world.json(&["docket"]).remove(0);
    assert_eq!((&item["rule"], &item["about"]["section"]), (&json!(3), &json!("19N01")));
    world.run(&["rule", "D1", "GK2019-003", "--reason", "the highest rating"]).code(0);
    assert_eq!(states(&world)[2], "advanced");
    world.audit();
}

#[test]
fn a_section_played_out_by_mail_tells_everybody() {
    let world = World::with_section();
    let table = world.object(&["crosstable", "19N01"]);
    for game in table["games"].as_array().unwrap() {
        let seat = |side: &str| usize::try_from(game[side].as_u64().unwrap()).unwrap();
        let (white, black) = (seat("white"), seat("black"));
        let result = if white < black { "1-0" } else { "0-1" };
        for seat in [white, black] {
            world.receive(&result_mail(SEVEN[seat - 1], &format!("{white}-{black}"), result));
        }
    }
    world.pass();
    let table = world.object(&["crosstable", "19N01"]);
    assert_eq!(table["state"], "complete", "{table}");
    assert!(table["games"].as_array().unwrap().iter().all(|g| g["state"] == "confirmed"));
    for name in SEVEN {
        let notices = world.notices_to(&address(name));
        assert!(notices.contains(&"section-complete".to_owned()), "{name}: {notices:?}");
        let wanted = usize::from(matches!(name, "ann" | "ben"));
        assert_eq!(notices.iter().filter(|n| *n == "advancement").count(), wanted, "{name}");
    }
    assert_eq!(world.audit()["mails"]["acted"], 7 + 42);
}

// --- show ------------------------------------------------------------------------------------------------------------

#[test]
fn show_tells_one_thing_with_its_history() {
    let world = World::with_section();
    world.receive(&result_mail("ann", "1-2", "1-0"));
    world.pass();
    let player = world.object(&["show", "player", &id("ann")]);
    has_keys(&player, &["entries", "emails", "rating", "expires", "credit", "history"]);
    assert_eq!(player["entries"], json!(["GK2019-001"]));
    assert_eq!((&player["rating"], &player["expires"]), (&json!(2000), &json!("2022-12-31")));
    assert_eq!(world.object(&["show", "section", "19N01"])["seats"].as_array().unwrap().len(), 7);
    for args in [&["show", "game", "19N01", "1-2"][..], &["show", "game", "19N01 1-2"]] {
        let game = world.object(args);
        has_keys(&game, &["white", "black", "state", "result", "how", "history"]);
        assert_eq!((&game["state"], &game["result"]), (&json!("reported"), &json!("1-0")));
    }
    let entry = world.object(&["show", "entry", "GK2019-001"]);
    assert_eq!(entry["sections"], json!(["19N01"]));
    assert!(entry["history"].as_array().unwrap().len() >= 3, "{entry}");
    let transaction: Value =
        serde_json::from_str(&world.run(&["show", "transaction", "3"]).code(0).text()).unwrap();
    has_keys(&transaction, &["seq", "at", "cause"]);
    let letters = world.json(&["letters"]);
    let first = letters[0]["letter"].as_str().unwrap();
    let mut shown = world.object(&["show", "letter", first]);
    let history = shown.as_object_mut().and_then(|letter| letter.remove("history"));
    assert_eq!((&shown, history), (&letters[0], Some(json!([]))));
    for args in [
        ["show", "entry", "GK2019-999"],
        ["show", "player", "99999999"],
        ["show", "section", "19N99"],
        ["show", "letter", "L999"],
        ["show", "transaction", "9999"],
    ] {
        world.run(&args).code(1).says(args[2]);
    }
    world.run(&["show", "game", "19N01", "1-9"]).code(1);
    world.run(&["show", "mail", &format!("sha256:{}", "0".repeat(64))]).code(1);
    world.run(&["show", "mail", "no-digest"]).code(2);
}

#[test]
fn show_mail_gives_the_very_bytes_and_says_what_became_of_it() {
    let world = World::with_seven();
    let bytes = entry_mail("ann").bytes(world.now(), 7);
    world.receive_bytes(&bytes);
    let read = crate::world::finish(world.command(&["read", "-", "--json"]), &bytes).object();
    let digest = read["digest"].as_str().unwrap();
    world.run(&["show", "mail", digest]).code(1);
    world.pass();
    assert_eq!(world.run(&["show", "mail", digest]).code(0).out, bytes);
    let shown = world.object(&["show", "mail", digest]);
    assert_eq!((&shown["outcome"], &shown["digest"]), (&json!("acted"), &json!(digest)));
    assert_eq!(shown["letters"], json!(["L1"]));
    // The digest by itself will do, and the letter's bytes are those of the file.
    let hex = digest.strip_prefix("sha256:").unwrap();
    assert_eq!(world.run(&["show", "mail", hex]).code(0).out, bytes);
    let letter = &world.json(&["letters"])[0];
    let file = fs::read(world.path(letter["file"].as_str().unwrap())).unwrap();
    assert_eq!(world.run(&["show", "letter", "L1"]).code(0).out, file);
}

// --- letters ---------------------------------------------------------------------------------------------------------

#[test]
fn letters_are_listed_answer_in_the_thread_and_are_resent_as_they_were() {
    let world = World::with_seven();
    let mail = entry_mail("ann").header("Message-ID", "<first@mail.example.net>");
    world.receive(&mail);
    world.pass();
    let letters = world.json(&["letters"]);
    assert_eq!(letters.len(), 1);
    let letter = &letters[0];
    let keys =
        ["letter", "notice", "to", "player", "section", "state", "message_id", "queued", "sent"];
    has_keys(letter, &keys);
    has_keys(letter, &["attempts", "file"]);
    assert_eq!((&letter["letter"], &letter["state"]), (&json!("L1"), &json!("sent")));
    assert_eq!((&letter["to"], &letter["player"]), (&json!("ann@example.org"), &json!(id("ann"))));
    let bytes = world.run(&["show", "letter", "L1"]).code(0).out;
    let text = String::from_utf8(bytes.clone()).unwrap();
    for header in ["Message-ID: <", "Date: ", "From: ", "To: ", "Reply-To: ", "MIME-Version: 1.0"] {
        assert!(text.contains(&format!("\r\n{header}")) || text.starts_with(header), "{header}");
    }
    assert!(text.contains("In-Reply-To: <first@mail.example.net>"), "{text}");
    assert!(text.contains("References: <first@mail.example.net>"));
    assert!(text.contains("Auto-Submitted: auto-replied"));
    assert!(text.contains(&format!("Message-ID: <{}>", letter["message_id"].as_str().unwrap())));

    let file = world.path(letter["file"].as_str().unwrap());
    fs::remove_file(&file).unwrap();
    world.run(&["resend", "L1"]).code(0);
    assert_eq!(world.json(&["letters"])[0]["state"], "waiting");
    world.pass();
    assert_eq!(fs::read(&file).unwrap(), bytes, "the same bytes under the same Message-ID");
    let again = &world.json(&["letters"])[0];
    assert_eq!((&again["state"], &again["attempts"]), (&json!("sent"), &json!(2)));
    world.run(&["resend", "L2"]).code(1).says("L2");
    world.audit();
}

#[test]
fn every_notice_has_a_preview_and_a_directors_template_is_used() {
    let world = World::new();
    let names = world.run(&["preview"]).code(0).text();
    for name in ["entry-received", "assignment", "result-receipt", "director-summary", "help"] {
        assert!(names.lines().any(|line| line == name), "{name}");
    }
    for name in names.lines() {
        let shown = world.run(&["preview", name]).code(0).text();
        assert!(shown.starts_with("Subject: ") && shown.contains("Dear "), "{name}");
    }
    world.run(&["preview", "love-letter"]).code(2).says("assignment");
    let own = world.path("templates/help.txt");
    crate::world::write(&own, b"Subject: As you asked\n\nDear {{ name }},\n\nAsk Pat.\n");
    let shown = world.run(&["preview", "help"]).code(0).text();
    assert!(shown.contains("Ask Pat."), "{shown}");
    // The shipped template is a good one to begin with: as it is printed it can be put into the home.
    let source = world.run(&["preview", "help", "--source"]).code(0).text();
    assert!(source.starts_with("Subject: ") && source.contains("{{ name }}"), "{source}");
    crate::world::write(&own, source.as_bytes());
    world.run(&["preview", "help"]).code(0);
    crate::world::write(&own, b"Subject: {{ broken\n\nDear\n");
    for command in [&["preview", "help"][..], &["check"], &["run", "--once"]] {
        world.run(command).code(2).says("templates/help.txt");
    }
}

// --- direct, as-of, views --------------------------------------------------------------------------------------------

#[test]
fn direct_enters_pays_and_changes_an_address() {
    let world = World::with_seven();
    let ann = id("ann");
    world
        .run(&["direct", "entry", "GK2019", &ann, "--postmark", "2019-01-02", "--count", "2"])
        .code(0);
    assert_eq!(world.object(&["show", "entry", "GK2019-002"])["state"], "awaiting-payment");
    world.run(&["direct", "payment", "GK2019", &ann, "50.00"]).code(0);
    assert_eq!(world.object(&["show", "entry", "GK2019-002"])["state"], "waiting");
    world.run(&["direct", "address", &ann, "ann.new@example.net"]).code(0);
    let emails = &world.object(&["show", "player", &ann])["emails"];
    assert_eq!(*emails, json!(["ann.new@example.net", "ann@example.org"]));
    world
        .run(&["direct", "entry", "GK1066", &ann, "--postmark", "2019-01-02"])
        .code(1)
        .says("GK2019");
    world.run(&["direct", "payment", "GK2019", "99999999", "5"]).code(1).says("99999999");
    world.run(&["direct", "address", &ann, "no address"]).code(2);
    world.audit();
}

#[test]
fn as_of_shows_the_books_as_they_were() {
    let world = World::with_section();
    let old = world.object(&["show", "entry", "GK2019-001", "--as-of", "2019-01-02"]);
    assert_eq!(old["state"], "waiting", "the payment was booked on that day");
    world.run(&["crosstable", "19N01", "--as-of", "2019-01-06"]).code(1);
    world.run(&["crosstable", "19N01", "--as-of", "2019-01-07"]).code(0);
    world.run(&["show", "entry", "GK2019-001", "--as-of", "2019-01-01"]).code(1);
    assert!(world.json(&["letters", "--as-of", "2019-01-01"]).is_empty());
    assert_eq!(world.json(&["letters", "--as-of", "2019-01-02"]).len(), 7);
    assert_eq!(world.object(&["audit", "--as-of", "2019-01-02"])["mails"]["received"], 7);
}

#[test]
fn audit_counts_mails_and_letters() {
    let world = World::with_section();
    let audit = world.audit();
    let mails = &audit["mails"];
    has_keys(mails, &["received", "acted", "held", "ignored", "duplicate"]);
    has_keys(&audit["letters"], &["owed", "sent", "waiting", "failed", "printed"]);
    assert_eq!((&mails["received"], &mails["acted"]), (&json!(7), &json!(7)));
    assert_eq!(audit["letters"]["owed"], audit["letters"]["sent"]);
}

#[test]
fn a_player_without_an_address_gets_the_letter_on_paper() {
    let world = World::new();
    let row = "44444441,Paula Stern,,US,IL,1500,2018-01-01,2022-01-01".to_owned();
    world.roster(&[row]).code(0);
    world.run(&["direct", "entry", "GK2019", "44444441", "--postmark", "2019-01-02"]).code(0);
    world.pass();
    let letter = &world.json(&["letters"])[0];
    assert_eq!((&letter["to"], &letter["state"]), (&Value::Null, &json!("printed")));
    assert_eq!(letter["player"], "44444441");
    assert_eq!(letter["file"], "print/L000001.pdf");
    let paper = fs::read(world.path("print/L000001.pdf")).unwrap();
    assert!(paper.starts_with(b"%PDF"), "a page to print");
    let text = world.letter_text("L1");
    assert!(text.contains("Paula Stern"), "{text}");
    assert_eq!(world.audit()["letters"]["printed"], 1);
}

#[test]
fn an_unknown_sender_is_helped_and_learns_nothing_of_others() {
    let world = World::with_section();
    let mail = Mail::from("Zed <zed@example.net>")
        .subject("19N01")
        .text("Has section 19N01 been mailed yet?\n");
    world.receive(&mail);
    world.pass();
    let letters = world.letters_to("zed@example.net");
    assert_eq!(letters.len(), 1);
    let text = world.letter_text(letters[0]["letter"].as_str().unwrap());
    for name in SEVEN {
        assert!(!text.contains(&address(name)), "{text}");
    }
    assert!(!text.contains("2000"), "no rating data: {text}");
}

#[test]
fn the_views_are_text_for_people() {
    let world = World::with_section();
    let sheet = fs::read_to_string(world.path("views/sections/19N01.txt")).unwrap();
    assert!(sheet.contains("Ann Adams") && sheet.contains("2000"));
    for view in ["players.txt", "entries.txt", "docket.txt", "outbox.txt"] {
        assert!(world.path("views").join(view).is_file(), "{view}");
    }
}
