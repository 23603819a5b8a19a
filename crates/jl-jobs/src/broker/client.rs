//! A client and its jobs, as the broker knows them.

use super::fleet::Worker;
use jl_messages::{ClientId, JobId, Submit, Ticket, WorkerId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug)]
pub(super) struct Client {
    pub priority: i32,
    /// The programs it uses; empty: any.
    programs: Vec<String>,
    /// False between a `Decline` and the next `Ready`.
    pub wants: bool,
    pub offer: Offer,
    /// Cores of its running jobs, and the offered one.
    pub held: u64,
    /// When it last got an offer or had a waiting job placed, in the broker's sequence.
    pub served: u64,
    /// Its jobs, waiting and running.
    pub jobs: BTreeMap<JobId, Job>,
    /// The waiting ones, in the order in which they are placed.
    pub waiting: BTreeSet<Turn>,
}

/// The place of a waiting job among those of its client: priority, then age.
pub(super) type Turn = (Reverse<i32>, u64, JobId);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Offer {
    None,
    /// A core of this worker is kept until the client answers.
    Of(WorkerId),
    /// The offered worker is gone or asleep, which the client can't know: its answer is still to come.
    Void,
}

#[derive(Debug)]
pub(super) struct Job {
    /// As submitted, with the cores as they were set since.
    pub submit: Submit,
    /// The attempt that the job began with. Not zero if a ticket of an earlier life of its id is still at a worker.
    pub first: u32,
    pub attempt: u32,
    pub age: u64,
    pub phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Waiting,
    Assigned(WorkerId),
    Doing(WorkerId),
    /// The worker was told to stop; the client hears `AbortAck` next, whatever the worker answers.
    Aborting(WorkerId),
}

impl Phase {
    pub fn worker(self) -> Option<WorkerId> {
        match self {
            Phase::Waiting => None,
            Phase::Assigned(worker) | Phase::Doing(worker) | Phase::Aborting(worker) => Some(worker),
        }
    }

    pub fn is_aborting(self) -> bool {
        matches!(self, Phase::Aborting(_))
    }
}

impl Job {
    pub fn ticket(&self, client: ClientId) -> Ticket {
        Ticket { client, job: self.submit.job, attempt: self.attempt }
    }

    pub fn turn(&self) -> Turn {
        (Reverse(self.submit.priority), self.age, self.submit.job)
    }

    /// Whether the broker may assign it anew if its worker is lost.
    pub fn may_be_reassigned(&self) -> bool {
        self.attempt - self.first < self.submit.reassign
    }
}

impl Client {
    pub fn new(priority: i32, programs: Vec<String>) -> Client {
        Client {
            priority,
            programs,
            wants: true,
            offer: Offer::None,
            held: 0,
            served: 0,
            jobs: BTreeMap::new(),
            waiting: BTreeSet::new(),
        }
    }

    /// The order in which clients are served, least first.
    pub fn rank(&self) -> (Reverse<i32>, u64, u64) {
        (Reverse(self.priority), self.held, self.served)
    }

    /// Whether it may be offered a core of some worker.
    ///
    /// Not while one of its jobs waits: it has already said what comes next. Otherwise a client that answers with
    /// jobs which the offered worker can't run would be offered the same core, and answer, for ever.
    pub fn may_be_offered(&self) -> bool {
        self.wants && self.offer == Offer::None && self.waiting.is_empty()
    }

    /// Whether it has a use for this worker at all.
    pub fn suits(&self, worker: &Worker) -> bool {
        self.programs.is_empty() || self.programs.iter().any(|p| worker.has(p))
    }

    pub fn add(&mut self, job: Job) {
        self.waiting.insert(job.turn());
        self.jobs.insert(job.submit.job, job);
    }

    /// Takes out a job that has ended.
    pub fn remove(&mut self, job: JobId) -> Option<Job> {
        let job = self.jobs.remove(&job)?;
        self.waiting.remove(&job.turn());
        Some(job)
    }
}
