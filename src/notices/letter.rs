//! Letters: from words to a complete RFC 5322 message, and the only door to lettre's builder. The same notice, books,
//! number and time give the same bytes; a letter that is sent again is those bytes again.
//!
//! Our letters can be known again in three ways, because mail systems drop some of them: the token in the Message-ID,
//! the token in the Reply-To address, and the first and the last line of the text. They say that a machine wrote
//! them (RFC 3834), so that no other machine answers.

use super::{
    Desk, Letter, Thread,
    layout::Page,
    pages::{Paper, pdf},
    render::Templates,
    view::{self, certificate::Certificate},
};
use crate::{
    domain::{
        docket::About,
        ids::LetterId,
        notice::{Notice, Recipient},
    },
    house::{LETTER_END, LETTER_TOP},
    limits,
};
use lettre::{
    Address,
    address::Envelope,
    message::{
        Attachment, Body, Mailbox, Message, MessageBuilder, MultiPart, SinglePart,
        header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue},
    },
};
use std::{fmt, iter, time::SystemTime};

/// The header field that says which paper a letter without an address is printed on.
pub const PAPER: &str = "X-Paper";

/// Why a letter cannot be written; the director must know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// What is wrong and with what, a sentence without its full stop.
    pub why: String,
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Unwritable {}

/// Writes a letter. `thread` is the mail that it answers, if it answers one. A recipient without an address gets it
/// on paper: `to` is none then, and the text part is the sheet.
///
/// # Errors
/// An address that no mail system takes, or a template that fails and has no shipped one behind it.
pub fn write(
    notice: &Notice,
    letter: LetterId,
    thread: Option<&Thread>,
    desk: &Desk<'_>,
) -> Result<Letter, Unwritable> {
    let player = view::member(&notice.to).cloned();
    // The token says who got the letter: an answer to it is that player's. The director's letters and those to
    // strangers speak for no player, whoever they are about.
    let about = About { player: player.clone(), letter: None, ..notice.about.clone() };
    let token = desk.house.keys.token(letter, &about);
    let words = desk.templates.words(notice, desk).map_err(|e| unwritable(e.to_string()))?;
    let subject = super::table::cut(&words.subject, limits::SUBJECT_CHARS);
    let to = address_of(&notice.to, desk)?;
    let message_id = format!("{token}@{}", desk.house.domain());

    let page = Page::of(match to {
        Some(_) => format!("{LETTER_TOP}\n\n{}\n\n{LETTER_END} {token} ##\n", words.raw),
        None => sheet(&notice.to, &subject, &words.raw, desk),
    });
    let html = desk.templates.html(&subject, &page.html());
    let html = html.map_err(|e| unwritable(e.to_string()))?;
    let headers = headers(notice, to.as_ref(), &token, desk)?
        .subject(subject.clone())
        .message_id(Some(format!("<{message_id}>")));
    let text = MultiPart::alternative()
        .boundary(format!("part-{token}"))
        .singlepart(part(ContentType::TEXT_PLAIN, &page.text()))
        .singlepart(part(ContentType::TEXT_HTML, &html));
    let parts = match enclosure(notice, to.is_some(), desk)? {
        Some(enclosed) => MultiPart::mixed()
            .boundary(format!("page-{token}"))
            .multipart(text)
            .singlepart(enclosed),
        None => text,
    };
    let message = threaded(headers, thread).multipart(parts);
    let message = message.map_err(|e| unwritable(format!("the letter cannot be built: {e}")))?;

    Ok(Letter {
        letter,
        notice: notice.facts.name(),
        to: to.map(|address| address.to_string()),
        player,
        about,
        subject,
        message_id,
        bytes: message.formatted(),
    })
}

fn headers(
    notice: &Notice,
    to: Option<&Address>,
    token: &str,
    desk: &Desk<'_>,
) -> Result<MessageBuilder, Unwritable> {
    let house = desk.house;
    let ours = address(&house.address)?;
    // The envelope is the transport's business; lettre wants one and would take it from the headers, where it
    // refuses addresses that exist.
    let envelope = Envelope::new(None, vec![ours.clone()])
        .map_err(|e| unwritable(format!("the house's address cannot be used: {e}")))?;
    let mut headers = Message::builder()
        .envelope(envelope)
        .date(SystemTime::from(desk.now))
        .from(Mailbox::new(named(&house.name), ours));
    if let Some(to) = to {
        let name = view::words::spoken(&view::recipient_name(&notice.to, desk));
        headers = headers.to(Mailbox::new(named(&name), to.clone()));
    }
    if to.is_none() {
        // What the sheet is printed on: the letter is printed again as it was.
        let player = view::member(&notice.to).and_then(|member| desk.state.players.get(member));
        let paper = Paper::of_country(player.and_then(|p| p.country.as_deref()));
        headers = headers.raw_header(header(PAPER, paper.text()));
    }
    let reply_to = address(&house.reply_address(token))?;
    Ok(headers
        .reply_to(Mailbox::new(named(&house.name), reply_to))
        .raw_header(header("X-Loop", &house.address))
        .raw_header(header("X-Auto-Response-Suppress", "All")))
}

/// Adds what holds a thread together (RFC 5322 section 3.6.4) and says whether this is an answer (RFC 3834
/// section 5).
fn threaded(headers: MessageBuilder, thread: Option<&Thread>) -> MessageBuilder {
    let Some(thread) = thread else {
        return headers.raw_header(header("Auto-Submitted", "auto-generated"));
    };
    let headers = headers.raw_header(header("Auto-Submitted", "auto-replied"));
    let parent = thread.in_reply_to.as_deref().and_then(bracketed);
    let references = references(thread, parent.as_deref());
    let headers = match parent {
        Some(parent) => headers.in_reply_to(parent),
        None => headers,
    };
    if references.is_empty() { headers } else { headers.references(references.join(" ")) }
}

/// Returns the ids of the thread, oldest first, the mail that is answered last. Of a long one the first and the
/// newest are kept.
fn references(thread: &Thread, parent: Option<&str>) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    let earlier = thread.references.iter().filter_map(|id| bracketed(id));
    for id in earlier.filter(|id| Some(id.as_str()) != parent) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids.extend(parent.map(str::to_owned));
    if ids.len() > limits::REFERENCES {
        let newest = ids.split_off(ids.len() + 1 - limits::REFERENCES);
        ids.truncate(1);
        ids.extend(newest);
    }
    ids
}

/// Returns a Message-ID in its angle brackets; none where it is none that may stand in a header.
fn bracketed(id: &str) -> Option<String> {
    let id = id.trim().trim_start_matches('<').trim_end_matches('>');
    let fits = !id.is_empty()
        && id.len() <= limits::MESSAGE_ID_CHARS
        && id.bytes().all(|b| b.is_ascii_graphic() && b != b'<' && b != b'>');
    fits.then(|| format!("<{id}>"))
}

/// Returns where a letter goes: the first address that has not failed (Rule 10) and that a header can carry. None: it
/// goes on paper.
fn address_of(to: &Recipient, desk: &Desk<'_>) -> Result<Option<Address>, Unwritable> {
    let (whose, known): (_, Vec<&str>) = match to {
        Recipient::Player(member) => {
            let player = desk.state.players.get(member);
            (Some(member), player.iter().flat_map(|p| &p.emails).map(String::as_str).collect())
        }
        Recipient::Stranger(from) => (None, from.address.as_deref().into_iter().collect()),
        Recipient::Director => (None, desk.house.director.iter().map(String::as_str).collect()),
    };
    let is_strangers = matches!(to, Recipient::Stranger(_));
    let good = |text: &&str| is_strangers || !desk.state.post.has_failed(whose, text);
    let mut refused = None;
    for text in known.into_iter().filter(|text| !text.trim().is_empty()).filter(good) {
        match address(text) {
            Ok(address) => return Ok(Some(address)),
            Err(why) => refused = refused.or(Some(why)),
        }
    }
    refused.map_or(Ok(None), Err)
}

/// Reads an address. lettre refuses some that exist (`a..b@example.org`); those are taken as they are, as long as they
/// cannot break out of a header. An address beyond ASCII would need SMTPUTF8 (RFC 6531), which is not spoken here.
fn address(text: &str) -> Result<Address, Unwritable> {
    let text = text.trim();
    let refused = |why: &str| unwritable(format!("`{}` {why}", view::words::clean(text)));
    if !text.is_ascii() {
        return Err(refused("has letters that mail addresses cannot have everywhere"));
    }
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let plain = |b: u8| b.is_ascii_graphic() && !b"()<>[]:;@\\,\"".contains(&b);
    match text.rsplit_once('@') {
        Some((local, domain))
            if text.len() <= 254
                && !local.is_empty()
                && !domain.is_empty()
                && local.bytes().chain(domain.bytes()).all(plain) =>
        {
            Ok(Address::new_dangerous(local, domain))
        }
        _ => Err(refused("is not a mail address")),
    }
}

/// Returns a part of the text, between lines that hold the token: nobody can know it before, so that no name in the
/// text can look like them (RFC 2046 section 5.1.1). Lines stay readable in the raw message: what is not plain ASCII is quoted, never base64.
fn part(kind: ContentType, text: &str) -> SinglePart {
    let text = text.replace('\n', "\r\n");
    let body = if text.is_ascii() {
        Body::new(text)
    } else {
        Body::new_with_encoding(text, ContentTransferEncoding::QuotedPrintable)
            .unwrap_or_else(Body::new)
    };
    SinglePart::builder().header(kind).body(body)
}

/// Returns the page that comes with a letter. A mail brings it as a PDF; with a letter on paper it is kept as the SVG,
/// which is printed together with the sheet.
fn enclosure(
    notice: &Notice,
    by_mail: bool,
    desk: &Desk<'_>,
) -> Result<Option<SinglePart>, Unwritable> {
    let Some(certificate) = view::enclosed(notice, desk) else { return Ok(None) };
    let name = format!("certificate-{}", certificate.entry);
    Ok(Some(if by_mail {
        let printed = certificate_page(&certificate, desk.templates)?;
        attachment(format!("{name}.pdf"), "application/pdf", printed)
    } else {
        let svg = desk.templates.certificate(&certificate);
        let svg = svg.map_err(|e| unwritable(e.to_string()))?;
        attachment(format!("{name}.svg"), "image/svg+xml", svg.into_bytes())
    }))
}

/// Returns a certificate as it is printed (PDF).
///
/// # Errors
/// A template that fails and has no shipped one behind it, or a name that no font can write.
pub fn certificate_page(
    certificate: &Certificate,
    templates: &Templates,
) -> Result<Vec<u8>, Unwritable> {
    let svg = templates.certificate(certificate).map_err(|e| unwritable(e.to_string()))?;
    pdf::print(&certificate.title(), &[svg], templates.fonts()).map_err(|e| {
        let entry = &certificate.entry;
        let hint =
            format!("`preview framing-certificate --entry {entry} --pdf FILE` prints it then");
        unwritable(format!("{e}; {hint}"))
    })
}

/// Returns a file that comes with a letter, in base64 as everything is that a mail system must not touch.
fn attachment(name: String, kind: &str, bytes: Vec<u8>) -> SinglePart {
    let kind = ContentType::parse(kind).unwrap_or(ContentType::TEXT_PLAIN);
    let body = Body::new_with_encoding(bytes, ContentTransferEncoding::Base64);
    Attachment::new(name).body(body.unwrap_or_else(Body::new), kind)
}

fn header(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), view::words::clean(value))
}

fn named(name: &str) -> Option<String> {
    Some(view::words::clean(name)).filter(|name| !name.is_empty())
}

/// Returns the letter as it is printed: who writes when to whom, then the text, without the marks for an answer by
/// mail.
fn sheet(to: &Recipient, subject: &str, raw: &str, desk: &Desk<'_>) -> String {
    let frame = view::frame(to, desk);
    let player = view::member(to).and_then(|member| desk.state.players.get(member));
    let post = player.and_then(|p| p.address.as_deref()).unwrap_or_default();
    let to = iter::once(frame.name).chain(postal_lines(post)).collect::<Vec<_>>().join("\n  ");
    format!(
        "  {}\n  {}\n\n  {}\n\n  {to}\n\n  {subject}\n\n{raw}",
        frame.office, frame.address, frame.today
    )
}

/// Returns a letter that was written as mail as it is printed: the plain text that it has, under the head of a sheet.
pub fn mail_as_sheet(to: &Recipient, subject: &str, text: &str, desk: &Desk<'_>) -> String {
    let is_mark = |line: &&str| *line == LETTER_TOP || line.starts_with(LETTER_END);
    let lines: Vec<&str> = text.lines().filter(|line| !is_mark(line)).collect();
    sheet(to, subject, lines.join("\n").trim_matches('\n'), desk)
}

/// Returns the lines of a postal address. One that is all in one line is cut at its commas, but not between a town and
/// what is only a state with its number: `Springfield, OH 45501`.
fn postal_lines(post: &str) -> Vec<String> {
    let state = |part: &str| {
        let mut words = part.split(' ');
        let code =
            words.next().is_some_and(|w| w.len() == 2 && w.bytes().all(|b| b.is_ascii_uppercase()));
        code && words.next().is_none_or(|w| w.bytes().any(|b| b.is_ascii_digit()))
    };
    let mut lines: Vec<String> = Vec::new();
    for line in post.lines() {
        let from = lines.len();
        for part in line.split(',').map(view::words::clean).filter(|part| !part.is_empty()) {
            match lines[from..].last_mut() {
                Some(town) if state(&part) => *town = format!("{town}, {part}"),
                _ => lines.push(part),
            }
        }
    }
    lines
}

fn unwritable(why: impl Into<String>) -> Unwritable {
    Unwritable { why: why.into() }
}
