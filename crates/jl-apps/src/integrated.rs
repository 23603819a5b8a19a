//! A game, a search and a program that speaks as ours do, joined by tables.

use crate::tables::StatusTables;
use jl_client::Application;
use jl_game::reply::Native;
use jl_game::{Assessment, Game};
use jl_search::Search;
use jl_search::pns::{Numbers, Pns};
use jl_search::uct::{Uct, WinRate};

/// The application of every game whose program needs no words of its own.
pub struct Integrated<G, S> {
    pub game: G,
    pub search: S,
    pub program: Native,
    pub tables: StatusTables,
}

/// A search whose retriever is a table.
pub trait Tabled: Search {
    /// What an evaluation means to the search. Both sides are the first player's view.
    fn value_of(tables: &StatusTables, assessment: &Assessment) -> Self::Value;
}

impl Tabled for Pns {
    fn value_of(tables: &StatusTables, assessment: &Assessment) -> Numbers {
        tables.numbers(assessment.status)
    }
}

impl Tabled for Uct {
    fn value_of(tables: &StatusTables, assessment: &Assessment) -> WinRate {
        WinRate::new(tables.win_rate(assessment))
    }
}

impl<G: Game, S: Tabled> Application for Integrated<G, S> {
    type Game = G;
    type Search = S;
    type Program = Native;

    fn game(&self) -> &G {
        &self.game
    }

    fn search(&self) -> &S {
        &self.search
    }

    fn program(&self) -> &Native {
        &self.program
    }

    fn retrieve(&self, assessment: &Assessment) -> S::Value {
        S::value_of(&self.tables, assessment)
    }
}
