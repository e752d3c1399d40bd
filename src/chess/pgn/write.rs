//! The strict export format (PGN standard, section 8): the seven tags first and always, the others as they come, lines
//! of moves below eighty columns, the result at the end of the moves the same as in its tag.

use super::{Pgn, tags};
use crate::chess::{Position, Side};
use std::fmt::Write;

/// The seven tags that every game has, in their order, and what stands where one is not known.
const SEVEN: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];
/// The most characters of a line of moves.
const COLUMNS: usize = 79;

/// Writes a game in export format. Comments stand where they belong; leave them out by emptying `comments`.
pub fn write(pgn: &Pgn) -> String {
    let result = pgn.result.or(pgn.tag_result).map_or("*", super::Score::text);
    let mut out = String::with_capacity(600);
    for (name, unknown) in SEVEN {
        let given = pgn.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let given = given.map(|(_, value)| value.trim()).filter(|value| !value.is_empty());
        let value = match name {
            "Result" => result.to_owned(),
            "Date" => given.and_then(date).unwrap_or_else(|| unknown.to_owned()),
            _ => given.unwrap_or(unknown).to_owned(),
        };
        tag(&mut out, name, &value);
    }
    rest_of_tags(pgn, &mut out);
    out.push('\n');
    wrap(&words(pgn, result), &mut out);
    out.push('\n');
    out
}

/// Writes the other tags as they come, each once, and where the game starts if that is not at the start.
fn rest_of_tags(pgn: &Pgn, out: &mut String) {
    let mut written: Vec<String> = SEVEN.iter().map(|(name, _)| name.to_lowercase()).collect();
    let start = pgn.record.start();
    if start != Position::start() {
        tag(out, "SetUp", "1");
        tag(out, "FEN", &start.fen());
    }
    written.extend(["setup".to_owned(), "fen".to_owned()]);
    for (name, value) in &pgn.tags {
        let fits = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.is_empty();
        let lower = name.to_lowercase();
        if fits && !written.contains(&lower) {
            tag(out, name, value);
            written.push(lower);
        }
    }
}

/// Writes a tag; a quote and a backslash in its value are escaped, a line end is a blank.
fn tag(out: &mut String, name: &str, value: &str) {
    let _ = write!(out, "[{name} \"");
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            _ if c.is_control() => out.push(' '),
            _ => out.push(c),
        }
    }
    out.push_str("\"]\n");
}

/// Returns a date as the standard writes it; one of which a part is unknown stays as it is.
fn date(value: &str) -> Option<String> {
    let shape = |c: (char, char)| {
        c.0 == '.' && c.1 == '.' || c.0 == '?' && (c.1.is_ascii_digit() || c.1 == '?')
    };
    let standard = value.len() == 10 && "????.??.??".chars().zip(value.chars()).all(shape);
    if standard {
        return Some(value.to_owned());
    }
    tags::date(value).map(|date| date.format("%Y.%m.%d").to_string())
}

/// Returns the words of the moves: numbers, moves, comments, the result.
fn words(pgn: &Pgn, result: &str) -> Vec<String> {
    let mut words = Vec::with_capacity(pgn.record.len() * 3 / 2 + 1);
    let mut position = pgn.record.start();
    // Black's number is written where White's move does not stand right before his.
    let mut comments = pgn.comments.iter().peekable();
    add_comments(&mut comments, 0, &mut words);
    let mut alone = true;
    for (ply, it) in pgn.record.moves().iter().enumerate() {
        match position.to_move() {
            Side::White => words.push(format!("{}.", position.number())),
            Side::Black if alone => words.push(format!("{}...", position.number())),
            Side::Black => {}
        }
        words.push(position.san(*it));
        position.play(*it);
        alone = add_comments(&mut comments, ply + 1, &mut words);
    }
    words.push(result.to_owned());
    words
}

/// Adds the comments after so many moves; tells whether there are any.
fn add_comments(comments: &mut Comments<'_>, ply: usize, words: &mut Vec<String>) -> bool {
    let before = words.len();
    while let Some((_, text)) = comments.next_if(|(at, _)| *at <= ply) {
        let text = text.replace('}', ")").replace('{', "(");
        let marked = format!("{{{}}}", text.split_whitespace().collect::<Vec<_>>().join(" "));
        words.extend(marked.split(' ').map(str::to_owned));
    }
    words.len() > before
}

type Comments<'p> = std::iter::Peekable<std::slice::Iter<'p, (usize, String)>>;

fn wrap(words: &[String], out: &mut String) {
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > COLUMNS {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::{Score, read};

    #[test]
    fn a_game_is_written_in_export_format() {
        let text = "[White \"Hale \"Tom\" \\\\\"]\n[Section \"19N04\"]\n[Date \"10.15.2016\"]\n\n\
                    1.e4 {a } e5 2.Nf3 Nc6 1:0";
        let mut game = read(text).remove(0);
        assert_eq!(game.result, Some(Score::WhiteWins));
        let head = "[Event \"?\"]\n[Site \"?\"]\n[Date \"2016.10.15\"]\n[Round \"?\"]\n\
                    [White \"Hale \\\"Tom\\\" \\\\\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\
                    [Section \"19N04\"]\n\n";
        assert_eq!(write(&game), format!("{head}1. e4 {{a}} 1... e5 2. Nf3 Nc6 1-0\n\n"));
        game.comments.clear();
        assert_eq!(write(&game), format!("{head}1. e4 e5 2. Nf3 Nc6 1-0\n\n"));
    }

    #[test]
    fn a_date_that_is_half_known_stays() {
        assert_eq!(date("2014.??.??").as_deref(), Some("2014.??.??"));
        assert_eq!(date("????.??.??").as_deref(), Some("????.??.??"));
        assert_eq!(date("some day"), None);
    }
}
