//! One JSON object, written node by node.

use super::walk::{Step, Walk};
use super::{Extent, Graph};
use serde_json::{Value, json};
use std::io::{self, Write};

pub fn write(graph: &Graph<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (run, game) = (json!(graph.run), json!(graph.parameters.game));
    write!(
        out,
        "{{\"run\":{run},\"game\":{game},\"position\":{},\"nodes\":[",
        json!(graph.parameters.moves)
    )?;
    let mut separator = "";
    for step in Walk::new(graph, Extent { depth: usize::MAX, nodes: usize::MAX }) {
        write!(out, "{separator}\n{}", node(graph, &step?))?;
        separator = ",";
    }
    writeln!(out, "\n]}}")
}

fn node(graph: &Graph<'_>, step: &Step) -> Value {
    let view = graph.client.view(step.node);
    let moves: Vec<Value> = step
        .children
        .iter()
        .map(|child| {
            let mut edge = json!({ "move": child.moves[0], "child": child.node.index() });
            if child.moves.len() > 1 {
                edge["same"] = json!(child.moves[1..]);
            }
            edge
        })
        .collect();
    json!({
        "id": step.node.index(),
        "line": step.line,
        "mover": view.mover.to_string(),
        "value": view.bounds.to_string(),
        "status": view.status.map(|s| s.to_string()),
        "count": view.count,
        "data": view.numbers,
        "stopped": view.is_stopped,
        "active": view.is_active,
        "given_up": view.is_given_up,
        "moves": moves,
    })
}
