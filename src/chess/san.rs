//! Writing a move in standard notation (the PGN standard, 8.2.3): what every letter and every record prints. Reading it
//! is another matter and stands in [`super::notation`].

use super::{Move, Position};
use cozy_chess::{File, Piece};

/// Writes a legal move; an illegal one as its squares, since nobody could read it otherwise.
pub(super) fn write(position: &Position, it: Move) -> String {
    let (Some(piece), Some(next)) = (position.moved(it), position.after(it)) else {
        return it.uci();
    };
    let check = match (next.in_check(), next.board().generate_moves(|_| true)) {
        (true, false) => "#",
        (true, true) => "+",
        (false, _) => "",
    };
    format!("{}{check}", body(position, it, piece))
}

fn body(position: &Position, it: Move, piece: Piece) -> String {
    if position.is_castling(it) {
        return if it.to().file() == File::G { "O-O" } else { "O-O-O" }.to_owned();
    }
    let takes = if position.is_capture(it) { "x" } else { "" };
    let promotion = it.promotion().map(|to| format!("={}", letter(to))).unwrap_or_default();
    let from = match piece {
        Piece::Pawn if takes.is_empty() => String::new(),
        Piece::Pawn => it.from().file().to_string(),
        _ => format!("{}{}", letter(piece), apart(position, it, piece)),
    };
    format!("{from}{takes}{}{promotion}", it.to())
}

/// Returns the English letter of a piece.
pub(super) fn letter(piece: Piece) -> char {
    char::from(piece).to_ascii_uppercase()
}

/// What tells the piece apart from others of its kind that could go there too: file, rank or both.
fn apart(position: &Position, it: Move, piece: Piece) -> String {
    let from = it.from();
    let mut rivals = position.board().colored_pieces(position.board().side_to_move(), piece);
    rivals &= !from.bitboard();
    let rivals: Vec<_> =
        rivals.iter().filter(|at| position.is_legal(Move::new(*at, it.to(), None))).collect();
    let same_file = rivals.iter().any(|at| at.file() == from.file());
    let same_rank = rivals.iter().any(|at| at.rank() == from.rank());
    match (rivals.is_empty(), same_file, same_rank) {
        (true, ..) => String::new(),
        (_, false, _) => from.file().to_string(),
        (_, true, false) => from.rank().to_string(),
        (_, true, true) => from.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_move_is_written() {
        for (fen, uci, san) in [
            ("8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82", "e2c3", "Ne2c3"),
            ("8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82", "a2c3", "Nac3"),
            ("4k3/8/8/Q1Q5/8/8/8/Q3K3 w - - 0 1", "a5c3", "Qa5c3"),
            ("8/4P3/8/8/8/k7/8/K7 w - - 0 1", "e7e8q", "e8=Q"),
            ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8r", "axb8=R+"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "exd6"),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1h8", "a1h8"),
        ] {
            let position = Position::from_fen(fen).expect(fen);
            assert_eq!(position.san(uci.parse().expect(uci)), san, "{fen}");
        }
    }

    /// The crate reads standard notation too, but strictly: it is the judge of what is written here.
    #[test]
    fn what_is_written_is_standard_notation() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let mut position = Position::from_fen(fen).expect("a position");
        for step in 0..60 {
            let legal = position.legal();
            for it in &legal {
                let san = position.san(*it);
                let read = cozy_chess::util::parse_san_move(position.board(), &san);
                let read = read
                    .map(|it| cozy_chess::util::display_uci_move(position.board(), it).to_string());
                assert_eq!(read.ok(), Some(it.uci()), "{san} on {}", position.fen());
            }
            let Some(it) = legal.get(step * 7 % legal.len().max(1)) else { break };
            assert!(position.play(*it));
        }
    }
}
