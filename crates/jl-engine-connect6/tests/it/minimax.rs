//! The truth on small boards: minimax over every legal turn.
//!
//! A line that can be completed is completed, and one that the other side can complete is hit: anything else loses at once.
//! Of the cells in no live window of either side, which are all the same, two are tried.

use jl_engine_connect6::{Board, Side};
use std::collections::HashMap;

/// More positions than may be looked at: nothing is known.
#[derive(Clone, Copy, Debug)]
pub struct TooMany;

/// Remembers who wins.
pub struct Minimax {
    known: HashMap<(u128, Side), bool>,
    left: usize,
}

impl Minimax {
    /// Looks at no more than so many positions.
    pub fn new(positions: usize) -> Minimax {
        Minimax { known: HashMap::new(), left: positions }
    }

    /// Whether the side to move, with two stones a turn, can force k in a row.
    pub fn wins(&mut self, board: &mut Board, mover: Side) -> Result<bool, TooMany> {
        if board.can_win_now(mover) {
            return Ok(true);
        }
        if let Some(&known) = self.known.get(&(board.key(), mover)) {
            return Ok(known);
        }
        self.left = self.left.checked_sub(1).ok_or(TooMany)?;
        let result = self.has_winning_turn(board, mover)?;
        self.known.insert((board.key(), mover), result);
        Ok(result)
    }

    fn has_winning_turn(&mut self, board: &mut Board, mover: Side) -> Result<bool, TooMany> {
        let g = board.geometry();
        if (0..g.windows() as u16).all(|w| board.stones_in(w, mover).is_none()) {
            return Ok(false);
        }
        let mut turns = turns_that_hit(board, mover.opponent());
        let worth =
            |c: u16| g.through(c).iter().filter_map(|&w| board.stones_in(w, mover)).map(|n| 1 << (2 * n));
        turns.sort_by_cached_key(|t| -t.iter().flat_map(|&c| worth(c)).sum::<i32>());
        for turn in turns {
            if with(board, &turn, mover, |board| self.loses(board, mover.opponent()))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the side to move loses whatever it plays. A full board is a draw.
    pub fn loses(&mut self, board: &mut Board, mover: Side) -> Result<bool, TooMany> {
        if board.can_win_now(mover) || board.placed() == board.geometry().cells() {
            return Ok(false);
        }
        for turn in turns_that_hit(board, mover.opponent()) {
            if !self.loses_by(board, mover, &turn)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether this turn loses.
    pub fn loses_by(&mut self, board: &mut Board, mover: Side, turn: &[u16]) -> Result<bool, TooMany> {
        with(board, turn, mover, |board| Ok(!board.has_won(mover) && self.wins(board, mover.opponent())?))
    }
}

fn empties(board: &Board) -> Vec<u16> {
    (0..board.geometry().cells() as u16).filter(|&c| board.is_empty(c)).collect()
}

/// Every legal turn.
pub fn turns(board: &Board) -> Vec<Vec<u16>> {
    pairs(&empties(board))
}

fn pairs(cells: &[u16]) -> Vec<Vec<u16>> {
    let mut turns: Vec<Vec<u16>> = Vec::new();
    for (i, &a) in cells.iter().enumerate() {
        turns.extend(cells[i + 1..].iter().map(|&b| vec![a, b]));
    }
    if cells.len() == 1 {
        turns.push(cells.to_vec());
    }
    turns
}

/// The turns that leave `side` no line to complete at once.
fn turns_that_hit(board: &Board, side: Side) -> Vec<Vec<u16>> {
    let g = board.geometry();
    let mut dead = 0;
    let mut cells = empties(board);
    cells.retain(|&c| {
        let live = |s| g.through(c).iter().any(|&w| board.stones_in(w, s).is_some());
        dead += usize::from(!live(Side::First) && !live(Side::Second));
        live(Side::First) || live(Side::Second) || dead <= 2
    });
    let mut turns = pairs(&cells);
    for w in board.live(side, g.k - 1).chain(board.live(side, g.k - 2)) {
        turns.retain(|t| t.iter().any(|c| g.cells_of(w).contains(c)));
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
