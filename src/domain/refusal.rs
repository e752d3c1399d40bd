//! A refusal: a lawful no to a player. Each has a stable code and becomes a polite letter that names the rule.

use super::intent::DrawGround;
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// Why something that a player asked for is not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// The player lives where the championship is not open to (Rule 1).
    ResidenceExcluded {
        /// Country or state, as the roster has it.
        place: String,
    },
    /// More entries than a person may hold (Rule 8).
    TooManyEntries {
        /// How many are allowed.
        allowed: u8,
    },
    /// Entries are not taken yet (Rule 9).
    NotOpen {
        /// The first day.
        opens: NaiveDate,
    },
    /// The tournament is closed and there is no next one to carry the entry forward to (Rule 9).
    Closed {
        /// The last postmark day.
        closed: NaiveDate,
    },
    /// The mail does not say who wants to enter.
    MemberIdMissing,
    /// No tournament of this name takes entries.
    TournamentUnknown,
    /// The director refused, with his reason (Rule 7).
    ByRuling {
        /// His reason.
        reason: String,
    },
    /// The player's rating is of none of the tournament's classes (Rule 2).
    RatingOutside {
        /// The rating; none: unrated.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        rating: Option<u16>,
    },
    /// The seats went to others with a higher rating (Rule 2).
    NotInvited {
        /// How many there are.
        seats: usize,
    },
    /// There is no such game in the books.
    GameUnknown,
    /// The sender does not play in this game.
    NotYourGame,
    /// The game has an outcome already.
    GameOver,
    /// There is no offer of a draw to answer.
    NoOffer,
    /// The sender's own offer of a draw stands already.
    OfferStands,
    /// The opponent has offered a draw already.
    OpponentOffered,
    /// The moves in the books do not bear out the claim of a draw.
    ClaimUnproved {
        /// What was claimed.
        ground: DrawGround,
        /// How often the position came up; how many moves have passed without a pawn move and a capture.
        counted: u16,
    },
    /// There is no such question, or it was put to somebody else.
    QuestionUnknown,
    /// The question is settled already.
    QuestionSettled,
    /// The answer came from an address that is not known as the player's, and what it would bring about does harm.
    AnswerFromElsewhere,
    /// The answer came after the last day.
    QuestionLate {
        /// The last day.
        until: NaiveDate,
    },
}

impl Refusal {
    /// Returns the rule that the refusal rests on.
    pub const fn rule(&self) -> u8 {
        match self {
            Self::ResidenceExcluded { .. } => 1,
            Self::RatingOutside { .. } | Self::NotInvited { .. } => 2,
            Self::TooManyEntries { .. } | Self::MemberIdMissing | Self::TournamentUnknown => 8,
            Self::NotOpen { .. } | Self::Closed { .. } => 9,
            Self::ByRuling { .. }
            | Self::QuestionUnknown
            | Self::QuestionSettled
            | Self::AnswerFromElsewhere
            | Self::QuestionLate { .. } => 7,
            Self::GameUnknown
            | Self::NotYourGame
            | Self::GameOver
            | Self::NoOffer
            | Self::OfferStands
            | Self::OpponentOffered
            | Self::ClaimUnproved { .. } => 10,
        }
    }

    /// Returns the stable code that scripts and letters' templates go by.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::ResidenceExcluded { .. } => "residence-excluded",
            Self::TooManyEntries { .. } => "too-many-entries",
            Self::NotOpen { .. } => "not-open",
            Self::Closed { .. } => "closed",
            Self::MemberIdMissing => "member-id-missing",
            Self::TournamentUnknown => "tournament-unknown",
            Self::ByRuling { .. } => "by-ruling",
            Self::RatingOutside { .. } => "rating-outside",
            Self::NotInvited { .. } => "not-invited",
            Self::GameUnknown => "game-unknown",
            Self::NotYourGame => "not-your-game",
            Self::GameOver => "game-over",
            Self::NoOffer => "no-offer",
            Self::OfferStands => "offer-stands",
            Self::OpponentOffered => "opponent-offered",
            Self::ClaimUnproved { .. } => "claim-unproved",
            Self::QuestionUnknown => "question-unknown",
            Self::QuestionSettled => "question-settled",
            Self::AnswerFromElsewhere => "answer-from-elsewhere",
            Self::QuestionLate { .. } => "question-late",
        }
    }
}
