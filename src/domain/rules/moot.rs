//! Rule 7: a docket item waits for the director only as long as there is something to decide. Whatever settles its
//! matter by another way closes it here, for all kinds in one place, with a ruling that says so.

use super::forfeits;
use crate::domain::{
    decide::Decision,
    docket::{Item, ItemKind},
    event::Event,
    ids::{EntryId, GameId, ItemId, MemberId, SectionCode},
    points::{How, Side},
    post::{Failed, PostEvent},
    section::EntryState,
    state::State,
};
use std::collections::{BTreeMap, BTreeSet};

/// What has just been decided, as far as it may settle what waits.
#[derive(Default)]
struct News {
    /// Games that have an outcome now.
    games: BTreeSet<GameId>,
    /// Entries that are out: refused, withdrawn, carried forward.
    out: BTreeSet<EntryId>,
    /// Entries that are seated now.
    seated: BTreeSet<EntryId>,
    /// Entries whose fee is covered now.
    paid: BTreeSet<EntryId>,
    /// Members who have died.
    died: BTreeSet<MemberId>,
    /// Members whose membership runs.
    current: BTreeSet<MemberId>,
    /// Entries that left a seat to another, with the section.
    left: BTreeSet<(EntryId, SectionCode)>,
    /// Addresses that are good again, with whose they are; none: the director's (Rule 10).
    good: BTreeSet<Failed>,
    /// Members whose record in the roster is another.
    listed: BTreeMap<MemberId, Vec<String>>,
    /// Items that the decision itself is about.
    ruled: BTreeSet<ItemId>,
}

/// Closes the open items whose matter is settled by what has just been decided.
pub(in crate::domain) fn close(decision: &mut Decision<'_>) {
    let state = decision.state;
    if state.open_items.is_empty() {
        return;
    }
    let news = gather(decision);
    let settled: Vec<(ItemId, String)> = affected(&news)
        .into_iter()
        .flat_map(|kind| state.open_of_kind(kind))
        .filter(|item| !news.ruled.contains(&item.item))
        .filter_map(|item| Some((item.item, why(decision, &news, item)?)))
        .collect();
    for (item, reason) in settled {
        decision.close(item, "moot", &reason);
    }
}

fn gather(decision: &Decision<'_>) -> News {
    let mut news = News::default();
    for event in decision.events() {
        if let Event::PlayerListed(player) = event {
            let emails = player.emails.iter().map(|email| email.to_lowercase()).collect();
            news.listed.insert(player.member.clone(), emails);
        }
        match event {
            Event::ResultConfirmed { game, .. } | Event::ResultRuled { game, .. } => {
                news.games.insert(game.clone());
            }
            Event::EntryRefused { entry, .. }
            | Event::EntryWithdrawn { entry }
            | Event::EntryCarriedForward { entry, .. } => drop(news.out.insert(entry.clone())),
            Event::SectionFormed { seats, .. } => {
                news.seated.extend(seats.iter().map(|seated| seated.entry.clone()));
            }
            Event::EntryPaid { entry, .. } => drop(news.paid.insert(entry.clone())),
            Event::PlayerDied { member, .. } => drop(news.died.insert(member.clone())),
            Event::Post(PostEvent::AddressGood(good)) => {
                news.good.insert((good.member.clone(), good.address.clone()));
            }
            Event::PlayerListed(player)
                if player.expires.is_some_and(|last| last > decision.now.today) =>
            {
                news.current.insert(player.member.clone());
            }
            Event::SeatTaken(taken) => {
                news.left.insert((taken.left.clone(), taken.section.clone()));
                news.seated.insert(taken.entry.clone());
            }
            Event::ItemRuled { item, .. } => drop(news.ruled.insert(*item)),
            // It was just put anew, for those who are left.
            Event::ItemOpened(item) if item.kind == ItemKind::SectionShort => {
                news.ruled.insert(item.item);
            }
            _ => {}
        }
    }
    news
}

/// Returns the kinds of items that the news may settle, so that the others need not be looked at.
fn affected(news: &News) -> BTreeSet<ItemKind> {
    let mut kinds = BTreeSet::new();
    if !news.games.is_empty() || !news.left.is_empty() || !news.died.is_empty() {
        kinds.extend([
            ItemKind::Adjudication,
            ItemKind::TimeComplaint,
            ItemKind::TimePenalty,
            ItemKind::DrawClaimed,
            ItemKind::ResultDisputed,
            ItemKind::ForfeitsSpread,
        ]);
    }
    if !news.out.is_empty() || !news.seated.is_empty() {
        kinds.extend(OF_ENTRIES);
    }
    if !news.paid.is_empty() {
        kinds.insert(ItemKind::FeeMissing);
    }
    if !news.died.is_empty() {
        kinds.extend(OF_PERSONS);
    }
    if !news.current.is_empty() {
        kinds.insert(ItemKind::MembershipLapse);
    }
    if !news.good.is_empty() || !news.listed.is_empty() || !news.died.is_empty() {
        kinds.insert(ItemKind::LetterFailed);
    }
    kinds
}

const OF_ENTRIES: [ItemKind; 9] = [
    ItemKind::SectionShort,
    ItemKind::ResidenceUnknown,
    ItemKind::MemberUnknown,
    ItemKind::MembershipLapsed,
    ItemKind::AddressUnknown,
    ItemKind::PostmarkDoubtful,
    ItemKind::EntryLate,
    ItemKind::EntryWishes,
    ItemKind::FeeMissing,
];

const OF_PERSONS: [ItemKind; 6] = [
    ItemKind::LeaveAsked,
    ItemKind::WithdrawalAsked,
    ItemKind::AddressChanged,
    ItemKind::MembershipNews,
    ItemKind::MembershipLapse,
    ItemKind::Death,
];

/// Returns why there is nothing left to decide; none where there is.
fn why(decision: &Decision<'_>, news: &News, item: &Item) -> Option<String> {
    let state = decision.state;
    if item.kind == ItemKind::ForfeitsSpread {
        return spent(decision, news, item);
    }
    if item.kind == ItemKind::LetterFailed {
        return reached(state, news, item);
    }
    if let Some(game) = item.about.game.as_ref().filter(|_| is_of_game(item.kind)) {
        return over(state, news, item, game);
    }
    if OF_ENTRIES.contains(&item.kind) {
        return decided(state, news, item);
    }
    let player = item.about.player.as_ref()?;
    if news.died.contains(player) {
        return Some(format!("member {player} has died"));
    }
    let renewed = item.kind == ItemKind::MembershipLapse && news.current.contains(player);
    renewed.then(|| format!("the membership of member {player} runs again"))
}

/// A letter that failed is no matter any more when its address is good again, or is no address of the player's any more
/// (Rule 10); a report that may be forged is about whoever has the address.
fn reached(state: &State, news: &News, item: &Item) -> Option<String> {
    let address = item.about.address.as_ref()?;
    let player = item.about.player.as_ref();
    let whose = |member: Option<&MemberId>| member == player || item.about.letter.is_none();
    if news.good.iter().any(|(member, good)| good == address && whose(member.as_ref())) {
        return Some(format!("{address} is good again"));
    }
    let dead = player.filter(|member| news.died.contains(*member));
    if let Some(dead) = dead {
        return Some(format!("member {dead} has died"));
    }
    let had = |member: &MemberId| {
        let player = state.players.get(member);
        player.is_some_and(|p| p.emails.iter().any(|email| email.eq_ignore_ascii_case(address)))
    };
    let mut gone = news
        .listed
        .iter()
        .filter(|(member, emails)| whose(Some(member)) && had(member) && !emails.contains(address));
    gone.next().map(|(member, _)| format!("{address} is no address of member {member} any more"))
}

const fn is_of_game(kind: ItemKind) -> bool {
    matches!(
        kind,
        ItemKind::Adjudication
            | ItemKind::TimeComplaint
            | ItemKind::TimePenalty
            | ItemKind::DrawClaimed
            | ItemKind::ResultDisputed
    )
}

fn over(state: &State, news: &News, item: &Item, game: &GameId) -> Option<String> {
    if news.games.contains(game) {
        return Some(format!("{game} has a result that stands"));
    }
    let members = [Side::White, Side::Black].map(|side| state.member_of(game, side));
    if item.kind == ItemKind::TimeComplaint
        && let Some(dead) = members.into_iter().flatten().find(|m| news.died.contains(*m))
    {
        return Some(format!("member {dead} has died"));
    }
    // Where another has taken the seat of one who died his games go on.
    let dead = item.about.player.as_ref().filter(|_| item.kind == ItemKind::Adjudication)?;
    let is_his = |(entry, section): &&(EntryId, SectionCode)| {
        section == &game.section && state.entries.get(entry).is_some_and(|e| &e.member == dead)
    };
    news.left.iter().find(is_his).map(|(entry, _)| format!("the seat of {entry} is taken over"))
}

/// A question about a player's other games ends with those games, with his seat, or with himself.
fn spent(decision: &Decision<'_>, news: &News, item: &Item) -> Option<String> {
    let (code, entry) = (item.about.section.as_ref()?, item.about.entry.as_ref()?);
    if news.left.iter().any(|(left, section)| left == entry && section == code) {
        return Some(format!("the seat of {entry} is taken over"));
    }
    if let Some(dead) = item.about.player.as_ref().filter(|m| news.died.contains(*m)) {
        return Some(format!("member {dead} has died"));
    }
    if !news.games.iter().any(|game| &game.section == code) {
        return None;
    }
    let after = forfeits::after(decision, code)?;
    let runs = forfeits::running(&after, after.seat_of(entry)?, How::Administrative);
    runs.is_empty().then(|| format!("no game of {entry} runs in {code} any more"))
}

/// A question about entries ends when none of them is left to decide, one about a fee also when it is paid, and one about
/// who waits also when they are seated.
fn decided(state: &State, news: &News, item: &Item) -> Option<String> {
    let entries: Vec<&EntryId> = item.entries.iter().chain(&item.about.entry).collect();
    let is_out = |id: &&EntryId| {
        let stands = state.entries.get(*id).map(|e| e.state);
        let was_out = matches!(
            stands,
            Some(EntryState::Refused | EntryState::Withdrawn | EntryState::CarriedForward)
        );
        let is_paid = item.kind == ItemKind::FeeMissing
            && (news.paid.contains(*id) || state.entries.get(*id).is_some_and(|e| e.paid));
        let sits = item.kind == ItemKind::SectionShort && news.seated.contains(*id);
        was_out || is_paid || sits || news.out.contains(*id)
    };
    let first = entries.first()?;
    entries.iter().all(is_out).then(|| format!("{first} is decided otherwise"))
}
