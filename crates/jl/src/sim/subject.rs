//! What is simulated: a position with an engine, again for every search, policy and number of workers.

use super::answers::Answers;
use super::table::Row;
use crate::cli::{SimArgs, job_limit};
use crate::failure::Failure;
use jl_apps::{Parameters, SearchParameters};
use jl_client::Distances;
use jl_game::Effort;
use jl_game::reply::Reply;
use jl_jobs::sim::{self, SimAnswer, SimOptions, SimResult};
use jl_messages::Input;
use jl_store::{Address, RunStore};
use std::time::Duration;

/// A run to be simulated, whatever its search.
#[derive(Clone)]
pub struct Subject {
    /// The run or, for a position that is simulated with several seeds, the seed.
    pub name: String,
    /// Subjects of one number are the same run with different seeds of the engine.
    pub run: usize,
    pub parameters: Parameters,
    seed: u64,
    clock: Clock,
}

/// How long a virtual job takes.
#[derive(Clone, Copy)]
enum Clock {
    /// By chance, around a mean.
    Drawn { mean: Duration, spread: f64 },
    /// As many nodes as the answer says it took, at so many nodes per second.
    Counted { speed: f64 },
}

/// One of each seed that is asked for.
pub fn of_seeds(args: &SimArgs, search: &SearchParameters) -> Result<Vec<Subject>, Failure> {
    let first = args.common.seed.unwrap_or(0);
    let game = args.game.as_deref().unwrap_or("tictactoe");
    let clock = Clock::Drawn { mean: args.job_time, spread: args.spread };
    let subject = |i| {
        let seed = first.wrapping_add(i);
        // The engine has a seed of its own only if one is asked for: without it, it is the one of 'jl solve'.
        let engine_seed = (args.common.seed.is_some() || args.repeat > 1).then_some(seed);
        let parameters = args.common.parameters(game, search.clone(), None, engine_seed)?;
        Ok(Subject { name: format!("seed {seed}"), run: i as usize, parameters, seed, clock })
    };
    (0..args.repeat).map(subject).collect()
}

/// A recorded run, with every seed of the engine that is asked for, and the store that it is in.
pub fn of_run(
    args: &SimArgs,
    run: usize,
    address: &Address,
) -> Result<(impl Iterator<Item = Subject>, RunStore), Failure> {
    let store = RunStore::open_to_read(address).map_err(Failure::store)?;
    let info = store.info().map_err(Failure::store)?;
    let mut parameters: Parameters = serde_json::from_str(&info.parameters)
        .map_err(|e| Failure::usage(format!("{address}: its parameters make no sense: {e}")))?;
    parameters.options.limit = args.common.limit.map_or(parameters.options.limit, job_limit);
    args.common.tuning.apply(&mut parameters);
    if let Some(nodes) = args.common.job_nodes {
        parameters.effort = Effort { nodes: Some(nodes), time: None };
    }
    let (name, clock) = (address.name(), Clock::Counted { speed: args.speed });
    let first = args.common.seed.or(parameters.seed()).unwrap_or(0);
    let reseeded = args.common.seed.is_some() || args.repeat > 1;
    let subjects = (0..args.repeat).map(move |i| {
        let seed = first.wrapping_add(i);
        let mut parameters = parameters.clone();
        if reseeded {
            parameters.set_seed(seed);
        }
        Subject { name: name.clone(), run, parameters, seed, clock }
    });
    Ok((subjects, store))
}

impl Subject {
    /// Runs the search against virtual workers.
    pub fn simulate(
        &self,
        args: &SimArgs,
        search: &SearchParameters,
        workers: usize,
        answers: &Answers,
    ) -> Result<(Row, Distances), Failure> {
        let mut parameters = Parameters { search: search.clone(), ..self.parameters.clone() };
        parameters.set_drafts(args.common.tuning.drafts.are_wanted(workers));
        let mut client = parameters.client().map_err(Failure::usage)?;
        let options = SimOptions {
            workers,
            seed: self.seed,
            loss: args.loss,
            failure: args.failure,
            duplicate: args.duplicate,
            latency: args.latency,
            reorder: args.reorder,
            ..SimOptions::default()
        };
        let mut answer = |_: &str, input: &Input| {
            let output = answers.answer(&input.words);
            SimAnswer { duration: self.duration(input, &output), lines: self.drafts(&output), output }
        };
        let result = if client.is_finished() {
            SimResult::default()
        } else {
            sim::run(&mut *client, &mut answer, &options, &mut |_| ()).map_err(Failure::run)?
        };
        Ok((Row::new(&parameters.search, workers, &client.summary(), &result), client.distances()))
    }

    /// When the drafts of an answer are told: after the nodes that they say they took.
    fn drafts(&self, output: &[String]) -> Vec<(Duration, String)> {
        let Clock::Counted { speed } = self.clock else { return Vec::new() };
        let draft = |line: &String| {
            let reply: Reply = serde_json::from_str(line).ok().filter(|r: &Reply| r.draft)?;
            Some((Duration::from_secs_f64(reply.nodes as f64 / speed), line.clone()))
        };
        output.iter().filter_map(draft).collect()
    }

    fn duration(&self, input: &Input, output: &[String]) -> Duration {
        match self.clock {
            Clock::Drawn { mean, spread } => sim::seeded_duration(mean, spread, self.seed, input),
            Clock::Counted { speed } => {
                let reply = output.last().and_then(|line| serde_json::from_str::<Reply>(line).ok());
                // Not even an answer that needs no search is for nothing.
                Duration::from_secs_f64(reply.map_or(0, |r| r.nodes).max(1) as f64 / speed)
            }
        }
    }
}
