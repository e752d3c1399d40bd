//! The post of a simulated season: how a player's mail comes into the mailbox, and what he does with a letter that
//! reaches him. Questions are answered, machines answer everything, dead addresses send things back.

use super::{
    mails::{self, Draft},
    players::Habit,
    season::{Act, Delivered, Posted, Season, instant},
};
use crate::{
    digest::Digest, domain::notice::NoticeName, mail::message, store::transaction::LetterRecord,
    transport::Outgoing,
};
use chrono::{DateTime, Duration, FixedOffset};

impl Season<'_> {
    /// Returns the address that players write to.
    pub(super) fn our_address(&self) -> &str {
        &self.venue.house.address
    }

    /// Writes a mail of a player's, if he still writes.
    pub(super) fn write(&mut self, person: usize, subject: &str, text: String) {
        let Some(mut draft) = self.draft(person, subject, text) else { return };
        // Some answer the latest letter that they find, with all of it below.
        if self.chance.in_a_hundred(12)
            && let Some(letter) = self.latest.get(&person).cloned()
        {
            draft = self.answering(draft, &letter);
        }
        self.post(&draft);
    }

    /// Returns the mail of a player; none where he does not write any more, or never by email.
    pub(super) fn draft(&self, person: usize, subject: &str, text: String) -> Option<Draft> {
        let someone = &self.people[person];
        let from = someone.address.clone().filter(|_| !someone.gone)?;
        let (to, name) = (self.our_address().to_owned(), someone.name().to_owned());
        Some(Draft { name, from, to, subject: subject.to_owned(), text, ..Draft::default() })
    }

    /// Makes a mail an answer to a letter of ours.
    fn answering(&self, draft: Draft, letter: &LetterRecord) -> Draft {
        let house = &self.venue.house;
        let token = house.keys.token(letter.letter, &letter.about);
        let quoted = message::plain_text(&self.desk.letter(letter.digest).unwrap_or_default());
        Draft {
            to: house.reply_address(&token),
            answers: Some(letter.message_id.clone()),
            quotes: Some((format!("{} <{}>", house.name, house.address), quoted)),
            ..draft
        }
    }

    /// Sends a mail.
    pub(super) fn post(&mut self, draft: &Draft) {
        let marks = ["Auto-", "X-Auto"];
        let automatic = draft.headers.iter().any(|h| marks.iter().any(|mark| h.starts_with(mark)));
        let at = self.moment();
        let bytes = mails::compose(draft, at, self.mails, &mut self.chance);
        self.put(bytes, automatic, at);
    }

    /// Sends the latest mail once more in some days, byte for byte.
    pub(super) fn write_again(&mut self) {
        let bytes = self.last_mail.clone();
        self.plan_in(1, 4, Act::Again(bytes));
    }

    /// Sends bytes that were sent before.
    pub(super) fn put_again(&mut self, bytes: Vec<u8>) {
        let at = self.moment();
        self.put(bytes, false, at);
    }

    /// Returns when in the day a mail is sent, on the clock of its sender.
    fn moment(&mut self) -> DateTime<FixedOffset> {
        let noon = instant(self.venue, self.today, 12);
        let before = i64::try_from(self.chance.between(10, 540)).unwrap_or(10);
        let hours = match self.chance.below(12) {
            0 => -10,
            1 => -4,
            2 => -8,
            _ => -6,
        };
        let zone = FixedOffset::east_opt(hours * 3600).expect("a whole number of hours");
        (noon - Duration::minutes(before)).with_timezone(&zone)
    }

    fn put(&mut self, bytes: Vec<u8>, automatic: bool, at: DateTime<FixedOffset>) {
        self.mails += 1;
        let posted = Posted { digest: Digest::of(&bytes), postmark: at.date_naive(), automatic };
        if self.chance.in_a_hundred(1) {
            // Some mail programs send everything twice.
            self.posted.push(posted.clone());
            self.desk.receive(at.to_utc() + Duration::minutes(3), bytes.clone());
        }
        self.posted.push(posted);
        self.last_mail.clone_from(&bytes);
        self.desk.receive(at.to_utc() + Duration::minutes(2), bytes);
    }

    /// Keeps a letter that its player may answer, and answers a question that it puts.
    pub(super) fn await_letter(&mut self, letter: &LetterRecord) {
        let Some(person) = letter.about.player.as_ref().and_then(|m| self.person(m)) else {
            return;
        };
        if matches!(letter.notice, NoticeName::Question | NoticeName::Confirmation) {
            let options = letter.about.question.and_then(|q| self.desk.state().questions.get(&q));
            let one = options.is_some_and(|question| question.options.len() == 1);
            let text = if one { "yes" } else { "1" }.to_owned();
            if let Some(draft) = self.draft(person, &format!("Re: {}", letter.subject), text) {
                let draft = self.answering(draft, letter);
                self.plan_in(1, 5, Act::Write(Box::new(draft)));
            }
        }
        self.latest.insert(person, letter.clone());
    }

    /// A letter reaches its address.
    pub(super) fn take_letter(&mut self, letter: &Outgoing) {
        let Outgoing { letter: number, to, bytes, .. } = letter;
        let digest = Digest::of(bytes);
        let first = self.arrived.insert(*number);
        self.delivered.push(Delivered { letter: *number, to: to.clone(), digest });
        // What comes a second time after a crash, under the same Message-ID, nobody answers again.
        let Some(to) = to.as_ref().filter(|_| first) else { return };
        if self.dead_addresses.contains(to) {
            let id = header(bytes, "Message-ID:").unwrap_or_default();
            let draft = self.bounced(to, id.trim_matches(['<', '>']));
            self.plan_in(1, 1, Act::Write(Box::new(draft)));
            return;
        }
        let Some(person) = self.by_address.get(to).copied() else { return };
        if self.people[person].habit == Habit::ByMachine {
            self.answer_by_machine(person, bytes);
        }
    }

    fn answer_by_machine(&mut self, person: usize, bytes: &[u8]) {
        let rested =
            self.machine.get(&person).is_none_or(|last| (self.today - *last).num_days() >= 4);
        let subject = header(bytes, "Subject:").unwrap_or_default();
        let Some(draft) = self.draft(person, &subject, String::new()).filter(|_| rested) else {
            return;
        };
        self.machine.insert(person, self.today);
        let to = header(bytes, "Reply-To:").unwrap_or(draft.to.clone());
        let to = to.rsplit('<').next().unwrap_or(&to).trim_end_matches('>').to_owned();
        let answers = header(bytes, "Message-ID:").map(|id| id.trim_matches(['<', '>']).to_owned());
        let draft = mails::absence(Draft { to, answers, ..draft }, &mut self.chance);
        self.plan_in(1, 1, Act::Write(Box::new(draft)));
    }

    /// Letters to an address come back from now on.
    pub(super) fn bouncing(&mut self, address: &str) {
        self.dead_addresses.insert(address.to_owned());
    }

    /// The director learns a player's other address, by whatever way, after some days.
    pub(super) fn expect_address(&mut self, person: usize, address: String) {
        let day = self.today + chrono::Days::new(self.chance.between(8, 20));
        self.by_address.insert(address.clone(), person);
        let member = self.people[person].member().clone();
        self.director.expect_address(day, member, address);
    }
}

/// Returns the value of a header that stands on one line.
fn header(bytes: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut head = text.lines().take_while(|line| !line.is_empty());
    let found = head.find_map(|line| line.strip_prefix(name));
    found.map(|value| value.trim().to_owned())
}
