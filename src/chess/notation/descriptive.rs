//! English descriptive notation, which older American players still write: `P-K4`, `B-KN5`, `QxRP ch`, `N(B3)-Q4`. Files
//! are named by the piece that starts on them and ranks are counted from the mover's side, so that what a token means
//! depends on whose move it is. Only what leaves one legal move is read.

use super::{
    super::{Move, Position},
    glyphs::Cursor,
    grammar::{self, Found},
    said::{Descriptive, Goal, Named, Said, Spot, Wing},
    words,
};
use cozy_chess::{Color, File, Piece, Square};

/// Reads a move in descriptive notation at a cursor.
pub(super) fn at(cursor: Cursor<'_>) -> Option<Found<'_>> {
    let small = cursor.peek(0)?.is_ascii_lowercase();
    let mut rest = cursor;
    let mover = named(&mut rest, small)?;
    let blank = rest.blanks(1) > 0;
    let takes = rest.eat(&['x', 'X', ':', '*']) || (blank && rest.eat_text("takes "));
    let goes = takes || rest.eat(&['-']) || (blank && rest.eat_text("to "));
    if !goes {
        return None;
    }
    let spaced = rest.blanks(1) > 0 || blank;
    let goal = if takes {
        Goal::Takes(named(&mut rest, small)?)
    } else {
        Goal::To(spot(&mut rest, small).filter(|spot| is_square(*spot, small))?)
    };
    let promotion = if mover.piece == Piece::Pawn { promotion(&mut rest) } else { None };
    let passing = grammar::passing(&mut rest);
    let ends = !rest.peek(0).is_some_and(char::is_alphanumeric) || grammar::check_word(rest);
    let said = Descriptive { mover, goal, promotion, passing, check: false };
    ends.then_some(Found { said: Said::Descriptive(said), rest, weak: small || spaced })
}

/// A small `b4` is a square of the other notation.
fn is_square(spot: Spot, small: bool) -> bool {
    let other = small && spot.wing.is_none() && spot.file_of == Some(Piece::Bishop);
    spot.file_of.is_some() && !other
}

/// Steps over the letter of a piece: `K`, `Q`, `R`, `B`, `N`, `Kt`, `P`, all small or all capitals.
fn letter(cursor: &mut Cursor<'_>, small: bool) -> Option<Piece> {
    let letter = cursor.peek(0).filter(|letter| letter.is_ascii_lowercase() == small)?;
    let piece = match letter.to_ascii_lowercase() {
        'k' if matches!(cursor.peek(1), Some('t' | 'T')) => {
            cursor.next();
            Piece::Knight
        }
        'k' => Piece::King,
        'q' => Piece::Queen,
        'r' => Piece::Rook,
        'b' => Piece::Bishop,
        'n' => Piece::Knight,
        'p' => Piece::Pawn,
        _ => return None,
    };
    cursor.next();
    Some(piece)
}

fn wing_of(piece: Piece) -> Option<Wing> {
    match piece {
        Piece::King => Some(Wing::King),
        Piece::Queen => Some(Wing::Queen),
        _ => None,
    }
}

/// Steps over a piece by its name: `N`, `QN`, `KBP`, `N(B3)`, `R/1`.
fn named(cursor: &mut Cursor<'_>, small: bool) -> Option<Named> {
    let mut letters = [None; 3];
    for place in &mut letters {
        *place = letter(cursor, small);
        if place.is_none() {
            break;
        }
    }
    let named = |piece, wing, file_of| Named { piece, wing, file_of, at: None };
    let mut named = match letters {
        [Some(piece), None, _] => named(piece, None, None),
        [Some(file), Some(Piece::Pawn), None] if file != Piece::Pawn => {
            named(Piece::Pawn, None, Some(file))
        }
        [Some(wing), Some(piece), None] => {
            let paired = matches!(piece, Piece::Rook | Piece::Bishop | Piece::Knight);
            named(piece, Some(wing_of(wing).filter(|_| paired)?), None)
        }
        [Some(wing), Some(file), Some(Piece::Pawn)] => {
            let paired = matches!(file, Piece::Rook | Piece::Bishop | Piece::Knight);
            named(Piece::Pawn, Some(wing_of(wing).filter(|_| paired)?), Some(file))
        }
        _ => return None,
    };
    let mut ahead = *cursor;
    let bracket = ahead.eat(&['(']);
    if bracket || ahead.eat(&['/']) {
        let at = spot(&mut ahead, small);
        let closed = !bracket || ahead.eat(&[')']);
        if at.is_some() && closed {
            named.at = at;
            *cursor = ahead;
        }
    }
    Some(named)
}

/// Steps over a square: `K4`, `QB3`, or a rank alone.
fn spot(cursor: &mut Cursor<'_>, small: bool) -> Option<Spot> {
    let mut ahead = *cursor;
    let (first, second) = (letter(&mut ahead, small), letter(&mut ahead, small));
    let (wing, file_of) = match (first, second) {
        (Some(wing), Some(file)) => (Some(wing_of(wing)?), Some(file)),
        (file, _) => (None, file),
    };
    let paired = matches!(file_of, Some(Piece::Rook | Piece::Bishop | Piece::Knight));
    if file_of == Some(Piece::Pawn) || (wing.is_some() && !paired) {
        return None;
    }
    let rank = ahead.rank()?;
    if ahead.peek(0).is_some_and(|next| next.is_ascii_digit()) {
        return None;
    }
    *cursor = ahead;
    Some(Spot { wing, file_of, rank })
}

/// Steps over what a pawn becomes: `=Q`, `(Q)`, `/Q`, or a word.
fn promotion(cursor: &mut Cursor<'_>) -> Option<Piece> {
    let mut ahead = *cursor;
    ahead.blanks(1);
    let bracket = ahead.eat(&['(']);
    if bracket || ahead.eat(&['=', '/']) {
        ahead.blanks(1);
        let piece = letter(&mut ahead, false);
        let piece = piece.filter(|piece| !matches!(piece, Piece::King | Piece::Pawn));
        let closed = !bracket || ahead.eat(&[')']);
        if let (Some(piece), true) = (piece, closed) {
            *cursor = ahead;
            return Some(piece);
        }
    }
    let (piece, rest) = words::promotion(*cursor)?;
    *cursor = rest;
    Some(piece)
}

/// Returns the legal moves that fit, the narrower reading first where a side or a check tells two apart.
pub(super) fn fitting(position: &Position, legal: &[Move], said: &Descriptive) -> Vec<Move> {
    let us = position.board().side_to_move();
    let mut moves: Vec<Move> =
        legal.iter().copied().filter(|it| fits(position, *it, said, us)).collect();
    if said.mover.file_of.is_none() {
        narrow(&mut moves, |it| said.mover.wing.is_some_and(|wing| wing == half(it.from())));
    }
    if let Goal::Takes(Named { wing: Some(wing), file_of: None, .. }) = &said.goal {
        narrow(&mut moves, |it| *wing == half(it.to()));
    }
    if said.check {
        narrow(&mut moves, |it| position.after(it).is_some_and(|next| next.in_check()));
    }
    moves
}

/// Keeps those that fit better, if there are any.
fn narrow(moves: &mut Vec<Move>, better: impl Fn(Move) -> bool) {
    if moves.len() > 1 && moves.iter().any(|it| better(*it)) {
        moves.retain(|it| better(*it));
    }
}

fn fits(position: &Position, it: Move, said: &Descriptive, us: Color) -> bool {
    let taken = position.captured(it);
    let in_passing = taken.is_some_and(|(_, square)| square != it.to());
    let goal = match (&said.goal, taken) {
        (Goal::To(spot), None) => is_spot(*spot, it.to(), us),
        (Goal::Takes(named), Some((piece, square))) => {
            named.piece == piece && is_named(named, square, us)
        }
        _ => false,
    };
    goal && position.moved(it) == Some(said.mover.piece)
        && !position.is_castling(it)
        && is_named(&said.mover, it.from(), us)
        && (said.promotion.is_none() || said.promotion == it.promotion())
        && (!said.passing || in_passing)
}

/// Tells whether a named piece may be the one on a square. The side of a piece other than a pawn tells nothing sure: it
/// may have gone anywhere.
fn is_named(named: &Named, square: Square, us: Color) -> bool {
    let file = named.file_of.is_none_or(|of| is_file(of, named.wing, square.file()));
    file && named.at.is_none_or(|spot| is_spot(spot, square, us))
}

fn is_spot(spot: Spot, square: Square, us: Color) -> bool {
    let file = spot.file_of.is_none_or(|of| is_file(of, spot.wing, square.file()));
    file && square.rank().relative_to(us) == spot.rank
}

/// Tells whether a file is named after a piece, of one side or of either.
fn is_file(of: Piece, wing: Option<Wing>, file: File) -> bool {
    let (king, queen) = match of {
        Piece::King => (File::E, File::E),
        Piece::Queen => (File::D, File::D),
        Piece::Rook => (File::H, File::A),
        Piece::Bishop => (File::F, File::C),
        Piece::Knight => (File::G, File::B),
        Piece::Pawn => return false,
    };
    match wing {
        Some(Wing::King) => file == king,
        Some(Wing::Queen) => file == queen,
        None => file == king || file == queen,
    }
}

fn half(square: Square) -> Wing {
    if square.file() >= File::E { Wing::King } else { Wing::Queen }
}
