//! The bell: what the daemon is asked to do while it works or waits. Signals ring it, and so may other threads; the
//! daemon looks at it between the batches of a pass and sleeps by it.

use crate::fault::Fault;
use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What was asked for and not yet seen to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// To end. It is never taken back.
    pub(super) stop: bool,
    /// To read the configuration anew.
    pub(super) reload: bool,
    /// To look for mail now.
    pub(super) wake: bool,
}

impl Asked {
    fn anything(self) -> bool {
        self != Self::default()
    }
}

/// Rung by signals and by other threads, heard by the daemon.
#[derive(Clone, Debug, Default)]
pub(super) struct Bell(Arc<(Mutex<Asked>, Condvar)>);

impl Bell {
    /// Rings at SIGTERM and SIGINT (stop) and at SIGHUP (reload), from now on. A thread of its own hears them: passes
    /// block, and what they use has runtimes of its own.
    ///
    /// # Errors
    /// The process cannot have what that needs.
    pub(super) fn hear_signals(&self) -> Result<(), Fault> {
        let fault = |e: std::io::Error| {
            let what = format!("cannot listen for signals: {e}");
            Fault::passing(what, "look at the limits of the process and start it once more")
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(fault)?;
        let listen = |kind| {
            let _inside = runtime.enter();
            signal(kind).map_err(fault)
        };
        let terminate = listen(SignalKind::terminate())?;
        let interrupt = listen(SignalKind::interrupt())?;
        let hang_up = listen(SignalKind::hangup())?;
        let bell = self.clone();
        let hear = move || runtime.block_on(bell.rung_by(terminate, interrupt, hang_up));
        thread::Builder::new().name("signals".to_owned()).spawn(hear).map_err(fault)?;
        Ok(())
    }

    async fn rung_by(self, mut terminate: Signal, mut interrupt: Signal, mut hang_up: Signal) {
        loop {
            tokio::select! {
                _ = terminate.recv() => self.ring(|asked| asked.stop = true),
                _ = interrupt.recv() => self.ring(|asked| asked.stop = true),
                _ = hang_up.recv() => self.ring(|asked| asked.reload = true),
            }
        }
    }

    /// Asks to look for mail now.
    pub(super) fn wake(&self) {
        self.ring(|asked| asked.wake = true);
    }

    fn ring(&self, ask: impl FnOnce(&mut Asked)) {
        ask(&mut self.asked());
        self.0.1.notify_all();
    }

    /// Tells whether a pass should come to its end: there is something that cannot wait for it.
    pub(super) fn interrupts(&self) -> bool {
        let asked = self.asked();
        asked.stop || asked.reload
    }

    /// Waits until something is asked for, so long at most, and takes it.
    pub(super) fn within(&self, pause: Duration) -> Asked {
        let waiting = self.0.1.wait_timeout_while(self.asked(), pause, |asked| !asked.anything());
        let (mut asked, _) = waiting.unwrap_or_else(PoisonError::into_inner);
        let taken = *asked;
        *asked = Asked { stop: taken.stop, ..Asked::default() };
        taken
    }

    /// Three flags cannot be half changed: a thread that panicked with them in hand has not harmed them.
    fn asked(&self) -> MutexGuard<'_, Asked> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_stays_and_the_rest_is_taken_once() {
        let bell = Bell::default();
        assert_eq!(bell.within(Duration::ZERO), Asked::default());
        bell.wake();
        bell.wake();
        assert!(!bell.interrupts(), "mail can wait for the end of a pass");
        assert_eq!(bell.within(Duration::MAX), Asked { wake: true, ..Asked::default() });
        assert_eq!(bell.within(Duration::ZERO), Asked::default());
        bell.ring(|asked| asked.stop = true);
        bell.ring(|asked| asked.reload = true);
        assert!(bell.interrupts());
        assert_eq!(bell.within(Duration::MAX), Asked { stop: true, reload: true, wake: false });
        assert_eq!(bell.within(Duration::MAX), Asked { stop: true, ..Asked::default() });
    }
}
