//! The director's sheet: what stands where, and what waits for him, the oldest first (Rule 7).

use super::{
    super::{Desk, OutboxCounts, Printed},
    Event, event, member_name, sheet, words,
};
use crate::{
    domain::{
        docket::{About, Item},
        ids::ItemId,
        section::{Entry, EntryState, Game, GameState, Section},
        state::State,
        tournament::Tournament,
    },
    limits,
};
use chrono::NaiveDate;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// How many sentences are said of a matter.
const EVIDENCE: usize = 6;

/// `director-summary`.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// The day it is written.
    pub on: String,
    /// The day of the one before; null for the first.
    pub since: Option<String>,
    /// A part for each tournament in which something goes on, or has come to its end since the last summary.
    pub events: Vec<EventPart>,
    /// What waits for the director, the oldest first; not more of it than a letter can hold.
    pub items: Vec<ItemLine>,
    /// How many matters wait beside these.
    pub more_items: usize,
    /// Who is on leave, or will be before long.
    pub on_leave: Vec<sheet::LeaveLine>,
    /// Players who have addresses, none of which works: their letters go on paper.
    pub out_of_reach: Vec<String>,
    /// How the letters stand; null where nobody counted.
    pub letters: Option<OutboxCounts>,
    /// The letters that were printed since the last summary, for the post.
    pub on_paper: Vec<Paper>,
}

/// A letter on paper.
#[derive(Debug, Serialize)]
pub struct Paper {
    /// Its number.
    pub letter: String,
    /// Which letter it is.
    pub notice: &'static str,
    /// Whose it is.
    pub player: String,
}

/// A tournament in the summary.
#[derive(Debug, Serialize)]
pub struct EventPart {
    /// The tournament.
    pub event: Event,
    /// Entries by state, those states that occur.
    pub entries: Vec<Count>,
    /// Entries that wait for a section of the first round.
    pub waiting: usize,
    /// How many more would fill the next section.
    pub missing: usize,
    /// Sections that run; not more of them than a letter can hold.
    pub running: Vec<SectionLine>,
    /// How many sections run beside these.
    pub more_running: usize,
    /// How many sections are complete.
    pub complete: usize,
    /// The rounds that were reached.
    pub rounds: Vec<sheet::RoundLine>,
    /// Sections whose closing date is near or past.
    pub closing: Vec<sheet::Closing>,
    /// Entries that wait for a section to be filled up (Rule 3).
    pub candidates: Vec<sheet::Candidate>,
    /// Prizes that were announced since the last summary.
    pub prizes: Vec<sheet::Announced>,
    /// Results that came since the last summary; not more of them than a letter can hold.
    pub results: Vec<String>,
    /// How many results came beside these.
    pub more_results: usize,
}

/// How many entries are in a state.
#[derive(Debug, Serialize)]
pub struct Count {
    /// The state, in the contract's spelling.
    pub state: &'static str,
    /// The state in words.
    pub words: &'static str,
    /// How many.
    pub count: usize,
}

/// A section that runs.
#[derive(Debug, Serialize)]
pub struct SectionLine {
    /// Its code.
    pub code: String,
    /// The day it started.
    pub start: String,
    /// How many games are decided.
    pub decided: usize,
    /// How many there are.
    pub games: usize,
}

/// Something that waits for the director.
#[derive(Debug, Serialize)]
pub struct ItemLine {
    /// Its number.
    pub item: String,
    /// Why it waits, a clause.
    pub matter: &'static str,
    /// What it is about, in a line.
    pub about: String,
    /// Since when.
    pub since: String,
    /// For how many days.
    pub days: i64,
    /// What may be chosen.
    pub choices: Vec<String>,
    /// What the rules lean to; null where they lean nowhere.
    pub recommended: Option<String>,
    /// What is known, a sentence each; not more of it than can be read in passing.
    pub evidence: Vec<String>,
    /// How many sentences are known beside these.
    pub more_evidence: usize,
}

/// `director-alert`.
#[derive(Debug, Serialize)]
pub struct Alert {
    /// What cannot wait; not more of it than a letter can hold.
    pub items: Vec<ItemLine>,
    /// How many matters there are beside these.
    pub more_items: usize,
    /// What is the matter with the program itself, a sentence each.
    pub words: Vec<String>,
}

/// Returns the view of `director-alert`.
pub fn alert(items: &[ItemId], said: &[String], desk: &Desk<'_>) -> Alert {
    let today = desk.house.day(desk.now);
    let found = items.iter().filter_map(|id| desk.state.docket.get(id));
    let found: Vec<_> = found.map(|(item, _)| item_line(item, today, desk)).collect();
    let said = said.iter().map(|sentence| words::clean(sentence));
    Alert { more_items: more(found.len()), items: first(found).collect(), words: said.collect() }
}

/// Returns the view of `director-summary`.
pub fn summary(on: NaiveDate, since: Option<NaiveDate>, desk: &Desk<'_>) -> Summary {
    let entries = by_event(desk.state);
    let parts = desk.rules.tournaments.values().filter_map(|t| {
        let entries = entries.get(&t.id)?;
        Some(event_part(t, entries, (on, since), desk)).filter(EventPart::is_alive)
    });
    let mut items: Vec<_> = desk.state.open_docket().collect();
    items.sort_by_key(|item| (item.since, item.item));
    Summary {
        on: words::date(on),
        since: since.map(words::date),
        events: parts.collect(),
        more_items: more(items.len()),
        items: first(items).map(|item| item_line(item, on, desk)).collect(),
        on_leave: sheet::on_leave(on, desk),
        out_of_reach: out_of_reach(desk),
        on_paper: desk.counts.iter().flat_map(|c| &c.on_paper).map(|p| paper(p, desk)).collect(),
        letters: desk.counts.clone(),
    }
}

/// Returns the players whom no letter reaches by mail any more (Rule 10), by number.
fn out_of_reach(desk: &Desk<'_>) -> Vec<String> {
    let state = desk.state;
    let members: BTreeSet<_> = state.post.failed.keys().filter_map(|(m, _)| m.as_ref()).collect();
    let players = members.into_iter().filter_map(|member| state.players.get(member));
    let lost = players.filter(|player| {
        !state.died.contains_key(&player.member)
            && !player.emails.is_empty()
            && state.good_emails(player).next().is_none()
    });
    lost.take(limits::SUMMARY_LINES)
        .map(|player| {
            let name = words::spoken(&member_name(state, &player.member));
            format!("{name} (member {})", words::clean(&player.member.0))
        })
        .collect()
}

fn paper(printed: &Printed, desk: &Desk<'_>) -> Paper {
    let player = printed.player.as_ref().map(|member| member_name(desk.state, member));
    Paper {
        letter: printed.letter.to_string(),
        notice: printed.notice.text(),
        player: words::spoken(&player.unwrap_or_default()),
    }
}

impl EventPart {
    /// Tells whether there is something to say of it: one that has come to its end is not repeated for years.
    fn is_alive(&self) -> bool {
        const ENDED: [&str; 5] =
            ["refused", "eliminated", "finished", "withdrawn", "carried-forward"];
        let lives = self.entries.iter().any(|count| !ENDED.contains(&count.state));
        lives || !self.running.is_empty() || !self.results.is_empty() || !self.prizes.is_empty()
    }
}

/// Returns as many as the letter lists.
fn first<T>(all: Vec<T>) -> impl Iterator<Item = T> {
    all.into_iter().take(limits::SUMMARY_LINES)
}

/// Returns how many the letter does not list.
const fn more(count: usize) -> usize {
    count.saturating_sub(limits::SUMMARY_LINES)
}

fn by_event(state: &State) -> BTreeMap<&crate::domain::ids::TournamentId, Vec<&Entry>> {
    let mut events: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for entry in state.entries.values() {
        events.entry(&entry.tournament).or_default().push(entry);
    }
    events
}

fn event_part(
    tournament: &Tournament,
    entries: &[&Entry],
    (on, since): (NaiveDate, Option<NaiveDate>),
    desk: &Desk<'_>,
) -> EventPart {
    let mut states: BTreeMap<EntryState, usize> = BTreeMap::new();
    for entry in entries {
        *states.entry(entry.state).or_default() += 1;
    }
    let waiting = desk.state.waiting(&tournament.id, 0).len();
    let size = tournament.rounds.first().map_or(1, |r| usize::from(r.size).max(1));
    let sections = desk.state.sections.values().filter(|s| s.tournament == tournament.id);
    let (complete, running): (Vec<_>, Vec<_>) = sections.partition(|s| s.is_settled());
    let results = results(tournament, since, desk);
    EventPart {
        event: event(&tournament.id, desk),
        entries: states
            .into_iter()
            .map(|(state, count)| Count {
                state: words::entry_state(state),
                words: state_words(state),
                count,
            })
            .collect(),
        waiting,
        missing: size - waiting % size,
        rounds: sheet::rounds(tournament, desk),
        closing: sheet::closings(&running, on, desk),
        candidates: sheet::candidates(tournament, entries, desk),
        prizes: sheet::announced(tournament, since, desk),
        more_running: more(running.len()),
        running: first(running)
            .map(|s| SectionLine {
                code: s.code.0.clone(),
                start: words::date(s.start),
                decided: s.games.iter().filter(|g| g.settled().is_some()).count(),
                games: s.games.len(),
            })
            .collect(),
        complete: complete.len(),
        more_results: more(results.len()),
        results: first(results).map(|result| result_line(result, desk)).collect(),
    }
}

type Reported<'a> = (NaiveDate, &'a Section, &'a Game);

/// Returns the results that were first reported on the day of the last summary or later, by day.
fn results<'a>(
    tournament: &Tournament,
    since: Option<NaiveDate>,
    desk: &Desk<'a>,
) -> Vec<Reported<'a>> {
    let sections = desk.state.sections.values().filter(|s| s.tournament == tournament.id);
    let games = sections.flat_map(|s| s.games.iter().map(move |g| (s, g)));
    let new = games.filter_map(|(s, g)| {
        let on = g.reported.filter(|on| since.is_none_or(|since| *on >= since))?;
        Some((on, s, g))
    });
    let mut new: Vec<_> = new.collect();
    new.sort_by_key(|(on, s, g)| (*on, &s.code, g.white, g.black));
    new
}

fn result_line((on, section, game): Reported<'_>, desk: &Desk<'_>) -> String {
    let id = section.game_id(game);
    let view = super::result::game_view(&id, desk);
    let what = match game.outcome() {
        Some(outcome) => words::outcome(outcome, &view.white, &view.black),
        None => format!("{} and {} contradict each other", view.white, view.black),
    };
    let open = match game.state {
        GameState::Reported(_) => " (may still be objected to)",
        GameState::Ruled(_) => " (your ruling)",
        GameState::Running | GameState::Confirmed(_) | GameState::Disputed(_) => "",
    };
    format!("{}, {id}: {what}{open}", words::date(on))
}

const fn state_words(state: EntryState) -> &'static str {
    match state {
        EntryState::Received => "not looked at yet",
        EntryState::Docket => "waiting for you",
        EntryState::Refused => "not accepted",
        EntryState::AwaitingPayment => "accepted, fee awaited",
        EntryState::Waiting => "paid, waiting for a section",
        EntryState::Assigned => "playing",
        EntryState::Advanced => "advanced, waiting for a section",
        EntryState::Eliminated => "out",
        EntryState::Finished => "finished",
        EntryState::Withdrawn => "withdrawn",
        EntryState::CarriedForward => "carried forward",
    }
}

fn item_line(item: &Item, on: NaiveDate, desk: &Desk<'_>) -> ItemLine {
    let since = desk.house.day(item.since);
    let known = item.sentences();
    ItemLine {
        item: item.item.to_string(),
        matter: words::matter(item.kind),
        about: about(&item.about, desk),
        since: words::date(since),
        days: (on - since).num_days(),
        choices: item.choices.iter().map(|choice| words::clean(choice)).collect(),
        recommended: item.recommended.as_deref().map(words::clean),
        more_evidence: known.len().saturating_sub(EVIDENCE),
        evidence: known.iter().take(EVIDENCE).map(|line| words::clean(line)).collect(),
    }
}

fn about(about: &About, desk: &Desk<'_>) -> String {
    let player = about.player.as_ref().map(|m| {
        let name = words::spoken(&member_name(desk.state, m));
        if name.is_empty() { format!("member {m}") } else { format!("{name} (member {m})") }
    });
    let section = about.section.as_ref().filter(|_| about.game.is_none());
    let parts = [
        about.game.as_ref().map(|g| format!("game {g}")),
        section.map(|s| format!("section {s}")),
        about.entry.as_ref().map(|e| format!("entry {e}")),
        player,
        about.letter.map(|l| format!("letter {l}")),
        about.mail.as_ref().map(|m| format!("mail {}", m.chars().take(19).collect::<String>())),
        about.event.as_ref().map(ToString::to_string),
    ];
    words::clean(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}
