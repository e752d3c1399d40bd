//! The mailbox: where mail is fetched. The office knows it only by the trait below.

pub mod maildir;
pub mod mbox;
pub mod memory;

use crate::fault::Fault;
use chrono::{DateTime, Utc};

/// A mail that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The mailbox's own name for it: stable while it waits and after it was filed away.
    pub key: String,
    /// When the mailbox took it in, where it knows.
    pub stamped: Option<DateTime<Utc>>,
}

/// What the office needs of a mailbox. Looking changes nothing: no flag is set before `file_away`.
pub trait Mailbox {
    /// Returns the mails that wait, the oldest first.
    ///
    /// # Errors
    /// The mailbox is out of reach.
    fn waiting(&mut self) -> Result<Vec<Arrival>, Fault>;

    /// Returns the bytes of a mail; none where it has gone in the meantime.
    ///
    /// # Errors
    /// The mail cannot be read now.
    fn fetch(&mut self, arrival: &Arrival) -> Result<Option<Vec<u8>>, Fault>;

    /// Marks mails as seen to, so that they do not wait any more.
    ///
    /// # Errors
    /// The mailbox is out of reach; the mails wait on and are known again by their digests.
    fn file_away(&mut self, arrivals: &[Arrival]) -> Result<(), Fault>;
}
