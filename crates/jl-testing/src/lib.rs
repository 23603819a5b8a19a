//! What tests and benches of several crates need.
//!
//! - [`server`]: a PostgreSQL server of their own;
//! - [`stones`]: a game as large as a real one, for benches.

mod postgres;
pub mod stones;

pub use postgres::{Server, durable_server, server};
