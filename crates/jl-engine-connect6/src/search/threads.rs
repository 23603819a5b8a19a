//! Several searches of one position at the same time.
//!
//! All threads do the same, from other turns and depths on, and share the table: what one has seen the others need not search. The
//! first thread's result counts, unless another got farther. Threat searches share nothing but what the table says of their positions.

use super::{Memory, Request, Searched, search, search_in};
use crate::board::Board;
use crate::limits::Clock;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// As [`search`], with so many threads.
pub fn search_with(
    threads: NonZeroUsize,
    board: &mut Board,
    request: &Request,
    memory: &mut Memory,
    clock: &mut Clock,
) -> Searched {
    if threads == NonZeroUsize::MIN {
        return search(board, request, memory, clock);
    }
    let off = Arc::new(AtomicBool::new(false));
    let mut own = clock.part(threads, off.clone());
    let Memory { table, solvers, solver: bytes } = memory;
    let bytes = *bytes;
    let Request { mover, stones, prohibited, only, seed, ref options, .. } = *request;
    let (mut best, others) = std::thread::scope(|scope| {
        let begin = |thread| {
            let (mut board, mut clock) = (board.clone(), clock.part(threads, off.clone()));
            let table = &*table;
            let run = move || {
                // Plans can't be shared; this thread will find its own.
                let refuting = &[];
                let options = options.clone();
                let request = Request { mover, stones, prohibited, only, refuting, seed, options, thread };
                let mut solvers = Memory::solvers(bytes);
                let searched = search_in(&mut board, &request, table, &mut solvers, &mut clock);
                (searched, clock.nodes())
            };
            scope.spawn(run)
        };
        let handles: Vec<_> = (1..threads.get()).map(begin).collect();
        let searched = search_in(board, request, table, solvers, &mut own);
        off.store(true, Ordering::Relaxed);
        let join =
            |h: std::thread::ScopedJoinHandle<_>| h.join().unwrap_or_else(|e| std::panic::resume_unwind(e));
        (searched, handles.into_iter().map(join).collect::<Vec<_>>())
    });
    clock.spend_many(own.nodes() + others.iter().map(|(_, nodes)| nodes).sum::<u64>());
    for (searched, _) in others {
        if reach(&searched) > reach(&best) {
            best = searched;
        }
    }
    best
}

/// A proof, or how deep the last iteration was.
fn reach(searched: &Searched) -> (bool, u32) {
    (searched.proved_win, searched.iterations.last().map_or(0, |i| i.depth))
}
