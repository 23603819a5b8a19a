//! `jl bench solve`: what a job-level search makes of a file of positions.

use super::microseconds;
use super::positions::{self, Item};
use crate::cli::{SolveBenchArgs, job_limit};
use crate::failure::Failure;
use crate::output::say;
use crate::report::{self, Times};
use crate::{cache, export, programs, session};
use jl_apps::{AnyClient, Parameters, SearchParameters, game_info};
use jl_client::Options;
use jl_game::reply::join_moves;
use jl_game::{Effort, Game};
use jl_jobs::local::{self, Ended, LocalOptions, StopHandle};
use jl_messages::Driven;
use jl_store::{Address, Cache, Cached, Journalled, RunStore, Stepped};
use jl_value::Player;
use serde::Serialize;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// The program that is asked.
const PROGRAM: &str = "connect6";

#[derive(Serialize)]
struct Row {
    id: String,
    category: String,
    moves: String,
    decided: bool,
    winner: Option<String>,
    /// What the file says, and whether the result is another.
    known: Option<String>,
    contradicts: bool,
    best_move: Option<String>,
    jobs: u64,
    /// Of the jobs, those that were answered from the cache.
    cached: u64,
    aborted: u64,
    failed: u64,
    nodes: usize,
    transpositions: u64,
    /// Of the run, and of its jobs.
    seconds: f64,
    engine_seconds: f64,
    proof_nodes: Option<usize>,
}

#[derive(Serialize, Default)]
struct Totals {
    positions: usize,
    decided: usize,
    contradicting: usize,
    proved: usize,
    jobs: u64,
    aborted: u64,
    seconds: f64,
    engine_seconds: f64,
}

impl Totals {
    fn add(&mut self, row: &Row) {
        self.positions += 1;
        self.decided += usize::from(row.decided);
        self.contradicting += usize::from(row.contradicts);
        self.proved += usize::from(row.proof_nodes.is_some());
        self.jobs += row.jobs;
        self.aborted += row.aborted;
        self.seconds = microseconds(self.seconds + row.seconds);
        self.engine_seconds = microseconds(self.engine_seconds + row.engine_seconds);
    }
}

pub fn run(args: &SolveBenchArgs) -> Result<ExitCode, Failure> {
    let items = positions::read(&args.file)?;
    let search = args.tuning.search(&args.search, args.policy.as_deref(), args.workers.get())?;
    // A policy that there is not is refused before anything is made.
    parameters(args, &search, "").client().map_err(Failure::usage)?;
    let registry = programs::registry(None)?;
    let mut cache = args.cache.open(&registry, PROGRAM)?;
    let runs = match &args.runs {
        Some(Address::Database(database)) if database.run().is_some() => {
            return Err(Failure::usage(format!(
                "--runs {database}: each position is a run; leave ?run= out"
            )));
        }
        Some(Address::File(folder)) => Some(folder),
        _ => None,
    };
    for folder in args.proofs.iter().chain(runs) {
        std::fs::create_dir_all(folder).map_err(|e| Failure::usage(format!("{}: {e}", folder.display())))?;
    }
    if !args.json {
        say(&format!("{}, {}, {} workers", search.name(), search.policy(), args.workers))?;
        say(HEADER)?;
    }
    let mut rows = Vec::new();
    let mut totals = Totals::default();
    let stop = StopHandle::new();
    session::on_interrupt(&stop)?;
    let mut warning = cache::Warning::default();
    let local = LocalOptions { workers: args.workers.get(), registry: Arc::new(registry) };
    for item in items {
        let Some(row) = measure(args, &search, item, &local, &stop, &mut cache)? else { break };
        warning.take(cache.as_ref()).iter().for_each(|text| eprintln!("{text}"));
        if !args.json {
            say(&text(&row))?;
        }
        totals.add(&row);
        rows.push(row);
    }
    if args.json {
        let all = serde_json::json!({
            "search": search.name(), "policy": search.policy(), "workers": args.workers,
            "rows": rows, "totals": totals, "cache": cache::json(cache.as_ref()),
        });
        say(&all.to_string())?;
    } else {
        let Totals { positions, decided, contradicting, proved, jobs, aborted, seconds, .. } = totals;
        say(&format!(
            "{decided}/{positions} decided, {contradicting} against what is known, {proved} proofs checked; {jobs} jobs, \
             {aborted} aborted, {seconds:.1} s"
        ))?;
        if cache.is_some() {
            say(cache::text(cache.as_ref()).trim_end())?;
        }
    }
    if stop.is_stopped() {
        eprintln!("stopped: this is what was done until then");
        return Ok(ExitCode::from(130));
    }
    Ok(if totals.contradicting == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// `None` if it was stopped.
fn measure(
    args: &SolveBenchArgs,
    search: &SearchParameters,
    item: Item,
    local: &LocalOptions,
    stop: &StopHandle,
    cache: &mut Option<Cache>,
) -> Result<Option<Row>, Failure> {
    let moves = join_moves(item.course.game(), item.course.moves(), "-");
    let parameters = parameters(args, search, &moves);
    let start = Instant::now();
    let Some(client) = solve(args, &parameters, &item.id, local, stop, cache)? else { return Ok(None) };
    let seconds = microseconds(start.elapsed().as_secs_f64());
    let s = client.summary();
    let winner = s.bounds.exact().and_then(|o| o.winner());
    let proof = match (&args.proofs, winner) {
        (Some(folder), Some(_)) => {
            let file = folder.join(format!("{}.proof", item.id));
            Some(export::write(&file, &*client, &moves, args.workers, stop)?.nodes)
        }
        _ => None,
    };
    let name = |p| item.course.game().player_name(p).to_lowercase();
    let winner_name = winner.map(name);
    let known = item.claim.as_deref().and_then(claimed);
    Ok(Some(Row {
        contradicts: winner.is_some() && known.is_some() && winner != known,
        id: item.id,
        category: item.category,
        moves,
        decided: s.bounds.exact().is_some(),
        winner: winner_name,
        known: item.claim,
        best_move: s.line.first().cloned(),
        jobs: s.counts.done,
        cached: s.counts.cached,
        aborted: s.counts.aborted,
        failed: s.counts.failed,
        nodes: s.nodes,
        transpositions: s.transposed,
        seconds,
        engine_seconds: microseconds(s.engine_time.as_secs_f64()),
        proof_nodes: proof,
    }))
}

/// The client at the end of its run, recorded if that is wanted; `None` if it was stopped.
fn solve(
    args: &SolveBenchArgs,
    parameters: &Parameters,
    id: &str,
    local: &LocalOptions,
    stop: &StopHandle,
    cache: &mut Option<Cache>,
) -> Result<Option<Box<dyn AnyClient>>, Failure> {
    let client = parameters.client().map_err(Failure::usage)?;
    let address = match &args.runs {
        None => {
            let (finished, client) = finish(client, local, stop, cache)?;
            return Ok(finished.then_some(client));
        }
        Some(Address::File(folder)) => folder.join(format!("{id}.jl")).into(),
        Some(Address::Database(database)) => database.with_run(id),
    };
    let description = serde_json::to_string(parameters).map_err(Failure::run)?;
    let run = RunStore::create(&address, &description).map_err(Failure::store)?;
    let (finished, journalled) = finish(Journalled::new(client, run), local, stop, cache)?;
    let (client, mut run) = journalled.into_parts();
    let times = Times { run: run.seconds(), client: None };
    let report = report::json(&*client, parameters, times, Some(&address)).to_string();
    run.set_status(report::status(&*client), &format!("{:016x}", client.digest()), &report)
        .map_err(Failure::run)?;
    Ok(finished.then_some(client))
}

/// Runs to the end, or until it is stopped.
fn finish<S: Stepped + Driven>(
    run: S,
    options: &LocalOptions,
    stop: &StopHandle,
    cache: &mut Option<Cache>,
) -> Result<(bool, S), Failure> {
    let mut cached = Cached::new(run, cache.take());
    let ended = if cached.is_over() {
        Ended::Finished
    } else {
        local::run(&mut cached, options, stop, &mut |_, _| {}).map_err(Failure::run)?
    };
    let run;
    (run, *cache) = cached.into_parts();
    Ok((matches!(ended, Ended::Finished), run))
}

fn parameters(args: &SolveBenchArgs, search: &SearchParameters, moves: &str) -> Parameters {
    let info = game_info("connect6").expect("Connect6 is a game");
    let nodes = args.job_nodes.or(info.job_nodes.filter(|_| args.job_time.is_none()));
    let options = Options { limit: job_limit(args.limit), ..Options::default() };
    let mut parameters = Parameters {
        program_version: programs::built_in(PROGRAM).map(|b| b.version.into()),
        program_options: info.words.iter().copied().map(String::from).collect(),
        effort: Effort { nodes, time: args.job_time },
        options,
        workers: args.workers.get(),
        ..Parameters::new(info.name, PROGRAM, moves, search.clone())
    };
    args.tuning.apply(&mut parameters);
    parameters.set_drafts(args.tuning.drafts.are_wanted(parameters.workers));
    parameters
}

/// Who is said to win: the first word.
fn claimed(claim: &str) -> Option<Player> {
    match claim.split_whitespace().next()?.to_lowercase().as_str() {
        "black" => Some(Player::First),
        "white" => Some(Player::Second),
        _ => None,
    }
}

const HEADER: &str =
    "id            result     known          jobs  aborted  nodes  transp.   seconds    engine  proof nodes";

fn text(row: &Row) -> String {
    let result = row.winner.as_deref().unwrap_or(if row.decided { "draw" } else { "undecided" });
    let mark = if row.contradicts { "!" } else { " " };
    let proof = row.proof_nodes.map_or("-".into(), |n| n.to_string());
    format!(
        "{:12}  {result:9}{mark} {:13}  {:>4}  {:>7}  {:>5}  {:>7}  {:>8.2}  {:>8.2}  {proof:>11}",
        row.id,
        row.known.as_deref().unwrap_or("-"),
        row.jobs,
        row.aborted,
        row.nodes,
        row.transpositions,
        row.seconds,
        row.engine_seconds,
    )
}
