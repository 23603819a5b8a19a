//! `jl solve`.

use crate::cli::SolveArgs;
use crate::failure::Failure;
use crate::session::Outputs;
use crate::{export, picture, programs, session};
use jl_apps::Parameters;
use jl_game::Effort;
use jl_store::{Journalled, RunStore, StoreError};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

pub fn run(args: &SolveArgs) -> Result<ExitCode, Failure> {
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let workers = args.workers.map_or_else(cores, NonZeroUsize::get);
    let search = args.common.tuning.search(&args.search, args.policy.as_deref(), workers)?;
    let mut parameters =
        args.common.parameters(&args.game, search, args.engine.as_deref(), args.common.seed)?;
    parameters.workers = workers;
    parameters.set_drafts(args.common.tuning.drafts.are_wanted(parameters.workers));
    limit_time(&mut parameters, args);
    if let Some(file) = &args.svg {
        picture::require(file, &args.game)?;
    }
    if let Some(file) = &args.proof {
        export::require(file, &args.game)?;
    }
    let registry = programs::registry(args.programs.as_deref())?;
    parameters.program_version = programs::require(&registry, &parameters.program)?.version.clone();
    let client = parameters.client().map_err(Failure::usage)?;
    let cache = args.cache.open(&registry, &parameters.program)?;

    let description = serde_json::to_string(&parameters).map_err(Failure::run)?;
    let run = match &args.run {
        Some(address) => RunStore::create(address, &description),
        None => create_named(&parameters, &description),
    };
    let run = run.map_err(Failure::store)?;
    eprintln!("recording the run in {}", run.address());
    let outputs = Outputs { json: args.common.json, svg: args.svg.as_deref(), proof: args.proof.as_deref() };
    let run = Journalled::new(client, run);
    let keeping = args.keep.keeping();
    session::drive(run, keeping, cache, &parameters, args.programs.as_deref(), registry, outputs)
}

/// An engine that limits itself is told the time, and has no other limit then; any other is stopped after it.
fn limit_time(parameters: &mut Parameters, args: &SolveArgs) {
    let Some(time) = args.job_time else { return };
    if parameters.effort == Effort::default() {
        parameters.options.job_time = Some(time);
    } else {
        parameters.effort = Effort { nodes: args.common.job_nodes, time: Some(time) };
    }
}

/// A file named after the run that does not exist yet, in the current folder.
fn create_named(parameters: &Parameters, description: &str) -> Result<RunStore, StoreError> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let stamp: String = humantime::format_rfc3339_seconds(UNIX_EPOCH + now).to_string();
    let stamp: String = stamp.chars().filter(char::is_ascii_digit).collect();
    let name = format!("{}-{}-{stamp}", parameters.game, parameters.search.name());
    let mut number = 1;
    loop {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        match RunStore::create(&PathBuf::from(format!("{name}{suffix}.jl")).into(), description) {
            Err(StoreError::Exists { .. }) => number += 1,
            other => return other,
        }
    }
}
