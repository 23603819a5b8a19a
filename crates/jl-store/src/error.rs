//! What can go wrong with a run.

use crate::schema::VERSION;
use jl_messages::JobId;

/// `path` is a file, or the address of a run in a database, without its password.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{path} makes no sense as the address of a database: {why}")]
    Address { path: String, why: String },
    #[error("{path} names no run of the database: add ?run=NAME")]
    NoRunNamed { path: String },
    #[error("{path} exists already; 'jl resume {path}' goes on with it, or choose another --run")]
    Exists { path: String },
    #[error("{path} is in use by another client; wait for it to end or stop it first")]
    InUse { path: String },
    #[error("cannot reach {path}: {why}")]
    Unreachable { path: String, why: String },
    #[error("cannot open {path}: {why}")]
    CannotOpen { path: String, why: String },
    #[error("{path} is not a run file: {why}")]
    NotARun { path: String, why: String },
    #[error("{path} is damaged: {why}")]
    Corrupt { path: String, why: String },
    #[error("{path} is not a file of answers: {why}")]
    NotAnswers { path: String, why: String },
    #[error("{path} has version {found} of the tables of runs; this program knows versions up to {VERSION}")]
    Version { path: String, found: i32 },
    #[error(
        "{path} is of version {found} and must be brought to version {VERSION} first, but cannot be written: {why}"
    )]
    CannotMigrate { path: String, found: i32, why: String },
    #[error("{path} is damaged at journal entry {seq}: {why}")]
    Damaged { path: String, seq: i64, why: String },
    #[error(
        "{path} was recorded by a program that chose its jobs differently: entry {seq} ends job {job}, {now}; \
         resume it with the version that began it"
    )]
    Diverged { path: String, seq: i64, job: JobId, now: String },
    #[error("cannot read {path}: {why}")]
    CannotRead { path: String, why: String },
    #[error("cannot write to {path}: {why}")]
    CannotWrite { path: String, why: String },
}
