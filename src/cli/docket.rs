//! `docket` and `rule`: what waits for the director, and his decision.

use super::{Done, Failure, Global, home::Home, words};
use crate::{
    domain::{command::Command, docket::Item, event::Event, ids::ItemId, rules::rulings},
    office::Announce,
};
use serde_json::{Value, json};

/// Decide a docket item.
#[derive(clap::Args)]
pub(super) struct RuleArgs {
    /// The item: D7
    item: ItemId,
    /// One of its choices
    choice: String,
    /// Why; it is kept in the record and told to those whom it concerns
    #[arg(long, default_value = "", value_name = "TEXT")]
    reason: String,
}

/// How wide a line is at most: it fits a terminal of 80 columns.
const WIDTH: usize = 78;

pub(super) fn list(global: &Global) -> Done {
    let home = Home::open(global)?;
    let books = home.books()?;
    let mut items: Vec<&Item> = books.state.open_docket().collect();
    items.sort_by_key(|item| (item.since, item.item));
    for item in &items {
        let days = (home.now() - item.since).num_days().max(0);
        if global.json {
            let mut value = as_json(item);
            value["days"] = days.into();
            println!("{value}");
        } else {
            print(item, days);
        }
    }
    if items.is_empty() && !global.json {
        eprintln!("Nothing waits.");
    }
    Ok(())
}

fn print(item: &Item, days: i64) {
    let Item { item: id, kind, rule, since, .. } = item;
    let age = match days {
        0 => "today".to_owned(),
        1 => "1 day".to_owned(),
        _ => format!("{days} days"),
    };
    let (kind, since) = (kind.text(), since.date_naive());
    let subject = subject(item).map(|subject| format!(" of {subject}")).unwrap_or_default();
    println!("{id}  {kind}{subject} (Rule {rule}), since {since}: {age}");
    for sentence in &item.evidence {
        lines(sentence, "    ", "      ");
    }
    lines(&item.choices.join(", "), "    choose: ", "      ");
    if let Some(lean) = &item.recommended {
        println!("    recommended: {lean}");
    }
    println!();
}

/// Returns what an item is about, in one word or two: the game, else the section, the entry, the player, the tournament.
fn subject(item: &Item) -> Option<String> {
    let about = &item.about;
    let game = about.game.as_ref().map(ToString::to_string);
    let section = about.section.as_ref().map(ToString::to_string);
    let entry = item.entries.first().or(about.entry.as_ref()).map(ToString::to_string);
    let player = about.player.as_ref().map(|member| format!("member {member}"));
    let event = about.event.as_ref().map(ToString::to_string);
    game.or(section).or(entry).or(player).or(event)
}

/// Prints a sentence over as many lines as it needs.
fn lines(words: &str, first: &str, rest: &str) {
    let mut line = first.to_owned();
    let mut begun = false;
    for word in words.split_whitespace() {
        if begun && line.chars().count() + 1 + word.chars().count() > WIDTH {
            println!("{line}");
            rest.clone_into(&mut line);
            begun = false;
        }
        if begun {
            line.push(' ');
        }
        line.push_str(word);
        begun = true;
    }
    println!("{line}");
}

/// Returns an item in the contract's shape.
pub(super) fn as_json(item: &Item) -> Value {
    json!({
        "item": item.item.to_string(),
        "kind": item.kind,
        "rule": item.rule,
        "about": words::about_json(&item.about),
        "entries": item.entries,
        "since": item.since,
        "choices": item.choices,
        "recommended": item.recommended,
        "evidence": item.evidence,
    })
}

pub(super) fn rule(global: &Global, args: &RuleArgs) -> Done {
    let home = Home::open(global)?;
    rulings::check(&home.books()?.state, args.item, &args.choice).map_err(Failure::Person)?;
    let RuleArgs { item, choice, reason } = args;
    let by = home.config.house.director_name.clone();
    let (choice, reason) = (choice.clone(), reason.clone());
    let words = format!("rule {item} {choice}");
    let command = Command::Rule { item: *item, choice, reason, by };
    report(&home.direct(&words, &[command], Announce::Yes)?);
    Ok(())
}

/// Prints what an order brought about.
pub(super) fn report(events: &[Event]) {
    for event in events {
        eprintln!("{}", words::sentence(event));
    }
    if events.is_empty() {
        eprintln!("Nothing changed.");
    }
}
