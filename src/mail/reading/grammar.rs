//! What a sentence states of a game, and how the game ended: the grammar of results. Which game it is, the clues tell.
//!
//! - a score, White's first: `1-0`, `0:1`, `½-½`, `1/2`, beside the game or the word result;
//! - points by name: `22N04: Hale 1, Ortiz 0`; the books tell who has White;
//! - words: `I beat #5`, `Ortiz lost to me`, `White won`, `Board 1v4 drawn`, `we drew`, `Hale resigned`;
//! - `I resign`, and the same in the languages of the players.
//!
//! Nothing is stated by a question, a condition, a wish or a denial.

use super::{
    Found,
    game::Clues,
    meant::{elsewhere, is_game, is_game_behind, of_the_game, resigned_to},
    phrases::{DENIED, Sentence, Words, has, short},
};
use crate::domain::{
    event::Trouble,
    points::{How, Score, Side},
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
static I_WON: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\bi(?:'ve|, [\p{L}' .-]{2,40},)?(?: have| just| finally)* (?:won|win|beat|defeated|mated|checkmated)\b|\blost to me\b",
        r"|\b(?:win|victory) for me\b|^(?:won|beat|defeated|win) (?:against |over |vs |#|the game|my game|\p{L})",
        r"|\b(?:my opponent|he|she|they)(?: has| have| just)* (?:resigned|resigns)\b|\bich habe gewonnen\b|\bj'ai gagné\b",
        r"|\bgané\b|\bho vinto\b|\bich gewann\b",
    ))
    .expect("a valid pattern")
});
static I_LOST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\bi(?:'ve|, [\p{L}' .-]{2,40},)?(?: have| just| finally)* (?:lost|lose|resigned)\b|\b(?:beat|beats|defeated|mated|checkmated) me\b",
        r"|\bloss for me\b|\bmy opponent(?: has)? (?:won|wins)\b|^lost (?:to|against)\b|\bich habe verloren\b",
        r"|\bj'ai perdu\b|\bperdí\b|\bho perso\b|\b(?:he|she) (?:won|wins)\b",
    ))
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
static VERB: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:won|win|beat|defeated|mated|lost|drew|drawn)\b").expect("a valid pattern")
});
static DREW: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\bdrew\b|\bdrawn\b|\bstalemate\b|\bdraw(?:,|:|\.| by| agreed| was agreed| with| in| against| vs)?(?:$|\b)",
        r"|\bremis\b|\btablas\b|\bpatta\b|\bnulle\b|ничь",
    ))
    .expect("a valid pattern")
});
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"([\p{L}'-]{2,})(?: has| have)? (won|wins|beat|beats|defeated|defeats|mated|checkmated|lost|loses|resigned|resigns)\b",
    )
    .expect("a valid pattern")
});
/// Words before a verb that name nobody: `whoever wins`.
const NOBODY: &[&str] = &[
    "who", "whoever", "that", "which", "they", "nobody", "one", "you", "this", "it", "and",
    "who'd", "player",
];
/// Sentences by which a player gives up, in lower case.
static RESIGNATIONS: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "i resign",
        "i hereby resign",
        "i now resign",
        "i must resign",
        "i have to resign",
        "i am resigning",
        "i'm resigning",
        "please accept my resignation",
        "i tip my king",
        "ich gebe auf",
        "gebe ich auf",
        "j'abandonne",
        "abbandono",
        "me rindo",
        "abandono la partida",
        "ik geef op",
        "poddaję",
        "vzdávám",
        "luovutan",
        "feladom",
        "jeg gir opp",
        "jeg opgiver",
        "jag ger upp",
        "сдаюсь",
    ])
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
/// Splits a sentence that tells of two games: `I beat #5 and lost to #6`.
pub(super) fn pieces(sentence: &Sentence) -> Vec<Sentence> {
    let plain = &sentence.plain;
    let told = VERB.find_iter(plain).count();
    if told < 2 || sentence.held_back().is_some() {
        return vec![sentence.clone()];
    }
    let parts = sentence.text.split(" and ").flat_map(|p| p.split(", ")).map(Sentence::of);
    let parts: Vec<Sentence> = parts.filter(|p| !p.plain.is_empty()).collect();
    let telling = parts.iter().filter(|p| VERB.is_match(&p.plain)).count();
    if telling >= 2 { parts } else { vec![sentence.clone()] }
}

/// Returns what a sentence states, and how the game ended.
pub(super) fn statement(
    sentence: &Sentence,
    clues: &Clues,
    found: &mut Found,
) -> Option<(Says, How)> {
    let plain = sentence.plain.as_str();
    let says = resigns(plain).or_else(|| score(sentence, clues)).or_else(|| told(plain))?;
    let held = || resigned_to(plain).or_else(|| elsewhere(plain));
    if let Some(why) = sentence.held_back().or_else(held) {
        let reason = format!("`{}` is no statement: {why}.", short(&sentence.text));
        if why == DENIED && matches!(says, Says::Score(_) | Says::Points(..)) {
            // `Correction: 0-1, not 1-0`: which of them it is, a person sees at once.
            found.trouble(Trouble::ForDirector, reason);
        } else {
            found.reasons.push(reason);
        }
        return None;
    }
    if CLAIMS.are_in(plain) {
        let reason = format!(
            "`{}` claims a forfeit or a judgement, which only the director gives.",
            short(&sentence.text)
        );
        found.trouble(Trouble::ForDirector, reason);
        return None;
    }
    if says == Says::Resign && (has(plain, "all") || has(plain, "both") || has(plain, "every")) {
        let reason = format!("`{}` gives up more than one game.", short(&sentence.text));
        found.trouble(Trouble::ForDirector, reason);
        return None;
    }
    let how = how(plain, &says);
    Some((says, how))
}

fn resigns(plain: &str) -> Option<Says> {
    RESIGNATIONS.are_in(plain).then_some(Says::Resign)
}

/// Reads a score, where something says that it is one.
fn score(sentence: &Sentence, clues: &Clues) -> Option<Says> {
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
    let told = SCORE.captures(plain).and_then(|found| {
        let whole = found.get(0)?;
        // `3 1/2 - 1/2` is a match, not a game.
        let before = plain[..whole.start()].trim_end();
        let part = before.ends_with(|c: char| c.is_ascii_digit())
            && clues.sections.is_empty()
            && clues.pair.is_none()
            && clues.seat.is_none();
        let score = if found.get(1).is_some() {
            Score::WhiteWins
        } else if found.get(2).is_some() {
            Score::BlackWins
        } else {
            Score::Draw
        };
        (!part).then_some((score, whole.as_str().len()))
    });
    let result = [
        "result", "final", "ended", "report", "score", "game", "board", "won", "win", "draw",
        "drawn", "lost", "resign", "mate", "beat",
    ];
    let spoken = result.iter().any(|word| plain.contains(word));
    let placed = !clues.sections.is_empty()
        || clues.pair.is_some()
        || clues.seat.is_some()
        || OPPONENTS.is_match(plain);
    if let Some((score, length)) = told {
        let alone = plain.len() <= length + 2;
        return (alone || spoken || placed).then_some(Says::Score(score));
    }
    // `1-4 ½` is a draw; `used 1/2` behind a pair of seats is a clock.
    if clues.pair.is_some() && HALF.is_match(plain) {
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
}

/// Reads `Result: draw`.
fn field(sentence: &Sentence) -> Option<Says> {
    let (_, value) = sentence.field().filter(|(name, _)| name.contains("result"))?;
    match value.split([' ', ',', '.', '(']).next()? {
        "draw" | "drawn" | "remis" | "d" => Some(Says::Draw),
        "win" | "won" | "w" => Some(Says::Me { won: true }),
        "loss" | "lost" | "l" => Some(Says::Me { won: false }),
        _ => None,
    }
}

/// Reads words.
pub(super) fn told(plain: &str) -> Option<Says> {
    static WHITE: LazyLock<Words> = LazyLock::new(|| {
        Words::new(&[
            "white won",
            "white wins",
            "win for white",
            "white mates",
            "white checkmates",
            "black resigned",
            "black resigns",
            "weiß gewinnt",
            "black is mated",
        ])
    });
    static BLACK: LazyLock<Words> = LazyLock::new(|| {
        Words::new(&[
            "black won",
            "black wins",
            "win for black",
            "black mates",
            "black checkmates",
            "white resigned",
            "white resigns",
            "schwarz gewinnt",
            "white is mated",
        ])
    });
    for (words, side) in [(&WHITE, Side::White), (&BLACK, Side::Black)] {
        if words.found(plain).is_some_and(|said| is_game_behind(said, plain)) {
            return Some(Says::Side(side));
        }
    }
    // `19N04: beat Ortiz` says who did only without the label before it.
    let body =
        plain.split_once(": ").filter(|(label, _)| label.len() <= 16).map_or(plain, |(_, b)| b);
    let (won, lost) = (of_the_game(&I_WON, body), of_the_game(&I_LOST, body));
    if won != lost {
        return Some(Says::Me { won });
    }
    if of_the_game(&DREW, plain) && is_draw(plain) {
        return Some(Says::Draw);
    }
    let named = NAMED.captures(plain).filter(|n| !won && !lost && !NOBODY.contains(&&n[1]))?;
    let verb = named.get(2)?;
    if !is_game(verb.as_str(), &plain[verb.end()..]) {
        return None;
    }
    let won = !matches!(&named[2], "lost" | "loses" | "resigned" | "resigns");
    Some(Says::Name { name: named[1].to_owned(), won })
}

/// Tells whether a draw is told rather than asked for or spoken of.
fn is_draw(plain: &str) -> bool {
    const SPOKEN: &[&str] = &[
        "draw offer",
        "a draw?",
        "accept",
        "declin",
        "a draw would",
        "to draw",
        "conclusions",
        "drew up",
    ];
    let offered = SPOKEN.iter().any(|words| plain.contains(words)) || plain.trim() == "draw";
    !offered
}

pub(super) fn how(plain: &str, says: &Says) -> How {
    let any = |list: &[&str]| list.iter().any(|word| has(plain, word));
    match says {
        Says::Resign => How::Resignation,
        _ if any(&["stalemate", "stalemated"]) => How::Stalemate,
        _ if any(&["mate", "mated", "checkmate", "checkmated", "matt", "mat"]) => How::Mate,
        _ if any(&["resigned", "resigns", "resign", "resignation", "gave up"]) => How::Resignation,
        _ if any(&["repetition", "threefold", "repeated"]) => How::Repetition,
        _ if any(&["fifty", "50 moves", "50-move", "50 move"]) => How::FiftyMoves,
        _ if any(&["insufficient", "material", "bare kings"]) => How::Material,
        _ if any(&["agreed", "agreement", "mutual", "agree", "vereinbart"]) => How::Agreement,
        _ => How::Played,
    }
}
