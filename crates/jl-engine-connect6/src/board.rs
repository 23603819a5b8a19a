//! Stones on a board, and the live windows of each side by the number of stones in them.
//!
//! Placing or removing a stone updates the at most 4·k windows through its cell. Per window one byte holds both counts;
//! per side and count a bit set holds the windows that are live with that count, so that "all my windows with four
//! stones or more and none of the opponent's" is a walk over a few set bits, not a scan of the board.
//!
//! ```text
//!   count of a window    7…4 second player's stones   3…0 first player's stones
//!   live[side][n]        bit w: window w has n of side's stones and none of the opponent's, 2 ≤ n ≤ k
//! ```

use crate::geometry::{Geometry, MAX_CELLS, WINDOW_WORDS};
use crate::sets::{Bits, WindowSet};
use jl_value::Player;

/// A player. `First` is Black.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    First = 0,
    Second = 1,
}

impl Side {
    #[must_use]
    pub fn opponent(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

impl From<Side> for Player {
    fn from(side: Side) -> Player {
        match side {
            Side::First => Player::First,
            Side::Second => Player::Second,
        }
    }
}

impl From<Player> for Side {
    fn from(player: Player) -> Side {
        match player {
            Player::First => Side::First,
            Player::Second => Side::Second,
        }
    }
}

/// Windows with fewer stones are not listed: no threat begins with one stone.
const LEAST_LISTED: u8 = 2;
const LEVELS: usize = 9;

/// Stones on a board.
#[derive(Clone)]
pub struct Board<'g> {
    geometry: &'g Geometry,
    stones: [Option<Side>; MAX_CELLS],
    counts: [u8; WINDOW_WORDS * 64],
    live: [[[u64; WINDOW_WORDS]; LEVELS]; 2],
    /// How many windows each of those has.
    numbers: [[u16; LEVELS]; 2],
    placed: usize,
    key: u128,
}

/// A number for a stone on a cell, the same on every machine.
fn stone_key(cell: u16, side: Side) -> u128 {
    let mix = |seed: u64| {
        let z = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let n = 2 * u64::from(cell) + side as u64 + 1;
    let word = |factor: u64| u128::from(mix(n.wrapping_mul(factor)));
    word(0x9e37_79b9_7f4a_7c15) << 64 | word(0xd1b5_4a32_d192_ed03)
}

impl<'g> Board<'g> {
    /// An empty board. Lines may be at most 8 long.
    #[must_use]
    pub fn new(geometry: &'g Geometry) -> Board<'g> {
        assert!(geometry.k < LEVELS, "lines of at most 8");
        let counts = [0; WINDOW_WORDS * 64];
        let live = [[[0; WINDOW_WORDS]; LEVELS]; 2];
        Board {
            geometry,
            stones: [None; MAX_CELLS],
            counts,
            live,
            numbers: [[0; LEVELS]; 2],
            placed: 0,
            key: 0,
        }
    }

    #[must_use]
    pub fn geometry(&self) -> &'g Geometry {
        self.geometry
    }

    #[inline]
    #[must_use]
    pub fn at(&self, cell: u16) -> Option<Side> {
        self.stones[usize::from(cell)]
    }

    #[inline]
    #[must_use]
    pub fn is_empty(&self, cell: u16) -> bool {
        self.at(cell).is_none()
    }

    /// The number of stones on the board.
    #[must_use]
    pub fn placed(&self) -> usize {
        self.placed
    }

    /// Identifies the stones on the board, 128 bits wide.
    #[must_use]
    pub fn key(&self) -> u128 {
        self.key
    }

    /// Puts a stone on an empty cell.
    #[inline]
    pub fn place(&mut self, cell: u16, side: Side) {
        debug_assert!(self.is_empty(cell));
        self.stones[usize::from(cell)] = Some(side);
        self.placed += 1;
        self.key ^= stone_key(cell, side);
        let (shift, other_shift) = (4 * side as u8, 4 * side.opponent() as u8);
        for &w in self.geometry.through(cell) {
            let count = self.counts[usize::from(w)];
            self.counts[usize::from(w)] = count + (1 << shift);
            let (own, other) = (count >> shift & 15, count >> other_shift & 15);
            if other == 0 {
                self.list(side, own, w, false);
                self.list(side, own + 1, w, true);
            } else if own == 0 {
                self.list(side.opponent(), other, w, false);
            }
        }
    }

    /// The exact inverse of [`Board::place`].
    #[inline]
    pub fn remove(&mut self, cell: u16, side: Side) {
        debug_assert!(self.at(cell) == Some(side));
        self.stones[usize::from(cell)] = None;
        self.placed -= 1;
        self.key ^= stone_key(cell, side);
        let (shift, other_shift) = (4 * side as u8, 4 * side.opponent() as u8);
        for &w in self.geometry.through(cell) {
            let count = self.counts[usize::from(w)] - (1 << shift);
            self.counts[usize::from(w)] = count;
            let (own, other) = (count >> shift & 15, count >> other_shift & 15);
            if other == 0 {
                self.list(side, own + 1, w, false);
                self.list(side, own, w, true);
            } else if own == 0 {
                self.list(side.opponent(), other, w, true);
            }
        }
    }

    #[inline]
    fn list(&mut self, side: Side, level: u8, window: u16, on: bool) {
        if level < LEAST_LISTED {
            return;
        }
        let number = &mut self.numbers[side as usize][usize::from(level)];
        *number = if on { *number + 1 } else { *number - 1 };
        self.live[side as usize][usize::from(level)][usize::from(window) / 64] ^= 1 << (window % 64);
    }

    /// The windows that hold exactly `level` of `side`'s stones and none of the opponent's, for 2 ≤ level ≤ k.
    #[inline]
    pub fn live(&self, side: Side, level: usize) -> impl Iterator<Item = u16> + '_ {
        debug_assert!(level >= usize::from(LEAST_LISTED));
        let words = self.geometry.windows().div_ceil(64);
        self.live[side as usize][level][..words]
            .iter()
            .enumerate()
            .flat_map(|(i, &word)| Bits { word, base: i as u16 * 64 })
    }

    /// The stones in a window of both sides: the first player's in the low four bits, the second's above.
    #[inline]
    #[must_use]
    pub fn count(&self, window: u16) -> u8 {
        self.counts[usize::from(window)]
    }

    /// How many of `side`'s stones a window holds, or `None` if it is not live for it.
    #[inline]
    #[must_use]
    pub fn stones_in(&self, window: u16, side: Side) -> Option<usize> {
        let count = self.counts[usize::from(window)];
        (count >> (4 * side.opponent() as u8) & 15 == 0)
            .then_some(usize::from(count >> (4 * side as u8) & 15))
    }

    /// How many there are.
    #[inline]
    #[must_use]
    pub fn number(&self, side: Side, level: usize) -> usize {
        usize::from(self.numbers[side as usize][level])
    }

    /// Likewise, as a set.
    #[must_use]
    pub fn listed(&self, side: Side, level: usize) -> WindowSet {
        debug_assert!(level >= usize::from(LEAST_LISTED));
        WindowSet::from_words(self.live[side as usize][level])
    }

    /// Whether `side` has such a window.
    #[inline]
    #[must_use]
    pub fn has_live(&self, side: Side, level: usize) -> bool {
        self.numbers[side as usize][level] != 0
    }

    /// `side` has k in a row or more.
    #[must_use]
    pub fn has_won(&self, side: Side) -> bool {
        self.has_live(side, self.geometry.k)
    }

    /// With two stones to place, `side` wins at once.
    #[must_use]
    pub fn can_win_now(&self, side: Side) -> bool {
        let k = self.geometry.k;
        self.has_live(side, k - 1) || self.has_live(side, k - 2)
    }

    /// The empty cells of a window.
    pub fn empties_of(&self, window: u16) -> impl Iterator<Item = u16> + '_ {
        self.geometry.cells_of(window).iter().copied().filter(|&c| self.is_empty(c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every listed window, by looking at the cells.
    fn check(board: &Board) {
        let g = board.geometry();
        for side in [Side::First, Side::Second] {
            for level in usize::from(LEAST_LISTED)..=g.k {
                let expected: Vec<u16> = (0..g.windows() as u16)
                    .filter(|&w| {
                        let of = |s| g.cells_of(w).iter().filter(|&&c| board.at(c) == Some(s)).count();
                        of(side) == level && of(side.opponent()) == 0
                    })
                    .collect();
                assert_eq!(board.live(side, level).collect::<Vec<_>>(), expected, "{side:?} {level}");
                assert_eq!(board.has_live(side, level), !expected.is_empty());
            }
        }
    }

    #[test]
    fn the_lists_are_what_a_look_at_the_board_gives() {
        let mut rng = fastrand::Rng::with_seed(1);
        for (columns, rows, k) in [(19, 19, 6), (7, 7, 5), (6, 4, 4), (5, 1, 4), (8, 8, 8)] {
            let g = Geometry::new(columns, rows, k).unwrap();
            for _ in 0..5 {
                let mut board = Board::new(&g);
                let mut stones = Vec::new();
                for _ in 0..60 {
                    let cell = rng.u16(..g.cells() as u16);
                    if board.is_empty(cell) && rng.u32(..4) > 0 {
                        let side = if rng.bool() { Side::First } else { Side::Second };
                        board.place(cell, side);
                        stones.push((cell, side));
                    } else if let Some((cell, side)) = stones.pop() {
                        board.remove(cell, side);
                    }
                    check(&board);
                }
                while let Some((cell, side)) = stones.pop() {
                    board.remove(cell, side);
                }
                assert_eq!((board.placed(), board.key()), (0, 0));
                assert!(board.counts.iter().all(|&c| c == 0));
                assert!(board.live.iter().flatten().flatten().all(|&w| w == 0));
            }
        }
    }
}
