//! Rule 10: moves. A move is played if the game runs, it is the sender's turn and the position allows it; otherwise its
//! sender is told why, and his clock runs on. Replies that were sent beforehand are played as soon as they are met
//! (`replies.rs`). Mate, stalemate and positions in which nobody can mate end a game by themselves. Nothing here trusts
//! a reading: the position of the books decides.

use super::{penalties, questions, reflection, replies, reports};
use crate::{
    chess::{End, Move, Record},
    domain::{
        acts::MoveAgain,
        command::MoveOrder,
        decide::Decision,
        event::{Event, Grounds},
        ids::GameId,
        intent::{self, Conditional, Fault, MoveFault, Word},
        points::{How, Outcome, Score, Side},
        refusal::Refusal,
        section::{Game, GameState},
    },
};
use std::mem;

/// Plays a move that was sent, and what follows from it at once (Rule 10).
pub(in crate::domain) fn play(decision: &mut Decision<'_>, order: &MoveOrder) {
    let state = decision.state;
    let id = order.said.game.id();
    let Some((_, game)) = state.game(&id) else {
        return refuse_word(decision, order, Refusal::GameUnknown);
    };
    let player = order.from.player.as_ref();
    let Some((player, side)) = player.and_then(|m| Some((m, state.side_of(&id, m)?))) else {
        return refuse_word(decision, order, Refusal::NotYourGame);
    };
    let number = order.said.number;
    match judge(game, side, &order.said) {
        Ok(Judged::Known(san)) => {
            let (game, on) = (id.clone(), decision.now.today);
            decision.push(Event::MoveRepeated(MoveAgain { game, number, side, san, on }));
        }
        Ok(Judged::New(moves)) => carry_out(decision, game, order, &moves),
        Err(fault) => {
            let (from, game, san) = (order.from.clone(), id.clone(), order.said.san.clone());
            let event = Event::MoveRefused { from, game, number, side, san, fault: fault.clone() };
            decision.push(event);
            let (game, san, fault, mail) = (&id, &order.said.san, &fault, order.mail.as_ref());
            let refused = penalties::Refused { game, side, number, san, fault, mail };
            return penalties::propose(decision, &refused);
        }
    }
    questions::drop_about(decision, player, &id);
}

fn refuse_word(decision: &mut Decision<'_>, order: &MoveOrder, refusal: Refusal) {
    let (from, game, word) = (order.from.clone(), order.said.game.id(), Word::Move);
    decision.push(Event::WordRefused { from, game, word, refusal });
}

/// What a move comes to that is not refused.
enum Judged {
    /// It is in the books; its notation there.
    Known(String),
    /// It can be played, after those before it that the books do not have.
    New(Vec<Move>),
}

fn judge(game: &Game, side: Side, said: &intent::Move) -> Result<Judged, MoveFault> {
    if said.side != side {
        let why = format!("you have {} in this game", colour(side));
        return Err(fault(Fault::NotYourMove, &why));
    }
    let known = if said.fault.is_none() { in_books(game, side, said)? } else { None };
    match (known, &said.fault) {
        (Some(known), _) => Ok(Judged::Known(known)),
        _ if game.state != GameState::Running => {
            Err(fault(Fault::GameOver, &over_words(&game.state)))
        }
        (None, Some(fault)) => Err(fault.clone()),
        (None, None) => new_moves(&game.record, side, said).map(Judged::New),
    }
}

/// Returns the moves that are to be played: those that the mail brings beside its own, and that one.
fn new_moves(record: &Record, side: Side, said: &intent::Move) -> Result<Vec<Move>, MoveFault> {
    let mut record = record.clone();
    let mut moves = Vec::new();
    for uci in &said.before {
        let it = uci.parse().ok().filter(|it| record.push(*it));
        let why = "the moves that you sent do not follow from those in our books";
        moves.push(it.ok_or_else(|| fault(Fault::Illegal, why))?);
    }
    if record.next_side() != side {
        return Err(fault(Fault::NotYourMove, "it is your opponent's turn"));
    }
    if record.next_number() != said.number {
        let why = format!("the game stands at move {}", record.next_number());
        return Err(fault(Fault::WrongNumber, &why));
    }
    let it = said.uci.as_deref().and_then(|uci| uci.parse().ok());
    let it = it.filter(|it| record.push(*it));
    moves.push(it.ok_or_else(|| fault(Fault::Illegal, "the position does not allow it"))?);
    Ok(moves)
}

/// Returns the notation of a move that the books have already; a different one in its place is a fault.
fn in_books(game: &Game, side: Side, said: &intent::Move) -> Result<Option<String>, MoveFault> {
    let full = usize::from(said.number).checked_sub(1);
    let place = full.map(|n| 2 * n + usize::from(side == Side::Black));
    let Some((place, played)) = place.and_then(|n| Some((n, game.record.moves().get(n)?))) else {
        return Ok(None);
    };
    let san = game.record.sans().swap_remove(place);
    if said.uci.as_deref() == Some(played.uci().as_str()) {
        return Ok(Some(san));
    }
    let dots = if side == Side::White { "." } else { "..." };
    let there = format!("{}{dots}{san}", said.number);
    let why = format!("our books have {there} from you, and a move that was sent stands");
    Err(fault(Fault::WrongNumber, &why))
}

fn fault(fault: Fault, why: &str) -> MoveFault {
    MoveFault { fault, why: why.to_owned(), candidates: Vec::new() }
}

fn over_words(state: &GameState) -> String {
    match state {
        GameState::Running => "the game is running".to_owned(),
        GameState::Disputed(_) => "its result is disputed and before the director".to_owned(),
        GameState::Reported(report) => {
            let (result, on) = (report.outcome.result, report.on.format("%-d %B %Y"));
            format!("the result {result} was reported on {on}")
        }
        GameState::Confirmed(outcome) | GameState::Ruled(outcome) => {
            format!("the game is over, {} by {}", outcome.result, outcome.how.words())
        }
    }
}

const fn colour(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// A game in which moves are played, and the mail that brings them.
struct Play<'a> {
    record: Record,
    order: &'a MoveOrder,
}

impl Play<'_> {
    /// Plays a move that is known to be legal; the event says that the mail brought it.
    fn push(
        &mut self,
        decision: &mut Decision<'_>,
        it: Move,
        how: Brought,
        promised: &[Conditional],
    ) {
        let position = self.record.position();
        let (number, side, san) = (position.number(), position.to_move(), position.san(it));
        let own = how == Brought::Own;
        self.record.push(it);
        decision.push(Event::MovePlayed {
            game: self.order.said.game.id(),
            number,
            side,
            san,
            uci: it.uci(),
            conditional: promised.to_vec(),
            offer: own && self.order.offer,
            sent: own.then(|| self.order.sent.unwrap_or(decision.now.today)),
            on: decision.now.today,
            reached: reflection::day_there(decision, &self.order.said.game.id(), side.other()),
            mail: self.order.mail.clone().filter(|_| how != Brought::Beforehand),
        });
    }
}

/// How a move came to be played.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brought {
    /// It is the move that the mail is about.
    Own,
    /// It stands before that in the score that the mail brings.
    Score,
    /// An earlier mail promised it.
    Beforehand,
}

fn carry_out(decision: &mut Decision<'_>, game: &Game, order: &MoveOrder, moves: &[Move]) {
    let mut play = Play { record: game.record.clone(), order };
    let Some((last, before)) = moves.split_last() else { return };
    for it in before {
        play.push(decision, *it, Brought::Score, &[]);
    }
    let mut theirs = if before.is_empty() { game.conditional.clone() } else { Vec::new() };
    let mut ours = order.said.conditional.clone();
    let (mut position, mut played) = (play.record.position().clone(), *last);
    play.push(decision, played, Brought::Own, &ours);
    // Whoever is to move may have sent an answer beforehand, and the other one an answer to that.
    while let Some((answer, rest)) = replies::met(&position, played, &theirs) {
        theirs = mem::replace(&mut ours, rest);
        (position, played) = (play.record.position().clone(), answer);
        play.push(decision, played, Brought::Beforehand, &ours);
    }
    let (id, side) = (order.said.game.id(), play.record.next_side());
    match over(&play.record) {
        Some(outcome) => end(decision, id, outcome),
        None if theirs.is_empty() => {}
        None => decision.push(Event::RepliesDropped { game: id, side }),
    }
}

/// Returns the outcome of a game that is over on the board (Rule 10).
fn over(record: &Record) -> Option<Outcome> {
    let draw = |how| Outcome { result: Score::Draw, how };
    Some(match record.position().end()? {
        End::Checkmate => {
            Outcome { result: Score::win(record.next_side().other()), how: How::Mate }
        }
        End::Stalemate => draw(How::Stalemate),
        End::DeadPosition => draw(How::Material),
    })
}

fn end(decision: &mut Decision<'_>, id: GameId, outcome: Outcome) {
    let state = decision.state;
    if let Some((section, _)) = state.game(&id) {
        reports::confirm(decision, section, id, outcome, Grounds::Board, None);
    }
}
