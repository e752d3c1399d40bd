//! A tournament as data: what an event's TOML file says, rule by rule. Reading and checking the file is
//! `config/tournament.rs`; what the rules make of it is `rules/`.

use super::{
    ids::TournamentId,
    points::Points,
    readings::{Readings, RuleSet},
};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The tournaments of a home, by id.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// All tournaments that run or ran here.
    pub tournaments: BTreeMap<TournamentId, Tournament>,
}

/// One tournament: `events/golden-knights-2019.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tournament {
    /// Short name, the first part of its entries' ids.
    pub id: TournamentId,
    /// Full name, as letters print it.
    pub name: String,
    /// Other names that players use for it, in lower case.
    pub aliases: Vec<String>,
    /// Whether chess engines are allowed.
    pub engines: bool,
    /// Who may play (Rule 1).
    pub eligibility: Eligibility,
    /// Entries, fee, deadlines (Rules 8 and 9).
    pub entry: EntryTerms,
    /// How sections are formed (Rule 2).
    pub assignment: AssignmentTerms,
    /// Classes by rating, where sections are formed within them (Rule 2). They may overlap. None: all play in one.
    #[serde(rename = "class", default)]
    pub classes: Vec<Class>,
    /// The rounds, in order (Rules 2, 3 and 6).
    #[serde(rename = "round")]
    pub rounds: Vec<Round>,
    /// What is won (Rule 5).
    pub prizes: Prizes,
    /// What is given beside the prizes (Rule 4).
    pub awards: Awards,
    /// Results and objections (Rule 10).
    pub results: ResultTerms,
    /// Rule sets for the clocks, each from its date on (Rule 10).
    #[serde(rename = "clock")]
    pub clocks: Vec<ClockTerms>,
    /// Leave (Rule 10).
    pub leave: LeaveTerms,
    /// Forfeits, and how they spread (Rules 10 and 11).
    pub forfeits: ForfeitTerms,
    /// How the rules are read where they are silent.
    #[serde(default)]
    pub readings: Readings,
}

/// Rule 1: who may play.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Eligibility {
    /// Countries of residence, ISO 3166-1 alpha-2. Empty: everybody may play.
    pub countries: Vec<String>,
    /// States whose members may play wherever they are: military addresses.
    pub states_anywhere: Vec<String>,
    /// States and territories that are not in it, though their country is.
    pub states_excluded: Vec<String>,
    /// Days before a membership lapses on which its holder is reminded.
    pub membership_reminder_days: Vec<u16>,
}

/// Rules 8 and 9: entries, fee, deadlines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryTerms {
    /// The fee of one entry, for all rounds.
    pub fee: Decimal,
    /// The currency of all amounts.
    pub currency: String,
    /// How many entries a person may hold.
    pub per_player: u8,
    /// The first day on which an entry may be postmarked.
    pub opens: NaiveDate,
    /// Postmark deadlines: up to so many entries of a person by that day, the latest day first.
    pub deadlines: Vec<Deadline>,
    /// The tournament that late entries are carried forward to, if there is one yet.
    pub carry_forward_to: Option<TournamentId>,
    /// The first day on which this tournament's sections may be formed.
    pub pairings_from: NaiveDate,
    /// Days between the sender's postmark and the server's stamp up to which the postmark is believed.
    pub postmark_tolerance_days: u16,
    /// Days after an entry on which a missing fee is asked for.
    pub payment_reminder_days: Vec<u16>,
    /// Days after which the director is asked again about entries that he let wait when entries were closed.
    #[serde(default = "thirty")]
    pub ask_again_days: u16,
}

const fn thirty() -> u16 {
    30
}

/// A person's entries up to this number must be postmarked by this day.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deadline {
    /// The number of the entry, counted in order of postmark.
    pub entries: u8,
    /// The last day.
    pub by: NaiveDate,
}

/// Rule 2: how sections are formed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssignmentTerms {
    /// Deal the seated over the day's sections by rating, so that each has strong and weak.
    pub deal_by_rating: bool,
    /// Avoid pairs that already meet in another section of the round.
    pub avoid_repeated_pairings: bool,
    /// How many sections an invitation has; where the first come are served first it means nothing.
    #[serde(default = "one")]
    pub sections: u8,
}

const fn one() -> u8 {
    1
}

/// A class by rating (Rule 2). An entry that fits two may play in either.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// The lowest rating; none: no limit.
    pub min_rating: Option<u16>,
    /// The highest rating; none: no limit.
    pub max_rating: Option<u16>,
    /// Whether players without a rating may play in it.
    #[serde(default)]
    pub unrated: bool,
}

impl Class {
    /// Tells whether a rating is of the class.
    pub fn takes(&self, rating: Option<u16>) -> bool {
        rating.map_or(self.unrated, |rating| {
            self.min_rating.is_none_or(|min| min <= rating)
                && self.max_rating.is_none_or(|max| rating <= max)
        })
    }
}

/// One round (Rules 2, 3 and 6).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Its name: `preliminary`.
    pub name: String,
    /// What its sections' codes begin with, `19N`; a number of two digits follows.
    pub code: String,
    /// Seats in a section.
    pub size: u8,
    /// Games between each two.
    pub games_per_pair: u8,
    /// Months from the start to the closing date.
    pub months: u16,
    /// What a win counts towards the prizes (Rule 6); 1 where the file does not say it.
    #[serde(default = "one_point")]
    pub weight: Decimal,
    /// Points that advance to the next round (Rule 3). None in the last round.
    pub advance: Option<Points>,
    /// Points that advance where nobody reached `advance` in the section (Rule 3).
    pub otherwise: Option<Points>,
    /// Points with which the last section of the next round may be filled (Rule 3).
    pub fill: Option<Points>,
}

const fn one_point() -> Decimal {
    Decimal::ONE
}

/// Rule 5: prizes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prizes {
    /// What the order goes by.
    pub by: PrizeOrder,
    /// Prize of each place, the first place first.
    pub places: Vec<Decimal>,
    /// The number of assigned entries for which the amounts hold; others in proportion. None: as they stand.
    pub scaled_to_entries: Option<u32>,
    /// What the winner has besides.
    pub title: Option<String>,
}

/// What the order of the prizes goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PrizeOrder {
    /// Weighted points over all rounds (Rule 6).
    WeightedPoints,
    /// The points of the section.
    SectionPoints,
}

/// Rule 4: awards.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Awards {
    /// Worth of the gift certificate for an entry that does not leave the first round.
    pub gift_certificate: Option<Decimal>,
    /// The round whose losers get a certificate suitable for framing.
    pub framing_certificate_round: Option<String>,
    /// Whether those who completed all rounds without a forfeit loss get the pin.
    pub pin: bool,
}

/// Rule 10: results and objections.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultTerms {
    /// Days the opponent has to object to a result that one player reported.
    pub objection_days: u16,
    /// Days a player has to answer a time complaint, or to say what he claims in a game that is adjudicated.
    #[serde(default = "fortnight")]
    pub answer_days: u16,
    /// Days that the director gives a game which still runs on its section's closing date, when he gives it more time.
    #[serde(default = "sixty")]
    pub extension_days: u16,
}

/// Rule 10: a rule set for the clocks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockTerms {
    /// The first day on which it applies to an act.
    pub from: NaiveDate,
    /// Days of reflection time …
    pub days: u16,
    /// … for so many moves.
    pub moves: u16,
    /// Days at most on one move.
    pub days_a_move_max: Option<u16>,
    /// Days after which a move is repeated, beside the transit.
    pub repeat_after_days: u16,
    /// Days from the first sending on which a time complaint is admissible, after a repeat.
    pub complaint_from_day: u16,
    /// A slower move is announced to the opponent when it takes more days than this.
    pub slow_move_days: Option<u16>,
    /// How days are counted.
    pub counting: Counting,
    /// Days of transit of a move by email.
    pub transit_email_days: u16,
    /// Days of transit of a move by post.
    pub transit_post_days: u16,
    /// Days charged for an illegal, ambiguous or illegible move in a final.
    pub final_penalty_days: u16,
}

/// How the days of a move are counted (Rule 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counting {
    /// Day of the reply less day of receipt.
    DateDifference,
    /// The same, and a move may count as received the next day.
    NextDayGrace,
    /// Full days of twenty-four hours.
    #[serde(rename = "full-24-hours")]
    Full24Hours,
}

/// Rule 10: leave.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaveTerms {
    /// Days a year that are granted without the director.
    pub days_a_year: u16,
}

/// Rules 10 and 11: forfeits.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForfeitTerms {
    /// Forfeits to so many opponents in a section bring the player's other games there before the director.
    pub opponents: u8,
    /// Which overstep of the time loses a game; those before it bring a warning and a penalty (Rule 10).
    #[serde(default = "second")]
    pub oversteps: u8,
    /// The same in the last of several rounds (Rule 10).
    #[serde(default = "first")]
    pub oversteps_in_final: u8,
    /// Days charged, beside those he used, to a player who overstepped the time and is warned (Rule 10).
    #[serde(default = "five")]
    pub overstep_penalty_days: u16,
}

const fn sixty() -> u16 {
    60
}

const fn five() -> u16 {
    5
}

const fn fortnight() -> u16 {
    14
}

const fn first() -> u8 {
    1
}

const fn second() -> u8 {
    2
}

impl Tournament {
    /// Returns the last postmark day of the tournament (Rule 9).
    pub fn closes(&self) -> NaiveDate {
        self.entry.deadlines.iter().map(|d| d.by).max().unwrap_or(self.entry.opens)
    }

    /// Returns the first class that a rating is of, as its place in the file; `Some(0)` where there are no classes
    /// (Rule 2).
    pub fn class_of(&self, rating: Option<u16>) -> Option<usize> {
        if self.classes.is_empty() {
            return Some(0);
        }
        self.classes.iter().position(|class| class.takes(rating))
    }

    /// Returns the deadline for a person's k-th entry; none where the person may not hold so many (Rules 8 and 9).
    pub fn deadline(&self, number: u8) -> Option<NaiveDate> {
        let within = self.entry.deadlines.iter().filter(|d| number <= d.entries);
        within.map(|d| d.by).max().filter(|_| number <= self.entry.per_player)
    }

    /// Returns the rule set for the clocks that holds for an act on a day, also in games that run already (Rule 10).
    pub fn clock_on(&self, day: NaiveDate) -> Option<&ClockTerms> {
        match self.readings.rule_set {
            RuleSet::DayOfAct => {
                let begun = self.clocks.iter().rev().find(|clock| clock.from <= day);
                begun.or(self.clocks.first())
            }
        }
    }

    /// Returns how many days one move may take at most on a day, and since when that has been counted; none where
    /// there is no such limit (Rule 10). Days before the limit began do not count.
    pub fn longest_move_on(&self, day: NaiveDate) -> Option<(u16, NaiveDate)> {
        let most = self.clock_on(day)?.days_a_move_max?;
        let begun = self.clocks.iter().rev().filter(|clock| clock.from <= day);
        let limited = begun.take_while(|clock| clock.days_a_move_max.is_some());
        Some((most, limited.last().map_or(day, |clock| clock.from)))
    }

    /// Tells whether a round is the last of several: the final (Rules 2 and 10).
    pub fn is_final(&self, round: usize) -> bool {
        self.rounds.len() > 1 && round + 1 == self.rounds.len()
    }
}
