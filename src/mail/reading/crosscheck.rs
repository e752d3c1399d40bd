//! Whether what a mail says of a game hangs together. A result or a resignation is not acted on where the same mail
//! takes it back, makes a move in that game, tells elsewhere that it ended otherwise, speaks of tennis, or is a claim.
//! Also what is said twice, and courtesy that only looks like a question: `Would you kindly tell her that I resign?`
//!
//! It finds nothing by itself: that do `grammar.rs`, `told.rs` and `resign.rs`.

use super::{
    Found, Said,
    grammar::{Says, Stated},
    phrases::{Sentence, plain, short},
    result::is_act,
};
use crate::{
    domain::{
        event::Trouble,
        intent::{Game, Intent},
        points::{How, Score, Side},
    },
    mail::{
        lexicon::{Key, Tags},
        understanding::Confidence,
    },
};
use regex::Regex;
use std::sync::LazyLock;

/// A request that is put as a question.
static COURTESY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(?:w|c)(?:ould|ill|an) you (?:please,? |kindly |be so kind(?: as)? to |be so good(?: as)? to |do me the favou?r of |perhaps )?",
        r"(tell|inform|let|note|record|enter|register|pass(?: it)? on|mark|put (?:me |it )?down|file|accept|report|notify|convey)\b",
    ))
    .expect("a valid pattern")
});
/// A statement that is put as a wish.
static PADDING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(?:i|we)(?:'d| would| should| wish| want| must| have| beg| hereby| regret)+ (?:kindly |respectfully |hereby |just |only |very much )*",
        r"(?:to have to |like to |ask you to |request you to |request that you |be (?:grateful|obliged|glad|happy) if you (?:would|could) |appreciate (?:it )?if you (?:would|could) |to )",
        r"(?:kindly |please |hereby |just )*(inform|tell|note|record|enter|report|register|announce|notify|advise|let you know|confirm|state|certify|declare)\b",
    ))
    .expect("a valid pattern")
});
/// What makes such a sentence a real question.
static REAL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:tell|inform|let|notify) (?:me|us)\b|\b(?:if|whether|or|how|why|when|what|which|who)\b")
        .expect("a valid pattern")
});
/// Another kind of game.
static SPORTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?:tennis|golf|football|soccer|fußball|fútbol|calcio|voetbal|hockey|baseball|basketball|handball|volleyball|cricket|rugby",
        r"|badminton|ping.?pong|pingis|bowling|kegeln|boule|pétanque|curling|snooker|billiards|darts|backgammon|checkers|draughts",
        r"|poker|skat|bridge|canasta|scrabble|table tennis|tischtennis|fotbal|piłk\w+|теннис\w*|футбол\w*)\b",
    ))
    .expect("a valid pattern")
});
/// What tells that the sender has lost.
static I_LOST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?:her|his|your|their) (?:\w+ )?(?:win|victory|point)\b|\bi (?:gave (?:it )?up|resigned|conceded|got mated|was mated|was checkmated|got checkmated|have been mated|had to resign)\b",
        r"|\b(?:jag gav upp|ich gab\b[^,;]{0,30} auf\b|ich habe\b[^,;]{0,30} aufgegeben|j'ai abandonné|abandoné|me rendí|ho abbandonato|mi sono arreso|ik gaf (?:het )?op|ik heb opgegeven|abandonei|desisti)\b",
        r"|(?:vzdal[a]? jsem|\bя сдал(?:ся|ась)|\bpoddał(?:em|am))",
        r"|\b(?:he|she|my opponent) (?:has )?(?:won|mated me|checkmated me|beat me)\b",
    ))
    .expect("a valid pattern")
});
/// What tells that the sender has won.
static I_WON: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\bmy (?:\w+ )?(?:win|victory)\b|\b(?:he|she|my opponent) (?:has )?(?:resigned|gave up|conceded|lost)\b|\bi (?:have )?(?:won|mated|checkmated)\b",
        r"|\b(?:han|hon) gav upp\b|\b(?:er|sie) (?:gab|hat)\b[^,;]{0,30} (?:auf|aufgegeben)\b|\b(?:il|elle) a abandonné\b|\bmeu triunfo\b",
    ))
    .expect("a valid pattern")
});
/// How a sentence begins that puts right what stands before it.
static CORRECTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^\W*(?:oh|oops|ups|no|nein|non|nej|sorry|pardon|excuse me|i mean|i meant|rather|correction|make that|that should be|should be|wait",
        r"|verzeihung|entschuldigung|perdón|scusi|scusate|desculpe|ursäkta|pardon)\b",
    ))
    .expect("a valid pattern")
});

/// Returns a sentence that asks for what it states as the request that it is.
pub(super) fn without_courtesy(sentence: &Sentence) -> Sentence {
    if sentence.question && REAL.is_match(&sentence.plain) {
        return sentence.clone();
    }
    let courtesy = if sentence.question { &COURTESY } else { &PADDING };
    let Some(found) = courtesy.captures(&sentence.text) else { return sentence.clone() };
    let (whole, verb) = (found.get(0), found.get(1));
    let Some((whole, verb)) = whole.zip(verb) else { return sentence.clone() };
    let (before, behind) = (&sentence.text[..whole.start()], &sentence.text[whole.end()..]);
    let behind = behind.trim_end_matches(['?', ' ']);
    Sentence::of(&format!("{before}please {} {}.", verb.as_str(), behind.trim_start()))
}

/// Tells whether a sentence puts right what stands before it: `1-0... sorry, I had White and lost: 0-1`.
pub(super) fn corrects(sentence: &Sentence) -> bool {
    CORRECTS.is_match(&sentence.plain)
}

/// Tells whether a sentence is about another kind of game than chess.
pub(super) fn is_of_sport(plain: &str) -> bool {
    SPORTS.is_match(plain)
}

/// Tells whether a bare score belongs to a claim: `1-0. I claim the win on time.`
pub(super) fn is_claimed(stated: &Stated, sentences: &[Sentence]) -> bool {
    let bare = matches!(stated.says, Says::Score(_)) && stated.how == How::Played;
    let claims = |s: &Sentence| {
        let tagged = s.tags.has(Key::Claim) || s.tags.has(Key::Complaint);
        tagged && s.held_back() != Some("it is a question")
    };
    bare && sentences.iter().any(claims)
}

/// Tells whether what the subject states counts by itself: only where the body does not speak of the matter.
pub(super) fn subject_counts(stated: &Stated, about_matter: bool, found: &Found) -> bool {
    let told = found.intents.iter().any(is_act);
    let unclear = found.trouble.is_some() || found.undecided;
    let harmless = matches!(stated.says, Says::Score(_) | Says::Points(..));
    !told && !unclear && (!about_matter || harmless)
}

/// Tells whether the mail says an act already, or another result of that game by which it is told.
pub(super) fn is_told(intent: &Intent, found: &Found) -> bool {
    found.intents.iter().any(|told| match (told, intent) {
        (
            Intent::Result { game, result, .. },
            Intent::Result { game: other, result: again, .. },
        ) => game == other && result == again,
        (told, intent) => told == intent,
    })
}

/// Takes a result that the mail tells once more: with the way it ended, and as surely as the surer of the two words.
pub(super) fn told_again(
    of: &Game,
    score: Score,
    more: How,
    sure: Confidence,
    found: &mut Found,
) -> bool {
    let same = |intent: &&mut Intent| match intent {
        Intent::Result { game, result, .. } => game == of && *result == score,
        _ => false,
    };
    let Some(told) = found.intents.iter_mut().find(same) else { return false };
    let asked = found.doubt.as_ref().is_some_and(|doubt| match &doubt.options[..] {
        [only] => only.intents.contains(told),
        _ => false,
    });
    if let Intent::Result { how, .. } = told
        && *how == How::Played
    {
        *how = more;
    }
    let told = told.clone();
    if asked && sure == Confidence::Certain {
        found.doubt = None;
        if found.intents.len() == 1 {
            found.confidence = Confidence::Certain;
        }
    } else if asked && let Some(doubt) = &mut found.doubt {
        for option in &mut doubt.options {
            option.intents = vec![told.clone()];
        }
    }
    true
}

/// Looks for what speaks against the results and resignations that were found.
pub(super) fn check(sentences: &[Sentence], said: &Said<'_>, found: &mut Found) {
    if !found.intents.iter().any(is_act) {
        return;
    }
    let takes_back = |s: &&Sentence| Tags::around(&s.plain).has(Key::TakenBack);
    if let Some(joke) = sentences.iter().find(takes_back) {
        let reason = format!("`{}` may take back what the mail says.", short(&joke.text));
        found.trouble(Trouble::ForDirector, reason);
    }
    if let Some(game) = moved_and_resigned(found) {
        let reason = format!("The mail makes a move in {} and resigns it.", game.id());
        found.trouble(Trouble::GameUnclear, reason);
    }
    if let Some(sentence) = otherwise(sentences, said, found) {
        let reason = format!("`{}` tells it otherwise.", short(&sentence.text));
        found.trouble(Trouble::GameUnclear, reason);
    }
    if let Some(sport) = sentences.iter().find(|s| SPORTS.is_match(&s.plain)) {
        let named = sentences.iter().any(|s| s.plain.contains("section") || is_coded(&s.plain));
        if named || is_coded(&plain(said.subject)) {
            return;
        }
        let reason = format!("`{}` is about another kind of game.", short(&sport.text));
        found.intents.retain(|intent| !matches!(intent, Intent::Result { .. }));
        found.doubt = None;
        found.aside(reason);
    }
}

fn is_coded(plain: &str) -> bool {
    static CODE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b\d\d[ -]?[a-z]{1,2}[ -]?\d{1,3}\b").expect("a valid pattern")
    });
    CODE.is_match(plain)
}

/// Returns the game in which the mail makes a new move and gives up.
fn moved_and_resigned(found: &Found) -> Option<Game> {
    let moved = |of: &Game| {
        let same = |i: &Intent| matches!(i, Intent::Move(m) if m.game == *of && !m.repeat);
        found.intents.iter().any(same)
    };
    found.intents.iter().find_map(|intent| match intent {
        Intent::Resign { game } if moved(game) => Some(game.clone()),
        _ => None,
    })
}

/// Returns the sentence that tells another end of the only game of which a result is told.
fn otherwise<'s>(
    sentences: &'s [Sentence],
    said: &Said<'_>,
    found: &Found,
) -> Option<&'s Sentence> {
    let mut results = found.intents.iter().filter_map(|intent| match intent {
        Intent::Result { game, result, .. } => Some((game, *result)),
        _ => None,
    });
    let ((game, result), None) = (results.next()?, results.next()) else { return None };
    let seat = |side: Side| said.desk.state.member_of(&game.id(), side);
    let own = [Side::White, Side::Black]
        .into_iter()
        .find(|side| seat(*side).is_some_and(|member| said.players.contains(member)))?;
    let won = result == Score::win(own);
    let lost = result == Score::win(own.other());
    let against = |s: &&Sentence| {
        let (wins, loses) = (I_WON.is_match(&s.plain), I_LOST.is_match(&s.plain));
        let states = s.held_back().is_none() || s.tags.has(Key::Resignation);
        states && !s.question && (won && loses && !wins || lost && wins && !loses)
    };
    sentences.iter().find(against)
}
