//! What befalls players: they withdraw, die, take leave, move house, renew, are two records, or must not meet.

use super::{Bench, Ready, Refused, find_section, known_event, known_player, reason};
use crate::{
    domain::{
        command::Command,
        ids::{MemberId, TournamentId},
        intent::Scope,
        player::Player,
        rules::{persons, withdrawal},
        state::State,
    },
    office::words,
};
use chrono::NaiveDate;

/// Withdraw a player; the games that run are lost, what is finished stands (Rule 10)
#[derive(Clone, Debug, clap::Args)]
pub struct WithdrawArgs {
    /// The member's number
    member: MemberId,
    /// From this section alone: 19N04
    #[arg(long, value_name = "SECTION", conflicts_with = "event")]
    section: Option<String>,
    /// From this tournament alone: GK2019 [default: from everything]
    #[arg(long, value_name = "EVENT")]
    event: Option<TournamentId>,
    /// Why; the opponents are told
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
}

/// Note that a player has died; the games that run come before you, none is a forfeit (Rule 10)
#[derive(Clone, Debug, clap::Args)]
pub struct DiedArgs {
    /// The member's number
    member: MemberId,
}

/// Grant a player leave; the clocks stand from the first day to the last (Rule 10)
#[derive(Clone, Debug, clap::Args)]
pub struct LeaveArgs {
    /// The member's number
    member: MemberId,
    /// The first day
    from: NaiveDate,
    /// The last day, included
    to: NaiveDate,
    /// Why
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
}

/// Give a player another address; letters go there from now on
#[derive(Clone, Debug, clap::Args)]
pub struct AddressArgs {
    /// The member's number
    member: MemberId,
    /// The email address
    #[arg(required_unless_present = "postal")]
    email: Option<String>,
    /// The address that goes, where the new one stands in its place
    #[arg(long, value_name = "EMAIL", requires = "email")]
    old: Option<String>,
    /// The postal address, for a player without a working email address
    #[arg(long, value_name = "TEXT")]
    postal: Option<String>,
}

/// Note until when a membership runs (Rule 1)
#[derive(Clone, Debug, clap::Args)]
pub struct RenewArgs {
    /// The member's number
    member: MemberId,
    /// Its last day
    expires: NaiveDate,
}

/// Make two records of the roster one person
#[derive(Clone, Debug, clap::Args)]
pub struct MergeArgs {
    /// The record that goes
    from: MemberId,
    /// The record that stays and has everything then
    into: MemberId,
}

/// Keep two players in different sections, or let them meet again (Rule 2)
#[derive(Clone, Debug, clap::Args)]
pub struct ApartArgs {
    /// The one
    one: MemberId,
    /// The other
    other: MemberId,
    /// They may meet again
    #[arg(long)]
    lift: bool,
}

pub(super) fn withdraw(bench: &Bench<'_>, args: &WithdrawArgs) -> Result<Ready, Refused> {
    let state = bench.state();
    let WithdrawArgs { member, section, event, reason } = args;
    known_player(state, member)?;
    let section = match section {
        Some(text) => Some(find_section(state, text)?.code.clone()),
        None => None,
    };
    if let Some(event) = event {
        known_event(bench, event)?;
    }
    let (scope, from) = match (&section, event) {
        (Some(code), _) => (Scope::Section, format!(" --section {code}")),
        (None, Some(event)) => (Scope::Event, format!(" --event {event}")),
        (None, None) => (Scope::All, String::new()),
    };
    let (member, event, reason) = (member.clone(), event.clone(), reason.clone());
    let within = (scope, section.as_ref(), event.as_ref());
    withdrawal::check(state, &member, within).map_err(Refused::Impossible)?;
    let words = format!("direct withdraw {member}{from}");
    Ok(Ready { words, command: Command::Withdraw { member, scope, section, event, reason } })
}

pub(super) fn died(state: &State, args: &DiedArgs) -> Result<Ready, Refused> {
    let member = args.member.clone();
    let name = known_player(state, &member)?;
    if let Some(on) = state.died.get(&member) {
        return Err(Refused::Impossible(format!("the death of {name} was noted on {on}")));
    }
    Ok(Ready { words: format!("direct died {member}"), command: Command::NoteDeath { member } })
}

pub(super) fn take_leave(state: &State, args: &LeaveArgs) -> Result<Ready, Refused> {
    let LeaveArgs { member, from, to, reason } = args;
    known_player(state, member)?;
    if from > to {
        return Err(Refused::Impossible(format!(
            "{from} comes after {to}; the first day stands first"
        )));
    }
    let (member, from, to, reason) = (member.clone(), *from, *to, reason.clone());
    let words = format!("direct leave {member} {from} {to}");
    Ok(Ready { words, command: Command::GrantLeave { member, from, to, reason } })
}

pub(super) fn address(state: &State, args: &AddressArgs) -> Result<Ready, Refused> {
    let AddressArgs { member, email, old, postal } = args;
    known_player(state, member)?;
    let mut player = state.players[member].clone();
    if let Some(old) = old {
        let known = player.emails.len();
        player.emails.retain(|email| !email.eq_ignore_ascii_case(old));
        if player.emails.len() == known {
            let known = player.emails.join(", ");
            let why = format!("{old} is no address of member {member}; the roster has {known}");
            return Err(Refused::Impossible(why));
        }
    }
    if let Some(email) = email {
        if !words::looks_like_address(email) {
            return Err(Refused::Malformed(format!("`{email}` is no email address")));
        }
        player.emails.retain(|old| !old.eq_ignore_ascii_case(email));
        player.emails.insert(0, email.clone());
    }
    if let Some(postal) = postal {
        player.address = Some(postal.trim().to_owned());
    }
    let to = email.as_ref().or(postal.as_ref()).map_or("", String::as_str);
    Ok(listed(format!("direct address {member} {to}"), player))
}

pub(super) fn renew(state: &State, args: &RenewArgs) -> Result<Ready, Refused> {
    let RenewArgs { member, expires } = args;
    known_player(state, member)?;
    let player = Player { expires: Some(*expires), ..state.players[member].clone() };
    Ok(listed(format!("direct renew {member} {expires}"), player))
}

fn listed(words: String, player: Player) -> Ready {
    Ready { words, command: Command::ListPlayers(vec![player]) }
}

pub(super) fn merge(state: &State, args: &MergeArgs) -> Result<Ready, Refused> {
    let MergeArgs { from, into } = args;
    persons::check_merge(state, from, into).map_err(Refused::Impossible)?;
    let (from, into) = (from.clone(), into.clone());
    let words = format!("direct merge {from} {into}");
    Ok(Ready { words, command: Command::Merge { from, into } })
}

pub(super) fn apart(state: &State, args: &ApartArgs) -> Result<Ready, Refused> {
    let ApartArgs { one, other, lift } = args;
    persons::check_apart(state, one, other, *lift).map_err(Refused::Impossible)?;
    let (one, other, lifted) = (one.clone(), other.clone(), *lift);
    let lift = if lifted { " --lift" } else { "" };
    let words = format!("direct apart {one} {other}{lift}");
    Ok(Ready { words, command: Command::KeepApart { one, other, lifted } })
}
