//! `run` and `run --once`: the daemon, or one pass of it.

use super::{
    Done, Failure, Global, doors,
    home::{Home, undisturbed},
};
use crate::{
    daemon::{self, Daemon, Workplace},
    fault::Fault,
    mailbox::imap::watch::Watch,
    office::{Office, Pass, Pulse},
    store::files::DaemonLock,
};
use std::time::Duration;

/// Run the daemon, or one pass.
#[derive(clap::Args)]
pub(super) struct Args {
    /// One pass (mail in, due jobs, letters out, views), then exit
    #[arg(long)]
    once: bool,
}

/// How often `run --once` opens the office anew after a mail has broken it; the mail is parked by then.
const ATTEMPTS: usize = 4;

pub(super) fn run(global: &Global, args: &Args) -> Done {
    daemon::log();
    let home = Home::open(global)?;
    if args.once {
        let _lock = DaemonLock::take(&home.dir)?;
        once(&home)
    } else {
        forever(global, home)
    }
}

/// A home that can be read anew, and the watches over its mailboxes, which end with it.
struct Place<W> {
    global: Global,
    home: Home,
    wake: W,
    _watches: Vec<Watch>,
}

impl<W: Fn() + Clone + Send + 'static> Place<W> {
    fn new(global: Global, home: Home, wake: W) -> Result<Self, Failure> {
        let watches = doors::watches(&home.config.service, &wake)?;
        Ok(Self { global, home, wake, _watches: watches })
    }
}

impl<W: Fn() + Clone + Send + 'static> Workplace for Place<W> {
    type Trouble = Failure;

    fn reload(&self) -> Result<Self, Failure> {
        let home = Home::open(&self.global)?;
        Self::new(self.global.clone(), home, self.wake.clone())
    }

    fn office(&self, pulse: Pulse) -> Result<Office, Failure> {
        self.home.office(pulse)
    }

    fn poll(&self) -> Duration {
        self.home.config.service.poll
    }
}

fn forever(global: &Global, home: Home) -> Done {
    let daemon = Daemon::new()?;
    let _lock = DaemonLock::take(&home.dir)?;
    // What is wrong now is told now, not in the log of a service that is restarted for ever.
    home.office(undisturbed())?;
    let place = Place::new(global.clone(), home, daemon.waker())?;
    daemon.run(place).map_err(Failure::Fault)
}

fn once(home: &Home) -> Done {
    let mut broken = Fault::internal("no pass was made");
    for _ in 0..ATTEMPTS {
        match home.office(undisturbed())?.pass() {
            Ok(pass) => return tell(&pass),
            Err(fault) if fault.is_internal() => broken = fault,
            Err(fault) => return Err(fault.into()),
        }
    }
    Err(broken.into())
}

fn tell(pass: &Pass) -> Done {
    let Pass { mails, jobs, delivered, troubles, put_off, .. } = pass;
    let counted = |n: &usize, what: &str| format!("{n} {what}{}", if *n == 1 { "" } else { "s" });
    let (mails, jobs) = (counted(mails, "mail"), counted(jobs, "job"));
    let letters = counted(delivered, "letter");
    eprintln!("{mails} taken in, {jobs} done, {letters} sent");
    for told in put_off {
        eprintln!("{told}");
    }
    match troubles.len() {
        0 => Ok(()),
        _ => Err(Failure::Person(troubles.join("\n"))),
    }
}
