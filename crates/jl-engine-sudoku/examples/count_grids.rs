//! Counts the grids of the catalogue, band by band, and writes for each start its row and its number of grids.
//! `count_grids FOLDER FIRST LAST` takes the bands from 1; a band whose file is there is left out, so that an
//! interrupted count goes on where it was.

use jl_engine_sudoku::catalogue::starts_of_band;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, first, last] = &arguments[..] else {
        return Err("count_grids FOLDER FIRST LAST".into());
    };
    for band in first.parse::<usize>()?..=last.parse()? {
        let file = Path::new(folder).join(format!("{band:03}.tsv"));
        if file.exists() {
            continue;
        }
        let mut text = String::new();
        let mut total = 0;
        let starts = starts_of_band(band - 1);
        for start in starts {
            let count = start.count();
            total += count;
            writeln!(text, "{start}\t{count}")?;
        }
        let unfinished = file.with_extension("part");
        fs::write(&unfinished, text)?;
        fs::rename(&unfinished, &file)?;
        println!("{band}\t{}\t{total}", starts.len());
    }
    Ok(())
}
