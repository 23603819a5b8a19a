//! One supervised program process.
//!
//! The process leads a process group of its own, so that ending it also ends whatever it started. All its pipes are
//! non-blocking and one `poll` watches them together with the owner's wake-up pipe, the process's exit and the
//! deadline. So there is no reader thread: a line costs no extra thread switch, and nothing a program does (ignoring
//! its input, printing without end or not at all, closing its output, leaving children behind) can block the owner.
//!
//! Ending is `SIGKILL` to the group, then reaping. The group is always signalled *before* its leader is reaped: until
//! then the kernel can't have given the number to anybody else. `Drop` does the same, so that no path leaves a process
//! behind. Two things are out of reach. A descendant that makes its own session leaves the group. And if this process
//! itself is killed by `SIGKILL`, a warm program ends when it next reads, at the end of its standard input (no other
//! process holds that pipe), but a one-shot program runs to its own end.

mod buffer;
mod cpu;
mod ending;

pub use buffer::Line;
pub use ending::Ending;

use crate::registry::{ProgramSpec, SELF_WORD};
use buffer::{LineBuffer, Tail};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use thiserror::Error;

const CHUNK: usize = 32 * 1024;

/// How often to look for the exit where the system can't announce it.
const EXIT_CHECK: Duration = Duration::from_millis(20);

#[derive(Debug, Error)]
#[error("cannot start {command:?}: {source}")]
pub struct StartError {
    pub command: String,
    pub source: io::Error,
}

/// What [`Process::step`] saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The owner's wake-up pipe has something to read.
    Woken,
    /// Something was read or written; there may be a new line.
    Progress,
    /// The program closed its standard output. Seen once.
    OutputClosed,
    /// The program has ended and all its output is read.
    Exited,
    /// The deadline has passed.
    TimeUp,
}

#[derive(Debug)]
pub struct Process {
    child: Child,
    pid: Pid,
    ending: Option<Ending>,
    /// Becomes readable when the process ends. `None` where the system has no such thing.
    exit: Option<OwnedFd>,
    clock: cpu::Clock,
    stdin: Option<ChildStdin>,
    unwritten: Vec<u8>,
    close_stdin: bool,
    stdout: Option<ChildStdout>,
    unread: LineBuffer,
    stderr: Option<ChildStderr>,
    complaints: Tail,
    chunk: Box<[u8]>,
}

impl Process {
    /// Starts `spec`'s command with `arguments` after it.
    pub fn start(spec: &ProgramSpec, arguments: &[String]) -> Result<Self, StartError> {
        let words = spec.command.iter().chain(arguments);
        Self::spawn(words).map_err(|source| StartError { command: spec.command.join(" "), source })
    }

    fn spawn<'a>(mut words: impl Iterator<Item = &'a String>) -> io::Result<Self> {
        let Some(program) = words.next() else {
            return Err(io::Error::new(ErrorKind::InvalidInput, "the command is empty"));
        };
        let this = || std::env::current_exe();
        let mut command = if program == SELF_WORD { Command::new(this()?) } else { Command::new(program) };
        for word in words {
            if word == SELF_WORD {
                command.arg(this()?)
            } else {
                command.arg(word)
            };
        }
        let child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let pid = Pid::from_child(&child);
        let mut process = Process {
            exit: exit_descriptor(pid),
            clock: cpu::Clock::of(pid),
            child,
            pid,
            ending: None,
            stdin: None,
            unwritten: Vec::new(),
            close_stdin: false,
            stdout: None,
            unread: LineBuffer::default(),
            stderr: None,
            complaints: Tail::default(),
            chunk: vec![0; CHUNK].into_boxed_slice(),
        };
        // From here on an early return drops, and so ends, the process.
        process.stdin = process.child.stdin.take();
        process.stdout = process.child.stdout.take();
        process.stderr = process.child.stderr.take();
        if let (Some(i), Some(o), Some(e)) = (&process.stdin, &process.stdout, &process.stderr) {
            ioctl_fionbio(i, true)?;
            ioctl_fionbio(o, true)?;
            ioctl_fionbio(e, true)?;
        }
        Ok(process)
    }

    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Processor time so far of the process itself, without its children; `None` if the system doesn't tell.
    #[must_use]
    pub fn cpu(&self) -> Option<Duration> {
        self.clock.now()
    }

    /// Writes `line` and a newline, now or as soon as the program reads. Goes nowhere if its input is closed.
    pub fn send_line(&mut self, line: &str) {
        if self.stdin.is_some() && !self.close_stdin {
            self.unwritten.extend_from_slice(line.as_bytes());
            self.unwritten.push(b'\n');
        }
    }

    /// Closes the program's standard input once everything is written.
    pub fn close_stdin(&mut self) {
        self.close_stdin = true;
    }

    /// Writes as much as the pipe takes. [`Process::step`] does the rest.
    pub fn flush(&mut self) {
        let Some(stdin) = &mut self.stdin else { return };
        let mut written = 0;
        let open = loop {
            if written == self.unwritten.len() {
                break !self.close_stdin;
            }
            match stdin.write(&self.unwritten[written..]) {
                Ok(n) => written += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => break true,
                // The program closed its input or has ended. Whether that matters shows in what it prints.
                Err(_) => break false,
            }
        };
        if open {
            self.unwritten.drain(..written);
        } else {
            self.unwritten = Vec::new();
            self.stdin = None;
        }
    }

    /// The next complete line of output that is already read.
    pub fn next_line(&mut self) -> Option<Line> {
        self.unread.next_line()
    }

    /// Output after the last newline, as a last line.
    pub fn take_rest(&mut self) -> Option<Line> {
        self.unread.take_rest()
    }

    /// How many bytes are read and not yet taken as lines.
    #[must_use]
    pub fn unread(&self) -> usize {
        self.unread.len()
    }

    /// The beginning of what is read and not yet taken as lines.
    #[must_use]
    pub fn peek(&self) -> String {
        self.unread.peek()
    }

    /// The last lines of standard error since [`Process::forget_complaints`].
    #[must_use]
    pub fn complaints(&self) -> Option<String> {
        self.complaints.last_lines()
    }

    /// Whether an idle warm program is fit for another query: alive, and it has printed nothing but blank lines since
    /// its last answer. Anything else would be taken for a part of the next answer.
    pub fn is_in_step(&mut self) -> bool {
        loop {
            match self.read_stdout() {
                Got::Something if self.unread.is_blank() => self.unread.clear(),
                Got::Nothing => {
                    let blank = self.unread.is_blank();
                    self.unread.clear();
                    return blank && self.stdin.is_some();
                }
                Got::Something | Got::End => return false,
            }
        }
    }

    /// Forgets what standard error said before the present job.
    pub fn forget_complaints(&mut self) {
        self.complaints = Tail::default();
    }

    /// Waits until something happens or the deadline passes.
    pub fn step(&mut self, wake: BorrowedFd<'_>, deadline: Option<Instant>) -> io::Result<Step> {
        let ready = loop {
            let mut left = match deadline.map(|d| d.saturating_duration_since(Instant::now())) {
                Some(Duration::ZERO) => return Ok(Step::TimeUp),
                left => left,
            };
            if self.exit.is_none() {
                left = Some(left.map_or(EXIT_CHECK, |l| l.min(EXIT_CHECK)));
            }
            match self.poll(wake, left) {
                Ok(ready) => break ready,
                Err(Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
        };
        if ready.wake {
            return Ok(Step::Woken);
        }
        if ready.stdin {
            self.flush();
        }
        if ready.stderr {
            self.read_stderr();
        }
        let exited = if self.exit.is_some() { ready.exit } else { self.has_exited() };
        // After the exit whatever is still in the pipe belongs to the answer, even if the pipe stays open in a child.
        if ready.stdout || exited {
            match self.read_stdout() {
                Got::Something => return Ok(Step::Progress),
                Got::End if !exited && ready.stdout => return Ok(Step::OutputClosed),
                Got::End | Got::Nothing => {}
            }
        }
        if exited {
            self.read_stderr();
            return Ok(Step::Exited);
        }
        Ok(Step::Progress)
    }

    /// Kills the process group, at once and whatever it is doing, and reaps the process.
    pub fn end(&mut self) -> io::Result<Ending> {
        if let Some(ending) = self.ending {
            return Ok(ending);
        }
        // Fails only if nothing of the group is left to kill.
        let _ = kill_process_group(self.pid, Signal::KILL);
        // The clock of a process stops at its end but can be read until it is reaped.
        let _ = waitid(WaitId::Pid(self.pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        let cpu = self.clock.at_end();
        let ending = Ending { status: self.child.wait()?, cpu };
        self.ending = Some(ending);
        Ok(ending)
    }

    fn poll(&self, wake: BorrowedFd<'_>, left: Option<Duration>) -> Result<Ready, Errno> {
        let left = left.and_then(|l| Timespec::try_from(l).ok());
        let writing = (!self.unwritten.is_empty()).then_some(&self.stdin);
        let mut fds = Vec::with_capacity(5);
        fds.push(PollFd::from_borrowed_fd(wake, PollFlags::IN));
        let stdout = self.stdout.as_ref().map(|fd| push(&mut fds, PollFd::new(fd, PollFlags::IN)));
        let stderr = self.stderr.as_ref().map(|fd| push(&mut fds, PollFd::new(fd, PollFlags::IN)));
        let exit = self.exit.as_ref().map(|fd| push(&mut fds, PollFd::new(fd, PollFlags::IN)));
        let stdin =
            writing.and_then(Option::as_ref).map(|fd| push(&mut fds, PollFd::new(fd, PollFlags::OUT)));
        poll(&mut fds, left.as_ref())?;
        // Errors and hang-ups count as ready: the read or write that follows finds out.
        let is_ready = |at: Option<usize>| at.is_some_and(|at| !fds[at].revents().is_empty());
        Ok(Ready {
            wake: is_ready(Some(0)),
            stdout: is_ready(stdout),
            stderr: is_ready(stderr),
            exit: is_ready(exit),
            stdin: is_ready(stdin),
        })
    }

    fn has_exited(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        matches!(waitid(WaitId::Pid(self.pid), look), Ok(Some(_)))
    }

    fn read_stdout(&mut self) -> Got {
        let got = read_some(&mut self.stdout, &mut self.chunk);
        if let Some(n) = got.1 {
            self.unread.push(&self.chunk[..n]);
        }
        got.0
    }

    fn read_stderr(&mut self) {
        if let (_, Some(n)) = read_some(&mut self.stderr, &mut self.chunk) {
            self.complaints.push(&self.chunk[..n]);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Nobody is left to hear of an error.
        let _ = self.end();
    }
}

struct Ready {
    wake: bool,
    stdout: bool,
    stderr: bool,
    exit: bool,
    stdin: bool,
}

fn push<'a>(fds: &mut Vec<PollFd<'a>>, fd: PollFd<'a>) -> usize {
    fds.push(fd);
    fds.len() - 1
}

enum Got {
    Something,
    Nothing,
    End,
}

/// One read without blocking. An end or an error closes the pipe.
fn read_some<R: Read>(pipe: &mut Option<R>, chunk: &mut [u8]) -> (Got, Option<usize>) {
    let Some(open) = pipe else { return (Got::End, None) };
    match open.read(chunk) {
        Ok(n) if n > 0 => (Got::Something, Some(n)),
        Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => (Got::Nothing, None),
        Ok(_) | Err(_) => {
            *pipe = None;
            (Got::End, None)
        }
    }
}

#[cfg(target_os = "linux")]
fn exit_descriptor(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn exit_descriptor(_: Pid) -> Option<OwnedFd> {
    None
}
