//! Taking back what was done: which transaction is meant, what the books were before it, and what came after.

use super::{Failure, Home, Order, reason};
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
        Store as _,
        transaction::{Cause, Transaction},
    },
};

use std::cmp::Ordering;

/// Take back a ruling or another act, as long as nothing has followed from it (Rule 7)
#[derive(clap::Args)]
pub(in crate::cli) struct UndoArgs {
    /// The item that was decided, D7, or the number of the transaction, as `show` and `why` print it
    what: String,
    /// Why
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
}

pub(super) fn undo(home: &Home, state: &State, args: &UndoArgs) -> Result<Order, Failure> {
    let UndoArgs { what, reason } = args;
    let transaction = match what.parse::<u64>() {
        Ok(number) => number,
        Err(_) => ruled(home, state, what)?,
    };
    let (done, before, later) = replay(home, transaction)?;
    if !matches!(done.cause, Cause::Director { .. }) {
        let cause = crate::cli::words::cause(&done.cause);
        return Err(Failure::Person(format!(
            "transaction {transaction} is no act of the director's, it comes from {cause}; what followed from it can \
             be overruled"
        )));
    }
    let (events, reason) = (done.events, reason.clone());
    let undo = Undo { transaction, events, before, later, reason };
    undoing::check(state, &undo).map_err(Failure::Person)?;
    Ok(Order { words: format!("direct undo {what}"), command: Command::Undo(Box::new(undo)) })
}

/// Returns the transaction in which an item was last decided.
fn ruled(home: &Home, state: &State, what: &str) -> Result<u64, Failure> {
    let Ok(item) = what.parse::<ItemId>() else {
        let right = "an item such as D7, or the number of a transaction";
        return Err(Failure::Person(format!("`{what}` is neither {right}")));
    };
    match state.docket.get(&item) {
        None => return Err(Failure::Person(format!("there is no item {item} on the docket"))),
        Some((_, None)) => {
            return Err(Failure::Person(format!("{item} waits; there is nothing to take back")));
        }
        Some((_, Some(_))) => {}
    }
    let mut last = 0;
    home.books_with(|transaction| {
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
fn replay(home: &Home, number: u64) -> Result<Replayed, Failure> {
    let (mut before, mut done, mut later) = (State::default(), None, Vec::new());
    home.reader()?.catch_up(&mut |transaction| match transaction.seq.cmp(&number) {
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
    let missing = || Failure::Person(format!("there is no transaction {number}"));
    Ok((done.ok_or_else(missing)?, before, later))
}
