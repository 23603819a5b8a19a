use crate::grids;
use jl_engine_sudoku::solver::another_solution;
use jl_engine_sudoku::unavoidable::{minimal_sets, original_sets};
use jl_engine_sudoku::{CellSet, Grid};

/// Another way to fill a few cells of a grid: one cell gets another digit, then each cell that had this digit in one of
/// its houses must change, and so on.
struct Changes<'a> {
    grid: &'a Grid,
    now: [u8; 81],
    changed: CellSet,
    most: usize,
    houses: [[CellSet; 3]; 81],
    found: Vec<CellSet>,
}

impl Changes<'_> {
    /// All unavoidable sets of at most so many cells that contain no other.
    fn all(grid: &Grid, most: usize) -> Vec<CellSet> {
        let houses = std::array::from_fn(|cell: usize| {
            let same = |house: fn(usize) -> usize| (0..81).filter(|&c| house(c) == house(cell)).collect();
            [same(|c| c / 9), same(|c| c % 9), same(|c| c / 27 * 3 + c % 9 / 3)]
        });
        let mut changes =
            Changes { grid, now: *grid.digits(), changed: CellSet::EMPTY, most, houses, found: vec![] };
        (0..81).for_each(|lowest| changes.change(lowest, lowest));
        changes.found.sort_by_key(|set| (set.len(), *set));
        changes.found.dedup();
        let minimal = |set: &&CellSet| !changes.found.iter().any(|o| o != *set && o.is_subset(**set));
        changes.found.iter().filter(minimal).copied().collect()
    }

    /// Gives the cell each other digit that no changed cell of its houses has.
    fn change(&mut self, cell: usize, lowest: usize) {
        let old = self.now[cell];
        self.changed.insert(cell);
        for digit in (1..=9).filter(|&d| d != old) {
            let houses = self.houses[cell];
            let taken = |house: CellSet| {
                (house & self.changed).iter().any(|other| other != cell && self.now[other] == digit)
            };
            if !houses.into_iter().any(taken) {
                self.now[cell] = digit;
                self.go_on(lowest);
            }
        }
        self.now[cell] = old;
        self.changed.remove(cell);
    }

    fn go_on(&mut self, lowest: usize) {
        // What has a changed cell's digit in one of its houses must change too, and what a house lost must come back in a
        // cell of it that has not changed yet.
        let mut must = CellSet::EMPTY;
        let mut lost = [[0u32; 9]; 3];
        for cell in self.changed.iter() {
            for house in self.houses[cell] {
                let same = (house - self.changed).iter().find(|&other| self.now[other] == self.now[cell]);
                must = must | same.map_or(CellSet::EMPTY, CellSet::of);
            }
            for (kind, house) in [cell / 9, cell % 9, cell / 27 * 3 + cell % 9 / 3].into_iter().enumerate() {
                let members = self.houses[cell][kind] & self.changed;
                let old = self.grid.digits()[cell];
                lost[kind][house] += u32::from(!members.iter().any(|other| self.now[other] == old));
            }
        }
        let more = lost.iter().map(|houses| houses.iter().sum::<u32>() as usize).max().unwrap();
        if self.changed.len() + must.len().max(more) > self.most || must.iter().any(|cell| cell < lowest) {
            return;
        }
        match must.first() {
            Some(cell) => self.change(cell, lowest),
            None => self.found.push(self.changed),
        }
    }
}

#[test]
fn every_set_of_ten_cells_or_less_is_found() {
    for seed in 0..20 {
        let grid = if seed == 0 { grids::strange() } else { grids::random(seed) };
        let expected = Changes::all(&grid, 10);
        let small = |set: &CellSet| set.len() <= 10;
        let found: Vec<CellSet> = minimal_sets(&grid).into_iter().filter(small).collect();
        assert_eq!(found, expected, "{grid}");
        assert!(expected.len() > 50, "{grid} has only {}", expected.len());
    }
}

#[test]
fn sets_of_either_phase_1_are_unavoidable_minimal_and_in_order() {
    for seed in 0..3 {
        let grid = grids::random(seed);
        let (modified, original) = (minimal_sets(&grid), original_sets(&grid));
        for sets in [&modified, &original] {
            assert!(sets.is_sorted_by_key(|set| (set.len(), *set)));
            for &set in sets {
                assert!(another_solution(&grid, !set).is_some(), "can be avoided");
                let smaller = |cell| another_solution(&grid, !(set - CellSet::of(cell))).is_some();
                assert!(!set.iter().any(smaller), "not minimal");
            }
        }
        assert!(modified.len() > 2 * original.len());
        let small = |sets: &[CellSet]| sets.iter().filter(|set| set.len() <= 12).count();
        assert_eq!(small(&modified), small(&original));
    }
}
