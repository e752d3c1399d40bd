//! A player who asked to be forgotten: what the journal still says of it. His addresses and the words of his mails are
//! gone, his results stand.

use super::ids::{LetterId, MemberId};
use serde::{Deserialize, Serialize};

/// That a player was forgotten, and what was erased for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forgotten {
    /// Who.
    pub member: MemberId,
    /// The name that the roster has from now on, where his own was erased as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Why.
    pub reason: String,
    /// The checksum of the journal's last line before it was rewritten: which backup it was.
    pub was: String,
    /// The digests of the mails whose bytes were erased.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mails: Vec<String>,
    /// The letters whose bytes were erased.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub letters: Vec<LetterId>,
}
