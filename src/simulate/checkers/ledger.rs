//! The checkers' own ledger: what the lines of the journal say of entries, sections and games, gathered without the
//! books. It judges nothing.

use super::Case;
use crate::domain::{
    event::Event,
    ids::{EntryId, MemberId, Seat, SectionCode},
    points::{Outcome, Score},
};
use chrono::{DateTime, NaiveDate, Utc};
use std::collections::{BTreeMap, BTreeSet};

/// An entry as the journal tells it.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is whether an event was seen, and they do not exclude each other"
)]
pub(super) struct EntryLine<'a> {
    pub(super) member: &'a MemberId,
    pub(super) postmark: NaiveDate,
    pub(super) arrived: DateTime<Utc>,
    pub(super) number: u8,
    pub(super) received: NaiveDate,
    pub(super) accepted: bool,
    pub(super) refused: bool,
    pub(super) carried_forward: bool,
    pub(super) withdrawn: bool,
    /// The sections it sat in, by round.
    pub(super) seats: BTreeMap<usize, &'a SectionCode>,
    /// Whether it took a seat over or gave one up.
    pub(super) substituted: bool,
    pub(super) eliminated: bool,
    /// The rounds in which it was out, also where a later ruling sent it on.
    pub(super) out: BTreeSet<usize>,
    pub(super) finished: bool,
    pub(super) advanced: usize,
}

/// A section as the journal tells it.
#[derive(Clone, Debug)]
pub(super) struct SectionLine<'a> {
    pub(super) round: usize,
    /// Who sits where now.
    pub(super) seats: Vec<&'a EntryId>,
    /// The games with the outcome that stands.
    pub(super) games: BTreeMap<(Seat, Seat), Option<Outcome>>,
    pub(super) complete: bool,
}

/// What the journal adds up to.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger<'a> {
    pub(super) entries: BTreeMap<&'a EntryId, EntryLine<'a>>,
    pub(super) sections: BTreeMap<&'a SectionCode, SectionLine<'a>>,
    pub(super) ratings: BTreeMap<&'a MemberId, Option<u16>>,
    pub(super) died: BTreeSet<&'a MemberId>,
    /// Pairs who asked not to meet.
    pub(super) apart: BTreeSet<(&'a MemberId, &'a MemberId)>,
}

impl<'a> Ledger<'a> {
    /// Reads a whole case.
    pub(super) fn read(case: &'a Case) -> Self {
        let mut ledger = Self::default();
        for (day, event) in case.events() {
            ledger.follow(day, event);
        }
        ledger
    }

    /// Follows one event.
    pub(super) fn follow(&mut self, day: NaiveDate, event: &'a Event) {
        match event {
            Event::PlayerListed(player) => {
                self.ratings.insert(&player.member, player.rating);
            }
            Event::PlayerDied { member, .. } => {
                self.died.insert(member);
            }
            Event::KeptApart(apart) => {
                let pair = (&apart.one, &apart.other);
                if apart.lifted {
                    self.apart.remove(&pair)
                } else {
                    self.apart.insert(pair)
                };
            }
            Event::EntryReceived { entry, member, number, postmark, arrived, .. } => {
                let line = EntryLine {
                    member,
                    postmark: *postmark,
                    arrived: *arrived,
                    number: *number,
                    received: day,
                    accepted: false,
                    refused: false,
                    carried_forward: false,
                    withdrawn: false,
                    seats: BTreeMap::new(),
                    substituted: false,
                    eliminated: false,
                    out: BTreeSet::new(),
                    finished: false,
                    advanced: 0,
                };
                self.entries.insert(entry, line);
            }
            _ => {
                self.follow_entry(event);
                self.follow_section(event);
            }
        }
    }

    fn follow_entry(&mut self, event: &'a Event) {
        let (entry, change): (_, fn(&mut EntryLine<'a>)) = match event {
            Event::EntryAccepted { entry } => (entry, |e| e.accepted = true),
            Event::EntryRefused { entry, .. } => (entry, |e| e.refused = true),
            Event::EntryCarriedForward { entry, .. } => (entry, |e| e.carried_forward = true),
            Event::EntryWithdrawn { entry } => (entry, |e| e.withdrawn = true),
            Event::EntryEliminated { entry, .. } => (entry, |e| {
                e.eliminated = true;
                e.out.extend(e.seats.keys().max());
            }),
            Event::EntryFinished { entry } => (entry, |e| e.finished = true),
            Event::EntryAdvanced { entry, .. } => (entry, |e| {
                e.eliminated = false;
                e.advanced += 1;
            }),
            Event::EntryTakenBack(entry) => (entry, |e| {
                if e.eliminated {
                    e.eliminated = false;
                } else {
                    e.advanced = e.advanced.saturating_sub(1);
                }
            }),
            Event::EntryRenumbered { entry, number } => {
                if let Some(line) = self.entries.get_mut(entry) {
                    line.number = *number;
                }
                return;
            }
            _ => return,
        };
        if let Some(line) = self.entries.get_mut(entry) {
            change(line);
        }
    }

    fn follow_section(&mut self, event: &'a Event) {
        match event {
            Event::SectionFormed { section, round, seats, games, .. } => {
                for seated in seats {
                    if let Some(line) = self.entries.get_mut(&seated.entry) {
                        line.seats.insert(*round, section);
                    }
                }
                let line = SectionLine {
                    round: *round,
                    seats: seats.iter().map(|s| &s.entry).collect(),
                    games: games.iter().map(|game| (*game, None)).collect(),
                    complete: false,
                };
                self.sections.insert(section, line);
            }
            Event::ResultConfirmed { game, outcome, .. }
            | Event::ResultRuled { game, outcome, .. } => {
                let section = self.sections.get_mut(&game.section);
                if let Some(line) = section.and_then(|s| s.games.get_mut(&(game.white, game.black)))
                {
                    *line = Some(*outcome);
                }
            }
            Event::SectionCompleted { section } => {
                if let Some(line) = self.sections.get_mut(section) {
                    line.complete = true;
                }
            }
            Event::SeatTaken(taken) => self.substitute(taken),
            _ => {}
        }
    }

    fn substitute(&mut self, taken: &'a crate::domain::acts::Substitution) {
        let Some(section) = self.sections.get_mut(&taken.section) else { return };
        if let Some(seat) =
            usize::from(taken.seat.0).checked_sub(1).and_then(|n| section.seats.get_mut(n))
        {
            *seat = &taken.entry;
        }
        let round = section.round;
        for entry in [&taken.left, &taken.entry] {
            if let Some(line) = self.entries.get_mut(entry) {
                line.substituted = true;
                line.seats.insert(round, &taken.section);
            }
        }
    }

    /// Returns the member behind an entry.
    pub(super) fn member(&self, entry: &EntryId) -> Option<&'a MemberId> {
        self.entries.get(entry).map(|line| line.member)
    }

    /// Returns the half points and the forfeit losses of an entry in a section, from its games that have an outcome.
    pub(super) fn score(&self, section: &SectionCode, entry: &EntryId) -> Option<(u16, usize)> {
        let line = self.sections.get(section)?;
        let place = line.seats.iter().position(|seated| *seated == entry)?;
        let seat = Seat(u8::try_from(place + 1).ok()?);
        Some(line.score(seat))
    }
}

impl SectionLine<'_> {
    /// Returns the half points and the forfeit losses of a seat.
    pub(super) fn score(&self, seat: Seat) -> (u16, usize) {
        let (mut halves, mut forfeits) = (0, 0);
        for ((white, black), outcome) in &self.games {
            let Some(Outcome { result, how }) = outcome else { continue };
            let won = match result {
                Score::WhiteWins => Some(*white),
                Score::BlackWins => Some(*black),
                Score::Draw | Score::BothLose => None,
            };
            if ![*white, *black].contains(&seat) {
                continue;
            }
            halves += match (result, won) {
                (Score::Draw, _) => 1,
                (_, Some(winner)) if winner == seat => 2,
                _ => 0,
            };
            let lost = *result != Score::Draw && won != Some(seat);
            let forfeit = matches!(
                how.text(),
                "time-forfeit"
                    | "silence-forfeit"
                    | "withdrawal"
                    | "administrative"
                    | "double-forfeit"
            );
            forfeits += usize::from(lost && forfeit);
        }
        (halves, forfeits)
    }

    /// Returns the seats with who sits there.
    pub(super) fn each(&self) -> impl Iterator<Item = (Seat, &EntryId)> {
        (1..).map(Seat).zip(self.seats.iter().copied())
    }

    /// Tells whether every game has an outcome that stands.
    pub(super) fn is_settled(&self) -> bool {
        self.games.values().all(Option::is_some)
    }
}
