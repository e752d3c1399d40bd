//! A mailbox by POP3 (RFC 1939), for providers that have nothing else. There are no folders and no flags: a mail waits
//! until it is deleted, and it is deleted only when it is durable here.
//!
//! A look is a session. What is to be deleted is marked and made true by QUIT, so that the next mails are fetched in
//! another session; the mails are told apart by their unique ids (UIDL). Without such ids nothing could be deleted
//! safely, and that is said instead.

mod session;

use super::{
    Arrival, Mailbox, Waiting,
    pause::{Patience, Pause},
};
use crate::{
    fault::Fault,
    net::{
        self,
        account::{Account, ProofKind},
        secret::Keyring,
    },
};
use session::{Session, Trouble, name};
use std::collections::{HashMap, HashSet};
use tokio::runtime::Runtime;

/// A mailbox on a POP3 server.
pub struct Pop3Mailbox {
    account: Account,
    keyring: Keyring,
    patience: Patience,
    runtime: Option<Runtime>,
    session: Option<Session>,
    pause: Pause,
    /// The unique ids of the mails that the last look found, by our keys.
    ids: HashMap<String, String>,
    /// Mails over which a session was lost, with a pause each.
    troubled: HashMap<String, Pause>,
}

impl Pop3Mailbox {
    /// Names the mailbox; connects at the first look.
    pub fn new(account: Account, keyring: Keyring) -> Self {
        Self::with_patience(account, keyring, Patience::default())
    }

    /// The same, with other limits of time.
    pub fn with_patience(account: Account, keyring: Keyring, patience: Patience) -> Self {
        Self {
            account,
            keyring,
            patience,
            runtime: None,
            session: None,
            pause: Pause::new(patience),
            ids: HashMap::new(),
            troubled: HashMap::new(),
        }
    }

    /// Does a job in the session at hand, or in a new one whose mails are listed.
    fn run<T>(
        &mut self,
        job: impl AsyncFn(Session) -> (Option<Session>, Result<T, Trouble>),
    ) -> Result<T, Fault> {
        let session = match self.session.take() {
            Some(session) => session,
            None => self.connect()?.0,
        };
        let runtime = runtime(&mut self.runtime)?;
        let (session, done) = runtime.block_on(job(session));
        self.session = session;
        if let Err(Trouble::Lost(fault)) = &done {
            self.session = None;
            self.pause.lost(fault);
        }
        done.map_err(Trouble::fault)
    }

    /// Opens a session and lists its mails.
    fn connect(&mut self) -> Result<(Session, Vec<String>), Fault> {
        self.pause.over()?;
        let opened = self.open();
        opened.map_err(Trouble::fault).inspect_err(|fault| self.pause.failed(fault))
    }

    fn open(&mut self) -> Result<(Session, Vec<String>), Trouble> {
        let is_password = |kind: &ProofKind| matches!(kind, ProofKind::Password(_));
        match self.enter(false) {
            // An access token may have run out before its time.
            Err(Trouble::Refused(_))
                if self.account.login.as_ref().is_some_and(|login| !is_password(&login.proof)) =>
            {
                self.enter(true)
            }
            entered => entered,
        }
    }

    fn enter(&mut self, fresh: bool) -> Result<(Session, Vec<String>), Trouble> {
        let Some(login) = &self.account.login else {
            let what = format!("{}: POP3 wants to know who we are", name(&self.account));
            return Err(Trouble::Lost(Fault::passing(what, "set `user` in knightmail.toml")));
        };
        let proof = login.proof(&self.keyring, fresh).map_err(Trouble::Lost)?;
        let runtime = runtime(&mut self.runtime).map_err(Trouble::Lost)?;
        runtime.block_on(async {
            let mut session = Session::open(&self.account, login, &proof, self.patience).await?;
            let ids = session.list().await.map_err(|trouble| Trouble::Lost(trouble.fault()))?;
            Ok((session, ids))
        })
    }
}

fn runtime(kept: &mut Option<Runtime>) -> Result<&mut Runtime, Fault> {
    match kept {
        Some(runtime) => Ok(runtime),
        None => Ok(kept.insert(net::runtime()?)),
    }
}

impl Mailbox for Pop3Mailbox {
    fn waiting(&mut self) -> Result<Waiting, Fault> {
        self.ids.clear();
        // A session sees the mailbox as it was at the login.
        self.session = None;
        let (session, ids) = self.connect()?;
        let troubles = session.trouble().into_iter().collect();
        self.session = Some(session);
        self.pause.worked();
        let user = self.account.login.as_ref().map_or("", |login| login.user.as_str());
        let mut arrivals = Vec::new();
        for id in ids {
            let key = format!("{user}@{} pop3:UIDL={id}", self.account.host);
            if !self.troubled.get(&key).is_some_and(Pause::is_on) {
                arrivals.push(Arrival { key: key.clone(), ..Arrival::default() });
            }
            self.ids.insert(key, id);
        }
        self.troubled.retain(|key, _| self.ids.contains_key(key));
        Ok(Waiting { arrivals, troubles, deaf: false })
    }

    fn fetch(&mut self, arrival: &Arrival) -> Result<Option<Vec<u8>>, Fault> {
        let Some(id) = self.ids.get(&arrival.key).cloned() else { return Ok(None) };
        let had_session = self.session.is_some() || self.pause.over().is_ok();
        let fetched = self.run(async |mut session| {
            let Some(number) = session.numbers.get(&id).copied() else {
                return (Some(session), Ok(None));
            };
            let fetched = session.fetch(number).await;
            (Some(session), fetched.map(Some))
        });
        match &fetched {
            Ok(_) => self.pause.worked(),
            Err(fault) if had_session => {
                let patience = self.patience;
                let pause = self.troubled.entry(arrival.key.clone());
                pause.or_insert_with(|| Pause::new(patience)).failed(fault);
            }
            Err(_) => {}
        }
        fetched
    }

    fn file_away(&mut self, arrivals: &[Arrival]) -> Result<(), Fault> {
        let ids: HashSet<&String> =
            arrivals.iter().filter_map(|arrival| self.ids.get(&arrival.key)).collect();
        let ids: Vec<String> = ids.into_iter().cloned().collect();
        if ids.is_empty() {
            return Ok(());
        }
        self.run(async |mut session| {
            for id in &ids {
                let Some(number) = session.numbers.get(id).copied() else { continue };
                if let Err(trouble) = session.delete(number).await {
                    return (Some(session), Err(trouble));
                }
            }
            (None, session.quit().await)
        })
    }
}
