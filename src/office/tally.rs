//! Tallies: what the mails of the last days have cost in answers and in the director's attention, by address, domain and
//! likeness. Derived from the journal like all the books, and bounded: a day is forgotten when a later one is too far
//! ahead, and within a day the caps bound what is counted.

use crate::{
    digest::Digest,
    domain::{docket::ItemKind, event::Event},
    house::House,
    limits,
    mail::understanding::{Assurance, Sender, Understanding},
    store::transaction::{Known, LetterRecord, MailCause, Transaction},
};
use chrono::NaiveDate;
use std::{
    collections::{BTreeMap, HashMap},
    hash::{DefaultHasher, Hash, Hasher},
};

/// How many figures of a digest tell whether mails say the same.
const LIKENESS: usize = 16;

/// What the mails of the last days have cost.
#[derive(Debug, Default)]
pub(super) struct Tallies {
    days: BTreeMap<NaiveDate, Day>,
}

/// What the mails that arrived on a day have cost.
#[derive(Debug, Default)]
struct Day {
    known: Counts,
    strangers: Counts,
    /// By who wrote, and by what the mails say.
    alike: HashMap<u64, u32>,
}

#[derive(Debug, Default)]
struct Counts {
    /// By the hash of an address.
    addresses: HashMap<u64, u32>,
    domains: HashMap<u64, u32>,
    total: u32,
}

/// What somebody's mails of a day have cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Costs {
    /// Of his address.
    pub(super) address: u32,
    /// Of his domain.
    pub(super) domain: u32,
    /// Of all who are known, or of all strangers.
    pub(super) total: u32,
    /// Of mails of his address that say the same.
    pub(super) alike: u32,
    /// Of strangers' mails of his domain that say the same; none for who is known.
    pub(super) alike_in_domain: u32,
}

/// Who wrote a mail, as far as it is counted.
#[derive(Debug)]
pub(super) struct Writer {
    known: bool,
    address: u64,
    domain: u64,
}

impl Writer {
    /// Returns the sender with an address. Mails whose sender is proved are counted apart from those that anybody can
    /// write in his name.
    pub(super) fn of(address: &str, known: Known) -> Self {
        let lower = address.to_lowercase();
        let (known, proved) = (known != Known::Stranger, known == Known::Proved);
        let (local, domain) = lower.rsplit_once('@').unwrap_or((&lower, ""));
        // What is behind a plus anybody can vary (RFC 5233).
        let local = if known { local } else { local.split('+').next().unwrap_or(local) };
        Self { known, address: hash(&(local, domain, proved)), domain: hash(&domain) }
    }

    /// Tells whether it is a player or the director.
    pub(super) const fn is_known(&self) -> bool {
        self.known
    }
}

impl Tallies {
    /// Returns what the mails of a sender that arrived on a day have cost.
    pub(super) fn costs(&self, writer: &Writer, likeness: &str, day: NaiveDate) -> Costs {
        let Some(day) = self.days.get(&self.counted(day)) else { return Costs::default() };
        let counts = if writer.known { &day.known } else { &day.strangers };
        let of = |counts: &HashMap<u64, u32>, key: u64| counts.get(&key).copied().unwrap_or(0);
        let in_domain = of(&day.alike, hash(&("domain", writer.domain, likeness)));
        Costs {
            address: of(&counts.addresses, writer.address),
            domain: of(&counts.domains, writer.domain),
            total: counts.total,
            alike: of(&day.alike, hash(&(writer.address, likeness))),
            alike_in_domain: if writer.known { 0 } else { in_domain },
        }
    }

    /// Counts what a mail has cost.
    pub(super) fn count(&mut self, mail: &MailCause, transaction: &Transaction, house: &House) {
        let answers = |letter: &&LetterRecord| {
            letter.to.as_ref().is_some_and(|to| to.eq_ignore_ascii_case(&mail.from))
        };
        let answers: Vec<_> = transaction.letters.iter().filter(answers).collect();
        if answers.is_empty() && !transaction.events.iter().any(takes_attention) {
            return;
        }
        // Older lines do not say it; a letter to a player names him.
        let player = answers.iter().any(|letter| letter.about.player.is_some());
        let unsaid = if player { Known::Address } else { Known::Stranger };
        let writer = Writer::of(&mail.from, mail.known.unwrap_or(unsaid));
        let day = self.counted(house.day(mail.arrived));
        let of_day = self.days.entry(day).or_default();
        let counts = if writer.known { &mut of_day.known } else { &mut of_day.strangers };
        *counts.addresses.entry(writer.address).or_default() += 1;
        *counts.domains.entry(writer.domain).or_default() += 1;
        counts.total += 1;
        if let Some(likeness) = &mail.likeness {
            *of_day.alike.entry(hash(&(writer.address, likeness))).or_default() += 1;
            let in_domain = hash(&("domain", writer.domain, likeness));
            *of_day.alike.entry(in_domain).or_default() += u32::from(!writer.known);
        }
        while self.days.len() > limits::TALLY_DAYS {
            self.days.pop_first();
        }
    }

    /// Returns the day to which a mail is counted: its own, or the oldest one that is remembered.
    fn counted(&self, day: NaiveDate) -> NaiveDate {
        let full = self.days.len() >= limits::TALLY_DAYS;
        let oldest = self.days.keys().next().filter(|_| full);
        oldest.map_or(day, |oldest| day.max(*oldest))
    }
}

/// Tells whether the director must look at something. A letter that came back by its own key is none of its sender's doing.
fn takes_attention(event: &Event) -> bool {
    match event {
        Event::ItemOpened(item) => {
            item.kind != ItemKind::Flood
                && (item.kind != ItemKind::LetterFailed || item.about.letter.is_none())
        }
        _ => false,
    }
}

/// Returns what tells whether mails say the same: a digest of their words without figures, since those are what a
/// program varies, and of what they were read to say.
pub(super) fn likeness(understanding: &Understanding) -> String {
    let text = Some(&understanding.text).filter(|text| !text.trim().is_empty());
    let mut said = serde_json::to_string(&understanding.intents).unwrap_or_default();
    for word in text.unwrap_or(&understanding.headers.subject).split_whitespace() {
        said.extend(word.chars().filter(|c| !c.is_ascii_digit()).flat_map(char::to_lowercase));
    }
    Digest::of(said.as_bytes()).hex()[..LIKENESS].to_owned()
}

/// Returns how far the sender of a mail is known.
pub(super) fn known(understanding: &Understanding, house: &House) -> Known {
    let Sender { address, player, assurance, .. } = &understanding.sender;
    let address = address.as_deref().unwrap_or_default();
    let director = house.director.iter().any(|d| d.eq_ignore_ascii_case(address));
    match (player.is_some() || director, *assurance >= Assurance::Dkim) {
        (false, _) => Known::Stranger,
        (true, false) => Known::Address,
        (true, true) => Known::Proved,
    }
}

fn hash(it: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    it.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::event::Event, store::transaction::Cause};
    use chrono::{Days, NaiveTime};

    const FIRST: NaiveDate = NaiveDate::from_ymd_opt(2019, 6, 1).expect("a day");

    fn house() -> House {
        crate::config::Config::shipped().house
    }

    /// Counts a mail of an address that was put before the director.
    fn count(tallies: &mut Tallies, from: &str, day: NaiveDate, known: Known) {
        let noon = NaiveTime::from_hms_opt(18, 0, 0).expect("a time");
        let text = format!(
            r#"{{"seq":1,"at":"2019-06-01T18:00:00Z","cause":{{"mail":{{"digest":"sha256:{}","arrival":"a",
            "arrived":"{}","outcome":"held","from":"{from}","likeness":"00","known":"{}"}}}},
            "events":[{{"item-opened":{{"item":1,"kind":"mail-held","rule":7,"about":{{}},
            "since":"2019-06-01T18:00:00Z","choices":[],"recommended":null,"evidence":[]}}}}]}}"#,
            "0".repeat(64),
            day.and_time(noon).and_utc().to_rfc3339(),
            serde_json::to_value(known).unwrap().as_str().unwrap(),
        );
        let transaction: Transaction = serde_json::from_str(&text).unwrap();
        assert!(matches!(transaction.events[..], [Event::ItemOpened(_)]));
        let Cause::Mail(mail) = &transaction.cause else { unreachable!("it is a mail's") };
        tallies.count(mail, &transaction, &house());
    }

    #[test]
    fn days_are_forgotten_and_mail_of_a_forgotten_day_is_counted_to_the_oldest() {
        let mut tallies = Tallies::default();
        let day = |n: u64| FIRST + Days::new(n);
        for n in 0..30 {
            count(&mut tallies, "a@example.org", day(n), Known::Stranger);
        }
        assert_eq!(tallies.days.len(), limits::TALLY_DAYS);
        let stranger = Writer::of("a@example.org", Known::Stranger);
        let costs = |tallies: &Tallies, n| tallies.costs(&stranger, "00", day(n)).address;
        assert_eq!((costs(&tallies, 29), costs(&tallies, 3), costs(&tallies, 40)), (1, 1, 0));
        count(&mut tallies, "a@example.org", day(2), Known::Stranger);
        assert_eq!((costs(&tallies, 22), tallies.days.len()), (2, limits::TALLY_DAYS));
    }

    #[test]
    fn strangers_players_and_proved_mail_are_counted_apart() {
        let mut tallies = Tallies::default();
        for from in ["a+1@example.org", "A+2@example.org", "a@example.org", "b@example.org"] {
            count(&mut tallies, from, FIRST, Known::Stranger);
        }
        count(&mut tallies, "a@example.org", FIRST, Known::Address);
        count(&mut tallies, "a@example.org", FIRST, Known::Proved);
        let costs = |known| {
            let costs = tallies.costs(&Writer::of("a@example.org", known), "00", FIRST);
            (costs.address, costs.domain, costs.total, costs.alike_in_domain)
        };
        assert_eq!(costs(Known::Stranger), (3, 4, 4, 4));
        assert_eq!(costs(Known::Address), (1, 2, 2, 0));
        assert_eq!(costs(Known::Proved), (1, 2, 2, 0));
    }
}
