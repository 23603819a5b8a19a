//! What clients ask for.

use super::client::{Job, Offer, Phase};
use super::{Broker, Client};
use jl_messages::{ClientId, DropReason, JobId, Notice, Order, Request, Submit, Ticket, WorkerId};

impl Broker {
    pub(super) fn request(&mut self, id: ClientId, request: Request) {
        if let Request::Hello { priority, programs } = request {
            // A client that says Hello again has started anew: what it had before is not its business any more.
            self.forget_client(id);
            self.clients.insert(id, Client::new(priority, programs));
            return;
        }
        let known = self.clients.contains_key(&id);
        match request {
            Request::Submit(submit) if !known => {
                let reason = DropReason::Refused(format!("client {id} has not said Hello"));
                self.notify(id, Notice::Dropped { job: submit.job, reason });
            }
            Request::Submit(submit) => self.submit(id, submit),
            Request::Decline => {
                self.take_offer(id);
                self.set_wants(id, false);
            }
            Request::Ready => self.set_wants(id, true),
            Request::Abort { job } => self.abort(id, job),
            Request::Stdin { job, line } => self.stdin(id, job, line),
            Request::SetCores { job, cores } => self.set_job_cores(id, job, cores.max(1)),
            Request::AskInfo => {
                let info = self.info();
                self.notify(id, Notice::Info(info));
            }
            Request::Hello { .. } => {}
            Request::Leave => self.forget_client(id),
        }
    }

    fn set_wants(&mut self, id: ClientId, wants: bool) {
        if let Some(client) = self.clients.get_mut(&id) {
            client.wants = wants;
        }
    }

    /// The client has answered its offer, if it had one. Returns the worker that it was of.
    fn take_offer(&mut self, id: ClientId) -> Option<WorkerId> {
        let client = self.clients.get_mut(&id)?;
        match std::mem::replace(&mut client.offer, Offer::None) {
            Offer::Of(worker) => {
                client.held -= 1;
                self.fleet.change(worker, |w| w.offered -= 1);
                Some(worker)
            }
            Offer::None | Offer::Void => None,
        }
    }

    fn submit(&mut self, id: ClientId, mut submit: Submit) {
        let offered = self.take_offer(id);
        submit.cores = submit.cores.max(1);
        let job = submit.job;
        let age = self.next_sequence();
        let first = self.first_attempt(id, job);
        let Some(client) = self.clients.get_mut(&id) else { return };
        if client.jobs.contains_key(&job) {
            return;
        }
        let offered = offered.filter(|w| self.fleet.fits(*w, &submit.program, submit.cores));
        if offered.is_none()
            && let Some(why) = self.fleet.why_not(&submit.program, submit.cores)
        {
            self.notify(id, Notice::Dropped { job, reason: DropReason::Refused(why) });
            return;
        }
        client.add(Job { submit, first, attempt: first, age, phase: Phase::Waiting });
        if let Some(worker) = offered {
            self.assign(id, job, worker);
        }
    }

    /// Zero, unless a client of the same id left while a job of the same id ran, and it still does: then the next
    /// attempt, so that no ticket stands for two things.
    fn first_attempt(&self, client: ClientId, job: JobId) -> u32 {
        let all = Ticket { client, job, attempt: 0 }..=Ticket { client, job, attempt: u32::MAX };
        self.orphans.range(all).next_back().map_or(0, |t| t.attempt + 1)
    }

    fn abort(&mut self, id: ClientId, job: JobId) {
        let record = self.clients.get_mut(&id).and_then(|c| c.jobs.get_mut(&job));
        let Some(record) = record else {
            // It has ended, or never was: the client must not wait for ever.
            self.notify(id, Notice::AbortAck { job });
            return;
        };
        match record.phase {
            Phase::Waiting => {
                self.clients.get_mut(&id).and_then(|c| c.remove(job));
                self.notify(id, Notice::AbortAck { job });
            }
            Phase::Assigned(worker) | Phase::Doing(worker) if record.submit.abortable => {
                record.phase = Phase::Aborting(worker);
                let ticket = record.ticket(id);
                self.order(worker, Order::Abort { ticket });
            }
            Phase::Assigned(_) | Phase::Doing(_) | Phase::Aborting(_) => {}
        }
    }

    fn stdin(&mut self, id: ClientId, job: JobId, line: String) {
        let Some(record) = self.clients.get_mut(&id).and_then(|c| c.jobs.get_mut(&job)) else { return };
        match record.phase {
            Phase::Waiting => record.submit.input.stdin.push(line),
            Phase::Assigned(worker) | Phase::Doing(worker) => {
                if record.may_be_reassigned() {
                    // Another attempt must hear the same lines.
                    record.submit.input.stdin.push(line.clone());
                }
                let ticket = record.ticket(id);
                self.order(worker, Order::Stdin { ticket, line });
            }
            Phase::Aborting(_) => {}
        }
    }

    fn set_job_cores(&mut self, id: ClientId, job: JobId, cores: u32) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        let Some(record) = client.jobs.get_mut(&job) else { return };
        let present = record.submit.cores;
        match record.phase {
            Phase::Waiting => {
                record.submit.cores = cores;
                self.recheck = true;
                self.notify(id, Notice::CoresSet { job, cores });
            }
            Phase::Assigned(worker) | Phase::Doing(worker) => {
                let free = self.fleet.get(worker).map_or(0, |w| w.free());
                if cores > present.saturating_add(free) {
                    self.notify(id, Notice::CoresSet { job, cores: present });
                } else {
                    let ticket = record.ticket(id);
                    self.resize(worker, ticket, cores);
                    self.order(worker, Order::SetCores { ticket, cores });
                }
            }
            Phase::Aborting(_) => {}
        }
    }

    /// The client is gone: nothing more is sent to it, and what runs for it is stopped.
    pub(super) fn forget_client(&mut self, id: ClientId) {
        self.take_offer(id);
        let Some(client) = self.clients.remove(&id) else { return };
        for job in client.jobs.values() {
            let ticket = job.ticket(id);
            let Some(worker) = job.phase.worker() else { continue };
            self.orphans.insert(ticket);
            if !job.phase.is_aborting() {
                self.order(worker, Order::Abort { ticket });
            }
        }
    }
}
