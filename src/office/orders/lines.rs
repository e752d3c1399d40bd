//! The lines of a director's mail: which order each is, in forgiving spelling, or what it asks to be shown. One line, one
//! order; what stands behind a colon is the reason. A line that is none does nothing, and is told so with the right form.

use super::{Order, RuleArgs, examples, rulings::meant, shape};
use crate::domain::{docket::Item, ids::ItemId};
use clap::{Parser, error::ContextKind};

/// What a line says.
#[derive(Debug)]
pub(super) enum Line {
    /// An order, and whether its letters leave at once.
    Order(Box<Order>, bool),
    /// What an order would bring about.
    Preview(Box<Order>),
    /// Something to be shown.
    Show(Shown),
    /// It begins as an order and is none: why, a sentence.
    Wrong(String),
    /// It is no order at all; the word that may be meant.
    Unknown(Option<&'static str>),
    /// Whatever stands below is previewed.
    Rehearse,
    /// What stands below is not read.
    End,
}

/// What may be shown by mail.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Docket,
    Standings(Option<String>),
    Crosstable(String),
    Thing(String),
    Status,
    Help,
}

/// An order as clap reads it.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true, disable_help_subcommand = true)]
struct Words {
    #[command(subcommand)]
    order: Order,
    /// Let the letters leave at once
    #[arg(long, global = true)]
    at_once: bool,
}

/// Reads a line. `item` is the one that the letter which is answered puts before the director.
pub(super) fn read(line: &str, item: Option<&Item>) -> Line {
    let line = line.trim().trim_start_matches(['-', '*', '•', '·']).trim();
    let (first, rest) = cut(line);
    match first.to_lowercase().as_str() {
        "knightmail" | "direct" | "please" => return read(rest, item),
        "end" | "quit" | "stop" if rest.is_empty() => return Line::End,
        "preview" | "dry-run" if rest.is_empty() => return Line::Rehearse,
        "preview" | "dry-run" => return preview(rest, item),
        _ => {}
    }
    if let Some(shown) = shown(first, rest) {
        return Line::Show(shown);
    }
    if let Some(ruling) = named_item(line) {
        return ruling;
    }
    let words = order(first, rest);
    match (words, item.and_then(|item| choice(line, item))) {
        (Some(Line::Order(order, at_once)), _) => Line::Order(order, at_once),
        (_, Some(ruling)) => Line::Order(Box::new(Order::Rule(ruling)), false),
        (Some(wrong), None) => wrong,
        (None, None) => Line::Unknown(nearest(first)),
    }
}

/// Tells whether the subject of a mail asks that all its lines be previewed.
pub(super) fn is_rehearsal(subject: &str) -> bool {
    let words = subject.rsplit(':').next().unwrap_or(subject).trim();
    matches!(words.to_lowercase().as_str(), "preview" | "dry-run")
}

fn preview(rest: &str, item: Option<&Item>) -> Line {
    match read(rest, item) {
        Line::Order(order, _) | Line::Preview(order) => Line::Preview(order),
        Line::Unknown(_) | Line::End | Line::Rehearse => {
            Line::Wrong(format!("there is no order behind it; write it like `{PREVIEW}`"))
        }
        other => other,
    }
}

const PREVIEW: &str = "preview D12 forfeit";

/// Returns the first word, without what may stand behind it, and the rest.
fn cut(line: &str) -> (&str, &str) {
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (first.trim_end_matches(['.', '!', ',']), rest.trim())
}

fn shown(first: &str, rest: &str) -> Option<Shown> {
    let thing = rest.trim_end_matches('.').to_owned();
    Some(match (first.to_lowercase().as_str(), thing.is_empty()) {
        ("docket" | "items", true) => Shown::Docket,
        ("status", true) => Shown::Status,
        ("help" | "?", true) => Shown::Help,
        ("standings", true) => Shown::Standings(None),
        ("standings", false) => Shown::Standings(Some(thing)),
        ("crosstable" | "table", false) => Shown::Crosstable(thing),
        ("show", false) => Shown::Thing(thing),
        _ => return None,
    })
}

/// Reads a ruling that names its item: `rule D12 forfeit why`, `D12 2`, `item 12: dismiss`.
fn named_item(line: &str) -> Option<Line> {
    let (first, rest) = cut(line);
    let named = matches!(first.to_lowercase().as_str(), "rule" | "item" | "decide");
    let line = if named { rest } else { line };
    let line = line.strip_prefix("item ").unwrap_or(line);
    let (item, rest) = line.split_once([' ', ':']).unwrap_or((line, ""));
    let lettered = item.starts_with(['D', 'd']);
    let item: Option<ItemId> = item.parse().ok().filter(|_| named || lettered);
    let Some(item) = item else {
        return named.then(|| Line::Wrong(right("it names no item", "rule")));
    };
    let rest = rest.trim_start_matches([':', ' ']);
    let (choice, reason) = rest.split_once([' ', ':']).unwrap_or((rest, ""));
    let choice = choice.trim_end_matches(['.', ',', ';', '!']).to_owned();
    if choice.is_empty() {
        return Some(Line::Wrong(right("it does not say how the item is decided", "rule")));
    }
    let reason = reason_of(reason);
    Some(Line::Order(Box::new(Order::Rule(RuleArgs { item, choice, reason })), false))
}

/// Reads a choice of an item, or its number, alone or with a reason behind a colon.
pub(super) fn choice(line: &str, item: &Item) -> Option<RuleArgs> {
    let (said, reason) = line.split_once(": ").unwrap_or((line, ""));
    let said = said.trim().trim_end_matches(['.', ':', '!']);
    let said = shape::score(said).unwrap_or(said);
    let choice = meant(item, said)?.to_owned();
    Some(RuleArgs { item: item.item, choice, reason: reason_of(reason) })
}

fn reason_of(text: &str) -> String {
    let text = text.trim_start_matches([':', ' ', '-']);
    let text = text.strip_prefix("reason ").unwrap_or(text);
    text.trim().trim_matches('"').to_owned()
}

/// Reads any other order; none where the first word is of none.
fn order(first: &str, rest: &str) -> Option<Line> {
    let (first, rest) = match first.strip_suffix(':') {
        Some(bare) => (bare, format!(": {rest}")),
        None => (first, rest.to_owned()),
    };
    let verb = shape::verb(first)?;
    let (mut words, reason) = words(&rest);
    let at_once = words.iter().position(|word| word.eq_ignore_ascii_case("at-once"));
    if let Some(at) = at_once {
        words.remove(at);
    }
    let said = shape::order(verb, &words, reason.as_deref());
    Some(match Words::try_parse_from(&said) {
        Ok(read) => Line::Order(Box::new(read.order), read.at_once || at_once.is_some()),
        Err(error) => Line::Wrong(right(&complaint(&error), verb)),
    })
}

fn right(why: &str, verb: &str) -> String {
    match examples::of(verb) {
        Some(form) => format!("{why}; write it like `{form}`"),
        None => why.to_owned(),
    }
}

/// Returns what clap says of a line, without what belongs to a command line.
fn complaint(error: &clap::Error) -> String {
    let missing = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
    if missing.contains("--reason")
        && error.kind() == clap::error::ErrorKind::MissingRequiredArgument
    {
        return "it gives no reason, which stands behind a colon".to_owned();
    }
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let plain: Vec<&str> = first.trim_start_matches("error: ").split_whitespace().collect();
    plain.join(" ").replace(" were not provided:", " are missing:")
}

/// Returns the words before a colon, and what stands behind it. What is in double quotes is one word.
fn words(text: &str) -> (Vec<String>, Option<String>) {
    let mut words = Vec::new();
    let (mut word, mut quoted, mut whole) = (String::new(), false, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' | '“' | '”' => (quoted, whole) = (!quoted, true),
            ':' if !quoted && ends_words(&word, &text[at + 1..]) => {
                push(&mut words, &mut word, whole);
                let reason = text[at + 1..].trim();
                return (words, (!reason.is_empty()).then(|| reason.to_owned()));
            }
            c if c.is_whitespace() && !quoted => {
                push(&mut words, &mut word, whole);
                whole = false;
            }
            c => word.push(c),
        }
    }
    push(&mut words, &mut word, whole);
    (words, None)
}

/// A colon between figures belongs to a word (`1:0`), and so does one in an option's value.
fn ends_words(word: &str, behind: &str) -> bool {
    behind.is_empty()
        || behind.starts_with(char::is_whitespace)
        || word.chars().all(char::is_alphabetic)
}

/// Adds a word without the marks behind it, which belong to what is in quotes.
fn push(words: &mut Vec<String>, word: &mut String, whole: bool) {
    const MARKS: [char; 4] = ['.', ',', ';', '!'];
    let word = std::mem::take(word);
    let plain = if whole { &word } else { word.trim_end_matches(MARKS) };
    if !plain.is_empty() {
        words.push(plain.to_owned());
    }
}

/// Returns the first word of an order that differs from this one in a letter or two.
fn nearest(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let close = |verb: &&str| word.len() > 3 && distance(&word, verb) <= 2;
    examples::EXAMPLES.iter().map(|example| example.verb).find(close)
}

/// Returns how many letters must be changed to make one word of another.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut last = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in other.iter().enumerate() {
            let cost = (last + usize::from(a != *b)).min(row[j] + 1).min(row[j + 1] + 1);
            last = std::mem::replace(&mut row[j + 1], cost);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::docket::{About, ItemKind};

    fn item() -> Item {
        Item {
            item: ItemId(12),
            kind: ItemKind::TimeComplaint,
            rule: 10,
            about: About::default(),
            since: chrono::DateTime::UNIX_EPOCH,
            choices: ["forfeit", "warn", "dismiss"].map(str::to_owned).to_vec(),
            recommended: None,
            evidence: Vec::new(),
            entries: Vec::new(),
            asked: None,
            flood: None,
            outage: None,
        }
    }

    #[test]
    fn every_example_is_read() {
        for example in examples::EXAMPLES {
            let line = read(example.line, None);
            let read = !matches!(line, Line::Wrong(_) | Line::Unknown(_));
            assert!(read, "{}: {line:?}", example.line);
        }
    }

    #[test]
    fn other_spellings_are_the_same_order() {
        for (said, plain) in [
            (
                "Result 19n4 3v1 1:0 adjudicated: bare king",
                "result 19n4 3-1 1-0 adjudication --reason \"bare king\"",
            ),
            (
                "result 19N04 3-1 ½-½ agreed: so it is.",
                "result 19N04 3-1 1/2-1/2 agreement --reason \"so it is.\"",
            ),
            (
                "knightmail direct result 19N04 3-1 draw by agreement: x",
                "result 19N04 3-1 1/2-1/2 agreement --reason x",
            ),
            (
                "forfeit 19N04 3-1 white loses on time: twice",
                "forfeit 19N04 3-1 --loser white --how time --reason twice",
            ),
            (
                "forfeit 19N04 3-1 0-1 silent: x",
                "forfeit 19N04 3-1 --loser white --how silence --reason x",
            ),
            (
                "please pay 12345678 gk2019 $25.00 2019-03-04: check 118",
                "payment GK2019 12345678 25.00 --received 2019-03-04 --reference \"check 118\"",
            ),
            (
                "- leave member 12345678 from 2019-06-01 until 2019-06-14: x",
                "leave 12345678 2019-06-01 2019-06-14 --reason x",
            ),
            (
                "address 1 a@example.org b@example.org",
                "address 1 b@example.org --old a@example.org",
            ),
            ("apart 1 and 2 again", "apart 1 2 --lift"),
            ("undo D7", "undo D7 --reason \"by the director's word\""),
            ("withdraw 1 all: x", "withdraw 1 --reason x"),
            ("D12: forfeit: silent", "rule D12 forfeit: silent"),
            ("item 12: dismiss", "rule 12 dismiss"),
            ("d12 2", "rule D12 2"),
        ] {
            let (said, plain) =
                (format!("{:?}", read(said, None)), format!("{:?}", read(plain, None)));
            assert_eq!(said, plain);
            assert!(said.starts_with("Order"), "{said}");
        }
    }

    #[test]
    fn a_choice_alone_decides_the_item_of_the_letter() {
        let item = item();
        for (line, choice, reason) in [
            ("forfeit", "forfeit", ""),
            ("Forfeit.", "forfeit", ""),
            ("2", "warn", ""),
            ("dismiss: he wrote in time", "dismiss", "he wrote in time"),
        ] {
            let Line::Order(order, _) = read(line, Some(&item)) else { panic!("{line}") };
            let Order::Rule(ruling) = *order else { panic!("{line}") };
            assert_eq!(
                (ruling.item, ruling.choice.as_str(), ruling.reason.as_str()),
                (ItemId(12), choice, reason)
            );
        }
        for line in ["4", "forfeit is too harsh here", "Forfeits are not nice", "no"] {
            let read = read(line, Some(&item));
            assert!(matches!(read, Line::Wrong(_) | Line::Unknown(_)), "{line}: {read:?}");
        }
    }

    #[test]
    fn what_is_no_order_is_told_with_the_right_form() {
        for (line, says) in [
            ("forfeit 19N04 3-1 white time", "no reason"),
            ("forfeit 19N04 3-1 white: x", "how"),
            ("result 19N04 3-1 2-0 mate: x", "1/2-1/2"),
            ("rule forfeit", "names no item"),
            ("D12", "does not say"),
            ("preview hello", "preview D12"),
            ("leave it until June 5", "leave 12345678"),
        ] {
            let Line::Wrong(why) = read(line, None) else { panic!("{line}") };
            assert!(why.contains(says), "{line}: {why}");
        }
        assert!(matches!(read("resutl 19N04 3-1 1-0", None), Line::Unknown(Some("result"))));
        assert!(matches!(read("Best regards", None), Line::Unknown(None)));
    }
}
