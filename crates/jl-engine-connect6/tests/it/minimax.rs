//! The truth on small boards: plain minimax over every legal turn.

use jl_engine_connect6::{Board, Geometry, Side};
use std::collections::HashMap;

/// Remembers who wins.
#[derive(Default)]
pub struct Minimax {
    known: HashMap<(u128, Side), bool>,
}

impl Minimax {
    /// Whether the side to move, with two stones a turn, can force k in a row.
    pub fn wins(&mut self, board: &mut Board, mover: Side) -> bool {
        if let Some(&known) = self.known.get(&(board.key(), mover)) {
            return known;
        }
        let result = turns(board).iter().any(|turn| {
            with(board, turn, mover, |board| board.has_won(mover) || self.loses(board, mover.opponent()))
        });
        self.known.insert((board.key(), mover), result);
        result
    }

    /// Whether the side to move loses whatever it plays. A full board is a draw.
    pub fn loses(&mut self, board: &mut Board, mover: Side) -> bool {
        let turns = turns(board);
        !turns.is_empty() && turns.iter().all(|turn| self.loses_by(board, mover, turn))
    }

    /// Whether this turn loses.
    pub fn loses_by(&mut self, board: &mut Board, mover: Side, turn: &[u16]) -> bool {
        with(board, turn, mover, |board| !board.has_won(mover) && self.wins(board, mover.opponent()))
    }
}

/// Every legal turn.
pub fn turns(board: &Board) -> Vec<Vec<u16>> {
    let cells: Vec<u16> = (0..board.geometry().cells() as u16).filter(|&c| board.is_empty(c)).collect();
    let mut turns: Vec<Vec<u16>> = Vec::new();
    for (i, &a) in cells.iter().enumerate() {
        turns.extend(cells[i + 1..].iter().map(|&b| vec![a, b]));
    }
    if cells.len() == 1 {
        turns.push(cells);
    }
    turns
}

pub fn with<'g, T>(
    board: &mut Board<'g>,
    stones: &[u16],
    side: Side,
    f: impl FnOnce(&mut Board<'g>) -> T,
) -> T {
    stones.iter().for_each(|&c| board.place(c, side));
    let result = f(board);
    stones.iter().for_each(|&c| board.remove(c, side));
    result
}

/// A board with so many empty cells, on which nobody has won.
pub fn random_board<'g>(g: &'g Geometry, empties: usize, rng: &mut fastrand::Rng) -> Option<Board<'g>> {
    let mut cells: Vec<u16> = (0..g.cells() as u16).collect();
    rng.shuffle(&mut cells);
    let mut board = Board::new(g);
    for &c in &cells[empties..] {
        board.place(c, if rng.bool() { Side::First } else { Side::Second });
    }
    (!board.has_won(Side::First) && !board.has_won(Side::Second)).then_some(board)
}
