//! Patience with servers: how long one may take to answer, and how long we leave one alone that has failed. The pauses
//! double, so that a server that is down for a week is not asked a million times, and a short hiccup costs seconds.
//!
//! It counts with the clock that only goes forward: a pause says nothing about the time of day.

use crate::{fault::Fault, net};
use std::time::{Duration, Instant};

/// How long a server is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// How long it may take to answer a command.
    pub answer: Duration,
    /// The first pause after a failure.
    pub first: Duration,
    /// The longest pause.
    pub longest: Duration,
}

/// The slowest line that is waited for, in bytes a second.
const SLOWEST: usize = 16 * 1024;
/// The longest that any answer may take: whoever watches over the program takes it for stuck after five minutes.
const LONGEST: Duration = Duration::from_mins(4);
/// How often in a row a connection may be lost at work before that counts as a failure: a mail over which the server
/// breaks off must not keep us from the mails behind it.
const LOSSES: u32 = 8;

impl Default for Patience {
    fn default() -> Self {
        let (first, longest) = (Duration::from_secs(5), Duration::from_mins(5));
        Self { answer: net::ANSWER, first, longest }
    }
}

impl Patience {
    /// Returns how long an answer of so many bytes may take.
    pub(super) fn with(&self, bytes: usize) -> Duration {
        let seconds = u64::try_from(bytes / SLOWEST).unwrap_or(u64::MAX);
        self.answer.saturating_add(Duration::from_secs(seconds)).min(LONGEST)
    }
}

/// A growing pause.
#[derive(Debug)]
pub(super) struct Pause {
    patience: Patience,
    failures: u32,
    losses: u32,
    until: Option<Instant>,
    why: Option<Fault>,
}

impl Pause {
    pub(super) fn new(patience: Patience) -> Self {
        Self { patience, failures: 0, losses: 0, until: None, why: None }
    }

    /// All is well again.
    pub(super) fn worked(&mut self) {
        *self = Self::new(self.patience);
    }

    /// Notes that the server could not be had.
    pub(super) fn failed(&mut self, why: &Fault) {
        self.failures += 1;
        self.until = Some(Instant::now() + self.length());
        self.why = Some(why.clone());
    }

    /// Notes that a connection was lost at work.
    pub(super) fn lost(&mut self, why: &Fault) {
        self.losses += 1;
        if self.losses >= LOSSES {
            self.failed(why);
        }
    }

    /// Returns how long it lasts, from its beginning.
    pub(super) fn length(&self) -> Duration {
        let doubled = 2_u32.saturating_pow(self.failures.saturating_sub(1));
        self.patience.first.saturating_mul(doubled).min(self.patience.longest)
    }

    pub(super) fn is_on(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() < until)
    }

    /// Passes when the server may be tried again.
    ///
    /// # Errors
    /// The last fault, and that there is a pause. It reads the same for as long as the pause lasts, so that it can be
    /// told once.
    pub(super) fn over(&self) -> Result<(), Fault> {
        let Some(why) = self.why.as_ref().filter(|_| self.is_on()) else { return Ok(()) };
        let seconds = self.length().as_secs();
        let what = format!("{}; the next try is after a pause of {seconds} s", why.what);
        Err(Fault::passing(what, why.remedy.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_begin_anew_when_it_works() {
        let mut pause = Pause::new(Patience::default());
        let fault = Fault::passing("it is down", "start it");
        let mut lengths = Vec::new();
        for _ in 0..8 {
            pause.failed(&fault);
            lengths.push(pause.length().as_secs());
        }
        assert_eq!(lengths, [5, 10, 20, 40, 80, 160, 300, 300]);
        assert!(pause.over().unwrap_err().what.contains("it is down; the next try is after"));
        pause.worked();
        assert_eq!(pause.over(), Ok(()));
    }

    #[test]
    fn one_lost_connection_is_made_again_at_once_and_many_in_a_row_are_not() {
        let mut pause = Pause::new(Patience::default());
        let fault = Fault::passing("it broke off", "look at it");
        for _ in 1..LOSSES {
            pause.lost(&fault);
            assert!(!pause.is_on());
        }
        pause.lost(&fault);
        assert!(pause.is_on());
    }
}
