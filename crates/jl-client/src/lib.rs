//! The pure job-level client: notices in, requests out.
//!
//! [`Client`] is the principal type. It owns the search graph and turns "a worker is available" into a job and a
//! job's answer into a node; it has no clock, no socket, no file and no randomness. Whoever drives it (real processes,
//! a network, a simulator, a test, a journal being replayed) gets the same requests for the same notices.
//!
//! The eight modules of a job-level search (Wei15a §3) are the functions
//!
//! | module | here |
//! |---|---|
//! | Initialize | [`Client::new`] |
//! | Select | [`jl_search::select`] |
//! | Pre-update | [`jl_search::pre_update`] |
//! | Dispatch | `Client::dispatch` |
//! | Handle result | `Client::on_done`, `on_failed`, `on_dropped` |
//! | Update | [`jl_search::update`] |
//! | Is completed | [`jl_search::Search::is_completed`] |
//! | Finalize | `Client::finalize` |
//!
//! An [`Application`] joins a game, a search and a program; its retriever is all that an integrator writes.

mod application;
mod asked;
mod client;
mod distances;
mod recall;
mod report;
mod run;
mod transpositions;

pub use application::Application;
pub use client::Client;
pub use distances::Distances;
pub use report::{Child, NodeView, Summary};
pub use run::{Counts, End, FailedJob, Options};
