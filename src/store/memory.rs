//! The store in memory: for tests, rehearsals and the simulation. Its contents outlive the store, so that an office can
//! be dropped at any call and another opened over what had become true. Lines are kept as the text of the journal, so
//! that what cannot be read back from a file cannot be read back here.

use super::{InHand, Shelf, Store, transaction::Transaction};
use crate::{
    digest::Digest,
    fault::Fault,
    mishap::{self, Mishap, Mishaps},
};
use chrono::{DateTime, Utc};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A store in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    contents: Arc<Mutex<Contents>>,
    /// How many lines were handed over or written by us.
    seen: usize,
    kept: Vec<(Digest, Vec<u8>)>,
    lines: Vec<String>,
    /// Whether views are dropped as soon as they are written: nobody looks at them.
    no_views: bool,
}

/// What outlives a store.
#[derive(Debug, Default)]
struct Contents {
    archive: BTreeMap<Digest, Vec<u8>>,
    journal: Vec<String>,
    in_hand: InHand,
    views: BTreeMap<String, String>,
    mishaps: Mishaps,
    cut: CommitCut,
    syncs: u64,
}

/// How far a commit came in which the program died.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CommitCut {
    /// Nothing became true.
    #[default]
    Nothing,
    /// The archive has the bytes, the journal has no line.
    ArchiveOnly,
    /// Everything became true, and the caller never heard of it.
    Everything,
}

impl CommitCut {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Nothing, Self::ArchiveOnly, Self::Everything];
}

impl MemoryStore {
    /// Opens the same contents anew, as another process or the next one would: only what became true is there.
    #[must_use]
    pub fn reopen(&self) -> Self {
        let contents = Arc::clone(&self.contents);
        Self { contents, no_views: self.no_views, ..Self::default() }
    }

    /// Returns a store that keeps no views.
    pub fn without_views() -> Self {
        Self { no_views: true, ..Self::default() }
    }

    /// Returns how many lines the journal has.
    pub fn journal_length(&self) -> usize {
        self.contents().journal.len()
    }

    /// Returns the lines of the journal behind the first `seen`.
    pub fn journal_from(&self, seen: usize) -> Vec<String> {
        self.contents().journal.get(seen..).unwrap_or_default().to_vec()
    }

    /// Lets the n-th call from the making of the contents fail.
    pub fn fail_at(&self, call: u64) {
        self.contents().mishaps.fail_at(call);
    }

    /// Lets the program die in the n-th call; where that is a `commit`, it came as far as `cut`.
    pub fn crash_at(&self, call: u64, cut: CommitCut) {
        let mut contents = self.contents();
        contents.mishaps.crash_at(call);
        contents.cut = cut;
    }

    /// Returns how many calls there were.
    pub fn calls(&self) -> u64 {
        self.contents().mishaps.calls()
    }

    /// Returns how many syncs a store in files would have made.
    pub fn syncs(&self) -> u64 {
        self.contents().syncs
    }

    /// Returns a view; none where it was never written.
    pub fn view(&self, name: &str) -> Option<String> {
        self.contents().views.get(name).cloned()
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call other than `commit` and lets happen what is due.
    fn call(&self, name: &str) -> Result<MutexGuard<'_, Contents>, Fault> {
        let mut contents = self.contents();
        match contents.mishaps.count() {
            None => Ok(contents),
            Some(Mishap::Failure) => Err(mishap::failure(name)),
            Some(Mishap::Crash) => {
                drop(contents);
                mishap::crash()
            }
        }
    }

    fn make_true(&mut self, cut: CommitCut) {
        let (kept, lines) = (std::mem::take(&mut self.kept), std::mem::take(&mut self.lines));
        let mut contents = self.contents();
        if cut == CommitCut::Nothing {
            return;
        }
        contents.syncs += u64::from(!kept.is_empty()) + u64::from(!lines.is_empty());
        contents.archive.extend(kept);
        if cut == CommitCut::Everything {
            contents.journal.extend(lines);
            let seen = contents.journal.len();
            drop(contents);
            self.seen = seen;
        }
    }

    fn forget(&mut self) {
        self.kept.clear();
        self.lines.clear();
    }
}

impl Store for MemoryStore {
    fn begin(&mut self) -> Result<(), Fault> {
        self.forget();
        self.call("begin").map(drop)
    }

    fn end(&mut self) -> Result<(), Fault> {
        self.forget();
        self.call("end").map(drop)
    }

    fn catch_up(&mut self, each: &mut dyn FnMut(&Transaction)) -> Result<(), Fault> {
        let lines = self.call("catch_up")?.journal[self.seen..].to_vec();
        for line in lines {
            let transaction = serde_json::from_str(&line)
                .map_err(|error| Fault::damage(format!("{error}: {line}"), "mend the code"))?;
            self.seen += 1;
            each(&transaction);
        }
        Ok(())
    }

    fn replay(&mut self, each: &mut dyn FnMut(&Transaction)) -> Result<(), Fault> {
        drop(self.call("replay")?);
        self.reopen().catch_up(each)
    }

    fn keep(
        &mut self,
        _: Shelf,
        _: DateTime<Utc>,
        digest: Digest,
        bytes: &[u8],
    ) -> Result<(), Fault> {
        drop(self.call("keep")?);
        self.kept.push((digest, bytes.to_vec()));
        Ok(())
    }

    fn append(&mut self, transaction: &Transaction) -> Result<(), Fault> {
        let there = self.call("append")?.journal.len();
        let (seq, last) = (transaction.seq, self.seen + self.lines.len());
        if there != self.seen || seq != last as u64 + 1 {
            return Err(Fault::passing(
                format!("transaction {seq} does not follow the last one read, {last}"),
                "read the journal to its end first; nothing was written",
            ));
        }
        let line = serde_json::to_string(transaction);
        self.lines.push(line.expect("a transaction has text keys only"));
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Fault> {
        let mut contents = self.contents();
        let (mishap, cut) = (contents.mishaps.count(), contents.cut);
        drop(contents);
        match mishap {
            None => self.make_true(CommitCut::Everything),
            Some(Mishap::Failure) => {
                self.forget();
                return Err(mishap::failure("commit"));
            }
            Some(Mishap::Crash) => {
                self.make_true(cut);
                mishap::crash();
            }
        }
        Ok(())
    }

    fn fetch(&mut self, digest: Digest) -> Result<Option<Vec<u8>>, Fault> {
        let kept = self.kept.iter().find(|(kept, _)| *kept == digest);
        let there = self.call("fetch")?.archive.get(&digest).cloned();
        Ok(there.or_else(|| kept.map(|(_, bytes)| bytes.clone())))
    }

    fn in_hand(&mut self) -> Result<InHand, Fault> {
        Ok(self.call("in_hand")?.in_hand.clone())
    }

    fn set_in_hand(&mut self, in_hand: &InHand) -> Result<(), Fault> {
        self.call("set_in_hand")?.in_hand.clone_from(in_hand);
        Ok(())
    }

    fn keeps_views(&self) -> bool {
        !self.no_views
    }

    fn has_view(&mut self, name: &str) -> bool {
        self.contents().views.contains_key(name)
    }

    fn write_view(&mut self, name: &str, text: &str) -> Result<(), Fault> {
        self.call("write_view")?.views.insert(name.to_owned(), text.to_owned());
        Ok(())
    }
}
