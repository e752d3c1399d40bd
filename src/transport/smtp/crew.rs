//! A few connections at once that share one pile of letters. One that is lost is opened again and the others go on; the
//! last one that has to give up says why.

use super::{
    Desk, Flow,
    session::{Sending, Session},
};
use crate::{
    fault::Fault,
    store::transaction::{DeliveryOutcome, DeliveryRecord},
    transport::Outgoing,
};
use futures_util::future::join_all;
use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    sync::{atomic::Ordering, mpsc::Sender},
};

/// How many connections in a row may be lost over a letter before the server is left alone.
const LOST_IN_A_ROW: usize = 3;

/// What the connections report.
pub(super) enum Report {
    /// What became of a letter.
    Known(DeliveryRecord),
    /// The way out is blocked.
    Trouble(Fault),
}

/// The connections of one delivery.
pub(super) struct Crew<'a> {
    desk: &'a Desk,
    pile: RefCell<VecDeque<&'a Outgoing>>,
    at_work: Cell<usize>,
    warned: Cell<bool>,
    flow: &'a Flow,
    reports: Sender<Report>,
}

impl<'a> Crew<'a> {
    /// Takes the letters.
    pub(super) fn new(
        desk: &'a Desk,
        letters: &'a [Outgoing],
        flow: &'a Flow,
        reports: Sender<Report>,
    ) -> Self {
        let pile = RefCell::new(letters.iter().collect());
        Self { desk, pile, at_work: Cell::new(0), warned: Cell::new(false), flow, reports }
    }

    /// Delivers them. The other connections are opened when the first one stands: a wrong password is shown once.
    pub(super) async fn run(&self) {
        let first = match Session::open(self.desk).await {
            Ok(session) => session,
            Err(fault) => return self.report(Report::Trouble(fault)),
        };
        let count = usize::from(self.desk.connections.max(1)).min(self.pile.borrow().len());
        self.at_work.set(count);
        let mut first = Some(first);
        join_all((0..count).map(|_| self.man(first.take()))).await;
    }

    async fn man(&self, session: Option<Session>) {
        if let Err(fault) = self.work(session).await {
            let last = self.at_work.get() == 1;
            if last && !self.pile.borrow().is_empty() {
                self.report(Report::Trouble(fault));
            }
        }
        self.at_work.set(self.at_work.get() - 1);
    }

    async fn work(&self, session: Option<Session>) -> Result<(), Fault> {
        let mut session = match session {
            Some(session) => session,
            None => Session::open(self.desk).await?,
        };
        let mut lost_in_a_row = 0;
        while let Some(letter) = self.take() {
            if session.is_lost() {
                session = Session::open(self.desk).await.inspect_err(|_| self.put_back(letter))?;
            }
            match session.send(letter, self.desk).await {
                Sending::Done(outcome) => {
                    match outcome {
                        DeliveryOutcome::MaybeSent(_) => lost_in_a_row += 1,
                        _ => lost_in_a_row = 0,
                    }
                    self.record(letter, outcome).await;
                }
                Sending::NotForUs(reply) => {
                    self.warn(&reply);
                    self.record(letter, DeliveryOutcome::Deferred(reply)).await;
                }
                Sending::Blocked(reply) => {
                    self.put_back(letter);
                    return Err(self.blocked(&reply));
                }
                Sending::Lost { why, .. } if session.answered > 0 => {
                    // As many letters a connection as the server likes; this one gets a new one.
                    tracing::debug!("{}: {why}", self.desk.account.host);
                    self.put_back(letter);
                }
                Sending::Lost { why, begun: false } => {
                    self.put_back(letter);
                    return Err(self.blocked(&why));
                }
                Sending::Lost { why, begun: true } => {
                    lost_in_a_row += 1;
                    self.record(letter, DeliveryOutcome::Deferred(why)).await;
                }
            }
            if lost_in_a_row == LOST_IN_A_ROW {
                return Err(self.blocked("it closes the connection again and again"));
            }
        }
        session.quit().await;
        Ok(())
    }

    fn take(&self) -> Option<&'a Outgoing> {
        if self.flow.enough.load(Ordering::Relaxed) {
            return None;
        }
        self.pile.borrow_mut().pop_front()
    }

    fn put_back(&self, letter: &'a Outgoing) {
        self.pile.borrow_mut().push_front(letter);
    }

    async fn record(&self, letter: &Outgoing, outcome: DeliveryOutcome) {
        if let Ok(permit) = self.flow.window.acquire().await {
            permit.forget();
        }
        self.report(Report::Known(DeliveryRecord { letter: letter.letter, outcome }));
    }

    fn report(&self, report: Report) {
        // Nobody listens any more when the journal could not be written; then all this ends.
        let _ = self.reports.send(report);
    }

    /// Tells the operator once what is his to mend, however many letters wait for it.
    fn warn(&self, reply: &str) {
        if !self.warned.replace(true) {
            self.report(Report::Trouble(not_for_us(&self.desk.account.host, reply)));
        }
    }

    fn blocked(&self, reply: &str) -> Fault {
        let what = format!("{} takes no mail from us: {reply}", self.desk.account.host);
        let remedy = "check `address` and the account in knightmail.toml; the letters wait";
        Fault::passing(what, remedy)
    }
}

/// The fault of a server that does not carry our mail.
pub(super) fn not_for_us(host: &str, reply: &str) -> Fault {
    let what = format!("{host} does not carry our mail: {reply}");
    let remedy =
        "set `user` and `secret` of [transport], or name the server that carries mail of `address`";
    Fault::passing(what, remedy)
}
