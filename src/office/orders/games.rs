//! Results by the director's word: fixed, forfeited, adjudicated; and who sits at a seat.

use super::{Ready, Refused, find_game, find_section, reason};
use crate::domain::{
    command::Command,
    ids::{EntryId, GameId, Seat},
    points::{How, Outcome, Score, Side},
    rules::{closing, forfeits, persons},
    state::State,
};

/// Fix the result of a game (Rule 7)
#[derive(Clone, Debug, clap::Args)]
pub struct ResultArgs {
    /// The section: 19N04
    section: String,
    /// White's seat and Black's: 3-1
    game: String,
    /// 1-0, 0-1, 1/2-1/2 or 0-0
    result: Score,
    /// How it came about: resignation, adjudication, time-forfeit …
    how: How,
    /// Why; both players are told
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
}

/// Let a player, or both, lose a game by forfeit (Rule 10)
#[derive(Clone, Debug, clap::Args)]
pub struct ForfeitArgs {
    /// The section: 19N04
    section: String,
    /// White's seat and Black's: 3-1
    game: String,
    /// Who loses; both: a double forfeit, 0-0
    #[arg(long, value_enum)]
    loser: Loser,
    /// Why it is lost; a double forfeit needs no word for it
    #[arg(long, value_enum, required_if_eq_any([("loser", "white"), ("loser", "black")]))]
    how: Option<Ground>,
    /// Why; both players are told
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
}

/// Adjudicate a game that is not finished (Rule 7)
#[derive(Clone, Debug, clap::Args)]
pub struct AdjudicateArgs {
    /// The section: 19N04
    section: String,
    /// White's seat and Black's: 3-1
    game: String,
    /// 1-0, 0-1 or 1/2-1/2; 0-0 is a double forfeit
    result: Score,
    /// Why; both players are told
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
}

/// Give the seat of one who left to an entry that waits (Rule 10)
#[derive(Clone, Debug, clap::Args)]
pub struct SubstituteArgs {
    /// The section: 19N04
    section: String,
    /// The seat: 5
    seat: u8,
    /// The entry that takes it, paid and waiting: GK2019-031
    entry: EntryId,
    /// Why
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
}

/// Who loses by a forfeit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Loser {
    /// White
    White,
    /// Black
    Black,
    /// White and Black: a double forfeit
    Both,
}

/// Why a game is lost by forfeit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Ground {
    /// He overstepped his time
    Time,
    /// He fell silent
    Silence,
    /// He withdrew
    Withdrawal,
    /// For another reason
    Administrative,
}

pub(super) fn result(state: &State, args: &ResultArgs) -> Result<Ready, Refused> {
    let ResultArgs { section, game, result, how, reason } = args;
    let game = find_game(state, section, game)?;
    let outcome = Outcome { result: *result, how: *how };
    forfeits::check(outcome).map_err(Refused::Impossible)?;
    let words = format!("direct result {game} {result} {how}");
    Ok(fix(words, game, outcome, reason))
}

pub(super) fn forfeit(state: &State, args: &ForfeitArgs) -> Result<Ready, Refused> {
    let ForfeitArgs { section, game, loser, how, reason } = args;
    let game = find_game(state, section, game)?;
    not_settled(state, &game)?;
    let (side, who) = match loser {
        Loser::White => (Some(Side::White), "white"),
        Loser::Black => (Some(Side::Black), "black"),
        Loser::Both => (None, "both"),
    };
    let how = match how {
        Some(Ground::Time) => How::TimeForfeit,
        Some(Ground::Silence) | None => How::SilenceForfeit,
        Some(Ground::Withdrawal) => How::Withdrawal,
        Some(Ground::Administrative) => How::Administrative,
    };
    let outcome = forfeits::outcome(side, how);
    let words = format!("direct forfeit {game} --loser {who} --how {}", outcome.how);
    Ok(fix(words, game, outcome, reason))
}

pub(super) fn adjudicate(state: &State, args: &AdjudicateArgs) -> Result<Ready, Refused> {
    let AdjudicateArgs { section, game, result, reason } = args;
    let game = find_game(state, section, game)?;
    not_settled(state, &game)?;
    let outcome = closing::adjudicated(state, &game, *result);
    Ok(fix(format!("direct adjudicate {game} {result}"), game, outcome, reason))
}

fn fix(words: String, game: GameId, outcome: Outcome, reason: &str) -> Ready {
    Ready { words, command: Command::FixResult { game, outcome, reason: reason.to_owned() } }
}

/// What stands is overruled by `direct result` alone, so that nobody does it by mistake.
fn not_settled(state: &State, id: &GameId) -> Result<(), Refused> {
    let Some(Outcome { result, how }) = state.game(id).and_then(|(_, game)| game.settled()) else {
        return Ok(());
    };
    Err(Refused::Impossible(format!(
        "{id} has a result that stands, {result} by {how}; `direct result` overrules it"
    )))
}

pub(super) fn substitute(state: &State, args: &SubstituteArgs) -> Result<Ready, Refused> {
    let SubstituteArgs { section, seat, entry, reason } = args;
    let (seat, entry, reason) = (Seat(*seat), entry.clone(), reason.clone());
    let section = find_section(state, section)?.code.clone();
    persons::check_substitute(state, &section, seat, &entry).map_err(Refused::Impossible)?;
    let words = format!("direct substitute {section} {seat} {entry}");
    Ok(Ready { words, command: Command::Substitute { section, seat, entry, reason } })
}
