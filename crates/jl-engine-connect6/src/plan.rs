//! A winning strategy of the attacker, and what it relies on.
//!
//! A [`Plan`] is a turn of the attacker and, unless that ends the matter, a [`Branch`] for every reply. A branch gives the
//! defender some stones at once, perhaps more than it can place, and perhaps leaves others *floating*: somewhere
//! outside the zone of what follows.
//!
//! ```text
//!   threats   stones           floating   replies that the branch stands for
//!   two       all the answers  0          every answer: the defender has more than it can have
//!   two       one answer       0          that one
//!   one       all the answers  1          an answering stone, and one outside the zone
//!   one       … and t          0          an answering stone, and t
//!   none      none             2          both stones outside the zone, and not both in certain windows
//!   none      s                1          s, and a stone outside the zone of this branch
//! ```
//!
//! A [`Zone`] says which stones of the defender's spoil a plan. It holds
//! - the cells that the attacker plays, and every empty cell of every window that it threatens with or completes;
//! - for each turn of the defender, the windows in which it could complete a line there if j more of its stones were
//!   in them: `fatal(j)`.
//!
//! A plan wins wherever the floating stones are if none is in the cells, and no window of `fatal(j)` holds j of them:
//! the attacker's moves are legal, its threats are threats, the replies to them are the same, and at no turn can the
//! defender complete a line. A branch that leaves stones floating shifts the windows for the stones that float already:
//! its own may be in any of them.

use crate::board::{Board, Side};
use crate::engine::Turn;
use crate::geometry::Geometry;
use crate::sets::{CellSet, WindowSet};
use crate::threats::Threats;
use std::rc::Rc;

/// As many floating stones at once are told apart. For lines of six they are all that matter.
const FLOATS: usize = 4;

/// What a plan relies on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zone {
    cells: CellSet,
    fatal: [WindowSet; FLOATS],
}

impl Zone {
    /// Of a turn of the defender, the attacker's stones being on the board.
    fn of_turn(board: &Board, defender: Side) -> Zone {
        let mut zone = Zone::default();
        let k = board.geometry().k;
        // More floating stones than are told apart count as that many, which is on the safe side.
        let floats = |stones: usize| (k - 3 - stones).min(FLOATS - 1);
        for stones in 2..=k - 3 {
            zone.fatal[floats(stones)].join(&board.listed(defender, stones));
        }
        // The windows with fewer stones are not listed.
        for stones in 0..2 {
            zone.fatal[floats(stones)].join(&board.with_only(defender, stones));
        }
        zone
    }

    fn join(&mut self, other: &Zone) {
        self.cells.join(&other.cells);
        self.fatal.iter_mut().zip(&other.fatal).for_each(|(a, b)| a.join(b));
    }

    /// Joins the zone of what follows a branch that leaves `floats` stones floating.
    fn join_after(&mut self, other: &Zone, floats: usize) {
        self.cells.join(&other.cells);
        for (i, windows) in other.fatal.iter().enumerate() {
            self.fatal[i.saturating_sub(floats)].join(windows);
        }
    }

    /// The cells that the attacker plays, threatens with or completes.
    #[must_use]
    pub fn cells(&self) -> &CellSet {
        &self.cells
    }

    /// The windows in which `j` floating stones, 1 or more, let the defender complete a line.
    pub fn fatal(&self, j: usize) -> impl Iterator<Item = u16> + '_ {
        self.fatal[j - 1].iter()
    }

    /// The cells where a single floating stone may spoil the plan. Some may be occupied.
    #[must_use]
    pub fn reach(&self, geometry: &Geometry) -> CellSet {
        let mut cells = self.cells;
        for w in self.fatal[0].iter() {
            geometry.cells_of(w).iter().for_each(|&c| cells.insert(c));
        }
        cells
    }

    /// Whether a floating stone on this cell may spoil the plan by itself.
    #[must_use]
    pub fn reaches(&self, geometry: &Geometry, cell: u16) -> bool {
        self.cells.contains(cell) || geometry.through(cell).iter().any(|&w| self.fatal[0].contains(w))
    }

    /// Whether the plan wins even so if both stones of a turn are added.
    #[must_use]
    pub fn misses(&self, geometry: &Geometry, [s, t]: Turn) -> bool {
        let reach = |c| self.reaches(geometry, c);
        !reach(s) && !reach(t) && !self.forbids_pair(geometry, s, t)
    }

    /// Whether two stones outside [`Zone::reach`] may spoil the plan together.
    #[must_use]
    pub fn forbids_pair(&self, geometry: &Geometry, s: u16, t: u16) -> bool {
        geometry.through(s).iter().any(|&w| self.fatal[1].contains(w) && geometry.cells_of(w).contains(&t))
    }
}

/// What kinds of moves a plan uses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Double threats, and the line that is completed in the end.
    Double,
    /// Single threats too.
    Single,
    /// Moves that threaten nothing at once.
    Quiet,
}

/// A winning strategy of the attacker, who is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub turn: Turn,
    /// The windows that the turn threatens to complete, or the one that it completes.
    pub windows: Vec<u16>,
    /// Against every reply; none if there is none that helps.
    pub branches: Vec<Branch>,
    pub zone: Zone,
    pub kind: Kind,
    /// Turns of the attacker in the longest line.
    pub length: u32,
}

/// What the attacker does if the defender plays here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    pub stones: Vec<u16>,
    pub floats: u8,
    pub plan: Rc<Plan>,
}

impl Branch {
    /// Whether the branch stands for this reply, the defender having been `given` these stones before.
    #[must_use]
    pub fn covers(&self, geometry: &Geometry, reply: Turn, given: &[u16]) -> bool {
        let mut outside = reply.into_iter().filter(|c| !self.stones.contains(c) && !given.contains(c));
        let reach = |c| self.plan.zone.reaches(geometry, c);
        match (outside.next(), outside.next(), self.floats) {
            (None, _, _) => true,
            (Some(t), None, 1..) => !reach(t),
            (Some(s), Some(t), 2..) => self.plan.zone.misses(geometry, [s, t]),
            _ => false,
        }
    }
}

impl Plan {
    /// The attacker, whose stones are not on the board yet, completes a window.
    #[must_use]
    pub fn completing(board: &Board, window: u16) -> Plan {
        let empties: Vec<u16> = board.empties_of(window).collect();
        let mut zone = Zone::default();
        empties.iter().for_each(|&c| zone.cells.insert(c));
        let turn = [empties[0], *empties.last().expect("a window that is not complete")];
        Plan { turn, windows: vec![window], branches: Vec::new(), zone, kind: Kind::Double, length: 1 }
    }

    /// The attacker has played `turn`, which is on the board, and wins by these branches. Every reply that hits all of
    /// `windows` must be covered by one.
    #[must_use]
    pub fn after(
        board: &Board,
        attacker: Side,
        turn: Turn,
        windows: Vec<u16>,
        branches: Vec<Branch>,
    ) -> Plan {
        let mut zone = Zone::of_turn(board, attacker.opponent());
        turn.into_iter().for_each(|c| zone.cells.insert(c));
        for &w in &windows {
            board.empties_of(w).for_each(|c| zone.cells.insert(c));
        }
        let mut length = 1;
        let own = if windows.is_empty() { Kind::Quiet } else { Kind::Double };
        let mut kind = own;
        for b in &branches {
            match b.floats {
                0 => zone.join(&b.plan.zone),
                n => zone.join_after(&b.plan.zone, usize::from(n)),
            }
            length = length.max(1 + b.plan.length);
            kind = kind.max(b.plan.kind);
            if b.floats > 0 {
                kind = kind.max(Kind::Single);
            }
        }
        Plan { turn, windows, branches, zone, kind, length }
    }

    /// One line of play: the attacker's turns, and each time the reply that holds out longest.
    #[must_use]
    pub fn line(&self, board: &Board, attacker: Side) -> Vec<Turn> {
        let mut board = board.clone();
        let mut line = vec![self.turn];
        let mut plan = self;
        loop {
            stones(plan.turn).for_each(|c| board.place(c, attacker));
            let Some((reply, next)) = plan.longest_reply(&board) else { return line };
            stones(reply).for_each(|c| board.place(c, attacker.opponent()));
            line.extend([reply, next.turn]);
            plan = next;
        }
    }

    /// A legal reply to the branch that lasts longest, the turn being on the board.
    fn longest_reply(&self, board: &Board) -> Option<(Turn, &Plan)> {
        let g = board.geometry();
        let edges: Vec<[u16; 2]> = self.windows.iter().map(|&w| edge(board, w)).collect();
        let threats = Threats::of_edges(&edges);
        let empty = || (0..g.cells() as u16).filter(|&c| board.is_empty(c));
        let mut branches: Vec<&Branch> = self.branches.iter().collect();
        branches.sort_by_key(|b| std::cmp::Reverse(b.plan.length));
        branches.into_iter().find_map(|b| {
            let given = || b.stones.iter().copied().filter(|&c| board.is_empty(c));
            let answer =
                |a: u16, c: u16| (a != c && threats.answered_by(a, c)).then_some([a.min(c), a.max(c)]);
            let within = given().find_map(|a| given().find_map(|c| answer(a, c)));
            let outside = || empty().filter(|&c| b.floats > 0 && !b.plan.zone.reaches(g, c));
            let across = || given().find_map(|a| outside().find_map(|c| answer(a, c)));
            let neither = || {
                let floats = b.floats > 1 && b.stones.is_empty();
                let first = outside().next().filter(|_| floats)?;
                let apart = |&c: &u16| c != first && !b.plan.zone.forbids_pair(g, first, c);
                outside().find(apart).map(|c| [first, c])
            };
            let reply = within.or_else(across).or_else(neither)?;
            Some((reply, &*b.plan))
        })
    }
}

/// The one or two cells of a turn.
pub(crate) fn stones([a, b]: Turn) -> impl Iterator<Item = u16> {
    std::iter::once(a).chain((a != b).then_some(b))
}

/// The one or two empties of a window that can be completed; a single one twice.
pub(crate) fn edge(board: &Board, window: u16) -> [u16; 2] {
    let mut empties = board.empties_of(window);
    let first = empties.next().expect("a threat has an empty cell");
    [first, empties.next().unwrap_or(first)]
}
