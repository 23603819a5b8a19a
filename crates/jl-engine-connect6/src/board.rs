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
const LEAST_LISTED: usize = 2;
const LEVELS: usize = 9;

/// Both sides' lists, and one that stands for none.
const LISTS: usize = 16;
const NO_LIST: usize = 0;

/// Where the windows are listed that hold `level` of `side`'s stones and none of the opponent's.
const fn list_of(side: Side, level: usize) -> usize {
    if level < LEAST_LISTED {
        NO_LIST
    } else {
        (level - LEAST_LISTED + 1) + side as usize * (LEVELS - LEAST_LISTED)
    }
}

/// Likewise, by the count of a window.
static LIST: [u8; 256] = {
    let mut lists = [NO_LIST as u8; 256];
    let mut level = LEAST_LISTED;
    while level < LEVELS {
        lists[level] = list_of(Side::First, level) as u8;
        lists[level << 4] = list_of(Side::Second, level) as u8;
        level += 1;
    }
    lists
};

/// Stones on a board.
#[derive(Clone)]
pub struct Board<'g> {
    geometry: &'g Geometry,
    stones: [Option<Side>; MAX_CELLS],
    counts: [u8; WINDOW_WORDS * 64],
    live: [[u64; WINDOW_WORDS]; LISTS],
    /// How many windows each of those has.
    numbers: [u16; LISTS],
    placed: usize,
    key: u128,
}

/// A number for each stone on each cell, the same on every machine.
static STONE_KEYS: [[u128; 2]; MAX_CELLS] = {
    let mut keys = [[0; 2]; MAX_CELLS];
    let mut n = 0;
    while n < 2 * MAX_CELLS {
        let high = mix((n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let low = mix((n as u64 + 1).wrapping_mul(0xd1b5_4a32_d192_ed03));
        keys[n / 2][n % 2] = (high as u128) << 64 | low as u128;
        n += 1;
    }
    keys
};

const fn mix(seed: u64) -> u64 {
    let z = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn stone_key(cell: u16, side: Side) -> u128 {
    STONE_KEYS[usize::from(cell)][side as usize]
}

impl<'g> Board<'g> {
    /// An empty board. Lines may be at most 8 long.
    #[must_use]
    pub fn new(geometry: &'g Geometry) -> Board<'g> {
        assert!(geometry.k < LEVELS, "lines of at most 8");
        let counts = [0; WINDOW_WORDS * 64];
        let live = [[0; WINDOW_WORDS]; LISTS];
        Board { geometry, stones: [None; MAX_CELLS], counts, live, numbers: [0; LISTS], placed: 0, key: 0 }
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

    /// What the key would be with these stones too.
    #[must_use]
    pub fn key_with(&self, cells: &[u16], side: Side) -> u128 {
        cells.iter().fold(self.key, |key, &c| key ^ stone_key(c, side))
    }

    /// Puts a stone on an empty cell.
    #[inline]
    pub fn place(&mut self, cell: u16, side: Side) {
        debug_assert!(self.is_empty(cell));
        self.stones[usize::from(cell)] = Some(side);
        self.placed += 1;
        self.key ^= stone_key(cell, side);
        for &w in self.geometry.through(cell) {
            let count = self.counts[usize::from(w)];
            self.recount(w, count, count + (1 << (4 * side as u8)));
        }
    }

    /// The exact inverse of [`Board::place`].
    #[inline]
    pub fn remove(&mut self, cell: u16, side: Side) {
        debug_assert!(self.at(cell) == Some(side));
        self.stones[usize::from(cell)] = None;
        self.placed -= 1;
        self.key ^= stone_key(cell, side);
        for &w in self.geometry.through(cell) {
            let count = self.counts[usize::from(w)];
            self.recount(w, count, count - (1 << (4 * side as u8)));
        }
    }

    #[inline]
    fn recount(&mut self, window: u16, old: u8, new: u8) {
        self.counts[usize::from(window)] = new;
        let (from, to) = (usize::from(LIST[usize::from(old)]), usize::from(LIST[usize::from(new)]));
        // Most windows are dead, or as good as empty.
        if from == to {
            return;
        }
        let bit = 1 << (window % 64);
        for (list, more) in [(from, u16::MAX), (to, 1)] {
            self.live[list % LISTS][usize::from(window) / 64] ^= bit;
            self.numbers[list % LISTS] = self.numbers[list % LISTS].wrapping_add(more);
        }
    }

    /// The windows that hold exactly `level` of `side`'s stones and none of the opponent's, for 2 ≤ level ≤ k.
    #[inline]
    pub fn live(&self, side: Side, level: usize) -> impl Iterator<Item = u16> + '_ {
        debug_assert!(level >= LEAST_LISTED);
        let words = self.geometry.windows().div_ceil(64);
        self.live[list_of(side, level)][..words]
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

    /// The windows that hold exactly so many of `side`'s stones and none of the opponent's, by looking at all.
    #[must_use]
    pub fn with_only(&self, side: Side, stones: usize) -> WindowSet {
        let wanted = (stones as u8) << (4 * side as u8);
        let mut words = [0; WINDOW_WORDS];
        for (word, counts) in words.iter_mut().zip(self.counts[..self.geometry.windows()].chunks(64)) {
            *word = counts.iter().rev().fold(0, |word, &count| word << 1 | u64::from(count == wanted));
        }
        WindowSet::from_words(words)
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
        usize::from(self.numbers[list_of(side, level)])
    }

    /// Likewise, as a set.
    #[must_use]
    pub fn listed(&self, side: Side, level: usize) -> WindowSet {
        debug_assert!(level >= LEAST_LISTED);
        WindowSet::from_words(self.live[list_of(side, level)])
    }

    /// Whether `side` has such a window.
    #[inline]
    #[must_use]
    pub fn has_live(&self, side: Side, level: usize) -> bool {
        self.numbers[list_of(side, level)] != 0
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
            for level in LEAST_LISTED..=g.k {
                let expected: Vec<u16> = (0..g.windows() as u16)
                    .filter(|&w| {
                        let of = |s| g.cells_of(w).iter().filter(|&&c| board.at(c) == Some(s)).count();
                        of(side) == level && of(side.opponent()) == 0
                    })
                    .collect();
                assert_eq!(board.live(side, level).collect::<Vec<_>>(), expected, "{side:?} {level}");
                assert_eq!(board.has_live(side, level), !expected.is_empty());
                assert_eq!(board.with_only(side, level).iter().collect::<Vec<_>>(), expected);
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
                assert!(board.live[NO_LIST + 1..].iter().flatten().all(|&w| w == 0));
            }
        }
    }
}
