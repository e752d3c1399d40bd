//! Results of games (Rule 10), and resignations: what a sentence states (`grammar.rs`) meets the game that is meant
//! (`game.rs`). A line tells more of the game than the lines above it, those more than the subject, and that more than
//! the letter that is answered.
//!
//! A win on time or by forfeit is no result to report but a claim, and goes to the director (Rules 7 and 10).

use super::{
    Found, Said,
    game::{self, Clues, Pick, Problem},
    grammar::{Says, how, pieces, statement, told},
    phrases::{Sentence, short},
};
use crate::{
    domain::{
        event::Trouble,
        ids::Seat,
        points::{How, Score, Side},
    },
    mail::understanding::{Confidence, Intent},
};

/// Reads results and resignations.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let subject = Clues::of(said.subject, said);
    let mut context = Clues::default();
    let whole = whole_text(said);
    for sentence in &said.sentences {
        let own = Clues::of(&sentence.text, said);
        for piece in pieces(sentence) {
            let near = Clues::of(&piece.text, said);
            if let Some((says, how)) = statement(&piece, &own, found) {
                let clues = [&near, &own, &context, &subject, &whole];
                take(&says, how, &piece, &clues, said, found);
            }
        }
        if !own.sections.is_empty() {
            context = own;
        } else if is_game_field(sentence) {
            context = merged(context, &own, sentence);
        }
    }
    line_for_how(said, found);
}

/// Takes the way a game ended from a line of its own, `How: agreement`, where the mail tells of one game.
fn line_for_how(said: &Said<'_>, found: &mut Found) {
    let value = said.sentences.iter().find_map(|s| {
        let (_, value) = s
            .field()
            .filter(|(name, _)| matches!(*name, "how" | "reason" | "by" | "ended" | "manner"))?;
        Some(how(value, &Says::Draw))
    });
    if let (Some(told), [Intent::Result { how, .. }]) = (value, &mut found.intents[..])
        && *how == How::Played
    {
        *how = told;
    }
}

/// Returns the game that the lines of the whole text name together: `Result: 1-0` may stand above `Section: 19N04`.
fn whole_text(said: &Said<'_>) -> Clues {
    let mut all = Clues::default();
    let mut pairs = Vec::new();
    for sentence in said.sentences.iter().filter(|s| s.field().is_some() || s.text.len() < 40) {
        let own = Clues::of(&sentence.text, said);
        if is_game_field(sentence) {
            pairs.push(merged(Clues::default(), &own, sentence));
        }
        for code in own.sections {
            if !all.sections.contains(&code) {
                all.sections.push(code);
            }
        }
    }
    if all.sections.len() > 1 {
        all.sections.clear();
    }
    // `White: Hale` and `Black: Ortiz` name the game in two lines.
    let value = |side: &str| {
        let line =
            said.sentences.iter().find(|s| s.field().is_some_and(|(name, _)| name == side))?;
        line.text.split_once(':').map(|(_, value)| value.trim())
    };
    if let Some((white, black)) = value("white").zip(value("black")) {
        // `White: 1` and `Black: 2` are seats; `White: 1` and `Black: 0` are points.
        let pair = match (seat(white), seat(black)) {
            (Some(white), Some(black)) if white != black => format!("seats {white}-{black}"),
            _ => format!("{white} - {black}"),
        };
        let named = Clues::of(&pair, said);
        return Clues { sections: all.sections, ..named };
    }
    match pairs.pop() {
        Some(only) if pairs.is_empty() => Clues { sections: all.sections, ..only },
        _ => all,
    }
}

/// Returns the number of a seat that stands by itself: `1`, `#1`, `seat 1`.
fn seat(value: &str) -> Option<u8> {
    let number = value.trim_start_matches(|c: char| c.is_alphabetic() || " #.".contains(c));
    number.trim_end_matches('.').parse().ok().filter(|seat| *seat > 0)
}

fn is_game_field(sentence: &Sentence) -> bool {
    sentence.field().is_some_and(|(name, _)| {
        matches!(name, "game" | "board" | "pairing" | "seats" | "opponent")
    })
}

fn merged(context: Clues, own: &Clues, sentence: &Sentence) -> Clues {
    let mut clues = own.clone();
    if clues.pair.is_none()
        && let Some((one, other)) = sentence.field().and_then(|(_, value)| value.split_once('-'))
    {
        let seats = one.trim().parse().ok().zip(other.trim().parse().ok());
        clues.pair = seats.map(|(one, other)| (Seat(one), Seat(other)));
    }
    clues.sections = context.sections;
    clues
}
/// Finds the game of a statement and adds what it says.
fn take(
    says: &Says,
    how: How,
    sentence: &Sentence,
    clues: &[&Clues],
    said: &Said<'_>,
    found: &mut Found,
) {
    let quoted = short(&sentence.text);
    if said.players.is_empty() && clues.iter().all(|c| c.sections.is_empty()) {
        // A stranger's words about nobody's game: spam is full of them.
        found.reasons.push(format!("`{quoted}` names no game, and the sender is not known."));
        return;
    }
    let pick = match game::resolve(clues, said) {
        Ok(pick) => pick,
        Err(Problem::NoSuchSection(code)) => {
            let reason =
                format!("`{quoted}` speaks of section {code}, which the books do not have.");
            return found.trouble(Trouble::GameUnclear, reason);
        }
        Err(Problem::Unclear(why)) => {
            return found
                .trouble(Trouble::GameUnclear, format!("`{quoted}` leaves the game open. {why}"));
        }
    };
    if *says == Says::Resign {
        return resign(&pick, &quoted, said, found);
    }
    let Some((result, turned)) = result(says, &pick, said) else {
        if matches!(says, Says::Name { .. }) && clues[0].sections.is_empty() {
            return; // somebody who is no player here
        }
        let reason = format!("`{quoted}` does not tell who won in {}.", pick.game.id());
        return found.trouble(Trouble::GameUnclear, reason);
    };
    if let (Says::Score(_), Some((side, _)), Some(Says::Me { won })) =
        (says, &pick.sender, told(&sentence.plain))
        && Score::win(if won { *side } else { side.other() }) != result
    {
        let reason = format!("`{quoted}` says one thing in words and another in the score.");
        return found.trouble(Trouble::GameUnclear, reason);
    }
    if let Some(other) = contradicted(&pick, result, found) {
        found.intents.clear();
        let reason = format!("The mail says both {other} and {result} of {}.", pick.game.id());
        return found.trouble(Trouble::GameUnclear, reason);
    }
    let mut reason = format!("`{quoted}` reports {result} in {}.", pick.game.id());
    let sure = if turned || pick.guessed { Confidence::Probable } else { Confidence::Certain };
    if turned {
        reason.push_str(" The names stand in the other order than White and Black.");
    }
    add(Intent::Result { game: pick.game.clone(), result, how }, sure, reason, &pick, said, found);
}

fn resign(pick: &Pick, quoted: &str, said: &Said<'_>, found: &mut Found) {
    if pick.sender.is_none() {
        let reason = format!("`{quoted}`: the sender does not play in {}.", pick.game.id());
        return found.trouble(Trouble::GameUnclear, reason);
    }
    if pick.guessed && pick.order.is_empty() {
        let reason =
            format!("`{quoted}` names no opponent; {} is the only game left.", pick.game.id());
        return add(
            Intent::Resign { game: pick.game.clone() },
            Confidence::Probable,
            reason,
            pick,
            said,
            found,
        );
    }
    let reason = format!("`{quoted}` resigns {}.", pick.game.id());
    add(Intent::Resign { game: pick.game.clone() }, Confidence::Certain, reason, pick, said, found);
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
    found.add(intent, sure, reason);
    if said.players.is_empty() {
        found.trouble(
            Trouble::SenderUnknown,
            "No player is known under the sender's address.".to_owned(),
        );
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

/// Returns another score that the mail has of the same game. The same one, told with more words, replaces the first.
fn contradicted(pick: &Pick, result: Score, found: &mut Found) -> Option<Score> {
    let position = found.intents.iter().position(|intent| match intent {
        Intent::Result { game, .. } => *game == pick.game,
        _ => false,
    })?;
    match &found.intents[position] {
        Intent::Result { result: other, how, .. } if *other == result => {
            if *how == How::Played {
                found.intents.remove(position);
            }
            None
        }
        Intent::Result { result: other, .. } => Some(*other),
        _ => None,
    }
}
