//! Configuration: the shipped files load without a word, and every mistake is told well. A case of
//! `tests/data/config-errors` is a sentence, the file it is about, the mistake as changes to the shipped file (lines
//! with `-` go, lines with `+` come, lines with a blank say where), and behind `---` what the director is told.
//! `UPDATE_EXPECT=1` rewrites what stands behind `---`; read it before you commit it.

use knightmail::{
    config::{
        Config,
        error::ConfigError,
        keys,
        places::{Inbox, Outbox},
        service::Service,
        shipped, tournament,
    },
    domain::{
        event::Job,
        tournament::{PrizeOrder, Tournament},
    },
    token::ReplyKeys,
};
use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/config-errors");

#[test]
fn every_mistake_is_told_with_file_line_key_and_hint() {
    let mut cases: Vec<PathBuf> =
        fs::read_dir(CASES).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 25, "the catalogue is short: {} cases", cases.len());
    let failed: Vec<_> = cases.iter().filter_map(|case| failure(case)).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[expect(clippy::disallowed_methods, reason = "a test's expectation may be half written")]
fn failure(case: &Path) -> Option<String> {
    let text = fs::read_to_string(case).unwrap();
    let (question, wanted) = text.split_once("---\n").unwrap();
    let mut lines = question.lines().skip(1);
    let file = lines.next().unwrap();
    let errors = read(file, &edited(shipped_text(file), lines)).unwrap_err();
    let told = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n") + "\n";
    if told == wanted {
        return None;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(case, format!("{question}---\n{told}")).unwrap();
        return None;
    }
    Some(format!("{}\nwanted:\n{wanted}told:\n{told}", case.display()))
}

fn shipped_text(file: &str) -> &'static str {
    shipped::FILES.iter().find(|(path, _)| *path == file).unwrap().1
}

fn read(file: &str, text: &str) -> Result<(), Vec<ConfigError>> {
    match file {
        "knightmail.toml" => Service::read(text, Path::new("/home")).map(drop),
        _ => tournament::read(file, text).map(drop),
    }
}

/// Applies the changes to a text, from the top down.
fn edited<'a>(text: &'a str, changes: impl Iterator<Item = &'a str>) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    for change in changes {
        let (mark, line) = change.split_at(1);
        let find = || lines[at..].iter().position(|l| l.starts_with(line));
        match mark {
            "+" => lines.insert(at, line),
            _ => at += find().unwrap_or_else(|| panic!("no line begins with `{line}`")),
        }
        match mark {
            "-" => drop(lines.remove(at)),
            _ => at += 1,
        }
    }
    lines.join("\n")
}

fn golden_knights() -> Tournament {
    tournament::read(shipped::TOURNAMENT_FILE, shipped::TOURNAMENT).unwrap()
}

#[test]
fn every_shipped_file_loads_without_a_word() {
    for (file, text) in shipped::FILES {
        read(file, text).unwrap_or_else(|errors| panic!("{file}: {errors:?}"));
        assert!(text.lines().all(|l| l.chars().count() <= 140), "{file} has a long line");
    }
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/events");
    for entry in fs::read_dir(tree).unwrap() {
        let name = format!("events/{}", entry.unwrap().file_name().display());
        assert!(shipped::FILES.iter().any(|(file, _)| *file == name), "{name} is not shipped");
    }
}

#[test]
fn every_key_of_the_shipped_files_is_explained_where_it_first_stands() {
    for (file, text) in shipped::FILES {
        let mut explained = Vec::new();
        for line in text.lines().filter(|l| !l.starts_with([' ', '#', '[', ']'])) {
            let Some((key, _)) = line.split_once(" = ") else { continue };
            assert!(explained.contains(&key) || line.contains(" # "), "{file}: {key} is bare");
            explained.push(key);
        }
        assert!(explained.len() > 10, "{file}");
    }
}

#[test]
fn the_golden_knights_say_what_the_rules_say() {
    let gk = golden_knights();
    assert_eq!((gk.id.0.as_str(), gk.name.as_str()), ("GK2019", "2019 Golden Knights"));
    // Rule 1.
    assert!(["US", "CA", "MX", "PA", "PR", "BM", "GL", "PM"].iter().all(|c| has(&gk, c)));
    assert!(!["GU", "AS", "MP", "CO", "DE"].iter().any(|c| has(&gk, c)));
    // Rules 8 and 9.
    let deadlines: Vec<_> = (1..=11).map(|k| gk.deadline(k).map(|d| d.to_string())).collect();
    let wanted = ["12-31", "09-30", "08-31", "08-31", "07-31", "07-31", "07-31"];
    let wanted = wanted.into_iter().chain(["06-30"; 3]).map(|d| Some(format!("2019-{d}")));
    assert_eq!(deadlines, wanted.chain([None]).collect::<Vec<_>>());
    assert_eq!(gk.closes().to_string(), "2019-12-31");
    // Rules 2, 3 and 6.
    let rounds: Vec<_> = gk.rounds.iter().map(|r| (r.code.as_str(), r.size, r.months)).collect();
    assert_eq!(rounds, [("19N", 7, 30), ("19Ns", 7, 30), ("19Nf", 7, 30)]);
    let most: rust_decimal::Decimal = gk.rounds.iter().map(|r| r.weight).sum();
    assert_eq!((most * rust_decimal::Decimal::from(6)).to_string(), "46.2");
    let points = |p: Option<knightmail::domain::points::Points>| p.map(|p| p.to_string());
    assert_eq!(points(gk.rounds[0].advance).as_deref(), Some("4.5"));
    assert_eq!(points(gk.rounds[1].otherwise).as_deref(), Some("4"));
    // Rule 5.
    assert_eq!(gk.prizes.by, PrizeOrder::WeightedPoints);
    let fund: rust_decimal::Decimal = gk.prizes.places.iter().sum();
    assert_eq!((fund.to_string().as_str(), gk.prizes.places.len()), ("2300", 10));
    assert_eq!(gk.prizes.scaled_to_entries, Some(200));
}

fn has(tournament: &Tournament, country: &str) -> bool {
    tournament.eligibility.countries.iter().any(|c| c == country)
}

#[test]
fn what_the_readings_leave_out_is_read_as_the_shipped_file_says() {
    let (before, _) = shipped::TOURNAMENT.split_once("[readings]").unwrap();
    let without = tournament::read(shipped::TOURNAMENT_FILE, before).unwrap();
    assert_eq!(without.readings, golden_knights().readings);
}

#[test]
fn the_shipped_service_needs_no_server() {
    let service = Service::read(shipped::SERVICE, Path::new("/srv/home")).unwrap();
    assert_eq!(service.mailboxes, [Inbox::Maildir("/srv/home/mail/in".into())]);
    assert_eq!(service.transport, Outbox::Maildir("/srv/home/mail/out".into()));
    assert_eq!(service.jobs[&Job::Assignments].text(), "0 9 * * Mon");
    assert_eq!(service.jobs.len(), 3);
}

/// A director copies from the tables that stand commented out in the shipped file, so each must load in its place.
#[test]
fn every_table_that_the_shipped_service_shows_loads_in_its_place() {
    let paragraphs: Vec<&str> = shipped::SERVICE.split("\n\n").collect();
    let shown = |paragraph: &str| -> Option<String> {
        let table = &paragraph[paragraph.find("# [")?..];
        Some(table.lines().map(|l| l.strip_prefix("# ").unwrap().to_owned() + "\n").collect())
    };
    let tables: Vec<String> = paragraphs.iter().filter_map(|p| shown(p)).collect();
    let of = |head: &'static str| tables.iter().filter(move |t| t.starts_with(head));
    let providers: String = of("[oauth.").cloned().collect();
    let mut kinds = Vec::new();
    for (head, table) in [("[mailbox]", of("[mailbox]")), ("[transport]", of("[transport]"))]
        .into_iter()
        .flat_map(|(head, tables)| tables.map(move |table| (head, table)))
    {
        let put = |p: &&str| if p.contains(&format!("\n{head}")) { table } else { *p }.to_owned();
        let text = paragraphs.iter().map(put).collect::<Vec<_>>().join("\n\n") + &providers;
        let service = Service::read(&text, Path::new("/srv")).unwrap_or_else(|e| panic!("{e:?}"));
        match head {
            "[mailbox]" => kinds.push(service.mailboxes[0].to_string()),
            _ => kinds.push(service.transport.to_string()),
        }
    }
    assert_eq!(
        kinds,
        [
            "knights@example.org on imap.example.org:993 by IMAP",
            "knights@example.org on imap.gmail.com:993 by IMAP",
            "knights@example.org on outlook.office365.com:993 by IMAP",
            "knights@example.org on pop.example.org:995 by POP3",
            "mail handed to `knightmail deliver`",
            "knights@example.org on smtp.example.org:587 by SMTP",
            "knights@example.org on smtp.gmail.com:465 by SMTP",
            "knights@example.org on smtp.office365.com:587 by SMTP",
            "the program /usr/sbin/sendmail",
        ]
    );
}

/// A home made before a key was added loads as if the shipped file's value stood there.
#[test]
fn what_later_versions_added_may_be_missing() {
    let later = ["subaddress", "a_day_domain", "a_day_total", "strangers"];
    let tables = ["[rulings]", "[trust]", "[dns]"];
    let kept = shipped::SERVICE.split("\n\n").filter(|p| !tables.iter().any(|t| p.contains(t)));
    let text = kept.collect::<Vec<_>>().join("\n\n");
    let lines = text.lines().filter(|l| !later.iter().any(|key| l.starts_with(key)));
    let old = lines.collect::<Vec<_>>().join("\n");
    assert!(!old.contains("undo") && old.contains("a_day ="), "{old}");
    let read = |text| Service::read(text, Path::new("/srv")).unwrap();
    assert_eq!(format!("{:?}", read(&old)), format!("{:?}", read(shipped::SERVICE)));
}

/// Where sub-addresses do not reach us, letters are answered at the plain address.
#[test]
fn without_sub_addresses_the_reply_address_is_plain() {
    let plain = shipped::SERVICE.replace("subaddress = true", "subaddress = false");
    for (text, address) in
        [(shipped::SERVICE, "knights+l1.00@example.org"), (plain.as_str(), "knights@example.org")]
    {
        let service = Service::read(text, Path::new("/srv")).unwrap();
        let house = service.house(ReplyKeys::new(vec![b"key".to_vec()]));
        assert_eq!(house.reply_address("l1.00"), address);
        assert!(house.is_ours("knights+l1.00@example.org"));
    }
}

/// Lays out a home of the shipped files, as `init` does, and changes a file of it.
#[expect(clippy::disallowed_methods, reason = "a test's home may be half written")]
fn home(file: &str, text: Option<&str>) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("events")).unwrap();
    let files =
        [("knightmail.toml", shipped::SERVICE), (shipped::TOURNAMENT_FILE, shipped::TOURNAMENT)];
    for (file, text) in files {
        fs::write(dir.path().join(file), text).unwrap();
    }
    let key_file = dir.path().join(keys::FILE);
    fs::write(&key_file, keys::make().unwrap()).unwrap();
    fs::set_permissions(&key_file, fs::Permissions::from_mode(0o600)).unwrap();
    match text {
        Some(text) => fs::write(dir.path().join(file), text).unwrap(),
        None if file.is_empty() => {}
        None => fs::remove_file(dir.path().join(file)).unwrap(),
    }
    dir
}

#[test]
fn a_home_of_the_shipped_files_loads() {
    let home = home("", None);
    let config = Config::load(home.path()).unwrap();
    assert_eq!(config.house.address, "knights@example.org");
    assert!(config.rules.tournaments.contains_key(&"GK2019".into()));
}

#[test]
fn a_home_with_a_file_missing_or_doubled_says_which() {
    let twin = shipped::TOURNAMENT
        .replace("# carry_forward_to = \"GK2020\"", "carry_forward_to = \"GK2020\"");
    let dollars = shipped::TOURNAMENT
        .replace("GK2019\"  ", "GK2018\"  ")
        .replace("\"19N", "\"18N")
        .replace("\"USD\"", "\"CAD\"")
        .replace("# carry_forward_to = \"GK2020\"", "carry_forward_to = \"GK2019\"");
    for (file, text, told) in [
        (
            "events/before.toml",
            Some(dollars.as_str()),
            "events/before.toml:39:20: entry.carry_forward_to: that tournament has another currency",
        ),
        ("knightmail.toml", None, "knightmail.toml: it cannot be read"),
        ("reply.keys", None, "reply.keys: it cannot be read"),
        ("reply.keys", Some("0123"), "reply.keys:1:1: this line is no key"),
        (shipped::TOURNAMENT_FILE, None, "events: there is no tournament in it"),
        (
            "events/twin.toml",
            Some(twin.as_str()),
            "events/twin.toml:7:6: id: events/golden-knights-2019.toml has it already",
        ),
        (
            "events/twin.toml",
            Some(twin.as_str()),
            "events/twin.toml:39:20: entry.carry_forward_to: no file in events/ has this id",
        ),
    ] {
        let home = home(file, text);
        let errors = Config::load(home.path()).unwrap_err();
        let found = errors.iter().any(|e| e.to_string().starts_with(told));
        assert!(found, "{file}: {told} is not in {errors:#?}");
    }
}

#[test]
fn all_mistakes_of_all_files_are_told_at_once() {
    let home = home("knightmail.toml", Some("[house]\nname = 1\n"));
    fs::set_permissions(home.path().join(keys::FILE), fs::Permissions::from_mode(0o644)).unwrap();
    let errors = Config::load(home.path()).unwrap_err();
    let keys: Vec<_> = errors.iter().map(|e| format!("{} {}", e.file, e.key)).collect();
    for wanted in ["house.name", "house.address", "director", "mailbox", "schedule", "transport"] {
        assert!(keys.contains(&format!("knightmail.toml {wanted}")), "{wanted} in {keys:?}");
    }
    assert_eq!(keys.last().map(String::as_str), Some("reply.keys "));
}
