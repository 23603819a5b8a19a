//! The words of `jl bench`.

use super::values::{probability, thinking_time};
use super::{CacheArgs, TuningArgs};
use clap::{Args, Subcommand};
use jl_store::Address;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
#[command(arg_required_else_help = false)]
pub struct BenchArgs {
    #[command(subcommand)]
    pub bench: Bench,
}

#[derive(Subcommand)]
pub enum Bench {
    /// Solve the positions of a file with the Connect6 program
    Connect6(Connect6BenchArgs),
    /// Let the Connect6 program play itself without a part
    Ladder(LadderArgs),
    /// Compare the Connect6 program's grades with how games end
    Calibrate(CalibrateArgs),
    /// Solve the positions of a file by a job-level search
    Solve(Box<SolveBenchArgs>),
}

#[derive(Args)]
pub struct SolveBenchArgs {
    /// The positions: tab-separated, with a header that has the columns id, to_move (black or white), moves and perhaps known
    pub file: PathBuf,
    /// The search: pns or uct
    #[arg(long, value_name = "SEARCH", default_value = "pns")]
    pub search: String,
    /// The pre-update policy of JL-PNS [default: mf-ve]
    #[arg(long, value_name = "POLICY")]
    pub policy: Option<String>,
    /// Jobs that run at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    pub workers: NonZeroUsize,
    /// The positions that the program may look at per job [default: 250000, if there is no --job-time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub job_nodes: Option<u64>,
    /// The time that the program may think per job
    #[arg(long, value_name = "TIME", value_parser = thinking_time)]
    pub job_time: Option<Duration>,
    #[command(flatten)]
    pub tuning: TuningArgs,
    /// Give a position up after N answered jobs; 0 for never
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    pub limit: u64,
    #[command(flatten)]
    pub cache: CacheArgs,
    /// Record each run in a new file of this folder or, under the position's id, in a database
    /// (postgres://user@host:port/database), for 'jl sim --from'
    #[arg(long, value_name = "FOLDER|URL")]
    pub runs: Option<Address>,
    /// Write a checked proof of each decided position into this folder
    #[arg(long, value_name = "FOLDER")]
    pub proofs: Option<PathBuf>,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Connect6BenchArgs {
    /// The positions: tab-separated, with a header that has the columns id, to_move (black or white) and moves
    pub file: PathBuf,
    /// What to ask of each position
    #[arg(long, value_name = "TASK", value_enum, default_value_t = BenchTask::Solve)]
    pub task: BenchTask,
    /// Nodes per position [default: 2000000, if there is no --time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Time per position, for example 60s
    #[arg(long, value_name = "TIME", value_parser = thinking_time)]
    pub time: Option<Duration>,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum BenchTask {
    /// Does the player to move win?
    Solve,
    /// Which moves avoid a loss?
    Verify,
}

/// Games of the Connect6 program.
#[derive(Args)]
pub struct GamesArgs {
    /// Time per move [default: 200ms, if there is no --nodes]
    #[arg(long, value_name = "TIME", value_parser = thinking_time)]
    pub time: Option<Duration>,
    /// Nodes per move; without --time the games are always the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Games that are played at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    pub workers: NonZeroUsize,
    /// The seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct LadderArgs {
    /// Games against each opponent, an even number
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub games: u32,
    /// The parts to play without, separated by commas; without threats it is plain alpha-beta
    #[arg(
        long,
        value_name = "LIST",
        value_enum,
        value_delimiter = ',',
        default_value = "zones,single-threats,threats,network"
    )]
    pub opponents: Vec<Part>,
    /// Let the program play so many quick turns against itself before a game begins: from the middle game on, threats tell
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=50))]
    pub turns: u32,
    /// Begin in the middle of recorded games instead of with random stones: a file of game records (SGF), a table with a header that has
    /// the column moves or stones, or a list of moves per line
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// How many turns before the end of a recorded game, both players' counted: a number, or a range from which one is drawn for each
    /// game
    #[arg(long, value_name = "N|MIN..MAX", default_value = "3..6", value_parser = before_end, requires = "openings")]
    pub before_end: BeforeEnd,
    #[command(flatten)]
    pub common: GamesArgs,
}

/// Turns before the end of a game, from the least to the most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BeforeEnd {
    pub least: usize,
    pub most: usize,
}

fn before_end(text: &str) -> Result<BeforeEnd, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if 0 < least && least <= most => Ok(BeforeEnd { least, most }),
        _ => Err("a number from 1 on is expected, or a range like 3..6".into()),
    }
}

/// A part of the Connect6 program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Part {
    Zones,
    SingleThreats,
    Threats,
    Network,
}

#[derive(Args)]
pub struct CalibrateArgs {
    /// Games
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub games: u32,
    /// How often a move of the early game is a random one
    #[arg(long, value_name = "P", default_value_t = 0.15, value_parser = probability)]
    pub random: f64,
    /// Draw shares against grades into a file, .svg or .png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub common: GamesArgs,
}
