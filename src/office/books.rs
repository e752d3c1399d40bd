//! The books: everything the journal adds up to. The domain's state is one part; the other, kept here, is what became
//! of every mail and every letter. Derived: rebuilt from the journal at each start, and followed line by line.

use crate::{
    digest::Digest,
    domain::{
        apply::apply,
        docket::About,
        event::Event,
        ids::{GameId, LetterId, MemberId, QuestionId, Seat, SectionCode},
        notice::NoticeName,
        state::State,
    },
    house::House,
    mail::Letters,
    notices::{OutboxCounts, Printed},
    store::transaction::{
        Cause, DeliveryOutcome, DeliveryRecord, LetterRecord, MailCause, MailOutcome, Transaction,
    },
};
use chrono::{DateTime, NaiveDate, Utc};
use std::{
    borrow::Cow,
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
    /// Content ids of mails that were dealt with.
    contents: HashSet<u64, BuildHasherDefault<AsItIs>>,
    /// Addresses, members and sections that letters name, each kept once.
    names: HashSet<Arc<str>>,
    /// Answers by address to the mails of the latest day that had one.
    answers: HashMap<String, (NaiveDate, u32)>,
    /// The day on which a stranger was last told that he was not understood.
    strangers: HashMap<String, NaiveDate>,
    /// How many letters were sent since the last summary.
    sent: usize,
    /// The letters that were printed since then.
    printed: Vec<LetterId>,
    /// Letters that failed and were not sent again.
    failed: usize,
    /// Sections that changed since the views were last written.
    pub changed: BTreeSet<SectionCode>,
}

/// What the ledger knows of a letter.
#[derive(Clone, Debug)]
pub struct LetterEntry {
    /// The transaction that wrote it.
    pub seq: u64,
    /// The digest of its bytes.
    pub digest: Digest,
    /// The address it goes to; none: it goes on paper.
    pub to: Option<Arc<str>>,
    /// Which notice it brings.
    pub notice: NoticeName,
    /// When it became due.
    pub queued: DateTime<Utc>,
    /// Where it stands.
    pub state: LetterState,
    /// How often delivery was tried.
    pub attempts: u32,
    /// When that was last.
    pub tried: Option<DateTime<Utc>>,
    /// When that was first.
    pub begun: Option<DateTime<Utc>>,
    player: Option<Arc<str>>,
    section: Option<Arc<str>>,
    /// The seats of the game, White first; it is a game of the section.
    game: Option<(Seat, Seat)>,
    /// The question that it puts.
    question: Option<QuestionId>,
}

/// Where a letter stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LetterState {
    /// It waits to be delivered, perhaps once more.
    Waiting,
    /// The next mail system has it.
    Sent,
    /// It lies in the print folder.
    Printed,
    /// It cannot be delivered.
    Failed,
}

impl LetterState {
    /// Returns the contract's word.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Sent => "sent",
            Self::Printed => "printed",
            Self::Failed => "failed",
        }
    }
}

impl Letters for Books {
    fn about(&self, letter: LetterId) -> Option<About> {
        let entry = self.letter(letter)?;
        let section = entry.section.as_deref().map(SectionCode::from);
        let game = section.clone().zip(entry.game);
        Some(About {
            player: entry.player.as_deref().map(MemberId::from),
            section,
            game: game.map(|(section, (white, black))| GameId { section, white, black }),
            question: entry.question,
            ..About::default()
        })
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
            Cause::Tick { .. } | Cause::Director { .. } | Cause::OpenBooks => {}
        }
        let answered = match &transaction.cause {
            Cause::Mail(mail) => Some((house.day(mail.arrived), mail.from.as_str())),
            Cause::Tick { .. }
            | Cause::Director { .. }
            | Cause::Delivery { .. }
            | Cause::OpenBooks => None,
        };
        for letter in &transaction.letters {
            // What goes to the opponent is no answer to him.
            if let Some((day, from)) = answered
                && letter.to.as_ref().is_some_and(|to| to.eq_ignore_ascii_case(from))
            {
                self.count_answer(letter, day);
            }
            self.enter_letter(letter, transaction);
        }
        for event in &transaction.events {
            match event {
                Event::LetterResent { letter } => self.queue_again(*letter),
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
            DeliveryOutcome::Deferred(_) => LetterState::Waiting,
            DeliveryOutcome::Refused(_) => LetterState::Failed,
        };
        let state = entry.state;
        match state {
            LetterState::Waiting => return,
            LetterState::Sent => self.sent += 1,
            LetterState::Printed => self.printed.push(record.letter),
            LetterState::Failed => self.failed += 1,
        }
        self.outbox.remove(&record.letter);
    }

    fn enter_letter(&mut self, letter: &LetterRecord, transaction: &Transaction) {
        assert_eq!(letter.letter, self.next_letter(), "letters are numbered without a gap");
        self.outbox.insert(letter.letter);
        let LetterRecord { about: About { player, section, game, question, .. }, to, .. } = letter;
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
            player: player.as_ref().map(|player| self.name(&player.0)),
            section: section.map(|section| self.name(&section.0)),
            game: game.as_ref().map(|game| (game.white, game.black)),
            question: *question,
        };
        self.letters.push(entry);
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

    fn count_answer(&mut self, letter: &LetterRecord, day: NaiveDate) {
        let Some(address) = letter.to.as_deref().map(lower) else { return };
        if letter.notice == NoticeName::NotUnderstood && letter.about.player.is_none() {
            self.strangers.insert(address.clone().into_owned(), day);
        }
        match self.answers.get_mut(&*address) {
            Some((on, count)) if *on == day => *count += 1,
            Some(answers) => *answers = (day, 1),
            None => {
                self.answers.insert(address.into_owned(), (day, 1));
            }
        }
    }

    fn queue_again(&mut self, letter: LetterId) {
        let Some(entry) = self.letter_mut(letter) else { return };
        let failed = entry.state == LetterState::Failed;
        entry.state = LetterState::Waiting;
        (entry.tried, entry.begun) = (None, None);
        self.failed -= usize::from(failed);
        self.outbox.insert(letter);
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

    /// Tells whether this very arrival was dealt with, as after a crash before it was filed away.
    pub fn knows_arrival(&self, digest: Digest, arrival: &str) -> bool {
        self.arrivals.contains(&arrival_key(digest, arrival))
    }

    /// Tells whether a mail of the same content was dealt with: the same letter by another route.
    pub fn knows_content(&self, content: &str) -> bool {
        self.contents.contains(&short(content))
    }

    /// Returns how many answers an address has had to mails that arrived on a day.
    pub fn answers_on(&self, address: &str, day: NaiveDate) -> u32 {
        let answers = self.answers.get(&*lower(address));
        answers.filter(|(on, _)| *on == day).map_or(0, |(_, count)| *count)
    }

    /// Returns the day on which a stranger was last told that he was not understood.
    pub fn stranger_told(&self, address: &str) -> Option<NaiveDate> {
        self.strangers.get(&*lower(address)).copied()
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

/// Returns an address in lower case, which most are in already.
fn lower(address: &str) -> Cow<'_, str> {
    if address.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
        Cow::Borrowed(address)
    } else {
        Cow::Owned(address.to_lowercase())
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
