//! The director's own lines (Rule 7): one command a line, `result 19N04 3-1 1-0 adjudicated: bare king`, `rule 12 forfeit`,
//! `undo 214`, and in reply to a letter a choice or a number alone. Only from a director's address, whatever letter it
//! answers; the lines are read here and carried out nowhere yet, so that nobody's mail can act in the director's name.
//!
//! A line that begins with no known verb does nothing and is named; after five of them the rest is not read, since it is
//! then no list of commands.

use super::{Found, Said, phrases::short};
use crate::{
    domain::intent::Intent,
    mail::{lexicon::plain, understanding::Confidence},
};

/// What a command begins with.
const VERBS: &[&str] = &[
    "result",
    "rule",
    "forfeit",
    "warn",
    "dismiss",
    "adjudicate",
    "withdraw",
    "leave",
    "pay",
    "enter",
    "substitute",
    "undo",
    "preview",
    "merge",
    "address",
];
/// Choices that docket items offer, which may stand alone in an answer.
const CHOICES: &[&str] = &[
    "forfeit",
    "warn",
    "dismiss",
    "accept",
    "refuse",
    "carry-forward",
    "refund",
    "answered",
    "nobody",
    "resend",
    "grant",
    "confirm",
    "1-0",
    "0-1",
    "1/2-1/2",
    "0-0",
    "draw",
    "white",
    "black",
    "preview",
];
/// Words that follow a verb in a sentence and not in a command: `leave it until June 5`.
const TALK: &[&str] = &[
    "it",
    "the",
    "a",
    "an",
    "to",
    "for",
    "this",
    "that",
    "him",
    "her",
    "me",
    "as",
    "of",
    "is",
    "was",
    "will",
    "us",
    "them",
    "in",
    "on",
    "attention",
    "with",
];
/// Unknown lines after which the rest is not read.
const STOP: usize = 5;

/// Reads the lines of a director; true where there is one, and nothing else is looked for in the mail.
pub(super) fn read(said: &Said<'_>, found: &mut Found) -> bool {
    if !said.desk.house.director.iter().any(|d| d.eq_ignore_ascii_case(said.address)) {
        return false;
    }
    let mut unknown = Vec::new();
    let lines = said.text.lines().map(str::trim).filter(|line| !line.is_empty());
    for line in lines {
        if let Some(command) = command(line, said.letter.is_some()) {
            let reason = format!("`{}` is a command of the director's.", short(line));
            let intent = Intent::Director { command, line: line.to_owned() };
            found.add(intent, Confidence::Certain, reason);
        } else {
            unknown.push(short(line));
        }
        if unknown.len() == STOP {
            found
                .reasons
                .push("After five lines that are no commands the rest is not read.".to_owned());
            break;
        }
    }
    if found.intents.is_empty() {
        return false;
    }
    for line in unknown {
        found.reasons.push(format!("`{line}` is no command and does nothing."));
    }
    let reason = "Commands by mail are not carried out; the program's own commands do the same.";
    found.reasons.push(reason.to_owned());
    true
}

/// Returns the verb of a line that is a command, in small letters.
fn command(line: &str, answers: bool) -> Option<String> {
    let plain = plain(line);
    let mut words = plain.split(' ');
    let first = words.next()?.trim_end_matches(':').to_owned();
    let Some(second) = words.next() else {
        let alone = first.trim_end_matches(['.', '!']);
        let number =
            !alone.is_empty() && alone.len() <= 3 && alone.bytes().all(|b| b.is_ascii_digit());
        return (answers && (number || CHOICES.contains(&alone))).then(|| alone.to_owned());
    };
    let talk = TALK.contains(&second.trim_end_matches([',', '.']));
    // What a command is about stands at once behind its verb, and has a number.
    let about = second.contains(|c: char| c.is_ascii_digit())
        || first == "preview" && VERBS.contains(&second);
    let known = VERBS.contains(&first.as_str())
        && !talk
        && about
        && plain.contains(|c: char| c.is_ascii_digit());
    known.then_some(first)
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn a_command_begins_with_its_verb_and_names_something() {
        for (line, verb) in [
            ("result 19N04 3-1 1-0 adjudicated: bare king", "result"),
            ("Rule 7 forfeit", "rule"),
            ("undo 214", "undo"),
            ("preview rule 12 forfeit", "preview"),
            ("merge 12000001 12000002", "merge"),
            ("forfeit", "forfeit"),
            ("2", "2"),
        ] {
            assert_eq!(command(line, true).as_deref(), Some(verb), "{line}");
        }
    }

    #[test]
    fn talk_is_no_command() {
        for line in [
            "Leave it until June 5.",
            "Thank you, I will look at item 12 on Sunday.",
            "Enter the hall at 8.",
            "result",
            "Pay attention to item 7.",
            "Vera",
            "2019 was a good year",
        ] {
            assert_eq!(command(line, true), None, "{line}");
        }
        assert_eq!(command("forfeit", false), None);
    }
}
