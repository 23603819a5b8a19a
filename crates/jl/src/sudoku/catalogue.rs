//! `jl sudoku catalogue`.

use crate::failure::Failure;
use crate::output::say;
use crate::sudoku::args::CatalogueArgs;
use crate::sudoku::{input, some};
use jl_engine_sudoku::catalogue::{
    Start, first_start_of_band, for_each_from, grids_of_band, start, starts_of_band,
};
use jl_engine_sudoku::{Grid, canonical};
use serde_json::json;
use std::process::ExitCode;

pub fn run(args: &CatalogueArgs) -> Result<ExitCode, Failure> {
    if let Some(number) = args.what.start {
        grids(args, number)?;
    } else if let Some(number) = args.what.band {
        band(number, args.json)?;
    } else if let Some(text) = &args.what.grid {
        address(&input::grid(text)?, args.json)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The grids from an address on.
fn grids(args: &CatalogueArgs, number: usize) -> Result<(), Failure> {
    let mut kept = Vec::new();
    let mut failure = None;
    let mut visit = |grid: Grid| {
        if args.json {
            kept.push(grid.to_string());
        } else {
            failure = say(&grid.to_string()).err();
        }
        failure.is_none()
    };
    let place = args.place.unwrap_or(0);
    let mut given = 0;
    match args.count {
        Some(count) => for_each_from(number, place, |grid| {
            given += 1;
            visit(grid) && given < count
        }),
        None => {
            let start = start(number).expect("the number of a start was read");
            start.for_each_after(&mut { place }, &mut |grid| {
                given += 1;
                visit(grid)
            });
        }
    }
    if args.json {
        say(&json!({ "start": number, "place": place, "grids": kept }).to_string())?;
    }
    failure.map_or(Ok(()), Err)?;
    match args.count {
        Some(count) if given < count => {
            eprintln!("the catalogue ends after {} of {count}", some(given, "grid"));
        }
        None if given == 0 => eprintln!("start {number} has no place {place}"),
        _ => {}
    }
    Ok(())
}

fn band(band: usize, as_json: bool) -> Result<(), Failure> {
    let (first, starts, grids) = (first_start_of_band(band), starts_of_band(band).len(), grids_of_band(band));
    let class = &jl_engine_sudoku::bands()[band];
    let digits: String = class.digits().map(|digit| digit.to_string()).concat();
    if as_json {
        let value = json!({
            "band": band + 1, "digits": digits, "first_start": first, "starts": starts, "grids": grids,
        });
        return say(&value.to_string());
    }
    say(&format!("band {}: {digits}", band + 1))?;
    say(&format!("  starts  {starts}, from {first} to {}", first + starts - 1))?;
    say(&format!("  grids   {grids}"))
}

fn address(grid: &Grid, as_json: bool) -> Result<(), Failure> {
    let form = canonical(grid);
    let (start, place) = Start::of_grid(&form.grid).expect("every least form is in the catalogue");
    let (canonical, band) = (form.grid.to_string(), form.band + 1);
    if as_json {
        let value = json!({
            "grid": grid.to_string(), "canonical": canonical, "band": band, "start": start.number(), "place": place,
        });
        return say(&value.to_string());
    }
    say(&format!("{canonical}  start {}, place {place}, band {band}", start.number()))
}
