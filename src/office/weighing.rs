//! Weighing: what is asked of the domain for a mail that was read, by who wrote it and how sure the reading is. A
//! machine is never answered, what is certain is acted on, and what is not goes to a person with a polite answer.

use super::{
    Office,
    intake::{Mail, arrived},
};
use crate::{
    domain::{
        command::{Command, EntryForm, HeldMail, ResultClaim},
        docket::About,
        event::{Correspondent, Trouble},
        notice::NoticeName,
        points::{How, Outcome, Score, Side},
    },
    limits,
    mail::understanding::{Class, Confidence, Intent, Understanding},
    store::transaction::MailOutcome,
};
use chrono::Duration;

/// What a mail comes to.
pub(super) struct Verdict {
    pub(super) outcome: MailOutcome,
    pub(super) commands: Vec<Command>,
}

impl Office {
    /// Decides what is to be asked of the domain for a mail, by who wrote it and how sure the reading is.
    pub(super) fn weigh(&self, mail: &Mail, understanding: &Understanding) -> Verdict {
        match understanding.class {
            Class::Unreadable | Class::Person if self.is_flood(mail, understanding) => {
                self.hold(mail, understanding, Trouble::TooMany)
            }
            Class::Own | Class::List | Class::AutoReply => ignored(),
            Class::Bounce => Self::weigh_bounce(mail, understanding),
            Class::Unreadable => self.hold(mail, understanding, Trouble::Damaged),
            Class::Person => self.weigh_person(mail, understanding),
        }
    }

    fn weigh_person(&self, mail: &Mail, understanding: &Understanding) -> Verdict {
        let sure = understanding.confidence == Confidence::Certain;
        if let Some(trouble) = understanding.trouble.filter(|_| !sure) {
            return self.hold(mail, understanding, trouble);
        }
        if understanding.intents.is_empty() {
            return self.hold(mail, understanding, Trouble::NothingFound);
        }
        if !sure {
            // Probable: it is asked about before anything is done.
            return self.hold(mail, understanding, Trouble::GameUnclear);
        }
        let intents = understanding.intents.iter();
        let mut commands: Vec<Command> =
            intents.filter_map(|intent| self.command(mail, understanding, intent)).collect();
        if let Some(trouble) = understanding.trouble {
            // Part of it is acted on and answered; the rest a person must see.
            let rest = self.held(mail, understanding, trouble);
            commands.push(Command::Hold(HeldMail { answer: false, ..rest }));
        }
        Verdict { outcome: MailOutcome::Acted, commands }
    }

    /// Tells whether the sender has had as many answers as one address gets to the mails of one day.
    fn is_flood(&self, mail: &Mail, understanding: &Understanding) -> bool {
        let day = self.standing.house.day(arrived(mail, self.doors.clock.now()));
        let address = understanding.sender.address.as_deref().unwrap_or_default();
        self.books.answers_on(address, day) >= self.standing.answers_a_day
    }

    fn hold(&self, mail: &Mail, understanding: &Understanding, trouble: Trouble) -> Verdict {
        let why = understanding.trouble.filter(|_| trouble != Trouble::TooMany).unwrap_or(trouble);
        let held = self.held(mail, understanding, why);
        let outcome = match (held.docket, held.answer) {
            (true, _) => MailOutcome::Held,
            (false, true) => MailOutcome::Acted,
            (false, false) => MailOutcome::Ignored,
        };
        Verdict { outcome, commands: vec![Command::Hold(held)] }
    }

    fn held(&self, mail: &Mail, understanding: &Understanding, why: Trouble) -> HeldMail {
        let from = correspondent(understanding);
        let lost = from.player.is_none() && matches!(why, Trouble::NothingFound | Trouble::Empty);
        let told = self.answers_a_complaint(understanding);
        let answer =
            why != Trouble::TooMany && !told && from.address.is_some() && self.may_tell(&from);
        HeldMail {
            from,
            why,
            read: understanding.reasons.clone(),
            mail: mail.digest.to_string(),
            answer,
            // Strangers' chatter is answered and forgotten; all else a person must see.
            docket: !lost,
        }
    }

    /// Tells whether a mail answers our word that an earlier one was not understood. That is said once in a thread:
    /// whoever answers it without being understood may be a machine that does not say so.
    fn answers_a_complaint(&self, understanding: &Understanding) -> bool {
        let answered = understanding.headers.answers.and_then(|id| self.books.letter(id));
        answered.is_some_and(|letter| letter.notice == NoticeName::NotUnderstood)
    }

    /// A stranger is told once in a while that he was not understood; a player always.
    fn may_tell(&self, from: &Correspondent) -> bool {
        let address = from.address.as_deref().unwrap_or_default();
        let told = self.books.stranger_told(address);
        let again = Duration::days(limits::STRANGER_ANSWER_DAYS);
        from.player.is_some() || told.is_none_or(|day| day + again < self.moment().today)
    }

    fn weigh_bounce(mail: &Mail, understanding: &Understanding) -> Verdict {
        let mut commands = Vec::new();
        for intent in &understanding.intents {
            let Intent::Bounce { recipient, status, permanent: true, letter } = intent else {
                continue;
            };
            let recipient = recipient.as_deref().unwrap_or("somebody");
            let status = status.as_deref().unwrap_or("no code");
            let digest = mail.digest;
            let evidence = match letter {
                Some(letter) => {
                    format!("{letter} to {recipient} came back ({status}), mail {digest}.")
                }
                None => format!(
                    "A mail system says that {recipient} cannot be reached ({status}); it names no \
                     letter of ours by its key, so it may be forged. Mail {digest}."
                ),
            };
            let about =
                About { letter: *letter, mail: Some(digest.to_string()), ..About::default() };
            commands.push(Command::NoteUndelivered { about, evidence });
        }
        let outcome = if commands.is_empty() { MailOutcome::Ignored } else { MailOutcome::Held };
        Verdict { outcome, commands }
    }

    fn command(
        &self,
        mail: &Mail,
        understanding: &Understanding,
        intent: &Intent,
    ) -> Option<Command> {
        let from = correspondent(understanding);
        let digest = mail.digest.to_string();
        match intent {
            Intent::Entry { event, count, member_id, name, postmark, .. } => {
                Some(Command::Enter(EntryForm {
                    event: event.clone(),
                    id: None,
                    member: member_id.clone(),
                    from: Some(from),
                    name: name.clone(),
                    count: *count,
                    postmark: *postmark,
                    postmark_doubt: understanding.headers.postmark_doubt.clone(),
                    arrived: arrived(mail, self.doors.clock.now()),
                    // The fee comes outside the mail; what the mail says of it is not enough (Rule 8).
                    paid: false,
                    mail: Some(digest),
                }))
            }
            Intent::Result { game, result, how } => Some(Command::ReportResult(ResultClaim {
                from,
                game: game.id(),
                outcome: Outcome { result: *result, how: *how },
                mail: Some(digest),
            })),
            Intent::Resign { game } => {
                let side = self.books.state.side_of(&game.id(), from.player.as_ref()?);
                // Somebody who does not play in the game resigns nothing; the domain says so to him.
                let result = Score::win(side.unwrap_or(Side::White).other());
                let outcome = Outcome { result, how: How::Resignation };
                let game = game.id();
                Some(Command::ReportResult(ResultClaim { from, game, outcome, mail: Some(digest) }))
            }
            Intent::Question { topic, section } => {
                Some(Command::Ask { from, topic: *topic, section: section.clone() })
            }
            Intent::Bounce { .. } => None,
        }
    }
}

const fn ignored() -> Verdict {
    Verdict { outcome: MailOutcome::Ignored, commands: Vec::new() }
}

fn correspondent(understanding: &Understanding) -> Correspondent {
    let sender = &understanding.sender;
    Correspondent {
        player: sender.player.clone(),
        address: sender.address.clone(),
        name: sender.name.clone(),
    }
}
