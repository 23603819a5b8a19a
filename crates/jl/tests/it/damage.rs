//! Run files after power cuts and bad disks, as commands see them. How every part of a file is spoilt is in the tests of the store.

use crate::support::{Outcome, Place};
use rusqlite::Connection;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A command that must come to an end, and may be refused, with a word on the file.
fn ends(folder: &Path, args: &[&str]) -> Outcome {
    let mut command = Command::new("timeout");
    command.args(["60", env!("CARGO_BIN_EXE_jl")]).args(args).current_dir(folder).stdin(Stdio::null());
    let out = Outcome::of(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    assert!([0, 1, 2].contains(&out.code), "{args:?} ends with {}: {}", out.code, out.stderr);
    assert!(!out.stderr.contains("panicked"), "{args:?}: {}", out.stderr);
    if out.code != 0 {
        let last = out.stderr.lines().last().unwrap_or_default();
        assert!(last.starts_with("jl: ") && last.contains("t.jl"), "{args:?}: {}", out.stderr);
    }
    out
}

/// The bytes of the files of a run.
struct Bytes {
    file: Vec<u8>,
    log: Vec<u8>,
}

impl Bytes {
    fn of(place: &Place) -> Bytes {
        let read = |name| std::fs::read(place.file(name)).unwrap_or_default();
        Bytes { file: read("t.jl"), log: read("t.jl-wal") }
    }

    fn put(&self) -> Place {
        let place = Place::new();
        std::fs::write(place.file("t.jl"), &self.file).unwrap();
        if !self.log.is_empty() {
            std::fs::write(place.file("t.jl-wal"), &self.log).unwrap();
        }
        place
    }
}

#[test]
fn a_spoilt_file_is_refused_or_gives_the_same_graph() {
    let place = Place::new();
    let args = ["solve", "tictactoe", "--limit", "120", "--workers", "3", "--run", "t.jl", "--json"];
    place.json(&args);
    let digest = place.json(&["replay", "t.jl", "--json"])["digest"].clone();
    let graph = place.jl(&["export", "t.jl", "--json"]).stdout;
    let whole = Bytes::of(&place);
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut read, mut resumed) = (0, 0);
    for case in 0..24 {
        let mut file = whole.file.clone();
        let start = rng.usize(1..file.len() / 4096) * 4096;
        match case % 4 {
            0 => file.truncate(rng.usize(..file.len())),
            1 => file[start..start + 4096].fill(0),
            2 => file[start..start + 4096].fill_with(|| rng.u8(..)),
            _ => file[start + rng.usize(..3500)..][..40].fill(b'7'),
        }
        let spoilt = Bytes { file, log: Vec::new() };
        let copy = spoilt.put();
        ends(copy.path(), &["runs", "t.jl"]);
        let replayed = ends(copy.path(), &["replay", "t.jl", "--json"]);
        if replayed.code == 0 {
            assert_eq!(replayed.json()["digest"], digest, "case {case}");
            read += 1;
        }
        let exported = ends(copy.path(), &["export", "t.jl", "--json"]);
        if exported.code == 0 {
            assert_eq!(exported.stdout, graph, "case {case}");
        }
        let out = ends(spoilt.put().path(), &["resume", "t.jl", "--limit", "0", "--json"]);
        if out.code == 0 {
            assert_eq!(out.json()["winner"], "none", "case {case}");
            resumed += 1;
        }
    }
    println!("{read} replayed, {resumed} resumed");
}

#[test]
fn a_spoilt_graph_is_rebuilt_and_a_spoilt_journal_named() {
    let place = Place::new();
    place.json(&["solve", "tictactoe", "--limit", "40", "--run", "t.jl", "--json"]);
    let whole = Bytes::of(&place);
    let spoil = |sql: &str| {
        let place = whole.put();
        Connection::open(place.file("t.jl")).unwrap().execute_batch(sql).unwrap();
        place
    };
    for sql in [
        "UPDATE positions SET count = count + 1 WHERE id = 7",
        "UPDATE moves SET child = child - 1 WHERE child = 9",
        "DELETE FROM moves WHERE child = 9",
        "DELETE FROM positions WHERE id = (SELECT max(id) FROM positions)",
        "UPDATE runs SET state = replace(state, '\"next_job\":', '\"next_job\":1')",
        "DROP TABLE moves",
    ] {
        let place = spoil(sql);
        let out = ends(place.path(), &["export", "t.jl", "--json"]);
        assert_eq!(out.code, 0, "{sql}: an export reads the journal: {}", out.stderr);
        let out = ends(place.path(), &["resume", "t.jl", "--limit", "0", "--json"]);
        assert!(out.stderr.contains("the saved graph is of no use"), "{sql}: {}", out.stderr);
        if sql.starts_with("DROP") {
            assert_eq!(out.code, 1, "nothing can be saved either");
            continue;
        }
        assert_eq!(out.json()["winner"], "none", "{sql}");
        let again = ends(place.path(), &["replay", "t.jl", "--json"]).json();
        assert_eq!((&again["matches"], &again["saved_graph_matches"]), (&true.into(), &true.into()), "{sql}");
    }
    for (sql, told) in [
        ("UPDATE jobs SET output = output || ' ' WHERE job = 5", "is not as it was written"),
        ("UPDATE jobs SET job = 5000 WHERE job = 5", "nothing is recorded of job 5"),
        ("DELETE FROM journal WHERE job = 5", "it is missing"),
        ("DELETE FROM journal WHERE seq > (SELECT seq FROM journal WHERE job = 5)", "it is missing"),
    ] {
        let place = spoil(sql);
        for args in [&["replay", "t.jl"][..], &["export", "t.jl", "--json"]] {
            let out = ends(place.path(), args);
            assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{sql}: {}", out.stderr);
            assert!(
                out.stderr.contains("t.jl is damaged at journal entry ") && out.stderr.contains(told),
                "{}",
                out.stderr
            );
        }
    }
}

#[test]
fn what_a_cut_log_holds_is_recovered() {
    let place = Place::new();
    let args = ["solve", "tictactoe", "--workers", "2", "--run", "t.jl", "--save", "100ms", "--json"];
    let args = [&args[..], &["--engine-args", "--delay 8ms"]].concat();
    let mut child = place.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begin = Instant::now();
    while std::fs::metadata(place.file("t.jl-wal")).map_or(0, |m| m.len()) < 200_000 {
        assert!(begin.elapsed() < Duration::from_secs(60), "the run makes no headway");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let killed = Bytes::of(&place);
    assert!(killed.log.len() >= 200_000, "it was killed in time");
    let all = killed.put().json(&["replay", "t.jl", "--json"])["jobs"]["done"].as_u64().unwrap();
    let mut rng = fastrand::Rng::with_seed(9);
    let mut found = Vec::new();
    for case in 0..8 {
        let mut log = killed.log[..rng.usize(60_000..killed.log.len())].to_vec();
        if case % 2 == 0 {
            log.extend((0..5000).map(|_| rng.u8(..)));
        }
        let cut = Bytes { file: killed.file.clone(), log };
        let replayed = ends(cut.put().path(), &["replay", "t.jl", "--json"]);
        assert_eq!(replayed.code, 0, "{}", replayed.stderr);
        found.push(replayed.json()["jobs"]["done"].as_u64().unwrap());
        let place = cut.put();
        let resumed = ends(place.path(), &["resume", "t.jl", "--workers", "8", "--json"]);
        assert_eq!((resumed.code, &resumed.json()["winner"]), (0, &"none".into()), "{}", resumed.stderr);
        assert!(!resumed.stderr.contains("of no use"), "{}", resumed.stderr);
        assert_eq!(ends(place.path(), &["replay", "t.jl", "--json"]).json()["matches"], true);
    }
    assert!(
        found.iter().all(|&done| done <= all) && found.iter().any(|&done| 0 < done && done < all),
        "{found:?}"
    );
}
