//! Grids for the tests, most with known 17-clue puzzles.

use jl_engine_sudoku::{Grid, Puzzle, random_grids};

pub fn random(seed: u64) -> Grid {
    random_grids(seed).next().expect("there is no end of them")
}

/// The grid with 29 17-clue puzzles.
pub fn strange() -> Grid {
    "639241785284765193517983624123857946796432851458619237342178569861594372975326418".parse().unwrap()
}

/// Grids with all their 17-clue puzzles, in order of these numbers: an extract of the list of the 49,158.
pub fn known() -> Vec<(Grid, Vec<Puzzle>)> {
    let line = |line: &str| {
        let mut fields = line.split('\t');
        let grid = fields.next().unwrap().parse().unwrap();
        let count: usize = fields.next().unwrap().parse().unwrap();
        let mut puzzles: Vec<Puzzle> = fields.map(|puzzle| puzzle.parse().unwrap()).collect();
        puzzles.sort();
        assert_eq!(puzzles.len(), count);
        (grid, puzzles)
    };
    include_str!("../data/puzzles17.tsv").lines().map(line).collect()
}
