//! The command: checks some grids, and answers with one line that can be compared with another's.

use crate::{Algorithm, Answer, Grid, catalogue};
use clap::Parser;
use jl_engine::Query;
use std::ffi::OsString;
use std::process::ExitCode;

const EXAMPLES: &str = r#"The output is one line:
  {"grids":2,"puzzles":[],"nodes":30,"nodes_per_grid":[15,15],"seconds":0.08,"checksum":"…","work":"…"}
  grids           how many were looked at
  puzzles         all puzzles of these grids with so many clues, . for an empty cell
  nodes           of the search trees
  nodes_per_grid  the same of each grid, so that one of them can be looked at again
  seconds         the processor time that it took
  checksum        of the grids and their puzzles: the same whoever computes it, in whatever way
  work            of the nodes of each level: the same for the same version of the engine

Examples:
  jl engine sudoku --clues 16 --start 0 --count 100               the first hundred grids of the catalogue
  jl engine sudoku --clues 16 --start 7 --place 200 --count 100   others, from a place of a start on
  jl engine sudoku --clues 17 --grids GRID,GRID                   grids of your own
  printf '%s\n' '--start 0 --count 1' '--start 9 --count 1' | jl engine sudoku --lines

Exit code: 0 answered, 2 the question makes no sense (standard error says why)."#;

/// A Sudoku checker: every puzzle of some grids with a number of clues
#[derive(Parser, Clone, Debug)]
#[command(bin_name = "jl engine sudoku", no_binary_name = true, args_override_self = true)]
#[command(after_help = EXAMPLES)]
pub struct Flags {
    /// How many clues the puzzles have
    #[arg(long, value_name = "N", default_value = "16", value_parser = read_clues, allow_negative_numbers = true)]
    clues: usize,

    /// The number of a start of the catalogue, 0 to 652407
    #[arg(long, value_name = "S", conflicts_with = "grids")]
    start: Option<usize>,

    /// The place among the grids from that start on, from 0
    #[arg(long, value_name = "P", requires = "start", default_value_t = 0)]
    place: usize,

    /// How many grids of the catalogue
    #[arg(long, value_name = "N", requires = "start", default_value_t = 100)]
    #[arg(value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1_000_000))]
    count: usize,

    /// Complete grids, separated by commas
    #[arg(long, value_name = "GRIDS", value_delimiter = ',')]
    grids: Vec<String>,

    /// How to look for them: v1 to v6 or fast; the puzzles are the same, the nodes are not
    #[arg(long, value_name = "NAME", default_value = "fast", value_parser = read_algorithm)]
    algorithm: Algorithm,

    /// Stay, and answer one query per line of standard input, in these same flags (those of the command line hold for
    /// every query); each answer ends with a line `end`
    #[arg(long)]
    lines: bool,

    /// Print nothing but the answer line, as always
    #[arg(long)]
    json: bool,
}

/// Runs `jl engine sudoku` on this process's standard input and output. `args` are the words after `sudoku`.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    jl_engine::run::<Flags>(args)
}

/// The line that the command prints for these words, or why it refuses them.
pub fn answer(words: &[String]) -> Result<Vec<String>, String> {
    let flags: Flags = jl_engine::read(words).map_err(|e| e.to_string())?;
    flags.answer(&mut |_| ())
}

/// A number of clues.
pub fn read_clues(text: &str) -> Result<usize, String> {
    let expected = "it must be a number from 1 to 81 (16 or 17, most likely: no puzzle has fewer than 17)";
    text.parse().ok().filter(|n| (1..=81).contains(n)).ok_or_else(|| expected.to_string())
}

/// The name of an algorithm, `v1` to `v6` or `fast`.
pub fn read_algorithm(text: &str) -> Result<Algorithm, String> {
    let named = |algorithm: &Algorithm| format!("{algorithm:?}").to_lowercase() == text;
    Algorithm::ALL.into_iter().find(named).ok_or_else(|| "v1, v2, v3, v4, v5, v6 or fast is expected".into())
}

impl Flags {
    fn to_check(&self) -> Result<Vec<Grid>, String> {
        if let Some(start) = self.start {
            if start >= catalogue::STARTS {
                return Err(format!(
                    "--start {start}: the catalogue has the starts 0 to {}",
                    catalogue::STARTS - 1
                ));
            }
            let grids = catalogue::slice(start, self.place, self.count);
            if grids.len() < self.count {
                let (place, count) = (self.place, grids.len());
                return Err(format!(
                    "--count {}: the catalogue ends {count} grids after start {start}, place {place}",
                    self.count
                ));
            }
            return Ok(grids);
        }
        if self.grids.is_empty() {
            return Err("which grids? --start S --place P --count N of the catalogue, or --grids G,G".into());
        }
        let read = |(i, text): (usize, &String)| {
            text.trim().parse().map_err(|e| format!("--grids: grid {}: {e}", i + 1))
        };
        self.grids.iter().enumerate().map(read).collect()
    }
}

impl Query for Flags {
    type Error = String;

    fn is_warm(&self) -> bool {
        self.lines
    }

    fn command_only(&self) -> Option<&'static str> {
        self.lines.then_some("--lines")
    }

    fn answer(&self, _say: &mut dyn FnMut(String)) -> Result<Vec<String>, String> {
        let answer = Answer::of(&self.to_check()?, self.clues, self.algorithm);
        Ok(vec![serde_json::to_string(&answer).expect("an answer is made of strings and finite numbers")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: &str = "639241785284765193517983624123857946796432851458619237342178569861594372975326418";

    fn asked(words: &str) -> Result<Answer, String> {
        let words: Vec<String> = words.split(' ').map(String::from).collect();
        answer(&words).map(|lines| serde_json::from_str(&lines[0]).unwrap())
    }

    #[test]
    fn the_flags_are_consistent() {
        use clap::CommandFactory;
        Flags::command().debug_assert();
    }

    #[test]
    fn the_same_question_has_the_same_checksums_and_another_one_others() {
        let first = asked("--clues 12 --start 400000 --count 2").unwrap();
        assert_eq!((first.grids, first.puzzles.len()), (2, 0));
        let again = asked("--clues 12 --start 400000 --place 0 --count 2 --json").unwrap();
        assert_eq!((&first.checksum, &first.work), (&again.checksum, &again.work));
        for other in ["--clues 12 --start 400000 --place 1 --count 2", "--clues 11 --start 400000 --count 2"]
        {
            assert_ne!(asked(other).unwrap().checksum, first.checksum, "{other}");
        }
        let slower = asked("--clues 12 --start 400000 --count 2 --algorithm v6").unwrap();
        assert_eq!(slower.checksum, first.checksum, "what is found is the same in whatever way");
        assert_ne!(slower.work, first.work);
        let grids = catalogue::slice(400_000, 0, 2);
        let given = format!("--clues 12 --grids {},{}", grids[0], grids[1]);
        let given = asked(&given).unwrap();
        assert_eq!((&given.checksum, &given.work), (&first.checksum, &first.work), "by another name");
        let alone = asked(&format!("--clues 12 --grids {}", grids[1])).unwrap();
        assert_eq!(alone.nodes, first.nodes_per_grid[1], "one grid by itself");
    }

    #[test]
    fn puzzles_are_those_of_the_grid() {
        let answer = asked(&format!("--clues 80 --grids {GRID}")).unwrap();
        assert_eq!(answer.puzzles.len(), 81);
    }

    #[test]
    fn a_question_without_sense_is_refused() {
        for (words, expected) in [
            ("--clues 16", "which grids?"),
            ("--clues 0 --start 1", "from 1 to 81"),
            ("--start 652408", "starts 0 to 652407"),
            ("--start 652407 --place 5 --count 1000", "the catalogue ends"),
            ("--start 1 --count 0", "0 is not in 1.."),
            ("--grids 12", "grid 1: a grid has 81 digits, this has 2 characters"),
            ("--start 1 --grids 12", "cannot be used with"),
            ("--start 1 --algorithm v7", "v6 or fast"),
            ("--lines", "--lines is for the command itself"),
        ] {
            let error = asked(words).unwrap_err();
            assert!(error.contains(expected), "{words}: {error}");
        }
    }
}
