//! The archive: every mail as received and every letter as sent, by digest, in monthly append-only segments
//! (`2019-06.mbox`) that a mail program opens (`mbox.rs` says how the bytes lie there).
//!
//! Mails and letters share a segment: a batch has both, and so it costs one sync, not two. Which a message is stands in
//! the line that begins it (`grep '^From .*@letters'`).
//!
//! Beside each segment lies its index (`2019-06.idx`, a line `digest offset length` a message). It is derived, not
//! synced, and may be deleted: what it lacks is read from the segment. An index is read when a digest is asked for that
//! this process has not kept itself, the newest first, so that a large archive does not slow a start.
//! Who may write when is `files.rs`'s business.

use super::{
    Shelf, atomic,
    mbox::{self, Found, Place},
    segment::{self, Month, Tail},
};
use crate::{digest::Digest, fault::Fault};
use chrono::{DateTime, Utc};
use std::{
    collections::{BTreeSet, HashMap},
    fmt::Write as _,
    fs::{self, File, OpenOptions},
    io::Write as _,
    os::unix::fs::{FileExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

/// How the names of the segments end.
pub(super) const ENDING: &str = ".mbox";
/// How the names of the indexes end.
pub(super) const INDEX_ENDING: &str = ".idx";
/// The longest line of an index: a digest, two numbers, two blanks and the newline.
const INDEX_LINE_MAX: u64 = 64 + 2 * 20 + 3;

/// The archive in a folder.
#[derive(Debug)]
pub struct Archive {
    folder: PathBuf,
    /// Whether indexes may be written: we have the lock.
    writable: bool,
    /// What was kept by us or read from an index.
    known: HashMap<Digest, (Month, Place)>,
    /// The months whose messages are all in `known`.
    loaded: BTreeSet<Month>,
    tail: Option<Tail>,
    pending: Vec<Pending>,
    /// The segment that was read last, open.
    reader: Option<(Month, File)>,
}

/// What waits to be written to one segment.
#[derive(Debug)]
struct Pending {
    month: Month,
    start: u64,
    bytes: Vec<u8>,
    places: Vec<(Digest, Place)>,
}

/// What a check of the archive found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchiveCount {
    /// How many messages there are; all of them have their digest.
    pub messages: u64,
    /// Of how many more only a stone is left: they were erased.
    pub erased: u64,
    /// In how many files.
    pub segments: usize,
    /// What a crash left, for a person to read.
    pub torn: Vec<String>,
}

impl Archive {
    /// Names the folder; reads and makes nothing.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            writable: false,
            known: HashMap::new(),
            loaded: BTreeSet::new(),
            tail: None,
            pending: Vec::new(),
            reader: None,
        }
    }

    /// Makes ready for writing: forgets what was not committed and cuts off what a crash left at the end of the newest
    /// segment, and says so. Only for who may write, until `release`.
    ///
    /// # Errors
    /// A fault of the disk.
    pub fn mend(&mut self) -> Result<Option<String>, Fault> {
        self.pending.clear();
        self.writable = true;
        let Some(month) = segment::months(&self.folder, ENDING)?.pop() else { return Ok(None) };
        let path = self.path(month);
        let length = segment::length(&path)?;
        if self.tail.as_ref().is_some_and(|tail| tail.month == month && tail.end == length) {
            return Ok(None);
        }
        // Somebody else has written, into our newest segment or into newer ones.
        let ours = self.tail.take().map_or(month, |tail| tail.month);
        self.loaded.retain(|loaded| *loaded < ours);
        let from = self.index_end(month)?;
        let scan = scan(&path, from, length)?;
        let end = scan.torn.unwrap_or(length);
        segment::settle(&self.folder, &path, end)?;
        self.extend_index(month, from, &scan.whole);
        self.tail = Some(Tail::open(&self.folder, month, ENDING)?);
        let lost = length - end;
        let note = format!("{}: {lost} bytes of an unfinished message cut off", path.display());
        Ok((lost > 0).then_some(note))
    }

    /// Ends what `mend` began: others may write from now on.
    pub fn release(&mut self) {
        self.pending.clear();
        self.writable = false;
    }

    /// Puts bytes in under their digest; they are there for good when `commit` has answered. What this process knows to
    /// be there already is not written again.
    pub fn keep(&mut self, on: Shelf, at: DateTime<Utc>, digest: Digest, bytes: &[u8]) {
        if self.known.contains_key(&digest) || self.pending_place(digest).is_some() {
            return;
        }
        let tail = self.tail.as_ref().map(|tail| (tail.month, tail.end));
        let newest = self.pending.last().map(|p| p.month).or(tail.map(|(month, _)| month));
        let month = newest.map_or(Month::of(at), |newest| newest.max(Month::of(at)));
        if self.pending.last().is_none_or(|last| last.month != month) {
            let start = tail.filter(|(last, _)| *last == month).map_or(0, |(_, end)| end);
            self.pending.push(Pending { month, start, bytes: Vec::new(), places: Vec::new() });
        }
        let pending = self.pending.last_mut().expect("pushed above");
        let offset = pending.start + pending.bytes.len() as u64;
        let length = mbox::write(on, at, digest, bytes, &mut pending.bytes);
        pending.places.push((digest, Place { offset, length }));
    }

    /// Makes what was kept durable: one write and one sync for each month it falls into, and one sync of the folder for
    /// a new segment.
    ///
    /// # Errors
    /// A fault of the disk; `mend` comes next then.
    pub fn commit(&mut self) -> Result<(), Fault> {
        for pending in std::mem::take(&mut self.pending) {
            if self.tail.as_ref().is_none_or(|tail| tail.month != pending.month) {
                self.tail = Some(Tail::open(&self.folder, pending.month, ENDING)?);
            }
            let tail = self.tail.as_mut().expect("opened above");
            if let Err(fault) = tail.append(&pending.bytes) {
                self.tail = None;
                return Err(fault);
            }
            self.extend_index(pending.month, pending.start, &pending.places);
        }
        Ok(())
    }

    /// Returns the bytes of a digest; none where the archive does not have them, or not any more.
    ///
    /// # Errors
    /// A fault of the disk, or damage: bytes that do not have their digest.
    pub fn fetch(&mut self, digest: Digest) -> Result<Option<Vec<u8>>, Fault> {
        if let Some((pending, place)) = self.pending_place(digest) {
            let start = usize::try_from(place.offset - pending.start).expect("it is in memory");
            return Ok(mbox::read(digest, &pending.bytes[start..]));
        }
        let Some((month, place)) = self.find(digest)? else { return Ok(None) };
        let path = self.path(month);
        if self.reader.as_ref().is_none_or(|(open, _)| *open != month) {
            self.reader = Some((month, segment::open(&path)?));
        }
        let (_, file) = self.reader.as_ref().expect("opened above");
        let fault = |error| Fault::io("read", &path, &error);
        let bytes = mbox::read_at(file, digest, place).map_err(fault)?;
        if bytes.is_none() && mbox::is_stone_at(file, digest, place.offset).map_err(fault)? {
            return Ok(None);
        }
        bytes.map(Some).ok_or_else(|| damage(&path, digest, place.offset))
    }

    /// Verifies the digest of every message in a folder and changes nothing.
    ///
    /// # Errors
    /// A fault of the disk, or damage.
    pub fn verify(folder: &Path) -> Result<ArchiveCount, Fault> {
        let mut count = ArchiveCount::default();
        for month in segment::months(folder, ENDING)? {
            let path = segment::path(folder, month, ENDING);
            let scan = scan(&path, 0, segment::length(&path)?)?;
            if let Some(bad) = scan.bad.first() {
                return Err(damage(&path, bad.digest, bad.place.offset));
            }
            let torn = scan.holes.into_iter().chain(scan.torn);
            let say = |at| format!("{}: an unfinished message at byte {at}", path.display());
            count.torn.extend(torn.map(say));
            count.messages += scan.whole.len() as u64 - scan.stones;
            count.erased += scan.stones;
            count.segments += 1;
        }
        Ok(count)
    }

    fn path(&self, month: Month) -> PathBuf {
        segment::path(&self.folder, month, ENDING)
    }

    fn index_path(&self, month: Month) -> PathBuf {
        segment::path(&self.folder, month, INDEX_ENDING)
    }

    fn pending_place(&self, digest: Digest) -> Option<(&Pending, Place)> {
        self.pending.iter().find_map(|pending| {
            let mut places = pending.places.iter();
            places.find(|(kept, _)| *kept == digest).map(|(_, place)| (pending, *place))
        })
    }

    /// Finds a digest, reading indexes that were not read yet until one has it.
    fn find(&mut self, digest: Digest) -> Result<Option<(Month, Place)>, Fault> {
        if let Some(found) = self.known.get(&digest) {
            return Ok(Some(*found));
        }
        let months = segment::months(&self.folder, ENDING)?;
        for (age, month) in months.into_iter().rev().enumerate() {
            let may_have_grown = age == 0 && !self.writable;
            if self.loaded.contains(&month) && !may_have_grown {
                continue;
            }
            self.load(month)?;
            if let Some(found) = self.known.get(&digest) {
                return Ok(Some(*found));
            }
        }
        Ok(None)
    }

    /// Takes in all messages of a segment: by its index, and by reading the segment from where the index ends.
    fn load(&mut self, month: Month) -> Result<(), Fault> {
        let path = self.path(month);
        let mut from = self.index_end(month)?;
        if from > 0 {
            let index_path = self.index_path(month);
            let index = fs::read_to_string(&index_path);
            let index = index.map_err(|error| Fault::io("read", &index_path, &error))?;
            let places: Option<Vec<_>> = index.lines().map(read_index_line).collect();
            from = if places.is_some() { from } else { 0 };
            let places = places.into_iter().flatten();
            self.known.extend(places.map(|(digest, place)| (digest, (month, place))));
        }
        let scan = scan(&path, from, segment::length(&path)?)?;
        self.extend_index(month, from, &scan.whole);
        self.loaded.insert(month);
        Ok(())
    }

    /// Returns where the last message ends that the index has; 0 where it does not fit its segment.
    fn index_end(&self, month: Month) -> Result<u64, Fault> {
        let last = last_index_line(&self.index_path(month));
        let Some((digest, place)) = last.as_deref().and_then(read_index_line) else { return Ok(0) };
        let path = self.path(month);
        let found = mbox::find_at(&segment::open(&path)?, place.offset, segment::length(&path)?)
            .map_err(|error| Fault::io("read", &path, &error))?;
        let fits = found.filter(|found| found.digest == digest && found.place == place);
        Ok(fits.map_or(0, |found| found.end))
    }

    /// Takes messages in that stand at `from` in the segment, in memory and, where we may write, in the index. An index
    /// that cannot be written is removed, since it must not have a gap.
    fn extend_index(&mut self, month: Month, from: u64, places: &[(Digest, Place)]) {
        self.known.extend(places.iter().map(|(digest, place)| (*digest, (month, *place))));
        if !self.writable || places.is_empty() {
            return;
        }
        let mut text = String::with_capacity(places.len() * 90);
        for (digest, place) in places {
            let _ = writeln!(text, "{} {} {}", digest.hex(), place.offset, place.length);
        }
        let path = self.index_path(month);
        let written = match from {
            0 => atomic::write_unsynced(&path, text.as_bytes()),
            _ => append(&path, &text),
        };
        if let Err(fault) = written {
            tracing::warn!("{}", fault.what);
            let _ = fs::remove_file(&path);
        }
    }
}

/// What stands in a segment from some place on.
#[derive(Debug, Default)]
struct Scan {
    /// The messages that have their digest, and the stones.
    whole: Vec<(Digest, Place)>,
    /// The messages that do not.
    bad: Vec<Found>,
    /// How many of them are stones.
    stones: u64,
    /// Where there is no message, though there are some behind it.
    holes: Vec<u64>,
    /// Where the torn end begins.
    torn: Option<u64>,
}

fn scan(path: &Path, from: u64, length: u64) -> Result<Scan, Fault> {
    let fault = |error| Fault::io("read", path, &error);
    let mut scan = Scan::default();
    let mut offset = from;
    if offset >= length {
        return Ok(scan);
    }
    let file = segment::open(path)?;
    while offset < length {
        let Some(found) = mbox::find_at(&file, offset, length).map_err(fault)? else {
            // Only bytes that no message follows are a torn end: nothing that came later is ever cut off.
            let Some(next) = mbox::next_first_line(&file, offset).map_err(fault)? else {
                scan.torn = Some(offset);
                break;
            };
            scan.holes.push(offset);
            offset = next;
            continue;
        };
        scan.stones += u64::from(found.erased);
        let is_good = found.erased
            || mbox::read_at(&file, found.digest, found.place).map_err(fault)?.is_some();
        if is_good {
            scan.whole.push((found.digest, found.place));
        } else {
            scan.bad.push(found);
        }
        offset = found.end;
    }
    Ok(scan)
}

fn read_index_line(line: &str) -> Option<(Digest, Place)> {
    let mut words = line.split(' ');
    let digest = words.next()?.parse().ok()?;
    let (offset, length) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some((digest, Place { offset, length }))
}

/// Returns the last line of an index; none where it is missing or ends within a line.
fn last_index_line(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    let start = length.saturating_sub(INDEX_LINE_MAX);
    let mut end = vec![0; usize::try_from(length - start).ok()?];
    file.read_exact_at(&mut end, start).ok()?;
    let text = String::from_utf8(end).ok()?;
    text.strip_suffix('\n')?.lines().next_back().map(str::to_owned)
}

fn append(path: &Path, text: &str) -> Result<(), Fault> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .mode(0o600)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| Fault::io("write", path, &error))
}

fn damage(path: &Path, digest: Digest, offset: u64) -> Fault {
    Fault::damage(
        format!(
            "the archive is damaged: {}, the message at byte {offset} is not {digest}",
            path.display()
        ),
        "nothing was changed; restore this file from the backup, then run `knightmail check`",
    )
}
