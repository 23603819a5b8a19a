//! X and O: how boards and messages show the players.

use jl_value::{Outcome, Player};

pub(crate) fn letter(player: Player) -> char {
    match player {
        Player::First => 'X',
        Player::Second => 'O',
    }
}

pub(crate) fn describe(outcome: Outcome) -> String {
    outcome.winner().map_or_else(|| "it is a draw".into(), |p| format!("{} has won", letter(p)))
}
