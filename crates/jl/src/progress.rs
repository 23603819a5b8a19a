//! The progress line on standard error: rewritten in place on a terminal, now and then a line elsewhere.

use jl_apps::AnyClient;
use jl_jobs::local::LocalStats;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

pub struct Progress {
    terminal: bool,
    start: Instant,
    done_before: u64,
    last: Instant,
    shown: bool,
}

impl Progress {
    pub fn new(client: &dyn AnyClient) -> Progress {
        let now = Instant::now();
        let done_before = client.summary().counts.done;
        Progress {
            terminal: std::io::stderr().is_terminal(),
            start: now,
            done_before,
            last: now,
            shown: false,
        }
    }

    pub fn tick(&mut self, client: &dyn AnyClient, stats: &LocalStats) {
        let pause = if self.terminal { Duration::from_millis(100) } else { Duration::from_secs(10) };
        if self.last.elapsed() < pause {
            return;
        }
        self.last = Instant::now();
        let s = client.summary();
        let c = s.counts;
        let rate = (c.done - self.done_before) as f64 / self.start.elapsed().as_secs_f64();
        let some = |n: u64, what: &str| if n > 0 { format!(", {n} {what}") } else { String::new() };
        let lead = s.line.first().map_or(String::new(), |m| format!(", {m} leads"));
        let line = format!(
            "{} jobs done, {}/{} running{}{} | {} nodes | root {}{lead} | {} jobs/s, {} s",
            c.done,
            stats.running,
            stats.workers,
            some(c.aborted, "aborted"),
            some(c.failed, "failed"),
            s.nodes,
            s.root,
            self::rate(rate),
            self.start.elapsed().as_secs(),
        );
        let mut err = std::io::stderr().lock();
        // Nobody may be listening.
        let _ = if self.terminal { write!(err, "\r\x1b[K{line}") } else { writeln!(err, "{line}") };
        let _ = err.flush();
        self.shown = true;
    }

    /// Leaves the terminal's line free.
    pub fn clear(&mut self) {
        if self.terminal && std::mem::take(&mut self.shown) {
            eprint!("\r\x1b[K");
        }
    }
}

/// A number per second with two digits that say something.
pub fn rate(rate: f64) -> String {
    match rate {
        10.0.. => format!("{rate:.0}"),
        1.0.. => format!("{rate:.1}"),
        _ => format!("{rate:.2}"),
    }
}
