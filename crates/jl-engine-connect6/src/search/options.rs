//! How wide, how deep, and with how much threat search.
//!
//! The numbers were chosen by matches from openings of real games, with `examples/match.rs`. What mattered most is a thorough
//! threat search at every position, the horizon included.

use super::node::TURN;
use crate::engine::Style;
use crate::evaluate::Weights;
use crate::network::Network;

/// How the search goes about it. Depths are in quarters of a turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    pub weights: Weights,
    /// The best cells that are paired, and the best pairs that are searched: at the root, deep down, near the horizon,
    /// and against a single threat.
    pub cells: usize,
    pub root_cells: usize,
    pub root_width: usize,
    pub width: usize,
    pub narrow: usize,
    pub single_width: usize,
    /// Turns from this one on are searched less deep by `reduction` at first.
    pub late: usize,
    pub reduction: i32,
    pub double_extension: i32,
    pub single_extension: i32,
    /// Nodes of the threat searches: at the root, at the horizon, inside, and for the opponent after a pass.
    pub root_tactics: u64,
    pub leaf_tactics: u64,
    pub node_tactics: u64,
    pub null_tactics: u64,
    /// Whether a plan that refutes a turn is held against others.
    pub zones: bool,
    /// Where such a plan is known, candidates in its way are listed, those that it refutes are replaced by others, and late ones are
    /// searched as deep as the first. Surer, and slower: good for proofs, but in games it loses more by depth than it gains.
    pub stubborn: bool,
    /// From which depth on a pass is tried.
    pub null_depth: i32,
    /// How far below the horizon threats are still answered.
    pub bottom: i32,
    /// Answers to single threats that are searched there.
    pub low_width: usize,
    /// A threat search is tried with so many windows of k − 4 stones, one of k − 3 counting as `three` of them.
    pub potential: usize,
    pub three: usize,
    /// What a turn of depth adds to the history of the cells of the best turn, and the most it can be.
    pub history: i32,
    pub history_most: i32,
    /// What says where to look, and has a part in the evaluation.
    pub network: Option<&'static Network>,
    /// What one unit of the network's log-odds is worth among the gains that order the moves.
    pub likelihood: i32,
    /// The percentage of what two stones gain together that still counts then.
    pub joint: i32,
    /// The network's part of the evaluation, in percent, and what one unit of its log-odds is worth there.
    pub opinion: i32,
    pub odds: i32,
    pub max_depth: u32,
    /// After so many iterations in a row that claim a loss, no more are made.
    pub patience: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            weights: Weights::default(),
            cells: 22,
            root_cells: 24,
            root_width: 24,
            width: 15,
            narrow: 12,
            single_width: 8,
            late: 4,
            reduction: TURN,
            double_extension: TURN,
            single_extension: 0,
            root_tactics: 1000,
            leaf_tactics: 100,
            node_tactics: 100,
            null_tactics: 40,
            zones: true,
            stubborn: false,
            null_depth: TURN,
            bottom: -4 * TURN,
            low_width: 6,
            potential: 2,
            three: 4,
            history: 4,
            history_most: 200,
            network: Some(Network::builtin()),
            likelihood: 100,
            joint: 100,
            opinion: 50,
            odds: 1200,
            max_depth: 30,
            patience: 5,
        }
    }
}

impl Options {
    /// What suits a style. Who looks for wins that can be proved searches longer for each; which turns the network learned to expect is of
    /// no use then.
    #[must_use]
    pub fn of(style: Style) -> Options {
        let weights = Weights::of(style);
        match style {
            Style::Balanced => Options { weights, ..Options::default() },
            Style::Attack => Options {
                weights,
                network: None,
                leaf_tactics: 300,
                node_tactics: 300,
                null_tactics: 300,
                stubborn: true,
                ..Options::default()
            },
        }
    }

    /// No threat search anywhere.
    #[must_use]
    pub fn without_threats(self) -> Options {
        Options { root_tactics: 0, leaf_tactics: 0, node_tactics: 0, ..self.without_zones() }
    }

    /// The windows alone say where to look and how good a position is.
    #[must_use]
    pub fn without_network(self) -> Options {
        Options { network: None, ..self }
    }

    /// No zones: a pass that loses says nothing about where to play.
    #[must_use]
    pub fn without_zones(self) -> Options {
        Options { zones: false, ..self }
    }
}
