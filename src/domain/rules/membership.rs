//! Rule 1: a membership stays current as long as the player has a game running. Whoever still plays is reminded before it
//! ends, on the days that the tournament's file names; on its last day he is told so and the director is asked. Nothing
//! is forfeited by it. Whether somebody may enter at all is `eligibility.rs`.

use super::withdrawal;
use crate::domain::{
    acts::Reminded,
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind},
    event::Event,
    ids::{EntryId, MemberId},
    intent::Scope,
    readings::MembershipLapse,
    section::{Entry, EntryState},
    state::State,
    tournament::{Rules, Tournament},
};
use chrono::{Days, NaiveDate};

/// Reminds everybody who still plays and whose membership ends soon or has ended, each day named once (Rule 1). Days that
/// passed while the program was down are made up for by one reminder, not by several.
pub(in crate::domain) fn remind(decision: &mut Decision<'_>) {
    let (rules, state) = (decision.rules, decision.state);
    let days = |t: &Tournament| t.eligibility.membership_reminder_days.iter().copied().max();
    let farthest = rules.tournaments.values().filter_map(days).max().unwrap_or(0);
    let horizon = decision.now.today + Days::new(u64::from(farthest));
    for (member, player) in &state.players {
        let Some(expires) = player.expires.filter(|day| *day <= horizon) else { continue };
        let Some(entries) = state.entries_of.get(member) else { continue };
        let over = state.membership_reminded.get(member) == Some(&(expires, 0));
        if !over && !state.died.contains_key(member) {
            look_at(decision, member, entries, expires);
        }
    }
}

fn look_at(
    decision: &mut Decision<'_>,
    member: &MemberId,
    entries: &[EntryId],
    expires: NaiveDate,
) {
    let (state, today) = (decision.state, decision.now.today);
    // What was entered after the membership had ended was put before the director then.
    let held = entries.iter().filter_map(|id| state.entries.get(id));
    let plays: Vec<&Entry> =
        held.filter(|entry| entry.postmark <= expires && still_plays(state, entry)).collect();
    let Some(due) = due(decision.rules, &plays, expires, today) else { return };
    let told = state.membership_reminded.get(member);
    if told.is_some_and(|(end, days)| *end == expires && *days <= due) {
        return;
    }
    let days = u16::try_from((expires - today).num_days()).unwrap_or(0);
    let member = member.clone();
    decision.push(Event::MembershipReminded(Reminded { member: member.clone(), expires, days }));
    if days == 0 {
        ask(decision, &member, &plays, expires);
    }
}

/// Returns the reminder whose day was the last to pass: so many days before the end, 0 on the last day itself.
fn due(rules: &Rules, plays: &[&Entry], expires: NaiveDate, today: NaiveDate) -> Option<u16> {
    let tournaments = plays.iter().filter_map(|entry| rules.tournaments.get(&entry.tournament));
    let days = tournaments.flat_map(|t| t.eligibility.membership_reminder_days.iter().copied());
    let passed = |days: &u16| today + Days::new(u64::from(*days)) >= expires;
    let last_day = Some(0).filter(|_| !plays.is_empty());
    days.chain(last_day).filter(passed).min()
}

/// Tells whether an entry waits for a section, or has a game without an outcome.
fn still_plays(state: &State, entry: &Entry) -> bool {
    match entry.state {
        EntryState::Waiting | EntryState::Advanced => true,
        EntryState::Assigned => running(state, entry) > 0,
        EntryState::Received
        | EntryState::Docket
        | EntryState::Refused
        | EntryState::AwaitingPayment
        | EntryState::Eliminated
        | EntryState::Finished
        | EntryState::Withdrawn
        | EntryState::CarriedForward => false,
    }
}

fn running(state: &State, entry: &Entry) -> usize {
    let sections = entry.sections.iter().filter_map(|code| state.sections.get(code));
    let open = sections.filter(|section| !section.complete);
    let games = open.filter_map(|section| Some((section, section.seat_of(&entry.id)?)));
    games
        .flat_map(|(section, seat)| section.games_of(seat))
        .filter(|g| g.outcome().is_none())
        .count()
}

fn ask(decision: &mut Decision<'_>, member: &MemberId, plays: &[&Entry], expires: NaiveDate) {
    let state = decision.state;
    let mut open = state.open_of_kind(ItemKind::MembershipLapse);
    if open.any(|item| item.about.player.as_ref() == Some(member)) {
        return;
    }
    let name = state.players.get(member).map_or("", |player| &player.name);
    let mut evidence = vec![format!(
        "{name} ({member}) still plays; the last day of the membership is {expires} (Rule 1)."
    )];
    evidence.extend(plays.iter().map(|entry| match running(state, entry) {
        0 => format!("{} waits for a section.", entry.id),
        games => format!("{} has {games} games without an outcome.", entry.id),
    }));
    let offered = plays.iter().filter_map(|e| decision.rules.tournaments.get(&e.tournament));
    let mut offered = offered.map(|tournament| match tournament.readings.membership_lapse {
        MembershipLapse::Docket => choices(&["noted", "withdraw"]),
    });
    let matter = Matter {
        rule: 1,
        about: About { player: Some(member.clone()), ..About::default() },
        choices: offered.next_back().unwrap_or_default(),
        recommended: Some("noted".to_owned()),
        evidence,
        ..Matter::default()
    };
    decision.open(ItemKind::MembershipLapse, matter);
}

/// Does what the director chose about a membership that has ended (Rule 1).
pub(super) fn settle(decision: &mut Decision<'_>, item: &Item, choice: &str, reason: &str) {
    if let (Some(member), "withdraw") = (&item.about.player, choice) {
        withdrawal::withdraw(decision, member, (Scope::All, None, None), reason);
    }
}
