//! A game, a search and a program that speaks as ours do, joined by the default tables.

use crate::tables;
use jl_client::Application;
use jl_game::reply::Native;
use jl_game::{Assessment, Game};
use jl_search::Search;
use jl_search::pns::{Numbers, Pns};
use jl_search::uct::{Uct, WinRate};

/// The application of every game whose program needs no words or tables of its own.
pub struct Integrated<G, S> {
    pub game: G,
    pub search: S,
    pub program: Native,
}

/// A search with a default retriever.
pub trait Tabled: Search {
    /// What an evaluation means to the search. Both sides are the first player's view.
    fn value_of(assessment: &Assessment) -> Self::Value;
}

impl Tabled for Pns {
    fn value_of(assessment: &Assessment) -> Numbers {
        tables::numbers(assessment.status)
    }
}

/// A printed win rate maps directly.
impl Tabled for Uct {
    fn value_of(assessment: &Assessment) -> WinRate {
        WinRate::new(assessment.win_rate.unwrap_or_else(|| tables::win_rate(assessment.status)))
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
        S::value_of(assessment)
    }
}
