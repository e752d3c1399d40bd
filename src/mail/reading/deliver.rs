//! What a mail says of each game, put together: what it says twice is said once; of two different moves the corrected one
//! counts, else the sender is asked.

use super::{Found, Said, game::Pick, moves::place, phrases::short, verdict::OPTIONS};
use crate::{
    domain::{
        event::Trouble,
        ids::GameId,
        intent::{Choice, Intent, Move},
    },
    mail::{lexicon::Key, understanding::Confidence},
};

/// A move that a block brings.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mark of its own")]
pub(super) struct Made {
    pub(super) pick: Pick,
    pub(super) it: Move,
    pub(super) sure: Confidence,
    pub(super) reason: String,
    /// Whether words before it take the move before it back.
    pub(super) corrects: bool,
    /// Whether words behind it take it back.
    pub(super) revoked: bool,
    pub(super) offers_draw: bool,
    /// Whether the sender's board is another than that of the books.
    pub(super) apart: bool,
}

/// Adds what the blocks brought, game by game.
pub(super) fn deliver(made: Vec<Made>, said: &Said<'_>, found: &mut Found) {
    let mut games: Vec<(GameId, Vec<Made>)> = Vec::new();
    for one in made {
        let id = one.pick.game.id();
        match games.iter_mut().find(|(game, _)| *game == id) {
            Some((_, all)) => all.push(one),
            None => games.push((id, vec![one])),
        }
    }
    let mut writers =
        games.iter().flat_map(|(_, all)| all).filter_map(|one| one.pick.sender.as_ref());
    let first = writers.next().map(|(_, member)| member.clone());
    if writers.any(|(_, member)| Some(member) != first.as_ref()) {
        let reason = "It moves for two players; each must send his own moves.".to_owned();
        found.trouble(Trouble::GameUnclear, reason);
    }
    for (id, all) in games {
        settle(&id, merged(all), said, found);
    }
}

/// Leaves of moves that are the same in one game the surest one, with the conditions of all.
fn merged(all: Vec<Made>) -> Vec<Made> {
    let mut kept: Vec<Made> = Vec::new();
    for one in all {
        let same = kept.iter_mut().find(|other| {
            other.it.uci == one.it.uci && (one.it.uci.is_some() || other.it.san == one.it.san)
        });
        match same {
            Some(other) => {
                other.offers_draw |= one.offers_draw;
                other.revoked = one.revoked;
                other.corrects |= one.corrects;
                for condition in one.it.conditional {
                    if !other.it.conditional.contains(&condition) {
                        other.it.conditional.push(condition);
                    }
                }
                if one.sure > other.sure {
                    other.sure = one.sure;
                    other.reason = one.reason;
                }
            }
            None => kept.push(one),
        }
    }
    // That the sender repeats his last move says nothing beside a new one.
    if kept.iter().any(|one| !is_old(one)) {
        kept.retain(|one| !is_old(one));
    }
    kept
}

fn is_old(one: &Made) -> bool {
    one.it.repeat && one.reason.ends_with("already.")
}

/// Adds the move of one game, or asks which of several it is.
fn settle(id: &GameId, mut all: Vec<Made>, said: &Said<'_>, found: &mut Found) {
    let corrected = all.len() > 1
        && (all.last().is_some_and(|one| one.corrects)
            || all.iter().rev().skip(1).any(|o| o.revoked));
    if corrected {
        // `Please read 9...b6, if that is still allowed`: somebody must say whether it is.
        let hedged = said.sentences.iter().rev().take(2).any(|s| {
            s.tags.first(Key::ConditionIf).is_some_and(|r| r.start == 0)
                && !s.tags.has(Key::ConditionPolite)
                && s.tags.all(Key::MoveMine).next().is_none()
        });
        if let Some(last) = all.last_mut().filter(|_| hedged) {
            last.sure = last.sure.min(Confidence::Probable);
        }
        for one in all.drain(..all.len() - 1) {
            let reason = format!("`{}` was taken back in the same mail.", one.it.san);
            found.reasons.push(reason);
        }
    }
    // A move that cannot be played beside one that can: the sender may have meant either.
    let playable = all.iter().filter(|one| one.it.uci.is_some()).count();
    match &mut all[..] {
        [] => {}
        [only] => add(only, said, found),
        _ if playable == 1 => {
            for one in &mut all {
                if one.it.uci.is_some() {
                    one.sure = one.sure.min(Confidence::Probable);
                    add(one, said, found);
                } else {
                    found.reasons.push(one.reason.clone());
                }
            }
        }
        _ => {
            let options: Vec<Choice> = all
                .iter()
                .filter(|o| o.it.uci.is_some())
                .take(OPTIONS)
                .map(|o| o.choice(said))
                .collect();
            let sans: Vec<&str> = all.iter().map(|one| one.it.san.as_str()).collect();
            found
                .reasons
                .push(format!("The mail has several moves for {id}: {}.", sans.join(", ")));
            found.undecided = true;
            if options.len() > 1 {
                found.doubt(format!("Which move did you mean in {id}?"), options);
            } else {
                found.trouble(Trouble::GameUnclear, "None of them can be played.".to_owned());
            }
        }
    }
}

impl Made {
    fn choice(&self, said: &Said<'_>) -> Choice {
        let number = place(self.it.number, self.it.side);
        let says = format!("{number}{} in {}", self.it.san, self.pick.described(said));
        let mut intents = vec![Intent::Move(self.it.clone())];
        if self.offers_draw {
            intents.push(Intent::DrawOffer { game: self.it.game.clone() });
        }
        Choice { says, intents }
    }
}

/// Tells whether the mail answers a letter that went to somebody else.
fn is_anothers(said: &Said<'_>) -> bool {
    let to = said.about.and_then(|about| about.player.as_ref());
    to.is_some_and(|player| !said.players.is_empty() && !said.players.contains(player))
}

fn add(one: &Made, said: &Said<'_>, found: &mut Found) {
    if let Some((_, member)) = &one.pick.sender {
        found.player.get_or_insert_with(|| member.clone());
    }
    let signed = one.pick.sender.as_ref().and_then(|(_, member)| said.signed_by_another(member));
    let doubt = if is_anothers(said) {
        Some("It answers a letter that went to another player.".to_owned())
    } else {
        signed.map(|name| format!("It is signed by {name}, who does not play in that game."))
    };
    let sure = if doubt.is_some() { one.sure.min(Confidence::Probable) } else { one.sure };
    found.reasons.extend(doubt);
    found.undecided |= one.apart;
    if sure == Confidence::Probable {
        let choice = one.choice(said);
        found.doubt(format!("Did you mean {}?", choice.says), vec![choice]);
    }
    found.add(Intent::Move(one.it.clone()), sure, one.reason.clone());
    if one.offers_draw {
        let reason = format!("The sign behind {} offers a draw.", short(&one.it.san));
        found.add(Intent::DrawOffer { game: one.it.game.clone() }, sure, reason);
    }
    if said.players.is_empty() {
        let reason = "No player is known under the sender's address.".to_owned();
        found.trouble(Trouble::SenderUnknown, reason);
    }
}
