//! A tic-tac-toe program: the model of a game-playing program that jobs run.
//!
//! It is asked J(n, C), the best move at a position outside a list of prohibited ones, and answers with one JSON
//! line, [`jl_game::reply::Reply`]. It looks a few plies ahead only, on purpose: a program that knew everything
//! would leave nothing to a job-level search. What it does say for sure is proved within its depth.
//!
//! - [`think`] is the program as a function: a position, the prohibited squares, [`Limits`] in, a [`Verdict`] out.
//! - [`run`] is the command `jl engine tictactoe`, once or kept warm with `--lines`.
//! - [`answer`] is the same command as a function, for tests and simulations.
//!
//! The three are one code: the command line is read by one parser, wherever the words come from.
//!
//! ```
//! let words = ["--moves", "a1-b2-a2-c3", "--json"].map(String::from);
//! let lines = jl_engine_tictactoe::answer(&words).unwrap();
//! assert!(lines[0].starts_with(r#"{"move":"a3","status":"B:w","win_rate":1.0"#));
//! ```

mod command;
mod evaluation;
mod flags;
mod search;

pub use command::{answer, run};
pub use search::{Iteration, Limits, MAX_DEPTH, Verdict, think};
