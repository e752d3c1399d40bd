//! The journal: every transaction in order, one JSON line each, in monthly segments (`2019-06.jsonl`). It is the only
//! truth; `jq`, `grep` and `tail -f` work on it as it is.
//!
//! The month is that of the transaction's `at` in UTC, but a segment is never reopened once there is a newer one: the
//! order of the files is the order of the lines. Every line is verified whenever it is read (`line.rs`), and the chain
//! of checksums runs on across the files, so that a segment that is missing is noticed.
//!
//! What stands behind the last newline is no transaction: a crash tore it, and nobody was told that it became true. A
//! writer cuts it off (`mend`), a reader passes over it. Anything else that does not verify is damage.
//! Who may write when is `files.rs`'s business.

use super::{
    line::{self, Line},
    replay::{self, Read},
    segment::{self, Month, Tail},
    transaction::Transaction,
};
use crate::fault::Fault;
use std::{
    fs::File,
    io::{BufRead as _, BufReader},
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
};

/// How the names of the segments end.
pub(super) const ENDING: &str = ".jsonl";
/// How much is read at once when looking for the last newline.
const BLOCK_BYTES: u64 = 64 * 1024;

/// The journal in a folder.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    /// What was handed over or written by us.
    place: Place,
    /// The number and checksum that the next line follows: those of the last pending line, or `place`'s.
    last: Link,
    pending: Vec<(Month, Vec<u8>)>,
    tail: Option<Tail>,
    /// Whether all lines there are have been handed over, so that more may be appended.
    caught_up: bool,
}

/// A place between two lines.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    month: Option<Month>,
    offset: u64,
    line: u64,
    link: Link,
}

/// A line as the next one refers to it.
#[derive(Clone, Copy, Debug)]
struct Link {
    seq: u64,
    sum: u32,
}

impl Default for Link {
    fn default() -> Self {
        Self { seq: 0, sum: line::NO_SUM }
    }
}

/// What a check of the journal found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournalCount {
    /// How many transactions there are; all of them verify.
    pub transactions: u64,
    /// In how many files.
    pub segments: usize,
    /// What a crash left at the end, for a person to read; the next writer cuts it off.
    pub torn: Option<String>,
}

impl Journal {
    /// Names the folder; reads and makes nothing.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            place: Place::default(),
            last: Link::default(),
            pending: Vec::new(),
            tail: None,
            caught_up: false,
        }
    }

    /// Hands over, in order, all transactions that came since the last call.
    ///
    /// # Errors
    /// A fault of the disk, or damage: a line that does not verify, a segment that is missing.
    pub fn catch_up(&mut self, each: &mut dyn FnMut(&Transaction)) -> Result<(), Fault> {
        if !self.pending.is_empty() {
            return Ok(()); // we are writing, so nobody else is
        }
        let mut months = segment::months(&self.folder, ENDING)?;
        if let Some(known) = self.place.month {
            months.retain(|month| *month >= known);
            if months.first() != Some(&known) {
                return Err(damage(&self.path(known), "is missing", ""));
            }
            self.still_as_long(known)?;
        }
        let Self { folder, place, .. } = self;
        replay::lines(folder, ENDING, &months, place.offset, &mut |read| {
            place.follow(folder, read, each)
        })?;
        self.whole_but_the_last(&months)?;
        self.last = self.place.link;
        self.caught_up = true;
        Ok(())
    }

    /// Cuts off what a crash left behind the last newline, and says so. Only for who may write.
    ///
    /// # Errors
    /// A fault of the disk.
    pub fn mend(&mut self) -> Result<Option<String>, Fault> {
        self.pending.clear();
        self.last = self.place.link;
        self.tail = None;
        self.caught_up = false;
        let Some(newest) = newest_end(&self.folder)? else { return Ok(None) };
        let is_ours = self.place.month == Some(newest.month) && self.place.offset == newest.length;
        if !is_ours {
            segment::settle(&self.folder, &newest.path, newest.end)?;
        }
        Ok(newest.torn().map(|torn| format!("{torn}: cut off; nobody was told of it")))
    }

    /// Puts a transaction behind the last one; it is true when `commit` has answered.
    ///
    /// # Errors
    /// It does not follow the last transaction, or the journal was not read to its end since `mend`.
    pub fn append(&mut self, transaction: &Transaction) -> Result<(), Fault> {
        if !self.caught_up || transaction.seq != self.last.seq + 1 {
            let (seq, last) = (transaction.seq, self.last.seq);
            return Err(Fault::passing(
                format!("transaction {seq} does not follow the last one read, {last}"),
                "read the journal to its end first; nothing was written",
            ));
        }
        let newest = self.pending.last().map(|(month, _)| *month).or(self.place.month);
        let month = newest.map_or(Month::of(transaction.at), |m| m.max(Month::of(transaction.at)));
        if self.pending.last().is_none_or(|(last, _)| *last != month) {
            self.pending.push((month, Vec::new()));
        }
        let (_, bytes) = self.pending.last_mut().expect("pushed above");
        let sum = line::write(transaction, self.last.sum, bytes);
        self.last = Link { seq: transaction.seq, sum };
        Ok(())
    }

    /// Makes true what was appended: one write and one sync for each month it falls into, and one sync of the folder
    /// for a new segment.
    ///
    /// # Errors
    /// A fault of the disk. Nothing more is taken then before `mend` and `catch_up`: a line must never follow half a
    /// line, and what is in the file then, whole, is what became true.
    pub fn commit(&mut self) -> Result<(), Fault> {
        let mut place = self.place;
        for (month, bytes) in std::mem::take(&mut self.pending) {
            if let Err(fault) = self.write(month, &bytes) {
                self.caught_up = false;
                self.tail = None;
                return Err(fault);
            }
            let lines = memchr::memchr_iter(b'\n', &bytes).count() as u64;
            place.begin(month);
            place.offset += bytes.len() as u64;
            place.line += lines;
        }
        place.link = self.last;
        self.place = place;
        Ok(())
    }

    /// Returns a transaction by its number; none where there is none of that number. Only its own line is verified.
    ///
    /// # Errors
    /// A fault of the disk, or damage.
    pub fn find(&self, seq: u64) -> Result<Option<Transaction>, Fault> {
        for month in segment::months(&self.folder, ENDING)?.into_iter().rev() {
            let path = self.path(month);
            let mut lines = BufReader::new(segment::open(&path)?);
            let mut number = 0;
            let mut bytes = Vec::new();
            while next_line(&mut lines, &mut bytes, &path)? {
                number += 1;
                match line::claimed_seq(&bytes) {
                    Some(first) if number == 1 && first > seq => break,
                    Some(found) if found == seq => {
                        let line = line::read(&bytes);
                        let line = line.map_err(|why| damage(&path, &line_number(number), &why))?;
                        return Ok(Some(line.transaction));
                    }
                    _ => {}
                }
            }
        }
        Ok(None)
    }

    /// Verifies the whole journal in a folder and changes nothing.
    ///
    /// # Errors
    /// A fault of the disk, or the first damage.
    pub fn verify(folder: &Path) -> Result<JournalCount, Fault> {
        let mut journal = Self::new(folder);
        journal.catch_up(&mut |_| ())?;
        Ok(JournalCount {
            transactions: journal.last.seq,
            segments: segment::months(folder, ENDING)?.len(),
            torn: newest_end(folder)?.and_then(|newest| newest.torn()),
        })
    }

    fn path(&self, month: Month) -> PathBuf {
        segment::path(&self.folder, month, ENDING)
    }

    fn write(&mut self, month: Month, bytes: &[u8]) -> Result<(), Fault> {
        if self.tail.as_ref().is_none_or(|tail| tail.month != month) {
            self.tail = Some(Tail::open(&self.folder, month, ENDING)?);
        }
        self.tail.as_mut().expect("opened above").append(bytes)
    }

    /// A segment only ever grows behind what was handed over.
    fn still_as_long(&self, month: Month) -> Result<(), Fault> {
        let path = self.path(month);
        if segment::length(&path)? < self.place.offset {
            return Err(damage(&path, "is shorter than it was when it was last read", ""));
        }
        Ok(())
    }

    /// Only the newest segment may be torn: there was no newer one before it was whole.
    fn whole_but_the_last(&self, months: &[Month]) -> Result<(), Fault> {
        let older = months.split_last().map_or(&[][..], |(_, older)| older);
        for path in older.iter().map(|month| self.path(*month)) {
            let length = segment::length(&path)?;
            if last_newline(&path, length)? < length {
                return Err(damage(&path, "ends within a line, and there is a newer file", ""));
            }
        }
        Ok(())
    }
}

impl Place {
    fn begin(&mut self, month: Month) {
        if self.month != Some(month) {
            *self = Self { month: Some(month), offset: 0, line: 0, link: self.link };
        }
    }

    /// Takes lines as the ones that come next.
    fn follow(
        &mut self,
        folder: &Path,
        read: &Read,
        each: &mut dyn FnMut(&Transaction),
    ) -> Result<(), Fault> {
        self.begin(read.month);
        let path = || segment::path(folder, read.month, ENDING);
        for line in &read.lines {
            self.line += 1;
            if let Some(why) = self.link.break_before(line) {
                return Err(damage(&path(), &line_number(self.line), &why));
            }
            self.offset += line.length;
            self.link = Link { seq: line.transaction.seq, sum: line.sum };
            each(&line.transaction);
        }
        match &read.broken {
            Some(why) => Err(damage(&path(), &line_number(self.line + 1), why)),
            None => Ok(()),
        }
    }
}

impl Link {
    /// Says why a line does not follow this one, where it does not.
    fn break_before(self, line: &Line) -> Option<String> {
        let (seq, expected) = (line.transaction.seq, self.seq + 1);
        if seq != expected {
            return Some(format!("is transaction {seq} where {expected} belongs"));
        }
        if line.prev != self.sum {
            let (says, has) = (line.prev, self.sum);
            return Some(format!(
                "follows a line with checksum {says:08x}; the one before it has {has:08x}"
            ));
        }
        None
    }
}

/// How the newest segment ends.
struct NewestEnd {
    month: Month,
    path: PathBuf,
    /// Where its last whole line ends.
    end: u64,
    length: u64,
}

impl NewestEnd {
    /// Says what a crash left behind the last newline.
    fn torn(&self) -> Option<String> {
        let lost = self.length - self.end;
        let path = self.path.display();
        (lost > 0).then(|| format!("{path} ends in {lost} bytes of an unfinished line"))
    }
}

fn newest_end(folder: &Path) -> Result<Option<NewestEnd>, Fault> {
    let Some(month) = segment::months(folder, ENDING)?.pop() else { return Ok(None) };
    let path = segment::path(folder, month, ENDING);
    let length = segment::length(&path)?;
    let end = last_newline(&path, length)?;
    Ok(Some(NewestEnd { month, path, end, length }))
}

/// Returns where the last whole line of a file ends.
fn last_newline(path: &Path, length: u64) -> Result<u64, Fault> {
    let file = segment::open(path)?;
    let mut block = [0];
    let mut end = length;
    if end > 0 {
        file.read_exact_at(&mut block, end - 1).map_err(|e| Fault::io("read", path, &e))?;
    }
    if block == *b"\n" {
        return Ok(end);
    }
    while end > 0 {
        let start = end.saturating_sub(BLOCK_BYTES);
        let block = read_between(&file, start, end).map_err(|e| Fault::io("read", path, &e))?;
        if let Some(found) = memchr::memrchr(b'\n', &block) {
            return Ok(start + found as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

fn read_between(file: &File, start: u64, end: u64) -> std::io::Result<Vec<u8>> {
    let mut block = vec![0; usize::try_from(end - start).expect("a block is small")];
    file.read_exact_at(&mut block, start)?;
    Ok(block)
}

/// Reads a line without its newline; false at the end and at an unfinished line.
fn next_line(lines: &mut BufReader<File>, bytes: &mut Vec<u8>, path: &Path) -> Result<bool, Fault> {
    bytes.clear();
    lines.read_until(b'\n', bytes).map_err(|error| Fault::io("read", path, &error))?;
    Ok(bytes.pop_if(|byte| *byte == b'\n').is_some())
}

fn line_number(number: u64) -> String {
    format!("line {number}:")
}

fn damage(path: &Path, place: &str, why: &str) -> Fault {
    let what = format!("the journal is damaged: {} {place} {why}", path.display());
    Fault::damage(
        what.trim_end(),
        "nothing was changed; restore this file from the backup, then run `knightmail check`",
    )
}
