//! What a part of the work came to, and whether that can be.

use crate::solver::solutions;
use crate::{Algorithm, Grid, Puzzle, check};
use serde::{Deserialize, Serialize};
use std::fmt;

/// More seconds than any part of the work may take: a year.
const MOST_SECONDS: f64 = 366.0 * 24.0 * 3600.0;

/// What was found in some grids.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Answer {
    pub grids: usize,
    pub puzzles: Vec<String>,
    pub nodes: u64,
    /// Of each grid, so that one can be looked at again.
    pub nodes_per_grid: Vec<u64>,
    /// Of the processor, as far as the system tells them, so that other programs on the machine disturb less.
    pub seconds: f64,
    /// Of the grids and their puzzles: the same whoever looks for them, in whatever way.
    pub checksum: String,
    /// Of the nodes of each level of each grid: the same for the same version of the engine.
    pub work: String,
}

impl Answer {
    /// Looks at these grids, one after the other.
    #[must_use]
    pub fn of(grids: &[Grid], clues: usize, algorithm: Algorithm) -> Answer {
        let (mut found, mut work) = (Checksum::of_clues(clues), Checksum::of_clues(clues));
        let mut answer = Answer {
            grids: grids.len(),
            puzzles: vec![],
            nodes: 0,
            nodes_per_grid: vec![],
            seconds: 0.0,
            checksum: String::new(),
            work: String::new(),
        };
        for grid in grids {
            let before = processor_seconds();
            let checked = check(grid, clues, algorithm);
            let time = before.zip(processor_seconds()).map(|(before, after)| after - before);
            found.grid(grid, &checked.puzzles);
            checked.nodes_per_level.iter().for_each(|nodes| work.number(*nodes));
            answer.nodes += checked.nodes();
            answer.nodes_per_grid.push(checked.nodes());
            answer.seconds += time.unwrap_or_else(|| checked.seconds());
            answer.puzzles.extend(checked.puzzles.iter().map(ToString::to_string));
        }
        answer.seconds = (answer.seconds * 1e6).round() / 1e6;
        (answer.checksum, answer.work) = (found.to_string(), work.to_string());
        answer
    }

    /// Why this can't be the answer for so many clues and grids, if it can't. The grids themselves are asked for only where
    /// there are puzzles: each must be the only solution of its own.
    pub fn check(&self, clues: usize, count: u64, grids: impl FnOnce() -> Vec<Grid>) -> Result<(), String> {
        if self.grids as u64 != count {
            return Err(format!("it is about {} grids, not {count}", self.grids));
        }
        if !(0.0..=MOST_SECONDS).contains(&self.seconds) {
            return Err(format!("it took {} seconds", self.seconds));
        }
        for sum in [&self.checksum, &self.work] {
            if sum.len() != 16 || !sum.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
                return Err(format!("'{}' is no checksum", sum.chars().take(40).collect::<String>()));
            }
        }
        let sum = self.nodes_per_grid.iter().try_fold(0u64, |sum, nodes| sum.checked_add(*nodes));
        if self.nodes_per_grid.len() != self.grids || sum != Some(self.nodes) {
            return Err(format!("its nodes, {}, are not those of {count} grids", self.nodes));
        }
        if self.puzzles.is_empty() { Ok(()) } else { self.check_puzzles(clues, &grids()) }
    }

    /// The puzzles must be those of the grids, in order, and their checksum must be right.
    fn check_puzzles(&self, clues: usize, grids: &[Grid]) -> Result<(), String> {
        let mut left = self.puzzles.iter().map(|text| solved(text, clues)).peekable();
        let mut sum = Checksum::of_clues(clues);
        for grid in grids {
            let mut of_grid: Vec<Puzzle> = vec![];
            while let Some(Ok((puzzle, _))) = left.next_if(|next| matches!(next, Ok((_, it)) if it == grid)) {
                of_grid.push(puzzle);
            }
            if let Some(pair) = of_grid.windows(2).find(|pair| pair[0] >= pair[1]) {
                return Err(format!("'{}' is there twice, or out of order", pair[1]));
            }
            sum.grid(grid, &of_grid);
        }
        match left.next() {
            Some(Ok((puzzle, _))) => Err(format!("'{puzzle}' is no puzzle of these grids, or out of order")),
            Some(Err(why)) => Err(why),
            None if sum.to_string() != self.checksum => Err("its checksum is not that of its puzzles".into()),
            None => Ok(()),
        }
    }
}

/// A puzzle with so many clues, and its only solution.
fn solved(text: &str, clues: usize) -> Result<(Puzzle, Grid), String> {
    let shown: String = text.chars().take(100).collect();
    let puzzle: Puzzle = text.parse().map_err(|e| format!("{e}: '{shown}'"))?;
    match solutions(&puzzle, 2)[..] {
        [solution] if puzzle.clues().len() == clues => Ok((puzzle, solution)),
        _ => Err(format!("'{shown}' is no puzzle with {clues} clues and one solution")),
    }
}

/// The time that this thread has run, on Linux.
#[must_use]
pub fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(stat.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// FNV-1a: the same on every machine.
#[derive(Clone)]
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Checksum {
        Checksum(0xcbf2_9ce4_8422_2325)
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Checksum {
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    fn of_clues(clues: usize) -> Checksum {
        let mut sum = Checksum::default();
        sum.number(clues as u64);
        sum
    }

    fn grid(&mut self, grid: &Grid, puzzles: &[Puzzle]) {
        self.bytes(grid.digits());
        self.number(puzzles.len() as u64);
        puzzles.iter().for_each(|puzzle| self.bytes(puzzle.digits()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_grids;

    #[test]
    fn an_answer_that_can_be_is_taken_and_any_lie_that_shows_is_not() {
        let grids: Vec<Grid> = random_grids(4).take(3).collect();
        let answer = Answer::of(&grids[..2], 80, Algorithm::Fast);
        let check = |answer: &Answer| answer.check(80, 2, || grids[..2].to_vec());
        assert_eq!(check(&answer), Ok(()));
        let other = Answer::of(&grids[2..], 80, Algorithm::Fast).puzzles;
        type Lie<'a> = &'a dyn Fn(&mut Answer);
        let lies: [(&str, Lie); 14] = [
            ("it is about 3 grids, not 2", &|a| a.grids = 3),
            ("NaN seconds", &|a| a.seconds = f64::NAN),
            ("-1 seconds", &|a| a.seconds = -1.0),
            ("seconds", &|a| a.seconds = 1e300),
            ("'beef' is no checksum", &|a| a.checksum = "beef".into()),
            ("is no checksum", &|a| a.work = "0123456789ABCDEF".into()),
            ("not those of 2 grids", &|a| a.nodes += 1),
            ("not those of 2 grids", &|a| a.nodes_per_grid = vec![a.nodes]),
            ("not those of 2 grids", &|a| a.nodes_per_grid = vec![u64::MAX; 2]),
            ("no puzzle of these grids", &|a| a.puzzles[3] = other[3].clone()),
            ("is there twice", &|a| a.puzzles[3] = a.puzzles[2].clone()),
            ("with 80 clues and one solution", &|a| a.puzzles[0].replace_range(..2, "..")),
            ("is not that of its puzzles", &|a| drop(a.puzzles.pop())),
            ("81 characters", &|a| a.puzzles[1] = "nonsense".into()),
        ];
        for (expected, lie) in lies {
            let mut lying = answer.clone();
            lie(&mut lying);
            let why = check(&lying).expect_err(expected);
            assert!(why.contains(expected), "{why} instead of {expected}");
        }
    }
}
