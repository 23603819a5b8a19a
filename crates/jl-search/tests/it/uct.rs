//! JL-UCT on small trees.

use jl_search::Search;
use jl_search::uct::{Mean, Uct, WinRate};
use jl_tree::{Graph, NodeId, Spec};
use jl_value::{Bounds, Outcome, Player};

fn tree(rates: &[f64]) -> (Uct, Graph<jl_search::uct::UctData>, Vec<NodeId>) {
    let uct = Uct { exploration: 0.0, ..Uct::default() };
    let mut g = Graph::new(uct.goal(Player::First), Player::First, uct.init(WinRate::new(0.5)));
    let root = g.root();
    let mut children = Vec::new();
    for (i, &rate) in rates.iter().enumerate() {
        let data = uct.init(WinRate::new(rate));
        let child =
            g.add_child(root, i as u32, Spec { mover: Player::Second, bounds: Bounds::UNKNOWN, data });
        jl_search::update(&uct, &mut g, &[root], Some(child));
        children.push(child);
    }
    (uct, g, children)
}

#[test]
fn the_mean_is_over_the_evaluations_of_the_subtree() {
    let (uct, mut g, c) = tree(&[0.9, 0.1]);
    let root = g.root();
    assert_eq!(uct.visits(&g, root), 3);
    assert!((uct.win_rate(&g, root) - 0.5).abs() < 1e-6);
    let spec = Spec { mover: Player::First, bounds: Bounds::UNKNOWN, data: uct.init(WinRate::new(0.5)) };
    let grandchild = g.add_child(c[0], 0, spec);
    jl_search::update(&uct, &mut g, &[root, c[0]], Some(grandchild));
    assert!((uct.win_rate(&g, c[0]) - 0.7).abs() < 1e-6);
    assert_eq!(uct.visits(&g, root), 4);
}

#[test]
fn a_second_look_replaces_the_first() {
    let (uct, mut g, c) = tree(&[0.9, 0.1]);
    let root = g.root();
    uct.revise(&mut g, c[0], WinRate::new(0.3));
    assert_eq!((uct.visits(&g, root), uct.visits(&g, c[0])), (3, 1));
    assert!((uct.win_rate(&g, c[0]) - 0.3).abs() < 1e-6);
    assert!((uct.win_rate(&g, root) - 0.5).abs() < 1e-6, "it was credited with the first");
    let spec = Spec { mover: Player::First, bounds: Bounds::UNKNOWN, data: uct.init(WinRate::new(0.7)) };
    let below = g.add_child(c[0], 0, spec);
    jl_search::update(&uct, &mut g, &[root, c[0]], Some(below));
    uct.revise(&mut g, c[0], WinRate::new(1.0));
    assert!(
        (uct.win_rate(&g, c[0]) - 0.5).abs() < 1e-6,
        "what was found below it counts more than a second word"
    );
}

#[test]
fn each_mover_maximises_its_own_rate() {
    let (uct, mut g, c) = tree(&[0.4, 0.6]);
    assert_eq!(uct.select_child(&g, g.root()), Some(c[1]));
    let root = g.root();
    for (i, rate) in [0.8, 0.2].into_iter().enumerate() {
        let spec = Spec { mover: Player::First, bounds: Bounds::UNKNOWN, data: uct.init(WinRate::new(rate)) };
        let n = g.add_child(c[1], i as u32, spec);
        jl_search::update(&uct, &mut g, &[root, c[1]], Some(n));
    }
    let second = g.children(c[1]).nth(1);
    assert_eq!(uct.select_child(&g, c[1]), second, "the second player wants the first player's rate low");
}

#[test]
fn the_live_mean_forgets_what_is_decided() {
    let uct = Uct { exploration: 0.0, mean: Mean::Live, ..Uct::default() };
    let mut g = Graph::new(uct.goal(Player::First), Player::First, uct.init(WinRate::new(0.5)));
    let root = g.root();
    let spec = |mover, rate| Spec { mover, bounds: Bounds::UNKNOWN, data: uct.init(WinRate::new(rate)) };
    let (good, other) = (spec(Player::Second, 0.9), spec(Player::Second, 0.6));
    let [good, other] = [good, other].map(|spec| {
        let child = g.add_child(root, g.len() as u32, spec);
        jl_search::update(&uct, &mut g, &[root], Some(child));
        child
    });
    // All replies to `good` but the last one lose.
    let replies = [0.9, 0.9, 0.9, 0.3].map(|rate| {
        let child = g.add_child(good, g.len() as u32, spec(Player::First, rate));
        jl_search::update(&uct, &mut g, &[root, good], Some(child));
        child
    });
    assert!(close(uct.win_rate(&g, good), 3.9 / 5.0));
    assert_eq!(uct.select_child(&g, root), Some(good));
    for lost in &replies[..3] {
        g.narrow(*lost, Bounds::exactly(Outcome::FirstWins));
    }
    g.propagate(&replies[..3], |g, n| uct.back_up(g, n));
    g.check(|g, n| uct.back_up(g, n));
    assert!(close(uct.win_rate(&g, good), 1.2 / 2.0), "its own word and that of the one that holds");
    assert!(close(uct.win_rate(&g, root), (0.5 + 1.2 + 0.6) / 4.0));
    assert_eq!((uct.visits(&g, root), uct.visits(&g, good)), (7, 5), "what was done stays done");
    uct.revise(&mut g, good, WinRate::new(0.5));
    g.propagate(&[good], |g, n| uct.back_up(g, n));
    assert_eq!(uct.select_child(&g, root), Some(other));
    let all = Uct { mean: Mean::All, ..uct };
    assert_eq!(all.back_up(&g, good), *g.data(good), "the paper's mean has nothing to derive");
}

#[test]
fn a_virtual_loss_turns_the_next_selection_away() {
    let (uct, mut g, c) = tree(&[0.5, 0.6]);
    let path = jl_search::select(&uct, &g).unwrap().path;
    assert_eq!(path, [g.root(), c[1]]);
    jl_search::pre_update(&uct, &mut g, &path);
    assert!(g.is_flagged(c[1]));
    assert_eq!(jl_search::select(&uct, &g).unwrap().path, [g.root(), c[0]]);
    assert!((uct.win_rate(&g, c[1]) - 0.6).abs() < 1e-6, "what people see has no virtual loss");
}

#[test]
fn decided_children_are_skipped_and_decide_the_root() {
    let (uct, mut g, c) = tree(&[0.5, 0.6]);
    g.narrow(c[1], Bounds::exactly(Outcome::SecondWins));
    g.propagate(&[c[1]], |g, n| uct.back_up(g, n));
    assert_eq!(jl_search::select(&uct, &g).unwrap().path, [g.root(), c[0]]);
    g.narrow(c[0], Bounds::exactly(Outcome::FirstWins));
    g.propagate(&[c[0]], |g, n| uct.back_up(g, n));
    assert!(uct.is_completed(&g));
}

#[test]
fn exploration_prefers_the_less_visited() {
    let (_, g, _) = tree(&[0.6, 0.6]);
    let uct = Uct { exploration: 1.0, ..Uct::default() };
    let root = g.root();
    let rarely = g.children(root).next().unwrap();
    assert!(uct.ucb(&g, root, rarely) > uct.win_rate(&g, rarely));
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-5
}

#[test]
fn ucb1_is_the_formula() {
    let (_, g, c) = tree(&[0.6, 0.2]);
    let uct = Uct { exploration: 2.0, ..Uct::default() };
    let ucb = uct.ucb(&g, g.root(), c[0]);
    assert!(close(ucb, 0.6 + 2.0 * (3f64.ln() / 1.0).sqrt()), "{ucb}");
}

#[test]
fn a_virtual_loss_is_of_the_player_who_moved_into_the_active_node() {
    let (uct, mut g, c) = tree(&[0.6, 0.5]);
    let root = g.root();
    let spec = Spec { mover: Player::First, bounds: Bounds::UNKNOWN, data: uct.init(WinRate::new(0.6)) };
    let below = g.add_child(c[0], 0, spec);
    jl_search::update(&uct, &mut g, &[root, c[0]], Some(below));
    jl_search::pre_update(&uct, &mut g, &[root, c[1]]);
    assert!(close(uct.ucb(&g, root, c[1]), 0.25), "one of two visits is lost for the first player");
    jl_search::undo(&uct, &mut g, &[root, c[1]]);
    jl_search::pre_update(&uct, &mut g, &[root, c[0], below]);
    assert!(close(uct.ucb(&g, root, c[0]), 2.2 / 3.0), "one of three is lost for the second player");
}

#[test]
fn a_transposition_counts_as_one_evaluation_its_mean() {
    let (uct, mut g, c) = tree(&[0.9, 0.1]);
    let root = g.root();
    let spec = |mover, rate| Spec { mover, bounds: Bounds::UNKNOWN, data: uct.init(WinRate::new(rate)) };
    let x = g.add_child(c[0], 0, spec(Player::First, 0.5));
    jl_search::update(&uct, &mut g, &[root, c[0]], Some(x));
    let y = g.add_child(x, 0, spec(Player::Second, 0.1));
    jl_search::update(&uct, &mut g, &[root, c[0], x], Some(y));
    g.link(c[1], 1, x).unwrap();
    jl_search::update(&uct, &mut g, &[root, c[1]], Some(x));
    assert_eq!(uct.visits(&g, c[1]), 2);
    assert!(close(uct.win_rate(&g, c[1]), 0.2), "{}", uct.win_rate(&g, c[1]));
}
