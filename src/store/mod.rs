//! The store: the journal is the truth, the archive holds the bytes, the views are for people (see `journal.rs`,
//! `archive.rs`, `views.rs`). The office knows it only by the trait below.

pub mod archive;
pub mod atomic;
pub mod files;
pub mod journal;
mod line;
mod mbox;
pub mod memory;
mod replay;
pub mod rewriting;
mod segment;
pub mod transaction;
pub mod vitals;

use crate::{digest::Digest, fault::Fault};
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;
use transaction::Transaction;

/// How often each mail was begun and not finished: what is in hand when the program dies.
pub type InHand = BTreeMap<Digest, u32>;

/// Which folder of the archive bytes belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shelf {
    /// Mails as they were received.
    Mail,
    /// Letters as they are sent.
    Letters,
}

/// What the office needs of a store.
///
/// Writing happens between `begin` and `end`, so that others may write in between; a store that was just opened for
/// writing has begun. `keep` and `append` may be held back; they are true when `commit` has answered. After an error
/// of these nothing more is taken before `begin` and `catch_up` (or before the store is opened anew): what the store
/// holds then is what became true.
pub trait Store {
    /// Begins to write: waits for whoever writes, and puts right what he left if he died. What was kept and appended
    /// and not committed is forgotten. `catch_up` comes next, before anything is appended. To begin twice is no error.
    ///
    /// # Errors
    /// A fault of the disk, or somebody else does not come to an end.
    fn begin(&mut self) -> Result<(), Fault>;

    /// Ends writing: others may. What was not committed is forgotten.
    ///
    /// # Errors
    /// A fault of the disk.
    fn end(&mut self) -> Result<(), Fault>;

    /// Hands over, in order, all transactions that came since the last call (at first: all there are). Others may
    /// have written between two passes.
    ///
    /// # Errors
    /// A fault of the disk, or damage: a line that does not verify.
    fn catch_up(&mut self, each: &mut dyn FnMut(&Transaction)) -> Result<(), Fault>;

    /// Hands over, in order, all transactions from the first one on that were committed. What `catch_up` hands over next
    /// stays the same.
    ///
    /// # Errors
    /// A fault of the disk, or damage: a line that does not verify.
    fn replay(&mut self, each: &mut dyn FnMut(&Transaction)) -> Result<(), Fault>;

    /// Puts bytes into the archive under their digest.
    ///
    /// # Errors
    /// A fault of the disk.
    fn keep(
        &mut self,
        shelf: Shelf,
        at: DateTime<Utc>,
        digest: Digest,
        bytes: &[u8],
    ) -> Result<(), Fault>;

    /// Puts a transaction behind the last one. The store numbers nothing: `seq` must be the next number.
    ///
    /// # Errors
    /// A fault of the disk.
    fn append(&mut self, transaction: &Transaction) -> Result<(), Fault>;

    /// Makes true what was kept and appended, archive first: one sync each at most.
    ///
    /// # Errors
    /// A fault of the disk; nothing of the batch may be relied on then.
    fn commit(&mut self) -> Result<(), Fault>;

    /// Returns archived bytes; none where the archive does not have them.
    ///
    /// # Errors
    /// A fault of the disk, or damage: bytes that do not have their digest.
    fn fetch(&mut self, digest: Digest) -> Result<Option<Vec<u8>>, Fault>;

    /// Returns what was in hand when it was last written down.
    ///
    /// # Errors
    /// A fault of the disk.
    fn in_hand(&mut self) -> Result<InHand, Fault>;

    /// Writes down what is in hand. It must outlive the process, not the power: it is not synced.
    ///
    /// # Errors
    /// A fault of the disk.
    fn set_in_hand(&mut self, in_hand: &InHand) -> Result<(), Fault>;

    /// Returns the status that was last written; none where none was. It is derived: losing it loses nothing.
    fn read_status(&mut self) -> Option<String> {
        None
    }

    /// Writes the status.
    ///
    /// # Errors
    /// A fault of the disk.
    fn write_status(&mut self, _text: &str) -> Result<(), Fault> {
        Ok(())
    }

    /// Tells whether there is any use in writing views here; only a store in memory may do without.
    fn keeps_views(&self) -> bool {
        true
    }

    /// Tells whether a view is there, so that views which somebody deleted come back.
    fn has_view(&mut self, name: &str) -> bool;

    /// Writes a view, where its text has changed. Views are derived: losing them loses nothing.
    ///
    /// # Errors
    /// A fault of the disk.
    fn write_view(&mut self, name: &str, text: &str) -> Result<(), Fault>;
}
