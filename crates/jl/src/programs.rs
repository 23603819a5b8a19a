//! The programs that this machine's workers may run: the built-in engines and those of a file.

use crate::failure::Failure;
use jl_jobs::registry::{ProgramSpec, Registry};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// An engine in this binary.
pub struct BuiltIn {
    pub name: &'static str,
    pub about: &'static str,
    /// Another whenever its answers may be others.
    pub version: &'static str,
    pub run: fn(Vec<OsString>) -> ExitCode,
    /// The same without a process, for the simulator.
    pub answer: fn(&[String]) -> Result<Vec<String>, String>,
    /// The word that asks for a draft, and what it makes of the answer to the same words without it.
    pub draft: Option<(&'static str, Drafted)>,
}

type Drafted = fn(&[String], &[String]) -> Result<Vec<String>, String>;

pub const BUILT_IN: &[BuiltIn] = &[
    BuiltIn {
        name: "tictactoe",
        about: "plays tic-tac-toe by a depth-limited search",
        version: env!("JL_VERSION_TICTACTOE"),
        run: |args| jl_engine_tictactoe::run(args),
        answer: jl_engine_tictactoe::answer,
        draft: None,
    },
    BuiltIn {
        name: "connect6",
        about: "plays Connect6 by threat searches and alpha-beta",
        version: env!("JL_VERSION_CONNECT6"),
        run: |args| jl_engine_connect6::run(args),
        answer: jl_engine_connect6::answer,
        draft: Some(("--draft", jl_engine_connect6::with_draft)),
    },
    BuiltIn {
        name: "sudoku",
        about: "lists the puzzles of Sudoku grids with a number of clues",
        version: env!("JL_VERSION_SUDOKU"),
        run: |args| jl_engine_sudoku::run(args),
        answer: jl_engine_sudoku::answer,
        draft: None,
    },
];

pub fn built_in(name: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|b| b.name == name)
}

/// The built-in engines, and the programs of a file; the file's go before.
pub fn registry(file: Option<&Path>) -> Result<Registry, Failure> {
    let mut registry = Registry::new();
    for b in BUILT_IN {
        let command = ["{self}", "engine", b.name, "--lines", "--json"];
        let mut spec = ProgramSpec::lines(b.name, command, "end");
        // Its jobs say themselves how long they may take.
        spec.time_limit = Duration::from_secs(30 * 24 * 3600);
        spec.version = Some(b.version.into());
        registry.insert(spec);
    }
    if let Some(file) = file {
        registry.merge(Registry::load(file).map_err(Failure::usage)?);
    }
    Ok(registry)
}

/// Refuses a program that no worker here could run.
pub fn require<'r>(registry: &'r Registry, program: &str) -> Result<&'r ProgramSpec, Failure> {
    if let Some(spec) = registry.get(program) {
        return Ok(spec);
    }
    let names: Vec<&str> = registry.names().collect();
    let known = names.join(", ");
    Err(Failure::usage(format!("there is no engine '{program}' (known: {known}; --programs FILE adds more)")))
}
