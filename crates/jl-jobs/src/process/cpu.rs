//! Processor time of another process.
//!
//! The process's own clock counts nanoseconds and costs one system call; `/proc/PID/stat` counts ticks of 10 ms, which
//! is longer than many jobs. But the clock knows nothing of the children of a wrapper script; those that the process
//! waited for are added, from `/proc`, when it has ended. Where there is no such clock, the caller takes wall time.

use rustix::process::Pid;
use std::time::Duration;

#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(super) struct Clock {
    pid: Pid,
    clock: Option<nix::time::ClockId>,
}

#[cfg(target_os = "linux")]
impl Clock {
    pub(super) fn of(pid: Pid) -> Self {
        let raw = nix::unistd::Pid::from_raw(pid.as_raw_pid());
        Clock { pid, clock: nix::time::clock_getcpuclockid(raw).ok() }
    }

    pub(super) fn now(&self) -> Option<Duration> {
        Some(self.clock?.now().ok()?.into())
    }

    /// With the children that the process has waited for. To be called between its end and its reaping.
    pub(super) fn at_end(&self) -> Option<Duration> {
        Some(self.now()? + self.children().unwrap_or_default())
    }

    fn children(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid.as_raw_pid())).ok()?;
        children_ticks(&stat)
            .map(|ticks| Duration::from_secs(ticks) / rustix::param::clock_ticks_per_second() as u32)
    }
}

/// Fields 16 and 17. Field 2, the name, may hold anything, but the last parenthesis closes it.
#[cfg(target_os = "linux")]
fn children_ticks(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(13);
    let mut next = || fields.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub(super) struct Clock;

#[cfg(not(target_os = "linux"))]
impl Clock {
    pub(super) fn of(_: Pid) -> Self {
        Clock
    }

    pub(super) fn now(&self) -> Option<Duration> {
        None
    }

    pub(super) fn at_end(&self) -> Option<Duration> {
        None
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn reads_the_children_behind_any_name() {
        let stat = "7 (a) b (c)) S 1 7 7 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 1 0 99";
        assert_eq!(children_ticks(stat), Some(70));
        assert_eq!(children_ticks("7 (a) S 1"), None);
        assert_eq!(children_ticks(""), None);
    }
}
