//! Rule 7: the director decides. A ruling closes a docket item and brings about what was chosen; it adds to the
//! record and edits nothing.

use super::{
    advancement, closing, entry, filling, forfeits, granted, invitation, leave, leftover,
    membership, payment, penalties, prizes, reports, undelivered, unpaid,
};
use crate::domain::{
    decide::Decision,
    docket::{Item, ItemKind, Ruling},
    event::Event,
    ids::{EntryId, GameId, ItemId},
    player::Player,
    points::{Outcome, Score},
    refusal::Refusal,
    section::{Entry, EntryState, GameState},
    state::State,
    tournament::Tournament,
};

/// Says why a ruling is not possible: there is no such item, it is decided, or that is no choice of it.
///
/// # Errors
/// The sentence for the director.
pub fn check(state: &State, item: ItemId, choice: &str) -> Result<(), String> {
    match state.docket.get(&item) {
        None => Err(format!("there is no item {item} on the docket")),
        Some((_, Some(ruling))) => {
            Err(format!("{item} was decided on {}: {}", ruling.at.date_naive(), ruling.choice))
        }
        Some((open, None)) if !open.choices.iter().any(|c| c == choice) => {
            Err(format!("{item} offers {}, not `{choice}`", open.choices.join(", ")))
        }
        Some(_) => Ok(()),
    }
}

/// Decides an item as the director chose (Rule 7). What [`check`] refuses changes nothing.
pub(in crate::domain) fn rule(
    decision: &mut Decision<'_>,
    item: ItemId,
    choice: &str,
    reason: &str,
    by: &str,
) {
    if check(decision.state, item, choice).is_err() {
        return;
    }
    let at = decision.now.at;
    let ruling =
        Ruling { choice: choice.to_owned(), reason: reason.to_owned(), by: by.to_owned(), at };
    decision.push(Event::ItemRuled { item, ruling });
    let state = decision.state;
    let (item, _) = &state.docket[&item];
    match item.kind {
        ItemKind::ResidenceUnknown
        | ItemKind::MemberUnknown
        | ItemKind::MembershipLapsed
        | ItemKind::AddressUnknown
        | ItemKind::EntryLate => settle_entries(decision, item, choice, reason),
        ItemKind::SectionShort => leftover::settle(decision, item, choice),
        ItemKind::Objection if matches!(choice, "answered" | "dismiss") => {}
        ItemKind::ResultDisputed | ItemKind::ResultContested | ItemKind::Objection => {
            settle_result(decision, item, choice, reason);
        }
        ItemKind::NobodyAdvances => advancement::settle_nobody(decision, item, choice),
        ItemKind::AdvancementInDoubt => advancement::settle_doubt(decision, item, choice),
        ItemKind::FeeMissing => unpaid::settle(decision, item, choice, reason),
        ItemKind::InvitationTied => invitation::settle(decision, item, choice),
        ItemKind::FillIn => filling::settle(decision, item, choice),
        ItemKind::LetterFailed => undelivered::settle(decision, item, choice),
        ItemKind::PaymentUnclear => payment::settle_unclear(decision, item, choice),
        ItemKind::TimeComplaint
        | ItemKind::WithdrawalAsked
        | ItemKind::AddressChanged
        | ItemKind::MembershipNews
        | ItemKind::Death
        | ItemKind::EntryWishes
        | ItemKind::DrawClaimed => granted::settle(decision, item, choice, reason),
        ItemKind::TimePenalty => penalties::settle(decision, item, choice, reason),
        ItemKind::MembershipLapse => membership::settle(decision, item, choice, reason),
        ItemKind::LeaveAsked => leave::settle(decision, item, choice, reason),
        ItemKind::TitleOpen | ItemKind::PrizesDiffer | ItemKind::StandingsUnsound => {
            prizes::settle(decision, item, choice);
        }
        ItemKind::ForfeitsSpread => forfeits::settle_spread(decision, item, choice, reason),
        ItemKind::Adjudication => closing::settle(decision, item, choice, reason),
        // The director acts outside the program, or had only to know.
        ItemKind::PostmarkDoubtful
        | ItemKind::MailHeld
        | ItemKind::MailParked
        | ItemKind::MailDenied
        | ItemKind::Conduct
        | ItemKind::Flood
        // What he grants is read off the docket, `reflection.rs`.
        | ItemKind::Outage => {}
    }
}

/// Decides the entries that stand still for an item; one that sits in an adopted section by now plays on.
fn settle_entries(decision: &mut Decision<'_>, item: &Item, choice: &str, reason: &str) {
    let state = decision.state;
    let held = item.entries.iter().filter_map(|id| state.entries.get(id));
    let held: Vec<&Entry> = held.filter(|e| e.state == EntryState::Docket).collect();
    let Some(first) = held.first() else { return };
    let Some(tournament) = decision.rules.tournaments.get(&first.tournament) else { return };
    let ids: Vec<EntryId> = held.iter().map(|e| e.id.clone()).collect();
    match choice {
        "accept" => accept_entries(decision, tournament, first, &ids),
        "carry-forward" => entry::carry_forward(decision, tournament, &ids),
        _ => {
            let reason = if reason.is_empty() { choice } else { reason };
            for entry in ids {
                let refusal = Refusal::ByRuling { reason: reason.to_owned() };
                decision.push(Event::EntryRefused { entry, refusal });
            }
        }
    }
    if choice == "refund" {
        let account = (first.tournament.clone(), first.member.clone());
        // What credit has paid comes back as credit (Rule 4).
        let fees = held.iter().map(|e| e.fee.unwrap_or(tournament.entry.fee)).sum();
        let released = held.iter().filter_map(|e| e.fee).sum();
        payment::refund(decision, account, fees, released, item.item.to_string());
    }
}

fn accept_entries(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    first: &Entry,
    ids: &[EntryId],
) {
    let state = decision.state;
    if !state.players.contains_key(&first.member) {
        // Accepting a stranger makes him a player, at the address that he wrote from.
        let from = first.from.clone().unwrap_or_default();
        let name = if first.name.is_empty() { from.name } else { first.name.clone() };
        let emails = from.address.into_iter().collect();
        let player = Player { member: first.member.clone(), name, emails, ..Player::default() };
        decision.push(Event::PlayerListed(player));
    }
    if first.postmark > tournament.closes() {
        entry::carry_forward(decision, tournament, ids);
    } else {
        entry::accept(decision, tournament, &first.member, ids, 0);
    }
}

fn settle_result(decision: &mut Decision<'_>, item: &Item, choice: &str, reason: &str) {
    let Some(id) = &item.about.game else { return };
    let Some((_, game)) = decision.state.game(id) else { return };
    // How the game came to the result is taken from whoever told it so.
    let told: Vec<Outcome> = match &game.state {
        GameState::Disputed(reports) => vec![reports.0.outcome, reports.1.outcome],
        GameState::Confirmed(outcome) | GameState::Ruled(outcome) => vec![*outcome],
        GameState::Running | GameState::Reported(_) => Vec::new(),
    };
    let outcome = match choice.parse::<Score>() {
        Ok(result) => told
            .into_iter()
            .find(|outcome| outcome.result == result)
            .unwrap_or_else(|| closing::adjudicated(decision.state, id, result)),
        // What the books have is kept, and both players are told so.
        Err(_) => match told[..] {
            [kept] => kept,
            _ => return,
        },
    };
    fix(decision, id, outcome, reason);
}

/// Fixes a result by the director's word alone, and closes what waits about it.
pub(in crate::domain) fn fix_result(
    decision: &mut Decision<'_>,
    game: &GameId,
    outcome: Outcome,
    reason: &str,
) {
    reports::close_dispute(decision, game, outcome.result.text(), reason, "the director");
    fix(decision, game, outcome, reason);
}

fn fix(decision: &mut Decision<'_>, game: &GameId, outcome: Outcome, reason: &str) {
    let state = decision.state;
    let Some((section, _)) = state.game(game) else { return };
    decision.push(Event::ResultRuled {
        game: game.clone(),
        outcome,
        on: decision.now.today,
        reason: reason.to_owned(),
    });
    let mut after = section.clone();
    reports::settle(&mut after, game, outcome);
    advancement::follow(decision, &after);
}
