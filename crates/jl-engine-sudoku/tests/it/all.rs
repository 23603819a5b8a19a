//! What a check lists, found without any of its code: by trying all.

use jl_engine_sudoku::solver::is_unique;
use jl_engine_sudoku::{CellSet, Grid, Puzzle};

/// All n-clue puzzles of the grid with these clues.
pub fn puzzles(grid: &Grid, n: usize, given: CellSet) -> Vec<Puzzle> {
    let mut found = vec![];
    choose(grid, n, given, 0, &mut found);
    found.sort();
    found
}

fn choose(grid: &Grid, n: usize, clues: CellSet, from: usize, found: &mut Vec<Puzzle>) {
    if clues.len() == n {
        let puzzle = grid.puzzle(clues);
        if is_unique(&puzzle) {
            found.push(puzzle);
        }
        return;
    }
    for cell in (from..81).filter(|&cell| !clues.contains(cell)) {
        choose(grid, n, clues | CellSet::of(cell), cell + 1, found);
    }
}
