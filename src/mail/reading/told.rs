//! Who has won, told in words: by the sender of himself (`I beat #5`, `Ich habe gegen Lund gewonnen`), of a side
//! (`White resigned`), of the opponent (`my opponent gave up`) or by name (`Hale won`), and how the game ended.
//!
//! English has its grammar here, since most is written in it; of the other languages the lexicon knows the phrases. What
//! stands beside such a phrase in words that are not known makes the reading a question to the sender.

use super::{
    Said,
    grammar::Says,
    meant::{self, Fits, of_the_game},
    phrases::{Sentence, Words, folded, has},
};
use crate::{
    domain::points::{How, Side},
    mail::{
        lexicon::{self, Key, Tag},
        understanding::Confidence,
    },
};
use regex::Regex;
use std::sync::LazyLock;

static I_WON: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\bi(?:'ve|, [\p{L}' .-]{2,40},)?(?: have| just| finally)* (?:won|win|beat|defeated|mated|checkmated)\b|\blost to me\b",
        r"|\b(?:win|victory) for me\b|^(?:won|beat|defeated|win) (?:with |as |against |over |vs |#|the game|my game|\p{L})",
        r"|\b(?:my opponent|he|she|they)(?: has| have| just)* (?:resigned|resigns)\b",
    ))
    .expect("a valid pattern")
});
static I_LOST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\bi(?:'ve|, [\p{L}' .-]{2,40},)?(?: have| just| finally)* (?:lost|lose|resigned)\b|\b(?:beat|beats|defeated|mated|checkmated) me\b",
        r"|\bloss for me\b|\bmy opponent(?: has)? (?:won|wins)\b|^lost (?:with |as |to|against)\b|\b(?:he|she) (?:won|wins)\b",
    ))
    .expect("a valid pattern")
});
/// The verbs of what is told of a side.
static SIDES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:win for )?(?:white|black) (?:(?:has|is) )?\w+|^win for (?:white|black)")
        .expect("a valid pattern")
});
/// Words for a game that is over.
static GAME: LazyLock<Words> =
    LazyLock::new(|| Words::new(&["game", "games", "board", "section", "opponent", "we", "half"]));
static DREW: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\bdrew\b|\bdrawn\b|\bstalemate\b|\bdraw(?:,|:|\.| by| agreed| was agreed| with| in| against| vs)?(?:$|\b)")
        .expect("a valid pattern")
});
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"([\p{L}'-]{2,})(?: has| have)? (won|wins|beat|beats|def|defeated|defeats|mated|checkmated|lost|loses|resigned|resigns)\b",
    )
    .expect("a valid pattern")
});
/// Verbs in two halves for giving up: `Schwarz gab nach dem 23. Zug auf`.
static GAVE_UP: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?:gab|gibt|gebe)\b[^,;]{0,60} auf\b|\b(?:gaf|geeft)\b[^,;]{0,60} op\b|\b(?:gav|ger)\b[^,;]{0,60} upp\b",
        r"|\bg(?:a|i)ve[sn]?\b[^,;]{0,30} up\b",
    ))
    .expect("a valid pattern")
});
/// Words before a verb that name nobody: `whoever wins`.
const NOBODY: &[&str] = &[
    "who", "whoever", "that", "which", "they", "nobody", "one", "you", "this", "it", "and",
    "who'd", "player", "i", "we", "has", "have", "not", "also", "just", "finally", "ich", "je",
    "jag", "jeg", "ik", "hat", "he", "she",
];
static WHITE: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "white won",
        "whitewins",
        "white wins",
        "win for white",
        "white mates",
        "white checkmates",
        "black resigned",
        "black resigns",
        "black has resigned",
        "white has won",
        "black is mated",
        "black is checkmated",
        "black lost",
        "black loses",
    ])
});
static BLACK: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "black won",
        "blackwins",
        "black wins",
        "win for black",
        "black mates",
        "black checkmates",
        "white resigned",
        "white resigns",
        "white has resigned",
        "black has won",
        "white is mated",
        "white is checkmated",
        "white lost",
        "white loses",
    ])
});

/// What a sentence tells, and how sure the words are.
pub(super) type Told = (Says, Confidence);

/// Reads words; none where they tell of no game.
pub(super) fn told(sentence: &Sentence, said: &Said<'_>) -> Option<Told> {
    let plain = sentence.plain.as_str();
    let sure = |says| (says, Confidence::Certain);
    let whole = 0..plain.len();
    for (words, side) in [(&*WHITE, Side::White), (&*BLACK, Side::Black)] {
        let Some(at) = words.found(plain).and_then(|found| plain.find(found)) else { continue };
        if of_the_game(&SIDES, &plain[at..], sentence, said) != Fits::No {
            // Of a side somebody may speak who speaks of any game: `White won in the game of 1851`.
            let known = meant::is_familiar(sentence, whole, said);
            return Some((
                Says::Side(side),
                if known { Confidence::Certain } else { Confidence::Probable },
            ));
        }
    }
    // `19N04: beat Ortiz` says who did only without the label before it.
    let body =
        plain.split_once(": ").filter(|(label, _)| label.len() <= 16).map_or(plain, |(_, b)| b);
    let won = of_the_game(&I_WON, body, sentence, said);
    let lost = of_the_game(&I_LOST, body, sentence, said);
    if (won == Fits::No) != (lost == Fits::No) {
        let certain = won.max(lost) == Fits::Yes;
        let sure = if certain { Confidence::Certain } else { Confidence::Probable };
        return Some((Says::Me { won: won > lost }, sure));
    }
    let offers = [Key::DrawOffer, Key::DrawAccept, Key::DrawDecline, Key::DrawClaim];
    if offers.iter().any(|key| sentence.tags.has(*key)) {
        // An offer, and what is said to one: `draws.rs`.
    } else if of_the_game(&DREW, plain, sentence, said) != Fits::No && is_draw(sentence) {
        let linked = GAME.are_in(plain) || meant::names_an_opponent(sentence, said);
        if linked || meant::is_familiar(sentence, whole, said) {
            return Some(sure(Says::Draw));
        }
    }
    if let Some(told) = in_any_language(sentence, said) {
        return Some(told);
    }
    let none = won == Fits::No && lost == Fits::No;
    let named = NAMED.captures(plain).filter(|n| none && !NOBODY.contains(&&n[1]))?;
    let verb = named.get(2)?;
    if meant::is_game(verb.as_str(), &plain[verb.end()..], sentence, said) == Fits::No {
        return None;
    }
    let won = !matches!(&named[2], "lost" | "loses" | "resigned" | "resigns");
    if is_met(&plain[..named.get(1)?.start()]) {
        return Some(sure(Says::Me { won })); // `vs Keating won`
    }
    Some(sure(Says::Name { name: named[1].to_owned(), won }))
}

/// Tells whether what stands before a name says that it is the opponent's: `vs`, `against P.`, `gegen Frau`.
fn is_met(before: &str) -> bool {
    let words = before.split([' ', '.', ',']).filter(|w| !w.is_empty()).rev().take(2);
    words
        .into_iter()
        .any(|word| lexicon::list(Key::Versus).any(|(_, phrase)| folded(phrase) == *word))
}

/// Tells whether a sentence is about somebody who is not known here: `Liverpool won 1-0`.
pub(super) fn is_of_a_stranger(sentence: &Sentence, said: &Said<'_>) -> bool {
    let Some(named) = NAMED.captures(&sentence.plain) else { return false };
    let sides = ["white", "black", "opponent"];
    !NOBODY.contains(&&named[1])
        && !sides.contains(&&named[1])
        && !meant::is_familiar(&Sentence::of(&named[1]), 0..named[1].len(), said)
}

/// Reads the phrases of the lexicon.
fn in_any_language(sentence: &Sentence, said: &Said<'_>) -> Option<Told> {
    let (says, code) =
        own(sentence).or_else(|| of_another(sentence)).or_else(|| drawn(sentence))?;
    if code != "en" && meant::held_in(sentence, code).is_some() {
        return None;
    }
    let whole = 0..sentence.plain.len();
    // The English phrases are figures of speech: `one nil to me`.
    let figure = code == "en" && matches!(says, Says::Me { .. });
    let known = !figure && (code == "en" || meant::is_familiar(sentence, whole, said));
    if !known && !figure && !meant::names_an_opponent(sentence, said) {
        return None; // `Ich habe meine Brille verloren`
    }
    Some((says, if known { Confidence::Certain } else { Confidence::Probable }))
}

/// Reads what the sender says of himself: `ich gewann`, `ich habe gegen Lund gewonnen`.
fn own(sentence: &Sentence) -> Option<(Says, &'static str)> {
    let tags = &sentence.tags;
    let whole = |key| tags.each(key).next().map(|tag| tag.code);
    let halves = |key| {
        let together = |have: &&Tag| {
            tags.each(key).any(|verb: &Tag| {
                verb.code == have.code
                    && verb.at.start >= have.at.end
                    && !sentence.plain[have.at.end..verb.at.start].contains([',', ';', ':'])
            })
        };
        tags.each(Key::IHave).find(together).map(|tag| tag.code)
    };
    let won = whole(Key::IWon).or_else(|| halves(Key::Won));
    let lost = whole(Key::ILost).or_else(|| halves(Key::Lost));
    match (won, lost) {
        (Some(code), None) => Some((Says::Me { won: true }, code)),
        (None, Some(code)) => Some((Says::Me { won: false }, code)),
        _ => None,
    }
}

/// Reads what is said of somebody else: what stands right before the verb is who did it.
fn of_another(sentence: &Sentence) -> Option<(Says, &'static str)> {
    let tags = &sentence.tags;
    let verbs = [(Key::TheyWon, true), (Key::TheyLost, false), (Key::TheyResigned, false)];
    let all = verbs.iter().flat_map(|(key, won)| tags.each(*key).map(|tag| (tag, *won)));
    // Of two verbs in one another (`gewann`, `hat gewonnen`) the longest.
    let (verb, won) = (all.map(|(tag, won)| (tag.clone(), won)).chain(in_two_halves(sentence)))
        .max_by_key(|(tag, _)| tag.at.len())?;
    if verb.code == "en" && !super::resign::may_follow(&sentence.plain[verb.at.end..]) {
        return None; // `Theo gave up a pawn`
    }
    let before = sentence.plain[..verb.at.start].trim_end();
    let subject = |key| tags.each(key).any(|t| t.code == verb.code && t.at.end == before.len());
    if subject(Key::White) || subject(Key::Black) {
        let white = subject(Key::White) == won;
        return Some((Says::Side(if white { Side::White } else { Side::Black }), verb.code));
    }
    if subject(Key::Foe) {
        return Some((Says::Me { won: !won }, verb.code));
    }
    let name = before.rsplit(|c: char| !c.is_alphanumeric() && !"'-".contains(c)).next()?;
    if is_met(&before[..before.len() - name.len()]) {
        return Some((Says::Me { won }, verb.code)); // `vs P. Vance won`
    }
    let named = name.chars().count() > 1 && !NOBODY.contains(&name);
    named.then(|| (Says::Name { name: name.to_owned(), won }, verb.code))
}

/// Finds verbs with words between their halves: `Herr O'Dell hat heute aufgegeben`.
fn in_two_halves(sentence: &Sentence) -> Option<(Tag, bool)> {
    static HALVES: LazyLock<Vec<(&str, bool, Regex)>> = LazyLock::new(|| {
        let all = [
            (
                "de",
                false,
                r"\bhat [^,;:.]{1,50} (?:aufgegeben|verloren)\b|\bgab [^,;:.]{1,50} auf\b",
            ),
            ("de", true, r"\bhat [^,;:.]{1,50} gewonnen\b"),
            (
                "nl",
                false,
                r"\bheeft [^,;:.]{1,50} (?:opgegeven|verloren)\b|\bgaf [^,;:.]{1,50} op\b",
            ),
            ("nl", true, r"\bheeft [^,;:.]{1,50} gewonnen\b"),
            ("sv", false, r"\bhar [^,;:.]{1,50} (?:gett upp|givit upp|förlorat)\b"),
            ("sv", true, r"\bhar [^,;:.]{1,50} vunnit\b"),
            ("fr", false, r"\ba [^,;:.]{1,30} (?:abandonné|perdu)\b"),
            ("es", false, r"\bha [^,;:.]{1,30} (?:abandonado|perdido)\b"),
        ];
        all.map(|(code, won, p)| (code, won, Regex::new(p).expect("a valid pattern"))).to_vec()
    });
    HALVES.iter().find_map(|(code, won, pattern)| {
        let at = pattern.find(&sentence.plain)?.range();
        Some((Tag { at, key: Key::TheyResigned, code }, *won))
    })
}

fn drawn(sentence: &Sentence) -> Option<(Says, &'static str)> {
    let offers = [Key::DrawOffer, Key::DrawAccept, Key::DrawDecline];
    if offers.iter().any(|key| sentence.tags.has(*key)) {
        return None;
    }
    let tagged = sentence.tags.each(Key::Drawn).next().map(|tag| tag.code);
    let ended = || ENDED_DRAWN.iter().find(|(_, p)| p.is_match(&sentence.plain)).map(|(c, _)| *c);
    tagged.or_else(ended).map(|code| (Says::Draw, code))
}

/// `Die Partie endete nach 40 Zügen remis`: a verb and a draw with words between, in either order.
static ENDED_DRAWN: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let all = [
        ("de", "endete|endet|geendet|beendet|ging|trennten|ausgegangen", "remis|unentschieden"),
        ("nl", "eindigde|geëindigd|afgelopen|werd|geworden", "remise"),
        ("sv", "slutade|slutat|blev|blivit", "remi"),
        ("da", "endte|endt|sluttede|blev", "remis"),
        ("no", "endte|endt|sluttet|ble", "remis"),
        ("fr", "terminée?|finie?|soldée?|achevée?|conclue?", "nulle?|pat"),
        (
            "es",
            "terminó|terminado|terminada|acabó|acabado|finalizó|finalizado|concluyó",
            "tablas|empate",
        ),
        ("it", "finita|terminata|conclusa|finì|terminò", "patta|parità|pareggio"),
        ("pt", "terminou|terminada|acabou|acabada", "empate|empatada|empatou"),
        ("cs", "skončila|skončil|skončilo|dohodli", "remízou|remíza|remis|remízu"),
        ("pl", "zakończyła|zakończona|skończyła|zakończyliśmy", "remisem|remis"),
        ("ru", "закончилась|завершилась|закончили|окончилась", "вничью|ничьей|ничья"),
    ];
    let pattern = |verbs: &str, draws: &str| {
        let gap = r"[^,;:.!?]{0,60}";
        let pattern =
            format!(r"\b(?:{verbs})\b{gap}\b(?:{draws})\b|\b(?:{draws})\b{gap}\b(?:{verbs})\b");
        Regex::new(&pattern).expect("a valid pattern")
    };
    all.map(|(code, verbs, draws)| (code, pattern(verbs, draws))).to_vec()
});

/// Tells whether a draw is told rather than asked for or spoken of.
fn is_draw(sentence: &Sentence) -> bool {
    const SPOKEN: &[&str] = &[
        "draw offer",
        "a draw?",
        "accept",
        "declin",
        "a draw would",
        "to draw",
        "conclusions",
        "drew up",
        "drawn to",
        "drawn out",
        "drawn position",
        "drawn ending",
        "drawn endgame",
        "want a draw",
        "any draw",
        "fair draw",
        "drew a ",
        "for a draw",
        "draw a ",
        "drew my",
        "drew your",
        "drew the",
        "draw the",
        "draw odds",
        "is drawn",
        "be drawn",
        "looks drawn",
        "theoretical draw",
        "dead draw",
        "a draw in hand",
        "prize draw",
        "the draw for",
    ];
    const CLEAR: &[&str] = &[
        "drew the game",
        "game is drawn",
        "drew a game",
        "is drawn by",
        "drew my game",
        "drew a long",
    ];
    let plain = sentence.plain.as_str();
    let spoken = SPOKEN.iter().any(|words| plain.contains(words)) || plain.trim() == "draw";
    !spoken
        || CLEAR.iter().any(|words| plain.contains(words))
        || sentence.tags.has_in(Key::Drawn, "en")
}

/// Returns how a game ended, as its words say.
pub(super) fn how(sentence: &Sentence, says: &Says) -> How {
    const WORDS: &[(Key, How)] = &[
        (Key::Stalemate, How::Stalemate),
        (Key::Mate, How::Mate),
        (Key::Resignation, How::Resignation),
        (Key::Repetition, How::Repetition),
        (Key::Fifty, How::FiftyMoves),
        (Key::Material, How::Material),
        (Key::Agreement, How::Agreement),
    ];
    let drawn = matches!(says, Says::Draw);
    let fits = |how: How| match how {
        How::Mate | How::Resignation => !drawn,
        How::Played => false,
        _ => true,
    };
    let known = WORDS.iter().find(|(key, how)| sentence.tags.has(*key) && fits(*how));
    let agreed = || has(&sentence.plain, "mutual").then_some(How::Agreement);
    let gave_up = || (!drawn && GAVE_UP.is_match(&sentence.plain)).then_some(How::Resignation);
    known.map(|(_, how)| *how).or_else(agreed).or_else(gave_up).unwrap_or(How::Played)
}
