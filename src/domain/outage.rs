//! Outages: when no mail reached us, because a mailbox was out of reach or the program did not run. Whose clock stands
//! for it is the director's to decide (Rule 10).

use super::ids::SectionCode;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

/// A time in which no mail reached us.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outage {
    /// Since when.
    pub from: DateTime<Utc>,
    /// When mail was read again.
    pub to: DateTime<Utc>,
    /// The day of the house on which it began.
    pub first: NaiveDate,
    /// The day of the house on which it ended.
    pub last: NaiveDate,
    /// What was the matter, a clause: `mailbox was out of reach`.
    pub what: String,
    /// The sections that ran then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<SectionCode>,
}
