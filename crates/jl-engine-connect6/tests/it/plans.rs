//! Plans on boards too large for minimax, played out.

use crate::boards::{OPEN, Open, building_cell, clock, empties, for_boards, for_open_boards};
use crate::checker::Checker;
use crate::distilled;
use crate::minimax::turns;
use crate::rebuild::Map;
use jl_engine_connect6::attack::{Force, Found, Solver};
use jl_engine_connect6::plan::Kind;
use jl_engine_connect6::quiet::quiet_win;
use jl_engine_connect6::verify::{Effort, verify};
use jl_engine_connect6::{Geometry, Side};

#[test]
fn a_plan_wins_against_every_reply() {
    let (mut double, mut single) = (0, 0);
    let mut checker = Checker::new(1, &[usize::MAX, 10, 3, 2]);
    for_open_boards(60, 3, |board, _| {
        let mut solver = Solver::new(Side::First, 1 << 18);
        let mut found = solver.search(board, Force::Double, &mut clock(500));
        if !matches!(found, Found::Win(_)) {
            found = solver.search(board, Force::Single, &mut clock(500));
        }
        if let Found::Win(plan) = found {
            checker.check(board, Side::First, &plan).unwrap();
            *if plan.kind == Kind::Double { &mut double } else { &mut single } += 1;
        }
    });
    println!("{double} {single} {}", checker.replies);
    assert!(double > 100, "{double} plans with double threats only");
}

/// Boards on which single threats are often needed.
const SPARSE: [Open; 3] = [
    Open { columns: 9, rows: 9, k: 5, part: 6, density: 0.1 },
    Open { columns: 7, rows: 6, k: 5, part: 7, density: 0.1 },
    Open { columns: 6, rows: 6, k: 5, part: 6, density: 0.2 },
];

#[test]
fn a_plan_with_single_threats_wins_against_every_reply() {
    let mut single = 0;
    let mut checker = Checker::new(1, &[usize::MAX, 10, 3, 2]);
    for_boards(&SPARSE, 1_400, 5, |board, _| {
        let mut solver = Solver::new(Side::First, 1 << 18);
        if let Found::Nothing = solver.search(board, Force::Double, &mut clock(600))
            && let Found::Win(plan) = solver.search(board, Force::Single, &mut clock(600))
        {
            checker.check(board, Side::First, &plan).unwrap();
            single += 1;
        }
    });
    println!("{single} {}", checker.replies);
    assert!(single > 60, "{single} plans with single threats");
}

#[test]
fn a_plan_answers_the_threats_of_the_defender() {
    let mut won = [0, 0];
    let mut checker = Checker::new(5, &[usize::MAX, 10, 3, 2]);
    for_boards(&[SPARSE[0], SPARSE[1], OPEN[1], OPEN[5]], 200, 6, |board, rng| {
        while !board.can_win_now(Side::Second) {
            let cells = empties(board);
            let Some(c) = building_cell(board, Side::Second, &cells, rng) else { return };
            board.place(c, Side::Second);
        }
        let mut solver = Solver::new(Side::First, 1 << 18);
        for (force, won) in [Force::Double, Force::Single].into_iter().zip(&mut won) {
            if let Found::Win(plan) = solver.search(board, force, &mut clock(300)) {
                checker.check(board, Side::First, &plan).unwrap();
                *won += 1;
                return;
            }
        }
    });
    println!("{won:?} {}", checker.replies);
    assert!(won[0] > 50, "{won:?} plans");
}

#[test]
fn the_branches_of_the_verifier_win_against_what_it_does_not_list() {
    let effort = Effort { double: 100, null: 1_000, seminull: 200, pair: 50 };
    let sorts = [OPEN[0], OPEN[2], OPEN[4], SPARSE[0], SPARSE[1], SPARSE[2], SPARSE[2], SPARSE[2]];
    let (mut by_double, mut by_single, mut refuted) = (0, 0, 0_usize);
    let mut checker = Checker::new(2, &[2_000, 4, 2]);
    for_boards(&sorts, 10, 4, |board, _| {
        let mut solver = Solver::new(Side::First, 1 << 18);
        let verified = verify(&mut solver, board, effort, true, &mut clock(10_000));
        let Some(open) = &verified.open else { return };
        refuted += turns(board).len() - open.len();
        checker.check_replies(board, Side::First, open, &verified.windows, &verified.branches).unwrap();
        let floating = verified.branches.iter().filter(|b| b.floats > 0);
        *if floating.map(|b| b.plan.kind).max() == Some(Kind::Single) {
            &mut by_single
        } else {
            &mut by_double
        } += 1;
    });
    println!("{by_double} {by_single} {refuted} {}", checker.replies);
    assert!(by_double > 10 && by_single > 3, "{by_double} by double threats, {by_single} by single ones");
    assert!(refuted > 5_000, "{refuted} replies refuted");
}

#[test]
fn a_quiet_move_that_is_said_to_win_does() {
    let effort = Effort { double: 100, null: 0, seminull: 0, pair: 0 };
    let mut checker = Checker::new(3, &[100, 20, 4, 2]);
    let mut quiet = 0;
    let sorts = [Open { density: 0.03, ..SPARSE[0] }, Open { density: 0.04, part: 9, ..SPARSE[0] }];
    for_boards(&sorts, 300, 7, |board, _| {
        let mut solver = Solver::new(Side::First, 1 << 18);
        if let Found::Win(_) = solver.search(board, Force::Double, &mut clock(300)) {
            return;
        }
        if let Some(plan) = quiet_win(&mut solver, board, effort, 20, &mut clock(3_000)) {
            checker.check(board, Side::First, &plan).unwrap();
            quiet += usize::from(plan.kind == Kind::Quiet);
        }
    });
    println!("{quiet} {}", checker.replies);
    assert!(quiet > 0, "{quiet} wins by quiet moves");
}

#[test]
fn one_threat_that_a_pair_answers_too_is_followed_up() {
    // The threat is answered by one stone or by two others; the attack does not win against all three.
    let g = Geometry::new(6, 6, 5).unwrap();
    let position = distilled::board(&g, "..oo...x.x..........................");
    let mut won = 0;
    for n in 0..8 {
        let mut board = Map::symmetry(&g, n).board(&position, false);
        for nodes in [3_000, 10_000, 30_000] {
            let mut solver = Solver::new(Side::First, 1 << 18);
            if let Found::Win(plan) = solver.search(&mut board, Force::Single, &mut clock(nodes)) {
                Checker::new(4, &[usize::MAX, 40, 8]).check(&mut board, Side::First, &plan).unwrap();
                won += 1;
            }
        }
    }
    assert!(won > 8, "{won} wins");
}
