//! The words for the mistakes that serde finds: its terms are those of a Rust programmer, ours those of a director.

use super::{document::Document, error::nearest};

/// Returns what to do about a key that is not known among these.
pub(super) fn unknown_key_hint(name: &str, known: &[&str]) -> String {
    let secret = ["password", "passwd", "secret", "token", "key"];
    match nearest(name, known) {
        Some(near) => format!("did you mean {near}? Otherwise take it out"),
        None if secret.iter().any(|s| name.to_lowercase().contains(s)) => {
            let place = match known {
                known if known.contains(&"secret") => {
                    "; put it into the file secrets/NAME and write secret = \"NAME\""
                }
                known if known.contains(&"token_url") => {
                    "; put it into the file secrets/NAME.client, NAME being that of this table"
                }
                _ => "",
            };
            format!("take it out: secrets never stand in this file{place}")
        }
        None => format!("take it out; the keys here are {}", known.join(", ")),
    }
}

/// Returns how to add what is missing.
pub(super) fn missing_key_hint(key: &str, name: &str, sample: &Document<'static>) -> String {
    match sample.example(key) {
        Some(example) => format!("add it, for example {name} = {example}"),
        None if sample.is_list(key) => {
            format!("add [[{key}]] as the shipped {} has it", sample.file)
        }
        None => format!("add [{key}] as the shipped {} has it", sample.file),
    }
}

/// Returns what a right value looks like.
pub(super) fn example_hint(key: &str, sample: &Document<'static>) -> String {
    match sample.example(key) {
        Some(example) => format!("for example {example}"),
        None => format!("see the shipped {}", sample.file),
    }
}

/// Returns a message of serde in plain words, without the value, which could be a secret in the wrong place.
pub(super) fn plain(message: &str) -> String {
    let found = message.strip_prefix("invalid type: ").or(message.strip_prefix("invalid value: "));
    if let Some((found, wanted)) = found.and_then(|m| m.split_once(", expected ")) {
        return format!(
            "{} stands here, where {} belongs",
            found_words(found),
            wanted_words(wanted)
        );
    }
    let of_chrono = ["input ", "premature end", "trailing input"];
    if of_chrono.iter().any(|start| message.starts_with(start)) {
        return "it is no date of year, month and day".to_owned();
    }
    message.lines().next().unwrap_or_default().to_owned()
}

fn found_words(found: &str) -> String {
    match found.split([' ', '`']).next().unwrap_or("") {
        "integer" => {
            format!("the number {}", found.trim_start_matches("integer ").replace('`', ""))
        }
        "string" => "a string".to_owned(),
        "boolean" => "true or false".to_owned(),
        "floating" => "a number with a point".to_owned(),
        "map" => "a table".to_owned(),
        "sequence" => "a list".to_owned(),
        _ => "something else".to_owned(),
    }
}

fn wanted_words(wanted: &str) -> String {
    match wanted {
        "u8" => format!("a whole number from 0 to {}", u8::MAX),
        "u16" => format!("a whole number from 0 to {}", u16::MAX),
        "u32" | "u64" => "a whole number, 0 or more,".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a formatted date string" => "a date in quotes".to_owned(),
        w if w.contains("Decimal") => "an amount in quotes".to_owned(),
        w if w.starts_with("struct ") => "a table".to_owned(),
        w => w.to_owned(),
    }
}
