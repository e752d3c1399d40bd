//! `standings` and `prizes`: the tables of a tournament, as text or JSON (Rules 5 and 6).

mod against;

use super::{Done, Failure, Global, home::Home};
use crate::{
    domain::{
        rules::{
            prizes::{self, Outlook},
            scoring::{self, Standing, two_places},
        },
        state::State,
        tournament::Tournament,
    },
    notices::ranking::{self, Sums},
};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Print the standings of a tournament.
#[derive(clap::Args)]
pub(super) struct StandingsArgs {
    /// The tournament's id: GK2019; with --against also the file of a tournament, where there are no books
    event: String,
    /// Show below each line how its total comes about
    #[arg(long)]
    worked: bool,
    /// Check a printed list: rank,player,weighted and perhaps a column for each round (`?`: not legible)
    #[arg(long, value_name = "FILE.csv", conflicts_with = "worked")]
    against: Option<PathBuf>,
}

/// Print the prizes of a tournament.
///
/// Until they are final it is what would be won as things stand. Where each section has its own prizes there is one list
/// for each section, with --json a line.
#[derive(clap::Args)]
pub(super) struct PrizesArgs {
    /// The tournament's id: GK2019
    event: String,
}

pub(super) fn standings(global: &Global, args: &StandingsArgs) -> Done {
    if let Some(list) = &args.against {
        return against::check(global, &args.event, list);
    }
    let home = Home::open(global)?;
    let tournament = known_event(&home, &args.event)?;
    let state = home.books()?.state;
    let rows = scoring::standings(tournament, &state, home.day());
    if global.json {
        for row in &rows {
            println!("{}", row_json(&state, row));
        }
        return Ok(());
    }
    let sums = if args.worked { Sums::Worked } else { Sums::Plain };
    println!("{}  {}  standings\n", tournament.id, tournament.name);
    print!("{}", ranking::standings(&state, tournament, &rows, sums));
    Ok(())
}

pub(super) fn prizes(global: &Global, args: &PrizesArgs) -> Done {
    let home = Home::open(global)?;
    let tournament = known_event(&home, &args.event)?;
    let state = home.books()?.state;
    let outlooks = prizes::outlooks(tournament, &state, home.day());
    if global.json {
        for outlook in &outlooks {
            println!("{}", prizes_json(&state, outlook));
        }
        return Ok(());
    }
    println!("{}  {}  prizes\n", tournament.id, tournament.name);
    let tables = outlooks.iter().map(|outlook| ranking::prizes(&state, tournament, outlook));
    print!("{}", tables.collect::<Vec<_>>().join("\n"));
    Ok(())
}

/// Finds a tournament of the home by its id, in either case.
pub(super) fn known_event<'a>(home: &'a Home, id: &str) -> Result<&'a Tournament, Failure> {
    let known = &home.config.rules.tournaments;
    let found = known.values().find(|tournament| tournament.id.0.eq_ignore_ascii_case(id));
    found.ok_or_else(|| {
        let ids: Vec<&str> = known.keys().map(|id| id.0.as_str()).collect();
        Failure::Person(format!("there is no tournament {id}; there is {}", ids.join(", ")))
    })
}

/// Returns a line of the standings in the contract's shape.
fn row_json(state: &State, row: &Standing) -> Value {
    let mut line = json!({
        "place": row.place,
        "entry": row.entry,
        "player": row.member,
        "name": state.players.get(&row.member).map(|player| player.name.as_str()),
        "points": row.points,
        "weighted": two_places(row.weighted),
        "forfeit_losses": row.forfeit_losses,
        "prize_eligible": row.prize_eligible,
        "state": row.state,
    });
    if let Some(section) = &row.section {
        line["section"] = json!(section);
    }
    line
}

/// Returns prizes in the contract's shape.
fn prizes_json(state: &State, outlook: &Outlook) -> Value {
    let list = &outlook.list;
    let places = list.places.iter().map(|prize| {
        let member = state.entries.get(&prize.entry).map(|entry| &entry.member);
        json!({
            "place": prize.place,
            "entry": prize.entry,
            "player": member,
            "name": member.and_then(|m| state.players.get(m)).map(|player| player.name.as_str()),
            "amount": two_places(prize.amount),
            "tied_with": prize.tied_with,
        })
    });
    let mut line = json!({
        "event": list.event,
        "entries_assigned": list.entries_assigned,
        "fund": two_places(list.fund),
        "places": places.collect::<Vec<_>>(),
        "undistributed": two_places(list.undistributed),
        "final": outlook.is_final,
    });
    if let Some(section) = &list.section {
        line["section"] = json!(section);
    }
    line
}
