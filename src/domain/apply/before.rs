//! Putting back what an act had changed, thing by thing. Whether it may be taken back was decided in
//! `rules/undoing.rs`.

use super::{change_game, forget_address, list_player};
use crate::domain::{
    acts::Apart,
    before::{Before, GameBefore},
    ids::EntryId,
    question::Question,
    state::State,
};
use std::collections::BTreeMap;

/// Puts everything back.
pub(super) fn put_back(state: &mut State, before: &Before) {
    before.dissolved.iter().for_each(|section| drop(state.sections.remove(section)));
    put_back_sections(state, before);
    put_back_entries(state, before);
    put_back_players(state, before);
    put_back_money(state, before);
    before.games.iter().for_each(|game| put_back_game(state, game));
    for (game, side, warnings) in &before.oversteps {
        let known = Some(warnings.clone()).filter(|w| !w.is_empty());
        set(&mut state.oversteps, (game.clone(), *side), known);
    }
    for (game, side, charged) in &before.charged {
        let known = Some(charged.clone()).filter(|c| !c.is_empty());
        set(&mut state.charged, (game.clone(), *side), known);
    }
    put_back_post(state, before);
    before.questions.iter().for_each(|question| put_back_question(state, question));
    put_back_docket(state, before);
}

fn set<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: Option<V>) {
    match value {
        Some(value) => drop(map.insert(key, value)),
        None => drop(map.remove(&key)),
    }
}

fn put_back_sections(state: &mut State, before: &Before) {
    for code in &before.running {
        if let Some(section) = state.sections.get_mut(code) {
            section.complete = false;
        }
    }
    for (code, seat, seated) in &before.seats {
        let section = state.sections.get_mut(code);
        let place = usize::from(seat.0).checked_sub(1);
        if let Some(seat) = section.zip(place).and_then(|(s, n)| s.seats.get_mut(n)) {
            *seat = seated.clone();
        }
    }
}

fn put_back_entries(state: &mut State, before: &Before) {
    for entry in &before.entries {
        state.entries.insert(entry.id.clone(), entry.clone());
    }
    before.gone.iter().for_each(|entry: &EntryId| drop(state.entries.remove(entry)));
    for (member, entries) in &before.held {
        let held = Some(entries.clone()).filter(|e| !e.is_empty());
        set(&mut state.entries_of, member.clone(), held);
    }
}

fn put_back_players(state: &mut State, before: &Before) {
    before.players.iter().for_each(|player| list_player(state, player));
    for member in &before.unlisted {
        for address in state.players.remove(member).into_iter().flat_map(|p| p.emails) {
            forget_address(state, &address, member);
        }
    }
    for Apart { one, other, lifted } in &before.apart {
        let pair = (one.clone(), other.clone());
        if *lifted {
            state.apart.remove(&pair);
        } else {
            state.apart.insert(pair);
        }
    }
    for (member, leaves) in &before.leaves {
        let leaves = Some(leaves.clone()).filter(|l| !l.is_empty());
        set(&mut state.leaves, member.clone(), leaves);
    }
    for (member, since) in &before.died {
        set(&mut state.died, member.clone(), *since);
    }
}

fn put_back_money(state: &mut State, before: &Before) {
    for (event, member, account) in &before.accounts {
        set(&mut state.accounts, (event.clone(), member.clone()), account.clone());
    }
    for (member, currency, credit) in &before.credit {
        set(&mut state.credit, (member.clone(), currency.clone()), *credit);
    }
    for (event, section, list) in &before.prizes {
        set(&mut state.prizes, (event.clone(), section.clone()), list.clone());
    }
    for (event, number) in &before.assigned {
        set(&mut state.assigned, event.clone(), *number);
    }
}

fn put_back_post(state: &mut State, before: &Before) {
    for (member, address, since) in &before.failed {
        set(&mut state.post.failed, (member.clone(), address.clone()), *since);
    }
    for (letter, lost) in &before.lost {
        set(&mut state.post.lost, *letter, lost.clone());
    }
}

fn put_back_game(state: &mut State, before: &GameBefore) {
    change_game(state, &before.game, |game| {
        game.state = before.state.clone();
        game.reported = before.reported;
        game.conditional.clone_from(&before.conditional);
        game.offer = before.offer;
        game.asked = before.asked;
    });
}

fn put_back_question(state: &mut State, before: &Question) {
    let id = before.question;
    if let Some(known) = state.questions.insert(id, before.clone()) {
        state.open_questions.remove(&(known.player, id));
    }
    if before.answer.is_none() {
        state.open_questions.insert((before.player.clone(), id));
    }
}

fn put_back_docket(state: &mut State, before: &Before) {
    for item in &before.waiting {
        state.docket.insert(item.item, (item.clone(), None));
        state.open_items.insert(item.item);
        state.open_by_kind.insert((item.kind, item.item));
    }
    for id in &before.dropped {
        if let Some((item, _)) = state.docket.remove(id) {
            state.open_items.remove(id);
            state.open_by_kind.remove(&(item.kind, *id));
        }
    }
}
