//! Points, results and how they came about: exact, in half points, never in floating numbers (Rule 6).

pub use crate::chess::Side;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Game points, kept as half points so that a draw is a whole number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points {
    /// How many half points.
    pub halves: u16,
}

impl Points {
    /// Returns the points of so many halves.
    pub const fn from_halves(halves: u16) -> Self {
        Self { halves }
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let half = if self.halves % 2 == 1 { ".5" } else { "" };
        f.pad(&format!("{}{half}", self.halves / 2))
    }
}

impl FromStr for Points {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (whole, half) = text.split_once('.').unwrap_or((text, "0"));
        let half = match half {
            "0" | "" => 0,
            "5" => 1,
            _ => return Err(format!("`{text}` is not a number of points such as 4 or 4.5")),
        };
        let whole: u16 =
            whole.parse().map_err(|_| format!("`{text}` is not a number of points"))?;
        Ok(Self::from_halves(whole * 2 + half))
    }
}

impl Serialize for Points {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The score of a game, White's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Score {
    /// White won.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black won.
    #[serde(rename = "0-1")]
    BlackWins,
    /// A draw.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Both lost: a double forfeit (Rule 10).
    #[serde(rename = "0-0")]
    BothLose,
}

impl Score {
    /// Returns the points of one side.
    pub const fn points(self, side: Side) -> Points {
        Points::from_halves(match (self, side) {
            (Self::WhiteWins, Side::White) | (Self::BlackWins, Side::Black) => 2,
            (Self::Draw, _) => 1,
            _ => 0,
        })
    }

    /// Returns the win of one side.
    pub const fn win(side: Side) -> Self {
        match side {
            Side::White => Self::WhiteWins,
            Side::Black => Self::BlackWins,
        }
    }

    /// Returns the score as it is printed, `1/2-1/2` for a draw.
    pub const fn text(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::BothLose => "0-0",
        }
    }
}

impl From<crate::chess::pgn::Score> for Score {
    fn from(score: crate::chess::pgn::Score) -> Self {
        use crate::chess::pgn::Score as Written;
        match score {
            Written::WhiteWins => Self::WhiteWins,
            Written::BlackWins => Self::BlackWins,
            Written::Draw => Self::Draw,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

impl FromStr for Score {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::BothLose]
            .into_iter()
            .find(|score| score.text() == text)
            .ok_or_else(|| format!("`{text}` is none of 1-0, 0-1, 1/2-1/2, 0-0"))
    }
}

macro_rules! hows {
    ($($(#[$doc:meta])* $name:ident = $text:literal / $words:literal,)*) => {
        /// How a game came to its score (Rule 10).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum How {
            $($(#[$doc])* #[serde(rename = $text)] $name,)*
        }

        impl How {
            const ALL: &[Self] = &[$(Self::$name,)*];

            /// Returns the word that CSV and JSON use.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Returns the words that a letter uses.
            pub const fn words(self) -> &'static str {
                match self { $(Self::$name => $words,)* }
            }
        }
    };
}

hows! {
    /// Played to mate.
    Mate = "mate" / "checkmate",
    /// The loser resigned.
    Resignation = "resignation" / "resignation",
    /// A draw by agreement.
    Agreement = "agreement" / "agreement",
    /// A draw by stalemate.
    Stalemate = "stalemate" / "stalemate",
    /// A draw by repetition of the position.
    Repetition = "repetition" / "repetition of the position",
    /// A draw by fifty moves without capture or pawn move.
    FiftyMoves = "fifty-moves" / "fifty moves",
    /// A draw because nobody can mate.
    Material = "material" / "insufficient material",
    /// Fixed by the director.
    Adjudication = "adjudication" / "adjudication",
    /// Played, and nobody said how it ended.
    Played = "played" / "play",
    /// The loser overstepped his time.
    TimeForfeit = "time-forfeit" / "forfeit on time",
    /// The loser fell silent.
    SilenceForfeit = "silence-forfeit" / "forfeit by silence",
    /// The loser withdrew.
    Withdrawal = "withdrawal" / "withdrawal",
    /// Forfeited by the director for another reason.
    Administrative = "administrative" / "administrative forfeit",
    /// Both fell silent.
    DoubleForfeit = "double-forfeit" / "double forfeit",
    /// A player died; the director decided the game.
    Death = "death" / "the director's decision after a death",
}

impl How {
    /// Tells whether the loser (in a double forfeit both) forfeited. Adjudication and death are none (Rule 10).
    pub const fn is_forfeit(self) -> bool {
        matches!(
            self,
            Self::TimeForfeit
                | Self::SilenceForfeit
                | Self::Withdrawal
                | Self::Administrative
                | Self::DoubleForfeit
        )
    }
}

impl FromStr for How {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|how| how.text() == text).copied();
        found.ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|how| how.text()).collect();
            format!("`{text}` is none of {}", known.join(", "))
        })
    }
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// A score and how it came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The score, White's first.
    pub result: Score,
    /// How it came about.
    pub how: How,
}

impl Outcome {
    /// Tells whether a game can come to this score in this manner (Rule 10): nobody mates to a draw, and both lose by
    /// forfeit alone.
    pub const fn is_possible(self) -> bool {
        match self.how {
            How::Mate | How::Resignation => {
                matches!(self.result, Score::WhiteWins | Score::BlackWins)
            }
            How::Agreement | How::Stalemate | How::Repetition | How::FiftyMoves | How::Material => {
                matches!(self.result, Score::Draw)
            }
            How::TimeForfeit | How::SilenceForfeit | How::Withdrawal | How::Administrative => {
                !matches!(self.result, Score::Draw)
            }
            How::DoubleForfeit => matches!(self.result, Score::BothLose),
            How::Adjudication | How::Played | How::Death => !matches!(self.result, Score::BothLose),
        }
    }

    /// Tells whether this side lost by forfeit (Rule 10).
    pub fn forfeited_by(self, side: Side) -> bool {
        self.how.is_forfeit() && self.result.points(side) == Points::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_6_points_are_exact_halves() {
        for (text, halves) in [("0", 0), ("0.5", 1), ("4", 8), ("4.0", 8), ("4.5", 9), ("46", 92)] {
            assert_eq!(text.parse(), Ok(Points::from_halves(halves)), "{text}");
        }
        assert_eq!(Points::from_halves(9).to_string(), "4.5");
        assert!("4.25".parse::<Points>().is_err());
        assert!("-1".parse::<Points>().is_err());
    }

    #[test]
    fn rule_10_a_score_and_how_it_came_about_go_together() {
        let scores = [Score::WhiteWins, Score::BlackWins, Score::Draw, Score::BothLose];
        let possible = |how: How| {
            let fits = |result: &&Score| Outcome { result: **result, how }.is_possible();
            scores.iter().filter(fits).map(|score| score.text()).collect::<Vec<_>>().join(" ")
        };
        for how in How::ALL {
            let expected = match how.text() {
                "mate" | "resignation" => "1-0 0-1",
                "double-forfeit" => "0-0",
                "adjudication" | "played" | "death" => "1-0 0-1 1/2-1/2",
                _ if how.is_forfeit() => "1-0 0-1 0-0",
                _ => "1/2-1/2",
            };
            assert_eq!(possible(*how), expected, "{how}");
        }
    }

    #[test]
    fn rule_10_both_lose_by_a_double_forfeit() {
        let both = Outcome { result: Score::BothLose, how: How::DoubleForfeit };
        assert!(both.forfeited_by(Side::White) && both.forfeited_by(Side::Black));
        let one = Outcome { result: Score::WhiteWins, how: How::TimeForfeit };
        assert!(!one.forfeited_by(Side::White) && one.forfeited_by(Side::Black));
        let dead = Outcome { result: Score::WhiteWins, how: How::Death };
        assert!(!dead.forfeited_by(Side::Black));
    }
}
