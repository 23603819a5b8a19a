//! Sudoku: every n-clue puzzle of a complete grid, and the grids themselves.
//!
//! - [`Grid`], [`Puzzle`] and [`CellSet`] are the words of the rest.
//! - [`solver`] counts the solutions of a puzzle, [`unavoidable`] finds sets of cells of which each puzzle must have one.
//! - [`check()`] lists the n-clue puzzles of a grid.
//! - [`bands()`] are the 416 essentially different bands, [`canonical()`] is the least form of a grid.
//! - [`catalogue`] has the 5,472,730,538 essentially different grids in order, [`random_grids`] gives some of them.
//! - [`sample()`] draws grids by address, evenly over the catalogue.
//! - [`search17`] makes new puzzles out of known ones.
//! - [`run`] is the command `jl engine sudoku`, which checks some grids and answers with one line, an [`Answer`].

mod answer;
mod bands;
mod canonical;
pub mod catalogue;
mod cells;
pub mod check;
mod command;
mod completions;
mod fills;
mod grid;
mod keys;
mod random;
mod sample;
pub mod search17;
pub mod solver;
pub mod unavoidable;

pub use answer::{Answer, Checksum, processor_seconds};
pub use bands::{BANDS, Band, bands};
pub use canonical::{Canonical, Symmetry, canonical, canonical_puzzle};
pub use cells::CellSet;
pub use check::{Algorithm, Checked, Disjoint, Limits, check, check_within};
pub use command::{Flags, answer, read_algorithm, read_clues, run};
pub use grid::{Grid, GridError, House, Puzzle, PuzzleError};
pub use random::random_grids;
pub use sample::{Draw, part_of_start, sample};
