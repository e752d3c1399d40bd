//! Letters that wait so that what they tell can be taken back (Rule 7): which of them never leave, because their ruling
//! was taken back or another one about the same game has come since. When they leave otherwise is `deliveries.rs`.

use super::{Books, LetterEntry, LetterState};
use crate::domain::{
    ids::{LetterId, MemberId},
    notice::NoticeName,
};
use chrono::{DateTime, Utc};
use std::collections::BTreeSet;

impl Books {
    /// A ruling about a game replaces what the same player has not been told yet of an earlier ruling about it: he gets
    /// the last one alone.
    pub(super) fn supersede(&mut self, by: LetterId) {
        let Some(newer) = self.letter(by).filter(|entry| is_ruling(entry)).cloned() else { return };
        let is_older = |entry: &LetterEntry| {
            is_ruling(entry)
                && entry.seq < newer.seq
                && (&entry.player, &entry.section, entry.game)
                    == (&newer.player, &newer.section, newer.game)
                && entry.attempts == 0
                && entry.not_before.is_some_and(|until| until > newer.queued)
        };
        let waiting = self.outbox.iter().copied();
        let older = waiting.filter(|id| self.letter(*id).is_some_and(is_older));
        for id in older.collect::<Vec<_>>() {
            self.take_back(id);
            if let Some(entry) = self.letter_mut(id) {
                entry.superseded_by = Some(by);
            }
        }
    }

    /// Stops the letters of a transaction that was taken back in time. What they had replaced holds again, and is told.
    pub(super) fn stop(&mut self, seq: u64, at: DateTime<Utc>) {
        let stopped: BTreeSet<LetterId> = self.stoppable(seq, at).collect();
        for letter in &stopped {
            self.take_back(*letter);
        }
        if stopped.is_empty() {
            return;
        }
        for (number, entry) in (1..).map(LetterId).zip(&mut self.letters) {
            let held_back = entry.state == LetterState::TakenBack;
            if held_back && entry.superseded_by.is_some_and(|by| stopped.contains(&by)) {
                (entry.state, entry.superseded_by) = (LetterState::Waiting, None);
                self.outbox.insert(number);
            }
        }
    }

    /// Returns who has not heard of a transaction, because every letter that tells him of it still waits so that it can be
    /// taken back, or was replaced before it left.
    pub fn unheard(&self, seq: u64, at: DateTime<Utc>) -> Vec<MemberId> {
        let stopped: BTreeSet<LetterId> = self.stoppable(seq, at).collect();
        let first = self.letters.partition_point(|entry| entry.seq < seq);
        let own = self.letters[first..].iter().take_while(|entry| entry.seq == seq);
        let own = (first as u64 + 1..).map(LetterId).zip(own);
        let (mut unheard, mut heard) = (BTreeSet::new(), BTreeSet::new());
        for (id, entry) in own {
            let Some(player) = entry.player.clone() else { continue };
            let never_left = stopped.contains(&id) || entry.state == LetterState::TakenBack;
            if never_left { &mut unheard } else { &mut heard }.insert(player);
        }
        unheard.difference(&heard).map(|player| MemberId::from(&**player)).collect()
    }

    /// Returns the letters of a transaction that have not left at an instant and wait so that it can be taken back.
    fn stoppable(&self, seq: u64, at: DateTime<Utc>) -> impl Iterator<Item = LetterId> {
        let waits = move |id: &LetterId| {
            self.letter(*id).is_some_and(|entry| {
                entry.seq == seq && entry.attempts == 0 && entry.not_before.is_some_and(|t| t > at)
            })
        };
        self.outbox.iter().copied().filter(waits)
    }

    fn take_back(&mut self, letter: LetterId) {
        if let Some(entry) = self.letter_mut(letter) {
            entry.state = LetterState::TakenBack;
        }
        self.outbox.remove(&letter);
    }
}

/// Tells whether a letter tells a player how one game of his was ruled.
fn is_ruling(entry: &LetterEntry) -> bool {
    matches!(entry.notice, NoticeName::Ruling | NoticeName::Forfeit)
        && entry.player.is_some()
        && entry.game.is_some()
}
