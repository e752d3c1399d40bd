//! Rule 2: seats by falling rating, colours by a formula of its own, everybody against everybody, nobody against himself
//! nor against whom he asked not to meet, and everybody once in a round.

use super::{Case, Found, Ledger};
use crate::domain::{
    event::Event,
    ids::{MemberId, Seat},
    section::Seated,
    tournament::Round,
};
use chrono::NaiveDate;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(case: &Case, whole: &Ledger<'_>, found: &mut Found) {
    let mut ledger = Ledger::default();
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    for (day, event) in case.events() {
        if let Event::SectionFormed { section, event: id, round, start, seats, games, adopted } =
            event
            && *id == case.tournament.id
            && !adopted
        {
            let Some(terms) = case.tournament.rounds.get(*round) else {
                found.wrong(day, format!("{section} is of a round that does not exist"));
                continue;
            };
            let number = numbers.entry(*round).or_default();
            *number += 1;
            let code = format!("{}{number:02}", terms.code);
            if section.0 != code {
                found.wrong(
                    day,
                    format!(
                        "{section} is the {number}th section of its round and should be {code}"
                    ),
                );
            }
            if *start < case.tournament.entry.pairings_from || *start < day {
                found.wrong(day, format!("{section} starts on {start}, before it may"));
            }
            for seated in seats {
                if ledger.entries.get(&seated.entry).is_some_and(|e| e.seats.contains_key(round)) {
                    found.wrong(
                        day,
                        format!(
                            "{} sits in a second section of its round, {section}",
                            seated.entry
                        ),
                    );
                }
            }
            let name = &section.0;
            check_order(&ledger, name, seats, day, found);
            check_persons(&ledger, name, seats, day, found);
            check_games(name, terms, seats.len(), games, day, found);
        }
        ledger.follow(day, event);
    }
    debug_assert_eq!(ledger.sections.len(), whole.sections.len());
}

/// Seats run by falling rating, unrated last; among equals whoever entered earlier.
fn check_order(
    ledger: &Ledger<'_>,
    section: &str,
    seats: &[Seated],
    day: NaiveDate,
    found: &mut Found,
) {
    for pair in seats.windows(2) {
        let rank = |seated: &Seated| {
            let entry = ledger.entries.get(&seated.entry);
            let rating = std::cmp::Reverse(seated.rating.map_or(-1, i32::from));
            (rating, entry.map(|e| (e.postmark, e.arrived)))
        };
        if rank(&pair[0]) > rank(&pair[1]) {
            let (one, other) = (&pair[0].entry, &pair[1].entry);
            found.wrong(day, format!("{one} sits above {other} in {section} and should sit below"));
        }
    }
    for seated in seats {
        let listed =
            ledger.member(&seated.entry).and_then(|m| ledger.ratings.get(m)).copied().flatten();
        if seated.rating != listed {
            found.wrong(
                day,
                format!("{} sits in {section} with a rating that is not his", seated.entry),
            );
        }
    }
}

fn check_persons(
    ledger: &Ledger<'_>,
    section: &str,
    seats: &[Seated],
    day: NaiveDate,
    found: &mut Found,
) {
    let members: Vec<&MemberId> = seats.iter().filter_map(|s| ledger.member(&s.entry)).collect();
    if members.len() != seats.len() {
        found.wrong(day, format!("an entry sits in {section} that never came in"));
    }
    let once: BTreeSet<_> = members.iter().collect();
    if once.len() != members.len() {
        found.wrong(day, format!("somebody sits twice in {section}"));
    }
    for (one, other) in &ledger.apart {
        if members.contains(one) && members.contains(other) {
            found.wrong(day, format!("{one} and {other} asked not to meet and do in {section}"));
        }
    }
}

fn check_games(
    section: &str,
    terms: &Round,
    seats: usize,
    games: &[(Seat, Seat)],
    day: NaiveDate,
    found: &mut Found,
) {
    if seats > usize::from(terms.size) || seats < 2 {
        found.wrong(day, format!("{section} has {seats} seats, {} are the rule", terms.size));
    }
    let seats = u8::try_from(seats).unwrap_or(0);
    let mut due = BTreeSet::new();
    for (low, high) in (1..=seats).flat_map(|low| (low + 1..=seats).map(move |high| (low, high))) {
        let white = if low_has_white(low, high, seats) { (low, high) } else { (high, low) };
        due.insert((Seat(white.0), Seat(white.1)));
        if terms.games_per_pair == 2 {
            due.insert((Seat(white.1), Seat(white.0)));
        }
    }
    let played: BTreeSet<_> = games.iter().copied().collect();
    if played != due || played.len() != games.len() {
        let strange: Vec<_> =
            played.symmetric_difference(&due).map(|(w, b)| format!("{w}-{b}")).collect();
        found.wrong(
            day,
            format!("{section} does not have the games of the table: {}", strange.join(", ")),
        );
    }
}

/// The Berger table in two sentences: among the others the lower seat has White when the seats are of different kinds
/// (one odd, one even); against the last seat of an even table the lower half has White.
const fn low_has_white(low: u8, high: u8, seats: u8) -> bool {
    if seats.is_multiple_of(2) && high == seats {
        return low <= seats / 2;
    }
    (low % 2) != (high % 2)
}
