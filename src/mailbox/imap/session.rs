//! A session with an IMAP server (RFC 3501): a command goes out, what comes back is read under a time limit. What the
//! server refuses leaves the session as it was; everything else ends it, since nobody knows then what was done.
//!
//! The library's own errors quote what was received, and that is people's mail: none of its texts goes on from here.

use crate::{fault::Fault, mailbox::pause::Patience, net::tls::Stream};
use async_imap::{
    error::Error,
    imap_proto::{AttributeValue, Capability, MailboxDatum, Response, ResponseCode, Status},
};
use std::{collections::BTreeSet, io, time::Duration};
use tokio::time::timeout;

pub(super) use crate::mailbox::trouble::Trouble;

/// How a command ended.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) ok: bool,
    /// The server would do it if the folder were made first (RFC 3501 section 7.1).
    pub(super) try_create: bool,
    /// The server's words.
    pub(super) text: String,
}

/// The folder that is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Selected {
    pub(super) folder: String,
    /// Which life of the folder the UIDs belong to.
    pub(super) validity: u32,
    /// How many mails are in it.
    pub(super) exists: u32,
    /// Which flags can be set for good; none: the server does not say.
    pub(super) permanent: Option<Vec<String>>,
}

/// A session after the login.
#[derive(Debug)]
pub(super) struct Session {
    inner: async_imap::Session<Stream>,
    /// The account, as faults name it.
    pub(super) name: String,
    pub(super) patience: Patience,
    /// What the server can do, in capitals.
    capabilities: BTreeSet<String>,
    pub(super) selected: Option<Selected>,
}

impl Session {
    /// Takes over after the login, and asks what the server can do now.
    pub(super) async fn begin(
        inner: async_imap::Session<Stream>,
        name: String,
        patience: Patience,
    ) -> Result<Self, Trouble> {
        let capabilities = BTreeSet::new();
        let mut session = Self { inner, name, patience, capabilities, selected: None };
        let mut words = BTreeSet::new();
        let hear = |response: &Response<'_>| {
            if let Response::Capabilities(list) = response {
                words.extend(list.iter().filter_map(|word| match word {
                    Capability::Atom(word) => Some(word.to_uppercase()),
                    Capability::Imap4rev1 | Capability::Auth(_) => None,
                }));
            }
        };
        session.must("CAPABILITY", session.patience.answer, hear).await?;
        session.capabilities = words;
        Ok(session)
    }

    /// Tells whether the server says that it can do something.
    pub(super) fn can(&self, capability: &str) -> bool {
        self.capabilities.contains(capability)
    }

    /// Sends a command and hands everything that comes before its end to `hear`.
    pub(super) async fn command(
        &mut self,
        line: &str,
        limit: Duration,
        mut hear: impl FnMut(&Response<'_>),
    ) -> Result<Reply, Trouble> {
        let name = self.name.clone();
        let exchange = async {
            let id = self.inner.run_command(line).await.map_err(|e| broken(&name, &e))?;
            let mut last_words = None;
            let mut reply = None;
            let mut take = |response: &Response<'_>| match response {
                Response::Done { tag, status, outcome } if *tag == id => {
                    reply = Some(Reply {
                        ok: *status == Status::Ok,
                        try_create: outcome.code == Some(ResponseCode::TryCreate),
                        text: words(outcome.information.as_deref().unwrap_or_default()),
                    });
                    true
                }
                Response::Data { status: Status::Bye, outcome } => {
                    last_words = outcome.information.as_deref().map(words);
                    false
                }
                other => {
                    hear(other);
                    false
                }
            };
            while let Some(ended) = self.next(&mut take).await? {
                if ended {
                    break;
                }
            }
            if let Some(reply) = reply {
                return Ok(reply);
            }
            Err(closed(&name, last_words.as_deref()))
        };
        timeout(limit, exchange).await.unwrap_or_else(|_| Err(silent(&self.name, limit)))
    }

    /// Sends a command that must be carried out.
    pub(super) async fn must(
        &mut self,
        line: &str,
        limit: Duration,
        hear: impl FnMut(&Response<'_>),
    ) -> Result<(), Trouble> {
        let reply = self.command(line, limit, hear).await?;
        if reply.ok { Ok(()) } else { Err(self.refused(line, &reply)) }
    }

    /// Returns the refusal of a command.
    pub(super) fn refused(&self, line: &str, reply: &Reply) -> Trouble {
        let command: Vec<&str> = line.split(' ').take(2).collect();
        let what =
            format!("{}: the server refuses {}: {}", self.name, command.join(" "), reply.text);
        Trouble::Refused(Fault::passing(what, "look at the mailbox on the server, and at its log"))
    }

    /// Opens a folder, or looks at it anew.
    pub(super) async fn select(&mut self, folder: &str) -> Result<Selected, Trouble> {
        self.selected = None;
        let mut found = Selected { folder: folder.to_owned(), ..Selected::default() };
        let hear = |response: &Response<'_>| match response {
            Response::Data { outcome, .. } => match &outcome.code {
                Some(ResponseCode::UidValidity(validity)) => found.validity = *validity,
                Some(ResponseCode::PermanentFlags(flags)) => {
                    found.permanent = Some(flags.iter().map(|flag| flag.to_lowercase()).collect());
                }
                _ => {}
            },
            Response::MailboxData(MailboxDatum::Exists(exists)) => found.exists = *exists,
            _ => {}
        };
        let line = format!("SELECT {}", quoted(folder));
        let reply = self.command(&line, self.patience.answer, hear).await?;
        if !reply.ok {
            return Err(self.no_folder(folder, &reply).await);
        }
        self.selected = Some(found.clone());
        Ok(found)
    }

    async fn no_folder(&mut self, folder: &str, reply: &Reply) -> Trouble {
        let what = format!("{}: the folder `{folder}` cannot be opened: {}", self.name, reply.text);
        let remedy = match self.folders().await {
            Ok(folders) if !folders.is_empty() => {
                format!("name one that is there: {}", folders.join(", "))
            }
            _ => "name a folder that is there in knightmail.toml".to_owned(),
        };
        Trouble::Refused(Fault::passing(what, remedy))
    }

    /// Returns the names of the first folders.
    async fn folders(&mut self) -> Result<Vec<String>, Trouble> {
        const SHOWN: usize = 20;
        let mut names = Vec::new();
        let hear = |response: &Response<'_>| {
            if let Response::MailboxData(MailboxDatum::List(list)) = response
                && names.len() < SHOWN
            {
                names
                    .push(super::utf7::decode(&list.name).unwrap_or_else(|| list.name.to_string()));
            }
        };
        self.must("LIST \"\" \"*\"", self.patience.answer, hear).await?;
        names.sort();
        Ok(names)
    }

    /// Waits in IDLE (RFC 2177) for so long, or until the server tells of a new mail; answers whether it did.
    pub(super) async fn idle(&mut self, for_so_long: Duration) -> Result<bool, Trouble> {
        let (name, answer) = (self.name.clone(), self.patience.answer);
        let begun = async {
            self.inner.run_command("IDLE").await.map_err(|e| broken(&name, &e))?;
            let mut news = false;
            while let Some(said) = self.next(said).await? {
                match said {
                    Said::Continue => return Ok(news),
                    Said::NewMail => news = true,
                    Said::Done | Said::Bye => break,
                    Said::Other => {}
                }
            }
            Err(closed(&name, Some("it does not take IDLE")))
        };
        let begun = timeout(answer, begun).await;
        let early = begun.unwrap_or_else(|_| Err(silent(&self.name, answer)))?;
        let news = early || timeout(for_so_long, self.news()).await.unwrap_or(Ok(false))?;
        let ended = async {
            self.inner.run_command_untagged("DONE").await.map_err(|e| broken(&name, &e))?;
            while let Some(said) = self.next(said).await? {
                if said == Said::Done {
                    return Ok(());
                }
            }
            Err(closed(&name, None))
        };
        timeout(answer, ended).await.unwrap_or_else(|_| Err(silent(&self.name, answer)))?;
        Ok(news)
    }

    /// Waits until the server tells of a new mail.
    async fn news(&mut self) -> Result<bool, Trouble> {
        while let Some(said) = self.next(said).await? {
            match said {
                Said::NewMail => return Ok(true),
                Said::Bye => break,
                Said::Continue | Said::Done | Said::Other => {}
            }
        }
        Err(closed(&self.name, None))
    }

    /// Returns what `take` makes of the next response; none where the connection has ended.
    async fn next<T>(
        &mut self,
        take: impl FnOnce(&Response<'_>) -> T,
    ) -> Result<Option<T>, Trouble> {
        let response = self.inner.read_response().await;
        let response = response.map_err(|e| broken(&self.name, &Error::Io(e)))?;
        Ok(response.map(|response| take(response.parsed())))
    }
}

/// What a server says in IDLE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Continue,
    NewMail,
    Done,
    Bye,
    Other,
}

fn said(response: &Response<'_>) -> Said {
    match response {
        Response::Continue(_) => Said::Continue,
        Response::MailboxData(MailboxDatum::Exists(_)) => Said::NewMail,
        Response::Done { .. } => Said::Done,
        Response::Data { status: Status::Bye, .. } => Said::Bye,
        _ => Said::Other,
    }
}

/// Returns the number and the bytes of a mail that a response brings. Attributes come in any order, and some are not
/// there.
pub(super) fn body<'a>(response: &'a Response<'_>) -> Option<(u32, Option<&'a [u8]>)> {
    let Response::Fetch(_, attributes) = response else { return None };
    let uid = attributes.iter().find_map(|attribute| match attribute {
        AttributeValue::Uid(uid) => Some(*uid),
        _ => None,
    });
    let bytes = attributes.iter().find_map(|attribute| match attribute {
        AttributeValue::BodySection { section: None, data, .. } => data.as_deref(),
        _ => None,
    });
    Some((uid?, bytes))
}

/// Writes a folder's name into a command.
pub(super) fn quoted(folder: &str) -> String {
    let name = super::utf7::encode(folder);
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns what a server says so that it fits into a line of ours.
pub(super) fn words(text: &str) -> String {
    const SHOWN: usize = 200;
    text.chars().filter(|letter| !letter.is_control()).take(SHOWN).collect()
}

const AGAIN: &str =
    "nothing: it is tried again; if it stays so, look at the server and the network";

pub(super) fn silent(name: &str, limit: Duration) -> Trouble {
    let what = format!("{name}: no answer within {limit:?}");
    Trouble::Lost(Fault::passing(what, AGAIN))
}

pub(super) fn closed(name: &str, why: Option<&str>) -> Trouble {
    let why = why.map(|why| format!(": {why}")).unwrap_or_default();
    Trouble::Lost(Fault::passing(format!("{name}: the server broke off{why}"), AGAIN))
}

/// Returns why a session is over, without what was received.
pub(super) fn broken(name: &str, error: &Error) -> Trouble {
    match error {
        Error::Io(error) => match error.kind() {
            io::ErrorKind::Other | io::ErrorKind::InvalidData => {
                let what = format!("{name}: the server's answer cannot be read");
                Trouble::Lost(Fault::passing(what, AGAIN))
            }
            kind => closed(name, Some(&kind.to_string())),
        },
        _ => closed(name, None),
    }
}
