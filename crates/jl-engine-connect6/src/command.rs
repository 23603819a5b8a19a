//! The command: what is printed for a question.

use crate::dialogue::Dialogue;
use crate::engine::{Task, Turn, Verdict};
use crate::flags::{Asked, Flags, QueryError};
use crate::thinker::move_of;
use clap::Parser;
use jl_engine::Query;
use jl_game::Game;
use jl_game::reply::Next;
use jl_value::Player;
use serde::Serialize;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Runs `jl engine connect6` on this process's standard input and output. `args` are the words after `connect6`.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    jl_engine::exit_code(run_on(args.into_iter().collect(), input, output, io::stderr()))
}

/// The command on any streams; returns its exit code.
fn run_on(
    words: Vec<OsString>,
    input: impl BufRead,
    output: impl Write,
    mut errors: impl Write,
) -> io::Result<u8> {
    let flags = Flags::try_parse_from(&words).ok();
    let Some((flags, protocol)) = flags.and_then(|f| f.protocol.map(|p| (f, p))) else {
        return jl_engine::run_on::<Flags>(words, input, output, errors);
    };
    match flags.set_up() {
        Ok((thinker, course)) => {
            Dialogue::new(thinker, course, protocol).serve(input, output)?;
            Ok(0)
        }
        Err(e) => {
            writeln!(errors, "error: {}", jl_engine::one_line(&e.to_string()))?;
            Ok(2)
        }
    }
}

/// The lines that the command prints with `--json` for these words, or why it refuses them.
///
/// The same words always get the same lines: no clock is read, `seconds` is 0, and a second of `--time` is understood as
/// a fixed number of nodes.
pub fn answer(words: &[String]) -> Result<Vec<String>, String> {
    let mut flags: Flags = jl_engine::read(words).map_err(|e| e.to_string())?;
    flags.json = true;
    flags.without_clock();
    let asked = flags.asked().map_err(|e| jl_engine::one_line(&e.to_string()))?;
    let mut all = Vec::new();
    let verdict = asked.think(&mut |draft| all.push(asked.draft(draft, Duration::ZERO)));
    all.extend(lines(&flags, &asked, &verdict, Duration::ZERO));
    Ok(all)
}

/// What [`answer`] says with `--draft`, from what it says to the same words without: most of the work need not be done twice.
pub fn with_draft(words: &[String], plain: &[String]) -> Result<Vec<String>, String> {
    let mut flags: Flags = jl_engine::read(words).map_err(|e| e.to_string())?;
    flags.without_clock();
    let asked = flags.asked().map_err(|e| jl_engine::one_line(&e.to_string()))?;
    let mut lines = Vec::new();
    let tell = &mut |draft: &Verdict| lines.push(asked.draft(draft, Duration::ZERO));
    let spent = asked.thinker.first_look(asked.course.position(), asked.task, &asked.prohibited, tell);
    for line in plain {
        let Ok(mut answer) = serde_json::from_str::<serde_json::Value>(line) else {
            lines.push(line.clone());
            continue;
        };
        if let Some(nodes) = answer["nodes"].as_u64() {
            answer["nodes"] = (nodes + spent).into();
        }
        lines.push(answer.to_string());
    }
    Ok(lines)
}

impl Query for Flags {
    type Error = QueryError;

    fn is_warm(&self) -> bool {
        self.lines
    }

    /// A worker's questions come from elsewhere: they may not name files.
    fn command_only(&self) -> Option<&'static str> {
        let flags =
            [(self.lines, "--lines"), (self.protocol.is_some(), "--protocol"), (self.sgf.is_some(), "--sgf")];
        flags.into_iter().find(|(given, _)| *given).map(|(_, name)| name)
    }

    fn answer(&self, say: &mut dyn FnMut(String)) -> Result<Vec<String>, QueryError> {
        let asked = self.asked()?;
        let start = Instant::now();
        let verdict = asked.think(&mut |draft| say(asked.draft(draft, start.elapsed())));
        Ok(lines(self, &asked, &verdict, start.elapsed()))
    }
}

/// The answer line. A superset of [`jl_game::reply::Reply`].
#[derive(Serialize)]
struct Answer {
    #[serde(rename = "move")]
    mv: Option<String>,
    status: String,
    win_rate: f64,
    decided: bool,
    winner: Option<String>,
    how: Option<&'static str>,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    defences: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    next: Vec<Next>,
    #[serde(skip_serializing_if = "Option::is_none")]
    draft: Option<bool>,
    #[serde(flatten)]
    verified: Option<Verified>,
}

#[derive(Serialize)]
struct Verified {
    lost: bool,
    zone: bool,
}

/// The answer to a question for a move names no more defences than this.
const MOST_DEFENCES: usize = 100;

impl Asked {
    /// The verdict; a draft of it is told before, if one is wanted and there is time for one.
    fn think(&self, tell: &mut dyn FnMut(&Verdict)) -> Verdict {
        if self.draft {
            self.thinker.think_aloud(self.course.position(), self.task, &self.prohibited, tell)
        } else {
            self.thinker.think(self.course.position(), self.task, &self.prohibited)
        }
    }

    /// The line of a draft.
    fn draft(&self, verdict: &Verdict, time: Duration) -> String {
        written(&Answer { draft: Some(true), ..self.answer(verdict, time) })
    }

    fn write(&self, turn: Turn) -> String {
        self.thinker.game().format_move_in(self.notation, move_of(turn))
    }

    fn answer(&self, verdict: &Verdict, time: Duration) -> Answer {
        Answer {
            mv: verdict.mv.map(|turn| self.write(turn)),
            status: verdict.status.to_string(),
            win_rate: rounded(verdict.win_rate, 4),
            decided: verdict.how.is_some(),
            winner: verdict.winner.map(|side| Player::from(side).to_string()),
            how: verdict.how.map(|how| how.name()),
            line: verdict.line.iter().map(|&turn| self.write(turn)).collect(),
            nodes: verdict.nodes,
            seconds: rounded(time.as_secs_f64(), 6),
            defences: self.defences(verdict),
            next: {
                let next = |&(turn, rate)| Next { mv: self.write(turn), win_rate: Some(rounded(rate, 4)) };
                verdict.next.iter().take(self.next).map(next).collect()
            },
            draft: None,
            verified: (self.task == Task::Verify).then(|| Verified {
                lost: verdict.defences.as_ref().is_some_and(Vec::is_empty),
                zone: verdict.defences.is_some(),
            }),
        }
    }

    fn defences(&self, verdict: &Verdict) -> Option<Vec<String>> {
        let game = self.thinker.game();
        let known = verdict.defences.as_ref();
        let known = known.filter(|d| self.task == Task::Verify || d.len() <= MOST_DEFENCES);
        let listed = known.map(|turns| turns.iter().map(|&turn| self.write(turn)).collect());
        let all = || {
            let legal = game.legal_moves(self.course.position()).into_iter();
            legal.map(|mv| game.format_move_in(self.notation, mv)).collect()
        };
        listed.or_else(|| (self.task == Task::Verify).then(all))
    }
}

fn rounded(value: f64, digits: i32) -> f64 {
    let unit = 10f64.powi(digits);
    (value * unit).round() / unit
}

/// What the command prints for a question.
fn lines(flags: &Flags, asked: &Asked, verdict: &Verdict, time: Duration) -> Vec<String> {
    let mut lines = Vec::new();
    if flags.show {
        lines.extend(asked.course.draw().lines().map(String::from));
    }
    if !flags.json {
        lines.extend(verdict.iterations.iter().map(|i| {
            let mv = asked.write(i.mv);
            format!("depth {} move {mv} win rate {:.3} nodes {}", i.depth, i.win_rate, i.nodes)
        }));
    }
    lines.push(written(&asked.answer(verdict, time)));
    lines
}

fn written(answer: &Answer) -> String {
    serde_json::to_string(answer).expect("an answer is made of strings and numbers")
}

#[cfg(test)]
mod tests {
    use super::*;
    use jl_game::reply::{Native, Reply};
    use jl_game::{Program, Query as GameQuery};
    use jl_games::connect6::Connect;
    use serde_json::Value;

    const SOLVED: &str = "JJ-JIKL-KILH-HLGL-KHMH-FLEL-DLJL-NHKJ";

    /// Exit code, standard output, standard error.
    fn command(args: &[&str], input: &str) -> (u8, String, String) {
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let words = args.iter().map(OsString::from).collect();
        let code = run_on(words, input.as_bytes(), &mut output, &mut errors).unwrap();
        (code, String::from_utf8(output).unwrap(), String::from_utf8(errors).unwrap())
    }

    /// The output of a command that must succeed.
    fn printed(args: &[&str]) -> String {
        let (code, output, errors) = command(args, "");
        assert_eq!((code, errors.as_str()), (0, ""), "{args:?}");
        output
    }

    fn json(args: &[&str]) -> Value {
        let output = printed(args);
        assert_eq!(output.lines().count(), 1, "{output}");
        serde_json::from_str(&output).unwrap()
    }

    /// Everything but the time, which is never the same twice.
    fn timeless(output: &str) -> String {
        let Some((before, after)) = output.split_once("\"seconds\":") else { return output.into() };
        let rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || ".e-".contains(c));
        format!("{before}\"seconds\":_{}", timeless(rest))
    }

    fn error(args: &[&str]) -> String {
        let (code, output, errors) = command(args, "");
        assert_eq!((code, output.as_str(), errors.lines().count()), (2, "", 1), "{args:?}: {errors}");
        errors.trim_end().strip_prefix("error: ").unwrap().into()
    }

    fn is_legal(moves: &str, mv: &str) -> bool {
        let game = Connect::CONNECT6;
        let (_, position) = game.replay(moves).unwrap();
        game.play(&position, game.parse_move(mv).unwrap()).is_ok()
    }

    #[test]
    fn the_answer_has_the_fields_that_others_rely_on() {
        let v = json(&["--moves", "JJ-JIKL-KILH", "--nodes", "200", "--json"]);
        assert!(is_legal("JJ-JIKL-KILH", v["move"].as_str().unwrap()));
        assert!(v["status"].as_str().unwrap().parse::<jl_game::Status>().is_ok());
        assert!((0.0..=1.0).contains(&v["win_rate"].as_f64().unwrap()));
        assert!(v["decided"].is_boolean() && v["nodes"].is_u64() && v["seconds"].is_f64());
        assert!(v["line"].is_array());
        for field in ["winner", "how"] {
            assert!(v.get(field).is_some(), "{field} is there, null or not");
        }
        for field in ["defences", "zone", "lost"] {
            assert!(v.get(field).is_none(), "{field} is for --verify");
        }
    }

    #[test]
    fn a_forced_win_is_found() {
        let v = json(&["--moves", SOLVED, "--solve", "--nodes", "20000", "--json"]);
        assert_eq!(
            (&v["decided"], &v["winner"], &v["status"]),
            (&true.into(), &"first".into(), &"B:w".into())
        );
        assert_eq!((&v["win_rate"], &v["move"]), (&1.0.into(), &v["line"][0]));
        assert!(v["how"].is_string());
    }

    #[test]
    fn verify_lists_defences() {
        let moves = "JJ-JIKL-KILH";
        let v = json(&["--moves", moves, "--verify", "--nodes", "200", "--json"]);
        let defences = v["defences"].as_array().unwrap();
        assert_eq!(v["lost"].as_bool().unwrap(), v["zone"].as_bool().unwrap() && defences.is_empty());
        assert!(defences.iter().take(50).all(|mv| is_legal(moves, mv.as_str().unwrap())));
        let legal = Connect::CONNECT6.legal_moves(&Connect::CONNECT6.replay(moves).unwrap().1).len();
        assert!(v["zone"] == true || defences.len() == legal);
    }

    #[test]
    fn the_first_move_is_one_stone() {
        let v = json(&["--nodes", "200", "--json"]);
        assert!(is_legal("", v["move"].as_str().unwrap()));
        assert_eq!(v["move"].as_str().unwrap().len(), 2);
    }

    #[test]
    fn a_node_limit_makes_answers_equal() {
        let args = ["--moves", "JJ-IJJI-KHII", "--nodes", "300", "--show"];
        assert_eq!(timeless(&printed(&args)), timeless(&printed(&args)));
        let words: Vec<String> = args.map(String::from).into();
        assert_eq!(answer(&words).unwrap(), answer(&words).unwrap());
        assert!(answer(&words).unwrap().last().unwrap().contains("\"seconds\":0.0"));
    }

    #[test]
    fn a_draft_is_a_line_before_the_same_answer() {
        let args =
            ["--moves", "JJ-HHIH-KILJ", "--nodes", "500000", "--style", "attack", "--next", "3", "--json"];
        let words = |more: &[&str]| args.iter().chain(more).map(ToString::to_string).collect::<Vec<_>>();
        let read = |line: &String| serde_json::from_str::<Value>(line).unwrap();
        let plain = answer(&words(&[])).unwrap();
        let aloud = answer(&words(&["--draft"])).unwrap();
        assert_eq!((plain.len(), aloud.len()), (1, 2), "{aloud:?}");
        let (draft, mut last) = (read(&aloud[0]), read(&aloud[1]));
        assert_eq!((&draft["draft"], &draft["decided"]), (&true.into(), &false.into()));
        assert!(is_legal(args[1], draft["move"].as_str().unwrap()) && draft["next"].is_array());
        // It is told early, and what it cost is counted.
        let nodes = |v: &Value| v["nodes"].as_u64().unwrap();
        let (spent, total) = (nodes(&draft), nodes(&last));
        assert!(spent <= 20_000 && total == nodes(&read(&plain[0])) + spent, "{spent} of {total}");
        last["nodes"] = (total - spent).into();
        assert_eq!(last, read(&plain[0]));
        let both: Vec<Value> = with_draft(&words(&["--draft"]), &plain).unwrap().iter().map(read).collect();
        assert_eq!(both, aloud.iter().map(read).collect::<Vec<_>>());
        // The lines of a question arrive as they are, and in order.
        let (code, output, _) = command(&["--lines"], &(words(&["--draft"]).join(" ") + "\n"));
        let lines: Vec<String> = output.lines().map(timeless).collect();
        let expected: Vec<String> = aloud.iter().map(|l| timeless(l)).chain(["end".into()]).collect();
        assert_eq!((code, lines), (0, expected));
        // With little to do there is nothing to tell before.
        for few in [
            &["--nodes", "3000", "--draft"][..],
            &["--moves", SOLVED, "--draft"],
            &["--moves", "JJ", "--draft"],
        ] {
            let lines = answer(&words(few)).unwrap();
            assert!(lines.len() == 1 || few[1] == SOLVED, "{lines:?}");
        }
    }

    #[test]
    fn a_board_is_drawn_before_progress_and_answer() {
        let output = printed(&["--moves", "JJ-JIKL", "--nodes", "200", "--show"]);
        let lines: Vec<_> = output.lines().collect();
        assert_eq!(lines[9], "J . . . . . . . . . X . . . . . . . . .");
        assert_eq!(lines[7], "L . . . . . . . . . . o . . . . . . . .");
        assert_eq!(lines[20], "X to move");
        assert!(lines[21..lines.len() - 1].iter().all(|l| l.starts_with("depth ")), "{output}");
        assert!(lines.last().unwrap().starts_with('{'));
    }

    #[test]
    fn every_notation_asks_the_same() {
        let once = |args: &[&str]| timeless(&printed(&[args, &["--nodes", "200", "--json"]].concat()));
        let expected = once(&["--moves", "JJ-JIKL", "--prohibit", "HLGL,AABB"]);
        for moves in ["j10 j9k12", "J10,K12J9", "jj klji", "JJ-j9k12"] {
            assert_eq!(once(&["--moves", moves, "--prohibit", "h12g12 a1b2"]), expected, "{moves}");
        }
        assert_eq!(once(&["--moves", "k10 k9l12", "--prohibit", "h12g12,AABB", "--skip-i"]), expected);
        let numbers = json(&["--moves", "JJ", "--nodes", "200", "--json", "--notation", "numbers"]);
        let pairs = json(&["--moves", "j10", "--nodes", "200", "--json"]);
        let game = Connect::CONNECT6;
        let read = |v: &Value| game.parse_move(v["move"].as_str().unwrap()).unwrap();
        assert_eq!(read(&numbers), read(&pairs));
        assert!(numbers["move"].as_str().unwrap().ends_with(|c: char| c.is_ascii_digit()));
    }

    #[test]
    fn small_boards_are_played() {
        let v = json(&["--board", "7x5", "--connect", "4", "--moves", "DC", "--nodes", "200", "--json"]);
        assert_eq!(v["move"].as_str().unwrap().len(), 4);
    }

    #[test]
    fn a_question_without_sense_is_one_line_and_code_2() {
        let six = "JJ-AAAB-JKJL-ACAD-JMJN-AGAH-JO";
        let cases: &[(&[&str], &str)] = &[
            (&["--moves", "JJ-JJKK"], "--moves: move 2 'JJKK' is illegal: JJ is occupied by X"),
            (
                &["--moves", "JJ-TAAA"],
                "--moves: 'TAAA' is not a move of connect6: column T is off the board (A to S)",
            ),
            (&["--moves", "j10 a20b1"], "row 20 is off the board (1 to 19)"),
            (&["--moves", "JJJI"], "--moves: move 1 'JJJI' is illegal: the turn has one stone, not two"),
            (&["--moves", "JJ-JI"], "--moves: move 2 'JI' is illegal: the turn has two stones"),
            (&["--moves", "JJ-JIKLKK"], "expected one or two stones"),
            (&["--moves", "JJ-JIJI"], "JI is there twice"),
            (&["--moves", "JJ-J"], "the last stone has no row"),
            (&["--moves", "JJ;JIKL"], "'JJ;JIKL' is not a move"),
            (&["--moves", six], "the game is over after 'JJ-AAAB-JKJL-ACAD-JMJN-AGAH-JO': Black (X) has won"),
            (&["--moves", &format!("{six}-BBCC")], "move 8 'BBCC' is illegal: the game is over: X has won"),
            (&["--moves", "i10", "--skip-i"], "this notation has no column I"),
            (
                &["--moves", "JJ", "--prohibit", "HL"],
                "--prohibit: 'HL' is not a move here: the turn has two stones",
            ),
            (
                &["--moves", "JJ", "--prohibit", "HLGL,JJKK"],
                "--prohibit: 'JJKK' is not a move here: JJ is occupied by X",
            ),
            (&["--moves", "JJ", "--prohibit", "HLGL;HLIL"], "--prohibit: 'HLGL;HLIL' is not a move"),
            (&["--prohibit", "JJKK"], "--prohibit: 'JJKK' is not a move here: the turn has one stone"),
            (&["--solve", "--verify"], "'--solve' cannot be used with '--verify'"),
            (&["--nodes", "0"], "--nodes"),
            (&["--nodes", "-5"], "-5"),
            (&["--nodes", "1e6"], "1e6"),
            (&["--nodes", "99999999999999999999"], "--nodes"),
            (&["--time", "soon"], "soon"),
            (&["--time", "0s"], "1ms to a year"),
            (&["--memory", "much"], "64MB"),
            (&["--threads", "257"], "from 1 to 256"),
            (&["--threads", "0"], "from 1 to 256"),
            (&["--seed", "x"], "x"),
            (&["--board", "19"], "like 19x19"),
            (&["--board", "20x20"], "each side must be 1 to 19"),
            (&["--board", "5x5", "--connect", "6"], "6 in a row"),
            (&["--connect", "3"], "does not play Connect(19,19,3,2,1)"),
            (&["--without", "luck"], "luck"),
            (&["--sgf", "missing.sgf"], "--sgf: missing.sgf: "),
            (&["--sgf", "a.sgf", "--moves", "JJ"], "cannot be used with"),
            (&["--after", "3"], "--sgf"),
            (&["--protocol", "gtp"], "gtp"),
            (&["--protocol", "c6", "--lines"], "cannot be used with"),
            (&["--protocol", "c6", "--moves", "JJ-JJKK"], "JJ is occupied by X"),
            (&["--bogus"], "unexpected argument '--bogus' found"),
            (&["JJ"], "unexpected argument 'JJ' found"),
        ];
        for (args, expected) in cases {
            let text = error(args);
            assert!(text.contains(expected), "{args:?}: {text}");
        }
    }

    #[test]
    fn records_are_read_up_to_a_move() {
        let file = std::env::temp_dir().join(format!("jl-connect6-{}.sgf", std::process::id()));
        std::fs::write(&file, "(;GM[511];B[JJ];W[JI];W[KL];B[KI];B[LH])(;FF[4];B[j10];W[a1b1])").unwrap();
        let name = file.to_str().unwrap();
        let once = |args: &[&str]| timeless(&printed(&[args, &["--nodes", "200", "--json"]].concat()));
        assert_eq!(once(&["--sgf", name]), once(&["--moves", "JJ-JIKL-KILH"]));
        assert_eq!(once(&["--sgf", name, "--after", "2"]), once(&["--moves", "JJ-JIKL"]));
        assert_eq!(once(&["--sgf", name, "--record", "2"]), once(&["--moves", "JJ-AABA"]));
        assert!(error(&["--sgf", name, "--record", "3"]).contains("there is no game 3, only 2"));
        assert!(error(&["--sgf", name, "--after", "9"]).contains("there is no move 9, only 3"));
        std::fs::write(&file, "(;B[JJ];W[JJ];W[KL])").unwrap();
        assert!(error(&["--sgf", name]).contains("JJ is occupied by X"));
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn help_is_enough_and_its_example_is_real() {
        let help = printed(&["--help"]);
        for expected in
            ["Usage: jl engine connect6 [OPTIONS]", "Examples:", "--prohibit <MOVES>", "[default: 6]"]
        {
            assert!(help.contains(expected), "{help}");
        }
        let example = include_str!("example.txt");
        let words_of = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words_of(&help).contains(&words_of(example)), "{help}");
        let (question, shown) = example.split_once('\n').unwrap();
        let words: Vec<&str> = question.split_whitespace().skip(3).collect();
        let real = format!("  {}", printed(&words));
        assert_eq!(timeless(shown), timeless(&real), "example.txt should show:\n{real}");
    }

    #[test]
    fn a_warm_program_answers_every_line_and_survives_bad_ones() {
        let queries = "--moves JJ\n\n--moves q99\n--bogus\n--lines\n--help\n--sgf x.sgf\n--moves \"j10 a1b1\" --solve\n--moves \"JJ\n\u{fffd}\n--moves JJ-JJKK";
        let (code, output, errors) = command(&["--lines", "--json", "--nodes", "200"], queries);
        assert_eq!((code, errors.as_str()), (0, ""));
        let blocks: Vec<_> = output.split_terminator("end\n").map(timeless).collect();
        assert_eq!(blocks.len(), 11, "{output}");
        let once = |args: &[&str]| timeless(&printed(&[args, &["--nodes", "200", "--json"]].concat()));
        assert_eq!(blocks[0], once(&["--moves", "JJ"]));
        assert_eq!(blocks[1], once(&[]), "an empty line asks about the first move");
        assert_eq!(blocks[3], "error: unexpected argument '--bogus' found\n");
        assert_eq!(blocks[4], "error: --lines is for the command itself, not for one of its queries\n");
        assert_eq!(blocks[5], "error: --help is for the command itself, not for one of its queries\n");
        assert_eq!(blocks[6], "error: --sgf is for the command itself, not for one of its queries\n");
        assert_eq!(blocks[7], once(&["--moves", "j10 a1b1", "--solve"]));
        for bad in [2, 8, 9, 10] {
            assert!(
                blocks[bad].starts_with("error: ") && blocks[bad].lines().count() == 1,
                "{}",
                blocks[bad]
            );
        }
    }

    #[test]
    fn the_job_system_reads_what_it_says() {
        let game = Connect::CONNECT6;
        let program = Native::new("connect6", vec!["--nodes".into(), "200".into()]);
        for (moves, prohibited) in [("", ""), ("JJ", "HLGL-AABB"), ("JJ-JIKL-KILH", "HLGL"), (SOLVED, "")] {
            let (moves, position) = game.replay(moves).unwrap();
            let prohibited: Vec<_> =
                game.split_moves(prohibited).iter().map(|text| game.parse_move(text).unwrap()).collect();
            let children = prohibited.len();
            let query = GameQuery {
                game: &game,
                moves: &moves,
                position: &position,
                prohibited: &prohibited,
                children,
            };
            let lines = answer(&program.prepare(&query)).unwrap();
            match program.parse(&query, &lines).unwrap() {
                jl_game::Answer::Move { mv, .. } => assert!(game.play(&position, mv).is_ok()),
                jl_game::Answer::SureLoss => (),
            }
            serde_json::from_str::<Reply>(lines.last().unwrap()).unwrap();
        }
    }

    /// Random changes of words that make sense: whatever is read is refused in one line or is a question.
    #[test]
    fn no_words_are_too_strange() {
        let valid: &[&[&str]] = &[
            &["--moves", SOLVED, "--solve", "--json"],
            &["--moves", "j10 j9k12 k9l8", "--prohibit", "h12g12,a1b1", "--time", "2s"],
            &["--moves", "k10,k9l12", "--skip-i", "--notation", "numbers", "--memory", "64MB"],
            &["--board", "7x5", "--connect", "4", "--moves", "DC-AABB", "--nodes", "10", "--verify"],
            &[
                "--without",
                "zones,single-threats",
                "--seed",
                "7",
                "--threads",
                "1",
                "--show",
                "--prohibit",
                "JJ",
            ],
        ];
        let alphabet: Vec<char> = "ABJSTIijst0123456789-, =\"\n\r\t\u{0}xé–√".chars().collect();
        let mut rng = fastrand::Rng::with_seed(6);
        let (mut questions, mut refused) = (0, 0);
        for _ in 0..6_000 {
            let mut words: Vec<Vec<char>> =
                valid[rng.usize(..valid.len())].iter().map(|w| w.chars().collect()).collect();
            for _ in 0..rng.usize(..3) {
                let i = rng.usize(..words.len());
                let at = rng.usize(..=words[i].len());
                match rng.u32(..5) {
                    0 => words[i].insert(at, alphabet[rng.usize(..alphabet.len())]),
                    1 if at < words[i].len() => drop(words[i].remove(at)),
                    2 if at < words[i].len() => words[i][at] = alphabet[rng.usize(..alphabet.len())],
                    3 => words[i].truncate(at),
                    _ => words.swap(i, 0),
                }
            }
            let words: Vec<String> = words.iter().map(|w| w.iter().collect()).collect();
            let read = jl_engine::read::<Flags, _>(&words).map_err(|e| e.to_string());
            match read.and_then(|flags| flags.asked().map_err(|e| jl_engine::one_line(&e.to_string()))) {
                Ok(asked) => {
                    assert!(asked.thinker.game().outcome(asked.course.position()).is_none());
                    questions += 1;
                }
                Err(text) => {
                    assert!(!text.is_empty() && !text.contains(['\n', '\r']), "{words:?}: {text}");
                    refused += 1;
                }
            }
        }
        assert!(questions > 600 && refused > 600, "{questions} {refused}");
        let bytes: String = (0..5_000).map(|_| char::from(rng.u8(..))).collect();
        let (code, output, _) = command(&["--lines", "--nodes", "10"], &bytes);
        assert_eq!(code, 0);
        assert_eq!(output.lines().filter(|l| *l == "end").count(), bytes.lines().count());
    }

    fn dialogue(args: &[&str], input: &str) -> Vec<String> {
        let (code, output, errors) =
            command(&[&["--protocol", "c6", "--nodes", "200"], args].concat(), input);
        assert_eq!((code, errors.as_str()), (0, ""));
        output.lines().map(String::from).collect()
    }

    #[test]
    fn the_text_protocol_plays() {
        let lines = dialogue(&[], "name\nnew black\nquit\nname\n");
        assert_eq!((lines.len(), lines[0].as_str()), (2, "name joblevel"));
        let first = lines[1].strip_prefix("move ").unwrap();
        assert!(is_legal("", first), "{first}");
        let reply = if first == "JJ" { "AABB" } else { "JJKK" };
        let lines = dialogue(&[], &format!("new black\nmove {reply}\n"));
        assert!(is_legal(&format!("{first}-{reply}"), lines[1].strip_prefix("move ").unwrap()));
        for stone in ["JJ", "JJJJ", "JJ@@", "jj"] {
            let lines = dialogue(&[], &format!("new white\nmove {stone}\n"));
            assert!(is_legal("JJ", lines[0].strip_prefix("move ").unwrap()), "{stone}: {lines:?}");
        }
        let lines = dialogue(&[], "new xxx\nblack JJJJ\nwhite JIKL\nnext\nprint\n");
        assert!(is_legal("JJ-JIKL", lines[0].strip_prefix("move ").unwrap()));
        assert_eq!((lines.len(), lines[21].as_str()), (22, "O to move"));
        let (_, output, _) = command(&["--protocol", "c6-doubled", "--nodes", "9"], "new black\n");
        let doubled = output.trim_end().strip_prefix("move ").unwrap();
        assert_eq!(doubled, first.repeat(2));
    }

    #[test]
    fn the_text_protocol_survives_mistakes() {
        let lines = dialogue(
            &["--moves", "JJ-AAAB-JKJL-ACAD-JMJN-AGAH"],
            "frobnicate\nwhite BBCC\nmove\nmove JJJI\nmove ZZZZ\ndepth x\ndepth 5\nunvcf\nvcf\n\nmove JO\nnext\nundo\nblack JOJP\nprint\n",
        );
        let expected = [
            "error unknown command 'frobnicate'; try help",
            "error it is black's turn",
            "error move needs one move, like JIKL",
            "error JJ is occupied by X",
            "error 'zzzz' is not a move of connect6: column Z is off the board (A to S)",
            "error depth needs a number",
            "end black",
            "error the game is over: end black",
        ];
        assert_eq!(lines[..8], expected);
        assert_eq!(lines[28], "X has won", "the move was taken back and another one played");
        let mut rng = fastrand::Rng::with_seed(2);
        let words =
            ["black", "white", "move", "undo", "new", "JJ", "AB", "JJJJ", "@@", "\u{fffd}", "print", "x"];
        let text: String = (0..3_000)
            .map(|_| words[rng.usize(..words.len())].to_string() + ["\n", " "][rng.usize(..2)])
            .collect();
        dialogue(&["--nodes", "1"], &text);
    }
}
