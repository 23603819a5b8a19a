//! The search of the original Checker and its six versions: Lin's thesis, sections 2.2.2 and 2.3.
//!
//! *ProcessTuple* takes the smallest active MUS, one without a clue, and tries each of its cells as the next clue. Which
//! MUSs are active is a bit set; the first of its bits is the smallest. The thesis omits its tunings (V2, V5); what stands
//! for them here is in the words of [`Algorithm`].

use super::{Algorithm, Checked, Disjoint, Tally, without};
use crate::CellSet;
use crate::solver::another_solution;
use crate::unavoidable::{minimal_sets, original_sets};
use std::time::{Duration, Instant};

/// How often the search looks whether it should stop.
const STOP_EVERY: u64 = 1 << 10;

pub fn check(tally: Tally, version: Algorithm) -> Checked {
    let start = Instant::now();
    let mut sets =
        if version == Algorithm::V6 { minimal_sets(&tally.grid) } else { original_sets(&tally.grid) };
    if version >= Algorithm::V2 {
        let met = |set: &CellSet| sets.iter().filter(|other| other.meets(*set)).count();
        let mut order: Vec<_> = sets.iter().map(|set| (set.len(), usize::MAX - met(set), *set)).collect();
        order.sort_unstable();
        sets = order.into_iter().map(|(_, _, set)| set).collect();
    }
    let finding = start.elapsed();
    match version {
        Algorithm::V1 => Tuples::<3>::run(tally, version, sets, finding),
        Algorithm::V2 => Tuples::<4>::run(tally, version, sets, finding),
        Algorithm::V3 => Tuples::<5>::run(tally, version, sets, finding),
        _ => Tuples::<6>::run(tally, version, sets, finding),
    }
}

/// A set of MUSs, by their places in the order.
type Bits<const WORDS: usize> = [u64; WORDS];

fn first<const WORDS: usize>(bits: &Bits<WORDS>) -> Option<usize> {
    let word = bits.iter().position(|&word| word != 0)?;
    Some(64 * word + bits[word].trailing_zeros() as usize)
}

struct Tuples<'a, const WORDS: usize> {
    tally: Tally<'a>,
    version: Algorithm,
    sets: Vec<CellSet>,
    /// For each cell, the sets that have it: X_c.
    of_cell: Vec<Bits<WORDS>>,
    /// For each set, the sets that have a cell of it: X_S.
    of_set: Vec<Bits<WORDS>>,
    /// What disjoint sets did on each level.
    levels: Vec<Disjoint>,
}

impl<const WORDS: usize> Tuples<'_, WORDS> {
    fn run(tally: Tally, version: Algorithm, mut sets: Vec<CellSet>, finding: Duration) -> Checked {
        let start = Instant::now();
        sets.truncate(64 * WORDS);
        let bits = |holds: &dyn Fn(&CellSet) -> bool| {
            let mut bits = [0; WORDS];
            for place in (0..sets.len()).filter(|&place| holds(&sets[place])) {
                bits[place / 64] |= 1 << (place % 64);
            }
            bits
        };
        let of_cell = (0..81).map(|cell| bits(&|set| set.contains(cell))).collect();
        let of_set = sets.iter().map(|a| bits(&|b| a.meets(*b))).collect();
        let given = tally.limits.given;
        let active = bits(&|set| !set.meets(given));
        let levels = if version < Algorithm::V3 { vec![] } else { vec![Disjoint::default(); tally.n + 1] };
        let mut tuples = Tuples { tally, version, sets, of_cell, of_set, levels };
        tuples.process(&active, given, CellSet::EMPTY);
        let sets = tuples.sets.len();
        let checked = tuples.tally.checked(sets, finding, start.elapsed());
        Checked { disjoint: tuples.levels, ..checked }
    }

    /// All puzzles with these clues and none of the dead cells.
    fn process(&mut self, active: &Bits<WORDS>, clues: CellSet, dead: CellSet) {
        let level = clues.len();
        let left = self.tally.n - level;
        if self.tally.stopped || self.tally.n > 81 - dead.len() {
            return;
        }
        self.tally.nodes.count(level);
        let nodes = self.tally.nodes.total;
        let enough = self.tally.limits.nodes.is_some_and(|most| nodes >= most);
        if (enough || nodes.is_multiple_of(STOP_EVERY)) && !self.tally.goes_on(nodes) {
            return;
        }
        let cells = match first(active) {
            None if left == 0 => {
                if another_solution(&self.tally.grid, clues).is_none() {
                    self.tally.found.push(clues);
                }
                return;
            }
            None => !clues,
            Some(_) if left == 0 => return,
            Some(smallest) if self.version < Algorithm::V3 => self.sets[smallest],
            Some(_) => match self.disjoint(active, left, dead) {
                Some(cells) => cells,
                None => return,
            },
        };
        let mut dead = dead;
        for cell in self.ordered(cells - dead, active) {
            let rest = without(active, &self.of_cell[cell]);
            self.process(&rest, clues | CellSet::of(cell), dead);
            dead.insert(cell);
        }
    }

    /// The cells in the order in which to try them.
    fn ordered(&self, cells: CellSet, active: &Bits<WORDS>) -> impl Iterator<Item = usize> + use<WORDS> {
        let mut order = [(0, 0); 81];
        let mut count = 0;
        for cell in cells.iter() {
            let hit = |(active, of_cell): (&u64, &u64)| (active & of_cell).count_ones();
            let hits = match self.version {
                Algorithm::V5 | Algorithm::V6 => active.iter().zip(&self.of_cell[cell]).map(hit).sum(),
                _ => 0,
            };
            order[count] = (u32::MAX - hits, cell);
            count += 1;
        }
        order[..count].sort_unstable();
        order.into_iter().take(count).map(|(_, cell)| cell)
    }

    /// The cells to branch on, with so many clues left: those of the first active set, or of a smaller one if there are as
    /// many disjoint sets as clues. `None` if there are more.
    fn disjoint(&mut self, active: &Bits<WORDS>, left: usize, dead: CellSet) -> Option<CellSet> {
        let mut chosen = [CellSet::EMPTY; 81];
        let mut count = 0;
        let mut rest = *active;
        let level = self.tally.n - left;
        while let Some(set) = first(&rest) {
            if count == left {
                self.levels[level].sets += left as u64 + 1;
                self.levels[level].greater += 1;
                return None;
            }
            chosen[count] = self.sets[set];
            count += 1;
            rest = without(&rest, &self.of_set[set]);
        }
        self.levels[level].sets += count as u64;
        let chosen = &mut chosen[..count];
        let equal = count == left;
        if equal && !self.shrink(active, chosen, level) {
            return None;
        }
        let cells = match self.version {
            Algorithm::V5 | Algorithm::V6 => chosen.iter().copied().min_by_key(|set| (*set - dead).len()),
            _ if equal => chosen.iter().copied().min_by_key(|set| set.len()),
            _ => Some(chosen[0]),
        };
        if let Some(cells) = cells.filter(|_| equal) {
            self.levels[level].children += (cells - dead).len() as u64;
        }
        cells
    }

    /// As many disjoint sets as clues left, shrunk last to first from V4 on. False if there is nothing left of one.
    fn shrink(&mut self, active: &Bits<WORDS>, chosen: &mut [CellSet], level: usize) -> bool {
        self.levels[level].equal += 1;
        if self.version < Algorithm::V4 {
            return true;
        }
        let mut smaller = false;
        for i in (0..chosen.len()).rev() {
            let shrunk = self.shrunk(active, chosen, i);
            smaller |= shrunk != chosen[i];
            chosen[i] = shrunk;
            if shrunk.is_empty() {
                self.levels[level].pruned += 1;
                return false;
            }
        }
        let level = &mut self.levels[level];
        if smaller {
            level.shrunk += 1
        } else {
            level.none += 1
        }
        true
    }

    /// Shrink(i): the clue that hits the i-th set must hit all active sets that meet none of the others.
    fn shrunk(&self, active: &Bits<WORDS>, chosen: &[CellSet], i: usize) -> CellSet {
        let others = chosen.iter().enumerate().filter(|&(j, _)| j != i);
        let others = others.fold(CellSet::EMPTY, |union, (_, set)| union | *set);
        let mut alone = *active;
        for cell in others.iter() {
            alone = without(&alone, &self.of_cell[cell]);
        }
        let mut shrunk = chosen[i];
        while let Some(set) = first(&alone) {
            shrunk = shrunk & self.sets[set];
            alone[set / 64] &= alone[set / 64] - 1;
        }
        shrunk
    }
}
