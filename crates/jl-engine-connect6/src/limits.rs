//! How long to think: nodes, time, memory, threads.
//!
//! One [`Clock`] runs through a whole question; every part of the program spends from it. With a node limit, no
//! deadline and one thread the same question gets the same answer on any machine.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a question may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Nodes of all kinds: attacking positions of the threat searches, positions of the alpha–beta search.
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
    /// Bytes for the tables.
    pub memory: usize,
    /// That search for the best turn at the same time.
    pub threads: NonZeroUsize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { nodes: None, time: None, memory: 256 << 20, threads: NonZeroUsize::MIN }
    }
}

const MOST_THREADS: usize = 256;

/// A number of threads, as people write it.
pub fn read_threads(text: &str) -> Result<NonZeroUsize, String> {
    let threads = text.parse::<NonZeroUsize>().ok().filter(|n| n.get() <= MOST_THREADS);
    threads.ok_or_else(|| format!("write a number from 1 to {MOST_THREADS}"))
}

/// The limit is reached: what was being looked at stays unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit;

/// Nodes spent, and how many may be.
#[derive(Clone, Debug)]
pub struct Clock {
    nodes: u64,
    limit: u64,
    deadline: Option<Instant>,
    /// Whether somebody else has called it off.
    off: Option<Arc<AtomicBool>>,
    stopped: bool,
}

/// The wall clock is read once in so many nodes.
const LOOK: u64 = 64;

impl Clock {
    #[must_use]
    pub fn new(limits: Limits) -> Clock {
        Clock {
            nodes: 0,
            limit: limits.nodes.unwrap_or(u64::MAX),
            deadline: limits.time.map(|t| Instant::now() + t),
            off: None,
            stopped: false,
        }
    }

    /// For one of `threads` that share what is left. It ends with this one, or when it is called `off`.
    #[must_use]
    pub fn part(&self, threads: NonZeroUsize, off: Arc<AtomicBool>) -> Clock {
        let limit = if self.limit == u64::MAX { u64::MAX } else { self.left() / threads.get() as u64 };
        Clock { nodes: 0, limit, deadline: self.deadline, off: Some(off), stopped: self.stopped }
    }

    fn left(&self) -> u64 {
        self.limit.saturating_sub(self.nodes)
    }

    /// Whether it is time to stop, by the wall clock or because it was called off.
    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|d| Instant::now() >= d)
            || self.off.as_ref().is_some_and(|off| off.load(Ordering::Relaxed))
    }

    /// One more node, if it may still be afforded.
    #[inline]
    pub fn spend(&mut self) -> Result<(), Limit> {
        if self.nodes >= self.limit || self.stopped {
            return Err(Limit);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK) && self.is_late() {
            self.stopped = true;
            return Err(Limit);
        }
        Ok(())
    }

    /// As many more, for something that costs as much; up to the limit, which the next node notices.
    pub fn spend_many(&mut self, nodes: u64) {
        let looked = self.nodes / LOOK;
        self.nodes = self.nodes.saturating_add(nodes).min(self.limit.max(self.nodes));
        if self.nodes / LOOK > looked && self.is_late() {
            self.stopped = true;
        }
    }

    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Nothing more may be spent, whatever part asks.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.stopped || self.nodes >= self.limit
    }

    /// Runs `work` with at most so many nodes of what is left.
    pub fn within<T>(&mut self, nodes: u64, work: impl FnOnce(&mut Clock) -> T) -> T {
        let limit = self.limit;
        self.limit = limit.min(self.nodes.saturating_add(nodes));
        let result = work(self);
        self.limit = limit;
        result
    }

    /// Lets only such a share of the nodes and of the time that are left be spent, until [`Clock::end_share`].
    pub fn begin_share(&mut self, share: f64) -> Whole {
        let whole = Whole { limit: self.limit, deadline: self.deadline };
        if self.limit != u64::MAX {
            self.limit = self.nodes + ((self.limit - self.nodes) as f64 * share) as u64;
        }
        let now = Instant::now();
        self.deadline = self.deadline.map(|d| now + d.saturating_duration_since(now).mul_f64(share));
        whole
    }

    pub fn end_share(&mut self, whole: Whole) {
        (self.limit, self.deadline) = (whole.limit, whole.deadline);
        self.stopped = self.is_late();
    }
}

/// What there was before a share was taken.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Whole {
    limit: u64,
    deadline: Option<Instant>,
}
