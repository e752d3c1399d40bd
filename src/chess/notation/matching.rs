//! Finding the legal moves that fit what was said. The letter of a piece is never ignored: where the languages that count
//! leave two moves, or none, nothing is chosen.

use super::{
    super::{Move, Position},
    Language, Unread, descriptive, languages,
    said::{Letter, Man, Place, Plain, Said, Wing},
    why,
};
use cozy_chess::{File, Piece};

/// Finds the one legal move that fits.
pub(super) fn find(
    position: &Position,
    said: &Said,
    language: Option<Language>,
) -> Result<Move, Unread> {
    let legal = position.legal();
    let found = match said {
        Said::Castling(wing) => castlings(position, &legal, *wing),
        Said::Descriptive(said) => descriptive::fitting(position, &legal, said),
        Said::Plain(said) => Reading { position, legal: &legal, said, language }.moves()?,
    };
    only(found).unwrap_or_else(|| Err(Unread::Illegal(why::not(position, said, language))))
}

/// Returns the one move, or that there are several; nothing if there is none.
fn only(mut moves: Vec<Move>) -> Option<Result<Move, Unread>> {
    moves.sort_unstable();
    moves.dedup();
    match moves.as_slice() {
        [] => None,
        [one] => Some(Ok(*one)),
        _ => Some(Err(Unread::Ambiguous(moves))),
    }
}

fn castlings(position: &Position, legal: &[Move], wing: Option<Wing>) -> Vec<Move> {
    let on = |it: &Move| if it.to().file() == File::G { Wing::King } else { Wing::Queen };
    let fits = |it: &Move| position.is_castling(*it) && wing.is_none_or(|wing| wing == on(it));
    legal.iter().copied().filter(fits).collect()
}

/// What the letters of a move mean in one language.
#[derive(Clone, Copy)]
pub(super) struct Meaning {
    /// The piece that moves; none for two bare squares.
    pub(super) piece: Option<Piece>,
    promotion: Option<Piece>,
}

impl Meaning {
    /// Reads the letters; nothing if one of them is none of the language's.
    pub(super) fn of(said: &Plain, piece_of: impl Fn(&str) -> Option<Piece>) -> Option<Self> {
        let read = |man: Man| match man {
            Man::Any => Some(None),
            Man::Pawn => Some(Some(Piece::Pawn)),
            Man::Piece(piece) => Some(Some(piece)),
            Man::Letter(letter) => piece_of(letter.text).map(Some),
        };
        let promotion = said.promotion.map_or(Some(None), read)?;
        let queening = !matches!(promotion, Some(Piece::King | Piece::Pawn));
        queening.then_some(Self { piece: read(said.man)?, promotion })
    }
}

/// The languages whose letters count first: the registered one, then English.
pub(super) fn first_languages(language: Option<Language>) -> impl Iterator<Item = Language> {
    let english = Some(Language::ENGLISH).filter(|english| language != Some(*english));
    language.into_iter().chain(english)
}

/// A move by squares that is to be found among the legal ones.
struct Reading<'a> {
    position: &'a Position,
    legal: &'a [Move],
    said: &'a Plain,
    language: Option<Language>,
}

impl Reading<'_> {
    fn moves(&self) -> Result<Vec<Move>, Unread> {
        let as_pawn = as_pawn(self.said).map(|pawn| self.of_pawn(&pawn)).unwrap_or_default();
        let small = is_small(Some(self.said.man));
        if small && !as_pawn.is_empty() {
            return if self.doubts_pawn() { Err(self.doubt(&as_pawn)) } else { Ok(as_pawn) };
        }
        if self.said.man == Man::Any && is_small(self.said.promotion) {
            return Ok(self.by_squares());
        }
        let mut known = false;
        for language in first_languages(self.language) {
            let Some(meaning) = Meaning::of(self.said, |l| language.piece(l)) else { continue };
            // A Dutchman's `P` is a knight, and if no knight can go there it is not the pawn either.
            if known && meaning.piece == Some(Piece::Pawn) {
                continue;
            }
            known = true;
            let mut found = self.fitting(self.said, meaning);
            if self.said.capitals {
                found.extend(&as_pawn);
            }
            if !found.is_empty() {
                return Ok(found);
            }
        }
        if known {
            return Ok(if self.said.capitals { as_pawn } else { Vec::new() });
        }
        let rows =
            languages::common().map(|row| Meaning::of(self.said, |l| languages::piece_of(row, l)));
        let mut found: Vec<Move> =
            rows.flatten().flat_map(|meaning| self.fitting(self.said, meaning)).collect();
        found.extend(as_pawn);
        Ok(found)
    }

    /// `e7e8r`: a machine writes so in English, a person perhaps in his own language.
    fn by_squares(&self) -> Vec<Move> {
        let meanings = first_languages(self.language)
            .filter_map(|language| Meaning::of(self.said, |letter| language.piece(letter)));
        meanings.flat_map(|meaning| self.fitting(self.said, meaning)).collect()
    }

    /// Returns the moves of a pawn whose file the letter may be, with what it becomes in every language that counts.
    fn of_pawn(&self, pawn: &Plain) -> Vec<Move> {
        let mut meanings = first_languages(self.language)
            .filter_map(|l| Meaning::of(pawn, |letter| l.piece(letter)));
        let first = meanings.next();
        let rows = languages::common()
            .filter_map(|row| Meaning::of(pawn, |l| languages::piece_of(row, l)));
        let meanings: Vec<_> = first.map_or_else(|| rows.collect(), |first| vec![first]);
        meanings.into_iter().flat_map(|meaning| self.fitting(pawn, meaning)).collect()
    }

    /// `bb3`: a pawn needs no file to step forward, so the letter tells it from a bishop that could go there too. With a
    /// bishop that could not, the sender may have meant that, on another board than ours.
    fn doubts_pawn(&self) -> bool {
        let said = self.said;
        let needless =
            as_pawn(said).is_some_and(|pawn| pawn.from.file == pawn.to.file) && !said.takes;
        needless
            && first_languages(self.language).any(|language| {
                let meaning = Meaning::of(said, |letter| language.piece(letter));
                let Some(piece) = meaning.and_then(|meaning| meaning.piece) else { return false };
                let us = self.position.board().side_to_move();
                let has = !self.position.board().colored_pieces(us, piece).is_empty();
                has && meaning.is_some_and(|meaning| self.fitting(said, meaning).is_empty())
            })
    }

    fn doubt(&self, pawns: &[Move]) -> Unread {
        let pawn = pawns.first().map(|it| self.position.san(*it)).unwrap_or_default();
        let mut piece = self.said.clone();
        if let Man::Letter(letter) = &mut piece.man {
            letter.small = false;
        }
        let reason = why::not(self.position, &Said::Plain(piece), self.language);
        Unread::Illegal(format!("{reason}; if the pawn is meant, its move is written {pawn}"))
    }

    fn fitting(&self, said: &Plain, meaning: Meaning) -> Vec<Move> {
        let fits = |it: &Move| fits(self.position, *it, said, meaning);
        self.legal.iter().copied().filter(fits).collect()
    }
}

fn is_small(man: Option<Man>) -> bool {
    matches!(man, Some(Man::Letter(Letter { small: true, .. })))
}

fn fits(position: &Position, it: Move, said: &Plain, meaning: Meaning) -> bool {
    let taken = position.captured(it);
    let in_passing = taken.is_some_and(|(_, square)| square != it.to());
    let pawn = position.moved(it) == Some(Piece::Pawn);
    // `d5` is no capture: a pawn that takes names its file, or says that it takes.
    let says_capture = said.takes || said.from.file.is_some() || said.passing;
    said.from.fits(it.from())
        && said.to.fits(it.to())
        && meaning.piece.is_none_or(|piece| position.moved(it) == Some(piece))
        && (meaning.promotion.is_none() || meaning.promotion == it.promotion())
        && (!said.takes || taken.is_some())
        && (!pawn || taken.is_none() || says_capture)
        && said.taken.is_none_or(|piece| taken.is_some_and(|(there, _)| there == piece))
        && (!said.passing || in_passing)
}

/// Returns the pawn's move that a letter from a to h may mean.
pub(super) fn as_pawn(said: &Plain) -> Option<Plain> {
    let Man::Letter(Letter { text, .. }) = said.man else { return None };
    let mut letters = text.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?.to_ascii_lowercase();
    let file = File::try_from(letter).ok()?;
    let near = (file as usize).abs_diff(said.to.file? as usize) < 2;
    let fits = near && said.from == Place::default();
    fits.then(|| Plain {
        man: Man::Pawn,
        from: Place { file: Some(file), rank: None },
        ..said.clone()
    })
}
