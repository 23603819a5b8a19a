//! Plans as the nodes of a proof file.
//!
//! A [`Plan`] becomes a move and the turn after it per board that it is followed on, children first. Plans that are shared stay shared as long as
//! the stones are the same; two plans for the same stones stay two, since the branches that lead to them may rely on
//! the zone of one of them.
//!
//! What is written is for `jl-proof` to check, which knows nothing of this program.

use crate::attack::{put, take};
use crate::board::{Board, Side};
use crate::plan::{Branch, Plan, stones};
use crate::verify::Verified;
use jl_proof::{Family, Kind, Node};
use std::collections::HashMap;
use std::rc::Rc;

/// The nodes of a plan of `attacker`, who is to move on this board; the root last.
#[must_use]
pub fn won(board: &Board, attacker: Side, plan: &Rc<Plan>) -> Vec<Node> {
    let mut export = Export::new(board, attacker);
    export.plan(plan);
    export.nodes
}

/// The nodes of the verifier's finding that the opponent of `attacker`, who is to move on this board, is lost; the root
/// last. `None` if that is not what it found.
#[must_use]
pub fn lost(board: &Board, attacker: Side, verified: &Verified) -> Option<Vec<Node>> {
    verified.is_lost().then(|| {
        let mut export = Export::new(board, attacker);
        let defended = Kind::defended(export.threats(&verified.windows), export.answers(&verified.branches));
        export.add(defended);
        export.nodes
    })
}

pub(crate) struct Export<'g> {
    board: Board<'g>,
    attacker: Side,
    nodes: Vec<Node>,
    /// By the stones on the board and the plan that is followed there.
    ids: HashMap<(u128, *const Plan), u64>,
}

impl<'g> Export<'g> {
    pub fn new(board: &Board<'g>, attacker: Side) -> Export<'g> {
        Export { board: board.clone(), attacker, nodes: Vec::new(), ids: HashMap::new() }
    }

    /// Children first.
    pub fn into_nodes(self) -> Vec<Node> {
        self.nodes
    }

    /// The node of a plan on the present board. As deep as the plan is long.
    pub fn plan(&mut self, plan: &Rc<Plan>) -> u64 {
        let key = (self.board.key(), Rc::as_ptr(plan));
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let stones: Vec<u16> = stones(plan.turn).collect();
        let turn = self.cells(&stones);
        put(&mut self.board, &stones, self.attacker);
        let kind = match plan.windows.iter().copied().find(|&w| self.is_complete(w)) {
            Some(window) => Kind::Win { turn, completes: self.window(window) },
            None => {
                let defended = Kind::defended(self.threats(&plan.windows), self.answers(&plan.branches));
                Kind::Or { turn, node: self.add(defended) }
            }
        };
        take(&mut self.board, &stones, self.attacker);
        let id = self.add(kind);
        self.ids.insert(key, id);
        id
    }

    pub fn answers(&mut self, branches: &[Branch]) -> Vec<Family> {
        let defender = self.attacker.opponent();
        let mut answers = Vec::new();
        for branch in branches {
            put(&mut self.board, &branch.stones, defender);
            let node = self.plan(&branch.plan);
            take(&mut self.board, &branch.stones, defender);
            answers.push(Family { stones: self.cells(&branch.stones), floats: branch.floats, node });
        }
        answers
    }

    fn add(&mut self, kind: Kind) -> u64 {
        let id = self.nodes.len() as u64;
        self.nodes.push(Node { id, kind });
        id
    }

    fn is_complete(&self, window: u16) -> bool {
        self.board.stones_in(window, self.attacker) == Some(self.board.geometry().k)
    }

    pub fn threats(&self, windows: &[u16]) -> Vec<String> {
        windows.iter().map(|&w| self.window(w)).collect()
    }

    fn window(&self, window: u16) -> String {
        let cells = self.board.geometry().cells_of(window);
        self.cells(&[cells[0], cells[cells.len() - 1]])
    }

    /// Letter pairs.
    fn cells(&self, cells: &[u16]) -> String {
        let columns = self.board.geometry().columns as u16;
        let letter = |n: u16| char::from(b'A' + n as u8);
        cells.iter().flat_map(|&c| [letter(c % columns), letter(c / columns)]).collect()
    }
}
