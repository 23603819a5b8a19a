//! `jl sudoku check`.

use crate::crew::{self, Progress};
use crate::failure::Failure;
use crate::output::{self, say};
use crate::plot;
use crate::sudoku::args::CheckArgs;
use crate::sudoku::{cores, input, on_interrupt, some};
use jl_engine_sudoku::{Algorithm, Checked, Disjoint, Grid, Limits, check_within};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

mod figures;

/// A grid, and what was found.
struct Row {
    grid: Grid,
    clues: usize,
    algorithm: Algorithm,
    /// Among others, so that it is told.
    named: bool,
    checked: Checked,
}

fn name(algorithm: Algorithm) -> String {
    format!("{algorithm:?}").to_lowercase()
}

pub fn run(args: &CheckArgs) -> Result<ExitCode, Failure> {
    let grids = match (&args.grid, &args.grids) {
        (Some(grid), _) => vec![input::grid(grid)?],
        (None, Some(file)) => input::read(file, "grid")?,
        (None, None) => input::read(Path::new("-"), "grid")?,
    };
    if let Some(file) = &args.plot {
        plot::Format::of(file)?;
        output::require("--plot", file)?;
    }
    let stop = on_interrupt()?;
    let limits = Limits { stop: Some(stop), ..Limits::default() };
    let (clues, algorithms) = (args.clues, distinct(&args.algorithm));
    let count = grids.len() * algorithms.len();
    let work = |i: usize| {
        if stop.load(Ordering::Relaxed) {
            return (i, None);
        }
        let (grid, algorithm) = (grids[i / algorithms.len()], algorithms[i % algorithms.len()]);
        let checked = check_within(&grid, clues, algorithm, &limits);
        let row = Row { grid, clues, algorithm, named: algorithms.len() > 1, checked };
        (i, row.checked.complete.then_some(row))
    };
    let progress = Progress::new();
    let mut printer = Printer { next: 0, early: BTreeMap::new(), silent: args.json };
    let mut failure = None;
    let checks = some(count, if algorithms.len() > 1 { "check" } else { "grid" });
    progress.show(&format!("0 of {checks} done"));
    let rows = crew::all(count, args.threads.unwrap_or_else(cores), work, |done, (i, row)| {
        progress.show("");
        if failure.is_none() {
            failure = printer.take(*i, row.as_ref().map(Row::text)).err();
            if failure.is_some() {
                // Nobody wants the rest.
                stop.store(true, Ordering::Relaxed);
            }
        }
        progress.show(&format!("{done} of {checks} done"));
    });
    drop(progress);
    failure.map_or(Ok(()), Err)?;
    let rows: Vec<Row> = rows.into_iter().filter_map(|(_, row)| row).collect();
    let complete = rows.len() == count;
    let groups: Vec<(Algorithm, Vec<&Row>)> = (algorithms.iter())
        .map(|&algorithm| (algorithm, rows.iter().filter(|row| row.algorithm == algorithm).collect()))
        .collect();
    if args.json {
        let list: Vec<Value> = rows.iter().map(Row::json).collect();
        let totals = match &groups[..] {
            [(_, rows)] => totals(rows),
            _ => Value::from(
                groups.iter().map(|(which, rows)| (name(*which), totals(rows))).collect::<Map<_, _>>(),
            ),
        };
        say(&json!({ "complete": complete, "rows": list, "totals": totals }).to_string())?;
    } else if grids.len() > 1 {
        for (algorithm, rows) in groups.iter().filter(|(_, rows)| !rows.is_empty()) {
            let which = if groups.len() > 1 { format!("{}: ", name(*algorithm)) } else { String::new() };
            say(&format!("{which}{}", summary(rows)))?;
        }
    }
    if let Some(file) = &args.plot {
        figures::draw(file, clues, &groups)?;
    }
    if !complete {
        return Err(Failure::stopped(format!("stopped after {} of {checks}", rows.len())));
    }
    Ok(ExitCode::SUCCESS)
}

/// Each of them once, in the order in which they were named.
fn distinct(algorithms: &[Algorithm]) -> Vec<Algorithm> {
    let mut distinct = Vec::new();
    for algorithm in algorithms {
        if !distinct.contains(algorithm) {
            distinct.push(*algorithm);
        }
    }
    distinct
}

/// Prints in the order of the grids, as soon as that is possible.
struct Printer {
    next: usize,
    early: BTreeMap<usize, Option<String>>,
    silent: bool,
}

impl Printer {
    fn take(&mut self, place: usize, text: Option<String>) -> Result<(), Failure> {
        self.early.insert(place, text);
        while let Some(text) = self.early.remove(&self.next) {
            self.next += 1;
            if let Some(text) = text.filter(|_| !self.silent) {
                say(&text)?;
            }
        }
        Ok(())
    }
}

impl Row {
    fn text(&self) -> String {
        let Row { grid, clues, algorithm, named, checked } = self;
        let which = if *named { format!(", {}", name(*algorithm)) } else { String::new() };
        let (clues, found) = (some(*clues, "clue"), some(checked.puzzles.len(), "puzzle"));
        let (nodes, seconds) = (some(checked.nodes() as usize, "node"), checked.seconds());
        let head = format!("{grid}  {clues}{which}: {found}, {nodes}, {seconds:.3} s");
        let puzzles = checked.puzzles.iter().map(|puzzle| format!("  {puzzle}"));
        [head].into_iter().chain(puzzles).collect::<Vec<_>>().join("\n")
    }

    fn json(&self) -> Value {
        let Row { grid, clues, algorithm, checked, .. } = self;
        let level = |at: &Disjoint| {
            json!({
                "sets": at.sets, "equal": at.equal, "greater": at.greater, "none": at.none,
                "shrunk": at.shrunk, "pruned": at.pruned, "children": at.children,
            })
        };
        json!({
            "grid": grid.to_string(),
            "clues": clues,
            "algorithm": name(*algorithm),
            "puzzles": checked.puzzles.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "nodes": checked.nodes(),
            "nodes_per_level": checked.nodes_per_level,
            "disjoint": checked.disjoint.iter().map(level).collect::<Vec<_>>(),
            "sets": checked.sets,
            "seconds": checked.seconds(),
        })
    }
}

/// The mean and the median.
fn times(rows: &[&Row]) -> Option<(f64, f64)> {
    let mut seconds: Vec<f64> = rows.iter().map(|row| row.checked.seconds()).collect();
    seconds.sort_by(f64::total_cmp);
    let middle = seconds.len() / 2;
    let median = match seconds.len() {
        0 => return None,
        n if n % 2 == 1 => seconds[middle],
        _ => f64::midpoint(seconds[middle - 1], seconds[middle]),
    };
    Some((seconds.iter().sum::<f64>() / seconds.len() as f64, median))
}

fn found(rows: &[&Row]) -> (usize, u64) {
    let puzzles = rows.iter().map(|row| row.checked.puzzles.len()).sum();
    (puzzles, rows.iter().map(|row| row.checked.nodes()).sum())
}

fn totals(rows: &[&Row]) -> Value {
    let (puzzles, nodes) = found(rows);
    let (mean, median) = times(rows).unzip();
    json!({
        "grids": rows.len(),
        "puzzles": puzzles,
        "nodes": nodes,
        "seconds": { "mean": mean, "median": median },
    })
}

fn summary(rows: &[&Row]) -> String {
    let (puzzles, nodes) = found(rows);
    let (mean, median) = times(rows).unwrap_or_default();
    let (grids, puzzles) = (some(rows.len(), "grid"), some(puzzles, "puzzle"));
    let nodes = some(nodes as usize, "node");
    format!("{grids}: {puzzles}, {nodes}; {mean:.3} s per grid, median {median:.3} s")
}
