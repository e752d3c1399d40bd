//! `[answers]` of `knightmail.toml`: how many mails of a day are answered. What is beyond is kept and held, and the director
//! told (`office/caps.rs`).

use super::document::Mistakes;
use serde::Deserialize;

/// How many mails of a day are answered, at most.
///
/// A busy club has a few thousand mails a day and some tens of strangers; the defaults are several times as many. Known
/// addresses are bounded by the roster, and half of them may have their mail at one provider, so that the caps for them
/// only stop what has gone wrong. Anybody can make up unknown ones: all those of a domain have what one address has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caps {
    /// Of one address.
    #[serde(rename = "a_day")]
    pub address: u32,
    /// Of known addresses of one domain.
    #[serde(rename = "a_day_domain", default = "domain")]
    pub domain: u32,
    /// Of all known addresses.
    #[serde(rename = "a_day_total", default = "total")]
    pub total: u32,
    /// Of unknown addresses of one domain.
    #[serde(rename = "strangers_domain", default = "strangers_of_domain")]
    pub strangers_of_domain: u32,
    /// Of all unknown addresses.
    #[serde(rename = "strangers_total", default = "strangers")]
    pub strangers: u32,
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            address: 100,
            domain: domain(),
            total: total(),
            strangers_of_domain: strangers_of_domain(),
            strangers: strangers(),
        }
    }
}

const fn domain() -> u32 {
    10_000
}

const fn total() -> u32 {
    20_000
}

const fn strangers_of_domain() -> u32 {
    100
}

const fn strangers() -> u32 {
    300
}

/// Notes caps that nobody can mean.
pub(super) fn check(caps: &Caps, wrong: &mut Mistakes<'_>) {
    if caps.address == 0 {
        wrong.at("answers.a_day", "nobody would be answered", "100 is usual");
    }
    let larger = [
        ("a_day_domain", caps.domain, "a_day", caps.address),
        ("a_day_total", caps.total, "a_day_domain", caps.domain),
        ("strangers_total", caps.strangers, "strangers_domain", caps.strangers_of_domain),
    ];
    for (key, many, than, few) in larger {
        if many < few {
            let hint = format!("it is {few} or more");
            wrong.at(&format!("answers.{key}"), format!("it is less than {than}"), hint);
        }
    }
}
