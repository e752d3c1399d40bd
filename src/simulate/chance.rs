//! Chance: numbers that look random and are the same for the same seed (SplitMix64). Nothing else of the simulation
//! may be left to chance, or a failing seed could not be played again.

/// A source of numbers.
#[derive(Clone, Debug)]
pub(super) struct Chance(u64);

impl Chance {
    /// Starts at a seed.
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x6a09_e667_f3bc_c908)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below a limit; 0 where the limit is 0.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    /// Returns a number from one to another, both included.
    pub(super) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most.saturating_sub(least) + 1)
    }

    /// Tells whether something happens that happens so many times in a hundred.
    pub(super) fn in_a_hundred(&mut self, times: u64) -> bool {
        self.below(100) < times
    }

    /// Picks one of several.
    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let last = from.len().saturating_sub(1);
        let place = usize::try_from(self.below(from.len() as u64)).unwrap_or(last);
        &from[place.min(last)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_and_all_of_them_come() {
        let draw = |seed| {
            let mut chance = Chance::new(seed);
            (0..50).map(|_| chance.between(3, 7)).collect::<Vec<_>>()
        };
        assert_eq!(draw(5), draw(5));
        assert_ne!(draw(5), draw(6));
        assert!((3..=7).all(|n| draw(5).contains(&n)));
        assert_eq!(Chance::new(1).below(0), 0);
    }
}
