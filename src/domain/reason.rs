//! Why something was decided and which duty brought it up, as the journal keeps it.

use serde::{Deserialize, Serialize};

/// A duty that comes round by the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Job {
    /// Forming sections (Rule 2).
    Assignments,
    /// Fees asked for, objections run out (Rules 8 and 10).
    Reminders,
    /// The director's sheet.
    Summary,
}

/// Why an outcome stands (Rule 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grounds {
    /// Both players reported the same.
    BothReported,
    /// The report was against the reporter's own interest.
    OwnInterest,
    /// The opponent did not object in time.
    NoObjection,
    /// It came with the books of a running tournament.
    Adopted,
    /// The position on the board ends the game: mate, stalemate, or nobody can mate.
    Board,
    /// The opponent accepted the draw that was offered.
    Agreed,
    /// A draw was claimed, and the moves in the books bear it out.
    Claimed,
}

/// Why an entry advances (Rule 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Advance {
    /// It has the points.
    Points,
    /// Nobody in the section had them, and it has the next best.
    NextBest,
    /// The director took it (Rule 7).
    Ruling,
    /// It fills the last section of the next round (Rule 3).
    Fill,
}

/// Tells whether a flag is not set, so that the journal leaves it out.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands in a reference")]
pub(super) const fn is_false(value: &bool) -> bool {
    !*value
}
