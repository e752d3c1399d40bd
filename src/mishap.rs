//! Mishaps on demand, for the doubles of the store, the mailbox and the transport: the n-th call fails, or the program
//! dies in it. So a test can fail or crash at the first call, the second, the third, until a run goes through untouched.
//! The real adapters know nothing of this.

use crate::fault::Fault;
use std::panic;

/// What a crash on demand unwinds with, so that a test tells it from a real panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crashed;

/// When the next mishap comes. Calls are counted from 1, over the life of the double's contents.
#[derive(Clone, Debug, Default)]
pub struct Mishaps {
    calls: u64,
    fail_at: Option<u64>,
    crash_at: Option<u64>,
}

/// What happens in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mishap {
    /// It answers with a fault and has done nothing.
    Failure,
    /// The program dies in it; the double decides how far it came.
    Crash,
}

impl Mishaps {
    /// Lets the n-th call fail.
    pub fn fail_at(&mut self, call: u64) {
        self.fail_at = Some(call);
    }

    /// Lets the program die in the n-th call.
    pub fn crash_at(&mut self, call: u64) {
        self.crash_at = Some(call);
    }

    /// Returns how many calls there were.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Counts a call and tells what happens in it.
    pub fn count(&mut self) -> Option<Mishap> {
        self.calls += 1;
        let comes = |at: &mut Option<u64>| at.take_if(|at| *at == self.calls).is_some();
        if comes(&mut self.crash_at) {
            return Some(Mishap::Crash);
        }
        comes(&mut self.fail_at).then_some(Mishap::Failure)
    }
}

/// Returns the fault of a call that fails on demand.
pub fn failure(call: &str) -> Fault {
    Fault::passing(format!("{call} failed on demand"), "this is a rehearsal; try again")
}

/// Dies on demand. It unwinds without the message of a panic, since it is none.
pub fn crash() -> ! {
    panic::resume_unwind(Box::new(Crashed))
}
