//! Acting: which commands the intents of a mail become, and in which order. An answer to an offer of a draw comes before
//! a move, an offer and a claim after it; an offer in the mail of a move rides on the move. What an answer to a question
//! of ours stands for is asked for as if the mail had said it.

use super::{
    Office, asking, harm,
    intake::{Mail, arrived},
    weighing::correspondent,
};
use crate::{
    domain::{
        command::{Command, EntryForm, MoveOrder, Petition, ResultClaim, Unproved},
        event::Correspondent,
        ids::{GameId, LetterId, QuestionId},
        intent::{self, Intent, Move, Word},
        points::{How, Outcome, Score, Side},
        rules::questions,
    },
    mail::{Letters as _, understanding::Understanding},
};
use chrono::NaiveDate;

/// How much of a mail's text a docket item quotes, in characters.
const QUOTED: usize = 400;

/// A mail whose intents become commands.
struct Acting<'a> {
    mail: &'a Mail,
    understanding: &'a Understanding,
    from: Correspondent,
    digest: String,
    /// The postmark that counts: of a mail that we asked about, its own.
    sent: Option<NaiveDate>,
}

impl Office {
    /// Returns what is asked of the domain for intents of a mail, in order.
    pub(super) fn commands(
        &self,
        mail: &Mail,
        understanding: &Understanding,
        intents: &[Intent],
    ) -> Vec<Command> {
        let acting = Acting {
            mail,
            understanding,
            from: correspondent(understanding),
            digest: mail.digest.to_string(),
            sent: understanding.headers.postmark,
        };
        let mut commands = Vec::new();
        // What waits for its sender's word is told in the letter that asks for it.
        let sender = &understanding.sender;
        let waits =
            |intent: &Intent| harm::waits(intent, sender, &self.books.state, &self.standing.house);
        if intents.iter().any(|intent| is_receipted(intent) && !waits(intent)) {
            let (from, aside) = (acting.from.clone(), aside(understanding));
            commands.push(Command::ReadMail { from, aside });
        }
        self.add(&acting, intents, &mut commands);
        commands
    }

    fn add(&self, acting: &Acting<'_>, intents: &[Intent], commands: &mut Vec<Command>) {
        let (sender, state) = (&acting.understanding.sender, &self.books.state);
        let (unproved, mut ordered): (Vec<&Intent>, Vec<&Intent>) = intents
            .iter()
            .partition(|intent| harm::waits(intent, sender, state, &self.standing.house));
        ordered.sort_by_key(|intent| place(intent));
        let moved: Vec<GameId> = intents.iter().filter_map(moved).collect();
        for intent in ordered {
            let rides = matches!(intent, Intent::DrawOffer { game } if moved.contains(&game.id()));
            if let Intent::Confirm { token, choice } = intent {
                self.confirm(acting, *token, *choice, commands);
            } else if !rides {
                commands.extend(self.command(acting, intent, intents));
            }
        }
        commands.extend(self.ask_to_confirm(acting, unproved));
    }

    /// Asks the player at his known address whether he wrote what would do harm if somebody else had.
    fn ask_to_confirm(&self, acting: &Acting<'_>, unproved: Vec<&Intent>) -> Option<Command> {
        let player = acting.from.player.clone().filter(|_| !unproved.is_empty())?;
        let decided = unproved.iter().filter(|intent| is_decided(intent));
        let petition = |intent: &&Intent| petition(acting.mail, acting.understanding, intent);
        let petitions = decided.map(petition).collect();
        let meant = unproved.into_iter().cloned().collect();
        Some(Command::AskToConfirm(Unproved {
            meant: asking::meant(&self.books.state, &player, meant),
            player,
            address: acting.from.address.clone().unwrap_or_default(),
            petitions,
            sent: acting.sent,
            mail: Some(acting.digest.clone()),
        }))
    }

    /// Takes the answer to a question of ours and asks for what it stands for.
    fn confirm(
        &self,
        acting: &Acting<'_>,
        letter: LetterId,
        choice: u8,
        commands: &mut Vec<Command>,
    ) {
        let asked = self.books.about(letter).and_then(|about| about.question);
        let question = asked.unwrap_or(QuestionId(0));
        let (from, mail) = (acting.from.clone(), Some(acting.digest.clone()));
        commands.push(Command::AnswerQuestion { from, question, choice, mail });
        let today = self.moment().today;
        let Ok(asked) = questions::check(&self.books.state, question, &acting.from, today) else {
            return;
        };
        if let Some(option) = questions::chosen(asked, choice) {
            let (from, digest) = (acting.from.clone(), acting.digest.clone());
            let sent = asked.sent.or(acting.sent);
            let Acting { mail, understanding, .. } = *acting;
            let acting = Acting { mail, understanding, from, digest, sent };
            // An answer never answers a question itself. What the director decides he has already, where the question was
            // whether the player wrote it.
            let guarded = asked.guard.is_some();
            let meant = option.intents.iter().filter(|intent| {
                let done = guarded && is_decided(intent);
                !done && !matches!(intent, Intent::Confirm { .. })
            });
            let meant: Vec<Intent> = meant.cloned().collect();
            self.add(&acting, &meant, commands);
        }
    }

    fn command(&self, acting: &Acting<'_>, intent: &Intent, all: &[Intent]) -> Vec<Command> {
        let mail = Some(acting.digest.clone());
        let speak = |game: &intent::Game, word| {
            let (from, game, mail) = (acting.from.clone(), game.id(), mail.clone());
            Command::Speak { from, game, word, mail }
        };
        let petition = || Command::Petition(petition(acting.mail, acting.understanding, intent));
        vec![match intent {
            Intent::Entry { wishes, .. } if wishes.is_empty() => self.enter(acting, intent),
            Intent::Entry { .. } => return vec![self.enter(acting, intent), petition()],
            Intent::Result { game, result, how, .. } => {
                claim(acting, game, Outcome { result: *result, how: *how })
            }
            Intent::Resign { game } => {
                let player = acting.from.player.as_ref();
                let side = player.and_then(|m| self.books.state.side_of(&game.id(), m));
                // Somebody who does not play in the game resigns nothing; the domain says so to him.
                let result = Score::win(side.unwrap_or(Side::White).other());
                claim(acting, game, Outcome { result, how: How::Resignation })
            }
            Intent::Question { topic, section } => {
                let (from, section) = (acting.from.clone(), section.clone());
                Command::Ask { from, topic: *topic, section }
            }
            Intent::Move(said) => Command::PlayMove(MoveOrder {
                from: acting.from.clone(),
                said: said.clone(),
                offer: all.contains(&Intent::DrawOffer { game: said.game.clone() }),
                sent: acting.sent,
                mail,
            }),
            Intent::DrawOffer { game } => speak(game, Word::Offer),
            Intent::DrawAccept { game } => speak(game, Word::Accept),
            Intent::DrawDecline { game } => speak(game, Word::Decline),
            Intent::DrawClaim { game, ground } => speak(game, Word::Claim { ground: *ground }),
            Intent::TimeComplaint { .. }
            | Intent::Leave { .. }
            | Intent::Withdraw { .. }
            | Intent::AddressChange { .. }
            | Intent::Membership { .. }
            | Intent::Objection { .. }
            | Intent::Death { .. }
            | Intent::Conduct { .. } => petition(),
            Intent::Director { .. }
            | Intent::Confirm { .. }
            | Intent::Bounce { .. }
            | Intent::Delivered { .. } => return Vec::new(),
        }]
    }

    fn enter(&self, acting: &Acting<'_>, intent: &Intent) -> Command {
        let Intent::Entry { event, count, member_id, name, postmark, .. } = intent else {
            unreachable!("only entries are entered")
        };
        Command::Enter(EntryForm {
            event: event.clone(),
            id: None,
            member: member_id.clone(),
            from: Some(acting.from.clone()),
            name: name.clone(),
            count: *count,
            postmark: *postmark,
            postmark_doubt: acting.understanding.headers.postmark_doubt.clone(),
            arrived: arrived(acting.mail, self.doors.clock.now()),
            // The fee comes outside the mail; what the mail says of it is not enough (Rule 8).
            paid: false,
            mail: Some(acting.digest.clone()),
        })
    }
}

/// Quotes the beginning of a part of a mail for the director, on one line; none where there is nothing to quote.
pub(super) fn quoted(part: &str, text: &str) -> Option<String> {
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = crate::notices::table::cut(&text.join(" "), QUOTED);
    (!text.is_empty()).then(|| format!("{part}: {text}"))
}

/// Puts before the director what a mail asks of him, with its words.
pub(super) fn petition(mail: &Mail, understanding: &Understanding, intent: &Intent) -> Petition {
    Petition {
        from: correspondent(understanding),
        intent: intent.clone(),
        words: quoted("The mail", &understanding.text).into_iter().collect(),
        mail: Some(mail.digest.to_string()),
    }
}

/// Tells whether the director, or the allowance, decides about a harmful intent: it is put before him at once.
const fn is_decided(intent: &Intent) -> bool {
    matches!(intent, Intent::Withdraw { .. } | Intent::Leave { .. } | Intent::AddressChange { .. })
}

fn claim(acting: &Acting<'_>, game: &intent::Game, outcome: Outcome) -> Command {
    let (from, game, mail) = (acting.from.clone(), game.id(), Some(acting.digest.clone()));
    Command::ReportResult(ResultClaim { from, game, outcome, mail })
}

/// Returns the game that an intent moves in.
fn moved(intent: &Intent) -> Option<GameId> {
    match intent {
        Intent::Move(Move { game, fault: None, .. }) => Some(game.id()),
        _ => None,
    }
}

/// Returns when an intent's turn is among others of its mail.
const fn place(intent: &Intent) -> u8 {
    match intent {
        Intent::DrawAccept { .. } | Intent::DrawDecline { .. } => 0,
        Intent::Move(_) => 1,
        Intent::DrawOffer { .. } | Intent::DrawClaim { .. } => 2,
        _ => 3,
    }
}

/// Tells whether a mail that says this is answered by a receipt. Entries, results and questions have letters of their own.
const fn is_receipted(intent: &Intent) -> bool {
    match intent {
        Intent::Entry { wishes, .. } => !wishes.is_empty(),
        Intent::Result { .. }
        | Intent::Resign { .. }
        | Intent::Question { .. }
        | Intent::Director { .. }
        | Intent::Bounce { .. }
        | Intent::Delivered { .. }
        | Intent::Death { .. } => false,
        Intent::Move(_)
        | Intent::DrawOffer { .. }
        | Intent::DrawAccept { .. }
        | Intent::DrawDecline { .. }
        | Intent::DrawClaim { .. }
        | Intent::TimeComplaint { .. }
        | Intent::Leave { .. }
        | Intent::Withdraw { .. }
        | Intent::AddressChange { .. }
        | Intent::Membership { .. }
        | Intent::Objection { .. }
        | Intent::Confirm { .. }
        | Intent::Conduct { .. } => true,
    }
}

/// Returns what was read in a mail and not taken as its sender's word: the texts that are not his, and what the readers
/// say they did not take. That our own letter below an answer is ours goes without saying.
fn aside(understanding: &Understanding) -> Vec<String> {
    let foreign = understanding.set_aside.iter().filter(|part| !part.starts_with("our letter"));
    let not_taken = understanding.reasons.iter().filter(|reason| reason.contains("not taken"));
    foreign.chain(not_taken).cloned().collect()
}
