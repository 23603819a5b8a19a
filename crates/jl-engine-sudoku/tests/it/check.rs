use crate::{all, grids};
use jl_engine_sudoku::{Algorithm, CellSet, Checked, Grid, Limits, Puzzle, check, check_within};
use std::sync::atomic::AtomicBool;

fn part(grid: &Grid, n: usize, algorithm: Algorithm, given: CellSet) -> Checked {
    let checked = check_within(grid, n, algorithm, &Limits { given, ..Limits::default() });
    assert!(checked.complete);
    checked
}

/// The first clues of a puzzle, from a cell on.
fn some_clues(puzzle: &Puzzle, from: usize, count: usize) -> CellSet {
    let clues: Vec<usize> = puzzle.clues().iter().collect();
    clues.iter().cycle().skip(from).take(count).copied().collect()
}

#[test]
fn the_strange_grid_has_29_puzzles_of_17_clues_and_none_of_16() {
    let grid = grids::strange();
    assert!(check(&grid, 16, Algorithm::Fast).puzzles.is_empty());
    let checked = check(&grid, 17, Algorithm::Fast);
    assert!(checked.complete);
    assert_eq!(checked.puzzles.len(), 29);
    assert!(checked.puzzles.is_sorted_by(|a, b| a < b), "in order, and each once");
    assert!(checked.puzzles.iter().all(|puzzle| grid.puzzle(puzzle.clues()) == *puzzle));
    assert!(checked.nodes() > 1_000_000 && checked.nodes_per_level.len() == 18);
}

/// The most clues that the puzzle has in one band or stack.
fn most_together(puzzle: &Puzzle) -> usize {
    let mut counts = [0; 6];
    for cell in puzzle.clues().iter() {
        counts[cell / 27] += 1;
        counts[3 + cell % 9 / 3] += 1;
    }
    counts.into_iter().max().unwrap_or(0)
}

/// All of them take ten minutes: `examples/known.rs`.
#[test]
fn exactly_the_known_puzzles_of_some_grids() {
    let known = grids::known();
    let with =
        |count| known.iter().find(|(_, puzzles): &&(Grid, Vec<Puzzle>)| puzzles.len() == count).unwrap();
    // Two with a puzzle that has nine clues in one band or stack, which few have.
    let uneven = [&known[210], &known[211]];
    assert!(uneven.iter().all(|(_, puzzles)| puzzles.iter().any(|puzzle| most_together(puzzle) >= 9)));
    for (grid, puzzles) in [1, 9, 20].map(with).into_iter().chain(uneven) {
        assert_eq!(check(grid, 17, Algorithm::Fast).puzzles, *puzzles, "{grid}");
    }
}

#[test]
fn exactly_the_known_puzzles_with_some_of_their_clues() {
    for (round, (grid, puzzles)) in grids::known().iter().enumerate().step_by(4) {
        let given = some_clues(&puzzles[round % puzzles.len()], round, 4 + round % 5);
        let expected: Vec<Puzzle> =
            puzzles.iter().filter(|puzzle| given.is_subset(puzzle.clues())).copied().collect();
        assert!(!expected.is_empty());
        assert_eq!(part(grid, 17, Algorithm::Fast, given).puzzles, expected, "{grid}");
    }
}

/// All algorithms list what trying all does. The given clues leave three to find, in one band or in several.
#[test]
fn every_algorithm_agrees_with_trying_all() {
    let known = grids::known();
    for round in 0..4 {
        let (grid, puzzles) = &known[100 + 40 * round];
        let given = some_clues(&puzzles[0], 4 * round, 15);
        let expected = all::puzzles(grid, 18, given);
        assert!(expected.len() >= 64, "a 17-clue puzzle and any other clue");
        for algorithm in Algorithm::ALL {
            assert_eq!(part(grid, 18, algorithm, given).puzzles, expected, "{algorithm:?} {grid}");
        }
    }
}

/// With more clues to find than one can try, but few enough for the slowest version.
#[test]
fn every_algorithm_lists_the_same() {
    let known = grids::known();
    for (round, n) in [(0, 17), (1, 18), (2, 19)] {
        let (grid, puzzles) = &known[known.len() - 1 - 60 * round];
        let given = some_clues(&puzzles[0], 5 * round, n - 6);
        let fast = part(grid, n, Algorithm::Fast, given).puzzles;
        assert!(!fast.is_empty());
        for algorithm in Algorithm::ALL {
            assert!(part(grid, n, algorithm, given).puzzles == fast, "{algorithm:?} {n} {grid}");
        }
    }
}

/// The search takes the clues band by band, or stack by stack: however they are divided, equally or not, every puzzle is
/// listed once, and turning the grid turns the puzzles.
#[test]
fn a_turned_grid_has_the_same_puzzles_turned() {
    let known = grids::known();
    let (grid, puzzles) = known.iter().find(|(_, puzzles)| puzzles.len() == 20).unwrap();
    let given = some_clues(&puzzles[7], 3, 9);
    let clues = |grid: &Grid, given| -> Vec<CellSet> {
        part(grid, 18, Algorithm::Fast, given).puzzles.iter().map(Puzzle::clues).collect()
    };
    let mut expected = clues(grid, given);
    expected.sort();
    assert!(expected.is_sorted_by(|a, b| a < b));
    let in_bands = |clues: &CellSet| {
        let mut counts = [0; 3];
        clues.iter().for_each(|cell| counts[cell / 27] += 1);
        counts.sort_unstable();
        counts
    };
    assert!(expected.iter().any(|clues| in_bands(clues) == [6, 6, 6]), "three bands alike");
    assert!(expected.iter().any(|clues| in_bands(clues)[1] == in_bands(clues)[2]), "two bands alike");
    assert!(expected.iter().any(|clues| in_bands(clues)[1] != in_bands(clues)[2]), "one with most");
    let turns: [fn(usize) -> usize; 4] =
        [|c| c % 9 * 9 + c / 9, |c| 80 - c, |c| (c + 27) % 81, |c| (c % 9 * 9 + c / 9 + 54) % 81];
    for turn in turns {
        let turned = |cells: CellSet| cells.iter().map(turn).collect::<CellSet>();
        let mut digits = [0; 81];
        (0..81).for_each(|cell| digits[turn(cell)] = grid.digits()[cell]);
        let mut found = clues(&Grid::new(digits).unwrap(), turned(given));
        let mut expected: Vec<CellSet> = expected.iter().map(|&clues| turned(clues)).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }
}

#[test]
fn few_clues_are_never_enough() {
    let grid = grids::random(3);
    for algorithm in Algorithm::ALL {
        for n in [0, 1, 5, 8] {
            let checked = check(&grid, n, algorithm);
            assert!(checked.complete && checked.puzzles.is_empty());
        }
    }
    for n in 9..=14 {
        assert!(check(&grid, n, Algorithm::Fast).puzzles.is_empty());
    }
}

/// An unavoidable set has four cells or more, so that any 78 cells are enough.
#[test]
fn nearly_all_clues_are_always_enough() {
    let grid = grids::random(3);
    for algorithm in Algorithm::ALL {
        for (n, count) in [(81, 1), (80, 81), (79, 81 * 80 / 2)] {
            let puzzles = check(&grid, n, algorithm).puzzles;
            assert_eq!(puzzles.len(), count, "{algorithm:?} {n}");
            assert!(puzzles.is_sorted_by(|a, b| a < b));
        }
        assert!(check(&grid, 82, algorithm).puzzles.is_empty());
    }
}

#[test]
fn more_clues_given_than_wanted_leave_nothing() {
    let grid = grids::random(3);
    for algorithm in Algorithm::ALL {
        assert!(part(&grid, 17, algorithm, (0..18).collect()).puzzles.is_empty());
    }
}

#[test]
fn a_limit_ends_the_search() {
    let grid = grids::random(3);
    let stop = AtomicBool::new(true);
    for algorithm in Algorithm::ALL {
        let limits = Limits { nodes: Some(10_000), ..Limits::default() };
        let checked = check_within(&grid, 16, algorithm, &limits);
        assert!(!checked.complete, "{algorithm:?}");
        assert!((10_000..12_000).contains(&checked.nodes()), "{algorithm:?} {}", checked.nodes());
        let stopped = check_within(&grid, 16, algorithm, &Limits { stop: Some(&stop), ..Limits::default() });
        assert!(!stopped.complete && stopped.nodes() < 2000, "{algorithm:?}");
    }
}

/// What disjoint sets do on each level accounts for the nodes there.
#[test]
fn disjoint_sets_are_counted_per_level() {
    let grid = grids::random(3);
    for algorithm in Algorithm::ALL {
        if !(Algorithm::V3..=Algorithm::V6).contains(&algorithm) {
            assert!(check(&grid, 9, algorithm).disjoint.is_empty());
            continue;
        }
        let checked = check(&grid, 14, algorithm);
        let levels = &checked.disjoint;
        assert_eq!(levels.len(), 15);
        for (level, (at, &nodes)) in levels.iter().zip(&checked.nodes_per_level).enumerate() {
            assert!(at.equal + at.greater <= nodes, "{algorithm:?} {level}");
            let split = at.none + at.shrunk + at.pruned;
            assert_eq!(split, if algorithm == Algorithm::V3 { 0 } else { at.equal });
            let left = 14 - level as u64;
            assert!(at.sets >= at.greater * (left + 1) + at.equal * left);
            assert!(at.sets <= nodes * (left + 1));
        }
        let pruned: u64 = levels.iter().map(|at| at.greater).sum();
        let children: u64 = levels.iter().map(|at| at.children).sum();
        assert!(pruned > 0 && children > 0 && children < checked.nodes(), "{levels:?}");
    }
}
