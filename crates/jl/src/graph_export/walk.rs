//! The nodes of a graph, each once, those nearest to the root first.

use super::{Extent, Graph};
use jl_client::Child;
use jl_tree::NodeId;
use std::collections::{HashMap, VecDeque};
use std::io;

/// A node, and the shortest way to it.
pub struct Step {
    pub node: NodeId,
    /// From the root. The children's moves are those of the position that it leads to.
    pub line: Vec<String>,
    pub children: Vec<Child>,
}

pub struct Walk<'a> {
    graph: &'a Graph<'a>,
    extent: Extent,
    /// How each node was come upon: from where, and by which move.
    ways: HashMap<NodeId, Option<(NodeId, String)>>,
    waiting: VecDeque<(NodeId, usize)>,
}

impl<'a> Walk<'a> {
    pub fn new(graph: &'a Graph<'a>, extent: Extent) -> Walk<'a> {
        let root = graph.client.root();
        let waiting = if extent.nodes == 0 { VecDeque::new() } else { VecDeque::from([(root, 0)]) };
        Walk { graph, extent, ways: HashMap::from([(root, None)]), waiting }
    }

    /// Whether the walk came by the node or will.
    pub fn has(&self, node: NodeId) -> bool {
        self.ways.contains_key(&node)
    }

    fn line(&self, mut node: NodeId) -> Vec<String> {
        let mut line = Vec::new();
        while let Some(Some((parent, mv))) = self.ways.get(&node) {
            line.push(mv.clone());
            node = *parent;
        }
        line.reverse();
        line
    }
}

impl Iterator for Walk<'_> {
    type Item = io::Result<Step>;

    fn next(&mut self) -> Option<io::Result<Step>> {
        let (node, depth) = self.waiting.pop_front()?;
        let line = self.line(node);
        let children = match self.graph.client.children(node, &self.graph.moves(&line)) {
            Ok(children) => children,
            Err(e) => return Some(Err(io::Error::other(e))),
        };
        for child in &children {
            let is_new = depth < self.extent.depth && self.ways.len() < self.extent.nodes;
            if is_new && !self.has(child.node) {
                self.ways.insert(child.node, Some((node, child.moves[0].clone())));
                self.waiting.push_back((child.node, depth + 1));
            }
        }
        Some(Ok(Step { node, line, children }))
    }
}
