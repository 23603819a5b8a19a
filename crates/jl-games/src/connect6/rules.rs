//! Which games Connect(m, n, k, p, q) there are.

use super::board::{Cell, Position, Stones};
use super::zobrist::{self, MAX_SIDE};
use crate::square::D4;
use jl_value::{Outcome, Player};
use std::fmt;

/// The rules Connect(m, n, k, p, q): on a board of m columns and n rows, k or more in a row win; a turn has p stones,
/// the first player's first turn q. A full board without a row is a draw.
///
/// A turn is cut short by the end of the game: by the last cell, and by a stone that completes a row, after which
/// the player need not put the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Connect {
    columns: u8,
    rows: u8,
    k: u8,
    p: u8,
    q: u8,
}

/// There is no such game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadRules {
    #[error("a board of {columns}×{rows}: each side must be 1 to {MAX_SIDE}")]
    Size { columns: u8, rows: u8 },
    #[error("{k} in a row: on this board it must be 2 to {longest}")]
    Row { k: u8, longest: u8 },
    #[error("{p} stones per turn: it must be 1 or 2")]
    Turn { p: u8 },
    #[error("{q} stones in the first turn: it must be 1 or 2")]
    FirstTurn { q: u8 },
}

impl Connect {
    /// Connect6: six in a row on 19×19, two stones per turn, one in the first.
    pub const CONNECT6: Connect = Connect { columns: 19, rows: 19, k: 6, p: 2, q: 1 };

    pub const fn new(columns: u8, rows: u8, k: u8, p: u8, q: u8) -> Result<Connect, BadRules> {
        let longest = if columns > rows { columns } else { rows };
        if columns == 0 || rows == 0 || longest as usize > MAX_SIDE {
            return Err(BadRules::Size { columns, rows });
        }
        if k < 2 || k > longest {
            return Err(BadRules::Row { k, longest });
        }
        if p != 1 && p != 2 {
            return Err(BadRules::Turn { p });
        }
        if q != 1 && q != 2 {
            return Err(BadRules::FirstTurn { q });
        }
        Ok(Connect { columns, rows, k, p, q })
    }

    #[must_use]
    pub const fn columns(&self) -> usize {
        self.columns as usize
    }

    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows as usize
    }

    /// How many in a row win.
    #[must_use]
    pub const fn k(&self) -> usize {
        self.k as usize
    }

    /// Stones per turn.
    #[must_use]
    pub const fn p(&self) -> usize {
        self.p as usize
    }

    /// Stones in the first turn.
    #[must_use]
    pub const fn q(&self) -> usize {
        self.q as usize
    }

    /// The number of cells.
    #[must_use]
    pub const fn area(&self) -> usize {
        self.columns() * self.rows()
    }

    /// The cell at a column and a row, both from 0, rows from the bottom. `None` off the board.
    #[must_use]
    pub const fn cell(&self, x: usize, y: usize) -> Option<Cell> {
        if x < self.columns() && y < self.rows() { Cell::new(x + self.columns() * y) } else { None }
    }

    /// Column and row of a cell, from 0.
    #[must_use]
    pub const fn coordinates(&self, cell: Cell) -> (usize, usize) {
        (cell.index() % self.columns(), cell.index() / self.columns())
    }

    /// Every cell, row by row from the bottom.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + Clone + use<> {
        (0..self.area()).filter_map(Cell::new)
    }

    /// The cells without a stone.
    pub fn empty_cells<'a>(&self, position: &'a Position) -> impl Iterator<Item = Cell> + Clone + use<'a> {
        self.cells().filter(|&cell| position.holder(cell).is_none())
    }

    /// How many stones the turn of `position` has, 0 on a full board.
    #[must_use]
    pub fn stones_due(&self, position: &Position) -> usize {
        self.due_after(position.played())
    }

    pub(super) fn due_after(&self, played: usize) -> usize {
        let turn = if played == 0 { self.q() } else { self.p() };
        turn.min(self.area().saturating_sub(played))
    }

    pub(super) fn ending(&self, position: &Position) -> Option<Outcome> {
        let full = || (position.played() == self.area()).then_some(Outcome::Draw);
        position.winner.map(Outcome::win_of).or_else(full)
    }

    /// Whether a row of at least k of these stones goes through `cell`, which is taken to be one of them.
    #[must_use]
    pub fn is_in_row(&self, stones: &Stones, cell: Cell) -> bool {
        let (x, y) = self.coordinates(cell);
        let (left, right) = (x, self.columns() - 1 - x);
        let (below, above) = (y, self.rows() - 1 - y);
        // Per direction: the step between cells, and how many there are behind and ahead.
        let lines = [
            (1, left, right),
            (self.columns(), below, above),
            (self.columns() + 1, left.min(below), right.min(above)),
            (self.columns() - 1, right.min(below), left.min(above)),
        ];
        let has = |index: usize| Cell::new(index).is_some_and(|c| stones.contains(c));
        lines.into_iter().any(|(step, behind, ahead)| {
            let back = (1..=behind).take_while(|n| has(cell.index() - n * step)).count();
            let forth = (1..=ahead).take_while(|n| has(cell.index() + n * step)).count();
            1 + back + forth >= self.k()
        })
    }

    /// A position that need not arise in play, as analyses and tests want them. The error says what can't be.
    pub fn set_up(&self, first: &[Cell], second: &[Cell], to_move: Player) -> Result<Position, String> {
        let mut position = Position::EMPTY;
        for (player, cells) in [(Player::First, first), (Player::Second, second)] {
            for &cell in cells {
                self.check_free(&position, cell)?;
                self.put(&mut position, player, cell);
            }
        }
        let has_row = |p| position.stones(p).iter().any(|cell| self.is_in_row(position.stones(p), cell));
        position.winner = match (has_row(Player::First), has_row(Player::Second)) {
            (true, true) => return Err("both players have a row".into()),
            (true, false) => Some(Player::First),
            (false, true) => Some(Player::Second),
            (false, false) => None,
        };
        if to_move == Player::Second {
            self.pass_turn(&mut position);
        }
        Ok(position)
    }

    pub(super) fn check_free(&self, position: &Position, cell: Cell) -> Result<(), String> {
        if cell.index() >= self.area() {
            return Err(format!("cell {} is off the board", cell.index()));
        }
        match position.holder(cell) {
            None => Ok(()),
            Some(player) => {
                Err(format!("{} is occupied by {}", self.name_of(cell), crate::marks::letter(player)))
            }
        }
    }

    /// Puts a stone on a free cell.
    pub(super) fn put(&self, position: &mut Position, player: Player, cell: Cell) {
        let (x, y) = self.coordinates(cell);
        position.stones[player as usize].insert(cell);
        position.played += 1;
        zobrist::toggle_stone(&mut position.keys, player, (self.columns(), self.rows()), x, y);
    }

    pub(super) fn pass_turn(&self, position: &mut Position) {
        position.to_move = position.to_move.opponent();
        zobrist::toggle_mover(&mut position.keys, self.shape_symmetries().len());
    }

    /// The symmetries that keep the board's shape: the first four of [`D4::ALL`] do not transpose.
    pub(super) fn shape_symmetries(&self) -> &'static [D4] {
        if self.columns == self.rows { &D4::ALL } else { &D4::ALL[..4] }
    }

    pub(super) fn image(&self, symmetry: D4, cell: Cell) -> Cell {
        let (x, y) = self.coordinates(cell);
        let (x, y) = if self.columns == self.rows {
            symmetry.map(self.columns(), x, y)
        } else {
            (symmetry.map(self.columns(), x, 0).0, symmetry.map(self.rows(), 0, y).1)
        };
        self.cell(x, y).expect("a symmetry of the board keeps cells on it")
    }
}

impl Default for Connect {
    fn default() -> Connect {
        Connect::CONNECT6
    }
}

impl fmt::Display for Connect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Connect { columns, rows, k, p, q } = self;
        write!(f, "Connect({columns},{rows},{k},{p},{q})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senseless_rules_are_refused() {
        assert_eq!(Connect::new(19, 19, 6, 2, 1), Ok(Connect::CONNECT6));
        assert_eq!(Connect::new(20, 3, 3, 2, 1), Err(BadRules::Size { columns: 20, rows: 3 }));
        assert_eq!(Connect::new(3, 0, 3, 2, 1), Err(BadRules::Size { columns: 3, rows: 0 }));
        assert_eq!(Connect::new(5, 4, 6, 2, 1), Err(BadRules::Row { k: 6, longest: 5 }));
        assert_eq!(Connect::new(5, 4, 1, 2, 1), Err(BadRules::Row { k: 1, longest: 5 }));
        assert_eq!(Connect::new(5, 4, 4, 3, 1), Err(BadRules::Turn { p: 3 }));
        assert_eq!(
            Connect::new(5, 4, 4, 2, 0).unwrap_err().to_string(),
            "0 stones in the first turn: it must be 1 or 2"
        );
        assert_eq!(Connect::CONNECT6.to_string(), "Connect(19,19,6,2,1)");
    }

    #[test]
    fn the_transposing_symmetries_are_the_last_four() {
        let transposes = |s: &D4| s.map(5, 1, 2).0 == 2;
        assert_eq!(D4::ALL.iter().map(transposes).collect::<Vec<_>>(), [[false; 4], [true; 4]].concat());
    }
}
