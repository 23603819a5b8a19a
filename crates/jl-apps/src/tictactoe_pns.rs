//! Tic-tac-toe × JL-PNS: the model of an integrator.

use crate::tables;
use jl_client::Application;
use jl_game::Assessment;
use jl_game::reply::Native;
use jl_games::tictactoe::TicTacToe;
use jl_search::pns::{Numbers, Pns};

pub struct TicTacToePns {
    pub game: TicTacToe,
    pub search: Pns,
    pub program: Native,
}

impl Application for TicTacToePns {
    type Game = TicTacToe;
    type Search = Pns;
    type Program = Native;

    fn game(&self) -> &TicTacToe {
        &self.game
    }

    fn search(&self) -> &Pns {
        &self.search
    }

    fn program(&self) -> &Native {
        &self.program
    }

    fn retrieve(&self, assessment: &Assessment) -> Numbers {
        tables::numbers(assessment.status)
    }
}
