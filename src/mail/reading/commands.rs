//! The director's own lines (Rule 7): one command a line, `result 19N04 3-1 1-0 adjudicated: bare king`, `D12 forfeit`,
//! `undo 214`, and in reply to a letter of his a choice or a number alone. Only from a director's address; here is only told
//! whether a mail gives orders. What each line says, and whether it may be carried out, is `office/orders/`.
//!
//! A mail in which one line is a command is a list of commands. The director may play himself: what he writes of his
//! games begins with none of these words, and an answer to a letter that he got as a player is no ruling.

use super::{Found, Said, phrases::short};
use crate::{
    domain::{ids::ItemId, intent::Intent},
    mail::{lexicon::plain, understanding::Confidence},
};

/// What a command begins with; what it is about stands at once behind it, and has a figure in it.
const VERBS: &[&str] = &[
    "result",
    "rule",
    "forfeit",
    "warn",
    "dismiss",
    "adjudicate",
    "withdraw",
    "died",
    "leave",
    "pay",
    "payment",
    "enter",
    "entry",
    "substitute",
    "undo",
    "merge",
    "address",
    "renew",
    "apart",
    "take",
    "resend",
    "standings",
    "crosstable",
    "show",
    "entries-assigned",
];
/// What is a command alone on its line.
const ALONE: &[&str] = &["docket", "status", "help", "standings"];
/// Kinds of things that `show` and `entries-assigned` name before the figure, and words of the command line.
const BETWEEN: &[&str] =
    &["member", "player", "section", "game", "item", "letter", "transaction", "entry"];
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

/// Reads the lines of a director; true where there is one, and nothing else is looked for in the mail.
pub(super) fn read(said: &Said<'_>, found: &mut Found) -> bool {
    if !said.desk.house.director.iter().any(|d| d.eq_ignore_ascii_case(said.address)) {
        return false;
    }
    // A letter that he got as a player is answered as a player.
    let answers = said.letter.is_some() && said.about.is_some_and(|about| about.player.is_none());
    let lines = said.text.lines().map(str::trim).filter(|line| !line.is_empty());
    for line in lines {
        if let Some(command) = command(line, answers, said) {
            let reason = format!("`{}` is a command of the director's.", short(line));
            let intent = Intent::Director { command, line: line.to_owned() };
            found.add(intent, Confidence::Certain, reason);
        }
    }
    !found.intents.is_empty()
}

/// Returns the verb of a line that is a command, in small letters.
fn command(line: &str, answers: bool, said: &Said<'_>) -> Option<String> {
    let line = line.trim_start_matches(['-', '*', '•', '·']).trim_start();
    let offered = |item: ItemId, choice: &str| {
        let open = said.desk.state.docket.get(&item).map(|(item, _)| &item.choices);
        open.is_some_and(|choices| {
            let number = choice.parse::<usize>().is_ok_and(|n| (1..=choices.len()).contains(&n));
            number || choices.iter().any(|known| known.eq_ignore_ascii_case(choice))
        })
    };
    let choices = said.about.and_then(|about| about.item).filter(|_| answers);
    let alone = |choice: &str| choices.is_some_and(|item| offered(item, choice));
    verb(line, answers).or_else(|| {
        let (first, rest) = line.split_once([' ', ':']).unwrap_or((line, ""));
        let second = rest.trim_start_matches([' ', ':']).split([' ', ':', '.', ',']).next();
        let named = first.strip_prefix(['D', 'd']).and_then(|number| number.parse().ok());
        if named.is_some_and(|number| offered(ItemId(number), second.unwrap_or_default())) {
            return Some("rule".to_owned());
        }
        let (choice, _) = line.split_once(": ").unwrap_or((line, ""));
        let choice = choice.trim_end_matches(['.', '!', ':']).to_lowercase();
        alone(&choice).then_some(choice)
    })
}

/// Returns the verb of a line that is a command by its words alone.
fn verb(line: &str, answers: bool) -> Option<String> {
    let plain = plain(line);
    let mut words =
        plain.split(' ').filter(|word| !matches!(*word, "knightmail" | "direct" | "please"));
    let first = words.next()?;
    // `Result: 1-0` is a player's line.
    let (bare, colon) = first.strip_suffix(':').map_or((first, false), |bare| (bare, true));
    let Some(second) = words.next() else {
        let alone = bare.trim_end_matches(['.', '!']);
        let number =
            !alone.is_empty() && alone.len() <= 3 && alone.bytes().all(|b| b.is_ascii_digit());
        let choice = answers && (number || CHOICES.contains(&alone));
        return (choice || !colon && ALONE.contains(&alone)).then(|| alone.to_owned());
    };
    let number = bare.len() <= 3 && bare.bytes().all(|b| b.is_ascii_digit());
    if colon {
        return (answers && (number || CHOICES.contains(&bare))).then(|| bare.to_owned());
    }
    if bare == "preview" {
        let rest = plain.split_once(' ').map_or("", |(_, rest)| rest);
        let item = second.strip_prefix('d').is_some_and(|n| n.parse::<u64>().is_ok());
        return (item || VERBS.contains(&second) || verb(rest, answers).is_some())
            .then(|| bare.to_owned());
    }
    if bare == "item" {
        let names = second.trim_end_matches(':').trim_start_matches('d').parse::<u64>().is_ok();
        let chosen = words.next().is_some_and(|word| CHOICES.contains(&word.trim_end_matches('.')));
        return (names && (second.ends_with(':') || chosen)).then(|| "rule".to_owned());
    }
    let talk = TALK.contains(&second.trim_end_matches([',', '.']));
    // What a command is about stands at once behind its verb, and has a number.
    let figure = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    let third = words.next().filter(|_| BETWEEN.contains(&second));
    let about = figure(second) || third.is_some_and(figure);
    (VERBS.contains(&bare) && !talk && about).then(|| bare.to_owned())
}

#[cfg(test)]
mod tests {
    use super::verb;

    #[test]
    fn a_command_begins_with_its_verb_and_names_something() {
        for (line, first) in [
            ("result 19N04 3-1 1-0 adjudicated: bare king", "result"),
            ("Rule 7 forfeit", "rule"),
            ("undo 214", "undo"),
            ("preview rule 12 forfeit", "preview"),
            ("merge 12000001 12000002", "merge"),
            ("forfeit", "forfeit"),
            ("2", "2"),
            ("dismiss: he wrote in time", "dismiss"),
            ("item 12: dismiss", "rule"),
            ("docket", "docket"),
            ("show entry GK2019-031", "show"),
            ("knightmail direct take GK2019-031: x", "take"),
        ] {
            assert_eq!(verb(line, true).as_deref(), Some(first), "{line}");
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
            assert_eq!(verb(line, true), None, "{line}");
        }
        assert_eq!(verb("forfeit", false), None);
    }
}
