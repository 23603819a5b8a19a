//! Victory by continuous threats: double ones (VCDT), and single ones too (VCST).
//!
//! At an attacking node the attacker
//! 1. wins at once if it has a live window with k − 2 stones or more;
//! 2. else must answer the defender's own threats with the same two stones (*inversion*: the replies may have made some),
//!    and threaten: three threats win, two force both stones of the reply, one forces one of them.
//!
//! **Conservative defence.** First the defender is given *all* the cells of all the answers at once. If the attack wins even
//! so, it wins against each of them: a stone of the defender's that is taken away never spoils a plan. Only if that
//! seems harder is each answer tried by itself.
//!
//! **Single threats.** The reply is an answering stone and a free one. The attack is tried with the free one floating; the
//! plan that wins has a zone (see [`crate::plan`]), and only a free stone within it needs a search of its own, which first
//! tries the same plan.
//!
//! - [`hunt`]: the search, best first by proof numbers;
//! - [`tables`]: what it remembers of positions.
//!
//! Every win that is claimed is one, and comes with its plan; that none was found says nothing.

mod hunt;
mod tables;

use crate::board::{Board, Side};
use crate::candidates::Candidates;
use crate::geometry::MAX_CELLS;
use crate::limits::{Clock, Limit};
use crate::plan::{Plan, edge};
use crate::threats::Threats;
use hunt::Hunt;
use std::rc::Rc;
use tables::{Known, Lists, Wins};

/// What a search for a win found.
#[derive(Clone, Debug)]
pub enum Found {
    Win(Rc<Plan>),
    /// No win by the moves that are tried.
    Nothing,
    /// The limit came first.
    Unknown,
}

impl Found {
    #[must_use]
    pub fn win(self) -> Option<Rc<Plan>> {
        match self {
            Found::Win(plan) => Some(plan),
            _ => None,
        }
    }
}

/// Which threats the attacker may use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Force {
    Double,
    Single,
}

/// Searches for wins of one side, and remembers what it has found.
pub struct Solver {
    attacker: Side,
    wins: Wins,
    known: Known,
    lists: Lists,
    candidates: Candidates,
    /// Per cell: how often a free stone there held.
    held: Vec<u32>,
}

impl Solver {
    /// With tables of about so many bytes.
    #[must_use]
    pub fn new(attacker: Side, memory: usize) -> Solver {
        Solver {
            attacker,
            wins: Wins::new(memory / 4),
            known: Known::new(memory / 2),
            lists: Lists::new(memory / 4),
            candidates: Candidates::default(),
            held: vec![0; MAX_CELLS],
        }
    }

    #[must_use]
    pub fn attacker(&self) -> Side {
        self.attacker
    }

    /// The win that was found here before, if any.
    #[must_use]
    pub fn known(&self, board: &Board) -> Option<Rc<Plan>> {
        self.wins.get(board.key()).cloned()
    }

    /// Looks for a win of the attacker, who is to move with two stones.
    pub fn search(&mut self, board: &mut Board, force: Force, clock: &mut Clock) -> Found {
        self.search_with(board, force, &[], clock)
    }

    /// Likewise, trying plans first that won against similar stones.
    pub fn search_with(
        &mut self,
        board: &mut Board,
        force: Force,
        hints: &[&Plan],
        clock: &mut Clock,
    ) -> Found {
        self.wins.make_room();
        match (Hunt { solver: self, board, force, clock }).run(hints) {
            Ok(Some(plan)) => Found::Win(plan),
            Ok(None) => Found::Nothing,
            Err(Limit) => Found::Unknown,
        }
    }
}

/// A window that `side` completes with two stones.
pub(crate) fn completable(board: &Board, side: Side) -> Option<u16> {
    let k = board.geometry().k;
    if !board.can_win_now(side) {
        return None;
    }
    board.live(side, k - 1).chain(board.live(side, k - 2)).next()
}

/// The windows that `side` threatens to complete.
pub(crate) fn threatening(board: &Board, side: Side) -> Vec<u16> {
    let k = board.geometry().k;
    board.live(side, k - 1).chain(board.live(side, k - 2)).collect()
}

/// Windows that no two stones answer, no more of them than needed.
fn enough(board: &Board, side: Side) -> Vec<u16> {
    let mut windows = threatening(board, side);
    let mut i = 0;
    while i < windows.len() {
        let rest: Vec<[u16; 2]> =
            windows.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &w)| edge(board, w)).collect();
        if Threats::of_edges(&rest).count() == 3 {
            windows.remove(i);
        } else {
            i += 1;
        }
    }
    windows
}

pub(crate) fn put(board: &mut Board, cells: &[u16], side: Side) {
    cells.iter().for_each(|&c| board.place(c, side));
}

pub(crate) fn take(board: &mut Board, cells: &[u16], side: Side) {
    cells.iter().rev().for_each(|&c| board.remove(c, side));
}
