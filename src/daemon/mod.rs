//! The daemon: one pass after another, for years. It looks into the mailbox at an interval and when it is woken, ends
//! the pass it is in at the next batch when it is told to stop, reads its configuration anew at SIGHUP, tells systemd
//! that it is ready and alive, and opens the office anew after a fault.
//!
//! Passes run in the main thread and outside of any async runtime: what they use over the network has its own.

mod bell;
mod log;
mod manager;

use crate::{
    clock::{Clock as _, SystemClock},
    fault::Fault,
    mask::masked,
    office::{Office, Pass, Pulse},
};
use bell::{Asked, Bell};
pub use log::start as log;
use std::{
    fmt::Display,
    ops::ControlFlow,
    time::{Duration, Instant},
};
use tracing::{debug, error, info, warn};

/// The longest pause after faults in a row.
const PAUSE_MAX: Duration = Duration::from_mins(5);

/// What a daemon works on: the files of a home, read.
pub trait Workplace: Sized {
    /// Why it cannot be worked on, in lines for a person.
    type Trouble: Display;

    /// Reads all its files anew.
    ///
    /// # Errors
    /// Every mistake in them.
    fn reload(&self) -> Result<Self, Self::Trouble>;

    /// Opens the office. `pulse` is called between the batches of a pass.
    ///
    /// # Errors
    /// Something it needs cannot be had.
    fn office(&self, pulse: Pulse) -> Result<Office, Self::Trouble>;

    /// How long to wait between two looks into the mailbox.
    fn poll(&self) -> Duration;
}

/// A daemon that hears signals, from before it does anything.
#[derive(Debug)]
pub struct Daemon {
    bell: Bell,
}

impl Daemon {
    /// Begins to listen for signals. A pass in which one comes ends at its next batch.
    ///
    /// # Errors
    /// The process cannot have what that needs.
    pub fn new() -> Result<Self, Fault> {
        let bell = Bell::default();
        bell.hear_signals()?;
        Ok(Self { bell })
    }

    /// Returns what another thread calls when there is mail: the pause ends, and a pass begins.
    pub fn waker(&self) -> impl Fn() + Clone + Send + 'static {
        let bell = self.bell.clone();
        move || bell.wake()
    }

    /// Runs passes until a signal says to stop.
    ///
    /// # Errors
    /// Damage of the store: going on would make it worse.
    pub fn run<W: Workplace>(self, workplace: W) -> Result<(), Fault> {
        let bell = self.bell;
        let mut shift = Shift { bell, workplace, office: None, status: Status::default() };
        manager::ready();
        info!("knightmail is at work");
        loop {
            let asked = shift.round()?;
            if asked.stop {
                manager::stopping();
                info!("knightmail stops; the pass is finished");
                return Ok(());
            }
            if asked.reload {
                shift.reload();
            }
        }
    }
}

/// A daemon at work.
struct Shift<W> {
    bell: Bell,
    workplace: W,
    /// None after a fault: the books in memory may be ahead of the journal.
    office: Option<Office>,
    status: Status,
}

/// What is told of the state of things, and what was told before.
#[derive(Debug, Default)]
struct Status {
    /// Passes in a row that failed.
    faults: u32,
    /// Since when the mailbox has been out of reach, as it is shown.
    deaf: Option<String>,
    /// The troubles of the last pass: they are told once and not every half minute.
    troubles: Vec<String>,
    /// The last reload was refused.
    old_configuration: bool,
}

impl<W: Workplace> Shift<W> {
    /// Makes a pass and waits for what comes next.
    fn round(&mut self) -> Result<Asked, Fault> {
        let pause = match self.pass() {
            Ok(pass) => {
                self.status.after(&pass);
                self.workplace.poll()
            }
            Err(Trouble::Internal) => Duration::ZERO,
            Err(Trouble::Passing(what)) => {
                self.status.faults += 1;
                manager::status(&format!("waiting: {what}"));
                (self.workplace.poll() * (1 << self.status.faults.min(6)))
                    .clamp(Duration::from_secs(1), PAUSE_MAX)
            }
            Err(Trouble::Damage(fault)) => return Err(fault),
        };
        Ok(self.wait(pause))
    }

    fn pass(&mut self) -> Result<Pass, Trouble> {
        let opened = match self.office.take() {
            Some(office) => Ok(office),
            None => self.workplace.office(pulse(&self.bell)),
        };
        let mut office = opened.map_err(|trouble| {
            error!("{trouble}");
            Trouble::Passing(trouble.to_string())
        })?;
        match office.pass() {
            Ok(pass) => {
                self.office = Some(office);
                Ok(pass)
            }
            Err(fault) if !fault.is_transient() => Err(Trouble::Damage(fault)),
            Err(fault) => {
                error!("{fault}");
                let internal = fault.is_internal();
                Err(if internal { Trouble::Internal } else { Trouble::Passing(fault.what) })
            }
        }
    }

    /// Waits until something is asked for, so long at most, with a heartbeat.
    fn wait(&self, pause: Duration) -> Asked {
        let (begun, heartbeat) = (Instant::now(), manager::heartbeat());
        loop {
            manager::alive();
            let left = pause.saturating_sub(begun.elapsed());
            let asked = self.bell.within(left.min(heartbeat));
            if asked != Asked::default() || left <= heartbeat {
                return asked;
            }
        }
    }

    /// Reads everything anew. What is not wholly good changes nothing: the office goes on by what it had.
    fn reload(&mut self) {
        manager::reloading();
        let fresh = self.workplace.reload().and_then(|workplace| {
            let office = workplace.office(pulse(&self.bell))?;
            Ok((workplace, office))
        });
        match fresh {
            Ok((workplace, office)) => {
                (self.workplace, self.office) = (workplace, Some(office));
                self.status.old_configuration = false;
                info!("the configuration was read anew and holds from now on");
            }
            Err(trouble) => {
                for line in trouble.to_string().lines() {
                    error!("{line}");
                }
                self.status.old_configuration = true;
                error!("the configuration was not reloaded; the old one stays in force");
            }
        }
        self.status.tell();
        manager::ready();
    }
}

/// Why a pass did not come to its end.
enum Trouble {
    /// A mail broke the program; it is tried again at once.
    Internal,
    /// Something that may be gone at the next try.
    Passing(String),
    /// The store.
    Damage(Fault),
}

impl Status {
    fn after(&mut self, pass: &Pass) {
        self.faults = 0;
        if pass.mails + pass.jobs + pass.delivered > 0 {
            let (mails, jobs, letters) = (pass.mails, pass.jobs, pass.delivered);
            let how = if pass.ended_early { "is broken off, the rest waits" } else { "is done" };
            info!(mails, jobs, letters, "a pass {how}");
        }
        for told in &pass.put_off {
            info!("{}", masked(told));
        }
        for trouble in &pass.troubles {
            let words = masked(trouble);
            if self.troubles.contains(trouble) {
                debug!("still: {words}");
            } else {
                warn!("{words}");
            }
        }
        self.troubles.clone_from(&pass.troubles);
        if !pass.deaf {
            if let Some(since) = self.deaf.take() {
                info!(since, "the mailbox can be reached again");
            }
        } else if self.deaf.is_none() {
            self.deaf = Some(SystemClock.now().format("%Y-%m-%d %H:%M UTC").to_string());
        }
        self.tell();
    }

    fn tell(&self) {
        let mut text = match &self.deaf {
            Some(since) => format!("deaf since {since}: the mailbox is out of reach"),
            None => "waiting for mail".to_owned(),
        };
        if self.old_configuration {
            text.push_str("; the changed configuration has mistakes, the old one is in force");
        }
        manager::status(&text);
    }
}

/// Returns what a pass calls between its batches: it says that it is at work, and hears whether it should end.
fn pulse(bell: &Bell) -> Pulse {
    let bell = bell.clone();
    Box::new(move |pass| {
        manager::alive();
        let Pass { mails, jobs, delivered, .. } = pass;
        manager::status(&format!("at work: {mails} mails, {jobs} jobs, {delivered} letters"));
        if bell.interrupts() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
}
