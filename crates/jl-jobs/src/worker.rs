//! A worker slot: runs one job at a time and keeps program processes warm between jobs.
//!
//! A slot is one thread. It takes [`Order`]s and gives [`Report`]s; it doesn't know who is at the other end, a broker
//! in the same process or one across the network. Orders come through a channel and a byte in a wake-up pipe, because
//! the thread must hear an abort while it waits for a program: one `poll` waits for both (see [`crate::process`]).
//!
//! - Protocol `lines`: the words are written as one query line, then the job's own lines; output up to the terminator
//!   is the answer. The process stays for the next job of the same program.
//! - Protocol `oneshot`: the words are the last arguments, the job's lines are the standard input, the exit ends the
//!   answer.
//!
//! Reports are held back for a moment and given in batches: the answer of a quick program then wakes the owner once,
//! not once for each of `Doing`, the lines and `Done`.
//!
//! After a failure, a time-out or an abort the whole process group is killed and the next job gets a new process. A
//! warm process that died, or printed something unasked, since its last answer is replaced without a word; that
//! includes one that ends right after a query without a word of its own, since it may have been dying before: the query
//! gets a second try on a new process. One that ends later has crashed.

mod run;

use crate::process::{Ending, Process, Step};
use crate::registry::{Protocol, Registry};
use jl_messages::{Failure, Order, Report, Ticket};
use run::{Assignment, Run, refusal};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, ioctl_fionbio};
use std::collections::{HashMap, VecDeque};
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// A warm process that ends so soon after a query may have been dying when it was asked.
const DYING: Duration = Duration::from_millis(50);

/// How long a program that closed its output may take to end, so that the reason can tell its exit code.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// How long a report waits for others to go with it.
const HOLD: Duration = Duration::from_micros(500);

/// The owner's end of a slot. Dropping it kills what runs and waits for the thread.
#[derive(Debug)]
pub struct Slot {
    /// `None` only while dropping.
    inbox: Option<(Sender<Order>, PipeWriter)>,
    thread: Option<JoinHandle<()>>,
}

impl Slot {
    /// Starts the thread. `report` is called on it; when the thread ends, for whatever reason, `report` is dropped.
    pub fn start(
        name: &str,
        registry: Arc<Registry>,
        report: impl FnMut(Vec<Report>) + Send + 'static,
    ) -> io::Result<Slot> {
        let (sender, orders) = channel();
        let (wake, waker) = io::pipe()?;
        ioctl_fionbio(&wake, true)?;
        ioctl_fionbio(&waker, true)?;
        let mut worker = Worker {
            registry,
            orders,
            wake,
            report,
            unsaid: Vec::new(),
            hold: None,
            warm: HashMap::new(),
            waiting: VecDeque::new(),
            stopping: false,
        };
        let thread = thread::Builder::new().name(name.to_owned()).spawn(move || worker.run())?;
        Ok(Slot { inbox: Some((sender, waker)), thread: Some(thread) })
    }

    /// Hands an order to the slot, without blocking. Lost if the thread has ended.
    pub fn order(&self, order: Order) {
        if let Some((sender, waker)) = &self.inbox
            && sender.send(order).is_ok()
        {
            // A full pipe wakes as well as one more byte would.
            let _ = (&*waker).write(&[0]);
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        // First the channel, then the pipe: its hang-up wakes the thread, which then finds the channel closed.
        if let Some((sender, waker)) = self.inbox.take() {
            drop(sender);
            drop(waker);
        }
        if let Some(thread) = self.thread.take() {
            // If it panicked, the panic was printed and its processes were dropped.
            let _ = thread.join();
        }
    }
}

/// The slot's thread.
struct Worker<R> {
    registry: Arc<Registry>,
    orders: Receiver<Order>,
    wake: PipeReader,
    report: R,
    /// Reports that wait until `hold`.
    unsaid: Vec<Report>,
    hold: Option<Instant>,
    /// Idle processes, by program.
    warm: HashMap<String, Process>,
    waiting: VecDeque<Assignment>,
    stopping: bool,
}

enum Verdict {
    Answered,
    /// By itself, before its answer ended.
    Ended(Ending),
    Failed(Failure),
    Aborted,
    Stopped,
}

impl<R: FnMut(Vec<Report>)> Worker<R> {
    fn run(&mut self) {
        while !self.stopping {
            match self.waiting.pop_front() {
                Some(job) => self.execute(&job),
                None => self.idle(),
            }
            self.say_all();
        }
    }

    fn say(&mut self, report: Report) {
        if self.unsaid.is_empty() {
            self.hold = Instant::now().checked_add(HOLD);
        }
        self.unsaid.push(report);
    }

    fn say_all(&mut self) {
        self.hold = None;
        if !self.unsaid.is_empty() {
            (self.report)(std::mem::take(&mut self.unsaid));
        }
    }

    fn idle(&mut self) {
        match poll(&mut [PollFd::new(&self.wake, PollFlags::IN)], None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(e) => panic!("a worker slot cannot wait for its wake-up pipe: {e}"),
        }
        for order in self.receive() {
            self.set_aside(order);
        }
    }

    /// All orders so far. The pipe is emptied before the channel: a byte that comes in between costs one needless
    /// turn, the other way round it could be lost with its order still in the channel.
    fn receive(&mut self) -> Vec<Order> {
        let _ = self.wake.read(&mut [0; 64]);
        let mut orders = Vec::new();
        loop {
            match self.orders.try_recv() {
                Ok(order) => orders.push(order),
                Err(TryRecvError::Empty) => return orders,
                Err(TryRecvError::Disconnected) => {
                    self.stopping = true;
                    return orders;
                }
            }
        }
    }

    /// An order that is not for the running job. One for a job that has already ended is nothing to answer: its end
    /// is on the way.
    fn set_aside(&mut self, order: Order) {
        let at = |t: Ticket, waiting: &VecDeque<Assignment>| waiting.iter().position(|j| j.ticket == t);
        match order {
            Order::Assign { ticket, program, input, time_limit, cores: _ } => {
                self.waiting.push_back(Assignment { ticket, program, input, time_limit });
            }
            Order::Abort { ticket } => {
                if let Some(at) = at(ticket, &self.waiting) {
                    self.waiting.remove(at);
                    self.say(Report::AbortAck { ticket });
                }
            }
            Order::Stdin { ticket, line } => {
                if let Some(at) = at(ticket, &self.waiting) {
                    self.waiting[at].input.stdin.push(line);
                }
            }
            // The share of a job is the broker's account; programs are not told.
            Order::SetCores { ticket, cores } => self.say(Report::CoresSet { ticket, cores }),
        }
    }

    fn execute(&mut self, job: &Assignment) {
        let started = Instant::now();
        let ticket = job.ticket;
        let registry = Arc::clone(&self.registry);
        let Some(spec) = registry.get(&job.program) else {
            let names: Vec<_> = registry.names().collect();
            let why = format!("no program {:?} is registered; there are: {}", job.program, names.join(", "));
            return self.fail(ticket, Failure::NotStarted(why), Duration::ZERO);
        };
        if let Some(why) = refusal(&spec.protocol, &job.input) {
            return self.fail(ticket, Failure::NotStarted(why), Duration::ZERO);
        }
        let limit = job.time_limit.map_or(spec.time_limit, |l| l.min(spec.time_limit));
        let deadline = started.checked_add(limit);
        let mut run = Run {
            job,
            spec,
            limit,
            deadline,
            streamed: Vec::new(),
            output: Vec::new(),
            bytes: 0,
            doing: false,
        };
        let mut warm = self.warm.remove(&job.program);
        if warm.as_mut().is_some_and(|process| !process.is_in_step()) {
            warm = None;
        }
        loop {
            let reused = warm.is_some();
            let (mut process, before) = match warm.take() {
                Some(process) => {
                    let before = process.cpu();
                    (process, before)
                }
                None => match run.start() {
                    Ok(process) => (process, Some(Duration::ZERO)),
                    Err(why) => return self.fail(ticket, Failure::NotStarted(why), Duration::ZERO),
                },
            };
            let asked = Instant::now();
            let verdict = self.attempt(&mut run, &mut process);
            let used = |now: Option<Duration>| match (before, now) {
                (Some(before), Some(now)) => now.saturating_sub(before),
                _ => started.elapsed(),
            };
            return match verdict {
                Verdict::Answered => {
                    let cpu = used(process.cpu());
                    self.say(Report::Done { ticket, output: run.output, cpu });
                    self.warm.insert(job.program.clone(), process);
                }
                Verdict::Ended(_) if reused && asked.elapsed() < DYING && run.printed_nothing(&process) => {
                    continue;
                }
                Verdict::Ended(ending) => {
                    let cpu = used(ending.cpu);
                    match run.judge(ending, &mut process) {
                        None => self.say(Report::Done { ticket, output: run.output, cpu }),
                        Some(failure) => self.fail(ticket, failure, cpu),
                    }
                }
                Verdict::Failed(failure) => {
                    let cpu = used(process.end().ok().and_then(|e| e.cpu));
                    self.fail(ticket, failure, cpu);
                }
                Verdict::Aborted => {
                    drop(process);
                    self.say(Report::AbortAck { ticket });
                }
                Verdict::Stopped => {}
            };
        }
    }

    /// One try of the job on one process.
    fn attempt(&mut self, run: &mut Run<'_>, process: &mut Process) -> Verdict {
        run.ask(process);
        if !run.doing {
            run.doing = true;
            self.say(Report::Doing { ticket: run.job.ticket });
        }
        let ticket = run.job.ticket;
        let mut deadline = run.deadline;
        let mut closed = false;
        loop {
            let until = [deadline, self.hold].into_iter().flatten().min();
            match process.step(self.wake.as_fd(), until) {
                Ok(Step::Progress) => {}
                Ok(Step::Woken) => {
                    let mut aborted = false;
                    for order in self.receive() {
                        match order {
                            Order::Abort { ticket: t } if t == ticket => aborted = true,
                            Order::Stdin { ticket: t, line } if t == ticket => {
                                process.send_line(&line);
                                run.streamed.push(line);
                            }
                            other => self.set_aside(other),
                        }
                    }
                    if self.stopping {
                        return Verdict::Stopped;
                    }
                    if aborted {
                        return Verdict::Aborted;
                    }
                    process.flush();
                    continue;
                }
                Ok(Step::OutputClosed) => {
                    closed = matches!(run.spec.protocol, Protocol::Lines { .. });
                    if closed {
                        let grace = Instant::now() + EXIT_GRACE;
                        deadline = Some(deadline.map_or(grace, |d| d.min(grace)));
                    }
                }
                Ok(Step::Exited) => {
                    return match process.end() {
                        Ok(ending) => Verdict::Ended(ending),
                        Err(e) => {
                            Verdict::Failed(Failure::Crashed(format!("cannot read its exit code: {e}")))
                        }
                    };
                }
                Ok(Step::TimeUp) if until != deadline => self.say_all(),
                Ok(Step::TimeUp) if closed => {
                    return Verdict::Failed(Failure::Crashed(run.tell("closed its output", process)));
                }
                Ok(Step::TimeUp) => return Verdict::Failed(run.late(process)),
                Err(e) => {
                    return Verdict::Failed(Failure::Crashed(format!("cannot wait for the program: {e}")));
                }
            }
            while let Some(line) = process.next_line() {
                if run.is_over(line.bytes) {
                    return Verdict::Failed(run.flooded(&line.text));
                }
                if run.ends_with(&line) {
                    return Verdict::Answered;
                }
                self.say(Report::Message { ticket, line: line.text.clone() });
                run.take(line);
            }
            if run.is_over(process.unread()) {
                return Verdict::Failed(run.flooded(&process.peek()));
            }
        }
    }

    fn fail(&mut self, ticket: Ticket, failure: Failure, cpu: Duration) {
        self.say(Report::Failed { ticket, failure, cpu });
    }
}
