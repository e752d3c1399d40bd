//! The transport: how letters leave. The office knows it only by the trait below; what it answers is what the
//! journal records.

pub mod maildir;
pub mod memory;
pub mod print;

use crate::{domain::ids::LetterId, store::transaction::DeliveryOutcome};

/// A letter on its way, one recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// Its number.
    pub letter: LetterId,
    /// The forward-path; none for a letter on paper.
    pub to: Option<String>,
    /// The whole RFC 5322 message, the same bytes at every attempt.
    pub bytes: Vec<u8>,
    /// The letter as it is printed, for one on paper: a PDF.
    pub paper: Option<Vec<u8>>,
}

/// What the office needs of a transport.
pub trait Transport {
    /// Delivers letters and answers what became of each, in the same order. A letter is `Sent` only when it is
    /// durable on the other side.
    fn deliver(&mut self, letters: &[Outgoing]) -> Vec<DeliveryOutcome>;

    /// Tells whether letters on paper are to be laid out as pages; only one in memory, where nobody prints, may do without.
    fn takes_pages(&self) -> bool {
        true
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
            bytes: format!("Subject: {number}\r\n\r\nHello\r\n").into_bytes(),
            paper: None,
        }
    }
}
