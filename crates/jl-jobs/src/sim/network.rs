//! How long messages are on their way, and which of them may overtake.

use super::SimOptions;
use jl_messages::{ClientId, JobId, Notice, WorkerId};
use std::collections::BTreeMap;
use std::time::Duration;

/// The one client of a simulation.
pub(super) const CLIENT: ClientId = ClientId(0);

/// A way along which messages keep their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Lane {
    ClientToBroker,
    BrokerToClient,
    /// Notices of one job, if those of different jobs may overtake each other.
    JobToClient(JobId),
    BrokerToWorker(WorkerId),
    WorkerToBroker(WorkerId),
}

pub(super) struct Network {
    latency: Duration,
    reorder: bool,
    /// When the last message of each lane arrives.
    last: BTreeMap<Lane, Duration>,
}

impl Network {
    pub fn new(options: &SimOptions) -> Network {
        Network { latency: options.latency, reorder: options.reorder, last: BTreeMap::new() }
    }

    /// When a message that is sent now arrives.
    pub fn arrival(&mut self, now: Duration, lane: Lane, rng: &mut fastrand::Rng) -> Duration {
        if self.latency.is_zero() {
            return now;
        }
        let last = self.last.entry(lane).or_default();
        *last = (*last).max(now.saturating_add(exponential(self.latency, rng)));
        *last
    }

    pub fn lane_of(&self, notice: &Notice) -> Lane {
        let job = match notice {
            Notice::WorkerAvailable | Notice::Info(_) => None,
            Notice::Assigned { job, .. }
            | Notice::Doing { job }
            | Notice::Message { job, .. }
            | Notice::Done { job, .. }
            | Notice::Failed { job, .. }
            | Notice::Dropped { job, .. }
            | Notice::Cached { job, .. }
            | Notice::AbortAck { job }
            | Notice::CoresSet { job, .. } => Some(*job),
        };
        job.filter(|_| self.reorder).map_or(Lane::BrokerToClient, Lane::JobToClient)
    }

    /// Nothing more is sent along this lane.
    pub fn close(&mut self, lane: Lane) {
        if lane != Lane::BrokerToClient {
            self.last.remove(&lane);
        }
    }
}

/// A random time, exponential around its mean.
pub(super) fn exponential(mean: Duration, rng: &mut fastrand::Rng) -> Duration {
    let seconds = -(1.0 - rng.f64()).ln() * mean.as_secs_f64();
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}
