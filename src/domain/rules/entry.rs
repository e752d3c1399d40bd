//! Rules 8 and 9: taking entries. One person may hold several; his k-th, counted in order of postmark, has the
//! deadline of k. Whether he may play at all is `eligibility.rs`; his money is `payment.rs`.

use super::{eligibility, eligibility::Verdict, forward, payment};
use crate::domain::{
    command::EntryForm,
    decide::{Decision, Matter, choices},
    docket::{About, ItemKind},
    event::{Correspondent, Event},
    ids::{EntryId, MemberId},
    refusal::Refusal,
    section::{Entry, EntryState},
    tournament::Tournament,
};
use chrono::NaiveDate;

/// What becomes of one entry of a form.
enum Fate {
    InTime,
    Late(NaiveDate),
    AfterTheEnd,
}

/// Takes in an entry form: each of its entries is received and then judged by itself (Rules 8 and 9).
pub(in crate::domain) fn enter(decision: &mut Decision<'_>, form: &EntryForm) {
    let tournament = form.event.as_ref().and_then(|id| decision.rules.tournaments.get(id));
    match (tournament, &form.member) {
        (None, _) => decline(decision, form, Refusal::TournamentUnknown),
        (_, None) => decline(decision, form, Refusal::MemberIdMissing),
        (Some(tournament), Some(member)) => take(decision, form, tournament, member),
    }
}

fn decline(decision: &mut Decision<'_>, form: &EntryForm, refusal: Refusal) {
    let from = form.from.clone().unwrap_or_default();
    decision.push(Event::EntryDeclined { from, refusal });
}

fn take(decision: &mut Decision<'_>, form: &EntryForm, tournament: &Tournament, member: &MemberId) {
    let held = held_entries(decision, form, tournament, member);
    let allowed = tournament.entry.per_player;
    let room = usize::from(allowed).saturating_sub(held.len());
    let wanted = usize::from(form.count);
    let ids = receive(decision, form, tournament, member, wanted.min(room), &held);
    if wanted > room {
        // Rule 8: an eleventh is refused, whatever becomes of the ten.
        decline(decision, form, Refusal::TooManyEntries { allowed });
    }
    if form.paid {
        payment::receive_with(decision, tournament, member, &ids);
    }
    judge(decision, form, tournament, member, ids);
}

/// Returns the postmarks of the person's entries that count with this form: those of this year, or after the last day
/// those that play next year (Rule 9). What is refused does not count, nor what somebody else sent in his name as long
/// as the director has not accepted it.
fn held_entries(
    decision: &Decision<'_>,
    form: &EntryForm,
    tournament: &Tournament,
    member: &MemberId,
) -> Vec<NaiveDate> {
    let next_year = form.postmark > tournament.closes();
    let counts = |entry: &&Entry| match entry.state {
        EntryState::Refused => false,
        EntryState::Docket if entry.from.is_some() => entry.from == unknown_sender(form, member),
        EntryState::CarriedForward => next_year,
        _ => next_year == (entry.postmark > tournament.closes()),
    };
    let entries = decision.state.entries_in(&tournament.id, member);
    let mut held: Vec<NaiveDate> = entries.filter(counts).map(|e| e.postmark).collect();
    if let Some(next) = tournament.entry.carry_forward_to.as_ref().filter(|_| next_year) {
        held.extend(forward::held_there(decision.state, tournament, next, member));
    }
    held
}

/// Receives so many entries and returns each with its number among the person's (Rule 9).
fn receive(
    decision: &mut Decision<'_>,
    form: &EntryForm,
    tournament: &Tournament,
    member: &MemberId,
    count: usize,
    held: &[NaiveDate],
) -> Vec<(EntryId, u8)> {
    // Counted in order of postmark, then of arrival: what came before with the same postmark goes first.
    let before = held.iter().filter(|postmark| **postmark <= form.postmark).count();
    let last = decision.state.last_entry.get(&tournament.id).copied().unwrap_or(0);
    let is_taken = |id: &EntryId| decision.state.entries.contains_key(id);
    let free = (last + 1..).map(|running| EntryId(format!("{}-{running:03}", tournament.id)));
    let free = free.filter(|made| form.id.as_ref() != Some(made)).take(count);
    let mut ids = Vec::new();
    let mut received = Vec::new();
    for (n, made) in free.enumerate() {
        let given = form.id.clone().filter(|id| n == 0 && !is_taken(id));
        let entry = given.unwrap_or(made);
        let number = u8::try_from(before + n + 1).unwrap_or(u8::MAX);
        received.push(Event::EntryReceived {
            entry: entry.clone(),
            event: tournament.id.clone(),
            member: member.clone(),
            name: form.name.clone(),
            number,
            postmark: form.postmark,
            arrived: form.arrived,
            from: unknown_sender(form, member),
        });
        ids.push((entry, number));
    }
    for event in received {
        decision.push(event);
    }
    ids
}

/// Returns the sender where he is not the player himself writing from an address of the books.
fn unknown_sender(form: &EntryForm, member: &MemberId) -> Option<Correspondent> {
    form.from.clone().filter(|from| from.player.as_ref() != Some(member))
}

fn judge(
    decision: &mut Decision<'_>,
    form: &EntryForm,
    tournament: &Tournament,
    member: &MemberId,
    ids: Vec<(EntryId, u8)>,
) {
    if ids.is_empty() {
        return;
    }
    if form.postmark < tournament.entry.opens {
        let opens = tournament.entry.opens;
        return refuse(decision, &ids, &Refusal::NotOpen { opens });
    }
    let player = decision.state.players.get(member);
    let verdict = eligibility::judge(&tournament.eligibility, player, decision.now.today);
    if let Verdict::Refused(refusal) = verdict {
        return refuse(decision, &ids, &refusal);
    }
    // A player whom the roster does not have is the director's; his rating is not known.
    if let Some(player) = player.filter(|p| tournament.class_of(p.rating).is_none()) {
        return refuse(decision, &ids, &Refusal::RatingOutside { rating: player.rating });
    }
    let doubt = sender_doubt(decision, form, member).or(match verdict {
        Verdict::Doubtful(kind, why) => Some((kind, why)),
        Verdict::Eligible | Verdict::Refused(_) => None,
    });
    sort_by_deadline(decision, form, tournament, member, ids, doubt);
}

fn refuse(decision: &mut Decision<'_>, ids: &[(EntryId, u8)], refusal: &Refusal) {
    for (entry, _) in ids {
        decision.push(Event::EntryRefused { entry: entry.clone(), refusal: refusal.clone() });
    }
}

/// The first mail from a new address never acts for a known player.
fn sender_doubt(
    decision: &Decision<'_>,
    form: &EntryForm,
    member: &MemberId,
) -> Option<(ItemKind, String)> {
    let from = unknown_sender(form, member)?;
    let player = decision.state.players.get(member)?;
    let address = from.address.unwrap_or_default();
    let why = format!("{address} is not known as an address of {} ({member}).", player.name);
    Some((ItemKind::AddressUnknown, why))
}

/// Rule 9: the entries in time are accepted, the rest goes to the docket or to next year.
fn sort_by_deadline(
    decision: &mut Decision<'_>,
    form: &EntryForm,
    tournament: &Tournament,
    member: &MemberId,
    ids: Vec<(EntryId, u8)>,
    doubt: Option<(ItemKind, String)>,
) {
    let mut good = Vec::new();
    let mut late = Vec::new();
    for (entry, number) in ids {
        match fate(tournament, form.postmark, number) {
            Fate::InTime | Fate::AfterTheEnd => good.push(entry),
            Fate::Late(by) => late.push((entry, number, by)),
        }
    }
    if doubt.is_none() {
        renumber(decision, form, tournament, member, good.len() + late.len());
    }
    note_postmark(decision, form, tournament, member, good.first());
    put_late(decision, form, tournament, member, &late, doubt.as_ref());
    match doubt {
        Some((kind, why)) if !good.is_empty() => {
            put_doubt(decision, form, tournament, member, kind, why, good);
        }
        _ if form.postmark > tournament.closes() => carry_forward(decision, tournament, &good),
        _ => {
            let paid = if form.paid { good.len() + late.len() } else { 0 };
            accept(decision, tournament, member, &good, paid);
        }
    }
}

/// Rule 9: entries with a later postmark move up by as many as came in with an earlier one. What was in time for its
/// number and is not any more goes to the docket, unless it plays already.
fn renumber(
    decision: &mut Decision<'_>,
    form: &EntryForm,
    tournament: &Tournament,
    member: &MemberId,
    count: usize,
) {
    let mut late = Vec::new();
    for entry in decision.state.entries_in(&tournament.id, member) {
        let moves = entry.postmark > form.postmark && entry.postmark <= tournament.closes();
        if !moves || matches!(entry.state, EntryState::Refused | EntryState::CarriedForward) {
            continue;
        }
        let number = entry.number.saturating_add(u8::try_from(count).unwrap_or(u8::MAX));
        decision.push(Event::EntryRenumbered { entry: entry.id.clone(), number });
        let waits = matches!(entry.state, EntryState::AwaitingPayment | EntryState::Waiting);
        if let Fate::Late(by) = fate(tournament, entry.postmark, number)
            && waits
            && matches!(fate(tournament, entry.postmark, entry.number), Fate::InTime)
        {
            late.push((entry.id.clone(), number, by, entry.postmark));
        }
    }
    let Some((first, ..)) = late.first() else { return };
    let line = |(entry, number, by, postmark): &(EntryId, u8, NaiveDate, NaiveDate)| {
        format!(
            "{entry} is entry number {number} now that one postmarked {} has come: postmark by {by} (Rule 9), it was \
             {postmark}.",
            form.postmark
        )
    };
    let matter = Matter {
        rule: 9,
        about: about(form, tournament, member, first),
        choices: choices(&["accept", "carry-forward", "refund"]),
        recommended: Some("accept".to_owned()),
        evidence: late.iter().map(line).collect(),
        entries: late.iter().map(|(entry, ..)| entry.clone()).collect(),
        ..Matter::default()
    };
    decision.open(ItemKind::EntryLate, matter);
}

/// Carries entries forward to next year's tournament (Rule 9).
pub(super) fn carry_forward(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    entries: &[EntryId],
) {
    for entry in entries {
        let to = tournament.entry.carry_forward_to.clone();
        decision.push(Event::EntryCarriedForward { entry: entry.clone(), to });
    }
}

fn fate(tournament: &Tournament, postmark: NaiveDate, number: u8) -> Fate {
    match tournament.deadline(number) {
        Some(by) if postmark <= by => Fate::InTime,
        _ if postmark > tournament.closes() => Fate::AfterTheEnd,
        by => Fate::Late(by.unwrap_or(tournament.entry.opens)),
    }
}

/// Accepts entries and covers them with what the player has paid, and with the fees that came just now (Rule 8).
pub(super) fn accept(
    decision: &mut Decision<'_>,
    tournament: &Tournament,
    member: &MemberId,
    entries: &[EntryId],
    fees_with_it: usize,
) {
    for entry in entries {
        decision.push(Event::EntryAccepted { entry: entry.clone() });
    }
    payment::cover(decision, tournament, member, entries, fees_with_it);
}

fn put_late(
    decision: &mut Decision<'_>,
    form: &EntryForm,
    tournament: &Tournament,
    member: &MemberId,
    late: &[(EntryId, u8, NaiveDate)],
    doubt: Option<&(ItemKind, String)>,
) {
    let Some((first, ..)) = late.first() else { return };
    let evidence = late.iter().map(|(entry, number, by)| {
        format!(
            "{entry} is entry number {number} of this player: postmark by {by} (Rule 9), it was {}.",
            form.postmark
        )
    });
    let matter = Matter {
        rule: 9,
        about: about(form, tournament, member, first),
        choices: choices(&["accept", "carry-forward", "refund"]),
        recommended: Some("carry-forward".to_owned()),
        evidence: evidence
            .chain(form.postmark_doubt.clone())
            .chain(doubt.map(|(_, why)| why.clone()))
            .collect(),
        entries: late.iter().map(|(entry, ..)| entry.clone()).collect(),
        ..Matter::default()
    };
    decision.open(ItemKind::EntryLate, matter);
}

fn put_doubt(
    decision: &mut Decision<'_>,
    form: &EntryForm,
    tournament: &Tournament,
    member: &MemberId,
    kind: ItemKind,
    why: String,
    entries: Vec<EntryId>,
) {
    let matter = Matter {
        rule: 1,
        about: about(form, tournament, member, &entries[0]),
        choices: choices(&["accept", "refuse"]),
        recommended: lean(kind).map(str::to_owned),
        evidence: vec![why],
        entries,
        ..Matter::default()
    };
    decision.open(kind, matter);
}

/// Rule 1 is for members whose membership is current. Where somebody lives, and who writes for whom, it cannot say.
const fn lean(kind: ItemKind) -> Option<&'static str> {
    match kind {
        ItemKind::MemberUnknown | ItemKind::MembershipLapsed => Some("refuse"),
        _ => None,
    }
}

/// Rule 9: where the sender's date is not believed the server's counts, and the docket is told.
fn note_postmark(
    decision: &mut Decision<'_>,
    form: &EntryForm,
    tournament: &Tournament,
    member: &MemberId,
    entry: Option<&EntryId>,
) {
    let (Some(why), Some(entry)) = (&form.postmark_doubt, entry) else { return };
    let matter = Matter {
        rule: 9,
        about: about(form, tournament, member, entry),
        choices: choices(&["noted"]),
        recommended: Some("noted".to_owned()),
        evidence: vec![why.clone(), format!("The postmark is taken as {}.", form.postmark)],
        ..Matter::default()
    };
    decision.open(ItemKind::PostmarkDoubtful, matter);
}

fn about(form: &EntryForm, tournament: &Tournament, member: &MemberId, entry: &EntryId) -> About {
    About {
        event: Some(tournament.id.clone()),
        entry: Some(entry.clone()),
        player: Some(member.clone()),
        mail: form.mail.clone(),
        ..About::default()
    }
}
