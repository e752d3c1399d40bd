//! Applying what is won and what befalls persons.

use super::{change, forget_address, list_player, set_state};
use crate::domain::{
    acts::{Apart, Carried, Reminded, Substitution},
    event::Event,
    flood::HeldBack,
    forgotten::Forgotten,
    honours::{Award, AwardGiven, CreditUsed},
    ids::{EntryId, MemberId, TournamentId},
    progress::is_past,
    section::{CreditPart, EntryState, Seated},
    state::State,
};

/// Counts a mail that is held back; the item that stands for it may be open or decided by now.
fn hold_back(state: &mut State, held: &HeldBack) {
    let item = state.docket.get_mut(&held.item);
    if let Some(flood) = item.and_then(|(item, _)| item.flood.as_mut()) {
        flood.mails += 1;
    }
    if let Some(on) = held.alert {
        state.flood_alerts.insert(held.cap, on);
    }
}

/// Books scores, awards, credit and prizes.
pub(super) fn honour(state: &mut State, event: &Event) {
    match event {
        Event::ScoreCarried(carried) => carry(state, carried),
        Event::AssignedFixed(fixed) => {
            state.assigned.insert(fixed.event.clone(), fixed.number);
        }
        Event::AwardGiven(given) => give(state, given),
        Event::AwardTakenBack(given) => take_back(state, given),
        Event::CreditUsed(used) => use_credit(state, used),
        Event::PrizesAwarded(list) => {
            let of = (list.event.clone(), list.section.clone());
            state.prizes.insert(of, list.clone());
        }
        _ => {}
    }
}

/// An entry that plays a later round, has finished or has left stands where it stood.
fn carry(state: &mut State, carried: &Carried) {
    let Some(entry) = state.entries.get(&carried.entry) else { return };
    let stays = matches!(entry.state, EntryState::Withdrawn | EntryState::Finished)
        || is_past(state, entry, carried.round);
    change(state, &carried.entry, |entry| {
        entry.carried.retain(|known| known.round != carried.round);
        entry.carried.push(carried.clone());
        if !stays {
            entry.state = EntryState::Assigned;
        }
    });
}

fn give(state: &mut State, given: &AwardGiven) {
    let Some(entry) = state.entries.get_mut(&given.entry) else { return };
    entry.awards.push(given.award.clone());
    if let Award::GiftCertificate { amount, currency } = &given.award {
        let account = (entry.member.clone(), currency.clone());
        *state.credit.entry(account).or_default() += amount;
    }
}

fn take_back(state: &mut State, given: &AwardGiven) {
    let Some(entry) = state.entries.get_mut(&given.entry) else { return };
    entry.awards.retain(|award| *award != given.award);
    if let Award::GiftCertificate { amount, currency } = &given.award {
        let account = (entry.member.clone(), currency.clone());
        *state.credit.entry(account).or_default() -= amount;
    }
}

fn use_credit(state: &mut State, used: &CreditUsed) {
    let account = (used.member.clone(), used.currency.clone());
    *state.credit.entry(account).or_default() -= used.amount;
    let (amount, currency) = (used.amount, used.currency.clone());
    change(state, &used.entry, |entry| {
        entry.credit = Some(CreditPart { amount, currency, returned: false });
    });
}

/// The part of a fee that was paid with credit is credit again.
pub(super) fn give_credit_back(state: &mut State, entry: &EntryId) {
    let Some(entry) = state.entries.get_mut(entry) else { return };
    let Some(part) = entry.credit.as_mut().filter(|part| !part.returned) else { return };
    part.returned = true;
    let account = (entry.member.clone(), part.currency.clone());
    *state.credit.entry(account).or_default() += part.amount;
}

/// Books what befalls persons.
pub(super) fn befall(state: &mut State, event: &Event) {
    match event {
        Event::MembershipReminded(Reminded { member, expires, days }) => {
            state.membership_reminded.insert(member.clone(), (*expires, *days));
        }
        Event::KeptApart(apart) => keep_apart(state, apart),
        Event::LeaveGranted(leave) => {
            state.leaves.entry(leave.member.clone()).or_default().push(leave.clone());
        }
        Event::PlayerDied { member, on } => {
            state.died.insert(member.clone(), *on);
        }
        Event::SeatTaken(substitution) => take_seat(state, substitution),
        Event::PlayersMerged(merged) => merge(state, &merged.from, &merged.into),
        Event::PlayerForgotten(forgotten) => forget(state, forgotten),
        Event::OverstepWarned(warned) => {
            let side = (warned.game.clone(), warned.side);
            let charged = (warned.on, warned.penalty_days);
            state.charged.entry(side.clone()).or_default().push(charged);
            state.oversteps.entry(side).or_default().push(warned.penalty_days);
        }
        Event::DaysCharged(charged) => {
            let side = (charged.game.clone(), charged.side);
            state.charged.entry(side).or_default().push((charged.on, charged.days));
        }
        Event::MailHeldBack(held) => hold_back(state, held),
        Event::AlarmRaised(alarm) => drop(state.alarms.insert(alarm.matter, alarm.on)),
        _ => {}
    }
}

fn keep_apart(state: &mut State, Apart { one, other, lifted }: &Apart) {
    let (one, other) = if one < other { (one, other) } else { (other, one) };
    let pair = (one.clone(), other.clone());
    if *lifted {
        state.apart.remove(&pair);
    } else {
        state.apart.insert(pair);
    }
}

fn take_seat(state: &mut State, taken: &Substitution) {
    let section = state.sections.get_mut(&taken.section);
    let seat = usize::from(taken.seat.0).checked_sub(1);
    let Some(seated) = section.zip(seat).and_then(|(s, n)| s.seats.get_mut(n)) else { return };
    *seated = Seated { entry: taken.entry.clone(), rating: taken.rating };
    drop_promises(state, taken);
    set_state(state, &taken.left, EntryState::Withdrawn);
    set_state(state, &taken.entry, EntryState::Assigned);
    change(state, &taken.entry, |entry| entry.sections.push(taken.section.clone()));
}

/// What the one who left had offered and promised in his games is no word of the one who comes.
fn drop_promises(state: &mut State, taken: &Substitution) {
    let Some(section) = state.sections.get_mut(&taken.section) else { return };
    for game in &mut section.games {
        let Some(side) = game.side(taken.seat) else { continue };
        if game.offer == Some(side) {
            game.offer = None;
        }
        if game.record.next_side() != side {
            game.conditional.clear();
        }
    }
}

/// What tells where and how he can be reached is gone; number, name and what he played stand.
fn forget(state: &mut State, forgotten: &Forgotten) {
    let Some(mut player) = state.players.get(&forgotten.member).cloned() else { return };
    player.emails.clear();
    (player.address, player.timezone, player.language) = (None, None, None);
    if let Some(name) = &forgotten.name {
        player.name.clone_from(name);
    }
    list_player(state, &player);
}

/// Everything of the one is the other's.
fn merge(state: &mut State, from: &MemberId, into: &MemberId) {
    let Some(gone) = state.players.remove(from) else { return };
    for address in &gone.emails {
        forget_address(state, address, from);
    }
    if let Some(player) = state.players.get_mut(into) {
        for address in gone.emails {
            state.addresses.entry(address.to_lowercase()).or_default().insert(into.clone());
            if !player.emails.iter().any(|known| known.eq_ignore_ascii_case(&address)) {
                player.emails.push(address);
            }
        }
    }
    merge_entries(state, from, into);
    merge_money(state, from, into);
    if let Some(leaves) = state.leaves.remove(from) {
        state.leaves.entry(into.clone()).or_default().extend(leaves);
    }
    if let Some(on) = state.died.remove(from) {
        state.died.entry(into.clone()).or_insert(on);
    }
    let named = |(one, other): &&(MemberId, MemberId)| one == from || other == from;
    for pair in state.apart.iter().filter(named).cloned().collect::<Vec<_>>() {
        state.apart.remove(&pair);
        let other = if &pair.0 == from { pair.1 } else { pair.0 };
        keep_apart(state, &Apart { one: into.clone(), other, lifted: false });
    }
    merge_questions(state, from, into);
    merge_post(state, from, into);
}

fn merge_entries(state: &mut State, from: &MemberId, into: &MemberId) {
    let Some(moved) = state.entries_of.remove(from) else { return };
    for id in &moved {
        change(state, id, |entry| entry.member = into.clone());
    }
    let held = state.entries_of.entry(into.clone()).or_default();
    held.extend(moved);
    let entries = &state.entries;
    held.sort_by_key(|id| entries.get(id).map(|entry| entry.arrived));
}

fn merge_money(state: &mut State, from: &MemberId, into: &MemberId) {
    let held: Vec<TournamentId> =
        state.accounts.keys().filter(|(_, m)| m == from).map(|(event, _)| event.clone()).collect();
    for event in held {
        let account = state.accounts.remove(&(event.clone(), from.clone())).unwrap_or_default();
        let joined = state.accounts.entry((event, into.clone())).or_default();
        joined.payments.extend(account.payments);
        joined.used += account.used;
    }
    let held: Vec<(MemberId, String)> =
        state.credit.keys().filter(|(whose, _)| whose == from).cloned().collect();
    for account in held {
        let credit = state.credit.remove(&account).unwrap_or_default();
        *state.credit.entry((into.clone(), account.1)).or_default() += credit;
    }
}

fn merge_questions(state: &mut State, from: &MemberId, into: &MemberId) {
    for question in state.questions.values_mut().filter(|q| &q.player == from) {
        question.player = into.clone();
        if state.open_questions.remove(&(from.clone(), question.question)) {
            state.open_questions.insert((into.clone(), question.question));
        }
    }
}

fn merge_post(state: &mut State, from: &MemberId, into: &MemberId) {
    let moved = |member: &Option<MemberId>| member.as_ref() == Some(from);
    let failed = std::mem::take(&mut state.post.failed);
    state.post.failed = failed
        .into_iter()
        .map(|((member, address), on)| {
            let member = if moved(&member) { Some(into.clone()) } else { member };
            ((member, address), on)
        })
        .collect();
    for lost in state.post.lost.values_mut().filter(|lost| moved(&lost.member)) {
        lost.member = Some(into.clone());
    }
}
