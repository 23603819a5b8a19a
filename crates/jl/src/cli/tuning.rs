//! What to search, and how.

use crate::failure::Failure;
use crate::position::PositionArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use jl_apps::tables::{NAMED, StatusTables};
use jl_apps::{Parameters, SearchParameters, game_info};
use jl_client::Options;
use jl_game::Effort;
use jl_search::Siblings;
use jl_search::uct::Mean;
use std::num::NonZeroUsize;

/// How to search.
#[derive(Args)]
pub struct TuningArgs {
    /// Sum the K largest proof numbers only (K-Band, JL-PNS)
    #[arg(long, value_name = "K")]
    pub k_band: Option<NonZeroUsize>,
    /// Sum over the K most promising children only (dynamic widening, JL-PNS)
    #[arg(long, value_name = "K")]
    pub widening: Option<NonZeroUsize>,
    /// When a node gets a further child: gradual, few for the answers below it; eager, as in the papers; auto is eager for
    /// JL-PNS from 16 workers on
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = WhenSiblings::Auto)]
    pub siblings: WhenSiblings,
    /// Over which evaluations win rates are means: live, those of what is not decided, or all, as in the papers (JL-UCT)
    /// [default: live]
    #[arg(long, value_name = "WHICH", value_parser = mean())]
    pub mean: Option<Mean>,
    /// The exploration constant C of UCB1 (JL-UCT) [default: 0.4]
    #[arg(long, value_name = "C", allow_negative_numbers = true)]
    pub exploration: Option<f64>,
    /// What the engine's statuses mean to the search: a table by name ('jl list tables'), or a file (TOML)
    #[arg(long, value_name = "NAME|FILE", value_parser = status_tables)]
    pub table: Option<StatusTables>,
    /// Take further moves from the engine's list of those that do not lose, if it has at most N; 0 for a job each
    /// [default: 50]
    #[arg(long, value_name = "N")]
    pub listed: Option<usize>,
    /// Take up to N further moves that the engine suggests without asking for each; 0 for a job each [default: 8]
    #[arg(long, value_name = "N")]
    pub suggested: Option<usize>,
    /// Ask the engine for a draft ahead of its answer, and look into its moves meanwhile: auto is from 8 workers on
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Drafts::Auto)]
    pub drafts: Drafts,
    /// Let equal positions be different nodes
    #[arg(long)]
    pub no_transpositions: bool,
}

/// What to search, and how.
#[derive(Args)]
pub struct SearchArgs {
    #[command(flatten)]
    pub position: PositionArgs,
    #[command(flatten)]
    pub tuning: TuningArgs,
    /// Stop after N answered jobs; 0 for no limit
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// The positions that the engine may look at in a job; more at nodes with many children [default: 250000 for
    /// connect6, if there is no --job-time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub job_nodes: Option<u64>,
    /// The seed of everything random
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Words added to every question to the engine, for example "--depth 3"
    #[arg(
        long,
        value_name = "WORDS",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    pub engine_args: String,
    /// Give a node up after N failed jobs
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_failures: u32,
    /// Print one JSON object on the last line of standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
}

/// When engines are asked for drafts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Drafts {
    Auto,
    Always,
    Never,
}

impl Drafts {
    /// Whether so many workers make use of them. A draft costs a twenty-fifth of a job, and children that are looked into too
    /// early; few workers have better things to do.
    pub fn are_wanted(self, workers: usize) -> bool {
        match self {
            Drafts::Auto => workers >= 8,
            Drafts::Always => true,
            Drafts::Never => false,
        }
    }
}

/// When nodes get further children.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum WhenSiblings {
    Auto,
    Gradual,
    Eager,
}

impl WhenSiblings {
    /// What suits a search that so many workers share. Few do best to look into what there is; many of them go astray together
    /// there, and find enough to do elsewhere too.
    fn of(self, search: &SearchParameters, workers: usize) -> Siblings {
        match (self, search) {
            (WhenSiblings::Eager, _) => Siblings::Eager,
            (WhenSiblings::Auto, SearchParameters::Pns { .. }) if workers >= 16 => Siblings::Eager,
            (WhenSiblings::Auto | WhenSiblings::Gradual, _) => Siblings::Gradual,
        }
    }
}

impl TuningArgs {
    /// The parameters of one search of these, for so many workers.
    pub fn search(
        &self,
        name: &str,
        policy: Option<&str>,
        workers: usize,
    ) -> Result<SearchParameters, Failure> {
        let mut search = search_named(name, policy)?;
        let when = self.siblings.of(&search, workers);
        match &mut search {
            SearchParameters::Pns { k_band, widening, siblings, .. } => {
                if self.exploration.is_some() || self.mean.is_some() {
                    return Err(Failure::usage("--exploration and --mean are for --search uct"));
                }
                (*k_band, *widening, *siblings) = (self.k_band, self.widening, when);
            }
            SearchParameters::Uct { exploration, mean, siblings } => {
                if self.k_band.is_some() || self.widening.is_some() {
                    return Err(Failure::usage("--k-band and --widening are for --search pns"));
                }
                *exploration = self.exploration.unwrap_or(*exploration);
                *mean = self.mean.unwrap_or(*mean);
                *siblings = when;
            }
        }
        Ok(search)
    }

    /// Changes what was asked for.
    pub fn apply(&self, parameters: &mut Parameters) {
        parameters.tables = self.table.unwrap_or(parameters.tables);
        let options = &mut parameters.options;
        options.listed = self.listed.unwrap_or(options.listed);
        options.suggested = self.suggested.unwrap_or(options.suggested);
        options.transpositions &= !self.no_transpositions;
    }
}

impl SearchArgs {
    pub fn parameters(
        &self,
        game: &str,
        search: SearchParameters,
        engine: Option<&str>,
        seed: Option<u64>,
    ) -> Result<Parameters, Failure> {
        let info = game_info(game).ok_or_else(|| {
            Failure::usage(format!("there is no game '{game}' ('jl list games' shows them)"))
        })?;
        // Only of the game's own program is it known that it limits itself, and what it is best told.
        let own = engine.is_none_or(|e| e == info.program);
        let default = info.job_nodes.filter(|_| own);
        if self.job_nodes.is_some() && default.is_none() {
            return Err(Failure::usage(format!(
                "--job-nodes: the engine '{}' is not known to count nodes; --engine-args gives it words of its own",
                engine.unwrap_or(info.program)
            )));
        }
        let nodes = self.job_nodes.or(default);
        let words = info.words.iter().copied().filter(|_| own);
        let mut program_options: Vec<String> =
            words.chain(self.engine_args.split_whitespace()).map(String::from).collect();
        if let Some(seed) = seed {
            program_options.extend(["--seed".into(), seed.to_string()]);
        }
        let limit = self.limit.and_then(job_limit);
        let options = Options { limit, max_failures: self.max_failures, ..Options::default() };
        let mut parameters = Parameters {
            program_options,
            effort: Effort { nodes, time: None },
            options,
            ..Parameters::new(game, engine.unwrap_or(info.program), &self.position.moves(game)?, search)
        };
        self.tuning.apply(&mut parameters);
        Ok(parameters)
    }
}

/// A search with its defaults, and a policy if one is named.
fn search_named(name: &str, policy: Option<&str>) -> Result<SearchParameters, Failure> {
    match name {
        "pns" => Ok(SearchParameters::pns(policy.unwrap_or("mf-ve"))),
        "uct" if policy.is_some() => {
            Err(Failure::usage("--policy is for --search pns; JL-UCT always uses virtual loss and flags"))
        }
        "uct" => Ok(SearchParameters::uct()),
        other => Err(Failure::usage(format!("there is no search '{other}' (pns or uct)"))),
    }
}

/// What `--limit` says: 0 is none.
pub fn job_limit(jobs: u64) -> Option<u64> {
    (jobs > 0).then_some(jobs)
}

fn status_tables(text: &str) -> Result<StatusTables, String> {
    if let Some(tables) = StatusTables::named(text) {
        return Ok(tables);
    }
    let names = || NAMED.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let file = std::fs::read_to_string(text)
        .map_err(|e| format!("it is no table's name ({}), and as a file: {e}", names()))?;
    StatusTables::read(&file).map_err(|e| e.to_string())
}

fn mean() -> impl TypedValueParser<Value = Mean> {
    PossibleValuesParser::new(["live", "all"]).map(|word| if word == "all" { Mean::All } else { Mean::Live })
}
