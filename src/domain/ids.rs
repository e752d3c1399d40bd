//! The names of things: small types so that an entry is never taken for a player or a seat for a number.
//! They carry no behaviour beyond printing and reading back; what they name lives in `state.rs`.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }
    };
}

macro_rules! number_id {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(
            Clone,
            Copy,
            Debug,
            Default,
            PartialEq,
            Eq,
            PartialOrd,
            Ord,
            Hash,
            Serialize,
            Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&format!(concat!($letter, "{}"), self.0))
            }
        }

        impl FromStr for $name {
            type Err = String;

            /// Reads the number with or without its letter, in either case.
            fn from_str(text: &str) -> Result<Self, String> {
                text.trim()
                    .trim_start_matches(|c: char| c.eq_ignore_ascii_case(&$letter))
                    .parse()
                    .map(Self)
                    .map_err(|_| format!("`{text}` is not a number such as {}12", $letter))
            }
        }
    };
}

text_id! {
    /// A member's number at the federation, eight digits at US Chess.
    MemberId
}
text_id! {
    /// One paid place of a player in a tournament: `GK2019-031`.
    EntryId
}
text_id! {
    /// A tournament: the `id` in its file, `GK2019`.
    TournamentId
}
text_id! {
    /// A section's code in its one official spelling: `19N04`. `SectionCode::read` takes all the others.
    SectionCode
}
number_id! {
    /// A docket item: `D7`.
    ItemId, 'D'
}
number_id! {
    /// A letter: `L42`. The number is its place in the order of all letters ever written.
    LetterId, 'L'
}
number_id! {
    /// A question of ours to a player: `Q3`.
    QuestionId, 'Q'
}

/// A place in a section, counted from 1 (Rule 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

/// One game of a section, named by its seats. Where a pair plays twice, the colours tell which.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct GameId {
    /// The section the game belongs to.
    pub section: SectionCode,
    /// The seat that has White.
    pub white: Seat,
    /// The seat that has Black.
    pub black: Seat,
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}-{}", self.section, self.white, self.black)
    }
}

impl EntryId {
    /// Returns the running number, the last part of the id; none where it has another shape.
    pub fn number(&self) -> Option<u32> {
        self.0.rsplit_once('-')?.1.parse().ok()
    }
}

impl SectionCode {
    /// Reads a code in any spelling seen in the wild: case varies, zeros are dropped, blanks and hyphens creep in
    /// (`19n4`, `19 N-04`, `19ns2`). Answers the official spelling, or nothing where the text is no code.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let digits = text.chars().take_while(char::is_ascii_digit).count();
        let year = &text[..digits];
        let rest = text[digits..].trim_start_matches([' ', '-', '.', '/']);
        let count = rest.chars().take_while(char::is_ascii_alphabetic).count();
        let (letters, rest) = rest.split_at(count);
        let number = rest.trim_start_matches([' ', '-', '.', '/', '#']);
        let fits = matches!(year.len(), 2 | 4) && (1..=3).contains(&letters.len());
        if !fits || number.is_empty() || number.len() > 3 {
            return None;
        }
        let number: u16 = number.parse().ok().filter(|n| *n > 0)?;
        Some(Self(format!("{}{}{number:02}", &year[year.len() - 2..], official_letters(letters))))
    }
}

/// Capitals for the event, a small letter for the round behind it: `N`, `Ns`, `Nf`, `EN`, `ENs`.
fn official_letters(letters: &str) -> String {
    let upper = letters.to_ascii_uppercase();
    for event in ["EN", "VP", "SQ", "N", "W", "C", "P", "A"] {
        if let Some(round) = upper.strip_prefix(event)
            && matches!(round, "" | "S" | "F")
        {
            return format!("{event}{}", round.to_ascii_lowercase());
        }
    }
    upper
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_2_section_codes_are_read_in_every_spelling() {
        for (text, code) in [
            ("19N04", "19N04"),
            ("19n4", "19N04"),
            ("19 N-04", "19N04"),
            ("2019N04", "19N04"),
            ("19ns2", "19Ns02"),
            ("19 NF 1", "19Nf01"),
            ("05EN112", "05EN112"),
            ("20w#7", "20W07"),
            ("21sq3", "21SQ03"),
        ] {
            assert_eq!(SectionCode::read(text), Some(code.into()), "{text}");
        }
        for text in ["", "19", "N04", "19N", "19N0", "12345678", "19 moves 4", "19N04x"] {
            assert_eq!(SectionCode::read(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_read_with_and_without_their_letter() {
        assert_eq!("D7".parse(), Ok(ItemId(7)));
        assert_eq!("l42".parse(), Ok(LetterId(42)));
        assert_eq!("42".parse(), Ok(LetterId(42)));
        assert!("seven".parse::<ItemId>().is_err());
    }
}
