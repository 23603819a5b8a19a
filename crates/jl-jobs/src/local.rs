//! The local driver: worker slots, the broker core and one client in this process.
//!
//! Everything but the slots runs on the caller's thread, in one loop over one channel. A turn takes what has arrived,
//! feeds it to the broker, and gives the client all its notices as one batch, so that a journalling client commits
//! once per turn however many jobs ended in it. Orders leave for the slots as soon as the broker gives them.
//!
//! The slots live in this function's frame: a return, an error or a panic drops them, which kills the process group of
//! every program and waits for the threads. Each slot is one worker with one core.

use crate::broker::{Broker, BrokerCommand, BrokerConfig, BrokerEvent};
use crate::registry::Registry;
use crate::worker::Slot;
use jl_messages::{ClientId, Driven, Notice, Order, Report, Request, WorkerId};
use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// The one client.
const CLIENT: ClientId = ClientId(0);

/// How long the loop sleeps at most, so that a progress line lives while nothing happens.
const WATCH: Duration = Duration::from_millis(100);

/// How much one turn takes at most: a bound on a batch, and on how late a stop is seen.
const BATCH: usize = 1024;

#[derive(Clone, Debug)]
pub struct LocalOptions {
    pub workers: usize,
    pub registry: Arc<Registry>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The client said that it is finished.
    Finished,
    /// By a [`StopHandle`].
    Stopped,
}

/// What the driver knows of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LocalStats {
    pub workers: usize,
    /// Jobs that slots have now.
    pub running: usize,
    pub done: u64,
    pub failed: u64,
    pub aborted: u64,
    pub dropped: u64,
}

#[derive(Debug, Error)]
pub enum LocalError {
    #[error("there must be at least one worker")]
    NoWorkers,
    #[error("cannot start a worker slot: {0}")]
    Slot(#[from] io::Error),
    /// A bug: the panic was printed.
    #[error("worker slot {0} panicked")]
    SlotPanicked(WorkerId),
    #[error("{0}")]
    Client(#[source] Box<dyn Error + Send + Sync>),
    /// Nothing can ever happen again.
    #[error("the client is not finished, but no job runs and it wants none")]
    Stalled,
}

/// Stops a [`run`] from another thread, such as a Ctrl-C handler's. It may also be stopped before it begins.
#[derive(Clone, Default)]
pub struct StopHandle {
    state: Arc<Mutex<StopState>>,
}

#[derive(Default)]
struct StopState {
    stopped: bool,
    wake: Option<Sender<Event>>,
}

impl StopHandle {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub fn stop(&self) {
        let mut state = self.lock();
        state.stopped = true;
        if let Some(wake) = &state.wake {
            // If nobody listens, the run has just ended.
            let _ = wake.send(Event::Stop);
        }
    }

    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    /// No code panics while it holds the lock, and a stop must work in any case.
    fn lock(&self) -> MutexGuard<'_, StopState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for StopHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StopHandle").field("stopped", &self.is_stopped()).finish()
    }
}

enum Event {
    Reports(WorkerId, Vec<Report>),
    SlotEnded(WorkerId),
    Stop,
}

/// Runs `client` on local programs until it is finished or `stop` is used. `watch` is called after every turn, which
/// is at least ten times a second; it should do its own pacing.
pub fn run<C: Driven>(
    client: &mut C,
    options: &LocalOptions,
    stop: &StopHandle,
    watch: &mut dyn FnMut(&C, &LocalStats),
) -> Result<Ended, LocalError> {
    if options.workers == 0 {
        return Err(LocalError::NoWorkers);
    }
    let (sender, events) = channel();
    stop.lock().wake = Some(sender.clone());
    let mut driver = Driver::start(options, &sender)?;
    driver.greet(&options.registry);
    let requests = client.begin();
    driver.request(requests);
    loop {
        driver.settle(client, stop)?;
        driver.stats.running = driver.busy.len();
        watch(client, &driver.stats);
        if client.is_over() {
            return Ok(Ended::Finished);
        }
        if stop.is_stopped() {
            driver.last_words(client, &events)?;
            return Ok(if client.is_over() { Ended::Finished } else { Ended::Stopped });
        }
        driver.turn(&events)?;
    }
}

struct Driver {
    broker: Broker,
    slots: Vec<Slot>,
    /// The slots that have a job.
    busy: HashSet<WorkerId>,
    /// For the client, not yet handed over.
    notices: Vec<Notice>,
    stats: LocalStats,
}

/// Tells the loop when a slot's thread ends, however it ends.
struct Reporter {
    worker: WorkerId,
    events: Sender<Event>,
}

impl Drop for Reporter {
    fn drop(&mut self) {
        let _ = self.events.send(Event::SlotEnded(self.worker));
    }
}

impl Driver {
    fn start(options: &LocalOptions, events: &Sender<Event>) -> io::Result<Driver> {
        let slots = (0..options.workers).map(|i| {
            let reporter = Reporter { worker: worker_id(i), events: events.clone() };
            Slot::start(&format!("slot-{i}"), Arc::clone(&options.registry), move |reports| {
                // If the loop is gone, this slot is about to be dropped.
                let _ = reporter.events.send(Event::Reports(reporter.worker, reports));
            })
        });
        Ok(Driver {
            broker: Broker::new(BrokerConfig { heartbeat: None }),
            slots: slots.collect::<io::Result<_>>()?,
            busy: HashSet::new(),
            notices: Vec::new(),
            stats: LocalStats { workers: options.workers, ..LocalStats::default() },
        })
    }

    fn greet(&mut self, registry: &Registry) {
        let programs: Vec<_> = registry.names().map(str::to_owned).collect();
        for i in 0..self.slots.len() {
            let hello = Report::Hello { cores: 1, programs: programs.clone() };
            self.feed(BrokerEvent::Worker(worker_id(i), hello));
        }
    }

    fn request(&mut self, requests: Vec<Request>) {
        for request in requests {
            self.feed(BrokerEvent::Client(CLIENT, request));
        }
    }

    fn hear(&mut self, worker: WorkerId, reports: Vec<Report>) {
        for report in reports {
            if ends_job(&report) {
                self.busy.remove(&worker);
            }
            self.feed(BrokerEvent::Worker(worker, report));
        }
    }

    fn feed(&mut self, event: BrokerEvent) {
        for command in self.broker.handle(event) {
            match command {
                BrokerCommand::ToClient(_, notice) => {
                    self.count(&notice);
                    self.notices.push(notice);
                }
                BrokerCommand::ToWorker(worker, order) => {
                    if matches!(order, Order::Assign { .. }) {
                        self.busy.insert(worker);
                    }
                    if let Some(slot) = self.slots.get(worker.0 as usize) {
                        slot.order(order);
                    }
                }
            }
        }
    }

    fn count(&mut self, notice: &Notice) {
        match notice {
            Notice::Done { .. } => self.stats.done += 1,
            Notice::Failed { .. } => self.stats.failed += 1,
            Notice::AbortAck { .. } => self.stats.aborted += 1,
            Notice::Dropped { .. } => self.stats.dropped += 1,
            _ => {}
        }
    }

    /// Lets client and broker talk until neither has anything to say.
    fn settle<C: Driven>(&mut self, client: &mut C, stop: &StopHandle) -> Result<(), LocalError> {
        while !self.notices.is_empty() && !client.is_over() && !stop.is_stopped() {
            let notices = std::mem::take(&mut self.notices);
            let requests = client.receive(notices).map_err(LocalError::Client)?;
            self.request(requests);
        }
        Ok(())
    }

    /// After a stop: ends the slots, then gives the client what had come until then, so that no finished job is lost.
    /// What the client asks for in return is not done any more.
    fn last_words<C: Driven>(&mut self, client: &mut C, events: &Receiver<Event>) -> Result<(), LocalError> {
        self.slots.clear();
        for event in events.try_iter() {
            if let Event::Reports(worker, reports) = event {
                self.hear(worker, reports);
            }
        }
        let notices = std::mem::take(&mut self.notices);
        client.receive(notices).map_err(LocalError::Client)?;
        Ok(())
    }

    /// Waits for the first event, then takes what else is there.
    fn turn(&mut self, events: &Receiver<Event>) -> Result<(), LocalError> {
        // Only slots with a job bring news. The channel itself never closes: the slots hold its other end.
        let first = match events.try_recv() {
            Err(TryRecvError::Empty) if self.busy.is_empty() => return Err(LocalError::Stalled),
            Err(TryRecvError::Empty) => match events.recv_timeout(WATCH) {
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(RecvTimeoutError::Disconnected) => None,
                Ok(event) => Some(event),
            },
            Err(TryRecvError::Disconnected) => None,
            Ok(event) => Some(event),
        };
        for event in first.into_iter().chain(events.try_iter().take(BATCH - 1)) {
            match event {
                Event::Reports(worker, reports) => self.hear(worker, reports),
                Event::SlotEnded(worker) => return Err(LocalError::SlotPanicked(worker)),
                // Seen by its flag.
                Event::Stop => {}
            }
        }
        Ok(())
    }
}

fn worker_id(index: usize) -> WorkerId {
    WorkerId(u32::try_from(index).expect("no machine has 2^32 worker slots"))
}

fn ends_job(report: &Report) -> bool {
    matches!(report, Report::Done { .. } | Report::Failed { .. } | Report::AbortAck { .. })
}
