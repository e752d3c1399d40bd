//! Rule 2: who has White. Read off a real pairing sheet and equal to the Berger table of the section's size.

use crate::domain::ids::Seat;

/// Returns all games of a section, White's seat first, in the order of the seats.
pub fn games(size: u8, games_per_pair: u8) -> Vec<(Seat, Seat)> {
    let pairs = (1..=size).flat_map(|i| (i + 1..=size).map(move |j| (i, j)));
    pairs
        .flat_map(|(i, j)| {
            let (white, black) = if first_has_white(i, j, size) { (i, j) } else { (j, i) };
            (0..games_per_pair).map(move |n| {
                // A second game is played with the colours changed.
                if n % 2 == 0 { (Seat(white), Seat(black)) } else { (Seat(black), Seat(white)) }
            })
        })
        .collect()
}

/// For seats i < j: i has White when j - i is odd. In a table of even size the last seat is the one that stands
/// still: the first half of the others has White against it.
const fn first_has_white(i: u8, j: u8, size: u8) -> bool {
    if size.is_multiple_of(2) && j == size { i <= size / 2 } else { (j - i) % 2 == 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whites(size: u8) -> Vec<Vec<u8>> {
        let games = games(size, 1);
        let of = |seat| games.iter().filter(move |g| g.0 == Seat(seat)).map(|g| g.1.0);
        (1..=size)
            .map(|seat| {
                let mut blacks: Vec<u8> = of(seat).collect();
                blacks.sort_unstable();
                blacks
            })
            .collect()
    }

    #[test]
    fn rule_2_the_pairing_sheet_of_seven() {
        let sheet: [&[u8]; 7] =
            [&[2, 4, 6], &[3, 5, 7], &[1, 4, 6], &[2, 5, 7], &[1, 3, 6], &[2, 4, 7], &[1, 3, 5]];
        assert_eq!(whites(7), sheet);
    }

    #[test]
    fn rule_2_even_sizes_are_the_berger_table() {
        let four: [&[u8]; 4] = [&[2, 4], &[3, 4], &[1], &[3]];
        assert_eq!(whites(4), four);
        let six: [&[u8]; 6] = [&[2, 4, 6], &[3, 5, 6], &[1, 4, 6], &[2, 5], &[1, 3], &[4, 5]];
        assert_eq!(whites(6), six);
    }

    #[test]
    fn rule_2_colours_are_even_and_double_rounds_change_them() {
        for size in 2..=20u8 {
            for blacks in whites(size) {
                let whites = u8::try_from(blacks.len()).unwrap();
                assert!(whites.abs_diff(size - 1 - whites) <= 1, "size {size}");
            }
            let double = games(size, 2);
            assert_eq!(double.len(), usize::from(size) * usize::from(size - 1));
            assert!(double.iter().all(|(w, b)| double.contains(&(*b, *w))));
        }
    }
}
