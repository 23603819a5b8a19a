use crate::{grids, naive};
use jl_engine_sudoku::solver::{another_solution, count_solutions, is_unique, solutions};
use jl_engine_sudoku::{CellSet, Puzzle};
use std::collections::BTreeSet;

fn random_clues(random: &mut fastrand::Rng, count: usize) -> CellSet {
    let mut cells: Vec<usize> = (0..81).collect();
    random.shuffle(&mut cells);
    cells.into_iter().take(count).collect()
}

#[test]
fn agrees_with_the_naive_solver() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut outcomes = [0; 3];
    for round in 0..600 {
        let grid = grids::random(round % 20);
        let clues = random_clues(&mut random, 22 + (round % 20) as usize);
        let mut digits = *grid.puzzle(clues).digits();
        for _ in 0..random.usize(0..3) {
            // Often impossible, sometimes in plain sight.
            let cell = random.usize(0..81);
            digits[cell] = random.u8(1..=9);
        }
        let text: String = digits.iter().map(|d| char::from(b'0' + d)).collect();
        let puzzle: Puzzle = text.parse().unwrap();
        let expected = naive::solutions(&puzzle, 201);
        assert_eq!(count_solutions(&puzzle, 201), expected.len(), "{puzzle}");
        assert_eq!(is_unique(&puzzle), expected.len() == 1);
        if expected.len() <= 200 {
            let found: BTreeSet<[u8; 81]> = solutions(&puzzle, 201).iter().map(|g| *g.digits()).collect();
            assert_eq!(found, expected.iter().copied().collect(), "{puzzle}");
        }
        outcomes[expected.len().min(2)] += 1;
    }
    assert!(outcomes.iter().all(|&count| count >= 20), "none, one and more must all be tried: {outcomes:?}");
}

#[test]
fn the_limit_is_kept() {
    let empty = grids::strange().puzzle(CellSet::EMPTY);
    assert_eq!(count_solutions(&empty, 1000), 1000);
    assert_eq!(count_solutions(&empty, 0), 0);
    assert_eq!(solutions(&empty, 0), vec![]);
    assert_eq!(solutions(&empty, 1000).into_iter().collect::<BTreeSet<_>>().len(), 1000);
}

#[test]
fn every_known_puzzle_is_unique_and_minimal() {
    for (grid, puzzles) in grids::known() {
        for puzzle in puzzles {
            assert_eq!(solutions(&puzzle, 2), vec![grid]);
            let clues = puzzle.clues();
            assert_eq!(clues.len(), 17);
            assert_eq!(another_solution(&grid, clues), None);
            for clue in clues.iter() {
                let fewer = clues - CellSet::of(clue);
                let other = another_solution(&grid, fewer).expect("there is no 16-clue puzzle");
                assert_ne!(other, grid);
                assert_eq!(other.puzzle(fewer), grid.puzzle(fewer));
            }
        }
    }
}
