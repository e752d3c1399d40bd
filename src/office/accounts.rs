//! The accounts of the books: whether seats and money add up (Rules 2, 4 and 8). It changes nothing; `audit` prints what
//! it finds.

use crate::domain::{
    honours::Award,
    ids::MemberId,
    rules::payment,
    section::{Entry, EntryState},
    state::State,
    tournament::Rules,
};
use rust_decimal::Decimal;
use std::collections::BTreeSet;

/// Returns what does not add up, a sentence each.
pub fn problems(rules: &Rules, state: &State) -> Vec<String> {
    let mut problems = seats(state);
    problems.extend(money(rules, state));
    problems
}

/// Every seat is taken by one entry, no entry sits twice in a round, no person twice in a section (Rule 2).
fn seats(state: &State) -> Vec<String> {
    let mut problems = Vec::new();
    let mut in_round = BTreeSet::new();
    for section in state.sections.values() {
        let code = &section.code;
        let mut persons = BTreeSet::new();
        for (seat, seated) in section.each_seat() {
            let entry = &seated.entry;
            if !in_round.insert((&section.tournament, section.round, entry)) {
                problems.push(format!("{entry} sits in two sections of a round, one is {code}"));
            }
            match state.member_at(section, seat) {
                None => problems.push(format!("seat {seat} of {code} has no entry in the books")),
                Some(member) if !persons.insert(member) => {
                    problems.push(format!("member {member} sits twice in {code}"));
                }
                Some(_) => {}
            }
        }
    }
    for entry in state.entries.values().filter(|e| e.state == EntryState::Assigned) {
        if entry.sections.is_empty() && entry.carried.is_empty() {
            problems.push(format!("{} is assigned and sits nowhere", entry.id));
        }
    }
    problems
}

/// What the fees used is the fee of every entry that is paid, and nobody has used more than he paid (Rule 8).
fn money(rules: &Rules, state: &State) -> Vec<String> {
    let mut problems = Vec::new();
    for ((event, member), account) in &state.accounts {
        let Some(tournament) = rules.tournaments.get(event) else { continue };
        let paid = state.entries_in(event, member).filter(|e| e.paid);
        let fee = |e: &Entry| payment::fee_of(state, tournament, &e.id) - e.paid_with_credit();
        let fees = paid.map(fee).sum::<Decimal>();
        if account.used != fees {
            let used = account.used;
            problems.push(format!("{member} in {event}: fees of {fees}, but {used} is used"));
        }
        if account.balance() < Decimal::ZERO {
            problems.push(format!("{member} in {event} has used more than was paid"));
        }
    }
    for ((member, currency), worth) in &state.credit {
        let given = credit_of(state, member, currency);
        if *worth != given || *worth < Decimal::ZERO {
            problems.push(format!(
                "{member} has {worth} {currency} of credit, and should have {given}"
            ));
        }
    }
    problems
}

/// Returns what a player's gift certificates are worth, less what they have paid (Rule 4).
fn credit_of(state: &State, member: &MemberId, currency: &str) -> Decimal {
    let entries = state.entries_of.get(member).into_iter().flatten();
    let worth = |entry: &Entry| {
        let given = entry.awards.iter().filter_map(|award| match award {
            Award::GiftCertificate { amount, currency: its } if its == currency => Some(*amount),
            _ => None,
        });
        let part = entry.credit.as_ref().is_some_and(|part| part.currency == currency);
        let used = if part { entry.paid_with_credit() } else { Decimal::ZERO };
        given.sum::<Decimal>() - used
    };
    entries.filter_map(|id| state.entries.get(id)).map(worth).sum()
}
