//! `direct`: the acts of the director that answer no docket item. Each is a command with a reason, and goes into the
//! same journal as everything else (Rule 7). What is not possible is refused with a sentence that says what would be
//! right; what was done is printed, with what followed from it.

mod entries;
mod games;
mod persons;
mod undo;

use super::{Done, Failure, Global, docket::report, home::Home, tables};
use crate::{
    domain::{
        command::Command,
        ids::{GameId, MemberId, Seat, TournamentId},
        state::State,
    },
    office::Announce,
};

/// Other acts of the director.
#[derive(clap::Subcommand)]
pub(super) enum Act {
    /// Enter a paper entry (Rule 9)
    Entry(entries::EntryArgs),
    /// Confirm a payment (Rule 8)
    Payment(entries::PaymentArgs),
    /// Send an entry on to the next round, whatever it scored (Rules 3 and 7)
    Take(entries::TakeArgs),
    /// Say how many entries were assigned, where the sections of the first round are lost (Rule 5)
    EntriesAssigned(entries::AssignedArgs),
    /// Fix the result of a game (Rule 7)
    Result(games::ResultArgs),
    /// Let a player, or both, lose a game by forfeit (Rule 10)
    Forfeit(games::ForfeitArgs),
    /// Adjudicate a game that is not finished (Rule 7)
    Adjudicate(games::AdjudicateArgs),
    /// Give the seat of one who left to an entry that waits (Rule 10)
    Substitute(games::SubstituteArgs),
    /// Withdraw a player; the games that run are lost, what is finished stands (Rule 10)
    Withdraw(persons::WithdrawArgs),
    /// Note that a player has died; the games that run come before you, none is a forfeit (Rule 10)
    Died(persons::DiedArgs),
    /// Grant a player leave; the clocks stand from the first day to the last (Rule 10)
    Leave(persons::LeaveArgs),
    /// Give a player another address; letters go there from now on
    Address(persons::AddressArgs),
    /// Note until when a membership runs (Rule 1)
    Renew(persons::RenewArgs),
    /// Make two records of the roster one person
    Merge(persons::MergeArgs),
    /// Keep two players in different sections, or let them meet again (Rule 2)
    Apart(persons::ApartArgs),
    /// Take back a ruling or another act, as long as nothing has followed from it (Rule 7)
    Undo(undo::UndoArgs),
}

/// An act as it goes into the journal: the words, and what is asked of the rules.
struct Order {
    words: String,
    command: Command,
}

pub(super) fn run(global: &Global, act: &Act) -> Done {
    let home = Home::open(global)?;
    let state = home.books()?.state;
    let order = match act {
        Act::Entry(args) => entries::enter(&home, &state, args),
        Act::Payment(args) => entries::pay(&home, &state, args),
        Act::Take(args) => entries::take(&home, &state, args),
        Act::EntriesAssigned(args) => entries::assigned(&home, args),
        Act::Result(args) => games::result(&state, args),
        Act::Forfeit(args) => games::forfeit(&state, args),
        Act::Adjudicate(args) => games::adjudicate(&state, args),
        Act::Substitute(args) => games::substitute(&state, args),
        Act::Withdraw(args) => persons::withdraw(&home, &state, args),
        Act::Died(args) => persons::died(&state, args),
        Act::Leave(args) => persons::take_leave(&state, args),
        Act::Address(args) => persons::address(&state, args),
        Act::Renew(args) => persons::renew(&state, args),
        Act::Merge(args) => persons::merge(&state, args),
        Act::Apart(args) => persons::apart(&state, args),
        Act::Undo(args) => undo::undo(&home, &state, args),
    }?;
    report(&home.direct(&order.words, &[order.command], Announce::Yes)?);
    Ok(())
}

fn known_event(home: &Home, event: &TournamentId) -> Done {
    let known = &home.config.rules.tournaments;
    if known.contains_key(event) {
        return Ok(());
    }
    let ids: Vec<&str> = known.keys().map(|id| id.0.as_str()).collect();
    Err(Failure::Person(format!("there is no tournament {event}; there is {}", ids.join(", "))))
}

fn known_player(state: &State, member: &MemberId) -> Result<String, Failure> {
    let player = state.players.get(member);
    let missing = || Failure::Person(format!("the roster does not have member {member}"));
    player.map(|p| p.name.clone()).ok_or_else(missing)
}

/// Takes a reason that says something.
fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("a reason says why; it stays in the record".to_owned());
    }
    Ok(text.to_owned())
}

/// Finds a game by its section and `3-1`, White's seat first.
pub(super) fn find_game(state: &State, section: &str, game: &str) -> Result<GameId, Failure> {
    let section = tables::find(state, section)?;
    let seats = game.split_once('-').and_then(|(white, black)| {
        Some((Seat(white.trim().parse().ok()?), Seat(black.trim().parse().ok()?)))
    });
    if let Some(found) = seats.and_then(|(white, black)| section.game(white, black)) {
        return Ok(section.game_id(found));
    }
    let code = &section.code;
    let turned = seats.and_then(|(white, black)| section.game(black, white));
    let hint = match turned {
        Some(game) => format!("seat {} has White: {}-{}", game.white, game.white, game.black),
        None => format!("its seats are 1 to {}", section.seats.len()),
    };
    Err(Failure::Person(format!(
        "there is no game {game} in {code}; White's seat stands first, {hint}"
    )))
}
