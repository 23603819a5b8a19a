//! Graphs drawn as text: one node per line, children further to the right.
//!
//! ```text
//! r                 the root; the first player moves there, and is the attacker
//!   a               its children, eldest first
//!     b 8/4 *       a leaf with its numbers; * marks it active (a job on it is in flight)
//!   c 12/2 .        . marks a stopper: no further children
//! ```

use jl_search::Search;
use jl_search::pns::{Numbers, Pns, PnsData};
use jl_tree::{Graph, NodeId, Spec};
use jl_value::{Bounds, Player};
use std::collections::HashMap;

pub struct Sketch {
    pub pns: Pns,
    pub graph: Graph<PnsData>,
    ids: HashMap<String, NodeId>,
}

impl Sketch {
    pub fn new(pns: Pns, text: &str) -> Sketch {
        let attacker = Player::First;
        let mut graph = Graph::new(pns.goal(attacker), attacker, pns.init(Numbers::new(6, 6)));
        let mut ids = HashMap::new();
        let mut path: Vec<(usize, NodeId)> = Vec::new();
        for line in text.lines().filter(|l| !l.trim().is_empty()) {
            let indent = line.len() - line.trim_start().len();
            while path.last().is_some_and(|&(column, _)| column >= indent) {
                path.pop();
            }
            let mut words = line.split_whitespace();
            let name = words.next().unwrap().to_string();
            let mut numbers = Numbers::new(6, 6);
            let (mut active, mut stopped) = (false, false);
            for word in words {
                match word {
                    "*" => active = true,
                    "." => stopped = true,
                    pair => {
                        let (pn, dn) = pair.split_once('/').unwrap();
                        numbers = Numbers::new(pn.parse().unwrap(), dn.parse().unwrap());
                    }
                }
            }
            let id = match path.last() {
                None => graph.root(),
                Some(&(_, parent)) => {
                    let mover = graph.mover(parent).opponent();
                    let spec = Spec { mover, bounds: Bounds::UNKNOWN, data: pns.init(numbers) };
                    graph.add_child(parent, ids.len() as u32, spec)
                }
            };
            if stopped {
                graph.stop(id);
            }
            graph.set_active(id, active);
            ids.insert(name, id);
            path.push((indent, id));
        }
        let mut sketch = Sketch { pns, graph, ids };
        let all: Vec<NodeId> = sketch.graph.ids().collect::<Vec<_>>().into_iter().rev().collect();
        sketch.graph.propagate(&all, |g, n| pns.back_up(g, n));
        sketch.graph.check(|g, n| pns.back_up(g, n));
        sketch
    }

    pub fn id(&self, name: &str) -> NodeId {
        self.ids[name]
    }

    pub fn name(&self, id: NodeId) -> &str {
        self.ids.iter().find(|(_, i)| **i == id).unwrap().0
    }

    pub fn numbers(&self, name: &str) -> String {
        self.pns.numbers(&self.graph, self.id(name)).to_string()
    }

    /// The name of the node that would be selected next.
    pub fn next(&self) -> Option<&str> {
        jl_search::select(&self.pns, &self.graph).map(|s| self.name(s.path[s.path.len() - 1]))
    }

    /// Selects and dispatches, as `times` idle workers would make a client do; the names of the nodes.
    pub fn dispatch(&mut self, times: usize) -> Vec<String> {
        let mut names = Vec::new();
        for _ in 0..times {
            let Some(s) = jl_search::select(&self.pns, &self.graph) else { break };
            names.push(self.name(s.path[s.path.len() - 1]).to_string());
            jl_search::pre_update(&self.pns, &mut self.graph, &s.path);
        }
        names
    }
}
