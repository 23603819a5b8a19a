//! What a run can say of itself at any time: value, best move, principal line, counts.

use crate::application::{Application, MoveOf, PositionOf};
use crate::asked;
use crate::client::Client;
use crate::run::{Counts, End};
use jl_game::{Game, GameError, Status};
use jl_search::Search;
use jl_tree::{Edge, NodeId};
use jl_value::{Bounds, Player};
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

/// What is known of a node.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeView {
    pub mover: Player,
    pub bounds: Bounds,
    /// What the program said of it, if it looked at it.
    pub status: Option<Status>,
    /// Answers that came by selections through it, and the node itself.
    pub count: u32,
    /// As the search shows them.
    pub numbers: String,
    /// It has no further children.
    pub is_stopped: bool,
    pub is_active: bool,
    pub is_given_up: bool,
}

impl NodeView {
    /// How good a child is for a player: what it makes sure, then what it leaves to hope for, then how much it was searched.
    /// For a lost parent the best is the most stubborn defence, for an undecided one the metric is node count.
    #[must_use]
    pub fn merit_for(&self, player: Player) -> (u8, u8, u32) {
        merit(self.bounds, self.count, player)
    }
}

fn merit(bounds: Bounds, count: u32, player: Player) -> (u8, u8, u32) {
    (bounds.worst_for(player).rank_for(player), bounds.best_for(player).rank_for(player), count)
}

impl<A: Application> Client<A> {
    #[must_use]
    pub fn view(&self, node: NodeId) -> NodeView {
        let g = self.graph();
        NodeView {
            mover: g.mover(node),
            bounds: g.bounds(node),
            status: self.status(node),
            count: g.count(node),
            numbers: self.app().search().show(g, node),
            is_stopped: g.is_stopped(node),
            is_active: g.is_active(node),
            is_given_up: g.is_given_up(node),
        }
    }

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

    /// The one of most merit for the mover; the elder of equals.
    fn best_child(&self, n: NodeId) -> Option<NodeId> {
        let g = self.graph();
        let mover = g.mover(n);
        g.children(n).rev().max_by_key(|&c| merit(g.bounds(c), g.count(c), mover))
    }
}
