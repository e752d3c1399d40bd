//! Rules 7 and 10: what the director's choice on a player's petition brings about: a forfeit on time, a withdrawal with its
//! results, another address, a membership renewed, a draw. Other choices only close the item.

use super::{advancement, reports, rulings};
use crate::domain::{
    decide::Decision,
    docket::Item,
    event::Event,
    ids::{GameId, MemberId},
    intent::{DrawGround, Intent, Scope},
    player::Player,
    points::{How, Outcome, Score},
    section::{EntryState, GameState, Section},
};

/// Carries out a choice on a petition.
pub(super) fn settle(decision: &mut Decision<'_>, item: &Item, choice: &str, reason: &str) {
    let Some(player) = &item.about.player else { return };
    match (item.asked.as_deref(), choice) {
        (Some(Intent::TimeComplaint { game, .. }), "forfeit") => {
            let id = game.id();
            if let Some(side) = decision.state.side_of(&id, player) {
                let outcome = Outcome { result: Score::win(side), how: How::TimeForfeit };
                rulings::fix_result(decision, &id, outcome, reason);
            }
        }
        (Some(Intent::DrawClaim { game, ground }), "1/2-1/2") => {
            let outcome = Outcome { result: Score::Draw, how: drawn(*ground) };
            rulings::fix_result(decision, &game.id(), outcome, reason);
        }
        (Some(Intent::Withdraw { scope, .. }), "withdraw") => {
            withdraw(decision, item, player, *scope, reason);
        }
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

const fn drawn(ground: DrawGround) -> How {
    match ground {
        DrawGround::Repetition => How::Repetition,
        DrawGround::FiftyMoves => How::FiftyMoves,
        DrawGround::Material => How::Material,
        DrawGround::Unsaid => How::Adjudication,
    }
}

/// The running games are lost by withdrawal; what is finished stands (Rule 10).
fn withdraw(
    decision: &mut Decision<'_>,
    item: &Item,
    player: &MemberId,
    scope: Scope,
    reason: &str,
) {
    let state = decision.state;
    let within = |section: &Section| match scope {
        Scope::Section => item.about.section.as_ref() == Some(&section.code),
        Scope::Event | Scope::All => true,
    };
    let own: Vec<_> = state.seats_of(player).filter(|(section, _)| within(section)).collect();
    for (section, seat) in own {
        let running = section.games_of(seat).filter(|game| game.state == GameState::Running);
        let lost: Vec<(GameId, Outcome)> = running
            .filter_map(|game| {
                let result = Score::win(game.side(seat)?.other());
                Some((section.game_id(game), Outcome { result, how: How::Withdrawal }))
            })
            .collect();
        if let Some(seated) = section.seated(seat).filter(|_| !lost.is_empty()) {
            decision.push(Event::EntryWithdrawn { entry: seated.entry.clone() });
        }
        lose(decision, section, &lost, reason);
    }
    if scope != Scope::Section {
        withdraw_waiting(decision, player);
    }
}

fn lose(decision: &mut Decision<'_>, section: &Section, lost: &[(GameId, Outcome)], reason: &str) {
    let mut after = section.clone();
    for (game, outcome) in lost {
        reports::settle(&mut after, game, *outcome);
        decision.push(Event::ResultRuled {
            game: game.clone(),
            outcome: *outcome,
            on: decision.now.today,
            reason: reason.to_owned(),
        });
    }
    if !lost.is_empty() {
        advancement::follow(decision, &after);
    }
}

/// Entries that have no section yet never get one; what was paid for them is for the director to settle.
fn withdraw_waiting(decision: &mut Decision<'_>, player: &MemberId) {
    let state = decision.state;
    let ids = state.entries_of.get(player).into_iter().flatten();
    let waits = |state| {
        matches!(state, EntryState::AwaitingPayment | EntryState::Waiting | EntryState::Advanced)
    };
    let waiting = ids.filter(|id| state.entries.get(id).is_some_and(|e| waits(e.state)));
    for entry in waiting.cloned().collect::<Vec<_>>() {
        decision.push(Event::EntryWithdrawn { entry });
    }
}

/// An email address comes first in the place of the old one; anything else is where paper goes.
fn change_address(decision: &mut Decision<'_>, player: &MemberId, old: Option<&str>, new: &str) {
    let Some(mut changed) = decision.state.players.get(player).cloned() else { return };
    let new = new.trim();
    if new.contains('@') && !new.contains(char::is_whitespace) {
        let gone = |address: &String| {
            address.eq_ignore_ascii_case(new)
                || old.is_some_and(|old| address.eq_ignore_ascii_case(old.trim()))
        };
        changed.emails.retain(|address| !gone(address));
        changed.emails.insert(0, new.to_owned());
    } else {
        changed.address = Some(new.to_owned());
    }
    decision.push(Event::PlayerListed(changed));
}
