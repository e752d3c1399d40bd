//! How bytes lie in a segment of the archive: as a message of an mbox file in the mboxrd form, which every mail program
//! opens and which gives the bytes back exactly. The line that begins a message names its digest, its length and its
//! shelf, so that a segment needs no index to be understood:
//!
//! ```text
//! From 0123…cdef.512@mail Tue Jan  1 00:00:00 2019
//! ```
//!
//! A line that begins with any number of `>` and `From ` gets one more `>`; the length is that of the bytes so quoted.
//! Behind them stand a newline, where they do not end in one, and an empty line. Opening and syncing is `archive.rs`.
//!
//! A message that was erased leaves a stone: its digest, the shelf `erased`, and words that say when and by what.

use super::Shelf;
use crate::digest::Digest;
use chrono::{DateTime, Utc};
use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Seek as _, SeekFrom},
    os::unix::fs::FileExt as _,
};

/// The longest line that can begin a message: 5 + 64 + 1 + 20 + 8 + 1 + 24 + 1 bytes.
const FIRST_LINE_MAX: usize = 124;

/// The shelf of the stones that erased messages leave.
const ERASED: &str = "erased";

/// Where a message lies in its segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Where its first line begins.
    pub(super) offset: u64,
    /// How long the quoted bytes are.
    pub(super) length: u64,
}

/// A message whose beginning and end were found; its bytes may still be others than its digest says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The digest that it claims.
    pub(super) digest: Digest,
    /// Where it lies.
    pub(super) place: Place,
    /// Where the next one begins.
    pub(super) end: u64,
    /// Only a stone is left of it.
    pub(super) erased: bool,
}

/// Writes a message and returns the length of its quoted bytes.
pub(super) fn write(
    shelf: Shelf,
    at: DateTime<Utc>,
    digest: Digest,
    bytes: &[u8],
    into: &mut Vec<u8>,
) -> u64 {
    let length = bytes.len() + lines(bytes).filter(|line| quoted_from(line)).count();
    let (hex, shelf, date) = (digest.hex(), shelf_word(shelf), at.format("%a %b %e %H:%M:%S %Y"));
    into.extend_from_slice(format!("From {hex}.{length}@{shelf} {date}\n").as_bytes());
    for line in lines(bytes) {
        if quoted_from(line) {
            into.push(b'>');
        }
        into.extend_from_slice(line);
    }
    if bytes.last() != Some(&b'\n') {
        into.push(b'\n');
    }
    into.push(b'\n');
    length as u64
}

/// Writes the stone of a message that is erased, with a line that says why.
pub(super) fn write_stone(at: DateTime<Utc>, digest: Digest, why: &str, into: &mut Vec<u8>) {
    let (hex, date) = (digest.hex(), at.format("%a %b %e %H:%M:%S %Y"));
    let text = format!("Subject: erased\n\n{}\n", why.replace('\n', " "));
    let length = text.len();
    into.extend_from_slice(format!("From {hex}.{length}@{ERASED} {date}\n{text}\n").as_bytes());
}

/// Tells whether there is only the stone of a message at a place.
pub(super) fn is_stone_at(file: &File, digest: Digest, offset: u64) -> io::Result<bool> {
    let mut start = [0; FIRST_LINE_MAX];
    let count = read_as_far_as_there_is(file, &mut start, offset)?;
    let first = read_first_line(&start[..count]);
    Ok(first.is_some_and(|first| first.erased && first.digest == digest))
}

/// Reads a message out of the bytes that begin at its first line. None where it is not this message, or not whole.
pub(super) fn read(digest: Digest, stored: &[u8]) -> Option<Vec<u8>> {
    let first = read_first_line(stored)?;
    let quoted = stored.get(first.end..)?.get(..usize::try_from(first.length).ok()?)?;
    let bytes = unquote(quoted);
    (first.digest == digest && Digest::of(&bytes) == digest).then_some(bytes)
}

/// Reads a message at a place of a segment; none as with [`read`].
pub(super) fn read_at(file: &File, digest: Digest, place: Place) -> io::Result<Option<Vec<u8>>> {
    let there_is = file.metadata()?.len().saturating_sub(place.offset);
    let length = usize::try_from(place.length.min(there_is)).unwrap_or(usize::MAX);
    let mut stored = vec![0; length.saturating_add(FIRST_LINE_MAX)];
    let count = read_as_far_as_there_is(file, &mut stored, place.offset)?;
    Ok(read(digest, &stored[..count]))
}

/// Returns the message that begins at `offset`, where a whole one does.
pub(super) fn find_at(file: &File, offset: u64, file_length: u64) -> io::Result<Option<Found>> {
    let mut start = [0; FIRST_LINE_MAX];
    let count = read_as_far_as_there_is(file, &mut start, offset)?;
    let Some(first) = read_first_line(&start[..count]) else { return Ok(None) };
    let FirstLine { digest, length, erased, .. } = first;
    let body = offset + first.end as u64;
    let Some(body_end) = body.checked_add(length).filter(|end| *end < file_length) else {
        return Ok(None);
    };
    let mut ending = [0; 3]; // the last byte of the body and what follows it
    let from = body_end.saturating_sub(1);
    let count = read_as_far_as_there_is(file, &mut ending, from)?;
    let end = match (length, &ending[..count]) {
        (0, [b'\n', b'\n', b'\n']) => body_end + 2,
        (0, _) => return Ok(None),
        (_, [b'\n', b'\n', ..]) => body_end + 1,
        (_, [last, b'\n', b'\n']) if *last != b'\n' => body_end + 2,
        _ => return Ok(None),
    };
    Ok(Some(Found { digest, place: Place { offset, length }, end, erased }))
}

/// Returns the next offset behind `from` where a line begins a message. Quoting sees to it that no line within a message
/// does.
pub(super) fn next_first_line(file: &File, from: u64) -> io::Result<Option<u64>> {
    let mut lines = BufReader::new(file);
    let mut offset = lines.seek(SeekFrom::Start(from))?;
    let mut line = Vec::new();
    loop {
        let count = lines.read_until(b'\n', &mut line)?;
        if count == 0 {
            return Ok(None);
        }
        if offset > from && read_first_line(&line).is_some() {
            return Ok(Some(offset));
        }
        offset += count as u64;
        line.clear();
    }
}

/// The line that begins a message.
struct FirstLine {
    digest: Digest,
    /// The length of the quoted bytes.
    length: u64,
    erased: bool,
    /// Where the line ends and the message begins.
    end: usize,
}

fn read_first_line(bytes: &[u8]) -> Option<FirstLine> {
    let end = memchr::memchr(b'\n', &bytes[..bytes.len().min(FIRST_LINE_MAX)])?;
    let line = str::from_utf8(&bytes[..end]).ok()?;
    let (name, rest) = line.strip_prefix("From ")?.split_once('@')?;
    let (digest, length) = name.split_once('.')?;
    let (shelf, date) = rest.split_once(' ')?;
    let erased = shelf == ERASED;
    let fits = [Shelf::Mail, Shelf::Letters].into_iter().any(|one| shelf_word(one) == shelf);
    if !(fits || erased) || date.len() != 24 || digest.len() != 64 {
        return None;
    }
    let (digest, length) = (digest.parse().ok()?, length.parse().ok()?);
    Some(FirstLine { digest, length, erased, end: end + 1 })
}

fn shelf_word(shelf: Shelf) -> &'static str {
    match shelf {
        Shelf::Mail => "mail",
        Shelf::Letters => "letters",
    }
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = memchr::memchr_iter(b'\n', bytes).map(|at| at + 1).chain([bytes.len()]);
    ends.scan(0, |start, end| Some(&bytes[std::mem::replace(start, end)..end]))
}

fn quoted_from(line: &[u8]) -> bool {
    let quotes = line.iter().take_while(|byte| **byte == b'>').count();
    line[quotes..].starts_with(b"From ")
}

fn unquote(quoted: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(quoted.len());
    for line in lines(quoted) {
        let quote = usize::from(quoted_from(line) && line.starts_with(b">"));
        bytes.extend_from_slice(&line[quote..]);
    }
    bytes
}

fn read_as_far_as_there_is(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut count = 0;
    while count < buffer.len() {
        match file.read_at(&mut buffer[count..], offset + count as u64) {
            Ok(0) => break,
            Ok(more) => count += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
}
