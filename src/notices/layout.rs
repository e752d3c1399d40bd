//! Layout: what a template printed becomes lines of a letter, and the same lines become its HTML part.
//!
//! The director edits one text for both parts. Three conventions are all he needs: a line that begins with a blank
//! stands as it is (tables, examples), `- ` begins an item, and every other line belongs to a paragraph, which is
//! filled anew because names differ in length. HTML of its own would double every letter and drift from the text.

/// The widest line of a letter, in characters; a word or a table that is wider stays whole.
pub const WIDTH: usize = 76;

/// A piece of a letter's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// Words to be filled.
    Paragraph(String),
    /// Items, each to be filled behind its dash.
    Items(Vec<String>),
    /// Lines that stand as they are.
    Verbatim(Vec<String>),
}

/// A letter's text in pieces.
#[derive(Debug, PartialEq, Eq)]
pub struct Page(Vec<Block>);

impl Page {
    /// Takes what a template printed.
    pub fn of(raw: impl AsRef<str>) -> Self {
        Self(blocks(raw.as_ref()))
    }

    /// Returns its pieces, for a page that lays them out by itself.
    pub(super) fn blocks(&self) -> &[Block] {
        &self.0
    }

    /// Returns the lines of the letter: paragraphs and items filled, blocks apart by one empty line.
    pub fn text(&self) -> String {
        let mut out = String::with_capacity(4096);
        for block in &self.0 {
            if !out.is_empty() {
                out.push('\n');
            }
            match block {
                Block::Paragraph(words) => fill(words, "", "", &mut out),
                Block::Items(items) => {
                    for item in items {
                        fill(item, "- ", "  ", &mut out);
                    }
                }
                Block::Verbatim(lines) => {
                    for line in lines {
                        out.push_str(line);
                        out.push('\n');
                    }
                }
            }
        }
        out
    }

    /// Returns the same as HTML elements: `p`, `ul` and `pre`, no links, everything escaped.
    pub fn html(&self) -> String {
        let mut out = String::with_capacity(4096);
        for block in &self.0 {
            match block {
                Block::Paragraph(words) => fill_element("p", words, &mut out),
                Block::Items(items) => {
                    out.push_str("<ul>\n");
                    for item in items {
                        fill_element("li", item, &mut out);
                    }
                    out.push_str("</ul>\n");
                }
                Block::Verbatim(lines) => {
                    out.push_str("<pre>");
                    escape(&lines.join("\n"), &mut out);
                    out.push_str("</pre>\n");
                }
            }
        }
        out
    }
}

fn blocks(raw: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut apart = true;
    for line in raw.lines().map(str::trim_end) {
        if line.is_empty() {
            apart = true;
            continue;
        }
        add_line(line, apart, &mut blocks);
        apart = false;
    }
    blocks
}

/// Puts a line to the block before it or begins a new one. Items stay one list across empty lines, so that a loop
/// in a template may leave some.
fn add_line(line: &str, apart: bool, blocks: &mut Vec<Block>) {
    let item = line.strip_prefix("- ");
    match (blocks.last_mut(), item) {
        (Some(Block::Items(items)), Some(item)) => items.push(item.trim().to_owned()),
        (_, Some(item)) => blocks.push(Block::Items(vec![item.trim().to_owned()])),
        (Some(Block::Verbatim(lines)), None) if line.starts_with(' ') => {
            if apart {
                lines.push(String::new());
            }
            lines.push(line.to_owned());
        }
        (Some(Block::Items(items)), None) if !apart => {
            if let Some(last) = items.last_mut() {
                append(line, last);
            }
        }
        (_, None) if line.starts_with(' ') => blocks.push(Block::Verbatim(vec![line.to_owned()])),
        (Some(Block::Paragraph(words)), None) if !apart => append(line, words),
        (_, None) => blocks.push(Block::Paragraph(line.to_owned())),
    }
}

fn append(line: &str, words: &mut String) {
    words.push(' ');
    words.push_str(line.trim_start());
}

fn fill(words: &str, first: &str, rest: &str, out: &mut String) {
    let mut column = first.chars().count();
    let margin = rest.chars().count();
    out.push_str(first);
    for (n, word) in words.split_whitespace().enumerate() {
        let length = if word.is_ascii() { word.len() } else { word.chars().count() };
        if n > 0 && column + 1 + length > WIDTH {
            out.push('\n');
            out.push_str(rest);
            column = margin;
        } else if n > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
}

/// Writes an element with its words filled, so that the HTML part too keeps to short lines.
fn fill_element(name: &str, words: &str, out: &mut String) {
    let mut filled = String::with_capacity(words.len() + 16);
    fill(words, "", "", &mut filled);
    out.push('<');
    out.push_str(name);
    out.push('>');
    escape(filled.trim_end(), out);
    out.push_str("</");
    out.push_str(name);
    out.push_str(">\n");
}

fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"']) {
        out.push_str(&rest[..at]);
        out.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            _ => "&quot;",
        });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    const RAW: &str = "Dear Ann,\n\n\n\nthis is a rather long line that goes on and on until it has to be \
                       broken somewhere\nand its end.\n- one\n\n- two\n  goes on\n\n  1  Ann   1 < 2\n\n  2  Bob\nEnd.";

    #[test]
    fn paragraphs_are_filled_and_tables_stand() {
        let expected = "Dear Ann,\n\nthis is a rather long line that goes on and on until it has to be broken\n\
                        somewhere and its end.\n\n- one\n- two goes on\n\n  1  Ann   1 < 2\n\n  2  Bob\n\nEnd.\n";
        assert_eq!(Page::of(RAW).text(), expected);
    }

    #[test]
    fn the_html_says_the_same_and_escapes_everything() {
        let html = Page::of(RAW).html();
        assert!(html.starts_with("<p>Dear Ann,</p>\n<p>this is"), "{html}");
        assert!(html.contains("<ul>\n<li>one</li>\n<li>two goes on</li>\n</ul>"), "{html}");
        assert!(html.contains("<pre>  1  Ann   1 &lt; 2\n\n  2  Bob</pre>\n<p>End.</p>"), "{html}");
    }
}
