//! The virtual-time driver: a client and the broker against many one-core workers that exist only as events.
//!
//! The client and the broker are the real ones. A job takes no real time: its answer and its duration come from
//! [`Answers`] (a cache of recorded jobs, or an engine asked once), and the clock jumps from event to event. So the
//! speed-up with a thousand workers is measured on one core, and every policy is compared on equal terms. It also is
//! a bad network on demand: workers vanish, jobs crash, notices come late, twice or in another order.
//!
//! A run is a pure function of the client, the answers and the [`SimOptions`]: all randomness comes from
//! `options.seed`, and events at the same instant keep the order in which they were caused.
//!
//! *The network.* Each message takes a random time, exponential around `latency`. Connections keep their order:
//! client to broker, and broker to and from each worker; messages of different workers overtake each other. Notices to
//! the client keep their order too, unless `reorder` is set: then only those of one job do. Duplicates are put in
//! behind the broker, to test what the client does with them.
//!
//! Lines that stream while a job runs (`Notice::Message`) come where the answers say when. *Not simulated:* standard input and
//! resizing.
//!
//! ```
//! # use jl_jobs::sim::{SimAnswer, SimOptions, run};
//! # use jl_messages::*;
//! # use std::time::Duration;
//! struct One { done: bool }
//! impl JobClient for One {
//!     fn start(&mut self) -> Vec<Request> {
//!         vec![Request::Hello { priority: 0, programs: vec!["engine".into()] }]
//!     }
//!     fn handle(&mut self, notice: Notice) -> Vec<Request> {
//!         match notice {
//!             Notice::WorkerAvailable => vec![Request::Submit(Submit {
//!                 job: JobId(0), program: "engine".into(), input: Input::default(), priority: 0, cores: 1,
//!                 time_limit: None, abortable: true, reassign: 0,
//!             })],
//!             Notice::Done { .. } => { self.done = true; vec![Request::Leave] }
//!             _ => vec![],
//!         }
//!     }
//!     fn is_finished(&self) -> bool { self.done }
//! }
//! let second = Duration::from_secs(1);
//! let mut answers = |_: &str, _: &Input| SimAnswer::whole(vec!["a1".into()], second);
//! let result = run(&mut One { done: false }, &mut answers, &SimOptions::default(), &mut |_| ()).unwrap();
//! assert_eq!(result.virtual_time, second);
//! ```

mod duration;
mod network;
mod world;

pub use duration::seeded_duration;

use jl_messages::{Driven, Input, JobInfo};
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// How many workers, and how bad a network.
#[derive(Clone, PartialEq, Debug)]
pub struct SimOptions {
    /// One-core workers.
    pub workers: usize,
    /// The programs that they have. Empty: those that the client's `Hello` names.
    pub programs: Vec<String>,
    pub seed: u64,
    /// The probability that the worker of an assigned job vanishes part way.
    pub loss: f64,
    /// The probability that a job crashes at its end instead of answering.
    pub failure: f64,
    /// The probability that the notice of a job's end is delivered a second time, later.
    pub duplicate: f64,
    /// The mean time of a message on its way. Zero: none at all, and so no reordering.
    pub latency: Duration,
    /// Whether notices of different jobs may overtake each other on their way to the client.
    pub reorder: bool,
    /// A worker that vanished is back after this time, as a new one.
    pub rejoin: Duration,
    /// A run with more events than this is stuck.
    pub max_events: u64,
}

impl Default for SimOptions {
    fn default() -> SimOptions {
        SimOptions {
            workers: 1,
            programs: Vec::new(),
            seed: 0,
            loss: 0.0,
            failure: 0.0,
            duplicate: 0.0,
            latency: Duration::ZERO,
            reorder: false,
            rejoin: Duration::from_secs(1),
            max_events: 100_000_000,
        }
    }
}

/// What a job would have answered, and how long it would have taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimAnswer {
    pub output: Vec<String>,
    pub duration: Duration,
    /// Lines that are told while the job runs, and how long after its beginning.
    pub lines: Vec<(Duration, String)>,
}

impl SimAnswer {
    /// Nothing is told before the answer.
    #[must_use]
    pub fn whole(output: Vec<String>, duration: Duration) -> SimAnswer {
        SimAnswer { output, duration, lines: Vec::new() }
    }
}

/// Where the answers come from. Asked once for every assignment, in the order of virtual time.
pub trait Answers {
    fn answer(&mut self, program: &str, input: &Input) -> SimAnswer;
}

impl<F: FnMut(&str, &Input) -> SimAnswer> Answers for F {
    fn answer(&mut self, program: &str, input: &Input) -> SimAnswer {
        self(program, input)
    }
}

/// What happened until the client was finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SimResult {
    /// When the client was finished.
    pub virtual_time: Duration,
    /// `Done` notices that the client took, without the duplicates.
    pub done: u64,
    /// `AbortAck` notices that it took.
    pub aborted: u64,
    /// `Failed` notices that it took, without the duplicates.
    pub failed: u64,
    /// Jobs whose worker vanished under them.
    pub lost: u64,
    /// Ends of jobs that the client was told a second time.
    pub duplicates: u64,
    /// The time that the workers spent on jobs, summed; vain work included.
    pub busy: Duration,
    pub events: u64,
}

/// The client was never finished.
#[derive(Debug, thiserror::Error)]
pub enum SimError {
    #[error(
        "the simulation is stuck after {time:?} of virtual time: {cause}; jobs in flight: {}",
        in_flight(jobs)
    )]
    Stuck {
        cause: StuckCause,
        time: Duration,
        /// The jobs that the broker knew then.
        jobs: Vec<JobInfo>,
    },
    #[error("the client gave up after {time:?} of virtual time")]
    Client { time: Duration, source: Box<dyn Error + Send + Sync> },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StuckCause {
    /// Nothing is left that could happen: most often the client declined and never said `Ready`.
    NothingToHappen,
    TooManyEvents(u64),
}

impl fmt::Display for StuckCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StuckCause::NothingToHappen => {
                f.write_str("the client is not finished, and nothing more happens")
            }
            StuckCause::TooManyEvents(n) => write!(f, "the client is not finished after {n} events"),
        }
    }
}

fn in_flight(jobs: &[JobInfo]) -> String {
    const SHOWN: usize = 8;
    if jobs.is_empty() {
        return "none".to_owned();
    }
    let shown: Vec<String> = jobs.iter().take(SHOWN).map(|j| format!("{} {:?}", j.job, j.state)).collect();
    let more = if jobs.len() > SHOWN { ", …" } else { "" };
    format!("{} ({}{more})", jobs.len(), shown.join(", "))
}

/// Runs the client until it is finished. `after_each` sees it after its start and after every notice it took.
pub fn run<C: Driven + ?Sized>(
    client: &mut C,
    answers: &mut dyn Answers,
    options: &SimOptions,
    after_each: &mut dyn FnMut(&C),
) -> Result<SimResult, SimError> {
    world::World::new(options, answers).run(client, after_each)
}
