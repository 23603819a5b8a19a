//! How a process ended, in words.

use rustix::process::Signal;
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// How a process ended, and the processor time of its whole life, if the system tells it.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    pub status: ExitStatus,
    pub cpu: Option<Duration>,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.status.code(), self.status.signal()) {
            (Some(code), _) => write!(f, "exit code {code}"),
            (None, Some(signal)) => match signal_name(signal) {
                Some(name) => write!(f, "killed by signal {signal} ({name})"),
                None => write!(f, "killed by signal {signal}"),
            },
            (None, None) => write!(f, "{}", self.status),
        }
    }
}

/// The ways in which programs usually die.
fn signal_name(signal: i32) -> Option<&'static str> {
    [
        (Signal::ILL, "SIGILL"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::KILL, "SIGKILL"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::TERM, "SIGTERM"),
    ]
    .into_iter()
    .find_map(|(s, name)| (s.as_raw() == signal).then_some(name))
}
