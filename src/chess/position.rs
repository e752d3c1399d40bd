//! A position: whose move it is, what is legal, and what a move makes of it. Nothing here panics on an illegal move or
//! a broken FEN, and castling is always the king's move of two squares (the crate holds it as king takes rook).

use super::{Move, Side, end, san};
use cozy_chess::{
    Board, Color, File, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};
use std::fmt::Write;

/// A position on the board, with the side to move, castling rights, the en passant square and both counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
}

/// Why a game is over on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side has the material to mate, whatever is played.
    DeadPosition,
}

impl Default for Position {
    fn default() -> Self {
        Self::start()
    }
}

impl Position {
    /// Returns the position in which every game starts.
    pub fn start() -> Self {
        Self { board: Board::startpos() }
    }

    /// Reads a FEN. The two counters may be missing, and an en passant square that cannot be is left out; nothing if the
    /// position cannot arise, or if it castles from other squares than those of chess.
    pub fn from_fen(fen: &str) -> Option<Self> {
        let mut fields: Vec<&str> = fen.split_whitespace().collect();
        fields.extend(["w", "-", "-", "0", "1"].iter().skip(fields.len().saturating_sub(1)));
        if let Some(clock) = fields.get_mut(4).filter(|c| c.parse::<u32>().is_ok_and(|c| c > 100)) {
            *clock = "100";
        }
        if let Some(number) = fields.get_mut(5).filter(|number| **number == "0") {
            *number = "1";
        }
        let board = Board::from_fen(&fields.join(" "), false).ok().or_else(|| {
            *fields.get_mut(3)? = "-";
            Board::from_fen(&fields.join(" "), false).ok()
        })?;
        Color::ALL.iter().all(|color| castles_from_home(&board, *color)).then_some(Self { board })
    }

    /// Returns the position as FEN.
    pub fn fen(&self) -> String {
        self.board.to_string()
    }

    /// Returns the side to move.
    pub fn to_move(&self) -> Side {
        match self.board.side_to_move() {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }

    /// Returns the number of the next move: 1 for the first of either side.
    pub fn number(&self) -> u16 {
        self.board.fullmove_number()
    }

    /// Returns how many single moves were made before this position, counted from its number.
    pub fn ply(&self) -> u32 {
        let whole = 2 * (u32::from(self.number()) - 1);
        whole + u32::from(self.to_move() == Side::Black)
    }

    /// Returns how many single moves have passed without capture or pawn move; 100 also stands for more.
    pub fn halfmove_clock(&self) -> u8 {
        self.board.halfmove_clock()
    }

    /// Tells whether the king of the side to move is attacked.
    pub fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// Returns every legal move, in the order of their squares.
    pub fn legal(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        self.board.generate_moves(|of_piece| {
            moves.extend(of_piece.into_iter().map(|it| self.hide(it)));
            false
        });
        moves.sort_unstable();
        moves
    }

    /// Tells whether a move is legal.
    pub fn is_legal(&self, it: Move) -> bool {
        self.show(it).is_some_and(|it| self.board.is_legal(it))
    }

    /// Plays a move; returns false and changes nothing if it is illegal.
    pub fn play(&mut self, it: Move) -> bool {
        self.show(it).is_some_and(|it| self.board.try_play(it).is_ok())
    }

    /// Returns the position after a move, or nothing if it is illegal.
    pub fn after(&self, it: Move) -> Option<Self> {
        let mut next = self.clone();
        next.play(it).then_some(next)
    }

    /// Returns a legal move in standard notation with `+` or `#`; an illegal one as its squares.
    pub fn san(&self, it: Move) -> String {
        san::write(self, it)
    }

    /// Returns why the game is over on the board, or nothing while it goes on.
    pub fn end(&self) -> Option<End> {
        end::of(self)
    }

    /// Returns a number that positions share which are the same by the rule of repetition: the same men on the same
    /// squares, the same side to move, the same rights; en passant counts only where it can be played.
    pub fn key(&self) -> u64 {
        match self.en_passant() {
            Some(_) => self.board.hash(),
            None => self.board.hash_without_ep(),
        }
    }

    /// Draws the board for a mail in a font of equal widths, White's men as capitals, from the side of a player.
    pub fn diagram(&self, from: Side) -> String {
        let order: Vec<usize> = match from {
            Side::White => (0..8).collect(),
            Side::Black => (0..8).rev().collect(),
        };
        let mut text = String::with_capacity(9 * 20);
        for rank in order.iter().rev().map(|rank| Rank::index(*rank)) {
            let _ = write!(text, "{rank} ");
            for file in order.iter().map(|file| File::index(*file)) {
                let _ = write!(text, " {}", self.sign(Square::new(file, rank)));
            }
            text.push('\n');
        }
        text.push_str("  ");
        for file in order {
            let _ = write!(text, " {}", File::index(file));
        }
        text.push('\n');
        text
    }

    fn sign(&self, square: Square) -> char {
        let dark = (square.file() as usize + square.rank() as usize).is_multiple_of(2);
        match (self.man(square), dark) {
            (Some((piece, Color::White)), _) => char::from(piece).to_ascii_uppercase(),
            (Some((piece, Color::Black)), _) => char::from(piece),
            (None, true) => ':',
            (None, false) => '.',
        }
    }

    /// Returns the board behind the position.
    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// Returns what stands on a square.
    pub(super) fn man(&self, square: Square) -> Option<(Piece, Color)> {
        Some((self.board.piece_on(square)?, self.board.color_on(square)?))
    }

    /// Returns the piece that a move moves.
    pub(super) fn moved(&self, it: Move) -> Option<Piece> {
        self.board.piece_on(it.from())
    }

    /// Returns the square on which a pawn can be taken in passing, if one can.
    pub(super) fn en_passant(&self) -> Option<Square> {
        let us = self.board.side_to_move();
        let square = Square::new(self.board.en_passant()?, Rank::Sixth.relative_to(us));
        let mut takers = get_pawn_attacks(square, !us).iter();
        takers.any(|from| self.is_legal(Move::new(from, square, None))).then_some(square)
    }

    /// Tells whether a move takes something, also in passing.
    pub(super) fn is_capture(&self, it: Move) -> bool {
        self.captured(it).is_some()
    }

    /// Returns what a move takes, and where it stands.
    pub(super) fn captured(&self, it: Move) -> Option<(Piece, Square)> {
        let passing = self.moved(it) == Some(Piece::Pawn) && it.from().file() != it.to().file();
        match self.board.piece_on(it.to()) {
            Some(piece) => Some((piece, it.to())),
            None if passing => Some((Piece::Pawn, Square::new(it.to().file(), it.from().rank()))),
            None => None,
        }
    }

    /// Tells whether a move castles.
    pub(super) fn is_castling(&self, it: Move) -> bool {
        let files = (it.from().file() as usize).abs_diff(it.to().file() as usize);
        self.moved(it) == Some(Piece::King) && files == 2
    }

    /// Returns the squares that a piece of either colour reaches, checks aside: for a pawn those it attacks.
    pub(super) fn reach(&self, piece: Piece, color: Color, from: Square) -> cozy_chess::BitBoard {
        let all = self.board.occupied();
        match piece {
            Piece::Pawn => get_pawn_attacks(from, color),
            Piece::Knight => get_knight_moves(from),
            Piece::Bishop => get_bishop_moves(from, all),
            Piece::Rook => get_rook_moves(from, all),
            Piece::Queen => get_bishop_moves(from, all) | get_rook_moves(from, all),
            Piece::King => get_king_moves(from),
        }
    }

    /// Turns the crate's king takes rook into the king's move of two squares.
    fn hide(&self, it: cozy_chess::Move) -> Move {
        let to = if self.board.color_on(it.to) == Some(self.board.side_to_move()) {
            let file = if it.to.file() > it.from.file() { File::G } else { File::C };
            Square::new(file, it.from.rank())
        } else {
            it.to
        };
        Move::new(it.from, to, it.promotion)
    }

    /// The other way round. King takes rook itself is no move of ours.
    fn show(&self, it: Move) -> Option<cozy_chess::Move> {
        if self.board.color_on(it.to()) == Some(self.board.side_to_move()) {
            return None;
        }
        let to = if self.is_castling(it) {
            let rights = self.board.castle_rights(self.board.side_to_move());
            let rook = if it.to().file() == File::G { rights.short } else { rights.long };
            Square::new(rook?, it.to().rank())
        } else {
            it.to()
        };
        Some(cozy_chess::Move { from: it.from(), to, promotion: it.promotion() })
    }
}

fn castles_from_home(board: &Board, color: Color) -> bool {
    let rights = board.castle_rights(color);
    let none = rights.short.is_none() && rights.long.is_none();
    none || board.king(color).file() == File::E
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Position {
        let mut position = Position::start();
        for text in moves.split_whitespace() {
            assert!(position.play(text.parse().expect(text)), "{text}");
        }
        position
    }

    #[test]
    fn a_position_is_small_and_prints_its_fen() {
        assert!(size_of::<Position>() <= 112, "{}", size_of::<Position>());
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(Position::start().fen(), fen);
        assert_eq!(Position::from_fen(fen), Some(Position::start()));
        assert_eq!(
            Position::from_fen("4k3/8/8/8/8/8/8/4K3 b").expect("short").to_move(),
            Side::Black
        );
        let odd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 400 0";
        assert_eq!(Position::from_fen(odd).expect("odd").halfmove_clock(), 100);
        for broken in ["", " ", "8/8/8/8/8/8/8/8 w - - 0 1", "x", "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1"]
        {
            assert_eq!(Position::from_fen(broken), None, "{broken}");
        }
    }

    #[test]
    fn castling_is_the_kings_move() {
        let mut position = after("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
        let (castling, rook) = ("e1g1".parse().expect("a move"), "e1h1".parse().expect("a move"));
        assert!(position.legal().contains(&castling) && !position.is_legal(rook));
        assert!(!position.play(rook));
        assert_eq!(position.san(castling), "O-O");
        assert!(position.play(castling));
        assert!(
            position.fen().starts_with("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1")
        );
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut position = Position::start();
        for text in ["e2e5", "e7e5", "e3e4", "e1g1", "e2e4q", "a1a2"] {
            assert!(!position.play(text.parse().expect(text)), "{text}");
        }
        assert_eq!(position, Position::start());
        assert_eq!(position.legal().len(), 20);
    }

    #[test]
    fn numbers_and_sides_follow_the_moves() {
        let position = after("e2e4 e7e5 g1f3");
        assert_eq!((position.number(), position.to_move(), position.ply()), (2, Side::Black, 3));
        assert_eq!(position.halfmove_clock(), 1);
    }

    #[test]
    fn en_passant_counts_for_the_key_only_where_it_can_be_played() {
        let vain = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let vain = Position::from_fen(vain).expect("a position");
        assert_eq!(after("e2e4").key(), vain.key());
        let live = after("e2e4 a7a6 e4e5 d7d5");
        let fields: Vec<String> = live.fen().split(' ').map(str::to_owned).collect();
        let without = format!("{} {} {} - 0 3", fields[0], fields[1], fields[2]);
        assert_ne!(live.key(), Position::from_fen(&without).expect("a position").key());
    }

    #[test]
    fn the_diagram_is_drawn_from_either_side() {
        let position = after("e2e4");
        let white = position.diagram(Side::White);
        assert!(white.starts_with("8  r n b q k b n r\n7  p p p p p p p p\n6  . : . : . : . :\n"));
        assert!(white.ends_with("1  R N B Q K B N R\n   a b c d e f g h\n"), "{white}");
        let black = position.diagram(Side::Black);
        assert!(black.starts_with("1  R N B K Q B N R\n2  P P P . P P P P\n"), "{black}");
        assert!(black.ends_with("8  r n b k q b n r\n   h g f e d c b a\n"));
    }
}
