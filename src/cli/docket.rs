//! `docket`: what waits for the director.

use super::{Done, Global, home::Home, words};
use crate::{domain::docket::Item, office::orders::item_text};
use serde_json::{Value, json};

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
            println!("{}", item_text(item, days));
        }
    }
    if items.is_empty() && !global.json {
        eprintln!("Nothing waits.");
    }
    Ok(())
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
        "evidence": item.sentences(),
    })
}
