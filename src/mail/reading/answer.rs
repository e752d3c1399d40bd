//! Answers to our questions: `yes`, `no`, `the first`, `2`, `neither`, `the game with Ortiz`, `15.Bg5 in 19N04`, alone or as
//! the first words of a reply to the letter that asked.
//!
//! Only the player who was asked can answer. What the mail says besides is read as usual, and where it says something
//! else than the answer that is chosen, it counts and the mere `yes` does not. Which answer is meant by other words is
//! told from what each option says and from the names of its players; if two fit, none is taken.

use super::{
    Found, Said,
    phrases::{Sentence, folded, short},
};
use crate::{
    domain::{
        event::Trouble,
        intent::{Choice, Intent},
        question::Question,
    },
    mail::{
        lexicon::{self, Key, Tags, Word},
        understanding::Confidence,
    },
};

/// The sentences among which an answer is looked for: `Oh dear, how silly of me. The first one, please.`
const FIRST: usize = 3;

/// The sentences among which one is looked for that says `Yes, I meant …`, whatever stands before it.
const FAR: usize = 12;

/// What somebody answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    Nth(usize),
}

/// Reads an answer; true where the mail is nothing but one, so that nothing else needs to be looked for.
pub(super) fn read(said: &mut Said<'_>, found: &mut Found) -> bool {
    let Some(question) = question(said) else { return false };
    let Some(letter) = said.letter else { return false };
    if !said.players.contains(&question.player) {
        found.aside("It answers a question that somebody else was asked.".to_owned());
        return false;
    }
    let spoken = said.sentences.iter().enumerate().filter(|(_, s)| !s.plain.is_empty()).take(FAR);
    let mut first = spoken.enumerate().filter(|(k, (_, s))| *k < FIRST || means(s)).map(|(_, s)| s);
    let answered = first.find_map(|(n, s)| Some((n, answer(s, question, said)?)));
    let Some((first, (answer, rest))) = answered else { return false };
    let quoted = short(&said.sentences[first].text);
    let choice = match answer {
        Answer::Yes if question.options.len() == 1 => 1,
        Answer::No => 0,
        Answer::Nth(n) if n <= question.options.len() => u8::try_from(n).unwrap_or(0),
        Answer::Yes | Answer::Nth(_) => {
            found.aside(format!("`{quoted}` does not say which of the answers it means."));
            return false;
        }
    };
    let reason = format!("`{quoted}` answers the question `{}`.", question.asks);
    found.add(Intent::Confirm { token: letter, choice }, Confidence::Certain, reason);
    if answer == Answer::Yes && is_of_something_else(&rest, question, said) {
        let reason = format!("`{quoted}` may well be about something else.");
        found.confidence = Confidence::Unsure;
        found.trouble(Trouble::ForDirector, reason);
    }
    let more: Vec<Sentence> = said.sentences.drain(first + 1..).collect();
    let rest = Sentence::of(&rest);
    let only = is_courtesy(&rest) && more.iter().all(is_courtesy);
    said.sentences.truncate(first);
    said.sentences.push(rest);
    said.sentences.extend(more);
    only
}

/// Tells whether what follows a yes at once is long and speaks of nothing that was asked: `yes, dinner on Sunday is fine`.
fn is_of_something_else(rest: &str, question: &Question, said: &Said<'_>) -> bool {
    const POLITE: [&str; 12] = [
        "sorry", "thank", "please", "excuse", "pardon", "danke", "merci", "gracias", "grazie",
        "bedankt", "right", "correct",
    ];
    let sentence = Sentence::of(rest);
    let plain = &sentence.plain;
    let words: Vec<&str> = plain.split(|c: char| !c.is_alphanumeric()).collect();
    let asked: Vec<String> = question.options.iter().flat_map(|o| described(o, said)).collect();
    let spoken = words.iter().any(|w| w.len() > 2 && asked.iter().any(|a| a.contains(w)))
        || ["move", "game", "board", "play"].iter().any(|word| plain.contains(word));
    words.iter().filter(|w| !w.is_empty()).count() > 5
        && !spoken
        && !means(&sentence)
        && !POLITE.iter().any(|p| plain.contains(p))
}

/// Tells whether a sentence says what was meant.
fn means(sentence: &Sentence) -> bool {
    const MEANT: [&str; 8] = [
        "meant",
        "mean ",
        "gemeint",
        "meinte",
        "voulais dire",
        "quería decir",
        "intendevo",
        "bedoelde",
    ];
    MEANT.iter().any(|word| sentence.plain.contains(word))
}

/// Tells whether what stands beside a yes takes it half back: `Yes, I meant it, but now I want to think again`.
fn hedges(sentence: &Sentence) -> bool {
    const OFFERS: [&str; 12] = [
        "got your",
        "received your",
        "read your",
        "will look",
        "will check",
        "i will tell",
        "have to look",
        "need to look",
        "must look",
        "have to think",
        "must think",
        "think again",
    ];
    const BUT: [&str; 7] = ["but ", "however", "aber ", "mais ", "pero ", "maar ", "ma "];
    const TURNS: [&str; 16] = [
        "now ", "not ", "don't", "wait", "think", "rather", "prefer", "instead", "changed",
        "nicht", "anders", "pas ", "plutôt", "no ", "mejor", "niet",
    ];
    let own = sentence.plain.trim_start();
    let but =
        BUT.iter().filter_map(|but| own.find(but).map(|at| own.get(at..).unwrap_or_default()));
    sentence.tags.has(Key::Retracts)
        || OFFERS.iter().any(|offer| own.contains(offer))
        || but.into_iter().any(|rest| TURNS.iter().any(|turn| rest.contains(turn)))
}

/// Takes back a mere `yes` where the mail itself says something else, and what only repeats the answer that is chosen.
pub(super) fn weigh(said: &Said<'_>, found: &mut Found) {
    let chosen = found.intents.iter().find_map(|intent| match intent {
        Intent::Confirm { choice, .. } => Some(usize::from(*choice)),
        _ => None,
    });
    let Some((chosen, question)) = chosen.zip(question(said)) else { return };
    if chosen == 0 {
        return corrected(question, found);
    }
    let chosen: &[Intent] =
        question.options.get(chosen - 1).map_or(&[], |option| option.intents.as_slice());
    let is_answer = |i: &Intent| matches!(i, Intent::Confirm { .. });
    let says_more = |i: &Intent| !is_answer(i) && !chosen.iter().any(|c| is_same(c, i));
    if found.intents.iter().any(|i| says_more(i) && !matches!(i, Intent::Question { .. })) {
        found.intents.retain(|i| !is_answer(i));
        found.reasons.push("What the mail itself says counts, and not its yes.".to_owned());
        return;
    }
    found.intents.retain(|i| is_answer(i) || says_more(i));
    if let Some(hedge) = said.sentences.iter().find(|s| hedges(s)) {
        let reason = format!("`{}` stands beside the answer.", short(&hedge.text));
        found.confidence = Confidence::Unsure;
        found.trouble(Trouble::ForDirector, reason);
    }
}

/// `No, I meant 15.Be3`: the question was about that game, so what is said instead is not in doubt.
fn corrected(question: &Question, found: &mut Found) {
    let games: Vec<_> =
        question.options.iter().flat_map(|o| &o.intents).filter_map(Intent::game).collect();
    let same = |i: &Intent| i.game().is_none_or(|game| games.contains(&game));
    let asked = found.doubt.as_ref().is_some_and(|doubt| doubt.options.len() == 1);
    let sound = found.trouble.is_none() && !found.undecided;
    if asked && sound && found.intents.iter().all(same) {
        found.doubt = None;
        found.confidence = Confidence::Certain;
    }
}

/// Tells whether two intents say the same of the same game.
fn is_same(one: &Intent, other: &Intent) -> bool {
    match (one, other) {
        (Intent::Move(one), Intent::Move(other)) => one.game == other.game && one.uci == other.uci,
        _ => one == other,
    }
}

/// Returns the question that the answered letter put.
fn question<'a>(said: &Said<'a>) -> Option<&'a Question> {
    said.desk.state.questions.get(&said.about?.question?)
}

/// Reads the answer at the beginning of a sentence, and returns what follows it.
fn answer(sentence: &Sentence, question: &Question, said: &Said<'_>) -> Option<(Answer, String)> {
    let whole = trimmed(&sentence.plain);
    if let Some(answer) = simple(whole) {
        return Some((answer, String::new()));
    }
    if let Some(n) = select(whole, question, said) {
        return Some((Answer::Nth(n), String::new()));
    }
    let (head, rest) = sentence.text.split_once([',', '.', '!', ';', ':'])?;
    let head = lexicon::plain(head);
    let first = simple(trimmed(&head));
    let rest = rest.trim().to_owned();
    let behind = select(trimmed(&lexicon::plain(&rest)), question, said);
    match (first, behind) {
        // `Yes, the second.`
        (Some(Answer::Yes), Some(n)) if question.options.len() > 1 => {
            Some((Answer::Nth(n), String::new()))
        }
        (Some(first), _) => Some((first, rest)),
        (None, _) => select(trimmed(&head), question, said).map(|n| (Answer::Nth(n), rest)),
    }
}

fn trimmed(plain: &str) -> &str {
    plain.trim_matches(|c: char| c.is_whitespace() || ".,;:!\"'()*".contains(c))
}

fn simple(whole: &str) -> Option<Answer> {
    let is = |word: Word| lexicon::number(word, whole).is_some();
    // `Yes indeed, of course`.
    let mut words = whole.split([' ', ',']).filter(|w| !w.is_empty());
    let known = |word: Word, text: &str| lexicon::number(word, text).is_some();
    let first = words.next().is_some_and(|first| known(Word::Yes, first));
    if is(Word::Yes)
        || first
            && words.all(|w| {
                known(Word::AnswerFiller, w) && !known(Word::No, w) && !known(Word::Ordinal, w)
            })
    {
        return Some(Answer::Yes);
    }
    if is(Word::No) || is(Word::Neither) {
        return Some(Answer::No);
    }
    lexicon::number(Word::Number, whole).map(|n| Answer::Nth(usize::from(n)))
}

/// Returns which option words mean: by its number, or by what it says and no other option does.
fn select(whole: &str, question: &Question, said: &Said<'_>) -> Option<usize> {
    let (mut numbers, mut content) = (Vec::new(), Vec::new());
    for word in whole.split(|c: char| c.is_whitespace() || ",;!?()\"".contains(c)) {
        let word = word.trim_matches(['.', '#', ':', '\'']);
        let ordinal = lexicon::number(Word::Ordinal, word).map(usize::from);
        let digits = word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit());
        let filler =
            [Word::AnswerFiller, Word::Yes].iter().any(|w| lexicon::number(*w, word).is_some());
        match ordinal.or_else(|| word.parse().ok().filter(|_| digits)) {
            _ if word.is_empty() => {}
            Some(number) => numbers.push(number),
            None if filler => {}
            None => content.push(word),
        }
    }
    match (&numbers[..], &content[..]) {
        ([only], []) if (1..=question.options.len()).contains(only) => Some(*only),
        (_, []) => None,
        _ => {
            let fits = |option: &Choice| {
                let words = described(option, said);
                content.iter().all(|c| words.iter().any(|w| w == c || *w == folded(c)))
            };
            let mut fitting = (1..).zip(&question.options).filter(|(_, o)| fits(o)).map(|(n, _)| n);
            let first = fitting.next()?;
            fitting.next().is_none().then_some(first)
        }
    }
}

/// Returns the words of an option: what it says, and the names of the players of its games.
fn described(option: &Choice, said: &Said<'_>) -> Vec<String> {
    let state = said.desk.state;
    let says = lexicon::plain(&option.says);
    let split = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| c.is_whitespace() || ",;!?()\"".contains(c));
        words
            .map(|w| w.trim_matches(['.', ':', '#']).to_owned())
            .filter(|w| !w.is_empty())
            .collect()
    };
    let mut words = split(&says);
    for game in option.intents.iter().filter_map(Intent::game) {
        let section = state.sections.get(&game.section);
        let players =
            section.into_iter().flat_map(|s| [game.white, game.black].map(|seat| (s, seat)));
        let names = players.filter_map(|(s, seat)| {
            let player = state.player_at(s, seat)?;
            let own = said.players.contains(&player.member);
            (!own).then(|| player.name.clone())
        });
        words.extend(names.flat_map(|name| split(&name)).map(|word| folded(&word)));
        words.push(game.section.to_string().to_lowercase());
        words.push(format!("{}-{}", game.white, game.black));
    }
    words
}

/// Tells whether a sentence is thanks, a name, or nothing.
fn is_courtesy(sentence: &Sentence) -> bool {
    let plain = trimmed(&sentence.plain);
    let words = plain.split(' ').count();
    let letters = plain.chars().all(|c| c.is_alphabetic() || " ,.!'-".contains(c));
    let closes = Tags::around(plain).has(Key::Closing);
    let says = simple(plain).is_some();
    let quiet = sentence.tags.places().next().is_none() && !sentence.question;
    plain.is_empty()
        || says
        || quiet && letters && !plain.contains("o-o") && (words <= 3 || closes && words <= 6)
}
