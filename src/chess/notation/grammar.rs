//! The grammar of moves by squares: standard notation in every language, long and coordinate notation, the numbers of
//! ICCF, castling. It reads one move from the place of a cursor and says how sure the form alone is.

use super::{
    descriptive,
    glyphs::Cursor,
    languages,
    said::{Letter, Man, Place, Plain, Said, Wing},
    words,
};
use cozy_chess::{File, Piece, Rank, Square, get_bishop_rays, get_knight_moves, get_rook_rays};

/// A move that was found, and what follows it.
pub(super) struct Found<'a> {
    pub(super) said: Said,
    pub(super) rest: Cursor<'a>,
    /// Whether it needs support to be one: `e4`, `ed`, four digits.
    pub(super) weak: bool,
}

/// Reads the move that stands at a cursor.
pub(super) fn at(cursor: Cursor<'_>) -> Option<Found<'_>> {
    descriptive::at(cursor)
        .or_else(|| castling(cursor))
        .or_else(|| numeric(cursor))
        .or_else(|| words::at(cursor))
        .or_else(|| plain(cursor))
}

/// The signs for the noughts of castling: letters in three scripts, and digits.
const NOUGHTS: [char; 8] = ['O', 'o', '0', 'О', 'о', 'Ο', 'ο', 'Ø'];

/// `O-O`, `0-0-0`, `oo`. Without dashes, or as the score `0-0`, it needs support.
fn castling(mut cursor: Cursor<'_>) -> Option<Found<'_>> {
    let (mut noughts, mut dashes, mut digits) = (0, 0, 0);
    loop {
        digits += usize::from(cursor.peek(0) == Some('0'));
        if !cursor.eat(&NOUGHTS) {
            return None;
        }
        noughts += 1;
        let mut ahead = cursor;
        let letters = digits == 0 && ahead.blanks(1) > 0;
        let dashed = ahead.eat(&['-']);
        if letters && dashed {
            ahead.blanks(1);
        }
        if !ahead.peek(0).is_some_and(|sign| NOUGHTS.contains(&sign)) || (letters && !dashed) {
            break;
        }
        dashes += usize::from(dashed);
        cursor = ahead;
    }
    let wing = match noughts {
        2 => Wing::King,
        3 => Wing::Queen,
        _ => return None,
    };
    let consistent = dashes == noughts - 1 || (dashes == 0 && digits == 0);
    let weak = dashes == 0 || (digits == 2 && wing == Wing::King);
    consistent.then_some(Found { said: Said::Castling(Some(wing)), rest: cursor, weak })
}

/// `5254`, `7181`, `57581`: two squares by the numbers of their files and ranks, and the piece a pawn becomes.
fn numeric(mut cursor: Cursor<'_>) -> Option<Found<'_>> {
    let mut square = || {
        let file = cursor.rank()?;
        Some(Square::new(File::try_index(file as usize)?, cursor.rank()?))
    };
    let (from, to) = (square()?, square()?);
    let mut said = Plain::new(Man::Any, Place::square(from), Place::square(to));
    if cursor.peek(0).is_some_and(|sign| sign.is_ascii_digit()) {
        said.promotion = Some(Man::Piece(match cursor.next()? {
            '1' => Piece::Queen,
            '2' => Piece::Rook,
            '3' => Piece::Bishop,
            '4' => Piece::Knight,
            _ => return None,
        }));
        let becomes = matches!(
            (from.rank(), to.rank()),
            (Rank::Seventh, Rank::Eighth) | (Rank::Second, Rank::First)
        );
        let near = (from.file() as usize).abs_diff(to.file() as usize) < 2;
        if !becomes || !near {
            return None;
        }
    }
    let ends = !cursor.peek(0).is_some_and(char::is_alphanumeric);
    (ends && can_go(from, to)).then_some(Found {
        said: Said::Plain(said),
        rest: cursor,
        weak: true,
    })
}

/// Tells whether any piece goes from one square to the other on an empty board.
pub(super) fn can_go(from: Square, to: Square) -> bool {
    let reach = get_bishop_rays(from) | get_rook_rays(from) | get_knight_moves(from);
    reach.has(to)
}

fn plain(cursor: Cursor<'_>) -> Option<Found<'_>> {
    let part = coordinates(cursor)
        .or_else(|| with_man(cursor))
        .or_else(|| files_alone(cursor))
        .or_else(|| square_alone(cursor))?;
    Some(finish(part))
}

/// Reads what may follow the squares: what a pawn becomes, and that it takes in passing.
pub(super) fn finish((mut said, mut rest, mut weak): Part<'_>) -> Found<'_> {
    let signed = rest.peek(0).is_some_and(|sign| !sign.is_alphanumeric());
    if said.to.rank.is_some_and(|rank| matches!(rank, Rank::First | Rank::Eighth)) {
        said.promotion = promotion(&mut rest, &said);
    }
    said.passing = passing(&mut rest);
    let becomes = said.promotion.is_some_and(|man| !is_small(man) || signed);
    weak &= !becomes && !said.passing;
    Found { said: Said::Plain(said), rest, weak }
}

/// The squares of a move, what follows them, and whether they need support.
pub(super) type Part<'a> = (Plain, Cursor<'a>, bool);

/// `e2e4`, `e2-e4`, `e4xd5`, `E2-E4`.
fn coordinates(mut cursor: Cursor<'_>) -> Option<Part<'_>> {
    let (from, first) = square(&mut cursor)?;
    let sep = separator(&mut cursor);
    let (to, second) = square(&mut cursor)?;
    // `B4b5` is a bishop on the fourth rank.
    if first != second || !can_go(from, to) {
        return None;
    }
    let mut said = Plain::new(Man::Any, Place::square(from), Place::square(to));
    said.takes = sep == Some(Sep::Takes);
    said.capitals = first;
    // `B1-B2` is a level of a language, `C5-C6` a place in the back.
    Some((said, cursor, first))
}

/// `Nf3`, `Nbd2`, `N1xd2`, `Ng1-f3`, `♘f3`, `nf3`; also `exd5` and `bb3`, whose letter may be a file.
fn with_man(mut cursor: Cursor<'_>) -> Option<Part<'_>> {
    let man = man(&mut cursor)?;
    // `N f3`: without its letter the square would be a pawn's move.
    let apart = !is_small(man) && cursor.blanks(1) > 0 && cursor.before(0) == Some(' ');
    cursor.glue();
    let (from, sep, to, capitals, rest) = long(cursor)
        .or_else(|| after_file(cursor))
        .or_else(|| after_rank(cursor))
        .or_else(|| after_nothing(cursor))?;
    let mut said = Plain::new(man, from, Place::square(to));
    said.takes = sep == Some(Sep::Takes);
    said.capitals = capitals;
    let bare = sep.is_none() && from == Place::default();
    let weak = match man {
        Man::Letter(_) if apart => true,
        Man::Letter(letter) if bare && letter.small => {
            !matches!(letter.text, "N" | "R" | "Q" | "K")
        }
        _ => sep.is_none() && capitals,
    };
    Some((said, rest, weak))
}

fn is_small(man: Man) -> bool {
    matches!(man, Man::Letter(letter) if letter.small)
}

type Goal<'a> = (Place, Option<Sep>, Square, bool, Cursor<'a>);

fn long(mut cursor: Cursor<'_>) -> Option<Goal<'_>> {
    let (from, _) = square(&mut cursor)?;
    let sep = separator(&mut cursor);
    let (to, capital) = square(&mut cursor)?;
    Some((Place::square(from), sep, to, capital, cursor))
}

fn after_file(mut cursor: Cursor<'_>) -> Option<Goal<'_>> {
    let (file, _) = cursor.file()?;
    let sep = separator(&mut cursor);
    let (to, capital) = square(&mut cursor)?;
    Some((Place { file: Some(file), rank: None }, sep, to, capital, cursor))
}

fn after_rank(mut cursor: Cursor<'_>) -> Option<Goal<'_>> {
    let rank = cursor.rank()?;
    let sep = separator(&mut cursor);
    let (to, capital) = square(&mut cursor)?;
    Some((Place { file: None, rank: Some(rank) }, sep, to, capital, cursor))
}

fn after_nothing(mut cursor: Cursor<'_>) -> Option<Goal<'_>> {
    let sep = separator(&mut cursor);
    let (to, capital) = square(&mut cursor)?;
    Some((Place::default(), sep, to, capital, cursor))
}

/// `ed`, `exd`: a pawn takes on a file next to its own.
fn files_alone(mut cursor: Cursor<'_>) -> Option<Part<'_>> {
    let (from, first) = cursor.file()?;
    let takes = separator(&mut cursor);
    let (to, second) = cursor.file()?;
    let near = (from as usize).abs_diff(to as usize) == 1;
    let ends = !cursor.peek(0).is_some_and(char::is_alphanumeric);
    if first || second || !near || !ends || takes == Some(Sep::Dash) {
        return None;
    }
    let place = |file| Place { file: Some(file), rank: None };
    let mut said = Plain::new(Man::Pawn, place(from), place(to));
    said.takes = true;
    Some((said, cursor, takes.is_none()))
}

/// `e4`, `E4`.
fn square_alone(mut cursor: Cursor<'_>) -> Option<Part<'_>> {
    let (to, capitals) = square(&mut cursor)?;
    let said = Plain::new(Man::Pawn, Place::default(), Place::square(to));
    Some((Plain { capitals, ..said }, cursor, true))
}

fn man(cursor: &mut Cursor<'_>) -> Option<Man> {
    cursor.figurine().map(Man::Piece).or_else(|| letter(cursor).map(Man::Letter))
}

/// Steps over the letter of a piece in any language.
pub(super) fn letter(cursor: &mut Cursor<'_>) -> Option<Letter> {
    let (text, small) = languages::letter_at(cursor.peek(0)?, cursor.peek(1))?;
    cursor.at += text.chars().count();
    Some(Letter { text, small })
}

/// Steps over a square; the second value tells whether its file is a capital.
pub(super) fn square(cursor: &mut Cursor<'_>) -> Option<(Square, bool)> {
    let mut ahead = *cursor;
    let (file, capital) = ahead.file()?;
    ahead.glue();
    let square = Square::new(file, ahead.rank()?);
    *cursor = ahead;
    Some((square, capital))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sep {
    Dash,
    Takes,
}

/// Steps over what may stand between two squares.
fn separator(cursor: &mut Cursor<'_>) -> Option<Sep> {
    cursor.glue();
    let sep = if cursor.eat(&['x', 'X', ':', '*', 'х', 'Х']) {
        Some(Sep::Takes)
    } else if cursor.eat(&['-']) {
        cursor.eat(&['>']);
        Some(Sep::Dash)
    } else {
        None
    };
    cursor.glue();
    sep
}

/// Steps over what a pawn becomes: `=Q`, `Q`, `(Q)`, `/Q`, or a word.
fn promotion(cursor: &mut Cursor<'_>, said: &Plain) -> Option<Man> {
    let may = match said.man {
        Man::Any | Man::Pawn => true,
        Man::Piece(piece) => piece == Piece::Pawn,
        Man::Letter(letter) => letter.small || letter.text == "P" || letter.text == "E",
    };
    let (man, rest) = signed(*cursor)
        .or_else(|| naked(*cursor))
        .or_else(|| words::promotion(*cursor).map(|(piece, rest)| (Man::Piece(piece), rest)))
        .filter(|_| may)?;
    *cursor = rest;
    Some(man)
}

/// A letter behind a sign.
fn signed(mut cursor: Cursor<'_>) -> Option<(Man, Cursor<'_>)> {
    let blank = cursor.blanks(1) > 0;
    let equals = cursor.eat(&['=']);
    if equals {
        cursor.blanks(1);
    }
    let bracket = cursor.eat(&['(']);
    let slash = !bracket && !equals && !blank && cursor.eat(&['/']);
    if bracket {
        cursor.eat(&['=']);
    }
    let man = man(&mut cursor).filter(|_| equals || bracket || slash)?;
    let closed = !bracket || cursor.eat(&[')']);
    // `=b4` and `=Bg5` are an equals sign and the next move; `(b4)` is a remark.
    let ends = !cursor.peek(0).is_some_and(char::is_alphanumeric) || check_word(cursor);
    (closed && ends).then_some((man, cursor))
}

/// A letter alone, with no move behind it that it could begin.
fn naked(mut cursor: Cursor<'_>) -> Option<(Man, Cursor<'_>)> {
    let man = man(&mut cursor)?;
    let ends = !cursor.peek(0).is_some_and(char::is_alphanumeric) || check_word(cursor);
    ends.then_some((man, cursor))
}

/// Tells whether a word for check is glued on.
pub(super) fn check_word(mut cursor: Cursor<'_>) -> bool {
    cursor.eat_text("ch") || cursor.eat_text("mate")
}

/// Steps over the note that a pawn takes in passing.
pub(super) fn passing(cursor: &mut Cursor<'_>) -> bool {
    const NOTES: [&str; 5] = ["en passant", "e.p.", "e. p.", "e.p", "ep"];
    let mut ahead = *cursor;
    ahead.blanks(1);
    let bracket = ahead.eat(&['(']);
    let noted = NOTES.iter().any(|note| ahead.eat_text(note));
    let closed = !bracket || ahead.eat(&[')']);
    let ends = !ahead.peek(0).is_some_and(char::is_alphanumeric);
    if noted && closed && ends {
        *cursor = ahead;
    }
    noted && closed && ends
}
