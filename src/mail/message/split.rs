//! Splitting by lines: header fields from the body, and a multipart into its parts (RFC 5322 section 2.2,
//! RFC 2046 section 5.1). Lenient where the meaning is clear: a byte order mark, an mbox `From ` line, a blank before
//! the colon, a missing or not quite empty line under the header.

use super::decode;
use std::borrow::Cow;

/// A header field as it stands in the mail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    /// The name, without the blanks that may stand before the colon.
    pub(super) name: &'a [u8],
    raw: &'a [u8],
}

impl Field<'_> {
    /// Tells whether this is the name (any case).
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns the value on one line, with encoded words as they stand.
    pub(super) fn value(&self) -> Cow<'_, str> {
        let text = decode::eight_bit(self.raw.trim_ascii());
        if !text.contains(['\r', '\n']) {
            return text;
        }
        let mut line = String::with_capacity(text.len());
        for part in text.split(['\r', '\n']).filter(|p| !p.is_empty()) {
            // A value folded right behind `=` loses its parameter in mail-parser; the fold means nothing there.
            let after_equals = line.ends_with('=') && !line.ends_with("?=");
            line.push_str(if after_equals { part.trim_start() } else { part });
        }
        Cow::Owned(line)
    }
}

/// Splits a whole mail: its fields, and its body.
pub(super) fn top(raw: &[u8]) -> (Vec<Field<'_>>, &[u8]) {
    let mut rest = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw);
    while let Some((line, after)) = first_line(rest)
        && line.trim_ascii().is_empty()
    {
        rest = after;
    }
    let envelope = rest.strip_prefix(b">").unwrap_or(rest).strip_prefix(b"From ");
    // `From : Ann` is a field.
    if envelope.is_some_and(|after| !after.trim_ascii_start().starts_with(b":")) {
        rest = first_line(rest).map_or(rest, |(_, after)| after);
    }
    fields(rest)
}

/// Splits the head of a part from its body.
pub(super) fn fields(bytes: &[u8]) -> (Vec<Field<'_>>, &[u8]) {
    let mut fields = Vec::new();
    let mut open: Option<(&[u8], usize)> = None; // the name of the field being read, and where its value begins
    let mut at = 0;
    let mut value_end = 0;
    while let Some((line, after)) = first_line(&bytes[at..]) {
        let next = bytes.len() - after.len();
        if line.trim_ascii().is_empty() {
            // RFC 5322 section 4.2 would read on behind a line of blanks; in real mail it ends the head.
            let goes_on = !line.is_empty() && first_line(after).is_some_and(|(l, _)| is_usual(l));
            if !goes_on {
                at = next;
                break;
            }
        } else if !matches!(line[0], b' ' | b'\t') {
            let Some((name, value)) = name_and_value(line) else { break }; // the empty line is missing
            close(&mut fields, open.take(), bytes, value_end);
            open = Some((name, at + value));
        }
        value_end = at + line.len();
        at = next;
    }
    close(&mut fields, open, bytes, value_end);
    (fields, &bytes[at..])
}

fn close<'a>(
    to: &mut Vec<Field<'a>>,
    open: Option<(&'a [u8], usize)>,
    bytes: &'a [u8],
    end: usize,
) {
    if let Some((name, start)) = open {
        to.push(Field { name, raw: bytes.get(start..end).unwrap_or_default() });
    }
}

/// Returns a field's name, and where in the line its value begins.
fn name_and_value(line: &[u8]) -> Option<(&[u8], usize)> {
    let colon = line.iter().position(|b| *b == b':')?;
    let name = line[..colon].trim_ascii_end();
    let fits = !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
    fits.then_some((name, colon + 1))
}

/// Tells whether a line is one of the fields that every mail has.
fn is_usual(line: &[u8]) -> bool {
    const USUAL: &[&str] = &[
        "from",
        "to",
        "cc",
        "date",
        "subject",
        "message-id",
        "received",
        "mime-version",
        "content-type",
        "content-transfer-encoding",
        "in-reply-to",
        "references",
        "return-path",
        "reply-to",
        "sender",
    ];
    name_and_value(line)
        .is_some_and(|(name, _)| USUAL.iter().any(|u| name.eq_ignore_ascii_case(u.as_bytes())))
}

/// Returns the first line without its end, and what follows it; none at the end.
pub(super) fn first_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if bytes.is_empty() {
        return None;
    }
    let end = bytes.iter().position(|b| *b == b'\n');
    let (line, after) = end.map_or((bytes, &[][..]), |n| (&bytes[..n], &bytes[n + 1..]));
    Some((line.strip_suffix(b"\r").unwrap_or(line), after))
}

/// Splits the body of a multipart at its boundary. Only a whole line counts (RFC 2046 section 5.1.1); the last part
/// may lack its closing line. Returns at most `limit` + 1 parts.
pub(super) fn multipart<'a>(body: &'a [u8], boundary: &str, limit: usize) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    let mut start = None;
    let mut at = 0;
    while let Some((line, after)) = first_line(&body[at..]) {
        let next = body.len() - after.len();
        if let Some(closing) = delimiter(line, boundary) {
            if let Some(start) = start.take() {
                parts.push(without_last_break(&body[start..at.max(start)]));
            }
            if closing || parts.len() > limit {
                return parts;
            }
            start = Some(next);
        }
        at = next;
    }
    parts.extend(start.map(|start| &body[start..]));
    parts
}

/// Tells whether a line is a delimiter, and then whether it is the closing one.
fn delimiter(line: &[u8], boundary: &str) -> Option<bool> {
    let rest = line.strip_prefix(b"--")?.strip_prefix(boundary.as_bytes())?.trim_ascii_end();
    match rest {
        b"" => Some(false),
        b"--" => Some(true),
        _ => None,
    }
}

fn without_last_break(part: &[u8]) -> &[u8] {
    let part = part.strip_suffix(b"\n").unwrap_or(part);
    part.strip_suffix(b"\r").unwrap_or(part)
}
