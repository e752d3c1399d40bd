//! The line to an IMAP server: a session while there is one, a new one when it is needed, growing pauses while there is
//! none to be had. Here the synchronous caller meets the asynchronous library.

use super::{
    connect,
    session::{Session, Trouble},
};
use crate::{
    config::places::ImapPlace,
    fault::Fault,
    mailbox::pause::{Patience, Pause},
    net::{
        self,
        account::{Login, ProofKind},
        secret::Keyring,
    },
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tokio::runtime::Runtime;

/// A line to a server.
pub(super) struct Line {
    pub(super) place: ImapPlace,
    pub(super) patience: Patience,
    keyring: Keyring,
    runtime: Option<Runtime>,
    session: Option<Session>,
    pause: Pause,
}

impl Line {
    pub(super) fn new(place: ImapPlace, keyring: Keyring, patience: Patience) -> Self {
        let pause = Pause::new(patience);
        Self { place, patience, keyring, runtime: None, session: None, pause }
    }

    /// Notes that something came of it.
    pub(super) fn worked(&mut self) {
        self.pause.worked();
    }

    /// Tells whether there is a session: what went wrong last was a refusal.
    pub(super) fn is_open(&self) -> bool {
        self.session.is_some()
    }

    /// Returns how long to wait before the next try, after one that failed.
    pub(super) fn rest(&self) -> std::time::Duration {
        self.pause.length()
    }

    /// Does a job in the session at hand, or in a new one. A session that was kept from earlier may have ended in the
    /// meantime (servers end those that say nothing for half an hour): then the job is done again in a new one, so that
    /// it must be one that may be done twice.
    pub(super) fn run<T>(
        &mut self,
        job: &impl AsyncFn(&mut Session) -> Result<T, Trouble>,
    ) -> Result<T, Fault> {
        if let Some(kept) = self.session.take() {
            match self.within(kept, job) {
                Err(Trouble::Lost(fault)) => self.pause.lost(&fault),
                done => return done.map_err(Trouble::fault),
            }
        }
        self.once(job)
    }

    /// Does a job once: one that may have been what ended the session is not tried again.
    pub(super) fn once<T>(
        &mut self,
        job: &impl AsyncFn(&mut Session) -> Result<T, Trouble>,
    ) -> Result<T, Fault> {
        let session = match self.session.take() {
            Some(session) => session,
            None => self.connect()?,
        };
        let done = self.within(session, job);
        if let Err(Trouble::Lost(fault)) = &done {
            self.pause.lost(fault);
        }
        done.map_err(Trouble::fault)
    }

    fn within<T>(
        &mut self,
        mut session: Session,
        job: &impl AsyncFn(&mut Session) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let runtime = runtime(&mut self.runtime).map_err(Trouble::Lost)?;
        // The library's reader panics at some answers (a date that is NIL). That is the server's doing, and costs the
        // session; it must not cost the pass.
        let done = catch_unwind(AssertUnwindSafe(|| runtime.block_on(job(&mut session))));
        let done = done.unwrap_or_else(|_| {
            let what = format!("{}: the server's answer broke its reader", session.name);
            Err(Trouble::Lost(Fault::passing(what, "nothing: the other mails go on")))
        });
        if !matches!(done, Err(Trouble::Lost(_))) {
            self.session = Some(session);
        }
        done
    }

    fn connect(&mut self) -> Result<Session, Fault> {
        self.pause.over()?;
        self.open().inspect_err(|fault| self.pause.failed(fault))
    }

    fn open(&mut self) -> Result<Session, Fault> {
        let Some(login) = self.place.account.login.clone() else {
            let what = format!("{}: IMAP wants to know who we are", connect::name(&self.place));
            return Err(Fault::passing(what, "set `user` in knightmail.toml"));
        };
        match self.enter(&login, false) {
            // An access token may have run out before its time.
            Err(Trouble::Refused(_)) if !matches!(login.proof, ProofKind::Password(_)) => {
                self.enter(&login, true)
            }
            entered => entered,
        }
        .map_err(Trouble::fault)
    }

    fn enter(&mut self, login: &Login, fresh: bool) -> Result<Session, Trouble> {
        let proof = login.proof(&self.keyring, fresh).map_err(Trouble::Lost)?;
        let runtime = runtime(&mut self.runtime).map_err(Trouble::Lost)?;
        let opening = connect::open(&self.place, login, &proof, self.patience);
        let opened = catch_unwind(AssertUnwindSafe(|| runtime.block_on(opening)));
        opened.unwrap_or_else(|_| {
            let what =
                format!("{}: the server's answer broke its reader", connect::name(&self.place));
            Err(Trouble::Lost(Fault::passing(what, "please report it")))
        })
    }
}

fn runtime(kept: &mut Option<Runtime>) -> Result<&mut Runtime, Fault> {
    match kept {
        Some(runtime) => Ok(runtime),
        None => Ok(kept.insert(net::runtime()?)),
    }
}
