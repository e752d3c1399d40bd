//! Entries as letters speak of them: how each stands, what is due, what the deadlines are (Rules 1, 8 and 9).

use super::{
    super::Desk,
    Event, event, known, member,
    words::{self, Known},
};
use crate::domain::{
    docket::ItemKind,
    ids::{EntryId, MemberId, TournamentId},
    notice::Recipient,
    refusal::Refusal,
    section::{Entry, EntryState},
    tournament::Tournament,
};
use rust_decimal::Decimal;
use serde::Serialize;
use std::collections::BTreeSet;

/// `entry-received` and `payment-reminder`: entries and what is due for them.
#[derive(Debug, Serialize)]
pub struct Entries {
    /// The tournament.
    pub event: Event,
    /// The entries.
    pub entries: Vec<EntryLine>,
    /// Their ids in one line.
    pub ids: String,
    /// How many of them wait for their fee.
    pub unpaid: usize,
    /// What is owed for them, less what is in the player's account; null where nothing is due. A stranger is told
    /// the fees alone.
    pub due: Option<String>,
    /// What is in that account; null where nothing is, or where the reader is not known.
    pub balance: Option<String>,
    /// What his gift certificates are worth, less what is used (Rule 4); null where nothing is left, or where the
    /// reader is not known.
    pub credit: Option<String>,
    /// How much of them was used for these entries; null where nothing was.
    pub credit_used: Option<String>,
    /// The member's number; null where the reader is not known.
    pub member: Option<String>,
    /// How many of them are paid and wait for a section.
    pub paid: usize,
    /// How many wait for the director.
    pub held: usize,
    /// How many are not accepted.
    pub refused: usize,
    /// How many are carried forward.
    pub carried: usize,
    /// Why more that the same mail asked for were not taken.
    pub beyond: Vec<RefusalLine>,
    /// The first day on which sections are formed, while that lies ahead.
    pub pairings_from: Option<String>,
    /// Deadlines that lie ahead (Rule 9).
    pub deadlines: Vec<DeadlineLine>,
    /// The earliest day on which one of the entries came in.
    pub since: String,
}

/// An entry.
#[derive(Debug, Serialize)]
pub struct EntryLine {
    /// Its id.
    pub id: String,
    /// The tournament's name.
    pub event: String,
    /// Which of the person's entries it is.
    pub number: u8,
    /// The same in words: `first`.
    pub nth: String,
    /// The postmark day.
    pub postmark: String,
    /// Where it stands, in the contract's spelling.
    pub state: &'static str,
    /// Where it stands, a clause without its full stop.
    pub standing: String,
    /// Its sections so far.
    pub sections: Vec<String>,
}

/// `entry-carried-forward`.
#[derive(Debug, Serialize)]
pub struct Carried {
    /// The tournament they came too late for.
    pub event: Event,
    /// The one they play in; null where it is not known yet.
    pub next: Option<Event>,
    /// Whether they are entered there by now, under other numbers.
    pub brought: bool,
    /// The entries.
    pub entries: Vec<CarriedLine>,
    /// The first day on which sections are formed there, while that lies ahead.
    pub pairings_from: Option<String>,
    /// What is still owed of the fee of the year they were sent in; null where it has come.
    pub due: Option<String>,
    /// The member's number; null where the reader is not known.
    pub member: Option<String>,
}

/// An entry that was carried forward.
#[derive(Debug, Serialize)]
pub struct CarriedLine {
    /// Its id in the year it was sent.
    pub id: String,
    /// The postmark day.
    pub postmark: String,
    /// Its id in the year it plays; null where it has none yet.
    pub here: Option<String>,
}

/// A deadline that lies ahead.
#[derive(Debug, Serialize)]
pub struct DeadlineLine {
    /// For which of a person's entries: `first entry`, `third and fourth entry`, `fifth to seventh entry`.
    pub numbers: String,
    /// The last postmark day.
    pub by: String,
}

/// `entry-refused`.
#[derive(Debug, Serialize)]
pub struct Refused {
    /// The tournament; null where none was named.
    pub event: Option<Event>,
    /// Why, a clause each.
    pub refusals: Vec<RefusalLine>,
    /// The tournaments that take entries now, with their last postmark days.
    pub open: Vec<Event>,
}

/// A refusal.
#[derive(Debug, Serialize)]
pub struct RefusalLine {
    /// Its stable code.
    pub code: &'static str,
    /// Why, a clause without its full stop.
    pub why: String,
    /// The same with a capital letter.
    pub sentence: String,
    /// The rule.
    pub rule: u8,
}

/// Returns the view of `entry-received` and `payment-reminder`.
pub fn entries(
    id: &TournamentId,
    entries: &[EntryId],
    beyond: &[Refusal],
    credit_used: Decimal,
    to: &Recipient,
    desk: &Desk<'_>,
) -> Entries {
    let found: Vec<&Entry> = entries.iter().filter_map(|id| desk.state.entries.get(id)).collect();
    let tournament = desk.rules.tournaments.get(id);
    let count = |state| found.iter().filter(|e| e.state == state).count();
    let today = desk.house.day(desk.now);
    let unpaid = count(EntryState::AwaitingPayment);
    let balance = member(to).map_or(Decimal::ZERO, |m| balance(id, m, desk));
    let awaited = found.iter().filter(|e| e.state == EntryState::AwaitingPayment);
    let fees: Decimal = awaited.map(|entry| cost(entry, desk)).sum();
    let credit = member(to).zip(tournament);
    let credit = credit.map_or(Decimal::ZERO, |(m, t)| desk.state.credit_of(m, &t.entry.currency));
    let held = balance.max(Decimal::ZERO) + credit.max(Decimal::ZERO);
    let due = fees - held;
    let money = |amount: Decimal| {
        let shown = amount > Decimal::ZERO;
        tournament.filter(|_| shown).map(|t| words::amount(amount, &t.entry.currency))
    };
    let ids: Vec<_> = found.iter().map(|e| e.id.0.as_str()).collect();
    Entries {
        event: event(id, desk),
        ids: ids.join(", "),
        unpaid,
        due: money(due),
        balance: money(balance),
        credit: money(credit),
        credit_used: money(credit_used).filter(|_| member(to).is_some()),
        member: member(to).map(|m| m.0.clone()),
        paid: count(EntryState::Waiting),
        held: count(EntryState::Docket) + count(EntryState::Received),
        refused: count(EntryState::Refused),
        carried: count(EntryState::CarriedForward),
        beyond: beyond.iter().map(|r| refusal_line(r, known(to))).collect(),
        pairings_from: tournament
            .map(|t| t.entry.pairings_from)
            .filter(|day| *day > today)
            .map(words::date),
        deadlines: tournament.map_or_else(Vec::new, |t| deadlines(t, desk)),
        since: found
            .iter()
            .map(|e| desk.house.day(e.arrived))
            .min()
            .map_or_else(String::new, words::date),
        entries: found.iter().map(|entry| line(entry, known(to), desk)).collect(),
    }
}

/// Returns the view of `entry-carried-forward`.
pub fn carried(id: &TournamentId, entries: &[EntryId], to: &Recipient, desk: &Desk<'_>) -> Carried {
    let found: Vec<&Entry> = entries.iter().filter_map(|id| desk.state.entries.get(id)).collect();
    let tournament = desk.rules.tournaments.get(id);
    let next = tournament.and_then(|t| t.entry.carry_forward_to.as_ref());
    let next = next.and_then(|id| desk.rules.tournaments.get(id));
    let (today, is_known) = (desk.house.day(desk.now), member(to).is_some());
    let line = |entry: &&Entry| CarriedLine {
        id: entry.id.0.clone(),
        postmark: words::date(entry.postmark),
        here: entry.brought_forward.as_ref().map(|here| here.0.clone()),
    };
    // What is owed is owed for the entry that plays: the one of the next year, where that is there.
    let plays = found.iter().map(|entry| {
        let here = entry.brought_forward.as_ref().and_then(|here| desk.state.entries.get(here));
        here.unwrap_or(entry)
    });
    let unpaid: Vec<&Entry> = plays.filter(|entry| !entry.paid).collect();
    let due: Decimal = unpaid.iter().map(|entry| cost(entry, desk)).sum();
    let books: BTreeSet<&TournamentId> = unpaid.iter().map(|entry| &entry.tournament).collect();
    let held = member(to).map_or(Decimal::ZERO, |m| {
        let paid: Decimal = books.iter().map(|id| balance(id, m, desk).max(Decimal::ZERO)).sum();
        let currency = tournament.map(|t| t.entry.currency.as_str());
        paid + currency.map_or(Decimal::ZERO, |c| desk.state.credit_of(m, c)).max(Decimal::ZERO)
    });
    let due = due - held;
    let due =
        tournament.filter(|_| due > Decimal::ZERO).map(|t| words::amount(due, &t.entry.currency));
    Carried {
        event: event(id, desk),
        next: next.map(|t| event(&t.id, desk)),
        brought: found.iter().all(|e| e.brought_forward.is_some()),
        pairings_from: next.map(|t| t.entry.pairings_from).filter(|d| *d > today).map(words::date),
        due,
        member: member(to).filter(|_| is_known).map(|m| m.0.clone()),
        entries: found.iter().map(line).collect(),
    }
}

/// Returns what an entry costs. One that was carried forward costs no more than it did (Rule 9).
fn cost(entry: &Entry, desk: &Desk<'_>) -> Decimal {
    let fee = desk.rules.tournaments.get(&entry.tournament).map(|t| t.entry.fee);
    entry.owes.or(fee).unwrap_or_default()
}

/// Returns the view of `entry-refused`.
pub fn refused(
    id: Option<&TournamentId>,
    refusals: &[Refusal],
    to: &Recipient,
    desk: &Desk<'_>,
) -> Refused {
    Refused {
        event: id.map(|id| event(id, desk)),
        refusals: refusals.iter().map(|r| refusal_line(r, known(to))).collect(),
        open: open_events(desk),
    }
}

/// Returns the tournaments that take entries on the day of the letter.
pub fn open_events(desk: &Desk<'_>) -> Vec<Event> {
    let today = desk.house.day(desk.now);
    let tournaments = desk.rules.tournaments.values();
    let open = tournaments.filter(|t| t.entry.opens <= today && today <= t.closes());
    open.map(|t| event(&t.id, desk)).collect()
}

/// Returns an entry as letters speak of it.
pub fn line(entry: &Entry, known: Known, desk: &Desk<'_>) -> EntryLine {
    EntryLine {
        id: entry.id.0.clone(),
        event: event(&entry.tournament, desk).name,
        number: entry.number,
        nth: words::ordinal(entry.number),
        postmark: words::date(entry.postmark),
        state: words::entry_state(entry.state),
        standing: standing(entry, known, desk),
        sections: entry.sections.iter().map(|code| code.0.clone()).collect(),
    }
}

/// Returns the deadlines that lie ahead, for which of a person's entries each is (Rule 9).
pub fn deadlines(tournament: &Tournament, desk: &Desk<'_>) -> Vec<DeadlineLine> {
    let today = desk.house.day(desk.now);
    let mut all: Vec<_> = tournament.entry.deadlines.iter().collect();
    all.sort_by_key(|d| d.entries);
    let mut lines = Vec::new();
    let mut from = 1;
    for deadline in all {
        let numbers = match deadline.entries {
            to if to == from => format!("{} entry", words::ordinal(to)),
            to if to == from + 1 => {
                format!("{} and {} entry", words::ordinal(from), words::ordinal(to))
            }
            to => format!("{} to {} entry", words::ordinal(from), words::ordinal(to)),
        };
        if deadline.by >= today {
            lines.push(DeadlineLine { numbers, by: words::date(deadline.by) });
        }
        from = deadline.entries.saturating_add(1);
    }
    lines
}

fn balance(id: &TournamentId, member: &MemberId, desk: &Desk<'_>) -> Decimal {
    let account = desk.state.accounts.get(&(id.clone(), member.clone()));
    account.map_or(Decimal::ZERO, crate::domain::state::Account::balance)
}

fn refusal_line(refusal: &Refusal, known: Known) -> RefusalLine {
    let why = words::refusal(refusal, known);
    RefusalLine { code: refusal.code(), sentence: words::sentence(&why), why, rule: refusal.rule() }
}

fn standing(entry: &Entry, known: Known, desk: &Desk<'_>) -> String {
    let tournament = desk.rules.tournaments.get(&entry.tournament);
    match entry.state {
        EntryState::Received => "it is in our hands and will be looked at".to_owned(),
        EntryState::Docket => held(entry, known, desk),
        EntryState::Refused => {
            let why = entry.refusal.as_ref().map(|r| words::refusal(r, known));
            format!("not accepted: {}", why.unwrap_or_else(|| "the director has ruled so".into()))
        }
        EntryState::AwaitingPayment => {
            let fee = tournament.map(|t| words::amount(t.entry.fee, &t.entry.currency));
            format!("accepted; the fee of {} is awaited", fee.unwrap_or_default())
        }
        EntryState::Waiting => "accepted and paid; it waits for a section".to_owned(),
        EntryState::Assigned => {
            let code = entry.sections.last().map_or("", |code| &code.0);
            format!("it plays in section {code}")
        }
        EntryState::Advanced => "it has reached the next round and waits for a section".to_owned(),
        EntryState::Eliminated => "it has been played to its end".to_owned(),
        EntryState::Finished => "it has played all rounds".to_owned(),
        EntryState::Withdrawn => "it is withdrawn".to_owned(),
        EntryState::CarriedForward => carried_clause(tournament, desk),
    }
}

/// Says why an entry is held. To a stranger only what he can know himself: the rest is from the member's record.
fn held(entry: &Entry, known: Known, desk: &Desk<'_>) -> String {
    let item = entry.item.and_then(|id| desk.state.docket.get(&id)).map(|(item, _)| item);
    let tells = |kind| {
        known != Known::Stranger
            || matches!(kind, ItemKind::AddressUnknown | ItemKind::MemberUnknown)
    };
    match item.filter(|item| tells(item.kind)) {
        Some(item) => {
            format!("it waits for the director ({}): {}", item.item, words::matter(item.kind))
        }
        None => "it waits for the director".to_owned(),
    }
}

fn carried_clause(tournament: Option<&Tournament>, desk: &Desk<'_>) -> String {
    let next = tournament.and_then(|t| t.entry.carry_forward_to.as_ref());
    let next = next.and_then(|id| desk.rules.tournaments.get(id));
    let next = next
        .map_or("next year's tournament".to_owned(), |t| format!("the {}", words::clean(&t.name)));
    format!("it came after the last day and is carried forward to {next} (Rule 9)")
}
