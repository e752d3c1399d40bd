//! A text of moves in tokens: numbers, dots, results, comments, variations, signs, and words, which may be moves. Blanks
//! of every kind part them, and HTML that was left in counts as a blank. Nothing here knows a position.

use super::{Score, tags};
use std::ops::Range;

/// A piece of a text of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    /// The bytes it takes up.
    pub(super) span: Range<usize>,
    /// How many line ends stand before it.
    pub(super) breaks: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    /// `12.`, `12...`, `12`: a number of up to three digits and how many dots follow.
    Number(u16, usize),
    /// Dots alone.
    Dots,
    /// What somebody wrote between moves: `{…}`, `; …`, `<-- …`, or a bracket without any moves.
    Comment(&'t str),
    /// Moves that were not played.
    Variation,
    /// `{` or `(` without its end. The span goes to where the search was given up.
    Open(&'t str),
    /// `1-0`, `*`.
    Result(Option<Score>),
    /// `=` alone.
    Equals,
    /// A sign that judges a move: `!?`, `+-`, `$12`.
    Sign,
    /// Anything else.
    Word(&'t str),
}

/// Reads tokens from a place of a text on.
#[derive(Clone)]
pub(super) struct Tokens<'t> {
    text: &'t str,
    pub(super) at: usize,
    /// Where the last `}` of the text stands: no comment that begins behind it ends.
    last_close: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str, at: usize, last_close: usize) -> Self {
        Self { text, at, last_close }
    }

    /// Returns the tokens from another place on, to look ahead.
    pub(super) fn from(&self, at: usize) -> Self {
        Self { at, ..self.clone() }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns the next token; nothing at the end of the text.
    pub(super) fn next(&mut self) -> Option<Token<'t>> {
        let breaks = self.skip_blanks();
        let start = self.at;
        let first = self.rest().chars().next()?;
        let (kind, length) = self.token(first);
        self.at = start + length.max(first.len_utf8());
        Some(Token { kind, span: start..self.at, breaks })
    }

    /// Skips blanks, and returns how many of them are line ends.
    fn skip_blanks(&mut self) -> usize {
        let mut breaks = 0;
        loop {
            let rest = self.rest();
            let at_start = breaks > 0 || self.at == 0;
            // A line that begins so is for programs (PGN standard, section 6).
            let length =
                if at_start && rest.starts_with('%') { line(rest).len() } else { blank(rest) };
            if length == 0 {
                return breaks;
            }
            breaks += usize::from(rest.starts_with('\n'));
            self.at += length;
        }
    }

    fn token(&self, first: char) -> (Kind<'t>, usize) {
        let rest = self.rest();
        match first {
            '{' => self.comment(rest),
            '(' => variation(rest),
            ';' | '→' | '←' => {
                (Kind::Comment(line(rest).trim_start_matches([';', ' '])), line(rest).len())
            }
            '<' if rest.starts_with("<-") || rest.starts_with("<=") => {
                (Kind::Comment(line(rest)), line(rest).len())
            }
            '$' => {
                let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                (Kind::Sign, 1 + digits)
            }
            '[' if rest.starts_with("[%") && line(rest).contains(']') => {
                (Kind::Sign, line(rest).find(']').map_or(1, |at| at + 1))
            }
            '.' | '…' => {
                let dots = rest.len() - rest.trim_start_matches(['.', '…']).len();
                Score::at(rest).map_or((Kind::Dots, dots), |(s, n)| (Kind::Result(Some(s)), n))
            }
            _ => number_or_word(rest),
        }
    }

    /// Reads a comment up to the first `}`, unless tags of another record stand before that.
    fn comment(&self, rest: &'t str) -> (Kind<'t>, usize) {
        let closes = self.at < self.last_close;
        for (at, c) in rest.char_indices().skip(1).take_while(|_| closes) {
            match c {
                '}' => return (Kind::Comment(&rest[1..at]), at + 1),
                '\n' if is_known_tag(self.text, self.at + at + 1) => {
                    return (Kind::Open("{"), at);
                }
                _ => {}
            }
        }
        (Kind::Open("{"), line(rest).len())
    }
}

/// Tells whether a tag that makes a record begins at a place.
pub(super) fn is_known_tag(text: &str, at: usize) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with('['))
        && tags::at(text, at).is_some_and(|tag| tags::is_known(&tag.name))
}

/// Reads a bracket up to its end, comments within it set aside. A blank line or a tag ends the search.
fn variation(rest: &str) -> (Kind<'_>, usize) {
    let (mut depth, mut comment, mut moves) = (0_usize, false, false);
    for (at, c) in rest.char_indices() {
        match c {
            '}' => comment = false,
            _ if comment => {}
            '{' => comment = true,
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    let inner = rest.get(1..at).unwrap_or_default();
                    let kind = match (inner.trim(), moves) {
                        ("=", _) => Kind::Equals,
                        (_, true) => Kind::Variation,
                        (_, false) => Kind::Comment(inner),
                    };
                    return (kind, at + 1);
                }
            }
            '\n' if rest[at + 1..]
                .trim_start_matches([' ', '\t', '\r'])
                .starts_with(['\n', '[']) =>
            {
                return (Kind::Open("("), at);
            }
            _ => moves |= c.is_ascii_digit(),
        }
    }
    (Kind::Open("("), rest.len())
}

fn number_or_word(rest: &str) -> (Kind<'_>, usize) {
    if let Some((score, length)) = Score::at(rest) {
        return (Kind::Result(Some(score)), length);
    }
    number(rest).unwrap_or_else(|| {
        let word = word(rest);
        (kind_of(word), word.len())
    })
}

/// Reads a number: up to three digits and the dots (or the bracket) behind them.
fn number(rest: &str) -> Option<(Kind<'_>, usize)> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let value = rest.get(..digits).filter(|_| (1..=3).contains(&digits))?.parse().ok()?;
    if value == 0 {
        return None; // castling, `0 - 0`
    }
    let behind = rest.get(digits..)?;
    let after_dots = behind.trim_start_matches(['.', '…']);
    let signs = behind.len() - after_dots.len();
    let dots = behind.chars().take_while(|c| ".…".contains(*c));
    let dots = dots.map(|c| if c == '…' { 3 } else { 1 }).sum();
    if signs == 0 {
        let next = behind.chars().next();
        let bracket = usize::from(next == Some(')'));
        let ends = next.is_none_or(|c| c == ')' || c.is_alphabetic() || "♔♕♖♗♘♙♚♛♜♝♞♟".contains(c))
            || blank(behind) > 0;
        return ends.then_some((Kind::Number(value, 0), digits + bracket));
    }
    Some((Kind::Number(value, dots), digits + signs))
}

/// Returns the text up to the next blank or comment. A short bracket within it is part of it: `b8(Q)`, `N(B3)-Q4`.
fn word(rest: &str) -> &str {
    let mut skip = 0;
    for (at, c) in rest.char_indices() {
        if at < skip {
            continue;
        }
        let tail = rest.get(at..).unwrap_or_default();
        if c == '(' && at > 0 {
            // No piece and no square is longer, and no search goes further.
            let close = tail.char_indices().skip(1).take(4).find(|(_, c)| *c == ')');
            let inner = close.and_then(|(close, _)| tail.get(1..close));
            match inner.filter(|inner| !inner.is_empty() && *inner != "=") {
                Some(inner) => skip = at + inner.len() + 2,
                None => return &rest[..at],
            }
        } else if at > 0 && (matches!(c, '{' | '[') || ends_word(tail)) {
            return &rest[..at];
        }
    }
    rest
}

fn ends_word(tail: &str) -> bool {
    blank(tail) > 0 && !tail.starts_with(is_unseen)
}

fn kind_of(word: &str) -> Kind<'_> {
    const SIGNS: &str = "!?+-=#/±∓⩲⩱∞□⊕⇆↑–—−‼⁇⁈⁉";
    const MARKS: [&str; 14] = [
        "ch",
        "check",
        "mate",
        "checkmate",
        "e.p",
        "ep",
        "dbl",
        "dis",
        "disc",
        "dis.ch",
        "dbl.ch",
        "schach",
        "matt",
        "échec",
    ];
    let bare = word.trim_end_matches(['.', ',', ';', '!']);
    match word {
        "*" => Kind::Result(None),
        "=" => Kind::Equals,
        // A separator of words, or the null move, which is for the reader to tell.
        "--" => Kind::Word(word),
        _ if word.chars().all(|c| SIGNS.contains(c)) || MARKS.contains(&bare) => Kind::Sign,
        _ => Kind::Word(word),
    }
}

/// Returns the length of the blank that a text begins with: white space, a character that nobody sees, an HTML tag.
pub(super) fn blank(rest: &str) -> usize {
    match rest.chars().next() {
        Some(c) if c.is_whitespace() || is_unseen(c) => c.len_utf8(),
        Some('<') => html_tag(rest).unwrap_or(0),
        Some('&') if rest.starts_with("&nbsp;") => 6,
        _ => 0,
    }
}

/// Returns the length of the blanks that a text begins with and that do not end its line.
pub(super) fn blanks_of_line(text: &str) -> usize {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.starts_with('\n')) {
        match blank(rest) {
            0 => break,
            length => at += length,
        }
    }
    at
}

/// Returns a text up to the end of its line.
pub(super) fn line(rest: &str) -> &str {
    rest.split('\n').next().unwrap_or_default()
}

/// Tells whether nobody sees a character.
pub(super) fn is_unseen(c: char) -> bool {
    matches!(c, '\0' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

/// Returns the length of the HTML tag that a text begins with.
fn html_tag(rest: &str) -> Option<usize> {
    const LONGEST: usize = 200;
    #[rustfmt::skip]
    const NAMES: [&str; 24] = [
        "p", "br", "div", "span", "b", "i", "u", "pre", "code", "td", "tr", "th", "table", "tbody", "font", "a", "li",
        "ul", "ol", "body", "html", "strong", "em", "blockquote",
    ];
    let name = rest.strip_prefix("</").or_else(|| rest.strip_prefix('<'))?;
    let length = name.bytes().take_while(u8::is_ascii_alphabetic).count();
    let known =
        name.get(..length).is_some_and(|n| NAMES.contains(&n.to_ascii_lowercase().as_str()));
    let close = rest.bytes().take(LONGEST).position(|b| b == b'>')?;
    known.then_some(close + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind<'_>> {
        let mut tokens = Tokens::new(text, 0, text.rfind('}').unwrap_or(0));
        std::iter::from_fn(|| tokens.next()).map(|token| token.kind).collect()
    }

    #[test]
    fn a_text_of_moves_falls_into_its_tokens() {
        use Kind::{Comment, Dots, Equals, Number, Open, Result, Sign, Variation, Word};
        for (text, expected) in [
            ("1.e4 e5", vec![Number(1, 1), Word("e4"), Word("e5")]),
            ("1. .. c5", vec![Number(1, 1), Dots, Word("c5")]),
            ("12...Nf6!? $14", vec![Number(12, 3), Word("Nf6!?"), Sign]),
            ("12…Nf6", vec![Number(12, 3), Word("Nf6")]),
            ("1 e4 2Nf3", vec![Number(1, 0), Word("e4"), Number(2, 0), Word("Nf3")]),
            ("12.5254 0-0", vec![Number(12, 1), Word("5254"), Word("0-0")]),
            ("1\u{a0}e4<br />e5", vec![Number(1, 0), Word("e4"), Word("e5")]),
            ("e4{[%clk 1]}e5 {a}", vec![Word("e4"), Comment("[%clk 1]"), Word("e5"), Comment("a")]),
            ("e4 (1... c5 (e6) {)}) (good)", vec![Word("e4"), Variation, Comment("good")]),
            ("e4 ; so", vec![Word("e4"), Comment("so")]),
            ("Ke1 (=) =", vec![Word("Ke1"), Equals, Equals]),
            ("b8(Q) b8(Q)+", vec![Word("b8(Q)"), Word("b8(Q)+")]),
            ("1 - 0", vec![Result(Some(Score::WhiteWins))]),
            ("½–½ *", vec![Result(Some(Score::Draw)), Result(None)]),
            ("e4 {open", vec![Word("e4"), Open("{")]),
            ("(open\n\nx", vec![Open("("), Word("x")]),
            ("e4\n% for a program\ne5", vec![Word("e4"), Word("e5")]),
            ("", vec![]),
        ] {
            assert_eq!(kinds(text), expected, "{text}");
        }
    }
}
