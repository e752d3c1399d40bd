//! Letters by SMTP (RFC 5321, RFC 6409): a few connections at once, many letters over each, and what became of each
//! letter told as soon as it is known.
//!
//! The connections live on a thread of their own, so that the next letters are under way while the journal syncs. No more
//! outcomes than [`limits::UNRECORDED`] are ever on their way to it: that is how many letters a crash sends twice.

mod crew;
mod login;
mod probe;
mod replies;
mod session;
mod starttls;
mod wire;

use super::{News, Outgoing, Told, Transport};
use crate::{
    fault::Fault,
    limits,
    net::{
        self,
        account::{Account, ProofKind},
        secret::Keyring,
    },
};
use crew::{Crew, Report};
use std::{
    panic::resume_unwind,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::Duration,
};
use tokio::sync::{Semaphore, oneshot};

/// For how many pulses the letters in hand are waited for when all is to end.
const PATIENCE: usize = 3;
/// How often a delivery on which nothing is heard says that it is at work; well within every watchdog's time.
const PULSE: Duration = Duration::from_secs(5);

/// A server that takes letters.
#[derive(Debug)]
pub struct Smtp {
    desk: Desk,
}

/// What the connections and whoever hears of them share.
#[derive(Debug)]
struct Flow {
    /// As many outcomes may be on their way to the journal.
    window: Semaphore,
    /// No further letter is to be begun.
    enough: AtomicBool,
}

/// What every connection goes by.
#[derive(Debug)]
struct Desk {
    account: Account,
    keyring: Keyring,
    /// Our address: the reverse-path where the keyed one is not taken; its domain is our name in EHLO.
    address: String,
    connections: u8,
    /// The server takes no keyed address as a sender.
    plain: AtomicBool,
}

impl Smtp {
    /// Names the server; `connections` are open at once, at most. `address` is ours.
    pub fn new(account: Account, connections: u8, keyring: Keyring, address: String) -> Self {
        Self { desk: Desk::new(account, connections, keyring, address) }
    }
}

impl Desk {
    fn new(account: Account, connections: u8, keyring: Keyring, address: String) -> Self {
        Self { account, keyring, address, connections, plain: AtomicBool::new(false) }
    }

    fn domain(&self) -> &str {
        self.address.rsplit_once('@').map_or("localhost", |(_, domain)| domain)
    }

    fn has_token(&self) -> bool {
        let proof = self.account.login.as_ref().map(|login| &login.proof);
        matches!(proof, Some(ProofKind::XOauth2(_) | ProofKind::OauthBearer(_)))
    }

    /// Delivers letters until all are seen to, or nobody listens any more.
    fn work(
        &self,
        letters: &[Outgoing],
        flow: &Flow,
        reports: Sender<Report>,
        stopped: oneshot::Receiver<()>,
    ) {
        let runtime = match net::runtime() {
            Ok(runtime) => runtime,
            Err(fault) => return drop(reports.send(Report::Trouble(fault))),
        };
        let crew = Crew::new(self, letters, flow, reports);
        runtime.block_on(async {
            tokio::select! {
                () = crew.run() => {}
                _ = stopped => {}
            }
        });
        // A name that is being looked up may take its time; nobody waits for it.
        runtime.shutdown_background();
    }
}

impl Transport for Smtp {
    fn deliver(&mut self, letters: &[Outgoing], told: Told<'_>) -> Result<(), Fault> {
        let desk = &self.desk;
        let flow =
            &Flow { window: Semaphore::new(limits::UNRECORDED), enough: AtomicBool::new(false) };
        let (reports, heard) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        thread::scope(move |scope| {
            let worker = scope.spawn(move || desk.work(letters, flow, reports, stopped));
            let done = listen(&heard, flow, told);
            drop(stop);
            worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            done
        })
    }
}

/// Hands on what is heard. All that is known when the journal is free again shares its next sync. When it is to end, the
/// letters in hand are waited for, but not for long.
fn listen(heard: &Receiver<Report>, flow: &Flow, told: Told<'_>) -> Result<(), Fault> {
    let mut patience = PATIENCE;
    while patience > 0 {
        let first = match heard.recv_timeout(PULSE) {
            Ok(report) => Some(report),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if first.is_none() && flow.enough.load(Ordering::Relaxed) {
            patience -= 1;
        }
        for news in sorted(first.into_iter().chain(heard.try_iter())) {
            let count = if let News::Outcomes(records) = &news { records.len() } else { 0 };
            if told(news)?.is_break() {
                flow.enough.store(true, Ordering::Relaxed);
            }
            flow.window.add_permits(count);
        }
    }
    Ok(())
}

/// The outcomes together, then the troubles; nothing heard is news too.
fn sorted(reports: impl Iterator<Item = Report>) -> Vec<News> {
    let (mut records, mut news) = (Vec::new(), Vec::new());
    for report in reports {
        match report {
            Report::Known(record) => records.push(record),
            Report::Trouble(fault) => news.push(News::Trouble(fault)),
        }
    }
    if !records.is_empty() {
        news.insert(0, News::Outcomes(records));
    }
    if news.is_empty() {
        news.push(News::AtWork);
    }
    news
}
