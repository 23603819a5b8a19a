//! The words of a query, read the same way on the command line, on a line of `--lines` and in process.

use crate::search::{Limits, MAX_DEPTH};
use clap::Parser;
use jl_game::{Game, GameError};
use jl_games::tictactoe::{Position, TicTacToe};
use jl_value::{Outcome, Player};
use std::time::Duration;

const EXAMPLES: &str = r#"The last line of the output is the answer:
  {"move":"b2","status":"B3","win_rate":0.79,"line":["b2","a1","c1"],"nodes":675}
  move      the best move outside the prohibited ones, null if none is left
  status    of the position after it, B for X and W for O:
            B:w B4 … B1 stable unstable1 unstable2 W1 … W4 W:w draw
            (B:w, W:w and draw are proved; unstable: the depths disagree)
  win_rate  of X, from 0 to 1
  line      the move and the expected replies
If the status is a sure loss of the player to move, then every move
outside the prohibited ones loses.

Examples:
  jl engine tictactoe                                   the first move
  jl engine tictactoe --moves "b2 a1" --show            a position, drawn
  jl engine tictactoe --moves b2-a1 --prohibit c3,a3    the best of the other moves
  jl engine tictactoe --moves b2 --depth 9 --json       the whole truth, one line
  printf '%s\n' '--moves b2' '--moves b2-a1' | jl engine tictactoe --lines

Exit code: 0 answered, 2 the question makes no sense (standard error says why)."#;

/// A tic-tac-toe program: the best move at a position, and what it thinks of the position after it
#[derive(Parser, Clone, Debug)]
#[command(bin_name = "jl engine tictactoe", no_binary_name = true, args_override_self = true)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Flags {
    /// The moves so far from a1 to c3, separated by spaces, commas or hyphens; X moves first
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,

    /// Moves that must not be answered, separated likewise
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    prohibit: String,

    /// How many plies to look ahead after the move, 0 to 9
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=i64::from(MAX_DEPTH)))]
    depth: u8,

    /// Breaks ties among equally good moves; 0 prefers the centre, then corners, then edges
    #[arg(long, value_name = "S", default_value_t = Limits::default().seed)]
    seed: u64,

    /// Wait before answering, to try out slow jobs: 50ms, 2s
    #[arg(long, value_name = "TIME", value_parser = read_delay)]
    pub(crate) delay: Option<Duration>,

    /// Stay, and answer one query per line of standard input, in these same flags (those of the command line
    /// hold for every query); each answer ends with a line `end`
    #[arg(long)]
    pub(crate) lines: bool,

    /// Print nothing but the answer line
    #[arg(long)]
    pub(crate) json: bool,

    /// Draw the board first
    #[arg(long)]
    pub(crate) show: bool,
}

/// A question that makes sense: the game is not over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub position: Position,
    pub prohibited: u16,
    pub limits: Limits,
}

/// Why a question makes no sense.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum QueryError {
    #[error("--moves: {0}")]
    Moves(GameError),
    #[error("--moves: the game is over after '{moves}': {}", how(*.outcome))]
    GameOver { moves: String, outcome: Outcome },
    #[error("--prohibit: {0}")]
    NotAMove(GameError),
    #[error("--prohibit: '{text}' is not a move here: {why}")]
    NotHere { text: String, why: String },
}

fn how(outcome: Outcome) -> &'static str {
    match outcome.winner() {
        Some(Player::First) => "X has won",
        Some(Player::Second) => "O has won",
        None => "it is a draw",
    }
}

impl Flags {
    pub fn question(&self) -> Result<Question, QueryError> {
        let (_, position) = TicTacToe.replay(&self.moves).map_err(QueryError::Moves)?;
        if let Some(outcome) = position.outcome() {
            return Err(QueryError::GameOver { moves: self.moves.clone(), outcome });
        }
        let mut prohibited = 0;
        for text in TicTacToe.split_moves(&self.prohibit) {
            let square = TicTacToe.parse_move(text).map_err(QueryError::NotAMove)?;
            TicTacToe
                .play(&position, square)
                .map_err(|why| QueryError::NotHere { text: text.into(), why })?;
            prohibited |= square.bit();
        }
        Ok(Question { position, prohibited, limits: Limits { depth: self.depth, seed: self.seed } })
    }
}

fn read_delay(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|e| format!("{e} (write 50ms or 2s)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_of_the_flags_is_consistent() {
        use clap::CommandFactory;
        Flags::command().debug_assert();
    }
}
