//! JL-UCT: job-level upper confidence trees (Wei15b §4).
//!
//! Each node has N, the evaluations in its subtree, and WR, their mean, the first player's win rate. From a node with
//! mover m the search descends to the live, unflagged child with the greatest
//!
//! ```text
//!   UCB1 = WRₘ(c) + C · sqrt( ln N(parent) / N(c) )        WRₘ = WR for the first player, 1 − WR for the second
//! ```
//!
//! Pre-update: while a job is in flight, every node on its path has one more visit, counted as lost for the player who
//! moved into the active node (virtual loss); flags keep the active node itself from being selected twice.
//!
//! Deviations from the papers:
//! - Win rates are summed as integers (2⁻²⁰), so that undoing is exact.
//! - Visits are counted along the selected path. With transpositions, an evaluation counts for the parents it was
//!   reached through, and a transposition found by a job brings the known node's mean as its evaluation.
//! - *The mean over what is live*, if wanted ([`Mean::Live`]): N and WR in the formula are those of a node's own evaluation and of its
//!   live children, theirs likewise. The paper's mean goes on counting replies that are refuted, and hides the one that is not: a
//!   move all but one of whose answers lose looks won for hundreds of visits. What was decided is left out by its parents as it is
//!   in the descent.
//! - *Gradual siblings*, if wanted: [`Siblings`]. Where all replies look alike, the least visited is the next one, a new one for ever.
//! - Wei15b gives no constant; ours is 0.4.

use crate::{Room, Search, Siblings};
use jl_tree::{Goal, Graph, NodeId};
use jl_value::Player;
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};

/// A win rate of the first player, as an integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct WinRate(u32);

impl WinRate {
    const ONE: u32 = 1 << 20;

    /// Clamped to 0 … 1.
    #[must_use]
    pub fn new(rate: f64) -> WinRate {
        WinRate((rate.clamp(0.0, 1.0) * f64::from(WinRate::ONE)).round() as u32)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
struct Tally {
    visits: u32,
    /// Of win rates, in units of 1 / `WinRate::ONE`.
    sum: u64,
}

impl Tally {
    fn is_empty(&self) -> bool {
        *self == Tally::default()
    }
}

/// A node's evaluations, and the virtual ones of the jobs in flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UctData {
    /// All of the subtree.
    real: Tally,
    #[serde(default, skip_serializing_if = "Tally::is_empty")]
    in_flight: Tally,
    /// The node's own, and those of its live children; empty if the search does not want to know.
    #[serde(default, skip_serializing_if = "Tally::is_empty")]
    live: Tally,
    /// The node's own evaluation, likewise.
    #[serde(default, skip_serializing_if = "is_zero")]
    own: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// What is not kept leaves no trace, so that the digests of old runs hold.
impl Hash for UctData {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let UctData { real, in_flight, live, own } = self;
        (real, in_flight).hash(state);
        if !live.is_empty() {
            (live, own).hash(state);
        }
    }
}

impl UctData {
    /// What selections go by, virtual visits left out.
    fn counted(&self) -> Tally {
        if self.live.is_empty() { self.real } else { self.live }
    }

    fn visits(&self) -> f64 {
        f64::from(self.counted().visits.saturating_add(self.in_flight.visits))
    }

    /// The first player's, virtual losses included.
    fn win_rate(&self) -> f64 {
        (self.counted().sum.saturating_add(self.in_flight.sum)) as f64
            / f64::from(WinRate::ONE)
            / self.visits()
    }
}

/// Over which evaluations of a subtree a node's win rate is the mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mean {
    #[default]
    All,
    /// Without those of decided nodes.
    Live,
}

/// The search's parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Uct {
    /// The constant C of UCB1.
    pub exploration: f64,
    pub mean: Mean,
    pub siblings: Siblings,
}

impl Default for Uct {
    fn default() -> Uct {
        Uct { exploration: 0.4, mean: Mean::All, siblings: Siblings::Eager }
    }
}

impl Uct {
    /// The evaluations in the subtree, without virtual ones.
    #[must_use]
    pub fn visits(&self, graph: &Graph<UctData>, n: NodeId) -> u32 {
        graph.data(n).real.visits
    }

    /// The first player's win rate, without virtual losses.
    #[must_use]
    pub fn win_rate(&self, graph: &Graph<UctData>, n: NodeId) -> f64 {
        UctData { in_flight: Tally::default(), ..*graph.data(n) }.win_rate()
    }

    /// The upper confidence bound of `child` for the player to move at `parent`.
    #[must_use]
    pub fn ucb(&self, graph: &Graph<UctData>, parent: NodeId, child: NodeId) -> f64 {
        let (p, c) = (graph.data(parent), graph.data(child));
        let rate = match graph.mover(parent) {
            Player::First => c.win_rate(),
            Player::Second => 1.0 - c.win_rate(),
        };
        rate + self.exploration * (p.visits().ln() / c.visits()).sqrt()
    }

    /// What one job in flight adds along its path.
    fn virtual_loss(graph: &Graph<UctData>, path: &[NodeId]) -> u64 {
        let loser = match path {
            [.., parent, _] => graph.mover(*parent),
            [root] => graph.mover(*root).opponent(),
            [] => unreachable!("a path has a node"),
        };
        if loser == Player::First { 0 } else { u64::from(WinRate::ONE) }
    }
}

impl Search for Uct {
    type Data = UctData;
    type Value = WinRate;

    fn name(&self) -> &'static str {
        "uct"
    }

    fn policy(&self) -> String {
        "virtual-loss".into()
    }

    fn goal(&self, _root_mover: Player) -> Goal {
        Goal::Exact
    }

    fn init(&self, value: WinRate) -> UctData {
        let WinRate(own) = value;
        let one = Tally { visits: 1, sum: u64::from(own) };
        match self.mean {
            Mean::All => UctData { real: one, in_flight: Tally::default(), live: Tally::default(), own: 0 },
            Mean::Live => UctData { real: one, in_flight: Tally::default(), live: one, own },
        }
    }

    fn back_up(&self, graph: &Graph<UctData>, n: NodeId) -> UctData {
        let data = *graph.data(n);
        if self.mean == Mean::All {
            return data;
        }
        let mut live = Tally { visits: 1, sum: u64::from(data.own) };
        if !graph.is_settled(n) {
            for c in graph.live_children(n) {
                let Tally { visits, sum } = graph.data(c).live;
                live.visits = live.visits.saturating_add(visits);
                live.sum = live.sum.saturating_add(sum);
            }
        }
        UctData { live, ..data }
    }

    fn select_child(&self, graph: &Graph<UctData>, n: NodeId) -> Option<NodeId> {
        let mut best: Option<(f64, NodeId)> = None;
        for c in graph.live_children(n).filter(|&c| !graph.is_flagged(c)) {
            let ucb = self.ucb(graph, n, c);
            if best.is_none_or(|(most, _)| ucb > most) {
                best = Some((ucb, c));
            }
        }
        best.map(|(_, c)| c)
    }

    fn wants_sibling(&self, graph: &Graph<UctData>, n: NodeId, selected: NodeId) -> bool {
        self.siblings.are_due(graph, n, selected, Room::Middling)
    }

    fn enter(&self, graph: &mut Graph<UctData>, path: &[NodeId]) {
        let loss = Uct::virtual_loss(graph, path);
        for &n in path {
            let t = &mut graph.data_mut(n).in_flight;
            t.visits += 1;
            t.sum += loss;
        }
    }

    fn leave(&self, graph: &mut Graph<UctData>, path: &[NodeId]) {
        let loss = Uct::virtual_loss(graph, path);
        for &n in path {
            let t = &mut graph.data_mut(n).in_flight;
            t.visits -= 1;
            t.sum -= loss;
        }
    }

    fn credit(&self, graph: &mut Graph<UctData>, path: &[NodeId], child: NodeId) {
        let Tally { visits, sum } = graph.data(child).real;
        let mean = sum / u64::from(visits);
        for &n in path {
            let t = &mut graph.data_mut(n).real;
            t.visits += 1;
            t.sum += mean;
        }
    }

    /// One evaluation in place of another. What was found below the child meanwhile stays, and so does what the nodes above were
    /// credited with, by whatever way that was.
    fn revise(&self, graph: &mut Graph<UctData>, child: NodeId, value: WinRate) {
        let t = &mut graph.data_mut(child).real;
        if t.visits == 1 {
            t.sum = u64::from(value.0);
        }
        if self.mean == Mean::Live {
            graph.data_mut(child).own = value.0;
        }
    }

    fn show(&self, graph: &Graph<UctData>, n: NodeId) -> String {
        format!("{:.3} of {}", self.win_rate(graph, n), self.visits(graph, n))
    }
}
