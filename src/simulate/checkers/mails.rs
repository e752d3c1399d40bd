//! The mails: each that came has one transaction and one outcome, nothing is in the journal that never came, a copy is
//! called a copy, and what a program wrote is never answered.

use super::{Case, Found, Ledger};
use crate::{
    digest::Digest,
    domain::notice::NoticeName,
    store::transaction::{Cause, LetterRecord, MailOutcome},
};
use std::collections::{BTreeMap, BTreeSet};

/// What became of a mail's copies.
#[derive(Default)]
struct Fate {
    posted: usize,
    automatic: bool,
    transactions: usize,
    first: usize,
}

pub(super) fn check(case: &Case, _: &Ledger<'_>, found: &mut Found) {
    let mut fates: BTreeMap<Digest, Fate> = BTreeMap::new();
    for mail in &case.posted {
        let fate = fates.entry(mail.digest).or_default();
        fate.posted += 1;
        fate.automatic |= mail.automatic;
    }
    let mut arrivals = BTreeSet::new();
    for transaction in &case.transactions {
        let Cause::Mail(mail) = &transaction.cause else { continue };
        let day = case.day(transaction);
        let fate = fates.entry(mail.digest).or_default();
        fate.transactions += 1;
        fate.first += usize::from(mail.outcome != MailOutcome::Duplicate);
        if !arrivals.insert((mail.digest, &mail.arrival)) {
            found.wrong(day, format!("mail {} was dealt with twice", mail.digest));
        }
        // That a letter came back is told to the director at once; that is no answer to the mail.
        let answers = |letter: &&LetterRecord| letter.notice != NoticeName::DirectorAlert;
        if fate.automatic && transaction.letters.iter().any(|letter| answers(&letter)) {
            found.wrong(
                day,
                format!("mail {} was written by a program and is answered", mail.digest),
            );
        }
        let idle = transaction.events.is_empty() && transaction.letters.is_empty();
        if mail.outcome == MailOutcome::Duplicate && !idle {
            found.wrong(
                day,
                format!("mail {} is a copy and something follows from it", mail.digest),
            );
        }
    }
    for (digest, fate) in &fates {
        if fate.posted < fate.transactions || (case.whole && fate.posted != fate.transactions) {
            let (posted, dealt) = (fate.posted, fate.transactions);
            found.wrong(
                case.last_day,
                format!("mail {digest} came {posted} times and has {dealt} transactions"),
            );
        }
        if fate.first > 1 {
            found.wrong(case.last_day, format!("mail {digest} has {} outcomes", fate.first));
        }
    }
}
