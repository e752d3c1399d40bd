//! Forgetting a player: which lines of the journal and which mails and letters tell where and how he can be reached or
//! carry his words, and how the lines read without that. Results stay: they were published by name. Erasing is the
//! store's business (`store/rewriting.rs`).

use crate::{
    digest::Digest,
    domain::{ids::MemberId, state::State},
    fault::Fault,
    mail::message,
    store::transaction::{Cause, LetterRecord, MailCause, Transaction},
};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What stands where an address stood by itself. The domain leads nowhere (RFC 2606).
const NOBODY: &str = "erased@forgotten.invalid";
/// What stands where something stood within a sentence.
const GAP: &str = "(erased)";
/// Lists of sentences that quote what somebody wrote.
const QUOTING: [&str; 3] = ["evidence", "aside", "read"];

/// What is known of the player, from all lines of the journal.
#[derive(Debug)]
pub struct Trace {
    member: MemberId,
    /// Email addresses in lower case, and postal ones.
    addresses: BTreeSet<String>,
    mails: BTreeSet<Digest>,
}

impl Trace {
    /// Begins to look for a player.
    pub fn of(member: MemberId) -> Self {
        Self { member, addresses: BTreeSet::new(), mails: BTreeSet::new() }
    }

    /// Takes in what a transaction tells of him.
    pub fn see(&mut self, transaction: &Transaction) {
        let value = serde_json::to_value(&transaction.events).unwrap_or_default();
        self.look_into(&value);
        let Cause::Mail(mail) = &transaction.cause else { return };
        let reading = mail.reading.as_ref().and_then(|r| serde_json::from_str(r.get()).ok());
        let reading: Value = reading.unwrap_or_default();
        if reading["sender"]["player"] == self.member.0.as_str() {
            self.mails.insert(mail.digest);
            self.look_into(&reading);
            each_object(&value, &mut |object| self.note_addresses(object, &["old", "new"]));
        }
    }

    fn look_into(&mut self, value: &Value) {
        each_object(value, &mut |object| {
            let is_his = |key| object.get(key).is_some_and(|v| *v == self.member.0.as_str());
            if is_his("member") || is_his("player") {
                self.note_addresses(object, &["emails", "address", "old", "new"]);
            }
        });
    }

    fn note_addresses(&mut self, object: &Map<String, Value>, keys: &[&str]) {
        for value in keys.iter().filter_map(|key| object.get(*key)) {
            let one = std::slice::from_ref(value);
            for text in value.as_array().map_or(one, Vec::as_slice).iter().filter_map(Value::as_str)
            {
                // A short postal address would be found in everything.
                if is_email(text) || (text.contains(char::is_whitespace) && text.len() >= 10) {
                    self.addresses.insert(text.to_ascii_lowercase());
                }
            }
        }
    }

    /// Ends the looking. Addresses that others have too, `ours` among them, are not his alone and stay.
    pub fn end(mut self, state: &State, ours: &[&str], name: Option<Renamed>) -> Forgetting {
        let of_others = |address: &str| {
            let others = state.players.values().filter(|p| p.member != self.member);
            let mut theirs = others.flat_map(|p| p.emails.iter().chain(&p.address));
            theirs.any(|known| known.eq_ignore_ascii_case(address))
                || ours.iter().any(|known| known.eq_ignore_ascii_case(address))
        };
        let (shared, alone) =
            std::mem::take(&mut self.addresses).into_iter().partition(|a| of_others(a));
        let Self { member, mails, .. } = self;
        Forgetting { member, addresses: alone, shared, name, mails, letters: BTreeMap::new() }
    }
}

/// The name that a player had and the one that stands in its place.
pub type Renamed = (String, String);

/// What is to be forgotten.
#[derive(Debug)]
pub struct Forgetting {
    member: MemberId,
    /// His addresses, in lower case as far as they are ASCII.
    pub addresses: BTreeSet<String>,
    /// Addresses that others have too; they stay.
    pub shared: BTreeSet<String>,
    name: Option<Renamed>,
    /// The mails whose bytes are erased: his, and those that tell an address of his.
    pub mails: BTreeSet<Digest>,
    /// The letters whose bytes are erased, likewise.
    pub letters: BTreeMap<crate::domain::ids::LetterId, Digest>,
}

impl Forgetting {
    /// Takes in the mail and the letters of a transaction. `bytes` fetches what the archive has.
    ///
    /// # Errors
    /// What `bytes` answers.
    pub fn see(
        &mut self,
        transaction: &Transaction,
        bytes: &mut dyn FnMut(Digest) -> Result<Option<Vec<u8>>, Fault>,
    ) -> Result<(), Fault> {
        if let Cause::Mail(mail) = &transaction.cause
            && (self.tells(&mail.from) || self.are_told_by(mail.digest, bytes)?)
        {
            self.mails.insert(mail.digest);
        }
        for letter in &transaction.letters {
            if self.is_to_him(letter) || self.are_told_by(letter.digest, bytes)? {
                self.letters.insert(letter.letter, letter.digest);
            }
        }
        Ok(())
    }

    fn is_to_him(&self, letter: &LetterRecord) -> bool {
        let his = letter.about.player.as_ref() == Some(&self.member);
        his || letter.to.as_deref().is_some_and(|to| self.tells(to))
    }

    fn are_told_by(
        &self,
        digest: Digest,
        bytes: &mut dyn FnMut(Digest) -> Result<Option<Vec<u8>>, Fault>,
    ) -> Result<bool, Fault> {
        Ok(bytes(digest)?.is_some_and(|bytes| self.tells_mail(&bytes)))
    }

    /// Tells whether a mail has an address of his, in its source or in its text.
    pub fn tells_mail(&self, bytes: &[u8]) -> bool {
        self.tells(&String::from_utf8_lossy(bytes)) || self.tells(&message::plain_text(bytes))
    }

    fn tells(&self, text: &str) -> bool {
        let lower = text.to_ascii_lowercase();
        self.addresses.iter().any(|address| find(&lower, address, 0).is_some())
    }

    /// Returns the bytes that are erased.
    pub fn digests(&self) -> BTreeSet<Digest> {
        self.mails.iter().chain(self.letters.values()).copied().collect()
    }

    /// Returns a transaction without what is forgotten.
    ///
    /// # Errors
    /// What is left would be no transaction: nothing may be rewritten then.
    pub fn redact(&self, transaction: &Transaction) -> Result<Transaction, Fault> {
        let mut redacted = transaction.clone();
        let his = match &mut redacted.cause {
            Cause::Mail(mail) if self.mails.contains(&mail.digest) => {
                let MailCause { subject, reading, .. } = &mut **mail;
                (*subject, *reading) = (String::new(), None);
                true
            }
            _ => false,
        };
        let wrong = |e: serde_json::Error| {
            Fault::passing(
                format!("transaction {} cannot be rewritten: {e}", transaction.seq),
                "nothing was changed; please report it",
            )
        };
        let mut value = serde_json::to_value(&redacted).map_err(wrong)?;
        let changed = self.redact_value(&mut value, his);
        if !changed && !his {
            return Ok(redacted);
        }
        let text = value.to_string();
        serde_json::from_str(&text).map_err(wrong)
    }

    fn redact_value(&self, value: &mut Value, his: bool) -> bool {
        match value {
            Value::String(text) => match self.redact_text(text) {
                Some(redacted) => {
                    *text = redacted;
                    true
                }
                None => false,
            },
            Value::Array(values) => {
                values.iter_mut().fold(false, |changed, v| self.redact_value(v, his) | changed)
            }
            Value::Object(object) => {
                let mut changed = false;
                for (key, value) in object {
                    if his && QUOTING.contains(&key.as_str()) && value.is_array() {
                        *value = Value::Array(vec![GAP.into()]);
                    }
                    changed |= self.redact_value(value, his);
                }
                changed
            }
            _ => false,
        }
    }

    fn redact_text(&self, text: &str) -> Option<String> {
        let mut redacted = text.to_owned();
        for address in &self.addresses {
            if redacted.eq_ignore_ascii_case(address) {
                NOBODY.clone_into(&mut redacted);
            }
            replace(&mut redacted, address, GAP);
        }
        if let Some((name, other)) = &self.name {
            replace(&mut redacted, &name.to_ascii_lowercase(), other);
        }
        (redacted != text).then_some(redacted)
    }
}

fn is_email(text: &str) -> bool {
    text.contains('@') && !text.contains(char::is_whitespace)
}

fn each_object(value: &Value, each: &mut dyn FnMut(&Map<String, Value>)) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| each_object(value, each)),
        Value::Object(object) => {
            each(object);
            object.values().for_each(|value| each_object(value, each));
        }
        _ => {}
    }
}

fn replace(text: &mut String, lower: &str, by: &str) {
    let mut from = 0;
    while let Some(at) = find(&text.to_ascii_lowercase(), lower, from) {
        text.replace_range(at..at + lower.len(), by);
        from = at + by.len();
    }
}

/// Finds an address that is not a part of a longer one: `ann@example.org` is not in `joann@example.org`.
fn find(text: &str, address: &str, from: usize) -> Option<usize> {
    let belongs = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    let mut found = text[from..].match_indices(address).map(|(at, _)| from + at);
    found.find(|at| {
        let before = text[..*at].chars().next_back();
        let mut after = text[at + address.len()..].chars();
        let (next, then) = (after.next(), after.next());
        let goes_on = match next {
            Some('.') => then.is_some_and(char::is_alphanumeric),
            Some(c) => c.is_alphanumeric() || c == '-',
            None => false,
        };
        !before.is_some_and(belongs) && !goes_on
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_where_it_stands_by_itself() {
        let mut text =
            "Ann@Example.org, joann@example.org, <ann@example.org>. ann@example.org.au".to_owned();
        replace(&mut text, "ann@example.org", GAP);
        assert_eq!(text, "(erased), joann@example.org, <(erased)>. ann@example.org.au");
    }
}
