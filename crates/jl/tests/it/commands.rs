//! The commands as users type them.

use crate::support::Place;
use serde_json::{Value, json};

#[test]
fn solve_reports_a_draw_from_the_empty_board() {
    let place = Place::new();
    let v = place.json(&["solve", "tictactoe", "--json"]);
    assert_eq!(v["game"], "tictactoe");
    assert_eq!((&v["search"], &v["policy"]), (&json!("pns"), &json!("mf-ve")));
    assert_eq!((&v["decided"], &v["winner"]), (&json!(true), &json!("none")));
    let line = v["line"].as_array().unwrap();
    assert_eq!(v["best_move"], line[0]);
    for field in ["done", "aborted", "failed", "cached"] {
        assert!(v["jobs"][field].is_u64(), "jobs.{field}");
    }
    assert!(v["jobs"]["done"].as_u64() > Some(50) && v["nodes"].as_u64() > Some(50));
    assert!(v["workers"].is_u64() && v["seconds"].is_f64());
    assert_eq!(place.names(), [v["run"].as_str().unwrap()], "the run file is named after the run");
}

#[test]
fn solve_takes_moves_searches_policies_and_options() {
    let place = Place::new();
    let v = place.json(&[
        "solve",
        "tictactoe",
        "--moves",
        "a1 b1 a2 b2",
        "--search",
        "uct",
        "--workers",
        "4",
        "--json",
    ]);
    assert_eq!((&v["winner"], &v["best_move"], &v["workers"]), (&json!("first"), &json!("a3"), &json!(4)));
    let v = place.json(&[
        "solve",
        "tictactoe",
        "--search",
        "pns",
        "--policy",
        "vl",
        "--k-band",
        "5",
        "--limit",
        "1000",
        "--seed",
        "7",
        "--json",
    ]);
    assert_eq!((&v["winner"], &v["policy"]), (&json!("none"), &json!("vl")));
    let v = place.json(&[
        "solve",
        "tictactoe",
        "--moves",
        "b2,b1",
        "--widening",
        "3",
        "--no-transpositions",
        "--json",
    ]);
    assert_eq!((&v["winner"], &v["transpositions"]), (&json!("first"), &json!(0)));
    let v =
        place.json(&["solve", "tictactoe", "--moves", "a1-b2-c1", "--engine-args", "--depth 0", "--json"]);
    assert_eq!(v["winner"], "none");
    let v = place.json(&["solve", "tictactoe", "--moves", "a1 b1 a2 b2 a3", "--json"]);
    assert_eq!(
        (&v["winner"], &v["jobs"]["done"], &v["best_move"]),
        (&json!("first"), &json!(0), &json!(null))
    );
}

#[test]
fn the_report_for_people_says_the_essentials() {
    let out = Place::new().jl(&["solve", "tictactoe"]);
    assert_eq!(out.code, 0);
    for part in ["DRAW", "line", "jobs", "nodes", "time", "a b c"] {
        assert!(out.stdout.contains(part), "{part} is missing in {}", out.stdout);
    }
    assert!(out.stderr.contains("recording the run in tictactoe-pns-"));
}

#[test]
fn a_limit_leaves_the_root_undecided_and_can_be_lifted() {
    let place = Place::new();
    let v = place.json(&["solve", "tictactoe", "--limit", "20", "--run", "t.jl", "--json"]);
    assert_eq!((&v["decided"], &v["winner"], &v["jobs"]["done"]), (&json!(false), &json!(null), &json!(20)));
    assert!(v["best_move"].is_string());
    let again = place.json(&["resume", "t.jl", "--json"]);
    assert_eq!(again["jobs"]["done"], 20, "the limit still holds");
    let v = place.json(&["resume", "t.jl", "--limit", "0", "--json"]);
    assert_eq!((&v["winner"], &v["status"]), (&json!("none"), &json!("decided")));
    let replayed = place.json(&["replay", "t.jl", "--json"]);
    assert_eq!(replayed["matches"], true);
    for field in ["winner", "line", "jobs", "nodes", "transpositions"] {
        assert_eq!(replayed[field], v[field], "{field}");
    }
}

#[test]
fn one_worker_gives_the_same_run_every_time_and_under_every_policy() {
    let place = Place::new();
    let mut first = None;
    for policy in ["native", "vw", "vl", "gd", "fg", "mf", "fg-ve", "mf-ve", "mf-sp"] {
        let v = place.json(&["solve", "tictactoe", "--policy", policy, "--workers", "1", "--json"]);
        let run = (v["jobs"].clone(), v["nodes"].clone(), v["line"].clone());
        assert_eq!(*first.get_or_insert(run.clone()), run, "{policy}");
    }
}

#[test]
fn sim_prints_every_row_and_draws() {
    let place = Place::new();
    let policies = "native,vw,vl,gd,fg,mf,fg-ve,mf-ve,mf-sp";
    let args = ["sim", "--game", "tictactoe", "--policies", policies, "--workers", "1,2,4,8,16,64", "--json"];
    let v = place.json(&args);
    let rows = v["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 9 * 6);
    for r in rows {
        for field in
            ["search", "policy", "workers", "jobs", "aborted", "virtual_seconds", "speedup", "efficiency"]
        {
            assert!(!r[field].is_null(), "{field}");
        }
        assert_eq!(r["winner"], "none");
        let busy = r["busy_share"].as_f64().unwrap();
        assert!(busy > 0.0 && busy <= 1.0 + 1e-9, "{r}");
        assert!(r["workers"] != 1 || busy > 0.99, "one worker has always something to do: {r}");
        assert!(r["workers"] != 64 || busy < 0.99, "a small tree can't feed 64 workers: {r}");
        if r["workers"] == 1 {
            assert_eq!((&r["jobs"], &r["virtual_seconds"]), (&rows[0]["jobs"], &rows[0]["virtual_seconds"]));
            assert_eq!((&r["speedup"], &r["aborted"]), (&json!(1.0), &json!(0)));
        }
    }
    assert_eq!(v, place.json(&args), "the same seed gives the same table");
    let mut other = args.to_vec();
    other.extend(["--seed", "5"]);
    let v5 = place.json(&other);
    assert_ne!(v["rows"], v5["rows"]);
    other.extend(["--repeat", "2"]);
    let v56 = place.json(&other);
    other.truncate(other.len() - 3);
    other.push("6");
    let v6 = place.json(&other);
    let seconds = |v: &Value| v["rows"][10]["virtual_seconds"].as_f64().unwrap();
    assert!((seconds(&v56) - (seconds(&v5) + seconds(&v6)) / 2.0).abs() < 1e-6, "the mean over both seeds");

    let out =
        place.jl(&["sim", "--searches", "pns,uct", "--workers", "2,4", "--plot", "a.svg", "--plot", "a.png"]);
    assert_eq!((out.code, out.stdout.lines().count()), (0, 5), "{}", out.stderr);
    assert!(std::fs::read_to_string(place.file("a.svg")).unwrap().contains("<svg"));
    assert!(std::fs::read(place.file("a.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn sim_survives_a_bad_network() {
    let place = Place::new();
    let v = place.json(&[
        "sim",
        "--searches",
        "pns,uct",
        "--policies",
        "vw,mf-ve",
        "--workers",
        "1,16",
        "--loss",
        "0.1",
        "--failure",
        "0.1",
        "--duplicate",
        "0.2",
        "--latency",
        "5s",
        "--reorder",
        "--max-failures",
        "100",
        "--json",
    ]);
    for r in v["rows"].as_array().unwrap() {
        assert_eq!(r["winner"], "none", "{r}");
    }
}

#[test]
fn lists_and_engines() {
    let place = Place::new();
    assert!(place.jl(&["list", "games"]).stdout.contains("tictactoe"));
    assert!(place.jl(&["list", "engines"]).stdout.contains("tictactoe"));
    assert_eq!(place.json(&["list", "policies", "--json"])["policies"].as_array().unwrap().len(), 9);
    assert!(place.jl(&["engine", "tictactoe", "--help"]).stdout.contains("--prohibit"));
    let out = place.jl(&["engine", "tictactoe", "--moves", "a1 b1 a2 b2", "--json"]);
    assert_eq!(out.json()["move"], "a3");
    assert_eq!(place.names(), [] as [&str; 0], "none of these writes a file");
}
