//! Where the answers of a simulation come from.

use crate::failure::Failure;
use crate::programs::{BuiltIn, built_in};
use jl_store::{AnswerFile, Entry, RunFile, StoreError};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

type Lines = Arc<OnceLock<Vec<String>>>;

/// The answers of one engine: what runs have recorded, what a file keeps, and what is computed now. Each is computed once,
/// whoever asks, so that every search and policy sees the same.
pub struct Answers {
    engine: &'static BuiltIn,
    known: Mutex<HashMap<String, Lines>>,
    kept: Option<Mutex<AnswerFile>>,
    recorded: usize,
    computed: AtomicUsize,
    /// What went wrong with the file; the simulation goes on without it.
    trouble: Mutex<Option<StoreError>>,
}

impl Answers {
    pub fn of(program: &str) -> Result<Answers, Failure> {
        let engine = built_in(program)
            .ok_or_else(|| Failure::usage(format!("the engine '{program}' can't be simulated")))?;
        Ok(Answers {
            engine,
            known: Mutex::default(),
            kept: None,
            recorded: 0,
            computed: AtomicUsize::new(0),
            trouble: Mutex::default(),
        })
    }

    #[must_use]
    pub fn kept_in(self, file: AnswerFile) -> Answers {
        Answers { kept: Some(Mutex::new(file)), ..self }
    }

    /// Takes over the answers of a run.
    pub fn learn(&mut self, run: &RunFile) -> Result<(), StoreError> {
        let known = self.known.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut recorded = 0;
        run.replay(|_, entry| {
            if let Entry::Done { question, output, .. } = entry {
                recorded += 1;
                known.entry(question).or_insert_with(|| Arc::new(output.into()));
            }
            Ok(())
        })?;
        self.recorded += recorded;
        Ok(())
    }

    /// How many came with runs, and how many were computed.
    pub fn counts(&self) -> (usize, usize) {
        (self.recorded, self.computed.load(Ordering::Relaxed))
    }

    pub fn trouble(self) -> Option<StoreError> {
        self.trouble.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn answer(&self, words: &[String]) -> Vec<String> {
        let question = words.join(" ");
        let cell = lock(&self.known).entry(question.clone()).or_default().clone();
        // Whoever asks for the same meanwhile waits here.
        cell.get_or_init(|| self.look_up(&question).unwrap_or_else(|| self.compute(words, &question))).clone()
    }

    fn look_up(&self, question: &str) -> Option<Vec<String>> {
        let file = lock(self.kept.as_ref()?);
        self.unless_trouble(file.get(self.engine.name, VERSION, question)).flatten()
    }

    fn compute(&self, words: &[String], question: &str) -> Vec<String> {
        let output = (self.engine.answer)(words).unwrap_or_else(|e| vec![format!("error: {e}")]);
        self.computed.fetch_add(1, Ordering::Relaxed);
        if let Some(file) = &self.kept {
            self.unless_trouble(lock(file).put(self.engine.name, VERSION, question, &output));
        }
        output
    }

    fn unless_trouble<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        result.map_err(|e| *lock(&self.trouble) = Some(e)).ok()
    }
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
