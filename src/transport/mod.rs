//! The transport: how letters leave. The office knows it only by the trait below; what it is told is what the
//! journal records.

pub mod maildir;
pub mod memory;
pub mod print;
pub mod sendmail;
pub mod smtp;

use crate::{
    domain::ids::LetterId,
    fault::Fault,
    store::transaction::{DeliveryOutcome, DeliveryRecord},
};
use std::ops::ControlFlow;

/// A letter on its way, one recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Its number.
    pub letter: LetterId,
    /// The forward-path; none for a letter on paper.
    pub to: Option<String>,
    /// The reverse-path: our address with the letter's token, so that a bounce tells by its own address which letter it
    /// is about. None where the letter has no token that could be read.
    pub from: Option<String>,
    /// The whole RFC 5322 message, the same bytes at every attempt.
    pub bytes: Vec<u8>,
    /// The letter as it is printed, for one on paper: a PDF.
    pub paper: Option<Vec<u8>>,
}

/// What is heard of a delivery while it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// What became of some letters; all of it was known at the same moment.
    Outcomes(Vec<DeliveryRecord>),
    /// The way out is blocked for every letter: no server, no login. Letters of which no outcome is told were not tried.
    Trouble(Fault),
    /// Nothing is new, and the delivery goes on: a slow server has not answered yet.
    AtWork,
}

/// Who is told what becomes of the letters. With `Break` no further letter is begun; an error ends the delivery at once.
pub type Told<'a> = &'a mut dyn FnMut(News) -> Result<ControlFlow<()>, Fault>;

/// What the office needs of a transport.
pub trait Transport {
    /// Delivers letters and tells what became of each as soon as it is known, so that a crash in the middle sends only
    /// those again that were in flight. A letter is `Sent` only when it is durable on the other side.
    ///
    /// # Errors
    /// Only what `told` answers; nothing more is delivered then.
    fn deliver(&mut self, letters: &[Outgoing], told: Told<'_>) -> Result<(), Fault>;

    /// Tells whether letters on paper are to be laid out as pages; only one in memory, where nobody prints, may do without.
    fn takes_pages(&self) -> bool {
        true
    }
}

/// Tells what became of letters that were all delivered in one step. A letter that met a fault is put off, and the first
/// fault is told for all of them.
fn tell(
    letters: &[Outgoing],
    outcomes: Vec<Result<DeliveryOutcome, Fault>>,
    told: Told<'_>,
) -> Result<(), Fault> {
    let trouble = outcomes.iter().find_map(|outcome| outcome.as_ref().err()).cloned();
    let outcomes = outcomes.into_iter();
    let outcomes =
        outcomes.map(|o| o.unwrap_or_else(|fault| DeliveryOutcome::Deferred(fault.what)));
    let record =
        |(letter, outcome): (&Outgoing, _)| DeliveryRecord { letter: letter.letter, outcome };
    let heard = told(News::Outcomes(letters.iter().zip(outcomes).map(record).collect()))?;
    match trouble {
        Some(fault) if heard.is_continue() => told(News::Trouble(fault)).map(drop),
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A letter to an address of its own.
    pub(super) fn letter(number: u64) -> Outgoing {
        Outgoing {
            letter: LetterId(number),
            to: Some(format!("p{number}@example.org")),
            from: None,
            bytes: format!("Subject: {number}\r\n\r\nHello\r\n").into_bytes(),
            paper: None,
        }
    }

    /// Delivers letters and returns what became of them, in the order of the letters.
    pub(super) fn outcomes(way: &mut impl Transport, letters: &[Outgoing]) -> Vec<DeliveryOutcome> {
        let mut records = Vec::new();
        let done = way.deliver(letters, &mut |news| {
            if let News::Outcomes(heard) = news {
                records.extend(heard);
            }
            Ok(ControlFlow::Continue(()))
        });
        assert_eq!(done, Ok(()));
        records.sort_by_key(|record| record.letter);
        records.into_iter().map(|record| record.outcome).collect()
    }
}
