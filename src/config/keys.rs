//! `reply.keys`: the secrets by which we know our own letters again (see `token.rs`), in hexadecimal digits, one a
//! line, the newest first. Made at `init`; to rotate, put a new line above the others and keep them for a few months.

use super::error::ConfigError;
use crate::token::{ReplyKeys, hex};
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

/// Reads the keys of a home.
pub(super) fn load(home: &Path) -> Result<ReplyKeys, ConfigError> {
    let path = home.join(FILE);
    let (mode, text) = std::fs::metadata(&path)
        .and_then(|meta| Ok((meta.permissions().mode(), std::fs::read_to_string(&path)?)))
        .map_err(|e| {
            let hint = "knightmail init makes it; without it answers to our letters are not known";
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
    for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
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
        let hint = "take the file away and let knightmail init make a new one";
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
    fn a_malformed_line_is_named_and_not_quoted() {
        for text in ["abc", "zz", "0011", &"0".repeat(33), "geheim geheim geheim geheim geheim"] {
            let error = read(&format!("{}\n{text}\n", "a0".repeat(32))).unwrap_err();
            assert_eq!((error.line, error.what.as_str()), (2, "this line is no key"));
            assert!(!error.to_string().contains(text), "{error}");
        }
        assert_eq!(read("\n").unwrap_err().what, "there is no key in it");
    }
}
