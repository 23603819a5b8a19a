//! Runs that are killed and stopped, and go on.

use crate::support::{Outcome, Place};
use rusqlite::Connection;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SLOW: [&str; 2] = ["--engine-args", "--delay 8ms"];

fn solve_args<'a>(workers: &'a str, run: &'a str) -> Vec<&'a str> {
    let mut args = vec!["solve", "tictactoe", "--workers", workers, "--run", run, "--json"];
    args.extend(SLOW);
    args
}

/// The graph is saved all the time, and hardly any of it may stay in memory.
const KEEP: [&str; 4] = ["--save", "7ms", "--memory", "1MB"];

/// What is killed with `kill -9`.
#[derive(Clone, Copy, PartialEq)]
enum Victim {
    Client,
    /// The client, or the engine of one of its workers.
    Any,
}

/// Kills at random instants until the run ends by itself; its report and how often it was killed. Whenever the client is
/// dead, the journal and the saved graph must agree, and nothing that was there before may be missing.
fn kill_until_done(place: &Place, run: &str, workers: &str, victim: Victim, seed: u64) -> (Value, u32) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut kills = 0;
    let mut known: Option<u64> = None;
    loop {
        let looked = place.jl(&["replay", run, "--json"]);
        if looked.code == 0 {
            let done = looked.json()["jobs"]["done"].as_u64();
            assert!(done >= known, "{known:?} answers were there, {done:?} are");
            known = done;
        } else {
            // Killed before it was a run: nothing was recorded, and nothing is lost. Of a file something may be there.
            assert_eq!(known, None, "what was a run is none any more: {}", looked.stderr);
            let _ = std::fs::remove_file(place.file(run));
        }
        let mut args = if known.is_some() { vec!["resume", run, "--json"] } else { solve_args(workers, run) };
        args.extend(KEEP);
        let mut child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let wait = |child: &mut Child, time: u64| {
            let until = Instant::now() + Duration::from_millis(time);
            while Instant::now() < until && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(2));
            }
        };
        while victim == Victim::Any && rng.bool() {
            wait(&mut child, rng.u64(20..100));
            kills += u32::from(kill_a_child_of(child.id()));
        }
        wait(&mut child, rng.u64(20..160));
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

/// Whether there was one. Found in `/proc`, and killed by the shell's own command: nothing has to be installed for it.
fn kill_a_child_of(parent: u32) -> bool {
    let is_child = |stat: &str| {
        // The name, in brackets, may hold anything; the state and the parent follow it.
        let after = stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().nth(1).map(String::from));
        after.flatten() == Some(parent.to_string())
    };
    let processes =
        std::fs::read_dir("/proc").unwrap().filter_map(|e| e.ok()?.file_name().into_string().ok());
    let mut children = processes.filter(|name| {
        name.parse::<u32>().is_ok()
            && std::fs::read_to_string(format!("/proc/{name}/stat")).is_ok_and(|stat| is_child(&stat))
    });
    let kill =
        |id: String| Command::new("sh").args(["-c", &format!("kill -9 {id}")]).stderr(Stdio::null()).status();
    children.next().is_some_and(|id| kill(id).unwrap().success())
}

/// Runs are killed until it was so often in all: `JL_KILLS`, or a few times.
fn enough_kills(mut kill: impl FnMut(u64) -> u32) {
    let wanted = std::env::var("JL_KILLS").map_or(5, |n| n.parse().expect("JL_KILLS is a number"));
    let (mut seed, mut kills) = (0, 0);
    while kills < wanted {
        kills += kill(seed);
        seed += 1;
        assert!(seed < 20 + u64::from(wanted), "killed only {kills} times in {seed} runs");
    }
    eprintln!("{kills} kills in {seed} runs");
}

/// The answers, in the order of the journal.
fn answers(run: &Path) -> Vec<String> {
    let conn = Connection::open(run).unwrap();
    let sql = "SELECT output FROM journal JOIN jobs USING (run, job) WHERE kind = 'done' ORDER BY seq";
    let mut statement = conn.prepare(sql).unwrap();
    statement.query_map([], |r| r.get(0)).unwrap().map(Result::unwrap).collect()
}

fn assert_same(v: &Value, expected: &Value) {
    for field in ["winner", "line", "nodes", "transpositions"] {
        assert_eq!(v[field], expected[field], "{field}");
    }
    assert_eq!(v["jobs"]["done"], expected["jobs"]["done"], "no finished job is lost or counted twice");
}

#[test]
fn a_killed_run_with_one_worker_finishes_the_very_same_jobs() {
    let undisturbed = Place::new();
    let expected = undisturbed.json(&solve_args("1", "t.jl"));
    enough_kills(|seed| {
        let place = Place::new();
        let (v, kills) = kill_until_done(&place, "t.jl", "1", Victim::Client, seed);
        assert_same(&v, &expected);
        let same = answers(&place.file("t.jl")) == answers(&undisturbed.file("t.jl"));
        assert!(same, "the same answers in the same order");
        kills
    });
}

#[test]
fn a_killed_run_with_many_workers_ends_right_and_loses_nothing() {
    enough_kills(|seed| {
        let place = Place::new();
        let (v, kills) = kill_until_done(&place, "t.jl", "4", Victim::Any, seed);
        assert_eq!(v["winner"], "none");
        let conn = Connection::open(place.file("t.jl")).unwrap();
        let count = |sql: &str| conn.query_row(sql, [], |r| r.get::<_, i64>(0)).unwrap();
        let done = count("SELECT count(*) FROM journal WHERE kind = 'done'");
        let twice = count("SELECT count(*) - count(DISTINCT job) FROM journal WHERE job IS NOT NULL");
        assert_eq!(twice, 0, "every job ends once");
        assert_eq!(Some(done), v["jobs"]["done"].as_i64(), "every answer is recorded and counted");
        let replayed = place.json(&["replay", "t.jl", "--json"]);
        assert_eq!((&replayed["matches"], &replayed["saved_graph_matches"]), (&true.into(), &true.into()));
        kills
    });
}

#[test]
fn a_killed_run_of_connect6_ends_with_the_same_proof() {
    let undisturbed = Place::new();
    let solve =
        ["solve", "connect6", "--moves", "JJ-IHHI-KKLJ-FKGJ-ELJG-KHMI-LGNI", "--workers", "1", "--json"];
    let args = |run: &'static str| [&solve[..], &["--run", run, "--job-nodes", "20000"], &KEEP].concat();
    let expected = undisturbed.json(&args("t.jl"));
    let place = Place::new();
    for wait in [30, 60, 120, 240, 480] {
        let exists = place.file("t.jl").exists();
        let resume = [&["resume", "t.jl", "--json"][..], &KEEP].concat();
        let args = if exists { resume } else { args("t.jl") };
        let mut child = place.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        if place.jl(&["replay", "t.jl"]).code != 0 {
            let _ = std::fs::remove_file(place.file("t.jl"));
        }
    }
    let v = place.json(&["resume", "t.jl", "--json"]);
    assert_same(&v, &expected);
    assert_eq!(answers_without_times(&place.file("t.jl")), answers_without_times(&undisturbed.file("t.jl")));
}

fn answers_without_times(run: &Path) -> Vec<Value> {
    let read = |lines: String| -> Value {
        let lines: Vec<String> = serde_json::from_str(&lines).unwrap();
        let mut answer: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
        answer.as_object_mut().unwrap().remove("seconds");
        answer
    };
    answers(run).into_iter().map(read).collect()
}

#[test]
fn a_killed_run_in_a_database_finishes_the_very_same_jobs() {
    let place = Place::new();
    let database = jl_testing::server().database();
    let undisturbed = format!("{database}?run=undisturbed");
    let expected = place.json(&solve_args("1", &undisturbed));
    assert_eq!(expected["run"].as_str(), Some(undisturbed.as_str()));
    let answers = |name: &str| {
        let sql = "SELECT output FROM journal JOIN jobs USING (run, job) JOIN runs ON runs.id = journal.run
                   WHERE kind = 'done' AND name = ";
        jl_testing::server().sql(&database, &format!("{sql}'{name}' ORDER BY seq"))
    };
    enough_kills(|seed| {
        let name = format!("killed-{seed}");
        let run = format!("{database}?run={name}");
        let (v, kills) = kill_until_done(&place, &run, "1", Victim::Client, seed);
        assert_same(&v, &expected);
        assert_eq!(answers(&name), answers("undisturbed"), "the same answers in the same order");
        assert_eq!(place.json(&["replay", &run, "--json"])["matches"], true);
        let listed = place.json(&["runs", &run, "--json"]);
        let listed = &listed["runs"][0];
        assert_eq!((&listed["status"], &listed["jobs"]), (&Value::from("decided"), &v["jobs"]["done"]));
        assert_eq!((&listed["run"], &listed["nodes"]), (&Value::from(run.as_str()), &v["nodes"]));
        kills
    });
    let listed = place.json(&["runs", &database, "--json"]);
    assert!(listed["runs"].as_array().unwrap().len() >= 2, "all runs of the database: {listed}");
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
