//! `events/*.toml`: one file a tournament. What it may say is `domain/tournament.rs`; here it is read, and checked
//! that what it says fits together. A wish that the file cannot say is a rule, and a rule is code.

use super::{
    document::{Document, Mistakes},
    error::ConfigError,
    shipped,
};
use crate::domain::{
    ids::SectionCode,
    points::Points,
    readings::SeatedFirst,
    tournament::{Round, Tournament},
};
use rust_decimal::Decimal;
use std::collections::BTreeMap;

/// Reads the text of a tournament's file.
///
/// # Errors
/// All mistakes of the file, in order of their lines.
pub fn read(file: &str, text: &str) -> Result<Tournament, Vec<ConfigError>> {
    let document = Document::parse(file, text)?;
    let sample = Document::parse(shipped::TOURNAMENT_FILE, shipped::TOURNAMENT)
        .expect("the shipped file is right");
    let tournament: Tournament = document.read(&sample)?;
    let mut wrong = document.mistakes();
    check_names(&tournament, &mut wrong);
    check_eligibility(&tournament, &mut wrong);
    check_entry(&tournament, &mut wrong);
    check_rounds(&tournament, &mut wrong);
    check_classes(&tournament, &mut wrong);
    check_prizes(&tournament, &mut wrong);
    check_clocks(&tournament, &mut wrong);
    check_counts(&tournament, &mut wrong);
    wrong.or(tournament)
}

/// Checks what the tournaments of a home have to keep apart: file, text and tournament each.
pub(super) fn check_together(read: &[(String, String, Tournament)]) -> Vec<ConfigError> {
    let mut errors = Vec::new();
    let mut taken: BTreeMap<String, &str> = BTreeMap::new();
    for (file, text, tournament) in read {
        let Ok(document) = Document::parse(file, text) else { continue };
        let mut wrong = document.mistakes();
        for (key, name) in names(tournament) {
            match taken.get(&name) {
                Some(other) if other != file => {
                    let hint = "two tournaments of a home share no id and no section code";
                    wrong.at(&key, format!("{other} has it already"), hint);
                }
                _ => drop(taken.insert(name, file)),
            }
        }
        let next = tournament.entry.carry_forward_to.as_ref();
        if next.is_some_and(|id| !read.iter().any(|(_, _, t)| &t.id == id)) {
            let hint = "leave the key out until the file of that tournament is here";
            wrong.at("entry.carry_forward_to", "no file in events/ has this id", hint);
        }
        let other = read.iter().map(|(_, _, other)| other).find(|other| Some(&other.id) == next);
        if other.is_some_and(|other| other.entry.currency != tournament.entry.currency) {
            let hint =
                "what was paid for an entry goes with it, and no money is converted (Rule 1)";
            wrong.at("entry.carry_forward_to", "that tournament has another currency", hint);
        }
        errors.extend(wrong.or(()).err().into_iter().flatten());
    }
    errors
}

/// Returns what must not be another tournament's, each with its key. Aliases are not among it: the Golden Knights of
/// two years are both "the golden knights", and which is meant the dates tell.
fn names(tournament: &Tournament) -> impl Iterator<Item = (String, String)> {
    let rounds = tournament.rounds.iter().enumerate();
    std::iter::once(("id".to_owned(), format!("id {}", tournament.id.0.to_lowercase()))).chain(
        rounds.map(|(n, r)| {
            (format!("round[{}].code", n + 1), format!("code {}", r.code.to_lowercase()))
        }),
    )
}

fn check_names(tournament: &Tournament, wrong: &mut Mistakes<'_>) {
    let id = &tournament.id.0;
    if id.is_empty() || !id.bytes().all(|b| b.is_ascii_alphanumeric()) {
        let hint = "it begins the numbers of entries, GK2019-001: capitals and digits, \"GK2019\"";
        wrong.at("id", "an id is letters and digits", hint);
    }
    if tournament.name.trim().is_empty() || tournament.name.contains(['\r', '\n']) {
        wrong.at("name", "a name is one line and not empty", "letters print it");
    }
    for (n, alias) in tournament.aliases.iter().enumerate() {
        if alias.trim().is_empty() || alias.to_lowercase() != *alias {
            let hint = "players' words are compared in small letters, \"golden knights\"";
            wrong.at(&format!("aliases[{}]", n + 1), "an alias is in small letters", hint);
        }
    }
}

/// Rule 1.
fn check_eligibility(tournament: &Tournament, wrong: &mut Mistakes<'_>) {
    let terms = &tournament.eligibility;
    for (key, codes) in [
        ("countries", &terms.countries),
        ("states_anywhere", &terms.states_anywhere),
        ("states_excluded", &terms.states_excluded),
    ] {
        for (n, code) in codes.iter().enumerate() {
            let key = format!("eligibility.{key}[{}]", n + 1);
            if code.len() != 2 || !code.bytes().all(|b| b.is_ascii_uppercase()) {
                let hint = "codes are two capitals, \"US\" for a country, \"AP\" for a state";
                wrong.at(&key, format!("\"{code}\" is no code"), hint);
            } else if codes[..n].contains(code) {
                wrong.at(&key, format!("{code} stands here a second time"), "take one out");
            }
        }
    }
    let both = terms.states_excluded.iter().find(|s| terms.states_anywhere.contains(s));
    if let Some(state) = both {
        let what = format!("{state} is welcome wherever it is, and not in it");
        wrong.at("eligibility.states_excluded", what, "take it out of one list");
    }
    let days = &terms.membership_reminder_days;
    if days.contains(&0) || !days.is_sorted_by(|a, b| a > b) {
        let hint = "the first reminder has most days to go, for example [60, 30, 7]";
        wrong.at("eligibility.membership_reminder_days", "the days do not fall", hint);
    }
}

/// Rules 8 and 9.
fn check_entry(tournament: &Tournament, wrong: &mut Mistakes<'_>) {
    let terms = &tournament.entry;
    amount("entry.fee", terms.fee, wrong);
    if terms.currency.len() != 3 || !terms.currency.bytes().all(|b| b.is_ascii_uppercase()) {
        let hint = "currencies are three capitals (ISO 4217), \"USD\"";
        wrong.at("entry.currency", format!("\"{}\" is no currency", terms.currency), hint);
    }
    positive("entry.per_player", terms.per_player.into(), wrong);
    check_deadlines(tournament, wrong);
    if terms.pairings_from < terms.opens {
        let hint = format!("the first entry may come on {}; choose that day or later", terms.opens);
        wrong.at("entry.pairings_from", "sections would form before anybody can enter", hint);
    }
    if terms.carry_forward_to.as_ref() == Some(&tournament.id) {
        let hint = "name the tournament of next year, or leave the key out";
        wrong.at("entry.carry_forward_to", "a late entry would come back to this one", hint);
    }
    let days = &terms.payment_reminder_days;
    if days.contains(&0) || !days.is_sorted_by(|a, b| a < b) {
        let hint = "they are days after the entry, the first reminder first, for example [14, 30]";
        wrong.at("entry.payment_reminder_days", "the days do not rise", hint);
    }
}

/// Rule 9: the more entries a person has, the earlier the last ones must come.
fn check_deadlines(tournament: &Tournament, wrong: &mut Mistakes<'_>) {
    let terms = &tournament.entry;
    for (n, deadline) in terms.deadlines.iter().enumerate() {
        let key = format!("entry.deadlines[{}]", n + 1);
        let before = n.checked_sub(1).map(|n| &terms.deadlines[n]);
        if before.is_some_and(|b| b.entries >= deadline.entries) || deadline.entries == 0 {
            let hint = "deadlines stand in order of their number of entries, the fewest first";
            wrong.at(&format!("{key}.entries"), "the number does not rise", hint);
        }
        if before.is_some_and(|b| b.by <= deadline.by) {
            let hint = "more entries have an earlier day, so that the latest day stands first";
            wrong.at(&format!("{key}.by"), "it is not earlier than the one before", hint);
        }
        if deadline.by < terms.opens {
            let hint = format!("the first day of entry is {}", terms.opens);
            wrong.at(&format!("{key}.by"), "it is over before anybody can enter", hint);
        }
    }
    let covered = terms.deadlines.iter().map(|d| d.entries).max().unwrap_or(0);
    if covered < terms.per_player {
        let what = format!("entries {} to {} have no deadline", covered + 1, terms.per_player);
        let hint = format!("add {{ entries = {}, by = \"…\" }}", terms.per_player);
        wrong.at("entry.deadlines", what, hint);
    }
}

/// Rules 2, 3 and 6.
fn check_rounds(tournament: &Tournament, wrong: &mut Mistakes<'_>) {
    let rounds = &tournament.rounds;
    if rounds.is_empty() {
        wrong.at("round", "there is no round", "add [[round]] as the shipped file has it");
    }
    for (n, round) in rounds.iter().enumerate() {
        let key = |name: &str| format!("round[{}].{name}", n + 1);
        let again = |same: &dyn Fn(&Round) -> bool| rounds[..n].iter().any(same);
        if round.name.trim().is_empty() || again(&|r| r.name == round.name) {
            let hint = "each round has a name of its own, \"preliminary\"";
            wrong.at(&key("name"), "the name is empty or another round's", hint);
        }
        check_code(&key("code"), round, again(&|r| r.code == round.code), wrong);
        if !(2..=30).contains(&round.size) {
            let hint = "a section has 2 to 30 seats";
            wrong.at(&key("size"), format!("{} is no number of seats", round.size), hint);
        }
        if !(1..=2).contains(&round.games_per_pair) {
            let hint = "each two players have 1 game or 2";
            wrong.at(&key("games_per_pair"), "it is neither 1 nor 2", hint);
        }
        positive(&key("months"), round.months.into(), wrong);
        if round.weight <= Decimal::ZERO {
            wrong.at(&key("weight"), "a win must count something", "for example \"1.0\"");
        }
        check_advance(n, round, n + 1 == rounds.len(), wrong);
    }
}

/// Rule 2: classes may overlap; each takes somebody.
fn check_classes(tournament: &Tournament, wrong: &mut Mistakes<'_>) {
    let classes = &tournament.classes;
    for (n, class) in classes.iter().enumerate() {
        let key = |name: &str| format!("class[{}].{name}", n + 1);
        let again = classes[..n].iter().any(|c| c.name == class.name);
        if class.name.trim().is_empty() || again {
            let hint = "each class has a name of its own, \"Expert\"";
            wrong.at(&key("name"), "the name is empty or another class's", hint);
        }
        if let (Some(min), Some(max)) = (class.min_rating, class.max_rating)
            && min > max
        {
            let hint = "the lowest rating is not above the highest";
            wrong.at(&key("min_rating"), "no rating is of this class", hint);
        }
    }
    positive("assignment.sections", tournament.assignment.sections.into(), wrong);
    positive("entry.ask_again_days", tournament.entry.ask_again_days.into(), wrong);
    let invites = tournament.readings.seated_first == SeatedFirst::HighestRating;
    if invites && !classes.is_empty() {
        let hint = "take the classes out, or seated_first = \"earliest-postmark\"";
        wrong.at("readings.seated_first", "an invitation has no classes", hint);
    }
}

/// Rule 2: a code that players' spellings of it would not be read back to is none.
fn check_code(key: &str, round: &Round, taken: bool, wrong: &mut Mistakes<'_>) {
    let section = format!("{}01", round.code);
    match SectionCode::read(&section) {
        Some(code) if code.0 == section && !taken => {}
        Some(code) if code.0 == section => {
            let hint = "each round has a code of its own: \"19N\", \"19Ns\", \"19Nf\"";
            wrong.at(key, "another round has this code", hint);
        }
        _ => {
            let hint = "a code is the year's two digits and the event's letters, with s or f \
                        for a later round: \"19N\", \"19Ns\", \"19Nf\"";
            wrong.at(key, format!("{section} would not be read as a section"), hint);
        }
    }
}

/// Rule 3: who reaches the points advances; who has the next best may; less is less.
fn check_advance(n: usize, round: &Round, last: bool, wrong: &mut Mistakes<'_>) {
    let key = |name: &str| format!("round[{}].{name}", n + 1);
    let ladder = [("advance", round.advance), ("otherwise", round.otherwise), ("fill", round.fill)];
    if last {
        for (name, _) in ladder.iter().filter(|(_, points)| points.is_some()) {
            let hint = "take it out, or add the round it leads to";
            wrong.at(&key(name), "nobody advances from the last round", hint);
        }
        return;
    }
    let games = u16::from(round.size.saturating_sub(1)) * u16::from(round.games_per_pair);
    let Some(advance) = round.advance else {
        let hint = "add the points that advance to the next round, for example advance = \"4.5\"";
        return wrong.at(&key("advance"), "nobody would advance from this round", hint);
    };
    if games > 0 && (advance > Points::from_halves(games * 2) || advance == Points::default()) {
        let hint = format!("a section has {games} games for each player");
        wrong.at(&key("advance"), format!("{advance} points cannot be meant"), hint);
    }
    if round.otherwise.is_some_and(|points| points >= advance) {
        let hint = format!("it holds where nobody reached {advance}: less than that");
        wrong.at(&key("otherwise"), "it is not less than advance", hint);
    }
    if round.fill.is_some_and(|points| points > round.otherwise.unwrap_or(advance)) {
        let hint = "who fills up has not reached the points that advance";
        wrong.at(&key("fill"), "it is more than the points that advance", hint);
    }
}

/// Rules 4, 5 and 6.
fn check_prizes(tournament: &Tournament, wrong: &mut Mistakes<'_>) {
    let places = &tournament.prizes.places;
    for (n, prize) in places.iter().enumerate() {
        let key = format!("prizes.places[{}]", n + 1);
        amount(&key, *prize, wrong);
        if n > 0 && places[n - 1] < *prize {
            wrong.at(&key, "it is more than the place before has", "the first place stands first");
        }
    }
    if tournament.prizes.scaled_to_entries == Some(0) {
        let hint = "leave it out where the amounts hold for any number of entries";
        wrong.at("prizes.scaled_to_entries", "it is 0", hint);
    }
    if let Some(worth) = tournament.awards.gift_certificate {
        amount("awards.gift_certificate", worth, wrong);
    }
    if let Some(name) = &tournament.awards.framing_certificate_round
        && !tournament.rounds.iter().any(|r| &r.name == name)
    {
        let rounds: Vec<_> = tournament.rounds.iter().map(|r| r.name.as_str()).collect();
        let hint = format!("the rounds are {}", rounds.join(", "));
        let what = format!("there is no round \"{name}\"");
        wrong.at("awards.framing_certificate_round", what, hint);
    }
}

/// Rule 10: the latest rule set that has begun applies, so one must have begun with the tournament.
fn check_clocks(tournament: &Tournament, wrong: &mut Mistakes<'_>) {
    let clocks = &tournament.clocks;
    if clocks.first().is_none_or(|c| c.from > tournament.entry.opens) {
        let hint = format!("the first [[clock]] begins on {} or earlier", tournament.entry.opens);
        let key = if clocks.is_empty() { "clock" } else { "clock[1].from" };
        wrong.at(key, "the tournament would begin without a rule set", hint);
    }
    for (n, clock) in clocks.iter().enumerate() {
        let key = |name: &str| format!("clock[{}].{name}", n + 1);
        if n > 0 && clocks[n - 1].from >= clock.from {
            let hint = "rule sets stand in order of their first day";
            wrong.at(&key("from"), "it does not begin after the one before", hint);
        }
        positive(&key("days"), clock.days.into(), wrong);
        positive(&key("moves"), clock.moves.into(), wrong);
        if clock.days_a_move_max.is_some_and(|d| d == 0 || d > clock.days) {
            let hint =
                format!("it is at most the {} days for all the moves, or left out", clock.days);
            wrong.at(&key("days_a_move_max"), "no move could take so long", hint);
        }
        if clock.complaint_from_day < clock.repeat_after_days {
            let hint = "a complaint is made after a repeat, so its day is not the earlier one";
            wrong.at(&key("complaint_from_day"), "it comes before the repeat", hint);
        }
    }
}

/// Rules 10 and 11.
fn check_counts(tournament: &Tournament, wrong: &mut Mistakes<'_>) {
    positive("results.objection_days", tournament.results.objection_days.into(), wrong);
    positive("results.answer_days", tournament.results.answer_days.into(), wrong);
    positive("results.extension_days", tournament.results.extension_days.into(), wrong);
    positive("forfeits.opponents", tournament.forfeits.opponents.into(), wrong);
    positive("forfeits.oversteps", tournament.forfeits.oversteps.into(), wrong);
    positive("forfeits.oversteps_in_final", tournament.forfeits.oversteps_in_final.into(), wrong);
    if tournament.leave.days_a_year > 366 {
        wrong.at("leave.days_a_year", "a year has fewer days", "30 is usual; 0 asks each time");
    }
}

fn positive(key: &str, number: u32, wrong: &mut Mistakes<'_>) {
    if number == 0 {
        wrong.at(key, "it is 0", "it is a number from 1");
    }
}

fn amount(key: &str, amount: Decimal, wrong: &mut Mistakes<'_>) {
    if amount.is_sign_negative() || amount.normalize().scale() > 2 {
        let hint = "an amount is not negative and has at most two places, \"25.00\"";
        wrong.at(key, format!("{amount} is no amount of money"), hint);
    }
}
