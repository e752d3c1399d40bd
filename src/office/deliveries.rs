//! Deliveries: the letters of the outbox go out, a batch at a time, and what became of each is recorded as soon as it is
//! told. A letter may leave twice after a crash, under the same Message-ID; none is lost.
//!
//! Two pauses grow. A letter that was put off rests by itself, and after five days from its first attempt it is given up.
//! Where the way out is blocked for all (no server, no login), no letter was tried: nothing is recorded, its five days
//! do not run, the outbox as a whole rests, and the operator is told.

use super::{Announce, Doors, Office, Pass, post::TRIED_FOR};
use crate::{
    domain::{alarm::Matter, command::Command, ids::LetterId},
    fault::Fault,
    house::House,
    limits, mail,
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
    transport::{News, Outgoing, Told, Transport},
};
use chrono::{DateTime, Duration, Utc};
use std::{mem, ops::ControlFlow};

/// How long the outbox rests after the way out was found blocked. It is forgotten with the office: whoever starts the
/// program anew wants it tried at once.
#[derive(Debug, Default)]
pub(super) struct Rest {
    /// How often in a row.
    blocked: u32,
    until: Option<DateTime<Utc>>,
}

impl Rest {
    /// One minute, doubled each time, half an hour at most.
    fn begin(&mut self, now: DateTime<Utc>) {
        let minutes = Duration::minutes(1 << self.blocked.min(5)).min(Duration::minutes(30));
        self.blocked += 1;
        self.until = Some(now + minutes);
    }

    fn holds(&self, now: DateTime<Utc>) -> bool {
        self.until.is_some_and(|until| now < until)
    }
}

/// Stands where a transport was while that is at work.
struct Away;

impl Transport for Away {
    fn deliver(&mut self, _: &[Outgoing], _: Told<'_>) -> Result<(), Fault> {
        unreachable!("a transport is at work once at a time")
    }
}

impl Office {
    /// Delivers the letters that are due.
    pub(super) fn deliver(&mut self, pass: &mut Pass) -> Result<(), Fault> {
        let now = self.doors.clock.now();
        let due = self.books.outbox.iter().copied().filter(|id| self.is_due(*id, now));
        let (mail, paper): (Vec<_>, Vec<_>) = due.partition(|id| self.goes_by_mail(*id));
        for batch in mail.chunks(limits::DELIVERY_BATCH) {
            if pass.ended_early || self.rest.holds(self.doors.clock.now()) {
                break;
            }
            let letters: Result<Vec<_>, Fault> =
                batch.iter().map(|id| self.outgoing(*id)).collect();
            self.hand_over(|doors| &mut doors.transport, &letters?, pass)?;
        }
        for batch in paper.chunks(limits::DELIVERY_BATCH) {
            if pass.ended_early {
                break;
            }
            let letters = self.printable(batch, pass)?;
            self.hand_over(|doors| &mut doors.paper, &letters, pass)?;
        }
        Ok(())
    }

    /// Tells whether it is time for a letter: one that tells of an act of the director waits so that he can take it back,
    /// and one that could not be delivered rests.
    fn is_due(&self, letter: LetterId, now: DateTime<Utc>) -> bool {
        let entry = self.books.letter(letter);
        entry.is_some_and(|entry| match entry.tried {
            Some(tried) => tried + pause(entry.attempts) <= now,
            None => entry.not_before.is_none_or(|earliest| earliest <= now),
        })
    }

    fn goes_by_mail(&self, letter: LetterId) -> bool {
        self.books.letter(letter).is_some_and(|entry| entry.to.is_some())
    }

    fn hand_over(
        &mut self,
        way: fn(&mut Doors) -> &mut Box<dyn Transport>,
        letters: &[Outgoing],
        pass: &mut Pass,
    ) -> Result<(), Fault> {
        if letters.is_empty() {
            return Ok(());
        }
        let mut transport = mem::replace(way(&mut self.doors), Box::new(Away));
        let done = transport.deliver(letters, &mut |news| self.hear(news, pass));
        *way(&mut self.doors) = transport;
        done
    }

    fn hear(&mut self, news: News, pass: &mut Pass) -> Result<ControlFlow<()>, Fault> {
        match news {
            News::AtWork => {}
            News::Trouble(fault) => {
                self.rest.begin(self.doors.clock.now());
                pass.troubles.push(fault.to_string());
            }
            News::Outcomes(records) => {
                let records = records.into_iter().map(|record| self.judge(record)).collect();
                self.record(records, pass)?;
            }
        }
        self.beat(pass);
        Ok(if pass.ended_early { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Lays letters on paper out as pages; one that no font can write is refused.
    fn printable(&mut self, batch: &[LetterId], pass: &mut Pass) -> Result<Vec<Outgoing>, Fault> {
        let (mut paper, mut records) = (Vec::new(), Vec::new());
        for letter in batch {
            let outgoing = self.outgoing(*letter)?;
            if !self.doors.paper.takes_pages() {
                paper.push(outgoing);
                continue;
            }
            match self.page(*letter, &outgoing.bytes) {
                Ok(pages) => paper.push(Outgoing { paper: Some(pages), ..outgoing }),
                Err(why) => {
                    let outcome = DeliveryOutcome::Refused(why.to_string());
                    records.push(DeliveryRecord { letter: *letter, outcome });
                }
            }
        }
        if !records.is_empty() {
            self.record(records, pass)?;
        }
        Ok(paper)
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
        let from = to.as_ref().and_then(|_| reverse_path(&bytes, &self.standing.house));
        Ok(Outgoing { letter, to, from, bytes, paper: None })
    }

    /// Weighs what was told: a lasting code whose words speak of a passing trouble puts the letter off, and one that could
    /// not be delivered for days is given up, and the director is asked. The days count from the first attempt: a letter
    /// that lay here while the program was down has as many tries as any other.
    fn judge(&self, record: DeliveryRecord) -> DeliveryRecord {
        let DeliveryRecord { letter, outcome } = record;
        let begun = self.books.letter(letter).and_then(|entry| entry.begun);
        let days = limits::DELIVERY_DAYS;
        let now = self.doors.clock.now();
        let old = begun.is_some_and(|at| at + Duration::days(days) < now);
        let outcome = match outcome {
            DeliveryOutcome::Refused(why) if mail::is_passing(&why) => {
                DeliveryOutcome::Deferred(why)
            }
            other => other,
        };
        let outcome = match outcome {
            DeliveryOutcome::Deferred(why) | DeliveryOutcome::MaybeSent(why) if old => {
                DeliveryOutcome::Refused(format!("{TRIED_FOR} {days} days: {why}"))
            }
            other => other,
        };
        DeliveryRecord { letter, outcome }
    }

    fn record(&mut self, records: Vec<DeliveryRecord>, pass: &mut Pass) -> Result<(), Fault> {
        let (mut commands, before) = (Vec::new(), pass.refused);
        for record in &records {
            match &record.outcome {
                DeliveryOutcome::Sent | DeliveryOutcome::Printed => {
                    pass.delivered += 1;
                    self.rest.blocked = 0;
                    let on_paper = record.outcome == DeliveryOutcome::Printed;
                    commands.extend(self.delivered(record.letter, on_paper));
                }
                DeliveryOutcome::Deferred(why) => {
                    pass.put_off.push(format!("{} waits: {why}", record.letter));
                }
                DeliveryOutcome::MaybeSent(why) => {
                    let told =
                        format!("{} may have been sent, and is tried again: {why}", record.letter);
                    pass.put_off.push(told);
                }
                DeliveryOutcome::Refused(why) => {
                    pass.refused += 1;
                    commands.push(self.refused(record.letter, why));
                }
            }
        }
        commands.extend(many_refused(before, pass, &records));
        let cause = Cause::Delivery { outcomes: records };
        self.transact(cause, &commands, None, Announce::Yes)?;
        self.doors.store.commit()
    }
}

/// Returns the keyed address that a letter's bounces come to; its token stands in the letter's own Message-ID, so that it
/// is the same at every attempt, whatever became of the keys.
fn reverse_path(bytes: &[u8], house: &House) -> Option<String> {
    let id = mail::message::field_of(mail::message::head(bytes), "message-id")?;
    let (token, _) = id.trim().trim_matches(['<', '>']).rsplit_once('@')?;
    Some(house.reply_address(token))
}

/// Returns what the director is told at once where letter after letter of a pass is refused: then it is not their
/// addresses. `before`: how many had been refused when these were told.
fn many_refused(before: usize, pass: &Pass, records: &[DeliveryRecord]) -> Option<Command> {
    let crossed = before < limits::REFUSED_MANY && pass.refused >= limits::REFUSED_MANY;
    let why = records.iter().find_map(|record| match &record.outcome {
        DeliveryOutcome::Refused(why) => Some(why),
        _ => None,
    })?;
    (crossed && pass.refused > pass.delivered).then(|| {
        let (count, all) = (pass.refused, pass.refused + pass.delivered);
        let words = format!("{count} of {all} letters were refused, one of them so: {why}.");
        Command::Alarm(Matter::Letters, vec![words])
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_refused_letters_are_one_alarm_and_a_few_are_none() {
        let outcome = DeliveryOutcome::Refused("554 no relaying".to_owned());
        let records = [DeliveryRecord { letter: LetterId(1), outcome }];
        let told = |before, refused, delivered| {
            let pass = Pass { delivered, refused, ..Pass::default() };
            many_refused(before, &pass, &records)
        };
        assert_eq!(told(8, 9, 0), None);
        assert_eq!(told(9, 10, 10), None, "a bad list of addresses, and the rest is well");
        let words = "10 of 11 letters were refused, one of them so: 554 no relaying.".to_owned();
        assert_eq!(told(9, 10, 1), Some(Command::Alarm(Matter::Letters, vec![words])));
        assert_eq!(told(10, 11, 1), None, "once a pass");
    }
}
