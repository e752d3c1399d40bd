//! The one question to the sender of a mail, with its answers, the question whether he wrote it, and the letter after a
//! death.

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

/// `confirmation`.
#[derive(Debug, Serialize)]
pub struct Confirmation {
    /// What was read, clauses with `;` between them.
    pub says: String,
    /// The address that the mail bore.
    pub from: String,
    /// When it was sent, where the mail says so.
    pub sent: Option<String>,
    /// The last day on which an answer counts.
    pub until: String,
    /// Whether some of it is before the director too.
    pub before_director: bool,
}

/// Returns the view of `confirmation`.
pub fn confirmation(id: QuestionId, desk: &Desk<'_>) -> Confirmation {
    let asked = desk.state.questions.get(&id);
    let guard = asked.and_then(|question| question.guard.as_ref());
    let meant = asked.and_then(|question| question.options.first());
    Confirmation {
        says: meant.map(|option| words::clean(&option.says)).unwrap_or_default(),
        from: guard.map(|guard| words::clean(&guard.address)).unwrap_or_default(),
        sent: asked.and_then(|question| question.sent).map(words::date),
        until: asked.map(|question| words::date(question.until)).unwrap_or_default(),
        before_director: guard.is_some_and(|guard| !guard.items.is_empty()),
    }
}
