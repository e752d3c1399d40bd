//! Backups as the README says: taken with `tar` while the daemon works, restored elsewhere, and the work goes on.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use crate::{
    running::{hurry, start, stop, wait_for, wait_until_up},
    world::{Mail, World, bare, files},
};
use serde_json::Value;
use std::{collections::BTreeMap, fs, path::Path, process::Command};

const MAILS: usize = 280;

/// The two lines of the README: the mail and the journal before the rest, so that the rest is never behind them.
const BACKUP: &str = r#"set -e; cd "$1"
tar -cf "$2" --warning=no-file-changed --exclude=.tmp* mail/in store/journal || test $? = 1
tar -rf "$2" --warning=no-file-changed --exclude=./mail/in --exclude=./store/journal . || test $? = 1"#;

fn shell(script: &str, arguments: &[&Path]) {
    let ran = Command::new("bash").args(["-c", script, "bash"]).args(arguments).output().unwrap();
    assert!(ran.status.success(), "{script}: {}", String::from_utf8_lossy(&ran.stderr));
}

fn readme_has(line: &str) -> bool {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    fs::read_to_string(readme).unwrap().contains(line)
}

/// The letters that left, by Message-ID, each with all its copies.
fn letters_in(folder: &Path) -> BTreeMap<String, Vec<Vec<u8>>> {
    let mut letters: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    for file in files(folder) {
        let bytes = fs::read(&file).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let id = text.lines().find(|line| line.starts_with("Message-ID:")).unwrap();
        letters.entry(id.to_owned()).or_default().push(bytes);
    }
    letters
}

fn json(home: &Path, now: &str, args: &[&str]) -> Vec<Value> {
    let home = home.to_str().unwrap();
    bare(&[&["--home", home, "--now", now, "--json"], args].concat(), b"").code(0).lines()
}

#[test]
fn a_backup_taken_at_any_moment_is_restored_and_the_work_goes_on() {
    let world = World::with_section();
    hurry(&world);
    for n in 0..MAILS {
        let mail = Mail::from(&format!("Guest {n} <guest{n}@example.net>"));
        world.receive(
            &mail.subject("a question").text(&format!("How do I enter? I am guest {n}.\n")),
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let daemon = start(world.command(&["run"]));
    wait_until_up(&world, &daemon);
    let mut backups = Vec::new();
    let mut take = || {
        let backup = folder.path().join(format!("{}.tar", backups.len()));
        shell(BACKUP, &[&world.home(), &backup]);
        backups.push(backup);
    };
    take();
    wait_for("the first batch", || !files(&world.path("mail/in/cur")).is_empty());
    take();
    wait_for("the first letters", || files(&world.path("mail/out/new")).len() > 50);
    take();
    wait_for("the rest", || files(&world.path("mail/out/new")).len() >= MAILS + 7);
    take();
    stop(daemon);
    let now = world.now().to_rfc3339();
    for backup in backups {
        goes_on(&backup, &backup.with_extension("home"), &now);
    }
}

#[track_caller]
fn goes_on(backup: &Path, home: &Path, now: &str) {
    shell(r#"mkdir -m 700 "$2" && tar -xpf "$1" -C "$2""#, &[backup, home]);
    let run = |args: &[&str]| {
        bare(&[&["--home", home.to_str().unwrap(), "--now", now], args].concat(), b"").code(0)
    };
    run(&["check"]);
    run(&["run", "--once"]);
    run(&["check"]);
    let audit = &json(home, now, &["audit"])[0];
    // The seven who entered, and everybody who asked: once.
    let acted = u64::try_from(MAILS + 7).unwrap();
    assert_eq!(audit["mails"]["acted"], acted, "{audit}");
    assert_eq!((&audit["letters"]["waiting"], &audit["ok"]), (&0.into(), &true.into()), "{audit}");
    for (id, copies) in letters_in(&home.join("mail/out/new")) {
        assert!(copies.iter().all(|copy| *copy == copies[0]), "{id} differs from itself");
    }
}

#[test]
fn the_readme_tells_the_backup_that_is_tested() {
    for line in BACKUP.lines().skip(1) {
        let line = line.split(" || ").next().unwrap().replace("\"$2\"", "/backup/home.tar");
        assert!(readme_has(&line), "the README does not say: {line}");
    }
}
