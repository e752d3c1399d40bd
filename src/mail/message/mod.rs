//! A mail taken apart: header fields, the text bodies, and what else is in it. This folder is the only door to
//! mail-parser (0.11.9): it decodes charsets, encoded words, addresses and parameters. The structure is split here,
//! by lines, since that version loses text where real mail bends the rules: a `Date` ending in one letter swallows
//! the next field, a boundary inside a line cuts a part off, of two `From` fields the last one wins.
//!
//! Nothing here knows what a mail means. What could not be recovered is said in [`Mail::lost`].

mod decode;
mod parts;
mod split;

pub use decode::{clean, entity};
pub use parts::{Attachment, Body, Holds};
use split::Field;

use crate::limits;
use std::borrow::Cow;

/// A mail, taken apart.
#[derive(Debug, Default)]
pub struct Mail<'a> {
    fields: Vec<Field<'a>>,
    /// Who says to have written it; none where that is nobody, a group, or more than one.
    pub author: Option<Address>,
    /// The subject, decoded and on one line.
    pub subject: String,
    /// Every text body, in order.
    pub bodies: Vec<Body>,
    /// What else is in it, in order.
    pub attachments: Vec<Attachment<'a>>,
    /// The `report-type` of a multipart/report, in lower case; empty where it has none.
    pub report: Option<String>,
    /// Why its text is not whole, where it is not.
    pub lost: Option<String>,
}

/// An address with the name before it, both free of control characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// The name; empty where there is none.
    pub name: String,
    /// The address as it is written.
    pub address: String,
}

/// A mail has more parts, deeper nesting or more bytes than is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge(pub String);

impl<'a> Mail<'a> {
    /// Takes a mail apart.
    ///
    /// # Errors
    /// Where it is over the limits of `limits.rs`.
    pub fn parse(raw: &'a [u8]) -> Result<Self, TooLarge> {
        if raw.len() > limits::MAIL_BYTES {
            let what = format!("the mail has {} bytes, more than are read", raw.len());
            return Err(TooLarge(what));
        }
        let (fields, body) = split::top(raw);
        let mut mail = Mail { author: author(&fields), ..Mail::default() };
        mail.subject =
            find(&fields, "subject").map(|v| decode::unstructured(&v)).unwrap_or_default();
        parts::read(&fields, body, &mut mail)?;
        mail.fields = fields;
        Ok(mail)
    }

    /// Returns a field's value on one line, the topmost where it occurs several times.
    pub fn field(&self, name: &str) -> Option<Cow<'_, str>> {
        find(&self.fields, name)
    }

    /// Returns the values of all fields of a name, the topmost first.
    pub fn every<'s>(&'s self, name: &'s str) -> impl Iterator<Item = Cow<'s, str>> {
        self.fields.iter().filter(move |f| f.is(name)).map(Field::value)
    }

    /// Tells whether there is such a field.
    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|f| f.is(name))
    }

    /// Tells whether there is a field whose name begins so (lower case).
    pub fn has_field_beginning(&self, prefix: &str) -> bool {
        self.fields.iter().any(|f| {
            f.name.get(..prefix.len()).is_some_and(|n| n.eq_ignore_ascii_case(prefix.as_bytes()))
        })
    }

    /// Returns the addresses in all fields of a name.
    pub fn addresses(&self, name: &str) -> Vec<Address> {
        self.every(name).flat_map(|value| decode::addresses(&value).0).collect()
    }
}

/// Returns the header of a mail as it stands, where it has a bearable size; the beginning of it otherwise.
pub fn head(raw: &[u8]) -> &[u8] {
    let raw = &raw[..raw.len().min(limits::HEAD_BYTES)];
    let end = memchr::memmem::find(raw, b"\n\r\n").or_else(|| memchr::memmem::find(raw, b"\n\n"));
    end.map_or(raw, |end| &raw[..=end])
}

/// Returns the plain text of a mail as it stands, quotes and all; empty where it has none.
pub fn plain_text(raw: &[u8]) -> String {
    let bodies = Mail::parse(raw).map(|mail| mail.bodies).unwrap_or_default();
    let plain = bodies.into_iter().find_map(|body| match body {
        Body::Plain { text, .. } => Some(text),
        Body::Html(_) => None,
    });
    plain.unwrap_or_default()
}

/// Returns the subject of a mail; empty where it has none.
pub fn subject(raw: &[u8]) -> String {
    Mail::parse(raw).map(|mail| mail.subject).unwrap_or_default()
}

/// Returns the pages that a letter of ours encloses, in order (SVG).
pub fn pages(raw: &[u8]) -> Vec<String> {
    let attachments = Mail::parse(raw).map(|mail| mail.attachments).unwrap_or_default();
    let pages = attachments.iter().filter(|a| a.holds == Holds::Page);
    pages.map(|page| page.text().into_owned()).collect()
}

/// Returns a field of a block of header lines, such as the ones a bounce returns, on one line.
pub fn field_of(block: &[u8], name: &str) -> Option<String> {
    let (fields, _) = split::top(block);
    find(&fields, name).map(Cow::into_owned)
}

/// Returns the fields of a block of lines `Name: value`, as a delivery report has them; empty at its end.
pub fn fields_of(block: &[u8]) -> (Vec<(String, String)>, &[u8]) {
    let (fields, rest) = split::top(block);
    let pairs =
        fields.iter().map(|f| (String::from_utf8_lossy(f.name).to_lowercase(), clean(&f.value())));
    (pairs.collect(), rest)
}

fn find<'f>(fields: &'f [Field<'_>], name: &str) -> Option<Cow<'f, str>> {
    fields.iter().find(|f| f.is(name)).map(Field::value)
}

/// Returns the one author. Two From fields, a group or several addresses leave it open who speaks
/// (RFC 5322 section 3.6.2 wants a Sender then, which proves nothing), so nobody does.
fn author(fields: &[Field<'_>]) -> Option<Address> {
    let mut from = fields.iter().filter(|f| f.is("from"));
    let (first, second) = (from.next()?, from.next());
    let (mut authors, grouped) = decode::addresses(&first.value());
    let single = second.is_none() && !grouped && authors.len() == 1;
    authors.pop().filter(|_| single).filter(|a| a.address.contains('@'))
}
