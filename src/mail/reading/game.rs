//! Which game is meant: section codes in every spelling, seats, names (surnames, misspelt by a letter or two, with an
//! initial), the letter that is answered, and who writes. Two games that remain are for the sender to tell apart.

use super::{
    Said,
    phrases::{distance, folded},
};
use crate::{
    domain::{
        ids::{GameId, MemberId, Seat, SectionCode},
        points::Side,
        section::Section,
        state::State,
    },
    mail::understanding::Game,
};
use regex::Regex;
use std::sync::LazyLock;

static CODE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b((?:20)?\d\d)( ?-?)(EN|VP|SQ|N|W|C|P|A)([sf]?)[ #-]{0,2}(\d{1,3})\b")
        .expect("a valid pattern")
});
static PAIR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:\b(boards?|games?|seats?|pairing)\s*:?\s*)?(?:^|\b)([1-9]\d?)\s?(-|v|vs\.?|x)\s?([1-9]\d?)\b")
        .expect("a valid pattern")
});
static SEAT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:#|\bseat |\bplayer |\bplayer no\.? |\bno\. )\s?(\d{1,2})\b")
        .expect("a valid pattern")
});
/// Words that are no misspelt names, though a name may look like them.
const WORDS: &[&str] = &[
    "white",
    "black",
    "section",
    "game",
    "games",
    "result",
    "results",
    "board",
    "drawn",
    "draw",
    "lost",
    "have",
    "half",
    "hello",
    "dear",
    "thanks",
    "regards",
    "moves",
    "move",
    "mate",
    "final",
    "report",
    "reports",
    "both",
    "with",
    "against",
    "after",
    "opponent",
    "resigned",
    "resigns",
    "round",
    "event",
    "golden",
    "knights",
    "director",
    "player",
    "please",
    "here",
    "that",
    "this",
    "ended",
    "over",
    "well",
    "played",
    "best",
    "wishes",
    "from",
    "and",
    "the",
    "score",
    "checkmate",
    "agreed",
    "stalemate",
    "sincerely",
    "greetings",
    "good",
    "beat",
    "won",
    "win",
    "loss",
    "male",
    "hail",
    "also",
    "more",
];

/// What a piece of text tells of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Clues {
    /// Section codes, in their official spelling.
    pub(super) sections: Vec<SectionCode>,
    /// Two seats, as they were written.
    pub(super) pair: Option<(Seat, Seat)>,
    /// One seat: `#5`.
    pub(super) seat: Option<Seat>,
    /// The words, for names: as they stand, with whether they begin with a capital.
    pub(super) words: Vec<(String, bool)>,
}

impl Clues {
    /// Collects the clues of a text.
    pub(super) fn of(text: &str, said: &Said<'_>) -> Self {
        let mut clues = Self { words: words(text), ..Self::default() };
        let mut behind_code = None;
        if text.bytes().any(|b| b.is_ascii_digit()) {
            for found in CODE.captures_iter(text) {
                if let Some(code) = code(&found, said) {
                    behind_code = found.get(0).map(|m| m.end());
                    if !clues.sections.contains(&code) {
                        clues.sections.push(code);
                    }
                }
            }
            clues.pair = pair(text, behind_code);
            let seat = SEAT.captures(text).and_then(|c| c[1].parse().ok());
            clues.seat = seat.filter(|n| *n > 0).map(Seat);
        }
        clues
    }

    /// Tells whether it names players or seats.
    fn names_a_game(&self, section: &Section, said: &Said<'_>) -> bool {
        self.pair.is_some() || self.seat.is_some() || !self.named(section, said).is_empty()
    }

    /// Returns the seats whose players it names, in the order of the text.
    pub(super) fn named(&self, section: &Section, said: &Said<'_>) -> Vec<Seat> {
        let players = seated_names(section, said.desk.state);
        let exact = self.matches(&players, |word, name, _| word == name);
        if !exact.is_empty() {
            return exact;
        }
        self.matches(&players, |word, name, capital| {
            let allowed = match name.chars().count() {
                0..=3 => 0,
                4..=6 => 1,
                _ => 2,
            };
            let usual = WORDS.contains(&word);
            capital && !usual && allowed > 0 && word.len() > 3 && distance(word, name) <= allowed
        })
    }

    fn matches(
        &self,
        players: &[SeatedName],
        fits: impl Fn(&str, &str, bool) -> bool,
    ) -> Vec<Seat> {
        let mut seats: Vec<Seat> = Vec::new();
        for (n, (word, capital)) in self.words.iter().enumerate() {
            let joined = self.words.get(n + 1).map(|(next, _)| format!("{word}{next}"));
            let hit = |p: &&SeatedName| {
                fits(word, &p.surname, *capital) || joined.as_ref().is_some_and(|j| *j == p.surname)
            };
            let mut hits: Vec<&SeatedName> = players.iter().filter(hit).collect();
            if hits.len() > 1 && n > 0 {
                // Two of a name in a section: the word before it, a first name or an initial, tells them apart.
                let before = &self.words[n - 1].0;
                hits.retain(|p| p.first.starts_with(before.as_str()));
            }
            if let [only] = hits[..]
                && !seats.contains(&only.seat)
            {
                seats.push(only.seat);
            }
        }
        seats
    }
}

struct SeatedName {
    seat: Seat,
    surname: String,
    first: String,
}

fn seated_names(section: &Section, state: &State) -> Vec<SeatedName> {
    let seats = section.each_seat().filter_map(|(seat, _)| {
        let player = state.player_at(section, seat)?;
        let first = player.name.split_once(',').map_or(player.name.as_str(), |(_, first)| first);
        let first = first.split_whitespace().next().map(folded).unwrap_or_default();
        Some(SeatedName { seat, surname: folded(player.surname()), first })
    });
    seats.collect()
}

fn words(text: &str) -> Vec<(String, bool)> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '\u{2019}');
    let named = words.filter(|w| w.chars().any(char::is_alphabetic)).take(200);
    named.map(|w| (folded(w), w.starts_with(char::is_uppercase))).collect()
}

/// Returns a section code, unless it is a move: `19 Nf3` is one, and so is `19 c4`.
fn code(found: &regex::Captures<'_>, said: &Said<'_>) -> Option<SectionCode> {
    let (gap, event, round, number) = (&found[2], &found[3], &found[4], &found[5]);
    let code = SectionCode::read(&format!("{}{event}{round}{number}", &found[1]))?;
    if said.desk.state.sections.contains_key(&code) && gap.is_empty() {
        return Some(code);
    }
    let square = number.len() == 1 && !matches!(number, "0" | "9");
    let piece = round.eq_ignore_ascii_case("f") && square;
    let pawn = square && !gap.is_empty() && matches!(event, "c" | "a" | "C" | "A");
    let compact = gap.is_empty() || event.chars().all(char::is_uppercase);
    (!piece && !pawn && compact).then_some(code)
}

/// Returns two seats: behind a section code, or with a word that says so. `3-1` alone is anything.
fn pair(text: &str, behind_code: Option<usize>) -> Option<(Seat, Seat)> {
    PAIR.captures_iter(text).find_map(|found| {
        let (whole, first) = (found.get(0)?, found.get(2)?);
        let outside = |c: Option<char>| {
            c.is_none_or(|c| !c.is_ascii_digit() && !matches!(c, '-' | '/' | '.' | ':'))
        };
        let before = text[..first.start()].chars().next_back().filter(|c| *c != ':');
        let after = text[whole.end()..].chars().next().filter(|c| !matches!(c, '.' | ':'));
        let near = behind_code.is_some_and(|end| {
            text.get(end..first.start())
                .is_some_and(|gap| gap.len() <= 3 && !gap.contains(char::is_alphanumeric))
        });
        let said = found.get(1).is_some()
            || &found[3] != "-"
            || near
            || score_follows(&text[whole.end()..]);
        let seats = (Seat(found[2].parse().ok()?), Seat(found[4].parse().ok()?));
        (said && outside(before) && outside(after) && seats.0 != seats.1).then_some(seats)
    })
}

/// Tells whether a score follows: what stands before one is two seats.
fn score_follows(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', ':', ',', '=', '\t']);
    ["1-0", "0-1", "1:0", "0:1", "1 - 0", "0 - 1", "1/2-", "½-", "½–", "0.5", ".5-", "1/2", "½"]
        .iter()
        .any(|s| rest.starts_with(s))
}

/// A game that was found.
#[derive(Clone, Debug)]
pub(super) struct Pick {
    /// The game.
    pub(super) game: Game,
    /// The sender's side, and who of those who share the address it is.
    pub(super) sender: Option<(Side, MemberId)>,
    /// The seats in the order in which the text named them.
    pub(super) order: Vec<Seat>,
    /// Whether only one game was left because the others are over.
    pub(super) guessed: bool,
}

/// Why no single game was found.
#[derive(Clone, Debug)]
pub(super) enum Problem {
    /// The books have no such section.
    NoSuchSection(SectionCode),
    /// Several games fit, or none; a sentence.
    Unclear(String),
}

/// Finds the game that clues mean; those nearer to the statement come first.
pub(super) fn resolve(clues: &[&Clues], said: &Said<'_>) -> Result<Pick, Problem> {
    let state = said.desk.state;
    let named = clues.iter().find(|c| !c.sections.is_empty());
    if let Some(several) = named.filter(|c| c.sections.len() > 1) {
        let codes: Vec<_> = several.sections.iter().map(ToString::to_string).collect();
        return Err(Problem::Unclear(format!("Several sections are named: {}.", codes.join(", "))));
    }
    if let Some(code) = named.map(|c| &c.sections[0]) {
        let section =
            state.sections.get(code).ok_or_else(|| Problem::NoSuchSection(code.clone()))?;
        return single(&fitting(section, clues, said), said);
    }
    let thread =
        said.about.and_then(|a| a.game.as_ref().map(|g| &g.section).or(a.section.as_ref()));
    if let Some(section) = thread.and_then(|code| state.sections.get(code)) {
        let fitting = fitting(section, clues, said);
        if !fitting.is_empty() {
            return single(&fitting, said);
        }
    }
    let mut own: Vec<&Section> = Vec::new();
    for (section, _) in said.players.iter().flat_map(|p| state.seats_of(p)) {
        if !own.iter().any(|s| s.code == section.code) {
            own.push(section);
        }
    }
    let specific = own.iter().copied().filter(|s| clues.iter().any(|c| c.names_a_game(s, said)));
    let mut picks: Vec<Pick> = specific.flat_map(|s| fitting(s, clues, said)).collect();
    if picks.is_empty() {
        picks = own.iter().flat_map(|s| fitting(s, clues, said)).collect();
    }
    single(&picks, said)
}

/// Returns the games of a section that fit the clues.
fn fitting(section: &Section, clues: &[&Clues], said: &Said<'_>) -> Vec<Pick> {
    let seats: Vec<(Seat, &MemberId)> = section
        .each_seat()
        .filter_map(|(seat, _)| Some((seat, said.desk.state.member_at(section, seat)?)))
        .filter(|(_, member)| said.players.contains(member))
        .collect();
    let mine = |seat: Seat| seats.iter().any(|(s, _)| *s == seat);
    let mut order = Vec::new();
    for clue in clues {
        if let Some((one, other)) = clue.pair {
            order = vec![one, other];
        } else if let Some(seat) = clue.seat.filter(|s| !mine(*s)) {
            order = vec![seat];
        } else {
            order = clue.named(section, said);
        }
        // Only the sender's own name says nothing.
        if order.iter().any(|s| !mine(*s)) || order.len() > 1 {
            break;
        }
        order.clear();
    }
    let fits = |white: Seat, black: Seat| match order[..] {
        [] => mine(white) || mine(black),
        [one] => (white == one && mine(black)) || (black == one && mine(white)),
        [one, other] => (white == one && black == other) || (white == other && black == one),
        _ => order.contains(&white) && order.contains(&black),
    };
    let games = section.games.iter().filter(|g| fits(g.white, g.black));
    let picks = games.map(|g| {
        let sender = seats.iter().find_map(|(s, member)| Some((g.side(*s)?, (*member).clone())));
        let game = Game { section: section.code.clone(), white: g.white, black: g.black };
        Pick { game, sender, order: order.clone(), guessed: order.is_empty() }
    });
    picks.collect()
}

/// Takes the one game that is left: the one the letter was about, or the only one that still runs.
fn single(picks: &[Pick], said: &Said<'_>) -> Result<Pick, Problem> {
    let state = said.desk.state;
    if let Some(thread) = said.about.and_then(|a| a.game.as_ref())
        && let Some(pick) = picks.iter().find(|p| p.game.id() == *thread)
        && (pick.guessed || picks.len() > 1)
    {
        return Ok(Pick { guessed: false, ..pick.clone() });
    }
    if let [only] = picks {
        return Ok(only.clone());
    }
    let runs = |id: &GameId| state.game(id).is_some_and(|(_, g)| g.settled().is_none());
    let running: Vec<&Pick> = picks.iter().filter(|p| runs(&p.game.id())).collect();
    match running[..] {
        [only] => Ok(Pick { guessed: true, ..only.clone() }),
        _ if picks.is_empty() => {
            Err(Problem::Unclear("No game of the sender fits what is said.".to_owned()))
        }
        _ => {
            let names: Vec<_> = picks.iter().take(8).map(|p| p.game.id().to_string()).collect();
            Err(Problem::Unclear(format!("More than one game fits: {}.", names.join(", "))))
        }
    }
}
