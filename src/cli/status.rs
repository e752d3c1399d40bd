//! `status`: how the program fares, for a terminal and for monitoring: is it running, what was read last, which mailbox
//! is out of reach since when, what waits. It reads the books and what the last pass wrote down, takes no lock, and ends
//! with 1 where a person is needed.

use super::{Done, Failure, Global, home::Home};
use crate::{
    domain::{docket::ItemKind, ids::TournamentId, section::Section},
    fault::Fault,
    limits,
    office::{
        books::{Books, LetterEntry, LetterState},
        status::{Reach, Status},
    },
    store::vitals,
};
use chrono::{DateTime, Duration, Utc};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Tell how the program fares.
///
/// Exit code 0: all is well; 1: something needs a person (a mailbox out of reach for over an hour, letters that cannot
/// be delivered, letters that have waited for over a day, a daemon that does not run with --expect-daemon), named on
/// standard error; 3: the books are damaged.
#[derive(clap::Args)]
pub(super) struct Args {
    /// It needs a person where no daemon runs: for monitoring a service
    #[arg(long)]
    expect_daemon: bool,
}

/// What there is to tell.
struct Signs {
    home: Home,
    books: Books,
    status: Status,
    daemon: Option<String>,
    journal_bytes: u64,
    free_bytes: u64,
}

/// How letters or matters stand: how many, and since when the oldest waits.
struct Waiting {
    count: usize,
    oldest: Option<DateTime<Utc>>,
}

pub(super) fn run(global: &Global, args: &Args) -> Done {
    let signs = Signs::read(Home::open(global)?)?;
    let problems = signs.problems(args.expect_daemon);
    if global.json {
        println!("{}", signs.as_json(&problems));
    } else {
        print!("{}", signs.text());
    }
    if problems.is_empty() { Ok(()) } else { Err(Failure::Person(problems.join("\n"))) }
}

impl Signs {
    fn read(home: Home) -> Result<Self, Failure> {
        let books = home.books()?;
        let status = vitals::status(&home.dir).as_deref().map(Status::read).unwrap_or_default();
        let read = || -> Result<_, Fault> {
            let daemon = vitals::daemon(&home.dir)?;
            Ok((daemon, vitals::journal_bytes(&home.dir)?, vitals::free_bytes(&home.dir)?))
        };
        let (daemon, journal_bytes, free_bytes) = read()?;
        Ok(Self { home, books, status, daemon, journal_bytes, free_bytes })
    }

    /// Returns what needs a person, a sentence each.
    fn problems(&self, expect_daemon: bool) -> Vec<String> {
        let now = self.home.now();
        let mut problems = Vec::new();
        for (inbox, reach) in self.status.deaf(limits::DEAF_HOURS, now) {
            problems.push(format!("the mailbox {inbox} is {}", out_of_reach(reach)));
        }
        let failed = self.books.state.open_of_kind(ItemKind::LetterFailed).count();
        if failed > 0 {
            problems.push(format!("{failed} letters could not be delivered (knightmail docket)"));
        }
        let outbox = self.outbox();
        if outbox.oldest.is_some_and(|oldest| now - oldest > Duration::days(1)) {
            problems.push(format!("letters have waited for over a day, {} wait", outbox.count));
        }
        if self.free_bytes < limits::DISK_FREE_BYTES {
            problems.push(format!("the disk has {} free", megabytes(self.free_bytes)));
        }
        if expect_daemon && self.daemon.is_none() {
            problems.push("no daemon runs over this home".to_owned());
        }
        problems
    }

    fn outbox(&self) -> Waiting {
        let letters = self.books.outbox.iter().filter_map(|id| self.books.letter(*id));
        Waiting { count: self.books.outbox.len(), oldest: letters.map(|l| l.queued).min() }
    }

    fn docket(&self) -> Waiting {
        let open: Vec<_> = self.books.state.open_docket().map(|item| item.since).collect();
        Waiting { count: open.len(), oldest: open.into_iter().min() }
    }

    /// Counts the letters that have come to a state.
    fn letters(&self, state: LetterState) -> usize {
        let is = |letter: &&LetterEntry| letter.state == state;
        self.books.letters().map(|(_, letter)| letter).filter(is).count()
    }

    /// Returns the next slot of each job, by name.
    fn jobs(&self) -> Vec<(String, Option<DateTime<Utc>>)> {
        let (now, zone) = (self.home.now(), self.home.config.house.zone);
        let jobs = self.home.config.service.jobs.iter();
        jobs.map(|(job, schedule)| {
            let name = serde_json::to_value(job).unwrap_or_default();
            (name.as_str().unwrap_or_default().to_owned(), schedule.next_after(now, zone))
        })
        .collect()
    }

    /// Returns the tournaments, each with a line on how it stands.
    fn events(&self) -> Vec<(&TournamentId, String)> {
        let state = &self.books.state;
        let line = |event: &TournamentId| {
            let entries = state.entries.values().filter(|e| &e.tournament == event).count();
            let of_event = |s: &&Section| &s.tournament == event;
            let sections: Vec<_> = state.sections.values().filter(of_event).collect();
            let complete = sections.iter().filter(|s| s.is_settled()).count();
            let games = sections.iter().flat_map(|s| &s.games);
            let running = games.filter(|game| game.settled().is_none()).count();
            format!(
                "{entries} entries, {} sections, {complete} of them complete, {running} games run",
                sections.len()
            )
        };
        let events = self.home.config.rules.tournaments.keys();
        events.map(|event| (event, line(event))).collect()
    }

    fn as_json(&self, problems: &[String]) -> Value {
        let (outbox, docket) = (self.outbox(), self.docket());
        let inbox = |(name, reach): (&String, &Reach)| {
            json!({
                "inbox": name, "deaf_since": reach.deaf_since(), "heard": reach.heard,
                "trouble": reach.trouble,
            })
        };
        let jobs = self.jobs().into_iter().map(|(job, next)| json!({ "job": job, "next": next }));
        let events = self.events().into_iter();
        json!({
            "ok": problems.is_empty(),
            "problems": problems,
            "version": env!("CARGO_PKG_VERSION"),
            "home": self.home.dir,
            "daemon": { "running": self.daemon.is_some(), "process": self.daemon },
            "last_pass": self.status.last_pass,
            "last_mail": self.status.last_mail,
            "inboxes": self.status.inboxes.iter().map(inbox).collect::<Vec<_>>(),
            "troubles": self.status.troubles,
            "outbox": {
                "waiting": outbox.count, "oldest": outbox.oldest,
                "failed": self.letters(LetterState::Failed),
                "bounced": self.letters(LetterState::Bounced),
            },
            "docket": { "open": docket.count, "oldest": docket.oldest },
            "jobs": jobs.collect::<Vec<_>>(),
            "events": events.map(|(e, line)| json!({ "event": e, "state": line })).collect::<Vec<_>>(),
            "journal": { "transactions": self.books.transactions, "bytes": self.journal_bytes },
            "disk_free_bytes": self.free_bytes,
        })
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let mut say = |part: &str, words: String| {
            let _ = writeln!(text, "{part:<12} {words}");
        };
        say("version", env!("CARGO_PKG_VERSION").to_owned());
        say("home", self.home.dir.display().to_string());
        say(
            "daemon",
            match &self.daemon {
                Some(pid) => format!("runs, process {pid}"),
                None => "does not run".to_owned(),
            },
        );
        say("last pass", self.at(self.status.last_pass));
        say("last mail", self.at(self.status.last_mail));
        for (inbox, reach) in &self.status.inboxes {
            let found = match &reach.trouble {
                None => format!("read at {}", self.at(reach.heard)),
                Some(_) => out_of_reach(reach),
            };
            say("inbox", format!("{inbox}: {found}"));
        }
        let (outbox, docket) = (self.outbox(), self.docket());
        let failed = self.letters(LetterState::Failed);
        let bounced = self.letters(LetterState::Bounced);
        let oldest = self.oldest(&outbox);
        say("outbox", format!("{} wait{oldest}, {failed} failed, {bounced} bounced", outbox.count));
        say("docket", format!("{} open{}", docket.count, self.oldest(&docket)));
        for (job, next) in self.jobs() {
            say("next job", format!("{job}: {}", self.at(next)));
        }
        for (event, line) in self.events() {
            say("event", format!("{event}: {line}"));
        }
        let (lines, bytes) = (self.books.transactions, megabytes(self.journal_bytes));
        say("journal", format!("{lines} transactions, {bytes}"));
        say("disk", format!("{} free", megabytes(self.free_bytes)));
        text
    }

    /// Returns an instant by the house's clock.
    fn at(&self, at: Option<DateTime<Utc>>) -> String {
        let zone = self.home.config.house.zone;
        at.map_or("never".to_owned(), |at| {
            at.with_timezone(&zone).format("%Y-%m-%d %H:%M %Z").to_string()
        })
    }

    fn oldest(&self, waiting: &Waiting) -> String {
        waiting
            .oldest
            .map(|at| format!(", the oldest since {}", self.at(Some(at))))
            .unwrap_or_default()
    }
}

fn out_of_reach(reach: &Reach) -> String {
    let since = reach.since.unwrap_or_default().format("%Y-%m-%d %H:%M UTC");
    let why = reach.trouble.as_deref().unwrap_or_default();
    format!("out of reach since {since}: {why}")
}

fn megabytes(bytes: u64) -> String {
    format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10)
}
