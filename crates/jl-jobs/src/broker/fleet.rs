//! The workers: what they have, what they hold, and which of them have a free core.

use jl_messages::{Ticket, WorkerId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

#[derive(Debug)]
pub(super) struct Worker {
    pub cores: u32,
    pub programs: BTreeSet<String>,
    pub asleep: bool,
    /// When it was last heard of.
    pub heard: Duration,
    /// Cores kept for clients that have not answered their offer.
    pub offered: u64,
    /// The tickets that run here and their cores, those of clients that left included.
    pub running: BTreeMap<Ticket, u32>,
    /// The sum of the cores in `running`, wide enough for whatever workers may say.
    pub busy: u64,
}

impl Worker {
    pub fn new(cores: u32, programs: Vec<String>, heard: Duration) -> Worker {
        Worker {
            cores,
            programs: programs.into_iter().collect(),
            asleep: false,
            heard,
            offered: 0,
            running: BTreeMap::new(),
            busy: 0,
        }
    }

    /// Cores for new work. A worker may hold more than it has, after it shrank.
    pub fn free(&self) -> u32 {
        if self.asleep {
            return 0;
        }
        let held = u32::try_from(self.busy + self.offered).unwrap_or(u32::MAX);
        self.cores.saturating_sub(held)
    }

    pub fn has(&self, program: &str) -> bool {
        self.programs.contains(program)
    }

    pub fn start(&mut self, ticket: Ticket, cores: u32) {
        self.running.insert(ticket, cores);
        self.busy += u64::from(cores);
    }

    /// Frees the cores of a ticket; `None` if it does not run here.
    pub fn stop(&mut self, ticket: Ticket) -> Option<u32> {
        let cores = self.running.remove(&ticket)?;
        self.busy -= u64::from(cores);
        Some(cores)
    }
}

/// All workers. The index of the idle ones makes an event cheap with a thousand busy workers; it is kept right by
/// letting workers change only through [`Fleet::change`].
#[derive(Debug, Default)]
pub(super) struct Fleet {
    workers: BTreeMap<WorkerId, Worker>,
    /// The workers with free cores, the emptiest first: jobs then share as few caches and memory buses as possible,
    /// and if a job does not fit into the first worker that has its program, it fits into none.
    idle: BTreeSet<(Reverse<u32>, WorkerId)>,
}

impl Fleet {
    pub fn iter(&self) -> impl Iterator<Item = (WorkerId, &Worker)> {
        self.workers.iter().map(|(id, worker)| (*id, worker))
    }

    pub fn get(&self, id: WorkerId) -> Option<&Worker> {
        self.workers.get(&id)
    }

    /// The workers with a free core, the emptiest first.
    pub fn idle(&self) -> impl Iterator<Item = (WorkerId, &Worker)> {
        self.idle.iter().map(|(_, id)| (*id, &self.workers[id]))
    }

    pub fn has_idle(&self) -> bool {
        !self.idle.is_empty()
    }

    pub fn insert(&mut self, id: WorkerId, worker: Worker) {
        self.remove(id);
        let free = worker.free();
        self.workers.insert(id, worker);
        self.index(id, 0, free);
    }

    pub fn remove(&mut self, id: WorkerId) -> Option<Worker> {
        let worker = self.workers.remove(&id)?;
        self.index(id, worker.free(), 0);
        Some(worker)
    }

    /// Changes a worker; `None` if there is no such worker.
    pub fn change<R>(&mut self, id: WorkerId, change: impl FnOnce(&mut Worker) -> R) -> Option<R> {
        let worker = self.workers.get_mut(&id)?;
        let before = worker.free();
        let result = change(worker);
        let after = worker.free();
        self.index(id, before, after);
        Some(result)
    }

    fn index(&mut self, id: WorkerId, before: u32, after: u32) {
        if before != after {
            self.idle.remove(&(Reverse(before), id));
            if after > 0 {
                self.idle.insert((Reverse(after), id));
            }
        }
    }

    pub fn fits(&self, id: WorkerId, program: &str, cores: u32) -> bool {
        self.get(id).is_some_and(|w| w.has(program) && w.free() >= cores)
    }

    /// Those that were last heard of at `limit` or before.
    pub fn silent_since(&self, limit: Option<Duration>) -> Vec<WorkerId> {
        self.iter().filter(|(_, w)| limit.is_some_and(|l| w.heard <= l)).map(|(id, _)| id).collect()
    }

    /// Why none of the workers could ever run the program on so many cores. `None`: one could, or there are none
    /// at all, in which case the first to come may.
    pub fn why_not(&self, program: &str, cores: u32) -> Option<String> {
        if self.workers.values().any(|w| w.cores >= cores && w.has(program)) || self.workers.is_empty() {
            return None;
        }
        let most = self.workers.values().filter(|w| w.has(program)).map(|w| w.cores).max();
        Some(match most {
            Some(most) => format!(
                "program `{program}` was to run on {cores} cores, but the largest worker that has it has {most}"
            ),
            None => {
                let known: BTreeSet<&str> =
                    self.workers.values().flat_map(|w| w.programs.iter().map(String::as_str)).collect();
                let known = match known.len() {
                    0 => "no program".to_owned(),
                    _ => known.into_iter().map(|p| format!("`{p}`")).collect::<Vec<_>>().join(", "),
                };
                format!("no worker has program `{program}`; the workers have {known}")
            }
        })
    }

    /// Panics if an account does not add up.
    pub fn check(&self) {
        let idle: BTreeSet<_> =
            (self.iter().filter(|(_, w)| w.free() > 0)).map(|(id, w)| (Reverse(w.free()), id)).collect();
        assert_eq!(self.idle, idle, "the index of idle workers is wrong");
        for (id, worker) in self.iter() {
            assert_eq!(
                worker.busy,
                worker.running.values().map(|c| u64::from(*c)).sum::<u64>(),
                "the busy cores of {id} are wrong"
            );
            assert!(!worker.asleep || worker.offered == 0, "{id} is asleep and offered");
        }
    }
}
