//! A connection to the server, from the greeting to QUIT, and one letter over it: MAIL, RCPT, DATA (RFC 5321). It tells
//! apart what concerns one letter, what concerns all, and what nobody can know: whether a letter arrived whose last line
//! went out and was not answered.

use super::{Desk, login, replies, starttls, wire};
use crate::{
    fault::Fault,
    net::{
        ANSWER, CONNECT,
        account::{ProofKind, Tls},
        tls,
    },
    store::transaction::DeliveryOutcome,
    transport::Outgoing,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use lettre::transport::smtp::{
    Error, client::AsyncSmtpConnection, extension::ClientId, response::Response,
};
use secrecy::{ExposeSecret as _, SecretString};
use std::{iter, sync::atomic::Ordering, time::Duration};
use tokio::time::timeout;

/// How long a server may take over a whole letter (RFC 5321 section 4.5.3.2.6). Whoever hangs up earlier makes copies.
const LETTER: Duration = Duration::from_mins(10);

/// An open connection.
pub(super) struct Session {
    line: AsyncSmtpConnection,
    dot: wire::Dot,
    /// What the server can do.
    pub(super) offers: Offers,
    lost: Option<String>,
    /// How many letters had an answer over it.
    pub(super) answered: usize,
}

/// A command that was not granted.
#[derive(Debug)]
pub(super) enum No {
    /// The server said no, and the dialogue goes on.
    Refused {
        /// The three digits.
        code: u16,
        /// They and the words.
        text: String,
    },
    /// The connection is gone.
    Lost(String),
}

/// What became of a letter over this connection.
#[derive(Debug)]
pub(super) enum Sending {
    /// This.
    Done(DeliveryOutcome),
    /// The server does not carry mail for us to this recipient; that is ours to mend.
    NotForUs(String),
    /// The connection is gone before the letter was. `begun`: it may be for this letter's sake.
    Lost {
        /// How.
        why: String,
        /// Whether the server had taken the reverse-path.
        begun: bool,
    },
    /// The server takes no mail from us at all.
    Blocked(String),
}

/// What a server offers in its answer to EHLO.
#[derive(Debug, Default)]
pub(super) struct Offers {
    lines: Vec<String>,
}

/// How far an envelope came.
enum Stop {
    Mail(No),
    Rcpt(No),
    Data(No),
}

impl Session {
    /// Connects, secures, and proves who we are; an access token that is refused is fetched anew, once.
    ///
    /// # Errors
    /// The trouble, with its remedy.
    pub(super) async fn open(desk: &Desk) -> Result<Self, Fault> {
        match Self::open_once(desk, false).await? {
            Ok(session) => Ok(session),
            Err(_) if desk.has_token() => {
                Self::open_once(desk, true).await?.map_err(|reply| login_refused(desk, &reply))
            }
            Err(reply) => Err(login_refused(desk, &reply)),
        }
    }

    async fn open_once(desk: &Desk, fresh: bool) -> Result<Result<Self, String>, Fault> {
        let Desk { account, keyring, .. } = desk;
        let mut session = Self::greet(desk).await?;
        let Some(login) = &account.login else { return Ok(Ok(session)) };
        let proof = login.proof(keyring, fresh)?;
        match login::prove(&mut session, account, &login.user, &proof).await {
            Ok(()) => Ok(Ok(session)),
            Err(No::Refused { code, text }) if code < 500 => {
                Err(unwilling(desk, &format!("the login was put off: {text}")))
            }
            Err(No::Refused { text, .. }) => {
                session.quit().await;
                Ok(Err(text))
            }
            Err(No::Lost(why)) => Err(unwilling(desk, &why)),
        }
    }

    /// Connects and secures; nobody has said who we are yet.
    pub(super) async fn greet(desk: &Desk) -> Result<Self, Fault> {
        let (account, domain) = (&desk.account, desk.domain());
        let stream = tls::connect(account).await?;
        let (stream, ahead) = match account.tls {
            Tls::StartTls => {
                (starttls::upgrade(stream, account, domain).await?, starttls::GREETING)
            }
            Tls::Implicit | Tls::Off => (stream, &b""[..]),
        };
        let dot = wire::Dot::default();
        let wire = Box::new(wire::Wire::new(stream, ahead, dot.clone()));
        let us = ClientId::Domain(domain.to_owned());
        let opened = timeout(CONNECT, AsyncSmtpConnection::connect_with_transport(wire, &us));
        let line = opened.await.map_err(|_| unwilling(desk, "no greeting in time"))?;
        let line = line.map_err(|e| unwilling(desk, &No::of(&e).to_string()))?;
        let offers = Offers::default();
        let mut session = Self { line, dot, offers, lost: None, answered: 0 };
        session.ask_offers(desk).await?;
        Ok(session)
    }

    /// The library keeps of the answer to EHLO only what it needs itself; SIZE and DSN are not among it.
    async fn ask_offers(&mut self, desk: &Desk) -> Result<(), Fault> {
        let reply = self.say(&format!("EHLO {}", desk.domain()), ANSWER).await;
        let reply = reply.map_err(|no| unwilling(desk, &no.to_string()))?;
        self.offers.lines = reply.message().skip(1).map(str::to_ascii_uppercase).collect();
        Ok(())
    }

    /// Tells whether the connection is gone.
    pub(super) fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// Says a line and waits for the answer.
    ///
    /// # Errors
    /// The server refuses, or is gone; 421 means that it goes (RFC 5321 section 3.8).
    pub(super) async fn say(&mut self, line: &str, limit: Duration) -> Result<Response, No> {
        if let Some(why) = &self.lost {
            return Err(No::Lost(why.clone()));
        }
        let answer = timeout(limit, self.line.command(format!("{line}\r\n"))).await;
        self.weigh(answer.map_err(|_| limit))
    }

    fn weigh(&mut self, answer: Result<Result<Response, Error>, Duration>) -> Result<Response, No> {
        let no = match answer {
            Ok(Ok(reply)) => return Ok(reply),
            Ok(Err(error)) => No::of(&error),
            Err(limit) => No::Lost(format!("no answer in {} seconds", limit.as_secs())),
        };
        if let No::Lost(why) | No::Refused { code: 421, text: why } = &no {
            self.lost = Some(why.clone());
        }
        Err(no)
    }

    /// Sends one letter.
    pub(super) async fn send(&mut self, letter: &Outgoing, desk: &Desk) -> Sending {
        if let Some(why) = &self.lost {
            return Sending::Lost { why: why.clone(), begun: false };
        }
        if let Err(why) = self.offers.fits(letter) {
            return Sending::Done(DeliveryOutcome::Refused(why));
        }
        let sending = match self.address(letter, desk).await {
            Err(stop) => self.stopped(stop).await,
            Ok(()) => self.hand_over(letter).await,
        };
        if matches!(sending, Sending::Done(_) | Sending::NotForUs(_)) {
            self.answered += 1;
        }
        sending
    }

    /// Says from whom and to whom. Where the server does not take our keyed address as a sender, the plain one goes, from
    /// then on: bounces are known by the Message-ID then.
    async fn address(&mut self, letter: &Outgoing, desk: &Desk) -> Result<(), Stop> {
        let plain = || letter.from.as_deref().filter(|_| !desk.plain.load(Ordering::Relaxed));
        let Some(keyed) = plain() else { return self.envelope(letter, &desk.address).await };
        let stop = match self.envelope(letter, keyed).await {
            Err(stop) if stop.is_about_sender() => stop,
            done => return done,
        };
        self.reset().await;
        let again = self.envelope(letter, &desk.address).await;
        if again.as_ref().is_err_and(Stop::is_about_sender) {
            return Err(stop);
        }
        desk.plain.store(true, Ordering::Relaxed);
        let no = stop.no();
        tracing::warn!(
            "{} takes no sub-address as a sender ({no}); ours goes plain",
            desk.account.host
        );
        again
    }

    async fn envelope(&mut self, letter: &Outgoing, from: &str) -> Result<(), Stop> {
        let mail = self.offers.mail(letter, from);
        self.say(&mail, ANSWER).await.map_err(Stop::Mail)?;
        let rcpt = self.offers.rcpt(letter);
        self.say(&rcpt, ANSWER).await.map_err(Stop::Rcpt)?;
        let go = self.say("DATA", ANSWER).await.map_err(Stop::Data)?;
        if go.has_code(354) {
            return Ok(());
        }
        let why = format!("{} in answer to DATA", go.code());
        self.lost = Some(why.clone());
        Err(Stop::Data(No::Lost(why)))
    }

    async fn stopped(&mut self, stop: Stop) -> Sending {
        let begun = !matches!(stop, Stop::Mail(_));
        match stop {
            Stop::Mail(No::Lost(why)) | Stop::Rcpt(No::Lost(why)) | Stop::Data(No::Lost(why)) => {
                Sending::Lost { why, begun }
            }
            _ if self.is_lost() => Sending::Lost { why: stop.no().to_string(), begun },
            Stop::Mail(No::Refused { code: 552, text }) => {
                Sending::Done(DeliveryOutcome::Refused(text))
            }
            Stop::Mail(No::Refused { text, .. }) => Sending::Blocked(text),
            Stop::Rcpt(No::Refused { code, text }) | Stop::Data(No::Refused { code, text }) => {
                self.reset().await;
                if replies::is_ours_to_mend(code, &text) {
                    Sending::NotForUs(text)
                } else {
                    Sending::Done(outcome(code, text))
                }
            }
        }
    }

    async fn hand_over(&mut self, letter: &Outgoing) -> Sending {
        self.dot.clear();
        // The line break before the final dot is the letter's own last one.
        let body = letter.bytes.strip_suffix(b"\r\n").unwrap_or(&letter.bytes);
        let answer = timeout(LETTER, self.line.message(body)).await;
        match self.weigh(answer.map_err(|_| LETTER)) {
            Ok(_) => Sending::Done(DeliveryOutcome::Sent),
            Err(No::Refused { code, text }) if replies::is_ours_to_mend(code, &text) => {
                Sending::NotForUs(text)
            }
            Err(No::Refused { code, text }) => Sending::Done(outcome(code, text)),
            Err(No::Lost(why)) if self.dot.is_out() => {
                Sending::Done(DeliveryOutcome::MaybeSent(why))
            }
            Err(No::Lost(why)) => Sending::Lost { why, begun: true },
        }
    }

    /// Forgets the envelope that was begun.
    async fn reset(&mut self) {
        // A server that does not even do this is found out at the next letter.
        let _ = self.say("RSET", ANSWER).await;
    }

    /// Takes leave; what the server says to that changes nothing.
    pub(super) async fn quit(&mut self) {
        let _ = self.say("QUIT", Duration::from_secs(5)).await;
    }

    /// Says whom a letter would come from and go to, and takes it back: nothing is sent.
    ///
    /// # Errors
    /// What the server does not take, and its words.
    pub(super) async fn rehearse(&mut self, from: &str, to: &str) -> Result<(), (String, No)> {
        let mail = format!("MAIL FROM:<{from}>");
        self.say(&mail, ANSWER).await.map_err(|no| (mail, no))?;
        let rcpt = format!("RCPT TO:<{to}>");
        self.say(&rcpt, ANSWER).await.map_err(|no| (rcpt, no))?;
        self.reset().await;
        Ok(())
    }
}

impl Offers {
    fn has(&self, keyword: &str) -> bool {
        self.parameters(keyword).is_some()
    }

    fn parameters(&self, keyword: &str) -> Option<impl Iterator<Item = &str>> {
        let mut lines = self.lines.iter().map(|line| line.split([' ', '=']));
        lines.find_map(|mut words| (words.next() == Some(keyword)).then_some(words))
    }

    /// Tells whether a login may be proved in this way.
    pub(super) fn proves(&self, mechanism: &str) -> bool {
        self.parameters("AUTH").is_some_and(|mut words| words.any(|word| word == mechanism))
    }

    /// Names the ways in which a login may be proved.
    pub(super) fn proofs(&self) -> String {
        let words: Vec<&str> = self.parameters("AUTH").into_iter().flatten().collect();
        if words.is_empty() { "no login here".to_owned() } else { words.join(", ") }
    }

    /// The largest letter that is taken (RFC 1870); 0 and no number mean that the server names no limit.
    fn size(&self) -> Option<usize> {
        let size = self.parameters("SIZE")?.next()?.parse().ok()?;
        (size > 0).then_some(size)
    }

    /// Tells why a letter is not even offered, with the code that a server would give (RFC 3463).
    fn fits(&self, letter: &Outgoing) -> Result<(), String> {
        let to = letter.to.as_deref().unwrap_or_default();
        let odd = |c: char| c.is_control() || c.is_whitespace() || matches!(c, '<' | '>');
        if !to.contains('@') || to.contains(odd) {
            return Err("553 5.1.3 its address cannot stand on an envelope".to_owned());
        }
        let size = letter.bytes.len();
        if let Some(most) = self.size().filter(|most| size > *most) {
            return Err(format!(
                "552 5.3.4 the server takes {most} bytes, and the letter has {size}"
            ));
        }
        if !to.is_ascii() && !self.has("SMTPUTF8") {
            return Err("550 5.6.7 the server takes no address beyond ASCII (SMTPUTF8)".to_owned());
        }
        if !letter.bytes.is_ascii() && !self.has("8BITMIME") {
            return Err("550 5.6.3 the server takes no letter beyond ASCII (8BITMIME)".to_owned());
        }
        Ok(())
    }

    fn mail(&self, letter: &Outgoing, from: &str) -> String {
        let to = letter.to.as_deref().unwrap_or_default();
        let token = letter.from.as_deref().and_then(token).filter(|_| self.has("DSN"));
        let size = self.has("SIZE").then(|| format!("SIZE={}", letter.bytes.len()));
        let body = (!letter.bytes.is_ascii()).then(|| "BODY=8BITMIME".to_owned());
        let utf8 = (!to.is_ascii()).then(|| "SMTPUTF8".to_owned());
        let ret = self.has("DSN").then(|| "RET=HDRS".to_owned());
        let envid = token.map(|token| format!("ENVID={}", xtext(token)));
        let words = [size, body, utf8, ret, envid].into_iter().flatten();
        iter::once(format!("MAIL FROM:<{from}>")).chain(words).collect::<Vec<_>>().join(" ")
    }

    fn rcpt(&self, letter: &Outgoing) -> String {
        let to = letter.to.as_deref().unwrap_or_default();
        let notify = if self.has("DSN") { " NOTIFY=FAILURE,DELAY" } else { "" };
        format!("RCPT TO:<{to}>{notify}")
    }
}

impl No {
    fn of(error: &Error) -> Self {
        let words = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
        match error.status() {
            Some(code) => Self::Refused {
                code: code.into(),
                text: format!("{code} {words}").trim_end().to_owned(),
            },
            None if words == "incomplete response" => {
                Self::Lost("the server closed the connection".to_owned())
            }
            None => Self::Lost(error.to_string()),
        }
    }

    /// Leaves out the words of a server that repeats what it was shown.
    pub(super) fn without(self, secret: &SecretString) -> Self {
        let plain = secret.expose_secret();
        let encoded = STANDARD.encode(plain);
        match self {
            Self::Refused { code, text } => {
                let parrots = text.contains(plain) || text.contains(encoded.trim_end_matches('='));
                // Inside of PLAIN and XOAUTH2 the encoding is another one; no honest word is as long.
                let parrots =
                    parrots || text.split_whitespace().any(|word| is_encoded(word, plain));
                let text = if parrots { code.to_string() } else { text };
                Self::Refused { code, text }
            }
            lost @ Self::Lost(_) => lost,
        }
    }
}

impl std::fmt::Display for No {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Refused { text, .. } | Self::Lost(text)) = self;
        f.write_str(text)
    }
}

impl Stop {
    fn no(&self) -> &No {
        let (Self::Mail(no) | Self::Rcpt(no) | Self::Data(no)) = self;
        no
    }

    /// Tells whether it is our address that is not taken. Many servers say it only when they know the recipient.
    fn is_about_sender(&self) -> bool {
        match self {
            Self::Mail(No::Refused { code, .. }) => (500..600).contains(code) && *code != 552,
            Self::Rcpt(No::Refused { code, text }) => *code >= 500 && replies::names_sender(text),
            _ => false,
        }
    }
}

fn outcome(code: u16, text: String) -> DeliveryOutcome {
    if code < 500 { DeliveryOutcome::Deferred(text) } else { DeliveryOutcome::Refused(text) }
}

fn is_encoded(word: &str, plain: &str) -> bool {
    let decoded = STANDARD.decode(word.trim_matches(['<', '>', '"', '\'', '.', ',']));
    decoded.is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(plain))
}

/// The letter's token, as it stands in its keyed address.
fn token(from: &str) -> Option<&str> {
    Some(from.rsplit_once('@')?.0.split_once('+')?.1)
}

/// Writes a value of a DSN parameter (RFC 3461 section 4).
fn xtext(value: &str) -> String {
    let plain = |b: u8| b.is_ascii_graphic() && b != b'+' && b != b'=';
    let write = |b: u8| if plain(b) { char::from(b).to_string() } else { format!("+{b:02X}") };
    value.bytes().map(write).collect()
}

fn unwilling(desk: &Desk, why: &str) -> Fault {
    let what = format!("{}:{} does not serve us: {why}", desk.account.host, desk.account.port);
    Fault::passing(what, "read its words; letters wait, and it is tried again by itself")
}

fn login_refused(desk: &Desk, reply: &str) -> Fault {
    let login = desk.account.login.as_ref();
    let (user, remedy) = match login.map(|login| (&login.user, &login.proof)) {
        Some((user, ProofKind::Password(name))) => (
            user.as_str(),
            format!(
                "write the right password into the secret `{name}`; many providers want a password of its own for a program"
            ),
        ),
        Some((user, ProofKind::XOauth2(oauth) | ProofKind::OauthBearer(oauth))) => {
            (user.as_str(), format!("sign in once more: knightmail login {}", oauth.name))
        }
        None => ("", String::new()),
    };
    Fault::passing(
        format!("{}: the login of {user} is refused: {reply}", desk.account.host),
        remedy,
    )
}
