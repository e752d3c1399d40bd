//! Scenarios: `tests/data/scenarios/*.txt` are scripts (`src/cli/demo/script.rs`) that a director can read, each played
//! through a real home; beside each lies what is told of it. The season of the demo is one of them, so that the demo
//! cannot rot. `UPDATE_EXPECT=1` writes the transcripts anew; a line `include FILE` stands for that file.

use knightmail::cli::demo;
use std::{
    fs,
    path::{Path, PathBuf},
    thread,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scenarios")
}

/// All scenarios: name and script.
fn scenarios() -> Vec<(String, String)> {
    let files = fs::read_dir(folder()).expect("the folder of the scenarios");
    let mut names: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    names.retain(|path| path.extension().is_some_and(|e| e == "txt"));
    names.sort();
    let mut all: Vec<(String, String)> = names.iter().map(|path| scenario(path)).collect();
    all.push(("season".to_owned(), demo::SEASON.to_owned()));
    all
}

fn scenario(path: &Path) -> (String, String) {
    let text = fs::read_to_string(path).expect("a script in UTF-8");
    let line = |line: &str| match line.strip_prefix("include ") {
        Some(file) => fs::read_to_string(folder().join(file)).expect("the included file"),
        None => format!("{line}\n"),
    };
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    (name, text.lines().map(line).collect())
}

/// Plays a scenario and returns what is wrong with its transcript.
#[expect(clippy::disallowed_methods, reason = "a golden file is written by hand, on a quiet disk")]
fn check(name: &str, script: &str) -> Option<String> {
    let home = tempfile::tempdir().expect("a temporary folder");
    let mut told = Vec::new();
    let played = demo::play(script, home.path(), &mut told);
    let told = String::from_utf8(told).expect("a transcript is UTF-8");
    if let Err(why) = played {
        return Some(format!("{name} stopped: {why}\nuntil then:\n{told}"));
    }
    let file = folder().join(format!("{name}.out"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, &told).expect("the transcript can be written");
        return None;
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    let differs = (1..).zip(told.lines().zip(expected.lines())).find(|(_, (a, b))| a != b);
    match differs {
        Some((line, (now, then))) => {
            Some(format!("{}:{line}: it was\n  {then}\nand now is\n  {now}", file.display()))
        }
        None if told == expected => None,
        None => Some(format!("{}: one of the two ends early; now:\n{told}", file.display())),
    }
}

#[test]
fn every_scenario_is_told_as_it_was() {
    let scenarios = scenarios();
    assert!(scenarios.len() > 10, "the scenarios are found");
    let wrong: Vec<String> = thread::scope(|scope| {
        let played: Vec<_> = scenarios
            .iter()
            .map(|(name, script)| scope.spawn(move || check(name, script)))
            .collect();
        played.into_iter().filter_map(|play| play.join().expect("a scenario panicked")).collect()
    });
    assert!(wrong.is_empty(), "UPDATE_EXPECT=1 writes them anew.\n\n{}", wrong.join("\n\n"));
}

#[test]
fn every_transcript_belongs_to_a_scenario() {
    let known = scenarios();
    for file in fs::read_dir(folder()).expect("the folder of the scenarios") {
        let path = file.expect("a file").path();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let orphan = path.extension().is_some_and(|e| e == "out")
            && !known.iter().any(|(name, _)| *name == stem);
        assert!(!orphan, "{} has no script: take it away", path.display());
    }
}
