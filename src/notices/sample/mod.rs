//! Made-up books: what `preview` shows and what every template is tried with when it is loaded. All names are
//! invented. The books are made as real ones are, by applying events.

mod acts;
mod director;
mod honours;
pub mod notices;
mod play;

use super::{
    Desk, OutboxCounts, Printed,
    render::Templates,
    view::{self, certificate::Certificate},
};
use crate::{
    domain::{
        apply::apply,
        docket::{About, Item, ItemKind},
        event::{Event, Grounds},
        ids::{EntryId, GameId, ItemId, LetterId, Seat, TournamentId},
        notice::NoticeName,
        player::Player,
        points::{How, Outcome, Score, Side},
        refusal::Refusal,
        section::{Report, Seated},
        state::State,
        tournament::{Rules, Tournament},
    },
    house::{House, Trust},
    token::ReplyKeys,
};
use chrono::{DateTime, Days, NaiveDate, TimeZone, Utc};
use rust_decimal::Decimal;

/// The tournament of the made-up books: the shipped one.
const TOURNAMENT: &str = include_str!("../../../config/events/golden-knights-2019.toml");

/// A house, its tournament and its books.
#[derive(Clone, Debug)]
pub struct Books {
    /// The house.
    pub house: House,
    /// The tournament.
    pub rules: Rules,
    /// The books.
    pub state: State,
    /// The present.
    pub now: DateTime<Utc>,
}

/// Member number, name, address, rating.
const PLAYERS: [(&str, &str, &str, u16); 12] = [
    ("10000001", "Adams, Ann", "ann@example.org", 2105),
    ("10000002", "Birch, Bruno", "bruno@example.net", 1987),
    ("10000003", "Castellanos-Whitmore, Maria Concepción", "maria@example.org", 1904),
    ("10000004", "Dunn, Delia", "delia@example.com", 1850),
    ("10000005", "Egan, Edward", "", 1733),
    ("10000006", "Fiore, Francesca", "francesca.fiore@mail.example.org", 1610),
    ("10000007", "Grünwald, Georg", "georg@example.net", 0),
    ("10000008", "Hale, Harriet", "harriet@example.org", 2210),
    ("10000009", "Ito, Isamu", "isamu@example.org", 2044),
    ("10000010", "Jensen, Jon", "jon@example.net", 1875),
    ("10000011", "Kovács, Klára", "klara@example.org", 1790),
    ("10000012", "Lund, Lars", "lars@example.com", 1540),
];

/// White's games by falling seat distance, as Rule 2 has them for seven seats.
const ROUND_ROBIN: [(u8, u8); 21] = [
    (1, 2),
    (1, 4),
    (1, 6),
    (2, 3),
    (2, 5),
    (2, 7),
    (3, 1),
    (3, 4),
    (3, 6),
    (4, 2),
    (4, 5),
    (4, 7),
    (5, 1),
    (5, 3),
    (5, 6),
    (6, 2),
    (6, 4),
    (6, 7),
    (7, 1),
    (7, 3),
    (7, 5),
];

impl Books {
    /// Returns the made-up books.
    pub fn new() -> Self {
        let tournament: Tournament =
            toml::from_str(TOURNAMENT).expect("the shipped tournament is tested");
        let mut rules = Rules::default();
        rules.tournaments.insert(tournament.id.clone(), tournament);
        let mut books =
            Self { house: house(), rules, state: State::default(), now: instant(2019, 6, 17) };
        books.add_years();
        books.list_players();
        books.enter_everybody();
        books.form_sections();
        books.play();
        books.play_moves();
        books.ask();
        books.open_items();
        books.honour();
        books.befall();
        books
    }

    /// Returns the desk at which letters about these books are written.
    pub fn desk<'a>(&'a self, templates: &'a Templates) -> Desk<'a> {
        Desk {
            house: &self.house,
            rules: &self.rules,
            state: &self.state,
            now: self.now,
            templates,
            counts: Some(OutboxCounts {
                sent: 41,
                waiting: 2,
                failed: 1,
                printed: 1,
                on_paper: vec![Printed {
                    letter: LetterId(31),
                    notice: NoticeName::Assignment,
                    player: Some("10000005".into()),
                }],
            }),
        }
    }

    /// Returns the certificate that one of the sample letters brings.
    pub fn certificate(&self, desk: &Desk<'_>) -> Certificate {
        let mut samples = notices::all().into_iter();
        let enclosed = samples.find_map(|sample| view::enclosed(&sample.notice, desk));
        enclosed.expect("there is a sample of every notice")
    }

    fn tell(&mut self, event: &Event) {
        apply(&mut self.state, event);
    }

    fn list_players(&mut self) {
        for (member, name, email, rating) in PLAYERS {
            let emails = if email.is_empty() { Vec::new() } else { vec![email.to_owned()] };
            let address = emails.is_empty().then(|| "12 Mill Lane, Springfield, OH 45501".into());
            self.tell(&Event::PlayerListed(Player {
                member: member.into(),
                name: name.to_owned(),
                emails,
                country: Some("US".to_owned()),
                rating: Some(rating).filter(|r| *r > 0),
                rating_date: Some(day(2019, 5, 1)),
                expires: Some(day(2021, 12, 31)),
                address,
                ..Player::default()
            }));
        }
    }

    /// Everybody holds a paid entry; Ann Adams holds four more that stand in different ways.
    fn enter_everybody(&mut self) {
        for (n, (member, name, ..)) in PLAYERS.into_iter().enumerate() {
            let id = entry(n + 1);
            self.receive(&id, member, name, 1, day(2019, 1, 3));
            self.tell(&Event::EntryAccepted { entry: id.clone() });
            self.tell(&Event::EntryPaid { entry: id, fee: Decimal::new(2500, 2) });
        }
        for n in 13..=17 {
            let number = u8::try_from(n - 11).expect("a small number");
            self.receive(&entry(n), "10000001", "Adams, Ann", number, day(2019, 6, 14));
        }
        for n in [13, 14] {
            self.tell(&Event::EntryAccepted { entry: entry(n) });
        }
        self.tell(&Event::EntryRefused {
            entry: entry(16),
            refusal: Refusal::ByRuling { reason: "the member wanted five entries".to_owned() },
        });
        self.tell(&Event::EntryCarriedForward { entry: entry(17), to: Some("GK2020".into()) });
        self.tell(&Event::PaymentReceived {
            event: event(),
            member: "10000001".into(),
            amount: Decimal::new(3500, 2),
            received: day(2019, 6, 10),
            reference: "check 118".to_owned(),
        });
    }

    fn receive(&mut self, id: &EntryId, member: &str, name: &str, number: u8, postmark: NaiveDate) {
        let noon = postmark.and_hms_opt(16, 0, 0).expect("an hour of the day").and_utc();
        self.tell(&Event::EntryReceived {
            entry: id.clone(),
            event: event(),
            member: member.into(),
            name: name.to_owned(),
            number,
            postmark,
            arrived: noon,
            from: None,
        });
    }

    /// Seven sit in 19N04; in 19N03 sit the other five and two with a second entry.
    fn form_sections(&mut self) {
        let seats = |numbers: [usize; 7]| {
            let seat = |n: usize| {
                let rating = PLAYERS.get(n - 1).map_or(0, |p| p.3);
                Seated { entry: entry(n), rating: Some(rating).filter(|r| *r > 0) }
            };
            numbers.map(seat).to_vec()
        };
        for (n, number, member, name) in
            [(18, 2, "10000006", "Fiore, Francesca"), (19, 2, "10000007", "Grünwald, Georg")]
        {
            self.receive(&entry(n), member, name, number, day(2019, 1, 3));
        }
        let mut first = seats([8, 9, 10, 11, 18, 12, 19]);
        first[4].rating = Some(1610);
        self.receive(&entry(20), "10000008", "Hale, Harriet", 2, day(2019, 6, 3));
        self.tell(&Event::EntryPaid { entry: entry(20), fee: Decimal::new(2500, 2) });
        self.form("19N03", day(2019, 1, 7), first);
        self.form("19N04", day(2019, 2, 4), seats([1, 2, 3, 4, 5, 6, 7]));
    }

    fn form(&mut self, code: &str, start: NaiveDate, seats: Vec<Seated>) {
        self.tell(&Event::SectionFormed {
            section: code.into(),
            event: event(),
            round: 0,
            start,
            seats,
            games: ROUND_ROBIN.map(|(w, b)| (Seat(w), Seat(b))).to_vec(),
            adopted: false,
        });
    }

    /// 19N03 is complete, with forfeits; 19N04 is half-way, with a report, a dispute and a ruling.
    fn play(&mut self) {
        for (n, (white, black)) in ROUND_ROBIN.into_iter().enumerate() {
            let (result, how) = match (white, black, n % 4) {
                (7, _, _) => (Score::BlackWins, How::SilenceForfeit),
                (_, 7, _) => (Score::WhiteWins, How::SilenceForfeit),
                (1, 2, _) => (Score::BlackWins, How::Resignation),
                (1, ..) | (_, _, 1) => (Score::WhiteWins, How::Resignation),
                (_, 1, _) => (Score::Draw, How::Agreement),
                (_, _, 2) => (Score::Draw, How::Repetition),
                _ => (Score::BlackWins, How::Mate),
            };
            let day = day(2019, 3, 1).checked_add_days(Days::new(4 * n as u64));
            self.settle("19N03", (white, black), outcome(result, how), day.unwrap_or_default());
        }
        self.tell(&Event::SectionCompleted { section: "19N03".into() });
        for ((white, black), result, how) in [
            ((1, 2), Score::WhiteWins, How::Resignation),
            ((4, 2), Score::Draw, How::Agreement),
            ((5, 3), Score::BlackWins, How::TimeForfeit),
        ] {
            self.settle("19N04", (white, black), outcome(result, how), day(2019, 5, 20));
        }
        self.tell(&Event::ResultReported { game: game(1, 4), report: win(Side::White, 15) });
        self.tell(&Event::ResultDisputed {
            game: game(2, 3),
            first: win(Side::White, 12),
            second: drawn(Side::Black, 16),
        });
        self.tell(&Event::ResultRuled {
            game: game(6, 2),
            outcome: outcome(Score::WhiteWins, How::Adjudication),
            on: day(2019, 6, 16),
            reason: "White is a queen ahead and mates in a few moves.".to_owned(),
        });
    }

    fn settle(&mut self, code: &str, (white, black): (u8, u8), outcome: Outcome, on: NaiveDate) {
        self.tell(&Event::ResultConfirmed {
            game: GameId { section: code.into(), white: Seat(white), black: Seat(black) },
            outcome,
            grounds: Grounds::BothReported,
            on,
            report: None,
        });
    }

    fn open_items(&mut self) {
        let late = About { event: Some(event()), entry: Some(entry(15)), ..About::default() };
        let number = "It is the fourth entry; it was postmarked on 14 June 2019.";
        let choices = ["accept", "carry-forward", "refuse"];
        self.open(1, ItemKind::EntryLate, (9, 14), late, number, &choices);
        let game = About { game: Some(game(2, 3)), event: Some(event()), ..About::default() };
        let reports = "White reported 1-0 on 12 June, Black 1/2-1/2 on 16 June.";
        let choices = ["1-0", "0-1", "1/2-1/2", "0-0"];
        self.open(2, ItemKind::ResultDisputed, (10, 16), game, reports, &choices);
    }

    fn open(
        &mut self,
        number: u64,
        kind: ItemKind,
        (rule, june): (u8, u32),
        about: About,
        evidence: &str,
        choices: &[&str],
    ) {
        self.tell(&Event::ItemOpened(Item {
            item: ItemId(number),
            kind,
            rule,
            about,
            since: instant(2019, 6, june),
            choices: choices.iter().map(|c| (*c).to_owned()).collect(),
            recommended: choices.first().filter(|_| rule == 9).map(|c| (*c).to_owned()),
            evidence: vec![evidence.to_owned()],
            entries: Vec::new(),
            asked: None,
            flood: None,
            outage: None,
        }));
    }
}

impl Default for Books {
    fn default() -> Self {
        Self::new()
    }
}

fn house() -> House {
    House {
        name: "Golden Knights Office".to_owned(),
        address: "knights@example.org".to_owned(),
        aliases: Vec::new(),
        director_name: "Eleanor Whitfield".to_owned(),
        director: vec!["eleanor@example.org".to_owned()],
        subaddress: true,
        authserv_id: None,
        trust: Trust::default(),
        zone: chrono_tz::America::New_York,
        keys: ReplyKeys::new(vec![b"the key of the made-up house".to_vec()]),
    }
}

pub(super) fn event() -> TournamentId {
    "GK2019".into()
}

pub(super) fn entry(number: usize) -> EntryId {
    EntryId(format!("GK2019-{number:03}"))
}

pub(super) fn game(white: u8, black: u8) -> GameId {
    GameId { section: "19N04".into(), white: Seat(white), black: Seat(black) }
}

pub(super) fn win(by: Side, june: u32) -> Report {
    let outcome = outcome(Score::WhiteWins, How::Resignation);
    Report { by, outcome, on: day(2019, 6, june), mail: None }
}

pub(super) fn drawn(by: Side, june: u32) -> Report {
    Report { outcome: outcome(Score::Draw, How::Agreement), ..win(by, june) }
}

pub(super) const fn outcome(result: Score, how: How) -> Outcome {
    Outcome { result, how }
}

pub(super) fn day(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).expect("a day of the calendar")
}

fn instant(year: i32, month: u32, day: u32) -> DateTime<Utc> {
    Utc.with_ymd_and_hms(year, month, day, 14, 30, 0).single().expect("an hour of the calendar")
}
