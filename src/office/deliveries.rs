//! Deliveries: the letters of the outbox go out, a batch at a time, and what became of each is recorded before the
//! next batch leaves. A letter may leave twice after a crash, under the same Message-ID; none is lost.

use super::{Announce, Office, Pass};
use crate::{
    domain::{command::Command, docket::About, ids::LetterId},
    fault::Fault,
    limits,
    mail::{self, Letters as _},
    notices::{
        letter,
        pages::{
            Paper,
            fonts::Fonts,
            pdf::{self, Unprintable},
            sheet::{self, Sheet},
        },
    },
    office::books::LetterEntry,
    store::transaction::{Cause, DeliveryOutcome, DeliveryRecord},
    transport::Outgoing,
};
use chrono::{DateTime, Duration, Utc};

impl Office {
    /// Delivers the letters that are due.
    pub(super) fn deliver(&mut self, pass: &mut Pass) -> Result<(), Fault> {
        let now = self.doors.clock.now();
        let due: Vec<LetterId> =
            self.books.outbox.iter().copied().filter(|id| self.is_due(*id, now)).collect();
        for batch in due.chunks(limits::DELIVERY_BATCH) {
            self.deliver_batch(batch, now, pass)?;
            (self.doors.pulse)();
        }
        Ok(())
    }

    fn is_due(&self, letter: LetterId, now: DateTime<Utc>) -> bool {
        let entry = self.books.letter(letter);
        entry.is_some_and(|entry| match entry.tried {
            Some(tried) => tried + pause(entry.attempts) <= now,
            None => true,
        })
    }

    fn deliver_batch(
        &mut self,
        batch: &[LetterId],
        now: DateTime<Utc>,
        pass: &mut Pass,
    ) -> Result<(), Fault> {
        let (mut mail, mut paper, mut records) = (Vec::new(), Vec::new(), Vec::new());
        for letter in batch {
            let outgoing = self.outgoing(*letter)?;
            if outgoing.to.is_some() {
                mail.push(outgoing);
                continue;
            }
            if !self.doors.paper.takes_pages() {
                paper.push(outgoing);
                continue;
            }
            match on_paper(*letter, &outgoing.bytes, self.standing.templates.fonts()) {
                Ok(pages) => paper.push(Outgoing { paper: Some(pages), ..outgoing }),
                Err(why) => {
                    let outcome = DeliveryOutcome::Refused(why.to_string());
                    records.push(DeliveryRecord { letter: *letter, outcome });
                }
            }
        }
        let mut outcomes = self.doors.transport.deliver(&mail);
        outcomes.extend(self.doors.paper.deliver(&paper));
        let letters = mail.iter().chain(&paper).map(|outgoing| outgoing.letter);
        records.extend(letters.zip(outcomes).map(|(letter, outcome)| DeliveryRecord {
            letter,
            outcome: self.give_up(letter, outcome, now),
        }));
        self.record(records, pass)
    }

    fn outgoing(&mut self, letter: LetterId) -> Result<Outgoing, Fault> {
        let entry = self.books.letter(letter).expect("the outbox holds letters of the books");
        let LetterEntry { digest, to, .. } = entry;
        let (digest, to) = (*digest, to.as_deref().map(str::to_owned));
        let bytes = self.doors.store.fetch(digest)?.ok_or_else(|| {
            Fault::damage(
                format!("the archive does not have letter {letter} ({digest})"),
                "restore store/archive from the backup",
            )
        })?;
        Ok(Outgoing { letter, to, bytes, paper: None })
    }

    /// A letter that could not be delivered for days is given up, and the director is asked. The days count from the
    /// first attempt: a letter that lay here while the program was down has as many tries as any other.
    fn give_up(
        &self,
        letter: LetterId,
        outcome: DeliveryOutcome,
        now: DateTime<Utc>,
    ) -> DeliveryOutcome {
        let begun = self.books.letter(letter).and_then(|entry| entry.begun);
        let old = begun.is_some_and(|at| at + Duration::days(limits::DELIVERY_DAYS) < now);
        match outcome {
            DeliveryOutcome::Deferred(why) if old => {
                DeliveryOutcome::Refused(format!("tried for {} days: {why}", limits::DELIVERY_DAYS))
            }
            other => other,
        }
    }

    fn record(&mut self, records: Vec<DeliveryRecord>, pass: &mut Pass) -> Result<(), Fault> {
        let mut commands = Vec::new();
        for record in &records {
            match &record.outcome {
                DeliveryOutcome::Sent | DeliveryOutcome::Printed => pass.delivered += 1,
                DeliveryOutcome::Deferred(why) => {
                    pass.troubles.push(format!("{} waits: {why}", record.letter));
                }
                DeliveryOutcome::Refused(why) => {
                    let known = self.books.about(record.letter).unwrap_or_default();
                    let about = About { letter: Some(record.letter), ..known };
                    let evidence = format!("{} was not delivered: {why}", record.letter);
                    commands.push(Command::NoteUndelivered { about, evidence });
                }
            }
        }
        let cause = Cause::Delivery { outcomes: records };
        self.transact(cause, &commands, None, Announce::Yes)?;
        self.doors.store.commit()
    }
}

/// Returns a letter as it is printed (PDF), with the pages that come with it. It is made of the bytes of the archive
/// alone: the same letter is the same sheet whenever it is printed.
///
/// # Errors
/// Why it cannot be printed: an address that no font can write.
pub fn on_paper(letter: LetterId, bytes: &[u8], fonts: &Fonts) -> Result<Vec<u8>, Unprintable> {
    let text = mail::message::plain_text(bytes);
    let head = mail::message::head(bytes);
    let paper = mail::message::field_of(head, letter::PAPER).unwrap_or_default();
    let number = format!("Letter {letter}");
    let sheet = Sheet { text: &text, paper: Paper::named(&paper), number: &number };
    let mut pages = sheet::pages(sheet, fonts)?;
    pages.extend(mail::message::pages(bytes));
    pdf::print(&number, &pages, fonts)
}

/// Returns how long a letter rests after so many attempts: five minutes, doubled each time, six hours at most.
fn pause(attempts: u32) -> Duration {
    Duration::minutes(5 * (1 << attempts.saturating_sub(1).min(7))).min(Duration::hours(6))
}
