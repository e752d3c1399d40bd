//! The tags of a record, `[White "Hale, Tom"]`, as people and programs leave them: quotes that are not escaped, a line
//! that was wrapped, notes and arrows beside them, HTML around them. A tag that no standard knows is kept as it is.

use super::tokens::blanks_of_line;
use chrono::NaiveDate;

/// A tag and where it ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) end: usize,
}

/// The longest value of a tag, in bytes.
const VALUE: usize = 1000;
/// The longest name of a tag, in bytes.
const NAME: usize = 40;
/// Names of which a record has one at least; a line `[click "here"]` alone is no record.
const KNOWN: [&str; 13] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "FEN",
    "ECO",
    "Mode",
    "WhiteElo",
    "BlackElo",
    "CmailGameName",
];
const QUOTES: [char; 6] = ['"', '“', '”', '„', '«', '»'];

/// Tells whether a name is one of those that make a record.
pub(super) fn is_known(name: &str) -> bool {
    KNOWN.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns the tag that begins at a place of a text.
pub(super) fn at(text: &str, start: usize) -> Option<Tag> {
    let inner = text.get(start..)?.strip_prefix('[')?;
    let mut at = start + 1 + blanks_of_line(inner);
    let rest = text.get(at..)?;
    let length = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    let name = rest.get(..length).filter(|name| (1..=NAME).contains(&name.len()))?;
    at += length;
    let behind = text.get(at..)?;
    let blanks = blanks_of_line(behind.strip_prefix([':', '=']).unwrap_or(behind));
    at += blanks + usize::from(behind.starts_with([':', '=']));
    let quote = text.get(at..)?.chars().next()?;
    if QUOTES.contains(&quote) {
        at += quote.len_utf8();
    } else if blanks == 0 || !is_known(name) {
        return None;
    }
    let (value, end) = value(text, at)?;
    Some(Tag { name: name.to_owned(), value, end })
}

/// Returns the value that begins at a place, and where its tag ends: behind the first `"]`, else behind the last `]` of
/// the line.
fn value(text: &str, start: usize) -> Option<(String, usize)> {
    let mut window = text.get(start..)?;
    if let Some((cut, _)) = window.char_indices().find(|(at, _)| *at >= VALUE) {
        window = window.get(..cut)?;
    }
    let (mut escaped, mut lines) = (false, 0);
    for (at, c) in window.char_indices() {
        let behind = window.get(at + c.len_utf8()..)?;
        if c == '\n' {
            lines += 1;
            // A mail program wraps long lines; a value goes on over one break at most.
            if lines > 1 || behind.trim_start_matches([' ', '\t', '\r']).starts_with(['[', '\n']) {
                break;
            }
        }
        if QUOTES.contains(&c) && !escaped {
            let blanks = blanks_of_line(behind);
            if behind.get(blanks..).is_some_and(|b| b.starts_with(']')) {
                return Some((plain(window.get(..at)?), start + at + c.len_utf8() + blanks + 1));
            }
        }
        escaped = c == '\\' && !escaped;
    }
    let line = window.lines().next()?;
    let close = line.rfind(']')?;
    Some((plain(line.get(..close)?.trim_end_matches(QUOTES)), start + close + 1))
}

/// Undoes the escapes of a value and puts it on one line.
fn plain(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut characters = value.chars().peekable();
    while let Some(c) = characters.next() {
        let escapes = c == '\\' && characters.peek().is_some_and(|n| matches!(n, '"' | '\\'));
        out.push(if escapes { characters.next().unwrap_or(c) } else { c });
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads a date: `2014.04.01`, `2020.9.30`, `10.15.2016`, `09/06/2014`. The month stands before the day where both could
/// be either, as it does where most of our players live; a date with `??` in it is none.
pub(super) fn date(text: &str) -> Option<NaiveDate> {
    let numbers: Option<Vec<u32>> =
        text.split(['.', '/', '-']).map(|part| part.trim().parse().ok()).collect();
    let &[first, second, third] = numbers?.as_slice() else { return None };
    let (year, month, day) = match (first > 31, first > 12) {
        (true, _) => (first, second, third),
        (false, true) => (third, second, first),
        (false, false) => (third, first, second),
    };
    let year = i32::try_from(year).ok().filter(|year| (1800..=2200).contains(year))?;
    NaiveDate::from_ymd_opt(year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_read_as_it_comes() {
        let read = |text: &str| at(text, 0).map(|tag| (tag.name, tag.value));
        let pair = |name: &str, value: &str| Some((name.to_owned(), value.to_owned()));
        for (text, expected) in [
            (r#"[Event "x"]"#, pair("Event", "x")),
            (r#"[ Event  "x" ] <-- which"#, pair("Event", "x")),
            (r#"[Event "5th "Mikis" cup"]"#, pair("Event", r#"5th "Mikis" cup"#)),
            (r#"[Event "a \"b\" \\ c"]"#, pair("Event", r#"a "b" \ c"#)),
            (r#"[Black "[=0040.34h5a4]"]"#, pair("Black", "[=0040.34h5a4]")),
            ("[Event \"International\nCup\"]", pair("Event", "International Cup")),
            ("[Event \"open\n[Site \"x\"]", None),
            (r#"[White "Hale, Tom]"#, pair("White", "Hale, Tom")),
            ("[White “Hale”]", pair("White", "Hale")),
            ("[Result \"\"]", pair("Result", "")),
            ("[White Hale]", pair("White", "Hale")),
            ("[cid:image001.png]", None),
            ("[click here]", None),
            ("[%ccsnt 2018.10.02,12:56]", None),
            ("[", None),
            ("[Event", None),
            ("[Event \"", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn a_date_is_read_as_people_order_it() {
        for (text, ymd) in [
            ("2014.04.01", (2014, 4, 1)),
            ("2020.9.30", (2020, 9, 30)),
            ("10.15.2016", (2016, 10, 15)),
            ("09/06/2014", (2014, 9, 6)),
            ("15-10-2016", (2016, 10, 15)),
        ] {
            let (year, month, day) = ymd;
            assert_eq!(date(text), NaiveDate::from_ymd_opt(year, month, day), "{text}");
        }
        for text in ["????.??.??", "2014.??.??", "", "13.13.2014", "99999999999.1.1", "1.1"] {
            assert_eq!(date(text), None, "{text}");
        }
    }
}
