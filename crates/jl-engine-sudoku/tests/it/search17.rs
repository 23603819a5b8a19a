use jl_engine_sudoku::search17::{Found, Move, Search, neighbours};
use jl_engine_sudoku::solver::solutions;
use jl_engine_sudoku::{Puzzle, canonical};
use std::collections::BTreeSet;

/// One of the 29 17-clue puzzles of the grid of the thesis' figure 3, in its least form.
const PUZZLE: &str = "..3..........8.1.....2..........5...81..4...........35.7....8....23.7......5...9.";

fn sees(cell: usize, other: usize) -> bool {
    let (row, column, r, c) = (cell / 9, cell % 9, other / 9, other % 9);
    cell != other && (r == row || c == column || r / 3 == row / 3 && c / 3 == column / 3)
}

/// How many solutions there are, up to two, by plain search in the empty cells.
fn count(digits: &mut [u8; 81]) -> usize {
    let free = |cell: usize, digits: &[u8; 81]| {
        (0..81).filter(|&other| sees(cell, other)).fold(0o1776u16, |free, other| free & !(1 << digits[other]))
    };
    let empty = (0..81).filter(|&cell| digits[cell] == 0);
    let Some((cell, choices)) =
        empty.map(|cell| (cell, free(cell, digits))).min_by_key(|(_, free)| free.count_ones())
    else {
        return 1;
    };
    let mut solutions = 0;
    for digit in (1..=9).filter(|digit| choices >> digit & 1 == 1) {
        digits[cell] = digit;
        solutions += count(digits);
        if solutions > 1 {
            break;
        }
    }
    digits[cell] = 0;
    solutions.min(2)
}

fn text(digits: &[u8; 81]) -> String {
    digits.iter().map(|digit| digit.to_string()).collect()
}

fn found(puzzle: &Puzzle, remove: usize, add: usize) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    neighbours(puzzle, Move { remove, add }, &mut |Found { puzzle, solution }| {
        assert_eq!(solution.puzzle(puzzle.clues()), puzzle);
        all.insert(text(puzzle.digits()));
    });
    all
}

/// What `neighbours` should find with one or two clues more, each set of clues solved on its own.
fn brute_force(puzzle: &Puzzle, remove: usize, add: usize) -> BTreeSet<String> {
    fn clashes(digits: &[u8; 81], cell: usize) -> bool {
        (0..81).any(|other| sees(cell, other) && digits[other] == digits[cell])
    }
    fn fill(digits: &mut [u8; 81], old: &[u8; 81], from: usize, add: usize, all: &mut BTreeSet<String>) {
        if add == 0 {
            if count(digits) == 1 {
                all.insert(text(digits));
            }
            return;
        }
        for cell in from..81 {
            if digits[cell] == 0 {
                for digit in (1..=9).filter(|digit| *digit != old[cell]) {
                    digits[cell] = digit;
                    if !clashes(digits, cell) {
                        fill(digits, old, cell + 1, add - 1, all);
                    }
                }
                digits[cell] = 0;
            }
        }
    }
    let clues: Vec<usize> = puzzle.clues().iter().collect();
    let mut all = BTreeSet::new();
    for (i, &a) in clues.iter().enumerate() {
        for &b in if remove == 2 { &clues[i + 1..] } else { &clues[i..=i] } {
            let mut digits = *puzzle.digits();
            (digits[a], digits[b]) = (0, 0);
            fill(&mut digits, puzzle.digits(), 0, add, &mut all);
        }
    }
    all
}

#[test]
fn agrees_with_brute_force() {
    // Puzzles with so many clues that plain search will do.
    let full = "639241785284765193517983624123857946796432851458619237342178569861594372975326418";
    let grid: jl_engine_sudoku::Grid = full.parse().unwrap();
    for (kept, remove, add) in [(9, 1, 1), (13, 2, 1), (14, 1, 2)] {
        let puzzle = grid.puzzle((0..81).filter(|cell| cell * 7 % 16 < kept).collect());
        let expected = brute_force(&puzzle, remove, add);
        assert!(!expected.is_empty());
        assert_eq!(found(&puzzle, remove, add), expected, "-{remove}+{add}");
    }
}

#[test]
fn more_17_clue_puzzles_from_one() {
    let puzzle: Puzzle = PUZZLE.parse().unwrap();
    let found = found(&puzzle, 1, 1);
    assert_eq!(found.len(), 7);
    for other in found {
        let other: Puzzle = other.parse().unwrap();
        assert_eq!(other.clues().len(), 17);
        let differ = (0..81).filter(|&cell| puzzle.digits()[cell] != other.digits()[cell]).count();
        assert!(differ == 2 || differ == 1 && other.clues() == puzzle.clues());
    }
}

/// The puzzle with its solution.
fn seed() -> Found {
    let puzzle: Puzzle = PUZZLE.parse().unwrap();
    Found { puzzle, solution: solutions(&puzzle, 2)[0] }
}

#[test]
fn a_search_goes_from_puzzle_to_puzzle_and_gives_none_twice() {
    let mut search = Search::new(&[Move { remove: 1, add: 1 }]);
    assert!(search.insert(seed()));
    assert!(!search.insert(seed()), "it is known");
    let mut all: BTreeSet<Puzzle> = BTreeSet::new();
    for _ in 0..5 {
        let new = search.step().unwrap();
        assert!(new.into_iter().all(|puzzle| all.insert(puzzle)));
    }
    assert!(search.waiting().all(|puzzle| all.contains(puzzle)));
    assert_eq!(search.waiting().count(), all.len() + 1 - 5, "each waits once");
    assert_eq!(Search::new(&[]).step(), None);
}

#[test]
fn the_puzzles_of_a_search_are_least_forms() {
    let mut search = Search::new(&[Move { remove: 1, add: 1 }]);
    search.insert(seed());
    let puzzles: BTreeSet<Puzzle> = search.step().unwrap().into_iter().collect();
    let mut images = BTreeSet::new();
    neighbours(&PUZZLE.parse().unwrap(), Move { remove: 1, add: 1 }, &mut |found| {
        let form = canonical(&found.solution);
        images.insert(form.symmetry.puzzle(&found.puzzle));
    });
    // This grid and its neighbours have no automorphisms, so one symmetry leads to the form. One of the neighbours is
    // the puzzle itself with two digits exchanged, so that is known.
    assert!(images.remove(&PUZZLE.parse().unwrap()));
    assert_eq!(puzzles, images);
}
