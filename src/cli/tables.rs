//! `crosstable`: the table of a section, as text or JSON.

use super::{Done, Failure, Global, home::Home};
use crate::{
    domain::{crosstable, section::Section, state::State, tournament::Rules},
    notices::table,
    office::orders::find_section,
};
use serde_json::{Value, json};

/// Print the crosstable of a section.
#[derive(clap::Args)]
pub(super) struct CrosstableArgs {
    /// The section, in any spelling: 19N04, 19n4
    section: String,
}

pub(super) fn crosstable(global: &Global, args: &CrosstableArgs) -> Done {
    let home = Home::open(global)?;
    let books = home.books()?;
    let section = find(&books.state, &args.section)?;
    if global.json {
        println!("{}", as_json(&home.config.rules, &books.state, section));
    } else {
        print!("{}", table::sheet(&books.state, section));
    }
    Ok(())
}

/// Finds a section by its code in any spelling.
pub(super) fn find<'a>(state: &'a State, text: &str) -> Result<&'a Section, Failure> {
    Ok(find_section(state, text)?)
}

/// Returns the crosstable in the contract's shape.
pub(super) fn as_json(rules: &Rules, state: &State, section: &Section) -> Value {
    let tournament = rules.tournaments.get(&section.tournament);
    let round = tournament.and_then(|t| t.rounds.get(section.round)).map(|r| r.name.as_str());
    let seats: Vec<Value> = crosstable::crosstable(section)
        .into_iter()
        .map(|row| {
            let player = state.player_at(section, row.seat);
            json!({
                "seat": row.seat,
                "entry": row.entry,
                "player": state.member_at(section, row.seat),
                "name": player.map(|p| p.name.as_str()),
                "rating": section.seated(row.seat).and_then(|s| s.rating),
                "points": row.points,
                "rank": row.rank,
                "forfeit_losses": row.forfeit_losses,
            })
        })
        .collect();
    let games: Vec<Value> = section
        .games
        .iter()
        .map(|game| {
            json!({
                "white": game.white,
                "black": game.black,
                "result": game.outcome().map(|o| o.result),
                "how": game.outcome().map(|o| o.how),
                "reported": game.reported,
                "state": game.state.text(),
            })
        })
        .collect();
    json!({
        "section": section.code,
        "event": section.tournament,
        "round": round,
        "start": section.start,
        "state": if section.complete { "complete" } else { "running" },
        "seats": seats,
        "games": games,
    })
}
