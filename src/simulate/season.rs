//! A season: the days of one simulated championship, one after the other. On each day the director does what he has
//! planned, the players write, the office makes its pass, and everybody reacts to what came of it. Players and director
//! act through the same doors as in life: raw mails, and commands.

use super::{
    Settings,
    chance::Chance,
    chronicle::Chronicle,
    desk::{Desk, Venue},
    director::Director,
    mails::Draft,
    players::{self, Habit, Person},
    words,
};
use crate::{
    digest::Digest,
    domain::{
        command::Command,
        event::Event,
        ids::{EntryId, GameId, LetterId, MemberId},
        points::{How, Outcome, Side},
        tournament::Tournament,
    },
    office::Announce,
    store::transaction::{LetterRecord, Transaction},
};
use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeZone as _, Utc};
use std::collections::{BTreeMap, BTreeSet};

/// What a player does on a day.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// Enters with so many entries.
    Enter(usize, u8),
    /// A game comes to its end.
    End(GameId),
    /// Says what came out of a game: in which words, and whether it is true.
    Report(GameId, Side, Telling),
    /// Complains that the opponent is late.
    Complain(GameId, Side, Complaint),
    /// Objects to a result.
    Object(GameId, Side),
    /// Looks after a game that should have ended; how often that was done.
    Chase(GameId, u8),
    /// Does what his habit is, apart from games.
    Habit(usize),
    /// Asks something.
    Ask(usize),
    /// Tells that a member has died.
    TellDeath(usize),
    /// Writes a mail that is composed already.
    Write(Box<Draft>),
    /// Sends the same bytes once more.
    Again(Vec<u8>),
}

/// How a result is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Telling {
    /// As it is.
    Truly,
    /// As it is, carelessly spelled.
    Sloppily,
    /// As a resignation.
    Resigning,
    /// As it is not.
    Falsely,
    /// With the seats exchanged.
    SeatsTurned,
}

/// What kind of time complaint it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Complaint {
    /// After a repeat, long enough after the move.
    Due,
    /// Too early, and without a repeat.
    Premature,
}

/// A mail that was sent, for whoever checks what became of it.
#[derive(Clone, Debug)]
pub struct Posted {
    /// The digest of its bytes.
    pub digest: Digest,
    /// The day of its Date header, in the sender's own zone.
    pub postmark: NaiveDate,
    /// Whether a program wrote it.
    pub automatic: bool,
}

/// A letter as it was delivered.
#[derive(Clone, Debug)]
pub struct Delivered {
    /// Its number.
    pub letter: LetterId,
    /// The address it went to; none: it was printed.
    pub to: Option<String>,
    /// The digest of its bytes.
    pub digest: Digest,
}

/// One simulated championship.
pub(super) struct Season<'a> {
    pub(super) tournament: &'a Tournament,
    pub(super) venue: &'a Venue,
    pub(super) chance: Chance,
    pub(super) desk: Desk<'a>,
    pub(super) people: Vec<Person>,
    by_member: BTreeMap<MemberId, usize>,
    diary: BTreeMap<NaiveDate, Vec<Act>>,
    /// How each game truly ends.
    truth: BTreeMap<GameId, Outcome>,
    pub(super) director: Director,
    pub(super) chronicle: Chronicle,
    pub(super) today: NaiveDate,
    /// How many mails were written.
    pub(super) mails: usize,
    /// The latest of them.
    pub(super) last_mail: Vec<u8>,
    /// The day of the last answer that a machine gave.
    pub(super) machine: BTreeMap<usize, NaiveDate>,
    /// The letter that a player may answer.
    pub(super) latest: BTreeMap<usize, LetterRecord>,
    /// Who reads the mail of an address.
    pub(super) by_address: BTreeMap<String, usize>,
    /// Addresses that send letters back.
    pub(super) dead_addresses: BTreeSet<String>,
    /// Letters that have reached somebody.
    pub(super) arrived: BTreeSet<LetterId>,
    pub(super) posted: Vec<Posted>,
    pub(super) delivered: Vec<Delivered>,
    pub(super) transactions: Vec<Transaction>,
}

impl<'a> Season<'a> {
    /// Makes up the players and opens the office the day before the event opens.
    pub(super) fn open(venue: &'a Venue, tournament: &'a Tournament, settings: &Settings) -> Self {
        let mut chance = Chance::new(settings.seed);
        let people = players::invent(&mut chance, tournament, settings.entries);
        let today = tournament.entry.opens - Days::new(1);
        let now = instant(venue, today, 11);
        let by_member = people.iter().enumerate().map(|(n, p)| (p.member().clone(), n)).collect();
        let addresses = people.iter().enumerate();
        let by_address = addresses.filter_map(|(n, p)| Some((p.address.clone()?, n))).collect();
        Self {
            tournament,
            venue,
            chance,
            desk: Desk::open(venue, now, settings.mishaps, settings.seed),
            people,
            by_member,
            diary: BTreeMap::new(),
            truth: BTreeMap::new(),
            director: Director::default(),
            chronicle: Chronicle::new(settings.chronicle),
            today,
            mails: 0,
            last_mail: Vec::new(),
            by_address,
            dead_addresses: BTreeSet::new(),
            machine: BTreeMap::new(),
            latest: BTreeMap::new(),
            arrived: BTreeSet::new(),
            posted: Vec::new(),
            delivered: Vec::new(),
            transactions: Vec::new(),
        }
    }

    /// Takes in the roster and plans when everybody enters.
    ///
    /// # Errors
    /// What is wrong, in a sentence.
    pub(super) fn begin(&mut self) -> Result<(), String> {
        self.desk.pass()?;
        let known = self.people.iter().filter(|person| !person.stranger);
        let listed = known.map(|person| person.listed.clone()).collect();
        let words = "import roster roster.csv";
        self.desk.direct(words, &[Command::ListPlayers(listed)], Announce::No)?;
        for _ in 0..self.people.len() / 20 {
            Director::keep_apart(self)?;
        }
        for person in 0..self.people.len() {
            self.plan_person(person);
        }
        self.take_news()
    }

    fn plan_person(&mut self, person: usize) {
        let entry = &self.tournament.entry;
        let wanted = self.people[person].entries;
        let (opens, closes) = (entry.opens, self.tournament.closes());
        let own = self.tournament.deadline(wanted).unwrap_or(closes);
        let span =
            |from: NaiveDate, to: NaiveDate| u64::try_from((to - from).num_days()).unwrap_or(0);
        // One in thirty is late for his number, or for the event.
        let last = if self.chance.in_a_hundred(3) { closes + Days::new(20) } else { own };
        let first = opens + Days::new(self.chance.between(0, span(opens, last)));
        if wanted > 2 && self.chance.in_a_hundred(50) {
            let more = 1 + self.chance.below(u64::from(wanted) - 1);
            let more = u8::try_from(more).unwrap_or(1);
            self.plan(first, Act::Enter(person, wanted - more));
            let later = self.chance.between(1, 60);
            self.plan((first + Days::new(later)).min(last.max(first)), Act::Enter(person, more));
        } else {
            self.plan(first, Act::Enter(person, wanted));
        }
        let day = opens + Days::new(self.chance.between(200, 1100));
        self.plan(day, Act::Habit(person));
        if self.chance.in_a_hundred(25) {
            let day = opens + Days::new(self.chance.between(30, 900));
            self.plan(day, Act::Ask(person));
        }
    }

    /// Plans an act; what would lie in the past is done at once.
    pub(super) fn plan(&mut self, day: NaiveDate, act: Act) {
        self.diary.entry(day.max(self.today)).or_default().push(act);
    }

    /// Plans an act after some days.
    pub(super) fn plan_in(&mut self, least: u64, most: u64, act: Act) {
        let day = self.today + Days::new(self.chance.between(least, most));
        self.plan(day, act);
    }

    /// Lives one day.
    ///
    /// # Errors
    /// What went wrong, in a sentence.
    pub(super) fn live(&mut self, day: NaiveDate) -> Result<(), String> {
        self.today = day;
        self.desk.clock.set(instant(self.venue, day, 11));
        let mut director = std::mem::take(&mut self.director);
        let done = director.work(self);
        self.director = director;
        done?;
        for act in self.diary.remove(&day).unwrap_or_default() {
            self.act(act)?;
        }
        self.desk.clock.set(instant(self.venue, day, 12));
        self.desk.pass()?;
        self.take_news()?;
        for letter in self.desk.delivered() {
            self.take_letter(&letter);
        }
        Ok(())
    }

    fn act(&mut self, act: Act) -> Result<(), String> {
        match act {
            Act::Enter(person, count) => return self.enter(person, count),
            Act::End(game) => self.end(&game),
            Act::Report(game, side, telling) => self.report(&game, side, telling),
            Act::Complain(game, side, kind) => self.complain(&game, side, kind),
            Act::Object(game, side) => self.object(&game, side),
            Act::Chase(game, times) => return self.chase(&game, times),
            Act::Habit(person) => return self.habit(person),
            Act::Ask(person) => {
                let text = words::question(&mut self.chance);
                self.write(person, "A question", text);
            }
            Act::TellDeath(person) => return self.tell_death(person),
            Act::Write(draft) => self.post(&draft),
            Act::Again(bytes) => self.put_again(bytes),
        }
        Ok(())
    }

    fn enter(&mut self, person: usize, count: u8) -> Result<(), String> {
        let (event, member) = (self.tournament.name.clone(), self.people[person].member().clone());
        if self.people[person].address.is_none() {
            let (day, name) = (self.today, self.people[person].name().to_owned());
            return Director::enter(self, &member, &name, count, day);
        }
        let text = words::entry(&mut self.chance, &event, &member.0, count);
        self.write(person, &format!("Entry for the {event}"), text);
        Ok(())
    }

    /// Follows what the office wrote into its journal.
    fn take_news(&mut self) -> Result<(), String> {
        for mut transaction in self.desk.news()? {
            for event in &transaction.events {
                self.chronicle.note(self.today, event, self.desk.state());
                self.react(event);
            }
            for letter in &transaction.letters {
                self.await_letter(letter);
            }
            if let crate::store::transaction::Cause::Mail(mail) = &mut transaction.cause {
                // What was understood is not looked at again, and would be most of what is kept.
                mail.reading = None;
            }
            self.transactions.push(transaction);
        }
        Ok(())
    }

    fn react(&mut self, event: &Event) {
        match event {
            Event::EntryAccepted { entry } => self.plan_payment(entry),
            Event::SectionFormed { section, start, games, .. } => {
                for (white, black) in games {
                    let game = GameId { section: section.clone(), white: *white, black: *black };
                    self.plan_game(game, *start);
                }
            }
            Event::ResultReported { game, report } => self.answer_report(game, report.by.other()),
            Event::ItemOpened(item) => self.director.plan(self.today, item, &mut self.chance),
            _ => {}
        }
    }

    fn plan_payment(&mut self, entry: &EntryId) {
        let Some(held) = self.desk.state().entries.get(entry) else { return };
        if held.paid {
            return;
        }
        let member = held.member.clone();
        let habit = self.person(&member).map(|p| self.people[p].habit);
        let days = match habit {
            Some(Habit::Slow) => self.chance.between(16, 45),
            _ => self.chance.between(2, 12),
        };
        // One in a hundred never pays.
        if !self.chance.in_a_hundred(1) {
            self.director.expect_money(self.today + Days::new(days), member);
        }
    }

    fn plan_game(&mut self, game: GameId, start: NaiveDate) {
        let months = self.round_months(&game);
        let outcome = self.outcome(&game);
        self.truth.insert(game.clone(), outcome);
        let last = (u64::from(months) * 27).max(40);
        if self.chance.in_a_hundred(1) {
            // This one is still running when its section closes.
            self.plan(start + Days::new(u64::from(months) * 31 + 150), Act::Chase(game, 3));
            return;
        }
        let days = 20 + self.chance.below(last) * (40 + self.chance.below(60)) / 100;
        self.plan(start + Days::new(days), Act::End(game.clone()));
        for side in [Side::White, Side::Black] {
            if self.habit_of(&game, side) == Some(Habit::Quarrelsome)
                && self.chance.in_a_hundred(12)
            {
                let day = start + Days::new(self.chance.between(13, 18));
                self.plan(day, Act::Complain(game.clone(), side, Complaint::Premature));
            }
        }
    }

    fn round_months(&self, game: &GameId) -> u16 {
        let section = self.desk.state().sections.get(&game.section);
        let round = section.and_then(|s| self.tournament.rounds.get(s.round));
        round.map_or(12, |round| round.months)
    }

    /// Returns how a game will end, by the strengths of its players.
    fn outcome(&mut self, game: &GameId) -> Outcome {
        use crate::domain::points::Score;
        let strength =
            |side| self.at(game, side).map_or(1400, |p| u64::from(self.people[p].strength()));
        let (white, black) = (strength(Side::White), strength(Side::Black));
        let lead = (white + 1200).saturating_sub(black) / 24;
        let wins = lead.saturating_sub(14).clamp(4, 68);
        match self.chance.below(100) {
            n if n < wins => {
                let how = if self.chance.in_a_hundred(15) { How::Mate } else { How::Resignation };
                Outcome { result: Score::WhiteWins, how }
            }
            n if n < wins + 28 => Outcome { result: Score::Draw, how: How::Agreement },
            _ => Outcome { result: Score::BlackWins, how: How::Resignation },
        }
    }

    pub(super) fn person(&self, member: &MemberId) -> Option<usize> {
        self.by_member.get(member).copied()
    }

    /// Returns who has a side in a game now.
    pub(super) fn at(&self, game: &GameId, side: Side) -> Option<usize> {
        self.person(self.desk.state().member_of(game, side)?)
    }

    pub(super) fn habit_of(&self, game: &GameId, side: Side) -> Option<Habit> {
        self.at(game, side).map(|person| self.people[person].habit)
    }

    /// Returns how a game truly ends.
    pub(super) fn truth(&self, game: &GameId) -> Option<Outcome> {
        self.truth.get(game).copied()
    }

    pub(super) fn is_open(&self, game: &GameId) -> bool {
        self.desk.state().game(game).is_some_and(|(_, game)| game.settled().is_none())
    }
}

/// Returns an instant by the wall clock of the house.
pub(super) fn instant(venue: &Venue, day: NaiveDate, hour: u32) -> DateTime<Utc> {
    let wall = day.and_time(NaiveTime::from_hms_opt(hour, 0, 0).expect("a full hour"));
    let local = venue.house.zone.from_local_datetime(&wall).earliest();
    local.map_or_else(|| wall.and_utc(), |at| at.to_utc())
}
