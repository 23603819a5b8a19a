//! `--cache`: answers that runs share.

use crate::cli::CacheArgs;
use crate::failure::Failure;
use crate::report;
use jl_jobs::registry::Registry;
use jl_store::{AnswerFile, Cache, CacheCounts};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Names the file, if the command line does not.
const VARIABLE: &str = "JL_CACHE";
/// In place of a file.
const OFF: &str = "off";

impl CacheArgs {
    fn file(&self) -> Option<PathBuf> {
        let from_variable = || std::env::var_os(VARIABLE).filter(|f| !f.is_empty()).map(PathBuf::from);
        self.cache.clone().or_else(from_variable).filter(|f| f.as_os_str() != OFF)
    }

    /// The cache of a program's answers, if one is wanted and the program has a version.
    pub fn open(&self, registry: &Registry, program: &str) -> Result<Option<Cache>, Failure> {
        let Some(file) = self.file() else { return Ok(None) };
        let named = if self.cache.is_some() { "--cache" } else { VARIABLE };
        let opened = AnswerFile::open(&file).map_err(|e| Failure::usage(format!("{named}: {e}")))?;
        let version = registry.get(program).and_then(|spec| spec.version.clone());
        if version.is_none() {
            eprintln!("no answers are cached: '{program}' is registered without a version");
        }
        Ok(version.map(|version| Cache::new(opened, program, version)))
    }
}

/// What the cache was good for.
pub fn json(cache: Option<&Cache>) -> Value {
    let Some(cache) = cache else { return Value::Null };
    let CacheCounts { hits, misses, stored } = cache.counts();
    json!({ "file": cache.path().display().to_string(), "hits": hits, "misses": misses, "stored": stored })
}

/// For people.
pub fn text(cache: Option<&Cache>) -> String {
    cache.map_or(String::new(), |cache| {
        let CacheCounts { hits, misses, stored } = cache.counts();
        let file = cache.path().display();
        report::row("cache", &format!("{file}: {hits} hits, {misses} misses, {stored} stored"))
    })
}

/// Says once what went wrong; the run goes on without.
#[derive(Default)]
pub struct Warning {
    given: bool,
}

impl Warning {
    /// The warning, if there is one to give.
    pub fn take(&mut self, cache: Option<&Cache>) -> Option<String> {
        let trouble = cache.and_then(Cache::trouble).filter(|_| !self.given)?;
        self.given = true;
        Some(format!("warning: the run goes on without its cache: {trouble}"))
    }
}
