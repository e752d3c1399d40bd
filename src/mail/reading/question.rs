//! Questions that the books can answer: about a section, the player's games, entries and fees, deadlines, the rules,
//! or how all this works.
//!
//! Grammar: a sentence with a question mark, or one that begins like a question, whose words tell the topic; and the
//! word `help` alone. A question about something else is for a person.

use super::{
    Found, Said,
    game::Clues,
    phrases::{Sentence, Words},
};
use crate::{
    domain::event::Topic,
    mail::understanding::{Confidence, Intent},
};
use std::sync::LazyLock;

/// How questions begin, in lower case.
const BEGINNINGS: &[&str] = &[
    "what",
    "when",
    "which",
    "where",
    "who",
    "why",
    "how",
    "has",
    "have",
    "is",
    "are",
    "am i",
    "can",
    "could",
    "may",
    "do",
    "does",
    "did",
    "please tell me",
    "please confirm",
    "please let me know",
    "please send me",
    "i would like to know",
    "i wonder",
    "tell me",
];
/// The words of each topic, the more telling topics first.
static TOPICS: LazyLock<Vec<(Topic, Words)>> = LazyLock::new(|| {
    vec![
        (
            Topic::Deadlines,
            Words::new(&[
                "deadline",
                "deadlines",
                "latest date",
                "last day",
                "how late",
                "closing date",
                "cut-off",
                "cutoff",
                "still enter",
                "still time",
            ]),
        ),
        (
            Topic::Deadlines,
            Words::new(&["entry fee", "how much", "what does it cost", "cost", "price"]),
        ),
        (
            Topic::Entries,
            Words::new(&[
                "my entry",
                "my entries",
                "entry received",
                "got my entry",
                "my payment",
                "my check",
                "my cheque",
                "my fee",
                "paid",
                "may i enter",
                "can i enter",
                "enter",
            ]),
        ),
        (
            Topic::Section,
            Words::new(&["section", "standings", "standing", "crosstable", "cross table", "table"]),
        ),
        (
            Topic::Games,
            Words::new(&[
                "my games",
                "my game",
                "my result",
                "my results",
                "my opponents",
                "my opponent",
                "my assignment",
                "my pairings",
                "games have i",
                "games do i",
            ]),
        ),
        (
            Topic::Rules,
            Words::new(&[
                "rule",
                "rules",
                "allowed",
                "engine",
                "engines",
                "computer",
                "time control",
                "reflection time",
                "tiebreak",
                "advance",
                "qualify",
            ]),
        ),
        (
            Topic::Help,
            Words::new(&[
                "how does this work",
                "how do i",
                "help",
                "instructions",
                "how can i",
                "how should i",
                "what do i",
            ]),
        ),
    ]
});

/// Reads questions.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let statements = !found.intents.is_empty();
    for sentence in &said.sentences {
        if is_help(sentence, said) {
            let reason = "The mail asks for help.".to_owned();
            found.add(
                Intent::Question { topic: Topic::Help, section: None },
                Confidence::Certain,
                reason,
            );
            return;
        }
        // Beside a statement only a plain question counts: `has my result arrived` is politeness.
        if !asks(sentence) || statements && !sentence.question {
            continue;
        }
        let section = Clues::of(&sentence.text, said).sections.into_iter().next();
        if let Some(topic) = topic(&sentence.plain, section.is_some()) {
            let reason =
                format!("`{}` asks about {}.", super::phrases::short(&sentence.text), about(topic));
            found.add(Intent::Question { topic, section }, Confidence::Certain, reason);
        }
    }
}

fn is_help(sentence: &Sentence, said: &Said<'_>) -> bool {
    let alone = matches!(
        sentence.plain.trim_matches(['!', '.', '?', ' ']),
        "help" | "info" | "please help" | "help me"
    );
    alone && said.sentences.iter().filter(|s| !s.plain.is_empty()).count() <= 4
}

fn asks(sentence: &Sentence) -> bool {
    let begins = BEGINNINGS
        .iter()
        .any(|b| sentence.plain.strip_prefix(b).is_some_and(|rest| rest.starts_with(' ')));
    sentence.question || begins && sentence.plain.len() > 12 && !sentence.plain.ends_with('!')
}

fn topic(plain: &str, section: bool) -> Option<Topic> {
    let told = TOPICS.iter().find(|(_, words)| words.are_in(plain)).map(|(topic, _)| *topic);
    match told {
        Some(Topic::Entries | Topic::Games) | None if section => Some(Topic::Section),
        told => told,
    }
}

const fn about(topic: Topic) -> &'static str {
    match topic {
        Topic::Help => "how this works",
        Topic::Section => "a section",
        Topic::Games => "the sender's games",
        Topic::Entries => "entries",
        Topic::Deadlines => "deadlines and fees",
        Topic::Rules => "the rules",
    }
}
