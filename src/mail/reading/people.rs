//! Players whom a sentence names, apart from any game: who has died, whose conduct, leave or address is spoken of.

use super::{
    Said,
    phrases::{Sentence, folded},
};
use crate::domain::{ids::MemberId, player::Player};

/// Returns the players whom a sentence names: anybody by first name and surname; the sender and those whom he plays also
/// by one of them.
pub(super) fn named(sentence: &Sentence, said: &Said<'_>) -> Vec<MemberId> {
    let state = said.desk.state;
    let words = words(&sentence.text);
    if words.is_empty() {
        return Vec::new();
    }
    let full = |p: &Player| {
        let (first, last) = (first_name(p), folded(p.surname()));
        words.windows(2).any(|pair| pair[0] == first && pair[1] == last)
    };
    let whole = state.players.values().filter(|p| full(p)).map(|p| p.member.clone());
    let whole: Vec<MemberId> = whole.collect();
    if !whole.is_empty() {
        return whole;
    }
    let sections = said.players.iter().flat_map(|p| state.seats_of(p)).map(|(section, _)| section);
    let seated =
        sections.flat_map(|s| s.each_seat().filter_map(|(seat, _)| state.member_at(s, seat)));
    let mut near: Vec<MemberId> = seated.cloned().chain(said.players.iter().cloned()).collect();
    near.sort();
    near.dedup();
    let called = |member: &MemberId| {
        let player = state.players.get(member);
        player
            .is_some_and(|p| words.contains(&folded(p.surname())) || words.contains(&first_name(p)))
    };
    near.retain(called);
    near
}

/// Tells whether a sentence names a player who is not the sender.
pub(super) fn names_another(sentence: &Sentence, said: &Said<'_>) -> bool {
    let named = named(sentence, said);
    !named.is_empty() && !named.iter().any(|player| said.players.contains(player))
}

/// Tells whether somebody else than the player signs the mail, or is its sender by name.
pub(super) fn another_writes(player: &MemberId, said: &Said<'_>) -> bool {
    let Some(player) = said.desk.state.players.get(player) else { return false };
    let last = said.text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
    [last, said.name].into_iter().any(|name| {
        let words: Vec<&str> = name.split_whitespace().collect();
        let capital = |w: &&str| {
            w.starts_with(char::is_uppercase)
                && w.chars().all(|c| c.is_alphabetic() || ".'-".contains(c))
        };
        let is_name = (2..=4).contains(&words.len()) && words.iter().all(capital);
        is_name && !words.iter().any(|word| folded(word) == first_name(player))
    })
}

/// Returns the words that begin with a capital, as names are compared; a name's `'s` is no part of it.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !"'\u{2019}-".contains(c));
    let names = words.filter(|w| w.starts_with(char::is_uppercase) && w.len() > 2).take(200);
    names.map(|w| folded(w.trim_end_matches("'s").trim_end_matches("\u{2019}s"))).collect()
}

fn first_name(player: &Player) -> String {
    let name = player.name.as_str();
    let first = name.split_once(',').map_or(name, |(_, first)| first);
    first.split_whitespace().next().map(folded).unwrap_or_default()
}
