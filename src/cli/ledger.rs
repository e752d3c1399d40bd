//! The ledger of a game: its reflection time move by move, as JSON and as a table of 80 columns (Rule 10). What counts is
//! `domain/rules/reflection.rs`.

use super::home::Home;
use crate::domain::{
    ids::GameId,
    points::Side,
    rules::reflection::{self, Ledger, Row},
    state::State,
};
use chrono::NaiveDate;
use serde_json::{Value, json};

/// Returns the ledger of a game as it stands today, in the house's zone.
pub(super) fn of(home: &Home, state: &State, id: &GameId) -> Ledger {
    let section = state.sections.get(&id.section);
    let rules = &home.config.rules.tournaments;
    let tournament = section.and_then(|section| rules.get(&section.tournament));
    let today = home.config.house.day(home.now());
    let ledger = |tournament| reflection::ledger(tournament, state, id, &[], today);
    tournament.map(ledger).unwrap_or_default()
}

/// Returns the zone whose days count for each side: the player's own where it is known, else the house's.
pub(super) fn zones(home: &Home, state: &State, id: &GameId) -> Value {
    let zone = |side| {
        let member = state.member_of(id, side);
        let own = member.and_then(|m| state.players.get(m)).and_then(reflection::zone);
        own.unwrap_or(home.config.house.zone).name()
    };
    json!({ "white": zone(Side::White), "black": zone(Side::Black) })
}

/// Returns the rows as JSON.
pub(super) fn as_json(ledger: &Ledger) -> Vec<Value> {
    let row = |row: &Row| {
        json!({
            "number": row.number,
            "side": row.side,
            "received": row.received,
            "sent": row.sent,
            "observed": row.observed,
            "repeated": row.repeated,
            "answered": row.answered,
            "days": row.days,
            "total": row.total,
            "control": row.control,
            "allowed": row.allowed,
            "left": row.left,
            "overstepped": row.overstepped,
            "why": row.why(),
        })
    };
    ledger.rows.iter().map(row).collect()
}

/// Prints the rows for people, with what is out of the ordinary below.
pub(super) fn print(ledger: &Ledger, zones: &Value) {
    if ledger.rows.is_empty() {
        return println!(
            "time       no move of this game has come through us, so no days are counted"
        );
    }
    let name = |side: &str| zones[side].as_str().unwrap_or_default().to_owned();
    println!("time       days by the clocks of {} (White) and {}", name("white"), name("black"));
    println!("  move  received    sent        came in     answered    days total left  by move");
    for row in &ledger.rows {
        println!("{}", line(row));
        if let Some(on) = row.repeated {
            println!("        sent again on {on}");
        }
        for remark in &row.remarks {
            println!("        {remark}");
        }
    }
}

fn line(row: &Row) -> String {
    let dots = if row.side == Side::White { "." } else { "..." };
    let number = format!("{}{dots}", row.number);
    let day = |day: Option<NaiveDate>| day.map_or("-".to_owned(), |d| d.to_string());
    let (received, sent) = (row.received, day(row.sent));
    let (observed, answered) = (day(row.observed), day(row.answered));
    let Row { days, total, left, control, .. } = row;
    format!(
        "  {number:<6}{received}  {sent:<10}  {observed:<10}  {answered:<10}  {days:>4} {total:>5} \
         {left:>4}  {control:>7}"
    )
}
