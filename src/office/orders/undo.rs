//! Taking back what was done: which transaction is meant, what the books were before it, what came after, and who has
//! not heard of it yet.

use super::{Bench, Ready, Refused, reason, words};
use crate::{
    domain::{
        apply::apply,
        command::{Command, Undo},
        event::Event,
        ids::ItemId,
        rules::undoing,
        state::State,
    },
    store::{
        Store,
        transaction::{Cause, Transaction},
    },
};
use std::cmp::Ordering;

/// Take back a ruling or another act, as long as nothing has followed from it (Rule 7)
#[derive(Clone, Debug, clap::Args)]
pub struct UndoArgs {
    /// The item that was decided, D7, or the number of the transaction, as `show` and `why` print it
    what: String,
    /// Why
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
}

pub(super) fn undo(
    bench: &Bench<'_>,
    store: &mut dyn Store,
    args: &UndoArgs,
) -> Result<Ready, Refused> {
    let UndoArgs { what, reason } = args;
    // What was ordered a moment ago by the same mail is part of the journal, too.
    store.commit()?;
    let transaction = match what.parse::<u64>() {
        Ok(number) => number,
        Err(_) => ruled(bench.state(), store, what)?,
    };
    let (done, before, later) = replay(store, transaction)?;
    if !matches!(done.cause, Cause::Director { .. }) {
        let cause = words::cause(&done.cause);
        return Err(Refused::Impossible(format!(
            "transaction {transaction} is no act of the director's, it comes from {cause}; what followed from it can \
             be overruled"
        )));
    }
    let (events, reason) = (done.events, reason.clone());
    let unheard = bench.books.unheard(transaction, bench.now.at);
    let undo = Undo { transaction, events, before, later, reason, unheard };
    undoing::check(bench.state(), &undo).map_err(Refused::Impossible)?;
    Ok(Ready { words: format!("direct undo {what}"), command: Command::Undo(Box::new(undo)) })
}

/// Returns the transaction in which an item was last decided.
fn ruled(state: &State, store: &mut dyn Store, what: &str) -> Result<u64, Refused> {
    let Ok(item) = what.parse::<ItemId>() else {
        let right = "an item such as D7, or the number of a transaction";
        return Err(Refused::Impossible(format!("`{what}` is neither {right}")));
    };
    match state.docket.get(&item) {
        None => return Err(Refused::Impossible(format!("there is no item {item} on the docket"))),
        Some((_, None)) => {
            return Err(Refused::Impossible(format!(
                "{item} waits; there is nothing to take back"
            )));
        }
        Some((_, Some(_))) => {}
    }
    let mut last = 0;
    store.replay(&mut |transaction| {
        let is_ruling =
            |event: &Event| matches!(event, Event::ItemRuled { item: ruled, .. } if *ruled == item);
        if transaction.events.iter().any(is_ruling) {
            last = transaction.seq;
        }
    })?;
    Ok(last)
}

/// A transaction, the books before it, and what was decided after it, each with the number of its transaction.
type Replayed = (Transaction, State, Vec<(u64, Event)>);

/// Returns a transaction, the books before it, and what was decided after it.
fn replay(store: &mut dyn Store, number: u64) -> Result<Replayed, Refused> {
    let (mut before, mut done, mut later) = (State::default(), None, Vec::new());
    store.replay(&mut |transaction| match transaction.seq.cmp(&number) {
        Ordering::Less => {
            for event in &transaction.events {
                apply(&mut before, event);
            }
        }
        Ordering::Equal => done = Some(transaction.clone()),
        Ordering::Greater => {
            let events = transaction.events.iter().cloned();
            later.extend(events.map(|event| (transaction.seq, event)));
        }
    })?;
    let missing = || Refused::Impossible(format!("there is no transaction {number}"));
    Ok((done.ok_or_else(missing)?, before, later))
}
