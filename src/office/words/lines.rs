//! What became of lines in the director's name, as sentences.

use crate::domain::event::Event;

/// Returns what happened as a sentence; empty for what is about no lines.
pub(super) fn sentence(event: &Event) -> String {
    match event {
        Event::LinesHeld(held) => {
            format!(
                "what stands in the director's name waits for his word: {} lines",
                held.lines.len()
            )
        }
        Event::LinesSettled(settled) => {
            let his = if settled.his { "his" } else { "not his" };
            format!("the director says that the lines which waited are {his}")
        }
        Event::LinesRead(read) => {
            let done = read.lines.iter().filter(|line| line.act.is_some()).count();
            format!("the director's lines were read: {done} of {} carried out", read.lines.len())
        }
        _ => String::new(),
    }
}
