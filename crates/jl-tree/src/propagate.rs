//! From the children to the root: bounds, flags, and the search's numbers.
//!
//! For an unsettled node n with mover m:
//!
//! - the least m is sure of is the best that any child makes sure; the best m may hope for is the best that any child
//!   allows, *if n is stopped*; an open node's hopes are unlimited;
//! - a child is *live* if it is not settled and m may hope for more from it than n already makes sure;
//! - n is *frontier* if it has no live child that is not blocked: it can only grow by a child of its own;
//! - n is *blocked* if it is frontier and can't grow either, being given up or stopped;
//! - n is *busy* if a job on it is in flight that has not drafted a child;
//! - n is *flagged* if it is frontier and busy or blocked, or if all its live children are flagged (Wu13 §IV-C2).

use crate::bits::{ACTIVE, BLOCKED, DIRTY, DRAFTED, FLAGGED, FRONTIER, GIVEN_UP, QUEUED, SETTLED, STOPPED};
use crate::{Goal, Graph, NodeId};
use jl_value::{Bounds, Outcome, Player};

impl<D: PartialEq> Graph<D> {
    /// Re-establishes everything derived, from `changed` upward, and stops where nothing changes.
    ///
    /// `back_up` gives a node's search data from the node and its children; it is called when those are up to date.
    /// Returns the nodes whose bounds narrowed, children before parents.
    pub fn propagate(&mut self, changed: &[NodeId], back_up: impl Fn(&Graph<D>, NodeId) -> D) -> Vec<NodeId> {
        let mut narrowed = Vec::new();
        for &n in changed {
            self.enqueue(n);
        }
        // First in, first out: where all ways to a node are equally long, each ancestor is computed once.
        while let Some(n) = self.queue.pop_front() {
            let bits = self.scratch(n);
            let dirty = bits.has(DIRTY);
            bits.set(QUEUED | DIRTY, false);
            let before = bits.bounds();
            let changed = self.refresh(n, &back_up);
            if dirty || self.bounds(n) != before {
                narrowed.push(n);
            }
            if dirty || changed {
                self.enqueue_parents(n);
            }
        }
        narrowed
    }

    /// Asks another question of the same graph: the facts stay, everything derived is computed anew.
    pub fn set_goal(&mut self, goal: Goal, back_up: impl Fn(&Graph<D>, NodeId) -> D) {
        self.set_goal_value(goal);
        for n in self.bottom_up() {
            self.scratch(n).set(DIRTY, false);
            self.refresh(n, &back_up);
        }
    }

    /// Computes one node from its children; whether anything changed that a parent can see.
    fn refresh(&mut self, n: NodeId, back_up: &impl Fn(&Graph<D>, NodeId) -> D) -> bool {
        let before = self.bits(n);
        self.derive_bits(n);
        let data = back_up(self, n);
        let differs = *self.data(n) != data;
        if differs {
            self.node_mut(n).data = data;
        }
        differs || self.bits(n) != before
    }

    fn derive_bits(&mut self, n: NodeId) {
        let mut bits = self.bits(n);
        let mover = bits.mover();

        let (mut sure, mut hope) = (0, 0);
        for e in self.edges(n) {
            let (child_sure, child_hope) = self.bits(e.child()).ranks_for(mover);
            sure = sure.max(child_sure);
            hope = hope.max(child_hope);
        }
        let at_least = bound(mover, sure, true);
        let at_most = if bits.has(STOPPED) { bound(mover, hope, false) } else { Bounds::UNKNOWN };
        // A program whose sure words contradict each other is believed the first time.
        let narrowed = bits.bounds().intersect(at_least).unwrap_or(bits.bounds());
        bits.set_bounds(narrowed.intersect(at_most).unwrap_or(narrowed));

        let settled = self.goal().is_settled_by(bits.bounds());
        bits.set(SETTLED, settled);
        self.set_bits(n, bits);

        let (mut frontier, mut flagged) = (true, true);
        if !settled {
            for c in self.live_children(n) {
                let child = self.bits(c);
                frontier &= child.has(BLOCKED);
                flagged &= child.has(FLAGGED);
            }
        }
        let blocked = frontier && bits.has(GIVEN_UP | STOPPED);
        if frontier {
            flagged = blocked || bits.has(ACTIVE) && !bits.has(DRAFTED);
        }
        bits.set(FRONTIER, !settled && frontier);
        bits.set(FLAGGED, !settled && flagged);
        bits.set(BLOCKED, !settled && blocked);
        self.set_bits(n, bits);
    }
}

impl<D: PartialEq + Clone + std::fmt::Debug> Graph<D> {
    /// Panics if anything derived is not what a computation from scratch gives, or if the structure is broken.
    /// Costs a walk over the whole graph: for tests.
    pub fn check(&self, back_up: impl Fn(&Graph<D>, NodeId) -> D) {
        self.check_structure();
        assert!(self.queue.is_empty(), "the propagation queue is not empty");
        let mut fresh = self.clone();
        for n in self.bottom_up() {
            fresh.refresh(n, &back_up);
            let (now, then) = ((self.bits(n), self.data(n)), (fresh.bits(n), fresh.data(n)));
            assert!(now == then, "{n} is stale:\n   has {now:?}\nshould {then:?}");
        }
    }
}

/// "`player` gets at least (or at most) the outcome of this rank", as bounds.
fn bound(player: Player, rank: u8, at_least: bool) -> Bounds {
    let outcome = match (player, rank) {
        (_, 1) => Outcome::Draw,
        (Player::First, 0) | (Player::Second, 2) => Outcome::SecondWins,
        _ => Outcome::FirstWins,
    };
    if (player == Player::First) == at_least { Bounds::at_least(outcome) } else { Bounds::at_most(outcome) }
}
