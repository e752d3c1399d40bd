//! The books: everything the journal adds up to. The domain's state is one part; the other, kept here, is what became
//! of every mail and every letter. Derived: rebuilt from the journal at each start, and followed line by line.

use super::tally::Tallies;
mod letter;
mod stopping;

use crate::{
    digest::Digest,
    domain::{
        apply::apply,
        docket::About,
        event::Event,
        ids::{EntryId, GameId, LetterId, MemberId, SectionCode},
        notice::NoticeName,
        post::{PostEvent, Redirected, Undelivered},
        state::State,
    },
    house::House,
    limits,
    mail::Letters,
    notices::{OutboxCounts, Printed},
    store::transaction::{
        Cause, DeliveryOutcome, DeliveryRecord, LetterRecord, MailCause, MailLine, MailOutcome,
        Transaction,
    },
};
use chrono::{DateTime, Days, NaiveDate, Utc};
pub use letter::{LetterEntry, LetterState};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher},
    sync::Arc,
};

/// The state and the ledger of mails and letters.
#[derive(Default)]
pub struct Books {
    /// What the domain knows.
    pub state: State,
    /// How many transactions there are.
    pub transactions: u64,
    /// When the first of them was decided.
    pub opened: Option<DateTime<Utc>>,
    /// All letters; number 1 is the first.
    letters: Vec<LetterEntry>,
    /// The letters that wait to be delivered.
    pub outbox: BTreeSet<LetterId>,
    /// How many mails came to each outcome.
    pub outcomes: BTreeMap<MailOutcome, u64>,
    /// Mails by digest, with the transaction that dealt with them.
    mails: HashMap<Digest, u64, BuildHasherDefault<AsItIs>>,
    /// Every arrival that was seen, so that a copy is told from the same mail met again after a crash.
    arrivals: HashSet<u64, BuildHasherDefault<AsItIs>>,
    /// Lines of a mail of the director's that were carried out before the mail itself was dealt with: when the program
    /// dies in between, they are not carried out again.
    begun: HashMap<Digest, BTreeMap<u32, Transaction>, BuildHasherDefault<AsItIs>>,
    /// Content ids of mails that were dealt with.
    contents: HashSet<u64, BuildHasherDefault<AsItIs>>,
    /// Addresses, members and sections that letters name, each kept once.
    names: HashSet<Arc<str>>,
    /// What the mails of the last days have cost.
    pub(super) tallies: Tallies,
    /// The day on which a stranger was last told that he was not understood, for as long as it matters.
    strangers: HashMap<String, NaiveDate>,
    /// The last day on which one was.
    last_stranger: Option<NaiveDate>,
    /// How many letters were sent since the last summary.
    sent: usize,
    /// The letters that were printed since then.
    printed: Vec<LetterId>,
    /// Letters that failed and were not sent again.
    failed: usize,
    /// Sections that changed since the views were last written.
    pub changed: BTreeSet<SectionCode>,
}

impl Letters for Books {
    fn about(&self, letter: LetterId) -> Option<About> {
        let entry = self.letter(letter)?;
        let section = entry.section.as_deref().map(SectionCode::from);
        let game = section.clone().zip(entry.game);
        Some(About {
            player: entry.player.as_deref().map(MemberId::from),
            entry: entry.entry.as_deref().map(EntryId::from),
            section,
            game: game.map(|(section, (white, black))| GameId { section, white, black }),
            item: entry.item,
            question: entry.question,
            ..About::default()
        })
    }

    fn went_to(&self, letter: LetterId) -> Option<String> {
        self.letter(letter)?.to.as_deref().map(str::to_owned)
    }
}

impl Books {
    /// Follows a transaction of the journal: the state and the ledger after it.
    pub fn follow(&mut self, transaction: &Transaction, house: &House) {
        for event in &transaction.events {
            self.apply(event);
        }
        self.enter(transaction, house);
    }

    /// Applies an event that is being decided. The ledger follows with [`Books::enter`].
    pub fn apply(&mut self, event: &Event) {
        apply(&mut self.state, event);
        self.note_change(event);
    }

    /// Enters a transaction, whose events are applied already, into the ledger.
    pub fn enter(&mut self, transaction: &Transaction, house: &House) {
        self.transactions = transaction.seq;
        self.opened.get_or_insert(transaction.at);
        match &transaction.cause {
            Cause::Mail(mail) => self.enter_mail(mail, transaction.seq),
            Cause::Delivery { outcomes } => {
                for record in outcomes {
                    self.enter_delivery(record, transaction.at);
                }
            }
            Cause::Director { mail: Some(MailLine { digest, line }), .. } => {
                self.begun.entry(*digest).or_default().insert(*line, transaction.clone());
            }
            Cause::Tick { .. } | Cause::Director { .. } | Cause::OpenBooks | Cause::Program => {}
        }
        if let Cause::Mail(mail) = &transaction.cause {
            self.tallies.count(mail, transaction, house);
            self.note_strangers(mail, &transaction.letters, house);
        }
        for letter in &transaction.letters {
            self.enter_letter(letter, transaction);
        }
        for event in &transaction.events {
            match event {
                Event::LetterResent { letter } => self.queue_again(*letter),
                Event::Post(PostEvent::Undelivered(told)) => self.come_back(told),
                Event::Post(PostEvent::Redirected(redirected)) => self.redirect(redirected),
                Event::Undone(undone) => self.stop(undone.transaction, transaction.at),
                Event::PlayerForgotten(it) => {
                    it.letters.iter().for_each(|id| self.erase(*id, transaction.at));
                }
                Event::SummaryDue { .. } => {
                    self.sent = 0;
                    self.printed.clear();
                }
                _ => {}
            }
        }
    }

    fn enter_mail(&mut self, mail: &MailCause, seq: u64) {
        *self.outcomes.entry(mail.outcome).or_default() += 1;
        self.begun.remove(&mail.digest);
        self.arrivals.insert(arrival_key(mail.digest, &mail.arrival));
        self.mails.entry(mail.digest).or_insert(seq);
        if let Some(content) = &mail.content_id {
            self.contents.insert(short(content));
        }
    }

    fn enter_delivery(&mut self, record: &DeliveryRecord, at: DateTime<Utc>) {
        let Some(entry) = self.letter_mut(record.letter) else { return };
        entry.attempts += 1;
        entry.tried = Some(at);
        entry.begun.get_or_insert(at);
        entry.state = match &record.outcome {
            DeliveryOutcome::Sent => LetterState::Sent,
            DeliveryOutcome::Printed => LetterState::Printed,
            DeliveryOutcome::Deferred(_) | DeliveryOutcome::MaybeSent(_) => LetterState::Waiting,
            DeliveryOutcome::Refused(_) => LetterState::Failed,
        };
        let state = entry.state;
        match state {
            LetterState::Waiting => return,
            LetterState::Sent => self.sent += 1,
            LetterState::Printed => self.printed.push(record.letter),
            LetterState::Failed | LetterState::Bounced => self.failed += 1,
            LetterState::TakenBack => {}
        }
        self.outbox.remove(&record.letter);
    }

    fn enter_letter(&mut self, letter: &LetterRecord, transaction: &Transaction) {
        assert_eq!(letter.letter, self.next_letter(), "letters are numbered without a gap");
        self.outbox.insert(letter.letter);
        let LetterRecord { about, to, .. } = letter;
        let About { player, entry: about_entry, section, game, item, question, .. } = about;
        let section = game.as_ref().map(|game| &game.section).or(section.as_ref());
        let entry = LetterEntry {
            seq: transaction.seq,
            digest: letter.digest,
            to: to.as_deref().map(|to| self.name(to)),
            notice: letter.notice,
            queued: transaction.at,
            state: LetterState::Waiting,
            attempts: 0,
            tried: None,
            begun: None,
            not_before: letter.not_before,
            player: player.as_ref().map(|player| self.name(&player.0)),
            entry: about_entry.as_ref().map(|entry| self.name(&entry.0)),
            section: section.map(|section| self.name(&section.0)),
            game: game.as_ref().map(|game| (game.white, game.black)),
            item: *item,
            question: *question,
            superseded_by: None,
            erased: None,
        };
        self.letters.push(entry);
        self.supersede(letter.letter);
    }

    /// Returns the one copy of a name.
    fn name(&mut self, text: &str) -> Arc<str> {
        if let Some(name) = self.names.get(text) {
            return Arc::clone(name);
        }
        let name: Arc<str> = text.into();
        self.names.insert(Arc::clone(&name));
        name
    }

    /// Notes which stranger was told that he was not understood, and forgets those whom it concerns no more.
    fn note_strangers(&mut self, mail: &MailCause, letters: &[LetterRecord], house: &House) {
        let told = letters.iter().any(|letter| {
            letter.notice == NoticeName::NotUnderstood && letter.about.player.is_none()
        });
        if !told {
            return;
        }
        let day = house.day(mail.arrived);
        if self.last_stranger.is_none_or(|last| last < day) {
            self.last_stranger = Some(day);
            let since = day - Days::new(2 * limits::STRANGER_ANSWER_DAYS.unsigned_abs());
            self.strangers.retain(|_, told| *told >= since);
        }
        self.strangers.insert(without_detail(&mail.from), day);
    }

    /// The words of a letter are gone; what waits of it reaches nobody.
    fn erase(&mut self, letter: LetterId, at: DateTime<Utc>) {
        let waited = self.outbox.remove(&letter);
        self.failed += usize::from(waited);
        let Some(entry) = self.letter_mut(letter) else { return };
        entry.erased = Some(at);
        if waited {
            entry.state = LetterState::Failed;
        }
    }

    fn queue_again(&mut self, letter: LetterId) {
        let Some(entry) = self.letter_mut(letter).filter(|entry| entry.erased.is_none()) else {
            return;
        };
        let failed = matches!(entry.state, LetterState::Failed | LetterState::Bounced);
        entry.state = LetterState::Waiting;
        (entry.tried, entry.begun, entry.not_before) = (None, None, None);
        entry.superseded_by = None;
        self.failed -= usize::from(failed);
        self.outbox.insert(letter);
    }

    /// A letter that was sent came back for good.
    fn come_back(&mut self, told: &Undelivered) {
        let Some(entry) = self.letter_mut(told.letter).filter(|_| told.how.is_final()) else {
            return;
        };
        if !matches!(entry.state, LetterState::Sent | LetterState::Waiting) {
            return;
        }
        entry.state = LetterState::Bounced;
        self.failed += 1;
        self.outbox.remove(&told.letter);
    }

    /// A letter goes to another address, or on paper.
    fn redirect(&mut self, redirected: &Redirected) {
        let to = redirected.to.as_deref().map(|to| self.name(to));
        if let Some(entry) = self.letter_mut(redirected.letter) {
            entry.to = to;
        }
        self.queue_again(redirected.letter);
    }

    fn note_change(&mut self, event: &Event) {
        let section = match event {
            Event::SectionFormed { section, .. }
            | Event::SectionCompleted { section }
            | Event::EntryAdvanced { section: Some(section), .. } => section,
            Event::ResultReported { game, .. }
            | Event::ResultConfirmed { game, .. }
            | Event::ResultDisputed { game, .. }
            | Event::ColorsAdopted { game }
            | Event::ResultRuled { game, .. } => &game.section,
            Event::SeatTaken(taken) => &taken.section,
            Event::Undone(undone) => {
                let games = undone.before.games.iter().map(|game| &game.game.section);
                let seats = undone.before.seats.iter().map(|(section, ..)| section);
                self.changed.extend(games.chain(seats).cloned());
                return;
            }
            _ => return,
        };
        if !self.changed.contains(section) {
            self.changed.insert(section.clone());
        }
    }

    /// Returns how the letters stand, for the director's summary.
    pub fn counts(&self) -> OutboxCounts {
        let on_paper = self.printed.iter().filter_map(|letter| {
            let entry = self.letter(*letter)?;
            let player = entry.player.as_deref().map(MemberId::from);
            Some(Printed { letter: *letter, notice: entry.notice, player })
        });
        OutboxCounts {
            sent: self.sent,
            printed: self.printed.len(),
            waiting: self.outbox.len(),
            failed: self.failed,
            on_paper: on_paper.collect(),
        }
    }

    /// Returns the number that the next letter gets.
    pub fn next_letter(&self) -> LetterId {
        LetterId(self.letters.len() as u64 + 1)
    }

    /// Returns what the ledger knows of a letter.
    pub fn letter(&self, letter: LetterId) -> Option<&LetterEntry> {
        self.letters.get(usize::try_from(letter.0).ok()?.checked_sub(1)?)
    }

    fn letter_mut(&mut self, letter: LetterId) -> Option<&mut LetterEntry> {
        self.letters.get_mut(usize::try_from(letter.0).ok()?.checked_sub(1)?)
    }

    /// Returns all letters, the first one first.
    pub fn letters(&self) -> impl Iterator<Item = (LetterId, &LetterEntry)> {
        (1..).map(LetterId).zip(&self.letters)
    }

    /// Returns the transaction that dealt with a mail.
    pub fn mail(&self, digest: Digest) -> Option<u64> {
        self.mails.get(&digest).copied()
    }

    /// Tells whether a letter went to the director as such: to an address of his, and for no player.
    pub fn went_to_director(&self, letter: LetterId, house: &House) -> bool {
        self.letter(letter).is_some_and(|entry| {
            let to = entry.to.as_deref().unwrap_or_default();
            entry.player.is_none() && house.director.iter().any(|a| a.eq_ignore_ascii_case(to))
        })
    }

    /// Returns the transaction in which a line of a mail was carried out, while the mail is not dealt with as a whole.
    pub fn carried_out(&self, line: MailLine) -> Option<&Transaction> {
        self.begun.get(&line.digest)?.get(&line.line)
    }

    /// Tells whether this very arrival was dealt with, as after a crash before it was filed away.
    pub fn knows_arrival(&self, digest: Digest, arrival: &str) -> bool {
        self.arrivals.contains(&arrival_key(digest, arrival))
    }

    /// Tells whether a mail of the same content was dealt with: the same letter by another route.
    pub fn knows_content(&self, content: &str) -> bool {
        self.contents.contains(&short(content))
    }

    /// Returns the day on which a stranger was last told that he was not understood.
    pub fn stranger_told(&self, address: &str) -> Option<NaiveDate> {
        self.strangers.get(&without_detail(address)).copied()
    }
}

/// Hashes what is a hash already, by its first eight bytes.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk() {
            self.0 = u64::from_ne_bytes(*first);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Returns an address in lower case and without the sub-address behind `+` (RFC 5233), which anybody can vary.
fn without_detail(address: &str) -> String {
    let lower = address.to_lowercase();
    match lower.split_once('@') {
        Some((local, domain)) => {
            format!("{}@{domain}", local.split('+').next().unwrap_or_default())
        }
        None => lower,
    }
}

fn arrival_key(digest: Digest, arrival: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    digest.hash(&mut hasher);
    arrival.hash(&mut hasher);
    hasher.finish()
}

fn short(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
