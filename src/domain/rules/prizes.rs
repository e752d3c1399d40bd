//! Rules 5 and 6: the prizes. The fund grows and shrinks with the number of entries assigned; entries with the same
//! total share equally what their places have; an entry without a right to prize money is passed over and the next one
//! moves up. What is won is worked out from the books at any time, and announced once it is final.

use super::{
    ending,
    scoring::{self, Standing},
    soundness,
};
use crate::domain::{
    decide::{Decision, Matter, choices},
    docket::{About, Item, ItemKind},
    event::Event,
    honours::{Award, AwardGiven, Prize, PrizeList},
    ids::{EntryId, SectionCode},
    state::State,
    tournament::{PrizeOrder, Tournament},
};
use chrono::NaiveDate;
use rust_decimal::Decimal;
use std::{collections::BTreeSet, ops::Range};

/// The prizes as the books have them, and whether anything can change them any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// What each place would have, or has.
    pub list: PrizeList,
    /// Whether it is final (Rule 5).
    pub is_final: bool,
    /// The standings they come from; the places of a section where each has its own prizes.
    standings: Vec<Standing>,
}

/// Returns the prizes of a tournament; one list for each section of the last round where each has its own (Rule 5).
pub fn outlooks(tournament: &Tournament, state: &State, today: NaiveDate) -> Vec<Outlook> {
    let standings = scoring::standings(tournament, state, today);
    match tournament.prizes.by {
        PrizeOrder::WeightedPoints => {
            let is_final = ending::is_over(tournament, state, today);
            vec![outlook(tournament, state, (None, standings), is_final, today)]
        }
        PrizeOrder::SectionPoints => {
            let last = tournament.rounds.len().saturating_sub(1);
            let sections = state.sections_in(&tournament.id, last);
            let each = sections.map(|section| {
                let its = |row: &&Standing| row.section.as_ref() == Some(&section.code);
                let rows = standings.iter().filter(its).cloned().collect();
                let is_final = ending::section_is_over(state, section);
                let of = (Some(section.code.clone()), rows);
                outlook(tournament, state, of, is_final, today)
            });
            each.collect()
        }
    }
}

fn outlook(
    tournament: &Tournament,
    state: &State,
    (section, standings): (Option<SectionCode>, Vec<Standing>),
    is_final: bool,
    today: NaiveDate,
) -> Outlook {
    let entries_assigned = scoring::assigned(tournament, state);
    let fund = Fund::of(tournament, entries_assigned);
    let places = share(&fund, &standings);
    let whole = fund.share(0..fund.places.len(), 1);
    let paid: Decimal = places.iter().map(|prize| prize.amount).sum();
    let list = PrizeList {
        event: tournament.id.clone(),
        section,
        entries_assigned,
        fund: whole,
        places,
        undistributed: whole - paid,
        on: today,
    };
    Outlook { list, is_final, standings }
}

/// The prize of each place, and in which proportion they are paid (Rule 5).
struct Fund<'a> {
    places: &'a [Decimal],
    entries: Decimal,
    per: Decimal,
}

impl<'a> Fund<'a> {
    fn of(tournament: &'a Tournament, entries: u32) -> Self {
        let terms = &tournament.prizes;
        let (entries, per) = terms.scaled_to_entries.map_or((1, 1), |per| (entries, per.max(1)));
        Self { places: &terms.places, entries: entries.into(), per: per.into() }
    }

    /// Returns an equal share of the prizes of some places, in whole cents, rounded down (Rule 6). Everything is
    /// multiplied before it is divided, so that nothing is rounded on the way.
    fn share(&self, places: Range<usize>, among: usize) -> Decimal {
        let sum: Decimal = self.places.iter().take(places.end).skip(places.start).sum();
        let cents = sum * Decimal::ONE_HUNDRED * self.entries;
        let parts = self.per * Decimal::from(among);
        let mut share = (cents - cents % parts) / parts / Decimal::ONE_HUNDRED;
        share.rescale(2);
        share
    }
}

/// Gives the prizes to those who have a right to them, the first place first; the tied share the prizes of the places
/// that they fill, also where some of them lie behind the last prize (Rules 5 and 6).
fn share(fund: &Fund<'_>, standings: &[Standing]) -> Vec<Prize> {
    let entitled: Vec<&Standing> = standings.iter().filter(|row| row.prize_eligible).collect();
    let mut prizes = Vec::new();
    let mut before = 0;
    for tied in entitled.chunk_by(|a, b| a.weighted == b.weighted) {
        if before >= fund.places.len() {
            break;
        }
        let amount = fund.share(before..before + tied.len(), tied.len());
        prizes.extend(tied.iter().map(|row| {
            let others = tied.iter().filter(|other| other.entry != row.entry);
            Prize {
                place: before + 1,
                entry: row.entry.clone(),
                amount,
                tied_with: others.map(|other| other.entry.clone()).collect(),
            }
        }));
        before += tied.len();
    }
    prizes
}

/// Announces the prizes of a tournament once they are final, and asks the director where the books say something else
/// afterwards (Rules 5 and 6).
pub(in crate::domain) fn announce(decision: &mut Decision<'_>, tournament: &Tournament) {
    let (state, today) = (decision.state, decision.now.today);
    if !may_be_final(tournament, state, today) {
        return;
    }
    for outlook in outlooks(tournament, state, today).into_iter().filter(|it| it.is_final) {
        let of = (tournament.id.clone(), outlook.list.section.clone());
        if let Some(told) = state.prizes.get(&of) {
            compare(decision, told, &outlook.list);
        } else if is_sound(decision, tournament, &outlook) {
            award(decision, tournament, &outlook);
        }
    }
}

/// Spares the daily work of the standings for as long as nothing can be final.
fn may_be_final(tournament: &Tournament, state: &State, today: NaiveDate) -> bool {
    match tournament.prizes.by {
        PrizeOrder::WeightedPoints => ending::is_over(tournament, state, today),
        PrizeOrder::SectionPoints => {
            let last = tournament.rounds.len().saturating_sub(1);
            let mut sections = state.sections_in(&tournament.id, last);
            sections.any(|section| ending::section_is_over(state, section))
        }
    }
}

/// Tells whether the standings can be right; where not, the director is asked, once for the same findings (Rule 6).
fn is_sound(decision: &mut Decision<'_>, tournament: &Tournament, outlook: &Outlook) -> bool {
    let section = outlook.list.section.as_ref();
    let findings = soundness::of_books(tournament, decision.state, section);
    if findings.is_empty() {
        return true;
    }
    let matter = Matter {
        rule: 6,
        about: about(&outlook.list),
        choices: choices(&["announce", "hold"]),
        recommended: Some("hold".to_owned()),
        evidence: findings,
        ..Matter::default()
    };
    ask_once(decision, ItemKind::StandingsUnsound, matter);
    false
}

fn about(list: &PrizeList) -> About {
    let (event, section) = (Some(list.event.clone()), list.section.clone());
    About { event, section, ..About::default() }
}

/// Opens an item, unless one of its kind waits already, or was decided with the same to go by.
fn ask_once(decision: &mut Decision<'_>, kind: ItemKind, matter: Matter) {
    let mut known = decision.state.docket.values().filter(|(item, _)| item.kind == kind);
    let same = |(item, ruling): &(Item, Option<_>)| {
        item.about == matter.about && (ruling.is_none() || item.evidence == matter.evidence)
    };
    if !known.any(same) {
        decision.open(kind, matter);
    }
}

/// Announces the prizes, and with them the winner's title (Rule 5). The title is the director's to give where the first of
/// the standings has no right to it, or is not alone; then nothing is announced before he has decided.
fn award(decision: &mut Decision<'_>, tournament: &Tournament, outlook: &Outlook) {
    if outlook.standings.is_empty() {
        return;
    }
    let Some(title) = &tournament.prizes.title else {
        return decision.push(Event::PrizesAwarded(outlook.list.clone()));
    };
    let first: Vec<&Standing> = outlook.standings.iter().filter(|row| row.place == 1).collect();
    let holders: Vec<&EntryId> = title_holders(decision.state, &outlook.standings).collect();
    match (&first[..], &holders[..]) {
        ([winner], []) if winner.prize_eligible => {
            decision.push(Event::PrizesAwarded(outlook.list.clone()));
            give_title(decision, &winner.entry, title, outlook.list.section.as_ref());
        }
        ([winner], [holder]) if winner.prize_eligible && *holder == &winner.entry => {
            decision.push(Event::PrizesAwarded(outlook.list.clone()));
        }
        _ => put_title(decision, outlook, &first, &holders),
    }
}

fn title_holders<'a>(
    state: &'a State,
    standings: &'a [Standing],
) -> impl Iterator<Item = &'a EntryId> {
    let has = |entry: &EntryId| {
        let known = state.entries.get(entry);
        known.is_some_and(|e| e.awards.iter().any(|award| matches!(award, Award::Title(_))))
    };
    standings.iter().map(|row| &row.entry).filter(move |entry| has(entry))
}

fn give_title(
    decision: &mut Decision<'_>,
    entry: &EntryId,
    title: &str,
    section: Option<&SectionCode>,
) {
    let (entry, section, on) = (entry.clone(), section.cloned(), decision.now.today);
    let award = Award::Title(title.to_owned());
    decision.push(Event::AwardGiven(AwardGiven { entry, award, section, on }));
}

fn put_title(
    decision: &mut Decision<'_>,
    outlook: &Outlook,
    first: &[&Standing],
    holders: &[&EntryId],
) {
    let entitled: Vec<&Standing> =
        outlook.standings.iter().filter(|row| row.prize_eligible).collect();
    let next = entitled.chunk_by(|a, b| a.weighted == b.weighted).next().unwrap_or_default();
    let ids = next.iter().map(|row| row.entry.to_string());
    let recommended = match next {
        [only] if first.len() == 1 => Some(only.entry.to_string()),
        _ => None,
    };
    let line = |row: &&Standing| {
        let right = if row.prize_eligible { "" } else { ", without a right to it (Rule 4)" };
        let (entry, total) = (&row.entry, scoring::two_places(row.weighted));
        format!("{entry} has place {} with {total}{right}.", row.place)
    };
    let below = next.iter().filter(|row| row.place > 1);
    let held = holders.iter().map(|entry| format!("{entry} has been given the title."));
    let matter = Matter {
        rule: 5,
        about: about(&outlook.list),
        choices: ids.chain(["nobody".to_owned()]).collect(),
        recommended,
        evidence: first.iter().chain(below).map(line).chain(held).collect(),
        entries: next.iter().map(|row| row.entry.clone()).collect(),
        ..Matter::default()
    };
    ask_once(decision, ItemKind::TitleOpen, matter);
}

/// Asks the director where the books give other prizes than were announced (Rule 5).
fn compare(decision: &mut Decision<'_>, told: &PrizeList, now: &PrizeList) {
    let evidence = differences(told, now);
    if evidence.is_empty() {
        return;
    }
    let matter = Matter {
        rule: 5,
        about: about(told),
        choices: choices(&["reissue", "keep"]),
        evidence,
        ..Matter::default()
    };
    ask_once(decision, ItemKind::PrizesDiffer, matter);
}

fn differences(told: &PrizeList, now: &PrizeList) -> Vec<String> {
    let mut found = Vec::new();
    if told.entries_assigned != now.entries_assigned || told.fund != now.fund {
        found.push(format!(
            "The fund was announced as {} for {} entries assigned; the books give {} for {}.",
            told.fund, told.entries_assigned, now.fund, now.entries_assigned
        ));
    }
    let entries = told.places.iter().chain(&now.places).map(|prize| &prize.entry);
    let entries: BTreeSet<&EntryId> = entries.collect();
    let prize = |list: &PrizeList, entry: &EntryId| {
        let prize = list.places.iter().find(|prize| &prize.entry == entry);
        prize.map_or("no prize".to_owned(), |p| format!("place {} and {}", p.place, p.amount))
    };
    for entry in entries {
        let (was, is) = (prize(told, entry), prize(now, entry));
        if was != is {
            found.push(format!("{entry}: {was} announced on {}; the books give {is}.", told.on));
        }
    }
    found
}

/// Does what the director chose about prizes: announces them all the same or once more, and gives the title (Rule 7).
pub(super) fn settle(decision: &mut Decision<'_>, item: &Item, choice: &str) {
    let rules = decision.rules;
    let tournament = item.about.event.as_ref().and_then(|id| rules.tournaments.get(id));
    let Some(tournament) = tournament else { return };
    let all = outlooks(tournament, decision.state, decision.now.today);
    let mut its = all.into_iter().filter(|it| it.list.section == item.about.section);
    let Some(outlook) = its.next() else { return };
    match (item.kind, choice) {
        (ItemKind::StandingsUnsound, "announce") | (ItemKind::PrizesDiffer, "reissue") => {
            award(decision, tournament, &outlook);
        }
        (ItemKind::TitleOpen, entry) => {
            let of = (tournament.id.clone(), outlook.list.section.clone());
            let told = decision.state.prizes.get(&of);
            if told.is_none_or(|told| !differences(told, &outlook.list).is_empty()) {
                decision.push(Event::PrizesAwarded(outlook.list));
            }
            if entry != "nobody" {
                let title = tournament.prizes.title.as_deref().unwrap_or_default();
                give_title(decision, &entry.into(), title, item.about.section.as_ref());
            }
        }
        _ => {}
    }
}
