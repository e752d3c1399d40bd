//! Orders of the director: rulings and his other acts, the same whether they are typed at the command line or written in
//! a mail (Rule 7). Each is checked against the books before it becomes a command of the domain; what is not possible is
//! refused with a sentence that says what would be right. clap reads the words of both: one grammar, one list of acts.

mod answers;
mod carry;
mod entries;
mod examples;
mod games;
mod lines;
mod persons;
mod rulings;
mod shape;
mod undo;

use super::{Announce, Office, books::Books, words};
use crate::{
    domain::{
        command::{Command, Moment},
        event::Event,
        ids::{GameId, ItemId, MemberId, Seat, SectionCode, TournamentId},
        section::Section,
        state::State,
        tournament::Rules,
    },
    fault::Fault,
    store::{Store, transaction::Cause},
};
pub use answers::item_text;
use chrono::{DateTime, Utc};
pub use rulings::{ResendArgs, RuleArgs};
use std::fmt;

/// Other acts of the director.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Act {
    /// Enter a paper entry (Rule 9)
    Entry(entries::EntryArgs),
    /// Confirm a payment (Rule 8)
    Payment(entries::PaymentArgs),
    /// Send an entry on to the next round, whatever it scored (Rules 3 and 7)
    Take(entries::TakeArgs),
    /// Say how many entries were assigned, where the sections of the first round are lost (Rule 5)
    EntriesAssigned(entries::AssignedArgs),
    /// Fix the result of a game (Rule 7)
    Result(games::ResultArgs),
    /// Let a player, or both, lose a game by forfeit (Rule 10)
    Forfeit(games::ForfeitArgs),
    /// Adjudicate a game that is not finished (Rule 7)
    Adjudicate(games::AdjudicateArgs),
    /// Give the seat of one who left to an entry that waits (Rule 10)
    Substitute(games::SubstituteArgs),
    /// Withdraw a player; the games that run are lost, what is finished stands (Rule 10)
    Withdraw(persons::WithdrawArgs),
    /// Note that a player has died; the games that run come before you, none is a forfeit (Rule 10)
    Died(persons::DiedArgs),
    /// Grant a player leave; the clocks stand from the first day to the last (Rule 10)
    Leave(persons::LeaveArgs),
    /// Give a player another address; letters go there from now on
    Address(persons::AddressArgs),
    /// Note until when a membership runs (Rule 1)
    Renew(persons::RenewArgs),
    /// Make two records of the roster one person
    Merge(persons::MergeArgs),
    /// Keep two players in different sections, or let them meet again (Rule 2)
    Apart(persons::ApartArgs),
    /// Take back a ruling or another act, as long as nothing has followed from it (Rule 7)
    Undo(undo::UndoArgs),
}

/// Everything that the director may order.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Order {
    /// An act that answers no docket item.
    #[command(flatten)]
    Act(Act),
    /// Decide a docket item
    Rule(RuleArgs),
    /// Send a letter once more, the same bytes under the same Message-ID
    Resend(ResendArgs),
}

impl Order {
    /// Tells whether the letters that follow wait for the undo time: those of acts that can be taken back. The receipt for
    /// an entry or a payment says what came in, and a letter that is sent again is wanted now.
    const fn may_be_undone(&self) -> bool {
        !matches!(self, Self::Act(Act::Entry(_) | Act::Payment(_) | Act::Undo(_)) | Self::Resend(_))
    }
}

/// An order that was checked: what goes into the journal, and what is asked of the rules.
#[derive(Debug)]
pub(super) struct Ready {
    /// The order in few words.
    pub(super) words: String,
    /// What is asked.
    pub(super) command: Command,
}

/// Why an order is not carried out.
#[derive(Debug)]
pub enum Refused {
    /// It is not possible as the books are: the sentence for the director.
    Impossible(String),
    /// It is no order: the sentence for the director.
    Malformed(String),
    /// Trouble outside.
    Fault(Fault),
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Impossible(why) | Self::Malformed(why) => f.write_str(why),
            Self::Fault(fault) => fault.fmt(f),
        }
    }
}

/// What an order came to.
#[derive(Debug)]
pub struct Carried {
    /// The transaction; its number takes the act back.
    pub seq: u64,
    /// What was decided.
    pub events: Vec<Event>,
    /// How many letters follow.
    pub letters: usize,
    /// Until when these wait so that they can be taken back; none: they leave with the next pass.
    pub wait: Option<DateTime<Utc>>,
}

/// What an order is checked against.
pub(super) struct Bench<'a> {
    pub(super) rules: &'a Rules,
    pub(super) books: &'a Books,
    pub(super) now: Moment,
    /// Who orders.
    pub(super) by: &'a str,
}

impl Bench<'_> {
    pub(super) const fn state(&self) -> &State {
        &self.books.state
    }
}

impl Office {
    /// Carries out an order of the director's that was given at the command line. `at_once`: the letters that follow do not
    /// wait for the undo time.
    ///
    /// # Errors
    /// Why it is not possible; or a fault of the store, after which the office must be opened anew.
    pub fn order(&mut self, order: &Order, at_once: bool) -> Result<Carried, Refused> {
        let by = self.standing.house.director_name.clone();
        let mut refused = None;
        let done = self.locked(|office| {
            let ready = match office.ready(order) {
                Ok(ready) => ready,
                Err(Refused::Fault(fault)) => return Err(fault),
                Err(why) => {
                    refused = Some(why);
                    return Ok(None);
                }
            };
            let cause = Cause::Director { by, words: ready.words.clone(), mail: None };
            let carried = office.carry(cause, order, ready, at_once)?;
            office.doors.store.commit()?;
            // The order is carried out, whatever becomes of the views; the next pass writes them.
            if let Err(fault) = office.write_views() {
                tracing::warn!("{fault}");
            }
            Ok(Some(carried))
        })?;
        match (done, refused) {
            (Some(carried), _) => Ok(carried),
            (None, Some(why)) => Err(why),
            (None, None) => unreachable!("an order is carried out or refused"),
        }
    }

    /// Checks an order against the books as they are.
    pub(super) fn ready(&mut self, order: &Order) -> Result<Ready, Refused> {
        let now = self.moment();
        let Self { standing, books, doors, .. } = self;
        let by = standing.house.director_name.as_str();
        let bench = Bench { rules: &standing.rules, books, now, by };
        ready(&bench, doors.store.as_mut(), order)
    }

    /// Carries out an order that was checked. It is true only after the store's next commit.
    pub(super) fn carry(
        &mut self,
        cause: Cause,
        order: &Order,
        ready: Ready,
        at_once: bool,
    ) -> Result<Carried, Fault> {
        let done = self.transact(cause, &[ready.command], None, order.announce(at_once))?;
        Ok(Carried {
            seq: done.seq,
            wait: done.letters.first().and_then(|letter| letter.not_before),
            letters: done.letters.len(),
            events: done.events,
        })
    }
}

/// Checks an order. `store`: where the journal is read from its beginning, for an order that takes another back.
fn ready(bench: &Bench<'_>, store: &mut dyn Store, order: &Order) -> Result<Ready, Refused> {
    let state = bench.state();
    let act = match order {
        Order::Rule(args) => return rulings::rule(bench, args),
        Order::Resend(args) => return rulings::resend(bench, args),
        Order::Act(act) => act,
    };
    match act {
        Act::Entry(args) => entries::enter(bench, args),
        Act::Payment(args) => entries::pay(bench, args),
        Act::Take(args) => entries::take(bench, args),
        Act::EntriesAssigned(args) => entries::assigned(bench, args),
        Act::Result(args) => games::result(state, args),
        Act::Forfeit(args) => games::forfeit(state, args),
        Act::Adjudicate(args) => games::adjudicate(state, args),
        Act::Substitute(args) => games::substitute(state, args),
        Act::Withdraw(args) => persons::withdraw(bench, args),
        Act::Died(args) => persons::died(state, args),
        Act::Leave(args) => persons::take_leave(state, args),
        Act::Address(args) => persons::address(state, args),
        Act::Renew(args) => persons::renew(state, args),
        Act::Merge(args) => persons::merge(state, args),
        Act::Apart(args) => persons::apart(state, args),
        Act::Undo(args) => undo::undo(bench, store, args),
    }
}

fn known_event(bench: &Bench<'_>, event: &TournamentId) -> Result<(), Refused> {
    let known = &bench.rules.tournaments;
    if known.contains_key(event) {
        return Ok(());
    }
    let ids: Vec<&str> = known.keys().map(|id| id.0.as_str()).collect();
    Err(Refused::Impossible(format!("there is no tournament {event}; there is {}", ids.join(", "))))
}

fn known_player(state: &State, member: &MemberId) -> Result<String, Refused> {
    let player = state.players.get(member);
    let missing = || Refused::Impossible(format!("the roster does not have member {member}"));
    player.map(|p| p.name.clone()).ok_or_else(missing)
}

/// Takes a reason that says something.
fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("a reason says why; it stays in the record".to_owned());
    }
    Ok(text.to_owned())
}

/// Finds a section by its code in any spelling.
///
/// # Errors
/// There is none.
pub fn find_section<'a>(state: &'a State, text: &str) -> Result<&'a Section, Refused> {
    let code = SectionCode::read(text);
    let section = code.as_ref().and_then(|code| state.sections.get(code));
    section.ok_or_else(|| Refused::Impossible(format!("there is no section {text} in the books")))
}

/// Finds a game by its section and `3-1`, White's seat first.
///
/// # Errors
/// There is none; the sentence says which there is.
pub fn find_game(state: &State, section: &str, game: &str) -> Result<GameId, Refused> {
    let section = find_section(state, section)?;
    let seats = game.split_once('-').and_then(|(white, black)| {
        Some((Seat(white.trim().parse().ok()?), Seat(black.trim().parse().ok()?)))
    });
    if let Some(found) = seats.and_then(|(white, black)| section.game(white, black)) {
        return Ok(section.game_id(found));
    }
    let code = &section.code;
    let turned = seats.and_then(|(white, black)| section.game(black, white));
    let hint = match turned {
        Some(game) => format!("seat {} has White: {}-{}", game.white, game.white, game.black),
        None => format!("its seats are 1 to {}", section.seats.len()),
    };
    Err(Refused::Impossible(format!(
        "there is no game {game} in {code}; White's seat stands first, {hint}"
    )))
}

/// Returns the items that wait, the oldest first, as a list in a sentence: `D7 (disputed result), D9 (…)`.
pub(super) fn waiting(state: &State) -> String {
    let mut items: Vec<_> = state.open_docket().collect();
    items.sort_by_key(|item| (item.since, item.item));
    let named = |(id, kind): (ItemId, &str)| format!("{id} ({kind})");
    let listed: Vec<_> = items.iter().map(|item| named((item.item, item.kind.text()))).collect();
    if listed.is_empty() { "nothing waits".to_owned() } else { listed.join(", ") }
}
