//! `jl solve connect6`, as users type it. The positions are decided within a few short jobs.

use crate::support::Place;
use jl_game::Game;
use jl_games::connect6::Connect;
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Duration;

/// Black to move wins; with 300 nodes per job it takes several jobs.
const WON: &str = "JJ-HLIH-LJKK-HJHI-JLHK-FKGJ-DMJG-IMJK";

/// Everything of a report that does not depend on the clock.
fn timeless(v: &Value) -> Vec<Value> {
    ["winner", "line", "jobs", "nodes", "transpositions", "root"].map(|f| v[f].clone()).into()
}

#[test]
fn searches_and_workers_agree() {
    let place = Place::new();
    for search in ["pns", "uct"] {
        for workers in ["1", "4"] {
            let args =
                ["--moves", WON, "--search", search, "--workers", workers, "--job-nodes", "40", "--json"];
            let v = place.json(&[&["solve", "connect6"], &args[..]].concat());
            assert_eq!((&v["decided"], &v["winner"]), (&json!(true), &json!("first")), "{search} {workers}");
            assert_eq!(v["jobs"]["failed"], 0);
            assert!(v["jobs"]["done"].as_u64() > Some(1) && v["line"].as_array().unwrap().len() > 1);
        }
    }
}

#[test]
fn a_run_with_drafts_is_recorded_proved_and_replayed() {
    let place = Place::new();
    let moves = "JJ-IHHL-LJKK-HJHK-HHKJ";
    let args =
        ["--moves", moves, "--workers", "3", "--drafts", "always", "--run", "d.jl", "--proof", "d.proof"];
    let v = place.json(&[&["solve", "connect6", "--json"], &args[..]].concat());
    assert_eq!((&v["decided"], &v["winner"]), (&json!(true), &json!("first")));
    assert_eq!(v["jobs"]["failed"], 0);
    assert_eq!(place.jl(&["proof", "verify", "d.proof"]).code, 0);
    let journal = rusqlite::Connection::open(place.file("d.jl")).unwrap();
    let count = "SELECT count(*) FROM journal WHERE kind = 'message'";
    let heeded: i64 = journal.query_row(count, [], |row| row.get(0)).unwrap();
    assert!(heeded > 0, "drafts were heeded");
    let replay = place.jl(&["replay", "d.jl"]);
    assert_eq!(replay.code, 0, "{}", replay.stderr);
    let never = ["--moves", moves, "--workers", "8", "--drafts", "never", "--limit", "1", "--run", "n.jl"];
    place.jl(&[&["solve", "connect6", "--json"], &never[..]].concat());
    let journal = rusqlite::Connection::open(place.file("n.jl")).unwrap();
    let words: String = journal.query_row("SELECT parameters FROM runs", [], |row| row.get(0)).unwrap();
    assert!(!words.contains("--draft"), "{words}");
}

#[test]
fn few_workers_get_siblings_gradually_unless_told_otherwise() {
    let place = Place::new();
    let siblings = |name: &str, more: &[&str]| {
        let file = format!("{name}.jl");
        let args = ["solve", "tictactoe", "--limit", "1", "--json", "--run", &file];
        place.json(&[&args[..], more].concat());
        let journal = rusqlite::Connection::open(place.file(&file)).unwrap();
        let words: String = journal.query_row("SELECT parameters FROM runs", [], |row| row.get(0)).unwrap();
        let parameters: Value = serde_json::from_str(&words).unwrap();
        parameters["search"]["siblings"].as_str().unwrap().to_string()
    };
    assert_eq!(siblings("two", &["--workers", "2"]), "gradual");
    assert_eq!(siblings("eight", &["--workers", "8"]), "gradual");
    assert_eq!(siblings("sixteen", &["--workers", "16"]), "eager");
    assert_eq!(siblings("uct", &["--workers", "16", "--search", "uct"]), "gradual");
    assert_eq!(siblings("told", &["--workers", "2", "--siblings", "eager"]), "eager");
    assert_eq!(siblings("both", &["--workers", "16", "--siblings", "gradual"]), "gradual");
}

#[test]
fn the_report_for_people_names_black_and_white_and_draws() {
    let place = Place::new();
    let moves = format!("{WON}-IILL");
    let args = ["--moves", &moves, "--workers", "2", "--svg", "p.svg", "--run", "c.jl"];
    let out = place.jl(&[&["solve", "connect6"], &args[..]].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
    for part in ["White to move", "BLACK WINS: the player to move loses", "engine", "client", "times as fast"]
    {
        assert!(out.stdout.contains(part), "{part} is missing in {}", out.stdout);
    }
    let picture = std::fs::read_to_string(place.file("p.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.matches("<circle").count() >= 17, "{picture}");
    let out = place.jl(&["replay", "c.jl", "--svg", "again.svg"]);
    assert_eq!((out.code, std::fs::read_to_string(place.file("again.svg")).unwrap()), (0, picture));
}

#[test]
fn positions_come_from_moves_openings_and_records() {
    let place = Place::new();
    let moves = |args: &[&str]| {
        let limits = ["--limit", "1", "--job-nodes", "100", "--workers", "1", "--json"];
        place.json(&[&["solve", "connect6"], args, &limits].concat())["moves"].clone()
    };
    let opening = "JJ-IHHI-LJKK";
    place.write("a.sgf", "(;GM[511];B[JJ];W[JI];W[KL])(;FF[4];B[j10];W[i8h9];B[k11l10];W[a1b1])");
    assert_eq!(moves(&["--opening", "tx-d21"]), opening);
    assert_eq!(moves(&["--moves", "j10 h9i8, K11L10"]), opening);
    assert_eq!(moves(&["--moves", "k10 h9j8 L11M10", "--skip-i"]), opening);
    assert_eq!(moves(&["--sgf", "a.sgf"]), "JJ-JIKL");
    assert_eq!(moves(&["--sgf", "a.sgf", "--record", "2", "--after", "3"]), opening);
    let out = place.jl(&["solve", "connect6", "--sgf", "a.sgf", "--after", "4"]);
    assert_eq!((out.code, out.stderr.trim()), (2, "jl: --after: there is no move 4, only 2"));
    let listed = place.jl(&["list", "openings"]).stdout;
    assert_eq!(listed.lines().count(), 9);
    assert!(listed.contains("JJ-IHHI-KKLJ, white to move: Black wins (proved by this program"), "{listed}");
}

#[test]
fn limits_of_a_job_reach_the_engine() {
    let place = Place::new();
    let question = |run: &str, args: &[&str]| -> String {
        let common = ["solve", "connect6", "--moves", "JJ", "--limit", "1", "--run", run];
        assert_eq!(place.jl(&[&common, args].concat()).code, 0);
        let conn = rusqlite::Connection::open(place.file(run)).unwrap();
        let sql = "SELECT question FROM jobs WHERE output IS NOT NULL";
        conn.query_row(sql, [], |r| r.get(0)).unwrap()
    };
    assert_eq!(question("t.jl", &["--job-time", "20ms"]), "--time 20ms --style attack --next 32 --moves JJ");
    assert_eq!(
        question("n.jl", &["--job-nodes", "50", "--seed", "3"]),
        "--nodes 50 --style attack --next 32 --seed 3 --moves JJ"
    );
    let both = ["--job-nodes", "50", "--job-time", "1s"];
    assert_eq!(question("b.jl", &both), "--nodes 50 --time 1000ms --style attack --next 32 --moves JJ");
    let own = ["--engine-args", "--nodes 50"];
    assert_eq!(question("d.jl", &own), "--nodes 250000 --style attack --next 32 --nodes 50 --moves JJ");
}

#[test]
fn a_killed_run_goes_on_to_the_same_result() {
    let place = Place::new();
    let moves = "JJ-JIKL-KILH-HLIL-JLKG-KKNF";
    let solve = |run| {
        let args = ["--moves", moves, "--job-nodes", "3000", "--workers", "1", "--run", run, "--json"];
        [&["solve", "connect6"], &args[..]].concat()
    };
    let expected = place.json(&solve("whole.jl"));
    assert_eq!(expected["winner"], "first");
    let mut command = place.command(&solve("t.jl"));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let has_begun = || {
        let replayed = place.jl(&["replay", "t.jl", "--json"]);
        replayed.code == 0 && replayed.json()["jobs"]["done"].as_u64() >= Some(3)
    };
    while !has_begun() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = place.json(&["replay", "t.jl", "--json"]);
    let v = place.json(&["resume", "t.jl", "--json"]);
    let mut undisturbed = v.clone();
    undisturbed["jobs"]["lost"] = json!(0);
    assert_eq!(timeless(&undisturbed), timeless(&expected));
    assert!(v["engine_seconds"].as_f64() >= before["engine_seconds"].as_f64(), "{v} {before}");
    let replayed = place.json(&["replay", "t.jl", "--json"]);
    assert_eq!((timeless(&replayed), &replayed["matches"]), (timeless(&v), &json!(true)));
    assert_eq!(replayed["engine_seconds"], v["engine_seconds"], "time in the engine is in the journal");
}

#[test]
fn an_engine_that_hangs_is_stopped() {
    let place = Place::new();
    let script = place.write("engine.sh", "while read -r line; do sleep 60; done\n");
    let toml = format!(
        "[program.connect6]\ncommand = [\"sh\", {:?}]\nprotocol = \"lines\"\nterminator = \"end\"\n",
        script.to_str().unwrap()
    );
    place.write("programs.toml", &toml);
    let args = ["--job-time", "10ms", "--programs", "programs.toml", "--max-failures", "1", "--workers", "1"];
    let out = place.jl(&[&["solve", "connect6"], &args[..]].concat());
    assert_eq!(out.code, 1, "{}", out.stderr);
    assert!(out.stdout.contains("timed out"), "{}", out.stdout);
}

#[test]
fn a_result_comes_with_a_proof_that_checks() {
    let place = Place::new();
    // Quick to prove by threats, and one that needs replies which only the run has refuted.
    for (moves, winner) in [(WON, "first"), ("JJ-IHHI-KKLJ-FKGJ-ELJG", "first")] {
        let v = place.json(&["solve", "connect6", "--moves", moves, "--proof", "a.proof", "--json"]);
        assert_eq!((&v["winner"], &v["proof"]["checked"]), (&json!(winner), &json!(true)), "{v}");
        let checked = place.json(&["proof", "verify", "a.proof", "--json"]);
        assert_eq!((&checked["proved"], &checked["winner"]), (&json!(true), &json!(winner)));
        assert_eq!((&checked["moves"], &checked["nodes"]), (&v["moves"], &v["proof"]["nodes"]));
        assert_eq!(checked["leaves"], v["proof"]["leaves"]);
        assert!(checked["replies"].as_u64() > Some(60_000), "{checked}");
    }
}

#[test]
fn a_proof_that_cannot_be_written_leaves_nothing() {
    let place = Place::new();
    let name = "p".repeat(300);
    let args = ["--moves", WON, "--run", "t.jl", "--json"];
    let out = place.jl(&[&["solve", "connect6", "--proof", &name], &args[..]].concat());
    assert_eq!(out.code, 1);
    let errors: Vec<&str> = out.stderr.lines().filter(|line| line.starts_with("jl: ")).collect();
    assert!(matches!(errors[..], [error] if error.contains(&name)), "{}", out.stderr);
    assert_eq!(place.names(), ["t.jl"]);
}

#[test]
fn what_is_not_decided_or_not_connect6_has_no_proof() {
    let place = Place::new();
    let args = ["--moves", "JJ-IHHI", "--job-nodes", "100", "--limit", "1", "--proof", "a.proof", "--json"];
    let v = place.json(&[&["solve", "connect6"], &args[..]].concat());
    assert_eq!((&v["decided"], &v["proof"]), (&json!(false), &Value::Null));
    let out = place.jl(&["solve", "tictactoe", "--proof", "a.proof"]);
    assert_eq!(out.code, 2);
    assert!(out.stderr.contains("connect6 only"), "{}", out.stderr);
    assert!(!place.file("a.proof").exists());
}

#[test]
fn a_file_of_positions_is_solved_and_proved() {
    let place = Place::new();
    let rows = format!(
        "id\tto_move\tmoves\tknown\nwon\tblack\t{WON}\tBlack wins\nlost\twhite\t{WON}-IILL\tWhite wins\n\
         open\twhite\tJJ\t\n"
    );
    place.write("some.tsv", &rows);
    let args = ["bench", "solve", "some.tsv", "--workers", "2", "--job-nodes", "2000", "--limit", "20"];
    let out = place.jl(&[&args[..], &["--proofs", "proofs", "--json"]].concat());
    // What the file says of the second one is wrong.
    assert_eq!(out.code, 1, "{}", out.stderr);
    let v: Value = serde_json::from_str(out.stdout.lines().last().unwrap()).unwrap();
    let of = |field: &str| v["rows"].as_array().unwrap().iter().map(|r| r[field].clone()).collect::<Vec<_>>();
    assert_eq!(of("winner"), [json!("black"), json!("black"), Value::Null]);
    assert_eq!(of("contradicts"), [false, true, false]);
    assert_eq!((&v["totals"]["decided"], &v["totals"]["proved"]), (&json!(2), &json!(2)));
    assert_eq!(v["rows"][2]["jobs"], 20);
    for id in ["won", "lost"] {
        assert_eq!(place.jl(&["proof", "verify", &format!("proofs/{id}.proof")]).code, 0);
    }
    let text = place.jl(&args);
    assert!(text.stdout.contains("2/3 decided, 1 against what is known"), "{}", text.stdout);
}

/// The benchmark set: every position is legal and not over, comes once, and says what is known of it and how.
#[test]
fn the_benchmark_set_is_sound() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/connect6/");
    let mut all = std::collections::HashSet::new();
    let game = Connect::CONNECT6;
    for (file, mover_wins) in [("won", Some(true)), ("lost", Some(false)), ("hard", None)] {
        let text = std::fs::read_to_string(format!("{folder}{file}.tsv")).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("id\tto_move\tmoves\tknown\torigin\thow"));
        for line in lines {
            let [id, to_move, moves, known, origin, how] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{file}: {line}")
            };
            let (_, position) = game.replay(moves).unwrap();
            assert!(game.outcome(&position).is_none(), "{id}");
            assert_eq!(game.player_name(position.to_move()).to_lowercase(), to_move, "{id}");
            let winner = known.strip_suffix(" wins").unwrap().to_lowercase();
            assert!(mover_wins.is_none_or(|wins| wins == (winner == to_move)), "{id}");
            assert!(
                !origin.is_empty() && ["proved by this program", "claimed, not proved"].contains(&how),
                "{id}"
            );
            assert!(all.insert(game.canonical(&position).0), "{id} comes twice");
        }
    }
    assert!(all.len() >= 35, "{} positions", all.len());
}
