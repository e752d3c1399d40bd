//! What the moves of a text mean for one game: which of them the books have, which one is new, and what does not fit.
//! Number and side guard each of them; nothing that could not be read is skipped. Which game it is, `moves.rs` decides.

use super::{
    board::{self, Board},
    tokens::{Token, Whose},
};
use crate::{
    chess::{Move, notation::Unread},
    domain::{
        intent::{Fault, MoveFault},
        points::Side,
    },
};

/// A new move of the sender's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Own {
    /// Which token.
    pub(super) token: usize,
    /// The move.
    pub(super) it: Move,
    /// What is not quite right about how it is written, where something is.
    pub(super) slip: Option<String>,
}

/// A token that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Faulty {
    /// Which token.
    pub(super) token: usize,
    /// What is wrong.
    pub(super) fault: MoveFault,
    /// The number that it has or should have.
    pub(super) number: u16,
    /// The side that moves.
    pub(super) side: Side,
}

/// What the tokens mean for a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Sense {
    /// New moves of the sender's for the position on the board, in the order of the text.
    pub(super) own: Vec<Own>,
    /// A move of the opponent's that the books do not have, before the sender's.
    pub(super) theirs: Option<Move>,
    /// Moves beyond the sender's, in order, one side after the other.
    pub(super) beyond: Vec<(usize, Move)>,
    /// How many moves of the books were repeated.
    pub(super) known: usize,
    /// Whether the first move of the game was among them.
    pub(super) from_start: bool,
    /// Whether the opponent's last move was repeated.
    pub(super) last_repeated: bool,
    /// The token that repeats the sender's own last move.
    pub(super) again: Option<usize>,
    /// Tokens that cannot be played.
    pub(super) faults: Vec<Faulty>,
    /// Where the text tells another move than the books: in words.
    pub(super) differs: Option<String>,
    /// Tokens that look like moves and are no statements, with the reason.
    pub(super) aside: Vec<(usize, String)>,
    /// A legal move that is spoken of, but not as a statement.
    pub(super) mentioned: Option<Own>,
}

impl Sense {
    /// Tells whether the text brings a move that the game can take.
    pub(super) fn fits(&self) -> bool {
        self.own.iter().any(|own| own.slip.is_none()) && self.differs.is_none()
    }
}

/// Reads the tokens of a text for a game, in their order.
pub(super) fn sense(board: &Board<'_>, tokens: &[Token]) -> Sense {
    let mut walk = Walk { board, sense: Sense::default(), cursor: None };
    for (n, token) in tokens.iter().enumerate() {
        if n > 0 && tokens[n - 1].sentence != token.sentence && !(token.follows) {
            walk.cursor = None;
        }
        let chained = tokens.get(n + 1).is_some_and(|next| next.sentence == token.sentence);
        walk.step(n, token, chained);
    }
    walk.sense
}

struct Walk<'a> {
    board: &'a Board<'a>,
    sense: Sense,
    /// The place behind the last move that was read.
    cursor: Option<usize>,
}

impl Walk<'_> {
    fn step(&mut self, n: usize, token: &Token, chained: bool) {
        if token.unreadable {
            let next = self.board.record.next_number();
            let mine =
                self.board.mine_to_move() && token.number.is_none_or(|number| number == next);
            if mine && !self.board.over {
                self.unread(n, token, Unread::NotAMove);
            }
            return;
        }
        if let Some([first, second]) = self.apart(token) {
            self.step(n, &first, true);
            return self.step(n, &second, chained);
        }
        let Some(ply) = self.place(token, chained) else {
            return self.guess(n, token);
        };
        if let Some(why) = token.mused {
            if ply < self.board.len() && self.board.is_book(ply, token) {
                return self.known(n, ply);
            }
            self.cursor = None;
            return self.set_aside(n, why);
        }
        let len = self.board.len();
        let stated = token.stands || token.whose == Whose::Yours;
        let book = ply < len && self.board.is_book(ply, token);
        if !(stated || book) {
            self.cursor = None;
            return self.mention(n, token);
        }
        if ply < len {
            self.earlier(n, token, ply);
        } else if ply == len && self.board.mine_to_move() {
            self.now(n, token, None);
        } else if ply == len {
            self.their_move(n, token);
        } else {
            self.later(n, token, ply);
        }
    }

    /// Takes two moves apart that are written without a blank, where the books have the first of them.
    fn apart(&self, token: &Token) -> Option<[Token; 2]> {
        let [first, second] = token.halves.clone()?;
        let first = Token { text: first, halves: None, ..token.clone() };
        let ply = self.place(&first, true)?;
        let known = self.board.is_book(ply, &first) && !self.board.is_book(ply, token);
        known.then(|| {
            let follows =
                Token { text: second, number: None, side: None, follows: true, ..first.clone() };
            [first, follows]
        })
    }

    /// Returns where a token with a number belongs, or one that follows another.
    fn place(&self, token: &Token, chained: bool) -> Option<usize> {
        let len = self.board.len();
        let Some(number) = token.number else { return self.cursor };
        if let Some(side) = token.side {
            return Some(Board::ply(number, side));
        }
        let white = Board::ply(number, Side::White);
        let sides = [white, white + 1];
        let of = |side: Option<Side>| side.map(|side| Board::ply(number, side));
        let said = match token.whose {
            Whose::Mine => of(self.board.me),
            Whose::Yours => of(self.board.me.map(Side::other)),
            Whose::Open => None,
        };
        // `8 0-0` alone is the answer to 8.0-0, and not that move again.
        let now =
            || Some(len).filter(|_| sides.contains(&len) && !chained && self.may_be_now(token));
        said.or_else(|| self.cursor.filter(|at| sides.contains(at)))
            .or_else(now)
            .or_else(|| sides.into_iter().find(|ply| *ply < len && self.board.is_book(*ply, token)))
            .or_else(|| sides.into_iter().find(|ply| *ply == len))
            .or_else(|| of(self.board.me))
            .or(Some(white))
    }

    /// Finds the place of a token without a number.
    fn guess(&mut self, n: usize, token: &Token) {
        let len = self.board.len();
        let last = len.checked_sub(1).filter(|ply| self.board.is_book(*ply, token));
        let readable = self.board.mine_to_move()
            && self.board.before(len).is_some_and(|p| self.board.read(p, token).is_ok());
        match token.whose {
            Whose::Yours if last.is_some() => return self.known(n, len - 1),
            Whose::Yours if len > 0 && token.mused.is_none() && !token.weak => {
                return self.differs(n, len - 1, token);
            }
            Whose::Mine | Whose::Open | Whose::Yours => {}
        }
        if let Some(why) = token.mused {
            return self.set_aside(n, why);
        }
        if !readable {
            let own = len.checked_sub(2).filter(|ply| self.board.is_book(*ply, token));
            if let Some(ply) = last.or(own) {
                return self.known(n, ply);
            }
        }
        if !token.stands {
            return self.mention(n, token);
        }
        self.now(n, token, None);
    }

    /// Takes a move that the books should have.
    fn earlier(&mut self, n: usize, token: &Token, ply: usize) {
        if self.board.is_book(ply, token) {
            return self.known(n, ply);
        }
        let len = self.board.len();
        // `9.dxc4` with one dot for Black's ninth move, `15...Bg5` with three for White's.
        let slip = ply + 1 == len && ply.is_multiple_of(2) && token.whose != Whose::Yours;
        if token.number.is_some() && slip && self.may_be_now(token) {
            let why = format!("it has White's dot, and {} is to be played", Board::place(len));
            return self.now(n, token, Some(why));
        }
        if token.number.is_none() && self.may_be_now(token) {
            return self.now(n, token, None);
        }
        if token.stands || token.whose == Whose::Yours || self.sense.known > 0 {
            return self.differs(n, ply, token);
        }
        self.set_aside(n, "the books have another move there");
    }

    fn may_be_now(&self, token: &Token) -> bool {
        let position = self.board.record.position();
        self.board.mine_to_move() && self.board.read(position, token).is_ok()
    }

    /// Takes a move for the position on the board.
    fn now(&mut self, n: usize, token: &Token, slip: Option<String>) {
        let position = self.board.record.position();
        if self.board.over {
            return self.fault(n, token, Fault::GameOver, "the game is over".to_owned(), &[]);
        }
        if !self.board.mine_to_move() {
            return self.not_my_turn(n, token);
        }
        match self.board.read(position, token) {
            Ok(it) => {
                let (it, doubt) = self.board.in_its_language(position, token, it);
                let slip = slip.or(doubt);
                self.sense.own.push(Own { token: n, it, slip });
                self.cursor = Some(self.board.len() + 1);
            }
            Err(why) => match self.board.foreign(position, token) {
                Some((it, language)) => {
                    let slip = format!("its letters are read as those of `{}`", language.code());
                    let english = token.text.starts_with(|c| "KQRBN".contains(c));
                    let slip = Some(slip).filter(|_| english);
                    self.sense.own.push(Own { token: n, it, slip });
                    self.cursor = Some(self.board.len() + 1);
                }
                None => self.unread(n, token, why),
            },
        }
    }

    /// Takes a move of the opponent's that the books do not have.
    fn their_move(&mut self, n: usize, token: &Token) {
        let position = self.board.record.position();
        match self.board.read(position, token) {
            Ok(it) if !self.board.over => {
                self.sense.theirs = Some(it);
                self.cursor = Some(self.board.len() + 1);
            }
            _ if self.board.over => self.now(n, token, None),
            _ => self.not_my_turn(n, token),
        }
    }

    /// Takes a move beyond the one that is to be played now.
    fn later(&mut self, n: usize, token: &Token, ply: usize) {
        let len = self.board.len();
        let mut position = self.board.record.position().clone();
        let mut at = len;
        let theirs = self.sense.theirs;
        let mine = self.sense.own.last().filter(|_| self.board.mine_to_move()).map(|own| own.it);
        let beyond = self.sense.beyond.iter().map(|(_, it)| *it);
        for it in theirs.or(mine).into_iter().chain(beyond) {
            if position.play(it) {
                at += 1;
            }
        }
        if ply == at && at > len {
            match self.board.read(&position, token) {
                Ok(it) => {
                    self.sense.beyond.push((n, it));
                    self.cursor = Some(ply + 1);
                    return;
                }
                // `15.Bg5 Be3` are two moves of the same side.
                Err(_) if token.number.is_none() && self.may_be_now(token) && token.stands => {
                    return self.now(n, token, None);
                }
                Err(why) => {
                    let why = board::words(&why, &position);
                    return self.set_aside(n, &format!("{} is no move there: {why}", token.text));
                }
            }
        }
        // `15...Bg5` for White's fifteenth.
        let slip = ply == len + 1 && len.is_multiple_of(2) && token.number.is_some();
        if slip && self.sense.own.is_empty() && self.may_be_now(token) {
            let why = format!("it has Black's dots, and {} is to be played", Board::place(len));
            return self.now(n, token, Some(why));
        }
        if !self.board.mine_to_move() {
            return self.not_my_turn(n, token);
        }
        let why = if self.board.record.is_empty() {
            "the books have no move of this game yet, so all moves so far are needed".to_owned()
        } else {
            format!("{} is to be played there", Board::place(len))
        };
        self.fault(n, token, Fault::WrongNumber, why, &[]);
    }

    fn not_my_turn(&mut self, n: usize, token: &Token) {
        if self.board.over {
            return self.fault(n, token, Fault::GameOver, "the game is over".to_owned(), &[]);
        }
        let why = format!("it is the opponent's turn {}", self.board.standing());
        self.fault(n, token, Fault::NotYourMove, why, &[]);
    }

    fn known(&mut self, n: usize, ply: usize) {
        let len = self.board.len();
        self.sense.known += 1;
        self.sense.from_start |= ply == 0;
        let mine = self.board.me.is_some_and(|me| (ply % 2 == 1) == (me == Side::Black));
        if ply + 1 == len && !mine {
            self.sense.last_repeated = true;
        }
        if mine && ply + 2 >= len {
            self.sense.again = Some(n);
        }
        self.cursor = Some(ply + 1);
    }

    /// Notes a move that is another one than the books have at its place.
    fn differs(&mut self, n: usize, ply: usize, token: &Token) {
        let book = self.board.record.moves().get(ply).zip(self.board.before(ply));
        let book = book.map(|(it, position)| position.san(*it)).unwrap_or_default();
        let place = Board::place(ply);
        self.cursor = None;
        let side = if ply.is_multiple_of(2) { Side::White } else { Side::Black };
        if self.board.me == Some(side) && token.stands && self.sense.known == 0 {
            let why = format!("the books have {place}{book} for that move");
            return self.fault(n, token, Fault::WrongNumber, why, &[]);
        }
        self.sense.differs.get_or_insert(format!(
            "the mail has {place}{} where the books have {place}{book}",
            token.text
        ));
    }

    fn set_aside(&mut self, n: usize, why: &str) {
        self.sense.aside.push((n, why.to_owned()));
    }

    /// Keeps a move that is spoken of in a sentence and that nothing makes a statement.
    fn mention(&mut self, n: usize, token: &Token) {
        let position = self.board.record.position();
        if !token.weak
            && self.board.mine_to_move()
            && !self.board.over
            && let Ok(it) = self.board.read(position, token)
        {
            let other = self.sense.mentioned.as_ref().is_some_and(|known| known.it != it);
            // Of two that are spoken of, none is asked about.
            self.sense.mentioned = Some(Own { token: n, it, slip: None }).filter(|_| !other);
        }
        if !token.weak {
            self.set_aside(n, "nothing says that it is played");
        }
    }

    fn unread(&mut self, n: usize, token: &Token, why: Unread) {
        let position = self.board.record.position();
        match why {
            Unread::Illegal(why) => self.fault(n, token, Fault::Illegal, why, &[]),
            Unread::Ambiguous(moves) => {
                let why = "more than one move can be meant".to_owned();
                let moves: Vec<String> = moves.iter().map(|it| position.san(*it)).collect();
                self.fault(n, token, Fault::Ambiguous, why, &moves);
            }
            Unread::NotAMove => {
                let why = "it is no move in a notation that is known here".to_owned();
                self.fault(n, token, Fault::Unreadable, why, &[]);
            }
        }
    }

    fn fault(&mut self, n: usize, token: &Token, fault: Fault, why: String, moves: &[String]) {
        let number = token.number.unwrap_or_else(|| self.board.record.next_number());
        let side = token.side.filter(|_| token.number.is_some());
        let side = side.or(self.board.me).unwrap_or_else(|| self.board.to_move());
        let fault = MoveFault { fault, why, candidates: moves.to_vec() };
        self.sense.faults.push(Faulty { token: n, fault, number, side });
    }
}
