//! What the journal records, and how a row holds it.

use jl_messages::{DropReason, Failure, JobId, Notice};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One line of the journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    Available,
    Done {
        job: JobId,
        /// What the job asked.
        question: String,
        output: Vec<String>,
        cpu: Duration,
    },
    /// The answer was known already.
    Cached {
        job: JobId,
        /// What the job asked.
        question: String,
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
    /// The user changed the job limit.
    Limit(Option<u64>),
    /// The user asked to try the given-up nodes again.
    Retry,
    /// The run was resumed, and numbers its jobs from here.
    Session {
        first_job: u64,
    },
}

/// What a user did to a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amendment {
    Limit(Option<u64>),
    Retry,
    Session { first_job: u64 },
}

#[derive(Serialize, Deserialize)]
struct DoneDetail {
    question: String,
    output: Vec<String>,
    cpu: f64,
}

#[derive(Serialize, Deserialize)]
struct CachedDetail {
    question: String,
    output: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct FailedDetail {
    failure: Failure,
    cpu: f64,
}

impl Entry {
    /// The entry of a notice that can change the graph; `None` for the others, and for the end of a job that
    /// `question` does not know.
    #[must_use]
    pub fn of(notice: &Notice, question: impl Fn(JobId) -> Option<String>) -> Option<Entry> {
        let question = match notice {
            Notice::AbortAck { .. } => None,
            _ => notice.ends().map(question),
        };
        if question == Some(None) {
            return None;
        }
        match notice {
            Notice::WorkerAvailable => Some(Entry::Available),
            Notice::Done { job, output, cpu } => {
                let question = question.flatten()?;
                Some(Entry::Done { job: *job, question, output: output.clone(), cpu: *cpu })
            }
            Notice::Cached { job, output } => {
                Some(Entry::Cached { job: *job, question: question.flatten()?, output: output.clone() })
            }
            Notice::Failed { job, failure, cpu } => {
                Some(Entry::Failed { job: *job, failure: failure.clone(), cpu: *cpu })
            }
            Notice::Dropped { job, reason } => Some(Entry::Dropped { job: *job, reason: reason.clone() }),
            Notice::Assigned { .. }
            | Notice::Doing { .. }
            | Notice::Message { .. }
            | Notice::AbortAck { .. }
            | Notice::CoresSet { .. }
            | Notice::Info(_) => None,
        }
    }

    /// What happened, or what a user did.
    pub fn into_notice(self) -> Result<Notice, Amendment> {
        Ok(match self {
            Entry::Available => Notice::WorkerAvailable,
            Entry::Done { job, output, cpu, .. } => Notice::Done { job, output, cpu },
            Entry::Cached { job, output, .. } => Notice::Cached { job, output },
            Entry::Failed { job, failure, cpu } => Notice::Failed { job, failure, cpu },
            Entry::Dropped { job, reason } => Notice::Dropped { job, reason },
            Entry::Limit(limit) => return Err(Amendment::Limit(limit)),
            Entry::Retry => return Err(Amendment::Retry),
            Entry::Session { first_job } => return Err(Amendment::Session { first_job }),
        })
    }

    /// The job that the entry ends.
    #[must_use]
    pub fn ends(&self) -> Option<JobId> {
        match self {
            Entry::Done { job, .. }
            | Entry::Cached { job, .. }
            | Entry::Failed { job, .. }
            | Entry::Dropped { job, .. } => Some(*job),
            Entry::Available | Entry::Limit(_) | Entry::Retry | Entry::Session { .. } => None,
        }
    }

    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Entry::Available => "available",
            Entry::Done { .. } => "done",
            Entry::Cached { .. } => "cached",
            Entry::Failed { .. } => "failed",
            Entry::Dropped { .. } => "dropped",
            Entry::Limit(_) => "limit",
            Entry::Retry => "retry",
            Entry::Session { .. } => "session",
        }
    }

    pub(crate) fn detail(&self) -> Option<String> {
        let json = match self {
            Entry::Available | Entry::Retry => return None,
            Entry::Done { question, output, cpu, .. } => serde_json::to_string(&DoneDetail {
                question: question.clone(),
                output: output.clone(),
                cpu: cpu.as_secs_f64(),
            }),
            Entry::Cached { question, output, .. } => {
                serde_json::to_string(&CachedDetail { question: question.clone(), output: output.clone() })
            }
            Entry::Failed { failure, cpu, .. } => {
                serde_json::to_string(&FailedDetail { failure: failure.clone(), cpu: cpu.as_secs_f64() })
            }
            Entry::Dropped { reason, .. } => serde_json::to_string(reason),
            Entry::Limit(limit) => serde_json::to_string(limit),
            Entry::Session { first_job } => serde_json::to_string(first_job),
        };
        Some(json.expect("plain data has a JSON form"))
    }

    pub(crate) fn from_row(kind: &str, job: Option<u64>, detail: Option<&str>) -> Result<Entry, String> {
        fn read<'a, T: Deserialize<'a>>(detail: Option<&'a str>) -> Result<T, String> {
            serde_json::from_str(detail.ok_or("no detail")?).map_err(|e| e.to_string())
        }
        let cpu = |seconds: f64| Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string());
        let ended = job.map(JobId).ok_or("no job");
        Ok(match kind {
            "available" => Entry::Available,
            "done" => {
                let d: DoneDetail = read(detail)?;
                Entry::Done { job: ended?, question: d.question, output: d.output, cpu: cpu(d.cpu)? }
            }
            "cached" => {
                let d: CachedDetail = read(detail)?;
                Entry::Cached { job: ended?, question: d.question, output: d.output }
            }
            "failed" => {
                let d: FailedDetail = read(detail)?;
                Entry::Failed { job: ended?, failure: d.failure, cpu: cpu(d.cpu)? }
            }
            "dropped" => Entry::Dropped { job: ended?, reason: read(detail)? },
            "limit" => Entry::Limit(read(detail)?),
            "retry" => Entry::Retry,
            "session" => Entry::Session { first_job: read(detail)? },
            other => return Err(format!("unknown kind '{other}'")),
        })
    }
}
