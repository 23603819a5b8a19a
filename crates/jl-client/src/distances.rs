//! How much the program's word on a node differs from its word on the node before (Lin13 §4.3.2, Figs 35 and 36).

use crate::application::Application;
use crate::client::Client;
use jl_tree::NodeId;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// How often each distance came up: steps on the scale of [`jl_game::Status`], from win to win in ten. Nodes that the
/// program did not look at, or called unstable, are left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Distances {
    /// Of an eldest child from its parent.
    pub parent: BTreeMap<i32, u64>,
    /// Of any other child from its youngest elder sibling.
    pub sibling: BTreeMap<i32, u64>,
}

impl AddAssign<&Distances> for Distances {
    fn add_assign(&mut self, other: &Distances) {
        for (sum, more) in [(&mut self.parent, &other.parent), (&mut self.sibling, &other.sibling)] {
            for (&distance, &count) in more {
                *sum.entry(distance).or_default() += count;
            }
        }
    }
}

impl<A: Application> Client<A> {
    /// Over the whole graph. A node with several parents counts below each.
    #[must_use]
    pub fn distances(&self) -> Distances {
        let scale = |n: NodeId| self.status(n).and_then(|status| status.scale());
        let mut distances = Distances::default();
        for n in self.graph().ids() {
            let mut before = n;
            for (i, child) in self.graph().children(n).enumerate() {
                if let (Some(from), Some(to)) = (scale(before), scale(child)) {
                    let kind = if i == 0 { &mut distances.parent } else { &mut distances.sibling };
                    *kind.entry(to - from).or_default() += 1;
                }
                before = child;
            }
        }
        distances
    }
}
