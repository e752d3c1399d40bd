//! Entries, money, and who goes on.

use super::{Bench, Ready, Refused, known_event, known_player, reason};
use crate::domain::{
    acts::Assigned,
    command::{Command, EntryForm, Payment},
    ids::{EntryId, MemberId, TournamentId},
    rules::advancement,
};
use chrono::NaiveDate;
use rust_decimal::Decimal;

/// Enter a paper entry (Rule 9)
#[derive(Clone, Debug, clap::Args)]
pub struct EntryArgs {
    /// The tournament's id: GK2019
    event: TournamentId,
    /// The member's number
    member: MemberId,
    /// The day of its postmark (Rule 9)
    #[arg(long, value_name = "DATE")]
    postmark: NaiveDate,
    /// How many entries
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    count: u8,
    /// The fee came with it
    #[arg(long)]
    paid: bool,
}

/// Confirm a payment (Rule 8)
#[derive(Clone, Debug, clap::Args)]
pub struct PaymentArgs {
    /// The tournament's id: GK2019
    event: TournamentId,
    /// The member's number
    member: MemberId,
    /// The amount, in the tournament's currency: 25.00
    amount: Decimal,
    /// The day it came [default: today]
    #[arg(long, value_name = "DATE")]
    received: Option<NaiveDate>,
    /// The bank's or the shop's word for it. The same amount of a day with the same word is the same payment
    #[arg(long, default_value = "")]
    reference: String,
    /// The currency it came in, three letters; one that is not the tournament's is asked about, not booked (Rule 1)
    #[arg(long)]
    currency: Option<String>,
}

/// Say how many entries were assigned, where the sections of the first round are lost (Rule 5)
#[derive(Clone, Debug, clap::Args)]
pub struct AssignedArgs {
    /// The tournament's id: GK2019
    event: TournamentId,
    /// How many
    number: u32,
    /// Why; it is kept in the record
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
}

/// Send an entry on to the next round, whatever it scored (Rules 3 and 7)
#[derive(Clone, Debug, clap::Args)]
pub struct TakeArgs {
    /// The entry: GK2019-031
    entry: EntryId,
    /// Why
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
}

pub(super) fn enter(bench: &Bench<'_>, args: &EntryArgs) -> Result<Ready, Refused> {
    let EntryArgs { event, member, postmark, count, paid } = args;
    known_event(bench, event)?;
    let form = EntryForm {
        event: Some(event.clone()),
        id: None,
        member: Some(member.clone()),
        from: None,
        name: known_player(bench.state(), member)?,
        count: *count,
        postmark: *postmark,
        postmark_doubt: None,
        arrived: bench.now.at,
        paid: *paid,
        mail: None,
    };
    let words = format!("direct entry {event} {member} --postmark {postmark}");
    Ok(Ready { words, command: Command::Enter(form) })
}

pub(super) fn pay(bench: &Bench<'_>, args: &PaymentArgs) -> Result<Ready, Refused> {
    let PaymentArgs { event, member, amount, received, reference, currency } = args;
    known_event(bench, event)?;
    known_player(bench.state(), member)?;
    if *amount <= Decimal::ZERO {
        return Err(Refused::Malformed(format!("{amount} is no amount that can be received")));
    }
    let received = received.unwrap_or(bench.now.today);
    let (event, member, reference) = (event.clone(), member.clone(), reference.clone());
    let words = format!("direct payment {event} {member} {amount}");
    let amount = *amount;
    let payment = Payment { event, member, amount, received, reference };
    let command = match currency {
        Some(currency) => Command::RecordPaymentIn(payment, currency.clone()),
        None => Command::RecordPayment(payment),
    };
    Ok(Ready { words, command })
}

pub(super) fn assigned(bench: &Bench<'_>, args: &AssignedArgs) -> Result<Ready, Refused> {
    let AssignedArgs { event, number, reason } = args;
    known_event(bench, event)?;
    let words = format!("direct entries-assigned {event} {number}");
    let (event, number, reason) = (event.clone(), *number, reason.clone());
    Ok(Ready { words, command: Command::FixAssigned(Assigned { event, number, reason }) })
}

pub(super) fn take(bench: &Bench<'_>, args: &TakeArgs) -> Result<Ready, Refused> {
    let TakeArgs { entry: id, reason } = args;
    advancement::check_take(bench.rules, bench.state(), id).map_err(Refused::Impossible)?;
    let words = format!("direct take {id}");
    Ok(Ready { words, command: Command::TakeEntry { entry: id.clone(), reason: reason.clone() } })
}
