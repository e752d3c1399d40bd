//! What came of the lines of a mail of the director's, and lines in his name that wait for his word (Rule 7).

use super::words;
use crate::domain::transcript::{HeldLines, ReadLine, Transcript};
use serde::Serialize;

/// `transcript`.
#[derive(Debug, Serialize)]
pub struct TranscriptView {
    /// The lines that were read, in order.
    pub lines: Vec<LineView>,
    /// How many of them were carried out.
    pub done: usize,
    /// How many lines behind them were not read.
    pub unread: usize,
}

/// A line that was read.
#[derive(Debug, Serialize)]
pub struct LineView {
    /// The line as it was written.
    pub line: String,
    /// The number of what was done, which takes it back; null where it changed nothing.
    pub act: Option<u64>,
    /// What came of it, a sentence each.
    pub said: Vec<String>,
    /// What was asked to be shown, line by line.
    pub shown: Vec<String>,
}

/// `director-confirm`.
#[derive(Debug, Serialize)]
pub struct Confirm {
    /// The lines.
    pub lines: Vec<String>,
    /// The last day on which an answer counts.
    pub until: String,
    /// Where the mail lies in the archive, for `knightmail show mail`.
    pub mail: String,
}

/// Returns the view of `transcript`.
pub fn transcript(transcript: &Transcript) -> TranscriptView {
    TranscriptView {
        lines: transcript.lines.iter().map(line).collect(),
        done: transcript.lines.iter().filter(|line| line.act.is_some()).count(),
        unread: transcript.unread,
    }
}

fn line(read: &ReadLine) -> LineView {
    LineView {
        line: words::clean(&read.line),
        act: read.act,
        said: read.said.iter().map(|sentence| words::clean(sentence)).collect(),
        shown: read.shown.lines().map(|line| line.trim_end().to_owned()).collect(),
    }
}

/// Returns the view of `director-confirm`.
pub fn confirm(held: &HeldLines) -> Confirm {
    Confirm {
        lines: held.lines.iter().map(|line| words::clean(line)).collect(),
        until: words::date(held.until),
        mail: held.mail.clone(),
    }
}
