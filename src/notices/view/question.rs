//! The one question to the sender of a mail, with its answers, and the letter after a death.

use super::{super::Desk, words};
use crate::domain::ids::QuestionId;
use serde::Serialize;

/// `question`.
#[derive(Debug, Serialize)]
pub struct Question {
    /// The question, a sentence.
    pub asks: String,
    /// The answers; with one alone it is yes or no.
    pub options: Vec<OptionLine>,
    /// The last day on which an answer counts.
    pub until: String,
}

/// One answer.
#[derive(Debug, Serialize)]
pub struct OptionLine {
    /// Its number.
    pub number: usize,
    /// What it says.
    pub says: String,
}

/// `condolence`: it says nothing that differs.
#[derive(Debug, Serialize)]
pub struct Condolence {}

/// Returns the view of `question`.
pub fn question(id: QuestionId, desk: &Desk<'_>) -> Question {
    let asked = desk.state.questions.get(&id);
    let options = asked.iter().flat_map(|q| &q.options);
    let line = |(number, says): (usize, &str)| OptionLine {
        number,
        says: words::clean(says.trim_end_matches(['.', '?'])),
    };
    Question {
        asks: asked.map(|q| words::clean(&q.asks)).unwrap_or_default(),
        options: (1..).zip(options.map(|option| option.says.as_str())).map(line).collect(),
        until: asked.map(|q| words::date(q.until)).unwrap_or_default(),
    }
}
