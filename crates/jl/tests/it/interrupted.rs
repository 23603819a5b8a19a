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
fn kill_until_done(place: &Place, run: &str, workers: &str, seed: u64) -> (Value, u32) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut kills = 0;
    loop {
        let resume = ["resume", run, "--json"];
        let created = place.jl(&["replay", run]).code == 0;
        if !created {
            // Killed before it was a run: nothing was recorded, and nothing is lost. Of a file something may be there.
            let _ = std::fs::remove_file(place.file(run));
        }
        let args = if created { resume.to_vec() } else { solve_args(workers, run) };
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

/// The answers, in the order of the journal.
fn answers(run: &Path) -> Vec<String> {
    let conn = Connection::open(run).unwrap();
    let sql = "SELECT output FROM journal JOIN jobs USING (run, job) WHERE kind = 'done' ORDER BY seq";
    let mut statement = conn.prepare(sql).unwrap();
    statement.query_map([], |r| r.get(0)).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_killed_run_with_one_worker_finishes_the_very_same_jobs() {
    let undisturbed = Place::new();
    let expected = undisturbed.json(&solve_args("1", "t.jl"));
    let place = Place::new();
    let (v, kills) = kill_until_done(&place, "t.jl", "1", 1);
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
        let (v, kills) = kill_until_done(&place, "t.jl", "4", seed);
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
fn a_killed_run_in_a_database_finishes_the_very_same_jobs() {
    let place = Place::new();
    let database = jl_testing::server().database();
    let (undisturbed, killed) = (format!("{database}?run=undisturbed"), format!("{database}?run=killed"));
    let expected = place.json(&solve_args("1", &undisturbed));
    assert_eq!(expected["run"].as_str(), Some(undisturbed.as_str()));
    let (v, kills) = kill_until_done(&place, &killed, "1", 5);
    assert!(kills >= 3, "killed only {kills} times");
    for field in ["winner", "line", "nodes", "transpositions"] {
        assert_eq!(v[field], expected[field], "{field} after {kills} kills");
    }
    let answers = "SELECT output FROM journal JOIN jobs USING (run, job) JOIN runs ON runs.id = journal.run
                   WHERE kind = 'done' AND name = ";
    let answers =
        |name: &str| jl_testing::server().sql(&database, &format!("{answers}'{name}' ORDER BY seq"));
    assert_eq!(answers("killed"), answers("undisturbed"), "the same answers in the same order");
    assert_eq!(place.json(&["replay", &killed, "--json"])["matches"], true);
    let listed = place.json(&["runs", &database, "--json"]);
    let runs = listed["runs"].as_array().unwrap();
    assert_eq!(
        runs.iter().map(|r| r["name"].as_str().unwrap()).collect::<Vec<_>>(),
        ["undisturbed", "killed"]
    );
    assert_eq!((&runs[1]["status"], &runs[1]["jobs"]), (&Value::from("decided"), &v["jobs"]["done"]));
    assert_eq!((&runs[1]["run"], &runs[1]["nodes"]), (&Value::from(killed.as_str()), &v["nodes"]));
    assert_eq!(place.names(), [] as [&str; 0], "no file is made");
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

#[test]
fn a_lost_database_ends_the_run_with_one_line() {
    let place = Place::new();
    let database = jl_testing::server().database();
    let run = format!("{}?run=lost", database.replace("jl@", "jl:secret@"));
    let mut args = solve_args("1", &run);
    *args.last_mut().unwrap() = "--delay 100ms";
    let child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    await_answers(&place, &run, 2);
    let out = place.jl(&["resume", &run]);
    assert_eq!(out.code, 2);
    assert!(out.stderr.contains("in use by another client"), "{}", out.stderr);
    assert_eq!(place.jl(&["replay", &run]).code, 0, "looking into a running run is allowed");
    let others = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                  WHERE datname = current_database() AND pid <> pg_backend_pid()";
    jl_testing::server().sql(&database, others);
    let out = Outcome::of(child);
    assert_eq!((out.code, out.stdout.as_str()), (1, ""), "{}", out.stderr);
    let why = out.stderr.lines().last().unwrap();
    let resume = format!("jl resume \"{database}?run=lost\"");
    assert!(why.contains("cannot write to postgres://jl@") && why.contains(&resume), "{why}");
    assert!(!out.stderr.contains("secret"), "{}", out.stderr);
    let v = place.json(&["resume", &run, "--workers", "8", "--json"]);
    assert_eq!(
        (&v["winner"], &v["run"]),
        (&Value::from("none"), &Value::from(format!("{database}?run=lost")))
    );
}

/// Waits until a run has so many answers.
fn await_answers(place: &Place, run: &str, many: u64) {
    let begin = Instant::now();
    loop {
        let listed = place.jl(&["runs", run, "--json"]);
        if listed.code == 0 && listed.json()["runs"][0]["jobs"].as_u64() >= Some(many) {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "the run makes no headway: {}", listed.stderr);
        std::thread::sleep(Duration::from_millis(20));
    }
}
