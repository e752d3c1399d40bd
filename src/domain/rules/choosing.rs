//! Rule 2: who is seated. As many full sections as can be, the first come first served; two entries of one person and
//! two players who asked not to meet never sit together, and whoever was passed over for that once is served before
//! all others. The search is exact as long as it stays within its bound, and always comes to the same end. How the
//! seated are dealt over the sections by strength is `tables.rs`.

use crate::domain::{ids::MemberId, section::Entry, state::State};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// How many steps a search for places may take before it is given up. Only players who asked not to meet cost any.
const STEPS: usize = 5_000;

/// Tells whether two entries may sit together: they are two persons', who did not ask to be kept apart.
pub(super) fn may_meet(state: &State, one: &Entry, other: &Entry) -> bool {
    one.member != other.member && !state.are_apart(&one.member, &other.member)
}

/// Returns as many entries as can sit together at one table, the first served first.
pub(super) fn together<'a>(entries: &[&'a Entry], size: usize, state: &State) -> Vec<&'a Entry> {
    let pool = Pool::new(entries, state);
    let sizes = (1..=size.min(entries.len())).rev();
    sizes.map(|size| pool.choose(size, 1).0).find(|seated| !seated.is_empty()).unwrap_or_default()
}

/// Entries that want to sit, in the order in which they are served, with persons as numbers.
pub(super) struct Pool<'a> {
    entries: Vec<&'a Entry>,
    persons: Vec<usize>,
    /// With whom each person must not sit, of those who are here.
    apart: Vec<BTreeSet<usize>>,
    /// The places of each person's entries in the order.
    held: Vec<Vec<usize>>,
}

/// Who sits together, table by table, as places in the order.
pub(super) type Tables = Vec<Vec<usize>>;

impl<'a> Pool<'a> {
    /// Takes in entries, the first served first.
    pub(super) fn new(entries: &[&'a Entry], state: &State) -> Self {
        let mut numbers: BTreeMap<&MemberId, usize> = BTreeMap::new();
        let mut held: Vec<Vec<usize>> = Vec::new();
        let mut persons = Vec::new();
        for (place, entry) in entries.iter().enumerate() {
            let person = *numbers.entry(&entry.member).or_insert(held.len());
            if person == held.len() {
                held.push(Vec::new());
            }
            held[person].push(place);
            persons.push(person);
        }
        let mut apart = vec![BTreeSet::new(); held.len()];
        for (one, other) in &state.apart {
            if let (Some(&one), Some(&other)) = (numbers.get(one), numbers.get(other)) {
                apart[one].insert(other);
                apart[other].insert(one);
            }
        }
        Self { entries: entries.to_vec(), persons, apart, held }
    }

    /// Returns who is seated, and one way to seat them: as many full tables of a size as can be, but no more than so
    /// many. None is left out who was passed over before and can sit at all.
    pub(super) fn choose(&self, size: usize, most: usize) -> (Vec<&'a Entry>, Tables) {
        let most = most.min(self.entries.len() / size.max(1));
        let mut must = vec![false; self.entries.len()];
        for place in (0..must.len()).filter(|place| self.entries[*place].passed_over) {
            must[place] = true;
            must[place] = (1..=most).rev().any(|tables| self.fits(&must, size, tables).is_some());
        }
        for tables in (1..=most).rev() {
            if let Some(seated) = self.fits(&must, size, tables) {
                let seated = self.served_in_turn(must, seated, size);
                let sits: BTreeSet<usize> = seated.iter().flatten().copied().collect();
                return (sits.into_iter().map(|place| self.entries[place]).collect(), seated);
            }
        }
        (Vec::new(), Vec::new())
    }

    /// Gives each in turn a seat who can have one beside those served before.
    fn served_in_turn(&self, mut must: Vec<bool>, mut seated: Tables, size: usize) -> Tables {
        let tables = seated.len();
        let mut served = must.iter().filter(|m| **m).count();
        for place in 0..must.len() {
            if served == tables * size {
                break;
            }
            if must[place] {
                continue;
            }
            must[place] = true;
            if !seated.iter().flatten().any(|sits| *sits == place) {
                match self.fits(&must, size, tables) {
                    Some(other) => seated = other,
                    None => must[place] = false,
                }
            }
            served += usize::from(must[place]);
        }
        seated
    }

    /// Seats all who must sit and as many others as fill the tables, where that is possible.
    pub(super) fn fits(&self, must: &[bool], size: usize, tables: usize) -> Option<Tables> {
        let room: usize = self.held.iter().map(|held| held.len().min(tables)).sum();
        if room < tables * size {
            return None;
        }
        let mut hard: Vec<usize> =
            (0..must.len()).filter(|p| !self.apart[self.persons[*p]].is_empty()).collect();
        hard.sort_by_key(|place| {
            let person = self.persons[*place];
            (!must[*place], Reverse((self.apart[person].len(), self.held[person].len())), *place)
        });
        let mut search =
            Search { pool: self, must, size, seated: vec![Vec::new(); tables], steps: 0 };
        search.place(&hard)
    }

    fn may_sit(&self, table: &[usize], place: usize) -> bool {
        let person = self.persons[place];
        table.iter().all(|sits| {
            let other = self.persons[*sits];
            other != person && !self.apart[person].contains(&other)
        })
    }
}

/// The search for places: first those who must not meet somebody, every way; then all others, who fit by counting.
struct Search<'a, 'b> {
    pool: &'b Pool<'a>,
    must: &'b [bool],
    size: usize,
    seated: Tables,
    steps: usize,
}

impl Search<'_, '_> {
    fn place(&mut self, hard: &[usize]) -> Option<Tables> {
        let Some((&place, others)) = hard.split_first() else { return self.fill() };
        self.steps += 1;
        let mut order: Vec<usize> = (0..self.seated.len()).collect();
        order.sort_by_key(|table| self.seated[*table].len());
        let mut empty = false;
        for table in order {
            let full = self.seated[table].len() >= self.size;
            // One empty table is as good as another.
            let again = self.seated[table].is_empty() && std::mem::replace(&mut empty, true);
            if full || again || !self.pool.may_sit(&self.seated[table], place) {
                continue;
            }
            self.seated[table].push(place);
            if let Some(found) = self.place(others) {
                return Some(found);
            }
            self.seated[table].pop();
            if self.steps > STEPS {
                return None;
            }
        }
        if self.must[place] { None } else { self.place(others) }
    }

    /// Seats those who may sit with everybody but themselves: the earliest if that comes out, else whoever spreads the
    /// persons best. It comes out where the fullest demands never exceed what the persons can fill (Gale and Ryser).
    fn fill(&self) -> Option<Tables> {
        let free: Vec<usize> = self.seated.iter().map(|table| self.size - table.len()).collect();
        let earliest = self.earliest(free.iter().sum());
        let spread = || self.spread(free.iter().sum());
        let uses = earliest
            .filter(|u| can_fill(&free, u))
            .or_else(|| spread().filter(|u| can_fill(&free, u)))?;
        Some(self.seat(free, &uses))
    }

    fn soft(&self) -> impl Iterator<Item = usize> {
        (0..self.pool.held.len()).filter(|person| self.pool.apart[*person].is_empty())
    }

    fn musts(&self, person: usize) -> usize {
        self.pool.held[person].iter().filter(|place| self.must[**place]).count()
    }

    /// Returns how many seats each person has where those who must sit and then the earliest entries have them.
    fn earliest(&self, seats: usize) -> Option<Vec<usize>> {
        let tables = self.seated.len();
        let mut uses = vec![0; self.pool.held.len()];
        for person in self.soft() {
            uses[person] = self.musts(person);
        }
        let mut left = seats.checked_sub(uses.iter().sum())?;
        for (place, person) in self.pool.persons.iter().enumerate() {
            let is_soft = self.pool.apart[*person].is_empty();
            if left > 0 && is_soft && !self.must[place] && uses[*person] < tables {
                uses[*person] += 1;
                left -= 1;
            }
        }
        (left == 0 && uses.iter().all(|u| *u <= tables)).then_some(uses)
    }

    /// The same where every person has as few as possible.
    fn spread(&self, seats: usize) -> Option<Vec<usize>> {
        let tables = self.seated.len();
        let mut uses = vec![0; self.pool.held.len()];
        for person in self.soft() {
            uses[person] = self.musts(person);
        }
        let mut left = seats.checked_sub(uses.iter().sum())?;
        for level in 0..tables {
            for person in self.soft() {
                if left > 0 && uses[person] == level && self.pool.held[person].len() > level {
                    uses[person] += 1;
                    left -= 1;
                }
            }
        }
        (left == 0 && uses.iter().all(|u| *u <= tables)).then_some(uses)
    }

    /// Seats each person at the tables with most room, those with most entries first.
    fn seat(&self, mut free: Vec<usize>, uses: &[usize]) -> Tables {
        let mut seated = self.seated.clone();
        let mut persons: Vec<usize> = self.soft().filter(|person| uses[*person] > 0).collect();
        persons.sort_by_key(|person| Reverse(uses[*person]));
        for person in persons {
            let mut places = self.pool.held[person].clone();
            places.sort_by_key(|place| (!self.must[*place], *place));
            let mut order: Vec<usize> = (0..free.len()).collect();
            order.sort_by_key(|table| Reverse(free[*table]));
            for (place, table) in places.into_iter().zip(order).take(uses[person]) {
                seated[table].push(place);
                free[table] = free[table].saturating_sub(1);
            }
        }
        seated
    }
}

/// Tells whether persons with so many entries each fill tables with so many free seats, none twice at a table.
fn can_fill(free: &[usize], uses: &[usize]) -> bool {
    let mut free = free.to_vec();
    free.sort_unstable_by_key(|seats| Reverse(*seats));
    let mut demand = 0;
    free.iter().enumerate().all(|(n, seats)| {
        demand += seats;
        demand <= uses.iter().map(|u| (*u).min(n + 1)).sum()
    })
}
