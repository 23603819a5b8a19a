//! Nodes of a proof for what a job-level search knows: that a position is won, or that all replies but some lose.
//!
//! A job's answer says who wins and not why, since the reason may be long. It is found again here, for those positions only that
//! the proof needs. Ids are counted from 0 in each answer; whoever joins several numbers them anew.

use crate::attack::{Force, Solver};
use crate::engine::{Question, Turn};
use crate::limits::Clock;
use crate::proof::Export;
use crate::quiet::quiet_win;
use crate::thinker::{move_of, turn_of};
use crate::verify::{Effort, press, verify};
use jl_games::connect6::Move;
use jl_proof::{Node, Reply};

/// How the attacker wins against every reply but some.
#[derive(Clone, PartialEq, Debug)]
pub struct Refuted {
    pub nodes: Vec<Node>,
    pub threats: Vec<String>,
    /// Against the other replies.
    pub replies: Vec<Reply>,
    /// The replies that are left, all of them among the known ones unless the limits were too small.
    pub open: Vec<Move>,
}

/// Of what is left: for threats, then for quiet moves.
const THREATS: f64 = 0.7;
const DOUBLE_NODES: u64 = 20_000;
const QUIET_TURNS: usize = 60;
/// Of the look at all replies, before those that are left are looked at one by one.
const TOGETHER: f64 = 0.5;

/// The nodes of a win of the mover's, the root last; `None` if none is found.
#[must_use]
pub fn win(question: &Question) -> Option<Vec<Node>> {
    let (mut clock, mut board) = (Clock::new(question.limits), question.board.clone());
    let attacker = question.mover;
    let mut solver = Solver::new(attacker, question.limits.memory);
    let mut found = clock.within(DOUBLE_NODES, |c| solver.search(&mut board, Force::Double, c)).win();
    if found.is_none() {
        let whole = clock.begin_share(THREATS);
        found = solver.search(&mut board, Force::Single, &mut clock).win();
        clock.end_share(whole);
    }
    if found.is_none() {
        found = quiet_win(&mut solver, &mut board, effort(question), QUIET_TURNS, &mut clock);
    }
    let mut export = Export::new(&board, attacker);
    export.plan(&found?);
    Some(export.into_nodes())
}

/// Why every reply of the mover's loses but the known ones; `None` if no reply can be excluded.
#[must_use]
pub fn refute(question: &Question, known: &[Move]) -> Option<Refuted> {
    let (mut clock, mut board) = (Clock::new(question.limits), question.board.clone());
    let attacker = question.mover.opponent();
    let mut solver = Solver::new(attacker, question.limits.memory);
    let known: Vec<Turn> = known.iter().map(|&mv| turn_of(mv)).collect();
    let whole = clock.begin_share(TOGETHER);
    let mut verified = verify(&mut solver, &mut board, effort(question), true, &mut clock);
    clock.end_share(whole);
    press(&mut solver, &mut board, Force::Single, &known, &mut verified, &mut clock);
    let open = verified.open?;
    let mut export = Export::new(&board, attacker);
    let replies = export.replies(&verified.branches);
    let threats = export.threats(&verified.windows);
    Some(Refuted {
        nodes: export.into_nodes(),
        threats,
        replies,
        open: open.into_iter().map(move_of).collect(),
    })
}

fn effort(question: &Question) -> Effort {
    let nodes = question.limits.nodes.unwrap_or(u64::MAX);
    Effort {
        double: 3_000,
        null: (nodes / 8).clamp(1_000, 400_000),
        seminull: (nodes / 150).clamp(300, 40_000),
        pair: (nodes / 600).clamp(100, 20_000),
    }
}
