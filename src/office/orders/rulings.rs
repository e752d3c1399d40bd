//! Rulings on docket items, and letters that are sent once more.

use super::{Bench, Ready, Refused, waiting};
use crate::{
    domain::{
        command::Command,
        docket::Item,
        ids::{ItemId, LetterId},
        rules::rulings,
    },
    office::books::LetterState,
};

/// Decide a docket item.
#[derive(Clone, Debug, clap::Args)]
pub struct RuleArgs {
    /// The item: D7
    pub item: ItemId,
    /// One of its choices, or its number among them
    pub choice: String,
    /// Why; it is kept in the record and told to those whom it concerns
    #[arg(long, default_value = "", value_name = "TEXT")]
    pub reason: String,
}

/// Send a letter once more.
#[derive(Clone, Debug, clap::Args)]
pub struct ResendArgs {
    /// The letter: L42
    letter: LetterId,
}

/// Returns the choice of an item that is meant: its own word in any case, or its number among them, from 1 on.
pub(super) fn meant<'a>(item: &'a Item, choice: &str) -> Option<&'a str> {
    let named = item.choices.iter().find(|c| c.eq_ignore_ascii_case(choice));
    let number = || choice.parse::<usize>().ok()?.checked_sub(1);
    let numbered = || number().and_then(|n| item.choices.get(n));
    named.or_else(numbered).map(String::as_str)
}

pub(super) fn rule(bench: &Bench<'_>, args: &RuleArgs) -> Result<Ready, Refused> {
    let RuleArgs { item, choice, reason } = args;
    let state = bench.state();
    let held = state.docket.get(item).map(|(held, _)| held);
    let choice = held.and_then(|held| meant(held, choice)).unwrap_or(choice);
    rulings::check(state, *item, choice).map_err(|why| {
        let hint = if held.is_none() { format!("; {}", waiting(state)) } else { String::new() };
        Refused::Impossible(format!("{why}{hint}"))
    })?;
    let (choice, reason, by) = (choice.to_owned(), reason.trim().to_owned(), bench.by.to_owned());
    let words = format!("rule {item} {choice}");
    Ok(Ready { words, command: Command::Rule { item: *item, choice, reason, by } })
}

pub(super) fn resend(bench: &Bench<'_>, args: &ResendArgs) -> Result<Ready, Refused> {
    let letter = args.letter;
    let Some(entry) = bench.books.letter(letter) else {
        return Err(Refused::Impossible(format!("there is no letter {letter}")));
    };
    if let Some(by) = entry.superseded_by {
        let why = format!("{letter} was replaced before it left; {by} tells what was ruled since");
        return Err(Refused::Impossible(why));
    }
    if entry.state == LetterState::TakenBack {
        let why = "was taken back before it left; what it tells is not so";
        return Err(Refused::Impossible(format!("{letter} {why}")));
    }
    if let Some(at) = entry.erased {
        let on = at.format("%Y-%m-%d");
        return Err(Refused::Impossible(format!("letter {letter} was erased on {on}")));
    }
    Ok(Ready { words: format!("resend {letter}"), command: Command::Resend { letter } })
}
