//! Threads that share pieces of work, and a line that says how far they are.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Does pieces 0 to `count - 1`, each on one thread. The results are in the order of the pieces, whoever did them.
pub fn all<T: Send>(
    count: usize,
    workers: NonZeroUsize,
    work: impl Fn(usize) -> T + Sync,
    mut seen: impl FnMut(usize, &T),
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    let mut done: Vec<(usize, T)> = thread::scope(|scope| {
        for _ in 0..workers.get().min(count) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let piece = next.fetch_add(1, Ordering::Relaxed);
                    if piece >= count || sender.send((piece, work(piece))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let results = results.iter().enumerate();
        results.inspect(|(i, (_, result))| seen(i + 1, result)).map(|(_, result)| result).collect()
    });
    done.sort_by_key(|&(piece, _)| piece);
    done.into_iter().map(|(_, result)| result).collect()
}

/// A line on standard error that is rewritten in place; nothing if that is not a terminal.
pub struct Progress {
    terminal: bool,
}

impl Progress {
    pub fn new() -> Progress {
        Progress { terminal: io::stderr().is_terminal() }
    }

    pub fn show(&self, line: &str) {
        if self.terminal {
            // Nobody may be listening.
            let _ = write!(io::stderr(), "\r\x1b[K{line}");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.show("");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_done_once_and_in_order() {
        for workers in [1, 3, 50] {
            let mut seen = Vec::new();
            let square = |i: usize| i * i;
            let workers = NonZeroUsize::new(workers).unwrap();
            let squares = all(20, workers, square, |done, _| seen.push(done));
            assert_eq!(squares, (0..20).map(square).collect::<Vec<_>>());
            assert_eq!(seen, (1..=20).collect::<Vec<_>>());
        }
        assert_eq!(all(0, NonZeroUsize::MIN, |i| i, |_, _| ()), [] as [usize; 0]);
    }
}
