//! How good a position looks, kept up to date stone by stone.
//!
//! A window is worth something to a side while it is live for it, the more the fewer stones it *misses*. Lines with room on
//! both sides lie in several live windows and so count for more without a pattern of their own.
//!
//! ```text
//!   score of the mover  =  tempo + Σ own[missing] over the mover's live windows − Σ other[missing] over the opponent's
//!   gain of a cell      =  Σ over the windows through it of what a stone adds to an own one, or takes with an opposing one
//! ```
//!
//! The score needs only how many live windows there are of each side and count. The gains order the moves; a window that
//! changes adds the difference to its k cells, both sides' in one 64-bit addition.

use crate::board::{Board, Side};
use crate::engine::{Style, Turn};
use crate::geometry::{MAX_CELLS, WINDOW_WORDS};

/// Windows are told apart by the stones that they miss, at most 8.
const LEVELS: usize = 9;

/// What live windows are worth, by the number of missing stones; entries that never matter are 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// The mover's windows, in a position without threats.
    pub own: [i32; LEVELS],
    /// The windows of the side that waits.
    pub other: [i32; LEVELS],
    /// Having the move.
    pub tempo: i32,
    /// For ordering moves: what a window is worth to its owner, and what it is worth to kill.
    pub build: [i32; LEVELS],
    pub kill: [i32; LEVELS],
    /// The scale of the logistic curve from scores to win rates.
    pub scale: f64,
}

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            own: [0, 0, 0, 90, 52, 6, 0, 0, 0],
            other: [0, 0, 0, 40, 12, 3, 0, 0, 0],
            tempo: -100,
            build: [800, 300, 260, 130, 45, 12, 0, 0, 0],
            kill: [800, 300, 260, 140, 50, 14, 0, 0, 0],
            scale: 1000.0,
        }
    }
}

impl Weights {
    #[must_use]
    pub fn of(style: Style) -> Weights {
        match style {
            Style::Balanced => Weights::default(),
            Style::Attack => Weights {
                own: [0, 0, 0, 90, 45, 12, 0, 0, 0],
                other: [0, 0, 0, 60, 30, 10, 0, 0, 0],
                tempo: 0,
                kill: [800, 300, 260, 110, 38, 10, 0, 0, 0],
                scale: 600.0,
                ..Weights::default()
            },
        }
    }

    /// The win rate of the side whose score it is.
    #[must_use]
    pub fn win_rate(&self, score: i32) -> f64 {
        1.0 / (1.0 + (-f64::from(score) / self.scale).exp())
    }
}

/// What the stones in a window mean.
struct Tables {
    /// What it is worth to the owner of so many stones: having the move, and waiting in the high half.
    worth: [i64; LEVELS],
    /// The gain of a stone by the two counts (as one byte, see [`Board`]), the second player's in the high half.
    gain: [i64; 256],
    /// How much more two stones in the window gain than twice one, per side.
    joint: [[i32; 256]; 2],
}

impl Tables {
    fn new(weights: &Weights, k: usize) -> Tables {
        let mut tables = Tables { worth: [0; LEVELS], gain: [0; 256], joint: [[0; 256]; 2] };
        for n in 1..=k {
            tables.worth[n] = pack([weights.own[k - n], weights.other[k - n]]);
        }
        let built = |n: usize| if n == 0 { 0 } else { weights.build[k - n.min(k)] };
        let of = |own: usize, other: usize| match (own, other) {
            (n, 0) => {
                let gain = built(n + 1) - built(n);
                (gain, built(n + 2) - built(n + 1) - gain)
            }
            (0, n) => (weights.kill[k - n], -weights.kill[k - n]),
            _ => (0, 0),
        };
        for first in 0..=k {
            for second in 0..=k {
                let byte = second << 4 | first;
                let ((gain_first, joint_first), (gain_second, joint_second)) =
                    (of(first, second), of(second, first));
                tables.gain[byte] = pack([gain_first, gain_second]);
                tables.joint[0][byte] = joint_first;
                tables.joint[1][byte] = joint_second;
            }
        }
        tables
    }
}

fn pack([first, second]: [i32; 2]) -> i64 {
    (i64::from(second) << 32) + i64::from(first)
}

fn unpack(packed: i64) -> [i32; 2] {
    let first = packed as i32;
    [first, ((packed - i64::from(first)) >> 32) as i32]
}

/// A board with its evaluation.
pub struct Evaluated<'b, 'g> {
    board: &'b mut Board<'g>,
    weights: Weights,
    tables: Box<Tables>,
    /// Per window, both sides' counts in a byte.
    counts: [u8; WINDOW_WORDS * 64],
    gains: [i64; MAX_CELLS],
    /// Per side, what its live windows are worth.
    worth: [i64; 2],
}

impl<'b, 'g> Evaluated<'b, 'g> {
    #[must_use]
    pub fn new(board: &'b mut Board<'g>, weights: Weights) -> Evaluated<'b, 'g> {
        let g = board.geometry();
        let tables = Box::new(Tables::new(&weights, g.k));
        let mut counts = [0; WINDOW_WORDS * 64];
        let mut gains = [0; MAX_CELLS];
        let mut worth = [0; 2];
        for w in 0..g.windows() as u16 {
            let of = |side| g.cells_of(w).iter().filter(|&&c| board.at(c) == Some(side)).count();
            let (first, second) = (of(Side::First), of(Side::Second));
            let byte = second << 4 | first;
            counts[usize::from(w)] = byte as u8;
            g.cells_of(w).iter().for_each(|&c| gains[usize::from(c)] += tables.gain[byte]);
            match (first, second) {
                (n, 0) => worth[0] += tables.worth[n],
                (0, n) => worth[1] += tables.worth[n],
                _ => {}
            }
        }
        Evaluated { board, weights, tables, counts, gains, worth }
    }

    #[must_use]
    pub fn board(&self) -> &Board<'g> {
        self.board
    }

    /// For searches that leave the board as they found it.
    pub fn board_mut(&mut self) -> &mut Board<'g> {
        self.board
    }

    #[must_use]
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Adds a small fixed preference among cells, to tell equally good ones apart.
    pub fn prefer(&mut self, preference: impl Fn(u16) -> i32) {
        for c in 0..self.board.geometry().cells() as u16 {
            self.gains[usize::from(c)] += pack([preference(c); 2]);
        }
    }

    #[inline]
    pub fn place(&mut self, cell: u16, side: Side) {
        self.change(cell, side, true);
        self.board.place(cell, side);
    }

    /// The exact inverse of [`Evaluated::place`].
    #[inline]
    pub fn remove(&mut self, cell: u16, side: Side) {
        self.change(cell, side, false);
        self.board.remove(cell, side);
    }

    /// A turn's one or two stones.
    pub fn put(&mut self, [a, b]: Turn, side: Side) {
        self.place(a, side);
        if b != a {
            self.place(b, side);
        }
    }

    pub fn take(&mut self, [a, b]: Turn, side: Side) {
        if b != a {
            self.remove(b, side);
        }
        self.remove(a, side);
    }

    #[inline]
    fn change(&mut self, cell: u16, side: Side, comes: bool) {
        let g = self.board.geometry();
        let shift = 4 * side as u8;
        let Tables { worth, gain, .. } = &*self.tables;
        for &w in g.through(cell) {
            let now = self.counts[usize::from(w)];
            let next = if comes { now + (1 << shift) } else { now - (1 << shift) };
            self.counts[usize::from(w)] = next;
            let own = |count: u8| usize::from(count >> shift & 15);
            let other = usize::from(now >> (4 - shift) & 15);
            if other == 0 {
                self.worth[side as usize] += worth[own(next)] - worth[own(now)];
            } else if own(now) == 0 {
                self.worth[side.opponent() as usize] -= worth[other];
            } else if own(next) == 0 {
                self.worth[side.opponent() as usize] += worth[other];
            } else {
                continue;
            }
            let difference = gain[usize::from(next)] - gain[usize::from(now)];
            if difference != 0 {
                g.cells_of(w).iter().for_each(|&c| self.gains[usize::from(c)] += difference);
            }
        }
    }

    /// What a stone of `side` on the empty cell is worth, for ordering.
    #[inline]
    #[must_use]
    pub fn gain(&self, cell: u16, side: Side) -> i32 {
        unpack(self.gains[usize::from(cell)])[side as usize]
    }

    /// Adds to each cell how much more it gains once `side` has a stone on `cell` as well.
    pub fn joint(&self, cell: u16, side: Side, more: &mut [i32; MAX_CELLS]) {
        let g = self.board.geometry();
        for &w in g.through(cell) {
            let joint = self.tables.joint[side as usize][usize::from(self.counts[usize::from(w)])];
            if joint != 0 {
                g.cells_of(w).iter().for_each(|&c| more[usize::from(c)] += joint);
            }
        }
    }

    /// How much more two stones gain than each by itself.
    #[must_use]
    pub fn joint_of(&self, a: u16, b: u16, side: Side) -> i32 {
        let g = self.board.geometry();
        let (mut of_a, mut of_b) = (g.through(a).iter().peekable(), g.through(b).iter().peekable());
        let mut more = 0;
        while let (Some(&&x), Some(&&y)) = (of_a.peek(), of_b.peek()) {
            if x <= y {
                of_a.next();
            }
            if y <= x {
                of_b.next();
            }
            if x == y {
                more += self.tables.joint[side as usize][usize::from(self.counts[usize::from(x)])];
            }
        }
        more
    }

    /// The mover's score in a position without threats.
    #[must_use]
    pub fn score(&self, mover: Side) -> i32 {
        let [own, _] = unpack(self.worth[mover as usize]);
        let [_, other] = unpack(self.worth[mover.opponent() as usize]);
        self.weights.tempo + own - other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;

    const BOARDS: [(usize, usize, usize); 4] = [(19, 19, 6), (7, 7, 5), (6, 4, 4), (8, 8, 8)];

    fn weights() -> Weights {
        Weights { tempo: 17, ..Weights::default() }
    }

    fn stones(g: &Geometry, rng: &mut fastrand::Rng) -> Vec<(u16, Side)> {
        let mut cells: Vec<u16> = (0..g.cells() as u16).collect();
        rng.shuffle(&mut cells);
        cells.truncate(rng.usize(..g.cells().min(60)));
        cells.into_iter().map(|c| (c, if rng.bool() { Side::First } else { Side::Second })).collect()
    }

    #[test]
    fn the_incremental_score_and_gains_are_the_fresh_ones() {
        let mut rng = fastrand::Rng::with_seed(5);
        for (columns, rows, k) in BOARDS {
            let g = Geometry::new(columns, rows, k).unwrap();
            for _ in 0..20 {
                let stones = stones(&g, &mut rng);
                let (mut board, mut other) = (Board::new(&g), Board::new(&g));
                let mut position = Evaluated::new(&mut board, weights());
                stones.iter().for_each(|&(c, side)| position.place(c, side));
                let kept = rng.usize(..=stones.len());
                stones[kept..].iter().rev().for_each(|&(c, side)| position.remove(c, side));
                stones[..kept].iter().for_each(|&(c, side)| other.place(c, side));
                let fresh = Evaluated::new(&mut other, weights());
                assert_eq!(position.worth, fresh.worth);
                assert_eq!(position.gains, fresh.gains);
                assert_eq!(position.counts, fresh.counts);
                assert_eq!(position.board().key(), fresh.board().key());
            }
        }
    }

    #[test]
    fn a_second_stone_gains_what_the_joint_gain_says() {
        let mut rng = fastrand::Rng::with_seed(6);
        for (columns, rows, k) in BOARDS {
            let g = Geometry::new(columns, rows, k).unwrap();
            for _ in 0..10 {
                let mut board = Board::new(&g);
                stones(&g, &mut rng).into_iter().for_each(|(c, side)| board.place(c, side));
                let mut position = Evaluated::new(&mut board, weights());
                let empty: Vec<u16> =
                    (0..g.cells() as u16).filter(|&c| position.board().is_empty(c)).collect();
                let a = *rng.choice(&empty).unwrap();
                for side in [Side::First, Side::Second] {
                    let mut more = [0; MAX_CELLS];
                    position.joint(a, side, &mut more);
                    let alone = |p: &Evaluated| empty.iter().map(|&c| p.gain(c, side)).collect::<Vec<_>>();
                    let before = alone(&position);
                    position.place(a, side);
                    let after = alone(&position);
                    position.remove(a, side);
                    for (i, &b) in empty.iter().enumerate().filter(|&(_, &b)| b != a) {
                        assert_eq!(after[i] - before[i], position.joint_of(a, b, side));
                        assert_eq!(more[usize::from(b)], position.joint_of(a, b, side));
                    }
                }
            }
        }
    }

    #[test]
    fn mirrored_turned_and_recoloured_positions_score_the_same() {
        let g = Geometry::new(19, 19, 6).unwrap();
        let mut rng = fastrand::Rng::with_seed(7);
        let mut scores = Vec::new();
        for _ in 0..10 {
            let stones = stones(&g, &mut rng);
            let mut boards: Vec<Board> = (0..9).map(|_| Board::new(&g)).collect();
            for &(c, side) in &stones {
                let (x, y) = (usize::from(c) % 19, usize::from(c) / 19);
                for (i, board) in boards.iter_mut().take(8).enumerate() {
                    let (x, y) = if i & 1 == 1 { (y, x) } else { (x, y) };
                    let x = if i & 2 == 2 { 18 - x } else { x };
                    let y = if i & 4 == 4 { 18 - y } else { y };
                    board.place(g.cell(x, y), side);
                }
                boards[8].place(c, side.opponent());
            }
            let recoloured = Evaluated::new(&mut boards[8], weights()).score(Side::Second);
            for board in &mut boards[..8] {
                assert_eq!(Evaluated::new(board, weights()).score(Side::First), recoloured);
            }
            scores.push(recoloured);
        }
        scores.dedup();
        assert!(scores.len() > 5, "different positions score differently");
    }
}
