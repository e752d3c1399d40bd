//! The clock of the simulation: it stands where the season puts it. One hand is the office's, the other the season's.

use crate::clock::Clock;
use chrono::{DateTime, Utc};
use std::{cell::Cell, rc::Rc};

/// A clock that is set.
#[derive(Clone, Debug)]
pub(super) struct SimulatedClock(Rc<Cell<DateTime<Utc>>>);

impl SimulatedClock {
    /// Returns a clock that stands at an instant.
    pub(super) fn at(now: DateTime<Utc>) -> Self {
        Self(Rc::new(Cell::new(now)))
    }

    /// Puts it to another instant.
    pub(super) fn set(&self, now: DateTime<Utc>) {
        self.0.set(now);
    }
}

impl Clock for SimulatedClock {
    fn now(&self) -> DateTime<Utc> {
        self.0.get()
    }
}
