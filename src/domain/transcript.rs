//! What the director writes by mail, as the books keep it: the lines that were read with what came of each, and lines
//! that wait for his word because nothing proves that he wrote them (Rule 7). Carrying them out is `office/orders/`.

use super::{command::Command, decide::Decision, event::Event};
use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

/// Days for which lines wait for the director's word.
const DAYS: Days = Days::new(14);

/// What came of the lines of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    /// The lines that were read, in order.
    pub lines: Vec<ReadLine>,
    /// How many lines behind them were not read, because there were too many before that are no commands.
    #[serde(default, skip_serializing_if = "is_none")]
    pub unread: usize,
}

/// A line that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadLine {
    /// The line as it was written.
    pub line: String,
    /// The transaction in which it was carried out; none: it changed nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<u64>,
    /// What came of it, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<String>,
    /// What was asked to be shown, as a text of lines.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub shown: String,
}

/// Lines that came from an address of the director's, as anybody can write it: they wait for his word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldLines {
    /// The digest of the mail.
    pub mail: String,
    /// The lines.
    pub lines: Vec<String>,
    /// The last day on which his word counts.
    pub until: NaiveDate,
}

/// The director's word about lines that waited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettledLines {
    /// The digest of the mail that they came in.
    pub mail: String,
    /// Whether they are his.
    pub his: bool,
}

/// Notes what came of a mail of the director's.
pub(super) fn note(decision: &mut Decision<'_>, command: &Command) {
    match command {
        Command::HoldLines { mail, lines } => {
            let until = decision.now.today + DAYS;
            let (mail, lines) = (mail.clone(), lines.clone());
            decision.push(Event::LinesHeld(HeldLines { mail, lines, until }));
        }
        Command::SettleLines(settled) => decision.push(Event::LinesSettled(settled.clone())),
        Command::Transcribe(transcript) => decision.push(Event::LinesRead(transcript.clone())),
        _ => {}
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands in a reference")]
const fn is_none(count: &usize) -> bool {
    *count == 0
}
