//! News of a membership (Rule 1): `my membership was renewed yesterday`, `renewed until 2021-05-31`. The roster decides;
//! the director compares.
//!
//! Grammar: a sentence that says that a membership was renewed or runs, and the day until which it does, in it or in
//! another. Whoever asks, or will renew, has not.

use super::{
    Found, Said,
    dates::{Calendar, Toward, When},
    phrases::{Sentence, short},
    stated::Words,
};
use crate::{
    domain::{event::Trouble, intent::Intent},
    mail::{
        lexicon::{self, Key, Tags},
        understanding::Confidence,
    },
};
use chrono::NaiveDate;
use regex::Regex;
use std::sync::LazyLock;

/// Reads news of a membership.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let mut news: Option<String> = None;
    if super::enters::is_advertised(said) {
        return;
    }
    for sentence in &said.sentences {
        let around = Tags::around(&sentence.plain);
        let Some(words) = told(sentence, &around) else { continue };
        let quoted = short(&sentence.text);
        // `I renewed` and `valid until` alone may speak of a passport.
        let subject = || Tags::around(&lexicon::plain(said.subject)).has(Key::MembershipWord);
        let about = said.whole().has(Key::MembershipWord) || subject();
        if words.before().contains("your ") {
            continue;
        }
        if !about {
            continue;
        }
        if let Some(hold) = words.held() {
            found.aside(format!("`{quoted}` is no news of a membership: {}.", hold.why()));
        } else if words.of_another() {
            found.aside(format!("`{quoted}` speaks of somebody else's membership."));
        } else {
            news.get_or_insert(quoted);
        }
    }
    let Some(quoted) = news else { return };
    let intent = Intent::Membership { expires: expires(said) };
    found.add(intent, Confidence::Certain, format!("`{quoted}` is news of a membership."));
    if said.players.is_empty() {
        let reason = "No player is known under the sender's address.".to_owned();
        found.trouble(Trouble::SenderUnknown, reason);
    }
}

/// Renewals with free words in them, in English.
static FREE: LazyLock<Regex> = LazyLock::new(|| {
    const THING: &str = r"(?:membership|subscription|dues|uscf|us chess|federation fee)";
    const DONE: &str =
        r"(?:renewed|extended|prolonged|paid|updated|reinstated|lengthened|continued)";
    let patterns = [
        format!(
            r"\b{THING}\b(?: \S+){{0,3}}? (?:was|were|is|has been|have been|got|are)(?: \w+)? {DONE}\b"
        ),
        format!(r"\b{DONE}(?: \S+){{0,4}}? {THING}\b"),
        format!(
            r"\b{THING}\b(?: \S+){{0,3}}? (?:now )?(?:runs|lasts|valid|good|expires|is valid|is good) (?:now )?(?:until|till|through|to|on)\b"
        ),
        r"\b(?:sent|mailed|paid)(?: \S+){0,4}? (?:my|the|our) (?:dues|membership (?:fee|dues|renewal))\b".to_owned(),
        r"\b(?:my|new) (?:date of expiry|expiry date|expiration date|expiration)\b".to_owned(),
    ];
    Regex::new(&patterns.join("|")).expect("a valid pattern")
});

/// The same in other languages, a pattern each.
static FOREIGN: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    [
        ("de", r"\b(?:mitgliedschaft|mitgliedsbeitrag|jahresbeitrag)\b(?: \S+){0,6}? (?:verlängert|erneuert|bezahlt|überwiesen|gezahlt)\b|\bverlängerung (?:meiner|der) mitgliedschaft\b"),
        ("fr", r"\b(?:renouvelé|prolongé|payé|réglé)(?: \S+){0,3}? (?:adhésion|cotisation)\b|\b(?:adhésion|cotisation)\b(?: \S+){0,3}? (?:renouvelée|prolongée|payée|réglée|valable)\b"),
        ("es", r"\b(?:renovado|renové|pagado|pagué|prorrogado)(?: \S+){0,4}? (?:membresía|afiliación|cuota)\b|\b(?:membresía|afiliación|cuota)\b(?: \S+){0,3}? (?:renovada|pagada|válida|vigente)\b"),
        ("it", r"\b(?:rinnovato|pagato)(?: \S+){0,3}? (?:tessera|iscrizione|quota)\b|\b(?:tessera|quota)\b(?: \S+){0,3}? (?:rinnovata|pagata|valida)\b"),
        ("nl", r"\b(?:lidmaatschap|contributie)\b(?: \S+){0,5}? (?:verlengd|vernieuwd|betaald|geldig)\b"),
        ("pt", r"\b(?:renovei|paguei|renovado|pago)(?: \S+){0,3}? (?:filiação|anuidade)\b|\b(?:filiação|anuidade)\b(?: \S+){0,3}? (?:renovada|paga|válida)\b"),
        ("sv", r"\b(?:förnyat|förlängt|betalat)(?: \S+){0,4}? (?:medlemskap|medlemskapet|medlemsavgiften?)\b|\b(?:medlemskap|medlemskapet)\b(?: \S+){0,3}? (?:förnyat|förlängt|betalt)\b"),
        ("cs", r"\b(?:prodloužil|prodloužila|obnovil|obnovila)(?: \S+){0,4}? členství\b|\bčlenství(?: \S+){0,3}? (?:prodlouženo|obnoveno|platí)\b"),
        ("pl", r"\b(?:przedłużyłem|przedłużyłam|odnowiłem|odnowiłam|opłaciłem|opłaciłam)(?: \S+){0,4}? (?:członkostwo|składkę)\b"),
        ("ru", r"\b(?:продлил|продлила|оплатил|оплатила)(?: \S+){0,4}? (?:членство|взнос)\b|\bчленство(?: \S+){0,3}? (?:продлено|действует|действительно)\b"),
    ]
    .into_iter()
    .map(|(code, pattern)| (code, Regex::new(pattern).expect("a valid pattern")))
    .collect()
});
/// Memberships of something else.
static ELSEWHERE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:gym|fitness|tennis|golf|library|museum|pool|bridge club|automobile|rowing|sailing|choir|church|zoo|union|party)\b")
        .expect("a valid pattern")
});

/// Finds words that tell of a renewal.
fn told<'a>(sentence: &'a Sentence, around: &'a Tags) -> Option<Words<'a>> {
    if ELSEWHERE.is_match(&sentence.plain) {
        return None;
    }
    if let Some(tag) = sentence.tags.each(Key::Renewed).next() {
        return Some(Words::tagged(sentence, tag, around));
    }
    if let Some(found) = FREE.find(&sentence.plain) {
        return Some(Words::english(sentence, found.range(), around));
    }
    let mut foreign =
        FOREIGN.iter().filter_map(|(code, p)| Some((*code, p.find(&sentence.plain)?)));
    let (code, found) = foreign.next()?;
    Some(Words::in_language(sentence, found.range(), around, code))
}

/// Returns the day until which it runs: behind `until`, or the only one ahead.
fn expires(said: &Said<'_>) -> Option<NaiveDate> {
    let calendar = Calendar::of(said, Toward::Ahead);
    let plain = said.sentences.iter().filter(|s| {
        !s.question
            && (s.tags.has(Key::Renewed)
                || FREE.is_match(&s.plain)
                || Tags::around(&s.plain).has(Key::MembershipWord))
    });
    let times: Vec<When> = plain.flat_map(|s| calendar.spans(&s.plain)).map(|s| s.when).collect();
    let until = times.iter().find_map(|when| match when {
        When::Until(day) | When::Between(_, day) => Some(*day),
        When::On(_) | When::From(_) => None,
    });
    let ahead = || {
        let mut ahead = times.iter().filter_map(|w| w.last()).filter(|day| *day > said.postmark);
        let only = ahead.next()?;
        ahead.next().is_none().then_some(only)
    };
    until.or_else(ahead)
}
