//! Entries, sections and games as the books hold them. Who sits where is decided in `rules/assignment.rs`,
//! what a report does to a game in `rules/reports.rs`; the table of a section is `crosstable.rs`.

use super::{
    acts::Carried,
    event::Correspondent,
    honours::Award,
    ids::{EntryId, GameId, ItemId, MemberId, Seat, SectionCode, TournamentId},
    intent::Conditional,
    points::{How, Outcome, Score, Side},
    refusal::Refusal,
};
use crate::chess::Record;
use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Where an entry stands (Rules 8 and 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntryState {
    /// It has come in and is not judged yet.
    Received,
    /// A question about it waits for the director.
    Docket,
    /// It is not accepted.
    Refused,
    /// It is accepted; the fee has not come.
    AwaitingPayment,
    /// It is paid and waits for a section.
    Waiting,
    /// It plays.
    Assigned,
    /// It has reached the next round and waits for a section there (Rule 3).
    Advanced,
    /// It is out (Rule 4).
    Eliminated,
    /// It has played all rounds.
    Finished,
    /// Its player has withdrawn.
    Withdrawn,
    /// It plays next year (Rule 9).
    CarriedForward,
}

impl EntryState {
    /// Returns the contract's word.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Docket => "docket",
            Self::Refused => "refused",
            Self::AwaitingPayment => "awaiting-payment",
            Self::Waiting => "waiting",
            Self::Assigned => "assigned",
            Self::Advanced => "advanced",
            Self::Eliminated => "eliminated",
            Self::Finished => "finished",
            Self::Withdrawn => "withdrawn",
            Self::CarriedForward => "carried-forward",
        }
    }
}

/// One paid place of a player: the unit that sits, scores, advances and wins. The journal keeps one whole only where an
/// act is taken back; what is added here has a default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its id.
    pub id: EntryId,
    /// The tournament.
    pub tournament: TournamentId,
    /// Whose it is.
    pub member: MemberId,
    /// The name as the entry gave it.
    pub name: String,
    /// Which of the person's entries it is, counted in order of postmark (Rule 9).
    pub number: u8,
    /// The day that decides about the deadline (Rule 9).
    pub postmark: NaiveDate,
    /// When it arrived.
    pub arrived: DateTime<Utc>,
    /// Where it stands.
    pub state: EntryState,
    /// Whether the fee has come.
    pub paid: bool,
    /// The fee that was taken for it from what the player paid.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fee: Option<Decimal>,
    /// The part of the fee that was taken from the credit of gift certificates (Rule 4).
    pub credit: Option<CreditPart>,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refusal: Option<Refusal>,
    /// The docket item it waits for, or waited for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub item: Option<ItemId>,
    /// Who sent it, where that was not the player from an address of the books.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub from: Option<Correspondent>,
    /// Its sections, one a round.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sections: Vec<SectionCode>,
    /// Days on which the fee was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub reminded: Vec<NaiveDate>,
    /// Scores of rounds whose crosstables are lost.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub carried: Vec<Carried>,
    /// What it has been given (Rules 4 and 5).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub awards: Vec<Award>,
    /// Whether a later entry was seated before it once (Rule 2).
    #[serde(default)]
    pub passed_over: bool,
    /// What it is in next year's tournament, where it was carried forward and that is here (Rule 9).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub brought_forward: Option<EntryId>,
    /// What it costs, where that is not the fee of its tournament: it was carried forward (Rule 9).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub owes: Option<Decimal>,
}

/// The part of an entry's fee that a gift certificate paid (Rule 4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditPart {
    /// How much.
    pub amount: Decimal,
    /// The currency (ISO 4217).
    pub currency: String,
    /// Whether the player has it back, because the entry was refused or taken back.
    pub returned: bool,
}

impl Entry {
    /// Returns how much of its fee is paid with credit (Rule 4).
    pub fn paid_with_credit(&self) -> Decimal {
        let part = self.credit.as_ref().filter(|part| !part.returned);
        part.map_or(Decimal::ZERO, |part| part.amount)
    }
}

/// A seat as the section was formed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seated {
    /// Who sits here.
    pub entry: EntryId,
    /// The rating at assignment, which decided the seat (Rule 2).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rating: Option<u16>,
}

/// A player's word about a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The side that reports.
    pub by: Side,
    /// What it says.
    pub outcome: Outcome,
    /// The day of the report.
    pub on: NaiveDate,
    /// The digest of the mail that says so.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mail: Option<String>,
}

/// Where a game stands (Rule 10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameState {
    /// It is being played.
    Running,
    /// One player has reported; the other may object.
    Reported(Report),
    /// The outcome stands.
    Confirmed(Outcome),
    /// The players contradict each other; neither report stands.
    Disputed(Box<(Report, Report)>),
    /// The director has decided.
    Ruled(Outcome),
}

/// The days of a move, claimed and observed (Rule 10). There is one for every move of every game, so it is small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveDays {
    /// The day on which its sender says that he sent it, by his own zone.
    pub sent: Option<NaiveDate>,
    /// The day on which it came in and went to the opponent, by his zone where that is known.
    pub reached: NaiveDate,
    /// The day on which it was last sent again.
    pub repeated: Option<NaiveDate>,
    /// How it came.
    pub by: Carriage,
}

/// How a move came into the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carriage {
    /// A mail brought it.
    Mail,
    /// It stood in a score that a mail brought; when it was sent is not known.
    Score,
    /// It was promised beforehand and played when its condition was met.
    Beforehand,
}

/// One game of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The seat with White.
    pub white: Seat,
    /// The seat with Black.
    pub black: Seat,
    /// Where it stands.
    pub state: GameState,
    /// The day of the first report.
    pub reported: Option<NaiveDate>,
    /// The moves that are known, and the position they lead to. Empty where a game is played without us.
    pub record: Record,
    /// The day of the last of them.
    pub moved: Option<NaiveDate>,
    /// The days of each of them.
    pub days: Vec<MoveDays>,
    /// Replies that the side which is not to move has sent beforehand; shown to nobody before they are played.
    pub conditional: Vec<Conditional>,
    /// The side whose draw offer stands; it lapses with the opponent's answer.
    pub offer: Option<Side>,
    /// The docket item by which the director was last asked to adjudicate it (Rule 7).
    pub asked: Option<ItemId>,
}

/// A section: seats that play each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its code.
    pub code: SectionCode,
    /// The tournament.
    pub tournament: TournamentId,
    /// The round, counted from 0 in the tournament's list.
    pub round: usize,
    /// The day on which all games start.
    pub start: NaiveDate,
    /// Its seats, the first one first.
    pub seats: Vec<Seated>,
    /// Its games.
    pub games: Vec<Game>,
    /// Whether all games have an outcome and that was announced.
    pub complete: bool,
    /// Whether it was begun without this program, so that its games may have other colours than the table's.
    pub adopted: bool,
}

impl Game {
    /// Returns the outcome that counts in the table: one that stands, or one that is reported and not contradicted.
    pub const fn outcome(&self) -> Option<Outcome> {
        match &self.state {
            GameState::Running | GameState::Disputed(_) => None,
            GameState::Reported(report) => Some(report.outcome),
            GameState::Confirmed(outcome) | GameState::Ruled(outcome) => Some(*outcome),
        }
    }

    /// Returns the outcome only where nothing but a ruling can change it any more.
    pub const fn settled(&self) -> Option<Outcome> {
        match &self.state {
            GameState::Confirmed(outcome) | GameState::Ruled(outcome) => Some(*outcome),
            GameState::Running | GameState::Reported(_) | GameState::Disputed(_) => None,
        }
    }

    /// Returns the side of a seat in this game.
    pub fn side(&self, seat: Seat) -> Option<Side> {
        match seat {
            s if s == self.white => Some(Side::White),
            s if s == self.black => Some(Side::Black),
            _ => None,
        }
    }

    /// Returns the seat of a side.
    pub const fn seat(&self, side: Side) -> Seat {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }
}

impl GameState {
    /// Returns the contract's word for the state.
    pub const fn text(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Reported(_) => "reported",
            Self::Confirmed(_) => "confirmed",
            Self::Disputed(_) => "disputed",
            Self::Ruled(_) => "ruled",
        }
    }
}

impl Section {
    /// Returns who sits at a seat.
    pub fn seated(&self, seat: Seat) -> Option<&Seated> {
        usize::from(seat.0).checked_sub(1).and_then(|n| self.seats.get(n))
    }

    /// Returns the seats with who sits there.
    pub fn each_seat(&self) -> impl Iterator<Item = (Seat, &Seated)> {
        (1..).map(Seat).zip(&self.seats)
    }

    /// Returns the seat of an entry.
    pub fn seat_of(&self, entry: &EntryId) -> Option<Seat> {
        self.each_seat().find(|(_, s)| &s.entry == entry).map(|(seat, _)| seat)
    }

    /// Returns the game of two seats with these colours.
    pub fn game(&self, white: Seat, black: Seat) -> Option<&Game> {
        self.games.iter().find(|g| g.white == white && g.black == black)
    }

    /// Returns the game of two seats with these colours, to be changed.
    pub fn game_mut(&mut self, white: Seat, black: Seat) -> Option<&mut Game> {
        self.games.iter_mut().find(|g| g.white == white && g.black == black)
    }

    /// Returns the games between two seats, whoever has White.
    pub fn games_between(&self, one: Seat, other: Seat) -> impl Iterator<Item = &Game> {
        self.games.iter().filter(move |g| {
            (g.white == one && g.black == other) || (g.white == other && g.black == one)
        })
    }

    /// Returns the games of a seat.
    pub fn games_of(&self, seat: Seat) -> impl Iterator<Item = &Game> {
        self.games.iter().filter(move |g| g.white == seat || g.black == seat)
    }

    /// Returns the id of one of its games.
    pub fn game_id(&self, game: &Game) -> GameId {
        GameId { section: self.code.clone(), white: game.white, black: game.black }
    }

    /// Tells whether every game has an outcome that stands (Rule 3).
    pub fn is_settled(&self) -> bool {
        self.games.iter().all(|g| g.settled().is_some())
    }
}

/// Returns an outcome whose kind nobody named: mate and resignation cannot be told apart, so it was played.
pub const fn played(result: Score) -> Outcome {
    Outcome { result, how: How::Played }
}
