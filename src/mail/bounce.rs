//! Bounces: what mail systems say of letters that did not arrive, or not yet. Delivery reports (RFC 3464), refusals
//! by a reader's filter (RFC 8098, RFC 5429), and the plain words of older systems. Which letter it is, only our key
//! tells: a forged report must not silence a player.

use super::{
    Desk, automatic, identity,
    message::{Attachment, Body, Holds, Mail, field_of, fields_of},
    understanding::Intent,
};
use crate::domain::ids::LetterId;
use regex::Regex;
use std::sync::LazyLock;

/// Subjects of plain-text bounces, in lower case.
const SUBJECTS: &[&str] = &[
    "undeliver",
    "returned mail",
    "delivery status",
    "delivery failure",
    "delivery notification",
    "delivery has failed",
    "failure notice",
    "failure delivery",
    "mail delivery",
    "message delivery",
    "returned to sender",
    "delivery report",
    "could not be delivered",
    "mail failure",
    "mail system error",
    "unzustellbar",
    "nicht zugestellt",
    "non remis",
    "échec de la remise",
    "no se puede entregar",
    "mancata consegna",
    "não entregue",
    "delivery error",
    "nondeliverable",
    "non-delivery",
    "rejected mail",
    "delayed mail",
    "warning: could not send",
    "warning: message",
];
/// Words by which a lasting code speaks of a passing trouble.
const PASSING: &[&str] = &[
    "quota",
    "mailbox is full",
    "mailbox full",
    "over limit",
    "overlimit",
    "storage",
    "greylist",
    "graylist",
    "rate limit",
    "too many",
    "try again",
    "temporar",
    "insufficient system",
    "out of space",
];
/// How much of a plain-text bounce is looked at.
const PLAIN_BYTES: usize = 8 * 1024;

static STATUS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([245]\.\d{1,3}\.\d{1,3})\b").expect("a valid pattern"));
static REPLY_CODE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([45])[0-5]\d[ -]").expect("a valid pattern"));
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
        .expect("a valid pattern")
});

/// Returns what a bounce says, an intent for each recipient; none where the mail is no bounce.
pub(super) fn read(mail: &Mail<'_>, references: &[String], desk: &Desk<'_>) -> Option<Vec<Intent>> {
    let mut told = reports(mail);
    if told.is_empty() && !is_report_of_success(mail) {
        told = plain_words(mail, desk).into_iter().collect();
    }
    if told.is_empty() {
        return None;
    }
    let letter = letter(mail, references, desk);
    Some(told.into_iter().map(|t| t.intent(letter)).collect())
}

/// What is told of one recipient.
#[derive(Debug)]
struct Told {
    recipient: Option<String>,
    status: Option<String>,
    permanent: bool,
}

impl Told {
    fn intent(self, letter: Option<LetterId>) -> Intent {
        let Self { recipient, status, permanent } = self;
        Intent::Bounce { recipient, status, permanent, letter }
    }
}

fn report_parts<'m>(mail: &'m Mail<'_>) -> impl Iterator<Item = &'m Attachment<'m>> {
    mail.attachments.iter().filter(|a| a.holds == Holds::Report)
}

/// Reads the blocks of the reports in a mail (RFC 3464 section 2.1): one about the mail, then one a recipient.
fn reports(mail: &Mail<'_>) -> Vec<Told> {
    let mut told = Vec::new();
    for part in report_parts(mail) {
        let mut rest = part.content.as_ref();
        while !rest.is_empty() && told.len() < 64 {
            let (fields, after) = fields_of(rest);
            told.extend(recipient_block(&fields));
            if after.len() == rest.len() {
                break; // lines that are no fields
            }
            rest = after;
        }
    }
    told
}

fn recipient_block(fields: &[(String, String)]) -> Option<Told> {
    let get = |name: &str| fields.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
    let recipient = get("final-recipient").or_else(|| get("original-recipient")).map(typed_address);
    if let Some(disposition) = get("disposition") {
        // RFC 5429 section 2.2: a filter that refuses a mail says so by a reader's report that it was deleted.
        let refused = disposition.to_lowercase().contains("deleted");
        return refused.then_some(Told { recipient, status: None, permanent: true });
    }
    let action = get("action")?.to_lowercase();
    let status = get("status").and_then(|s| STATUS.find(s)).map(|m| m.as_str().to_owned());
    if !matches!(action.as_str(), "failed" | "delayed") {
        return None; // delivered, relayed, expanded: it arrived
    }
    let said = format!(
        "{} {}",
        status.as_deref().unwrap_or_default(),
        get("diagnostic-code").unwrap_or_default()
    );
    let lasting = status.as_deref().is_none_or(|s| s.starts_with('5'));
    let permanent = action == "failed" && lasting && !is_passing(&said);
    Some(Told { recipient, status, permanent })
}

/// Tells whether the code or the words mean a trouble that passes: a full mailbox is emptied one day.
fn is_passing(said: &str) -> bool {
    let lower = said.to_lowercase();
    lower.starts_with("4.")
        || lower.contains("5.2.2")
        || PASSING.iter().any(|words| lower.contains(words))
}

/// Returns the address of `rfc822; ann@example.org`.
fn typed_address(value: &str) -> String {
    let address = value.split_once(';').map_or(value, |(_, address)| address);
    address.trim().trim_matches(['<', '>']).to_owned()
}

fn is_report_of_success(mail: &Mail<'_>) -> bool {
    report_parts(mail).next().is_some()
}

/// Reads the words of a mail system that writes no report.
fn plain_words(mail: &Mail<'_>, desk: &Desk<'_>) -> Option<Told> {
    let author = mail.author.as_ref().map(|a| a.address.as_str()).unwrap_or_default();
    let failed = mail.field("x-failed-recipients");
    let system =
        automatic::has_null_path(mail) || automatic::is_machine(author) || author.is_empty();
    let subject = mail.subject.to_lowercase();
    let spoken = SUBJECTS.iter().any(|words| subject.contains(words));
    if failed.is_none() && !(system && spoken) {
        return None;
    }
    let text = told_text(mail);
    let listed = failed.and_then(|v| v.split(',').next().map(|a| a.trim().to_owned()));
    let named =
        || ADDRESS.find_iter(&text).map(|m| m.as_str()).find(|a| is_recipient(a, author, desk));
    let recipient = listed.or_else(|| named().map(str::to_owned));
    let status = STATUS.find(&text).map(|m| m.as_str().to_owned());
    let code = status.as_deref().or_else(|| REPLY_CODE.find(&text).map(|m| m.as_str()));
    let waits =
        ["delayed", "warning", "still being retried", "will be retried", "not yet been delivered"];
    let lower = text.to_lowercase();
    let delayed = waits.iter().any(|w| subject.contains(w) || lower.contains(w));
    let permanent = !delayed && code.is_none_or(|c| c.starts_with('5')) && !is_passing(&text);
    Some(Told { recipient, status, permanent })
}

fn is_recipient(address: &str, author: &str, desk: &Desk<'_>) -> bool {
    !desk.house.is_ours(address)
        && !automatic::is_machine(address)
        && !address.eq_ignore_ascii_case(author)
}

fn told_text(mail: &Mail<'_>) -> String {
    let bodies = mail.bodies.iter().map(|b| match b {
        Body::Plain { text, .. } => text.clone(),
        Body::Html(html) => super::body::html::text(html),
    });
    let mut text = bodies.collect::<Vec<_>>().join("\n");
    let mut end = text.len().min(PLAIN_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
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
