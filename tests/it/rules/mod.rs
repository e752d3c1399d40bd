//! The rules through the domain's door: commands in, events and notices out, against the shipped tournament. The
//! number in a test's name is the rule it proves.

mod awards;
mod championship;
mod closing;
mod complaints;
mod entries;
mod events;
mod filling;
mod forfeits;
mod forming;
mod forward;
mod guards;
mod leave;
mod letters;
mod membership;
mod moot;
mod outage;
mod payments;
mod persons;
mod play;
mod post;
mod prizes;
mod properties;
mod reflection;
mod results;
mod rounds;
mod rulings;
mod scoring;
mod sections;
mod soundness;
mod terms;
mod told;
mod undoing;
mod withdrawal;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use knightmail::{
    config::{shipped, tournament},
    domain::{
        apply::apply,
        command::{Command, EntryForm, Moment, Nondelivery, Payment, Petition, ResultClaim},
        decide::decide,
        docket::{About, Item, ItemKind},
        event::{Correspondent, Event, Job},
        ids::{EntryId, GameId, ItemId, MemberId, QuestionId, Seat, SectionCode},
        intent::Intent,
        notice::{Notice, NoticeName, Recipient},
        player::Player,
        points::{How, Outcome, Score, Side},
        post::Failing,
        section::{Entry, EntryState, Game, Section},
        state::State,
        tell,
        tournament::Rules,
    },
};

/// Books that a test writes into, and the day it is.
#[derive(Clone)]
struct World {
    rules: Rules,
    state: State,
    today: NaiveDate,
    log: Vec<Event>,
}

impl World {
    /// Empty books of the shipped tournament, on a day.
    fn new(today: &str) -> Self {
        let mut rules = Rules::default();
        for event in shipped::EVENTS {
            let read =
                tournament::read(event.stem, event.text).expect("the shipped files are right");
            rules.tournaments.insert(read.id.clone(), read);
        }
        Self { rules, state: State::default(), today: day(today), log: Vec::new() }
    }

    /// Books with so many players, numbers 1 and up, each rated 100 points below the one before; it is 1 March 2019.
    fn with_players(count: u16) -> Self {
        let mut world = Self::new("2019-03-01");
        let players = (1..=count).map(|n| player(n, Some(2400 - 100 * (n % 20)))).collect();
        world.act(&Command::ListPlayers(players));
        world
    }

    /// Books with the section 19N01: players 1 to 7 sit at seats 1 to 7.
    fn with_section() -> Self {
        let mut world = Self::with_players(9);
        for n in 1..=7 {
            world.act(&Command::Enter(EntryForm { paid: true, ..form(n, "2019-02-01") }));
        }
        world.tick(Job::Assignments, "2019-03-04");
        assert_eq!(world.state.sections.len(), 1, "a section of seven is formed");
        world
    }

    /// Decides a command, writes what follows into the books and returns it.
    fn act(&mut self, command: &Command) -> Vec<Event> {
        let now = Moment { at: noon(self.today), today: self.today };
        let events = decide(&self.rules, &self.state, now, command);
        for event in &events {
            apply(&mut self.state, event);
        }
        self.log.extend(events.iter().cloned());
        events
    }

    fn enter(&mut self, form: EntryForm) -> Vec<Event> {
        self.act(&Command::Enter(form))
    }

    /// Enters a player on paper and returns the states of his entries after it.
    fn entry(&mut self, form: EntryForm) -> Vec<EntryState> {
        let member = form.member.clone().expect("the form names a member");
        self.enter(form);
        self.states(&member)
    }

    fn states(&self, member: &MemberId) -> Vec<EntryState> {
        self.state.entries_in(&"GK2019".into(), member).map(|e| e.state).collect()
    }

    fn tick(&mut self, job: Job, on: &str) -> Vec<Event> {
        self.today = day(on);
        self.act(&Command::Tick { job, slot: self.today })
    }

    fn report(&mut self, by: u16, game: &GameId, outcome: Outcome) -> Vec<Event> {
        let game = game.clone();
        self.act(&Command::ReportResult(ResultClaim { from: from(by), game, outcome, mail: None }))
    }

    /// Both players report the same, so that it stands.
    fn settle(&mut self, game: &GameId, result: Score) -> Vec<Event> {
        let mut events = Vec::new();
        for side in [Side::White, Side::Black] {
            let member = self.state.member_of(game, side).expect("it is a game").clone();
            let number = number(&member);
            events.extend(self.report(number, game, played(result)));
        }
        events
    }

    /// A player's mail asks something of the director.
    fn ask_director(&mut self, by: u16, intent: Intent) -> Vec<Event> {
        let (from, words, mail) = (from(by), Vec::new(), Some("sha256:00".to_owned()));
        self.act(&Command::Petition(Petition { from, intent, words, mail }))
    }

    fn rule(&mut self, item: ItemId, choice: &str) -> Vec<Event> {
        let (choice, reason) = (choice.to_owned(), "seen the papers".to_owned());
        self.act(&Command::Rule { item, choice, reason, by: "Pat Marlow".to_owned() })
    }

    /// The only open item of the docket.
    fn item(&self) -> Item {
        let open: Vec<&Item> = self.state.open_docket().collect();
        assert_eq!(open.len(), 1, "one item is open: {open:?}");
        open[0].clone()
    }

    /// The open item of a kind.
    fn item_of(&self, kind: ItemKind) -> Item {
        self.state.open_of_kind(kind).next().expect("one of this kind is open").clone()
    }

    fn open_kinds(&self) -> Vec<ItemKind> {
        self.state.open_docket().map(|item| item.kind).collect()
    }

    fn game_state(&self, game: &GameId) -> &'static str {
        self.game(game).state.text()
    }

    fn game(&self, game: &GameId) -> &Game {
        self.state.game(game).expect("it is a game").1
    }

    fn section(&self) -> &Section {
        &self.state.sections[&SectionCode::from("19N01")]
    }

    /// Who is told what of these events: names of letters by who gets them.
    fn told(&self, events: &[Event]) -> Vec<(String, NoticeName)> {
        let name = |notice: &Notice| match &notice.to {
            Recipient::Player(member) => format!("player {}", number(member)),
            Recipient::Stranger(who) => who.address.clone().unwrap_or_default(),
            Recipient::Director => "director".to_owned(),
        };
        tell::notices(&self.state, events).iter().map(|n| (name(n), n.facts.name())).collect()
    }
}

fn day(text: &str) -> NaiveDate {
    text.parse().expect("a day such as 2019-03-01")
}

fn noon(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::from_hms_opt(18, 0, 0).expect("an hour")).and_utc()
}

fn later(on: NaiveDate, days: u64) -> NaiveDate {
    on + Days::new(days)
}

/// Player number 7 is member 10000007, lives in Illinois and has one address.
fn member(number: u16) -> MemberId {
    MemberId(format!("1000{number:04}"))
}

fn number(member: &MemberId) -> u16 {
    member.0[4..].parse().expect("the tests' numbers end in four digits")
}

fn address(number: u16) -> String {
    format!("player{number}@example.org")
}

fn player(number: u16, rating: Option<u16>) -> Player {
    Player {
        member: member(number),
        name: format!("Player {number}"),
        emails: vec![address(number)],
        country: Some("US".to_owned()),
        state: Some("IL".to_owned()),
        rating,
        ..Player::default()
    }
}

/// The player, writing from his own address.
fn from(number: u16) -> Correspondent {
    let (player, name) = (Some(member(number)), format!("Player {number}"));
    Correspondent { player, address: Some(address(number)), name }
}

fn stranger() -> Correspondent {
    let address = Some("somebody@example.net".to_owned());
    Correspondent { player: None, address, name: "Some Body".to_owned() }
}

/// One entry by mail from the player's own address.
fn form(number: u16, postmark: &str) -> EntryForm {
    EntryForm {
        event: Some("GK2019".into()),
        id: None,
        member: Some(member(number)),
        from: Some(from(number)),
        name: format!("Player {number}"),
        count: 1,
        postmark: day(postmark),
        postmark_doubt: None,
        arrived: noon(day(postmark)),
        paid: false,
        mail: None,
    }
}

fn payment(number: u16, amount: &str, received: &str, reference: &str) -> Command {
    Command::RecordPayment(Payment {
        event: "GK2019".into(),
        member: member(number),
        amount: amount.parse().expect("an amount"),
        received: day(received),
        reference: reference.to_owned(),
    })
}

/// A letter that was never sent, about which only the director can do anything.
fn unsent(about: About, said: &str) -> Command {
    Command::NoteUndelivered(Box::new(Nondelivery {
        about,
        sent: None,
        recipient: None,
        status: None,
        said: said.to_owned(),
        mail: None,
        how: Failing::Letter,
        proved: true,
    }))
}

fn game(white: u8, black: u8) -> GameId {
    GameId { section: "19N01".into(), white: Seat(white), black: Seat(black) }
}

const fn played(result: Score) -> Outcome {
    Outcome { result, how: How::Played }
}

fn entry<'a>(world: &'a World, id: &str) -> &'a Entry {
    &world.state.entries[&EntryId::from(id)]
}

/// A generator of numbers that are the same for the same seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 to below the bound.
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("it is below the bound")
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// True once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
