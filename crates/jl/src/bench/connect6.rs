//! `jl bench connect6`: what the program decides in a file of positions.

use super::microseconds;
use super::positions::{Item, read};
use crate::cli::{BenchTask, Connect6BenchArgs};
use crate::failure::Failure;
use crate::output::say;
use jl_engine_connect6::Thinker;
use jl_engine_connect6::engine::{Task, Verdict};
use jl_engine_connect6::limits::Limits;
use jl_games::connect6::Connect;
use jl_value::Player;
use serde::Serialize;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

#[derive(Serialize)]
struct Row {
    id: String,
    category: String,
    decided: bool,
    winner: Option<String>,
    how: Option<&'static str>,
    nodes: u64,
    seconds: f64,
    /// With `verify`: how many moves may avoid a loss, if any were excluded.
    #[serde(skip_serializing_if = "Option::is_none")]
    defences: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claimed_how: Option<String>,
}

#[derive(Serialize, Default)]
struct Totals {
    positions: usize,
    decided: usize,
    nodes: u64,
    seconds: f64,
}

impl Totals {
    fn add(&mut self, row: &Row) {
        self.positions += 1;
        self.decided += usize::from(row.decided);
        self.nodes += row.nodes;
        self.seconds = microseconds(self.seconds + row.seconds);
    }

    fn line(&self) -> String {
        let Totals { positions, decided, nodes, seconds } = self;
        format!("{decided}/{positions} decided, {nodes} nodes, {seconds:.3} s")
    }
}

pub fn run(args: &Connect6BenchArgs) -> Result<ExitCode, Failure> {
    let items = read(&args.file)?;
    let mut thinker = Thinker::new(Connect::CONNECT6).map_err(Failure::usage)?;
    let nodes = args.nodes.or(args.time.is_none().then_some(2_000_000));
    thinker.limits = Limits { nodes, time: args.time, ..Limits::default() };
    let width = items.iter().map(|i| i.id.chars().count()).max().unwrap_or(2).max(2);
    if !args.json {
        say(&format!("{:width$}  {:9}  {:9}  {:>9}  {:>10}", "id", "result", "how", "nodes", "seconds"))?;
    }
    let mut rows = Vec::new();
    let mut totals = Totals::default();
    let mut categories: BTreeMap<String, Totals> = BTreeMap::new();
    for item in items {
        let row = measure(&thinker, item, args.task);
        if !args.json {
            say(&text(&row, width))?;
        }
        totals.add(&row);
        categories.entry(row.category.clone()).or_default().add(&row);
        rows.push(row);
    }
    if args.json {
        let all = serde_json::json!({ "rows": rows, "categories": categories, "totals": totals });
        say(&all.to_string())?;
    } else {
        for (name, totals) in categories {
            say(&format!("{name}: {}", totals.line()))?;
        }
        say(&format!("all: {}", totals.line()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(thinker: &Thinker, item: Item, task: BenchTask) -> Row {
    let task = match task {
        BenchTask::Solve => Task::Solve,
        BenchTask::Verify => Task::Verify,
    };
    let start = Instant::now();
    let Verdict { winner, how, nodes, defences, .. } = thinker.think(item.course.position(), task, &[]);
    Row {
        id: item.id,
        category: item.category,
        decided: how.is_some(),
        winner: winner.map(|side| Player::from(side).to_string()),
        how: how.map(|how| how.name()),
        nodes,
        seconds: microseconds(start.elapsed().as_secs_f64()),
        defences: defences.map(|d| d.len()),
        claim: item.claim,
        claimed_how: item.claimed_how,
    }
}

fn text(row: &Row, width: usize) -> String {
    let result = match row.winner.as_deref() {
        Some("first") => "black",
        Some(_) => "white",
        None if row.decided => "draw",
        None => "undecided",
    };
    let mut notes: Vec<String> = row.claim.iter().map(|claim| format!("claimed: {claim}")).collect();
    notes.extend(row.defences.map(|n| format!("{n} defences")));
    let notes = if notes.is_empty() { String::new() } else { format!("  {}", notes.join("; ")) };
    let how = row.how.unwrap_or("-");
    format!("{:width$}  {result:9}  {how:9}  {:9}  {:10.6}{notes}", row.id, row.nodes, row.seconds)
}
