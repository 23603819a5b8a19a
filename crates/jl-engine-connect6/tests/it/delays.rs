//! Plans with many stones floating: moves that threaten once, or nothing, put before a win.
//!
//! The searches look for short wins. Here the attacker dawdles: each delay gives the defender a free stone, or two, and the
//! win must stand all the same. Such plans try the bookkeeping of zones far harder than those that are found.

use crate::boards::{clock, empties, sorted};
use crate::minimax::with;
use jl_engine_connect6::attack::{Force, Solver};
use jl_engine_connect6::engine::Turn;
use jl_engine_connect6::plan::{Branch, Plan};
use jl_engine_connect6::verify::{Effort, verify};
use jl_engine_connect6::{Board, Side, Threats};
use std::rc::Rc;

const ATTACKER: Side = Side::First;
const DEFENDER: Side = Side::Second;

pub fn double_win(solver: &mut Solver, board: &mut Board) -> Option<Rc<Plan>> {
    solver.search(board, Force::Double, &mut clock(150)).win()
}

/// A win by double threats after so many single ones.
pub fn delayed(
    solver: &mut Solver,
    board: &mut Board,
    delays: usize,
    rng: &mut fastrand::Rng,
) -> Option<Rc<Plan>> {
    if delays == 0 || board.can_win_now(ATTACKER) {
        return double_win(solver, board);
    }
    for _ in 0..3 {
        let turn = single_threat(board, rng)?;
        let plan = with(board, &turn, ATTACKER, |board| {
            let threats = Threats::of(board, ATTACKER);
            let branches = answers(solver, board, &threats, delays, rng)?;
            Some(Rc::new(Plan::after(board, ATTACKER, turn, threatening(board), branches)))
        });
        if plan.is_some() {
            return plan;
        }
    }
    None
}

/// A win after a turn that threatens nothing.
pub fn quiet(solver: &mut Solver, board: &mut Board, rng: &mut fastrand::Rng) -> Option<Rc<Plan>> {
    let effort = Effort { double: 100, null: 0, seminull: 0, pair: 0 };
    let cells = empties(board);
    let turn = sorted(*rng.choice(&cells)?, *rng.choice(&cells)?);
    if turn[0] == turn[1] {
        return None;
    }
    with(board, &turn, ATTACKER, |board| {
        if board.can_win_now(ATTACKER) {
            return None;
        }
        let verified = verify(solver, board, effort, false, &mut clock(5_000));
        verified.is_lost().then(|| Rc::new(Plan::after(board, ATTACKER, turn, Vec::new(), verified.branches)))
    })
}

pub fn threatening(board: &Board) -> Vec<u16> {
    let k = board.geometry().k;
    board.live(ATTACKER, k - 1).chain(board.live(ATTACKER, k - 2)).collect()
}

/// A turn after which one stone answers all threats, and the defender has none.
fn single_threat(board: &mut Board, rng: &mut fastrand::Rng) -> Option<Turn> {
    let k = board.geometry().k;
    let sharp: Vec<u16> =
        live(board, ATTACKER, k - 3).into_iter().flat_map(|w| board.empties_of(w)).collect();
    let cells = empties(board);
    (0..10).find_map(|_| {
        let (a, b) = (*rng.choice(&sharp)?, *rng.choice(&cells)?);
        let single = a != b
            && with(board, &[a, b], ATTACKER, |board| {
                Threats::of(board, ATTACKER).count() == 1 && !board.can_win_now(DEFENDER)
            });
        single.then(|| sorted(a, b))
    })
}

fn answers(
    solver: &mut Solver,
    board: &mut Board,
    threats: &Threats,
    delays: usize,
    rng: &mut fastrand::Rng,
) -> Option<Vec<Branch>> {
    if rng.bool() {
        // More than the defender can have.
        return floating(solver, board, &threats.cells(), delays, rng);
    }
    let mut branches = Vec::new();
    for &h in threats.singles() {
        branches.extend(floating(solver, board, &[h], delays, rng)?);
    }
    for pair in threats.answers() {
        let plan = with(board, pair, DEFENDER, |board| double_win(solver, board))?;
        branches.push(Branch { stones: pair.to_vec(), floats: 0, plan });
    }
    Some(branches)
}

/// These stones with another that floats, and that other one wherever it might matter.
fn floating(
    solver: &mut Solver,
    board: &mut Board,
    stones: &[u16],
    delays: usize,
    rng: &mut fastrand::Rng,
) -> Option<Vec<Branch>> {
    let plan = with(board, stones, DEFENDER, |board| delayed(solver, board, delays - 1, rng))?;
    let reach = plan.zone.reach(board.geometry());
    let mut branches = vec![Branch { stones: stones.to_vec(), floats: 1, plan }];
    for t in empties(board).into_iter().filter(|t| reach.contains(*t) && !stones.contains(t)) {
        let stones = [stones, &[t]].concat();
        let plan = with(board, &stones, DEFENDER, |board| double_win(solver, board))?;
        branches.push(Branch { stones, floats: 0, plan });
    }
    Some(branches)
}

/// The windows that hold exactly so many of the side's stones and none of the other's.
fn live(board: &Board, side: Side, stones: usize) -> Vec<u16> {
    (0..board.geometry().windows() as u16).filter(|&w| board.stones_in(w, side) == Some(stones)).collect()
}
