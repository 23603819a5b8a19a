//! `jl engine`.

use crate::cli::EngineArgs;
use crate::failure::Failure;
use crate::programs::{BUILT_IN, built_in};
use std::process::ExitCode;

pub fn run(args: &EngineArgs) -> Result<ExitCode, Failure> {
    let names: Vec<&str> = BUILT_IN.iter().map(|b| b.name).collect();
    let names = names.join(", ");
    match args.name.as_deref() {
        None => Err(Failure::usage(format!("which engine? ({names}); 'jl engine NAME --help' explains one"))),
        Some("--help" | "-h" | "help") => {
            println!("Runs a built-in game-playing program by hand.\n\nUsage: jl engine NAME [ARGS]...\n");
            for b in BUILT_IN {
                println!("  {:12} {}", b.name, b.about);
            }
            println!("\n'jl engine NAME --help' explains one.");
            Ok(ExitCode::SUCCESS)
        }
        Some(name) => match built_in(name) {
            Some(engine) => {
                jl_engine::end_with_reader();
                Ok((engine.run)(args.args.clone()))
            }
            None => Err(Failure::usage(format!("there is no engine '{name}' ({names})"))),
        },
    }
}
