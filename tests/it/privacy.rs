//! Privacy: what the program writes is for its own user only, secrets are in nothing that it writes or says, and no
//! player's address is told to anybody but his opponents, in their assignments.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::world::{Mail, SEVEN, World, address, entry_mail, files, id, result_mail};
use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

/// Everything below a folder, folders included.
fn everything(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in files(folder) {
        if path.is_dir() {
            found.extend(everything(&path));
        }
        found.push(path);
    }
    found
}

#[track_caller]
fn all_private(folder: &Path, except: &[&str]) {
    for path in everything(folder) {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        // What the test itself put there is not the program's.
        if !except.iter().any(|name| path.to_string_lossy().contains(name)) {
            assert_eq!(mode, expected, "{}: {mode:o}", path.display());
        }
    }
}

#[test]
fn what_it_writes_is_for_its_own_user_only() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_knightmail");
    // With the usual umask, and the tour that does everything once: mail, letters, paper, views, rulings.
    let script =
        format!("umask 022; {program} demo --into home && {program} --home home run --once");
    let run =
        Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let home = folder.path().join("home");
    let mode = fs::metadata(&home).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o700, "the home: {mode:o}");
    assert!(everything(&home).len() > 30);
    all_private(&home, &[]);
}

/// The letters that were sent: to whom, which notice, and the decoded text with the headers.
fn letters(world: &World) -> Vec<(String, String, String)> {
    let listed = world.json(&["letters"]);
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let letter = |l: &serde_json::Value| {
        let bytes = world.run(&["show", "letter", &text(&l["letter"])]).code(0).out;
        (text(&l["to"]), text(&l["notice"]), String::from_utf8_lossy(&bytes).into_owned())
    };
    listed.iter().map(letter).collect()
}

/// The addresses of those who sit in a section.
fn sitting_in(world: &World, section: &str) -> Vec<String> {
    let table = world.object(&["crosstable", section]);
    let seats = table["seats"].as_array().unwrap().iter();
    let players =
        seats.map(|seat| world.object(&["show", "player", seat["player"].as_str().unwrap()]));
    players.map(|player| player["emails"][0].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_address_is_told_to_opponents_in_assignments_and_to_nobody_else() {
    let world = World::with_seven();
    let outsiders: Vec<String> = (1..=7)
        .map(|n| {
            format!(
                "4444444{n},Olga Outside{n},olga{n}@example.net,US,IL,{},2018-12-01,2022-12-31",
                1500 - n
            )
        })
        .collect();
    world.roster(&outsiders).code(0);
    for name in SEVEN {
        world.receive(&entry_mail(name));
    }
    for n in 1..=7 {
        world.receive(
            &Mail::from(&format!("Olga Outside{n} <olga{n}@example.net>")).subject("Entry").text(
                &format!("Please enter me in the 2019 Golden Knights, 1 entry, ID 4444444{n}.\n"),
            ),
        );
    }
    world.pass();
    let mut rows: Vec<String> =
        (1..=7).map(|n| format!("GK2019,4444444{n},25.00,2019-01-03,check {n}")).collect();
    rows.extend(SEVEN.map(|name| format!("GK2019,{},25.00,2019-01-03,check {name}", id(name))));
    world.import("payments", "event,member_id,amount,received,reference", &rows).code(0);
    world.at("2019-01-07T09:30:00-06:00");
    world.pass();
    // Everything that people ask and tell: strangers, opponents, players of another section.
    for (from, subject, text) in [
        (
            "Nosy <nosy@example.com>",
            "19N01",
            "What is the address of Ann Adams in 19N01? And of member 22222201?\n",
        ),
        ("Nosy <nosy@example.com>", "19N01 1-2", "Section: 19N01\nGame: 1-2\nResult: 1-0\n"),
        ("Olga <olga1@example.net>", "address", "Please give me the email address of Ann Adams.\n"),
        (
            "Ann Adams <nosy2@example.com>",
            "new address",
            "My new address is nosy2@example.com, ID 22222201.\n",
        ),
    ] {
        world.receive(&Mail::from(from).subject(subject).text(text));
    }
    for (name, game, result) in
        [("ann", "1-2", "1-0"), ("ben", "1-2", "0-1"), ("clara", "3-1", "1-0")]
    {
        world.receive(&result_mail(name, game, result));
    }
    world.receive(&Mail::of("david").subject("19N01 4-1 time").text(
        "Section: 19N01\nGame: 4-1\nMy opponent has not answered since 2 January, repeat sent 5 January: time complaint.\n",
    ));
    world.pass();
    world.run(&["direct", "withdraw", &id("gina"), "--reason", "health"]).code(0);
    world.at("2019-02-20T09:30:00-06:00");
    world.pass();
    let letters = letters(&world);
    assert!(letters.iter().filter(|(_, notice, _)| notice == "assignment").count() >= 14);
    let everybody: Vec<String> = SEVEN
        .map(address)
        .into_iter()
        .chain((1..=7).map(|n| format!("olga{n}@example.net")))
        .collect();
    let sections = [sitting_in(&world, "19N01"), sitting_in(&world, "19N02")];
    for (to, notice, text) in &letters {
        for other in everybody.iter().filter(|other| *other != to) {
            if !text.contains(other.as_str()) {
                continue;
            }
            let together = sections.iter().any(|seats| seats.contains(to) && seats.contains(other));
            let may = notice == "assignment" && together;
            let director = to.starts_with("director") || notice.starts_with("director");
            assert!(may || director, "{notice} to {to} tells {other}:\n{text}");
        }
    }
}

#[test]
fn keys_of_replies_are_never_printed() {
    let world = World::with_section();
    let mut secrets = Vec::new();
    for path in everything(&world.home()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_file() && (name.contains("key") || path.starts_with(world.path("secrets"))) {
            let text = fs::read_to_string(&path).unwrap();
            let words = text.split(|c: char| !c.is_alphanumeric() && !"+/=_-".contains(c));
            secrets.extend(words.filter(|word| word.len() >= 16).map(str::to_owned));
        }
    }
    assert!(!secrets.is_empty(), "the home has a key");
    let mut said = String::new();
    for args in [
        &["check"][..],
        &["audit"],
        &["letters", "--json"],
        &["docket", "--json"],
        &["show", "letter", "L1"],
        &["show", "transaction", "1"],
        &["why", "L1"],
        &["read", "knightmail.toml"],
        &["run", "--once"],
    ] {
        let mut command = world.command(args);
        let ran = command.env("RUST_LOG", "trace").output().unwrap();
        said.push_str(&String::from_utf8_lossy(&ran.stdout));
        said.push_str(&String::from_utf8_lossy(&ran.stderr));
    }
    for path in ["store/journal", "views", "mail/out/new"].map(|p| world.path(p)) {
        for file in everything(&path).into_iter().filter(|p| p.is_file()) {
            said.push_str(&String::from_utf8_lossy(&fs::read(file).unwrap()));
        }
    }
    for secret in &secrets {
        assert!(!said.contains(secret), "a key is told");
    }
}

/// Secrets as people have them, with everything that a quoting or a log line might stumble over.
const SECRETS: [&str; 2] = ["pa\"ss'w\\ord {} %s \u{1f511} zebra", "smtp<&>$HOME;`id` giraffe"];

#[test]
fn secrets_are_in_nothing_that_is_written_or_said() {
    let world = World::with_section();
    let config = fs::read_to_string(world.path("knightmail.toml")).unwrap();
    let account = |kind: &str, port: u16, secret: &str| {
        format!(
            "kind = \"{kind}\"\nhost = \"127.0.0.1\"\nport = {port}\nuser = \"desk\"\nsecret = \"{secret}\"\n"
        )
    };
    // Nobody listens on these ports.
    let config = config
        .replace(
            "kind = \"maildir\"                                # what it is\npath = \"mail/in\"",
            &account("imap", 1, "in"),
        )
        .replace(
            "kind = \"maildir\"                                # what it is; here",
            &format!("{}# ", account("smtp", 2, "out")),
        )
        .replace("path = \"mail/out\"", "# ");
    crate::world::write(&world.path("knightmail.toml"), config.as_bytes());
    fs::create_dir_all(world.path("secrets")).unwrap();
    for (name, secret) in ["in", "out"].iter().zip(SECRETS) {
        let file = world.path("secrets").join(name);
        crate::world::write(&file, format!("{secret}\n").as_bytes());
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    }
    world.at("2019-01-14T09:30:00-06:00");
    let mut said = String::new();
    for args in [&["run", "--once"][..], &["check"], &["letters"], &["audit"]] {
        let mut command = world.command(args);
        let ran = command.env("RUST_LOG", "trace").output().unwrap();
        said.push_str(&String::from_utf8_lossy(&ran.stdout));
        said.push_str(&String::from_utf8_lossy(&ran.stderr));
    }
    assert!(said.contains("127.0.0.1"), "the accounts were tried:\n{said}");
    for file in everything(&world.home()).into_iter().filter(|p| p.is_file()) {
        if !file.starts_with(world.path("secrets")) {
            said.push_str(&String::from_utf8_lossy(&fs::read(file).unwrap()));
        }
    }
    let encoded = base64_like(SECRETS[0]);
    for part in ["zebra", "giraffe", "pa\"ss", "smtp<&>", &encoded] {
        assert!(!said.contains(part), "a secret is told: {part}");
    }
}

/// The beginning of a secret as base64 has it.
fn base64_like(secret: &str) -> String {
    let mut child = Command::new("base64")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), secret.as_bytes()).unwrap();
    let text = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    text[..16].to_owned()
}
