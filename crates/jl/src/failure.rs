//! What the command line says when something can't be done: one line, and an exit code.

use jl_store::StoreError;
use std::fmt;
use std::io;
use std::process::ExitCode;

/// Ends the program.
#[derive(Debug)]
pub struct Failure {
    message: String,
    code: u8,
}

impl Failure {
    /// What was asked for can't be: exit code 2.
    pub fn usage(message: impl fmt::Display) -> Failure {
        Failure { message: message.to_string(), code: 2 }
    }

    /// What was asked for went wrong: exit code 1.
    pub fn run(message: impl fmt::Display) -> Failure {
        Failure { message: message.to_string(), code: 1 }
    }

    /// A run that can't be had: exit code 1 if the database is to blame, else 2.
    pub fn store(error: StoreError) -> Failure {
        match error {
            StoreError::Unreachable { .. }
            | StoreError::CannotRead { .. }
            | StoreError::CannotWrite { .. } => Failure::run(error),
            _ => Failure::usage(error),
        }
    }

    /// Stopped by Ctrl-C: exit code 130.
    pub fn stopped(message: impl fmt::Display) -> Failure {
        Failure { message: message.to_string(), code: 130 }
    }

    /// What was printed could not be: exit code 1, and no word if whoever read it has had enough.
    pub fn printing(error: &io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure { message: String::new(), code: 1 },
            _ => Failure::run(error),
        }
    }

    /// The first paragraph of clap's message and its tip, on one line.
    pub fn from_clap(error: &clap::Error) -> Failure {
        let text = error.to_string();
        if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
            return Failure::usage(
                "say what to do: solve, resume, replay, runs, export, sim, engine, play, bench, proof, sudoku or list; see 'jl --help'",
            );
        }
        let mut lines = text.lines().map(str::trim);
        let first: Vec<&str> = lines.by_ref().take_while(|l| !l.is_empty()).collect();
        let tip = lines.find_map(|l| l.strip_prefix("tip: "));
        let mut message = first.join(" ").trim_start_matches("error: ").to_string();
        if let Some(tip) = tip {
            message += &format!("; {tip}");
        }
        Failure::usage(format!("{message}; see 'jl --help'"))
    }

    /// Whether there is nothing to say.
    pub fn is_quiet(&self) -> bool {
        self.message.is_empty()
    }

    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
