//! `jl bench`: how good a program is.
//!
//! - [`connect6`]: what it decides in a file of positions;
//! - [`ladder`]: games against itself without a part;
//! - [`calibrate`]: whether its grades mean what they say;
//! - [`solve`]: what a job-level search makes of a file of positions;
//! - [`positions`], [`games`], [`openings`], [`statistics`]: files of positions and of games, where games start, and what they show.

mod calibrate;
mod connect6;
mod games;
mod ladder;
mod openings;
mod positions;
mod solve;
mod statistics;

use crate::cli::{Bench, BenchArgs, GamesArgs};
use crate::failure::Failure;
use jl_engine_connect6::Thinker;
use jl_engine_connect6::engine::Settings;
use jl_engine_connect6::limits::Limits;
use jl_games::connect6::Connect;
use jl_value::Player;
use std::process::ExitCode;
use std::time::Duration;

pub fn run(args: &BenchArgs) -> Result<ExitCode, Failure> {
    match &args.bench {
        Bench::Connect6(args) => connect6::run(args),
        Bench::Ladder(args) => ladder::run(args),
        Bench::Calibrate(args) => calibrate::run(args),
        Bench::Solve(args) => solve::run(args),
    }
}

/// A game of more turns is a draw.
const MOST_TURNS: usize = 120;

/// Time per move, if nothing is said.
const MOVE_TIME: Duration = Duration::from_millis(200);

impl GamesArgs {
    fn limits(&self) -> Limits {
        let time = self.time.or(self.nodes.is_none().then_some(MOVE_TIME));
        Limits { nodes: self.nodes, time, ..Limits::default() }
    }

    /// For people.
    fn limits_text(&self) -> String {
        let Limits { nodes, time, .. } = self.limits();
        let time = time.map(|t| humantime::format_duration(t).to_string());
        let both = [time, nodes.map(|n| format!("{n} nodes"))];
        format!("{} per move", both.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

fn thinker(limits: Limits, settings: Settings) -> Result<Thinker, Failure> {
    let mut thinker = Thinker::new(Connect::CONNECT6).map_err(Failure::run)?;
    (thinker.limits, thinker.settings) = (limits, settings);
    Ok(thinker)
}

/// What a game is worth for a player.
fn score(winner: Option<Player>, player: Player) -> f64 {
    winner.map_or(0.5, |w| if w == player { 1.0 } else { 0.0 })
}

fn microseconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}
