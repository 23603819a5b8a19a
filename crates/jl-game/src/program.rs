//! How a game-playing program is asked and how its answer is read.

use crate::{Game, Status, Symmetry};
use std::time::Duration;

/// The node job J(n, C(n)): the best move at `position` outside `prohibited`.
#[derive(Debug)]
pub struct Query<'a, G: Game + ?Sized> {
    pub game: &'a G,
    /// The moves from the game's initial position to `position`.
    pub moves: &'a [G::Move],
    pub position: &'a G::Position,
    pub prohibited: &'a [G::Move],
    /// How many children the node has: the prohibited moves, those that are the same by symmetry counted once.
    pub children: usize,
}

/// What a program thinks of a position: a status, and a win rate of the first player if it prints one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Assessment {
    pub status: Status,
    pub win_rate: Option<f64>,
}

impl Assessment {
    /// What a win rate of the first player says.
    #[must_use]
    pub fn from_win_rate(win_rate: f64) -> Assessment {
        Assessment { status: Status::from_win_rate(win_rate), win_rate: Some(win_rate) }
    }
}

impl From<Status> for Assessment {
    fn from(status: Status) -> Assessment {
        Assessment { status, win_rate: None }
    }
}

/// What a program answered.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer<M> {
    /// The best move outside the prohibited ones, and the position after it.
    Move { mv: M, assessment: Assessment, others: Others<M> },
    /// Every move outside the prohibited ones loses for sure, or there is none.
    SureLoss,
}

/// Moves besides the best that the program names, so that nobody has to ask for them.
#[derive(Clone, PartialEq, Debug)]
pub struct Others<M> {
    /// In the order in which it would answer them, with the first player's win rates after them if it has an opinion.
    pub moves: Vec<(M, Option<f64>)>,
    /// Whether every move that is not named loses for sure.
    pub all: bool,
}

impl<M> Default for Others<M> {
    fn default() -> Others<M> {
        Others { moves: Vec::new(), all: false }
    }
}

/// The program's output could not be used. The text says what was read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadAnswer(pub String);

/// A game-playing program, seen from outside: an ordinary process that answers queries.
///
/// Two properties are required of a program: it never answers with a prohibited move, and it reports a sure loss
/// only if *every* move outside the prohibited ones, and outside those it names, loses. The first is checked; the second
/// is its word.
pub trait Program<G: Game> {
    /// The registered name that jobs carry.
    fn name(&self) -> &str;
    /// The words of a job.
    fn prepare(&self, query: &Query<'_, G>) -> Vec<String>;
    /// After so long the program is taken to hang; `None` if that is not for the program to say.
    fn time_limit(&self, _query: &Query<'_, G>) -> Option<Duration> {
        None
    }
    /// Reads the lines that the program printed.
    fn parse(&self, query: &Query<'_, G>, output: &[String]) -> Result<Answer<G::Move>, BadAnswer>;

    /// What a line that the program prints *before* its answer says already: a move that it does not expect to be the worst, and
    /// others. They become children of the node while the job goes on, so that others can look into them meanwhile. `None` for
    /// any other line. Nothing is sure of a draft; the answer alone counts for what loses.
    fn draft(&self, _query: &Query<'_, G>, _line: &str) -> Option<Answer<G::Move>> {
        None
    }

    /// What the words of a job say besides the position and the prohibited moves: its limits, a seed. The three together
    /// determine how good an answer is. `None` if the program has no such words; its answers are not used again then.
    fn terms(&self, _query: &Query<'_, G>) -> Option<String> {
        None
    }

    /// The output with every move in it mapped, so that it answers the mapped question; `None` if that can't be done.
    fn map_output(&self, _game: &G, symmetry: G::Symmetry, output: &[String]) -> Option<Vec<String>> {
        (symmetry == G::Symmetry::IDENTITY).then(|| output.to_vec())
    }
}
