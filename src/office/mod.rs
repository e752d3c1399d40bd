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
mod deliveries;
mod intake;
mod views;
mod weighing;

use crate::{
    clock::Clock,
    digest::Digest,
    domain::{
        command::{Command, Moment},
        decide::decide,
        docket::About,
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
    store::{
        Shelf, Store,
        transaction::{Cause, LetterRecord, Transaction},
    },
    transport::Transport,
};
use books::Books;
use chrono::{DateTime, Utc};
pub use deliveries::on_paper;
use std::collections::BTreeMap;

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
    /// How many answers one address gets in a day.
    pub answers_a_day: u32,
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
    /// What time it is.
    pub clock: Box<dyn Clock>,
    /// Called between two batches of a long pass: the program is at work and not stuck.
    pub pulse: Box<dyn Fn()>,
}

/// Reads a mail; replaced only by tests that need a reading to fail.
pub type Reader = fn(&[u8], Option<DateTime<Utc>>, &mail::Desk<'_>) -> Understanding;

/// The office.
pub struct Office {
    standing: Standing,
    doors: Doors,
    books: Books,
    reader: Reader,
    views_written: u64,
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
    /// Troubles that did not stop it, a sentence each: a mailbox out of reach, a mail that cannot be fetched.
    pub troubles: Vec<String>,
}

impl Office {
    /// Opens an office; the books are read at the first pass.
    pub fn open(standing: Standing, doors: Doors) -> Self {
        let books = Books::default();
        Self { standing, doors, books, reader: mail::read, views_written: 0 }
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
            pass.troubles.extend(office.write_views().err().map(|fault| fault.to_string()));
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
            let cause = Cause::Director { by, words: words.to_owned() };
            let events = office.transact(cause, commands, None, announce)?;
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
            let command = Command::Tick { job, slot };
            self.transact(Cause::Tick { job, slot }, &[command], None, Announce::Yes)?;
            self.doors.store.commit()?;
            pass.jobs += 1;
        }
        Ok(())
    }

    /// Decides commands one after the other, writes the letters that follow, and appends it all as one transaction.
    /// It is true only after the store's next commit.
    fn transact(
        &mut self,
        cause: Cause,
        commands: &[Command],
        thread: Option<&Thread>,
        announce: Announce,
    ) -> Result<Vec<Event>, Fault> {
        let now = self.moment();
        let mut events = Vec::new();
        for command in commands {
            self.decide(now, command, &mut events);
        }
        let mut letters = Vec::new();
        if announce == Announce::Yes {
            for notice in tell::notices(&self.books.state, &events) {
                self.write(&notice, thread, now, &mut letters, &mut events)?;
            }
        }
        let empty = events.is_empty() && letters.is_empty();
        if empty && matches!(cause, Cause::Director { .. }) {
            return Ok(events);
        }
        let seq = self.books.transactions + 1;
        let transaction = Transaction { seq, at: now.at, cause, events, letters };
        self.doors.store.append(&transaction)?;
        self.books.enter(&transaction, &self.standing.house);
        Ok(transaction.events)
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
                });
            }
            Err(unwritable) => {
                let name = notice.facts.name();
                let evidence = format!("The letter {name} could not be written: {unwritable}.");
                let about = About { letter: None, ..notice.about.clone() };
                self.decide(now, &Command::NoteUndelivered { about, evidence }, events);
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
    /// They are not: it is about the past, and they knew it.
    No,
}
