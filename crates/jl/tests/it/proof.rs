//! Proof files at the command line.

use crate::support::Place;
use serde_json::json;

const HEADER: &str = r#"{"format":"joblevel-proof","version":1,"game":"connect6","columns":19,"rows":19,"connect":6,"moves":"JJ-AAAB-JKJL-ACAD-JMSS-AGAH","winner":"first","root":4,"nodes":1}"#;
/// JJ to JM are Black's: two stones make a line.
const NODE: &str = r#"{"id":4,"type":"win","move":"JNJO","completes":"JJJO"}"#;

fn place(node: &str) -> Place {
    let place = Place::new();
    place.write("p.proof", &format!("{HEADER}\n{node}\n"));
    place
}

#[test]
fn a_proof_is_verified() {
    let place = place(NODE);
    let out = place.jl(&["proof", "verify", "p.proof"]);
    assert_eq!((out.code, out.stderr.as_str()), (0, ""));
    for part in [
        "S . .",
        " to move",
        "PROVED: Black wins",
        "connect6, JJ-AAAB-",
        "1 nodes, 1 of them leaves",
        "0, at 0 turns",
    ] {
        assert!(out.stdout.contains(part), "{part}: {}", out.stdout);
    }
    let mut v = place.json(&["proof", "verify", "p.proof", "--json"]);
    assert!(v["seconds"].as_f64().is_some());
    v["seconds"] = json!(0);
    let moves = "JJ-AAAB-JKJL-ACAD-JMSS-AGAH";
    assert_eq!(
        v,
        json!({ "proved": true, "game": "connect6", "moves": moves, "winner": "first", "nodes": 1, "leaves": 1, "seconds": 0,
            "turns": 0, "replies": 0, "depth": 1 })
    );
}

#[test]
fn a_flaw_is_named() {
    let place = place(&NODE.replace("JNJO", "JNJP"));
    let expected = "jl: p.proof: node 4: its move does not complete JJJO\n";
    for args in [&["proof", "verify", "p.proof"][..], &["proof", "sgf", "p.proof"]] {
        let out = place.jl(args);
        assert_eq!((out.code, out.stdout.as_str(), out.stderr.as_str()), (1, "", expected));
    }
    let out = place.jl(&["proof", "verify", "p.proof", "--json"]);
    assert_eq!((out.code, out.stderr.as_str()), (1, expected));
    let v = out.json();
    assert_eq!(v["proved"], false);
    assert_eq!(v["flaw"], json!({ "node": 4, "line": "", "wrong": "its move does not complete JJJO" }));
}

#[test]
fn a_file_that_is_no_proof_is_refused() {
    for (node, named) in [
        ("{\"id\":4,\"move\":\"JN", "p.proof: line 2: EOF"),
        ("", "p.proof: line 2: EOF"),
        ("{\"id\":4,\"type\":\"wins\"}", "p.proof: line 2: unknown variant"),
    ] {
        let place = place(node);
        for task in ["verify", "sgf"] {
            let out = place.jl(&["proof", task, "p.proof"]);
            assert_eq!((out.code, out.stdout.as_str(), out.stderr.lines().count()), (2, "", 1));
            assert!(out.stderr.contains(named), "{}", out.stderr);
        }
    }
}

#[test]
fn a_node_that_can_not_be_of_a_proof_is_named() {
    for (node, number, named) in [
        (NODE.replace(":4", ":5"), 5, "node 5 is the last, but the header's root is 4"),
        (NODE.replace("JJJO", "JJJP"), 4, "'JJJP' is not a window"),
        (format!("{NODE}\n{NODE}"), 4, "node 4 was on an earlier line"),
        (r#"{"id":4,"type":"or","move":"JNJO","node":3}"#.into(), 4, "node 3 is on no earlier line"),
    ] {
        let place = place(&node);
        let line = node.lines().count() + 1;
        for task in ["verify", "sgf"] {
            let out = place.jl(&["proof", task, "p.proof"]);
            assert_eq!((out.code, out.stdout.as_str(), out.stderr.lines().count()), (1, "", 1));
            let expected = format!("p.proof: node {number} on line {line}: {named}");
            assert!(out.stderr.contains(&expected), "{}", out.stderr);
        }
        let v = place.jl(&["proof", "verify", "p.proof", "--json"]).json();
        assert_eq!((&v["proved"], &v["flaw"]["node"]), (&json!(false), &json!(number)));
        assert!(v["flaw"]["wrong"].as_str().unwrap().starts_with(named), "{v}");
    }
}

#[test]
fn a_proof_is_drawn() {
    let out = place(NODE).jl(&["proof", "sgf", "p.proof"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert!(out.stdout.starts_with("(;GM[511]C[A proof that Black wins after 6 moves, with 1 nodes."));
    assert!(out.stdout.ends_with(";W[AG];W[AH];B[JN];B[JO]C[Node 4: completes JJJO.])\n"), "{}", out.stdout);
}
