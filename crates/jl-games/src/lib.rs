//! The rules of the games, one folder each. Nothing here searches.
//!
//! - [`tictactoe`]: the smallest real game, and the one that every search is checked on to the end.
//! - [`connect6`]: the family Connect(m, n, k, p, q), its notations and records.
//! - [`scripted`]: a game whose tree is written out by hand, or drawn at random with a known value.
//! - [`square`]: the symmetries of square boards.
//!
//! A game is a type that implements [`jl_game::Game`]; its principal type carries the game's name. Positions are
//! plain values, so that a rule is a function from one to the next and can be tried in one line:
//!
//! ```
//! use jl_game::Game;
//! use jl_games::tictactoe::TicTacToe;
//! use jl_value::Outcome;
//!
//! let (_, position) = TicTacToe.replay("b2 a1 c2 a2 b1 a3").unwrap();
//! assert_eq!(TicTacToe.outcome(&position), Some(Outcome::SecondWins));
//! ```

pub mod connect6;
mod marks;
pub mod scripted;
pub mod square;
pub mod tictactoe;
