//! The search graph: an arena of nodes with several parents, bounds, flags and stoppers.
//!
//! [`Graph`] is the principal type. It keeps what every job-level search needs and no search has to write again:
//!
//! - **structure**: children in the order of their generation, transpositions as further parents, no cycles;
//! - **proofs**: each node's [`Bounds`](jl_value::Bounds), narrowed from the children to the root. A node is *open*
//!   until a stopper says that it has no further children that matter; an open node can't be lost for its mover;
//! - **flags**: which nodes are active (a job that generates a child of it is in flight), and which subtrees have
//!   nothing left to select because of that;
//! - **memory**: a graph that outgrows it keeps what nobody visits on a [`Shelf`], and one that was saved is
//!   [restored](Graph::restored);
//! - **search data**: one `D` per node, computed by the search from the node and its children.
//!
//! The design decision that carries everything else: bounds, flags and search data of a node are a **pure function**
//! of the node's own facts and of its children. [`Graph::propagate`] re-establishes them upward from a change and
//! stops where nothing changes. Marking a node active and unmarking it again therefore restores the graph exactly,
//! whatever happened elsewhere in between, and no search has to write an inverse of its pre-update.
//!
//! ```
//! use jl_tree::{Goal, Graph, Spec};
//! use jl_value::{Bounds, Outcome, Player};
//!
//! // A root whose mover has one drawing move, and no other that is better than a loss.
//! let mut g = Graph::new(Goal::Exact, Player::First, ());
//! let root = g.root();
//! g.add_child(root, 7, Spec { mover: Player::Second, bounds: Bounds::exactly(Outcome::Draw), data: () });
//! g.propagate(&[root], |_, _| ());
//! assert!(!g.is_settled(root)); // it is still open: another move may win
//! g.stop(root);
//! g.propagate(&[root], |_, _| ());
//! assert_eq!(g.bounds(root).exact(), Some(Outcome::Draw));
//! ```

mod bits;
mod digest;
mod edges;
mod graph;
mod pages;
mod propagate;

pub use edges::Edge;
pub use graph::{Cycle, Graph, NodeId, Spec};
pub use pages::{PAGE, Record, Shelf};

use jl_value::{Bounds, Player};

/// The question that a search asks of the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Does this player win? A draw is as good as a loss.
    Win(Player),
    /// What is the value?
    Exact,
}

impl Goal {
    /// Nothing more needs to be known of a node with these bounds.
    #[must_use]
    pub fn is_settled_by(self, bounds: Bounds) -> bool {
        match self {
            Goal::Win(attacker) => bounds.is_win_of(attacker) || bounds.cannot_win(attacker),
            Goal::Exact => bounds.exact().is_some(),
        }
    }
}
