//! Higher priority first, and equal priority shares evenly.
//!
//! *The law of placing.* A core never goes to a client while another wants work, has no offer outstanding, and has a
//! higher priority, or the same and holds fewer cores; a free core goes to somebody as long as anybody wants it.
//!
//! For the laws of the shares the clients always want work, answer an offer by submitting a one-core job, and answer in the order in which
//! they were asked, before the next worker says anything. Then, whenever no offer is outstanding:
//!
//! 1. *Even share.* If all clients were there before the first worker, and no worker is lost, the cores that any two
//!    of them hold differ by at most one.
//! 2. *Evening out.* After a client came late or a worker was lost, the greatest difference never grows, and it is at
//!    most one as soon as all jobs that ran then have ended.

use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Greedy clients at one broker.
struct Crowd {
    broker: Checked,
    held: BTreeMap<ClientId, usize>,
    running: Vec<(WorkerId, Ticket)>,
    next_job: u64,
}

impl Crowd {
    fn new(clients: u32) -> Crowd {
        let mut crowd = Crowd { broker: Checked::new(), held: BTreeMap::new(), running: vec![], next_job: 0 };
        (0..clients).for_each(|id| crowd.join(id));
        crowd
    }

    fn join(&mut self, id: u32) {
        self.held.insert(ClientId(id), 0);
        self.take(hello(id, 0));
    }

    /// The event, and the answers of the clients until no offer is outstanding.
    fn take(&mut self, event: BrokerEvent) {
        let mut events = VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            for command in self.broker.handle(event) {
                match command {
                    BrokerCommand::ToClient(id, Notice::WorkerAvailable) => {
                        self.next_job += 1;
                        events.push_back(submit(id.0, job(self.next_job)));
                    }
                    BrokerCommand::ToWorker(at, Order::Assign { ticket, .. }) => {
                        *self.held.get_mut(&ticket.client).unwrap() += 1;
                        self.running.push((at, ticket));
                    }
                    _ => {}
                }
            }
        }
    }

    fn end_one(&mut self, choice: usize) -> Option<Ticket> {
        if self.running.is_empty() {
            return None;
        }
        let (at, ticket) = self.running.swap_remove(choice % self.running.len());
        *self.held.get_mut(&ticket.client).unwrap() -= 1;
        self.take(done(at.0, ticket));
        Some(ticket)
    }

    fn lose(&mut self, worker: WorkerId) {
        let held = &mut self.held;
        self.running.retain(|(at, ticket)| {
            let stays = *at != worker;
            *held.get_mut(&ticket.client).unwrap() -= usize::from(!stays);
            stays
        });
        self.take(BrokerEvent::WorkerGone(worker));
    }

    fn gap(&self) -> usize {
        self.held.values().max().unwrap_or(&0) - self.held.values().min().unwrap_or(&0)
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    WorkerJoins(u32),
    JobEnds(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        1 => (1_u32..6).prop_map(Step::WorkerJoins),
        8 => (0_usize..1000).prop_map(Step::JobEnds),
    ];
    prop::collection::vec(step, 1..120)
}

/// Clients that answer when and as they like.
#[derive(Default)]
struct Moody {
    priority: i32,
    declined: bool,
    offered: bool,
    running: usize,
}

impl Moody {
    fn may_be_offered(&self) -> bool {
        !self.declined && !self.offered
    }

    fn held(&self) -> usize {
        self.running + usize::from(self.offered)
    }
}

#[derive(Clone, Copy, Debug)]
enum Mood {
    Submits(u32),
    Declines(u32),
    Ready(u32),
    WorkerJoins(u32),
    JobEnds(usize),
}

fn moods() -> impl Strategy<Value = Vec<Mood>> {
    let mood = prop_oneof![
        10 => (0_u32..5).prop_map(Mood::Submits),
        2 => (0_u32..5).prop_map(Mood::Declines),
        3 => (0_u32..5).prop_map(Mood::Ready),
        1 => (1_u32..6).prop_map(Mood::WorkerJoins),
        8 => (0_usize..1000).prop_map(Mood::JobEnds),
    ];
    prop::collection::vec(mood, 1..200)
}

proptest! {
    #[test]
    fn equal_priority_holds_even_shares(clients in 1_u32..7, steps in steps()) {
        let mut crowd = Crowd::new(clients);
        let (mut workers, mut cores) = (0, 0);
        for step in steps {
            match step {
                Step::WorkerJoins(n) => {
                    crowd.take(joins(workers, n));
                    workers += 1;
                    cores += n as usize;
                }
                Step::JobEnds(choice) => {
                    crowd.end_one(choice);
                }
            }
            prop_assert!(crowd.gap() <= 1, "{:?}", crowd.held);
            prop_assert_eq!(crowd.running.len(), cores, "a core is idle");
        }
    }

    #[test]
    fn shares_even_out_after_a_late_client_and_a_lost_worker(
        clients in 1_u32..5,
        workers in prop::collection::vec(1_u32..6, 2..6),
        lost in prop::option::of(0_u32..2),
        choices in prop::collection::vec(0_usize..1000, 400),
    ) {
        let mut crowd = Crowd::new(clients);
        for (id, cores) in workers.iter().enumerate() {
            crowd.take(joins(id as u32, *cores));
        }
        crowd.join(clients);
        if let Some(id) = lost {
            crowd.lose(WorkerId(id));
        }
        let mut old: BTreeSet<Ticket> = crowd.running.iter().map(|(_, ticket)| *ticket).collect();
        let mut gap = crowd.gap();
        for choice in choices {
            if let Some(ticket) = crowd.end_one(choice) {
                old.remove(&ticket);
            }
            prop_assert!(crowd.gap() <= gap.max(1), "{:?}", crowd.held);
            gap = crowd.gap();
            prop_assert!(!old.is_empty() || gap <= 1, "{:?}", crowd.held);
        }
    }

    /// All others are greedy, and so is its own client: a wide job runs nevertheless, once its client holds nothing,
    /// every other had its turn, and what ran then has ended.
    #[test]
    fn a_wide_job_is_never_starved(
        clients in 1_u32..5,
        workers in prop::collection::vec(2_u32..6, 1..5),
        choices in prop::collection::vec(0_usize..1000, 1000),
    ) {
        let mut crowd = Crowd::new(clients);
        for (id, cores) in workers.iter().enumerate() {
            crowd.take(joins(id as u32, *cores));
        }
        let wide = Submit { cores: *workers.iter().max().unwrap(), ..job(1_000_000) };
        let placed = |c: &Crowd| c.running.iter().any(|(_, t)| t.job == wide.job);
        crowd.take(submit(0, wide.clone()));
        let mut choices = choices.into_iter();
        for _generation in 0..clients + 2 {
            let mut old: BTreeSet<Ticket> = crowd.running.iter().map(|(_, ticket)| *ticket).collect();
            while let (false, false, Some(choice)) = (old.is_empty(), placed(&crowd), choices.next()) {
                if let Some(ticket) = crowd.end_one(choice) {
                    old.remove(&ticket);
                }
            }
        }
        prop_assert!(placed(&crowd) || choices.next().is_none(), "{:?}", crowd.running);
    }

    /// With fewer cores than clients nobody is passed over: between two turns of a client every other has one.
    #[test]
    fn a_single_core_goes_round(clients in 1_u32..7, turns in 1_usize..40) {
        let mut crowd = Crowd::new(clients);
        crowd.take(joins(0, 1));
        for turn in 0..turns {
            let ticket = crowd.end_one(0).unwrap();
            prop_assert_eq!(ticket.client.0 as usize, turn % clients as usize);
        }
    }

    #[test]
    fn the_law_of_placing(priorities in prop::collection::vec(0..2, 5), moods in moods()) {
        let mut broker = Checked::new();
        let mut clients: Vec<Moody> = vec![];
        for (id, priority) in priorities.into_iter().enumerate() {
            broker.handle(hello(id as u32, priority));
            clients.push(Moody { priority, ..Moody::default() });
        }
        let mut running = vec![];
        let (mut workers, mut cores) = (0, 0);
        for (n, mood) in moods.into_iter().enumerate() {
            let event = match mood {
                Mood::Submits(id) if clients[id as usize].offered => {
                    clients[id as usize].offered = false;
                    submit(id, job(n as u64))
                }
                Mood::Declines(id) if clients[id as usize].offered => {
                    clients[id as usize].offered = false;
                    clients[id as usize].declined = true;
                    client(id, Request::Decline)
                }
                Mood::Ready(id) => {
                    clients[id as usize].declined = false;
                    client(id, Request::Ready)
                }
                Mood::WorkerJoins(n) => {
                    workers += 1;
                    cores += n as usize;
                    joins(workers, n)
                }
                Mood::JobEnds(choice) if !running.is_empty() => {
                    let (at, ticket): (WorkerId, Ticket) = running.swap_remove(choice % running.len());
                    clients[ticket.client.0 as usize].running -= 1;
                    done(at.0, ticket)
                }
                _ => continue,
            };
            for command in broker.handle(event) {
                match command {
                    BrokerCommand::ToWorker(at, Order::Assign { ticket, .. }) => {
                        clients[ticket.client.0 as usize].running += 1;
                        running.push((at, ticket));
                    }
                    BrokerCommand::ToClient(id, Notice::WorkerAvailable) => {
                        let chosen = &clients[id.0 as usize];
                        prop_assert!(chosen.may_be_offered(), "{id} gets an offer out of turn");
                        for other in clients.iter().filter(|c| c.may_be_offered()) {
                            prop_assert!(other.priority <= chosen.priority, "{id} has a lower priority");
                            let equal = other.priority == chosen.priority;
                            prop_assert!(!equal || other.held() >= chosen.held(), "{id} holds more");
                        }
                        clients[id.0 as usize].offered = true;
                    }
                    _ => {}
                }
            }
            let held: usize = clients.iter().map(Moody::held).sum();
            prop_assert!(held <= cores);
            prop_assert!(held == cores || !clients.iter().any(Moody::may_be_offered), "a core is idle");
        }
    }
}
