//! A drawing for Graphviz.

use super::walk::Walk;
use super::{Extent, Graph};
use jl_value::{Bounds, Outcome};
use std::io::{self, Write};

pub fn write(graph: &Graph<'_>, extent: Extent, out: &mut dyn Write) -> io::Result<()> {
    let mut walk = Walk::new(graph, extent);
    let mut steps = Vec::new();
    for step in &mut walk {
        steps.push(step?);
    }
    writeln!(out, "digraph run {{")?;
    writeln!(out, "  node [shape=box, style=filled, fillcolor=white, fontname=\"sans-serif\"];")?;
    for step in &steps {
        let view = graph.client.view(step.node);
        let mut words = graph.describe(&view);
        let hidden = step.children.iter().filter(|c| !walk.has(c.node)).count();
        if hidden > 0 {
            words.push(format!("{hidden} more"));
        }
        let label: Vec<String> = words.iter().map(|w| escaped(w)).collect();
        let (id, label) = (step.node.index(), label.join("\\n"));
        let border = if hidden > 0 { ", style=\"filled,dashed\"" } else { "" };
        writeln!(out, "  n{id} [label=\"{label}\", fillcolor={}{border}];", color(view.bounds))?;
    }
    for step in &steps {
        for child in step.children.iter().filter(|c| walk.has(c.node)) {
            let (from, to) = (step.node.index(), child.node.index());
            writeln!(out, "  n{from} -> n{to} [label=\"{}\"];", escaped(&child.moves[0]))?;
        }
    }
    writeln!(out, "}}")
}

fn color(bounds: Bounds) -> &'static str {
    match bounds.exact() {
        None => "white",
        Some(Outcome::Draw) => "lightgrey",
        Some(Outcome::FirstWins) => "lightblue",
        Some(Outcome::SecondWins) => "lightsalmon",
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
