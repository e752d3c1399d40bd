//! Who wrote a mail, and what is done on his word: tokens in both forms, what our own server found, and the acts that
//! wait for a yes. Signatures that we verify ourselves are `signatures.rs`; what a yes brings about, `rules/guards.rs`.

use crate::{
    office::{Office, data},
    world::{Mail, World, address, id, write},
};
use knightmail::{
    domain::{apply::apply, event::Event, player::Player},
    mail::understanding::Assurance,
};
use serde_json::Value;
use std::{fs, os::unix::fs::PermissionsExt as _};

/// A mail of the reading tests' office, with headers of the test's.
fn mail(from: &str, headers: &str) -> String {
    let to = if headers.contains("To: ") { "" } else { "To: knights@chess.example.org\n" };
    format!(
        "From: {from}\n{to}{headers}Subject: hello\nDate: Mon, 1 Jul 2019 10:00:00 -0400\n\
         Message-ID: <1@mail.example.org>\nContent-Type: text/plain; charset=utf-8\n\nThank you.\n"
    )
}

/// Headers of an answer, how surely its sender is known by them, and which player it is.
type Case = (&'static str, &'static str, Assurance, Option<&'static str>);

#[test]
fn a_token_is_known_in_either_form_and_whatever_mail_systems_make_of_it() {
    use Assurance::{Address, Token};
    const ANN: Option<&str> = Some("12000001");
    let cases: [Case; 14] = [
        ("a sub-address", "To: knights+{{token 42}}@chess.example.org\n", Token, ANN),
        ("an alias of ours", "To: GK+{{token 42}}@Chess.Example.Org\n", Token, ANN),
        ("Exchange drops it", "In-Reply-To: <{{token 42}}@chess.example.org>\n", Token, ANN),
        ("a long thread", "References: <a@b> <{{token 42}}@chess.example.org> <c@d>\n", Token, ANN),
        (
            "a provider that gives our letter a Message-ID of its own",
            "To: \"Us\" <knights+{{token 42}}@chess.example.org>\nIn-Reply-To: <01-0@mail.provider.example>\n",
            Token,
            ANN,
        ),
        (
            "a list's way of naming the receiver",
            "To: undisclosed:;\nX-Original-To: knights+{{token 42}}@chess.example.org\n",
            Token,
            ANN,
        ),
        ("Delivered-To", "Delivered-To: knights+{{token 42}}@chess.example.org\n", Token, ANN),
        ("we had another domain", "In-Reply-To: <{{token 42}}@old.example.org>\n", Token, ANN),
        ("a made-up one", "To: knights+l42.0123456789abcdef0123@chess.example.org\n", Address, ANN),
        ("of another letter", "In-Reply-To: <{{token 42}}0@chess.example.org>\n", Address, ANN),
        ("to somebody else", "To: friend+{{token 42}}@example.net\n", Address, ANN),
        ("another player's", "To: knights+{{token 43}}@chess.example.org\n", Address, ANN),
        ("the director's", "To: knights+{{token 47}}@chess.example.org\n", Address, ANN),
        ("none", "", Address, ANN),
    ];
    let office = Office::playing();
    for (what, headers, assurance, player) in cases {
        let plain = office.with_tokens(&mail("Ann Hale <ann@example.org>", headers));
        for raw in [plain.clone(), plain.replace("knights+l", "KNIGHTS+L").replace("<l42", "<L42")]
        {
            let sender = office.read(raw.as_bytes()).sender;
            let known = sender.player.as_ref().map(|p| p.0.as_str());
            assert_eq!((sender.assurance, known), (assurance, player), "{what}: {raw}");
            assert!(!sender.elsewhere, "{what}");
        }
    }
}

#[test]
fn a_token_from_elsewhere_names_the_player_and_says_that_it_comes_from_elsewhere() {
    let office = Office::playing();
    let to = "To: knights+{{token 42}}@chess.example.org\n";
    let sender = |from: &str, headers: &str| {
        office.read(office.with_tokens(&mail(from, headers)).as_bytes()).sender
    };
    let son = sender("Ann's son <son@example.net>", to);
    assert_eq!(son.player.map(|p| p.0).as_deref(), Some("12000001"));
    assert_eq!((son.assurance, son.elsewhere), (Assurance::Token, true));
    // Rosa has Ann's letter: that makes her no Ann.
    let rosa = sender("Rosa <rosa@example.net>", to);
    assert_eq!(rosa.player.map(|p| p.0).as_deref(), Some("12000002"));
    assert_eq!((rosa.assurance, rosa.elsewhere), (Assurance::Address, false));
    // Two share an address: the letter tells which of them answers.
    let shared = "To: knights+{{token 91}}@chess.example.org\n";
    let otto = sender("The Vances <vances@example.org>", shared);
    assert_eq!(otto.player.map(|p| p.0).as_deref(), Some("12000008"));
    assert_eq!(otto.assurance, Assurance::Token);
    assert_eq!(sender("The Vances <vances@example.org>", "").player, None);
    // The director's own letters are his, and nobody else's.
    let own = "To: knights+{{token 47}}@chess.example.org\n";
    assert_eq!(sender("Vera <vera@example.org>", own).assurance, Assurance::Token);
    assert_eq!(sender("Vera <vera@example.org>", to).assurance, Assurance::Address);
}

#[test]
fn what_our_own_server_found_is_read_from_its_genuine_mails() {
    let mut office = Office::new();
    let bjoern = Player {
        member: "12000099".into(),
        name: "Björn Åkesson".to_owned(),
        emails: vec!["bjoern@example.org".to_owned()],
        ..Player::default()
    };
    apply(&mut office.state, &Event::PlayerListed(bjoern));
    let forged = "Authentication-Results: mail.example.org; dkim=pass header.d=example.org";
    for (file, wanted) in [
        ("dkim-pass", Assurance::Dkim),
        ("rspamd-spf-dkim-dmarc-pass", Assurance::Dkim),
        ("dkim-fail", Assurance::Address),
        ("dkim-none-spoofed-ar-removed", Assurance::Address),
    ] {
        let raw = fs::read_to_string(data(&format!("authentication/{file}.eml"))).expect("a mail");
        for ours in ["mail.example.org", "MAIL.Example.org"] {
            office.house.authserv_id = Some(ours.to_owned());
            assert_eq!(office.read(raw.as_bytes()).sender.assurance, wanted, "{file}");
            // What the sender writes himself stands below.
            let below = raw.replacen("From: ", &format!("{forged}\nFrom: "), 1);
            assert_eq!(office.read(below.as_bytes()).sender.assurance, wanted, "{file}");
        }
        for other in [None, Some("example.org"), Some("mail.example"), Some("mx.example.org")] {
            office.house.authserv_id = other.map(str::to_owned);
            let assurance = office.read(raw.as_bytes()).sender.assurance;
            assert_eq!(assurance, Assurance::Address, "{file} for {other:?}");
        }
    }
}

/// Ann's letter with her assignment, as what she answers to.
fn assignment(world: &World) -> String {
    let letters = world.letters_to(&address("ann"));
    let letter = letters.iter().find(|letter| letter["notice"] == "assignment");
    letter.expect("she has one")["message_id"].as_str().expect("an id").to_owned()
}

fn resignation(from: &str) -> Mail {
    Mail::from(from).subject("19N01 Adams-Brook").text("I resign my game 1-2 in 19N01.\n")
}

/// What a mail shows beside its address, given the id of a letter of ours.
type Show = fn(Mail, &str) -> Mail;

#[test]
fn what_does_harm_is_done_for_who_is_known_and_asked_about_for_who_is_not() {
    let ann = "Ann Adams <ann@example.org>";
    let pass = "mx.example.org; dkim=pass header.d=example.org";
    let id = |world: &World| format!("<{}>", assignment(world));
    // Where it comes from, what it shows, and whether the game is over by it.
    let cases: [(&str, &str, Show, bool); 6] = [
        ("an address alone", ann, |mail, _| mail, false),
        ("a token", ann, |mail, id| mail.header("In-Reply-To", id), true),
        ("a signature", ann, |mail, _| mail, true),
        ("a token from elsewhere", "son@example.net", |m, id| m.header("In-Reply-To", id), false),
        ("a stranger", "Ann Adams <ann@example.net>", |mail, _| mail, false),
        ("a result by her address", ann, |mail, _| mail.text("19N01 Adams-Brook 0-1\n"), true),
    ];
    let world = World::with_section();
    let toml = fs::read_to_string(world.path("knightmail.toml")).expect("it is there");
    let toml = toml.replace("# authserv_id = ", "authserv_id = ");
    crate::world::write(&world.path("knightmail.toml"), toml.as_bytes());
    for (what, from, show, done) in cases {
        let mut mail = show(resignation(from), &id(&world));
        if what == "a signature" {
            mail = mail.header("Authentication-Results", pass);
        }
        let file = world.path("one.eml");
        crate::world::write(&file, &mail.bytes(world.now(), 0));
        let read = world.object(&["read", file.to_str().expect("plain text")]);
        let asks = read["reasons"].to_string().contains("it would do harm if somebody else");
        let is_known = read["sender"]["player"] != Value::Null;
        assert_eq!(asks, !done && is_known, "{what}: {read}");
    }
    world.receive(&resignation(ann));
    world.pass();
    assert_eq!(world.game(1, 2)["state"], "running");
    assert_eq!(world.notices_to(&address("ann")).last().map(String::as_str), Some("confirmation"));
    world.receive(&resignation("son@example.net").header("In-Reply-To", &id(&world)));
    world.pass();
    assert_eq!(world.game(1, 2)["state"], "running", "the letter may have been passed on");
    assert_eq!(world.notices_to("son@example.net"), Vec::<String>::new());
    world.receive(&resignation(ann).header("In-Reply-To", &id(&world)));
    world.pass();
    assert_eq!(world.game(1, 2)["state"], "confirmed");
    world.audit();
}

#[test]
fn the_first_mail_from_a_new_address_acts_for_nobody() {
    let world = World::with_section();
    let stranger = "Ann Adams <ann@new.example>";
    let number = id("ann");
    let text = format!("Ann Adams, ID {number}\n19N01 1-2: 1.e4\n");
    world.receive(&Mail::from(stranger).subject("19N01 Adams-Brook").text(&text));
    world.pass();
    assert_eq!(world.docket(), ["mail-held"]);
    assert_eq!(world.game(1, 2)["state"], "running");
    let entry = format!("Please enter me in the 2019 Golden Knights, ID {number}. Ann Adams\n");
    world.receive(&Mail::from(stranger).subject("Entry").text(&entry));
    world.pass();
    assert_eq!(world.docket(), ["mail-held", "address-unknown"]);
    // What she is told goes to where the books know her, or says nothing of her.
    let told = world.letters_to("ann@new.example");
    assert!(told.iter().all(|letter| letter["player"] == Value::Null), "{told:?}");
}

#[test]
fn a_new_key_leaves_the_letters_of_the_old_one_known_as_long_as_it_is_kept() {
    let world = World::with_section();
    let before = fs::read_to_string(world.path("reply.keys")).expect("a file of keys");
    let answer = resignation("Ann Adams <ann@example.org>")
        .header("In-Reply-To", &format!("<{}>", assignment(&world)));
    let file = world.path("one.eml");
    crate::world::write(&file, &answer.bytes(world.now(), 0));
    let assurance = || {
        let read = world.object(&["read", file.to_str().expect("plain text")]);
        read["sender"]["assurance"].as_str().unwrap_or_default().to_owned()
    };
    world.run(&["keys", "rotate"]).code(0).says("1 before it");
    let after = fs::read_to_string(world.path("reply.keys")).expect("a file of keys");
    assert!(after.ends_with(&before) && after.len() > before.len());
    let mode = fs::metadata(world.path("reply.keys")).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(assurance(), "token");
    let listed = world.json(&["keys", "list"]);
    let made: Vec<&Value> = listed.iter().map(|key| &key["made"]).collect();
    assert_eq!(made, [&Value::from("2019-01-07"), &Value::Null]);
    let told = world.run(&["keys", "list"]).code(0).text();
    for key in after.lines().filter(|line| !line.starts_with('#')) {
        assert!(!told.contains(&key[..8]), "a key is told to nobody: {told}");
    }
    // New letters carry the new key, and are known too.
    world.receive(&resignation("Ann Adams <ann@example.org>"));
    world.pass();
    world.receive(&resignation("Ann Adams <ann@example.org>").header(
        "In-Reply-To",
        &format!(
                "<{}>",
                world.letters_to(&address("ann")).last().expect("one")["message_id"]
                    .as_str()
                    .unwrap_or_default()
            ),
    ));
    world.pass();
    assert_eq!(world.game(1, 2)["state"], "confirmed");
    world.run(&["keys", "rotate", "--keep", "0"]).code(0).says("0 before it");
    assert_eq!(assurance(), "address");
}

#[test]
fn lost_keys_are_made_anew_as_the_hint_says() {
    let world = World::with_section();
    let file = world.path("reply.keys");
    for is_empty in [false, true] {
        if is_empty {
            write(&file, b"\n");
        } else {
            fs::remove_file(&file).unwrap();
        }
        world.run(&["status"]).code(2).says("knightmail keys rotate");
        world.run(&["keys", "rotate"]).code(0).says("was lost");
        let mode = fs::metadata(&file).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(world.json(&["keys", "list"]).len(), 1);
        world.run(&["check"]).code(0);
    }
}
