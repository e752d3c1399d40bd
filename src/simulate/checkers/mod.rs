//! The checkers of a simulated season. Each works out for itself, from the lines of the journal, the mails that were sent
//! and the letters that were delivered, what must be true, and says in a sentence what is not. Nothing of `domain/rules`
//! is called here and no sum is taken from the books: whoever keeps them does not audit them.
//!
//! What they speak of are the words of the domain (events, points, outcomes), which are data. A matter in which the
//! rules leave the choice to the director is checked for being his, not for being wise.

mod advancing;
mod awards;
mod entries;
mod ledger;
mod letters;
mod mails;
mod money;
mod prizes;
mod seats;
mod sums;

use super::season::{Delivered, Posted};
use crate::{
    domain::{
        apply::apply,
        event::Event,
        state::State,
        tournament::{Rules, Tournament},
    },
    house::House,
    office::accounts,
    store::transaction::Transaction,
};
use chrono::NaiveDate;
use ledger::Ledger;
use std::fmt;

/// Everything that the checkers look at.
#[derive(Clone, Debug)]
pub struct Case {
    /// The tournament, as its file has it.
    pub tournament: Tournament,
    /// Whose days count.
    pub house: House,
    /// How many answers one address gets in a day.
    pub answers_a_day: u32,
    /// The lines of the journal, read back from their text.
    pub transactions: Vec<Transaction>,
    /// The mails that were put into the mailbox, each as often as it was.
    pub posted: Vec<Posted>,
    /// The letters that were delivered.
    pub delivered: Vec<Delivered>,
    /// The last day that was lived.
    pub last_day: NaiveDate,
    /// Whether the season was played to its end, so that what is owed must have been given.
    pub whole: bool,
}

/// Something that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which checker says so.
    pub checker: &'static str,
    /// The day of it.
    pub day: NaiveDate,
    /// What is wrong.
    pub sentence: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.day, self.checker, self.sentence)
    }
}

/// What a checker finds.
pub(super) struct Found {
    checker: &'static str,
    violations: Vec<Violation>,
}

impl Found {
    /// Notes what is wrong.
    pub(super) fn wrong(&mut self, day: NaiveDate, sentence: impl Into<String>) {
        let (checker, sentence) = (self.checker, sentence.into());
        self.violations.push(Violation { checker, day, sentence });
    }
}

type Checker = fn(&Case, &Ledger<'_>, &mut Found);

/// The checkers by name.
const CHECKERS: [(&str, Checker); 9] = [
    ("seats", seats::check),
    ("sums", sums::check),
    ("advancing", advancing::check),
    ("entries", entries::check),
    ("money", money::check),
    ("awards", awards::check),
    ("prizes", prizes::check),
    ("mails", mails::check),
    ("letters", letters::check),
];

/// Returns the names of the checkers, `replay` apart.
pub fn names() -> impl Iterator<Item = &'static str> {
    CHECKERS.iter().map(|(name, _)| *name)
}

/// Lets every checker look at a case.
pub fn all(case: &Case) -> Vec<Violation> {
    let ledger = Ledger::read(case);
    let mut violations = Vec::new();
    for (checker, check) in CHECKERS {
        let mut found = Found { checker, violations: Vec::new() };
        check(case, &ledger, &mut found);
        violations.append(&mut found.violations);
    }
    violations
}

impl Case {
    /// Returns the day of a transaction.
    pub(super) fn day(&self, transaction: &Transaction) -> NaiveDate {
        self.house.day(transaction.at)
    }

    /// Returns all events in order, each with its day.
    pub(super) fn events(&self) -> impl Iterator<Item = (NaiveDate, &Event)> {
        let dated = self.transactions.iter().map(|t| (self.day(t), t));
        dated.flat_map(|(day, t)| t.events.iter().map(move |event| (day, event)))
    }
}

/// The books in memory are what the journal adds up to: read by an office of its own, and event by event.
pub fn replay(state: &State, read: Result<State, String>, day: NaiveDate) -> Option<Violation> {
    let sentence = match read {
        Ok(read) if read == *state => return None,
        Ok(_) => {
            "the journal read from its beginning gives other books than those in memory".to_owned()
        }
        Err(why) => format!("the journal cannot be read from its beginning: {why}"),
    };
    Some(Violation { checker: "replay", day, sentence })
}

/// The accounts that `audit` looks over are in order.
pub fn audit(case: &Case, state: &State) -> Vec<Violation> {
    let tournament = case.tournament.clone();
    let rules = Rules { tournaments: [(tournament.id.clone(), tournament)].into() };
    let problems = accounts::problems(&rules, state).into_iter();
    let day = case.last_day;
    problems.map(|sentence| Violation { checker: "audit", day, sentence }).collect()
}

/// Returns the books that a case's events add up to.
pub fn books(case: &Case) -> State {
    let mut state = State::default();
    for (_, event) in case.events() {
        apply(&mut state, event);
    }
    state
}
