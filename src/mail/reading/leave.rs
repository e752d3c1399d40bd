//! Leave (Rule 10): the sender asks for it, or says that he takes it.
//!
//! Grammar: words of leave (`time out please, hospital, June 1-14`, `I'll be on vacation 6/1-6/14, please grant leave`,
//! `Urlaub vom … bis …`) in the text or the sender's own subject, with the days beside them or in another sentence. A
//! vacation alone is one where it has two days ahead; who is merely away, and when a leave ends or changes, is for the
//! director. A leave of the past, or of the opponent, is none.

use super::{
    Found, Said,
    dates::{Calendar, Toward, When},
    people,
    phrases::{Sentence, short},
    stated::{Hold, Words, is_first_person},
};
use crate::{
    domain::{event::Trouble, intent::Intent},
    mail::{
        lexicon::{Key, Tag, Tags},
        understanding::Confidence,
    },
};

/// Words by which the sender speaks of himself.
const OWN: [&str; 9] = ["i", "i'm", "i'll", "im", "we", "we'll", "my", "me", "us"];
const KEYS: [Key; 4] = [Key::AskLeave, Key::LeaveWord, Key::Away, Key::LeaveDone];

/// What the mail says of a leave.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing about the words")]
struct Leave {
    /// The sentence, for the reason.
    quoted: String,
    /// Whether it is asked for or taken in words, and not merely a vacation.
    asked: bool,
    /// Whether the words ask for it, and not only a short subject.
    in_words: bool,
    /// Whether nothing says whose absence it is.
    vague: bool,
    times: Vec<When>,
    /// Whether the text asks for it or takes it, and not the subject alone.
    in_text: bool,
    /// Whether the subject alone speaks of it.
    only_subject: bool,
}

/// Reads leave.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let speaks = |s: &Sentence| KEYS.iter().any(|key| s.tags.has(*key));
    if !said.sentences.iter().any(speaks) {
        return;
    }
    let calendar = Calendar::of(said, Toward::Ahead);
    let mut leave = Leave::default();
    let spoken = said.sentences.iter().enumerate().filter(|(_, s)| speaks(s));
    let taken_back = said.taken_back();
    let mut held = false;
    for (n, sentence) in spoken.take(super::CLOSELY) {
        let subject = n == 0 && said.own_subject;
        if n < taken_back {
            let quoted = short(&sentence.text);
            found.aside(format!("`{quoted}` is taken back further down."));
            continue;
        }
        let before = leave.quoted.clone();
        let around = Tags::around(&sentence.plain);
        let another = !is_first_person(&sentence.plain) && people::names_another(sentence, said);
        if another && !subject {
            let quoted = short(&sentence.text);
            found.aside(format!("`{quoted}` speaks of somebody else's leave."));
        } else if !take(sentence, &around, subject, calendar, &mut leave, found) {
            return;
        }
        // The text itself speaks of leave and asks for none.
        held |= !subject && leave.quoted == before;
    }
    let own = leave.in_text;
    if held && !own && !leave.quoted.is_empty() {
        let quoted = &leave.quoted;
        return found.aside(format!("`{quoted}` stands above a text that asks for no leave."));
    }
    decide(&leave, calendar, said, found);
}

/// Takes what a sentence says; false where a leave ends or changes, which is for the director.
fn take(
    sentence: &Sentence,
    around: &Tags,
    subject: bool,
    calendar: Calendar,
    leave: &mut Leave,
    found: &mut Found,
) -> bool {
    let quoted = short(&sentence.text);
    let noun = |tag: &&Tag| !is_verb(sentence, tag);
    let first = KEYS.iter().find_map(|key| sentence.tags.each(*key).find(noun).map(|t| (*key, t)));
    let Some((key, tag)) = first else { return true };
    let words = Words::tagged(sentence, tag, around);
    let done = sentence.tags.has(Key::LeaveDone);
    // `Will you be on leave?` asks about another's.
    let yours = ["you be ", "are you ", "you on leave"].iter().any(|y| sentence.plain.contains(y));
    let requested = sentence.question && around.has(Key::Please) && key == Key::AskLeave && !yours;
    let ignored: &[Hold] = if requested { &[Hold::Question] } else { &[] };
    if let Some(hold) = words.held_but(ignored).filter(|_| !subject) {
        found.aside(format!("`{quoted}` is not taken as a leave: {}.", hold.why()));
        // What is denied once is not asked for by a subject or elsewhere.
        return hold != Hold::Denial;
    }
    if words.of_another() {
        found.aside(format!("`{quoted}` speaks of somebody else's leave."));
        return true;
    }
    if done {
        found.aside(format!("`{quoted}` speaks of a leave that ends or changes."));
        return false;
    }
    let times: Vec<When> = calendar.spans(&sentence.plain).into_iter().map(|s| s.when).collect();
    if requested && times.is_empty() {
        found.aside(format!("`{quoted}` asks about leave and names no day."));
        return true;
    }
    // A word of leave as the whole subject asks for what the text says.
    let asked = key == Key::AskLeave || subject && sentence.plain.split(' ').count() <= 4;
    leave.asked |= asked;
    leave.in_text |= !subject;
    leave.in_words |= key == Key::AskLeave;
    let own = OWN.iter().any(|own| super::phrases::has(&sentence.plain, own));
    let plain_word = matches!(words.text(), "leave" | "time off");
    let elsewhere = words.is_english()
        && !own
        && !subject
        && !plain_word
        && sentence.plain.split(' ').count() > 6;
    leave.vague |= elsewhere && !around.has(Key::Please) && key != Key::AskLeave;
    leave.only_subject = subject && leave.times.is_empty() && times.is_empty()
        || leave.only_subject && times.is_empty() && !asked;
    if leave.quoted.is_empty() || asked && !subject || !times.is_empty() {
        leave.quoted = quoted;
    }
    leave
        .times
        .extend(times.into_iter().filter(|when| !leave.times.contains(when)).collect::<Vec<_>>());
    true
}

/// `I leave from Boston on June 10` and `leave me alone` ask for none.
fn is_verb(sentence: &Sentence, tag: &Tag) -> bool {
    let text = sentence.plain.get(tag.at.clone()).unwrap_or_default();
    let before = sentence.plain.get(..tag.at.start).unwrap_or_default().trim_end();
    let last = before.rsplit(' ').next().unwrap_or_default();
    let subjects =
        ["i", "we", "he", "she", "they", "you", "to", "will", "must", "i'll", "should", "can"];
    text.starts_with("leave")
        && (subjects.contains(&last) || last.is_empty() && sentence.plain.starts_with("leave me"))
}

/// Makes one leave of all that was said.
fn decide(leave: &Leave, calendar: Calendar, said: &Said<'_>, found: &mut Found) {
    if leave.quoted.is_empty() {
        return;
    }
    let quoted = &leave.quoted;
    let mut times = leave.times.clone();
    if times.is_empty() && leave.asked {
        times = elsewhere(calendar, said);
    }
    if leave.only_subject && times.is_empty() {
        return found.aside(format!("`{quoted}` stands above a text that asks for no leave."));
    }
    let over = |when: &When| when.last().is_some_and(|last| last < said.postmark);
    if !times.is_empty() && times.iter().all(over) {
        return found.aside(format!("`{quoted}` speaks of a leave that is over."));
    }
    times.retain(|when| !over(when));
    let (from, to) = bounds(&times);
    // `I have the operation on Thursday`: a day alone is told, and no time is asked for.
    if !leave.asked && (from.is_none() || to.is_none() || from == to) {
        return found.aside(format!("`{quoted}` tells of an absence and asks for no leave."));
    }
    if !leave.in_words && said.sentences.iter().any(|s| s.tags.has(Key::PlaysOn)) {
        return found.aside(format!("`{quoted}` tells of an absence; the sender plays on."));
    }
    let days = match (from, to) {
        (Some(from), Some(to)) => format!(" from {from} to {to}"),
        (Some(from), None) => format!(" from {from} on"),
        (None, Some(to)) => format!(" until {to}"),
        (None, None) => " and names no days".to_owned(),
    };
    let intent = Intent::Leave { from, to };
    let reason = format!("`{quoted}` asks for leave{days}.");
    let several = times.iter().filter(|w| matches!(w, When::Between(..))).count() > 1;
    if several {
        return found
            .trouble(Trouble::ForDirector, format!("`{quoted}` names several times of leave."));
    }
    if said.players.is_empty() {
        found.add(intent, Confidence::Unsure, reason);
        let reason = "No player is known under the sender's address.".to_owned();
        return found.trouble(Trouble::SenderUnknown, reason);
    }
    if from.is_none() && to.is_none() {
        found.add(intent, Confidence::Unsure, reason);
        return found.trouble(Trouble::ForDirector, "A leave needs its days.".to_owned());
    }
    if leave.vague && !leave.in_words {
        let asks = format!("Do you ask for leave{days}?");
        return found.ask(intent, asks, format!("I ask for leave{days}"), reason);
    }
    found.add(intent, Confidence::Certain, reason);
}

/// Returns the times that the sentences without a word of leave name: `Time out please. June 1-14, hospital.`
fn elsewhere(calendar: Calendar, said: &Said<'_>) -> Vec<When> {
    let plain = said.sentences.iter().filter(|s| !s.question);
    let times = plain.flat_map(|s| calendar.spans(&s.plain)).map(|s| s.when);
    times
        .filter(|when| matches!(when, When::Between(..) | When::From(_) | When::Until(_)))
        .collect()
}

/// Returns the first and the last day: of two days that are named apart the one begins and the other ends.
fn bounds(times: &[When]) -> (Option<chrono::NaiveDate>, Option<chrono::NaiveDate>) {
    let between = times.iter().find(|when| matches!(when, When::Between(..)));
    if let Some(between) = between {
        return (between.first(), between.last());
    }
    match times {
        [When::On(day)] => (Some(*day), Some(*day)),
        [When::On(one), When::On(other)] if one < other => (Some(*one), Some(*other)),
        _ => {
            let from = times.iter().find_map(|w| match w {
                When::From(day) | When::On(day) => Some(*day),
                When::Until(_) | When::Between(..) => None,
            });
            let to = times.iter().find_map(|w| match w {
                When::Until(day) => Some(*day),
                When::On(_) | When::From(_) | When::Between(..) => None,
            });
            (from, to)
        }
    }
}
