//! The eight symmetries of a square board of any size.

use jl_game::Symmetry;

/// A rotation or reflection of the square.
///
/// Three bits, applied from the highest to the lowest: *transpose* exchanges x and y, then *flip y*, then *flip x*.
/// Flips commute, and a transposition passes a flip by exchanging its axes, so that composition and inverse are a
/// few bit operations and need no table.
///
/// ```text
///  bit        2           1        0
///        transpose     flip y   flip x
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct D4(u8);

impl D4 {
    pub const ALL: [D4; 8] = [D4(0), D4(1), D4(2), D4(3), D4(4), D4(5), D4(6), D4(7)];

    /// Where the cell at column `x`, row `y` of an `n`×`n` board goes. Both must be below `n`.
    #[must_use]
    pub const fn map(self, n: usize, x: usize, y: usize) -> (usize, usize) {
        let (x, y) = if self.transposes() { (y, x) } else { (x, y) };
        let x = if self.0 & 1 != 0 { n - 1 - x } else { x };
        let y = if self.0 & 2 != 0 { n - 1 - y } else { y };
        (x, y)
    }

    /// The symmetry that does `self` first and `next` after it.
    #[must_use]
    pub const fn then(self, next: D4) -> D4 {
        let flips = if next.transposes() { swap_axes(self.flips()) } else { self.flips() };
        D4((self.0 ^ next.0) & 4 | (flips ^ next.flips()))
    }

    #[must_use]
    pub const fn inverse(self) -> D4 {
        let flips = if self.transposes() { swap_axes(self.flips()) } else { self.flips() };
        D4(self.0 & 4 | flips)
    }

    /// Its place in [`D4::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    const fn transposes(self) -> bool {
        self.0 & 4 != 0
    }

    const fn flips(self) -> u8 {
        self.0 & 3
    }
}

const fn swap_axes(flips: u8) -> u8 {
    (flips & 1) << 1 | flips >> 1
}

impl Symmetry for D4 {
    const IDENTITY: D4 = D4(0);

    fn inverse(self) -> D4 {
        D4::inverse(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn image(s: D4, n: usize) -> Vec<(usize, usize)> {
        (0..n * n).map(|i| s.map(n, i % n, i / n)).collect()
    }

    #[test]
    fn the_eight_are_different_permutations() {
        for n in [3, 4, 19] {
            let images: HashSet<_> = D4::ALL.iter().map(|&s| image(s, n)).collect();
            assert_eq!(images.len(), 8);
            for i in images {
                assert_eq!(i.iter().collect::<HashSet<_>>().len(), n * n);
            }
        }
    }

    #[test]
    fn composition_and_inverse_are_those_of_the_maps() {
        for (i, a) in D4::ALL.into_iter().enumerate() {
            assert_eq!(a.index(), i);
            assert_eq!(a.then(a.inverse()), D4::IDENTITY);
            assert_eq!(a.inverse().then(a), D4::IDENTITY);
            for b in D4::ALL {
                let in_turn: Vec<_> = image(a, 5).into_iter().map(|(x, y)| b.map(5, x, y)).collect();
                assert_eq!(image(a.then(b), 5), in_turn, "{a:?} then {b:?}");
            }
        }
    }
}
