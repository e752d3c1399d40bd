//! The chronicle of a season: dated lines that a person can read, of what mattered. Names and addresses in it are made up.

use crate::domain::{
    acts::Refund,
    event::Event,
    ids::{EntryId, GameId, MemberId},
    points::{Outcome, Side},
    state::State,
};
use chrono::NaiveDate;

/// The lines, if anybody wants them.
#[derive(Clone, Debug)]
pub(super) struct Chronicle {
    wanted: bool,
    lines: Vec<String>,
}

impl Chronicle {
    /// Begins a chronicle; where nobody wants one it stays empty.
    pub(super) const fn new(wanted: bool) -> Self {
        Self { wanted, lines: Vec::new() }
    }

    /// Adds a line.
    pub(super) fn tell(&mut self, day: NaiveDate, sentence: &str) {
        if self.wanted {
            self.lines.push(format!("{day}  {sentence}"));
        }
    }

    /// Adds what an event is worth.
    pub(super) fn note(&mut self, day: NaiveDate, event: &Event, state: &State) {
        if self.wanted
            && let Some(sentence) = sentence(event, state)
        {
            self.tell(day, &sentence);
        }
    }

    /// Returns the lines.
    pub(super) fn into_lines(self) -> Vec<String> {
        self.lines
    }
}

fn sentence(event: &Event, state: &State) -> Option<String> {
    Some(match event {
        Event::EntryReceived { entry, member, postmark, .. } => {
            format!("{} enters: {entry}, postmarked {postmark}.", name(state, member))
        }
        Event::EntryRefused { entry, .. } => format!("{entry} is refused."),
        Event::EntryCarriedForward { entry, .. } => format!("{entry} will play next year."),
        Event::PaymentReceived { member, amount, .. } => {
            format!("{} has paid {amount}.", name(state, member))
        }
        Event::PaymentRefunded(Refund { member, amount, .. }) => {
            format!("{} gets {amount} back.", name(state, member))
        }
        Event::SectionFormed { section, seats, .. } => {
            let seated: Vec<_> = seats.iter().map(|s| holder(state, &s.entry)).collect();
            format!("Section {section} is formed: {}.", seated.join(", "))
        }
        Event::ResultConfirmed { game, outcome, .. } => played(state, game, *outcome, "stands"),
        Event::ResultRuled { game, outcome, .. } => played(state, game, *outcome, "by ruling"),
        Event::ResultDisputed { game, .. } => {
            format!("{} is disputed.", players(state, game))
        }
        Event::SectionCompleted { section } => format!("Section {section} is complete."),
        Event::EntryAdvanced { entry, section, points, why } => {
            let why = format!("{why:?}").to_lowercase();
            let from = section.as_ref().map_or("another's books", |code| &code.0);
            format!("{} advances from {from} with {points} ({why}).", holder(state, entry))
        }
        Event::EntryEliminated { entry, points, .. } => {
            format!("{} is out with {points}.", holder(state, entry))
        }
        Event::EntryFinished { entry } => {
            format!("{} has played all rounds.", holder(state, entry))
        }
        Event::EntryWithdrawn { entry } => format!("{} withdraws.", holder(state, entry)),
        Event::PlayerDied { member, .. } => {
            format!("The death of {} is noted.", name(state, member))
        }
        Event::SeatTaken(taken) => {
            format!(
                "{} takes seat {} in {}.",
                holder(state, &taken.entry),
                taken.seat,
                taken.section
            )
        }
        Event::LeaveGranted(leave) => {
            format!(
                "{} is on leave from {} to {}.",
                name(state, &leave.member),
                leave.from,
                leave.to
            )
        }
        Event::PrizesAwarded(list) => {
            let winners =
                list.places.iter().map(|p| format!("{} {}", holder(state, &p.entry), p.amount));
            format!("The prizes: {}.", winners.collect::<Vec<_>>().join(", "))
        }
        Event::ItemOpened(item) => {
            format!("{} waits for the director: {}.", item.item, item.kind.text())
        }
        Event::ItemRuled { item, ruling } => format!("{item} is decided: {}.", ruling.choice),
        _ => return None,
    })
}

fn name(state: &State, member: &MemberId) -> String {
    state.players.get(member).map_or_else(|| member.to_string(), |p| p.name.clone())
}

fn holder(state: &State, entry: &EntryId) -> String {
    let held = state.entries.get(entry).map(|e| name(state, &e.member));
    held.map_or_else(|| entry.to_string(), |name| format!("{name} ({entry})"))
}

fn players(state: &State, game: &GameId) -> String {
    let side = |side| state.member_of(game, side).map(|m| name(state, m)).unwrap_or_default();
    format!("{} - {} in {}", side(Side::White), side(Side::Black), game.section)
}

fn played(state: &State, game: &GameId, outcome: Outcome, stands: &str) -> String {
    let Outcome { result, how } = outcome;
    format!("{}: {result} by {} {stands}.", players(state, game), how.words())
}
