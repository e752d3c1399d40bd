//! What a rule or the director brought about for a person, as letters tell it: forfeits, withdrawals, leave, a death,
//! time complaints (Rules 1, 7, 10 and 11).

use super::NoticeName;
use crate::domain::{
    acts::{Leave, Overstep, Substitution},
    ids::{EntryId, GameId, ItemId, MemberId},
    points::{Outcome, Side},
};
use chrono::NaiveDate;

/// Something that was done or befell somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// To a player who still plays: his membership ends (Rule 1).
    MembershipReminder {
        /// Its last day.
        expires: NaiveDate,
        /// How many days are left; 0 on the last one.
        days: u16,
    },
    /// To a player, once for all his games: they ended by forfeit (Rules 10 and 11).
    Forfeit {
        /// The games.
        games: Vec<Forfeited>,
    },
    /// To a player: his withdrawal is done, with what became of his games (Rule 10).
    WithdrawalConfirmed {
        /// The entries that are withdrawn.
        entries: Vec<EntryId>,
        /// The games that were lost by it.
        games: Vec<Forfeited>,
    },
    /// To a player: his letters go elsewhere from now on (Rule 10).
    AddressChanged {
        /// Where they went.
        old: Option<String>,
        /// Where they go.
        new: String,
    },
    /// To both players: what to send for the adjudication (Rule 7).
    AdjudicationRequest {
        /// The game.
        game: GameId,
        /// The docket item.
        item: ItemId,
    },
    /// To a player: he has leave (Rule 10).
    LeaveGranted {
        /// The leave.
        leave: Leave,
    },
    /// To an opponent: somebody has leave (Rule 10).
    LeaveAnnounced {
        /// The leave.
        leave: Leave,
        /// The reader's running games with him.
        games: Vec<GameId>,
    },
    /// To an opponent: somebody has died (Rule 10).
    Bereavement {
        /// Who.
        player: MemberId,
        /// The reader's running games with him.
        games: Vec<GameId>,
    },
    /// To the others of the section and to who left it: another entry sits at a seat (Rule 10).
    Substitution {
        /// Who came for whom.
        taken: Substitution,
    },
    /// To who complained: it is too early, and from when on it is not (Rule 10).
    ComplaintPremature {
        /// The game.
        game: GameId,
        /// The first day on which it is admissible.
        until: NaiveDate,
        /// Whether the move must be repeated before.
        repeat_first: bool,
    },
    /// To both players: a time complaint is before the director (Rule 10).
    TimeComplaintReceived {
        /// The game.
        game: GameId,
        /// Who complains.
        by: Side,
        /// The docket item.
        item: ItemId,
    },
    /// To whom it was told: what was decided holds no more (Rule 7).
    TakenBack {
        /// What it was about.
        matters: Vec<Matter>,
        /// Why; empty where a later ruling changed what it rested on.
        reason: String,
    },
    /// To both players: one of them overstepped his time and is warned (Rule 10).
    TimeWarning {
        /// Who, where, and what it costs.
        warned: Overstep,
        /// What he is reproached with.
        reproach: Reproach,
    },
}

/// Why days are charged to a player (Rule 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reproach {
    /// He took more time than he had.
    Overstep,
    /// He sent a move that could not be played.
    Move,
}

/// Something that a decision was about which holds no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matter {
    /// The outcome of a game, or a warning in it.
    Game(GameId),
    /// Where an entry stands.
    Entry(EntryId),
    /// Somebody's leave.
    Leave(MemberId),
    /// The news that somebody had died.
    Death(MemberId),
}

/// A game that ended by forfeit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeited {
    /// The game.
    pub game: GameId,
    /// Its outcome.
    pub outcome: Outcome,
    /// Why.
    pub reason: String,
}

impl Act {
    /// Returns the name of the letter that tells this.
    pub const fn name(&self) -> NoticeName {
        match self {
            Self::MembershipReminder { .. } => NoticeName::MembershipReminder,
            Self::Forfeit { .. } => NoticeName::Forfeit,
            Self::WithdrawalConfirmed { .. } => NoticeName::WithdrawalConfirmed,
            Self::AddressChanged { .. } => NoticeName::AddressChanged,
            Self::AdjudicationRequest { .. } => NoticeName::AdjudicationRequest,
            Self::LeaveGranted { .. } => NoticeName::LeaveGranted,
            Self::LeaveAnnounced { .. } => NoticeName::LeaveAnnounced,
            Self::Bereavement { .. } => NoticeName::Bereavement,
            Self::Substitution { .. } => NoticeName::Substitution,
            Self::ComplaintPremature { .. } => NoticeName::ComplaintPremature,
            Self::TimeComplaintReceived { .. } => NoticeName::TimeComplaintReceived,
            Self::TakenBack { .. } => NoticeName::TakenBack,
            Self::TimeWarning { .. } => NoticeName::TimeWarning,
        }
    }
}
