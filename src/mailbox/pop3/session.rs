//! A session with a POP3 server (RFC 1939): greeting, CAPA (RFC 2449), STLS (RFC 2595), login (RFC 1939, RFC 5034), and
//! the few commands that fetching needs. Every answer has its time limit.

use crate::{
    fault::Fault,
    mailbox::pause::Patience,
    net::{
        account::{Account, Login, Proof, Tls},
        lines::Lines,
        sasl, tls,
    },
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use secrecy::ExposeSecret as _;
use std::{collections::HashMap, io};
use tokio::time::timeout;

pub(super) use crate::mailbox::trouble::Trouble;

/// The largest mail that is taken from the line, in bytes: what one may cost of our memory.
const MOST: usize = 128 * 1024 * 1024;

/// A session.
#[derive(Debug)]
pub(super) struct Session {
    lines: Lines,
    name: String,
    patience: Patience,
    /// The number that each mail has in this session, by its unique id.
    pub(super) numbers: HashMap<String, u32>,
    /// How many mails have an id that another one has too.
    repeated: usize,
}

/// Returns how faults name an account: without anything secret.
pub(super) fn name(account: &Account) -> String {
    let user = account.login.as_ref().map_or("", |login| login.user.as_str());
    format!("POP3 {user} at {}:{}", account.host, account.port)
}

impl Session {
    /// Opens a session and logs in.
    ///
    /// # Errors
    /// [`Trouble::Refused`]: the server does not take the proof; another may do. [`Trouble::Lost`]: all else.
    pub(super) async fn open(
        account: &Account,
        login: &Login,
        proof: &Proof,
        patience: Patience,
    ) -> Result<Self, Trouble> {
        let lines = Lines::new(tls::connect(account).await.map_err(Trouble::Lost)?);
        let numbers = HashMap::new();
        let mut session = Self { lines, name: name(account), patience, numbers, repeated: 0 };
        session.status().await.map_err(|said| session.no_pop3(said))?;
        if account.tls == Tls::StartTls {
            session = session.secure(account).await?;
        }
        let can = session.capabilities().await?;
        session.enter(account, login, proof, &can).await?;
        Ok(session)
    }

    /// Puts TLS over the connection.
    async fn secure(mut self, account: &Account) -> Result<Self, Trouble> {
        if let Err(said) = self.ask("STLS").await {
            let remedy = "set tls = \"implicit\" and port = 995, or have the server's TLS set up";
            return Err(self.fail(said, "the server offers no STLS", remedy));
        }
        let Self { lines, name, patience, numbers, repeated } = self;
        let stream = lines.into_stream().map_err(|error| broken(&name, &error))?;
        let stream = tls::secure(stream, account).await.map_err(Trouble::Lost)?;
        Ok(Self { lines: Lines::new(stream), name, patience, numbers, repeated })
    }

    /// Asks what the server can do, in capitals. One that does not know the question can do what is in RFC 1939.
    async fn capabilities(&mut self) -> Result<Vec<String>, Trouble> {
        match self.ask("CAPA").await {
            Ok(_) => {
                let told = self.many().await?;
                Ok(told.iter().map(|line| line.to_uppercase()).collect())
            }
            Err(Said::No(_)) => Ok(Vec::new()),
            Err(Said::Nothing(trouble)) => Err(trouble),
        }
    }

    async fn enter(
        &mut self,
        account: &Account,
        login: &Login,
        proof: &Proof,
        can: &[String],
    ) -> Result<(), Trouble> {
        let words = sasl::words(account, login, proof);
        let has_user = can.is_empty() || can.iter().any(|line| line == "USER");
        let has_plain = can.iter().any(|line| {
            line.strip_prefix("SASL ").is_some_and(|list| list.split(' ').any(|m| m == "PLAIN"))
        });
        let entered = match proof {
            Proof::Password(password) if has_user => {
                match self.ask(&format!("USER {}", login.user)).await {
                    Ok(_) => self.ask(&format!("PASS {}", password.expose_secret())).await,
                    no => no,
                }
            }
            Proof::Password(_) if !has_plain => {
                let what =
                    format!("{}: the server takes no password over this connection", self.name);
                let remedy = "set tls = \"implicit\" or \"starttls\"; or auth = \"xoauth2\", where the provider wants that";
                return Err(Trouble::Lost(Fault::passing(what, remedy)));
            }
            _ => self.prove(&words).await,
        };
        let Err(mut said) = entered else { return Ok(()) };
        if let Said::No(text) = &mut said {
            *text = sasl::without(proof, text);
        }
        // RFC 3206 tells what is wrong with the server from what is wrong with us.
        let passing = matches!(&said, Said::No(text)
            if ["[IN-USE]", "[LOGIN-DELAY]", "[SYS/TEMP]"].iter().any(|code| text.to_uppercase().contains(code)));
        let remedy = login.remedy();
        match self.fail(said, "the server lets us not in", &remedy) {
            Trouble::Refused(fault) if passing => {
                Err(Trouble::Lost(Fault::passing(fault.what, "nothing: it is tried again")))
            }
            other => Err(other),
        }
    }

    /// Goes through a SASL exchange. The first words go on a line of their own, since tokens are longer than a command
    /// may be (RFC 5034 section 4).
    async fn prove(&mut self, words: &sasl::Words) -> Result<String, Said> {
        let mut said = self.ask(&format!("AUTH {}", words.mechanism)).await?;
        for answer in [words.first.as_str(), words.then] {
            if !said.starts_with('+') || said.starts_with("+OK") {
                break;
            }
            said = self.ask(&STANDARD.encode(answer)).await?;
        }
        Ok(said)
    }

    /// Lists the mails by their unique ids, in the server's order.
    ///
    /// # Errors
    /// The server gives no ids.
    pub(super) async fn list(&mut self) -> Result<Vec<String>, Trouble> {
        if let Err(said) = self.ask("UIDL").await {
            let remedy = "use IMAP, or another provider: without these ids a mail cannot be told from another, and what \
                          is not yet taken in might be deleted";
            return Err(self.fail(said, "the server gives its mails no unique ids (UIDL)", remedy));
        }
        let mut listed: Vec<(u32, String)> = Vec::new();
        for line in self.many().await? {
            let mut words = line.split_whitespace();
            let number = words.next().and_then(|word| word.parse().ok());
            if let (Some(number), Some(id)) = (number, words.next()) {
                listed.push((number, id.to_owned()));
            }
        }
        let mut counts: HashMap<String, usize> = HashMap::new();
        for (_, id) in &listed {
            *counts.entry(id.clone()).or_default() += 1;
        }
        let mails = listed.len();
        listed.retain(|(_, id)| counts.get(id) == Some(&1));
        self.repeated = mails - listed.len();
        self.numbers = listed.iter().map(|(number, id)| (id.clone(), *number)).collect();
        Ok(listed.into_iter().map(|(_, id)| id).collect())
    }

    /// Returns what is wrong with the ids of the last list.
    pub(super) fn trouble(&self) -> Option<Fault> {
        // Which of them would be deleted? Perhaps the one that was never fetched.
        let what = format!(
            "{}: {} mails share their unique ids with others and are left alone",
            self.name, self.repeated
        );
        let remedy = "look at them with another mail program; use IMAP where the provider has it";
        (self.repeated > 0).then(|| Fault::passing(what, remedy))
    }

    /// Fetches a mail.
    pub(super) async fn fetch(&mut self, number: u32) -> Result<Vec<u8>, Trouble> {
        if let Err(said) = self.ask(&format!("RETR {number}")).await {
            let remedy = "look at it with another mail program; the mails behind it go on";
            return Err(self.fail(said, "a mail cannot be fetched", remedy));
        }
        let limit = self.patience.with(MOST);
        let mut mail = Vec::new();
        let fetched = async {
            loop {
                let line = self.lines.hear(self.patience.answer).await?;
                match line.strip_prefix(b".") {
                    Some(b"") => return Ok(mail),
                    Some(stuffed) => mail.extend_from_slice(stuffed),
                    None => mail.extend_from_slice(&line),
                }
                mail.extend_from_slice(b"\r\n");
                if mail.len() > MOST {
                    return Err(io::Error::other("a mail is larger than any that is taken"));
                }
            }
        };
        let fetched = timeout(limit, fetched).await.unwrap_or_else(|late| Err(late.into()));
        fetched.map_err(|error| broken(&self.name, &error))
    }

    /// Marks a mail as deleted; `quit` makes it true.
    pub(super) async fn delete(&mut self, number: u32) -> Result<(), Trouble> {
        let deleted = self.ask(&format!("DELE {number}")).await;
        deleted.map(drop).map_err(|said| {
            self.fail(
                said,
                "a mail cannot be deleted",
                "look at the mailbox's rights on the server",
            )
        })
    }

    /// Ends the session, which is when what was marked is deleted (RFC 1939 section 6).
    pub(super) async fn quit(mut self) -> Result<(), Trouble> {
        let ended = self.ask("QUIT").await;
        ended.map(drop).map_err(|said| {
            self.fail(said, "what was marked is not deleted", "look at the mailbox on the server")
        })
    }

    /// Sends a command and returns the status line.
    async fn ask(&mut self, command: &str) -> Result<String, Said> {
        let sent = self.lines.say(command, self.patience.answer).await;
        sent.map_err(|error| Said::Nothing(broken(&self.name, &error)))?;
        self.status().await
    }

    async fn status(&mut self) -> Result<String, Said> {
        let line = self.lines.hear(self.patience.answer).await;
        let line = line.map_err(|error| Said::Nothing(broken(&self.name, &error)))?;
        let line = String::from_utf8_lossy(&line).into_owned();
        if line.starts_with('+') { Ok(line) } else { Err(Said::No(line)) }
    }

    /// Returns the lines of an answer of many, up to the line with a dot.
    async fn many(&mut self) -> Result<Vec<String>, Trouble> {
        let mut told = Vec::new();
        loop {
            let line = self.lines.hear(self.patience.answer).await;
            let line = line.map_err(|error| broken(&self.name, &error))?;
            if line == b"." {
                return Ok(told);
            }
            told.push(String::from_utf8_lossy(&line).into_owned());
        }
    }

    fn no_pop3(&self, said: Said) -> Trouble {
        let remedy = "check `port` and `tls`: 995 is \"implicit\", 110 is \"starttls\"";
        match self.fail(said, "what answers is no POP3 server at our service", remedy) {
            Trouble::Refused(fault) | Trouble::Lost(fault) => Trouble::Lost(fault),
        }
    }

    fn fail(&self, said: Said, what: &str, remedy: &str) -> Trouble {
        match said {
            Said::Nothing(trouble) => trouble,
            Said::No(text) => {
                const SHOWN: usize = 200;
                let text = text.trim_start_matches("-ERR").trim();
                let text: String = text.chars().filter(|c| !c.is_control()).take(SHOWN).collect();
                Trouble::Refused(Fault::passing(format!("{}: {what}: {text}", self.name), remedy))
            }
        }
    }
}

/// What came instead of a yes.
#[derive(Debug)]
enum Said {
    No(String),
    Nothing(Trouble),
}

fn broken(name: &str, error: &io::Error) -> Trouble {
    let why = match error.kind() {
        io::ErrorKind::TimedOut => "no answer in time".to_owned(),
        _ => format!("the server broke off: {error}"),
    };
    let remedy = "nothing: it is tried again; if it stays so, look at the server, the network, and at `port` and `tls`";
    Trouble::Lost(Fault::passing(format!("{name}: {why}"), remedy))
}
