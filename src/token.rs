//! Keyed tokens: what lets us know our own letters again. Each letter's Reply-To and Message-ID carry its number and
//! an HMAC over the letter, its player and its game, so that nobody can make up an answer to a letter he never got.

use crate::domain::{docket::About, ids::LetterId};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::fmt;

/// How many bytes of the HMAC a token carries: 80 bits, beyond guessing by mail, short enough for a local part.
const MAC_BYTES: usize = 10;

/// The keys of a home, the newest first. New letters use the first; the others are still known.
#[derive(Clone)]
pub struct ReplyKeys(Vec<Vec<u8>>);

impl fmt::Debug for ReplyKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReplyKeys({} keys)", self.0.len())
    }
}

impl ReplyKeys {
    /// Takes keys, the newest first. There must be one.
    pub fn new(keys: Vec<Vec<u8>>) -> Self {
        assert!(keys.iter().any(|key| !key.is_empty()), "a home has at least one reply key");
        Self(keys)
    }

    /// Returns the token of a letter: `l42.0123456789abcdef0123`.
    pub fn token(&self, letter: LetterId, about: &About) -> String {
        format!("l{}.{}", letter.0, mac(&self.0[0], letter, about))
    }

    /// Tells whether a token is the one of this letter under any of the keys.
    pub fn verifies(&self, token: &str, letter: LetterId, about: &About) -> bool {
        let Some((number, given)) = split(token) else { return false };
        number == letter && self.0.iter().any(|key| mac(key, letter, about) == given)
    }
}

/// Returns the letter that a token claims to belong to. Only [`ReplyKeys::verifies`] tells whether that is true.
pub fn claimed_letter(token: &str) -> Option<LetterId> {
    split(token).map(|(letter, _)| letter)
}

fn split(token: &str) -> Option<(LetterId, String)> {
    let token = token.to_ascii_lowercase();
    let (number, mac) = token.strip_prefix('l')?.split_once('.')?;
    let fits = mac.len() == MAC_BYTES * 2 && mac.bytes().all(|b| b.is_ascii_hexdigit());
    number.parse().ok().filter(|_| fits).map(|n| (LetterId(n), mac.to_owned()))
}

fn mac(key: &[u8], letter: LetterId, about: &About) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of every length");
    let player = about.player.as_ref().map_or("", |p| &p.0);
    let game = about.game.as_ref().map(ToString::to_string).unwrap_or_default();
    mac.update(format!("{letter}\n{player}\n{game}").as_bytes());
    hex(&mac.finalize().into_bytes()[..MAC_BYTES])
}

/// Returns bytes in lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits =
        bytes.iter().flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]]);
    digits.map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_again_and_a_forged_one_is_not() {
        let keys = ReplyKeys::new(vec![b"new".to_vec(), b"old".to_vec()]);
        let old = ReplyKeys::new(vec![b"old".to_vec()]);
        let about = About { player: Some("12345678".into()), ..About::default() };
        let other = About { player: Some("87654321".into()), ..About::default() };
        let token = keys.token(LetterId(42), &about);
        assert_eq!(claimed_letter(&token), Some(LetterId(42)));
        assert!(
            keys.verifies(&token.to_uppercase(), LetterId(42), &about),
            "case is lost in the mail"
        );
        assert!(keys.verifies(&old.token(LetterId(42), &about), LetterId(42), &about));
        assert!(!old.verifies(&token, LetterId(42), &about), "a key that is gone");
        assert!(!keys.verifies(&token, LetterId(42), &other), "another player");
        assert!(!keys.verifies(&token, LetterId(43), &about), "another letter");
        assert!(!keys.verifies("l42.00000000000000000000", LetterId(42), &about));
    }
}
