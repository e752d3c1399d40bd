//! The record of a game: its moves, two bytes each, and the position they lead to. It knows no players and no times.

use super::{Move, Position, Side};

/// The moves of a game from its start. One is kept for every game, so it holds nothing that can be worked out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Where the game started, if that is not where games start.
    start: Option<Box<Position>>,
    moves: Vec<Move>,
    position: Position,
}

impl Record {
    /// Returns the record of a game in which nothing was played.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the record of a game that starts elsewhere, as a PGN with a FEN tag says.
    pub fn starting_from(position: Position) -> Self {
        Self { start: Some(Box::new(position.clone())), moves: Vec::new(), position }
    }

    /// Returns where the game started.
    pub fn start(&self) -> Position {
        self.start.as_deref().cloned().unwrap_or_default()
    }

    /// Returns the moves in order.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the position on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plays a move; returns false and changes nothing if it is illegal.
    pub fn push(&mut self, it: Move) -> bool {
        let played = self.position.play(it);
        if played {
            self.moves.push(it);
        }
        played
    }

    /// Returns how many single moves were played.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Tells whether nothing was played.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Returns the number of the next move: 15 for both `15.Bg5` and `15...h6`.
    pub fn next_number(&self) -> u16 {
        self.position.number()
    }

    /// Returns the side to move.
    pub fn next_side(&self) -> Side {
        self.position.to_move()
    }

    /// Returns the moves in standard notation, without numbers.
    pub fn sans(&self) -> Vec<String> {
        let mut position = self.start();
        self.moves.iter().map(|it| (position.san(*it), position.play(*it)).0).collect()
    }

    /// Returns the last move with its number: `15.Bg5`, `15...h6`.
    pub fn last(&self) -> Option<String> {
        let (last, before) = self.moves.split_last()?;
        let mut position = self.start();
        for it in before {
            position.play(*it);
        }
        Some(format!("{}{}", number(&position), position.san(*last)))
    }

    /// Returns how often the position on the board has occurred in the game, this time included.
    pub fn repetitions(&self) -> usize {
        let (mut position, key) = (self.start(), self.position.key());
        let mut count = usize::from(position.key() == key);
        for it in &self.moves {
            position.play(*it);
            count += usize::from(position.key() == key);
        }
        count
    }
}

/// Returns the number of a position's next move as it stands before it: `15.`, `15...`.
fn number(position: &Position) -> String {
    let dots = if position.to_move() == Side::White { "." } else { "..." };
    format!("{}{dots}", position.number())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(moves: &str) -> Record {
        let mut record = Record::new();
        for text in moves.split_whitespace() {
            assert!(record.push(text.parse().expect(text)), "{text}");
        }
        record
    }

    #[test]
    fn a_record_is_small() {
        assert!(size_of::<Record>() <= 144, "{}", size_of::<Record>());
    }

    #[test]
    fn it_knows_what_comes_next_and_what_came_last() {
        let mut record = record("e2e4 e7e5 g1f3");
        assert_eq!((record.next_number(), record.next_side(), record.len()), (2, Side::Black, 3));
        assert_eq!(record.sans(), ["e4", "e5", "Nf3"]);
        assert_eq!(record.last().as_deref(), Some("2.Nf3"));
        assert!(!record.push("e2e4".parse().expect("a move")) && record.len() == 3);
        assert!(record.push("b8c6".parse().expect("a move")));
        assert_eq!(record.last().as_deref(), Some("2...Nc6"));
        assert_eq!(Record::new().last(), None);
    }

    #[test]
    fn repetitions_are_counted_with_the_present_position() {
        assert_eq!(Record::new().repetitions(), 1);
        let there_and_back = "g1f3 g8f6 f3g1 f6g8 ";
        assert_eq!(record(there_and_back).repetitions(), 2);
        assert_eq!(record(&there_and_back.repeat(2)).repetitions(), 3);
        assert_eq!(record("e2e4 e7e5").repetitions(), 1);
    }

    #[test]
    fn a_game_may_start_elsewhere() {
        let start = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7").expect("a position");
        let mut record = Record::starting_from(start);
        assert!(record.push("e8e7".parse().expect("a move")));
        assert_eq!(record.last().as_deref(), Some("7...Ke7"));
        assert_eq!(record.next_number(), 8);
    }
}
