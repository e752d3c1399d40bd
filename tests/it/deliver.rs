//! `deliver`: mail that a mail server pipes in is safe when the program ends, is read by the next pass, and keeps what
//! the envelope said; wrong use and a home that is away have the exit codes that mail servers know.

use crate::world::{Mail, Ran, World, entry_mail, finish, write};
use std::fs;

/// A world whose mail comes by `deliver` alone.
fn piped() -> World {
    let world = World::with_seven();
    let file = world.path("knightmail.toml");
    let text = fs::read_to_string(&file).unwrap();
    let piped = text.replacen("kind = \"maildir\"", "kind = \"pipe\"", 1);
    let piped = piped.lines().filter(|line| !line.starts_with("path = \"mail/in\""));
    write(&file, (piped.collect::<Vec<_>>().join("\n") + "\n").as_bytes());
    world
}

fn deliver(world: &World, options: &[&str], mail: &[u8]) -> Ran {
    finish(world.command(&[&["deliver"], options].concat()), mail)
}

fn spooled(world: &World) -> usize {
    fs::read_dir(world.path("mail/pipe/new")).map_or(0, Iterator::count)
}

#[test]
fn a_mail_that_is_piped_in_is_read_by_the_next_pass_and_the_spool_is_empty() {
    let world = piped();
    let mail = entry_mail("ann").bytes(world.now(), 1);
    deliver(&world, &["--from", "ann@example.org", "--to", "knights@example.org"], &mail).code(0);
    assert_eq!(spooled(&world), 1);
    world.pass();
    assert_eq!(spooled(&world), 0);
    assert_eq!(world.notices_to("ann@example.org"), ["entry-received"]);
    // The mail server tries again what it does not know to be taken: the same mail, once.
    deliver(&world, &["--from", "ann@example.org", "--to", "knights@example.org"], &mail).code(0);
    world.pass();
    assert_eq!(world.audit()["mails"]["duplicate"], 1);
    assert_eq!(world.notices_to("ann@example.org").len(), 1);
}

#[test]
fn what_the_envelope_says_counts() {
    let world = World::with_section();
    world.run(&["letters"]).code(0);
    let assignment = world.letters_to("ann@example.org").pop().unwrap();
    let id = assignment["message_id"].as_str().unwrap();
    let token = id.split('@').next().unwrap();
    let world = {
        let file = world.path("knightmail.toml");
        let text = fs::read_to_string(&file).unwrap();
        write(&file, text.replacen("path = \"mail/in\"", "path = \"mail/pipe\"", 1).as_bytes());
        world
    };
    let mail = crate::world::result_mail("ann", "1-2", "1-0").bytes(world.now(), 3);
    let keyed = format!("knights+{token}@example.org");
    deliver(&world, &["--from", "<ann@example.org>", "--to", &keyed], &mail).code(0);
    let spool = crate::world::files(&world.path("mail/pipe/new")).remove(0);
    let bytes = fs::read(&spool).unwrap();
    let head = format!("Return-Path: <ann@example.org>\r\nDelivered-To: {keyed}\r\n");
    assert!(bytes.starts_with(head.as_bytes()) && bytes.ends_with(&mail));
    let read = finish(world.command(&["read", "-", "--json"]), &bytes).code(0).object();
    assert_eq!(read["sender"]["assurance"], "token");
    // An empty path is a machine's, however a mail server writes it.
    for null in ["<>", "", "MAILER-DAEMON"] {
        fs::remove_file(crate::world::files(&world.path("mail/pipe/new")).remove(0)).unwrap();
        deliver(&world, &["--from", null], &mail).code(0);
        let bytes = fs::read(crate::world::files(&world.path("mail/pipe/new")).remove(0)).unwrap();
        let read = finish(world.command(&["read", "-", "--json"]), &bytes).code(0).object();
        assert_eq!(read["class"], "auto-reply", "{null:?}");
    }
}

#[test]
fn the_line_from_of_an_old_mail_server_is_taken_off() {
    let world = piped();
    let mail = b"From ann@example.org Wed Jan  2 09:00:00 2019\nFrom: ann@example.org\nSubject: x\n\nHow do I enter?\n";
    deliver(&world, &["--to", "knights@example.org"], mail).code(0);
    let bytes = fs::read(crate::world::files(&world.path("mail/pipe/new")).remove(0)).unwrap();
    assert!(bytes.starts_with(b"Delivered-To: knights@example.org\nFrom: ann@example.org\n"));
    world.pass();
    assert_eq!(world.notices_to("ann@example.org"), ["help"]);
}

#[test]
fn many_deliver_at_once_and_while_a_pass_runs() {
    let world = piped();
    let mails: Vec<_> = (0..24)
        .map(|n| Mail::of("ben").subject("x").text(&format!("Hello {n}.\n")).bytes(world.now(), n))
        .collect();
    std::thread::scope(|scope| {
        for mail in &mails {
            let command = world.command(&["deliver", "--from", "ben@example.org"]);
            scope.spawn(move || finish(command, mail).code(0));
        }
    });
    assert_eq!(spooled(&world), 24);
    world.pass();
    assert_eq!(world.audit()["mails"]["received"], 24);
    assert_eq!(spooled(&world), 0);
}

#[test]
fn exit_codes_are_those_that_mail_servers_know() {
    let world = piped();
    deliver(&world, &[], b"").code(65).says("no mail");
    deliver(&world, &[], b" \r\n\r\n").code(65);
    deliver(&world, &["--form", "x"], b"x").code(64);
    deliver(&world, &["--from", "a\nBcc: b@example.org"], b"x").code(64).says("no address");
    deliver(&world, &["--help"], b"").code(0);
    assert_eq!(spooled(&world), 0);
    // Nothing that may be mended sends a mail back.
    let gone = world.path("no-such-home").display().to_string();
    crate::world::bare(&["--home", &gone, "deliver"], b"From: a@example.org\n\nx\n").code(75);
    crate::world::bare(&["deliver"], b"From: a@example.org\n\nx\n").code(78).says("--home");
    let file = world.path("mail/pipe");
    if file.exists() {
        fs::remove_dir_all(&file).unwrap();
    }
    write(&file, b"something else");
    deliver(&world, &[], b"From: a@example.org\n\nx\n").code(75);
    // A configuration that is wrong for the moment keeps no mail out.
    fs::remove_file(&file).unwrap();
    write(&world.path("knightmail.toml"), b"[house");
    deliver(&world, &[], b"From: a@example.org\n\nx\n").code(0);
    assert_eq!(spooled(&world), 1);
}

#[test]
fn the_long_help_has_the_exit_codes_of_mail_servers_and_a_line_for_each_of_them() {
    let world = World::new();
    let help = world.run(&["deliver", "--help"]).code(0).text();
    for part in
        ["\n  75 not now", "\n  78 no home", "Postfix, master.cf", "Exim, a transport", "Sieve"]
    {
        assert!(help.contains(part), "{part}: {help}");
    }
    assert!(!help.contains("\n  3 "), "{help}");
    let pages = world.path("pages");
    world.run(&["man", pages.to_str().expect("plain text")]).code(0);
    let page = std::fs::read_to_string(pages.join("knightmail-deliver.1")).expect("a page");
    for part in ["\\fB75\\fR", "driver = pipe\n", "Postfix, master.cf"] {
        assert!(page.contains(part), "{part}: {page}");
    }
}
