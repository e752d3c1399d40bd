//! Applying an event: the books after it. No judgement is made here; `decide` made it, perhaps years ago and under
//! other rules, and what it decided stands. Total: an event about something unknown changes nothing.

mod acts;
mod before;
mod post;

use super::{
    acts::{MoneyMoved, MoveAgain, Refund},
    docket::{Item, Ruling},
    event::Event,
    ids::{EntryId, GameId, ItemId, MemberId, QuestionId, Seat, SectionCode, TournamentId},
    player::Player,
    points::Side,
    question::{Answer, Question},
    refusal::Refusal,
    section::{Carriage, Entry, EntryState, Game, GameState, MoveDays, Section},
    state::State,
};
use crate::chess::Record;
use acts::{befall, give_credit_back, honour};
use before::put_back;
use chrono::NaiveDate;
use rust_decimal::Decimal;

/// Changes the state to what it is after the event.
pub fn apply(state: &mut State, event: &Event) {
    match event {
        Event::PlayerListed(player) => list_player(state, player),
        Event::EntryReceived { .. } => receive_entry(state, event),
        Event::EntryRenumbered { entry, number } => change(state, entry, |e| e.number = *number),
        Event::EntryAccepted { entry } => accept_entry(state, entry),
        Event::EntryRefused { entry, refusal } => refuse_entry(state, entry, refusal),
        Event::EntryCarriedForward { entry, .. } => {
            set_state(state, entry, EntryState::CarriedForward);
        }
        Event::PaymentReceived { event, member, amount, received, reference } => {
            book(state, (event, member), (*amount, *received, reference.clone()));
        }
        Event::PaymentRefunded(Refund { event, member, amount, on, reference }) => {
            book(state, (event, member), (-*amount, *on, reference.clone()));
        }
        Event::EntryPaid { entry, fee } => pay_entry(state, entry, *fee),
        Event::PaymentReminded { entries, on, .. } => remind(state, entries, *on),
        Event::SectionFormed { .. } => form_section(state, event),
        Event::ColorsAdopted { game } => turn_game(state, game),
        Event::ResultReported { game, report } => {
            set_game(state, game, report.on, GameState::Reported(report.clone()));
        }
        Event::ResultConfirmed { game, outcome, on, .. } => {
            set_game(state, game, *on, GameState::Confirmed(*outcome));
        }
        Event::ResultDisputed { game, first, second } => {
            let reports = Box::new((first.clone(), second.clone()));
            set_game(state, game, second.on, GameState::Disputed(reports));
        }
        Event::ResultRuled { game, outcome, on, .. } => {
            set_game(state, game, *on, GameState::Ruled(*outcome));
        }
        Event::AdjudicationAsked { game, item } => {
            change_game(state, game, |g| g.asked = Some(*item));
        }
        Event::SectionCompleted { section } => complete(state, section),
        Event::EntryAdvanced { entry, .. } => set_state(state, entry, EntryState::Advanced),
        Event::EntryTakenBack(entry) => set_state(state, entry, EntryState::Assigned),
        Event::EntryEliminated { entry, .. } => set_state(state, entry, EntryState::Eliminated),
        Event::EntryFinished { entry } => set_state(state, entry, EntryState::Finished),
        Event::EntryPassedOver { entry } => change(state, entry, |e| e.passed_over = true),
        Event::EntryBroughtForward { entry, here, fee } => {
            bring_forward(state, entry, here, *fee);
        }
        Event::MoneyMoved(moved) => move_money(state, moved),
        Event::ScoreCarried(_)
        | Event::AssignedFixed(_)
        | Event::AwardGiven(_)
        | Event::AwardTakenBack(_)
        | Event::CreditUsed(_)
        | Event::PrizesAwarded(_) => honour(state, event),
        Event::MembershipReminded(_)
        | Event::KeptApart(_)
        | Event::LeaveGranted(_)
        | Event::PlayerDied { .. }
        | Event::SeatTaken(_)
        | Event::PlayersMerged(_)
        | Event::PlayerForgotten(_)
        | Event::OverstepWarned(_)
        | Event::DaysCharged(_)
        | Event::MailHeldBack(_)
        | Event::AlarmRaised(_) => befall(state, event),
        Event::Undone(undone) => put_back(state, &undone.before),
        Event::ItemOpened(item) => open_item(state, item),
        Event::ItemRuled { item, ruling } => close_item(state, *item, ruling),
        Event::SlotPassed { job, on } => drop(state.slots.insert(*job, *on)),
        Event::SummaryDue { on, .. } => state.last_summary = Some(*on),
        Event::MovePlayed { .. } => play(state, event),
        Event::MoveRepeated(MoveAgain { game, number, side, on, .. }) => {
            repeat(state, game, (*number, *side), *on);
        }
        Event::DrawOffered { game, by, .. } => change_game(state, game, |g| g.offer = Some(*by)),
        Event::DrawDeclined { game, .. } => change_game(state, game, |g| g.offer = None),
        Event::EntryWithdrawn { entry } => set_state(state, entry, EntryState::Withdrawn),
        Event::QuestionPut(question) => put_question(state, question),
        Event::QuestionAnswered { question, answer, .. } => settle(state, *question, *answer),
        Event::Post(_) | Event::LetterResent { .. } => post::post(state, event),
        Event::LinesHeld(_) | Event::LinesSettled(_) | Event::LinesRead(_) => lines(state, event),
        // These are told and remembered in the journal; the books are the same after them.
        Event::AddressChanged(_)
        | Event::EntryDeclined { .. }
        | Event::MoveRefused { .. }
        | Event::RepliesDropped { .. }
        | Event::WordRefused { .. }
        | Event::MailRead { .. }
        | Event::PetitionReceived { .. }
        | Event::AnswerRefused { .. }
        | Event::ResultRepeated { .. }
        | Event::ResultContested { .. }
        | Event::ResultRefused { .. }
        | Event::QuestionAsked { .. }
        | Event::MailNotUnderstood { .. }
        | Event::ComplaintChecked(_)
        | Event::OutageNoted(_) => {}
    }
}

/// Keeps lines in the director's name until he has said whether they are his.
fn lines(state: &mut State, event: &Event) {
    match event {
        Event::LinesHeld(held) => drop(state.held_lines.insert(held.mail.clone(), held.clone())),
        Event::LinesSettled(settled) => drop(state.held_lines.remove(&settled.mail)),
        _ => {}
    }
}

fn remind(state: &mut State, entries: &[EntryId], on: NaiveDate) {
    for entry in entries {
        change(state, entry, |e| e.reminded.push(on));
    }
}

fn list_player(state: &mut State, player: &Player) {
    let old = state.players.insert(player.member.clone(), player.clone());
    for address in old.iter().flat_map(|p| &p.emails) {
        forget_address(state, address, &player.member);
    }
    for address in &player.emails {
        let members = state.addresses.entry(address.to_lowercase()).or_default();
        members.insert(player.member.clone());
    }
}

fn forget_address(state: &mut State, address: &str, member: &MemberId) {
    let address = address.to_lowercase();
    if let Some(members) = state.addresses.get_mut(&address) {
        members.remove(member);
        if members.is_empty() {
            state.addresses.remove(&address);
        }
    }
}

fn receive_entry(state: &mut State, event: &Event) {
    let Event::EntryReceived { entry, event, member, name, number, postmark, arrived, from } =
        event
    else {
        return;
    };
    let running = entry.number().unwrap_or(0);
    let last = state.last_entry.entry(event.clone()).or_default();
    *last = running.max(*last);
    state.entries_of.entry(member.clone()).or_default().push(entry.clone());
    let received = Entry {
        id: entry.clone(),
        tournament: event.clone(),
        member: member.clone(),
        name: name.clone(),
        number: *number,
        postmark: *postmark,
        arrived: *arrived,
        state: EntryState::Received,
        paid: false,
        fee: None,
        credit: None,
        refusal: None,
        item: None,
        from: from.clone(),
        sections: Vec::new(),
        reminded: Vec::new(),
        carried: Vec::new(),
        awards: Vec::new(),
        passed_over: false,
        brought_forward: None,
        owes: None,
    };
    state.entries.insert(entry.clone(), received);
}

fn change(state: &mut State, entry: &EntryId, change: impl FnOnce(&mut Entry)) {
    if let Some(entry) = state.entries.get_mut(entry) {
        change(entry);
    }
}

fn set_state(state: &mut State, entry: &EntryId, to: EntryState) {
    change(state, entry, |e| e.state = to);
}

fn book(
    state: &mut State,
    (event, member): (&TournamentId, &MemberId),
    payment: (Decimal, NaiveDate, String),
) {
    let account = state.accounts.entry((event.clone(), member.clone())).or_default();
    account.payments.push(payment);
}

fn pay_entry(state: &mut State, entry: &EntryId, fee: Decimal) {
    let Some(entry) = state.entries.get_mut(entry) else { return };
    entry.paid = true;
    entry.fee = Some(fee);
    entry.state = EntryState::Waiting;
    let account = (entry.tournament.clone(), entry.member.clone());
    state.accounts.entry(account).or_default().used += fee;
}

/// One that was put to the director when its fee had come already goes on waiting for a section.
fn accept_entry(state: &mut State, entry: &EntryId) {
    change(state, entry, |e| {
        e.state = if e.paid { EntryState::Waiting } else { EntryState::AwaitingPayment };
    });
}

fn refuse_entry(state: &mut State, entry: &EntryId, refusal: &Refusal) {
    release_fee(state, entry);
    set_state(state, entry, EntryState::Refused);
    change(state, entry, |e| e.refusal = Some(refusal.clone()));
}

/// What was taken for an entry is the player's again: money as money, credit as credit.
fn release_fee(state: &mut State, entry: &EntryId) {
    give_credit_back(state, entry);
    let Some(entry) = state.entries.get_mut(entry) else { return };
    entry.paid = false;
    if let Some(fee) = entry.fee.take() {
        let account = (entry.tournament.clone(), entry.member.clone());
        state.accounts.entry(account).or_default().used -= fee;
    }
}

/// The fee of the year before is the player's again; it goes with the entry.
fn bring_forward(state: &mut State, entry: &EntryId, here: &EntryId, fee: Option<Decimal>) {
    release_fee(state, entry);
    change(state, entry, |e| e.brought_forward = Some(here.clone()));
    change(state, here, |e| e.owes = fee);
}

fn move_money(state: &mut State, moved: &MoneyMoved) {
    let MoneyMoved { member, from, to, amount, on, entry } = moved;
    book(state, (from, member), (-*amount, *on, format!("to {to} for {entry}")));
    book(state, (to, member), (*amount, *on, format!("from {from} for {entry}")));
}

fn form_section(state: &mut State, formed: &Event) {
    let Event::SectionFormed { section: code, event, round, start, seats, games, adopted } = formed
    else {
        return;
    };
    for seated in seats {
        set_state(state, &seated.entry, EntryState::Assigned);
        change(state, &seated.entry, |e| {
            e.sections.push(code.clone());
            e.passed_over = false;
        });
    }
    let game = |&(white, black): &(Seat, Seat)| Game {
        white,
        black,
        state: GameState::Running,
        reported: None,
        record: Record::new(),
        moved: None,
        days: Vec::new(),
        conditional: Vec::new(),
        offer: None,
        asked: None,
    };
    let section = Section {
        code: code.clone(),
        tournament: event.clone(),
        round: *round,
        start: *start,
        seats: seats.clone(),
        games: games.iter().map(game).collect(),
        complete: false,
        adopted: *adopted,
    };
    state.sections.insert(code.clone(), section);
}

fn turn_game(state: &mut State, to: &GameId) {
    let section = state.sections.get_mut(&to.section);
    if let Some(game) = section.and_then(|s| s.game_mut(to.black, to.white)) {
        (game.white, game.black) = (to.white, to.black);
    }
}

/// Puts an item on the docket; one of the same number that is open is amended.
fn open_item(state: &mut State, item: &Item) {
    for entry in item.entries.iter().filter(|_| item.kind.holds_entries()) {
        set_state(state, entry, EntryState::Docket);
        change(state, entry, |e| e.item = Some(item.item));
    }
    state.last_item = state.last_item.max(item.item);
    state.open_items.insert(item.item);
    state.open_by_kind.insert((item.kind, item.item));
    state.docket.insert(item.item, (item.clone(), None));
}

fn close_item(state: &mut State, item: ItemId, ruling: &Ruling) {
    state.open_items.remove(&item);
    if let Some((matter, decided)) = state.docket.get_mut(&item) {
        state.open_by_kind.remove(&(matter.kind, item));
        *decided = Some(ruling.clone());
        post::seen_to(&mut state.post, matter, ruling.at.date_naive());
    }
}

fn put_question(state: &mut State, question: &Question) {
    state.open_questions.insert((question.player.clone(), question.question));
    state.questions.insert(question.question, question.clone());
}

fn settle(state: &mut State, question: QuestionId, answer: Answer) {
    if let Some(question) = state.questions.get_mut(&question) {
        state.open_questions.remove(&(question.player.clone(), question.question));
        question.answer = Some(answer);
    }
}

/// A move ends what was promised for it and the opponent's offer of a draw; it may bring new ones.
fn play(state: &mut State, played: &Event) {
    let Event::MovePlayed { game, side, uci, conditional, offer, on, sent, reached, mail, .. } =
        played
    else {
        return;
    };
    let by = match (mail, sent) {
        (None, _) => Carriage::Beforehand,
        (Some(_), None) => Carriage::Score,
        (Some(_), Some(_)) => Carriage::Mail,
    };
    let reached = reached.unwrap_or(*on);
    change_game(state, game, |game| {
        if uci.parse().is_ok_and(|it| game.record.push(it)) {
            game.moved = Some(*on);
            game.days.push(MoveDays { sent: *sent, reached, repeated: None, by });
            game.conditional.clone_from(conditional);
            game.offer = offer.then_some(*side);
        }
    });
}

fn repeat(state: &mut State, id: &GameId, (number, side): (u16, Side), on: NaiveDate) {
    let place =
        usize::from(number).checked_sub(1).map(|n| 2 * n + usize::from(side == Side::Black));
    change_game(state, id, |game| {
        if let Some(days) = place.and_then(|place| game.days.get_mut(place)) {
            days.repeated = Some(on);
        }
    });
}

fn change_game(state: &mut State, id: &GameId, change: impl FnOnce(&mut Game)) {
    let section = state.sections.get_mut(&id.section);
    if let Some(game) = section.and_then(|s| s.game_mut(id.white, id.black)) {
        change(game);
    }
}

fn complete(state: &mut State, section: &SectionCode) {
    if let Some(section) = state.sections.get_mut(section) {
        section.complete = true;
    }
}

fn set_game(state: &mut State, id: &GameId, on: NaiveDate, to: GameState) {
    change_game(state, id, |game| {
        game.reported.get_or_insert(on);
        game.state = to;
        game.offer = None;
        game.conditional.clear();
    });
}
