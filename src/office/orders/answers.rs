//! What the director may have shown by mail: the docket, standings, a crosstable, one thing of the books, and how all
//! stands. Texts of lines that a letter prints as they are.

use super::{Bench, Refused, examples, find_game, find_section, lines::Shown};
use crate::{
    domain::{
        docket::Item,
        ids::{EntryId, ItemId, LetterId, MemberId, SectionCode},
        rules::scoring,
        state::State,
    },
    notices::{
        ranking::{self, Sums},
        table,
    },
};
use std::fmt::Write as _;

/// How wide a line is at most: it fits a terminal of 80 columns, and a mail.
const WIDTH: usize = 78;

/// Returns what is asked for.
pub(super) fn shown(bench: &Bench<'_>, asked: &Shown) -> Result<String, Refused> {
    match asked {
        Shown::Docket => Ok(docket(bench)),
        Shown::Standings(event) => standings(bench, event.as_deref()),
        Shown::Crosstable(section) => {
            Ok(table::sheet(bench.state(), find_section(bench.state(), section)?))
        }
        Shown::Thing(thing) => self::thing(bench, thing),
        Shown::Status => Ok(status(bench)),
        Shown::Help => Ok(examples::list()),
    }
}

fn docket(bench: &Bench<'_>) -> String {
    let mut items: Vec<&Item> = bench.state().open_docket().collect();
    items.sort_by_key(|item| (item.since, item.item));
    if items.is_empty() {
        return "Nothing waits.".to_owned();
    }
    let text = |item: &&Item| item_text(item, (bench.now.at - item.since).num_days().max(0));
    items.iter().map(text).collect::<Vec<_>>().join("\n")
}

/// Returns an item of the docket as a text of lines, for people.
pub fn item_text(item: &Item, days: i64) -> String {
    let Item { item: id, kind, rule, since, .. } = item;
    let age = match days {
        0 => "today".to_owned(),
        1 => "1 day".to_owned(),
        _ => format!("{days} days"),
    };
    let (kind, since) = (kind.text(), since.date_naive());
    let subject = subject(item).map(|subject| format!(" of {subject}")).unwrap_or_default();
    let mut text = format!("{id}  {kind}{subject} (Rule {rule}), since {since}: {age}\n");
    for sentence in item.sentences() {
        wrap(&mut text, &sentence, "    ", "      ");
    }
    wrap(&mut text, &item.choices.join(", "), "    choose: ", "      ");
    if let Some(lean) = &item.recommended {
        let _ = writeln!(text, "    recommended: {lean}");
    }
    text
}

/// Returns what an item is about, in one word or two: the game, else the section, the entry, the player, the tournament.
fn subject(item: &Item) -> Option<String> {
    let about = &item.about;
    let game = about.game.as_ref().map(ToString::to_string);
    let section = about.section.as_ref().map(ToString::to_string);
    let entry = item.entries.first().or(about.entry.as_ref()).map(ToString::to_string);
    let player = about.player.as_ref().map(|member| format!("member {member}"));
    let event = about.event.as_ref().map(ToString::to_string);
    game.or(section).or(entry).or(player).or(event)
}

/// Adds a sentence over as many lines as it needs.
fn wrap(text: &mut String, words: &str, first: &str, rest: &str) {
    let mut line = first.to_owned();
    let mut begun = false;
    for word in words.split_whitespace() {
        if begun && line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(text, "{line}");
            rest.clone_into(&mut line);
            begun = false;
        }
        if begun {
            line.push(' ');
        }
        line.push_str(word);
        begun = true;
    }
    let _ = writeln!(text, "{line}");
}

fn standings(bench: &Bench<'_>, event: Option<&str>) -> Result<String, Refused> {
    let known = &bench.rules.tournaments;
    let named = |id: &str| known.values().find(|t| t.id.0.eq_ignore_ascii_case(id));
    let found = match event {
        Some(id) => named(id),
        None if known.len() == 1 => known.values().next(),
        None => None,
    };
    let Some(tournament) = found else {
        let ids: Vec<&str> = known.keys().map(|id| id.0.as_str()).collect();
        let ids = ids.join(", ");
        return Err(Refused::Impossible(format!("it names no tournament; there is {ids}")));
    };
    let rows = scoring::standings(tournament, bench.state(), bench.now.today);
    Ok(ranking::standings(bench.state(), tournament, &rows, Sums::Plain))
}

/// Shows what an id is of, with or without a word before it that says what it is.
fn thing(bench: &Bench<'_>, thing: &str) -> Result<String, Refused> {
    const KINDS: [&str; 8] =
        ["entry ", "player ", "member ", "section ", "game ", "item ", "letter ", "crosstable "];
    let kind = KINDS.iter().find(|kind| thing.to_lowercase().starts_with(**kind));
    let id = thing[kind.map_or(0, |kind| kind.len())..].trim();
    let state = bench.state();
    if let Some((section, seats)) = id.split_once(' ')
        && SectionCode::read(section).is_some()
    {
        return game(state, section, seats.trim());
    }
    if let Ok(section) = find_section(state, id) {
        return Ok(table::sheet(state, section));
    }
    let item = id.parse::<ItemId>().ok().filter(|_| id.starts_with(['D', 'd']));
    if let Some((item, ruling)) = item.and_then(|item| state.docket.get(&item)) {
        let ruled = ruling
            .as_ref()
            .map(|r| format!("    decided on {}: {}\n", r.at.date_naive(), r.choice));
        let days = (bench.now.at - item.since).num_days().max(0);
        return Ok(item_text(item, days) + &ruled.unwrap_or_default());
    }
    let letter = id.parse::<LetterId>().ok().filter(|_| id.starts_with(['L', 'l']));
    letter
        .and_then(|letter| self::letter(bench, letter))
        .or_else(|| entry(state, id))
        .or_else(|| player(state, id))
        .ok_or_else(|| Refused::Impossible(format!("the books have no `{id}`")))
}

fn game(state: &State, section: &str, seats: &str) -> Result<String, Refused> {
    let id = find_game(state, section, seats)?;
    let Some((section, game)) = state.game(&id) else {
        return Err(Refused::Impossible(format!("the books have no game {id}")));
    };
    let name = |seat| state.player_at(section, seat).map_or("?", |player| player.name.as_str());
    let outcome = game.outcome().map(|o| format!(", {} by {}", o.result, o.how.words()));
    Ok(format!(
        "{id}  {} - {}\n    {}{}\n    {}\n",
        name(id.white),
        name(id.black),
        game.state.text(),
        outcome.unwrap_or_default(),
        game.record.sans().join(" ")
    ))
}

fn letter(bench: &Bench<'_>, id: LetterId) -> Option<String> {
    let entry = bench.books.letter(id)?;
    let to = entry.to.as_deref().unwrap_or("somebody, on paper");
    let queued = entry.queued.format("%Y-%m-%d %H:%M");
    Some(format!("{id}  {} to {to}, written {queued}, {}\n", entry.notice, entry.state.text()))
}

fn entry(state: &State, id: &str) -> Option<String> {
    let entry = state.entries.get(&EntryId(id.to_uppercase()))?;
    let name = state.players.get(&entry.member).map_or("", |player| player.name.as_str());
    let sections: Vec<&str> = entry.sections.iter().map(|code| code.0.as_str()).collect();
    let word = serde_json::to_value(entry.state).unwrap_or_default();
    Some(format!(
        "{}  {name}, member {}\n    {}, postmark {}, sections: {}\n",
        entry.id,
        entry.member,
        word.as_str().unwrap_or_default(),
        entry.postmark,
        if sections.is_empty() { "none".to_owned() } else { sections.join(", ") }
    ))
}

fn player(state: &State, id: &str) -> Option<String> {
    let member = MemberId(id.to_owned());
    let player = state.players.get(&member)?;
    let entries: Vec<&str> =
        state.entries_of.get(&member).into_iter().flatten().map(|id| id.0.as_str()).collect();
    let rating = player.rating.map_or("unrated".to_owned(), |rating| format!("rating {rating}"));
    let expires = player.expires.map(|day| format!(", member until {day}")).unwrap_or_default();
    Some(format!(
        "{member}  {}\n    {}\n    {rating}{expires}\n    entries: {}\n",
        player.name,
        player.emails.join(", "),
        if entries.is_empty() { "none".to_owned() } else { entries.join(", ") }
    ))
}

fn status(bench: &Bench<'_>) -> String {
    let books = bench.books;
    let mails: u64 = books.outcomes.values().sum();
    let counts = books.counts();
    format!(
        "{} transactions, {mails} mails were dealt with\n{} letters wait, {} could not be delivered\ndocket: {}\n",
        books.transactions,
        counts.waiting,
        counts.failed,
        super::waiting(&books.state),
    )
}
