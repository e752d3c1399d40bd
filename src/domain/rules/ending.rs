//! Rule 5: when a tournament is over, so that its prizes are final: nothing runs, nothing can begin any more, and
//! nothing about it waits for the director. What is announced then is `prizes.rs`.

use crate::domain::{
    docket::Item,
    ids::{SectionCode, TournamentId},
    section::{Entry, EntryState, Section},
    state::State,
    tournament::Tournament,
};
use chrono::NaiveDate;

/// Tells whether a tournament is over on a day (Rule 5). Once its prizes are announced it stays so, unless something about
/// it comes before the director again.
pub fn is_over(tournament: &Tournament, state: &State, today: NaiveDate) -> bool {
    let id = &tournament.id;
    if state.open_docket().any(|item| concerns(state, item, id)) {
        return false;
    }
    if state.prizes.contains_key(&(id.clone(), None)) {
        return true;
    }
    let begun = |entry: &&Entry| !entry.sections.is_empty() || !entry.carried.is_empty();
    let mut sections = state.sections.values().filter(|section| &section.tournament == id);
    let entries = || state.entries.values().filter(|entry| &entry.tournament == id);
    tournament.closes() < today
        && sections.all(|section| section.complete)
        && !entries().any(|entry| may_play_on(entry.state))
        && entries().any(|entry| begun(&entry))
}

/// Tells whether a section is over, where each has its own prizes (Rule 5): every game has an outcome that stands, and
/// nothing about it waits for the director.
pub fn section_is_over(state: &State, section: &Section) -> bool {
    section.complete && !state.open_docket().any(|item| is_of_section(item, section))
}

/// Tells whether an entry plays, or may sit in a section that has not begun.
const fn may_play_on(state: EntryState) -> bool {
    match state {
        EntryState::Received
        | EntryState::Docket
        | EntryState::AwaitingPayment
        | EntryState::Waiting
        | EntryState::Assigned
        | EntryState::Advanced => true,
        EntryState::Refused
        | EntryState::Eliminated
        | EntryState::Finished
        | EntryState::Withdrawn
        | EntryState::CarriedForward => false,
    }
}

/// Tells whether an item is about a tournament: by its name, or by a section, a game or an entry of it.
fn concerns(state: &State, item: &Item, id: &TournamentId) -> bool {
    let about = &item.about;
    let section =
        |code: &SectionCode| state.sections.get(code).is_some_and(|s| &s.tournament == id);
    let mut entries = item.entries.iter().chain(&about.entry);
    about.event.as_ref() == Some(id)
        || about.section.as_ref().is_some_and(section)
        || about.game.as_ref().is_some_and(|game| section(&game.section))
        || entries.any(|entry| state.entries.get(entry).is_some_and(|e| &e.tournament == id))
}

fn is_of_section(item: &Item, section: &Section) -> bool {
    let about = &item.about;
    let mut entries = item.entries.iter().chain(&about.entry);
    about.section.as_ref() == Some(&section.code)
        || about.game.as_ref().is_some_and(|game| game.section == section.code)
        || entries.any(|entry| section.seat_of(entry).is_some())
}
