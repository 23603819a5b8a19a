//! The virtual workers and the loop over the events.

use super::network::{CLIENT, Lane, Network, exponential};
use super::{Answers, SimAnswer, SimError, SimOptions, SimResult, StuckCause};
use crate::broker::{Broker, BrokerCommand, BrokerConfig, BrokerEvent};
use jl_messages::{Driven, Failure, Input, Notice, Order, Report, Request, Ticket, WorkerId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::Duration;

enum Event {
    ToBroker(BrokerEvent),
    ToWorker(WorkerId, Order),
    ToClient {
        notice: Notice,
        duplicate: bool,
    },
    /// A worker appears.
    Join,
    /// The job ends as it was decided when it began. Void if it was aborted meanwhile.
    End(WorkerId, Ticket),
    /// It prints a line. Likewise.
    Line(WorkerId, Ticket, String),
}

/// What a worker is doing.
struct Running {
    ticket: Ticket,
    since: Duration,
    /// `None`: the worker vanishes instead of answering.
    report: Option<Report>,
}

pub(super) struct World<'a> {
    options: &'a SimOptions,
    answers: &'a mut dyn Answers,
    rng: fastrand::Rng,
    network: Network,
    broker: Broker,
    programs: Vec<String>,
    workers: BTreeMap<WorkerId, Option<Running>>,
    next_worker: u32,
    now: Duration,
    /// Events with their time and the order in which they were caused, which makes ties deterministic.
    heap: BinaryHeap<Reverse<Entry>>,
    caused: u64,
    /// The durations of all jobs begun, for the delay of duplicates.
    begun: (Duration, u32),
    result: SimResult,
}

struct Entry {
    time: Duration,
    sequence: u64,
    event: Event,
}

impl Entry {
    fn key(&self) -> (Duration, u64) {
        (self.time, self.sequence)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl<'a> World<'a> {
    pub fn new(options: &'a SimOptions, answers: &'a mut dyn Answers) -> World<'a> {
        World {
            options,
            answers,
            rng: fastrand::Rng::with_seed(options.seed),
            network: Network::new(options),
            broker: Broker::new(BrokerConfig { heartbeat: None }),
            programs: options.programs.clone(),
            workers: BTreeMap::new(),
            next_worker: 0,
            now: Duration::ZERO,
            heap: BinaryHeap::new(),
            caused: 0,
            begun: (Duration::ZERO, 0),
            result: SimResult::default(),
        }
    }

    pub fn run<C: Driven + ?Sized>(
        mut self,
        client: &mut C,
        after_each: &mut dyn FnMut(&C),
    ) -> Result<SimResult, SimError> {
        let requests = client.begin();
        after_each(client);
        self.send_requests(requests);
        for _ in 0..self.options.workers {
            self.at(Duration::ZERO, Event::Join);
        }
        while !client.is_over() {
            let Some(Reverse(Entry { time, event, .. })) = self.heap.pop() else {
                return Err(self.stuck(StuckCause::NothingToHappen));
            };
            if self.result.events == self.options.max_events {
                return Err(self.stuck(StuckCause::TooManyEvents(self.result.events)));
            }
            self.result.events += 1;
            self.now = time;
            match event {
                Event::ToBroker(event) => self.broker_takes(event),
                Event::ToWorker(worker, order) => self.worker_takes(worker, order),
                Event::ToClient { notice, duplicate } => {
                    self.count(&notice, duplicate);
                    let requests = client
                        .receive(vec![notice])
                        .map_err(|source| SimError::Client { time: self.now, source })?;
                    after_each(client);
                    self.send_requests(requests);
                }
                Event::Join => self.join(),
                Event::End(worker, ticket) => self.end(worker, ticket),
                Event::Line(worker, ticket, line) => self.say(worker, ticket, line),
            }
        }
        let unfinished = self.workers.values().flatten().map(|r| self.now - r.since);
        let busy = unfinished.fold(self.result.busy, Duration::saturating_add);
        Ok(SimResult { virtual_time: self.now, busy, ..self.result })
    }

    fn stuck(&self, cause: StuckCause) -> SimError {
        SimError::Stuck { cause, time: self.now, jobs: self.broker.info().jobs }
    }

    fn at(&mut self, time: Duration, event: Event) {
        self.caused += 1;
        self.heap.push(Reverse(Entry { time, sequence: self.caused, event }));
    }

    fn after(&mut self, delay: Duration, event: Event) {
        self.at(self.now.saturating_add(delay), event);
    }

    fn send(&mut self, lane: Lane, event: Event) {
        let time = self.network.arrival(self.now, lane, &mut self.rng);
        self.at(time, event);
    }

    fn send_requests(&mut self, requests: Vec<Request>) {
        for request in requests {
            if let Request::Hello { programs, .. } = &request
                && self.programs.is_empty()
            {
                self.programs.clone_from(programs);
            }
            self.send(Lane::ClientToBroker, Event::ToBroker(BrokerEvent::Client(CLIENT, request)));
        }
    }

    fn send_report(&mut self, worker: WorkerId, report: Report) {
        self.send(Lane::WorkerToBroker(worker), Event::ToBroker(BrokerEvent::Worker(worker, report)));
    }

    fn broker_takes(&mut self, event: BrokerEvent) {
        for command in self.broker.handle(event) {
            match command {
                BrokerCommand::ToWorker(worker, order) => {
                    self.send(Lane::BrokerToWorker(worker), Event::ToWorker(worker, order));
                }
                BrokerCommand::ToClient(_, notice) => self.send_notice(notice),
            }
        }
    }

    fn send_notice(&mut self, notice: Notice) {
        let lane = self.network.lane_of(&notice);
        let time = self.network.arrival(self.now, lane, &mut self.rng);
        if notice.ends().is_none() {
            self.at(time, Event::ToClient { notice, duplicate: false });
            return;
        }
        self.network.close(lane);
        self.at(time, Event::ToClient { notice: notice.clone(), duplicate: false });
        if self.rng.f64() < self.options.duplicate {
            // Late by about a job's time: other jobs have begun and ended in between.
            let delay = exponential(self.begun.0 / self.begun.1.max(1), &mut self.rng);
            self.at(time.saturating_add(delay), Event::ToClient { notice, duplicate: true });
        }
    }

    fn count(&mut self, notice: &Notice, duplicate: bool) {
        match notice {
            _ if duplicate => self.result.duplicates += 1,
            Notice::Done { .. } => self.result.done += 1,
            Notice::Failed { .. } => self.result.failed += 1,
            Notice::AbortAck { .. } => self.result.aborted += 1,
            _ => {}
        }
    }

    fn join(&mut self) {
        let worker = WorkerId(self.next_worker);
        self.next_worker += 1;
        self.workers.insert(worker, None);
        self.send_report(worker, Report::Hello { cores: 1, programs: self.programs.clone() });
    }

    fn worker_takes(&mut self, worker: WorkerId, order: Order) {
        // Orders to a worker that has vanished are lost with it.
        let Some(running) = self.workers.get_mut(&worker) else { return };
        match order {
            Order::Assign { ticket, program, input, time_limit, .. } => {
                assert!(running.is_none(), "the one-core {worker} was given {ticket} while it was busy");
                self.begin(worker, ticket, &program, &input, time_limit);
            }
            Order::Abort { ticket } => {
                if let Some(stopped) = running.take_if(|r| r.ticket == ticket) {
                    self.add_busy(stopped.since);
                    self.send_report(worker, Report::AbortAck { ticket });
                }
            }
            Order::SetCores { ticket, .. } => self.send_report(worker, Report::CoresSet { ticket, cores: 1 }),
            Order::Stdin { .. } => {}
        }
    }

    /// Begins a job, and decides how it will end.
    fn begin(
        &mut self,
        worker: WorkerId,
        ticket: Ticket,
        program: &str,
        input: &Input,
        limit: Option<Duration>,
    ) {
        let SimAnswer { output, duration, lines } = self.answers.answer(program, input);
        self.begun = (self.begun.0.saturating_add(duration), self.begun.1.saturating_add(1));
        let over = limit.filter(|limit| *limit < duration);
        let time = over.unwrap_or(duration);
        let vanishes = self.rng.f64() < self.options.loss;
        let crashes = self.rng.f64() < self.options.failure;
        let part = self.rng.f64();
        let report = if let Some(limit) = over {
            let failure = Failure::TimedOut(format!("over the limit of {limit:?}"));
            Report::Failed { ticket, failure, cpu: time }
        } else if crashes {
            Report::Failed { ticket, failure: Failure::Crashed("simulated".to_owned()), cpu: time }
        } else {
            Report::Done { ticket, output, cpu: time }
        };
        let running = Running { ticket, since: self.now, report: (!vanishes).then_some(report) };
        self.workers.insert(worker, Some(running));
        self.send_report(worker, Report::Doing { ticket });
        for (when, line) in lines {
            self.after(when, Event::Line(worker, ticket, line));
        }
        self.after(if vanishes { time.mul_f64(part) } else { time }, Event::End(worker, ticket));
    }

    fn say(&mut self, worker: WorkerId, ticket: Ticket, line: String) {
        let running = self.workers.get(&worker).and_then(Option::as_ref);
        if running.is_some_and(|r| r.ticket == ticket) {
            self.send_report(worker, Report::Message { ticket, line });
        }
    }

    fn end(&mut self, worker: WorkerId, ticket: Ticket) {
        let running = self.workers.get_mut(&worker).and_then(|r| r.take_if(|r| r.ticket == ticket));
        let Some(Running { since, report, .. }) = running else { return };
        self.add_busy(since);
        if let Some(report) = report {
            self.send_report(worker, report);
            return;
        }
        self.result.lost += 1;
        self.workers.remove(&worker);
        let lane = Lane::WorkerToBroker(worker);
        self.send(lane, Event::ToBroker(BrokerEvent::WorkerGone(worker)));
        self.network.close(lane);
        self.network.close(Lane::BrokerToWorker(worker));
        self.after(self.options.rejoin, Event::Join);
    }

    fn add_busy(&mut self, since: Duration) {
        self.result.busy = self.result.busy.saturating_add(self.now - since);
    }
}
