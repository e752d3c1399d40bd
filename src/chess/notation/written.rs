//! The scanner: what looks like a move in a line or sentence of a mail, in its order. It goes through the text once and
//! asks no position, so it says of each token how sure the form alone is; whether a strong one is meant, asked about, or
//! told of another game is for the readers of mail.

use super::{
    super::Side,
    glyphs::{Cursor, Glyphs},
    grammar, marks,
    said::{Man, Place, Said},
    words,
};
use cozy_chess::Rank;
use std::ops::Range;

/// A token that looks like a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The number before it, if there is one.
    pub number: Option<u16>,
    /// The side by the dots of the number: `15.` is White's, `15...` Black's. None without a number, without a dot, and
    /// behind two dots, which both sides write.
    pub side: Option<Side>,
    /// The move as it stands, without number and without the signs behind it.
    pub text: String,
    /// The bytes from the number to the last sign behind the move.
    pub span: Range<usize>,
    /// Whether an equals sign behind it offers a draw. Words that offer one are not looked at.
    pub offers_draw: bool,
    /// Whether it is a move only with support from elsewhere: `e4`, `ed`, `a5` in prose, four digits without a number.
    pub weak: bool,
    /// Where the text starts.
    at: usize,
}

impl Written {
    /// Takes two moves apart that were written without a blank and look like one: `e4e5` is a pawn's move between the
    /// two squares or a move of each side. Worth asking when no legal move fits the whole.
    pub fn split(&self) -> Option<[Self; 2]> {
        let cuts = self.text.char_indices().skip(2).map(|(at, _)| at);
        cuts.into_iter().find_map(|cut| {
            let (first, rest) = self.text.split_at_checked(cut)?;
            let second = rest.trim_start_matches(['-', '–', '—', ' ']);
            whole(first).and(whole(second))?;
            let start = self.at + self.text.len() - second.len();
            let one = Self {
                text: first.to_owned(),
                span: self.span.start..self.at + cut,
                offers_draw: false,
                ..self.clone()
            };
            let two = Self {
                number: None,
                side: None,
                text: second.to_owned(),
                span: start..self.span.end,
                at: start,
                ..self.clone()
            };
            Some([one, two])
        })
    }
}

/// Finds every token that looks like a move. Never fails, and takes time in proportion to the text.
pub fn scan(text: &str) -> Vec<Written> {
    let glyphs = Glyphs::of(text);
    let mut scanner = Scanner { text, glyphs: &glyphs, found: Vec::new(), reply: None };
    let mut cursor = glyphs.start();
    while let Some(sign) = cursor.peek(0) {
        if is_address(cursor) {
            to_blank(&mut cursor);
        } else if may_start(cursor, sign) {
            cursor.at = scanner.chain(cursor);
        } else if sign.is_alphanumeric() {
            to_word_end(&mut cursor);
        } else {
            cursor.next();
        }
    }
    scanner.found
}

/// Reads a text that is one token and nothing else, as [`Written::text`] has it or with number and signs.
pub(super) fn whole(token: &str) -> Option<Said> {
    let glyphs = Glyphs::of(token.trim());
    let mut cursor = glyphs.start();
    while cursor.eat(&['(', '[', '"', '\'', '“', '„', '«', '*', '_', '.', '…']) {}
    let found = numbered(cursor).and_then(|(_, after)| grammar::at(after));
    let mut found = found.or_else(|| grammar::at(cursor))?;
    let check = marks::eat(&mut found.rest).check;
    if let Said::Descriptive(said) = &mut found.said {
        said.check = check;
    }
    let left = found.rest;
    let mut ahead = (0..).map_while(|ahead| left.peek(ahead));
    ahead.all(|sign| !sign.is_alphanumeric() && !"-/".contains(sign)).then_some(found.said)
}

struct Scanner<'a> {
    text: &'a str,
    glyphs: &'a Glyphs,
    found: Vec<Written>,
    /// Where a numbered move of White's ended, if nothing but blanks followed so far: a weak token there is the reply.
    reply: Option<usize>,
}

/// The number of a move and what its dots say.
#[derive(Clone, Copy)]
struct Number {
    value: u16,
    side: Option<Side>,
    dots: usize,
}

impl Scanner<'_> {
    /// Reads the moves that stand at a word, glued together or one alone, and returns where to go on.
    fn chain(&mut self, start: Cursor<'_>) -> usize {
        let (mut cursor, kept) = (start, self.found.len());
        // Whether what is behind the last move may be a sentence: `15.Bg5.Best regards`, but not `e4.com`.
        let mut sentence = false;
        let mut supported = self.reply.take().is_some_and(|at| only_blanks(start, at));
        loop {
            let number =
                if cursor.at == start.at { first_number(cursor) } else { numbered(cursor) };
            let begin = number.map_or(cursor, |(_, after)| after);
            let found =
                grammar::at(begin).filter(|found| number.is_some() || !is_place(cursor, found));
            let Some(found) = found else {
                if self.found.len() == kept {
                    let mut word = start;
                    to_word_end(&mut word);
                    return word.at;
                }
                let moves = self.found.get(kept..).unwrap_or_default();
                if sentence && moves.iter().all(|one| !one.weak) {
                    return cursor.at;
                }
                break;
            };
            let number = number.map(|(number, _)| number);
            cursor = self.take(cursor, begin, &found, number, supported);
            supported = number.is_some_and(|number| number.dots > 0);
            match boundary(cursor) {
                Boundary::Ends => {
                    self.reply = supported.then_some(cursor.at);
                    return cursor.at;
                }
                Boundary::Glued(next) => {
                    let small = next.peek(0).is_some_and(char::is_lowercase);
                    sentence = next.at > cursor.at && (!small || next.before(0) == Some(':'));
                    cursor = next;
                }
                Boundary::Breaks => break,
            }
        }
        self.found.truncate(kept);
        to_blank(&mut cursor);
        cursor.at.max(start.at + 1)
    }

    /// Notes a move, and returns where its signs end.
    fn take<'b>(
        &mut self,
        from: Cursor<'b>,
        begin: Cursor<'b>,
        found: &grammar::Found<'b>,
        number: Option<Number>,
        supported: bool,
    ) -> Cursor<'b> {
        let mut end = found.rest;
        let marks = marks::eat(&mut end);
        // A check tells moves of descriptive notation apart, and stays.
        let checks = matches!(found.said, Said::Descriptive(_)) && marks.check;
        let words = self.glyphs.span(begin.at, if checks { end.at } else { found.rest.at });
        let text = self.text.get(words.clone()).unwrap_or_default();
        let text = text.trim_end_matches(['!', '?', '=']);
        let numbered = number.is_some_and(|number| number.dots > 0);
        self.found.push(Written {
            number: number.map(|number| number.value),
            side: number.and_then(|number| number.side),
            text: text.to_owned(),
            span: self.glyphs.span(from.at, end.at),
            offers_draw: marks.offers_draw && !dangles(&found.said),
            weak: found.weak && (is_word(text) || !(numbered || supported)),
            at: words.start,
        });
        end
    }
}

/// What follows a move.
enum Boundary<'a> {
    /// The token ends here.
    Ends,
    /// Another move must follow at once.
    Glued(Cursor<'a>),
    /// What was read is a part of something else.
    Breaks,
}

fn boundary(cursor: Cursor<'_>) -> Boundary<'_> {
    let mut ahead = cursor;
    match cursor.peek(0) {
        Some('.' | ':' | '…' | '-' | '/') => {
            while ahead.eat(&['.', ':', '…', '-', '/']) {}
            let open = ahead.peek(0).is_some_and(char::is_alphanumeric);
            if open { Boundary::Glued(ahead) } else { Boundary::Ends }
        }
        Some(sign) if sign.is_alphanumeric() || is_figurine(sign) => Boundary::Glued(cursor),
        Some('@' | '%' | '$' | '€' | '£' | '#' | '&' | '\\' | '^') => Boundary::Breaks,
        Some('_') if cursor.peek(1).is_some_and(char::is_alphanumeric) => Boundary::Breaks,
        _ => Boundary::Ends,
    }
}

/// Reads the number at a word, unless it is the end of a date or counts something else.
fn first_number(cursor: Cursor<'_>) -> Option<(Number, Cursor<'_>)> {
    let dated =
        cursor.before(0) == Some('.') && cursor.before(1).is_some_and(|s| s.is_ascii_digit());
    let (number, mut after) = numbered(cursor).filter(|_| !dated)?;
    if number.dots > 0 {
        return Some((number, after));
    }
    let word = word_before(cursor);
    if MOVES.contains(&word.as_str()) && after.eat(&[':', ',', '-']) {
        after.blanks(8);
    }
    (!COUNTED.contains(&word.as_str())).then_some((number, after))
}

/// The highest number a game reaches; beyond it a number is a part of a telephone number or a year.
const LAST_NUMBER: u16 = 200;

/// Reads a number with its dots: `15.`, `15...`, `15. ...`, `15…`, `15`.
fn numbered(mut cursor: Cursor<'_>) -> Option<(Number, Cursor<'_>)> {
    let mut value: u16 = 0;
    let from = cursor.at;
    while let Some(digit) = cursor.peek(0).and_then(|sign| sign.to_digit(10)) {
        if cursor.at - from >= 3 {
            return None;
        }
        value = value * 10 + u16::try_from(digit).ok()?;
        cursor.next();
    }
    if cursor.at == from || !(1..=LAST_NUMBER).contains(&value) {
        return None;
    }
    let (dots, groups) = dots(&mut cursor);
    let dots = if dots > 0 && placeholder(&mut cursor) { 3 } else { dots };
    let dashed = dots == 0 && cursor.peek(1).is_some_and(char::is_alphabetic);
    if !(dashed && cursor.eat(&['-'])) {
        cursor.blanks(8);
    }
    let side = match (dots, groups) {
        (1, _) => Some(Side::White),
        (2, 2) | (3.., _) => Some(Side::Black),
        _ => None,
    };
    Some((Number { value, side, dots }, cursor))
}

/// Steps over a dash in the place of White's move: `15. – Lg4`.
fn placeholder(cursor: &mut Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    ahead.blanks(2);
    let dash = ahead.eat(&['-']);
    while ahead.eat(&['-']) {}
    if dash {
        *cursor = ahead;
    }
    dash
}

/// Steps over the dots behind a number; returns how many there are, and in how many groups.
fn dots(cursor: &mut Cursor<'_>) -> (usize, usize) {
    let (mut dots, mut groups) = (0, 0);
    loop {
        let mut ahead = *cursor;
        ahead.blanks(2);
        let before = dots;
        loop {
            if ahead.eat(&['…']) {
                dots += 3;
            } else if ahead.eat(&['.']) {
                dots += 1;
            } else {
                break;
            }
        }
        if dots == before {
            return (dots, groups);
        }
        groups += 1;
        *cursor = ahead;
    }
}

/// Words before a number that counts something else.
const COUNTED: [&str; 14] = [
    "board", "boards", "game", "games", "seat", "section", "table", "player", "no", "nr", "partie",
    "brett", "tisch", "round",
];

/// Words before the number of a move, which may then stand before a colon.
const MOVES: [&str; 8] = ["move", "zug", "coup", "jugada", "mossa", "zet", "lance", "ход"];

/// Returns the word before a place, in small letters.
fn word_before(cursor: Cursor<'_>) -> String {
    let back = (0..24).map_while(|back| cursor.before(back));
    let back = back.skip_while(|sign| " .".contains(*sign));
    let word: String = back.take_while(|sign| sign.is_alphabetic()).collect();
    word.chars().rev().collect::<String>().to_lowercase()
}

/// Tells whether a bare square is where something stands or goes, `the queen moved to d4`, and not where a pawn goes.
fn is_place(cursor: Cursor<'_>, found: &grammar::Found<'_>) -> bool {
    let bare = matches!(&found.said, Said::Plain(said) if said.man == Man::Pawn && said.from == Place::default());
    bare && found.weak && cursor.before(0) == Some(' ') && words::leads(&word_before(cursor))
}

fn only_blanks(cursor: Cursor<'_>, from: usize) -> bool {
    let between = cursor.at.saturating_sub(from);
    let mut back = (0..between.min(9)).map_while(|back| cursor.before(back));
    between < 9 && back.all(|sign| sign.is_whitespace() || ",;.".contains(sign))
}

/// Tells whether a token is a little word of some language, which stands behind dates and numbers: `1. ab Montag`.
fn is_word(text: &str) -> bool {
    matches!(text, "de" | "ab")
}

/// Tells whether a pawn reaches the last rank and nothing is said of what it becomes: an equals sign there began to say it
/// and offers no draw.
fn dangles(said: &Said) -> bool {
    let Said::Plain(said) = said else { return false };
    let last = said.to.rank.is_some_and(|rank| matches!(rank, Rank::First | Rank::Eighth));
    last && said.man == Man::Pawn && said.promotion.is_none()
}

fn is_figurine(sign: char) -> bool {
    ('♔'..='♟').contains(&sign)
}

/// Tells whether a token may start at a sign, by what stands before it.
fn may_start(cursor: Cursor<'_>, sign: char) -> bool {
    if !sign.is_alphanumeric() && !is_figurine(sign) {
        return false;
    }
    let free = |back: usize| !cursor.before(back).is_some_and(char::is_alphanumeric);
    match cursor.before(0) {
        Some('@' | '/' | '\\' | '#' | '$' | '€' | '£' | '%' | '&' | '^') => false,
        Some('-' | '\'' | '’' | '_' | '+') => free(1),
        _ => free(0),
    }
}

/// Tells whether the run of signs that starts at a cursor is an address: of a person, a page, a file.
fn is_address(cursor: Cursor<'_>) -> bool {
    let inside = cursor.before(0).is_some_and(|sign| !sign.is_whitespace());
    if inside || cursor.peek(0).is_none_or(char::is_whitespace) {
        return false;
    }
    let (mut ahead, mut www) = (cursor, cursor);
    if www.eat_text("www.") {
        return true;
    }
    while let Some(sign) = ahead.next().filter(|sign| !sign.is_whitespace()) {
        let page = sign == ':' && ahead.peek(0) == Some('/') && ahead.peek(1) == Some('/');
        if sign == '@' || page {
            return true;
        }
    }
    false
}

fn to_blank(cursor: &mut Cursor<'_>) {
    while cursor.peek(0).is_some_and(|sign| !sign.is_whitespace()) {
        cursor.next();
    }
}

fn to_word_end(cursor: &mut Cursor<'_>) {
    let from = cursor.at;
    while cursor.peek(0).is_some_and(char::is_alphanumeric) {
        cursor.next();
    }
    if cursor.at == from {
        cursor.next();
    }
}
