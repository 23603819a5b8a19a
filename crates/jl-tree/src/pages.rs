//! Where the nodes are: in pages, in memory or on a shelf.
//!
//! A graph may outgrow the memory. Its nodes come in pages of consecutive numbers, that is of neighbours in time: a best-first
//! search stays in one region for a while, so these are neighbours in the graph too. A page that nothing has visited for long can be put
//! on a [`Shelf`] (a database) and comes back by itself when one of its nodes is visited. Only what the store has can
//! leave the memory: every page knows which of its nodes are not saved.
//!
//! What is decided is never visited again: a parent sees the value of a child in its bits, which stay in memory, two bytes a
//! node. So a decided subtree costs no more than that, once its pages have gone.

use crate::bits::Bits;
use crate::edges::{EdgePool, Run};
use crate::{Edge, Goal, Graph, NodeId};
use std::cell::{Cell, OnceCell};
use std::ops::Range;
use std::rc::Rc;

/// Nodes of a page.
pub const PAGE: usize = 1024;

const NONE: u32 = u32::MAX;

/// 24 bytes and the search's data.
#[derive(Clone, Debug)]
pub(crate) struct Node<D> {
    pub(crate) data: D,
    run: Run,
    parent: u32,
    /// Index of the first further parent in the page's `more_parents`.
    more_parents: u32,
    /// Answers that came by selections through this node, and the node itself.
    pub(crate) count: u32,
    /// Above the level of every parent: what shows most new edges at a glance to close no cycle.
    pub(crate) level: u32,
}

impl<D> Node<D> {
    pub(crate) fn new(data: D, parent: Option<NodeId>, level: u32) -> Node<D> {
        let parent = parent.map_or(NONE, |p| p.0);
        Node { data, run: Run::default(), parent, more_parents: NONE, count: 1, level }
    }
}

#[derive(Clone, Copy, Debug)]
struct ParentLink {
    parent: u32,
    next: u32,
}

#[derive(Clone)]
struct Page<D> {
    nodes: Vec<Node<D>>,
    edges: EdgePool,
    more_parents: Vec<ParentLink>,
    /// Which nodes the store does not have as they are.
    unsaved: [u64; PAGE / 64],
    /// When it was last visited.
    visited: Cell<u32>,
}

impl<D> Page<D> {
    fn new() -> Page<D> {
        Page {
            nodes: Vec::new(),
            edges: EdgePool::default(),
            more_parents: Vec::new(),
            unsaved: [0; PAGE / 64],
            visited: Cell::new(0),
        }
    }

    fn of(records: Vec<Record<D>>) -> Page<D> {
        let mut page = Page::new();
        page.nodes.reserve_exact(records.len());
        for (at, Record { count, level, parents, edges, data, .. }) in records.into_iter().enumerate() {
            page.nodes.push(Node { count, ..Node::new(data, parents.first().copied(), level) });
            for &parent in parents.iter().skip(1) {
                page.add_parent(at, parent);
            }
            for edge in edges {
                page.attach(at, edge);
            }
        }
        page
    }

    fn attach(&mut self, at: usize, edge: Edge) {
        let run = self.edges.push(self.nodes[at].run, edge);
        self.nodes[at].run = run;
    }

    fn add_parent(&mut self, at: usize, parent: NodeId) {
        let link = u32::try_from(self.more_parents.len()).expect("fewer than 2^32 transpositions");
        self.more_parents.push(ParentLink { parent: parent.0, next: NONE });
        let mut last = self.nodes[at].more_parents;
        if last == NONE {
            self.nodes[at].more_parents = link;
            return;
        }
        while self.more_parents[last as usize].next != NONE {
            last = self.more_parents[last as usize].next;
        }
        self.more_parents[last as usize].next = link;
    }

    fn parents(&self, at: usize) -> impl Iterator<Item = NodeId> + '_ {
        let Node { parent, more_parents: mut next, .. } = self.nodes[at];
        let first = (parent != NONE).then_some(NodeId(parent));
        let more = std::iter::from_fn(move || {
            let link = (next != NONE).then(|| self.more_parents[next as usize])?;
            next = link.next;
            Some(NodeId(link.parent))
        });
        first.into_iter().chain(more)
    }

    fn is_saved(&self) -> bool {
        self.unsaved.iter().all(|&word| word == 0)
    }

    fn bytes(&self) -> usize {
        size_of::<Page<D>>()
            + self.nodes.capacity() * size_of::<Node<D>>()
            + self.edges.bytes()
            + self.more_parents.capacity() * size_of::<ParentLink>()
    }
}

/// A node as a store keeps it.
#[derive(Clone, PartialEq, Debug)]
pub struct Record<D> {
    /// Facts and flags, as they were given; see [`Graph::record`].
    pub bits: u16,
    pub count: u32,
    pub level: u32,
    pub parents: Vec<NodeId>,
    /// Eldest first.
    pub edges: Vec<Edge>,
    pub data: D,
}

/// Where pages come from that are not in memory.
pub trait Shelf<D> {
    /// The nodes of these numbers, all of them, in order, as they were saved. There is no way to go on without them: what can't be read is a
    /// panic.
    fn load(&self, nodes: Range<usize>) -> Vec<Record<D>>;
}

/// All nodes but for their bits.
#[derive(Clone)]
pub(crate) struct Pages<D> {
    pages: Vec<OnceCell<Box<Page<D>>>>,
    len: usize,
    /// Counts up; see [`Graph::pass_time`].
    now: u32,
    shelf: Option<Rc<dyn Shelf<D>>>,
}

impl<D> Default for Pages<D> {
    fn default() -> Pages<D> {
        Pages { pages: Vec::new(), len: 0, now: 0, shelf: None }
    }
}

fn place(n: NodeId) -> (usize, usize) {
    (n.index() / PAGE, n.index() % PAGE)
}

impl<D> Pages<D> {
    fn fetch(&self, page: usize) -> Box<Page<D>> {
        let shelf = self.shelf.as_ref().expect("only a graph with a shelf has pages that are not in memory");
        let nodes = page * PAGE..self.len.min((page + 1) * PAGE);
        let records = shelf.load(nodes.clone());
        assert_eq!(records.len(), nodes.len(), "the shelf has all nodes");
        Box::new(Page::of(records))
    }

    fn page(&self, page: usize) -> &Page<D> {
        let page = self.pages[page].get_or_init(|| self.fetch(page));
        page.visited.set(self.now);
        page
    }

    fn page_mut(&mut self, page: usize) -> &mut Page<D> {
        self.page(page);
        self.pages[page].get_mut().expect("it was just fetched")
    }

    pub(crate) fn push(&mut self, id: NodeId, node: Node<D>) {
        let (page, at) = place(id);
        if page == self.pages.len() {
            self.pages.push(OnceCell::from(Box::new(Page::new())));
        }
        let nodes = &mut self.page_mut(page).nodes;
        assert_eq!(at, nodes.len(), "nodes come in order");
        nodes.push(node);
        self.len += 1;
        self.mark(id);
    }

    pub(crate) fn node(&self, n: NodeId) -> &Node<D> {
        let (page, at) = place(n);
        &self.page(page).nodes[at]
    }

    /// The node counts as not saved from now on.
    pub(crate) fn node_mut(&mut self, n: NodeId) -> &mut Node<D> {
        let (page, at) = place(n);
        let page = self.page_mut(page);
        page.unsaved[at / 64] |= 1 << (at % 64);
        &mut page.nodes[at]
    }

    /// The store does not have this node as it is.
    pub(crate) fn mark(&mut self, n: NodeId) {
        self.node_mut(n);
    }

    pub(crate) fn edges(&self, n: NodeId) -> &[Edge] {
        let (page, at) = place(n);
        let page = self.page(page);
        page.edges.get(page.nodes[at].run)
    }

    pub(crate) fn attach(&mut self, parent: NodeId, edge: Edge) {
        self.mark(parent);
        let (page, at) = place(parent);
        self.page_mut(page).attach(at, edge);
    }

    pub(crate) fn parents(&self, n: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let (page, at) = place(n);
        self.page(page).parents(at)
    }

    pub(crate) fn add_parent(&mut self, child: NodeId, parent: NodeId) {
        self.mark(child);
        let (page, at) = place(child);
        self.page_mut(page).add_parent(at, parent);
    }

    /// A parent, and where the next one is: for a walk during which the graph changes.
    pub(crate) fn first_parent(&self, n: NodeId) -> Option<(NodeId, u32)> {
        let node = self.node(n);
        (node.parent != NONE).then_some((NodeId(node.parent), node.more_parents))
    }

    pub(crate) fn next_parent(&self, n: NodeId, link: u32) -> Option<(NodeId, u32)> {
        let link = (link != NONE).then(|| self.page(place(n).0).more_parents[link as usize])?;
        Some((NodeId(link.parent), link.next))
    }

    fn in_memory(&self) -> impl Iterator<Item = (usize, &Page<D>)> {
        self.pages.iter().enumerate().filter_map(|(i, cell)| Some((i, &**cell.get()?)))
    }

    pub(crate) fn bytes(&self) -> usize {
        let cells = self.pages.capacity() * size_of::<OnceCell<Box<Page<D>>>>();
        cells + self.in_memory().map(|(_, page)| page.bytes()).sum::<usize>()
    }
}

/// A graph that does not fit into memory, or that is to be there again after a crash.
impl<D> Graph<D> {
    /// A graph from what was saved of it. The records come in the order of their nodes; as many as fit into `bytes` stay in memory.
    /// `None` if they are no records of a graph.
    pub fn restored(
        goal: Goal,
        records: impl IntoIterator<Item = Record<D>>,
        shelf: Rc<dyn Shelf<D>>,
        bytes: usize,
    ) -> Option<Graph<D>> {
        let mut graph = Graph::empty(goal);
        graph.pages.shelf = Some(shelf);
        let mut used = 0;
        let mut records = records.into_iter();
        loop {
            let page: Vec<Record<D>> = records.by_ref().take(PAGE).collect();
            if page.is_empty() {
                break;
            }
            for record in &page {
                graph.push_stored(Bits::from_lasting(record.bits)?);
            }
            graph.pages.len += page.len();
            let full = page.len() == PAGE;
            let cell = OnceCell::new();
            if used < bytes {
                let page = cell.get_or_init(|| Box::new(Page::of(page)));
                used += page.bytes();
            }
            graph.pages.pages.push(cell);
            if !full {
                break;
            }
        }
        (graph.len() > 0).then_some(graph)
    }

    /// From now on pages can leave the memory, and come back from here.
    pub fn set_shelf(&mut self, shelf: Rc<dyn Shelf<D>>) {
        self.pages.shelf = Some(shelf);
    }

    /// The nodes that changed since they were last saved, in order.
    #[must_use]
    pub fn unsaved(&self) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        for (i, page) in self.pages.in_memory() {
            for (w, &word) in page.unsaved.iter().enumerate() {
                let mut left = word;
                while left != 0 {
                    nodes.push(NodeId::from_index(i * PAGE + w * 64 + left.trailing_zeros() as usize));
                    left &= left - 1;
                }
            }
        }
        nodes
    }

    /// The store has everything as it is now.
    pub fn mark_saved(&mut self) {
        for page in self.pages.pages.iter_mut().filter_map(OnceCell::get_mut) {
            page.unsaved = [0; PAGE / 64];
        }
    }

    /// Visits from now on are later than those before.
    pub fn pass_time(&mut self) {
        self.pages.now += 1;
    }

    /// Takes pages out of memory, those first that were not visited for longest, until the graph takes no more than `bytes` or
    /// everything that is left is not saved. How many went.
    pub fn trim(&mut self, bytes: usize) -> usize {
        if self.pages.shelf.is_none() {
            return 0;
        }
        let mut used = self.bytes();
        let mut saved: Vec<(u32, usize)> =
            self.pages.in_memory().filter(|(_, p)| p.is_saved()).map(|(i, p)| (p.visited.get(), i)).collect();
        saved.sort_unstable();
        // The last page grows; it is needed next.
        saved.retain(|&(_, i)| i + 1 < self.pages.pages.len());
        let mut gone = 0;
        for (_, i) in saved {
            if used <= bytes {
                break;
            }
            let page = self.pages.pages[i].take();
            used -= page.map_or(0, |p| p.bytes());
            gone += 1;
        }
        gone
    }

    /// Pages in memory, and all pages.
    #[must_use]
    pub fn pages(&self) -> (usize, usize) {
        (self.pages.in_memory().count(), self.pages.pages.len())
    }
}

impl<D: Clone> Graph<D> {
    /// The node as a store keeps it.
    #[must_use]
    pub fn record(&self, n: NodeId) -> Record<D> {
        let (page, at) = place(n);
        self.record_of(n, self.pages.page(page), at)
    }

    fn record_of(&self, n: NodeId, page: &Page<D>, at: usize) -> Record<D> {
        let node = &page.nodes[at];
        Record {
            bits: self.bits(n).lasting(),
            count: node.count,
            level: node.level,
            parents: page.parents(at).collect(),
            edges: page.edges.get(node.run).to_vec(),
            data: node.data.clone(),
        }
    }

    /// All nodes as a store keeps them, in order. Pages that are not in memory are read, but do not stay.
    pub fn records(&self) -> impl Iterator<Item = Record<D>> + '_ {
        (0..self.pages.pages.len()).flat_map(move |i| {
            let fetched = self.pages.pages[i].get().is_none().then(|| self.pages.fetch(i));
            let page = fetched.as_deref().unwrap_or_else(|| self.pages.page(i));
            let id = |at| NodeId::from_index(i * PAGE + at);
            (0..page.nodes.len()).map(|at| self.record_of(id(at), page, at)).collect::<Vec<_>>()
        })
    }
}

impl<D: Clone + PartialEq> PartialEq for Graph<D> {
    /// As stores see it: what is in memory makes no difference.
    fn eq(&self, other: &Graph<D>) -> bool {
        self.goal() == other.goal() && self.len() == other.len() && self.records().eq(other.records())
    }
}

impl<D> std::fmt::Debug for Graph<D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (here, all) = self.pages();
        write!(f, "Graph of {} nodes, {here} of {all} pages in memory", self.len())
    }
}
