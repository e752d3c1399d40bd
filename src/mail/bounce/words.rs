//! The words of mail systems that write no report, or none that can be read: who they are, what they say, and whom
//! they name above the mail that they return.

use super::{RECIPIENTS, STATUS, Told, is_passing, report};
use crate::mail::{
    Desk, automatic, body,
    message::{Body, Holds, Mail},
};
use regex::Regex;
use std::sync::LazyLock;

/// What subjects of bounces hold, in lower case.
const SUBJECTS: &[&str] = &[
    "undeliver",
    "returned mail",
    "returned e-mail",
    "delivery status",
    "delivery failure",
    "delivery failed",
    "delivery notification",
    "delivery has failed",
    "delivery unsuccessful",
    "delivery problem",
    "failed delivery",
    "failed mail",
    "mail failed",
    "failure notice",
    "failure delivery",
    "mail delivery",
    "message delivery",
    "mail not delivered",
    "not delivered",
    "returned to sender",
    "returning to sender",
    "returning message to sender",
    "delivery report",
    "could not be delivered",
    "could not send mail",
    "error sending your mail",
    "processing error",
    "mail failure",
    "mail error",
    "mail system error",
    "user unknown",
    "unknown user",
    "invalid user address",
    "unzustellbar",
    "nicht zugestellt",
    "nicht zustellbar",
    "non remis",
    "échec de la remise",
    "non distribué",
    "no se puede entregar",
    "no entregado",
    "mancata consegna",
    "mancato recapito",
    "não entregue",
    "onbestelbaar",
    "niet bezorgd",
    "nie dostarczon",
    "niedostarczon",
    "nedoručen",
    "kunne ikke leveres",
    "kunde inte levereras",
    "ei voitu toimittaa",
    "kézbesíthetetlen",
    "не доставлено",
    "недоставлен",
    "не может быть доставлен",
    "配信できません",
    "配信不能",
    "送信できません",
    "送信エラー",
    "メールエラー",
    "退信",
    "delivery error",
    "nondeliverable",
    "non-delivery",
    "rejected mail",
    "mail rejected",
    "message rejected",
    "delayed mail",
    "warning: could not send",
    "warning: message",
];
/// What their texts hold, in lower case.
const TEXTS: &[&str] = &[
    "could not be delivered",
    "couldn't be delivered",
    "cannot be delivered",
    "could not deliver",
    "wasn't able to deliver",
    "not able to deliver",
    "not able to be delivered",
    "was not delivered",
    "wasn't delivered",
    "unable to deliver",
    "did not receive",
    "did not reach the following",
    "permanent fatal errors",
    "had delivery errors",
    "delivery errors",
    "had permanent delivery",
    "have delivery notifications",
    "had transient",
    "returned permanent errors",
    "failed recipient",
    "failed addresses follow",
    "following address",
    "delivery failed",
    "delivery has failed",
    "delivery to the following",
    "attempting to deliver",
    "trouble delivering",
    "undeliverable",
    "has been returned because",
    "message returned",
    "user unknown",
    "unknown user",
    "no such user",
    "no user by that name",
    "invalid user address",
    "mailbox unavailable",
    "mailbox is full",
    "recipient address rejected",
    "did not exactly match an",
    "domain does not exist",
    "host unknown",
    "konnte nicht zugestellt",
    "n'a pas pu",
    "no se ha podido entregar",
    "no se pudo entregar",
    "impossibile recapitare",
    "送信できません",
    "配信できません",
    "配送できません",
    "エラーメッセージ",
    "无法发送",
    "无法投递",
];
/// How the line begins below which the mail is returned, in lower case, without the marks before it.
const RETURNED: &[&str] = &[
    "below this line is",
    "below is a copy",
    "this is a copy of the message",
    "a copy of the message",
    "original message follow",
    "original message as received",
    "original message is attached",
    "message text follows",
    "message headers follow",
    "message header follows",
    "the header and top",
    "returned mail",
    "returned message",
    "unsent message",
    "undelivered message",
    "old message",
    "message contains",
    "header of the source mail",
    "headers of the original",
    "message follows",
    "original message:",
    "original message details",
    "start of returned",
    "begin message",
    "the original message was",
    "received: from",
    "received: by",
    "return-path:",
    "mime-version:",
    "message-id:",
];
/// What introduces the recipients, in lower case.
const LISTS: &[&str] = &[
    "did not reach the following",
    "following recipient",
    "following address",
    "failed recipients",
    "failed addresses",
    "not delivered to the following",
];
/// Words of lines that name an address to write to, or the one that wrote.
const OTHERS: &[&str] = &[
    "contact",
    "assistance",
    "help",
    "postmaster",
    "support",
    "from:",
    "sender",
    "reply-to",
    "return path",
    "mail from",
    "originator",
    "on behalf",
    "list-",
    "errors-to",
];
/// Words of a trouble that is not the last one.
const WAITING: &[&str] = &[
    "still being retried",
    "will be retried",
    "will continue to",
    "will try again",
    "keep trying",
    "not yet been delivered",
    "not been delivered yet",
    "attempts will continue",
    "this is a warning message",
    "warning message only",
    "delivery delayed",
    "has been delayed",
    "is delayed",
    "wird weiter versucht",
    "do not need to resend",
];
/// How much of a bounce without a report is looked at.
const BYTES: usize = 8 * 1024;

static REPLY_CODE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b([45])[0-5]\d[ -]").expect("a valid pattern"));
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[A-Za-z0-9.!#$%&*+/=?^_{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
        .expect("a valid pattern")
});

/// Returns what the words of a mail system tell; nothing where it is none, or where it does not speak of a delivery.
pub(super) fn read(mail: &Mail<'_>, desk: &Desk<'_>) -> Vec<Told> {
    let failed = mail.field("x-failed-recipients");
    let system = is_system(mail);
    let subject = mail.subject.to_lowercase();
    let spoken = SUBJECTS.iter().any(|words| subject.contains(words));
    if failed.is_none() && !system && !spoken {
        return Vec::new(); // the usual mail
    }
    let text = told_text(mail);
    let lower = text.to_lowercase();
    let worded = TEXTS.iter().any(|words| lower.contains(words));
    if failed.is_none()
        && !(system && (spoken || worded) || spoken && worded && !is_known(mail, desk))
    {
        return Vec::new();
    }
    let pasted = pasted_report(mail);
    if pasted.iter().any(|told| told.recipient.is_some()) {
        return pasted;
    }
    let recipients = match failed {
        Some(list) => list.split(',').map(|a| a.trim().to_owned()).take(RECIPIENTS).collect(),
        None => recipients(&text, mail, desk),
    };
    let status = status(&text).map(str::to_owned);
    let permanent = is_lasting(&subject, &lower, status.as_deref());
    let given_up = !is_tried_again(&subject, &lower);
    let said = said(&text).to_owned();
    let told = |recipient| {
        let (status, said) = (status.clone(), said.clone());
        Told { recipient, status, permanent, given_up, said }
    };
    if recipients.is_empty() {
        return vec![told(None)];
    }
    recipients.into_iter().map(|recipient| told(Some(recipient))).collect()
}

/// Reads a report that stands in the text, since the mail was not put together rightly.
fn pasted_report(mail: &Mail<'_>) -> Vec<Told> {
    let plain = mail.bodies.iter().filter_map(|b| match b {
        Body::Plain { text, .. } => Some(text),
        Body::Html(_) => None,
    });
    let report = plain.filter_map(|text| {
        let at = text.find("Final-Recipient:")?;
        let from = text[..at].rfind("\n\n").unwrap_or(at);
        let mut end = text.len().min(from + BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Some(report::read_text(&text[from..end]))
    });
    report.flatten().take(RECIPIENTS).collect()
}

/// Returns the first code of a trouble. An IP address and a version number are none.
fn status(text: &str) -> Option<&str> {
    let alone = |at: usize| !text[..at].ends_with(|c: char| c == '.' || c.is_ascii_digit());
    let ends = |at: usize| !text[at..].starts_with('.') || text[at..].starts_with(". ");
    let mut found = STATUS.find_iter(text);
    let found = found.find(|m| !m.as_str().starts_with('2') && alone(m.start()) && ends(m.end()));
    found.map(|m| m.as_str())
}

fn is_lasting(subject: &str, text: &str, status: Option<&str>) -> bool {
    let code = status.or_else(|| REPLY_CODE.find(text).map(|m| m.as_str()));
    let lasting = code.is_none_or(|code| code.starts_with('5')) || says_the_last(text);
    !is_tried_again(subject, text) && lasting && !is_passing(text)
}

/// Tells whether the system goes on trying.
fn is_tried_again(subject: &str, text: &str) -> bool {
    let delayed = ["delayed", "warning", "delay)"].iter().any(|word| subject.contains(word));
    let waits = WAITING.iter().any(|words| text.contains(words));
    waits || delayed && !says_the_last(text)
}

fn says_the_last(text: &str) -> bool {
    let words = [
        "permanent",
        "giving up",
        "given up",
        "not going to try again",
        "user unknown",
        "no such user",
    ];
    words.iter().any(|words| text.contains(words))
}

/// Returns the line that has the code; empty where none has.
fn said(text: &str) -> &str {
    let coded = |line: &&str| STATUS.is_match(line) || REPLY_CODE.is_match(line);
    text.lines().find(coded).map(str::trim).unwrap_or_default()
}

/// Tells whether a mail system wrote: by the empty reverse-path, by its address, or by the name before that.
pub(super) fn is_system(mail: &Mail<'_>) -> bool {
    let Some(author) = &mail.author else { return true };
    let name = author.name.to_lowercase();
    let names = [
        "mail deliver",
        "mailer-daemon",
        "mail administrator",
        "system administrator",
        "postmaster",
        "automated response",
    ];
    automatic::has_null_path(mail)
        || automatic::is_machine(&author.address)
        || names.iter().any(|n| name.contains(n))
        || mail.report.is_some()
}

/// Tells whether somebody wrote whom we know: he speaks of a bounce, he sends none.
fn is_known(mail: &Mail<'_>, desk: &Desk<'_>) -> bool {
    mail.author.as_ref().is_some_and(|author| {
        let director = desk.house.director.iter().any(|a| a.eq_ignore_ascii_case(&author.address));
        director || desk.state.players_at(&author.address).next().is_some()
    })
}

/// Returns whom the words name: the addresses that lines begin with, else the one that was tried, else the first one.
fn recipients(text: &str, mail: &Mail<'_>, desk: &Desk<'_>) -> Vec<String> {
    let author = mail.author.as_ref().map(|a| a.address.as_str()).unwrap_or_default();
    let fits = |address: &str| {
        !desk.house.is_ours(address)
            && !automatic::is_machine(address)
            && !address.eq_ignore_ascii_case(author)
    };
    let mut listed: Vec<String> = Vec::new();
    let mut tried = None;
    let mut first = None;
    let introduced = LISTS.iter().filter_map(|words| text.to_lowercase().find(words)).min();
    let listing = introduced.and_then(|at| text.get(at..)).filter(|list| list.contains('@'));
    for line in listing.unwrap_or(text).lines() {
        let Some(found) = ADDRESS.find(line) else { continue };
        let address = without_kind(found.as_str());
        if !fits(address) {
            continue;
        }
        let before = line[..found.start()].to_lowercase();
        let bare =
            before.trim_matches([' ', '\t', '<', '>', '*', '"', '\'', '|', '(', '-', '[', '=']);
        let begins = matches!(
            bare,
            "" | "to:"
                | "to"
                | "smtp"
                | "rfc822;"
                | "mailto:"
                | "recipient:"
                | "unknown user:"
                | "expanded from:"
        );
        if begins && !listed.iter().any(|known| known == address) && listed.len() < RECIPIENTS {
            listed.push(address.to_owned());
        }
        if tried.is_none() && before.contains("rcpt to") {
            tried = Some(address.to_owned());
        }
        if first.is_none() && !OTHERS.iter().any(|word| before.contains(word)) {
            first = Some(address.to_owned());
        }
    }
    if listed.is_empty() { tried.or(first).into_iter().collect() } else { listed }
}

/// Returns an address without the kind that some systems glue to it: `SMTP=ann@example.org`.
fn without_kind(address: &str) -> &str {
    let kind = address.get(..5).is_some_and(|kind| kind.eq_ignore_ascii_case("smtp="));
    if kind { &address[5..] } else { address }
}

/// Returns what is said above the mail that comes back.
fn told_text(mail: &Mail<'_>) -> String {
    let mut text = String::new();
    for part in &mail.bodies {
        match part {
            Body::Plain { text: plain, .. } => text.push_str(plain),
            Body::Html(html) => text.push_str(&body::html::text(html)),
        }
        text.push('\n');
        if text.len() > BYTES {
            break;
        }
    }
    let mut texts =
        mail.attachments.iter().filter(|a| a.holds == Holds::File && a.media == "text/plain");
    if let Some(part) = texts.next().filter(|_| text.trim().is_empty()) {
        text.push_str(&String::from_utf8_lossy(&part.content[..part.content.len().min(BYTES)]));
    }
    let mut end = text.len().min(BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut at = 0;
    for line in text[..end].split_inclusive('\n') {
        let bare = line.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        if at > 0 && RETURNED.iter().any(|words| bare.starts_with(words)) {
            // `The original message was received at …` opens a report of sendmail.
            if !(bare.starts_with("the original message was") && at < 200) {
                end = at;
                break;
            }
        }
        at += line.len();
    }
    text.truncate(end);
    text
}
