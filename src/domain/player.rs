//! A player: a member of the federation as the roster describes him.

use super::ids::MemberId;
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// What the books know of a member. Addresses are kept as they were given; they compare in lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Player {
    /// The member's number.
    pub member: MemberId,
    /// The name as it is printed.
    pub name: String,
    /// Email addresses, the one to write to first. None: letters go on paper.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub emails: Vec<String>,
    /// Country of residence, ISO 3166-1 alpha-2 (Rule 1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// State or province; `AA`, `AE` and `AP` are military addresses (Rule 1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Rating; none for an unrated player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<u16>,
    /// The day of that rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating_date: Option<NaiveDate>,
    /// The last day of the membership, as far as it is known (Rule 1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<NaiveDate>,
    /// The player's time zone, an IANA name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    /// The player's language, two letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Postal address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

impl Player {
    /// Returns the address to write to.
    pub fn email(&self) -> Option<&str> {
        self.emails.first().map(String::as_str)
    }

    /// Returns the family name: the last word of the name, or what stands before a comma.
    pub fn surname(&self) -> &str {
        match self.name.split_once(',') {
            Some((family, _)) => family.trim(),
            None => self.name.split_whitespace().last().unwrap_or(&self.name),
        }
    }
}
