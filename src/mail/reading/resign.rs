//! Resignations: whether a sentence gives up a game. Nothing is costlier to read wrongly, so a phrase counts only in a
//! clause that says nothing against it; what stands beside it must be the game, its players, or thanks.
//!
//! - `I resign`, `Ich gebe auf`, `Сдаюсь`: they count unless something holds them back;
//! - `you win`, `I give up`, `I would like to resign`: they count alone or before the game: `I give up this one`.
//!
//! What is left over is asked about. Which game it is, is told elsewhere (`game.rs`).

use super::{
    Said,
    meant::{self, clause},
    phrases::{self, Sentence, Words},
};
use crate::mail::{
    lexicon::{Key, Tag, Tags},
    understanding::Confidence,
};
use regex::Regex;
use std::{ops::Range, sync::LazyLock};

/// Whoever is resigned *to* something has not resigned, nor has one who plays on.
static RESIGNED_TO: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"\bresign(?:ed|s|ing)? (?:(?:my|him|her|your|them|our|one)sel(?:f|ves)\b|(?:now )?to (?:\w+ing|an?|the|my|his|her|this|that|it|defeat|fate|loss)\b)",
    )
    .expect("a valid pattern")
});
/// An office that is resigned, and no game.
static OFFICE: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "committee",
        "treasurer",
        "secretary",
        "president",
        "chairman",
        "chair",
        "captain",
        "editor",
        "my job",
        "my post",
        "my office",
        "my position as",
        "position as",
        "employer",
        "association",
        "federation",
        "membership",
        "from the club",
        "from the board",
        "from my club",
        "the council",
        "my seat",
        "my duties",
        "as director",
        "from work",
        "as coach",
        "as organizer",
    ])
});
/// What makes anything beside it a thought, wherever in the sentence it stands.
static ANYWHERE: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "if",
        "unless",
        "should",
        "would",
        "could",
        "might",
        "whether",
        "maybe",
        "perhaps",
        "probably",
        "almost",
        "nearly",
        "when",
        "whenever",
        "until",
        "till",
        "once",
        "wrote",
        "writes",
        "said",
        "says",
        "told",
        "asked",
        "wants",
        "supposing",
        "suppose",
        "imagine",
        "otherwise",
        "or else",
        "play on",
        "playing on",
        "otb",
        "blitz",
        "bullet",
        "lichess",
        "last year",
        "years ago",
        "joke",
        "kidding",
        "tempted",
        "dream",
        "dreamed",
        "dreamt",
        "next move",
        "tomorrow",
        "some day",
        "someday",
        "eventually",
        "sooner or later",
        "next time",
        "next week",
    ])
});
/// What holds a phrase back in its own clause, before it.
static BEFORE: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "not",
        "never",
        "no way",
        "nobody",
        "neither",
        "nor",
        "cannot",
        "before",
        "why",
        "how",
        "like",
        "think",
        "guess",
        "believe",
        "hope",
        "wish",
        "expect",
        "soon",
        "about to",
        "going to",
        "time to",
        "ready to",
        "tempting to",
        "want to",
        "wanted to",
        "let me",
        "say",
        "saying",
        "i'd",
        "will",
        "shall",
        "may",
        "rather than",
        "instead of",
        "without",
        "ought",
        "feel like",
        "considering",
        "consider",
        "do i",
        "can i",
        "must i",
        "may i",
        "shall i",
        "than",
        "as if",
        "where",
        "the day",
        "say that",
        "time",
        "only",
    ])
});
/// Words before `that I resign` that make it a statement.
static TELLING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:inform|informing|tell|telling|let|know|announce|declare|confirm|notify|advise|report|reporting|sorry|afraid|notice|note|so|is)\b[^,;:]{0,40} that $")
        .expect("a valid pattern")
});
/// `Take the rook and I resign`.
static DARES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:(?:just|now|ok|well),? )?(?:take|play|find|one|another|give|try|show|capture|move|do|make|let|win|check|see|get|prove|sacrifice|the day|a)\b[^.]* (?:and|then) $")
        .expect("a valid pattern")
});
/// What may follow a phrase in English that gives up a game.
static FOLLOWS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"^(?:$| ?[,.;:!?()*/=-]| [–—]| \d| #|"#,
        r" (?:this|that|it|it all|here|now|hereby|herewith|against|to|v|vs|versus|and|but|so|with|after|because|since|due|given|thanks|thank",
        r"|well|good|great|nice|gracefully|immediately|today|tonight|then|right|at once|too|also|again|section|game|board|congratulations|congrats|bravo|kudos",
        r"|as (?:i|my|the|there|it|you|he|she|we|black|white|this|that|nothing|mate)",
        r"|in (?:\w*\d|section|this|our|my|both|view|light|game|board|the (?:game|section|position|above))",
        r"|on (?:move|board|the \d)|at (?:move|once|this|\d)|before (?:it|you|i|the)|without further",
        r"|(?:the|this|that|my|our|these|all|all of|both|both of)(?: \w+){0,2} (?:games?|match|board|one|ones|contest|encounter))\b)",
    ))
    .expect("a valid pattern")
});
/// What may follow a phrase that counts only alone.
static GAME_FOLLOWS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(?:$| ?[,.;:!)*]| - | (?:this one|this game|the game|our game|my game|that one|game|here|now|in (?:\w*\d|section|this|our|my|game)",
        r"|against|to|v|vs|and|dear|mr|mrs|ms|well|thanks|with)\b)",
    ))
    .expect("a valid pattern")
});

/// How a subject says it: `19N04 Hale-Ortiz, resigning`.
static ENDS_IN_IT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^[^?]{3,60}[ ,:-](?:resign|resigning|resignation|aufgabe|abandon|abandono|opgave)[.!]?$",
    )
    .expect("a valid pattern")
});
/// What behind such a phrase leaves no doubt: `I give up this game, you play too good`.
static GAME_NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^ (?:this one|(?:this|the|our|my|that) game)(?: here| now| (?:with|against) [\p{L}. ]+)?(?:$| ?[,.;:!)]| and\b)")
        .expect("a valid pattern")
});

/// What a sentence says about giving up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GivesUp {
    /// It does, as surely as this.
    Yes(Confidence),
    /// It sounds like it and does not, for this reason.
    No(&'static str),
}

/// Tells whether a sentence gives up a game; none where it does not even sound like it.
pub(super) fn gives_up(sentence: &Sentence, said: &Said<'_>) -> Option<GivesUp> {
    let plain = sentence.plain.as_str();
    // `Ortiz - O'Dell: resigns (me)`.
    let named = |label: &str| label.len() < 40 && (label.contains('-') || label.contains(" v"));
    let body = plain.split_once(": ").filter(|(l, _)| named(l)).map_or(plain, |(_, body)| body);
    let bare = body.trim_matches(|c: char| !c.is_alphanumeric());
    if matches!(bare, "resign" | "resigns" | "resigning" | "resigned" | "resigns (me")
        && !sentence.question
    {
        // As a sentence it is the sender who does; in a subject, or called out, it may be anybody.
        let own = matches!(bare, "resign" | "resigning") && plain.ends_with('.');
        let sure = own && !is_subject(sentence, said);
        return Some(GivesUp::Yes(if sure { Confidence::Certain } else { Confidence::Probable }));
    }
    if is_subject(sentence, said) && ENDS_IN_IT.is_match(plain) && sentence.held_back().is_none() {
        return Some(GivesUp::Yes(Confidence::Probable));
    }
    // Of phrases in one another (`feladom`, `feladom a játszmát`) the longest.
    let longest = |key| sentence.tags.each(key).max_by_key(|tag| tag.at.len()).cloned();
    let (tag, weak) = by_pattern(plain)
        .into_iter()
        .chain(longest(Key::Resign))
        .max_by_key(|tag| tag.at.len())
        .map(|tag| (tag, false))
        .or_else(|| longest(Key::ResignWeak).map(|tag| (tag, true)))?;
    if let Some(why) = held_back(sentence, &tag.at, tag.code) {
        return Some(GivesUp::No(why));
    }
    let rest = &plain[tag.at.end..];
    let sure = if weak {
        if !GAME_FOLLOWS.is_match(rest) && tag.code == "en" {
            return None; // `I give up the pawn`, `you win a piece`
        }
        let near = clause(plain, &tag.at);
        if tag.code != "en" && !meant::is_familiar(sentence, tag.at.end..near.end, said) {
            return Some(GivesUp::No("something else is given up")); // `Abandono el tabaco`
        }
        tag.code == "en" && GAME_NAMED.is_match(rest)
            || meant::is_familiar(sentence, 0..plain.len(), said)
    } else if tag.code == "en" {
        FOLLOWS.is_match(rest)
    } else {
        let near = clause(plain, &tag.at);
        if !meant::is_familiar(sentence, tag.at.start..near.end, said) {
            return Some(GivesUp::No("something else is given up")); // `J'abandonne le tabac`
        }
        meant::is_familiar(sentence, near.start..tag.at.start, said)
    };
    Some(GivesUp::Yes(if sure { Confidence::Certain } else { Confidence::Probable }))
}

fn is_subject(sentence: &Sentence, said: &Said<'_>) -> bool {
    said.own_subject && sentence.plain == phrases::plain(said.subject)
}

/// Finds what gives up a game in verbs with words between: `I must therefore resign`, `Ich gebe die Partie gegen Lund auf`.
fn by_pattern(plain: &str) -> Option<Tag> {
    const AUXILIARIES: &str = concat!(
        r"(?:hereby|herewith|now|therefore|thus|must|have to|do|decided|decided to|already|sadly|reluctantly|regretfully|regrettably|unfortunately",
        r"|gladly|graciously|gracefully|officially|formally|honou?rably|respectfully|humbly|finally|also|simply|can only|forced to|obliged to",
        r"|compelled to|no (?:other )?(?:choice|option) (?:but|than|left but) to|have|here|accordingly|duly|with regret|with a heavy heart|then|had better)",
    );
    static ENGLISH: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(&format!(
            concat!(
                r"\bi(?:'ve| have| am|'m)?(?:,? {a},?)* (?:resign|resigning|resing|rezign)\b",
                r"|\b(?:(?:i|we) (?:(?:hereby|herewith|now|would|regretfully) )*(?:wish|want|like|beg|have|must|desire) (?:to )?)?(?:hereby )?(?:tender|submit|offer|give|make|send|announce|declare|hand in|present|record|register|enter|note|accept)(?: (?:you|hereby|herewith))* my resignation\b",
                r"|\bi make(?: (?:hereby|herewith))* (?:the|a) resignation\b|\bi [^.;:!?]{{1,80}} and (?:{a} )*resign\b",
            ),
            a = AUXILIARIES
        ))
        .expect("a valid pattern")
    });
    static OTHERS: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
        let all = [
            ("de", r"\b(?:ich gebe|gebe ich|ich gab|und gebe)\b[^.,;:!?]{0,70} auf\b"),
            ("nl", r"\b(?:ik geef|geef ik|en geef)\b[^.,;:!?]{0,70} op\b"),
            ("sv", r"\b(?:jag ger|ger jag|och ger)\b[^.,;:!?]{0,70} upp\b"),
            ("da", r"\b(?:jeg giver|giver jeg|og giver)\b[^.,;:!?]{0,70} op\b"),
            ("no", r"\b(?:jeg gir|gir jeg|og gir)\b[^.,;:!?]{0,70} opp\b"),
        ];
        all.map(|(code, p)| (code, Regex::new(p).expect("a valid pattern"))).to_vec()
    });
    let tag = |at, code| Tag { at, key: Key::Resign, code };
    if plain.contains("resi") || plain.contains("rezi") {
        let found = ENGLISH.find(plain)?;
        // `I play on, and resign`: only the verb itself is the phrase.
        let start = found.as_str().rfind(" and ").map_or(found.start(), |n| found.start() + n + 5);
        return Some(tag(start..found.end(), "en"));
    }
    OTHERS.iter().find_map(|(code, pattern)| {
        let found = pattern.find(plain)?;
        let and =
            ["und ", "en ", "och ", "og "].iter().find(|and| found.as_str().starts_with(**and));
        Some(tag(found.start() + and.map_or(0, |and| and.len())..found.end(), *code))
    })
}

/// Tells whether somebody is resigned *to* something, or plays on: no game ends by that.
pub(super) fn goes_on(plain: &str) -> bool {
    let on = ["play on", "playing on", "fight on", "fighting on", "game goes on", "still playing"];
    RESIGNED_TO.is_match(plain) || on.iter().any(|words| plain.contains(words))
}

/// Tells whether what follows `resigned` lets it be a game that was given up.
pub(super) fn may_follow(rest: &str) -> bool {
    FOLLOWS.is_match(rest)
}

/// Tells whether an office is given up, and no game.
pub(super) fn is_office(plain: &str) -> bool {
    OFFICE.are_in(plain)
}

/// Tells what keeps a phrase from giving up a game.
fn held_back(sentence: &Sentence, at: &Range<usize>, code: &str) -> Option<&'static str> {
    let plain = sentence.plain.as_str();
    let near = clause(plain, at);
    let before = &plain[near.start..at.start];
    if sentence.question {
        return Some("it is a question");
    }
    if is_quoted(plain, at) {
        return Some("it stands between quotation marks");
    }
    if goes_on(plain) {
        return Some("the game goes on");
    }
    if is_office(plain) {
        return Some("it is an office that is given up");
    }
    if plain[at.end..].starts_with(" from ") {
        return Some("one resigns a game, and withdraws from a section");
    }
    let outside = format!("{} | {}", &plain[..at.start], &plain[at.end..]);
    if ANYWHERE.are_in(&outside) || BEFORE.are_in(before) || before.contains("n't") {
        return Some("it is denied, hangs on something, or is a thought");
    }
    if before.ends_with(" that ") && !TELLING.is_match(&plain[..at.start]) {
        return Some("it tells what somebody thinks");
    }
    if DARES.is_match(&plain[..at.start]) {
        return Some("it dares the opponent");
    }
    let around = Tags::around(&plain[at.end..near.end.max(at.end)]);
    if [Key::SectionWord, Key::EventWord, Key::AllEvents].iter().any(|key| around.has(*key))
        && code != "en"
    {
        return Some("one resigns a game, and withdraws from a section");
    }
    if code != "en" {
        // `Ich sehe keine Verteidigung mehr und gebe auf`: only what stands near denies.
        let whole = meant::held_in(sentence, code);
        let near = Sentence::of(&plain[near]);
        return whole
            .filter(|why| *why != phrases::DENIED || meant::held_in(&near, code).is_some());
    }
    meant::elsewhere(sentence)
}

/// Tells whether a sentence says that the opponent wrote that he gives up: `Vance wrote to me: "I resign, all the best"`.
pub(super) fn is_quoted_of_opponent(sentence: &Sentence, said: &Said<'_>) -> bool {
    static WROTE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"\b(?:wrote|writes|written|sent|answered|replied|mailed|emailed|geschrieben|schrieb|schreibt|antwortete|geantwortet|a écrit|m'écrit|écrit",
            r"|escribió|escribe|respondió|ha scritto|scrive|schreef|geschreven|escreveu|skrev|skriver|skrivit|napsal[a]?|написал[а]?|napisał[a]?)\b",
        ))
        .expect("a valid pattern")
    });
    let Some(at) = sentence.plain.find(['"', '«', '„']) else { return false };
    let before = Sentence::of(&sentence.plain[..at]);
    let told = WROTE.is_match(&before.plain) && !ANYWHERE.are_in(&sentence.plain[at..]);
    let named = before.tags.has(Key::Foe)
        || sentence
            .text
            .find(['"', '“', '„', '«'])
            .is_some_and(|n| meant::names_an_opponent(&Sentence::of(&sentence.text[..n]), said));
    // `He wrote "I resign"` may be told of any game; `he wrote me: "I resign"` is news.
    let to_me = ["me", "mir", "mij", "mig", "meg", "mi", "мне"]
        .iter()
        .any(|me| phrases::has(&before.plain, me))
        || before.plain.contains("m'")
        || before.plain.trim_end().ends_with(':');
    let first = ["i wrote", "ich schrieb", "ich habe", "j'ai", "escribí", "jag skrev"];
    told && named
        && to_me
        && !sentence.question
        && !first.iter().any(|own| before.plain.contains(own))
}

fn is_quoted(plain: &str, at: &Range<usize>) -> bool {
    let quote = |c: char| matches!(c, '"' | '\'' | '«' | '»' | '‹' | '›');
    let opened = plain[..at.start].matches('"').count() % 2 == 1;
    opened
        || plain[..at.start].ends_with(quote)
        || plain[at.end..].trim_start_matches(['.', '!', ',']).starts_with(quote)
}
