//! Stones of the defender's outside a zone, as many as float, do not spoil the plan.

use crate::boards::{Open, building_cell, clock, empties, for_boards, random_pair, sorted, stones};
use crate::checker::Checker;
use crate::delays::{delayed, double_win, quiet};
use crate::minimax::with;
use jl_engine_connect6::attack::{Force, Found, Solver};
use jl_engine_connect6::engine::Turn;
use jl_engine_connect6::plan::{Branch, Plan};
use jl_engine_connect6::sets::CellSet;
use jl_engine_connect6::{Board, Side};
use std::rc::Rc;

pub const ROOMY: [Open; 6] = [
    Open { columns: 9, rows: 9, k: 5, part: 6, density: 0.15 },
    Open { columns: 9, rows: 9, k: 6, part: 6, density: 0.3 },
    Open { columns: 11, rows: 11, k: 6, part: 8, density: 0.2 },
    Open { columns: 13, rows: 13, k: 6, part: 9, density: 0.2 },
    Open { columns: 19, rows: 19, k: 6, part: 9, density: 0.15 },
    Open { columns: 19, rows: 19, k: 5, part: 6, density: 0.15 },
];

/// Adds one or two stones that the zone allows and plays the plan, so many times; how many could be added.
pub fn add_stones(
    board: &mut Board,
    plan: &Rc<Plan>,
    times: usize,
    rng: &mut fastrand::Rng,
) -> Result<usize, String> {
    let g = board.geometry();
    let reach = plan.zone.reach(g);
    let outside: Vec<u16> = empties(board).into_iter().filter(|&c| !reach.contains(c)).collect();
    let mut lines = Lines { cells: CellSet::default(), left: 2_000 };
    lines.collect(board, plan);
    let dangerous: Vec<u16> = outside.iter().copied().filter(|&c| lines.cells.contains(c)).collect();
    let mut checker = Checker::new(rng.u64(..), &[8, 4, 2, 2]);
    let mut added = 0;
    for _ in 0..times {
        let Some(pair) = stones_to_add(board, &outside, &dangerous, rng) else { continue };
        let floats = if pair[0] == pair[1] { 1 } else { 2 };
        let branches = [Branch { stones: Vec::new(), floats, plan: plan.clone() }];
        if branches[0].covers(g, pair, &[]) {
            checker.check_reply(board, Side::First, pair, &branches)?;
            added += 1;
        }
    }
    Ok(added)
}

/// Where the defender gets three stones of six, or the like, at some turn of a plan.
struct Lines {
    cells: CellSet,
    /// Turns still to be looked at.
    left: usize,
}

impl Lines {
    fn collect(&mut self, board: &mut Board, plan: &Plan) {
        if self.left == 0 || stones(&plan.turn).iter().any(|&c| !board.is_empty(c)) {
            return;
        }
        self.left -= 1;
        with(board, stones(&plan.turn), Side::First, |board| {
            let g = board.geometry();
            for w in (0..g.windows() as u16).filter(|&w| board.stones_in(w, Side::Second) == Some(g.k - 3)) {
                board.empties_of(w).for_each(|c| self.cells.insert(c));
            }
            for b in &plan.branches {
                with(board, &b.stones, Side::Second, |board| self.collect(board, &b.plan));
            }
        });
    }
}

/// One stone or two, that build a line now or that will once the defender has answered.
fn stones_to_add(
    board: &mut Board,
    outside: &[u16],
    dangerous: &[u16],
    rng: &mut fastrand::Rng,
) -> Option<Turn> {
    match rng.u8(..4) {
        0 => building_cell(board, Side::Second, outside, rng).map(|c| [c, c]),
        1 if !dangerous.is_empty() => {
            let (s, t) = (*rng.choice(dangerous)?, *rng.choice(outside)?);
            Some(sorted(s, if rng.bool() { s } else { t }))
        }
        _ => random_pair(board, Side::Second, outside, rng),
    }
}

/// A plan, and how many delays it has: 9 for one that begins with a turn that threatens nothing.
pub fn some_plan(board: &mut Board, rng: &mut fastrand::Rng) -> Option<(usize, Rc<Plan>)> {
    let mut solver = Solver::new(Side::First, 1 << 18);
    let Some(plan) = double_win(&mut solver, board) else {
        if rng.u8(..6) > 0 {
            return None;
        }
        let found = solver.search(board, Force::Single, &mut clock(200));
        return if let Found::Win(plan) = found { Some((1, plan)) } else { None };
    };
    match rng.usize(..8) {
        0 => Some((0, plan)),
        1..4 => Some((1, delayed(&mut solver, board, 1, rng)?)),
        4..7 => Some((2, delayed(&mut solver, board, 2, rng)?)),
        _ => (0..4).find_map(|_| quiet(&mut solver, board, rng)).map(|plan| (9, plan)),
    }
}

#[test]
fn stones_outside_the_zone_do_not_spoil_a_plan() {
    let mut plans = [0; 10];
    let mut added = [0; 10];
    for_boards(&ROOMY, 250, 31, |board, rng| {
        if let Some((delays, plan)) = some_plan(board, rng) {
            Checker::new(rng.u64(..), &[20, 6, 3, 2]).check(board, Side::First, &plan).unwrap();
            plans[delays] += 1;
            added[delays] += add_stones(board, &plan, 30, rng).unwrap();
        }
    });
    println!("{plans:?} {added:?}");
    assert!(plans[0] > 50 && plans[1] > 100 && plans[2] > 50 && plans[9] > 3, "plans by delays: {plans:?}");
    assert!(added.iter().sum::<usize>() > 3_000 && added[2] > 100, "stones added by delays: {added:?}");
}

#[test]
fn a_line_that_is_completed_is_in_the_zone() {
    let mut added = 0;
    for_boards(&ROOMY, 20, 33, |board, rng| {
        while !board.can_win_now(Side::First) {
            let cells = empties(board);
            let Some(c) = building_cell(board, Side::First, &cells, rng) else { return };
            board.place(c, Side::First);
        }
        let found = Solver::new(Side::First, 1 << 16).search(board, Force::Double, &mut clock(10));
        added += add_stones(board, &found.win().expect("a line to complete"), 30, rng).unwrap();
    });
    assert!(added > 1_000, "{added} stones added");
}

#[test]
fn many_stones_float_in_longer_lines_too() {
    // Five stones that float make a line of seven, with the two of a turn, where the defender has none yet.
    let sort = Open { columns: 16, rows: 16, k: 7, part: 10, density: 0.35 };
    let (mut plans, mut added) = (0, 0);
    for_boards(&[sort], 25, 61, |board, rng| {
        let mut solver = Solver::new(Side::First, 1 << 18);
        if double_win(&mut solver, board).is_none() {
            return;
        }
        for delays in [3, 4] {
            if let Some(plan) = delayed(&mut solver, board, delays, rng) {
                plans += 1;
                added += add_stones(board, &plan, 100, rng).unwrap();
            }
        }
    });
    println!("{plans} {added}");
    assert!(plans > 3 && added > 100, "{plans} plans, {added} stones added");
}
