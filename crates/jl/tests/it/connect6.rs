//! The Connect6 program as users and other tools drive it.

use crate::support::{Outcome, Place};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// Black, to move, has five in a row from JJ to JN, open at both ends.
const FIVE: &str = "JJ-AAAB-JKJL-ACAD-JMJN-AGAH";

/// A command with something on its standard input.
fn piped(place: &Place, args: &[&str], input: &str) -> Outcome {
    let mut command = place.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that does not read to the end closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    Outcome::of(child)
}

#[test]
fn the_engine_is_listed_and_answers() {
    let place = Place::new();
    assert!(place.jl(&["list", "engines"]).stdout.contains("connect6"));
    let v = place.json(&["engine", "connect6", "--moves", "JJ-JIKL-KILH", "--nodes", "200", "--json"]);
    assert_eq!(v["move"].as_str().map(str::len), Some(4));
    let out = place.jl(&["engine", "connect6", "--moves", "JJ-JJKK"]);
    assert_eq!((out.code, out.stdout.as_str(), out.stderr.lines().count()), (2, "", 1));
    let out = piped(&place, &["engine", "connect6", "--lines", "--json", "--nodes", "50"], "--moves JJ\n\n");
    assert_eq!(out.stdout.lines().filter(|l| *l == "end").count(), 2);
    let out =
        piped(&place, &["engine", "connect6", "--protocol", "c6", "--nodes", "50"], "new black\nquit\n");
    assert!(out.stdout.starts_with("move ") && out.code == 0, "{}", out.stdout);
}

#[test]
fn a_person_wins_takes_it_back_and_saves() {
    let place = Place::new();
    let input = "JOJP\nAFAE\nmoves\nsave won.sgf\nundo\nsave again.sgf\nsave again.sgf\nquit\n";
    let out = piped(&place, &["play", "connect6", "--moves", FIVE, "--nodes", "100"], input);
    assert_eq!((out.code, out.stderr.as_str()), (0, ""));
    assert!(out.stdout.contains("Black (X) wins at move 7: JJ JK JL JM JN JO JP\n"), "{}", out.stdout);
    assert!(out.stdout.contains("The game is over"));
    assert!(out.stdout.contains(&format!("{FIVE}-JOJP\n")));
    let won = std::fs::read_to_string(place.file("won.sgf")).unwrap();
    assert!(won.contains("RE[B+]") && won.trim_end().ends_with(";B[JO];B[JP])"), "{won}");
    let again = std::fs::read_to_string(place.file("again.sgf")).unwrap();
    assert!(again.trim_end().ends_with(";W[AG];W[AH])"), "{again}");
    let args = ["engine", "connect6", "--sgf", "again.sgf", "--solve", "--nodes", "200", "--json"];
    assert_eq!(place.json(&args)["winner"], "first");
}

#[test]
fn mistyped_moves_are_explained_and_asked_again() {
    let place = Place::new();
    let input = "JJ\nfoo!\nJ99\nJJKK\nA\nsave\ncolor green\n\u{fffd}\nhint\nhelp\nswap\nundo\n";
    let out = piped(&place, &["play", "connect6", "--nodes", "50"], input);
    assert_eq!(out.code, 0, "the end of the input is the end: {}", out.stderr);
    for expected in [
        "You are Black (X)",
        "2. White (O) plays ",
        "'foo!' is not a move of connect6",
        "row 99 is off the board (1 to 19)",
        "'JJKK' is illegal: JJ is occupied by X",
        "the last stone has no row",
        "Which file?",
        "Which colour",
        "undo             take your last move back",
        "You are White (O) now.",
        "3. Black (X) plays ",
    ] {
        assert!(out.stdout.contains(expected), "{expected} is missing in {}", out.stdout);
    }
    assert_eq!(place.names(), [] as [&str; 0]);
}

#[test]
fn white_waits_for_the_program_and_has_nothing_to_take_back() {
    let place = Place::new();
    let out = piped(&place, &["play", "connect6", "--color", "white", "--nodes", "50"], "undo\n");
    assert!(out.stdout.contains("1. Black (X) plays "), "{}", out.stdout);
    assert!(out.stdout.contains("There is no move of yours to take back."));
}

#[test]
fn the_program_plays_itself_to_the_end() {
    let place = Place::new();
    let args =
        ["play", "connect6", "--color", "none", "--nodes", "20", "--save", "self.sgf", "--moves", FIVE];
    let out = place.jl(&args);
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert!(out.stdout.contains("7. Black (X) plays "));
    assert!(out.stdout.ends_with("saved in self.sgf\n"), "{}", out.stdout);
    let text = std::fs::read_to_string(place.file("self.sgf")).unwrap();
    assert!(text.contains("PB[joblevel]PW[joblevel]RE["), "{text}");
    let again = place.jl(&args);
    assert_eq!(again.code, 2, "a file that is there is not written over");
    assert!(again.stderr.contains("self.sgf"));
}

const POSITIONS: &str = "id\tto_move\tmoves\tclaim\thow\tcategory\n\
    c07\tblack\tJJ-LHHH-JIKJ-IHJH-KHIJ-HKLJ\tBlack wins, KIKK\tdouble threats\ttactics\n\
    start\twhite\tJJ\t\t\tquiet\n";

#[test]
fn bench_counts_what_is_decided() {
    let place = Place::new();
    place.write("p.tsv", POSITIONS);
    let v = place.json(&["bench", "connect6", "p.tsv", "--nodes", "3000", "--json"]);
    let rows = v["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!(
        (&rows[0]["id"], &rows[0]["decided"], &rows[0]["winner"]),
        (&json!("c07"), &json!(true), &json!("first"))
    );
    assert_eq!(
        (&rows[0]["claim"], &rows[0]["claimed_how"]),
        (&json!("Black wins, KIKK"), &json!("double threats"))
    );
    for row in rows {
        assert!(row["nodes"].is_u64() && row["seconds"].is_f64() && row.get("how").is_some());
    }
    assert_eq!((&rows[1]["decided"], &rows[1]["winner"]), (&json!(false), &Value::Null));
    let sum: u64 = rows.iter().map(|r| r["nodes"].as_u64().unwrap()).sum();
    assert_eq!((&v["totals"]["positions"], &v["totals"]["decided"]), (&json!(2), &json!(1)));
    assert_eq!(v["totals"]["nodes"], sum);
    assert_eq!(v["categories"]["tactics"]["decided"], 1);
    let out = place.jl(&["bench", "connect6", "p.tsv", "--nodes", "3000"]);
    assert!(out.stdout.contains("claimed: Black wins, KIKK"), "{}", out.stdout);
    assert!(out.stdout.contains("tactics: 1/1 decided") && out.stdout.contains("all: 1/2 decided"));
    let v = place.json(&["bench", "connect6", "p.tsv", "--nodes", "300", "--task", "verify", "--json"]);
    assert_eq!(v["rows"].as_array().unwrap().len(), 2);
}

#[test]
fn bench_names_the_line_that_is_wrong() {
    let place = Place::new();
    for (text, expected) in [
        ("", "p.tsv:1: there is no column 'id'"),
        ("id\tmoves\na\tJJ\n", "p.tsv:1: there is no column 'to_move'"),
        ("id\tto_move\tmoves\n", "p.tsv: there is no position"),
        ("id\tto_move\tmoves\na\twhite\n", "p.tsv:2: there is no field 'moves'"),
        (
            "id\tto_move\tmoves\n\na\tblack\tJJ\n",
            "p.tsv:3: black to move, but after these moves it is white's turn",
        ),
        ("id\tto_move\tmoves\na\tred\tJJ\n", "p.tsv:2: to_move is 'red'"),
        ("id\tto_move\tmoves\na\twhite\tJJ\nb\tblack\tJJ-JJKK\n", "p.tsv:3: move 2 'JJKK' is illegal"),
        (&format!("id\tto_move\tmoves\na\twhite\t{FIVE}-JOJP\n"), "p.tsv:2: the game is over"),
    ] {
        place.write("p.tsv", text);
        let out = place.jl(&["bench", "connect6", "p.tsv", "--json"]);
        assert_eq!((out.code, out.stdout.as_str(), out.stderr.lines().count()), (2, "", 1), "{text}");
        assert!(out.stderr.contains(expected), "{expected}: {}", out.stderr);
    }
}

/// The commands of docs/connect6.md print what the page says. `JL_UPDATE_DOCS=1` writes what they print into the page.
#[test]
fn the_page_shows_real_outputs() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/connect6.md");
    let page = std::fs::read_to_string(path).unwrap();
    let mut shown = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        shown += &format!("{line}\n");
        if line == "```console" {
            let block: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
            for command in block.iter().filter_map(|l| l.strip_prefix("$ ")) {
                shown += &format!("$ {command}\n{}", in_a_shell(command));
            }
            shown += "```\n";
        }
    }
    if std::env::var_os("JL_UPDATE_DOCS").is_some() {
        std::fs::write(path, &shown).unwrap();
        return;
    }
    let (page, shown) = (without_times(&page), without_times(&shown));
    for (said, real) in page.lines().zip(shown.lines()) {
        assert_eq!(said, real, "JL_UPDATE_DOCS=1 writes the page anew");
    }
    assert_eq!(page.lines().count(), shown.lines().count());
}

/// What a command prints on both streams, with long lines cut.
fn in_a_shell(command: &str) -> String {
    let place = Place::new();
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_jl")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let text = format!("{{ {command}\n}} 2>&1");
    let out = Command::new("sh").args(["-c", &text]).env("PATH", path).current_dir(place.path()).output();
    let out = String::from_utf8(out.unwrap().stdout).unwrap();
    // Where a line is cut must not depend on how many digits a time has.
    let is_full = |text: &str| without_times(text).chars().count() == 230;
    let cut = |line: &str| match line.char_indices().take(300).find(|&(at, _)| is_full(&line[..at])) {
        Some((at, _)) => format!("{}…\n", &line[..at]),
        None => format!("{line}\n"),
    };
    out.lines().map(cut).collect()
}

/// Numbers with three decimals or more, and with an exponent, are times or may be.
fn without_times(text: &str) -> String {
    let number = |c: char| c.is_ascii_digit() || c == '.';
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let mut end = from.find(|c| !number(c)).unwrap_or(from.len());
        let long = from[..end].split_once('.').is_some_and(|(_, decimals)| decimals.len() >= 3);
        let exponent = from[end..].starts_with("e-");
        if exponent {
            end += 2 + from[end + 2..].find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len() - end - 2);
        }
        result += before;
        result += if long || exponent { "_" } else { &from[..end] };
        rest = &from[end..];
    }
    result + rest
}
