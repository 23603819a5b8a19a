//! The edges of a page's nodes in one pool: a node's edges are contiguous, in the order of generation.
//!
//! A run of edges has room for the next power of two of its length; a run that outgrows it moves to a larger one, and
//! its old place is kept for the next run of that size. Iterating over the children of a node is then a walk over
//! one or two cache lines, which is where the client spends its time.

use crate::NodeId;

const ECHO: u32 = 1 << 31;

/// An edge from a node to one of its children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    child: u32,
    /// The move, as the game's code for it.
    pub mv: u32,
}

impl Edge {
    #[must_use]
    pub fn new(child: NodeId, mv: u32, echo: bool) -> Edge {
        Edge { child: child.0 | if echo { ECHO } else { 0 }, mv }
    }

    #[must_use]
    pub fn child(self) -> NodeId {
        NodeId(self.child & !ECHO)
    }

    /// The same child as an elder edge, by another move. It counts as prohibited, but not as one more child.
    #[must_use]
    pub fn is_echo(self) -> bool {
        self.child & ECHO != 0
    }
}

/// Where a node's edges are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Run {
    start: u32,
    len: u32,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct EdgePool {
    edges: Vec<Edge>,
    /// Free runs by the logarithm of their capacity.
    free: Vec<Vec<u32>>,
}

impl EdgePool {
    pub(crate) fn get(&self, run: Run) -> &[Edge] {
        &self.edges[run.start as usize..(run.start + run.len) as usize]
    }

    pub(crate) fn push(&mut self, run: Run, edge: Edge) -> Run {
        let Run { start, len } = run;
        let full = len == 0 || len.is_power_of_two();
        let start = if full { self.grow(run) } else { start };
        self.edges[(start + len) as usize] = edge;
        Run { start, len: len + 1 }
    }

    /// Moves a full run to one of twice its capacity.
    fn grow(&mut self, Run { start, len }: Run) -> u32 {
        let capacity = (2 * len).max(1);
        let class = capacity.trailing_zeros() as usize;
        if self.free.len() <= class {
            self.free.resize_with(class + 1, Vec::new);
        }
        let place = self.free[class].pop().unwrap_or_else(|| {
            let place = u32::try_from(self.edges.len()).expect("fewer than 2^32 edges");
            self.edges.resize(self.edges.len() + capacity as usize, Edge { child: 0, mv: 0 });
            place
        });
        if len > 0 {
            self.edges.copy_within(start as usize..(start + len) as usize, place as usize);
            self.free[class - 1].push(start);
        }
        place
    }

    pub(crate) fn bytes(&self) -> usize {
        self.edges.capacity() * size_of::<Edge>() + self.free.iter().map(|f| f.capacity() * 4).sum::<usize>()
    }
}
