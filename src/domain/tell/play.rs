//! Who is told what of a mail that was read and of the moves played in it: one receipt to the sender for everything, one
//! letter a game to whoever has to know of a move, and a letter for each move that cannot be played.

use super::{Teller, about_game, correspondent};
use crate::domain::{
    acts::MoveAgain,
    docket::About,
    event::{Correspondent, Event},
    ids::{GameId, ItemId},
    intent::{self, Intent},
    notice::{Facts, MailLine, Played, Recipient},
    points::Side,
    question::{Answer, Question},
};

impl Teller<'_> {
    /// One receipt for everything in a mail but what has a letter of its own. Tells whether there is one.
    pub(super) fn tell_mail(&mut self, events: &[Event]) -> bool {
        let read = events.iter().find_map(|event| match event {
            Event::MailRead { from, aside } => Some((from, aside)),
            _ => None,
        });
        let Some((from, aside)) = read else { return false };
        if !events.iter().any(|event| is_receipted(event, events)) {
            return false;
        }
        let lines = events.iter().filter_map(|event| self.line(event, events)).collect();
        let rest = events.iter().any(|e| matches!(e, Event::MailNotUnderstood { .. }));
        let mut games = events.iter().filter_map(game_of);
        let one = games.next().filter(|first| games.all(|other| other == *first));
        let about = about_game(one);
        let facts = Facts::Receipt { lines, aside: aside.clone(), rest };
        self.say(correspondent(from), about, facts);
        true
    }

    /// Returns the line of an event in the receipt; none where the sender need not hear of it there.
    fn line(&self, event: &Event, events: &[Event]) -> Option<MailLine> {
        if let Some((_, line, _)) = self.receipt(event) {
            return Some(MailLine::Result(line));
        }
        let named = matches!(
            event,
            Event::MoveRefused { .. }
                | Event::QuestionPut(_)
                | Event::LeaveGranted(_)
                | Event::ComplaintChecked(_)
        );
        (named || is_receipted(event, events)).then(|| MailLine::Other(Box::new(event.clone())))
    }

    /// A letter for each game to each player who did not send all of its moves himself.
    pub(super) fn tell_moves(&mut self, events: &[Event]) {
        let sender = events.iter().find_map(|event| match event {
            Event::MailRead { from, .. } => from.player.as_ref(),
            _ => None,
        });
        let mut games: Vec<&GameId> = Vec::new();
        for event in events {
            if let Event::MovePlayed { game, .. } = event
                && !games.contains(&game)
            {
                games.push(game);
            }
        }
        for game in games {
            for side in [Side::White, Side::Black] {
                let member = self.state.member_of(game, side);
                let own = member.is_some() && member == sender;
                let news = |event: &Event| match event {
                    Event::MovePlayed { game: in_game, side: moved, mail, .. } => {
                        in_game == game && *moved != side && !(own && mail.is_some())
                    }
                    _ => false,
                };
                if let Some(member) = member.cloned().filter(|_| events.iter().any(news)) {
                    let facts = moves(game, side, events);
                    self.say(Recipient::Player(member), about_game(Some(game)), facts);
                }
            }
        }
    }

    /// Tells what a single event of a mail asks for.
    pub(super) fn tell_word(&mut self, event: &Event, events: &[Event]) {
        match event {
            Event::MoveRefused { from, game, number, side, san, fault } => {
                let facts = Facts::MoveRejected {
                    game: game.clone(),
                    number: *number,
                    side: *side,
                    san: san.clone(),
                    fault: fault.clone(),
                };
                self.say(correspondent(from), about_game(Some(game)), facts);
            }
            Event::DrawOffered { game, by, .. } => {
                self.tell_other(game, *by, Facts::DrawOffer { game: game.clone() });
            }
            Event::DrawDeclined { game, by, .. } if !has_move(events, game, *by) => {
                self.tell_other(game, *by, Facts::DrawDeclined { game: game.clone() });
            }
            Event::QuestionPut(question) => self.ask(question),
            Event::PetitionReceived { from, intent, .. } => {
                if let Intent::Death { player, .. } = &**intent {
                    let to = mourner(from, player.as_ref() == from.player.as_ref());
                    self.say(to, About::default(), Facts::Condolence);
                }
            }
            _ => {}
        }
    }

    fn tell_other(&mut self, game: &GameId, by: Side, facts: Facts) {
        if let Some(member) = self.state.member_of(game, by.other()).cloned() {
            self.say(Recipient::Player(member), about_game(Some(game)), facts);
        }
    }

    fn ask(&mut self, question: &Question) {
        let mut games = question.intents().map(Intent::game);
        let first = games.next().flatten().filter(|first| games.all(|g| g == Some(*first)));
        let about = About {
            question: Some(question.question),
            ..about_game(first.map(intent::Game::id).as_ref())
        };
        let question_id = question.question;
        let facts = match question.guard {
            Some(_) => Facts::Confirmation { question: question_id },
            None => Facts::Question { question: question_id },
        };
        self.say(Recipient::Player(question.player.clone()), about, facts);
    }
}

/// Who hears that we know of a death. What comes from the account of whoever died is not his own letter: the answer
/// goes to where it came from and bears no name.
fn mourner(from: &Correspondent, own: bool) -> Recipient {
    match &from.player {
        Some(member) if !own => Recipient::Player(member.clone()),
        _ => Recipient::Stranger(Correspondent {
            player: None,
            address: from.address.clone(),
            name: String::new(),
        }),
    }
}

/// Tells whether an event is answered by a receipt, and by nothing else. A time complaint that was checked has a letter
/// of its own.
fn is_receipted(event: &Event, events: &[Event]) -> bool {
    let is_checked = |number: ItemId| {
        let with =
            |event: &Event| matches!(event, Event::ComplaintChecked(c) if c.item == Some(number));
        events.iter().any(with)
    };
    match event {
        Event::MovePlayed { mail, .. } => mail.is_some(),
        Event::QuestionAnswered { answer, .. } => *answer != Answer::Moot,
        Event::PetitionReceived { intent, item, .. } => match **intent {
            Intent::Death { .. } => false,
            Intent::TimeComplaint { .. } => !is_checked(*item),
            _ => true,
        },
        Event::MoveRepeated(_)
        | Event::WordRefused { .. }
        | Event::DrawOffered { .. }
        | Event::DrawDeclined { .. }
        | Event::AnswerRefused { .. } => true,
        _ => false,
    }
}

/// Returns the game that a line of a receipt is about.
fn game_of(event: &Event) -> Option<&GameId> {
    match event {
        Event::MovePlayed { game, .. }
        | Event::MoveRepeated(MoveAgain { game, .. })
        | Event::MoveRefused { game, .. }
        | Event::WordRefused { game, .. }
        | Event::DrawOffered { game, .. }
        | Event::DrawDeclined { game, .. }
        | Event::ResultReported { game, .. }
        | Event::ResultRepeated { game, .. }
        | Event::ResultContested { game, .. }
        | Event::ResultConfirmed { game, .. } => Some(game),
        Event::ComplaintChecked(complaint) => Some(&complaint.game),
        _ => None,
    }
}

fn has_move(events: &[Event], id: &GameId, by: Side) -> bool {
    let moved = |event: &Event| match event {
        Event::MovePlayed { game, side, .. } => game == id && *side == by,
        _ => false,
    };
    events.iter().any(moved)
}

/// Returns what a player is told of the moves in a game.
fn moves(id: &GameId, reader: Side, events: &[Event]) -> Facts {
    let played = events.iter().filter_map(|event| match event {
        Event::MovePlayed { game, number, side, san, offer, mail, .. } if game == id => {
            let beforehand = mail.is_none();
            let (san, offer) = (san.clone(), *offer);
            Some(Played { number: *number, side: *side, san, beforehand, offer })
        }
        _ => None,
    });
    let any = |wanted: &dyn Fn(&Event) -> bool| events.iter().any(wanted);
    Facts::Move {
        game: id.clone(),
        moves: played.collect(),
        declined: any(
            &|event| matches!(event, Event::DrawDeclined { game, by, .. } if game == id && *by != reader),
        ),
        dropped: any(
            &|event| matches!(event, Event::RepliesDropped { game, side } if game == id && *side == reader),
        ),
    }
}
