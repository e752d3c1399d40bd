//! The office under simulation, with everything around it that outlives it: the store, the mailbox and the transport in
//! memory, the simulated clock. After a mishap the office is opened anew over the same things, as a real one would be.

use super::{chance::Chance, clock::SimulatedClock};
use crate::{
    clock::Clock as _,
    config::answers::Caps,
    digest::Digest,
    domain::{command::Command, event::Job, state::State, tournament::Rules},
    fault::Fault,
    house::House,
    mailbox::memory::MemoryMailbox,
    notices::render::Templates,
    office::{Announce, Doors, Office, Standing},
    schedule::Schedule,
    signatures::NoSignatures,
    store::{
        Store as _,
        memory::{CommitCut, MemoryStore},
        transaction::Transaction,
    },
    transport::{Outgoing, memory::MemoryTransport},
};
use chrono::{DateTime, Duration, Utc};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// What a simulated championship goes by: the house and the tournament as their files have them.
#[derive(Clone, Debug)]
pub struct Venue {
    /// Who we are.
    pub house: House,
    /// The tournaments; one of them is played.
    pub rules: Rules,
    /// When each job is due.
    pub jobs: BTreeMap<Job, Schedule>,
    /// The words of the letters.
    pub templates: Templates,
    /// How many answers one address gets in a day.
    pub caps: Caps,
    /// How long letters that follow from an act of the director wait.
    pub undo: Duration,
}

/// How often in a row an office is opened anew before it is given up.
const ATTEMPTS: usize = 8;

/// The office and what outlives it.
pub(super) struct Desk<'a> {
    venue: &'a Venue,
    store: MemoryStore,
    mailbox: MemoryMailbox,
    transport: MemoryTransport,
    pub(super) clock: SimulatedClock,
    office: Option<Office>,
    /// How many lines of the journal were handed over.
    seen: usize,
    /// How many mishaps there are in a hundred pieces of work, and which comes next.
    mishaps: u64,
    chance: Chance,
    /// How often the office was opened anew.
    pub(super) reopened: usize,
}

impl<'a> Desk<'a> {
    /// Opens an office at an instant. `mishaps`: how many in a hundred pieces of work are broken off.
    pub(super) fn open(venue: &'a Venue, now: DateTime<Utc>, mishaps: u64, seed: u64) -> Self {
        Self {
            venue,
            store: MemoryStore::without_views(),
            mailbox: MemoryMailbox::default(),
            transport: MemoryTransport::default(),
            clock: SimulatedClock::at(now),
            office: None,
            seen: 0,
            mishaps,
            chance: Chance::new(seed ^ 0xfeed),
            reopened: 0,
        }
    }

    fn office(&self) -> Office {
        let Venue { house, rules, jobs, templates, caps, undo } = self.venue;
        let standing = Standing {
            house: house.clone(),
            rules: rules.clone(),
            jobs: jobs.clone(),
            templates: templates.clone(),
            caps: *caps,
            undo: *undo,
        };
        let doors = Doors {
            mailbox: Box::new(self.mailbox.clone()),
            transport: Box::new(self.transport.clone()),
            paper: Box::new(self.transport.clone()),
            store: Box::new(self.store.reopen()),
            signatures: Box::new(NoSignatures),
            clock: Box::new(self.clock.clone()),
            pulse: Box::new(|_| std::ops::ControlFlow::Continue(())),
        };
        Office::open(standing, doors)
    }

    /// Returns the books as the last piece of work left them.
    pub(super) fn state(&self) -> &State {
        let office = self.office.as_ref().expect("it is opened before anybody looks into it");
        &office.books().state
    }

    /// Puts a mail into the mailbox.
    pub(super) fn receive(&self, stamped: DateTime<Utc>, bytes: Vec<u8>) {
        self.mailbox.receive(Some(stamped), bytes);
    }

    /// Lets an address refuse letters from now on, or take them again.
    pub(super) fn refuse(&self, address: &str) {
        use crate::store::transaction::DeliveryOutcome;
        let why = "550 5.1.1 no such user here".to_owned();
        self.transport.answer(address, DeliveryOutcome::Refused(why));
    }

    /// Makes a pass.
    ///
    /// # Errors
    /// What is wrong, in a sentence.
    pub(super) fn pass(&mut self) -> Result<(), String> {
        self.work(|office| office.pass().map(|pass| pass.troubles), || false).map(drop)
    }

    /// Carries out orders of the director.
    ///
    /// # Errors
    /// What is wrong, in a sentence.
    pub(super) fn direct(
        &mut self,
        words: &str,
        commands: &[Command],
        announce: Announce,
    ) -> Result<(), String> {
        let before = self.store.journal_length();
        let store = self.store.reopen();
        // Where the order had become true before the mishap, it is not given twice.
        let done = move || store.journal_length() > before;
        self.work(|office| office.direct(words, commands, announce).map(drop), done).map(drop)
    }

    fn work<T>(
        &mut self,
        work: impl Fn(&mut Office) -> Result<T, Fault>,
        done: impl Fn() -> bool,
    ) -> Result<Option<T>, String> {
        let mut last = String::new();
        // One mishap in a piece of work: a mail over which the program dies again and again is rightly parked.
        self.plan_mishap();
        for _ in 0..ATTEMPTS {
            let mut office = self.office.take().unwrap_or_else(|| self.office());
            match catch_unwind(AssertUnwindSafe(|| work(&mut office))) {
                Ok(Ok(result)) => {
                    self.office = Some(office);
                    return Ok(Some(result));
                }
                Ok(Err(fault)) => last = fault.to_string(),
                Err(_) => "the program was stopped in the middle of it".clone_into(&mut last),
            }
            self.reopened += 1;
            self.calm();
            let mut office = self.office();
            office.catch_up().map_err(|fault| fault.to_string())?;
            self.office = Some(office);
            if done() {
                return Ok(None);
            }
        }
        Err(format!("the office could not do its work in {ATTEMPTS} attempts: {last}"))
    }

    /// Lets one of the next calls of the store fail, or the program die in it.
    fn plan_mishap(&mut self) {
        if !self.chance.in_a_hundred(self.mishaps) {
            return;
        }
        let call = self.store.calls() + 1 + self.chance.below(12);
        if self.chance.in_a_hundred(50) {
            self.store.fail_at(call);
        } else {
            self.store.crash_at(call, *self.chance.pick(&CommitCut::ALL));
        }
    }

    /// Calls off the mishaps for good.
    pub(super) fn calm_down(&mut self) {
        self.mishaps = 0;
        self.calm();
    }

    /// Calls off what is planned and has not come.
    fn calm(&self) {
        self.store.fail_at(0);
        self.store.crash_at(0, CommitCut::Nothing);
    }

    /// Hands over the letters that were delivered since the last call.
    pub(super) fn delivered(&self) -> Vec<Outgoing> {
        self.transport.take()
    }

    /// Returns the bytes of a letter as the archive has them.
    pub(super) fn letter(&self, digest: Digest) -> Option<Vec<u8>> {
        self.store.reopen().fetch(digest).ok().flatten()
    }

    /// Reads the lines of the journal that are new, as the text that they are.
    ///
    /// # Errors
    /// A line that cannot be read back.
    pub(super) fn news(&mut self) -> Result<Vec<Transaction>, String> {
        let lines = self.store.journal_from(self.seen);
        self.seen += lines.len();
        let read = |line: &String| {
            serde_json::from_str(line)
                .map_err(|error| format!("a line of the journal cannot be read: {error}: {line}"))
        };
        lines.iter().map(read).collect()
    }

    /// Returns what the journal adds up to when it is read from its beginning.
    ///
    /// # Errors
    /// What is wrong, in a sentence.
    pub(super) fn replayed(&self) -> Result<State, String> {
        let mut office = self.office();
        office.catch_up().map_err(|fault| fault.to_string())?;
        Ok(office.books().state.clone())
    }

    /// Returns the present instant.
    pub(super) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }
}
