//! What tells a mail from others: its Message-ID, the mails it refers to, its content id, and the letter of ours that
//! it answers. A Message-ID is a claim; only our own key proves that a mail answers a letter.

use super::{Desk, date, lexicon::Key, marks::Marks, message::Mail};
use crate::{
    domain::{docket::About, ids::LetterId},
    token::{claimed_letter, hex},
};
use sha2::{Digest as _, Sha256};
use std::sync::LazyLock;

static MARKS: LazyLock<Marks> = LazyLock::new(|| Marks::of(&[Key::Reply, Key::Forward]));
static FORWARDS: LazyLock<Marks> = LazyLock::new(|| Marks::of(&[Key::Forward]));

/// The fields in which the address that a mail was sent to may stand; mail servers and forwarders note it in their own.
const RECIPIENTS: &[&str] = &[
    "delivered-to",
    "x-delivered-to",
    "x-original-to",
    "envelope-to",
    "x-envelope-to",
    "x-rcpt-to",
    "x-forwarded-to",
    "to",
    "cc",
];
/// How many references are looked at; a thread that is longer is known by its nearest mails.
const REFERENCES: usize = 100;

/// Returns the Message-ID, without angle brackets; none where it is missing or empty.
pub(super) fn message_id(mail: &Mail<'_>) -> Option<String> {
    let value = mail.field("message-id")?;
    let id = ids(&value).next().unwrap_or(&value);
    let id = id.trim_matches(['<', '>', ' ', '\t']);
    (!id.is_empty() && !id.contains(char::is_whitespace)).then(|| id.to_owned())
}

/// Returns the mails that this one refers to, the nearest first (RFC 5322 section 3.6.4).
pub(super) fn references(mail: &Mail<'_>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let replied = mail.field("in-reply-to").unwrap_or_default();
    let earlier = mail.field("references").unwrap_or_default();
    let earlier: Vec<_> = ids(&earlier).collect();
    for id in ids(&replied).chain(earlier.into_iter().rev()).take(REFERENCES) {
        if !all.iter().any(|known| known == id) {
            all.push(id.to_owned());
        }
    }
    all
}

/// Returns what stands in angle brackets. `In-Reply-To: Your message of … <id>` is common; comments in it hold no
/// brackets with an at sign that begin an id.
fn ids(value: &str) -> impl Iterator<Item = &str> {
    let pieces = value.split('<').skip(1);
    let inner = pieces.filter_map(|piece| piece.split_once('>').map(|(id, _)| id.trim()));
    inner.filter(|id| !id.is_empty() && !id.contains(char::is_whitespace))
}

/// Returns the letter of ours that a mail answers, and what it was about: by the address it was sent to, or by the
/// mails it refers to. Only a token that our key verifies counts, and one is enough: Exchange drops the sub-address, and
/// some providers give every letter a Message-ID of their own. What stands behind its at sign does not matter then, as
/// it proves nothing: a house that moves to another domain still knows its old letters.
pub(super) fn answered(
    mail: &Mail<'_>,
    references: &[String],
    desk: &Desk<'_>,
) -> Option<(LetterId, About)> {
    let addressed = addressed_tokens(mail, desk);
    let referred = references.iter().filter_map(|id| id.rsplit_once('@')).map(|(token, _)| token);
    let referred = referred.map(str::to_owned);
    addressed.into_iter().chain(referred).find_map(|token| verified(&token, desk))
}

fn addressed_tokens(mail: &Mail<'_>, desk: &Desk<'_>) -> Vec<String> {
    let fields = RECIPIENTS.iter().filter(|name| mail.has(name));
    let addresses = fields.flat_map(|name| mail.addresses(name));
    let ours = addresses.filter(|a| desk.house.is_ours(&a.address));
    ours.filter_map(|a| {
        let (local, _) = a.address.rsplit_once('@')?;
        local.split_once('+').map(|(_, token)| token.to_owned())
    })
    .collect()
}

/// Returns the token of a Message-ID that looks like one of ours: `token@our.domain`.
pub(super) fn own_token<'a>(id: &'a str, desk: &Desk<'_>) -> Option<&'a str> {
    let (token, domain) = id.trim_matches(['<', '>', ' ']).rsplit_once('@')?;
    let ours = domain.eq_ignore_ascii_case(desk.house.domain()) && claimed_letter(token).is_some();
    ours.then_some(token)
}

/// Returns the letter that a token proves.
pub(super) fn verified(token: &str, desk: &Desk<'_>) -> Option<(LetterId, About)> {
    let letter = claimed_letter(token)?;
    let about = desk.letters.about(letter)?;
    desk.house.keys.verifies(token, letter, &about).then_some((letter, about))
}

/// Returns the content id: the same letter by another route, through a list or sent twice, has the same. None where
/// there is neither text nor subject to compare.
pub(super) fn content_id(mail: &Mail<'_>, references: &[String], text: &str) -> Option<String> {
    let subject = bare_subject(&mail.subject);
    if subject.is_empty() && text.trim().is_empty() {
        return None;
    }
    let mut digest = Sha256::new();
    let mut add = |part: &str| {
        digest.update(part.as_bytes());
        digest.update([0]);
    };
    add(&mail.author.as_ref().map(|a| a.address.to_lowercase()).unwrap_or_default());
    for to in mail.addresses("to") {
        add(&to.address.to_lowercase());
    }
    add("");
    add(&subject.to_lowercase());
    let sent = mail.field("date").and_then(|value| date::read(&value));
    add(&sent.map(|at| at.timestamp().to_string()).unwrap_or_default());
    for id in references {
        add(id);
    }
    add("");
    text.split_whitespace().for_each(add);
    Some(hex(&digest.finalize()))
}

/// Returns a subject without `Re:`, `Fwd:` and a list's tag before them, in the languages of the players.
pub(super) fn bare_subject(subject: &str) -> &str {
    let mut rest = subject.trim();
    loop {
        let next = without_tag(without_mark(rest)).trim_start();
        if next.len() == rest.len() || next.is_empty() {
            return rest;
        }
        rest = next;
    }
}

/// Tells whether a subject says that the mail answers or forwards another.
pub(super) fn is_reply_subject(subject: &str) -> bool {
    let bare = without_tag(subject.trim()).trim_start();
    without_mark(bare).len() != bare.len()
}

fn without_mark(subject: &str) -> &str {
    without_mark_of(&MARKS, subject)
}

/// Tells whether a subject says that the mail passes another one on.
pub(super) fn is_forward_subject(subject: &str) -> bool {
    let mut rest = without_tag(subject.trim()).trim_start();
    loop {
        if without_mark_of(&FORWARDS, rest).len() != rest.len() {
            return true;
        }
        let next = without_mark(rest);
        if next.len() == rest.len() {
            return false;
        }
        rest = next;
    }
}

fn without_mark_of<'s>(marks: &Marks, subject: &'s str) -> &'s str {
    let colon = subject.char_indices().take(20).find(|(_, c)| matches!(c, ':' | '：'));
    let Some((at, colon)) = colon else { return subject };
    let mark = subject[..at].split(['[', '(', '^']).next().unwrap_or_default();
    if marks.is(mark) { subject[at + colon.len_utf8()..].trim_start() } else { subject }
}

fn without_tag(subject: &str) -> &str {
    let Some(rest) = subject.strip_prefix('[') else { return subject };
    rest.split_once(']').map_or(subject, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::{bare_subject, ids, is_forward_subject, is_reply_subject};

    #[test]
    fn a_subject_is_compared_without_its_marks() {
        for (subject, bare) in [
            ("Re: [GK 2019] 19N04 Hale-Ortiz", "19N04 Hale-Ortiz"),
            ("AW: Re: RE[2]: x", "x"),
            ("[club] Fwd: x", "x"),
            ("Result: 1-0", "Result: 1-0"),
            ("Re:", "Re:"),
            ("", ""),
        ] {
            assert_eq!(bare_subject(subject), bare, "{subject}");
        }
        assert!(is_reply_subject("Re: x") && is_reply_subject("[club] AW: x"));
        assert!(!is_reply_subject("Result: 1-0") && !is_reply_subject("19N04: drawn"));
        assert!(is_forward_subject("Re: WG: x") && is_forward_subject("[club] Fwd: x"));
        assert!(!is_forward_subject("AW: Re: x") && !is_forward_subject("x"));
    }

    #[test]
    fn ids_are_found_among_words() {
        let found: Vec<_> =
            ids("Your message of Mon <a@b> (\"x's\" message of \"y\") <c/d@e>").collect();
        assert_eq!(found, ["a@b", "c/d@e"]);
        assert_eq!(ids("< >").count(), 0);
    }
}
