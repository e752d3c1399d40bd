//! Rule 6: whether standings can be right, before anything is announced by them and for lists that others printed:
//! totals that no round scores give, rounds whose points do not add up to their games, an order that does not fall.

use super::{
    decoding::{self, Cell, Passage, Reading},
    scoring::{self, Standing, two_places},
};
use crate::domain::{
    acts::Carried,
    crosstable::crosstable,
    ids::SectionCode,
    points::{Outcome, Points, Score},
    section::{Game, Section},
    state::State,
    tournament::{Round, Tournament},
};
use rust_decimal::Decimal;

/// A line of a printed list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// Which line of the list it is, as people count them.
    pub row: usize,
    /// Whose it is, as it was printed.
    pub who: String,
    /// The total that was printed.
    pub weighted: Decimal,
    /// What is known of the points of each round.
    pub cells: Vec<Cell>,
}

impl Printed {
    /// Returns the line's name in a sentence.
    fn name(&self) -> String {
        format!("row {} ({})", self.row, self.who)
    }
}

/// Returns what cannot be right in a printed list, a sentence each (Rule 6).
pub fn of_list(tournament: &Tournament, rows: &[Printed]) -> Vec<String> {
    let mut rows = rows.to_vec();
    let mut found = last_round(tournament, &mut rows);
    for (n, row) in rows.iter().enumerate() {
        let above = n.checked_sub(1).map(|n| rows[n].weighted);
        let below = rows.get(n + 1).map(|row| row.weighted);
        let fits = |total: Decimal| {
            above.is_none_or(|above| total <= above) && below.is_none_or(|below| total >= below)
        };
        found.extend(total(tournament, row, fits));
    }
    found.extend(order(&rows));
    found
}

/// Returns where a printed list and the standings of the books differ, a sentence each. Several entries of a player are
/// compared in the order of their totals.
pub fn differences(
    tournament: &Tournament,
    rows: &[Printed],
    standings: &[Standing],
    names: impl Fn(&Standing) -> Vec<String>,
) -> Vec<String> {
    let mut left: Vec<&Standing> = standings.iter().collect();
    let mut printed: Vec<&Printed> = rows.iter().collect();
    printed.sort_by(|a, b| b.weighted.cmp(&a.weighted).then(a.row.cmp(&b.row)));
    let mut found = Vec::new();
    for row in printed {
        let is_meant =
            |line: &&Standing| names(line).iter().any(|name| name.eq_ignore_ascii_case(&row.who));
        let Some(at) = left.iter().position(is_meant) else {
            found.push((row.row, format!("{}: the books have no such entry", row.name())));
            continue;
        };
        let line = left.remove(at);
        if line.weighted != row.weighted {
            let (printed, worked) =
                (two_places(row.weighted), scoring::worked(tournament, &line.points));
            let entry = &line.entry;
            let text = format!(
                "{}: {printed} is printed, the books have {entry} with {worked}",
                row.name()
            );
            found.push((row.row, text));
        }
    }
    found.sort();
    // A list may end early; whoever is better than its last line is missing in it.
    let last = rows.iter().map(|row| row.weighted).min();
    let missing = left.iter().filter(|line| Some(line.weighted) > last).map(|line| {
        format!("{} with {} is missing in the list", line.entry, two_places(line.weighted))
    });
    found.into_iter().map(|(_, text)| text).chain(missing).collect()
}

/// Returns what cannot be right in the books of a tournament, a sentence each; of one section where it is named (Rule 6).
pub fn of_books(
    tournament: &Tournament,
    state: &State,
    section: Option<&SectionCode>,
) -> Vec<String> {
    let is_meant =
        |s: &&Section| s.tournament == tournament.id && section.is_none_or(|code| code == &s.code);
    let sections = state.sections.values().filter(is_meant).filter(|s| s.is_settled());
    let mut found: Vec<String> = sections.filter_map(section_sum).collect();
    if section.is_none() {
        found.extend(carried_sums(tournament, state));
    }
    found
}

/// A section's points are its games, less those that both lost by a double forfeit (Rule 10).
fn section_sum(section: &Section) -> Option<String> {
    let points: u16 = crosstable(section).iter().map(|row| row.settled.halves).sum();
    let is_lost = |outcome: &Outcome| outcome.result == Score::BothLose && outcome.how.is_forfeit();
    let lost = section.games.iter().filter_map(Game::settled).filter(is_lost).count();
    let games = section.games.len();
    let wanted = (games - lost) * 2;
    (usize::from(points) != wanted).then(|| {
        let points = Points::from_halves(points);
        format!(
            "{}: {points} points were scored in {games} games, {lost} of them lost by both",
            section.code
        )
    })
}

/// Scores that were carried over are checked where they can be: each by its games, those of the last round by their sum.
fn carried_sums(tournament: &Tournament, state: &State) -> Vec<String> {
    let entries = state.entries.values().filter(|entry| entry.tournament == tournament.id);
    let carried: Vec<&Carried> = entries.flat_map(|entry| &entry.carried).collect();
    let mut found = Vec::new();
    for score in &carried {
        let round = tournament.rounds.get(score.round);
        if round.is_some_and(|round| score.points > decoding::most(round)) {
            let (entry, points) = (&score.entry, score.points);
            found.push(format!("{entry}: {points} points in a round are more than its games"));
        }
    }
    let last = tournament.rounds.len().saturating_sub(1);
    let finals: Vec<&&Carried> = carried.iter().filter(|score| score.round == last).collect();
    if let Some((round, wanted)) = full_sections(tournament, finals.len()) {
        let sum: u32 = finals.iter().map(|score| u32::from(score.points.halves)).sum();
        let forfeits: u32 = finals.iter().map(|score| u32::from(score.forfeit_losses)).sum();
        // A double forfeit takes a point out of the sum and is a forfeit of two.
        let missing = wanted.checked_sub(sum);
        if missing.is_none_or(|halves| halves % 2 != 0 || halves > forfeits) {
            found.push(sum_sentence(round, finals.len(), sum, wanted));
        }
    }
    found
}

/// Returns the last round and the half points of so many entries in full sections of it; none where they fill none.
fn full_sections(tournament: &Tournament, entries: usize) -> Option<(&Round, u32)> {
    let round = tournament.rounds.last()?;
    let size = u32::from(round.size);
    let entries = u32::try_from(entries).ok()?;
    let games = size * (size - 1) / 2 * u32::from(round.games_per_pair);
    (entries > 0 && entries % size == 0).then(|| (round, entries / size * games * 2))
}

fn sum_sentence(round: &Round, entries: usize, sum: u32, wanted: u32) -> String {
    let points = |halves: u32| (Decimal::from(halves) / Decimal::TWO).normalize();
    let (name, sum, wanted) = (&round.name, points(sum), points(wanted));
    format!("the {name} scores of {entries} entries add up to {sum}; full sections have {wanted}")
}

/// Checks the sum of the last round, and works out the one score that is not known there.
fn last_round(tournament: &Tournament, rows: &mut [Printed]) -> Vec<String> {
    let last = tournament.rounds.len().saturating_sub(1);
    let (mut entries, mut sum, mut open) = (0, 0, Vec::new());
    for (n, row) in rows.iter().enumerate() {
        match row.cells.get(last) {
            Some(Cell::Known(points)) => {
                (entries, sum) = (entries + 1, sum + u32::from(points.halves));
            }
            Some(Cell::NotReached) => {}
            Some(Cell::Unknown) | None => open.push(n),
        }
    }
    let Some((round, wanted)) = full_sections(tournament, entries + open.len()) else {
        return Vec::new();
    };
    if open.is_empty() && sum != wanted {
        return vec![sum_sentence(round, entries, sum, wanted)];
    }
    let missing = wanted.checked_sub(sum).and_then(|halves| u16::try_from(halves).ok());
    let missing = missing.map(Points::from_halves).filter(|p| *p <= decoding::most(round));
    if let ([one], Some(missing)) = (&open[..], missing)
        && let Some(cell) = rows[*one].cells.get_mut(last)
    {
        *cell = Cell::Known(missing);
    }
    Vec::new()
}

/// Checks a total by what is known of the rounds. `fits` tells whether another total could stand in its place.
fn total(tournament: &Tournament, row: &Printed, fits: impl Fn(Decimal) -> bool) -> Option<String> {
    let (name, printed) = (row.name(), two_places(row.weighted));
    if let Some(points) = all_known(&row.cells, tournament.rounds.len()) {
        let wrong = scoring::weighted(tournament, &points) != row.weighted;
        let worked = scoring::worked(tournament, &points);
        return wrong.then(|| format!("{name}: {printed} is printed, but {worked}"));
    }
    let read = |passage| decoding::readings(tournament, row.weighted, &row.cells, passage);
    if !read(Passage::ByRule).is_empty() {
        return None;
    }
    let cannot = |why: &str| {
        let meant = meant(tournament, row, &fits);
        Some(format!("{name}: {printed} cannot be: {why}{meant}"))
    };
    if read(Passage::ByAnybody).is_empty() {
        return cannot("no points of the rounds give it");
    }
    // A total below this cannot belong to one who went on by rule to the last round; a director may have taken him.
    let before = &tournament.rounds[..tournament.rounds.len().saturating_sub(1)];
    let fewest: Vec<_> = before.iter().map(|round| Some(decoding::least(round))).collect();
    if row.weighted < scoring::weighted(tournament, &fewest) {
        return None;
    }
    let fewest: Vec<String> = fewest.into_iter().flatten().map(|p| p.to_string()).collect();
    cannot(&format!(
        "no points of the rounds give it, with {} before the last",
        fewest.join(" and ")
    ))
}

fn all_known(cells: &[Cell], rounds: usize) -> Option<Reading> {
    let known = |cell: &Cell| match cell {
        Cell::Unknown => None,
        Cell::NotReached => Some(None),
        Cell::Known(points) => Some(Some(*points)),
    };
    (cells.len() == rounds).then(|| cells.iter().map(known).collect())?
}

/// Returns which totals may be meant: those that differ in one digit, can be, and fit in their place.
fn meant(tournament: &Tournament, row: &Printed, fits: impl Fn(Decimal) -> bool) -> String {
    let printed = two_places(row.weighted);
    let mut near = Vec::new();
    for (at, digit) in printed.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        for other in ('0'..='9').filter(|other| *other != digit) {
            let mut text = printed.clone();
            text.replace_range(at..=at, &other.to_string());
            let Some(total) = text.parse().ok().filter(|total| fits(*total)) else { continue };
            let readings = decoding::readings(tournament, total, &row.cells, Passage::ByRule);
            near.extend(
                readings.first().map(|points| (total, scoring::worked(tournament, points))),
            );
        }
    }
    near.sort();
    let near: Vec<String> = near.into_iter().map(|(_, worked)| worked).collect();
    if near.is_empty() { String::new() } else { format!("; perhaps {}", near.join(", or ")) }
}

/// Totals fall from line to line, or stay.
fn order(rows: &[Printed]) -> Vec<String> {
    let pairs = rows.windows(2).filter(|pair| pair[0].weighted < pair[1].weighted);
    let sentence = |pair: &[Printed]| {
        let [above, below] = [&pair[0], &pair[1]];
        let (more, less) = (two_places(below.weighted), two_places(above.weighted));
        format!("{}: {more} stands below the {less} of {}", below.name(), above.name())
    };
    pairs.map(sentence).collect()
}
