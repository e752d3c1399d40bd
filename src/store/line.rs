//! One line of the journal: a transaction as JSON that carries its number, the checksum of the line before and, as its
//! last field, its own. The checksum is the CRC-32 of every byte of the line before `,"sum":`, so it covers the one
//! before it and the lines form a chain.

use super::transaction::Transaction;

/// What the first line of all has for the checksum of the line before.
pub(super) const NO_SUM: u32 = 0;
/// How long `,"sum":"01234567"}` is.
const SEAL_LENGTH: usize = 18;

/// A line that verified by itself; whether it follows the line before is its reader's to judge.
#[derive(Debug)]
pub(super) struct Line {
    /// The checksum that it claims for the line before.
    pub(super) prev: u32,
    /// Its own.
    pub(super) sum: u32,
    /// How many bytes it has, with its newline.
    pub(super) length: u64,
    /// What it says.
    pub(super) transaction: Transaction,
}

/// Writes a line, with its newline, and returns its checksum.
pub(super) fn write(transaction: &Transaction, prev: u32, into: &mut Vec<u8>) -> u32 {
    let json = serde_json::to_vec(transaction).expect("a transaction has text keys only");
    let first = memchr::memchr(b',', &json).expect("a transaction has more fields than its number");
    let start = into.len();
    into.extend_from_slice(&json[..first]);
    into.extend_from_slice(format!(",\"prev\":\"{prev:08x}\"").as_bytes());
    into.extend_from_slice(&json[first..json.len() - 1]);
    // A reading is kept as it was given; between its tokens there may be line breaks, which mean nothing there.
    for byte in &mut into[start..] {
        if *byte == b'\n' {
            *byte = b' ';
        }
    }
    let sum = crc32fast::hash(&into[start..]);
    into.extend_from_slice(format!(",\"sum\":\"{sum:08x}\"}}\n").as_bytes());
    sum
}

/// Reads a line without its newline. The error says what is wrong with it.
pub(super) fn read(line: &[u8]) -> Result<Line, String> {
    let (sum, prev) = checksums(line)?;
    // Once for the line and not for each string in it.
    let text = str::from_utf8(line).map_err(|error| format!("is not text ({error})"))?;
    let transaction: Transaction = serde_json::from_str(text)
        .map_err(|error| format!("is not a transaction that this version can read ({error})"))?;
    Ok(Line { prev, sum, length: line.len() as u64 + 1, transaction })
}

/// Returns the number that a line claims, without verifying anything.
pub(super) fn claimed_seq(line: &[u8]) -> Option<u64> {
    split_seq(line).map(|(seq, _)| seq)
}

/// Verifies the checksum of a line; returns it and the one of the line before.
fn checksums(line: &[u8]) -> Result<(u32, u32), String> {
    let (body, seal) = line
        .split_at_checked(line.len().wrapping_sub(SEAL_LENGTH))
        .ok_or("is too short to be a transaction")?;
    let sum = seal
        .strip_prefix(b",\"sum\":\"")
        .and_then(|rest| rest.strip_suffix(b"\"}"))
        .and_then(read_sum)
        .ok_or("does not end in its checksum")?;
    let found = crc32fast::hash(body);
    if found != sum {
        return Err(format!("has the checksum {found:08x} and says {sum:08x}"));
    }
    let prev = split_seq(body)
        .and_then(|(_, rest)| rest.strip_prefix(b",\"prev\":\""))
        .and_then(|rest| rest.get(..8))
        .and_then(read_sum)
        .ok_or("does not begin with its number and the checksum of the line before")?;
    Ok((sum, prev))
}

fn split_seq(line: &[u8]) -> Option<(u64, &[u8])> {
    let rest = line.strip_prefix(b"{\"seq\":")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let seq = str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    Some((seq, &rest[digits..]))
}

/// Reads eight lower-case hexadecimal digits, the one spelling that is written.
fn read_sum(digits: &[u8]) -> Option<u32> {
    let lower = digits.iter().all(|d| d.is_ascii_digit() || (b'a'..=b'f').contains(d));
    let text = str::from_utf8(digits).ok().filter(|_| lower)?;
    u32::from_str_radix(text, 16).ok()
}
