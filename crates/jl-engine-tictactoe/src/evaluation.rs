//! What a position looks like when the search stops: open lines.

use jl_games::tictactoe::{LINES, Position};
use jl_value::Player;

/// A line that only one player has stones in counts for that player, more with two stones than with one.
const OPEN: [i32; 3] = [0, 1, 4];
/// The mover is about to add a stone.
const TEMPO: i32 = 2;
/// The advantage at which the win rate is 1 / (1 + e⁻¹), about 0.73.
const SCALE: f64 = 3.0;

/// The mover's advantage. No player may have completed a line.
pub(crate) fn advantage(position: Position) -> i32 {
    let mover = position.to_move();
    let (own, other) = (position.stones(mover), position.stones(mover.opponent()));
    let open = |mine: u16, theirs: u16, line: u16| {
        if theirs & line == 0 { OPEN[(mine & line).count_ones() as usize] } else { 0 }
    };
    TEMPO + LINES.iter().map(|&line| open(own, other, line) - open(other, own, line)).sum::<i32>()
}

/// The first player's win rate for an advantage of `player`, never quite 0 or 1: those are for what is sure.
pub(crate) fn win_rate(advantage: i32, player: Player) -> f64 {
    let sign = if player == Player::First { 1.0 } else { -1.0 };
    let rate = 1.0 / (1.0 + (-sign * f64::from(advantage) / SCALE).exp());
    (rate.clamp(0.01, 0.99) * 100.0).round() / 100.0
}
