//! Disks that are full, and folders and files that can't be written.

use crate::support::{Outcome, Place};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a script of the shell in the place; `$jl` is the program.
fn sh(place: &Place, before: &[&str], script: &str) -> Outcome {
    let words = [before, &["sh", "-c", script]].concat();
    let mut command = Command::new(words[0]);
    command
        .args(&words[1..])
        .current_dir(place.path())
        .env("jl", env!("CARGO_BIN_EXE_jl"))
        .env_remove("JL_CACHE");
    // What the processes of this test are known by.
    command.env("JL_TEST_PLACE", place.path()).stdin(Stdio::null());
    Outcome::of(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// Processes that were started from this place.
fn left(place: &Place) -> Vec<String> {
    let mark = format!("JL_TEST_PLACE={}", place.path().display());
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let ours = all.filter(|p| {
        let environment = std::fs::read(p.path().join("environ")).unwrap_or_default();
        environment.split(|&b| b == 0).any(|word| word == mark.as_bytes())
    });
    ours.map(|p| p.file_name().to_string_lossy().into_owned()).collect()
}

const SOLVE: &str = r#""$jl" solve tictactoe --workers 2 --run t.jl --json"#;

/// Ended by one line that says what can't be written and how to go on.
fn refused(out: &Outcome, why: &str) {
    assert_eq!((out.code, out.stdout.as_str()), (1, ""), "{}", out.stderr);
    let last = out.stderr.lines().last().unwrap();
    assert!(last.starts_with(&format!("jl: cannot write to t.jl: {why}")), "{}", out.stderr);
    assert!(last.contains("nothing that was recorded is lost: 'jl resume t.jl' goes on"), "{last}");
    assert_eq!(out.stderr.lines().count(), 2, "{}", out.stderr);
}

#[test]
fn a_file_that_may_not_grow_ends_the_run_and_it_goes_on_later() {
    let place = Place::new();
    // In blocks of 512 bytes. A write beyond is refused, with a signal that is ignored here.
    let out = sh(&place, &[], &format!("trap '' XFSZ; ulimit -f 300; exec {SOLVE}"));
    refused(&out, "");
    assert_eq!(left(&place), [] as [&str; 0]);
    let before = place.json(&["replay", "t.jl", "--json"]);
    assert!(before["jobs"]["done"].as_u64() > Some(5), "{before}");
    let v = place.json(&["resume", "t.jl", "--json"]);
    assert_eq!(v["winner"], "none");
    assert!(v["jobs"]["done"].as_u64() > before["jobs"]["done"].as_u64());
    assert_eq!(place.json(&["replay", "t.jl", "--json"])["matches"], true);
    // Not even a run without jobs.
    let place = Place::new();
    let out = sh(&place, &[], &format!("trap '' XFSZ; ulimit -f 2; exec {SOLVE}"));
    assert_eq!((out.code, out.stderr.lines().count()), (2, 1), "{}", out.stderr);
    assert!(out.stderr.starts_with("jl: cannot open t.jl: "), "{}", out.stderr);
    assert_eq!(place.names(), [] as [&str; 0]);
}

#[test]
fn a_full_disk_ends_the_run_and_it_goes_on_with_more_space() {
    let place = Place::new();
    let own = ["unshare", "--user", "--map-root-user", "--mount"];
    let small = "mkdir disk && mount -t tmpfs -o size=400k none disk && cd disk";
    let tried = sh(&place, &own, small);
    if tried.code != 0 {
        println!("skipped: no disk of its own here: {}", tried.stderr.trim());
        return;
    }
    std::fs::remove_dir(place.file("disk")).unwrap();
    let script = format!(
        "{small} || exit 99
         {SOLVE} >../out 2>../err; echo $? >../code
         \"$jl\" replay t.jl --json >../replayed || exit 98
         mount -o remount,size=50m . && \"$jl\" resume t.jl --json && \"$jl\" replay t.jl --json >../again"
    );
    let out = sh(&place, &own, &script);
    let read = |name: &str| std::fs::read_to_string(place.file(name)).unwrap_or_default();
    let ended =
        Outcome { code: read("code").trim().parse().unwrap_or(-1), stdout: read("out"), stderr: read("err") };
    refused(&ended, "the disk is full; ");
    assert_eq!(left(&place), [] as [&str; 0]);
    assert_eq!((out.code, &out.json()["winner"]), (0, &"none".into()), "{}", out.stderr);
    let value = |name: &str| serde_json::from_str::<serde_json::Value>(&read(name)).unwrap();
    let done = value("replayed")["jobs"]["done"].as_u64();
    assert!(done > Some(5) && done < out.json()["jobs"]["done"].as_u64(), "{done:?}");
    assert_eq!(value("again")["matches"], true);
}

/// What makes a command run as someone who may not write everywhere; `None`, with a printed reason, if there is nobody.
fn someone_else(place: &Place) -> Option<Vec<&'static str>> {
    if std::fs::metadata(place.path()).unwrap().uid() != 0 {
        return Some(Vec::new());
    }
    let other = vec!["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    chmod(place.path(), 0o755);
    let tried = sh(place, &other, r#""$jl" --version"#);
    if tried.code != 0 {
        println!("skipped: root may write everywhere, and nobody else can run this: {}", tried.stderr.trim());
        return None;
    }
    Some(other)
}

fn chmod(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn what_cannot_be_written_can_be_read() {
    let place = Place::new();
    let Some(other) = someone_else(&place) else { return };
    let run = |script: &str| sh(&place, &other, script);
    let solved = place.json(&["solve", "tictactoe", "--limit", "30", "--run", "t.jl", "--json"]);
    let file = place.file("t.jl");
    let bytes = std::fs::read(&file).unwrap();
    for (of_file, of_folder) in [(0o444, 0o555), (0o666, 0o555), (0o444, 0o777)] {
        chmod(&file, of_file);
        chmod(place.path(), of_folder);
        let what = format!("{of_file:o} in {of_folder:o}");
        let out = run(r#""$jl" replay t.jl --json"#);
        assert_eq!((out.code, &out.json()["matches"]), (0, &true.into()), "{what}: {}", out.stderr);
        let out = run(r#""$jl" runs --json"#);
        assert_eq!(out.json()["runs"][0]["jobs"], solved["jobs"]["done"], "{what}: {}", out.stderr);
        let out = run(r#""$jl" export t.jl --json"#);
        assert_eq!(out.code, 0, "{what}: {}", out.stderr);
        let out = run(r#""$jl" resume t.jl --limit 0"#);
        assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{what}: {}", out.stderr);
        assert!(out.stderr.starts_with("jl: cannot open t.jl: "), "{what}: {}", out.stderr);
        assert_eq!(out.stderr.lines().count(), 1, "{}", out.stderr);
        if of_folder == 0o555 {
            let out = run(r#""$jl" solve tictactoe --run new.jl"#);
            assert_eq!((out.code, out.stderr.lines().count()), (2, 1), "{what}: {}", out.stderr);
            assert!(out.stderr.starts_with("jl: cannot open new.jl: "), "{what}: {}", out.stderr);
        }
        assert_eq!(place.names(), ["t.jl"], "{what}");
        assert!(std::fs::read(&file).unwrap() == bytes, "{what}: it was changed");
    }
    chmod(place.path(), 0o755);
    // What a log holds is part of the run, and nothing but the truth is told of it.
    std::fs::write(place.file("t.jl-wal"), "a log").unwrap();
    chmod(&file, 0o444);
    chmod(place.path(), 0o555);
    let out = run(r#""$jl" replay t.jl"#);
    assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{}", out.stderr);
    assert!(out.stderr.contains("its log t.jl-wal must be taken in first"), "{}", out.stderr);
    chmod(place.path(), 0o755);
}
