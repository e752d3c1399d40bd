//! What the moves of a block come to: an intent for the game that they belong to, a fault with its reason, or a question to
//! the sender where they can mean two things. What the mail says of each game in all, `deliver.rs` puts together.

use super::{
    Found, Said,
    blocks::Block,
    conditional,
    deliver::Made,
    moves::{Candidate, place, quoted},
    played::{Faulty, Own},
    tokens::{Token, Whose},
};
use crate::{
    domain::{
        docket::ItemKind,
        event::Trouble,
        intent::{Choice, Conditional, Fault, Intent, Move, MoveFault},
        points::Side,
    },
    mail::{
        lexicon::{Key, Tags},
        understanding::Confidence,
    },
};
use regex::Regex;
use std::sync::LazyLock;

/// The most games that a question names.
pub(super) const OPTIONS: usize = 6;

/// Takes what the moves of a block mean for the one game that is meant.
pub(super) fn single(
    candidate: &Candidate<'_>,
    block: &Block,
    said: &Said<'_>,
    made: &mut Vec<Made>,
    found: &mut Found,
) {
    take(candidate, block, Confidence::Certain, said, made, found);
}

/// The same where only number, side and the rules of chess tell the game.
pub(super) fn guessed(
    candidate: &Candidate<'_>,
    block: &Block,
    said: &Said<'_>,
    made: &mut Vec<Made>,
    found: &mut Found,
) {
    take(candidate, block, Confidence::Probable, said, made, found);
}

fn take(
    candidate: &Candidate<'_>,
    block: &Block,
    sure: Confidence,
    said: &Said<'_>,
    made: &mut Vec<Made>,
    found: &mut Found,
) {
    let sense = &candidate.sense;
    let tokens = &candidate.sorted.plain;
    let id = candidate.pick.game.id();
    for (n, why) in &sense.aside {
        let text = tokens[*n].shown();
        found.reasons.push(format!("`{text}` is not taken as a move in {id}: {why}."));
    }
    if sense.own.is_empty() && sense.theirs.is_none() {
        return nothing_new(candidate, block, sure, said, made, found);
    }
    if sense.theirs.is_some() {
        return caught_up(candidate, said, made, found);
    }
    if let Some(why) = sense.differs.as_ref().filter(|_| sense.known > 1) {
        let reason = format!("{id} is not as the books have it: {why}.");
        found.trouble(Trouble::ForDirector, reason);
    }
    let conditions = conditional::read(&candidate.board, sense.own[0].it, &candidate.sorted.lines);
    found.reasons.extend(conditions.unread);
    let beside = sense.beyond.first().is_some_and(|(n, _)| {
        let own = &tokens[sense.own[sense.own.len() - 1].token];
        !sense.from_start && tokens[*n].sentence != own.sentence
    });
    if beside {
        let line: Vec<Token> = sense.beyond.iter().map(|(n, _)| tokens[*n].clone()).collect();
        let reason = format!("{} goes beyond the sender's move and is not taken.", quoted(&line));
        found.reasons.push(reason);
    } else if !sense.beyond.is_empty() {
        return beyond(candidate, sure, said, made, found);
    }
    for own in &sense.own {
        let one = of_own(candidate, own, conditions.read.clone(), block, sure, said);
        made.push(one);
    }
    // A second move that cannot be read, stated like the first: the sender may have meant that.
    if let Some(fault) = worst(&sense.faults, tokens)
        && tokens[fault.token].stands
        && fault.token > sense.own[0].token
    {
        let fault = faulty(candidate, fault, sure, said);
        found.reasons.push(fault.reason.clone());
        if let Some(last) = made.last_mut() {
            last.sure = Confidence::Probable;
        }
    }
}

/// Takes a block that brings no move the game could take: a fault, a difference, a repeat, or talk.
fn nothing_new(
    candidate: &Candidate<'_>,
    block: &Block,
    sure: Confidence,
    said: &Said<'_>,
    made: &mut Vec<Made>,
    found: &mut Found,
) {
    let (sense, tokens) = (&candidate.sense, &candidate.sorted.plain);
    let id = candidate.pick.game.id();
    if let Some(fault) = worst(&sense.faults, tokens) {
        return made.push(faulty(candidate, fault, sure, said));
    }
    if let Some(why) = &sense.differs {
        let reason = format!("{id} is not as the books have it: {why}.");
        return found.trouble(Trouble::ForDirector, reason);
    }
    if let Some(n) = sense.again {
        if tokens[n].mused.is_none()
            && tokens[n].whose != Whose::Yours
            && (tokens[n].alone && sense.known < 3 || block.again)
        {
            made.extend(repeated(candidate, n, said));
        }
        return conditions_alone(candidate, found);
    }
    if let Some(own) = sense.mentioned.as_ref().filter(|own| is_plain(own, candidate, said)) {
        let one = of_own(candidate, own, Vec::new(), block, Confidence::Probable, said);
        return made.push(one);
    }
    if let Some(own) = &sense.mentioned {
        let choice = choice(candidate, own, block, said);
        found.mention.get_or_insert(choice);
    }
    conditions_alone(candidate, found);
}

/// Words by which a sentence is about something else than the move that is to be made.
const OTHER: [Key; 8] = [
    Key::MoveTold,
    Key::MoveMused,
    Key::MoveDenied,
    Key::Told,
    Key::Past,
    Key::Elsewhere,
    Key::Denial,
    Key::Doubtful,
];
/// A year: what is told of one is of another game.
static YEAR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(?:1[89]|20)\d\d\b").expect("a valid pattern"));

/// Tells whether a move that nothing announces is told in a plain sentence all the same, with number and side of the move
/// that is to be made: such a one is asked about.
fn is_plain(own: &Own, candidate: &Candidate<'_>, said: &Said<'_>) -> bool {
    let tokens = &candidate.sorted.plain;
    let token = &tokens[own.token];
    let next = candidate.board.record.next_number();
    let Some(sentence) = said.sentences.get(token.sentence) else { return false };
    let around = Tags::around(&sentence.plain);
    let other = |key: &Key| sentence.tags.has(*key) || around.has(*key);
    let aside = candidate.sense.aside.iter();
    let beside = aside.filter(|(n, _)| tokens[*n].sentence == token.sentence).count();
    token.number == Some(next)
        && token.whose != Whose::Yours
        && !(said.own_subject && token.sentence == 0)
        && !sentence.question
        && beside <= 1
        && !YEAR.is_match(&sentence.plain)
        && !OTHER.iter().any(other)
}

/// Returns the fault that counts: the last one of a move that is stated.
fn worst<'f>(faults: &'f [Faulty], tokens: &[Token]) -> Option<&'f Faulty> {
    faults.iter().rev().find(|f| tokens[f.token].stands)
}

/// Makes a move of a token.
fn of_own(
    candidate: &Candidate<'_>,
    own: &Own,
    conditional: Vec<Conditional>,
    block: &Block,
    sure: Confidence,
    said: &Said<'_>,
) -> Made {
    let token = &candidate.sorted.plain[own.token];
    let it = intent(candidate, own.it, conditional, &[], block.again);
    let text = token.shown();
    let shown = format!("{}{}", place(it.number, it.side), it.san);
    let mut reason = format!(
        "`{text}` is {shown}, legal in {} {}.",
        candidate.pick.described(said),
        candidate.board.standing()
    );
    let (mut sure, mut apart) = (sure, false);
    if candidate.is_hung(block, said) && sure == Confidence::Certain {
        reason.push_str(" But something beside it leaves in doubt whether it stands.");
        sure = Confidence::Probable;
    } else if sure < Confidence::Certain {
        reason
            .push_str(" Nothing names the game; of the sender's games only this one can take it.");
    }
    if token.number.is_none() && !said.names_number(it.number) && something_waits(candidate, said) {
        reason.push_str(
            " It has no number, and something of one of the players waits for an answer.",
        );
        sure = sure.min(Confidence::Probable);
    }
    if let Some(slip) = &own.slip {
        reason = format!("{reason} It is not quite certain: {slip}.");
        sure = Confidence::Probable;
    }
    if let Some(why) = &candidate.sense.differs {
        reason = format!("{reason} But {why}.");
        sure = Confidence::Probable;
        apart = true;
    }
    Made {
        pick: candidate.pick.clone(),
        it,
        sure,
        reason,
        corrects: token.corrects,
        revoked: token.revoked,
        offers_draw: token.offers_draw,
        apart,
    }
}

/// Tells whether something about the game waits: a mail for the director, or a question for its answer. There may be a
/// move in it that the books do not have, and one without a number might then belong behind it. What waits about other
/// games, or about none, holds up nothing here.
fn something_waits(candidate: &Candidate<'_>, said: &Said<'_>) -> bool {
    let (state, id) = (said.desk.state, candidate.pick.game.id());
    let held = state.open_of_kind(ItemKind::MailHeld);
    let mut players =
        [Side::White, Side::Black].into_iter().filter_map(|side| state.member_of(&id, side));
    held.into_iter().any(|item| item.about.game.as_ref() == Some(&id))
        || players.any(|member| {
            state.open_questions_to(member).any(|question| {
                question.intents().filter_map(Intent::game).any(|game| game.id() == id)
            })
        })
}

/// Writes the intent of a move for the position on the board, or behind moves that the books do not have.
fn intent(
    candidate: &Candidate<'_>,
    it: crate::chess::Move,
    conditional: Vec<Conditional>,
    before: &[crate::chess::Move],
    repeat: bool,
) -> Move {
    let mut position = candidate.board.record.position().clone();
    for it in before {
        position.play(*it);
    }
    Move {
        game: candidate.pick.game.clone(),
        number: position.number(),
        side: position.to_move(),
        san: position.san(it),
        uci: Some(it.uci()),
        conditional,
        repeat,
        before: before.iter().map(|it| it.uci()).collect(),
        fault: None,
    }
}

/// Makes a move that cannot be played: it is answered with the reason.
fn faulty(candidate: &Candidate<'_>, fault: &Faulty, sure: Confidence, said: &Said<'_>) -> Made {
    let token = &candidate.sorted.plain[fault.token];
    let reason = format!(
        "`{}` cannot be played in {} {}: {}.",
        token.shown(),
        candidate.pick.described(said),
        candidate.board.standing(),
        fault.fault.why
    );
    let it = Move {
        game: candidate.pick.game.clone(),
        number: fault.number,
        side: fault.side,
        san: token.text.clone(),
        uci: None,
        conditional: Vec::new(),
        repeat: false,
        before: Vec::new(),
        fault: Some(fault.fault.clone()),
    };
    Made {
        pick: candidate.pick.clone(),
        it,
        sure: sure.min(Confidence::Unsure),
        reason,
        corrects: token.corrects,
        revoked: token.revoked,
        offers_draw: false,
        apart: false,
    }
}

/// Makes a move again that the books have as the sender's last one: nothing comes of it but a receipt.
fn repeated(candidate: &Candidate<'_>, token: usize, said: &Said<'_>) -> Option<Made> {
    let moves = candidate.board.record.moves();
    let (side, _) = candidate.pick.sender.clone()?;
    let odd = usize::from(side == Side::Black);
    let ply = (0..moves.len()).rev().find(|ply| ply % 2 == odd)?;
    let (it, position) = (*moves.get(ply)?, candidate.board.before(ply)?);
    let san = position.san(it);
    let text = candidate.sorted.plain[token].shown();
    let reason = format!("`{text}` is in the books of {} already.", candidate.pick.described(said));
    let it = Move {
        game: candidate.pick.game.clone(),
        number: position.number(),
        side,
        san,
        uci: Some(it.uci()),
        conditional: Vec::new(),
        repeat: true,
        before: Vec::new(),
        fault: None,
    };
    let pick = candidate.pick.clone();
    Some(Made {
        pick,
        it,
        sure: Confidence::Certain,
        reason,
        corrects: false,
        revoked: false,
        offers_draw: false,
        apart: false,
    })
}

/// Says of conditions without a move of the sender's that a person must see to them.
fn conditions_alone(candidate: &Candidate<'_>, found: &mut Found) {
    if let Some(line) = candidate.sorted.lines.iter().find(|line| line.len() > 1) {
        let reason = format!(
            "{} is a condition without a move of the sender's in {}.",
            quoted(line),
            candidate.pick.game.id()
        );
        found.trouble(Trouble::ForDirector, reason);
    }
}

/// Takes a game whose text goes on beyond the sender's move.
fn beyond(
    candidate: &Candidate<'_>,
    sure: Confidence,
    said: &Said<'_>,
    made: &mut Vec<Made>,
    found: &mut Found,
) {
    let sense = &candidate.sense;
    let own = &sense.own[sense.own.len() - 1];
    let line: Vec<crate::chess::Move> = sense.beyond.iter().map(|(_, it)| *it).collect();
    let token = &candidate.sorted.plain[own.token];
    let mut one = Made {
        pick: candidate.pick.clone(),
        it: intent(candidate, own.it, Vec::new(), &[], false),
        sure: sure.min(Confidence::Probable),
        reason: String::new(),
        corrects: token.corrects,
        revoked: false,
        offers_draw: false,
        apart: false,
    };
    let text = quoted(&candidate.sorted.plain);
    let (Some(last), true) = (line.last(), line.len().is_multiple_of(2)) else {
        one.reason = format!(
            "{text} goes on beyond the sender's move {} in {} with a move that is the opponent's to make.",
            one.it.san,
            candidate.pick.described(said)
        );
        return made.push(one);
    };
    let before: Vec<_> =
        std::iter::once(own.it).chain(line[..line.len() - 1].iter().copied()).collect();
    let whole = intent(candidate, *last, Vec::new(), &before, false);
    let shown = format!("{}{}", place(whole.number, whole.side), whole.san);
    if sense.from_start {
        one.reason = format!(
            "{text} brings {} moves of {} that the books do not have; the last is {shown}.",
            line.len() + 1,
            candidate.pick.described(said)
        );
        one.it = whole;
        return made.push(one);
    }
    // A bare line behind the sender's move: played by direct mail, or offered beforehand.
    let lines = [sense.beyond.iter().map(|(n, _)| candidate.sorted.plain[*n].clone()).collect()];
    let offered = conditional::read(&candidate.board, own.it, &lines).read;
    let first = Choice {
        says: format!(
            "{}{}, and what follows only if it comes so, in {}",
            place(one.it.number, one.it.side),
            one.it.san,
            candidate.pick.described(said)
        ),
        intents: vec![Intent::Move(Move { conditional: offered, ..one.it.clone() })],
    };
    let second = Choice {
        says: format!("all of it has been played, {shown} last"),
        intents: vec![Intent::Move(whole)],
    };
    let reason = format!("{text} may be moves that were played, or a line that is offered.");
    found.reasons.push(reason);
    found.doubt(format!("How did you mean {text}?"), vec![first, second]);
    found.confidence = Confidence::Unsure;
    found.undecided = true;
}

/// Takes a game in which the mail brings a move of the opponent's that the books do not have, and the answer to it.
fn caught_up(candidate: &Candidate<'_>, said: &Said<'_>, made: &mut Vec<Made>, found: &mut Found) {
    let sense = &candidate.sense;
    let line: Vec<crate::chess::Move> =
        sense.theirs.into_iter().chain(sense.beyond.iter().map(|(_, it)| *it)).collect();
    let text = quoted(&candidate.sorted.plain);
    let described = candidate.pick.described(said);
    let Some((last, before)) = line.split_last().filter(|_| line.len().is_multiple_of(2)) else {
        let reason = format!(
            "{text} tells a move of the opponent's in {described} that the books do not have."
        );
        let stated =
            |(_, t): &(usize, &Token)| t.stands && t.whose != Whose::Yours && t.mused.is_none();
        let Some((n, token)) = candidate.sorted.plain.iter().enumerate().find(stated) else {
            return found.reasons.push(reason);
        };
        let board = &candidate.board;
        let why = format!("it is the opponent's turn {}", board.standing());
        let fault = Faulty {
            token: n,
            fault: MoveFault { fault: Fault::NotYourMove, why, candidates: Vec::new() },
            number: token.number.unwrap_or_else(|| board.record.next_number()),
            side: token.side.unwrap_or_else(|| board.record.next_side()),
        };
        return made.push(faulty(candidate, &fault, Confidence::Unsure, said));
    };
    let it = intent(candidate, *last, Vec::new(), before, false);
    let reason = format!(
        "{text} brings {} moves of {described} that the books do not have; the last is {}{}.",
        line.len(),
        place(it.number, it.side),
        it.san
    );
    made.push(Made {
        pick: candidate.pick.clone(),
        it,
        sure: Confidence::Probable,
        reason,
        corrects: false,
        revoked: false,
        offers_draw: false,
        apart: false,
    });
}

/// Returns a move in one of several games as an answer to choose.
pub(super) fn choice(
    candidate: &Candidate<'_>,
    own: &Own,
    block: &Block,
    said: &Said<'_>,
) -> Choice {
    let conditions = conditional::read(&candidate.board, own.it, &candidate.sorted.lines);
    let it = intent(candidate, own.it, conditions.read, &[], block.again);
    let says =
        format!("{}{} in {}", place(it.number, it.side), it.san, candidate.pick.described(said));
    Choice { says, intents: vec![Intent::Move(it)] }
}

/// Asks in which of several games a move was meant.
pub(super) fn ask_which(choices: Vec<Choice>, block: &Block, found: &mut Found) {
    let text = quoted(&block.tokens);
    let games: Vec<&str> = choices.iter().take(OPTIONS).map(|c| c.says.as_str()).collect();
    found.reasons.push(format!("{text} fits several games: {}.", games.join("; ")));
    found.undecided = true;
    if choices.len() > OPTIONS {
        return found
            .trouble(Trouble::GameUnclear, "These are too many to choose from.".to_owned());
    }
    found.doubt(format!("In which game did you mean {text}?"), choices);
}
