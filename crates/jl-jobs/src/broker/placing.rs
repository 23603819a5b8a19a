//! Who gets the free cores.
//!
//! One core at a time: the clients are ranked, and the first that can use one of the idle workers is served, with a
//! waiting job or with an offer, until nobody can be served. The law that follows (a property test): a core never
//! goes to a client while another could use it, has no offer outstanding, and has a higher priority, or the same and
//! holds fewer cores. Nothing is ever taken away from a client, so that shares even out as jobs end; and a client that
//! is slow to answer does not keep the others waiting, even where it would have come first.
//!
//! *Wide jobs.* A job of several cores would never run while single cores are given away as they become free.
//! Therefore a waiting wide job that fits nowhere keeps the emptiest worker that is large enough for it: nobody who is
//! served after it gets a core of this worker. The younger jobs of its client wait behind it, too. So the client's
//! share shrinks until it is the first of its equals to be served, and stays it until the job fits.

use super::client::{Job, Offer, Phase};
use super::fleet::Worker;
use super::{Broker, Client};
use jl_messages::{ClientId, DropReason, JobId, Notice, Order, Submit, WorkerId};
use std::collections::BTreeSet;

impl Broker {
    pub(super) fn place(&mut self) {
        while self.fleet.has_idle() {
            let mut ranked: Vec<_> = (self.clients.iter())
                .filter(|(_, c)| !c.waiting.is_empty() || c.may_be_offered())
                .map(|(id, c)| (c.rank(), *id))
                .collect();
            ranked.sort_unstable();
            // Whoever is served gets another rank, and so whatever is kept is kept for this turn alone.
            let mut kept = BTreeSet::new();
            if !ranked.into_iter().any(|(_, id)| self.serve(id, &mut kept)) {
                break;
            }
        }
    }

    /// Places a waiting job of this client or makes it an offer. False if it can use none of the idle workers.
    fn serve(&mut self, id: ClientId, kept: &mut BTreeSet<WorkerId>) -> bool {
        if let Some((job, worker)) = self.fitting_job(id, kept) {
            self.assign(id, job, worker);
        } else if let Some(worker) = self.worker_to_offer(id, kept) {
            self.offer(id, worker);
        } else {
            return false;
        }
        let now = self.next_sequence();
        if let Some(client) = self.clients.get_mut(&id) {
            client.served = now;
        }
        true
    }

    fn fitting_job(&self, id: ClientId, kept: &mut BTreeSet<WorkerId>) -> Option<(JobId, WorkerId)> {
        let client = self.clients.get(&id)?;
        let mut full = BTreeSet::new(); // Programs without a free core: looked for once, however many jobs wait.
        for (_, _, job) in &client.waiting {
            let Submit { program, cores, .. } = &client.jobs[job].submit;
            if full.contains(program.as_str()) {
                continue;
            }
            let able =
                |(id, w): &(WorkerId, &Worker)| w.has(program) && w.cores >= *cores && !kept.contains(id);
            match self.fleet.idle().find(able) {
                Some((worker, w)) if w.free() >= *cores => return Some((*job, worker)),
                emptiest if *cores > 1 => {
                    kept.extend(emptiest.map(|(worker, _)| worker));
                    return None;
                }
                _ => {
                    full.insert(program.as_str());
                }
            }
        }
        None
    }

    fn worker_to_offer(&self, id: ClientId, kept: &BTreeSet<WorkerId>) -> Option<WorkerId> {
        let client = self.clients.get(&id).filter(|c| c.may_be_offered())?;
        self.fleet.idle().find(|(id, w)| !kept.contains(id) && client.suits(w)).map(|(id, _)| id)
    }

    fn offer(&mut self, id: ClientId, worker: WorkerId) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        client.offer = Offer::Of(worker);
        client.held += 1;
        self.fleet.change(worker, |w| w.offered += 1);
        self.notify(id, Notice::WorkerAvailable);
    }

    /// Gives a waiting job to a worker that has the room.
    pub(super) fn assign(&mut self, id: ClientId, job: JobId, worker: WorkerId) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        let Client { jobs, waiting, held, .. } = client;
        let Some(record) = jobs.get_mut(&job) else { return };
        waiting.remove(&record.turn());
        record.phase = Phase::Assigned(worker);
        *held += u64::from(record.submit.cores);
        let ticket = record.ticket(id);
        let Submit { program, input, cores, time_limit, .. } = record.submit.clone();
        self.fleet.change(worker, |w| w.start(ticket, cores));
        self.order(worker, Order::Assign { ticket, program, input, cores, time_limit });
        self.notify(id, Notice::Assigned { job, worker });
    }

    /// Drops the waiting jobs that none of the present workers could ever run.
    pub(super) fn refuse_hopeless(&mut self) {
        if !std::mem::take(&mut self.recheck) {
            return;
        }
        let mut refused = Vec::new();
        for (id, client) in &self.clients {
            let waiting = client.waiting.iter().map(|(_, _, job)| &client.jobs[job]);
            refused.extend(waiting.filter_map(|Job { submit, .. }| {
                Some((*id, submit.job, self.fleet.why_not(&submit.program, submit.cores)?))
            }));
        }
        for (id, job, why) in refused {
            self.clients.get_mut(&id).and_then(|c| c.remove(job));
            self.notify(id, Notice::Dropped { job, reason: DropReason::Refused(why) });
        }
    }
}
