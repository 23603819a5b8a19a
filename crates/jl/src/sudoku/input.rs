//! Grids and puzzles of files, of standard input and of the command line.

use crate::failure::Failure;
use jl_engine_sudoku::solver::solutions;
use jl_engine_sudoku::{Grid, Puzzle};
use std::fmt::Display;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::str::FromStr;

/// The grid of an option.
pub fn grid(text: &str) -> Result<Grid, Failure> {
    text.trim().parse().map_err(|e| Failure::usage(format!("--grid: {e}")))
}

/// What is on the lines of a file. Empty lines and those that begin with # say nothing.
pub fn read<T: FromStr<Err: Display>>(file: &Path, what: &str) -> Result<Vec<T>, Failure> {
    read_with(file, what, |text| text.parse().map_err(|e: T::Err| e.to_string()))
}

/// The same where `parse` says what a line is.
pub fn read_with<T>(
    file: &Path,
    what: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, Failure> {
    let standard = file == Path::new("-");
    let name = if standard { "standard input".into() } else { file.display().to_string() };
    let bytes = if standard { standard_input(what) } else { std::fs::read(file) };
    let bytes = bytes.map_err(|e| Failure::usage(format!("cannot read {name}: {e}")))?;
    let text = String::from_utf8_lossy(&bytes);
    // Some editors begin a file with a mark that is no character of it.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let found: Vec<T> = lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(i, line)| parse(line).map_err(|e| Failure::usage(format!("{name}, line {i}: {e}"))))
        .collect::<Result<_, _>>()?;
    if found.is_empty() {
        return Err(Failure::usage(format!("{name}: there is no {what} in it")));
    }
    Ok(found)
}

/// Says what it waits for if a person sits there.
fn standard_input(what: &str) -> io::Result<Vec<u8>> {
    if io::stdin().is_terminal() {
        eprintln!("a {what} on each line, then Ctrl-D:");
    }
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A puzzle and its only solution; a complete grid is its own.
pub fn solved(text: &str) -> Result<(Puzzle, Grid), String> {
    let puzzle: Puzzle = text.parse().map_err(|e| format!("{e}"))?;
    if puzzle.clues().len() == 81 {
        return text.parse().map(|grid| (puzzle, grid)).map_err(|e| format!("{e}"));
    }
    match solutions(&puzzle, 2)[..] {
        [] => Err("the puzzle has no solution".into()),
        [solution] => Ok((puzzle, solution)),
        _ => Err("the puzzle has more than one solution".into()),
    }
}
