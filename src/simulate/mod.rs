//! The simulation: made-up players with habits play a whole championship through the real office, in memory, from the
//! first entry to the last prize, with every day of it lived once. What is real: the office, its rules, its readers, its
//! letters, the text of its journal. What is not: disk, network, the people and the days.
//!
//! It finds out whether a tournament's file leads to an end, and whether what the program did was right: the checkers in
//! [`checkers`] work that out for themselves from the journal and the mails, and call nothing of `domain/rules`. The same
//! seed gives the same season, so that what was found can be played again.
//!
//! It does not judge chess, play against the clock or measure the disk; moves are not sent by mail here.

mod acts;
mod chance;
pub mod checkers;
mod chronicle;
mod clock;
mod desk;
mod director;
mod mails;
mod players;
mod post;
mod season;
mod summary;
mod words;

pub use desk::Venue;
pub use season::{Delivered, Posted};
pub use summary::Summary;

use crate::domain::{
    state::State,
    tournament::{PrizeOrder, Tournament},
};
use checkers::{Case, Violation};
use chrono::{Days, NaiveDate};
use season::Season;

/// What is played.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Where chance begins.
    pub seed: u64,
    /// How many entries the players together want to have.
    pub entries: usize,
    /// How many days at most; none: until long after the last round must have ended.
    pub days: Option<u64>,
    /// How many in a hundred pieces of work of the office are broken off by a failure or a crash.
    pub mishaps: u64,
    /// Whether the chronicle is kept.
    pub chronicle: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { seed: 1, entries: 200, days: None, mishaps: 0, chronicle: false }
    }
}

/// Days that are lived on after everything is finished, to see that nothing more is said or done.
const CALM_DAYS: u64 = 20;

/// A season that was played.
pub struct Played {
    /// What went wrong, if anything did.
    pub violations: Vec<Violation>,
    /// What it came to.
    pub summary: Summary,
    /// What happened, a dated line each.
    pub chronicle: Vec<String>,
    /// The books at its end.
    pub state: State,
    /// Everything that the checkers looked at.
    pub case: Case,
}

/// Plays one championship and checks it. `progress` is called with each day and how many entries have come to their end.
pub fn play(
    venue: &Venue,
    tournament: &Tournament,
    settings: &Settings,
    mut progress: impl FnMut(NaiveDate),
) -> Played {
    let mut season = Season::open(venue, tournament, settings);
    let broken = live(&mut season, settings, &mut progress);
    finish(season, broken)
}

/// Lives day after day until nothing is left to do; tells what broke it off.
fn live(
    season: &mut Season<'_>,
    settings: &Settings,
    progress: &mut impl FnMut(NaiveDate),
) -> Option<Violation> {
    let first = season.today;
    let limit = first + Days::new(settings.days.unwrap_or_else(|| longest(season.tournament)));
    let broken = |day, sentence| Some(Violation { checker: "season", day, sentence });
    if let Err(sentence) = season.begin() {
        return broken(first, sentence);
    }
    let mut finished: Option<NaiveDate> = None;
    for day in first.iter_days().skip(1).take_while(|day| *day <= limit) {
        progress(day);
        if let Err(sentence) = season.live(day) {
            return broken(day, sentence);
        }
        let done = is_finished(season);
        finished = finished.filter(|_| done).or(done.then_some(day));
        if finished.is_some_and(|since| since + Days::new(CALM_DAYS) <= day) {
            return None;
        }
    }
    match settings.days {
        Some(_) => None,
        None => broken(limit, unfinished(season)),
    }
}

/// Returns the days within which even a slow championship has ended: twice its rounds, and three years for entries and
/// for what waits between them.
fn longest(tournament: &Tournament) -> u64 {
    let months: u64 = tournament.rounds.iter().map(|round| u64::from(round.months)).sum();
    months * 31 * 2 + 3 * 366
}

fn is_finished(season: &Season<'_>) -> bool {
    let (state, tournament) = (season.desk.state(), season.tournament);
    let closed =
        season.today > tournament.closes() && season.today >= tournament.entry.pairings_from;
    closed && state.open_items.is_empty() && are_prizes_out(state, tournament)
}

fn are_prizes_out(state: &State, tournament: &Tournament) -> bool {
    let id = &tournament.id;
    let own: Vec<_> = state.sections.values().filter(|s| s.tournament == *id).collect();
    match tournament.prizes.by {
        PrizeOrder::WeightedPoints => {
            own.is_empty() || state.prizes.contains_key(&(id.clone(), None))
        }
        PrizeOrder::SectionPoints => {
            let out = |code| state.prizes.contains_key(&(id.clone(), Some(code)));
            own.iter().all(|s| s.complete && out(s.code.clone()))
        }
    }
}

fn unfinished(season: &Season<'_>) -> String {
    let state = season.desk.state();
    let open: Vec<_> =
        state.open_docket().map(|i| format!("{} {}", i.item, i.kind.text())).collect();
    let running: Vec<_> =
        state.sections.values().filter(|s| !s.complete).map(|s| s.code.to_string()).collect();
    format!(
        "the championship has not come to its end: sections that run: {}; open items: {}; prizes announced: {}",
        if running.is_empty() { "none".to_owned() } else { running.join(", ") },
        if open.is_empty() { "none".to_owned() } else { open.join(", ") },
        state.prizes.len(),
    )
}

fn finish(mut season: Season<'_>, broken: Option<Violation>) -> Played {
    season.desk.calm_down();
    let replayed = season.desk.replayed();
    let state = season.desk.state().clone();
    let summary = Summary::of(&season);
    let whole = broken.is_none() && is_finished(&season);
    let case = Case {
        tournament: season.tournament.clone(),
        house: season.venue.house.clone(),
        answers_a_day: season.venue.caps.address,
        transactions: std::mem::take(&mut season.transactions),
        posted: std::mem::take(&mut season.posted),
        delivered: std::mem::take(&mut season.delivered),
        last_day: season.today,
        whole,
    };
    let mut violations: Vec<Violation> = broken.into_iter().collect();
    violations.extend(checkers::replay(&state, replayed, season.today));
    violations.extend(checkers::audit(&case, &state));
    violations.extend(checkers::all(&case));
    let chronicle = season.chronicle.into_lines();
    Played { violations, summary, chronicle, state, case }
}
