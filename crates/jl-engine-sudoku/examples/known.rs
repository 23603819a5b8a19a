//! Checks grids whose 17-clue puzzles are known, and says where the search differs from the list.
//!
//! `cargo run --release --example known [file]`, by default the extract in `tests/data`. A line of the file is a grid, the
//! number of its puzzles and the puzzles, separated by tabs.

use jl_engine_sudoku::{Algorithm, Grid, Puzzle, check};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let extract = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/puzzles17.tsv");
    let path = std::env::args().nth(1).unwrap_or(extract.into());
    let (mut grids, mut puzzles, mut different, mut seconds) = (0, 0, 0, 0.0);
    for line in std::fs::read_to_string(path)?.lines() {
        let mut fields = line.split('\t');
        let grid: Grid = fields.next().unwrap_or_default().parse()?;
        let mut known: Vec<Puzzle> = fields.skip(1).map(str::parse).collect::<Result<_, _>>()?;
        known.sort_unstable();
        let checked = check(&grid, 17, Algorithm::Fast);
        if checked.puzzles != known {
            println!("{grid}: {} puzzles are known, {} found", known.len(), checked.puzzles.len());
            different += 1;
        }
        grids += 1;
        puzzles += checked.puzzles.len();
        seconds += checked.seconds();
    }
    println!(
        "{grids} grids, {puzzles} puzzles, {different} grids differ; {:.2} s a grid",
        seconds / f64::from(grids)
    );
    Ok(())
}
