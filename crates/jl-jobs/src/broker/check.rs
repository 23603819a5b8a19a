//! The broker's state, told and checked.

use super::Broker;
use super::client::{Client, Job, Offer, Phase};
use jl_messages::{ClientId, Info, JobInfo, JobState, Submit, WorkerId, WorkerInfo};
use std::collections::BTreeSet;

impl Broker {
    /// The workers and the jobs, in the order of their ids.
    #[must_use]
    pub fn info(&self) -> Info {
        let workers = self.fleet.iter().map(|(worker, w)| WorkerInfo {
            worker,
            cores: w.cores,
            busy: u32::try_from(w.busy).unwrap_or(u32::MAX),
            asleep: w.asleep,
            programs: w.programs.iter().cloned().collect(),
        });
        let jobs = self.clients.iter().flat_map(|(id, c)| c.jobs.values().map(|job| job_info(*id, job)));
        Info { workers: workers.collect(), jobs: jobs.collect() }
    }

    /// Panics if an invariant does not hold. For tests: it looks at everything.
    pub fn check(&self) {
        self.fleet.check();
        for (id, worker) in self.fleet.iter() {
            let offers = self.clients.values().filter(|c| c.offer == Offer::Of(id)).count();
            assert_eq!(worker.offered, offers as u64, "{id} keeps a wrong number of cores for offers");
            for (ticket, cores) in &worker.running {
                let job = self.clients.get(&ticket.client).and_then(|c| c.jobs.get(&ticket.job));
                let live = job.is_some_and(|job| {
                    job.attempt == ticket.attempt
                        && job.phase.worker() == Some(id)
                        && job.submit.cores == *cores
                });
                let orphan = self.orphans.contains(ticket);
                assert!(live != orphan, "{ticket} runs at {id}, but live = {live}, orphan = {orphan}");
            }
        }
        for ticket in &self.orphans {
            let at = self.fleet.iter().filter(|(_, w)| w.running.contains_key(ticket)).count();
            assert_eq!(at, 1, "{ticket} has lost its client and is at {at} workers");
        }
        for (id, client) in &self.clients {
            self.check_client(*id, client);
        }
    }

    fn check_client(&self, id: ClientId, client: &Client) {
        let mut held = 0;
        if let Offer::Of(worker) = client.offer {
            assert!(self.fleet.get(worker).is_some(), "{id} is offered {worker}, which is gone");
            held += 1;
        }
        for job in client.jobs.values() {
            let ticket = job.ticket(id);
            if let Some(worker) = job.phase.worker() {
                held += u64::from(job.submit.cores);
                let there = self.fleet.get(worker).is_some_and(|w| w.running.contains_key(&ticket));
                assert!(there, "{ticket} should be at {worker}");
            }
        }
        assert_eq!(client.held, held, "{id} holds a wrong number of cores");
        let waiting: BTreeSet<_> =
            client.jobs.values().filter(|j| j.phase == Phase::Waiting).map(Job::turn).collect();
        assert_eq!(client.waiting, waiting, "the waiting jobs of {id} are wrong");
        self.check_nothing_idle(id, client);
    }

    /// No core stays free that this client could use, unless it may be kept for a wide job.
    fn check_nothing_idle(&self, id: ClientId, client: &Client) {
        let kept = |worker: WorkerId| {
            let jobs = self.clients.values().flat_map(|c| c.jobs.values());
            let mut waiting = jobs.filter(|j| j.phase == Phase::Waiting);
            waiting.any(|j| {
                j.submit.cores > 1 && self.fleet.get(worker).is_some_and(|w| w.has(&j.submit.program))
            })
        };
        for (worker, w) in self.fleet.idle().filter(|(worker, _)| !kept(*worker)) {
            let offerable = client.may_be_offered() && client.suits(w);
            assert!(!offerable, "{id} wants work, but the free core of {worker} is not offered to it");
            let waiting = client.waiting.iter().map(|(_, _, job)| &client.jobs[job].submit);
            for Submit { job, program, .. } in waiting.take_while(|s| s.cores == 1) {
                assert!(!w.has(program), "{id}/{job} waits, but {worker} has room for it");
            }
        }
    }
}

fn job_info(client: ClientId, job: &Job) -> JobInfo {
    let state = match job.phase {
        Phase::Waiting => JobState::Waiting,
        Phase::Assigned(worker) => JobState::Assigned(worker),
        Phase::Doing(worker) => JobState::Doing(worker),
        Phase::Aborting(worker) => JobState::Aborting(worker),
    };
    JobInfo { client, job: job.submit.job, program: job.submit.program.clone(), state }
}
