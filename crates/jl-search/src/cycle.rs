//! The phases of a job-level search: select, pre-update, undo, update. The same for every search.

use crate::Search;
use jl_tree::{Graph, NodeId};

/// What to compute next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// From the root to the frontier node that gets a child.
    pub path: Vec<NodeId>,
    /// Postponed siblings: the lengths of the prefixes of `path` whose last node should get a further child too,
    /// because its youngest live child was selected, and the search has room for more.
    pub siblings: Vec<usize>,
}

/// Descends from the root to the node to compute next, and changes nothing.
///
/// **Postponed sibling generation** (Wu13 §IV-B): when the youngest child nᵢ of an open node n is selected, J(nᵢ, ∅)
/// generates its first child and J(n, {n₁…nᵢ}) generates nᵢ₊₁. We say *youngest live child*, and do not ask that it
/// be a leaf: a transposition may bring a child that has been searched elsewhere, a sibling may turn out settled as
/// soon as it is generated (a draw), and a sibling job may have failed. In a tree without these the two rules agree. A search may
/// want fewer siblings than that ([`Search::wants_sibling`]).
pub fn select<S: Search>(search: &S, graph: &Graph<S::Data>) -> Option<Selection> {
    let mut n = graph.root();
    let mut path = vec![n];
    let mut siblings = Vec::new();
    if graph.is_settled(n) || graph.is_blocked(n) {
        return None;
    }
    loop {
        let free = !graph.is_busy(n) && !graph.is_given_up(n);
        if graph.is_frontier(n) {
            return free.then_some(Selection { path, siblings });
        }
        let child = search.select_child(graph, n)?;
        if free && !graph.is_stopped(n) && search.wants_sibling(graph, n, child) {
            siblings.push(path.len());
        }
        n = child;
        path.push(n);
    }
}

/// A job on the last node of `path` goes out: the next selection must differ.
pub fn pre_update<S: Search>(search: &S, graph: &mut Graph<S::Data>, path: &[NodeId]) {
    let n = *path.last().expect("a path has a node");
    graph.set_active(n, true);
    search.enter(graph, path);
    graph.propagate(&[n], |g, n| search.back_up(g, n));
}

/// Takes the pre-update back without propagating it: an [`update`] of the same path follows in the same event.
pub fn release<S: Search>(search: &S, graph: &mut Graph<S::Data>, path: &[NodeId]) {
    let n = *path.last().expect("a path has a node");
    graph.set_active(n, false);
    search.leave(graph, path);
}

/// The exact inverse of [`pre_update`].
pub fn undo<S: Search>(search: &S, graph: &mut Graph<S::Data>, path: &[NodeId]) {
    release(search, graph, path);
    graph.propagate(&path[path.len() - 1..], |g, n| search.back_up(g, n));
}

/// The last node of `path` changed: it got a child, or a stopper. Returns the nodes whose bounds narrowed.
pub fn update<S: Search>(
    search: &S,
    graph: &mut Graph<S::Data>,
    path: &[NodeId],
    child: Option<NodeId>,
) -> Vec<NodeId> {
    let n = *path.last().expect("a path has a node");
    let back_up = |g: &Graph<S::Data>, n| search.back_up(g, n);
    let Some(child) = child else { return graph.propagate(&[n], back_up) };
    graph.count_path(path);
    search.credit(graph, path, child);
    graph.propagate(&[child, n], back_up)
}
