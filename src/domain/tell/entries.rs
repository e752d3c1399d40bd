//! Who is told what of entries: one letter for all of a player that a transaction touched (Rules 8 and 9).

use super::{Teller, correspondent};
use crate::domain::{
    docket::About,
    event::{Correspondent, Event},
    ids::{EntryId, MemberId, TournamentId},
    notice::{Facts, Recipient},
    refusal::Refusal,
    section::EntryState,
};
use rust_decimal::Decimal;

impl Teller<'_> {
    /// One letter for all entries of a player that this transaction received or decided about.
    pub(super) fn tell_entries(&mut self, events: &[Event]) {
        let mut groups: Vec<(Recipient, TournamentId, Vec<EntryId>)> = Vec::new();
        let touched = events.iter().filter_map(|event| match event {
            Event::EntryReceived { entry, .. }
            | Event::EntryAccepted { entry }
            | Event::EntryRefused { entry, .. }
            | Event::EntryCarriedForward { entry, .. } => self.state.entries.get(entry),
            Event::EntryBroughtForward { entry, here, .. } if !self.is_refused(here) => {
                self.state.entries.get(entry)
            }
            // Another number is told where it brings the entry before the director.
            Event::EntryRenumbered { entry, .. } => {
                self.state.entries.get(entry).filter(|e| e.state == EntryState::Docket)
            }
            _ => None,
        });
        for entry in touched {
            // Adopted entries are assigned already; their players were told long ago. One that was brought forward is
            // told of by its number of the year before.
            if entry.state == EntryState::Assigned || self.is_brought(&entry.id, events) {
                continue;
            }
            let to = self.entrant(&entry.member, entry.from.as_ref());
            match groups.iter_mut().find(|g| g.0 == to && g.1 == entry.tournament) {
                Some((.., ids)) if ids.contains(&entry.id) => {}
                Some((.., ids)) => ids.push(entry.id.clone()),
                None => groups.push((to, entry.tournament.clone(), vec![entry.id.clone()])),
            }
        }
        let mut declined: Vec<(Recipient, &Refusal)> = Vec::new();
        for event in events {
            if let Event::EntryDeclined { from, refusal } = event {
                declined.push((correspondent(from), refusal));
            }
        }
        for (to, event, entries) in groups {
            let beyond = declined.extract_if(.., |(who, _)| *who == to);
            let beyond = beyond.map(|(_, refusal)| refusal.clone()).collect();
            self.tell_group(to, event, entries, beyond, events);
        }
        for (to, refusal) in declined {
            self.tell_declined(to, refusal);
        }
    }

    fn tell_group(
        &mut self,
        to: Recipient,
        event: TournamentId,
        entries: Vec<EntryId>,
        beyond: Vec<Refusal>,
        events: &[Event],
    ) {
        let about = About {
            event: Some(event.clone()),
            entry: entries.first().cloned(),
            ..About::default()
        };
        let refusals: Vec<Refusal> =
            entries.iter().filter_map(|id| self.state.entries.get(id)?.refusal.clone()).collect();
        let facts = if refusals.len() == entries.len() {
            let mut each = refusals;
            each.extend(beyond);
            each.dedup();
            Facts::EntryRefused { event: Some(event), refusals: each }
        } else if beyond.is_empty() && entries.iter().all(|id| self.is_carried(id)) {
            Facts::EntryCarriedForward { event, entries }
        } else {
            let credit = credit_used(&entries, events);
            Facts::EntryReceived { event, entries, beyond, credit }
        };
        self.say(to, about, facts);
    }

    fn is_refused(&self, entry: &EntryId) -> bool {
        self.state.entries.get(entry).is_some_and(|e| e.state == EntryState::Refused)
    }

    /// Tells whether an entry is one of the year before under its new number.
    fn is_brought(&self, id: &EntryId, events: &[Event]) -> bool {
        let is_it =
            |event: &Event| matches!(event, Event::EntryBroughtForward { here, .. } if here == id);
        !self.is_refused(id) && events.iter().any(is_it)
    }

    fn is_carried(&self, entry: &EntryId) -> bool {
        self.state.entries.get(entry).is_some_and(|e| e.state == EntryState::CarriedForward)
    }

    fn tell_declined(&mut self, to: Recipient, refusal: &Refusal) {
        // Nobody to tell: an entry that the director typed in.
        if to == Recipient::Stranger(Correspondent::default()) {
            return;
        }
        let facts = Facts::EntryRefused { event: None, refusals: vec![refusal.clone()] };
        self.say(to, About::default(), facts);
    }

    /// Who hears about an entry: the player, or whoever wrote for him from an address that is not in the books. The
    /// player's known address is not told to a stranger, nor is a stranger's mail answered to the player.
    fn entrant(&self, member: &MemberId, from: Option<&Correspondent>) -> Recipient {
        match from {
            Some(from) if from.address.is_some() && !self.is_known(member, from) => {
                correspondent(from)
            }
            _ => Recipient::Player(member.clone()),
        }
    }

    fn is_known(&self, member: &MemberId, from: &Correspondent) -> bool {
        let mut known = from.address.iter().flat_map(|a| self.state.players_at(a));
        known.any(|m| m == member)
    }
}

/// Returns how much credit of gift certificates went into the fees of entries (Rule 4).
fn credit_used(entries: &[EntryId], events: &[Event]) -> Decimal {
    let used = events.iter().filter_map(|event| match event {
        Event::CreditUsed(used) if entries.contains(&used.entry) => Some(used.amount),
        _ => None,
    });
    used.sum()
}
