//! Caps: how much mail is answered in a day, and what becomes of the rest. Two programs that answer each other, a mail
//! bomb, a responder with another address each time: none of them costs more than so many letters and one docket item.
//!
//! What is counted are mails that were answered, or put before the director. A mail beyond a cap is kept and held; it is
//! not read for meaning again, and the journal has little more than its digest. Known players and strangers are counted
//! apart, so that a flood of strangers takes no answer from a player; so are mails whose sender is proved and those that
//! anybody can write under his address.

use super::{
    Office,
    intake::{Mail, arrived},
    tally::{Writer, known, likeness},
    weighing::{Verdict, correspondent},
};
use crate::{
    domain::{
        command::Command,
        flood::{Beyond, Cap},
        intent::Intent,
    },
    limits,
    mail::understanding::Understanding,
    store::transaction::MailOutcome,
};

impl Office {
    /// Returns the cap that a mail is beyond.
    pub(super) fn beyond(&self, mail: &Mail, understanding: &Understanding) -> Option<Cap> {
        let proved = |intent: &Intent| matches!(intent, Intent::Bounce { letter: Some(_), .. });
        if understanding.intents.iter().any(proved) {
            // It tells of a letter of ours by its key, and nobody can make that up.
            return None;
        }
        let house = &self.standing.house;
        let day = house.day(arrived(mail, self.doors.clock.now()));
        let address = understanding.sender.address.as_deref().unwrap_or_default();
        let writer = Writer::of(address, known(understanding, house));
        let costs = self.books.tallies.costs(&writer, &likeness(understanding), day);
        let caps = &self.standing.caps;
        let (of_domain, total, domain_cap, total_cap) = if writer.is_known() || asks(understanding)
        {
            (caps.domain, caps.total, Cap::Domain, Cap::Total)
        } else {
            (caps.strangers_of_domain, caps.strangers, Cap::StrangersOfDomain, Cap::Strangers)
        };
        let alike = may_loop(understanding)
            && (costs.alike >= limits::ALIKE || costs.alike_in_domain >= limits::ALIKE_IN_DOMAIN);
        [
            (alike, Cap::Alike),
            (costs.address >= caps.address, Cap::Address),
            (costs.domain >= of_domain, domain_cap),
            (costs.total >= total, total_cap),
        ]
        .into_iter()
        .find_map(|(over, cap)| over.then_some(cap))
    }
}

/// Tells whether a program may have written a mail because we wrote: it answers a mail, quotes our letter, or says
/// nothing. Whoever asks of his own accord is answered as often as anybody.
fn may_loop(understanding: &Understanding) -> bool {
    let quotes = understanding.set_aside.iter().any(|part| part.starts_with("our letter"));
    understanding.headers.replies || quotes || understanding.intents.is_empty()
}

/// Tells whether somebody asks of his own accord, and for nothing but an answer. Of those there may be hundreds on the day
/// on which a newspaper writes of us, and they cost the director nothing.
fn asks(understanding: &Understanding) -> bool {
    let question = |intent: &Intent| matches!(intent, Intent::Question { .. });
    !may_loop(understanding) && understanding.intents.iter().all(question)
}

/// Returns what a mail beyond a cap comes to.
pub(super) fn hold_back(mail: &Mail, understanding: &Understanding, cap: Cap) -> Verdict {
    let (from, mail) = (correspondent(understanding), mail.digest.to_string());
    let commands = vec![Command::HoldBack(Beyond { cap, from, mail })];
    Verdict { outcome: MailOutcome::Held, commands }
}
