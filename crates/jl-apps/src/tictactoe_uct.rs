//! Tic-tac-toe × JL-UCT. The program prints win rates, which map directly.

use crate::tables;
use jl_client::Application;
use jl_game::Assessment;
use jl_game::reply::Native;
use jl_games::tictactoe::TicTacToe;
use jl_search::uct::{Uct, WinRate};

pub struct TicTacToeUct {
    pub game: TicTacToe,
    pub search: Uct,
    pub program: Native,
}

impl Application for TicTacToeUct {
    type Game = TicTacToe;
    type Search = Uct;
    type Program = Native;

    fn game(&self) -> &TicTacToe {
        &self.game
    }

    fn search(&self) -> &Uct {
        &self.search
    }

    fn program(&self) -> &Native {
        &self.program
    }

    fn retrieve(&self, assessment: &Assessment) -> WinRate {
        WinRate::new(assessment.win_rate.unwrap_or_else(|| tables::win_rate(assessment.status)))
    }
}
