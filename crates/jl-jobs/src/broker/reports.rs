//! What workers say, and what becomes of their jobs when they are lost.

use super::Broker;
use super::client::{Job, Offer, Phase};
use super::fleet::Worker;
use jl_messages::{DropReason, Notice, Report, Ticket, WorkerId};

impl Broker {
    pub(super) fn report(&mut self, id: WorkerId, report: Report) {
        if let Report::Hello { cores, programs } = report {
            // A known worker that says Hello has restarted: it runs nothing.
            self.lose_worker(id);
            self.fleet.insert(id, Worker::new(cores, programs, self.now));
            self.recheck = true;
            return;
        }
        let now = self.now;
        if self.fleet.change(id, |w| w.heard = now).is_none() {
            return; // It was given up, and its jobs with it; it must say Hello.
        }
        match report {
            Report::Hello { .. } | Report::Alive => {}
            Report::Sleep => {
                self.void_offers(id);
                self.fleet.change(id, |w| w.asleep = true);
            }
            Report::Wake => {
                self.fleet.change(id, |w| w.asleep = false);
            }
            Report::Doing { ticket } => {
                if let Some(job) = self.current(id, ticket)
                    && job.phase == Phase::Assigned(id)
                {
                    job.phase = Phase::Doing(id);
                    self.notify(ticket.client, Notice::Doing { job: ticket.job });
                }
            }
            Report::Message { ticket, line } => {
                if self.current(id, ticket).is_some_and(|job| !job.phase.is_aborting()) {
                    self.notify(ticket.client, Notice::Message { job: ticket.job, line });
                }
            }
            Report::Done { ticket, output, cpu } => {
                self.end(id, ticket, Notice::Done { job: ticket.job, output, cpu });
            }
            Report::Failed { ticket, failure, cpu } => {
                self.end(id, ticket, Notice::Failed { job: ticket.job, failure, cpu });
            }
            Report::AbortAck { ticket } => self.end(id, ticket, Notice::AbortAck { job: ticket.job }),
            Report::SetCores { cores } => {
                self.fleet.change(id, |w| w.cores = cores);
                self.recheck = true;
            }
            Report::CoresSet { ticket, cores } => {
                // The worker's word counts, also where it is not what the client asked for.
                let cores = cores.max(1);
                self.resize(id, ticket, cores);
                if self.current(id, ticket).is_some_and(|job| !job.phase.is_aborting()) {
                    self.notify(ticket.client, Notice::CoresSet { job: ticket.job, cores });
                }
            }
            Report::Bye => self.lose_worker(id),
        }
    }

    /// The job of which this ticket is the present attempt, at this worker.
    fn current(&mut self, worker: WorkerId, ticket: Ticket) -> Option<&mut Job> {
        let job = self.clients.get_mut(&ticket.client)?.jobs.get_mut(&ticket.job)?;
        (job.attempt == ticket.attempt && job.phase.worker() == Some(worker)).then_some(job)
    }

    /// A ticket ends at its worker with this notice. Does nothing if it does not run there (any more).
    fn end(&mut self, worker: WorkerId, ticket: Ticket, notice: Notice) {
        let Some(cores) = self.fleet.change(worker, |w| w.stop(ticket)).flatten() else { return };
        if self.orphans.remove(&ticket) {
            return;
        }
        if let Some(job) = self.release(ticket, cores) {
            let notice = if job.phase.is_aborting() { Notice::AbortAck { job: ticket.job } } else { notice };
            self.notify(ticket.client, notice);
        }
    }

    /// Takes the job of a ticket from its client, and its cores from the client's account.
    fn release(&mut self, ticket: Ticket, cores: u32) -> Option<Job> {
        let client = self.clients.get_mut(&ticket.client)?;
        client.held -= u64::from(cores);
        client.remove(ticket.job)
    }

    /// Sets the cores of a ticket that runs at this worker.
    pub(super) fn resize(&mut self, worker: WorkerId, ticket: Ticket, cores: u32) {
        let before = self.fleet.change(worker, |w| {
            let before = w.stop(ticket)?;
            w.start(ticket, cores);
            Some(before)
        });
        let Some(before) = before.flatten() else { return };
        if let Some(job) = self.current(worker, ticket) {
            job.submit.cores = cores;
            if let Some(client) = self.clients.get_mut(&ticket.client) {
                client.held = client.held - u64::from(before) + u64::from(cores);
            }
        }
    }

    /// The worker is gone. Each of its jobs waits for its next attempt or is dropped.
    pub(super) fn lose_worker(&mut self, id: WorkerId) {
        self.void_offers(id);
        let Some(worker) = self.fleet.remove(id) else { return };
        self.recheck = true;
        for (ticket, cores) in worker.running {
            if self.orphans.remove(&ticket) {
                continue;
            }
            let Some(mut job) = self.release(ticket, cores) else { continue };
            if job.phase.is_aborting() {
                self.notify(ticket.client, Notice::AbortAck { job: ticket.job });
            } else if job.may_be_reassigned() {
                job.attempt += 1;
                job.phase = Phase::Waiting;
                if let Some(client) = self.clients.get_mut(&ticket.client) {
                    client.add(job);
                }
            } else {
                let reason = DropReason::WorkerLost;
                self.notify(ticket.client, Notice::Dropped { job: ticket.job, reason });
            }
        }
    }

    /// The offers of this worker's cores come to nothing. The clients that have them are still to answer.
    fn void_offers(&mut self, id: WorkerId) {
        for client in self.clients.values_mut().filter(|c| c.offer == Offer::Of(id)) {
            client.offer = Offer::Void;
            client.held -= 1;
            self.fleet.change(id, |w| w.offered -= 1);
        }
    }
}
