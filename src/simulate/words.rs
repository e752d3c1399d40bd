//! What the made-up players write: entries, results in many spellings, resignations, complaints and everything else that
//! comes to a director. A phrase here is one that real players use; whether it is read rightly is the readers' affair.

use super::chance::Chance;
use crate::domain::{
    ids::GameId,
    points::{How, Outcome, Score, Side},
};
use chrono::NaiveDate;

/// A game as a player speaks of it.
#[derive(Clone, Debug)]
pub(super) struct Played<'a> {
    /// The game.
    pub(super) game: &'a GameId,
    /// The name of White and of Black.
    pub(super) names: [&'a str; 2],
    /// Who speaks.
    pub(super) by: Side,
}

impl Played<'_> {
    fn opponent(&self) -> &str {
        match self.by {
            Side::White => self.names[1],
            Side::Black => self.names[0],
        }
    }

    /// Returns the subject of a mail about it.
    pub(super) fn subject(&self) -> String {
        let surname = |name: &str| name.split(' ').next_back().unwrap_or(name).to_owned();
        format!("{} {} - {}", self.game.section, surname(self.names[0]), surname(self.names[1]))
    }
}

/// Returns an entry.
pub(super) fn entry(chance: &mut Chance, event: &str, member: &str, count: u8) -> String {
    let entries = if count == 1 { "1 entry".to_owned() } else { format!("{count} entries") };
    match chance.below(3) {
        0 => format!(
            "Please enter me in the {event}, {entries}. My member ID is {member}.\nThe fee comes by post."
        ),
        1 => format!("Event: {event}\nEntries: {count}\nMember ID: {member}"),
        _ => format!("Dear director,\n\nplease enter me in the {event}: {entries}. ID {member}."),
    }
}

/// Returns a report as most people write it.
pub(super) fn result(chance: &mut Chance, played: &Played<'_>, outcome: Outcome) -> String {
    let Outcome { result, how } = outcome;
    let (section, white, black) = (&played.game.section, played.game.white, played.game.black);
    let opponent = played.opponent();
    let story = match result {
        Score::Draw => "My game was drawn",
        _ if result == Score::win(played.by) => "I won my game",
        _ => "I lost my game",
    };
    let manner = match how {
        How::Mate => " by checkmate",
        How::Agreement => ", draw agreed",
        How::Resignation if result == Score::win(played.by) => ", he resigned",
        _ => "",
    };
    match chance.below(5) {
        0 => format!("Section: {section}\nWhite: {white}\nBlack: {black}\nResult: {result}"),
        1 => format!("{section}, {white}-{black}: {result}"),
        2 => format!("{section}, {white}-{black}: {result}{manner}"),
        3 => format!("{story} against {opponent} in {section}, {result}."),
        _ => format!(
            "Section: {section}\nGame: {white}-{black}\nResult: {result}\n\nIt was a fine game."
        ),
    }
}

/// Returns a report with a section's code and a score as careless people write them.
pub(super) fn sloppy_result(chance: &mut Chance, played: &Played<'_>, result: Score) -> String {
    let section = carelessly(chance, &played.game.section.0);
    let (white, black) = (played.game.white, played.game.black);
    let score = match result {
        Score::WhiteWins => *chance.pick(&["1:0", "1 - 0", "1-0", "1–0"]),
        Score::BlackWins => *chance.pick(&["0:1", "0 - 1", "0-1", "0–1"]),
        Score::Draw => *chance.pick(&["½-½", "1/2 - 1/2", "draw", "1/2"]),
        Score::BothLose => "0-0",
    };
    match chance.below(6) {
        0 => format!("section:{section}\nwhite: {white} black: {black}\nresult:{score}"),
        _ => format!("{section} {white}-{black}   {score}\nsent from my phone"),
    }
}

/// Returns a code with its zeros dropped, in another case, with a blank or a hyphen in it.
pub(super) fn carelessly(chance: &mut Chance, code: &str) -> String {
    let letters = code.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(0);
    let number = code.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
    let (year, name, number) = (&code[..letters], &code[letters..number], &code[number..]);
    let short = number.trim_start_matches('0');
    match chance.below(4) {
        0 => code.to_lowercase(),
        1 => format!("{year}{name}{short}"),
        2 => format!("{year} {name}-{number}"),
        _ => format!("{}{}{}", year, name.to_lowercase(), short),
    }
}

/// Returns a resignation.
pub(super) fn resignation(chance: &mut Chance, played: &Played<'_>) -> String {
    let (section, opponent) = (&played.game.section, played.opponent());
    match chance.below(3) {
        0 => format!("I resign my game against {opponent} in {section}."),
        1 => format!(
            "{section} {}-{}: I resign. Congratulations to {opponent}.",
            played.game.white, played.game.black
        ),
        _ => format!("I resign against {opponent} in section {section}. Thank you for the game."),
    }
}

/// Returns a time complaint: when the move was sent, and when it was repeated.
pub(super) fn complaint(
    played: &Played<'_>,
    sent: NaiveDate,
    repeated: Option<NaiveDate>,
) -> String {
    let GameId { section, white, black } = played.game;
    let day = |day: NaiveDate| day.format("%-d %B %Y").to_string();
    let repeated = repeated.map(|on| format!(", repeated {}", day(on))).unwrap_or_default();
    format!("Time complaint: {section} {white}-{black}, move sent {}{repeated}", day(sent))
}

/// Returns an objection.
pub(super) fn objection(played: &Played<'_>) -> String {
    let GameId { section, white, black } = played.game;
    format!("I object to the result in {section} {white}-{black}.")
}

/// Returns the news of a death, as an opponent tells it.
pub(super) fn death(name: &str) -> String {
    format!("I have learned that {name} has died. The family wrote to me.")
}

/// Returns a request for leave.
pub(super) fn leave(from: NaiveDate, to: NaiveDate) -> String {
    let day = |day: NaiveDate| day.format("%-d %B %Y").to_string();
    format!("Please grant me leave from {} to {}.", day(from), day(to))
}

/// Returns a withdrawal from a whole event.
pub(super) fn withdrawal(event: &str) -> String {
    format!("I have to withdraw from the {event}.")
}

/// Returns news of another address.
pub(super) fn address(new: &str) -> String {
    format!("My new email address is {new}")
}

/// Returns news of a membership.
pub(super) fn membership(expires: NaiveDate) -> String {
    format!(
        "I renewed my US Chess membership, it is now valid until {}.",
        expires.format("%B %-d, %Y")
    )
}

/// Returns a question as it comes now and then.
pub(super) fn question(chance: &mut Chance) -> String {
    let asked = [
        "When do the entries close, and what is the fee?",
        "How do I report a result?",
        "What are my games?",
        "How do the standings look?",
    ];
    (*chance.pick(&asked)).to_owned()
}
