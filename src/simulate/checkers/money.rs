//! Rules 4 and 8: the money, to the cent. A fee is what the file says and is taken once; nobody has used more than he
//! paid, or more credit than his certificates are worth; nobody sits who has not paid.

use super::{Case, Found, Ledger};
use crate::domain::{
    acts::Refund,
    event::Event,
    honours::Award,
    ids::{EntryId, MemberId},
};
use rust_decimal::Decimal;
use std::collections::{BTreeMap, BTreeSet};

/// What a player paid and used.
#[derive(Clone, Copy, Debug, Default)]
struct Purse {
    paid: Decimal,
    fees: Decimal,
    credit: Decimal,
    credit_used: Decimal,
}

pub(super) fn check(case: &Case, ledger: &Ledger<'_>, found: &mut Found) {
    let mut purses: BTreeMap<&MemberId, Purse> = BTreeMap::new();
    let mut paid: BTreeSet<&EntryId> = BTreeSet::new();
    let fee = case.tournament.entry.fee;
    for transaction in &case.transactions {
        let day = case.day(transaction);
        let mut touched = BTreeSet::new();
        for event in &transaction.events {
            touched.extend(whose(ledger, event));
            match event {
                Event::PaymentReceived { member, amount, .. } => {
                    purses.entry(member).or_default().paid += amount;
                }
                Event::PaymentRefunded(Refund { member, amount, .. }) => {
                    let purse = purses.entry(member).or_default();
                    purse.paid -= amount;
                    // The fees that go back with it are free again.
                    purse.fees = purse.fees.min(purse.paid + purse.credit_used);
                    if purse.paid < Decimal::ZERO {
                        found.wrong(day, format!("{member} gets more back than he has paid"));
                    }
                }
                Event::EntryPaid { entry, fee: taken } => {
                    if *taken != fee || !paid.insert(entry) {
                        found.wrong(day, format!("{entry} pays {taken}; the fee is {fee}, once"));
                    }
                    if let Some(member) = ledger.member(entry) {
                        purses.entry(member).or_default().fees += taken;
                    }
                }
                Event::CreditUsed(used) => {
                    purses.entry(&used.member).or_default().credit_used += used.amount;
                }
                Event::AwardGiven(given) | Event::AwardTakenBack(given) => {
                    if let (Award::GiftCertificate { amount, .. }, Some(member)) =
                        (&given.award, ledger.member(&given.entry))
                    {
                        let is_given = matches!(event, Event::AwardGiven(_));
                        let credit = if is_given { *amount } else { -*amount };
                        purses.entry(member).or_default().credit += credit;
                    }
                }
                Event::SectionFormed { seats, section, adopted: false, .. } => {
                    for seated in seats.iter().filter(|seated| !paid.contains(&seated.entry)) {
                        found.wrong(
                            day,
                            format!("{} sits in {section} and has not paid", seated.entry),
                        );
                    }
                }
                _ => {}
            }
        }
        for member in touched {
            let Some(purse) = purses.get(member) else { continue };
            if purse.fees > purse.paid + purse.credit_used {
                let (paid, used) = (purse.paid + purse.credit_used, purse.fees);
                found.wrong(day, format!("{member} has paid {paid} and used {used}"));
            }
            if purse.credit_used > purse.credit {
                let (used, credit) = (purse.credit_used, purse.credit);
                found.wrong(day, format!("{member} has used {used} of {credit} credit"));
            }
        }
    }
}

/// Returns whose money an event moves.
fn whose<'a>(ledger: &Ledger<'a>, event: &'a Event) -> Option<&'a MemberId> {
    match event {
        Event::PaymentReceived { member, .. } | Event::PaymentRefunded(Refund { member, .. }) => {
            Some(member)
        }
        Event::EntryPaid { entry, .. } => ledger.member(entry),
        Event::CreditUsed(used) => Some(&used.member),
        _ => None,
    }
}
