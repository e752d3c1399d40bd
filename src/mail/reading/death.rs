//! News that a player has died. Nothing is tactless but to act on it in a wrong way: the director writes.
//!
//! Grammar: words of death with a person before them: one of the family (`my husband passed away; he had games with
//! you`), somebody by name, the opponent. Told from the player's own address, the sender is not the player, and nothing
//! else in the mail is his. A death in the family of a player who writes himself is none of a player; nor is that of a
//! queen, an attack or a computer.

use super::{
    Found, Said,
    game::{self, Clues},
    people,
    phrases::{Sentence, short},
    stated::{Hold, Words, is_joke},
};
use crate::{
    domain::{event::Trouble, ids::MemberId, intent::Intent},
    mail::{
        lexicon::{Key, Tags},
        understanding::Confidence,
    },
};

/// Reads news of a death.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let tells = said.sentences.iter().filter(|s| s.tags.has(Key::Died));
    for sentence in tells.take(super::CLOSELY) {
        let Some(tag) = sentence.tags.each(Key::Died).next() else { continue };
        let around = Tags::around(&sentence.plain);
        let words = Words::tagged(sentence, tag, &around);
        let clause = words.clause();
        let inside = |key: Key| {
            around.each(key).any(|t| clause.start <= t.at.start && t.at.end <= clause.end)
        };
        if inside(Key::NoPerson) {
            continue;
        }
        let held = words.held_but(&[Hold::Told, Hold::Elsewhere]);
        if let Some(hold) = held.or_else(|| is_joke(said).then_some(Hold::Joke)) {
            let quoted = short(&sentence.text);
            found.aside(format!("`{quoted}` is not taken as news of a death: {}.", hold.why()));
            continue;
        }
        let hearsay = words.held_but(&[Hold::Elsewhere]).is_some();
        if take(sentence, &around, hearsay, said, found) {
            return;
        }
    }
}

/// Takes a sentence; true where it told of a player's death.
fn take(
    sentence: &Sentence,
    around: &Tags,
    hearsay: bool,
    said: &Said<'_>,
    found: &mut Found,
) -> bool {
    let quoted = short(&sentence.text);
    let named = people::named(&part(sentence, said), said);
    if is_of_a_relative(&told(sentence)) {
        found.aside(format!("`{quoted}` tells of the death of somebody's relative."));
        return false;
    }
    let own = |p: &MemberId| said.players.contains(p);
    let writes = family_writes(said) && !said.players.is_empty();
    let relative = around.has(Key::Relative) || writes && named.is_empty();
    let family = relative || named.iter().any(own);
    if family && !named.iter().any(|p| !own(p)) {
        return family_tells(relative, &named, &quoted, said, found);
    }
    let opponent = around.has(Key::Opponent);
    let player = match &named[..] {
        [one] => Some(one.clone()),
        [] if opponent => opponent_of(sentence, said),
        _ => None,
    };
    let someone = around.has(Key::Third) && said.whole().has(Key::Played);
    if named.is_empty() && !opponent && !relative && around.has(Key::Third) {
        let spoken = spoken_of(sentence, said);
        if let [one] = &spoken[..] {
            add(Some(one.clone()), Confidence::Unsure, &quoted, said, found);
            return true;
        }
    }
    if named.is_empty() && !opponent && !someone {
        found.aside(format!("`{quoted}` tells of a death; whose, the books do not tell."));
        return false;
    }
    let sure = if hearsay || said.players.is_empty() || player.is_none() {
        Confidence::Unsure
    } else {
        Confidence::Certain
    };
    add(player, sure, &quoted, said, found);
    true
}

/// Tells whether one of the family says that he writes: `This is his daughter.`
fn family_writes(said: &Said<'_>) -> bool {
    said.sentences.iter().any(|s| s.tags.has(Key::FamilyWrites))
}

/// Returns whom the two sentences before name: `I am the minister of Silas Brandt's parish. He died last Tuesday.`
fn spoken_of(sentence: &Sentence, said: &Said<'_>) -> Vec<MemberId> {
    let at = said.sentences.iter().position(|s| s == sentence).unwrap_or(0);
    let before = said.sentences.iter().take(at).rev().take(2);
    let named = before.map(|s| people::named(s, said)).find(|named| !named.is_empty());
    let mut named = named.unwrap_or_default();
    named.retain(|player| !said.players.contains(player));
    named
}

/// Returns the part of the sentence that tells of the death: who is greeted before it has not died.
fn part(sentence: &Sentence, said: &Said<'_>) -> Sentence {
    let parts = sentence.text.split([',', ';', ':', '(']).map(Sentence::of);
    let mut telling = parts.filter(|part| part.tags.has(Key::Died));
    let alone = telling.next().filter(|part| !people::named(part, said).is_empty());
    alone.unwrap_or_else(|| sentence.clone())
}

/// Returns the sentence up to the words of death, and behind `the death of` the whole: `Lund died, says his wife`.
fn told(sentence: &Sentence) -> String {
    let plain = &sentence.plain;
    let end = sentence.tags.each(Key::Died).next().map(|tag| tag.at.end);
    let before = end.and_then(|end| plain.get(..end)).filter(|before| !before.ends_with(" of"));
    before.unwrap_or(plain).to_owned()
}

/// `Your mother passed away`, `Vance's wife has died`.
fn is_of_a_relative(told: &str) -> bool {
    const RELATIVES: &[&str] = &[
        "mother",
        "father",
        "wife",
        "husband",
        "brother",
        "sister",
        "son",
        "daughter",
        "uncle",
        "aunt",
        "grandfather",
        "grandmother",
        "mom",
        "mum",
        "dad",
        "parents",
        "friend",
        "dog",
        "cat",
    ];
    let mut before = "";
    told.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| {
        let whose = matches!(before, "your" | "his" | "her" | "their") || before.ends_with("'s");
        before = word;
        whose && RELATIVES.contains(&word)
    })
}

/// One of the family tells: the player is the one whose address it is, or the one who is named.
fn family_tells(
    relative: bool,
    named: &[MemberId],
    quoted: &str,
    said: &Said<'_>,
    found: &mut Found,
) -> bool {
    let all = said.whole();
    // Whoever says nothing of a player, and signs as the player or not at all, may well be he, and mourns.
    let plays = all.has(Key::Played) || family_writes(said) || !named.is_empty();
    let another = said.players.iter().any(|p| people::another_writes(p, said));
    let himself = !found.intents.is_empty() || writes_himself(said);
    if relative && !plays && (himself || !another) {
        found.aside(format!("`{quoted}` tells of a death in the family of the sender."));
        return true;
    }
    let player = match (named, said.players) {
        ([one], _) | ([], [one]) => Some(one.clone()),
        _ => None,
    };
    let known = !said.players.is_empty();
    if known && !found.intents.is_empty() {
        found.reasons.push(
            "It is not the player who writes, so nothing else in the mail is his.".to_owned(),
        );
    }
    found.intents.clear();
    found.doubt = None;
    found.undecided = false;
    let sure = if known { Confidence::Certain } else { Confidence::Unsure };
    add(player, sure, quoted, said, found);
    true
}

/// Tells whether the sender speaks of games of his own.
fn writes_himself(said: &Said<'_>) -> bool {
    const OWN: [&str; 12] = [
        "my game",
        "my move",
        "my opponent",
        "i play",
        "i resign",
        "my reply",
        "my section",
        "delay",
        "meine partie",
        "mein zug",
        "ma partie",
        "mi partida",
    ];
    let mut sentences = said.sentences.iter();
    sentences.any(|s| OWN.iter().any(|own| s.plain.contains(own)) || s.tags.has(Key::AskLeave))
}

fn add(
    player: Option<MemberId>,
    sure: Confidence,
    quoted: &str,
    said: &Said<'_>,
    found: &mut Found,
) {
    let intent = Intent::Death { player, about: quoted.to_owned() };
    found.add(intent, sure, format!("`{quoted}` tells that a player has died."));
    if said.players.is_empty() {
        let reason = "No player is known under the sender's address.".to_owned();
        found.trouble(Trouble::SenderUnknown, reason);
    } else if sure == Confidence::Unsure {
        found.trouble(
            Trouble::ForDirector,
            "Who it is, or whether it is so, is not sure.".to_owned(),
        );
    }
}

/// Returns the opponent in the game that the sentence or the subject means.
fn opponent_of(sentence: &Sentence, said: &Said<'_>) -> Option<MemberId> {
    let (own, subject) = (Clues::of(&sentence.text, said), Clues::of(said.subject, said));
    let pick = game::resolve(&[&own, &subject], said).ok().filter(|pick| !pick.guessed)?;
    let (side, _) = pick.sender?;
    said.desk.state.member_of(&pick.game.id(), side.other()).cloned()
}
