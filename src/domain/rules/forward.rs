//! Rule 9: an entry that was carried forward plays in next year's tournament, as soon as the files of a home have one. It
//! keeps its postmark and its arrival and costs no more than it did, even where the fee has risen; what was paid for it
//! goes with it. It is not judged anew: it was good, and came in time for that year. Which entries are carried forward is
//! `entry.rs`; that nobody is paired before the tournament's first day for it is `assignment.rs`.

use crate::domain::{
    acts::MoneyMoved,
    decide::Decision,
    event::Event,
    honours::CreditUsed,
    ids::{EntryId, MemberId, TournamentId},
    refusal::Refusal,
    section::{Entry, EntryState},
    state::{Account, State},
    tournament::Tournament,
};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use std::{cmp::Reverse, collections::BTreeMap};

/// What the accounts have in the course of a decision.
struct Purse {
    balances: BTreeMap<(TournamentId, MemberId), Decimal>,
}

/// Brings every entry that was carried forward into the tournament that it was carried to, once that is here, and moves
/// after it what was paid for it later (Rule 9).
pub(in crate::domain) fn bring(decision: &mut Decision<'_>) {
    let rules = decision.rules;
    for next in rules.tournaments.values() {
        let leads_here = |t: &&Tournament| t.entry.carry_forward_to.as_ref() == Some(&next.id);
        if rules.tournaments.values().any(|t| leads_here(&t)) {
            bring_into(decision, next);
        }
    }
}

fn bring_into(decision: &mut Decision<'_>, next: &Tournament) {
    let (rules, state) = (decision.rules, decision.state);
    let origin = |entry: &Entry| {
        let tournament = rules.tournaments.get(&entry.tournament)?;
        (tournament.entry.carry_forward_to.as_ref() == Some(&next.id)).then_some(tournament)
    };
    let carried = state.entries.values().filter(|e| e.state == EntryState::CarriedForward);
    let mut carried: Vec<(&Entry, &Tournament)> =
        carried.filter_map(|entry| Some((entry, origin(entry)?))).collect();
    carried.sort_by_key(|(entry, _)| (entry.postmark, entry.arrived, &entry.id));
    let mut purse = Purse { balances: BTreeMap::new() };
    let (new, brought): (Vec<_>, Vec<_>) =
        carried.into_iter().partition(|(entry, _)| entry.brought_forward.is_none());
    for (entry, from) in brought {
        follow(decision, &mut purse, entry, from, next);
    }
    let mut counted: BTreeMap<&MemberId, u8> = BTreeMap::new();
    for ((entry, from), here) in new.iter().zip(free_ids(state, next)) {
        let before = counted.entry(&entry.member).or_default();
        let number = held(state, next, entry) + *before + 1;
        *before += 1;
        receive(decision, entry, next, &here, number);
        if number > next.entry.per_player {
            let refusal = Refusal::TooManyEntries { allowed: next.entry.per_player };
            decision.push(Event::EntryRefused { entry: here.clone(), refusal });
            let entry = entry.id.clone();
            decision.push(Event::EntryBroughtForward { entry, here, fee: None });
            continue;
        }
        decision.push(Event::EntryAccepted { entry: here.clone() });
        let cost = cost(entry, from, next);
        let fee = Some(cost).filter(|cost| *cost != next.entry.fee);
        let (old, new) = (entry.id.clone(), here.clone());
        decision.push(Event::EntryBroughtForward { entry: old, here: new, fee });
        // What was taken for it in the year before is the player's again by now.
        purse.add(state, (&from.id, &entry.member), entry.fee.unwrap_or_default());
        settle(decision, &mut purse, (entry, &here), (from, next), cost);
    }
    renumber(decision, next, &new);
}

/// Returns the numbers for entries that are made, more than will be needed.
fn free_ids(state: &State, next: &Tournament) -> impl Iterator<Item = EntryId> {
    let last = state.last_entry.get(&next.id).copied().unwrap_or(0);
    (last + 1..).map(|running| EntryId(format!("{}-{running:03}", next.id)))
}

/// Returns how many of the person's entries in next year's tournament come before one (Rule 9).
fn held(state: &State, next: &Tournament, entry: &Entry) -> u8 {
    let before = state.entries_in(&next.id, &entry.member);
    let before = before.filter(|e| counts(e) && e.postmark <= entry.postmark).count();
    u8::try_from(before).unwrap_or(u8::MAX - 1)
}

/// What is refused does not count, nor what somebody else sent in the player's name and nobody has accepted.
fn counts(entry: &Entry) -> bool {
    match entry.state {
        EntryState::Refused | EntryState::CarriedForward => false,
        EntryState::Docket => entry.from.is_none(),
        _ => true,
    }
}

/// Returns the postmarks of the entries that a player has in next year's tournament beside those that were brought
/// there from this one: they count with what is carried forward now (Rule 9).
pub(super) fn held_there(
    state: &State,
    tournament: &Tournament,
    next: &TournamentId,
    member: &MemberId,
) -> Vec<NaiveDate> {
    let brought: Vec<&EntryId> = state
        .entries_in(&tournament.id, member)
        .filter_map(|entry| entry.brought_forward.as_ref())
        .collect();
    let there = state.entries_in(next, member);
    there.filter(|e| counts(e) && !brought.contains(&&e.id)).map(|e| e.postmark).collect()
}

fn receive(
    decision: &mut Decision<'_>,
    old: &Entry,
    next: &Tournament,
    here: &EntryId,
    number: u8,
) {
    decision.push(Event::EntryReceived {
        entry: here.clone(),
        event: next.id.clone(),
        member: old.member.clone(),
        name: old.name.clone(),
        number,
        postmark: old.postmark,
        arrived: old.arrived,
        from: old.from.clone(),
    });
}

/// Returns what an entry costs in the tournament that it goes to: what it cost, and no more than anybody there pays.
fn cost(entry: &Entry, from: &Tournament, next: &Tournament) -> Decimal {
    let paid = entry.fee.map(|money| money + credit(entry));
    paid.or(entry.owes).unwrap_or(from.entry.fee).min(next.entry.fee)
}

/// Returns the part of an entry's fee that credit paid and that goes with it (Rule 4).
fn credit(entry: &Entry) -> Decimal {
    if entry.brought_forward.is_none() { entry.paid_with_credit() } else { Decimal::ZERO }
}

impl Purse {
    fn balance(&mut self, state: &State, (event, member): (&TournamentId, &MemberId)) -> Decimal {
        let account = (event.clone(), member.clone());
        let booked = state.accounts.get(&account).map_or(Decimal::ZERO, Account::balance);
        *self.balances.entry(account).or_insert(booked)
    }

    fn add(&mut self, state: &State, account: (&TournamentId, &MemberId), amount: Decimal) {
        let balance = self.balance(state, account) + amount;
        self.balances.insert((account.0.clone(), account.1.clone()), balance);
    }
}

/// Pays for an entry with what is there, and with what the year before has over.
fn settle(
    decision: &mut Decision<'_>,
    purse: &mut Purse,
    (old, here): (&Entry, &EntryId),
    (from, next): (&Tournament, &Tournament),
    cost: Decimal,
) {
    let state = decision.state;
    let (there, account) = ((&from.id, &old.member), (&next.id, &old.member));
    // All that was taken for it goes with it; of other money only what is wanting.
    let wanting = (cost - purse.balance(state, account)).max(Decimal::ZERO);
    let wanted = old.fee.filter(|_| old.brought_forward.is_none()).unwrap_or(wanting);
    let amount = purse.balance(state, there).min(wanted);
    if amount > Decimal::ZERO {
        decision.push(Event::MoneyMoved(MoneyMoved {
            member: old.member.clone(),
            from: from.id.clone(),
            to: next.id.clone(),
            amount,
            on: decision.now.today,
            entry: here.clone(),
        }));
        purse.add(state, there, -amount);
        purse.add(state, account, amount);
    }
    let money = purse.balance(state, account).max(Decimal::ZERO).min(cost);
    if money + credit(old) < cost {
        return;
    }
    if money < cost {
        decision.push(Event::CreditUsed(CreditUsed {
            member: old.member.clone(),
            entry: here.clone(),
            amount: cost - money,
            currency: next.entry.currency.clone(),
            on: decision.now.today,
        }));
    }
    decision.push(Event::EntryPaid { entry: here.clone(), fee: money });
    purse.add(state, account, -money);
}

/// Money that came for the year before after the entry had gone goes after it.
fn follow(
    decision: &mut Decision<'_>,
    purse: &mut Purse,
    old: &Entry,
    from: &Tournament,
    next: &Tournament,
) {
    let state = decision.state;
    let here = old.brought_forward.as_ref().and_then(|id| state.entries.get(id));
    let Some(here) = here.filter(|e| e.state == EntryState::AwaitingPayment) else { return };
    if purse.balance(state, (&from.id, &old.member)) > Decimal::ZERO {
        let cost = here.owes.unwrap_or(next.entry.fee);
        settle(decision, purse, (old, &here.id), (from, next), cost);
    }
}

/// Rule 9: entries with a later postmark move up by as many as came in before them. None is late by that: it was in time
/// for its number when it came.
fn renumber(decision: &mut Decision<'_>, next: &Tournament, new: &[(&Entry, &Tournament)]) {
    let mut members: Vec<&MemberId> = new.iter().map(|(entry, _)| &entry.member).collect();
    members.sort();
    members.dedup();
    for member in members {
        let mut held: Vec<&Entry> =
            decision.state.entries_in(&next.id, member).filter(|e| counts(e)).collect();
        held.sort_by_key(|e| Reverse(e.number));
        for entry in held {
            let before = new.iter().filter(|(e, _)| &e.member == member);
            let before = before.filter(|(e, _)| e.postmark < entry.postmark).count();
            if before > 0 {
                let number = entry.number.saturating_add(u8::try_from(before).unwrap_or(u8::MAX));
                decision.push(Event::EntryRenumbered { entry: entry.id.clone(), number });
            }
        }
    }
}
