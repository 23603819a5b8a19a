//! The typed messages between client, broker and workers.
//!
//! ```text
//!  worker                      broker                       client
//!    |-- Report::Hello ---------->|<-------- Request::Hello ----|
//!    |                            |-- Notice::WorkerAvailable ->|   chooses only now (late binding)
//!    |<------------ Order::Assign-|<-------- Request::Submit ---|   or Decline, and Ready after an update
//!    |                            |-- Notice::Assigned -------->|
//!    |-- Report::Doing ---------->|-- Notice::Doing ----------->|
//!    |-- Report::Message -------->|-- Notice::Message --------->|   a line of output, as it comes
//!    |<------------- Order::Stdin-|<-------- Request::Stdin ----|
//!    |-- Report::Done/Failed ---->|-- Notice::Done/Failed ----->|
//!    |<------------- Order::Abort-|<-------- Request::Abort ----|
//!    |-- Report::AbortAck ------->|-- Notice::AbortAck -------->|
//!    x  (lost)                    |-- Notice::Dropped --------->|   or assigned again, see Submit::reassign
//! ```
//!
//! Everything here is plain data: bytes and ids, no game, no search, no clock and no socket. A job names a program
//! that the worker has registered itself and gives it words; it is never a shell line.

mod saved;

pub use saved::{MoveRow, PositionRow, RowSource, Rows, RowsLost, Savable, Saved};

use serde::{Deserialize, Serialize};
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// A job, unique within its client.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JobId(pub u64);

impl JobId {
    /// A number that no job can have had where `next` is the next one as far as is known, also if some were given out since.
    #[must_use]
    pub fn unused_after(next: u64) -> u64 {
        const SKIPPED: u64 = 1_000_000;
        (next / SKIPPED + 2) * SKIPPED
    }
}

/// A client, given by the broker's driver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClientId(pub u32);

/// A worker, given by the broker's driver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WorkerId(pub u32);

/// One try at a job at one worker: what a worker is told and answers with. A job that is assigned again after its
/// worker was lost has the next attempt, so that a late answer of the first is recognised.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Ticket {
    pub client: ClientId,
    pub job: JobId,
    pub attempt: u32,
}

macro_rules! display_id {
    ($($t:ident $c:literal),*) => {$(
        impl fmt::Display for $t {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, concat!($c, "{}"), self.0) }
        }
    )*};
}
display_id!(JobId "j", ClientId "c", WorkerId "w");

impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}.{}", self.client, self.job, self.attempt)
    }
}

/// What a program is given: words (the arguments of a one-shot program, or the query line of a warm one) and lines
/// for its standard input.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Input {
    pub words: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stdin: Vec<String>,
}

/// A job as the client describes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Submit {
    pub job: JobId,
    /// The name of a program in the workers' registries.
    pub program: String,
    pub input: Input,
    /// Among the waiting jobs of one client, higher goes first.
    pub priority: i32,
    pub cores: u32,
    pub time_limit: Option<Duration>,
    pub abortable: bool,
    /// How often the broker may assign the job anew by itself when its worker is lost. A search wants 0: it hears
    /// of the loss and chooses afresh. Other clients (a match, a batch) want the job done whoever does it.
    pub reassign: u32,
}

/// Why a job did not end well.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "detail")]
pub enum Failure {
    /// The program could not be started.
    NotStarted(String),
    /// The program ended by itself in the middle of a job, or with a non-zero exit code.
    Crashed(String),
    TimedOut(String),
    /// More output than a job may print.
    Flooded(String),
    /// The program ended its answer, but it could not be understood or used; says what was read.
    BadAnswer(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NotStarted(d) => write!(f, "not started: {d}"),
            Failure::Crashed(d) => write!(f, "crashed: {d}"),
            Failure::TimedOut(d) => write!(f, "timed out: {d}"),
            Failure::Flooded(d) => write!(f, "flooded its output: {d}"),
            Failure::BadAnswer(d) => write!(f, "bad answer: {d}"),
        }
    }
}

/// Why a job was not done, through no fault of its program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "detail")]
pub enum DropReason {
    WorkerLost,
    /// No worker may run it; says why.
    Refused(String),
    /// The client itself was stopped or killed while the job ran.
    ClientRestarted,
}

impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DropReason::WorkerLost => f.write_str("its worker was lost"),
            DropReason::Refused(why) => write!(f, "refused: {why}"),
            DropReason::ClientRestarted => f.write_str("the client was restarted"),
        }
    }
}

/// Client → broker.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Request {
    /// First message of a client. Only workers that have one of `programs` are offered (all, if it is empty).
    Hello {
        priority: i32,
        programs: Vec<String>,
    },
    Submit(Submit),
    /// Nothing to compute for the offered worker. No offer follows until `Ready`.
    Decline,
    /// After a `Decline`: there may be something to compute again.
    Ready,
    Abort {
        job: JobId,
    },
    Stdin {
        job: JobId,
        line: String,
    },
    SetCores {
        job: JobId,
        cores: u32,
    },
    AskInfo,
    /// Last message of a client: whatever it still has waiting or running is aborted.
    Leave,
}

/// Broker → client. A client's `handle` takes these as its events.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Notice {
    /// An idle worker is offered to this client; not repeated until it submits or declines.
    WorkerAvailable,
    Assigned {
        job: JobId,
        worker: WorkerId,
    },
    Doing {
        job: JobId,
    },
    Message {
        job: JobId,
        line: String,
    },
    /// The program ended its answer. `output` holds all its lines.
    Done {
        job: JobId,
        output: Vec<String>,
        cpu: Duration,
    },
    /// The answer was known already. No broker says so, but who stands between it and the client.
    Cached {
        job: JobId,
        output: Vec<String>,
    },
    Failed {
        job: JobId,
        failure: Failure,
        cpu: Duration,
    },
    Dropped {
        job: JobId,
        reason: DropReason,
    },
    AbortAck {
        job: JobId,
    },
    CoresSet {
        job: JobId,
        cores: u32,
    },
    Info(Info),
}

impl Notice {
    /// The job that this notice ends, if it ends one.
    #[must_use]
    pub fn ends(&self) -> Option<JobId> {
        match self {
            Notice::Done { job, .. }
            | Notice::Cached { job, .. }
            | Notice::Failed { job, .. }
            | Notice::Dropped { job, .. }
            | Notice::AbortAck { job } => Some(*job),
            _ => None,
        }
    }
}

/// Broker → worker.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Order {
    Assign { ticket: Ticket, program: String, input: Input, cores: u32, time_limit: Option<Duration> },
    Abort { ticket: Ticket },
    Stdin { ticket: Ticket, line: String },
    SetCores { ticket: Ticket, cores: u32 },
}

/// Worker → broker.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Report {
    Hello {
        cores: u32,
        programs: Vec<String>,
    },
    Alive,
    /// The machine is in use by its owner: running jobs go on, no new ones come.
    Sleep,
    Wake,
    Doing {
        ticket: Ticket,
    },
    Message {
        ticket: Ticket,
        line: String,
    },
    Done {
        ticket: Ticket,
        output: Vec<String>,
        cpu: Duration,
    },
    Failed {
        ticket: Ticket,
        failure: Failure,
        cpu: Duration,
    },
    AbortAck {
        ticket: Ticket,
    },
    SetCores {
        cores: u32,
    },
    CoresSet {
        ticket: Ticket,
        cores: u32,
    },
    Bye,
}

/// Answer to [`Request::AskInfo`].
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Info {
    pub workers: Vec<WorkerInfo>,
    pub jobs: Vec<JobInfo>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WorkerInfo {
    pub worker: WorkerId,
    pub cores: u32,
    pub busy: u32,
    pub asleep: bool,
    pub programs: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JobInfo {
    pub client: ClientId,
    pub job: JobId,
    pub program: String,
    pub state: JobState,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    Waiting,
    Assigned(WorkerId),
    Doing(WorkerId),
    Aborting(WorkerId),
}

/// A client: a state machine without clock, sockets or files.
pub trait JobClient {
    /// The first requests, before any notice.
    fn start(&mut self) -> Vec<Request>;

    fn handle(&mut self, notice: Notice) -> Vec<Request>;

    fn is_finished(&self) -> bool;

    /// What a job asks, as one line, while the client waits for it; `None` for a job whose end means nothing to it.
    /// A journal keeps it beside the answer, so that the answer can't be taken for another question's. A client that is
    /// never journalled need not say.
    fn question(&self, _job: JobId) -> Option<&str> {
        None
    }

    /// Whether a journal has to say which worker got a job ([`Notice::Assigned`]), since the client goes by it.
    fn notes_workers(&self) -> bool {
        false
    }

    /// Whether a line of a running job's output means something to the client ([`Notice::Message`]), so that a journal has to have it.
    fn heeds(&self, _job: JobId, _line: &str) -> bool {
        false
    }

    /// What a job in flight asks, the same for every job with the same answers however it came to ask; `None` if its
    /// answer can't be used again.
    fn cache_key(&self, _job: JobId) -> Option<String> {
        None
    }

    /// The answer to a job in flight as it can be kept under the job's key; `None` if the client can't use it.
    fn to_keep(&self, _job: JobId, _output: &[String]) -> Option<Vec<String>> {
        None
    }

    /// What was kept under the key of a job in flight, as the answer to it; `None` if the client could not use it.
    fn recalled(&self, _job: JobId, _kept: &[String]) -> Option<Vec<String>> {
        None
    }
}

/// What drivers drive: a client, or one whose notices are written down before they have an effect.
pub trait Driven {
    fn begin(&mut self) -> Vec<Request>;

    /// Several notices that arrived together, in order. After an error the driver must stop.
    fn receive(&mut self, notices: Vec<Notice>) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>>;

    fn is_over(&self) -> bool;
}

impl<C: JobClient + ?Sized> Driven for C {
    fn begin(&mut self) -> Vec<Request> {
        self.start()
    }

    fn receive(&mut self, notices: Vec<Notice>) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>> {
        Ok(notices.into_iter().flat_map(|n| self.handle(n)).collect())
    }

    fn is_over(&self) -> bool {
        self.is_finished()
    }
}

impl<C: JobClient + ?Sized> JobClient for Box<C> {
    fn start(&mut self) -> Vec<Request> {
        (**self).start()
    }

    fn handle(&mut self, notice: Notice) -> Vec<Request> {
        (**self).handle(notice)
    }

    fn is_finished(&self) -> bool {
        (**self).is_finished()
    }

    fn question(&self, job: JobId) -> Option<&str> {
        (**self).question(job)
    }

    fn notes_workers(&self) -> bool {
        (**self).notes_workers()
    }

    fn heeds(&self, job: JobId, line: &str) -> bool {
        (**self).heeds(job, line)
    }

    fn cache_key(&self, job: JobId) -> Option<String> {
        (**self).cache_key(job)
    }

    fn to_keep(&self, job: JobId, output: &[String]) -> Option<Vec<String>> {
        (**self).to_keep(job, output)
    }

    fn recalled(&self, job: JobId, kept: &[String]) -> Option<Vec<String>> {
        (**self).recalled(job, kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_json() {
        let n = Notice::Failed {
            job: JobId(3),
            failure: Failure::Crashed("exit code 1".into()),
            cpu: Duration::from_millis(5),
        };
        let text = serde_json::to_string(&n).unwrap();
        assert_eq!(serde_json::from_str::<Notice>(&text).unwrap(), n);
        assert_eq!(n.ends(), Some(JobId(3)));
        assert_eq!(Notice::WorkerAvailable.ends(), None);
    }
}
