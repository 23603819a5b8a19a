//! The position of a node, in the frame in which it is asked about.
//!
//! A node stands for a whole orbit of positions under the game's symmetries; its edges hold moves of the orbit's
//! representative. A job is about the position that the path from the root really leads to, so that what a program
//! is asked, and what a person reads, are moves of the game they know.

use crate::application::{Application, DataOf, MoveOf, PositionOf, SymmetryOf};
use jl_game::{Game, Query, Symmetry};
use jl_tree::{Edge, Graph, NodeId};

/// What a job asks: J(n, C(n)).
#[derive(Debug)]
pub(crate) struct Asked<A: Application> {
    pub(crate) moves: Vec<MoveOf<A>>,
    pub(crate) position: PositionOf<A>,
    /// Maps the position onto the frame of the node's edges.
    pub(crate) to_node: SymmetryOf<A>,
    pub(crate) prohibited: Vec<MoveOf<A>>,
    /// How many the node had when it was asked. Those that came since are from the job's drafts.
    pub(crate) children: usize,
}

impl<A: Application> Asked<A> {
    pub(crate) fn query<'a>(&'a self, game: &'a A::Game) -> Query<'a, A::Game> {
        let Asked { moves, position, prohibited, children, .. } = self;
        Query { game, moves, position, prohibited, children: *children }
    }
}

/// Plays the moves of a path of nodes from the root.
pub(crate) fn walk<A: Application>(
    game: &A::Game,
    graph: &Graph<DataOf<A>>,
    root: (&[MoveOf<A>], &PositionOf<A>),
    path: &[NodeId],
) -> Asked<A> {
    let mut moves = root.0.to_vec();
    let mut position = root.1.clone();
    for step in path.windows(2) {
        let edge = graph.edges(step[0]).iter().find(|e| e.child() == step[1]);
        let code = edge.expect("a path follows edges").mv;
        let (_, to_node) = game.canonical(&position);
        let mv = in_position::<A>(game, to_node, code);
        position = game.play(&position, mv).expect("the moves of the graph are legal");
        moves.push(mv);
    }
    let to_node = game.canonical(&position).1;
    Asked { moves, position, to_node, prohibited: Vec::new(), children: 0 }
}

/// The move of an edge, in a position that `to_node` maps onto the node's frame.
pub(crate) fn in_position<A: Application>(game: &A::Game, to_node: SymmetryOf<A>, code: u32) -> MoveOf<A> {
    let mv = game.decode(code).expect("edges hold codes of moves");
    game.map_move(to_node.inverse(), mv)
}

/// The moves of these edges of the node, and those that a symmetry of the position makes the same.
pub(crate) fn prohibited<A: Application>(game: &A::Game, edges: &[Edge], asked: &Asked<A>) -> Vec<MoveOf<A>> {
    if edges.is_empty() {
        return Vec::new();
    }
    let stabilizer = game.stabilizer(&asked.position);
    let mut moves = Vec::with_capacity(edges.len() * stabilizer.len());
    for e in edges {
        let mv = in_position::<A>(game, asked.to_node, e.mv);
        for &s in &stabilizer {
            let same = game.map_move(s, mv);
            if !moves.contains(&same) {
                moves.push(same);
            }
        }
    }
    moves
}
