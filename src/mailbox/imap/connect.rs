//! From nothing to a session with an IMAP server: greeting, STARTTLS, what the server takes as proof, login. Until the
//! login it is spoken in plain lines; the library takes over with the command that logs in.
//!
//! Nothing is said about who we are before the connection is as secure as the configuration wants it.

use super::session::{self, Session, Trouble};
use crate::{
    config::places::ImapPlace,
    fault::Fault,
    mailbox::pause::Patience,
    net::{
        account::{Login, Proof, Tls},
        lines::Lines,
        sasl,
        tls::{self, Stream},
    },
};
use async_imap::{Authenticator, Client, error::Error};
use secrecy::ExposeSecret as _;
use std::{collections::BTreeSet, io, time::Duration};
use tokio::time::timeout;

/// Returns how faults name an account: without anything secret.
pub(super) fn name(place: &ImapPlace) -> String {
    let account = &place.account;
    let user = account.login.as_ref().map_or("", |login| login.user.as_str());
    format!("IMAP {user} at {}:{}", account.host, account.port)
}

/// Opens a session.
///
/// # Errors
/// [`Trouble::Refused`]: the server does not take the proof; another may do. [`Trouble::Lost`]: all else.
pub(super) async fn open(
    place: &ImapPlace,
    login: &Login,
    proof: &Proof,
    patience: Patience,
) -> Result<Session, Trouble> {
    let name = name(place);
    let stream = tls::connect(&place.account).await.map_err(Trouble::Lost)?;
    let mut talk = Talk { lines: Lines::new(stream), name, limit: patience.answer, said: 0 };
    talk.greeting().await?;
    if place.account.tls == Tls::StartTls {
        talk = talk.secure(place).await?;
    }
    let offered = talk.capabilities().await?;
    let name = talk.name.clone();
    let client = Client::new(talk.into_stream()?);
    let entered = timeout(patience.answer, enter(client, place, login, proof, &offered));
    let entered = entered.await.unwrap_or_else(|_| Err(session::silent(&name, patience.answer)))?;
    Session::begin(entered, name, patience).await
}

/// The talk before the login.
struct Talk {
    lines: Lines,
    name: String,
    limit: Duration,
    said: u32,
}

impl Talk {
    async fn greeting(&mut self) -> Result<(), Trouble> {
        let line = self.hear().await?;
        let first = line.to_ascii_uppercase();
        if first.starts_with("* OK") {
            Ok(())
        } else if first.starts_with("* BYE") {
            Err(session::closed(&self.name, Some(&session::words(&line))))
        } else {
            let what =
                format!("{}: what answers is no IMAP server that asks who we are", self.name);
            let remedy = "check `port` and `tls`: 993 is \"implicit\", 143 is \"starttls\"";
            Err(Trouble::Lost(Fault::passing(what, remedy)))
        }
    }

    /// Puts TLS over the connection (RFC 9051 section 6.2.1).
    async fn secure(mut self, place: &ImapPlace) -> Result<Self, Trouble> {
        let (ok, _) = self.ask("STARTTLS").await?;
        if !ok {
            let what = format!("{}: the server offers no STARTTLS", self.name);
            let remedy = "set tls = \"implicit\" and port = 993, or have the server's TLS set up";
            return Err(Trouble::Lost(Fault::passing(what, remedy)));
        }
        let Self { lines, name, limit, said } = self;
        let stream = lines.into_stream().map_err(|e| broken(&name, &e))?;
        let stream = tls::secure(stream, &place.account).await.map_err(Trouble::Lost)?;
        Ok(Self { lines: Lines::new(stream), name, limit, said })
    }

    /// Asks what the server can do, in capitals. What it said before TLS counts for nothing.
    async fn capabilities(&mut self) -> Result<BTreeSet<String>, Trouble> {
        let (_, told) = self.ask("CAPABILITY").await?;
        let lines = told.iter().map(|line| line.to_uppercase());
        let lines: Vec<String> = lines.filter(|line| line.starts_with("* CAPABILITY ")).collect();
        let words = lines.iter().flat_map(|line| line.split(' ').skip(2));
        Ok(words.map(str::to_owned).collect())
    }

    /// Sends a command; answers whether it was carried out, and the lines before its end.
    async fn ask(&mut self, command: &str) -> Result<(bool, Vec<String>), Trouble> {
        // Far more than any server says to these two commands.
        const MOST: usize = 1000;
        self.said += 1;
        let tag = format!("K{}", self.said);
        let sent = self.lines.say(&format!("{tag} {command}"), self.limit).await;
        sent.map_err(|e| broken(&self.name, &e))?;
        let mut told = Vec::new();
        while told.len() < MOST {
            let line = self.hear().await?;
            match line.strip_prefix(&tag).and_then(|rest| rest.strip_prefix(' ')) {
                Some(end) => {
                    let status = end.split(' ').next().unwrap_or_default();
                    return Ok((status.eq_ignore_ascii_case("OK"), told));
                }
                None => told.push(line),
            }
        }
        Err(session::closed(&self.name, Some("it does not come to an end")))
    }

    async fn hear(&mut self) -> Result<String, Trouble> {
        let line = self.lines.hear(self.limit).await.map_err(|e| broken(&self.name, &e))?;
        Ok(String::from_utf8_lossy(&line).into_owned())
    }

    fn into_stream(self) -> Result<Stream, Trouble> {
        self.lines.into_stream().map_err(|e| broken(&self.name, &e))
    }
}

fn broken(name: &str, error: &io::Error) -> Trouble {
    if error.kind() == io::ErrorKind::TimedOut {
        let what = format!("{name}: the server accepts the connection and says nothing");
        let remedy = "check `port` and `tls`: 993 is \"implicit\", 143 is \"starttls\"";
        return Trouble::Lost(Fault::passing(what, remedy));
    }
    session::closed(name, Some(&error.to_string()))
}

/// Shows the proof.
async fn enter(
    client: Client<Stream>,
    place: &ImapPlace,
    login: &Login,
    proof: &Proof,
    offered: &BTreeSet<String>,
) -> Result<async_imap::Session<Stream>, Trouble> {
    let words = sasl::words(&place.account, login, proof);
    let entered = match proof {
        Proof::Password(password) => {
            let password = password.expose_secret();
            let plain = offered.contains("AUTH=PLAIN");
            let disabled = offered.contains("LOGINDISABLED");
            if disabled && !plain {
                return Err(takes_no_password(place));
            }
            // LOGIN is for ASCII alone (RFC 3501 section 6.2.3); PLAIN takes UTF-8.
            if plain && (disabled || !password.is_ascii() || !login.user.is_ascii()) {
                client.authenticate(words.mechanism, Answers::from(words)).await
            } else {
                client.login(&login.user, password).await
            }
        }
        Proof::XOauth2(_) | Proof::OauthBearer(_) => {
            client.authenticate(words.mechanism, Answers::from(words)).await
        }
    };
    entered.map_err(|(error, _)| not_let_in(place, login, proof, &error))
}

fn takes_no_password(place: &ImapPlace) -> Trouble {
    let what = format!("{}: the server takes no password over this connection", name(place));
    let remedy = "set tls = \"implicit\" or \"starttls\"; or auth = \"xoauth2\", where the provider wants that";
    Trouble::Lost(Fault::passing(what, remedy))
}

/// Says why the server lets us not in, and what mends it. What it says of a passing trouble does not speak against the
/// proof (RFC 5530).
fn not_let_in(place: &ImapPlace, login: &Login, proof: &Proof, error: &Error) -> Trouble {
    let name = name(place);
    let (Error::No(said) | Error::Bad(said)) = error else { return session::broken(&name, error) };
    let said = session::words(&sasl::without(proof, info(said)));
    let what = format!("{name}: the server lets us not in: {said}");
    let passing = ["[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]"];
    if passing.iter().any(|code| said.to_uppercase().contains(code)) {
        return Trouble::Lost(Fault::passing(what, "nothing: it is tried again"));
    }
    Trouble::Refused(Fault::passing(what, login.remedy()))
}

/// Finds the server's words in the library's: `code: None, info: Some("…")`.
fn info(said: &str) -> &str {
    let words = said.split_once("info: Some(\"").map(|(_, words)| words);
    words.map_or(said, |words| words.strip_suffix("\")").unwrap_or(words))
}

/// Answers the challenges of a SASL exchange.
struct Answers {
    first: Option<String>,
    then: &'static str,
}

impl From<sasl::Words> for Answers {
    fn from(words: sasl::Words) -> Self {
        Self { first: Some(words.first), then: words.then }
    }
}

impl Authenticator for Answers {
    type Response = String;

    fn process(&mut self, _challenge: &[u8]) -> String {
        self.first.take().unwrap_or_else(|| self.then.to_owned())
    }
}
