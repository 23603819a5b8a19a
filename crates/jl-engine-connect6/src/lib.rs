//! The Connect6 program: what jobs run.
//!
//! - [`geometry`]: the windows of a board of the family Connect(m, n, k, 2, 1);
//! - [`board`]: stones on it, with the live windows of each side by how many stones they hold;
//! - [`threats`]: how many stones it takes to answer a side's threats, and which;
//! - [`attack`]: victory by continuous threats, double and single ones, with [`candidates`];
//! - [`plan`]: what such a search returns: a winning strategy, and the zone that it relies on;
//! - [`proof`]: such strategies as proof files, which others can check;
//! - [`verify`]: every reply that may avoid a loss, or the proof that there is none; [`quiet`]: wins that begin with a move
//!   to which there is none;
//! - [`evaluate`], [`search`]: alpha–beta over patterns, where threats decide nothing; [`network`]: what it learned of where stones go
//!   and who wins;
//! - [`finish`]: turns that complete a line; [`opening`]: White's first reply;
//! - [`engine`]: a question and its answer; [`Thinker`] asks it about positions of `jl-games`, [`run`] is the command.
//!
//! A window is k consecutive cells in a line. It is *live* for a side while the other has no stone in it; with k − 2 stones
//! or more, one turn completes it.
//!
//! ```
//! use jl_engine_connect6::{Board, Geometry, Side, Threats};
//!
//! let geometry = Geometry::new(19, 19, 6).unwrap();
//! let mut board = Board::new(&geometry);
//! for x in 6..10 {
//!     board.place(geometry.cell(x, 9), Side::First);
//! }
//! let threats = Threats::of(&board, Side::First);
//! assert_eq!(threats.count(), 2); // four in a row with both ends open: it takes two stones
//! assert!(threats.answers().iter().all(|&[a, b]| a != b));
//! ```

pub mod attack;
pub mod board;
pub mod candidates;
mod command;
pub mod course;
mod dialogue;
pub mod engine;
pub mod evaluate;
pub mod finish;
mod flags;
pub mod geometry;
pub mod limits;
pub mod network;
pub mod opening;
pub mod plan;
pub mod proof;
pub mod prove;
pub mod quiet;
pub mod search;
pub mod sets;
pub mod thinker;
pub mod threats;
pub mod verify;

pub use attack::{Found, Solver};
pub use board::{Board, Side};
pub use command::{answer, run, with_draft};
pub use course::Course;
pub use geometry::Geometry;
pub use thinker::Thinker;
pub use threats::Threats;
