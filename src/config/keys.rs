//! `reply.keys`: the secrets by which we know our own letters again (see `token.rs`), in hexadecimal digits, one a
//! line, the newest first. Made at `init`; `keys rotate` puts a new line above the others, and makes the file where it is lost. A line that begins with `#` is a
//! remark: the day on which the key below it was made.

use super::error::ConfigError;
use crate::token::{ReplyKeys, hex};
use chrono::NaiveDate;
use std::{
    fs::File,
    io::{self, Read as _},
    os::unix::fs::PermissionsExt as _,
    path::Path,
};

/// The file's name in a home.
pub const FILE: &str = "reply.keys";

/// Bytes of a new key: as many as its HMAC has (RFC 2104 section 3).
const KEY_BYTES: usize = 32;

/// Bytes that a key must have at least.
const KEY_BYTES_MIN: usize = 16;

/// Returns the text of a file with one new random key. The file is to be for its owner alone (0600).
///
/// # Errors
/// Where the system gives no random bytes.
pub fn make() -> io::Result<String> {
    let mut key = [0; KEY_BYTES];
    File::open("/dev/urandom")?.read_exact(&mut key)?;
    Ok(format!("{}\n", hex(&key)))
}

/// A key of the file, as far as anybody is told of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dated {
    /// The day on which it was made; none where the file does not say.
    pub made: Option<NaiveDate>,
}

/// Returns the keys of the file's text, the newest first.
pub fn dated(text: &str) -> Vec<Dated> {
    entries(text).map(|(made, _)| Dated { made }).collect()
}

/// Returns the text of the file with a new key above the others, of which the newest `keep` stay.
///
/// # Errors
/// Where the system gives no random bytes.
pub fn rotated(text: &str, today: NaiveDate, keep: usize) -> io::Result<String> {
    let kept = entries(text).take(keep).map(|(made, key)| {
        let remark = made.map(|day| format!("# {day}\n")).unwrap_or_default();
        format!("{remark}{key}\n")
    });
    Ok(format!("# {today}\n{}{}", make()?, kept.collect::<String>()))
}

/// Tells whether a home's keys are lost: there is no file, or nothing in it.
///
/// # Errors
/// The file cannot be read.
pub fn are_lost(path: &Path) -> io::Result<bool> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(entries(&text).next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

/// Returns the lines with keys, each with the day that stands above it.
fn entries(text: &str) -> impl Iterator<Item = (Option<NaiveDate>, &str)> {
    let mut made = None;
    text.lines().map(str::trim).filter(|line| !line.is_empty()).filter_map(move |line| {
        match line.strip_prefix('#') {
            Some(remark) => {
                made = remark.trim().parse().ok();
                None
            }
            None => Some((made.take(), line)),
        }
    })
}

/// Reads the keys of a home.
pub(super) fn load(home: &Path) -> Result<ReplyKeys, ConfigError> {
    let path = home.join(FILE);
    let (mode, text) = std::fs::metadata(&path)
        .and_then(|meta| Ok((meta.permissions().mode(), std::fs::read_to_string(&path)?)))
        .map_err(|e| {
            let hint = "knightmail keys rotate makes a new one; without it answers to our letters are not \
                        known, those to letters that are out by their address alone";
            ConfigError::of_file(FILE, format!("it cannot be read: {e}"), hint)
        })?;
    if mode & 0o077 != 0 {
        let hint = "whoever knows a key can make up answers to our letters: chmod 600 reply.keys";
        return Err(ConfigError::of_file(FILE, "others than its owner have a right to it", hint));
    }
    read(&text)
}

/// Reads keys. The text is never quoted.
pub(super) fn read(text: &str) -> Result<ReplyKeys, ConfigError> {
    let mut keys = Vec::new();
    let is_key = |line: &str| !line.trim().is_empty() && !line.trim().starts_with('#');
    for (n, line) in text.lines().enumerate().filter(|(_, line)| is_key(line)) {
        let key = bytes(line.trim()).filter(|key| key.len() >= KEY_BYTES_MIN);
        keys.push(key.ok_or_else(|| ConfigError {
            line: n + 1,
            column: 1,
            ..ConfigError::of_file(
                FILE,
                "this line is no key",
                "a key is 64 hexadecimal digits, at least 32, and nothing else in the line",
            )
        })?);
    }
    if keys.is_empty() {
        let hint = "knightmail keys rotate makes a new one";
        return Err(ConfigError::of_file(FILE, "there is no key in it", hint));
    }
    Ok(ReplyKeys::new(keys))
}

fn bytes(digits: &str) -> Option<Vec<u8>> {
    let digit = |b: &u8| char::from(*b).to_digit(16).and_then(|d| u8::try_from(d).ok());
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(digit(high)? << 4 | digit(low)?));
    bytes.collect::<Option<_>>().filter(|_| rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_keys_differ_and_can_be_read() {
        let (one, other) = (make().unwrap(), make().unwrap());
        assert_ne!(one, other);
        assert_eq!(format!("{:?}", read(&format!("{one}\n{other}")).unwrap()), "ReplyKeys(2 keys)");
    }

    #[test]
    fn a_new_key_stands_above_the_ones_that_are_kept() {
        let day = |text: &str| text.parse().unwrap();
        let first = make().unwrap();
        let second = rotated(&first, day("2026-12-01"), 4).unwrap();
        let third = rotated(&second, day("2027-12-01"), 4).unwrap();
        let made: Vec<_> = dated(&third).iter().map(|key| key.made).collect();
        assert_eq!(made, [Some(day("2027-12-01")), Some(day("2026-12-01")), None]);
        assert!(third.ends_with(&first) && third.contains(&second));
        assert_eq!(format!("{:?}", read(&third).unwrap()), "ReplyKeys(3 keys)");
        assert_eq!(dated(&rotated(&third, day("2028-12-01"), 1).unwrap()).len(), 2);
        assert!(!rotated(&third, day("2028-12-01"), 0).unwrap().contains(first.trim()));
    }

    #[test]
    fn a_malformed_line_is_named_and_not_quoted() {
        for text in ["abc", "zz", "0011", &"0".repeat(33), "geheim geheim geheim geheim geheim"] {
            let error = read(&format!("{}\n{text}\n", "a0".repeat(32))).unwrap_err();
            assert_eq!((error.line, error.what.as_str()), (2, "this line is no key"));
            assert!(!error.to_string().contains(text), "{error}");
        }
        assert_eq!(read("\n").unwrap_err().what, "there is no key in it");
    }
}
