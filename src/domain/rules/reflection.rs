//! Rule 10: reflection time. Which rule set counts is chosen by the day of the act; how many days a player took for each
//! of his moves is worked out here from the books' dates, with leave and outages taken out and charges added. A ledger
//! is evidence: nobody is warned and nothing is forfeited by it, that is the director's.
//!
//! Days are dates, not hours. The day of the receipt is never charged; every later day up to the reply is, unless it is
//! taken out. The dates are each player's own where his zone is known: a reply counts by the day its sender gives (the
//! postmark is in his zone), a receipt by the day it was there. Of hours the books know nothing, so that a full day
//! between two dates is certain only where the day of receipt is left out.

use super::outages;
use crate::domain::{
    decide::Decision,
    docket::ItemKind,
    ids::{GameId, MemberId},
    player::Player,
    points::Side,
    section::{Carriage, Game, GameState, MoveDays, Section},
    state::State,
    tournament::{ClockTerms, Counting, Tournament},
};
use chrono::{Days, NaiveDate};
use chrono_tz::Tz;

/// Days on which a clock stood: leave, a letter that did not arrive, the program out of reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standstill {
    /// Whose clock; none: both.
    pub side: Option<Side>,
    /// The first day.
    pub from: NaiveDate,
    /// The last day.
    pub to: NaiveDate,
    /// Why, in a word: `leave`.
    pub why: String,
}

/// The time of one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the move.
    pub number: u16,
    /// Who moves.
    pub side: Side,
    /// The day on which the opponent's move was with him.
    pub received: NaiveDate,
    /// The day on which he says that he sent his; none where it is not known, or he has not moved yet.
    pub sent: Option<NaiveDate>,
    /// The day on which it came in.
    pub observed: Option<NaiveDate>,
    /// The day on which it was last sent again.
    pub repeated: Option<NaiveDate>,
    /// The day that counts as the reply; none where he has not moved yet, and today counts.
    pub answered: Option<NaiveDate>,
    /// Days used.
    pub days: u32,
    /// All his days so far, with what was charged.
    pub total: u32,
    /// The move that has to be made within the days allowed.
    pub control: u16,
    /// The days allowed up to it.
    pub allowed: u32,
    /// What is left of them; less than nothing where the time is overstepped.
    pub left: i64,
    /// Whether the time is overstepped.
    pub overstepped: bool,
    /// What is out of the ordinary, a clause each.
    pub remarks: Vec<String>,
}

/// The time of a game, move by move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The moves in order; the last one is being thought about where the game runs.
    pub rows: Vec<Row>,
}

impl Row {
    /// Returns how the days come about, a sentence.
    pub fn why(&self) -> String {
        let mut taken = match self.answered {
            Some(on) => format!("received {}, answered {on}: {} days", self.received, self.days),
            None => format!("received {}, not answered: {} days so far", self.received, self.days),
        };
        for remark in &self.remarks {
            taken.push_str("; ");
            taken.push_str(remark);
        }
        let Self { total, allowed, control, left, .. } = self;
        format!("{taken}; {total} of {allowed} up to move {control}, {left} left.")
    }
}

impl Ledger {
    /// Returns the rows of a side.
    pub fn of(&self, side: Side) -> impl DoubleEndedIterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.side == side)
    }

    /// Tells whether a side oversteps its time with its last move, or with the one it thinks about.
    pub fn is_over(&self, side: Side) -> bool {
        self.of(side).next_back().is_some_and(|row| row.overstepped)
    }
}

/// Returns the ledger of a game up to a day; empty where no move of it has come through us.
pub fn ledger(
    tournament: &Tournament,
    state: &State,
    id: &GameId,
    outages: &[Standstill],
    today: NaiveDate,
) -> Ledger {
    let Some((section, game)) = state.game(id) else { return Ledger::default() };
    let mut still = standstills(state, id);
    still.extend(outages.iter().cloned());
    let mut count = Count { tournament, state, id, section, game, still, ledger: Vec::new() };
    let mut side = game.record.start().to_move();
    let mut number = game.record.start().number();
    for (n, days) in game.days.iter().enumerate() {
        count.add(number, side, n, Some(days), today);
        number += u16::from(side == Side::Black);
        side = side.other();
    }
    if game.state == GameState::Running && !game.days.is_empty() {
        count.add(number, side, game.days.len(), None, today);
    }
    Ledger { rows: count.ledger }
}

/// Returns when a player's clock stands by the books: his leave, and letters about the game that did not arrive.
pub fn standstills(state: &State, id: &GameId) -> Vec<Standstill> {
    let mut found = Vec::new();
    for side in [Side::White, Side::Black] {
        let Some(member) = state.member_of(id, side) else { continue };
        for leave in state.leaves.get(member).into_iter().flatten() {
            let (from, to, why) = (leave.from, leave.to, "leave".to_owned());
            found.push(Standstill { side: Some(side), from, to, why });
        }
        found.extend(undelivered(state, id, side, member));
    }
    found.extend(outages(state));
    found
}

/// The days of outages that the director took out of the clocks.
fn outages(state: &State) -> impl Iterator<Item = Standstill> + '_ {
    let granted = state.docket.values().filter_map(|(item, ruling)| {
        let credited = ruling.as_ref().is_some_and(|ruling| ruling.choice == outages::CREDIT);
        item.outage.as_ref().filter(|_| credited)
    });
    granted.map(|outage| Standstill {
        side: None,
        from: outage.first,
        to: outage.last,
        why: "an outage".to_owned(),
    })
}

/// A notice that bounced starts no clock and continues none: the clock stands from the day of the move that it brought
/// until it has gone another way, its address is good again, or the director has seen to it.
fn undelivered<'a>(
    state: &'a State,
    id: &'a GameId,
    side: Side,
    member: &'a MemberId,
) -> impl Iterator<Item = Standstill> + 'a {
    let lost = state.post.lost.values().filter(move |lost| lost.member.as_ref() == Some(member));
    let clocks = lost.filter_map(|lost| Some((lost.clock.as_ref()?, lost.until)));
    let of_game = clocks.filter(move |(clock, _)| {
        clock.section == id.section && clock.game.as_ref().is_none_or(|game| game == id)
    });
    let lost = of_game.map(|(clock, until)| (clock.from, until));
    lost.chain(unwritten(state, id, side, member)).map(move |(from, until)| Standstill {
        side: Some(side),
        from,
        to: until.unwrap_or(NaiveDate::MAX),
        why: "a letter that did not arrive".to_owned(),
    })
}

/// Returns when a letter stopped a clock that could not be written at all, or that failed before the books kept letters:
/// until its docket item was decided.
fn unwritten<'a>(
    state: &'a State,
    id: &'a GameId,
    side: Side,
    member: &'a MemberId,
) -> impl Iterator<Item = (NaiveDate, Option<NaiveDate>)> + 'a {
    let failed = state.docket.values().filter(|(item, _)| item.kind == ItemKind::LetterFailed);
    let about = failed.filter(move |(item, _)| {
        let about = &item.about;
        let game = about.game.as_ref().is_none_or(|game| game == id);
        about.player.as_ref() == Some(member) && game && about.section.as_ref() == Some(&id.section)
    });
    about.map(move |(item, ruling)| {
        let from = brought(state, id, side, item.since.date_naive());
        (from, ruling.as_ref().map(|ruling| ruling.at.date_naive()))
    })
}

/// Returns the day of the move that a letter brought which came back on a day: the last of the opponent's before.
fn brought(state: &State, id: &GameId, side: Side, back: NaiveDate) -> NaiveDate {
    let Some((_, game)) = state.game(id) else { return back };
    let theirs = usize::from(game.record.start().to_move() == side);
    let mut moves = game.days.iter().skip(theirs).step_by(2).map(|days| days.reached);
    moves.rfind(|day| *day <= back).unwrap_or(back)
}

/// Returns the days from one date to another: that of the first is not among them, nor are those on which the clock
/// stood (Rule 10). Each pause is answered with the days that it took out.
pub fn days_between(
    from: NaiveDate,
    to: NaiveDate,
    side: Side,
    still: &[Standstill],
) -> (u32, Vec<(&str, u32)>) {
    let mut out: Vec<(&str, u32)> = Vec::new();
    let mut counted = 0;
    for day in from.iter_days().skip(1).take_while(|day| *day <= to) {
        let stands = still
            .iter()
            .find(|s| s.side.is_none_or(|whose| whose == side) && s.from <= day && day <= s.to);
        match stands {
            None => counted += 1,
            Some(stop) => match out.iter_mut().find(|(why, _)| *why == stop.why) {
                Some((_, days)) => *days += 1,
                None => out.push((&stop.why, 1)),
            },
        }
    }
    (counted, out)
}

/// Returns the day it is with a player now, by his own zone; none where that is not known, or it is the house's day.
pub(super) fn day_there(decision: &Decision<'_>, id: &GameId, side: Side) -> Option<NaiveDate> {
    let member = decision.state.member_of(id, side)?;
    let zone = zone(decision.state.players.get(member)?)?;
    let there = decision.now.at.with_timezone(&zone).date_naive();
    (there != decision.now.today).then_some(there)
}

/// Returns the zone whose days count for a player, where it is known (Rule 10).
pub fn zone(player: &Player) -> Option<Tz> {
    player.timezone.as_deref()?.parse().ok()
}

/// A ledger in the making.
struct Count<'a> {
    tournament: &'a Tournament,
    state: &'a State,
    id: &'a GameId,
    section: &'a Section,
    game: &'a Game,
    still: Vec<Standstill>,
    ledger: Vec<Row>,
}

impl Count<'_> {
    /// Adds the row of a move: the `place`-th of the game, with its dates where it has been played.
    fn add(
        &mut self,
        number: u16,
        side: Side,
        place: usize,
        played: Option<&MoveDays>,
        today: NaiveDate,
    ) {
        let answered = played.map(|days| days.sent.unwrap_or(days.reached));
        // The day of the act chooses the rule set, also for a game that began under another (Rule 10).
        let until = answered.unwrap_or(today);
        let Some(clock) = self.tournament.clock_on(until) else { return };
        let received = self.received(clock, side, place);
        let mut row = Row {
            number,
            side,
            received,
            sent: played.and_then(|days| days.sent),
            observed: played.map(|days| days.reached),
            repeated: played.and_then(|days| days.repeated),
            answered,
            days: 0,
            total: 0,
            control: 0,
            allowed: 0,
            left: 0,
            overstepped: false,
            remarks: Vec::new(),
        };
        match played.map(|days| days.by) {
            Some(Carriage::Score) => row.remarks.push("came with a score, not counted".to_owned()),
            Some(Carriage::Beforehand) => row.remarks.push("promised beforehand".to_owned()),
            Some(Carriage::Mail) | None => self.count(&mut row, clock, until),
        }
        self.sum_up(&mut row, clock, until);
        self.ledger.push(row);
    }

    /// The day on which the opponent's move was there: the first move has the start of the section.
    fn received(&self, clock: &ClockTerms, side: Side, place: usize) -> NaiveDate {
        let before = place.checked_sub(1).and_then(|n| self.game.days.get(n));
        let sent = before.map_or(self.section.start, |days| days.reached);
        let member = self.state.member_of(self.id, side);
        let by_post =
            member.and_then(|m| self.state.players.get(m)).is_some_and(|p| p.emails.is_empty());
        let transit = if by_post { clock.transit_post_days } else { clock.transit_email_days };
        sent + Days::new(u64::from(transit))
    }

    fn count(&self, row: &mut Row, clock: &ClockTerms, until: NaiveDate) {
        let from = row.received + Days::new(grace(clock.counting));
        let (days, out) = days_between(from, until, row.side, &self.still);
        row.days = days;
        row.remarks.extend(out.iter().map(|(why, days)| format!("{days} taken out for {why}")));
        if let Some((most, since)) = self.tournament.longest_move_on(until) {
            let (counted, _) = days_between(from.max(since), until, row.side, &self.still);
            if counted > u32::from(most) {
                row.overstepped = true;
                row.remarks.push(format!("{counted} on one move, {most} at most since {since}"));
            }
        }
        if let Some(slow) = clock.slow_move_days
            && row.days > u32::from(slow)
        {
            row.remarks.push(format!("more than {slow}, to be announced within a week"));
        }
    }

    fn sum_up(&self, row: &mut Row, clock: &ClockTerms, until: NaiveDate) {
        let used: u32 = self.ledger.iter().filter(|r| r.side == row.side).map(|r| r.days).sum();
        let charged = self.state.charged.get(&(self.id.clone(), row.side)).into_iter().flatten();
        let charged: u32 =
            charged.filter(|(on, _)| *on <= until).map(|(_, days)| u32::from(*days)).sum();
        if charged > 0 {
            row.remarks.push(format!("{charged} charged in all"));
        }
        row.total = used + row.days + charged;
        let controls = row.number.saturating_sub(1) / clock.moves.max(1) + 1;
        row.control = controls * clock.moves;
        row.allowed = u32::from(controls) * u32::from(clock.days);
        row.left = i64::from(row.allowed) - i64::from(row.total);
        row.overstepped |= row.left < 0;
        if row.left < 0 {
            row.remarks.push("the time is overstepped".to_owned());
        }
    }
}

/// Returns by how many days a receipt counts later.
const fn grace(counting: Counting) -> u64 {
    match counting {
        Counting::DateDifference => 0,
        // Of two dates only the days between them are full ones for certain.
        Counting::NextDayGrace | Counting::Full24Hours => 1,
    }
}
