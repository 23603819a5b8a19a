//! The broker core: which free core is offered to which client, and which job runs on which worker.
//!
//! It is a pure state machine, [`Broker::handle`]: an event in, commands out. It has no clock (time comes as
//! [`BrokerEvent::Tick`]), no thread and no socket, and it walks only ordered maps, so that the same events always
//! give the same commands. The drivers around it (threads, network, virtual time) do the rest.
//!
//! **Late binding.** A free core is offered to one client, which chooses its job only then. An offer is outstanding
//! until the client submits or declines. The core is kept for it that long, and a client has at most one outstanding
//! offer. A client that declined is left alone until it says `Ready`. Submitting without an offer is allowed; such
//! jobs wait here.
//!
//! **Who is served** (`placing`). A free core goes to the client of the highest priority; among equals to the one that
//! holds the fewest cores (running and offered); among those to the one served least recently. The client so chosen
//! gets its first waiting job placed, by job priority, then age; if it has none, it is made an offer. Waiting jobs and
//! offers of different clients compete in the *same* order on purpose: were all waiting jobs placed before any offer,
//! a client that submits ahead would starve one of equal or higher priority that binds late.
//!
//! **Ends.** Every job that a client submitted ends exactly once for it: `Done`, `Failed`, `Dropped` or `AbortAck`.
//! Each assignment has its own [`Ticket`]; a report whose ticket that worker does not hold is late or a duplicate and
//! is ignored. Once the broker has a client's abort, the client hears `AbortAck` and nothing else of that job, whichever
//! of the worker's answers wins the race; an abort of a job that has ended is acknowledged too, so that nobody waits
//! for ever. An abort of a running job that is not abortable is ignored.
//!
//! **Trust.** What clients and workers say is data: an unknown id, a repeated message or an answer nobody asked for
//! changes nothing, or gets an answer that ends the wait. Only a broken invariant of the broker itself panics
//! ([`Broker::check`]).

mod check;
mod client;
mod fleet;
mod placing;
mod reports;
mod requests;

use client::Client;
use fleet::Fleet;
use jl_messages::{ClientId, Notice, Order, Report, Request, Ticket, WorkerId};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What happens to the broker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BrokerEvent {
    Client(ClientId, Request),
    /// The connection to the client broke; the same as [`Request::Leave`].
    ClientGone(ClientId),
    Worker(WorkerId, Report),
    /// The connection to the worker broke; the same as [`Report::Bye`].
    WorkerGone(WorkerId),
    /// The time since the start. Never goes back.
    Tick(Duration),
}

/// What the broker wants sent, in this order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BrokerCommand {
    ToClient(ClientId, Notice),
    ToWorker(WorkerId, Order),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BrokerConfig {
    /// A worker that is silent for three of these is lost. `None`: never, the driver sees by itself who is gone.
    pub heartbeat: Option<Duration>,
}

/// The broker core. See the [module](self).
#[derive(Debug)]
pub struct Broker {
    config: BrokerConfig,
    now: Duration,
    clients: BTreeMap<ClientId, Client>,
    fleet: Fleet,
    /// What still runs at a worker though its client left. It keeps its cores until the worker answers.
    orphans: BTreeSet<Ticket>,
    /// Counts submissions and servings: the age of a job, and when a client was last served.
    sequence: u64,
    /// Whether a waiting job may have become one that no worker can run.
    recheck: bool,
    out: Vec<BrokerCommand>,
}

impl Broker {
    #[must_use]
    pub fn new(config: BrokerConfig) -> Broker {
        Broker {
            config,
            now: Duration::ZERO,
            clients: BTreeMap::new(),
            fleet: Fleet::default(),
            orphans: BTreeSet::new(),
            sequence: 0,
            recheck: false,
            out: Vec::new(),
        }
    }

    /// Takes one event and returns what must be sent because of it.
    pub fn handle(&mut self, event: BrokerEvent) -> Vec<BrokerCommand> {
        match event {
            BrokerEvent::Client(client, request) => self.request(client, request),
            BrokerEvent::ClientGone(client) => self.forget_client(client),
            BrokerEvent::Worker(worker, report) => self.report(worker, report),
            BrokerEvent::WorkerGone(worker) => self.lose_worker(worker),
            BrokerEvent::Tick(now) => self.tick(now),
        }
        self.refuse_hopeless();
        self.place();
        std::mem::take(&mut self.out)
    }

    fn tick(&mut self, now: Duration) {
        self.now = self.now.max(now);
        if let Some(heartbeat) = self.config.heartbeat {
            for worker in self.fleet.silent_since(self.now.checked_sub(heartbeat.saturating_mul(3))) {
                self.lose_worker(worker);
            }
        }
    }

    fn notify(&mut self, client: ClientId, notice: Notice) {
        self.out.push(BrokerCommand::ToClient(client, notice));
    }

    fn order(&mut self, worker: WorkerId, order: Order) {
        self.out.push(BrokerCommand::ToWorker(worker, order));
    }

    fn next_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }
}
