//! `run` and `run --once`: the daemon, or one pass of it.

use super::{Done, Failure, Global, home::Home};
use crate::{
    daemon::{self, Daemon},
    fault::Fault,
    office::Pass,
    store::files::DaemonLock,
};

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
    daemon::log_to_stderr();
    let home = Home::open(global)?;
    if args.once {
        let _lock = DaemonLock::take(&home.dir)?;
        once(&home)
    } else {
        forever(&home)
    }
}

fn forever(home: &Home) -> Done {
    let daemon = Daemon::new()?;
    let _lock = DaemonLock::take(&home.dir)?;
    let poll = home.config.service.poll;
    let open = || home.office(Box::new(daemon::pulse));
    // What is wrong now is told now, not in the log of a service that is restarted for ever.
    open()?;
    daemon.run(open, poll).map_err(Failure::Fault)
}

fn once(home: &Home) -> Done {
    let mut broken = Fault::internal("no pass was made");
    for _ in 0..ATTEMPTS {
        match home.office(Box::new(|| ()))?.pass() {
            Ok(pass) => return tell(&pass),
            Err(fault) if fault.is_internal() => broken = fault,
            Err(fault) => return Err(fault.into()),
        }
    }
    Err(broken.into())
}

fn tell(pass: &Pass) -> Done {
    let Pass { mails, jobs, delivered, troubles } = pass;
    eprintln!("{mails} mails taken in, {jobs} jobs done, {delivered} letters sent");
    match troubles.len() {
        0 => Ok(()),
        _ => Err(Failure::Person(troubles.join("\n"))),
    }
}
