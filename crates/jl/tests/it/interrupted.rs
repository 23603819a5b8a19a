//! Runs that are killed and stopped, and go on.

use crate::support::{Outcome, Place};
use rusqlite::Connection;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SLOW: [&str; 2] = ["--engine-args", "--delay 8ms"];

fn solve_args<'a>(workers: &'a str, run: &'a str) -> Vec<&'a str> {
    let mut args = vec!["solve", "tictactoe", "--workers", workers, "--run", run, "--json"];
    args.extend(SLOW);
    args
}

/// Kills the run at random instants until it ends by itself; its report and how often it was killed.
fn kill_until_done(place: &Place, workers: &str, seed: u64) -> (Value, u32) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut kills = 0;
    loop {
        let resume = ["resume", "t.jl", "--json"];
        let created = place.file("t.jl").exists() && place.jl(&["replay", "t.jl"]).code == 0;
        if !created {
            // Killed before the file was a run: nothing was recorded, and nothing is lost.
            let _ = std::fs::remove_file(place.file("t.jl"));
        }
        let args = if created { resume.to_vec() } else { solve_args(workers, "t.jl") };
        let mut child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let until = Instant::now() + Duration::from_millis(rng.u64(20..160));
        while Instant::now() < until && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        if child.try_wait().unwrap().is_some() {
            let out = Outcome::of(child);
            assert_eq!(out.code, 0, "{}", out.stderr);
            return (out.json(), kills);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        assert!(kills < 500, "the run makes no headway");
    }
}

/// The answers in the journal, in order.
fn answers(run: &Path) -> Vec<String> {
    let conn = Connection::open(run).unwrap();
    let mut statement = conn.prepare("SELECT detail FROM journal WHERE kind = 'done' ORDER BY seq").unwrap();
    let details = statement.query_map([], |r| r.get::<_, String>(0)).unwrap();
    let output = |d: String| serde_json::from_str::<Value>(&d).unwrap()["output"].to_string();
    details.map(|d| output(d.unwrap())).collect()
}

#[test]
fn a_killed_run_with_one_worker_finishes_the_very_same_jobs() {
    let undisturbed = Place::new();
    let expected = undisturbed.json(&solve_args("1", "t.jl"));
    let place = Place::new();
    let (v, kills) = kill_until_done(&place, "1", 1);
    assert!(kills >= 3, "killed only {kills} times");
    for field in ["winner", "line", "nodes", "transpositions"] {
        assert_eq!(v[field], expected[field], "{field} after {kills} kills");
    }
    assert_eq!(v["jobs"]["done"], expected["jobs"]["done"], "no finished job is lost or counted twice");
    assert_eq!(
        answers(&place.file("t.jl")),
        answers(&undisturbed.file("t.jl")),
        "the same answers in the same order"
    );
}

#[test]
fn a_killed_run_with_many_workers_ends_right_and_loses_nothing() {
    for seed in 0..3 {
        let place = Place::new();
        let (v, kills) = kill_until_done(&place, "4", seed);
        assert!(kills >= 1, "killed only {kills} times");
        assert_eq!(v["winner"], "none");
        let conn = Connection::open(place.file("t.jl")).unwrap();
        let count = |sql: &str| conn.query_row(sql, [], |r| r.get::<_, i64>(0)).unwrap();
        let done = count("SELECT count(*) FROM journal WHERE kind = 'done'");
        let twice = count("SELECT count(*) - count(DISTINCT job) FROM journal WHERE job IS NOT NULL");
        assert_eq!(twice, 0, "every job ends once");
        assert_eq!(Some(done), v["jobs"]["done"].as_i64(), "every answer is recorded and counted");
        assert_eq!(place.json(&["replay", "t.jl", "--json"])["matches"], true);
    }
}

#[test]
fn an_interrupt_stops_cleanly_and_says_how_to_go_on() {
    let place = Place::new();
    let mut args = solve_args("2", "t.jl");
    let slower = "--delay 60ms";
    *args.last_mut().unwrap() = slower;
    let child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(600));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let out = Outcome::of(child);
    assert_eq!(out.code, 130, "{}", out.stderr);
    assert!(out.stderr.contains("jl resume t.jl"), "{}", out.stderr);
    let v = out.json();
    assert_eq!((&v["decided"], &v["status"]), (&Value::from(false), &Value::from("stopped")));
    let replayed = place.json(&["replay", "t.jl", "--json"]);
    assert_eq!((&replayed["jobs"]["done"], &replayed["matches"]), (&v["jobs"]["done"], &Value::from(true)));
    assert_eq!(place.names(), ["t.jl"], "one file is left");
    let v = place.json(&["resume", "t.jl", "--workers", "8", "--json"]);
    assert_eq!(v["winner"], "none");
}

#[test]
fn a_second_client_on_a_running_run_is_refused() {
    let place = Place::new();
    let mut args = solve_args("1", "t.jl");
    *args.last_mut().unwrap() = "--delay 100ms";
    let mut child = place.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let out = place.jl(&["resume", "t.jl"]);
    assert_eq!(out.code, 2);
    assert!(out.stderr.contains("in use by another client"), "{}", out.stderr);
    let looked = place.jl(&["replay", "t.jl"]);
    assert_eq!(looked.code, 0, "looking into a running run is allowed: {}", looked.stderr);
    child.kill().unwrap();
    child.wait().unwrap();
}
