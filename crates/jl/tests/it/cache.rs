//! Answers that runs share.

use crate::support::Place;
use rusqlite::Connection;
use serde_json::{Value, json};

fn solve(place: &Place, more: &[&str]) -> Value {
    place.json(&[&["solve", "tictactoe", "--workers", "1", "--json"], more].concat())
}

/// The cached jobs of a report, with all of them.
fn cached(v: &Value) -> (u64, u64) {
    (v["jobs"]["cached"].as_u64().unwrap(), v["jobs"]["done"].as_u64().unwrap())
}

fn counts(v: &Value) -> [u64; 3] {
    ["hits", "misses", "stored"].map(|name| v["cache"][name].as_u64().unwrap())
}

#[test]
fn a_second_run_asks_no_engine() {
    let place = Place::new();
    let first = solve(&place, &["--cache", "c.answers", "--run", "a.jl"]);
    let (none, jobs) = cached(&first);
    assert_eq!((none, counts(&first)), (0, [0, jobs, jobs]));
    let second = solve(&place, &["--cache", "c.answers", "--run", "b.jl"]);
    assert_eq!((cached(&second), counts(&second)), ((jobs, jobs), [jobs, 0, 0]));
    assert_eq!((&second["engine_seconds"], &second["speedup"]), (&json!(0.0), &json!(null)));
    assert!(first["speedup"].is_number(), "{first}");
    for field in ["winner", "line", "nodes", "transpositions", "bounds"] {
        assert_eq!(first[field], second[field], "{field}");
    }
    // The journal says it all.
    std::fs::remove_file(place.file("c.answers")).unwrap();
    let replayed = place.json(&["replay", "b.jl", "--json"]);
    assert_eq!((&replayed["matches"], cached(&replayed)), (&json!(true), (jobs, jobs)));
    let text = place.jl(&["replay", "b.jl"]).stdout;
    assert!(text.contains(&format!("{jobs} done, {jobs} of them cached")), "{text}");
    assert!(!text.contains("times as fast"), "against what? {text}");
    let off = solve(&place, &["--cache", "off", "--run", "c.jl"]);
    assert_eq!((cached(&off).0, &off["cache"]), (0, &json!(null)));
    assert!(!place.names().iter().any(|n| n == "off" || n == "c.answers"));
}

#[test]
fn mirrored_roots_share_their_answers() {
    let place = Place::new();
    let first = solve(&place, &["--moves", "a1", "--cache", "c.answers"]);
    for root in ["a3", "c1", "c3"] {
        let v = solve(&place, &["--moves", root, "--cache", "c.answers"]);
        let (cached, jobs) = cached(&v);
        assert_eq!(cached, jobs, "{root}");
        assert_eq!(
            (&v["winner"], &v["nodes"], jobs),
            (&first["winner"], &first["nodes"], self::cached(&first).1)
        );
        let line = v["line"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect::<Vec<_>>();
        let line = format!("{root} {}", line.join(" "));
        let played = solve(&place, &["--moves", &line]);
        assert_eq!(played["winner"], "none", "the line is legal");
    }
    // Other words are other questions.
    let other = solve(&place, &["--moves", "a1", "--cache", "c.answers", "--engine-args", "--depth 2"]);
    assert_eq!(counts(&other)[0], 0);
}

/// A registry with the tic-tac-toe program under another name, or nothing in its place.
fn registered(place: &Place, version: &str, works: bool) {
    let words =
        if works { "\"{self}\", \"engine\", \"tictactoe\", \"--json\"" } else { "\"./is-not-there\"" };
    let text = format!("[program.mine]\ncommand = [{words}]\nprotocol = \"oneshot\"\n{version}\n");
    place.write("programs.toml", &text);
}

#[test]
fn answers_count_for_the_version_of_a_registered_program() {
    let place = Place::new();
    place.write("c.answers", "");
    let args =
        ["--programs", "programs.toml", "--engine", "mine", "--moves", "a1 b2 c3", "--max-failures", "1"];
    let with =
        [&["solve", "tictactoe", "--workers", "1", "--json", "--cache", "c.answers"], &args[..]].concat();
    registered(&place, "version = \"1\"", true);
    let first = place.json(&with);
    assert!(counts(&first)[2] > 3);
    // No process can have been started.
    registered(&place, "version = \"1\"", false);
    let second = place.json(&with);
    assert_eq!((cached(&second), &second["winner"]), ((cached(&first).1, cached(&first).1), &json!("none")));
    registered(&place, "version = \"2\"", false);
    let out = place.jl(&with);
    assert_eq!((out.code, cached(&out.json())), (1, (0, 0)), "another version");
    registered(&place, "", true);
    let out = place.jl(&with);
    assert_eq!((out.code, &out.json()["cache"]), (0, &json!(null)));
    assert!(
        out.stderr.contains("no answers are cached: 'mine' is registered without a version"),
        "{}",
        out.stderr
    );
}

#[test]
fn a_run_is_resumed_with_a_cache() {
    let place = Place::new();
    let all = solve(&place, &["--cache", "c.answers"]);
    let half = solve(&place, &["--cache", "off", "--limit", "40", "--run", "t.jl"]);
    assert_eq!(half["status"], "limit");
    // Named by the environment.
    let mut command = place.command(&["resume", "t.jl", "--limit", "0", "--json"]);
    let out = command.env("JL_CACHE", "c.answers").output().unwrap();
    let v: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(cached(&v), (cached(&all).1 - 40, cached(&all).1));
    assert_eq!((&v["winner"], &v["nodes"]), (&all["winner"], &all["nodes"]));
    assert_eq!(place.json(&["replay", "t.jl", "--json"])["matches"], true);
}

#[test]
fn what_is_no_cache_is_refused_before_anything_is_made() {
    let place = Place::new();
    place.write("notes", "these are notes, and not few of them; they fill more than a header");
    std::fs::create_dir(place.file("folder")).unwrap();
    let before = place.names();
    for file in ["notes", "folder", "no/where"] {
        for command in [&["solve", "tictactoe"][..], &["resume", "t.jl"]] {
            if command[0] == "resume" {
                solve(&place, &["--limit", "1", "--run", "t.jl"]);
            }
            let out = place.jl(&[command, &["--cache", file]].concat());
            assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{file}: {}", out.stderr);
            assert!(out.stderr.contains(file) && out.stderr.lines().count() == 1, "{}", out.stderr);
            let _ = std::fs::remove_file(place.file("t.jl"));
        }
    }
    assert_eq!(place.names(), before);
}

#[test]
fn the_benchmark_uses_it_too() {
    let place = Place::new();
    let rows =
        "id\tto_move\tmoves\none\twhite\tJJ-IHHI-KKLJ-FKGJ-JGEL\nmirrored\twhite\tJJ-KHLI-IKHJ-NKMJ-JGOL\n";
    place.write("p.tsv", rows);
    let args = ["bench", "solve", "p.tsv", "--job-nodes", "500000", "--cache", "c.answers", "--json"];
    let v = place.json(&args);
    let row = |v: &Value, i: usize, field: &str| v["rows"][i][field].clone();
    assert_eq!((row(&v, 0, "cached"), row(&v, 1, "cached")), (json!(0), row(&v, 0, "jobs")));
    assert_eq!(row(&v, 1, "winner"), "black");
    let again = place.json(&[&args[..], &["--runs", "runs"]].concat());
    assert_eq!(
        (row(&again, 0, "cached"), row(&again, 0, "engine_seconds")),
        (row(&v, 0, "jobs"), json!(0.0))
    );
    assert_eq!(counts(&again)[1..], [0, 0]);
}

#[test]
fn recorded_answers_of_other_versions_are_named() {
    let place = Place::new();
    let jobs = cached(&solve(&place, &["--moves", "a1 b2 c3", "--run", "a.jl", "--cache", "c.answers"])).1;
    solve(&place, &["--moves", "a1 b2 c3", "--run", "b.jl", "--cache", "c.answers"]);
    let sim = |runs: &[&str]| place.jl(&[&["sim", "--from"], runs, &["--workers", "1", "--json"]].concat());
    let same = sim(&["a.jl", "b.jl"]);
    let answers = same.json()["answers"].clone();
    assert_eq!(answers["versions"].as_object().unwrap().len(), 1, "{answers}");
    assert_eq!(
        (&answers["recorded"], &answers["computed"]),
        (&json!(2 * jobs), &json!(0)),
        "cached ones too"
    );
    assert!(!same.stderr.contains("version"), "{}", same.stderr);
    let change = |run: &str, sql: &str| {
        Connection::open(place.file(run)).unwrap().execute(&format!("UPDATE runs SET parameters = {sql}"), [])
    };
    change("a.jl", "json_remove(parameters, '$.program_version')").unwrap();
    change("b.jl", "json_set(parameters, '$.program_version', 'old')").unwrap();
    let out = sim(&["a.jl", "b.jl"]);
    assert_eq!(out.json()["answers"]["versions"], json!({ "an unknown version": jobs, "old": jobs }));
    let line = format!("of the recorded answers {jobs} are of an unknown version, {jobs} are of old;");
    assert!(out.stderr.contains(&line), "{}", out.stderr);
    let resumed = place.jl(&["resume", "b.jl"]);
    assert!(resumed.stderr.contains("begun with tictactoe of version old"), "{}", resumed.stderr);
}
