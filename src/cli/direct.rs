//! `direct`, `rule` and `resend`: the director's orders at the command line. What each is, what is checked and what it
//! becomes is `office/orders/`, where his mails have it from as well; here is only said what came of it.

use super::{
    Done, Failure, Global,
    home::{Home, undisturbed},
    words,
};
use crate::{
    domain::event::Event,
    office::orders::{Act, Carried, Order, Refused, ResendArgs, RuleArgs},
};

/// Other acts of the director.
#[derive(clap::Args)]
pub(super) struct DirectArgs {
    #[command(subcommand)]
    act: Act,
    /// Let the letters that follow leave at once, and not only when the undo time has passed
    #[arg(long, global = true)]
    at_once: bool,
}

/// Decide a docket item.
#[derive(clap::Args)]
pub(super) struct RuleNow {
    #[command(flatten)]
    ruling: RuleArgs,
    /// Let the letters that follow leave at once, and not only when the undo time has passed
    #[arg(long)]
    at_once: bool,
}

pub(super) fn act(global: &Global, args: DirectArgs) -> Done {
    carry_out(global, &Order::Act(args.act), args.at_once)
}

pub(super) fn rule(global: &Global, args: RuleNow) -> Done {
    carry_out(global, &Order::Rule(args.ruling), args.at_once)
}

pub(super) fn resend(global: &Global, args: ResendArgs) -> Done {
    carry_out(global, &Order::Resend(args), true)
}

fn carry_out(global: &Global, order: &Order, at_once: bool) -> Done {
    let home = Home::open(global)?;
    let carried = home.office(undisturbed())?.order(order, at_once)?;
    report(&carried.events);
    tell_wait(&home, &carried);
    Ok(())
}

/// Says until when the letters wait, and how they are stopped.
fn tell_wait(home: &Home, carried: &Carried) {
    let Carried { seq, letters, wait: Some(until), .. } = carried else { return };
    let until = until.with_timezone(&home.config.house.zone).format("%H:%M");
    let (what, it) = if *letters == 1 { ("letter waits", "it") } else { ("letters wait", "them") };
    eprintln!("{letters} {what} until {until}; `knightmail direct undo {seq}` stops {it}.");
}

/// Prints what an order brought about.
pub(super) fn report(events: &[Event]) {
    for event in events {
        eprintln!("{}", words::sentence(event));
    }
    if events.is_empty() {
        eprintln!("Nothing changed.");
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Impossible(why) => Self::Person(why),
            Refused::Malformed(why) => Self::Usage(why),
            Refused::Fault(fault) => Self::Fault(fault),
        }
    }
}
