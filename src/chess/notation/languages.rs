//! The letters of the pieces, by language. A new language is a line of the table.

use cozy_chess::Piece;
use std::{fmt, str::FromStr};

/// A language whose piece letters are known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(&'static str);

/// How much a language's letters count when nobody said which language it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Many correspondence players write it.
    Common,
    /// Its letters are read only from players who are registered with it: they would make too many others doubtful.
    Registered,
}
use Use::{Common, Registered};

/// ISO codes, use, and the letters of king, queen, rook, bishop, knight and pawn; a language may have two lines.
#[rustfmt::skip]
const TABLE: &[(&[&str], Use, [&str; 6])] = &[
    (&["en"],             Common,     ["K", "Q", "R", "B", "N", "P"]),
    (&["en"],             Common,     ["", "", "", "", "Kt", ""]),
    (&["de", "als"],      Common,     ["K", "D", "T", "L", "S", ""]),
    (&["fr"],             Common,     ["R", "D", "T", "F", "C", "P"]),
    (&["es"],             Common,     ["R", "D", "T", "A", "C", "P"]),
    (&["ca"],             Common,     ["R", "D", "T", "A", "C", "P"]),
    (&["it"],             Common,     ["R", "D", "T", "A", "C", "P"]),
    (&["pt", "gl"],       Common,     ["R", "D", "T", "B", "C", "P"]),
    (&["nl", "lb", "af"], Common,     ["K", "D", "T", "L", "P", ""]),
    (&["pl"],             Common,     ["K", "H", "W", "G", "S", "P"]),
    (&["cs", "sk"],       Common,     ["K", "D", "V", "S", "J", "P"]),
    (&["hu"],             Common,     ["K", "V", "B", "F", "H", ""]),
    (&["da"],             Common,     ["K", "D", "T", "L", "S", ""]),
    (&["no", "nb", "nn"], Common,     ["K", "D", "T", "L", "S", ""]),
    (&["sv"],             Common,     ["K", "D", "T", "L", "S", ""]),
    (&["fi"],             Common,     ["K", "D", "T", "L", "R", ""]),
    (&["ro"],             Common,     ["R", "D", "T", "N", "C", "P"]),
    (&["ru", "be"],       Common,     ["Кр", "Ф", "Л", "С", "К", "п"]),
    (&["uk"],             Common,     ["Кр", "Ф", "Т", "С", "К", "п"]),
    (&["bg", "mk"],       Common,     ["Ц", "Д", "Т", "О", "К", "п"]),
    (&["hr", "sl", "bs"], Common,     ["K", "D", "T", "L", "S", "P"]),
    (&["sr"],             Common,     ["K", "D", "T", "L", "S", "P"]),
    (&["sr"],             Registered, ["К", "Д", "Т", "Л", "С", "П"]),
    (&["et"],             Registered, ["K", "L", "V", "O", "R", "E"]),
    (&["is"],             Registered, ["K", "D", "H", "B", "R", "P"]),
    (&["lv"],             Registered, ["K", "D", "T", "L", "Z", ""]),
    (&["lt"],             Registered, ["K", "V", "B", "R", "Ž", "P"]),
    (&["tr"],             Registered, ["Ş", "V", "K", "F", "A", "P"]),
    (&["el"],             Registered, ["Ρ", "Β", "Π", "Α", "Ι", "Σ"]),
    (&["eo"],             Registered, ["R", "D", "T", "K", "Ĉ", "P"]),
    (&["id", "ms"],       Registered, ["R", "M", "B", "G", "K", ""]),
];

const PIECES: [Piece; 6] =
    [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

impl Language {
    /// English, whose letters everybody may use.
    pub const ENGLISH: Self = Self("en");

    /// Returns the language of a player's language field, `de` or `de-AT`; nothing if its letters are not known.
    pub fn of(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_']).next()?.to_ascii_lowercase();
        let mut codes = TABLE.iter().flat_map(|(codes, ..)| codes.iter());
        codes.find(|code| **code == primary).map(|code| Self(code))
    }

    /// Returns its ISO code.
    pub const fn code(self) -> &'static str {
        self.0
    }

    /// Returns every language of the table, each once.
    pub fn all() -> impl Iterator<Item = Self> {
        let mut last = "";
        let codes = TABLE.iter().flat_map(|(codes, ..)| codes.iter());
        codes.filter_map(move |code| {
            (std::mem::replace(&mut last, code) != *code).then_some(Self(code))
        })
    }

    /// Returns the letter that the language has for a piece, empty for a pawn without one.
    pub fn letters(self) -> [&'static str; 6] {
        let row = TABLE.iter().find(|(codes, ..)| codes.contains(&self.0));
        row.map(|(.., letters)| *letters).unwrap_or_default()
    }

    /// Returns the piece of a letter, written as the table has it.
    pub(super) fn piece(self, letter: &str) -> Option<Piece> {
        let mut rows = TABLE.iter().filter(|(codes, ..)| codes.contains(&self.0));
        rows.find_map(|(.., letters)| piece_of(letters, letter))
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(tag: &str) -> Result<Self, String> {
        Self::of(tag).ok_or_else(|| format!("the piece letters of `{tag}` are not known"))
    }
}

/// Returns the lines of letters that count when the language is not known, English first.
pub(super) fn common() -> impl Iterator<Item = &'static [&'static str; 6]> {
    TABLE.iter().filter(|(_, used, _)| *used == Common).map(|(.., letters)| letters)
}

/// Returns the piece of a letter in a line of letters.
pub(super) fn piece_of(letters: &[&str; 6], letter: &str) -> Option<Piece> {
    let place = letters.iter().position(|known| !letter.is_empty() && *known == letter)?;
    PIECES.get(place).copied()
}

/// Returns the letter of the table that a text begins with, in small letters or capitals, the longest first: `Кр` before
/// `К`. The second value tells whether it is small.
pub(super) fn letter_at(first: char, second: Option<char>) -> Option<(&'static str, bool)> {
    let pair = match (first, second) {
        ('К', Some('р' | 'Р')) => Some(("Кр", false)),
        ('к', Some('р')) => Some(("Кр", true)),
        ('K', Some('t' | 'T')) => Some(("Kt", false)),
        ('k', Some('t')) => Some(("Kt", true)),
        _ => None,
    };
    pair.or_else(|| single(first))
}

/// The letters of the table that are plain, each at its place in the alphabet.
#[rustfmt::skip]
const PLAIN: [&str; 26] = [
    "A", "B", "C", "D", "E", "F", "G", "H", "", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "", "V", "W", "",
    "", "Z",
];

/// The others.
const OTHERS: [&str; 19] =
    ["Ф", "Л", "С", "К", "п", "Т", "Ц", "Д", "О", "П", "Ş", "Ž", "Ĉ", "Ρ", "Β", "Π", "Α", "Ι", "Σ"];

fn single(letter: char) -> Option<(&'static str, bool)> {
    if letter.is_ascii() {
        let place = u32::from(letter.to_ascii_uppercase()).checked_sub(u32::from('A'))?;
        let text = PLAIN.get(usize::try_from(place).ok()?).filter(|text| !text.is_empty())?;
        return Some((text, letter.is_ascii_lowercase()));
    }
    let find = |letter: char| OTHERS.iter().find(|text| text.chars().eq([letter]));
    if let Some(text) = find(letter) {
        return Some((text, letter.is_lowercase()));
    }
    let mut upper = letter.to_uppercase();
    let capital = upper.next().filter(|capital| upper.next().is_none() && *capital != letter)?;
    find(capital).map(|text| (*text, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_field_is_a_tag() {
        for (tag, code) in [("de", "de"), ("de-AT", "de"), ("EN_us", "en"), (" nb ", "nb")] {
            assert_eq!(Language::of(tag).map(Language::code), Some(code), "{tag}");
        }
        assert_eq!(Language::of("ja"), None);
        assert_eq!(Language::of(""), None);
        assert!(Language::all().count() >= 30);
    }

    #[test]
    fn every_letter_of_the_table_is_found_in_a_text() {
        for (_, _, letters) in TABLE {
            for letter in letters.iter().filter(|letter| !letter.is_empty()) {
                let mut chars = letter.chars();
                let first = chars.next().expect("a letter");
                assert_eq!(letter_at(first, chars.next()).map(|l| l.0), Some(*letter));
            }
        }
        assert_eq!(letter_at('n', Some('f')), Some(("N", true)));
        assert_eq!(letter_at('x', None), None);
    }
}
