//! The status: how the program has fared, for `knightmail status` and for itself. It is derived, written at the end of
//! each pass and read at the start of the next process; losing it loses nothing. From it the office knows since when a
//! mailbox is out of reach, and that the program did not run for a time; both may be worth a credit (Rule 10).

use super::{Announce, Office, Pass};
use crate::{
    domain::{alarm::Matter, command::Command, outage::Outage},
    fault::Fault,
    limits,
    mailbox::Look,
    store::transaction::Cause,
};
use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How the program has fared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Status {
    /// The version of the program that wrote it.
    pub version: String,
    /// When the last pass ended.
    pub last_pass: Option<DateTime<Utc>>,
    /// When a mail was last taken in.
    pub last_mail: Option<DateTime<Utc>>,
    /// The inboxes by name.
    pub inboxes: BTreeMap<String, Reach>,
    /// The troubles of the last pass that did not stop it, a sentence each.
    pub troubles: Vec<String>,
}

/// How an inbox can be reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reach {
    /// Since when it is as it is: reachable, or not.
    pub since: Option<DateTime<Utc>>,
    /// When it was last read.
    pub heard: Option<DateTime<Utc>>,
    /// Why it cannot be reached; none: it can.
    pub trouble: Option<String>,
}

impl Reach {
    /// Returns since when it is out of reach; none where it is not.
    pub fn deaf_since(&self) -> Option<DateTime<Utc>> {
        self.since.filter(|_| self.trouble.is_some())
    }
}

impl Status {
    /// Reads the text of a status; one that cannot be read is as good as none.
    pub fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// Notes how the inboxes were found.
    fn note(&mut self, looks: &[Look], now: DateTime<Utc>) {
        let known = std::mem::take(&mut self.inboxes);
        for Look { inbox, trouble } in looks {
            let before = known.get(inbox).cloned().unwrap_or_default();
            let same = before.trouble.is_some() == trouble.is_some();
            let reach = Reach {
                since: before.since.filter(|_| same).or(Some(now)),
                heard: if trouble.is_none() { Some(now) } else { before.heard },
                trouble: trouble.clone(),
            };
            self.inboxes.insert(inbox.clone(), reach);
        }
    }

    /// Returns the inboxes that are out of reach for longer than so many hours.
    pub fn deaf(&self, hours: i64, now: DateTime<Utc>) -> impl Iterator<Item = (&String, &Reach)> {
        let long = move |reach: &Reach| {
            reach.deaf_since().is_some_and(|since| now - since >= Duration::hours(hours))
        };
        self.inboxes.iter().filter(move |(_, reach)| long(reach))
    }

    /// Returns the outages that end with this look: since when, and what was the matter. An inbox that was out of reach
    /// counts from the first look that failed; the program itself, where its clock is the world's, from its last pass.
    fn ended(
        &self,
        looks: &[Look],
        now: DateTime<Utc>,
        real: bool,
    ) -> Vec<(DateTime<Utc>, String)> {
        let long = |since: &DateTime<Utc>| now - *since > Duration::hours(limits::OUTAGE_HOURS);
        let too_long = |since: &DateTime<Utc>| now - *since > Duration::hours(limits::DOWN_HOURS);
        let mut ended: Vec<(DateTime<Utc>, String)> = Vec::new();
        let down = self.last_pass.filter(|_| real).filter(too_long);
        for look in looks.iter().filter(|look| look.trouble.is_none()) {
            let deaf = self.inboxes.get(&look.inbox).and_then(Reach::deaf_since);
            if let Some(since) = deaf.filter(|since| long(since)) {
                ended.push((since, format!("the mailbox {} was out of reach", look.inbox)));
            }
        }
        let heard = looks.iter().any(|look| look.trouble.is_none());
        if let Some(since) = down.filter(|_| heard && ended.is_empty()) {
            ended.push((since, "the program did not run".to_owned()));
        }
        ended
    }
}

impl Office {
    /// Takes note of how the inboxes were found: of an outage that has ended, and of one that lasts.
    pub(super) fn note_looks(&mut self, looks: &[Look]) -> Result<(), Fault> {
        let now = self.doors.clock.now();
        let mut status = self.status();
        let real = self.doors.clock.is_real();
        let mut commands = Vec::new();
        for (from, what) in status.ended(looks, now, real) {
            let house = &self.standing.house;
            let (first, last) = (house.day(from), house.day(now));
            let sections = Vec::new();
            commands.push(Command::NoteOutage(Outage {
                from,
                to: now,
                first,
                last,
                what,
                sections,
            }));
        }
        status.note(looks, now);
        let deaf =
            status.deaf(limits::DEAF_HOURS, now).map(|(inbox, reach)| deaf_words(inbox, reach));
        let deaf: Vec<String> = deaf.collect();
        if !deaf.is_empty() {
            commands.push(Command::Alarm(Matter::Deaf, deaf));
        }
        self.status = Some(status);
        self.look_around(&commands)
    }

    /// Carries out what the program asks of itself; nothing is written where nothing follows.
    pub(super) fn look_around(&mut self, commands: &[Command]) -> Result<(), Fault> {
        if !commands.is_empty() {
            self.transact(Cause::Program, commands, None, Announce::Yes)?;
            self.doors.store.commit()?;
        }
        Ok(())
    }

    /// Writes down how the pass went.
    pub(super) fn note_status(&mut self, pass: &Pass) -> Result<(), Fault> {
        let now = self.doors.clock.now();
        let mut status = self.status();
        env!("CARGO_PKG_VERSION").clone_into(&mut status.version);
        status.last_pass = Some(now);
        if pass.mails > 0 {
            status.last_mail = Some(now);
        }
        status.troubles.clone_from(&pass.troubles);
        let text = serde_json::to_string_pretty(&status).unwrap_or_default();
        self.status = Some(status);
        self.doors.store.write_status(&text)
    }

    fn status(&mut self) -> Status {
        let (known, store) = (self.status.take(), &mut self.doors.store);
        known
            .unwrap_or_else(|| store.read_status().as_deref().map(Status::read).unwrap_or_default())
    }
}

fn deaf_words(inbox: &str, reach: &Reach) -> String {
    let since = reach.since.unwrap_or_default().format("%Y-%m-%d %H:%M UTC");
    let why = reach.trouble.as_deref().unwrap_or_default().lines().next().unwrap_or_default();
    format!("The mailbox {inbox} has been out of reach since {since}: {why}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        DateTime::parse_from_rfc3339(text).unwrap().to_utc()
    }

    fn look(inbox: &str, trouble: Option<&str>) -> Look {
        Look { inbox: inbox.to_owned(), trouble: trouble.map(str::to_owned) }
    }

    #[test]
    fn an_outage_counts_from_the_first_look_that_failed() {
        let mut status = Status::default();
        let (good, bad) = (look("a", None), look("a", Some("no route")));
        let days = ["01", "02", "03", "04"].map(|day| at(&format!("2019-06-{day}T10:00:00Z")));
        status.note(std::slice::from_ref(&good), days[0]);
        status.note(std::slice::from_ref(&bad), days[1]);
        status.note(std::slice::from_ref(&bad), days[2]);
        assert_eq!(status.inboxes["a"].deaf_since(), Some(days[1]));
        assert_eq!(status.inboxes["a"].heard, Some(days[0]));
        assert_eq!(status.deaf(1, days[2]).count(), 1);
        assert_eq!(status.ended(std::slice::from_ref(&bad), days[3], true), [], "it lasts");
        let ended = status.ended(std::slice::from_ref(&good), days[3], false);
        assert_eq!(ended, [(days[1], "the mailbox a was out of reach".to_owned())]);
        let soon = days[1] + Duration::hours(24);
        assert_eq!(status.ended(std::slice::from_ref(&good), soon, false), [], "not over a day");
    }

    #[test]
    fn that_the_program_did_not_run_counts_by_a_real_clock_alone() {
        let (then, now) = (at("2019-06-01T10:00:00Z"), at("2019-06-03T10:00:00Z"));
        let status = Status { last_pass: Some(then), ..Status::default() };
        let looks = [look("a", None)];
        assert_eq!(status.ended(&looks, now, true), [(then, "the program did not run".to_owned())]);
        assert_eq!(status.ended(&looks, now, false), [], "a rehearsal leaps through time");
        let daily = then + Duration::hours(25);
        assert_eq!(status.ended(&looks, daily, true), [], "a daily timer");
        assert_eq!(Status::default().ended(&looks, now, true), [], "it never ran");
        assert_eq!(Status::read("{ torn"), Status::default());
    }
}
