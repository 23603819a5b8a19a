//! Where the answers of a simulation come from.

use crate::failure::Failure;
use crate::programs::{BuiltIn, built_in};
use jl_store::{AnswerFile, Entry, RunStore, StoreError};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

type Lines = Arc<OnceLock<Vec<String>>>;

/// The answers of one engine: what runs have recorded, what a file keeps, and what is computed now. Each is computed once,
/// whoever asks, so that every search and policy sees the same.
pub struct Answers {
    engine: &'static BuiltIn,
    known: Mutex<HashMap<String, Lines>>,
    kept: Option<Mutex<AnswerFile>>,
    /// How many came with runs, by the version of the engine that gave them.
    recorded: BTreeMap<Option<String>, usize>,
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
            recorded: BTreeMap::new(),
            computed: AtomicUsize::new(0),
            trouble: Mutex::default(),
        })
    }

    #[must_use]
    pub fn kept_in(self, file: AnswerFile) -> Answers {
        Answers { kept: Some(Mutex::new(file)), ..self }
    }

    /// Takes over the answers of a run, and says that they are of this version.
    pub fn learn(&mut self, run: &RunStore, version: Option<&str>) -> Result<(), StoreError> {
        let known = self.known.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut recorded = 0;
        run.replay(|_, entry| {
            if let Entry::Done { question, output, .. } | Entry::Cached { question, output, .. } = entry {
                recorded += 1;
                known.entry(question).or_insert_with(|| Arc::new(output.into()));
            }
            Ok(())
        })?;
        *self.recorded.entry(version.map(String::from)).or_default() += recorded;
        Ok(())
    }

    /// How many of the recorded answers are of which version.
    pub fn versions(&self) -> BTreeMap<String, usize> {
        let name = |version: &Option<String>| version.clone().unwrap_or_else(|| UNKNOWN.into());
        self.recorded.iter().map(|(version, &n)| (name(version), n)).collect()
    }

    /// What must be said where answers of other versions of the engine are mixed with its own.
    pub fn mixture(&self) -> Option<String> {
        let version = self.engine.version;
        let versions = self.versions();
        if versions.keys().all(|v| v == version) {
            return None;
        }
        let parts: Vec<String> = versions.iter().map(|(v, n)| format!("{n} are of {v}")).collect();
        let name = self.engine.name;
        Some(format!(
            "of the recorded answers {}; those computed now are of {name} {version}",
            parts.join(", ")
        ))
    }

    /// How many came with runs, and how many were computed.
    pub fn counts(&self) -> (usize, usize) {
        (self.recorded.values().sum(), self.computed.load(Ordering::Relaxed))
    }

    pub fn trouble(self) -> Option<StoreError> {
        self.trouble.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn answer(&self, words: &[String]) -> Vec<String> {
        let question = words.join(" ");
        let cell = lock(&self.known).entry(question.clone()).or_default().clone();
        // Whoever asks for the same meanwhile waits here.
        let find = || self.look_up(&question).or_else(|| self.drafted(words, &question));
        cell.get_or_init(|| find().unwrap_or_else(|| self.compute(words, &question))).clone()
    }

    /// An answer with a draft before it, from the one without: that may be known. The draft costs a part of a job, so it is kept.
    fn drafted(&self, words: &[String], question: &str) -> Option<Vec<String>> {
        let (word, with_draft) = self.engine.draft?;
        let plain: Vec<String> = words.iter().filter(|w| *w != word).cloned().collect();
        if plain.len() == words.len() {
            return None;
        }
        let output = with_draft(words, &self.answer(&plain)).ok()?;
        self.keep(question, &output);
        Some(output)
    }

    fn look_up(&self, question: &str) -> Option<Vec<String>> {
        let file = lock(self.kept.as_ref()?);
        self.unless_trouble(file.get(self.engine.name, self.engine.version, question)).flatten()
    }

    fn compute(&self, words: &[String], question: &str) -> Vec<String> {
        let output = (self.engine.answer)(words).unwrap_or_else(|e| vec![format!("error: {e}")]);
        self.computed.fetch_add(1, Ordering::Relaxed);
        self.keep(question, &output);
        output
    }

    fn keep(&self, question: &str, output: &[String]) {
        if let Some(file) = &self.kept {
            self.unless_trouble(lock(file).put(self.engine.name, self.engine.version, question, output));
        }
    }

    fn unless_trouble<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        result.map_err(|e| *lock(&self.trouble) = Some(e)).ok()
    }
}

/// The version of a run that does not say.
const UNKNOWN: &str = "an unknown version";

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
