//! The grid band by band: the fastest search.
//!
//! The n clues of a puzzle are divided among the three bands in one way, so that the ways can be searched one after the
//! other, and no puzzle comes twice. For each way and each band it is known how many choices of clues hit the unavoidable
//! sets within the band, of which there are few, and all are known. The band with fewest choices is first, then the next:
//!
//! 1. Each choice in the first band, if what it leaves unhit in the third band alone can be hit there.
//! 2. What it leaves unhit in the first two bands must be hit in the second: sets of 27 bits, mostly of two or three cells.
//! 3. What both leave unhit must be hit in the third. Disjoint sets show most often that this takes too many clues.
//! 4. Whatever hits all is given to the solver. If there is another solution, where it differs is a new unavoidable set.
//!
//! Most unavoidable sets are learned in this way rather than looked for before (Phase 1). A choice in two bands that hits
//! all known sets, but does not determine these two bands, has cost time in vain, and more so the fewer sets are known;
//! when enough nodes have been spent on the third band, the solver is asked for the next set.
//!
//! Stacks are as good as bands: if they promise less work, the grid is taken as its transpose.

mod hitting;
mod table;

use super::{Checked, Nodes, Tally};
use crate::solver::BAND;
use crate::unavoidable::{band, in_digits, in_regions, minimal, of_boxes, unhit_set};
use crate::{CellSet, Grid};
use hitting::{Hitting, drop_larger};
use std::collections::HashSet;
use std::time::Instant;
use table::{Page, Table};

/// From so many clues on, a longer Phase 1 pays.
const BOXES_FROM: usize = 17;
/// The tables are made again when so many more sets are known, or a part more.
const LEARNED: usize = 64;
/// So many of those that are not in the tables yet are looked at one by one.
const RECENT: usize = 512;
/// More sets than these are not kept.
const MOST_SETS: usize = 1 << 16;
/// After so many nodes for third bands, a set of the first two is worth a call of the solver.
const WORTH_A_SOLUTION: u64 = 1500;
/// What a visit of a third band costs besides, in nodes.
const VISIT: u64 = 50;

/// A set of cells, band by band.
type Parts = [u32; 3];

fn parts(set: CellSet) -> Parts {
    [0, 27, 54].map(|shift| (set.bits() >> shift) as u32 & BAND)
}

fn joined(parts: Parts) -> CellSet {
    CellSet::from_bits(u128::from(parts[0]) | u128::from(parts[1]) << 27 | u128::from(parts[2]) << 54)
}

fn size(parts: &Parts) -> u32 {
    parts.iter().map(|part| part.count_ones()).sum()
}

/// So many clues in each band, in the order in which to choose them.
struct Division {
    bands: [usize; 3],
    clues: [usize; 3],
    /// How many pairs of choices there are in the first two bands.
    pairs: f64,
}

pub fn check(tally: Tally) -> Checked {
    let boxes = tally.n >= BOXES_FROM;
    check_with(tally, boxes)
}

/// The same with or without the longer Phase 1: what is found does not depend on it.
fn check_with(tally: Tally, boxes: bool) -> Checked {
    let start = Instant::now();
    let (grid, given, n) = (tally.grid, tally.limits.given, tally.n);
    let upright = Plan::new(grid, parts(given), n, boxes);
    let flat = Plan::new(transposed_grid(&grid), parts(transposed(given)), n, boxes);
    let turned = flat.work() < upright.work();
    let plan = if turned { flat } else { upright };
    let mut search = Search::new(&plan, tally, turned);
    let finding = start.elapsed();
    let start = Instant::now();
    search.tally.nodes.count(given.len());
    plan.divisions.iter().all(|division| search.divided(division, &plan));
    let sets = search.sets.len();
    search.tally.checked(sets, finding, start.elapsed())
}

fn transposed(cells: CellSet) -> CellSet {
    cells.iter().map(|cell| cell % 9 * 9 + cell / 9).collect()
}

fn transposed_grid(grid: &Grid) -> Grid {
    let digits = std::array::from_fn(|cell| grid.digits()[cell % 9 * 9 + cell / 9]);
    Grid::new(digits).expect("rows and columns are alike")
}

/// What is to be done for a grid.
struct Plan {
    grid: Grid,
    given: Parts,
    /// All minimal unavoidable sets within each band.
    within: [Vec<u32>; 3],
    divisions: Vec<Division>,
    /// Whether Phase 1 looks into each four boxes too.
    boxes: bool,
}

impl Plan {
    fn new(grid: Grid, given: Parts, n: usize, boxes: bool) -> Plan {
        let within = [0, 1, 2].map(|b| {
            let mut found = vec![];
            in_regions(&grid, [band(b)], 27, &mut found);
            minimal(found).into_iter().map(|set| parts(set)[b]).collect::<Vec<u32>>()
        });
        let choices = [0, 1, 2].map(|b: usize| choices(&within[b], given[b], n));
        let mut divisions = vec![];
        for (first, second) in (0..choices[0].len()).flat_map(|a| (0..choices[1].len()).map(move |b| (a, b)))
        {
            let Some(third) = n.checked_sub(first + second).filter(|&third| third <= 27) else { continue };
            let clues = [first, second, third];
            let choices = [0, 1, 2].map(|b| choices[b][clues[b]]);
            if choices.contains(&0.0) {
                continue;
            }
            let mut bands = [0, 1, 2];
            bands.sort_by(|&a, &b| choices[a].total_cmp(&choices[b]));
            let pairs = choices[bands[0]] * choices[bands[1]];
            divisions.push(Division { bands, clues: bands.map(|b| clues[b]), pairs });
        }
        Plan { grid, given, within, divisions, boxes }
    }

    /// To compare with the transposed grid's.
    fn work(&self) -> f64 {
        self.divisions.iter().map(|division| division.pairs).sum()
    }
}

/// How many choices of 0, 1, … clues in a band hit its sets: exactly where it matters, then as if any clue would do.
fn choices(sets: &[u32], given: u32, n: usize) -> Vec<f64> {
    let mut sets = sets.to_vec();
    let mut choices: Vec<f64> = vec![];
    for clues in 0..=n.min(27) {
        let left = clues.checked_sub(given.count_ones() as usize).filter(|_| clues + 54 >= n);
        let fewer = choices.last().copied().unwrap_or_default();
        choices.push(match left {
            None => 0.0,
            Some(_) if clues > 8 && fewer > 0.0 => fewer * (28 - clues) as f64 / clues as f64,
            Some(left) => Hitting { sets: &mut sets, given, dead: 0, left, level: 0 }.count(),
        });
    }
    choices
}

/// The tables for the second and the third band of a division.
struct Tables {
    /// The sets within the first two bands, by their part in the second.
    second: Table,
    /// The sets within the first and the third band, by their part in the third.
    early: Table,
    /// All sets with a part in the third band, by that.
    third: Table,
    /// How many sets were known.
    known: usize,
}

/// What is used for one choice after the other.
#[derive(Default)]
struct Scratch {
    /// The sets of the third table that the clues in the first band do not hit.
    unhit: Vec<Page>,
    second: Vec<u32>,
    third: Vec<u32>,
}

struct Search<'a> {
    tally: Tally<'a>,
    turned: bool,
    grid: Grid,
    given: Parts,
    sets: Vec<Parts>,
    known: HashSet<Parts>,
    /// The nodes spent on third bands since the solver was last asked whether the first two were worth it.
    spent: u64,
}

impl<'a> Search<'a> {
    fn new(plan: &Plan, tally: Tally<'a>, turned: bool) -> Search<'a> {
        let grid = plan.grid;
        let mut found = vec![];
        in_regions(&grid, (0..3).map(band), 27, &mut found);
        for (b, count) in (0..3).flat_map(|b| [2, 3, 4].map(|count| (b, count))) {
            in_digits(&grid, count, !band(b), 54, &mut found);
        }
        in_digits(&grid, 2, CellSet::ALL, 18, &mut found);
        in_digits(&grid, 3, CellSet::ALL, 18, &mut found);
        if plan.boxes {
            in_regions(&grid, of_boxes(4), 14, &mut found);
        }
        let sets: Vec<Parts> = minimal(found).into_iter().map(parts).collect();
        let known = sets.iter().copied().collect();
        Search { tally, turned, grid, given: plan.given, sets, known, spent: 0 }
    }

    /// All puzzles with so many clues in each band. False if a limit ended the search.
    fn divided(&mut self, division: &Division, plan: &Plan) -> bool {
        let mut nodes = std::mem::take(&mut self.tally.nodes);
        let first = division.bands[0];
        let level = joined(self.given).len();
        let left = self.left(division, 0);
        let mut tables = self.tables(division);
        let mut scratch = Scratch::default();
        let mut sets = plan.within[first].clone();
        let mut hitting = Hitting { sets: &mut sets, given: self.given[first], dead: 0, left, level };
        hitting.each(&mut nodes, &mut |clues, nodes| {
            if self.sets.len() > tables.known + tables.known / 32 + LEARNED {
                tables = self.tables(division);
            }
            self.second(division, &tables, &mut scratch, clues, level + left, nodes);
            self.tally.stopped.then_some(0)
        });
        self.tally.nodes = nodes;
        !self.tally.stopped
    }

    /// How many clues are to be chosen in the first, second or third band.
    fn left(&self, division: &Division, which: usize) -> usize {
        division.clues[which] - self.given[division.bands[which]].count_ones() as usize
    }

    fn tables(&self, division: &Division) -> Tables {
        let [_, second, third] = division.bands;
        Tables {
            second: Table::new(&self.sets, &self.given, second, Some(third), MOST_SETS),
            early: Table::new(&self.sets, &self.given, third, Some(second), 512),
            third: Table::new(&self.sets, &self.given, third, None, MOST_SETS),
            known: self.sets.len(),
        }
    }

    /// All puzzles with these clues in the first band.
    fn second(
        &mut self,
        division: &Division,
        tables: &Tables,
        scratch: &mut Scratch,
        clues: u32,
        level: usize,
        nodes: &mut Nodes,
    ) {
        let [first, second, _] = division.bands;
        let left = self.left(division, 1);
        let mut sets = std::mem::take(&mut scratch.second);
        let Tables { early, second: table, third, .. } = tables;
        let possible =
            early.own_parts(early.all(), first, clues, self.left(division, 2), &mut sets).is_some();
        let packing = possible.then(|| table.own_parts(table.all(), first, clues, left, &mut sets)).flatten();
        if let Some(packing) = packing
            && self.tally.goes_on(nodes.total)
        {
            third.unhit(first, clues, &mut scratch.unhit);
            drop_larger(&mut sets);
            let (given, dead) = (self.given[second], packing.dead(left));
            Hitting { sets: &mut sets, given, dead, left, level }.each(nodes, &mut |more, nodes| {
                let mut chosen = self.given;
                chosen[first] = clues;
                chosen[second] = more;
                self.third(division, tables, scratch, chosen, level + left, nodes)
            });
        }
        scratch.second = sets;
    }

    /// All puzzles with these clues in the first two bands. Perhaps a set that was not hit in the second.
    fn third(
        &mut self,
        division: &Division,
        tables: &Tables,
        scratch: &mut Scratch,
        chosen: Parts,
        level: usize,
        nodes: &mut Nodes,
    ) -> Option<u32> {
        let [_, second, third] = division.bands;
        let left = self.left(division, 2);
        let Scratch { unhit, third: sets, .. } = scratch;
        let mut packing = tables.third.own_parts(unhit, second, chosen[second], left, sets)?;
        for set in &self.sets[tables.known.max(self.sets.len().saturating_sub(RECENT))..] {
            if (0..3).all(|b| set[b] & chosen[b] == 0) {
                if set[third] == 0 {
                    return Some(set[second]);
                }
                sets.push(set[third]);
                packing.add(set[third]);
            }
        }
        if packing.count > left {
            return None;
        }
        let before = nodes.total;
        let (given, dead) = (chosen[third], packing.dead(left));
        let mut unhit = None;
        Hitting { sets, given, dead, left, level }.each(nodes, &mut |clues, nodes| {
            let mut all = chosen;
            all[third] = clues;
            let learned = self.solve(all);
            unhit = learned.filter(|set| set[third] == 0);
            match learned {
                None => {
                    self.found(joined(all));
                    (!self.tally.goes_on(nodes.total)).then_some(0)
                }
                Some(set) => Some(set[third]),
            }
        });
        self.spent += nodes.total - before + VISIT;
        if unhit.is_none() && self.spent > WORTH_A_SOLUTION {
            self.spent = 0;
            let mut all = chosen;
            all[third] = BAND;
            unhit = self.solve(all);
        }
        if !self.tally.goes_on(nodes.total) {
            return Some(0);
        }
        unhit.map(|set| set[second])
    }

    /// An unavoidable set that these clues do not hit, if there is one.
    fn solve(&mut self, clues: Parts) -> Option<Parts> {
        let set = parts(unhit_set(&self.grid, joined(clues))?);
        if self.sets.len() < MOST_SETS && self.known.insert(set) {
            self.sets.push(set);
        }
        Some(set)
    }

    fn found(&mut self, clues: CellSet) {
        self.tally.found.push(if self.turned { transposed(clues) } else { clues });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Puzzle};

    /// As for 16 clues, where there is nothing to be found that would show a mistake.
    #[test]
    fn a_short_phase_1_finds_the_same_puzzles() {
        let known: Vec<&str> = include_str!("../../tests/data/puzzles17.tsv").lines().collect();
        // Of 20 puzzles, and of one with nine clues in one band.
        for line in [known.iter().find(|line| line.split('\t').nth(1) == Some("20")).unwrap(), known[210]] {
            let mut fields = line.split('\t');
            let grid: Grid = fields.next().unwrap().parse().unwrap();
            let mut expected: Vec<Puzzle> = fields.skip(1).map(|puzzle| puzzle.parse().unwrap()).collect();
            expected.sort_unstable();
            let found = check_with(Tally::new(grid, 17, Limits::default()), false);
            assert_eq!(found.puzzles, expected, "{grid}");
        }
    }
}
