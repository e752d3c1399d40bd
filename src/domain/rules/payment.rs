//! Rule 8: the fee, once for all rounds. Money comes outside the mail and is confirmed by the director; what a
//! player has paid covers his accepted entries in their order, and the credit of his gift certificates what is missing
//! (Rule 4).

use crate::domain::{
    acts::Refund,
    command::Payment,
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind},
    event::Event,
    honours::CreditUsed,
    ids::{EntryId, MemberId, TournamentId},
    section::{Entry, EntryState},
    state::{Account, State},
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
    pay(decision, tournament, &money.member, &unpaid, balance);
}

/// Books a payment that names its currency, where that is the tournament's. Another one is asked about and never
/// converted: nothing is booked, and the director is asked once (Rule 1).
pub(in crate::domain) fn record_in(decision: &mut Decision<'_>, money: &Payment, currency: &str) {
    let ours = decision.rules.tournaments.get(&money.event).map(|t| t.entry.currency.as_str());
    let Some(ours) = ours.filter(|ours| !ours.eq_ignore_ascii_case(currency)) else {
        return record(decision, money);
    };
    let Payment { event, member, amount, received, reference } = money;
    let currency = currency.to_uppercase();
    let about =
        About { event: Some(event.clone()), player: Some(member.clone()), ..About::default() };
    let evidence = vec![
        format!("{amount} {currency} came on {received} ({reference}) from member {member}."),
        format!(
            "The amounts of {event} are in {ours}, and no money is converted (Rule 1): nothing is \
             booked. What it is worth is booked as a payment by hand."
        ),
    ];
    let known = |(item, _): &(Item, _)| item.about == about && item.evidence == evidence;
    if !decision.state.docket.values().any(known) {
        let choices = choices(&["answered", "dismiss"]);
        let matter = Matter { rule: 1, about, choices, evidence, ..Matter::default() };
        decision.open(ItemKind::PaymentUnclear, matter);
    }
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
        decision.push(Event::PaymentRefunded(Refund { event, member, amount, on, reference }));
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
    pay(decision, tournament, member, entries, balance + just_now);
}

/// Pays for a player's entries as far as money and credit go: money first, and credit for what is missing (Rules 4
/// and 8).
fn pay(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    member: &MemberId,
    entries: &[EntryId],
    balance: Decimal,
) {
    let state = decision.state;
    let credit = credit(state, tournament, member);
    let mut purse = Purse { money: balance.max(Decimal::ZERO), credit };
    let is_paid = |id: &&EntryId| state.entries.get(id).is_some_and(|e| e.paid);
    for entry in entries.iter().filter(|id| !is_paid(id)) {
        let Some((money, credit)) = purse.take(fee_of(state, tournament, entry)) else { break };
        if credit > Decimal::ZERO {
            decision.push(Event::CreditUsed(CreditUsed {
                member: member.clone(),
                entry: entry.clone(),
                amount: credit,
                currency: tournament.entry.currency.clone(),
                on: decision.now.today,
            }));
        }
        decision.push(Event::EntryPaid { entry: entry.clone(), fee: money });
    }
}

/// Returns what an entry costs: one that was carried forward no more than it did (Rules 8 and 9).
pub fn fee_of(state: &State, tournament: &Tournament, entry: &EntryId) -> Decimal {
    let owes = state.entries.get(entry).and_then(|entry| entry.owes);
    owes.unwrap_or(tournament.entry.fee)
}

/// What a player has to pay with.
struct Purse {
    money: Decimal,
    credit: Decimal,
}

impl Purse {
    /// Takes a fee out, money first; answers how much of each. Nothing where both together do not reach it.
    fn take(&mut self, fee: Decimal) -> Option<(Decimal, Decimal)> {
        if self.money + self.credit < fee {
            return None;
        }
        let money = self.money.min(fee);
        let credit = fee - money;
        self.money -= money;
        self.credit -= credit;
        Some((money, credit))
    }
}

fn credit(state: &State, tournament: &Tournament, member: &MemberId) -> Decimal {
    state.credit_of(member, &tournament.entry.currency).max(Decimal::ZERO)
}

/// Returns what is still to be paid for an entry that waits for its fee, when what the player has in money and credit
/// is counted for his entries in their order (Rules 4 and 8).
pub fn due(state: &State, tournament: &Tournament, entry: &Entry) -> Decimal {
    let account = (tournament.id.clone(), entry.member.clone());
    let balance = state.accounts.get(&account).map_or(Decimal::ZERO, Account::balance);
    let mut left = balance.max(Decimal::ZERO) + credit(state, tournament, &entry.member);
    for unpaid in state.entries_in(&tournament.id, &entry.member) {
        if unpaid.state == EntryState::AwaitingPayment {
            let fee = fee_of(state, tournament, &unpaid.id);
            let covered = left.min(fee);
            left -= covered;
            if unpaid.id == entry.id {
                return fee - covered;
            }
        }
    }
    Decimal::ZERO
}

/// Pays for entries that wait for their fee and whose players have credit enough by now (Rule 4).
pub(in crate::domain) fn use_credit(decision: &mut Decision<'_>, tournament: &Tournament) {
    let state = decision.state;
    let currency = &tournament.entry.currency;
    let holders = state
        .credit
        .iter()
        .filter(|((_, known), worth)| known == currency && **worth > Decimal::ZERO);
    for ((member, _), _) in holders {
        let waits = |e: &&Entry| e.state == EntryState::AwaitingPayment;
        let entries = state.entries_in(&tournament.id, member).filter(waits);
        let unpaid: Vec<EntryId> = entries.map(|entry| entry.id.clone()).collect();
        cover(decision, tournament, member, &unpaid, 0);
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
