//! A run on local workers, from wherever it stands to its end or to Ctrl-C.

use crate::failure::Failure;
use crate::progress::Progress;
use crate::report;
use jl_apps::{AnyClient, Parameters};
use jl_jobs::local::{self, Ended, LocalOptions, StopHandle};
use jl_jobs::registry::Registry;
use jl_store::Journalled;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

pub type Run = Journalled<Box<dyn AnyClient>>;

/// Drives the run, records how it stands, and prints the report.
pub fn drive(
    mut run: Run,
    parameters: &Parameters,
    programs: Option<&Path>,
    registry: Registry,
    json: bool,
) -> Result<ExitCode, Failure> {
    let stop = StopHandle::new();
    on_interrupt(&stop)?;
    let options = LocalOptions { workers: parameters.workers, registry: Arc::new(registry) };
    let mut progress = Progress::new(&**run.client());
    let ended = if run.client().is_finished() {
        Ok(Ended::Finished)
    } else {
        local::run(&mut run, &options, &stop, &mut |run, stats| progress.tick(&**run.client(), stats))
    };
    progress.clear();
    let path = run.run().path().to_path_buf();
    let programs = programs.map_or(String::new(), |file| format!(" --programs {}", file.display()));
    let resume = format!("jl resume {}{programs}", path.display());
    let ended = ended
        .map_err(|e| Failure::run(format!("{e}; nothing that was recorded is lost: '{resume}' goes on")))?;

    let seconds = run.run().seconds();
    let client = &**run.client();
    let json_report = report::json(client, parameters, seconds, Some(&path));
    let (status, digest) = (report::status(client), format!("{:016x}", client.digest()));
    let text = if json { json_report.to_string() } else { report::text(client, parameters, seconds) };
    println!("{}", text.trim_end());
    let decided = client.summary().bounds.exact().is_some();
    run.run_mut().set_status(status, &digest, &json_report.to_string()).map_err(Failure::run)?;
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

/// The first Ctrl-C stops cleanly, the second at once.
fn on_interrupt(stop: &StopHandle) -> Result<(), Failure> {
    let stop = stop.clone();
    let handler = move || {
        if stop.is_stopped() {
            std::process::exit(130);
        }
        stop.stop();
    };
    ctrlc::set_handler(handler).map_err(|e| Failure::run(format!("cannot listen for Ctrl-C: {e}")))
}
