//! The windows of a board: every k consecutive cells in a line, and which of them go through a cell.
//!
//! ```text
//!   cell = x + columns · y, row 0 at the bottom           a window of k = 6, seen along its line
//!                                                          . . X . X X        two empties: one turn completes it
//!   directions  → ↑ ↗ ↘                                    first … last
//! ```
//!
//! On 19×19 with k = 6 there are 924 windows, at most 24 through a cell.

/// The most cells and windows that a board may have: bit sets have these sizes.
pub const MAX_CELLS: usize = 384;
pub const WINDOW_WORDS: usize = 18;

/// A board's shape with everything that never changes while stones come and go.
#[derive(Clone, Debug)]
pub struct Geometry {
    pub columns: usize,
    pub rows: usize,
    pub k: usize,
    cells_of: Vec<u16>,
    through: Vec<u16>,
    through_start: Vec<u32>,
    /// Per window: the one that begins a cell further along the line, or [`NO_WINDOW`].
    next: Vec<u16>,
}

const NO_WINDOW: u16 = u16::MAX;

impl Geometry {
    /// `None` if there are more cells or windows than a board may have, or no line of length `k`, which is at least 4.
    #[must_use]
    pub fn new(columns: usize, rows: usize, k: usize) -> Option<Geometry> {
        if k < 4 || columns * rows > MAX_CELLS || columns.max(rows) < k {
            return None;
        }
        let mut cells_of = Vec::new();
        for y in 0..rows {
            for x in 0..columns {
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let at = |i: usize| (x as i32 + dx * i as i32, y as i32 + dy * i as i32);
                    let (ex, ey) = at(k - 1);
                    if (0..columns as i32).contains(&ex) && (0..rows as i32).contains(&ey) {
                        cells_of.extend((0..k).map(at).map(|(x, y)| (x + columns as i32 * y) as u16));
                    }
                }
            }
        }
        let windows = cells_of.len() / k;
        if windows > WINDOW_WORDS * 64 {
            return None;
        }
        let mut starts = std::collections::HashMap::new();
        for w in 0..windows {
            starts.insert((cells_of[w * k], cells_of[w * k + 1]), w as u16);
        }
        let next = (0..windows)
            .map(|w| starts.get(&(cells_of[w * k + 1], cells_of[w * k + 2])).copied().unwrap_or(NO_WINDOW))
            .collect();
        let mut lists = vec![Vec::new(); columns * rows];
        for (i, &c) in cells_of.iter().enumerate() {
            lists[usize::from(c)].push((i / k) as u16);
        }
        let mut through_start = vec![0];
        let mut through = Vec::new();
        for list in lists {
            through.extend(list);
            through_start.push(through.len() as u32);
        }
        Some(Geometry { columns, rows, k, cells_of, through, through_start, next })
    }

    /// Column `x`, row `y`, both from 0; row 0 is at the bottom.
    #[must_use]
    pub fn cell(&self, x: usize, y: usize) -> u16 {
        debug_assert!(x < self.columns && y < self.rows);
        (x + self.columns * y) as u16
    }

    #[must_use]
    pub fn cells(&self) -> usize {
        self.columns * self.rows
    }

    #[must_use]
    pub fn windows(&self) -> usize {
        self.cells_of.len() / self.k
    }

    /// The cells of a window, along its line.
    #[inline]
    #[must_use]
    pub fn cells_of(&self, window: u16) -> &[u16] {
        let start = usize::from(window) * self.k;
        &self.cells_of[start..start + self.k]
    }

    /// The window that begins one cell further along the same line.
    #[inline]
    #[must_use]
    pub fn next(&self, window: u16) -> Option<u16> {
        Some(self.next[usize::from(window)]).filter(|&w| w != NO_WINDOW)
    }

    /// The windows through a cell.
    #[inline]
    #[must_use]
    pub fn through(&self, cell: u16) -> &[u16] {
        let i = usize::from(cell);
        &self.through[self.through_start[i] as usize..self.through_start[i + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connect6_has_924_windows_and_at_most_24_through_a_cell() {
        let g = Geometry::new(19, 19, 6).unwrap();
        assert_eq!((g.cells(), g.windows()), (361, 924));
        assert_eq!((0..361).map(|c| g.through(c).len()).max(), Some(24));
        assert_eq!(g.through(0).len(), 3, "a corner");
        for c in 0..361 {
            assert!(g.through(c).iter().all(|&w| g.cells_of(w).contains(&c)));
        }
    }

    #[test]
    fn impossible_boards_are_refused() {
        assert!(Geometry::new(4, 4, 5).is_none());
        assert!(Geometry::new(30, 30, 6).is_none());
        assert!(Geometry::new(7, 1, 4).is_some());
    }
}
