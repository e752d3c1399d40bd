//! Mail as it comes: genuine mails of many programs, mails with one trap each, and our own cases in `tests/data/mail/`:
//! pairs of a mail and what is to be understood. Each is read with both kinds of line ends. `UPDATE_EXPECT=1` writes the
//! expectations of our own cases anew.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

use crate::office::{Office, data};
use knightmail::{
    domain::intent::Intent,
    house::LETTER_TOP,
    mail::{message::Mail, understanding::Understanding},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Returns a folder of the shared mails, or says plainly that the test is skipped.
pub(super) fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/mails").join(folder);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is missing", path.display());
    None
}

/// Returns a mail with the one and the other kind of line ends.
pub(super) fn both_ends(raw: &[u8]) -> [Vec<u8>; 2] {
    let mut lf = Vec::with_capacity(raw.len());
    for (n, byte) in raw.iter().enumerate() {
        if *byte != b'\r' || raw.get(n + 1) != Some(&b'\n') {
            lf.push(*byte);
        }
    }
    let crlf = lf.iter().flat_map(|b| if *b == b'\n' { vec![b'\r', b'\n'] } else { vec![*b] });
    let crlf = crlf.collect();
    [lf, crlf]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Client {
    class: String,
    sender: Option<String>,
    text: Option<String>,
    #[serde(default)]
    aside: Vec<String>,
    #[serde(default)]
    never: Vec<String>,
    recipient: Option<String>,
    status: Option<String>,
    permanent: Option<bool>,
}

pub(super) fn word<T: Serialize>(value: &T) -> String {
    serde_json::to_value(value).unwrap().as_str().unwrap_or_default().to_owned()
}

#[test]
fn mails_of_genuine_programs_are_understood() {
    let Some(folder) = shared("clients") else { return };
    let clients: BTreeMap<String, Client> =
        toml::from_str(&fs::read_to_string(data("clients.toml")).unwrap()).unwrap();
    let office = Office::new();
    let mut wrong = Vec::new();
    for (name, client) in &clients {
        let raw = fs::read(folder.join(format!("{name}.eml"))).unwrap();
        for raw in both_ends(&raw) {
            check_client(name, client, &office.read(&raw), &mut wrong);
        }
    }
    let is_mail = |path: PathBuf| path.extension().is_some_and(|e| e == "eml");
    let mails = fs::read_dir(folder).unwrap().filter(|f| is_mail(f.as_ref().unwrap().path()));
    assert_eq!(mails.count(), clients.len(), "every mail has an expectation");
    assert!(clients.len() > 30);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check_client(name: &str, client: &Client, got: &Understanding, wrong: &mut Vec<String>) {
    let mut check = |what: &str, holds: bool| {
        if !holds {
            wrong.push(format!("{name}: {what}: {got:#?}"));
        }
    };
    check("class", word(&got.class) == client.class);
    if let Some(text) = &client.text {
        check("text", got.text == *text);
        check("sender", got.sender.name == *client.sender.as_ref().unwrap());
        check("address", got.sender.address.as_deref() == Some("bjoern@example.org"));
    }
    for aside in &client.aside {
        check("set aside", got.set_aside.iter().any(|a| a.starts_with(aside)));
    }
    check("not the sender's", !client.never.iter().any(|never| got.text.contains(never)));
    if let Some(expected) = &client.recipient {
        let [Intent::Bounce { recipient, status, permanent, letter, .. }] = &got.intents[..] else {
            return check("one bounce", false);
        };
        check("recipient", recipient.as_ref() == Some(expected));
        check("status", *status == client.status);
        check("permanent", Some(*permanent) == client.permanent);
        check("letter", letter.is_none());
    } else if client.class != "person" {
        check("no intents", got.intents.is_empty());
    }
}

#[derive(Deserialize)]
struct Trap {
    from_: Option<String>,
    subject: Option<String>,
    text_has: String,
}

#[test]
fn no_trap_in_a_mail_is_fallen_into() {
    let Some(folder) = shared("traps") else { return };
    let expected = fs::read_to_string(folder.join("expected.json")).unwrap();
    let traps: BTreeMap<String, Trap> = serde_json::from_str(&expected).unwrap();
    let office = Office::new();
    assert!(!traps.is_empty());
    for (name, trap) in &traps {
        for raw in both_ends(&fs::read(folder.join(format!("{name}.eml"))).unwrap()) {
            let got = office.read(&raw);
            assert_eq!(got.sender.address, trap.from_, "{name}: {got:#?}");
            assert!(got.text.contains(&trap.text_has), "{name}: {got:#?}");
            if let Some(subject) = &trap.subject {
                assert_eq!(got.headers.subject, *subject, "{name}");
            }
            let readable = got.sender.address.is_some();
            assert_eq!(word(&got.class), if readable { "person" } else { "unreadable" }, "{name}");
            if matches!(name.as_str(), "html_only" | "encapsulated" | "flowed") {
                let foreign = ["11. e4", "old", "12. Nf3: inner"];
                assert!(!foreign.iter().any(|f| got.text.contains(f)), "{name}");
                assert!(!got.set_aside.is_empty(), "{name}");
            }
        }
    }
}

/// What is to be understood of a mail of our own.
#[derive(Debug, PartialEq, Deserialize, Serialize)]
struct Expected {
    /// What the case shows.
    about: String,
    class: String,
    player: Option<String>,
    assurance: String,
    confidence: String,
    trouble: Option<String>,
    text: String,
    set_aside: Vec<String>,
    postmark: Option<String>,
    doubt: Option<String>,
    answers: Option<u64>,
    intents: Vec<toml::Table>,
}

fn expected(about: String, got: &Understanding) -> Expected {
    let table = |intent: &Intent| {
        let mut value = serde_json::to_value(intent).unwrap();
        value.as_object_mut().unwrap().retain(|_, v| !v.is_null());
        toml::Table::try_from(value).unwrap()
    };
    Expected {
        about,
        class: word(&got.class),
        player: got.sender.player.as_ref().map(ToString::to_string),
        assurance: word(&got.sender.assurance),
        confidence: word(&got.confidence),
        trouble: got.trouble.as_ref().map(word),
        text: got.text.clone(),
        set_aside: got.set_aside.clone(),
        postmark: got.headers.postmark.map(|d| d.to_string()),
        doubt: got.headers.postmark_doubt.clone(),
        answers: got.headers.answers.map(|l| l.0),
        intents: got.intents.iter().map(table).collect(),
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "an expectation is written by hand, on a quiet disk")]
fn our_own_cases_are_understood() {
    let office = Office::new();
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let entries = fs::read_dir(data("mail")).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|f| f.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "eml"));
    files.sort();
    let mut wrong = Vec::new();
    for file in &files {
        let mail = office.with_tokens(&fs::read_to_string(file).unwrap());
        let (about, mail) = mail.split_once('\n').expect("the first line says what the case shows");
        let about = about.trim_start_matches(['#', ' ']).to_owned();
        let [lf, crlf] =
            both_ends(mail.as_bytes()).map(|raw| expected(about.clone(), &office.read(&raw)));
        assert_eq!(lf, crlf, "{}: line ends make a difference", file.display());
        let path = file.with_extension("toml");
        if update {
            fs::write(&path, toml::to_string_pretty(&lf).unwrap()).unwrap();
            continue;
        }
        let kept: Expected = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        if kept != lf {
            wrong.push(format!("{}:\nexpected {kept:#?}\ngot {lf:#?}", file.display()));
        }
    }
    assert!(files.len() >= 60, "{} cases", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns all files below a folder.
fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn nothing_that_was_ever_mailed_stops_us() {
    let Some(folder) = shared("") else { return };
    let office = Office::new();
    let mut files = Vec::new();
    files_below(&folder, &mut files);
    let mut bounces = (0, 0);
    for file in &files {
        let raw = fs::read(file).unwrap();
        let begun = Instant::now();
        let read = office.read(&raw);
        office.read(&[b"From: ann@example.org\nSubject: x\n\n", &raw[..]].concat());
        assert!(begun.elapsed() < Duration::from_secs(2), "{} takes too long", file.display());
        if file.components().any(|c| c.as_os_str() == "bounces") {
            bounces.1 += 1;
            bounces.0 += u32::from(word(&read.class) == "bounce");
        }
    }
    assert!(files.len() > 500);
    println!("{} files; {} of {} bounces are known as such", files.len(), bounces.0, bounces.1);
}

#[test]
fn a_hostile_mail_takes_no_longer_than_its_bytes() {
    let office = Office::new();
    let head = "From: ann@example.org\nSubject: x\n";
    let html = |body: String| format!("{head}Content-Type: text/html\n\n{body}");
    let plain = |body: String| format!("{head}\n{body}");
    let hostile = [
        html("<div><blockquote>".repeat(60_000)),
        html("<".repeat(500_000)),
        html("&".repeat(500_000)),
        html("</blockquote>".repeat(80_000)),
        html("<a \"".repeat(50_000)),
        plain("> ".repeat(500_000)),
        plain("On 1 1 1 1 1 a@b wrote\n".repeat(20_000)),
        plain("Hale 1, ".repeat(60_000)),
        plain("if I resign, ".repeat(60_000)),
        plain("19N04 ".repeat(60_000)),
        plain("From: a\nTo: b\n".repeat(30_000)),
        plain("1-0 ".repeat(100_000)),
        plain("I won. ".repeat(60_000)),
        plain("I beat #5 in 19N04.\n".repeat(6_000)),
        plain("\n-- \n".repeat(100_000)),
        plain(format!("{LETTER_TOP}\n").repeat(20_000)),
        plain("________________________________\n".repeat(4_000)),
        format!("{}\n\nx", "a: b\n c\n".repeat(200_000)),
        format!("From: {}\n\nx", "a@example.org, ".repeat(100_000)),
        format!("From: a@example.org\nReferences: {}\n\nx", "<a@b> ".repeat(200_000)),
        format!("From: a@example.org\nSubject: {}\n\nx", "=?utf-8?q?a?= Re: [".repeat(50_000)),
        format!("{head}Content-Type: multipart/mixed; boundary=b\n\n{}", "--b\n\nx\n".repeat(199)),
    ];
    for raw in &hostile {
        let begun = Instant::now();
        office.read(raw.as_bytes());
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(10), "{took:?} for {}…", &raw[..120]);
    }
}

#[test]
fn a_mail_over_the_limits_is_not_read() {
    let office = Office::new();
    let parts = "--b\n\nI resign\n".repeat(300);
    let parts = format!(
        "From: ann@example.org\nContent-Type: multipart/mixed; boundary=b\n\n{parts}--b--\n"
    );
    let mut deep = String::from("From: ann@example.org\n");
    for n in 0..20 {
        writeln!(deep, "Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}").unwrap();
    }
    let long = format!("From: ann@example.org\n\n{}", "x".repeat(11 * 1024 * 1024));
    for raw in [parts, deep, long] {
        let got = office.read(raw.as_bytes());
        assert_eq!(word(&got.class), "unreadable");
        assert_eq!(got.trouble.as_ref().map(word).as_deref(), Some("too-large"));
        assert!(got.intents.is_empty() && !got.reasons.is_empty());
    }
    assert!(Mail::parse(b"").unwrap().author.is_none());
}
