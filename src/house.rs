//! The house: who we are when we write and are written to. Every letter, every reading and every local day needs it.

use crate::token::ReplyKeys;
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use serde::Deserialize;

/// The first line of every letter's text: an answer is written above it. The mail reader knows our quoted text by it.
pub const LETTER_TOP: &str = "## Please write above this line. ##";
/// What the last line of every letter's text begins with; the letter's token and ` ##` follow.
pub const LETTER_END: &str = "## Letter";

/// How surely an act's author must be known before it is done.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum Needs {
    /// A known address is enough, which anybody can write.
    Address,
    /// The domain of a known address vouches for the mail, or it answers a letter that only its player got.
    #[default]
    Dkim,
}

/// What the acts need that do harm when somebody else has written them. All others need a known address. Which intent
/// is which act, and what is done about one that is not known well enough, is `office/harm.rs`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Trust {
    /// A result against one's own interest (Rule 10).
    pub result: Needs,
    /// A resignation (Rule 10).
    pub resignation: Needs,
    /// A withdrawal (Rule 10).
    pub withdrawal: Needs,
    /// Leave (Rule 10).
    pub leave: Needs,
    /// Another address.
    pub address_change: Needs,
    /// The director's lines (Rule 7).
    pub director: Needs,
}

impl Default for Trust {
    fn default() -> Self {
        Self {
            result: Needs::Address,
            resignation: Needs::Dkim,
            withdrawal: Needs::Dkim,
            leave: Needs::Dkim,
            address_change: Needs::Dkim,
            director: Needs::Dkim,
        }
    }
}

/// Name, addresses, zone and keys of this office.
#[derive(Clone, Debug)]
pub struct House {
    /// The name that letters are signed with and From shows.
    pub name: String,
    /// The address that players write to: `knights@example.org`.
    pub address: String,
    /// Other addresses that reach us; mail from any of ours is our own.
    pub aliases: Vec<String>,
    /// The director's name.
    pub director_name: String,
    /// The director's addresses, the one to write to first.
    pub director: Vec<String>,
    /// The name under which our own mail server adds `Authentication-Results` (RFC 8601 section 2.5); only that is believed.
    pub authserv_id: Option<String>,
    /// What harmful acts need.
    pub trust: Trust,
    /// Whether mail to `knights+token@…` reaches us (RFC 5233); else the Message-IDs alone carry the key.
    pub subaddress: bool,
    /// The zone of the house: its days, its schedule.
    pub zone: Tz,
    /// The keys of the addresses we give out to be answered at.
    pub keys: ReplyKeys,
}

impl House {
    /// Returns the day it is in the house's zone.
    pub fn day(&self, at: DateTime<Utc>) -> NaiveDate {
        at.with_timezone(&self.zone).date_naive()
    }

    /// Returns the domain of our address; our Message-IDs end in it.
    pub fn domain(&self) -> &str {
        self.address.rsplit_once('@').map_or("localhost", |(_, domain)| domain)
    }

    /// Tells whether an address is one of ours, with or without a keyed sub-address, in any case.
    pub fn is_ours(&self, address: &str) -> bool {
        let plain = without_detail(&address.to_lowercase());
        std::iter::once(&self.address)
            .chain(&self.aliases)
            .any(|ours| without_detail(&ours.to_lowercase()) == plain)
    }

    /// Returns the address that an answer to a letter goes to, and a report about it: ours, with the letter's token as
    /// sub-address where that reaches us.
    pub fn reply_address(&self, token: &str) -> String {
        match self.address.split_once('@') {
            Some((local, domain)) if self.subaddress => format!("{local}+{token}@{domain}"),
            _ => self.address.clone(),
        }
    }
}

/// Returns an address without the sub-address behind `+` (RFC 5233).
fn without_detail(address: &str) -> String {
    match address.split_once('@') {
        Some((local, domain)) => {
            let local = local.split('+').next().unwrap_or(local);
            format!("{local}@{domain}")
        }
        None => address.to_owned(),
    }
}
