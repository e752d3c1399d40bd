//! The office: the one object that ties the parts together, and the order of its work. It decides nothing itself; it
//! sees to it that every mail is kept before it is read, that events and letters become true in one commit, and that
//! nothing is marked as seen to before that.
//!
//! A crash at any point repeats only harmless work. After a store fault the office is thrown away and opened anew:
//! the books in memory may be ahead of the journal, and the journal is right.

pub mod accounts;
mod acting;
pub mod agenda;
mod asking;
pub mod books;
mod caps;
mod deliveries;
pub mod forgetting;
pub mod harm;
mod intake;
mod log;
pub mod orders;
mod paper;
mod post;
pub mod status;
mod tally;
mod views;
mod weighing;
pub mod words;

use crate::{
    clock::Clock,
    config::answers::Caps,
    digest::Digest,
    domain::{
        command::{Command, Moment},
        decide::decide,
        event::{Event, Job},
        ids::LetterId,
        notice::{Notice, NoticeName},
        tell,
        tournament::Rules,
    },
    fault::Fault,
    house::House,
    mail::{self, understanding::Understanding},
    mailbox::Mailbox,
    notices::{self, Thread, render::Templates},
    schedule::Schedule,
    signatures::Signatures,
    store::{
        Shelf, Store,
        transaction::{Cause, LetterRecord, Transaction},
    },
    transport::Transport,
};
use books::Books;
use chrono::{DateTime, Duration, Utc};
pub use deliveries::on_paper;
use status::Status;
use std::{collections::BTreeMap, ops::ControlFlow};

/// What an office goes by: who we are, the tournaments, the schedule, the words.
pub struct Standing {
    /// Who we are.
    pub house: House,
    /// The tournaments.
    pub rules: Rules,
    /// When each job is due.
    pub jobs: BTreeMap<Job, Schedule>,
    /// The words of the letters.
    pub templates: Templates,
    /// How many answers are given in a day.
    pub caps: Caps,
    /// How long letters that follow from an act of the director wait so that it can be taken back; zero: not at all.
    pub undo: Duration,
}

/// The doors to the outside.
pub struct Doors {
    /// Where mail is fetched.
    pub mailbox: Box<dyn Mailbox>,
    /// How letters leave.
    pub transport: Box<dyn Transport>,
    /// How letters on paper leave.
    pub paper: Box<dyn Transport>,
    /// Where the books are kept.
    pub store: Box<dyn Store>,
    /// Which domains have signed a mail.
    pub signatures: Box<dyn Signatures>,
    /// What time it is.
    pub clock: Box<dyn Clock>,
    /// Called between two batches of a long pass.
    pub pulse: Pulse,
}

/// Hears between two batches what a pass has done so far, so that the program is seen to be at work and not stuck.
/// With `Break` the pass comes to its end there; what is left waits for the next one.
pub type Pulse = Box<dyn Fn(&Pass) -> ControlFlow<()>>;

/// Reads a mail; replaced only by tests that need a reading to fail.
pub type Reader = fn(&[u8], Option<DateTime<Utc>>, &mail::Desk<'_>) -> Understanding;

/// The office.
pub struct Office {
    standing: Standing,
    doors: Doors,
    books: Books,
    reader: Reader,
    rest: deliveries::Rest,
    views_written: u64,
    /// How the program has fared; none: not read yet.
    status: Option<Status>,
}

/// What a pass did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pass {
    /// Mails that were dealt with.
    pub mails: usize,
    /// Jobs whose slot had passed.
    pub jobs: usize,
    /// Letters that left.
    pub delivered: usize,
    /// Letters that were refused for good.
    pub refused: usize,
    /// Troubles that did not stop it, a sentence each: a mailbox out of reach, a mail that cannot be fetched.
    pub troubles: Vec<String>,
    /// Letters that were put off, a sentence each. They are tried again by themselves; nobody needs to do anything.
    pub put_off: Vec<String>,
    /// The mailbox was out of reach: nothing can be said of what waits there.
    pub deaf: bool,
    /// The pulse said to end it: not everything was done.
    pub ended_early: bool,
}

impl Office {
    /// Opens an office; the books are read at the first pass.
    pub fn open(standing: Standing, doors: Doors) -> Self {
        let books = Books::default();
        let rest = deliveries::Rest::default();
        let status = None;
        Self { standing, doors, books, reader: mail::read, rest, views_written: 0, status }
    }

    /// Puts another reader in the place of [`mail::read`].
    #[must_use]
    pub fn with_reader(self, reader: Reader) -> Self {
        Self { reader, ..self }
    }

    /// Returns the books as the last pass left them.
    pub fn books(&self) -> &Books {
        &self.books
    }

    /// Does everything that is to be done now: mail in, due jobs, letters out, views.
    ///
    /// # Errors
    /// A fault of the store, or a mail that broke the program; the office must be opened anew.
    pub fn pass(&mut self) -> Result<Pass, Fault> {
        self.locked(|office| {
            office.open_books()?;
            let mut pass = Pass::default();
            office.take_in(&mut pass)?;
            office.do_jobs(&mut pass)?;
            office.deliver(&mut pass)?;
            // What failed is written at the next pass; nothing that matters depends on it.
            if !pass.ended_early {
                pass.troubles.extend(office.write_views().err().map(|fault| fault.to_string()));
            }
            let noted = office.note_status(&pass);
            pass.troubles.extend(noted.err().map(|fault| fault.to_string()));
            Ok(pass)
        })
    }

    /// Carries out the director's orders in one transaction. `announce`: whether players are told of what follows.
    /// Answers the events.
    ///
    /// # Errors
    /// A fault of the store; the office must be opened anew.
    pub fn direct(
        &mut self,
        words: &str,
        commands: &[Command],
        announce: Announce,
    ) -> Result<Vec<Event>, Fault> {
        let by = self.standing.house.director_name.clone();
        self.locked(|office| {
            let cause = Cause::Director { by, words: words.to_owned(), mail: None };
            let events = office.transact(cause, commands, None, announce)?.events;
            office.doors.store.commit()?;
            // The order is carried out, whatever becomes of the views; the next pass writes them.
            if let Err(fault) = office.write_views() {
                tracing::warn!("{fault}");
            }
            Ok(events)
        })
    }

    /// Reads what is new in the journal, without a lock and without changing anything.
    ///
    /// # Errors
    /// A fault of the store.
    pub fn catch_up(&mut self) -> Result<(), Fault> {
        let (books, house) = (&mut self.books, &self.standing.house);
        self.doors.store.catch_up(&mut |transaction| {
            books.follow(transaction, house);
        })
    }

    fn locked<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        self.doors.store.begin()?;
        let done = self.catch_up().and_then(|()| work(self));
        self.doors.store.end()?;
        done
    }

    fn moment(&self) -> Moment {
        let at = self.doors.clock.now();
        Moment { at, today: self.standing.house.day(at) }
    }

    /// Notes the first pass: slots are due from the day on which the first thing was entered, and none before.
    fn open_books(&mut self) -> Result<(), Fault> {
        if self.books.state.slots.is_empty() {
            let today = self.moment().today;
            let first = self.books.opened.map(|at| self.standing.house.day(at));
            let since = first.map_or(today, |first| first.min(today));
            let command = Command::OpenBooks { since };
            self.transact(Cause::OpenBooks, &[command], None, Announce::No)?;
            self.doors.store.commit()?;
        }
        Ok(())
    }

    fn do_jobs(&mut self, pass: &mut Pass) -> Result<(), Fault> {
        let (now, zone) = (self.doors.clock.now(), self.standing.house.zone);
        let due = |(job, schedule): (&Job, &Schedule)| {
            let after = self.books.state.slots.get(job)?;
            Some((*job, schedule.slots_between(*after, now, zone)?.0))
        };
        let due: Vec<_> = self.standing.jobs.iter().filter_map(due).collect();
        for (job, slot) in due {
            if pass.ended_early {
                break;
            }
            let command = Command::Tick { job, slot };
            self.transact(Cause::Tick { job, slot }, &[command], None, Announce::Yes)?;
            self.doors.store.commit()?;
            pass.jobs += 1;
            self.beat(pass);
        }
        Ok(())
    }

    /// Between two batches: shows what was done so far and hears whether that is enough for now.
    fn beat(&self, pass: &mut Pass) {
        pass.ended_early |= (self.doors.pulse)(pass).is_break();
    }

    /// Decides commands one after the other, writes the letters that follow, and appends it all as one transaction.
    /// It is true only after the store's next commit. An order of the director's from which nothing follows is not
    /// written down.
    fn transact(
        &mut self,
        cause: Cause,
        commands: &[Command],
        thread: Option<&Thread>,
        announce: Announce,
    ) -> Result<Transaction, Fault> {
        let now = self.moment();
        let mut events = Vec::new();
        for command in commands {
            self.decide(now, command, &mut events);
        }
        let mut letters = Vec::new();
        if announce != Announce::No {
            for notice in tell::notices(&self.books.state, &events) {
                self.write(&notice, thread, now, &mut letters, &mut events)?;
            }
        }
        if announce == Announce::AfterUndoTime && self.standing.undo > Duration::zero() {
            for letter in &mut letters {
                letter.not_before = Some(now.at + self.standing.undo);
            }
        }
        let empty = events.is_empty() && letters.is_empty();
        let seq = self.books.transactions + 1;
        let transaction = Transaction { seq, at: now.at, cause, events, letters };
        if empty && matches!(transaction.cause, Cause::Director { .. } | Cause::Program) {
            return Ok(transaction);
        }
        self.doors.store.append(&transaction)?;
        self.books.enter(&transaction, &self.standing.house);
        log::tell(&transaction);
        Ok(transaction)
    }

    fn decide(&mut self, now: Moment, command: &Command, events: &mut Vec<Event>) {
        let decided = decide(&self.standing.rules, &self.books.state, now, command);
        for event in &decided {
            self.books.apply(event);
        }
        events.extend(decided);
    }

    fn write(
        &mut self,
        notice: &Notice,
        thread: Option<&Thread>,
        now: Moment,
        letters: &mut Vec<LetterRecord>,
        events: &mut Vec<Event>,
    ) -> Result<(), Fault> {
        let number = LetterId(self.books.next_letter().0 + letters.len() as u64);
        let Standing { house, rules, templates, .. } = &self.standing;
        let state = &self.books.state;
        let is_summary = notice.facts.name() == NoticeName::DirectorSummary;
        let counts = is_summary.then(|| self.books.counts());
        let desk = notices::Desk { house, rules, state, templates, now: now.at, counts };
        match notices::letter::write(notice, number, thread, &desk) {
            Ok(letter) => {
                let digest = Digest::of(&letter.bytes);
                self.doors.store.keep(Shelf::Letters, now.at, digest, &letter.bytes)?;
                letters.push(LetterRecord {
                    letter: letter.letter,
                    notice: letter.notice,
                    to: letter.to,
                    about: letter.about,
                    subject: letter.subject,
                    message_id: letter.message_id,
                    digest,
                    not_before: None,
                });
            }
            Err(unwritable) => {
                let name = notice.facts.name();
                let command = post::unwritten(name, &notice.about, &unwritable.to_string());
                self.decide(now, &command, events);
            }
        }
        Ok(())
    }
}

/// Whether players are told of what follows from an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Announce {
    /// They are.
    Yes,
    /// They are when the undo time has passed and it was not taken back until then.
    AfterUndoTime,
    /// They are not: it is about the past, and they knew it.
    No,
}
