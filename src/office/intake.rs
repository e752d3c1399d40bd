//! Intake: from raw mail to transactions. The mail is in the archive before it is read, it is read before anything is
//! decided, and it is filed away only when all that is committed. What a reading is worth is weighed in `weighing.rs`.

use super::{Announce, Office, Pass, harm, tally};
use crate::{
    digest::Digest,
    domain::{
        command::{Command, HeldMail},
        event::{Correspondent, Trouble},
    },
    fault::Fault,
    limits,
    mail::{
        self,
        understanding::{Assurance, Class, Understanding},
    },
    mailbox::{Arrival, Look, Mailbox},
    notices::Thread,
    store::{
        InHand, Shelf,
        transaction::{Cause, MailCause, MailOutcome},
    },
};
use chrono::{DateTime, Utc};
use serde_json::value::{RawValue, to_raw_value};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tracing::warn;

/// A mail in hand.
pub(super) struct Mail {
    pub(super) arrival: Arrival,
    pub(super) digest: Digest,
    bytes: Vec<u8>,
}

/// The mails that wait, on their way into batches.
struct Queue {
    rest: std::vec::IntoIter<Arrival>,
    /// A mail that was fetched and belongs to the next batch.
    carried: Option<Mail>,
}

/// A mail that can be read by everybody.
const HARMLESS: &[u8] = b"From: Ann <ann@example.org>\nDate: Wed, 2 Jan 2019 09:00:00 -0600\nSubject: 19N01\n\n\
    Section: 19N01\nResult: 1-0\n\nPlease enter me in the 2019 Golden Knights. When does it begin?\n";

impl Office {
    /// Takes in every mail that waits, in batches that share their syncs.
    pub(super) fn take_in(&mut self, pass: &mut Pass) -> Result<(), Fault> {
        let waiting = self.doors.mailbox.waiting();
        let looks = looks(&*self.doors.mailbox, waiting.as_ref().err());
        self.note_looks(&looks)?;
        let waiting = match waiting {
            Ok(waiting) => waiting,
            Err(fault) => {
                pass.troubles.push(fault.to_string());
                pass.deaf = true;
                return Ok(());
            }
        };
        pass.deaf = waiting.deaf;
        pass.troubles.extend(waiting.troubles.iter().map(ToString::to_string));
        let died_with = self.doors.store.in_hand()?;
        if !died_with.is_empty() {
            self.warm_up();
        }
        let mut queue = Queue { rest: waiting.arrivals.into_iter(), carried: None };
        while !pass.ended_early {
            let batch = self.fetch_batch(&mut queue, &died_with, pass);
            if batch.is_empty() {
                break;
            }
            self.take_batch(&batch, &died_with, pass)?;
        }
        if !died_with.is_empty() || pass.mails > 0 {
            self.doors.store.set_in_hand(&InHand::new())?;
        }
        Ok(())
    }

    /// Fetches the next mails that may share a sync. A mail with which the program died before is taken by itself.
    fn fetch_batch(&mut self, queue: &mut Queue, died_with: &InHand, pass: &mut Pass) -> Vec<Mail> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while !pass.ended_early
            && let Some(mail) = self.fetch_next(queue, pass)
        {
            let suspect = died_with.contains_key(&mail.digest);
            if suspect && !batch.is_empty() {
                queue.carried = Some(mail);
                break;
            }
            bytes += mail.bytes.len();
            batch.push(mail);
            let full = batch.len() == limits::INTAKE_BATCH || bytes > limits::INTAKE_BATCH_BYTES;
            if suspect || full {
                break;
            }
        }
        batch
    }

    fn fetch_next(&mut self, queue: &mut Queue, pass: &mut Pass) -> Option<Mail> {
        if let Some(mail) = queue.carried.take() {
            return Some(mail);
        }
        for arrival in &mut queue.rest {
            let fetched = self.doors.mailbox.fetch(&arrival);
            // A server may take its time over each of them.
            self.beat(pass);
            match fetched {
                Ok(Some(bytes)) => {
                    let digest = Digest::of(&bytes);
                    return Some(Mail { arrival, digest, bytes });
                }
                Ok(None) => {}
                // One mail that cannot be fetched never hides the ones behind it. A server that is gone is told of once.
                Err(fault) => {
                    let trouble = fault.to_string();
                    if !pass.troubles.contains(&trouble) {
                        pass.troubles.push(trouble);
                    }
                }
            }
            if pass.ended_early {
                break;
            }
        }
        None
    }

    /// Reads a mail that harms nobody, so that what is built at the first reading is there before a suspect is in hand:
    /// the shorter that is, the less likely a `kill -9` is to fall into it twice.
    fn warm_up(&self) {
        let arrival = Arrival::default();
        let (digest, bytes) = (Digest::of(HARMLESS), HARMLESS.to_vec());
        self.read(&Mail { arrival, digest, bytes }, &[]);
    }

    fn take_batch(
        &mut self,
        batch: &[Mail],
        died_with: &InHand,
        pass: &mut Pass,
    ) -> Result<(), Fault> {
        let tries = |mail: &Mail| died_with.get(&mail.digest).copied().unwrap_or(0);
        // That the program died over many mails makes all of them suspects and convicts none: whoever stops it with
        // `kill -9` would have innocent mails parked. A try counts when the mail is in hand alone.
        let alone = batch.len() == 1;
        let in_hand = batch.iter().map(|mail| (mail.digest, tries(mail) + u32::from(alone)));
        self.doors.store.set_in_hand(&in_hand.collect())?;
        let (mut left, mut seen_to) = (Vec::new(), Vec::new());
        for mail in batch {
            if mail.arrival.suspect && !self.is_of_somebody(mail, tries(mail)) {
                left.push(mail.arrival.clone());
                continue;
            }
            if !self.books.knows_arrival(mail.digest, &mail.arrival.key) {
                self.take(mail, tries(mail))?;
                pass.mails += 1;
            }
            seen_to.push(mail.arrival.clone());
        }
        if alone {
            // Whatever stops the program from here on, it is the disk or a signal and not this mail.
            self.doors.store.set_in_hand(&InHand::new())?;
        }
        self.doors.store.commit()?;
        self.beat(pass);
        // Where that fails, they wait on and are known again by their digests.
        let filed = self.doors.mailbox.file_away(&seen_to);
        let left = self.doors.mailbox.leave(&left);
        pass.troubles
            .extend([filed, left].into_iter().filter_map(Result::err).map(|f| f.to_string()));
        Ok(())
    }

    /// Tells whether a mail that the server takes for spam was written by a person whom the books know, or by the
    /// director. Of a stranger's nothing is kept, so that it is a new mail when somebody moves it to where mail belongs.
    fn is_of_somebody(&self, mail: &Mail, tries: u32) -> bool {
        let read = if tries < limits::MAIL_TRIES { self.read(mail, &[]) } else { None };
        read.is_some_and(|read| read.sender.assurance != Assurance::Unknown)
    }

    fn take(&mut self, mail: &Mail, tries: u32) -> Result<(), Fault> {
        if self.books.mail(mail.digest).is_some() {
            return self.note(mail, MailOutcome::Duplicate, &Understanding::default(), None, &[]);
        }
        let now = self.doors.clock.now();
        self.doors.store.keep(Shelf::Mail, now, mail.digest, &mail.bytes)?;
        let signed_by = self.signed_by(mail);
        let read = if tries < limits::MAIL_TRIES { self.read(mail, &signed_by) } else { None };
        let Some(mut understanding) = read else { return self.park(mail) };
        if mail.arrival.suspect {
            warn!("mail {} of somebody whom the books know lay among suspected spam", mail.digest);
            let reason = "The server had put it among suspected spam; its sender is in the books.";
            understanding.reasons.push(reason.to_owned());
        }
        harm::note(&mut understanding, &self.books.state, &self.standing.house);
        // What follows may panic as well; then the mail is tried once more and parked.
        let acted = catch_unwind(AssertUnwindSafe(|| self.act(mail, &understanding)));
        acted.unwrap_or_else(|_| self.convict(mail, tries))
    }

    /// Notes which mail it was that broke the program.
    fn convict(&mut self, mail: &Mail, tries: u32) -> Result<(), Fault> {
        let counted = (tries + 1).max(limits::MAIL_TRIES - 1);
        self.doors.store.set_in_hand(&InHand::from([(mail.digest, counted)]))?;
        Err(Fault::internal(format!("deciding about mail {} stopped the program", mail.digest)))
    }

    /// Returns the domains whose signature of a mail is good. That is looked for only where it matters who wrote it.
    fn signed_by(&mut self, mail: &Mail) -> Vec<String> {
        let (house, state) = (&self.standing.house, &self.books.state);
        let author = mail::signed_author(&mail.bytes);
        if author.is_none_or(|author| !mail::is_known(&author, house, state)) {
            return Vec::new();
        }
        let signatures = &mut self.doors.signatures;
        // A signature that breaks the library is none; the mail itself may be sound.
        let look = AssertUnwindSafe(|| signatures.signed_by(&mail.bytes));
        catch_unwind(look).unwrap_or_default()
    }

    /// Reads a mail; none where the reading panics, twice.
    fn read(&self, mail: &Mail, signed_by: &[String]) -> Option<Understanding> {
        let desk = mail::Desk {
            house: &self.standing.house,
            rules: &self.standing.rules,
            state: &self.books.state,
            letters: &self.books,
            signed_by,
            now: self.doors.clock.now(),
        };
        let reader = self.reader;
        let read = || {
            let read = || reader(&mail.bytes, mail.arrival.stamped, &desk);
            catch_unwind(AssertUnwindSafe(read)).ok()
        };
        read().or_else(read)
    }

    fn park(&mut self, mail: &Mail) -> Result<(), Fault> {
        let held = HeldMail {
            from: Correspondent::default(),
            why: Trouble::Parked,
            read: Vec::new(),
            words: Vec::new(),
            mail: mail.digest.to_string(),
            answer: false,
            docket: true,
        };
        let nothing = Understanding::default();
        self.note(mail, MailOutcome::Held, &nothing, None, &[Command::Hold(held)])
    }

    fn act(&mut self, mail: &Mail, understanding: &Understanding) -> Result<(), Fault> {
        let content = understanding.headers.content_id.as_deref();
        let known = content.is_some_and(|content| self.books.knows_content(content));
        let automatic = understanding.class != Class::Person;
        if known && !automatic {
            return self.note(mail, MailOutcome::Duplicate, understanding, None, &[]);
        }
        if self.take_orders(mail, understanding)? {
            return Ok(());
        }
        let verdict = self.weigh(mail, understanding);
        let thread = thread(understanding);
        self.note(mail, verdict.outcome, understanding, Some(&thread), &verdict.commands)
    }

    /// Deals with a mail as it was weighed elsewhere.
    pub(super) fn settle_mail(
        &mut self,
        mail: &Mail,
        understanding: &Understanding,
        outcome: MailOutcome,
        commands: &[Command],
    ) -> Result<(), Fault> {
        // First of all: what answers the mail goes where it came from.
        let all: Vec<Command> =
            self.heard(understanding).into_iter().chain(commands.iter().cloned()).collect();
        self.note(mail, outcome, understanding, Some(&thread(understanding)), &all)
    }

    fn note(
        &mut self,
        mail: &Mail,
        outcome: MailOutcome,
        understanding: &Understanding,
        thread: Option<&Thread>,
        commands: &[Command],
    ) -> Result<(), Fault> {
        let headers = &understanding.headers;
        // Of the thousandth mail of a flood the journal has what tells it from others, and no more.
        let held_back = matches!(commands, [Command::HoldBack(_)]);
        let counts = outcome != MailOutcome::Duplicate && !held_back;
        let cause = MailCause {
            digest: mail.digest,
            arrival: mail.arrival.key.clone(),
            arrived: arrived(mail, self.doors.clock.now()),
            outcome,
            message_id: headers.message_id.clone().filter(|_| !held_back),
            content_id: headers.content_id.clone().filter(|_| understanding.class == Class::Person),
            from: understanding.sender.address.clone().unwrap_or_default(),
            subject: if held_back { String::new() } else { headers.subject.clone() },
            known: counts.then(|| tally::known(understanding, &self.standing.house)),
            likeness: counts.then(|| tally::likeness(understanding)),
            reading: if held_back { None } else { reading(understanding, outcome) },
        };
        self.transact(Cause::Mail(Box::new(cause)), commands, thread, Announce::Yes)?;
        Ok(())
    }
}

/// Returns how the inboxes were found. A mailbox that does not tell them apart is one inbox.
fn looks(mailbox: &dyn Mailbox, fault: Option<&Fault>) -> Vec<Look> {
    let looks = mailbox.looks();
    if !looks.is_empty() {
        return looks;
    }
    vec![Look { inbox: "mailbox".to_owned(), trouble: fault.map(|fault| fault.what.clone()) }]
}

fn thread(understanding: &Understanding) -> Thread {
    let headers = &understanding.headers;
    Thread {
        in_reply_to: headers.message_id.clone(),
        references: headers.references.iter().rev().cloned().collect(),
        subject: headers.subject.clone(),
    }
}

/// Returns when a mail arrived: the mailbox's stamp, where it has a believable one.
pub(super) fn arrived(mail: &Mail, now: DateTime<Utc>) -> DateTime<Utc> {
    mail.arrival.stamped.filter(|stamped| *stamped <= now).unwrap_or(now)
}

/// Returns the reading as the journal keeps it. Nothing is kept of a copy: the first one's transaction has it.
fn reading(understanding: &Understanding, outcome: MailOutcome) -> Option<Box<RawValue>> {
    if outcome == MailOutcome::Duplicate {
        return None;
    }
    to_raw_value(&understanding.kept()).ok()
}
