//! The spool: where `knightmail deliver` lays the mails that a mail server hands over, until a pass has taken them in. A
//! mail is removed when it is filed away: by then the archive has it. The spool is read in every home, whatever other
//! mailboxes there are.

use super::{Arrival, Mailbox, Waiting, maildir::Maildir};
use crate::fault::Fault;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Where it is in a home; a Maildir.
pub const FOLDER: &str = "mail/pipe";

/// The spool of a home.
#[derive(Debug)]
pub struct Spool {
    root: PathBuf,
    mails: Maildir,
}

impl Spool {
    /// Names the spool of a home; looks at nothing yet.
    pub fn of(home: &Path) -> Self {
        let root = home.join(FOLDER);
        Self { mails: Maildir::new(&root), root }
    }
}

impl Mailbox for Spool {
    fn waiting(&mut self) -> Result<Waiting, Fault> {
        // It is made by the first delivery.
        if self.root.join("new").is_dir() { self.mails.waiting() } else { Ok(Waiting::default()) }
    }

    fn fetch(&mut self, arrival: &Arrival) -> Result<Option<Vec<u8>>, Fault> {
        self.mails.fetch(arrival)
    }

    fn file_away(&mut self, arrivals: &[Arrival]) -> Result<(), Fault> {
        for arrival in arrivals {
            let path = self.root.join("new").join(&arrival.key);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Fault::io("remove the mail", &path, &error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
