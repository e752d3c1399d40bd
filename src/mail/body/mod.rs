//! From the text bodies of a mail to what its sender newly wrote. Quotes, copies of our own letters, signatures and
//! footers are taken away and listed; an answer below or between quotes is the sender's own and stays.

mod attribution;
mod flowed;
pub(super) mod html;
mod lines;
mod quotes;
mod signature;

use super::message::{Body, Holds, Mail};
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
    let mut new = of_text(read);
    if cut > 0 {
        new.set_aside.push(format!("text beyond the first {} bytes", limits::TEXT_BYTES));
    }
    for part in &mail.attachments {
        let named = match (part.holds, part.name.as_str()) {
            (Holds::Mail, _) => "forwarded message".to_owned(),
            (Holds::Report, _) => "delivery report".to_owned(),
            (_, "") => format!("attachment of type {}", part.media),
            (_, name) => format!("attachment {name}"),
        };
        new.set_aside.push(named);
    }
    new
}

/// Returns what is new in a plain text.
pub(super) fn of_text(text: &str) -> NewText {
    let mut page = Page::of(text);
    quotes::mark(&mut page);
    signature::mark(&mut page);
    NewText { text: page.kept(), set_aside: set_aside(&page) }
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
    const NAMES: [(Role, &str); 5] = [
        (Role::Quote, "quoted text"),
        (Role::OurLetter, "our letter"),
        (Role::Forwarded, "forwarded message"),
        (Role::Signature, "signature"),
        (Role::Footer, "footer"),
    ];
    let counted = NAMES.iter().map(|(role, name)| (name, page.count(*role)));
    let present = counted.filter(|(_, count)| *count > 0);
    present
        .map(|(name, n)| format!("{name}, {n} {}", if n == 1 { "line" } else { "lines" }))
        .collect()
}
