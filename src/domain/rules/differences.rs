//! Rule 7: what an act of the director changed, thing by thing: the books before it and the books after it are compared.
//! What may be taken back is `undoing.rs`.

use crate::domain::{
    acts::Apart,
    before::{Before, GameBefore},
    docket::{Item, Ruling},
    ids::{
        EntryId, GameId, ItemId, LetterId, MemberId, QuestionId, Seat, SectionCode, TournamentId,
    },
    points::Side,
    post::Failed,
    section::{Entry, Game},
    state::State,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// One thing of the books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    Item(ItemId),
    Entry(EntryId),
    /// Where an entry stands, sits, and what it was given: not what was asked of it since.
    Standing(EntryId),
    Held(MemberId),
    Game(GameId),
    Seat(SectionCode, Seat),
    Complete(SectionCode),
    Section(SectionCode),
    Player(MemberId),
    Account(TournamentId, MemberId),
    Credit(MemberId, String),
    Prizes(TournamentId, Option<SectionCode>),
    Assigned(TournamentId),
    Apart(MemberId, MemberId),
    Leaves(MemberId),
    Died(MemberId),
    Oversteps(GameId, Side),
    Question(QuestionId),
    Failed(Failed),
    Lost(LetterId),
}

impl fmt::Display for Thing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item(item) => write!(f, "item {item}"),
            Self::Entry(entry) | Self::Standing(entry) => write!(f, "entry {entry}"),
            Self::Held(member) => write!(f, "the entries of member {member}"),
            Self::Game(game) => write!(f, "game {game}"),
            Self::Seat(section, seat) => write!(f, "seat {seat} of {section}"),
            Self::Complete(section) | Self::Section(section) => write!(f, "section {section}"),
            Self::Player(member) => write!(f, "what the roster has of member {member}"),
            Self::Account(event, member) => write!(f, "the money of member {member} in {event}"),
            Self::Credit(member, _) => write!(f, "the credit of member {member}"),
            Self::Prizes(event, _) => write!(f, "the prizes of {event}"),
            Self::Assigned(event) => write!(f, "the number of assigned entries of {event}"),
            Self::Apart(one, other) => write!(f, "whether members {one} and {other} may meet"),
            Self::Leaves(member) => write!(f, "the leave of member {member}"),
            Self::Died(member) => write!(f, "whether member {member} has died"),
            Self::Oversteps(game, _) => write!(f, "the warnings in {game}"),
            Self::Question(question) => write!(f, "question {question}"),
            Self::Failed((_, address)) => write!(f, "whether letters reach {address}"),
            Self::Lost(letter) => write!(f, "where letter {letter} goes"),
        }
    }
}

/// Returns the keys whose values differ.
fn changed<'a, K: Ord + Clone, V: PartialEq>(
    one: &'a BTreeMap<K, V>,
    other: &'a BTreeMap<K, V>,
) -> impl Iterator<Item = K> + use<'a, K, V> {
    let here = one.iter().filter(|(key, value)| other.get(*key) != Some(*value));
    let new = other.iter().filter(|(key, _)| !one.contains_key(*key));
    here.chain(new).map(|(key, _)| key.clone())
}

/// Returns everything in which two states of the books differ. Counters and what is derived are left out.
pub(super) fn between(before: &State, after: &State) -> Vec<Thing> {
    let mut things: Vec<Thing> = changed(&before.docket, &after.docket).map(Thing::Item).collect();
    things.extend(changed(&before.entries, &after.entries).map(Thing::Entry));
    things.extend(changed(&before.entries_of, &after.entries_of).map(Thing::Held));
    for code in changed(&before.sections, &after.sections) {
        things.extend(in_section(before, after, code));
    }
    things.extend(changed(&before.players, &after.players).map(Thing::Player));
    let accounts = changed(&before.accounts, &after.accounts);
    things.extend(accounts.map(|(event, member)| Thing::Account(event, member)));
    let credit = changed(&before.credit, &after.credit);
    things.extend(credit.map(|(member, currency)| Thing::Credit(member, currency)));
    let prizes = changed(&before.prizes, &after.prizes);
    things.extend(prizes.map(|(event, section)| Thing::Prizes(event, section)));
    things.extend(changed(&before.assigned, &after.assigned).map(Thing::Assigned));
    let apart = before.apart.symmetric_difference(&after.apart);
    things.extend(apart.map(|(one, other)| Thing::Apart(one.clone(), other.clone())));
    things.extend(changed(&before.leaves, &after.leaves).map(Thing::Leaves));
    things.extend(changed(&before.died, &after.died).map(Thing::Died));
    let oversteps = changed(&before.oversteps, &after.oversteps)
        .chain(changed(&before.charged, &after.charged))
        .collect::<BTreeSet<_>>()
        .into_iter();
    things.extend(oversteps.map(|(game, side)| Thing::Oversteps(game, side)));
    things.extend(changed(&before.questions, &after.questions).map(Thing::Question));
    things.extend(changed(&before.post.failed, &after.post.failed).map(Thing::Failed));
    things.extend(changed(&before.post.lost, &after.post.lost).map(Thing::Lost));
    things
}

fn in_section(before: &State, after: &State, code: SectionCode) -> Vec<Thing> {
    let (Some(was), Some(is)) = (before.sections.get(&code), after.sections.get(&code)) else {
        return vec![Thing::Section(code)];
    };
    let games = was.games.iter().zip(&is.games).filter(|(was, is)| was != is);
    let mut things: Vec<Thing> = games.map(|(was, _)| Thing::Game(was_id(&code, was))).collect();
    let seats = was.each_seat().zip(&is.seats).filter(|((_, was), is)| was != is);
    things.extend(seats.map(|((seat, _), _)| Thing::Seat(code.clone(), seat)));
    if was.complete != is.complete {
        things.push(Thing::Complete(code));
    }
    things
}

fn was_id(code: &SectionCode, game: &Game) -> GameId {
    GameId { section: code.clone(), white: game.white, black: game.black }
}

/// Returns what hangs on a thing, so that it too must be as it was left: on a game both entries, the section, and the
/// prizes; on an entry its prizes.
pub(super) fn hanging_on(after: &State, thing: &Thing) -> Vec<Thing> {
    let (code, seats) = match thing {
        Thing::Game(game) => (&game.section, vec![game.white, game.black]),
        Thing::Seat(code, seat) => (code, vec![*seat]),
        Thing::Entry(id) => {
            let entry = after.entries.get(id);
            return entry.map(|e| Thing::Prizes(e.tournament.clone(), None)).into_iter().collect();
        }
        _ => return Vec::new(),
    };
    let Some(section) = after.sections.get(code) else { return Vec::new() };
    let entries = seats.into_iter().filter_map(|seat| section.seated(seat));
    let mut things: Vec<Thing> =
        entries.map(|seated| Thing::Standing(seated.entry.clone())).collect();
    things.push(Thing::Complete(code.clone()));
    things.push(Thing::Prizes(section.tournament.clone(), None));
    things.push(Thing::Prizes(section.tournament.clone(), Some(code.clone())));
    things
}

/// Tells whether a thing is the same in two states of the books.
pub(super) fn same(thing: &Thing, one: &State, other: &State) -> bool {
    /// Compares what two states answer to one question.
    macro_rules! alike {
        (|$s:ident| $read:expr) => {{
            let read_one = {
                let $s = one;
                $read
            };
            let read_other = {
                let $s = other;
                $read
            };
            read_one == read_other
        }};
    }
    match thing {
        Thing::Item(id) => alike!(|s| s.docket.get(id)),
        Thing::Entry(id) => alike!(|s| s.entries.get(id)),
        Thing::Standing(id) => alike!(|s| s.entries.get(id).map(standing)),
        Thing::Held(member) => alike!(|s| s.entries_of.get(member)),
        Thing::Game(id) => alike!(|s| s.game(id).map(|(_, game)| game)),
        Thing::Seat(code, seat) => alike!(|s| s.sections.get(code).and_then(|s| s.seated(*seat))),
        Thing::Complete(code) => alike!(|s| s.sections.get(code).map(|s| s.complete)),
        Thing::Section(code) => alike!(|s| s.sections.get(code)),
        Thing::Player(member) => alike!(|s| s.players.get(member)),
        Thing::Account(event, member) => {
            alike!(|s| s.accounts.get(&(event.clone(), member.clone())))
        }
        Thing::Credit(member, currency) => {
            alike!(|s| s.credit.get(&(member.clone(), currency.clone())))
        }
        Thing::Prizes(event, section) => {
            alike!(|s| s.prizes.get(&(event.clone(), section.clone())))
        }
        Thing::Assigned(event) => alike!(|s| s.assigned.get(event)),
        Thing::Apart(one, other) => alike!(|s| s.are_apart(one, other)),
        Thing::Leaves(member) => alike!(|s| s.leaves.get(member)),
        Thing::Died(member) => alike!(|s| s.died.get(member)),
        Thing::Oversteps(game, side) => alike!(|s| {
            let key = (game.clone(), *side);
            (s.oversteps.get(&key), s.charged.get(&key))
        }),
        Thing::Question(id) => alike!(|s| s.questions.get(id)),
        Thing::Failed(whose) => alike!(|s| s.post.failed.get(whose)),
        Thing::Lost(letter) => alike!(|s| s.post.lost.get(letter)),
    }
}

fn standing(entry: &Entry) -> (&MemberId, impl PartialEq, &[SectionCode], usize) {
    (&entry.member, entry.state, &entry.sections, entry.awards.len())
}

/// Returns these things as they were.
pub(super) fn as_it_was(state: &State, things: &[Thing]) -> Before {
    let mut before = Before::default();
    for thing in things {
        keep(&mut before, state, thing);
    }
    before
}

fn keep(before: &mut Before, state: &State, thing: &Thing) {
    match thing {
        Thing::Item(id) => keep_item(before, *id, state.docket.get(id)),
        Thing::Entry(id) => match state.entries.get(id) {
            Some(entry) => before.entries.push(entry.clone()),
            None => before.gone.push(id.clone()),
        },
        Thing::Held(member) => {
            let held = state.entries_of.get(member).cloned().unwrap_or_default();
            before.held.push((member.clone(), held));
        }
        Thing::Game(id) => {
            before.games.extend(state.game(id).map(|(_, game)| game_before(id, game)));
        }
        Thing::Seat(code, seat) => {
            let seated = state.sections.get(code).and_then(|section| section.seated(*seat));
            before.seats.extend(seated.map(|seated| (code.clone(), *seat, seated.clone())));
        }
        Thing::Complete(code) => before.running.push(code.clone()),
        Thing::Section(code) => before.dissolved.push(code.clone()),
        Thing::Player(member) => match state.players.get(member) {
            Some(player) => before.players.push(player.clone()),
            None => before.unlisted.push(member.clone()),
        },
        Thing::Apart(one, other) => {
            let lifted = !state.are_apart(one, other);
            before.apart.push(Apart { one: one.clone(), other: other.clone(), lifted });
        }
        Thing::Leaves(member) => {
            let leaves = state.leaves.get(member).cloned().unwrap_or_default();
            before.leaves.push((member.clone(), leaves));
        }
        Thing::Died(member) => {
            before.died.push((member.clone(), state.died.get(member).copied()));
        }
        Thing::Oversteps(game, side) => {
            let key = (game.clone(), *side);
            let known = state.oversteps.get(&key).cloned().unwrap_or_default();
            before.oversteps.push((game.clone(), *side, known));
            let charged = state.charged.get(&key).cloned().unwrap_or_default();
            before.charged.push((game.clone(), *side, charged));
        }
        Thing::Question(id) => before.questions.extend(state.questions.get(id).cloned()),
        Thing::Failed(whose) => {
            let since = state.post.failed.get(whose).copied();
            before.failed.push((whose.0.clone(), whose.1.clone(), since));
        }
        Thing::Lost(letter) => {
            before.lost.push((*letter, state.post.lost.get(letter).cloned()));
        }
        Thing::Account(..) | Thing::Credit(..) | Thing::Prizes(..) | Thing::Assigned(_) => {
            keep_money(before, state, thing);
        }
        // It is a look at an entry, which changes as a whole.
        Thing::Standing(_) => {}
    }
}

fn keep_item(before: &mut Before, id: ItemId, known: Option<&(Item, Option<Ruling>)>) {
    match known {
        None => before.dropped.push(id),
        Some((item, _)) => before.waiting.push(item.clone()),
    }
}

fn keep_money(before: &mut Before, state: &State, thing: &Thing) {
    match thing.clone() {
        Thing::Account(event, member) => {
            let account = state.accounts.get(&(event.clone(), member.clone())).cloned();
            before.accounts.push((event, member, account));
        }
        Thing::Credit(member, currency) => {
            let credit = state.credit.get(&(member.clone(), currency.clone())).copied();
            before.credit.push((member, currency, credit));
        }
        Thing::Prizes(event, section) => {
            let list = state.prizes.get(&(event.clone(), section.clone())).cloned();
            before.prizes.push((event, section, list));
        }
        Thing::Assigned(event) => {
            let number = state.assigned.get(&event).copied();
            before.assigned.push((event, number));
        }
        _ => {}
    }
}

fn game_before(id: &GameId, game: &Game) -> GameBefore {
    GameBefore {
        game: id.clone(),
        state: game.state.clone(),
        reported: game.reported,
        conditional: game.conditional.clone(),
        offer: game.offer,
        asked: game.asked,
    }
}
