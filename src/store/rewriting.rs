//! Rewriting the store, for the one thing that an append-only journal cannot do: forgetting. The journal is written
//! anew, line by line, with a chain of checksums of its own, and archived messages are replaced by stones; what is
//! erased is decided by the caller.
//!
//! Everything new is written into `store/rewriting/` and synced; then the file `ready` is put beside it, and from then
//! on the new is the truth: it is moved into place, at once or by whoever begins to write next. Without `ready` it is
//! thrown away. Segments of the archive are replaced one by one, each state verifies; the journal changes in one step.

use super::{
    archive, atomic, journal, line, mbox, replay,
    segment::{self, Month},
    transaction::Transaction,
};
use crate::{digest::Digest, fault::Fault};
use chrono::{DateTime, Utc};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

/// The folder below `store/` in which the new is made.
const WORKSHOP: &str = "rewriting";
/// The file that makes it the truth.
const READY: &str = "ready";
/// The file by which the new journal is told from the old one, in its folder.
const NEW: &str = "new";

/// What is to be rewritten.
pub struct Rewriting<'a> {
    /// Returns a transaction as it is kept from now on, under the same number.
    pub redact: &'a dyn Fn(&Transaction) -> Result<Transaction, Fault>,
    /// Makes the transaction that records the rewriting, with the next number; it gets the checksum that the last line
    /// had so far.
    pub record: &'a dyn Fn(u64, String) -> Transaction,
    /// The messages of which only a stone is left.
    pub erase: &'a BTreeSet<Digest>,
    /// When.
    pub at: DateTime<Utc>,
    /// What is done elsewhere when the new is written and not yet the truth: it can be done again.
    pub meanwhile: &'a dyn Fn() -> Result<(), Fault>,
}

impl Rewriting<'_> {
    /// Does it, in the folder `store` of a home. Only for who may write.
    ///
    /// # Errors
    /// A fault of the disk, or damage. Where it answers one before all was written, nothing has changed.
    pub(super) fn carry_out(&self, store: &Path) -> Result<(), Fault> {
        let workshop = store.join(WORKSHOP);
        self.stage(store, &workshop)
            .and_then(|()| (self.meanwhile)())
            .inspect_err(|_| drop(fs::remove_dir_all(&workshop)))?;
        atomic::write(&workshop.join(READY), b"")?;
        settle(store)
    }

    fn stage(&self, store: &Path, workshop: &Path) -> Result<(), Fault> {
        remove_all(workshop)?;
        remove(&store.join("journal").join(NEW))?;
        for folder in ["journal", "archive"] {
            atomic::make_folder(&workshop.join(folder))?;
        }
        self.stage_journal(&store.join("journal"), &workshop.join("journal"))?;
        self.stage_archive(&store.join("archive"), &workshop.join("archive"))?;
        atomic::sync_folder(workshop)
    }

    fn stage_journal(&self, old: &Path, new: &Path) -> Result<(), Fault> {
        let months = segment::months(old, journal::ENDING)?;
        let (mut seq, mut was, mut sum) = (0, line::NO_SUM, line::NO_SUM);
        let mut copy: Option<(Month, Copy)> = None;
        replay::lines(old, journal::ENDING, &months, 0, &mut |read| {
            if copy.as_ref().is_none_or(|(month, _)| *month != read.month) {
                copy.take().map_or(Ok(()), |(_, done)| done.finish())?;
                let path = segment::path(new, read.month, journal::ENDING);
                copy = Some((read.month, Copy::begin(path)?));
            }
            let (_, copy) = copy.as_mut().expect("begun above");
            let mut bytes = Vec::new();
            for line in &read.lines {
                sum = line::write(&(self.redact)(&line.transaction)?, sum, &mut bytes);
                (seq, was) = (line.transaction.seq, line.sum);
            }
            copy.write(&bytes)
        })?;
        let record = (self.record)(seq + 1, format!("{was:08x}"));
        let mut bytes = Vec::new();
        line::write(&record, sum, &mut bytes);
        let month = Month::of(record.at);
        let mut copy = match copy {
            Some((last, copy)) if last >= month => copy,
            last => {
                last.map_or(Ok(()), |(_, done)| done.finish())?;
                Copy::begin(segment::path(new, month, journal::ENDING))?
            }
        };
        copy.write(&bytes)?;
        copy.finish()?;
        Copy::begin(new.join(NEW))?.finish()?;
        atomic::sync_folder(new)
    }

    fn stage_archive(&self, old: &Path, new: &Path) -> Result<(), Fault> {
        for month in segment::months(old, archive::ENDING)? {
            let path = segment::path(old, month, archive::ENDING);
            let whole = fs::read(&path).map_err(|error| Fault::io("read", &path, &error))?;
            if let Some(bytes) = self.without_erased(&path, &whole)? {
                let mut copy = Copy::begin(segment::path(new, month, archive::ENDING))?;
                copy.write(&bytes)?;
                copy.finish()?;
            }
        }
        atomic::sync_folder(new)
    }

    /// Returns a segment with stones in the place of what is erased; none where it has nothing of that.
    fn without_erased(&self, path: &Path, whole: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        let fault = |error| Fault::io("read", path, &error);
        let file = segment::open(path)?;
        let (length, mut offset, mut changed) = (whole.len() as u64, 0, false);
        let mut bytes = Vec::with_capacity(whole.len());
        while offset < length {
            let found = mbox::find_at(&file, offset, length).map_err(fault)?;
            let end = match found {
                Some(found) => found.end,
                None => mbox::next_first_line(&file, offset).map_err(fault)?.unwrap_or(length),
            };
            match found.filter(|f| !f.erased && self.erase.contains(&f.digest)) {
                Some(found) => {
                    let why = format!("Erased on {}, on request.", self.at.format("%Y-%m-%d"));
                    mbox::write_stone(self.at, found.digest, &why, &mut bytes);
                    changed = true;
                }
                None => bytes.extend_from_slice(&whole[range(offset, end)]),
            }
            offset = end;
        }
        Ok(changed.then_some(bytes))
    }
}

fn range(from: u64, to: u64) -> std::ops::Range<usize> {
    let place = |at: u64| usize::try_from(at).expect("it is in memory");
    place(from)..place(to)
}

/// Finishes a rewriting that is ready, and throws one away that is not. Only for who may write.
///
/// # Errors
/// A fault of the disk; it is finished by whoever comes next.
pub(super) fn settle(store: &Path) -> Result<(), Fault> {
    let workshop = store.join(WORKSHOP);
    if !workshop.exists() {
        return Ok(());
    }
    if workshop.join(READY).exists() {
        place_archive(&workshop.join("archive"), &store.join("archive"))?;
        place_journal(&workshop, &store.join("journal"))?;
        atomic::sync_folder(store)?;
        remove(&workshop.join(READY))?;
        atomic::sync_folder(&workshop)?;
    }
    remove_all(&workshop)?;
    remove(&store.join("journal").join(NEW))
}

fn place_archive(new: &Path, old: &Path) -> Result<(), Fault> {
    for month in segment::months(new, archive::ENDING)? {
        // An index of other places must not outlive its segment.
        remove(&segment::path(old, month, archive::INDEX_ENDING))?;
        let path = |folder| segment::path(folder, month, archive::ENDING);
        atomic::move_unsynced(&path(new), &path(old))?;
    }
    atomic::sync_folder(old)
}

fn place_journal(workshop: &Path, old: &Path) -> Result<(), Fault> {
    let new = workshop.join("journal");
    if !new.join(NEW).exists() {
        return Ok(()); // it is in place already
    }
    // In one step where the file system can do that; else a reader may for a moment find no journal.
    if renameat_with(CWD, &new, CWD, old, RenameFlags::EXCHANGE).is_ok() {
        return Ok(());
    }
    if old.exists() {
        atomic::move_unsynced(old, &workshop.join("old"))?;
    }
    atomic::move_unsynced(&new, old)
}

/// A file that is written from its beginning and synced at its end.
struct Copy {
    path: PathBuf,
    file: File,
}

impl Copy {
    fn begin(path: PathBuf) -> Result<Self, Fault> {
        let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let file = opened.map_err(|error| Fault::io("make", &path, &error))?;
        Ok(Self { path, file })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.file.write_all(bytes).map_err(|error| Fault::io("write", &self.path, &error))
    }

    fn finish(self) -> Result<(), Fault> {
        self.file.sync_all().map_err(|error| Fault::io("sync", &self.path, &error))
    }
}

fn remove(file: &Path) -> Result<(), Fault> {
    gone(file, fs::remove_file(file))
}

fn remove_all(folder: &Path) -> Result<(), Fault> {
    gone(folder, fs::remove_dir_all(folder))
}

fn gone(path: &Path, removed: io::Result<()>) -> Result<(), Fault> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Fault::io("remove", path, &error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Shelf, Store as _, files::FileStore, transaction::Cause};

    fn transaction(seq: u64, words: &str) -> Transaction {
        let at = DateTime::from_timestamp_secs(1_546_300_800 + 86_400 * 20 * seq.cast_signed());
        let cause = Cause::Director { by: "Pat".into(), words: words.into(), mail: None };
        let at = at.expect("an instant");
        Transaction { seq, at, cause, events: Vec::new(), letters: Vec::new() }
    }

    /// A store of six transactions and six mails over several months.
    fn home() -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        let mut store = FileStore::open(home.path()).unwrap();
        store.catch_up(&mut |_| ()).unwrap();
        for seq in 1..=6 {
            let transaction = transaction(seq, &format!("secret {seq}"));
            let bytes = mail(seq);
            store.keep(Shelf::Mail, transaction.at, Digest::of(&bytes), &bytes).unwrap();
            store.append(&transaction).unwrap();
            store.commit().unwrap();
        }
        home
    }

    fn mail(seq: u64) -> Vec<u8> {
        format!("Subject: {seq}\n\nsecret words\nFrom here on {seq}\n").into_bytes()
    }

    fn words(home: &Path) -> Vec<String> {
        let mut words = Vec::new();
        let mut store = FileStore::read_only(home).unwrap();
        let mut each = |t: &Transaction| match &t.cause {
            Cause::Director { words: w, .. } => words.push(w.clone()),
            _ => unreachable!("there are only orders"),
        };
        store.catch_up(&mut each).unwrap();
        words
    }

    fn erased() -> BTreeSet<Digest> {
        [2, 3, 6].into_iter().map(|seq| Digest::of(&mail(seq))).collect()
    }

    fn with_rewriting<T>(erase: &BTreeSet<Digest>, work: impl FnOnce(&Rewriting<'_>) -> T) -> T {
        let redact = |old: &Transaction| Ok(transaction(old.seq, "hidden"));
        let record = |seq, was: String| transaction(seq, &was);
        let at = transaction(7, "").at;
        work(&Rewriting { redact: &redact, record: &record, erase, at, meanwhile: &|| Ok(()) })
    }

    #[track_caller]
    fn is_rewritten(home: &Path) {
        let words = words(home);
        assert_eq!(words[..6], ["hidden"; 6]);
        assert_eq!((words.len(), words[6].len()), (7, 8), "the old head is named: {words:?}");
        let count = FileStore::verify(home).unwrap();
        assert_eq!((count.archive.messages, count.archive.erased), (3, 3));
        let mut store = FileStore::open(home).unwrap();
        for seq in 1..=6 {
            let kept = store.fetch(Digest::of(&mail(seq))).unwrap();
            assert_eq!(kept, (![2, 3, 6].contains(&seq)).then(|| mail(seq)), "{seq}");
        }
        assert!(!home.join("store").join(WORKSHOP).exists());
        assert!(!home.join("store/journal").join(NEW).exists());
    }

    #[test]
    fn it_is_written_anew_and_verifies_and_can_be_done_twice() {
        let home = home();
        let rewrite = |erase: &BTreeSet<Digest>| {
            with_rewriting(erase, |rewriting| {
                FileStore::open(home.path()).unwrap().rewrite(rewriting).unwrap();
            });
        };
        rewrite(&erased());
        is_rewritten(home.path());
        rewrite(&BTreeSet::new());
        assert_eq!(words(home.path()).len(), 8);
        assert_eq!(FileStore::verify(home.path()).unwrap().archive.erased, 3);
    }

    #[test]
    fn what_is_not_ready_is_thrown_away() {
        let home = home();
        let (store, erase) = (home.path().join("store"), erased());
        with_rewriting(&erase, |r| r.stage(&store, &store.join(WORKSHOP))).unwrap();
        drop(FileStore::open(home.path()).unwrap());
        assert!(!store.join(WORKSHOP).exists());
        assert_eq!(words(home.path())[0], "secret 1");
        assert_eq!(FileStore::verify(home.path()).unwrap().archive.messages, 6);
    }

    #[test]
    fn what_is_ready_is_finished_from_wherever_it_was_broken_off() {
        let erase = erased();
        for steps in 0..=3 {
            let home = home();
            let store = home.path().join("store");
            let workshop = store.join(WORKSHOP);
            with_rewriting(&erase, |r| r.stage(&store, &workshop)).unwrap();
            atomic::write(&workshop.join(READY), b"").unwrap();
            if steps >= 1 {
                place_archive(&workshop.join("archive"), &store.join("archive")).unwrap();
                assert_eq!(FileStore::verify(home.path()).unwrap().archive.erased, 3);
            }
            if steps >= 2 {
                place_journal(&workshop, &store.join("journal")).unwrap();
            }
            if steps >= 3 {
                remove(&workshop.join(READY)).unwrap();
            }
            drop(FileStore::open(home.path()).unwrap());
            is_rewritten(home.path());
        }
    }
}
