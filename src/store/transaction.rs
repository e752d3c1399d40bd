//! A transaction: one cause, what was decided for it, and the letters that follow, true together or not at all.
//! It is one line of the journal; the field names are a promise for years.

use crate::{
    digest::Digest,
    domain::{
        docket::About,
        event::{Event, Job},
        ids::LetterId,
        notice::NoticeName,
    },
};
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// One line of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Transaction {
    /// Its number, from 1, without a gap.
    pub seq: u64,
    /// When it was decided.
    pub at: DateTime<Utc>,
    /// What it comes from.
    pub cause: Cause,
    /// What was decided, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
    /// The letters that became due with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub letters: Vec<LetterRecord>,
}

/// What a transaction comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A mail.
    Mail(Box<MailCause>),
    /// A slot of a job.
    Tick {
        /// The job.
        job: Job,
        /// The slot's day in the house's zone.
        slot: NaiveDate,
    },
    /// The director, by a ruling, an import or another act.
    Director {
        /// Who.
        by: String,
        /// What was ordered, as it was typed.
        words: String,
        /// The line of a mail that ordered it; none: it was ordered at the command line.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mail: Option<MailLine>,
    },
    /// Attempts to deliver letters.
    Delivery {
        /// What became of each.
        outcomes: Vec<DeliveryRecord>,
    },
    /// The first pass over this home.
    OpenBooks,
    /// What the program found out about itself: an outage, a mailbox out of reach.
    Program,
}

/// A line of a mail of the director's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailLine {
    /// The mail.
    pub digest: Digest,
    /// Which of its lines, from 1 on.
    pub line: u32,
}

/// The mail behind a transaction.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MailCause {
    /// The digest of its bytes: where the archive has it.
    pub digest: Digest,
    /// The mailbox's own name for it, to tell a copy from the same mail seen twice.
    pub arrival: String,
    /// When it arrived: the mailbox's stamp, or when it was taken in.
    pub arrived: DateTime<Utc>,
    /// What became of it.
    pub outcome: MailOutcome,
    /// The Message-ID it claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// The content id: the same letter by another route has the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_id: Option<String>,
    /// The address it claims to come from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub from: String,
    /// Its subject.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// How far its sender was known; none in older lines, and where nobody wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
    /// What tells whether mails say the same, so that two programs that answer each other are noticed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub likeness: Option<String>,
    /// What it was understood to say, as `read --json` prints it, without the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<Box<RawValue>>,
}

/// How far the sender of a mail was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Known {
    /// Nobody knows the address.
    Stranger,
    /// It is a player's or the director's address, and anybody can write an address.
    Address,
    /// It is his, and he wrote it.
    Proved,
}

/// What became of a mail: every mail has exactly one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MailOutcome {
    /// It was acted on, or answered.
    Acted,
    /// It waits for a person.
    Held,
    /// It was written by a machine, by ourselves or for nobody; nothing follows from it.
    Ignored,
    /// It had come before.
    Duplicate,
}

/// A letter as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LetterRecord {
    /// Its number.
    pub letter: LetterId,
    /// Which notice it brings.
    pub notice: NoticeName,
    /// The address it goes to; none: it goes on paper.
    pub to: Option<String>,
    /// What it is about, and which player it goes to; its token is made of this.
    #[serde(default)]
    pub about: About,
    /// Its subject.
    pub subject: String,
    /// Its Message-ID, without the angle brackets.
    pub message_id: String,
    /// The digest of its bytes: where the archive has it.
    pub digest: Digest,
    /// When it may leave at the earliest: until then what it tells can be taken back (Rule 7). None: at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<DateTime<Utc>>,
}

/// An attempt to deliver a letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryRecord {
    /// The letter.
    pub letter: LetterId,
    /// What became of it.
    pub outcome: DeliveryOutcome,
}

/// What became of an attempt to deliver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeliveryOutcome {
    /// The next mail system has taken it.
    Sent,
    /// It lies in the print folder.
    Printed,
    /// Not now; it is tried again.
    Deferred(String),
    /// The connection failed after the letter was handed over and before the next mail system said that it has it. It is
    /// tried again, the same bytes under the same Message-ID, by which a recipient's system can tell a copy.
    MaybeSent(String),
    /// Not at all.
    Refused(String),
}
