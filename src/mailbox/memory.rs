//! The mailbox in memory: for tests, rehearsals and the simulation. Its mails outlive it, as those on a server do.

use super::{Arrival, Mailbox, Waiting};
use crate::{
    fault::Fault,
    mishap::{self, Mishap, Mishaps},
};
use chrono::{DateTime, Utc};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A mailbox in memory. A clone is another look into the same one.
#[derive(Clone, Debug, Default)]
pub struct MemoryMailbox(Arc<Mutex<Contents>>);

#[derive(Debug, Default)]
struct Contents {
    /// The mails that wait, by their keys.
    mails: BTreeMap<String, Mail>,
    received: usize,
    filed: usize,
    left: usize,
    mishaps: Mishaps,
}

#[derive(Debug)]
struct Mail {
    stamped: Option<DateTime<Utc>>,
    suspect: bool,
    /// Whether it was left where it is: it waits no more.
    left: bool,
    bytes: Vec<u8>,
}

impl MemoryMailbox {
    /// Puts a mail in, behind those that wait; its key is its number.
    pub fn receive(&self, stamped: Option<DateTime<Utc>>, bytes: impl Into<Vec<u8>>) {
        self.put(Mail { stamped, suspect: false, left: false, bytes: bytes.into() });
    }

    /// Puts a mail in that is taken for spam.
    pub fn suspect(&self, stamped: Option<DateTime<Utc>>, bytes: impl Into<Vec<u8>>) {
        self.put(Mail { stamped, suspect: true, left: false, bytes: bytes.into() });
    }

    fn put(&self, mail: Mail) {
        let mut contents = self.contents();
        contents.received += 1;
        let key = format!("m{:08}", contents.received);
        contents.mails.insert(key, mail);
    }

    /// Lets the n-th call fail.
    pub fn fail_at(&self, call: u64) {
        self.contents().mishaps.fail_at(call);
    }

    /// Lets the program die in the n-th call; of several mails that are filed away, half are then.
    pub fn crash_at(&self, call: u64) {
        self.contents().mishaps.crash_at(call);
    }

    /// Returns how many calls there were.
    pub fn calls(&self) -> u64 {
        self.contents().mishaps.calls()
    }

    /// Returns how many mails were filed away.
    pub fn filed(&self) -> usize {
        self.contents().filed
    }

    /// Returns how many suspects were left where they are.
    pub fn left(&self) -> usize {
        self.contents().left
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call; in a crash, `halfway` is what was done before it.
    fn call(
        &self,
        name: &str,
        halfway: impl FnOnce(&mut Contents),
    ) -> Result<MutexGuard<'_, Contents>, Fault> {
        let mut contents = self.contents();
        match contents.mishaps.count() {
            None => Ok(contents),
            Some(Mishap::Failure) => Err(mishap::failure(name)),
            Some(Mishap::Crash) => {
                halfway(&mut contents);
                drop(contents);
                mishap::crash()
            }
        }
    }
}

impl Contents {
    fn file(&mut self, arrivals: &[Arrival]) {
        for arrival in arrivals {
            self.filed += usize::from(self.mails.remove(&arrival.key).is_some());
        }
    }
}

impl Mailbox for MemoryMailbox {
    fn waiting(&mut self) -> Result<Waiting, Fault> {
        let contents = self.call("waiting", |_| ())?;
        let arrival = |(key, mail): (&String, &Mail)| Arrival {
            key: key.clone(),
            stamped: mail.stamped,
            suspect: mail.suspect,
        };
        let waiting = contents.mails.iter().filter(|(_, mail)| !mail.left);
        let mut arrivals: Vec<_> = waiting.map(arrival).collect();
        arrivals.sort_by_key(|arrival| (arrival.stamped.is_none(), arrival.stamped));
        Ok(Waiting { arrivals, ..Waiting::default() })
    }

    fn fetch(&mut self, arrival: &Arrival) -> Result<Option<Vec<u8>>, Fault> {
        let contents = self.call("fetch", |_| ())?;
        Ok(contents.mails.get(&arrival.key).map(|mail| mail.bytes.clone()))
    }

    fn file_away(&mut self, arrivals: &[Arrival]) -> Result<(), Fault> {
        let half = &arrivals[..arrivals.len() / 2];
        self.call("file_away", |contents| contents.file(half))?.file(arrivals);
        Ok(())
    }

    fn leave(&mut self, arrivals: &[Arrival]) -> Result<(), Fault> {
        let mut contents = self.call("leave", |_| ())?;
        for arrival in arrivals {
            if let Some(mail) = contents.mails.get_mut(&arrival.key) {
                mail.left = true;
            }
        }
        contents.left += arrivals.len();
        Ok(())
    }
}
