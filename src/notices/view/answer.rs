//! Answers to questions and to what was not understood. A stranger is told nothing of anybody.

use super::{
    super::{
        Desk,
        table::{self, Ratings},
    },
    Event,
    entry::{self, DeadlineLine, EntryLine},
    known, member,
    section::{SectionView, indent, own_seat, seat_name, section_view},
    standings::{self, Counts, Table},
    words::{self, Known},
};
use crate::domain::{
    event::{Topic, Trouble},
    ids::{MemberId, Seat, SectionCode},
    notice::Recipient,
    points::Side,
    section::{Game, GameState, Section},
};
use serde::Serialize;

/// `not-understood`.
#[derive(Debug, Serialize)]
pub struct NotUnderstood {
    /// What was the trouble: `nothing-found`, `sender-unknown`, `game-unclear`, `for-director`, `too-large`, `empty`,
    /// `damaged`.
    pub trouble: &'static str,
    /// What was understood all the same, a sentence each. Nothing for a stranger: it may name others.
    pub read: Vec<String>,
    /// The reader's running games, to choose from.
    pub games: Vec<GameLine>,
    /// The tournaments that take entries now.
    pub open: Vec<Event>,
    /// The largest mail that is read, in megabytes.
    pub megabytes: usize,
}

/// `help`.
#[derive(Debug, Serialize)]
pub struct Help {
    /// What was asked about: `help`, `section`, `games`, `standings`, `entries`, `deadlines`, `rules`.
    pub topic: &'static str,
    /// The section that was asked about, as it was named; null where none was.
    pub asked: Option<String>,
    /// That section; null where it is not formed.
    pub section: Option<SectionView>,
    /// Its table so far, as lines of text; empty for a stranger.
    pub table: String,
    /// Whether all its games are decided.
    pub complete: bool,
    /// The reader's games, where they or a section were asked about.
    pub games: Vec<GameLine>,
    /// How many of them are running.
    pub running: usize,
    /// The reader's entries, where they were asked about.
    pub entries: Vec<EntryLine>,
    /// The tables of the sections in which the reader plays, where the standings were asked about.
    pub standings: Vec<Table>,
    /// The tournaments in numbers, where the standings were asked about.
    pub events: Vec<Counts>,
    /// The tournaments that take entries now.
    pub open: Vec<OpenEvent>,
}

/// A tournament that takes entries.
#[derive(Debug, Serialize)]
pub struct OpenEvent {
    /// The tournament.
    pub event: Event,
    /// The deadlines that lie ahead (Rule 9).
    pub deadlines: Vec<DeadlineLine>,
    /// Points that lead from round to round, a piece each: `preliminary 4½`.
    pub rounds: Vec<String>,
}

/// One of the reader's games.
#[derive(Debug, Serialize)]
pub struct GameLine {
    /// Its id: `19N04 1-3`.
    pub id: String,
    /// The reader's colour: `White`.
    pub colour: &'static str,
    /// The opponent's name as it is spoken.
    pub opponent: String,
    /// The opponent's seat.
    pub opponent_seat: String,
    /// Where it stands: `running`, `reported`, `confirmed`, `disputed`, `ruled`.
    pub state: &'static str,
    /// The same in words.
    pub standing: String,
}

/// Returns the view of `not-understood`.
pub fn not_understood(
    why: Trouble,
    read: &[String],
    to: &Recipient,
    desk: &Desk<'_>,
) -> NotUnderstood {
    let shown = known(to) != Known::Stranger;
    NotUnderstood {
        trouble: trouble(why),
        read: read.iter().filter(|_| shown).map(|line| words::clean(line)).collect(),
        games: running(member(to), desk),
        open: entry::open_events(desk),
        megabytes: crate::limits::MAIL_BYTES / (1024 * 1024),
    }
}

/// Returns the view of `help`.
pub fn help(topic: Topic, code: Option<&SectionCode>, to: &Recipient, desk: &Desk<'_>) -> Help {
    let reader = member(to);
    let (topic, code) = particular(topic, code, reader, desk);
    let section = code.and_then(|code| desk.state.sections.get(code));
    let player = reader.filter(|_| matches!(topic, Topic::Section | Topic::Games));
    let games = player.map_or_else(Vec::new, |m| games(m, code, desk));
    let entries = reader.filter(|_| topic == Topic::Entries);
    let all = topic == Topic::Standings;
    Help {
        topic: self::topic(topic),
        asked: code.map(|code| words::clean(&code.0)),
        section: section.map(|s| section_view(s, desk)),
        table: section.map_or_else(String::new, |s| shown_table(s, to, desk)),
        complete: section.is_some_and(Section::is_settled),
        running: games.iter().filter(|g| g.state == "running").count(),
        games,
        entries: entries.map_or_else(Vec::new, |m| self::entries(m, desk)),
        standings: reader.filter(|_| all).map_or_else(Vec::new, |m| standings::tables(m, desk)),
        events: if all { standings::counts(desk) } else { Vec::new() },
        open: open(desk),
    }
}

/// A player who asks for "my section" means the one he sits in; one who sits in several is shown his games, one who
/// sits in none where his entries wait.
fn particular<'a>(
    topic: Topic,
    code: Option<&'a SectionCode>,
    reader: Option<&MemberId>,
    desk: &'a Desk<'_>,
) -> (Topic, Option<&'a SectionCode>) {
    if topic == Topic::Standings && code.is_some() {
        return (Topic::Section, code); // how a section stands, its table says
    }
    let (Topic::Section, None, Some(member)) = (topic, code, reader) else { return (topic, code) };
    let seats: Vec<_> = desk.state.seats_of(member).collect();
    match seats[..] {
        [(only, _)] => (Topic::Section, Some(&only.code)),
        [] => (Topic::Entries, None),
        _ => (Topic::Games, None),
    }
}

/// Returns a section's table for this reader: ratings for those who sit there, names for players, nothing else.
fn shown_table(section: &Section, to: &Recipient, desk: &Desk<'_>) -> String {
    let ratings = match to {
        Recipient::Stranger(_) => return String::new(),
        Recipient::Player(member) if own_seat(section, member, desk).is_none() => Ratings::Hidden,
        Recipient::Player(_) | Recipient::Director => Ratings::Shown,
    };
    indent(&table::results(desk.state, section, ratings))
}

fn running(member: Option<&MemberId>, desk: &Desk<'_>) -> Vec<GameLine> {
    let mut games = member.map_or_else(Vec::new, |m| games(m, None, desk));
    games.retain(|game| game.state == "running");
    games
}

fn games(member: &MemberId, only: Option<&SectionCode>, desk: &Desk<'_>) -> Vec<GameLine> {
    let seats = desk.state.seats_of(member);
    let seats = seats.filter(|(section, _)| only.is_none_or(|code| &section.code == code));
    let lines = seats.flat_map(|(section, seat)| {
        section.games_of(seat).map(move |game| game_line(section, game, seat, desk))
    });
    lines.collect()
}

fn game_line(section: &Section, game: &Game, own: Seat, desk: &Desk<'_>) -> GameLine {
    let side = game.side(own).unwrap_or(Side::White);
    let other = game.seat(side.other());
    let id = section.game_id(game);
    let view = super::result::game_view(&id, desk);
    let outcome = |o| words::outcome(o, &view.white, &view.black);
    GameLine {
        id: id.to_string(),
        colour: match side {
            Side::White => "White",
            Side::Black => "Black",
        },
        opponent: seat_name(section, other, desk),
        opponent_seat: other.to_string(),
        state: game.state.text(),
        standing: match &game.state {
            GameState::Running => "running".to_owned(),
            GameState::Reported(report) => {
                format!("reported on {}: {}", words::date(report.on), outcome(report.outcome))
            }
            GameState::Confirmed(o) => outcome(*o),
            GameState::Ruled(o) => format!("{}, as the director ruled", outcome(*o)),
            GameState::Disputed(_) => "the two reports differ; the director decides".to_owned(),
        },
    }
}

fn entries(member: &MemberId, desk: &Desk<'_>) -> Vec<EntryLine> {
    let ids = desk.state.entries_of.get(member).into_iter().flatten();
    let entries = ids.filter_map(|id| desk.state.entries.get(id));
    entries.map(|e| entry::line(e, Known::Player, desk)).collect()
}

fn open(desk: &Desk<'_>) -> Vec<OpenEvent> {
    let today = desk.house.day(desk.now);
    let tournaments = desk.rules.tournaments.values();
    let open = tournaments.filter(|t| t.entry.opens <= today && today <= t.closes());
    let view = open.map(|t| OpenEvent {
        event: super::event(&t.id, desk),
        deadlines: entry::deadlines(t, desk),
        rounds: t
            .rounds
            .iter()
            .filter_map(|r| Some((r, r.advance?)))
            .map(|(r, points)| format!("{} {}", words::clean(&r.name), table::points(points)))
            .collect(),
    });
    view.collect()
}

const fn trouble(why: Trouble) -> &'static str {
    match why {
        Trouble::NothingFound => "nothing-found",
        Trouble::SenderUnknown => "sender-unknown",
        Trouble::GameUnclear => "game-unclear",
        Trouble::ForDirector => "for-director",
        Trouble::TooLarge => "too-large",
        Trouble::Empty => "empty",
        Trouble::Damaged => "damaged",
        Trouble::TooMany => "too-many",
        Trouble::Parked => "parked",
    }
}

const fn topic(topic: Topic) -> &'static str {
    match topic {
        Topic::Help => "help",
        Topic::Section => "section",
        Topic::Games => "games",
        Topic::Standings => "standings",
        Topic::Entries => "entries",
        Topic::Deadlines => "deadlines",
        Topic::Rules => "rules",
    }
}
