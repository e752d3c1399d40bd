//! Rule 2: dealing those who are seated over the day's sections. One a section in each turn, the turns going to and
//! fro, so that each section has strong and weak; nobody sits twice in one; and pairs who meet in another section of
//! the round are kept apart where that is possible, at first by the choice of the table and then by exchanges, those of
//! like strength first, as long as that spares a repeated meeting. Who is seated is `assignment.rs`.

use crate::domain::{
    ids::{MemberId, TournamentId},
    section::Entry,
    state::State,
};
use std::{cmp::Reverse, collections::BTreeMap};

/// Deals entries, which come strongest first and each person's together, over so many tables of one size. `met` says
/// whose earlier sections count: pairs who sat there together are kept apart. `strength` is an entry's rating.
pub(super) fn deal<'a>(
    order: &[&'a Entry],
    sections: usize,
    met: Option<(&State, &TournamentId)>,
    strength: impl Fn(&Entry) -> u16,
) -> Vec<Vec<&'a Entry>> {
    let mut room = Room::new(order, sections, met.is_some(), strength);
    if let Some((state, event)) = met {
        room.remember(order, state, event);
    }
    for entry in 0..order.len() {
        let table = room.next_table(entry);
        room.tables[table].push(entry);
        room.change_meetings((table, room.tables[table].len() - 1), 1);
    }
    if met.is_some() {
        room.keep_apart();
    }
    let named = |table: Vec<usize>| table.into_iter().map(|entry| order[entry]).collect();
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
    /// How often each person meets others in the round.
    meetings: Vec<BTreeMap<usize, u8>>,
    /// Whether repeated meetings matter.
    avoid: bool,
}

impl Room {
    fn new(
        order: &[&Entry],
        sections: usize,
        avoid: bool,
        strength: impl Fn(&Entry) -> u16,
    ) -> Self {
        let numbers = numbers(order);
        Self {
            tables: vec![Vec::new(); sections],
            persons: order.iter().map(|entry| numbers[&entry.member]).collect(),
            strengths: order.iter().map(|entry| strength(entry)).collect(),
            meetings: vec![BTreeMap::new(); numbers.len()],
            avoid,
        }
    }

    /// Counts the meetings in the sections of the first round that were formed before.
    fn remember(&mut self, order: &[&Entry], state: &State, event: &TournamentId) {
        let numbers = numbers(order);
        for section in state.sections_in(event, 0) {
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

    /// Returns the table with the fewest seats taken that the person does not sit at; among equals the one with the
    /// fewest whom he meets elsewhere, then the one that was dealt to longest ago.
    fn next_table(&self, entry: usize) -> usize {
        let (person, sections) = (self.persons[entry], self.tables.len());
        let turn = self.tables.iter().map(Vec::len).min().unwrap_or(0);
        let repeats = |table: usize| {
            self.persons_at(table).filter(|who| self.avoid && self.meet(person, *who) > 0).count()
        };
        let free = (0..sections)
            .filter(|&table| self.persons_at(table).all(|who| who != person))
            .min_by_key(|&table| {
                let place = if turn % 2 == 0 { table } else { sections - table };
                (self.tables[table].len(), repeats(table), place)
            });
        free.expect("a person has no more entries here than there are sections")
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

    /// Tells whether after an exchange nobody would sit twice at a table.
    fn may_exchange(&self, one: Place, other: Place) -> bool {
        let (first, second) = (self.person(one), self.person(other));
        one.0 != other.0
            && self.others(one).all(|person| person != second)
            && self.others(other).all(|person| person != first)
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
