//! A plan built anew: seen in a mirror, or with a flaw.

use crate::boards::{sorted, stones};
use crate::minimax::with;
use jl_engine_connect6::engine::Turn;
use jl_engine_connect6::plan::{Branch, Plan};
use jl_engine_connect6::{Board, Geometry, Side};
use std::rc::Rc;

/// What is wrong with the zones of a plan that is built anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    None,
    /// The cells that the attacker plays are left out.
    NoTurns,
    /// The cells that answer its threats are left out.
    NoThreats,
    /// The defender's own windows are left out, given a board without its stones.
    NoLines,
    /// What follows a turn is left out.
    NoLater,
    /// The stones that float below are not reckoned with.
    NoShift,
}

/// The same plan, each cell and window being where the maps say. The board is that of the new plan, without its first turn.
pub fn rebuild(board: &mut Board, attacker: Side, plan: &Plan, map: &Map, flaw: Flaw) -> Plan {
    let turn = map.turn(plan.turn);
    let windows: Vec<u16> = plan.windows.iter().map(|&w| map.windows[usize::from(w)]).collect();
    if with(board, stones(&turn), attacker, |board| board.has_won(attacker)) {
        return Plan::completing(board, windows[0]);
    }
    let mut branches = Vec::new();
    with(board, stones(&turn), attacker, |board| {
        for b in &plan.branches {
            let stones: Vec<u16> = b.stones.iter().map(|&c| map.cells[usize::from(c)]).collect();
            let placed = if flaw == Flaw::NoLines { &[] } else { &stones[..] };
            let plan = with(board, placed, attacker.opponent(), |board| {
                Rc::new(rebuild(board, attacker, &b.plan, map, flaw))
            });
            branches.push(Branch { stones, floats: b.floats, plan });
        }
        flawed(board, attacker, turn, windows, branches, flaw)
    })
}

fn flawed(
    board: &Board,
    attacker: Side,
    turn: Turn,
    windows: Vec<u16>,
    branches: Vec<Branch>,
    flaw: Flaw,
) -> Plan {
    let mut seen = branches.clone();
    match flaw {
        Flaw::NoLater => seen.clear(),
        Flaw::NoShift => seen.iter_mut().for_each(|b| b.floats = 0),
        _ => {}
    }
    let seen_windows = if flaw == Flaw::NoThreats { Vec::new() } else { windows.clone() };
    // A cell that is taken already is no news to a zone.
    let taken = (0..board.geometry().cells() as u16).find(|&c| !board.is_empty(c) && !turn.contains(&c));
    let seen_turn = if flaw == Flaw::NoTurns { taken.map_or(turn, |c| [c, c]) } else { turn };
    let plan = Plan::after(board, attacker, seen_turn, seen_windows, seen);
    Plan { turn, windows, branches, ..plan }
}

/// Where each cell and window goes.
pub struct Map {
    pub cells: Vec<u16>,
    pub windows: Vec<u16>,
}

impl Map {
    /// The eight symmetries of a square board.
    pub fn symmetry(g: &Geometry, n: usize) -> Map {
        assert_eq!(g.columns, g.rows);
        let last = g.columns - 1;
        let image = |c: usize| {
            let (mut x, mut y) = (c % g.columns, c / g.columns);
            if n & 1 != 0 {
                x = last - x;
            }
            if n & 2 != 0 {
                y = last - y;
            }
            if n & 4 != 0 { g.cell(y, x) } else { g.cell(x, y) }
        };
        let cells: Vec<u16> = (0..g.cells()).map(image).collect();
        let window = |w: u16| {
            let to: Vec<u16> = g.cells_of(w).iter().map(|&c| cells[usize::from(c)]).collect();
            let mut through = g.through(to[0]).iter().copied();
            through.find(|&v| to.iter().all(|c| g.cells_of(v).contains(c))).expect("a line stays a line")
        };
        let windows = (0..g.windows() as u16).map(window).collect();
        Map { cells, windows }
    }

    pub fn identity(g: &Geometry) -> Map {
        Map { cells: (0..g.cells() as u16).collect(), windows: (0..g.windows() as u16).collect() }
    }

    pub fn turn(&self, turn: Turn) -> Turn {
        sorted(self.cells[usize::from(turn[0])], self.cells[usize::from(turn[1])])
    }

    /// The board with each stone moved, and with the colours swapped if wanted.
    pub fn board<'g>(&self, board: &Board<'g>, swap: bool) -> Board<'g> {
        let mut image = Board::new(board.geometry());
        for c in 0..board.geometry().cells() as u16 {
            if let Some(side) = board.at(c) {
                image.place(self.cells[usize::from(c)], if swap { side.opponent() } else { side });
            }
        }
        image
    }
}

/// A board without the stones of one side.
pub fn without<'g>(board: &Board<'g>, side: Side) -> Board<'g> {
    let mut image = Board::new(board.geometry());
    for c in 0..board.geometry().cells() as u16 {
        if board.at(c) == Some(side.opponent()) {
            image.place(c, side.opponent());
        }
    }
    image
}
