//! The agenda: what the coming days will bring if nothing arrives. The real schedule is walked and the real rules decide,
//! over a copy of the books; nothing is written and nobody is told. What this says is what the passes of those days will
//! do, because it is done in the same way.

use super::{Standing, books::Books};
use crate::domain::{
    apply::apply,
    command::{Command, Moment},
    decide::decide,
    docket::Item,
    event::{Event, Grounds, Job},
    ids::{GameId, SectionCode, TournamentId},
    notice::Notice,
    points::Outcome,
    state::State,
    tell,
};
use chrono::{DateTime, Days, NaiveDate, Utc};

/// Something that will be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foretold {
    /// The day, in the house's zone.
    pub on: NaiveDate,
    /// What it is.
    pub what: What,
}

/// What will be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A letter will be written.
    Letter(Notice),
    /// Something will wait for the director.
    Item(Item),
    /// A reported result will stand, since nobody objects.
    Result(GameId, Outcome),
    /// A section will form.
    Section {
        /// Its code.
        section: SectionCode,
        /// The tournament.
        event: TournamentId,
        /// The round, counted from 0.
        round: usize,
        /// How many sit there.
        seats: usize,
    },
}

/// Returns what will be done from now on until so many days later, in order, if nothing arrives.
pub fn foretell(
    standing: &Standing,
    books: &Books,
    now: DateTime<Utc>,
    days: u16,
) -> Vec<Foretold> {
    let last = standing.house.day(now) + Days::new(u64::from(days));
    let mut walk = Walk { standing, state: books.state.clone(), now, foretold: Vec::new() };
    walk.open_books(books.opened);
    walk.do_jobs();
    while let Some(next) = walk.next_slot().filter(|at| standing.house.day(*at) <= last) {
        walk.now = next;
        walk.do_jobs();
    }
    walk.foretold
}

/// A walk through days to come.
struct Walk<'a> {
    standing: &'a Standing,
    state: State,
    now: DateTime<Utc>,
    foretold: Vec<Foretold>,
}

impl Walk<'_> {
    fn moment(&self) -> Moment {
        Moment { at: self.now, today: self.standing.house.day(self.now) }
    }

    /// What the first pass over a home notes.
    fn open_books(&mut self, opened: Option<DateTime<Utc>>) {
        if self.state.slots.is_empty() {
            let today = self.moment().today;
            let first = opened.map_or(today, |at| self.standing.house.day(at));
            self.carry_out(&Command::OpenBooks { since: first.min(today) });
        }
    }

    fn next_slot(&self) -> Option<DateTime<Utc>> {
        let zone = self.standing.house.zone;
        let schedules = self.standing.jobs.values();
        schedules.filter_map(|schedule| schedule.next_after(self.now, zone)).min()
    }

    fn do_jobs(&mut self) {
        let zone = self.standing.house.zone;
        let due = self.standing.jobs.iter().filter_map(|(job, schedule)| {
            let after = self.state.slots.get(job)?;
            Some((*job, schedule.slots_between(*after, self.now, zone)?.0))
        });
        for (job, slot) in due.collect::<Vec<(Job, NaiveDate)>>() {
            self.carry_out(&Command::Tick { job, slot });
        }
    }

    fn carry_out(&mut self, command: &Command) {
        let now = self.moment();
        let events = decide(&self.standing.rules, &self.state, now, command);
        for event in &events {
            apply(&mut self.state, event);
        }
        let letters = tell::notices(&self.state, &events).into_iter().map(What::Letter);
        let done = events.into_iter().filter_map(what).chain(letters);
        self.foretold.extend(done.map(|what| Foretold { on: now.today, what }));
    }
}

fn what(event: Event) -> Option<What> {
    Some(match event {
        Event::ItemOpened(item) => What::Item(item),
        Event::ResultConfirmed { game, outcome, grounds: Grounds::NoObjection, .. } => {
            What::Result(game, outcome)
        }
        Event::SectionFormed { section, event, round, seats, .. } => {
            What::Section { section, event, round, seats: seats.len() }
        }
        _ => return None,
    })
}
