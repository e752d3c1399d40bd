//! Whether what sounds like a result is one. A doubt costs a mail, a false act costs a game: what is won or lost must be
//! the game and not a pawn, a letter or one's interest, it must be this game, and the sender must state it himself.

use super::phrases::Words;
use regex::Regex;
use std::sync::LazyLock;

/// `resigned myself to losing a pawn`, `resigned to a long defence`; `resigned to Hale` is a resignation.
static RESIGNED_TO: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"\bresign(?:ed|s|ing)? (?:(?:my|him|her|your|them|our|one)sel(?:f|ves)\b|(?:now )?to (?:\w+ing|an?|the|my|his|her|this|that|it|defeat|fate|loss)\b)",
    )
    .expect("a valid pattern")
});
/// What may stand behind `won`, `lost` and `drew` where they speak of a game.
static GAME_FOLLOWS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(?: ?$| ?[,.;:!?()/=-]| ?[–—]| (?:and|but|so|then|as|by|with|to|against|vs?\.?|versus|over|after|because|when|again|too",
        r"|also|today|yesterday|here|easily|quickly|finally|both|all|game|games|board|section|at move|on move|on board|on time|on|#|\d",
        r"|in (?:\w*\d|section|the|our|my|this|a|an|time|move|round|about|only|just|under)",
        r"|(?:the|my|our|this|that|his|her|a|one|both|all|all my|all our|both my|first|second|last)(?: \w+)? (?:game|games|match|board|section)s?|this one)\b",
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
    ])
});
/// Another event, and what is counted in pawns.
static OTHERS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?:another|other|different|previous) (?:\w+ )?(?:event|section|tournament|match|club)s?\b",
        r"|\b(?:in|by) (?:pawns|material|pieces)\b|\b(?:pawns?|piece|exchange) (?:up|down|ahead)\b|\bso far\b",
    ))
    .expect("a valid pattern")
});

/// Tells whether a sentence is about somebody's opinion, about another game, or about material.
pub(super) fn elsewhere(plain: &str) -> Option<&'static str> {
    if OPINIONS.are_in(plain) {
        return Some("it says what somebody thinks or says");
    }
    OTHERS.is_match(plain).then_some("it is about another game, or about material")
}

/// Whoever is resigned *to* something has not resigned, nor has one who plays on.
pub(super) fn resigned_to(plain: &str) -> Option<&'static str> {
    let goes_on = plain.contains("play on") || plain.contains("playing on");
    (goes_on || RESIGNED_TO.is_match(plain)).then_some("the game goes on")
}

/// Tells whether one of the matches speaks of a game: what is won or lost may be a pawn, a letter or one's interest.
pub(super) fn of_the_game(pattern: &Regex, plain: &str) -> bool {
    pattern.find_iter(plain).any(|found| is_game(found.as_str(), &plain[found.end()..]))
}

pub(super) fn is_game_behind(said: &str, plain: &str) -> bool {
    let rest = plain.split_once(said).map_or("", |(_, rest)| rest);
    is_game(said, rest)
}

/// Tells whether what follows a verb lets a game be what was won, lost or drawn.
pub(super) fn is_game(verb: &str, rest: &str) -> bool {
    let takes_anything = ["won", "win", "wins", "lost", "lose", "loses", "drew", "drawn"];
    let last = verb.split(' ').next_back().unwrap_or(verb);
    match last {
        // One beats a player, and never `a retreat`.
        "beat" | "beats" => [" a ", " an ", " the "].iter().all(|word| !rest.starts_with(word)),
        _ => !takes_anything.contains(&last) || GAME_FOLLOWS.is_match(rest),
    }
}
