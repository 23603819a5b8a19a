//! The solver to compare with: the first empty cell, each digit that no cell in its houses has.

use jl_engine_sudoku::Puzzle;

/// The solutions of a puzzle, at most so many.
pub fn solutions(puzzle: &Puzzle, limit: usize) -> Vec<[u8; 81]> {
    let mut found = vec![];
    let mut digits = *puzzle.digits();
    if (0..81).all(|cell| digits[cell] == 0 || fits(&digits, cell, digits[cell])) {
        solve(&mut digits, limit, &mut found);
    }
    found
}

fn solve(digits: &mut [u8; 81], limit: usize, found: &mut Vec<[u8; 81]>) {
    let choices = |cell: usize| (1..=9).filter(|&d| fits(digits, cell, d)).count();
    let Some(cell) = (0..81).filter(|&cell| digits[cell] == 0).min_by_key(|&cell| choices(cell)) else {
        found.push(*digits);
        return;
    };
    for digit in 1..=9 {
        if found.len() < limit && fits(digits, cell, digit) {
            digits[cell] = digit;
            solve(digits, limit, found);
            digits[cell] = 0;
        }
    }
}

fn fits(digits: &[u8; 81], cell: usize, digit: u8) -> bool {
    (0..9).all(|i| {
        let row = cell / 9 * 9 + i;
        let column = i * 9 + cell % 9;
        let in_box = cell / 27 * 27 + cell % 9 / 3 * 3 + i / 3 * 9 + i % 3;
        [row, column, in_box].iter().all(|&other| other == cell || digits[other] != digit)
    })
}
