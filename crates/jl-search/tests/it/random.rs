//! Random graphs for laws: transpositions, stoppers, settled and given-up nodes.

use jl_search::Search;
use jl_tree::{Graph, NodeId, Spec};
use jl_value::{Bounds, Outcome, Player};

/// Grows a graph of about `size` nodes; `value` makes a random evaluation.
pub fn graph<S: Search>(
    search: &S,
    size: usize,
    rng: &mut fastrand::Rng,
    value: impl Fn(&mut fastrand::Rng) -> S::Value,
) -> Graph<S::Data> {
    let mover = if rng.bool() { Player::First } else { Player::Second };
    let first = value(rng);
    let mut g = Graph::new(search.goal(mover), mover, search.init(first));
    let back_up = |g: &Graph<S::Data>, n| search.back_up(g, n);
    g.propagate(&[g.root()], back_up);
    let mut tries = 0;
    while g.len() < size && tries < 50 * size {
        tries += 1;
        let path = walk(&g, rng);
        let n = path[path.len() - 1];
        if g.is_settled(n) || g.is_stopped(n) || g.is_given_up(n) {
            continue;
        }
        match rng.u32(..100) {
            0..70 => {
                let bounds = if rng.u32(..8) == 0 { Bounds::exactly(outcome(rng)) } else { Bounds::UNKNOWN };
                let data = search.init(value(rng));
                let spec = Spec { mover: g.mover(n).opponent(), bounds, data };
                let mv = g.edges(n).len() as u32;
                let child = g.add_child(n, mv, spec);
                jl_search::update(search, &mut g, &path, Some(child));
            }
            70..90 => {
                let child = NodeId::from_index(rng.usize(..g.len()));
                let mv = g.edges(n).len() as u32;
                if g.mover(child) != g.mover(n) && g.link(n, mv, child).is_ok() {
                    jl_search::update(search, &mut g, &path, Some(child));
                }
            }
            90..95 if n != g.root() || g.live_children(n).next().is_some() => {
                g.stop(n);
                jl_search::update(search, &mut g, &path, None);
            }
            _ if n != g.root() => {
                g.set_given_up(n, true);
                g.propagate(&[n], back_up);
            }
            _ => {}
        }
    }
    g.check(back_up);
    g
}

fn outcome(rng: &mut fastrand::Rng) -> Outcome {
    [Outcome::FirstWins, Outcome::Draw, Outcome::SecondWins][rng.usize(..3)]
}

/// A random way down.
pub fn walk<D>(g: &Graph<D>, rng: &mut fastrand::Rng) -> Vec<NodeId> {
    let mut path = vec![g.root()];
    while rng.u32(..4) > 0 {
        let children: Vec<NodeId> = g.children(path[path.len() - 1]).collect();
        match children.get(rng.usize(..children.len().max(1))) {
            Some(&c) => path.push(c),
            None => break,
        }
    }
    path
}
