//! Engines that misbehave now and then: the job fails with a reason, the search goes on and ends right.

use crate::support::Place;
use serde_json::Value;

/// Solves with an engine that does `mischief` at every `every`th query, and answers well otherwise.
fn solve_with(mischief: &str, every: u32, settings: &str) -> Value {
    let place = Place::new();
    let script = format!(
        "#!/bin/sh
count={}
while read -r line; do
  n=$(( $(cat \"$count\" 2>/dev/null || echo 0) + 1 ))
  echo $n > \"$count\"
  if [ $(( n % {every} )) -eq 0 ]; then
    {mischief}
  else
    {} engine tictactoe --json $line
  fi
  echo end
done
",
        place.file("count").display(),
        env!("CARGO_BIN_EXE_jl"),
    );
    let script = place.write("engine.sh", &script);
    let toml = format!(
        "[program.naughty]\ncommand = [\"sh\", {:?}]\nprotocol = \"lines\"\nterminator = \"end\"\n{settings}\n",
        script.to_str().unwrap(),
    );
    place.write("programs.toml", &toml);
    let args = [
        "solve",
        "tictactoe",
        "--programs",
        "programs.toml",
        "--engine",
        "naughty",
        "--max-failures",
        "20",
        "--workers",
        "2",
        "--json",
    ];
    place.json(&args)
}

fn check(mischief: &str, every: u32, settings: &str, named: &[&str]) {
    let v = solve_with(mischief, every, settings);
    assert_eq!(v["winner"], "none", "{v}");
    assert!(v["jobs"]["failed"].as_u64() > Some(0), "{v}");
    let reason = v["failures"][0].as_str().unwrap();
    for part in named {
        assert!(reason.contains(part), "'{reason}' does not name '{part}'");
    }
}

#[test]
fn it_crashes() {
    check("echo half an answer; echo out of memory >&2; exit 3", 4, "", &["crashed", "3", "half an answer"]);
}

#[test]
fn it_hangs() {
    check("echo thinking; sleep 1000", 15, "time_limit = \"300ms\"", &["timed out", "thinking"]);
}

#[test]
fn it_prints_garbage() {
    check("echo '%&/ garbage'", 3, "", &["bad answer", "%&/ garbage"]);
}

#[test]
fn it_prints_an_illegal_move() {
    check("echo '{\"move\":\"d4\",\"status\":\"B1\"}'", 3, "", &["bad answer", "d4"]);
}

#[test]
fn it_prints_nothing() {
    check(":", 3, "", &["bad answer", "printed nothing"]);
}

#[test]
fn it_floods_its_output() {
    check("yes flood", 15, "max_output = 100000", &["flooded", "flood"]);
}

#[test]
fn it_cannot_be_started() {
    let place = Place::new();
    let toml = "[program.gone]\ncommand = [\"no-such-engine-anywhere\"]\nprotocol = \"oneshot\"\n";
    place.write("programs.toml", toml);
    let out = place.jl(&[
        "solve",
        "tictactoe",
        "--programs",
        "programs.toml",
        "--engine",
        "gone",
        "--run",
        "t.jl",
        "--json",
    ]);
    let v = out.json();
    assert_eq!((out.code, &v["decided"]), (1, &false.into()), "a run that gave up is no success");
    assert!(v["failures"][0].as_str().unwrap().contains("no-such-engine-anywhere"), "{v}");
    assert!(out.stderr.contains("jl resume t.jl"), "{}", out.stderr);
    // Mended: the same name now stands for the real engine.
    let mended = format!(
        "[program.gone]\ncommand = [{:?}, \"engine\", \"tictactoe\", \"--json\"]\nprotocol = \"oneshot\"\n",
        env!("CARGO_BIN_EXE_jl")
    );
    place.write("programs.toml", &mended);
    let v = place.json(&["resume", "t.jl", "--programs", "programs.toml", "--json"]);
    assert_eq!(v["winner"], "none");
}
