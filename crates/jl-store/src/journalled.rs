//! A client whose notices are written down before they have an effect.

use crate::{Entry, RunFile, StoreError};
use jl_messages::{Driven, JobClient, JobId, Notice, Request};
use std::collections::HashSet;
use std::error::Error;

/// A client and its run file.
///
/// Notices that end jobs are durable before the client sees them. "A worker is available" is written too, since it
/// makes the client choose, but becomes durable only with the next end of a job: a choice whose job never ended leaves
/// nothing to lose.
pub struct Journalled<C> {
    client: C,
    run: RunFile,
}

impl<C: JobClient> Journalled<C> {
    pub fn new(client: C, run: RunFile) -> Journalled<C> {
        Journalled { client, run }
    }

    #[must_use]
    pub fn client(&self) -> &C {
        &self.client
    }

    #[must_use]
    pub fn run(&self) -> &RunFile {
        &self.run
    }

    /// Changes the client by something that is no notice; `entry` is what the journal says of it.
    pub fn amend(&mut self, entry: &Entry, change: impl FnOnce(&mut C)) -> Result<(), StoreError> {
        self.run.append(entry)?;
        self.run.commit()?;
        change(&mut self.client);
        Ok(())
    }

    pub fn run_mut(&mut self) -> &mut RunFile {
        &mut self.run
    }

    pub fn into_parts(self) -> (C, RunFile) {
        (self.client, self.run)
    }

    /// Writes what matters of a batch. Answers to jobs that nobody waits for are left out.
    fn record(&mut self, notices: &[Notice]) -> Result<(), StoreError> {
        let mut ended: HashSet<JobId> = HashSet::new();
        for entry in notices.iter().filter_map(Entry::of) {
            if entry.ends().is_none_or(|job| self.client.awaits(job) && ended.insert(job)) {
                self.run.append(&entry)?;
            }
        }
        if ended.is_empty() { Ok(()) } else { self.run.commit() }
    }
}

impl<C: JobClient> Driven for Journalled<C> {
    fn begin(&mut self) -> Vec<Request> {
        self.client.start()
    }

    fn receive(&mut self, notices: Vec<Notice>) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>> {
        self.record(&notices)?;
        self.client.receive(notices)
    }

    fn is_over(&self) -> bool {
        self.client.is_finished()
    }
}
