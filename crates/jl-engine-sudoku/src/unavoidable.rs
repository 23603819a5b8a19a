//! Unavoidable sets: cells of a grid whose digits can be rearranged into another grid.
//!
//! A puzzle with one solution has a clue in each of them. All are found in the same way, the *remove-region approach* of
//! the thesis (section 2.2.2.1): empty some region of the grid, solve for all solutions, and take the cells in which a
//! solution differs from the grid. Those that contain no other are the minimal ones, *MUSs*.
//!
//! The solver leaves a branch once it differs in too many cells, which makes regions of 54 cells affordable. Every digit
//! of an unavoidable set is in it at least twice: one of at most twelve cells has at most six digits, so that emptying
//! each two, three, … six digits in turn finds all of them, without the brute-force approach of the original program.

use crate::solver::{another_solution, for_each_difference};
use crate::{CellSet, Grid};

/// The minimal unavoidable sets, by size: all with twelve cells or less, and many larger ones (the modified Phase 1 of the
/// thesis, section 2.4.2).
#[must_use]
pub fn minimal_sets(grid: &Grid) -> Vec<CellSet> {
    let mut found = vec![];
    for (count, most) in [(2, 18), (3, 18), (4, 14), (5, 12), (6, 12)] {
        in_digits(grid, count, CellSet::ALL, most, &mut found);
    }
    in_regions(grid, of_boxes(4), 18, &mut found);
    minimal(found)
}

/// The minimal unavoidable sets that the original program found, by size: those with twelve cells or less, of the last of
/// which it knew only most, and those of thirteen and fourteen in a box row, a box column, 2×2 boxes or three digits.
///
/// The original found the small ones by matching each of its 500 patterns in every way, which took 37 seconds; which way
/// they are found makes no difference to the search.
#[must_use]
pub fn original_sets(grid: &Grid) -> Vec<CellSet> {
    let mut found = vec![];
    in_regions(grid, (0..3).flat_map(|n| [band(n), stack(n)]), 14, &mut found);
    in_regions(grid, (0..9).map(|n| !(band(n / 3) | stack(n % 3))), 14, &mut found);
    for (count, most) in [(2, 14), (3, 14), (4, 12), (5, 12), (6, 12)] {
        in_digits(grid, count, CellSet::ALL, most, &mut found);
    }
    minimal(found)
}

/// The other ways to fill each of these regions, as the cells in which they differ from the grid, if these are not too many.
pub(crate) fn in_regions(
    grid: &Grid,
    regions: impl IntoIterator<Item = CellSet>,
    most: u32,
    found: &mut Vec<CellSet>,
) {
    for region in regions {
        for_each_difference(grid, region, most, false, &mut |set| found.push(set));
    }
}

/// The same where the regions are exactly so many digits among some cells.
pub(crate) fn in_digits(grid: &Grid, count: u32, cells: CellSet, most: u32, found: &mut Vec<CellSet>) {
    let digit = |d: u8| cells.iter().filter(|&cell| grid.digits()[cell] == d).collect();
    for region in unions(std::array::from_fn(|d| digit(d as u8 + 1)), count) {
        for_each_difference(grid, region, most, true, &mut |set| found.push(set));
    }
}

/// Those sets that contain no other, by size.
pub(crate) fn minimal(mut sets: Vec<CellSet>) -> Vec<CellSet> {
    sets.sort_unstable_by_key(|set| (set.len(), *set));
    sets.dedup();
    let mut kept: Vec<CellSet> = vec![];
    for set in sets {
        if !kept.iter().any(|smaller| smaller.is_subset(set)) {
            kept.push(set);
        }
    }
    kept
}

/// An unavoidable set without any of these clues, `None` if they have no solution but the grid. It is small, as the solver
/// first looks near the grid, but need not be minimal.
pub(crate) fn unhit_set(grid: &Grid, clues: CellSet) -> Option<CellSet> {
    let other = another_solution(grid, clues)?;
    Some((0..81).filter(|&cell| grid.digits()[cell] != other.digits()[cell]).collect())
}

/// Each choice of so many boxes.
pub(crate) fn of_boxes(count: u32) -> impl Iterator<Item = CellSet> {
    unions(std::array::from_fn(|n| band(n / 3) & stack(n % 3)), count)
}

/// The unions of each choice of so many of nine sets.
fn unions(sets: [CellSet; 9], count: u32) -> impl Iterator<Item = CellSet> {
    (0..512u32).filter(move |choice| choice.count_ones() == count).map(move |choice| {
        let chosen = (0..9).filter(|n| choice >> n & 1 == 1);
        chosen.fold(CellSet::EMPTY, |union, n| union | sets[n])
    })
}

pub(crate) fn band(n: usize) -> CellSet {
    CellSet::from_bits(((1 << 27) - 1) << (27 * n))
}

fn stack(n: usize) -> CellSet {
    (0..81).filter(|cell| cell % 9 / 3 == n).collect()
}
