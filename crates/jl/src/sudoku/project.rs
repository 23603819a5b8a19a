//! `jl sudoku project`: a part of the catalogue, checked in units on workers.

mod compare;
mod report;

use crate::crew::Progress;
use crate::failure::Failure;
use crate::output::{self, say};
use crate::plot;
use crate::programs;
use crate::session::on_interrupt as on_stop;
use crate::sudoku::args::{
    CreateArgs, ProjectArgs, ProjectReportArgs, ProjectTask, RunProjectArgs, StatusArgs,
};
use crate::sudoku::{cores, on_interrupt, some};
use jl_apps::units::{self, Area, Parameters, Plan, Project};
use jl_engine_sudoku::{catalogue, sample};
use jl_jobs::local::{self, Ended, LocalOptions, LocalStats, StopHandle};
use jl_jobs::registry::ProgramSpec;
use jl_messages::{Driven, DropReason, JobClient, Notice};
use jl_store::{Address, Amendment, Entry, Journalled, RunStore, StoreError};
use serde_json::Value;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub fn run(args: &ProjectArgs) -> Result<ExitCode, Failure> {
    match &args.task {
        ProjectTask::Create(args) => create(args),
        ProjectTask::Run(args) => go_on(args),
        ProjectTask::Status(args) => status(args),
        ProjectTask::Report(args) => report(args),
        ProjectTask::Compare(args) => compare::run(args),
    }
}

fn create(args: &CreateArgs) -> Result<ExitCode, Failure> {
    if let Address::File(path) = &args.project
        && path.exists()
    {
        // Counting may take long, and would be for nothing.
        return Err(exists(&path.display().to_string()));
    }
    let CreateArgs { clues, unit, twice, retries, .. } = *args;
    let parameters = Parameters::new(Plan { clues, unit, twice, retries }, area(args, on_interrupt()?)?);
    let description = serde_json::to_string(&parameters).map_err(Failure::run)?;
    let mut run = RunStore::create(&args.project, &description).map_err(|e| match e {
        StoreError::Exists { path } => exists(&path),
        e => Failure::store(e),
    })?;
    run.set_status("new", "", "{}").map_err(Failure::run)?;
    say(&format!(
        "{}: {}, {}; work on it with: jl sudoku project run {}",
        args.project,
        parameters.moves,
        some(parameters.units(), "unit"),
        args.project.quoted()
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn exists(path: &str) -> Failure {
    Failure::usage(format!(
        "{path} exists already; if it is a project, 'jl sudoku project run {path}' goes on with it, else choose another name"
    ))
}

/// The grids that are asked for.
fn area(args: &CreateArgs, stop: &AtomicBool) -> Result<Area, Failure> {
    if let Some(count) = args.sample {
        let parts = args.parts;
        if count < parts {
            return Err(Failure::usage(format!(
                "--sample {count}: there must be a grid of each of the {parts} parts; choose more grids or fewer --parts"
            )));
        }
        let progress = Progress::new();
        let draws = sample(count, parts, args.seed, |drawn| {
            progress.show(&format!("{drawn} of {count} grids drawn"));
            !stop.load(Ordering::Relaxed)
        });
        drop(progress);
        let draws = draws.ok_or_else(|| Failure::stopped("stopped; there is no project yet"))?;
        return Ok(Area::sample(parts, args.seed, &draws));
    }
    let (Some(start), Some(count)) = (args.start, args.count) else {
        return Err(Failure::usage("which grids? --start S --count N, or --sample N"));
    };
    let place = args.place as u64;
    let starts = count_starts(start, place, count, stop)?;
    Ok(Area::Slice { start, place, count, starts })
}

/// How many grids each start has, from this one on, until there are so many after the place in the first.
fn count_starts(first: usize, place: u64, count: u64, stop: &AtomicBool) -> Result<Vec<u64>, Failure> {
    let progress = Progress::new();
    let (mut starts, mut left) = (Vec::new(), place + count);
    for number in first.. {
        let Some(start) = catalogue::start(number) else {
            let there = count - left;
            return Err(Failure::usage(format!(
                "--count {count}: the catalogue has only {there} grids from start {first}, place {place} on"
            )));
        };
        let mut here = 0;
        start.for_each(|_| {
            here += 1;
            here < left && !stop.load(Ordering::Relaxed)
        });
        if stop.load(Ordering::Relaxed) {
            return Err(Failure::stopped("stopped; there is no project yet"));
        }
        if starts.is_empty() && here <= place {
            return Err(Failure::usage(format!(
                "--place {place}: start {first} has only the places 0 to {}",
                here - 1
            )));
        }
        starts.push(here);
        left -= here;
        if left == 0 {
            break;
        }
        progress.show(&format!("{} of {count} grids counted", count.saturating_sub(left)));
    }
    Ok(starts)
}

/// Whether this describes a project, and no search.
pub fn is_project(parameters: &str) -> bool {
    serde_json::from_str::<Value>(parameters).is_ok_and(|value| value["game"] == units::PROGRAM)
}

/// A project as its journal has it.
fn rebuild(run: &RunStore) -> Result<Project, Failure> {
    let info = run.info().map_err(Failure::store)?;
    let address = run.address();
    if !is_project(&info.parameters) {
        return Err(Failure::usage(format!("{address} is not a Sudoku project; 'jl runs' says what it is")));
    }
    let bad = |why: &str| {
        Failure::usage(format!(
            "the parameters of {address} are spoiled, or of another version of this program: {why}"
        ))
    };
    let mut project = Project::new(&info.parameters).map_err(|why| bad(&why))?;
    jl_store::replay(run, &mut project, amend).map_err(|e| match e {
        // Jobs that other parameters would have made.
        StoreError::Diverged { .. } if project.is_spoiled() => bad("they were changed since it was run"),
        e => Failure::store(e),
    })?;
    if project.is_spoiled() {
        return Err(bad("they were changed since it was run"));
    }
    Ok(project)
}

fn amend(project: &mut Project, amendment: Amendment) {
    match amendment {
        Amendment::Limit(_) => {}
        Amendment::Retry => project.retry(),
        Amendment::Session { first_job, note } => project.begin_session(first_job, note.as_deref()),
    }
}

fn go_on(args: &RunProjectArgs) -> Result<ExitCode, Failure> {
    let mut run = RunStore::open(&args.project).map_err(Failure::store)?;
    let project = rebuild(&run)?;
    let registry = programs::registry(args.programs.as_deref())?;
    let engine = engine_name(programs::require(&registry, units::PROGRAM)?);
    if let Some(before) = project.last_engine()
        && before != engine
        && !args.any_version
    {
        return Err(Failure::usage(format!(
            "the last answers in {} are of the engine {before}, this one is {engine}; --any-version goes on with it",
            args.project
        )));
    }
    run.set_running().map_err(Failure::run)?;
    let mut run = Journalled::new(project, run);
    let (first_job, note) = (run.client().unused_job(), run.client().note(&engine));
    let session = Entry::Session { first_job, note: Some(note.clone()) };
    run.amend(&session, |p| p.begin_session(first_job, Some(&note))).map_err(Failure::run)?;
    if run.client().given_up().next().is_some() {
        run.amend(&Entry::Retry, Project::retry).map_err(Failure::run)?;
    }
    // The jobs that ran when the project was stopped or killed are gone with it.
    let orphans = run.client().jobs_in_flight();
    let drop = |job| Notice::Dropped { job, reason: DropReason::ClientRestarted };
    run.receive(orphans.into_iter().rev().map(drop).collect()).map_err(Failure::run)?;

    let workers = args.workers.unwrap_or_else(cores);
    let options = LocalOptions { workers: workers.get(), registry: Arc::new(registry) };
    let programs = args.programs.as_ref().map_or(String::new(), |f| format!(" --programs {}", f.display()));
    let any = if args.any_version { " --any-version" } else { "" };
    let again = format!("jl sudoku project run {} --workers {workers}{programs}{any}", args.project.quoted());
    let stop = StopHandle::new();
    on_stop(&stop)?;
    let ended = if run.client().is_finished() {
        Ok(Ended::Finished)
    } else {
        let mut watcher = Watcher::new(run.client());
        let mut watch = |run: &Journalled<Project>, stats: &LocalStats| watcher.look(run.client(), stats);
        local::run(&mut run, &options, &stop, &mut watch)
    };
    let ended = ended
        .map_err(|e| Failure::run(format!("{e}; nothing that was recorded is lost: '{again}' goes on")))?;
    let seconds = run.run().seconds();
    let project = run.client();
    let given_up = project.given_up().count();
    let status = match ended {
        Ended::Stopped => "stopped",
        Ended::Finished if given_up > 0 => "given-up",
        Ended::Finished => "done",
    };
    let (value, text) = (report::status_json(project, seconds), report::status_text(project, seconds));
    let checksum = project.totals().checksum;
    run.run_mut().set_status(status, &checksum, &value.to_string()).map_err(Failure::run)?;
    say(&if args.json { value.to_string() } else { text })?;
    Ok(match ended {
        Ended::Stopped => {
            eprintln!("stopped; go on with: {again}");
            ExitCode::from(130)
        }
        Ended::Finished if given_up > 0 => {
            eprintln!("gave up {given_up} of the units; once the engine is mended, try again with: {again}");
            ExitCode::FAILURE
        }
        Ended::Finished => ExitCode::SUCCESS,
    })
}

/// Name and version of the engine, as registered.
fn engine_name(spec: &ProgramSpec) -> String {
    match &spec.version {
        Some(version) => format!("{} {version}", spec.name),
        None => format!("{} without a version", spec.name),
    }
}

/// Says what happens while it goes on.
struct Watcher {
    progress: Progress,
    told: usize,
    shown: Instant,
    start: Instant,
    before: u64,
}

impl Watcher {
    fn new(project: &Project) -> Watcher {
        let now = Instant::now();
        Watcher {
            progress: Progress::new(),
            told: project.troubles().len(),
            shown: now,
            start: now,
            before: project.grids_done(),
        }
    }

    fn look(&mut self, project: &Project, stats: &LocalStats) {
        for trouble in &project.troubles()[self.told..] {
            self.progress.show("");
            eprintln!("{trouble}");
        }
        self.told = project.troubles().len();
        if self.shown.elapsed() >= Duration::from_millis(100) {
            self.shown = Instant::now();
            let rate = (project.grids_done() - self.before) as f64 / self.start.elapsed().as_secs_f64();
            self.progress.show(&report::progress(project, stats, rate));
        }
    }
}

fn status(args: &StatusArgs) -> Result<ExitCode, Failure> {
    let run = RunStore::open_to_read(&args.project).map_err(Failure::store)?;
    let project = rebuild(&run)?;
    let seconds = run.info().map_err(Failure::store)?.seconds;
    say(&if args.json {
        report::status_json(&project, seconds).to_string()
    } else {
        report::status_text(&project, seconds)
    })?;
    Ok(ExitCode::SUCCESS)
}

fn report(args: &ProjectReportArgs) -> Result<ExitCode, Failure> {
    if let Some(file) = &args.plot {
        plot::Format::of(file)?;
        output::require("--plot", file)?;
    }
    let run = RunStore::open_to_read(&args.project).map_err(Failure::store)?;
    let project = rebuild(&run)?;
    say(&if args.json {
        report::json(&project, args.units).to_string()
    } else {
        report::text(&project, args.units)
    })?;
    if let Some(file) = &args.plot {
        report::draw(file, &project)?;
    }
    Ok(ExitCode::SUCCESS)
}
