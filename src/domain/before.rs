//! What an act of the director had changed, each thing whole and as it was before: what the journal keeps of an act that
//! is taken back (Rule 7). When that may be done is `rules/undoing.rs`; putting it back is `apply/before.rs`.

use super::{
    acts::{Apart, Leave},
    docket::Item,
    honours::PrizeList,
    ids::{EntryId, GameId, ItemId, LetterId, MemberId, Seat, SectionCode, TournamentId},
    intent::Conditional,
    player::Player,
    points::Side,
    post::Lost,
    question::Question,
    section::{Entry, GameState, Seated},
    state::Account,
};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Days charged, each with the day of the charge.
pub type Charges = Vec<(NaiveDate, u16)>;

/// The things that an act had changed, as they were. A thing that was not there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Before {
    /// Docket items that were decided or amended in it and wait again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Item>,
    /// Docket items that it opened and that are gone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<ItemId>,
    /// Entries.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<Entry>,
    /// Entries that came in by it and are gone; their numbers are not given again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<EntryId>,
    /// Whose entries are whose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<(MemberId, Vec<EntryId>)>,
    /// Games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<GameBefore>,
    /// Seats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<(SectionCode, Seat, Seated)>,
    /// Sections that were complete by it and are not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub running: Vec<SectionCode>,
    /// Sections that it formed and that are no more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dissolved: Vec<SectionCode>,
    /// Members of the roster.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<Player>,
    /// Members whom it listed and who are not in the roster.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unlisted: Vec<MemberId>,
    /// What players paid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accounts: Vec<(TournamentId, MemberId, Option<Account>)>,
    /// The credit of gift certificates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub credit: Vec<(MemberId, String, Option<Decimal>)>,
    /// Prizes that were announced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prizes: Vec<(TournamentId, Option<SectionCode>, Option<PrizeList>)>,
    /// How many entries were assigned, by the director's word.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assigned: Vec<(TournamentId, Option<u32>)>,
    /// Whether two players were kept apart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub apart: Vec<Apart>,
    /// Leave.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leaves: Vec<(MemberId, Vec<Leave>)>,
    /// Whether a player was known to have died, and since when.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub died: Vec<(MemberId, Option<NaiveDate>)>,
    /// Warnings for overstepping the time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub oversteps: Vec<(GameId, Side, Vec<u16>)>,
    /// Days charged, with the day of each charge.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub charged: Vec<(GameId, Side, Charges)>,
    /// Whether an address had failed, and since when, with whose it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<(Option<MemberId>, String, Option<NaiveDate>)>,
    /// Letters that did not arrive.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<(LetterId, Option<Lost>)>,
    /// Questions to players.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
}

/// A game as it was. Its moves are no act of the director.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameBefore {
    /// The game.
    pub game: GameId,
    /// Where it stood.
    pub state: GameState,
    /// The day of the first report.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reported: Option<NaiveDate>,
    /// Replies sent beforehand.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub conditional: Vec<Conditional>,
    /// The side whose draw offer stood.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub offer: Option<Side>,
    /// The docket item of its adjudication.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub asked: Option<ItemId>,
}
