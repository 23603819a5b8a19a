//! `jl sudoku check`.

use crate::crew::{self, Progress};
use crate::failure::Failure;
use crate::output::{self, say};
use crate::plot::{self, Lines};
use crate::sudoku::args::CheckArgs;
use crate::sudoku::{cores, input, on_interrupt, some};
use jl_engine_sudoku::{Checked, Grid, Limits, check_within};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// A grid, and what was found.
struct Row {
    grid: Grid,
    clues: usize,
    checked: Checked,
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
    let work = |i: usize| {
        if stop.load(Ordering::Relaxed) {
            return (i, None);
        }
        let checked = check_within(&grids[i], args.clues, args.algorithm, &limits);
        (i, checked.complete.then(|| Row { grid: grids[i], clues: args.clues, checked }))
    };
    let progress = Progress::new();
    let mut printer = Printer { next: 0, early: BTreeMap::new(), silent: args.json };
    let mut failure = None;
    progress.show(&format!("0 of {} checked", some(grids.len(), "grid")));
    let rows = crew::all(grids.len(), args.threads.unwrap_or_else(cores), work, |done, (i, row)| {
        progress.show("");
        if failure.is_none() {
            failure = printer.take(*i, row.as_ref().map(Row::text)).err();
        }
        progress.show(&format!("{done} of {} checked", some(grids.len(), "grid")));
    });
    drop(progress);
    failure.map_or(Ok(()), Err)?;
    let rows: Vec<Row> = rows.into_iter().filter_map(|(_, row)| row).collect();
    let complete = rows.len() == grids.len();
    if args.json {
        let list: Vec<Value> = rows.iter().map(Row::json).collect();
        say(&json!({ "complete": complete, "rows": list, "totals": totals(&rows) }).to_string())?;
    } else if rows.len() > 1 {
        say(&summary(&rows))?;
    }
    if let Some(file) = &args.plot {
        draw(file, args.clues, &rows)?;
    }
    if !complete {
        let of = some(grids.len(), "grid");
        return Err(Failure::stopped(format!("stopped after {} of {of}", rows.len())));
    }
    Ok(ExitCode::SUCCESS)
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
        let Row { grid, clues, checked } = self;
        let found = some(checked.puzzles.len(), "puzzle");
        let (nodes, seconds) = (checked.nodes(), checked.seconds());
        let head = format!("{grid}  {clues} clues: {found}, {nodes} nodes, {seconds:.3} s");
        let puzzles = checked.puzzles.iter().map(|puzzle| format!("  {puzzle}"));
        [head].into_iter().chain(puzzles).collect::<Vec<_>>().join("\n")
    }

    fn json(&self) -> Value {
        let Row { grid, clues, checked } = self;
        json!({
            "grid": grid.to_string(),
            "clues": clues,
            "puzzles": checked.puzzles.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "nodes": checked.nodes(),
            "nodes_per_level": checked.nodes_per_level,
            "sets": checked.sets,
            "seconds": checked.seconds(),
        })
    }
}

/// The mean and the median.
fn times(rows: &[Row]) -> Option<(f64, f64)> {
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

fn found(rows: &[Row]) -> (usize, u64) {
    let puzzles = rows.iter().map(|row| row.checked.puzzles.len()).sum();
    (puzzles, rows.iter().map(|row| row.checked.nodes()).sum())
}

fn totals(rows: &[Row]) -> Value {
    let (puzzles, nodes) = found(rows);
    let (mean, median) = times(rows).unzip();
    json!({
        "grids": rows.len(),
        "puzzles": puzzles,
        "nodes": nodes,
        "seconds": { "mean": mean, "median": median },
    })
}

fn summary(rows: &[Row]) -> String {
    let (puzzles, nodes) = found(rows);
    let (mean, median) = times(rows).unwrap_or_default();
    let (grids, puzzles) = (some(rows.len(), "grid"), some(puzzles, "puzzle"));
    format!("{grids}: {puzzles}, {nodes} nodes; {mean:.3} s per grid, median {median:.3} s")
}

/// The nodes of all grids by the number of clues, on average.
fn draw(file: &Path, clues: usize, rows: &[Row]) -> Result<(), Failure> {
    let mean = |level: usize| {
        let sum: u64 = rows.iter().map(|row| row.checked.nodes_per_level[level]).sum();
        sum as f64 / rows.len().max(1) as f64
    };
    let points = (0..=clues).map(|level| (level as f64, mean(level))).collect();
    let name = if rows.len() == 1 { "nodes".into() } else { format!("mean of {} grids", rows.len()) };
    let lines = Lines {
        title: &format!("Nodes per level, {clues} clues"),
        x: "clues",
        y: "nodes",
        logarithmic: true,
        series: vec![(name, points)],
    };
    plot::lines(file, &lines)
}
