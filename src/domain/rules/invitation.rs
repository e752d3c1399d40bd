//! Rule 2: an invitation. Nobody is seated before entries are closed; then the seats go to the highest-rated of those
//! who entered, unrated last. A tie at the cut is the director's. Who is not invited has his money back.

use super::{
    assignment::{self, rating},
    choosing::Pool,
    leftover, payment,
};
use crate::domain::{
    decide::{Decision, Matter},
    docket::{About, Item, ItemKind},
    event::Event,
    ids::{EntryId, MemberId, TournamentId},
    refusal::Refusal,
    section::{Entry, EntryState},
    state::State,
    tournament::Tournament,
};
use rust_decimal::Decimal;
use std::{cmp::Reverse, collections::BTreeMap};

/// The most ways to choose among those who are tied that are offered.
const WAYS: usize = 12;

/// Who could be invited.
struct Bids<'a> {
    /// All who wait, the highest-rated first.
    order: Vec<&'a Entry>,
    /// How many sections are left to form, at most as many as can be filled.
    sections: usize,
    /// Seats in each.
    size: usize,
    /// The ways to choose: one where nobody is tied at the cut.
    ways: Vec<Vec<&'a Entry>>,
}

/// Seats those who are invited, once entries are closed and it is known of each whether it is good.
pub(super) fn invite(decision: &mut Decision<'_>, tournament: &Tournament) {
    let state = decision.state;
    let unsure = |e: &Entry| {
        matches!(e.state, EntryState::Received | EntryState::Docket | EntryState::AwaitingPayment)
    };
    let mut of_event = state.entries.values().filter(|e| e.tournament == tournament.id);
    if decision.now.today <= tournament.closes() || of_event.any(unsure) {
        return;
    }
    let bids = bids(state, tournament);
    let open = item(state, &tournament.id);
    if let Some(open) = open.filter(|_| bids.ways.len() < 2) {
        decision.close(open.item, "settled", "nobody is tied any more");
    }
    match &bids.ways[..] {
        [] if formed(state, tournament) == 0 => leftover::note(decision, tournament, &bids.order),
        [] => refuse(decision, tournament, &bids.order),
        [way] => seat(decision, tournament, &bids, way),
        _ => {
            let matter = matter(state, tournament, &bids);
            decision.put(open, ItemKind::InvitationTied, matter);
        }
    }
}

fn item<'a>(state: &'a State, event: &TournamentId) -> Option<&'a Item> {
    let mut open = state.open_of_kind(ItemKind::InvitationTied);
    open.find(|item| item.about.event.as_ref() == Some(event))
}

fn formed(state: &State, tournament: &Tournament) -> usize {
    state.sections_in(&tournament.id, 0).count()
}

fn bids<'a>(state: &'a State, tournament: &Tournament) -> Bids<'a> {
    let mut order = state.waiting(&tournament.id, 0);
    order.sort_by_key(|e| (Reverse(rating(state, e)), e.postmark, e.arrived, &e.id));
    let size = tournament.rounds.first().map_or(0, |r| usize::from(r.size));
    let most = usize::from(tournament.assignment.sections);
    let pool = Pool::new(&order, state);
    let (chosen, tables) = pool.choose(size, most.saturating_sub(formed(state, tournament)));
    let sections = tables.len();
    let ways = ways(state, &pool, &order, &chosen, (size, sections));
    Bids { order, sections, size, ways }
}

/// Returns the ways to choose among those who have the lowest rating that is invited.
fn ways<'a>(
    state: &State,
    pool: &Pool<'_>,
    order: &[&'a Entry],
    chosen: &[&'a Entry],
    (size, sections): (usize, usize),
) -> Vec<Vec<&'a Entry>> {
    let Some(cut) = chosen.iter().map(|e| rating(state, e)).min() else { return Vec::new() };
    let places = |wanted: &dyn Fn(&Entry) -> bool| -> Vec<usize> {
        (0..order.len()).filter(|place| wanted(order[*place])).collect()
    };
    let is_chosen = |e: &Entry| chosen.iter().any(|c| c.id == e.id);
    let above = places(&|e| is_chosen(e) && rating(state, e) > cut);
    let tied = places(&|e| rating(state, e) == cut);
    let mut found = Vec::new();
    let mut try_way = |way: &[usize]| {
        let mut must = vec![false; order.len()];
        above.iter().chain(way).for_each(|place| must[*place] = true);
        if pool.fits(&must, size, sections).is_some() {
            let sits = (0..order.len()).filter(|place| must[*place]);
            found.push(sits.map(|place| order[place]).collect());
        }
        found.len() <= WAYS
    };
    choose(&tied, size * sections - above.len(), &mut Vec::new(), &mut try_way);
    found
}

/// Tries every choice of so many places in turn, as long as the trial asks for more.
fn choose(
    from: &[usize],
    count: usize,
    chosen: &mut Vec<usize>,
    trial: &mut impl FnMut(&[usize]) -> bool,
) -> bool {
    if count == 0 {
        return trial(chosen);
    }
    for (n, place) in from.iter().enumerate().take((from.len() + 1).saturating_sub(count)) {
        chosen.push(*place);
        let more = choose(&from[n + 1..], count - 1, chosen, trial);
        chosen.pop();
        if !more {
            return false;
        }
    }
    true
}

/// Returns the entries that make the difference between the ways, each way's joined to a word. Where there are too
/// many the earlier entries are offered as one.
fn labelled<'a>(bids: &Bids<'a>) -> Vec<(String, Vec<&'a Entry>)> {
    if bids.ways.len() > WAYS {
        return bids
            .ways
            .first()
            .map(|way| ("earliest".to_owned(), way.clone()))
            .into_iter()
            .collect();
    }
    let in_all = |e: &Entry| bids.ways.iter().all(|way| way.iter().any(|w| w.id == e.id));
    let label = |way: &Vec<&Entry>| {
        let tied = way.iter().filter(|e| !in_all(e)).map(|e| e.id.0.as_str());
        tied.collect::<Vec<_>>().join("+")
    };
    bids.ways.iter().map(|way| (label(way), way.clone())).collect()
}

fn matter(state: &State, tournament: &Tournament, bids: &Bids<'_>) -> Matter {
    let line = |e: &&Entry| {
        let rating = rating(state, e).map_or("unrated".to_owned(), |r| format!("rating {r}"));
        format!("{} of {} ({}), {rating}, postmark {}.", e.id, e.name, e.member, e.postmark)
    };
    Matter {
        rule: 2,
        about: About { event: Some(tournament.id.clone()), ..About::default() },
        choices: labelled(bids).into_iter().map(|(label, _)| label).collect(),
        recommended: None,
        evidence: bids.order.iter().map(line).collect(),
        entries: bids.order.iter().map(|e| e.id.clone()).collect(),
        ..Matter::default()
    }
}

/// Does what the director chose among those who are tied. Where something has changed since he was asked he is asked
/// again on the next day of assignments.
pub(super) fn settle(decision: &mut Decision<'_>, item: &Item, choice: &str) {
    let state = decision.state;
    let tournament = item.about.event.as_ref().and_then(|id| decision.rules.tournaments.get(id));
    let Some(tournament) = tournament else { return };
    let bids = bids(state, tournament);
    let way = labelled(&bids).into_iter().find(|(label, _)| label == choice);
    if bids.order.iter().map(|e| &e.id).eq(&item.entries)
        && let Some((_, way)) = way
    {
        seat(decision, tournament, &bids, &way);
    }
}

fn seat(decision: &mut Decision<'_>, tournament: &Tournament, bids: &Bids<'_>, way: &[&Entry]) {
    let state = decision.state;
    let pool = Pool::new(way, state);
    let Some(places) = pool.fits(&vec![true; way.len()], bids.size, bids.sections) else { return };
    let places = places.iter().map(|table| table.iter().map(|p| way[*p]).collect()).collect();
    let mut number = assignment::last_number(decision, tournament, 0);
    for table in assignment::deal(decision, tournament, 0, way, places) {
        number += 1;
        assignment::seat(decision, tournament, 0, number, &table);
    }
    let mut left = bids.order.clone();
    left.retain(|e| way.iter().all(|w| w.id != e.id));
    refuse(decision, tournament, &left);
}

/// Who is not invited is told so, and what he paid goes back.
fn refuse(decision: &mut Decision<'_>, tournament: &Tournament, left: &[&Entry]) {
    let size = tournament.rounds.first().map_or(0, |r| usize::from(r.size));
    let seats = size * usize::from(tournament.assignment.sections);
    let mut of_player: BTreeMap<&MemberId, (Decimal, EntryId)> = BTreeMap::new();
    for entry in left {
        let refusal = Refusal::NotInvited { seats };
        decision.push(Event::EntryRefused { entry: entry.id.clone(), refusal });
        let first = || (Decimal::ZERO, entry.id.clone());
        of_player.entry(&entry.member).or_insert_with(first).0 += entry.fee.unwrap_or_default();
    }
    for (member, (fees, first)) in of_player {
        let account = (tournament.id.clone(), member.clone());
        payment::refund(decision, account, fees, fees, format!("{first} is not invited"));
    }
}
