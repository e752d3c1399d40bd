//! `agenda`: what the program will do and send in the coming days if nothing arrives, and what waits now.

use super::{Done, Global, home::Home, words};
use crate::{
    domain::{docket::About, notice::Recipient, state::State},
    notices::table,
    office::{
        agenda::{self, Foretold, What},
        books::Books,
    },
};
use chrono::NaiveDate;
use serde_json::{Value, json};

/// How wide a line is.
const WIDTH: usize = 80;

/// Tell what the coming days will bring if nothing arrives.
#[derive(clap::Args)]
pub(super) struct Args {
    /// How many days from today on
    #[arg(long, default_value_t = 14, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=3660))]
    days: u16,
}

pub(super) fn run(global: &Global, args: &Args) -> Done {
    let home = Home::open(global)?;
    let (standing, books) = (home.standing()?, home.books()?);
    let foretold = agenda::foretell(&standing, &books, home.now(), args.days);
    if global.json {
        for it in &foretold {
            println!("{}", as_json(it, &home, &books.state));
        }
        return Ok(());
    }
    print_waiting(&books);
    let mut day = None;
    for it in &foretold {
        if day.replace(it.on) != Some(it.on) {
            println!("{}", date(it.on));
        }
        println!("{}", table::cut(&line(it, &books.state), WIDTH));
    }
    if foretold.is_empty() {
        println!("If nothing arrives, nothing is done in the coming {} days.", args.days);
    }
    Ok(())
}

fn date(on: NaiveDate) -> String {
    on.format("%A, %-d %B %Y").to_string()
}

fn print_waiting(books: &Books) {
    let items: Vec<_> = books.state.open_docket().collect();
    if items.is_empty() && books.outbox.is_empty() {
        return;
    }
    println!("Waiting now");
    for item in items {
        let (id, kind, rule) = (item.item, item.kind.text(), item.rule);
        let (since, choices) = (item.since.date_naive(), item.choices.join(", "));
        let line = format!("  {id:<6} {kind} (Rule {rule}) since {since}: {choices}");
        println!("{}", table::cut(&line, WIDTH));
    }
    if !books.outbox.is_empty() {
        println!("  letters to be delivered: {}", books.outbox.len());
    }
}

fn line(it: &Foretold, state: &State) -> String {
    match &it.what {
        What::Letter(notice) => {
            let (name, about) = (notice.facts.name(), matter(&notice.about));
            format!("  letter   {name} to {}{about}", who(&notice.to, state))
        }
        What::Item(item) => {
            let (kind, rule, about) = (item.kind.text(), item.rule, matter(&item.about));
            format!("  item     {kind} (Rule {rule}){about}: {}", item.choices.join(", "))
        }
        What::Result(game, outcome) => {
            let (result, how) = (outcome.result, outcome.how.words());
            format!("  result   {game}: {result} by {how} stands, nobody has objected")
        }
        What::Section { section, event, seats, .. } => {
            format!("  section  {section} of {event} forms with {seats} seats")
        }
    }
}

fn who(to: &Recipient, state: &State) -> String {
    match to {
        Recipient::Player(member) => {
            state.players.get(member).map_or_else(|| member.to_string(), |p| p.name.clone())
        }
        Recipient::Stranger(who) => who.address.clone().unwrap_or_default(),
        Recipient::Director => "the director".to_owned(),
    }
}

fn matter(about: &About) -> String {
    let first = (about.game.as_ref().map(ToString::to_string))
        .or(about.section.as_ref().map(ToString::to_string))
        .or(about.entry.as_ref().map(ToString::to_string))
        .or(about.player.as_ref().map(|member| format!("member {member}")))
        .or(about.event.as_ref().map(ToString::to_string));
    first.map(|name| format!(", about {name}")).unwrap_or_default()
}

fn as_json(it: &Foretold, home: &Home, state: &State) -> Value {
    match &it.what {
        What::Letter(notice) => {
            let (to, player) = match &notice.to {
                Recipient::Player(member) => {
                    let listed = state.players.get(member);
                    (listed.and_then(|p| p.email()).map(str::to_owned), Some(member))
                }
                Recipient::Stranger(who) => (who.address.clone(), None),
                Recipient::Director => (home.config.house.director.first().cloned(), None),
            };
            json!({
                "on": it.on, "what": "letter", "notice": notice.facts.name(), "to": to,
                "player": player, "about": words::about_json(&notice.about),
            })
        }
        What::Item(item) => json!({
            "on": it.on, "what": "item", "kind": item.kind, "rule": item.rule,
            "about": words::about_json(&item.about), "entries": item.entries,
            "choices": item.choices, "recommended": item.recommended, "evidence": item.evidence,
        }),
        What::Result(game, outcome) => json!({
            "on": it.on, "what": "result", "game": game.to_string(), "section": game.section,
            "white": game.white, "black": game.black, "result": outcome.result, "how": outcome.how,
        }),
        What::Section { section, event, round, seats } => json!({
            "on": it.on, "what": "section", "section": section, "event": event,
            "round": round + 1, "seats": seats,
        }),
    }
}
