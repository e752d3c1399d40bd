//! The director by mail (Rule 7): rulings in reply to his letters, orders a line, what is shown, previewed and taken back,
//! and who is not believed. Real binary, real homes.

use crate::world::{Mail, World, address, files, id, result_mail, write};
use serde_json::{Value, json};

const DIRECTOR: &str = "director@example.org";

/// A home in which the game 1-4 of 19N01 is disputed, and the summary of 14 January tells of it.
fn disputed() -> World {
    let world = World::with_section();
    world.receive(&result_mail("ann", "1-4", "1-0"));
    world.receive(&result_mail("david", "1-4", "0-1"));
    world.pass();
    assert_eq!(world.docket(), ["result-disputed"]);
    world.at("2019-01-14T09:30:00-06:00");
    world.pass();
    world
}

/// A mail of the director's that answers the newest letter of a name that he got.
fn reply(world: &World, notice: &str) -> Mail {
    reply_about(world, notice, "Re: your letter")
}

/// Answers the newest letter of a kind to the director, under another subject.
fn reply_about(world: &World, notice: &str, subject: &str) -> Mail {
    let letters = world.letters_to(DIRECTOR);
    let letter = letters.iter().rev().find(|letter| letter["notice"] == notice);
    let letter = letter.unwrap_or_else(|| panic!("no {notice} in {letters:?}"));
    let id = letter["message_id"].as_str().expect("an id");
    unproved(subject).header("In-Reply-To", &format!("<{id}>"))
}

/// A mail that says it is from the director.
fn unproved(subject: &str) -> Mail {
    Mail::from("Pat Marlow <director@example.org>").subject(subject)
}

/// Takes in lines of the director's, in reply to his last summary, and returns the transcript.
fn order(world: &World, lines: &str) -> String {
    world.receive(&reply(world, "director-summary").text(lines));
    world.pass();
    transcript(world)
}

/// The text of the newest transcript.
fn transcript(world: &World) -> String {
    let letters = world.letters_to(DIRECTOR);
    let newest = letters.iter().rev().find(|letter| letter["notice"] == "transcript");
    let newest = newest.unwrap_or_else(|| panic!("no transcript in {letters:?}"));
    world.letter_text(newest["letter"].as_str().expect("a number"))
}

/// Makes sure that a text says this, however its lines are broken.
#[track_caller]
fn says(text: &str, words: &str) {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(words), "`{words}` is not in:\n{text}");
}

fn state(world: &World, white: u8, black: u8) -> (Value, Value) {
    let game = world.game(white, black);
    (game["state"].clone(), game["result"].clone())
}

/// The states of the letters of a name to one of the seven.
fn letters(world: &World, name: &str, notice: &str) -> Vec<String> {
    let all = world.letters_to(&address(name));
    let named = all.iter().filter(|letter| letter["notice"] == notice);
    named.map(|letter| letter["state"].as_str().expect("a state").to_owned()).collect()
}

fn act_number(text: &str) -> String {
    let (_, behind) = text.split_once("`undo ").expect("the number to undo it");
    behind.split_once('`').expect("its end").0.to_owned()
}

#[test]
fn rule_7_a_choice_alone_decides_the_item_of_the_letter() {
    for (answer, result, reason) in [
        ("1-0: the score proves it", "1-0", "the score proves it"),
        ("2", "0-1", ""),
        ("D1 1/2-1/2 both are to blame", "1/2-1/2", "both are to blame"),
        ("item 1: 1-0", "1-0", ""),
    ] {
        let world = disputed();
        let told = order(&world, &format!("{answer}\n\n-- \nPat Marlow\n"));
        says(&told, &format!("> {answer}"));
        assert_eq!(state(&world, 1, 4), ("ruled".into(), result.into()), "{answer}\n{told}");
        says(&told, "D1 decided");
        says(&told, "They wait until 10:00.");
        assert!(world.docket().is_empty());
        let chain = world.run(&["why", "D1"]).code(0).text();
        assert!(chain.contains("by mail sha256:"), "{chain}");
        assert!(chain.contains(answer.split(' ').next().unwrap_or_default()), "{chain}");
        assert!(chain.contains(reason), "{chain}");
        world.audit();
    }
}

#[test]
fn letters_wait_for_the_undo_time_and_leave_when_it_has_passed() {
    let world = disputed();
    order(&world, "1-0: the score proves it\n");
    assert_eq!(letters(&world, "ann", "ruling"), ["waiting"]);
    let listed = world.run(&["letters"]).code(0).text();
    assert!(listed.contains("waits until 10:00 so that it can be taken back"), "{listed}");
    world.at("2019-01-14T09:59:00-06:00");
    world.pass();
    assert_eq!(letters(&world, "ann", "ruling"), ["waiting"]);
    world.at("2019-01-14T10:00:00-06:00");
    world.pass();
    assert_eq!(letters(&world, "ann", "ruling"), ["sent"]);
    assert_eq!(letters(&world, "david", "ruling"), ["sent"]);
    world.audit();
}

#[test]
fn the_command_line_waits_as_well_unless_it_says_at_once() {
    let world = disputed();
    let order = ["direct", "result", "19N01", "1-2", "1-0", "mate", "--reason", "x"];
    world.run(&order).code(0).says("2 letters wait until 10:00");
    world.pass();
    assert_eq!(letters(&world, "ben", "ruling"), ["waiting"]);
    world.run(&["rule", "D1", "2", "--at-once"]).code(0);
    world.pass();
    assert_eq!(letters(&world, "ann", "ruling"), ["waiting", "sent"]);
    // Whoever sends a waiting letter by its number wants it to leave now.
    let letter = world.letters_to(&address("ben")).last().expect("a letter")["letter"].clone();
    world.run(&["resend", letter.as_str().expect("a number")]).code(0);
    world.pass();
    assert_eq!(letters(&world, "ben", "ruling"), ["sent"]);
    world.audit();
}

#[test]
fn of_several_rulings_about_a_game_the_last_one_is_told_alone() {
    let world = disputed();
    for result in ["1-0", "0-1", "0-1", "1/2-1/2"] {
        let order = ["direct", "result", "19N01", "1-2", result, "adjudication", "--reason", "x"];
        world.run(&order).code(0);
        world.pass();
    }
    assert_eq!(letters(&world, "ben", "ruling"), ["failed", "failed", "failed", "waiting"]);
    // When the last one is taken back, the one before it holds, and is told.
    let last = world.letters_to(&address("ben")).last().expect("a letter")["transaction"].clone();
    world.run(&["direct", "undo", &last.to_string(), "--reason", "hasty"]).code(0);
    assert_eq!(state(&world, 1, 2), ("ruled".into(), "0-1".into()));
    world.at("2019-01-14T10:30:00-06:00");
    world.pass();
    for name in ["ann", "ben"] {
        assert_eq!(letters(&world, name, "ruling"), ["failed", "failed", "sent", "failed"]);
        assert!(letters(&world, name, "taken-back").is_empty());
    }
    // Whoever has heard of a ruling hears of the next one as well.
    let order = ["direct", "result", "19N01", "1-2", "1-0", "adjudication", "--reason", "x"];
    world.run(&order).code(0);
    world.at("2019-01-14T11:30:00-06:00");
    world.pass();
    assert_eq!(letters(&world, "ben", "ruling")[2..], ["sent", "failed", "sent"]);
    // What was taken back before it left is owed to nobody, and is no failure.
    let audit = world.audit()["letters"].clone();
    let sum = ["sent", "waiting", "failed", "printed"].map(|state| audit[state].as_u64());
    assert_eq!(audit["owed"].as_u64(), sum.into_iter().sum(), "{audit}");
    let status = world.object(&["status"]);
    assert_eq!(status["outbox"]["failed"], 0, "{status}");
}

#[test]
fn what_is_taken_back_in_time_reaches_nobody() {
    let world = disputed();
    let told = order(&world, "1-0: the score proves it\n");
    let number = act_number(&told);
    world.at("2019-01-14T09:50:00-06:00");
    let told = order(&world, &format!("undo {number}: the wrong player\n"));
    says(&told, &format!("transaction {number} is taken back: the wrong player"));
    assert_eq!(state(&world, 1, 4), ("disputed".into(), Value::Null));
    assert_eq!(world.docket(), ["result-disputed"]);
    world.at("2019-01-15T09:30:00-06:00");
    world.pass();
    assert_eq!(letters(&world, "ann", "ruling"), ["failed"]);
    assert!(letters(&world, "ann", "taken-back").is_empty());
    let waiting = world.letters_to(&address("ann")).last().expect("a letter")["letter"].clone();
    let waiting = waiting.as_str().expect("a number");
    world.run(&["show", "letter", waiting]).code(0).says("taken back before it left");
    world.run(&["resend", waiting]).code(1).says("taken back before it left");
    assert_eq!(world.audit()["letters"]["waiting"], 0);
}

#[test]
fn what_is_taken_back_later_is_told_to_whoever_heard_of_it() {
    let world = disputed();
    let told = order(&world, "1-0: the score proves it\n");
    world.at("2019-01-14T10:30:00-06:00");
    world.pass();
    // His act by mail is taken back at the command line like any other.
    let number = act_number(&told);
    world.run(&["direct", "undo", &number, "--reason", "the wrong player"]).code(0);
    world.pass();
    assert_eq!(letters(&world, "ann", "taken-back"), ["sent"]);
    assert_eq!(letters(&world, "ann", "ruling"), ["sent"]);
    let shown = world.run(&["show", "transaction", &number]).code(0).text();
    let shown: Value = serde_json::from_str(&shown).expect("a line of the journal");
    assert_eq!(shown["cause"]["director"]["words"], "1-0: the score proves it");
    assert_eq!(shown["cause"]["director"]["mail"]["line"], 1);
    world.audit();
}

#[test]
fn several_orders_in_one_mail_are_carried_out_line_by_line() {
    let world = disputed();
    let ann = id("ann");
    let lines = format!(
        "Dear machine,\n\nresult 19N01 1-2 1-0 adjudicated: bare king\nresult 19N01 1-9 1-0 mate: x\n\
         forfeit 19n1 3v1 white time\nleave {ann} 2019-02-01 to 2019-02-10: hospital\n\
         renew {ann} until 2025-12-31\npay GK2019 {ann} 5.00 2019-01-12: check 9\nD1 0-1\n\
         resutl 19N01 6-7 1-0\ncrosstable 19N01\nstandings\nshow D1\nshow L1\nstatus\nend\n\
         result 19N01 2-3 1-0 mate: behind the end\n"
    );
    let told = order(&world, &lines);
    assert_eq!(state(&world, 1, 2), ("ruled".into(), "1-0".into()), "{told}");
    assert_eq!(state(&world, 1, 4), ("ruled".into(), "0-1".into()), "{told}");
    assert_eq!(state(&world, 3, 1).0, "running", "{told}");
    assert_eq!(state(&world, 2, 3).0, "running", "{told}");
    let player = world.object(&["show", "player", &ann]);
    assert_eq!((&player["expires"], &player["credit"]), (&json!("2025-12-31"), &json!("0.00")));
    says(&told, "> Dear machine, - This is no command and does nothing.");
    says(&told, "its seats are 1 to 7");
    says(&told, "it gives no reason");
    says(&told, "write it like `forfeit 19N04 3-1 white time");
    says(&told, "Is `result` meant?");
    says(&told, "19N01 start 2019-01-07 running");
    assert!(!told.contains("behind the end"), "{told}");
    let done = told.matches("takes it back").count();
    assert_eq!(done, 5, "{told}");
    // The receipt for money waits for nothing; all else does.
    world.audit();
}

#[test]
fn a_preview_changes_nothing() {
    let world = disputed();
    let before =
        (world.game(1, 2), world.game(1, 4), world.docket(), world.json(&["letters"]).len());
    let told =
        order(&world, "preview D1 1-0\npreview result 19N01 1-2 1-0 mate: x\npreview hello\n");
    says(&told, "19N01 1-4: ruled 1-0");
    says(&told, "Letters: ruling to Ann Adams, ruling to David Eames.");
    says(&told, "there is no order behind it");
    let after =
        (world.game(1, 2), world.game(1, 4), world.docket(), world.json(&["letters"]).len());
    assert_eq!(after, (before.0, before.1, before.2, before.3 + 1), "the transcript alone is new");
}

#[test]
fn preview_alone_holds_for_all_that_stands_below_it() {
    let world = disputed();
    let before = (world.game(1, 2), world.game(1, 4), world.docket());
    let told = order(&world, "preview\nresult 19N01 1-2 1-0 mate: x\nD1 1-0: so it is\n");
    says(&told, "What stands below is only previewed");
    says(&told, "19N01 1-4: ruled 1-0");
    assert_eq!((world.game(1, 2), world.game(1, 4), world.docket()), before);
    // So does the subject of the mail.
    let mail = reply_about(&world, "director-summary", "Re: preview");
    world.receive(&mail.text("D1 1-0: so it is\n"));
    world.pass();
    assert_eq!((world.game(1, 2), world.game(1, 4), world.docket()), before);
}

#[test]
fn unknown_lines_do_nothing_and_after_five_the_rest_is_not_read() {
    let world = disputed();
    let six = "Dear all,\nHow are you?\nIt rains.\nresult 19N01 1-2 1-0 mate: x\nAnd there?\nOr not?\nD1 1-0\n";
    let told = order(&world, six);
    assert_eq!(state(&world, 1, 2), ("ruled".into(), "1-0".into()), "what stood before is done");
    assert_eq!(world.docket(), ["result-disputed"], "what stood behind is not read");
    says(&told, "after five lines that are no commands");
    // A word that is nothing is told so as well, and the docket is not filled with it.
    let told = order(&world, "frofeit\n");
    says(&told, "Is `forfeit` meant?");
    assert_eq!(world.docket(), ["result-disputed"]);
}

#[test]
fn with_two_items_in_the_letter_a_choice_alone_decides_none() {
    let world = disputed();
    world.receive(&result_mail("ann", "1-2", "1-0"));
    world.receive(&result_mail("ben", "1-2", "0-1"));
    world.pass();
    world.at("2019-01-21T09:30:00-06:00");
    world.pass();
    let told = order(&world, "1-0\n");
    assert_eq!(world.docket().len(), 2, "{told}");
    says(&told, "D1 (result-disputed), D2 (result-disputed)");
    order(&world, "D2 1-0\n");
    assert_eq!(state(&world, 1, 2), ("ruled".into(), "1-0".into()));
}

#[test]
fn an_address_alone_is_asked_and_his_yes_carries_out_those_lines_once() {
    let world = disputed();
    world.receive(&unproved("orders").text("D1 1-0: so it is\nresult 19N01 1-2 1-0 mate: x\n"));
    world.pass();
    assert_eq!(world.docket(), ["result-disputed"]);
    assert_eq!(state(&world, 1, 2).0, "running");
    let letter = world.letters_to(DIRECTOR).last().expect("a letter").clone();
    assert_eq!((&letter["notice"], &letter["state"]), (&json!("director-confirm"), &json!("sent")));
    let asked = world.letter_text(letter["letter"].as_str().expect("a number"));
    says(&asked, "> D1 1-0: so it is");
    // Whoever cannot read his mail cannot answer it.
    world.receive(&unproved("Re: Did you write these 2 lines?").text("yes\n"));
    world.pass();
    assert_eq!(world.docket().first().map(String::as_str), Some("result-disputed"));

    world.receive(&reply(&world, "director-confirm").text("Yes.\n"));
    world.pass();
    let told = transcript(&world);
    assert_eq!(state(&world, 1, 4), ("ruled".into(), "1-0".into()), "{told}");
    assert_eq!(state(&world, 1, 2), ("ruled".into(), "1-0".into()), "{told}");
    says(&told, "> result 19N01 1-2 1-0 mate: x");
    world.receive(&reply(&world, "director-confirm").text("yes, yes\n"));
    world.receive(&reply(&world, "director-confirm").text("yes\n\nonce more\n"));
    world.pass();
    says(&transcript(&world), "settled before");
    world.audit();
}

#[test]
fn lines_that_waited_are_dropped_by_a_no_and_by_time() {
    let world = disputed();
    world.receive(&unproved("orders").text("D1 1-0: so it is\n"));
    world.pass();
    world.receive(&reply(&world, "director-confirm").text("No!\n"));
    world.pass();
    says(&transcript(&world), "dropped");
    world.receive(&unproved("orders").text("D1 0-1: so it is\n"));
    world.pass();
    world.at("2019-01-29T09:30:00-06:00");
    world.receive(&reply(&world, "director-confirm").text("yes\n"));
    world.pass();
    says(&transcript(&world), "their days are over");
    assert_eq!(state(&world, 1, 4), ("disputed".into(), Value::Null));
    world.audit();
}

#[test]
fn nobody_else_gets_anything_done_with_such_lines() {
    let world = disputed();
    let before = (world.game(2, 3), world.game(1, 4));
    let lines = "D1 1-0: so it is\nresult 19N01 2-3 1-0 mate: x\nundo 3\n";
    world.receive(&Mail::of("ann").subject("orders").text(lines));
    world.receive(&Mail::from("Eve <eve@example.net>").subject("orders").text(lines));
    // A stolen letter of the director's in another's hands.
    let stolen = world.letters_to(DIRECTOR).last().expect("a letter")["message_id"].clone();
    let stolen = format!("<{}>", stolen.as_str().expect("an id"));
    let mail = Mail::from("Eve <eve@example.net>").subject("Re: x").header("In-Reply-To", &stolen);
    world.receive(&mail.text(lines));
    world.pass();
    assert_eq!((world.game(2, 3), world.game(1, 4)), before);
    assert!(world.docket().contains(&"result-disputed".to_owned()));
    let notices = world.notices_to(DIRECTOR);
    assert!(!notices.iter().any(|n| n == "transcript" || n == "director-confirm"), "{notices:?}");
}

#[test]
fn our_own_letter_below_an_answer_orders_nothing() {
    let world = disputed();
    let letter = world.letters_to(DIRECTOR).last().expect("a letter").clone();
    let ours = world.letter_text(letter["letter"].as_str().expect("a number"));
    assert!(ours.contains("D1 1-0: why"), "it shows how to answer:\n{ours}");
    let quoted = ours.lines().fold(String::new(), |all, line| all + "> " + line + "\n");
    let text = format!("docket\n\nOn Monday, Knightmail wrote:\n{quoted}");
    let told = order(&world, &text);
    assert_eq!(world.docket(), ["result-disputed"], "{told}");
    says(&told, "D1 result-disputed");
    // Some programs quote without a mark.
    let told = order(&world, &format!("status\n\n{ours}"));
    assert_eq!(world.docket(), ["result-disputed"], "{told}");
}

#[test]
fn a_mail_in_html_alone_is_read_line_by_line() {
    let world = disputed();
    let html = "<html><body><div>D1 1-0: so it is</div><div>result 19N01 1-2 1-0 mate:&nbsp;x<br>docket</div>\
                <blockquote type=\"cite\">result 19N01 2-3 1-0 mate: quoted</blockquote></body></html>";
    let mail = reply(&world, "director-summary").header("Content-Type", "text/html; charset=utf-8");
    world.receive(&mail.text(html));
    world.pass();
    says(&transcript(&world), "Nothing waits.");
    assert_eq!(state(&world, 1, 4), ("ruled".into(), "1-0".into()));
    assert_eq!(state(&world, 1, 2), ("ruled".into(), "1-0".into()));
    assert_eq!(state(&world, 2, 3).0, "running");
}

#[test]
fn the_same_mail_twice_acts_once() {
    let world = disputed();
    let ann = id("ann");
    let mail = reply(&world, "director-summary").text(&format!("pay GK2019 {ann} 5.00: check 9\n"));
    let bytes = mail.bytes(world.now(), 77);
    world.receive_bytes(&bytes);
    world.pass();
    world.receive_bytes(&bytes);
    let other = [b"X-Route: another\r\n".as_slice(), &bytes].concat();
    world.receive_bytes(&other);
    world.pass();
    let transcripts = world.notices_to(DIRECTOR);
    assert_eq!(transcripts.iter().filter(|n| *n == "transcript").count(), 1);
    assert_eq!(world.audit()["mails"]["duplicate"], 2);
}

#[test]
fn a_director_who_plays_himself_writes_his_moves_as_before() {
    let world = disputed();
    let row =
        "22222201,Ann Adams,ann@example.org;director@example.org,US,IL,2000,2018-12-01,2022-12-31";
    world.roster(&[row.to_owned()]).code(0);
    world.receive(&unproved("19N01 1-2").text("My move: 1. e4\n"));
    world.pass();
    assert_eq!(world.notices_to(&address("ben")).last().map(String::as_str), Some("move"));
    // To his own opponent's letters he answers as a player.
    world.receive(&unproved("19N01 1-6").text("Section: 19N01\nGame: 1-6\nResult: 0-1\n"));
    world.pass();
    assert_eq!(state(&world, 1, 6), ("confirmed".into(), "0-1".into()));
    // And orders as the director.
    order(&world, "D1 1/2-1/2: agreed\n");
    assert_eq!(state(&world, 1, 4), ("ruled".into(), "1/2-1/2".into()));
}

#[test]
fn help_lists_what_can_be_ordered() {
    let world = disputed();
    let told = order(&world, "help\n");
    for line in ["D12 forfeit: no answer", "undo 214", "preview D12 forfeit", "docket"] {
        says(&told, line);
    }
}

#[test]
fn orders_are_not_carried_out_twice_when_the_program_dies_before_their_mail_is_dealt_with() {
    let world = disputed();
    let mail = reply(&world, "director-summary");
    let lines = "result 19N01 1-2 1-0 mate: x\nwithdraw 22222207 from 19N01: by phone\n";
    let bytes = mail.text(lines).bytes(world.now(), 50);
    let name = world.receive_bytes(&bytes);
    world.pass();
    let told = transcript(&world);
    // The power fails when the orders are on the disk, and the line of their mail is not.
    let segment = files(&world.path("store/journal")).pop().expect("a segment");
    let text = String::from_utf8(std::fs::read(&segment).expect("its bytes")).expect("text");
    let (kept, _) = split_before(&text, "lines-read");
    write(&segment, kept.as_bytes());
    for file in files(&world.path("mail/in/cur")) {
        if file.to_string_lossy().contains(&name) {
            std::fs::remove_file(file).expect("it is there");
        }
    }
    write(&world.path("mail/in/new").join(&name), &bytes);
    world.pass();
    assert_eq!(transcript(&world), told, "he is told the same");
    let journal = String::from_utf8(world.journal()).expect("text");
    assert_eq!(journal.matches("\"words\":\"result 19N01").count(), 1);
    assert_eq!(journal.matches("\"words\":\"withdraw").count(), 1);
    world.audit();
}

/// Returns the lines before the first one that says this, and the others.
fn split_before<'a>(text: &'a str, words: &str) -> (&'a str, &'a str) {
    let line = text.lines().find(|line| line.contains(words)).expect("such a line");
    text.split_at(text.find(line).expect("it is a part"))
}

#[test]
fn a_signature_that_our_own_server_found_good_is_believed() {
    let world = disputed();
    let file = world.path("knightmail.toml");
    let text = std::fs::read_to_string(&file).expect("the configuration");
    write(&file, text.replace("# authserv_id", "authserv_id").as_bytes());
    let results = |server: &str| format!("{server}; dkim=pass header.d=example.org");
    let forged = unproved("orders").header("Authentication-Results", &results("mx.example.net"));
    world.receive(&forged.text("D1 0-1: forged\n"));
    world.pass();
    assert_eq!(state(&world, 1, 4).0, "disputed");
    let signed = unproved("orders").header("Authentication-Results", &results("mx.example.org"));
    world.receive(&signed.text("D1 1-0: so it is\n"));
    world.pass();
    assert_eq!(state(&world, 1, 4), ("ruled".into(), "1-0".into()));
    says(&transcript(&world), "> D1 1-0: so it is");
}
