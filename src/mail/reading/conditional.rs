//! Conditional moves: `If 15...h6 then 16.Bh4`, `if any, 16.Kg1`, `on 5.e3 I reply 5...b5`, and lines that are offered
//! beforehand. They belong to a move of the sender's and are checked from the position behind it; one that cannot be read
//! never spoils the move.

use super::{
    board::{self, Board},
    tokens::Token,
};
use crate::{
    chess::{Move, Position, notation},
    domain::{intent::Conditional, points::Side},
};

/// The tokens of a text, those under a condition apart.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// Those that are played.
    pub(super) plain: Vec<Token>,
    /// Those under each condition, in the order of the text.
    pub(super) lines: Vec<Vec<Token>>,
}

/// Takes the tokens under conditions out. What stands behind `after` or `if` and is in the books already, or is the
/// sender's own move of today, is under no condition.
pub(super) fn sort(board: &Board<'_>, tokens: &[Token]) -> Sorted {
    let mut sorted = Sorted::default();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let Some(condition) = token.condition else {
            sorted.plain.push(token.clone());
            at += 1;
            continue;
        };
        let line: Vec<Token> = tokens[at..]
            .iter()
            .take_while(|t| t.condition == Some(condition) && t.sentence == token.sentence)
            .cloned()
            .collect();
        at += line.len();
        let any = condition.any && !board.is_known(&line[0]);
        if any || !is_of_today(board, &line[0]) {
            sorted.lines.push(line);
            continue;
        }
        let known = board.is_known(&line[0]);
        let hold = condition.firm && !known;
        sorted.plain.extend(line.into_iter().map(|token| Token {
            condition: None,
            mused: if hold { Some("it hangs on a condition") } else { unmused(&token, known) },
            ..token
        }));
    }
    sorted
}

/// `after 14...Nf6 I play 15.Bg5` muses over nothing.
fn unmused(token: &Token, known: bool) -> Option<&'static str> {
    token.mused.filter(|_| !known)
}

/// Tells whether the first token of a condition is a move of the books, or the sender's for the position on the board.
fn is_of_today(board: &Board<'_>, token: &Token) -> bool {
    if board.is_known(token) {
        return true;
    }
    let next = (board.record.next_number(), board.record.next_side());
    board.mine_to_move() && token.number == Some(next.0) && token.side.is_none_or(|s| s == next.1)
}

/// What the conditions of a text come to.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    /// Those that were read, in the order of the text.
    pub(super) read: Vec<Conditional>,
    /// What could not be read, a sentence each.
    pub(super) unread: Vec<String>,
}

/// Reads conditions from the position behind the sender's move.
pub(super) fn read(board: &Board<'_>, own: Move, lines: &[Vec<Token>]) -> Conditions {
    let mut conditions = Conditions::default();
    let Some(start) = board.record.position().after(own) else { return conditions };
    let mut last: Option<Line> = None;
    for tokens in lines {
        let first = Line { position: start.clone(), sans: Vec::new() };
        let base = match &last {
            Some(line) if follows(&tokens[0], &first, line) => line.clone(),
            _ => first,
        };
        match base.read(board, tokens) {
            Ok((read, line)) => {
                conditions.read.extend(read);
                last = Some(line);
            }
            Err(why) => {
                let text: Vec<&str> = tokens.iter().map(|t| t.text.as_str()).collect();
                let text = text.join(" ");
                conditions.unread.push(format!("The condition `{text}` was not taken: {why}."));
            }
        }
    }
    conditions
}

/// `(and if 16...h6 17.h3)`: its number is that of the position behind the condition before it.
fn follows(token: &Token, first: &Line, line: &Line) -> bool {
    token.number.is_some_and(|n| n > first.number() && n == line.number())
}

/// A line of moves behind the sender's.
#[derive(Clone, Debug)]
struct Line {
    position: Position,
    /// Its moves so far.
    sans: Vec<String>,
}

impl Line {
    fn number(&self) -> u16 {
        self.position.number()
    }

    /// Reads a line: the opponent's move and the answer, and further ones in turn.
    fn read(
        mut self,
        board: &Board<'_>,
        tokens: &[Token],
    ) -> Result<(Vec<Conditional>, Self), String> {
        let any = tokens.first().and_then(|t| t.condition).is_some_and(|c| c.any);
        if any && tokens.len() == 1 {
            let then = self.any(board, &tokens[0])?;
            return Ok((vec![Conditional { if_played: "any".to_owned(), then }], self));
        }
        if tokens.len() < 2 {
            return Err("it names one move alone".to_owned());
        }
        let mut read = Vec::new();
        for pair in tokens.chunks(2) {
            let [theirs, mine] = pair else { break };
            self.play(board, theirs)?;
            let if_played = self.sans.join(" ");
            self.play(board, mine)?;
            let then = self.sans.last().cloned().unwrap_or_default();
            read.push(Conditional { if_played, then });
        }
        Ok((read, self))
    }

    fn play(&mut self, board: &Board<'_>, token: &Token) -> Result<(), String> {
        let position = &self.position;
        let number = token.number.is_none_or(|number| number == position.number());
        let side = token.side.is_none_or(|side| side == position.to_move());
        if !number || !side {
            let dots = if position.to_move() == Side::White { "." } else { "..." };
            return Err(format!("{} would be move {}{dots}", token.text, position.number()));
        }
        let it = notation::read(position, &token.text, board.language()).map_err(|why| {
            format!("{} cannot be played, {}", token.text, board::words(&why, position))
        })?;
        let san = position.san(it);
        self.position.play(it);
        self.sans.push(san);
        Ok(())
    }

    /// Reads an answer to whatever the opponent plays: legal behind at least one of his moves.
    fn any(&self, board: &Board<'_>, token: &Token) -> Result<String, String> {
        let after = self.position.legal().into_iter().filter_map(|it| self.position.after(it));
        for position in after {
            if token.number.is_some_and(|number| number != position.number()) {
                break;
            }
            if let Ok(it) = notation::read(&position, &token.text, board.language()) {
                return Ok(position.san(it).trim_end_matches(['+', '#']).to_owned());
            }
        }
        Err(format!("{} cannot be played then", token.text))
    }
}
