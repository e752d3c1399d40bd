//! Alarms: what the director is told at once about the program itself, where no docket item stands for it.

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// What is the matter with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Matter {
    /// A mailbox is out of reach.
    Deaf,
    /// Letter after letter is refused.
    Letters,
}

/// An alarm; there is one a day of each matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alarm {
    /// The matter.
    pub matter: Matter,
    /// The day.
    pub on: NaiveDate,
    /// What is known, a sentence each.
    pub words: Vec<String>,
}
