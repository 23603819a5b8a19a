//! The checker can fail: it rejects plans in which something is wrong.

use crate::boards::{clock, empties, for_boards, for_open_boards};
use crate::checker::Checker;
use crate::rebuild::{Flaw, Map, rebuild, without};
use crate::zones::{ROOMY, add_stones, some_plan};
use jl_engine_connect6::attack::{Force, Solver};
use jl_engine_connect6::plan::Plan;
use jl_engine_connect6::{Board, Side};
use std::rc::Rc;

/// The plan with such zones, tried like any other.
fn tried_with(board: &mut Board, plan: &Plan, flaw: Flaw, rng: &mut fastrand::Rng) -> Result<usize, String> {
    let map = Map::identity(board.geometry());
    let mut seen = if flaw == Flaw::NoLines { without(board, Side::Second) } else { board.clone() };
    let flawed = Rc::new(rebuild(&mut seen, Side::First, plan, &map, flaw));
    if flaw == Flaw::None {
        assert_eq!(flawed.zone, plan.zone, "a plan built anew relies on the same");
    }
    Checker::new(rng.u64(..), &[12, 4, 2]).check(board, Side::First, &flawed)?;
    add_stones(board, &flawed, 10, rng)
}

#[test]
fn zones_that_leave_something_out_are_found_out() {
    let flaws = [Flaw::None, Flaw::NoTurns, Flaw::NoThreats, Flaw::NoLines, Flaw::NoLater, Flaw::NoShift];
    let mut rejected = [0; 6];
    let mut plans = 0;
    for_boards(&ROOMY, 110, 51, |board, rng| {
        let Some((_, plan)) = some_plan(board, rng) else { return };
        plans += 1;
        for (flaw, rejected) in flaws.into_iter().zip(&mut rejected) {
            *rejected += usize::from(tried_with(board, &plan, flaw, rng).is_err());
        }
    });
    println!("{plans} {rejected:?}");
    assert_eq!(rejected[0], 0, "a plan built anew is as good");
    for (flaw, &n) in flaws.iter().zip(&rejected).skip(1) {
        let least = if *flaw == Flaw::NoShift { plans / 50 } else { plans / 10 };
        assert!(n > least, "{flaw:?} found out in {n} plans of {plans}");
    }
}

type Spoil = fn(&mut Plan, &Board, &mut fastrand::Rng);

/// A branch is missing.
fn drop_branch(plan: &mut Plan, _: &Board, rng: &mut fastrand::Rng) {
    plan.branches.remove(rng.usize(..plan.branches.len()));
}

/// A threat is not seen.
fn drop_windows(plan: &mut Plan, _: &Board, _: &mut fastrand::Rng) {
    plan.windows.truncate(plan.windows.len() / 2);
}

/// The attacker plays elsewhere.
fn play_elsewhere(plan: &mut Plan, board: &Board, rng: &mut fastrand::Rng) {
    let cells = empties(board);
    plan.turn[rng.usize(..2)] = cells[rng.usize(..cells.len())];
}

#[test]
fn plans_that_leave_a_reply_out_are_found_out() {
    let spoils: [(Spoil, &str); 3] =
        [(drop_branch, "drop a branch"), (drop_windows, "drop windows"), (play_elsewhere, "play elsewhere")];
    let mut tried = [0; 3];
    let mut rejected = [0; 3];
    for_open_boards(60, 53, |board, rng| {
        let mut solver = Solver::new(Side::First, 1 << 18);
        let Some(plan) = solver.search(board, Force::Double, &mut clock(300)).win() else { return };
        for (i, (spoil, _)) in spoils.iter().enumerate() {
            if plan.branches.is_empty() {
                continue;
            }
            let mut spoiled = Plan::clone(&plan);
            spoil(&mut spoiled, board, rng);
            tried[i] += 1;
            rejected[i] += usize::from(Checker::thorough().check(board, Side::First, &spoiled).is_err());
        }
    });
    println!("{tried:?} {rejected:?}");
    for (i, (_, name)) in spoils.iter().enumerate() {
        assert!(tried[i] > 30 && rejected[i] * 10 > tried[i] * 8, "{name}: {} of {}", rejected[i], tried[i]);
    }
}
