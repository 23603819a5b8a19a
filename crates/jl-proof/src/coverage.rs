//! Whether the branches of a node cover every reply.

use crate::sets::Cells;
use crate::windows::Shape;
use crate::zone::Zone;

/// What counts of a branch.
pub struct Cover<'a> {
    pub stones: Cells,
    pub floats: u8,
    /// Of the node that wins.
    pub zone: &'a Zone,
}

/// A table of replies, two stones each: which cells may go with a cell. A pair is covered if it is in the row of either.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    rows: Vec<Cells>,
}

impl Coverage {
    /// The first pair of `empty` cells that hits all threats and that no branch covers.
    pub fn missing<'a>(
        &mut self,
        shape: &Shape,
        empty: &Cells,
        threats: &[u16],
        branches: impl Iterator<Item = Cover<'a>>,
    ) -> Option<[u16; 2]> {
        self.rows.clear();
        self.rows.resize(shape.game().area(), Cells::default());
        branches.for_each(|branch| self.cover(shape, empty, &branch));
        // A reply that hits the first threat has a stone in it.
        let firsts = threats.first().map_or(*empty, |&w| empty.intersection(shape.cells(w)));
        firsts.iter().find_map(|s| {
            let missed = threats.iter().filter(|&&w| !shape.cells(w).contains(s));
            let seconds = missed.fold(empty.without(s), |cells, &w| cells.intersection(shape.cells(w)));
            let mut left = seconds.minus(&self.rows[usize::from(s)]).iter();
            left.find(|&t| !self.rows[usize::from(t)].contains(s)).map(|t| [s.min(t), s.max(t)])
        })
    }

    fn cover(&mut self, shape: &Shape, empty: &Cells, branch: &Cover) {
        let Cover { stones, floats, zone } = branch;
        let outside = match floats {
            0 => Cells::default(),
            _ => empty.minus(stones).minus(&zone.reach(shape)),
        };
        let mates = stones.union(&outside);
        for s in stones.iter() {
            self.rows[usize::from(s)].add(&mates);
        }
        if *floats == 2 {
            for s in outside.iter() {
                self.rows[usize::from(s)].add(&outside.minus(&zone.mates(shape, s)));
            }
        }
    }
}
