//! Weighing: what is asked of the domain for a mail that was read, by who wrote it and how sure the reading is. A
//! machine is never answered, what is certain is acted on, a doubt that one word settles is asked about, and what is left
//! goes to a person with a polite answer. Which command an intent becomes is `acting.rs`.

use super::{
    Office,
    acting::{petition, quoted},
    asking, caps,
    intake::Mail,
};
use crate::{
    domain::{
        command::{AskedBack, Command, HeldMail},
        event::{Correspondent, Trouble},
        ids::MemberId,
        intent::{Choice, Intent, Move},
        notice::NoticeName,
        player::Player,
    },
    limits,
    mail::understanding::{Class, Confidence, Understanding},
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
        let nobody = matches!(understanding.class, Class::Own | Class::List | Class::AutoReply);
        if !nobody && let Some(cap) = self.beyond(mail, understanding) {
            return caps::hold_back(mail, understanding, cap);
        }
        let mut verdict = match understanding.class {
            Class::Own | Class::List => ignored(),
            Class::AutoReply => self.weigh_automatic(understanding),
            Class::Bounce => self.weigh_bounce(mail, understanding),
            Class::Unreadable => self.hold(mail, understanding, Trouble::Damaged),
            Class::Person => self.weigh_person(mail, understanding),
        };
        // First of all: what answers the mail goes where it came from.
        verdict.commands.splice(0..0, self.heard(understanding));
        verdict
    }

    fn weigh_person(&self, mail: &Mail, understanding: &Understanding) -> Verdict {
        let is_death = |intent: &&Intent| matches!(intent, Intent::Death { .. });
        if let Some(death) = understanding.intents.iter().find(is_death) {
            // Whatever else such a mail says, its sender is not asked to mean it.
            let command = Command::Petition(petition(mail, understanding, death));
            return Verdict { outcome: MailOutcome::Held, commands: vec![command] };
        }
        if understanding.intents.iter().any(|i| matches!(i, Intent::Director { .. })) {
            return self.hold(mail, understanding, Trouble::ForDirector);
        }
        if is_strangers_entry(understanding) {
            // The rules of entries tell him what is missing.
            let commands = self.commands(mail, understanding, &understanding.intents);
            return Verdict { outcome: MailOutcome::Acted, commands };
        }
        let sure = understanding.confidence == Confidence::Certain;
        if let Some(trouble) = understanding.trouble.filter(|_| !sure) {
            return self.hold(mail, understanding, trouble);
        }
        if let Some(asked) = self.question(mail, understanding) {
            return self.ask_back(mail, understanding, asked, sure);
        }
        if understanding.intents.is_empty() {
            return self.hold(mail, understanding, Trouble::NothingFound);
        }
        if understanding.sender.player.is_none() && understanding.intents.iter().any(is_players) {
            return self.hold(mail, understanding, Trouble::SenderUnknown);
        }
        // Unsure without a question and without a trouble: a move in it cannot be played. The rest is sure.
        let faulty = understanding.intents.iter().any(is_faulty);
        if !sure && !faulty {
            return self.hold(mail, understanding, Trouble::GameUnclear);
        }
        self.act_on(mail, understanding)
    }

    /// Acts on everything that a mail says.
    fn act_on(&self, mail: &Mail, understanding: &Understanding) -> Verdict {
        let mut commands = self.commands(mail, understanding, &understanding.intents);
        if let Some(trouble) = understanding.trouble {
            // Part of it is acted on and answered; the rest a person must see.
            let rest = self.held(mail, understanding, trouble);
            commands.push(Command::Hold(HeldMail { answer: false, ..rest }));
        }
        // Nothing has come of a mail whose sender is only asked whether he wrote it.
        let waits = |command: &Command| match command {
            Command::AskToConfirm(unproved) => unproved.petitions.is_empty(),
            _ => false,
        };
        let outcome = if !commands.is_empty() && commands.iter().all(waits) {
            MailOutcome::Held
        } else {
            MailOutcome::Acted
        };
        Verdict { outcome, commands }
    }

    /// Puts the one question that a mail leaves open. Of what it says beside that, a move that cannot be played is
    /// answered, and everything else waits with the question unless the reading is sure of it.
    fn ask_back(
        &self,
        mail: &Mail,
        understanding: &Understanding,
        mut asked: AskedBack,
        sure: bool,
    ) -> Verdict {
        let told = understanding.intents.iter().filter(|intent| sure || is_faulty(intent));
        let told: Vec<Intent> = told.cloned().collect();
        // What is seen to now is not done again with the answer.
        let options = &mut asked.doubt.options;
        let done: Vec<Intent> = told.iter().filter(|i| in_all(options, i)).cloned().collect();
        for option in options {
            option.intents.retain(|intent| !done.contains(intent));
        }
        let mut commands = self.commands(mail, understanding, &told);
        commands.push(Command::PutQuestion(asked));
        let outcome = if told.is_empty() { MailOutcome::Held } else { MailOutcome::Acted };
        Verdict { outcome, commands }
    }

    /// Returns the question that settles what is in doubt about a mail; none where nothing is, or where nobody known
    /// could answer.
    fn question(&self, mail: &Mail, understanding: &Understanding) -> Option<AskedBack> {
        let player = understanding.sender.player.clone()?;
        let unasked = understanding.confidence == Confidence::Probable
            && !understanding.intents.is_empty()
            && !understanding.intents.iter().any(is_faulty);
        let doubt = understanding.doubt.clone().or_else(|| {
            unasked.then(|| asking::confirm(&self.books.state, &player, &understanding.intents))
        });
        let sent = understanding.headers.postmark;
        let mail = Some(mail.digest.to_string());
        let doubt = doubt.filter(|doubt| !doubt.options.is_empty())?;
        Some(AskedBack { player, doubt, sent, mail })
    }

    fn hold(&self, mail: &Mail, understanding: &Understanding, trouble: Trouble) -> Verdict {
        let why = understanding.trouble.unwrap_or(trouble);
        let held = self.held(mail, understanding, why);
        let outcome = match (held.docket, held.answer) {
            (true, _) => MailOutcome::Held,
            (false, true) => MailOutcome::Acted,
            (false, false) => MailOutcome::Ignored,
        };
        Verdict { outcome, commands: vec![Command::Hold(held)] }
    }

    pub(super) fn held(
        &self,
        mail: &Mail,
        understanding: &Understanding,
        why: Trouble,
    ) -> HeldMail {
        let from = correspondent(understanding);
        let chatter =
            from.player.is_none() && matches!(why, Trouble::NothingFound | Trouble::Empty);
        let named = self.named(understanding).filter(|_| chatter);
        let lost = chatter && named.is_none();
        let subject = quoted("Its subject", &understanding.headers.subject);
        let text = quoted("The mail", &understanding.text);
        let told = self.answers_a_complaint(understanding);
        let answer = !told && from.address.is_some() && self.may_tell(&from);
        HeldMail {
            from,
            why,
            read: understanding.reasons.clone(),
            words: named.into_iter().chain(subject).chain(text).collect(),
            mail: mail.digest.to_string(),
            answer,
            // Strangers' chatter is answered and forgotten; all else a person must see.
            docket: !lost,
        }
    }

    /// Says which member a mail names by his number, a sentence for the director: a player whose old address is gone
    /// writes so from a new one.
    fn named(&self, understanding: &Understanding) -> Option<String> {
        let texts = [&understanding.headers.subject, &understanding.text];
        let words = texts.into_iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
        let numbers = words.filter(|word| word.contains(|c: char| c.is_ascii_digit()));
        let players = &self.books.state.players;
        let player = numbers.map(MemberId::from).find_map(|number| players.get(&number))?;
        let Player { member, name, .. } = player;
        Some(format!(
            "It names member {member}, {name}, but is not known to be that member's mail. Nothing was changed."
        ))
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
}

pub(super) const fn ignored() -> Verdict {
    Verdict { outcome: MailOutcome::Ignored, commands: Vec::new() }
}

/// Tells whether somebody unknown asks for entries and for nothing else, and does not say for whom.
fn is_strangers_entry(understanding: &Understanding) -> bool {
    let Understanding { intents, sender, trouble, .. } = understanding;
    let nameless = |i: &Intent| matches!(i, Intent::Entry { member_id: None, .. });
    sender.player.is_none()
        && *trouble == Some(Trouble::SenderUnknown)
        && !intents.is_empty()
        && intents.iter().all(nameless)
}

fn in_all(options: &[Choice], intent: &Intent) -> bool {
    options.iter().all(|option| option.intents.contains(intent))
}

/// Tells whether an intent is a move that cannot be played.
const fn is_faulty(intent: &Intent) -> bool {
    matches!(intent, Intent::Move(Move { fault: Some(_), .. }))
}

/// Tells whether only a known player can mean it: the first mail from a new address never acts for one.
const fn is_players(intent: &Intent) -> bool {
    match intent {
        Intent::Entry { .. }
        | Intent::Question { .. }
        | Intent::Death { .. }
        | Intent::Bounce { .. }
        | Intent::Delivered { .. }
        | Intent::Director { .. }
        // The rules of results say so themselves.
        | Intent::Result { .. }
        | Intent::Resign { .. } => false,
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

pub(super) fn correspondent(understanding: &Understanding) -> Correspondent {
    let sender = &understanding.sender;
    Correspondent {
        player: sender.player.clone(),
        address: sender.address.clone(),
        name: sender.name.clone(),
    }
}
