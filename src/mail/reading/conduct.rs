//! Complaints about how somebody behaves: a machine's help, insults, moves that are taken back, games that are arranged.
//!
//! Grammar: the words for it with somebody else before them, stated or suspected. `Is an engine allowed?` asks about the
//! rules; `you play like a computer` and `the computer says` are talk.

use super::{
    Found, Said,
    game::{self, Clues},
    people,
    phrases::{Sentence, short},
    stated::{Hold, Words},
};
use crate::{
    domain::{event::Trouble, intent::Intent},
    mail::{
        lexicon::{Key, Tags},
        understanding::Confidence,
    },
};
use regex::Regex;
use std::sync::LazyLock;

/// A complaint whose words name what it is about, with free words between.
static COMPLAINT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\bcomplain(?:t|ts|ing)?\b(?: \w+){0,3}? (?:about|of|as to|against|regarding|concerning|on|over)",
        r"(?: [\w']+){0,4}? (?:conduct|behaviou?r|manners?|tone|language|remarks|insults|letters|words)\b",
    ))
    .expect("a valid pattern")
});

/// Reads a complaint about conduct, one a mail: the director reads the whole.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let tells = |s: &&Sentence| {
        s.tags.has(Key::Engine)
            || s.tags.has(Key::Abuse)
            || s.plain.contains("complain") && COMPLAINT.is_match(&s.plain)
    };
    for sentence in said.sentences.iter().filter(tells).take(super::CLOSELY) {
        let mut tags = sentence.tags.each(Key::Engine).chain(sentence.tags.each(Key::Abuse));
        let around = Tags::around(&sentence.plain);
        let words = match (tags.next(), COMPLAINT.find(&sentence.plain)) {
            (_, Some(found)) => Words::english(sentence, found.range(), &around),
            (Some(tag), None) => Words::tagged(sentence, tag, &around),
            (None, None) => continue,
        };
        let start = words.at.start;
        let quoted = short(&sentence.text);
        let own = Clues::of(&sentence.text, said);
        let subject = Clues::of(said.subject, said);
        let pick = game::resolve(&[&own, &subject], said).ok();
        let last = words.before().split_whitespace().rev().take(2);
        let complains = COMPLAINT.is_match(words.text());
        let himself = !complains
            && last.into_iter().any(|w| {
                matches!(w, "i" | "i'm" | "am" | "i've" | "ich" | "je" | "yo" | "io" | "ik")
            });
        let named = pick.as_ref().is_some_and(|p| !p.order.is_empty() && !p.guessed)
            || people::names_another(sentence, said);
        let another = around.each(Key::Third).any(|t| t.at.start < start) || named;
        if himself || !another {
            continue;
        }
        if let Some(hold) = words.held_but(&[Hold::Doubtful, Hold::Told]) {
            found.aside(format!(
                "`{quoted}` is not taken as a complaint about conduct: {}.",
                hold.why()
            ));
            continue;
        }
        let game = pick.filter(|p| !p.guessed && p.sender.is_some()).map(|p| p.game);
        let intent = Intent::Conduct { game, about: quoted.clone() };
        found.add(intent, Confidence::Certain, format!("`{quoted}` complains about conduct."));
        if said.players.is_empty() {
            let reason = "No player is known under the sender's address.".to_owned();
            found.trouble(Trouble::SenderUnknown, reason);
        }
        return;
    }
}
