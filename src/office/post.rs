//! The post: what mail systems say of letters becomes what is asked of the domain. A letter is known by our key alone;
//! what follows from a report is decided in `domain/rules/undelivered.rs`.

use super::{
    Office,
    intake::Mail,
    weighing::{Verdict, ignored},
};
use crate::{
    domain::{
        command::{Command, Nondelivery, SentLetter},
        docket::{About, ItemKind},
        ids::LetterId,
        intent::Intent,
        notice::NoticeName,
        post::Failing,
    },
    mail::{
        self, Letters as _,
        understanding::{Class, Understanding},
    },
    store::transaction::MailOutcome,
};

/// How the words begin of a letter that was tried in vain for days.
pub(super) const TRIED_FOR: &str = "tried for";
/// Codes of a trouble with the one letter and not with the address: too long, or of a kind that is not taken (RFC 3463
/// sections 3.3, 3.4 and 3.7).
const OF_THE_LETTER: [&str; 3] = ["5.2.3", "5.3.4", "5.6."];

impl Office {
    /// Weighs a bounce: what it says of each letter is noted, and what our key does not prove is for the director.
    pub(super) fn weigh_bounce(&self, mail: &Mail, understanding: &Understanding) -> Verdict {
        let reports = understanding.intents.iter().filter_map(|intent| self.report(mail, intent));
        let reports: Vec<Nondelivery> = reports.collect();
        let forged = reports.iter().any(|report| !report.proved);
        let outcome = if reports.is_empty() {
            MailOutcome::Ignored
        } else if forged {
            MailOutcome::Held
        } else {
            MailOutcome::Acted
        };
        let note = |report| Command::NoteUndelivered(Box::new(report));
        Verdict { outcome, commands: reports.into_iter().map(note).collect() }
    }

    /// Returns what a bounce says of one recipient; none where it is neither of a letter of ours nor the last word.
    fn report(&self, mail: &Mail, intent: &Intent) -> Option<Nondelivery> {
        let Intent::Bounce { recipient, status, permanent, given_up, said, letter } = intent else {
            return None;
        };
        let how = failing(status.as_deref(), *permanent, *given_up);
        let digest = Some(mail.digest.to_string());
        let (about, sent) = match letter {
            Some(letter) => self.sent_letter(*letter),
            None if how.is_final() => (About::default(), None),
            None => return None,
        };
        let proved = sent.is_some();
        Some(Nondelivery {
            about,
            sent,
            recipient: recipient.clone(),
            status: status.clone(),
            said: said.clone(),
            mail: digest,
            how,
            proved,
        })
    }

    /// Weighs a machine's mail that is no bounce. It may say that a letter arrived where letters did not before.
    pub(super) fn weigh_automatic(&self, understanding: &Understanding) -> Verdict {
        let heard = understanding.intents.iter().filter_map(|intent| match intent {
            Intent::Delivered { recipient, letter } => {
                let to = self.books.letter(*letter)?.to.as_deref()?;
                recipient.as_deref().filter(|r| r.eq_ignore_ascii_case(to))
            }
            _ => None,
        });
        let commands: Vec<Command> = heard.filter_map(|address| self.note_heard(address)).collect();
        if commands.is_empty() {
            ignored()
        } else {
            Verdict { outcome: MailOutcome::Acted, commands }
        }
    }

    /// Returns the note that a person has written from an address; none where letters reach it anyway.
    pub(super) fn heard(&self, understanding: &Understanding) -> Option<Command> {
        let person = understanding.class == Class::Person;
        understanding.sender.address.as_deref().filter(|_| person).and_then(|a| self.note_heard(a))
    }

    fn note_heard(&self, address: &str) -> Option<Command> {
        let state = &self.books.state;
        let trouble = !state.post.failed.is_empty()
            || state.open_of_kind(ItemKind::LetterFailed).next().is_some();
        trouble.then(|| Command::NoteHeard { address: address.to_owned() })
    }

    /// Returns what a letter was about and how it was sent.
    fn sent_letter(&self, letter: LetterId) -> (About, Option<SentLetter>) {
        let known = self.books.about(letter).unwrap_or_default();
        let about = About { letter: Some(letter), ..known };
        let house = &self.standing.house;
        let sent = self.books.letter(letter).map(|entry| SentLetter {
            to: entry.to.as_deref().map(str::to_owned),
            written: house.day(entry.queued),
            notice: entry.notice,
            director: house.director.clone(),
        });
        (about, sent)
    }

    /// Returns the note that a letter was refused at delivery.
    pub(super) fn refused(&self, letter: LetterId, why: &str) -> Command {
        let (about, sent) = self.sent_letter(letter);
        let status = status_in(why).map(str::to_owned);
        let how = if why.starts_with(TRIED_FOR) {
            Failing::Letter
        } else if mail::is_passing(why) {
            Failing::Passing
        } else {
            failing(status.as_deref(), true, true)
        };
        let by_mail = sent.as_ref().is_some_and(|sent| sent.to.is_some());
        let said =
            if by_mail { why.to_owned() } else { format!("{letter} was not delivered: {why}") };
        Command::NoteUndelivered(Box::new(Nondelivery {
            about,
            sent,
            recipient: None,
            status,
            said,
            mail: None,
            how,
            proved: true,
        }))
    }

    /// Returns the note that a letter has left; none where it is one of those that only leave once.
    pub(super) fn delivered(&self, letter: LetterId, on_paper: bool) -> Option<Command> {
        let lost = self.books.state.post.lost.get(&letter)?;
        lost.until.is_none().then_some(Command::NoteDelivered { letter, on_paper })
    }
}

/// Returns the note that a letter could not be written.
pub(super) fn unwritten(notice: NoticeName, about: &About, why: &str) -> Command {
    Command::NoteUndelivered(Box::new(Nondelivery {
        about: About { letter: None, ..about.clone() },
        sent: None,
        recipient: None,
        status: None,
        said: format!("The letter {notice} could not be written: {why}."),
        mail: None,
        how: Failing::Letter,
        proved: true,
    }))
}

/// Tells how a letter did not arrive, by its code and whether the system has given up.
fn failing(status: Option<&str>, permanent: bool, given_up: bool) -> Failing {
    let status = status.unwrap_or_default();
    let of_letter = OF_THE_LETTER.iter().any(|code| status.starts_with(code));
    match (permanent, given_up) {
        (true, _) if of_letter => Failing::Letter,
        (true, _) => Failing::Address,
        // It was tried until its time was over (RFC 3463 section 3.5, 4.4.7).
        (false, true) if status.starts_with('4') => Failing::Letter,
        (false, true) => Failing::Passing,
        (false, false) => Failing::Delayed,
    }
}

/// Returns the status code (RFC 3463) that a mail system's answer has.
fn status_in(why: &str) -> Option<&str> {
    let is_code = |word: &&str| {
        let mut parts = word.split('.');
        let class = parts.next().is_some_and(|class| matches!(class, "4" | "5"));
        let numbers = parts.clone().all(|n| (1..=3).contains(&n.len()) && n.parse::<u16>().is_ok());
        class && numbers && parts.count() == 2
    };
    why.split(|c: char| !c.is_ascii_digit() && c != '.').find(is_code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_and_the_last_word_tell_how_a_letter_failed() {
        use Failing::{Address, Delayed, Letter, Passing};
        for (status, permanent, given_up, how) in [
            (Some("5.1.1"), true, true, Address),
            (None, true, true, Address),
            (Some("5.3.4"), true, true, Letter),
            (Some("5.6.1"), true, true, Letter),
            (Some("4.4.1"), false, true, Letter),
            (Some("5.2.2"), false, true, Passing),
            (None, false, true, Passing),
            (Some("4.4.1"), false, false, Delayed),
        ] {
            assert_eq!(failing(status, permanent, given_up), how, "{status:?}");
        }
        assert_eq!(status_in("550 5.1.1 <a@example.org>: no such user"), Some("5.1.1"));
        assert_eq!(status_in("host 127.0.0.1 said: 550 no"), None);
    }
}
