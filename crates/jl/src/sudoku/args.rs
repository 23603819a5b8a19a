//! The words of `jl sudoku`.

use clap::{Args, Subcommand};
use jl_engine_sudoku::{Algorithm, BANDS, catalogue, read_algorithm, read_clues};
use jl_store::Address;
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(Args)]
#[command(arg_required_else_help = false)]
pub struct SudokuArgs {
    #[command(subcommand)]
    pub task: SudokuTask,
}

#[derive(Subcommand)]
pub enum SudokuTask {
    /// List every puzzle of complete grids with a number of clues
    Check(CheckArgs),
    /// List the minimal unavoidable sets of a grid
    Mus(MusArgs),
    /// Print random grids, each of the essentially different ones as likely as any other
    Random(RandomArgs),
    /// Print the least form of grids and puzzles, the same for all that are the same up to symmetry
    Canonical(CanonicalArgs),
    /// Count the solutions of puzzles
    Solve(SolvePuzzlesArgs),
    /// Print grids of the catalogue of all 5,472,730,538 by their address
    Catalogue(CatalogueArgs),
    /// Make new puzzles out of known ones by taking clues away and putting others in
    Search17(Search17Args),
    /// Check many grids of the catalogue in units, on workers, in a run that can be killed and goes on
    Project(ProjectArgs),
}

#[derive(Args)]
pub struct CheckArgs {
    /// How many clues the puzzles have, 1 to 81. No puzzle has fewer than 17, and from 19 or so on there are very many
    #[arg(long, value_name = "N", value_parser = read_clues)]
    pub clues: usize,
    /// A complete grid: 81 digits, row by row
    #[arg(long, value_name = "GRID", conflicts_with = "grids")]
    pub grid: Option<String>,
    /// A file with a grid on each line, - for standard input [default: -]
    #[arg(long, value_name = "FILE")]
    pub grids: Option<PathBuf>,
    /// v1 to v6, those of the thesis, or fast; all find the same puzzles
    #[arg(long, value_name = "NAME", default_value = "fast", value_parser = read_algorithm)]
    pub algorithm: Algorithm,
    /// Grids that are checked at the same time [default: one per core]
    #[arg(long, value_name = "T")]
    pub threads: Option<NonZeroUsize>,
    /// Draw the nodes per level of the search trees into a file, .svg or .png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct MusArgs {
    /// A complete grid: 81 digits, row by row
    #[arg(long, value_name = "GRID")]
    pub grid: String,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct RandomArgs {
    /// How many
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub count: usize,
    /// The same seed gives the same grids on any machine
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

#[derive(Args)]
pub struct CanonicalArgs {
    /// A file with a grid or a puzzle with one solution on each line, - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct SolvePuzzlesArgs {
    /// A file with a puzzle on each line, . or 0 for an empty cell; - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,
    /// Count up to N solutions
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = limit)]
    pub limit: usize,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct CatalogueArgs {
    #[command(flatten)]
    pub what: CatalogueQuestion,
    /// The place among the grids from the start on, from 0
    #[arg(long, value_name = "P", default_value_t = 0, requires = "start")]
    pub place: usize,
    /// How many grids, also of the starts that follow [default: to the end of the start]
    #[arg(long, value_name = "N", requires = "start")]
    pub count: Option<usize>,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct CatalogueQuestion {
    /// The grids of this start, the first four rows of some grids: 0 to 652407, or band:B for the first start of a band
    #[arg(long, value_name = "S|band:B", value_parser = start)]
    pub start: Option<usize>,
    /// How many starts and grids a band has, 1 to 416
    #[arg(long, value_name = "B", value_parser = band)]
    pub band: Option<usize>,
    /// The address of the least form of a grid
    #[arg(long, value_name = "GRID")]
    pub grid: Option<String>,
}

#[derive(Args)]
pub struct Search17Args {
    /// A file with a puzzle on each line, . or 0 for an empty cell; - for standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,
    /// Take P clues away [default: 1, and 2]
    #[arg(long, value_name = "P", requires = "add", value_parser = few)]
    pub remove: Option<usize>,
    /// Put Q others in [default: 1]
    #[arg(long, value_name = "Q", requires = "remove", value_parser = few)]
    pub add: Option<usize>,
    /// Stop when N new puzzles are found
    #[arg(long, value_name = "N", value_parser = limit)]
    pub limit: Option<usize>,
    /// Start from the given puzzles only, not from new ones as well
    #[arg(long)]
    pub once: bool,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[command(arg_required_else_help = false)]
pub struct ProjectArgs {
    #[command(subcommand)]
    pub task: ProjectTask,
}

#[derive(Subcommand)]
pub enum ProjectTask {
    /// Make a new project out of a part of the catalogue
    Create(CreateArgs),
    /// Work on a project until it is done, from wherever it stands
    Run(RunProjectArgs),
    /// Say how far a project is, also one that is being worked on
    Status(StatusArgs),
    /// Say what a project has found
    Report(ProjectReportArgs),
}

#[derive(Args)]
pub struct CreateArgs {
    /// The project's new file, or postgres://user@host:port/database?run=NAME
    #[arg(value_name = "PROJECT")]
    pub project: Address,
    /// The start of the catalogue to begin with: 0 to 652407, or band:B for the first start of a band
    #[arg(long, value_name = "S|band:B", value_parser = start)]
    pub start: usize,
    /// How many grids, from there on over the following starts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=catalogue::GRIDS))]
    pub count: u64,
    /// How many clues the puzzles have
    #[arg(long, value_name = "N", default_value = "16", value_parser = read_clues)]
    pub clues: usize,
    /// The grids of a work unit
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub unit: u64,
    /// Compute every unit twice, and a third time if the answers differ
    #[arg(long)]
    pub twice: bool,
    /// Try a unit whose jobs fail so often again, then give it up
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub retries: u32,
}

#[derive(Args)]
pub struct RunProjectArgs {
    /// The project: its file, or postgres://user@host:port/database?run=NAME
    #[arg(value_name = "PROJECT")]
    pub project: Address,
    /// Jobs that run at the same time [default: one per core]
    #[arg(long, value_name = "W")]
    pub workers: Option<NonZeroUsize>,
    /// A file of further programs (TOML); one named sudoku goes before the built-in one
    #[arg(long, value_name = "FILE")]
    pub programs: Option<PathBuf>,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct StatusArgs {
    /// The project: its file, or postgres://user@host:port/database?run=NAME
    #[arg(value_name = "PROJECT")]
    pub project: Address,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ProjectReportArgs {
    /// The project: its file, or postgres://user@host:port/database?run=NAME
    #[arg(value_name = "PROJECT")]
    pub project: Address,
    /// Draw the time of each unit into a file, .svg or .png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

fn number(text: &str, least: usize, most: usize) -> Result<usize, String> {
    let number = text.parse().ok().filter(|n| (least..=most).contains(n));
    number.ok_or_else(|| format!("it must be a number from {least} to {most}"))
}

/// The number of a start, by itself or as a band's first.
fn start(text: &str) -> Result<usize, String> {
    match text.strip_prefix("band:") {
        Some(text) => Ok(catalogue::first_start_of_band(band(text)?)),
        None => number(text, 0, catalogue::STARTS - 1)
            .map_err(|e| format!("{e}, or band:1 to band:{BANDS} for the first start of a band")),
    }
}

/// A band, counted from 1 as everybody does; from 0 in here.
fn band(text: &str) -> Result<usize, String> {
    number(text, 1, BANDS).map(|band| band - 1)
}

fn limit(text: &str) -> Result<usize, String> {
    number(text, 1, 1_000_000_000)
}

/// Clues to take away or to put in: more than a few would take for ever.
fn few(text: &str) -> Result<usize, String> {
    number(text, 1, 4)
}
