//! The words of the command line.

mod bench;
mod tuning;
mod values;

pub use bench::{
    BeforeEnd, Bench, BenchArgs, BenchTask, CalibrateArgs, Connect6BenchArgs, GamesArgs, LadderArgs, Part,
    SolveBenchArgs,
};
pub use tuning::{SearchArgs, TuningArgs, job_limit};

use crate::sudoku::args::SudokuArgs;
use clap::{Args, Parser, Subcommand};
use jl_store::Address;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use values::{duration, positive, probability, thinking_time};

/// Job-level computing for computer games: proves, searches and measures with any game-playing program, on all the
/// workers you have.
#[derive(Parser)]
#[command(name = "jl", version, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Find out who wins a position
    Solve(SolveArgs),
    /// Go on with a run that was stopped or killed
    Resume(ResumeArgs),
    /// Rebuild a run from its journal and check it
    Replay(ReplayArgs),
    /// Write the graph of a run, also of one that goes on, as a game record, as JSON or for Graphviz
    Export(ExportArgs),
    /// List recorded runs
    Runs(RunsArgs),
    /// Run searches against virtual workers in virtual time, and compare them
    Sim(SimArgs),
    /// Run one of the built-in game-playing programs
    Engine(EngineArgs),
    /// Play a game against a built-in program, in the terminal
    Play(PlayArgs),
    /// Measure a built-in program
    Bench(BenchArgs),
    /// Check a proof file, or draw it
    Proof(ProofArgs),
    /// Sudoku: the puzzles of a grid, the grids, and projects that check many of them
    Sudoku(SudokuArgs),
    /// List what there is
    List(ListArgs),
}

/// Whether answers are shared between runs.
#[derive(Args)]
pub struct CacheArgs {
    /// Take known answers from this file, and keep new ones in it for other runs; 'off' for neither [default: the file that
    /// the environment variable JL_CACHE names]
    #[arg(long, value_name = "FILE|off")]
    pub cache: Option<PathBuf>,
}

#[derive(Args)]
pub struct SolveArgs {
    /// The game; 'jl list games' shows them
    pub game: String,
    /// The search: pns or uct
    #[arg(long, value_name = "SEARCH", default_value = "pns")]
    pub search: String,
    /// The pre-update policy of JL-PNS: native, vw, vl, gd, fg, mf, fg-ve, mf-ve or mf-sp [default: mf-ve]
    #[arg(long, value_name = "POLICY")]
    pub policy: Option<String>,
    #[command(flatten)]
    pub common: SearchArgs,
    /// Jobs that run at the same time [default: one per core]
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,
    /// Record the run in this file, or in a database: postgres://user@host:port/database?run=NAME [default: a new file
    /// named after the run, in the current folder]
    #[arg(long, value_name = "FILE|URL")]
    pub run: Option<Address>,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub keep: KeepArgs,
    /// The program to ask, if not the game's own; 'jl list engines' shows them
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// A file of further programs (TOML)
    #[arg(long, value_name = "FILE")]
    pub programs: Option<PathBuf>,
    /// The time that the engine may think in a job, for example 1s; more at nodes with many children. One that does not
    /// limit itself is stopped after that time
    #[arg(long, value_name = "TIME", value_parser = thinking_time)]
    pub job_time: Option<Duration>,
    /// Draw the position and the best line into this file (Connect6)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write a proof of the result to this file, checked; 'jl proof verify FILE' checks it again (connect6)
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
}

/// How the graph of a run is kept.
#[derive(Args)]
pub struct KeepArgs {
    /// The memory that the search graph may take; what was not visited for long is read from the run again when it is needed
    /// [default: half of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = jl_engine::read_memory)]
    pub memory: Option<usize>,
    /// How often the graph is saved beside the journal, which has every answer at once
    #[arg(long, value_name = "TIME", value_parser = thinking_time, default_value = "10s")]
    pub save: Duration,
}

#[derive(Args)]
pub struct ResumeArgs {
    /// The run: its file, or postgres://user@host:port/database?run=NAME
    #[arg(value_name = "RUN")]
    pub run: Address,
    /// Jobs that run at the same time [default: as before]
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,
    /// Stop after N answered jobs in all; 0 for no limit [default: as before]
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub keep: KeepArgs,
    /// A file of further programs (TOML)
    #[arg(long, value_name = "FILE")]
    pub programs: Option<PathBuf>,
    /// Draw the position and the best line into this file (Connect6)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write a proof of the result to this file, checked; 'jl proof verify FILE' checks it again (connect6)
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ReplayArgs {
    /// The run: its file, or postgres://user@host:port/database?run=NAME
    #[arg(value_name = "RUN")]
    pub run: Address,
    /// Draw the position and the best line into this file (Connect6)
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ExportArgs {
    /// The run: a file, or postgres://user@host:port/database?run=NAME
    #[arg(value_name = "RUN")]
    pub run: Address,
    #[command(flatten)]
    pub format: ExportFormat,
    /// At most so many moves from the root [default: 3 for --dot]
    #[arg(long, value_name = "N", conflicts_with = "json")]
    pub depth: Option<usize>,
    /// At most so many positions
    #[arg(long, value_name = "N", conflicts_with = "json")]
    pub nodes: Option<NonZeroUsize>,
    /// Write to this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct ExportFormat {
    /// A tree of games with values in comments, for viewers of game records (connect6)
    #[arg(long)]
    pub sgf: bool,
    /// One JSON object with all nodes
    #[arg(long)]
    pub json: bool,
    /// A drawing for Graphviz
    #[arg(long)]
    pub dot: bool,
}

#[derive(Args)]
pub struct RunsArgs {
    /// Files, runs of a database (postgres://user@host:port/database?run=NAME), or databases: all their runs [default: the
    /// files *.jl of the current folder]
    #[arg(value_name = "RUN")]
    pub runs: Vec<Address>,
    /// Print one JSON object instead
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct SimArgs {
    /// Simulate recorded runs, again and with other searches: files, or addresses in a database. What no run has recorded
    /// is computed once. A job takes as long as the positions that the engine looked at say
    #[arg(long, value_name = "RUN", num_args = 1.., conflicts_with_all = ["game", "moves", "opening", "sgf", "engine_args", "job_time", "spread"])]
    pub from: Vec<Address>,
    /// Keep computed answers in this file [default: named after the first run, with the ending .answers]
    #[arg(long, value_name = "FILE", requires = "from")]
    pub keep: Option<PathBuf>,
    /// The positions that the engine of a virtual worker looks at in a second
    #[arg(long, value_name = "N", requires = "from", default_value_t = 400_000.0, value_parser = positive)]
    pub speed: f64,
    /// Print the figures of each run too
    #[arg(long, requires = "from")]
    pub each: bool,
    /// Draw how the engine's words on neighbouring nodes differ into a file, .svg or .png
    #[arg(long, value_name = "FILE", requires = "from")]
    pub plot_distances: Option<PathBuf>,
    /// Simulations that are computed at the same time [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// The game [default: tictactoe]
    #[arg(long)]
    pub game: Option<String>,
    /// The searches to compare, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "pns")]
    pub searches: Vec<String>,
    /// The policies of JL-PNS to compare, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "mf-ve")]
    pub policies: Vec<String>,
    /// The numbers of virtual workers, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "1,2,4,8,16")]
    pub workers: Vec<NonZeroUsize>,
    #[command(flatten)]
    pub common: SearchArgs,
    /// The mean virtual time of a job
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s")]
    pub job_time: Duration,
    /// How much the times of jobs vary: the standard deviation of their logarithm
    #[arg(long, value_name = "SIGMA", default_value_t = 0.8)]
    pub spread: f64,
    /// The mean virtual time of a message on its way
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "0s")]
    pub latency: Duration,
    /// The probability that a job's worker vanishes under it
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = probability)]
    pub loss: f64,
    /// The probability that a job fails
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = probability)]
    pub failure: f64,
    /// The probability that a job's end is delivered twice
    #[arg(long, value_name = "P", default_value_t = 0.0, value_parser = probability)]
    pub duplicate: f64,
    /// Let messages overtake each other
    #[arg(long)]
    pub reorder: bool,
    /// Simulate with N seeds, from the given one on (of a recorded run: from its own on), and show the means
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub repeat: u64,
    /// Draw speed-up against workers into a file, .svg or .png; may be given twice
    #[arg(long, value_name = "FILE")]
    pub plot: Vec<PathBuf>,
}

#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct EngineArgs {
    /// The engine; 'jl list engines' shows them
    pub name: Option<String>,
    /// Its arguments; 'jl engine NAME --help' explains them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub args: Vec<OsString>,
}

#[derive(Args)]
pub struct PlayArgs {
    /// The game: connect6
    pub game: String,
    /// Your colour: black, white, or none to let the program play against itself
    #[arg(long, value_name = "COLOR", value_enum, default_value_t = Color::Black)]
    pub color: Color,
    /// The time that the program may take per move [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = thinking_time)]
    pub time: Option<Duration>,
    /// The positions that the program may look at per move [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Threads that the program searches with
    #[arg(long, value_name = "N", value_parser = jl_engine_connect6::limits::read_threads, default_value = "1")]
    pub threads: NonZeroUsize,
    /// The seed of the program's choices
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Start after these moves, for example "JJ-JIKL" or "j10 j9k12"
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub moves: String,
    /// Start at the end of a game record
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    pub sgf: Option<PathBuf>,
    /// In letters and numbers, columns skip the letter I: the centre is k10
    #[arg(long)]
    pub skip_i: bool,
    /// Write the game to this new file (SGF) at the end
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
}

/// Whom a person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Color {
    Black,
    White,
    None,
}

#[derive(Args)]
#[command(arg_required_else_help = false)]
pub struct ProofArgs {
    #[command(subcommand)]
    pub task: ProofTask,
}

#[derive(Subcommand)]
pub enum ProofTask {
    /// Check that a proof file proves what it says
    Verify(ProofVerifyArgs),
    /// Print a proof as a tree of games (SGF), after checking it
    Sgf(ProofFileArgs),
}

#[derive(Args)]
pub struct ProofVerifyArgs {
    /// The proof file
    pub file: PathBuf,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ProofFileArgs {
    /// The proof file
    pub file: PathBuf,
}

#[derive(Args)]
pub struct ListArgs {
    /// games, openings, engines, searches, policies or tables
    pub what: String,
    /// List the programs of this file (TOML) too
    #[arg(long, value_name = "FILE")]
    pub programs: Option<PathBuf>,
    /// Print one JSON object instead
    #[arg(long)]
    pub json: bool,
}
