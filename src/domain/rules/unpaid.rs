//! Rule 8: entries whose fee has never come. When entries are closed and the last reminder has had its day the director
//! is asked what becomes of them; where he lets them wait he is asked again after a while. The reminders themselves are
//! `reminders.rs`.

use super::entry;
use crate::domain::{
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind, Ruling},
    event::Event,
    ids::{EntryId, MemberId},
    refusal::Refusal,
    section::{Entry, EntryState},
    state::Account,
    tournament::Tournament,
};
use chrono::{Days, NaiveDate};
use std::collections::BTreeMap;

/// Puts each player's unpaid entries to the director once entries are closed (Rule 8), and closes what was paid since.
pub(in crate::domain) fn look(decision: &mut Decision<'_>, tournament: &Tournament) {
    let (state, today) = (decision.state, decision.now.today);
    if today <= tournament.closes() {
        return;
    }
    let due = |e: &&Entry| {
        e.state == EntryState::AwaitingPayment
            && e.tournament == tournament.id
            && today > last_reminder(tournament, e)
    };
    let mut of_player: BTreeMap<&MemberId, Vec<&Entry>> = BTreeMap::new();
    for entry in state.entries.values().filter(due) {
        of_player.entry(&entry.member).or_default().push(entry);
    }
    let mut open: Vec<&Item> = state.open_of_kind(ItemKind::FeeMissing).collect();
    open.retain(|item| item.about.event.as_ref() == Some(&tournament.id));
    for (member, entries) in of_player {
        let his = |item: &&Item| item.about.player.as_ref() == Some(member);
        let standing = open.iter().position(his).map(|n| open.swap_remove(n));
        if standing.is_some() || !is_put_off(decision, tournament, &entries) {
            let matter = matter(decision, tournament, member, &entries);
            decision.put(standing, ItemKind::FeeMissing, matter);
        }
    }
    for item in open {
        decision.close(item.item, "settled", "none of them waits for its fee any more");
    }
}

fn last_reminder(tournament: &Tournament, entry: &Entry) -> NaiveDate {
    let days = tournament.entry.payment_reminder_days.iter().max().copied().unwrap_or(0);
    entry.arrived.date_naive() + Days::new(u64::from(days))
}

/// Tells whether the director said lately that all of them may wait.
fn is_put_off(decision: &Decision<'_>, tournament: &Tournament, entries: &[&Entry]) -> bool {
    let days = Days::new(u64::from(tournament.entry.ask_again_days));
    let lately = |ruling: &Ruling| {
        ruling.choice == "wait" && ruling.at.date_naive() + days > decision.now.today
    };
    let mut asked = decision.state.docket.values();
    asked.any(|(item, ruling)| {
        item.kind == ItemKind::FeeMissing
            && ruling.as_ref().is_some_and(lately)
            && entries.iter().all(|e| item.entries.contains(&e.id))
    })
}

fn matter(
    decision: &Decision<'_>,
    tournament: &Tournament,
    member: &MemberId,
    entries: &[&Entry],
) -> Matter {
    let account = decision.state.accounts.get(&(tournament.id.clone(), member.clone()));
    let balance = account.map(Account::balance).unwrap_or_default();
    let line = |e: &&Entry| {
        let asked = e.reminded.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let asked = if asked.is_empty() { "never".to_owned() } else { format!("on {asked}") };
        format!("{} of {}, postmark {}; its fee was asked for {asked}.", e.id, e.name, e.postmark)
    };
    let fee = format!(
        "The fee of an entry is {} {}; the player has {balance} to his credit.",
        tournament.entry.fee, tournament.entry.currency
    );
    Matter {
        rule: 8,
        about: About {
            event: Some(tournament.id.clone()),
            player: Some(member.clone()),
            ..About::default()
        },
        choices: choices(&["refuse", "wait", "carry-forward"]),
        recommended: Some("refuse".to_owned()),
        evidence: entries.iter().map(line).chain([fee]).collect(),
        entries: entries.iter().map(|e| e.id.clone()).collect(),
        ..Matter::default()
    }
}

/// Does what the director chose for entries that were never paid (Rule 8). One that was paid since is let be.
pub(super) fn settle(decision: &mut Decision<'_>, item: &Item, choice: &str, reason: &str) {
    let state = decision.state;
    let tournament = item.about.event.as_ref().and_then(|id| decision.rules.tournaments.get(id));
    let Some(tournament) = tournament else { return };
    let unpaid = |id: &&EntryId| {
        state.entries.get(id).is_some_and(|e| e.state == EntryState::AwaitingPayment)
    };
    let unpaid: Vec<EntryId> = item.entries.iter().filter(unpaid).cloned().collect();
    match choice {
        "refuse" => {
            let reason = if reason.is_empty() { "the fee has not come" } else { reason };
            for entry in unpaid {
                let refusal = Refusal::ByRuling { reason: reason.to_owned() };
                decision.push(Event::EntryRefused { entry, refusal });
            }
        }
        "carry-forward" => entry::carry_forward(decision, tournament, &unpaid),
        _ => {}
    }
}
