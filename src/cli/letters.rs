//! `letters`, `preview` and `resend`: what went out or waits, what a letter looks like, and sending it once more.

use super::{Done, Failure, Global, home::Home};
use crate::{
    config::{Config, places::Outbox},
    domain::{
        ids::{EntryId, LetterId},
        notice::{Notice, NoticeName, Recipient},
    },
    notices::{
        Desk, letter,
        render::Templates,
        sample, table,
        view::{self, certificate},
    },
    office::{
        books::{Books, LetterState},
        on_paper, words,
    },
    store::atomic,
    store::transaction::{Cause, DeliveryOutcome, LetterRecord},
    transport::{maildir, print},
};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// How much of a subject a list shows, in characters: a line of a terminal.
const SUBJECT_WIDTH: usize = 72;

/// Print what a letter looks like, with made-up books.
#[derive(clap::Args)]
pub(super) struct PreviewArgs {
    /// The notice: assignment, result-receipt … Without it: the names of all
    notice: Option<String>,
    /// Print the shipped template itself, to begin your own with: templates/NOTICE.txt in the home
    #[arg(long, requires = "notice")]
    source: bool,
    /// Write it into a file as a page (PDF): the certificate, or the letter as it is printed for who has no address
    #[arg(long, requires = "notice", value_name = "FILE", conflicts_with = "source")]
    pdf: Option<PathBuf>,
    /// With --pdf: the certificate of this entry, from the books
    #[arg(long, requires = "pdf", value_name = "ENTRY")]
    entry: Option<EntryId>,
}

/// A letter with all that happened to it.
pub(super) struct Listed {
    /// The letter as it was written.
    pub(super) record: LetterRecord,
    /// When it was written.
    pub(super) queued: DateTime<Utc>,
    /// The transaction that wrote it.
    pub(super) seq: u64,
    /// Every attempt to deliver it.
    pub(super) attempts: Vec<(DateTime<Utc>, DeliveryOutcome)>,
    /// Where it stands.
    pub(super) state: LetterState,
    /// Until when it waits so that what it tells can be taken back; none: it may leave.
    pub(super) not_before: Option<DateTime<Utc>>,
}

/// Returns all letters, the first one first.
pub(super) fn all(home: &Home) -> Result<Vec<Listed>, Failure> {
    let mut letters: Vec<Listed> = Vec::new();
    let at = |id: LetterId| usize::try_from(id.0 - 1).unwrap_or(usize::MAX);
    let books = home.books_with(|transaction| {
        let (queued, seq) = (transaction.at, transaction.seq);
        for record in transaction.letters.iter().cloned() {
            let (attempts, state) = (Vec::new(), LetterState::Waiting);
            let not_before = None;
            letters.push(Listed { record, queued, seq, attempts, state, not_before });
        }
        if let Cause::Delivery { outcomes } = &transaction.cause {
            for delivery in outcomes {
                if let Some(letter) = letters.get_mut(at(delivery.letter)) {
                    letter.attempts.push((transaction.at, delivery.outcome.clone()));
                }
            }
        }
    })?;
    for letter in &mut letters {
        if let Some(entry) = books.letter(letter.record.letter) {
            (letter.state, letter.not_before) = (entry.state, entry.not_before);
            // Where it goes by now.
            letter.record.to = entry.to.as_deref().map(str::to_owned);
        }
    }
    Ok(letters)
}

impl Listed {
    /// Returns the letter in the contract's shape.
    pub(super) fn as_json(&self, home: &Home) -> Value {
        let LetterRecord { letter, notice, to, about, subject, message_id, digest, .. } =
            &self.record;
        json!({
            "letter": letter.to_string(),
            "notice": notice,
            "to": to,
            "player": about.player,
            "section": about.section,
            "game": about.game.as_ref().map(ToString::to_string),
            "state": self.state.text(),
            "subject": subject,
            "message_id": message_id,
            "queued": self.queued,
            "why_not_sent": self.why_not_sent(home),
            "sent": self.sent(),
            "not_before": self.not_before,
            "attempts": self.attempts.len(),
            "outcome": self.attempts.last().map(|(_, outcome)| words::delivery(outcome)),
            "file": self.file(home),
            "digest": digest,
            "transaction": self.seq,
        })
    }

    /// Returns why it does not leave though nobody has tried to deliver it, a clause.
    pub(super) fn why_not_sent(&self, home: &Home) -> Option<String> {
        let until = self.not_before.filter(|until| *until > home.now());
        match self.state {
            LetterState::TakenBack => Some("taken back before it left".to_owned()),
            LetterState::Waiting => until.map(|until| {
                let until = until.with_timezone(&home.config.house.zone).format("%H:%M");
                format!("waits until {until} so that it can be taken back")
            }),
            LetterState::Sent
            | LetterState::Printed
            | LetterState::Failed
            | LetterState::Bounced => None,
        }
    }

    fn sent(&self) -> Option<DateTime<Utc>> {
        let done = |outcome: &DeliveryOutcome| {
            matches!(outcome, DeliveryOutcome::Sent | DeliveryOutcome::Printed)
        };
        self.attempts.iter().find(|(_, outcome)| done(outcome)).map(|(at, _)| *at)
    }

    /// Returns where the letter lies as a file, as seen from the home; none before it left.
    fn file(&self, home: &Home) -> Option<String> {
        let letter = self.record.letter;
        let path = match self.state {
            LetterState::Sent => {
                let Outbox::Maildir(out) = &home.config.service.transport else { return None };
                out.join("new").join(maildir::file_name(letter))
            }
            LetterState::Printed => home.dir.join("print").join(print::file_name(letter)),
            LetterState::Waiting
            | LetterState::Failed
            | LetterState::Bounced
            | LetterState::TakenBack => return None,
        };
        // Whoever takes letters out of the folder has them then.
        path.is_file().then_some(())?;
        Some(path.strip_prefix(&home.dir).unwrap_or(&path).display().to_string())
    }
}

pub(super) fn list(global: &Global) -> Done {
    let home = Home::open(global)?;
    for letter in all(&home)? {
        if global.json {
            println!("{}", letter.as_json(&home));
            continue;
        }
        let LetterRecord { letter: id, notice, to, subject, .. } = &letter.record;
        let queued = letter.queued.format("%Y-%m-%d %H:%M");
        let to = to.as_deref().unwrap_or("(on paper)");
        println!("{id:<6} {queued}  {:<8} {notice:<18} {to}", letter.state.text());
        println!("       {}", table::cut(subject, SUBJECT_WIDTH));
        let waits = letter.state == LetterState::Waiting;
        let tried = letter.attempts.last().filter(|_| waits).map(|(_, it)| words::delivery(it));
        if let Some(why) = letter.why_not_sent(&home).or(tried) {
            println!("       {why}");
        }
    }
    Ok(())
}

pub(super) fn preview(global: &Global, args: &PreviewArgs) -> Done {
    let Some(name) = &args.notice else {
        for name in NoticeName::ALL {
            println!("{name}");
        }
        return Ok(());
    };
    let Some(notice) = NoticeName::ALL.into_iter().find(|n| n.text() == name) else {
        let known: Vec<&str> = NoticeName::ALL.iter().map(|n| n.text()).collect();
        let known = known.join(", ");
        return Err(Failure::Usage(format!("there is no notice `{name}`\n  hint: {known}")));
    };
    if args.source {
        print!("{}", Templates::source(notice));
        return Ok(());
    }
    let home = Home::open(global)?;
    if let Some(file) = &args.pdf {
        return preview_page(&home, notice, args.entry.as_ref(), file);
    }
    let sample = home.templates()?.sample(notice);
    let (subject, text) = sample.map_err(|e| Failure::Usage(format!("templates/{e}")))?;
    println!("Subject: {subject}\n\n{text}");
    Ok(())
}

/// Writes the page that comes with a letter, or the letter on paper where none does.
fn preview_page(home: &Home, notice: NoticeName, entry: Option<&EntryId>, file: &Path) -> Done {
    let templates = home.templates()?;
    let page = match entry {
        Some(entry) => certificate_of(home, entry, &templates)?,
        None => sample_page(notice, &templates)?,
    };
    Ok(atomic::write(file, &page)?)
}

fn certificate_of(home: &Home, entry: &EntryId, templates: &Templates) -> Result<Vec<u8>, Failure> {
    let Books { state, .. } = &home.books()?;
    let Config { house, rules, .. } = &home.config;
    let desk = Desk { house, rules, state, now: home.now(), templates, counts: None };
    let certificate = certificate::of_entry(entry, &desk)
        .ok_or_else(|| Failure::Person(format!("the entry {entry} has played in no section")))?;
    letter::certificate_page(&certificate, templates).map_err(|e| Failure::Person(e.to_string()))
}

fn sample_page(name: NoticeName, templates: &Templates) -> Result<Vec<u8>, Failure> {
    let mut books = sample::Books::new();
    let samples = sample::notices::all().into_iter().map(|sample| sample.notice);
    let player = |notice: &Notice| match &notice.to {
        Recipient::Player(member) => Some(member.clone()),
        Recipient::Stranger(_) | Recipient::Director => None,
    };
    let mut of_name = samples.filter(|notice| notice.facts.name() == name);
    let found = of_name.find_map(|notice| Some((player(&notice)?, notice)));
    let (member, notice) =
        found.ok_or_else(|| Failure::Usage(format!("{name} never goes on paper")))?;
    // What is sent by mail otherwise goes on paper.
    if let Some(player) = books.state.players.get_mut(&member) {
        player.emails.clear();
        player.address = Some("12 Mill Lane, Springfield, OH 45501".to_owned());
    }
    let desk = books.desk(templates);
    let wrong = |e: &dyn std::fmt::Display| Failure::Usage(e.to_string());
    if let Some(certificate) = view::enclosed(&notice, &desk) {
        return letter::certificate_page(&certificate, templates).map_err(|e| wrong(&e));
    }
    let number = LetterId(1);
    let written = letter::write(&notice, number, None, &desk).map_err(|e| wrong(&e))?;
    on_paper(number, &written.bytes, templates.fonts()).map_err(|e| wrong(&e))
}
