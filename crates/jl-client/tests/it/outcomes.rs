//! Every search ends with the right value, whatever the network does to it.

use crate::apps::{Retriever, all_pns, all_uct, client, simulate};
use jl_client::{End, Options};
use jl_games::scripted::{RandomScript, Script};
use jl_jobs::sim::SimOptions;
use proptest::prelude::*;
use std::time::Duration;

fn agrees<S: Retriever>(script: &Script, search: S, sim: &SimOptions, transpositions: bool) {
    let name = format!("{} {} with {} workers", search.name(), search.policy(), sim.workers);
    let options = Options { max_failures: u32::MAX, transpositions, ..Options::default() };
    let mut client = client(script, search, options);
    if !client.graph().is_settled(client.graph().root()) {
        simulate(&mut client, Duration::from_secs(1), sim);
    }
    assert_eq!(client.end(), Some(End::Decided), "{name}\n{script}");
    let root = client.graph().bounds(client.graph().root());
    assert_eq!(root.exact(), Some(script.root_value()), "{name}\n{script}");
    for n in client.graph().ids() {
        assert!(!client.graph().is_active(n), "{n} is left running");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// 150 scripts × 11 searches × 5 numbers of workers.
    #[test]
    fn every_search_finds_the_minimax_value(seed: u64, trouble in 0u32..4) {
        let script = Script::random(RandomScript { lies: 0.4, blind: 0.3, ..RandomScript::default() }, seed);
        for workers in [1, 2, 4, 16, 64] {
            let sim = SimOptions {
                workers,
                seed,
                loss: [0.0, 0.1, 0.0, 0.2][trouble as usize],
                failure: [0.0, 0.0, 0.2, 0.1][trouble as usize],
                duplicate: [0.0, 0.2, 0.2, 0.3][trouble as usize],
                latency: Duration::from_millis([0, 100, 500, 2000][trouble as usize]),
                reorder: trouble > 0,
                rejoin: Duration::from_secs(2),
                max_events: 1_000_000,
                ..SimOptions::default()
            };
            let transpositions = seed % 2 == 0;
            for pns in all_pns() {
                agrees(&script, pns, &sim, transpositions);
            }
            for uct in all_uct() {
                agrees(&script, uct, &sim, transpositions);
            }
        }
    }
}
