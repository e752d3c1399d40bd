//! The parts of a mail: which are text to read, which are set aside (RFC 2046). A mail within a mail is a copy of what
//! somebody else wrote, so it is never a text body.

use super::{Mail, TooLarge, decode, decode::Kind, split, split::Field};
use crate::{
    limits,
    mail::{
        lexicon::{self, Key},
        marks::Marks,
    },
};
use std::{borrow::Cow, sync::LazyLock};

static EXCUSES: LazyLock<Marks> = LazyLock::new(|| Marks::of(&[Key::Excuse]));

/// A text body, decoded, with `\n` between its lines.
#[derive(Clone, Debug)]
pub enum Body {
    /// Plain text; how its lines flow, where they do (RFC 3676).
    Plain {
        /// The text.
        text: String,
        /// Whether a line that ends in a blank goes on (`format=flowed`).
        flowed: bool,
        /// Whether that blank is to be deleted (`delsp=yes`).
        delsp: bool,
    },
    /// HTML.
    Html(String),
}

/// A part that is no text body.
#[derive(Clone, Debug)]
pub struct Attachment<'a> {
    /// What it is.
    pub holds: Holds,
    /// Its file name without any path; empty where it has none.
    pub name: String,
    /// Its media type: `image/jpeg`.
    pub media: String,
    /// Its bytes: decoded where it is a report, headers or a page, as UTF-8 text where it is a game; as they stand otherwise.
    pub content: Cow<'a, [u8]>,
}

impl Attachment<'_> {
    /// Returns its content as text.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.content)
    }
}

/// What an attachment is, as far as that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A whole mail (message/rfc822), or the head of one (text/rfc822-headers).
    Mail,
    /// What a mail system reports of a delivery (RFC 3464) or a reader of a mail (RFC 8098).
    Report,
    /// A game (PGN).
    Game,
    /// A page to be printed (SVG): our own letters on paper enclose such.
    Page,
    /// Something encrypted, or signed so that it cannot be read in the clear (RFC 8551, RFC 3156).
    Sealed,
    /// Outlook's own form of text and attachments (winmail.dat).
    Outlook,
    /// Something else.
    File,
}

/// Reads the tree of parts below a head into a mail.
pub(super) fn read<'a>(
    fields: &[Field<'a>],
    body: &'a [u8],
    mail: &mut Mail<'a>,
) -> Result<(), TooLarge> {
    let mut walk = Walk { seen: 0 };
    let kind = kind_of(fields);
    if kind.main == "multipart" && kind.sub == "report" {
        mail.report = Some(kind.parameter("report-type").unwrap_or_default().to_lowercase());
    }
    let found = walk.part(fields, body, 0, true)?;
    mail.bodies = found.bodies;
    mail.attachments = found.attachments;
    mail.lost = found.lost;
    Ok(())
}

#[derive(Default)]
struct Found<'a> {
    bodies: Vec<Body>,
    attachments: Vec<Attachment<'a>>,
    lost: Option<String>,
}

struct Walk {
    seen: usize,
}

impl Walk {
    fn part<'a>(
        &mut self,
        fields: &[Field<'a>],
        body: &'a [u8],
        depth: usize,
        root: bool,
    ) -> Result<Found<'a>, TooLarge> {
        self.seen += 1;
        if self.seen > limits::MAIL_PARTS || depth > limits::MAIL_NESTING {
            let what = format!("the mail has more than {} parts", limits::MAIL_PARTS);
            let deep = format!("the mail's parts nest deeper than {}", limits::MAIL_NESTING);
            return Err(TooLarge(if depth > limits::MAIL_NESTING { deep } else { what }));
        }
        let kind = kind_of(fields);
        if kind.main == "multipart" {
            return self.multipart(&kind, body, depth);
        }
        Ok(leaf(fields, &kind, body, root))
    }

    fn multipart<'a>(
        &mut self,
        kind: &Kind,
        body: &'a [u8],
        depth: usize,
    ) -> Result<Found<'a>, TooLarge> {
        let boundary = kind.parameter("boundary").unwrap_or_default();
        let parts = split::multipart(body, boundary, limits::MAIL_PARTS);
        if parts.is_empty() && !body.trim_ascii().is_empty() {
            let text = decode::text(body, None);
            let lost = "its parts could not be told apart".to_owned();
            return Ok(Found { bodies: vec![plain(&text)], lost: Some(lost), ..Found::default() });
        }
        let mut all = Vec::with_capacity(parts.len());
        for part in parts {
            let (fields, body) = split::fields(part);
            all.push(self.part(&fields, body, depth + 1, false)?);
        }
        Ok(match kind.sub.as_str() {
            "alternative" => best(all),
            _ => joined(all),
        })
    }
}

/// Takes the plain form of a text that comes in several, unless that is empty or says that it is not the text.
fn best(all: Vec<Found<'_>>) -> Found<'_> {
    let says_something = |body: &Body| match body {
        Body::Plain { text, .. } => !text.trim().is_empty() && !is_excuse(text),
        Body::Html(_) => false,
    };
    let plain = all.iter().position(|f| f.bodies.iter().any(says_something));
    let rich = all.iter().rposition(|f| f.bodies.iter().any(|b| matches!(b, Body::Html(_))));
    let chosen = plain.or(rich).unwrap_or(0);
    let mut result = Found::default();
    for (n, found) in all.into_iter().enumerate() {
        if n == chosen {
            result.bodies = found.bodies;
            result.lost = found.lost;
        }
        result.attachments.extend(found.attachments);
    }
    result
}

/// Tells whether a plain text only says that the real one is in HTML, in the words of many languages.
fn is_excuse(text: &str) -> bool {
    const ABOUT: [&str; 6] =
        ["html", "mime", "in your browser", "im browser", "votre navigateur", "view online"];
    let text = text.trim();
    text.len() < 400 && {
        let plain = lexicon::plain(text);
        ABOUT.iter().any(|word| plain.contains(word)) && EXCUSES.within(&plain)
    }
}

fn joined(all: Vec<Found<'_>>) -> Found<'_> {
    let mut result = Found::default();
    for found in all {
        result.bodies.extend(found.bodies);
        result.attachments.extend(found.attachments);
        result.lost = result.lost.or(found.lost);
    }
    result
}

fn kind_of(fields: &[Field<'_>]) -> Kind {
    let field = fields.iter().find(|f| f.is("content-type"));
    let kind = field.map(|f| Kind::read(&f.value())).unwrap_or_default();
    if kind.main.is_empty() { Kind::read("text/plain") } else { kind }
}

fn leaf<'a>(fields: &[Field<'a>], kind: &Kind, body: &'a [u8], root: bool) -> Found<'a> {
    let disposition = fields.iter().find(|f| f.is("content-disposition"));
    let disposition = disposition.map(|f| Kind::read(&f.value())).unwrap_or_default();
    let name = disposition.parameter("filename").or(kind.parameter("name")).map(base_name);
    let media = format!("{}/{}", kind.main, kind.sub);
    let holds = holds(&media, name.as_deref());
    let shown = disposition.main != "attachment" && (name.is_none() || root);
    // cmail sends a whole mail of this type: its game is the text.
    let text = matches!(media.as_str(), "text/plain" | "text/html" | "text/enriched")
        || root && matches!(media.as_str(), "application/x-chess" | "text/pgn");
    if text && shown {
        return text_body(fields, kind, body);
    }
    let holds = match holds {
        Holds::File if may_be_text(kind) && begins_with_tags(fields, body) => Holds::Game,
        other => other,
    };
    let (content, lost) = match holds {
        Holds::Mail | Holds::Report | Holds::Page => (decoded(fields, body).0, None),
        Holds::Game => game(fields, kind, body),
        Holds::File | Holds::Sealed | Holds::Outlook => (Cow::Borrowed(body), None),
    };
    let name = name.unwrap_or_default();
    let attachment = Attachment { holds, name, media, content };
    Found { attachments: vec![attachment], lost, ..Found::default() }
}

/// Returns the text of an attached game. A move of it that was lost would be as bad as a word of the mail.
fn game<'a>(fields: &[Field<'a>], kind: &Kind, body: &'a [u8]) -> (Cow<'a, [u8]>, Option<String>) {
    let (bytes, lost) = decoded(fields, body);
    let text = lines(&decode::text(&bytes, kind.parameter("charset")));
    (Cow::Owned(text.into_bytes()), lost.map(|why| format!("of the game attached, {why}")))
}

fn may_be_text(kind: &Kind) -> bool {
    kind.main == "text" || kind.main == "application" && kind.sub == "octet-stream"
}

/// Tells whether an attachment of a type that says nothing begins as a game does, whatever its name is.
fn begins_with_tags(fields: &[Field<'_>], body: &[u8]) -> bool {
    const HEAD: usize = 4096;
    let head = body.get(..HEAD).unwrap_or(body);
    let (bytes, _) = decoded(fields, head);
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let tags = ["[Event ", "[White ", "[Site ", "[Date "];
    tags.iter().any(|tag| text.starts_with(tag)) && text.contains("\"]")
}

fn holds(media: &str, name: Option<&str>) -> Holds {
    match media {
        "message/rfc822"
        | "message/global"
        | "text/rfc822-headers"
        | "message/rfc822-headers"
        | "message/global-headers" => Holds::Mail,
        "message/delivery-status"
        | "message/global-delivery-status"
        | "message/disposition-notification" => Holds::Report,
        "application/pkcs7-mime" | "application/x-pkcs7-mime" | "application/pgp-encrypted" => {
            Holds::Sealed
        }
        "image/svg+xml" => Holds::Page,
        "application/ms-tnef" | "application/vnd.ms-tnef" => Holds::Outlook,
        _ if name.is_some_and(|n| n.eq_ignore_ascii_case("winmail.dat")) => Holds::Outlook,
        _ => {
            let pgn = name.is_some_and(|n| n.to_lowercase().ends_with(".pgn"));
            if pgn || media.contains("chess") || media.contains("pgn") {
                Holds::Game
            } else {
                Holds::File
            }
        }
    }
}

/// Returns a file name without its path: what a sender writes never becomes one.
fn base_name(name: &str) -> String {
    name.rsplit(['/', '\\']).next().unwrap_or_default().trim().to_owned()
}

fn text_body<'a>(fields: &[Field<'a>], kind: &Kind, body: &'a [u8]) -> Found<'a> {
    let (bytes, lost) = decoded(fields, body);
    let text = lines(&decode::text(&bytes, kind.parameter("charset")));
    let is = |name: &str, value: &str| {
        kind.parameter(name).is_some_and(|v| v.eq_ignore_ascii_case(value))
    };
    let body = match kind.sub.as_str() {
        "html" => Body::Html(text),
        _ => Body::Plain { flowed: is("format", "flowed"), delsp: is("delsp", "yes"), text },
    };
    Found { bodies: vec![body], lost, ..Found::default() }
}

fn plain(text: &str) -> Body {
    Body::Plain { text: lines(text), flowed: false, delsp: false }
}

/// Returns text with `\n` between its lines, without the characters that nobody sees.
fn lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    text.chars()
        .filter(|c| {
            !matches!(c, '\0' | '\u{200b}' | '\u{200c}' | '\u{feff}' | '\u{2060}' | '\u{ad}')
        })
        .map(|c| if c == '\r' { '\n' } else { c })
        .collect()
}

/// Undoes the transfer encoding of a part, and says what was lost.
fn decoded<'a>(fields: &[Field<'a>], body: &'a [u8]) -> (Cow<'a, [u8]>, Option<String>) {
    let field = fields.iter().find(|f| f.is("content-transfer-encoding"));
    let encoding = field.map(|f| f.value().trim().to_lowercase()).unwrap_or_default();
    match encoding.split([';', ' ']).next().unwrap_or_default() {
        "quoted-printable" => (Cow::Owned(decode::quoted_printable(body)), None),
        "base64" => {
            let (bytes, broken) = decode::base64(body);
            (Cow::Owned(bytes), broken.then(|| "its base64 is broken".to_owned()))
        }
        "" | "7bit" | "8bit" | "binary" | "7-bit" | "8-bit" => (Cow::Borrowed(body), None),
        other => {
            let known = other.starts_with('8') || other.starts_with('7');
            let lost = format!("its transfer encoding `{}` is unknown", decode::clean(other));
            (Cow::Borrowed(body), (!known).then_some(lost))
        }
    }
}
