//! Every n-clue puzzle of a grid: the minimum Sudoku problem, one grid at a time.
//!
//! - [`Algorithm::V1`] to [`Algorithm::V6`] are those of Lin's thesis, chapter 2 (`tuple`).
//! - [`Algorithm::Fast`] takes the grid band by band (`bands`).
//!
//! All of them list the same puzzles. Each first looks for unavoidable sets (Phase 1), then for sets of clues that hit all
//! of them (Phase 2), and what hits all that are known is given to the solver: a set that was not found costs time, never a
//! puzzle.

mod bands;
mod tuple;

use crate::{CellSet, Grid, Puzzle};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How to look for the puzzles. The numbers of MUSs are those with which each version was fastest in the thesis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Algorithm {
    /// The original Checker: the MUSs by size as they were found, 192 of them, as bit sets; branch on the cells of the first
    /// active one; what was tried before at a branching is dead below the later ones.
    V1,
    /// V1 with the MUSs of the same size in another order, those first that have a cell in most others; 256 of them.
    V2,
    /// V2 with the basic DMUS algorithm: so many disjoint active MUSs that the clues left cannot hit all end a branch; 320.
    V3,
    /// V3 with the improved DMUS algorithm: exactly as many disjoint ones as clues left are shrunk, last to first, by the
    /// active MUSs that meet only one of them, and the smallest is branched on; 384.
    V4,
    /// V4 with an order during the search: of the disjoint sets the one with fewest cells alive, and of its cells those first
    /// that hit most.
    V5,
    /// V5 with the MUSs of the modified Phase 1.
    V6,
    /// Band by band, with unavoidable sets learned during the search.
    #[default]
    Fast,
}

impl Algorithm {
    pub const ALL: [Algorithm; 7] = [
        Algorithm::V1,
        Algorithm::V2,
        Algorithm::V3,
        Algorithm::V4,
        Algorithm::V5,
        Algorithm::V6,
        Algorithm::Fast,
    ];
}

/// What part of the search to do.
#[derive(Clone, Copy, Default, Debug)]
pub struct Limits<'a> {
    /// Only puzzles that have these clues among theirs.
    pub given: CellSet,
    /// Stop after so many nodes.
    pub nodes: Option<u64>,
    /// Stop when this becomes true.
    pub stop: Option<&'a AtomicBool>,
}

/// What disjoint active sets did for the nodes with some number of clues, V3 to V6 (thesis, section 2.4.5).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Disjoint {
    /// How many there were, of all nodes: M(i). A node that is left has one more than clues are left.
    pub sets: u64,
    /// The nodes with as many as clues are left: N=(i).
    pub equal: u64,
    /// The nodes with more, which are left: N>(i).
    pub greater: u64,
    /// Of the equal ones, from V4 on: those whose sets could not be shrunk.
    pub none: u64,
    /// Those with a smaller set.
    pub shrunk: u64,
    /// Those with an empty set, which are left.
    pub pruned: u64,
    /// The children of the equal ones.
    pub children: u64,
}

/// What a search found, and what it took.
#[derive(Clone, Debug)]
pub struct Checked {
    /// In order.
    pub puzzles: Vec<Puzzle>,
    /// False if a limit ended the search, so that there may be more puzzles.
    pub complete: bool,
    /// Of the search tree, by the number of clues.
    pub nodes_per_level: Vec<u64>,
    /// V3 to V6: what disjoint sets did there, by the number of clues. Others have none.
    pub disjoint: Vec<Disjoint>,
    /// How many unavoidable sets were known at the end.
    pub sets: usize,
    /// Phase 1: looking for unavoidable sets.
    pub finding: Duration,
    /// Phase 2: looking for puzzles.
    pub searching: Duration,
}

impl Checked {
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes_per_level.iter().sum()
    }

    #[must_use]
    pub fn seconds(&self) -> f64 {
        (self.finding + self.searching).as_secs_f64()
    }
}

/// Every choice of n clues of the grid that has no other solution.
///
/// ```
/// use jl_engine_sudoku::{Algorithm, Grid, check};
///
/// let grid: Grid = "639241785284765193517983624123857946796432851458619237342178569861594372975326418".parse().unwrap();
/// assert!(check(&grid, 13, Algorithm::Fast).puzzles.is_empty());
/// ```
#[must_use]
pub fn check(grid: &Grid, n: usize, algorithm: Algorithm) -> Checked {
    check_within(grid, n, algorithm, &Limits::default())
}

/// As [`check`], for a part of the puzzles.
#[must_use]
pub fn check_within(grid: &Grid, n: usize, algorithm: Algorithm, limits: &Limits) -> Checked {
    let tally = Tally::new(*grid, n, *limits);
    if n > 81 || limits.given.len() > n {
        return tally.checked(0, Duration::ZERO, Duration::ZERO);
    }
    match algorithm {
        Algorithm::Fast => bands::check(tally),
        version => tuple::check(tally, version),
    }
}

/// The question, and what was found so far.
struct Tally<'a> {
    grid: Grid,
    n: usize,
    limits: Limits<'a>,
    found: Vec<CellSet>,
    nodes: Nodes,
    stopped: bool,
}

/// The bits of the first words that are not in the others.
fn without<const WORDS: usize>(a: &[u64; WORDS], b: &[u64; WORDS]) -> [u64; WORDS] {
    std::array::from_fn(|word| a[word] & !b[word])
}

/// The nodes of a search tree.
#[derive(Default)]
struct Nodes {
    total: u64,
    per_level: Vec<u64>,
}

impl Nodes {
    /// Counts one with so many clues.
    fn count(&mut self, clues: usize) {
        self.total += 1;
        self.per_level[clues] += 1;
    }
}

impl<'a> Tally<'a> {
    fn new(grid: Grid, n: usize, limits: Limits<'a>) -> Tally<'a> {
        Tally {
            grid,
            n,
            limits,
            found: vec![],
            nodes: Nodes { total: 0, per_level: vec![0; n + 1] },
            stopped: false,
        }
    }

    /// Whether to go on, for a search that has seen so many nodes.
    fn goes_on(&mut self, nodes: u64) -> bool {
        self.stopped |= self.limits.nodes.is_some_and(|most| nodes >= most)
            || self.limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        !self.stopped
    }

    fn checked(self, sets: usize, finding: Duration, searching: Duration) -> Checked {
        let mut puzzles: Vec<Puzzle> = self.found.iter().map(|&clues| self.grid.puzzle(clues)).collect();
        puzzles.sort_unstable();
        Checked {
            puzzles,
            complete: !self.stopped,
            nodes_per_level: self.nodes.per_level,
            disjoint: vec![],
            sets,
            finding,
            searching,
        }
    }
}
