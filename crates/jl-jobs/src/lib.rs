//! The job system: who runs which job where.
//!
//! - [`broker`]: the pure broker core, events in, commands out.
//! - [`registry`]: the programs that a worker may run, as a TOML file.
//! - [`process`]: one program process: its group, its pipes, its deadline.
//! - [`worker`]: a worker slot that keeps program processes warm.
//! - [`local`]: the driver that puts broker, workers and one client into this process.
//! - [`sim`]: the driver that runs the same client and broker against virtual workers in virtual time.
//!
//! Nothing here knows a game or a search: jobs are ids, words and lines.

pub mod broker;
pub mod local;
pub mod process;
pub mod registry;
pub mod sim;
pub mod worker;
