//! From the text bodies of a mail to what its sender newly wrote. Quotes, copies of our own letters, signatures and
//! footers are taken away and listed; an answer below or between quotes is the sender's own and stays.

mod attribution;
mod flowed;
pub(super) mod html;
mod lines;
mod pgp;
mod quotes;
mod signature;

use super::{
    identity,
    message::{Attachment, Body, Holds, Mail},
};
use crate::limits;
use lines::{Page, Role};

/// What a sender newly wrote, and what was taken away.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct NewText {
    /// The new text, without blank lines around it.
    pub(super) text: String,
    /// What was taken away or not read: `quoted text, 14 lines`.
    pub(super) set_aside: Vec<String>,
}

/// Returns what the sender of a mail newly wrote.
pub(super) fn newly_written(mail: &Mail<'_>) -> NewText {
    let texts = mail.bodies.iter().map(readable);
    let whole = texts.filter(|t| !t.trim().is_empty()).collect::<Vec<_>>().join("\n");
    let (read, cut) = within_limit(&whole);
    let mut new = of_text(read, Below::of(&mail.subject));
    if cut > 0 {
        new.set_aside.push(format!("text beyond the first {} bytes", limits::TEXT_BYTES));
    }
    new.set_aside.extend(mail.attachments.iter().filter_map(named));
    new
}

/// Returns how an attachment is called to its sender; none where it is only the signature that a program adds.
fn named(part: &Attachment<'_>) -> Option<String> {
    let subtype = part.media.rsplit('/').next().unwrap_or_default();
    let file = match part.name.as_str() {
        "" => format!("attachment of type {}", part.media),
        name => format!("attachment {name}"),
    };
    Some(match part.holds {
        Holds::Mail => "forwarded message".to_owned(),
        Holds::Report => "delivery report".to_owned(),
        Holds::Sealed => "encrypted text, which cannot be read here".to_owned(),
        Holds::Outlook => format!("{file}, which only Outlook can read"),
        Holds::File
            if matches!(subtype, "pgp-signature" | "pkcs7-signature" | "x-pkcs7-signature") =>
        {
            return None;
        }
        Holds::File | Holds::Page if part.media.starts_with("image/") => {
            format!("{file}, a picture, which is not read")
        }
        Holds::File if subtype == "pdf" => format!("{file}, which is not read"),
        Holds::Game | Holds::File | Holds::Page => file,
    })
}

/// What an old mail below the new text is, by the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Below {
    /// The mail that is answered.
    Answered,
    /// A mail that is passed on.
    Forwarded,
}

impl Below {
    fn of(subject: &str) -> Self {
        if identity::is_forward_subject(subject) { Self::Forwarded } else { Self::Answered }
    }
}

/// Returns what is new in a plain text.
pub(super) fn of_text(text: &str, below: Below) -> NewText {
    let (text, encrypted) = pgp::opened(text);
    let mut page = Page::of(&text);
    quotes::mark(&mut page, below);
    signature::mark(&mut page);
    let mut set_aside = set_aside(&page);
    if encrypted {
        set_aside.push("encrypted text, which cannot be read here".to_owned());
    }
    NewText { text: page.kept(), set_aside }
}

fn readable(body: &Body) -> String {
    match body {
        Body::Plain { text, flowed: true, delsp } => flowed::unflowed(text, *delsp),
        Body::Plain { text, .. } => text.clone(),
        Body::Html(html) => html::text(html),
    }
}

/// Returns the text up to the limit, cut at a line, and how much lies beyond.
fn within_limit(text: &str) -> (&str, usize) {
    if text.len() <= limits::TEXT_BYTES {
        return (text, 0);
    }
    let mut end = limits::TEXT_BYTES;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let end = text[..end].rfind('\n').unwrap_or(end);
    (&text[..end], text.len() - end)
}

fn set_aside(page: &Page<'_>) -> Vec<String> {
    const NAMES: [(Role, &str); 6] = [
        (Role::Quote, "quoted text"),
        (Role::OurLetter, "our letter"),
        (Role::Forwarded, "forwarded message"),
        (Role::Signature, "signature"),
        (Role::Footer, "footer"),
        (Role::BelowTelephone, "text below a telephone's footer"),
    ];
    let counted = NAMES.iter().map(|(role, name)| (name, page.count(*role)));
    let present = counted.filter(|(_, count)| *count > 0);
    present
        .map(|(name, n)| format!("{name}, {n} {}", if n == 1 { "line" } else { "lines" }))
        .collect()
}
