//! The director of a simulated season. He books money and decides what is on the docket after some days: mostly as it is
//! recommended, sometimes otherwise; and he does what a director does of his own accord. All of it goes through the
//! commands that the command line gives.

use super::{chance::Chance, season::Season};
use crate::{
    domain::{
        command::{Command, EntryForm, Payment},
        docket::{Item, ItemKind},
        ids::{GameId, ItemId, MemberId},
        points::{How, Outcome, Score},
        section::EntryState,
    },
    office::Announce,
};
use chrono::{Days, NaiveDate};
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// What the director has planned.
#[derive(Clone, Debug, Default)]
pub(super) struct Director {
    rulings: BTreeMap<NaiveDate, Vec<ItemId>>,
    money: BTreeMap<NaiveDate, Vec<MemberId>>,
    addresses: BTreeMap<NaiveDate, Vec<(MemberId, String)>>,
    checks: u32,
}

impl Director {
    /// Plans when an item is decided.
    pub(super) fn plan(&mut self, today: NaiveDate, item: &Item, chance: &mut Chance) {
        let day = today + Days::new(chance.between(1, 12));
        self.rulings.entry(day).or_default().push(item.item);
    }

    /// Expects a player's fees on a day.
    pub(super) fn expect_money(&mut self, day: NaiveDate, member: MemberId) {
        self.money.entry(day).or_default().push(member);
    }

    /// Will hear of a player's other address on a day.
    pub(super) fn expect_address(&mut self, day: NaiveDate, member: MemberId, address: String) {
        self.addresses.entry(day).or_default().push((member, address));
    }

    /// Does what is planned for today.
    ///
    /// # Errors
    /// What went wrong, in a sentence.
    pub(super) fn work(&mut self, season: &mut Season<'_>) -> Result<(), String> {
        for member in due(&mut self.money, season.today) {
            self.book(season, &member)?;
        }
        for (member, address) in due(&mut self.addresses, season.today) {
            change_address(season, &member, address)?;
        }
        for item in due(&mut self.rulings, season.today) {
            decide(season, item)?;
        }
        Ok(())
    }

    /// Books the fees of a player's entries that wait for them.
    fn book(&mut self, season: &mut Season<'_>, member: &MemberId) -> Result<(), String> {
        let (event, entry) = (season.tournament.id.clone(), &season.tournament.entry);
        let state = season.desk.state();
        let unpaid =
            state.entries_in(&event, member).filter(|e| e.state == EntryState::AwaitingPayment);
        let fees = entry.fee * Decimal::from(unpaid.count());
        if fees.is_zero() {
            return Ok(());
        }
        self.checks += 1;
        let reference = format!("check {}", self.checks);
        // Some pay too much, and some too little at first.
        let (amount, rest) = match season.chance.below(40) {
            0 => (fees + Decimal::ONE, Decimal::ZERO),
            1 => (fees - Decimal::ONE, Decimal::ONE),
            _ => (fees, Decimal::ZERO),
        };
        let received = season.today;
        let words = format!("direct payment {event} {member} {amount}");
        let payment = Payment { event, member: member.clone(), amount, received, reference };
        if !rest.is_zero() {
            self.expect_money(season.today + Days::new(9), member.clone());
        }
        season.desk.direct(&words, &[Command::RecordPayment(payment)], Announce::Yes)
    }

    /// Enters a player whose entry came on paper.
    ///
    /// # Errors
    /// What went wrong, in a sentence.
    pub(super) fn enter(
        season: &mut Season<'_>,
        member: &MemberId,
        name: &str,
        count: u8,
        postmark: NaiveDate,
    ) -> Result<(), String> {
        let paid = season.chance.in_a_hundred(50);
        let form = EntryForm {
            event: Some(season.tournament.id.clone()),
            id: None,
            member: Some(member.clone()),
            from: None,
            name: name.to_owned(),
            count,
            postmark,
            postmark_doubt: None,
            arrived: season.desk.now(),
            paid,
            mail: None,
        };
        let words = format!("direct entry {} {member} --postmark {postmark}", season.tournament.id);
        season.desk.direct(&words, &[Command::Enter(form)], Announce::Yes)
    }

    /// Keeps two players apart who asked for it.
    ///
    /// # Errors
    /// What went wrong, in a sentence.
    pub(super) fn keep_apart(season: &mut Season<'_>) -> Result<(), String> {
        let known: Vec<MemberId> = season.desk.state().players.keys().cloned().collect();
        let (one, other) = (season.chance.pick(&known).clone(), season.chance.pick(&known).clone());
        if one == other {
            return Ok(());
        }
        let words = format!("direct apart {one} {other}");
        season.desk.direct(
            &words,
            &[Command::KeepApart { one, other, lifted: false }],
            Announce::AfterUndoTime,
        )
    }

    /// Ends a game that nobody brings to an end.
    ///
    /// # Errors
    /// What went wrong, in a sentence.
    pub(super) fn adjudicate(season: &mut Season<'_>, game: &GameId) -> Result<(), String> {
        let result = match season.chance.below(4) {
            0 => Score::WhiteWins,
            1 => Score::BlackWins,
            _ => Score::Draw,
        };
        let result = season.truth(game).map_or(result, |truth| truth.result);
        Self::fix(season, game, Outcome { result, how: How::Adjudication })
    }

    /// Fixes the result of a game.
    ///
    /// # Errors
    /// What went wrong, in a sentence.
    pub(super) fn fix(
        season: &mut Season<'_>,
        game: &GameId,
        outcome: Outcome,
    ) -> Result<(), String> {
        let Outcome { result, how } = outcome;
        let words = format!("direct result {game} {result} {how}");
        let reason = "as I know it from both players".to_owned();
        let command = Command::FixResult { game: game.clone(), outcome, reason };
        season.desk.direct(&words, &[command], Announce::AfterUndoTime)
    }

    /// Notes that a player has died.
    ///
    /// # Errors
    /// What went wrong, in a sentence.
    pub(super) fn note_death(season: &mut Season<'_>, member: &MemberId) -> Result<(), String> {
        let words = format!("direct death {member}");
        let command = Command::NoteDeath { member: member.clone() };
        season.desk.direct(&words, &[command], Announce::AfterUndoTime)
    }
}

/// Takes out what is due by a day, in order.
fn due<T>(planned: &mut BTreeMap<NaiveDate, Vec<T>>, today: NaiveDate) -> Vec<T> {
    let later = planned.split_off(&(today + Days::new(1)));
    std::mem::replace(planned, later).into_values().flatten().collect()
}

fn change_address(
    season: &mut Season<'_>,
    member: &MemberId,
    address: String,
) -> Result<(), String> {
    let Some(mut player) = season.desk.state().players.get(member).cloned() else { return Ok(()) };
    if player.emails.first() == Some(&address) {
        return Ok(());
    }
    let words = format!("direct address {member} {address}");
    player.emails.retain(|old| *old != address);
    player.emails.insert(0, address);
    season.desk.direct(&words, &[Command::ListPlayers(vec![player])], Announce::AfterUndoTime)
}

fn decide(season: &mut Season<'_>, number: ItemId) -> Result<(), String> {
    let Some((item, None)) = season.desk.state().docket.get(&number).cloned() else {
        return Ok(());
    };
    if item.kind == ItemKind::WithdrawalAsked && season.chance.in_a_hundred(40) {
        substitute(season, &item)?;
    }
    let Some(choice) = choose(season, &item) else { return Ok(()) };
    let reason = match season.chance.below(3) {
        0 => "as the rules have it",
        1 => "after I heard both sides",
        _ => "",
    };
    let by = "Pat Marlow".to_owned();
    let words = format!("rule {number} {choice}");
    let command = Command::Rule { item: number, choice, reason: reason.to_owned(), by };
    season.desk.direct(&words, &[command], Announce::AfterUndoTime)
}

/// Gives the seat of somebody who leaves to an entry that waits, where one does.
fn substitute(season: &mut Season<'_>, item: &Item) -> Result<(), String> {
    let state = season.desk.state();
    let waiting = state.waiting(&season.tournament.id, 0);
    let Some(member) = &item.about.player else { return Ok(()) };
    let found =
        state.seats_of(member).filter(|(section, _)| section.round == 0 && !section.complete);
    let found = found.filter_map(|(section, seat)| {
        let sits =
            |member| section.each_seat().any(|(s, _)| state.member_at(section, s) == Some(member));
        let free = waiting.iter().find(|entry| !sits(&entry.member))?;
        Some((section.code.clone(), seat, free.id.clone()))
    });
    let Some((section, seat, entry)) = found.take(1).next() else { return Ok(()) };
    let words = format!("direct substitute {section} {seat} {entry}");
    let reason = "the seat was given up".to_owned();
    season.desk.direct(
        &words,
        &[Command::Substitute { section, seat, entry, reason }],
        Announce::AfterUndoTime,
    )
}

/// Chooses: in four of five cases what is recommended or what the director knows to be true, else anything.
fn choose(season: &mut Season<'_>, item: &Item) -> Option<String> {
    let known = item.about.game.as_ref().and_then(|game| season.truth(game));
    let true_score = known.map(|truth| truth.result.text().to_owned());
    let is_choice = |choice: &String| item.choices.contains(choice);
    let usual = match item.kind {
        ItemKind::ResultDisputed | ItemKind::ResultContested | ItemKind::Adjudication => {
            true_score.filter(is_choice).or(item.recommended.clone())
        }
        _ => item.recommended.clone(),
    };
    let usual = usual.filter(is_choice).or(item.choices.first().cloned())?;
    if season.chance.in_a_hundred(80) {
        return Some(usual);
    }
    Some(season.chance.pick(&item.choices).clone())
}
