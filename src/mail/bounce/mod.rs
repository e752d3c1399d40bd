//! Bounces: what mail systems say of letters that did not arrive, or not yet. Delivery reports (RFC 3464), refusals
//! by a reader's filter (RFC 8098, RFC 5429), and the plain words of older systems. Which letter it is, only our key
//! tells: a forged report must not silence a player.

mod report;
mod words;

use super::{
    Desk, identity,
    message::{Attachment, Body, Holds, Mail, field_of},
};
use crate::domain::{ids::LetterId, intent::Intent};
use regex::Regex;
use std::sync::LazyLock;

/// Words by which a lasting code speaks of a passing trouble.
const PASSING: &[&str] = &[
    "quota",
    "mailbox is full",
    "mailbox full",
    "inbox is full",
    "mailfolder is full",
    "box space not enough",
    "over limit",
    "overlimit",
    "exceeded storage",
    "storage limit",
    "exceeded the storage",
    "exceeds allotted",
    "insufficient storage",
    "greylist",
    "graylist",
    "rate limit",
    "sending limit",
    "daily limit",
    "too many messages",
    "too many connections",
    "too many recipients",
    "temporar",
    "try again later",
    "try later",
    "insufficient system",
    "out of space",
    "5.2.2",
];
/// The most recipients that one bounce is asked for.
const RECIPIENTS: usize = 64;
/// How much of what a mail system said is kept, in characters.
const SAID: usize = 300;

static STATUS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([245]\.\d{1,3}\.\d{1,3})\b").expect("a valid pattern"));

/// Returns what a bounce says, an intent for each recipient; none where the mail is no bounce.
pub(super) fn read(mail: &Mail<'_>, references: &[String], desk: &Desk<'_>) -> Option<Vec<Intent>> {
    let mut told = report::read(mail);
    if told.is_empty() && words::is_system(mail) {
        told = passed_on(mail);
    }
    if told.is_empty() && !tells_of_success(mail) {
        told = words::read(mail, desk);
    }
    if told.is_empty() {
        return None;
    }
    let letter = letter(mail, references, desk);
    Some(told.into_iter().map(|t| t.intent(letter)).collect())
}

/// Returns what a report says of letters of ours that arrived, where our key proves which; a mail that is a bounce, or
/// no report, says nothing of that.
pub(super) fn delivered(mail: &Mail<'_>, references: &[String], desk: &Desk<'_>) -> Vec<Intent> {
    let arrived = report::arrived(mail);
    if arrived.is_empty() {
        return Vec::new();
    }
    let Some(letter) = letter(mail, references, desk) else { return Vec::new() };
    arrived.into_iter().map(|recipient| Intent::Delivered { recipient, letter }).collect()
}

/// What is told of one recipient.
#[derive(Debug, Default)]
struct Told {
    recipient: Option<String>,
    status: Option<String>,
    permanent: bool,
    /// Whether the system has given up, be it over a trouble that passes.
    given_up: bool,
    /// What it said.
    said: String,
}

impl Told {
    fn intent(self, letter: Option<LetterId>) -> Intent {
        let Self { recipient, status, permanent, given_up, said } = self;
        let said = super::message::clean(&said).chars().take(SAID).collect();
        Intent::Bounce { recipient, status, permanent, given_up, said, letter }
    }
}

/// Reads the report in a mail that a system passes on as an attachment of another.
fn passed_on(mail: &Mail<'_>) -> Vec<Told> {
    let inner = mail.attachments.iter().filter(|a| a.holds == Holds::Mail).take(2);
    let inner = inner.filter_map(|a| Mail::parse(&a.content).ok()).filter(|m| m.report.is_some());
    inner.flat_map(|mail| report::read(&mail)).collect()
}

fn report_parts<'m>(mail: &'m Mail<'_>) -> impl Iterator<Item = &'m Attachment<'m>> {
    mail.attachments.iter().filter(|a| a.holds == Holds::Report)
}

/// Tells whether a report is there that says of every recipient that all is well.
fn tells_of_success(mail: &Mail<'_>) -> bool {
    report_parts(mail).any(|part| report::names_recipient(&part.content))
}

/// Tells whether the code or the words of a mail system mean a trouble that passes, whatever its three digits say: a full
/// mailbox is emptied one day. For bounces, and for what a server answers when it refuses a letter.
pub fn is_passing(said: &str) -> bool {
    let lower = said.to_lowercase();
    lower.starts_with("4.") || PASSING.iter().any(|words| lower.contains(words))
}

/// Returns the letter, where our key proves it: the address the report was sent to, or the Message-ID of the mail
/// that came back.
fn letter(mail: &Mail<'_>, references: &[String], desk: &Desk<'_>) -> Option<LetterId> {
    let returned = mail.attachments.iter().filter(|a| a.holds == Holds::Mail);
    let ids = returned.filter_map(|a| field_of(&a.content, "message-id"));
    let noted = report_parts(mail).filter_map(|a| field_of(&a.content, "original-message-id"));
    let pasted = told_ids(mail);
    let proved = ids.chain(noted).chain(pasted).find_map(|id| {
        identity::own_token(&id, desk).and_then(|token| identity::verified(token, desk))
    });
    identity::answered(mail, references, desk).or(proved).map(|(letter, _)| letter)
}

/// Returns Message-IDs in the text: systems that write no report paste the mail below their words.
fn told_ids(mail: &Mail<'_>) -> Vec<String> {
    let plain = mail.bodies.iter().filter_map(|b| match b {
        Body::Plain { text, .. } => Some(text),
        Body::Html(_) => None,
    });
    let lines = plain.flat_map(|text| text.lines().take(400));
    let fields = lines.filter_map(|line| line.trim_start_matches(['>', ' ']).split_once(':'));
    let ids = fields.filter(|(name, _)| name.eq_ignore_ascii_case("message-id"));
    ids.map(|(_, id)| id.trim().to_owned()).take(4).collect()
}
