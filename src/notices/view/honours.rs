//! What an entry has won, or that it goes no further, as letters speak of it: with the points, the worked sum and how an
//! amount comes about (Rules 3 to 6).

use super::{
    super::{Desk, table},
    Event, event,
    section::{SectionView, section_by_code},
    words,
};
use crate::domain::{
    event::Advance,
    honours::{Award, Prize, PrizeList},
    ids::{EntryId, SectionCode, TournamentId},
    notice::Honour,
    points::Points,
    progress::{self, Score},
    section::{Entry, EntryState},
    tournament::{PrizeOrder, Round, Tournament},
};
use rust_decimal::Decimal;
use serde::Serialize;

/// What such a letter says.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each is the notice of that name")]
pub enum HonourView {
    Filled(Box<Filled>),
    Out(Box<Out>),
    Gift(Box<Gift>),
    Framing(Box<Framing>),
    Pin(Box<Pin>),
    Prize(Box<PrizeView>),
    Champion(Box<Champion>),
}

/// `filled-in`.
#[derive(Debug, Serialize)]
pub struct Filled {
    /// The entry.
    pub entry: String,
    /// The tournament.
    pub event: Event,
    /// The section it goes on from; null where its score was carried over from other books.
    pub section: Option<SectionView>,
    /// Its points there.
    pub points: String,
    /// Whether the director took it, whatever its points (Rule 7); else it fills a section that would not be full.
    pub ruled: bool,
    /// The next round's name.
    pub next_round: String,
    /// What a win counts there towards the prizes (Rule 6); null where prizes do not go by that.
    pub weight: Option<String>,
    /// Whether games are still running in the section.
    pub still_running: bool,
}

/// `not-advancing`.
#[derive(Debug, Serialize)]
pub struct Out {
    /// The entry.
    pub entry: String,
    /// The tournament.
    pub event: Event,
    /// The round's name.
    pub round: String,
    /// The section; null where the score was carried over from other books.
    pub section: Option<String>,
    /// Its points there.
    pub points: String,
    /// Points that lead to the next round; null where there is none (Rule 3).
    pub advance: Option<String>,
    /// Points that do where nobody reached those; null where that is not provided.
    pub otherwise: Option<String>,
    /// The next round's name.
    pub next_round: String,
    /// Whether it has the points with which the last section could have been filled (Rule 3).
    pub was_candidate: bool,
    /// The worth of its gift certificate; null where it has none (Rule 4).
    pub gift: Option<String>,
    /// Whether it has a certificate suitable for framing (Rule 4).
    pub framing: bool,
}

/// `gift-certificate`.
#[derive(Debug, Serialize)]
pub struct Gift {
    /// The certificate's number: the entry's.
    pub number: String,
    /// Who may use it.
    pub player: String,
    /// His member number.
    pub member: String,
    /// The tournament.
    pub event: Event,
    /// The section; null where the score was carried over from other books.
    pub section: Option<String>,
    /// Its worth.
    pub amount: String,
    /// What all his certificates are worth now.
    pub balance: String,
    /// Whether that is more than this one.
    pub more: bool,
}

/// `framing-certificate`.
#[derive(Debug, Serialize)]
pub struct Framing {
    /// The entry.
    pub entry: String,
    /// Whose it is.
    pub player: String,
    /// The tournament.
    pub event: Event,
    /// The round's name.
    pub round: String,
    /// The section; null where the score was carried over from other books.
    pub section: Option<String>,
    /// Its points there.
    pub points: String,
}

/// `pin`.
#[derive(Debug, Serialize)]
pub struct Pin {
    /// The entry.
    pub entry: String,
    /// The tournament.
    pub event: Event,
    /// What it scored, round by round.
    pub rounds: Vec<RoundScore>,
    /// Whether prizes may still come of it.
    pub prizes: bool,
    /// Whether the books have a postal address.
    pub post: bool,
}

/// A round of an entry.
#[derive(Debug, Serialize)]
pub struct RoundScore {
    /// The round's name.
    pub name: String,
    /// The section; null where the score was carried over from other books.
    pub section: Option<String>,
    /// The points.
    pub points: String,
}

/// `prize`.
#[derive(Debug, Serialize)]
pub struct PrizeView {
    /// The entry.
    pub entry: String,
    /// The tournament.
    pub event: Event,
    /// The section, where each has its own prizes; null otherwise.
    pub section: Option<String>,
    /// The place: `third`.
    pub place: String,
    /// With how many others it is shared.
    pub tied_with: usize,
    /// The worked sum, `6 x 1.0 + 5.5 x 2.2 + 4 x 4.5 = 36.10`; null where prizes go by the points of a section.
    pub sum: Option<String>,
    /// The points in the section, where prizes go by them.
    pub points: String,
    /// The amount.
    pub amount: String,
    /// The amounts of the places that are shared, as announced: `$300.00 + $100.00`.
    pub nominal: String,
    /// The number of entries for which the amounts were announced; null where they hold as they stand.
    pub scaled_to: Option<u32>,
    /// How many entries were assigned.
    pub assigned: u32,
    /// What that makes for the shared places together.
    pub scaled: String,
    /// How many share it.
    pub sharers: usize,
    /// Whether cents were left over in sharing.
    pub rounded: bool,
    /// The member's number, for the payment.
    pub member: String,
}

/// `champion`.
#[derive(Debug, Serialize)]
pub struct Champion {
    /// The entry.
    pub entry: String,
    /// Who.
    pub player: String,
    /// The tournament.
    pub event: Event,
    /// The title's words.
    pub title: String,
    /// The worked sum; null where prizes go by the points of a section.
    pub sum: Option<String>,
    /// Whether the books have a postal address.
    pub post: bool,
}

/// An entry with its tournament, as far as the books and the rules know them.
struct Known<'a> {
    entry: Option<&'a Entry>,
    tournament: Option<&'a Tournament>,
    desk: &'a Desk<'a>,
}

/// Returns the view of what came of an entry.
pub fn honour(honour: &Honour, desk: &Desk<'_>) -> HonourView {
    match honour {
        Honour::FilledIn { entry, section, points, why } => {
            HonourView::Filled(Box::new(filled(entry, section.as_ref(), *points, *why, desk)))
        }
        Honour::NotAdvancing { entry, section, points } => {
            HonourView::Out(Box::new(out(entry, section.as_ref(), *points, desk)))
        }
        Honour::GiftCertificate { entry, section, amount, currency } => {
            HonourView::Gift(Box::new(gift(entry, section.as_ref(), *amount, currency, desk)))
        }
        Honour::FramingCertificate { entry, section, points } => {
            HonourView::Framing(Box::new(framing(entry, section.as_ref(), *points, desk)))
        }
        Honour::Pin { entry } => HonourView::Pin(Box::new(pin(entry, desk))),
        Honour::Prize { event, section, entry } => {
            HonourView::Prize(Box::new(prize(event, section.as_ref(), entry, desk)))
        }
        Honour::Champion { entry, title } => {
            HonourView::Champion(Box::new(champion(entry, title, desk)))
        }
    }
}

impl<'a> Known<'a> {
    fn of(id: &EntryId, desk: &'a Desk<'a>) -> Self {
        let entry = desk.state.entries.get(id);
        let tournament = entry.and_then(|e| desk.rules.tournaments.get(&e.tournament));
        Self { entry, tournament, desk }
    }

    fn event(&self) -> Event {
        let none = TournamentId(String::new());
        event(self.entry.map_or(&none, |entry| &entry.tournament), self.desk)
    }

    fn player(&self) -> String {
        let name = self.entry.map(|entry| super::member_name(self.desk.state, &entry.member));
        words::spoken(&name.unwrap_or_default())
    }

    fn member(&self) -> String {
        self.entry.map_or_else(String::new, |entry| entry.member.0.clone())
    }

    fn has_post(&self) -> bool {
        let player = self.entry.and_then(|entry| self.desk.state.players.get(&entry.member));
        player.is_some_and(|player| player.address.is_some())
    }

    /// Returns the round that the entry came to last, with the one after it.
    fn last_round(&self) -> (Option<&'a Round>, Option<&'a Round>) {
        let reached = self.entry.map_or(0, |entry| progress::reached(self.desk.state, entry));
        let round = |n: usize| self.tournament.and_then(|t| t.rounds.get(n));
        (reached.checked_sub(1).and_then(round), round(reached))
    }

    /// Returns what the entry scored in each round that it came to.
    fn scores(&self) -> Vec<(&'a Round, Score<'a>)> {
        let rounds = self.tournament.map_or(&[][..], |t| &t.rounds);
        let score = |(n, round)| {
            let score = progress::score(self.desk.state, self.entry?, n)?;
            Some((round, score))
        };
        rounds.iter().enumerate().filter_map(score).collect()
    }

    /// Returns the weighted points as a sum that can be followed (Rule 6); none where prizes do not go by them.
    fn sum(&self) -> Option<String> {
        self.tournament.filter(|t| t.prizes.by == PrizeOrder::WeightedPoints)?;
        let scores = self.scores();
        let parts =
            scores.iter().map(|(round, score)| format!("{} x {}", score.points, round.weight));
        let total: Decimal =
            scores.iter().map(|(round, score)| weighted(score.points, round)).sum();
        Some(format!("{} = {total:.2}", parts.collect::<Vec<_>>().join(" + ")))
    }
}

fn weighted(points: Points, round: &Round) -> Decimal {
    round.weight * Decimal::from(points.halves) / Decimal::TWO
}

fn code(section: Option<&SectionCode>) -> Option<String> {
    section.map(|code| code.0.clone())
}

fn round_name(round: Option<&Round>) -> String {
    round.map_or_else(String::new, |round| words::clean(&round.name))
}

fn filled(
    entry: &EntryId,
    section: Option<&SectionCode>,
    points: Points,
    why: Advance,
    desk: &Desk<'_>,
) -> Filled {
    let known = Known::of(entry, desk);
    let here = section.and_then(|section| desk.state.sections.get(section));
    let (_, next) = super::section::rounds_of(entry, here, desk);
    let weighted = known.tournament.is_some_and(|t| t.prizes.by == PrizeOrder::WeightedPoints);
    Filled {
        entry: entry.0.clone(),
        event: known.event(),
        section: section.map(|code| section_by_code(code, desk)),
        points: table::points(points),
        ruled: why == Advance::Ruling,
        next_round: next.map_or_else(|| "next".to_owned(), |round| words::clean(&round.name)),
        weight: next.filter(|_| weighted).map(|round| round.weight.normalize().to_string()),
        still_running: here.is_some_and(|section| !section.is_settled()),
    }
}

fn out(entry: &EntryId, section: Option<&SectionCode>, points: Points, desk: &Desk<'_>) -> Out {
    let known = Known::of(entry, desk);
    let (round, next) = known.last_round();
    let awards = known.entry.map_or(&[][..], |entry| &entry.awards);
    let gift = awards.iter().find_map(|award| match award {
        Award::GiftCertificate { amount, currency } => Some(words::amount(*amount, currency)),
        Award::FramingCertificate | Award::Pin | Award::Title(_) => None,
    });
    Out {
        entry: entry.0.clone(),
        event: known.event(),
        round: round_name(round),
        section: code(section),
        points: table::points(points),
        advance: round.and_then(|round| round.advance).map(table::points),
        otherwise: round.and_then(|round| round.otherwise).map(table::points),
        next_round: round_name(next),
        was_candidate: round.and_then(|round| round.fill) == Some(points),
        gift,
        framing: awards.contains(&Award::FramingCertificate),
    }
}

fn gift(
    entry: &EntryId,
    section: Option<&SectionCode>,
    amount: Decimal,
    currency: &str,
    desk: &Desk<'_>,
) -> Gift {
    let known = Known::of(entry, desk);
    let balance = known.entry.map_or(amount, |entry| desk.state.credit_of(&entry.member, currency));
    Gift {
        number: entry.0.clone(),
        player: known.player(),
        member: known.member(),
        event: known.event(),
        section: code(section),
        amount: words::amount(amount, currency),
        balance: words::amount(balance, currency),
        more: balance > amount,
    }
}

fn framing(
    entry: &EntryId,
    section: Option<&SectionCode>,
    points: Points,
    desk: &Desk<'_>,
) -> Framing {
    let known = Known::of(entry, desk);
    Framing {
        entry: entry.0.clone(),
        player: known.player(),
        event: known.event(),
        round: round_name(known.last_round().0),
        section: code(section),
        points: table::points(points),
    }
}

fn pin(entry: &EntryId, desk: &Desk<'_>) -> Pin {
    let known = Known::of(entry, desk);
    let line = |(round, score): (&Round, Score<'_>)| RoundScore {
        name: words::clean(&round.name),
        section: score.section.map(|section| section.code.0.clone()),
        points: table::points(score.points),
    };
    Pin {
        entry: entry.0.clone(),
        event: known.event(),
        rounds: known.scores().into_iter().map(line).collect(),
        prizes: known.tournament.is_some_and(|t| !t.prizes.places.is_empty())
            && known.entry.is_some_and(|entry| entry.state == EntryState::Finished),
        post: known.has_post(),
    }
}

fn prize(
    event_id: &TournamentId,
    section: Option<&SectionCode>,
    entry: &EntryId,
    desk: &Desk<'_>,
) -> PrizeView {
    let known = Known::of(entry, desk);
    let list = desk.state.prizes.get(&(event_id.clone(), section.cloned()));
    let won = list.and_then(|list| list.places.iter().find(|prize| prize.entry == *entry));
    let scores = known.scores();
    let here = scores.iter().find(|(_, s)| s.section.map(|s| &s.code) == section).or(scores.last());
    let money = Money::of(known.tournament, list.zip(won));
    PrizeView {
        entry: entry.0.clone(),
        section: code(section),
        place: words::ordinal(won.and_then(|w| u8::try_from(w.place).ok()).unwrap_or_default()),
        tied_with: won.map_or(0, |won| won.tied_with.len()),
        sum: known.sum(),
        points: here.map_or_else(String::new, |(_, score)| table::points(score.points)),
        amount: money.words(won.map_or(Decimal::ZERO, |won| won.amount)),
        nominal: money.nominal.iter().map(|a| money.words(*a)).collect::<Vec<_>>().join(" + "),
        scaled_to: known.tournament.and_then(|t| t.prizes.scaled_to_entries),
        assigned: list.map_or(0, |list| list.entries_assigned),
        scaled: money.words(money.scaled),
        sharers: won.map_or(0, |won| won.tied_with.len() + 1),
        rounded: won
            .is_some_and(|w| w.amount * Decimal::from(w.tied_with.len() + 1) != money.scaled),
        event: event(event_id, desk),
        member: known.member(),
    }
}

/// How the amount of a prize comes about (Rules 5 and 6).
struct Money {
    currency: String,
    /// The announced amounts of the places that are shared.
    nominal: Vec<Decimal>,
    /// What they make in proportion to the entries assigned.
    scaled: Decimal,
}

impl Money {
    fn of(tournament: Option<&Tournament>, won: Option<(&PrizeList, &Prize)>) -> Self {
        let currency = tournament.map_or_else(String::new, |t| t.entry.currency.clone());
        let (Some(tournament), Some((list, prize))) = (tournament, won) else {
            return Self { currency, nominal: Vec::new(), scaled: Decimal::ZERO };
        };
        let places = tournament.prizes.places.iter().skip(prize.place.saturating_sub(1));
        let nominal: Vec<Decimal> = places.take(prize.tied_with.len() + 1).copied().collect();
        let sum: Decimal = nominal.iter().sum();
        let scaled = match tournament.prizes.scaled_to_entries {
            Some(of) if of > 0 => sum * Decimal::from(list.entries_assigned) / Decimal::from(of),
            _ => sum,
        };
        Self { currency, nominal, scaled }
    }

    fn words(&self, amount: Decimal) -> String {
        words::amount(amount, &self.currency)
    }
}

fn champion(entry: &EntryId, title: &str, desk: &Desk<'_>) -> Champion {
    let known = Known::of(entry, desk);
    Champion {
        entry: entry.0.clone(),
        player: known.player(),
        event: known.event(),
        title: words::clean(title),
        sum: known.sum(),
        post: known.has_post(),
    }
}
