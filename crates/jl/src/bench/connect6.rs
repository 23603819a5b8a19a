//! `jl bench connect6`: what the program decides in a file of positions.

use super::{microseconds, say};
use crate::cli::{BenchTask, Connect6BenchArgs};
use crate::failure::Failure;
use jl_engine_connect6::engine::{Task, Verdict};
use jl_engine_connect6::limits::Limits;
use jl_engine_connect6::{Course, Thinker};
use jl_game::Game;
use jl_games::connect6::Connect;
use jl_value::Player;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// A position of the file.
struct Item {
    id: String,
    category: String,
    course: Course,
    claim: Option<String>,
    claimed_how: Option<String>,
}

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

/// The positions of a file. What is wrong is said with its line.
fn read(file: &Path) -> Result<Vec<Item>, Failure> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|e| Failure::usage(format!("{name}: {e}")))?;
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let header: Vec<&str> = lines.next().map_or(Vec::new(), |(_, line)| line.split('\t').collect());
    let column = |wanted: &str| header.iter().position(|c| c.trim() == wanted);
    let required = |wanted: &str| {
        column(wanted).ok_or_else(|| Failure::usage(format!("{name}:1: there is no column '{wanted}'")))
    };
    let (id, to_move, moves) = (required("id")?, required("to_move")?, required("moves")?);
    let (category, claim, how) = (column("category"), column("claim"), column("how"));
    let stem = file.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let mut items = Vec::new();
    for (i, line) in lines {
        let bad = |why: &dyn Display| Failure::usage(format!("{name}:{}: {why}", i + 1));
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        let field = |column: usize| {
            fields.get(column).copied().ok_or_else(|| bad(&format!("there is no field '{}'", header[column])))
        };
        let optional = |column: Option<usize>| {
            column.and_then(|c| fields.get(c)).filter(|f| !f.is_empty()).map(|f| f.to_string())
        };
        let course = Course::read(Connect::CONNECT6, false, field(moves)?).map_err(|e| bad(&e))?;
        check_mover(&course, field(to_move)?).map_err(|why| bad(&why))?;
        items.push(Item {
            id: field(id)?.into(),
            category: optional(category).unwrap_or_else(|| stem.clone()),
            course,
            claim: optional(claim),
            claimed_how: optional(how),
        });
    }
    if items.is_empty() {
        return Err(Failure::usage(format!("{name}: there is no position")));
    }
    Ok(items)
}

fn check_mover(course: &Course, said: &str) -> Result<(), String> {
    let position = course.position();
    if course.game().outcome(position).is_some() {
        return Err("the game is over".into());
    }
    let mover = match position.to_move() {
        Player::First => "black",
        Player::Second => "white",
    };
    match said {
        "black" | "white" if said == mover => Ok(()),
        "black" | "white" => Err(format!("{said} to move, but after these moves it is {mover}'s turn")),
        _ => Err(format!("to_move is '{said}', expected black or white")),
    }
}
