//! The story of a letter: what befell it after it was written, for `show letter` and `why`.

use super::{Failure, history::Step, home::Home};
use crate::domain::{event::Event, ids::LetterId};

/// Returns the steps in which something befell a letter after it was written.
pub(super) fn story(home: &Home, letter: LetterId) -> Result<Vec<Step>, Failure> {
    let touches = |event: &Event| match event {
        Event::Post(happened) => happened.letter() == Some(letter),
        Event::LetterResent { letter: resent } => *resent == letter,
        _ => false,
    };
    let mut steps = Vec::new();
    home.books_with(|transaction| {
        let events: Vec<Event> =
            transaction.events.iter().filter(|e| touches(e)).cloned().collect();
        if !events.is_empty() {
            steps.push(Step { transaction: transaction.clone(), events });
        }
    })?;
    Ok(steps)
}
