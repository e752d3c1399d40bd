//! The result of a game as PGN writes it, and as people do: `1:0`, `½-½`, `1/2`, `1 - 0`.

use super::Side;

/// The score of a game that was played, White's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// White won.
    WhiteWins,
    /// Black won.
    BlackWins,
    /// A draw.
    Draw,
}

const HALVES: [&str; 5] = ["1/2", "½", "0.5", "0,5", ".5"];

impl Score {
    /// Returns the win of a side.
    pub const fn win(side: Side) -> Self {
        match side {
            Side::White => Self::WhiteWins,
            Side::Black => Self::BlackWins,
        }
    }

    /// Returns the score as PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// Reads the value of a Result tag; `*`, `???` and the like are none.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_matches(['(', ')', '"', '\'', ' ']);
        Self::at(text).map(|(score, _)| score)
    }

    /// Returns the score that a text begins with, and its length in bytes. `0-0` is castling and no score.
    pub(super) fn at(text: &str) -> Option<(Self, usize)> {
        let (first, used) = side_at(text)?;
        let behind = text.get(used..)?;
        let second = dash(behind).and_then(|dash| {
            let (second, length) = side_at(behind.get(dash..)?)?;
            Some((second, used + dash + length))
        });
        let (score, length) = match (first, second) {
            (2, Some((0, length))) => (Self::WhiteWins, length),
            (0, Some((2, length))) => (Self::BlackWins, length),
            (1, Some((1, length))) => (Self::Draw, length),
            (1, None) if !text.starts_with(['0', '.']) => (Self::Draw, used),
            _ => return None,
        };
        let next = text.get(length..)?.chars().next();
        next.is_none_or(|c| !c.is_alphanumeric() && !"/-–—:".contains(c)).then_some((score, length))
    }
}

/// Returns the half points that one side's part of a score gives, and its length.
fn side_at(text: &str) -> Option<(u8, usize)> {
    if let Some(half) = HALVES.iter().find(|half| text.starts_with(**half)) {
        return Some((1, half.len()));
    }
    match text.as_bytes().first()? {
        b'1' => Some((2, 1)),
        b'0' => Some((0, 1)),
        _ => None,
    }
}

/// Returns the length of the sign between the two parts, blanks and all.
fn dash(text: &str) -> Option<usize> {
    let blank = |c: char| c == ' ' || c == '\u{a0}';
    let behind = text.trim_start_matches(blank);
    let sign = behind.chars().next().filter(|c| "-‐‑‒–—−:".contains(*c))?;
    let rest = behind.get(sign.len_utf8()..)?.trim_start_matches(blank);
    Some(text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_read_as_people_write_it() {
        for text in ["1-0", "1:0", "1 - 0", "1–0", "(1-0)", "1-0 (time)", "1-0."] {
            assert_eq!(Score::parse(text), Some(Score::WhiteWins), "{text}");
        }
        for text in ["½-½", "½–½", "1/2", "½", "1/2-1/2", "1/2 : 1/2", ".5-.5", "0,5-0,5"] {
            assert_eq!(Score::parse(text), Some(Score::Draw), "{text}");
        }
        assert_eq!(Score::parse("0-1"), Some(Score::BlackWins));
        for text in ["", "???", "*", "0-0", "0-0-0", "1-1", "1", "0.5", "1-02", "1-0-0", "1/23"] {
            assert_eq!(Score::parse(text), None, "{text}");
        }
    }
}
