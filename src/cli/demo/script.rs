//! A script: dated mails, orders and looks, as a director would tell a season. Plain text:
//!
//! ```text
//! # a comment
//! player 12345678 | Ann Adams | ann@example.org | US | IL | 1850
//! 2019-01-03 10:12 mail Ann Adams <ann@example.org>: Golden Knights entry
//!     Please enter me in the 2019 Golden Knights, 1 entry.
//! 2019-01-20 09:00 reply ann@example.org to assignment
//!     I won against #5.
//! 2019-01-04 12:00 payment GK2019 12345678 25.00
//! 2019-02-01 12:00 rule D1 accept: he has moved to Ohio
//! 2019-02-02 18:00 pass
//! 2019-02-02 18:00 show 19N01
//! ```
//!
//! Lines that are indented belong to the one above; in a mail, lines `@Name: value` are headers. Times are of the
//! house's zone. A pass is made at each mail's, order's and `pass` line's time.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

/// A season or a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The roster, as lines of its CSV file.
    pub players: Vec<String>,
    /// What happens, in order.
    pub scenes: Vec<Scene>,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// When, in the house's zone.
    pub at: NaiveDateTime,
    /// What.
    pub act: Act,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// A mail comes in.
    Mail {
        /// From: name and address.
        from: String,
        /// Its subject.
        subject: String,
        /// Headers in place of the usual ones.
        headers: Vec<(String, String)>,
        /// Its text.
        text: String,
    },
    /// A player answers a letter of ours.
    Reply {
        /// The player's address.
        from: String,
        /// The notice of the letter; the latest one is answered.
        notice: String,
        /// The text above the quoted letter.
        text: String,
    },
    /// The same mail comes once more, as a copy of the last one.
    Again,
    /// The director books a payment: tournament, member, amount.
    Payment(String, String, String),
    /// The director decides an item: item, choice, reason.
    Rule(String, String, String),
    /// A pass is made, and nothing else.
    Pass,
    /// The crosstable of a section is shown.
    Show(String),
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// The number of the line that cannot be read, and why.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut script = Self { players: Vec::new(), scenes: Vec::new() };
        let mut blocks: Vec<(usize, &str, Vec<&str>)> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            match blocks.last_mut() {
                Some((.., body)) if line.starts_with("    ") => body.push(&line[4..]),
                Some((.., body)) if line.trim().is_empty() && !body.is_empty() => body.push(""),
                _ if line.trim().is_empty() || line.starts_with('#') => {}
                _ => blocks.push((number, line, Vec::new())),
            }
        }
        for (number, line, body) in blocks {
            let read = match line.strip_prefix("player ") {
                Some(player) => player_row(player).map(|row| script.players.push(row)),
                None => scene(line, &body).map(|scene| script.scenes.push(scene)),
            };
            read.map_err(|why| format!("line {number}: {why}: {line}"))?;
        }
        Ok(script)
    }
}

/// Turns `12345678 | Ann Adams | ann@example.org | US | IL | 1850` into a row of the roster's CSV.
fn player_row(line: &str) -> Result<String, String> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    match cells[..] {
        [member, name, email, country, state, rating] => {
            let date = if rating.is_empty() { "" } else { "2018-12-01" };
            Ok(format!("{member},\"{name}\",{email},{country},{state},{rating},{date},"))
        }
        _ => Err("a player has member, name, email, country, state and rating".to_owned()),
    }
}

fn scene(line: &str, body: &[&str]) -> Result<Scene, String> {
    let mut words = line.splitn(3, ' ');
    let day = words.next().and_then(|w| w.parse::<NaiveDate>().ok());
    let time = words.next().and_then(|w| NaiveTime::parse_from_str(w, "%H:%M").ok());
    let (Some(day), Some(time), Some(rest)) = (day, time, words.next()) else {
        return Err("a line begins with a day and a time".to_owned());
    };
    let (verb, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    Ok(Scene { at: day.and_time(time), act: act(verb, rest.trim(), body)? })
}

fn act(verb: &str, rest: &str, body: &[&str]) -> Result<Act, String> {
    let mut words = rest.split(' ').map(str::to_owned);
    let mut word = || words.next().filter(|w| !w.is_empty()).ok_or("a word is missing");
    Ok(match verb {
        "mail" => mail(rest, body)?,
        "reply" => {
            let (from, to, notice) = (word()?, word()?, word()?);
            if to != "to" {
                return Err("write: reply ADDRESS to NOTICE".to_owned());
            }
            Act::Reply { from, notice, text: text(body) }
        }
        "again" => Act::Again,
        "payment" => Act::Payment(word()?, word()?, word()?),
        "rule" => {
            let (order, reason) = rest.split_once(": ").unwrap_or((rest, ""));
            let (item, choice) = order.split_once(' ').ok_or("write: rule ITEM CHOICE: REASON")?;
            Act::Rule(item.to_owned(), choice.to_owned(), reason.to_owned())
        }
        "pass" => Act::Pass,
        "show" => Act::Show(word()?),
        _ => return Err(format!("`{verb}` is nothing that can happen")),
    })
}

fn mail(rest: &str, body: &[&str]) -> Result<Act, String> {
    let (from, subject) = rest.split_once(": ").ok_or("write: mail NAME <ADDRESS>: SUBJECT")?;
    let is_header = |line: &&&str| line.starts_with('@');
    let headers = body.iter().take_while(is_header).filter_map(|line| {
        let (name, value) = line[1..].split_once(':')?;
        Some((name.trim().to_owned(), value.trim().to_owned()))
    });
    let headers: Vec<_> = headers.collect();
    let text = text(&body[headers.len()..]);
    Ok(Act::Mail { from: from.to_owned(), subject: subject.to_owned(), headers, text })
}

fn text(body: &[&str]) -> String {
    format!("{}\n", body.join("\n").trim_end())
}
