//! The checker.
//!
//! Two walks over the nodes. From the root down, each node gets its board, and every way to it must bring the same one. From
//! the leaves up, each node is checked and gets its zone, which needs the zones of the nodes that it refers to. Both are
//! loops, since a parent stands after its children in the file; nothing is as deep as the proof.

use crate::coverage::{Cover, Coverage};
use crate::flaw::{Flaw, Wrong};
use crate::proof::{Branch, Mover, Proof, Step, Turn};
use crate::sets::Cells;
use crate::windows::Shape;
use crate::zone::Zone;

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    pub nodes: usize,
    /// The nodes that refer to no other: a window is completed, or no reply hits all threats.
    pub leaves: usize,
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

    pub fn add(&mut self, mover: Mover, stones: &[u16]) {
        let own = match mover {
            Mover::Attacker => &mut self.attacker,
            Mover::Defender => &mut self.defender,
        };
        stones.iter().for_each(|&c| own.insert(c));
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

    /// The stones of attacker and defender.
    fn of(&self, window: u16) -> (usize, usize) {
        let at = usize::from(window);
        (self.attacker[at].into(), self.defender[at].into())
    }
}

struct Checker<'a> {
    proof: &'a Proof,
    shape: &'a Shape,
    /// Of each node, before a move of the attacker's.
    boards: Vec<Board>,
    /// How each node is reached first.
    ways: Vec<Option<(usize, usize)>>,
    /// How many nodes that are still to be checked need the zone of each node.
    needed: Vec<u32>,
    counts: Counts,
    coverage: Coverage,
    checked: Checked,
}

impl<'a> Checker<'a> {
    fn new(proof: &'a Proof) -> Result<Checker<'a>, Flaw> {
        let nodes = proof.steps.len();
        let windows = proof.shape.windows.len();
        let leaves = proof.steps.iter().filter(|step| step.children().next().is_none()).count();
        let mut checker = Checker {
            proof,
            shape: &proof.shape,
            boards: vec![Board::default(); nodes],
            ways: vec![None; nodes],
            needed: vec![0; nodes],
            counts: Counts { attacker: vec![0; windows], defender: vec![0; windows] },
            coverage: Coverage::default(),
            checked: Checked { nodes, leaves, turns: 0, replies: 0, depth: 0 },
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

    /// Who is to move in the position is so at the root.
    fn check_claim(&self) -> Result<(), Flaw> {
        let wins = self.proof.header.winner == self.proof.position.to_move();
        let expected = if wins { Mover::Attacker } else { Mover::Defender };
        if self.proof.steps[self.root()].mover() == expected {
            Ok(())
        } else {
            Err(self.flaw(self.root(), Wrong::Mover { expected }))
        }
    }

    /// Gives every node its board, parents first.
    fn place(&mut self) -> Result<(), Flaw> {
        let proof = self.proof;
        let root = self.root();
        self.boards[root] = Board::of_header(proof);
        for (place, step) in proof.steps.iter().enumerate().rev() {
            match &step.turn {
                Turn::Win { stones, .. } => {
                    self.after(place, stones)?;
                }
                Turn::Or { stones, then } => {
                    let board = self.after(place, stones)?;
                    self.place_child(*then, board, (place, 0))?;
                }
                Turn::And { branches, .. } => {
                    for (number, branch) in branches.iter().enumerate() {
                        let board = self.after(place, &branch.stones)?;
                        self.place_child(branch.to, board, (place, number))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The board of a node with stones of its mover's.
    fn after(&self, place: usize, stones: &[u16]) -> Result<Board, Flaw> {
        let mover = self.proof.steps[place].mover();
        let mut board = self.boards[place];
        if !board.has_room(stones) {
            let text = self.shape.text(stones.iter().copied());
            let wrong = match mover {
                Mover::Attacker => Wrong::Move(text),
                Mover::Defender => Wrong::Stones(text),
            };
            return Err(self.flaw(place, wrong));
        }
        board.add(mover, stones);
        Ok(board)
    }

    fn place_child(&mut self, child: usize, board: Board, way: (usize, usize)) -> Result<(), Flaw> {
        if self.ways[child].is_none() {
            self.ways[child] = Some(way);
            self.boards[child] = board;
        } else if self.boards[child] != board {
            return Err(self.flaw(child, Wrong::OtherBoard(self.proof.steps[way.0].id)));
        }
        self.needed[child] += 1;
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
            let below = step.children().map(|child| depths[child]).max().unwrap_or(0);
            depths[place] = below + u32::from(step.mover() == Mover::Attacker);
            for child in step.children() {
                self.needed[child] -= 1;
                if self.needed[child] == 0 && !keep {
                    zones[child] = None;
                }
            }
        }
        self.checked.depth = depths[self.root()] as usize;
        Ok((self.checked, zones))
    }

    /// The node wins if its children do; its zone.
    fn node(&mut self, place: usize, step: &Step, zones: &[Option<Zone>]) -> Result<Zone, Wrong> {
        let board = self.boards[place];
        match &step.turn {
            Turn::Win { stones, window } => self.win(&board, stones, *window),
            Turn::Or { stones, then } => {
                let mut zone = zone_of(zones, *then).clone();
                stones.iter().for_each(|&c| zone.cells.insert(c));
                Ok(zone)
            }
            Turn::And { threats, branches } => {
                let empty = board.empty(self.shape);
                self.counts.set(self.shape, &board);
                let mut zone = self.defender_to_move(&empty, threats)?;
                self.replies(&empty, threats, branches, zones)?;
                for branch in branches {
                    zone.join(zone_of(zones, branch.to), branch.floats.into());
                }
                Ok(zone)
            }
        }
    }

    /// The stones complete the window; what that relies on.
    fn win(&self, board: &Board, stones: &[u16], window: u16) -> Result<Zone, Wrong> {
        let shape = self.shape;
        if let Some(w) = self.windows().find(|&w| shape.cells(w).is_within(&board.defender)) {
            return Err(Wrong::GivenLine(shape.window_text(w)));
        }
        let stones: Cells = stones.iter().copied().collect();
        let missing = shape.cells(window).minus(&board.attacker);
        if !missing.is_within(&stones) {
            return Err(Wrong::NotComplete(shape.window_text(window)));
        }
        Ok(Zone::new(shape, stones))
    }

    fn windows(&self) -> impl Iterator<Item = u16> + use<> {
        0..self.shape.windows.len() as u16
    }

    /// At this turn the defender can't complete a line, and the threats are threats; what that relies on.
    fn defender_to_move(&self, empty: &Cells, threats: &[u16]) -> Result<Zone, Wrong> {
        let shape = self.shape;
        let enough = shape.k() - 2;
        let mut zone = Zone::new(shape, Cells::default());
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
            zone: zone_of(zones, branch.to),
        });
        if let Some(reply) = self.coverage.missing(self.shape, empty, threats, covers) {
            return Err(Wrong::Uncovered(self.shape.text(reply)));
        }
        self.checked.turns += 1;
        self.checked.replies += cells * (cells - 1) / 2;
        Ok(())
    }
}

fn zone_of(zones: &[Option<Zone>], place: usize) -> &Zone {
    zones[place].as_ref().expect("a child is checked before its parents, and kept as long as one needs it")
}
