//! Anything in any order: the invariants hold, every job ends exactly once, and no worker or client is overrun.

use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const PROGRAMS: [&str; 2] = ["engine", "other"];

#[derive(Clone, Debug)]
enum Step {
    Hello { client: u32, priority: i32, programs: usize },
    Submit { client: u32, program: usize, cores: u32, priority: i32, abortable: bool, reassign: u32 },
    Decline(u32),
    Ready(u32),
    Abort { client: u32, choice: usize },
    AbortUnknown(u32),
    Stdin { client: u32, choice: usize },
    SetCores { client: u32, choice: usize, cores: u32 },
    Leave(u32),
    WorkerHello { worker: u32, cores: u32, programs: usize },
    WorkerGone(u32),
    Sleep(u32),
    Wake(u32),
    Resize { worker: u32, cores: u32 },
    Report { choice: usize, kind: u8 },
    Stale { choice: usize, worker: u32 },
    Tick(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let (c, w, n) = (0_u32..3, 0_u32..4, 0_usize..1000);
    prop_oneof![
        3 => (c.clone(), 0..2_i32, 0..3_usize)
            .prop_map(|(client, priority, programs)| Step::Hello { client, priority, programs }),
        20 => (c.clone(), 0..2_usize, 1..4_u32, 0..2_i32, prop::bool::weighted(0.8), 0..3_u32).prop_map(
            |(client, program, cores, priority, abortable, reassign)|
                Step::Submit { client, program, cores, priority, abortable, reassign }),
        3 => c.clone().prop_map(Step::Decline),
        5 => c.clone().prop_map(Step::Ready),
        5 => (c.clone(), n.clone()).prop_map(|(client, choice)| Step::Abort { client, choice }),
        1 => c.clone().prop_map(Step::AbortUnknown),
        1 => (c.clone(), n.clone()).prop_map(|(client, choice)| Step::Stdin { client, choice }),
        3 => (c.clone(), n.clone(), 0..5_u32)
            .prop_map(|(client, choice, cores)| Step::SetCores { client, choice, cores }),
        1 => c.prop_map(Step::Leave),
        6 => (w.clone(), 0..5_u32, 0..3_usize)
            .prop_map(|(worker, cores, programs)| Step::WorkerHello { worker, cores, programs }),
        2 => w.clone().prop_map(Step::WorkerGone),
        2 => w.clone().prop_map(Step::Sleep),
        3 => w.clone().prop_map(Step::Wake),
        2 => (w.clone(), 0..5_u32).prop_map(|(worker, cores)| Step::Resize { worker, cores }),
        25 => (n.clone(), 0..6_u8).prop_map(|(choice, kind)| Step::Report { choice, kind }),
        3 => (n, w).prop_map(|(choice, worker)| Step::Stale { choice, worker }),
        2 => (0..2000_u64).prop_map(Step::Tick),
    ]
}

/// Both programs, or one of them.
fn programs(choice: usize) -> Vec<String> {
    PROGRAMS.iter().enumerate().filter(|(i, _)| *i != choice).map(|(_, p)| (*p).to_owned()).collect()
}

/// What an onlooker of all messages knows.
struct Onlooker {
    broker: Checked,
    now: u64,
    next_job: u64,
    /// Clients that said Hello, with their unfinished jobs: the jobs they want aborted are true.
    clients: BTreeMap<ClientId, BTreeMap<JobId, bool>>,
    offers: BTreeSet<ClientId>,
    /// Who said that it wants no work.
    declined: BTreeSet<ClientId>,
    unabortable: BTreeSet<JobId>,
    /// The workers and their cores.
    workers: BTreeMap<WorkerId, u32>,
    /// What the workers were given and have not ended.
    running: BTreeMap<(WorkerId, Ticket), u32>,
    /// Everything that ever ran.
    tickets: Vec<Ticket>,
}

impl Onlooker {
    fn new() -> Onlooker {
        let config = BrokerConfig { heartbeat: Some(Duration::from_secs(1)) };
        Onlooker {
            broker: Checked(Broker::new(config)),
            now: 0,
            next_job: 0,
            clients: BTreeMap::new(),
            offers: BTreeSet::new(),
            declined: BTreeSet::new(),
            unabortable: BTreeSet::new(),
            workers: BTreeMap::new(),
            running: BTreeMap::new(),
            tickets: vec![],
        }
    }

    fn take(&mut self, event: BrokerEvent) {
        let commands = self.broker.handle(event);
        for command in commands {
            match command {
                BrokerCommand::ToClient(id, notice) => self.client_hears(id, notice),
                BrokerCommand::ToWorker(id, order) => self.worker_hears(id, order),
            }
        }
        // Workers that were silent for too long are given up without a word.
        let known: BTreeSet<WorkerId> = self.broker.0.info().workers.iter().map(|w| w.worker).collect();
        self.workers.retain(|w, _| known.contains(w));
        self.running.retain(|(w, _), _| known.contains(w));
    }

    fn client_hears(&mut self, id: ClientId, notice: Notice) {
        assert!(self.clients.contains_key(&id), "{id} is unknown and hears {notice:?}");
        if notice == Notice::WorkerAvailable {
            assert!(!self.declined.contains(&id), "{id} declined and gets an offer");
            assert!(self.offers.insert(id), "{id} has two offers");
        } else if let Some(job) = notice.ends() {
            let ended = self.clients.get_mut(&id).unwrap().remove(&job);
            let aborted = ended.unwrap_or_else(|| panic!("{id}/{job} ended already, and again: {notice:?}"));
            assert!(!aborted || matches!(notice, Notice::AbortAck { .. }), "aborted, but {notice:?}");
        }
    }

    fn worker_hears(&mut self, id: WorkerId, order: Order) {
        match order {
            Order::Assign { ticket, cores, .. } => {
                assert!(!self.tickets.contains(&ticket) || !self.running.keys().any(|(_, t)| *t == ticket));
                self.tickets.push(ticket);
                self.running.insert((id, ticket), cores);
                let sum: u32 = self.running.iter().filter(|((w, _), _)| *w == id).map(|(_, c)| c).sum();
                assert!(sum <= self.workers[&id], "{id} is overrun");
            }
            Order::SetCores { ticket, cores } => {
                *self.running.get_mut(&(id, ticket)).unwrap() = cores;
            }
            Order::Abort { ticket } | Order::Stdin { ticket, .. } => {
                assert!(self.running.contains_key(&(id, ticket)), "{id} does not have {ticket}");
            }
        }
    }

    fn job_of(&self, id: u32, choice: usize) -> Option<JobId> {
        let jobs = self.clients.get(&ClientId(id))?;
        jobs.keys().nth(choice % jobs.len().max(1)).copied()
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Hello { client: id, priority, programs: p } => {
                self.forget(id);
                self.clients.insert(ClientId(id), BTreeMap::new());
                self.take(client(id, Request::Hello { priority, programs: programs(p) }));
            }
            Step::Submit { client: id, program, cores, priority, abortable, reassign } => {
                let Some(jobs) = self.clients.get_mut(&ClientId(id)) else { return };
                self.next_job += 1;
                let program = PROGRAMS[program].to_owned();
                let submitted =
                    Submit { program, cores, priority, abortable, reassign, ..job(self.next_job) };
                jobs.insert(submitted.job, false);
                self.offers.remove(&ClientId(id));
                if !abortable {
                    self.unabortable.insert(submitted.job);
                }
                self.take(submit(id, submitted));
            }
            Step::Decline(id) => {
                self.offers.remove(&ClientId(id));
                if self.clients.contains_key(&ClientId(id)) {
                    self.declined.insert(ClientId(id));
                }
                self.take(client(id, Request::Decline));
            }
            Step::Ready(id) => {
                self.declined.remove(&ClientId(id));
                self.take(client(id, Request::Ready));
            }
            Step::Abort { client: id, choice } => {
                let Some(job) = self.job_of(id, choice) else { return };
                if !self.unabortable.contains(&job) {
                    self.clients.get_mut(&ClientId(id)).unwrap().insert(job, true);
                }
                self.take(abort(id, job.0));
            }
            Step::AbortUnknown(id) => {
                self.broker.expect(abort(id, 1_000_000), [acked(id, 1_000_000)]);
            }
            Step::Stdin { client: id, choice } => {
                let Some(job) = self.job_of(id, choice) else { return };
                self.take(client(id, Request::Stdin { job, line: "a line".into() }));
            }
            Step::SetCores { client: id, choice, cores } => {
                let Some(job) = self.job_of(id, choice) else { return };
                self.take(client(id, Request::SetCores { job, cores }));
            }
            Step::Leave(id) => {
                self.forget(id);
                self.take(client(id, Request::Leave));
            }
            Step::WorkerHello { worker: id, cores, programs: p } => {
                self.running.retain(|(w, _), _| *w != WorkerId(id));
                self.workers.insert(WorkerId(id), cores);
                self.take(worker(id, Report::Hello { cores, programs: programs(p) }));
            }
            Step::WorkerGone(id) => self.take(BrokerEvent::WorkerGone(WorkerId(id))),
            Step::Sleep(id) => self.take(worker(id, Report::Sleep)),
            Step::Wake(id) => self.take(worker(id, Report::Wake)),
            Step::Resize { worker: id, cores } => {
                if let Some(present) = self.workers.get_mut(&WorkerId(id)) {
                    *present = cores;
                }
                self.take(worker(id, Report::SetCores { cores }));
            }
            Step::Report { choice, kind } => {
                let Some(((at, ticket), cores)) = self.running.iter().nth(choice % self.running.len().max(1))
                else {
                    return;
                };
                let (at, ticket, cores, cpu) = (*at, *ticket, *cores, Duration::ZERO);
                let report = match kind {
                    0 => Report::Doing { ticket },
                    1 => Report::Message { ticket, line: "a line".into() },
                    2 => Report::CoresSet { ticket, cores },
                    3 => Report::Failed { ticket, failure: Failure::Crashed("storm".into()), cpu },
                    4 => Report::AbortAck { ticket },
                    _ => Report::Done { ticket, output: vec![], cpu },
                };
                if kind > 2 {
                    self.running.remove(&(at, ticket));
                }
                self.take(worker(at.0, report));
            }
            Step::Stale { choice, worker: at } => {
                let Some(ticket) = self.tickets.get(choice % self.tickets.len().max(1)).copied() else {
                    return;
                };
                if !self.running.contains_key(&(WorkerId(at), ticket)) {
                    self.broker.expect(done(at, ticket), []);
                }
            }
            Step::Tick(milliseconds) => {
                self.now += milliseconds;
                self.take(BrokerEvent::Tick(Duration::from_millis(self.now)));
            }
        }
    }

    /// A client leaves: it must hear nothing more of what it had.
    fn forget(&mut self, id: u32) {
        self.clients.remove(&ClientId(id));
        self.offers.remove(&ClientId(id));
        self.declined.remove(&ClientId(id));
    }

    /// The storm is over: the clients want nothing new, one large worker comes, and all workers answer.
    fn calm_down(&mut self) {
        self.step(Step::WorkerHello { worker: 9, cores: 8, programs: 2 });
        for id in self.clients.keys().copied().collect::<Vec<_>>() {
            self.step(Step::Decline(id.0));
        }
        while !self.running.is_empty() {
            self.step(Step::Report { choice: 0, kind: 5 });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn every_job_ends_exactly_once(steps in prop::collection::vec(step(), 1..200)) {
        let mut world = Onlooker::new();
        for step in steps {
            world.step(step);
        }
        world.calm_down();
        for (id, jobs) in &world.clients {
            prop_assert!(jobs.is_empty(), "{id} still waits for {jobs:?}");
        }
        let info = world.broker.0.info();
        prop_assert_eq!(info.jobs, vec![]);
        prop_assert!(info.workers.iter().all(|w| w.busy == 0));
    }
}
