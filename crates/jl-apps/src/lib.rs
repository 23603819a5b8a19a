//! Applications: a game, a search and a program joined.
//!
//! [`Integrated`] is the application of every game whose program speaks as ours do: tic-tac-toe and Connect6, each with
//! JL-PNS and JL-UCT. [`tables`] are from a program's status to a search's values. [`Parameters`]
//! describes a run so that it can be written down and rebuilt; [`Parameters::client`] builds it as a [`AnyClient`], the
//! one place where the static types end. [`openings`] are positions with names. [`units`] is an application without a tree: the
//! grids of the Sudoku catalogue, checked in units.

mod any;
mod integrated;
pub mod openings;
mod parameters;
pub mod tables;
pub mod units;

pub use any::AnyClient;
pub use integrated::{Integrated, Tabled};
pub use parameters::{GAMES, GameInfo, Parameters, SEARCHES, SearchParameters, SetupError, game_info};
