//! Which game is meant: what the clues of the text (`clues.rs`) add up to in the books, with the letter that is answered
//! and who writes. Clues nearer to the statement weigh more; a name that contradicts a section is never overruled
//! silently. Games that remain are for the move to tell apart (`moves.rs`), else for the sender.

use super::Said;
pub(super) use super::clues::Clues;
use crate::domain::{
    ids::{GameId, MemberId, Seat, SectionCode},
    intent::Game,
    points::Side,
    section::Section,
};

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

/// What told the games from the sender's others, the least telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum By {
    /// Nothing: they are all games of the sender's.
    Nothing,
    /// The section alone.
    Section,
    /// The letter that is answered.
    Thread,
    /// A name, or seats.
    Name,
}

/// The games that may be meant.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// The games.
    pub(super) picks: Vec<Pick>,
    /// What told them from the others.
    pub(super) by: By,
}

/// Finds the game that clues mean; those nearer to the statement come first.
pub(super) fn resolve(clues: &[&Clues], said: &Said<'_>) -> Result<Pick, Problem> {
    let field = field(clues, said)?;
    single(&field.picks, said)
}

/// Finds the games that clues may mean; those nearer to the statement come first.
pub(super) fn field(clues: &[&Clues], said: &Said<'_>) -> Result<Field, Problem> {
    let state = said.desk.state;
    if let Some(n) = clues.iter().position(|c| !c.sections.is_empty()) {
        let [code] = &clues[n].sections[..] else {
            let codes: Vec<_> = clues[n].sections.iter().map(ToString::to_string).collect();
            let why = format!("Several sections are named: {}.", codes.join(", "));
            return Err(Problem::Unclear(why));
        };
        let section =
            state.sections.get(code).ok_or_else(|| Problem::NoSuchSection(code.clone()))?;
        let unknown = || clues.iter().find_map(|c| c.unknown_opponent(section, said));
        if let Some(why) = stray(section, &clues[..=n], said).or_else(unknown) {
            return Err(Problem::Unclear(why));
        }
        return Ok(fitting(section, clues, said));
    }
    let thread =
        said.about.and_then(|a| a.game.as_ref().map(|g| &g.section).or(a.section.as_ref()));
    if let Some(section) = thread.and_then(|code| state.sections.get(code))
        && stray(section, clues, said).is_none()
    {
        let field = fitting(section, clues, said);
        if !field.picks.is_empty() {
            return Ok(threaded(field, said));
        }
    }
    Ok(anywhere(clues, said))
}

/// Keeps the game of the thread alone, where nothing but the thread tells which it is.
fn threaded(field: Field, said: &Said<'_>) -> Field {
    let thread = said.about.and_then(|a| a.game.as_ref());
    let pick = thread.and_then(|id| field.picks.iter().find(|p| p.game.id() == *id));
    match pick {
        Some(pick) if field.by < By::Name || field.picks.len() > 1 => {
            Field { picks: vec![Pick { guessed: false, ..pick.clone() }], by: By::Thread }
        }
        _ => field,
    }
}

/// Returns the games in all sections of the sender that fit.
fn anywhere(clues: &[&Clues], said: &Said<'_>) -> Field {
    let fields: Vec<Field> = said.sections().map(|s| fitting(s, clues, said)).collect();
    let by = fields.iter().filter(|f| !f.picks.is_empty()).map(|f| f.by).max();
    let by = by.unwrap_or(By::Nothing);
    let best = fields.into_iter().filter(|f| f.by == by).flat_map(|f| f.picks).collect();
    Field { picks: best, by: if by == By::Section { By::Nothing } else { by } }
}

/// Tells who is named although he does not play in the section that is named, but against the sender elsewhere.
fn stray(section: &Section, clues: &[&Clues], said: &Said<'_>) -> Option<String> {
    for clue in clues {
        if clue.pair.is_some() || clue.seat.is_some() {
            return None;
        }
        let own = said.own_seats(section);
        let here = clue.names(section, said);
        if here.seats.iter().chain(&here.either).any(|seat| !own.contains(seat)) {
            return None;
        }
        for other in said.sections().filter(|s| s.code != section.code) {
            let own = said.own_seats(other);
            let named = clue.names(other, said);
            let there = named.seats.iter().find(|s| !own.contains(s)).filter(|_| !named.guessed);
            if let Some(player) = there.and_then(|seat| said.desk.state.player_at(other, *seat)) {
                return Some(format!(
                    "{} is named, who plays in {} and not in {}.",
                    player.name, other.code, section.code
                ));
            }
        }
    }
    None
}

/// Returns the games of a section that fit the clues.
fn fitting(section: &Section, clues: &[&Clues], said: &Said<'_>) -> Field {
    let own = said.own_seats(section);
    let mine = |seat: Seat| own.contains(&seat);
    let (mut order, mut either) = (Vec::new(), Vec::new());
    for clue in clues {
        if let Some((one, other)) = clue.pair {
            order = vec![one, other];
        } else if let Some(seat) = clue.seat.filter(|s| !mine(*s) && section.seated(*s).is_some()) {
            order = vec![seat];
        } else {
            let named = clue.names(section, said);
            // `Thorne resigned our game Novak-Thorne`: the pair tells who has White.
            order = clue.paired(section, said).unwrap_or(named.seats);
            either = named.either;
        }
        // Only the sender's own name says nothing.
        if order.iter().any(|s| !mine(*s)) || order.len() > 1 {
            either.clear();
            break;
        }
        order.clear();
        either.retain(|s| !mine(*s));
        if !either.is_empty() {
            break;
        }
    }
    let fits = |white: Seat, black: Seat| match order[..] {
        [] if either.is_empty() => mine(white) || mine(black),
        [] => (mine(white) && either.contains(&black)) || (mine(black) && either.contains(&white)),
        [one] => (white == one && mine(black)) || (black == one && mine(white)),
        [one, other] => (white == one && black == other) || (white == other && black == one),
        _ => order.contains(&white) && order.contains(&black),
    };
    let picks: Vec<Pick> = picks_of(section, &order, said, fits);
    let named = !order.is_empty() || !either.is_empty();
    if order.len() > 1 && picks.iter().all(|p| p.sender.is_none()) && !own.is_empty() {
        // `Against Rosa; give my regards to Theo`: two opponents, and no game of theirs is the sender's to play.
        let each = |white: Seat, black: Seat| {
            (mine(white) && order.contains(&black)) || (mine(black) && order.contains(&white))
        };
        let others = picks_of(section, &order, said, each);
        let picks = picks.into_iter().chain(others).collect();
        return Field { picks, by: By::Section };
    }
    Field { picks, by: if named { By::Name } else { By::Section } }
}

fn picks_of(
    section: &Section,
    order: &[Seat],
    said: &Said<'_>,
    fits: impl Fn(Seat, Seat) -> bool,
) -> Vec<Pick> {
    let own = said.own_seats(section);
    let games = section.games.iter().filter(|g| fits(g.white, g.black));
    let picks = games.map(|g| {
        let sender = own.iter().find_map(|seat| {
            Some((g.side(*seat)?, said.desk.state.member_at(section, *seat)?.clone()))
        });
        let game = Game { section: section.code.clone(), white: g.white, black: g.black };
        Pick { game, sender, order: order.to_vec(), guessed: order.is_empty() }
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

impl Pick {
    /// Returns the game with the sender's opponent in words: `19N04 1-2 against Rosa Ortiz`.
    pub(super) fn described(&self, said: &Said<'_>) -> String {
        let id = self.game.id();
        let opponent = self.sender.as_ref().and_then(|(side, _)| {
            let member = said.desk.state.member_of(&id, side.other())?;
            said.desk.state.players.get(member)
        });
        match opponent {
            Some(player) => format!("{id} against {}", player.name),
            None => id.to_string(),
        }
    }
}
