//! What one job costs on top of its program: client, broker, slot, program and back, through the local driver.
//!
//! The programs do nothing, so that the time per job is the framework's overhead (and the system's, for pipes, thread
//! switches and, one-shot, process creation). `bare` is the system's part: the same programs asked by a plain blocking
//! loop. With two workers the time is per job too: two are in flight.

use criterion::{Criterion, criterion_group, criterion_main};
use jl_jobs::local::{Ended, LocalOptions, StopHandle, run};
use jl_jobs::registry::{ProgramSpec, Registry};
use jl_messages::{Input, JobClient, JobId, Notice, Request, Submit};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Submits `wanted` jobs of one program, one for each offer. The first ones start the warm programs and don't count.
struct Repeat {
    program: &'static str,
    warm_up: u64,
    wanted: u64,
    submitted: u64,
    done: u64,
    began: Instant,
}

impl JobClient for Repeat {
    fn start(&mut self) -> Vec<Request> {
        vec![Request::Hello { priority: 0, programs: vec![self.program.into()] }]
    }

    fn handle(&mut self, notice: Notice) -> Vec<Request> {
        match notice {
            Notice::WorkerAvailable if self.submitted == self.warm_up + self.wanted => vec![Request::Decline],
            Notice::WorkerAvailable => {
                self.submitted += 1;
                vec![Request::Submit(Submit {
                    job: JobId(self.submitted),
                    program: self.program.into(),
                    input: Input { words: vec!["go".into()], stdin: Vec::new() },
                    priority: 0,
                    cores: 1,
                    time_limit: None,
                    abortable: true,
                    reassign: 0,
                })]
            }
            Notice::Done { .. } => {
                self.done += 1;
                if self.done == self.warm_up {
                    self.began = Instant::now();
                }
                Vec::new()
            }
            Notice::Failed { failure, .. } => panic!("{failure}"),
            _ => Vec::new(),
        }
    }

    fn is_finished(&self) -> bool {
        self.done == self.warm_up + self.wanted
    }
}

fn time(registry: &Arc<Registry>, program: &'static str, workers: usize, jobs: u64) -> Duration {
    let mut client =
        Repeat { program, warm_up: 20, wanted: jobs, submitted: 0, done: 0, began: Instant::now() };
    let options = LocalOptions { workers, registry: Arc::clone(registry) };
    let ended = run(&mut client, &options, &StopHandle::new(), &mut |_, _| {}).expect("the driver runs");
    assert_eq!(ended, Ended::Finished);
    client.began.elapsed()
}

fn bare_warm(script: &str, jobs: u64) -> Duration {
    let mut child = Command::new("sh")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("sh runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    let mut ask = || {
        stdin.write_all(b"go\n").expect("it reads");
        line.clear();
        stdout.read_line(&mut line).expect("it answers");
    };
    ask();
    let began = Instant::now();
    (0..jobs).for_each(|_| ask());
    let took = began.elapsed();
    drop(stdin);
    child.wait().expect("it ends with its input");
    took
}

fn dispatch(criterion: &mut Criterion) {
    let mut registry = Registry::new();
    let echo = "while read -r line; do echo end; done";
    registry.insert(ProgramSpec::lines("warm", ["sh", "-c", echo], "end"));
    registry.insert(ProgramSpec::oneshot("fresh", ["true"]));
    let registry = Arc::new(registry);
    let mut group = criterion.benchmark_group("dispatch");
    group.sample_size(20).measurement_time(Duration::from_secs(4));
    group.bench_function("warm/bare", |b| b.iter_custom(|jobs| bare_warm(echo, jobs)));
    group.bench_function("fresh/bare", |b| {
        b.iter(|| Command::new("true").arg("go").output().expect("`true` runs"));
    });
    for program in ["warm", "fresh"] {
        for workers in [1, 2] {
            group.bench_function(format!("{program}/workers={workers}"), |b| {
                b.iter_custom(|jobs| time(&registry, program, workers, jobs));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, dispatch);
criterion_main!(benches);
