//! Rules 2 and 10: who is who, and who sits where. Two records of one person become one, players who asked for it are
//! kept apart, and a new entry takes over the seat of one who left.

use super::awards;
use crate::domain::{
    acts::{Apart, Merged, Substitution},
    decide::Decision,
    docket::{About, Item},
    event::Event,
    ids::{EntryId, MemberId, Seat, SectionCode},
    intent::Intent,
    player::Player,
    section::{Entry, EntryState, Section},
    state::State,
};

/// Says why two players cannot be kept apart, or let meet again.
///
/// # Errors
/// The sentence for the director.
pub fn check_apart(
    state: &State,
    one: &MemberId,
    other: &MemberId,
    lifted: bool,
) -> Result<(), String> {
    known(state, one)?;
    known(state, other)?;
    if one == other {
        return Err(format!("{one} is named twice; two players are kept apart"));
    }
    match (state.are_apart(one, other), lifted) {
        (true, false) => Err(format!("{one} and {other} are kept apart already")),
        (false, true) => Err(format!("{one} and {other} are not kept apart")),
        _ => Ok(()),
    }
}

/// Keeps two players apart from now on, or lets them meet again (Rule 2).
pub(in crate::domain) fn keep_apart(
    decision: &mut Decision<'_>,
    one: &MemberId,
    other: &MemberId,
    lifted: bool,
) {
    if check_apart(decision.state, one, other, lifted).is_ok() {
        let (one, other) = (one.clone(), other.clone());
        decision.push(Event::KeptApart(Apart { one, other, lifted }));
    }
}

fn known<'a>(state: &'a State, member: &MemberId) -> Result<&'a Player, String> {
    state.players.get(member).ok_or_else(|| format!("the roster does not have member {member}"))
}

/// Says why an entry cannot take a seat (Rule 10).
///
/// # Errors
/// The sentence for the director, with what would be right.
pub fn check_substitute(
    state: &State,
    code: &SectionCode,
    seat: Seat,
    entry: &EntryId,
) -> Result<(), String> {
    let section = state.sections.get(code);
    let section = section.ok_or_else(|| format!("there is no section {code} in the books"))?;
    let seated = section.seated(seat);
    let left = seated
        .and_then(|s| state.entries.get(&s.entry))
        .ok_or_else(|| format!("{code} has the seats 1 to {}, not {seat}", section.seats.len()))?;
    let comes = state.entries.get(entry);
    let comes = comes.ok_or_else(|| format!("there is no entry {entry} in the books"))?;
    check_leaving(section, left)?;
    check_coming(state, section, seat, comes)
}

fn check_leaving(section: &Section, left: &Entry) -> Result<(), String> {
    let (code, id) = (&section.code, &left.id);
    if section.complete {
        return Err(format!("all games of {code} are finished; there is no seat to take over"));
    }
    let plays = matches!(left.state, EntryState::Assigned | EntryState::Withdrawn);
    if !plays || left.sections.last() != Some(code) {
        let state = left.state.text();
        return Err(format!(
            "{id} is {state} and leaves no seat in {code}; its games stay with it"
        ));
    }
    Ok(())
}

fn check_coming(state: &State, section: &Section, seat: Seat, comes: &Entry) -> Result<(), String> {
    let Entry { id, member, .. } = comes;
    let (code, event) = (&section.code, &section.tournament);
    if &comes.tournament != event {
        return Err(format!("{id} is an entry of {}, {code} belongs to {event}", comes.tournament));
    }
    if comes.state != EntryState::Waiting {
        let waits = state.waiting(event, 0);
        let waits: Vec<&str> = waits.iter().map(|e| e.id.0.as_str()).collect();
        let waits = if waits.is_empty() { "none does".to_owned() } else { waits.join(", ") };
        let stands = comes.state.text();
        return Err(format!(
            "{id} is {stands}; a paid entry that waits can take a seat, of {event}: {waits}"
        ));
    }
    for (other, _) in section.each_seat().filter(|(other, _)| *other != seat) {
        let Some(sits) = state.member_at(section, other) else { continue };
        if sits == member {
            return Err(format!("member {member} of {id} sits at seat {other} of {code} already"));
        }
        if state.are_apart(sits, member) {
            return Err(format!(
                "member {member} and member {sits} at seat {other} are kept apart (Rule 2); `direct apart --lift` \
                 lets them meet"
            ));
        }
    }
    Ok(())
}

/// Gives a seat to an entry that waits: finished games stand with the seat, running ones go on, and the one who leaves is
/// withdrawn (Rule 10). What [`check_substitute`] refuses changes nothing.
pub(in crate::domain) fn substitute(
    decision: &mut Decision<'_>,
    code: &SectionCode,
    seat: Seat,
    entry: &EntryId,
    reason: &str,
) {
    let state = decision.state;
    if check_substitute(state, code, seat, entry).is_err() {
        return;
    }
    let Some(section) = state.sections.get(code) else { return };
    let (Some(seated), Some(comes)) = (section.seated(seat), state.entries.get(entry)) else {
        return;
    };
    decision.push(Event::SeatTaken(Substitution {
        section: code.clone(),
        seat,
        left: seated.entry.clone(),
        entry: entry.clone(),
        rating: state.players.get(&comes.member).and_then(|p| p.rating),
        reason: reason.to_owned(),
        on: decision.now.today,
    }));
    // Rule 4 has no exception for one who left.
    let tournament = decision.rules.tournaments.get(&section.tournament);
    if let Some(tournament) = tournament.filter(|_| section.round == 0) {
        awards::for_eliminated(decision, tournament, &seated.entry, 0, Some(code));
    }
}

/// Says why two records of the roster cannot be one person.
///
/// # Errors
/// The sentence for the director.
pub fn check_merge(state: &State, from: &MemberId, into: &MemberId) -> Result<(), String> {
    known(state, from)?;
    known(state, into)?;
    if from == into {
        return Err(format!("{from} is named twice; two records become one"));
    }
    let met = state.seats_of(from).find(|(section, _)| {
        section.each_seat().any(|(seat, _)| state.member_at(section, seat) == Some(into))
    });
    match met {
        Some((section, _)) => Err(format!(
            "{from} and {into} both sit in {}; one person cannot sit twice in a section (Rule 2): give one of the \
             seats to another entry first, with `direct substitute`",
            section.code
        )),
        None => Ok(()),
    }
}

/// Makes two records of the roster one: entries, addresses, payments, credit and what waits for the director are the
/// second one's.
pub(in crate::domain) fn merge(decision: &mut Decision<'_>, from: &MemberId, into: &MemberId) {
    let state = decision.state;
    if check_merge(state, from, into).is_err() {
        return;
    }
    decision.push(Event::PlayersMerged(Merged { from: from.clone(), into: into.clone() }));
    for item in state.open_docket().filter(|item| item.about.player.as_ref() == Some(from)) {
        let about = About { player: Some(into.clone()), ..item.about.clone() };
        decision.push(Event::ItemOpened(Item { about, ..item.clone() }));
    }
}

/// Returns the one player whom a wish that came with an entry names, beside the player himself: by his number, his full
/// name, or a family name that nobody else has. None where it names nobody, or several.
pub(super) fn named<'a>(state: &'a State, wish: &Intent, own: &MemberId) -> Option<&'a Player> {
    let Intent::Entry { wishes, .. } = wish else { return None };
    let text = wishes.join(" / ");
    let others = || state.players.values().filter(|p| &p.member != own);
    let mut full =
        others().filter(|p| has_word(&text, &p.member.0) || has_word_in_any_case(&text, &p.name));
    if let Some(player) = full.next() {
        return full.next().is_none().then_some(player);
    }
    let by_family = others().filter(|p| {
        let name = p.surname();
        name.chars().next().is_some_and(char::is_uppercase) && has_word(&text, name)
    });
    let found: Vec<&Player> = by_family.take(2).collect();
    match found[..] {
        [only] => Some(only),
        _ => None,
    }
}

fn has_word_in_any_case(text: &str, words: &str) -> bool {
    has_word(&text.to_lowercase(), &words.to_lowercase())
}

/// Tells whether a text has these words, and not as a part of others.
fn has_word(text: &str, words: &str) -> bool {
    let ends = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    !words.is_empty()
        && text.match_indices(words).any(|(at, found)| {
            ends(text[..at].chars().next_back()) && ends(text[at + found.len()..].chars().next())
        })
}

/// Keeps apart the two players of a wish, where it names one (Rule 2).
pub(super) fn settle_wish(decision: &mut Decision<'_>, item: &Item, choice: &str) {
    let state = decision.state;
    let (Some(wish), Some(own), "keep-apart") = (&item.asked, wisher(state, item), choice) else {
        return;
    };
    if let Some(other) = named(state, wish, own) {
        keep_apart(decision, own, &other.member, false);
    }
}

/// Returns whose wish it is: the player whose entry came with it, or who wrote.
fn wisher<'a>(state: &'a State, item: &'a Item) -> Option<&'a MemberId> {
    let entry = item.entries.first().and_then(|id| state.entries.get(id));
    entry.map(|e| &e.member).or(item.about.player.as_ref())
}
