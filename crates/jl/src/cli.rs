//! The words of the command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use jl_apps::tables::{NAMED, StatusTables};
use jl_apps::{Parameters, SearchParameters, game_info};
use jl_client::Options;
use jl_game::Effort;
use jl_search::Siblings;
use jl_search::uct::Mean;
use jl_store::Address;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use crate::failure::Failure;
use crate::position::PositionArgs;
use crate::sudoku::args::SudokuArgs;

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

/// When engines are asked for drafts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Drafts {
    Auto,
    Always,
    Never,
}

impl Drafts {
    /// Whether so many workers make use of them. A draft costs a twenty-fifth of a job, and children that are looked into too
    /// early; few workers have better things to do.
    pub fn are_wanted(self, workers: usize) -> bool {
        match self {
            Drafts::Auto => workers >= 8,
            Drafts::Always => true,
            Drafts::Never => false,
        }
    }
}

/// When nodes get further children.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum WhenSiblings {
    Auto,
    Gradual,
    Eager,
}

impl WhenSiblings {
    /// What suits a search that so many workers share. Few do best to look into what there is; many of them go astray together
    /// there, and find enough to do elsewhere too.
    fn of(self, search: &SearchParameters, workers: usize) -> Siblings {
        match (self, search) {
            (WhenSiblings::Eager, _) => Siblings::Eager,
            (WhenSiblings::Auto, SearchParameters::Pns { .. }) if workers >= 16 => Siblings::Eager,
            (WhenSiblings::Auto | WhenSiblings::Gradual, _) => Siblings::Gradual,
        }
    }
}

/// What win rates are means over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum WhichMean {
    Live,
    All,
}

/// How to search.
#[derive(Args)]
pub struct TuningArgs {
    /// Sum the K largest proof numbers only (K-Band, JL-PNS)
    #[arg(long, value_name = "K")]
    pub k_band: Option<NonZeroUsize>,
    /// Sum over the K most promising children only (dynamic widening, JL-PNS)
    #[arg(long, value_name = "K")]
    pub widening: Option<NonZeroUsize>,
    /// When a node gets a further child: gradual, few for the answers below it; eager, as in the papers; auto is eager for
    /// JL-PNS from 16 workers on
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = WhenSiblings::Auto)]
    pub siblings: WhenSiblings,
    /// Over which evaluations win rates are means: live, those of what is not decided, or all, as in the papers (JL-UCT)
    /// [default: live]
    #[arg(long, value_name = "WHICH", value_enum)]
    pub mean: Option<WhichMean>,
    /// The exploration constant C of UCB1 (JL-UCT) [default: 0.4]
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    pub exploration: Option<f64>,
    /// What the engine's statuses mean to the search: a table by name ('jl list tables'), or a file (TOML)
    #[arg(long, value_name = "NAME|FILE", value_parser = status_tables)]
    pub table: Option<StatusTables>,
    /// Take further moves from the engine's list of those that do not lose, if it has at most N; 0 for a job each
    /// [default: 50]
    #[arg(long, value_name = "N")]
    pub listed: Option<usize>,
    /// Take up to N further moves that the engine suggests without asking for each; 0 for a job each [default: 8]
    #[arg(long, value_name = "N")]
    pub suggested: Option<usize>,
    /// Ask the engine for a draft ahead of its answer, and look into its moves meanwhile: auto is from 8 workers on
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Drafts::Auto)]
    pub drafts: Drafts,
    /// Let equal positions be different nodes
    #[arg(long)]
    pub no_transpositions: bool,
}

/// What to search, and how.
#[derive(Args)]
pub struct SearchArgs {
    #[command(flatten)]
    pub position: PositionArgs,
    #[command(flatten)]
    pub tuning: TuningArgs,
    /// Stop after N answered jobs; 0 for no limit
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// The positions that the engine may look at in a job; more at nodes with many children [default: 250000 for
    /// connect6, if there is no --job-time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub job_nodes: Option<u64>,
    /// The seed of everything random
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Words added to every question to the engine, for example "--depth 3"
    #[arg(
        long,
        value_name = "WORDS",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub engine_args: String,
    /// Give a node up after N failed jobs
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_failures: u32,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
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

fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|e| format!("{e} (write 500ms, 30s or 2m)"))
}

/// How long a program may think.
fn thinking_time(text: &str) -> Result<Duration, String> {
    let day = Duration::from_secs(24 * 3600);
    match duration(text)? {
        time if (Duration::from_millis(1)..=day).contains(&time) => Ok(time),
        _ => Err("it must be from 1ms to a day".into()),
    }
}

fn status_tables(text: &str) -> Result<StatusTables, String> {
    if let Some(tables) = StatusTables::named(text) {
        return Ok(tables);
    }
    let names = || NAMED.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let file = std::fs::read_to_string(text)
        .map_err(|e| format!("it is no table's name ({}), and as a file: {e}", names()))?;
    StatusTables::read(&file).map_err(|e| e.to_string())
}

fn before_end(text: &str) -> Result<BeforeEnd, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if 0 < least && least <= most => Ok(BeforeEnd { least, most }),
        _ => Err("a number from 1 on is expected, or a range like 3..6".into()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    let n: f64 = text.parse().map_err(|_| "a number is expected".to_string())?;
    if n.is_finite() && n > 0.0 { Ok(n) } else { Err("it must be more than 0".into()) }
}

fn probability(text: &str) -> Result<f64, String> {
    let p: f64 = text.parse().map_err(|_| "a number from 0 to 1 is expected".to_string())?;
    if (0.0..1.0).contains(&p) { Ok(p) } else { Err("it must be at least 0 and less than 1".into()) }
}

impl From<WhichMean> for Mean {
    fn from(which: WhichMean) -> Mean {
        match which {
            WhichMean::Live => Mean::Live,
            WhichMean::All => Mean::All,
        }
    }
}

impl TuningArgs {
    /// The parameters of one search of these, for so many workers.
    pub fn search(
        &self,
        name: &str,
        policy: Option<&str>,
        workers: usize,
    ) -> Result<SearchParameters, Failure> {
        let mut search = search_named(name, policy)?;
        let when = self.siblings.of(&search, workers);
        match &mut search {
            SearchParameters::Pns { k_band, widening, siblings, .. } => {
                if self.exploration.is_some() || self.mean.is_some() {
                    return Err(Failure::usage("--exploration and --mean are for --search uct"));
                }
                (*k_band, *widening, *siblings) = (self.k_band, self.widening, when);
            }
            SearchParameters::Uct { exploration, mean, siblings } => {
                if self.k_band.is_some() || self.widening.is_some() {
                    return Err(Failure::usage("--k-band and --widening are for --search pns"));
                }
                *exploration = self.exploration.unwrap_or(*exploration);
                *mean = self.mean.map_or(*mean, Mean::from);
                *siblings = when;
            }
        }
        Ok(search)
    }

    /// Changes what was asked for.
    pub fn apply(&self, parameters: &mut Parameters) {
        parameters.tables = self.table.unwrap_or(parameters.tables);
        let options = &mut parameters.options;
        options.listed = self.listed.unwrap_or(options.listed);
        options.suggested = self.suggested.unwrap_or(options.suggested);
        options.transpositions &= !self.no_transpositions;
    }
}

impl SearchArgs {
    pub fn parameters(
        &self,
        game: &str,
        search: SearchParameters,
        engine: Option<&str>,
        seed: Option<u64>,
    ) -> Result<Parameters, Failure> {
        let info = game_info(game).ok_or_else(|| {
            Failure::usage(format!("there is no game '{game}' ('jl list games' shows them)"))
        })?;
        // Only of the game's own program is it known that it limits itself, and what it is best told.
        let own = engine.is_none_or(|e| e == info.program);
        let default = info.job_nodes.filter(|_| own);
        if self.job_nodes.is_some() && default.is_none() {
            return Err(Failure::usage(format!(
                "--job-nodes: the engine '{}' is not known to count nodes; --engine-args gives it words of its own",
                engine.unwrap_or(info.program)
            )));
        }
        let nodes = self.job_nodes.or(default);
        let words = info.words.iter().copied().filter(|_| own);
        let mut program_options: Vec<String> =
            words.chain(self.engine_args.split_whitespace()).map(String::from).collect();
        if let Some(seed) = seed {
            program_options.extend(["--seed".into(), seed.to_string()]);
        }
        let limit = self.limit.and_then(job_limit);
        let options = Options { limit, max_failures: self.max_failures, ..Options::default() };
        let mut parameters = Parameters {
            game: game.into(),
            moves: self.position.moves(game)?,
            search,
            tables: StatusTables::default(),
            program: engine.unwrap_or(info.program).into(),
            program_version: None,
            program_options,
            effort: Effort { nodes, time: None },
            options,
            workers: 1,
        };
        self.tuning.apply(&mut parameters);
        Ok(parameters)
    }
}

/// A search with its defaults, and a policy if one is named.
fn search_named(name: &str, policy: Option<&str>) -> Result<SearchParameters, Failure> {
    match name {
        "pns" => Ok(SearchParameters::pns(policy.unwrap_or("mf-ve"))),
        "uct" if policy.is_some() => {
            Err(Failure::usage("--policy is for --search pns; JL-UCT always uses virtual loss and flags"))
        }
        "uct" => Ok(SearchParameters::uct()),
        other => Err(Failure::usage(format!("there is no search '{other}' (pns or uct)"))),
    }
}

/// What `--limit` says: 0 is none.
pub fn job_limit(jobs: u64) -> Option<u64> {
    (jobs > 0).then_some(jobs)
}
