//! The checker.
//!
//! Two walks over the nodes. From the root down, each node gets its board, and every way to it must bring the same one. From
//! the leaves up, each node is checked and gets its zone, which needs the zones of the nodes that it refers to. Both are
//! loops, since a parent stands after its children in the file; nothing is as deep as the proof.

use crate::coverage::{Cover, Coverage};
use crate::flaw::{Flaw, Wrong};
use crate::proof::{Branch, Proof, Step, Then};
use crate::sets::Cells;
use crate::windows::Shape;
use crate::zone::Zone;

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    pub nodes: usize,
    /// Turns of the defender.
    pub turns: usize,
    /// The replies that were accounted for, at all those turns together.
    pub replies: u64,
    /// Turns of the attacker in the longest line, the completion of a threat that was left alone not counted.
    pub depth: usize,
}

/// Whether the proof proves what its header says.
pub fn check(proof: &Proof) -> Result<Checked, Flaw> {
    Checker::new(proof)?.run(false).map(|(checked, _)| checked)
}

/// Likewise; gives the zone of every node.
pub(crate) fn zones(proof: &Proof) -> Result<Vec<Zone>, Flaw> {
    let (_, zones) = Checker::new(proof)?.run(true)?;
    Ok(zones.into_iter().flatten().collect())
}

/// The stones of both sides. Those that the defender was only given are among its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Board {
    pub attacker: Cells,
    pub defender: Cells,
}

impl Board {
    /// The position that is proved.
    pub fn of_header(proof: &Proof) -> Board {
        let stones = |player| proof.position.stones(player).iter().map(|c| c.index() as u16).collect();
        let winner = proof.header.winner;
        Board { attacker: stones(winner), defender: stones(winner.opponent()) }
    }

    fn occupied(&self) -> Cells {
        self.attacker.union(&self.defender)
    }

    pub fn empty(&self, shape: &Shape) -> Cells {
        shape.all.minus(&self.occupied())
    }

    /// Whether the stones could be put there.
    fn has_room(&self, stones: &[u16]) -> bool {
        let cells: Cells = stones.iter().copied().collect();
        cells.len() == stones.len() && cells.minus(&self.occupied()) == cells
    }
}

/// How many stones of both sides each window has.
struct Counts {
    attacker: Vec<u8>,
    defender: Vec<u8>,
}

impl Counts {
    fn set(&mut self, shape: &Shape, board: &Board) {
        for (counts, stones) in [(&mut self.attacker, &board.attacker), (&mut self.defender, &board.defender)]
        {
            counts.fill(0);
            for c in stones.iter() {
                shape.through[usize::from(c)].iter().for_each(|&w| counts[usize::from(w)] += 1);
            }
        }
    }

    fn add_attacker(&mut self, shape: &Shape, turn: &[u16]) {
        for &c in turn {
            shape.through[usize::from(c)].iter().for_each(|&w| self.attacker[usize::from(w)] += 1);
        }
    }

    /// The stones of attacker and defender.
    fn of(&self, window: u16) -> (usize, usize) {
        let at = usize::from(window);
        (self.attacker[at].into(), self.defender[at].into())
    }
}

struct Checker<'a> {
    proof: &'a Proof,
    shape: &'a Shape,
    /// Of each node, before its move.
    boards: Vec<Board>,
    /// How each node is reached first.
    ways: Vec<Option<(usize, usize)>>,
    /// How many branches that are still to be checked need the zone of each node.
    needed: Vec<u32>,
    counts: Counts,
    coverage: Coverage,
    checked: Checked,
}

impl<'a> Checker<'a> {
    fn new(proof: &'a Proof) -> Result<Checker<'a>, Flaw> {
        let nodes = proof.steps.len();
        let windows = proof.shape.windows.len();
        let mut checker = Checker {
            proof,
            shape: &proof.shape,
            boards: vec![Board::default(); nodes],
            ways: vec![None; nodes],
            needed: vec![0; nodes],
            counts: Counts { attacker: vec![0; windows], defender: vec![0; windows] },
            coverage: Coverage::default(),
            checked: Checked { nodes, turns: 0, replies: 0, depth: 0 },
        };
        checker.check_claim()?;
        checker.place()?;
        Ok(checker)
    }

    fn root(&self) -> usize {
        self.proof.steps.len() - 1
    }

    fn flaw(&self, place: usize, wrong: Wrong) -> Flaw {
        self.proof.flaw(&self.ways, place, wrong)
    }

    /// The root has a move if and only if the winner is to move.
    fn check_claim(&self) -> Result<(), Flaw> {
        let has_move = !self.proof.steps[self.root()].turn.is_empty();
        match (self.proof.header.winner == self.proof.position.to_move(), has_move) {
            (true, false) => Err(self.flaw(self.root(), Wrong::NoMove)),
            (false, true) => Err(self.flaw(self.root(), Wrong::NotToMove)),
            _ => Ok(()),
        }
    }

    /// Gives every node its board, parents first.
    fn place(&mut self) -> Result<(), Flaw> {
        let proof = self.proof;
        let root = self.root();
        self.boards[root] = Board::of_header(proof);
        for (place, step) in proof.steps.iter().enumerate().rev() {
            let mut board = self.boards[place];
            if !board.has_room(&step.turn) {
                let turn = self.shape.text(step.turn.iter().copied());
                return Err(self.flaw(place, Wrong::Move(turn)));
            }
            step.turn.iter().for_each(|&c| board.attacker.insert(c));
            for (number, branch) in step.branches().iter().enumerate() {
                self.place_child(&board, (place, number), branch)?;
            }
        }
        Ok(())
    }

    fn place_child(&mut self, after: &Board, way: (usize, usize), branch: &Branch) -> Result<(), Flaw> {
        if !after.has_room(&branch.stones) {
            let stones = self.shape.text(branch.stones.iter().copied());
            return Err(self.flaw(way.0, Wrong::Stones(stones)));
        }
        let mut board = *after;
        branch.stones.iter().for_each(|&c| board.defender.insert(c));
        if self.ways[branch.to].is_none() {
            self.ways[branch.to] = Some(way);
            self.boards[branch.to] = board;
        } else if self.boards[branch.to] != board {
            return Err(self.flaw(branch.to, Wrong::OtherBoard(self.proof.steps[way.0].id)));
        }
        self.needed[branch.to] += 1;
        Ok(())
    }

    /// Checks every node, children first. Zones that are needed no more are dropped unless they are to be kept.
    fn run(mut self, keep: bool) -> Result<(Checked, Vec<Option<Zone>>), Flaw> {
        let proof = self.proof;
        let mut zones: Vec<Option<Zone>> = vec![None; proof.steps.len()];
        let mut depths = vec![0_u32; proof.steps.len()];
        for (place, step) in proof.steps.iter().enumerate() {
            let zone = self.node(place, step, &zones).map_err(|wrong| self.flaw(place, wrong))?;
            zones[place] = Some(zone);
            let below = step.branches().iter().map(|b| depths[b.to]).max().unwrap_or(0);
            depths[place] = below + u32::from(!step.turn.is_empty());
            for branch in step.branches() {
                self.needed[branch.to] -= 1;
                if self.needed[branch.to] == 0 && !keep {
                    zones[branch.to] = None;
                }
            }
        }
        self.checked.depth = depths[self.root()] as usize;
        Ok((self.checked, zones))
    }

    /// The node wins if its children do; its zone.
    fn node(&mut self, place: usize, step: &Step, zones: &[Option<Zone>]) -> Result<Zone, Wrong> {
        let shape = self.shape;
        let mut board = self.boards[place];
        self.counts.set(shape, &board);
        if let Some(w) = self.windows().find(|&w| self.counts.of(w).1 == shape.k()) {
            return Err(Wrong::GivenLine(shape.window_text(w)));
        }
        let before = board.empty(shape);
        step.turn.iter().for_each(|&c| board.attacker.insert(c));
        self.counts.add_attacker(shape, &step.turn);
        let turn: Cells = step.turn.iter().copied().collect();
        match &step.then {
            Then::Completes(window) => {
                if self.counts.of(*window).0 != shape.k() {
                    return Err(Wrong::NotComplete(shape.window_text(*window)));
                }
                Ok(Zone::new(shape, turn.union(&before.intersection(shape.cells(*window)))))
            }
            Then::Replies { .. } if step.turn.len() == 1 => {
                Err(Wrong::OneStone(shape.text(step.turn.iter().copied())))
            }
            Then::Replies { threats, branches } => {
                let empty = board.empty(shape);
                let mut zone = self.defender_to_move(turn, &empty, threats)?;
                self.replies(&empty, threats, branches, zones)?;
                for branch in branches {
                    zone.join(zone_of(zones, branch), branch.floats.into());
                }
                Ok(zone)
            }
        }
    }

    fn windows(&self) -> impl Iterator<Item = u16> + use<> {
        0..self.shape.windows.len() as u16
    }

    /// At this turn the defender can't complete a line, and the threats are threats; what that relies on.
    fn defender_to_move(&self, turn: Cells, empty: &Cells, threats: &[u16]) -> Result<Zone, Wrong> {
        let shape = self.shape;
        let enough = shape.k() - 2;
        let mut zone = Zone::new(shape, turn);
        for &w in threats {
            let (attacker, defender) = self.counts.of(w);
            if defender > 0 || attacker < enough {
                return Err(Wrong::NotAThreat(shape.window_text(w)));
            }
            zone.cells.add(&empty.intersection(shape.cells(w)));
        }
        for w in self.windows() {
            match self.counts.of(w) {
                (0, stones) if stones >= enough => {
                    return Err(Wrong::DefenderCompletes(shape.window_text(w)));
                }
                (0, stones) => zone.forbid(w, enough - stones),
                _ => {}
            }
        }
        Ok(zone)
    }

    /// Every reply leaves a threat alone or is covered.
    fn replies(
        &mut self,
        empty: &Cells,
        threats: &[u16],
        branches: &[Branch],
        zones: &[Option<Zone>],
    ) -> Result<(), Wrong> {
        let cells = empty.len() as u64;
        if cells < 2 {
            return Err(Wrong::Full);
        }
        let covers = branches.iter().map(|branch| Cover {
            stones: branch.stones.iter().copied().collect(),
            floats: branch.floats,
            zone: zone_of(zones, branch),
        });
        if let Some(reply) = self.coverage.missing(self.shape, empty, threats, covers) {
            return Err(Wrong::Uncovered(self.shape.text(reply)));
        }
        self.checked.turns += 1;
        self.checked.replies += cells * (cells - 1) / 2;
        Ok(())
    }
}

fn zone_of<'z>(zones: &'z [Option<Zone>], branch: &Branch) -> &'z Zone {
    zones[branch.to]
        .as_ref()
        .expect("a child is checked before its parents, and kept as long as one needs it")
}
