//! Whose silence or overstepping words about time tell of: the opponent's, and not the sender's own, the director's, or a
//! complaint that somebody else made. What is a complaint says `time.rs`.

use super::{Said, stated::Words};
use crate::mail::lexicon::Key;

/// Tells whether words about time speak of somebody else than the opponent.
pub(super) fn is_no_opponents(key: Key, words: &Words<'_>) -> bool {
    is_of_the_sender(key, words) || is_of_us(key, words) || is_of_another(key, words)
}

/// `I have not answered`, `I have overstepped`, `I lost on time`: the sender speaks of himself.
fn is_of_the_sender(key: Key, words: &Words<'_>) -> bool {
    if !matches!(key, Key::Silence | Key::Overstepped | Key::Claim) {
        return false;
    }
    let last: Vec<&str> = words.before().split_whitespace().rev().take(2).collect();
    let own = last.iter().any(|word| {
        matches!(
            *word,
            "i" | "i've"
                | "i'm"
                | "we"
                | "we've"
                | "ich"
                | "je"
                | "j'ai"
                | "yo"
                | "ik"
                | "eu"
                | "jag"
                | "jeg"
        )
    });
    let lost = words.text().contains("lost") || words.text().contains("forfeited");
    let takes = key == Key::Claim && !lost;
    own && !takes
        || key == Key::Claim && words.of_another() && !lost && !words.text().starts_with("forfeit ")
}

/// `no answer from you to my question`: the director is late.
fn is_of_us(key: Key, words: &Words<'_>) -> bool {
    const US: [&str; 22] = [
        "from you",
        "from your",
        "from the director",
        "from the office",
        "to my question",
        "to my entry",
        "to my e",
        "to my letter",
        "to my mail",
        "to my request",
        "on my question",
        "about my",
        "von ihnen",
        "auf meine frage",
        "auf meine anfrage",
        "de vous",
        "de votre",
        "à ma question",
        "de ustedes",
        "da voi",
        "van u",
        "you",
    ];
    let behind = words.behind().trim_start();
    let before = words.before().trim_end();
    matches!(key, Key::Silence | Key::Unheard)
        && (US.iter().any(|us| behind.starts_with(us))
            || before.ends_with("you")
            || before.ends_with("you have"))
}

/// `Vance made a time complaint against me`, `no answer is needed`.
fn is_of_another(key: Key, words: &Words<'_>) -> bool {
    const NEEDLESS: [&str; 7] = [
        "is needed",
        "needed",
        "is necessary",
        "necessary",
        "is required",
        "required",
        "is expected",
    ];
    const WANTED: [&str; 8] =
        ["requires", "require", "needs", "need", "expects", "expect", "want", "await"];
    const THEIRS: [&str; 9] =
        ["made a", "makes a", "filed a", "files a", "makes", "his", "her", "their", "your"];
    const ME: [&str; 6] =
        ["against me", "gegen mich", "contre moi", "contra mí", "contro di me", "tegen mij"];
    let (before, behind) = (words.before().trim_end(), words.behind().trim_start());
    match key {
        Key::Unheard => {
            NEEDLESS.iter().any(|word| behind.starts_with(word))
                || WANTED.iter().any(|word| before.ends_with(word))
        }
        Key::Complaint | Key::Claim => {
            let theirs = THEIRS.iter().any(|word| before.ends_with(word));
            let other = theirs && !super::stated::is_first_person(before);
            other || ME.iter().any(|me| words.sentence.plain.contains(me))
        }
        _ => false,
    }
}

/// Tells whether the sender cares for the opponent rather than for the time: `Is she well?`
pub(super) fn worries(said: &Said<'_>) -> bool {
    const WORRIES: [&str; 14] = [
        "i worry",
        "worried",
        "is he well",
        "is she well",
        "he is well",
        "she is well",
        "is he ok",
        "is he all right",
        "is she all right",
        "is he ill",
        "is he still alive",
        "do nothing",
        "geht es ihm",
        "sorgen",
    ];
    said.sentences.iter().any(|s| WORRIES.iter().any(|worry| s.plain.contains(worry)))
}
