//! The assignment sheet: who plays whom, with which colour, where to write to and how fast (Rules 2 and 10). Addresses
//! of players are here and nowhere else.

use super::{
    super::{Desk, layout, table},
    result::game_view,
    section::{
        SectionView, closing, indent, next_round, own_seat, round, seat_name, section_by_code,
        tournament,
    },
    words,
};
use crate::domain::{
    ids::{MemberId, Seat, SectionCode},
    points::Side,
    section::{Game, Section},
    tournament::{ClockTerms, Counting},
};
use serde::Serialize;

/// `assignment`.
#[derive(Debug, Serialize)]
pub struct Assignment {
    /// The section.
    pub section: SectionView,
    /// The reader's seat; null where he sits nowhere here.
    pub seat: Option<String>,
    /// The reader's entry.
    pub entry: Option<String>,
    /// Everybody, seat by seat, with the address to write to.
    pub players: Vec<SeatLine>,
    /// The same as lines of text.
    pub addresses: String,
    /// The reader's games with White.
    pub white_against: Vec<Opponent>,
    /// The reader's games with Black.
    pub black_against: Vec<Opponent>,
    /// The empty crosstable with colours, as lines of text.
    pub table: String,
    /// The rule sets for the clocks while the section runs, the one in force at the start first (Rule 10).
    pub clocks: Vec<Clock>,
    /// How a result is written: White's and Black's seat of one of the reader's games.
    pub example: Example,
    /// Points that lead to the next round; null in the last one (Rule 3).
    pub advance: Option<String>,
    /// The next round's name; null in the last one.
    pub next_round: Option<String>,
    /// Whether the reader takes over a seat, so that games may be finished or under way (Rule 10).
    pub takes_over: bool,
    /// How the games of his seat stand then, a sentence each; empty otherwise.
    pub stands: Vec<String>,
    /// Days of leave a year without asking the director (Rule 10).
    pub leave_days: u16,
}

/// A seat of an assignment sheet.
#[derive(Debug, Serialize)]
pub struct SeatLine {
    /// The seat.
    pub seat: String,
    /// The name as tables print it.
    pub name: String,
    /// The rating, or `unrated`.
    pub rating: String,
    /// The email address; null where there is none.
    pub email: Option<String>,
    /// The postal address, only where there is no email address.
    pub post: Option<String>,
}

/// Somebody the reader plays.
#[derive(Debug, Serialize)]
pub struct Opponent {
    /// The seat.
    pub seat: String,
    /// The name as it is spoken.
    pub name: String,
}

/// A rule set for the clocks (Rule 10).
#[derive(Debug, Serialize)]
pub struct Clock {
    /// The first day on which it applies; null for the one in force at the start.
    pub from: Option<String>,
    /// Days of reflection time …
    pub days: u16,
    /// … for so many moves.
    pub moves: u16,
    /// Days at most on one move; null without such a limit.
    pub days_a_move_max: Option<u16>,
    /// Days after which an unanswered move is repeated.
    pub repeat_after_days: u16,
    /// Days after the first sending from which a time complaint is heard.
    pub complaint_from_day: u16,
    /// More days than this on a move are announced to the opponent; null where that is not asked.
    pub slow_move_days: Option<u16>,
    /// How days are counted: what follows "the days of a move are".
    pub counting: &'static str,
    /// Days of transit of a move by post.
    pub transit_post_days: u16,
}

/// Numbers for the example of a report.
#[derive(Debug, Serialize)]
pub struct Example {
    /// White's seat.
    pub white: String,
    /// Black's seat.
    pub black: String,
    /// The seat of the reader's opponent.
    pub opponent: String,
}

/// Returns the view of `assignment`.
pub fn assignment(
    code: &SectionCode,
    takes_over: bool,
    member: Option<&MemberId>,
    desk: &Desk<'_>,
) -> Assignment {
    let section = desk.state.sections.get(code);
    let own = section.zip(member).and_then(|(s, m)| own_seat(s, m, desk));
    let players = section.map_or_else(Vec::new, |s| seat_lines(s, desk));
    let round = section.and_then(|s| round(s, desk));
    Assignment {
        section: section_by_code(code, desk),
        seat: own.map(|seat| seat.to_string()),
        entry: section.zip(own).and_then(|(s, seat)| s.seated(seat)).map(|s| s.entry.0.clone()),
        addresses: address_lines(&players),
        players,
        white_against: against(section, own, Side::White, desk),
        black_against: against(section, own, Side::Black, desk),
        table: section.map_or_else(String::new, |s| indent(&table::colours(desk.state, s))),
        clocks: section.map_or_else(Vec::new, |s| clocks(s, desk)),
        example: example(section, own),
        advance: round.and_then(|r| r.advance).map(table::points),
        next_round: section.and_then(|s| next_round(s, desk)).map(|r| words::clean(&r.name)),
        takes_over,
        stands: section
            .zip(own.filter(|_| takes_over))
            .map_or_else(Vec::new, |(s, seat)| stands(s, seat, desk)),
        leave_days: section
            .and_then(|s| desk.rules.tournaments.get(&s.tournament))
            .map_or(0, |t| t.leave.days_a_year),
    }
}

/// Returns how the games of a seat stand, a sentence each.
fn stands(section: &Section, own: Seat, desk: &Desk<'_>) -> Vec<String> {
    let line = |game: &Game| {
        let view = game_view(&section.game_id(game), desk);
        let how = match (game.outcome(), game.record.last()) {
            (Some(outcome), _) => words::outcome(outcome, &view.white, &view.black),
            (None, Some(last)) => {
                format!("{} - {} goes on; the last move is {last}", view.white, view.black)
            }
            (None, None) => {
                format!(
                    "{} - {} goes on; no move of it has come through us",
                    view.white, view.black
                )
            }
        };
        format!("{}: {how}", view.id)
    };
    section.games_of(own).map(line).collect()
}

fn seat_lines(section: &Section, desk: &Desk<'_>) -> Vec<SeatLine> {
    let line = |(seat, rating): (Seat, Option<u16>)| {
        let player = desk.state.player_at(section, seat);
        let email = player.and_then(|p| p.email()).map(words::clean);
        let post = player.filter(|_| email.is_none()).and_then(|p| p.address.as_deref());
        SeatLine {
            seat: seat.to_string(),
            name: table::seat_name(desk.state, section, seat),
            rating: rating.map_or_else(|| "unrated".to_owned(), |r| r.to_string()),
            post: post.map(words::clean),
            email,
        }
    };
    section.each_seat().map(|(seat, seated)| line((seat, seated.rating))).collect()
}

/// Returns the seats as lines of text. A name may be cut, an address never is: it moves to a line of its own.
fn address_lines(players: &[SeatLine]) -> String {
    let longest = players.iter().map(|p| p.name.chars().count()).max().unwrap_or(0);
    let width = longest.clamp(6, 26);
    let line = |p: &SeatLine| {
        let name = table::cut(&p.name, width);
        let line = format!("  {:>2}  {name:width$}  {:>7}", p.seat, p.rating);
        let reach = match (&p.email, &p.post) {
            (Some(email), _) => email.clone(),
            (None, Some(post)) => format!("by post: {post}"),
            (None, None) => "no address; ask the director".to_owned(),
        };
        let room = layout::WIDTH.saturating_sub(line.chars().count() + 2);
        let gap = if reach.chars().count() <= room { "  " } else { "\n      " };
        format!("{line}{gap}{reach}\n")
    };
    players.iter().map(line).collect()
}

fn against(
    section: Option<&Section>,
    own: Option<Seat>,
    side: Side,
    desk: &Desk<'_>,
) -> Vec<Opponent> {
    let Some((section, own)) = section.zip(own) else { return Vec::new() };
    let games = section.games_of(own).filter(|game| game.side(own) == Some(side));
    let opponent =
        |seat: Seat| Opponent { seat: seat.to_string(), name: seat_name(section, seat, desk) };
    let mut seats: Vec<_> = games.map(|game| game.seat(side.other())).collect();
    seats.sort_unstable();
    seats.into_iter().map(opponent).collect()
}

fn example(section: Option<&Section>, own: Option<Seat>) -> Example {
    let game = section.and_then(|s| match own {
        Some(seat) => s.games_of(seat).next(),
        None => s.games.first(),
    });
    let seat = |side| game.map_or_else(String::new, |g| g.seat(side).to_string());
    let (white, black) = (seat(Side::White), seat(Side::Black));
    let has_black = own.is_some_and(|own| own.to_string() == black);
    let opponent = if has_black { white.clone() } else { black.clone() };
    Example { white, black, opponent }
}

/// Returns the rule sets from the section's start to its closing date: the one in force comes first, and each later
/// one applies to acts from its day on (Rule 10).
fn clocks(section: &Section, desk: &Desk<'_>) -> Vec<Clock> {
    let Some(tournament) = tournament(section, desk) else { return Vec::new() };
    let closes = round(section, desk).and_then(|r| closing(section.start, r));
    let mut all: Vec<_> = tournament.clocks.iter().collect();
    all.sort_by_key(|terms| terms.from);
    let current = all.iter().rposition(|terms| terms.from <= section.start).unwrap_or(0);
    let running = all.iter().skip(current);
    let running = running.filter(|t| closes.is_none_or(|end| t.from <= end));
    running.enumerate().map(|(n, terms)| clock(terms, n)).collect()
}

fn clock(terms: &ClockTerms, place: usize) -> Clock {
    Clock {
        from: Some(words::date(terms.from)).filter(|_| place > 0),
        days: terms.days,
        moves: terms.moves,
        days_a_move_max: terms.days_a_move_max,
        repeat_after_days: terms.repeat_after_days,
        complaint_from_day: terms.complaint_from_day,
        slow_move_days: terms.slow_move_days,
        counting: match terms.counting {
            Counting::DateDifference => "counted as the day of your answer less the day of receipt",
            Counting::NextDayGrace => {
                "counted as the day of your answer less the day of receipt, and a move may count \
                 as received the day after it came"
            }
            Counting::Full24Hours => "counted in full days of twenty-four hours",
        },
        transit_post_days: terms.transit_post_days,
    }
}
