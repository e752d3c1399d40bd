//! Why a move that was said is not legal, in words for the player: the part of an English sentence that follows "because".

use super::{
    super::{Move, Position},
    Language, languages,
    matching::{Meaning, as_pawn, first_languages},
    said::{Letter, Man, Plain, Said, Wing},
};
use cozy_chess::{
    BitBoard, Color, File, Piece, Square, get_between_rays, get_bishop_rays, get_rook_rays,
};

/// How many legal moves are named beside the reason.
const CANDIDATES: usize = 4;

/// Says why nothing legal fits.
pub(super) fn not(position: &Position, said: &Said, language: Option<Language>) -> String {
    let board = Board { position, us: position.board().side_to_move() };
    match said {
        Said::Castling(wing) => board.castling(*wing),
        Said::Descriptive(said) => {
            format!(
                "{} has no legal move that fits, whose piece is a {}",
                board.name(),
                name(said.mover.piece)
            )
        }
        Said::Plain(said) => {
            let reason = board.plain(said, language);
            let candidates = said.to.whole().map(|to| board.candidates(to)).unwrap_or_default();
            format!("{reason}{candidates}")
        }
    }
}

/// Returns the English word for a piece.
pub(super) fn name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

struct Board<'a> {
    position: &'a Position,
    us: Color,
}

impl Board<'_> {
    fn name(&self) -> &'static str {
        color(self.us)
    }

    fn plain(&self, said: &Plain, language: Option<Language>) -> String {
        let small = matches!(said.man, Man::Letter(Letter { small: true, .. }));
        if let Some(pawn) = as_pawn(said).filter(|_| small) {
            return self.plain(&pawn, language);
        }
        let of = |language: Language| Meaning::of(said, |letter| language.piece(letter));
        let any = || {
            languages::common().find_map(|row| Meaning::of(said, |l| languages::piece_of(row, l)))
        };
        let Some(meaning) = first_languages(language).find_map(of).or_else(any) else {
            return match as_pawn(said) {
                Some(pawn) => self.plain(&pawn, language),
                None => "its letters are no pieces' in a language that is known here".to_owned(),
            };
        };
        if let Some(from) = said.from.whole() {
            return self.of_square(from, said, meaning.piece);
        }
        let piece = meaning.piece.unwrap_or(Piece::Pawn);
        let of_kind = self.position.board().colored_pieces(self.us, piece);
        let sources: Vec<Square> = of_kind.iter().filter(|at| said.from.fits(*at)).collect();
        match (sources.as_slice(), said.to.whole()) {
            _ if of_kind.is_empty() => format!("{} has no {}", self.name(), name(piece)),
            ([], _) => format!("{} has no {} {}", self.name(), name(piece), place(said)),
            (_, Some(to)) => self.to_square(&sources, to, said, piece),
            (_, None) => format!("no {} of {}'s can do that", name(piece), self.name()),
        }
    }

    fn of_square(&self, from: Square, said: &Plain, wanted: Option<Piece>) -> String {
        let Some((piece, owner)) = self.position.man(from) else {
            return format!("{from} is empty");
        };
        if owner != self.us {
            let mover = self.name();
            return format!(
                "the {} on {from} is {}'s, and {mover} is to move",
                name(piece),
                color(owner)
            );
        }
        match (wanted.filter(|wanted| *wanted != piece), said.to.whole()) {
            (Some(wanted), _) => {
                format!("the piece on {from} is a {}, not a {}", name(piece), name(wanted))
            }
            (None, Some(to)) => self.one(from, to, said, piece),
            (None, None) => format!("the {} on {from} cannot do that", name(piece)),
        }
    }

    /// Several of a kind, of which none can go there: one that only a check keeps is the one meant.
    fn to_square(&self, sources: &[Square], to: Square, said: &Plain, piece: Piece) -> String {
        let stands = self.position.man(to);
        let reaches = |from: &&Square| {
            self.position.reach(piece, self.us, **from).has(to) || self.pushes(**from, to, piece)
        };
        let blocked = |from: &&Square| self.is_blocked(**from, to, piece);
        let near = sources.iter().find(reaches).or_else(|| sources.iter().find(blocked));
        match (sources, near, stands) {
            ([only], ..) => self.one(*only, to, said, piece),
            (_, Some(from), _) => self.one(*from, to, said, piece),
            (_, _, Some((own, owner))) if owner == self.us => self.own(own, to),
            _ if said.takes && stands.is_none() => nothing_to_take(to),
            _ => format!("no {} of {}'s reaches {to}", name(piece), self.name()),
        }
    }

    /// Tells whether a pawn steps straight there.
    fn pushes(&self, from: Square, to: Square, piece: Piece) -> bool {
        let pushes = cozy_chess::get_pawn_quiets(from, self.us, self.position.board().occupied());
        piece == Piece::Pawn && pushes.has(to)
    }

    /// Why the piece on one square cannot go to another.
    fn one(&self, from: Square, to: Square, said: &Plain, piece: Piece) -> String {
        let stands = self.position.man(to);
        let reach = self.position.reach(piece, self.us, from).has(to);
        match stands {
            Some((own, owner)) if owner == self.us => self.own(own, to),
            None if said.passing || (piece == Piece::Pawn && reach) => nothing_to_take(to),
            None if said.takes => nothing_to_take(to),
            Some(_) if piece == Piece::Pawn && from.file() == to.file() => {
                format!("{to} is occupied, and a pawn takes sideways")
            }
            _ if said.promotion.is_some() && piece != Piece::Pawn => {
                format!("the {} on {from} does not promote", name(piece))
            }
            _ if reach || self.pushes(from, to, piece) => self.exposed(from, to, piece),
            _ if self.is_blocked(from, to, piece) => {
                format!("the way from {from} to {to} is blocked")
            }
            _ => format!("a {} on {from} does not go to {to}", name(piece)),
        }
    }

    fn own(&self, piece: Piece, square: Square) -> String {
        format!("{}'s own {} stands on {square}", self.name(), name(piece))
    }

    /// A move that would be right if there were no kings.
    fn exposed(&self, from: Square, to: Square, piece: Piece) -> String {
        if piece == Piece::King {
            return format!("the king would be in check on {to}");
        }
        if self.position.in_check() {
            return format!("{} is in check, and the move does not end it", self.name());
        }
        format!("the {} on {from} is pinned: the king would be in check", name(piece))
    }

    fn is_blocked(&self, from: Square, to: Square, piece: Piece) -> bool {
        let far: BitBoard = match piece {
            Piece::Bishop => get_bishop_rays(from),
            Piece::Rook => get_rook_rays(from),
            Piece::Queen => get_bishop_rays(from) | get_rook_rays(from),
            Piece::Pawn => cozy_chess::get_pawn_quiets(from, self.us, BitBoard::EMPTY),
            Piece::Knight | Piece::King => BitBoard::EMPTY,
        };
        let between = get_between_rays(from, to) | to.bitboard();
        far.has(to) && !(between & self.position.board().occupied()).is_empty()
    }

    fn castling(&self, wing: Option<Wing>) -> String {
        let Some(wing) = wing else {
            return format!(
                "{}, and {}",
                self.no_castling(Wing::King),
                self.no_castling(Wing::Queen)
            );
        };
        self.no_castling(wing)
    }

    fn no_castling(&self, wing: Wing) -> String {
        let rights = self.position.board().castle_rights(self.us);
        let (right, side) = match wing {
            Wing::King => (rights.short, "kingside"),
            Wing::Queen => (rights.long, "queenside"),
        };
        let Some(rook) = right else {
            let name = self.name();
            return format!(
                "{name} may not castle {side}: the king or that rook has moved, or the rook is gone"
            );
        };
        let king = self.position.board().king(self.us);
        let rook = Square::new(rook, king.rank());
        let between = get_between_rays(king, rook) & self.position.board().occupied();
        let goal = Square::new(if wing == Wing::King { File::G } else { File::C }, king.rank());
        match between.next_square() {
            Some(square) => {
                format!("{} cannot castle {side}: a piece stands on {square}", self.name())
            }
            None if self.position.in_check() => {
                format!("{} is in check and cannot castle", self.name())
            }
            None => format!(
                "{} cannot castle {side}: the king would pass an attacked square or reach one, on its way to {goal}",
                self.name()
            ),
        }
    }

    /// Names the legal moves to a square.
    fn candidates(&self, to: Square) -> String {
        let there = |it: &Move| it.to() == to && !self.position.is_castling(*it);
        let legal = self.position.legal();
        let moves: Vec<String> = legal
            .into_iter()
            .filter(there)
            .take(CANDIDATES)
            .map(|it| self.position.san(it))
            .collect();
        match moves.as_slice() {
            [] => String::new(),
            [one] => format!("; {one} would be legal"),
            moves => format!("; legal moves to {to} are {}", moves.join(", ")),
        }
    }
}

fn color(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn nothing_to_take(square: Square) -> String {
    format!("there is nothing to take on {square}")
}

/// Where a piece was said to stand.
fn place(said: &Plain) -> String {
    match (said.from.file, said.from.rank) {
        (Some(file), _) => format!("on the {file}-file"),
        (_, Some(rank)) => format!("on rank {rank}"),
        _ if said.man == Man::Pawn => "there".to_owned(),
        _ => "that could go there".to_owned(),
    }
}
