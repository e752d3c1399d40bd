//! What a piece of text tells of a game: section codes in every spelling, two seats, one seat, names. What it adds up to,
//! the books decide (`game.rs`).

use super::{
    Said,
    names::{self, Named, Word},
};
use crate::domain::{
    ids::{Seat, SectionCode},
    section::Section,
};
use regex::{Captures, Regex};
use std::{rc::Rc, sync::LazyLock};

// Most of these patterns are of plain letters (`-u`): a search for those never falls back to a slow one.
static CODE: LazyLock<Regex> = LazyLock::new(|| {
    let event = "EN|VP|SQ|N|W|C|P|A";
    Regex::new(&format!(
        r"(?i-u)\b((?:20)?[0-9][0-9])( ?[-/]?)({event})([sf]?)[ #-]{{0,2}}([0-9]{{1,3}})\b"
    ))
    .expect("a valid pattern")
});
/// What a section without its year begins with.
static SECTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i-u)se[ckz]|gru|szek").expect("a valid pattern"));
/// `section 4`, `Sektion N4`: the year is that of the player's own section.
static SHORT_CODE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(?:sections?|sect?|sektion|seksjon|gruppe|group|grupo|secci[oó]n|sezione|sectie|sekce|sekcja|szekci[oó])",
        r"\b[.:]? ?(?:no\b|nr\b|#)?[.:]? ?((?:EN|VP|SQ|N|W|C|P|A)[sf]?)?[ -]?(\d{1,3})\b",
    ))
    .expect("a valid pattern")
});
static PAIR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i-u)(?:\b(boards?|games?|seats?|pairing|partie|partida|brett|tablero) ?:? ?)?",
        r"(?:^|\b)([1-9][0-9]?) ?(-|–|v|vs\.?|x) ?([1-9][0-9]?)\b",
    ))
    .expect("a valid pattern")
});
/// `Hale-Ortiz`, `Hale v. Ortiz`: names begin with a capital.
static OPPONENTS: LazyLock<Regex> = LazyLock::new(|| {
    // Behind the sign a first name may stand alone or before its surname: `Adams - Mark Vance`.
    Regex::new(
        r"(\p{Lu}[\p{L}'’]{2,})\s?(?:-|–| vs?\.? )\s?(\p{Lu}[\p{L}'’]{2,}(?: \p{Lu}[\p{L}'’]+\b)?)",
    )
    .expect("a valid pattern")
});
static MOVE_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i-u)(?:move|zug|coup|jugada|mossa|zet|drag|transmission|message|letter|mail|card|report|turn|repeat|reminder|member|page)(?: no\.?| number)?$")
        .expect("a valid pattern")
});
static SEAT: LazyLock<Regex> = LazyLock::new(|| {
    let words = "seat|player|player no\\.?|no\\.|opponent|sitz|platz|plats|asiento|place";
    Regex::new(&format!(r"(?i-u)(?:#|\b(?:{words})) ?#?([0-9]{{1,2}})\b")).expect("a valid pattern")
});

/// What a piece of text tells of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Clues {
    /// Section codes, in their official spelling.
    pub(super) sections: Vec<SectionCode>,
    /// Two seats, as they were written.
    pub(super) pair: Option<(Seat, Seat)>,
    /// One seat: `#5`.
    pub(super) seat: Option<Seat>,
    /// The words, for names.
    pub(super) words: Rc<Vec<Word>>,
    /// Two names with a sign between them: `Hale-Ortiz`.
    pub(super) opponents: Option<(String, String)>,
}

impl Clues {
    /// Collects the clues of a text, once a mail.
    pub(super) fn of(text: &str, said: &Said<'_>) -> Self {
        said.clues(text, || Self::read(text, said))
    }

    fn read(text: &str, said: &Said<'_>) -> Self {
        let mut clues = Self { words: Rc::new(names::words(text)), ..Self::default() };
        let mut behind_code = None;
        if text.contains(['-', '\u{2013}']) || text.contains(" v") {
            let found = OPPONENTS.captures(text);
            clues.opponents = found.map(|c| (c[1].to_owned(), c[2].to_owned()));
        }
        if text.bytes().any(|b| b.is_ascii_digit()) {
            for found in CODE.captures_iter(text) {
                if let Some(code) = code(&found, said) {
                    behind_code = found.get(0).map(|m| m.end());
                    if !clues.sections.contains(&code) {
                        clues.sections.push(code);
                    }
                }
            }
            if clues.sections.is_empty() && SECTION.is_match(text) {
                let short = SHORT_CODE.captures(text);
                clues.sections.extend(short.and_then(|found| short_code(&found, said)));
            }
            clues.pair = pair(text, behind_code);
            clues.seats(text);
        }
        clues
    }

    /// Takes `#5`, and `seat 3 v seat 1` as two.
    fn seats(&mut self, text: &str) {
        let found = SEAT.captures_iter(text).filter_map(|c| {
            // `Move #8` counts moves.
            let before = text[..c.get(0)?.start()].trim_end();
            let counts = MOVE_BEFORE.is_match(before);
            c[1].parse().ok().filter(|_| !counts)
        });
        let seats: Vec<Seat> = found.filter(|n| *n > 0).map(Seat).take(3).collect();
        match seats[..] {
            [one, other] if one != other && self.pair.is_none() => self.pair = Some((one, other)),
            [one, ..] => self.seat = Some(one),
            [] => {}
        }
    }

    /// Says who is named as an opponent of the sender's and plays in none of his games: `Hale-Pemberton`.
    pub(super) fn unknown_opponent(&self, section: &Section, said: &Said<'_>) -> Option<String> {
        let (one, other) = self.opponents.as_ref()?;
        let own = said.own_seats(section);
        let who = |name: &str| {
            let named =
                said.with_names(section, |players| Named::of(&names::words(name), players, &[]));
            (named.seats.iter().any(|s| own.contains(s)), named == Named::default())
        };
        match (who(one), who(other)) {
            ((true, _), (_, true)) => Some(format!("{other} does not play in {}.", section.code)),
            ((_, true), (true, _)) => Some(format!("{one} does not play in {}.", section.code)),
            _ => None,
        }
    }

    /// Returns the seats of two names with a sign between them, in the order of the text.
    pub(super) fn paired(&self, section: &Section, said: &Said<'_>) -> Option<Vec<Seat>> {
        let (one, other) = self.opponents.as_ref()?;
        let who = |name: &str| {
            let named =
                said.with_names(section, |players| Named::of(&names::words(name), players, &[]));
            named.seats.first().copied().filter(|_| named.seats.len() == 1)
        };
        let (one, other) = (who(one)?, who(other)?);
        (one != other && self.names(section, said).seats.len() == 2).then(|| vec![one, other])
    }

    /// Tells whether it says nothing of any game: no section and no seats. Names it may hold.
    pub(super) const fn is_bare(&self) -> bool {
        self.sections.is_empty() && self.pair.is_none() && self.seat.is_none()
    }

    /// Returns the seats whose players it names for certain, in the order of the text.
    pub(super) fn named(&self, section: &Section, said: &Said<'_>) -> Vec<Seat> {
        self.names(section, said).seats
    }

    /// Returns whom of a section it names.
    pub(super) fn names(&self, section: &Section, said: &Said<'_>) -> Named {
        if self.words.is_empty() {
            return Named::default();
        }
        said.named(&self.words, section)
    }
}

/// Returns a section code, unless it is a move: `19 Nf3` is one, and so is `19 c4`.
fn code(found: &Captures<'_>, said: &Said<'_>) -> Option<SectionCode> {
    let (gap, event, round, number) = (&found[2], &found[3], &found[4], &found[5]);
    let code = SectionCode::read(&format!("{}{event}{round}{number}", &found[1]))?;
    if said.desk.state.sections.contains_key(&code) && gap.is_empty() {
        return Some(code);
    }
    let square = number.len() == 1 && !matches!(number, "0" | "9");
    let piece = round.eq_ignore_ascii_case("f") && square;
    let pawn = square && !gap.is_empty() && matches!(event, "c" | "a" | "C" | "A");
    let compact = gap.is_empty() || event.chars().all(char::is_uppercase);
    (!piece && !pawn && compact).then_some(code)
}

/// Returns the one section of the sender's that a number without its year means.
fn short_code(found: &Captures<'_>, said: &Said<'_>) -> Option<SectionCode> {
    let number: u16 = found[2].parse().ok()?;
    let letters = found.get(1).map_or("", |m| m.as_str());
    let own = said.players.iter().flat_map(|p| said.desk.state.seats_of(p));
    let mut codes: Vec<&SectionCode> = own
        .map(|(section, _)| &section.code)
        .filter(|code| {
            let text = code.0.trim_start_matches(|c: char| c.is_ascii_digit());
            let event = text.trim_end_matches(|c: char| c.is_ascii_digit());
            text[event.len()..].parse() == Ok(number)
                && (letters.is_empty() || letters.eq_ignore_ascii_case(event))
        })
        .collect();
    codes.dedup();
    match codes[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// Returns two seats: behind a section code, or with a word that says so. `3-1` alone is anything.
fn pair(text: &str, behind_code: Option<usize>) -> Option<(Seat, Seat)> {
    PAIR.captures_iter(text).find_map(|found| {
        let (whole, first) = (found.get(0)?, found.get(2)?);
        let outside = |c: Option<char>| {
            c.is_none_or(|c| !c.is_ascii_digit() && !matches!(c, '-' | '/' | '.' | ':'))
        };
        let before = text[..first.start()].chars().next_back().filter(|c| *c != ':');
        let rest = &text[whole.end()..];
        let after = rest.chars().next().filter(|c| !matches!(c, '.' | ':'));
        let near = behind_code.is_some_and(|end| {
            text.get(end..first.start())
                .is_some_and(|gap| gap.len() <= 3 && !gap.contains(char::is_alphanumeric))
        });
        let label = first.start() == 0 && rest.starts_with(':');
        let hyphen = matches!(&found[3], "-" | "\u{2013}");
        let said = found.get(1).is_some() || !hyphen || near || label || score_follows(rest);
        let seats = (Seat(found[2].parse().ok()?), Seat(found[4].parse().ok()?));
        (said && outside(before) && outside(after) && seats.0 != seats.1).then_some(seats)
    })
}

/// Tells whether a score follows: what stands before one is two seats.
fn score_follows(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', ':', ',', '=', '\t']);
    ["1-0", "0-1", "1:0", "0:1", "1 - 0", "0 - 1", "1/2-", "½-", "½–", "0.5", ".5-", "1/2", "½"]
        .iter()
        .any(|s| rest.starts_with(s))
}

#[cfg(test)]
mod tests {
    use super::OPPONENTS;

    #[test]
    fn a_first_name_behind_the_sign_takes_its_surname_along() {
        for (text, one, other) in [
            ("Ann Adams - Frank Vance: 1.d4", "Adams", "Frank Vance"),
            ("Hale-Ortiz 1-0", "Hale", "Ortiz"),
            ("Hale v Ortiz Nf3", "Hale", "Ortiz"),
        ] {
            let found = OPPONENTS.captures(text).unwrap();
            assert_eq!((&found[1], &found[2]), (one, other), "{text}");
        }
    }
}
