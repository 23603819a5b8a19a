//! The graph against a plain second implementation, on random graphs.

mod shelves;

use jl_tree::{Cycle, Goal, Graph, NodeId, Spec};
use jl_value::{Bounds, Outcome, Player};
use proptest::prelude::*;

const OUTCOMES: [Outcome; 3] = [Outcome::SecondWins, Outcome::Draw, Outcome::FirstWins];

fn spec(mover: Player, bounds: Bounds) -> Spec<()> {
    Spec { mover, bounds, data: () }
}

/// Random edges, stoppers, outcomes, active and given-up nodes; propagated one change at a time.
fn grow(seed: u64, size: usize, goal: Goal) -> Graph<()> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut g = Graph::new(goal, Player::First, ());
    for _ in 0..size {
        let n = NodeId::from_index(rng.usize(..g.len()));
        let mv = g.edges(n).len() as u32;
        match rng.u32(..10) {
            0..5 => {
                let outcome = OUTCOMES[rng.usize(..3)];
                let bounds = if rng.u32(..3) == 0 { Bounds::exactly(outcome) } else { Bounds::UNKNOWN };
                if g.bounds(n).exact().is_none() && !g.is_stopped(n) {
                    let c = g.add_child(n, mv, spec(g.mover(n).opponent(), bounds));
                    g.propagate(&[c, n], |_, _| ());
                    continue;
                }
            }
            5..7 => {
                let c = NodeId::from_index(rng.usize(..g.len()));
                if g.mover(c) != g.mover(n) && !g.is_stopped(n) && g.bounds(n).exact().is_none() {
                    let _ = g.link(n, mv, c);
                }
            }
            7 => g.stop(n),
            8 if rng.bool() => g.set_active(n, rng.bool()),
            8 => drop(g.narrow(n, Bounds::at_least(OUTCOMES[rng.usize(..3)]))),
            _ => g.set_given_up(n, true),
        }
        g.propagate(&[n], |_, _| ());
    }
    g
}

fn propagate_all(g: &mut Graph<()>) {
    let ids: Vec<NodeId> = g.ids().collect();
    g.propagate(&ids, |_, _| ());
}

/// Every value that a node can still have, by plain enumeration: each undecided leaf may turn out any way, and an open
/// node may get any further child.
fn possible(g: &Graph<()>, own: &dyn Fn(NodeId) -> Bounds, n: NodeId) -> Vec<Outcome> {
    let mover = g.mover(n);
    let mut values = vec![Outcome::win_of(mover.opponent())];
    for c in g.children(n) {
        let below = possible(g, own, c);
        let mut combined = Vec::new();
        for &a in &values {
            for &b in &below {
                combined.push(a.better_for(mover, b));
            }
        }
        values = combined;
    }
    if !g.is_stopped(n) {
        values = values.iter().flat_map(|&a| OUTCOMES.map(|b| a.better_for(mover, b))).collect();
    }
    values.retain(|&v| own(n).contains(v));
    values.sort();
    values.dedup();
    values
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn propagation_agrees_with_a_computation_from_scratch(seed: u64, size in 1usize..80) {
        for goal in [Goal::Exact, Goal::Win(Player::First), Goal::Win(Player::Second)] {
            let mut g = grow(seed, size, goal);
            g.check(|_, _| ());
            let before = g.clone();
            propagate_all(&mut g);
            prop_assert!(g == before, "a second propagation changes nothing");
            for other in [Goal::Win(Player::Second), Goal::Win(Player::First), goal] {
                g.set_goal(other, |_, _| ());
                g.check(|_, _| ());
            }
            prop_assert!(g == before, "the same question again gives the same graph");
        }
    }

    #[test]
    fn bounds_are_what_enumeration_gives(seed: u64, size in 1usize..25) {
        // A tree, so that the enumeration is right; own facts are those the leaves were made with.
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut g = Graph::new(Goal::Exact, Player::First, ());
        let mut own = vec![Bounds::UNKNOWN];
        for _ in 0..size {
            let n = NodeId::from_index(rng.usize(..g.len()));
            if own[n.index()] != Bounds::UNKNOWN {
                continue;
            }
            if rng.u32(..5) == 0 {
                g.stop(n);
            } else {
                let leaf = Bounds::exactly(OUTCOMES[rng.usize(..3)]);
                let bounds = if rng.bool() { leaf } else { Bounds::UNKNOWN };
                g.add_child(n, 0, spec(g.mover(n).opponent(), bounds));
                own.push(bounds);
            }
        }
        g.set_goal(Goal::Exact, |_, _| ());
        for n in g.ids() {
            let values = possible(&g, &|n| own[n.index()], n);
            prop_assert_eq!(g.bounds(n).lo(), values[0]);
            prop_assert_eq!(g.bounds(n).hi(), values[values.len() - 1]);
        }
    }
}

#[test]
fn a_cycle_is_refused() {
    let mut g = Graph::new(Goal::Exact, Player::First, ());
    let root = g.root();
    let a = g.add_child(root, 0, spec(Player::Second, Bounds::UNKNOWN));
    let b = g.add_child(a, 0, spec(Player::First, Bounds::UNKNOWN));
    let c = g.add_child(b, 0, spec(Player::Second, Bounds::UNKNOWN));
    let before = g.clone();
    assert_eq!(g.link(c, 1, root), Err(Cycle { parent: c, child: root }));
    assert_eq!(g.link(c, 1, b), Err(Cycle { parent: c, child: b }));
    assert_eq!(g.link(b, 1, b), Err(Cycle { parent: b, child: b }));
    assert!(g == before, "a refused edge changes nothing");
    assert_eq!(g.link(c, 1, b).unwrap_err().to_string(), "an edge from n3 to n2 would close a cycle");
}

#[test]
fn a_transposition_to_a_shallower_node_is_no_cycle() {
    let mut g = Graph::new(Goal::Exact, Player::First, ());
    let root = g.root();
    let deep = (0..5).fold(root, |n, _| g.add_child(n, 0, spec(g.mover(n).opponent(), Bounds::UNKNOWN)));
    let shallow = g.add_child(root, 1, spec(Player::Second, Bounds::UNKNOWN));
    let below = g.add_child(shallow, 0, spec(Player::First, Bounds::UNKNOWN));
    g.link(deep, 0, below).unwrap();
    propagate_all(&mut g);
    g.check(|_, _| ());
    assert_eq!(g.parents(below).collect::<Vec<_>>(), [shallow, deep]);
    assert_eq!(g.link(below, 0, deep), Err(Cycle { parent: below, child: deep }));
}

#[test]
fn an_echo_is_an_edge_but_not_one_more_child() {
    let mut g = Graph::new(Goal::Exact, Player::First, ());
    let root = g.root();
    let a = g.add_child(root, 4, spec(Player::Second, Bounds::UNKNOWN));
    g.link(root, 5, a).unwrap();
    propagate_all(&mut g);
    g.check(|_, _| ());
    assert_eq!(g.edges(root).iter().map(|e| e.mv).collect::<Vec<_>>(), [4, 5]);
    assert_eq!(g.children(root).count(), 1);
    assert_eq!(g.parents(a).count(), 1);
}

#[test]
fn digests_tell_graphs_apart() {
    let a = grow(1, 40, Goal::Exact);
    assert_eq!(a.digest(), grow(1, 40, Goal::Exact).digest());
    assert_ne!(a.digest(), grow(2, 40, Goal::Exact).digest());
    let mut b = a.clone();
    let open = b.ids().find(|&n| !b.is_active(n)).unwrap();
    b.set_active(open, true);
    assert_ne!(a.digest(), b.digest());
    let mut b = a.clone();
    b.count_path(&[b.root()]);
    assert_ne!(a.digest(), b.digest());
}

#[test]
fn of_two_sure_words_the_first_is_believed() {
    let mut g = Graph::new(Goal::Exact, Player::First, ());
    let a = g.add_child(g.root(), 0, spec(Player::Second, Bounds::exactly(Outcome::Draw)));
    g.add_child(a, 0, spec(Player::First, Bounds::exactly(Outcome::SecondWins)));
    propagate_all(&mut g);
    g.check(|_, _| ());
    assert_eq!(g.bounds(a).exact(), Some(Outcome::Draw));
}

#[test]
fn a_stopped_node_whose_children_are_given_up_is_blocked() {
    let mut g = Graph::new(Goal::Exact, Player::First, ());
    let root = g.root();
    let a = g.add_child(root, 0, spec(Player::Second, Bounds::UNKNOWN));
    let b = g.add_child(a, 0, spec(Player::First, Bounds::UNKNOWN));
    g.set_given_up(b, true);
    propagate_all(&mut g);
    assert!(g.is_blocked(b) && g.is_frontier(a) && !g.is_blocked(a), "a is open: it can grow");
    g.stop(a);
    propagate_all(&mut g);
    assert!(g.is_blocked(a) && g.is_flagged(a) && !g.is_settled(a));
    assert!(g.is_frontier(root) && !g.is_flagged(root));
}

#[test]
fn a_child_that_promises_no_more_than_is_sure_does_not_matter() {
    let mut g = Graph::new(Goal::Exact, Player::First, ());
    let root = g.root();
    let draw = Bounds::exactly(Outcome::Draw);
    let c = g.add_child(root, 0, spec(Player::Second, Bounds::UNKNOWN));
    g.add_child(c, 0, spec(Player::First, draw));
    propagate_all(&mut g);
    assert!(g.is_live(root, c) && g.is_relevant(c), "at c the second player has a draw at least");
    g.add_child(root, 1, spec(Player::Second, draw));
    propagate_all(&mut g);
    assert!(!g.is_settled(c) && !g.is_live(root, c) && !g.is_relevant(c), "so has the first, without c");
    assert_eq!(g.live_children(root).count(), 0);
}

#[test]
fn a_fact_about_a_transposition_reaches_every_parent() {
    let mut g = Graph::new(Goal::Win(Player::First), Player::Second, ());
    let root = g.root();
    let p1 = g.add_child(root, 0, spec(Player::First, Bounds::UNKNOWN));
    let p2 = g.add_child(root, 1, spec(Player::First, Bounds::UNKNOWN));
    let c = g.add_child(p1, 0, spec(Player::Second, Bounds::at_most(Outcome::Draw)));
    propagate_all(&mut g);
    g.link(p2, 0, c).unwrap();
    g.narrow(c, Bounds::exactly(Outcome::Draw));
    let narrowed = g.propagate(&[c, p2], |_, _| ());
    g.check(|_, _| ());
    assert_eq!(narrowed, [c, p2, p1], "both parents know that the first player has a draw");
}
