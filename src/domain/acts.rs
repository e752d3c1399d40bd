//! Acts of the director and what befalls persons, as the journal keeps them: scores of lost tables, players kept apart,
//! leave, substitutes, acts taken back (Rules 2, 7 and 10). What they bring about is `rules/`.

use super::{
    before::Before,
    event::Correspondent,
    ids::{EntryId, GameId, ItemId, MemberId, Seat, SectionCode, TournamentId},
    points::{Points, Side},
};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// What an entry scored in a round whose crosstable is lost. It completes that round for the entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carried {
    /// The entry.
    pub entry: EntryId,
    /// The round, counted from 0.
    pub round: usize,
    /// Its points there.
    pub points: Points,
    /// How many of its games were lost by forfeit.
    pub forfeit_losses: u8,
}

/// How many entries were assigned, where the sections of the first round are lost (Rule 5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assigned {
    /// The tournament.
    pub event: TournamentId,
    /// How many.
    pub number: u32,
    /// Why.
    pub reason: String,
}

/// Two players who asked not to meet (Rule 2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Apart {
    /// The one.
    pub one: MemberId,
    /// The other.
    pub other: MemberId,
    /// Whether they may meet again.
    #[serde(default)]
    pub lifted: bool,
}

/// Leave (Rule 10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leave {
    /// Whose.
    pub member: MemberId,
    /// The first day on which the clocks stand.
    pub from: NaiveDate,
    /// The last one.
    pub to: NaiveDate,
    /// Whether it is within the yearly allowance, so that nobody had to decide.
    pub allowed: bool,
    /// Why, in the director's words; empty where nobody had to decide.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// An entry that takes over a seat (Rule 10). Finished games stand with the seat, running ones go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Substitution {
    /// The section.
    pub section: SectionCode,
    /// The seat.
    pub seat: Seat,
    /// Who leaves.
    pub left: EntryId,
    /// Who comes.
    pub entry: EntryId,
    /// The rating of who comes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rating: Option<u16>,
    /// Why.
    pub reason: String,
    /// The day.
    pub on: NaiveDate,
}

/// Two records of the roster that are one person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merged {
    /// The record that goes.
    pub from: MemberId,
    /// The record that has everything now.
    pub into: MemberId,
}

/// A player is told that his membership ends (Rule 1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reminded {
    /// Whose.
    pub member: MemberId,
    /// Its last day.
    pub expires: NaiveDate,
    /// How many days are left; 0 on the last one.
    pub days: u16,
}

/// A time complaint that was checked (Rule 10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Complaint {
    /// Who complains.
    pub from: Correspondent,
    /// The game.
    pub game: GameId,
    /// The first day on which it is admissible; none: it is, and the item waits for the director.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub premature_until: Option<NaiveDate>,
    /// Whether the move must be repeated before.
    #[serde(default)]
    pub repeat_first: bool,
    /// The docket item.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub item: Option<ItemId>,
    /// The day of the first sending that it was checked by.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sent: Option<NaiveDate>,
}

/// Days charged beside those that a player used, for a move that could not be played (Rule 10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charged {
    /// The game.
    pub game: GameId,
    /// To whom.
    pub side: Side,
    /// How many.
    pub days: u16,
    /// Why.
    pub reason: String,
    /// The day.
    pub on: NaiveDate,
}

/// Money of a player that goes from one tournament's account to another's (Rule 9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoneyMoved {
    /// Whose.
    pub member: MemberId,
    /// The tournament that it was paid for.
    pub from: TournamentId,
    /// The tournament that has it now.
    pub to: TournamentId,
    /// How much.
    pub amount: Decimal,
    /// The day.
    pub on: NaiveDate,
    /// The entry for whose sake it goes.
    pub entry: EntryId,
}

/// A player's letters go elsewhere from now on (Rule 10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewAddress {
    /// Whose.
    pub member: MemberId,
    /// Where they went; none: nowhere.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub old: Option<String>,
    /// Where they go: an email address, or a postal one.
    pub new: String,
}

/// A warning for overstepping the time (Rule 10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overstep {
    /// The game.
    pub game: GameId,
    /// Who overstepped.
    pub side: Side,
    /// Days charged beside those he used.
    pub penalty_days: u16,
    /// Why.
    pub reason: String,
    /// The day.
    pub on: NaiveDate,
}

/// What the director did, taken back: the books are as they were before it (Rule 7).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undone {
    /// The transaction that is taken back.
    pub transaction: u64,
    /// Why.
    pub reason: String,
    /// What it had changed, as that was before.
    pub before: Before,
    /// Who had not heard of it and need not hear that it was taken back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unheard: Vec<MemberId>,
}

/// Money that goes back to the player (Rule 8).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refund {
    /// The tournament.
    pub event: TournamentId,
    /// Whose.
    pub member: MemberId,
    /// How much.
    pub amount: Decimal,
    /// The day.
    pub on: NaiveDate,
    /// What it was decided by.
    pub reference: String,
}

/// A move that came in once more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveAgain {
    /// The game.
    pub game: GameId,
    /// The number of the move.
    pub number: u16,
    /// Who moved.
    pub side: Side,
    /// In standard notation.
    pub san: String,
    /// The day.
    pub on: NaiveDate,
}
