//! The stage: plays a script through a real home and tells what happened, from the journal alone.

use super::{
    compose::{self, Draft},
    script::{Act, Scene, Script},
};
use crate::{
    cli::{
        Failure, Global,
        home::{Home, undisturbed},
        init, letters, words,
    },
    config::shipped,
    domain::{
        command::{Command, Payment},
        event::Event,
    },
    mail,
    notices::table,
    office::{
        Announce,
        orders::{Order, RuleArgs},
    },
    store::{
        Store as _, atomic,
        transaction::{Cause, MailOutcome, Transaction},
    },
};
use chrono::{NaiveDate, NaiveDateTime, Utc};
use serde_json::Value;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// A home on which a script is played.
pub struct Stage {
    dir: PathBuf,
    told: u64,
    day: Option<NaiveDate>,
    mails: usize,
    last: Vec<u8>,
}

impl Stage {
    /// Makes the home and takes in the roster.
    pub(in crate::cli) fn build(dir: &Path, script: &Script) -> Result<Self, Failure> {
        let event = &shipped::EVENTS[0];
        init::make(dir, event)?;
        let header = "member_id,name,email,country,state,rating,rating_date,expires\n";
        let roster = dir.join("roster.csv");
        let rows = script.players.join("\n");
        atomic::write(&roster, format!("{header}{rows}\n").as_bytes())?;
        let at = script.scenes.first().map(|scene| scene.at);
        let mut stage =
            Self { dir: dir.to_owned(), told: 0, day: None, mails: 0, last: Vec::new() };
        let home = stage.home(at.unwrap_or_default())?;
        let args = crate::cli::import::Args::roster(roster);
        crate::cli::import::into(&home, &args)?;
        stage.told = home.books()?.transactions;
        Ok(stage)
    }

    /// Plays the script and tells what happened.
    pub(in crate::cli) fn play(
        &mut self,
        script: &Script,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        for scene in &script.scenes {
            self.scene(scene, out)?;
        }
        Ok(())
    }

    fn home(&self, at: NaiveDateTime) -> Result<Home, Failure> {
        let zone = chrono_tz::America::Chicago;
        let now = at.and_local_timezone(zone).earliest().map(|at| at.with_timezone(&Utc));
        let home = Some(self.dir.clone());
        Home::open(&Global { home, now, as_of: None, json: false })
    }

    fn scene(&mut self, scene: &Scene, out: &mut dyn Write) -> Result<(), Failure> {
        let home = self.home(scene.at)?;
        if self.day != Some(scene.at.date()) {
            self.day = Some(scene.at.date());
            writeln!(out, "\n{}", scene.at.format("%A, %-d %B %Y"))?;
        }
        match &scene.act {
            Act::Mail { from, subject, headers, text } => {
                let to = &home.config.house.address;
                let number = self.mails;
                let draft = Draft { from, to, subject, headers, text, number };
                let mail = compose::mail(&draft, home.now(), home.config.house.zone);
                self.put(&home, mail)?;
            }
            Act::Reply { from, notice, text } => {
                let mail = self.reply(&home, from, notice, text)?;
                self.put(&home, mail)?;
            }
            Act::Again => self.put(&home, self.last.clone())?,
            Act::Payment(event, member, amount) => {
                let amount =
                    amount.parse().map_err(|e| Failure::Usage(format!("{amount}: {e}")))?;
                let payment = Payment {
                    event: event.as_str().into(),
                    member: member.as_str().into(),
                    amount,
                    received: scene.at.date(),
                    reference: "check".to_owned(),
                };
                let words = format!("payment {amount} of {member}");
                home.direct(&words, &[Command::RecordPayment(payment)], Announce::Yes)?;
            }
            Act::Rule(item, choice, reason) => rule(&home, item, choice, reason)?,
            Act::Pass => {}
            Act::Show(section) => {
                let books = home.books()?;
                let section = crate::cli::tables::find(&books.state, section)?;
                let table = table::sheet(&books.state, section);
                writeln!(out, "\n{}", indent(&table, "    "))?;
                return Ok(());
            }
        }
        let pass = home.office(undisturbed())?.pass()?;
        for trouble in pass.troubles {
            writeln!(out, "  trouble: {trouble}")?;
        }
        self.tell(&home, out)
    }

    /// Puts a mail into the mailbox as a mail server would.
    fn put(&mut self, home: &Home, mail: Vec<u8>) -> Result<(), Failure> {
        self.mails += 1;
        let name = format!("{}.M{}.demo", home.now().timestamp(), self.mails);
        atomic::write(&self.dir.join("mail/in/new").join(name), &mail)?;
        self.last = mail;
        Ok(())
    }

    fn reply(&self, home: &Home, from: &str, notice: &str, text: &str) -> Result<Vec<u8>, Failure> {
        let letters = letters::all(home)?;
        let answered = letters.iter().rev().find(|letter| {
            letter.record.notice.text() == notice && letter.record.to.as_deref() == Some(from)
        });
        let answered =
            answered.ok_or_else(|| Failure::Usage(format!("no {notice} went to {from} so far")))?;
        let record = &answered.record;
        let bytes = home.reader()?.fetch(record.digest)?.unwrap_or_default();
        let house = &home.config.house;
        let token = house.keys.token(record.letter, &record.about);
        let headers = [
            ("In-Reply-To".to_owned(), format!("<{}>", record.message_id)),
            ("References".to_owned(), format!("<{}>", record.message_id)),
        ];
        let quote =
            compose::quoted(&mail::message::plain_text(&bytes), answered.queued, &house.name);
        let draft = Draft {
            from,
            to: &house.reply_address(&token),
            subject: &format!("Re: {}", record.subject),
            headers: &headers,
            text: &format!("{text}{quote}"),
            number: self.mails,
        };
        Ok(compose::mail(&draft, home.now(), house.zone))
    }

    /// Tells the transactions that are new in the journal.
    fn tell(&mut self, home: &Home, out: &mut dyn Write) -> Result<(), Failure> {
        let last = home.books()?.transactions;
        for seq in self.told + 1..=last {
            if let Some(transaction) = home.reader()?.transaction(seq)? {
                tell_transaction(&transaction, out)?;
            }
        }
        self.told = last;
        Ok(())
    }
}

fn rule(home: &Home, item: &str, choice: &str, reason: &str) -> Result<(), Failure> {
    let item = item.parse().map_err(Failure::Usage)?;
    let (choice, reason) = (choice.to_owned(), reason.to_owned());
    let order = Order::Rule(RuleArgs { item, choice, reason });
    home.office(undisturbed())?.order(&order, false)?;
    Ok(())
}

fn tell_transaction(transaction: &Transaction, out: &mut dyn Write) -> io::Result<()> {
    match &transaction.cause {
        Cause::Mail(mail) => {
            let word = serde_json::to_value(mail.outcome).unwrap_or_default();
            let outcome = word.as_str().unwrap_or_default();
            if mail.outcome == MailOutcome::Duplicate {
                return writeln!(out, "  a mail came once more: nothing is done twice");
            }
            writeln!(out, "  {} wrote \"{}\": {outcome}", mail.from, mail.subject)?;
            if let Some(reading) = &mail.reading {
                tell_reading(reading.get(), out)?;
            }
        }
        // How letters travel and slots pass is of no interest as long as they do.
        Cause::Delivery { .. } | Cause::Tick { .. } if is_quiet(transaction) => return Ok(()),
        Cause::Director { by, words, mail: Some(_) } => writeln!(out, "  {by} by mail: {words}")?,
        cause => writeln!(out, "  {}", words::cause(cause))?,
    }
    for event in transaction.events.iter().filter(|event| !is_routine(event)) {
        writeln!(out, "      {}", words::sentence(event))?;
    }
    for letter in &transaction.letters {
        let to = letter.to.as_deref().unwrap_or("the printer");
        writeln!(out, "      -> {} to {to}: {}", letter.notice, letter.subject)?;
    }
    Ok(())
}

fn is_quiet(transaction: &Transaction) -> bool {
    transaction.events.iter().all(is_routine) && transaction.letters.is_empty()
}

const fn is_routine(event: &Event) -> bool {
    matches!(event, Event::SlotPassed { .. })
}

fn tell_reading(reading: &str, out: &mut dyn Write) -> io::Result<()> {
    let reading: Value = serde_json::from_str(reading).unwrap_or_default();
    for intent in reading["intents"].as_array().into_iter().flatten() {
        let confidence = reading["confidence"].as_str().unwrap_or_default();
        writeln!(out, "      understood ({confidence}): {}", plainly(intent))?;
    }
    for aside in reading["set_aside"].as_array().into_iter().flatten() {
        writeln!(out, "      set aside: {}", aside.as_str().unwrap_or_default())?;
    }
    Ok(())
}

/// Returns an intent as words: its kind, then what it says.
fn plainly(intent: &Value) -> String {
    let mut words = vec![intent["kind"].as_str().unwrap_or_default().to_owned()];
    for (key, value) in intent.as_object().into_iter().flatten() {
        match value {
            Value::Null => {}
            _ if key == "kind" => {}
            Value::String(text) if !text.is_empty() => words.push(format!("{key} {text}")),
            Value::String(_) => {}
            other => words.push(format!("{key} {other}")),
        }
    }
    words.join(", ")
}

fn indent(text: &str, by: &str) -> String {
    text.lines().map(|line| format!("{by}{line}").trim_end().to_owned() + "\n").collect()
}
