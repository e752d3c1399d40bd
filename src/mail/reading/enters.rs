//! Which sentence asks for an entry, and which only speaks of one. Beside the phrases of the lexicon there are English
//! patterns with free words in them: `would you kindly put the two of us down`, `request that the undersigned be entered`.
//!
//! A question, a condition, a denial, an entry that was sent before, and what enters something else ask for none.

use super::{
    Said,
    phrases::{Sentence, Words, has, plain},
};
use crate::mail::lexicon::Key;
use regex::Regex;
use std::sync::LazyLock;

/// What makes a sentence no request.
static HELD: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "if",
        "unless",
        "not",
        "don't",
        "didn't",
        "cannot",
        "can't",
        "won't",
        "never again",
        "whether",
        "when",
        "before i",
        "after i",
        "once i",
        "last year",
        "years ago",
        "already",
        "as you know",
        "thinking about",
        "thinking of",
        "think of",
        "thought of",
        "considering",
        "plan to",
        "planning to",
        "intend to",
        "hope to",
        "going to",
        "used to",
        "maybe",
        "perhaps",
        "might",
        "tell myself",
        "i wonder",
        "want to know",
        "like to know",
        "wish i",
        "wished i",
        "would have",
        "tempted",
        "friend wants",
        "next year",
        "should i",
        "shall i",
        "wenn",
        "falls",
        "nicht",
        "vielleicht",
        "überlege",
        "peut-être",
        "pas",
        "si je",
        "quizás",
        "tal vez",
        "si me",
        "forse",
        "se mi",
        "non",
        "niet",
        "misschien",
        "als ik",
        "talvez",
        "não",
        "inte",
        "kanske",
        "om jag",
        "nie",
        "może",
        "možná",
        "не",
        "если",
        "возможно",
    ])
});
/// What is entered without being an entry.
static OTHER: LazyLock<Words> = LazyLock::new(|| {
    Words::new(&[
        "result",
        "results",
        "score",
        "scores",
        "my move",
        "the move",
        "win",
        "loss",
        "a draw",
        "address",
        "e-mail",
        "email",
        "phone",
        "password",
        "vacation",
        "leave",
        "time-out",
        "timeout",
        "newsletter",
        "mailing list",
        "endgame",
        "middlegame",
        "ending",
        "phase",
        "in peace",
        "game as",
        "the game",
        "complaint",
        "protest",
        "hospital",
        "ruling",
        "adjudication",
        "extension",
        "a copy",
        "crosstable",
        "raffle",
        "lottery",
        "prize draw",
        "jackpot",
        "tickets",
        "tennis",
        "golf",
        "bridge",
        "marathon",
        "bake",
        "blitz",
        "rapid",
        "team match",
        "league",
        "committee",
        "school board",
    ])
});
/// Words that liken this entry to another year's and say nothing against it.
static AS_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:same )?(?:as|like) (?:in |i did |i have done )?last year\b|\bif (?:possible|you please|that is ok|it is not too late|i may|you can|there is (?:still )?(?:room|time))\b|\b(?:please )?not (?:in (?:a|the same|one) section|with|against|together)\b|\bif not too late\b|\b(?:grateful|glad|obliged|pleased|happy|appreciate it|kind|nice|lovely|great) if (?:you|i) (?:could|would|can|might|may)\b|\b(?:dankbar|freuen|froh|nett),? wenn\b|\bsi (?:vous pouviez|vous pouvez|pudieran?|me pudieran?|me pueden?)\b|\bse (?:poteste|potesse|mi poteste)\b|\b(?:non|pas|nicht|niet|no|inte) (?:class[ée]e?|avec|contre|dans la même|in (?:der|die)selben?|mit|gegen|con|contro|contra|en la misma|nella stessa|met|tegen|in dezelfde|med|mot)\b|\bsi (?:es posible|possible|c'est possible)\b|\bwenn (?:möglich|es geht)\b")
        .expect("a valid pattern")
});
/// Requests with free words in them, in English.
static FREE: LazyLock<Regex> = LazyLock::new(|| {
    const WHOM: &str = r"(?:me|us|my|him|her|them|myself|mr|mrs|the (?:following|undersigned|below)|these|our|both|one|two|three|four|five|\d|a|another)";
    const INTO: &str = r"(?:enter|register|sign up|enroll?|apply (?:for|to)|participate|take part|compete|join|play in|play again in|be in|be entered|be part of|be registered|have (?:one|two|three|another|a|\d+)(?: \w+)? (?:entry|entries|place|places))";
    let patterns = [
        format!(r"\b(?:please|kindly|pls|plz)(?: \S+){{0,2}}? (?:enter|register|enroll?|inscribe|sign|put|add|include|book|take|accept|note|reserve|mark|list) {WHOM}\b"),
        format!(r"\b(?:can|could|would|will) (?:you|u|ya)(?: \S+){{0,2}}? (?:enter|register|enroll?|inscribe|sign|put|add|include|book) {WHOM}\b"),
        format!(r"\b(?:i|we)(?:'d| would| should| also)? (?:\w+ ){{0,2}}?(?:like|want|wants|wish|desire|beg|ask|request|am writing|write|apply|love)(?: \w+){{0,2}}? to (?:\w+ ){{0,2}}?{INTO}\b"),
        format!(r"\b(?:wish|wishes|want|wants|would like|'d like) (?:\w+ )?to (?:\w+ )?{INTO}\b"),
        r"\b(?:request|ask|beg|wish|desire)s? (?:that |for )?.{0,80}\b(?:to )?be (?:entered|registered|admitted|enrolled|included|signed up)\b".to_owned(),
        r"\bi (?:want|wish|would like) (?:to )?(?:enter|sign|register|inscribe) me\b".to_owned(),
        r"\b(?:i|we) (?:hereby|herewith|again|gladly) (?:\w+ )?(?:enter|register|apply|sign up)\b".to_owned(),
        r"\bhereby (?:\w+ ){0,3}(?:enter|register|apply)\b".to_owned(),
        r"\b(?:both|two|three|all) of us want\b".to_owned(),
        r"\b(?:squeeze|fit|get|put|slot|pencil|book|sign) (?:me|us|him|her) (?:in|into|down|up)\b".to_owned(),
        r"\b(?:asks?|asked|begs?|wants?) (?:me|you) to (?:enter|register|sign up|put) (?:him|her|them|me|us)\b".to_owned(),
        r"\bi (?:\w+ )?apply (?:for |the |an )?(?:entry|entries|admission)\b".to_owned(),
    ];
    Regex::new(&patterns.join("|")).expect("a valid pattern")
});
/// An entry that was sent before: `I mailed you my two entries on Monday`.
static SENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?:sent|mailed|posted|made|submitted|gave|faxed|emailed|e-mailed|entered|handed|received|got|filed)\b(?: \w+){0,4} (?:entry|entries|registration|form)\b",
        r"|\b(?:entry|entries|registration|form)\b(?: \w+){0,4} (?:sent|mailed|posted|made|arrived?|received|entered|was|were)\b",
    ))
    .expect("a valid pattern")
});
/// Asks the one to whom it is written to do it, as a question only in form.
static POLITE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(?:\w+,? )?(?:please|bitte|pls)\b|\b(?:can|could|would|will) (?:you|u|ya)(?: \S+){0,2} (?:enter|sign|register|put|add|enroll?|book|include|take|accept|inscribe)\b",
        r"|\b(?:können|könnten|würden) sie mich\b|\b(?:pouvez|pourriez)-vous m'inscrire\b|\b(?:puede|pueden|podría|podrían) inscribirme\b",
        r"|\b(?:kunt|kan|wilt) u (?:mij|me)\b|\bmi (?:può|potete|potrebbe|potreste) iscrivere\b",
    ))
    .expect("a valid pattern")
});

/// How a sentence asks for an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// The words that ask.
    pub(super) words: String,
    /// Whether they are a phrase that means nothing else.
    pub(super) plain: bool,
}

/// Finds words that ask for an entry, or look like it.
pub(super) fn request(sentence: &Sentence, said: &Said<'_>) -> Option<Request> {
    let request = |words: &str, plain: bool| Request { words: words.to_owned(), plain };
    let text = sentence.plain.as_str();
    let told = sentence.tags.first(Key::Enter).and_then(|at| text.get(at));
    if let Some(words) = told {
        return Some(request(words, true));
    }
    if let Some(found) = FREE.find(text) {
        let sure = counts(sentence) || has_id(&sentence.text);
        return Some(request(found.as_str(), sure));
    }
    let before = SENT.is_match(text);
    let words = wish(sentence).or_else(|| listed(sentence, said)).filter(|_| !before);
    words.map(|words| request(words, true))
}

/// Tells whether a sentence that looks like it does ask for an entry.
pub(super) fn is_meant(sentence: &Sentence, said: &Said<'_>) -> bool {
    // `I would like to enter` is how one asks politely; only a question, a denial or an `if` is not asking.
    let asking = !sentence.question || POLITE.is_match(&sentence.plain);
    let unlike = AS_BEFORE.replace_all(&sentence.plain, "");
    let of_ours = is_of_ours(sentence, said) && (counts(sentence) || !OTHER.are_in(&unlike));
    asking && !HELD.are_in(&unlike) && of_ours
}

/// Tells whether a sentence holds back an entry that stands elsewhere in the mail.
pub(super) fn refuses(sentence: &Sentence) -> bool {
    let unlike = AS_BEFORE.replace_all(&sentence.plain, "");
    sentence.question || HELD.are_in(&unlike) || SENT.is_match(&unlike)
}

/// Tells whether a sentence says that there is to be none.
pub(super) fn denies(sentence: &Sentence) -> bool {
    const DENIALS: &[&str] = &[
        "not", "don't", "do not", "no", "won't", "cannot", "can't", "nicht", "pas", "non", "niet",
        "não", "inte", "nie", "не",
    ];
    let unlike = AS_BEFORE.replace_all(&sentence.plain, "");
    !sentence.question && DENIALS.iter().any(|word| has(&unlike, word))
}

/// Finds a wish for so many entries: `I'd like another two entries`, `one entry please`.
fn wish(sentence: &Sentence) -> Option<&str> {
    const WISHED: &[&str] = &[
        "please",
        "pls",
        "plz",
        "would like",
        "i'd like",
        "should like",
        "want",
        "wants",
        "add",
        "need",
        "take",
        "bitte",
        "por favor",
        "merci",
        "s'il vous plaît",
        "per favore",
        "alstublieft",
        "graag",
        "proszę",
        "prosím",
        "пожалуйста",
        "tack",
        "gärna",
    ];
    let wished = WISHED.iter().any(|word| has(&sentence.plain, word));
    let things = sentence.tags.all(Key::EntryThing).filter_map(|at| sentence.plain.get(at));
    let mut entries = things.filter(|thing| !matches!(*thing, "times" | "sections" | "starts"));
    entries.next().filter(|_| wished && counts(sentence))
}

/// Finds `entry for the 2019 Golden Knights: 3 entries`, and `same as last year: 2019 Golden Knights`: they ask only where
/// entries are counted, or a member or a tournament is named beside them.
fn listed<'s>(sentence: &'s Sentence, said: &Said<'_>) -> Option<&'s str> {
    const ENTRY: &[&str] = &["entry for", "entries for", "entry into", "entry to", "entries into"];
    let here = |words: &&&str| has(&sentence.plain, words);
    let told =
        ["is", "are", "was", "were", "has", "have"].iter().any(|word| has(&sentence.plain, word));
    if let Some(entry) = ENTRY.iter().find(here).filter(|_| !told) {
        return (counts(sentence) || has_id(&sentence.text)).then_some(entry);
    }
    let same = ["same as last year", "like last year"];
    let mut named = said.desk.rules.tournaments.values().flat_map(super::entry::names);
    let same = same.iter().find(here)?;
    (counts(sentence) || has_id(&sentence.text) || named.any(|n| has(&sentence.plain, &n)))
        .then_some(same)
}

fn has_id(text: &str) -> bool {
    super::applicant::has_id(text)
}

/// Tells whether a sentence counts entries.
pub(super) fn counts(sentence: &Sentence) -> bool {
    super::applicant::count_in(sentence).is_some()
}

/// Tells whether an entry here is meant, and nothing else that one may enter: a tournament of ours is named, or a member,
/// or the mail speaks of entries.
fn is_of_ours(sentence: &Sentence, said: &Said<'_>) -> bool {
    const ENTRY: &[&str] = &[
        "entry",
        "entries",
        "registration",
        "anmeldung",
        "inscription",
        "inscripción",
        "iscrizione",
        "inschrijving",
        "anmälan",
        "tilmelding",
        "заявка",
        "přihláška",
        "zgłoszenie",
        "nevezés",
    ];
    let speaks = |text: &str| ENTRY.iter().any(|word| has(text, word));
    let subject = plain(said.subject);
    let named = said.desk.rules.tournaments.values().flat_map(super::entry::names);
    let mut named = named.filter(|name| has(&sentence.plain, name) || has(&subject, name));
    named.next().is_some()
        || speaks(&sentence.plain)
        || said.own_subject && speaks(&subject)
        || super::applicant::has_member(said)
}

/// Signs of an advertisement, which may speak of entries and moves as it likes.
static ADVERT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?:unsubscribe|opt out|click (?:here|below|the)|free spins?|jackpot|casino|bonus|special offer|limited offer|order now|buy now",
        r"|shop now|enter now|act now|reply yes|tickets?|gift card|bitcoin|within 24 hours|card number|subscribe|download now|try it free)\b|\d ?% (?:off|bonus)|% (?:off|bonus)",
    ))
    .expect("a valid pattern")
});

/// Tells whether somebody who is not known here advertises something.
pub(super) fn is_advertised(said: &Said<'_>) -> bool {
    said.players.is_empty() && said.sentences.iter().any(|s| ADVERT.is_match(&s.plain))
}

/// Says that the entry was sent before, or leaves its number open.
static DOUBTFUL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?:one|two|three|four|five|six|\d{1,2}) (?:or|oder|ou|o|eller|maybe|perhaps) (?:maybe |perhaps )?(?:one|two|three|four|five|six|\d{1,2}|zwei|drei|deux|trois|dos|tres|due|tre|twee|drie|två)\b",
        r"|\b(?:sent|mailed|submitted|emailed) (?:\w+ ){0,2}(?:entry|entries|form|registration)\b|\bcount (?:it|them|me) (?:only )?(?:once|twice)\b|\bre-?send(?:ing)?\b|\bin case (?:you|it|my|the)\b",
        r"|\b(?:got|had|have) no (?:answer|reply|receipt)\b|\bsecond sending\b|\bsent again\b|\bin duplicate\b|\bunless\b|\bdepending on\b",
    ))
    .expect("a valid pattern")
});

/// Tells of an entry that was made by accident, or twice.
static SLIPPED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:by accident|accidentally|by mistake)\b|\bi (?:think|believe|fear) i (?:\w+ )?entered\b|\bentered (?:\S+ ){0,6}(?:twice|already|before)\b|\baus versehen\b|\bpar erreur\b|\bpor error\b|\bper errore\b|\bper ongeluk\b")
        .expect("a valid pattern")
});

/// Tells whether a request names what is to be entered: `in the Riverside Open`.
pub(super) fn names_something(said: &Said<'_>) -> bool {
    static INTO: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b(?:in|into|for|to|at) (?:the|your|this|that|a|an)\b|\b(?:tournament|championship|open|cup|quad|prize)\b")
            .expect("a valid pattern")
    });
    let requests = said.sentences.iter().filter(|s| request(s, said).is_some());
    requests.into_iter().any(|s| INTO.is_match(&s.plain))
}

/// Tells whether a mail speaks of an entry that has gone wrong, which the director sees to.
pub(super) fn has_slipped(said: &Said<'_>) -> bool {
    said.sentences.iter().any(|s| SLIPPED.is_match(&s.plain))
}

/// Tells whether something in the mail makes it doubtful that so many entries are meant, and new ones.
pub(super) fn is_doubtful(said: &Said<'_>) -> bool {
    said.sentences.iter().any(|s| DOUBTFUL.is_match(&s.plain))
}

/// Takes back or changes what the mail said before.
static CORRECTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?:no,? wait|wait,? no|wait a (?:moment|minute)|make (?:that|it)|i mean|i meant|scratch that|on second thoughts?|correction|changed? my mind",
        r"|sorry,? (?:no|i mean|that should|make)|forget (?:that|it|about)|never ?mind|disregard|ignore (?:that|this|the above)|think again|thought again",
        r"|no,? better|nein,? (?:doch|warte|lieber)|doch nicht|doch lieber|vergessen sie|non,? (?:attendez|plutôt)|finalement|oubliez",
        r"|no,? (?:mejor|espere|espera)|olvide|olvídelo|anzi|ripensandoci|nee,? (?:toch|wacht)|bij nader inzien|nej,? (?:vänta|hellre)|jednak|vlastně ne|нет,? (?:лучше|подождите)|передумал)\b",
    ))
    .expect("a valid pattern")
});

/// What a mail says after it asked for an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Afterwards {
    /// Nothing against it.
    Stands,
    /// Another number.
    Counts(u8),
    /// It is taken back, or something about it is.
    TakenBack,
}

/// Tells whether a mail changes its mind about the entry.
pub(super) fn afterwards(said: &Said<'_>) -> Afterwards {
    let corrects = |s: &Sentence| CORRECTS.find(&s.plain).map(|m| m.start());
    let first = said.sentences.iter().enumerate().find_map(|(n, s)| Some((n, corrects(s)?)));
    let Some((n, at)) = first else { return Afterwards::Stands };
    let rest = said.sentences.get(n).and_then(|s| s.plain.get(at..)).unwrap_or_default();
    let rest = Sentence::of(rest);
    let behind = said.sentences.iter().skip(n + 1);
    let mut told = behind.rev().chain([&rest]).filter(|s| !s.question);
    told.find_map(count_of).map_or(Afterwards::TakenBack, Afterwards::Counts)
}

/// Returns the number of entries in a sentence, or of `make it two`.
fn count_of(sentence: &Sentence) -> Option<u8> {
    static MAKE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b(?:make (?:it|that)|i meant?|rather|only|lieber|plutôt|mejor|toch|hellre) (?:just |only )?(\w+)")
            .expect("a valid pattern")
    });
    let made = || {
        let found = MAKE.captures(&sentence.plain)?;
        super::applicant::number(&found[1])
    };
    super::applicant::count_in(sentence).or_else(made)
}
