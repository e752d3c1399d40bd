//! Bounces of the field, measured: how many of some 700 are told from people, and of those that state a recipient and
//! how lasting it is, how many are read right. What they state is read here by other means than the program's: from
//! the table of one collection, and from the lines of the report in the other.

use super::{
    mail::{shared, word},
    office::Office,
};
use knightmail::{domain::intent::Intent, mail::understanding::Understanding};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Recipients in lower case.
type Recipients = BTreeSet<String>;

/// How many of how many, and which not.
#[derive(Default)]
struct Score {
    good: usize,
    bad: Vec<String>,
}

impl Score {
    fn count(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if holds {
            self.good += 1;
        } else {
            self.bad.push(what());
        }
    }

    /// Prints the score and tells whether it reaches a mark in percent.
    fn reaches(&self, percent: usize, about: &str) -> bool {
        let all = self.good + self.bad.len();
        println!("{about}: {} of {all}; not:", self.good);
        for bad in &self.bad {
            println!("  {bad}");
        }
        all > 0 && self.good * 100 >= all * percent
    }
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.retain(|f| f.to_str().is_some_and(|name| name.ends_with(ending)));
    files.sort();
    files
}

fn name(file: &Path) -> &str {
    file.file_name().and_then(|n| n.to_str()).unwrap_or_default()
}

fn told(read: &Understanding) -> (Recipients, bool) {
    let mut recipients = Recipients::new();
    let mut lasting = !read.intents.is_empty();
    for intent in &read.intents {
        if let Intent::Bounce { recipient, permanent, letter, .. } = intent {
            assert!(letter.is_none(), "none of these is about a letter of ours");
            recipients.extend(recipient.iter().map(|r| r.to_lowercase()));
            lasting &= permanent;
        }
    }
    (recipients, lasting)
}

/// Returns the table of the one collection: what each file says, and whether it is a warning only.
fn table(folder: &Path) -> BTreeMap<String, (Recipients, bool)> {
    let text = fs::read_to_string(folder.join("tests/test_detectors.py")).unwrap();
    let (_, text) = text.split_once("DETECTORS = [").unwrap();
    let (text, _) = text.split_once("\n]").unwrap();
    let mut table = BTreeMap::new();
    for row in text.split("\n    (").skip(1) {
        let file = row.split('\'').nth(3).unwrap();
        let named = row.split("b'").skip(1).filter_map(|piece| piece.split('\'').next());
        let recipients: Recipients = named.map(str::to_lowercase).collect();
        if !recipients.is_empty() {
            table.insert(file.to_owned(), (recipients, row.contains("], True)")));
        }
    }
    table
}

/// Tells whether a mail speaks of a trouble that passes, although its code is a lasting one.
fn speaks_of_passing(raw: &[u8]) -> bool {
    let text = String::from_utf8_lossy(raw).to_lowercase();
    let words = [
        "quota",
        "mailbox full",
        "mailbox is full",
        "over limit",
        "5.2.2",
        "exceeded",
        "storage",
        "too many",
        "is full",
        "status: 4",
        "temporary",
    ];
    words.iter().any(|w| text.contains(w))
}

#[test]
fn bounces_of_old_systems_are_told_from_people() {
    let Some(folder) = shared("bounces/flufl") else { return };
    let table = table(&folder);
    let office = Office::new();
    let (mut class, mut content) = (Score::default(), Score::default());
    for file in files(&folder.join("tests/data"), ".txt") {
        let raw = fs::read(&file).unwrap();
        let read = office.read(&raw);
        // Said by the collection itself to be no bounce.
        if !matches!(name(&file), "groupwise_03.txt") {
            class.count(word(&read.class) == "bounce", || {
                format!("{}: {} {:?}", name(&file), word(&read.class), read.headers.subject)
            });
        }
        if let Some((recipients, warning)) = table.get(name(&file)) {
            let (got, lasting) = told(&read);
            let fits = lasting != *warning || speaks_of_passing(&raw) && !lasting;
            content.count(got == *recipients && fits, || {
                format!(
                    "{}: {got:?} lasting {lasting}, not {recipients:?} {}",
                    name(&file),
                    !warning
                )
            });
        }
    }
    let told = class.reaches(97, "told from people");
    let right = content.reaches(95, "recipient and permanence");
    assert!(told && right && content.good > 90);
}

/// Returns what the lines of a delivery report say, read line by line from the bytes; none where there is no report.
fn stated(raw: &[u8]) -> Option<(Recipients, bool)> {
    let text = String::from_utf8_lossy(raw);
    let (mut recipients, mut lasting, mut failed) = (Recipients::new(), true, false);
    let (_, report) = text.split_once("message/delivery-status")?;
    let report = report.split("\n--").next().unwrap_or_default();
    for line in report.lines() {
        let Some((field, value)) = line.split_once(':') else { continue };
        let value = value.trim().to_lowercase();
        match field.to_lowercase().as_str() {
            "final-recipient" => {
                let address = value.split_once(';').map_or(&*value, |(_, a)| a);
                recipients.insert(address.trim().trim_matches(['<', '>']).to_owned());
            }
            "action" if matches!(value.as_str(), "failed" | "delayed") => failed = true,
            "status" => lasting &= value.starts_with('5'),
            _ => {}
        }
    }
    recipients.retain(|r| r.contains('@'));
    (failed && !recipients.is_empty()).then_some((recipients, lasting))
}

#[test]
fn bounces_of_today_are_told_from_people() {
    let Some(folder) = shared("bounces/sisimai/bsd") else { return };
    let office = Office::new();
    let (mut class, mut content, mut people) =
        (Score::default(), Score::default(), Score::default());
    for file in files(&folder, ".eml") {
        let raw = fs::read(&file).unwrap();
        let read = office.read(&raw);
        let got = word(&read.class);
        // Complaints and automatic answers are no bounces: they are only not to be taken for a person's mail.
        let other = name(&file).starts_with("arf-") || name(&file).starts_with("rfc3834");
        let good = if other {
            matches!(got.as_str(), "auto-reply" | "list" | "bounce")
        } else {
            got == "bounce"
        };
        class.count(good, || format!("{}: {got} {:?}", name(&file), read.headers.subject));
        people.count(got != "person", || name(&file).to_owned());
        if let Some((recipients, lasting)) = stated(&raw).filter(|_| !other) {
            let (got, permanent) = told(&read);
            let fits = permanent == lasting || speaks_of_passing(&raw) && !permanent;
            content.count(got == recipients && fits, || {
                format!(
                    "{}: {got:?} lasting {permanent}, not {recipients:?} {lasting}",
                    name(&file)
                )
            });
        }
    }
    let told = class.reaches(97, "told as what they are");
    let no_people = people.reaches(99, "not taken for a person's");
    let right = content.reaches(95, "recipient and permanence");
    assert!(told && right && no_people && content.good > 200);
}
