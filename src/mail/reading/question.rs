//! Questions that the books can answer: about a section, a whole tournament, the player's games, entries and fees,
//! deadlines, the rules, or how all this works.
//!
//! Grammar: a sentence with a question mark, or one that begins like a question or says that somebody wants to know, whose
//! words tell the topic; or a mail that is nothing but the topic (`help`, `my games`, `standings 2019 Golden Knights`). The words of the topics stand in
//! the lexicon. A question about something else is for a person, and one that is no question but chess talk for nobody.

use super::{
    Found, Said, crosscheck,
    game::Clues,
    phrases::{Sentence, Words, short},
};
use crate::{
    domain::{event::Topic, ids::SectionCode, intent::Intent},
    mail::{
        lexicon::{self, Key, Tags, Word},
        understanding::Confidence,
    },
};
use regex::Regex;
use std::{ops::Range, sync::LazyLock};

/// The words of each topic, the more telling topics first.
const TOPICS: &[(Key, Topic)] = &[
    (Key::AskTelling, Topic::Help),
    (Key::AskDeadlines, Topic::Deadlines),
    (Key::AskEntering, Topic::Entries),
    (Key::AskEntries, Topic::Entries),
    (Key::AskStandings, Topic::Standings),
    (Key::AskSection, Topic::Section),
    (Key::AskGames, Topic::Games),
    (Key::AskRules, Topic::Rules),
    (Key::AskHelp, Topic::Help),
];
/// Questions that the books do not answer, whatever else they speak of.
static PERSONAL: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "should i resign",
        "should i accept",
        "do you think",
        "what do you think",
        "isn't it",
        "wouldn't",
        "don't you",
        "would you",
        "may i have your",
        "rating",
        "address of",
        "phone",
        "why am i not",
        "why did",
        "why was",
        "why is",
        "how about",
        "how are you",
        "what else could",
        "what can i do",
        "what could i",
        "can you believe",
        "who knows",
        "have you seen",
        "did you see",
    ])
});

/// How one tells the program something, in English.
static TELLING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\bhow (?:do|does|can|could|should|would|must|may|shall|am|is|are|to)(?: (?:i|we|you|u|one|people|a player|somebody|someone|a move|a result|he|she))?",
        r"(?: (?:have to|need to|supposed to|best|correctly|properly|actually|then))* (?:send|write|type|report|submit|transmit|notify|tell you|tell the|give you|format|mail|email|phrase|put it|spell|announce)\b",
        r"|\b(?:do|should|must|can|may) i (?:\w+ )?(?:write|type|put|say|send|state|mention)\b",
        r"|\bwhere (?:do|should|shall|must|can) (?:i|we|one) (?:\w+ )?(?:send|write|mail|put|report)\b",
        r"|\bwhat does (?:the word |a |an )?(?:repeat|\w{5,}) mean\b",
    ))
    .expect("a valid pattern")
});
/// How one enters, in English.
static ENTERING: LazyLock<Regex> = LazyLock::new(|| {
    const ENTER: &str = r"(?:enter|register|sign up|join|apply|take part|participate|enroll?)\b";
    let patterns = [
        format!(
            r"\bhow (?:do|does|can|could|would|should|to|must|may|is|are|am)\b.{{0,40}}\b{ENTER}"
        ),
        format!(r"\b{ENTER}.{{0,80}}\bhow (?:would|do|does|can|could|should|is|to)\b"),
        format!(r"\bif .{{0,30}}\b{ENTER}.{{0,80}}\b(?:how much|what|pay)\b"),
        format!(r"\b(?:can|could|may|might|is|am|are|would)\b.{{0,60}}\b{ENTER}"),
    ];
    Regex::new(&patterns.join("|")).expect("a valid pattern")
});
/// Asks for a day, whatever else it speaks of.
static DAY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:deadlines?|until when|till when|by when|latest|last (?:day|date|postmark|possible|moment)|last \w+ date|closing|cut-?off|(?:which|what) (?:date|day)|how late|too late|entries close|still (?:enter|time))\b")
        .expect("a valid pattern")
});
/// What would follow from something: a question about the rules, whatever it names.
static SUPPOSES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?:what happens|what becomes|what would (?:happen|become|follow)|what will (?:happen|become)|what if|is it rated|are they rated|rated like|still count|do they (?:count|stand)|does (?:it|that|this) count",
        r"|if (?:i|one|a player|someone|somebody|he|she|my opponent) (?:\w+ ){0,2}(?:resigns?|withdraws?|loses?|dies|claims?|offers?|oversteps?)|in general|in theory|in the abstract|hypothetically|generally speaking|which rule|what rule|days of leave|days of time-?out|how (?:many|much) (?:days? of )?(?:leave|time-?out|vacation)|carried over|carry over",
        r"|does one have to|does a player|may a player|can a player|must a player|is a player|may one|can one|must one|should one|is one|are we allowed|am i allowed|is it allowed|is it permitted|is it legal|drawn? (?:of|by) lots?|draw of lots",
        r"|(?:colou?rs|sections|pairings) (?:drawn|made|assigned|decided|determined|chosen)|how (?:do|does) (?:one|you|a player) (?:claim|offer|resign|withdraw|decide|assign|pair)",
        r"|(?:may|can|must|do|could|should) (?:i|we|he|she|they|you|my opponent|the opponent|white|black|both) (?:\w+ )?(?:castle|capture|promote|analy[sz]e|use|consult))\b",
    ))
    .expect("a valid pattern")
});
/// A request that has the form of a question.
static COURTESY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\bwould you (?:\w+ )?(?:kindly|please|be so (?:good|kind)|mind|tell|send|confirm|let me know|inform|explain)\b")
        .expect("a valid pattern")
});
/// Asks to be told or sent something, with all courtesy.
static WANTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:obliged|grateful|glad|thankful|pleased|appreciate(?: it)?|kind|good) (?:if|to|enough to|as to)\b.{0,25}\b(?:tell|send|furnish|inform|advise|let me|know|learn|hear|confirm|provide|explain|clarify)\b|\b(?:could|can|would) you (?:please |kindly )?(?:tell|send|inform|advise|let) (?:me|us)\b|\b(?:any|no) idea (?:when|where|how|who|what|if|whether)\b")
        .expect("a valid pattern")
});
/// A move with its number.
static MOVE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b\d{1,3}\.+ ?[a-z0]").expect("a valid pattern"));
/// Whether a move or a result has arrived.
static ARRIVED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?:did|has|have|had|whether|if|confirm|confirmation|acknowledge|sure)\b.{0,60}\b(?:move|moves|mail|email|e-mail|letter|message|results?|report|entry|entries|registration|check|cheque|payment|fee|money|it|they|one)\b.{0,50}\b(?:arrived?|received?|got|get|reached?|come|came|through|recorded)\b",
        r"|\b(?:did|have|has|had) (?:you|he|she|they|it) (?:\w+ )?(?:get|got|received?|arrived?)\b|\breceipts?\b|\breceipt of\b",
    ))
    .expect("a valid pattern")
});

/// A question and what it is about.
struct Asked<'s> {
    sentence: &'s Sentence,
    topic: Topic,
    section: Option<SectionCode>,
    subject: bool,
}

/// Reads questions.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    if super::enters::is_advertised(said) {
        return;
    }
    let statements = !found.intents.is_empty();
    if let Some((topic, sentence)) = bare(said).filter(|_| !statements && found.trouble.is_none()) {
        let section = Clues::of(&sentence.text, said).sections.into_iter().next();
        let topic = match topic {
            Topic::Standings | Topic::Games if section.is_some() => Topic::Section,
            topic => topic,
        };
        let reason = format!("The mail is nothing but a word for {}.", about(topic));
        return found.add(Intent::Question { topic, section }, Confidence::Certain, reason);
    }
    let mut all = each(said, found, statements);
    // A subject says in a word what the text asks in full.
    if all.iter().any(|a| !a.subject) {
        all.retain(|a| !a.subject);
    }
    // `How does it stand in 19N04? Can you send the table?`
    let table = |a: &Asked<'_>| matches!(a.topic, Topic::Section | Topic::Standings);
    if all.iter().any(|a| table(a) && a.section.is_some()) {
        all.retain(|a| !table(a) || a.section.is_some());
    }
    // `How does one resign? Must the section be stated?`
    let general = all.iter().position(|a| matches!(a.topic, Topic::Help | Topic::Rules));
    let mut place = 0;
    all.retain(|a| {
        place += 1;
        let short = a.sentence.plain.len() < 24 && matches!(a.topic, Topic::Help | Topic::Rules);
        let vague = short || a.topic == Topic::Section && a.section.is_none();
        !(vague && general.is_some_and(|n| n + 1 < place))
    });
    for Asked { sentence, topic, section, .. } in all {
        let reason = format!("`{}` asks about {}.", short(&sentence.text), about(topic));
        found.add(Intent::Question { topic, section }, Confidence::Certain, reason);
    }
}

/// Returns the questions of all sentences.
fn each<'s>(said: &'s Said<'_>, found: &Found, statements: bool) -> Vec<Asked<'s>> {
    let entry = found.intents.iter().any(|i| matches!(i, Intent::Entry { .. }));
    let mut all = Vec::new();
    for (n, sentence) in said.sentences.iter().enumerate() {
        // Beside a statement only a plain question counts: `has my result arrived` is politeness.
        let wants = wants(sentence);
        let general = SUPPOSES.is_match(&sentence.plain);
        // `Would you kindly tell him that I resign?` asks nothing.
        let courtesy = sentence.question && crosscheck::without_courtesy(sentence) != *sentence;
        if courtesy || found.taken.contains(&sentence.text) && !general {
            continue;
        }
        if !asks(sentence) || statements && !sentence.question && !wants {
            continue;
        }
        let section = Clues::of(&sentence.text, said).sections.into_iter().next();
        let Some(topic) = topic(sentence, section.is_some(), said) else { continue };
        if entry && topic == Topic::Entries {
            continue; // `Can I enter? One entry please.`
        }
        let tables = matches!(topic, Topic::Section | Topic::Standings | Topic::Games);
        let subject = said.own_subject && n == 0;
        // `19N04` above, and below `How stands the table?`
        let section = section.or_else(|| whole_subject(said).filter(|_| topic != Topic::Games));
        all.push(Asked { sentence, topic, section: section.filter(|_| tables), subject });
    }
    all
}

/// Reads a mail that is nothing but a topic: its words, a section or a tournament, and `please`.
fn bare<'s>(said: &'s Said<'_>) -> Option<(Topic, &'s Sentence)> {
    let mut told = said.sentences.iter().filter(|s| !s.plain.is_empty());
    let (first, second) = (told.next()?, told.next());
    let sentence = match second {
        // A subject, and the same again or a name below it.
        Some(second) if told.count() <= 2 => {
            [first, second].into_iter().find(|s| whole(s, said).is_some())?
        }
        Some(_) => return None,
        None => first,
    };
    let others = said.sentences.iter().filter(|s| *s != sentence);
    let empty = |s: &Sentence| {
        let mut words = s.plain.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
        whole(s, said).is_some()
            || !s.question
                && words.clone().count() <= 4
                && words.all(|w| w.chars().all(char::is_alphabetic) && !is_topic(s))
    };
    if !said.records.is_empty() || !others.clone().all(empty) {
        return None;
    }
    whole(sentence, said).map(|topic| (topic, sentence))
}

fn is_topic(sentence: &Sentence) -> bool {
    TOPICS.iter().any(|(key, _)| sentence.tags.has(*key))
}

/// Returns the topic that is all a sentence says.
fn whole(sentence: &Sentence, said: &Said<'_>) -> Option<Topic> {
    if sentence.plain.len() > 80 {
        return None;
    }
    let topics: Vec<(Range<usize>, Topic)> = TOPICS
        .iter()
        .flat_map(|(key, topic)| sentence.tags.all(*key).map(|at| (at, *topic)))
        .collect();
    let (first, topic) = topics.iter().max_by_key(|(at, _)| at.len())?;
    let names = said.desk.rules.tournaments.values();
    let names: Vec<String> = names.map(|t| super::phrases::plain(&t.name)).collect();
    let mut at = 0;
    for word in sentence.plain.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let here = at;
        at += word.len();
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let asking = [
            "info", "pls", "plz", "thx", "send", "show", "question", "request", "need", "want",
            "get", "dotaz", "frage", "current",
        ];
        let told = ["won", "win", "beat", "lost", "mate", "resign", "resigned"].contains(&word);
        let known = word.is_empty()
            || first.contains(&here)
            || topics.iter().any(|(range, _)| range.contains(&here))
            || word.bytes().any(|b| b.is_ascii_digit())
            || asking.contains(&word)
            || lexicon::number(Word::Common, word).is_some() && !told
            || names.iter().any(|name| name.contains(word));
        if !known {
            return None;
        }
    }
    Some(*topic)
}

/// Returns the section that the sender's own subject names, where it names one alone.
fn whole_subject(said: &Said<'_>) -> Option<SectionCode> {
    let mut named = Clues::of(said.subject, said).sections.into_iter();
    let only = named.next().filter(|_| said.own_subject)?;
    named.next().is_none().then_some(only)
}

/// Tells whether a sentence says that somebody wants to know.
fn wants(sentence: &Sentence) -> bool {
    sentence.tags.has(Key::AskWants) || WANTS.is_match(&sentence.plain)
}

/// Tells whether a sentence asks: by its sign, or by how it begins.
fn asks(sentence: &Sentence) -> bool {
    let begins = sentence.tags.all(Key::Asks).any(|at| {
        let before = sentence.plain.get(..at.start).unwrap_or_default();
        let greeting = before.trim_matches(|c: char| !c.is_alphanumeric());
        before.trim().is_empty()
            || before.len() < 24 && before.ends_with(", ")
            || matches!(greeting, "hi" | "hello" | "and" | "also")
    });
    sentence.question
        || wants(sentence)
        || begins && sentence.plain.len() > 12 && !sentence.plain.ends_with('!')
}

/// Returns what a question is about. Of words in one another the longer one tells: `how much time` is no price.
fn topic(sentence: &Sentence, section: bool, said: &Said<'_>) -> Option<Topic> {
    let tags = &sentence.tags;
    let within = |at: &Range<usize>, own: Key| {
        let others = TOPICS.iter().filter(|(key, _)| *key != own);
        others
            .flat_map(|(key, _)| tags.all(*key))
            .any(|other| other.len() > at.len() && other.start <= at.start && at.end <= other.end)
    };
    let plain = sentence.plain.as_str();
    if PERSONAL.are_in(&COURTESY.replace_all(plain, "")) && !SUPPOSES.is_match(plain) {
        return None;
    }
    if TELLING.is_match(plain) {
        return Some(Topic::Help);
    }
    let entering = ENTERING.is_match(plain) || tags.has(Key::AskEntering);
    if entering && plain.contains("fee") {
        return Some(Topic::Deadlines);
    }
    if entering && (!DAY.is_match(plain) || plain.contains("how would")) {
        return Some(Topic::Entries);
    }
    if DAY.is_match(plain) && tags.has(Key::EntryThing) {
        return Some(Topic::Deadlines);
    }
    let told = TOPICS
        .iter()
        .find(|(key, _)| tags.all(*key).any(|at| !within(&at, *key)))
        .map(|(_, topic)| *topic);
    let told = match told {
        Some(Topic::Section | Topic::Games) | None if SUPPOSES.is_match(plain) => {
            Some(Topic::Rules)
        }
        Some(Topic::Entries | Topic::Games | Topic::Standings) | None
            if section && !MOVE.is_match(plain) =>
        {
            Some(Topic::Section)
        }
        told => told,
    };
    told.or_else(|| arrived(sentence, said)).or_else(|| nearest(sentence))
}

/// Returns the topic that lies nearest to a question that uses no words of any.
fn nearest(sentence: &Sentence) -> Option<Topic> {
    static ROUND: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"\b(?:when|how many)\b.{0,40}\b(?:semi-?finals?|final|next (?:round|section|event))\b",
        )
        .expect("a valid pattern")
    });
    let around = || Tags::around(&sentence.plain);
    if sentence.tags.has(Key::EntryThing) {
        Some(Topic::Entries)
    } else if ROUND.is_match(&sentence.plain) {
        Some(Topic::Section)
    } else {
        around().has(Key::MembershipWord).then_some(Topic::Rules)
    }
}

/// Tells what is meant by whoever asks whether something has arrived: his entry where the mail speaks of one, else a move.
fn arrived(sentence: &Sentence, said: &Said<'_>) -> Option<Topic> {
    let asked = !said.players.is_empty() || super::applicant::has_member(said);
    if !asked || !ARRIVED.is_match(&sentence.plain) {
        return None;
    }
    let entry = said.sentences.iter().any(|s| s.tags.has(Key::EntryThing) || s.tags.has(Key::Paid));
    Some(if entry { Topic::Entries } else { Topic::Games })
}

const fn about(topic: Topic) -> &'static str {
    match topic {
        Topic::Help => "how this works",
        Topic::Section => "a section",
        Topic::Games => "the sender's games",
        Topic::Entries => "entries",
        Topic::Deadlines => "deadlines and fees",
        Topic::Rules => "the rules",
        Topic::Standings => "the standings",
    }
}
