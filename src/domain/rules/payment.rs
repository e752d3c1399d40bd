//! Rule 8: the fee, once for all rounds. Money comes outside the mail and is confirmed by the director; what a
//! player has paid covers his accepted entries in their order.

use crate::domain::{
    command::Payment,
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind},
    event::Event,
    ids::{EntryId, MemberId, TournamentId},
    section::EntryState,
    state::Account,
    tournament::Tournament,
};
use rust_decimal::Decimal;

/// Books a payment and covers what it covers. The same payment twice is booked once (Rule 8).
pub(in crate::domain) fn record(decision: &mut Decision<'_>, money: &Payment) {
    let state = decision.state;
    let account = state.accounts.get(&(money.event.clone(), money.member.clone()));
    let booked = (money.amount, money.received, money.reference.clone());
    if account.is_some_and(|a| a.payments.contains(&booked)) {
        return;
    }
    receive(decision, money);
    let tournament = decision.rules.tournaments.get(&money.event);
    let entries: Vec<_> = state.entries_in(&money.event, &money.member).collect();
    let Some(tournament) = tournament.filter(|_| !entries.is_empty()) else {
        return put_unclear(decision, money);
    };
    let unpaid = entries.iter().filter(|e| e.state == EntryState::AwaitingPayment);
    let unpaid: Vec<EntryId> = unpaid.map(|e| e.id.clone()).collect();
    let balance = account.map_or(Decimal::ZERO, Account::balance) + money.amount;
    pay(decision, tournament, &unpaid, balance);
}

fn receive(decision: &mut Decision<'_>, money: &Payment) {
    decision.push(Event::PaymentReceived {
        event: money.event.clone(),
        member: money.member.clone(),
        amount: money.amount,
        received: money.received,
        reference: money.reference.clone(),
    });
}

/// Books the fees that came with entries and are in the director's hands. They are the player's even where an entry is
/// held or refused.
pub(super) fn receive_with(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    member: &MemberId,
    entries: &[(EntryId, u8)],
) {
    let Some((first, _)) = entries.first() else { return };
    let money = Payment {
        event: tournament.id.clone(),
        member: member.clone(),
        amount: tournament.entry.fee * Decimal::from(entries.len()),
        received: decision.now.today,
        reference: format!("with {first}"),
    };
    receive(decision, &money);
}

/// Sends money back, as far as the player has it to his credit or it was just released from entries of his.
pub(super) fn refund(
    decision: &mut Decision<'_>,
    account: (TournamentId, MemberId),
    amount: Decimal,
    released: Decimal,
    reference: String,
) {
    let balance = decision.state.accounts.get(&account).map_or(Decimal::ZERO, Account::balance);
    let amount = amount.min(balance + released);
    if amount > Decimal::ZERO {
        let ((event, member), on) = (account, decision.now.today);
        decision.push(Event::PaymentRefunded { event, member, amount, on, reference });
    }
}

/// Covers entries that were just accepted with the player's balance and the fees that came just now.
pub(super) fn cover(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    member: &MemberId,
    entries: &[EntryId],
    fees_with_it: usize,
) {
    let account = (tournament.id.clone(), member.clone());
    let balance = decision.state.accounts.get(&account).map_or(Decimal::ZERO, Account::balance);
    let just_now = tournament.entry.fee * Decimal::from(fees_with_it);
    pay(decision, tournament, entries, balance + just_now);
}

fn pay(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    entries: &[EntryId],
    mut balance: Decimal,
) {
    let fee = tournament.entry.fee;
    let is_paid = |id: &&EntryId| decision.state.entries.get(id).is_some_and(|e| e.paid);
    let unpaid: Vec<&EntryId> = entries.iter().filter(|id| !is_paid(id)).collect();
    for entry in unpaid {
        if balance < fee {
            break;
        }
        balance -= fee;
        decision.push(Event::EntryPaid { entry: entry.clone(), fee });
    }
}

fn put_unclear(decision: &mut Decision<'_>, money: &Payment) {
    let matter = Matter {
        rule: 8,
        about: About {
            event: Some(money.event.clone()),
            player: Some(money.member.clone()),
            ..About::default()
        },
        choices: choices(&["keep", "refund"]),
        recommended: Some("keep".to_owned()),
        evidence: vec![format!(
            "{} came on {} ({}) from member {}, who has no entry in {}.",
            money.amount, money.received, money.reference, money.member, money.event
        )],
        ..Matter::default()
    };
    decision.open(ItemKind::PaymentUnclear, matter);
}

/// Does what the director chose for money that nobody could place (Rule 8). What is kept covers a later entry.
pub(super) fn settle_unclear(decision: &mut Decision<'_>, item: &Item, choice: &str) {
    if let (Some(event), Some(member), "refund") = (&item.about.event, &item.about.player, choice) {
        let account = (event.clone(), member.clone());
        refund(decision, account, Decimal::MAX, Decimal::ZERO, item.item.to_string());
    }
}
