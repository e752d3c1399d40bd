//! Mails as mail programs write them: raw bytes with the headers that come along, plain or HTML, with the letter that is
//! answered quoted below. What is said in them is `words.rs`; nothing here knows the rules.

use super::chance::Chance;
use chrono::{DateTime, FixedOffset};
use std::fmt::{self, Write as _};

/// A mail before it is bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// The sender's name.
    pub(super) name: String,
    /// The sender's address.
    pub(super) from: String,
    /// Where it goes.
    pub(super) to: String,
    /// Its subject.
    pub(super) subject: String,
    /// What it says.
    pub(super) text: String,
    /// The Message-ID that it answers.
    pub(super) answers: Option<String>,
    /// The text that it quotes, with who wrote it.
    pub(super) quotes: Option<(String, String)>,
    /// Headers beside the usual ones, each a line.
    pub(super) headers: Vec<String>,
    /// The Content-Type and the body of a mail of another make; `text` is not used then.
    pub(super) parts: Option<(String, String)>,
}

/// Returns the bytes of a mail that is sent at an instant; its number makes its Message-ID.
pub(super) fn compose(
    draft: &Draft,
    at: DateTime<FixedOffset>,
    number: usize,
    chance: &mut Chance,
) -> Vec<u8> {
    let Draft { name, from, to, subject, .. } = draft;
    let date = at.to_rfc2822();
    let mut mail = format!(
        "Return-Path: <{from}>\nReceived: from mail.example.org (mail.example.org [192.0.2.25])\n\tby mx.example.org; \
         {date}\nFrom: {name} <{from}>\nTo: {to}\nSubject: {subject}\nDate: {date}\n\
         Message-ID: <{number}.simulated@mail.example.org>\nMIME-Version: 1.0\n"
    );
    for header in &draft.headers {
        mail.push_str(header);
        mail.push('\n');
    }
    if let Some(answers) = &draft.answers {
        put(&mut mail, format_args!("In-Reply-To: <{answers}>\nReferences: <{answers}>\n"));
    }
    match &draft.parts {
        Some((kind, body)) => put(&mut mail, format_args!("Content-Type: {kind}\n\n{body}")),
        None if chance.in_a_hundred(20) => html(&mut mail, draft, at),
        None => plain(&mut mail, draft, at),
    }
    mail.into_bytes()
}

/// Adds words to a mail.
fn put(mail: &mut String, words: fmt::Arguments<'_>) {
    mail.write_fmt(words).expect("a string takes every word");
}

fn plain(mail: &mut String, draft: &Draft, at: DateTime<FixedOffset>) {
    mail.push_str("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n");
    mail.push_str(&draft.text);
    mail.push_str("\n\n");
    mail.push_str(&draft.name);
    mail.push('\n');
    if let Some((who, text)) = &draft.quotes {
        put(mail, format_args!("\nOn {}, {who} wrote:\n", at.format("%a, %b %-d, %Y at %H:%M")));
        for line in text.lines() {
            mail.push_str(if line.is_empty() { ">" } else { "> " });
            mail.push_str(line);
            mail.push('\n');
        }
    }
}

fn html(mail: &mut String, draft: &Draft, at: DateTime<FixedOffset>) {
    let safe = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let lines = |text: &str| safe(text).replace('\n', "<br>\n");
    let Draft { text, name, .. } = draft;
    mail.push_str("Content-Type: multipart/alternative; boundary=\"=_part\"\n\n--=_part\n");
    mail.push_str("Content-Type: text/plain; charset=utf-8\n\n");
    put(mail, format_args!("{text}\n\n{name}\n\n--=_part\n"));
    mail.push_str("Content-Type: text/html; charset=utf-8\n\n<html><body>");
    put(mail, format_args!("<div>{}</div><br><div>{name}</div>", lines(text)));
    if let Some((who, quoted)) = &draft.quotes {
        let day = at.format("%a, %b %-d, %Y at %H:%M");
        put(
            mail,
            format_args!(
                "<div class=\"gmail_quote\"><div class=\"gmail_attr\">On {day}, {who} wrote:</div>\
             <blockquote class=\"gmail_quote\">{}</blockquote></div>",
                lines(quoted)
            ),
        );
    }
    mail.push_str("</body></html>\n\n--=_part--\n");
}

/// Returns the answer of a program to whatever comes: an absence note, in several makes.
pub(super) fn absence(draft: Draft, chance: &mut Chance) -> Draft {
    let headers = *chance.pick(&[
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: auto-replied (vacation)\nPrecedence: bulk",
        "X-Autoreply: yes\nPrecedence: junk\nX-Auto-Response-Suppress: All",
    ]);
    let subject = format!("Automatic reply: {}", draft.subject);
    let text = "I am out of the office until Monday and will answer your mail then. 1-0".to_owned();
    let headers = headers.lines().map(str::to_owned).collect();
    Draft { subject, text, headers, quotes: None, ..draft }
}

/// Returns the report of a mail system that a letter did not reach an address (RFC 3464).
pub(super) fn bounce(to: &str, address: &str, message_id: &str) -> Draft {
    let body = format!(
        "--=_dsn\nContent-Type: text/plain\n\nYour message could not be delivered to <{address}>.\n\n--=_dsn\n\
         Content-Type: message/delivery-status\n\nReporting-MTA: dns; mail.example.org\n\n\
         Final-Recipient: rfc822; {address}\nAction: failed\nStatus: 5.1.1\n\n--=_dsn\n\
         Content-Type: text/rfc822-headers\n\nMessage-ID: <{message_id}>\n\n--=_dsn--\n"
    );
    Draft {
        name: "Mail Delivery System".to_owned(),
        from: "MAILER-DAEMON@mail.example.org".to_owned(),
        to: to.to_owned(),
        subject: "Undelivered Mail Returned to Sender".to_owned(),
        headers: vec!["Auto-Submitted: auto-replied".to_owned()],
        parts: Some((
            "multipart/report; report-type=delivery-status; boundary=\"=_dsn\"".to_owned(),
            body,
        )),
        ..Draft::default()
    }
}
