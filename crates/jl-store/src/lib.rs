//! The run store: everything that happened in a run, in an SQLite file or in a PostgreSQL database.
//!
//! A run **is** its journal. The client is deterministic, so the notices it was given, in order, rebuild its graph:
//! that is how a run is resumed after a crash, replayed, and measured later. [`RunStore`] is the run, [`Journalled`]
//! wraps a client so that no notice has an effect before it is written. A client may keep its graph too, and then needs to
//! be given only the entries after those that it accounts for.
//!
//! Opened with `sqlite3` or `psql`, a run shows five tables that a person understands:
//!
//! | table | a row |
//! |---|---|
//! | `runs` | a run: name, when, with which parameters (JSON), how it stands (`running`, `stopped`, `decided`, …), the last report |
//! | `journal` | one notice: number, seconds since the start, `available` / `assigned` / `done` / `failed` / `dropped` / `cached` / `limit` / `retry` / `session`, job |
//! | `jobs` | a job that ended: question, output, processor time, or why there is none |
//! | `positions`, `moves` | the search graph, as far as the client has kept it |
//!
//! A file holds one run, a database many, by name. There is one text of SQL for both, over a small trait (`sql.rs`); what
//! differs is in `file.rs` and `database.rs`.
//!
//! Every job ends at most once; the key of `jobs` keeps it so. Readers never block the writer. A second writer is refused: by a
//! lock on the file, or by an advisory lock that ends with its connection.
//!
//! An [`AnswerFile`] is no run: it keeps answers of programs for experiments that ask the same again, and for other runs.
//! [`Cached`] is a client that takes answers from one.

mod address;
mod answers;
mod cached;
mod database;
mod entry;
mod error;
mod file;
mod insert;
mod journalled;
mod kept;
mod list;
mod migration;
mod patience;
mod rows;
mod schema;
mod sql;
mod stepped;
mod store;
mod sum;

pub use address::{Address, Database};
pub use answers::AnswerFile;
pub use cached::{Cache, CacheCounts, Cached};
pub use entry::{Amendment, Entry};
pub use error::StoreError;
pub use journalled::{Journalled, replay, replay_after, replay_to};
pub use kept::{Keeping, Kept, compare, restore};
pub use list::{Listed, list};
pub use stepped::Stepped;
pub use store::{RunInfo, RunStore};
