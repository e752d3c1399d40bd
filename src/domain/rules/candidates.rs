//! Rule 3: who may fill the last section of a round, and in which ways. Entries with exactly the points for it, the
//! highest present rating first, unrated last; two entries of a person and two who asked not to meet never sit
//! together. Where several are equal at the cut every way to take them is one for the director. Whether the question
//! is put at all is `filling.rs`.

use super::choosing::{may_meet, together};
use crate::domain::{
    progress,
    section::{Entry, EntryState},
    state::State,
    tournament::Tournament,
};
use std::cmp::Reverse;

/// Who waits for a section that would not be full, and who may fill it.
pub(super) struct Proposal<'a> {
    /// Those who wait and will sit together, the first served first.
    pub(super) sit: Vec<&'a Entry>,
    /// How many wait besides and cannot sit with them.
    pub(super) left: usize,
    /// What is known of everybody, a sentence each.
    pub(super) evidence: Vec<String>,
    /// The ways to fill up, each the entries it takes: none where nobody can, several where a tie is open.
    ways: Vec<Vec<&'a Entry>>,
    /// Whether there are more ways than can be offered.
    too_many: bool,
}

impl<'a> Proposal<'a> {
    /// Tells whether it is open who fills up.
    pub(super) const fn is_tied(&self) -> bool {
        self.too_many || self.ways.len() > 1
    }

    /// Returns the entries that every way takes.
    pub(super) fn certain(&self) -> Vec<&'a Entry> {
        let Some((first, others)) = self.ways.split_first() else { return Vec::new() };
        let in_all = |e: &&&Entry| others.iter().all(|way| way.iter().any(|w| w.id == e.id));
        first.iter().filter(in_all).copied().collect()
    }

    /// Returns each way with its word: `fill` where there is one, the ids of the entries that make the difference
    /// where there are several, nothing where there are too many.
    pub(super) fn labelled(&self) -> Vec<(String, Vec<&'a Entry>)> {
        if self.too_many {
            return Vec::new();
        }
        let certain = self.certain();
        let tied = |way: &[&Entry]| {
            let tied = way.iter().filter(|e| certain.iter().all(|c| c.id != e.id));
            tied.map(|e| e.id.0.as_str()).collect::<Vec<_>>().join("+")
        };
        let label = |way: &[&Entry]| match self.ways.len() {
            1 => "fill".to_owned(),
            _ => tied(way),
        };
        self.ways.iter().map(|way| (label(way), way.clone())).collect()
    }
}

/// Works out the question of a round for those who wait for the next one. At most so many ways are kept.
pub(super) fn propose<'a>(
    state: &'a State,
    tournament: &Tournament,
    round: usize,
    waiting: &[&'a Entry],
    most: usize,
) -> Proposal<'a> {
    let size = tournament.rounds.get(round + 1).map_or(0, |next| usize::from(next.size));
    let sit = together(waiting, size, state);
    let candidates = candidates(state, tournament, round);
    let groups = by_rating(state, &candidates);
    let mut filler = Filler { state, sit: &sit, most, ways: Vec::new() };
    let free = size.saturating_sub(sit.len());
    filler.fill(&mut Vec::new(), &groups, free);
    let mut ways = filler.ways;
    let too_many = ways.len() > most;
    ways.retain(|way| !way.is_empty());
    let left = waiting.len() - sit.len();
    let mut proposal = Proposal { sit, left, evidence: Vec::new(), ways, too_many };
    proposal.evidence = evidence(state, tournament, round, &proposal, &candidates, free);
    proposal
}

/// Returns the entries of a round that wait on exactly the points to fill up with, the first to be taken first.
fn candidates<'a>(state: &'a State, tournament: &Tournament, round: usize) -> Vec<&'a Entry> {
    let Some(fill) = tournament.rounds.get(round).and_then(|r| r.fill) else { return Vec::new() };
    let waits = |entry: &&Entry| {
        entry.state == EntryState::Assigned
            && entry.tournament == tournament.id
            && !state.died.contains_key(&entry.member)
            && progress::reached(state, entry) == round + 1
            && progress::score(state, entry, round).is_some_and(|s| s.complete && s.settled == fill)
    };
    let mut candidates: Vec<&Entry> = state.entries.values().filter(waits).collect();
    candidates.sort_by_key(|e| (Reverse(rating(state, e)), e.postmark, e.arrived, &e.id));
    candidates
}

fn rating(state: &State, entry: &Entry) -> Option<u16> {
    state.players.get(&entry.member).and_then(|p| p.rating)
}

fn by_rating<'a>(state: &State, candidates: &[&'a Entry]) -> Vec<Vec<&'a Entry>> {
    let equal = |a: &&Entry, b: &&Entry| rating(state, a) == rating(state, b);
    candidates.chunk_by(equal).map(<[&Entry]>::to_vec).collect()
}

/// Finds the ways to fill a section.
struct Filler<'a, 'b> {
    state: &'a State,
    sit: &'b [&'a Entry],
    most: usize,
    ways: Vec<Vec<&'a Entry>>,
}

impl<'a> Filler<'a, '_> {
    /// Takes from each group of equals, the strongest first, as many as fit, in every way there is.
    fn fill(&mut self, taken: &mut Vec<&'a Entry>, groups: &[Vec<&'a Entry>], free: usize) {
        let Some((group, weaker)) = groups.split_first().filter(|_| free > 0) else {
            return self.ways.push(taken.clone());
        };
        let fits = |e: &&&Entry| self.fits(taken, e);
        let group: Vec<&Entry> = group.iter().filter(fits).copied().collect();
        for chosen in self.choices(&group, free) {
            if self.ways.len() > self.most {
                return;
            }
            let (before, left) = (taken.len(), free - chosen.len());
            taken.extend(chosen);
            self.fill(taken, weaker, left);
            taken.truncate(before);
        }
    }

    fn fits(&self, taken: &[&Entry], entry: &Entry) -> bool {
        let mut sitting = self.sit.iter().chain(taken);
        sitting.all(|other| may_meet(self.state, other, entry))
    }

    /// Returns the largest choices from a group that can sit together, a few more than can be offered at most.
    fn choices(&self, group: &[&'a Entry], free: usize) -> Vec<Vec<&'a Entry>> {
        let mut persons: Vec<_> = group.iter().map(|e| &e.member).collect();
        persons.sort_unstable();
        persons.dedup();
        for size in (1..=free.min(persons.len())).rev() {
            let mut found = Vec::new();
            self.choose(group, size, &mut Vec::new(), &mut found);
            if !found.is_empty() {
                return found;
            }
        }
        vec![Vec::new()]
    }

    fn choose(
        &self,
        group: &[&'a Entry],
        size: usize,
        chosen: &mut Vec<&'a Entry>,
        found: &mut Vec<Vec<&'a Entry>>,
    ) {
        if chosen.len() == size {
            return found.push(chosen.clone());
        }
        let needed = size - chosen.len();
        for (n, entry) in group.iter().enumerate() {
            if found.len() > self.most || group.len() - n < needed {
                return;
            }
            if chosen.iter().all(|other| may_meet(self.state, other, entry)) {
                chosen.push(entry);
                self.choose(&group[n + 1..], size, chosen, found);
                chosen.pop();
            }
        }
    }
}

/// Says of everybody what the director must know.
fn evidence(
    state: &State,
    tournament: &Tournament,
    round: usize,
    proposal: &Proposal<'_>,
    candidates: &[&Entry],
    free: usize,
) -> Vec<String> {
    let next = tournament.rounds.get(round + 1).map_or("next", |r| &r.name);
    let mut lines = vec![format!(
        "The last section of the {next} round has seats for {}; {} of them have somebody who waits.",
        proposal.sit.len() + free,
        proposal.sit.len()
    )];
    let waits = |e: &&Entry| format!("{}, {}, waits.", named(state, e), rated(state, e));
    lines.extend(proposal.sit.iter().map(waits));
    if proposal.left > 0 {
        lines.push(format!(
            "{} more wait who cannot sit with them; about them you are asked afterwards.",
            proposal.left
        ));
    }
    lines.extend(candidates.iter().map(|e| candidate(state, round, proposal, e)));
    if candidates.is_empty() {
        lines.push("No entry of the round before has the points to fill up with.".to_owned());
    }
    if proposal.too_many {
        lines.push(
            "There are too many ways to choose among those who are tied: send entries on one by one with `direct take`."
                .to_owned(),
        );
    }
    lines
}

fn named(state: &State, entry: &Entry) -> String {
    let name = state.players.get(&entry.member).map_or(&entry.name, |p| &p.name);
    format!("{} of {name} ({})", entry.id, entry.member)
}

fn rated(state: &State, entry: &Entry) -> String {
    let player = state.players.get(&entry.member);
    match player.and_then(|p| p.rating.map(|rating| (rating, p.rating_date))) {
        Some((rating, Some(on))) => format!("rating {rating} of {on}"),
        Some((rating, None)) => format!("rating {rating}"),
        None => "unrated".to_owned(),
    }
}

fn candidate(state: &State, round: usize, proposal: &Proposal<'_>, entry: &Entry) -> String {
    let score = progress::score(state, entry, round);
    let points = score.as_ref().map(|s| s.settled).unwrap_or_default();
    let section = score.and_then(|s| s.section).map(|s| format!(" in {}", s.code));
    let is_in = |way: &Vec<&Entry>| way.iter().any(|e| e.id == entry.id);
    let with = |other: &&&Entry| !may_meet(state, other, entry);
    let stands = match proposal.sit.iter().find(with) {
        Some(sits) if sits.member == entry.member => {
            format!("; it is skipped: its player sits there already with {}", sits.id)
        }
        Some(sits) => {
            format!("; it is skipped: its player and that of {} asked not to meet", sits.id)
        }
        None if proposal.ways.len() == 1 && proposal.ways.iter().all(is_in) => {
            "; it would fill up".to_owned()
        }
        None if proposal.ways.iter().any(is_in) => "; it is tied with others for a seat".to_owned(),
        None => String::new(),
    };
    let (who, rated) = (named(state, entry), rated(state, entry));
    format!("{who}, {points} points{}, {rated}{stands}.", section.unwrap_or_default())
}
