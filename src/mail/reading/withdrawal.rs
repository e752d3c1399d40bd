//! Withdrawals (Rule 10): from a section, a tournament, or all that is played here.
//!
//! Grammar: the sender says that he withdraws (`I must withdraw from`, `please withdraw me from`, `I can no longer keep
//! up and must drop out`, `ich trete von … zurück`), and from what: section codes, `my section`, a tournament by name or
//! as `the tournament`, `all events`. What is withdrawn from stands at once behind the words: `I withdraw my complaint`
//! and `I withdraw the knight` are something else. Where nothing is named the sender is asked; `I will withdraw` is asked
//! about too. From what, `scope.rs` tells.

use super::{
    Found, Said,
    phrases::{Sentence, short},
    scope::{self, Named},
    stated::{Hold, Words},
};
use crate::{
    domain::{
        event::Trouble,
        ids::{MemberId, SectionCode},
        intent::{Choice, Intent, Scope},
        section::EntryState,
    },
    mail::{
        lexicon::{Key, Tag, Tags},
        understanding::Confidence,
    },
};
use regex::Regex;
use std::{ops::Range, sync::LazyLock};

/// How one withdraws in English. What may stand between the subject and the verb is counted out: `I would never
/// withdraw` and `I do not withdraw` are not among it.
static ENGLISH: LazyLock<Regex> = LazyLock::new(|| {
    let between = "compelled to|am compelled to|obliged to|forced to|feel|find myself|have no choice but to|regret to inform you that i|am afraid i\
        |give notice that i|beg to inform you that i|wish to inform you that i|want|desire to|intend now to|hereby|herewith|now|also|sadly|regretfully|therefore|unfortunately|formally|officially|immediately|must|have to|need to|want to\
        |wish to|would like to|am forced to|have decided to|decided to|am obliged to|regret to|regret that i|am|will|shall|am going to|going to\
        |have got to|got to|please|kindly|and|then";
    let verb = "out of|give up my place in|give up my seat in|give up my spot in|end my participation in|ending my participation in\
        |cancel my participation in|stop my participation in|leave|finish with|stop with|stop playing in|cease playing in|abandon|withdraw|withdrawing|drop out|dropping out|retire|retiring|pull out|pulling out|bow out|bowing out|step down|quit|quitting|resign";
    Regex::new(&format!(
        r"\b(?:(?:i|i'm|im|i am|i'd like to|i'll|and|must|have to|need to)(?: (?:{between}))* (?:{verb})(?: myself)?|(?:please|kindly|to|and|could you|can you|would you)(?: (?:please|kindly|now))* (?:withdraw|remove|take|drop|strike|delete|scratch|cross|sign) (?:me|my name)|(?:please|kindly) withdraw|(?:accept|is|announce|of) my withdrawal)\b|^(?:withdraw|remove|take|drop|strike|delete|scratch|cross|sign) (?:me|my name)\b"
    ))
    .expect("a valid pattern")
});
/// Verbs that mean much else: they count only where a section, a tournament or all is named.
const LOOSE: [&str; 21] = [
    "out of",
    "leave",
    "finish with",
    "stop with",
    "stop playing in",
    "cease playing in",
    "abandon",
    "cross me",
    "sign me",
    "quit",
    "quitting",
    "retire",
    "retiring",
    "resign",
    "step down",
    "take me",
    "remove me",
    "drop me",
    "delete me",
    "strike me",
    "pull out",
];

/// Denials that may stand within a pattern of another language.
const DENIALS: [&str; 8] = [" ne ", " n'", " pas", " nicht", " no ", " non ", " niet", " não"];
/// How one withdraws in other languages, with words between that say nothing.
static PATTERNS: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let patterns = [
        (
            "fr",
            r"\bje (?:[\w']+ ){1,4}(?:me retirer|me désister|quitter|abandonner|arrêter) (?:du|de|des|d'|le|la|l'|tous|toutes|mon|ma|mes)",
        ),
        (
            "es",
            r"\b(?:debo|tengo que|quiero|deseo|quisiera|me veo obligad[oa] a|he decidido)(?: \w+){0,2} (?:retirarme|abandonar|dejar|darme de baja)\b",
        ),
        (
            "it",
            r"\b(?:devo|voglio|desidero|vorrei|sono costrett[oa] a|ho deciso di)(?: \w+){0,2} (?:ritirarmi|abbandonare|lasciare)\b",
        ),
        (
            "de",
            r"\b(?:ich (?:muss|möchte|will)|(?:muss|möchte|will) ich|und (?:muss|möchte|will))(?: mich)?(?: \w+){0,3} (?:aus|von|vom) (?:der|dem|den|allen|meinen|meiner|sektion|turnier|\d\w+)\b",
        ),
        (
            "nl",
            r"\b(?:ik (?:moet|wil|ga)|(?:moet|wil|ga) ik)(?: \w+){0,3} (?:terugtrekken|stoppen met|uitschrijven)\b",
        ),
        (
            "pt",
            r"\b(?:devo|preciso|tenho (?:de|que)|quero|desejo|gostaria de|sou obrigad[oa] a)(?: \w+){0,2} (?:me retirar|retirar-me|desistir|sair|abandonar)\b",
        ),
        (
            "ru",
            r"\b(?:вынужден|вынуждена|должен|должна|хочу|решил|решила|хотел бы|хотела бы|приходится)(?: \w+){0,2} (?:выйти из|сняться с|покинуть|прекратить участие в)(?: \w+)?",
        ),
        (
            "cs",
            r"\b(?:musím|chci|chtěl bych|chtěla bych|jsem nucen|jsem nucena)(?: \w+){0,3} (?:odstoupit|vystoupit|odhlásit se) (?:z|ze)\b",
        ),
        (
            "pl",
            r"\b(?:muszę|chcę|chciałbym|chciałabym|jestem zmuszony|jestem zmuszona)(?: \w+){0,3} (?:wycofać|zrezygnować|wycofać się) z\b",
        ),
        (
            "sv",
            r"\b(?:jag (?:måste|vill|tänker|får)|(?:måste|vill|får) jag)(?: \w+){0,3} (?:dra mig ur|lämna|hoppa av)\b",
        ),
    ];
    let compiled = |(code, pattern)| (code, Regex::new(pattern).expect("a valid pattern"));
    patterns.into_iter().map(compiled).collect()
});

/// Reads withdrawals.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let taken_back = said.taken_back();
    for (n, sentence) in said.sentences.iter().enumerate() {
        let places = places(sentence);
        if places.is_empty() {
            continue;
        }
        let around = Tags::around(&sentence.plain);
        if !sentence.question {
            // No other reader takes it for an objection or a question.
            found.taken.push(sentence.text.clone());
        }
        for (at, code) in places {
            let words = match code {
                Place::Pattern(code) => Words::of(sentence, at, code, &around),
                Place::Phrase(tag) => Words::tagged(sentence, tag, &around),
            };
            if n < taken_back {
                let quoted = short(&sentence.text);
                found.aside(format!("`{quoted}` is taken back further down."));
            } else {
                take(&words, said, found);
            }
        }
    }
}

/// How a withdrawal was found.
enum Place<'a> {
    /// By a pattern of a language.
    Pattern(&'static str),
    /// By a phrase of the lexicon.
    Phrase(&'a Tag),
}

/// Returns where withdrawals are spoken of: by a pattern, or by a phrase of the lexicon.
fn places(sentence: &Sentence) -> Vec<(Range<usize>, Place<'_>)> {
    let plain = &sentence.plain;
    let verbs = [
        "draw", "quit", "drop", "out of", "give up", "particip", "out of", "my p", "my s", "retir",
        "resign", "pull", "bow", " me", "step", " my name", "leav", "finish", "stop", "abandon",
        "cease",
    ];
    let mut all: Vec<(Range<usize>, Place<'_>)> = Vec::new();
    if verbs.iter().any(|verb| plain.contains(verb)) {
        all.extend(ENGLISH.find_iter(plain).map(|m| (m.range(), Place::Pattern("en"))));
    }
    for (code, pattern) in PATTERNS.iter() {
        let denied = |text: &str| DENIALS.iter().any(|denial| text.contains(denial));
        let found = pattern.find_iter(plain).filter(|m| !denied(m.as_str()));
        all.extend(found.map(|m| (m.range(), Place::Pattern(code))));
    }
    for tag in sentence.tags.each(Key::Withdraw) {
        // Of two phrases that begin together the longer one comes first and counts.
        if !all.iter().any(|(at, _)| at.start <= tag.at.start && tag.at.start < at.end) {
            all.push((tag.at.clone(), Place::Phrase(tag)));
        }
    }
    all
}

fn take(words: &Words<'_>, said: &Said<'_>, found: &mut Found) {
    let quoted = short(&words.sentence.text);
    let named = scope::named(words, said);
    let loose = LOOSE.iter().any(|verb| words.text().ends_with(verb));
    let resigned = found.intents.iter().any(|i| matches!(i, Intent::Resign { .. }));
    if resigned && words.text().ends_with("resign") {
        return; // `I resign in 19N04 1-2`: a game
    }
    let told = words.text().ends_with("out of") && !matches!(named, Named::Sections(_));
    if named == Named::Other || told || loose && matches!(named, Named::Nothing | Named::Section) {
        if !loose {
            found.aside(format!("`{quoted}` withdraws something else than an entry or from play."));
        }
        return;
    }
    let held = words.held();
    let held = held.or_else(|| super::stated::is_joke(said).then_some(Hold::Joke));
    let requested = held == Some(Hold::Question) && asks_for_it(words);
    if let Some(hold) = held.filter(|_| !requested) {
        return found.aside(format!("`{quoted}` is not taken as a withdrawal: {}.", hold.why()));
    }
    let own = words
        .text()
        .split(' ')
        .any(|w| matches!(w, "i" | "im" | "i'm" | "i'll" | "i'd" | "me" | "my"));
    let own = own || named == Named::Entry;
    let said_so = own && words.is_english();
    if words.is_english() && !own && !super::stated::is_first_person(words.before())
        || !said_so && words.of_another()
    {
        return found.aside(format!("`{quoted}` speaks of somebody else's withdrawal."));
    }
    if requested {
        found.taken.push(words.sentence.text.clone());
    }
    let intended = ["will", "shall", "i'll", "going", "out"];
    let dropped = words.text().contains("drop");
    let intended = !dropped && words.text().split(' ').any(|word| intended.contains(&word));
    decide(&named, requested || intended, &quoted, said, found);
}

/// Tells whether a question asks to be withdrawn: `could you please withdraw me`.
fn asks_for_it(words: &Words<'_>) -> bool {
    let me = words.text().ends_with(" me") || words.text().ends_with(" my name");
    me && words.around.has(Key::Please) && words.held_but(&[Hold::Question]).is_none()
}

/// Makes of what is named an intent, or the question what is meant.
fn decide(named: &Named, ask: bool, quoted: &str, said: &Said<'_>, found: &mut Found) {
    let player = match said.players {
        [] => None,
        [one] => Some(one),
        _ => scope::player(named, said),
    };
    if !said.players.is_empty() && player.is_none() {
        let reason =
            format!("`{quoted}` withdraws; who of those who use the address, it does not say.");
        return found.trouble(Trouble::ForDirector, reason);
    }
    let intents = match named {
        Named::Sections(codes) => codes.iter().map(|code| section(code.clone())).collect(),
        Named::All => vec![Intent::Withdraw { scope: Scope::All, section: None }],
        Named::Event(_) if player.is_none_or(|p| scope::plays_in(named, p, said)) => {
            vec![Intent::Withdraw { scope: Scope::Event, section: None }]
        }
        Named::Entry if player.is_some_and(|p| is_only_entry(p, said)) => {
            vec![Intent::Withdraw { scope: Scope::Event, section: None }]
        }
        Named::Section | Named::Nothing => match player {
            Some(player) => return unnamed(player, quoted, said, found),
            None => Vec::new(),
        },
        Named::Event(_) | Named::Entry | Named::Other => Vec::new(),
    };
    let sits = |code: &SectionCode| {
        let mut seats = player.into_iter().flat_map(|p| said.desk.state.seats_of(p));
        seats.any(|(section, _)| section.code == *code)
    };
    let foreign = match named {
        Named::Sections(codes) => codes.iter().find(|code| player.is_some() && !sits(code)),
        _ => None,
    };
    if let Some(code) = foreign {
        let reason = format!("`{quoted}` withdraws from {code}, where the sender has no seat.");
        return found.trouble(Trouble::ForDirector, reason);
    }
    if intents.is_empty() {
        let trouble = if player.is_some() { Trouble::ForDirector } else { Trouble::SenderUnknown };
        let reason = format!("`{quoted}` withdraws; from what, the books do not tell.");
        return found.trouble(trouble, reason);
    }
    if let Some(player) = player.filter(|_| said.players.len() > 1) {
        found.player.get_or_insert_with(|| player.clone());
    }
    for intent in intents {
        let what = what(&intent);
        let reason = format!("`{quoted}` withdraws from {what}.");
        if ask {
            found.ask(
                intent,
                format!("Do you withdraw from {what}?"),
                format!("I withdraw from {what}"),
                reason,
            );
        } else {
            found.add(intent, Confidence::Certain, reason);
        }
    }
    if player.is_none() {
        let reason = "No player is known under the sender's address.".to_owned();
        found.trouble(Trouble::SenderUnknown, reason);
    }
}

const fn section(code: SectionCode) -> Intent {
    Intent::Withdraw { scope: Scope::Section, section: Some(code) }
}

fn what(intent: &Intent) -> String {
    match intent {
        Intent::Withdraw { section: Some(code), .. } => format!("section {code}"),
        Intent::Withdraw { scope: Scope::All, .. } => "all that is played here".to_owned(),
        _ => "the tournament".to_owned(),
    }
}

/// Asks from what, where the words do not say: the section of the letter that is answered or of the subject, the only
/// one, or one of several.
fn unnamed(player: &MemberId, quoted: &str, said: &Said<'_>, found: &mut Found) {
    let own: Vec<SectionCode> =
        said.desk.state.seats_of(player).map(|(section, _)| section.code.clone()).collect();
    let spoken = scope::spoken_of(said).filter(|code| own.contains(code));
    let one = match (&spoken, &own[..]) {
        (Some(code), _) | (None, [code]) => Some(code.clone()),
        _ => None,
    };
    if let Some(code) = one {
        let intent = section(code);
        let what = what(&intent);
        let reason =
            format!("`{quoted}` withdraws and does not say from what; {what} is the nearest.");
        return found.ask(
            intent,
            format!("Do you withdraw from {what}?"),
            format!("I withdraw from {what}"),
            reason,
        );
    }
    let reason = format!("`{quoted}` withdraws and does not say from what.");
    if own.is_empty() || own.len() > super::CHOICES {
        return found.trouble(Trouble::ForDirector, reason);
    }
    let mut intents: Vec<Intent> = own.into_iter().map(section).collect();
    intents.push(Intent::Withdraw { scope: Scope::All, section: None });
    let choices = intents.into_iter();
    let choices = choices.map(|i| Choice { says: format!("from {}", what(&i)), intents: vec![i] });
    found.undecided = true;
    found.reasons.push(reason);
    found.doubt("From what do you withdraw?".to_owned(), choices.collect());
}

/// Tells whether a player has one entry and it sits nowhere yet.
fn is_only_entry(player: &MemberId, said: &Said<'_>) -> bool {
    let state = said.desk.state;
    let ids = state.entries_of.get(player).into_iter().flatten();
    let entries: Vec<_> = ids.filter_map(|id| state.entries.get(id)).collect();
    matches!(entries[..], [only] if only.sections.is_empty() && only.state != EntryState::Withdrawn)
}
