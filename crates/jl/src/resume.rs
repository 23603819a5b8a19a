//! `jl resume` and `jl replay`.

use crate::cli::{ReplayArgs, ResumeArgs, job_limit};
use crate::failure::Failure;
use crate::report::Times;
use crate::session::Outputs;
use crate::{export, picture, programs, report, session};
use jl_apps::{AnyClient, Parameters};
use jl_messages::{Driven, DropReason, Notice};
use jl_store::{Amendment, Entry, Journalled, RunStore};
use std::num::NonZeroUsize;
use std::process::ExitCode;

pub fn resume(args: &ResumeArgs) -> Result<ExitCode, Failure> {
    let mut run = RunStore::open(&args.run).map_err(Failure::store)?;
    let keeping = args.keep.keeping();
    let (mut parameters, client) = restore(&run, keeping.memory)?;
    if let Some(workers) = args.workers {
        parameters.workers = NonZeroUsize::get(workers);
    }
    let registry = programs::registry(args.programs.as_deref())?;
    let version = programs::require(&registry, &parameters.program)?.version.as_deref();
    let cache = args.cache.open(&registry, &parameters.program)?;
    if let Some(file) = &args.svg {
        picture::require(file, &parameters.game)?;
    }
    if let Some(file) = &args.proof {
        export::require(file, &parameters.game)?;
    }
    run.set_running().map_err(Failure::run)?;
    let mut run = Journalled::new(client, run);
    // What follows from an amendment reaches nobody: no broker knows this client yet.
    let first_job = run.client().unused_job();
    let session = Entry::Session { first_job, note: None };
    run.amend(&session, |c| c.begin_session(first_job)).map_err(Failure::run)?;
    if let Some(limit) = args.limit {
        let limit = job_limit(limit);
        run.amend(&Entry::Limit(limit), |c| c.set_limit(limit)).map_err(Failure::run)?;
    }
    if report::status(&**run.client()) == "given-up" {
        run.amend(&Entry::Retry, |c| c.retry()).map_err(Failure::run)?;
    }
    // The jobs that ran when the run was stopped or killed are gone with it. Latest first, as if they had never been.
    let orphans = run.client().jobs_in_flight();
    let drop = |job| Notice::Dropped { job, reason: DropReason::ClientRestarted };
    run.receive(orphans.into_iter().rev().map(drop).collect()).map_err(Failure::run)?;
    let s = run.client().summary();
    eprintln!("resuming {}: {} jobs done, {} nodes", args.run, s.counts.done, s.nodes);
    if let Some(before) = parameters.program_version.as_deref()
        && version != Some(before)
    {
        let (program, now) = (&parameters.program, version.unwrap_or("none"));
        eprintln!("the run was begun with {program} of version {before}; the version is now {now}");
    }
    let outputs = Outputs { json: args.json, svg: args.svg.as_deref(), proof: args.proof.as_deref() };
    session::drive(run, keeping, cache, &parameters, args.programs.as_deref(), registry, outputs)
}

pub fn replay(args: &ReplayArgs) -> Result<ExitCode, Failure> {
    let run = RunStore::open_to_read(&args.run).map_err(Failure::store)?;
    let info = run.info().map_err(Failure::store)?;
    let (parameters, client, stored) = rebuild_and_compare(&run)?;
    if let Some(file) = &args.svg {
        picture::require(file, &parameters.game)?;
        picture::draw(file, &parameters.moves, &client.summary().line)?;
    }
    let times = Times { run: info.seconds, client: None };
    let digest = format!("{:016x}", client.digest());
    let same = info.digest.as_ref().map(|recorded| *recorded == digest);
    if args.json {
        let mut value = report::json(&*client, &parameters, times, Some(run.address()));
        value["digest"] = digest.clone().into();
        value["matches"] = same.into();
        value["saved_graph_matches"] = (stored == Stored::Same).then_some(true).into();
        println!("{value}");
    } else {
        println!("{}", report::text(&*client, &parameters, times).trim_end());
        println!("  {:<10} {} entries, created {}, {}", "journal", info.entries, info.created, info.status);
        let verdict = match same {
            Some(true) => "the same as when the run stopped",
            Some(false) => "NOT the one the run stopped with",
            None => "nothing to compare with: the run is going on or was killed",
        };
        println!("  {:<10} {digest}, {verdict}", "graph");
        let verdict = match stored {
            Stored::Same => "the same, node by node",
            Stored::Moving => "not compared: it was saved anew meanwhile",
            Stored::Nothing => "none",
        };
        println!("  {:<10} {verdict}", "saved");
    }
    if same == Some(false) {
        let recorded = info.digest.unwrap_or_default();
        return Err(Failure::run(format!("the rebuilt graph {digest} is not the recorded one {recorded}")));
    }
    Ok(ExitCode::SUCCESS)
}

/// The client as it was after the last entry of the journal, from all entries.
pub fn rebuild(run: &RunStore) -> Result<(Parameters, Box<dyn AnyClient>), Failure> {
    let (parameters, mut client) = described(run)?;
    jl_store::replay(run, &mut client, amend).map_err(Failure::store)?;
    Ok((parameters, client))
}

/// The same, by way of the saved graph if there is one.
fn restore(run: &RunStore, memory: usize) -> Result<(Parameters, Box<dyn AnyClient>), Failure> {
    let (parameters, mut client) = described(run)?;
    let trouble = jl_store::restore(run, &mut client, memory, amend).map_err(Failure::store)?;
    if let Some(why) = trouble {
        eprintln!("the saved graph is of no use ({why}); it was rebuilt from the journal");
    }
    Ok((parameters, client))
}

/// A client of the run before its first entry.
fn described(run: &RunStore) -> Result<(Parameters, Box<dyn AnyClient>), Failure> {
    let info = run.info().map_err(Failure::store)?;
    let path = run.address();
    if crate::sudoku::is_project(&info.parameters) {
        return Err(Failure::usage(format!(
            "{path} is a Sudoku project: 'jl sudoku project run {0}' goes on with it, 'jl sudoku project report {0}' says what it found",
            path.quoted()
        )));
    }
    let parameters: Parameters = serde_json::from_str(&info.parameters)
        .map_err(|e| Failure::usage(format!("{path} describes a run that this program can't build: {e}")))?;
    let client = parameters.client().map_err(|e| Failure::usage(format!("{path}: {e}")))?;
    Ok((parameters, client))
}

fn amend(client: &mut Box<dyn AnyClient>, amendment: Amendment) {
    match amendment {
        Amendment::Limit(limit) => drop(client.set_limit(limit)),
        Amendment::Retry => drop(client.retry()),
        Amendment::Session { first_job, .. } => client.begin_session(first_job),
    }
}

/// What the rebuilt graph is held against.
#[derive(Clone, Copy, PartialEq)]
enum Stored {
    /// Nothing was saved.
    Nothing,
    /// It was saved anew meanwhile.
    Moving,
    Same,
}

/// Gives a client all entries, and holds the saved graph against it where it stands for the same ones.
fn rebuild_and_compare(run: &RunStore) -> Result<(Parameters, Box<dyn AnyClient>, Stored), Failure> {
    let (parameters, mut client) = described(run)?;
    let saved = run.saved().map_err(Failure::store)?.map(|(seq, _)| seq);
    let Some(seq) = saved else {
        jl_store::replay(run, &mut client, amend).map_err(Failure::store)?;
        return Ok((parameters, client, Stored::Nothing));
    };
    jl_store::replay_to(run, seq, &mut client, amend).map_err(Failure::store)?;
    let differs = jl_store::compare(run, &client).map_err(Failure::store)?;
    let moved = run.saved().map_err(Failure::store)?.map(|(seq, _)| seq) != saved;
    let stored = match differs {
        _ if moved => Stored::Moving,
        None => Stored::Same,
        Some(what) => {
            let address = run.address();
            return Err(Failure::run(format!(
                "{address}: the saved graph is not what the journal gives, at {what}"
            )));
        }
    };
    jl_store::replay_after(run, seq, &mut client, amend).map_err(Failure::store)?;
    Ok((parameters, client, stored))
}
