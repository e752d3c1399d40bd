//! The store keeps what it promised: whatever a crash, a full disk or a flipped bit does, what was committed is there,
//! and what is not as it was written is never taken for true.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod archive;
mod home;
mod journal;
mod memory;

use chrono::{DateTime, Utc};
use knightmail::{
    digest::Digest,
    domain::{
        docket::About,
        event::Event,
        ids::{EntryId, LetterId},
        notice::NoticeName,
    },
    fault::Fault,
    mishap::Crashed,
    store::{
        InHand, Shelf, Store,
        archive::Archive,
        files::{DaemonLock, FileStore},
        journal::Journal,
        memory::{CommitCut, MemoryStore},
        transaction::{Cause, LetterRecord, MailCause, MailOutcome, Transaction},
    },
};
use serde_json::value::RawValue;
use std::{
    fs,
    io::Write as _,
    os::unix::fs::{PermissionsExt as _, symlink},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};
use tempfile::TempDir;

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn june() -> DateTime<Utc> {
    at("2019-06-30T23:59:59Z")
}

/// A transaction with something of everything in it.
fn transaction(seq: u64, at: DateTime<Utc>) -> Transaction {
    let reading = "{\"class\":\n  \"person\",\n\"reasons\":[\"names 19N04 \\n, ½–½\"]}";
    Transaction {
        seq,
        at,
        cause: Cause::Mail(Box::new(MailCause {
            known: None,
            likeness: None,
            digest: Digest::of(&seq.to_le_bytes()),
            arrival: format!("{seq}.host"),
            arrived: at,
            outcome: MailOutcome::Acted,
            message_id: Some(format!("m{seq}@example.org")),
            content_id: None,
            from: "ann@example.org".into(),
            subject: "19N04 \"½–½\"\n\u{0} \\".into(),
            reading: Some(RawValue::from_string(reading.into()).unwrap()),
        })),
        events: vec![Event::EntryAccepted { entry: EntryId(format!("GK2019-{seq:03}")) }],
        letters: vec![LetterRecord {
            letter: LetterId(seq),
            notice: NoticeName::EntryReceived,
            to: Some("ann@example.org".into()),
            about: About::default(),
            subject: "Entry received".into(),
            message_id: format!("l{seq}@example.org"),
            digest: Digest::of(&seq.to_be_bytes()),
            not_before: None,
        }],
    }
}

/// What a transaction says, comparable.
fn said(transaction: &Transaction) -> serde_json::Value {
    serde_json::to_value(transaction).unwrap()
}

fn caught_up(store: &mut dyn Store) -> Result<Vec<u64>, Fault> {
    let mut seen = Vec::new();
    store.catch_up(&mut |transaction| seen.push(transaction.seq))?;
    Ok(seen)
}

/// Commits transactions, one by one.
fn write(store: &mut dyn Store, numbers: std::ops::RangeInclusive<u64>, at: DateTime<Utc>) {
    for seq in numbers {
        store.append(&transaction(seq, at)).unwrap();
        store.commit().unwrap();
    }
}

fn opened(home: &Path) -> (FileStore, Vec<u64>) {
    let mut store = FileStore::open(home).unwrap();
    let seen = caught_up(&mut store).unwrap();
    (store, seen)
}

/// Makes an empty folder, in memory where the system has a place for it: thousands of syncs would wait for a disk.
fn scratch() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

fn home_with(count: u64) -> TempDir {
    let home = scratch();
    let (mut store, _) = opened(home.path());
    write(&mut store, 1..=count, june());
    home
}

fn segment(home: &Path) -> PathBuf {
    home.join("store/journal/2019-06.jsonl")
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test may leave half a file: that is what it is about"
)]
fn put(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
}

fn all_files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(all_files(&path));
        } else {
            files.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    files.sort();
    files
}

/// Returns the number of the line that a byte is in, from 1.
fn line_of(bytes: &[u8], position: usize) -> usize {
    bytes[..position].split(|byte| *byte == b'\n').count()
}

fn opened_again(store: FileStore, home: &Path) -> Vec<u64> {
    drop(store);
    opened(home).1
}
