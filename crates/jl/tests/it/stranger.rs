//! A checker that somebody else could have written: `bench/proof_checker.py`, from docs/proof-format.md alone.

use crate::support::{Outcome, Place};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::process::{Command, Stdio};

fn stranger(place: &Place, file: &str) -> Outcome {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/proof_checker.py");
    let mut command = Command::new("python3");
    command.arg(script).arg(file).current_dir(place.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Outcome::of(command.spawn().unwrap())
}

/// The children that a node names.
fn children(node: &Value) -> Vec<u64> {
    let branches = ["replies", "others"].into_iter().filter_map(|field| node[field].as_array()).flatten();
    branches.chain([node]).filter_map(|v| v["node"].as_u64()).collect()
}

/// The file without one reply, and without the nodes that nothing refers to any more; the node that lacks it.
fn without_a_reply(text: &str) -> (String, u64) {
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let node = lines.iter_mut().rfind(|v| v["replies"].as_array().is_some_and(|r| !r.is_empty())).unwrap();
    node["replies"].as_array_mut().unwrap().pop();
    let id = node["id"].as_u64().unwrap();
    let mut used = HashSet::from([lines[0]["root"].as_u64().unwrap()]);
    for node in lines[1..].iter().rev() {
        if used.contains(&node["id"].as_u64().unwrap()) {
            used.extend(children(node));
        }
    }
    lines.retain(|v| v["id"].as_u64().is_none_or(|id| used.contains(&id)));
    lines[0]["nodes"] = json!(lines.len() - 1);
    (lines.iter().map(|line| format!("{line}\n")).collect(), id)
}

#[test]
fn a_stranger_agrees() {
    let place = Place::new();
    // Won by threats; and one that needs replies which only the run has refuted.
    for moves in ["JJ-HLIH-LJKK-HJHI-JLHK-FKGJ-DMJG-IMJK", "JJ-IHHI-KKLJ-FKGJ-ELJG"] {
        place.json(&["solve", "connect6", "--moves", moves, "--proof", "a.proof", "--json"]);
        let out = stranger(&place, "a.proof");
        assert_eq!((out.code, out.stdout.as_str(), out.stderr.as_str()), (0, "proved\n", ""));
    }
    let (less, node) = without_a_reply(&std::fs::read_to_string(place.file("a.proof")).unwrap());
    place.write("b.proof", &less);
    let theirs = stranger(&place, "b.proof");
    let ours = place.jl(&["proof", "verify", "b.proof"]);
    assert_eq!((theirs.code, ours.code), (1, 1), "{}{}", theirs.stdout, ours.stderr);
    assert!(theirs.stdout.contains(&format!("node {node}: no branch covers")), "{}", theirs.stdout);
    assert!(ours.stderr.contains(&format!("node {node}")) && ours.stderr.contains("no branch covers"));
    place.write("c.proof", less.trim_end().rsplit_once('\n').unwrap().0);
    for file in ["c.proof", "missing.proof"] {
        let codes = (stranger(&place, file).code, place.jl(&["proof", "verify", file]).code);
        assert_eq!(codes, (2, 2), "{file}");
    }
}
