//! The truth about tic-tac-toe, for tests.
//!
//! A plain minimax to the end of the game: no window, no table, no order of moves. It shares nothing with the
//! programs and searches that are checked against it except the rules.

use super::{Position, TicTacToe};
use jl_game::Game;
use jl_value::Outcome;
use std::collections::HashSet;

/// How the game ends from `position` if both play their best.
#[must_use]
pub fn minimax(position: Position) -> Outcome {
    if let Some(outcome) = TicTacToe.outcome(&position) {
        return outcome;
    }
    let mover = TicTacToe.to_move(&position);
    let values = children(position).into_iter().map(minimax);
    values.reduce(|a, b| a.better_for(mover, b)).expect("a game that is not over has a move")
}

/// Every position that can arise in play, each once, the initial one first.
#[must_use]
pub fn reachable() -> Vec<Position> {
    let mut seen = HashSet::from([TicTacToe.initial()]);
    let mut found = vec![TicTacToe.initial()];
    let mut next = 0;
    while let Some(&position) = found.get(next) {
        found.extend(children(position).into_iter().filter(|&child| seen.insert(child)));
        next += 1;
    }
    found
}

fn children(position: Position) -> Vec<Position> {
    let moves = TicTacToe.legal_moves(&position).into_iter();
    moves.map(|square| TicTacToe.play(&position, square).expect("a legal move can be played")).collect()
}
