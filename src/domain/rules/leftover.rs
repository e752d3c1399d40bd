//! Rule 2: those who are left over when entries are closed and no full section can form any more. Never a silent wait,
//! but a question to the director, whose every choice but one settles it for all of them; and where he will see to it
//! by hand he is asked again after a while.

use super::{
    assignment::{self, rating},
    choosing::together,
    entry,
};
use crate::domain::{
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind, Ruling},
    ids::EntryId,
    section::Entry,
    state::State,
    tournament::Tournament,
};
use chrono::Days;
use std::collections::BTreeMap;

/// Puts those who are left over to the director, each class by itself (Rule 2).
pub(super) fn note(decision: &mut Decision<'_>, tournament: &Tournament, left: &[&Entry]) {
    if decision.now.today <= tournament.closes() {
        return;
    }
    let state = decision.state;
    let mut groups: BTreeMap<Option<usize>, Vec<&Entry>> = BTreeMap::new();
    for entry in left {
        groups.entry(tournament.class_of(rating(state, entry))).or_default().push(entry);
    }
    let mut standing: Vec<&Item> = state.open_of_kind(ItemKind::SectionShort).collect();
    standing.retain(|item| item.about.event.as_ref() == Some(&tournament.id));
    for (class, group) in groups {
        let same = |item: &&Item| group.iter().any(|e| item.entries.contains(&e.id));
        let open = standing.iter().position(same).map(|n| standing.swap_remove(n));
        if open.is_some() || !is_put_off(decision, tournament, &group) {
            let matter = matter(decision, tournament, class, &group);
            decision.put(open, ItemKind::SectionShort, matter);
        }
    }
    for item in standing {
        decision.close(item.item, "settled", "nobody of them waits any more");
    }
}

/// Tells whether the director said lately of all of them that he will see to it by hand.
fn is_put_off(decision: &Decision<'_>, tournament: &Tournament, group: &[&Entry]) -> bool {
    let days = Days::new(u64::from(tournament.entry.ask_again_days));
    let lately = |ruling: &Ruling| {
        ruling.choice == "by-hand" && ruling.at.date_naive() + days > decision.now.today
    };
    let mut asked = decision.state.docket.values();
    asked.any(|(item, ruling)| {
        item.kind == ItemKind::SectionShort
            && ruling.as_ref().is_some_and(lately)
            && group.iter().all(|e| item.entries.contains(&e.id))
    })
}

fn matter(
    decision: &Decision<'_>,
    tournament: &Tournament,
    class: Option<usize>,
    group: &[&Entry],
) -> Matter {
    let sits = of_group(decision.state, tournament, group);
    let size = tournament.rounds.first().map_or(0, |r| usize::from(r.size));
    let can_play = sits.len() > 1 && class.is_some();
    // A section of two thirds is worth playing.
    let lean = can_play && sits.len() * 3 > size * 2;
    let offered: &[&str] = if can_play {
        &["play-short", "carry-forward", "by-hand"]
    } else {
        &["carry-forward", "by-hand"]
    };
    let line = |e: &&Entry| {
        let alone = can_play && !sits.iter().any(|s| s.id == e.id);
        let alone = if alone { "; it cannot sit with the others" } else { "" };
        format!("{} of {} ({}), postmark {}{alone}.", e.id, e.name, e.member, e.postmark)
    };
    let named = class.and_then(|n| tournament.classes.get(n)).map(|c| format!("Class {}.", c.name));
    Matter {
        rule: 2,
        about: About { event: Some(tournament.id.clone()), ..About::default() },
        choices: choices(offered),
        recommended: Some(if lean { "play-short" } else { "carry-forward" }.to_owned()),
        evidence: named.into_iter().chain(group.iter().map(line)).collect(),
        entries: group.iter().map(|e| e.id.clone()).collect(),
        ..Matter::default()
    }
}

fn of_group<'a>(state: &State, tournament: &Tournament, group: &[&'a Entry]) -> Vec<&'a Entry> {
    let size = tournament.rounds.first().map_or(0, |r| usize::from(r.size));
    together(group, size, state)
}

/// Does what the director chose for the entries that are left over (Rule 2).
pub(super) fn settle(decision: &mut Decision<'_>, item: &Item, choice: &str) {
    let state = decision.state;
    let tournament = item.about.event.as_ref().and_then(|id| decision.rules.tournaments.get(id));
    let Some(tournament) = tournament else { return };
    let mut left = state.waiting(&tournament.id, 0);
    left.retain(|e| item.entries.contains(&e.id));
    let sits = match choice {
        "play-short" => of_group(state, tournament, &left),
        "carry-forward" => Vec::new(),
        _ => return,
    };
    if choice == "play-short" {
        // One alone has nobody to play: the director is asked again.
        if sits.len() < 2 {
            return;
        }
        let number = assignment::last_number(decision, tournament, 0) + 1;
        assignment::seat(decision, tournament, 0, number, &sits);
    }
    left.retain(|e| sits.iter().all(|s| s.id != e.id));
    let rest: Vec<EntryId> = left.iter().map(|e| e.id.clone()).collect();
    entry::carry_forward(decision, tournament, &rest);
}
