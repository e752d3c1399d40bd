//! Where mail comes in and how letters leave, as `knightmail.toml` says it: a table with a `kind`, and the keys of that
//! kind. Another kind is another variant here, its keys in `places/check.rs`, an adapter, and a branch in `cli/doors.rs`.

mod check;

pub(super) use check::check;

use crate::net::{
    account::{Account, Login, ProofKind, Tls},
    oauth::OAuth,
};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

/// Where mail comes in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inbox {
    /// A Maildir.
    Maildir(PathBuf),
    /// A mailbox by IMAP (RFC 3501, RFC 9051).
    Imap(ImapPlace),
    /// A mailbox by POP3 (RFC 1939).
    Pop3(Account),
    /// Nowhere: each mail is handed to `knightmail deliver`.
    Pipe,
}

/// A mailbox by IMAP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImapPlace {
    /// The account.
    pub account: Account,
    /// The folders that are read, in this order.
    pub folders: Vec<String>,
    /// The folder of suspected spam, read for mail of known players.
    pub spam: Option<String>,
    /// The folder that mails go to when they were seen to; none: they stay and carry a flag.
    pub done: Option<String>,
}

/// How letters leave.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "a home has one")]
pub enum Outbox {
    /// Into a Maildir, from which another program carries them on.
    Maildir(PathBuf),
    /// By SMTP (RFC 5321, RFC 6409).
    Smtp(SmtpPlace),
    /// Through a program that takes mail as sendmail does.
    Sendmail(PathBuf),
}

/// A mail server that takes letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmtpPlace {
    /// The account.
    pub account: Account,
    /// How many connections are open at once, at most.
    pub connections: u8,
}

impl fmt::Display for Inbox {
    /// The place in a few words, for a line of a log or a list.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Maildir(path) => write!(f, "the Maildir {}", path.display()),
            Self::Imap(place) => write!(f, "{} by IMAP", place.account),
            Self::Pop3(account) => write!(f, "{account} by POP3"),
            Self::Pipe => f.write_str("mail handed to `knightmail deliver`"),
        }
    }
}

impl fmt::Display for Outbox {
    /// The place in a few words, for a line of a log or a list.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Maildir(path) => write!(f, "the Maildir {}", path.display()),
            Self::Smtp(place) => write!(f, "{} by SMTP", place.account),
            Self::Sendmail(path) => write!(f, "the program {}", path.display()),
        }
    }
}

/// What the tables refer to.
pub(super) struct Ground<'a> {
    pub(super) home: &'a Path,
    pub(super) oauth: &'a BTreeMap<String, OAuthTable>,
}

/// `[mailbox]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InboxTable {
    kind: InboxKind,
    path: Option<PathBuf>,
    host: Option<String>,
    port: Option<u16>,
    tls: Option<TlsWord>,
    ca: Option<PathBuf>,
    user: Option<String>,
    auth: Option<AuthWord>,
    secret: Option<String>,
    oauth: Option<String>,
    folders: Option<Vec<String>>,
    spam: Option<String>,
    done: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum InboxKind {
    Maildir,
    Imap,
    Pop3,
    Pipe,
}

/// `[transport]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutboxTable {
    kind: OutboxKind,
    path: Option<PathBuf>,
    host: Option<String>,
    port: Option<u16>,
    tls: Option<TlsWord>,
    ca: Option<PathBuf>,
    user: Option<String>,
    auth: Option<AuthWord>,
    secret: Option<String>,
    oauth: Option<String>,
    connections: Option<u8>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum OutboxKind {
    Maildir,
    Smtp,
    Sendmail,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum TlsWord {
    Implicit,
    Starttls,
    Off,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum AuthWord {
    Password,
    Xoauth2,
    Oauthbearer,
    None,
}

/// `[oauth.NAME]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OAuthTable {
    client_id: Option<String>,
    token_url: Option<String>,
    device_url: Option<String>,
    authorize_url: Option<String>,
    scope: Option<String>,
}

impl OAuthTable {
    /// Takes over what [`check()`] found right.
    pub(super) fn provider(&self, name: &str) -> OAuth {
        OAuth {
            name: name.to_owned(),
            client_id: self.client_id.clone().unwrap_or_default(),
            token_url: self.token_url.clone().unwrap_or_default(),
            device_url: self.device_url.clone(),
            authorize_url: self.authorize_url.clone(),
            scope: self.scope.clone().unwrap_or_default(),
        }
    }
}

/// The ports that a protocol has by custom.
#[derive(Clone, Copy)]
struct Ports {
    implicit: u16,
    starttls: u16,
    off: u16,
}

const IMAP: Ports = Ports { implicit: 993, starttls: 143, off: 143 };
const POP3: Ports = Ports { implicit: 995, starttls: 110, off: 110 };
const SMTP: Ports = Ports { implicit: 465, starttls: 587, off: 25 };

/// The keys of an account, which both tables have.
struct AccountKeys<'a> {
    host: Option<&'a String>,
    port: Option<u16>,
    tls: Option<TlsWord>,
    ca: Option<&'a PathBuf>,
    user: Option<&'a String>,
    auth: Option<AuthWord>,
    secret: Option<&'a String>,
    oauth: Option<&'a String>,
}

impl InboxTable {
    /// Takes over what [`check()`] found right.
    pub(super) fn place(&self, ground: &Ground<'_>) -> Inbox {
        let folder = || ground.home.join(self.path.clone().unwrap_or_default());
        match self.kind {
            InboxKind::Maildir => Inbox::Maildir(folder()),
            InboxKind::Pipe => Inbox::Pipe,
            InboxKind::Pop3 => Inbox::Pop3(self.account().account(POP3, ground)),
            InboxKind::Imap => Inbox::Imap(ImapPlace {
                account: self.account().account(IMAP, ground),
                folders: self.folders.clone().unwrap_or_else(|| vec!["INBOX".to_owned()]),
                spam: self.spam.clone(),
                done: self.done.clone(),
            }),
        }
    }

    fn account(&self) -> AccountKeys<'_> {
        AccountKeys {
            host: self.host.as_ref(),
            port: self.port,
            tls: self.tls,
            ca: self.ca.as_ref(),
            user: self.user.as_ref(),
            auth: self.auth,
            secret: self.secret.as_ref(),
            oauth: self.oauth.as_ref(),
        }
    }
}

impl OutboxTable {
    /// Takes over what [`check()`] found right.
    pub(super) fn place(&self, ground: &Ground<'_>) -> Outbox {
        let path = || ground.home.join(self.path.clone().unwrap_or_default());
        match self.kind {
            OutboxKind::Maildir => Outbox::Maildir(path()),
            OutboxKind::Sendmail => Outbox::Sendmail(path()),
            OutboxKind::Smtp => Outbox::Smtp(SmtpPlace {
                account: self.account().account(SMTP, ground),
                connections: self.connections.unwrap_or(2),
            }),
        }
    }

    fn account(&self) -> AccountKeys<'_> {
        AccountKeys {
            host: self.host.as_ref(),
            port: self.port,
            tls: self.tls,
            ca: self.ca.as_ref(),
            user: self.user.as_ref(),
            auth: self.auth,
            secret: self.secret.as_ref(),
            oauth: self.oauth.as_ref(),
        }
    }
}

impl AccountKeys<'_> {
    fn account(&self, ports: Ports, ground: &Ground<'_>) -> Account {
        let (tls, usual) = match self.tls {
            None | Some(TlsWord::Implicit) => (Tls::Implicit, ports.implicit),
            Some(TlsWord::Starttls) => (Tls::StartTls, ports.starttls),
            Some(TlsWord::Off) => (Tls::Off, ports.off),
        };
        Account {
            host: self.host.cloned().unwrap_or_default(),
            port: self.port.unwrap_or(usual),
            tls,
            ca: self.ca.map(|path| ground.home.join(path)),
            login: self.user.cloned().and_then(|user| self.login(user, ground)),
        }
    }

    fn login(&self, user: String, ground: &Ground<'_>) -> Option<Login> {
        let secret = self.secret.cloned().unwrap_or_default();
        let provider = || {
            let (name, table) = ground.oauth.get_key_value(self.oauth?)?;
            Some(table.provider(name))
        };
        let proof = match self.auth {
            Some(AuthWord::None) => return None,
            None | Some(AuthWord::Password) => ProofKind::Password(secret),
            Some(AuthWord::Xoauth2) => ProofKind::XOauth2(provider()?),
            Some(AuthWord::Oauthbearer) => ProofKind::OauthBearer(provider()?),
        };
        Some(Login { user, proof })
    }
}
