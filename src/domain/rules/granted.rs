//! Rules 7 and 10: what the director's choice on a player's petition brings about: a forfeit on time or a warning, a
//! withdrawal with its results, a death noted, another address, a membership renewed, a draw, players kept apart. Other
//! choices only close the item.

use super::{forfeits, persons, rulings, withdrawal};
use crate::domain::{
    acts::NewAddress,
    decide::Decision,
    docket::Item,
    event::Event,
    ids::{GameId, MemberId},
    intent::{DrawGround, Intent},
    player::Player,
    points::{How, Outcome, Score},
};

/// Carries out a choice on a petition.
pub(super) fn settle(decision: &mut Decision<'_>, item: &Item, choice: &str, reason: &str) {
    let Some(player) = &item.about.player else { return };
    match (item.asked.as_deref(), choice) {
        (Some(Intent::TimeComplaint { game, .. }), _) => {
            settle_complaint(decision, &game.id(), player, choice, reason);
        }
        (Some(Intent::DrawClaim { game, ground }), "1/2-1/2") => {
            let outcome = Outcome { result: Score::Draw, how: drawn(*ground) };
            rulings::fix_result(decision, &game.id(), outcome, reason);
        }
        (Some(Intent::Withdraw { .. }), _) => {
            withdrawal::settle(decision, item, player, choice, reason);
        }
        (Some(Intent::Death { .. }), "died") => withdrawal::note_death(decision, player),
        (Some(Intent::Entry { .. }), _) => persons::settle_wish(decision, item, choice),
        (Some(Intent::AddressChange { old, new: Some(new), .. }), "change") => {
            change_address(decision, player, old.as_deref(), new);
        }
        (Some(Intent::Membership { expires: Some(expires) }), "renewed") => {
            let listed = decision.state.players.get(player).cloned();
            if let Some(listed) = listed {
                let renewed = Player { expires: Some(*expires), ..listed };
                decision.push(Event::PlayerListed(renewed));
            }
        }
        _ => {}
    }
}

/// The opponent of who complains has overstepped his time: he loses the game, or is warned (Rule 10).
fn settle_complaint(
    decision: &mut Decision<'_>,
    game: &GameId,
    player: &MemberId,
    choice: &str,
    reason: &str,
) {
    let Some(side) = decision.state.side_of(game, player) else { return };
    match choice {
        "forfeit" => {
            let outcome = forfeits::outcome(Some(side.other()), How::TimeForfeit);
            rulings::fix_result(decision, game, outcome, reason);
        }
        "warn" => forfeits::warn(decision, game, side.other(), reason),
        _ => {}
    }
}

const fn drawn(ground: DrawGround) -> How {
    match ground {
        DrawGround::Repetition => How::Repetition,
        DrawGround::FiftyMoves => How::FiftyMoves,
        DrawGround::Material => How::Material,
        DrawGround::Unsaid => How::Adjudication,
    }
}

/// An email address comes first in the place of the old one; anything else is where paper goes.
fn change_address(decision: &mut Decision<'_>, player: &MemberId, old: Option<&str>, new: &str) {
    let Some(mut changed) = decision.state.players.get(player).cloned() else { return };
    let (new, member) = (new.trim(), player.clone());
    let mut moved =
        NewAddress { member, old: changed.emails.first().cloned(), new: new.to_owned() };
    if new.contains('@') && !new.contains(char::is_whitespace) {
        let gone = |address: &String| {
            address.eq_ignore_ascii_case(new)
                || old.is_some_and(|old| address.eq_ignore_ascii_case(old.trim()))
        };
        changed.emails.retain(|address| !gone(address));
        changed.emails.insert(0, new.to_owned());
    } else {
        moved.old = changed.address.replace(new.to_owned());
    }
    decision.push(Event::PlayerListed(changed));
    decision.push(Event::AddressChanged(moved));
}
