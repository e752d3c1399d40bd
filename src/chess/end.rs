//! When a game is over on the board: mate, stalemate, and positions in which neither side can ever mate. A draw by
//! repetition or by fifty moves has to be claimed and is not decided here.

use super::{End, Position};
use cozy_chess::{BitBoard, Board, Piece};

pub(super) fn of(position: &Position) -> Option<End> {
    let board = position.board();
    if !board.generate_moves(|_| true) {
        return Some(if position.in_check() { End::Checkmate } else { End::Stalemate });
    }
    is_dead(board).then_some(End::DeadPosition)
}

/// Kings alone, with a single knight, or with bishops that all go on squares of one colour.
fn is_dead(board: &Board) -> bool {
    let strong = [Piece::Pawn, Piece::Rook, Piece::Queen];
    if strong.iter().any(|piece| !board.pieces(*piece).is_empty()) {
        return false;
    }
    let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
    let one_colour = (bishops & BitBoard::DARK_SQUARES).is_empty()
        || (bishops & BitBoard::LIGHT_SQUARES).is_empty();
    match knights.len() {
        0 => one_colour,
        1 => bishops.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_stalemate_and_dead_positions_end_a_game() {
        for (fen, end) in [
            ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Some(End::Checkmate)),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(End::Stalemate)),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", Some(End::DeadPosition)),
            ("7k/8/6K1/8/8/8/8/7N b - - 0 1", Some(End::DeadPosition)),
            ("b6k/8/6K1/8/8/8/8/7B b - - 0 1", Some(End::DeadPosition)),
            ("1b5k/8/6K1/8/8/8/8/7B b - - 0 1", None),
            ("n6k/8/6K1/8/8/8/8/7B b - - 0 1", None),
            ("n6k/8/6K1/8/8/8/8/7N b - - 0 1", None),
            ("7k/8/6K1/8/8/8/7P/8 b - - 0 1", None),
        ] {
            assert_eq!(Position::from_fen(fen).expect(fen).end(), end, "{fen}");
        }
    }
}
