//! What the threat searches and the verifier claim, against minimax on small boards.

use crate::boards::{clock, for_small_boards};
use crate::checker::Checker;
use crate::distilled::{DISTILLED, board as read};
use crate::minimax::{Minimax, TooMany, turns, with};
use jl_engine_connect6::attack::{Force, Found, Solver};
use jl_engine_connect6::plan::Branch;
use jl_engine_connect6::plan::Kind;
use jl_engine_connect6::quiet::quiet_win;
use jl_engine_connect6::verify::{Effort, Verified, press, verify};
use jl_engine_connect6::{Board, Geometry, Side};

/// What minimax may look at, for a board.
const POSITIONS: usize = 20_000;

#[test]
fn every_win_that_is_claimed_is_one() {
    let (mut drawn, mut tried, mut won, mut claimed) = (0, 0, 0, [0, 0]);
    for_small_boards(700, Side::First, 7, |board| {
        let before = board.key();
        drawn += 1;
        let force = if drawn % 2 == 0 { Force::Double } else { Force::Single };
        let found = Solver::new(Side::First, 1 << 16).search(board, force, &mut clock(200));
        assert_eq!(board.key(), before, "the board is as it was");
        // That there is no win is worth less work.
        let positions = if matches!(found, Found::Win(_)) { POSITIONS } else { 100 };
        let Ok(truth) = Minimax::new(positions).wins(board, Side::First) else { return };
        tried += 1;
        won += u32::from(truth);
        if let Found::Win(plan) = found {
            assert!(truth, "a win is claimed where there is none: {plan:?}");
            Checker::thorough().check(board, Side::First, &plan).unwrap();
            claimed[force as usize] += 1;
        }
    });
    println!("{tried} boards, {won} won, claimed {claimed:?}");
    assert!(tried > 10_500 && claimed[0].min(claimed[1]) > 300, "{claimed:?} claimed on {tried} boards");
    assert!(claimed.iter().sum::<u32>() * 10 >= won * 9, "{claimed:?} of {won} wins found");
}

#[derive(Default, Debug)]
struct Tally {
    boards: u32,
    lists: u32,
    /// Lists with a plan that leaves stones floating.
    by_passing: u32,
    refuted: u32,
    lost: u32,
    truly_lost: u32,
}

/// What is said about the replies of the second player agrees with minimax, as far as that can go.
fn compare(board: &mut Board, effort: Effort, tally: &mut Tally) -> Result<(), TooMany> {
    let before = board.key();
    let mut solver = Solver::new(Side::First, 1 << 16);
    let [verified, quick] =
        [true, false].map(|every| verify(&mut solver, board, effort, every, &mut clock(20_000)));
    assert_eq!(board.key(), before, "the board is as it was");
    let positions = if verified.open.is_some() { POSITIONS } else { 100 };
    let mut truth = Minimax::new(positions);
    let loses = truth.loses(board, Side::Second)?;
    assert!(loses || !verified.is_lost() && !quick.is_lost(), "a loss is claimed where there is none");
    tally.boards += 1;
    tally.truly_lost += u32::from(loses);
    tally.lost += u32::from(verified.is_lost());
    compare_lists(board, &verified, &mut truth, tally)
}

fn compare_lists(
    board: &mut Board,
    verified: &Verified,
    truth: &mut Minimax,
    tally: &mut Tally,
) -> Result<(), TooMany> {
    let Some(open) = &verified.open else { return Ok(()) };
    tally.lists += 1;
    tally.by_passing += u32::from(verified.branches.iter().any(|b| b.floats > 0));
    for turn in turns(board) {
        let reply = [turn[0], *turn.last().unwrap()];
        if !open.contains(&reply) {
            assert!(truth.loses_by(board, Side::Second, &turn)?, "{turn:?} is said to lose");
            tally.refuted += 1;
        }
    }
    Checker::thorough()
        .check_replies(board, Side::First, open, &verified.windows, &verified.branches)
        .unwrap();
    Ok(())
}

#[test]
fn a_reply_that_is_not_listed_loses() {
    let effort = Effort { double: 200, null: 100, seminull: 50, pair: 50 };
    let mut tally = Tally::default();
    for_small_boards(600, Side::Second, 9, |board| {
        let _ = compare(board, effort, &mut tally);
    });
    // The second player may win at once here.
    for_small_boards(40, Side::First, 10, |board| {
        let _ = compare(board, effort, &mut tally);
    });
    println!("{tally:?}");
    assert!(tally.boards > 10_500 && tally.lists > 3_000 && tally.by_passing > 500, "{tally:?}");
    assert!(tally.refuted > 100_000, "{tally:?}");
    assert!(tally.lost > 1_000 && tally.lost * 10 >= tally.truly_lost * 9, "{tally:?}");
}

#[test]
fn a_reply_that_is_pressed_down_loses() {
    // So little effort that much is left to press on against.
    let effort = Effort { double: 60, null: 40, seminull: 0, pair: 0 };
    let mut tally = Tally::default();
    let (mut before, mut after, mut held_against_others) = (0, 0, 0);
    for_small_boards(300, Side::Second, 10, |board| {
        let mut solver = Solver::new(Side::First, 1 << 16);
        let mut verified = verify(&mut solver, board, effort, true, &mut clock(4));
        let Some(open) = verified.open.clone().filter(|open| !open.is_empty()) else { return };
        // One is not looked at, and stays.
        let skipped = &open[..1];
        press(&mut solver, board, Force::Single, skipped, &mut verified, &mut clock(20_000));
        let left = verified.open.as_ref().unwrap();
        assert!(left.iter().all(|turn| open.contains(turn)));
        before += open.len();
        after += left.len();
        let shared = |b: &&Branch| b.floats == 2 && !b.stones.is_empty();
        held_against_others += verified.branches.iter().filter(shared).count();
        let _ = compare_lists(board, &verified, &mut Minimax::new(POSITIONS), &mut tally);
    });
    println!(
        "{before} replies open, {after} after pressing, {held_against_others} plans held against others; {tally:?}"
    );
    assert!(
        before > 2_000 && after < before && held_against_others > 50,
        "{before} {after} {held_against_others}"
    );
    assert!(tally.refuted > 5_000, "{tally:?}");
}

#[test]
fn with_one_cell_left_a_reply_may_draw() {
    // The second player takes the last cell, and the board is full.
    let g = Geometry::new(4, 1, 4).unwrap();
    let mut board = read(&g, "xxx.");
    for every in [true, false] {
        let mut solver = Solver::new(Side::First, 1 << 16);
        let verified = verify(&mut solver, &mut board, Effort::default(), every, &mut clock(100));
        assert!(!verified.is_lost(), "{verified:?}");
    }
}

/// Double threats first; single ones only if those do not win.
fn search(board: &mut Board, nodes: u64) -> Found {
    let mut solver = Solver::new(Side::First, 1 << 20);
    match solver.search(board, Force::Double, &mut clock(nodes)) {
        Found::Win(plan) => Found::Win(plan),
        _ => solver.search(board, Force::Single, &mut clock(nodes)),
    }
}

/// One to three stones come, go, or change sides.
fn disturb(board: &mut Board, rng: &mut fastrand::Rng) {
    for _ in 0..rng.usize(1..=3) {
        let c = rng.u16(..board.geometry().cells() as u16);
        if let Some(side) = board.at(c) {
            board.remove(c, side);
            if rng.bool() {
                board.place(c, side.opponent());
            }
        } else {
            board.place(c, if rng.u8(..3) == 0 { Side::First } else { Side::Second });
        }
    }
}

#[test]
fn every_win_by_single_threats_is_one() {
    let mut rng = fastrand::Rng::with_seed(11);
    let (mut found, mut claimed, mut checked) = (0, 0, 0);
    let mut tally = Tally::default();
    for (i, (columns, rows, k, cells)) in DISTILLED.into_iter().enumerate() {
        let g = Geometry::new(columns, rows, k).unwrap();
        for disturbed in [false, true, true, true] {
            let mut board = read(&g, cells);
            if disturbed {
                disturb(&mut board, &mut rng);
            }
            if [Side::First, Side::Second].iter().any(|&s| board.can_win_now(s) || board.has_won(s)) {
                continue;
            }
            let Found::Win(plan) = search(&mut board, 2_000) else { continue };
            if plan.kind == Kind::Double {
                continue;
            }
            found += usize::from(!disturbed);
            claimed += 1;
            Checker::thorough().check(&mut board, Side::First, &plan).unwrap();
            with(&mut board, &plan.turn, Side::First, |board| {
                let Ok(loses) = Minimax::new(POSITIONS).loses(board, Side::Second) else { return };
                assert!(loses, "a win is claimed where there is none: {plan:?}");
                checked += 1;
                if i % 4 == 0 {
                    let effort = Effort { double: 100, null: 200, seminull: 100, pair: 100 };
                    let _ = compare(board, effort, &mut tally);
                }
            });
        }
    }
    println!("{claimed} claimed, {checked} checked, {tally:?}");
    assert!(found * 10 >= DISTILLED.len() * 8, "{found} of {} found", DISTILLED.len());
    assert!(checked > 60 && checked * 10 >= claimed * 8, "{checked} of {claimed} wins checked");
}

#[test]
fn every_win_by_way_of_the_verifier_is_one() {
    let effort = Effort { double: 100, null: 100, seminull: 50, pair: 50 };
    let mut rng = fastrand::Rng::with_seed(13);
    let (mut claimed, mut checked) = (0, 0);
    for (columns, rows, k, cells) in DISTILLED {
        let g = Geometry::new(columns, rows, k).unwrap();
        for _ in 0..3 {
            let mut board = read(&g, cells);
            disturb(&mut board, &mut rng);
            if [Side::First, Side::Second].iter().any(|&s| board.can_win_now(s) || board.has_won(s)) {
                continue;
            }
            let mut solver = Solver::new(Side::First, 1 << 16);
            let Some(plan) = quiet_win(&mut solver, &mut board, effort, 12, &mut clock(3_000)) else {
                continue;
            };
            claimed += 1;
            Checker::new(rng.u64(..), &[60, 8, 4]).check(&mut board, Side::First, &plan).unwrap();
            with(&mut board, &plan.turn, Side::First, |board| {
                let Ok(loses) = Minimax::new(POSITIONS).loses(board, Side::Second) else { return };
                assert!(loses, "a win is claimed where there is none: {plan:?}");
                checked += 1;
            });
        }
    }
    println!("{claimed} claimed, {checked} checked");
    assert!(checked > 40, "{checked} of {claimed} wins checked");
}
