//! Letters by SMTP, against a server that answers by a script: what is said on the wire, and what every kind of answer
//! and every way of breaking off comes to.

mod server;

use crate::world::{self, Mail, World};
use knightmail::{
    domain::ids::LetterId,
    fault::Fault,
    net::{
        account::{Account, Login, ProofKind, Tls},
        secret::Keyring,
    },
    store::transaction::DeliveryOutcome::{self, Deferred, MaybeSent, Refused, Sent},
    transport::{News, Outgoing, Transport as _, smtp::Smtp},
};
use server::{CUT, Server};
use std::{collections::BTreeMap, ops::ControlFlow, os::unix::fs::PermissionsExt as _};

const DSN: &str = "250-SIZE 2000\r\n250-DSN\r\n";
const PASSWORD: &str = "correct-horse-battery";

/// What was heard of a delivery.
#[derive(Debug, Default)]
struct Heard {
    outcomes: BTreeMap<u64, DeliveryOutcome>,
    troubles: Vec<String>,
}

impl Heard {
    fn of(&self, letter: u64) -> &DeliveryOutcome {
        &self.outcomes[&letter]
    }

    #[track_caller]
    fn trouble(&self, words: &str) {
        assert!(matches!(&self.troubles[..], [one] if one.contains(words)), "{self:?}");
    }
}

fn account(port: u16) -> Account {
    Account { host: "127.0.0.1".to_owned(), port, tls: Tls::Off, ca: None, login: None }
}

fn smtp(server: &Server, connections: u8) -> Smtp {
    over(account(server.port), connections)
}

fn over(account: Account, connections: u8) -> Smtp {
    let keyring = Keyring { folder: "nowhere".into() };
    Smtp::new(account, connections, keyring, "knights@example.org".to_owned())
}

fn letter(number: u64, to: &str) -> Outgoing {
    Outgoing {
        letter: LetterId(number),
        to: Some(format!("{to}@example.net")),
        from: Some(format!("knights+l{number}.0123@example.org")),
        bytes: format!("Subject: {number}\r\n\r\nHello {to}\r\n.\r\n..two\r\nend\r\n").into_bytes(),
        paper: None,
    }
}

fn letters(names: &[&str]) -> Vec<Outgoing> {
    (1..).zip(names).map(|(number, to)| letter(number, to)).collect()
}

fn deliver(smtp: &mut Smtp, letters: &[Outgoing]) -> Heard {
    let mut heard = Heard::default();
    let done = smtp.deliver(letters, &mut |news| {
        match news {
            News::Outcomes(records) => {
                heard.outcomes.extend(records.into_iter().map(|r| (r.letter.0, r.outcome)));
            }
            News::Trouble(fault) => heard.troubles.push(fault.to_string()),
            News::AtWork => {}
        }
        Ok(ControlFlow::Continue(()))
    });
    done.unwrap();
    heard
}

fn starts<'a>(lines: &'a [String], word: &str) -> Vec<&'a str> {
    lines.iter().filter(|line| line.starts_with(word)).map(String::as_str).collect()
}

// --- what is said ------------------------------------------------------------------------------------------------------

#[test]
fn a_letter_goes_with_its_keyed_address_the_dsn_words_and_doubled_dots() {
    let server = Server::offering(DSN);
    let heard = deliver(&mut smtp(&server, 2), &letters(&["ann"]));
    assert_eq!((heard.of(1), heard.troubles.len()), (&Sent, 0));
    let size = letter(1, "ann").bytes.len();
    assert_eq!(
        server.heard(1),
        [
            "EHLO example.org".to_owned(),
            "EHLO example.org".to_owned(),
            format!("MAIL FROM:<knights+l1.0123@example.org> SIZE={size} RET=HDRS ENVID=l1.0123"),
            "RCPT TO:<ann@example.net> NOTIFY=FAILURE,DELAY".to_owned(),
            "DATA".to_owned(),
            "QUIT".to_owned(),
        ]
    );
    assert_eq!(server.letters(), ["Subject: 1\r\n\r\nHello ann\r\n..\r\n...two\r\nend\r\n"]);
}

#[test]
fn a_server_that_offers_nothing_is_asked_for_nothing() {
    let server = Server::offering("");
    deliver(&mut smtp(&server, 1), &letters(&["ann"]));
    let said = server.heard(1);
    assert_eq!(starts(&said, "MAIL"), ["MAIL FROM:<knights+l1.0123@example.org>"]);
    assert_eq!(starts(&said, "RCPT"), ["RCPT TO:<ann@example.net>"]);
}

#[test]
fn letters_that_this_server_cannot_take_are_not_offered() {
    let server = Server::offering(DSN);
    let large = Outgoing { bytes: vec![b'x'; 2001], ..letter(1, "ann") };
    let foreign = letter(2, "änne");
    let forged =
        Outgoing { to: Some("x@y>\r\nRCPT TO:<z@example.net".to_owned()), ..letter(3, "") };
    let heard = deliver(&mut smtp(&server, 1), &[large, foreign, forged, letter(4, "ben")]);
    assert!(matches!(heard.of(1), Refused(why) if why.contains("2000 bytes")), "{heard:?}");
    assert!(matches!(heard.of(2), Refused(why) if why.contains("SMTPUTF8")), "{heard:?}");
    assert!(matches!(heard.of(3), Refused(why) if why.contains("envelope")), "{heard:?}");
    assert_eq!(heard.of(4), &Sent);
    assert_eq!(starts(&server.heard(0), "RCPT").len(), 1);
}

#[test]
fn two_connections_are_open_at_once() {
    // Each letter waits for another one on the other connection; over one alone this would never end.
    let server = Server::for_two();
    let heard = deliver(&mut smtp(&server, 2), &letters(&["ann", "ben"]));
    assert_eq!((heard.of(1), heard.of(2), server.connections()), (&Sent, &Sent, 2));
}

#[test]
fn a_server_that_knows_no_keyed_sender_gets_our_plain_address() {
    for (line, answer) in [
        ("MAIL FROM:<knights+", "553 5.7.1 sender address rejected"),
        ("RCPT TO:<ann", "553 5.7.1 <knights+l1>: Sender address rejected"),
    ] {
        let server = Server::offering("").then(line, &[answer]);
        let mut smtp = smtp(&server, 1);
        let heard = deliver(&mut smtp, &letters(&["ann", "ben"]));
        assert_eq!((heard.of(1), heard.of(2)), (&Sent, &Sent), "{answer}");
        let said = server.heard(0);
        let plain = starts(&said, "MAIL FROM:<knights@example.org>");
        assert_eq!((plain.len(), starts(&said, "MAIL").len()), (2, 3), "it is not asked twice");
    }
}

// --- answers -----------------------------------------------------------------------------------------------------------

#[test]
fn what_a_server_says_of_one_recipient_concerns_no_other() {
    let server = Server::offering("")
        .always("RCPT TO:<nobody", "550-5.1.1 There is\r\n550 5.1.1 no such user")
        .always("RCPT TO:<later", "450 4.2.0 greylisted")
        .then(".", &["250 ok", "554 5.7.1 we do not like it"]);
    let names = ["nobody", "later", "ann", "spammy", "ben"];
    let heard = deliver(&mut smtp(&server, 1), &letters(&names));
    assert_eq!(heard.of(1), &Refused("550 5.1.1 There is no such user".to_owned()));
    assert_eq!(heard.of(2), &Deferred("450 4.2.0 greylisted".to_owned()));
    assert_eq!(heard.of(4), &Refused("554 5.7.1 we do not like it".to_owned()));
    assert_eq!((heard.of(3), heard.of(5), server.connections()), (&Sent, &Sent, 1));
    assert_eq!(
        starts(&server.heard(1), "RSET").len(),
        2,
        "an envelope that was begun is taken back"
    );
    assert!(heard.troubles.is_empty());
}

#[test]
fn a_server_that_closes_after_some_letters_is_asked_again() {
    let closes = "421 4.7.0 enough for one connection";
    let server = Server::offering("").then("MAIL", &["250 ok", closes, "250 ok", "250 ok", closes]);
    let heard = deliver(&mut smtp(&server, 1), &letters(&["ann", "ben", "clara", "david"]));
    assert!(heard.outcomes.values().all(|outcome| *outcome == Sent), "{heard:?}");
    assert_eq!((heard.outcomes.len(), server.connections(), heard.troubles.len()), (4, 3, 0));
}

#[test]
fn a_recipient_at_whom_the_server_hangs_up_waits_and_the_others_go() {
    for answer in ["421 4.3.2 go away", CUT] {
        let server = Server::offering("").always("RCPT TO:<drop", answer);
        let heard = deliver(&mut smtp(&server, 1), &letters(&["ann", "drop", "ben"]));
        assert!(matches!(heard.of(2), Deferred(_)), "{heard:?}");
        assert_eq!((heard.of(1), heard.of(3)), (&Sent, &Sent));
        assert_eq!(server.connections(), 3, "once after another letter, once as the first one");
    }
}

#[test]
fn a_connection_cut_after_the_final_dot_leaves_the_letter_maybe_sent() {
    let server = Server::offering("").then(".", &[CUT]);
    let heard = deliver(&mut smtp(&server, 1), &letters(&["ann", "ben"]));
    assert!(matches!(heard.of(1), MaybeSent(why) if why.contains("closed")), "{heard:?}");
    assert_eq!((heard.of(2), server.connections()), (&Sent, 2));
}

#[test]
fn a_server_that_always_hangs_up_after_the_dot_gets_no_more_copies() {
    let server = Server::offering("").always(".", CUT);
    let heard = deliver(&mut smtp(&server, 1), &letters(&["a", "b", "c", "d", "e"]));
    assert_eq!(heard.outcomes.len(), 3);
    heard.trouble("again and again");
}

#[test]
fn an_answer_beyond_ascii_is_an_answer() {
    let server = Server::offering("").then(".", &["250 angenommen, danke schön \u{fffd}"]);
    assert_eq!(deliver(&mut smtp(&server, 1), &letters(&["ann"])).of(1), &Sent);
}

// --- what is ours to mend --------------------------------------------------------------------------------------------

#[test]
fn a_way_out_that_is_blocked_tries_no_letter_and_is_told_once() {
    let names = ["ann", "ben", "clara"];
    let away = over(account(1), 2);
    let cases: [(Smtp, &str); 4] = [
        (away, "out of reach"),
        (
            smtp(&Server::offering("").always("greeting", "421 4.3.2 closed for today"), 2),
            "closed for",
        ),
        (
            smtp(&Server::offering("").always("MAIL", "550 5.7.1 not you"), 2),
            "takes no mail from us",
        ),
        (smtp(&Server::offering("").always("MAIL", "451 4.3.0 disk full"), 2), "disk full"),
    ];
    for (mut way, words) in cases {
        let heard = deliver(&mut way, &letters(&names));
        heard.trouble(words);
        heard.trouble("remedy: ");
        assert!(heard.outcomes.is_empty(), "{heard:?}");
    }
}

#[test]
fn relaying_denied_is_no_word_about_the_recipient() {
    let server = Server::offering("").always("RCPT", "554 5.7.1 <x>: Relay access denied");
    let heard = deliver(&mut smtp(&server, 1), &letters(&["ann", "ben"]));
    assert!(heard.outcomes.values().all(|o| matches!(o, Deferred(_))), "{heard:?}");
    heard.trouble("does not carry our mail");
}

#[test]
fn without_starttls_nothing_is_said() {
    let server = Server::offering("250-AUTH PLAIN\r\n");
    let account = Account { tls: Tls::StartTls, ..with_password(server.port) };
    let heard = deliver(&mut over(account, 2), &letters(&["ann"]));
    heard.trouble("does not offer STARTTLS");
    assert_eq!(server.heard(0), ["EHLO example.org"]);
    // An answer that was put in ahead of TLS is none.
    let server = Server::offering("250-STARTTLS\r\n").always("STARTTLS", "220 go\r\n250 injected");
    let account = Account { tls: Tls::StartTls, ..account_of(&server) };
    deliver(&mut over(account, 1), &letters(&["ann"])).trouble("more than it was asked");
}

fn account_of(server: &Server) -> Account {
    account(server.port)
}

fn with_password(port: u16) -> Account {
    let proof = ProofKind::Password("mail".to_owned());
    Account { login: Some(Login { user: "referee".to_owned(), proof }), ..account(port) }
}

fn with_secret(account: Account) -> (tempfile::TempDir, Smtp) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mail");
    world::write(&path, format!("{PASSWORD}\n").as_bytes());
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    let keyring = Keyring { folder: folder.path().to_owned() };
    (folder, Smtp::new(account, 2, keyring, "knights@example.org".to_owned()))
}

#[test]
fn a_password_is_shown_by_plain_or_by_login() {
    let plain = "AUTH PLAIN AHJlZmVyZWUAY29ycmVjdC1ob3JzZS1iYXR0ZXJ5";
    let server = Server::offering("250-AUTH LOGIN PLAIN\r\n");
    let (_folder, mut smtp) = with_secret(with_password(server.port));
    assert_eq!(deliver(&mut smtp, &letters(&["ann"])).of(1), &Sent);
    assert_eq!(starts(&server.heard(0), "AUTH"), [plain]);

    let server = Server::offering("250-AUTH LOGIN\r\n")
        .always("AUTH LOGIN", "334 VXNlcm5hbWU6")
        .always("cmVmZXJlZQ==", "334 UGFzc3dvcmQ6")
        .always("Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5", "235 2.7.0 welcome");
    let (_folder, mut smtp) = with_secret(with_password(server.port));
    assert_eq!(deliver(&mut smtp, &letters(&["ann"])).of(1), &Sent);
}

#[test]
fn a_refused_login_says_what_to_do_and_never_the_password() {
    let parrots = [
        "535 5.7.8 authentication failed",
        "535 5.7.8 bad: correct-horse-battery",
        "535 5.7.8 bad: AHJlZmVyZWUAY29ycmVjdC1ob3JzZS1iYXR0ZXJ5",
    ];
    for answer in parrots {
        let server = Server::offering("250-AUTH PLAIN\r\n").always("AUTH", answer);
        let (_folder, mut smtp) = with_secret(with_password(server.port));
        let heard = deliver(&mut smtp, &letters(&["ann", "ben"]));
        heard.trouble("the login of referee is refused");
        heard.trouble("secret `mail`");
        let told = format!("{heard:?} {smtp:?}");
        assert!(!told.contains(PASSWORD) && !told.contains("AHJlZmVyZWU"), "{told}");
        assert_eq!(starts(&server.heard(0), "AUTH").len(), 1, "a wrong password is shown once");
    }
}

#[test]
fn a_visit_sends_nothing_and_explains_what_is_wrong() {
    let server = Server::offering("");
    smtp(&server, 1).probe("director@example.org").unwrap();
    let said = server.heard(1);
    assert_eq!(said[said.len() - 2..], ["RSET", "QUIT"]);
    assert!(server.letters().is_empty() && starts(&said, "DATA").is_empty());
    for (line, answer, words) in [
        ("RCPT", "554 5.7.1 Relay access denied", "does not carry our mail"),
        ("RCPT", "550 5.1.1 no such user", "does not take `RCPT TO:<director@"),
        ("MAIL", "553 5.7.1 not yours", "does not take `MAIL FROM:<knights@"),
    ] {
        let server = Server::offering("").always(line, answer);
        let fault = smtp(&server, 1).probe("director@example.org").unwrap_err();
        assert!(fault.what.contains(words), "{fault}");
    }
}

// --- the office over it -----------------------------------------------------------------------------------------------

#[test]
fn whoever_hears_of_outcomes_can_end_the_delivery() {
    let letters: Vec<_> = (1..=100).map(|number| letter(number, "ann")).collect();
    let server = Server::offering("");
    let mut known = 0;
    let done = smtp(&server, 2).deliver(&letters, &mut |news| {
        if let News::Outcomes(records) = news {
            known += records.len();
        }
        Ok(ControlFlow::Break(()))
    });
    assert_eq!(
        (done, known),
        (Ok(()), server.letters().len()),
        "what was begun is brought to its end"
    );
    assert!(known < 100, "and no more is begun");

    let server = Server::offering("");
    let stop = Fault::passing("the disk is full", "make room");
    let mut heard = 0;
    let done = smtp(&server, 1).deliver(&letters, &mut |_| {
        heard += 1;
        Err(stop.clone())
    });
    assert_eq!((done, heard), (Err(stop), 1));
    // Only so many are ever ahead of the journal, and one in the hand of the connection.
    let most = 2 * knightmail::limits::UNRECORDED + 1;
    assert!(server.letters().len() <= most, "{}", server.letters().len());
}

fn home(server: &Server) -> World {
    let world = World::new();
    let path = world.path("knightmail.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let maildir = text.lines().find(|line| line.starts_with("path = \"mail/out\"")).unwrap();
    let place = format!(
        "host = \"127.0.0.1\"\nport = {}\ntls = \"off\"\nauth = \"none\"\nconnections = 1",
        server.port
    );
    let at = text.find("[transport]").unwrap();
    let (before, after) = text.split_at(at);
    let after = after.replacen("kind = \"maildir\"", "kind = \"smtp\"", 1);
    world::write(&path, format!("{before}{}", after.replacen(maildir, &place, 1)).as_bytes());
    world
}

fn asked(server: &Server) -> World {
    let world = home(server);
    world.receive(&Mail::from("zed@example.net").subject("x").text("How do I enter?\n"));
    world
}

/// Makes a pass that ends with this code: 1 where somebody should know of something.
fn turn(world: &World, code: i32) -> world::Ran {
    world.run(&["run", "--once"]).code(code)
}

fn letter_of(world: &World) -> serde_json::Value {
    world.letters_to("zed@example.net").remove(0)
}

#[test]
fn a_letter_that_was_maybe_sent_goes_once_more_as_the_same_letter() {
    let server = Server::offering("").then(".", &[CUT]);
    let world = asked(&server);
    world.pass().says("L1 may have been sent");
    let waits = letter_of(&world);
    assert_eq!((&waits["state"], &waits["attempts"]), (&"waiting".into(), &1.into()));
    assert!(waits["outcome"].as_str().unwrap().starts_with("maybe sent"), "{waits}");
    world.run(&["letters"]).code(0);
    assert!(world.run(&["why", "L1"]).code(0).text().contains("maybe sent"));
    assert_eq!(world.audit()["letters"]["waiting"], 1);
    world.pass();
    assert_eq!(server.letters().len(), 1, "it rests for five minutes");
    world.at("2019-01-02T09:10:00-06:00");
    world.pass();
    let letters = server.letters();
    assert_eq!((letters.len(), letter_of(&world)["state"].as_str()), (2, Some("sent")));
    assert_eq!(letters[0], letters[1], "the same bytes, and so the same Message-ID");
    let id = waits["message_id"].as_str().unwrap();
    assert!(letters[0].contains(id));
    let token = id.split('@').next().unwrap();
    let mail = format!("MAIL FROM:<knights+{token}@example.org>");
    assert!(starts(&server.heard(0), &mail).len() == 2, "{:?}", server.heard(0));
}

#[test]
fn a_lasting_code_that_speaks_of_a_quota_is_tried_again_and_a_missing_user_is_not() {
    for (answer, state) in
        [("552 5.2.2 the mailbox is over quota", "waiting"), ("550 5.1.1 no such user", "failed")]
    {
        let server = Server::offering("").always("RCPT", answer);
        let world = asked(&server);
        world.pass();
        assert_eq!(letter_of(&world)["state"], state, "{answer}");
    }
}

#[test]
fn while_the_way_out_is_blocked_no_attempt_is_counted() {
    // The keyed address and the plain one, on the second day.
    let answers = ["451 4.3.0 not today", "550 5.7.1 not you", "550 5.7.1 not you"];
    let server = Server::offering("").then("MAIL", &answers);
    let world = asked(&server);
    turn(&world, 1).says("not today");
    world.at("2019-02-02T09:00:00-06:00");
    turn(&world, 1).says("not you");
    let waits = letter_of(&world);
    assert_eq!((&waits["state"], &waits["attempts"]), (&"waiting".into(), &0.into()), "a month");
    world.pass();
    assert_eq!(letter_of(&world)["state"], "sent");
}
