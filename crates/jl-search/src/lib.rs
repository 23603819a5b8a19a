//! Job-level best-first searches.
//!
//! [`Search`] is what an author of a search writes: how a node's data begin, how they follow from the children, and
//! which child to descend to. The framework does the rest: the descent, postponed siblings, flags, proofs, aborts,
//! failures. A search never sees a move, a position or a job.
//!
//! - [`pns`]: JL-PNS, proof numbers, with every pre-update policy, K-Band and dynamic widening.
//! - [`uct`]: JL-UCT, win rates and visits.
//!
//! [`select`], [`pre_update`], [`release`], [`undo`] and [`update`] are the phases that a client goes through, the
//! same for every search.
//!
//! ```
//! use jl_search::{Search, pns::{Numbers, Pns}};
//! use jl_tree::{Graph, Spec};
//! use jl_value::{Bounds, Player};
//!
//! let pns = Pns::default();
//! let mut g = Graph::new(pns.goal(Player::First), Player::First, pns.init(Numbers::new(6, 6)));
//! let spec = |n| Spec { mover: Player::Second, bounds: Bounds::UNKNOWN, data: pns.init(n) };
//! let root = g.root();
//! g.add_child(root, 0, spec(Numbers::new(8, 4)));
//! let better = g.add_child(root, 1, spec(Numbers::new(2, 12)));
//! jl_search::update(&pns, &mut g, &[root], None);
//! assert_eq!(pns.numbers(&g, root), Numbers::new(2, 16));
//! assert_eq!(jl_search::select(&pns, &g).unwrap().path, [root, better]);
//! ```

mod cycle;
pub mod pns;
mod siblings;
pub mod uct;

pub use cycle::{Selection, pre_update, release, select, undo, update};
pub use siblings::{Room, Siblings};

use jl_tree::{Goal, Graph, NodeId};
use jl_value::Player;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::hash::Hash;

/// A job-level best-first search.
///
/// All values that come in are the first player's. Everything is a function of the graph: a search has parameters but
/// no state of its own.
pub trait Search {
    /// What each node carries. Kept in stores as a JSON object.
    type Data: Clone + PartialEq + Debug + Hash + Serialize + DeserializeOwned + 'static;
    /// What a retriever makes of a program's evaluation.
    type Value: Copy + Debug;

    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// The pre-update policy and options, for reports.
    fn policy(&self) -> String;

    /// The question to ask of a root.
    fn goal(&self, root_mover: Player) -> Goal;

    /// The next question once the root is settled, or `None` if its value is what was wanted.
    fn next_goal(&self, _graph: &Graph<Self::Data>) -> Option<Goal> {
        None
    }

    /// The data of a new node.
    fn init(&self, value: Self::Value) -> Self::Data;

    /// The data of a node, a function of the node's own facts and flags and of its children's bounds, flags and data.
    /// Called whenever one of these changed. What else there is (whether a child is active or stopped, counts, sums
    /// along paths) may change without a call.
    fn back_up(&self, graph: &Graph<Self::Data>, n: NodeId) -> Self::Data;

    /// The live child to descend to from an unsettled node that has one; `None` if nothing below is to be chosen now.
    fn select_child(&self, graph: &Graph<Self::Data>, n: NodeId) -> Option<NodeId>;

    /// Whether `n`, open and without a job in flight, should get a further child, now that this child of it was selected. As in the
    /// papers: if it is the youngest.
    fn wants_sibling(&self, graph: &Graph<Self::Data>, n: NodeId, selected: NodeId) -> bool {
        Siblings::Eager.are_due(graph, n, selected, Room::Wide)
    }

    /// A job on the last node of `path` was dispatched. For sums along paths; derived data belong in `back_up`.
    fn enter(&self, _graph: &mut Graph<Self::Data>, _path: &[NodeId]) {}

    /// The exact inverse of `enter`.
    fn leave(&self, _graph: &mut Graph<Self::Data>, _path: &[NodeId]) {}

    /// The job on the last node of `path` generated `child`.
    fn credit(&self, _graph: &mut Graph<Self::Data>, _path: &[NodeId], _child: NodeId) {}

    /// The program has looked at `child` again; this is its word now. Without this a node keeps what it was generated with.
    fn revise(&self, _graph: &mut Graph<Self::Data>, _child: NodeId, _value: Self::Value) {}

    fn is_completed(&self, graph: &Graph<Self::Data>) -> bool {
        graph.is_settled(graph.root())
    }

    /// A node's numbers, for people.
    fn show(&self, graph: &Graph<Self::Data>, n: NodeId) -> String;
}
