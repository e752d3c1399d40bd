//! Reading for meaning: a table of readers, each a small grammar with its doc and its tests in one file. A reader
//! sees the sender's own sentences, the subject and the books, and adds what it finds. What is asked, negated, or
//! hangs on a condition is never a statement.

mod address;
mod answer;
mod applicant;
mod blocks;
mod board;
mod clock;
mod clues;
mod commands;
mod conditional;
mod conduct;
mod crosscheck;
mod dates;
mod death;
mod deliver;
mod dictated;
mod director;
mod drawn;
mod draws;
mod enters;
mod entry;
mod game;
mod gap;
mod grammar;
mod known;
mod leave;
mod meant;
mod membership;
mod moves;
mod names;
mod objection;
mod outcome;
mod people;
mod phrases;
mod played;
mod postal;
mod question;
mod record;
mod resign;
mod result;
mod scope;
mod spelling;
mod stated;
mod table;
mod time;
mod tokens;
mod told;
mod unreadable;
mod verdict;
mod whose;
mod withdrawal;

use super::{
    Desk, identity,
    lexicon::{Key, Tags},
    understanding::Confidence,
};
use crate::{
    domain::{
        docket::About,
        event::Trouble,
        ids::{LetterId, MemberId},
        intent::{Choice, Doubt, Game, Intent},
    },
    limits,
};
use chrono::NaiveDate;
use known::Known;
use phrases::Sentence;
use std::cell::OnceCell;

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
    /// The address of the sender.
    pub(super) address: &'a str,
    /// What the letter is about that it answers.
    pub(super) about: Option<&'a About>,
    /// The letter that it answers.
    pub(super) letter: Option<LetterId>,
    /// The day of the postmark.
    pub(super) postmark: NaiveDate,
    /// The texts that hold game records: what is attached, and the new text where one is pasted into it.
    pub(super) records: Vec<String>,
    /// The books.
    pub(super) desk: &'a Desk<'a>,
    /// What the sentences of the whole mail hold together, once somebody asked.
    whole: OnceCell<Tags>,
    /// What was looked up in the books so far.
    known: Known,
}

impl Said<'_> {
    /// Returns what is said around all the mail speaks of, in any of its sentences.
    fn whole(&self) -> &Tags {
        self.whole.get_or_init(|| {
            let all: Vec<&str> = self.sentences.iter().map(|s| s.plain.as_str()).collect();
            Tags::around(&all.join("\n"))
        })
    }
}

impl Said<'_> {
    /// Returns how many sentences stand before the last one that takes back what was said: `On second thought, forget it.`
    fn taken_back(&self) -> usize {
        self.sentences.iter().rposition(|s| s.tags.has(Key::Retracts)).unwrap_or(0)
    }
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
    /// The question that settles what is in doubt.
    pub(super) doubt: Option<Doubt>,
    /// Whether it speaks of what a person must look at where nothing else is in it.
    pub(super) spoken: bool,
    /// The player who wrote it, where the game tells which of several did.
    pub(super) player: Option<MemberId>,
    /// Whether something stated in it fits several games, or could be one of several moves.
    undecided: bool,
    /// Sentences that one reader knows for its own, so that no other takes them for something else.
    taken: Vec<String>,
    /// A move that is spoken of and not stated: asked about if the mail says nothing else.
    mention: Option<Choice>,
    /// Sentences that claim a forfeit or a judgement, which only the director gives.
    claims: Vec<String>,
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

    /// Adds an intent that is understood and asked about before anything is done: `asks` is the question, `says` the yes.
    fn ask(&mut self, intent: Intent, asks: String, says: String, reason: String) {
        self.add(intent.clone(), Confidence::Probable, reason);
        self.doubt(asks, vec![Choice { says, intents: vec![intent] }]);
    }

    /// Notes what to ask the sender; the first question stays, since a mail is answered with one alone.
    fn doubt(&mut self, asks: String, options: Vec<Choice>) {
        self.doubt.get_or_insert(Doubt { asks, options });
    }

    /// Notes words that are not taken for what they sound like; where a mail has nothing else, a person looks at it.
    fn aside(&mut self, reason: String) {
        self.spoken = true;
        self.reasons.push(reason);
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
const READERS: &[Reader] = &[
    moves::read,
    draws::read,
    result::read,
    record::read,
    withdrawal::read,
    time::read,
    objection::read,
    entry::read,
    leave::read,
    membership::read,
    address::read,
    conduct::read,
    death::read,
    question::read,
    director::read,
];
/// The most sentences of one matter that are looked at closely; nobody writes of his leave or a death in more.
const CLOSELY: usize = 40;
/// The most answers that a question to the sender offers.
const CHOICES: usize = 6;
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
    /// The address of the sender.
    pub(super) address: &'a str,
    /// What the letter is about that it answers.
    pub(super) about: Option<&'a About>,
    /// The letter that it answers.
    pub(super) letter: Option<LetterId>,
    /// The day of the postmark.
    pub(super) postmark: NaiveDate,
    /// The texts of the game records that are attached.
    pub(super) records: Vec<String>,
}

/// Reads what a person wrote.
pub(super) fn read(input: Input<'_>, desk: &Desk<'_>) -> Found {
    let subject = identity::bare_subject(input.subject);
    let own_subject = !identity::is_reply_subject(input.subject) && input.about.is_none();
    let (mut sentences, pasted) = phrases::sentences(&dictated::written(input.text));
    if own_subject {
        sentences.insert(0, Sentence::of(subject));
    }
    let mut records = input.records;
    if pasted {
        records.push(input.text.to_owned());
    }
    let mut said = Said {
        subject,
        own_subject,
        sentences,
        text: input.text,
        players: input.players,
        name: input.name,
        address: input.address,
        about: input.about,
        letter: input.letter,
        postmark: input.postmark,
        records,
        desk,
        whole: OnceCell::new(),
        known: Known::default(),
    };
    let mut found = Found::default();
    if said.sentences.len() > SENTENCES {
        said.sentences.truncate(SENTENCES);
        found.reasons.push(format!("Only the first {SENTENCES} sentences were read."));
    }
    let all = said.sentences.len();
    said.sentences.retain(|s| s.plain.len() <= phrases::SENTENCE_BYTES);
    if said.sentences.len() < all {
        // What hangs on a condition far away must not be taken for a statement, so a part of it is not read either.
        let reason = "A sentence is longer than anything that is read.".to_owned();
        found.trouble(Trouble::ForDirector, reason);
    }
    if !commands::read(&said, &mut found) && !answer::read(&mut said, &mut found) {
        for read in READERS {
            read(&said, &mut found);
        }
        answer::weigh(&said, &mut found);
        against_itself(&mut found);
    }
    settle(&said, &mut found);
    found
}

/// A mail that gives up a game and moves in it, or speaks of a draw in it, says two things that do not go together.
fn against_itself(found: &mut Found) {
    let resigned: Vec<_> = found
        .intents
        .iter()
        .filter_map(|intent| match intent {
            Intent::Resign { game } => Some(game),
            _ => None,
        })
        .collect();
    let plays_on = |intent: &&Intent| match intent {
        Intent::Move(it) => !it.repeat,
        Intent::DrawOffer { .. } | Intent::DrawAccept { .. } | Intent::DrawDecline { .. } => true,
        _ => false,
    };
    let other = found.intents.iter().filter(plays_on).filter_map(Intent::game);
    let game = other.into_iter().find(|game| resigned.contains(game));
    if let Some(id) = game.map(crate::domain::intent::Game::id) {
        let reason = format!("It gives up {id}, and plays on in it.");
        found.trouble(Trouble::ForDirector, reason);
    }
}

/// Decides what is to be done about a mail that says nothing we can act on, or not one thing alone.
fn settle(said: &Said<'_>, found: &mut Found) {
    let claimed = found.intents.iter().any(|i| matches!(i, Intent::TimeComplaint { .. }));
    if let Some(claim) = found.claims.pop().filter(|_| !claimed) {
        let reason =
            format!("`{claim}` claims a forfeit or a judgement, which only the director gives.");
        found.trouble(Trouble::ForDirector, reason);
    }
    if found.intents.is_empty()
        && found.trouble.is_none()
        && found.doubt.is_none()
        && let Some(choice) = found.mention.take()
    {
        let reason =
            format!("{} is spoken of; whether it is played, the words leave open.", choice.says);
        found.reasons.push(reason);
        found.doubt(format!("Is {} your move?", choice.says), vec![choice]);
    }
    told_beside_complaints(found);
    with_the_rest(found);
    if found.undecided {
        found.confidence = Confidence::Unsure;
    }
    let claimed = found.intents.iter().any(|i| matches!(i, Intent::TimeComplaint { .. }));
    if let Some(claim) = found.claims.pop().filter(|_| !claimed) {
        let reason =
            format!("`{claim}` claims a forfeit or a judgement, which only the director gives.");
        found.trouble(Trouble::ForDirector, reason);
    }
    if found.trouble.is_some() {
        found.confidence = Confidence::Unsure;
    } else if found.intents.is_empty() && found.doubt.is_none() {
        let asks = !said.players.is_empty() && said.sentences.iter().any(|s| s.question);
        let (trouble, reason) = if said.text.trim().is_empty() && said.records.is_empty() {
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

/// Takes back moves that a complaint about time only tells of: those that the books have, and those out of turn.
fn told_beside_complaints(found: &mut Found) {
    let complaints = found.intents.iter().filter(|i| matches!(i, Intent::TimeComplaint { .. }));
    let games: Vec<Game> = complaints.filter_map(|i| i.game().cloned()).collect();
    found.intents.retain(|intent| match intent {
        Intent::Move(it) => !games.contains(&it.game) || !it.repeat && it.uci.is_some(),
        _ => true,
    });
}

/// Adds what else the mail says to each answer of the question, so that the answer settles the whole mail.
fn with_the_rest(found: &mut Found) {
    let Some(doubt) = &mut found.doubt else { return };
    let asked = |intent: &Intent| doubt.options.iter().any(|o| o.intents.contains(intent));
    let rest: Vec<Intent> = found.intents.iter().filter(|i| !asked(i)).cloned().collect();
    for option in &mut doubt.options {
        option.intents.extend(rest.iter().cloned());
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
