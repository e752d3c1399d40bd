//! What a simulated season came to, in numbers: for the director before he opens entries, and for whoever compares runs.

use super::season::Season;
use crate::{
    domain::{docket::ItemKind, event::Event, section::Game},
    store::transaction::{Cause, MailOutcome},
};
use chrono::{DateTime, Utc};
use std::{collections::BTreeMap, fmt};

/// The numbers of a season.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Entries that came in.
    pub entries: usize,
    /// Players who were made up.
    pub players: usize,
    /// Sections by round, counted from 0.
    pub sections: BTreeMap<usize, usize>,
    /// Games by how they ended.
    pub games: BTreeMap<&'static str, usize>,
    /// Mails by what became of them.
    pub mails: BTreeMap<MailOutcome, usize>,
    /// Letters by notice.
    pub letters: BTreeMap<&'static str, usize>,
    /// Docket items by kind: how many, and how many days they waited together.
    pub docket: BTreeMap<ItemKind, (usize, i64)>,
    /// Days that were lived.
    pub days: i64,
    /// Transactions in the journal.
    pub transactions: usize,
    /// The first places of the prizes.
    pub winners: Vec<String>,
    /// How often the office was opened anew after a mishap.
    pub reopened: usize,
}

impl Summary {
    /// Counts a season.
    pub(super) fn of(season: &Season<'_>) -> Self {
        let first = season.tournament.entry.opens;
        let mut summary = Self {
            players: season.people.len(),
            days: (season.today - first).num_days() + 1,
            transactions: season.transactions.len(),
            reopened: season.desk.reopened,
            ..Self::default()
        };
        let state = season.desk.state();
        for section in state.sections.values() {
            *summary.sections.entry(section.round).or_default() += 1;
            for outcome in section.games.iter().filter_map(Game::outcome) {
                *summary.games.entry(outcome.how.text()).or_default() += 1;
            }
        }
        let mut opened: BTreeMap<_, (ItemKind, DateTime<Utc>)> = BTreeMap::new();
        for transaction in &season.transactions {
            if let Cause::Mail(mail) = &transaction.cause {
                *summary.mails.entry(mail.outcome).or_default() += 1;
            }
            for letter in &transaction.letters {
                *summary.letters.entry(letter.notice.text()).or_default() += 1;
            }
            for event in &transaction.events {
                match event {
                    Event::EntryReceived { .. } => summary.entries += 1,
                    Event::ItemOpened(item) => {
                        opened.entry(item.item).or_insert((item.kind, item.since));
                    }
                    Event::ItemRuled { item, ruling } => {
                        if let Some((kind, since)) = opened.get(item) {
                            let line = summary.docket.entry(*kind).or_default();
                            line.0 += 1;
                            line.1 += (ruling.at - *since).num_days();
                        }
                    }
                    Event::PrizesAwarded(list) => {
                        let place = |p: &crate::domain::honours::Prize| {
                            let held = state.entries.get(&p.entry);
                            let name = held
                                .and_then(|e| state.players.get(&e.member))
                                .map(|p| p.name.as_str());
                            format!(
                                "{}. {} ({}), {}",
                                p.place,
                                name.unwrap_or("?"),
                                p.entry,
                                p.amount
                            )
                        };
                        summary.winners.extend(list.places.iter().take(3).map(place));
                    }
                    _ => {}
                }
            }
        }
        summary
    }

    /// Returns the numbers as JSON.
    pub fn json(&self) -> serde_json::Value {
        let docket = self.docket.iter().map(|(kind, (count, days))| {
            let mean = days / i64::try_from(*count).unwrap_or(1).max(1);
            (kind.text().to_owned(), serde_json::json!({ "items": count, "mean_days": mean }))
        });
        let mails = self.mails.iter().map(|(outcome, count)| (word(*outcome), *count));
        serde_json::json!({
            "entries": self.entries,
            "players": self.players,
            "sections": self.sections.values().collect::<Vec<_>>(),
            "games": self.games,
            "mails": mails.collect::<BTreeMap<_, _>>(),
            "letters": self.letters,
            "docket": docket.collect::<serde_json::Map<_, _>>(),
            "days": self.days,
            "transactions": self.transactions,
            "winners": self.winners,
        })
    }
}

const fn word(outcome: MailOutcome) -> &'static str {
    match outcome {
        MailOutcome::Acted => "acted",
        MailOutcome::Held => "held",
        MailOutcome::Ignored => "ignored",
        MailOutcome::Duplicate => "duplicate",
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |counts: &mut dyn Iterator<Item = (&str, usize)>| {
            let words: Vec<String> =
                counts.map(|(name, count)| format!("{name} {count}")).collect();
            if words.is_empty() { "none".to_owned() } else { words.join(", ") }
        };
        let tenths = self.days * 10 / 365;
        let sections: Vec<String> = self.sections.values().map(ToString::to_string).collect();
        writeln!(f, "entries    {} of {} players", self.entries, self.players)?;
        writeln!(f, "sections   {}", sections.join(" + "))?;
        writeln!(f, "games      {}", listed(&mut self.games.iter().map(|(n, c)| (*n, *c))))?;
        writeln!(f, "mails in   {}", listed(&mut self.mails.iter().map(|(o, c)| (word(*o), *c))))?;
        writeln!(f, "letters    {}", listed(&mut self.letters.iter().map(|(n, c)| (*n, *c))))?;
        let docket = self.docket.iter().map(|(kind, (count, days))| {
            let mean = days / i64::try_from(*count).unwrap_or(1).max(1);
            format!("{} {count} ({mean} days)", kind.text())
        });
        writeln!(f, "docket     {}", docket.collect::<Vec<_>>().join(", "))?;
        writeln!(
            f,
            "time       {}.{} years, {} transactions",
            tenths / 10,
            tenths % 10,
            self.transactions
        )?;
        write!(
            f,
            "winners    {}",
            if self.winners.is_empty() { "none".to_owned() } else { self.winners.join("; ") }
        )
    }
}
