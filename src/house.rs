//! The house: who we are when we write and are written to. Every letter, every reading and every local day needs it.

use crate::token::ReplyKeys;
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;

/// The first line of every letter's text: an answer is written above it. The mail reader knows our quoted text by it.
pub const LETTER_TOP: &str = "## Please write above this line. ##";
/// What the last line of every letter's text begins with; the letter's token and ` ##` follow.
pub const LETTER_END: &str = "## Letter";

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

    /// Returns the address that an answer to a letter goes to: ours with the letter's token as sub-address.
    pub fn reply_address(&self, token: &str) -> String {
        match self.address.split_once('@') {
            Some((local, domain)) => format!("{local}+{token}@{domain}"),
            None => self.address.clone(),
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
