//! The daemon: one pass after another, for years. It looks into the mailbox at an interval, finishes the pass it is in
//! when it is told to stop, tells systemd that it is ready and alive, and opens the office anew after a fault.

use crate::{fault::Fault, office::Office};
use sd_notify::NotifyState;
use std::{fmt::Display, io::IsTerminal as _, time::Duration};
use tokio::{
    runtime::Runtime,
    signal::unix::{Signal, SignalKind, signal},
    time,
};
use tracing::{error, info, warn};

/// The longest pause after faults in a row.
const PAUSE_MAX: Duration = Duration::from_mins(5);
/// How often an idle daemon says that it is alive; well within the watchdog time of the unit file.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// Sends log lines to standard error, where the journal of systemd takes them. `RUST_LOG` sets what is logged.
pub fn log_to_stderr() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let log = log.with_target(false).with_ansi(std::io::stderr().is_terminal());
    // The journal of systemd dates each line itself. A logger that was set before is the right one.
    let _ = match std::env::var_os("JOURNAL_STREAM") {
        Some(_) => log.without_time().try_init(),
        None => log.try_init(),
    };
}

/// Tells systemd that the program is alive.
pub fn pulse() {
    tell(&[NotifyState::Watchdog]);
}

fn tell(states: &[NotifyState<'_>]) {
    // Without systemd there is nobody to tell.
    let _ = sd_notify::notify(states);
}

/// A daemon that hears signals, from before it does anything.
pub struct Daemon {
    runtime: Runtime,
    stop: Stop,
}

impl Daemon {
    /// Begins to listen for the signals that end it. What it is doing when one comes is finished.
    ///
    /// # Errors
    /// The process cannot have what that needs.
    pub fn new() -> Result<Self, Fault> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|e| {
            Fault::passing(format!("no runtime: {e}"), "look at the limits of the process")
        })?;
        let stop = {
            let _inside = runtime.enter();
            Stop::new()?
        };
        Ok(Self { runtime, stop })
    }

    /// Runs passes until a signal says to stop. `open` opens the office, at first and after each fault.
    ///
    /// # Errors
    /// Damage of the store: going on would make it worse.
    pub fn run<E: Display>(
        self,
        open: impl Fn() -> Result<Office, E>,
        poll: Duration,
    ) -> Result<(), Fault> {
        let Self { runtime, stop } = self;
        runtime.block_on(passes(open, poll, stop))
    }
}

async fn passes<E: Display>(
    open: impl Fn() -> Result<Office, E>,
    poll: Duration,
    mut stop: Stop,
) -> Result<(), Fault> {
    let mut office = None;
    let mut faults = 0;
    tell(&[NotifyState::Ready, NotifyState::Status("looking for mail")]);
    info!("knightmail is at work");
    loop {
        let pause = match pass(&open, &mut office) {
            Outcome::Done => {
                if faults > 0 {
                    tell(&[NotifyState::Status("looking for mail")]);
                }
                faults = 0;
                poll
            }
            Outcome::Again => Duration::ZERO,
            Outcome::Faulty => {
                faults += 1;
                (poll * (1 << faults.min(6))).clamp(Duration::from_secs(1), PAUSE_MAX)
            }
            Outcome::Damaged(fault) => return Err(fault),
        };
        if stop.within(pause).await {
            tell(&[NotifyState::Stopping]);
            info!("knightmail stops; the pass is finished");
            return Ok(());
        }
    }
}

enum Outcome {
    Done,
    Again,
    Faulty,
    Damaged(Fault),
}

fn pass<E: Display>(open: impl Fn() -> Result<Office, E>, kept: &mut Option<Office>) -> Outcome {
    let mut office = match kept.take().map_or_else(open, Ok) {
        Ok(office) => office,
        Err(error) => {
            error!("{error}");
            return Outcome::Faulty;
        }
    };
    match office.pass() {
        Ok(pass) => {
            for trouble in &pass.troubles {
                warn!("{trouble}");
            }
            if pass.mails + pass.jobs + pass.delivered > 0 {
                let (mails, jobs, letters) = (pass.mails, pass.jobs, pass.delivered);
                info!(mails, jobs, letters, "a pass is done");
            }
            *kept = Some(office);
            Outcome::Done
        }
        Err(fault) if fault.is_internal() => {
            error!("{fault}");
            Outcome::Again
        }
        Err(fault) if fault.is_transient() => {
            error!("{fault}");
            let status = format!("waiting: {}", fault.what);
            tell(&[NotifyState::Status(&status)]);
            Outcome::Faulty
        }
        Err(fault) => Outcome::Damaged(fault),
    }
}

/// The signals that end the daemon.
struct Stop {
    terminate: Signal,
    interrupt: Signal,
}

impl Stop {
    fn new() -> Result<Self, Fault> {
        let listen = |kind| {
            signal(kind).map_err(|e| {
                Fault::passing(format!("cannot listen for signals: {e}"), "start it once more")
            })
        };
        let (terminate, interrupt) =
            (listen(SignalKind::terminate())?, listen(SignalKind::interrupt())?);
        Ok(Self { terminate, interrupt })
    }

    /// Waits for so long, with a heartbeat; answers whether a signal came, also one from during the pass.
    async fn within(&mut self, pause: Duration) -> bool {
        let end = time::Instant::now() + pause;
        loop {
            pulse();
            let next = end.min(time::Instant::now() + HEARTBEAT);
            tokio::select! {
                biased;
                _ = self.terminate.recv() => return true,
                _ = self.interrupt.recv() => return true,
                () = time::sleep_until(next) => {}
            }
            if time::Instant::now() >= end {
                return false;
            }
        }
    }
}
