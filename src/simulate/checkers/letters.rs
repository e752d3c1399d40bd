//! The letters: what is owed is written once, to the right player and to nobody who has died; what is written leaves, as
//! the bytes that the journal names, or the director is told.

use super::{Case, Found, Ledger};
use crate::{
    domain::{
        event::{Advance, Event},
        honours::Award,
        ids::{EntryId, LetterId, MemberId, SectionCode},
        post::PostEvent,
    },
    store::transaction::{Cause, DeliveryOutcome, LetterRecord, Transaction},
};
use rust_decimal::Decimal;
use std::collections::{BTreeMap, BTreeSet};

/// A letter that is owed: which notice, to whom, about what.
type Owed<'a> = (&'static str, &'a MemberId, String);

/// The notices that are owed once for each cause, and by what they are told apart.
const BY_ENTRY: [&str; 8] = [
    "advancement",
    "filled-in",
    "not-advancing",
    "gift-certificate",
    "framing-certificate",
    "pin",
    "prize",
    "champion",
];
const BY_SECTION: [&str; 2] = ["assignment", "section-complete"];

pub(super) fn check(case: &Case, _: &Ledger<'_>, found: &mut Found) {
    let mut ledger = Ledger::default();
    let mut written = 0;
    for transaction in &case.transactions {
        let day = case.day(transaction);
        for event in &transaction.events {
            ledger.follow(day, event);
        }
        let mut owed: Vec<Owed<'_>> = Vec::new();
        for event in &transaction.events {
            owe(&ledger, event, &mut owed);
        }
        owed.retain(|(_, member, _)| !ledger.died.contains(member));
        for letter in &transaction.letters {
            written += 1;
            if letter.letter != LetterId(written) {
                found.wrong(day, format!("letter {} should have number {written}", letter.letter));
            }
            if let Some(member) = letter.about.player.as_ref().filter(|m| ledger.died.contains(m)) {
                found.wrong(
                    day,
                    format!("{} ({}) goes to {member}, who has died", letter.letter, letter.notice),
                );
            }
            let Some(kept) = kept(letter) else { continue };
            match owed.iter().position(|due| *due == kept) {
                Some(place) => drop(owed.swap_remove(place)),
                None => found.wrong(
                    day,
                    format!(
                        "{} ({}) is not owed to {} about {}",
                        letter.letter, kept.0, kept.1, kept.2
                    ),
                ),
            }
        }
        // Orders about the past are carried out without letters, and say so.
        let silent =
            transaction.letters.is_empty() && matches!(transaction.cause, Cause::Director { .. });
        for (notice, member, about) in owed.iter().filter(|_| !silent) {
            found.wrong(
                day,
                format!("{member} is owed the letter {notice} about {about} and does not get it"),
            );
        }
    }
    check_delivery(case, found);
}

/// Returns what a letter gives of what is owed; none where it is of another kind.
fn kept(letter: &LetterRecord) -> Option<Owed<'_>> {
    let (notice, about) = (letter.notice.text(), &letter.about);
    let member = about.player.as_ref()?;
    if let Some(name) = BY_ENTRY.iter().find(|name| **name == notice) {
        return Some((
            name,
            member,
            about.entry.as_ref().map(ToString::to_string).unwrap_or_default(),
        ));
    }
    let name = BY_SECTION.iter().find(|name| **name == notice)?;
    Some((name, member, about.section.as_ref().map(ToString::to_string).unwrap_or_default()))
}

fn owe<'a>(ledger: &Ledger<'a>, event: &'a Event, owed: &mut Vec<Owed<'a>>) {
    let mut to_entry = |notice, entry: &'a EntryId| {
        owed.extend(ledger.member(entry).map(|member| (notice, member, entry.to_string())));
    };
    match event {
        Event::EntryAdvanced { entry, why: Advance::Fill | Advance::Ruling, .. } => {
            to_entry("filled-in", entry);
        }
        Event::EntryAdvanced { entry, .. } => to_entry("advancement", entry),
        Event::EntryEliminated { entry, .. } => to_entry("not-advancing", entry),
        Event::AwardGiven(given) => {
            let notice = match given.award {
                Award::GiftCertificate { .. } => "gift-certificate",
                Award::FramingCertificate => "framing-certificate",
                Award::Pin => "pin",
                Award::Title(_) => "champion",
            };
            to_entry(notice, &given.entry);
        }
        Event::PrizesAwarded(list) => {
            for prize in list.places.iter().filter(|p| p.amount > Decimal::ZERO) {
                to_entry("prize", &prize.entry);
            }
        }
        // Whoever takes a seat over needs the sheet as much as those who were there from the beginning.
        Event::SeatTaken(taken) => {
            let member = ledger.member(&taken.entry);
            owed.extend(member.map(|member| ("assignment", member, taken.section.to_string())));
        }
        Event::SectionFormed { section, adopted: false, .. } => {
            owe_section(ledger, "assignment", section, owed);
        }
        Event::SectionCompleted { section } => {
            owe_section(ledger, "section-complete", section, owed);
        }
        _ => {}
    }
}

fn owe_section<'a>(
    ledger: &Ledger<'a>,
    notice: &'static str,
    section: &'a SectionCode,
    owed: &mut Vec<Owed<'a>>,
) {
    let seats = ledger.sections.get(section).into_iter().flat_map(|line| &line.seats);
    for member in seats.filter_map(|entry| ledger.member(entry)) {
        owed.push((notice, member, section.to_string()));
    }
}

/// Every letter has left or is known to have failed, and what arrived is what was written.
fn check_delivery(case: &Case, found: &mut Found) {
    let mut outcomes: BTreeMap<LetterId, &DeliveryOutcome> = BTreeMap::new();
    let mut told = BTreeSet::new();
    let mut elsewhere: BTreeMap<LetterId, Option<String>> = BTreeMap::new();
    for transaction in &case.transactions {
        if let Cause::Delivery { outcomes: records } = &transaction.cause {
            outcomes.extend(records.iter().map(|record| (record.letter, &record.outcome)));
        }
        for event in &transaction.events {
            match event {
                Event::ItemOpened(item) => told.extend(item.about.letter),
                Event::Post(PostEvent::Redirected(it)) => {
                    elsewhere.insert(it.letter, it.to.clone());
                }
                _ => {}
            }
        }
        check_lost(case, transaction, found);
    }
    let arrived: BTreeMap<LetterId, _> = case.delivered.iter().map(|d| (d.letter, d)).collect();
    let letters = case.transactions.iter().flat_map(|t| t.letters.iter().map(move |l| (t, l)));
    for (transaction, letter) in letters {
        let day = case.day(transaction);
        let number = letter.letter;
        let to = elsewhere.get(&number).unwrap_or(&letter.to);
        match outcomes.get(&number) {
            Some(DeliveryOutcome::Sent | DeliveryOutcome::Printed) => {
                let same =
                    arrived.get(&number).is_some_and(|d| d.digest == letter.digest && d.to == *to);
                if !same {
                    found.wrong(day, format!("{number} left, and not as it was written"));
                }
            }
            Some(DeliveryOutcome::Refused(_)) if !told.contains(&number) => {
                found.wrong(day, format!("{number} failed and the director is not told"));
            }
            Some(DeliveryOutcome::Deferred(_) | DeliveryOutcome::MaybeSent(_)) | None
                if case.whole =>
            {
                found.wrong(day, format!("{number} ({}) has not left", letter.notice));
            }
            Some(_) | None => {}
        }
    }
}

/// A player's letter that did not arrive goes another way in the same transaction (Rule 10), unless he has died.
fn check_lost(case: &Case, transaction: &Transaction, found: &mut Found) {
    let lost = transaction.events.iter().filter_map(|event| match event {
        Event::Post(PostEvent::Undelivered(told)) if told.how.is_final() => Some(told),
        _ => None,
    });
    for told in lost {
        let Some(member) = &told.member else { continue };
        let goes = |event: &Event| matches!(event, Event::Post(PostEvent::Redirected(it)) if it.letter == told.letter);
        if !transaction.events.iter().any(goes) && !has_died(case, transaction.seq, member) {
            let day = case.day(transaction);
            found.wrong(day, format!("{} to {member} is lost", told.letter));
        }
    }
}

fn has_died(case: &Case, by: u64, who: &MemberId) -> bool {
    let before = case.transactions.iter().take_while(|transaction| transaction.seq <= by);
    let mut events = before.flat_map(|transaction| &transaction.events);
    events.any(|event| matches!(event, Event::PlayerDied { member, .. } if member == who))
}
