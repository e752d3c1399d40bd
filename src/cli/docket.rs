//! `docket` and `rule`: what waits for the director, and his decision.

use super::{Done, Failure, Global, home::Home, words};
use crate::{
    domain::{command::Command, docket::Item, event::Event, ids::ItemId, rules::rulings},
    office::Announce,
};
use chrono::{DateTime, Utc};
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

pub(super) fn list(global: &Global) -> Done {
    let home = Home::open(global)?;
    let books = home.books()?;
    if global.json {
        for item in books.state.open_docket() {
            println!("{}", as_json(item));
        }
        return Ok(());
    }
    for item in books.state.open_docket() {
        print(item, home.now());
    }
    if books.state.open_items.is_empty() {
        eprintln!("Nothing waits.");
    }
    Ok(())
}

fn print(item: &Item, now: DateTime<Utc>) {
    let Item { item: id, kind, rule, since, .. } = item;
    let days = (now - since).num_days().max(0);
    println!("{id}  {} (Rule {rule}), since {}, {days} days", kind.text(), since.date_naive());
    for sentence in &item.evidence {
        println!("    {sentence}");
    }
    let lean = item.recommended.as_ref().map(|r| format!("   recommended: {r}"));
    println!("    choose: {}{}\n", item.choices.join(", "), lean.unwrap_or_default());
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
