//! What is wrong with a proof.

use crate::proof::{Proof, Step};

/// Why a file proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("node {node}{}: {wrong}", if line.is_empty() { String::new() } else { format!(", after {line}") })]
pub struct Flaw {
    pub node: u64,
    /// One way to the node from the position that is proved: the attacker's moves, and each branch in brackets, its
    /// stones and how many float: `JIKL (KKLL) MIMK (OO+1)`.
    pub line: String,
    pub wrong: Wrong,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Wrong {
    #[error("the winner is to move, but there is no move")]
    NoMove,
    #[error("there is a move, but the other player is to move")]
    NotToMove,
    #[error("its move {0} is not on distinct empty cells")]
    Move(String),
    #[error("its move {0} has one stone and completes nothing")]
    OneStone(String),
    #[error("the stones {0} of a branch are not on distinct empty cells")]
    Stones(String),
    #[error("it is reached with other stones from node {0}")]
    OtherBoard(u64),
    #[error("the defender has been given a line, {0}")]
    GivenLine(String),
    #[error("its move does not complete {0}")]
    NotComplete(String),
    #[error("the defender can complete {0}")]
    DefenderCompletes(String),
    #[error("{0} is not a threat")]
    NotAThreat(String),
    #[error("fewer than two cells are empty after its move")]
    Full,
    #[error("no branch covers the reply {0}")]
    Uncovered(String),
}

/// The first way by which each node was reached: its parent, and which branch of it. The root has none.
pub(crate) type Ways = [Option<(usize, usize)>];

impl Proof {
    pub(crate) fn flaw(&self, ways: &Ways, place: usize, wrong: Wrong) -> Flaw {
        Flaw { node: self.steps[place].id, line: self.line(ways, place), wrong }
    }

    /// How the node is reached.
    fn line(&self, ways: &Ways, place: usize) -> String {
        let mut words = Vec::new();
        let mut at = place;
        while let Some((parent, branch)) = ways[at] {
            let step = &self.steps[parent];
            words.push(self.branch_text(step, branch));
            if !step.turn.is_empty() {
                words.push(self.shape.text(step.turn.iter().copied()));
            }
            at = parent;
        }
        words.reverse();
        words.join(" ")
    }

    fn branch_text(&self, step: &Step, branch: usize) -> String {
        let branch = &step.branches()[branch];
        let stones = self.shape.text(branch.stones.iter().copied());
        if branch.floats == 0 { format!("({stones})") } else { format!("({stones}+{})", branch.floats) }
    }
}
