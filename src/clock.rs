//! The clock: the only place that asks what time it is.

use chrono::{DateTime, Utc};

/// What the office needs of a clock.
pub trait Clock {
    /// Returns the present instant.
    fn now(&self) -> DateTime<Utc>;

    /// Tells whether it is the world's clock: only by that one the program knows that it did not run for a time.
    fn is_real(&self) -> bool {
        false
    }
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that may ask")]
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }

    fn is_real(&self) -> bool {
        true
    }
}

/// A clock that stands still: rehearsals (`--now`) and tests.
#[derive(Clone, Copy, Debug)]
pub struct FixedClock(pub DateTime<Utc>);

impl Clock for FixedClock {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}
