//! `jl sudoku`: grids, puzzles, and projects.

use crate::support::{Outcome, Place};
use rusqlite::Connection;
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// It has 29 puzzles with 17 clues.
const KNOWN: &str = "639241785284765193517983624123857946796432851458619237342178569861594372975326418";
/// One of 17 clues, in its least form, and its solution.
const PUZZLE: &str = ".....67..4...8......9.....52....7.......9...4.7.....5..67...2.....34.............";
const SOLUTION: &str = "123456789456789123789123465248537916635291874971864352367915248512348697894672531";

fn with_input(place: &Place, args: &[&str], input: &str) -> Outcome {
    let mut child = (place.command(args))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    Outcome::of(child)
}

fn random(place: &Place, count: &str, seed: &str) -> String {
    let out = place.jl(&["sudoku", "random", "--count", count, "--seed", seed]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    out.stdout
}

#[test]
fn the_puzzles_refer_to_the_grid_as_given() {
    let place = Place::new();
    // All puzzles that lack one clue, of a grid that is far from its least form.
    let v = place.json(&["sudoku", "check", "--clues", "80", "--grid", KNOWN, "--json"]);
    let row = &v["rows"][0];
    assert_eq!((row["grid"].as_str(), row["clues"].as_u64()), (Some(KNOWN), Some(80)));
    let puzzles: Vec<&str> = row["puzzles"].as_array().unwrap().iter().map(|p| p.as_str().unwrap()).collect();
    assert_eq!(puzzles.len(), 81);
    for puzzle in puzzles {
        let differs = puzzle.chars().zip(KNOWN.chars()).filter(|(a, b)| a != b);
        assert_eq!(differs.map(|(a, _)| a).collect::<String>(), ".", "{puzzle}");
    }
    assert!(row["nodes"].as_u64() > Some(0) && row["seconds"].as_f64() > Some(0.0), "{row}");
    let levels = row["nodes_per_level"].as_array().unwrap();
    assert_eq!(levels.iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), row["nodes"].as_u64().unwrap());
    assert_eq!(v["totals"]["puzzles"], 81);
    assert_eq!((&v["totals"]["grids"], &v["totals"]["nodes"]), (&Value::from(1), &row["nodes"]));
    assert_eq!(v["totals"]["seconds"]["mean"], row["seconds"]);
    let text = place.jl(&["sudoku", "check", "--clues", "80", "--grid", KNOWN]).stdout;
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with(&format!("{KNOWN}  80 clues: 81 puzzles, ")), "{}", lines[0]);
    assert_eq!(lines.len(), 82);
}

#[test]
fn a_grid_has_the_puzzle_that_it_is_known_for() {
    let place = Place::new();
    let v = place.json(&["sudoku", "check", "--clues", "17", "--grid", SOLUTION, "--json"]);
    assert_eq!(v["rows"][0]["puzzles"], serde_json::json!([PUZZLE]));
    assert_eq!(v["complete"], true);
}

#[test]
fn the_grid_with_29_puzzles_has_29() {
    let v = Place::new().json(&["sudoku", "check", "--clues", "17", "--grid", KNOWN, "--json"]);
    assert_eq!(v["rows"][0]["puzzles"].as_array().unwrap().len(), 29);
}

#[test]
fn the_rows_are_in_the_order_of_the_grids_whoever_checks_them() {
    let place = Place::new();
    let grids = random(&place, "5", "3");
    place.write("grids.txt", &format!("# some grids\n\n{grids}{KNOWN}\n"));
    let expected: Vec<&str> = grids.lines().chain([KNOWN]).collect();
    let args = ["sudoku", "check", "--clues", "11", "--grids", "grids.txt", "--threads", "3"];
    let v = place.json(&[&args[..], &["--json", "--plot", "levels.svg"]].concat());
    let rows = v["rows"].as_array().unwrap();
    let found: Vec<&str> = rows.iter().map(|row| row["grid"].as_str().unwrap()).collect();
    assert_eq!(found, expected);
    assert!(std::fs::read_to_string(place.file("levels.svg")).unwrap().contains("Nodes per level"));
    let text = with_input(&place, &["sudoku", "check", "--clues", "11", "--threads", "2"], &grids);
    let heads: Vec<&str> = text.stdout.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(heads[..5], expected[..5], "{}", text.stderr);
    assert!(text.stdout.lines().last().unwrap().starts_with("5 grids: 0 puzzles, "), "{}", text.stdout);
}

#[test]
fn bad_input_is_one_line_that_says_where_and_nothing_else() {
    let place = Place::new();
    let twice = KNOWN.replacen("639", "669", 1);
    place.write("short.txt", &format!("{KNOWN}\n\n{}\n", &KNOWN[1..]));
    place.write("letter.txt", &format!("{KNOWN}\n{}x\n", &KNOWN[..80]));
    place.write("empty.txt", "# nothing\n");
    place.write("many.txt", &format!("{PUZZLE}\n{}\n", ".".repeat(81)));
    place.write("none.txt", &format!("11{}\n", ".".repeat(79)));
    place.write("other.jl", "not a run");
    let check = |more: &[&'static str]| [&["sudoku", "check", "--clues", "17"], more].concat();
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (vec!["sudoku"], "requires a subcommand"),
        (vec!["sudoku", "check", "--grid", KNOWN], "--clues"),
        (vec!["sudoku", "check", "--clues", "0", "--grid", KNOWN], "from 1 to 81"),
        (vec!["sudoku", "check", "--clues", "82", "--grid", KNOWN], "from 1 to 81"),
        (vec!["sudoku", "check", "--clues", "many", "--grid", KNOWN], "'many'"),
        (check(&["--grid", "123"]), "--grid: a grid has 81 digits, this has 3 characters"),
        (vec!["sudoku", "check", "--clues", "17", "--grid", &twice], "--grid: 6 is twice in row 1"),
        (check(&["--grid", PUZZLE]), "--grid: '.' in row 1, column 1 is not a digit"),
        (check(&["--grids", "missing.txt"]), "cannot read missing.txt: "),
        (check(&["--grids", "short.txt"]), "short.txt, line 3: a grid has 81 digits, this has 80 characters"),
        (check(&["--grids", "letter.txt"]), "letter.txt, line 2: 'x' in row 9, column 9"),
        (check(&["--grids", "empty.txt"]), "empty.txt: there is no grid in it"),
        (check(&[]), "standard input: there is no grid in it"),
        (check(&["--grid", KNOWN, "--grids", "short.txt"]), "cannot be used with"),
        (check(&["--grid", KNOWN, "--algorithm", "v7"]), "v6 or fast"),
        (check(&["--grid", KNOWN, "--threads", "0"]), "--threads"),
        (check(&["--grid", KNOWN, "--plot", "a.gif"]), ".svg or .png"),
        (check(&["--grid", KNOWN, "--plot", "no/such/a.svg"]), "no such folder"),
        (check(&["--grid", KNOWN, "--plot", "/proc/a.svg"]), "cannot be written"),
        (check(&["--grid", KNOWN, "--algorithm", "fast,v9"]), "v6 or fast"),
        (vec!["sudoku", "check", "--clues", "-1", "--grid", KNOWN], "from 1 to 81"),
        (vec!["sudoku", "catalogue", "--start", "-1"], "from 0 to 652407"),
        (vec!["sudoku", "catalogue", "--band", "-3"], "from 1 to 416"),
        (vec!["sudoku", "catalogue", "--band", "3", "--place", "5"], "cannot be used with"),
        (vec!["sudoku", "catalogue", "--band", "3", "--count", "5"], "cannot be used with"),
        (vec!["sudoku", "catalogue", "--grid", KNOWN, "--count", "5"], "cannot be used with"),
        (
            vec!["sudoku", "project", "create", "p.jl", "--start", "1", "--count", "-5"],
            "from 1 to 5472730538",
        ),
        (vec!["sudoku", "project", "create", "p.jl", "--start", "1"], "--count"),
        (
            vec!["sudoku", "project", "create", "p.jl", "--sample", "9"],
            "there must be a grid of each of the 52 parts",
        ),
        (
            vec!["sudoku", "project", "create", "p.jl", "--sample", "52", "--start", "1"],
            "cannot be used with",
        ),
        (vec!["sudoku", "project", "create", "p.jl", "--sample", "52", "--parts", "0"], "from 1 to 200"),
        (
            vec!["sudoku", "project", "create", "p.jl", "--start", "652407", "--place", "7", "--count", "1"],
            "start 652407 has only the places 0 to 0",
        ),
        (vec!["sudoku", "mus", "--grid", PUZZLE], "--grid"),
        (
            vec!["sudoku", "canonical", "short.txt"],
            "short.txt, line 3: a puzzle has 81 characters, this has 80",
        ),
        (vec!["sudoku", "canonical", "many.txt"], "many.txt, line 2: the puzzle has more than one solution"),
        (vec!["sudoku", "canonical", "none.txt"], "none.txt, line 1: the puzzle has no solution"),
        (vec!["sudoku", "solve", "letter.txt"], "letter.txt, line 2: 'x' in row 9, column 9"),
        (vec!["sudoku", "solve", "many.txt", "--limit", "0"], "--limit"),
        (vec!["sudoku", "catalogue"], "--start"),
        (vec!["sudoku", "catalogue", "--start", "652408"], "0 to 652407, or band:1 to band:416"),
        (vec!["sudoku", "catalogue", "--start", "band:417"], "1 to 416"),
        (vec!["sudoku", "catalogue", "--band", "0"], "1 to 416"),
        (vec!["sudoku", "search17", "many.txt"], "many.txt, line 2: the puzzle has more than one solution"),
        (vec!["sudoku", "search17", "many.txt", "--remove", "1"], "--add"),
        (vec!["sudoku", "search17", "many.txt", "--remove", "1", "--add", "9"], "1 to 4"),
        (
            vec!["sudoku", "project", "create", "p.jl", "--start", "652407", "--count", "100000"],
            "the catalogue has only",
        ),
        (
            vec!["sudoku", "project", "create", "other.jl", "--start", "1", "--count", "1"],
            "other.jl exists already; if it is a project, 'jl sudoku project run other.jl' goes on",
        ),
        (vec!["sudoku", "project", "create", "p.jl", "--start", "1", "--count", "0"], "--count"),
        (vec!["sudoku", "project", "run", "missing.jl"], "missing.jl"),
        (vec!["sudoku", "project", "status", "other.jl"], "other.jl"),
        (vec!["sudoku", "project", "report", "missing.jl", "--plot", "a.gif"], ".svg or .png"),
    ];
    for (args, expected) in cases {
        let out = place.jl(&args);
        assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{args:?}: {}", out.stderr);
        assert!(
            out.stderr.starts_with("jl: ") && out.stderr.lines().count() == 1,
            "{args:?}: {}",
            out.stderr
        );
        assert!(out.stderr.contains(expected), "{args:?}: {}", out.stderr);
    }
    assert!(!place.names().contains(&"p.jl".to_string()), "a refused project leaves no file");
}

#[test]
fn random_grids_are_the_same_for_a_seed_and_their_own_least_forms() {
    let place = Place::new();
    let grids = random(&place, "4", "7");
    assert_eq!(grids, random(&place, "4", "7"));
    assert_ne!(grids, random(&place, "4", "8"));
    assert_eq!(with_input(&place, &["sudoku", "canonical"], &grids).stdout, grids);
}

#[test]
fn the_least_form_of_a_least_form_is_itself() {
    let place = Place::new();
    // The puzzle on its side, with two digits exchanged.
    let digit = |cell: usize| PUZZLE.as_bytes()[cell % 9 * 9 + cell / 9] as char;
    let turned: String = (0..81)
        .map(digit)
        .map(|c| match c {
            '6' => '9',
            '9' => '6',
            c => c,
        })
        .collect();
    let input = format!("{KNOWN}\n{PUZZLE}\n{turned}\n");
    let once = with_input(&place, &["sudoku", "canonical"], &input).stdout;
    let lines: Vec<&str> = once.lines().collect();
    assert_eq!(lines[1..], [PUZZLE, PUZZLE]);
    assert_ne!(lines[0], KNOWN);
    assert_eq!(with_input(&place, &["sudoku", "canonical"], &once).stdout, once);
    let v = with_input(&place, &["sudoku", "canonical", "-", "--json"], &input).json();
    assert_eq!(v["rows"][0]["canonical"], lines[0]);
    assert_eq!(v["rows"][2]["solution"], SOLUTION);
    let address = place.json(&["sudoku", "catalogue", "--grid", KNOWN, "--json"]);
    assert_eq!(
        (&address["canonical"], &address["band"]),
        (&v["rows"][0]["canonical"], &v["rows"][0]["band"])
    );
}

#[test]
fn grids_of_the_catalogue_are_found_at_their_address() {
    let place = Place::new();
    let grids = |args: &[&str]| {
        let v = place.json(&[&["sudoku", "catalogue", "--json"], args].concat());
        v["grids"].as_array().unwrap().iter().map(|g| g.as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    let whole = grids(&["--start", "600000"]);
    let next = grids(&["--start", "600001", "--count", "2"]);
    assert!(whole.len() > 3, "{whole:?}");
    assert_eq!(grids(&["--start", "600000", "--place", "1", "--count", "2"]), whole[1..3]);
    let last = (whole.len() - 1).to_string();
    let over = grids(&["--start", "600000", "--place", &last, "--count", "3"]);
    assert_eq!(over, [&whole[whole.len() - 1..], &next[..]].concat(), "on to the next start");
    let v = place.json(&["sudoku", "catalogue", "--grid", &whole[2], "--json"]);
    assert_eq!((v["start"].as_u64(), v["place"].as_u64()), (Some(600_000), Some(2)));
    let band = place.json(&["sudoku", "catalogue", "--band", "416", "--json"]);
    let last = band["first_start"].as_u64().unwrap() + band["starts"].as_u64().unwrap();
    assert_eq!(last, 652_408);
    let end = place.jl(&["sudoku", "catalogue", "--start", "652407", "--count", "5"]);
    assert_eq!((end.code, end.stdout.lines().count()), (0, 1));
    assert!(end.stderr.contains("the catalogue ends after 1 grid of 5"), "{}", end.stderr);
    let text = place.jl(&["sudoku", "catalogue", "--start", "600000", "--place", "1"]).stdout;
    assert_eq!(text.lines().collect::<Vec<_>>(), whole[1..]);
}

#[test]
fn unavoidable_sets_are_counted_by_size() {
    let v = Place::new().json(&["sudoku", "mus", "--grid", KNOWN, "--json"]);
    let sets = v["sets"].as_array().unwrap();
    assert!(sets.len() > 300, "{}", sets.len());
    assert!(sets.windows(2).all(|w| w[0].as_array().unwrap().len() <= w[1].as_array().unwrap().len()));
    let sizes = v["sizes"].as_array().unwrap();
    let of = |name: &str| -> Vec<u64> { sizes.iter().map(|size| size[name].as_u64().unwrap()).collect() };
    assert_eq!(of("sets").iter().sum::<u64>(), sets.len() as u64);
    assert!(of("cells")[0] == 4 && of("cells").is_sorted_by(|a, b| a < b), "{sizes:?}");
}

#[test]
fn solutions_are_counted_up_to_a_limit() {
    let place = Place::new();
    let lines = format!("{PUZZLE}\n{}\n55{}\n", ".".repeat(81), ".".repeat(79));
    let v = with_input(&place, &["sudoku", "solve", "--limit", "5", "--json"], &lines).json();
    let rows = v["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|r| r["solutions"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 5, 0]);
    assert_eq!(rows[0]["solution"], SOLUTION);
    let text = with_input(&place, &["sudoku", "solve"], &lines).stdout;
    let said: Vec<&str> = text.lines().map(|line| &line[83..]).collect();
    assert_eq!(said, [format!("1 solution: {SOLUTION}").as_str(), "2 solutions or more", "no solution"]);
}

#[test]
fn new_puzzles_are_found_and_none_is_given_twice() {
    let place = Place::new();
    // With a clue more, every way to take one away again that leaves one solution is a neighbour.
    let more: String = PUZZLE.replacen('.', "1", 1);
    place.write("more.txt", &more);
    let v =
        place.json(&["sudoku", "search17", "more.txt", "--remove", "2", "--add", "1", "--once", "--json"]);
    let mut new: Vec<&str> = v["new"].as_array().unwrap().iter().map(|p| p.as_str().unwrap()).collect();
    assert!(new.contains(&PUZZLE), "{v}");
    let found = new.len();
    new.sort_unstable();
    new.dedup();
    assert_eq!((new.len(), v["searched"].as_u64(), &v["complete"]), (found, Some(1), &Value::from(true)));
    let text = place.jl(&["sudoku", "search17", "more.txt", "--limit", "3"]);
    assert_eq!((text.code, text.stdout.lines().count()), (0, 3), "{}", text.stderr);
}

#[test]
fn the_engine_answers_every_line() {
    let place = Place::new();
    let queries =
        "--clues 10 --start 600000 --count 1\n--clues 99\n--clues 10 --start 600000 --place 1 --count 1\n";
    let out = with_input(&place, &["engine", "sudoku", "--lines", "--json"], queries);
    let blocks: Vec<&str> = out.stdout.split_terminator("end\n").collect();
    assert_eq!((out.code, blocks.len()), (0, 3), "{}", out.stdout);
    let answers = [blocks[0], blocks[2]].map(|b| serde_json::from_str::<Value>(b).unwrap());
    assert_eq!(answers[0]["grids"], 1);
    assert_ne!(answers[0]["checksum"], answers[1]["checksum"]);
    assert!(blocks[1].starts_with("error: ") && blocks[1].contains("from 1 to 81"), "{}", blocks[1]);
}

const RUN: [&str; 5] = ["sudoku", "project", "run", "p.jl", "--workers"];

fn create(place: &Place, more: &[&str]) {
    let args = ["sudoku", "project", "create", "p.jl", "--start", "600000", "--clues", "10"];
    let out = place.jl(&[&args[..], more].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
}

/// What a project has found, without times.
fn report(place: &Place) -> Value {
    let mut v = place.json(&["sudoku", "project", "report", "p.jl", "--json"]);
    v.as_object_mut().unwrap().remove("seconds").unwrap();
    v
}

#[test]
fn a_project_goes_through_its_grids_and_says_how_far_it_is() {
    let place = Place::new();
    create(&place, &["--count", "11", "--unit", "4"]);
    let status = || place.json(&["sudoku", "project", "status", "p.jl", "--json"]);
    assert_eq!(status()["units"]["done"], 0);
    assert_eq!(status()["grids_per_second"], Value::Null);
    let v = place.json(&[&RUN[..], &["2", "--json"]].concat());
    assert_eq!((&v["units"]["total"], &v["units"]["done"]), (&Value::from(3), &Value::from(3)));
    assert_eq!((&v["grids"]["done"], &v["complete"]), (&Value::from(11), &Value::from(true)));
    assert_eq!(v["jobs"]["done"], 3);
    let after = status();
    assert!(after["grids_per_second"].as_f64() > Some(0.0), "{after}");
    assert_eq!(after["seconds_to_go"], 0.0);
    let report = report(&place);
    assert_eq!((&report["grids"], &report["puzzles"]), (&Value::from(11), &serde_json::json!([])));
    // The same grids at once, by the engine itself.
    let args = ["engine", "sudoku", "--clues", "10", "--start", "600000", "--count", "11"];
    assert_eq!(report["nodes"], place.json(&args)["nodes"]);
    assert_eq!(
        (&after["seconds_for_catalogue"], &report["estimate"]),
        (&Value::Null, &Value::Null),
        "a slice"
    );
    let again = place.json(&[&RUN[..], &["1", "--json"]].concat());
    assert_eq!(again["jobs"]["done"], 3, "nothing is left to do");
    let plot = place.jl(&["sudoku", "project", "report", "p.jl", "--plot", "units.svg"]);
    assert!(plot.stdout.contains(report["checksum"].as_str().unwrap()), "{}", plot.stdout);
    assert!(std::fs::read_to_string(place.file("units.svg")).unwrap().contains("Time per unit"));

    let runs = place.json(&["runs", "--json"]);
    assert_eq!(
        (&runs["runs"][0]["game"], &runs["runs"][0]["jobs"]),
        (&Value::from("sudoku"), &Value::from(3))
    );
    assert!(place.jl(&["runs", "p.jl"]).stdout.contains("11 grids from start 600000 on, 10 clues"));
    for other in [&["resume", "p.jl"][..], &["replay", "p.jl"], &["export", "p.jl", "--json"]] {
        let out = place.jl(other);
        assert_eq!(out.code, 2, "{other:?}");
        assert!(out.stderr.contains("jl sudoku project run"), "{}", out.stderr);
    }
    place.json(&["solve", "tictactoe", "--run", "t.jl", "--json"]);
    let out = place.jl(&["sudoku", "project", "status", "t.jl"]);
    assert!(out.code == 2 && out.stderr.contains("not a Sudoku project"), "{}", out.stderr);
}

#[test]
fn a_killed_project_goes_on_to_the_very_same_report() {
    let undisturbed = Place::new();
    let create = |place: &Place| create(place, &["--count", "24", "--unit", "1"]);
    create(&undisturbed);
    undisturbed.json(&[&RUN[..], &["2", "--json"]].concat());
    let expected = report(&undisturbed);
    assert_eq!(expected["complete"], true);

    let place = Place::new();
    create(&place);
    let answers = || {
        let sql = "SELECT count(*) FROM journal WHERE kind = 'done'";
        Connection::open(place.file("p.jl"))
            .and_then(|c| c.query_row(sql, [], |r| r.get::<_, i64>(0)))
            .unwrap_or(0)
    };
    for least in [2, 9] {
        let mut child = place
            .command(&[&RUN[..], &["2"]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while answers() < least {
            assert!(begun.elapsed() < Duration::from_secs(120), "no headway: {} answers", answers());
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let half = place.json(&["sudoku", "project", "status", "p.jl", "--json"]);
        assert!(half["units"]["done"].as_i64() >= Some(least), "{half}");
        assert_eq!(half["complete"], false, "killed too late to show anything");
    }
    let v = place.json(&[&RUN[..], &["2", "--json"]].concat());
    assert_eq!(v["jobs"]["done"], 24, "nothing that was recorded is computed again");
    assert_eq!(report(&place), expected);
}

/// A program that says what the engine says, but for what `mischief` makes of the nth answer.
fn programs(place: &Place, mischief: &str) {
    let script = format!(
        "while read -r line; do
  n=$(( $(cat '{count}' 2>/dev/null || echo 0) + 1 ))
  echo $n > '{count}'
  {jl} engine sudoku --json $line > answer.txt
  {mischief}
  cat answer.txt
  echo end
done
",
        count = place.file("count").display(),
        jl = env!("CARGO_BIN_EXE_jl"),
    );
    let script = place.write("engine.sh", &script);
    let toml = format!(
        "[program.sudoku]\ncommand = [\"sh\", {:?}]\nprotocol = \"lines\"\nterminator = \"end\"\n",
        script.to_str().unwrap()
    );
    place.write("programs.toml", &toml);
}

const LIE: &str = r#"sed -i 's/"checksum":"..../"checksum":"beef/' answer.txt"#;

#[test]
fn an_engine_that_lies_once_is_caught_and_outvoted() {
    let honest = Place::new();
    create(&honest, &["--count", "3", "--unit", "1"]);
    honest.json(&[&RUN[..], &["1", "--json"]].concat());

    let place = Place::new();
    create(&place, &["--count", "3", "--unit", "1", "--twice"]);
    programs(&place, &format!("if [ $n -eq 3 ]; then {LIE}; fi"));
    let out = place.jl(&[&RUN[..], &["1", "--programs", "programs.toml", "--json"]].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert!(out.stderr.contains("unit 1 (start 600000, place 1): two answers differ"), "{}", out.stderr);
    let v = out.json();
    assert_eq!(v["jobs"]["done"], 7, "three units twice, and one a third time: {v}");
    assert_eq!(v["differences"][0]["unit"], 1);
    assert_eq!(v["differences"][0]["checksums"].as_array().unwrap().len(), 3);
    assert_eq!(report(&place)["checksum"], report(&honest)["checksum"], "the lie does not count");
    assert_eq!(report(&place)["confirmed_by_itself"], 3, "there is one worker");
    let other = honest.file("p.jl");
    let compare = place.json(&["sudoku", "project", "compare", "p.jl", other.to_str().unwrap(), "--json"]);
    assert_eq!((&compare["agree"], &compare["compared"]), (&Value::from(true), &Value::from(3)), "{compare}");
}

#[test]
fn a_unit_without_two_answers_alike_is_given_up_and_tried_again_later() {
    let place = Place::new();
    create(&place, &["--count", "1", "--unit", "1", "--twice"]);
    programs(&place, r#"sed -i "s/checksum\(...\)..../checksum\1bee$n/" answer.txt"#);
    let run = [&RUN[..], &["1", "--json", "--programs", "programs.toml"]].concat();
    let out = place.jl(&run);
    assert_eq!((out.code, &out.json()["units"]["given_up"]), (1, &Value::from(1)), "{}", out.stderr);
    assert!(out.stderr.contains("given up: 3 different answers"), "{}", out.stderr);
    assert_eq!(report(&place)["complete"], false);
    programs(&place, "");
    assert_eq!(place.json(&run)["complete"], true);
    let report = report(&place);
    assert_eq!(report["differences"][0]["checksums"].as_array().unwrap().len(), 5, "{report}");
}

#[test]
fn answers_that_cannot_be_are_failures() {
    let other = "1".to_string() + &KNOWN[1..];
    for (lie, expected) in [
        (r#"s/"checksum":"..../"checksum":"/"#, "no checksum"),
        (r#"s/"nodes":[0-9]*/"nodes":18446744073709551615/"#, "nodes"),
        (r#"s/"seconds":[0-9.]*/"seconds":1e300/"#, "seconds"),
        (&format!(r#"s/"puzzles":\[\]/"puzzles":["{other}"]/"#), "10 clues and one solution"),
    ] {
        let place = Place::new();
        create(&place, &["--count", "1", "--retries", "0"]);
        programs(&place, &format!("sed -i '{lie}' answer.txt"));
        let out = place.jl(&[&RUN[..], &["1", "--json", "--programs", "programs.toml"]].concat());
        assert_eq!(out.code, 1, "{lie}: {}", out.stderr);
        assert!(
            out.stderr.contains("bad answer: ") && out.stderr.contains(expected),
            "{lie}: {}",
            out.stderr
        );
    }
}

#[test]
fn another_version_of_the_engine_goes_on_only_if_that_is_wanted() {
    let place = Place::new();
    create(&place, &["--count", "2", "--unit", "1", "--retries", "0"]);
    // The second unit fails, and is left for the other engine.
    programs(&place, "case $line in *'--place 1 '*) echo nonsense > answer.txt;; esac");
    let with = [&RUN[..], &["1", "--json", "--programs", "programs.toml"]].concat();
    assert_eq!(place.jl(&with).code, 1);
    let out = place.jl(&[&RUN[..], &["1"]].concat());
    assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{}", out.stderr);
    assert!(
        out.stderr.contains("sudoku without a version") && out.stderr.contains("--any-version"),
        "{}",
        out.stderr
    );
    let v = place.json(&[&RUN[..], &["1", "--any-version", "--json"]].concat());
    assert_eq!(v["complete"], true);
    let engines = report(&place)["engines"].clone();
    assert_eq!(engines[0], "sudoku without a version");
    assert!(engines[1].as_str().unwrap().starts_with("sudoku 0."), "{engines}");
    let v = place.json(&["sudoku", "project", "report", "p.jl", "--units", "--json"]);
    let rows = v["rows"].as_array().unwrap();
    assert_eq!((rows.len(), &rows[1]["place"], &rows[1]["engine"]), (2, &Value::from(1), &engines[1]));
    let text = place.jl(&["sudoku", "project", "report", "p.jl", "--units"]).stdout;
    let last = text.lines().last().unwrap();
    for word in [rows[1]["checksum"].as_str().unwrap(), rows[1]["work"].as_str().unwrap(), "600000"] {
        assert!(last.contains(word), "{text}");
    }
}

#[test]
fn two_projects_are_compared_where_both_are_done() {
    let place = Place::new();
    let create = |name: &str, more: &[&str]| {
        let args = ["sudoku", "project", "create", name, "--start", "600000", "--unit", "1"];
        assert_eq!(place.jl(&[&args[..], more].concat()).code, 0);
    };
    let run = |name: &str, more: &[&str]| {
        let args = ["sudoku", "project", "run", name, "--workers", "1"];
        assert_eq!(place.jl(&[&args[..], more].concat()).code, 0);
    };
    let compare = |a: &str, b: &str| place.jl(&["sudoku", "project", "compare", a, b]);
    create("a.jl", &["--count", "3", "--clues", "10"]);
    create("b.jl", &["--count", "3", "--clues", "10", "--place", "1"]);
    create("c.jl", &["--count", "2", "--clues", "11"]);
    create("d.jl", &["--count", "2", "--clues", "10", "--place", "2"]);
    let out = compare("a.jl", "b.jl");
    assert_eq!(out.code, 2, "nothing is done: {}", out.stdout);
    run("a.jl", &[]);
    run("b.jl", &[]);
    let out = compare("a.jl", "b.jl");
    assert_eq!((out.code, out.stdout.as_str()), (0, "2 units compared: all agree\n"), "{}", out.stderr);
    let out = compare("a.jl", "c.jl");
    assert!(out.code == 2 && out.stderr.contains("a.jl is about 10 clues, c.jl about 11"), "{}", out.stderr);
    programs(&place, LIE);
    run("d.jl", &["--programs", "programs.toml"]);
    let out = compare("b.jl", "d.jl");
    assert_eq!(out.code, 1, "{}", out.stderr);
    assert!(out.stdout.contains("start 600000, place 2: units 1 and 0: "), "{}", out.stdout);
    assert!(out.stdout.ends_with("2 units compared: 2 differ\n"), "{}", out.stdout);
}

#[test]
fn edited_parameters_are_refused() {
    let place = Place::new();
    create(&place, &["--count", "3", "--unit", "1"]);
    let edit = |from: &str, to: &str| {
        let sql = "UPDATE runs SET parameters = replace(parameters, ?1, ?2)";
        assert_eq!(Connection::open(place.file("p.jl")).unwrap().execute(sql, [from, to]).unwrap(), 1);
    };
    let status = || place.jl(&["sudoku", "project", "status", "p.jl"]);
    for (from, to) in [
        ("\"unit\":1", "\"unit\":0"),
        ("\"starts\":[3]", "\"starts\":[]"),
        ("\"count\":3", "\"count\":4"),
        ("\"clues\":10", "\"clues\":true"),
    ] {
        edit(from, to);
        let out = status();
        assert_eq!((out.code, out.stderr.lines().count()), (2, 1), "{to}: {}", out.stderr);
        assert!(out.stderr.contains("the parameters of p.jl are spoiled"), "{to}: {}", out.stderr);
        edit(to, from);
    }
    place.json(&[&RUN[..], &["1", "--json"]].concat());
    // What makes sense, but is not what the project was run with.
    edit("\"retries\":3", "\"retries\":4");
    let out = status();
    assert!(out.code == 2 && out.stderr.contains("changed since it was run"), "{}", out.stderr);
}

#[test]
fn a_sample_of_the_catalogue_makes_an_estimate() {
    let place = Place::new();
    let args = ["sudoku", "project", "create", "p.jl", "--sample", "4", "--parts", "2", "--clues", "10"];
    let out = place.jl(&args);
    assert!(out.stdout.contains("a sample of 4 grids of 2 parts, 10 clues, 4 units"), "{}", out.stdout);
    place.json(&[&RUN[..], &["2", "--json"]].concat());
    let v = report(&place);
    assert_eq!((&v["sample"]["parts"], &v["start"]), (&Value::from(2), &Value::Null));
    let estimate = &v["estimate"];
    assert_eq!(estimate["parts"].as_array().unwrap().len(), 2);
    assert!(estimate["standard_error"].as_f64() > Some(0.0), "{v}");
    let per_grid = estimate["mean"].as_f64().unwrap();
    let all = estimate["catalogue"]["seconds"].as_f64().unwrap();
    assert!((all / per_grid / 5_472_730_538.0 - 1.0).abs() < 1e-9, "{v}");
    let plot = place.jl(&["sudoku", "project", "report", "p.jl", "--plot", "parts.svg"]);
    assert!(plot.stdout.contains(" of one core for all 5472730538 grids"), "{}", plot.stdout);
    assert!(std::fs::read_to_string(place.file("parts.svg")).unwrap().contains("ratio to the mean"));
}

#[test]
fn an_engine_ends_when_nobody_reads_what_it_says() {
    let place = Place::new();
    let mut child = (place.command(&["engine", "sudoku", "--lines", "--json"]))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // For ever, as far as a test can tell.
    writeln!(input, "--clues 22 --start 0 --count 100").unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none());
    drop(child.stdout.take());
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("it goes on");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_check_stops_when_nobody_reads_on() {
    let place = Place::new();
    // Soon the first of them, and a minute or so for all.
    place.write("grids.txt", &random(&place, "3000", "5"));
    let args = ["sudoku", "check", "--clues", "13", "--grids", "grids.txt", "--threads", "1"];
    let mut child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let begun = Instant::now();
    let out = Outcome::of(child);
    assert!(begun.elapsed() < Duration::from_secs(20), "it went on");
    assert_eq!((out.code, out.stderr.as_str()), (1, ""), "and says nothing");
}

#[test]
fn a_mark_of_an_editor_is_no_part_of_a_file() {
    let place = Place::new();
    place.write("grids.txt", &format!("\u{feff}{KNOWN}\r\n"));
    let out = place.jl(&["sudoku", "canonical", "grids.txt"]);
    assert_eq!((out.code, out.stdout.lines().count()), (0, 1), "{}", out.stderr);
}

#[test]
fn several_algorithms_are_compared() {
    let place = Place::new();
    let args = ["sudoku", "check", "--clues", "10", "--grid", KNOWN, "--algorithm", "v2,v3,v4,fast"];
    let v = place.json(&[&args[..], &["--json", "--plot", "levels.svg"]].concat());
    let rows = v["rows"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["algorithm"].as_str().unwrap()).collect();
    assert_eq!(names, ["v2", "v3", "v4", "fast"]);
    assert_eq!(v["totals"]["v3"]["nodes"], rows[1]["nodes"]);
    assert_eq!(rows[0]["disjoint"], serde_json::json!([]));
    assert_eq!(rows[2]["disjoint"].as_array().unwrap().len(), 11);
    let drawn = std::fs::read_to_string(place.file("levels.svg")).unwrap();
    for title in
        ["Nodes per level, 10 clues", "Disjoint sets per level", "Nodes of v3 by", "Children of a node"]
    {
        assert!(drawn.contains(title), "{title}");
    }
    let text = place.jl(&args).stdout;
    assert!(text.lines().nth(1).unwrap().contains("10 clues, v3: 0 puzzles, "), "{text}");
}

#[test]
fn a_unit_that_fails_is_tried_again_three_times() {
    let place = Place::new();
    create(&place, &["--count", "2", "--unit", "1"]);
    programs(&place, "case $line in *'--place 1 '*) echo nonsense > answer.txt;; esac");
    let out = place.jl(&[&RUN[..], &["1", "--json", "--programs", "programs.toml"]].concat());
    let v = out.json();
    assert_eq!((out.code, v["jobs"]["failed"].as_u64()), (1, Some(4)), "{}", out.stderr);
    assert_eq!((&v["units"]["done"], &v["units"]["given_up"]), (&Value::from(1), &Value::from(1)));
    let why = v["given_up"][0]["why"].as_str().unwrap();
    assert!(why.contains("4 failures") && why.contains("nonsense"), "{why}");
    assert!(out.stderr.contains("gave up 1 of the units"), "{}", out.stderr);
}

#[test]
fn ctrl_c_prints_the_line_that_goes_on() {
    let place = Place::new();
    create(&place, &["--count", "400", "--unit", "4"]);
    let args = [&RUN[..], &["2", "--json"]].concat();
    let mut child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    assert!(child.try_wait().unwrap().is_none(), "it is done before it can be stopped");
    let id = child.id().to_string();
    assert!(
        std::process::Command::new("sh").args(["-c", &format!("kill -INT {id}")]).status().unwrap().success()
    );
    let out = Outcome::of(child);
    assert_eq!(out.code, 130, "{}", out.stderr);
    assert!(
        out.stderr.contains("stopped; go on with: jl sudoku project run p.jl --workers 2"),
        "{}",
        out.stderr
    );
    assert_eq!(out.json()["complete"], false);
    // A check is stopped as well, and what was complete is said.
    let mut grids = random(&place, "1", "5");
    grids = grids.repeat(50);
    place.write("grids.txt", &grids);
    let args = ["sudoku", "check", "--clues", "16", "--algorithm", "v1", "--grids", "grids.txt", "--json"];
    let child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let id = child.id().to_string();
    assert!(
        std::process::Command::new("sh").args(["-c", &format!("kill -INT {id}")]).status().unwrap().success()
    );
    let out = Outcome::of(child);
    assert_eq!((out.code, &out.json()["complete"]), (130, &Value::from(false)), "{}", out.stderr);
    assert!(out.stderr.contains("stopped after "), "{}", out.stderr);
}
