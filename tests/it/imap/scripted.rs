//! A mail server of a few lines: it answers each command by the first rule that the command contains, and writes down
//! what was said to it. It knows no protocol; a test writes the answers.

use knightmail::{
    config::places::ImapPlace,
    mailbox::pause::Patience,
    net::{
        account::{Account, Login, ProofKind, Tls},
        secret::Keyring,
    },
};
use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt as _,
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// Closes the connection, after what stands before it in the answer.
pub(crate) const CLOSE: &str = "!close";
/// Says nothing more, after what stands before it in the answer.
pub(crate) const HANG: &str = "!hang";

/// What is answered to a command that contains the first word. Of several answers each is given once, and the last one
/// from then on. Lines end with `\n`; `TAG` is the tag of the command.
pub(crate) type Rules<'a> = &'a [(&'a str, &'a [&'a str])];

/// Makes a rule.
pub(crate) const fn on<'a>(when: &'a str, answers: &'a [&'a str]) -> (&'a str, &'a [&'a str]) {
    (when, answers)
}

struct Rule {
    when: String,
    answers: Vec<String>,
}

#[derive(Default)]
struct Desk {
    rules: Vec<Rule>,
    said: Vec<String>,
}

/// A server that listens on this machine until the test is over.
pub(crate) struct Server {
    port: u16,
    desk: Arc<Mutex<Desk>>,
    secrets: TempDir,
}

impl Server {
    /// An IMAP server. What the rules do not name is answered as a server does that has three mails, of which it keeps
    /// keywords, and that offers nothing beyond RFC 3501.
    pub(crate) fn imap(rules: Rules<'_>) -> Self {
        const FOLDER: &str = "* 3 EXISTS\n* OK [UIDVALIDITY 7] ok\n* OK [PERMANENTFLAGS (\\Seen \\Deleted \\*)] ok\n\
            TAG OK [READ-WRITE] done\n";
        const USUAL: Rules<'static> = &[
            on("CAPABILITY", &["* CAPABILITY IMAP4rev1\nTAG OK done\n"]),
            on("SELECT", &[FOLDER]),
            on("UID SEARCH", &["* SEARCH 1 2 3\nTAG OK done\n"]),
            on("DONE", &["LAST OK done\n"]),
            on("", &["TAG OK done\n"]),
        ];
        Self::start("* OK ready\r\n", rules, USUAL)
    }

    /// A POP3 server with three mails.
    pub(crate) fn pop3(rules: Rules<'_>) -> Self {
        const USUAL: Rules<'static> = &[
            on("CAPA", &["+OK\nUSER\nUIDL\n.\n"]),
            on("UIDL", &["+OK\n1 a\n2 b\n3 c\n.\n"]),
            on("", &["+OK\n"]),
        ];
        Self::start("+OK ready\r\n", rules, USUAL)
    }

    fn start(greeting: &'static str, rules: Rules<'_>, usual: Rules<'_>) -> Self {
        let own = |(when, answers): &(&str, &[&str])| Rule {
            when: (*when).to_owned(),
            answers: answers.iter().rev().map(|answer| (*answer).to_owned()).collect(),
        };
        let rules = rules.iter().chain(usual).map(own).collect();
        let desk = Arc::new(Mutex::new(Desk { rules, said: Vec::new() }));
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let at_work = Arc::clone(&desk);
        thread::spawn(move || {
            for peer in listener.incoming() {
                let desk = Arc::clone(&at_work);
                // A peer that goes away in the middle is what the tests are about.
                thread::spawn(move || peer.and_then(|peer| serve(peer, greeting, &desk)));
            }
        });
        let secrets = tempfile::tempdir().unwrap();
        let path = secrets.path().join("mailbox");
        crate::world::write(&path, b"s3cret\n");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        Self { port, desk, secrets }
    }

    /// Returns what was said to it since this was asked last, without the tags.
    pub(crate) fn said(&self) -> Vec<String> {
        std::mem::take(&mut self.desk.lock().unwrap().said)
    }

    /// Returns what was said to it since, but for how a session begins.
    pub(crate) fn work(&self) -> Vec<String> {
        let begins = |line: &String| line.starts_with("CAPABILITY") || line.starts_with("LOGIN");
        self.said().into_iter().filter(|line| !begins(line)).collect()
    }

    /// Returns the port that it listens at.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Returns the account on it.
    pub(crate) fn account(&self) -> Account {
        let proof = ProofKind::Password("mailbox".to_owned());
        Account {
            host: "127.0.0.1".to_owned(),
            port: self.port,
            tls: Tls::Off,
            ca: None,
            login: Some(Login { user: "referee".to_owned(), proof }),
        }
    }

    /// Returns its inbox as a place.
    pub(crate) fn place(&self) -> ImapPlace {
        ImapPlace {
            account: self.account(),
            folders: vec!["INBOX".to_owned()],
            spam: None,
            done: None,
        }
    }

    /// Returns where the password is.
    pub(crate) fn keyring(&self) -> Keyring {
        Keyring { folder: self.secrets.path().to_owned() }
    }
}

/// Long enough for the busiest machine to answer, and pauses that last until the test is over.
pub(crate) const PATIENCE: Patience = Patience {
    answer: Duration::from_mins(1),
    first: Duration::from_mins(1),
    longest: Duration::from_mins(5),
};
/// The same for a server that is not going to answer.
pub(crate) const SHORT: Patience = Patience { answer: Duration::from_secs(2), ..PATIENCE };

fn serve(mut peer: TcpStream, greeting: &str, desk: &Mutex<Desk>) -> std::io::Result<()> {
    peer.write_all(greeting.as_bytes())?;
    let lines = BufReader::new(peer.try_clone()?).lines();
    let mut last = String::new();
    for line in lines {
        let line = line?;
        // A tag holds figures and no command does.
        let (tag, command) = match line.split_once(' ') {
            Some((tag, rest)) if tag.ends_with(|c: char| c.is_ascii_digit()) => (tag, rest),
            _ => ("", line.as_str()),
        };
        let answer = {
            let mut desk = desk.lock().unwrap();
            desk.said.push(command.to_owned());
            let rule = desk.rules.iter_mut().find(|rule| command.contains(&rule.when)).unwrap();
            if rule.answers.len() > 1 { rule.answers.pop() } else { rule.answers.last().cloned() }
        };
        let answer = answer.unwrap().replace("TAG", tag).replace("LAST", &last);
        tag.clone_into(&mut last);
        let (text, end) = match (answer.strip_suffix(CLOSE), answer.strip_suffix(HANG)) {
            (Some(text), _) => (text, CLOSE),
            (_, Some(text)) => (text, HANG),
            _ => (answer.as_str(), ""),
        };
        peer.write_all(text.replace('\n', "\r\n").as_bytes())?;
        match end {
            CLOSE => return Ok(()),
            HANG => thread::sleep(Duration::from_mins(2)),
            _ => {}
        }
    }
    Ok(())
}

/// Returns what a server sends of a mail with this number: the text has only lines of ASCII.
pub(crate) fn mail(uid: u32, text: &str) -> String {
    let size = text.replace('\n', "\r\n").len();
    format!("* {uid} FETCH (UID {uid} BODY[] {{{size}}}\n{text})\n")
}
