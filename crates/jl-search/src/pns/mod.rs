//! JL-PNS: job-level proof-number search (Wu13 §IV, Lin13 §4.2).
//!
//! With attacker A, a node is OR if A is to move, else AND:
//!
//! ```text
//!   OR:   pn = min pn(c)    dn = Σ dn(c)        descend by the least pn
//!   AND:  pn = Σ pn(c)      dn = min dn(c)      descend by the least dn        ties: the elder child
//!   proved 0/∞              disproved ∞/0       leaf: from the program's status
//! ```
//!
//! What happens to a node while a job on it is in flight is the [`Policy`]; which addends the sum takes is the
//! [`Widening`].
//!
//! Deviations from the papers:
//! - *Settled children are left out* of every minimum, maximum and sum. In a minimum and a sum they make no
//!   difference (∞ and 0); in the `mf` family's maximum a disproved child would make its parent look disproved.
//! - *An open node without a live child is a leaf again*, with the numbers it was generated with: the papers' PNS would
//!   call it disproved (proved, at AND) although its next sibling is not known yet. This extends virtual equivalence's
//!   "the eldest child equals its parent" to the next child of a node whose other children are gone.
//! - *The virtual child* of a sibling job takes the numbers of its youngest *live* elder sibling.
//! - *Gradual siblings*, if wanted: [`Siblings`].
//! - *Both sides*: when the attacker turns out not to win, the defender becomes the attacker on the same graph.

mod numbers;
mod policy;
mod widening;

pub use numbers::Numbers;
pub use policy::{Policy, UnknownPolicy};
pub use widening::Widening;

use crate::{Room, Search, Siblings};
use jl_tree::{Goal, Graph, NodeId};
use jl_value::Player;
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};

/// A node's numbers now, and those it was generated with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PnsData {
    /// For the present attacker.
    now: Numbers,
    /// With the first player as attacker.
    initial: Numbers,
    /// The jobs in flight whose paths go through it, if the policy wants to know.
    #[serde(default, skip_serializing_if = "is_none")]
    jobs: u32,
}

/// Jobs that are not counted leave no trace, so that the digests of old runs hold.
impl Hash for PnsData {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let PnsData { now, initial, jobs } = self;
        (now, initial).hash(state);
        if *jobs != 0 {
            jobs.hash(state);
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_none(jobs: &u32) -> bool {
    *jobs == 0
}

/// The search's parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pns {
    pub policy: Policy,
    pub widening: Widening,
    pub siblings: Siblings,
}

impl Pns {
    /// The node's numbers for the present attacker.
    #[must_use]
    pub fn numbers(&self, graph: &Graph<PnsData>, n: NodeId) -> Numbers {
        graph.data(n).now
    }

    fn inner(&self, graph: &Graph<PnsData>, n: NodeId, or: bool) -> Numbers {
        let modified = self.policy.is_modified();
        let (mut least, mut least_free, mut most) = (Numbers::INFINITY, Numbers::INFINITY, 0);
        let mut any_free = false;
        let mut sum = self.widening.sum();
        let mut youngest = Numbers::DISPROVED;
        for c in graph.live_children(n) {
            youngest = graph.data(c).now;
            let (selector, addend) = youngest.selector_and_addend(or);
            sum.add(selector, addend);
            least = least.min(selector);
            if modified {
                most = most.max(selector);
                if !graph.is_flagged(c) {
                    any_free = true;
                    least_free = least_free.min(selector);
                }
            }
        }
        if self.policy.has_equivalence() && graph.is_active(n) {
            let (selector, addend) = youngest.selector_and_addend(or);
            sum.add(selector, addend);
        }
        let selector = match (modified, any_free) {
            (false, _) => least,
            (true, true) => least_free,
            (true, false) => most,
        };
        Numbers::from_selector_and_addend(or, selector, sum.total())
    }

    /// Whether it takes all of the node's children to decide it as its numbers expect: an AND node that seems won for the attacker, an
    /// OR node that seems not to be. Elsewhere one child is enough.
    fn needs_all(&self, graph: &Graph<PnsData>, n: NodeId, or: bool) -> bool {
        let Numbers { pn, dn } = graph.data(n).now;
        if or { pn > dn } else { pn <= dn }
    }
}

fn attacker(goal: Goal) -> Player {
    match goal {
        Goal::Win(attacker) => attacker,
        Goal::Exact => panic!("JL-PNS asks whether a player wins"),
    }
}

impl Search for Pns {
    type Data = PnsData;
    type Value = Numbers;

    fn name(&self) -> &'static str {
        "pns"
    }

    fn policy(&self) -> String {
        self.policy.to_string()
    }

    fn goal(&self, root_mover: Player) -> Goal {
        Goal::Win(root_mover)
    }

    fn next_goal(&self, graph: &Graph<PnsData>) -> Option<Goal> {
        let bounds = graph.bounds(graph.root());
        let attacker = attacker(graph.goal());
        (bounds.exact().is_none() && bounds.cannot_win(attacker)).then(|| Goal::Win(attacker.opponent()))
    }

    fn init(&self, value: Numbers) -> PnsData {
        // Only bounds settle a node: the numbers of one that looks settled must still be ones to choose by.
        let initial = value.unsettled();
        PnsData { now: initial, initial, jobs: 0 }
    }

    fn back_up(&self, graph: &Graph<PnsData>, n: NodeId) -> PnsData {
        let attacker = attacker(graph.goal());
        let PnsData { initial, jobs, .. } = *graph.data(n);
        let now = if graph.is_settled(n) {
            if graph.bounds(n).is_win_of(attacker) { Numbers::PROVED } else { Numbers::DISPROVED }
        } else if graph.is_frontier(n) {
            let leaf = initial.for_attacker(attacker);
            if graph.is_busy(n) { self.policy.active_leaf(leaf) } else { leaf }
        } else {
            self.inner(graph, n, graph.mover(n) == attacker)
        };
        PnsData { now, initial, jobs }
    }

    fn select_child(&self, graph: &Graph<PnsData>, n: NodeId) -> Option<NodeId> {
        let or = graph.mover(n) == attacker(graph.goal());
        let flags = self.policy.has_flags();
        let spreads = self.policy.spreads() && self.needs_all(graph, n, or);
        let mut best = None;
        let mut least = Numbers::INFINITY;
        for c in graph.live_children(n) {
            let hidden = if flags { graph.is_flagged(c) } else { graph.is_blocked(c) };
            let (mut selector, _) = graph.data(c).now.selector_and_addend(or);
            if spreads {
                selector = Numbers::times(selector, 1 + graph.data(c).jobs);
            }
            if selector < least && !hidden {
                (best, least) = (Some(c), selector);
            }
        }
        // A virtual win or loss of the whole node: whatever its jobs bring, nothing more is to be chosen here now.
        if least == 0 { None } else { best }
    }

    fn wants_sibling(&self, graph: &Graph<PnsData>, n: NodeId, selected: NodeId) -> bool {
        let or = graph.mover(n) == attacker(graph.goal());
        self.siblings.are_due(graph, n, selected, if or { Room::Wide } else { Room::Narrow })
    }

    fn enter(&self, graph: &mut Graph<PnsData>, path: &[NodeId]) {
        if self.policy.spreads() {
            path.iter().for_each(|&n| graph.data_mut(n).jobs += 1);
        }
    }

    fn leave(&self, graph: &mut Graph<PnsData>, path: &[NodeId]) {
        if self.policy.spreads() {
            path.iter().for_each(|&n| graph.data_mut(n).jobs -= 1);
        }
    }

    fn revise(&self, graph: &mut Graph<PnsData>, child: NodeId, value: Numbers) {
        graph.data_mut(child).initial = value.unsettled();
    }

    fn show(&self, graph: &Graph<PnsData>, n: NodeId) -> String {
        self.numbers(graph, n).to_string()
    }
}
