//! Recorded runs, simulated again.

use crate::support::Place;
use serde_json::{Value, json};

/// Two recorded runs of tic-tac-toe.
fn recorded() -> Place {
    let place = Place::new();
    for (name, moves) in [("a.jl", "a1 b2 c3"), ("b.jl", "b2 a1")] {
        let args = ["solve", "tictactoe", "--moves", moves, "--workers", "1", "--run", name, "--json"];
        assert_eq!(place.json(&args)["winner"], "none");
    }
    place
}

const ROWS: usize = 3 * 3;

fn sim(place: &Place, more: &[&str]) -> Value {
    let args = ["sim", "--from", "a.jl", "b.jl", "--searches", "pns,uct", "--policies", "fg,mf-ve"];
    place.json(&[&args[..], &["--workers", "1,4,64", "--json"], more].concat())
}

#[test]
fn recorded_runs_are_simulated_with_every_search() {
    let place = recorded();
    let v = sim(&place, &[]);
    let rows = v["rows"].as_array().unwrap();
    assert_eq!(rows.len(), ROWS);
    assert_eq!(v["contradictions"], json!([]));
    let runs = v["runs"].as_array().unwrap();
    assert_eq!((&runs[0]["run"], &runs[1]["run"]), (&json!("a"), &json!("b")));
    let of = |run: usize, row: usize, field: &str| runs[run]["rows"][row][field].as_f64().unwrap();
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(row["winner"], "none");
        let mean = (of(0, i, "speedup") + of(1, i, "speedup")) / 2.0;
        assert!((row["speedup"].as_f64().unwrap() - mean).abs() < 1e-5, "every run counts the same");
        let ratio = of(0, i - i % 3, "virtual_seconds") / of(0, i, "virtual_seconds");
        assert!((of(0, i, "speedup") - ratio).abs() < 1e-9, "against one worker");
    }
    assert_eq!(rows[0]["virtual_seconds"], rows[3]["virtual_seconds"], "one worker, whatever the policy");
    assert!(rows[2]["speedup"].as_f64().unwrap() > 1.5);
    assert!(v["distances"]["sibling"].as_object().unwrap().values().any(|n| n.as_u64() > Some(0)));
    // With one worker the run that was recorded is what is simulated.
    let alone = place.json(&["sim", "--from", "a.jl", "--workers", "1", "--keep", "k", "--json"]);
    assert_eq!((&alone["answers"]["computed"], &alone["rows"][0]["workers"]), (&json!(0), &json!(1)));
    assert_eq!(alone["rows"][0]["jobs"], alone["answers"]["recorded"]);
}

#[test]
fn what_was_not_recorded_is_computed_once() {
    let place = recorded();
    let first = sim(&place, &[]);
    assert!(first["answers"]["computed"].as_u64().unwrap() > 0);
    assert_eq!(first["answers"]["kept"], "a.answers");
    let second = sim(&place, &["--threads", "1"]);
    assert_eq!(second["answers"]["computed"], 0);
    assert_eq!(first["rows"], second["rows"], "whoever computed it");
    let elsewhere = sim(&place, &["--keep", "other.answers", "--no-transpositions"]);
    assert!(elsewhere["answers"]["computed"].as_u64().unwrap() > 0);
    assert_eq!(elsewhere["contradictions"], json!([]));
    let slower = sim(&place, &["--speed", "200000"]);
    let seconds = |v: &Value| v["rows"][0]["virtual_seconds"].as_f64().unwrap();
    assert!((seconds(&slower) / seconds(&first) - 2.0).abs() < 1e-3, "time is nodes over speed");
}

/// Another table is another search; what it finds is not. A run keeps its table, and is replayed with it.
#[test]
fn a_status_table_is_a_setting() {
    let place = Place::new();
    let solve = ["solve", "tictactoe", "--moves", "a1 b1", "--workers", "1"];
    place.json(&[&solve[..], &["--run", "a.jl", "--json"]].concat());
    let sim = |search, table: &[&str]| {
        let args = ["sim", "--from", "a.jl", "--searches", search, "--workers", "1,4", "--json"];
        let v = place.json(&[&args[..], table].concat());
        assert!(v["rows"].as_array().unwrap().iter().all(|row| row["winner"] == "first"));
        v["rows"].clone()
    };
    // What favours the first player is taken for a loss.
    place.write(
        "odd.toml",
        "[pns]\nB4 = [40, 1]\nB3 = [40, 1]\nB2 = [30, 2]\n[uct]\nB4 = 0.1\nB3 = 0.1\nB2 = 0.2\n",
    );
    for search in ["pns", "uct"] {
        assert_eq!(sim(search, &[]), sim(search, &["--table", "lin13"]), "the default has a name");
        assert_ne!(sim(search, &[]), sim(search, &["--table", "odd.toml"]));
    }

    let run = place.json(&[&solve[..], &["--table", "odd.toml", "--run", "odd.jl", "--json"]].concat());
    std::fs::remove_file(place.file("odd.toml")).unwrap();
    assert_eq!(place.json(&["replay", "odd.jl", "--json"])["jobs"]["done"], run["jobs"]["done"]);
    let alone = place.json(&["sim", "--from", "odd.jl", "--workers", "1", "--keep", "k", "--json"]);
    assert_eq!((&alone["answers"]["computed"], &alone["rows"][0]["jobs"]), (&json!(0), &run["jobs"]["done"]));
}

#[test]
fn tables_are_printed_and_drawn() {
    let place = recorded();
    let args = ["sim", "--from", "a.jl", "b.jl", "--policies", "vl,fg", "--workers", "1,8", "--each"];
    let out = place.jl(&[&args[..], &["--plot", "s.svg", "--plot-distances", "d.png"]].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
    for part in ["means over 2 runs", "of fg's", "100.0%", "neighbouring siblings", "draw", "computed now"] {
        assert!(out.stdout.contains(part), "{part}: {}", out.stdout);
    }
    assert!(std::fs::read_to_string(place.file("s.svg")).unwrap().contains("mean of 2 runs"));
    assert!(std::fs::read(place.file("d.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn runs_that_stay_undecided_are_not_counted() {
    let place = recorded();
    let args = ["sim", "--from", "a.jl", "b.jl", "--workers", "1,4", "--json"];
    let counts = |limit: &str| place.json(&[&args[..], &["--limit", limit]].concat());
    let jobs = |v: &Value, run: usize| v["runs"][run]["rows"][0]["jobs"].as_u64().unwrap();
    let all = place.json(&args);
    let (a, b) = (jobs(&all, 0), jobs(&all, 1));
    assert!(a * 2 < b, "{a} and {b} jobs");
    let between = counts(&((a + b) / 2).to_string());
    assert_eq!(between["undecided"], json!(["b"]));
    assert_eq!(between["rows"][0]["jobs"], a);
    assert_eq!(counts("1")["rows"][0]["decided"], false);
}

#[test]
fn a_recorded_limit_can_be_lifted() {
    let place = Place::new();
    place.json(&["solve", "tictactoe", "--moves", "b2 a1", "--limit", "1", "--run", "t.jl", "--json"]);
    let args = ["sim", "--from", "t.jl", "--workers", "1", "--json"];
    assert_eq!(place.json(&args)["undecided"], json!(["t"]), "as recorded");
    let whole = place.json(&[&args[..], &["--limit", "0"]].concat());
    assert_eq!((&whole["undecided"], &whole["rows"][0]["winner"]), (&json!([]), &json!("none")));
    let solved = ["solve", "tictactoe", "--moves", "b2 a1", "--limit", "0", "--run", "all.jl", "--json"];
    assert_eq!(place.json(&solved)["winner"], "none");
}

#[test]
fn the_benchmark_records_runs_for_it() {
    let place = Place::new();
    place.write("p.tsv", "id\tto_move\tmoves\nlost\twhite\tJJ-IHHI-KKLJ-FKGJ-JGEL\n");
    let args = ["bench", "solve", "p.tsv", "--runs", "runs", "--job-nodes", "500000", "--json"];
    let solved = place.json(&args);
    assert_eq!(solved["rows"][0]["winner"], "black");
    let v = place.json(&["sim", "--from", "runs/lost.jl", "--workers", "1,16", "--json"]);
    assert_eq!(v["rows"][0]["winner"], "first");
    assert_eq!(v["rows"][0]["jobs"], solved["rows"][0]["jobs"]);
    let again = place.jl(&args);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("runs/lost.jl exists already"), "{}", again.stderr);
}

#[test]
fn what_can_not_be_simulated_is_refused() {
    let place = recorded();
    place.write("text", "these are notes, and not few of them; they fill more than a header");
    let six = ["solve", "connect6", "--limit", "1", "--job-nodes", "100", "--run", "six.jl", "--json"];
    place.json(&six);
    for (args, named) in [
        (&["missing.jl"][..], "missing.jl"),
        (&["text"], "text is not a run file"),
        (&["a.jl", "six.jl"], "a.jl has 'tictactoe', six.jl has 'connect6'"),
        (&["a.jl", "--keep", "text"], "text is not a file of answers"),
        (&["a.jl", "--game", "tictactoe"], "cannot be used with"),
        (&["a.jl", "--moves", "a1"], "cannot be used with"),
        (&["a.jl", "--engine-args", "--depth 1"], "cannot be used with"),
        (&["a.jl", "--speed", "0"], "--speed"),
        (&["a.jl", "--policies", "xx"], "'xx' is not a policy"),
    ] {
        let out = place.jl(&[&["sim", "--from"], args].concat());
        assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{args:?}: {}", out.stderr);
        assert!(out.stderr.contains(named), "{named}: {}", out.stderr);
    }
}

#[test]
fn runs_are_simulated_with_several_seeds_of_the_engine() {
    let place = recorded();
    let args = ["sim", "--from", "a.jl", "b.jl", "--workers", "1,8", "--json"];
    let v = place.json(&[&args[..], &["--repeat", "3"]].concat());
    let once = place.json(&args);
    let number = |v: &Value| v.as_f64().unwrap();
    let runs = v["runs"].as_array().unwrap();
    let mut speedups = Vec::new();
    for (run, alone) in runs.iter().zip(once["runs"].as_array().unwrap()) {
        let seeds = run["seeds"].as_array().unwrap();
        assert_eq!((seeds.len(), &seeds[0]), (3, &alone["rows"]), "the first seed is the recorded one");
        assert_ne!(seeds[0], seeds[1]);
        let time = |row: usize| seeds.iter().map(|s| number(&s[row]["virtual_seconds"])).sum::<f64>() / 3.0;
        assert!((number(&run["rows"][0]["virtual_seconds"]) - time(0)).abs() < 1e-5);
        let speedup = number(&run["rows"][1]["speedup"]);
        assert!((speedup - time(0) / time(1)).abs() < 1e-3, "of the mean times");
        speedups.push(speedup);
    }
    let mean = &v["rows"][1];
    assert!((number(&mean["speedup"]) - (speedups[0] + speedups[1]) / 2.0).abs() < 1e-5);
    assert!(number(&mean["speedup_error"]) > 0.0, "{mean}");
    assert_eq!(once["rows"][1]["speedup_error"], Value::Null, "one seed says nothing of chance");
    let other = place.json(&[&args[..], &["--repeat", "2", "--seed", "1"]].concat());
    assert_eq!(other["runs"][0]["seeds"][0], runs[0]["seeds"][1], "from the given seed on");
    let out = place.jl(&["sim", "--from", "a.jl", "--workers", "1,8", "--repeat", "3"]);
    assert!(out.stdout.contains("means over 1 runs, with 3 seeds each"), "{}", out.stdout);
    assert!(out.stdout.contains("error") && out.stdout.contains('±'), "{}", out.stdout);
}

#[test]
fn jobs_may_get_other_limits_than_recorded() {
    let place = Place::new();
    let moves = "JJ-IHHI-KKLJ-FKGJ-JGEL";
    let args = ["solve", "connect6", "--moves", moves, "--workers", "1", "--run", "six.jl", "--json"];
    assert_eq!(place.json(&args)["winner"], "first");
    let sim = |more: &[&str]| {
        place.json(&[&["sim", "--from", "six.jl", "--workers", "1", "--json"], more].concat())
    };
    assert_eq!(sim(&[])["answers"]["computed"], 0);
    assert!(sim(&["--job-nodes", "600000"])["answers"]["computed"].as_u64() > Some(0));
}
