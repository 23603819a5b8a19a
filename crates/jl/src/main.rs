//! `jl`: job-level computing for computer games, from the command line.

mod bench;
mod cache;
mod cli;
mod crew;
mod engine;
mod export;
mod failure;
mod graph_export;
mod list;
mod output;
mod picture;
mod play;
mod plot;
mod position;
mod programs;
mod progress;
mod proof;
mod report;
mod resume;
mod runs;
mod session;
mod sim;
mod solve;
mod sudoku;

use clap::Parser;
use cli::{Cli, Command};
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match Cli::try_parse() {
        Ok(cli) => run(cli.command),
        Err(e) if !e.use_stderr() => {
            // Help or version: asked for, and so an answer. Nobody may be listening.
            let _ = e.print();
            return ExitCode::SUCCESS;
        }
        Err(e) => Err(Failure::from_clap(&e)),
    };
    result.unwrap_or_else(|failure| {
        if !failure.is_quiet() {
            eprintln!("jl: {failure}");
        }
        failure.exit_code()
    })
}

fn run(command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Solve(args) => solve::run(&args),
        Command::Resume(args) => resume::resume(&args),
        Command::Replay(args) => resume::replay(&args),
        Command::Export(args) => graph_export::run(&args),
        Command::Runs(args) => runs::run(&args),
        Command::Sim(args) => sim::run(&args),
        Command::Engine(args) => engine::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Proof(args) => proof::run(&args),
        Command::Sudoku(args) => sudoku::run(&args),
        Command::List(args) => list::run(&args),
    }
}
