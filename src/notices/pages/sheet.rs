//! A letter on paper: its text becomes lines on pages, and the pages SVG. It begins with who writes and to whom, the
//! address where a window envelope shows it; words are set in the book face and filled anew, tables stand in columns.
//! A page ends between two lines, where it can between two pieces. All measures are tenths of a point.
//!
//! What a letter says may hold a character that no font has (a smiley that somebody sent): its number is printed
//! instead, `[U+1F600]`. In the address block that would be no address, so the letter is not printed.

use super::{
    Measures, Paper,
    fonts::{Fonts, Hand, MONO, Ruler, SERIF},
    pdf::Unprintable,
};
use crate::notices::layout::{Block, Page};
use std::fmt::Write as _;

/// Where the text begins and how far it is from the right edge.
const LEFT: u32 = 710;
const RIGHT: u32 = 600;
/// The first line of the address: both envelopes, DL with the window 45 mm down and No. 10 with it 2 1/2 inches down,
/// show this and the five lines below it.
const ADDRESS: u32 = 1720;
const SUBJECT: u32 = 2620;
/// Where the text of a further page begins, and how far from the lower edge it ends.
const TOP: u32 = 900;
const BOTTOM: u32 = 650;
/// Sizes of words and tables, and the height of a line of words.
const WORDS: u32 = 110;
const TABLE: u32 = 86;
const LEADING: u32 = 140;
/// Between two pieces, and between two items.
const GAP: u32 = 75;
const ITEM_GAP: u32 = 25;
/// How far items are moved in behind their dash, and tables.
const ITEM: u32 = 130;
const INDENT: u32 = 100;
/// A table that is higher may be broken between two lines although it would fit a page.
const WHOLE: u32 = 3600;

const INK: &str = "#111111";
const BLUE: &str = "#1d2b4f";
const GREY: &str = "#555555";

/// A letter to be laid out.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// Its text: as `letter.rs` writes it where there is no address.
    pub text: &'a str,
    /// The paper.
    pub paper: Paper,
    /// What stands at the foot of each page: its number.
    pub number: &'a str,
}

/// The first lines of a letter: four groups.
#[derive(Debug, Default)]
struct Head {
    from: Vec<String>,
    date: String,
    to: Vec<String>,
    subject: String,
}

/// A piece of text at its place.
#[derive(Debug)]
struct Mark {
    x: u32,
    size: u32,
    hand: Hand,
    text: String,
}

/// A line of the body.
#[derive(Debug)]
struct Row {
    /// The free space above it, where it is not the first of a page.
    gap: u32,
    height: u32,
    marks: Vec<Mark>,
    /// Whether it stays on the same page as the next one.
    keep: bool,
}

/// Returns the pages of a letter, each an SVG.
///
/// # Errors
/// A character in the address that no font has.
pub fn pages(sheet: Sheet<'_>, fonts: &Fonts) -> Result<Vec<String>, Unprintable> {
    let ruler = fonts.ruler();
    let text = spelled(sheet.text, &ruler);
    let page = Page::of(&text);
    let (head, rest) = head(page.blocks());
    if let (Some(head), (Some(given), _)) = (&head, self::head(Page::of(sheet.text).blocks())) {
        fonts.prove(&given.to.concat())?;
        debug_assert_eq!(head.to, given.to, "nothing in it had to be spelled");
    }
    let measures = sheet.paper.measures();
    let width = measures.width * 10 - LEFT - RIGHT;
    let mut rows = Vec::new();
    if let Some(head) = &head {
        add_words(&head.subject, (Hand::Bold, 120), width, &ruler, &mut rows);
        keep_all(&mut rows);
    }
    for block in &rest {
        add_block(block, width, &ruler, &mut rows);
    }
    let first = if head.is_some() { SUBJECT } else { TOP };
    let pages = broken(rows, first, measures.height * 10 - BOTTOM);
    let of = pages.len();
    let drawn = pages.iter().enumerate();
    Ok(drawn.map(|(n, rows)| drawing(rows, head.as_ref(), (n + 1, of), sheet, &ruler)).collect())
}

/// Puts the number of a character in the place of one that no font has.
fn spelled(text: &str, ruler: &Ruler<'_>) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if ruler.has(c) {
            out.push(c);
        } else {
            let _ = write!(out, "[U+{:04X}]", u32::from(c));
        }
    }
    out
}

/// Takes the head off: the first piece stands as it is, in groups apart by an empty line.
fn head(blocks: &[Block]) -> (Option<Head>, Vec<Block>) {
    let rest = |blocks: &[Block]| blocks.to_vec();
    let Some((Block::Verbatim(lines), below)) = blocks.split_first() else {
        return (None, rest(blocks));
    };
    let lines: Vec<String> = lines.iter().map(|line| line.trim().to_owned()).collect();
    let mut groups = lines.splitn(5, String::is_empty).map(<[String]>::to_vec);
    let (Some(from), Some(date), Some(to), Some(subject)) =
        (groups.next(), groups.next(), groups.next(), groups.next())
    else {
        return (None, rest(blocks));
    };
    let head = Head { from, date: date.join(" "), to, subject: subject.join(" ") };
    let mut more: Vec<Block> = groups.next().map(Block::Verbatim).into_iter().collect();
    more.extend(rest(below));
    (Some(head), more)
}

fn add_block(block: &Block, width: u32, ruler: &Ruler<'_>, rows: &mut Vec<Row>) {
    let from = rows.len();
    match block {
        Block::Paragraph(words) => {
            add_words(words, (Hand::Regular, WORDS), width, ruler, rows);
            keep_ends(&mut rows[from..]);
            if let Some(last) = rows.last_mut().filter(|_| words.ends_with(':')) {
                last.keep = true;
            }
        }
        Block::Items(items) => {
            for item in items {
                let first = rows.len();
                add_words(item, (Hand::Regular, WORDS), width - ITEM, ruler, rows);
                for row in &mut rows[first..] {
                    shift(row, ITEM);
                }
                keep_ends(&mut rows[first..]);
                let dash =
                    Mark { x: LEFT, size: WORDS, hand: Hand::Regular, text: "–".to_owned() };
                rows[first].marks.insert(0, dash);
                rows[first].gap = if first == from { GAP } else { ITEM_GAP };
            }
        }
        Block::Verbatim(lines) if lines.iter().all(|line| is_words(line)) => {
            for line in lines {
                add_words(line, (Hand::Regular, WORDS), width - INDENT, ruler, rows);
            }
            for row in &mut rows[from..] {
                shift(row, INDENT);
                row.gap = 0;
            }
            keep_all(&mut rows[from..]);
            if let Some(last) = rows.last_mut() {
                last.keep = false;
            }
            rows[from].gap = GAP;
        }
        Block::Verbatim(lines) => add_table(lines, width, ruler, rows),
    }
}

/// Tells whether a line that stands as it is has words and no columns: a signature, an address. A board or the moves
/// of a game have no long words.
fn is_words(line: &str) -> bool {
    let long = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() >= 4;
    !line.trim().contains("  ") && line.split_whitespace().any(long)
}

/// Adds filled lines. A word that is wider than a line, and text without blanks, are broken anywhere.
fn add_words(
    words: &str,
    (hand, size): (Hand, u32),
    width: u32,
    ruler: &Ruler<'_>,
    rows: &mut Vec<Row>,
) {
    let units = |text: &str| ruler.width(text, hand) * size;
    let limit = width * 1000;
    let blank = units(" ");
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in words.split_whitespace() {
        let wide = units(word);
        if used > 0 && used + blank + wide <= limit {
            used += blank + wide;
            push(&mut lines, &[" ", word]);
            continue;
        }
        if used > 0 {
            lines.push(String::new());
            used = 0;
        }
        for c in word.chars() {
            let c = c.to_string();
            let wide = units(&c);
            if used > 0 && used + wide > limit {
                lines.push(String::new());
                used = 0;
            }
            used += wide;
            push(&mut lines, &[&c]);
        }
    }
    let mark = |text| Mark { x: LEFT, size, hand, text };
    let row = |(n, text)| Row {
        gap: if n == 0 { GAP } else { 0 },
        height: LEADING * size / WORDS,
        marks: vec![mark(text)],
        keep: false,
    };
    rows.extend(lines.into_iter().enumerate().map(row));
}

fn push(lines: &mut [String], parts: &[&str]) {
    if let Some(last) = lines.last_mut() {
        last.extend(parts.iter().copied());
    }
}

/// Adds the lines of a table, so small that the widest fits. Each run of words begins in its own column, also behind a
/// name in letters of another width.
fn add_table(lines: &[String], width: u32, ruler: &Ruler<'_>, rows: &mut Vec<Row>) {
    let indent = |line: &String| line.len() - line.trim_start().len();
    let margin = lines.iter().filter(|l| !l.is_empty()).map(indent).min().unwrap_or(0);
    let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let widest = u32::try_from(widest.saturating_sub(margin)).unwrap_or(u32::MAX).max(1);
    let advance = ruler.width("0", Hand::Mono);
    let size = TABLE.min((width - INDENT) * 1000 / (advance * widest)).max(10);
    for group in lines.split(String::is_empty) {
        let from = rows.len();
        for (n, line) in group.iter().enumerate() {
            let at = |column: usize| {
                let column = u32::try_from(column - margin).unwrap_or(0);
                LEFT + INDENT + column * advance * size / 1000
            };
            let mark = |(column, text)| Mark { x: at(column), size, hand: Hand::Mono, text };
            rows.push(Row {
                gap: if n == 0 { GAP } else { 0 },
                height: size * 4 / 3,
                marks: runs(line).into_iter().map(mark).collect(),
                keep: false,
            });
        }
        let high: u32 = rows[from..].iter().map(|row| row.height).sum();
        if high <= WHOLE {
            keep_all(&mut rows[from..]);
            if let Some(last) = rows[from..].last_mut() {
                last.keep = false;
            }
        } else {
            keep_ends(&mut rows[from..]);
        }
    }
}

/// Returns what stands between two blanks or more, with the column it begins in.
fn runs(line: &str) -> Vec<(usize, String)> {
    let mut runs: Vec<(usize, String)> = Vec::new();
    let mut blanks = 2;
    for (column, c) in line.chars().enumerate() {
        match (c, runs.last_mut()) {
            (' ', _) => blanks += 1,
            (c, Some((_, run))) if blanks < 2 => {
                run.push_str(&" ".repeat(blanks));
                run.push(c);
                blanks = 0;
            }
            (c, _) => {
                runs.push((column, c.to_string()));
                blanks = 0;
            }
        }
    }
    runs
}

/// Moves a line in.
fn shift(row: &mut Row, by: u32) {
    for mark in &mut row.marks {
        mark.x += by;
    }
}

fn keep_all(rows: &mut [Row]) {
    for row in rows {
        row.keep = true;
    }
}

/// Keeps the first two lines together and the last two: no line stands alone on a page.
fn keep_ends(rows: &mut [Row]) {
    let count = rows.len();
    for (n, row) in rows.iter_mut().enumerate() {
        row.keep = n + 1 < count && (n == 0 || n + 2 == count);
    }
}

/// Breaks the lines into pages: each row with the height of its base line.
fn broken(rows: Vec<Row>, first: u32, end: u32) -> Vec<Vec<(u32, Row)>> {
    let mut pages: Vec<Vec<(u32, Row)>> = vec![Vec::new()];
    let mut at = first;
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        let mut together = Vec::new();
        for row in rows.by_ref() {
            let more = row.keep;
            together.push(row);
            if !more {
                break;
            }
        }
        let high: u32 = together.iter().map(|row| row.gap + row.height).sum();
        let begun = pages.last().is_some_and(|page| !page.is_empty());
        if begun && at + high > end && TOP + high <= end {
            pages.push(Vec::new());
            at = TOP;
        }
        for row in together {
            let begun = pages.last().is_some_and(|page| !page.is_empty());
            if begun && at + row.gap + row.height > end {
                pages.push(Vec::new());
                at = TOP;
            }
            let Some(page) = pages.last_mut() else { continue };
            at += row.height + if page.is_empty() { 0 } else { row.gap };
            page.push((at, row));
        }
    }
    pages
}

/// A page while it is drawn.
struct Drawing<'a> {
    out: String,
    ruler: &'a Ruler<'a>,
}

fn drawing(
    rows: &[(u32, Row)],
    head: Option<&Head>,
    (page, of): (usize, usize),
    sheet: Sheet<'_>,
    ruler: &Ruler<'_>,
) -> String {
    let Measures { width, height, exact_width, exact_height } = sheet.paper.measures();
    let mut out = String::with_capacity(16 * 1024);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{exact_width}\" height=\"{exact_height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{SERIF}\" fill=\"{INK}\" xml:space=\"preserve\">"
    );
    let mut drawing = Drawing { out, ruler };
    let right = width * 10 - RIGHT;
    match head {
        Some(head) if page == 1 => drawing.head(head, right, height * 10),
        Some(head) => {
            let to = head.to.first().map_or("", String::as_str);
            let line = format!("{to}, {}", head.date);
            drawing.text((LEFT, 620), (95, Hand::Italic), GREY, &line);
            drawing.rule((LEFT, right), 690, GREY);
        }
        None => {}
    }
    for (y, row) in rows {
        for Mark { x, size, hand, text } in &row.marks {
            drawing.text((*x, *y), (*size, *hand), INK, text);
        }
    }
    let foot = height * 10 - 420;
    drawing.text((LEFT, foot), (90, Hand::Regular), GREY, sheet.number);
    if of > 1 {
        drawing.text_before((right, foot), (90, Hand::Regular), GREY, &format!("{page} of {of}"));
    }
    drawing.out.push_str("</svg>\n");
    drawing.out
}

impl Drawing<'_> {
    /// Draws who writes, the day, to whom, and at the edge where the sheet is folded.
    fn head(&mut self, head: &Head, right: u32, height: u32) {
        for (n, line) in (0..).zip(&head.from) {
            let (hand, color) =
                if n == 0 { ((160, Hand::Bold), BLUE) } else { ((105, Hand::Italic), GREY) };
            self.text((LEFT, 650 + 170 * n), hand, color, line);
        }
        self.rule((LEFT, right), 950, BLUE);
        self.text_before((right, ADDRESS), (WORDS, Hand::Regular), INK, &head.date);
        for (n, line) in (0..).zip(&head.to) {
            self.text((LEFT, ADDRESS + LEADING * n), (WORDS, Hand::Regular), INK, line);
        }
        // In three: A4 for DL, Letter for No. 10.
        let fold = if height > 8000 { [2976, 5953] } else { [2640, 5280] };
        for y in fold {
            self.rule((120, 240), y, GREY);
        }
    }

    fn rule(&mut self, (from, to): (u32, u32), y: u32, color: &str) {
        let (from, to, y) = (points(from), points(to), points(y));
        let line =
            format!("<path d=\"M{from} {y} H{to}\" stroke=\"{color}\" stroke-width=\"0.6\"/>");
        self.out.push_str(&line);
    }

    /// Draws a line that ends at a place.
    fn text_before(&mut self, (x, y): (u32, u32), hand: (u32, Hand), color: &str, words: &str) {
        let wide = self.ruler.width(words, hand.1) * hand.0 / 1000;
        self.text((x.saturating_sub(wide), y), hand, color, words);
    }

    fn text(&mut self, (x, y): (u32, u32), (size, hand): (u32, Hand), color: &str, words: &str) {
        let mut at = x;
        for run in self.ruler.runs(words, hand) {
            let _ = write!(
                self.out,
                "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{}",
                points(at),
                points(y),
                points(size),
                match hand {
                    Hand::Regular | Hand::Mono => "",
                    Hand::Italic => " font-style=\"italic\"",
                    Hand::Bold => " font-weight=\"bold\"",
                }
            );
            if let Some(family) = run.family.or((hand == Hand::Mono).then_some(MONO)) {
                self.attribute("font-family", family);
            }
            if color != INK {
                self.attribute("fill", color);
            }
            self.out.push('>');
            escape(&run.text, &mut self.out);
            self.out.push_str("</text>");
            at += self.ruler.width(&run.text, hand) * size / 1000;
        }
    }

    fn attribute(&mut self, name: &str, value: &str) {
        let _ = write!(self.out, " {name}=\"");
        escape(value, &mut self.out);
        self.out.push('"');
    }
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
}

fn points(tenths: u32) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}
