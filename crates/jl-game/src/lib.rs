//! What a game and a game-playing program are, without saying how they are searched.
//!
//! - [`Game`]: the rules, moves as text and as numbers, symmetries.
//! - [`Program`]: how a game-playing program is asked about a position and how its answer is read.
//! - [`Status`]: the graded evaluations that programs answer with.
//! - [`Effort`]: what a job may cost.
//! - [`reply`]: the answer line of our own programs.
//! - [`sgf`]: game records as trees of properties.
//! - [`laws`]: what every game must obey, as functions that tests call.
//!
//! Nothing here knows of proof numbers, visits, trees or jobs. Values are the first player's, see [`jl_value`].

mod effort;
mod game;
pub mod laws;
mod program;
pub mod reply;
pub mod sgf;
mod status;

pub use effort::Effort;
pub use game::{Game, GameError, Key, Symmetry};
pub use program::{Answer, Assessment, BadAnswer, Others, Program, Query};
pub use status::{Grade, Status, UnknownStatus};
