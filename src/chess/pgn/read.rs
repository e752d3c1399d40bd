//! Where in a text records begin, and which language their piece letters are of. A record begins with a tag, or with a
//! first move at the start of a line; a line of prose about moves is none.

use super::{
    Pgn, Score, Stop,
    moves::{self, Moves},
    tags,
    tokens::{self, blanks_of_line},
};
use crate::chess::{Position, Record, notation::Language};

/// The most records of a text that are read.
const RECORDS: usize = 64;
/// The most places of a text that are tried as the beginning of moves without tags.
const TRIES: usize = 1000;
/// The most tags of a record that are kept.
const TAGS: usize = 100;
/// The longest label before the moves, in characters: `The game so far:`.
const LABEL: usize = 40;
/// The fewest single moves that make a record without tags.
const BARE: usize = 3;

/// Returns the records that stand in a text, in order. It never fails: what cannot be read is named in
/// [`Pgn::unread`], and what stands around the records is what [`rest`] returns.
pub fn read(text: &str) -> Vec<Pgn> {
    read_in(text, None)
}

/// Returns the records of a text by somebody whose language is known. A record in the letters of another language is
/// read in that one.
pub fn read_in(text: &str, language: Option<Language>) -> Vec<Pgn> {
    let language = language.unwrap_or(Language::ENGLISH);
    let mut finder =
        Finder { text, last_close: text.rfind('}').unwrap_or(0), language, tries: 0, resume: 0 };
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        finder.resume = 0;
        match finder.record_at(at) {
            Some(pgn) if found.len() == RECORDS => {
                found.push(one_too_many(&pgn));
                return found;
            }
            Some(pgn) => {
                // The rest of the line is not looked at again, so that each pass gets on.
                at = pgn.span.end.max(at + 1);
                at = next_start(text, at);
                found.push(pgn);
            }
            None => at = next_line(text, at).max(finder.resume),
        }
    }
    found
}

/// Returns a text without its records: what else a mail says. A line end stands for each of them.
pub fn rest(text: &str, records: &[Pgn]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for record in records {
        out.push_str(text.get(from..record.span.start).unwrap_or_default());
        out.push('\n');
        from = record.span.end.max(from);
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

fn one_too_many(pgn: &Pgn) -> Pgn {
    let why = format!("only the first {RECORDS} games of a text are read");
    let token = pgn.tag("Event").unwrap_or("a game").to_owned();
    let unread = Some(Stop { ply: 0, token, why });
    Pgn { unread, span: pgn.span.clone(), ..Pgn::default() }
}

/// Returns where to look on behind a record: at a tag or a number on the same line, else at the next line.
fn next_start(text: &str, at: usize) -> usize {
    let behind = at + text.get(at..).map_or(0, blanks_of_line);
    let tag = text.get(behind..).is_some_and(|t| t.starts_with(['[', '1', '\n']));
    if tag { behind } else { next_line(text, at) }
}

fn next_line(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    rest.iter().position(|b| *b == b'\n').map_or(text.len(), |end| at + end + 1)
}

struct Finder<'t> {
    text: &'t str,
    last_close: usize,
    /// The language that is tried first.
    language: Language,
    tries: usize,
    /// Where to look on where moves were read that make no record.
    resume: usize,
}

/// The tags of a record.
struct Section {
    tags: Vec<(String, String)>,
    /// Behind the last tag.
    end: usize,
    /// Where the moves may begin.
    moves: usize,
}

impl Finder<'_> {
    /// Returns the record that begins on the line at a place, blanks before it set aside.
    fn record_at(&mut self, line: usize) -> Option<Pgn> {
        let start = line + blanks_of_line(self.text.get(line..)?);
        match self.text.as_bytes().get(start)? {
            b'[' => self.tagged(start),
            b'1' => self.bare(start),
            _ => self.bare(behind_label(self.text, start)?),
        }
    }

    fn tagged(&mut self, start: usize) -> Option<Pgn> {
        let section = self.section(start)?;
        let tag = |name: &str| {
            let found = section.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.as_str())
        };
        let tag_result = tag("Result").and_then(Score::parse);
        let board = match tag("FEN").map(|fen| (fen, Position::from_fen(fen))) {
            None => Ok(Record::new()),
            Some((_, Some(position))) if position == Position::start() => Ok(Record::new()),
            Some((_, Some(position))) => Ok(Record::starting_from(position)),
            Some((fen, None)) => Err(fen.to_owned()),
        };
        let pgn = match board {
            Ok(record) => self.pgn(start, self.moves(section.moves, &record)),
            Err(token) => {
                let why = "it is no position that can arise in a game".to_owned();
                Pgn { unread: Some(Stop { ply: 0, token, why }), ..Pgn::default() }
            }
        };
        let end = if pgn.span.end > section.moves { pgn.span.end } else { section.end };
        Some(Pgn { tags: section.tags, tag_result, span: start..end, ..pgn })
    }

    /// Returns the record without tags that begins at a place, if it is more than a move or two in a sentence.
    fn bare(&mut self, start: usize) -> Option<Pgn> {
        const SURE: usize = 6;
        self.tries += 1;
        if self.tries > TRIES || moves::opening(self.text, start).is_none() {
            return None;
        }
        let pgn = self.pgn(start, self.moves(start, &Record::new()));
        let prose = pgn.unread.as_ref().is_some_and(|stop| stop.why == moves::NO_MOVE);
        let played = pgn.record.len();
        self.resume = pgn.span.end;
        (played >= BARE && (!prose || played >= SURE)).then_some(pgn)
    }

    fn pgn(&self, start: usize, read: Moves) -> Pgn {
        let draw_sign = read.draw_sign == Some(read.record.len());
        Pgn {
            tags: Vec::new(),
            record: read.record,
            result: read.result,
            tag_result: None,
            unread: read.unread,
            comments: read.comments,
            draw_sign,
            span: start..read.end.min(self.text.len()),
        }
    }

    /// Reads moves in the language whose letters they have: the expected one, English, or the one that reads furthest.
    fn moves(&self, at: usize, start: &Record) -> Moves {
        let read = |language| moves::read(self.text, at, self.last_close, start.clone(), language);
        let first = read(self.language);
        if first.is_in(self.language) {
            return first;
        }
        let mut letters = vec![self.language.letters()];
        let mut others = Vec::new();
        for language in std::iter::once(Language::ENGLISH).chain(Language::all()) {
            if !first.is_in(language) || letters.contains(&language.letters()) {
                continue;
            }
            letters.push(language.letters());
            let other = read(language);
            if other.is_in(language) {
                others.push(other);
            }
        }
        furthest(&others).unwrap_or(first)
    }

    /// Reads the tags from a place on; nothing where none of them is one that makes a record.
    fn section(&self, start: usize) -> Option<Section> {
        let mut section = Section { tags: Vec::new(), end: start, moves: start };
        let mut at = start;
        while let Some(tag) = tags::at(self.text, at) {
            let repeated =
                section.tags.iter().any(|(name, _)| name.eq_ignore_ascii_case(&tag.name));
            if repeated && tag.name.eq_ignore_ascii_case("Event") {
                break;
            }
            if section.tags.len() < TAGS && !repeated {
                section.tags.push((tag.name, tag.value));
            }
            (section.end, section.moves) = (tag.end, tag.end);
            match self.behind_tag(tag.end) {
                Behind::Tag(next) => at = next,
                Behind::Moves(next) => {
                    section.moves = next;
                    break;
                }
            }
        }
        let known = section.tags.iter().any(|(name, _)| tags::is_known(name));
        known.then_some(section)
    }

    /// Returns what stands behind a tag. Notes beside it and one line of them below are passed over.
    fn behind_tag(&self, end: usize) -> Behind {
        let behind = end + self.text.get(end..).map_or(0, blanks_of_line);
        let starts =
            |at: usize, with: char| self.text.get(at..).is_some_and(|t| t.starts_with(with));
        if starts(behind, '[') {
            return Behind::Tag(behind);
        }
        if moves::opening(self.text, behind).is_some() || starts(behind, '*') {
            return Behind::Moves(behind);
        }
        let below = next_line(self.text, behind);
        let first = self.next_text(below);
        if starts(first, '[') && tags::at(self.text, first).is_some() {
            return Behind::Tag(first);
        }
        let second = next_line(self.text, first);
        let wrapped = second + self.text.get(second..).map_or(0, blanks_of_line);
        let is_note = moves::opening(self.text, first).is_none() && !starts(first, '*');
        if is_note
            && first == below
            && starts(wrapped, '[')
            && tags::at(self.text, wrapped).is_some()
        {
            return Behind::Tag(wrapped);
        }
        if starts(behind, '{') {
            return Behind::Moves(behind);
        }
        let label = tokens::line(self.text.get(first..).unwrap_or_default()).trim_end();
        if label.len() <= LABEL && label.ends_with(':') {
            return Behind::Moves(self.next_text(second));
        }
        Behind::Moves(behind_label(self.text, first).unwrap_or(first))
    }

    /// Returns the first place from here on that is no blank.
    fn next_text(&self, from: usize) -> usize {
        let mut at = from;
        while let Some(length) = self.text.get(at..).map(tokens::blank).filter(|n| *n > 0) {
            at += length;
        }
        at
    }
}

enum Behind {
    Tag(usize),
    Moves(usize),
}

/// Returns where the first number stands behind a short label: `Game so far: 1.e4 e5`.
fn behind_label(text: &str, start: usize) -> Option<usize> {
    let line = tokens::line(text.get(start..)?);
    let label = line.char_indices().take(LABEL).find(|(_, c)| *c == ':')?.0;
    let behind = start + label + 1;
    let number = behind + blanks_of_line(text.get(behind..)?);
    text.get(number..)?.starts_with('1').then_some(number)
}

/// Returns the reading that goes furthest. Where two languages go as far with other moves, it ends where they part.
fn furthest(readings: &[Moves]) -> Option<Moves> {
    let rank = |read: &Moves| (read.unread.is_none(), read.record.len());
    let best = readings.iter().max_by_key(|read| rank(read))?.clone();
    let other = readings
        .iter()
        .find(|read| rank(read) == rank(&best) && read.record.moves() != best.record.moves());
    let Some(other) = other else { return Some(best) };
    let (one, two) = (best.record.moves(), other.record.moves());
    let ply = one.iter().zip(two).take_while(|(a, b)| a == b).count();
    let mut record = Record::starting_from(best.record.start());
    if best.record.start() == Position::start() {
        record = Record::new();
    }
    for it in one.iter().take(ply) {
        record.push(*it);
    }
    let san = |read: &Moves| read.record.sans().get(ply).cloned().unwrap_or_default();
    let why = "its piece letters are those of several languages".to_owned();
    let token = format!("{} or {}", san(&best), san(other));
    Some(Moves { record, unread: Some(Stop { ply, token, why }), ..best })
}
