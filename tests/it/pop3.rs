//! A mailbox by POP3, against a server that says what the test wants.

use crate::imap::scripted::{CLOSE, PATIENCE, Rules, Server, on};
use knightmail::mailbox::{Arrival, Mailbox as _, pop3::Pop3Mailbox};

fn pop3(rules: Rules<'_>) -> (Server, Pop3Mailbox) {
    let server = Server::pop3(rules);
    let mailbox = Pop3Mailbox::with_patience(server.account(), server.keyring(), PATIENCE);
    (server, mailbox)
}

fn ids(arrivals: &[Arrival]) -> Vec<&str> {
    arrivals
        .iter()
        .filter_map(|arrival| arrival.key.strip_prefix("referee@127.0.0.1 pop3:UIDL="))
        .collect()
}

#[test]
fn mails_are_fetched_as_they_are_and_deleted_by_their_ids_in_a_later_session() {
    let (server, mut mailbox) = pop3(&[
        on("UIDL", &["+OK\n1 a\n2 b\n.\n", "+OK\n1 b\n2 c\n.\n"]),
        on("RETR 1", &["+OK\nSubject: one\n\n..dots\n...\n.\n"]),
        on("RETR 2", &[CLOSE]),
        on("QUIT", &["+OK\n!close"]),
    ]);
    let found = mailbox.waiting().unwrap().arrivals;
    assert_eq!(ids(&found), ["a", "b"]);
    assert_eq!(mailbox.fetch(&found[0]).unwrap().unwrap(), b"Subject: one\r\n\r\n.dots\r\n..\r\n");
    assert!(mailbox.fetch(&found[1]).unwrap_err().what.contains("the server broke off"));
    server.said();
    mailbox.file_away(&found).unwrap();
    // `a` has gone in the meantime, and `b` is the first mail now.
    let work: Vec<String> = server.said().split_off(3);
    assert_eq!(work, ["UIDL", "DELE 1", "QUIT"]);
}

#[test]
fn a_mail_that_cannot_be_had_is_told_once_in_a_while_and_hides_no_other() {
    let (_server, mut mailbox) =
        pop3(&[on("RETR 1", &["-ERR it is locked\n"]), on("RETR 2", &["+OK\ntwo\n.\n"])]);
    let found = mailbox.waiting().unwrap().arrivals;
    let fault = mailbox.fetch(&found[0]).unwrap_err();
    assert!(fault.what.contains("a mail cannot be fetched: it is locked"), "{fault}");
    assert_eq!(mailbox.fetch(&found[1]).unwrap().unwrap(), b"two\r\n");
    assert_eq!(ids(&mailbox.waiting().unwrap().arrivals), ["b", "c"]);
}

#[test]
fn mails_that_cannot_be_told_apart_are_left_alone() {
    let (_server, mut mailbox) = pop3(&[on("UIDL", &["+OK\n1 a\n2 b\n3 a\n.\n"])]);
    let waiting = mailbox.waiting().unwrap();
    assert_eq!(ids(&waiting.arrivals), ["b"]);
    assert!(waiting.troubles[0].what.contains("2 mails"), "{:?}", waiting.troubles);
    let (_server, mut mailbox) = pop3(&[on("UIDL", &["-ERR what?\n"])]);
    let fault = mailbox.waiting().unwrap_err();
    assert!(fault.what.contains("no unique ids"), "{fault}");
}

#[test]
fn no_fault_tells_a_password() {
    for rules in [
        &[on("PASS", &["-ERR I do not know PASS s3cret\n"])][..],
        &[on("CAPA", &["+OK\nSASL PLAIN\n.\n"]), on("AUTH", &["+ \n"]), on("", &["-ERR s3cret\n"])],
    ] {
        let (_server, mut mailbox) = pop3(rules);
        let fault = mailbox.waiting().unwrap_err();
        assert!(!format!("{fault} {fault:?}").contains("s3cret"), "{fault}");
        assert!(fault.what.contains("lets us not in"), "{fault}");
    }
}
