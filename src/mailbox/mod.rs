//! The mailbox: where mail is fetched. The office knows it only by the trait below.

pub mod imap;
pub mod maildir;
pub mod mbox;
pub mod memory;
pub mod pause;
pub mod pop3;
pub mod several;
pub mod spool;
mod trouble;

use crate::fault::Fault;
use chrono::{DateTime, Utc};

/// A mail that waits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// The mailbox's own name for it: stable while it waits and after it was filed away.
    pub key: String,
    /// When the mailbox took it in, where it knows.
    pub stamped: Option<DateTime<Utc>>,
    /// Whether the server takes it for spam: it counts only where a person whom the books know wrote it.
    pub suspect: bool,
}

/// What a look into a mailbox finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// The mails that wait, the oldest first.
    pub arrivals: Vec<Arrival>,
    /// What could not be looked into: a folder that is not there, one server of several. It hides nothing else.
    pub troubles: Vec<Fault>,
    /// Whether a server was out of reach: nothing can be said of what waits there.
    pub deaf: bool,
}

/// How an inbox was found at the last look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The inbox, as the operator knows it: `knights@imap.example.org`.
    pub inbox: String,
    /// Why it is out of reach; none: it was read.
    pub trouble: Option<String>,
}

/// What the office needs of a mailbox. Looking changes nothing: no flag is set before `file_away` or `leave`.
pub trait Mailbox {
    /// Looks for mails that wait.
    ///
    /// # Errors
    /// The mailbox is out of reach.
    fn waiting(&mut self) -> Result<Waiting, Fault>;

    /// Tells how each inbox was found at the last look; nothing where there is only one, whose state `waiting` tells.
    fn looks(&self) -> Vec<Look> {
        Vec::new()
    }

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

    /// Leaves suspects that are nobody's where they are, as they are; they do not wait any more. A mailbox that suspects
    /// nothing has none to leave.
    ///
    /// # Errors
    /// The mailbox is out of reach; the mails wait on and are known again by their digests.
    fn leave(&mut self, _arrivals: &[Arrival]) -> Result<(), Fault> {
        Ok(())
    }
}
