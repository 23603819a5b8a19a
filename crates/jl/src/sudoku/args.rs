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
    #[arg(long, value_name = "N", value_parser = read_clues, allow_negative_numbers = true)]
    pub clues: usize,
    /// A complete grid: 81 digits, row by row
    #[arg(long, value_name = "GRID", conflicts_with = "grids")]
    pub grid: Option<String>,
    /// A file with a grid on each line, - for standard input [default: -]
    #[arg(long, value_name = "FILE")]
    pub grids: Option<PathBuf>,
    /// v1 to v6, those of the thesis, or fast; all find the same puzzles. Several with commas, to compare their work
    #[arg(long, value_name = "NAME", default_value = "fast", value_delimiter = ',', value_parser = read_algorithm)]
    pub algorithm: Vec<Algorithm>,
    /// Grids that are checked at the same time [default: one per core]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub threads: Option<NonZeroUsize>,
    /// Draw the nodes per level of the search trees into a file, .svg or .png, and for v3 to v6 what disjoint sets do there
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
    #[arg(long, value_name = "N", default_value = "1", value_parser = limit, allow_negative_numbers = true)]
    pub count: usize,
    /// The same seed gives the same grids on any machine
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
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
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = limit, allow_negative_numbers = true)]
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
    #[arg(long, value_name = "P", value_parser = place, allow_negative_numbers = true)]
    #[arg(conflicts_with_all = ["band", "grid"])]
    pub place: Option<usize>,
    /// How many grids, also of the starts that follow [default: to the end of the start]
    #[arg(long, value_name = "N", value_parser = limit, allow_negative_numbers = true)]
    #[arg(conflicts_with_all = ["band", "grid"])]
    pub count: Option<usize>,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct CatalogueQuestion {
    /// The grids of this start, the first four rows of some grids: 0 to 652407, or band:B for the first start of a band
    #[arg(long, value_name = "S|band:B", value_parser = start, allow_negative_numbers = true)]
    pub start: Option<usize>,
    /// How many starts and grids a band has, 1 to 416
    #[arg(long, value_name = "B", value_parser = band, allow_negative_numbers = true)]
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
    #[arg(long, value_name = "P", requires = "add", value_parser = few, allow_negative_numbers = true)]
    pub remove: Option<usize>,
    /// Put Q others in [default: 1]
    #[arg(long, value_name = "Q", requires = "remove", value_parser = few, allow_negative_numbers = true)]
    pub add: Option<usize>,
    /// Stop when N new puzzles are found
    #[arg(long, value_name = "N", value_parser = limit, allow_negative_numbers = true)]
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
    /// Compare what two projects have found in the units that both have done
    Compare(CompareArgs),
}

#[derive(Args)]
pub struct CreateArgs {
    /// The project's new file, or postgres://user@host:port/database?run=NAME
    #[arg(value_name = "PROJECT")]
    pub project: Address,
    /// The start of the catalogue to begin with: 0 to 652407, or band:B for the first start of a band
    #[arg(long, value_name = "S|band:B", value_parser = start, allow_negative_numbers = true)]
    #[arg(required_unless_present = "sample", conflicts_with = "sample")]
    pub start: Option<usize>,
    /// The place among the grids of that start to begin with, from 0
    #[arg(long, value_name = "P", default_value = "0", requires = "start", value_parser = place)]
    #[arg(allow_negative_numbers = true)]
    pub place: usize,
    /// How many grids, from there on over the following starts
    #[arg(long, value_name = "N", value_parser = grids)]
    #[arg(required_unless_present = "sample", conflicts_with = "sample", allow_negative_numbers = true)]
    pub count: Option<u64>,
    /// In place of a part, N random grids of the whole catalogue, as many of each of its parts
    #[arg(long, value_name = "N", value_parser = sampled, allow_negative_numbers = true)]
    pub sample: Option<usize>,
    /// How many parts the catalogue has for a sample
    #[arg(long, value_name = "N", default_value = "52", requires = "sample", value_parser = parts)]
    #[arg(allow_negative_numbers = true)]
    pub parts: usize,
    /// The same seed gives the same sample on any machine
    #[arg(long, value_name = "S", default_value_t = 1, requires = "sample", allow_negative_numbers = true)]
    pub seed: u64,
    /// How many clues the puzzles have
    #[arg(long, value_name = "N", default_value = "16", value_parser = read_clues, allow_negative_numbers = true)]
    pub clues: usize,
    /// The grids of a work unit; one in a sample
    #[arg(long, value_name = "N", default_value = "100", value_parser = unit)]
    #[arg(conflicts_with = "sample", allow_negative_numbers = true)]
    pub unit: u64,
    /// Compute every unit twice, and a third time if the answers differ
    #[arg(long)]
    pub twice: bool,
    /// Try a unit whose jobs fail so often again, then give it up
    #[arg(long, value_name = "N", default_value_t = 3, allow_negative_numbers = true)]
    pub retries: u32,
}

#[derive(Args)]
pub struct RunProjectArgs {
    /// The project: its file, or postgres://user@host:port/database?run=NAME
    #[arg(value_name = "PROJECT")]
    pub project: Address,
    /// Jobs that run at the same time [default: one per core]
    #[arg(long, value_name = "W", allow_negative_numbers = true)]
    pub workers: Option<NonZeroUsize>,
    /// A file of further programs (TOML); one named sudoku goes before the built-in one
    #[arg(long, value_name = "FILE")]
    pub programs: Option<PathBuf>,
    /// Go on although the engine is of another version than the one that gave the last answers
    #[arg(long)]
    pub any_version: bool,
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
    /// List the units too: address, grids, puzzles, nodes, checksums, engine, and how often each was answered
    #[arg(long)]
    pub units: bool,
    /// Draw the time of each unit, of a sample that of each part, into a file, .svg or .png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct CompareArgs {
    /// A project: its file, or postgres://user@host:port/database?run=NAME
    #[arg(value_name = "PROJECT")]
    pub project: Address,
    /// Another one
    #[arg(value_name = "OTHER")]
    pub other: Address,
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

/// A place among the grids of a start.
fn place(text: &str) -> Result<usize, String> {
    number(text, 0, catalogue::GRIDS as usize - 1)
}

/// The grids of a sample.
fn sampled(text: &str) -> Result<usize, String> {
    number(text, 1, 1_000_000)
}

/// The parts of the catalogue: much smaller ones may have no grids.
fn parts(text: &str) -> Result<usize, String> {
    number(text, 1, 200)
}

/// The grids of a project.
fn grids(text: &str) -> Result<u64, String> {
    number(text, 1, catalogue::GRIDS as usize).map(|n| n as u64)
}

/// The grids of a unit: the answer to more would be too long.
fn unit(text: &str) -> Result<u64, String> {
    number(text, 1, 50_000).map(|n| n as u64)
}

fn limit(text: &str) -> Result<usize, String> {
    number(text, 1, 1_000_000_000)
}

/// Clues to take away or to put in: more than a few would take for ever.
fn few(text: &str) -> Result<usize, String> {
    number(text, 1, 4)
}
