//! New puzzles out of known ones: take p clues away, put q others in (*gene restructuring*, section 2.2.1 of the 2013
//! thesis).
//!
//! From 17-clue puzzles, −1+1 and −2+2 find more of them. From larger puzzles, −2+1 leads down to 18 clues, −1+1 about
//! among those and a last −2+1 to 17.
//!
//! What is left of a puzzle has far too many solutions to list them, so some are kept: clues that two of these have
//! in common need no solver. Where the solver is asked and finds two solutions, they are kept as well, and so the
//! question is not asked again for other clues that they share.

use crate::solver::solutions;
use crate::{CellSet, Grid, Puzzle, canonical_puzzle};
use std::collections::{HashSet, VecDeque};

/// How many clues to take away and how many to put in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    pub remove: usize,
    pub add: usize,
}

/// A puzzle and its only solution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Found {
    pub puzzle: Puzzle,
    pub solution: Grid,
}

/// Visits every puzzle with one solution that comes from this one by taking away `remove` of its clues and putting in
/// `add` others. A clue that was taken away does not come back; its cell may get another digit. The same puzzle can
/// come about in more than one way.
pub fn neighbours(puzzle: &Puzzle, Move { remove, add }: Move, visit: &mut impl FnMut(Found)) {
    let clues: Vec<usize> = puzzle.clues().iter().collect();
    for_each_choice(&clues, remove, &mut Vec::new(), &mut |removed| {
        let mut digits = *puzzle.digits();
        removed.iter().for_each(|&cell| digits[cell] = 0);
        let clues = digits.iter().enumerate().filter(|(_, digit)| **digit != 0);
        let possible = clues.fold([0o1776; 81], |left, (cell, &digit)| without_peers(&left, cell, digit));
        let taken = removed.iter().map(|&cell| (cell, puzzle.digits()[cell])).collect();
        let mut additions = Additions { kept: Vec::new(), known: HashSet::new(), taken, visit: &mut *visit };
        additions.add(Puzzle::from_digits(digits), 0, add, Vec::new(), &possible);
    });
}

/// Visits the sets of `count` members.
fn for_each_choice(
    members: &[usize],
    count: usize,
    chosen: &mut Vec<usize>,
    visit: &mut impl FnMut(&[usize]),
) {
    if count == 0 {
        return visit(chosen);
    }
    for (i, &member) in members.iter().enumerate() {
        chosen.push(member);
        for_each_choice(&members[i + 1..], count - 1, chosen, visit);
        chosen.pop();
    }
}

/// The digit of each cell as a set of one, so that what many solutions have is a matter of or and and.
type Solution = [u16; 81];

struct Additions<'a, F> {
    /// Some solutions of the puzzle without the clues that were taken away, no two the same.
    kept: Vec<Solution>,
    known: HashSet<Grid>,
    /// The clues that were taken away.
    taken: Vec<(usize, u8)>,
    visit: &'a mut F,
}

impl<F: FnMut(Found)> Additions<'_, F> {
    /// Adds `add` clues in cells from `from` on. `known` are those of the kept solutions that the puzzle has, and
    /// digits that are not in `possible` no solution has.
    fn add(&mut self, puzzle: Puzzle, from: usize, add: usize, mut known: Vec<usize>, possible: &Solution) {
        if add == 0 {
            if let [solution] = solutions(&puzzle, 2)[..] {
                (self.visit)(Found { puzzle, solution });
            }
            return;
        }
        let with = |cell: usize, digit: u8| {
            let mut digits = *puzzle.digits();
            digits[cell] = digit;
            Puzzle::from_digits(digits)
        };
        let mut shared = Shared::default();
        known.iter().for_each(|&i| shared.insert(&self.kept[i]));
        let mut left = [0; 81];
        for cell in (from..81).filter(|&cell| puzzle.digits()[cell] == 0) {
            for digit in (1..=9).filter(|digit| possible[cell] >> digit & 1 == 1) {
                // With the last clue, two solutions are too many.
                if shared.by_two[cell] >> digit & 1 == 0 {
                    let found = solutions(&with(cell, digit), 2);
                    for solution in found.iter().filter(|solution| self.known.insert(**solution)) {
                        self.kept.push(solution.digits().map(|digit| 1 << digit));
                        shared.insert(&self.kept[self.kept.len() - 1]);
                        known.push(self.kept.len() - 1);
                    }
                    match found[..] {
                        [] => continue,
                        [solution] if add == 1 && !self.taken.contains(&(cell, digit)) => {
                            (self.visit)(Found { puzzle: with(cell, digit), solution });
                        }
                        _ => {}
                    }
                }
                left[cell] |= 1 << digit;
            }
        }
        if add > 1 {
            for cell in from..81 {
                for digit in (1..=9).filter(|digit| left[cell] >> digit & 1 == 1) {
                    if !self.taken.contains(&(cell, digit)) {
                        let before = self.kept.len();
                        let has = |i: &usize| self.kept[*i][cell] >> digit & 1 == 1;
                        let group = known.iter().copied().filter(has).collect();
                        let left = without_peers(&left, cell, digit);
                        self.add(with(cell, digit), cell + 1, add - 1, group, &left);
                        // What was found with more clues are solutions here too.
                        known.extend(before..self.kept.len());
                    }
                }
            }
        }
    }
}

/// What is possible with this digit in this cell, as far as the row, the column and the box say.
fn without_peers(possible: &Solution, cell: usize, digit: u8) -> Solution {
    let (row, column) = (cell / 9, cell % 9);
    std::array::from_fn(|other| {
        let (r, c) = (other / 9, other % 9);
        let peer = r == row || c == column || r / 3 == row / 3 && c / 3 == column / 3;
        if peer { possible[other] & !(1 << digit) } else { possible[other] }
    })
}

/// The digits of each cell that some solution has, and those that two have.
struct Shared {
    by_one: Solution,
    by_two: Solution,
}

impl Default for Shared {
    fn default() -> Shared {
        Shared { by_one: [0; 81], by_two: [0; 81] }
    }
}

impl Shared {
    fn insert(&mut self, solution: &Solution) {
        for ((one, two), digit) in self.by_one.iter_mut().zip(&mut self.by_two).zip(solution) {
            *two |= *one & digit;
            *one |= digit;
        }
    }
}

/// A search for puzzles that goes from each one found to its neighbours. Puzzles that are the same up to symmetry are
/// one puzzle here, in its least form.
#[derive(Clone, Debug)]
pub struct Search {
    moves: Vec<Move>,
    known: HashSet<Puzzle>,
    waiting: VecDeque<Puzzle>,
}

impl Search {
    /// A search that makes each of these moves from each puzzle.
    #[must_use]
    pub fn new(moves: &[Move]) -> Search {
        Search { moves: moves.to_vec(), known: HashSet::new(), waiting: VecDeque::new() }
    }

    /// Lets a puzzle wait for its turn. False if it is known.
    pub fn insert(&mut self, puzzle: Found) -> bool {
        self.found(&puzzle).is_some()
    }

    /// Takes the next puzzle and gives those of its neighbours that were not known, in their least forms. Nothing if
    /// none waits.
    pub fn step(&mut self) -> Option<Vec<Puzzle>> {
        let puzzle = *self.waiting.front()?;
        let mut new = Vec::new();
        let mut here: HashSet<(CellSet, Grid)> = HashSet::new();
        for step in self.moves.clone() {
            neighbours(&puzzle, step, &mut |found| {
                // The same puzzle often comes about in several ways, and its least form costs more than a look.
                if here.insert((found.puzzle.clues(), found.solution)) {
                    new.extend(self.found(&found));
                }
            });
        }
        self.waiting.pop_front();
        Some(new)
    }

    fn found(&mut self, found: &Found) -> Option<Puzzle> {
        let form = canonical_puzzle(&found.solution, found.puzzle.clues());
        self.known.insert(form).then(|| {
            self.waiting.push_back(form);
            form
        })
    }

    /// The puzzles that wait for their turn, the next one first.
    pub fn waiting(&self) -> impl Iterator<Item = &Puzzle> {
        self.waiting.iter()
    }
}
