//! What only a person can deal with, and no reader knows: words of a running game of which nothing could be made, and
//! statements about several games at once. They are known by their words, so that they are never taken for nothing.

use super::{
    Found, Said,
    phrases::{Words, short},
};
use crate::{
    domain::{event::Trouble, intent::Intent},
    mail::lexicon::Key,
};
use std::sync::LazyLock;

/// Words that speak of several games at once, in lower case.
static SEVERAL: LazyLock<Words> =
    LazyLock::new(|| Words::new(&["all my games are", "all games are", "both games"]));

/// Words of a running game.
const PLAY: &[Key] = &[
    Key::DrawOffer,
    Key::DrawAccept,
    Key::DrawDecline,
    Key::DrawClaim,
    Key::DrawWithdrawn,
    Key::DrawSign,
    Key::ConditionTaken,
    Key::ConditionOffered,
];

/// Notes what a person must look at.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    if let Some(words) = several(said, found) {
        found.intents.clear();
        let trouble =
            if said.players.is_empty() { Trouble::SenderUnknown } else { Trouble::ForDirector };
        return found.trouble(trouble, format!("`{words}` speaks of several games at once."));
    }
    if found.spoken && found.intents.is_empty() && !said.players.is_empty() && found.doubt.is_none()
    {
        let reason = "What it speaks of is for a person to read.".to_owned();
        return found.trouble(Trouble::ForDirector, reason);
    }
    let taken = said.sentences.iter().find(|s| s.tags.has(Key::ConditionTaken));
    let nothing = found.intents.is_empty() && found.trouble.is_none() && found.doubt.is_none();
    if said.players.is_empty() || !(nothing || taken.is_some()) {
        return;
    }
    let spoken = said.sentences.iter().find(|s| PLAY.iter().any(|key| s.tags.has(*key)));
    if let Some(sentence) = taken.or(spoken) {
        let text = short(&sentence.text);
        found.trouble(Trouble::ForDirector, format!("`{text}` speaks of a running game."));
    }
}

/// Returns words about several games, where a single result was made of them.
fn several<'s>(said: &'s Said<'_>, found: &Found) -> Option<&'s str> {
    let results = found
        .intents
        .iter()
        .filter(|intent| matches!(intent, Intent::Result { .. } | Intent::Resign { .. }));
    if results.count() != 1 {
        return None;
    }
    said.sentences.iter().find_map(|sentence| SEVERAL.found(&sentence.plain))
}
