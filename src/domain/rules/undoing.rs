//! Rule 7: a ruling or another act of the director can be taken back as long as nothing has followed from it. Taking it
//! back adds to the record, like every ruling. What the act had changed is found by comparing the books before it with
//! the books after it, thing by thing, so that no kind of act can be forgotten here; each of these things must still be
//! as the act left it.

use super::differences::{self, Thing};
use crate::domain::{
    acts::Undone,
    apply::apply,
    command::Undo,
    decide::Decision,
    docket::{Item, ItemKind},
    event::Event,
    section::Entry,
    state::State,
};

/// Says why an act cannot be taken back: it changed nothing, something followed from it, or it is not of a kind that can
/// be put back.
///
/// # Errors
/// The sentence for the director.
pub fn check(state: &State, undo: &Undo) -> Result<(), String> {
    weigh(state, undo).map(drop)
}

/// Takes back what the director did in a transaction (Rule 7). What [`check`] refuses changes nothing.
pub(in crate::domain) fn undo(decision: &mut Decision<'_>, undo: &Undo) {
    if let Ok(undone) = weigh(decision.state, undo) {
        decision.push(Event::Undone(Box::new(undone)));
    }
}

fn weigh(state: &State, undo: &Undo) -> Result<Undone, String> {
    let Undo { transaction, events, before, .. } = undo;
    if events.iter().any(|event| matches!(event, Event::Undone(_))) {
        return Err(format!(
            "transaction {transaction} took back another; decide anew what was decided there"
        ));
    }
    let taken_back = undo.later.iter().find(
        |(_, event)| matches!(event, Event::Undone(undone) if undone.transaction == *transaction),
    );
    if let Some((by, _)) = taken_back {
        return Err(format!(
            "transaction {transaction} was taken back by transaction {by} already"
        ));
    }
    let mut after = before.clone();
    for event in events {
        apply(&mut after, event);
    }
    let things = differences::between(before, &after);
    if things.is_empty() {
        return Err(format!("transaction {transaction} changed nothing that could be put back"));
    }
    let mut hangs = things.clone();
    hangs.extend(things.iter().flat_map(|thing| differences::hanging_on(&after, thing)));
    if let Some(thing) = hangs.iter().find(|thing| !differences::same(thing, &after, state)) {
        return Err(followed(undo, &after, thing));
    }
    if let Some(item) = asked_since(state, &after, &hangs) {
        let kind = item.kind.text();
        return Err(format!(
            "{} ({kind}) was opened because of transaction {transaction}; decide that item instead",
            item.item
        ));
    }
    let before = differences::as_it_was(before, &things);
    let (reason, unheard) = (undo.reason.clone(), undo.unheard.clone());
    let undone = Undone { transaction: *transaction, reason, before, unheard };
    if restores(&undone, &undo.before, after) {
        return Ok(undone);
    }
    Err(format!(
        "transaction {transaction} did something that cannot be put back; set it right with another act"
    ))
}

/// Returns the sentence about what came after: the first later transaction after which the thing is not as it was left.
fn followed(undo: &Undo, after: &State, thing: &Thing) -> String {
    let mut books = after.clone();
    for (transaction, event) in &undo.later {
        apply(&mut books, event);
        if !differences::same(thing, after, &books) {
            return format!(
                "transaction {} cannot be taken back: transaction {transaction} came after it and changed {thing}",
                undo.transaction
            );
        }
    }
    format!("transaction {} cannot be taken back: {thing} has changed since", undo.transaction)
}

/// Returns an item that was put before the director since, and hangs on what the act did.
fn asked_since<'a>(state: &'a State, after: &State, hangs: &[Thing]) -> Option<&'a Item> {
    let newer = state.docket.range(..).rev().map(|(_, (item, _))| item);
    let newer = newer.take_while(|item| item.item > after.last_item);
    let mut waits = newer.filter(|item| item.asked.is_none() && is_consequence(item.kind));
    waits.find(|item| hangs.iter().any(|thing| is_about(after, item, thing)))
}

/// What the program puts before the director by itself, because the books are as they are.
const fn is_consequence(kind: ItemKind) -> bool {
    matches!(
        kind,
        ItemKind::NobodyAdvances
            | ItemKind::AdvancementInDoubt
            | ItemKind::FillIn
            | ItemKind::ForfeitsSpread
            | ItemKind::TitleOpen
            | ItemKind::SectionShort
            | ItemKind::InvitationTied
            | ItemKind::ResultContested
            | ItemKind::FeeMissing
    )
}

fn is_about(after: &State, item: &Item, thing: &Thing) -> bool {
    let about = &item.about;
    let names = |entry: &_| about.entry.as_ref() == Some(entry) || item.entries.contains(entry);
    let event = |entry: &Entry| about.event.as_ref() == Some(&entry.tournament);
    match thing {
        Thing::Game(game) => about.game.as_ref() == Some(game),
        Thing::Entry(id) | Thing::Standing(id) => {
            let of_all = matches!(item.kind, ItemKind::FillIn | ItemKind::TitleOpen);
            names(id) || of_all && after.entries.get(id).is_some_and(event)
        }
        Thing::Complete(code) | Thing::Section(code) => {
            about.game.is_none() && about.entry.is_none() && about.section.as_ref() == Some(code)
        }
        _ => false,
    }
}

/// Tells whether the books are again what they were: the counters go on, everything else is as before.
fn restores(undone: &Undone, before: &State, mut after: State) -> bool {
    apply(&mut after, &Event::Undone(Box::new(undone.clone())));
    after.last_entry.clone_from(&before.last_entry);
    after.last_item = before.last_item;
    &after == before
}
