//! `jl sim`: the real client against virtual workers.

use crate::cli::SimArgs;
use crate::failure::Failure;
use crate::plot;
use crate::programs::{BuiltIn, built_in};
use jl_apps::{Parameters, SearchParameters};
use jl_jobs::sim::{self, SimAnswer, SimOptions};
use jl_messages::Input;
use serde::Serialize;
use std::cell::RefCell;
use std::collections::HashMap;
use std::process::ExitCode;
use std::time::Duration;

/// One row of the table: a search and policy with so many workers.
#[derive(Clone, Serialize)]
pub struct Row {
    pub search: String,
    pub policy: String,
    pub workers: usize,
    pub jobs: u64,
    pub aborted: u64,
    pub failed: u64,
    pub lost: u64,
    pub virtual_seconds: f64,
    pub speedup: f64,
    pub efficiency: f64,
    pub decided: bool,
    pub winner: Option<String>,
    pub nodes: usize,
}

/// The engine's answers, each computed once: every search and policy sees the same.
struct Memory {
    engine: &'static BuiltIn,
    known: RefCell<HashMap<Vec<String>, Vec<String>>>,
}

impl Memory {
    fn answer(&self, words: &[String]) -> Vec<String> {
        if let Some(output) = self.known.borrow().get(words) {
            return output.clone();
        }
        let output = (self.engine.answer)(words).unwrap_or_else(|e| vec![format!("error: {e}")]);
        self.known.borrow_mut().insert(words.to_vec(), output.clone());
        output
    }
}

pub fn run(args: &SimArgs) -> Result<ExitCode, Failure> {
    if !args.spread.is_finite() || args.spread < 0.0 {
        return Err(Failure::usage("--spread must be a number from 0 up"));
    }
    for file in &args.plot {
        plot::Format::of(file)?;
    }
    let searches = searches(args)?;
    let first = args.common.parameters(&args.game, searches[0].clone(), None, None)?;
    let engine = built_in(&first.program)
        .ok_or_else(|| Failure::usage(format!("the engine '{}' can't be simulated", first.program)))?;
    let memory = Memory { engine, known: RefCell::default() };
    let mut rows = Vec::new();
    for search in searches {
        let alone = simulate(args, &search, 1, &memory)?;
        for workers in args.workers.iter().map(|w| w.get()) {
            let mut row =
                if workers == 1 { alone.clone() } else { simulate(args, &search, workers, &memory)? };
            row.speedup = alone.virtual_seconds / row.virtual_seconds.max(f64::MIN_POSITIVE);
            row.efficiency = row.speedup / workers as f64;
            rows.push(row);
        }
    }
    for file in &args.plot {
        plot::speedups(file, &format!("Speed-up, {}", args.game), &rows)?;
        eprintln!("drew {}", file.display());
    }
    if args.common.json {
        let seed = args.common.seed.unwrap_or(0);
        println!(
            "{}",
            serde_json::json!({ "game": args.game, "seed": seed, "repeat": args.repeat, "rows": rows })
        );
    } else {
        print_table(&rows);
    }
    Ok(ExitCode::SUCCESS)
}

fn searches(args: &SimArgs) -> Result<Vec<SearchParameters>, Failure> {
    let mut all = Vec::new();
    for name in &args.searches {
        if name == "pns" {
            for policy in &args.policies {
                all.push(args.common.search(name, Some(policy))?);
            }
        } else {
            all.push(args.common.search(name, None)?);
        }
    }
    Ok(all)
}

/// The means over all seeds. A row is decided if every run is, and has a winner if all agree.
fn simulate(
    args: &SimArgs,
    search: &SearchParameters,
    workers: usize,
    memory: &Memory,
) -> Result<Row, Failure> {
    let first = args.common.seed.unwrap_or(0);
    let run = |i| {
        let seed = first.wrapping_add(i);
        // The engine has a seed of its own only if one is asked for: without it, it is the one of 'jl solve'.
        let engine_seed = (args.common.seed.is_some() || args.repeat > 1).then_some(seed);
        let parameters = args.common.parameters(&args.game, search.clone(), None, engine_seed)?;
        simulate_once(args, &parameters, workers, memory, seed)
    };
    let runs = (0..args.repeat).map(run);
    let runs = runs.collect::<Result<Vec<Row>, Failure>>()?;
    let count = runs.len() as f64;
    let mean = |of: fn(&Row) -> u64| (runs.iter().map(of).sum::<u64>() as f64 / count).round() as u64;
    Ok(Row {
        jobs: mean(|r| r.jobs),
        aborted: mean(|r| r.aborted),
        failed: mean(|r| r.failed),
        lost: mean(|r| r.lost),
        virtual_seconds: runs.iter().map(|r| r.virtual_seconds).sum::<f64>() / count,
        decided: runs.iter().all(|r| r.decided),
        winner: runs[0].winner.clone().filter(|w| runs.iter().all(|r| r.winner.as_ref() == Some(w))),
        nodes: mean(|r| r.nodes as u64) as usize,
        ..runs[0].clone()
    })
}

fn simulate_once(
    args: &SimArgs,
    parameters: &Parameters,
    workers: usize,
    memory: &Memory,
    seed: u64,
) -> Result<Row, Failure> {
    let mut client = parameters.client().map_err(Failure::usage)?;
    let options = SimOptions {
        workers,
        seed,
        loss: args.loss,
        failure: args.failure,
        duplicate: args.duplicate,
        latency: args.latency,
        reorder: args.reorder,
        ..SimOptions::default()
    };
    let mut answers = |_: &str, input: &Input| SimAnswer {
        output: memory.answer(&input.words),
        duration: sim::seeded_duration(args.job_time, args.spread, seed, input),
    };
    let time = if client.is_finished() {
        Duration::ZERO
    } else {
        sim::run(&mut *client, &mut answers, &options, &mut |_| ()).map_err(Failure::run)?.virtual_time
    };
    let s = client.summary();
    Ok(Row {
        search: parameters.search.name().into(),
        policy: parameters.search.policy(),
        workers,
        jobs: s.counts.done,
        aborted: s.counts.aborted,
        failed: s.counts.failed,
        lost: s.counts.lost,
        virtual_seconds: time.as_secs_f64(),
        speedup: 1.0,
        efficiency: 1.0,
        decided: s.bounds.exact().is_some(),
        winner: s.bounds.exact().map(|o| o.winner().map_or("none".into(), |p| p.to_string())),
        nodes: s.nodes,
    })
}

fn print_table(rows: &[Row]) {
    println!("search  policy        workers    jobs  aborted  virtual time  speed-up  efficiency  result");
    for r in rows {
        let result = match (r.decided, r.winner.as_deref()) {
            (false, _) => "undecided".into(),
            (true, Some("none")) => "draw".into(),
            (true, winner) => format!("{} wins", winner.unwrap_or("?")),
        };
        println!(
            "{:6}  {:12}  {:7}  {:6}  {:7}  {:11.1}s  {:8.2}  {:9.1}%  {result}",
            r.search,
            r.policy,
            r.workers,
            r.jobs,
            r.aborted,
            r.virtual_seconds,
            r.speedup,
            100.0 * r.efficiency,
        );
    }
}
