//! Nodes of a proof for what a job-level search knows: that a position is won, or that all replies but some lose.
//!
//! A job's answer says who wins and not why, since the reason may be long. It is found again here, for those positions only that
//! the proof needs. Ids are counted from 0 in each answer; whoever joins several numbers them anew.

use crate::engine::{Question, Thought, Turn};
use crate::proof::{self, Export};
use crate::thinker::{move_of, turn_of};
use jl_games::connect6::Move;
use jl_proof::{Family, Node};

/// How the attacker wins against every reply but some.
#[derive(Clone, PartialEq, Debug)]
pub struct Refuted {
    pub nodes: Vec<Node>,
    pub threats: Vec<String>,
    /// Against the other replies.
    pub answers: Vec<Family>,
    /// The replies that are left, all of them among the known ones unless the limits were too small.
    pub open: Vec<Move>,
}

/// The nodes of a win of the mover's, the root last; `None` if none is found.
#[must_use]
pub fn win(question: &Question) -> Option<Vec<Node>> {
    let plan = Thought::new(question).winning_plan()?;
    Some(proof::won(&question.board, question.mover, &plan))
}

/// Why every reply of the mover's loses but the known ones; `None` if no reply can be excluded.
#[must_use]
pub fn refute(question: &Question, known: &[Move]) -> Option<Refuted> {
    let known: Vec<Turn> = known.iter().map(|&mv| turn_of(mv)).collect();
    let verified = Thought::new(question).replies(true, &known);
    let open = verified.open?.into_iter().map(move_of).collect();
    let mut export = Export::new(&question.board, question.mover.opponent());
    let answers = export.answers(&verified.branches);
    let threats = export.threats(&verified.windows);
    Some(Refuted { nodes: export.into_nodes(), threats, answers, open })
}
