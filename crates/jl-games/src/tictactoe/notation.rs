//! Squares and boards as people write them.

use super::{BOARD, Position};
use crate::marks::{describe, letter};
use jl_value::Player;
use std::fmt::{self, Write};

/// A square, and the move that takes it. Numbered as the bits of a [`Position`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Square(pub(super) u8);

impl Square {
    /// `None` beyond the ninth square.
    #[must_use]
    pub fn new(index: usize) -> Option<Square> {
        (index < 9).then_some(Square(index as u8))
    }

    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    #[must_use]
    pub fn bit(self) -> u16 {
        1 << self.0
    }

    /// The squares of a mask, in the order of their numbers.
    pub fn all_of(mask: u16) -> impl Iterator<Item = Square> {
        let mut rest = mask & BOARD;
        std::iter::from_fn(move || {
            let square = Square(rest.trailing_zeros() as u8);
            (rest != 0).then(|| {
                rest &= rest - 1;
                square
            })
        })
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 % 3), self.0 / 3 + 1)
    }
}

/// The error says what is wrong with the text.
pub(super) fn parse(text: &str) -> Result<Square, String> {
    let mut letters = text.chars();
    let (Some(column), Some(row), None) = (letters.next(), letters.next(), letters.next()) else {
        return Err("expected a column a to c and a row 1 to 3, like b2".into());
    };
    let column = match column.to_ascii_lowercase() {
        c @ 'a'..='c' => c as u8 - b'a',
        'd'..='z' => return Err(format!("column {column} is off the board (a to c)")),
        _ => return Err(format!("expected a column a to c, read '{column}'")),
    };
    match row {
        '1'..='3' => Ok(Square(3 * (row as u8 - b'1') + column)),
        '0'..='9' => Err(format!("row {row} is off the board (1 to 3)")),
        _ => Err(format!("expected a row 1 to 3, read '{row}'")),
    }
}

/// The board with its coordinates, and a line that says who moves or how the game ended.
pub(super) fn draw(position: Position) -> String {
    let mut text = String::new();
    for row in (0..3).rev() {
        let _ = write!(text, "{}", row + 1);
        for column in 0..3 {
            let bit = 1 << (3 * row + column);
            let holder = [Player::First, Player::Second].into_iter().find(|&p| position.stones(p) & bit != 0);
            let _ = write!(text, " {}", holder.map_or('.', letter));
        }
        text.push('\n');
    }
    text.push_str("  a b c\n");
    let _ = match position.outcome() {
        Some(outcome) => writeln!(text, "{}", describe(outcome)),
        None => writeln!(text, "{} to move", letter(position.to_move())),
    };
    text
}
