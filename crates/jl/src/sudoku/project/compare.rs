//! Two projects, perhaps of two people: whether they found the same.

use super::rebuild;
use crate::failure::Failure;
use crate::output::say;
use crate::sudoku::args::CompareArgs;
use crate::sudoku::some;
use jl_apps::units::{Project, Slice, UnitRow};
use jl_store::{Address, RunStore};
use serde_json::json;
use std::collections::BTreeMap;
use std::process::ExitCode;

pub fn run(args: &CompareArgs) -> Result<ExitCode, Failure> {
    let (a, b) = (open(&args.project)?, open(&args.other)?);
    let clues = [&a, &b].map(|project| project.parameters().clues);
    if clues[0] != clues[1] {
        return Err(Failure::usage(format!(
            "they can't be compared: {} is about {} clues, {} about {}",
            args.project, clues[0], args.other, clues[1]
        )));
    }
    let (of_a, of_b) = (done(&a), done(&b));
    let both: Vec<(&UnitRow, &UnitRow)> =
        of_a.iter().filter_map(|(slice, row)| Some((row, of_b.get(slice)?))).collect();
    if both.is_empty() {
        return Err(Failure::usage(format!(
            "they can't be compared: {} and {} have no unit in common that both have done",
            args.project, args.other
        )));
    }
    let differing: Vec<&(&UnitRow, &UnitRow)> = both.iter().filter(|(a, b)| !agree(a, b)).collect();
    let other_work = both.iter().filter(|(a, b)| work(a) != work(b)).count();
    if args.json {
        let rows = differing.iter().map(|(a, b)| {
            json!({
                "start": a.slice.start, "place": a.slice.place, "grids": a.slice.grids,
                "units": [a.unit, b.unit], "checksums": [found(a), found(b)], "work": [work(a), work(b)],
                "engines": [a.engine, b.engine],
            })
        });
        let value = json!({
            "agree": differing.is_empty(), "compared": both.len(), "other_work": other_work,
            "only": [of_a.len() - both.len(), of_b.len() - both.len()], "differences": rows.collect::<Vec<_>>(),
        });
        say(&value.to_string())?;
    } else {
        for (a, b) in &differing {
            let Slice { start, place, .. } = a.slice;
            let sums = |row| format!("{}/{}", found(row), work(row));
            say(&format!(
                "start {start}, place {place}: units {} and {}: {} and {}",
                a.unit,
                b.unit,
                sums(a),
                sums(b)
            ))?;
        }
        let beside = match other_work {
            0 => String::new(),
            n => format!("; in {} the work differs", some(n, "unit")),
        };
        let verdict = match differing.len() {
            0 => "all agree".into(),
            n => format!("{n} differ"),
        };
        say(&format!("{} compared: {verdict}{beside}", some(both.len(), "unit")))?;
    }
    Ok(if differing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn open(address: &Address) -> Result<Project, Failure> {
    rebuild(&RunStore::open_to_read(address).map_err(Failure::store)?)
}

/// The units that are done, by their grids.
fn done(project: &Project) -> BTreeMap<Slice, UnitRow<'_>> {
    project.rows().filter(|row| row.given.is_some()).map(|row| (row.slice, row)).collect()
}

fn found<'a>(row: &UnitRow<'a>) -> &'a str {
    row.given.map_or("", |given| &given.answer.checksum)
}

fn work<'a>(row: &UnitRow<'a>) -> &'a str {
    row.given.map_or("", |given| &given.answer.work)
}

/// What was found must be the same, and the work too if it was done by the same engine.
fn agree(a: &UnitRow, b: &UnitRow) -> bool {
    let puzzles = |row: &UnitRow| row.given.map(|given| given.answer.puzzles.clone());
    found(a) == found(b) && puzzles(a) == puzzles(b) && (a.engine != b.engine || work(a) == work(b))
}
