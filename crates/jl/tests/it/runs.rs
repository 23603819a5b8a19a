//! Recorded runs: listed, of an earlier version, and in databases.

use crate::support::Place;
use serde_json::{Value, json};

/// A file of version 1: killed once, resumed, stopped at a limit of 7 jobs.
fn version_1(place: &Place) {
    let conn = rusqlite::Connection::open(place.file("old.jl")).unwrap();
    conn.execute_batch(include_str!("../../../jl-store/tests/fixtures/version-1.sql")).unwrap();
}

#[test]
fn a_run_of_version_1_is_replayed_and_resumed() {
    let place = Place::new();
    version_1(&place);
    let listed = place.json(&["runs", "--json"]);
    let replayed = place.json(&["replay", "old.jl", "--json"]);
    assert_eq!((&replayed["matches"], &replayed["digest"]), (&json!(true), &json!("4b20d036b0614ae4")));
    assert_eq!((&replayed["jobs"]["done"], &replayed["jobs"]["lost"]), (&json!(7), &json!(3)));
    let again = place.json(&["runs", "--json"]);
    for field in ["name", "game", "moves", "search", "status", "jobs", "nodes", "created"] {
        assert_eq!(listed["runs"][0][field], again["runs"][0][field], "{field}");
    }
    let v = place.json(&["resume", "old.jl", "--limit", "0", "--json"]);
    assert_eq!(v["winner"], "none");
    assert_eq!(place.json(&["replay", "old.jl", "--json"])["matches"], true);
    let alone = place.json(&["sim", "--from", "old.jl", "--workers", "1", "--json"]);
    assert_eq!(alone["rows"][0]["winner"], "none");
}

#[test]
fn the_runs_of_a_folder_are_listed() {
    let place = Place::new();
    let nothing = place.jl(&["runs"]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (0, ""));
    assert!(nothing.stderr.contains("there are no runs here"), "{}", nothing.stderr);
    assert_eq!(place.json(&["runs", "--json"]), json!({ "runs": [] }));
    version_1(&place);
    let args = ["solve", "tictactoe", "--moves", "a1 b2", "--search", "uct", "--limit", "3", "--json"];
    let solved = place.json(&[&args[..], &["--run", "new.jl"]].concat());
    let listed = place.json(&["runs", "--json"]);
    let runs = listed["runs"].as_array().unwrap();
    assert_eq!((&runs[0]["name"], &runs[1]["name"], runs.len()), (&json!("new.jl"), &json!("old.jl"), 2));
    for (field, value) in
        [("game", "tictactoe"), ("moves", "a1 b2"), ("search", "uct"), ("status", "limit"), ("run", "new.jl")]
    {
        assert_eq!(runs[0][field], value, "{field}");
    }
    assert_eq!((&runs[0]["jobs"], &runs[0]["nodes"]), (&solved["jobs"]["done"], &solved["nodes"]));
    assert_eq!(runs[0]["bytes"].as_u64(), Some(std::fs::metadata(place.file("new.jl")).unwrap().len()));
    // For people; a file that is no run is named, and hides nothing.
    place.write("text.jl", "this is not a run file, although it is called one");
    let out = place.jl(&["runs"]);
    assert_eq!((out.code, out.stdout.lines().count()), (1, 3), "{}", out.stdout);
    assert!(out.stderr.contains("text.jl is not a run file"), "{}", out.stderr);
    let words: Vec<&str> = out.stdout.lines().nth(2).unwrap().split_whitespace().collect();
    assert_eq!(words[..8], ["old.jl", "tictactoe", "a1", "b2", "c3", "pns", "limit", "7"]);
    assert_eq!(place.jl(&["runs", "text.jl"]).code, 2);
    assert_eq!(place.jl(&["runs", "new.jl"]).stdout.lines().count(), 2);
}

#[test]
fn experiments_take_runs_from_a_database() {
    let place = Place::new();
    let database = jl_testing::server().database();
    place.write("p.tsv", "id\tto_move\tmoves\nlost\twhite\tJJ-IHHI-KKLJ-FKGJ-JGEL\n");
    let args = ["bench", "solve", "p.tsv", "--runs", &database, "--job-nodes", "500000", "--json"];
    let solved = place.json(&args);
    assert_eq!(solved["rows"][0]["winner"], "black");
    let run = format!("{database}?run=lost");
    let v = place.json(&["sim", "--from", &run, "--workers", "1,16", "--json"]);
    assert_eq!(v["rows"][0]["jobs"], solved["rows"][0]["jobs"]);
    assert_eq!((&v["runs"][0]["run"], &v["answers"]["kept"]), (&json!("lost"), &json!("lost.answers")));
    assert_eq!(place.names(), ["lost.answers", "p.tsv"]);
    let again = place.jl(&args);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("?run=lost exists already"), "{}", again.stderr);
}

#[test]
fn mistaken_addresses_get_one_line_and_no_password() {
    let place = Place::new();
    let database = jl_testing::server().database().replace("jl@", "jl:secret@");
    let solve = |run: &str| ["solve", "tictactoe", "--run", run].map(String::from).to_vec();
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
    let named = |run: &str| format!("{database}?run={run}");
    place.write("p.tsv", "id\tto_move\tmoves\nlost\twhite\tJJ-IHHI-KKLJ-FKGJ-JGEL\n");
    let nowhere = "postgres://jl:secret@127.0.0.1:1/x";
    for (args, told) in [
        (solve(&database), "add ?run=NAME"),
        (solve(&format!("{nowhere}?run=y")), "cannot reach postgres://jl@127.0.0.1:1/x?run=y: "),
        (words(&["runs", nowhere]), "cannot reach postgres://jl@127.0.0.1:1/x: "),
        (solve("postgres://jl:secret@127.0.0.1:port/x?run=y"), "makes no sense as the address of a database"),
        (words(&["resume", &database]), "add ?run=NAME"),
        (words(&["resume", &named("x")]), "the database has no runs"),
        (words(&["replay", &named("x")]), "the database has no runs"),
        (words(&["runs", &named("x")]), "the database has no runs"),
        (words(&["bench", "solve", "p.tsv", "--runs", &named("x")]), "leave ?run= out"),
    ] {
        let out = place.jl(&args.iter().map(String::as_str).collect::<Vec<_>>());
        let code = if told.starts_with("cannot reach") { 1 } else { 2 };
        assert_eq!((out.code, out.stderr.lines().count()), (code, 1), "{args:?}: {}", out.stderr);
        assert!(out.stderr.contains(told), "{args:?} does not say {told}: {}", out.stderr);
        assert!(!out.stderr.contains("secret"), "{}", out.stderr);
    }
    let v: Value = place.json(&["solve", "tictactoe", "--limit", "1", "--run", &named("a%20b"), "--json"]);
    assert!(v["run"].as_str().unwrap().ends_with("?run=a%20b"), "{v}");
    let out = place.jl(&["resume", &named("b")]);
    assert!(out.stderr.contains("the database has no run of this name"), "{}", out.stderr);
}
