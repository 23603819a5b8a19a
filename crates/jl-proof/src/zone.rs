//! What a node relies on: where a stone of the defender's, that is not on the node's board, might spoil it.

use crate::sets::{Cells, Windows};
use crate::windows::Shape;

/// The zone of a node. `docs/proof-format.md` says why it is one.
#[derive(Clone, Debug)]
pub struct Zone {
    /// Where no such stone may be.
    pub cells: Cells,
    /// `fatal[j - 1]`: the windows in which there may not be j such stones, for j from 1 to k − 2.
    fatal: Vec<Windows>,
}

impl Zone {
    pub fn new(shape: &Shape, cells: Cells) -> Zone {
        Zone { cells, fatal: vec![Windows::default(); shape.k() - 2] }
    }

    /// There may not be j stones more in this window, for j of at least 1.
    pub fn forbid(&mut self, window: u16, j: usize) {
        self.fatal[j - 1].insert(window);
    }

    /// Takes over what a branch relies on that leaves so many stones floating.
    pub fn join(&mut self, other: &Zone, floats: usize) {
        self.cells.add(&other.cells);
        for (i, windows) in other.fatal.iter().enumerate() {
            self.fatal[i.saturating_sub(floats)].add(windows);
        }
    }

    /// The cells where a single stone may spoil it.
    pub fn reach(&self, shape: &Shape) -> Cells {
        self.fatal[0].iter().fold(self.cells, |cells, w| cells.union(shape.cells(w)))
    }

    /// The cells that share a window with this one in which there may not be two stones.
    pub fn mates(&self, shape: &Shape, cell: u16) -> Cells {
        let Some(pairs) = self.fatal.get(1) else { return Cells::default() };
        let windows = shape.through[usize::from(cell)].iter().filter(|&&w| pairs.contains(w));
        windows.fold(Cells::default(), |cells, &w| cells.union(shape.cells(w)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jl_games::connect6::Connect;

    #[test]
    fn stones_that_float_bring_windows_nearer() {
        let shape = Shape::new(Connect::CONNECT6);
        for (floats, expected) in [(0, [1, 2, 3, 4]), (1, [1, 1, 2, 3]), (2, [1, 1, 1, 2])] {
            let mut child = Zone::new(&shape, [7].into_iter().collect());
            (1..=4).for_each(|j| child.forbid(j as u16, j));
            let mut zone = Zone::new(&shape, [9].into_iter().collect());
            zone.join(&child, floats);
            assert_eq!(zone.cells.iter().collect::<Vec<_>>(), [7, 9]);
            for (w, j) in (1..=4).zip(expected) {
                let at: Vec<usize> = (1..=4).filter(|&j| zone.fatal[j - 1].contains(w)).collect();
                assert_eq!(at, [j], "window {w} with {floats} floating stones");
            }
        }
    }

    #[test]
    fn one_stone_and_two_stones_are_told_apart() {
        let shape = Shape::new(Connect::CONNECT6);
        let [one, two] = ["AAAF", "BABF"].map(|text| {
            let ends = shape.read_cells(text).unwrap();
            shape.window([ends[0], ends[1]]).unwrap()
        });
        let mut zone = Zone::new(&shape, Cells::default());
        zone.forbid(one, 1);
        zone.forbid(two, 2);
        assert_eq!(zone.reach(&shape), *shape.cells(one));
        let cell = shape.read_cells("BC").unwrap()[0];
        assert_eq!(zone.mates(&shape, cell), *shape.cells(two));
        assert_eq!(zone.mates(&shape, 0), Cells::default());
    }
}
