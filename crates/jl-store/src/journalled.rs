//! A client whose notices are written down before they have an effect.

use crate::{Amendment, Entry, RunStore, Stepped, StoreError};
use jl_messages::{Driven, JobClient, Notice, Request};
use std::error::Error;

/// A client and its run.
///
/// Notices that end jobs are durable before anyone hears what the client makes of them: a batch is written, handled and
/// committed before its requests go out. "A worker is available" is written too, since it makes the client choose, but
/// becomes durable only with the next end of a job: a choice whose job never ended leaves nothing to lose. So is a line of a running
/// job's output that the client heeds.
///
/// An answer is written together with its question. Replayed by a program that would choose otherwise, it is refused
/// rather than taken for the answer to another question.
pub struct Journalled<C> {
    client: C,
    run: RunStore,
    /// A job's end was written, and is not durable yet.
    ended: bool,
}

impl<C: JobClient> Journalled<C> {
    pub fn new(client: C, run: RunStore) -> Journalled<C> {
        Journalled { client, run, ended: false }
    }

    #[must_use]
    pub fn client(&self) -> &C {
        &self.client
    }

    #[must_use]
    pub fn run(&self) -> &RunStore {
        &self.run
    }

    #[must_use]
    pub fn into_parts(self) -> (C, RunStore) {
        (self.client, self.run)
    }

    /// Changes the client by something that is no notice; `entry` is what the journal says of it.
    pub fn amend<R>(&mut self, entry: &Entry, change: impl FnOnce(&mut C) -> R) -> Result<R, StoreError> {
        self.run.append(entry)?;
        self.run.commit()?;
        Ok(change(&mut self.client))
    }

    pub(crate) fn client_mut(&mut self) -> &mut C {
        &mut self.client
    }

    pub fn run_mut(&mut self) -> &mut RunStore {
        &mut self.run
    }
}

/// Gives a client the entries of a run in order. `amend` does what a user did.
pub fn replay<C: JobClient>(
    run: &RunStore,
    client: &mut C,
    amend: impl FnMut(&mut C, Amendment),
) -> Result<(), StoreError> {
    replay_after(run, 0, client, amend)
}

/// The same for a client that accounts for the entries up to this one already.
pub fn replay_after<C: JobClient>(
    run: &RunStore,
    seq: i64,
    client: &mut C,
    amend: impl FnMut(&mut C, Amendment),
) -> Result<(), StoreError> {
    replay_between(run, (seq, i64::MAX), client, amend)
}

/// The entries up to this one.
pub fn replay_to<C: JobClient>(
    run: &RunStore,
    seq: i64,
    client: &mut C,
    amend: impl FnMut(&mut C, Amendment),
) -> Result<(), StoreError> {
    replay_between(run, (0, seq), client, amend)
}

fn replay_between<C: JobClient>(
    run: &RunStore,
    (after, last): (i64, i64),
    client: &mut C,
    mut amend: impl FnMut(&mut C, Amendment),
) -> Result<(), StoreError> {
    run.replay_between(after, last, |seq, entry| {
        if let Some(job) = entry.ends() {
            let asked = client.question(job);
            let agrees = match &entry {
                Entry::Done { question, .. } | Entry::Cached { question, .. } => {
                    asked == Some(question.as_str())
                }
                _ => asked.is_some(),
            };
            if !agrees {
                let now = asked.map_or("which is not running".into(), |q| format!("which asks '{q}'"));
                return Err(StoreError::Diverged { path: run.address().to_string(), seq, job, now });
            }
        }
        match entry.into_notice() {
            Ok(notice) => drop(client.handle(notice)),
            Err(amendment) => amend(client, amendment),
        }
        Ok(())
    })
}

impl<C: JobClient> Stepped for Journalled<C> {
    type Client = C;

    fn client(&self) -> &C {
        &self.client
    }

    fn step(&mut self, notice: Notice) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>> {
        let entry = match notice {
            Notice::Assigned { job, worker } if self.client.notes_workers() => {
                Some(Entry::Assigned { job, worker })
            }
            Notice::Message { job, ref line } if self.client.heeds(job, line) => {
                Some(Entry::Message { job, line: line.clone() })
            }
            _ => Entry::of(&notice, |job| self.client.question(job).map(String::from)),
        };
        if let Some(entry) = entry {
            self.run.append(&entry)?;
            self.ended |= entry.ends().is_some();
        }
        Ok(self.client.handle(notice))
    }

    fn settle(&mut self) -> Result<(), Box<dyn Error + Send + Sync>> {
        if std::mem::take(&mut self.ended) {
            self.run.commit()?;
        }
        Ok(())
    }
}

impl<C: JobClient> Driven for Journalled<C> {
    fn begin(&mut self) -> Vec<Request> {
        self.client.start()
    }

    fn receive(&mut self, notices: Vec<Notice>) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>> {
        self.step_all(notices)
    }

    fn is_over(&self) -> bool {
        self.client.is_finished()
    }
}
