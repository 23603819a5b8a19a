//! What a run can say of itself at any time: value, best move, principal line, counts.

use crate::application::{Application, MoveOf, PositionOf};
use crate::asked;
use crate::client::Client;
use crate::run::{Counts, End};
use jl_game::Game;
use jl_search::Search;
use jl_tree::NodeId;
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

impl<A: Application> Client<A> {
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
