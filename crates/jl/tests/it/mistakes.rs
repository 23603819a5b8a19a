//! Mistyped commands: one clear line, exit code 2, and nothing written.

use crate::support::Place;

#[test]
fn mistakes_get_one_line_and_exit_code_2() {
    let cases: &[(&[&str], &str)] = &[
        (&[], "solve"),
        (&["slove", "tictactoe"], "'solve'"),
        (&["solve"], "GAME"),
        (&["solve", "chess960"], "no game 'chess960'"),
        (&["solve", "tictactoe", "--moves", "a1 a1"], "move 2 'a1' is illegal"),
        (&["solve", "tictactoe", "--moves", "a1 z9"], "'z9'"),
        (&["solve", "tictactoe", "--moves", "a1 b1 a2 b2 a3 b3"], "already over"),
        (&["solve", "tictactoe", "--search", "mcts"], "no search 'mcts'"),
        (&["solve", "tictactoe", "--policy", "best"], "'best' is not a policy"),
        (&["solve", "tictactoe", "--search", "uct", "--policy", "vl"], "--policy is for --search pns"),
        (&["solve", "tictactoe", "--search", "uct", "--exploration", "-1"], "exploration"),
        (&["solve", "tictactoe", "--mean", "live"], "--exploration and --mean are for --search uct"),
        (&["solve", "tictactoe", "--search", "uct", "--mean", "some"], "[possible values: live, all]"),
        (&["solve", "tictactoe", "--siblings", "late"], "[possible values: auto, gradual, eager]"),
        (&["solve", "tictactoe", "--k-band", "0"], "--k-band"),
        (&["solve", "tictactoe", "--k-band", "2", "--widening", "2"], "choose one"),
        (&["solve", "tictactoe", "--table", "lin31"], "no table's name (lin13, chen10, wei15)"),
        (&["solve", "tictactoe", "--workers", "0"], "--workers"),
        (&["solve", "tictactoe", "--limit", "many"], "many"),
        (&["solve", "tictactoe", "--engine", "deepthought"], "no engine 'deepthought'"),
        (&["solve", "tictactoe", "--programs", "missing.toml"], "missing.toml"),
        (&["solve", "tictactoe", "--job-time", "soon"], "soon"),
        (&["solve", "tictactoe", "--run", "no/such/folder/t.jl"], "no/such/folder/t.jl"),
        (&["solve", "tictactoe", "--frobnicate"], "--frobnicate"),
        (&["solve", "tictactoe", "--job-time", "0s"], "1ms to a day"),
        (&["solve", "tictactoe", "--job-nodes", "5"], "'tictactoe' is not known to count nodes"),
        (&["solve", "tictactoe", "--opening", "tx-d21"], "--opening is for connect6"),
        (&["solve", "tictactoe", "--svg", "t.svg"], "only connect6 is drawn"),
        (
            &["solve", "connect6", "--opening", "tx"],
            "no opening 'tx' (t-p12, tx-d21, tx-d22, tx-q22, xx-b22, w-b22, w-d22, w-d21, w-q22)",
        ),
        (&["solve", "connect6", "--opening", "tx-d21", "--moves", "JJ"], "cannot be used with"),
        (&["solve", "connect6", "--opening", "tx-d21", "--sgf", "a.sgf"], "cannot be used with"),
        (
            &["solve", "connect6", "--moves", "JJ-JJKK"],
            "in --moves: move 2 'JJKK' is illegal: JJ is occupied",
        ),
        (&["solve", "connect6", "--moves", "JJ-KI"], "two stones"),
        (&["solve", "connect6", "--moves", "k10 i9j9", "--skip-i"], "no column I"),
        (&["solve", "connect6", "--sgf", "missing.sgf"], "missing.sgf"),
        (&["solve", "connect6", "--after", "3"], "--sgf"),
        (&["solve", "connect6", "--job-nodes", "0"], "--job-nodes"),
        (&["solve", "connect6", "--svg", "no/such/folder/p.svg"], "no/such/folder/p.svg"),
        (&["resume", "missing.jl"], "missing.jl"),
        (&["replay", "missing.jl"], "missing.jl"),
        (&["runs", "missing.jl"], "missing.jl"),
        (&["sim", "--game", "go"], "no game 'go'"),
        (&["sim", "--policies", "vw,xx"], "'xx' is not a policy"),
        (&["sim", "--workers", "1,0"], "--workers"),
        (&["sim", "--loss", "1.5"], "--loss"),
        (&["sim", "--plot", "a.gif"], ".svg or .png"),
        (&["engine"], "which engine?"),
        (&["engine", "gnugo"], "no engine 'gnugo'"),
        (&["engine", "tictactoe", "--moves", "a1 a1"], "a1"),
        (&["engine", "connect6", "--moves", "JJ-JJKK"], "JJ is occupied by X"),
        (&["engine", "connect6", "--solve", "--verify"], "--verify"),
        (&["play"], "GAME"),
        (&["play", "go"], "'go' can't be played here"),
        (&["play", "connect6", "--moves", "JJ-JI"], "two stones"),
        (&["play", "connect6", "--sgf", "missing.sgf"], "missing.sgf"),
        (&["play", "connect6", "--color", "red"], "red"),
        (&["play", "connect6", "--time", "0s"], "1ms to a day"),
        (&["play", "connect6", "--threads", "257"], "from 1 to 256"),
        (&["play", "connect6", "--nodes", "0"], "--nodes"),
        (&["play", "connect6", "--save", "no/such/folder/g.sgf"], "no/such/folder/g.sgf"),
        (&["bench"], "connect6"),
        (&["bench", "go"], "go"),
        (&["bench", "connect6", "missing.tsv"], "missing.tsv"),
        (&["bench", "connect6", "a.tsv", "--nodes", "many"], "many"),
        (&["bench", "ladder", "--games", "3"], "even"),
        (&["bench", "ladder", "--games", "0"], "--games"),
        (&["bench", "ladder", "--opponents", "zones,luck"], "luck"),
        (&["bench", "ladder", "--time", "0s"], "1ms to a day"),
        (&["bench", "ladder", "--nodes", "0"], "--nodes"),
        (&["bench", "ladder", "--workers", "0"], "--workers"),
        (&["bench", "ladder", "zones"], "zones"),
        (&["bench", "ladder", "--openings", "missing.csv"], "missing.csv"),
        (&["bench", "ladder", "--before-end", "3"], "--openings"),
        (&["bench", "ladder", "--openings", "a.csv", "--before-end", "6..3"], "range like 3..6"),
        (&["bench", "calibrate", "--games", "few"], "few"),
        (&["bench", "calibrate", "--plot", "c.gif"], ".svg or .png"),
        (&["bench", "calibrate", "--plot", "no/such/folder/c.svg"], "no/such/folder/c.svg"),
        (&["bench", "calibrate", "--random", "1.5"], "--random"),
        (&["bench", "calibrate", "--seed", "-1"], "-1"),
        (&["bench", "solve", "missing.tsv"], "missing.tsv"),
        (&["proof"], "verify"),
        (&["proof", "check", "a.proof"], "check"),
        (&["proof", "verify"], "FILE"),
        (&["proof", "verify", "missing.proof"], "missing.proof"),
        (&["proof", "sgf", "missing.proof"], "missing.proof"),
        (&["list", "wishes"], "no list 'wishes'"),
    ];
    let place = Place::new();
    for (args, named) in cases {
        let out = place.jl(args);
        assert_eq!(out.code, 2, "{args:?}: {}", out.stderr);
        assert!(out.stderr.contains(named), "{args:?} does not name {named}: {}", out.stderr);
        assert_eq!((out.stdout.as_str(), out.stderr.lines().count()), ("", 1), "{args:?}: {}", out.stderr);
        assert_eq!(place.names(), [] as [&str; 0], "{args:?} left something");
    }
}

#[test]
fn broken_files_are_refused_and_left_alone() {
    let place = Place::new();
    place.write("text.jl", "this is not a run file, although it is called one");
    place.write("bad.toml", "[program.x]\ncommand = []\nprotocol = \"lines\"\n");
    for args in [
        &["resume", "text.jl"][..],
        &["replay", "text.jl"],
        &["solve", "tictactoe", "--run", "text.jl"],
        &["solve", "tictactoe", "--programs", "bad.toml"],
    ] {
        let out = place.jl(args);
        assert_eq!(out.code, 2, "{args:?}");
        assert!(out.stderr.contains(".jl") || out.stderr.contains("bad.toml"), "{}", out.stderr);
    }
    assert_eq!(place.names(), ["bad.toml", "text.jl"]);
    assert!(std::fs::read_to_string(place.file("text.jl")).unwrap().starts_with("this is not"));
}
