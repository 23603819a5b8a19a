//! The run file: everything that happened in a run, in one SQLite file.
//!
//! A run **is** its journal. The client is deterministic, so the notices it was given, in order, rebuild its graph:
//! that is how a run is resumed after a crash, replayed, and measured later. [`RunFile`] is the file, [`Journalled`]
//! wraps a client so that no notice has an effect before it is written.
//!
//! Opened with `sqlite3`, a run file shows two tables that a person understands:
//!
//! | table | a row |
//! |---|---|
//! | `runs` | the run: when, with which parameters (JSON), how it stands (`running`, `stopped`, `decided`, …), the last report |
//! | `journal` | one notice: number, seconds since the start, `available` / `done` / `cached` / `failed` / `dropped` / `limit` / `retry` / `session`, job, detail (JSON) |
//!
//! Every job's end is in the journal at most once; an index keeps it so. The file is written in WAL mode: readers never
//! block the writer. A second writer is refused.
//!
//! An [`AnswerFile`] is no run: it keeps answers of programs for experiments that ask the same again, and for other runs.
//! [`Cached`] is a client that takes answers from one.

mod answers;
mod cached;
mod entry;
mod journalled;
mod run_file;

pub use answers::AnswerFile;
pub use cached::{Cache, CacheCounts, Cached, Stepped};
pub use entry::{Amendment, Entry};
pub use journalled::{Journalled, replay};
pub use run_file::{RunFile, RunInfo, StoreError};
