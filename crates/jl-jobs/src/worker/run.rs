//! One job on its way through a slot: what it is asked with, what it printed so far, and what to say if it fails.

use crate::process::{Ending, Line, Process};
use crate::registry::{OneshotStdin, ProgramSpec, Protocol};
use jl_messages::{Failure, Input, Ticket};
use std::time::{Duration, Instant};

pub(super) struct Assignment {
    pub(super) ticket: Ticket,
    pub(super) program: String,
    pub(super) input: Input,
    pub(super) time_limit: Option<Duration>,
}

/// The present job, as far as it has come.
pub(super) struct Run<'a> {
    pub(super) job: &'a Assignment,
    pub(super) spec: &'a ProgramSpec,
    pub(super) limit: Duration,
    pub(super) deadline: Option<Instant>,
    /// Lines for its standard input that came while it ran, in case it must be asked again.
    pub(super) streamed: Vec<String>,
    pub(super) output: Vec<String>,
    /// Bytes of the lines in `output`.
    pub(super) bytes: usize,
    pub(super) doing: bool,
}

/// Why a warm program can't be given this input, if so: its query is one line of words between single spaces.
pub(super) fn refusal(protocol: &Protocol, input: &Input) -> Option<String> {
    if !matches!(protocol, Protocol::Lines { .. }) {
        return None;
    }
    let bad = input.words.iter().find(|w| w.is_empty() || w.contains(char::is_whitespace))?;
    Some(format!("the word {bad:?} can't be part of a query line: it is empty or has white space"))
}

impl Run<'_> {
    pub(super) fn start(&self) -> Result<Process, String> {
        let arguments = match self.spec.protocol {
            Protocol::Lines { .. } => &[],
            Protocol::Oneshot { .. } => self.job.input.words.as_slice(),
        };
        Process::start(self.spec, arguments).map_err(|e| e.to_string())
    }

    pub(super) fn ask(&self, process: &mut Process) {
        process.forget_complaints();
        let input = &self.job.input;
        if matches!(self.spec.protocol, Protocol::Lines { .. })
            && (!input.words.is_empty() || input.stdin.is_empty())
        {
            process.send_line(&input.words.join(" "));
        }
        for line in input.stdin.iter().chain(&self.streamed) {
            process.send_line(line);
        }
        if self.spec.protocol == (Protocol::Oneshot { stdin: OneshotStdin::Close }) {
            process.close_stdin();
        }
        process.flush();
    }

    pub(super) fn is_over(&self, more: usize) -> bool {
        self.bytes + more > self.spec.max_output
    }

    pub(super) fn ends_with(&self, line: &Line) -> bool {
        matches!(&self.spec.protocol, Protocol::Lines { terminator } if line.text == *terminator)
    }

    pub(super) fn take(&mut self, line: Line) {
        self.bytes += line.bytes;
        self.output.push(line.text);
    }

    pub(super) fn printed_nothing(&self, process: &Process) -> bool {
        self.output.is_empty() && process.unread() == 0
    }

    /// Whether an ended program has answered. A one-shot's last line may lack its newline.
    pub(super) fn judge(&mut self, ending: Ending, process: &mut Process) -> Option<Failure> {
        if let Some(line) = process.take_rest() {
            self.take(line);
        }
        match &self.spec.protocol {
            Protocol::Oneshot { .. } if ending.status.success() => None,
            Protocol::Oneshot { .. } => Some(Failure::Crashed(self.tell(&ending.to_string(), process))),
            Protocol::Lines { terminator } => {
                let how = format!("{ending} before the line '{terminator}'");
                Some(Failure::Crashed(self.tell(&how, process)))
            }
        }
    }

    pub(super) fn late(&self, process: &Process) -> Failure {
        let partial = (process.unread() > 0).then(|| process.peek());
        let read = match partial.as_ref().or(self.output.last()) {
            Some(line) => format!("last line read {}", quote(line)),
            None => "it printed nothing".into(),
        };
        let said = stderr(process);
        Failure::TimedOut(format!("no answer within {:?}; {read}{said}", self.limit))
    }

    pub(super) fn flooded(&self, line: &str) -> Failure {
        let first = self.output.first().map_or(line, String::as_str);
        Failure::Flooded(format!("more than {} bytes; began with {}", self.spec.max_output, quote(first)))
    }

    /// `how` it failed, with the last line it printed and what it said on standard error.
    pub(super) fn tell(&self, how: &str, process: &Process) -> String {
        let printed = match self.output.last() {
            Some(line) => format!("after printing {}", quote(line)),
            None => "having printed nothing".into(),
        };
        format!("{how} {printed}{}", stderr(process))
    }
}

fn stderr(process: &Process) -> String {
    process.complaints().map_or_else(String::new, |said| format!("; stderr: {}", quote(&said)))
}

/// For a reason: short, on one line, and harmless to a terminal.
fn quote(text: &str) -> String {
    const LONGEST: usize = 500;
    let mut shown: String = text
        .chars()
        .take(LONGEST)
        .flat_map(|c| if c.is_control() { c.escape_default().collect::<Vec<_>>() } else { vec![c] })
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("'{shown}'")
}
