//! The graph of a run, written down.

use crate::support::Place;
use jl_game::Game;
use jl_game::sgf;
use jl_games::connect6::Connect;
use jl_games::tictactoe::TicTacToe;
use serde_json::Value;
use std::collections::HashSet;
use std::io::Read;
use std::process::Stdio;
use std::time::Duration;

fn parsed(place: &Place, args: &[&str]) -> Value {
    let out = place.jl(args);
    assert_eq!(out.code, 0, "{}", out.stderr);
    serde_json::from_str(&out.stdout).unwrap()
}

fn edges(graph: &Value) -> Vec<(u64, u64, String)> {
    let edge = |node: &Value, m: &Value| {
        (node["id"].as_u64().unwrap(), m["child"].as_u64().unwrap(), m["move"].as_str().unwrap().to_string())
    };
    let nodes = graph["nodes"].as_array().unwrap();
    nodes.iter().flat_map(|n| n["moves"].as_array().unwrap().iter().map(move |m| edge(n, m))).collect()
}

#[test]
fn json_has_every_node_and_every_move() {
    let place = Place::new();
    let solved = place.json(&["solve", "tictactoe", "--run", "t.jl", "--workers", "2", "--json"]);
    let before = std::fs::read(place.file("t.jl")).unwrap();
    let graph = parsed(&place, &["export", "t.jl", "--json"]);
    assert_eq!(std::fs::read(place.file("t.jl")).unwrap(), before, "the run is only read");
    assert_eq!((&graph["run"], &graph["position"]), (&Value::from("t.jl"), &Value::from("")));
    let nodes = graph["nodes"].as_array().unwrap();
    assert_eq!(nodes.len() as u64, solved["nodes"].as_u64().unwrap());
    assert_eq!(nodes[0]["value"], solved["bounds"]);
    let ids: HashSet<u64> = nodes.iter().map(|n| n["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), nodes.len());
    let all = edges(&graph);
    assert_eq!((all.len() - (nodes.len() - 1)) as u64, solved["transpositions"].as_u64().unwrap());
    for node in nodes {
        let line: Vec<&str> = node["line"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        let (_, position) = TicTacToe.replay(&line.join(" ")).unwrap();
        assert_eq!(node["mover"], position.to_move().to_string());
        for m in node["moves"].as_array().unwrap() {
            let mv = TicTacToe.parse_move(m["move"].as_str().unwrap()).unwrap();
            TicTacToe.play(&position, mv).expect("moves are those of the node's own line");
            assert!(ids.contains(&m["child"].as_u64().unwrap()));
        }
    }
    let whole = place.jl(&["export", "t.jl", "--dot", "--depth", "99", "--out", "t.dot"]);
    assert_eq!((whole.code, whole.stdout.as_str()), (0, ""));
    let dot = std::fs::read_to_string(place.file("t.dot")).unwrap();
    for (from, to, mv) in &all {
        assert!(dot.contains(&format!("n{from} -> n{to} [label=\"{mv}\"];")), "{from} {to} {mv}");
    }
    assert_eq!(dot.matches(" -> ").count(), all.len());
    assert_eq!(dot.matches("fillcolor=").count(), nodes.len() + 1);
    // By default a few moves deep; and no more nodes than wanted.
    let near = nodes.iter().filter(|n| n["line"].as_array().unwrap().len() <= 3).count();
    let dot = place.jl(&["export", "t.jl", "--dot"]).stdout;
    assert_eq!(dot.matches("fillcolor=").count(), near + 1);
    let few = place.jl(&["export", "t.jl", "--dot", "--nodes", "5"]).stdout;
    assert_eq!(few.matches("fillcolor=").count(), 5 + 1);
    assert!(few.contains("more\""), "what is left out is counted");
}

#[test]
fn sgf_is_a_tree_that_can_be_walked() {
    let place = Place::new();
    let root = "JJ-IHHI-KKLJ-FKGJ";
    let args =
        ["solve", "connect6", "--moves", root, "--job-nodes", "2000", "--limit", "40", "--run", "t.jl"];
    place.json(&[&args[..], &["--workers", "1", "--json"]].concat());
    let graph = parsed(&place, &["export", "t.jl", "--json"]);
    let out = place.jl(&["export", "t.jl", "--sgf"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let trees = sgf::parse(&out.stdout).unwrap();
    let [tree] = &trees[..] else { panic!("one game") };
    let game = Connect::CONNECT6;
    let stones = |text: &str| game.parse_move(text).unwrap().cells().count();
    let all = edges(&graph);
    let expected = 1 + 7 + 1 + all.iter().map(|(_, _, mv)| stones(mv)).sum::<usize>();
    assert_eq!(
        tree.nodes().len(),
        expected,
        "the header, the moves to the root, a word on it, and every move"
    );
    let comments = out.stdout.matches("to move").count();
    assert_eq!(comments, all.len() + 1, "every move has a comment");
    let met_again = all.len() + 1 - graph["nodes"].as_array().unwrap().len();
    assert_eq!(out.stdout.matches("\nsee JJ").count(), met_again);
    // The main line is a legal game.
    let record = jl_games::connect6::record::read(&game, &out.stdout).unwrap();
    assert!(record[0].moves.len() > 4, "{:?}", record[0].moves);
    let shallow = place.jl(&["export", "t.jl", "--sgf", "--depth", "1"]).stdout;
    assert!(shallow.contains("left out") && shallow.len() < out.stdout.len());
}

#[test]
fn a_run_that_goes_on_is_exported() {
    let place = Place::new();
    let args = ["solve", "tictactoe", "--workers", "1", "--run", "t.jl", "--engine-args", "--delay 50ms"];
    let mut child = place.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut known = 0;
    for _ in 0..200 {
        std::thread::sleep(Duration::from_millis(50));
        let out = place.jl(&["export", "t.jl", "--json"]);
        if out.code == 0 {
            let graph: Value = serde_json::from_str(&out.stdout).unwrap();
            known = graph["nodes"].as_array().unwrap().len();
            if known > 3 {
                break;
            }
        }
    }
    assert!(child.try_wait().unwrap().is_none(), "it goes on");
    assert!(known > 3, "{known}");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(place.jl(&["export", "t.jl", "--dot"]).code, 0, "and after it was killed");
}

#[test]
fn a_reader_may_have_had_enough() {
    let place = Place::new();
    place.json(&["solve", "tictactoe", "--no-transpositions", "--run", "t.jl", "--json"]);
    let args = ["export", "t.jl", "--json"];
    let mut child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut some = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success() && out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn what_can_not_be_exported_is_refused() {
    let place = Place::new();
    place.json(&["solve", "tictactoe", "--limit", "2", "--run", "t.jl", "--json"]);
    for (args, named) in [
        (&["t.jl"][..], "--sgf|--json|--dot"),
        (&["t.jl", "--json", "--dot"], "cannot be used with"),
        (&["t.jl", "--json", "--depth", "2"], "cannot be used with"),
        (&["t.jl", "--sgf"], "there are no game records of tictactoe"),
        (&["missing.jl", "--json"], "missing.jl"),
        (&["t.jl", "--json", "--out", "no/where"], "no such folder"),
    ] {
        let out = place.jl(&[&["export"], args].concat());
        assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{args:?}: {}", out.stderr);
        assert!(out.stderr.contains(named), "{named}: {}", out.stderr);
    }
}
