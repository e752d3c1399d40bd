//! Moves in words: `pawn takes d5`, `Knight from b1 to d2`, `Springer nach f3`, `castles short`, `b8 promotes to a queen`.
//! A language is a few words of the tables below. Only whole phrases are read: `my knight on g5 is strong` is none.

use super::{
    glyphs::Cursor,
    grammar::{self, Found, Part},
    said::{Man, Place, Plain, Said, Wing},
};
use cozy_chess::Piece;

/// What a word means in a move.
#[derive(Clone, Copy, PartialEq)]
enum Meaning {
    Piece(Piece),
    Takes,
    To,
    From,
    /// A verb that says no more than that the piece moves.
    Goes,
    /// Stands between the others and says nothing.
    Filler,
    Promotes,
    /// Castling; `true` for a form that tells of castling rather than doing it.
    Castling(bool),
    Wing(Wing),
}

/// Returns the meaning of a word in small letters.
#[rustfmt::skip]
fn meaning(word: &str) -> Option<Meaning> {
    use Meaning::{Castling, Filler, From, Goes, Promotes, Takes, To};
    Some(match word {
        "king" | "könig" | "koenig" | "roi" | "rey" | "koning" | "rei" | "król" | "král" | "король" | "kung" | "konge"
            => Meaning::Piece(Piece::King),
        "queen" | "dame" | "dama" | "donna" | "koningin" | "ferz" | "ферзь" | "dronning" | "drottning" | "hetman"
            => Meaning::Piece(Piece::Queen),
        "rook" | "turm" | "tour" | "torre" | "toren" | "ладья" | "tårn" | "torn" | "věž" | "wieża" | "bástya"
            => Meaning::Piece(Piece::Rook),
        "bishop" | "läufer" | "laeufer" | "fou" | "alfil" | "alfiere" | "loper" | "bispo" | "слон" | "løber" | "löpare"
            => Meaning::Piece(Piece::Bishop),
        "knight" | "horse" | "springer" | "pferd" | "cavalier" | "caballo" | "cavallo" | "paard" | "cavalo" | "конь" | "hest" | "jezdec"
            => Meaning::Piece(Piece::Knight),
        "pawn" | "bauer" | "pion" | "peón" | "peon" | "pedone" | "peão" | "пешка" | "bonde" | "pěšec"
            => Meaning::Piece(Piece::Pawn),
        "takes" | "take" | "captures" | "capture" | "x" | "schlägt" | "schlaegt" | "nimmt" | "prend" | "toma" | "captura"
            | "prende" | "mangia" | "cattura" | "slaat" | "neemt" | "slår" | "tar" | "бьёт" | "бьет" | "берёт" | "берет"
            => Takes,
        "to" | "nach" | "vers" | "naar" | "til" | "till" | "на" => To,
        "from" | "on" | "von" | "auf" | "de" | "da" | "van" | "fra" | "från" | "с" | "at" | "sur" | "en" | "op" => From,
        "goes" | "go" | "moves" | "move" | "zieht" | "geht" | "gaat" | "va" | "går" => Goes,
        "the" | "a" | "an" | "my" | "your" | "den" | "die" | "das" | "einen" | "eine" | "zur" | "le" | "la" | "el" | "il"
            | "now" | "nun" | "jetzt" | "ich" | "hier"
            => Filler,
        "promotes" | "promoting" | "promote" | "becomes" | "becoming" | "wird" | "devient" | "corona" | "promotion" => Promotes,
        "castle" | "castles" | "rochade" | "rochiere" | "rochiert" | "roque" | "enroque" | "arrocco" | "rokade" | "rochada"
            | "roszada" | "rockad" | "linnoitus" | "rocada" | "sánc" | "rošáda" | "рокировка" => Castling(false),
        "castling" | "castled" => Castling(true),
        "short" | "kingside" | "kurze" | "kurz" | "kleine" | "petit" | "corto" | "corta" | "kort" | "korte" | "krótka"
            | "malá" | "короткая" | "rövid" | "pequeno" => Meaning::Wing(Wing::King),
        "long" | "queenside" | "lange" | "lang" | "große" | "grosse" | "grand" | "largo" | "larga" | "lungo" | "lång"
            | "długa" | "velká" | "длинная" | "hosszú" | "grande" => Meaning::Wing(Wing::Queen),
        _ => return None,
    })
}

/// Wings told in several words, tried behind a word for castling.
const WINGS: [(&str, Wing); 14] = [
    ("king's side", Wing::King),
    ("king’s side", Wing::King),
    ("kings side", Wing::King),
    ("king side", Wing::King),
    ("king-side", Wing::King),
    ("k-side", Wing::King),
    ("k side", Wing::King),
    ("queen's side", Wing::Queen),
    ("queen’s side", Wing::Queen),
    ("queens side", Wing::Queen),
    ("queen side", Wing::Queen),
    ("queen-side", Wing::Queen),
    ("q-side", Wing::Queen),
    ("q side", Wing::Queen),
];

/// How many bytes the longest word of the tables has, and some more.
const LONGEST: usize = 24;

/// Steps over a word of the tables.
fn word(cursor: &mut Cursor<'_>) -> Option<Meaning> {
    let (mut small, mut length, mut ahead) = ([0_u8; LONGEST], 0, *cursor);
    while let Some(sign) = ahead.peek(0).filter(|sign| sign.is_alphanumeric()) {
        for sign in sign.to_lowercase() {
            let place = small.get_mut(length..length + sign.len_utf8())?;
            length += sign.encode_utf8(place).len();
        }
        ahead.next();
    }
    let meaning = meaning(std::str::from_utf8(small.get(..length)?).ok()?)?;
    *cursor = ahead;
    Some(meaning)
}

/// Steps over a blank and a word with this meaning.
fn follows(cursor: &mut Cursor<'_>, wanted: Meaning) -> bool {
    let mut ahead = *cursor;
    let found = ahead.blanks(2) > 0 && word(&mut ahead) == Some(wanted);
    if found {
        *cursor = ahead;
    }
    found
}

fn skip(cursor: &mut Cursor<'_>, meaning: Meaning) {
    while follows(cursor, meaning) {}
}

/// Tells whether a word leads to a square or from one: the square behind it is a place, and no pawn's move.
pub(super) fn leads(text: &str) -> bool {
    matches!(meaning(text), Some(Meaning::To | Meaning::From))
}

/// Reads a move in words at a cursor.
pub(super) fn at(cursor: Cursor<'_>) -> Option<Found<'_>> {
    let mut rest = cursor;
    match word(&mut rest) {
        Some(Meaning::Castling(told)) => castling(rest, told),
        Some(Meaning::Wing(wing)) => {
            let told = follows(&mut rest, Meaning::Castling(true));
            let found = told || follows(&mut rest, Meaning::Castling(false));
            found.then_some(Found { said: Said::Castling(Some(wing)), rest, weak: told })
        }
        Some(Meaning::Piece(piece)) => of_piece(piece, rest),
        _ => of_sign(cursor),
    }
}

fn castling(mut rest: Cursor<'_>, told: bool) -> Option<Found<'_>> {
    let bare = Found { said: Said::Castling(None), rest, weak: true };
    skip(&mut rest, Meaning::To);
    skip(&mut rest, Meaning::From);
    skip(&mut rest, Meaning::Filler);
    rest.eat(&[',']);
    let mut ahead = rest;
    ahead.blanks(2);
    let mut wing = WINGS.iter().find_map(|(words, wing)| {
        let mut there = ahead;
        let ends = there.eat_text(words) && !there.peek(0).is_some_and(char::is_alphanumeric);
        ends.then_some((*wing, there))
    });
    if wing.is_none()
        && let Some(Meaning::Wing(named)) = word(&mut ahead)
    {
        wing = Some((named, ahead));
    }
    let found =
        wing.map(|(wing, rest)| Found { said: Said::Castling(Some(wing)), rest, weak: told });
    found.or(Some(bare))
}

/// What follows the word for a piece: where from, and where to.
fn of_piece(piece: Piece, mut rest: Cursor<'_>) -> Option<Found<'_>> {
    let man = Man::Piece(piece);
    let mut ahead = rest;
    let named = follows(&mut ahead, Meaning::From);
    let dash = !named && ahead.eat(&['-']);
    let spaced = ahead.blanks(2) > 0;
    let from = grammar::square(&mut ahead).filter(|_| spaced || dash).map(|(square, _)| square);
    if from.is_some() {
        rest = ahead;
    }
    let place = from.map(Place::square).unwrap_or_default();
    let gone = goal(man, place, rest);
    // `knight f3` is half a phrase: it may tell where the knight stands.
    let bare = || {
        let to = from.filter(|_| !named)?;
        Some((Plain::new(man, Place::default(), Place::square(to)), rest, true))
    };
    finish(gone.or_else(bare)?)
}

/// `e takes d5`, `e2 to e4`, `e-pawn takes d5`, `N to f3`, `Nf3 takes e5`.
fn of_sign(cursor: Cursor<'_>) -> Option<Found<'_>> {
    let mut rest = cursor;
    if let Some((from, capital)) = grammar::square(&mut rest) {
        let (said, rest, weak) = goal(Man::Any, Place::square(from), rest)?;
        let goes = said.to.whole().is_none_or(|to| grammar::can_go(from, to));
        return finish((said, rest, weak || capital)).filter(|_| goes);
    }
    if let Some((file, false)) = rest.file() {
        let place = Place { file: Some(file), rank: None };
        rest.eat(&['-']);
        let mut ahead = rest;
        ahead.blanks(1);
        let pawn = word(&mut ahead) == Some(Meaning::Piece(Piece::Pawn));
        let found = goal(Man::Pawn, place, if pawn { ahead } else { rest });
        return finish(found.filter(|(said, ..)| pawn || said.takes)?);
    }
    let mut rest = cursor;
    let man = rest
        .figurine()
        .map(Man::Piece)
        .or_else(|| grammar::letter(&mut rest).filter(|letter| !letter.small).map(Man::Letter))?;
    let from = grammar::square(&mut rest).map(|(square, _)| Place::square(square));
    finish(goal(man, from.unwrap_or_default(), rest)?)
}

/// `to d2`, `takes d5`, `takes on d5`, `takes the pawn on d5`, `takes pawn`.
fn goal(man: Man, from: Place, mut rest: Cursor<'_>) -> Option<Part<'_>> {
    let to = |rest: &mut Cursor<'_>| {
        rest.blanks(2);
        grammar::square(rest).map(|(square, _)| Place::square(square))
    };
    follows(&mut rest, Meaning::Goes);
    if follows(&mut rest, Meaning::To) || auf(&mut rest) {
        return Some((Plain::new(man, from, to(&mut rest)?), rest, false));
    }
    if let Some((after, spaced)) = dash(rest).filter(|_| from.rank.is_some()) {
        rest = after;
        return Some((Plain::new(man, from, to(&mut rest)?), rest, spaced));
    }
    if !follows(&mut rest, Meaning::Takes) {
        return None;
    }
    skip(&mut rest, Meaning::From);
    skip(&mut rest, Meaning::Filler);
    let mut said = Plain { takes: true, ..Plain::new(man, from, Place::default()) };
    let mut ahead = rest;
    ahead.blanks(2);
    if let Some(Meaning::Piece(taken)) = word(&mut ahead) {
        said.taken = Some(taken);
        rest = ahead;
        follows(&mut ahead, Meaning::From);
        if let Some(square) = to(&mut ahead) {
            said.to = square;
            rest = ahead;
        }
    } else {
        said.to = to(&mut rest)?;
    }
    Some((said, rest, false))
}

/// Steps over a dash; the second value tells whether blanks stand around it, as they do around a dash of the sentence.
fn dash(mut rest: Cursor<'_>) -> Option<(Cursor<'_>, bool)> {
    let before = rest.blanks(1);
    let found = rest.eat(&['-']);
    found.then_some((rest, before > 0))
}

/// The German `auf` leads to a square as well as it stands on one; a piece that goes `auf` a square goes there only with
/// a square before it.
fn auf(rest: &mut Cursor<'_>) -> bool {
    let mut ahead = *rest;
    let before = ahead.before(0).is_some_and(|sign| sign.is_ascii_digit());
    let found = before && ahead.blanks(2) > 0 && ahead.eat_text("auf ");
    if found {
        *rest = ahead;
    }
    found
}

fn finish(part: Part<'_>) -> Option<Found<'_>> {
    let found = grammar::finish(part);
    let rest = found.rest;
    let ends = !rest.peek(0).is_some_and(char::is_alphanumeric) || grammar::check_word(rest);
    ends.then_some(found)
}

/// Steps over what a pawn becomes, in words: `queen`, `=queen`, `(queen)`, `promotes to a queen`, `becomes queen`, `queens`.
pub(super) fn promotion(mut cursor: Cursor<'_>) -> Option<(Piece, Cursor<'_>)> {
    cursor.eat(&[',']);
    cursor.blanks(2);
    let equals = cursor.eat(&['=']);
    let bracket = cursor.eat(&['(']);
    if equals {
        cursor.blanks(1);
    }
    let ends = |cursor: &Cursor<'_>| !cursor.peek(0).is_some_and(char::is_alphanumeric);
    let mut queens = cursor;
    if queens.eat_text("queens") && ends(&queens) && !equals && !bracket {
        return Some((Piece::Queen, queens));
    }
    let mut first = word(&mut cursor)?;
    while matches!(first, Meaning::Promotes | Meaning::To | Meaning::Filler | Meaning::From) {
        cursor.blanks(2);
        first = word(&mut cursor)?;
    }
    let Meaning::Piece(piece) = first else { return None };
    let fits = !matches!(piece, Piece::King | Piece::Pawn) && (!bracket || cursor.eat(&[')']));
    fits.then_some((piece, cursor))
}
