//! The arena: nodes, edges, parents, and the facts that are set from outside.

use crate::bits::{
    ACTIVE, BLOCKED, Bits, DIRTY, DRAFTED, FLAGGED, FRONTIER, GIVEN_UP, QUEUED, SETTLED, STOPPED,
};
use crate::pages::{Node, Pages};
use crate::{Edge, Goal};
use jl_value::{Bounds, Player};
use std::collections::VecDeque;
use std::fmt;

/// A node of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Nodes are numbered from 0, the root, in the order of their generation.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    #[must_use]
    pub fn from_index(index: usize) -> NodeId {
        NodeId(u32::try_from(index).expect("fewer than 2^31 nodes"))
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// What a new node starts with.
#[derive(Clone, Copy, Debug)]
pub struct Spec<D> {
    pub mover: Player,
    /// What the rules or the program say of it for sure.
    pub bounds: Bounds,
    pub data: D,
}

/// The edge would close a cycle: the child is an ancestor of the parent, or the parent itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cycle {
    pub parent: NodeId,
    pub child: NodeId,
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an edge from {} to {} would close a cycle", self.parent, self.child)
    }
}

impl std::error::Error for Cycle {}

/// The search graph. See the [crate's page](crate).
#[derive(Clone)]
pub struct Graph<D> {
    /// Of every node, always in memory: all that a parent needs to know of a decided child.
    bits: Vec<Bits>,
    /// The rest, some of it on the shelf.
    pub(crate) pages: Pages<D>,
    goal: Goal,
    /// Scratch of the propagation, empty between calls.
    pub(crate) queue: VecDeque<NodeId>,
}

impl<D> Graph<D> {
    /// A graph of a root only.
    pub fn new(goal: Goal, mover: Player, data: D) -> Graph<D> {
        let mut graph = Graph::empty(goal);
        graph.push(Spec { mover, bounds: Bounds::UNKNOWN, data }, None, 0);
        graph
    }

    pub(crate) fn empty(goal: Goal) -> Graph<D> {
        Graph { bits: Vec::new(), pages: Pages::default(), goal, queue: VecDeque::new() }
    }

    fn push(&mut self, spec: Spec<D>, parent: Option<NodeId>, level: u32) -> NodeId {
        let id = NodeId::from_index(self.bits.len());
        assert!(id.0 < 1 << 31, "fewer than 2^31 nodes");
        let mut bits = Bits::new(spec.mover, spec.bounds);
        let settled = self.goal.is_settled_by(spec.bounds);
        bits.set(SETTLED, settled);
        bits.set(FRONTIER, !settled);
        self.bits.push(bits);
        self.pages.push(id, Node::new(spec.data, parent, level));
        id
    }

    /// A node that is on the shelf already.
    pub(crate) fn push_stored(&mut self, bits: Bits) {
        self.bits.push(bits);
    }

    #[must_use]
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The number of nodes.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a graph has at least its root")]
    pub fn len(&self) -> usize {
        self.bits.len()
    }

    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<D> {
        (0..self.bits.len()).map(NodeId::from_index)
    }

    #[must_use]
    pub fn goal(&self) -> Goal {
        self.goal
    }

    pub(crate) fn node(&self, n: NodeId) -> &Node<D> {
        self.pages.node(n)
    }

    pub(crate) fn node_mut(&mut self, n: NodeId) -> &mut Node<D> {
        self.pages.node_mut(n)
    }

    pub(crate) fn bits(&self, n: NodeId) -> Bits {
        self.bits[n.index()]
    }

    /// For the bits that do not last.
    pub(crate) fn scratch(&mut self, n: NodeId) -> &mut Bits {
        &mut self.bits[n.index()]
    }

    pub(crate) fn set_bits(&mut self, n: NodeId, bits: Bits) {
        let before = std::mem::replace(&mut self.bits[n.index()], bits);
        if bits.lasting() != before.lasting() {
            self.pages.mark(n);
        }
    }

    fn set(&mut self, n: NodeId, mask: u16, on: bool) {
        let mut bits = self.bits(n);
        bits.set(mask, on);
        self.set_bits(n, bits);
    }

    #[must_use]
    pub fn data(&self, n: NodeId) -> &D {
        &self.node(n).data
    }

    /// For searches that keep sums along paths. What is derived from the children belongs in the propagation.
    pub fn data_mut(&mut self, n: NodeId) -> &mut D {
        &mut self.node_mut(n).data
    }

    /// The player to move.
    #[must_use]
    pub fn mover(&self, n: NodeId) -> Player {
        self.bits(n).mover()
    }

    #[must_use]
    pub fn bounds(&self, n: NodeId) -> Bounds {
        self.bits(n).bounds()
    }

    /// The goal needs to know nothing more of this node.
    #[must_use]
    pub fn is_settled(&self, n: NodeId) -> bool {
        self.bits(n).has(SETTLED)
    }

    /// Every move that is not among the children loses.
    #[must_use]
    pub fn is_stopped(&self, n: NodeId) -> bool {
        self.bits(n).has(STOPPED)
    }

    /// A job that generates a child of this node is in flight.
    #[must_use]
    pub fn is_active(&self, n: NodeId) -> bool {
        self.bits(n).has(ACTIVE)
    }

    /// A job on this node is in flight, and a child of it can't be had before the job ends.
    #[must_use]
    pub fn is_busy(&self, n: NodeId) -> bool {
        self.is_active(n) && !self.bits(n).has(DRAFTED)
    }

    /// Its jobs failed too often; no more are made.
    #[must_use]
    pub fn is_given_up(&self, n: NodeId) -> bool {
        self.bits(n).has(GIVEN_UP)
    }

    /// Not settled, and without a live child that is not blocked: it can only grow by a child of its own. A leaf is
    /// one; so is an open node all of whose known children are settled.
    #[must_use]
    pub fn is_frontier(&self, n: NodeId) -> bool {
        self.bits(n).has(FRONTIER)
    }

    /// Nothing in this subtree can be selected now: its frontier is busy or blocked.
    #[must_use]
    pub fn is_flagged(&self, n: NodeId) -> bool {
        self.bits(n).has(FLAGGED)
    }

    /// Nothing in this subtree can ever be selected: its frontier is given up or stopped.
    #[must_use]
    pub fn is_blocked(&self, n: NodeId) -> bool {
        self.bits(n).has(BLOCKED)
    }

    /// Answers that came by selections through this node, and the node itself. In a tree this is the size of the subtree.
    #[must_use]
    pub fn count(&self, n: NodeId) -> u32 {
        self.node(n).count
    }

    /// All edges to children, eldest first, echoes included.
    #[must_use]
    pub fn edges(&self, n: NodeId) -> &[Edge] {
        self.pages.edges(n)
    }

    /// The children, eldest first.
    pub fn children(&self, n: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        self.edges(n).iter().filter(|e| !e.is_echo()).map(|e| e.child())
    }

    /// The children that can still change the node's value, eldest first. Only meaningful while `n` is not settled.
    #[inline]
    pub fn live_children(&self, n: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        let bits = self.bits(n);
        let mover = bits.mover();
        let (sure, _) = bits.ranks_for(mover);
        self.edges(n).iter().filter_map(move |e| {
            let bits = self.bits(e.child());
            (!e.is_echo() && !bits.has(SETTLED) && bits.ranks_for(mover).1 > sure).then(|| e.child())
        })
    }

    /// Whether the edge can still change the parent's value.
    #[must_use]
    pub fn is_live(&self, parent: NodeId, child: NodeId) -> bool {
        let mover = self.mover(parent);
        let (sure, _) = self.bits(parent).ranks_for(mover);
        !self.is_settled(parent) && !self.is_settled(child) && self.bits(child).ranks_for(mover).1 > sure
    }

    /// The parents, in the order in which their edges were made.
    pub fn parents(&self, n: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.pages.parents(n)
    }

    /// A new node below `parent`. Call [`Graph::propagate`] from `parent` after it.
    pub fn add_child(&mut self, parent: NodeId, mv: u32, spec: Spec<D>) -> NodeId {
        let level = self.node(parent).level + 1;
        let child = self.push(spec, Some(parent), level);
        self.pages.attach(parent, Edge::new(child, mv, false));
        child
    }

    /// A further edge to a node that exists: a transposition. If `child` is a child of `parent` already, the edge
    /// becomes an echo. Call [`Graph::propagate`] from `parent` after it.
    pub fn link(&mut self, parent: NodeId, mv: u32, child: NodeId) -> Result<(), Cycle> {
        if self.children(parent).any(|c| c == child) {
            self.pages.attach(parent, Edge::new(child, mv, true));
            return Ok(());
        }
        if self.is_above(child, parent) {
            return Err(Cycle { parent, child });
        }
        self.raise(child, self.node(parent).level + 1);
        self.pages.attach(parent, Edge::new(child, mv, false));
        self.pages.add_parent(child, parent);
        Ok(())
    }

    /// Whether `ancestor` is `n` or above it. Levels bound the walk.
    #[must_use]
    pub fn is_above(&self, ancestor: NodeId, n: NodeId) -> bool {
        let floor = self.node(ancestor).level;
        if floor > self.node(n).level {
            return false;
        }
        let mut seen = std::collections::HashSet::from([n]);
        let mut stack = vec![n];
        while let Some(n) = stack.pop() {
            if n == ancestor {
                return true;
            }
            stack.extend(self.parents(n).filter(|&p| self.node(p).level >= floor && seen.insert(p)));
        }
        false
    }

    fn raise(&mut self, n: NodeId, level: u32) {
        let mut stack = vec![(n, level)];
        while let Some((n, level)) = stack.pop() {
            if self.node(n).level < level {
                self.node_mut(n).level = level;
                stack.extend(self.children(n).map(|c| (c, level + 1)));
            }
        }
    }

    /// Sets the stopper: every move that is not among the children loses. Propagate from `n` after it.
    pub fn stop(&mut self, n: NodeId) {
        self.set(n, STOPPED, true);
    }

    /// Adds a sure fact. `false` if it contradicts what is known; then nothing changes. Propagate from `n` after it.
    pub fn narrow(&mut self, n: NodeId, bounds: Bounds) -> bool {
        let known = self.bounds(n);
        let Some(both) = known.intersect(bounds) else { return false };
        let mut bits = self.bits(n);
        bits.set_bounds(both);
        bits.set(DIRTY, bits.has(DIRTY) || both != known);
        self.set_bits(n, bits);
        true
    }

    /// Marks that a job on this node is in flight, or no longer is. Propagate from `n` after it.
    pub fn set_active(&mut self, n: NodeId, active: bool) {
        self.set(n, ACTIVE, active);
        self.set(n, DRAFTED, false);
    }

    /// The job in flight on this node has named a child that the node has not got yet, or all that it has named are there. Propagate
    /// from `n` after it.
    pub fn set_drafted(&mut self, n: NodeId, drafted: bool) {
        self.set(n, DRAFTED, drafted && self.is_active(n));
    }

    /// No more jobs are made for this node, or they are again. Propagate from `n` after it.
    pub fn set_given_up(&mut self, n: NodeId, given_up: bool) {
        self.set(n, GIVEN_UP, given_up);
    }

    /// Something changed that is saved with this node.
    pub fn touch(&mut self, n: NodeId) {
        self.pages.mark(n);
    }

    /// One more answer came by a selection through the nodes of `path`.
    pub fn count_path(&mut self, path: &[NodeId]) {
        for &n in path {
            let count = &mut self.node_mut(n).count;
            *count = count.saturating_add(1);
        }
    }

    /// Whether a way of live edges leads from the root to `n`: only then is a job on `n` worth its time.
    #[must_use]
    pub fn is_relevant(&self, n: NodeId) -> bool {
        let mut seen = std::collections::HashSet::from([n]);
        let mut stack = vec![n];
        if self.is_settled(n) {
            return false;
        }
        while let Some(n) = stack.pop() {
            if n == self.root() {
                return true;
            }
            stack.extend(self.parents(n).filter(|&p| self.is_live(p, n) && seen.insert(p)));
        }
        false
    }

    /// The memory of the graph.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bits.capacity() * size_of::<Bits>() + self.pages.bytes()
    }

    pub(crate) fn set_goal_value(&mut self, goal: Goal) {
        self.goal = goal;
    }

    /// All nodes, children before parents.
    pub(crate) fn bottom_up(&self) -> Vec<NodeId> {
        let mut ids: Vec<NodeId> = self.ids().collect();
        ids.sort_by_key(|&n| std::cmp::Reverse(self.node(n).level));
        ids
    }

    pub(crate) fn enqueue(&mut self, n: NodeId) {
        if !self.bits(n).has(QUEUED) {
            self.scratch(n).set(QUEUED, true);
            self.queue.push_back(n);
        }
    }

    pub(crate) fn enqueue_parents(&mut self, n: NodeId) {
        let mut at = self.pages.first_parent(n);
        while let Some((parent, next)) = at {
            // Nothing can change what is known exactly, and its page may be far away.
            if self.bounds(parent).exact().is_none() {
                self.enqueue(parent);
            }
            at = self.pages.next_parent(n, next);
        }
    }

    /// Panics if parents, children and levels do not fit together.
    pub(crate) fn check_structure(&self) {
        for n in self.ids() {
            for c in self.children(n) {
                let times = self.parents(c).filter(|&p| p == n).count();
                assert!(times == 1, "{c} is a child of {n}, which it has {times} times as a parent");
                assert!(self.node(c).level > self.node(n).level, "the edge {n}-{c} does not go up in level");
            }
            for p in self.parents(n) {
                assert!(
                    self.children(p).any(|c| c == n),
                    "{n} has the parent {p}, which does not have it as a child"
                );
            }
            assert!(!self.bits(n).has(QUEUED | DIRTY), "{n} was not propagated");
        }
    }
}
