//! What the journal records, and how a row holds it.

use jl_messages::{DropReason, Failure, JobId, Notice, WorkerId};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One line of the journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    Available,
    /// A worker got the job. Only where the client wants to remember it.
    Assigned {
        job: JobId,
        worker: WorkerId,
    },
    /// The client heeded a line of a running job's output.
    Message {
        job: JobId,
        line: String,
    },
    Done {
        job: JobId,
        /// What the job asked.
        question: String,
        output: Vec<String>,
        cpu: Duration,
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
    /// The answer was known already.
    Cached {
        job: JobId,
        question: String,
        output: Vec<String>,
    },
    /// The user changed the job limit.
    Limit(Option<u64>),
    /// The user asked to try the given-up nodes again.
    Retry,
    /// The run was resumed, and numbers its jobs from here.
    Session {
        first_job: u64,
        /// What the client wants to remember of it.
        note: Option<String>,
    },
}

/// What a user did to a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Amendment {
    Limit(Option<u64>),
    Retry,
    Session { first_job: u64, note: Option<String> },
}

/// A session as the journal has it: only a number where there is no note.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum SessionDetail {
    Bare(u64),
    Noted { first_job: u64, note: String },
}

/// What the table of jobs says of a job that ended.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct JobRow {
    pub question: Option<String>,
    /// JSON: the lines.
    pub output: Option<String>,
    /// Seconds.
    pub cpu: Option<f64>,
    /// JSON: why there is no answer.
    pub reason: Option<String>,
}

/// What version 1 kept in the journal.
#[derive(Deserialize)]
struct DoneDetail {
    question: String,
    output: Vec<String>,
    cpu: f64,
}

#[derive(Deserialize)]
struct FailedDetail {
    failure: Failure,
    cpu: f64,
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data has a JSON form")
}

fn read<'a, T: Deserialize<'a>>(text: Option<&'a str>, what: &str) -> Result<T, String> {
    serde_json::from_str(text.ok_or_else(|| format!("no {what}"))?).map_err(|e| e.to_string())
}

fn time(seconds: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
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
            Notice::Failed { job, failure, cpu } => {
                Some(Entry::Failed { job: *job, failure: failure.clone(), cpu: *cpu })
            }
            Notice::Dropped { job, reason } => Some(Entry::Dropped { job: *job, reason: reason.clone() }),
            Notice::Cached { job, output } => {
                Some(Entry::Cached { job: *job, question: question.flatten()?, output: output.clone() })
            }
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
            Entry::Failed { job, failure, cpu } => Notice::Failed { job, failure, cpu },
            Entry::Dropped { job, reason } => Notice::Dropped { job, reason },
            Entry::Cached { job, output, .. } => Notice::Cached { job, output },
            Entry::Limit(limit) => return Err(Amendment::Limit(limit)),
            Entry::Retry => return Err(Amendment::Retry),
            Entry::Assigned { job, worker } => Notice::Assigned { job, worker },
            Entry::Message { job, line } => Notice::Message { job, line },
            Entry::Session { first_job, note } => return Err(Amendment::Session { first_job, note }),
        })
    }

    /// The job that the entry ends.
    #[must_use]
    pub fn ends(&self) -> Option<JobId> {
        match self {
            Entry::Done { job, .. }
            | Entry::Failed { job, .. }
            | Entry::Dropped { job, .. }
            | Entry::Cached { job, .. } => Some(*job),
            Entry::Available
            | Entry::Assigned { .. }
            | Entry::Message { .. }
            | Entry::Limit(_)
            | Entry::Retry
            | Entry::Session { .. } => None,
        }
    }

    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Entry::Available => "available",
            Entry::Assigned { .. } => "assigned",
            Entry::Message { .. } => "message",
            Entry::Done { .. } => "done",
            Entry::Failed { .. } => "failed",
            Entry::Dropped { .. } => "dropped",
            Entry::Cached { .. } => "cached",
            Entry::Limit(_) => "limit",
            Entry::Retry => "retry",
            Entry::Session { .. } => "session",
        }
    }

    /// What the journal says besides the kind; of an end, the table of jobs says it.
    pub(crate) fn detail(&self) -> Option<String> {
        match self {
            Entry::Limit(limit) => Some(json(limit)),
            Entry::Assigned { job, worker } => Some(json(&(job, worker))),
            Entry::Message { job, line } => Some(json(&(job, line))),
            Entry::Session { first_job, note: None } => Some(json(&SessionDetail::Bare(*first_job))),
            Entry::Session { first_job, note: Some(note) } => {
                Some(json(&SessionDetail::Noted { first_job: *first_job, note: note.clone() }))
            }
            _ => None,
        }
    }

    /// The row of the job that ended.
    pub(crate) fn job_row(&self) -> JobRow {
        match self {
            Entry::Done { question, output, cpu, .. } => JobRow {
                question: Some(question.clone()),
                output: Some(json(output)),
                cpu: Some(cpu.as_secs_f64()),
                reason: None,
            },
            Entry::Failed { failure, cpu, .. } => {
                JobRow { cpu: Some(cpu.as_secs_f64()), reason: Some(json(failure)), ..JobRow::default() }
            }
            Entry::Dropped { reason, .. } => JobRow { reason: Some(json(reason)), ..JobRow::default() },
            Entry::Cached { question, output, .. } => {
                JobRow { question: Some(question.clone()), output: Some(json(output)), ..JobRow::default() }
            }
            Entry::Available
            | Entry::Assigned { .. }
            | Entry::Message { .. }
            | Entry::Limit(_)
            | Entry::Retry
            | Entry::Session { .. } => JobRow::default(),
        }
    }

    /// An entry as the journal and, for the end of a job, the table of jobs have it.
    pub(crate) fn from_rows(
        kind: &str,
        detail: Option<&str>,
        ended: Option<(JobId, JobRow)>,
    ) -> Result<Entry, String> {
        let ended = ended.ok_or("no job");
        Ok(match kind {
            "available" => Entry::Available,
            "done" => {
                let (job, row) = ended?;
                let output = read(row.output.as_deref(), "output")?;
                let cpu = time(row.cpu.ok_or("no processor time")?)?;
                Entry::Done { job, question: row.question.ok_or("no question")?, output, cpu }
            }
            "failed" => {
                let (job, row) = ended?;
                let failure = read(row.reason.as_deref(), "reason")?;
                Entry::Failed { job, failure, cpu: time(row.cpu.ok_or("no processor time")?)? }
            }
            "dropped" => {
                let (job, row) = ended?;
                Entry::Dropped { job, reason: read(row.reason.as_deref(), "reason")? }
            }
            "cached" => {
                let (job, row) = ended?;
                let output = read(row.output.as_deref(), "output")?;
                Entry::Cached { job, question: row.question.ok_or("no question")?, output }
            }
            "limit" => Entry::Limit(read(detail, "detail")?),
            "retry" => Entry::Retry,
            "assigned" => {
                let (job, worker) = read(detail, "detail")?;
                Entry::Assigned { job, worker }
            }
            "message" => {
                let (job, line) = read(detail, "detail")?;
                Entry::Message { job, line }
            }
            "session" => match read(detail, "detail")? {
                SessionDetail::Bare(first_job) => Entry::Session { first_job, note: None },
                SessionDetail::Noted { first_job, note } => Entry::Session { first_job, note: Some(note) },
            },
            other => return Err(format!("unknown kind '{other}'")),
        })
    }

    /// An entry as the journal of version 1 has it.
    pub(crate) fn from_version_1(
        kind: &str,
        job: Option<JobId>,
        detail: Option<&str>,
    ) -> Result<Entry, String> {
        let ended = job.ok_or("no job");
        Ok(match kind {
            "done" => {
                let d: DoneDetail = read(detail, "detail")?;
                Entry::Done { job: ended?, question: d.question, output: d.output, cpu: time(d.cpu)? }
            }
            "failed" => {
                let d: FailedDetail = read(detail, "detail")?;
                Entry::Failed { job: ended?, failure: d.failure, cpu: time(d.cpu)? }
            }
            "dropped" => Entry::Dropped { job: ended?, reason: read(detail, "detail")? },
            other => return Entry::from_rows(other, detail, None),
        })
    }
}
