//! Letters that come back, through homes with Maildir folders: reports in the shape of the genuine ones, with the keyed
//! address or the Message-ID of a letter of ours, and what they bring about (Rule 10).

use super::{
    mail::shared,
    world::{Mail, SEVEN, World, address, full_name, id},
};
use serde_json::{Value, json};
use std::fs;

const COLUMNS: &str =
    "member_id,name,email,country,state,rating,rating_date,expires,timezone,language,address";
/// Ben's other address.
const SECOND: &str = "ben@example.net";

/// The seven in 19N01. Ben has a second address if it is said, and everybody a postal one.
fn world(second: bool) -> World {
    let world = World::with_section();
    roster(&world, if second { &["ben@example.org", SECOND] } else { &["ben@example.org"] });
    world
}

fn roster(world: &World, bens: &[&str]) {
    let row = |(place, name): (usize, &&str)| {
        let emails = if *name == "ben" { bens.join(";") } else { address(name) };
        let (id, full) = (id(name), full_name(name));
        let rating = 2000 - 50 * place;
        format!(
            "{id},{full},{emails},US,IL,{rating},2018-12-01,2022-12-31,,,\"1 Mill Lane, Springfield, OH 45501\""
        )
    };
    let rows: Vec<String> = SEVEN.iter().enumerate().map(row).collect();
    world.import("roster", COLUMNS, &rows).code(0);
}

/// A letter of ours, as far as a report can name it.
struct Ours {
    letter: String,
    to: String,
    reply_to: String,
    message_id: String,
}

/// Returns the last letter of a notice to an address.
#[track_caller]
fn last(world: &World, to: &str, notice: &str) -> Ours {
    let mut letters = world.letters_to(to);
    letters.retain(|letter| letter["notice"] == notice);
    ours(world, letters.last().unwrap_or_else(|| panic!("no {notice} to {to}")))
}

fn ours(world: &World, letter: &Value) -> Ours {
    let text = |key: &str| letter[key].as_str().unwrap_or_default().to_owned();
    let bytes = world.run(&["show", "letter", &text("letter")]).code(0).out;
    let head = String::from_utf8_lossy(&bytes);
    let reply = head.lines().find(|line| line.starts_with("Reply-To:")).unwrap();
    let reply_to = reply.rsplit('<').next().unwrap().trim_end_matches('>').to_owned();
    assert!(reply_to.contains('+'), "{reply_to}");
    let (letter, to, message_id) = (text("letter"), text("to"), text("message_id"));
    Ours { letter, to, reply_to, message_id }
}

/// A report as Postfix makes it. `sent_to` is the address that it comes to, `about` the Message-ID that it returns.
struct Report<'a> {
    sent_to: &'a str,
    recipient: &'a str,
    about: &'a str,
    action: &'a str,
    status: &'a str,
    said: &'a str,
    number: u32,
}

impl<'a> Report<'a> {
    /// The recipient is unknown, and the report comes to the letter's own address.
    fn of(ours: &'a Ours) -> Self {
        Self {
            sent_to: &ours.reply_to,
            recipient: &ours.to,
            about: "lost@mail.example.com",
            action: "failed",
            status: "5.1.1",
            said: "550 5.1.1 no such player here",
            number: 1,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let Self { sent_to, recipient, about, action, status, said, number } = self;
        format!(
            "Return-Path: <>\r\nDelivered-To: {sent_to}\r\nReceived: by mail.example.com (Postfix)\r\n\t\
             id 47EE69ADBE{number}; Tue, 8 Jan 2019 15:00:0{number} +0000 (UTC)\r\n\
             Date: Tue, 8 Jan 2019 15:00:0{number} +0000 (UTC)\r\n\
             From: Mail Delivery System <MAILER-DAEMON@mail.example.com>\r\n\
             Subject: Undelivered Mail Returned to Sender\r\nTo: {sent_to}\r\n\
             Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n\
             Content-Type: multipart/report; report-type=delivery-status;\r\n\tboundary=\"b{number}\"\r\n\
             Message-Id: <r{number}@mail.example.com>\r\n\r\nThis is a MIME-encapsulated message.\r\n\r\n\
             --b{number}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\
             This is the mail system at host mail.example.com.\r\n\r\n<{recipient}>: {said}\r\n\r\n\
             --b{number}\r\nContent-Type: message/delivery-status\r\n\r\n\
             Reporting-MTA: dns; mail.example.com\r\n\r\nFinal-Recipient: rfc822; {recipient}\r\n\
             Action: {action}\r\nStatus: {status}\r\nDiagnostic-Code: smtp; {said}\r\n\r\n\
             --b{number}\r\nContent-Type: text/rfc822-headers\r\n\r\n\
             Message-ID: <{about}>\r\nTo: {recipient}\r\n\r\n--b{number}--\r\n"
        )
        .into_bytes()
    }

    fn arrives(&self, world: &World) {
        world.receive_bytes(&self.bytes());
        world.pass();
    }
}

fn ben(world: &World) -> Value {
    world.object(&["show", "player", &id("ben")])
}

/// Returns how a letter stands: its state, and where it goes.
fn stands(world: &World, letter: &str) -> (String, Value) {
    let shown = world.object(&["show", "letter", letter]);
    (shown["state"].as_str().unwrap().to_owned(), shown["to"].clone())
}

fn sent(to: &str) -> (String, Value) {
    ("sent".to_owned(), json!(to))
}

/// Returns what befell a letter, a sentence each.
fn story(world: &World, letter: &str) -> String {
    let shown = world.object(&["show", "letter", letter]);
    let steps = shown["history"].as_array().unwrap().iter();
    let events = steps.flat_map(|step| step["events"].as_array().unwrap());
    events.filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_letter_that_comes_back_goes_to_the_second_address_and_then_on_paper() {
    let world = world(true);
    let letter = last(&world, "ben@example.org", "assignment");
    let bytes = world.run(&["show", "letter", &letter.letter]).out;
    world.at("2019-01-08T09:00:00-06:00");
    Report::of(&letter).arrives(&world);
    assert_eq!(stands(&world, &letter.letter), sent(SECOND));
    assert_eq!(ben(&world)["failed_emails"], json!(["ben@example.org"]));
    assert_eq!(ben(&world)["emails"], json!(["ben@example.org", SECOND]));
    assert_eq!(world.run(&["show", "letter", &letter.letter]).out, bytes, "the same bytes");
    assert!(world.notices_to("director@example.org").iter().all(|n| n != "director-alert"));
    let docket = world.json(&["docket"]);
    assert_eq!(docket[0]["choices"], json!(["resend", "paper", "dismiss"]));
    assert_eq!(docket[0]["about"]["address"], "ben@example.org");
    // What is written from now on spares the first address.
    world.receive(&Mail::of("ann").subject("19N01 1-2").text("19N01 Adams-Brook: 1. e4\n"));
    world.pass();
    assert!(world.notices_to(SECOND).contains(&"move".to_owned()));
    // The second fails as well.
    let again = Ours { to: SECOND.to_owned(), ..last(&world, SECOND, "assignment") };
    Report { number: 2, ..Report::of(&again) }.arrives(&world);
    assert_eq!(stands(&world, &letter.letter), ("printed".to_owned(), Value::Null));
    let name = format!("L{:06}.pdf", letter.letter[1..].parse::<u32>().unwrap());
    let page = fs::read(world.path("print").join(name)).unwrap();
    assert!(page.starts_with(b"%PDF"));
    assert_eq!(world.docket(), ["letter-failed", "letter-failed"]);
    assert!(world.notices_to("director@example.org").contains(&"director-alert".to_owned()));
    let story = story(&world, &letter.letter);
    assert!(story.contains("came back (5.1.1): 550 5.1.1 no such player here"), "{story}");
    assert!(story.contains("goes on paper"), "{story}");
    let why = world.run(&["why", &letter.letter]).code(0).text();
    assert!(why.contains("goes to ben@example.net"), "{why}");
    let audit = world.audit();
    assert_eq!((&audit["letters"]["failed"], &audit["letters"]["printed"]), (&json!(0), &json!(1)));
    // The summary names him.
    world.at("2019-01-14T09:30:00-06:00");
    world.pass();
    let summary = last(&world, "director@example.org", "director-summary");
    let text = world.letter_text(&summary.letter);
    assert!(text.contains("Ben Brook (member 22222202)"), "{text}");
}

#[test]
fn the_genuine_reports_do_what_they_say() {
    let Some(folder) = shared("clients") else { return };
    // File, whom it is about, whether the letter goes on, whether the address failed, words of the story.
    let reports = [
        ("dsn-postfix-failed", "bad@example.net", true, true, "came back (5.1.1)"),
        ("dsn-postfix-expired", "x@dead.example.net", true, false, "came back (4.4.1)"),
        ("dsn-postfix-quota", "full@example.org", false, false, "was not taken for now (5.2.2)"),
        ("dsn-postfix-delayed", "x@dead.example.net", false, false, "is delayed (4.4.1)"),
        ("dsn-exim-failed", "lmtpfail@example.org", true, true, "came back (5.0.0)"),
        ("dsn-exim-delayed", "x@example.net", false, false, "is delayed (4.0.0)"),
        ("dsn-opensmtpd-delayed", "nobody-here@example.org", false, false, "is delayed (4.3.0)"),
        ("mdn-sieve-reject", "anna@example.org", true, true, "came back"),
    ];
    let world = world(true);
    for (file, recipient, goes_on, failed, told) in reports {
        let raw = fs::read_to_string(folder.join(format!("{file}.eml"))).unwrap();
        for keyed in [true, false] {
            world.receive(
                &Mail::of("ben")
                    .subject(&format!("{file} {keyed}"))
                    .text("How do I send a move?\n"),
            );
            world.pass();
            let letter = ours(&world, world.letters_to("ben@example.org").last().unwrap());
            let mut report = raw.replace(recipient, &letter.to);
            if keyed {
                report = report.replace("referee@example.org", &letter.reply_to);
            } else {
                report = report.replace("referee@example.org", "knights@example.org");
                let is_ours = |line: &&str| {
                    let lower = line.to_lowercase();
                    lower.contains("message-id: <2026") && lower.ends_with("@vm>")
                };
                let returned = raw.lines().find(is_ours).unwrap();
                let old = returned.split(['<', '>']).nth(1).unwrap();
                report = report.replace(old, &letter.message_id);
            }
            world.receive_bytes(report.as_bytes());
            world.pass();
            let what = format!("{file}, keyed address {keyed}");
            let to = if goes_on { SECOND } else { "ben@example.org" };
            assert_eq!(stands(&world, &letter.letter), sent(to), "{what}");
            let story = story(&world, &letter.letter);
            assert!(story.contains(told), "{what}: {story}");
            let failed = if failed { json!(["ben@example.org"]) } else { json!([]) };
            assert_eq!(ben(&world)["failed_emails"], failed, "{what}");
            assert_eq!(world.docket().len(), usize::from(goes_on), "{what}: {:?}", world.docket());
        }
        // He writes at the beginning of the next round, and all is well again.
        world.receive(
            &Mail::of("ben").subject(&format!("after {file}")).text("How do I send a move?\n"),
        );
        world.pass();
        assert_eq!(ben(&world)["failed_emails"], json!([]), "{file}");
        assert!(world.docket().is_empty(), "{file}");
    }
    world.audit();
}

#[test]
fn a_report_of_success_or_a_mail_of_his_makes_the_address_good_again() {
    for by_mail in [true, false] {
        let world = world(true);
        let letter = last(&world, "ben@example.org", "assignment");
        Report::of(&letter).arrives(&world);
        assert_eq!(world.docket(), ["letter-failed"]);
        if by_mail {
            world.receive(&Mail::of("ben").subject("help").text("help\n"));
            world.pass();
            assert!(world.notices_to("ben@example.org").contains(&"help".to_owned()));
        } else {
            // The director knows better: it is sent there once more, and arrives.
            world.run(&["rule", "D1", "resend"]).code(0);
            world.pass();
            let fails = Report { number: 2, ..Report::of(&letter) };
            fails.arrives(&world);
            assert_eq!(stands(&world, &letter.letter), sent(SECOND), "it fails again");
            world.run(&["rule", "D2", "paper"]).code(0);
            world.pass();
            assert_eq!(stands(&world, &letter.letter).0, "printed");
            let other = last(&world, "ben@example.org", "entry-received");
            let well =
                Report { action: "relayed", status: "2.0.0", number: 3, ..Report::of(&other) };
            well.arrives(&world);
        }
        assert_eq!(ben(&world)["failed_emails"], json!([]));
        assert!(world.docket().is_empty());
        let item = world.run(&["why", "D1"]).code(0).text();
        assert!(!by_mail || item.contains("ben@example.org is good again"), "{item}");
        world.audit();
    }
}

#[test]
fn the_same_report_again_changes_nothing() {
    let world = world(true);
    let letter = last(&world, "ben@example.org", "assignment");
    for number in 1..4 {
        Report { number, ..Report::of(&letter) }.arrives(&world);
        assert_eq!(stands(&world, &letter.letter), sent(SECOND));
    }
    Report::of(&letter).arrives(&world); // byte for byte
    let docket = world.json(&["docket"]);
    assert_eq!((docket.len(), docket[0]["evidence"].as_array().unwrap().len()), (1, 1));
    assert_eq!(world.audit()["mails"]["duplicate"], 1);
}

#[test]
fn a_report_that_our_key_does_not_prove_changes_nothing_but_the_docket() {
    let world = world(true);
    let letter = last(&world, "ben@example.org", "assignment");
    let forged = letter.reply_to.replace('+', "+l9");
    let before = world.json(&["letters"]);
    for (number, sent_to, about) in [
        (1, "knights@example.org", "x@example.com"),
        (2, &*forged, "x@example.com"),
        (3, "knights@example.org", "l8.00000000000000000000@example.org"),
    ] {
        Report { sent_to, about, number, ..Report::of(&letter) }.arrives(&world);
    }
    assert_eq!(ben(&world)["failed_emails"], json!([]));
    assert_eq!(world.json(&["letters"]), before);
    assert_eq!(world.docket(), ["letter-failed"], "one item for an address");
    world.run(&["rule", "D1", "dismiss"]).code(0);
    world.audit();
}

#[test]
fn an_absence_told_to_our_keyed_address_is_no_bounce() {
    let world = world(true);
    let letter = last(&world, "ben@example.org", "assignment");
    let away = Mail::of("ben")
        .header("To", &letter.reply_to)
        .header("Auto-Submitted", "auto-replied (vacation)")
        .subject("Out of office: user unknown until Monday")
        .text("I am away. 550 5.1.1 no such user until Monday.\n");
    world.receive(&away);
    world.pass();
    assert_eq!(stands(&world, &letter.letter), sent("ben@example.org"));
    assert!(world.docket().is_empty());
}

/// Returns why Black has used so many days for his move, by the ledger of Adams-Brook.
fn days_of_black(world: &World) -> String {
    let game = world.object(&["show", "game", "19N01", "1-2"]);
    game["ledger"].as_array().unwrap().last().unwrap().to_string()
}

#[test]
fn a_move_whose_letter_came_back_starts_no_clock_before_it_has_gone_another_way() {
    let world = world(false);
    world.at("2019-01-08T09:00:00-06:00");
    world.receive(&Mail::of("ann").subject("19N01 1-2").text("19N01 Adams-Brook: 1. e4\n"));
    world.pass();
    let letter = last(&world, "ben@example.org", "move");
    // It comes back four days later and is printed: with three days of post it is there on the 15th.
    world.at("2019-01-12T09:00:00-06:00");
    Report::of(&letter).arrives(&world);
    assert_eq!(stands(&world, &letter.letter).0, "printed");
    world.at("2019-01-20T09:00:00-06:00");
    world.pass();
    let row = days_of_black(&world);
    assert!(row.contains("7 taken out for a letter that did not arrive"), "{row}");
    assert!(row.contains("\"days\":5"), "{row}");
}

#[test]
fn a_letter_of_the_directors_that_comes_back_goes_on_paper_and_alerts_nobody() {
    let world = world(true);
    world.at("2019-01-14T09:30:00-06:00");
    world.pass();
    let letter = last(&world, "director@example.org", "director-summary");
    let sent_before = world.notices_to("director@example.org").len();
    Report::of(&letter).arrives(&world);
    assert_eq!(stands(&world, &letter.letter).0, "printed");
    assert_eq!(world.docket(), ["letter-failed"]);
    assert_eq!(world.notices_to("director@example.org").len(), sent_before - 1, "no alert");
    // The next one goes on paper at once; a mail of his brings his address back.
    world.at("2019-01-21T09:30:00-06:00");
    world.pass();
    assert_eq!(world.notices_to("director@example.org").len(), sent_before - 1);
    world.receive(&Mail::from("Pat <director@example.org>").subject("x").text("Nothing.\n"));
    world.pass();
    assert!(!world.docket().contains(&"letter-failed".to_owned()));
    world.at("2019-01-28T09:30:00-06:00");
    world.pass();
    assert_eq!(world.notices_to("director@example.org").last().unwrap(), "director-summary");
    world.audit();
}

#[test]
fn another_address_settles_the_matter() {
    let world = world(false);
    let letter = last(&world, "ben@example.org", "assignment");
    Report::of(&letter).arrives(&world);
    assert_eq!(world.docket(), ["letter-failed"]);
    roster(&world, &["brook@example.com"]);
    assert!(world.docket().is_empty());
    let why = world.run(&["why", "D1"]).code(0).text();
    assert!(why.contains("ben@example.org is no address of member 22222202 any more"), "{why}");
    assert_eq!(ben(&world)["failed_emails"], json!([]));
}
