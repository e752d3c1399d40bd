//! Reading for meaning: a table of readers, each a small grammar with its doc and its tests in one file. A reader
//! sees the sender's own sentences, the subject and the books, and adds what it finds. What is asked, negated, or
//! hangs on a condition is never a statement.

mod director;
mod entry;
mod game;
mod grammar;
mod meant;
mod phrases;
mod question;
mod result;

use super::{
    Desk, identity,
    understanding::{Confidence, Intent},
};
use crate::{
    domain::{docket::About, event::Trouble, ids::MemberId},
    limits,
};
use chrono::NaiveDate;
use phrases::Sentence;

/// What a reader may look at.
pub(super) struct Said<'a> {
    /// The subject without `Re:` and tags.
    pub(super) subject: &'a str,
    /// Whether the subject is the sender's own: that of an answer is mostly ours.
    pub(super) own_subject: bool,
    /// The sender's own sentences; the sender's own subject is the first of them.
    sentences: Vec<Sentence>,
    /// The new text.
    pub(super) text: &'a str,
    /// Who may have written it: one player, or the several who share the address.
    pub(super) players: &'a [MemberId],
    /// The name of the sender, as the mail gives it.
    pub(super) name: &'a str,
    /// What the letter is about that it answers.
    pub(super) about: Option<&'a About>,
    /// The day of the postmark.
    pub(super) postmark: NaiveDate,
    /// Whether a game record is attached or pasted into the text.
    pub(super) record: bool,
    /// The books.
    pub(super) desk: &'a Desk<'a>,
}

/// What the readers found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// What is asked for or said.
    pub(super) intents: Vec<Intent>,
    /// How the readers came to it, a sentence each.
    pub(super) reasons: Vec<String>,
    /// Why it cannot be acted on, where it cannot.
    pub(super) trouble: Option<Trouble>,
    /// How sure the least sure of the readers is.
    pub(super) confidence: Confidence,
    /// The player who wrote it, where the game tells which of several did.
    pub(super) player: Option<MemberId>,
}

impl Found {
    /// Adds an intent with the reason for it. The least sure of all decides how sure the mail is.
    fn add(&mut self, intent: Intent, confidence: Confidence, reason: String) {
        let first = self.intents.is_empty();
        if self.intents.len() == limits::INTENTS {
            let reason = format!("It says more than the {} things that are read.", limits::INTENTS);
            return self.trouble(Trouble::ForDirector, reason);
        }
        if !self.intents.contains(&intent) {
            self.intents.push(intent);
            self.reasons.push(reason);
        }
        self.confidence = if first { confidence } else { self.confidence.min(confidence) };
    }

    /// Notes a trouble; the first one stays.
    fn trouble(&mut self, trouble: Trouble, reason: String) {
        self.trouble.get_or_insert(trouble);
        self.reasons.push(reason);
    }
}

/// One kind of reading.
type Reader = fn(&Said<'_>, &mut Found);

/// All readers, in order. The last one takes back what the others found where a person must look first.
const READERS: &[Reader] = &[result::read, entry::read, question::read, director::read];
/// The most sentences that are read for meaning; no letter to a director has as many.
const SENTENCES: usize = 1000;

/// What is known of a mail before it is read for meaning.
pub(super) struct Input<'a> {
    /// The subject as it came.
    pub(super) subject: &'a str,
    /// The new text.
    pub(super) text: &'a str,
    /// Who may have written it.
    pub(super) players: &'a [MemberId],
    /// The name of the sender.
    pub(super) name: &'a str,
    /// What the letter is about that it answers.
    pub(super) about: Option<&'a About>,
    /// The day of the postmark.
    pub(super) postmark: NaiveDate,
    /// Whether a game record is attached.
    pub(super) record: bool,
}

/// Reads what a person wrote.
pub(super) fn read(input: &Input<'_>, desk: &Desk<'_>) -> Found {
    let subject = identity::bare_subject(input.subject);
    let own_subject = !identity::is_reply_subject(input.subject) && input.about.is_none();
    let (mut sentences, pasted) = phrases::sentences(input.text);
    if own_subject {
        sentences.insert(0, Sentence::of(subject));
    }
    let mut said = Said {
        subject,
        own_subject,
        sentences,
        text: input.text,
        players: input.players,
        name: input.name,
        about: input.about,
        postmark: input.postmark,
        record: input.record || pasted,
        desk,
    };
    let mut found = Found::default();
    if said.sentences.len() > SENTENCES {
        said.sentences.truncate(SENTENCES);
        found.reasons.push(format!("Only the first {SENTENCES} sentences were read."));
    }
    for read in READERS {
        read(&said, &mut found);
    }
    settle(&said, &mut found);
    found
}

/// Decides what is to be done about a mail that says nothing we can act on.
fn settle(said: &Said<'_>, found: &mut Found) {
    if found.trouble.is_some() {
        found.confidence = Confidence::Unsure;
    } else if found.intents.is_empty() {
        let asks = !said.players.is_empty() && said.sentences.iter().any(|s| s.question);
        let (trouble, reason) = if said.text.trim().is_empty() && !said.record {
            (Trouble::Empty, "There is no text that the sender wrote.")
        } else if asks {
            (Trouble::ForDirector, "It asks something that only a person can answer.")
        } else {
            let reason = "Nothing in it is a result, an entry or a question that is known here.";
            (Trouble::NothingFound, reason)
        };
        found.confidence = Confidence::Unsure;
        found.trouble(trouble, reason.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::event::Topic;

    #[test]
    fn more_than_is_read_goes_to_the_director_and_is_not_cut_silently() {
        let mut found = Found::default();
        for n in 0..=limits::INTENTS {
            assert_eq!(found.trouble, None, "after {n}");
            let section = Some(format!("19N{n:02}").as_str().into());
            let intent = Intent::Question { topic: Topic::Section, section };
            found.add(intent, Confidence::Certain, String::new());
        }
        assert_eq!(found.trouble, Some(Trouble::ForDirector));
        assert_eq!(found.intents.len(), limits::INTENTS);
    }
}
