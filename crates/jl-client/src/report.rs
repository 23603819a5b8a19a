//! What a run can say of itself at any time: value, best move, principal line, counts.

use crate::application::{Application, MoveOf, PositionOf};
use crate::asked;
use crate::client::Client;
use crate::run::{Counts, End};
use jl_game::{Game, GameError};
use jl_search::Search;
use jl_tree::{Edge, NodeId};
use jl_value::Bounds;
use std::time::Duration;

/// A run's state, in words and numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// What is known of the root.
    pub bounds: Bounds,
    pub end: Option<End>,
    /// The best line from the root that the graph knows, best move first.
    pub line: Vec<String>,
    pub counts: Counts,
    pub in_flight: usize,
    pub nodes: usize,
    pub transposed: u64,
    /// The processor time of the jobs that were answered or failed.
    pub engine_time: Duration,
    /// The root's numbers as the search shows them.
    pub root: String,
}

/// A child of a node, as seen from a real position.
#[derive(Clone, PartialEq, Debug)]
pub struct Child {
    pub node: NodeId,
    /// The moves that lead to it: more than one where the position is symmetric.
    pub moves: Vec<String>,
    pub bounds: Bounds,
    /// It has no children of its own.
    pub is_leaf: bool,
}

impl<A: Application> Client<A> {
    /// The children of a node, for the position that these moves lead to from the start of the game.
    pub fn children(&self, node: NodeId, moves: &str) -> Result<Vec<Child>, GameError> {
        let (game, graph) = (self.app().game(), self.graph());
        let (_, position) = game.replay(moves)?;
        let (_, to_node) = game.canonical(&position);
        let stabilizer = game.stabilizer(&position);
        let child = |edge: &Edge| {
            let mv = asked::in_position::<A>(game, to_node, edge.mv);
            let mut moves: Vec<String> =
                stabilizer.iter().map(|&s| game.format_move(game.map_move(s, mv))).collect();
            moves.sort_unstable();
            moves.dedup();
            let node = edge.child();
            Child { node, moves, bounds: graph.bounds(node), is_leaf: graph.edges(node).is_empty() }
        };
        Ok(graph.edges(node).iter().map(child).collect())
    }

    #[must_use]
    pub fn summary(&self) -> Summary {
        let graph = self.graph();
        Summary {
            bounds: graph.bounds(graph.root()),
            end: self.end(),
            line: self.principal_line().0.into_iter().map(|m| self.app().game().format_move(m)).collect(),
            counts: self.counts(),
            in_flight: self.jobs_in_flight().count(),
            nodes: graph.len(),
            transposed: self.transposed(),
            engine_time: self.engine_time(),
            root: self.app().search().show(graph, graph.root()),
        }
    }

    /// The moves of the principal line, and the position it ends in.
    #[must_use]
    pub fn principal_line(&self) -> (Vec<MoveOf<A>>, PositionOf<A>) {
        let mut path = vec![self.graph().root()];
        while let Some(c) = self.best_child(path[path.len() - 1]) {
            path.push(c);
        }
        let (start, root) = self.root_position();
        let walked = asked::walk::<A>(self.app().game(), self.graph(), (start, root), &path);
        (walked.moves[start.len()..].to_vec(), walked.position)
    }

    /// The child that makes most sure for the mover, then leaves most to hope for, then was searched most; the elder
    /// of equals. For a lost node that is the most stubborn defence, for an undecided one the metric is node count.
    fn best_child(&self, n: NodeId) -> Option<NodeId> {
        let g = self.graph();
        let mover = g.mover(n);
        let key = |&c: &NodeId| {
            let b = g.bounds(c);
            (b.worst_for(mover).rank_for(mover), b.best_for(mover).rank_for(mover), g.count(c))
        };
        g.children(n).rev().max_by_key(key)
    }
}
