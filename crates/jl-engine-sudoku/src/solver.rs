//! A solver: all solutions of a puzzle, or as many as one wants.
//!
//! The candidates of a digit are three words, one for each band, of 27 bits: the rows of the band one after the other.
//!
//! ```text
//!  bit  0  1  2 |  3  4  5 |  6  7  8     first row of the band
//!       9 10 11 | 12 13 14 | 15 16 17     second
//!      18 19 20 | 21 22 23 | 24 25 26     third
//! ```
//!
//! A digit is in three mini-rows of a band, one in each row and each box. Which of the nine mini-rows have candidates is
//! an index of nine bits into a table of those that are in some such triple, so that one look-up does all eliminations
//! between the rows and the boxes of a band. Naked singles are counted for the 27 cells of a band at once.

use crate::bands::ORDERS;
use crate::{CellSet, Grid, Puzzle};

/// The 27 cells of a band, one bit each.
pub(crate) const BAND: u32 = (1 << 27) - 1;
const ROW: u32 = (1 << 9) - 1;
const COLUMN: u32 = 1 | 1 << 9 | 1 << 18;
const BOX: u32 = 7 | 7 << 9 | 7 << 18;

/// For the nine bits of a row, which of its three mini-rows have one.
const MINI_ROWS: [u8; 512] = mini_rows();
/// For the nine mini-rows of a band that have candidates, the cells of those that are in a triple of three rows and boxes.
const TRIPLES: [u32; 512] = triples();
/// For the columns of a band that have candidates, those columns that are the only one in their box, in all three rows.
const ONLY_COLUMN: [u32; 512] = only_column();
/// For a cell of a band, the cells of that band that see it.
const PEERS: [u32; 27] = peers();

const fn mini_rows() -> [u8; 512] {
    let mut table = [0; 512];
    let mut row = 0;
    while row < 512 {
        table[row] = (row & 7 != 0) as u8 | ((row & 0o70 != 0) as u8) << 1 | ((row & 0o700 != 0) as u8) << 2;
        row += 1;
    }
    table
}

const fn triples() -> [u32; 512] {
    let mut table = [0; 512];
    let mut found = 0;
    while found < 512 {
        let mut order = 0;
        while order < 6 {
            let [a, b, c] = ORDERS[order];
            let triple = 1 << a | 1 << (3 + b) | 1 << (6 + c);
            if found & triple == triple {
                table[found] |= 7 << (3 * a) | 7 << (9 + 3 * b) | 7 << (18 + 3 * c);
            }
            order += 1;
        }
        found += 1;
    }
    table
}

const fn only_column() -> [u32; 512] {
    let mut table = [0; 512];
    let mut columns = 0;
    while columns < 512 {
        let mut stack = 0;
        while stack < 3 {
            let in_box = columns as u32 >> (3 * stack) & 7;
            if in_box.count_ones() == 1 {
                table[columns] |= (in_box << (3 * stack)) * COLUMN;
            }
            stack += 1;
        }
        columns += 1;
    }
    table
}

const fn peers() -> [u32; 27] {
    let mut table = [0; 27];
    let mut cell = 0;
    while cell < 27 {
        let (row, column) = (cell / 9, cell % 9);
        let seen = ROW << (9 * row) | COLUMN << column | BOX << (column / 3 * 3);
        table[cell] = seen & !(1 << cell);
        cell += 1;
    }
    table
}

/// How many solutions the puzzle has, counted up to the limit.
#[must_use]
pub fn count_solutions(puzzle: &Puzzle, limit: usize) -> usize {
    let mut count = 0;
    for_each_solution(puzzle, &mut |_| {
        count += 1;
        count < limit
    });
    count.min(limit)
}

/// The solutions of the puzzle, at most so many, in no particular order.
#[must_use]
pub fn solutions(puzzle: &Puzzle, limit: usize) -> Vec<Grid> {
    let mut found = vec![];
    if limit > 0 {
        for_each_solution(puzzle, &mut |digits| {
            found.push(Grid::new(*digits).expect("a solution is a complete grid"));
            found.len() < limit
        });
    }
    found
}

/// Whether the puzzle has exactly one solution.
#[must_use]
pub fn is_unique(puzzle: &Puzzle) -> bool {
    count_solutions(puzzle, 2) == 1
}

/// A solution other than the grid of the puzzle that shows these cells of it.
#[must_use]
pub fn another_solution(grid: &Grid, clues: CellSet) -> Option<Grid> {
    let mut other = None;
    let start = Candidates::without(grid, !clues);
    start.search(grid.digits(), &mut |digits| {
        if digits == grid.digits() {
            return true;
        }
        other = Some(Grid::new(*digits).expect("a solution is a complete grid"));
        false
    });
    other
}

/// Calls the visitor with the digits of each solution until it returns false.
fn for_each_solution(puzzle: &Puzzle, visit: &mut impl FnMut(&[u8; 81]) -> bool) {
    if let Some(start) = Candidates::of(puzzle) {
        start.search(&[0; 81], visit);
    }
}

/// Calls the visitor with the cells in which each other way to fill those cells of the grid differs from it, if these
/// are at most so many. If it must use all digits of those cells, each of which then is twice among them, many branches
/// are left earlier.
pub(crate) fn for_each_difference(
    grid: &Grid,
    removed: CellSet,
    most: u32,
    all_digits: bool,
    visit: &mut impl FnMut(CellSet),
) {
    let own = Candidates::without(grid, CellSet::EMPTY);
    let mut least = [0; 9];
    if all_digits {
        removed.iter().for_each(|cell| least[usize::from(grid.digits()[cell]) - 1] = 2);
    }
    Candidates::without(grid, removed).differences(&own, &least, most, visit);
}

/// What may still be where, and which cells are not yet settled.
#[derive(Clone)]
pub(crate) struct Candidates {
    digits: [[u32; 9]; 3],
    open: [u32; 3],
}

impl Candidates {
    /// `None` if two equal clues see each other.
    fn of(puzzle: &Puzzle) -> Option<Candidates> {
        let mut start = Candidates { digits: [[BAND; 9]; 3], open: [BAND; 3] };
        for (cell, &digit) in puzzle.digits().iter().enumerate().filter(|(_, d)| **d != 0) {
            let (band, bit, digit) = (cell / 27, cell % 27, usize::from(digit) - 1);
            if start.digits[band][digit] >> bit & 1 == 0 {
                return None;
            }
            start.settle(band, bit as u32, digit);
        }
        Some(start)
    }

    /// The grid without some of its digits.
    pub(crate) fn without(grid: &Grid, removed: CellSet) -> Candidates {
        let region = [0, 27, 54].map(|shift| (removed.bits() >> shift) as u32 & BAND);
        let mut start = Candidates { digits: [[0; 9]; 3], open: region };
        let mut columns = [0; 9];
        for (cell, &digit) in grid.digits().iter().enumerate() {
            let (band, bit, digit) = (cell / 27, cell % 27, usize::from(digit) - 1);
            if region[band] >> bit & 1 == 0 {
                start.digits[band][digit] |= 1 << bit;
                columns[digit] |= COLUMN << (bit % 9);
            }
        }
        for (words, region) in start.digits.iter_mut().zip(region) {
            for (given, columns) in words.iter_mut().zip(columns) {
                let mut seen = columns;
                let mut left = *given;
                while left != 0 {
                    seen |= PEERS[left.trailing_zeros() as usize];
                    left &= left - 1;
                }
                *given |= region & !seen;
            }
        }
        start
    }

    fn settle(&mut self, band: usize, bit: u32, digit: usize) {
        let cell = 1 << bit;
        self.open[band] &= !cell;
        for other in &mut self.digits[band] {
            *other &= !cell;
        }
        self.digits[band][digit] = self.digits[band][digit] & !PEERS[bit as usize] | cell;
        let column = COLUMN << (bit % 9);
        self.digits[(band + 1) % 3][digit] &= !column;
        self.digits[(band + 2) % 3][digit] &= !column;
    }

    /// Settles what must be. False if there is no solution.
    fn propagate(&mut self) -> bool {
        let mut done = [[0; 9]; 3];
        loop {
            let mut settled = false;
            for band in 0..3 {
                let (some, several) = self.counts(band);
                if some != BAND {
                    return false;
                }
                let mut singles = self.open[band] & !several;
                settled |= singles != 0;
                while singles != 0 {
                    let bit = singles.trailing_zeros();
                    singles &= singles - 1;
                    match self.digits[band].iter().position(|d| d >> bit & 1 == 1) {
                        Some(digit) => self.settle(band, bit, digit),
                        None => return false,
                    }
                }
            }
            if settled {
                continue;
            }
            let mut changed = false;
            for (band, done) in done.iter_mut().enumerate() {
                for (digit, done) in done.iter_mut().enumerate() {
                    if *done == self.digits[band][digit] {
                        continue;
                    }
                    if !self.lock(band, digit) {
                        return false;
                    }
                    *done = self.digits[band][digit];
                    changed = true;
                }
            }
            if !changed {
                return true;
            }
        }
    }

    /// Eliminations between the rows, the boxes and the columns of a digit, and rows with one candidate.
    fn lock(&mut self, band: usize, digit: usize) -> bool {
        let found = self.digits[band][digit];
        let rows = [found & ROW, found >> 9 & ROW, found >> 18].map(|row| MINI_ROWS[row as usize]);
        let index = usize::from(rows[0]) | usize::from(rows[1]) << 3 | usize::from(rows[2]) << 6;
        let kept = found & TRIPLES[index];
        if kept == 0 {
            return false;
        }
        self.digits[band][digit] = kept;
        let columns = (kept | kept >> 9 | kept >> 18) & ROW;
        let only = ONLY_COLUMN[columns as usize];
        self.digits[(band + 1) % 3][digit] &= !only;
        self.digits[(band + 2) % 3][digit] &= !only;
        for row in [ROW, ROW << 9, ROW << 18] {
            let cells = kept & row;
            if cells & cells.wrapping_sub(1) == 0 && cells & self.open[band] != 0 {
                self.settle(band, cells.trailing_zeros(), digit);
            }
        }
        true
    }

    /// The cells of the band with at least one candidate, and with at least two.
    fn counts(&self, band: usize) -> (u32, u32) {
        self.digits[band].iter().fold((0, 0), |(one, two), d| (one | d, two | one & d))
    }

    /// An open cell with as few candidates as can be seen quickly.
    fn branching_cell(&self) -> Option<(usize, u32)> {
        let mut best = None;
        for band in (0..3).filter(|&b| self.open[b] != 0) {
            let (mut two, mut three, mut four, mut one) = (0, 0, 0, 0);
            for &d in &self.digits[band] {
                four |= three & d;
                three |= two & d;
                two |= one & d;
                one |= d;
            }
            for (rank, cells) in [!three, !four, BAND].into_iter().enumerate() {
                let cells = cells & self.open[band];
                if cells != 0 {
                    if best.is_none_or(|(least, _, _)| rank < least) {
                        best = Some((rank, band, cells.trailing_zeros()));
                    }
                    break;
                }
            }
            if matches!(best, Some((0, _, _))) {
                break;
            }
        }
        best.map(|(_, band, bit)| (band, bit))
    }

    /// Depth first, the expected digit of a cell first. False if the visitor wants no more.
    fn search_candidates(self, expected: &[u8; 81], visit: &mut impl FnMut(&Candidates) -> bool) -> bool {
        let mut state = self;
        if !state.propagate() {
            return true;
        }
        let Some((band, bit)) = state.branching_cell() else { return visit(&state) };
        let expected_digit = expected[band * 27 + bit as usize];
        let first = usize::from(expected_digit).wrapping_sub(1);
        let others = (0..9).filter(|&digit| digit != first);
        for digit in Some(first).filter(|&d| d < 9).into_iter().chain(others) {
            if state.digits[band][digit] >> bit & 1 == 1 {
                let mut next = state.clone();
                next.settle(band, bit, digit);
                if !next.search_candidates(expected, visit) {
                    return false;
                }
            }
        }
        true
    }

    fn search(self, expected: &[u8; 81], visit: &mut impl FnMut(&[u8; 81]) -> bool) -> bool {
        self.search_candidates(expected, &mut |solution| visit(&solution.solved()))
    }

    /// The digits, when each cell has one candidate.
    fn solved(&self) -> [u8; 81] {
        let mut digits = [0; 81];
        for (band, words) in self.digits.iter().enumerate() {
            for (digit, &word) in (1..).zip(words) {
                let mut left = word;
                while left != 0 {
                    digits[band * 27 + left.trailing_zeros() as usize] = digit;
                    left &= left - 1;
                }
            }
        }
        digits
    }

    /// The cells that can no longer be as in a complete grid.
    fn differing(&self, own: &Candidates) -> CellSet {
        let mut bits = 0;
        for (band, (own, now)) in own.digits.iter().zip(&self.digits).enumerate() {
            let gone = own.iter().zip(now).fold(0, |gone, (own, now)| gone | own & !now);
            bits |= u128::from(gone) << (27 * band);
        }
        CellSet::from_bits(bits)
    }

    /// In how many cells a solution will differ at least from a complete grid, if each digit changes in so many.
    fn change(&self, own: &Candidates, least: &[u32; 9]) -> u32 {
        let gone =
            |d: usize| -> u32 { (0..3).map(|b| (own.digits[b][d] & !self.digits[b][d]).count_ones()).sum() };
        (0..9).map(|d| gone(d).max(least[d])).sum()
    }

    /// As the search for solutions, but leaves a branch as soon as it differs in too many cells.
    fn differences(mut self, own: &Candidates, least: &[u32; 9], most: u32, visit: &mut impl FnMut(CellSet)) {
        if self.change(own, least) > most || !self.propagate() || self.change(own, least) > most {
            return;
        }
        let Some((band, bit)) = self.branching_cell() else {
            let differing = self.differing(own);
            if !differing.is_empty() {
                visit(differing);
            }
            return;
        };
        for digit in 0..9 {
            if self.digits[band][digit] >> bit & 1 == 1 {
                let mut next = self.clone();
                next.settle(band, bit, digit);
                next.differences(own, least, most, visit);
            }
        }
    }
}
