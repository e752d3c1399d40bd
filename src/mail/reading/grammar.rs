//! What a sentence states of a game, and how the game ended: the grammar of results. Which game it is, the clues tell.
//!
//! - a score, White's first: `1-0`, `0:1`, `½-½`, `1/2`, beside the game or the word result;
//! - points by name: `22N04: Hale 1, Ortiz 0`; the books tell who has White;
//! - words: `I beat #5`, `Ortiz lost to me`, `White won`, `Board 1v4 drawn`, `we drew`, `Hale resigned`;
//! - `I resign`, and the same in the languages of the players.
//!
//! Nothing is stated by a question, a condition, a wish or a denial.

use super::{
    Found, Said,
    crosscheck::{self, corrects},
    game::Clues,
    meant::{self, elsewhere},
    objection::objects,
    phrases::{DENIED, Sentence, Words, plain as plain_text, short},
    resign::{self, GivesUp, gives_up, goes_on, is_office},
    told::{how, is_of_a_stranger, told},
};
use crate::{
    domain::{
        event::Trouble,
        points::{How, Score, Side},
    },
    mail::{
        lexicon::{self, Key},
        understanding::Confidence,
    },
};
use regex::Regex;
use std::sync::LazyLock;

static SCORE: LazyLock<Regex> = LazyLock::new(|| {
    let half = r"(?:0?\.5|1/2|0,5)";
    Regex::new(&format!(
        r"(?:^|[^\w./:-])(?:(1\s?[-:]\s?0)|(0\s?[-:]\s?1)|({half}\s?[-:]\s?{half}))(?:$|[^\w/:-])"
    ))
    .expect("a valid pattern")
});
static POINTS: LazyLock<Regex> = LazyLock::new(|| {
    let points = r"(1/2|0?\.5|1|0)";
    Regex::new(&format!(r"([\p{{L}}'.-]{{2,}})\s*:?\s+{points}\s*[,;/ -]\s*([\p{{L}}'.-]{{2,}})\s*:?\s+{points}(?:$|[^\w/-])"))
        .expect("a valid pattern")
});
/// A pair of seats, perhaps behind a section, and half a point.
static HALF: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:[\w#-]{4,9}[ :,]+)?\d{1,2} ?- ?\d{1,2}[ :,=]+1/2\.?$")
        .expect("a valid pattern")
});
/// `Hale - Ortiz` before a score.
static OPPONENTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[\p{L}' .]{2,40}(?: ?- ?| vs?\.? )[\p{L}' .]{2,40}[ ,:=]+[01][-:/ ]")
        .expect("a valid pattern")
});
/// What stands behind a score that is told from the sender's side: `1-0 for me`.
static FOR_ME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[ ,]*(?:for me|to me|in my favou?r|für mich|pour moi|para mí|per me|voor mij|för mig|para mim)\b")
        .expect("a valid pattern")
});
static VERB: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:won|win|beat|defeated|mated|lost|drew|drawn|resign|resigned)\b")
        .expect("a valid pattern")
});
/// `Hale - Ortiz` before half a point.
static OPPONENTS_HALF: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[\p{L}' .]{2,40}(?: ?- ?| vs?\.? )[\p{L}' .]{2,40}[ ,:=]+1/2\.?$")
        .expect("a valid pattern")
});
/// Words that make an end a matter of forfeit or judgement.
static CLAIMS: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "forfeit",
        "forfeited",
        "forfeits",
        "on time",
        "time forfeit",
        "overstepped",
        "time out",
        "timeout",
        "adjudicate",
        "adjudicated",
        "adjudication",
        "flag",
        "withdrew",
        "withdrawn",
    ])
});

/// What a sentence says of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// A score, White's first.
    Score(Score),
    /// The sender has won, or lost.
    Me { won: bool },
    /// A side has won.
    Side(Side),
    /// A draw.
    Draw,
    /// The one at the first seat got these half points.
    Points(String, u8, String),
    /// The one of this name has won, or lost.
    Name { name: String, won: bool },
    /// The sender gives up.
    Resign,
}
/// What a sentence states.
#[derive(Clone, Debug)]
pub(super) struct Stated {
    /// Who won, or that nobody did.
    pub(super) says: Says,
    /// How the game ended.
    pub(super) how: How,
    /// How sure the words are.
    pub(super) sure: Confidence,
}

/// A sentence that is longer is not taken apart, in bytes.
const LONG: usize = 1000;

/// Splits a sentence that tells of two games: `I beat #5 and lost to #6`. A list of names stays together.
pub(super) fn pieces(sentence: &Sentence) -> Vec<Sentence> {
    let plain = &sentence.plain;
    let told = VERB.find_iter(plain).count();
    if told < 2 || plain.len() > LONG || sentence.held_back().is_some() {
        return vec![sentence.clone()];
    }
    let parts = sentence.text.split(" and ").flat_map(|p| p.split(", "));
    let mut pieces: Vec<String> = Vec::new();
    for part in parts {
        let tells = VERB.is_match(&plain_text(part));
        match pieces.last_mut() {
            Some(last) if !tells => *last = format!("{last}, {part}"),
            Some(last) if !VERB.is_match(&plain_text(last)) => *last = format!("{last}, {part}"),
            _ => pieces.push(part.to_owned()),
        }
    }
    let parts = pieces.iter().map(|piece| Sentence::of(piece));
    let parts: Vec<Sentence> = parts.filter(|p| !p.plain.is_empty()).collect();
    if parts.len() >= 2 { parts } else { vec![sentence.clone()] }
}

/// Returns what a sentence states, and how the game ended.
pub(super) fn statement(
    sentence: &Sentence,
    clues: &Clues,
    said: &Said<'_>,
    found: &mut Found,
) -> Option<Stated> {
    match gives_up(sentence, said) {
        Some(GivesUp::Yes(sure)) => {
            return Some(Stated { says: Says::Resign, how: How::Resignation, sure });
        }
        Some(GivesUp::No(_)) if resign::is_quoted_of_opponent(sentence, said) => {
            let (says, how) = (Says::Me { won: true }, How::Resignation);
            return Some(Stated { says, how, sure: Confidence::Probable });
        }
        Some(GivesUp::No(why)) => {
            found.reasons.push(format!("`{}` gives up nothing: {why}.", short(&sentence.text)));
            return None;
        }
        None => {}
    }
    let certain = |says| (says, Confidence::Certain);
    let (says, sure) =
        score(sentence, clues, said).map(certain).or_else(|| told(sentence, said))?;
    if let Some(why) = held(sentence, said) {
        let reason = format!("`{}` is no statement: {why}.", short(&sentence.text));
        if why == DENIED && matches!(says, Says::Score(_) | Says::Points(..)) {
            // `Correction: 0-1, not 1-0`: which of them it is, a person sees at once.
            found.trouble(Trouble::ForDirector, reason);
        } else {
            found.reasons.push(reason);
        }
        return None;
    }
    if CLAIMS.are_in(&sentence.plain) {
        found.claims.push(short(&sentence.text));
        return None;
    }
    let how = how(sentence, &says);
    Some(Stated { says, how, sure })
}

/// Tells what keeps a sentence from stating a result.
fn held(sentence: &Sentence, said: &Said<'_>) -> Option<&'static str> {
    if objects(sentence, said) {
        return Some("it objects to a result");
    }
    if crosscheck::is_of_sport(&sentence.plain) {
        return Some("it is about another kind of game");
    }
    if goes_on(&sentence.plain) || is_office(&sentence.plain) {
        return Some("the game goes on");
    }
    let other =
        || meant::of_another_year(&sentence.plain, said).then_some("it is about another year");
    sentence.held_back().or_else(|| elsewhere(sentence)).or_else(other)
}

/// Reads a score, where something says that it is one.
fn score(sentence: &Sentence, clues: &Clues, said: &Said<'_>) -> Option<Says> {
    let plain = sentence.plain.as_str();
    if let Some(points) = POINTS.captures(plain) {
        let halves = |text: &str| match text {
            "1" => 2,
            "0" => 0,
            _ => 1,
        };
        let (one, other) = (halves(&points[2]), halves(&points[4]));
        if one + other == 2 {
            return Some(Says::Points(points[1].to_owned(), one, points[3].to_owned()));
        }
    }
    // `1-0 in 23 moves, and the other board 0-1`: two games, and neither is named.
    let several = plain.contains("1-0") && plain.contains("0-1") && clues.is_bare();
    let lost = several && !corrects(sentence) && sentence.held_back() != Some(DENIED);
    let told = first_score(plain, clues).filter(|_| !lost);
    let result = [
        "result", "enter", "record", "final", "ended", "report", "score", "game", "board", "won",
        "win", "draw", "drawn", "lost", "resign", "mate", "beat",
    ];
    let spoken = result.iter().any(|word| plain.contains(word));
    let placed = !clues.sections.is_empty()
        || clues.pair.is_some()
        || clues.seat.is_some()
        || OPPONENTS.is_match(plain);
    if let Some((score, at)) = told {
        let alone = || {
            let rest = [0..at.start, at.end..plain.len()];
            rest.into_iter().all(|part| meant::is_familiar(sentence, part, said))
        };
        let told = (spoken || placed || corrects(sentence) || alone())
            && !is_of_a_stranger(sentence, said);
        if told
            && score == Score::WhiteWins
            && FOR_ME.is_match(plain.get(at.end - 1..).unwrap_or(&plain[at.end..]))
        {
            return Some(Says::Me { won: true });
        }
        return told.then_some(Says::Score(score));
    }
    // `1-4 ½` is a draw; `used 1/2` behind a pair of seats is a clock.
    if clues.pair.is_some() && HALF.is_match(plain) || OPPONENTS_HALF.is_match(plain) {
        return Some(Says::Score(Score::Draw));
    }
    // `1/2` alone is half a point only where nothing else is said.
    let half = sentence
        .field()
        .filter(|(name, _)| name.contains("result"))
        .map_or(plain, |(_, value)| value);
    (half.trim_end_matches('.') == "1/2")
        .then_some(Says::Score(Score::Draw))
        .or_else(|| field(sentence))
        .or_else(|| drawn_pair(sentence, clues))
}

/// Finds a score and where it stands.
fn first_score(plain: &str, clues: &Clues) -> Option<(Score, std::ops::Range<usize>)> {
    let found = SCORE.captures(plain)?;
    let whole = found.get(0)?;
    // `3 1/2 - 1/2` is a match, not a game.
    let before = plain[..whole.start()].trim_end().rsplit(' ').next().unwrap_or_default();
    let part = !before.is_empty()
        && before.bytes().all(|b| b.is_ascii_digit())
        && clues.pair.is_none()
        && clues.seat.is_none();
    let score = if found.get(1).is_some() {
        Score::WhiteWins
    } else if found.get(2).is_some() {
        Score::BlackWins
    } else {
        Score::Draw
    };
    (!part).then_some((score, whole.range()))
}

/// Reads `Ortiz - Lund: remis`.
fn drawn_pair(sentence: &Sentence, clues: &Clues) -> Option<Says> {
    let (label, value) = sentence.plain.split_once(':')?;
    let paired = clues.pair.is_some() || clues.opponents.is_some();
    let offers = [Key::DrawOffer, Key::DrawAccept, Key::DrawDecline, Key::DrawClaim];
    let offered = offers.iter().any(|key| sentence.tags.has(*key));
    let word = value.split([' ', ',', '.', '(', '!']).find(|word| !word.is_empty())?;
    let drawn = lexicon::number(lexicon::Word::Outcome, word) == Some(3) && word.len() > 1;
    (paired && drawn && !offered && label.len() < 60).then_some(Says::Draw)
}

/// Reads `Result: draw`.
fn field(sentence: &Sentence) -> Option<Says> {
    const LABELS: &[&str] = &[
        "result",
        "résultat",
        "risultato",
        "ergebnis",
        "uitslag",
        "výsledek",
        "wynik",
        "результат",
        "outcome",
    ];
    let labelled = |name: &str| LABELS.iter().any(|label| name.contains(label));
    let (_, value) = sentence.field().filter(|(name, _)| labelled(name))?;
    let word = value.split([' ', ',', '.', '(']).next()?;
    if word.len() > 1 && lexicon::number(lexicon::Word::Outcome, word) == Some(3) {
        return Some(Says::Draw);
    }
    match word {
        "draw" | "drawn" | "remis" | "d" => Some(Says::Draw),
        "win" | "won" | "w" => Some(Says::Me { won: true }),
        "loss" | "lost" | "l" => Some(Says::Me { won: false }),
        _ => None,
    }
}
