//! Wins that begin with a quiet move: one that threatens nothing at once, and to which every reply loses.
//!
//! The best-looking turns are given to the verifier in order. A reply that saved the defender from one of them is the first
//! to be tried against the next.

use crate::attack::{Solver, put, take};
use crate::board::Board;
use crate::candidates::{together, worth};
use crate::engine::Turn;
use crate::limits::Clock;
use crate::plan::Plan;
use crate::threats::Threats;
use crate::verify::{Effort, verify_first};
use std::rc::Rc;

/// Looks for such a win of `solver`'s attacker, who is to move with two stones, among the best `most` quiet turns.
pub fn quiet_win(
    solver: &mut Solver,
    board: &mut Board,
    effort: Effort,
    most: usize,
    clock: &mut Clock,
) -> Option<Rc<Plan>> {
    let attacker = solver.attacker();
    let mut defences: Vec<Turn> = Vec::new();
    for turn in turns(solver, board, most) {
        if clock.is_over() {
            return None;
        }
        put(board, &turn, attacker);
        let verified = verify_first(solver, board, effort, &defences, false, clock);
        let plan = verified
            .is_lost()
            .then(|| Plan::after(board, attacker, turn, verified.windows.clone(), verified.branches.clone()));
        take(board, &turn, attacker);
        if plan.is_some() {
            return plan.map(Rc::new);
        }
        if let Some(&saved) = verified.open.iter().flatten().next() {
            defences.retain(|&d| d != saved);
            defences.insert(0, saved);
            defences.truncate(KILLERS);
        }
    }
    None
}

/// Replies that are tried first.
const KILLERS: usize = 6;
/// Cells of which turns are made.
const CELLS: usize = 40;

/// The quiet turns that answer the defender's threats, the most promising first.
fn turns(solver: &Solver, board: &Board, most: usize) -> Vec<Turn> {
    let attacker = solver.attacker();
    let inverted = Threats::of(board, attacker.opponent());
    let mut cells: Vec<(i32, u16)> = (0..board.geometry().cells() as u16)
        .filter(|&c| board.is_empty(c))
        .map(|c| (-worth(board, attacker, c), c))
        .collect();
    cells.sort_unstable();
    cells.truncate(CELLS);
    let mut turns: Vec<(i32, Turn)> = Vec::new();
    for (i, &(x, a)) in cells.iter().enumerate() {
        for &(y, b) in &cells[i + 1..] {
            if inverted.answered_by(a, b) {
                turns.push((x + y - together(board, attacker, a, b), [a.min(b), a.max(b)]));
            }
        }
    }
    turns.sort_unstable();
    turns.truncate(most);
    turns.into_iter().map(|(_, turn)| turn).collect()
}
