//! Rules 8 and 9: who entered when and as which of a person's entries. The postmark is the day of the sender's own Date
//! header; a person's k-th entry has the deadline of k; there are no more than he may hold.

use super::{Case, Found, Ledger};
use crate::{
    domain::{
        docket::ItemKind,
        event::Event,
        ids::{EntryId, ItemId, MemberId},
    },
    store::transaction::Cause,
};
use chrono::NaiveDate;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(case: &Case, ledger: &Ledger<'_>, found: &mut Found) {
    check_postmarks(case, found);
    let ruled = ruled_entries(case);
    let mut by_member: BTreeMap<&MemberId, Vec<&EntryId>> = BTreeMap::new();
    for (entry, line) in &ledger.entries {
        by_member.entry(line.member).or_default().push(entry);
    }
    let closes = case.tournament.entry.deadlines.iter().map(|d| d.by).max();
    let closes = closes.unwrap_or(case.tournament.entry.opens);
    for (member, mut entries) in by_member {
        let line = |entry: &EntryId| &ledger.entries[entry];
        entries.retain(|entry| !line(entry).refused && line(entry).postmark <= closes);
        entries.sort_by_key(|entry| (line(entry).postmark, line(entry).arrived, (*entry).clone()));
        let most = usize::from(case.tournament.entry.per_player);
        if entries.len() > most {
            found.wrong(
                case.last_day,
                format!("{member} holds {} entries, {most} are allowed", entries.len()),
            );
        }
        for (k, entry) in (1..).zip(entries) {
            let by = deadline(case, k);
            let told = line(entry);
            let in_time = by.is_some_and(|by| told.postmark <= by);
            if told.accepted && !in_time && !ruled.contains(entry) {
                let by = by.map_or("never".to_owned(), |by| by.to_string());
                found.wrong(
                    told.received,
                    format!(
                        "{entry} is entry {k} of {member}, postmarked {}: too late for {by}",
                        told.postmark
                    ),
                );
            }
            if !told.accepted
                && !told.carried_forward
                && in_time
                && case.whole
                && !ruled.contains(entry)
            {
                found.wrong(
                    told.received,
                    format!("{entry} is in time as entry {k} of {member} and not accepted"),
                );
            }
        }
    }
    for (entry, line) in &ledger.entries {
        if line.postmark > closes && !line.seats.is_empty() {
            found.wrong(line.received, format!("{entry} came after the last day and plays"));
        }
    }
}

/// Returns the last day for a person's k-th entry, from the file's table.
fn deadline(case: &Case, k: usize) -> Option<NaiveDate> {
    let terms = &case.tournament.entry;
    let fits = terms.deadlines.iter().filter(|d| usize::from(d.entries) >= k);
    fits.map(|d| d.by).max().filter(|_| k <= usize::from(terms.per_player))
}

/// An entry by mail bears the day on which its sender sent it.
fn check_postmarks(case: &Case, found: &mut Found) {
    let sent: BTreeMap<_, _> =
        case.posted.iter().map(|mail| (mail.digest, mail.postmark)).collect();
    for transaction in &case.transactions {
        let Cause::Mail(mail) = &transaction.cause else { continue };
        for event in &transaction.events {
            if let Event::EntryReceived { entry, postmark, .. } = event
                && sent.get(&mail.digest) != Some(postmark)
            {
                let day = case.day(transaction);
                found.wrong(
                    day,
                    format!("{entry} is taken as postmarked {postmark}, its mail says otherwise"),
                );
            }
        }
    }
}

/// Returns the entries that the director decided about.
fn ruled_entries(case: &Case) -> BTreeSet<&EntryId> {
    let mut items: BTreeMap<ItemId, &Vec<EntryId>> = BTreeMap::new();
    let mut ruled = BTreeSet::new();
    for (_, event) in case.events() {
        match event {
            Event::ItemOpened(item) if item.kind != ItemKind::PostmarkDoubtful => {
                items.insert(item.item, &item.entries);
            }
            Event::ItemRuled { item, .. } => {
                ruled.extend(items.get(item).into_iter().copied().flatten());
            }
            _ => {}
        }
    }
    // What waits for him when the season ends is not accepted yet, and that is no mistake.
    ruled.extend(items.values().copied().flatten());
    ruled
}
