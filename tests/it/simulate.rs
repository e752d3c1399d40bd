//! Small championships by made-up players, to the last prize, with and without mishaps; and the checkers themselves: each
//! must see what it is there to see when a healthy season is spoilt for it.

use chrono::Days;
use knightmail::{
    config::{Config, shipped, tournament},
    domain::{
        event::Event,
        points::Points,
        tournament::{Rules, Tournament},
    },
    notices::render::Templates,
    simulate::{
        self, Played, Settings, Venue,
        checkers::{self, Case},
    },
    store::transaction::{Cause, Transaction},
};
use rust_decimal::Decimal;
use std::sync::LazyLock;

/// The Golden Knights in a hurry: rounds of six months, so that a whole championship is soon over.
static EVENT: LazyLock<Tournament> = LazyLock::new(|| read("months = 30", "months = 6"));

fn read(from: &str, to: &str) -> Tournament {
    let text = shipped::TOURNAMENT.replace(from, to);
    tournament::read("events/hurry.toml", &text).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn venue(event: &Tournament) -> Venue {
    let config = Config::shipped();
    Venue {
        house: config.house,
        rules: Rules { tournaments: [(event.id.clone(), event.clone())].into() },
        jobs: config.service.jobs,
        templates: Templates::shipped(),
        caps: config.service.caps,
        undo: chrono::Duration::from_std(config.service.undo).unwrap_or_default(),
    }
}

fn play(settings: &Settings) -> Played {
    simulate::play(&venue(&EVENT), &EVENT, settings, |_| ())
}

fn assert_sound(played: &Played, settings: &Settings) {
    let found: Vec<String> = played.violations.iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "{settings:?}:\n{}", found.join("\n"));
}

/// A season that is played once for all tests that look at one.
static SEASON: LazyLock<Played> = LazyLock::new(|| {
    let settings = Settings { seed: 3, entries: 30, chronicle: true, ..Settings::default() };
    let played = play(&settings);
    assert_sound(&played, &settings);
    played
});

#[test]
fn small_championships_come_to_their_last_prize() {
    for (entries, seed) in [(14, 1), (21, 2)] {
        let settings = Settings { seed, entries, ..Settings::default() };
        let played = play(&settings);
        assert_sound(&played, &settings);
        assert!(!played.summary.sections.is_empty(), "{settings:?}");
    }
    assert!(SEASON.summary.sections.len() > 1, "there is a second round: {:?}", SEASON.summary);
    assert!(!SEASON.summary.winners.is_empty(), "there are prizes: {:?}", SEASON.summary);
    assert!(SEASON.chronicle.iter().any(|line| line.contains("is complete")));
}

#[test]
fn a_mishap_changes_nothing_and_a_seed_gives_one_season() {
    let calm =
        Settings { seed: 5, entries: 14, days: Some(500), chronicle: true, ..Settings::default() };
    let (one, other) = (play(&calm), play(&Settings { mishaps: 20, ..calm }));
    assert_sound(&one, &calm);
    assert_sound(&other, &calm);
    assert!(other.summary.reopened > 20, "mishaps happened: {}", other.summary.reopened);
    assert_eq!(one.chronicle, other.chronicle);
    assert!(one.state == other.state, "the books are the same, whatever broke on the way");
    let lines = |case: &Case| serde_json::to_string(&case.transactions).unwrap();
    let again = play(&calm);
    assert_eq!(lines(&one.case), lines(&again.case));
}

/// Spoils the first event that can be spoilt.
fn spoil(case: &mut Case, spoilt: impl FnMut(&mut Event) -> bool) {
    let mut events = case.transactions.iter_mut().flat_map(|t| &mut t.events);
    assert!(events.any(spoilt), "there is something to spoil");
}

/// Takes out the first event of a kind.
fn drop_event(case: &mut Case, wanted: impl Fn(&Event) -> bool) {
    let of = case.transactions.iter_mut().find_map(|t| {
        let place = t.events.iter().position(&wanted)?;
        Some((t, place))
    });
    let (transaction, place) = of.expect("there is such an event");
    transaction.events.remove(place);
}

fn double(case: &mut Case, wanted: impl Fn(&Transaction) -> bool) {
    let place = case.transactions.iter().position(wanted).expect("there is such a line");
    let copy = case.transactions[place].clone();
    case.transactions.insert(place, copy);
}

type Spoiling = (&'static str, &'static str, fn(&mut Case));

const SPOILINGS: &[Spoiling] = &[
    ("seats", "seats exchanged", |case| {
        spoil(case, |event| match event {
            Event::SectionFormed { seats, .. } => {
                seats.swap(0, 6);
                true
            }
            _ => false,
        });
    }),
    ("seats", "colours exchanged", |case| {
        spoil(case, |event| match event {
            Event::SectionFormed { games, .. } => {
                games[0] = (games[0].1, games[0].0);
                true
            }
            _ => false,
        });
    }),
    ("seats", "somebody twice", |case| {
        spoil(case, |event| match event {
            Event::SectionFormed { seats, .. } => {
                seats[1] = seats[0].clone();
                true
            }
            _ => false,
        });
    }),
    ("sums", "points that are not those of the games", |case| {
        spoil(case, |event| match event {
            Event::EntryAdvanced { points, .. } => {
                *points = Points::from_halves(points.halves + 1);
                true
            }
            _ => false,
        });
    }),
    ("sums", "a section that is never called complete", |case| {
        drop_event(case, |event| matches!(event, Event::SectionCompleted { .. }));
    }),
    ("advancing", "somebody who does not advance", |case| {
        drop_event(case, |event| matches!(event, Event::EntryAdvanced { .. }));
    }),
    ("advancing", "somebody who comes to no end", |case| {
        drop_event(case, |event| matches!(event, Event::EntryEliminated { .. }));
    }),
    ("entries", "another postmark", |case| {
        spoil(case, |event| match event {
            Event::EntryReceived { postmark, from: None, .. } => {
                *postmark = *postmark + Days::new(400);
                true
            }
            _ => false,
        });
    }),
    ("money", "another fee", |case| {
        spoil(case, |event| match event {
            Event::EntryPaid { fee, .. } => {
                *fee -= Decimal::ONE;
                true
            }
            _ => false,
        });
    }),
    ("money", "a payment that never came", |case| {
        drop_event(case, |event| matches!(event, Event::PaymentReceived { .. }));
    }),
    ("awards", "an award twice", |case| {
        double(case, |t| t.events.iter().any(|event| matches!(event, Event::AwardGiven(_))));
    }),
    ("awards", "an award that is not given", |case| {
        drop_event(case, |event| matches!(event, Event::AwardGiven(_)));
    }),
    ("prizes", "a cent too much", |case| {
        spoil(case, |event| match event {
            Event::PrizesAwarded(list) => {
                list.places[0].amount += Decimal::new(1, 2);
                true
            }
            _ => false,
        });
    }),
    ("prizes", "no prizes", |case| {
        drop_event(case, |event| matches!(event, Event::PrizesAwarded(_)));
    }),
    ("mails", "a mail twice", |case| {
        double(case, |t| matches!(t.cause, Cause::Mail(_)));
    }),
    ("mails", "a mail lost", |case| {
        let place = case.transactions.iter().position(|t| matches!(t.cause, Cause::Mail(_)));
        case.transactions.remove(place.unwrap());
    }),
    ("mails", "an answer to a program", |case| {
        for mail in &mut case.posted {
            mail.automatic = true;
        }
    }),
    ("letters", "a letter that is owed and not written", |case| {
        let is_assignment = |t: &&mut Transaction| {
            t.letters.iter().any(|letter| letter.notice.text() == "assignment")
        };
        case.transactions.iter_mut().find(is_assignment).unwrap().letters.remove(0);
    }),
    ("letters", "a letter that never left", |case| {
        for transaction in &mut case.transactions {
            if let Cause::Delivery { outcomes } = &mut transaction.cause {
                outcomes.clear();
            }
        }
    }),
    ("letters", "a letter that arrived as another", |case| {
        case.delivered[0].digest = case.delivered[1].digest;
    }),
];

#[test]
fn every_checker_sees_what_it_is_there_to_see() {
    assert_eq!(checkers::all(&SEASON.case), [], "the season is healthy");
    for (checker, what, spoil) in SPOILINGS {
        let mut case = SEASON.case.clone();
        spoil(&mut case);
        let found = checkers::all(&case);
        let seen = found.iter().any(|violation| violation.checker == *checker);
        assert!(seen, "{checker} does not see {what}; seen was {found:?}");
    }
    let names: Vec<&str> = checkers::names().collect();
    assert!(names.iter().all(|name| SPOILINGS.iter().any(|(checker, ..)| checker == name)));
}

#[test]
fn books_that_are_not_the_journals_are_seen() {
    let day = SEASON.case.last_day;
    let mut state = checkers::books(&SEASON.case);
    assert_eq!(checkers::replay(&SEASON.state, Ok(state.clone()), day), None);
    state.entries.pop_first();
    assert!(checkers::replay(&SEASON.state, Ok(state), day).is_some());
    assert!(checkers::replay(&SEASON.state, Err("a line is torn".to_owned()), day).is_some());
}

#[test]
fn accounts_that_do_not_add_up_are_seen() {
    let mut state = SEASON.state.clone();
    assert_eq!(checkers::audit(&SEASON.case, &state), []);
    state.accounts.values_mut().for_each(|account| account.used += Decimal::ONE);
    assert!(!checkers::audit(&SEASON.case, &state).is_empty());
}
