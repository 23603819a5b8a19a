//! Plays a plan out against every reply, on the real board.

use crate::minimax::{turns, with};
use jl_engine_connect6::engine::Turn;
use jl_engine_connect6::plan::{Branch, Plan};
use jl_engine_connect6::{Board, Side};

/// The plan wins for `attacker`, who is to move, or what it has no answer to.
pub fn check(board: &mut Board, attacker: Side, plan: &Plan) -> Result<(), String> {
    check_given(board, attacker, plan, &[])
}

/// A plan may have given the defender stones that it does not have: one there is no news to it.
fn check_given(board: &mut Board, attacker: Side, plan: &Plan, given: &[u16]) -> Result<(), String> {
    let turn = if plan.turn[0] == plan.turn[1] { &plan.turn[..1] } else { &plan.turn[..] };
    if let Some(c) = turn.iter().find(|&&c| !board.is_empty(c)) {
        return Err(format!("{c} is occupied"));
    }
    with(board, turn, attacker, |board| {
        if board.has_won(attacker) {
            return Ok(());
        }
        let k = board.geometry().k;
        if plan.windows.iter().any(|&w| board.stones_in(w, attacker).is_none_or(|n| n < k - 2)) {
            return Err(format!("a threat of {:?} is none", plan.turn));
        }
        check_replies_given(board, attacker, &[], &plan.windows, &plan.branches, given)
    })
}

/// The branches win against every reply of the defender, who is to move, but for those left open.
pub fn check_replies(
    board: &mut Board,
    attacker: Side,
    open: &[Turn],
    windows: &[u16],
    branches: &[Branch],
) -> Result<(), String> {
    check_replies_given(board, attacker, open, windows, branches, &[])
}

fn check_replies_given(
    board: &mut Board,
    attacker: Side,
    open: &[Turn],
    windows: &[u16],
    branches: &[Branch],
    given: &[u16],
) -> Result<(), String> {
    let defender = attacker.opponent();
    if board.can_win_now(defender) {
        return Err("the defender completes a line".into());
    }
    for reply in relevant(board, windows) {
        if open.contains(&reply) {
            continue;
        }
        let stones = if reply[0] == reply[1] { &reply[..1] } else { &reply[..] };
        with(board, stones, defender, |board| {
            let branch = branches.iter().find(|b| b.covers(board.geometry(), reply, given));
            let Some(branch) = branch else { return Err(format!("no branch against {reply:?}")) };
            let given = [given, &branch.stones].concat();
            check_given(board, attacker, &branch.plan, &given).map_err(|e| format!("{reply:?}: {e}"))
        })?;
    }
    Ok(())
}

/// The replies that leave none of these windows to be completed.
fn relevant(board: &Board, windows: &[u16]) -> Vec<Turn> {
    let all = turns(board).into_iter().map(|t| [t[0], *t.last().unwrap()]);
    let hit = |w: &u16, t: &Turn| board.geometry().cells_of(*w).iter().any(|c| t.contains(c));
    all.filter(|t| windows.iter().all(|w| hit(w, t))).collect()
}
