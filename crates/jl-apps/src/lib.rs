//! Applications: a game, a search and a program joined, one file each.
//!
//! | file | application |
//! |---|---|
//! | `tictactoe_pns.rs` | tic-tac-toe × JL-PNS |
//! | `tictactoe_uct.rs` | tic-tac-toe × JL-UCT |
//!
//! [`tables`] holds the default tables from a program's status to a search's values. [`Parameters`] describes a run so
//! that it can be written down and rebuilt; [`Parameters::client`] builds it as a [`AnyClient`], the one place where
//! the static types end.

mod any;
mod parameters;
pub mod tables;
mod tictactoe_pns;
mod tictactoe_uct;

pub use any::AnyClient;
pub use parameters::{GAMES, GameInfo, Parameters, SEARCHES, SearchParameters, SetupError, game_info};
pub use tictactoe_pns::TicTacToePns;
pub use tictactoe_uct::TicTacToeUct;
