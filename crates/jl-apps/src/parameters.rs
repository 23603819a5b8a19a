//! The description of a run: enough to build it, and to build it again from what was recorded.

use crate::tables::StatusTables;
use crate::{AnyClient, Integrated};
use jl_client::{Application, Client, Options};
use jl_game::reply::Native;
use jl_game::{Effort, Game, GameError};
use jl_games::connect6::Connect;
use jl_games::tictactoe::TicTacToe;
use jl_search::pns::{Pns, Policy, UnknownPolicy, Widening};
use jl_search::uct::{Mean, Uct};
use jl_search::{Search, Siblings};
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;

/// A game that can be searched.
pub struct GameInfo {
    pub name: &'static str,
    pub about: &'static str,
    /// The registered program that plays it, unless the user names another.
    pub program: &'static str,
    /// The nodes of a job of that program, unless the user says otherwise; `None` if it does not limit itself.
    pub job_nodes: Option<u64>,
    /// The words of its jobs, before the user's.
    pub words: &'static [&'static str],
    /// The word that makes it print a draft ahead of its answer, if it can.
    pub draft: Option<&'static str>,
}

pub const GAMES: &[GameInfo] = &[
    GameInfo {
        name: "tictactoe",
        about: "Tic-tac-toe: squares a1 to c3, columns a-c, rows from the bottom",
        program: "tictactoe",
        job_nodes: None,
        words: &[],
        draft: None,
    },
    GameInfo {
        name: "connect6",
        about: "Connect6 on 19x19: two stones as JIKL or j9k12, rows from the bottom, the centre is JJ",
        program: "connect6",
        job_nodes: Some(250_000),
        words: &["--style", "attack", "--next", "32"],
        draft: Some("--draft"),
    },
];

/// The searches, by name.
pub const SEARCHES: &[(&str, &str)] = &[
    (
        "pns",
        "JL-PNS, proof-number search (policies native, vw, vl, gd, fg, mf, fg-ve, mf-ve, mf-sp; --k-band, --widening)",
    ),
    ("uct", "JL-UCT, upper confidence bounds on win rates, with virtual loss and flags"),
];

#[must_use]
pub fn game_info(name: &str) -> Option<&'static GameInfo> {
    GAMES.iter().find(|g| g.name == name)
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "name")]
pub enum SearchParameters {
    Pns {
        policy: String,
        k_band: Option<NonZeroUsize>,
        widening: Option<NonZeroUsize>,
        /// Runs of old don't say: they were eager.
        #[serde(default)]
        siblings: Siblings,
    },
    Uct {
        exploration: f64,
        /// Runs of old don't say this either.
        #[serde(default)]
        mean: Mean,
        #[serde(default)]
        siblings: Siblings,
    },
}

impl SearchParameters {
    /// JL-PNS as it is recommended.
    #[must_use]
    pub fn pns(policy: &str) -> SearchParameters {
        let siblings = Siblings::Gradual;
        SearchParameters::Pns { policy: policy.into(), k_band: None, widening: None, siblings }
    }

    /// JL-UCT as it is recommended.
    #[must_use]
    pub fn uct() -> SearchParameters {
        let Uct { exploration, .. } = Uct::default();
        SearchParameters::Uct { exploration, mean: Mean::Live, siblings: Siblings::Gradual }
    }

    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            SearchParameters::Pns { .. } => "pns",
            SearchParameters::Uct { .. } => "uct",
        }
    }

    /// The pre-update policy, as reports name it.
    #[must_use]
    pub fn policy(&self) -> String {
        match self {
            SearchParameters::Pns { policy, .. } => policy.clone(),
            SearchParameters::Uct { .. } => Uct::default().policy(),
        }
    }
}

/// A run, described.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameters {
    pub game: String,
    /// From the game's initial position to the root.
    pub moves: String,
    pub search: SearchParameters,
    /// What the program's statuses mean to the search.
    #[serde(default, skip_serializing_if = "StatusTables::is_default")]
    pub tables: StatusTables,
    /// The registered program.
    pub program: String,
    /// Of the program that the run was begun with, if it has one. Runs of old don't say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program_version: Option<String>,
    /// Words added to every query.
    pub program_options: Vec<String>,
    /// What a job may cost, for a program that limits itself.
    #[serde(default)]
    pub effort: Effort,
    pub options: Options,
    pub workers: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    #[error("there is no game '{0}' ('jl list games' shows them)")]
    UnknownGame(String),
    #[error(transparent)]
    Policy(#[from] UnknownPolicy),
    #[error("--k-band and --widening exclude each other: choose one")]
    TwoWidenings,
    #[error("the exploration constant must be a number from 0 up, not {0}")]
    Exploration(String),
    #[error("in --moves: {0}")]
    Moves(#[from] GameError),
}

impl Parameters {
    /// A run of one worker, whose program is told nothing but the position.
    #[must_use]
    pub fn new(game: &str, program: &str, moves: &str, search: SearchParameters) -> Parameters {
        Parameters {
            game: game.into(),
            moves: moves.into(),
            search,
            tables: StatusTables::default(),
            program: program.into(),
            program_version: None,
            program_options: Vec::new(),
            effort: Effort::default(),
            options: Options::default(),
            workers: 1,
        }
    }

    /// Whether the program is to print drafts, if it can, and the client to heed them.
    pub fn set_drafts(&mut self, wanted: bool) {
        self.options.drafts = wanted;
        let Some(info) = game_info(&self.game).filter(|info| info.program == self.program) else { return };
        let Some(word) = info.draft else { return };
        self.program_options.retain(|w| w != word);
        if wanted {
            self.program_options.push(word.into());
        }
    }

    /// The seed that the program is told, if it is told one.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        let at = self.program_options.iter().rposition(|w| w == SEED)?;
        self.program_options.get(at + 1)?.parse().ok()
    }

    /// Tells the program this seed, and no other. Its own is 0: that need not be said, so that the questions stay the same.
    pub fn set_seed(&mut self, seed: u64) {
        while let Some(at) = self.program_options.iter().position(|w| w == SEED) {
            let end = (at + 2).min(self.program_options.len());
            self.program_options.drain(at..end);
        }
        if seed != 0 {
            self.program_options.extend([SEED.into(), seed.to_string()]);
        }
    }

    /// The client that these parameters describe.
    pub fn client(&self) -> Result<Box<dyn AnyClient>, SetupError> {
        match self.game.as_str() {
            "tictactoe" => self.integrate(TicTacToe),
            "connect6" => self.integrate(Connect::CONNECT6),
            other => Err(SetupError::UnknownGame(other.into())),
        }
    }

    /// The game with its search and a program that speaks as ours do.
    fn integrate<G: Game + 'static>(&self, game: G) -> Result<Box<dyn AnyClient>, SetupError> {
        let program =
            Native::new(self.program.as_str(), self.program_options.clone()).with_effort(self.effort);
        match self.search()? {
            AnySearch::Pns(search) => self.boxed(Integrated { game, search, program, tables: self.tables }),
            AnySearch::Uct(search) => self.boxed(Integrated { game, search, program, tables: self.tables }),
        }
    }

    fn boxed<A: Application + 'static>(&self, app: A) -> Result<Box<dyn AnyClient>, SetupError> {
        let (moves, position) = app.game().replay(&self.moves)?;
        Ok(Box::new(Client::new(app, moves, position, self.options.clone())))
    }

    fn search(&self) -> Result<AnySearch, SetupError> {
        match &self.search {
            SearchParameters::Pns { policy, k_band, widening, siblings } => {
                let policy: Policy = policy.parse()?;
                let widening = match (k_band, widening) {
                    (None, None) => Widening::All,
                    (Some(k), None) => Widening::Band(*k),
                    (None, Some(k)) => Widening::Dynamic(*k),
                    (Some(_), Some(_)) => return Err(SetupError::TwoWidenings),
                };
                Ok(AnySearch::Pns(Pns { policy, widening, siblings: *siblings }))
            }
            SearchParameters::Uct { exploration, mean, siblings }
                if exploration.is_finite() && *exploration >= 0.0 =>
            {
                Ok(AnySearch::Uct(Uct { exploration: *exploration, mean: *mean, siblings: *siblings }))
            }
            SearchParameters::Uct { exploration, .. } => {
                Err(SetupError::Exploration(exploration.to_string()))
            }
        }
    }
}

/// The word before the seed, for programs that speak as ours do.
const SEED: &str = "--seed";

enum AnySearch {
    Pns(Pns),
    Uct(Uct),
}
