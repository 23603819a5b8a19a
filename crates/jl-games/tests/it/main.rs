//! The games against their laws and against known numbers.

mod connect6;
mod scripted;
mod tictactoe;
