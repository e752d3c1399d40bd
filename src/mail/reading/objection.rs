//! Objections: to what is in the books (`that result is wrong, I won`), to a ruling or a forfeit (`I protest against the
//! forfeit`), to what the opponent has reported. The director sees each; what the sender says instead stays in its
//! sentence, and is a result only where the opponent's report is not in the books yet.
//!
//! A question, and what would be objected to, is none.

use super::{
    Found, Said,
    game::{self, Clues},
    meant,
    phrases::{Sentence, Words, short},
    result,
    told::told,
};
use crate::{
    domain::{event::Trouble, intent::Intent},
    mail::{lexicon::Key, understanding::Confidence},
};
use regex::Regex;
use std::sync::LazyLock;

/// What the sender says he never did: `I did not agree to a draw`.
static NEVER_DID: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?:i|we) (?:did not|didn't|have not|haven't|never|have never) (?:agreed?|resign(?:ed)?|accept(?:ed)?|lose|lost|offer(?:ed)?|forfeit(?:ed)?|report(?:ed)?)\b",
        r"|\bthat was no (?:draw|loss|resignation|forfeit)\b",
    ))
    .expect("a valid pattern")
});
/// `We agreed a draw, not a loss`.
static NOT_A: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\bnot (?:a|an|my|his|her) (?:loss|win|draw|defeat|forfeit|victory|resignation)\b")
        .expect("a valid pattern")
});
/// `The result of Hale-Ortiz is wrong`.
static IS_WRONG: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?:result|score|cross ?table|table|letter|report|notice|record|page|list|message|standings?|forfeit|forfeiture|ruling|decision|adjudication|points)\b[^.?!]{0,60}\b(?:is|are|was|were|has been|looks)",
        r" (?:(?:simply|clearly|plainly|just|quite) )?(?:wrong|incorrect|false|unfair|unjust|mistaken|in error|an error|a mistake|(?:not|n't) (?:right|correct|fair|true|just))\b",
        r"|\b(?:wrong|incorrect|false) (?:result|score|entry in the)\b",
    ))
    .expect("a valid pattern")
});
/// What makes a sentence a thought.
static WOULD: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "if",
        "unless",
        "would",
        "should",
        "could",
        "might",
        "may object",
        "can i",
        "may i",
        "how do i",
        "whether",
        "wenn",
        "falls",
        "würde",
        "si",
        "se",
        "als",
    ])
});
/// What is to be put right, where a sentence says so.
static CORRECT: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "please correct",
        "please change",
        "please fix",
        "correct the",
        "to be corrected",
        "correct 1",
    ])
});

/// `That is not true!`, beside what somebody has reported.
static DISPUTES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(?:\w+ )?(?:that|this|it|which|he|she)(?:'s| is| was)(?: \w+)? (?:not (?:true|so|right|correct|(?:the )?truth|what happened|how it was)|untrue|false|a lie|lies|wrong|incorrect|nonsense|lying|mistaken)\b",
        r"|^(?:das|dies) (?:ist|war) (?:\w+ )?(?:nicht (?:wahr|richtig|korrekt)|falsch|gelogen|unwahr)\b|\b(?:das stimmt (?:so |aber )?nicht)\b",
        r"|\bce n'est pas (?:vrai|exact|correct|juste)\b|^c'est (?:faux|inexact)\b|\b(?:eso|esto) (?:no es (?:cierto|verdad|correcto)|es falso)\b|^no es (?:cierto|verdad)\b",
        r"|\bnon è (?:vero|corretto|giusto)\b|\b(?:dat|dit) (?:is niet (?:waar|juist)|klopt niet)\b|\b(?:isso )?não é verdade\b|\bdet (?:är inte|stämmer inte|är fel)\b|\bto není pravda\b|\bэто (?:неправда|не так)|\bto nieprawda\b",
    ))
    .expect("a valid pattern")
});

/// What tells how a game ended.
static END: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"\b(?:draw|drawn|drew|won|win|lost|resigned|remis|tablas|nulle|patta|1-0|0-1|1/2)\b",
    )
    .expect("a valid pattern")
});

/// Reads objections.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let subject = Clues::of(said.subject, said);
    for (n, sentence) in said.sentences.iter().enumerate() {
        if found.taken.contains(&sentence.text) || !objects(sentence, said) {
            continue;
        }
        // The sentence behind it may tell the game: `Please correct 19N04 4-5`.
        let near = said.sentences[n..].iter().take(2).map(|s| Clues::of(&s.text, said));
        let near: Vec<Clues> = near.collect();
        let clues: Vec<&Clues> = near.iter().chain([&subject]).collect();
        if said.players.is_empty() && clues.iter().all(|c| c.sections.is_empty()) {
            continue; // a stranger's words about nobody's game
        }
        let pick = game::resolve(&clues, said).ok();
        let game = pick.filter(|p| !p.guessed).map(|pick| pick.game);
        let about = sentence.text.clone();
        let reason = format!("`{}` objects.", short(&about));
        found.add(Intent::Objection { game, about }, Confidence::Certain, reason);
        if let Some(instead) = instead(sentence, said) {
            result::state(&instead, &clues, said, found);
        }
        let speaks =
            |s: &Sentence| s.plain != sentence.plain && END.is_match(&s.plain) && !reports(s);
        if DISPUTES.is_match(&sentence.plain) && said.sentences.iter().any(speaks) {
            let reason = "It tells the game otherwise than it was reported.".to_owned();
            found.trouble(Trouble::ForDirector, reason);
        }
        let states = found.intents.iter().any(|i| matches!(i, Intent::Result { .. }));
        if said.players.is_empty() {
            let reason = "No player is known under the sender's address.".to_owned();
            found.trouble(Trouble::SenderUnknown, reason);
        } else if states {
            let reason = "What the sender says differs from what is said of the game.".to_owned();
            found.trouble(Trouble::ForDirector, reason);
        }
        return;
    }
}

/// Returns the part of an objection that says how it was: `that result is wrong, I won`, `we agreed a draw, not a loss`.
fn instead(sentence: &Sentence, said: &Said<'_>) -> Option<Sentence> {
    let parts = sentence.text.split([',', ';']).flat_map(|part| part.split(" but "));
    let parts: Vec<Sentence> = parts.map(Sentence::of).collect();
    let mut telling = parts.into_iter().filter(|p| {
        let objects = objects(p, said) || p.tags.has(Key::Reported) || NOT_A.is_match(&p.plain);
        !objects && p.held_back().is_none() && told(p, said).is_some()
    });
    let only = telling.next()?;
    telling.next().is_none().then_some(only)
}

fn is_wrong(plain: &str) -> bool {
    // Most sentences hold none of these, and to tell that is quicker.
    let words =
        ["wrong", "incorrect", "false", "unfair", "unjust", "mistake", "error", " not ", "n't "];
    words.iter().any(|word| plain.contains(word)) && IS_WRONG.is_match(plain)
}

/// Tells whether a sentence objects.
pub(super) fn objects(sentence: &Sentence, said: &Said<'_>) -> bool {
    if sentence.question || WOULD.are_in(&sentence.plain) {
        return false;
    }
    let (tags, plain) = (&sentence.tags, sentence.plain.as_str());
    let corrected = || said.sentences.iter().any(|s| CORRECT.are_in(&s.plain));
    tags.has(Key::Object) && !is_of_taste(sentence)
        || tags.has(Key::Wrong)
        || is_wrong(plain)
        || tags.has(Key::Reported) && plain.contains(" but ")
        || NOT_A.is_match(plain) && told(sentence, said).is_some()
        || NEVER_DID.is_match(plain) && corrected()
        || DISPUTES.is_match(plain) && said.sentences.iter().any(reports)
}

/// Tells whether somebody objects to what is no result and no ruling: `I object to the grey print`.
fn is_of_taste(sentence: &Sentence) -> bool {
    static TO: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b(?:object|protest|appeal)(?:ion|ing)? (?:to|against) ([^.;!?]+)")
            .expect("a valid pattern")
    });
    static MATTER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"^(?:it|this|that|all this|these|both)\b(?:$| ?[,.]| (?:and|because|as|since|in|most)\b)|result|score|ruling|decision|forfeit|claim|complaint|draw|loss|win\b|game|table",
            r"|removal|remov|adjudicat|point|report|penalt|default|extension|verdict|award|record|entry|entries|outcome|standing|withdraw|move|time|\d",
        ))
        .expect("a valid pattern")
    });
    let about = TO.captures(&sentence.plain);
    let habit = ["having to", "the way", "being called"];
    about.is_some_and(|c| !MATTER.is_match(&c[1]) || habit.iter().any(|w| c[1].starts_with(w)))
}

/// Tells whether a sentence tells what somebody has reported.
fn reports(sentence: &Sentence) -> bool {
    sentence.tags.has(Key::Reported) || meant::is_of_a_report(&sentence.plain)
}
