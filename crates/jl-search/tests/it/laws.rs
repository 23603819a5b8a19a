//! Laws that every search and policy obeys, on random graphs with random jobs in flight.

use crate::random;
use jl_search::pns::{Numbers, Pns, Policy, Widening};
use jl_search::uct::{Mean, Uct, WinRate};
use jl_search::{Search, Siblings};
use jl_tree::NodeId;
use proptest::prelude::*;
use std::num::NonZeroUsize;

/// Dispatches random jobs, then takes them back in random order; every intermediate state is met again.
fn undo_is_the_inverse<S: Search>(search: &S, seed: u64, value: impl Fn(&mut fastrand::Rng) -> S::Value) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let size = rng.usize(1..60);
    let mut g = random::graph(search, size, &mut rng, value);
    let idle = g.clone();
    let mut in_flight: Vec<Vec<NodeId>> = Vec::new();
    for _ in 0..rng.usize(1..12) {
        // What the search would choose, or any node at all: a sibling job may be on any unsettled node.
        let chosen = if rng.bool() { jl_search::select(search, &g).map(|s| s.path) } else { None };
        let path = chosen.unwrap_or_else(|| random::walk(&g, &mut rng));
        let n = path[path.len() - 1];
        if g.is_active(n) || g.is_settled(n) {
            continue;
        }
        let before = g.clone();
        jl_search::pre_update(search, &mut g, &path);
        g.check(|g, n| search.back_up(g, n));
        assert!(g != before, "a pre-update leaves a mark");
        let after = g.clone();
        jl_search::undo(search, &mut g, &path);
        assert!(g == before, "undo is the exact inverse of pre-update");
        jl_search::pre_update(search, &mut g, &path);
        assert!(g == after, "and can be done again");
        in_flight.push(path);
    }
    rng.shuffle(&mut in_flight);
    for path in &in_flight {
        jl_search::undo(search, &mut g, path);
        g.check(|g, n| search.back_up(g, n));
    }
    assert!(g == idle, "all jobs taken back, in any order, leave the graph as it was");
}

/// Selecting until nothing is left: no node twice, and with nothing in flight something can be selected.
fn selections_differ<S: Search>(search: &S, seed: u64, value: impl Fn(&mut fastrand::Rng) -> S::Value) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let size = rng.usize(1..60);
    let mut g = random::graph(search, size, &mut rng, value);
    let root = g.root();
    let open = !g.is_settled(root) && !g.is_blocked(root);
    assert_eq!(jl_search::select(search, &g).is_some(), open, "an idle graph offers a job unless it is done");
    let mut seen = Vec::new();
    while let Some(s) = jl_search::select(search, &g) {
        let n = s.path[s.path.len() - 1];
        assert!(!seen.contains(&n), "{n} was selected twice");
        seen.push(n);
        jl_search::pre_update(search, &mut g, &s.path);
    }
}

fn numbers(rng: &mut fastrand::Rng) -> Numbers {
    Numbers::new(rng.u32(1..20), rng.u32(1..20))
}

fn win_rate(rng: &mut fastrand::Rng) -> WinRate {
    WinRate::new(rng.f64())
}

fn all_pns() -> impl Iterator<Item = Pns> {
    let k = |k| NonZeroUsize::new(k).unwrap();
    let widenings = [Widening::All, Widening::Band(k(2)), Widening::Dynamic(k(2))];
    Policy::ALL
        .into_iter()
        .flat_map(move |policy| widenings.map(|widening| (policy, widening)))
        .flat_map(|(policy, widening)| Siblings::ALL.map(|siblings| Pns { policy, widening, siblings }))
}

fn all_uct() -> [Uct; 2] {
    [Uct::default(), Uct { mean: Mean::Live, siblings: Siblings::Gradual, ..Uct::default() }]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn undo_of_pre_update_is_the_identity(seed: u64) {
        for pns in all_pns() {
            undo_is_the_inverse(&pns, seed, numbers);
        }
        for uct in all_uct() {
            undo_is_the_inverse(&uct, seed, win_rate);
        }
    }

    #[test]
    fn no_node_is_selected_twice(seed: u64) {
        for pns in all_pns() {
            selections_differ(&pns, seed, numbers);
        }
        for uct in all_uct() {
            selections_differ(&uct, seed, win_rate);
        }
    }
}
