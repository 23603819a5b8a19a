//! A game, a search and a program, joined.

use jl_game::{Assessment, Game, Program};
use jl_search::Search;

/// What an integrator writes. The three associated types know nothing of each other.
pub trait Application {
    type Game: Game;
    type Search: Search;
    type Program: Program<Self::Game>;

    fn game(&self) -> &Self::Game;
    fn search(&self) -> &Self::Search;
    fn program(&self) -> &Self::Program;

    /// The **retriever**: what the program's evaluation means to the search. Both sides are the first player's view.
    /// Sure outcomes are handled by the client; the retriever still gives them a value.
    fn retrieve(&self, assessment: &Assessment) -> <Self::Search as Search>::Value;
}

pub(crate) type PositionOf<A> = <<A as Application>::Game as Game>::Position;
pub(crate) type MoveOf<A> = <<A as Application>::Game as Game>::Move;
pub(crate) type SymmetryOf<A> = <<A as Application>::Game as Game>::Symmetry;
pub(crate) type DataOf<A> = <<A as Application>::Search as Search>::Data;
