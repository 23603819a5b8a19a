//! A client whose graph is in the store too, as it was a moment ago.
//!
//! The journal alone is enough to rebuild a run. The graph beside it makes resuming quick, lets others look at it, and makes room: what is
//! saved and was not visited for long can leave the memory.

use crate::{Amendment, Journalled, RunStore, Stepped, StoreError, replay_after};
use jl_messages::{Driven, Notice, Request, RowSource, Rows, Savable};
use std::error::Error;
use std::ops::Range;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How often, and how much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keeping {
    /// Between two times that the graph is saved; longer if saving takes long.
    pub pause: Duration,
    /// The memory that the graph may take, in bytes.
    pub memory: usize,
}

/// Saving may take this part of the time.
const SHARE: u32 = 20;
/// Batches between two looks at the memory.
const LOOK: u64 = 64;

/// A journalled client that saves its graph.
pub struct Kept<C> {
    run: Journalled<C>,
    keeping: Keeping,
    saved: Instant,
    pause: Duration,
    batches: u64,
}

impl<C: Savable> Kept<C> {
    pub fn new(mut run: Journalled<C>, keeping: Keeping) -> Result<Kept<C>, StoreError> {
        let reader = RunStore::open_to_read(run.run().address())?;
        run.client_mut().set_source(Rc::new(reader));
        Ok(Kept { run, keeping, saved: Instant::now(), pause: keeping.pause, batches: 0 })
    }

    #[must_use]
    pub fn client(&self) -> &C {
        self.run.client()
    }

    #[must_use]
    pub fn into_run(self) -> Journalled<C> {
        self.run
    }

    /// Saves what changed, and makes room if need be.
    pub fn save(&mut self) -> Result<(), StoreError> {
        let begin = Instant::now();
        self.run.save()?;
        self.saved = Instant::now();
        self.pause = self.keeping.pause.max(SHARE * (self.saved - begin));
        if self.is_full() {
            self.trim();
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.run.client().bytes() > self.keeping.memory
    }

    /// Not too little, or it would be for every few nodes.
    fn trim(&mut self) {
        self.run.client_mut().trim(self.keeping.memory / 4 * 3);
    }

    /// What was only read can go at once. If that is not enough, the rest has to be saved first.
    fn make_room(&mut self) -> Result<(), StoreError> {
        self.trim();
        if self.run.client().bytes() > self.keeping.memory / 8 * 7 { self.save() } else { Ok(()) }
    }
}

impl<C: Savable> Journalled<C> {
    /// Saves what changed of the graph, in one transaction; piece by piece, since it may be all of a large one.
    pub fn save(&mut self) -> Result<(), StoreError> {
        const PIECE: usize = 1 << 16;
        let (changed, state) = (self.client().unsaved(), self.client().state());
        for ids in changed.chunks(PIECE) {
            let (positions, moves) = self.client().rows_of(ids);
            self.run_mut().save(&positions, &moves, &state)?;
        }
        if changed.is_empty() {
            self.run_mut().save(&[], &[], &state)?;
        }
        self.run_mut().commit()?;
        self.client_mut().mark_saved();
        Ok(())
    }
}

impl<C: Savable> Stepped for Kept<C> {
    type Client = C;

    fn client(&self) -> &C {
        self.run.client()
    }

    fn step(&mut self, notice: Notice) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>> {
        self.run.step(notice)
    }

    fn settle(&mut self) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.run.settle()?;
        self.batches += 1;
        if self.saved.elapsed() >= self.pause {
            self.save()?;
        } else if self.batches.is_multiple_of(LOOK) && self.is_full() {
            self.make_room()?;
        }
        Ok(())
    }
}

impl<C: Savable> Driven for Kept<C> {
    fn begin(&mut self) -> Vec<Request> {
        self.run.begin()
    }

    fn receive(&mut self, notices: Vec<Notice>) -> Result<Vec<Request>, Box<dyn Error + Send + Sync>> {
        self.step_all(notices)
    }

    fn is_over(&self) -> bool {
        self.run.is_over()
    }
}

impl RowSource for RunStore {
    fn rows(&self, ids: Range<u32>) -> Result<Rows, Box<dyn Error + Send + Sync>> {
        Ok(self.load(ids)?)
    }
}

/// Brings a new client to where the run stands: from the saved graph, if there is one that makes sense, and the entries after it; else from
/// all entries. What was wrong with the saved graph. Nobody else may write to the run meanwhile.
pub fn restore<C: Savable>(
    run: &RunStore,
    client: &mut C,
    memory: usize,
    amend: impl FnMut(&mut C, Amendment),
) -> Result<Option<String>, StoreError> {
    let (mut seq, mut trouble) = (0, None);
    if let Some((saved, state)) = run.saved()? {
        let source = Rc::new(RunStore::open_to_read(run.address())?);
        match run.check_saved().and_then(|()| client.restore(&state, source, memory)) {
            Ok(()) => seq = saved,
            Err(why) => trouble = Some(why),
        }
    }
    replay_after(run, seq, client, amend)?;
    Ok(trouble)
}

/// Holds the saved graph against a client that accounts for the same entries. What differs, if anything.
pub fn compare<C: Savable + ?Sized>(run: &RunStore, client: &C) -> Result<Option<String>, StoreError> {
    const PAGE: usize = 1024;
    let mut rows = client.rows();
    let mut start = 0;
    loop {
        let page: Vec<_> = rows.by_ref().take(PAGE).collect();
        let end = start + page.len() as u32;
        let (positions, moves) = run.load(start..end)?;
        let (built, edges): (Vec<_>, Vec<_>) = page.into_iter().unzip();
        let edges = edges.concat();
        let first = |a: &[_], b: &[_]| a.iter().zip(b).position(|(a, b)| a != b);
        if built != positions {
            let at = first(&built, &positions).unwrap_or(built.len().min(positions.len()));
            return Ok(Some(format!("position {}", start as usize + at)));
        }
        if edges != moves {
            let at = edges.iter().zip(&moves).position(|(a, b)| a != b);
            let parent = at.map_or(end - 1, |at| edges[at].parent);
            return Ok(Some(format!("the moves of position {parent}")));
        }
        if built.len() < PAGE {
            let beyond = run.load(end..end + 1)?.0;
            return Ok((!beyond.is_empty()).then(|| format!("position {end}, which is not in the graph")));
        }
        start = end;
    }
}
