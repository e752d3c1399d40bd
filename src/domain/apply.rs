//! Applying an event: the books after it. No judgement is made here; `decide` made it, perhaps years ago and under
//! other rules, and what it decided stands. Total: an event about something unknown changes nothing.

use super::{
    docket::{Item, Ruling},
    event::Event,
    ids::{EntryId, GameId, ItemId, MemberId, QuestionId, Seat, SectionCode, TournamentId},
    player::Player,
    question::{Answer, Question},
    refusal::Refusal,
    section::{Entry, EntryState, Game, GameState, Section},
    state::State,
};
use crate::chess::Record;
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
        Event::PaymentRefunded { event, member, amount, on, reference } => {
            book(state, (event, member), (-*amount, *on, reference.clone()));
        }
        Event::EntryPaid { entry, fee } => pay_entry(state, entry, *fee),
        Event::PaymentReminded { entries, on, .. } => {
            for entry in entries {
                change(state, entry, |e| e.reminded.push(*on));
            }
        }
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
        Event::SectionCompleted { section } => complete(state, section),
        Event::EntryAdvanced { entry, .. } => set_state(state, entry, EntryState::Advanced),
        Event::ItemOpened(item) => open_item(state, item),
        Event::ItemRuled { item, ruling } => close_item(state, *item, ruling),
        Event::SlotPassed { job, on } => {
            state.slots.insert(*job, *on);
        }
        Event::SummaryDue { on, .. } => state.last_summary = Some(*on),
        Event::MovePlayed { .. } => play(state, event),
        Event::DrawOffered { game, by, .. } => change_game(state, game, |g| g.offer = Some(*by)),
        Event::DrawDeclined { game, .. } => change_game(state, game, |g| g.offer = None),
        Event::EntryWithdrawn { entry } => set_state(state, entry, EntryState::Withdrawn),
        Event::QuestionPut(question) => put_question(state, question),
        Event::QuestionAnswered { question, answer, .. } => settle(state, *question, *answer),
        // These are told and remembered in the journal; the books are the same after them.
        Event::EntryDeclined { .. }
        | Event::MoveRepeated { .. }
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
        | Event::LetterResent { .. } => {}
    }
}

fn list_player(state: &mut State, player: &Player) {
    let old = state.players.insert(player.member.clone(), player.clone());
    for address in old.iter().flat_map(|p| &p.emails) {
        if let Some(members) = state.addresses.get_mut(&address.to_lowercase()) {
            members.remove(&player.member);
        }
    }
    for address in &player.emails {
        let members = state.addresses.entry(address.to_lowercase()).or_default();
        members.insert(player.member.clone());
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
        refusal: None,
        item: None,
        from: from.clone(),
        sections: Vec::new(),
        reminded: Vec::new(),
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

/// What was taken for an entry is the player's again.
fn release_fee(state: &mut State, entry: &EntryId) {
    let Some(entry) = state.entries.get_mut(entry) else { return };
    entry.paid = false;
    if let Some(fee) = entry.fee.take() {
        let account = (entry.tournament.clone(), entry.member.clone());
        state.accounts.entry(account).or_default().used -= fee;
    }
}

fn form_section(state: &mut State, formed: &Event) {
    let Event::SectionFormed { section: code, event, round, start, seats, games, adopted } = formed
    else {
        return;
    };
    for seated in seats {
        set_state(state, &seated.entry, EntryState::Assigned);
        change(state, &seated.entry, |e| e.sections.push(code.clone()));
    }
    let game = |&(white, black): &(Seat, Seat)| Game {
        white,
        black,
        state: GameState::Running,
        reported: None,
        record: Record::new(),
        moved: None,
        conditional: Vec::new(),
        offer: None,
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
    state.open_items.insert(item.item);
    state.open_by_kind.insert((item.kind, item.item));
    state.docket.insert(item.item, (item.clone(), None));
}

fn close_item(state: &mut State, item: ItemId, ruling: &Ruling) {
    state.open_items.remove(&item);
    if let Some((matter, decided)) = state.docket.get_mut(&item) {
        state.open_by_kind.remove(&(matter.kind, item));
        *decided = Some(ruling.clone());
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
    let Event::MovePlayed { game, side, uci, conditional, offer, on, .. } = played else { return };
    change_game(state, game, |game| {
        if uci.parse().is_ok_and(|it| game.record.push(it)) {
            game.moved = Some(*on);
            game.conditional.clone_from(conditional);
            game.offer = offer.then_some(*side);
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
