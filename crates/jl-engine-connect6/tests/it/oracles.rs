//! What the threat searches and the verifier claim, against minimax on small boards.

use crate::checker::{check, check_replies};
use crate::minimax::{Minimax, random_board, turns};
use jl_engine_connect6::attack::{Force, Found, Solver};
use jl_engine_connect6::limits::{Clock, Limits};
use jl_engine_connect6::plan::Kind;
use jl_engine_connect6::verify::{Effort, verify};
use jl_engine_connect6::{Board, Geometry, Side};

/// Boards on which everything can be tried, with the most empty cells.
const BOARDS: [(usize, usize, usize, usize); 5] =
    [(5, 5, 4, 8), (6, 5, 5, 9), (7, 7, 6, 9), (6, 6, 5, 9), (8, 6, 6, 10)];

fn clock(nodes: u64) -> Clock {
    Clock::new(Limits { nodes: Some(nodes), ..Limits::default() })
}

fn for_random_boards(games: usize, seed: u64, mut f: impl FnMut(&mut Board)) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for (columns, rows, k, most) in BOARDS {
        let g = Geometry::new(columns, rows, k).unwrap();
        for _ in 0..games {
            let empties = rng.usize(2..=most);
            if let Some(mut board) = random_board(&g, empties, &mut rng) {
                f(&mut board);
            }
        }
    }
}

#[test]
fn every_win_that_is_claimed_is_one() {
    for (force, seed) in [(Force::Double, 7), (Force::Single, 8)] {
        let (mut claimed, mut won, mut tried) = (0, 0, 0);
        for_random_boards(3_000, seed, |board| {
            let before = board.key();
            let found = Solver::new(Side::First, 1 << 16).search(board, force, &mut clock(20_000));
            assert_eq!(board.key(), before, "the board is as it was");
            let truth = Minimax::default().wins(board, Side::First);
            tried += 1;
            won += u32::from(truth);
            if let Found::Win(plan) = found {
                assert!(truth, "a win is claimed where there is none: {plan:?}");
                check(board, Side::First, &plan).unwrap();
                claimed += 1;
            }
        });
        assert!(tried > 8_000 && claimed > 3_000, "{claimed} of {won} wins claimed, {tried} boards");
        assert!(claimed * 10 >= won * 9, "{claimed} of {won} wins found");
    }
}

#[test]
fn a_reply_that_is_not_listed_loses() {
    let (mut tried, mut refuted, mut lost, mut truly_lost) = (0, 0_usize, 0, 0);
    for_random_boards(4_000, 9, |board| {
        let before = board.key();
        let mut solver = Solver::new(Side::First, 1 << 16);
        let verified = verify(&mut solver, board, Effort::default(), true, &mut clock(1_000_000));
        assert_eq!(board.key(), before, "the board is as it was");
        let Some(open) = &verified.open else { return };
        tried += 1;
        let mut truth = Minimax::default();
        for turn in turns(board) {
            let reply = [turn[0], *turn.last().unwrap()];
            if !open.contains(&reply) {
                assert!(truth.loses_by(board, Side::Second, &turn), "{turn:?} is said to lose");
                refuted += 1;
            }
        }
        truly_lost += u32::from(truth.loses(board, Side::Second));
        lost += u32::from(verified.is_lost());
        check_replies(board, Side::First, open, &verified.windows, &verified.branches).unwrap();
    });
    assert!(tried > 2_000 && refuted > 30_000, "{tried} boards, {refuted} replies refuted");
    assert!(lost > 200 && lost * 10 >= truly_lost * 9, "{lost} of {truly_lost} lost positions seen");
}

/// Larger boards with room for stones that float, too large for minimax: the plans themselves are played out.
fn for_open_boards(games: usize, seed: u64, mut f: impl FnMut(&mut Board)) {
    let mut rng = fastrand::Rng::with_seed(seed);
    for (columns, rows, k) in [(8, 7, 6), (7, 6, 5), (9, 8, 6), (13, 13, 6)] {
        let g = Geometry::new(columns, rows, k).unwrap();
        for _ in 0..games {
            let mut board = Board::new(&g);
            let density = rng.f64() * 0.25 + 0.1;
            for c in 0..g.cells() as u16 {
                let (x, y) = (usize::from(c) % columns, usize::from(c) / columns);
                let inner = x.abs_diff(columns / 2) <= 4 && y.abs_diff(rows / 2) <= 4;
                if inner && rng.f64() < density {
                    board.place(c, if rng.bool() { Side::First } else { Side::Second });
                }
            }
            if !board.can_win_now(Side::First) && !board.can_win_now(Side::Second) {
                f(&mut board);
            }
        }
    }
}

#[test]
fn a_plan_wins_against_every_reply() {
    let (mut double, mut single) = (0, 0);
    for_open_boards(400, 3, |board| {
        let mut solver = Solver::new(Side::First, 1 << 18);
        let mut found = solver.search(board, Force::Double, &mut clock(1_000));
        if !matches!(found, Found::Win(_)) {
            found = solver.search(board, Force::Single, &mut clock(4_000));
        }
        if let Found::Win(plan) = found {
            check(board, Side::First, &plan).unwrap();
            match plan.kind {
                Kind::Double => double += 1,
                _ => single += 1,
            }
        }
    });
    assert!(double > 100 && single > 30, "{double} plans with double threats only, {single} with single ones");
}

#[test]
fn the_branches_of_the_verifier_win_against_what_it_does_not_list() {
    let effort = Effort { double: 300, null: 1_000, seminull: 300, pair: 300 };
    let (mut by_double, mut by_single, mut refuted) = (0, 0, 0_usize);
    for_open_boards(60, 4, |board| {
        let mut solver = Solver::new(Side::First, 1 << 18);
        let verified = verify(&mut solver, board, effort, true, &mut clock(100_000));
        let Some(open) = &verified.open else { return };
        refuted += turns(board).len() - open.len();
        check_replies(board, Side::First, open, &verified.windows, &verified.branches).unwrap();
        if verified.branches.iter().any(|b| b.plan.kind == Kind::Single && b.floats > 0) {
            by_single += 1;
        } else {
            by_double += 1;
        }
    });
    println!("{by_double} {by_single} {refuted}");
    assert!(by_double > 10 && by_single > 10, "{by_double} by double threats, {by_single} by single ones");
    assert!(refuted > 10_000, "{refuted} replies refuted");
}
