//! `jl sudoku search17`.

use crate::failure::Failure;
use crate::output::say;
use crate::sudoku::args::Search17Args;
use crate::sudoku::{input, on_interrupt, some};
use jl_engine_sudoku::Puzzle;
use jl_engine_sudoku::search17::{Found, Move, Search};
use serde_json::json;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

pub fn run(args: &Search17Args) -> Result<ExitCode, Failure> {
    let moves = match (args.remove, args.add) {
        (Some(remove), Some(add)) => vec![Move { remove, add }],
        // Among puzzles with as many clues, and down to those with fewer.
        _ => vec![Move { remove: 1, add: 1 }, Move { remove: 2, add: 1 }],
    };
    let given = input::read_with(&args.file, "puzzle with one solution", input::solved)?;
    let mut search = Search::new(&moves);
    for &(puzzle, solution) in &given {
        search.insert(Found { puzzle, solution });
    }
    let from = if args.once { search.waiting().count() } else { usize::MAX };
    let steps = in_background(search, from);
    let stop = on_interrupt()?;
    let (mut new, mut searched, mut ended) = (Vec::new(), 0, End::Complete);
    while ended == End::Complete {
        if stop.load(Ordering::Relaxed) {
            ended = End::Stopped;
            break;
        }
        let found = match steps.recv_timeout(Duration::from_millis(50)) {
            Ok(found) => found,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        searched += 1;
        for puzzle in found {
            if args.limit == Some(new.len()) {
                break;
            }
            if !args.json {
                say(&puzzle.to_string())?;
            }
            new.push(puzzle);
        }
        if args.limit == Some(new.len()) {
            ended = End::Limit;
        }
    }
    if args.json {
        let value = json!({
            "given": given.len(),
            "searched": searched,
            "new": new.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "complete": ended == End::Complete,
        });
        say(&value.to_string())?;
    }
    let told = format!("{} from {}", some(new.len(), "new puzzle"), some(searched, "puzzle"));
    match ended {
        End::Stopped => Err(Failure::stopped(format!("stopped: {told}"))),
        End::Complete | End::Limit => {
            eprintln!("{told}");
            Ok(ExitCode::SUCCESS)
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Complete,
    Limit,
    Stopped,
}

/// The new puzzles of each step. A step may take long, and Ctrl-C does not wait for its end: the thread goes with the
/// program.
fn in_background(mut search: Search, most: usize) -> Receiver<Vec<Puzzle>> {
    let (sender, steps) = channel();
    std::thread::spawn(move || {
        for _ in 0..most {
            let Some(found) = search.step() else { break };
            if sender.send(found).is_err() {
                break;
            }
        }
    });
    steps
}
