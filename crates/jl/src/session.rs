//! A run on local workers, from wherever it stands to its end or to Ctrl-C.

use crate::cli::KeepArgs;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::report::{self, Times};
use crate::{cache, export, picture};
use jl_apps::{AnyClient, Parameters};
use jl_jobs::local::{self, Ended, LocalOptions, LocalStats, StopHandle};
use jl_jobs::registry::Registry;
use jl_messages::{Driven, Notice, Request, RowsLost};
use jl_store::{Cache, Cached, Journalled, Keeping, Kept};
use std::error::Error;
use std::num::NonZeroUsize;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

type DriveError = Box<dyn Error + Send + Sync>;

pub type Run = Journalled<Box<dyn AnyClient>>;

impl KeepArgs {
    #[must_use]
    pub fn keeping(&self) -> Keeping {
        Keeping { pause: self.save, memory: self.memory.unwrap_or_else(half_of_memory) }
    }
}

/// Half of what the machine has, if it says.
fn half_of_memory() -> usize {
    const OTHERWISE: usize = 4 << 30;
    let kilobytes = || {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
        line.split_whitespace().next()?.parse::<usize>().ok()
    };
    kilobytes().map_or(OTHERWISE, |k| k * 512)
}

/// What is wanted at the end.
#[derive(Clone, Copy)]
pub struct Outputs<'a> {
    pub json: bool,
    pub svg: Option<&'a Path>,
    pub proof: Option<&'a Path>,
}

/// A run, and how long its client has worked: choosing, updating and writing the journal.
struct Timed {
    run: Cached<Kept<Box<dyn AnyClient>>>,
    spent: Duration,
}

impl Driven for Timed {
    fn begin(&mut self) -> Vec<Request> {
        self.run.begin()
    }

    fn receive(&mut self, notices: Vec<Notice>) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>> {
        let start = Instant::now();
        let requests = self.run.receive(notices);
        self.spent += start.elapsed();
        requests
    }

    fn is_over(&self) -> bool {
        self.run.is_over()
    }
}

/// Drives the run, records how it stands, and prints the report.
pub fn drive(
    run: Run,
    keeping: Keeping,
    cache: Option<Cache>,
    parameters: &Parameters,
    programs: Option<&Path>,
    registry: Registry,
    outputs: Outputs<'_>,
) -> Result<ExitCode, Failure> {
    let stop = StopHandle::new();
    on_interrupt(&stop)?;
    let options = LocalOptions { workers: parameters.workers, registry: Arc::new(registry) };
    let mut progress = Progress::new(&**run.client());
    let mut warning = cache::Warning::default();
    let address = run.run().address().clone();
    let programs = programs.map_or(String::new(), |file| format!(" --programs {}", file.display()));
    let resume = format!("jl resume {}{programs}", address.quoted());
    let run = Kept::new(run, keeping).map_err(Failure::store)?;
    let mut timed = Timed { run: Cached::new(run, cache), spent: Duration::ZERO };
    let ended = if timed.is_over() {
        Ok(Ended::Finished)
    } else {
        let mut watch = |t: &Timed, stats: &LocalStats| {
            if let Some(text) = warning.take(t.run.cache()) {
                progress.clear();
                eprintln!("{text}");
            }
            progress.tick(&**t.run.run().client(), stats);
        };
        catching(|| Ok(local::run(&mut timed, &options, &stop, &mut watch)?))
    };
    let Timed { run, spent } = timed;
    let (mut kept, cache) = run.into_parts();
    let cache = cache.as_ref();
    progress.clear();
    warning.take(cache).iter().for_each(|text| eprintln!("{text}"));
    let ended = ended.and_then(|ended| {
        kept.save()?;
        Ok(ended)
    });
    let ended = ended
        .map_err(|e| Failure::run(format!("{e}; nothing that was recorded is lost: '{resume}' goes on")))?;
    let mut run = kept.into_run();

    let times = Times { run: run.run().seconds(), client: Some(spent.as_secs_f64()) };
    let client = &**run.client();
    let mut json_report = report::json(client, parameters, times, Some(&address));
    json_report["cache"] = cache::json(cache);
    let (status, digest) = (report::status(client), format!("{:016x}", client.digest()));
    let mut text = report::text(client, parameters, times) + &cache::text(cache);
    let decided = client.summary().bounds.exact().is_some();
    run.run_mut().set_status(status, &digest, &json_report.to_string()).map_err(Failure::run)?;
    let client = &**run.client();
    let workers = NonZeroUsize::new(parameters.workers).unwrap_or(NonZeroUsize::MIN);
    let proof = outputs.proof.filter(|_| decided).map(|file| {
        let start = Instant::now();
        let checked = export::write(file, client, &parameters.moves, workers, &stop);
        checked.map(|checked| (file, checked, start.elapsed()))
    });
    if let Some(Ok((file, checked, took))) = &proof {
        json_report["proof"] = report::proof_json(file, checked, *took);
        text.push_str(&report::proof_text(file, checked, *took));
    }
    println!("{}", if outputs.json { json_report.to_string() } else { text.trim_end().to_owned() });
    if let Some(file) = outputs.svg {
        picture::draw(file, &parameters.moves, &client.summary().line)?;
    }
    if let (Some(Err(failure)), Some(file)) = (proof, outputs.proof) {
        if stop.is_stopped() {
            eprintln!("the run itself is complete; prove it with: {resume} --proof {}", file.display());
        }
        return Err(failure);
    }
    match ended {
        Ended::Stopped => {
            eprintln!("stopped; go on with: {resume}");
            Ok(ExitCode::from(130))
        }
        Ended::Finished if status == "given-up" => {
            eprintln!("gave up; once the engine is mended, try again with: {resume}");
            Ok(ExitCode::FAILURE)
        }
        Ended::Finished => {
            if !decided {
                eprintln!("go on with: {resume} --limit N");
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// A part of the graph that can't be read again is an error like any other.
fn catching<T>(work: impl FnOnce() -> Result<T, DriveError>) -> Result<T, DriveError> {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !info.payload().is::<RowsLost>() {
            usual(info);
        }
    }));
    let caught = std::panic::catch_unwind(AssertUnwindSafe(work));
    drop(std::panic::take_hook());
    caught.unwrap_or_else(|panic| match panic.downcast::<RowsLost>() {
        Ok(lost) => Err(format!("a part of the graph can't be read: {}", lost.0).into()),
        Err(other) => std::panic::resume_unwind(other),
    })
}

/// The first Ctrl-C stops cleanly, the second at once.
pub fn on_interrupt(stop: &StopHandle) -> Result<(), Failure> {
    let stop = stop.clone();
    on_ctrl_c(move || stop.stop())
}

/// The first Ctrl-C calls this, the second ends the program at once.
pub fn on_ctrl_c(stop: impl Fn() + Send + 'static) -> Result<(), Failure> {
    let mut called = false;
    let handler = move || {
        if std::mem::replace(&mut called, true) {
            std::process::exit(130);
        }
        stop();
    };
    ctrlc::set_handler(handler).map_err(|e| Failure::run(format!("cannot listen for Ctrl-C: {e}")))
}
