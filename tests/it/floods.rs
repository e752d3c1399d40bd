//! Floods and loops: mail bombs, responders that face each other, responders with another address each time, lists, and
//! our own letters on their way back. However much comes, answers, docket and journal stay bounded, and players are
//! answered as ever.

use crate::world::{Mail, World, entry_mail, id};
use std::fs;

/// Where the mails of lists lie, named by the class they must have.
const LOOPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/loops");

/// Returns a word without a figure for a number, another one for each.
fn word(mut number: u32) -> String {
    let mut word = String::new();
    for _ in 0..5 {
        word.push(char::from(b'a' + u8::try_from(number % 26).unwrap()));
        number /= 26;
    }
    word
}

/// Returns the alerts that the director had.
fn alerts(world: &World) -> usize {
    let told = world.notices_to("director@example.org");
    told.iter().filter(|notice| *notice == "director-alert").count()
}

/// Returns the one docket item about a flood, and how many mails it says it stands for.
#[track_caller]
fn flood(world: &World) -> (serde_json::Value, u64) {
    let mut floods = world.json(&["docket"]);
    floods.retain(|item| item["kind"] == "flood");
    assert_eq!(floods.len(), 1, "{floods:#?}");
    let counted = floods[0]["evidence"][1].as_str().unwrap().to_owned();
    let count = counted.split(' ').next().unwrap().parse().expect(&counted);
    (floods.remove(0), count)
}

fn bomb(world: &World, numbers: std::ops::Range<u32>) {
    for n in numbers {
        let text = format!("How do I enter? {}\n", word(n));
        world.receive(&Mail::from("bomb@example.net").subject(&format!("mail {n}")).text(&text));
    }
}

#[test]
fn two_thousand_mails_of_a_stranger_cost_bounded_answers_and_one_docket_item() {
    let world = World::with_seven();
    bomb(&world, 0..2_000);
    world.receive(&entry_mail("ben"));
    world.pass();
    let audit = world.audit();
    assert_eq!(audit["mails"]["received"], 2_001);
    assert_eq!(audit["mails"]["held"], 1_900);
    assert_eq!(world.letters_to("bomb@example.net").len(), 100);
    assert_eq!(world.notices_to("ben@example.org"), ["entry-received"]);
    assert_eq!(world.docket(), ["flood"]);
    let (item, count) = flood(&world);
    assert_eq!(count, 1_900);
    assert!(item["evidence"].as_array().unwrap().len() <= 4, "{item:#}");
    assert_eq!(alerts(&world), 1);
    // Of the thousandth mail the journal has what tells it from others.
    let journal = String::from_utf8(world.journal()).unwrap();
    let held = journal.lines().filter(|line| line.contains("mail-held-back"));
    let longest = held.skip(1).map(str::len).max().unwrap();
    assert!(longest < 700, "{longest} bytes for a mail of the flood");

    // Another process counts on where the last one stopped.
    world.at("2019-01-02T10:00:00-06:00");
    bomb(&world, 2_000..2_003);
    world.pass();
    assert_eq!((flood(&world).1, alerts(&world)), (1_903, 1));
    // The next day it is answered again, and the director is told once when it goes on.
    world.at("2019-01-03T10:00:00-06:00");
    bomb(&world, 2_003..2_110);
    world.pass();
    assert_eq!((flood(&world).1, alerts(&world)), (1_910, 2));
    assert_eq!(world.letters_to("bomb@example.net").len(), 200);
    world.audit();
}

#[test]
fn the_same_text_again_and_again_is_answered_twice() {
    let world = World::with_seven();
    for n in 0..12 {
        let text = format!("When does the tournament begin? Ticket {n}.\n");
        world.receive(&Mail::of("ann").subject(&format!("Re: ticket {n}")).text(&text));
    }
    world.pass();
    assert_eq!(world.letters_to("ann@example.org").len(), 2);
    assert_eq!((flood(&world).1, alerts(&world)), (10, 1));
    // What she has to say beside that is heard.
    world.receive(&entry_mail("ann"));
    world.pass();
    assert_eq!(world.notices_to("ann@example.org").last().unwrap(), "entry-received");
}

#[test]
fn the_same_words_about_other_games_are_another_text() {
    let world = World::with_section();
    let before = world.letters_to("ann@example.org").len();
    for game in ["1-2", "1-4", "1-6"] {
        world.receive(&crate::world::result_mail("ann", game, "1-0"));
    }
    world.pass();
    assert_eq!(world.letters_to("ann@example.org").len(), before + 3);
    assert!(!world.docket().contains(&"flood".to_owned()), "{:?}", world.docket());
}

#[test]
fn a_responder_with_another_address_each_time_is_answered_a_few_times() {
    for varied in [false, true] {
        let world = World::with_seven();
        for n in 0..120 {
            let from = if n % 2 == 0 { format!("a+{n}") } else { word(n) };
            let more = if varied { word(n) } else { String::new() };
            let text = format!("Thank you, we got your mail {n}. How do I enter? {more}\n");
            let mail = Mail::from(&format!("{from}@robot.example"));
            world.receive(&mail.subject("Re: Your letter").text(&text));
        }
        world.receive(&entry_mail("clara"));
        world.pass();
        let all = world.json(&["letters"]);
        let to_robot =
            all.iter().filter(|l| l["to"].as_str().unwrap_or("").ends_with("robot.example"));
        let count = to_robot.count();
        assert!(count <= if varied { 100 } else { 5 }, "{count} letters, varied: {varied}");
        assert_eq!(world.notices_to("clara@example.org"), ["entry-received"]);
        assert_eq!((flood(&world).0["kind"].clone(), alerts(&world)), ("flood".into(), 1));
    }
}

#[test]
fn strangers_of_many_domains_take_no_answer_from_a_player() {
    let world = World::with_seven();
    for n in 0..330 {
        let text = format!("How do I enter? {}\n", word(n));
        let from = format!("x@{}.example", word(n));
        world.receive(&Mail::from(&from).subject("Re: hello").text(&text));
    }
    world.receive(&entry_mail("david"));
    world.pass();
    assert_eq!(world.notices_to("david@example.org"), ["entry-received"]);
    let (item, count) = flood(&world);
    assert_eq!((count, alerts(&world)), (30, 1));
    assert!(item["evidence"].as_array().unwrap().len() <= 12, "ten senders are named");
}

#[test]
fn what_strangers_want_done_and_forged_reports_do_not_flood_the_docket() {
    let world = World::with_section();
    for n in 0..115 {
        let text = format!("I resign in 19N01 1-2. {}\n", word(n));
        world.receive(&Mail::from("eve@example.net").subject("19N01").text(&text));
        let report = format!(
            "--b\r\nContent-Type: text/plain\r\n\r\nNo such user {n}.\r\n--b\r\nContent-Type: \
             message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.com\r\n\r\nFinal-Recipient: rfc822; \
             {}@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\n--b--\r\n",
            word(n)
        );
        let forged = Mail::from("MAILER-DAEMON@mx.example.com")
            .subject("Undelivered Mail Returned to Sender")
            .header("Content-Type", "multipart/report; report-type=delivery-status; boundary=b");
        world.receive(&forged.text(&report));
    }
    world.pass();
    let docket = world.docket();
    assert!(docket.len() <= 202, "{} items", docket.len());
    assert_eq!(world.audit()["letters"]["failed"], 0);
    // The mails are beyond the cap of their address. The reports are not: of an address that nobody knows, one item stands
    // for all of them anyway.
    assert_eq!((flood(&world).1, alerts(&world)), (15, 1));
}

#[test]
fn a_list_that_subscribes_our_address_is_neither_answered_nor_confirmed() {
    let world = World::with_seven();
    let files = crate::world::files(LOOPS.as_ref());
    for file in &files {
        let bytes = fs::read(file).unwrap();
        let read = crate::world::finish(world.command(&["read", "-", "--json"]), &bytes);
        let class = read.code(0).object()["class"].as_str().unwrap().to_owned();
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        // Words that a machine says are enough where the list does not say that it is one.
        assert!(name.starts_with(&class) || class == "auto-reply", "{name}: {class}");
        world.receive_bytes(&bytes);
    }
    world.pass();
    assert_eq!(world.json(&["letters"]), [] as [serde_json::Value; 0]);
    assert_eq!(world.docket(), [] as [&str; 0]);
    assert_eq!(world.audit()["mails"]["ignored"], files.len());
}

#[test]
fn our_own_letters_that_come_back_do_nothing() {
    let world = World::with_section();
    let first = world.letters_to("ann@example.org").remove(0);
    let letter = first["letter"].as_str().unwrap();
    let own = String::from_utf8(world.run(&["show", "letter", letter]).code(0).out).unwrap();
    let field = |name: &str| {
        let all = own.lines().find(|line| line.starts_with(name)).expect(name);
        format!("{all}\r\n")
    };
    let list = "From: \"Knights via Talk\" <talk@lists.example.net>\r\n";
    let ann = "From: Ann Adams <ann@example.org>\r\n";
    let resent = "Resent-From: Ann Adams <ann@example.org>\r\nResent-To: knights@example.org\r\n";
    let (from, message_id, x_loop) = (field("From: "), field("Message-ID: "), field("X-Loop: "));
    let ways = [
        ("as it is", own.clone()),
        ("resent by a player", format!("{resent}{own}")),
        ("through a list that rewrites From", own.replace(&from, list)),
        ("with another From and our Message-ID", own.replace(&from, ann).replace(&x_loop, "")),
        ("with another From and our X-Loop", own.replace(&from, ann).replace(&message_id, "")),
    ];
    let (letters, docket) = (world.json(&["letters"]).len(), world.docket());
    let ignored = world.audit()["mails"]["ignored"].as_u64().unwrap();
    for (count, (name, mail)) in (1..).zip(ways) {
        world.receive_bytes(mail.as_bytes());
        world.pass();
        assert_eq!(world.audit()["mails"]["ignored"], ignored + count, "{name}");
        assert_eq!(world.json(&["letters"]).len(), letters, "{name}");
        assert_eq!(world.docket(), docket, "{name}");
    }
    // Where every mark of ours was taken away it is a mail of Ann's that says nothing new: no act, one answer.
    let strip = |text: String, name: &str| text.replace(&field(name), "");
    let bare = strip(strip(strip(own.replace(&from, ann), "Message-ID: "), "X-Loop: "), "Auto-");
    world.receive_bytes(bare.as_bytes());
    world.pass();
    assert!(world.json(&["letters"]).len() <= letters + 1);
    assert_eq!(world.game(1, 2)["state"], "running");
    assert_eq!(
        world.object(&["show", "player", &id("ann")])["entries"].as_array().unwrap().len(),
        1
    );
}
