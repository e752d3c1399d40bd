//! The office of the reading tests: two sections of seven, the games of `tests/data/world.toml`, and the letters that
//! went out about them. Nothing is decided here and nothing is written: mails are read, and that is all.

#![expect(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

use chrono::{DateTime, NaiveDate, TimeZone, Utc};
use knightmail::{
    chess::{Record, Side},
    domain::{
        apply::apply,
        docket::About,
        event::Event,
        ids::{EntryId, GameId, LetterId, MemberId, QuestionId, Seat, SectionCode},
        intent::{Choice, Intent},
        player::Player,
        question::Question,
        section::Seated,
        state::State,
        tournament::{Rules, Tournament},
    },
    house::{House, LETTER_END, LETTER_TOP, Trust},
    mail::{self, Desk, Letters, understanding::Understanding},
    token::ReplyKeys,
};
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

const PLAYERS: &[(&str, &str, &str)] = &[
    ("12000001", "Ann Hale", "ann@example.org"),
    ("12000002", "Rosa Ortiz", "rosa@example.net"),
    ("12000003", "Theo Keating", "theo@example.org"),
    ("12000004", "Zoë Müller", "zoe@example.net"),
    ("12000005", "Björn Lund", "bjorn@example.org"),
    ("12000006", "Paula Vance", "vances@example.org"),
    ("12000007", "Miles O'Dell", "miles@example.net"),
    ("12000008", "Otto Vance", "vances@example.org"),
    ("12000009", "Selma Novak", "selma@example.org"),
    ("12000010", "Ruben Kessler", "ruben@example.net"),
    ("12000011", "Nadia Thorne", "nadia@example.org"),
    ("12000012", "Silas Brandt", "silas@example.net"),
    ("12000013", "Wanda Brandt", "wanda@example.net"),
];
/// The seats of two sections; Ann Hale sits in both.
const SECTIONS: &[(&str, [usize; 7])] =
    &[("19N04", [1, 2, 3, 4, 5, 6, 7]), ("19N07", [8, 9, 1, 10, 11, 12, 13])];

/// Books, house and letters that a reading may look at.
pub(crate) struct Office {
    pub(crate) house: House,
    rules: Rules,
    pub(crate) state: State,
    letters: BTreeMap<LetterId, About>,
}

struct Written<'a>(&'a BTreeMap<LetterId, About>);

impl Letters for Written<'_> {
    fn about(&self, letter: LetterId) -> Option<About> {
        self.0.get(&letter).cloned()
    }

    fn went_to(&self, letter: LetterId) -> Option<String> {
        // What is to no player of these went to the director.
        self.0
            .get(&letter)
            .filter(|about| about.player.is_none())
            .map(|_| "vera@example.org".to_owned())
    }
}

/// The games, languages and letters of `tests/data/world.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct World {
    languages: BTreeMap<String, String>,
    letter: Vec<WrittenLetter>,
    question: Vec<Put>,
    game: Vec<Played>,
}

/// A letter of ours, and what it was about.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLetter {
    letter: u64,
    player: Option<String>,
    section: Option<String>,
    game: Option<String>,
}

/// A question of ours, the letter that put it, and what each answer would mean.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Put {
    letter: u64,
    player: String,
    asks: String,
    options: Vec<Intent>,
}

/// A game, its moves so far, and the side whose draw offer stands.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    game: String,
    moves: String,
    offer: Option<Side>,
}

/// Returns the game of `19N04 1-2`: section, White's seat, Black's seat.
pub(crate) fn game(text: &str) -> GameId {
    let (section, seats) = text.split_once(' ').unwrap();
    let (white, black) = seats.split_once('-').unwrap();
    let seat = |text: &str| Seat(text.parse().unwrap());
    GameId { section: section.into(), white: seat(white), black: seat(black) }
}

/// Returns a file or folder of the test data.
pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn now() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2019, 12, 31, 23, 0, 0).unwrap()
}

impl Office {
    /// The office with the two sections, before any move.
    pub(crate) fn new() -> Self {
        Self::with(&BTreeMap::new())
    }

    /// The office in the middle of the games of `tests/data/world.toml`.
    pub(crate) fn playing() -> Self {
        let world: World = read_toml("world.toml");
        let mut office = Self::with(&world.languages);
        for played in &world.game {
            play(&mut office.state, played);
        }
        let put = world.question.into_iter().map(|question| ask(&mut office.state, question));
        office.letters = put.chain(world.letter.into_iter().map(about)).collect();
        office
    }

    fn with(languages: &BTreeMap<String, String>) -> Self {
        let mut state = State::default();
        for (member, name, email) in PLAYERS {
            let player = Player {
                member: (*member).into(),
                name: (*name).to_owned(),
                emails: vec![(*email).to_owned()],
                language: languages.get(*member).cloned(),
                ..Player::default()
            };
            apply(&mut state, &Event::PlayerListed(player));
        }
        let mut entry = 0;
        for (code, seats) in SECTIONS {
            let seated = seats.map(|player| {
                entry += 1;
                seat(&mut state, entry, PLAYERS[player - 1].0)
            });
            form(&mut state, code, seated.to_vec());
        }
        let tournament: Tournament = read_toml("tournament.toml");
        let rules = Rules { tournaments: [(tournament.id.clone(), tournament)].into() };
        Self { house: house(), rules, state, letters: letters() }
    }

    /// Reads a mail.
    pub(crate) fn read(&self, raw: &[u8]) -> Understanding {
        self.read_signed(raw, &[])
    }

    /// Reads a mail whose signatures by these domains were found good.
    pub(crate) fn read_signed(&self, raw: &[u8], signed_by: &[String]) -> Understanding {
        let letters = Written(&self.letters);
        let (house, rules, state) = (&self.house, &self.rules, &self.state);
        mail::read(
            raw,
            None,
            &Desk { house, rules, state, letters: &letters, signed_by, now: now() },
        )
    }

    /// Puts the tokens of our letters into a mail: `{{token 42}}`.
    pub(crate) fn with_tokens(&self, text: &str) -> String {
        let mut text = text.replace("{{top}}", LETTER_TOP).replace("{{end}}", LETTER_END);
        for (letter, about) in &self.letters {
            let token = self.house.keys.token(*letter, about);
            text = text.replace(&format!("{{{{token {}}}}}", letter.0), &token);
        }
        text
    }
}

fn read_toml<T: serde::de::DeserializeOwned>(name: &str) -> T {
    let text = fs::read_to_string(data(name)).unwrap();
    toml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Plays a game as far as it has come.
fn play(state: &mut State, played: &Played) {
    let id = game(&played.game);
    let mut record = Record::new();
    for (ply, san) in (1..).zip(played.moves.split(' ')) {
        let position = record.position();
        let it = position.legal().into_iter().find(|it| position.san(*it) == san);
        let it = it.unwrap_or_else(|| panic!("{}: no {san} at ply {ply}", played.game));
        let (number, side) = (record.next_number(), record.next_side());
        assert!(record.push(it));
        let last = ply == played.moves.split(' ').count();
        let moved = Event::MovePlayed {
            game: id.clone(),
            number,
            side,
            san: san.to_owned(),
            uci: it.uci(),
            conditional: Vec::new(),
            offer: last && played.offer == Some(side),
            sent: None,
            on: day("2019-05-31"),
            reached: None,
            mail: None,
        };
        apply(state, &moved);
    }
}

/// Puts a question to a player.
fn ask(state: &mut State, put: Put) -> (LetterId, About) {
    let question = QuestionId(put.letter);
    let player = MemberId(put.player);
    let choice = |intent: Intent| Choice { says: intent.to_string(), intents: vec![intent] };
    apply(
        state,
        &Event::QuestionPut(Question {
            question,
            player: player.clone(),
            asks: put.asks,
            options: put.options.into_iter().map(choice).collect(),
            on: day("2019-06-01"),
            until: day("2019-06-15"),
            sent: None,
            mail: None,
            guard: None,
            answer: None,
        }),
    );
    let about = About { player: Some(player), question: Some(question), ..About::default() };
    (LetterId(put.letter), about)
}

fn about(written: WrittenLetter) -> (LetterId, About) {
    let WrittenLetter { letter, player, section, game: of } = written;
    let of = of.as_deref().map(game);
    let section = section.map(SectionCode).or_else(|| of.as_ref().map(|g| g.section.clone()));
    let player = player.map(MemberId);
    (LetterId(letter), About { player, section, game: of, ..About::default() })
}

fn house() -> House {
    House {
        name: "Golden Knights".to_owned(),
        address: "knights@chess.example.org".to_owned(),
        aliases: vec!["gk@chess.example.org".to_owned()],
        director_name: "Vera Director".to_owned(),
        director: vec!["vera@example.org".to_owned()],
        subaddress: true,
        authserv_id: Some("mx.chess.example.org".to_owned()),
        trust: Trust::default(),
        zone: chrono_tz::America::New_York,
        keys: ReplyKeys::new(vec![b"a key for tests".to_vec()]),
    }
}

/// Letter 42 went to Ann about her game with Rosa, letter 43 to Rosa about the section, letter 44 to Ann about nothing.
fn letters() -> BTreeMap<LetterId, About> {
    let game = GameId { section: "19N04".into(), white: Seat(1), black: Seat(2) };
    let section = SectionCode::from("19N04");
    let to = |member: &str| About { player: Some(MemberId::from(member)), ..About::default() };
    BTreeMap::from([
        (
            LetterId(42),
            About { game: Some(game), section: Some(section.clone()), ..to("12000001") },
        ),
        (LetterId(43), About { section: Some(section), ..to("12000002") }),
        (LetterId(44), to("12000001")),
    ])
}

fn seat(state: &mut State, number: u32, member: &str) -> Seated {
    let entry = EntryId(format!("GK2019-{number:03}"));
    let received = Event::EntryReceived {
        entry: entry.clone(),
        event: "GK2019".into(),
        member: member.into(),
        name: String::new(),
        number: 1,
        postmark: day("2019-01-01"),
        arrived: Utc.with_ymd_and_hms(2019, 1, 1, 12, 0, 0).unwrap(),
        from: None,
    };
    apply(state, &received);
    Seated { entry, rating: None }
}

fn form(state: &mut State, code: &str, seats: Vec<Seated>) {
    let pairs = (1..=7).flat_map(|i| (i + 1..=7).map(move |j| (i, j)));
    // Rule 2: seat i < j has White when j - i is odd.
    let games = pairs.map(|(i, j)| if (j - i) % 2 == 1 { (i, j) } else { (j, i) });
    let formed = Event::SectionFormed {
        section: code.into(),
        event: "GK2019".into(),
        round: 0,
        start: day("2019-01-02"),
        seats,
        games: games.map(|(white, black)| (Seat(white), Seat(black))).collect(),
        adopted: true,
    };
    apply(state, &formed);
}
