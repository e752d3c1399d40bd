//! Whether what sounds like a result is one. A doubt costs a mail, a false act costs a game: what is won or lost must be
//! the game and not a pawn, a letter or one's interest, it must be this game, and the sender must state it himself.

use super::{
    Said,
    game::Clues,
    phrases::{Sentence, Words, folded},
};
use crate::mail::lexicon::{self, Key, Tags, Word};
use regex::Regex;
use std::{ops::Range, sync::LazyLock};

/// What may stand behind `won`, `lost` and `drew` where they speak of a game.
static GAME_FOLLOWS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(?: ?$| ?[,.;:!?()/=-]| ?[–—]| (?:and|but|so|then|as|by|with|to|against|vs?\.?|versus|over|after|because|when|again|too",
        r"|also|today|yesterday|here|easily|quickly|finally|both|all|game|games|board|section|at move|on move|on board|on time|on|#|\d",
        r"|in (?:\w*\d|section|the|our|my|this|a|an|time|move|round|about|only|just|under)",
        r"|(?:the|my|our|this|that|his|her|both|all|all my|all our|both my|first|second|last)(?: \w+)? (?:game|games|match|board|section)s?|this one)\b",
        r"| #\d)",
    ))
    .expect("a valid pattern")
});
/// Words by which a sentence tells what somebody thinks or says, and not what is.
static OPINIONS: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "think",
        "thinks",
        "thought",
        "believe",
        "believes",
        "believed",
        "claims",
        "claimed",
        "says",
        "said",
        "pretends",
        "hopes",
        "hoped",
        "guess",
        "suppose",
        "supposes",
        "imagine",
        "expect",
        "expects",
        "probably",
        "perhaps",
        "maybe",
        "almost",
        "nearly",
        "told me that",
        "told you",
        "told somebody",
        "told everybody",
    ])
});
/// Another event, and what is counted in pawns.
static OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?:another|other|different|previous|last) (?:\w+ )?(?:event|section|tournament|match|club|round|year)s?\b",
        r"|\b(?:in|by) (?:pawns|material|pieces)\b|\b(?:pawns?|piece|exchange) (?:up|down|ahead)\b|\bso far\b",
    ))
    .expect("a valid pattern")
});
/// A year, as it stands in `in 1858`.
static YEAR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[^\d./-])((?:1[4-9]|20)\d\d)(?:$|[^\d/-])").expect("a valid pattern")
});
/// Where one clause ends and another begins.
static SEAM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"[,;:()!?。，！？、]|[.] | [-–—] | (?:and|but|so|because|since|therefore|hence|thus|und|aber|denn|daher|deshalb|et|mais|car|donc|y|pero|porque|pues",
        r"|ma|perché|quindi|maar|dus|want|och|men|så|og|ale|proto|więc|és|de|ezért|и|но|поэтому|ja|mutta|mas|porém|і) ",
    ))
    .expect("a valid pattern")
});

/// Returns the clause around a phrase: from the seam before it to the one behind it.
pub(super) fn clause(plain: &str, at: &Range<usize>) -> Range<usize> {
    let start = SEAM.find_iter(&plain[..at.start]).last().map_or(0, |seam| seam.end());
    let end = SEAM.find(&plain[at.end..]).map_or(plain.len(), |seam| at.end + seam.start());
    start..end
}

/// Tells whether a sentence is about somebody's opinion, about another game, or about material.
pub(super) fn elsewhere(sentence: &Sentence) -> Option<&'static str> {
    let around = Tags::around(&sentence.plain);
    if OPINIONS.are_in(&sentence.plain)
        || is_of_a_report(&sentence.plain)
        || around.has_in(Key::HeldTold, "en")
    {
        return Some("it says what somebody thinks or says");
    }
    if is_of_old_mail(&sentence.plain) {
        return Some("it speaks of an earlier mail");
    }
    let other = OTHERS.is_match(&sentence.plain) || around.has_in(Key::HeldElsewhere, "en");
    other.then_some("it is about another game, or about material")
}

/// Tells whether a sentence speaks of what the sender wrote before: `In my mail of May 3 I reported a draw`.
fn is_of_old_mail(plain: &str) -> bool {
    static OLD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"\bin my (?:\w+ )?(?:e-?mail|mail|letter|message|report|card|note) (?:of|from|dated)\b|\bi (?:had |have )?already (?:reported|sent|told|wrote|mailed)\b",
            r"|\b(?:yesterday|last \w+|on \w+|\w+ ago),? i (?:reported|wrote|sent|mailed|told)\b|\bi (?:reported|wrote|sent|mailed)\b[^.;]{0,60}\b(?:yesterday|last|ago|on (?:may|april|march|june|the)|in (?:april|may|march))\b",
        ))
        .expect("a valid pattern")
    });
    OLD.is_match(plain)
}

/// Tells whether a sentence tells what somebody else has reported, or what our letters and tables say.
pub(super) fn is_of_a_report(plain: &str) -> bool {
    static REPORTS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"\b([\p{L}']+)(?: has| have| had| just| now| already)* (?:report(?:s|ed)|writes everybody|(?:states?|claims?|pretends?|insists?|announced) that)\b",
            r"|\b(?:your|the|this) (?:last |latest |monthly )?(?:letter|mail|e-?mail|message|list|table|web ?page|page|site|website|cross ?table|note|bulletin)\b[^.;]{0,40}",
            r"\b(?:says?|states?|said|shows?|has|gives?|lists?|tells?|claims?|reads?|showed|stated|listed)\b",
            r"|\byou (?:have |had )?(?:put (?:me )?down|written|recorded|entered|listed|noted|wrote|credited|scored|say|claim|state)\b",
        ))
        .expect("a valid pattern")
    });
    const OWN: &[&str] = &["i", "we", "as", "hereby", "is", "was", "be", "and", "been", "are"];
    const AGREES: &[&str] = &["i confirm", "i agree", "is correct", "is right", "we confirm"];
    let mut found = REPORTS.captures_iter(plain);
    let other = |c: regex::Captures<'_>| c.get(1).is_none_or(|who| !OWN.contains(&who.as_str()));
    found.any(other) && !AGREES.iter().any(|words| plain.contains(words))
}

/// Tells whether a sentence speaks of a year that is past: no game here was played in 1858.
pub(super) fn of_another_year(plain: &str, said: &Said<'_>) -> bool {
    use chrono::Datelike;
    let this = said.postmark.year();
    let years = YEAR.captures_iter(plain).filter_map(|found| found[1].parse::<i32>().ok());
    let ours = |year: i32| {
        let year = year.to_string();
        said.desk.rules.tournaments.values().any(|t| t.name.contains(&year))
    };
    years.into_iter().any(|year| !(this - 1..=this + 1).contains(&year) && !ours(year))
}

/// Tells what keeps a sentence of another language than English from being a statement.
pub(super) fn held_in(sentence: &Sentence, code: &str) -> Option<&'static str> {
    let around = Tags::around(&sentence.plain);
    [
        (Key::HeldIf, "it hangs on a condition or is a wish"),
        (Key::HeldNot, super::phrases::DENIED),
        (Key::HeldTold, "it says what somebody thinks or says"),
        (Key::HeldThing, "it is about something else than the game"),
    ]
    .into_iter()
    .find(|(key, _)| around.has_in(*key, code))
    .map(|(_, why)| why)
}

/// Tells whether all words of a part of a sentence are known here: phrases of the lexicon that say how a game ended or
/// whose it was, names of the sender's sections, numbers, and words that say nothing by themselves.
pub(super) fn is_familiar(sentence: &Sentence, part: Range<usize>, said: &Said<'_>) -> bool {
    const KNOWN: &[Key] = &[
        Key::Resign,
        Key::ResignWeak,
        Key::IWon,
        Key::ILost,
        Key::IHave,
        Key::Won,
        Key::Lost,
        Key::Drawn,
        Key::Foe,
        Key::TheyWon,
        Key::TheyLost,
        Key::TheyResigned,
        Key::White,
        Key::Black,
        Key::WithWhite,
        Key::WithBlack,
        Key::Mate,
        Key::Stalemate,
        Key::Agreement,
        Key::Repetition,
        Key::Resignation,
    ];
    let phrases: Vec<Range<usize>> = KNOWN.iter().flat_map(|key| sentence.tags.all(*key)).collect();
    let names = names(said);
    let mut at = part.start;
    for word in sentence.plain[part].split_inclusive(|c: char| !c.is_alphanumeric() && c != '\'') {
        let here = at;
        at += word.len();
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        // A letter is an initial.
        let known = word.chars().nth(1).is_none()
            || word.bytes().any(|b| b.is_ascii_digit())
            || phrases.iter().any(|range| range.contains(&here))
            || lexicon::number(Word::Common, word).is_some()
            || word.split('\'').all(|half| lexicon::number(Word::Common, half).is_some())
            || is_named(&folded(word), &names);
        if !known {
            return false;
        }
    }
    true
}

/// Tells whether a sentence names somebody in the sender's sections other than himself.
pub(super) fn names_an_opponent(sentence: &Sentence, said: &Said<'_>) -> bool {
    let own: Vec<String> = said.name.split(' ').map(folded).collect();
    let names = names(said);
    let mut words = sentence.plain.split(|c: char| !c.is_alphanumeric() && c != '\'').map(folded);
    words.any(|word| word.len() > 1 && is_named(&word, &names) && !own.contains(&word))
}

/// Tells whether a word is one of the names, perhaps in another case: `z Kesslerem`, `Keatings`.
fn is_named(word: &str, names: &[String]) -> bool {
    let inflected = |name: &String| {
        name.len() > 3 && word.len() <= name.len() + 4 && word.starts_with(name.as_str())
    };
    names.iter().any(|name| name == word || inflected(name))
}

/// Returns the words of the names in the sender's sections, and of his own.
fn names(said: &Said<'_>) -> Vec<String> {
    let state = said.desk.state;
    let sections = said.players.iter().flat_map(|player| state.seats_of(player));
    let seated = sections.flat_map(|(section, _)| {
        section.each_seat().filter_map(move |(seat, _)| state.player_at(section, seat))
    });
    let words = seated.flat_map(|p| p.name.split([' ', ',', '-'])).chain(said.name.split(' '));
    words.map(folded).filter(|word| !word.is_empty()).collect()
}

/// Whether what was won, lost or drawn is a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fits {
    /// It is something else: a pawn, a letter, one's interest.
    No,
    /// Somebody is named who is not known here, or little is said.
    Perhaps,
    /// It is.
    Yes,
}

/// Tells whether one of the matches speaks of a game.
pub(super) fn of_the_game(
    pattern: &Regex,
    plain: &str,
    sentence: &Sentence,
    said: &Said<'_>,
) -> Fits {
    let fits = pattern.find_iter(plain).map(|found| {
        // `won a pawn`: the pattern may reach into what follows the verb.
        let verb =
            VERBS.find(found.as_str()).map_or(found.end(), |verb| found.start() + verb.end());
        is_game(&plain[found.start()..verb], &plain[verb..], sentence, said)
    });
    fits.max().unwrap_or(Fits::No)
}

/// The verbs of results, in English.
static VERBS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:won|wins?|beats?|defeat(?:ed|s)|(?:check)?mated|lost|loses?|drew|drawn|draw|resign(?:ed|s))\b")
        .expect("a valid pattern")
});
/// What stands between a verb and whom one has played.
static AGAINST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?: (?:again|also|both|today|yesterday|finally))? (?:against|to|over|from|vs?\.?|versus)(?: |$)")
        .expect("a valid pattern")
});
/// What follows the present tense where it tells how a game ended: `I win after Qxh7` does not.
static PRESENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?: (?:the|our|this|my|that) (?:\w+ )?game\b| this one| game\b| against| vs| by (?:mate|checkmate|resignation)| on move|,? ?\d| \()")
        .expect("a valid pattern")
});

/// Tells whether what follows a verb lets a game be what was won, lost or drawn.
pub(super) fn is_game(verb: &str, rest: &str, sentence: &Sentence, said: &Said<'_>) -> Fits {
    let last = verb.split(' ').next_back().unwrap_or(verb);
    let yes = |fits: bool| if fits { Fits::Yes } else { Fits::No };
    let against = AGAINST.find(rest).map(|found| &rest[found.end()..]);
    match last {
        "beat" | "beats" | "def" | "defeated" | "defeats" | "mated" | "checkmated" => {
            whom(rest.trim_start(), sentence, said)
        }
        "resigned" | "resigns" => yes(super::resign::may_follow(rest)),
        "won" | "win" | "wins" | "lost" | "lose" | "loses" | "drew" | "drawn" => match against {
            Some(rest) => whom(rest, sentence, said),
            None if !GAME_FOLLOWS.is_match(rest) => Fits::No,
            None if matches!(last, "win" | "wins" | "lose" | "loses")
                && !PRESENT.is_match(rest) =>
            {
                if rest.trim_matches(['.', '!', ' ']).is_empty() {
                    Fits::Perhaps
                } else {
                    Fits::No
                }
            }
            None => Fits::Yes,
        },
        _ => Fits::Yes,
    }
}

/// Tells whether whoever is named first can be somebody's opponent here: one beats a player, and never `a retreat`.
fn whom(rest: &str, sentence: &Sentence, said: &Said<'_>) -> Fits {
    const ANYBODY: &[&str] = &[
        "you",
        "him",
        "her",
        "them",
        "me",
        "us",
        "mr",
        "mrs",
        "ms",
        "miss",
        "dr",
        "seat",
        "player",
        "board",
        "both",
        "white",
        "black",
        "number",
        "no",
        "section",
        "all",
        "every",
        "everybody",
        "everyone",
        "opponent",
    ];
    let mut words =
        rest.split(|c: char| !c.is_alphanumeric() && !"'#-".contains(c)).filter(|w| !w.is_empty());
    let Some(first) = words.next() else { return Fits::Yes };
    let names = names(said);
    let known = |word: &str| word.split('-').any(|part| names.contains(&folded(part)));
    let of_opponent = matches!(first, "my" | "the") && words.next() == Some("opponent");
    if of_opponent
        || ANYBODY.contains(&first)
        || first.starts_with(['#', '1', '2', '3', '4', '5', '6', '7'])
        || known(first)
    {
        return Fits::Yes;
    }
    let mut written = sentence.text.split(|c: char| !c.is_alphanumeric());
    let capital =
        written.any(|w| w.starts_with(char::is_uppercase) && first.starts_with(&w.to_lowercase()));
    let near = Clues::of(rest, said);
    let misspelt = said.players.iter().flat_map(|p| said.desk.state.seats_of(p));
    if misspelt.into_iter().any(|(section, _)| !near.named(section, said).is_empty()) && capital {
        return Fits::Yes;
    }
    if capital { Fits::Perhaps } else { Fits::No }
}
