//! History: the transactions that touch a thing. Every event is looked through for the thing's id, so that no kind of
//! event can be forgotten here.

use super::{Failure, home::Home, words};
use crate::{
    domain::{event::Event, ids::GameId},
    office::books::Books,
    store::transaction::Transaction,
};
use serde_json::{Value, json};

/// What a history is about.
pub(super) enum Subject {
    /// A thing with an id: entry, member, section.
    Id(String),
    /// A game.
    Game(GameId),
}

/// One line of a history.
pub(super) struct Step {
    /// The transaction.
    pub(super) transaction: Transaction,
    /// Those of its events that touch the subject.
    pub(super) events: Vec<Event>,
}

/// Returns the books, and the steps that touch the subject.
pub(super) fn of(home: &Home, subject: &Subject) -> Result<(Books, Vec<Step>), Failure> {
    let mut steps = Vec::new();
    let books = home.books_with(|transaction| {
        let touched = transaction.events.iter().filter(|event| subject.is_in(event));
        let events: Vec<Event> = touched.cloned().collect();
        if !events.is_empty() {
            steps.push(Step { transaction: transaction.clone(), events });
        }
    })?;
    Ok((books, steps))
}

impl Subject {
    fn is_in(&self, event: &Event) -> bool {
        // An event is plain data; it always becomes JSON.
        let value = serde_json::to_value(event).unwrap_or_default();
        match self {
            Self::Id(id) => any(&value, &|v| v.as_str() == Some(id)),
            Self::Game(game) => any(&value, &|v| {
                v["section"].as_str() == Some(&game.section.0)
                    && v["white"] == game.white.0
                    && v["black"] == game.black.0
            }),
        }
    }
}

fn any(value: &Value, test: &dyn Fn(&Value) -> bool) -> bool {
    test(value)
        || match value {
            Value::Array(values) => values.iter().any(|v| any(v, test)),
            Value::Object(map) => map.values().any(|v| any(v, test)),
            _ => false,
        }
}

impl Step {
    /// Returns the step as JSON.
    pub(super) fn as_json(&self) -> Value {
        let Transaction { seq, at, cause, .. } = &self.transaction;
        let events: Vec<String> = self.events.iter().map(words::sentence).collect();
        json!({ "transaction": seq, "at": at, "cause": words::cause(cause), "events": events })
    }

    /// Prints the step for people.
    pub(super) fn print(&self) {
        let Transaction { seq, at, cause, .. } = &self.transaction;
        println!("  {}  transaction {seq}: {}", at.format("%Y-%m-%d %H:%M"), words::cause(cause));
        for event in &self.events {
            println!("      {}", words::sentence(event));
        }
    }
}

/// Returns steps as JSON.
pub(super) fn as_json(steps: &[Step]) -> Vec<Value> {
    steps.iter().map(Step::as_json).collect()
}
