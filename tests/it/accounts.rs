//! `check` tries every account for real: each gets a line, good or bad with what mends it, and no secret is shown.

use crate::world::{Ran, bare, finish, write};
use serde_json::Value;
use std::{fs, net::TcpListener, os::unix::fs::PermissionsExt as _, path::Path, process::Command};
use tempfile::TempDir;

const SECRET: &str = "correct-horse-battery";

/// A home whose tables of mailbox and transport are these.
fn home(mailbox: &str, transport: &str) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    bare(&["init", home.path().to_str().unwrap()], b"").code(0);
    let file = home.path().join("knightmail.toml");
    let text = fs::read_to_string(&file).unwrap();
    let put = |paragraph: &str| {
        let head = |table: &str| paragraph.contains(&format!("\n[{table}]"));
        match (head("mailbox"), head("transport")) {
            (true, _) => format!("[mailbox]\n{mailbox}"),
            (_, true) => format!("[transport]\n{transport}"),
            _ => paragraph.to_owned(),
        }
    };
    let text = text.split("\n\n").map(put).collect::<Vec<_>>().join("\n\n");
    write(&file, text.as_bytes());
    home
}

fn check(home: &TempDir, json: bool) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_knightmail"));
    command.env_clear().arg("--home").arg(home.path()).arg("check");
    if json {
        command.arg("--json");
    }
    let ran = finish(command, b"");
    assert!(!ran.text().contains(SECRET) && !ran.err.contains(SECRET), "{}", ran.err);
    ran
}

/// Returns a port at which nobody listens.
fn nobody() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn put(home: &TempDir, name: &str, text: &str, mode: u32) {
    let folder = home.path().join("secrets");
    fs::create_dir_all(&folder).unwrap();
    write(&folder.join(name), text.as_bytes());
    fs::set_permissions(folder.join(name), fs::Permissions::from_mode(mode)).unwrap();
}

const OUT: &str = "kind = \"maildir\"\npath = \"mail/out\"";

#[test]
fn every_account_is_tried_also_where_another_is_out_of_reach() {
    let port = nobody();
    let account = |kind: &str| {
        format!(
            "kind = \"{kind}\"\nhost = \"127.0.0.1\"\nport = {port}\ntls = \"off\"\n\
             user = \"{kind}-knights\"\nsecret = \"mail\"\n"
        )
    };
    let others = "\n[mailboxes.old]\nkind = \"maildir\"\npath = \"mail/in\"\n";
    let others = format!("{others}\n[mailboxes.pop]\n{}", account("pop3"));
    let home = home(&(account("imap") + &others), &account("smtp"));
    put(&home, "mail", SECRET, 0o600);
    let ran = check(&home, false).code(1);
    let good = ran.text();
    assert!(good.contains("mailbox        good: the Maildir"), "{good}");
    for (part, account) in [
        ("mailbox", format!("imap-knights on 127.0.0.1:{port} by IMAP")),
        ("mailbox", format!("pop3-knights on 127.0.0.1:{port} by POP3")),
        ("transport", format!("smtp-knights on 127.0.0.1:{port} by SMTP")),
    ] {
        let line = ran.err.lines().find(|l| l.contains(&account)).unwrap_or_default();
        assert!(line.starts_with(&format!("{part:<14} bad: ")), "{account}: {}", ran.err);
        assert!(line.contains("refused"), "{line}");
    }
    assert_eq!(ran.err.matches("remedy: check host and port").count(), 3, "{}", ran.err);

    let ran = check(&home, true).code(1);
    let lines: Vec<Value> =
        ran.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let bad: Vec<&Value> = lines.iter().filter(|line| line["good"] == false).collect();
    assert_eq!(bad.len(), 3);
    assert!(bad.iter().all(|line| line["remedy"].as_str().is_some_and(|r| !r.is_empty())));
}

#[test]
fn a_secret_that_cannot_be_used_is_told_before_anybody_is_called() {
    let account = format!(
        "kind = \"imap\"\nhost = \"127.0.0.1\"\nport = {}\ntls = \"off\"\nuser = \"knights\"\n\
         secret = \"mail\"",
        nobody()
    );
    let home = home(&account, OUT);
    check(&home, false).code(1).says("`secret` in knightmail.toml").says("chmod 600");
    put(&home, "mail", SECRET, 0o644);
    check(&home, false).code(1).says("others than its owner may read").says("chmod 600");
    put(&home, "mail", "\n\n", 0o600);
    check(&home, false).code(1).says("is empty").says("in its first line");
    put(&home, "mail", SECRET, 0o600);
    check(&home, false).code(1).says("refused");
}

#[test]
fn a_provider_that_nobody_has_signed_in_to_is_told_with_the_command_that_mends_it() {
    let account = "kind = \"imap\"\nhost = \"127.0.0.1\"\ntls = \"off\"\nuser = \"knights\"\n\
                   auth = \"xoauth2\"\noauth = \"club\"\n\n[oauth.club]\nclient_id = \"id\"\n\
                   token_url = \"https://127.0.0.1/token\"\nscope = \"mail\"";
    let home = home(account, OUT);
    let ran = check(&home, false).code(1).says("nobody has signed in to club yet");
    ran.says("knightmail login club");
}

#[test]
fn a_sendmail_that_is_no_program_is_told() {
    let home = home("kind = \"pipe\"", "kind = \"sendmail\"\npath = \"bin/sendmail\"");
    let program = home.path().join("bin/sendmail");
    let make = |mode| {
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        write(&program, b"#!/bin/sh\n");
        fs::set_permissions(&program, fs::Permissions::from_mode(mode)).unwrap();
    };
    check(&home, false).code(1).says("cannot find").says("bin/sendmail");
    make(0o600);
    check(&home, false).code(1).says("is no program");
    make(0o700);
    let good = check(&home, false).code(0).text();
    assert!(good.contains("it is there and can be run"), "{good}");
    assert!(good.contains("mail handed to `knightmail deliver`"), "{good}");
}

#[test]
fn a_maildir_that_is_not_there_is_told() {
    let home =
        home("kind = \"maildir\"\npath = \"mail/none\"", "kind = \"maildir\"\npath = \"no\"");
    let ran = check(&home, false).code(1);
    assert!(ran.err.contains("mail/none") && ran.err.contains("no/tmp"), "{}", ran.err);
    assert!(!Path::new(&home.path().join("mail/none")).exists(), "nothing is made");
}
