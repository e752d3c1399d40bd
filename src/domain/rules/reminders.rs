//! Rule 8: asking for fees that have not come, on the days that the tournament's file names.

use super::payment;
use crate::domain::{
    decide::Decision,
    event::Event,
    ids::{EntryId, MemberId},
    section::{Entry, EntryState},
    tournament::Tournament,
};
use chrono::{Days, NaiveDate};
use std::collections::BTreeMap;

/// Reminds every player whose entries' fees are due, once a day named in the file and in one letter a player.
pub(in crate::domain) fn remind(decision: &mut Decision<'_>, tournament: &Tournament) {
    let today = decision.now.today;
    let mut due: BTreeMap<&MemberId, Vec<EntryId>> = BTreeMap::new();
    let entries = decision.state.entries.values().filter(|e| e.tournament == tournament.id);
    let days = &tournament.entry.payment_reminder_days;
    for entry in entries.filter(|entry| is_due(entry, days, today)) {
        if payment::due(decision.state, tournament, entry).is_zero() {
            // What the player has to his credit pays for it.
            continue;
        }
        due.entry(&entry.member).or_default().push(entry.id.clone());
    }
    for (member, entries) in due {
        decision.push(Event::PaymentReminded {
            event: tournament.id.clone(),
            member: member.clone(),
            entries,
            on: today,
        });
    }
}

fn is_due(entry: &Entry, days: &[u16], today: NaiveDate) -> bool {
    let since = entry.arrived.date_naive();
    let due = days.iter().map(|d| since + Days::new(u64::from(*d))).filter(|day| *day <= today);
    // Days that passed while the program was down are made up for by one reminder, not by several.
    entry.state == EntryState::AwaitingPayment && due.max() > entry.reminded.last().copied()
}
