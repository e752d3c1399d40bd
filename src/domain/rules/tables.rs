//! Rule 2: dealing those who are seated over the day's sections. One a section in each turn, the turns going to and
//! fro, so that each section has strong and weak; nobody sits twice in one, nor with somebody whom he asked not to meet;
//! and pairs who meet in another section of the round are kept apart where that is possible, at first by the choice of
//! the table and then by exchanges, those of like strength first, as long as that spares a repeated meeting. Who is
//! seated is `choosing.rs`; its own way to seat them is taken where dealing comes to no end.

use crate::domain::{
    ids::{MemberId, TournamentId},
    section::Entry,
    state::State,
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// What is dealt, and what is known of it.
pub(super) struct Deal<'a, 'b> {
    /// The entries, which come strongest first and each person's together.
    pub(super) order: &'b [&'a Entry],
    /// The rating of each.
    pub(super) strengths: Vec<u16>,
    /// A way to seat them that keeps to all that must be kept.
    pub(super) seated: Vec<Vec<&'a Entry>>,
    /// The books.
    pub(super) state: &'b State,
    /// The round in which repeated meetings are avoided; none: they do not matter.
    pub(super) met: Option<(&'b TournamentId, usize)>,
}

/// Deals entries over as many tables as they are seated at, all of one size.
pub(super) fn deal<'a>(dealt: &Deal<'a, '_>) -> Vec<Vec<&'a Entry>> {
    let mut room = Room::new(dealt);
    for entry in 0..dealt.order.len() {
        if !room.seat(entry) {
            room = Room::seated(dealt);
            break;
        }
    }
    if room.avoid {
        room.keep_apart();
    }
    let named = |table: Vec<usize>| table.into_iter().map(|entry| dealt.order[entry]).collect();
    room.tables.into_iter().map(named).collect()
}

/// A seat at the day's tables: table, then place.
type Place = (usize, usize);

/// The day's tables, with entries and persons as numbers.
struct Room {
    /// The entries at each table, as numbers in the order in which they are dealt.
    tables: Vec<Vec<usize>>,
    /// The person of each entry.
    persons: Vec<usize>,
    /// The strength of each entry.
    strengths: Vec<u16>,
    /// With whom each person must not sit.
    apart: Vec<BTreeSet<usize>>,
    /// How often each person meets others in the round.
    meetings: Vec<BTreeMap<usize, u8>>,
    /// Seats at a table.
    size: usize,
    /// Whether repeated meetings matter.
    avoid: bool,
}

impl Room {
    fn new(dealt: &Deal<'_, '_>) -> Self {
        let numbers = numbers(dealt.order);
        let mut room = Self {
            tables: vec![Vec::new(); dealt.seated.len()],
            persons: dealt.order.iter().map(|entry| numbers[&entry.member]).collect(),
            strengths: dealt.strengths.clone(),
            apart: vec![BTreeSet::new(); numbers.len()],
            meetings: vec![BTreeMap::new(); numbers.len()],
            size: dealt.seated.first().map_or(0, Vec::len),
            avoid: dealt.met.is_some(),
        };
        for (one, other) in &dealt.state.apart {
            if let (Some(&one), Some(&other)) = (numbers.get(one), numbers.get(other)) {
                room.apart[one].insert(other);
                room.apart[other].insert(one);
            }
        }
        if let Some((event, round)) = dealt.met {
            room.remember(&numbers, dealt.state, event, round);
        }
        room
    }

    /// The tables as the choice of the seated has them.
    fn seated(dealt: &Deal<'_, '_>) -> Self {
        let mut room = Self::new(dealt);
        for (table, entries) in dealt.seated.iter().enumerate() {
            for seated in entries {
                let entry = dealt.order.iter().position(|entry| entry.id == seated.id);
                room.take(table, entry.expect("who is seated is dealt"));
            }
        }
        room
    }

    /// Counts the meetings in the sections of the round that were formed before.
    fn remember(
        &mut self,
        numbers: &BTreeMap<&MemberId, usize>,
        state: &State,
        event: &TournamentId,
        round: usize,
    ) {
        for section in state.sections_in(event, round) {
            let members =
                section.each_seat().filter_map(|(seat, _)| state.member_at(section, seat));
            let persons: Vec<usize> = members.filter_map(|m| numbers.get(m).copied()).collect();
            for &one in &persons {
                for &other in persons.iter().filter(|other| **other != one) {
                    *self.meetings[one].entry(other).or_default() += 1;
                }
            }
        }
    }

    /// Seats an entry at the best table for it, moving another one where there is no seat else; tells whether it sits.
    fn seat(&mut self, entry: usize) -> bool {
        if let Some(table) = self.next_table(entry) {
            self.take(table, entry);
            return true;
        }
        let Some(((table, place), to)) = self.best_move(entry) else { return false };
        self.change_meetings((table, place), -1);
        let moved = self.tables[table].remove(place);
        self.take(to, moved);
        self.take(table, entry);
        true
    }

    fn take(&mut self, table: usize, entry: usize) {
        self.tables[table].push(entry);
        self.change_meetings((table, self.tables[table].len() - 1), 1);
    }

    /// Returns who may move to a table with a free seat so that an entry has his, the nearest in strength first.
    fn best_move(&self, entry: usize) -> Option<(Place, usize)> {
        let open: Vec<usize> =
            (0..self.tables.len()).filter(|table| self.tables[*table].len() < self.size).collect();
        let tables = self.tables.iter().enumerate();
        let places = tables.flat_map(|(t, table)| (0..table.len()).map(move |n| (t, n)));
        let free = places.filter(|place| self.sits_well(self.persons[entry], self.others(*place)));
        let moves = free.filter_map(|place| {
            let person = self.person(place);
            let to = open
                .iter()
                .find(|to| **to != place.0 && self.sits_well(person, self.persons_at(**to)))?;
            Some((place, *to))
        });
        let strength = |(table, place): Place| self.strengths[self.tables[table][place]];
        moves.min_by_key(|(place, _)| strength(*place).abs_diff(self.strengths[entry]))
    }

    /// Tells whether a person may sit with others.
    fn sits_well(&self, person: usize, mut others: impl Iterator<Item = usize>) -> bool {
        others.all(|other| other != person && !self.apart[person].contains(&other))
    }

    fn person(&self, (table, place): Place) -> usize {
        self.persons[self.tables[table][place]]
    }

    fn persons_at(&self, table: usize) -> impl Iterator<Item = usize> {
        self.tables[table].iter().map(|entry| self.persons[*entry])
    }

    fn others(&self, (table, place): Place) -> impl Iterator<Item = usize> {
        self.persons_at(table).enumerate().filter(move |(n, _)| *n != place).map(|(_, who)| who)
    }

    fn meet(&self, one: usize, other: usize) -> u8 {
        self.meetings[one].get(&other).copied().unwrap_or(0)
    }

    /// Returns the table with the fewest seats taken at which an entry may sit; among equals the one with the fewest
    /// whom its person meets elsewhere, then the one that was dealt to longest ago.
    fn next_table(&self, entry: usize) -> Option<usize> {
        let (person, sections) = (self.persons[entry], self.tables.len());
        let turn = self.tables.iter().map(Vec::len).min().unwrap_or(0);
        let repeats = |table: usize| {
            self.persons_at(table).filter(|who| self.avoid && self.meet(person, *who) > 0).count()
        };
        let free = (0..sections).filter(|table| {
            self.tables[*table].len() < self.size && self.sits_well(person, self.persons_at(*table))
        });
        free.min_by_key(|&table| {
            let place = if turn % 2 == 0 { table } else { sections - table };
            (self.tables[table].len(), repeats(table), place)
        })
    }

    /// Exchanges entries until no exchange spares a repeated meeting any more.
    fn keep_apart(&mut self) {
        let tables = self.tables.iter().enumerate();
        let places: Vec<Place> =
            tables.flat_map(|(t, table)| (0..table.len()).map(move |n| (t, n))).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &one in &places {
                if let Some(other) = self.best_exchange(&places, one) {
                    self.exchange(one, other);
                    changed = true;
                }
            }
        }
    }

    /// Returns how many opponents a person at a place meets more than once.
    fn repeats(&self, place: Place) -> usize {
        let person = self.person(place);
        self.others(place).filter(|other| self.meet(person, *other) > 1).count()
    }

    /// Returns how many of those at a place's table a person from another place would meet again there.
    fn repeats_at(&self, place: Place, from: Place) -> usize {
        let person = self.person(from);
        // Whom he leaves at his own table and finds at the other one he meets as often as before.
        let left = |other: usize| u8::from(self.persons_at(from.0).any(|who| who == other));
        self.others(place).filter(|other| self.meet(person, *other) > left(*other)).count()
    }

    /// Returns with whom to exchange a place: what spares most repeated meetings, then who is nearest in strength.
    fn best_exchange(&self, places: &[Place], one: Place) -> Option<Place> {
        let repeats = self.repeats(one);
        if repeats == 0 {
            return None;
        }
        let spared = |other: Place| {
            let before = repeats + self.repeats(other);
            let after = self.repeats_at(other, one) + self.repeats_at(one, other);
            before.checked_sub(after).filter(|spared| *spared > 0)
        };
        let strength = |(table, place): Place| self.strengths[self.tables[table][place]];
        let near = |other: Place| strength(one).abs_diff(strength(other));
        let fitting = places.iter().copied().filter(|other| self.may_exchange(one, *other));
        let better = fitting.filter_map(|other| Some((spared(other)?, other)));
        let best = better.min_by_key(|(spared, other)| (Reverse(*spared), near(*other)));
        best.map(|(_, other)| other)
    }

    /// Tells whether after an exchange nobody would sit where he must not.
    fn may_exchange(&self, one: Place, other: Place) -> bool {
        let (first, second) = (self.person(one), self.person(other));
        one.0 != other.0
            && self.sits_well(second, self.others(one))
            && self.sits_well(first, self.others(other))
    }

    fn exchange(&mut self, one: Place, other: Place) {
        for place in [one, other] {
            self.change_meetings(place, -1);
        }
        let entry = self.tables[one.0][one.1];
        self.tables[one.0][one.1] = std::mem::replace(&mut self.tables[other.0][other.1], entry);
        for place in [one, other] {
            self.change_meetings(place, 1);
        }
    }

    /// Counts a person's meetings at a table once more or once less.
    fn change_meetings(&mut self, place: Place, change: i8) {
        let person = self.person(place);
        for other in self.others(place).collect::<Vec<_>>() {
            for (one, other) in [(person, other), (other, person)] {
                let times = self.meetings[one].entry(other).or_default();
                *times = times.saturating_add_signed(change);
            }
        }
    }
}

/// Numbers the persons of these entries.
fn numbers<'a>(order: &[&'a Entry]) -> BTreeMap<&'a MemberId, usize> {
    let mut numbers = BTreeMap::new();
    for entry in order {
        let next = numbers.len();
        numbers.entry(&entry.member).or_insert(next);
    }
    numbers
}
