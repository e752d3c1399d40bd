//! HTML made readable in one pass, whatever its nesting: blocks become lines, table rows stay together, preformatted
//! text keeps its blanks, and what a quotation contains is marked with `> `, so that one reading of quotes serves both
//! forms. Entities are decoded; scripts, styles and comments are left out.

use super::lines::{ATTRIBUTION, RULED, SIGNATURE};
use crate::mail::message::entity;

/// Elements that begin and end a line.
const BLOCKS: &[&str] = &[
    "address", "article", "body", "center", "dd", "div", "dl", "dt", "footer", "form", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table",
    "tbody", "tr", "ul",
];
/// Elements whose content nobody sees.
const HIDDEN: &[&str] = &["script", "style", "head", "title", "template", "noscript"];
/// Classes, ids and names of the containers in which mail programs quote without a blockquote. Gmail's and Outlook's are
/// not among them: answers are typed into the one, and the other ends before the quotation.
const QUOTATIONS: &[&str] = &[
    "yahoo_quoted",
    "protonmail_quote",
    "tutanota_quote",
    "moz-forward-container",
    "name=\"quote\"",
    "isreplycontent",
    "zmail_extra",
    "mail_android_quote",
    "x_gmail_quote_container",
];
/// Those in which they say whom they quote.
const ATTRIBUTIONS: &[&str] = &["moz-cite-prefix", "gmail_attr", "reply-intro"];
/// Those in which they put the sender's signature.
const SIGNATURES: &[&str] = &[
    "gmail_signature",
    "moz-signature",
    "protonmail_signature_block",
    "tutanota_signature",
    "id=\"signature\"",
    "ms-outlook-mobile-signature",
    "composer_signature",
];
/// Those that begin an old mail in Outlook: a rule is written there, since what follows has no marks.
const RULES: &[&str] =
    &["divrplyfwdmsg", "border-top:solid", "border-top: solid", "stopspelling", "zwchr"];
/// The longest tag that is one, in bytes.
const TAG_BYTES: usize = 8192;

/// Returns the text of HTML.
pub(in crate::mail) fn text(html: &str) -> String {
    let mut writer = Writer::default();
    let mut rest = html;
    while let Some(at) = rest.find(['<', '&']) {
        writer.words(&rest[..at]);
        rest = if rest[at..].starts_with('<') {
            writer.markup(&rest[at..])
        } else {
            writer.reference(&rest[at..])
        };
    }
    writer.words(rest);
    writer.finish()
}

#[derive(Default)]
struct Writer {
    out: String,
    /// Whether a line has been begun.
    in_line: bool,
    /// Whether a blank is due before the next word.
    blank: bool,
    hidden: Option<&'static str>,
    preformatted: usize,
    /// The elements that are open and may hold something else than the sender's words, and what they hold.
    open: Vec<(Element, Holds)>,
    /// How many of each kind of element are open.
    counts: [usize; 3],
    /// How many quotations are open.
    depth: usize,
    /// How many attributions and signatures are open.
    attributions: usize,
    signatures: usize,
}

/// What an element holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Words,
    Quotation,
    Attribution,
    Signature,
    /// Words, with a rule before them.
    Ruled,
}

/// An element that may be a quotation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Block,
    Div,
    Paragraph,
}

impl Writer {
    /// Writes text without markup in it.
    fn words(&mut self, text: &str) {
        if self.hidden.is_some() {
            return;
        }
        for c in text.chars() {
            self.character(c);
        }
    }

    fn character(&mut self, c: char) {
        match c {
            '\n' if self.preformatted > 0 => self.end_line(true),
            ' ' | '\t' if self.preformatted > 0 => self.put(c),
            '\u{a0}' => self.put(' '),
            c if c.is_ascii_whitespace() => self.blank = self.in_line,
            c => self.put(c),
        }
    }

    fn put(&mut self, c: char) {
        if !self.in_line {
            for _ in 0..self.depth.min(8) {
                self.out.push_str("> ");
            }
            if self.signatures > 0 {
                self.out.push(SIGNATURE);
            } else if self.attributions > 0 {
                self.out.push(ATTRIBUTION);
            }
            self.in_line = true;
        } else if self.blank {
            self.out.push(' ');
        }
        self.blank = false;
        self.out.push(c);
    }

    /// Ends the line; where none was begun, an empty one is written only if asked for.
    fn end_line(&mut self, even_empty: bool) {
        if !self.in_line && even_empty && self.depth > 0 {
            self.out.push('>');
        }
        if self.in_line || even_empty {
            self.out.push('\n');
        }
        self.in_line = false;
        self.blank = false;
    }

    /// Reads `&…;` and returns what follows.
    fn reference<'h>(&mut self, html: &'h str) -> &'h str {
        let end = html.bytes().take(32).position(|b| b == b';');
        let decoded = end.and_then(|end| entity(&html[..=end]).map(|c| (c, &html[end + 1..])));
        let (c, rest) = decoded.unwrap_or(('&', &html[1..]));
        if self.hidden.is_none() {
            self.character(c);
        }
        rest
    }

    /// Reads a tag or a comment and returns what follows.
    fn markup<'h>(&mut self, html: &'h str) -> &'h str {
        if let Some(comment) = html.strip_prefix("<!--") {
            return comment.find("-->").map_or("", |end| &comment[end + 3..]);
        }
        let named = html[1..]
            .starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        if !named {
            self.words("<");
            return &html[1..];
        }
        if let Some(end) = tag_end(html) {
            self.tag(&html[1..end]);
            return &html[end + 1..];
        }
        // No tag is that long: it is text, all of it, so that nothing is looked at twice.
        let end = char_boundary(html, TAG_BYTES);
        self.words(&html[..end]);
        &html[end..]
    }

    fn tag(&mut self, tag: &str) {
        let closing = tag.starts_with('/');
        let inner = tag.trim_start_matches('/');
        let end =
            inner.find(|c: char| !c.is_ascii_alphanumeric() && c != ':').unwrap_or(inner.len());
        let name = inner[..end].to_ascii_lowercase();
        if let Some(hidden) = self.hidden {
            let over = closing && name == hidden || hidden == "head" && name == "body";
            if !over {
                return;
            }
            self.hidden = None;
        } else if let Some(hidden) = HIDDEN.iter().find(|h| **h == name) {
            self.hidden = (!closing).then_some(*hidden);
            return;
        }
        match name.as_str() {
            "br" => self.end_line(true),
            "hr" if holds(&inner[end..]) == Holds::Ruled => {
                self.end_line(false);
                self.put(RULED);
                self.end_line(false);
            }
            "td" | "th" => self.blank = self.in_line,
            "blockquote" => self.container(Element::Block, closing, &inner[end..]),
            "div" => self.container(Element::Div, closing, &inner[end..]),
            "p" => self.container(Element::Paragraph, closing, &inner[end..]),
            _ if BLOCKS.contains(&name.as_str()) => self.block(&name, closing),
            _ => {}
        }
    }

    fn block(&mut self, name: &str, closing: bool) {
        self.end_line(false);
        if name == "pre" {
            self.preformatted =
                if closing { self.preformatted.saturating_sub(1) } else { self.preformatted + 1 };
        }
    }

    /// Opens or closes an element that may be a quotation.
    fn container(&mut self, element: Element, closing: bool, attributes: &str) {
        self.end_line(false);
        if closing {
            self.close(element);
            return;
        }
        let holds = match element {
            Element::Block => Holds::Quotation,
            Element::Div | Element::Paragraph => holds(attributes),
        };
        if holds == Holds::Ruled {
            self.put(RULED);
            self.end_line(false);
        }
        // Paragraphs are often not closed; only one that quotes is worth watching.
        if holds != Holds::Words || element != Element::Paragraph {
            self.enter(holds, true);
            self.counts[element as usize] += 1;
            self.open.push((element, holds));
        }
    }

    fn enter(&mut self, holds: Holds, enters: bool) {
        let count = match holds {
            Holds::Quotation => &mut self.depth,
            Holds::Attribution => &mut self.attributions,
            Holds::Signature => &mut self.signatures,
            Holds::Words | Holds::Ruled => return,
        };
        *count = if enters { *count + 1 } else { count.saturating_sub(1) };
    }

    /// Closes the innermost element of a kind, with what was left open in it.
    fn close(&mut self, element: Element) {
        if self.counts[element as usize] == 0 {
            return;
        }
        while let Some((open, holds)) = self.open.pop() {
            self.enter(holds, false);
            self.counts[open as usize] -= 1;
            if open == element {
                return;
            }
        }
    }

    fn finish(mut self) -> String {
        self.end_line(false);
        self.out
    }
}

/// Returns where a tag ends; a `>` within quotation marks does not end it, unless the marks are not closed.
fn tag_end(html: &str) -> Option<usize> {
    let mut quote = None;
    let mut first = None;
    for (at, byte) in html.bytes().enumerate().take(TAG_BYTES) {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), close) if open == close => quote = None,
            (Some(_), b'>') => first = first.or(Some(at)),
            _ => {}
        }
    }
    first
}

fn char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|n| text.is_char_boundary(*n)).unwrap_or(0)
}

fn holds(attributes: &str) -> Holds {
    if attributes.len() < 8 {
        return Holds::Words;
    }
    let lower = attributes.to_ascii_lowercase();
    let has = |names: &[&str]| names.iter().any(|name| lower.contains(name));
    match () {
        () if has(QUOTATIONS) => Holds::Quotation,
        () if has(ATTRIBUTIONS) => Holds::Attribution,
        () if has(SIGNATURES) => Holds::Signature,
        () if has(RULES) => Holds::Ruled,
        () => Holds::Words,
    }
}
