//! What a run is told, and what it says of itself.

use jl_messages::{Failure, JobId};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a run is told besides its application.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Options {
    /// Stop after so many answered jobs.
    pub limit: Option<u64>,
    /// After so many failed jobs in a row on one node, no more are made for it.
    pub max_failures: u32,
    /// Whether equal positions are one node.
    pub transpositions: bool,
    /// A program may name all the moves that do not lose for sure. If they are no more than this, further children are
    /// taken from its list, and no jobs are made for them.
    #[serde(default)]
    pub listed: usize,
    /// A program may name some moves that it would answer next. So many of them become children without jobs.
    #[serde(default)]
    pub suggested: usize,
    /// Whether the moves that a program names before its answer become children at once.
    #[serde(default)]
    pub drafts: bool,
    /// After so long a job is taken to hang, if its program does not say.
    pub job_time: Option<Duration>,
    pub priority: i32,
    pub cores: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            limit: None,
            max_failures: 3,
            transpositions: true,
            listed: 50,
            suggested: 8,
            drafts: true,
            job_time: None,
            priority: 0,
            cores: 1,
        }
    }
}

/// How many jobs ended how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    pub done: u64,
    pub aborted: u64,
    /// Failed jobs, those with an unusable answer included.
    pub failed: u64,
    /// Answered from a cache. Part of `done`.
    pub cached: u64,
    /// Lost with their worker or with the client; computed again if they still matter.
    #[serde(default)]
    pub lost: u64,
    /// Answers to jobs that had ended already.
    #[serde(default)]
    pub ignored: u64,
}

/// Why a run is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The root's value is known.
    Decided,
    /// The job limit is reached.
    Limit,
    /// Nothing is left to compute but nodes whose jobs failed too often.
    GivenUp,
}

/// A failed job, for reports.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FailedJob {
    pub job: JobId,
    pub failure: Failure,
}
