//! The command: once, or a question per line.

use crate::words::{one_line, read, split_line, usage};
use rustix::event::{PollFd, PollFlags, poll};
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

/// The words of one question, parsed, and what a program prints for them.
pub trait Query: clap::Parser {
    type Error: Display;

    /// `--lines` is among the words.
    fn is_warm(&self) -> bool;

    /// A flag among the words that is for the command itself, so that no single question may have it.
    fn command_only(&self) -> Option<&'static str>;

    /// The lines to print, or why the question makes no sense. What is said before the answer is printed at once.
    fn answer(&self, say: &mut dyn FnMut(String)) -> Result<Vec<String>, Self::Error>;
}

/// Runs a program's command on this process's standard input and output.
pub fn run<Q: Query>(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    exit_code(run_on::<Q>(args.into_iter().collect(), input, output, io::stderr()))
}

/// Ends this process at once, whatever it computes, when nobody is left to read its standard output: whoever asked was
/// killed. The end of standard input is no such sign, since the questions may have come from a file.
pub fn end_with_reader() {
    std::thread::spawn(|| {
        let output = io::stdout();
        let mut watched = [PollFd::new(&output, PollFlags::empty())];
        loop {
            match poll(&mut watched, None) {
                Err(rustix::io::Errno::INTR) => {}
                Ok(_) if watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) => {
                    std::process::exit(1)
                }
                // Nothing that can be watched.
                _ => return,
            }
        }
    });
}

/// The end of a command that has returned its code, or could not read or write.
pub fn exit_code(result: io::Result<u8>) -> ExitCode {
    match result {
        Ok(code) => ExitCode::from(code),
        // Whoever asked has gone: there is nobody left to tell.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}

/// The command on any streams; returns its exit code.
pub fn run_on<Q: Query>(
    words: Vec<OsString>,
    input: impl BufRead,
    mut output: impl Write,
    mut errors: impl Write,
) -> io::Result<u8> {
    let query = match Q::try_parse_from(&words) {
        Ok(query) => query,
        Err(e) if e.use_stderr() => {
            writeln!(errors, "error: {}", usage(&e))?;
            return Ok(2);
        }
        Err(help) => {
            write!(output, "{help}")?;
            return Ok(0);
        }
    };
    if query.is_warm() {
        serve::<Q>(words, input, output)?;
        return Ok(0);
    }
    let answer = query.answer(&mut said_to(&mut output));
    match answer {
        Ok(lines) => {
            output.write_all((lines.join("\n") + "\n").as_bytes())?;
            output.flush()?;
            Ok(0)
        }
        Err(e) => {
            writeln!(errors, "error: {}", one_line(&e.to_string()))?;
            Ok(2)
        }
    }
}

/// Answers a question per line until the input ends. The words of the command hold for each of them.
fn serve<Q: Query>(
    command: Vec<OsString>,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let defaults: Vec<OsString> = command.into_iter().filter(|w| w != "--lines").collect();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        let mut text = match serve_line::<Q>(&defaults, &text, &mut said_to(&mut output)) {
            Ok(lines) => lines.join("\n"),
            Err(e) => format!("error: {}", one_line(&e)),
        };
        text.push_str("\nend\n");
        output.write_all(text.as_bytes())?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}

/// Prints a line at once. Who can't be told will not hear the answer either, and that is where it is noticed.
fn said_to(output: &mut impl Write) -> impl FnMut(String) {
    |line| drop(writeln!(output, "{line}").and_then(|()| output.flush()))
}

fn serve_line<Q: Query>(
    defaults: &[OsString],
    line: &str,
    say: &mut dyn FnMut(String),
) -> Result<Vec<String>, String> {
    let words = split_line(line).map_err(|e| e.to_string())?;
    let query: Q = read(defaults.iter().cloned().chain(words)).map_err(|e| e.to_string())?;
    query.answer(say).map_err(|e| e.to_string())
}
