//! What only a person can deal with: moves, draw offers, withdrawals, leave, complaints, a change of address, a death.
//! It is known by its words, so that it is never taken for something else; nothing is made of it here.

use super::{Found, Said, phrases::Words};
use crate::{domain::event::Trouble, mail::understanding::Intent};
use regex::Regex;
use std::sync::LazyLock;

static MOVE: LazyLock<Regex> = LazyLock::new(|| {
    let man = "[KQRBNSDTLCFAPКФЛСП♔-♟]";
    let square = "[a-h][1-8]";
    let san = format!(
        r"(?:{man}?[a-h]?[1-8]?[x:-]?{square}(?:[-x:]?{square})?(?:=?[QRBNDTSL])?|{man}{square}[-x]{square}|[a-h]x?[a-h]|[O0o]-[O0o](?:-[O0o])?)"
    );
    Regex::new(&format!(
        r"(?:^|[\s(,:;])\d{{1,3}} ?\.{{1,4}} ?(?:{san}|[1-8]{{4,5}}\b|[KQRBNP](?:[KQ]?[RNB])?[-x])|^(?:\d{{1,3}} )?{san}[+#!?.ch ]*(?:\(.*\))?$|(?:^|\s)[1-8][1-8][1-8][1-8][1-5]?$"
    ))
    .expect("a valid pattern")
});
/// Matters that take back what else was read, with their words in lower case.
static MATTERS: LazyLock<Vec<(&str, Words)>> = LazyLock::new(|| {
    vec![
        (
            "a withdrawal",
            Words::new(&[
                "i withdraw",
                "withdraw me",
                "withdraw my",
                "i must withdraw",
                "i have to withdraw",
                "withdraw from",
                "withdrawal",
                "drop out",
                "no longer keep up",
                "i quit",
            ]),
        ),
        (
            "leave",
            Words::new(&[
                "time out",
                "timeout",
                "time-out",
                "leave please",
                "on leave",
                "request leave",
                "vacation from",
                "leave from",
                "time off",
                "leave of absence",
            ]),
        ),
        (
            "a complaint about time",
            Words::new(&[
                "time complaint",
                "claim the game",
                "claim a win",
                "claim the win",
                "claim a forfeit",
                "on time",
                "does not answer",
                "no answer from",
                "not answered",
                "no reply from",
                "repeat sent",
                "second sending",
                "overstepped",
                "silent since",
                "has not replied",
            ]),
        ),
        (
            "a change of address",
            Words::new(&[
                "new address",
                "new email",
                "new e-mail",
                "changed my address",
                "my address is now",
                "change of address",
            ]),
        ),
        ("a death", Words::new(&["passed away", "has died", "died on", "deceased"])),
        ("several games at once", Words::new(&["all my games are", "all games are", "both games"])),
        (
            "conduct",
            Words::new(&["using a computer", "using an engine", "is cheating", "insulted"]),
        ),
    ]
});
/// Words of a running game, in lower case.
static PLAY: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "my move is",
        "i reply",
        "i play",
        "your move",
        "my move",
        "conditional",
        "attached game",
        "draw?",
        "offered a draw",
        "remis?",
        "tablas?",
        "nulle?",
        "is accepted",
        "your offer",
        "offer a draw",
        "i offer",
        "propose a draw",
        "accept your draw",
        "accept the draw",
        "accept your offer",
        "decline",
    ])
});

/// Notes what a person must look at, and takes back what must not be acted on beside it.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    if let Some((matter, words)) = matter(said, found) {
        let read = std::mem::take(&mut found.intents);
        if !read.is_empty() {
            found.reasons.push("What else the mail says waits until that is decided.".to_owned());
        }
        let trouble =
            if said.players.is_empty() { Trouble::SenderUnknown } else { Trouble::ForDirector };
        return found.trouble(trouble, format!("`{words}` speaks of {matter}."));
    }
    let stands = found.intents.iter().any(|i| !matches!(i, Intent::Question { .. }));
    if stands || found.trouble.is_some() {
        return;
    }
    if let Some(reason) = play(said) {
        if said.players.is_empty() {
            // Nobody known: spam and photos are full of such words. Only a game that is named makes it ours.
            let named = !super::game::Clues::of(said.subject, said).sections.is_empty();
            if named {
                found.intents.clear();
                found.trouble(Trouble::SenderUnknown, reason);
            }
            return;
        }
        found.intents.clear();
        found.trouble(Trouble::ForDirector, reason);
    }
}

fn matter<'s>(said: &'s Said<'_>, found: &Found) -> Option<(&'static str, &'s str)> {
    let asks_only = !found.intents.is_empty()
        && found.intents.iter().all(|i| matches!(i, Intent::Question { .. }));
    let entry = found.intents.iter().any(|i| matches!(i, Intent::Entry { .. }));
    for sentence in &said.sentences {
        if sentence.question && asks_only {
            continue;
        }
        for (matter, words) in MATTERS.iter() {
            if entry && matches!(*matter, "a change of address" | "leave") {
                continue; // `with my new address`, `I have time off this year`
            }
            if let Some(words) = words.found(&sentence.plain) {
                return Some((matter, words));
            }
        }
    }
    None
}

/// Tells what in the mail belongs to a running game.
fn play(said: &Said<'_>) -> Option<String> {
    let sentences = &said.sentences;
    let pieces = said.text.lines().chain(sentences.iter().map(|s| s.text.as_str()));
    if let Some(piece) = pieces.map(str::trim).find(|piece| MOVE.is_match(piece)) {
        let quoted = super::phrases::short(piece);
        return Some(format!("`{quoted}` is a move; moves are not read yet."));
    }
    let spoken = sentences.iter().find_map(|s| PLAY.found(&s.plain));
    if let Some(words) = spoken {
        return Some(format!("`{words}` speaks of a running game."));
    }
    let record = said.record && !said.players.is_empty();
    record.then(|| "A game record came with it; records are not read yet.".to_owned())
}
