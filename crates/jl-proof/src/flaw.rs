//! What is wrong with a proof.

use crate::proof::{Branch, Mover, Proof};

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
    #[error("the {expected} is to move in the position, but not at the root")]
    Mover { expected: Mover },
    #[error("its move {0} is not on distinct empty cells")]
    Move(String),
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
    #[error("fewer than two cells are empty")]
    Full,
    #[error("no branch covers the reply {0}")]
    Uncovered(String),
}

/// The first way by which each node was reached: its parent, and which branch of it; an attacker's turn has one way only.
/// The root has none.
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
            words.push(match step.branches().get(branch) {
                Some(branch) => self.branch_text(branch),
                None => self.shape.text(step.stones().iter().copied()),
            });
            at = parent;
        }
        words.reverse();
        words.join(" ")
    }

    fn branch_text(&self, branch: &Branch) -> String {
        let stones = self.shape.text(branch.stones.iter().copied());
        if branch.floats == 0 { format!("({stones})") } else { format!("({stones}+{})", branch.floats) }
    }
}
