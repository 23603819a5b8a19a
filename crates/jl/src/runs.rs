//! `jl runs`.

use crate::cli::RunsArgs;
use crate::failure::Failure;
use crate::output::say;
use jl_store::{Address, Listed};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

pub fn run(args: &RunsArgs) -> Result<ExitCode, Failure> {
    let mut all = Vec::new();
    let mut code = ExitCode::SUCCESS;
    if args.runs.is_empty() {
        for file in files()? {
            // One file that is no run does not hide the others.
            match jl_store::list(&file.into()) {
                Ok(listed) => all.extend(listed),
                Err(e) => {
                    eprintln!("jl: {e}");
                    code = ExitCode::FAILURE;
                }
            }
        }
    }
    for address in &args.runs {
        all.extend(jl_store::list(address).map_err(Failure::store)?);
    }
    let rows: Vec<Row> = all.into_iter().map(Row::new).collect();
    if args.json {
        let rows: Vec<Value> = rows.iter().map(Row::json).collect();
        say(&json!({ "runs": rows }).to_string())?;
    } else if rows.is_empty() {
        eprintln!("there are no runs here");
    } else {
        table(&rows).iter().try_for_each(|line| say(line))?;
    }
    Ok(code)
}

/// The run files of the current folder, in order.
fn files() -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(".").map_err(Failure::run)?;
    let names = entries.flatten().map(|e| PathBuf::from(e.file_name()));
    let mut files: Vec<PathBuf> = names.filter(|f| f.extension().is_some_and(|e| e == "jl")).collect();
    files.sort();
    Ok(files)
}

/// What is told of a run.
struct Row {
    address: Address,
    name: String,
    game: Option<String>,
    moves: Option<String>,
    search: Option<String>,
    status: String,
    jobs: u64,
    nodes: Option<u64>,
    size: u64,
    created: String,
}

impl Row {
    fn new(run: Listed) -> Row {
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
        let parameters = read(&run.parameters);
        // The report is the last stop's.
        let report = run.report.as_deref().filter(|_| run.status != "running").map(read).unwrap_or_default();
        let state = run.state.as_deref().map(read).unwrap_or_default();
        let word = |value: &Value| value.as_str().map(String::from);
        Row {
            name: match &run.address {
                Address::File(path) => path.display().to_string(),
                Address::Database(_) => run.name,
            },
            game: word(&parameters["game"]),
            moves: word(&parameters["moves"]),
            search: word(&parameters["search"]["name"]),
            jobs: report["jobs"]["done"].as_u64().unwrap_or(run.answers),
            nodes: report["nodes"].as_u64().or(state["nodes"].as_u64()),
            address: run.address,
            status: run.status,
            size: run.size,
            created: run.created,
        }
    }

    fn json(&self) -> Value {
        json!({
            "run": self.address.to_string(),
            "name": self.name,
            "game": self.game,
            "moves": self.moves,
            "search": self.search,
            "status": self.status,
            "jobs": self.jobs,
            "nodes": self.nodes,
            "bytes": self.size,
            "created": self.created,
        })
    }

    fn cells(&self) -> [String; 9] {
        let word = |w: &Option<String>| w.clone().unwrap_or_else(|| "?".into());
        let at = if self.moves.as_deref().is_some_and(|m| m.trim().is_empty()) {
            "the start".into()
        } else {
            word(&self.moves)
        };
        [
            self.name.clone(),
            word(&self.game),
            at,
            word(&self.search),
            self.status.clone(),
            self.jobs.to_string(),
            self.nodes.map_or("-".into(), |n| n.to_string()),
            bytes(self.size),
            self.created.clone(),
        ]
    }
}

fn table(rows: &[Row]) -> Vec<String> {
    let header = ["run", "game", "position", "search", "status", "jobs", "nodes", "size", "created"];
    let mut cells = vec![header.map(String::from)];
    cells.extend(rows.iter().map(Row::cells));
    let width = |i: usize| cells.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |row: &[String; 9]| {
        let padded = row.iter().zip(&widths).enumerate().map(|(i, (cell, &width))| match i {
            5..=7 => format!("{cell:>width$}"),
            _ => format!("{cell:width$}"),
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    cells.iter().map(line).collect()
}

fn bytes(n: u64) -> String {
    match n {
        0..10_000 => format!("{n} B"),
        10_000..10_000_000 => format!("{} kB", n / 1000),
        _ => format!("{} MB", n / 1_000_000),
    }
}
