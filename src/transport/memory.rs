//! The transport in memory: for tests, rehearsals and the simulation. What was delivered outlives it, as with a real
//! mail system.

use super::{Outgoing, Told, Transport};
use crate::{
    fault::Fault,
    mishap::{self, Mishap, Mishaps},
    store::transaction::DeliveryOutcome,
};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A transport in memory. A clone is another way to the same recipients.
#[derive(Clone, Debug, Default)]
pub struct MemoryTransport(Arc<Mutex<Contents>>);

#[derive(Debug, Default)]
struct Contents {
    delivered: Vec<Outgoing>,
    answers: BTreeMap<String, DeliveryOutcome>,
    mishaps: Mishaps,
    cut: DeliveryCut,
}

/// How far a delivery came in which the program died.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeliveryCut {
    /// No letter was delivered.
    #[default]
    Nothing,
    /// The first half was, and the caller never heard of it.
    Half,
    /// The first half was, and the caller heard of it.
    HalfTold,
    /// All were, and the caller never heard of it.
    Everything,
}

impl DeliveryCut {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Nothing, Self::Half, Self::HalfTold, Self::Everything];
}

impl MemoryTransport {
    /// Hands over what was delivered since the last call, in order. A letter on paper is among it.
    pub fn take(&self) -> Vec<Outgoing> {
        std::mem::take(&mut self.contents().delivered)
    }

    /// Sets the answer for every letter to an address from now on; `Sent` is the answer for all others.
    pub fn answer(&self, to: &str, outcome: DeliveryOutcome) {
        self.contents().answers.insert(to.to_owned(), outcome);
    }

    /// Lets all letters of the n-th call be deferred.
    pub fn defer_at(&self, call: u64) {
        self.contents().mishaps.fail_at(call);
    }

    /// Lets the program die in the n-th call, which came as far as `cut`.
    pub fn crash_at(&self, call: u64, cut: DeliveryCut) {
        let mut contents = self.contents();
        contents.mishaps.crash_at(call);
        contents.cut = cut;
    }

    /// Returns how many calls there were.
    pub fn calls(&self) -> u64 {
        self.contents().mishaps.calls()
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Contents {
    fn take_letter(&mut self, letter: &Outgoing) -> DeliveryOutcome {
        let outcome = match &letter.to {
            None => DeliveryOutcome::Printed,
            Some(to) => self.answers.get(to).cloned().unwrap_or(DeliveryOutcome::Sent),
        };
        if matches!(outcome, DeliveryOutcome::Sent | DeliveryOutcome::Printed) {
            self.delivered.push(letter.clone());
        }
        outcome
    }
}

impl Transport for MemoryTransport {
    fn takes_pages(&self) -> bool {
        false
    }

    fn deliver(&mut self, letters: &[Outgoing], told: Told<'_>) -> Result<(), Fault> {
        let mut contents = self.contents();
        let mishap = contents.mishaps.count();
        let part = match (mishap, contents.cut) {
            (None | Some(Mishap::Failure), _) | (_, DeliveryCut::Everything) => letters.len(),
            (Some(Mishap::Crash), DeliveryCut::Nothing) => 0,
            (Some(Mishap::Crash), DeliveryCut::Half | DeliveryCut::HalfTold) => letters.len() / 2,
        };
        let letters = &letters[..part];
        let outcomes = match mishap {
            Some(Mishap::Failure) => {
                vec![DeliveryOutcome::Deferred("deferred on demand".into()); part]
            }
            None | Some(Mishap::Crash) => letters.iter().map(|l| contents.take_letter(l)).collect(),
        };
        let crashes = mishap == Some(Mishap::Crash);
        let heard = !crashes || contents.cut == DeliveryCut::HalfTold;
        drop(contents);
        if heard {
            super::tell(letters, outcomes.into_iter().map(Ok).collect(), told)?;
        }
        if crashes { mishap::crash() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{letter, outcomes},
        *,
    };
    use DeliveryOutcome::{Deferred, Refused, Sent};
    use std::panic::{self, AssertUnwindSafe};

    #[test]
    fn letters_are_deferred_refused_and_lost_on_demand() {
        let transport = MemoryTransport::default();
        let mut other = transport.clone();
        let letters = [letter(1), letter(2)];
        transport.answer("p2@example.org", Refused("no such user".into()));
        transport.defer_at(1);
        assert!(matches!(&outcomes(&mut other, &letters)[..], [Deferred(_), Deferred(_)]));
        assert_eq!(outcomes(&mut other, &letters), [Sent, Refused("no such user".into())]);
        assert_eq!(transport.take(), letters[..1]);
        for (cut, delivered) in DeliveryCut::ALL.into_iter().zip([0, 1, 1, 2]) {
            transport.answer("p2@example.org", Sent);
            transport.crash_at(transport.calls() + 1, cut);
            let died = panic::catch_unwind(AssertUnwindSafe(|| outcomes(&mut other, &letters)));
            assert!(died.unwrap_err().is::<mishap::Crashed>());
            assert_eq!(transport.take().len(), delivered, "{cut:?}");
        }
    }
}
