//! Applications on the scripted game, and the ways to drive them.

use jl_client::{Application, Client, Options};
use jl_game::{Assessment, Game, Grade, Status};
use jl_games::scripted::{Script, ScriptedProgram};
use jl_jobs::sim::{self, SimAnswer, SimOptions, SimResult};
use jl_messages::Input;
use jl_search::pns::{Numbers, Pns, Policy, Widening};
use jl_search::uct::{Mean, Uct, WinRate};
use jl_search::{Search, Siblings};
use jl_value::Player;
use std::num::NonZeroUsize;

/// A search together with its retriever for statuses.
pub trait Retriever: Search {
    fn value(status: Status) -> Self::Value;
}

impl Retriever for Pns {
    fn value(status: Status) -> Numbers {
        match status {
            Status::Win(Player::First) => Numbers::PROVED,
            Status::Win(Player::Second) | Status::Draw => Numbers::DISPROVED,
            Status::Favours(p, g) => Numbers::new(5 - g as u32, 6 + 3 * g as u32).for_attacker(p),
            Status::Stable => Numbers::new(6, 6),
            Status::Unstable1 => Numbers::new(5, 5),
            Status::Unstable2 => Numbers::new(4, 4),
        }
    }
}

impl Retriever for Uct {
    fn value(status: Status) -> WinRate {
        let step = |g: Grade| 0.1 * f64::from(g as u8);
        WinRate::new(match status {
            Status::Win(Player::First) => 1.0,
            Status::Win(Player::Second) => 0.0,
            Status::Favours(Player::First, g) => 0.5 + step(g),
            Status::Favours(Player::Second, g) => 0.5 - step(g),
            _ => 0.5,
        })
    }
}

pub struct Scripted<S> {
    pub script: Script,
    pub search: S,
    pub program: ScriptedProgram,
}

impl<S: Retriever> Application for Scripted<S> {
    type Game = Script;
    type Search = S;
    type Program = ScriptedProgram;

    fn game(&self) -> &Script {
        &self.script
    }

    fn search(&self) -> &S {
        &self.search
    }

    fn program(&self) -> &ScriptedProgram {
        &self.program
    }

    fn retrieve(&self, assessment: &Assessment) -> S::Value {
        S::value(assessment.status)
    }
}

pub fn client<S: Retriever>(script: &Script, search: S, options: Options) -> Client<Scripted<S>> {
    let app = Scripted { script: script.clone(), search, program: ScriptedProgram::new("scripted") };
    Client::new(app, Vec::new(), script.initial(), options)
}

/// Every policy, and the widenings with the default one; siblings of either kind.
pub fn all_pns() -> Vec<Pns> {
    let k = NonZeroUsize::new(2).unwrap();
    let policies = Policy::ALL.map(|policy| Pns { policy, ..Pns::default() });
    let widenings =
        [Widening::Band(k), Widening::Dynamic(k)].map(|widening| Pns { widening, ..Pns::default() });
    let all = policies.into_iter().chain(widenings);
    all.flat_map(|pns| Siblings::ALL.map(|siblings| Pns { siblings, ..pns })).collect()
}

/// JL-UCT as in the paper, and as we recommend it.
pub fn all_uct() -> [Uct; 2] {
    [Uct::default(), Uct { mean: Mean::Live, siblings: Siblings::Gradual, ..Uct::default() }]
}

/// Runs to the end in virtual time, with the client's invariants checked after every event.
pub fn simulate<S: Retriever>(
    client: &mut Client<Scripted<S>>,
    mean: std::time::Duration,
    options: &SimOptions,
) -> SimResult {
    let script = client.app().script.clone();
    let mut answers = |_: &str, input: &Input| {
        let duration = sim::seeded_duration(mean, 1.0, options.seed, input);
        let lines = script.draft(&input.words).map(|line| (duration / 3, line)).into_iter().collect();
        SimAnswer { lines, ..SimAnswer::whole(script.answer(&input.words), duration) }
    };
    sim::run(client, &mut answers, options, &mut |c| c.check()).expect("the run ends")
}
