//! Questions of ours: a doubt about a mail that its sender settles with one word. The books keep what each answer
//! would mean, so that an answer does exactly what the mail would have done had it said so. When a question is put and
//! what its answer brings about is `rules/questions.rs`.

use super::{
    ids::{ItemId, MemberId, QuestionId},
    intent::{Choice, Intent},
};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// A question that was put to a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Its number.
    pub question: QuestionId,
    /// Who was asked, and alone may answer.
    pub player: MemberId,
    /// The question, a sentence.
    pub asks: String,
    /// The answers; with one alone it is yes or no.
    pub options: Vec<Choice>,
    /// The day on which it was put.
    pub on: NaiveDate,
    /// The last day on which an answer counts.
    pub until: NaiveDate,
    /// The postmark of the mail that it is about: an answer counts as said on that day.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sent: Option<NaiveDate>,
    /// The mail that it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mail: Option<String>,
    /// Why it waits for a word of the player's though it is clear: it would do harm if somebody else had written it.
    /// None: what the mail means is in doubt.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub guard: Option<Guard>,
    /// What became of it; none as long as it is open.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub answer: Option<Answer>,
}

impl Question {
    /// Returns all that its answers may stand for.
    pub fn intents(&self) -> impl Iterator<Item = &Intent> {
        self.options.iter().flat_map(|option| &option.intents)
    }
}

/// What is asked about because nothing but an address tells who wrote it (`rules/guards.rs`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// The address that the mail bore.
    pub address: String,
    /// The docket items that it opened.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub items: Vec<Guarded>,
}

/// A docket item that waits for the player's word beside the director's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guarded {
    /// The item.
    pub item: ItemId,
    /// What the rules lean to once the player has given his word.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub recommended: Option<String>,
}

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The answer of this number was chosen, from 1 on.
    Chosen(u8),
    /// None of its answers is right.
    Neither,
    /// A later mail said clearly what was meant.
    Moot,
}
