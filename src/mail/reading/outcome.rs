//! A statement meets the books: which game it is about, what it makes of that game, and what speaks against it: another
//! score in the same mail, a colour that the sender does not have, words that say something else than the score. What
//! fits several games, or one by guess alone, is asked about.

use super::{
    CHOICES, Found, Said, crosscheck,
    game::{self, Clues, Pick, Problem},
    grammar::{Says, Stated},
    phrases::{Sentence, short},
    told::told,
};
use crate::{
    domain::{
        event::Trouble,
        ids::Seat,
        intent::{Choice, Game, Intent},
        points::{Score, Side},
    },
    mail::{lexicon::Key, understanding::Confidence},
};

/// Finds the game of a statement and adds what it says.
pub(super) fn take(
    stated: &Stated,
    sentence: &Sentence,
    clues: &[&Clues],
    said: &Said<'_>,
    found: &mut Found,
) {
    let Stated { says, sure, .. } = stated;
    let quoted = short(&sentence.text);
    if said.players.is_empty() && clues.iter().all(|c| c.sections.is_empty()) {
        // A stranger's words about nobody's game: spam is full of them.
        found.reasons.push(format!("`{quoted}` names no game, and the sender is not known."));
        return;
    }
    let resolved = || game::resolve(clues, said).or_else(|why| wider(clues, said, why));
    let pick = match between(says, clues, said).map_or_else(resolved, Ok) {
        Ok(pick) => pick,
        Err(Problem::NoSuchSection(code)) => {
            let reason =
                format!("`{quoted}` speaks of section {code}, which the books do not have.");
            return found.trouble(Trouble::GameUnclear, reason);
        }
        Err(Problem::Unclear(why)) => {
            found.reasons.push(format!("`{quoted}` leaves the game open. {why}"));
            return ask_which(stated, sentence, clues, said, found);
        }
    };
    if let Some(why) = wrong_color(sentence, says, &pick) {
        return found.trouble(Trouble::GameUnclear, format!("`{quoted}`: {why}"));
    }
    if *says == Says::Resign {
        return resign(&pick, *sure, &quoted, said, found);
    }
    let Some((result, turned)) = result(says, &pick, said) else {
        if matches!(says, Says::Name { .. }) && clues[0].sections.is_empty() {
            return; // somebody who is no player here
        }
        let reason = format!("`{quoted}` does not tell who won in {}.", pick.game.id());
        return found.trouble(Trouble::GameUnclear, reason);
    };
    if is_of_either_side(sentence, says, &pick) {
        found.reasons.push(format!("`{quoted}` may give White's point first, or the sender's."));
        return ask_whose(stated, result, &pick, said, found);
    }
    let in_words = told(sentence, said).and_then(|(says, _)| self::result(&says, &pick, said));
    if matches!(says, Says::Score(_)) && in_words.is_some_and(|(words, _)| words != result) {
        let reason = format!("`{quoted}` says one thing in words and another in the score.");
        return found.trouble(Trouble::GameUnclear, reason);
    }
    report(&Report { stated, result, turned, sentence }, &pick, said, found);
}

/// A result as a sentence has it.
struct Report<'a> {
    stated: &'a Stated,
    result: Score,
    /// Whether the names stand in the other order than White and Black.
    turned: bool,
    sentence: &'a Sentence,
}

/// Adds a result, unless the mail has it already or says otherwise.
fn report(report: &Report<'_>, pick: &Pick, said: &Said<'_>, found: &mut Found) {
    let Report { stated, result, turned, sentence } = *report;
    let doubtful = turned || pick.guessed;
    let mut sure = if doubtful { Confidence::Probable } else { stated.sure };
    if crosscheck::told_again(&pick.game, result, stated.how, sure, found) {
        return;
    }
    if let Some(other) = contradicted(pick, result, found) {
        if !crosscheck::corrects(sentence) {
            found.intents.clear();
            let reason = format!("The mail says both {other} and {result} of {}.", pick.game.id());
            return found.trouble(Trouble::GameUnclear, reason);
        }
        found.intents.retain(|intent| intent.game() != Some(&pick.game));
        sure = Confidence::Probable;
    }
    let quoted = short(&sentence.text);
    let mut reason = format!("`{quoted}` reports {result} in {}.", pick.game.id());
    if turned {
        reason.push_str(" The names stand in the other order than White and Black.");
    }
    let how = stated.how;
    let intent = Intent::Result { game: pick.game.clone(), result, how, pgn: None };
    add(intent, sure, reason, pick, said, found);
}

fn resign(pick: &Pick, sure: Confidence, quoted: &str, said: &Said<'_>, found: &mut Found) {
    if pick.sender.is_none() && !said.players.is_empty() {
        let reason = format!("`{quoted}`: the sender does not play in {}.", pick.game.id());
        return found.trouble(Trouble::GameUnclear, reason);
    }
    let guessed = pick.guessed && pick.order.is_empty();
    let reason = if guessed {
        format!("`{quoted}` names no opponent; {} is the only game left.", pick.game.id())
    } else {
        format!("`{quoted}` resigns {}.", pick.game.id())
    };
    let sure = if guessed { Confidence::Probable } else { sure };
    add(Intent::Resign { game: pick.game.clone() }, sure, reason, pick, said, found);
}

/// Tells whether a score may be told from the sender's side: `1-0 against Keating` by one who had Black.
fn is_of_either_side(sentence: &Sentence, says: &Says, pick: &Pick) -> bool {
    let decided = matches!(says, Says::Score(Score::WhiteWins | Score::BlackWins));
    let black = matches!(pick.sender, Some((Side::Black, _)));
    decided
        && black
        && pick.order.len() < 2
        && sentence.tags.has(Key::Versus)
        && sentence.field().is_none()
}

/// Asks who won, where a score can be read from either side.
fn ask_whose(stated: &Stated, result: Score, pick: &Pick, said: &Said<'_>, found: &mut Found) {
    let intent =
        |result| Intent::Result { game: pick.game.clone(), result, how: stated.how, pgn: None };
    let choices = [result, mirrored(result)].map(|result| {
        let intent = intent(result);
        Choice { says: says(&intent, pick, said), intents: vec![intent] }
    });
    found.undecided = true;
    found.doubt(format!("How did {} end?", pick.described(said)), choices.to_vec());
}

/// Returns the game between two others whom a statement names: `O'Dell beat Keating`.
fn between(says: &Says, clues: &[&Clues], said: &Said<'_>) -> Option<Pick> {
    let near = clues.first().filter(|near| near.pair.is_none() && near.seat.is_none())?;
    if !matches!(says, Says::Name { .. } | Says::Points(..) | Says::Score(_)) {
        return None;
    }
    let code = clues.iter().find_map(|c| c.sections.first())?;
    let section = said.desk.state.sections.get(code)?;
    let order = near.named(section, said);
    let [one, other] = order[..] else { return None };
    if said.own_seats(section).iter().any(|own| order.contains(own)) {
        return None;
    }
    let played = section.games_between(one, other).next()?;
    let game = Game { section: code.clone(), white: played.white, black: played.black };
    Some(Pick { game, sender: None, order, guessed: false })
}

/// Finds the game of a statement that names only one of its players, where the subject names both: a stranger's `Hale
/// won` below `19N04 Hale-Ortiz`.
fn wider(clues: &[&Clues], said: &Said<'_>, why: Problem) -> Result<Pick, Problem> {
    if said.players.is_empty() {
        let fewer = (1..clues.len()).map(|n| game::resolve(&clues[n..], said));
        return fewer.into_iter().find_map(Result::ok).ok_or(why);
    }
    Err(why)
}

/// Asks in which of several games a statement is meant, where they are few.
fn ask_which(
    stated: &Stated,
    sentence: &Sentence,
    clues: &[&Clues],
    said: &Said<'_>,
    found: &mut Found,
) {
    let quoted = short(&sentence.text);
    let field = game::field(clues, said);
    let picks = field.map(|field| field.picks).unwrap_or_default();
    let runs = |pick: &&Pick| {
        let game = said.desk.state.game(&pick.game.id());
        pick.sender.is_some() && game.is_some_and(|(_, game)| game.settled().is_none())
    };
    let running: Vec<&Pick> = picks.iter().filter(runs).collect();
    let choices = running.iter().filter_map(|pick| {
        let intent = match stated.says {
            Says::Resign => Intent::Resign { game: pick.game.clone() },
            ref says => {
                let (result, _) = result(says, pick, said)?;
                Intent::Result { game: pick.game.clone(), result, how: stated.how, pgn: None }
            }
        };
        Some(Choice { says: says(&intent, pick, said), intents: vec![intent] })
    });
    let choices: Vec<Choice> = choices.collect();
    if !(2..=CHOICES).contains(&choices.len()) {
        let reason = format!("In which game `{quoted}` is meant, the mail does not say.");
        return found.trouble(Trouble::GameUnclear, reason);
    }
    found.undecided = true;
    found.doubt(format!("In which game did you mean `{quoted}`?"), choices);
}

/// Says an act in words, as a question to the sender lists it.
fn says(intent: &Intent, pick: &Pick, said: &Said<'_>) -> String {
    match intent {
        Intent::Result { result, .. } => format!("{result} in {}", pick.described(said)),
        _ => format!("that you resign {}", pick.described(said)),
    }
}

/// Tells whether the colour that the sender says he had is not that of the books.
fn wrong_color(sentence: &Sentence, says: &Says, pick: &Pick) -> Option<&'static str> {
    let of_sender = matches!(says, Says::Me { .. } | Says::Resign | Says::Draw);
    let (side, _) = pick.sender.as_ref().filter(|_| of_sender)?;
    match (sentence.tags.has(Key::WithWhite), sentence.tags.has(Key::WithBlack), side) {
        (true, false, Side::Black) => Some("in that game the sender has Black."),
        (false, true, Side::White) => Some("in that game the sender has White."),
        _ => None,
    }
}

fn add(
    intent: Intent,
    sure: Confidence,
    reason: String,
    pick: &Pick,
    said: &Said<'_>,
    found: &mut Found,
) {
    if let Some((_, member)) = &pick.sender {
        found.player.get_or_insert_with(|| member.clone());
    }
    if sure == Confidence::Probable {
        let says = says(&intent, pick, said);
        found.ask(intent, format!("Did you mean {says}?"), says, reason);
    } else {
        found.add(intent, sure, reason);
    }
    if said.players.is_empty() {
        let reason = "No player is known under the sender's address.".to_owned();
        found.trouble(Trouble::SenderUnknown, reason);
    } else if pick.sender.is_none() {
        found.trouble(Trouble::ForDirector, "The sender does not play in that game.".to_owned());
    }
}

/// Returns the score, White's first, and whether the names stood the other way round.
fn result(says: &Says, pick: &Pick, said: &Said<'_>) -> Option<(Score, bool)> {
    let game = &pick.game;
    let turned = pick.order[..] == [game.black, game.white];
    let side = pick.sender.as_ref().map(|(side, _)| *side);
    let of_seat = |seat: Seat| {
        if seat == game.white {
            Some(Side::White)
        } else {
            (seat == game.black).then_some(Side::Black)
        }
    };
    let of_name = |name: &str| {
        let section = said.desk.state.sections.get(&game.section)?;
        // The statement is in small letters; a name is compared as if it had a capital.
        let mut capital = name.chars();
        let name: String = capital.next()?.to_uppercase().chain(capital).collect();
        let seats = Clues::of(&name, said).named(section, said);
        seats.first().copied().and_then(of_seat)
    };
    match says {
        Says::Draw | Says::Score(Score::Draw) => Some((Score::Draw, false)),
        Says::Score(score) if turned => Some((mirrored(*score), true)),
        Says::Score(score) => Some((*score, false)),
        Says::Side(side) => Some((Score::win(*side), false)),
        Says::Me { won } => side.map(|s| (Score::win(if *won { s } else { s.other() }), false)),
        Says::Points(one, halves, other) => {
            let first = of_name(one).or_else(|| of_name(other).map(Side::other))?;
            Some((points(first, *halves), false))
        }
        Says::Name { name, won } => {
            let of = of_name(name)?;
            Some((Score::win(if *won { of } else { of.other() }), false))
        }
        Says::Resign => None,
    }
}

fn points(side: Side, halves: u8) -> Score {
    match halves {
        2 => Score::win(side),
        0 => Score::win(side.other()),
        _ => Score::Draw,
    }
}

const fn mirrored(score: Score) -> Score {
    match score {
        Score::WhiteWins => Score::BlackWins,
        Score::BlackWins => Score::WhiteWins,
        same => same,
    }
}

/// Returns another score that the mail has of the same game.
fn contradicted(pick: &Pick, result: Score, found: &Found) -> Option<Score> {
    found
        .intents
        .iter()
        .find_map(|intent| match intent {
            Intent::Result { game, result: other, .. } if *game == pick.game => Some(*other),
            _ => None,
        })
        .filter(|other| *other != result)
}
