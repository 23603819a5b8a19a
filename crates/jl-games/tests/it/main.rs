//! The games against their laws and against known numbers.

mod scripted;
mod tictactoe;
