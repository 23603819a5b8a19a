//! The command: what is printed for a question.

use crate::flags::{Flags, QueryError, Question};
use crate::search::{Verdict, think};
use jl_engine::Query;
use jl_game::Game;
use jl_game::reply::Reply;
use jl_games::tictactoe::TicTacToe;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs `jl engine tictactoe` on this process's standard input and output. `args` are the words after `tictactoe`.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    jl_engine::run::<Flags>(args)
}

/// The lines that the command prints with `--json` for these words, or why it refuses them.
///
/// `--delay` is understood but not waited for: a caller in the same process has its own clock.
pub fn answer(words: &[String]) -> Result<Vec<String>, String> {
    let mut flags: Flags = jl_engine::read(words).map_err(|e| e.to_string())?;
    flags.json = true;
    let question = flags.question().map_err(|e| e.to_string())?;
    Ok(lines(&flags, question))
}

impl Query for Flags {
    type Error = QueryError;

    fn is_warm(&self) -> bool {
        self.lines
    }

    fn command_only(&self) -> Option<&'static str> {
        self.lines.then_some("--lines")
    }

    fn answer(&self, _say: &mut dyn FnMut(String)) -> Result<Vec<String>, QueryError> {
        let question = self.question()?;
        self.delay.into_iter().for_each(std::thread::sleep);
        Ok(lines(self, question))
    }
}

/// What the command prints for a question.
fn lines(flags: &Flags, question: Question) -> Vec<String> {
    let verdict = think(question.position, question.prohibited, question.limits);
    let mut lines = Vec::new();
    if flags.show {
        lines.extend(TicTacToe.show(&question.position).lines().map(String::from));
    }
    if !flags.json {
        lines.extend(
            verdict
                .iterations
                .iter()
                .map(|i| format!("depth {} move {} score {:.2}", i.depth, i.mv, i.win_rate)),
        );
    }
    let reply = serde_json::to_string(&reply(verdict));
    lines.push(reply.expect("a reply is made of strings and finite numbers"));
    lines
}

fn reply(verdict: Verdict) -> Reply {
    Reply {
        mv: verdict.mv.map(|square| square.to_string()),
        status: verdict.status.to_string(),
        win_rate: Some(verdict.win_rate),
        line: verdict.line.iter().map(ToString::to_string).collect(),
        nodes: verdict.nodes,
        defences: None,
        next: Vec::new(),
        draft: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// Exit code, standard output, standard error.
    fn command(args: &[&str], input: &str) -> (u8, String, String) {
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let words = args.iter().map(OsString::from).collect();
        let code = jl_engine::run_on::<Flags>(words, input.as_bytes(), &mut output, &mut errors).unwrap();
        (code, String::from_utf8(output).unwrap(), String::from_utf8(errors).unwrap())
    }

    #[test]
    fn progress_comes_before_the_answer_unless_it_is_unwanted() {
        let (code, output, errors) = command(&["--moves", "b2 a1", "--show"], "");
        let lines: Vec<_> = output.lines().collect();
        assert_eq!((code, errors.as_str()), (0, ""));
        assert_eq!(lines[..5], ["3 . . .", "2 . X .", "1 O . .", "  a b c", "X to move"]);
        assert!(lines[5].starts_with("depth 0 move ") && lines[7].starts_with("depth 2 move "), "{output}");
        assert!(lines[8].starts_with('{') && lines.len() == 9, "{output}");
        let (_, json, _) = command(&["--moves", "b2,a1", "--json"], "");
        assert_eq!(json.trim_end(), lines[8]);
        assert_eq!(answer(&["--moves", "B2-A1"].map(String::from)).unwrap(), [lines[8]]);
    }

    #[test]
    fn a_question_without_sense_is_one_line_and_code_2() {
        for (args, expected) in [
            (["--moves", "b2 b2"], "error: --moves: move 2 'b2' is illegal: b2 is occupied by X\n"),
            (
                ["--moves", "a1 a2 b1 b2 c1"],
                "error: --moves: the game is over after 'a1 a2 b1 b2 c1': X has won\n",
            ),
            (
                ["--moves", "a1 d4"],
                "error: --moves: 'd4' is not a move of tictactoe: column d is off the board (a to c)\n",
            ),
            (
                ["--prohibit", "c3;c2"],
                "error: --prohibit: 'c3;c2' is not a move of tictactoe: expected a column a to c and a row 1 to 3, like b2\n",
            ),
        ] {
            assert_eq!(command(&args, ""), (2, String::new(), expected.into()));
        }
        let (code, _, errors) = command(&["--moves", "b2", "--prohibit", "a1,b2"], "");
        assert_eq!(
            (code, errors.as_str()),
            (2, "error: --prohibit: 'b2' is not a move here: b2 is occupied by X\n")
        );
        let (code, output, errors) = command(&["--depth", "10"], "");
        assert_eq!((code, output.as_str()), (2, ""));
        assert!(errors.contains("10 is not in 0..=9"), "{errors}");
    }

    #[test]
    fn help_shows_how_to_use_it() {
        let (code, help, _) = command(&["--help"], "");
        assert_eq!(code, 0);
        for expected in
            ["Usage: jl engine tictactoe [OPTIONS]", "Examples:", "--prohibit <MOVES>", "[default: 2]"]
        {
            assert!(help.contains(expected), "{help}");
        }
        assert!(help.contains(&command(&["--json"], "").1), "the example is a real answer\n{help}");
    }

    #[test]
    fn a_warm_program_answers_every_line_and_survives_bad_ones() {
        let queries = "--moves b2\n\n--moves q9\n--bogus\n--lines\n--help\n--moves \"b2 a1\" --depth 9\n--moves \"b2\n\u{fffd}";
        let (code, output, errors) = command(&["--lines", "--json"], queries);
        assert_eq!((code, errors.as_str()), (0, ""));
        let blocks: Vec<_> = output.split_terminator("end\n").collect();
        assert_eq!(blocks.len(), 9, "{output}");
        let once = |args: &[&str]| command(args, "").1;
        assert_eq!(blocks[0], once(&["--moves", "b2", "--json"]));
        assert_eq!(blocks[1], once(&["--json"]), "an empty line asks about the first move");
        assert!(blocks[2].starts_with("error: --moves: 'q9' is not a move"), "{output}");
        assert_eq!(blocks[3], "error: unexpected argument '--bogus' found\n");
        assert_eq!(blocks[4], "error: --lines is for the command itself, not for one of its queries\n");
        assert_eq!(blocks[5], "error: --help is for the command itself, not for one of its queries\n");
        assert_eq!(blocks[6], once(&["--moves", "b2 a1", "--depth", "9", "--json"]));
        assert_eq!(blocks[7], "error: a quotation mark is not closed in '--moves \"b2'\n");
        assert!(blocks[8].starts_with("error: "), "{output}");
    }

    #[test]
    fn the_commands_flags_hold_for_every_line_until_overridden() {
        let (_, output, _) =
            command(&["--depth", "9", "--lines", "--json"], "--moves b2\n--moves b2 --depth 0\n");
        let blocks: Vec<_> = output.split_terminator("end\n").collect();
        assert_eq!(blocks[0], command(&["--moves", "b2", "--depth", "9", "--json"], "").1);
        assert_eq!(blocks[1], command(&["--moves", "b2", "--depth", "0", "--json"], "").1);
        assert_ne!(blocks[0], blocks[1]);
    }

    #[test]
    fn a_delay_is_waited_for_by_the_command_and_not_in_process() {
        let start = Instant::now();
        command(&["--delay", "60ms"], "");
        assert!(start.elapsed() >= Duration::from_millis(60));
        command(&["--lines", "--delay", "60ms"], "--moves b2\n");
        assert!(start.elapsed() >= Duration::from_millis(120));
        let start = Instant::now();
        answer(&["--delay".into(), "1000s".into()]).unwrap();
        assert!(start.elapsed() < Duration::from_secs(100));
    }
}
