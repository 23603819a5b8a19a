//! Complete grids and puzzles, as the 81 characters that everybody writes.

use crate::CellSet;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A complete grid: every row, column and box has each of the nine digits once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid([u8; 81]);

/// Why a text is not a complete grid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GridError {
    #[error("a grid has 81 digits, this has {0} characters")]
    Length(usize),
    #[error("{found:?} in row {}, column {} is not a digit from 1 to 9", cell / 9 + 1, cell % 9 + 1)]
    Digit { cell: usize, found: char },
    #[error("{digit} is twice in {house}")]
    Twice { digit: u8, house: House },
}

/// A row, a column or a box, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum House {
    Row(usize),
    Column(usize),
    Box(usize),
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            House::Row(n) => write!(f, "row {n}"),
            House::Column(n) => write!(f, "column {n}"),
            House::Box(n) => write!(f, "box {n}"),
        }
    }
}

impl Grid {
    /// The digits 1 to 9, row by row.
    pub fn new(digits: [u8; 81]) -> Result<Grid, GridError> {
        if let Some(cell) = digits.iter().position(|d| !(1..=9).contains(d)) {
            return Err(GridError::Digit {
                cell,
                found: char::from_digit(digits[cell].into(), 36).unwrap_or('?'),
            });
        }
        let mut seen = [[0u16; 9]; 3];
        for (cell, &digit) in digits.iter().enumerate() {
            let (row, column) = (cell / 9, cell % 9);
            let houses =
                [House::Row(row + 1), House::Column(column + 1), House::Box(row / 3 * 3 + column / 3 + 1)];
            for (seen, house) in seen.iter_mut().zip(houses) {
                let (House::Row(n) | House::Column(n) | House::Box(n)) = house;
                if seen[n - 1] >> digit & 1 == 1 {
                    return Err(GridError::Twice { digit, house });
                }
                seen[n - 1] |= 1 << digit;
            }
        }
        Ok(Grid(digits))
    }

    /// The digits of a grid that is known to be complete.
    pub(crate) fn from_complete(digits: [u8; 81]) -> Grid {
        debug_assert!(Grid::new(digits).is_ok());
        Grid(digits)
    }

    /// The digits 1 to 9, row by row.
    #[must_use]
    pub fn digits(&self) -> &[u8; 81] {
        &self.0
    }

    /// The puzzle that shows these cells.
    #[must_use]
    pub fn puzzle(&self, clues: CellSet) -> Puzzle {
        let mut digits = [0; 81];
        clues.iter().for_each(|cell| digits[cell] = self.0[cell]);
        Puzzle(digits)
    }
}

impl FromStr for Grid {
    type Err = GridError;

    fn from_str(text: &str) -> Result<Grid, GridError> {
        let mut digits = [0; 81];
        let length = text.chars().count();
        if length != 81 {
            return Err(GridError::Length(length));
        }
        for (cell, found) in text.chars().enumerate() {
            digits[cell] = match found {
                '1'..='9' => found as u8 - b'0',
                _ => return Err(GridError::Digit { cell, found }),
            };
        }
        Grid::new(digits)
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().try_for_each(|d| write!(f, "{d}"))
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Grid({self})")
    }
}

/// Some clues, which may have no, one or many solutions. 0 is an empty cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Puzzle([u8; 81]);

/// Why a text is not a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PuzzleError {
    #[error("a puzzle has 81 characters, this has {0}")]
    Length(usize),
    #[error("{found:?} in row {}, column {} is neither a digit nor . for an empty cell", cell / 9 + 1, cell % 9 + 1)]
    Character { cell: usize, found: char },
}

impl Puzzle {
    /// The digits 1 to 9, row by row, with 0 for an empty cell.
    pub(crate) fn from_digits(digits: [u8; 81]) -> Puzzle {
        debug_assert!(digits.iter().all(|digit| *digit <= 9));
        Puzzle(digits)
    }

    /// The digits, 0 for an empty cell.
    #[must_use]
    pub fn digits(&self) -> &[u8; 81] {
        &self.0
    }

    /// The cells that are not empty.
    #[must_use]
    pub fn clues(&self) -> CellSet {
        (0..81).filter(|&cell| self.0[cell] != 0).collect()
    }
}

impl FromStr for Puzzle {
    type Err = PuzzleError;

    fn from_str(text: &str) -> Result<Puzzle, PuzzleError> {
        let length = text.chars().count();
        if length != 81 {
            return Err(PuzzleError::Length(length));
        }
        let mut digits = [0; 81];
        for (cell, found) in text.chars().enumerate() {
            digits[cell] = match found {
                '1'..='9' => found as u8 - b'0',
                '.' | '0' => 0,
                _ => return Err(PuzzleError::Character { cell, found }),
            };
        }
        Ok(Puzzle(digits))
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().try_for_each(|&d| if d == 0 { f.write_str(".") } else { write!(f, "{d}") })
    }
}

impl fmt::Debug for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Puzzle({self})")
    }
}
