//! The players' side of a script: mails as a mail program would write them. They are made by hand and not by the
//! library that writes our letters, so that a fault of one does not hide in the other.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use std::fmt::Write as _;

/// A mail to be composed.
pub(super) struct Draft<'a> {
    /// From: name and address.
    pub(super) from: &'a str,
    /// The address it goes to.
    pub(super) to: &'a str,
    /// Its subject.
    pub(super) subject: &'a str,
    /// Headers in place of the usual ones, or beside them.
    pub(super) headers: &'a [(String, String)],
    /// Its text.
    pub(super) text: &'a str,
    /// Its number in the season, for the Message-ID.
    pub(super) number: usize,
}

/// Returns the bytes of a mail sent at an instant by somebody in this zone.
pub(super) fn mail(draft: &Draft<'_>, at: DateTime<Utc>, zone: Tz) -> Vec<u8> {
    let date = at.with_timezone(&zone).to_rfc2822();
    let number = draft.number;
    let usual = [
        ("Received", format!("from mx.example.net by mail.example.org; {date}")),
        ("Date", date.clone()),
        ("From", draft.from.to_owned()),
        ("To", draft.to.to_owned()),
        ("Subject", draft.subject.to_owned()),
        ("Message-ID", format!("<season-{number}@mail.example.net>")),
        ("MIME-Version", "1.0".to_owned()),
        ("Content-Type", "text/plain; charset=utf-8".to_owned()),
        ("Content-Transfer-Encoding", "8bit".to_owned()),
    ];
    let own = |name: &str| draft.headers.iter().any(|(n, _)| n.eq_ignore_ascii_case(name));
    let mut mail = String::new();
    let kept = usual.iter().filter(|(name, _)| !own(name));
    let headers = kept
        .map(|(name, value)| (*name, value.as_str()))
        .chain(draft.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    for (name, value) in headers {
        writeln!(mail, "{name}: {}", value.replace("\\n", "\n ")).expect("a string takes it");
    }
    mail.push('\n');
    mail.push_str(draft.text);
    mail.into_bytes()
}

/// Returns a letter's text as a reply quotes it.
pub(super) fn quoted(text: &str, at: DateTime<Utc>, from: &str) -> String {
    let mut quote = format!("\nOn {}, {from} wrote:\n", at.format("%a, %-d %b %Y at %H:%M"));
    for line in text.lines() {
        quote.push_str(if line.is_empty() { ">" } else { "> " });
        quote.push_str(line);
        quote.push('\n');
    }
    quote
}
