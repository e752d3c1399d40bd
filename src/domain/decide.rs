//! Deciding: what follows from a command. All judgement of the program is below here, in `rules/`; it cannot fail,
//! because a lawful no is an event like any other and what the rules leave open becomes a docket item.

use super::{
    acts::NewAddress,
    command::{Command, HeldMail, Moment},
    docket::{About, Item, ItemKind, Ruling},
    event::{Event, Job, Trouble},
    flood::Flood,
    ids::{EntryId, ItemId},
    intent::Intent,
    outage::Outage,
    player::Player,
    rules::{
        adoption, advancement, assignment, closing, draws, entry, filling, floods, forfeits,
        forward, guards, leave, membership, moot, moves, outages, payment, persons, petitions,
        prizes, questions, reminders, reports, rulings, undelivered, undoing, unpaid, withdrawal,
    },
    state::State,
    tournament::Rules,
    transcript,
};
use chrono::NaiveDate;

/// Returns what follows from a command, in order. The events are true once they are in the journal.
pub fn decide(rules: &Rules, state: &State, now: Moment, command: &Command) -> Vec<Event> {
    let mut decision = Decision::new(rules, state, now);
    match command {
        Command::ListPlayers(players) => list_players(&mut decision, players),
        Command::Enter(form) => entry::enter(&mut decision, form),
        Command::RecordPayment(money) => payment::record(&mut decision, money),
        Command::RecordPaymentIn(money, currency) => {
            payment::record_in(&mut decision, money, currency);
        }
        Command::ReportResult(claim) => reports::report(&mut decision, claim),
        Command::Ask { from, topic, section } => decision.push(Event::QuestionAsked {
            from: from.clone(),
            topic: *topic,
            section: section.clone(),
        }),
        Command::ReadMail { from, aside } => {
            decision.push(Event::MailRead { from: from.clone(), aside: aside.clone() });
        }
        Command::PlayMove(order) => moves::play(&mut decision, order),
        Command::Speak { from, game, word, mail } => {
            draws::speak(&mut decision, from, game, *word, mail.as_ref());
        }
        Command::Petition(petition) => petitions::receive(&mut decision, petition),
        Command::PutQuestion(asked) => questions::put(&mut decision, asked),
        Command::AskToConfirm(unproved) => guards::ask(&mut decision, unproved),
        Command::AnswerQuestion { from, question, choice, mail } => {
            questions::answer(&mut decision, from, *question, *choice, mail.as_ref());
        }
        Command::Hold(held) => hold(&mut decision, held),
        Command::HoldBack(beyond) => floods::hold_back(&mut decision, beyond),
        Command::NoteOutage(outage) => outages::note(&mut decision, outage),
        Command::Alarm(matter, words) => outages::alarm(&mut decision, *matter, words),
        Command::NoteUndelivered(it) => undelivered::note(&mut decision, it),
        Command::NoteDelivered { letter, on_paper } => {
            undelivered::delivered(&mut decision, *letter, *on_paper);
        }
        Command::NoteHeard { address } => undelivered::heard(&mut decision, address),
        Command::Rule { item, choice, reason, by } => {
            rulings::rule(&mut decision, *item, choice, reason, by);
        }
        Command::FixResult { game, outcome, reason } => {
            rulings::fix_result(&mut decision, game, *outcome, reason);
        }
        Command::AdoptSection(section) => adoption::adopt_section(&mut decision, section),
        Command::AdoptResult { game, outcome, on } => {
            adoption::adopt_result(&mut decision, game, *outcome, *on);
        }
        Command::CarryScore(carried) => adoption::carry_score(&mut decision, carried),
        Command::FixAssigned(assigned) => decision.push(Event::AssignedFixed(assigned.clone())),
        Command::KeepApart { .. }
        | Command::GrantLeave { .. }
        | Command::Withdraw { .. }
        | Command::NoteDeath { .. }
        | Command::Substitute { .. }
        | Command::Merge { .. }
        | Command::TakeEntry { .. }
        | Command::Undo(_)
        | Command::Review => act(&mut decision, command),
        Command::HoldLines { .. } | Command::SettleLines(_) | Command::Transcribe(_) => {
            transcript::note(&mut decision, command);
        }
        Command::Tick { job, slot } => {
            tick(&mut decision, *job);
            decision.push(Event::SlotPassed { job: *job, on: *slot });
        }
        Command::OpenBooks { since } => open_books(&mut decision, *since),
        Command::Resend { letter } => decision.push(Event::LetterResent { letter: *letter }),
    }
    // What is taken over is looked at when all of it is in the books.
    if !matches!(command, Command::AdoptResult { .. }) {
        forfeits::spread(&mut decision);
    }
    withdrawal::keep_out(&mut decision);
    undelivered::follow(&mut decision);
    moot::close(&mut decision);
    decision.events
}

/// Nothing was due before the books were opened.
fn open_books(decision: &mut Decision<'_>, since: NaiveDate) {
    for job in [Job::Assignments, Job::Reminders, Job::Summary] {
        decision.push(Event::SlotPassed { job, on: since });
    }
}

/// Does what the director does of his own accord (Rule 7).
fn act(decision: &mut Decision<'_>, command: &Command) {
    match command {
        Command::KeepApart { one, other, lifted } => {
            persons::keep_apart(decision, one, other, *lifted);
        }
        Command::GrantLeave { member, from, to, reason } => {
            leave::grant(decision, member, (*from, *to), reason);
        }
        Command::Withdraw { member, scope, section, event, reason } => {
            let within = (*scope, section.as_ref(), event.as_ref());
            withdrawal::withdraw(decision, member, within, reason);
        }
        Command::NoteDeath { member } => withdrawal::note_death(decision, member),
        Command::Substitute { section, seat, entry, reason } => {
            persons::substitute(decision, section, *seat, entry, reason);
        }
        Command::Merge { from, into } => persons::merge(decision, from, into),
        // Why is in the journal with the director's words.
        Command::TakeEntry { entry, .. } => advancement::take(decision, entry),
        Command::Undo(undo) => undoing::undo(decision, undo),
        Command::Review => forfeits::review(decision),
        _ => {}
    }
}

/// A decision in the making: what it goes by and what it has come to so far.
pub(super) struct Decision<'a> {
    /// The tournaments.
    pub(super) rules: &'a Rules,
    /// The books before it.
    pub(super) state: &'a State,
    /// The present.
    pub(super) now: Moment,
    events: Vec<Event>,
    next_item: u64,
}

/// What a docket item says, before it has a number and a date.
#[derive(Default)]
pub(super) struct Matter {
    /// The rule it comes from.
    pub(super) rule: u8,
    /// What it is about.
    pub(super) about: About,
    /// What the director may choose.
    pub(super) choices: Vec<String>,
    /// What the program would choose; none: it does not lean.
    pub(super) recommended: Option<String>,
    /// What is known, a sentence each.
    pub(super) evidence: Vec<String>,
    /// The entries that it is about.
    pub(super) entries: Vec<EntryId>,
    /// What was asked for, where a mail asked for it.
    pub(super) asked: Option<Box<Intent>>,
    /// The flood that it stands for.
    pub(super) flood: Option<Box<Flood>>,
    /// The outage that it is about.
    pub(super) outage: Option<Box<Outage>>,
}

impl<'a> Decision<'a> {
    fn new(rules: &'a Rules, state: &'a State, now: Moment) -> Self {
        let next_item = state.last_item.0 + 1;
        Self { rules, state, now, events: Vec::new(), next_item }
    }

    /// Adds an event.
    pub(super) fn push(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Returns what has been decided so far.
    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }

    /// Puts other events in the place of those that have been decided so far.
    pub(super) fn amend(&mut self, amend: impl FnOnce(Vec<Event>) -> Vec<Event>) {
        self.events = amend(std::mem::take(&mut self.events));
    }

    /// Puts a matter on the docket; answers its number.
    pub(super) fn open(&mut self, kind: ItemKind, matter: Matter) -> ItemId {
        let number = ItemId(self.next_item);
        let item = Item {
            item: number,
            kind,
            rule: matter.rule,
            about: matter.about,
            since: self.now.at,
            choices: matter.choices,
            recommended: matter.recommended,
            evidence: matter.evidence,
            entries: matter.entries,
            asked: matter.asked,
            flood: matter.flood,
            outage: matter.outage,
        };
        self.next_item += 1;
        self.push(Event::ItemOpened(item));
        number
    }

    /// Puts a matter on the docket in place of an open item about it, or where there is none under a new number. What
    /// says the same as before is left alone.
    pub(super) fn put(&mut self, open: Option<&Item>, kind: ItemKind, matter: Matter) {
        let Some(open) = open else {
            self.open(kind, matter);
            return;
        };
        let amended = Item {
            choices: matter.choices,
            recommended: matter.recommended,
            evidence: matter.evidence,
            entries: matter.entries,
            ..open.clone()
        };
        if &amended != open {
            self.push(Event::ItemOpened(amended));
        }
    }

    /// Closes an item that has come to rest without the director.
    pub(super) fn close(&mut self, item: ItemId, choice: &str, reason: &str) {
        let (choice, reason) = (choice.to_owned(), reason.to_owned());
        let ruling = Ruling { choice, reason, by: "the books".to_owned(), at: self.now.at };
        self.push(Event::ItemRuled { item, ruling });
    }
}

/// Returns choices as the docket keeps them.
pub(super) fn choices(words: &[&str]) -> Vec<String> {
    words.iter().map(|&w| w.to_owned()).collect()
}

fn list_players(decision: &mut Decision<'_>, players: &[Player]) {
    for player in players {
        let listed = decision.state.players.get(&player.member);
        if listed != Some(player) {
            decision.push(Event::PlayerListed(player.clone()));
        }
        if let (Some(old), Some(new)) = (listed.map(Player::email), player.email())
            && old != Some(new)
        {
            let (member, old, new) =
                (player.member.clone(), old.map(str::to_owned), new.to_owned());
            decision.push(Event::AddressChanged(NewAddress { member, old, new }));
        }
    }
}

fn hold(decision: &mut Decision<'_>, held: &HeldMail) {
    decision.push(Event::MailNotUnderstood {
        from: held.from.clone(),
        why: held.why,
        read: held.read.clone(),
        answered: held.answer,
    });
    let writer = held.from.address.as_deref().unwrap_or("nobody that it names");
    let mut evidence = vec![trouble_words(held.why).to_owned(), format!("It came from {writer}.")];
    if !held.docket {
        return;
    }
    evidence.extend(held.read.iter().chain(&held.words).cloned());
    let about = About {
        player: held.from.player.clone(),
        mail: Some(held.mail.clone()),
        ..About::default()
    };
    let kind = match held.why {
        Trouble::Parked => ItemKind::MailParked,
        Trouble::NothingFound
        | Trouble::SenderUnknown
        | Trouble::GameUnclear
        | Trouble::ForDirector
        | Trouble::TooLarge
        | Trouble::Empty
        | Trouble::Damaged
        | Trouble::TooMany => ItemKind::MailHeld,
    };
    let choices = choices(&["answered", "dismiss"]);
    decision.open(kind, Matter { rule: 7, about, choices, evidence, ..Matter::default() });
}

/// Returns why a mail waits for the director, in a sentence for him.
fn trouble_words(why: Trouble) -> &'static str {
    match why {
        Trouble::NothingFound => "Nothing in it was understood.",
        Trouble::SenderUnknown => {
            "It speaks for a player, from an address that is not known as his."
        }
        Trouble::GameUnclear => "It does not say clearly which game is meant.",
        Trouble::ForDirector => "It asks for something that only the director does.",
        Trouble::TooLarge => "It is larger than is read; the archive has all of it.",
        Trouble::Empty => "It is empty.",
        Trouble::Damaged => "Its sender or its text could not be recovered in full.",
        Trouble::TooMany => "Its sender has had as many answers in a day as one address gets.",
        Trouble::Parked => {
            "Reading it stopped the program; it was set aside so that the others go on."
        }
    }
}

fn tick(decision: &mut Decision<'_>, job: Job) {
    let rules = decision.rules;
    match job {
        Job::Assignments => {
            for tournament in rules.tournaments.values() {
                payment::use_credit(decision, tournament);
                let seated = assignment::form_sections(decision, tournament);
                filling::look(decision, tournament, &seated);
            }
        }
        Job::Reminders => {
            for tournament in rules.tournaments.values() {
                reminders::remind(decision, tournament);
                unpaid::look(decision, tournament);
                reports::confirm_unopposed(decision, tournament);
                closing::close(decision, tournament);
                prizes::announce(decision, tournament);
            }
            membership::remind(decision);
            forward::bring(decision);
            undelivered::try_again(decision);
        }
        Job::Summary => decision
            .push(Event::SummaryDue { on: decision.now.today, since: decision.state.last_summary }),
    }
}
