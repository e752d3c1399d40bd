//! A small season in memory, run once untouched and then again and again with a mishap at the 1st, 2nd, 3rd … call of
//! the store, the mailbox or the transport, until a run is untouched. After each mishap the office is opened anew, as
//! after a fault or a crash, and goes on. The end must be the same every time: books, outcomes, letters, deliveries.

use chrono::{DateTime, Utc};
use knightmail::{
    clock::Clock,
    config::answers::Caps,
    config::{Config, shipped, tournament},
    digest::Digest,
    domain::{
        command::{Command, Payment},
        docket::About,
        event::Job,
        ids::{ItemId, LetterId},
        notice::NoticeName,
        player::Player,
        state::State,
    },
    fault::Fault,
    mail::{self, understanding::Understanding},
    mailbox::memory::MemoryMailbox,
    notices::render::Templates,
    office::{Announce, Doors, Office, Standing},
    signatures::NoSignatures,
    store::{
        InHand, Shelf, Store,
        memory::{CommitCut, MemoryStore},
        transaction::{MailOutcome, Transaction},
    },
    transport::memory::{DeliveryCut, MemoryTransport},
};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    sync::LazyLock,
};

use crate::world::Mail;

static TEMPLATES: LazyLock<Templates> = LazyLock::new(Templates::shipped);

/// The Golden Knights with sections of three, so that a season is short.
static CONFIG: LazyLock<Config> = LazyLock::new(|| {
    let mut config = Config::shipped();
    let text = shipped::TOURNAMENT
        .replace("size = 7", "size = 3")
        .replace("advance = \"4.5\"", "advance = \"2\"")
        .replace("otherwise = \"4\"", "otherwise = \"1\"")
        .replace("fill = \"4\"", "fill = \"1\"");
    let small = tournament::read("events/small.toml", &text).unwrap_or_else(|e| panic!("{e:?}"));
    config.rules.tournaments.insert(small.id.clone(), small);
    config
});

/// A clock that the test sets.
#[derive(Clone)]
struct TestClock(Rc<Cell<DateTime<Utc>>>);

impl Clock for TestClock {
    fn now(&self) -> DateTime<Utc> {
        self.0.get()
    }
}

/// Everything that outlives an office.
struct Town {
    store: MemoryStore,
    mailbox: MemoryMailbox,
    transport: MemoryTransport,
    paper: MemoryTransport,
    clock: TestClock,
    jobs: Vec<Job>,
    office: Option<Office>,
    /// How often the office was opened anew.
    opened: usize,
    /// How many calls of the store the season took.
    calls: u64,
    /// Which of them were commits.
    commits: Rc<RefCell<Vec<u64>>>,
}

/// What a season comes to.
#[derive(Debug, PartialEq)]
struct End {
    state: State,
    outcomes: BTreeMap<MailOutcome, u64>,
    letters: Vec<(LetterId, Digest)>,
    delivered: BTreeMap<LetterId, Vec<u8>>,
    views: Vec<Option<String>>,
}

fn instant(text: &str) -> DateTime<Utc> {
    DateTime::parse_from_rfc3339(text).expect("an instant").to_utc()
}

impl Town {
    fn new() -> Self {
        let start = instant("2019-01-02T09:00:00-06:00");
        Self {
            store: MemoryStore::default(),
            mailbox: MemoryMailbox::default(),
            transport: MemoryTransport::default(),
            paper: MemoryTransport::default(),
            clock: TestClock(Rc::new(Cell::new(start))),
            jobs: vec![Job::Assignments, Job::Reminders, Job::Summary],
            office: None,
            opened: 0,
            calls: 0,
            commits: Rc::default(),
        }
    }

    fn open(&mut self) -> Office {
        self.open_over(Box::new(Counting(self.store.reopen(), Rc::clone(&self.commits))))
    }

    fn open_over(&mut self, store: Box<dyn Store>) -> Office {
        self.opened += 1;
        let config = &*CONFIG;
        let jobs = config.service.jobs.iter().filter(|(job, _)| self.jobs.contains(job));
        let standing = Standing {
            house: config.house.clone(),
            rules: config.rules.clone(),
            jobs: jobs.map(|(job, schedule)| (*job, schedule.clone())).collect(),
            templates: TEMPLATES.clone(),
            caps: Caps::default(),
            undo: chrono::Duration::minutes(30),
        };
        let doors = Doors {
            mailbox: Box::new(self.mailbox.clone()),
            transport: Box::new(self.transport.clone()),
            paper: Box::new(self.paper.clone()),
            store,
            signatures: Box::new(NoSignatures),
            clock: Box::new(self.clock.clone()),
            pulse: Box::new(|_| std::ops::ControlFlow::Continue(())),
        };
        Office::open(standing, doors)
    }

    /// Does something with the office; after a fault or a crash it is opened anew. None: it must be tried again.
    fn attempt<T>(&mut self, work: impl FnOnce(&mut Office) -> Result<T, Fault>) -> Option<T> {
        let mut office = self.office.take().unwrap_or_else(|| self.open());
        match catch_unwind(AssertUnwindSafe(|| work(&mut office))) {
            Ok(Ok(done)) => {
                self.office = Some(office);
                Some(done)
            }
            Ok(Err(fault)) => {
                assert!(fault.is_transient(), "{fault}");
                None
            }
            Err(_) => None,
        }
    }

    /// Makes passes until one is without trouble; a letter that has to wait is none.
    fn pass(&mut self) {
        for _ in 0..5 {
            let pass = self.attempt(Office::pass);
            let waits = |trouble: &String| trouble.contains("deferred on demand");
            if pass.is_some_and(|pass| pass.troubles.iter().all(waits)) {
                return;
            }
        }
        panic!("five passes in trouble");
    }

    /// Returns which calls of the store are commits: those at which a crash can leave everything or the archive only.
    fn commits(&self) -> Vec<u64> {
        self.commits.borrow().clone()
    }

    fn direct(&mut self, commands: &[Command]) {
        for _ in 0..5 {
            if self.attempt(|office| office.direct("order", commands, Announce::Yes)).is_some() {
                return;
            }
        }
        panic!("five orders in trouble");
    }

    fn at(&self, text: &str) {
        self.clock.0.set(instant(text));
    }

    fn receive(&self, mail: &Mail, number: u32) {
        let now = self.clock.0.get();
        self.mailbox.receive(Some(now), mail.bytes(now, number));
    }

    /// Plays the whole season and returns its end.
    fn play(mut self) -> (End, Self) {
        self.pass();
        self.direct(&[Command::ListPlayers(players())]);
        self.at("2019-01-02T10:00:00-06:00");
        for (n, name) in (1..).zip(NAMES) {
            self.receive(&enter(name), n);
        }
        self.receive(&Mail::from("zed@example.net").subject("hello").text("Fiddlesticks.\n"), 8);
        self.receive(&enter("ann"), 1); // the same mail once more
        self.mailbox.receive(None, &b"\xff\xfe\x00garbage"[..]);
        self.pass();
        let paid = NAMES.map(payment);
        self.direct(&paid);
        // A job's slot passes while no mail waits, or a mailbox that fails would rightly change the order of things.
        self.at("2019-01-07T09:30:00-06:00");
        self.pass();
        self.at("2019-01-07T10:30:00-06:00");
        for (n, (name, game, result)) in (20..).zip([
            ("ann", "1-2", "1-0"),
            ("ben", "1-2", "1-0"),
            ("ben", "2-3", "1-0"),
            ("cleo", "2-3", "0-1"),
            ("cleo", "3-1", "1/2-1/2"),
        ]) {
            let text = format!("Section: 19N01\nGame: {game}\nResult: {result}\n");
            self.receive(&Mail::of_person(name).subject("result").text(&text), n);
        }
        self.pass();
        let (choice, reason, by) = ("0-1".to_owned(), "the score".to_owned(), "Pat".to_owned());
        let item = ItemId(2);
        self.direct(&[Command::Rule { item, choice, reason, by }]);
        self.at("2019-01-22T09:30:00-06:00");
        self.pass();
        self.at("2019-01-22T10:30:00-06:00");
        if let Some(orders) = self.orders() {
            self.receive(&orders, 40);
        }
        self.pass();
        self.at("2019-01-28T09:30:00-06:00");
        self.pass();
        self.at("2019-01-28T17:00:00-06:00");
        self.pass(); // what was deferred is tried again
        let end = self.end();
        (end, self)
    }

    /// A mail of the director's: orders of which each would do harm if it were carried out twice, in reply to his
    /// first summary; none where there is none.
    fn orders(&self) -> Option<Mail> {
        let books = self.office.as_ref().expect("the last pass was good").books();
        let mut letters = books.letters();
        let summary = letters.find(|(_, letter)| letter.notice == NoticeName::DirectorSummary);
        let (letter, _) = summary?;
        let house = &CONFIG.house;
        let token = house.keys.token(letter, &About::default());
        let (ann, ben) = (id("ann"), id("ben"));
        let text = format!(
            "pay GK2019 {ann} 5.00 2019-01-21: check 9\npay GK2019 {ann} 5.00 2019-01-21: check 10\nGood morning\n\
             leave {ben} 2019-03-01 to 2019-03-05: rest\nrenew {ben} 2024-12-31\n"
        );
        let to = format!("<{token}@{}>", house.domain());
        let mail = Mail::from(&house.director[0]).subject("Re: x").header("In-Reply-To", &to);
        Some(mail.text(&text))
    }

    fn end(&mut self) -> End {
        self.calls = self.store.calls();
        self.store.fail_at(0); // it never comes
        self.store.crash_at(0, CommitCut::Nothing);
        let books = self.open_quietly();
        let office = self.office.as_ref().expect("the last pass was good");
        assert_eq!(office.books().state, books, "the books in memory are those of the journal");
        let books = office.books();
        assert!(books.outbox.is_empty(), "every letter has left");
        let mut delivered = BTreeMap::new();
        for letter in self.transport.take().into_iter().chain(self.paper.take()) {
            let number = letter.letter;
            let first = delivered.entry(number).or_insert_with(|| letter.bytes.clone());
            assert_eq!(*first, letter.bytes, "{number} goes out as the same bytes every time");
        }
        End {
            state: books.state.clone(),
            outcomes: books.outcomes.clone(),
            letters: books.letters().map(|(id, letter)| (id, letter.digest)).collect(),
            delivered,
            views: VIEWS.iter().map(|name| self.store.view(name)).collect(),
        }
    }

    fn open_quietly(&mut self) -> State {
        let mut office = self.open();
        office.catch_up().expect("the mishaps are over");
        office.books().state.clone()
    }
}

const VIEWS: [&str; 3] = ["sections/19N01.txt", "entries.txt", "docket.txt"];
const NAMES: [&str; 3] = ["ann", "ben", "cleo"];

fn id(name: &str) -> String {
    format!("7777777{}", NAMES.iter().position(|n| *n == name).unwrap_or(9) + 1)
}

impl Mail {
    fn of_person(name: &str) -> Self {
        Self::from(&format!("{name} <{name}@example.org>"))
    }
}

fn enter(name: &str) -> Mail {
    let text = format!("Please enter me in the 2019 Golden Knights, 1 entry, ID {}.\n", id(name));
    Mail::of_person(name).subject("entry").text(&text)
}

/// Three players by falling rating; a fourth one, without an address, makes a letter on paper.
fn players() -> Vec<Player> {
    let player = |(n, name): (u16, &str)| Player {
        member: id(name).as_str().into(),
        name: name.to_owned(),
        emails: vec![format!("{name}@example.org")],
        country: Some("US".to_owned()),
        rating: Some(2000 - n),
        expires: "2022-12-31".parse().ok(),
        ..Player::default()
    };
    (0..).zip(NAMES).map(player).collect()
}

fn payment(name: &str) -> Command {
    Command::RecordPayment(Payment {
        event: "GK2019".into(),
        member: id(name).as_str().into(),
        amount: "25.00".parse().expect("an amount"),
        received: "2019-01-03".parse().expect("a day"),
        reference: name.to_owned(),
    })
}

/// Plays a season with a mishap, and makes sure that it ends as the untouched one. Answers whether it was touched.
#[track_caller]
fn ends_alike(what: &str, untouched: &End, town: Town) -> bool {
    let (end, town) = town.play();
    assert!(end.outcomes == untouched.outcomes, "{what}: {:?}", end.outcomes);
    assert!(end.letters == untouched.letters, "{what}: other letters");
    assert!(end.delivered == untouched.delivered, "{what}: {:?}", end.delivered.keys());
    assert!(end.state == untouched.state, "{what}: other books");
    assert!(end.views == untouched.views, "{what}: other views");
    town.opened > UNTOUCHED
}

/// How often an untouched season opens the office: to play it, and to look at its end.
const UNTOUCHED: usize = 2;

fn untouched(jobs: &[Job]) -> (End, Town) {
    let mut town = Town::new();
    town.jobs = jobs.to_vec();
    let (end, town) = town.play();
    let orders = u64::from(town.jobs.contains(&Job::Summary));
    assert_eq!(end.outcomes[&MailOutcome::Acted], 9 + orders);
    assert_eq!(end.outcomes[&MailOutcome::Duplicate], 1);
    assert_eq!(end.outcomes[&MailOutcome::Held], 1);
    assert_eq!(end.delivered.len(), end.letters.len());
    let section = &end.state.sections[&"19N01".into()];
    assert!(section.complete, "the season is played out");
    assert_eq!(town.opened, UNTOUCHED, "nothing went wrong");
    (end, town)
}

const ALL: [Job; 3] = [Job::Assignments, Job::Reminders, Job::Summary];

#[test]
fn a_store_that_fails_at_any_call_changes_nothing_in_the_end() {
    let (end, plain) = untouched(&ALL);
    for call in 1..=plain.calls + 1 {
        let town = Town::new();
        town.store.fail_at(call);
        let touched = ends_alike(&format!("failure at call {call}"), &end, town);
        assert!(!touched || call <= plain.calls, "the last run is untouched");
    }
}

#[test]
fn a_crash_in_any_call_of_the_store_changes_nothing_in_the_end() {
    let (end, plain) = untouched(&ALL);
    for call in 1..=plain.calls {
        let town = Town::new();
        town.store.crash_at(call, CommitCut::Nothing);
        let touched = ends_alike(&format!("crash at call {call}"), &end, town);
        assert!(touched, "call {call} of {} was not reached", plain.calls);
    }
}

#[test]
fn a_crash_in_a_commit_changes_nothing_in_the_end_however_far_it_came() {
    let (end, plain) = untouched(&ALL);
    for call in plain.commits() {
        for cut in [CommitCut::ArchiveOnly, CommitCut::Everything] {
            let town = Town::new();
            town.store.crash_at(call, cut);
            assert!(ends_alike(&format!("crash at call {call}, {cut:?}"), &end, town));
        }
    }
}

#[test]
fn a_mailbox_that_crashes_or_fails_at_any_call_loses_no_mail() {
    let (end, plain) = untouched(&ALL);
    for call in 1..=plain.mailbox.calls() {
        let town = Town::new();
        town.mailbox.crash_at(call);
        assert!(ends_alike(&format!("mailbox crashes at {call}"), &end, town));
        let town = Town::new();
        town.mailbox.fail_at(call);
        let (other, _) = town.play();
        // A mail that could not be fetched is taken behind those that could, so entries and letters may be numbered
        // in another order; what they come to is the same.
        assert!(other.outcomes == end.outcomes, "mailbox fails at {call}: {:?}", other.outcomes);
        assert_eq!(other.letters.len(), end.letters.len(), "mailbox fails at {call}");
        assert_eq!(other.delivered.len(), end.delivered.len(), "mailbox fails at {call}");
        let results = |end: &End| {
            let games = &end.state.sections[&"19N01".into()].games;
            games.iter().map(|game| (game.white, game.black, game.settled())).collect::<Vec<_>>()
        };
        assert!(results(&other) == results(&end), "mailbox fails at {call}");
    }
}

#[test]
fn a_transport_that_defers_or_crashes_at_any_call_loses_no_letter() {
    // The summary counts what waits; where a letter is deferred it rightly says so.
    let jobs = [Job::Assignments, Job::Reminders];
    let (end, plain) = untouched(&jobs);
    for call in 1..=plain.transport.calls() {
        for cut in DeliveryCut::ALL {
            let mut town = Town::new();
            town.jobs = jobs.to_vec();
            town.transport.crash_at(call, cut);
            assert!(ends_alike(&format!("transport crashes at {call}, {cut:?}"), &end, town));
        }
        let mut town = Town::new();
        town.jobs = jobs.to_vec();
        town.transport.defer_at(call);
        ends_alike(&format!("deferred at {call}"), &end, town);
    }
}

// --- mails that break the program ------------------------------------------------------------------------------------

fn panicky(raw: &[u8], stamped: Option<DateTime<Utc>>, desk: &mail::Desk<'_>) -> Understanding {
    assert!(memchr::memmem::find(raw, b"poison").is_none(), "this mail is poison");
    mail::read(raw, stamped, desk)
}

fn docket(office: &Office) -> Vec<&'static str> {
    office.books().state.open_docket().map(|item| item.kind.text()).collect()
}

#[test]
fn a_mail_on_which_the_reader_panics_is_parked_and_the_ones_behind_it_go_on() {
    let mut town = Town::new();
    town.receive(&Mail::from("eve@example.net").subject("x").text("poison\n"), 1);
    town.receive(&Mail::from("zed@example.net").subject("x").text("How do I enter?\n"), 2);
    let mut office = town.open().with_reader(panicky);
    let pass = office.pass().expect("a panic of the reader is no fault of the pass");
    assert_eq!((pass.mails, town.mailbox.filed()), (2, 2));
    assert_eq!(docket(&office), ["mail-parked"]);
    assert_eq!(office.books().outcomes[&MailOutcome::Held], 1);
    assert_eq!(office.books().outcomes[&MailOutcome::Acted], 1);
    let to: Vec<_> = office.books().letters().map(|(_, l)| l.to.as_deref()).collect();
    assert_eq!(
        to,
        [Some("zed@example.net")],
        "nobody is written to about a mail that was not read"
    );
    assert_eq!(office.pass().expect("nothing waits").mails, 0);
}

#[test]
fn a_mail_that_killed_us_again_and_again_is_parked_unread() {
    let enough = knightmail::limits::MAIL_TRIES;
    for (tries, parked) in [(1, false), (enough - 1, false), (enough, true), (7, true)] {
        let mut town = Town::new();
        let mail = Mail::from("zed@example.net").subject("x").text("How do I enter?\n");
        let bytes = mail.bytes(town.clock.0.get(), 1);
        town.mailbox.receive(Some(town.clock.0.get()), bytes.clone());
        town.receive(&Mail::from("yan@example.net").subject("x").text("How do I enter?\n"), 2);
        let mut store = town.store.reopen();
        store.begin().unwrap();
        store.set_in_hand(&InHand::from([(Digest::of(&bytes), tries)])).unwrap();
        store.end().unwrap();
        let mut office = town.open();
        office.pass().unwrap();
        assert_eq!(docket(&office), ["mail-parked"][..usize::from(parked)], "after {tries} deaths");
        assert_eq!(office.books().letters().count(), 2 - usize::from(parked));
        assert!(town.store.reopen().in_hand().unwrap().is_empty(), "nothing is in hand any more");
    }
}

/// A store that notes which of its calls are commits.
struct Counting(MemoryStore, Rc<RefCell<Vec<u64>>>);

/// A store that panics when a transaction with a letter to an address is appended: as an assertion in a decision would.
struct Brittle(MemoryStore);

/// Hands every call of a store on, but for those that are given.
macro_rules! store_over {
    ($name:ident, $($own:item)*) => {
        impl Store for $name {
            $($own)*
            fn begin(&mut self) -> Result<(), Fault> {
                self.0.begin()
            }
            fn end(&mut self) -> Result<(), Fault> {
                self.0.end()
            }
            fn catch_up(&mut self, each: &mut dyn FnMut(&Transaction)) -> Result<(), Fault> {
                self.0.catch_up(each)
            }
            fn replay(&mut self, each: &mut dyn FnMut(&Transaction)) -> Result<(), Fault> {
                self.0.replay(each)
            }
            fn keep(
                &mut self,
                shelf: Shelf,
                at: DateTime<Utc>,
                digest: Digest,
                bytes: &[u8],
            ) -> Result<(), Fault> {
                self.0.keep(shelf, at, digest, bytes)
            }
            fn fetch(&mut self, digest: Digest) -> Result<Option<Vec<u8>>, Fault> {
                self.0.fetch(digest)
            }
            fn in_hand(&mut self) -> Result<InHand, Fault> {
                self.0.in_hand()
            }
            fn set_in_hand(&mut self, in_hand: &InHand) -> Result<(), Fault> {
                self.0.set_in_hand(in_hand)
            }
            fn has_view(&mut self, name: &str) -> bool {
                self.0.has_view(name)
            }
            fn write_view(&mut self, name: &str, text: &str) -> Result<(), Fault> {
                self.0.write_view(name, text)
            }
        }
    };
}

store_over! {
    Counting,
    fn append(&mut self, transaction: &Transaction) -> Result<(), Fault> {
        self.0.append(transaction)
    }
    fn commit(&mut self) -> Result<(), Fault> {
        self.1.borrow_mut().push(self.0.calls() + 1);
        self.0.commit()
    }
}

store_over! {
    Brittle,
    fn append(&mut self, transaction: &Transaction) -> Result<(), Fault> {
        let breaks = |to: &Option<String>| to.as_deref() == Some("eve@example.net");
        assert!(!transaction.letters.iter().any(|l| breaks(&l.to)), "an assertion that fails");
        self.0.append(transaction)
    }
    fn commit(&mut self) -> Result<(), Fault> {
        self.0.commit()
    }
}

#[test]
fn a_mail_whose_decision_panics_is_tried_again_and_parked() {
    let mut town = Town::new();
    for (n, name) in (1..).zip(["ann", "eve", "zed", "yan"]) {
        let from = format!("{name}@example.net");
        town.receive(&Mail::from(&from).subject("x").text("How do I enter?\n"), n);
    }
    let mut faults = 0;
    let office = loop {
        let mut office = town.open_over(Box::new(Brittle(town.store.reopen())));
        match office.pass() {
            Ok(_) => break office,
            Err(fault) => {
                assert!(fault.is_internal(), "{fault}");
                faults += 1;
                assert!(
                    faults < 4,
                    "the daemon would turn for ever; `run --once` gives up after four"
                );
            }
        }
    };
    assert_eq!(docket(&office), ["mail-parked"]);
    assert_eq!(town.mailbox.filed(), 4);
    let to: Vec<_> = office.books().letters().filter_map(|(_, l)| l.to.as_deref()).collect();
    assert_eq!(to, ["ann@example.net", "zed@example.net", "yan@example.net"]);
    let notices = office.books().letters().map(|(_, l)| l.notice);
    assert!(notices.eq([NoticeName::Help; 3]));
}
