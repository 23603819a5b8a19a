//! `jl sudoku`: the minimum Sudoku problem, one grid or all of them.

pub mod args;
mod catalogue;
mod check;
mod forms;
mod input;
mod project;
mod search17;

use crate::failure::Failure;
use crate::session::on_ctrl_c;
use args::{SudokuArgs, SudokuTask};
pub use project::is_project;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

pub fn run(args: &SudokuArgs) -> Result<ExitCode, Failure> {
    match &args.task {
        SudokuTask::Check(args) => check::run(args),
        SudokuTask::Mus(args) => forms::mus(args),
        SudokuTask::Random(args) => forms::random(args),
        SudokuTask::Canonical(args) => forms::canonical(args),
        SudokuTask::Solve(args) => forms::solve(args),
        SudokuTask::Catalogue(args) => catalogue::run(args),
        SudokuTask::Search17(args) => search17::run(args),
        SudokuTask::Project(args) => project::run(args),
    }
}

/// A flag that the first Ctrl-C makes true.
fn on_interrupt() -> Result<&'static AtomicBool, Failure> {
    static STOP: AtomicBool = AtomicBool::new(false);
    on_ctrl_c(|| STOP.store(true, Ordering::Relaxed))?;
    Ok(&STOP)
}

fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// One or many.
fn some(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
