//! Game records: PGN in the text and attached, as chess programs, servers and people write it (`chess::pgn`).
//!
//! A record with a result reports it, and the board tells mate and stalemate; one without a result brings the move that
//! is new in it. Its beginning must be what the books have, and the players it names must be those of the game: the
//! record of another game, or of another event, is set aside. Where tag and end of the moves differ, or a move cannot be
//! read, a person must look.

use super::{
    Found, Said,
    game::{self, By, Clues, Pick},
    moves::place,
};
use crate::{
    chess::{
        self, End, Record,
        notation::Language,
        pgn::{self, Continuation, Pgn},
    },
    domain::{
        event::Trouble,
        ids::GameId,
        intent::{Choice, Fault, Intent, Move, MoveFault},
        points::{How, Score, Side},
    },
    mail::understanding::Confidence,
};
use regex::Regex;
use std::{rc::Rc, sync::LazyLock};

/// A score sheet without tags: the first two moves at the beginning of a line.
static BARE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*1\.\s*\S+\s+\S+\s+2\.").expect("a valid pattern"));

/// Reads the records of a mail.
pub(super) fn read(said: &Said<'_>, found: &mut Found) {
    let language = said
        .players
        .iter()
        .find_map(|member| Language::of(said.desk.state.players.get(member)?.language.as_deref()?));
    for text in &said.records {
        for pgn in pgn::read_in(text, language) {
            take(&pgn, said, found);
        }
    }
    if said.records.is_empty() && BARE.is_match(said.text) {
        for pgn in pgn::read_in(said.text, language) {
            // A bare score sheet without a result is read with the other moves of the text.
            if pgn.result.is_some() && pgn.moves().len() > 3 {
                take(&pgn, said, found);
            }
        }
    }
}

/// Takes what one record says.
fn take(pgn: &Pgn, said: &Said<'_>, found: &mut Found) {
    if pgn.moves().is_empty() && pgn.unread.is_none() && pgn.result.is_none() {
        return;
    }
    let pick = match pick(pgn, said) {
        Ok(pick) => pick,
        Err(why) => {
            let reason = format!("{} is set aside: {why}", named(pgn));
            let nothing = found.intents.is_empty() && !said.players.is_empty();
            if nothing && pgn.tag("White").is_none() {
                return found.trouble(Trouble::GameUnclear, reason);
            }
            return found.reasons.push(reason);
        }
    };
    let Some((_, game)) = said.desk.state.game(&pick.game.id()) else { return };
    if let Some(why) = doubtful(pgn, &game.record) {
        let score =
            pgn.result.or(pgn.tag_result).map(Score::from).filter(|_| !pgn.results_differ());
        let told = found.intents.iter().any(|intent| {
            matches!(intent, Intent::Result { game, result, .. } if *game == pick.game && Some(*result) == score)
        });
        if told {
            // The words say it without the record; its moves are another matter.
            let reason = format!("The record that came with it is not kept: {why}.");
            forget_moves(&pick.game.id(), found);
            return found.reasons.push(reason);
        }
        let reason = format!("{} of {} cannot be taken: {why}.", named(pgn), pick.game.id());
        return found.trouble(Trouble::ForDirector, reason);
    }
    let score = pgn.result.or(pgn.tag_result).map(Score::from);
    match score {
        Some(score) => result(pgn, score, &pick, said, found),
        None => moved(pgn, &game.record, &pick, said, found),
    }
    if said.players.is_empty() {
        let reason = "No player is known under the sender's address.".to_owned();
        found.trouble(Trouble::SenderUnknown, reason);
    }
}

/// Returns the record in a few words.
fn named(pgn: &Pgn) -> String {
    match (pgn.white(), pgn.black()) {
        (Some(white), Some(black)) => format!("The record {white} - {black}"),
        _ => "A record without names".to_owned(),
    }
}

/// Finds the game of a record: by its tags, by the subject, by the letter that is answered, by the moves of the books.
fn pick(pgn: &Pgn, said: &Said<'_>) -> Result<Pick, String> {
    let tags: Vec<&str> =
        ["CmailGameName", "Site", "Event", "Round"].iter().filter_map(|t| pgn.tag(t)).collect();
    let section = Clues::of(&tags.join(" \n "), said);
    let section = Clues { words: Rc::default(), opponents: None, seat: None, ..section };
    let names: Vec<String> = [pgn.white(), pgn.black()]
        .into_iter()
        .flatten()
        .map(|name| format!("against {name}"))
        .collect();
    let names = Clues::of(&names.join(" - "), said);
    let subject = Clues::of(said.subject, said);
    let clues = if pgn.white().is_some() {
        vec![&section, &names, &subject]
    } else {
        vec![&section, &subject]
    };
    let field = game::field(&clues, said).map_err(|problem| match problem {
        game::Problem::NoSuchSection(code) => format!("the books have no section {code}."),
        game::Problem::Unclear(why) => why,
    })?;
    let fits = |pick: &&Pick| has_players(pgn, pick, said);
    let picks: Vec<&Pick> = field.picks.iter().filter(fits).collect();
    let told = pgn.white().is_some() || field.by >= By::Thread;
    match picks[..] {
        [] => Err("it is no game of the sender's.".to_owned()),
        [only] if told => Ok(only.clone()),
        _ => by_moves(pgn, &picks, said),
    }
}

/// Tells whether the players that a record names are those of a game.
fn has_players(pgn: &Pgn, pick: &Pick, said: &Said<'_>) -> bool {
    let Some(section) = said.desk.state.sections.get(&pick.game.section) else { return false };
    [(pgn.white(), pick.game.white), (pgn.black(), pick.game.black)].into_iter().all(
        |(name, seat)| {
            let Some(name) = name else { return true };
            let clues = Clues::of(&format!("against {name}"), said);
            let named = clues.names(section, said);
            named.seats.contains(&seat) || named.either.contains(&seat)
        },
    )
}

/// Chooses the one game whose moves in the books a record begins with.
fn by_moves(pgn: &Pgn, picks: &[&Pick], said: &Said<'_>) -> Result<Pick, String> {
    let goes_on = |pick: &&&Pick| {
        let game = said.desk.state.game(&pick.game.id());
        game.is_some_and(|(_, game)| {
            let known = pgn.continues(&game.record);
            game.record.len() > 3 && matches!(known, Continuation::New(_) | Continuation::Same)
        })
    };
    let fitting: Vec<&&Pick> = picks.iter().filter(goes_on).collect();
    match fitting[..] {
        [only] => Ok((*only).clone()),
        [] => Err("it names no game, and begins like none of the sender's.".to_owned()),
        _ => Err("it names no game, and several of the sender's begin so.".to_owned()),
    }
}

/// Says why a record is not to be believed.
fn doubtful(pgn: &Pgn, books: &Record) -> Option<String> {
    if pgn.results_differ() {
        let (end, tag) = (pgn.result?, pgn.tag_result?);
        return Some(format!("its tag says {} and its moves end in {}", tag.text(), end.text()));
    }
    if let Continuation::Differs { ply } = pgn.continues(books) {
        let record = pgn.sans();
        let (book, here) = (books.sans(), record.get(ply).map_or("", String::as_str));
        let at = place(number(ply), side(ply));
        let book = book.get(ply).map_or("", String::as_str);
        return Some(format!("it has {at}{here} where the books have {at}{book}"));
    }
    let stop = pgn.unread.as_ref()?;
    // A move that cannot be played at the end of the books is answered like any other of that kind.
    let fresh = stop.ply == books.len() && pgn.result.is_none() && pgn.tag_result.is_none();
    (!fresh).then(|| {
        let at = place(number(stop.ply), side(stop.ply));
        format!("its move {at}{} cannot be read, {}", stop.token, stop.why)
    })
}

fn number(ply: usize) -> u16 {
    u16::try_from(ply / 2 + 1).unwrap_or(u16::MAX)
}

const fn side(ply: usize) -> Side {
    if ply.is_multiple_of(2) { Side::White } else { Side::Black }
}

/// Takes the result of a complete game.
fn result(pgn: &Pgn, score: Score, pick: &Pick, said: &Said<'_>, found: &mut Found) {
    let id = pick.game.id();
    let Some(how) = how(pgn, score, said) else {
        let reason = format!("{} of {id} gives {score}, and the board says otherwise.", named(pgn));
        return found.trouble(Trouble::GameUnclear, reason);
    };
    let written = Some(pgn::write(pgn));
    for intent in &mut found.intents {
        let Intent::Result { game, result, how: told, pgn } = intent else { continue };
        if *game != pick.game {
            continue;
        }
        if *result != score {
            let reason = format!("The mail reports {result} in {id}, and its record {score}.");
            found.intents.clear();
            return found.trouble(Trouble::GameUnclear, reason);
        }
        if *told == How::Played || matches!(how, How::Mate | How::Stalemate) {
            *told = how;
        }
        *pgn = written;
        found.reasons.push(format!("The record that came with it is that of {id}."));
        return forget_moves(&id, found);
    }
    forget_moves(&id, found);
    let reason = format!("{} reports {score} in {}.", named(pgn), pick.described(said));
    if let Some((_, member)) = &pick.sender {
        found.player.get_or_insert_with(|| member.clone());
    }
    let game = pick.game.clone();
    found.add(
        Intent::Result { game, result: score, how, pgn: written },
        Confidence::Certain,
        reason,
    );
}

/// Takes back the moves of a game that the text seemed to bring: they are those of its complete record.
fn forget_moves(id: &GameId, found: &mut Found) {
    found.intents.retain(|intent| !matches!(intent, Intent::Move(it) if it.game.id() == *id));
    let asked = |choice: &Choice| {
        choice
            .intents
            .iter()
            .any(|intent| matches!(intent, Intent::Move(it) if it.game.id() == *id))
    };
    if found.doubt.as_ref().is_some_and(|doubt| doubt.options.iter().all(asked)) {
        found.doubt = None;
        found.undecided = false;
    }
}

/// Returns how a game ended, by the board and the comments, else by the words of the mail; none where the board
/// contradicts the score.
fn how(pgn: &Pgn, score: Score, said: &Said<'_>) -> Option<How> {
    let position = pgn.record.position();
    match position.end() {
        Some(End::Checkmate) => {
            return (score == Score::win(position.to_move().other())).then_some(How::Mate);
        }
        Some(End::Stalemate) => return (score == Score::Draw).then_some(How::Stalemate),
        Some(End::DeadPosition) => return (score == Score::Draw).then_some(How::Material),
        None => {}
    }
    if pgn.resigned().is_some() {
        return Some(How::Resignation);
    }
    if pgn.agreed() {
        return Some(How::Agreement);
    }
    let says = |word: &str| said.sentences.iter().any(|s| s.plain.contains(word));
    Some(match score {
        Score::Draw if says("agree") => How::Agreement,
        Score::WhiteWins | Score::BlackWins if says("resign") => How::Resignation,
        _ => How::Played,
    })
}

/// Takes the new move of a game that goes on.
fn moved(pgn: &Pgn, books: &Record, pick: &Pick, said: &Said<'_>, found: &mut Found) {
    let id = pick.game.id();
    let Some((me, member)) = &pick.sender else {
        let reason = format!("{}: the sender does not play in {id}.", named(pgn));
        return found.trouble(Trouble::GameUnclear, reason);
    };
    found.player.get_or_insert_with(|| member.clone());
    if pgn.resigned() == Some(*me) {
        let reason = format!("{} says that the sender resigns {id}.", named(pgn));
        let game = pick.game.clone();
        return found.add(Intent::Resign { game }, Confidence::Certain, reason);
    }
    if let Some(stop) = &pgn.unread {
        return faulty(stop, books, pick, *me, said, found);
    }
    let new = match pgn.continues(books) {
        Continuation::New(new) => new,
        Continuation::Same | Continuation::Behind | Continuation::Differs { .. } => {
            found.reasons.push(format!("{} has no move that the books of {id} lack.", named(pgn)));
            return offer(pgn, pick, *me, Confidence::Certain, found);
        }
    };
    let mut position = books.position().clone();
    let Some((last, before)) = new.split_last() else { return };
    for it in before {
        position.play(*it);
    }
    let shown = format!("{}{}", place(position.number(), position.to_move()), position.san(*last));
    if position.to_move() != *me {
        let reason = format!("{} ends in {shown}, which is not the sender's move.", named(pgn));
        return found.trouble(Trouble::ForDirector, reason);
    }
    let it = of(pick, &position, *last, before);
    let sure = if before.is_empty() { Confidence::Certain } else { Confidence::Probable };
    let reason =
        format!("The last move of the record is {shown}, legal in {}.", pick.described(said));
    let told = found.intents.iter().find_map(|intent| match intent {
        Intent::Move(told) if told.game == pick.game && !told.repeat => Some(told),
        _ => None,
    });
    match told {
        Some(told) if told.uci == it.uci => {
            found.reasons.push(format!("The record that came with it ends in {shown} too."));
            offer(pgn, pick, *me, found.confidence, found);
        }
        Some(told) => {
            let reason = format!("The mail has {} in {id}, and its record {shown}.", told.san);
            found.trouble(Trouble::GameUnclear, reason);
        }
        None => add(it, sure, reason, pgn, pick, *me, said, found),
    }
}

#[expect(clippy::too_many_arguments, reason = "one move with all that is known of it")]
fn add(
    it: Move,
    sure: Confidence,
    reason: String,
    pgn: &Pgn,
    pick: &Pick,
    me: Side,
    said: &Said<'_>,
    found: &mut Found,
) {
    if sure == Confidence::Probable {
        let more = format!("with {} moves before it that the books do not have", it.before.len());
        let says =
            format!("{}{} in {}, {more}", place(it.number, it.side), it.san, pick.described(said));
        let choice = Choice { says: says.clone(), intents: vec![Intent::Move(it.clone())] };
        found.doubt(format!("Did you mean {says}?"), vec![choice]);
    }
    found.add(Intent::Move(it), sure, reason);
    offer(pgn, pick, me, sure, found);
}

/// Adds the draw that a comment or a sign behind the last move offers, where it is the sender's.
fn offer(pgn: &Pgn, pick: &Pick, me: Side, sure: Confidence, found: &mut Found) {
    let last = side(pgn.moves().len().saturating_sub(1));
    if pgn.offers_draw() && last == me {
        let game = pick.game.clone();
        let reason = "The record offers a draw behind its last move.".to_owned();
        found.add(Intent::DrawOffer { game }, sure, reason);
    }
}

fn of(pick: &Pick, position: &chess::Position, it: chess::Move, before: &[chess::Move]) -> Move {
    Move {
        game: pick.game.clone(),
        number: position.number(),
        side: position.to_move(),
        san: position.san(it),
        uci: Some(it.uci()),
        conditional: Vec::new(),
        repeat: false,
        before: before.iter().map(|it| it.uci()).collect(),
        fault: None,
    }
}

/// Takes a move at the end of the record that cannot be played.
fn faulty(
    stop: &pgn::Stop,
    books: &Record,
    pick: &Pick,
    me: Side,
    said: &Said<'_>,
    found: &mut Found,
) {
    let (number, side) = (books.next_number(), books.next_side());
    let reason = format!(
        "`{}` of the record cannot be played in {}: {}.",
        stop.token,
        pick.described(said),
        stop.why
    );
    if side != me {
        return found.trouble(Trouble::ForDirector, reason);
    }
    let fault = MoveFault { fault: Fault::Illegal, why: stop.why.clone(), candidates: Vec::new() };
    let it = Move {
        game: pick.game.clone(),
        number,
        side,
        san: stop.token.clone(),
        uci: None,
        conditional: Vec::new(),
        repeat: false,
        before: Vec::new(),
        fault: Some(fault),
    };
    found.add(Intent::Move(it), Confidence::Unsure, reason);
}
