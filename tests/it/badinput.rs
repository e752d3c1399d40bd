//! Bad input: whatever arrives is archived, has exactly one outcome and at most one polite answer, and never stops the
//! mails behind it. Each case is followed by a good mail, which must be acted on in the same pass.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::world::{Mail, SEVEN, World, address, entry_mail, files, finish, id, player};
use serde_json::Value;
use std::{fmt::Write as _, fs, os::unix::fs::symlink};

/// What a bad mail came to.
struct Fate {
    outcome: String,
    answers: Vec<Value>,
}

/// A home with a roster in which bad mails are tried one after the other.
struct Trial {
    world: World,
    seen: u64,
}

impl Trial {
    fn new() -> Self {
        Self { world: World::with_seven(), seen: 0 }
    }

    /// Takes in a bad mail and a good one behind it and makes sure of everything that holds for all of them.
    #[track_caller]
    fn take(&mut self, name: &str, bytes: &[u8]) -> Fate {
        let world = &self.world;
        let before = world.json(&["letters"]).len();
        world.receive_bytes(bytes);
        let good = Mail::from(&format!("Quentin <q{}@example.net>", self.seen))
            .subject("help")
            .text("How do I enter?\n");
        world.receive(&good);
        world.pass();
        assert!(files(&world.path("mail/in/new")).is_empty(), "{name}: filed away");
        self.seen += 2;
        assert_eq!(world.audit()["mails"]["received"], self.seen, "{name}: one outcome each");
        let mut answers = world.json(&["letters"]).split_off(before);
        let other = format!("q{}@example.net", self.seen - 2);
        let helped = answers.iter().position(|l| l["to"] == other.as_str());
        answers.remove(
            helped.unwrap_or_else(|| panic!("{name}: the mail behind it was not answered")),
        );
        assert!(answers.len() <= 1, "{name}: {answers:?}");
        let digest = digest(bytes);
        assert_eq!(
            world.run(&["show", "mail", &digest]).code(0).out,
            bytes,
            "{name}: the very bytes"
        );
        let shown = world.object(&["show", "mail", &digest]);
        Fate { outcome: shown["outcome"].as_str().unwrap().to_owned(), answers }
    }
}

fn digest(bytes: &[u8]) -> String {
    knightmail::digest::Digest::of(bytes).to_string()
}

/// Pseudo-random bytes, always the same.
fn noise(len: usize) -> Vec<u8> {
    let mut x: u64 = 0x9E37_79B9_7F4A_7C15;
    let next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x.to_le_bytes()[3]
    };
    std::iter::repeat_with(next).take(len).collect()
}

fn many_parts(count: usize) -> Vec<u8> {
    let mut body = String::new();
    for n in 0..count {
        let _ = write!(body, "--b\r\nContent-Type: text/plain\r\n\r\npart {n}\r\n");
    }
    body.push_str("--b--\r\n");
    Mail::from("Parts <parts@example.net>")
        .subject("parts")
        .header("Content-Type", "multipart/mixed; boundary=b")
        .text(&body)
        .bytes(World::new().now(), 1)
}

fn deep(levels: usize) -> Vec<u8> {
    let mut body = String::new();
    for n in 0..levels {
        let _ =
            write!(body, "--b{n}\r\nContent-Type: multipart/mixed; boundary=b{}\r\n\r\n", n + 1);
    }
    Mail::from("Deep <deep@example.net>")
        .subject("deep")
        .header("Content-Type", "multipart/mixed; boundary=b0")
        .text(&body)
        .bytes(World::new().now(), 1)
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of mails")]
fn every_bad_mail_has_one_outcome_and_at_most_one_answer() {
    let mut trial = Trial::new();
    let now = trial.world.now();
    let stranger = |tag: &str| Mail::from(&format!("Some One <{tag}@example.net>")).subject(tag);
    let lines = "Please enter me in the 2019 Golden Knights, 1 entry, ID 22222201.\n";
    let two = Mail::of("ann").header("From", "Ben Brook <ben@example.org>").text(lines);
    let cases: Vec<(&str, Vec<u8>, &[&str], usize)> = vec![
        ("nothing at all", Vec::new(), &["held", "ignored"], 0),
        ("only line breaks", b"\r\n\r\n\r\n".to_vec(), &["held", "ignored"], 0),
        ("an empty text", stranger("empty").text("").bytes(now, 1), &["acted", "held"], 1),
        ("binary noise", noise(100_000), &["held", "ignored"], 0),
        (
            "noise in a body",
            stranger("noise").body(&noise(50_000)).bytes(now, 2),
            &["acted", "held"],
            1,
        ),
        ("no From", Mail::of("ann").without("From").text(lines).bytes(now, 3), &["held"], 0),
        ("two Froms", two.bytes(now, 4), &["held"], 1),
        (
            "two in one From",
            Mail::from("ann@example.org, ben@example.org").text(lines).bytes(now, 5),
            &["held"],
            1,
        ),
        (
            "From without an address",
            Mail::from("Ann Adams").text(lines).bytes(now, 6),
            &["held"],
            0,
        ),
        (
            "an unknown person",
            stranger("nobody").text("Hello there.\n").bytes(now, 7),
            &["acted"],
            1,
        ),
        (
            "a language we do not read",
            stranger("finnish").text("Hyvää päivää, milloin turnaus alkaa?\n").bytes(now, 8),
            &["acted", "held"],
            1,
        ),
        (
            "no text in any charset",
            stranger("charset")
                .header("Content-Type", "text/plain; charset=x-klingon")
                .body(&noise(2000))
                .bytes(now, 9),
            &["acted", "held"],
            1,
        ),
        (
            "NUL bytes",
            stranger("nul").body(b"Hello\0\0there\0\n").bytes(now, 10),
            &["acted", "held"],
            1,
        ),
        (
            "NUL in headers",
            stranger("nul2").header("X-Odd", "a\0b").text("Hello\n").bytes(now, 11),
            &["acted", "held"],
            1,
        ),
        (
            "a header of 1 MB",
            stranger("long").header("X-Long", &"a".repeat(1 << 20)).text("Hello\n").bytes(now, 12),
            &["acted", "held"],
            1,
        ),
        (
            "a subject of 1 MB",
            stranger("longsubject")
                .without("Subject")
                .subject(&"b ".repeat(1 << 19))
                .text("Hi\n")
                .bytes(now, 13),
            &["acted", "held"],
            1,
        ),
        (
            "a hundred thousand references",
            stranger("refs")
                .header("References", &"<x@example.net> ".repeat(100_000))
                .text("Hi\n")
                .bytes(now, 14),
            &["acted", "held"],
            1,
        ),
        (
            "a name with line breaks",
            Mail::from("=?utf-8?q?Eve=0D=0ABcc:_all=40example.org=0A?= <eve@example.net>")
                .subject("x")
                .text("Hi\n")
                .bytes(now, 15),
            &["acted", "held"],
            1,
        ),
        (
            "a subject with line breaks",
            Mail::from("Eve <eve2@example.net>")
                .subject("=?utf-8?q?hi=0D=0ABcc:_all=40example.org?=")
                .text("Hi\n")
                .bytes(now, 16),
            &["acted", "held"],
            1,
        ),
        ("too many parts", many_parts(20_000), &["acted", "held"], 1),
        ("nested too deep", deep(5_000), &["acted", "held"], 1),
        (
            "headers only, cut off",
            b"From: cut@example.net\r\nSubj".to_vec(),
            &["acted", "held", "ignored"],
            1,
        ),
        (
            "a name that is a template",
            Mail::from("{{ house.keys }} <tera@example.net>")
                .subject("{% raw %}")
                .text("{{ 1/0 }}\n")
                .bytes(now, 17),
            &["acted", "held"],
            1,
        ),
        (
            "a Message-ID that is a path",
            stranger("path")
                .header("Message-ID", "<../../../etc/passwd@x>")
                .text("Hi\n")
                .bytes(now, 18),
            &["acted", "held"],
            1,
        ),
        (
            "an empty Message-ID",
            stranger("noid").header("Message-ID", "< >").text("Hi\n").bytes(now, 19),
            &["acted", "held"],
            1,
        ),
    ];
    for (name, bytes, outcomes, answers) in cases {
        let fate = trial.take(name, &bytes);
        assert!(outcomes.contains(&fate.outcome.as_str()), "{name}: {}", fate.outcome);
        assert!(fate.answers.len() <= answers, "{name}: {:?}", fate.answers);
    }
    for file in files(&trial.world.path("mail/out/new")) {
        let letter = String::from_utf8(fs::read(&file).unwrap()).unwrap();
        let (headers, _) = letter.split_once("\r\n\r\n").unwrap();
        assert!(!headers.lines().any(|line| line.starts_with("Bcc")), "{headers}");
    }
}

#[test]
fn fifty_megabytes_are_archived_answered_and_not_read() {
    let mut trial = Trial::new();
    let body: Vec<u8> =
        b"All my games of the last ten years, as you wished, move by move.\r\n".repeat(800_000);
    let mail = Mail::of("ann").subject("games").body(&body).bytes(trial.world.now(), 1);
    assert!(mail.len() > 50_000_000);
    let fate = trial.take("50 MB", &mail);
    assert_eq!((fate.outcome.as_str(), fate.answers.len()), ("held", 1));
    assert_eq!(fate.answers[0]["to"], "ann@example.org");
}

#[test]
fn a_date_in_2077_is_no_postmark() {
    let mut trial = Trial::new();
    let mail = entry_mail("ann").header("Date", "Fri, 1 Jan 2077 12:00:00 -0600");
    let fate = trial.take("2077", &mail.bytes(trial.world.now(), 1));
    assert_eq!((fate.outcome.as_str(), fate.answers.len()), ("acted", 1));
    let entry = trial.world.object(&["show", "entry", "GK2019-001"]);
    assert_eq!(entry["postmark"], "2019-01-02", "{entry}");
}

#[test]
fn the_same_mail_twice_is_one_entry() {
    let world = World::with_seven();
    let bytes = entry_mail("ann").bytes(world.now(), 1);
    world.receive_bytes(&bytes);
    world.receive_bytes(&bytes);
    world.pass();
    world.receive_bytes(&bytes);
    world.pass();
    let audit = world.audit();
    assert_eq!((&audit["mails"]["acted"], &audit["mails"]["duplicate"]), (&1.into(), &2.into()));
    assert_eq!(world.notices_to("ann@example.org"), ["entry-received"]);
    world.run(&["show", "entry", "GK2019-002"]).code(1);
}

#[test]
fn the_same_mail_under_the_same_name_again_is_no_second_arrival() {
    let world = World::with_seven();
    let name = world.receive(&entry_mail("ann"));
    world.pass();
    // As after a crash before it was filed away.
    let seen = world.path("mail/in/cur").join(format!("{name}:2,S"));
    crate::world::rename(&seen, &world.path("mail/in/new").join(&name));
    let journal = world.journal();
    world.pass();
    assert!(seen.exists(), "it is filed away now");
    assert_eq!(world.journal(), journal);
    assert_eq!(world.audit()["mails"]["received"], 1);
}

#[test]
fn the_same_mail_by_two_routes_is_acted_on_once() {
    let world = World::with_seven();
    let mail = entry_mail("ann").header("Message-ID", "<one@mail.example.net>");
    let first = mail
        .clone()
        .header("Received", "from a.example.net by mx.example.org; Wed, 2 Jan 2019 09:00:00 -0600");
    let second = mail
        .header("Received", "from b.example.net by mx.example.org; Wed, 2 Jan 2019 09:00:01 -0600");
    let (first, second) = (first.bytes(world.now(), 1), second.bytes(world.now(), 1));
    assert_ne!(first, second);
    world.receive_bytes(&first);
    world.receive_bytes(&second);
    world.pass();
    let audit = world.audit();
    assert_eq!((&audit["mails"]["acted"], &audit["mails"]["duplicate"]), (&1.into(), &1.into()));
    assert_eq!(world.notices_to("ann@example.org"), ["entry-received"]);
    assert_eq!(world.run(&["show", "mail", &digest(&second)]).code(0).out, second);
}

#[test]
fn another_mail_under_the_same_message_id_is_a_new_mail() {
    let world = World::with_seven();
    for name in ["ann", "ben"] {
        world.receive(&entry_mail(name).header("Message-ID", "<same@mail.example.net>"));
    }
    world.pass();
    assert_eq!(world.audit()["mails"]["acted"], 2);
}

#[test]
fn a_mail_put_straight_into_cur_is_taken_in() {
    let world = World::with_seven();
    let cur = world.path("mail/in/cur");
    crate::world::write(&cur.join("1.x:2,"), &entry_mail("ann").bytes(world.now(), 1));
    crate::world::write(&cur.join("2.x:2,RF"), &entry_mail("ben").bytes(world.now(), 2));
    crate::world::write(&cur.join("3.x"), &entry_mail("clara").bytes(world.now(), 3));
    crate::world::write(&cur.join("4.x:2,S"), &entry_mail("david").bytes(world.now(), 4));
    world.pass();
    assert_eq!(world.audit()["mails"]["acted"], 3, "a mail that has been seen is none of ours");
    world.pass();
    assert_eq!(world.audit()["mails"]["received"], 3);
}

#[test]
fn machines_lists_and_our_own_letters_are_never_answered() {
    let mut trial = Trial::new();
    let now = trial.world.now();
    trial.world.receive(&entry_mail("ben"));
    trial.seen = 1;
    trial.world.pass();
    let own = trial.world.run(&["show", "letter", "L1"]).code(0).out;
    let lines = "Please enter me in the 2019 Golden Knights, 1 entry, ID 22222201.\n";
    let ann = || Mail::of("ann").subject("entry").text(lines);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("our own letter", own),
        ("Auto-Submitted", ann().header("Auto-Submitted", "auto-replied").bytes(now, 1)),
        ("a list", ann().header("List-Id", "<chess.example.net>").bytes(now, 2)),
        ("bulk", ann().header("Precedence", "bulk").bytes(now, 3)),
        ("from ourselves", Mail::from("knights@example.org").text(lines).bytes(now, 4)),
        (
            "from a sub-address of ours",
            Mail::from("knights+x@example.org").text(lines).bytes(now, 5),
        ),
        (
            "a daemon",
            Mail::from("MAILER-DAEMON@mx.example.net").subject("failure").text(lines).bytes(now, 6),
        ),
        ("no-reply", Mail::from("no-reply@shop.example.net").text("Your order\n").bytes(now, 7)),
        ("null path", ann().header("Return-Path", "<>").bytes(now, 8)),
        (
            "out of office",
            Mail::of("ann").subject("Out of Office: Re: entry").text(lines).bytes(now, 9),
        ),
    ];
    for (name, bytes) in cases {
        let fate = trial.take(name, &bytes);
        assert!(fate.answers.is_empty(), "{name}: {:?}", fate.answers);
        assert!(matches!(fate.outcome.as_str(), "ignored" | "held"), "{name}: {}", fate.outcome);
    }
    assert!(
        trial.world.object(&["show", "player", &id("ann")])["entries"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}

#[test]
fn an_auto_responder_that_answers_every_letter_makes_no_loop() {
    let world = World::with_seven();
    world.receive(&entry_mail("ann"));
    let mut answered = 0;
    for _ in 0..6 {
        world.pass();
        for letter in world.letters_to("ann@example.org").iter().skip(answered) {
            answered += 1;
            let id = letter["message_id"].as_str().unwrap();
            // It does not say what it is (RFC 3834), and words its subject as it likes.
            let reply = Mail::of("ann")
                .subject(&format!("Re: {}", letter["subject"].as_str().unwrap()))
                .header("In-Reply-To", &format!("<{id}>"))
                .header("References", &format!("<{id}>"))
                .text("Thank you for your message. I read my mail on Sundays.\n");
            world.receive(&reply);
        }
    }
    world.pass();
    let letters = world.letters_to("ann@example.org").len();
    assert!(letters <= 2, "an answer to an answer to an answer: {letters} letters");
    assert!(world.docket().len() <= 2, "{:?}", world.docket());
    world.audit();
}

#[test]
fn two_thousand_mails_of_one_address_get_bounded_answers_and_one_docket_item() {
    let count: u64 = if std::env::var_os("KNIGHTMAIL_LONG").is_some() { 2_000 } else { 130 };
    for (address, help) in
        [("ann@example.org", true), ("bomb@example.net", true), ("bomb@example.net", false)]
    {
        let world = World::with_seven();
        for n in 0..count {
            let text =
                if help { format!("How do I enter? {n}\n") } else { format!("blah blah {n}\n") };
            world.receive(&Mail::from(address).subject(&format!("mail {n}")).text(&text));
        }
        world.receive(&entry_mail("ben"));
        world.pass();
        let audit = world.audit();
        assert_eq!(audit["mails"]["received"], count + 1, "{address}");
        assert!(world.letters_to(address).len() <= 100, "{address}");
        assert_eq!(world.notices_to("ben@example.org"), ["entry-received"]);
        assert!(world.docket().len() <= 1, "{address}: {} items", world.docket().len());
    }
}

#[test]
fn a_player_who_writes_much_that_is_not_understood_does_not_flood_the_docket() {
    let world = World::with_seven();
    for n in 0..150 {
        world.receive(&Mail::of("ann").subject("hm").text(&format!("Fiddlesticks number {n}.\n")));
    }
    world.pass();
    assert!(world.letters_to("ann@example.org").len() <= 100);
    let items = world.docket().len();
    assert!(items <= 101, "{items} items");
    world.audit();
}

#[test]
fn what_lies_in_the_mailbox_and_is_no_mail_stops_nothing() {
    let world = World::with_seven();
    let new = world.path("mail/in/new");
    fs::create_dir(new.join("1.a-folder")).unwrap();
    symlink("/nonexistent/mail", new.join("2.dangling")).unwrap();
    symlink(new.join("1.a-folder"), new.join("3.to-a-folder")).unwrap();
    symlink("/proc/self/mem", new.join("4.unreadable")).unwrap();
    crate::world::write(&new.join(".hidden"), b"a note of another program");
    world.receive(&entry_mail("ben"));
    // What cannot be read is named, and the mails behind it go on.
    let ran = world.run(&["run", "--once"]);
    assert!(matches!(ran.code, 0 | 1), "{}", ran.err);
    assert!(ran.err.contains("3.to-a-folder") || ran.err.contains("4.unreadable"), "{}", ran.err);
    assert_eq!(world.notices_to("ben@example.org"), ["entry-received"]);
    assert_eq!(world.audit()["mails"]["acted"], 1);
}

#[test]
fn a_mailbox_that_is_away_is_named_and_the_rest_of_the_pass_goes_on() {
    let world = World::with_section();
    crate::world::rename(&world.path("mail/in"), &world.path("mail/away"));
    world.at("2019-01-14T09:30:00-06:00");
    world.run(&["run", "--once"]).code(1).says("mail/in");
    assert!(world.notices_to("director@example.org").contains(&"director-summary".to_owned()));
    crate::world::rename(&world.path("mail/away"), &world.path("mail/in"));
    world.pass();
    world.audit();
}

#[test]
fn a_bounce_that_is_forged_disables_nobody() {
    let world = World::with_section();
    let report = "--b\r\nContent-Type: text/plain\r\n\r\nNo such user.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n\
        Reporting-MTA: dns; mx.example.net\r\n\r\nFinal-Recipient: rfc822; ann@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n--b--\r\n";
    let mail = Mail::from("MAILER-DAEMON@mx.example.net")
        .subject("Undelivered Mail Returned to Sender")
        .header("Content-Type", "multipart/report; report-type=delivery-status; boundary=b")
        .text(report);
    world.receive(&mail);
    world.pass();
    assert_eq!(world.docket(), ["letter-failed"]);
    assert_eq!(world.audit()["letters"]["failed"], 0);
    world.receive(&crate::world::result_mail("ann", "1-2", "1-0"));
    world.pass();
    assert_eq!(world.notices_to("ann@example.org").last().unwrap(), "result-receipt");
}

#[test]
fn a_stranger_who_writes_for_a_player_does_nothing() {
    let world = World::with_section();
    let mail = Mail::from("Ann Adams <ann@evil.example>")
        .subject("19N01 1-2")
        .text("Section: 19N01\nGame: 1-2\nResult: 0-1\n");
    world.receive(&mail);
    world.pass();
    let game = world.object(&["show", "game", "19N01", "1-2"]);
    assert_eq!(game["state"], "running");
    for letter in world.letters_to("ann@evil.example") {
        let text = world.letter_text(letter["letter"].as_str().unwrap());
        assert!(!SEVEN.iter().any(|name| text.contains(&address(name))), "{text}");
    }
}

#[test]
fn a_stranger_who_names_a_member_comes_before_the_director_with_his_words() {
    let world = World::with_section();
    let mail = |text: &str| {
        let from = "A. Adams <anna@example.net>";
        world.receive(&Mail::from(from).subject("a note").text(text));
        world.pass();
    };
    mail("The weather has been fine here, 12345678 thanks.\n");
    assert!(world.docket().is_empty());
    mail(&format!("My old mailbox is gone, this one is mine now. Number {}.\n", id("ann")));
    assert_eq!(world.docket(), ["mail-held"]);
    let evidence = world.json(&["docket"])[0]["evidence"].to_string();
    for words in [
        format!("It names member {}, Ann Adams", id("ann")),
        "Nothing was changed.".to_owned(),
        "Its subject: a note".to_owned(),
        "The mail: My old mailbox is gone".to_owned(),
    ] {
        assert!(evidence.contains(&words), "`{words}` is not in {evidence}");
    }
    let player = world.object(&["show", "player", &id("ann")]);
    assert!(!player.to_string().contains("anna@example.net"), "{player}");
    for letter in world.letters_to("anna@example.net") {
        let text = world.letter_text(letter["letter"].as_str().unwrap());
        assert!(!text.contains("Ann Adams") && !text.contains(&address("ann")), "{text}");
    }
}

#[test]
fn both_line_endings_and_none_at_the_end_are_read() {
    let world = World::new();
    world.roster(&SEVEN.map(player)).code(0);
    let crlf = entry_mail("ann").bytes(world.now(), 1);
    let lf: Vec<u8> =
        entry_mail("ben").bytes(world.now(), 2).into_iter().filter(|b| *b != b'\r').collect();
    let mut cut = entry_mail("clara").bytes(world.now(), 3);
    cut.truncate(cut.trim_ascii_end().len());
    for bytes in [&crlf, &lf, &cut] {
        let read = finish(world.command(&["read", "-", "--json"]), bytes).code(0).object();
        assert_eq!(
            (&read["confidence"], &read["intents"][0]["kind"]),
            (&"certain".into(), &"entry".into())
        );
    }
}
