//! The turns worth looking at, the most promising first.
//!
//! A turn is promising by what its stones gain, the second given the first, and by its history: how often it was best
//! elsewhere. Where the opponent threatens only the answers come; where it would win by threats after a pass, at least one
//! stone must be in the zone of that win.

use crate::board::Side;
use crate::engine::Turn;
use crate::evaluate::Evaluated;
use crate::geometry::MAX_CELLS;
use crate::sets::CellSet;
use crate::threats::Threats;

/// A turn and how promising it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub turn: Turn,
    pub promise: i32,
}

/// What to generate.
pub struct Wanted<'a> {
    pub mover: Side,
    /// The opponent's.
    pub threats: &'a Threats,
    /// Where a stone must go, if anything is known.
    pub zone: Option<&'a CellSet>,
    /// How many of the best cells are paired.
    pub cells: usize,
    /// What stones are worth to the mover, per cell, if something knows better than the gains; and the percentage of what two gain
    /// together that is added.
    pub worth: Option<&'a [i32; MAX_CELLS]>,
    pub joint: i32,
    /// Of either side's stones, per cell.
    pub history: &'a [i32; MAX_CELLS],
}

impl Wanted<'_> {
    fn worth(&self, position: &Evaluated, cell: u16) -> i32 {
        self.worth.map_or_else(|| position.gain(cell, self.mover), |worth| worth[usize::from(cell)])
    }
}

/// Ascending, as turns are written.
#[must_use]
pub fn turn(a: u16, b: u16) -> Turn {
    [a.min(b), a.max(b)]
}

/// Fills `into` with the candidates, best first. Whether they are all that need be considered: every answer to a double
/// threat, or every legal turn.
pub fn generate(position: &Evaluated, wanted: &Wanted, into: &mut Vec<Candidate>) -> bool {
    into.clear();
    let empties = position.board().geometry().cells() - position.board().placed();
    let cells = best_cells(position, wanted, wanted.cells);
    let complete = match wanted.threats.count() {
        0 => quiet(position, wanted, &cells, into),
        1 => single(position, wanted, &cells, into),
        _ => double(position, wanted, into),
    };
    if empties == 1 {
        into.clear();
        into.extend(cells.iter().map(|&(c, promise)| Candidate { turn: [c, c], promise }));
    }
    // Equally promising ones in the order of their cells, so that the answer depends on nothing else.
    into.sort_unstable_by_key(|c| (std::cmp::Reverse(c.promise), c.turn));
    complete || empties == 1 || into.len() == empties * empties.saturating_sub(1) / 2
}

/// The best empty cells with their worth, best first.
fn best_cells(position: &Evaluated, wanted: &Wanted, most: usize) -> Vec<(u16, i32)> {
    let board = position.board();
    let mut best: Vec<(u16, i32)> = Vec::with_capacity(most + 1);
    for c in 0..board.geometry().cells() as u16 {
        if !board.is_empty(c) {
            continue;
        }
        let worth = wanted.worth(position, c) + wanted.history[usize::from(c)];
        if best.len() == most && best.last().is_some_and(|&(_, least)| worth <= least) {
            continue;
        }
        let at = best.partition_point(|&(_, w)| w >= worth);
        best.insert(at, (c, worth));
        best.truncate(most);
    }
    best
}

/// Pairs of good cells.
fn quiet(position: &Evaluated, wanted: &Wanted, cells: &[(u16, i32)], into: &mut Vec<Candidate>) -> bool {
    let mut more = [0; MAX_CELLS];
    let zone_cells: Vec<(u16, i32)> = match wanted.zone {
        Some(zone) => zone.iter().map(|c| (c, wanted.worth(position, c))).collect(),
        None => Vec::new(),
    };
    for (i, &(a, worth)) in cells.iter().enumerate() {
        more.fill(0);
        position.joint(a, wanted.mover, &mut more);
        let pair = |&(b, other): &(u16, i32)| Candidate {
            turn: turn(a, b),
            promise: worth + other + more[usize::from(b)] * wanted.joint / 100,
        };
        into.extend(cells[i + 1..].iter().map(pair));
        // The zone's own cells, good or not, go with the very best ones.
        if i < ZONE_PARTNERS {
            let fresh = |&&(b, _): &&(u16, i32)| b != a && cells.iter().all(|&(c, _)| c != b);
            into.extend(zone_cells.iter().filter(fresh).map(pair));
        }
    }
    false
}

/// How many of the best cells are paired with every cell of the zone.
const ZONE_PARTNERS: usize = 4;

/// A stone that answers with each of the good cells, and the pairs that answer only together.
fn single(position: &Evaluated, wanted: &Wanted, cells: &[(u16, i32)], into: &mut Vec<Candidate>) -> bool {
    let mut more = [0; MAX_CELLS];
    let singles = wanted.threats.singles();
    for (i, &a) in singles.iter().enumerate() {
        more.fill(0);
        position.joint(a, wanted.mover, &mut more);
        let worth = wanted.worth(position, a);
        for &(b, other) in cells {
            if b != a && !singles[..i].contains(&b) {
                let together = more[usize::from(b)] * wanted.joint / 100;
                into.push(Candidate { turn: turn(a, b), promise: worth + other + together });
            }
        }
    }
    double(position, wanted, into);
    false
}

/// The pairs that answer together.
fn double(position: &Evaluated, wanted: &Wanted, into: &mut Vec<Candidate>) -> bool {
    let worth = |c| wanted.worth(position, c);
    let pair = |&[a, b]: &Turn| Candidate { turn: [a, b], promise: worth(a) + worth(b) };
    into.extend(wanted.threats.answers().iter().map(pair));
    true
}
